/* SPDX-License-Identifier: MIT */
/* Tests the cache of open blocks: which blocks it returns, its limit, and the order in which blocks are released. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "archive/handle.h"
#include "archive_support.h"

enum { PARTS = STAMMA_GAME_TAGS, OTHER_PARTS = STAMMA_GAME_ALL };

typedef struct fixture {
    counted_memory memory;
    stamma_allocator allocator;
    block_cache cache;
} fixture;

static void open_cache(fixture *f, uint64_t limit)
{
    *f = (fixture){.allocator = counting_allocator(&f->memory)};
    stamma_block_cache_init(&f->cache, limit);
}

static void close_cache(fixture *f)
{
    stamma_block_cache_release(&f->cache, &f->allocator);
    assert_int_equal(f->memory.alive, 0);
}

/* Returns a block at an offset. Its memory is only a number. */
static cached_block *new_block(fixture *f, uint64_t offset, unsigned parts, uint64_t memory)
{
    cached_block *block = memory_allocate(&f->allocator, sizeof *block);
    assert_non_null(block);
    *block = (cached_block){.location.place.offset = offset, .parts = parts, .memory = memory};
    assert_true(stamma_block_slot_new(&block->slot, &f->allocator));
    return block;
}

static void put(fixture *f, uint64_t offset, uint64_t memory)
{
    stamma_block_cache_put(&f->cache, new_block(f, offset, PARTS, memory), &f->allocator);
}

/* Asserts that the cache contains these blocks, most recently used first, and counts their memory. */
static void expect(const fixture *f, uint64_t memory, const char *offsets)
{
    listing found = {0};
    list_word(&found, "");
    for (const cached_block *block = f->cache.first; block; block = block->next)
        list_format(&found, "%u ", (unsigned)block->location.place.offset);
    assert_string_equal(found.text, offsets);
    assert_int_equal(f->cache.memory, memory);
    free(found.text);
}

/* A block is taken out of the cache by its offset and its parts; then only its user can access it. */
static void blocks_are_taken(void **state)
{
    fixture f;
    (void)state;
    open_cache(&f, 1000);
    assert_null(stamma_block_cache_take(&f.cache, 1, PARTS));
    put(&f, 1, 10);
    put(&f, 2, 20);
    stamma_block_cache_put(&f.cache, new_block(&f, 2, OTHER_PARTS, 30), &f.allocator);
    put(&f, 3, 40);
    expect(&f, 100, "3 2 2 1 ");
    assert_null(stamma_block_cache_take(&f.cache, 4, PARTS));
    assert_null(stamma_block_cache_take(&f.cache, 1, OTHER_PARTS));
    cached_block *block = stamma_block_cache_take(&f.cache, 2, PARTS);
    assert_true(block && block->parts == PARTS && block->memory == 20);
    expect(&f, 80, "3 2 1 ");
    assert_null(stamma_block_cache_take(&f.cache, 2, PARTS));
    stamma_block_cache_put(&f.cache, block, &f.allocator);
    expect(&f, 100, "2 3 2 1 ");
    block = stamma_block_cache_take(&f.cache, 2, OTHER_PARTS);
    assert_true(block && block->parts == OTHER_PARTS && block->memory == 30);
    stamma_cached_block_release(block, &f.allocator);
    stamma_cached_block_release(NULL, &f.allocator);
    expect(&f, 70, "2 3 1 ");
    close_cache(&f);
}

/* The least recently used blocks are released first. */
static void the_limit_is_kept(void **state)
{
    fixture f;
    (void)state;
    open_cache(&f, 100);
    put(&f, 1, 40);
    put(&f, 2, 40);
    put(&f, 3, 20);
    expect(&f, 100, "3 2 1 ");
    put(&f, 4, 1);
    expect(&f, 61, "4 3 2 ");
    stamma_block_cache_put(&f.cache, stamma_block_cache_take(&f.cache, 2, PARTS), &f.allocator); /* is used */
    put(&f, 5, 39);
    expect(&f, 100, "5 2 4 3 ");
    put(&f, 6, 20);
    expect(&f, 100, "6 5 2 4 ");
    put(&f, 7, 100);
    expect(&f, 100, "7 ");
    put(&f, 8, 101); /* larger than the limit */
    expect(&f, 100, "7 ");
    put(&f, 9, 0);
    expect(&f, 100, "9 7 ");
    close_cache(&f);
}

/* Two readers may have opened the same block. */
static void copies_are_kept(void **state)
{
    fixture f;
    (void)state;
    open_cache(&f, 100);
    put(&f, 1, 30);
    put(&f, 1, 31);
    expect(&f, 61, "1 1 ");
    cached_block *last = stamma_block_cache_take(&f.cache, 1, PARTS),
                 *first = stamma_block_cache_take(&f.cache, 1, PARTS);
    assert_true(last && first && last->memory == 31 && first->memory == 30);
    expect(&f, 0, "");
    stamma_cached_block_release(last, &f.allocator);
    stamma_cached_block_release(first, &f.allocator);
    close_cache(&f);
}

enum { THREADS = 4, STEPS = 2000, BLOCKS = 6 };

/* Changes a number in each block, which only the user of the block may change. */
static void *use_blocks(void *context)
{
    fixture *f = context;
    for (uint64_t n = 0; n < STEPS; n++) {
        cached_block *block = stamma_block_cache_take(&f->cache, n * n % BLOCKS, PARTS);
        if (!block)
            block = new_block(f, n * n % BLOCKS, PARTS, 10);
        block->opened++;
        stamma_block_cache_put(&f->cache, block, &f->allocator);
    }
    return NULL;
}

static void threads_take_and_put(void **state)
{
    fixture f;
    pthread_t threads[THREADS];
    (void)state;
    open_cache(&f, 45);
    for (size_t n = 0; n < THREADS; n++)
        assert_int_equal(pthread_create(&threads[n], NULL, use_blocks, &f), 0);
    for (size_t n = 0; n < THREADS; n++)
        assert_int_equal(pthread_join(threads[n], NULL), 0);
    assert_true(f.cache.memory > 0 && f.cache.memory <= f.cache.limit);
    close_cache(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_taken),
        cmocka_unit_test(the_limit_is_kept),
        cmocka_unit_test(copies_are_kept),
        cmocka_unit_test(threads_take_and_put),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
