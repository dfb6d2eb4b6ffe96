/* SPDX-License-Identifier: MIT */
/* Tests copying archives into one: the result unpacks to the concatenated texts, contains all games, and verifies
 * like an archive that was packed from one text. Damaged blocks are not copied. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"
#include "game_texts.h"

static const char *const texts[] = {
    "",
    "1. e4 e5 *\n",
    "1. e4 e5", /* ends inside a game */
    "[White \"A\"]\n[Black \"B\"]\n\n1. d4 {good} d5 $1 (1... f5) 2. c4 1/2-1/2\n\n",
    "\n\n  1. Nf3 *   \n{behind the last game",
    "[Event \"x\"]\n\n1. e4 e5 2. Ke3 *",
    "no game at all\r\n",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static void expect_text(const listing *archive, const listing *text)
{
    for (int way = 0; way < 4; way++) {
        listing back = {0};
        stamma_error error =
            way < 2 ? unpack(archive, way & 1, NULL, &back) : unpack_games(archive, way & 1, NULL, &back);
        assert_int_equal(error, STAMMA_OK);
        assert_int_equal(back.size, text->size);
        assert_true(text->size == 0 || memcmp(back.text, text->text, text->size) == 0);
        free(back.text);
    }
}

static void expect_sound(const listing *archive, const stamma_archive_counts *counts)
{
    piecewise source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_input input = piecewise_input(&source);
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(stamma_archive_verify_stream(&input, NULL, &verdict), STAMMA_OK);
    assert_int_equal(verdict.damages, 0);
    assert_int_equal(verdict.tail_size, 0);
    assert_true(stamma_counts_equal(&verdict.all, counts));
}

static void add_counts(stamma_archive_counts *sum, const stamma_archive_counts *more)
{
    stamma_counts_add(sum, more);
    sum->moves_bytes += more->moves_bytes;
}

/* ---- concatenation ---- */

/* Copies random parts, some of them several times. */
static void test_concatenation(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        listing archives[8], text = {0};
        stamma_archive_counts counts, sum = {0};
        size_t count = (size_t)random_below(8);
        for (size_t i = 0; i < count; i++) {
            const char *part = texts[random_below(TEXTS)];
            archives[i] = pack(part, strlen(part), &counts);
            list_word(&text, part);
            add_counts(&sum, &counts);
        }
        listing merged = copy_archives(archives, count, &counts);
        assert_true(stamma_counts_equal(&counts, &sum));
        assert_int_equal(counts.moves_bytes, sum.moves_bytes);
        assert_int_equal(counts.archive_size, merged.size);
        expect_text(&merged, &text);
        expect_sound(&merged, &sum);
        for (size_t i = 0; i < count; i++)
            free(archives[i].text);
        free(merged.text);
        free(text.text);
    }
}

/* A single archive is copied unchanged. */
static void test_one(void **state)
{
    (void)state;
    listing text = {0};
    for (unsigned i = 0; i < 9 * 65536 + 10; i++) /* ten blocks, two commits */
        list_word(&text, "*      \n");
    for (int large = 0; large < 2; large++) {
        listing archive = pack(large ? text.text : texts[3], large ? text.size : strlen(texts[3]), NULL);
        listing copied = copy_archives(&archive, 1, NULL);
        assert_int_equal(copied.size, archive.size);
        assert_memory_equal(copied.text, archive.text, archive.size);
        free(copied.text);
        free(archive.text);
    }
    free(text.text);
}

/* More blocks than one commit can list. */
static void test_many(void **state)
{
    (void)state;
    enum { PARTS = 1100 };
    static listing archives[PARTS];
    listing archive = pack(texts[1], strlen(texts[1]), NULL), text = {0};
    for (size_t i = 0; i < PARTS; i++) {
        archives[i] = archive;
        list_word(&text, texts[1]);
    }
    stamma_archive_counts counts;
    listing merged = copy_archives(archives, PARTS, &counts);
    assert_int_equal(counts.games, PARTS);
    expect_text(&merged, &text);
    expect_sound(&merged, &counts);
    free(merged.text);
    free(text.text);
    free(archive.text);
}

/* An executor that runs work only when its result is waited for. */
static void start_lazy(void *context, void (*work)(void *argument), void *argument)
{
    (void)argument;
    memcpy(context, &work, sizeof work);
}

static void wait_lazy(void *context, void *argument)
{
    void (*work)(void *);
    memcpy(&work, context, sizeof work);
    work(argument);
}

/* Alternately writes a text and copies an archive. */
static listing alternate(const char *text, const listing *archive, const stamma_executor *executor,
                         stamma_archive_counts *counts)
{
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer_options options = {.size = sizeof options, .executor = executor};
    stamma_archive_writer *writer;
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
    for (unsigned i = 0; i < 5; i++) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, archive, true);
        assert_int_equal(stamma_archive_writer_write(writer, text, strlen(text)), STAMMA_OK);
        assert_int_equal(stamma_archive_writer_copy(writer, reader), STAMMA_OK);
        close_reader(reader);
    }
    assert_int_equal(stamma_archive_writer_finish(writer, counts), STAMMA_OK);
    stamma_archive_writer_close(writer);
    return sink.bytes;
}

