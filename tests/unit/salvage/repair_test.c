/* SPDX-License-Identifier: MIT */
/* Tests repairing. For any change of an archive, the result is a sound archive of complete blocks, each once and in
 * order, with at least the text that reading finds. The result is reported as complete exactly if it contains
 * everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appended_archive.h"
#include "game_texts.h"

static void skip_damage(void *context, const stamma_archive_damage *d)
{
    (void)d;
    (*(unsigned *)context)++;
}

/* Whether only exact games are written. */
static bool exact_only = true;

static stamma_error repair_with(const listing *archive, const stamma_allocator *allocator, unsigned fail_at,
                                listing *repaired, stamma_archive_repair_result *result, unsigned *reported)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    archive_sink sink = {.fail_at = fail_at};
    const stamma_bytes bytes = source_bytes(&source);
    stamma_output output = archive_output(&sink);
    stamma_archive_repair_options options = {.size = sizeof options,
                                             .allocator = allocator,
                                             .context = reported,
                                             .damage = skip_damage,
                                             .exact_only = exact_only};
    *reported = 0;
    stamma_error error = stamma_archive_repair(&bytes, &output, &options, result);
    *repaired = sink.bytes;
    return error;
}

static stamma_error repair(const listing *archive, listing *repaired, stamma_archive_repair_result *result,
                           unsigned *reported)
{
    return repair_with(archive, NULL, 0, repaired, result, reported);
}

/* Returns the text that is found by a reader that continues after damage. */
static listing read_on(const listing *archive)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    listing text = {0};
    unsigned reported = 0;
    stamma_archive_reader_options options = {.size = sizeof options, .context = &reported, .damage = skip_damage};
    stamma_archive_reader *reader;
    list_word(&text, "");
    if (open_source(&source, true, &options, &reader) != STAMMA_OK)
        return text;
    stamma_output output = listing_output(&text);
    assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_OK);
    close_reader(reader);
    return text;
}

/* Returns the text of a valid archive. Asserts that the archive is sound. */
static listing text_of(const listing *archive)
{
    listing text = {0};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(verify_archive(archive, false, NULL, &verdict), STAMMA_OK);
    assert_int_equal(verdict.damages, 0);
    list_word(&text, "");
    assert_int_equal(unpack(archive, true, NULL, &text), STAMMA_OK);
    assert_int_equal(text.size, verdict.all.text_size);
    return text;
}

/* Repairs an archive and checks the result. `sound`: all blocks are sound, wherever they are. */
static void check(const appended *a, const listing *archive, const char *what, size_t at, bool sound)
{
    listing repaired, read = read_on(archive);
    stamma_archive_repair_result result = {.size = sizeof result};
    unsigned reported;
    stamma_error error = repair(archive, &repaired, &result, &reported);
    if (error != STAMMA_OK) {
        assert_true(error == STAMMA_ERROR_NO_ARCHIVE || error == STAMMA_ERROR_UNSUPPORTED);
        assert_int_equal(read.size + repaired.size, 0);
        free(read.text);
        return;
    }
    listing text = text_of(&repaired);
    assert_int_equal(result.kept.text_size, text.size);
    assert_int_equal(result.kept.archive_size, repaired.size);
    if (!are_blocks(a, &text))
        fail_msg("%s at %zu: no blocks", what, at);
    if (text.size < read.size)
        fail_msg("%s at %zu: %zu bytes, and %zu can be read", what, at, text.size, read.size);
    if (sound && text.size != a->text.size)
        fail_msg("%s at %zu: %zu bytes for %zu", what, at, text.size, a->text.size);
    if (result.whole && text.size != full_size(a, archive->size))
        fail_msg("%s at %zu: whole, with %zu bytes", what, at, text.size);
    if (!result.whole && reported == 0)
        fail_msg("%s at %zu: not whole, and nothing reported", what, at);
    free(repaired.text);
    free(text.text);
    free(read.text);
}

static const unsigned appends[] = {1, 9, 3, 7, 0};

