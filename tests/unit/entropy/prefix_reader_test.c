/* SPDX-License-Identifier: MIT */
/* Tests columns of codes with shared beginnings (clause 19): each string decodes separately in any order, damage to a
 * group is found when the group is read, and opening any bytes is safe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "prefix_strings.h"
#include "sample_positions.h"

typedef struct sample {
    sample_strings strings;
    buffer stored;
    byte_packer coder;
    prefix_column column;
    prefix_reader reader;
} sample;

static sample *make(size_t count, size_t longest, uint64_t seed)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    sample_strings_init(&s->strings, seed);
    sample_strings_draw(&s->strings, count, longest);
    s->stored.allocator = &s->strings.allocator;
    assert_int_equal(stamma_prefix_column_write(&s->coder, &s->strings.strings, &s->stored), STAMMA_OK);
    stamma_prefix_column_init(&s->column, &s->strings.allocator);
    stamma_prefix_reader_init(&s->reader, &s->strings.allocator);
    return s;
}

static void release(sample *s)
{
    stamma_prefix_column_release(&s->column);
    stamma_prefix_reader_release(&s->reader);
    stamma_byte_packer_release(&s->coder);
    stamma_buffer_release(&s->stored);
    sample_strings_release(&s->strings);
    free(s);
}

static stamma_error open_column(sample *s)
{
    const prefix_strings *strings = &s->strings.strings;
    stamma_error error = stamma_prefix_column_open(&s->column, &s->coder, buffer_cursor(&s->stored),
                                                   s->strings.codes.size, strings->sizes, strings->count);
    if (error == STAMMA_OK)
        stamma_prefix_reader_begin(&s->reader, &s->column, s->stored.data);
    return error;
}

static void expect_own_codes(sample *s, size_t n)
{
    const uint8_t *codes = NULL, *rest = NULL, *own = sample_string(&s->strings, n);
    const prefix_record *r = &prefix_records(&s->column)[n];
    const prefix_node *node = &prefix_nodes(&s->column)[r->node];
    size_t size = s->strings.strings.sizes[n];
    assert_int_equal(prefix_string_size(&s->column, n), size);
    assert_int_equal(node->depth + r->size, size);
    assert_true(!s->strings.strings.apart[n] || r->node == 0);
    assert_int_equal(stamma_prefix_reader_codes(&s->reader, n, &codes), STAMMA_OK);
    assert_true(size == 0 || memcmp(codes, own, size) == 0);
    assert_int_equal(stamma_prefix_reader_rest(&s->reader, n, &rest), STAMMA_OK);
    assert_true(r->size == 0 || memcmp(rest, own + node->depth, r->size) == 0);
}

/* Reads some of the first codes of the rests of random records. */
static void expect_own_beginnings(sample *s, size_t records)
{
    for (unsigned turn = 0; turn < 300; turn++) {
        size_t n = (size_t)(random_next(&s->strings.seed) % records);
        const prefix_record *r = &prefix_records(&s->column)[n];
        size_t count = (size_t)(random_next(&s->strings.seed) % (r->size + 2));
        const uint8_t *rest = NULL, *own = sample_string(&s->strings, n) + prefix_nodes(&s->column)[r->node].depth;
        assert_int_equal(stamma_prefix_reader_first(&s->reader, n, count, &rest), STAMMA_OK);
        count = count < r->size ? count : r->size;
        assert_true(count == 0 || memcmp(rest, own, count) == 0);
    }
}

/* Checks the relations between nodes. */
static void expect_nodes(const sample *s)
{
    const prefix_node *nodes = prefix_nodes(&s->column);
    size_t count = prefix_node_count(&s->column);
    assert_int_equal(nodes[0].end, count);
    for (size_t n = 1; n < count; n++) {
        const prefix_node *parent = &nodes[nodes[n].parent];
        assert_true(nodes[n].parent < n && nodes[n].end > n && nodes[n].end <= parent->end);
        assert_int_equal(nodes[n].depth, parent->depth + 1);
        assert_true(nodes[n].reached || nodes[n].end > n + 1);
    }
}

static void round_trip(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 3, 15, 16, 17, 32, 300, 700};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            sample *s = make(counts[i], seed == 3 ? 0 : 60, seed + i);
            assert_int_equal(open_column(s), STAMMA_OK);
            expect_nodes(s);
            for (size_t n = 0; n < counts[i]; n++)
                expect_own_codes(s, n);
            for (unsigned turn = 0; turn < 200; turn++)
                expect_own_codes(s, (size_t)(random_next(&s->strings.seed) % counts[i]));
            expect_own_beginnings(s, counts[i]);
            assert_int_equal(stamma_prefix_column_find_starts(&s->column, s->stored.data), STAMMA_OK);
            for (unsigned turn = 0; turn < 200; turn++)
                expect_own_codes(s, (size_t)(random_next(&s->strings.seed) % counts[i]));
            expect_own_beginnings(s, counts[i]);
            release(s);
        }
}

