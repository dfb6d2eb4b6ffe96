/* SPDX-License-Identifier: MIT */
/* Tests columns of fields (clause 14): columns decode to the same texts, are small, and damaged streams are
 * harmless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "allocation.h"
#include "fields/fields.h"

enum { GAMES = 50, TEXTS = 40 };

static stamma_allocator allocator;
static uint32_t per_game[GAMES];
static byte_packer coder;
static field_encoder *encoder;
static field_streams *streams; /* owned by the encoder */

static int make_allocator(void **state)
{
    (void)state;
    allocator = stamma_allocator_or_default(NULL);
    encoder = stamma_field_encoder_new(&allocator);
    assert_non_null(encoder);
    for (size_t g = 0; g < GAMES; g++)
        per_game[g] = (uint32_t)(g % 7 == 3 ? 0 : TEXTS);
    return 0;
}

static int release_streams(void **state)
{
    (void)state;
    stamma_field_encoder_release(encoder);
    stamma_byte_packer_release(&coder);
    return 0;
}

/* Clocks that run down alternately, evaluations and depths. */
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

/* Appends all texts to `out` until it has more than `limit` bytes. */
static stamma_error decode(const uint32_t *counts, size_t games, size_t limit, buffer *out)
{
    static field_reader reader;
    stamma_error error = stamma_field_reader_open(&reader, streams, &allocator);
    for (uint32_t g = 0; g < games; g++)
        for (uint32_t i = 0; i < counts[g] && error == STAMMA_OK; i++)
            if (out->size > limit || !stamma_field_reader_next(&reader, g + 1, out))
                error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK && !stamma_field_reader_is_done(&reader))
        error = STAMMA_ERROR_CORRUPT;
    stamma_field_reader_close(&reader);
    return error;
}

static void demand_round_trip(const buffer *column, const uint32_t *counts, size_t games)
{
    buffer again = {.allocator = &allocator};
    assert_int_equal(stamma_fields_encode(encoder, false, &coder, column, counts, games, &streams), STAMMA_OK);
    assert_int_equal(decode(counts, games, column->size, &again), STAMMA_OK);
    assert_int_equal(again.size, column->size);
    assert_memory_equal(again.data, column->data, column->size);
    stamma_buffer_release(&again);
}

static void a_column_comes_back(void **state)
{
    (void)state;
    buffer column = clocks();
    demand_round_trip(&column, per_game, GAMES);
    size_t total = 0;
    for (size_t i = 0; i < streams->count; i++)
        total += streams->streams[i].size;
    assert_true(total < column.size / 4);
    stamma_buffer_release(&column);
}

enum { LONG_GAMES = 120, LONG_TEXTS = 80 };

/* Makes enough clocks to be coded by classes: players with little time, and players who moved fast, move fast. */
static buffer many_clocks(uint32_t counts[LONG_GAMES])
{
    buffer column = {.allocator = &allocator};
    uint64_t random = 11;
    for (unsigned g = 0; g < LONG_GAMES; g++) {
        unsigned clock[2] = {g % 3 == 0 ? 600 : 1800, 0};
        clock[1] = clock[0];
        counts[g] = LONG_TEXTS;
        for (unsigned i = 0; i < LONG_TEXTS; i++) {
            char text[80];
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned *left = &clock[i % 2], most = i < 10 ? 2 : *left / 16 + 1;
            *left -= (unsigned)(random >> 40) % most * (*left > 20);
            int size = snprintf(text, sizeof text, "[%%clk 0:%02u:%02u.%u]", *left / 600, *left / 10 % 60, *left % 10);
            buffer_add(&column, text, (size_t)(*left % 10 ? size : size - 2));
            if (*left % 10 == 0)
                column.data[column.size - 1] = ']';
            buffer_add_byte(&column, 0);
        }
    }
    return column;
}

/* The numbers need fewer than five bits each. */
static void many_numbers_are_coded(void **state)
{
    (void)state;
    static uint32_t counts[LONG_GAMES];
    buffer column = many_clocks(counts);
    demand_round_trip(&column, counts, LONG_GAMES);
    assert_int_equal(streams->efforts[4], EFFORT_NONE); /* coded */
    assert_int_equal(streams->efforts[5], EFFORT_NUMBERS);
    assert_in_range(streams->streams[3].size, 100, 1500);
    assert_in_range(streams->streams[4].size * 8, 4 * LONG_GAMES * LONG_TEXTS, 5 * LONG_GAMES * LONG_TEXTS); /* bits */
    stamma_buffer_release(&column);
}

