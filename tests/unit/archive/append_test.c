/* SPDX-License-Identifier: MIT */
/* Tests appending. An archive of text a with text b appended must unpack to a and b. If writing b is interrupted
 * anywhere, the archive must still unpack to a. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "game_texts.h"
#include "memory_file.h"

static memory_file file_of(const listing *archive)
{
    return memory_file_of(archive->text, archive->size);
}

/* ---- appending ---- */

static stamma_error append_with(memory_file *file, const void *text, size_t size, size_t piece_max,
                                const stamma_archive_writer_options *options, stamma_archive_counts *counts)
{
    archive_source source = {.bytes = file->bytes.text, .size = file->bytes.size, .piece_max = SIZE_MAX};
    stamma_output output = memory_file_output(file);
    stamma_archive_reader_options reading = {.size = sizeof reading, .allocator = options ? options->allocator : NULL};
    stamma_archive_reader *reader;
    stamma_archive_writer *writer;
    stamma_error error = open_source(&source, true, &reading, &reader);
    if (error != STAMMA_OK)
        return error;
    error = stamma_archive_writer_open_append(reader, &output, memory_file_cut, options, &writer);
    close_reader(reader); /* the writer does not need the reader */
    if (error != STAMMA_OK)
        return error;
    for (size_t at = 0; at < size && error == STAMMA_OK;) {
        size_t piece = size - at < piece_max ? size - at : piece_max;
        error = stamma_archive_writer_write(writer, (const char *)text + at, piece);
        at += piece;
    }
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, counts);
    stamma_archive_writer_close(writer);
    return error;
}

static void append(memory_file *file, const void *text, size_t size)
{
    assert_int_equal(append_with(file, text, size, SIZE_MAX, NULL, NULL), STAMMA_OK);
}

static void assert_unpacks_to(const listing *archive, const void *text, size_t size)
{
    for (int way = 0; way < 4; way++) {
        listing back = {0};
        bool seekable = way & 1;
        assert_int_equal(
            way < 2 ? unpack(archive, seekable, NULL, &back) : unpack_games(archive, seekable, NULL, &back), STAMMA_OK);
        assert_int_equal(back.size, size);
        assert_true(size == 0 || memcmp(back.text, text, size) == 0);
        free(back.text);
    }
}

static bool is_text(const listing *back, const listing *text)
{
    return back->size == text->size && (back->size == 0 || memcmp(back->text, text->text, back->size) == 0);
}

/* Checks the contents that a seeking reader finds in an archive after a crash. `sound`: there are no bytes after the
 * last commit. */
static void assert_holds(const void *archive, size_t size, const listing *text, bool sound)
{
    listing view = {(char *)(uintptr_t)archive, size, 0}, back = {0};
    assert_int_equal(unpack(&view, true, NULL, &back), sound ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
    assert_true(is_text(&back, text));
    free(back.text);
}

static uint64_t count_games(const listing *archive)
{
    archive_source source;
    uint64_t games;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_game_count(reader, &games), STAMMA_OK);
    close_reader(reader);
    return games;
}

static listing sample_text(void)
{
    listing text = {0};
    for (const text_style *s = text_styles; s->name; s++)
        list_game(&text, s);
    return text;
}

/* Returns a text with 65,536 records per block. Enough blocks exceed the capacity of one commit. */
static listing many_records(size_t blocks)
{
    listing text = {0};
    for (size_t i = 0; i < blocks * 65536; i++)
        list_bytes(&text, "* ", 2);
    return text;
}

/* ---- results of appending ---- */

