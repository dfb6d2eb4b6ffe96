/* SPDX-License-Identifier: MIT */
/* Tests rows of Arrow streams: hand-made values, tags whose names are converted to one name, single games of archives
 * of all levels, and failing allocations. columns.sh compares all values of many games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "arrow_support.h"
#include "passed_games.h"

static struct ArrowArrayStream open_column(stamma_archive *archive, stamma_columns_options options, const char *column)
{
    const stamma_text name = {column, strlen(column)};
    struct ArrowArrayStream stream;
    options.size = sizeof options;
    options.columns = &name;
    options.column_count = 1;
    assert_int_equal(stamma_columns_open(archive, &options, NULL, &stream), STAMMA_OK);
    return stream;
}

/* Reads a column. All rows must be in one batch, which is valid after the stream and the archive are closed. */
static struct ArrowArray read_column(const listing *archive, stamma_columns_options options, const char *column)
{
    stamma_archive *opened = open_handle(archive);
    struct ArrowArrayStream stream = open_column(opened, options, column);
    struct ArrowArray batch, end;
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_non_null(batch.release);
    assert_int_equal(stream.get_next(&stream, &end), 0);
    assert_null(end.release);
    stream.release(&stream);
    stamma_archive_close(opened);
    return batch;
}

static bool is_valid(const struct ArrowArray *array, int64_t row)
{
    const uint8_t *bits = array->buffers[0];
    return array->null_count == 0 || bits[row / 8] >> row % 8 & 1;
}

static stamma_text text_in(const struct ArrowArray *texts, int64_t row)
{
    const int32_t *ends = texts->buffers[1];
    return (stamma_text){(const char *)texts->buffers[2] + ends[row], (size_t)(ends[row + 1] - ends[row])};
}

/* Lists the texts of a column, each with a line break; "-" for a null. */
static listing texts_of(const listing *archive, bool plain, const char *column)
{
    struct ArrowArray batch = read_column(archive, (stamma_columns_options){.plain_texts = plain}, column);
    const struct ArrowArray *values = batch.children[0];
    listing all = {0};
    for (int64_t row = 0; row < values->length; row++) {
        const int32_t *numbers = values->buffers[1];
        const struct ArrowArray *texts = plain ? values : values->dictionary;
        const stamma_text text =
            is_valid(values, row) ? text_in(texts, plain ? row : numbers[row]) : (stamma_text){"-", 1};
        list_bytes(&all, text.data, text.size);
        list_word(&all, "\n");
    }
    batch.release(&batch);
    return all;
}

static void assert_texts(const listing *archive, const char *column, const char *expected)
{
    for (int plain = 0; plain < 2; plain++) {
        listing is = texts_of(archive, plain > 0, column);
        assert_string_equal(is.text, expected);
        free(is.text);
    }
}

/* ---- values ---- */

