/* SPDX-License-Identifier: MIT */
/* Tests skipping records column by column: records after skipped records, and records that the reader returns to, equal
 * the records of sequential reading. This is also true of games read by number, near or far, in blocks that stay open
 * or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive/reader.h"
#include "game_texts.h"
#include "passed_games.h"

enum { FILE_HEADER = 16 };

static listing text, archive; /* one block of many groups */

static int make_archive(void **state)
{
    (void)state;
    list_passed_games(&text, 5000);
    archive = pack(text.text, text.size, NULL);
    return 0;
}

static int free_archive(void **state)
{
    (void)state;
    free(text.text);
    free(archive.text);
    return 0;
}

/* ---- a block ---- */

static block_reader *new_reader(void)
{
    static stamma_allocator allocator;
    block_reader *b = calloc(1, sizeof *b);
    assert_non_null(b);
    allocator = stamma_allocator_or_default(NULL);
    stamma_block_reader_init(b, &allocator);
    return b;
}

static void delete_reader(block_reader *b)
{
    stamma_block_reader_release(b);
    free(b);
}

static stamma_error load(block_reader *b, const listing *from)
{
    frame f;
    const uint8_t *at = (const uint8_t *)from->text + FILE_HEADER;
    assert_int_equal(stamma_frame_read(at, &f), STAMMA_OK);
    return stamma_block_reader_load(b, at + FRAME_HEADER_SIZE, (size_t)f.size, f.head_size);
}

/* Reads records up to a number. Keeps only the text of records from `first` on. */
static void read_to(block_reader *b, uint64_t end, buffer *out)
{
    while (b->state.next < end) {
        assert_int_equal(stamma_block_reader_next(b, false), STAMMA_OK);
        assert_int_equal(block_render(b, out), STAMMA_OK);
    }
}

/* Alternately reads `read` records and skips `passed` records. Compares the read records with the text. */
static void demand_rest(block_reader *b, const listing *from, const size_t *ends, uint64_t read, uint64_t passed)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    assert_int_equal(load(b, from), STAMMA_OK);
    assert_true(stamma_block_reader_can_pass(b));
    while (b->state.next < b->head.records) {
        uint64_t left = b->head.records - b->state.next, first, games;
        assert_int_equal(stamma_block_reader_pass(b, passed < left ? passed : left, &games), STAMMA_OK);
        assert_true(games <= passed);
        first = b->state.next;
        left = b->head.records - first;
        out.size = 0;
        read_to(b, first + (read < left ? read : left), &out);
        assert_int_equal(out.size, ends[b->state.next] - ends[first]);
        assert_true(out.size == 0 || memcmp(out.data, text.text + ends[first], out.size) == 0);
    }
    assert_true(stamma_block_reader_is_done(b));
    stamma_buffer_release(&out);
}

/* Returns where each record's text ends, by reading all. */
static size_t *ends_of(block_reader *b, const listing *from)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    assert_int_equal(load(b, from), STAMMA_OK);
    size_t *ends = calloc((size_t)b->head.records + 1, sizeof *ends);
    assert_non_null(ends);
    while (b->state.next < b->head.records) {
        read_to(b, b->state.next + 1, &out);
        ends[b->state.next] = out.size;
    }
    stamma_buffer_release(&out);
    return ends;
}

static void records_after_skipped_ones_are_the_same(void **state)
{
    (void)state;
    block_reader *b = new_reader();
    size_t *ends = ends_of(b, &archive);
    /* The block has all of the features to be tested. */
    assert_true(b->columns.comments_are_fields && block_reads_column(b, COLUMN_LINES));
    assert_true(b->columns.moves == MOVES_PREFIXED && b->columns.tags.openings);
    demand_rest(b, &archive, ends, 1, 1);
    demand_rest(b, &archive, ends, 3, 10);
    demand_rest(b, &archive, ends, 64, 640);
    demand_rest(b, &archive, ends, 2, 2047);
    free(ends);
    delete_reader(b);
}

/* Like demand_rest, for a block of these games. Frees the games. Returns whether the records can be skipped. */
static bool demand_games(block_reader *b, listing games, uint64_t read, uint64_t passed)
{
    const listing whole = text;
    listing packed = pack(games.text, games.size, NULL);
    size_t *ends = ends_of(b, &packed);
    bool can_pass = stamma_block_reader_can_pass(b);
    text = games;
    if (can_pass)
        demand_rest(b, &packed, ends, read, passed);
    text = whole;
    free(ends);
    free(packed.text);
    free(games.text);
    return can_pass;
}