static void check_spliced(const appended *a, const char *what, size_t at, size_t taken, const char *put, size_t size)
{
    listing spliced = splice_archive(a, at, taken, put, size);
    check(a, &spliced, what, at, taken == 0 && size == 0);
    free(spliced.text);
}

static void test_sound(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    listing repaired;
    stamma_archive_repair_result result = {.size = sizeof result};
    unsigned reported;
    assert_int_equal(repair(&a.archive, &repaired, &result, &reported), STAMMA_OK);
    assert_true(result.whole && result.known);
    assert_int_equal(reported, 0);
    assert_int_equal(result.kept_blocks, a.blocks);
    assert_int_equal(result.all_blocks, a.blocks);
    assert_int_equal(result.repacked_blocks, 0);
    free(repaired.text);
    check(&a, &a.archive, "nothing", 0, true);
    release_appended(&a);
}

static void test_flipped_bits(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    for (size_t bit = 0; bit < 8 * a.archive.size; bit += thinned_step(37)) {
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
        check(&a, &a.archive, "bit", bit, bit / 8 < ARCHIVE_HEADER_SIZE && bit / 8 != 8 && bit / 8 != 10);
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
    }
    release_appended(&a);
}

static void test_cuts(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    for (size_t size = 0; size < a.archive.size; size += thinned_step(7)) {
        listing cut = {a.archive.text, size, 0};
        check(&a, &cut, "cut", size, false);
    }
    release_appended(&a);
}

static void test_holes(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 32, 333};
    appended a = make_appended(appends);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t at = 0; at + sizes[i] <= a.archive.size; at += thinned_step(29)) {
            char zeros[333] = {0};
            check_spliced(&a, "hole", at, sizes[i], NULL, 0);
            check_spliced(&a, "zeros", at, sizes[i], zeros, sizes[i]);
        }
    release_appended(&a);
}

/* The headers of the file and of its first frames are lost. Everything else is found. */
static void test_lost_begin(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    for (unsigned i = 0; i < 5; i++) {
        listing repaired, end = {a.archive.text + a.frames[i] + 1, a.archive.size - a.frames[i] - 1, 0};
        stamma_archive_repair_result result = {.size = sizeof result};
        unsigned reported;
        assert_int_equal(repair(&end, &repaired, &result, &reported), STAMMA_OK);
        listing text = text_of(&repaired);
        size_t lost = a.texts[i < 1 ? 1 : i]; /* the second frame is a commit */
        assert_false(result.whole);
        assert_int_equal(text.size, a.text.size - lost);
        assert_memory_equal(text.text, a.text.text + lost, text.size);
        free(text.text);
        free(repaired.text);
    }
    release_appended(&a);
}

/* Moved blocks are sorted again. Blocks that occur twice are kept once. */
static void test_frames_out_of_order(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    for (unsigned i = 0; i < a.frame_count; i++)
        for (unsigned j = 0; j <= a.frame_count; j++) {
            listing moved = move_frame(&a, i, j);
            check(&a, &moved, "a frame moved", a.frames[i], true);
            free(moved.text);
            listing doubled =
                splice_archive(&a, a.frames[j], 0, a.archive.text + a.frames[i], a.frames[i + 1] - a.frames[i]);
            check(&a, &doubled, "a frame more", a.frames[i], true);
            free(doubled.text);
        }
    release_appended(&a);
}

/* ---- headers of frames ---- */

/* A block cannot be found if its header and the beginning of its head are lost. */
enum { HEADER_AND_HEAD = 2 * FRAME_HEADER_SIZE };

typedef struct header_damages {
    uint64_t offset, size, last_game;
    unsigned count;
} header_damages;

static void take_header_damage(void *context, const stamma_archive_damage *d)
{
    header_damages *found = context;
    assert_true(d->kind == STAMMA_DAMAGE_FRAME || d->kind == STAMMA_DAMAGE_COMMIT || d->kind == STAMMA_DAMAGE_TABLE);
    if (d->kind == STAMMA_DAMAGE_FRAME) /* a table cannot be compared with blocks that are missing */
        *found = (header_damages){d->offset, d->size, d->last_game, found->count + 1};
}