static void texts(void **state)
{
    static const struct {
        const char *pgn, *column, *expected;
    } cases[] = {
        {"[Foo \"x\"]\n\n*\n\n[White \"A\"]\n\n*\n\n[Foo \"\"]\n\n*\n", "foo", "x\n-\n\n"},
        {"[ECO \"A\"]\n\n1. e4 e5 *\n\n[ECO \"?\"]\n\n1. e4 e5 *\n\n1. e4 e5 *\n\n*\n", "eco", "A\nC20\nC20\n-\n"},
        {"[ECO \"\"]\n\n1. e4 e5 *\n\n[ECO \"C20z\"]\n\n1. e4 e5 *\n", "eco", "C20\nC20z\n"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        listing archive = pack(cases[n].pgn, strlen(cases[n].pgn), NULL);
        assert_texts(&archive, cases[n].column, cases[n].expected);
        free(archive.text);
    }
}

/* The tags Foo and foo, each with many values, have one column. */
static void two_tags_in_a_column(void **state)
{
    listing pgn = {0}, expected = {0};
    (void)state;
    for (unsigned n = 0; n < 200; n++) {
        const unsigned value = (unsigned)random_below(20);
        const bool capital = random_below(2) == 0;
        list_format(&pgn, "[Event \"E\"]\n[%s \"Value number %u\"]\n\n1. e4 *\n\n", capital ? "Foo" : "foo", value);
        list_format(&expected, "Value number %u\n", value);
    }
    listing archive = pack(pgn.text, pgn.size, NULL);
    assert_texts(&archive, "foo", expected.text);
    free(archive.text);
    free(pgn.text);
    free(expected.text);
}

/* Archives number the values of the first 64 tags only. The values of all tags are read. */
static void many_tags(void **state)
{
    enum { TAGS = 100, GAMES = 40, KINDS = 7 };
    listing pgn = {0};
    (void)state;
    for (unsigned n = 0; n < GAMES; n++) {
        for (unsigned tag = 0; tag < TAGS; tag++)
            if (n % 3 > 0 || tag % 2 == 0)
                list_format(&pgn, "[T%u \"value %u\"]\n", tag, (n + tag) % KINDS);
        list_word(&pgn, "\n1. e4 *\n\n");
    }
    for (int level = 1; level <= 3; level++) {
        listing archive = pack_at(level, pgn.text, pgn.size, NULL);
        for (unsigned tag = 0; tag < TAGS; tag += 3) {
            listing expected = {0};
            char name[16];
            (void)snprintf(name, sizeof name, "t%u", tag);
            for (unsigned n = 0; n < GAMES; n++)
                if (n % 3 > 0 || tag % 2 == 0)
                    list_format(&expected, "value %u\n", (n + tag) % KINDS);
                else
                    list_word(&expected, "-\n");
            assert_texts(&archive, name, expected.text);
            free(expected.text);
        }
        free(archive.text);
    }
    free(pgn.text);
}

/* Changes of ratings and times of day that are not valid are null. */
static void changes_and_times(void **state)
{
    static const char pgn[] = "[UTCDate \"2013.01.31\"]\n[UTCTime \"22:01:45\"]\n[WhiteRatingDiff \"+5\"]\n\n*\n\n"
                              "[UTCDate \"1969.12.31\"]\n[UTCTime \"23:59:59\"]\n[WhiteRatingDiff \"-12\"]\n\n*\n\n"
                              "[UTCDate \"2013.01.??\"]\n[UTCTime \"22:01:45\"]\n[WhiteRatingDiff \"+\"]\n\n*\n\n"
                              "[UTCDate \"2013.01.31\"]\n[UTCTime \"24:00:00\"]\n[WhiteRatingDiff \"+-5\"]\n\n*\n\n"
                              "[UTCDate \"2013.01.31\"]\n[UTCTime \"22:01\"]\n[WhiteRatingDiff \"12345\"]\n\n*\n\n"
                              "[WhiteRatingDiff \"0\"]\n\n*\n\n*\n";
    static const int64_t times[] = {1359669705000000, -1000000};
    static const int16_t changes[] = {5, -12, 0, 0, 0, 0, 0};
    (void)state;
    listing archive = pack(pgn, sizeof pgn - 1, NULL);
    struct ArrowArray batch = read_column(&archive, (stamma_columns_options){.size = 0}, "utc_timestamp");
    assert_int_equal(batch.length, 7);
    assert_int_equal(batch.children[0]->null_count, 5);
    assert_memory_equal(batch.children[0]->buffers[1], times, sizeof times);
    batch.release(&batch);
    batch = read_column(&archive, (stamma_columns_options){.size = 0}, "white_rating_diff");
    assert_memory_equal(batch.children[0]->buffers[1], changes, sizeof changes);
    for (int64_t row = 0; row < batch.length; row++)
        assert_true(is_valid(batch.children[0], row) == (row < 2 || row == 5));
    batch.release(&batch);
    assert_texts(&archive, "tag:WhiteRatingDiff", "+5\n-12\n+\n+-5\n12345\n0\n-\n");
    free(archive.text);
}

static void evaluations(void **state)
{
    static const char pgn[] = "1. e4 {[%eval #800]} e5 {[%eval #-800]} 2. Nf3 {[%eval #767]} Nc6 {[%eval #-3]} "
                              "3. Bb5 {[%eval #0]} a6 {[%eval #-40000]} 4. Ba4 {[%eval 400]} b5 {[%eval -0.5]} *\n";
    static const int16_t mates[] = {800, -800, 767, -3, 0, -32768}, centipawns[] = {32767, -50};
    (void)state;
    listing archive = pack(pgn, sizeof pgn - 1, NULL);
    struct ArrowArray batch = read_column(&archive, (stamma_columns_options){.size = 0}, "mate");
    const struct ArrowArray *values = batch.children[0]->children[0];
    assert_int_equal(values->length, 8);
    assert_memory_equal(values->buffers[1], mates, sizeof mates);
    assert_true(is_valid(values, 5) && !is_valid(values, 6) && !is_valid(values, 7));
    batch.release(&batch);
    batch = read_column(&archive, (stamma_columns_options){.size = 0}, "eval_cp");
    values = batch.children[0]->children[0];
    assert_memory_equal((const int16_t *)values->buffers[1] + 6, centipawns, sizeof centipawns);
    assert_true(!is_valid(values, 5) && is_valid(values, 6) && is_valid(values, 7));
    batch.release(&batch);
    free(archive.text);
}

/* A null move has 0 bits. A null move in check is not a move of the game, which ends before it. */
static void bits_of_null_moves(void **state)
{
    static const char pgn[] = "1. e4 -- 2. d4 *\n\n1. e4 f6 2. Qh5+ -- *\n\n*\n";
    static const int32_t ends[] = {0, 3, 6, 6};
    (void)state;
    listing archive = pack(pgn, sizeof pgn - 1, NULL);
    struct ArrowArray batch = read_column(&archive, (stamma_columns_options){.size = 0}, "bits");
    const float *bits = batch.children[0]->children[0]->buffers[1];
    assert_int_equal(batch.length, 3);
    assert_memory_equal(batch.children[0]->buffers[1], ends, sizeof ends);
    for (size_t n = 0; n < 6; n++)
        assert_true(n == 1 ? bits[n] == 0 : bits[n] > 0.1F);
    batch.release(&batch);
    free(archive.text);
}

/* ---- plies ---- */

static void selected_plies(void **state)
{
    static const char pgn[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. d4 *\n\n1. d4 d5 2. c4 *\n";
    static const int32_t expected[] = {3, 4, 5, 3};
    (void)state;
    listing archive = pack(pgn, sizeof pgn - 1, NULL);
    struct ArrowArray batch =
        read_column(&archive, (stamma_columns_options){.table = STAMMA_TABLE_POSITIONS, .skip_plies = 2}, "ply");
    assert_int_equal(batch.length, 4);
    assert_memory_equal(batch.children[0]->buffers[1], expected, sizeof expected);
    batch.release(&batch);
    batch = read_column(&archive,
                        (stamma_columns_options){.table = STAMMA_TABLE_POSITIONS, .skip_plies = 4, .sample = 1}, "ply");
    assert_int_equal(batch.length, 1);
    batch.release(&batch);
    free(archive.text);
}

/* ---- single games ---- */

/* Single games, after groups of games that are skipped. */
static void single_games(void **state)
{
    enum { GAMES = 150 };
    static const unsigned numbers[] = {1, 2, 64, 65, 66, 100, 128, 129, 149, 150};
    listing pgn = {0};
    (void)state;
    list_passed_games(&pgn, GAMES);
    for (int level = 1; level <= 3; level++) {
        listing archive = pack_at(level, pgn.text, pgn.size, NULL);
        struct ArrowArray all = read_column(&archive, (stamma_columns_options){.size = 0}, "text"),
                          moves = read_column(&archive, (stamma_columns_options){.size = 0}, "plies");
        assert_int_equal(all.length, GAMES);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            const stamma_columns_options one = {.first_game = numbers[n], .last_game = numbers[n]};
            struct ArrowArray text = read_column(&archive, one, "text"), plies = read_column(&archive, one, "plies");
            const stamma_text is = text_in(text.children[0], 0), wanted = text_in(all.children[0], numbers[n] - 1);
            assert_int_equal(is.size, wanted.size);
            assert_memory_equal(is.data, wanted.data, is.size);
            assert_int_equal(*(const int32_t *)plies.children[0]->buffers[1],
                             ((const int32_t *)moves.children[0]->buffers[1])[numbers[n] - 1]);
            text.release(&text);
            plies.release(&plies);
        }
        all.release(&all);
        moves.release(&moves);
        free(archive.text);
    }
    free(pgn.text);
}

/* ---- stopping ---- */

static bool stop_at_zero(void *context)
{
    unsigned *left = context;
    *left -= *left > 0;
    return *left == 0;
}

/* A stream that is stopped at any call ends with CANCELLED, even while a block is decoded. */
static void stopped(void **state)
{
    static const char *const moves[] = {"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "};
    listing pgn = read_file("data/games.pgn");
    (void)state;
    for (unsigned ply = 0; ply < 600; ply++)
        list_word(&pgn, moves[ply % 4]);
    list_word(&pgn, "*\n");
    for (int level = 1; level <= 3; level++) {
        listing archive = pack_at(level, pgn.text, pgn.size, NULL);
        stamma_archive *opened = open_handle(&archive);
        stamma_error error = STAMMA_ERROR_CANCELLED;
        unsigned call = 0;
        while (error == STAMMA_ERROR_CANCELLED) {
            unsigned left = ++call;
            listing text = {0};
            struct ArrowArrayStream stream =
                open_column(opened, (stamma_columns_options){.stop = stop_at_zero, .context = &left}, "text");
            error = list_stream(&text, &stream, NULL);
            assert_int_equal(error, left > 0 ? STAMMA_OK : STAMMA_ERROR_CANCELLED);
            free(text.text);
        }
        assert_true(call >= (level == 1 ? 3 : 5)); /* with predicted moves, it is called after every 256 moves */
        stamma_archive_close(opened);
        free(archive.text);
    }
    free(pgn.text);
}

/* ---- memory ---- */

/* Opens the archive of a trial with its allocator. */
static stamma_error open_trial(const trial *t, stamma_archive **archive)
{
    const stamma_bytes bytes = stamma_bytes_of(t->archive->text, t->archive->size);
    const stamma_archive_options options = {.size = sizeof options, .allocator = t->allocator};
    return stamma_archive_open(&bytes, &options, archive);
}

/* Reads one column of each kind whose memory grows with the games. */
static stamma_error read_some(trial *t)
{
    static const struct {
        stamma_table table;
        const char *column;
    } some[] = {{STAMMA_TABLE_GAMES, "event"},
                {STAMMA_TABLE_GAMES, "note1"},
                {STAMMA_TABLE_GAMES, "opening"},
                {STAMMA_TABLE_POSITIONS, "ply"}};
    stamma_archive *archive = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    for (size_t n = 0; n < sizeof some / sizeof *some; n++) {
        const stamma_text name = {some[n].column, strlen(some[n].column)};
        const stamma_columns_options options = {
            .size = sizeof options, .table = some[n].table, .columns = &name, .column_count = 1, .shuffle = 2000};
        struct ArrowArrayStream stream;
        STEP(stamma_columns_open(archive, &options, NULL, &stream));
        STEP(list_stream(&t->result, &stream, NULL));
    }
    stamma_archive_close(archive);
    return error;
}

/* Reads the bits and the first tag of the archive. */
static stamma_error read_bits(trial *t)
{
    static const stamma_text names[] = {{"bits", 4}, {"a00000000000000000001", 21}};
    const stamma_columns_options options = {.size = sizeof options, .columns = names, .column_count = 2};
    struct ArrowArrayStream stream;
    stamma_archive *archive = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    STEP(stamma_columns_open(archive, &options, NULL, &stream));
    STEP(list_stream(&t->result, &stream, NULL));
    stamma_archive_close(archive);
    return error;
}

static void take_column(void *context, const stamma_column *column)
{
    list_format(context, "%s: %s\n", column->name, column->meaning);
}

static stamma_error list_columns(trial *t)
{
    listing names = {0};
    stamma_archive *archive = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    STEP(stamma_columns_list(archive, NULL, take_column, &names));
    stamma_archive_close(archive);
    if (error == STAMMA_OK)
        list_bytes(&t->result, names.text, names.size);
    free(names.text);
    return error;
}

static void without_memory(void **state)
{
    listing games = {0}, named = {0};
    (void)state;
    list_passed_games(&games, 150);
    for (unsigned n = 20; n < 70; n++) /* names that fill the memory of a text exactly */
        list_format(&named, "[a%0*u \"x\"]\n", n, 1);
    list_word(&named, "\n1. e4 *\n");
    listing archive = pack(games.text, games.size, NULL), names = pack(named.text, named.size, NULL);
    sweep(read_some, (trial){.archive = &archive});
    sweep(list_columns, (trial){.archive = &names});
    sweep(read_bits, (trial){.archive = &names});
    free(archive.text);
    free(names.text);
    free(games.text);
    free(named.text);
}

/* Reads the column foo, whose tag follows another tag, with an allocator. */
static stamma_error read_foo(trial *t)
{
    static const stamma_text name = {"foo", 3};
    const stamma_columns_options options = {.size = sizeof options, .columns = &name, .column_count = 1};
    struct ArrowArrayStream stream;
    stamma_archive *archive = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    STEP(stamma_columns_open(archive, &options, NULL, &stream));
    STEP(list_stream(&t->result, &stream, NULL));
    stamma_archive_close(archive);
    return error;
}

/* Reads the column foo while each allocation fails. */
static void check_foo(const char *pgn)
{
    listing archive = pack(pgn, strlen(pgn), NULL);
    trial whole = {.archive = &archive};
    bool failed = true;
    assert_int_equal(read_foo(&whole), STAMMA_OK);
    for (unsigned at = 1; failed; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        trial t = {.allocator = &allocator, .archive = &archive};
        const stamma_error error = read_foo(&t);
        failed = memory.calls >= at;
        assert_true(error == STAMMA_OK || (failed && error == STAMMA_ERROR_NO_MEMORY));
        if (error == STAMMA_OK) {
            assert_int_equal(t.result.size, whole.result.size);
            assert_memory_equal(t.result.text, whole.result.text, whole.result.size);
        }
        assert_int_equal(memory.alive, 0);
        free(t.result.text);
    }
    free(whole.result.text);
    free(archive.text);
}

/* The name of another tag, without its first letter, equals the name of the column. */
static void similar_names(void **state)
{
    (void)state;
    check_foo("[Foo \"right\"]\n[Xfoo \"wrong\"]\n\n1. e4 *\n");
    check_foo("[Xfoo \"wrong\"]\n[Foo \"right\"]\n\n1. e4 *\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(two_tags_in_a_column),
        cmocka_unit_test(changes_and_times),
        cmocka_unit_test(evaluations),
        cmocka_unit_test(bits_of_null_moves),
        cmocka_unit_test(selected_plies),
        cmocka_unit_test(single_games),
        cmocka_unit_test(stopped),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(many_tags),
        cmocka_unit_test(similar_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