/* The largest and smallest numbers that a text can contain, in streams that are predicted from one another. */
static void extreme_numbers_come_back(void **state)
{
    (void)state;
    static const char *const wholes[] = {"0", "1", "999999999999999", "999999999999998", "500000000000000", "7"};
    static const char *const decimals[] = {"0.000", "-999999999999.999", "999999999999.999", "-0.001", "1.500",
                                           "0.001"};
    static const char *const times[] = {"0:00:00", "9999:59:59.9", "9:59:59", "0:00:00.1", "100:00:00", "1:00:00"};
    uint64_t random = 5;
    for (unsigned round = 0; round < 60; round++) {
        uint32_t counts[3] = {100, 0, 301};
        unsigned choices = 2 + round % 5;
        buffer column = {.allocator = &allocator};
        for (unsigned i = 0; i < 401; i++) {
            char text[200];
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned r = (unsigned)(random >> 40);
            int size = snprintf(text, sizeof text, "n=%s, s=%s, w=%s, t=%s, u=%s, x=%s", wholes[r % choices],
                                wholes[r / 7 % choices], decimals[r / 49 % choices], times[r / 343 % choices],
                                times[(i + r / 2401 % 2) % choices], decimals[r / 4802 % choices]);
            buffer_add(&column, text, (size_t)size + 1);
        }
        demand_round_trip(&column, counts, 3);
        stamma_buffer_release(&column);
    }
}

/* An encoder that was used before produces the same streams as a new encoder. */
static void an_encoder_can_be_used_again(void **state)
{
    (void)state;
    const uint32_t counts[1] = {3};
    buffer column = clocks(), plain = {.allocator = &allocator}, first[20];
    buffer_add(&plain, "one\0two\0three", 14);
    demand_round_trip(&column, per_game, GAMES);
    size_t count = streams->count;
    assert_in_range(count, 4, 20);
    for (size_t i = 0; i < count; i++) {
        first[i] = (buffer){.allocator = &allocator};
        buffer_add(&first[i], streams->streams[i].data, streams->streams[i].size);
    }
    assert_int_equal(stamma_fields_encode(encoder, false, &coder, &plain, counts, 1, &streams), STAMMA_OK);
    assert_null(streams);
    demand_round_trip(&column, per_game, GAMES);
    assert_int_equal(streams->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(streams->streams[i].size, first[i].size);
        assert_true(first[i].size == 0 || memcmp(streams->streams[i].data, first[i].data, first[i].size) == 0);
        stamma_buffer_release(&first[i]);
    }
    stamma_buffer_release(&plain);
    stamma_buffer_release(&column);
}

/* Changes bytes: the result must be texts of bounded size or an error. Then removes the last byte of each stream: the
 * result must be an error. */
static void damage(const buffer *column, const uint32_t *counts, size_t games)
{
    buffer again = {.allocator = &allocator};
    assert_int_equal(stamma_fields_encode(encoder, false, &coder, column, counts, games, &streams), STAMMA_OK);
    for (size_t i = 0; i < streams->count; i++) {
        buffer *s = &streams->streams[i];
        size_t step = s->size / 50 + 1;
        for (size_t at = 0; at < s->size; at += step) {
            uint8_t kept = s->data[at];
            s->data[at] ^= (uint8_t)(1u << at % 8);
            again.size = 0;
            stamma_error error = decode(counts, games, column->size, &again);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
            assert_true(again.size < 2 * column->size + 10000);
            s->data[at] = kept;
        }
        if (s->size == 0)
            continue;
        s->size--;
        again.size = 0;
        assert_int_equal(decode(counts, games, column->size, &again), STAMMA_ERROR_CORRUPT);
        s->size++;
    }
    stamma_buffer_release(&again);
}

static void damaged_streams_do_no_harm(void **state)
{
    (void)state;
    static uint32_t counts[LONG_GAMES];
    buffer column = clocks(), coded = many_clocks(counts);
    damage(&column, per_game, GAMES);
    damage(&coded, counts, LONG_GAMES);
    stamma_buffer_release(&coded);
    stamma_buffer_release(&column);
}