/* Every style, with incomplete games, comments of words, and moves from other positions. */
static void blocks_of_every_style(void **state)
{
    (void)state;
    block_reader *b = new_reader();
    for (const text_style *s = text_styles; s->name; s++)
        for (uint64_t passed = 1; passed < 8; passed += 3) {
            listing games = {0};
            for (unsigned n = 0; n < 30; n++)
                list_game(&games, s);
            assert_true(demand_games(b, games, 2, passed));
        }
    delete_reader(b);
}

/* Lists games with a tag that usually follows from the opening, and otherwise from the last value with the same key. */
static void list_keyed_games(listing *to)
{
    enum { GAMES = 5000, KEYS = 1000, MOVES = 8 };
    static const char *const moves[MOVES] = {"e4", "d4", "c4", "Nf3", "b3", "g3", "f4", "Nc3"};
    unsigned names[KEYS], numbers[KEYS];
    for (unsigned k = 0; k < KEYS; k++) {
        names[k] = (unsigned)random_below(MOVES);
        numbers[k] = (unsigned)random_below(1000000000);
    }
    for (unsigned n = 0; n < GAMES; n++) {
        unsigned k = (unsigned)random_below(KEYS), move = random_below(10) ? names[k] : (unsigned)random_below(MOVES);
        list_format(to, "[Event \"E\"]\n[Key \"%09u and %09u\"]\n[Name \"Some name %u\"]\n\n1. %s *\n\n", numbers[k],
                    numbers[KEYS - 1 - k], names[k], moves[move]);
    }
}

/* Returns whether a column has a map, and recalls values by another column. */
static bool has_map_and_key(const tag_reader *r)
{
    for (size_t n = 0; n < r->count; n++) {
        bool map = false, key = false;
        for (size_t i = 0; i < r->columns[n].plan.source_count && r->columns[n].coded; i++) {
            const tag_source *s = &r->columns[n].plan.sources[i];
            map |= s->kind == SOURCE_MAP;
            key |= s->kind == SOURCE_RECALL && s->what < n && r->columns[s->what].coded;
        }
        if (map && key)
            return true;
    }
    return false;
}

/* Values of the map are not remembered for the other column. */
static void a_map_and_a_column_that_is_a_key(void **state)
{
    (void)state;
    block_reader *b = new_reader();
    listing games = {0};
    list_keyed_games(&games);
    assert_true(demand_games(b, games, 20, 300));
    assert_true(has_map_and_key(&b->columns.tags));
    delete_reader(b);
}

/* Moves from any record to any other record. */
static void a_block_goes_back_and_forth(void **state)
{
    (void)state;
    enum { PLACES = 12 };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    block_reader *b = new_reader();
    buffer kept[PLACES], out = {.allocator = &allocator};
    uint64_t records[PLACES], sizes[PLACES], games;
    size_t *ends = ends_of(b, &archive);
    assert_int_equal(load(b, &archive), STAMMA_OK);
    assert_true(stamma_block_reader_can_pass(b));
    for (size_t n = 0; n < PLACES; n++) {
        kept[n] = (buffer){.allocator = &allocator};
        records[n] = b->state.next;
        sizes[n] = b->columns.lines.total;
        stamma_block_reader_keep(b, &(kept_state){&kept[n], 0, false});
        assert_int_equal(stamma_block_reader_pass(b, 100 + 50 * n, &games), STAMMA_OK);
    }
    for (unsigned step = 0; step < 200; step++) {
        size_t n = (size_t)random_below(PLACES);
        stamma_block_reader_keep(b, &(kept_state){&kept[n], 0, true});
        assert_int_equal(b->state.next, records[n]);
        assert_int_equal(b->columns.lines.total, sizes[n]); /* the same, however often the block is read */
        assert_int_equal(stamma_block_reader_pass(b, random_below(400), &games), STAMMA_OK);
        uint64_t first = b->state.next;
        out.size = 0;
        read_to(b, first + random_below(30), &out);
        assert_int_equal(out.size, ends[b->state.next] - ends[first]);
        assert_true(out.size == 0 || memcmp(out.data, text.text + ends[first], out.size) == 0);
    }
    for (size_t n = 0; n < PLACES; n++)
        stamma_buffer_release(&kept[n]);
    stamma_buffer_release(&out);
    free(ends);
    delete_reader(b);
}

