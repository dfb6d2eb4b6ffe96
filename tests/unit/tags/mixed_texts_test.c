/* SPDX-License-Identifier: MIT */
/* Tests reading columns in codec 8 (clause 21), which earlier versions wrote: any values come back, and any bytes are
 * read safely. The columns are written here, value by value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tags/tags.h"

enum { RECORDS = 700, COLUMNS = 3, SLOT_BITS = 14 };

static stamma_allocator heap;
static char values[COLUMNS][RECORDS][32]; /* without a value: "" at [0] is '-' */
static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* Makes players of both colours, and events that White's players often play. Some records lack values. */
static void make_values(uint32_t seed)
{
    random_state = seed;
    for (size_t r = 0; r < RECORDS; r++) {
        const uint32_t white = random_below(50), black = random_below(50);
        snprintf(values[0][r], sizeof values[0][r], "Player %u", white * 7919);
        snprintf(values[1][r], sizeof values[1][r], random_below(9) ? "Player %u" : "-", black * 7919);
        snprintf(values[2][r], sizeof values[2][r], random_below(5) ? "Open %u" : "-", white * 31 + random_below(2));
    }
    strcpy(values[2][3], "");
}

static bool has(size_t column, size_t record)
{
    return strcmp(values[column][record], "-") != 0;
}

/* Writes the columns: 0 and 1 share a model, and 2 has both as sources. */
static void write_columns(buffer stored[COLUMNS])
{
    static const uint8_t heads[COLUMNS][4] = {{SLOT_BITS, 0}, {0, 1, 0}, {SLOT_BITS, 2, 0, 1}};
    static const size_t sizes[COLUMNS] = {2, 3, 4};
    mixed_texts *models[2] = {stamma_mixed_texts_new(&heap, SLOT_BITS), stamma_mixed_texts_new(&heap, SLOT_BITS)};
    mixed_stream streams[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++) {
        stored[c] = (buffer){.allocator = &heap};
        buffer_add(&stored[c], heads[c], sizes[c]);
        stamma_range_encode_begin(&streams[c].out, &stored[c]);
    }
    for (size_t r = 0; r < RECORDS; r++)
        for (size_t c = 0; c < COLUMNS; c++) {
            stamma_text sources[MIXED_SOURCES] = {{NULL, 0}}, value = stamma_text_of(values[c][r]);
            uint8_t level;
            for (size_t i = 0; i < c; i++)
                if (has(i, r))
                    sources[i] = stamma_text_of(values[i][r]);
            if (has(c, r))
                assert_int_not_equal(stamma_mixed_texts_code(models[c / 2], &streams[c], c == 1, sources,
                                                             value.size + 1, &value, &level),
                                     0);
        }
    for (size_t c = 0; c < COLUMNS; c++)
        stamma_range_encode_end(&streams[c].out);
    stamma_mixed_texts_delete(models[0]);
    stamma_mixed_texts_delete(models[1]);
}

/* Reads all columns. Returns the number of values that are right; -1 if reading ends with an error. */
static int read_columns(tag_reader *r, const buffer stored[COLUMNS])
{
    static const char *const names[COLUMNS] = {"White", "Black", "Event"};
    int right = 0;
    byte_packer coder = {.compressor = NULL};
    stamma_error error = STAMMA_OK;
    stamma_tag_reader_clear(r);
    for (size_t c = 0; c < COLUMNS && error == STAMMA_OK; c++) {
        uint64_t plain = 0;
        for (size_t n = 0; n < RECORDS; n++)
            plain += has(c, n) ? strlen(values[c][n]) + 1 : 0;
        error =
            stamma_tag_reader_add(r, &coder, stamma_text_of(names[c]), CODEC_MIXED, buffer_cursor(&stored[c]), plain);
    }
    for (size_t n = 0; n < RECORDS && error == STAMMA_OK; n++) {
        stamma_tag_reader_begin(r, 30);
        for (size_t c = 0; c < COLUMNS && error == STAMMA_OK; c++) {
            stamma_text value;
            if (!has(c, n))
                continue;
            error = stamma_tag_reader_take(r, c, &value) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
            right += error == STAMMA_OK && text_equal(value, stamma_text_of(values[c][n]));
        }
    }
    stamma_byte_packer_release(&coder);
    return error == STAMMA_OK && stamma_tag_reader_is_done(r, false) ? right : -1;
}

static int count_values(void)
{
    int count = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t n = 0; n < RECORDS; n++)
            count += has(c, n);
    return count;
}

static void values_come_back(void **state)
{
    (void)state;
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (uint32_t seed = 1; seed <= 3; seed++) {
        buffer stored[COLUMNS];
        make_values(seed);
        write_columns(stored);
        assert_int_equal(read_columns(&r, stored), count_values());
        assert_false(stamma_tag_reader_can_pass(&r));
        for (size_t c = 0; c < COLUMNS; c++)
            stamma_buffer_release(&stored[c]);
    }
    stamma_tag_reader_release(&r);
}

/* A changed bit, a missing byte and an additional byte change a value, or are noticed. */
static void damage_is_noticed(void **state)
{
    (void)state;
    tag_reader r;
    buffer stored[COLUMNS];
    make_values(9);
    write_columns(stored);
    stamma_tag_reader_init(&r, &heap);
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t at = 0; at < stored[c].size; at += 1 + stored[c].size / 12) {
            stored[c].data[at] ^= 4;
            assert_int_not_equal(read_columns(&r, stored), count_values());
            stored[c].data[at] ^= 4;
        }
    for (size_t c = 0; c < COLUMNS; c++) {
        stored[c].size--;
        assert_int_not_equal(read_columns(&r, stored), count_values());
        stored[c].size++;
        buffer_add_byte(&stored[c], 1);
        assert_int_not_equal(read_columns(&r, stored), count_values());
        stored[c].size--;
    }
    assert_int_equal(read_columns(&r, stored), count_values());
    stamma_tag_reader_release(&r);
    for (size_t c = 0; c < COLUMNS; c++)
        stamma_buffer_release(&stored[c]);
}

static int make_heap(void **state)
{
    (void)state;
    heap = stamma_allocator_or_default(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_come_back), cmocka_unit_test(damage_is_noticed)};
    return cmocka_run_group_tests(tests, make_heap, NULL);
}
