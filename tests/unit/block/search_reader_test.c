/* SPDX-License-Identifier: MIT */
/* Tests reading search columns from hand-made bytes: a column that contradicts the number of records, or contains
 * undefined values, is damaged (clause 20). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"

enum { RECORDS = 61, BYTES_MAX = RECORDS * FACTS_BYTES };

/* Streams of a column (20.3, 20.5). */
typedef struct streams {
    uint8_t bytes[SEARCH_STREAMS][BYTES_MAX];
    size_t sizes[SEARCH_STREAMS];
    size_t count;
} streams;

static stamma_allocator allocator;
static search_columns columns;

static int begin(void **state)
{
    (void)state;
    allocator = stamma_allocator_or_default(NULL);
    stamma_search_columns_init(&columns, &allocator);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stamma_search_columns_release(&columns);
    return 0;
}

/* Opens a block of these records with one column. */
static stamma_error open_column(unsigned id, unsigned codec, size_t plain_size, const buffer *stored, uint64_t records)
{
    static const uint8_t zeros[16];
    buffer head = {.allocator = &allocator};
    buffer_add(&head, zeros, 16);
    stamma_buffer_add_varint(&head, records);
    buffer_add(&head, zeros, 8);
    buffer_add_byte(&head, 1);
    stamma_column_write_entry(id, codec, (stamma_text){NULL, 0}, plain_size, stored->data, stored->size, &head);
    const stamma_error error = stamma_search_columns_open(&columns, buffer_cursor(&head), buffer_cursor(stored));
    stamma_buffer_release(&head);
    return error;
}

static search_state state_of(unsigned id)
{
    return id == COLUMN_FACTS ? columns.facts : columns.signatures;
}

static size_t plain_size_of(unsigned id)
{
    return RECORDS * (id == COLUMN_FACTS ? FACTS_BYTES : SIGNATURE_BYTES);
}

static search_state open_streams(unsigned id, const streams *s)
{
    byte_packer coder = {.partial = false};
    buffer list[SEARCH_STREAMS], stored = {.allocator = &allocator};
    static const int efforts[SEARCH_STREAMS] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t n = 0; n < SEARCH_STREAMS; n++) {
        list[n] = (buffer){.allocator = &allocator};
        buffer_add(&list[n], s->bytes[n], s->sizes[n]);
    }
    assert_int_equal(stamma_streams_pack(&coder, list, efforts, s->count, &stored), STAMMA_OK);
    const size_t size = plain_size_of(id);
    assert_true(stored.size <= size);
    assert_int_equal(open_column(id, CODEC_SEARCH, size, &stored, RECORDS), STAMMA_OK);
    for (size_t n = 0; n < SEARCH_STREAMS; n++)
        stamma_buffer_release(&list[n]);
    stamma_buffer_release(&stored);
    stamma_byte_packer_release(&coder);
    return state_of(id);
}

/* A column is damaged if a stream has one byte less or more, or if a stream is missing. */
static void expect_sizes(unsigned id, const streams *right)
{
    assert_int_equal(open_streams(id, right), SEARCH_READ);
    for (size_t n = 0; n < right->count; n++)
        for (size_t size = right->sizes[n] > 0 ? right->sizes[n] - 1 : 0; size <= right->sizes[n] + 1; size++) {
            streams wrong = *right;
            wrong.sizes[n] = size;
            if (open_streams(id, &wrong) != (size == right->sizes[n] ? SEARCH_READ : SEARCH_DAMAGED))
                fail_msg("stream %zu of %zu bytes", n, size);
        }
    streams fewer = *right;
    fewer.count--;
    assert_int_equal(open_streams(id, &fewer), SEARCH_DAMAGED);
}

/* ---- signatures ---- */

static void signatures(void **state)
{
    (void)state;
    /* the second record has four home pawns, and the others have none */
    enum { MANY = 1, FEW = RECORDS - MANY };
    streams right = {
        .bytes = {{0, 0x0F}}, .sizes = {RECORDS, RECORDS, FEW, MANY, FEW, MANY, FEW, MANY}, .count = SIGNATURE_STREAMS};
    right.bytes[HOME_SORTED][0] = 3;
    right.bytes[HOME_SORTED + 1][0] = 2;
    expect_sizes(COLUMN_SIGNATURES, &right);
    assert_int_equal(open_streams(COLUMN_SIGNATURES, &right), SEARCH_READ);
    const search_entry first = {.pawns = 3}, second = {.home_pawns = 0x0F, .pawns = 6};
    assert_true(stamma_search_signature_is(&columns, 0, &first));
    assert_true(stamma_search_signature_is(&columns, 1, &second));
    assert_false(stamma_search_signature_is(&columns, 1, &first));
}

/* ---- facts ---- */

/* The first record has two ratings and a month far from 0. The other records have the ratings of the previous
 * record. */
static streams make_facts(void)
{
    streams facts = {.bytes = {{0xE4}, /* results 0, 1, 2, 3 */
                               {1},
                               {100, 80},
                               {7, 9},
                               {FAR_MONTH},
                               {0x10, 0x20}},
                     .sizes = {(RECORDS + 3) / 4, RECORDS, 2, 2, 1, 2},
                     .count = FACT_STREAMS};
    memset(&facts.bytes[FACT_CHANGES][1], 2 * (2 * (RATING_DISTANCE + 1) + 2), RECORDS - 1);
    return facts;
}

static const search_entry second_facts = {.result = 1, .rating = {2507, 2009}, .month = 0x2010};