/* Every bookmark contains the memory of a column's keys, 4 bytes per key. */
static void bookmarks_take_no_more_memory_than_they_may(void **state)
{
    (void)state;
    enum { KEYS = 1 << 20 };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    block_reader *b = new_reader();
    bookmarks *m = calloc(1, sizeof *m);
    size_t size = 0;
    stamma_bookmarks_init(m, &allocator);
    assert_int_equal(load(b, &archive), STAMMA_OK);
    stamma_bookmarks_add(m, b, 0);
    assert_int_equal(m->count, 1);
    assert_non_null(tag_memory(&b->columns.tags, &b->columns.tags.columns[0].memories[0], KEYS));
    for (unsigned n = 0; n < BOOKMARKS_MAX; n++)
        stamma_bookmarks_add(m, b, 0);
    for (unsigned n = 0; n < BOOKMARKS_MAX; n++)
        size += m->list[n].state.capacity;
    assert_true(size <= BOOKMARKS_MEMORY);
    assert_true(m->count > 1 && m->count < BOOKMARKS_MAX);
    stamma_bookmark_return(stamma_bookmarks_before(m, 1), b);
    stamma_bookmarks_release(m);
    free(m);
    delete_reader(b);
}

/* Skipping ends for any bytes of a block. */
static void damage_does_no_harm(void **state)
{
    (void)state;
    block_reader *b = new_reader();
    column_entry e;
    frame f;
    uint64_t games;
    uint8_t *payload = (uint8_t *)archive.text + FILE_HEADER + FRAME_HEADER_SIZE;
    assert_int_equal(stamma_frame_read(payload - FRAME_HEADER_SIZE, &f), STAMMA_OK);
    block_head head;
    for (unsigned n = 0; n < 300; n++) {
        cursor in = {payload, payload + f.head_size, false};
        uint8_t *stored = payload + f.head_size, *check = NULL;
        assert_int_equal(stamma_block_read_head(&in, &head), STAMMA_OK);
        for (uint64_t k = 0, wanted = n % head.columns; k <= wanted; k++) {
            stored += k == 0 ? 0 : e.stored_size;
            assert_true(stamma_column_read_entry(&in, &e));
            check = (uint8_t *)(uintptr_t)in.at - 8;
        }
        uint8_t *byte = stored + random_below(e.stored_size), bit = (uint8_t)(1u << random_below(8));
        *byte ^= bit;
        store_u64(check, XXH64(stored, (size_t)e.stored_size, 0));
        if (stamma_block_reader_load(b, payload, (size_t)f.size, f.head_size) == STAMMA_OK &&
            stamma_block_reader_can_pass(b) && stamma_block_reader_pass(b, 4000, &games) == STAMMA_OK)
            for (unsigned k = 0; k < 64 && stamma_block_reader_next(b, false) == STAMMA_OK; k++)
                continue;
        *byte ^= bit;
        store_u64(check, XXH64(stored, (size_t)e.stored_size, 0));
    }
    assert_int_equal(stamma_block_reader_load(b, payload, (size_t)f.size, f.head_size), STAMMA_OK);
    delete_reader(b);
}

/* ---- memory, and records that cannot be skipped column by column ---- */

/* Skips records and reads the next records. An allocation after opening the block fails. */
static void memory_may_fail(void **state)
{
    (void)state;
    listing games = {0};
    list_passed_games(&games, 1500);
    listing small = pack(games.text, games.size, NULL);
    const stamma_allocator sound = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &sound};
    bool failed = true;
    unsigned errors = 0;
    for (unsigned n = 1; failed; n++) {
        failing_memory memory = {.fail_at = 0};
        const stamma_allocator allocator = failing_allocator(&memory);
        block_reader *b = calloc(1, sizeof *b);
        uint64_t count;
        assert_non_null(b);
        stamma_block_reader_init(b, &allocator);
        assert_int_equal(load(b, &small), STAMMA_OK);
        assert_true(stamma_block_reader_can_pass(b));
        memory.fail_at = memory.calls + n;
        stamma_error error = stamma_block_reader_pass(b, 1490, &count);
        out.size = 0;
        while (error == STAMMA_OK && b->state.next < b->head.records) {
            error = stamma_block_reader_next(b, false);
            if (error == STAMMA_OK)
                error = block_render(b, &out);
        }
        if (error == STAMMA_OK)
            assert_memory_equal(out.data, games.text + games.size - out.size, out.size);
        failed = memory.calls >= memory.fail_at;
        assert_true(error == STAMMA_OK || (failed && error == STAMMA_ERROR_NO_MEMORY)); /* some allocations may fail */
        errors += error != STAMMA_OK;
        delete_reader(b);
        assert_int_equal(memory.alive, 0);
    }
    stamma_buffer_release(&out);
    assert_true(errors > 2);
    free(small.text);
    free(games.text);
}

