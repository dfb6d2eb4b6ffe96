/* SPDX-License-Identifier: MIT */
/* Tests index files that are brought up to date in place: answers, crashes at every moment, failing calls, bytes that
 * an open reader uses, the number of segments, and files that must be replaced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "index_fixture.h"
#include "memory_file.h"

enum { STATES = 24, WAYS = 60 };

/* ---- archives that grow ---- */

/* Writes blocks after the end of an archive. */
static listing append_games(const listing *archive, const listing *text)
{
    memory_file file = memory_file_of(archive->text, archive->size);
    memory_file_append(&file, text);
    return file.bytes;
}

static listing games_of(unsigned state)
{
    listing text = {0};
    for (unsigned n = 0; n < 1 + state % 3; n++)
        list_format(&text, "[White \"W%u\"]\n[Black \"B%u\"]\n[WhiteElo \"%u\"]\n\n1. %s %s 2. Nf3 *\n\n", state, n,
                    1500 + 7 * state, state % 2 ? "e4" : "d4", n % 2 ? "d5" : "e6");
    return text;
}

/* Archives of which each begins with the one before. */
static void make_states(listing archives[], unsigned count)
{
    listing first = index_fixture_text(0);
    archives[0] = pack(first.text, first.size, NULL);
    free(first.text);
    for (unsigned n = 1; n < count; n++) {
        listing text = games_of(n);
        archives[n] = append_games(&archives[n - 1], &text);
        free(text.text);
    }
}

static void release_states(listing archives[], unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        free(archives[n].text);
}

static stamma_error append(const listing *archive, memory_file *file, const stamma_allocator *allocator)
{
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size);
    listing before = index_copy(&file->bytes);
    const stamma_bytes index = stamma_bytes_of(before.text, before.size);
    const stamma_index_output output = {file, memory_file_write_at, memory_file_sync};
    const stamma_archive_options options = {.size = sizeof options, .allocator = allocator};
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&bytes, &options, &opened);
    if (error == STAMMA_OK)
        error = stamma_index_append(opened, &index, NULL, &output);
    stamma_archive_close(opened);
    free(before.text);
    return error;
}

static void assert_agrees(const listing *archive, const listing *file)
{
    stamma_archive *opened = open_indexed(archive, file);
    uint64_t differences = 1;
    assert_int_equal(stamma_index_verify(opened, NULL, &differences), STAMMA_OK);
    assert_int_equal(differences, 0);
    stamma_archive_close(opened);
}

static size_t segments_of(const listing *file)
{
    const stamma_bytes bytes = stamma_bytes_of(file->text, file->size);
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    index_file x;
    assert_int_equal(stamma_index_file_open(&x, &bytes, &allocator), STAMMA_OK);
    const size_t segments = x.segment_count;
    stamma_index_file_close(&x);
    return segments;
}

/* Returns whether only the slots of roots differ in the first bytes of both files. */
static bool begins_with(const listing *file, const listing *before)
{
    bool same = file->size >= before->size;
    for (size_t at = 0; at < before->size && same; at++) {
        const size_t slot = at / INDEX_SLOT_SPACING;
        const bool is_slot = slot > 0 && slot <= INDEX_SLOTS && at % INDEX_SLOT_SPACING < INDEX_ROOT_SIZE;
        same = is_slot || file->text[at] == before->text[at];
    }
    return same;
}

/* Replaces the file by a new one that copies its segments. */
static void compact(const listing *archive, memory_file *file)
{
    listing old = file->bytes;
    const stamma_bytes before = stamma_bytes_of(old.text, old.size);
    const stamma_index_write_options options = {.size = sizeof options, .before = &before, .before_count = 1};
    *file = (memory_file){.durable = 0};
    assert_int_equal(append_index(archive, &options, &file->bytes), STAMMA_OK);
    free(old.text);
}

/* ---- growing ---- */

/* After each append, the index agrees with the archive, and bytes of earlier states are unchanged. The number of
 * segments is logarithmic, and at least about half of the file is used. */
