/* SPDX-License-Identifier: MIT */
/* Tests statistics: golden results computed by hand, and merging in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/stats.h"
#include "value_games.h"

static const char games[] =
    "[White \"Lasker, Em\"]\n[Black \"M\xFCller \\\"X\\\"\"]\n[Date \"1999.12.31\"]\n[Result \"1-0\"]\n[WhiteElo "
    "\"2599\"]\n"
    "[BlackElo \"2400\"]\n[ECO \"C42a\"]\n[TimeControl \"180+2\"]\n[Termination \"Normal\"]\n\n1. e4 e5 2. Nf3 Nf6 "
    "1-0\n\n"
    "[White \"M\xC3\xBCller \\\"X\\\"\"]\n[Black \"Lasker, Em\"]\n[Date \"1999.??.??\"]\n[Result \"1/2-1/2\"]\n"
    "[WhiteElo \"2400\"]\n\n1. e4 e5 2. Nf3 Nf6 3. d4 exd4 4. e5 Ne4 5. Qxd4 d5 6. exd6 1/2-1/2\n\n"
    "[White \"?\"]\n[Black \"Lasker, Em\"]\n[Result \"*\"]\n\n1. d4 *\n\n"
    "[White \"Solo\"]\n[Black \"?\"]\n[Date \"2001.01.01\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 "
    "1\"]\n\n"
    "1. e4 Kd7 0-1\n\n";

static stamma_stats *open_stats(void)
{
    stamma_stats *stats = NULL;
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    return stats;
}

typedef struct shares {
    stamma_stats **stats;
    size_t count;
} shares;

static void add_game(void *context, const stamma_archive_game *game)
{
    const shares *s = (const shares *)context;
    size_t n = s->count > 1 ? (size_t)random_below(s->count) : 0;
    assert_int_equal(stamma_stats_add(s->stats[n], game), STAMMA_OK);
}

/* Adds each game to one of the statistics at random. */
static void add_games(const char *text, size_t size, stamma_stats **stats, size_t count)
{
    shares s = {stats, count};
    for_each_game(text, size, add_game, &s);
}

static void expect_row(stamma_stats *stats, stamma_stats_table table, size_t n, const char *name,
                       const stamma_stats_results *white, const stamma_stats_results *black, uint64_t plies)
{
    const stamma_stats_row *row = NULL;
    assert_int_equal(stamma_stats_row_at(stats, table, n, &row), STAMMA_OK);
    assert_non_null(row);
    assert_int_equal(row->name.size, strlen(name));
    assert_memory_equal(row->name.data, name, row->name.size);
    assert_memory_equal(&row->results[0], white, sizeof *white);
    assert_memory_equal(&row->results[1], black, sizeof *black);
    assert_int_equal(row->plies, plies);
}

#define RESULTS(all, w, d, b)                                              \
    &(const stamma_stats_results)                                          \
    {                                                                      \
        .games = (all), .white_wins = (w), .draws = (d), .black_wins = (b) \
    }

static void expect_end(stamma_stats *stats, stamma_stats_table table, size_t count)
{
    const stamma_stats_row *row = NULL;
    assert_int_equal(stamma_stats_row_count(stats, table), count);
    assert_int_equal(stamma_stats_row_at(stats, table, count, &row), STAMMA_OK);
    assert_null(row);
}

static void test_total(void **state)
{
    (void)state;
    stamma_stats *stats = open_stats();
    add_games(games, sizeof games - 1, &stats, 1);
    stamma_stats_total t = stamma_stats_sum(stats);
    assert_memory_equal(&t.results, RESULTS(4, 1, 1, 1), sizeof t.results);
    assert_int_equal(t.plies, 4 + 11 + 1 + 2);
    assert_int_equal(t.longest, 11);
    assert_int_equal(t.set_up, 1);
    assert_int_equal(t.rated, 1);
    stamma_stats_close(stats);
}

