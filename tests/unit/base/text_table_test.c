/* SPDX-License-Identifier: MIT */
/* Tests the table of texts: numbers in order of first occurrence, copies of texts, and texts that are chosen to slow
 * down the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/tables.h"

#include "archive_support.h"
#include "chosen_texts.h"

enum { TEXTS = 5000 };

static stamma_text numbered(char out[16], unsigned n)
{
    return (stamma_text){out, (size_t)snprintf(out, 16, "%u", n)};
}

/* Texts get numbers in order of first occurrence, also after the table was emptied. */
static void texts_are_numbered_once(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    text_table table = {.allocator = &allocator};
    static char names[TEXTS][16];
    for (int emptied = 0; emptied < 2; emptied++) {
        assert_int_equal(stamma_text_table_find(&table, (stamma_text){"1", 1}), 0);
        for (int round = 0; round < 2; round++)
            for (uint32_t n = 0; n < TEXTS; n++)
                assert_int_equal(stamma_text_table_add(&table, numbered(names[n], n)), n + 1);
        assert_int_equal(table.count, TEXTS);
        for (uint32_t n = 0; n < TEXTS; n++) {
            assert_ptr_equal(text_table_at(&table, n + 1).data, names[n]);
            assert_int_equal(stamma_text_table_find(&table, numbered(names[n], n)), n + 1);
        }
        assert_int_equal(stamma_text_table_find(&table, (stamma_text){"-1", 2}), 0);
        stamma_text_table_clear(&table);
    }
    stamma_text_table_release(&table);
}

/* Copies belong to the table and do not move. A text may be empty, or larger than all earlier texts together. */
static void copies_stay(void **state)
{
    (void)state;
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    text_table table = {.allocator = &allocator, .copies = true};
    static char large[300000];
    char text[16];
    const char *first = NULL;
    memset(large, 'x', sizeof large);
    for (uint32_t n = 0; n < TEXTS; n++) {
        assert_int_equal(stamma_text_table_add(&table, numbered(text, n)), n + 1);
        first = n == 0 ? text_table_at(&table, 1).data : first;
    }
    assert_int_equal(stamma_text_table_add(&table, (stamma_text){large, sizeof large}), TEXTS + 1);
    assert_int_equal(stamma_text_table_add(&table, (stamma_text){NULL, 0}), TEXTS + 2);
    memset(large, 'y', 1);
    assert_ptr_equal(text_table_at(&table, 1).data, first);
    for (uint32_t n = 0; n < TEXTS; n++)
        assert_true(text_equal(text_table_at(&table, n + 1), numbered(text, n)));
    assert_int_equal(text_table_at(&table, TEXTS + 1).data[0], 'x');
    assert_int_equal(stamma_text_table_find(&table, (stamma_text){"", 0}), TEXTS + 2);
    stamma_text_table_release(&table);
    assert_int_equal(memory.alive, 0);
}

/* An allocator that succeeds a few times; `context` points to the remaining number. */
static void *allocate(void *context, size_t size)
{
    return *(int *)context > 0 ? --*(int *)context, malloc(size) : NULL;
}

static void *resize(void *context, void *memory, size_t size)
{
    return *(int *)context > 0 ? --*(int *)context, realloc(memory, size) : NULL;
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* Without memory a text gets no number, earlier texts remain, and the failure can be queried at the end. */
static void memory_runs_out(void **state)
{
    (void)state;
    int more;
    for (more = 0;; more++) {
        int left = more;
        stamma_allocator allocator = {&left, allocate, resize, release};
        text_table table = {.allocator = &allocator, .copies = true};
        char text[16];
        uint32_t n = 0;
        while (n < TEXTS && stamma_text_table_add(&table, numbered(text, n)) == n + 1)
            n++;
        assert_int_equal(table.failed, n < TEXTS);
        assert_int_equal(table.count, n);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(stamma_text_table_find(&table, numbered(text, i)), i + 1);
        stamma_text_table_release(&table);
        if (n == TEXTS)
            break;
    }
    assert_true(more > 6);
}

/* A table that contained many texts is as small as a new table after it was cleared while it contained few texts. */
static void memory_of_many_texts_is_freed(void **state)
{
    enum { MANY = 100000 };
    (void)state;
    for (unsigned copies = 0; copies < 2; copies++) {
        stamma_allocator allocator = stamma_allocator_or_default(NULL);
        text_table table = {.allocator = &allocator, .copies = copies};
        static char texts[MANY][16];
        for (uint32_t n = 0; n < MANY; n++)
            assert_int_equal(stamma_text_table_add(&table, numbered(texts[n], n)), n + 1);
        stamma_text_table_clear(&table);
        assert_true(table.capacity >= MANY); /* it was full */
        assert_int_equal(stamma_text_table_find(&table, numbered(texts[0], 0)), 0);
        assert_int_equal(stamma_text_table_add(&table, numbered(texts[7], 7)), 1);
        stamma_text_table_clear(&table);
        assert_int_equal(table.capacity, 0);
        assert_int_equal(stamma_text_table_find(&table, numbered(texts[7], 7)), 0);
        assert_int_equal(stamma_text_table_add(&table, numbered(texts[5], 5)), 1);
        assert_int_equal(stamma_text_table_find(&table, numbered(texts[5], 5)), 1);
        stamma_text_table_release(&table);
    }
}

/* Three hundred thousand texts that collide in a hash without a key. */
static void chosen_texts_are_quick(void **state)
{
    enum { CHOSEN = 300000 };
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    text_table table = {.allocator = &allocator};
    char(*texts)[CHOSEN_TEXT_SIZE] = malloc(CHOSEN * sizeof *texts);
    uint64_t number = 0;
    assert_non_null(texts);
    for (uint32_t n = 0; n < CHOSEN; n++) {
        next_chosen_text(&number, texts[n]);
        assert_int_equal(unkeyed_hash(texts[n], CHOSEN_TEXT_SIZE), unkeyed_hash(texts[0], CHOSEN_TEXT_SIZE));
        assert_int_equal(stamma_text_table_add(&table, (stamma_text){texts[n], CHOSEN_TEXT_SIZE}), n + 1);
    }
    assert_true(table.steps <= (uint64_t)STEPS_EACH * CHOSEN);
    free(texts);
    stamma_text_table_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_numbered_once), cmocka_unit_test(copies_stay),
        cmocka_unit_test(memory_runs_out),         cmocka_unit_test(memory_of_many_texts_is_freed),
        cmocka_unit_test(chosen_texts_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