static void texts_without_pattern_are_left_alone(void **state)
{
    (void)state;
    const uint32_t counts[1] = {3};
    buffer column = {.allocator = &allocator};
    buffer_add(&column, "one\0two\0three", 14);
    assert_int_equal(stamma_fields_encode(encoder, false, &coder, &column, counts, 1, &streams), STAMMA_OK);
    assert_null(streams);
    stamma_buffer_release(&column);
}

/* A stored column decodes to the same texts; without counts, each text is a separate game. Dates are predicted from
 * the previous dates, so they need little space. A column that would not become shorter is not written. */
static void a_stored_column_comes_back(void **state)
{
    (void)state;
    field_packer packer = {.encoder = NULL};
    buffer column = {.allocator = &allocator}, stored = column, again = column;
    bool pays;
    for (unsigned n = 0; n < 500; n++) {
        char text[80];
        int size = snprintf(text, sizeof text, "20%02u.%02u.%02u", n / 300, 1 + n / 28 % 12, 1 + n % 28);
        buffer_add(&column, text, (size_t)size + 1);
    }
    assert_int_equal(stamma_field_column_write(&packer, &column, NULL, 0, EFFORT_TEXT, &stored, &pays), STAMMA_OK);
    assert_true(pays);
    assert_true(stored.size < column.size / 20);
    assert_int_equal(stamma_field_column_read(&coder, buffer_cursor(&stored), column.size, &again), STAMMA_OK);
    assert_int_equal(again.size, column.size);
    assert_memory_equal(again.data, column.data, column.size);
    assert_int_equal(stamma_field_column_read(&coder, buffer_cursor(&stored), column.size - 1, &again),
                     STAMMA_ERROR_CORRUPT);
    column.size = stored.size = 0;
    buffer_add(&column, "one\0two\0three", 14);
    assert_int_equal(stamma_field_column_write(&packer, &column, NULL, 0, EFFORT_TEXT, &stored, &pays), STAMMA_OK);
    assert_false(pays);
    assert_int_equal(stored.size, 0);
    stamma_buffer_release(&column);
    stamma_buffer_release(&stored);
    stamma_buffer_release(&again);
    stamma_field_packer_release(&packer);
}

/* Clocks, and words between them that bzip2 compresses better than zstd. */
static buffer words(void)
{
    static const char *const all[] = {"the",  "knight", "attacks", "black",  "pawn",
                                      "weak", "square", "is",      "better", "and"};
    buffer column = {.allocator = &allocator};
    uint32_t random = 1;
    for (unsigned g = 0; g < GAMES; g++)
        for (unsigned i = 0; i < per_game[g]; i++) {
            char text[400];
            int size = snprintf(text, sizeof text, "[%%clk 0:%02u:%02u]", i % 60, g * i % 60);
            for (unsigned n = 0; i % 3 && n < 20; n++) {
                random = random * 1664525 + 1013904223;
                size += snprintf(text + size, sizeof text - (size_t)size, " %s", all[random >> 16 & 7]);
            }
            buffer_add(&column, text, (size_t)size + 1);
        }
    return column;
}

static buffer pack_column(field_packer *packer, const buffer *column, int effort)
{
    buffer stored = {.allocator = &allocator};
    bool pays;
    assert_int_equal(stamma_field_column_write(packer, column, per_game, GAMES, effort, &stored, &pays), STAMMA_OK);
    assert_true(pays);
    return stored;
}

/* A packer that was used with less effort before produces the same blocks, so blocks do not depend on the thread that
 * packs them. */
static void a_packer_remembers_nothing(void **state)
{
    (void)state;
    field_packer packer = {.encoder = NULL}, used = packer;
    buffer column = words();
    buffer fresh = pack_column(&packer, &column, EFFORT_WORDS), hasty = pack_column(&used, &column, EFFORT_TEXT);
    buffer again = pack_column(&used, &column, EFFORT_WORDS);
    assert_true(hasty.size > fresh.size);
    assert_int_equal(again.size, fresh.size);
    assert_memory_equal(again.data, fresh.data, fresh.size);
    stamma_buffer_release(&column);
    stamma_buffer_release(&fresh);
    stamma_buffer_release(&hasty);
    stamma_buffer_release(&again);
    stamma_field_packer_release(&packer);
    stamma_field_packer_release(&used);
}

