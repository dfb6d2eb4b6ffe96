/* SPDX-License-Identifier: MIT */
/* Tests the callback `stop` of tasks that decode or pack complete blocks: packing, packing again, unpacking, checking,
 * repairing and indexing. A task that is stopped returns CANCELLED after few further calls, at every level, on one
 * thread and on several. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "executors.h"

enum { GAMES = 80, MOVES = 30, LEVELS = 3, THREADS_MORE = 8 };

typedef struct stopping {
    atomic_uint calls;
    unsigned stop_at; /* 0: never */
} stopping;

static bool stop(void *context)
{
    stopping *s = context;
    const unsigned call = atomic_fetch_add(&s->calls, 1) + 1;
    return s->stop_at > 0 && call >= s->stop_at;
}

static bool pass(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return true;
}

static const stamma_output nowhere = {.write = pass};

static listing games(void)
{
    listing text = {0};
    for (unsigned n = 0; n < GAMES; n++) {
        list_format(&text, "[Event \"%u\"]\n\n", n);
        for (unsigned move = 1; move <= MOVES; move++)
            list_format(&text, move % 2 ? "%u. Nf3 Nf6 " : "%u. Ng1 Ng8 ", move);
        list_word(&text, "*\n\n");
    }
    return text;
}

/* A task, which stops `s`, on an archive and its text. */
typedef stamma_error task(stopping *s, int level, const stamma_executor *executor, const listing *archive,
                          const listing *text);

static stamma_error pack_text(stopping *s, int level, const stamma_executor *executor, const listing *archive,
                              const listing *text)
{
    const stamma_archive_writer_options options = {
        .size = sizeof options, .level = level, .executor = executor, .context = s, .stop = stop};
    stamma_archive_writer *writer;
    stamma_archive_counts counts;
    (void)archive;
    assert_int_equal(stamma_archive_writer_open(&nowhere, &options, &writer), STAMMA_OK);
    stamma_error error = stamma_archive_writer_write(writer, text->text, text->size);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, &counts);
    stamma_archive_writer_close(writer);
    return error;
}

static stamma_error pack_again(stopping *s, int level, const stamma_executor *executor, const listing *archive,
                               const listing *text)
{
    const stamma_archive_writer_options options = {
        .size = sizeof options, .level = level, .executor = executor, .context = s, .stop = stop};
    stamma_archive_writer *writer;
    stamma_archive_reader *reader;
    (void)text;
    assert_int_equal(open_bytes(archive->text, archive->size, NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_open(&nowhere, &options, &writer), STAMMA_OK);
    stamma_error error = stamma_archive_writer_recompress(writer, reader);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    return error;
}

static stamma_error unpack_archive(stopping *s, int level, const stamma_executor *executor, const listing *archive,
                                   const listing *text)
{
    const stamma_archive_reader_options options = {
        .size = sizeof options, .executor = executor, .context = s, .stop = stop};
    stamma_archive_reader *reader;
    (void)level;
    (void)text;
    assert_int_equal(open_bytes(archive->text, archive->size, &options, &reader), STAMMA_OK);
    stamma_error error = stamma_archive_reader_unpack(reader, &nowhere);
    close_reader(reader);
    return error;
}

static stamma_error verify_archive(stopping *s, int level, const stamma_executor *executor, const listing *archive,
                                   const listing *text)
{
    const stamma_archive_verify_options options = {
        .size = sizeof options, .executor = executor, .context = s, .stop = stop};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    stamma_archive *opened = open_handle(archive);
    (void)level;
    (void)text;
    stamma_error error = stamma_archive_verify(opened, &options, &verdict);
    assert_true(error != STAMMA_OK || verdict.damages == 0);
    stamma_archive_close(opened);
    return error;
}

static stamma_error repair_archive(stopping *s, int level, const stamma_executor *executor, const listing *archive,
                                   const listing *text)
{
    const stamma_archive_repair_options options = {
        .size = sizeof options, .executor = executor, .context = s, .stop = stop};
    stamma_archive_repair_result result = {.size = sizeof result};
    archive_source source = {.bytes = archive->text, .size = archive->size};
    const stamma_bytes bytes = source_bytes(&source);
    (void)level;
    (void)text;
    return stamma_archive_repair(&bytes, &nowhere, &options, &result);
}

static stamma_error index_archive(stopping *s, int level, const stamma_executor *executor, const listing *archive,
                                  const listing *text)
{
    const stamma_index_write_options options = {
        .size = sizeof options, .executor = executor, .context = s, .stop = stop};
    stamma_archive *opened = open_handle(archive);
    (void)level;
    (void)text;
    stamma_error error = stamma_index_write(opened, &options, &nowhere);
    stamma_archive_close(opened);
    return error;
}

/* Stops a task at several of its calls. */
static void stop_task(task *run, int level, const stamma_executor *executor, const listing *text)
{
    listing archive = pack_at(level, text->text, text->size, NULL);
    stopping all = {.stop_at = 0};
    assert_int_equal(run(&all, level, executor, &archive, text), STAMMA_OK);
    const unsigned calls = atomic_load(&all.calls);
    assert_true(calls >= GAMES / 8);
    for (unsigned at = 1; at <= calls; at += 1 + calls / 7) {
        stopping s = {.stop_at = at};
        assert_int_equal(run(&s, level, executor, &archive, text), STAMMA_ERROR_CANCELLED);
        assert_true(atomic_load(&s.calls) <= at + THREADS_MORE);
    }
    free(archive.text);
}

static void all_tasks(void **state)
{
    static task *const tasks[] = {pack_text, pack_again, unpack_archive, verify_archive, repair_archive, index_archive};
    static eager each;
    const stamma_executor threads = {.threads = 2, .context = &each, .start = start_eager, .wait = wait_eager};
    (void)state;
    listing text = games();
    for (size_t n = 0; n < sizeof tasks / sizeof *tasks; n++)
        for (int level = 1; level <= LEVELS; level++) {
            stop_task(tasks[n], level, NULL, &text);
            stop_task(tasks[n], level, &threads, &text);
        }
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_tasks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
