/* SPDX-License-Identifier: MIT */
/* Tests that a writer detects bytes that are lost, repeated or changed between its input and its blocks. The check of a
 * block cannot detect these errors. Nothing is committed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/pack_job.h"
#include "archive/reader.h"
#include "archive_support.h"
#include "executors.h"
#include "game_texts.h"
#include "memory_file.h"

/* An allocator that remembers the first job of a writer, which gathers the first bytes. */
typedef struct job_memory {
    stamma_allocator standard;
    pack_job *job;
} job_memory;

static void *allocate(void *context, size_t size)
{
    job_memory *m = context;
    void *memory = m->standard.allocate(m->standard.context, size);
    if (size == sizeof(pack_job) && !m->job)
        m->job = memory;
    return memory;
}

static void *resize(void *context, void *memory, size_t size)
{
    const job_memory *m = context;
    return m->standard.resize(m->standard.context, memory, size);
}

static void release(void *context, void *memory)
{
    const job_memory *m = context;
    m->standard.release(m->standard.context, memory);
}

/* ---- errors ---- */

static void no_error(buffer *text)
{
    (void)text;
}

static void lose_byte(buffer *text)
{
    text->size--;
}

static void repeat_byte(buffer *text)
{
    buffer_add_byte(text, text->data[text->size - 1]);
}

static void change_bit(buffer *text)
{
    text->data[text->size / 2] ^= 1;
}

static void exchange_bytes(buffer *text)
{
    uint8_t *at = text->data + text->size / 2;
    while (at[0] == at[1])
        at++;
    const uint8_t first = at[0];
    at[0] = at[1];
    at[1] = first;
}

static void (*const errors[])(buffer *text) = {no_error, lose_byte, repeat_byte, change_bit, exchange_bytes};
enum { ERRORS = sizeof errors / sizeof *errors };

/* ---- writers ---- */

enum { GAMES = 200 };
static listing games, older; /* `older` is an archive of some of the games, and `older_text` its text */
static size_t older_text;

static int make_games(void **state)
{
    (void)state;
    for (unsigned n = 0; n < GAMES; n++)
        list_game(&games, &text_styles[0]);
    older_text = games.size / 3;
    older = pack(games.text, older_text, NULL);
    return 0;
}

static int free_games(void **state)
{
    (void)state;
    free(games.text);
    free(older.text);
    return 0;
}

typedef enum mode { NEW, NEW_THREADS, APPEND, APPEND_RESUME, MODES } mode;

/* An archive that is being written, and the objects that writing uses. */
typedef struct writing {
    job_memory memory;
    stamma_allocator allocator;
    lazy executor;
    stamma_executor threads;
    memory_file file;
    archive_source source;
    stamma_archive_reader *reader;
    stamma_archive_writer *writer;
} writing;

static void open_writing(writing *w, mode mode)
{
    *w = (writing){.memory.standard = stamma_allocator_or_default(NULL)};
    w->allocator = (stamma_allocator){&w->memory, allocate, resize, release};
    w->threads = (stamma_executor){.context = &w->executor, .threads = 2, .start = start_lazy, .wait = wait_lazy};
    w->file = mode < APPEND ? memory_file_of("", 0) : memory_file_of(older.text, older.size);
    const stamma_archive_writer_options options = {.size = sizeof options,
                                                   .allocator = &w->allocator,
                                                   .executor = mode == NEW_THREADS ? &w->threads : NULL};
    const stamma_output output = memory_file_output(&w->file);
    if (mode >= APPEND)
        w->reader = open_archive(&w->source, &older, true);
    assert_int_equal(
        mode < APPEND    ? stamma_archive_writer_open(&output, &options, &w->writer)
        : mode == APPEND ? stamma_archive_writer_open_append(w->reader, &output, memory_file_cut, &options, &w->writer)
                         : stamma_archive_writer_open_append_resume(w->reader, &output, memory_file_cut, &options,
                                                                    &w->writer),
        STAMMA_OK);
}

static void close_writing(writing *w)
{
    stamma_archive_writer_close(w->writer);
    close_reader(w->reader);
    free(w->file.bytes.text);
}

/* Asserts that the archive contains all games if they were written. Otherwise asserts that nothing was committed: the
 * archive contains only the games of the older archive, if there is one. */
static void assert_contents(const writing *w, mode mode, bool written)
{
    listing text = {0}, expected = {0};
    list_word(&text, "");
    list_bytes(&expected, games.text, mode < APPEND ? 0 : older_text);
    list_bytes(&expected, games.text, written ? games.size : 0);
    const stamma_error error = unpack(&w->file.bytes, true, NULL, &text);
    assert_int_equal(error == STAMMA_OK, written); /* otherwise there is data after the last commit */
    if (written || mode >= APPEND) {
        assert_int_equal(text.size, expected.size);
        assert_memory_equal(text.text, expected.text, expected.size);
    }
    free(text.text);
    free(expected.text);
}

/* Writes the games in two parts. The error is in the bytes that are gathered between them. */
static void write_games(mode mode, size_t error)
{
    writing w;
    const size_t half = games.size / 2;
    open_writing(&w, mode);
    assert_int_equal(stamma_archive_writer_write(w.writer, games.text, half), STAMMA_OK);
    assert_true(w.memory.job->text.size > 1);
    errors[error](&w.memory.job->text);
    assert_int_equal(stamma_archive_writer_write(w.writer, games.text + half, games.size - half), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(w.writer, NULL), error == 0 ? STAMMA_OK : STAMMA_ERROR_SELF_CHECK);
    assert_contents(&w, mode, error == 0);
    close_writing(&w);
}

static void bytes_of_the_input(void **state)
{
    (void)state;
    for (mode mode = NEW; mode < MODES; mode++)
        for (size_t error = 0; error < ERRORS; error++)
            write_games(mode, error);
}

/* The end of a block that was found in advance is wrong. */
static void end_of_a_block(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (int wrong = -1; wrong <= 1; wrong++) {
        pack_job job;
        parser finder;
        pgn_lexer lexer;
        bool continuing;
        size_t used;
        stamma_pack_job_init(&job, &allocator, false);
        stamma_parser_init(&finder, &allocator);
        stamma_pgn_lexer_init(&job.lexer, PARSER_TOKEN_MAX);
        buffer_add(&job.text, games.text, games.size);
        job.final = true;
        assert_int_equal(stamma_pack_job_split(&job, &finder, &lexer, &continuing, &used), STAMMA_OK);
        job.found = (size_t)((ptrdiff_t)job.found + wrong);
        stamma_pack_job_run(&job);
        assert_int_equal(job.error, wrong == 0 ? STAMMA_OK : STAMMA_ERROR_SELF_CHECK);
        stamma_parser_release(&finder);
        stamma_pack_job_release(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_the_input),
        cmocka_unit_test(end_of_a_block),
    };
    return cmocka_run_group_tests(tests, make_games, free_games);
}