/* A column has at most 254 keys. Templates with more keys are not used, and their texts are stored unchanged. */
static void keys_are_limited(void **state)
{
    (void)state;
    enum { KEYS = 260, USES = 5, KEYS_MAX = 254, STREAMS_MAX = 4 + 2 * KEYS_MAX };
    const uint32_t counts[1] = {KEYS * USES};
    buffer column = {.allocator = &allocator}, other = clocks();
    for (unsigned n = 0; n < KEYS * USES; n++) {
        char text[40];
        int size = snprintf(text, sizeof text, "%c%c=%u", 'a' + n % KEYS / 26, 'a' + n % KEYS % 26, n / KEYS);
        buffer_add(&column, text, (size_t)size + 1);
    }
    for (unsigned round = 0; round < 2; round++) { /* all streams are cleared */
        demand_round_trip(&column, counts, 1);
        assert_int_equal(streams->count, STREAMS_MAX);
        assert_int_equal(streams->streams[2].size, (KEYS - KEYS_MAX) * USES * sizeof "aa=0");
        demand_round_trip(&other, per_game, GAMES);
    }
    stamma_buffer_release(&column);
    stamma_buffer_release(&other);
}

/* Columns with more than two million fields are not encoded. */
static void fields_are_limited(void **state)
{
    (void)state;
    enum { FIELDS = 32, MOST = (1 << 21) / FIELDS };
    char text[8 * FIELDS];
    size_t size = 0;
    buffer column = {.allocator = &allocator};
    for (unsigned i = 0; i < FIELDS; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%sa=1", i ? ", " : "");
    for (uint32_t n = 0; n < MOST + 2; n++)
        buffer_add(&column, text, size + 1);
    for (uint32_t more = 0; more <= 2; more++) {
        const uint32_t count = MOST + more;
        column.size = count * (size + 1);
        assert_int_equal(stamma_fields_encode(encoder, false, &coder, &column, &count, 1, &streams), STAMMA_OK);
        assert_int_equal(streams == NULL, more > 0);
    }
    stamma_buffer_release(&column);
}

/* A text with more fields than a template can have is stored unchanged. */
static void texts_with_many_fields_come_back(void **state)
{
    (void)state;
    enum { FIELDS = 33 };
    buffer column = clocks();
    const uint32_t counts[2] = {(uint32_t)(GAMES - GAMES / 7) * TEXTS, 1};
    uint32_t texts = 0;
    for (size_t at = 0; at < column.size; at++)
        texts += column.data[at] == 0;
    assert_int_equal(counts[0], texts);
    for (unsigned i = 0; i < FIELDS; i++)
        buffer_add(&column, "a=1, ", 5);
    buffer_add_byte(&column, 0);
    demand_round_trip(&column, counts, 2);
    assert_int_equal(streams->streams[2].size, 5 * FIELDS + 1);
    stamma_buffer_release(&column);
}

/* If all classes of a column are used, the symbols of further keys are bytes. Each number depends on the two previous
 * numbers. */
static void classes_are_limited(void **state)
{
    (void)state;
    enum { KEYS = 20, TEXTS_OF_KEYS = 8000, KINDS = 7 };
    static const unsigned values[KINDS] = {0, 1, 2, 4, 8, 16, 32};
    static unsigned last[KEYS], second[KEYS];
    const uint32_t counts[1] = {TEXTS_OF_KEYS};
    buffer column = {.allocator = &allocator};
    uint64_t random = 5;
    for (unsigned n = 0; n < TEXTS_OF_KEYS; n++) {
        for (unsigned i = 0; i < KEYS; i++) {
            char text[16];
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned next = (3 * last[i] + 5 * second[i] + last[i] * second[i]) % KINDS;
            next = (next + (unsigned)(random >> 60) % 2) % KINDS;
            second[i] = last[i];
            last[i] = next;
            int size = snprintf(text, sizeof text, "%c%c=%u,", 'a' + (int)i / 26, 'a' + (int)i % 26, values[next]);
            buffer_add(&column, text, (size_t)size);
        }
        buffer_add_byte(&column, 0);
    }
    demand_round_trip(&column, counts, 1);
    unsigned coded = 0;
    for (size_t i = 4; i < streams->count; i += 2)
        coded += streams->efforts[i] == EFFORT_NONE;
    assert_int_equal(coded, 16); /* with 32 classes each: 512 */
    stamma_buffer_release(&column);
}

/* A column ends with its last number: additional texts that no number refers to are corrupt. */
static void stored_columns_end_exactly(void **state)
{
    (void)state;
    static const int efforts[4] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    for (unsigned more = 0; more < 2; more++) {
        buffer made[4], stored = {.allocator = &allocator}, out = stored;
        for (size_t i = 0; i < 4; i++)
            made[i] = (buffer){.allocator = &allocator};
        buffer_add_byte(&made[1], 0);
        buffer_add(&made[2], "one\0two", more ? 8 : 4);
        assert_int_equal(stamma_streams_pack(&coder, made, efforts, 4, &stored), STAMMA_OK);
        assert_int_equal(stamma_field_column_read(&coder, buffer_cursor(&stored), 8, &out),
                         more ? STAMMA_ERROR_CORRUPT : STAMMA_OK);
        for (size_t i = 0; i < 4; i++)
            stamma_buffer_release(&made[i]);
        stamma_buffer_release(&stored);
        stamma_buffer_release(&out);
    }
}

/* Makes numbers from two narrow ranges that are far apart. Mixing them needs much less space than their bits, but more
 * bytes than twice the number of symbols. */
static buffer far_numbers(uint32_t counts[LONG_GAMES])
{
    buffer column = {.allocator = &allocator};
    uint64_t random = 3;
    for (unsigned n = 0; n < LONG_GAMES * LONG_TEXTS; n++) {
        char text[40];
        random = random * 6364136223846793005u + 1442695040888963407u;
        unsigned value = 1000000 + (unsigned)(random >> 40) % (1u << 17) + (unsigned)(random >> 60) % 2 * (1u << 30);
        int size = snprintf(text, sizeof text, "n=%u", value);
        buffer_add(&column, text, (size_t)size + 1);
        counts[n / LONG_TEXTS] = LONG_TEXTS;
    }
    return column;
}

/* Writes separate clocks and reads them again; at level 2, mixes numbers; at level 3, clocks of more games. */
static stamma_error write_and_read(trial *t)
{
    static uint32_t counts[2 * LONG_GAMES];
    field_packer packer = {.mixes = t->level > 1};
    const size_t games = t->level == 3 ? 2 * LONG_GAMES : LONG_GAMES;
    buffer column = t->level == 2 ? far_numbers(counts) : many_clocks(counts), plain = {.allocator = t->allocator};
    buffer stored = plain, out = plain;
    bool pays;
    if (t->level == 3) {
        buffer again = many_clocks(counts + LONG_GAMES);
        buffer_add(&column, again.data, again.size);
        stamma_buffer_release(&again);
    }
    plain = column;
    plain.allocator = t->allocator;
    stamma_error error =
        stamma_field_column_write(&packer, &plain, t->level == 1 ? NULL : counts, games, EFFORT_WORDS, &stored, &pays);
    if (error == STAMMA_OK)
        list_bytes(&t->result, stored.data, stored.size);
    if (error == STAMMA_OK && t->level == 1)
        error = stamma_field_column_read(&coder, buffer_cursor(&stored), column.size, &out);
    stamma_buffer_release(&column);
    stamma_buffer_release(&stored);
    stamma_buffer_release(&out);
    stamma_field_packer_release(&packer);
    return error;
}

static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    for (int level = 1; level <= 3; level++)
        sweep(write_and_read, (trial){.level = level});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_column_comes_back, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(many_numbers_are_coded, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(extreme_numbers_come_back, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(an_encoder_can_be_used_again, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(damaged_streams_do_no_harm, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(a_stored_column_comes_back, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(texts_without_pattern_are_left_alone, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(a_packer_remembers_nothing, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(keys_are_limited, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(fields_are_limited, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(stored_columns_end_exactly, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(texts_with_many_fields_come_back, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(classes_are_limited, make_allocator, release_streams),
        cmocka_unit_test_setup_teardown(memory_may_fail_at_any_call, make_allocator, release_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