static void test_rows(void **state)
{
    const stamma_stats_results *none = RESULTS(0, 0, 0, 0);
    (void)state;
    stamma_stats *s = open_stats();
    add_games(games, sizeof games - 1, &s, 1);
    expect_row(s, STAMMA_STATS_LENGTHS, 0, "0", RESULTS(3, 1, 0, 1), none, 7);
    expect_row(s, STAMMA_STATS_LENGTHS, 1, "10", RESULTS(1, 0, 1, 0), none, 11);
    expect_end(s, STAMMA_STATS_LENGTHS, 2);
    expect_row(s, STAMMA_STATS_YEARS, 0, "1999", RESULTS(2, 1, 1, 0), none, 15);
    expect_row(s, STAMMA_STATS_YEARS, 1, "2001", RESULTS(1, 0, 0, 1), none, 2);
    expect_end(s, STAMMA_STATS_YEARS, 2);
    expect_row(s, STAMMA_STATS_RATINGS, 0, "2400", RESULTS(1, 0, 1, 0), RESULTS(1, 1, 0, 0), 15);
    expect_row(s, STAMMA_STATS_RATINGS, 1, "2500", RESULTS(1, 1, 0, 0), none, 4);
    expect_end(s, STAMMA_STATS_RATINGS, 2);
    expect_row(s, STAMMA_STATS_PLAYERS, 0, "Lasker, Em", RESULTS(1, 1, 0, 0), RESULTS(2, 0, 1, 0), 16);
    expect_row(s, STAMMA_STATS_PLAYERS, 1, "M\xC3\xBCller \"X\"", RESULTS(1, 0, 1, 0), RESULTS(1, 1, 0, 0), 15);
    expect_row(s, STAMMA_STATS_PLAYERS, 2, "Solo", RESULTS(1, 0, 0, 1), none, 2);
    expect_end(s, STAMMA_STATS_PLAYERS, 3);
    expect_row(s, STAMMA_STATS_FIRST_MOVES, 0, "e4 e5", RESULTS(2, 1, 1, 0), none, 15);
    expect_row(s, STAMMA_STATS_FIRST_MOVES, 1, "d4", RESULTS(1, 0, 0, 0), none, 1);
    expect_end(s, STAMMA_STATS_FIRST_MOVES, 2);
    expect_row(s, STAMMA_STATS_ECO, 0, "A40", RESULTS(1, 0, 0, 0), none, 1);
    expect_row(s, STAMMA_STATS_ECO, 1, "C42", RESULTS(1, 1, 0, 0), none, 4);  /* from the tag */
    expect_row(s, STAMMA_STATS_ECO, 2, "C43", RESULTS(1, 0, 1, 0), none, 11); /* from the moves */
    expect_end(s, STAMMA_STATS_ECO, 3);
    expect_end(s, STAMMA_STATS_OPENINGS, 3);
    expect_row(s, STAMMA_STATS_TIME_CONTROLS, 0, "180+2", RESULTS(1, 1, 0, 0), none, 4);
    expect_end(s, STAMMA_STATS_TIME_CONTROLS, 1);
    expect_row(s, STAMMA_STATS_TERMINATIONS, 0, "Normal", RESULTS(1, 1, 0, 0), none, 4);
    expect_end(s, STAMMA_STATS_TERMINATIONS, 1);
    stamma_stats_close(s);
}

static char *json_of(stamma_stats *stats)
{
    size_t length = 0, again = 0;
    assert_int_equal(stamma_stats_write_json(stats, SIZE_MAX, NULL, 0, &length), STAMMA_OK);
    char *json = malloc(length + 1);
    assert_non_null(json);
    assert_int_equal(stamma_stats_write_json(stats, SIZE_MAX, json, length + 1, &again), STAMMA_OK);
    assert_int_equal(again, length);
    assert_int_equal(strlen(json), length);
    return json;
}

static void test_json(void **state)
{
    static const char text[] =
        "[White \"A\\\\\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[BlackElo \"987\"]\n\n1. e4 0-1\n\n";
    static const char expected[] =
        "{\"kind\":\"stats\",\"games\":1,\"white_wins\":0,\"draws\":0,\"black_wins\":1,\"unfinished\":0,"
        "\"plies\":1,\"mean_"
        "plies\":1.00,"
        "\"longest\":1,\"set_up\":0,\"rated\":0,"
        "\"lengths\":[{\"from\":0,\"games\":1,\"white_wins\":0,\"draws\":0,\"black_wins\":1,\"plies\":1,"
        "\"mean_plies\":1.00}],"
        "\"years\":[],\"ratings\":[{\"from\":900,\"games\":1,\"points\":1.00,"
        "\"as_white\":{\"games\":0,\"white_wins\":0,\"draws\":0,\"black_wins\":0},"
        "\"as_black\":{\"games\":1,\"white_wins\":0,\"draws\":0,\"black_wins\":1},\"plies\":1,\"mean_plies\":1.00}],"
        "\"players\":[{\"name\":\"A\\\\\",\"games\":1,\"points\":0.00,"
        "\"as_white\":{\"games\":1,\"white_wins\":0,\"draws\":0,\"black_wins\":1},"
        "\"as_black\":{\"games\":0,\"white_wins\":0,\"draws\":0,\"black_wins\":0},\"plies\":1,\"mean_plies\":1.00},"
        "{\"name\":\"B\",\"games\":1,\"points\":1.00,"
        "\"as_white\":{\"games\":0,\"white_wins\":0,\"draws\":0,\"black_wins\":0},"
        "\"as_black\":{\"games\":1,\"white_wins\":0,\"draws\":0,\"black_wins\":1},\"plies\":1,\"mean_plies\":1.00}],"
        "\"first_moves\":[{\"moves\":\"e4\",\"games\":1,\"white_wins\":0,\"draws\":0,\"black_wins\":1,"
        "\"plies\":1,\"mean_plies\":"
        "1.00}],"
        "\"eco\":[{\"code\":\"B00\",\"games\":1,\"white_wins\":0,\"draws\":0,\"black_wins\":1,\"plies\":1,"
        "\"mean_plies\":1.00}],"
        "\"openings\":[{\"name\":\"King's Pawn Game\",\"games\":1,\"white_wins\":0,\"draws\":0,"
        "\"black_wins\":1,\"plies\":1,"
        "\"mean_plies\":1.00}],\"time_controls\":[],\"terminations\":[]}";
    (void)state;
    stamma_stats *stats = open_stats();
    add_games(text, sizeof text - 1, &stats, 1);
    char *json = json_of(stats);
    assert_string_equal(json, expected);
    free(json);
    stamma_stats_close(stats);
}