/* Repairs an archive whose damage affects only headers: no text is lost. */
static header_damages repair_headers(const listing *archive, const listing *wanted)
{
    header_damages found = {.count = 0};
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    archive_sink sink = {.fail_at = 0};
    const stamma_bytes bytes = source_bytes(&source);
    stamma_output output = archive_output(&sink);
    stamma_archive_repair_options options = {.size = sizeof options, .context = &found, .damage = take_header_damage};
    stamma_archive_repair_result result = {.size = sizeof result};
    assert_int_equal(stamma_archive_repair(&bytes, &output, &options, &result), STAMMA_OK);
    listing text = text_of(&sink.bytes);
    assert_true(result.whole);
    assert_int_equal(text.size, wanted->size);
    assert_memory_equal(text.text, wanted->text, text.size);
    free(text.text);
    free(sink.bytes.text);
    return found;
}

/* Damages each byte of the header at `at`, and all of them. */
static void check_header(listing *archive, const listing *text, size_t at)
{
    char before[FRAME_HEADER_SIZE];
    memcpy(before, archive->text + at, sizeof before);
    for (size_t n = 0; n <= sizeof before; n++) {
        if (n < sizeof before)
            archive->text[at + n] ^= (char)(1 + random_below(255));
        else
            memset(archive->text + at, 0, sizeof before);
        const header_damages found = repair_headers(archive, text);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.offset, at);
        assert_int_equal(found.size, FRAME_HEADER_SIZE);
        assert_int_equal(found.last_game, 0);
        memcpy(archive->text + at, before, sizeof before);
    }
}

static void test_headers_of_levels(void **state)
{
    (void)state;
    listing text = {0};
    for (size_t n = 0; n < 12; n++)
        list_game(&text, &text_styles[n % 6]);
    for (int level = 1; level <= 3; level++) {
        listing archive = pack_at(level, text.text, text.size, NULL);
        check_header(&archive, &text, ARCHIVE_HEADER_SIZE);
        free(archive.text);
    }
    free(text.text);
}

static bool is_block(const appended *a, unsigned which)
{
    return a->archive.text[a->frames[which] + 4] == FRAME_BLOCK;
}

/* The headers of one block, of two consecutive blocks, and of a commit and the block after it. */
static void test_headers(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    for (unsigned i = 0; i < a.frame_count; i++) {
        if (is_block(&a, i))
            check_header(&a.archive, &a.text, a.frames[i]);
        if (i + 1 == a.frame_count || !is_block(&a, i + 1))
            continue;
        listing bad = splice_archive(&a, 0, 0, NULL, 0);
        memset(bad.text + a.frames[i], 0, FRAME_HEADER_SIZE);
        memset(bad.text + a.frames[i + 1], 0, FRAME_HEADER_SIZE);
        assert_true(repair_headers(&bad, &a.text).count > 0);
        free(bad.text);
    }
    release_appended(&a);
}

/* The text is an archive, which is stored unchanged. Its blocks are not blocks of the outer archive. */
static void test_archive_in_archive(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn"), inner = pack(text.text, text.size, NULL);
    listing outer = pack(inner.text, inner.size, NULL), repaired;
    stamma_archive_repair_result result = {.size = sizeof result};
    unsigned reported;
    outer.text[ARCHIVE_HEADER_SIZE] ^= 1;
    assert_int_equal(repair_headers(&outer, &inner).count, 1);
    memset(outer.text + ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE, 0, FRAME_HEADER_SIZE);
    assert_int_equal(repair(&outer, &repaired, &result, &reported), STAMMA_OK);
    assert_int_equal(result.kept_blocks, 0);
    assert_int_equal(result.kept.games, 0);
    free(repaired.text);
    free(outer.text);
    free(inner.text);
    free(text.text);
}

/* ---- games across blocks ---- */