/* Texts may be packed before and after a copy. Each text is a separate input. */
static void test_text_between(void **state)
{
    (void)state;
    listing archive = pack(texts[2], strlen(texts[2]), NULL), text = {0};
    for (unsigned i = 0; i < 10; i++)
        list_word(&text, texts[2]);
    void (*work)(void *) = NULL;
    stamma_executor executor = {&work, 4, start_lazy, wait_lazy};
    stamma_archive_counts counts;
    listing one = alternate(texts[2], &archive, NULL, &counts),
            many = alternate(texts[2], &archive, &executor, &counts);
    assert_int_equal(counts.games, 10);
    expect_text(&one, &text);
    expect_sound(&one, &counts);
    assert_int_equal(many.size, one.size);
    assert_memory_equal(many.text, one.text, one.size);
    free(many.text);
    free(one.text);
    free(text.text);
    free(archive.text);
}

/* ---- unknown frames and columns ---- */

/* Copies one archive. Returns the error, and its place if `place` is not NULL. */
static stamma_error copy_one(const listing *archive, bool seekable, listing *copied, stamma_place *place)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_archive_reader *reader;
    stamma_error error = open_source(&source, seekable, NULL, &reader);
    if (error != STAMMA_OK)
        return error;
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    error = stamma_archive_writer_copy(writer, reader);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), error);
    stamma_archive_writer_close(writer);
    if (place)
        *place = stamma_archive_reader_place(reader);
    close_reader(reader);
    if (copied)
        *copied = sink.bytes;
    else
        free(sink.bytes.text);
    return error;
}

/* Optional frames are not copied. Columns are copied with their block. */
static void test_unknown(void **state)
{
    (void)state;
    static const char *const names[] = {"good-unknown-frame", "good-unknown-column", "good-search-column",
                                        "good-appended",      "good-cut-game",       "good-empty"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int seekable = 0; seekable < 2; seekable++) {
            listing path = {0}, copied, text = {0};
            list_format(&path, "tests/data/%s.stamma", names[i]);
            listing archive = read_file(path.text);
            assert_int_equal(unpack(&archive, true, NULL, &text), STAMMA_OK);
            assert_int_equal(copy_one(&archive, seekable, &copied, NULL), STAMMA_OK);
            expect_text(&copied, &text);
            free(copied.text);
            free(text.text);
            free(archive.text);
            free(path.text);
        }
    listing strange = read_file("tests/data/unsupported-frame.stamma"), copied;
    assert_int_equal(copy_one(&strange, false, NULL, NULL), STAMMA_ERROR_UNSUPPORTED);
    free(strange.text);
    strange = read_file("tests/data/unsupported-column.stamma"); /* for readers that support the column */
    assert_int_equal(copy_one(&strange, true, &copied, NULL), STAMMA_OK);
    assert_int_equal(copied.size, strange.size);
    assert_memory_equal(copied.text, strange.text, strange.size);
    free(copied.text);
    free(strange.text);
}

/* ---- damage ---- */

static void test_altered_bytes(void **state)
{
    (void)state;
    listing archive = pack(texts[3], strlen(texts[3]), NULL);
    for (size_t at = 0; at < archive.size; at++)
        for (int seekable = 0; seekable < 2; seekable++) {
            archive.text[at] ^= 0x10;
            stamma_error error = copy_one(&archive, seekable, NULL, NULL);
            if (error != STAMMA_ERROR_CORRUPT && error != STAMMA_ERROR_NO_ARCHIVE && error != STAMMA_ERROR_UNSUPPORTED)
                fail_msg("byte %zu: error %d", at, (int)error);
            archive.text[at] ^= 0x10;
        }
    free(archive.text);
}

static void test_truncation(void **state)
{
    (void)state;
    listing archive = pack(texts[3], strlen(texts[3]), NULL);
    for (size_t size = 0; size < archive.size; size++)
        for (int seekable = 0; seekable < 2; seekable++) {
            listing cut = {archive.text, size, 0};
            assert_int_equal(copy_one(&cut, seekable, NULL, NULL),
                             size < ARCHIVE_HEADER_SIZE ? STAMMA_ERROR_NO_ARCHIVE : STAMMA_ERROR_CORRUPT);
        }
    free(archive.text);
}

/* The reader reports the place of the error. */
static void test_place(void **state)
{
    (void)state;
    listing parts[3];
    for (unsigned i = 0; i < 3; i++)
        parts[i] = pack(texts[i + 1], strlen(texts[i + 1]), NULL);
    listing merged = copy_archives(parts, 3, NULL);
    size_t second = next_frame(&merged, ARCHIVE_HEADER_SIZE);
    merged.text[next_frame(&merged, second) - 1] ^= 1;
    archive_source source;
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    stamma_archive_reader *reader = open_archive(&source, &merged, true);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_copy(writer, reader), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_archive_reader_place(reader).offset, second);
    assert_int_equal(stamma_archive_writer_write(writer, "x", 1), STAMMA_ERROR_CORRUPT);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    free(sink.bytes.text);
    free(merged.text);
    for (unsigned i = 0; i < 3; i++)
        free(parts[i].text);
}