/* Members of the wrong kind, and counts that are impossible in statistics. */
static void test_wrong_members(void **state)
{
    static const struct {
        const char *from, *to, *at;
    } cases[] = {
        {"\"years\":", "\"other\":", "\"years\": missing"},
        {"\"years\":[", "\"years\":1,\"other\":[", "\"years\": of another kind"},
        {"\"years\":[", "\"years\":[1,", "\"year\": missing"},
        {"\"from\":0", "\"from\":0.5", "\"from\": expected a number from 0 on"},
        {"\"as_white\":", "\"other\":", "\"as_white\": missing"},
        {"\"as_black\":{", "\"as_black\":1,\"other\":{", "\"as_black\": of another kind"},
        {"\"moves\":\"e4 e5\"", "\"moves\":1", "\"moves\": of another kind"},
        {"\"games\":4", "\"games\":2", "\"games\": no such value is written"},
        {"\"plies\":18", "\"plies\":1234567890123456", "\"plies\": expected a number from 0 on"},
    };
    stamma_stats *stats = open_stats(), *none = NULL;
    (void)state;
    add_games(games, sizeof games - 1, &stats, 1);
    char *json = json_of(stats);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const char *at = strstr(json, cases[n].from);
        listing wrong = {0};
        stamma_query_problem fault = {.size = 0};
        assert_non_null(at);
        list_bytes(&wrong, json, (size_t)(at - json));
        list_word(&wrong, cases[n].to);
        list_word(&wrong, at + strlen(cases[n].from));
        assert_int_equal(stamma_stats_read_json((stamma_text){wrong.text, wrong.size}, NULL, &fault, &none),
                         STAMMA_ERROR_SYNTAX);
        assert_string_equal(fault.message, cases[n].at);
        free(wrong.text);
    }
    assert_null(none);
    free(json);
    stamma_stats_close(stats);
}

/* ---- merging ---- */

enum { PARTS = 5 };

static stamma_stats *merge_all(stamma_stats **stats, size_t count)
{
    while (count > 1) {
        size_t into = (size_t)random_below(count), from = (size_t)random_below(count - 1);
        from += from >= into;
        assert_int_equal(stamma_stats_merge(stats[into], stats[from]), STAMMA_OK);
        stamma_stats_close(stats[from]);
        stats[from] = stats[--count];
    }
    return stats[0];
}

static void test_sums(void **state)
{
    (void)state;
    listing many = {0};
    list_tagged_games(&many, 300);
    stamma_stats *whole = open_stats();
    add_games(many.text, many.size, &whole, 1);
    assert_int_equal(stamma_stats_sum(whole).results.games, 300);
    char *expected = json_of(whole);
    for (unsigned round = 0; round < 20; round++) {
        stamma_stats *parts[PARTS];
        for (size_t n = 0; n < PARTS; n++)
            parts[n] = open_stats();
        add_games(many.text, many.size, parts, PARTS);
        stamma_stats *sum = merge_all(parts, PARTS);
        char *json = json_of(sum);
        assert_string_equal(json, expected);
        free(json);
        stamma_stats_close(sum);
    }
    stamma_stats *read = NULL;
    assert_int_equal(stamma_stats_read_json((stamma_text){expected, strlen(expected)}, NULL, NULL, &read), STAMMA_OK);
    char *again = json_of(read);
    assert_string_equal(again, expected);
    free(again);
    stamma_stats_close(read);
    for (size_t n = 0; n < strlen(expected); n += 97)
        assert_int_equal(stamma_stats_read_json((stamma_text){expected, n}, NULL, NULL, &read), STAMMA_ERROR_SYNTAX);
    free(expected);
    free(many.text);
    stamma_stats_close(whole);
    stamma_stats_close(NULL);
}