/* Splits a text at every byte. The second part is always parsed as a new text. */
static void test_every_split(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF[Event \"a\\\"b\"]\r\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\r\n\r\n"
                               "1. O-O {two\r\nlines} Kd7 (1... Ke7 $1) 2. Rf7+!? *\r\n\r\n%esc\r\n"
                               "[White \"?\"]\n\n1. e4 e5 2. Ke5 1-0\n;behind\n";
    for (size_t split = 0; split < sizeof text; split++) {
        listing old = pack(text, split, NULL);
        memory_file file = file_of(&old);
        append(&file, text + split, sizeof text - 1 - split);
        assert_unpacks_to(&file.bytes, text, sizeof text - 1);
        assert_more_is_right(&file.bytes);
        free(file.bytes.text);
        free(old.text);
    }
}

static void test_random_splits_into_many(void **state)
{
    (void)state;
    listing text = sample_text();
    for (int round = 0; round < 10; round++) {
        size_t at = (size_t)random_below(text.size);
        listing old = pack(text.text, at, NULL);
        memory_file file = file_of(&old);
        uint64_t games = count_games(&old);
        while (at < text.size) {
            size_t size = (size_t)random_below(text.size / 4);
            size = size < text.size - at ? size : text.size - at;
            stamma_archive_counts counts;
            size_t before = file.bytes.size;
            assert_int_equal(append_with(&file, text.text + at, size, 1 + (size_t)random_below(5000), NULL, &counts),
                             STAMMA_OK);
            at += size;
            games += counts.games;
            assert_int_equal(counts.text_size, size);
            assert_int_equal(counts.archive_size, file.bytes.size - before);
            assert_int_equal(count_games(&file.bytes), games);
        }
        assert_unpacks_to(&file.bytes, text.text, text.size);
        assert_more_is_right(&file.bytes);
        free(file.bytes.text);
        free(old.text);
    }
    free(text.text);
}

/* The counts are the sums of the counts of both texts packed separately. */
static void test_counts_add_up(void **state)
{
    (void)state;
    static const char first[] = "1. e4 e5 (1... c5) 2. Ke5 1-0\n", second[] = "1. d4 Ke5 *\n\n1. c4 1/2-1/2";
    stamma_archive_counts one, two, both;
    listing old = pack(first, sizeof first - 1, &one), other = pack(second, sizeof second - 1, &two);
    memory_file file = file_of(&old);
    assert_int_equal(append_with(&file, second, sizeof second - 1, 3, NULL, &both), STAMMA_OK);
    assert_int_equal(both.games, two.games);
    assert_int_equal(both.plies, two.plies);
    assert_int_equal(both.games_partly_verbatim, two.games_partly_verbatim);
    assert_int_equal(both.verbatim_bytes, two.verbatim_bytes);
    assert_int_equal(both.moves_bytes, two.moves_bytes);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &file.bytes, true);
    assert_int_equal(stamma_archive_reader_info(reader, &both, NULL, 0, NULL, NULL), STAMMA_OK);
    close_reader(reader);
    assert_int_equal(both.games, one.games + two.games);
    assert_int_equal(both.plies, one.plies + two.plies);
    assert_int_equal(both.variation_plies, 1);
    assert_int_equal(both.games_partly_verbatim, 2);
    assert_int_equal(both.text_size, sizeof first + sizeof second - 2);
    assert_int_equal(both.archive_size, file.bytes.size);
    free(file.bytes.text);
    free(other.text);
    free(old.text);
}

static void test_games_by_number(void **state)
{
    (void)state;
    static const char *const results[] = {"1-0", "0-1", "*", "1/2-1/2"};
    listing old = pack("1-0 0-1", 7, NULL);
    memory_file file = file_of(&old);
    append(&file, "* ", 2);
    append(&file, "", 0);
    append(&file, "1/2-1/2", 7);
    for (uint64_t number = 4; number > 0; number--) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &file.bytes, true);
        const stamma_archive_game *game;
        assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_non_null(game);
        assert_int_equal(game->number, number);
        assert_int_equal(game->result.size, strlen(results[number - 1]));
        assert_memory_equal(game->result.data, results[number - 1], game->result.size);
        close_reader(reader);
    }
    free(file.bytes.text);
    free(old.text);
}