/* Skips the records of a block with other bytes in up to two columns. */
static stamma_error pass_changed(const char *games, const unsigned ids[2], const buffer columns[2])
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    listing packed = pack(games, strlen(games), NULL);
    const uint8_t *payload = (const uint8_t *)packed.text + FILE_HEADER + FRAME_HEADER_SIZE;
    buffer head = {.allocator = &allocator}, body = head;
    block_reader *b = new_reader();
    block_head counts;
    column_entry e;
    frame f;
    uint64_t count;
    assert_int_equal(stamma_frame_read(payload - FRAME_HEADER_SIZE, &f), STAMMA_OK);
    cursor in = {payload, payload + f.head_size, false}, stored = {in.end, payload + f.size, false};
    assert_int_equal(stamma_block_read_head(&in, &counts), STAMMA_OK);
    buffer_add(&head, payload, (size_t)(in.at - payload));
    for (uint64_t n = 0; n < counts.columns; n++) {
        assert_true(stamma_column_read_entry(&in, &e));
        buffer column = {.data = (uint8_t *)(uintptr_t)cursor_take(&stored, e.stored_size),
                         .size = (size_t)e.stored_size};
        size_t plain = (size_t)e.plain_size;
        for (unsigned k = 0; k < 2; k++)
            if (e.id == ids[k]) {
                column = columns[k];
                plain = column.size;
                e.codec = CODEC_STORED;
            }
        stamma_column_write_entry(e.id, e.codec, e.name, plain, column.data, column.size, &head);
        buffer_add(&body, column.data, column.size);
    }
    const size_t head_size = head.size;
    buffer_add(&head, body.data, body.size);
    stamma_error error = stamma_block_reader_load(b, head.data, head.size, head_size);
    assert_true(error != STAMMA_OK || stamma_block_reader_can_pass(b));
    if (error == STAMMA_OK)
        error = stamma_block_reader_pass(b, b->head.records, &count);
    stamma_buffer_release(&head);
    stamma_buffer_release(&body);
    delete_reader(b);
    free(packed.text);
    return error;
}

