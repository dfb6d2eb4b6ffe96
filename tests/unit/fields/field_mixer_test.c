/* SPDX-License-Identifier: MIT */
/* Tests numbers of fields coded with context mixing (clauses 14.13, 14.14): residuals of any size decode to
 * themselves, columns become shorter, and damaged strings are harmless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "fields/fields.h"
#include "sample_positions.h"

enum { RESIDUALS = 20000, GAMES = 200, TEXTS = 80 };

static stamma_allocator allocator;

static int set_up(void **state)
{
    (void)state;
    allocator = stamma_allocator_or_default(NULL);
    return 0;
}

/* ---- residuals ---- */

/* Returns small and large residuals, in games of all lengths. */
static int64_t residual_at(uint64_t *random, bool *begins)
{
    const int64_t most = (int64_t)1 << 53;
    unsigned bits = (unsigned)(random_next(random) % 8 ? random_next(random) % 8 : random_next(random) % 54);
    int64_t size = (int64_t)(random_next(random) & ((UINT64_C(1) << bits) - 1));
    *begins = random_next(random) % 50 == 0;
    if (random_next(random) % 1000 == 0)
        size = most;
    return random_next(random) % 2 ? size : -size;
}

/* Writes all residuals, or reads them and returns the number that are unchanged. */
static unsigned code_all(field_mixer *m, uint64_t seed)
{
    field_stream x = {.seen = 0};
    unsigned same = 0;
    uint32_t game = 1;
    for (unsigned n = 0; n < RESIDUALS; n++) {
        bool begins, reads = m->stream.out.out == NULL;
        int64_t residual = residual_at(&seed, &begins);
        game += begins;
        field_enter_game(&x, game);
        same += stamma_field_mix(m, &x, reads ? 0 : residual) == residual;
        field_push(&x, residual);
    }
    return same;
}

static void residuals_come_back(void **state)
{
    (void)state;
    for (unsigned bits = MIXED_MAP_BITS_MIN; bits <= MIXED_MAP_BITS_MAX; bits += 4) {
        buffer string = {.allocator = &allocator};
        field_mixer *writer = stamma_field_mixer_new(&allocator, bits),
                    *reader = stamma_field_mixer_new(&allocator, bits);
        assert_true(writer && reader);
        stamma_range_encode_begin(&writer->stream.out, &string);
        assert_int_equal(code_all(writer, bits), RESIDUALS);
        stamma_range_encode_end(&writer->stream.out);
        reader->left = field_mixed_max(string.size);
        stamma_range_decode_begin(&reader->stream.in, string.data, string.size);
        assert_int_equal(code_all(reader, bits), RESIDUALS);
        assert_true(stamma_range_decode_is_exact(&reader->stream.in));
        stamma_field_mixer_delete(writer, &allocator);
        stamma_field_mixer_delete(reader, &allocator);
        stamma_buffer_release(&string);
    }
}

/* A reader reads no more residuals than its string can contain (14.13). */
static void residuals_are_limited(void **state)
{
    (void)state;
    field_mixer *m = stamma_field_mixer_new(&allocator, MIXED_MAP_BITS_MIN);
    field_stream x = {.seen = 0};
    static const uint8_t string[1] = {1};
    assert_non_null(m);
    stamma_range_decode_begin(&m->stream.in, string, 1);
    m->left = 2;
    assert_int_not_equal(stamma_field_mix(m, &x, 0), FIELD_NO_VALUE);
    assert_int_not_equal(stamma_field_mix(m, &x, 0), FIELD_NO_VALUE);
    assert_int_equal(stamma_field_mix(m, &x, 0), FIELD_NO_VALUE);
    stamma_field_mixer_delete(m, &allocator);
}

/* ---- columns ---- */

/* Returns clocks: the time for a move depends on the remaining time. */
static buffer clocks(uint32_t per_game[GAMES])
{
    buffer column = {.allocator = &allocator};
    uint64_t random = 3;
    for (unsigned g = 0; g < GAMES; g++) {
        unsigned left[2] = {1800, 1800};
        per_game[g] = TEXTS + g % 3;
        for (unsigned n = 0; n < per_game[g]; n++) {
            char text[40];
            unsigned side = n % 2, spent = left[side] / 20 + (unsigned)(random_next(&random) % 3);
            spent = spent > left[side] ? 0 : spent;
            left[side] -= spent;
            int size = snprintf(text, sizeof text, "[%%clk 0:%02u:%02u.%u]", left[side] / 600, left[side] / 10 % 60,
                                left[side] % 10);
            if (left[side] % 10 == 0)
                size = snprintf(text, sizeof text, "[%%clk 0:%02u:%02u]", left[side] / 600, left[side] / 10 % 60);
            buffer_add(&column, text, (size_t)size + 1);
        }
    }
    return column;
}

static buffer write_column(const buffer *column, const uint32_t *per_game, bool mixes)
{
    field_packer packer = {.mixes = mixes};
    buffer stored = {.allocator = &allocator};
    bool pays = false;
    assert_int_equal(stamma_field_column_write(&packer, column, per_game, GAMES, EFFORT_WORDS, &stored, &pays),
                     STAMMA_OK);
    assert_true(pays);
    stamma_field_packer_release(&packer);
    return stored;
}