/* A continuation without its game, or a game without its continuation, would be joined with another game. */
static void test_torn_game(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint64_t game; /* of the game that is open at the end */
    } torn[] = {{"tests/data/bad-open-piece.stamma", 1},
                {"tests/data/bad-first-block.stamma", 0},
                {"tests/data/bad-continuation.stamma", 0},
                {"tests/data/bad-no-continuation.stamma", 0}};
    for (size_t i = 0; i < sizeof torn / sizeof *torn; i++)
        for (int seekable = 0; seekable < 2; seekable++) {
            listing archive = read_file(torn[i].path);
            assert_non_null(archive.text);
            stamma_place place = {.game = 0};
            assert_int_equal(copy_one(&archive, seekable, NULL, &place), STAMMA_ERROR_CORRUPT);
            assert_int_equal(place.game, torn[i].game);
            free(archive.text);
        }
}

/* ---- failures ---- */

typedef struct failures {
    unsigned write;
    unsigned read;
    unsigned memory;
} failures;

/* Copies an archive with a simulated failure. Returns whether the failure occurred. */
static bool copy_failing(const listing *archive, const failures *at, stamma_error expected)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = 100, .fail_at = at->read};
    archive_sink sink = {.fail_at = at->write};
    failing_memory memory = {.fail_at = at->memory};
    stamma_allocator allocator = failing_allocator(&memory);
    stamma_output output = archive_output(&sink);
    stamma_archive_reader_options reading = {.size = sizeof reading, .allocator = &allocator};
    stamma_archive_writer_options writing = {.size = sizeof writing, .allocator = &allocator};
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    stamma_error error = open_source(&source, true, &reading, &reader);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_open(&output, &writing, &writer);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_copy(writer, reader);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    bool failed = error != STAMMA_OK;
    if (failed)
        assert_int_equal(error, expected);
    assert_int_equal(memory.alive, 0);
    free(sink.bytes.text);
    return failed;
}

static void test_failures(void **state)
{
    (void)state;
    listing archive = pack(texts[3], strlen(texts[3]), NULL);
    failures at = {.write = 1};
    for (; copy_failing(&archive, &at, STAMMA_ERROR_IO); at.write++)
        ;
    assert_true(at.write > 5);
    at = (failures){.read = 2}; /* if the first seek fails, the input is read as a pipe */
    for (; copy_failing(&archive, &at, STAMMA_ERROR_IO); at.read++)
        ;
    assert_true(at.read > 5);
    at = (failures){.memory = 1};
    for (; copy_failing(&archive, &at, STAMMA_ERROR_NO_MEMORY); at.memory++)
        ;
    assert_true(at.memory > 5);
    free(archive.text);
}

/* Copying needs memory for one block, however large the archive is. */
static void test_memory_bound(void **state)
{
    (void)state;
    listing games = {0}, text = {0};
    for (unsigned i = 0; i < 140; i++)
        list_game(&games, &text_styles[i % 14]);
    while (text.size < 40000000)
        list_bytes(&text, games.text, games.size);
    listing archive = pack(text.text, text.size, NULL);
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    stamma_archive_reader_options reading = {.size = sizeof reading, .allocator = &allocator};
    stamma_archive_writer_options writing = {.size = sizeof writing, .allocator = &allocator};
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    assert_int_equal(stamma_archive_writer_open(&output, &writing, &writer), STAMMA_OK);
    for (int i = 0; i < 3; i++) {
        archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        stamma_archive_reader *reader;
        assert_int_equal(open_source(&source, true, &reading, &reader), STAMMA_OK);
        assert_int_equal(stamma_archive_writer_copy(writer, reader), STAMMA_OK);
        close_reader(reader);
    }
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    assert_int_equal(memory.alive, 0);
    assert_true(memory.peak < (size_t)8 << 20);
    free(sink.bytes.text);
    free(archive.text);
    free(text.text);
    free(games.text);
}

/* A reader that has returned games is rewound, if it can seek. */
static void test_used_readers(void **state)
{
    (void)state;
    listing archive = pack(texts[3], strlen(texts[3]), NULL);
    archive_source source;
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    for (int seekable = 0; seekable < 2; seekable++) {
        stamma_archive_reader *reader = open_archive(&source, &archive, seekable);
        stamma_archive_writer *writer;
        const stamma_archive_game *game;
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
        assert_int_equal(stamma_archive_writer_copy(writer, reader), seekable ? STAMMA_OK : STAMMA_ERROR_BAD_ARGUMENT);
        stamma_archive_writer_close(writer);
        close_reader(reader);
    }
    free(sink.bytes.text);
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_concatenation), cmocka_unit_test(test_one),          cmocka_unit_test(test_many),
        cmocka_unit_test(test_text_between),  cmocka_unit_test(test_unknown),      cmocka_unit_test(test_altered_bytes),
        cmocka_unit_test(test_truncation),    cmocka_unit_test(test_place),        cmocka_unit_test(test_torn_game),
        cmocka_unit_test(test_failures),      cmocka_unit_test(test_memory_bound), cmocka_unit_test(test_used_readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