static void duplicates_take_hardly_anything(void **state)
{
    (void)state;
    sample *s = make(1, 0, 1);
    uint8_t codes[300];
    for (size_t i = 0; i < sizeof codes; i++)
        codes[i] = (uint8_t)(random_next(&s->strings.seed) % 256);
    for (size_t n = 0; n < 1000; n++)
        sample_strings_add(&s->strings, codes, sizeof codes, false);
    s->stored.size = 0;
    assert_int_equal(stamma_prefix_column_write(&s->coder, &s->strings.strings, &s->stored), STAMMA_OK);
    assert_true(s->stored.size < 600);
    assert_int_equal(open_column(s), STAMMA_OK);
    expect_nodes(s);
    assert_int_equal(prefix_node_count(&s->column), 301);
    expect_own_codes(s, 1000);
    expect_own_codes(s, 5);
    release(s);
}

/* Groups have no checksums. A damaged group decodes to other codes or an error. The groups before and after it are
 * unchanged. */
static void damage_to_a_group(void **state)
{
    (void)state;
    sample *s = make(400, 60, 3);
    const uint8_t *codes;
    const size_t first = 10 * PREFIX_GROUP, past = 11 * PREFIX_GROUP;
    unsigned other = 0, refused = 0;
    assert_int_equal(open_column(s), STAMMA_OK);
    const uint32_t *ends = (const uint32_t *)(const void *)s->column.ends.data;
    uint8_t *groups = s->stored.data + s->column.head;
    for (uint32_t at = ends[9]; at < ends[10]; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            groups[at] ^= (uint8_t)(1 << bit);
            bool differs = false, fails = false;
            for (size_t n = first; n < past && !fails; n++) {
                fails = stamma_prefix_reader_codes(&s->reader, n, &codes) != STAMMA_OK;
                differs |= !fails && memcmp(codes, sample_string(&s->strings, n), s->strings.strings.sizes[n]) != 0;
            }
            assert_true(differs || fails);
            stamma_error starts = stamma_prefix_column_find_starts(&s->column, s->stored.data);
            assert_int_equal(starts, fails ? STAMMA_ERROR_CORRUPT : STAMMA_OK);
            assert_true(starts == STAMMA_OK || s->column.starts.size == 0);
            other += !fails;
            refused += fails;
            expect_own_codes(s, first - 1);
            expect_own_codes(s, past);
            groups[at] ^= (uint8_t)(1 << bit);
        }
    assert_true(other > 0 && refused > 0);
    expect_own_codes(s, 170);
    release(s);
}

static void other_sizes_are_refused(void **state)
{
    (void)state;
    sample *s = make(300, 40, 9);
    const prefix_strings *strings = &s->strings.strings;
    cursor stored = buffer_cursor(&s->stored);
    size_t size = s->strings.codes.size, count = strings->count;
    prefix_column *c = &s->column;
    assert_int_equal(stamma_prefix_column_open(c, &s->coder, stored, size, strings->sizes, count), STAMMA_OK);
    assert_int_equal(stamma_prefix_column_open(c, &s->coder, stored, size + 1, strings->sizes, count),
                     STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_prefix_column_open(c, &s->coder, stored, size - 1, strings->sizes, count),
                     STAMMA_ERROR_CORRUPT);
    assert_int_equal(
        stamma_prefix_column_open(c, &s->coder, stored, size - strings->sizes[count - 1], strings->sizes, count - 1),
        STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_prefix_column_open(c, &s->coder, stored, PREFIX_PLAIN_MAX + 1, strings->sizes, count),
                     STAMMA_ERROR_CORRUPT);
    release(s);
}

static void any_bytes(void **state)
{
    (void)state;
    unsigned refused = 0, opened = 0;
    uint64_t random = 77;
    sample *s = make(400, 30, 4);
    buffer whole = {.allocator = &s->strings.allocator};
    buffer_add(&whole, s->stored.data, s->stored.size);
    for (unsigned turn = 0; turn < 6000; turn++) {
        memcpy(s->stored.data, whole.data, whole.size);
        s->stored.size = turn % 7 == 0 ? (size_t)(random_next(&random) % whole.size) : whole.size;
        for (unsigned n = 0; n < 1 + turn % 3 && s->stored.size > 0; n++)
            s->stored.data[random_next(&random) % s->stored.size] ^= (uint8_t)(1 + random_next(&random) % 255);
        stamma_error error = open_column(s);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
        refused += error != STAMMA_OK;
        opened += error == STAMMA_OK;
        const uint8_t *codes;
        for (size_t n = 0; n < 400 && error == STAMMA_OK; n += 13)
            (void)stamma_prefix_reader_codes(&s->reader, n, &codes);
        if (error == STAMMA_OK)
            expect_nodes(s);
    }
    assert_true(refused > 1000 && opened > 100);
    stamma_buffer_release(&whole);
    release(s);
}