/* Appending nothing changes no byte, except that a tail is removed. */
static void test_nothing(void **state)
{
    (void)state;
    for (int empty = 0; empty < 2; empty++) {
        listing old = pack("1. e4 *", empty ? 0 : 7, NULL);
        memory_file file = file_of(&old);
        list_bytes(&file.bytes, "a tail", 6);
        stamma_archive_counts counts;
        assert_int_equal(append_with(&file, "", 0, 1, NULL, &counts), STAMMA_OK);
        assert_int_equal(counts.games, 0);
        assert_int_equal(counts.archive_size, 0);
        assert_int_equal(file.bytes.size, old.size);
        assert_memory_equal(file.bytes.text, old.text, old.size);
        append(&file, "1. d4 *", 7);
        assert_unpacks_to(&file.bytes, empty ? "1. d4 *" : "1. e4 *1. d4 *", empty ? 7 : 14);
        free(file.bytes.text);
        free(old.text);
    }
}

/* The numbers of games continue; places are offsets in the new text. */
static void test_notices(void **state)
{
    (void)state;
    static const char text[] = "\n\n1. Ke5 *\n";
    archive_notices seen = {0};
    stamma_archive_writer_options options = {.size = sizeof options, .context = &seen, .notice = archive_take_notice};
    listing old = pack("*\n*\n1. Ke5 *\n", 13, NULL);
    memory_file file = file_of(&old);
    assert_int_equal(append_with(&file, text, sizeof text - 1, SIZE_MAX, &options, NULL), STAMMA_OK);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last.game, 4);
    assert_int_equal(seen.last.place.game, 4);
    assert_int_equal(seen.last.place.line, 3);
    assert_int_equal(seen.last.place.offset, 5);
    free(file.bytes.text);
    free(old.text);
}

/* ---- interrupted appends ---- */

/* Truncates the result at every appended byte. The old text must be readable, and appending again must produce the same
 * bytes. */
static void test_stopped_at_every_byte(void **state)
{
    (void)state;
    static const char first[] = "[White \"A\"]\n\n1. e4 e5 *\n", second[] = "[White \"B\"]\n\n1. d4 d5 2. Ke5 1-0\n";
    listing old = pack(first, sizeof first - 1, NULL);
    memory_file whole = file_of(&old);
    append(&whole, second, sizeof second - 1);
    listing text = {0}, all = {0};
    list_bytes(&text, first, sizeof first - 1);
    list_bytes(&all, first, sizeof first - 1);
    list_bytes(&all, second, sizeof second - 1);
    for (size_t size = old.size; size < whole.bytes.size; size++) {
        bool there = size + 8 >= whole.bytes.size; /* only the end of the commit is missing */
        assert_holds(whole.bytes.text, size, there ? &all : &text, size == old.size);
        listing stopped = {whole.bytes.text, size, 0};
        memory_file file = file_of(&stopped);
        append(&file, second, there ? 0 : sizeof second - 1);
        assert_int_equal(file.bytes.size, whole.bytes.size);
        assert_memory_equal(file.bytes.text, whole.bytes.text, whole.bytes.size);
        free(file.bytes.text);
    }
    assert_holds(whole.bytes.text, whole.bytes.size, &all, true);
    free(text.text);
    free(all.text);
    free(whole.bytes.text);
    free(old.text);
}

/* Simulates a crash that keeps only some of the bytes that are not yet durable. */
static void lose_some(memory_file *file)
{
    enum { SECTOR = 16 };
    for (int round = 0; round < 8; round++) {
        listing crashed = {0};
        list_bytes(&crashed, file->bytes.text, file->bytes.size);
        for (size_t at = file->durable; at < crashed.size; at++)
            if ((at == file->durable || at % SECTOR == 0) && random_below(2) == 0)
                for (; at < crashed.size; at++) {
                    crashed.text[at] = 0;
                    if ((at + 1) % SECTOR == 0)
                        break;
                }
        /* If all bytes were kept, the result is the new text, even if the end of the commit has to be repaired. */
        listing back = {0};
        stamma_error error = unpack(&crashed, true, NULL, &back);
        assert_true(is_text(&back, file->old_text) || is_text(&back, file->new_text));
        assert_true(error == STAMMA_ERROR_CORRUPT || (error == STAMMA_OK && is_text(&back, file->new_text)));
        free(back.text);
        free(crashed.text);
    }
}

