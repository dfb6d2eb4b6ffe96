/* SPDX-License-Identifier: MIT */
/* Tests names of columns, rejected options, failing reads, and castling of Chess960 in streams of Arrow batches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arrow_support.h"
#include "columns/columns.h"

#define TEXT(literal) ((stamma_text){literal, sizeof(literal) - 1})

/* ---- names ---- */

static void test_converted_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"White", "white"},      {"WhiteElo", "white_elo"}, {"ECO", "eco"},
        {"ECOCode", "eco_code"}, {"Round2A", "round2_a"},   {"A.B-C", "a_b_c"},
        {"iD", "i_d"},           {"XYz", "x_yz"},           {"", ""},
        {"a\xC3\xA9", "a__"},    {"UTCDate", "utc_date"},   {"x1Y2", "x1_y2"},
        {"A{Bc", "a_bc"},        {"A/0Bc", "a_0_bc"},       {"zAb", "z_ab"},
        {"Z@Ab", "z_ab"},
    };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        buffer converted = {.allocator = &allocator};
        stamma_tag_name_convert(stamma_text_of(names[n][0]), &converted);
        assert_int_equal(converted.size, strlen(names[n][1]));
        if (converted.size > 0)
            assert_memory_equal(converted.data, names[n][1], converted.size);
        stamma_buffer_release(&converted);
    }
}

static const char games[] = "[White \"A\"]\n[Foo \"1\"]\n[foo \"2\"]\n[WhiteTeam \"T\"]\n\n1. e4 *\n\n";

static void count_foo(void *context, const stamma_column *column)
{
    *(unsigned *)context += strcmp(column->name, "foo") == 0;
}

/* Two tags whose names are converted to the same name have one column. */
static void test_same_name(void **state)
{
    (void)state;
    listing archive = pack(games, sizeof games - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    unsigned count = 0;
    assert_int_equal(stamma_columns_list(opened, NULL, count_foo, &count), STAMMA_OK);
    assert_int_equal(count, 1);
    stamma_archive_close(opened);
    free(archive.text);
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        stamma_table table;
        stamma_text names[2];
        size_t count, column;
        const char *message;
    } cases[] = {
        {STAMMA_TABLE_GAMES, {{"", 0}}, 1, 0, "unknown column \"\""},
        {STAMMA_TABLE_GAMES, {{"white", 5}, {"whte", 4}}, 2, 1, "unknown column \"whte\"; did you mean \"white\"?"},
        {STAMMA_TABLE_GAMES, {{"white", 5}, {"white", 5}}, 2, 1, "repeated column \"white\""},
        {STAMMA_TABLE_GAMES, {{"tag:", 4}}, 1, 0, "unknown column \"tag:\""},
        {STAMMA_TABLE_PLIES, {{"white_team", 10}}, 1, 0, "unknown column \"white_team\""},
    };
    listing archive = pack(games, sizeof games - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const stamma_columns_options options = {
            .size = sizeof options, .table = cases[n].table, .columns = cases[n].names, .column_count = cases[n].count};
        stamma_columns_problem fault = {.column = 77};
        struct ArrowArrayStream stream;
        assert_int_equal(stamma_columns_open(opened, &options, NULL, &stream), STAMMA_ERROR_SYNTAX);
        assert_int_equal(stamma_columns_open(opened, &options, &fault, &stream), STAMMA_ERROR_SYNTAX);
        assert_int_equal(fault.column, cases[n].column);
        assert_int_equal(strncmp(fault.message, cases[n].message, strlen(cases[n].message)), 0);
    }
    stamma_archive_close(opened);
    free(archive.text);
}

/* ---- options ---- */

static void test_refused(void **state)
{
    (void)state;
    static stamma_text many[2049];
    const stamma_text none = {NULL, 5};
    const stamma_columns_options refused[] = {
        {.batch_rows = (1 << 20) + 1},
        {.shuffle = (1 << 24) + 1},
        {.columns = many, .column_count = 2049},
        {.columns = &none, .column_count = 1},
    };
    for (size_t n = 0; n < 2049; n++)
        many[n] = TEXT("white");
    listing archive = pack(games, sizeof games - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        stamma_columns_options options = refused[n];
        struct ArrowArrayStream stream;
        options.size = sizeof options;
        assert_int_equal(stamma_columns_open(opened, &options, NULL, &stream), STAMMA_ERROR_BAD_ARGUMENT);
    }
    const stamma_columns_options largest = {.size = sizeof largest, .batch_rows = 1 << 20, .shuffle = 1 << 24};
    struct ArrowArrayStream stream;
    assert_int_equal(stamma_columns_open(opened, &largest, NULL, &stream), STAMMA_OK);
    stream.release(&stream);
    stamma_archive_close(opened);
    free(archive.text);
}

/* Without an archive, only the columns that all archives have are listed. */
static void test_lists(void **state)
{
    listing archive = pack(games, sizeof games - 1, NULL);
    archive_source source = {.bytes = archive.text, .size = archive.size};
    const stamma_bytes bytes = source_bytes(&source);
    const stamma_columns_options refused = {.size = sizeof refused, .shuffle = (1 << 24) + 1};
    stamma_archive *opened = NULL;
    unsigned foo = 0;
    (void)state;
    assert_int_equal(stamma_archive_open(&bytes, NULL, &opened), STAMMA_OK);
    assert_int_equal(stamma_columns_list(opened, &refused, count_foo, &foo), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_columns_list(NULL, NULL, count_foo, &foo), STAMMA_OK);
    assert_int_equal(foo, 0);
    assert_int_equal(stamma_columns_list(opened, NULL, count_foo, &foo), STAMMA_OK);
    assert_int_equal(foo, 1);
    stamma_archive_close(opened);
    free(archive.text);
}