static void an_index_grows_in_place(void **state)
{
    listing archives[STATES];
    unsigned replaced = 0;
    (void)state;
    make_states(archives, STATES);
    listing first = index_file_of(&archives[0]);
    memory_file file = memory_file_of(first.text, first.size);
    for (unsigned n = 1; n < STATES; n++) {
        listing before = index_copy(&file.bytes);
        file.written = 0;
        assert_int_equal(index_error(&archives[n], before.text, before.size), STAMMA_ERROR_MISMATCH);
        const stamma_error error = append(&archives[n], &file, NULL);
        assert_true(begins_with(&file.bytes, &before));
        if (error == STAMMA_OK)
            assert_agrees(&archives[n - 1], &before); /* a reader that opened the file before */
        if (error == STAMMA_ERROR_MISMATCH) {
            assert_true(file.written == 0 && file.bytes.size == before.size);
            compact(&archives[n], &file);
            assert_true(file.bytes.size < before.size);
            replaced++;
        } else {
            assert_int_equal(error, STAMMA_OK);
        }
        assert_agrees(&archives[n], &file.bytes);
        assert_in_range(segments_of(&file.bytes), 1, 6);
        free(before.text);
        const size_t size = file.bytes.size;
        file.written = 0;
        assert_int_equal(append(&archives[n], &file, NULL), STAMMA_OK); /* it is current */
        assert_true(file.written == 0 && file.bytes.size == size);
    }
    assert_in_range(replaced, 1, STATES / 2);
    free(file.bytes.text);
    free(first.text);
    release_states(archives, STATES);
}

/* All missing blocks get one segment. */
static void missing_blocks_are_added(void **state)
{
    listing archives[4];
    (void)state;
    make_states(archives, 4);
    listing first = index_file_of(&archives[0]);
    memory_file file = memory_file_of(first.text, first.size);
    assert_int_equal(append(&archives[3], &file, NULL), STAMMA_OK);
    assert_int_equal(segments_of(&file.bytes), 2);
    assert_agrees(&archives[3], &file.bytes);
    free(file.bytes.text);
    free(first.text);
    release_states(archives, 4);
}

/* ---- crashes ---- */

typedef struct story {
    const listing *archives; /* before and after the append */
    unsigned places, old, new;
} story;

/* After a crash, the file is the index of one of both states, and can be brought up to date. */
static void check_left(void *context, const listing *left)
{
    story *s = context;
    const bool is_old = index_error(&s->archives[0], left->text, left->size) == STAMMA_OK;
    const bool is_new = index_error(&s->archives[1], left->text, left->size) == STAMMA_OK;
    assert_true(is_old != is_new);
    assert_agrees(&s->archives[is_new], left);
    s->old += is_old;
    s->new += is_new;
    if ((s->old + s->new) % 8 != 0)
        return;
    memory_file file = memory_file_of(left->text, left->size);
    if (append(&s->archives[1], &file, NULL) == STAMMA_OK) /* otherwise the rest of the crash is too large */
        assert_agrees(&s->archives[1], &file.bytes);
    free(file.bytes.text);
}

static void crash(memory_file *file)
{
    story *s = file->disk->context;
    memory_file_crashes(file, WAYS, s->places++, check_left, s);
}

/* Appends to a new file, then to a file that was appended to, with roots in both slots. */
static void crashes_leave_an_index(void **state)
{
    static const size_t sectors[] = {512, 4096, 32};
    enum { APPENDS = 3 };
    listing archives[APPENDS + 1];
    (void)state;
    make_states(archives, APPENDS + 1);
    listing first = index_file_of(&archives[0]);
    for (size_t i = 0; i < sizeof sectors / sizeof *sectors; i++) {
        memory_file file = memory_file_of(first.text, first.size);
        for (unsigned n = 0; n < APPENDS; n++) {
            story s = {.archives = archives + n};
            disk d = disk_of(&file, sectors[i]);
            d.crash = crash;
            d.context = &s;
            file.disk = &d;
            assert_int_equal(append(&archives[n + 1], &file, NULL), STAMMA_OK);
            file.disk = NULL;
            assert_true(d.stable.size == file.bytes.size && memcmp(d.stable.text, file.bytes.text, d.stable.size) == 0);
            assert_true(s.places >= 6 && s.old > 40 && s.new > 0);
            disk_release(&d);
        }
        free(file.bytes.text);
    }
    free(first.text);
    release_states(archives, APPENDS + 1);
}