static void facts_in_streams(void **state)
{
    (void)state;
    const streams facts = make_facts();
    streams wrong = facts;
    expect_sizes(COLUMN_FACTS, &facts);
    wrong.bytes[FACT_RESULTS][RECORDS / 4] = 4; /* a result for one more record */
    assert_int_equal(open_streams(COLUMN_FACTS, &wrong), SEARCH_DAMAGED);
    wrong = facts;
    wrong.bytes[FACT_CHANGES][9] = 50; /* refers to White's rating five records before */
    assert_int_equal(open_streams(COLUMN_FACTS, &wrong), SEARCH_DAMAGED);
    wrong = facts;
    wrong.bytes[FACT_RATINGS][1] = 255;
    assert_int_equal(open_streams(COLUMN_FACTS, &wrong), SEARCH_DAMAGED);
    wrong = facts;
    wrong.bytes[FACT_MONTHS][0] = FAR_MONTH - 1; /* no month is far */
    assert_int_equal(open_streams(COLUMN_FACTS, &wrong), SEARCH_DAMAGED);
}

static void facts_are_compared(void **state)
{
    (void)state;
    const streams facts = make_facts();
    assert_int_equal(open_streams(COLUMN_FACTS, &facts), SEARCH_READ);
    assert_true(stamma_search_facts_are(&columns, 1, &second_facts));
    for (unsigned field = 0; field < 4; field++) {
        search_entry e = second_facts;
        e.result = (uint8_t)(e.result ^ (field == 0));
        e.rating[STAMMA_WHITE] = (uint16_t)(e.rating[STAMMA_WHITE] ^ (field == 1));
        e.rating[STAMMA_BLACK] = (uint16_t)(e.rating[STAMMA_BLACK] ^ (field == 2));
        e.month = (uint16_t)(e.month ^ (field == 3));
        assert_false(stamma_search_facts_are(&columns, 1, &e));
    }
}

/* ---- plain columns ---- */

static void plain_columns(void **state)
{
    (void)state;
    for (unsigned id = COLUMN_SIGNATURES; id <= COLUMN_FACTS; id++) {
        static const uint8_t zeros[BYTES_MAX];
        const size_t size = plain_size_of(id);
        buffer stored = {.allocator = &allocator};
        buffer_add(&stored, zeros, size);
        assert_int_equal(open_column(id, CODEC_STORED, size, &stored, RECORDS), STAMMA_OK);
        assert_int_equal(state_of(id), SEARCH_READ);
        assert_int_equal(open_column(id, CODEC_STORED, size, &stored, RECORDS + 1), STAMMA_OK);
        assert_int_equal(state_of(id), SEARCH_DAMAGED);
        stored.size--;
        assert_int_equal(open_column(id, CODEC_STORED, size, &stored, RECORDS), STAMMA_OK);
        assert_int_equal(state_of(id), SEARCH_DAMAGED);
        assert_int_equal(open_column(id, CODEC_SEARCH + 1, size, &stored, RECORDS), STAMMA_OK);
        assert_int_equal(state_of(id), SEARCH_UNKNOWN);
        stamma_buffer_release(&stored);
    }
}

static void plain_facts(void **state)
{
    (void)state;
    enum { WHITE_HIGH = 2 * RECORDS };
    static const struct {
        size_t at;
        uint8_t byte;
        search_state state;
    } cases[] = {{0, SEARCH_OTHER_RESULT, SEARCH_READ},
                 {0, SEARCH_OTHER_RESULT + 1, SEARCH_DAMAGED},
                 {WHITE_HIGH, SEARCH_ODD_RATING >> 8, SEARCH_READ},
                 {WHITE_HIGH, (SEARCH_ODD_RATING >> 8) + 1, SEARCH_DAMAGED}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        uint8_t bytes[RECORDS * FACTS_BYTES] = {0};
        buffer stored = {.allocator = &allocator};
        bytes[cases[n].at] = cases[n].byte;
        buffer_add(&stored, bytes, sizeof bytes);
        assert_int_equal(open_column(COLUMN_FACTS, CODEC_STORED, sizeof bytes, &stored, RECORDS), STAMMA_OK);
        assert_int_equal(columns.facts, cases[n].state);
        stamma_buffer_release(&stored);
    }
}

/* ---- heads ---- */

static void invalid_heads(void **state)
{
    (void)state;
    static const uint8_t byte = 0;
    const buffer one = {.allocator = &allocator, .data = (uint8_t *)(uintptr_t)&byte, .size = 1, .capacity = 1};
    const cursor nothing = {&byte, &byte, false};
    buffer head = {.allocator = &allocator};
    assert_int_equal(open_column(COLUMN_MOVES, CODEC_STORED, 1, &one, BLOCK_RECORDS_MAX), STAMMA_OK);
    assert_int_equal(open_column(COLUMN_MOVES, CODEC_STORED, 1, &one, BLOCK_RECORDS_MAX + 1), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_search_columns_open(&columns, nothing, nothing), STAMMA_ERROR_CORRUPT);
    buffer_add(&head, (const uint8_t[26]){[16] = 1, [25] = 1}, 26);
    assert_int_equal(stamma_search_columns_open(&columns, buffer_cursor(&head), nothing), STAMMA_ERROR_CORRUPT);
    stamma_column_write_entry(COLUMN_MOVES, CODEC_STORED, (stamma_text){NULL, 0}, 1, &byte, 1, &head);
    assert_int_equal(stamma_search_columns_open(&columns, buffer_cursor(&head), nothing), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_search_columns_open(&columns, buffer_cursor(&head), buffer_cursor(&one)), STAMMA_OK);
    assert_int_equal(columns.signatures, SEARCH_MISSING);
    stamma_buffer_release(&head);
}

#define COLUMNS(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COLUMNS(signatures),    COLUMNS(facts_in_streams), COLUMNS(facts_are_compared),
        COLUMNS(plain_columns), COLUMNS(plain_facts),      COLUMNS(invalid_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