/* A game continues across blocks, and one of the blocks is lost. The game's other parts are kept as separate games. */
static void test_torn_games(void **state)
{
    (void)state;
    listing archive = read_file("tests/data/good-cut-game.stamma"), text = {0};
    assert_non_null(archive.text);
    assert_int_equal(unpack(&archive, true, NULL, &text), STAMMA_OK);
    size_t second = next_frame(&archive, ARCHIVE_HEADER_SIZE);
    for (unsigned lost = 0; lost < 2; lost++) {
        listing repaired;
        stamma_archive_repair_result result = {.size = sizeof result};
        unsigned reported;
        char *begin = archive.text + (lost ? second : ARCHIVE_HEADER_SIZE), before[HEADER_AND_HEAD];
        memcpy(before, begin, sizeof before);
        memset(begin, 0, sizeof before);
        assert_int_equal(repair(&archive, &repaired, &result, &reported), STAMMA_OK);
        memcpy(begin, before, sizeof before);
        listing kept = text_of(&repaired);
        assert_false(result.whole);
        assert_int_equal(reported, 1);
        assert_int_equal(result.kept_blocks, 1);
        assert_int_equal(result.repacked_blocks, 1);
        assert_int_equal(result.all.text_size, text.size);
        assert_true(kept.size > 0 && kept.size < text.size);
        assert_memory_equal(kept.text, lost ? text.text : text.text + text.size - kept.size, kept.size);
        free(kept.text);
        free(repaired.text);
    }
    free(text.text);
    free(archive.text);
}

/* ---- failures ---- */

static void test_no_archive(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "1. e4 e5 *", "\x8DStamma\n",
                                        "sFrm, and so on: long enough for a header"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        listing bytes = {0}, repaired;
        stamma_archive_repair_result result = {.size = sizeof result};
        unsigned reported;
        list_word(&bytes, texts[i]);
        assert_int_equal(repair(&bytes, &repaired, &result, &reported), STAMMA_ERROR_NO_ARCHIVE);
        assert_int_equal(repaired.size, 0);
        free(bytes.text);
    }
}

static void test_failures(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    a.archive.text[a.frames[3] + FRAME_HEADER_SIZE] ^= 1;
    bool done = false;
    for (unsigned fail_at = 1; !done; fail_at++) {
        listing repaired;
        stamma_archive_repair_result result = {.size = sizeof result};
        unsigned reported;
        stamma_error error = repair_with(&a.archive, NULL, fail_at, &repaired, &result, &reported);
        done = error == STAMMA_OK;
        assert_true(done || error == STAMMA_ERROR_IO);
        free(repaired.text);
    }
    for (unsigned fail_at = 1, left = 1; left > 0; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        listing repaired;
        stamma_archive_repair_result result = {.size = sizeof result};
        unsigned reported;
        stamma_error error = repair_with(&a.archive, &allocator, 0, &repaired, &result, &reported);
        left = error != STAMMA_OK;
        assert_true(!left || error == STAMMA_ERROR_NO_MEMORY);
        assert_int_equal(memory.alive, 0);
        free(repaired.text);
    }
    release_appended(&a);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    listing archive = pack("*", 1, NULL);
    archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
    archive_sink sink = {.fail_at = 0};
    const stamma_bytes bytes = source_bytes(&source), missing = {.size = 1};
    stamma_output output = archive_output(&sink);
    stamma_archive_repair_options options = {.size = 1};
    stamma_archive_repair_result result = {.size = sizeof result};
    assert_int_equal(stamma_archive_repair(NULL, &output, NULL, &result), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_repair(&missing, &output, NULL, &result), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_repair(&bytes, NULL, NULL, &result), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_repair(&bytes, &output, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_repair(&bytes, &output, &options, &result), STAMMA_ERROR_BAD_ARGUMENT);
    result.size = 1;
    assert_int_equal(stamma_archive_repair(&bytes, &output, NULL, &result), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(sink.bytes.size, 0);
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_lost_begin),
        cmocka_unit_test(test_frames_out_of_order),
        cmocka_unit_test(test_headers_of_levels),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_archive_in_archive),
        cmocka_unit_test(test_torn_games),
        cmocka_unit_test(test_no_archive),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
