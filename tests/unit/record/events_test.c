/* SPDX-License-Identifier: MIT */
/* Tests the events of records (clause 4.4): written events are read back, repeated events need little space, and
 * invalid bytes are rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "record/record.h"

enum { EVENTS = 2000 };

typedef struct columns {
    stamma_allocator allocator;
    buffer events, counts;
} columns;

static void begin(columns *c)
{
    c->allocator = stamma_allocator_or_default(NULL);
    c->events = c->counts = (buffer){.allocator = &c->allocator};
}

static void release(columns *c)
{
    stamma_buffer_release(&c->events);
    stamma_buffer_release(&c->counts);
}

/* Random events, most of them equal to the previous event. Variations are closed. */
static void events_come_back(void **state)
{
    static event list[EVENTS];
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        columns c;
        event last = {ITEM_TAG, 0, 0}, e;
        event_summary expected = {.comments = 0};
        unsigned depth = 0;
        begin(&c);
        for (size_t n = 0; n < EVENTS; n++) {
            bool again = n > 0 && random_below(10) > 0;
            unsigned kind = again ? list[n - 1].kind : (unsigned)(ITEM_RESULT + random_below(10));
            kind = n + 1 == EVENTS ? (unsigned)ITEM_END : kind == ITEM_VARIATION_END && depth == 0 ? 9u : kind;
            list[n] = (event){kind, again ? list[n - 1].moves : (uint32_t)(random_below(40) * random_below(40)), 1};
            *(depth == 0 ? &expected.main_count : &expected.variation_count) += list[n].moves;
            expected.comments += kind >= ITEM_COMMENT && kind <= ITEM_ESCAPE;
            expected.branches |= kind == ITEM_VARIATION_BEGIN;
            depth += kind == ITEM_VARIATION_BEGIN;
            depth -= kind == ITEM_VARIATION_END;
            stamma_event_add(&last, kind, list[n].moves, &c.events, &c.counts);
        }
        cursor events = buffer_cursor(&c.events), counts = buffer_cursor(&c.counts);
        event_summary found;
        buffer taken = {.allocator = &c.allocator};
        assert_int_equal(stamma_events_read(&events, &counts, &taken, &found), STAMMA_OK);
        assert_int_equal(found.main_count, expected.main_count);
        assert_int_equal(found.variation_count, expected.variation_count);
        assert_int_equal(found.comments, expected.comments);
        assert_int_equal(found.branches, expected.branches);
        const event *next = (const event *)(const void *)taken.data;
        for (size_t n = 0; n < EVENTS; n += (size_t)e.times) {
            e = *next++;
            for (size_t i = 0; i < e.times; i++) {
                assert_int_equal(e.kind, list[n + i].kind);
                assert_int_equal(e.moves, list[n + i].moves);
            }
        }
        assert_int_equal((const uint8_t *)next - taken.data, taken.size);
        assert_int_equal(cursor_left(&events) + cursor_left(&counts), 0);
        stamma_buffer_release(&taken);
        release(&c);
    }
}

/* Golden bytes: a hundred moves with a comment after each, and the end. */
static void repeats_take_little(void **state)
{
    (void)state;
    columns c;
    event last = {ITEM_TAG, 0, 0};
    begin(&c);
    for (int n = 0; n < 100; n++)
        stamma_event_add(&last, ITEM_COMMENT, 1, &c.events, &c.counts);
    stamma_event_add(&last, ITEM_END, 0, &c.events, &c.counts);
    assert_int_equal(c.events.size, 3);
    assert_memory_equal(c.events.data, "\x14\xFE\x01", 3);
    assert_int_equal(c.counts.size, 1);
    assert_int_equal(c.counts.data[0], 99 - 15);
    release(&c);
}

/* Asserts that a record with these events is rejected. */
static void expect_corrupt(const uint8_t *bytes, size_t size)
{
    static const uint8_t large[] = {0xFF, 0xFF, 0x10};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    cursor events = {bytes, bytes + size, false}, counts = {large, large + 3, false};
    buffer taken = {.allocator = &allocator};
    event_summary found = {.comments = 0};
    assert_int_equal(stamma_events_read(&events, &counts, &taken, &found), STAMMA_ERROR_CORRUPT);
    stamma_buffer_release(&taken);
}

/* The list of events is limited by the maximum number of items of a record. */
static void too_many_events_are_refused(void **state)
{
    (void)state;
    columns c;
    begin(&c);
    for (size_t n = 0; n <= PIECE_ITEMS_MAX; n++)
        buffer_add_byte(&c.events, ITEM_COMMENT);
    buffer_add_byte(&c.events, ITEM_END);
    expect_corrupt(c.events.data, c.events.size);
    release(&c);
}

/* Invalid: repeats of nothing, of an end or of an opening; zero repeats or too many; unknown kinds; truncated
 * events. */
static void bad_events_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
    } bad[] = {{"\x1E", 1},     {"\x11\x1E", 2}, {"\x09\x1E", 2}, {"\x1A\x1E", 2},
               {"\x0C\x1E", 2}, {"\x14\x0E", 2}, {"\x14\x0F", 2}, {"\x14\xFE\x01", 3}};
    static const uint8_t large[] = {0xFF, 0xFF, 0x10};
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        const uint8_t *bytes = (const uint8_t *)bad[n].bytes;
        cursor events = {bytes, bytes + bad[n].size, false}, counts = {large, large + 3, false};
        event e = {ITEM_TAG, 0, 0};
        size_t taken = 0;
        while (taken < bad[n].size && event_take(&events, &counts, &e))
            taken++;
        assert_int_equal(taken, bad[n].size - 1 - (n == 7));
        if ((bytes[0] & 15) != ITEM_END) /* events after the end of a record belong to the next record */
            expect_corrupt(bytes, bad[n].size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_back),
        cmocka_unit_test(repeats_take_little),
        cmocka_unit_test(bad_events_are_refused),
        cmocka_unit_test(too_many_events_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
