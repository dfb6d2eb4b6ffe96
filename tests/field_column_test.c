/* Columns of fields (clause 10): they come back, they are small, and damaged streams do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/model.h"

enum { GAMES = 50, TEXTS = 40 };

static stamma_allocator allocator;
static uint32_t per_game[GAMES];
static field_streams streams;

static int make_allocator(void **state)
{
    (void)state;
    allocator = stamma_allocator_or_default(NULL);
    stamma_field_streams_init(&streams, &allocator);
    for (size_t g = 0; g < GAMES; g++)
        per_game[g] = (uint32_t)(g % 7 == 3 ? 0 : TEXTS);
    return 0;
}

static int release_streams(void **state)
{
    (void)state;
    stamma_field_streams_release(&streams);
    return 0;
}

/* Clocks that run down by turns, evaluations and depths. */
static buffer clocks(void)
{
    buffer column = {.allocator = &allocator};
    for (unsigned g = 0; g < GAMES; g++)
        for (unsigned i = 0, clock = 600; i < per_game[g]; i++) {
            char text[80];
            clock -= i % 2 * (g * i % 5);
            int size =
                snprintf(text, sizeof text, "[%%eval %s0.%02u] [%%clk 0:%02u:%02u] d=%u, id=%s", g * i % 3 ? "" : "-",
                         1 + (g + i) % 50, clock / 60, clock % 60, 20 + i % 4, i % 9 ? "a" : "bc");
            buffer_add(&column, text, (size_t)size + 1);
        }
    return column;
}

static void a_column_comes_back(void **state)
{
    (void)state;
    buffer column = clocks(), again = {.allocator = &allocator};
    assert_int_equal(stamma_fields_encode(&column, per_game, GAMES, false, &allocator, &streams), STAMMA_OK);
    size_t total = 0;
    for (size_t i = 0; i < streams.count; i++)
        total += streams.streams[i].size;
    assert_true(total < column.size / 4);
    assert_int_equal(stamma_fields_decode(&streams, per_game, GAMES, &allocator, column.size, &again), STAMMA_OK);
    assert_int_equal(again.size, column.size);
    assert_memory_equal(again.data, column.data, column.size);
    stamma_buffer_release(&again);
    stamma_buffer_release(&column);
}

/* Each changed or missing byte gives other texts of no more than the limit and one text, or is corrupt. */
static void damaged_streams_do_no_harm(void **state)
{
    (void)state;
    buffer column = clocks(), again = {.allocator = &allocator};
    assert_int_equal(stamma_fields_encode(&column, per_game, GAMES, false, &allocator, &streams), STAMMA_OK);
    for (size_t i = 0; i < streams.count; i++) {
        buffer *s = &streams.streams[i];
        size_t step = s->size / 50 + 1;
        for (size_t at = 0; at < s->size; at += step) {
            uint8_t kept = s->data[at];
            s->data[at] ^= (uint8_t)(1u << at % 8);
            again.size = 0;
            stamma_error error = stamma_fields_decode(&streams, per_game, GAMES, &allocator, column.size, &again);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
            assert_true(again.size < 2 * column.size + 10000);
            s->data[at] = kept;
        }
        if (s->size == 0 || i == 4)
            continue;
        s->size--;
        again.size = 0;
        assert_int_equal(stamma_fields_decode(&streams, per_game, GAMES, &allocator, column.size, &again),
                         STAMMA_ERROR_CORRUPT);
        s->size++;
    }
    stamma_buffer_release(&again);
    stamma_buffer_release(&column);
}

static void texts_without_pattern_are_left_alone(void **state)
{
    (void)state;
    const uint32_t counts[1] = {3};
    buffer column = {.allocator = &allocator};
    buffer_add(&column, "one\0two\0three", 14);
    assert_int_equal(stamma_fields_encode(&column, counts, 1, false, &allocator, &streams), STAMMA_ERROR_UNSUPPORTED);
    stamma_buffer_release(&column);
}

/* Texts that come often are templates as they are, and one that comes once is none. */
static void whole_texts_are_numbered(void **state)
{
    (void)state;
    static const char *const texts[] = {"1-0", "1/2-1/2", "0-1", "1-0", "", "a=b, c"};
    buffer column = {.allocator = &allocator}, again = column;
    uint32_t counts[] = {601};
    for (size_t n = 0; n < 600; n++)
        buffer_add(&column, texts[n % 6], strlen(texts[n % 6]) + 1);
    buffer_add(&column, "once\001", 6);
    assert_int_equal(stamma_fields_encode(&column, counts, 1, true, &allocator, &streams), STAMMA_OK);
    assert_int_equal(streams.count, 4); /* no field */
    assert_int_equal(streams.streams[1].size, 601);
    assert_int_equal(streams.streams[2].size, 6);
    assert_int_equal(stamma_fields_decode(&streams, counts, 1, &allocator, column.size, &again), STAMMA_OK);
    assert_int_equal(again.size, column.size);
    assert_memory_equal(again.data, column.data, column.size);
    stamma_buffer_release(&again);
    stamma_buffer_release(&column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_column_comes_back, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(damaged_streams_do_no_harm, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(whole_texts_are_numbered, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(texts_without_pattern_are_left_alone, make_allocator, release_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