/* Packs a header with these streams again. */
static void replace_header(sample *s, const buffer streams[PREFIX_STREAMS])
{
    static const int efforts[PREFIX_STREAMS] = {EFFORT_FAST, EFFORT_FAST, EFFORT_FAST, EFFORT_FAST,
                                                EFFORT_FAST, EFFORT_FAST, EFFORT_FAST};
    buffer head = {.allocator = &s->strings.allocator};
    assert_int_equal(stamma_streams_pack(&s->coder, streams, efforts, PREFIX_STREAMS, &head), STAMMA_OK);
    s->stored.size = 0;
    stamma_buffer_add_varint(&s->stored, head.size);
    buffer_add(&s->stored, head.data, head.size);
    stamma_buffer_release(&head);
}

/* Tries with too large or too many numbers of children, with numbers that would be right without their high bits, and
 * with more nodes than records can refer to. */
static void impossible_tries_are_refused(void **state)
{
    (void)state;
    enum { WAYS = 5 };
    for (unsigned way = 0; way < WAYS; way++) {
        sample *s = make(300, 40, 9);
        buffer streams[PREFIX_STREAMS], children = {.allocator = &s->strings.allocator};
        assert_int_equal(open_column(s), STAMMA_OK);
        buffer groups = {.allocator = &s->strings.allocator};
        buffer_add(&groups, s->stored.data + s->column.head, s->stored.size - s->column.head);
        memcpy(streams, s->column.streams, sizeof streams);
        cursor in = buffer_cursor(&streams[PREFIX_CHILDREN]);
        const uint64_t own = stamma_cursor_varint(&in);
        stamma_buffer_add_varint(&children, way == 1 ? own + (UINT64_C(1) << 32) : way == 2 ? 257 : own);
        buffer_add(&children, in.at, cursor_left(&in));
        if (way == 3)
            buffer_add_byte(&children, 0);
        streams[PREFIX_CHILDREN] = children;
        buffer codes = {.allocator = &s->strings.allocator};
        if (way == 4) {
            assert_non_null(buffer_array(&codes, PREFIX_NODES_MAX, 1));
            memset(codes.data, 0, codes.size);
            streams[PREFIX_CODES] = codes;
        }
        replace_header(s, streams);
        buffer_add(&s->stored, groups.data, groups.size);
        const prefix_strings *strings = &s->strings.strings;
        assert_int_equal(stamma_prefix_column_open(&s->column, &s->coder, buffer_cursor(&s->stored),
                                                   way == 4 ? 2 * PREFIX_NODES_MAX : s->strings.codes.size,
                                                   strings->sizes, strings->count),
                         way == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        stamma_buffer_release(&children);
        stamma_buffer_release(&groups);
        stamma_buffer_release(&codes);
        release(s);
    }
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    sample *s = make(200, 40, 6);
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    for (unsigned call = 1; error != STAMMA_OK; call++) {
        failing_memory memory = {.fail_at = call};
        stamma_allocator allocator = failing_allocator(&memory);
        prefix_column c;
        prefix_reader r;
        const uint8_t *codes;
        buffer stored = {.allocator = &allocator};
        stamma_prefix_column_init(&c, &allocator);
        stamma_prefix_reader_init(&r, &allocator);
        error = stamma_prefix_column_write(&s->coder, &s->strings.strings, &stored);
        if (error == STAMMA_OK)
            error = stamma_prefix_column_open(&c, &s->coder, buffer_cursor(&stored), s->strings.codes.size,
                                              s->strings.strings.sizes, s->strings.strings.count);
        if (error == STAMMA_OK)
            stamma_prefix_reader_begin(&r, &c, stored.data);
        for (size_t n = 0; n < 200 && error == STAMMA_OK; n++)
            error = stamma_prefix_reader_codes(&r, n, &codes);
        assert_int_equal(error, memory.calls < call ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
        stamma_prefix_column_release(&c);
        stamma_prefix_reader_release(&r);
        stamma_buffer_release(&stored);
        assert_int_equal(memory.alive, 0);
    }
    release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(duplicates_take_hardly_anything),
        cmocka_unit_test(damage_to_a_group),
        cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(impossible_tries_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