/* Each write and sync fails in turn. The file is then the earlier index, except after the last sync. */
static void failing_calls(void **state)
{
    listing archives[2];
    unsigned failed = 0;
    (void)state;
    make_states(archives, 2);
    listing first = index_file_of(&archives[0]);
    stamma_error error = STAMMA_ERROR_IO;
    for (unsigned at = 1; error != STAMMA_OK; at++) {
        memory_file file = memory_file_of(first.text, first.size);
        file.fail_at = at;
        error = append(&archives[1], &file, NULL);
        const bool is_new = index_error(&archives[1], file.bytes.text, file.bytes.size) == STAMMA_OK;
        assert_true(error == STAMMA_OK ? is_new : error == STAMMA_ERROR_IO);
        assert_agrees(&archives[is_new], &file.bytes);
        failed += error != STAMMA_OK;
        file.fail_at = 0;
        if (append(&archives[1], &file, NULL) == STAMMA_OK)
            assert_agrees(&archives[1], &file.bytes);
        free(file.bytes.text);
    }
    assert_true(failed > 6);
    free(first.text);
    release_states(archives, 2);
}

/* ---- files that must be replaced ---- */

static void expect_mismatch(const listing *archive, const void *bytes, size_t size)
{
    memory_file file = memory_file_of(bytes, size);
    assert_int_equal(append(archive, &file, NULL), STAMMA_ERROR_MISMATCH);
    assert_true(file.written == 0 && file.bytes.size == size);
    free(file.bytes.text);
}

/* Files that are not index files, damaged, of other versions or of other archives, and files with many bytes that are
 * not used. */
static void files_that_are_replaced(void **state)
{
    listing archives[2], text = games_of(5), other = pack(text.text, text.size, NULL);
    (void)state;
    make_states(archives, 2);
    listing file = index_file_of(&archives[0]), foreign = index_file_of(&other), copy = index_copy(&file);
    expect_mismatch(&archives[1], "1. e4 *", 7);
    expect_mismatch(&archives[1], foreign.text, foreign.size);
    expect_mismatch(&archives[1], file.text, file.size - 1);
    for (unsigned version = 2; version < 6; version += 2) {
        copy.text[8] = (char)version;
        assert_int_equal(index_error(&archives[0], copy.text, copy.size),
                         version < INDEX_VERSION ? STAMMA_ERROR_MISMATCH : STAMMA_ERROR_UNSUPPORTED);
        expect_mismatch(&archives[1], copy.text, copy.size);
    }
    copy.text[8] = INDEX_VERSION;
    while (copy.size <= 2 * file.size)
        list_bytes(&copy, file.text, file.size);
    memory_file used = memory_file_of(file.text, file.size);
    assert_int_equal(append(&archives[1], &used, NULL), STAMMA_OK);
    copy.size = used.bytes.size;
    memcpy(copy.text, used.bytes.text, copy.size);
    for (size_t filled = copy.size; copy.size <= 2 * filled;)
        list_word(&copy, "what an append left, and did not finish");
    assert_int_equal(index_error(&archives[1], copy.text, copy.size), STAMMA_OK);
    listing next = append_games(&archives[1], &text);
    expect_mismatch(&next, copy.text, copy.size);
    free(next.text);
    free(used.bytes.text);
    free(copy.text);
    free(foreign.text);
    free(file.text);
    free(other.text);
    free(text.text);
    release_states(archives, 2);
}

/* If the newer root is damaged, the file is the earlier index again. Without a root it is damaged. */
static void damaged_roots(void **state)
{
    listing archives[3];
    (void)state;
    make_states(archives, 3);
    listing first = index_file_of(&archives[0]);
    memory_file file = memory_file_of(first.text, first.size);
    assert_int_equal(append(&archives[1], &file, NULL), STAMMA_OK);
    assert_int_equal(append(&archives[2], &file, NULL), STAMMA_OK);
    for (unsigned number = 3; number > 1; number--) {
        assert_agrees(&archives[number - 1], &file.bytes);
        file.bytes.text[index_slot_offset(number) + AT_ROOT_ARCHIVE] ^= 1;
    }
    assert_int_equal(index_error(&archives[0], file.bytes.text, file.bytes.size), STAMMA_ERROR_CORRUPT);
    free(file.bytes.text);
    free(first.text);
    release_states(archives, 3);
}

