/* SPDX-License-Identifier: MIT */
/* Tests that tag names from a damaged head are marked, unless correct games or neighbouring blocks confirm them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive/reader.h"
#include "archive_support.h"

enum { GAMES = GROUP_FAST + 30 };

/* ---- archives ---- */

/* Packs games with these tags from game `first` on. Every other game has a comment. */
static listing make_block(const char *tags, unsigned first)
{
    listing text = {0};
    for (unsigned n = 0; n < GAMES; n++) {
        list_format(&text, "[Event \"E%u\"]\n[White \"W\"]\n", n);
        if (n >= first)
            list_word(&text, tags);
        list_word(&text, n % 2 ? "\n1. e4 e5 *\n\n" : "\n1. e4 {comment} e5 *\n\n");
    }
    listing block = pack(text.text, text.size, NULL);
    free(text.text);
    return block;
}

/* Makes an archive of three blocks. */
static listing make_archive(const char *tags, const char *tags_nearby)
{
    listing blocks[] = {make_block(tags_nearby, 0), make_block(tags, 0), make_block(tags_nearby, 0)};
    listing archive = copy_archives(blocks, 3, NULL);
    for (size_t n = 0; n < 3; n++)
        free(blocks[n].text);
    return archive;
}

/* Inverts bits of the last byte of a text in the head of a block; NULL: of the checksum of its text. */
static void damage_head(listing *archive, size_t frame, const char *text, char bits)
{
    char *payload = archive->text + frame + FRAME_HEADER_SIZE;
    const size_t size = text ? strlen(text) : 0, head_size = load_u32((const uint8_t *)archive->text + frame + 16);
    if (!text) {
        payload[9] ^= 1;
        return;
    }
    for (size_t at = 0; at + size <= head_size; at++)
        if (memcmp(payload + at, text, size) == 0) {
            payload[at + size - 1] ^= bits;
            return;
        }
    fail();
}

static void damage_comments(listing *archive, size_t frame)
{
    column_entry e;
    const uint8_t *stored;
    uint8_t *header = (uint8_t *)archive->text + frame;
    const buffer payload = {.data = header + FRAME_HEADER_SIZE, .size = (size_t)load_u64(header + 8)};
    assert_true(stamma_payload_find_column(&payload, load_u32(header + 16), COLUMN_COMMENTS, &e, &stored));
    payload.data[stored - payload.data + (ptrdiff_t)e.stored_size / 2] ^= 1;
}

/* ---- repairing ---- */

typedef struct saved {
    listing text; /* of the games of damaged blocks */
    uint64_t by_state[4];
} saved;

static bool take_games(void *context, const stamma_archive_salvage *games)
{
    saved *s = context;
    s->by_state[games->state] += games->games;
    list_bytes(&s->text, games->text.data, games->text.size);
    return true;
}

static stamma_error repair_with(const listing *archive, const stamma_allocator *allocator, saved *s)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    archive_sink sink = {.fail_at = 0};
    const stamma_bytes bytes = source_bytes(&source);
    const stamma_output output = archive_output(&sink);
    const stamma_archive_repair_options options = {
        .size = sizeof options, .allocator = allocator, .context = s, .salvaged = take_games};
    stamma_archive_repair_result result = {.size = sizeof result};
    *s = (saved){.by_state = {0}};
    const stamma_error error = stamma_archive_repair(&bytes, &output, &options, &result);
    free(sink.bytes.text);
    return error;
}

static saved repair(const listing *archive)
{
    saved s;
    assert_int_equal(repair_with(archive, NULL, &s), STAMMA_OK);
    list_bytes(&s.text, "", 1);
    return s;
}

static size_t count(const saved *s, const char *text)
{
    size_t found = 0;
    for (const char *at = s->text.text; (at = strstr(at, text)) != NULL; at++)
        found++;
    return found;
}

/* Repairs an archive whose second block is damaged. Asserts that its games with comments have this mark. */
static void expect_mark(const char *tags, const char *tags_nearby, const char *name, char bits, const char *mark)
{
    listing archive = make_archive(tags, tags_nearby);
    const size_t frame = next_frame(&archive, ARCHIVE_HEADER_SIZE);
    damage_head(&archive, frame, name, bits);
    damage_comments(&archive, frame);
    const saved s = repair(&archive);
    assert_int_equal(s.by_state[STAMMA_SALVAGE_INCOMPLETE], GAMES / 2);
    assert_int_equal(s.by_state[STAMMA_SALVAGE_UNCONFIRMED], GAMES / 2); /* complete games are not certain, either */
    assert_int_equal(count(&s, mark), GAMES / 2);
    assert_int_equal(count(&s, "[StammaRepair \"unconfirmed\"]"), GAMES / 2);
    free(s.text.text);
    free(archive.text);
}