static void count_column(void *context, const stamma_column *column)
{
    *(unsigned *)context += column->is_default;
}

/* A stream has at most 2048 columns. The first tags have a column. */
static void test_many_tags(void **state)
{
    enum { ARCHIVES = 9, TAGS = 240 };
    listing archives[ARCHIVES];
    unsigned count = 0;
    (void)state;
    for (unsigned n = 0; n < ARCHIVES; n++) {
        listing text = {0};
        for (unsigned tag = 0; tag < TAGS; tag++)
            list_format(&text, "[T%u \"x\"]\n", n * TAGS + tag);
        list_word(&text, "\n*\n");
        archives[n] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    listing all = copy_archives(archives, ARCHIVES, NULL);
    stamma_archive *opened = open_handle(&all);
    assert_int_equal(stamma_columns_list(opened, NULL, count_column, &count), STAMMA_OK);
    stamma_archive_close(opened);
    assert_int_equal(count, 2048);
    for (unsigned n = 0; n < ARCHIVES; n++)
        free(archives[n].text);
    free(all.text);
}

/* ---- inputs ---- */

static stamma_error read_source(archive_source *source, stamma_columns_options options, listing *to)
{
    const stamma_bytes bytes = source_bytes(source);
    stamma_archive *archive = NULL;
    struct ArrowArrayStream stream;
    stamma_block block;
    size_t count;
    options.size = sizeof options;
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (error == STAMMA_OK)
        error = stamma_archive_blocks(archive, &block, 1, &count);
    if (error == STAMMA_OK)
        error = stamma_columns_open(archive, &options, NULL, &stream);
    if (error == STAMMA_OK)
        error = list_stream(to, &stream, NULL);
    stamma_archive_close(archive);
    return error;
}

/* Each read of a file fails once. */
static void test_failing_reads(void **state)
{
    (void)state;
    listing archive = pack(games, sizeof games - 1, NULL);
    stamma_query *query;
    assert_int_equal(stamma_query_parse(TEXT("{\"white\": \"A\"}"), NULL, NULL, &query), STAMMA_OK);
    const stamma_columns_options ways[] = {
        {.batch_rows = 7}, {.first_game = 1, .last_game = 1}, {.query = query}, {.table = STAMMA_TABLE_PLIES}};
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        stamma_error error;
        unsigned fail_at = 0, failed = 0;
        do {
            archive_source source = {.bytes = archive.text, .size = archive.size};
            listing text = {0};
            source.fail_at = ++fail_at;
            error = read_source(&source, ways[n], &text);
            assert_int_equal(error, source.calls < fail_at ? STAMMA_OK : STAMMA_ERROR_IO);
            failed += error != STAMMA_OK;
            free(text.text);
        } while (error != STAMMA_OK);
        assert_true(failed > 3);
    }
    stamma_query_close(query);
    free(archive.text);
}

/* ---- Chess960 ---- */

/* Lists the UCI texts of a game and returns whether they contain a move. */
static bool has_move(const char *game, stamma_table table, const char *move)
{
    const stamma_text names[] = {TEXT("uci")};
    const stamma_columns_options options = {
        .size = sizeof options, .table = table, .columns = names, .column_count = 1};
    listing archive = pack(game, strlen(game), NULL), text = {0};
    stamma_archive *opened = open_handle(&archive);
    struct ArrowArrayStream stream;
    bool found = false;
    assert_int_equal(stamma_columns_open(opened, &options, NULL, &stream), STAMMA_OK);
    assert_int_equal(list_stream(&text, &stream, NULL), STAMMA_OK);
    for (size_t at = 0; at + 4 <= text.size; at++)
        found |= memcmp(text.text + at, move, 4) == 0;
    stamma_archive_close(opened);
    free(text.text);
    free(archive.text);
    return found;
}

/* Castling is the move of the king to the rook's square if the game is Chess960. */
static void test_castling(void **state)
{
    (void)state;
    static const struct {
        const char *tags;
        bool chess960;
    } cases[] = {
        {"", false},
        {"[Variant \"Fischerandom\"]\n", true},
        {"[Variant \"Chess960\"]\n", true},
        {"[Variant \"FRC\"]\n", true},
        {"[Variant \"fischer random\"]\n", true},
        {"[Variant \"Three-check\"]\n", false},
        {"[Variant \"Standard\"]\n", false},
        {"[FEN \"rnbqk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R w KQkq - 0 1\"]\n[SetUp \"1\"]\n", false},
        {"[FEN \"rnbq1k1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R w KQk - 0 1\"]\n[SetUp \"1\"]\n", true},
        {"[FEN \"rnbqkr2/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R w KQfq - 0 1\"]\n[SetUp \"1\"]\n", true},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (int table = 0; table < 2; table++) {
            char game[300];
            (void)snprintf(game, sizeof game, "%s\n%s *\n", cases[n].tags,
                           strstr(cases[n].tags, "FEN") ? "1. O-O" : "1. e4 e5 2. Nf3 Nc6 3. Be2 Be7 4. O-O");
            const stamma_table of = table ? STAMMA_TABLE_PLIES : STAMMA_TABLE_GAMES;
            if (has_move(game, of, "e1h1") != cases[n].chess960 || has_move(game, of, "e1g1") == cases[n].chess960)
                fail_msg("table %d: %s", table, cases[n].tags);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_converted_names), cmocka_unit_test(test_same_name), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_refused),         cmocka_unit_test(test_lists),     cmocka_unit_test(test_many_tags),
        cmocka_unit_test(test_failing_reads),   cmocka_unit_test(test_castling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
