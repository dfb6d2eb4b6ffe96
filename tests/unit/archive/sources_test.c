/* SPDX-License-Identifier: MIT */
/* Tests the records of files that were packed (clause 7.6): which records the library accepts, and that copies keep
 * them. */
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

#define TEXT(literal) ((stamma_text){literal, sizeof(literal) - 1})

static const char game[] = "[White \"A\"]\n\n1. e4 *\n\n";
enum { GAME = sizeof game - 1 };

static void write_game(stamma_archive_writer *writer)
{
    assert_int_equal(stamma_archive_writer_write(writer, game, GAME), STAMMA_OK);
}

static stamma_error add(stamma_archive_writer *writer, stamma_text name, uint64_t size)
{
    const stamma_archive_source source = {
        .name = name, .time = name.size, .text_offset = 77, .text_size = size, .sha256 = {1, 2, (uint8_t)name.size}};
    return stamma_archive_writer_add_source(writer, &source);
}

static listing finish(stamma_archive_writer *writer, archive_sink *sink)
{
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    return sink->bytes;
}

static stamma_archive_writer *begin(archive_sink *sink)
{
    stamma_archive_writer *writer;
    *sink = (archive_sink){.fail_at = 0};
    const stamma_output output = archive_output(sink);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    return writer;
}

static void list_source(void *context, const stamma_archive_source *s)
{
    const uint8_t hash[32] = {1, 2, (uint8_t)s->name.size};
    assert_memory_equal(s->sha256, hash, sizeof hash);
    assert_int_equal(s->time, s->name.size);
    list_format(context, "%llu+%llu %.*s; ", (unsigned long long)s->text_offset / GAME,
                (unsigned long long)s->text_size / GAME, (int)s->name.size, s->name.data);
}

/* Compares the sources of an archive with `expected`. The offset and size of a source are numbers of games. */
static void expect_sources(const listing *archive, const char *expected)
{
    listing found = {0};
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    list_word(&found, "");
    assert_int_equal(stamma_archive_reader_sources(reader, list_source, &found), STAMMA_OK);
    const stamma_archive_game *first;
    assert_int_equal(stamma_archive_reader_next(reader, &first), STAMMA_OK); /* the reader's state is unchanged */
    assert_non_null(first);
    close_reader(reader);
    assert_string_equal(found.text ? found.text : "", expected);
    free(found.text);
}

/* Packs two sources, and between them a game without a source. */
static listing pack_sources(void)
{
    archive_sink sink;
    stamma_archive_writer *writer = begin(&sink);
    write_game(writer);
    assert_int_equal(add(writer, TEXT("one"), GAME), STAMMA_OK);
    write_game(writer);
    write_game(writer);
    write_game(writer);
    assert_int_equal(add(writer, TEXT("seven"), 2 * GAME), STAMMA_OK);
    return finish(writer, &sink);
}

static void test_written(void **state)
{
    (void)state;
    listing archive = pack_sources();
    expect_sources(&archive, "0+1 one; 2+2 seven; ");
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, false);
    listing found = {0};
    assert_int_equal(stamma_archive_reader_sources(reader, list_source, &found), STAMMA_ERROR_BAD_ARGUMENT);
    close_reader(reader);
    free(archive.text);
}

static void test_refused(void **state)
{
    (void)state;
    static char name[4098];
    archive_sink sink;
    stamma_archive_writer *writer = begin(&sink);
    memset(name, 'n', sizeof name);
    assert_int_equal(add(writer, TEXT("early"), 1), STAMMA_ERROR_BAD_ARGUMENT);
    write_game(writer);
    write_game(writer);
    assert_int_equal(add(writer, TEXT("large"), 2 * GAME + 1), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(add(writer, TEXT("ze\0ro"), GAME), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(add(writer, (stamma_text){name, 4097}, GAME), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(add(writer, TEXT("one"), GAME), STAMMA_OK);
    assert_int_equal(add(writer, TEXT("same"), GAME), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(add(writer, TEXT(""), 0), STAMMA_OK);
    listing archive = finish(writer, &sink);
    expect_sources(&archive, "1+1 one; 2+0 ; ");
    free(archive.text);
}

/* Copies and recompresses an archive twice, once from an input that cannot seek, and adds a source after the copies. */
static void test_copied(void **state)
{
    (void)state;
    for (int recompress = 0; recompress < 2; recompress++) {
        listing archive = pack_sources();
        archive_sink sink;
        stamma_archive_writer *writer = begin(&sink);
        write_game(writer);
        for (int seekable = 0; seekable < 2; seekable++) {
            archive_source source;
            stamma_archive_reader *reader = open_archive(&source, &archive, seekable);
            assert_int_equal(recompress ? stamma_archive_writer_recompress(writer, reader)
                                        : stamma_archive_writer_copy(writer, reader),
                             STAMMA_OK);
            close_reader(reader);
        }
        write_game(writer);
        assert_int_equal(add(writer, TEXT("at end"), GAME), STAMMA_OK);
        listing copied = finish(writer, &sink);
        expect_sources(&copied, "1+1 one; 3+2 seven; 5+1 one; 7+2 seven; 9+1 at end; ");
        free(copied.text);
        free(archive.text);
    }
}

/* An interrupted append leaves sources that are no part of the archive. */
static void test_appended(void **state)
{
    (void)state;
    listing archive = pack_sources();
    memory_file file = memory_file_of(archive.text, archive.size);
    const stamma_output output = memory_file_output(&file);
    stamma_archive_reader *reader;
    stamma_archive_writer *writer;
    assert_int_equal(open_bytes(archive.text, archive.size, NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_open_append(reader, &output, memory_file_cut, NULL, &writer), STAMMA_OK);
    write_game(writer);
    assert_int_equal(add(writer, TEXT("more"), GAME), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    expect_sources(&file.bytes, "0+1 one; 2+2 seven; 4+1 more; ");
    const listing cut = {file.bytes.text, file.bytes.size - 9, 0};
    expect_sources(&cut, "0+1 one; 2+2 seven; ");
    free(file.bytes.text);
    free(archive.text);
}

/* A flipped bit is reported, and loses no game and no other source. */
static void test_damaged(void **state)
{
    (void)state;
    listing archive = pack_sources();
    const char *name = NULL;
    for (size_t at = 0; at + 5 < archive.size; at++)
        if (memcmp(archive.text + at, "seven", 5) == 0)
            name = archive.text + at;
    assert_non_null(name);
    archive.text[name - archive.text] ^= 1;
    expect_sources(&archive, "0+1 one; ");
    archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
    const stamma_input stream = source_stream(&source);
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(stamma_archive_verify_stream(&stream, NULL, &verdict), STAMMA_OK);
    assert_int_equal(verdict.damages, 1);
    assert_int_equal(verdict.sound.games, 4);
    assert_int_equal(verdict.all.games, 4);
    assert_string_equal(stamma_damage_text(STAMMA_DAMAGE_SOURCE), "damaged record of an input file");
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written),  cmocka_unit_test(test_refused), cmocka_unit_test(test_copied),
        cmocka_unit_test(test_appended), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