static const char terminations[] = "[Termination \"normal\"]\n";

static void a_damaged_name(void **state)
{
    (void)state;
    expect_mark(terminations, terminations, "Terminati", 32,
                "[StammaRepair \"without comments; unconfirmed TerminatIon\"]");
}

/* The head is damaged elsewhere. */
static void names_of_neighbours(void **state)
{
    (void)state;
    expect_mark(terminations, terminations, NULL, 0, "[StammaRepair \"without comments\"]");
    expect_mark(terminations, "", NULL, 0, "[StammaRepair \"without comments; unconfirmed Termination\"]");
}

/* A name that occurs in a neighbouring block is not confirmed if it may be a damaged form of another name in that
 * block. */
static void names_that_are_similar(void **state)
{
    (void)state;
    static const char both[] = "[EloA \"1\"]\n[EloC \"2\"]\n";
    expect_mark("[EloA \"1\"]\n", both, "EloA", 'A' ^ 'C', "[StammaRepair \"without comments; unconfirmed EloC\"]");
    expect_mark(both, both, NULL, 0, "[StammaRepair \"without comments\"]");
}

/* A mark must remain a valid tag. */
static void names_that_cannot_be_shown(void **state)
{
    (void)state;
    expect_mark(terminations, terminations, "Terminat", 't' ^ '"',
                "[StammaRepair \"without comments; unconfirmed tags\"]");
    expect_mark(terminations, terminations, "Terminat", 't' ^ '\n',
                "[StammaRepair \"without comments; unconfirmed tags\"]");
}

/* A single block. If its first games are correct, they confirm the names of their tags. */
static void names_of_right_games(void **state)
{
    (void)state;
    for (unsigned right = 0; right < 2; right++) {
        listing archive = make_block(terminations, right ? GROUP_FAST : 0);
        damage_head(&archive, ARCHIVE_HEADER_SIZE, "Terminati", 32);
        saved s = repair(&archive);
        assert_int_equal(s.by_state[STAMMA_SALVAGE_EXACT], right ? GROUP_FAST : 0);
        assert_int_equal(s.by_state[STAMMA_SALVAGE_UNCONFIRMED], right ? GAMES - GROUP_FAST : GAMES);
        free(s.text.text);
        free(archive.text);
    }
}

/* The header of the frame is damaged, too. The head is found without a checksum. */
static void a_damaged_header(void **state)
{
    (void)state;
    listing archive = make_archive(terminations, terminations);
    const size_t frame = next_frame(&archive, ARCHIVE_HEADER_SIZE);
    damage_head(&archive, frame, "Terminati", 32);
    damage_comments(&archive, frame);
    memset(archive.text + frame, 0, FRAME_HEADER_SIZE);
    const saved s = repair(&archive);
    assert_int_equal(count(&s, "; unconfirmed TerminatIon\"]"), GAMES / 2);
    assert_int_equal(s.by_state[STAMMA_SALVAGE_EXACT], 0);
    free(s.text.text);
    free(archive.text);
}

static void no_memory(void **state)
{
    (void)state;
    listing archive = make_archive(terminations, terminations);
    const size_t frame = next_frame(&archive, ARCHIVE_HEADER_SIZE);
    bool failed = true;
    damage_head(&archive, frame, "Terminati", 32);
    damage_comments(&archive, frame);
    for (unsigned fail_at = 1; failed; fail_at++) {
        saved s;
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        const stamma_error error = repair_with(&archive, &allocator, &s);
        failed = memory.calls >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        assert_int_equal(memory.alive, 0);
        free(s.text.text);
    }
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_name),       cmocka_unit_test(names_of_neighbours),
        cmocka_unit_test(names_that_are_similar), cmocka_unit_test(names_that_cannot_be_shown),
        cmocka_unit_test(names_of_right_games), cmocka_unit_test(a_damaged_header),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
