/* SPDX-License-Identifier: MIT */
/* Tests the archives in tests/data, which were built by hand from the text of the format. "good" archives decode to the
 * same text in every way. "bad" archives are corrupt, and "unsupported" archives are unsupported. The writer of
 * "stopped" archives was interrupted; a reader that can seek finds the contents before the interrupted append.
 * tests/data/archives.md describes each file. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

static const char folder[] = "tests/data";

/* Calls `check` for each file whose name begins with `word`. Returns the number of files. */
static unsigned for_each_file(const char *word, void (*check)(const char *name, const listing *archive))
{
    DIR *directory = opendir(folder);
    unsigned count = 0;
    bool weights = stamma_predictor_id() != 0; /* without weights, coded moves are unsupported */
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char path[512];
        if (strncmp(entry->d_name, word, strlen(word)) != 0 || (!weights && strstr(entry->d_name, "-predicted")))
            continue;
        snprintf(path, sizeof path, "%s/%.400s", folder, entry->d_name);
        listing archive = read_file(path);
        assert_non_null(archive.text);
        check(entry->d_name, &archive);
        free(archive.text);
        count++;
    }
    closedir(directory);
    return count;
}

static stamma_error unpack_in(int way, const listing *archive, listing *text)
{
    return way < 2 ? unpack(archive, way & 1, NULL, text) : unpack_games(archive, way & 1, NULL, text);
}

static void check_good(const char *name, const listing *archive)
{
    listing first = {0};
    stamma_archive_counts counts;
    for (int way = 0; way < 4; way++) {
        listing text = {0};
        stamma_error error = unpack_in(way, archive, &text);
        if (error != STAMMA_OK)
            fail_msg("%s: error %d", name, (int)error);
        if (way > 0) {
            assert_int_equal(text.size, first.size);
            assert_true(text.size == 0 || memcmp(text.text, first.text, text.size) == 0);
            free(text.text);
        } else {
            first = text;
        }
    }
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_info(reader, &counts, NULL, 0, NULL, NULL), STAMMA_OK);
    assert_int_equal(counts.text_size, first.size);
    close_reader(reader);
    /* The library's own archive of the text must also unpack to it. */
    assert_round_trip(first.text ? first.text : "", first.size, NULL);
    free(first.text);
}

static void expect_refusal(const char *name, const listing *archive, stamma_error expected)
{
    for (int way = 0; way < 4; way++) {
        listing text = {0};
        stamma_error error = unpack_in(way, archive, &text);
        if (error != expected)
            fail_msg("%s: error %d, not %d", name, (int)error, (int)expected);
        free(text.text);
    }
}

static void work_at_once(void *context, void (*work)(void *argument), void *argument)
{
    (void)context;
    work(argument);
}

static void worked_already(void *context, void *argument)
{
    (void)context;
    (void)argument;
}

/* With several threads, the text of a block is written when it is complete. The result must be the same. */
static void expect_the_same_of_threads(const char *name, const listing *archive)
{
    listing texts[2] = {{0}, {0}};
    stamma_place places[2] = {{0}, {0}};
    for (unsigned way = 0; way < 2; way++) {
        archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
        stamma_output output = listing_output(&texts[way]);
        stamma_executor executor = {NULL, 1 + way, work_at_once, worked_already};
        stamma_archive_reader_options options = {.size = sizeof options, .executor = &executor};
        stamma_archive_reader *reader;
        if (open_source(&source, false, &options, &reader) != STAMMA_OK)
            return;
        assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_ERROR_CORRUPT);
        places[way] = stamma_archive_reader_place(reader);
        close_reader(reader);
    }
    bool same =
        texts[0].size == texts[1].size && places[0].offset == places[1].offset && places[0].game == places[1].game;
    if (!same)
        fail_msg("%s: threads matter", name);
    assert_true(texts[0].size == 0 || memcmp(texts[0].text, texts[1].text, texts[0].size) == 0);
    free(texts[0].text);
    free(texts[1].text);
}

static void check_bad(const char *name, const listing *archive)
{
    expect_refusal(name, archive, STAMMA_ERROR_CORRUPT);
    expect_the_same_of_threads(name, archive);
}

/* Without a seek, data after the last finished commit cannot be recognized as a tail (1.3). */
static void check_stopped(const char *name, const listing *archive)
{
    for (int way = 0; way < 4; way++) {
        listing text = {0};
        stamma_error error = unpack_in(way, archive, &text);
        if (error != STAMMA_ERROR_CORRUPT)
            fail_msg("%s: error %d", name, (int)error);
        assert_memory_equal(text.text, "1. e4 e5", 8);
        assert_true(text.size == 8 || !(way & 1));
        free(text.text);
    }
}

/* All of the text is found, and damage is reported. */
static void check_restored(const char *name, const listing *archive)
{
    for (int way = 0; way < 4; way++) {
        listing text = {0};
        stamma_error error = unpack_in(way, archive, &text);
        if (error != STAMMA_ERROR_CORRUPT)
            fail_msg("%s: error %d", name, (int)error);
        assert_int_equal(text.size, 13);
        assert_memory_equal(text.text, "1. e4 e51. d4", 13);
        free(text.text);
    }
}

static void check_unsupported(const char *name, const listing *archive)
{
    expect_refusal(name, archive, STAMMA_ERROR_UNSUPPORTED);
}

static void test_good(void **state)
{
    (void)state;
    assert_true(for_each_file("good-", check_good) > 20);
}

static void test_bad(void **state)
{
    (void)state;
    assert_true(for_each_file("bad-", check_bad) > 60);
}

static void test_unsupported(void **state)
{
    (void)state;
    assert_true(for_each_file("unsupported-", check_unsupported) > 5);
}

static void test_stopped(void **state)
{
    (void)state;
    assert_true(for_each_file("stopped-", check_stopped) >= 4);
}

static void test_restored(void **state)
{
    (void)state;
    assert_true(for_each_file("mended-", check_restored) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),    cmocka_unit_test(test_bad),      cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_stopped), cmocka_unit_test(test_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