/* ---- files that other programs change ---- */

/* Changes of bytes that were used are noticed, others are not. */
static void changes_of_used_bytes(void **state)
{
    listing text = index_fixture_text(0), archive = pack(text.text, text.size, NULL), file = index_file_of(&archive);
    stamma_archive *opened = open_indexed(&archive, &file), *plain = open_handle(&archive);
    stamma_stats *stats = NULL;
    size_t size;
    (void)state;
    assert_int_equal(stamma_archive_check_index(NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_check_index(plain), STAMMA_ERROR_BAD_ARGUMENT);
    uint8_t *last = index_section_of(&file, 0, SECTION_STATS, &size) + size - 1;
    *last ^= 1; /* before it is used */
    assert_int_equal(stamma_archive_check_index(opened), STAMMA_OK);
    *last ^= 1;
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    assert_int_equal(stamma_stats_add_archive(stats, opened, NULL, NULL, NULL), STAMMA_OK);
    stamma_stats_close(stats);
    *last ^= 1;
    assert_int_equal(stamma_archive_check_index(opened), STAMMA_ERROR_CORRUPT);
    assert_true(index_state(opened).damaged);
    *last ^= 1;
    stamma_archive_close(opened);
    opened = open_indexed(&archive, &file);
    index_table(&file, 0)[AT_PARTS] ^= 1; /* tables are used from the beginning */
    assert_int_equal(stamma_archive_check_index(opened), STAMMA_ERROR_CORRUPT);
    stamma_archive_close(opened);
    stamma_archive_close(plain);
    free(file.text);
    free(archive.text);
    free(text.text);
}

/* ---- arguments and memory ---- */

static void arguments_are_checked(void **state)
{
    listing text = games_of(1), archive = pack(text.text, text.size, NULL), file = index_file_of(&archive);
    const stamma_bytes bytes = stamma_bytes_of(file.text, file.size);
    const stamma_index_write_options options = {.size = sizeof options, .before = &bytes, .before_count = 1};
    memory_file target = {.durable = 0};
    const stamma_index_output output = {&target, memory_file_write_at, memory_file_sync};
    const stamma_index_output no_sync = {&target, memory_file_write_at, NULL};
    const stamma_index_output no_write = {&target, NULL, memory_file_sync};
    stamma_archive *opened = open_handle(&archive);
    (void)state;
    assert_int_equal(stamma_index_append(NULL, &bytes, NULL, &output), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_index_append(opened, NULL, NULL, &output), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_index_append(opened, &bytes, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_index_append(opened, &bytes, NULL, &no_sync), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_index_append(opened, &bytes, NULL, &no_write), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_index_append(opened, &bytes, &options, &output), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_index_append(opened, &bytes, NULL, &output), STAMMA_OK);
    assert_int_equal(target.calls, 0);
    stamma_archive_close(opened);
    free(file.text);
    free(archive.text);
    free(text.text);
}

/* Each allocation fails in turn. The file is then the earlier index. */
static void memory_may_fail_at_any_call(void **state)
{
    listing archives[2];
    unsigned failed = 0;
    (void)state;
    make_states(archives, 2);
    listing first = index_file_of(&archives[0]);
    for (unsigned at = 1;; at += 1 + at / 40) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        memory_file file = memory_file_of(first.text, first.size);
        const stamma_error error = append(&archives[1], &file, &allocator);
        assert_int_equal(memory.alive, 0);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        assert_agrees(&archives[error == STAMMA_OK], &file.bytes);
        free(file.bytes.text);
        if (error == STAMMA_OK)
            break;
        failed++;
    }
    assert_true(failed > 50);
    free(first.text);
    release_states(archives, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_grows_in_place),     cmocka_unit_test(missing_blocks_are_added),
        cmocka_unit_test(crashes_leave_an_index),      cmocka_unit_test(failing_calls),
        cmocka_unit_test(files_that_are_replaced),     cmocka_unit_test(damaged_roots),
        cmocka_unit_test(changes_of_used_bytes),       cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
