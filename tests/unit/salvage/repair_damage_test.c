/* SPDX-License-Identifier: MIT */
/* Tests repairing blocks that are damaged, duplicated, torn or forged, and inputs that fail, end early or change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "appended_archive.h"
#include "archive/reader.h"

/* ---- damaging columns ---- */

/* Inverts a bit in the middle of a column of the block whose frame is at an offset. */
static void spoil_column(const listing *archive, size_t at, unsigned id)
{
    const uint8_t *header = (const uint8_t *)archive->text + at;
    frame f;
    column_entry e;
    const uint8_t *stored;
    assert_int_equal(stamma_frame_read(header, &f), STAMMA_OK);
    const buffer payload = {.data = (uint8_t *)archive->text + at + FRAME_HEADER_SIZE, .size = (size_t)f.size};
    assert_true(stamma_payload_find_column(&payload, f.head_size, id, &e, &stored));
    archive->text[(const char *)stored - archive->text + (ptrdiff_t)e.stored_size / 2] ^= 1;
}

enum { CHECK_SIZE = 8 };

/* Returns the end of a column's entry in the head of the first block; with 0, the offset of the number of columns. */
static size_t end_of_entry(const listing *archive, unsigned id)
{
    const uint8_t *begin = (const uint8_t *)archive->text, *payload = begin + ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE;
    cursor in = {payload, begin + archive->size, false};
    block_counts counts;
    column_entry e = {.id = 0};
    assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
    if (id == 0)
        return (size_t)(in.at - begin);
    (void)stamma_cursor_varint(&in);
    while (e.id != id)
        assert_true(stamma_column_read_entry(&in, &e));
    return (size_t)(in.at - begin);
}

static listing copy_of(const listing *archive)
{
    listing copy = {0};
    list_bytes(&copy, archive->text, archive->size);
    return copy;
}

/* ---- repairing ---- */

typedef struct repaired {
    listing archive;
    stamma_archive_repair_result result;
    stamma_error error;
} repaired;

static repaired repair_from(const stamma_bytes *bytes, const stamma_archive_repair_options *options)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    repaired r = {.result = {.size = sizeof r.result}};
    r.error = stamma_archive_repair(bytes, &output, options, &r.result);
    r.archive = sink.bytes;
    return r;
}

static repaired repair(const listing *archive)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    const stamma_bytes bytes = source_bytes(&source);
    return repair_from(&bytes, NULL);
}

static void assert_sound(const listing *archive)
{
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(verify_archive(archive, false, NULL, &verdict), STAMMA_OK);
    assert_int_equal(verdict.damages, 0);
}

/* Repairs an archive and asserts that its text is `text`, with blocks that are copied and with blocks that are packed
 * again. */
static void expect_text(const listing *archive, const listing *text, uint64_t kept, uint64_t repacked)
{
    repaired r = repair(archive);
    assert_int_equal(r.error, STAMMA_OK);
    assert_sound(&r.archive);
    assert_gives_back(&r.archive, text->text, text->size);
    assert_int_equal(r.result.kept_blocks, kept);
    assert_int_equal(r.result.repacked_blocks, repacked);
    free(r.archive.text);
}

/* ---- bytes that fail or change ---- */

typedef enum trick { FAILS, CHANGES } trick;

/* Bytes that change at the `act_at`-th call. */
typedef struct tricky {
    archive_source source;
    trick trick;
    unsigned act_at;
    size_t changed; /* the byte that changes; 0: all */
} tricky;

static bool tricky_read(void *context, uint64_t offset, void *bytes, size_t size)
{
    tricky *t = context;
    const stamma_bytes sound = source_bytes(&t->source);
    const bool read = sound.read_at(&t->source, offset, bytes, size);
    if (t->source.calls < t->act_at)
        return read;
    for (size_t n = 0; n < size && t->trick == CHANGES; n++)
        ((uint8_t *)bytes)[n] ^= t->changed == 0 || t->changed == offset + n;
    return read && t->trick != FAILS;
}

/* Repairs an archive with a change at each call in turn. `changed`: as in `tricky`. */
static void repair_tricky(const listing *archive, trick trick, size_t changed)
{
    bool acted = true;
    for (unsigned act_at = 1; acted; act_at++) {
        tricky t = {.source = {.bytes = archive->text, .size = archive->size},
                    .trick = trick,
                    .act_at = act_at,
                    .changed = changed};
        const stamma_bytes bytes = {.size = archive->size, .context = &t, .read_at = tricky_read};
        repaired r = repair_from(&bytes, NULL);
        acted = t.source.calls >= act_at;
        if (acted && trick == FAILS)
            assert_int_equal(r.error, STAMMA_ERROR_IO);
        if (r.error == STAMMA_OK && trick != CHANGES)
            assert_sound(&r.archive);
        assert_true(r.error == STAMMA_OK || (acted && r.error != STAMMA_ERROR_NO_MEMORY));
        free(r.archive.text);
    }
}