static void test_crashes_that_lose_what_is_not_durable(void **state)
{
    (void)state;
    listing text = sample_text();
    listing old = pack(text.text, text.size / 2, NULL);
    listing old_text = {text.text, text.size / 2, 0};
    memory_file file = file_of(&old);
    file.check = lose_some;
    file.old_text = &old_text;
    file.new_text = &text;
    append(&file, text.text + text.size / 2, text.size - text.size / 2);
    assert_int_equal(file.durable, file.bytes.size);
    free(file.bytes.text);
    free(old.text);
    free(text.text);
}

/* Fails each call of the output in turn. The error must be reported and the archive must hold the old text. */
static void test_every_call_fails(void **state)
{
    (void)state;
    listing text = sample_text();
    listing old_text = {text.text, text.size / 3, 0};
    listing old = pack(old_text.text, old_text.size, NULL);
    for (unsigned fail_at = 1;; fail_at++) {
        memory_file file = file_of(&old);
        file.fail_at = fail_at;
        stamma_error error = append_with(&file, text.text + old_text.size, text.size - old_text.size, 4096, NULL, NULL);
        bool failed = file.calls >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_IO : STAMMA_OK);
        /* If the last sync fails, everything is already written. */
        size_t whole = file.bytes.size;
        bool written = memcmp(file.bytes.text + whole - 8, "StEndCmt", 8) == 0 && whole > old.size;
        listing back = {0};
        stamma_error found = unpack(&file.bytes, true, NULL, &back);
        assert_true(is_text(&back, &text) || (!written && is_text(&back, &old_text)));
        assert_int_equal(found, written || whole == old.size ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        free(back.text);
        free(file.bytes.text);
        if (!failed)
            break;
        assert_true(!written || file.calls == fail_at);
    }
    free(old.text);
    free(text.text);
}

/* With several commits after the old archive, unfinished commits do not count. */
static void expect_old(memory_file *file)
{
    bool commits = memcmp(file->bytes.text + file->bytes.size - 8, "StEndCmt", 8) == 0;
    if (commits && file->commits++ == 0)
        assert_holds(file->bytes.text, file->bytes.size, file->old_text, false);
}

static void test_commits_in_the_course(void **state)
{
    (void)state;
    static char old_words[] = "1. e4 *\n";
    listing old_text = {old_words, 8, 0}, old = pack(old_words, 8, NULL), text = many_records(9);
    memory_file file = file_of(&old);
    file.check = expect_old;
    file.old_text = &old_text;
    append(&file, text.text, text.size);
    assert_int_equal(file.commits, 2);
    assert_int_equal(count_games(&file.bytes), 1 + 9 * 65536);
    listing all = {0};
    list_bytes(&all, old_words, 8);
    list_bytes(&all, text.text, text.size);
    assert_unpacks_to(&file.bytes, all.text, all.size);
    free(all.text);
    free(file.bytes.text);
    free(old.text);
    free(text.text);
}

/* ---- rejected calls ---- */

static void expect_untouched(const listing *archive, stamma_error error)
{
    memory_file file = file_of(archive);
    assert_int_equal(append_with(&file, "*", 1, 1, NULL, NULL), error);
    assert_int_equal(file.calls, 0);
    assert_int_equal(file.bytes.size, archive->size);
    free(file.bytes.text);
}

