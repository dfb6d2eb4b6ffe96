/* SPDX-License-Identifier: MIT */
/* Tests memory functions: the caller's allocator is used, a failed growth keeps the contents, and sizes never
 * overflow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

/* An allocator that counts calls and fails after `left` allocations. */
typedef struct counter {
    unsigned left, resizes, releases;
} counter;

static void *no_allocate(void *context, size_t size)
{
    (void)context, (void)size;
    fail_msg("a buffer grows by resizing alone");
    return NULL;
}

static void *count_resize(void *context, void *memory, size_t size)
{
    counter *c = context;
    c->resizes++;
    return c->left == 0 ? NULL : (c->left--, realloc(memory, size));
}

static void count_release(void *context, void *memory)
{
    counter *c = context;
    c->releases++;
    free(memory);
}

static void the_given_allocator_is_asked(void **state)
{
    (void)state;
    counter c = {.left = 1};
    const stamma_allocator given = {&c, no_allocate, count_resize, count_release};
    stamma_allocator allocator = stamma_allocator_or_default(&given);
    buffer b = {.allocator = &allocator};
    buffer_add(&b, "stamma", 6);
    buffer_add(&b, NULL, 0);
    buffer_add_byte(&b, '!');
    assert_int_equal(c.resizes, 1);
    assert_int_equal(b.size, 7);
    assert_memory_equal(b.data, "stamma!", 7);
    stamma_buffer_release(&b);
    assert_int_equal(c.releases, 1);
    assert_null(b.data);
    assert_int_equal(b.capacity, 0);
}

static void a_failed_growth_keeps_what_there_was(void **state)
{
    (void)state;
    counter c = {.left = 1};
    const stamma_allocator given = {&c, no_allocate, count_resize, count_release};
    buffer b = {.allocator = &given};
    buffer_add(&b, "kept", 4);
    size_t capacity = b.capacity;
    char large[1000] = {0};
    buffer_add(&b, large, sizeof large);
    assert_true(b.failed);
    assert_int_equal(b.size, 4);
    assert_int_equal(b.capacity, capacity);
    assert_memory_equal(b.data, "kept", 4);
    buffer_add_byte(&b, 'x'); /* bytes that fit are still added; the error flag stays set */
    assert_int_equal(b.size, 5);
    assert_true(b.failed);
    stamma_buffer_release(&b);
}

static void no_size_wraps(void **state)
{
    (void)state;
    counter c = {.left = 9};
    const stamma_allocator given = {&c, no_allocate, count_resize, count_release};
    buffer b = {.allocator = &given};
    buffer_add_byte(&b, 1);
    assert_false(stamma_buffer_grow(&b, SIZE_MAX)); /* without calling the allocator for an impossible size */
    assert_int_equal(c.resizes, 1);
    assert_true(b.failed);
    stamma_buffer_release(&b);

    assert_true(size_add(SIZE_MAX - 1, 1) == SIZE_MAX);
    assert_true(size_add(SIZE_MAX - 1, 2) == SIZE_MAX);
    assert_true(size_multiply(SIZE_MAX / 2, 2) == SIZE_MAX - 1);
    assert_true(size_multiply(SIZE_MAX / 2 + 1, 2) == SIZE_MAX);
    assert_true(size_multiply(SIZE_MAX, 0) == 0);
}

/* A buffer grows by a factor, so appending many small pieces needs few allocations. */
static void growth_is_geometric(void **state)
{
    (void)state;
    counter c = {.left = 100};
    const stamma_allocator given = {&c, no_allocate, count_resize, count_release};
    buffer b = {.allocator = &given};
    for (unsigned i = 0; i < 1u << 20; i++)
        buffer_add_byte(&b, (uint8_t)(i * 7));
    assert_false(b.failed);
    assert_in_range(c.resizes, 1, 30);
    for (unsigned i = 0; i < 1u << 20; i++)
        assert_int_equal(b.data[i], (uint8_t)(i * 7));
    stamma_buffer_release(&b);
}

/* Loads and stores are little-endian at any address. A cursor returns nothing beyond its end. */
static void words_and_cursors(void **state)
{
    (void)state;
    uint8_t bytes[16] = {0};
    store_u64(bytes + 1, UINT64_C(0x0123456789ABCDEF));
    assert_memory_equal(bytes + 1, "\xEF\xCD\xAB\x89\x67\x45\x23\x01", 8);
    assert_true(load_u64(bytes + 1) == UINT64_C(0x0123456789ABCDEF));
    assert_int_equal(load_u32(bytes + 3), 0x456789AB);
    assert_int_equal(load_u16(bytes + 7), 0x0123);

    cursor c = {bytes, bytes + 4, false};
    assert_ptr_equal(cursor_take(&c, 3), bytes);
    assert_ptr_equal(cursor_take(&c, 0), bytes + 3);
    assert_null(cursor_take(&c, 2));
    assert_true(c.failed);
    assert_int_equal(cursor_left(&c), 0);
    assert_int_equal(cursor_byte(&c), 0);
    assert_null(cursor_take(&c, UINT64_MAX));
}

/* Emptying a buffer keeps small memory, and large memory that was used; other memory is released. */
static void an_emptied_buffer_gives_unused_room_back(void **state)
{
    static const struct {
        size_t room, filled;
        bool stays;
    } cases[] = {{1 << 20, 0, true}, {1 << 22, 1 << 20, true}, {1 << 22, 1000, false}, {0, 0, true}};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buffer b = {.allocator = &allocator};
        assert_true(buffer_reserve(&b, cases[i].room));
        size_t capacity = b.capacity;
        b.size = cases[i].filled;
        stamma_buffer_empty(&b);
        assert_int_equal(b.size, 0);
        assert_int_equal(b.capacity, cases[i].stays ? capacity : 0);
        stamma_buffer_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_emptied_buffer_gives_unused_room_back),
        cmocka_unit_test(the_given_allocator_is_asked),
        cmocka_unit_test(a_failed_growth_keeps_what_there_was),
        cmocka_unit_test(no_size_wraps),
        cmocka_unit_test(growth_is_geometric),
        cmocka_unit_test(words_and_cursors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