/* A block that is larger than the window of a reader of frames, and is therefore read twice. Its search columns are
 * damaged, and are not copied. */
static void test_tricky_input_of_a_large_block(void **state)
{
    (void)state;
    listing text = {0};
    list_word(&text, "1. d4 * 1. e4 {"); /* even numbers of games and columns, so that a changed bit adds one */
    for (unsigned n = 0; n < 120000; n++)
        list_bytes(&text, &(char){(char)('a' + random_below(26))}, 1);
    list_word(&text, "} *\n");
    listing archive = pack(text.text, text.size, NULL);
    spoil_column(&archive, ARCHIVE_HEADER_SIZE, COLUMN_FACTS);
    const listing uncommitted = {archive.text, next_frame(&archive, ARCHIVE_HEADER_SIZE), 0};
    expect_text(&archive, &text, 1, 0);
    expect_text(&uncommitted, &text, 1, 0);
    for (trick trick = FAILS; trick <= CHANGES; trick++) {
        repair_tricky(&archive, trick, 0);
        repair_tricky(&uncommitted, trick, 0);
    }
    const size_t entry = end_of_entry(&archive, COLUMN_COMMENTS);
    for (size_t n = 1; n <= CHECK_SIZE + 3; n += n == 1 ? CHECK_SIZE : 1) /* its checksum, and its stored size */
        repair_tricky(&archive, CHANGES, entry - n);
    repair_tricky(&archive, CHANGES, end_of_entry(&archive, 0));
    free(archive.text);
    free(text.text);
}

static void test_tricky_inputs(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn"), torn = read_file("tests/data/good-cut-game.stamma");
    listing halves[2] = {pack(text.text, 9000, NULL), pack(text.text, 5000, NULL)};
    listing archive = copy_archives(halves, 2, NULL), column = copy_of(&archive), search = copy_of(&archive),
            header = copy_of(&archive), head = copy_of(&archive);
    spoil_column(&column, ARCHIVE_HEADER_SIZE, COLUMN_MOVES);
    spoil_column(&search, ARCHIVE_HEADER_SIZE, COLUMN_FACTS);
    memset(header.text + ARCHIVE_HEADER_SIZE, 0, FRAME_HEADER_SIZE);
    head.text[ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE + 9] ^= 1; /* the checksum of the text */
    memset(torn.text + ARCHIVE_HEADER_SIZE, 0, 2 * FRAME_HEADER_SIZE);
    for (trick trick = FAILS; trick <= CHANGES; trick++) {
        repair_tricky(&column, trick, 0);
        repair_tricky(&search, trick, 0);
        repair_tricky(&header, trick, 0);
        repair_tricky(&head, trick, 0);
        repair_tricky(&torn, trick, 0);
    }
    free(column.text);
    free(search.text);
    free(header.text);
    free(head.text);
    free(archive.text);
    free(halves[0].text);
    free(halves[1].text);
    free(torn.text);
    free(text.text);
}

/* ---- the callback ---- */

static bool stop_at(void *context, const stamma_archive_salvage *games)
{
    unsigned *left = context;
    assert_true(games->games > 0);
    return --*left > 0;
}

static void test_cancelled(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn"), archive = pack(text.text, text.size, NULL);
    spoil_column(&archive, ARCHIVE_HEADER_SIZE, COLUMN_MOVES);
    unsigned stopped = 0;
    for (unsigned at = 1, left = 0; left == 0; at++) {
        archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        const stamma_bytes bytes = source_bytes(&source);
        const stamma_archive_repair_options options = {.size = sizeof options, .context = &left, .salvaged = stop_at};
        left = at;
        repaired r = repair_from(&bytes, &options);
        assert_int_equal(r.error, left == 0 ? STAMMA_ERROR_CANCELLED : STAMMA_OK);
        stopped += left == 0;
        free(r.archive.text);
    }
    assert_true(stopped > 1);
    free(archive.text);
    free(text.text);
}

/* ---- memory ---- */