static void test_no_archive(void **state)
{
    (void)state;
    listing old = pack("1. e4 e5 *", 10, NULL), damaged = {0}, none = {0};
    listing cut = {old.text, old.size - 9, 0}, header = {old.text, 16, 0};
    expect_untouched(&cut, STAMMA_ERROR_CORRUPT);
    expect_untouched(&header, STAMMA_ERROR_CORRUPT);
    list_word(&none, "1. e4 e5 *");
    expect_untouched(&none, STAMMA_ERROR_NO_ARCHIVE);
    list_bytes(&damaged, old.text, old.size);
    damaged.text[20] ^= 1;
    expect_untouched(&damaged, STAMMA_ERROR_CORRUPT);
    damaged.text[20] ^= 1;
    damaged.text[damaged.size - 20] ^= 1;
    expect_untouched(&damaged, STAMMA_ERROR_CORRUPT);
    free(damaged.text);
    free(none.text);
    free(old.text);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    listing old = pack("*", 1, NULL);
    memory_file file = file_of(&old);
    stamma_output output = memory_file_output(&file);
    archive_source source;
    stamma_archive_writer *writer;
    stamma_archive_reader *pipe = open_archive(&source, &old, false);
    assert_int_equal(stamma_archive_writer_open_append(pipe, &output, memory_file_cut, NULL, &writer),
                     STAMMA_ERROR_BAD_ARGUMENT);
    close_reader(pipe);
    stamma_archive_reader *reader = open_archive(&source, &old, true);
    stamma_archive_writer_options options = {.size = 1};
    assert_int_equal(stamma_archive_writer_open_append(NULL, &output, memory_file_cut, NULL, &writer),
                     STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_writer_open_append(reader, NULL, memory_file_cut, NULL, &writer),
                     STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_writer_open_append(reader, &output, NULL, NULL, &writer),
                     STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_writer_open_append(reader, &output, memory_file_cut, NULL, NULL),
                     STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_writer_open_append(reader, &output, memory_file_cut, &options, &writer),
                     STAMMA_ERROR_BAD_ARGUMENT);
    options = (stamma_archive_writer_options){.size = sizeof options, .level = 77};
    assert_int_equal(stamma_archive_writer_open_append(reader, &output, memory_file_cut, &options, &writer),
                     STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(file.calls, 0);
    close_reader(reader);
    free(file.bytes.text);
    free(old.text);
}

static void test_no_memory(void **state)
{
    (void)state;
    listing text = sample_text(), old = pack("1. e4 *\n", 8, NULL);
    listing old_text = {0};
    list_word(&old_text, "1. e4 *\n");
    for (unsigned fail_at = 1;; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_archive_writer_options options = {.size = sizeof options, .allocator = &allocator};
        memory_file file = file_of(&old);
        stamma_error error = append_with(&file, text.text, text.size, SIZE_MAX, &options, NULL);
        assert_int_equal(memory.alive, 0);
        assert_int_equal(error, memory.calls < fail_at ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
        if (error != STAMMA_OK)
            assert_holds(file.bytes.text, file.bytes.size, &old_text, file.bytes.size == old.size);
        free(file.bytes.text);
        if (error == STAMMA_OK)
            break;
    }
    free(old_text.text);
    free(old.text);
    free(text.text);
}

/* The memory needed for appending does not grow with the archive. */
static void test_memory_bound(void **state)
{
    (void)state;
    size_t peaks[2];
    for (size_t blocks = 1; blocks <= 9; blocks += 8) {
        listing text = many_records(blocks), old = pack(text.text, text.size, NULL);
        counted_memory memory = {0};
        stamma_allocator allocator = counting_allocator(&memory);
        stamma_archive_writer_options options = {.size = sizeof options, .allocator = &allocator};
        memory_file file = file_of(&old);
        assert_int_equal(append_with(&file, "1. e4 *", 7, 1, &options, NULL), STAMMA_OK);
        assert_int_equal(memory.alive, 0);
        peaks[blocks > 1] = memory.peak;
        free(file.bytes.text);
        free(old.text);
        free(text.text);
    }
    assert_true(peaks[1] < peaks[0] + 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_random_splits_into_many),
        cmocka_unit_test(test_counts_add_up),
        cmocka_unit_test(test_games_by_number),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_notices),
        cmocka_unit_test(test_stopped_at_every_byte),
        cmocka_unit_test(test_crashes_that_lose_what_is_not_durable),
        cmocka_unit_test(test_every_call_fails),
        cmocka_unit_test(test_commits_in_the_course),
        cmocka_unit_test(test_no_archive),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_memory_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