static stamma_error read_column(const buffer *stored, size_t plain_size, const uint32_t *per_game, field_column *f,
                                buffer *out)
{
    byte_packer coder = {0};
    out->size = 0;
    stamma_error error = stamma_field_column_open(&coder, buffer_cursor(stored), plain_size, &allocator, f);
    for (uint32_t g = 0; g < GAMES && error == STAMMA_OK; g++)
        for (uint32_t n = 0; n < per_game[g] && error == STAMMA_OK; n++)
            error = stamma_field_column_take(f, g + 1, out);
    if (error == STAMMA_OK && !stamma_field_column_is_done(f))
        error = STAMMA_ERROR_CORRUPT;
    stamma_byte_packer_release(&coder);
    return error;
}

static void columns_are_shorter(void **state)
{
    (void)state;
    uint32_t per_game[GAMES];
    buffer column = clocks(per_game), out = {.allocator = &allocator};
    buffer plain = write_column(&column, per_game, false), mixed = write_column(&column, per_game, true);
    field_column *f = stamma_field_column_new(&allocator);
    assert_non_null(f);
    assert_true(mixed.size < plain.size - plain.size / 20);
    for (unsigned n = 0; n < 4; n++) { /* one reader, opened several times */
        assert_int_equal(read_column(n % 2 ? &plain : &mixed, column.size, per_game, f, &out), STAMMA_OK);
        assert_int_equal(out.size, column.size);
        assert_memory_equal(out.data, column.data, column.size);
    }
    stamma_field_column_release(f, &allocator);
    stamma_buffer_release(&column);
    stamma_buffer_release(&out);
    stamma_buffer_release(&plain);
    stamma_buffer_release(&mixed);
}

/* Damaged strings are never accepted as undamaged. */
static void damage_is_found(void **state)
{
    (void)state;
    uint32_t per_game[GAMES];
    uint64_t random = 4;
    buffer column = clocks(per_game), out = {.allocator = &allocator};
    buffer stored = write_column(&column, per_game, true);
    field_column *f = stamma_field_column_new(&allocator);
    assert_non_null(f);
    for (unsigned n = 0; n < 40; n++) {
        size_t at = (size_t)(random_next(&random) % stored.size);
        uint8_t before = stored.data[at];
        stored.data[at] ^= (uint8_t)(1 + random_next(&random) % 255);
        stamma_error error = read_column(&stored, column.size, per_game, f, &out);
        assert_true(error == STAMMA_ERROR_CORRUPT || out.size != column.size ||
                    memcmp(out.data, column.data, out.size) != 0);
        stored.data[at] = before;
    }
    stamma_field_column_release(f, &allocator);
    stamma_buffer_release(&column);
    stamma_buffer_release(&out);
    stamma_buffer_release(&stored);
}

/* Returns texts with a constant, a random number, and numbers that become shorter by mixing. */
static buffer many_numbers(uint32_t per_game[GAMES])
{
    buffer column = {.allocator = &allocator};
    uint64_t random = 7;
    for (unsigned g = 0; g < GAMES; g++) {
        unsigned left[8];
        per_game[g] = 41; /* 8,200 in all */
        for (unsigned i = 0; i < 8; i++)
            left[i] = 18000 + i;
        for (unsigned n = 0; n < per_game[g]; n++) {
            char text[200];
            for (unsigned i = 0; i < 8; i++)
                left[i] -= left[i] / 20 + (unsigned)(random_next(&random) % 3);
            int size = snprintf(text, sizeof text, "a=5, b=%u, c=%u, d=%u, e=%u, f=%u, g=%u, h=%u, i=%u, j=%u",
                                (unsigned)(random_next(&random) % 64), left[0], left[1], left[2], left[3], left[4],
                                left[5], left[6], left[7]);
            buffer_add(&column, text, (size_t)size + 1);
        }
    }
    return column;
}

/* At most eight keys are mixed. A key is not mixed if it has too many values for its string, or if mixing is not
 * shorter. */
static void some_keys_are_not_mixed(void **state)
{
    (void)state;
    uint32_t per_game[GAMES];
    buffer column = many_numbers(per_game), out = {.allocator = &allocator};
    buffer stored = write_column(&column, per_game, true);
    field_column *f = stamma_field_column_new(&allocator);
    assert_non_null(f);
    assert_int_equal(read_column(&stored, column.size, per_game, f, &out), STAMMA_OK);
    assert_int_equal(out.size, column.size);
    assert_memory_equal(out.data, column.data, column.size);
    assert_int_equal(f->reader.streams.count, 10);
    assert_null(f->reader.streams.list[0].mixer);
    assert_null(f->reader.streams.list[1].mixer);
    assert_non_null(f->reader.streams.list[2].mixer);
    assert_null(f->reader.streams.list[9].mixer); /* the tenth key */
    stamma_field_column_release(f, &allocator);
    stamma_buffer_release(&column);
    stamma_buffer_release(&out);
    stamma_buffer_release(&stored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals_come_back),     cmocka_unit_test(columns_are_shorter),
        cmocka_unit_test(damage_is_found),         cmocka_unit_test(residuals_are_limited),
        cmocka_unit_test(some_keys_are_not_mixed),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