/* Repairs an archive with each allocation failing in turn. */
static void repair_without_memory(const listing *archive, const listing *text)
{
    bool failed = true;
    for (unsigned fail_at = 1; failed; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
        const stamma_bytes bytes = source_bytes(&source);
        const stamma_archive_repair_options options = {
            .size = sizeof options, .allocator = &allocator, .executor = &immediate_executor};
        repaired r = repair_from(&bytes, &options);
        failed = memory.calls >= fail_at;
        assert_int_equal(r.error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        assert_int_equal(memory.alive, 0);
        if (!failed)
            assert_gives_back(&r.archive, text->text, text->size);
        free(r.archive.text);
    }
}

/* Damage to the header and to a search column, and a large block: the errors of other blocks are returned before it. If
 * several blocks are decoded at once, the later blocks are sound. */
static void test_no_memory(void **state)
{
    (void)state;
    enum { PARTS = 5 };
    listing text = {0}, texts = {0}, parts[PARTS], large = small_and_large_block();
    list_word(&text, "1. e4 *\n");
    for (unsigned n = 0; n < PARTS; n++) {
        list_word(&texts, "1. e4 *\n");
        parts[n] = pack(text.text, text.size, NULL);
    }
    listing several = copy_archives(parts, PARTS, NULL);
    repair_without_memory(&several, &texts);
    for (unsigned n = 0; n < PARTS; n++)
        free(parts[n].text);
    free(several.text);
    free(texts.text);
    listing header = pack(text.text, text.size, NULL), search = copy_of(&header);
    memset(header.text + ARCHIVE_HEADER_SIZE, 0, FRAME_HEADER_SIZE);
    spoil_column(&search, ARCHIVE_HEADER_SIZE, COLUMN_FACTS);
    repair_without_memory(&header, &text);
    repair_without_memory(&search, &text);
    repair_without_memory(&large, &text);
    free(header.text);
    free(search.text);
    free(large.text);
    free(text.text);
}

/* ---- blocks that occur twice ---- */

/* A sound block replaces a damaged block of the same number, whichever is first. */
static void test_doubled_blocks(void **state)
{
    (void)state;
    static const unsigned appends[] = {3, 2, 0};
    appended a = make_appended(appends);
    for (unsigned which = 0; which < a.frame_count; which++) {
        const size_t begin = a.frames[which], size = a.frames[which + 1] - begin;
        if (a.archive.text[begin + 4] != FRAME_BLOCK)
            continue;
        for (unsigned damaged = 0; damaged < 4; damaged++) {
            listing doubled = splice_archive(&a, begin, 0, a.archive.text + begin, size);
            if (damaged & 1)
                spoil_column(&doubled, begin, COLUMN_TAG);
            if (damaged & 2)
                spoil_column(&doubled, begin + size, COLUMN_TAG);
            if (damaged < 3) {
                expect_text(&doubled, &a.text, a.blocks, 0);
            } else {
                repaired r = repair(&doubled);
                assert_int_equal(r.error, STAMMA_OK);
                assert_int_equal(r.result.kept_blocks, a.blocks - 1);
                assert_int_equal(r.result.salvaged_blocks, 1);
                free(r.archive.text);
            }
            free(doubled.text);
        }
    }
    release_appended(&a);
}

/* ---- blocks put together ---- */

typedef struct part {
    const listing *archive;
    size_t at;     /* of its frame */
    int64_t games; /* added to the numbers in the commit */
    int64_t bytes;
} part;

/* Makes an archive of these blocks. */
static listing put_together(const part *parts, size_t count)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer out;
    stamma_frame_writer_begin(&out, &output, &allocator);
    for (const part *p = parts; p < parts + count; p++) {
        const uint8_t *header = (const uint8_t *)p->archive->text + p->at, *payload = header + FRAME_HEADER_SIZE;
        const char *bytes = (const char *)payload;
        frame f;
        block_counts head;
        assert_int_equal(stamma_frame_read(header, &f), STAMMA_OK);
        cursor in = {payload, payload + f.head_size, false};
        assert_int_equal(stamma_block_counts_read(&in, &head), STAMMA_OK);
        head.counts.games += (uint64_t)p->games;
        head.counts.text_size += (uint64_t)p->bytes;
        stamma_frame_writer_add_block(&out, (stamma_text){bytes, f.head_size},
                                      (stamma_text){bytes + f.head_size, (size_t)f.size - f.head_size}, &head.counts);
    }
    stamma_frame_writer_commit(&out, true);
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    return sink.bytes;
}

/* A block with a damaged frame header is only put in its place if the commit lists the same numbers of games and
 * bytes. */
