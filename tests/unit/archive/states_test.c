/* SPDX-License-Identifier: MIT */
/* Tests the states of an archive. Each state must be the file that existed before the next append, although an append
 * with many blocks writes several commits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "memory_file.h"

enum { STATES = 4, BLOCK_RECORDS = 65536 };

typedef struct fixture {
    memory_file file;
    listing copies[STATES]; /* of the file in each state */
    uint64_t games[STATES];
} fixture;

/* Appends games without moves: many of them fill blocks. */
static void append(memory_file *file, size_t games)
{
    listing text = {0};
    for (size_t n = 0; n < games; n++)
        list_bytes(&text, "* ", 2);
    memory_file_append(file, &text);
    free(text.text);
}

static void keep(fixture *f, size_t n, uint64_t games)
{
    list_bytes(&f->copies[n], f->file.bytes.text, f->file.bytes.size);
    f->games[n] = games;
}

static int set_up(void **state)
{
    static fixture f;
    static const size_t more[STATES] = {0, 3, 9 * BLOCK_RECORDS + 5, 1}; /* the third append commits twice */
    f = (fixture){.games = {0}};
    listing first = pack("1. e4 *\n", 8, NULL);
    f.file = memory_file_of(first.text, first.size);
    free(first.text);
    uint64_t games = 1;
    for (size_t n = 0; n < STATES; n++) {
        if (more[n] > 0)
            append(&f.file, more[n]);
        keep(&f, n, games += more[n]);
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (size_t n = 0; n < STATES; n++)
        free(f->copies[n].text);
    free(f->file.bytes.text);
    return 0;
}

static stamma_archive *open_memory(const void *bytes, size_t size)
{
    const stamma_bytes all = stamma_bytes_of(bytes, size);
    stamma_archive *archive = NULL;
    assert_int_equal(stamma_archive_open(&all, NULL, &archive), STAMMA_OK);
    return archive;
}

static bool is_same(const stamma_archive_state *a, const stamma_archive_state *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Checks all states of an archive, from state `last` on. */
static void expect_states(const fixture *f, stamma_archive *archive, size_t last)
{
    stamma_archive_state now, before;
    memset(&now, 0x55, sizeof now);
    assert_int_equal(stamma_archive_state_now(archive, &now), STAMMA_OK);
    for (size_t n = last + 1; n-- > 0;) {
        stamma_archive_state alone;
        stamma_archive *copy = open_memory(f->copies[n].text, f->copies[n].size);
        assert_int_equal(now.end, f->copies[n].size);
        assert_int_equal(now.games, f->games[n]);
        assert_int_equal(stamma_archive_state_now(copy, &alone), STAMMA_OK);
        assert_true(is_same(&now, &alone));
        stamma_archive_close(copy);
        assert_int_equal(stamma_archive_state_before(archive, &now, &before), STAMMA_OK);
        now = before;
    }
    assert_int_equal(now.end, 0);
}

static void test_all_states(void **state)
{
    const fixture *f = *state;
    for (size_t n = 0; n < STATES; n++) {
        stamma_archive *archive = open_memory(f->copies[n].text, f->copies[n].size);
        expect_states(f, archive, n);
        stamma_archive_close(archive);
        assert_memory_equal(f->copies[n].text, f->copies[STATES - 1].text, f->copies[n].size);
    }
}

/* Bytes after the end, and a missing end mark, do not change the state. */
static void test_tails(void **state)
{
    const fixture *f = *state;
    const listing *all = &f->copies[STATES - 1];
    for (size_t cut = 1; cut <= 8; cut++) {
        stamma_archive_state now, whole;
        stamma_archive *archive = open_memory(all->text, all->size - cut), *sound = open_memory(all->text, all->size);
        assert_int_equal(stamma_archive_state_now(sound, &whole), STAMMA_OK);
        assert_int_equal(stamma_archive_state_now(archive, &now), STAMMA_OK);
        assert_int_equal(now.check, whole.check);
        stamma_archive_close(archive);
        stamma_archive_close(sound);
    }
    stamma_archive *archive = open_memory(all->text, all->size - 9); /* the end of a block of an interrupted append */
    expect_states(f, archive, STATES - 2);
    stamma_archive_close(archive);
}

/* Truncated archives, and states that are not of the archive, are errors. */
static void test_errors(void **state)
{
    const fixture *f = *state;
    const listing *all = &f->copies[STATES - 1];
    stamma_archive_state now = {.end = 1}, before = {.end = 7};
    stamma_archive *archive = open_memory(all->text, f->copies[0].size - 9);
    assert_int_equal(stamma_archive_state_now(archive, &now), STAMMA_ERROR_CORRUPT);
    assert_int_equal(now.end, 1);
    stamma_archive_close(archive);
    archive = open_memory(all->text, all->size);
    assert_int_equal(stamma_archive_state_now(archive, &now), STAMMA_OK);
    const stamma_archive_state wrong[] = {
        {.commit = now.commit, .previous = now.commit},     {.commit = now.commit, .previous = now.previous + 1},
        {.commit = now.previous, .previous = now.commit},   {.commit = now.previous + 8, .previous = now.previous},
        {.commit = UINT64_MAX, .previous = UINT64_MAX - 1}, {.commit = UINT64_MAX, .previous = all->size - 1}};
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        assert_int_equal(stamma_archive_state_before(archive, &wrong[n], &before), STAMMA_ERROR_CORRUPT);
    stamma_archive_close(archive);
    char *damaged = malloc(all->size);
    assert_non_null(damaged);
    memcpy(damaged, all->text, all->size);
    damaged[now.previous + 60] ^= 1;
    archive = open_memory(damaged, all->size);
    assert_int_equal(stamma_archive_state_before(archive, &now, &before), STAMMA_ERROR_CORRUPT);
    stamma_archive_close(archive);
    free(damaged);
    assert_int_equal(before.end, 7);
}

/* A read that fails is reported. */
static void test_failing_reads(void **state)
{
    const fixture *f = *state;
    stamma_error error = STAMMA_ERROR_IO;
    unsigned fail_at = 1;
    for (; error == STAMMA_ERROR_IO; fail_at++) {
        archive_source source = {.bytes = f->copies[2].text, .size = f->copies[2].size};
        const stamma_bytes bytes = source_bytes(&source);
        stamma_archive *archive = NULL;
        stamma_archive_state now, before = {.end = 0};
        assert_int_equal(stamma_archive_open(&bytes, NULL, &archive), STAMMA_OK);
        source.fail_at = source.calls + fail_at;
        error = stamma_archive_state_now(archive, &now);
        if (error == STAMMA_OK)
            error = stamma_archive_state_before(archive, &now, &before);
        assert_true(error == STAMMA_ERROR_IO || (error == STAMMA_OK && before.end == f->copies[1].size));
        stamma_archive_close(archive);
    }
    assert_true(fail_at > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_states),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_failing_reads),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
