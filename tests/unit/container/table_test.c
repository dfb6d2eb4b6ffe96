/* SPDX-License-Identifier: MIT */
/* Tests the reading of tables of blocks (clause 7.5 of the format): payloads that the test writes, and invalid
 * payloads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "container/container.h"
#include "pgn_support.h"

typedef struct payload {
    uint8_t bytes[400];
    size_t size;
} payload;

static void put_u64(payload *p, uint64_t number)
{
    for (unsigned n = 0; n < 8; n++)
        p->bytes[p->size++] = (uint8_t)(number >> 8 * n);
}

/* LEB128, as the format defines it. */
static void put_number(payload *p, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        p->bytes[p->size++] = (uint8_t)(number | 128);
    p->bytes[p->size++] = (uint8_t)number;
}

/* A block: the number of bytes since the last block; its size, games and text size. */
typedef struct block {
    uint64_t between, size, games, text;
} block;

static payload table_of(const block *blocks, uint64_t count, size_t written, uint64_t offset)
{
    payload p = {.size = 0};
    put_u64(&p, 1234);
    put_number(&p, 5);
    put_number(&p, count);
    for (size_t n = 0; n < written; n++) {
        put_number(&p, blocks[n].between);
        put_number(&p, blocks[n].size);
        put_number(&p, blocks[n].games);
        put_number(&p, blocks[n].text);
    }
    put_u64(&p, offset);
    memcpy(p.bytes + p.size, "StEndTbl", 8);
    p.size += 8;
    return p;
}

static stamma_error read_table(const payload *p, size_t size, stored_table *head, block_table *t)
{
    static stamma_allocator allocator;
    allocator = stamma_allocator_or_default(NULL);
    *t = (block_table){.allocator = &allocator};
    uint8_t *copy = malloc(size + 1); /* the sanitizers notice a read after its end */
    assert_non_null(copy);
    memcpy(copy, p->bytes, size);
    const stamma_error error = stamma_table_read(copy, size, head, t);
    free(copy);
    return error;
}

static void expect_corrupt(const payload *p, size_t size)
{
    stored_table head;
    block_table t;
    assert_int_equal(read_table(p, size, &head, &t), STAMMA_ERROR_CORRUPT);
    stamma_table_release(&t);
}

static const block two[2] = {{16, 1000, 7, 5000}, {300, 70000, 65536, 1 << 22}};
enum { END = 16 + FRAME_HEADER_SIZE + 1000 + 300 + FRAME_HEADER_SIZE + 70000 };

static void blocks_are_read(void **state)
{
    stored_table head;
    block_table t;
    (void)state;
    const payload p = table_of(two, 2, 2, END);
    assert_int_equal(read_table(&p, p.size, &head, &t), STAMMA_OK);
    assert_int_equal(head.previous, 1234);
    assert_int_equal(head.first, 5);
    assert_int_equal(head.offset, END);
    assert_int_equal(t.count, 2);
    assert_int_equal(t.entries[0].offset, 16);
    assert_int_equal(t.entries[1].offset, 16 + FRAME_HEADER_SIZE + 1000 + 300);
    assert_int_equal(t.entries[1].size, 70000);
    assert_int_equal(t.entries[1].games, 65536);
    assert_int_equal(t.entries[1].text_size, 1 << 22);
    stamma_table_release(&t);
}

static void other_bytes_are_corrupt(void **state)
{
    (void)state;
    payload p = table_of(two, 2, 2, END);
    for (size_t size = 0; size < p.size; size++)
        expect_corrupt(&p, size);
    p.bytes[p.size - 1] ^= 1; /* the last bytes of a table */
    expect_corrupt(&p, p.size);
    p.bytes[p.size - 1] ^= 1;
    p.bytes[p.size] = 0;
    expect_corrupt(&p, p.size + 1);
    p = table_of(two, 2, 2, END - 1); /* the last block would end after the table begins */
    expect_corrupt(&p, p.size);
    p = table_of(two, 3, 2, END);
    expect_corrupt(&p, p.size);
    p = table_of(two, 1, 2, END);
    expect_corrupt(&p, p.size);
    p = table_of(two, UINT64_MAX, 2, END);
    expect_corrupt(&p, p.size);
}

/* Numbers of the second block that exceed their limits. */
static void limits(void **state)
{
    static const block wrong[] = {
        {UINT64_MAX - 500, 70000, 1, 1}, /* the offset overflows */
        {INT64_MAX, 70000, 1, 1},        /* the offset is above the limit */
        {0, BLOCK_SIZE_MAX + 1, 1, 1},   /* size of a frame */
        {0, 70000, BLOCK_RECORDS_MAX + 1, 1},
        {0, 70000, 1, (uint64_t)BLOCK_TEXT_MAX + 1},
    };
    (void)state;
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        const block blocks[2] = {two[0], wrong[n]};
        const payload p = table_of(blocks, 2, 2, UINT64_MAX);
        expect_corrupt(&p, p.size);
    }
}

/* A table for each block, each with the offset of the previous table. Offset of table n: 1000 * n + 500. */
static payload single_table(uint64_t n)
{
    payload p = {.size = 0};
    put_u64(&p, n == 0 ? 0 : 1000 * (n - 1) + 500);
    put_number(&p, n);
    put_number(&p, 1);
    put_number(&p, 1000 * n + 16);
    put_number(&p, 50);
    put_number(&p, 2);
    put_number(&p, 20);
    put_u64(&p, 1000 * n + 500);
    memcpy(p.bytes + p.size, "StEndTbl", 8);
    p.size += 8;
    return p;
}

/* Writers should write few tables, but readers accept any number (7.5). */
static void many_tables(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    block_table t = {.allocator = &allocator};
    for (uint64_t n = 0; n < TABLES_MAX + 10; n++) {
        const payload p = single_table(n), wrong = single_table(n + 1);
        const table_entry block = {.offset = 1000 * n + 16, .size = 50, .games = 2, .text_size = 20};
        assert_true(stamma_table_add(&t, block));
        assert_int_equal(stamma_table_check(&t, wrong.bytes, wrong.size, 1000 * n + 500), STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_table_check(&t, p.bytes, 8, 1000 * n + 500), STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_table_check(&t, p.bytes, p.size, 1000 * n + 500), STAMMA_OK);
    }
    assert_int_equal(t.table_count, TABLES_MAX);
    stamma_table_release(&t);
}

/* A table that contradicts the blocks is rejected without making the correct table, which would need memory. */
static void other_counts_are_cheap(void **state)
{
    (void)state;
    failing_memory memory = {.fail_at = 0};
    const stamma_allocator allocator = failing_allocator(&memory);
    block_table t = {.allocator = &allocator};
    const table_entry block = {.offset = 16, .size = 50, .games = 2, .text_size = 20};
    for (unsigned n = 0; n < 4; n++)
        assert_true(stamma_table_add(&t, block));
    const payload fewer = single_table(0), later = single_table(1);
    payload shorter = single_table(0);
    shorter.bytes[9] = 4; /* four blocks in fewer bytes than these need */
    memory = (failing_memory){.fail_at = 1};
    assert_int_equal(stamma_table_check(&t, fewer.bytes, fewer.size, 500), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_table_check(&t, later.bytes, later.size, 500), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_table_check(&t, shorter.bytes, 10, 500), STAMMA_ERROR_CORRUPT);
    stamma_table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_read), cmocka_unit_test(other_bytes_are_corrupt),
                                       cmocka_unit_test(limits), cmocka_unit_test(many_tables),
                                       cmocka_unit_test(other_counts_are_cheap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