static void test_lost_blocks_of_other_sizes(void **state)
{
    (void)state;
    static const char *const texts[] = {"1. e4 *\n1. d4 *\n", "\n\n\n"};
    static const int64_t numbers[][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}};
    for (size_t t = 0; t < 2; t++)
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            if (t == 1 && numbers[n][0] < 0)
                continue;
            listing block = pack(texts[t], strlen(texts[t]), NULL), text = {0};
            const part one = {&block, ARCHIVE_HEADER_SIZE, numbers[n][0], numbers[n][1]};
            listing archive = put_together(&one, 1);
            memset(archive.text + ARCHIVE_HEADER_SIZE, 0, FRAME_HEADER_SIZE);
            list_word(&text, texts[t]);
            repaired r = repair(&archive);
            assert_int_equal(r.error, STAMMA_OK);
            assert_int_equal(r.result.kept_blocks, 1);
            assert_int_equal(r.result.salvaged_blocks, n > 0);
            assert_int_equal(r.result.whole, numbers[n][1] == 0);
            assert_gives_back(&r.archive, text.text, text.size);
            free(r.archive.text);
            free(archive.text);
            free(block.text);
            free(text.text);
        }
}

/* ---- games across blocks ---- */

/* Text of three blocks. A game continues from each into the next. */
static listing chain_text(void)
{
    char comment[1000 + 1];
    listing text = {0};
    memset(comment, 'a', sizeof comment);
    comment[0] = '{';
    comment[998] = '}';
    comment[999] = ' ';
    for (unsigned block = 0; block < 3; block++) {
        for (unsigned n = block > 0; n < 65535 && block < 2; n++)
            list_bytes(&text, "*\n\n", 3);
        for (unsigned n = 0; n < 4500 && block < 2; n++) /* more than a record can contain */
            list_bytes(&text, comment, sizeof comment - 1);
        list_word(&text, "* ");
    }
    return text;
}

/* An archive of this text, the frames of its blocks, and where their texts begin. */
typedef struct chain {
    listing text, archive;
    size_t frames[3], begins[4];
} chain;

static chain make_chain(void)
{
    chain c = {.text = chain_text()};
    size_t count = 0;
    c.archive = pack(c.text.text, c.text.size, NULL);
    for (size_t at = ARCHIVE_HEADER_SIZE; at < c.archive.size; at = next_frame(&c.archive, at)) {
        if (c.archive.text[at + 4] != FRAME_BLOCK)
            continue;
        assert_true(count < 3);
        const size_t size = (size_t)load_u64((const uint8_t *)c.archive.text + at + FRAME_HEADER_SIZE);
        c.frames[count] = at;
        c.begins[count + 1] = c.begins[count] + size;
        count++;
    }
    assert_true(count == 3 && c.begins[3] == c.text.size);
    return c;
}

static void release_chain(chain *c)
{
    free(c->text.text);
    free(c->archive.text);
}

/* If a block is lost, the parts of its games in other blocks are kept as separate games. */
static void test_chain(void **state)
{
    (void)state;
    chain c = make_chain();
    expect_text(&c.archive, &c.text, 3, 0);
    for (unsigned lost = 0; lost < 3; lost++) {
        listing bad = copy_of(&c.archive), left = {0};
        memset(bad.text + c.frames[lost], 0, next_frame(&c.archive, c.frames[lost]) - c.frames[lost]);
        list_bytes(&left, c.text.text, c.begins[lost]);
        list_bytes(&left, c.text.text + c.begins[lost + 1], c.text.size - c.begins[lost + 1]);
        expect_text(&bad, &left, 2, 2);
        free(left.text);
        free(bad.text);
    }
    release_chain(&c);
}

/* The game of the first block does not continue in the next block. */
static void test_broken_chain(void **state)
{
    (void)state;
    chain c = make_chain();
    listing end = pack("1. e4 *\n", 8, NULL), text = {0};
    const part parts[] = {{&c.archive, c.frames[0], 0, 0}, {&end, ARCHIVE_HEADER_SIZE, 0, 0}};
    listing mixed = put_together(parts, 2);
    list_bytes(&text, c.text.text, c.begins[1]);
    list_word(&text, "1. e4 *\n");
    expect_text(&mixed, &text, 2, 1);
    free(mixed.text);
    free(text.text);
    free(end.text);
    release_chain(&c);
}

/* The game of a damaged block is torn, too. */
static void test_damaged_chain(void **state)
{
    (void)state;
    chain c = make_chain();
    for (unsigned n = 0; n < 3; n++) {
        listing bad = copy_of(&c.archive);
        spoil_column(&bad, c.frames[n], COLUMN_EVENTS);
        repaired r = repair(&bad);
        assert_int_equal(r.error, STAMMA_OK);
        assert_sound(&r.archive);
        assert_int_equal(r.result.kept_blocks, 2);
        assert_int_equal(r.result.repacked_blocks, 2);
        assert_int_equal(r.result.salvaged_blocks, 1);
        free(r.archive.text);
        free(bad.text);
    }
    release_chain(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tricky_inputs),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_tricky_input_of_a_large_block),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_doubled_blocks),
        cmocka_unit_test(test_lost_blocks_of_other_sizes),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_broken_chain),
        cmocka_unit_test(test_damaged_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