static void columns_that_end_early(void **state)
{
    (void)state;
    static const char odd[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4   Nf6 5. O-O Be7 6.  Re1 b5 *\n";
    uint8_t layouts[][3] = {{5}, {5, 0, 100}, {1, 0, 100}};
    const unsigned ids[2] = {COLUMN_LAYOUT, 0};
    for (size_t n = 0; n < 3; n++) {
        const buffer columns[2] = {{.data = layouts[n], .size = n == 0 ? 1 : 3}};
        assert_int_equal(pass_changed(odd, ids, columns), STAMMA_ERROR_CORRUPT);
    }
}

/* More items than a record can contain, in two runs of events that are not too long. */
static void too_many_events(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const unsigned ids[2] = {COLUMN_EVENTS, COLUMN_EVENT_COUNTS};
    char games[200] = "";
    for (unsigned run = 0; run < 2; run++) {
        strcat(games, run == 0 ? "1. e4" : " e5");
        for (unsigned n = 0; n < 20; n++) /* enough that there is a column of counts */
            strcat(games, n == 19 && run == 1 ? " $1 *\n" : " $1");
    }
    for (unsigned more = 0; more < 2; more++) {
        buffer columns[2] = {{.allocator = &allocator}, {.allocator = &allocator}};
        event last = {ITEM_TAG, 0, 0};
        for (unsigned run = 0; run < 2; run++)
            for (unsigned n = 0; n < (more ? 200000 : 20); n++)
                stamma_event_add(&last, ITEM_NAG, n == 0, &columns[0], &columns[1]);
        stamma_event_add(&last, ITEM_RESULT, 0, &columns[0], &columns[1]);
        stamma_event_add(&last, ITEM_END_OF_INPUT, 0, &columns[0], &columns[1]);
        assert_int_equal(pass_changed(games, ids, columns), more ? STAMMA_ERROR_CORRUPT : STAMMA_OK);
        stamma_buffer_release(&columns[0]);
        stamma_buffer_release(&columns[1]);
    }
}

/* Clocks that are coded with context mixing. Records can be skipped, but their place cannot be saved. */
static void mixed_comments_are_decoded(void **state)
{
    (void)state;
    listing games = {0};
    unsigned left = 80000;
    for (unsigned game = 0; game < 2; game++) {
        list_word(&games, "1. e4");
        for (unsigned n = 0; n < 9000; n++) {
            left -= (unsigned)random_below(left / 600 + 1);
            list_format(&games, " { [%%clk %u:%02u:%02u] }", left / 3600, left / 60 % 60, left % 60);
        }
        list_word(&games, " *\n");
    }
    listing mixed = pack_at(stamma_predictor_id() == 0 ? 1 : 3, games.text, games.size, NULL);
    block_reader *b = new_reader();
    assert_int_equal(load(b, &mixed), STAMMA_OK);
    assert_true(b->columns.comments_are_fields && !b->columns.predicted[LINES_MAIN].open);
    assert_true(stamma_block_reader_can_pass(b));
    assert_int_equal(stamma_block_reader_can_keep(b), stamma_predictor_id() == 0);
    delete_reader(b);
    free(mixed.text);
    free(games.text);
}

/* ---- predicted moves ---- */

/* Moves to a record: skips as many records as possible, and reads the others. Returns the number of skipped records. */
static uint64_t go_to(block_reader *b, const listing *from, uint64_t record, buffer *out)
{
    uint64_t games, first;
    uint64_t some = record < b->state.next ? UINT64_MAX : stamma_block_reader_passable(b, record, &first);
    if (some == UINT64_MAX) {
        assert_int_equal(load(b, from), STAMMA_OK);
        some = stamma_block_reader_passable(b, record, &first);
    }
    assert_true(stamma_block_reader_can_pass(b) && some <= record - b->state.next);
    assert_int_equal(stamma_block_reader_pass(b, some, &games), STAMMA_OK);
    read_to(b, record, out);
    return some;
}

/* With lanes, reading begins with the lane; the records before it are skipped. */
static void predicted_moves_are_skipped(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    enum { GAMES = 3000, STEPS = 60 };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    listing games = {0};
    list_passed_games(&games, GAMES);
    for (int level = 2; level <= 3; level++) {
        listing packed = pack_at(level, games.text, games.size, NULL);
        block_reader *b = new_reader();
        buffer out = {.allocator = &allocator};
        size_t *ends = ends_of(b, &packed);
        uint64_t skipped = 0, wanted = 0;
        for (unsigned step = 0; step < STEPS; step++) {
            const uint64_t record = random_below(b->head.records - 3);
            out.size = 0;
            wanted += record > b->state.next ? record - b->state.next : 0;
            skipped += go_to(b, &packed, record, &out);
            out.size = 0;
            read_to(b, record + 3, &out);
            assert_int_equal(out.size, ends[record + 3] - ends[record]);
            assert_memory_equal(out.data, games.text + ends[record], out.size);
        }
        assert_true(skipped > wanted / 3);
        free(ends);
        stamma_buffer_release(&out);
        delete_reader(b);
        free(packed.text);
    }
    free(games.text);
}

/* One reader reads games at random, forwards, and backwards. */
static void predicted_games_in_any_order(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    enum { GAMES = 2000, STEPS = 40 };
    listing games = {0};
    list_passed_games(&games, GAMES);
    for (int level = 2; level <= 3; level++) {
        listing packed = pack_at(level, games.text, games.size, NULL);
        games_read all = read_games(&packed);
        for (unsigned way = 0; way < 3; way++) {
            stamma_archive *handle = open_handle(&packed);
            stamma_archive_reader *reader = NULL;
            const stamma_archive_game *game;
            assert_int_equal(stamma_archive_reader_open(handle, NULL, &reader), STAMMA_OK);
            for (uint64_t step = 0; step < STEPS; step++) {
                const uint64_t place = way == 0 ? random_below(all.count) : step * all.count / STEPS;
                const uint64_t number = way == 2 ? all.count - place : place + 1;
                assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
                assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
                assert_game(&all, game, number);
            }
            stamma_archive_reader_close(reader);
            stamma_archive_close(handle);
        }
        free_games(&all);
        free(packed.text);
    }
    free(games.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_after_skipped_ones_are_the_same),
                                       cmocka_unit_test(blocks_of_every_style),
                                       cmocka_unit_test(a_map_and_a_column_that_is_a_key),
                                       cmocka_unit_test(a_block_goes_back_and_forth),
                                       cmocka_unit_test(bookmarks_take_no_more_memory_than_they_may),
                                       cmocka_unit_test(damage_does_no_harm),
                                       cmocka_unit_test(memory_may_fail),
                                       cmocka_unit_test(columns_that_end_early),
                                       cmocka_unit_test(too_many_events),
                                       cmocka_unit_test(predicted_moves_are_skipped),
                                       cmocka_unit_test(predicted_games_in_any_order),
                                       cmocka_unit_test(mixed_comments_are_decoded)};
    return cmocka_run_group_tests(tests, make_archive, free_archive);
}