static void add_until_failure(void *context, const stamma_archive_game *game)
{
    stamma_error error = stamma_stats_add((stamma_stats *)context, game);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
}

static void test_no_memory(void **state)
{
    (void)state;
    stamma_stats *whole = open_stats();
    add_games(games, sizeof games - 1, &whole, 1);
    for (unsigned fail_at = 1; fail_at < 50; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        stamma_stats *stats = NULL;
        size_t length = 0;
        stamma_error error = stamma_stats_open(&allocator, &stats);
        if (error == STAMMA_OK) {
            for_each_game(games, sizeof games - 1, add_until_failure, stats);
            error = stamma_stats_merge(stats, whole);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
            error = stamma_stats_write_json(stats, SIZE_MAX, NULL, 0, &length);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        }
        stamma_stats_close(stats);
        assert_int_equal(memory.alive, 0);
    }
    stamma_stats_close(whole);
}

/* ---- edges ---- */

/* Invalid codes of openings, and pieces of games that continue. */
static void test_edges(void **state)
{
    static const char text[] = "[ECO \"A\"]\n\n*\n\n[ECO \"123\"]\n\n*\n\n[ECO \"F00\"]\n\n*\n\n[ECO \"A0x\"]\n\n*\n\n"
                               "[ECO \"E99/2\"]\n\n*\n\n";
    const stamma_stats_results none = {.games = 0}, one = {.games = 1};
    stamma_stats *stats = open_stats();
    (void)state;
    add_games(text, sizeof text - 1, &stats, 1);
    expect_row(stats, STAMMA_STATS_ECO, 0, "E99", &one, &none, 0);
    expect_end(stats, STAMMA_STATS_ECO, 1);
    const stamma_archive_game rest = {.continuation = true, .ply_count = 5};
    assert_int_equal(stamma_stats_add(stats, &rest), STAMMA_OK);
    assert_int_equal(stamma_stats_sum(stats).results.games, 5);
    assert_int_equal(stamma_stats_row_count(stats, STAMMA_STATS_TABLES), 0);
    assert_int_equal(stamma_stats_row_count(stats, (stamma_stats_table)-1), 0);
    stamma_stats_close(stats);
}

/* Two allocators whose functions do the same. `failing` makes all calls fail. */
static bool failing;

static void *resize(void *context, void *memory, size_t size)
{
    (void)context;
    return failing ? NULL : realloc(memory, size);
}

static void *resize_too(void *context, void *memory, size_t size)
{
    return resize(context, memory, size);
}

static void *allocate(void *context, size_t size)
{
    return resize(context, NULL, size);
}

static void *allocate_too(void *context, size_t size)
{
    return resize(context, NULL, size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void release_too(void *context, void *memory)
{
    release(context, memory);
}

/* Statistics are swapped with empty statistics of the same allocator. Otherwise they are merged, and the source stays
 * unchanged, even if the target contains a game without rows because an allocation failed. */
static void test_taken(void **state)
{
    static char context;
    const stamma_allocator plain = {NULL, allocate, resize, release};
    const stamma_allocator allocators[] = {plain,
                                           plain,
                                           {&context, allocate, resize, release},
                                           {NULL, allocate_too, resize, release},
                                           {NULL, allocate, resize_too, release},
                                           {NULL, allocate, resize, release_too}};
    const stamma_archive_game game = {.start = stamma_position_start()};
    (void)state;
    for (unsigned n = 0; n < 6; n++) {
        stamma_stats into, other, *filled = &other;
        stamma_stats_init(&into, &allocators[n]);
        stamma_stats_init(&other, &plain);
        add_games(games, sizeof games - 1, &filled, 1);
        const size_t rows = stamma_stats_row_count(&other, STAMMA_STATS_ECO);
        failing = n == 1;
        if (failing)
            assert_int_equal(stamma_stats_add(&into, &game), STAMMA_ERROR_NO_MEMORY);
        failing = false;
        assert_int_equal(stamma_stats_take(&into, &other), STAMMA_OK);
        assert_int_equal(stamma_stats_sum(&into).results.games, n == 1 ? 5 : 4);
        assert_int_equal(stamma_stats_sum(&other).results.games, n == 0 ? 0 : 4);
        assert_int_equal(stamma_stats_row_count(&into, STAMMA_STATS_ECO), rows);
        stamma_stats_release(&into);
        stamma_stats_release(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_total), cmocka_unit_test(test_rows),          cmocka_unit_test(test_json),
        cmocka_unit_test(test_sums),  cmocka_unit_test(test_wrong_members), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_edges), cmocka_unit_test(test_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
