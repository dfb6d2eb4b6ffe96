/* SPDX-License-Identifier: MIT */
/* Tests opening trees: the counts for each game compared with results computed by hand, and merging in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "value_games.h"

/* ---- games ---- */

static const char games[] =
    /* 1: a transposition to the Queen's Gambit Declined */
    "[White \"A\"]\n[Black \"B\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n[BlackElo "
    "\"2401\"]\n\n"
    "1. c4 e6 2. d4 d5 3. Nc3 Nf6 1-0\n\n"
    /* 2: the same position by the usual order, another move; only Black's rating is known */
    "[White \"C\"]\n[Black \"D\"]\n[Date \"2010.??.??\"]\n[Result \"1/2-1/2\"]\n[BlackElo \"2600\"]\n\n"
    "1. d4 d5 2. c4 e6 3. Nf3 1/2-1/2\n\n"
    /* 3: ends there; the result is only in the movetext */
    "[White \"E\"]\n[Black \"F\"]\n[UTCDate \"2020.05.06\"]\n[Date \"????.??.??\"]\n\n1. d4 d5 2. c4 e6 0-1\n\n"
    /* 4: unfinished; the position occurs twice, the first occurrence counts */
    "[White \"G\"]\n[Black \"H\"]\n[Result \"*\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2200\"]\n\n"
    "1. d4 d5 2. c4 e6 3. Nf3 Nf6 4. Ng1 Ng8 5. Nc3 *\n\n"
    /* 5: never reaches it */
    "[White \"I\"]\n[Black \"J\"]\n[Result \"1-0\"]\n[WhiteElo \"2900\"]\n[BlackElo \"2900\"]\n\n1. e4 c5 1-0\n\n"
    /* 6: won by Black */
    "[White \"K\"]\n[Black \"L\"]\n[Date \"2010.??.??\"]\n[Result \"0-1\"]\n[WhiteElo \"2300\"]\n[BlackElo "
    "\"2300\"]\n\n"
    "1. d4 e6 2. c4 d5 3. Nc3 0-1\n\n";

static const char fen[] = "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3";

static stamma_tree *tree_of(const char *position)
{
    stamma_tree *tree = NULL;
    stamma_position p = stamma_position_start();
    if (position)
        assert_int_equal(stamma_fen_read((stamma_text){position, strlen(position)}, &p, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_tree_open(&p, NULL, &tree), STAMMA_OK);
    return tree;
}

/* Makes a tree with a history. */
static stamma_tree *history_of(const char *position)
{
    stamma_tree *tree = tree_of(position);
    assert_int_equal(stamma_tree_keep_history(tree), STAMMA_OK);
    return tree;
}

typedef struct shares {
    stamma_tree **trees;
    size_t count;
} shares;

static void add_game(void *context, const stamma_archive_game *game)
{
    const shares *s = (const shares *)context;
    size_t n = s->count > 1 ? (size_t)random_below(s->count) : 0;
    assert_int_equal(stamma_tree_add(s->trees[n], (stamma_text){"sample", 6}, game), STAMMA_OK);
}

/* Adds each game to one of the trees at random. */
static void add_games(const char *text, size_t size, stamma_tree **trees, size_t count)
{
    shares s = {trees, count};
    for_each_game(text, size, add_game, &s);
}

static char *json_of(stamma_tree *tree)
{
    size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, NULL, 0) + 1;
    char *json = malloc(size);
    assert_non_null(json);
    assert_int_equal(stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, size), size - 1);
    assert_int_equal(strlen(json), size - 1);
    return json;
}

static void expect_uci(const stamma_tree *tree, stamma_move move, const char *uci)
{
    char text[STAMMA_UCI_SIZE];
    (void)stamma_uci_write(stamma_tree_position(tree), move, false, text, sizeof text);
    assert_string_equal(text, uci);
}

/* ---- counts ---- */

static void test_total(void **state)
{
    (void)state;
    stamma_tree *tree = tree_of(fen);
    add_games(games, sizeof games - 1, &tree, 1);
    stamma_tree_counts c = stamma_tree_total(tree);
    assert_int_equal(c.games, 5);
    assert_int_equal(c.white_wins, 1);
    assert_int_equal(c.draws, 1);
    assert_int_equal(c.black_wins, 2);
    assert_int_equal(c.rated, 3); /* 1, 4 and 6 */
    assert_int_equal(c.rating_sum, 4901 + 4200 + 4600);
    assert_int_equal(stamma_tree_rating(&c), 2284); /* 13701 / 6 = 2283.5 */
    assert_int_equal(c.opponents, 3);               /* Black's in 1, 2 and 6: 4 is unfinished */
    assert_int_equal(c.opponent_sum, 2401 + 2600 + 2300);
    assert_int_equal(c.half_points, 3);
    assert_int_equal(c.last_date, 20200500);
    stamma_tree_close(tree);
}

static void test_moves(void **state)
{
    (void)state;
    stamma_tree *tree = tree_of(fen);
    add_games(games, sizeof games - 1, &tree, 1);
    assert_int_equal(stamma_tree_move_count(tree), 2);
    const stamma_tree_move *m = stamma_tree_move_at(tree, 0);
    /* Both have two games, and b1c3 is first in text order. */
    expect_uci(tree, m->move, "b1c3");
    assert_int_equal(m->counts.games, 2);
    assert_int_equal(m->counts.white_wins, 1);
    assert_int_equal(m->counts.black_wins, 1);
    assert_int_equal(m->counts.last_date, 20100000);
    assert_int_equal(m->top.game, 1);
    assert_int_equal(m->recent.game, 6);
    m = stamma_tree_move_at(tree, 1);
    expect_uci(tree, m->move, "g1f3");
    assert_int_equal(m->counts.games, 2);
    assert_int_equal(m->counts.draws, 1);
    assert_int_equal(m->counts.rated, 1);
    assert_int_equal(m->top.game, 4);
    assert_int_equal(m->recent.game, 2);
    assert_null(stamma_tree_move_at(tree, 2));
    stamma_tree_close(tree);
}

static void test_games(void **state)
{
    static const uint64_t top[] = {1, 6, 4, 3, 2}, recent[] = {3, 6, 2, 1, 4};
    (void)state;
    stamma_tree *tree = tree_of(fen);
    add_games(games, sizeof games - 1, &tree, 1);
    for (size_t n = 0; n < 5; n++) {
        assert_int_equal(stamma_tree_top_game(tree, n)->game, top[n]);
        assert_int_equal(stamma_tree_recent_game(tree, n)->game, recent[n]);
    }
    assert_true(stamma_tree_recent_game(tree, 0)->ended);
    assert_int_equal(stamma_tree_recent_game(tree, 0)->result, STAMMA_RESULT_BLACK);
    assert_null(stamma_tree_top_game(tree, 5));
    assert_null(stamma_tree_recent_game(tree, 5));
    stamma_tree_close(tree);
}

/* Positions that differ in castling rights or in a legal en passant capture are different. */
static void test_identity(void **state)
{
    static const char text[] = "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. d4 *\n\n1. e4 e5 2. Nf3 *\n\n"
                               "1. e4 Nf6 2. e5 d5 3. exd6 *\n\n1. e4 d5 2. e5 Nf6 3. d4 *\n\n";
    static const struct {
        const char *fen;
        unsigned games;
    } cases[] = {
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", 2},
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", 2}, /* that no pawn can capture */
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2", 1},
        {"rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", 1},
        {"rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", 1},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        stamma_tree *tree = tree_of(cases[n].fen);
        add_games(text, sizeof text - 1, &tree, 1);
        assert_int_equal(stamma_tree_total(tree).games, cases[n].games);
        stamma_tree_close(tree);
    }
}

static void test_performance(void **state)
{
    static const struct {
        uint64_t opponents, sum, half_points;
        int32_t performance;
    } cases[] = {
        {1, 2400, 1, 2400},          /* an even score */
        {1, 2400, 2, 3200},          /* at the bounds */
        {1, 2400, 0, 1600},          /* the other bound */
        {4, 9600, 6, 2591},          /* 400 * log10(3) = 190.85 */
        {4, 9600, 2, 2209},          /* the other direction */
        {1000, 2000000, 1999, 2800}, /* beyond a bound */
        {10, 23005, 11, 2335},       /* 2300.5 + 400 * log10(11 / 9) = 2335.36 */
        {2, 200, 0, -700},           /* below zero */
        {3, 301, 1, -179},           /* 100.33 - 279.59 = -179.26 */
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const stamma_tree_counts c = {
            .opponents = cases[n].opponents, .opponent_sum = cases[n].sum, .half_points = cases[n].half_points};
        int32_t performance = 0;
        assert_true(stamma_tree_performance(&c, &performance));
        assert_int_equal(performance, cases[n].performance);
    }
    const stamma_tree_counts none = {0};
    int32_t performance = 7;
    assert_false(stamma_tree_performance(&none, &performance));
    assert_int_equal(performance, 7);
    assert_int_equal(stamma_tree_rating(&none), 0);
}

/* ---- JSON ---- */

static void test_json(void **state)
{
    static const char text[] =
        "[White \"A\"]\n[Black \"B\"]\n[Date \"2001.02.??\"]\n[Result \"0-1\"]\n[WhiteElo \"2500\"]\n"
        "[BlackElo \"2400\"]\n\n1. e4 0-1\n\n";
    static const char game[] =
        "{\"uci\":\"e2e4\",\"id\":\"sample:1\",\"winner\":\"black\",\"white\":{\"name\":null,\"rating\":2500},"
        "\"black\":{\"name\":null,\"rating\":2400},\"year\":2001,\"month\":\"2001-02\",\"date\":"
        "\"2001-02\",\"result\":\"0-1\"}";
    static const char counts[] =
        "\"performance\":1600,\"lastDate\":\"2001-02\",\"sums\":{\"games\":1,\"rated\":1,\"ratings\":4900,"
        "\"opponents\":1,\"opponentRatings\":2400,\"halfPoints\":0,"
        "\"white\":{\"opponents\":1,\"opponentRatings\":2400,\"halfPoints\":0},"
        "\"black\":{\"opponents\":1,\"opponentRatings\":2500,\"halfPoints\":2}}";
    char expected[4096];
    (void)state;
    stamma_tree *tree = tree_of(NULL);
    add_games(text, sizeof text - 1, &tree, 1);
    (void)snprintf(
        expected, sizeof expected,
        "{\"kind\":\"tree\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 "
        "1\",\"white\":0,\"draws\":0,"
        "\"black\":1,\"moves\":[{\"uci\":\"e2e4\",\"san\":\"e4\",\"averageRating\":2450,\"white\":0,\"draws\":0,"
        "\"black\":1,"
        "\"game\":%s,\"opening\":{\"eco\":\"B00\",\"name\":\"King's Pawn Game\"},%s,\"topGame\":%s,\"recentGame\":%s}],"
        "\"topGames\":[%s],\"recentGames\":[%s],\"opening\":null,\"averageRating\":2450,%s}",
        game, counts, game, game, game, game, counts);
    char *json = json_of(tree);
    assert_string_equal(json, expected);
    /* If the buffer is too small by one byte, the result is empty. */
    size_t length = strlen(json);
    assert_int_equal(stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, length), length);
    assert_string_equal(json, "");
    free(json);
    stamma_tree_close(tree);
}

/* A performance below zero is written and read with its sign. */
static void test_negative_json(void **state)
{
    static const char text[] = "[Result \"0-1\"]\n[WhiteElo \"120\"]\n[BlackElo \"110\"]\n\n1. e4 0-1\n\n";
    (void)state;
    stamma_tree *tree = tree_of(NULL), *read = NULL;
    add_games(text, sizeof text - 1, &tree, 1);
    char *json = json_of(tree);
    assert_non_null(strstr(json, "\"performance\":-690,")); /* 110 - 800 */
    assert_int_equal(stamma_tree_read_json((stamma_text){json, strlen(json)}, NULL, NULL, &read), STAMMA_OK);
    char *again = json_of(read);
    assert_string_equal(again, json);
    free(again);
    free(json);
    stamma_tree_close(read);
    stamma_tree_close(tree);
}

/* JSON of older versions, without the opponents of each side. */
static void test_old_json(void **state)
{
    static const char *const sides[] = {",\"white\":{\"opponents", ",\"black\":{\"opponents"};
    (void)state;
    stamma_tree *tree = tree_of(fen), *old = NULL;
    add_games(games, sizeof games - 1, &tree, 1);
    char *json = json_of(tree), *at;
    for (size_t n = 0; n < 2; n++)
        while ((at = strstr(json, sides[n])) != NULL)
            memmove(at, strchr(at, '}') + 1, strlen(strchr(at, '}') + 1) + 1);
    assert_int_equal(stamma_tree_read_json((stamma_text){json, strlen(json)}, NULL, NULL, &old), STAMMA_OK);
    stamma_tree_counts c = stamma_tree_total(old), whole = stamma_tree_total(tree);
    assert_int_equal(c.opponents, whole.opponents);
    assert_int_equal(c.opposed[STAMMA_WHITE], whole.opposed[STAMMA_WHITE]);
    assert_int_equal(c.opposed_sum[STAMMA_WHITE], whole.opposed_sum[STAMMA_WHITE]);
    assert_int_equal(c.opposed[STAMMA_BLACK], 0);
    free(json);
    stamma_tree_close(tree);
    stamma_tree_close(old);
}

/* ---- sides and months ---- */

static void test_sides(void **state)
{
    (void)state;
    stamma_tree *tree = tree_of(fen);
    add_games(games, sizeof games - 1, &tree, 1);
    stamma_tree_counts c = stamma_tree_total(tree);
    int32_t performance = 0, mover = 0;
    assert_int_equal(c.opposed[STAMMA_WHITE], 3);
    assert_int_equal(c.opposed_sum[STAMMA_WHITE], 2401 + 2600 + 2300);
    assert_int_equal(c.opposed_points[STAMMA_WHITE], 3);
    assert_int_equal(c.opposed[STAMMA_BLACK], 2); /* White's in 1 and 6 */
    assert_int_equal(c.opposed_sum[STAMMA_BLACK], 2500 + 2300);
    assert_int_equal(c.opposed_points[STAMMA_BLACK], 2);
    assert_true(stamma_tree_performance_of(&c, STAMMA_BLACK, &performance));
    assert_int_equal(performance, 2400);
    assert_true(stamma_tree_performance_of(&c, STAMMA_WHITE, &performance) && stamma_tree_performance(&c, &mover));
    assert_int_equal(performance, mover);
    stamma_tree_close(tree);
}

static void test_history(void **state)
{
    (void)state;
    static const char text[] = "[Date \"2001.02.03\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
                               "[Date \"1999.12.??\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n\n"
                               "[Date \"2001.02.??\"]\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n\n"
                               "[Date \"2001.02.09\"]\n[Result \"*\"]\n\n1. e4 *\n\n"
                               "[Date \"2001.03.09\"]\n[Result \"*\"]\n\n1. e4 *\n\n"
                               "[Date \"2001.??.??\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
                               "[Date \"2000.01.01\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    static const char json_months[] = "\"history\":[{\"month\":\"1999-12\",\"white\":0,\"draws\":0,\"black\":1},"
                                      "{\"month\":\"2000-01\",\"white\":1,\"draws\":0,\"black\":0},"
                                      "{\"month\":\"2001-02\",\"white\":1,\"draws\":1,\"black\":0}]}";
    stamma_tree *tree = history_of(NULL), *without = tree_of(NULL);
    stamma_tree_month month = {.month = 0};
    assert_false(stamma_tree_next_month(tree, &month));
    add_games(text, sizeof text - 1, &tree, 1);
    assert_true(stamma_tree_next_month(tree, &month));
    assert_true(month.month == 199912 && month.white_wins == 0 && month.draws == 0 && month.black_wins == 1);
    assert_true(stamma_tree_next_month(tree, &month));
    assert_int_equal(month.month, 200001);
    assert_true(stamma_tree_next_month(tree, &month));
    assert_true(month.month == 200102 && month.white_wins == 1 && month.draws == 1 && month.black_wins == 0);
    assert_false(stamma_tree_next_month(tree, &month));
    assert_int_equal(month.month, 200102);
    month.month = 200002;
    assert_true(stamma_tree_next_month(tree, &month) && month.month == 200102);
    char *json = json_of(tree);
    assert_non_null(strstr(json, json_months));
    free(json);
    assert_int_equal(stamma_tree_merge(without, tree), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_tree_merge(tree, without), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_tree_keep_history(tree), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_tree_close(tree);
    stamma_tree_close(without);
}

/* Games that are not counted, or only until a null move; positions of Chess960; archives without a name. */
static void test_odd_games(void **state)
{
    static const char null[] = "[Result \"1-0\"]\n\n1. e4 -- 2. d4 1-0\n\n";
    static const char rook[] = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    const stamma_move castles = stamma_move_make(5, 6, STAMMA_FLAG_KING_CASTLE);
    stamma_archive_game game = {.start = stamma_position_start(), .number = 1, .ply_count = 1, .continuation = true};
    stamma_tree *tree = tree_of(NULL);
    (void)state;
    assert_int_equal(stamma_tree_add(tree, (stamma_text){"", 0}, &game), STAMMA_OK);
    assert_int_equal(stamma_tree_total(tree).games, 0);
    game.continuation = false;
    assert_int_equal(stamma_tree_add(tree, (stamma_text){"", 0}, &game), STAMMA_ERROR_BAD_ARGUMENT);
    add_games(null, sizeof null - 1, &tree, 1);
    game = (stamma_archive_game){.start = stamma_position_start(), .number = 7};
    assert_int_equal(stamma_tree_add(tree, (stamma_text){"", 0}, &game), STAMMA_OK);
    char *json = json_of(tree);
    assert_non_null(strstr(json, "\"recentGames\":[{\"id\":\"7\",")); /* without a colon */
    assert_non_null(strstr(json, "\"id\":\"sample:1\""));
    free(json);
    stamma_tree_close(tree);
    tree = tree_of(rook);
    game = (stamma_archive_game){.number = 1, .ply_count = 1, .moves = &castles};
    game.start = *stamma_tree_position(tree);
    assert_int_equal(stamma_tree_add(tree, (stamma_text){"a", 1}, &game), STAMMA_OK);
    json = json_of(tree);
    assert_non_null(strstr(json, "\"fen\":\"4k3/8/8/8/8/8/8/5K1R w H - 0 1\""));
    assert_non_null(strstr(json, "\"uci\":\"f1h1\",\"san\":\"O-O\""));
    free(json);
    stamma_tree_close(tree);
}

/* ---- merging ---- */

enum { PARTS = 5 };

/* Merges trees in random order and grouping, two at a time, until one is left. */
static stamma_tree *merge_all(stamma_tree **trees, size_t count)
{
    while (count > 1) {
        size_t into = (size_t)random_below(count), from = (size_t)random_below(count - 1);
        from += from >= into;
        assert_int_equal(stamma_tree_merge(trees[into], trees[from]), STAMMA_OK);
        stamma_tree_close(trees[from]);
        trees[from] = trees[--count];
    }
    return trees[0];
}

static stamma_tree *read_back(const char *json)
{
    stamma_tree *tree = NULL;
    stamma_query_problem fault;
    stamma_error error = stamma_tree_read_json((stamma_text){json, strlen(json)}, NULL, &fault, &tree);
    if (error != STAMMA_OK)
        fail_msg("%s at %zu", fault.message, fault.offset);
    return tree;
}

static void expect_sums_of(const char *text, size_t size, const char *position, unsigned rounds,
                           stamma_tree *(*open)(const char *position))
{
    stamma_tree *whole = open(position);
    add_games(text, size, &whole, 1);
    char *expected = json_of(whole);
    for (unsigned round = 0; round < rounds; round++) {
        stamma_tree *parts[PARTS];
        for (size_t n = 0; n < PARTS; n++)
            parts[n] = open(position);
        add_games(text, size, parts, PARTS);
        stamma_tree *sum = merge_all(parts, PARTS);
        char *json = json_of(sum);
        assert_string_equal(json, expected);
        free(json);
        stamma_tree_close(sum);
    }
    stamma_tree *read = read_back(expected), *twice = read_back(expected);
    char *json = json_of(read);
    assert_string_equal(json, expected);
    free(json);
    assert_int_equal(stamma_tree_merge(read, twice), STAMMA_OK);
    assert_int_equal(stamma_tree_total(read).games, 2 * stamma_tree_total(whole).games);
    stamma_tree_close(read);
    stamma_tree_close(twice);
    free(expected);
    stamma_tree_close(whole);
}

static void expect_sums(const char *text, size_t size, const char *position, unsigned rounds)
{
    expect_sums_of(text, size, position, rounds, tree_of);
    expect_sums_of(text, size, position, rounds, history_of);
}

static void test_sums(void **state)
{
    (void)state;
    expect_sums(games, sizeof games - 1, fen, 50);
    expect_sums(games, sizeof games - 1, NULL, 50);
    listing many = {0};
    list_tagged_games(&many, 300);
    expect_sums(many.text, many.size, NULL, 20);
    expect_sums(many.text, many.size, "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", 20);
    free(many.text);
}

static void add_until_failure(void *context, const stamma_archive_game *game)
{
    stamma_error error = stamma_tree_add((stamma_tree *)context, (stamma_text){"a", 1}, game);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
}

static void test_no_memory(void **state)
{
    (void)state;
    stamma_tree *whole = tree_of(fen);
    add_games(games, sizeof games - 1, &whole, 1);
    for (unsigned fail_at = 1; fail_at < 12; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        stamma_tree *tree = NULL;
        stamma_error error = stamma_tree_open(stamma_tree_position(whole), &allocator, &tree);
        if (error == STAMMA_OK) {
            for_each_game(games, sizeof games - 1, add_until_failure, tree);
            error = stamma_tree_merge(tree, whole);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        }
        stamma_tree_close(tree);
        assert_int_equal(memory.alive, 0);
    }
    stamma_tree_close(whole);
}

/* A game that is only in the list of recent games, so that its archive's name is copied for this list. */
static void test_no_memory_for_recent(void **state)
{
    enum { LONG = 70000 };
    char *name = malloc(LONG);
    const stamma_tag tags[] = {{{"WhiteElo", 8}, {"2500", 4}}, {{"BlackElo", 8}, {"2500", 4}}};
    const stamma_tag date = {{"Date", 4}, {"2020.01.01", 10}};
    failing_memory memory = {.fail_at = 0};
    const stamma_allocator allocator = failing_allocator(&memory);
    const stamma_position start = stamma_position_start();
    stamma_archive_game game = {.start = start, .tags = tags, .tag_count = 2};
    stamma_tree *tree = NULL;
    (void)state;
    assert_non_null(name);
    memset(name, 'a', LONG);
    assert_int_equal(stamma_tree_open(&start, &allocator, &tree), STAMMA_OK);
    for (game.number = 1; game.number <= 15; game.number++)
        assert_int_equal(stamma_tree_add(tree, (stamma_text){"a", 1}, &game), STAMMA_OK);
    game.tags = &date;
    game.tag_count = 1;
    memory.fail_at = memory.calls + 1;
    assert_int_equal(stamma_tree_add(tree, (stamma_text){name, LONG}, &game), STAMMA_ERROR_NO_MEMORY);
    assert_int_equal(stamma_tree_add(tree, (stamma_text){name, LONG}, &game), STAMMA_OK);
    assert_int_equal(stamma_tree_recent_game(tree, 0)->archive.size, LONG);
    assert_int_equal(stamma_tree_top_game(tree, 14)->archive.size, 1);
    stamma_tree_close(tree);
    assert_int_equal(memory.alive, 0);
    free(name);
}

/* Truncated or changed JSON is rejected or read, but never has more games. */
static void test_bad_json(void **state)
{
    (void)state;
    stamma_tree *whole = tree_of(fen);
    add_games(games, sizeof games - 1, &whole, 1);
    char *json = json_of(whole);
    size_t length = strlen(json);
    for (size_t n = 0; n < length; n++) {
        stamma_tree *tree = NULL;
        stamma_error error = stamma_tree_read_json((stamma_text){json, n}, NULL, NULL, &tree);
        assert_int_equal(error, STAMMA_ERROR_SYNTAX);
        assert_null(tree);
    }
    for (unsigned n = 0; n < 5000; n++) {
        stamma_tree *tree = NULL;
        size_t at = (size_t)random_below(length);
        char before = json[at];
        json[at] = "0123456789:,x\"{}[]-"[random_below(19)];
        stamma_error error = stamma_tree_read_json((stamma_text){json, length}, NULL, NULL, &tree);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_SYNTAX);
        if (tree)
            free(json_of(tree));
        stamma_tree_close(tree);
        json[at] = before;
    }
    free(json);
    stamma_tree_close(whole);
}

/* Replaces the first occurrence of a text. */
static char *replaced(const char *json, const char *from, const char *to)
{
    const char *at = strstr(json, from);
    if (!at)
        fail_msg("%s is not in %s", from, json);
    listing out = {0};
    list_bytes(&out, json, (size_t)(at - json));
    list_word(&out, to);
    list_word(&out, at + strlen(from));
    return out.text;
}

/* Members of the wrong kind, and numbers that are impossible in a tree. */
static void test_wrong_members(void **state)
{
    static const struct {
        const char *from, *to, *at;
    } cases[] = {
        {"\"kind\":\"tree\"", "\"kind\":1", "\"kind\": of another kind"},
        {"\"moves\":[", "\"moves\":[1,", "\"uci\": missing"},
        {"\"moves\":[", "\"moves\":1,\"other\":[", "\"moves\": of another kind"},
        {"\"topGames\":[", "\"other\":[", "\"topGames\": missing"},
        {"\"topGames\":[", "\"topGames\":[[],", "\"id\": missing"},
        {"\"id\":\"sample:1\"", "\"id\":\"sample:1234567890123456789\"", "\"id\": no such value is written"},
        {"\"id\":\"sample:1\"", "\"id\":\"sample\"", "\"id\": no such value is written"},
        {"\"id\":\"sample:1\"", "\"id\":\":1\"", "\"id\": no such value is written"},
        {"\"id\":\"sample:1\"", "\"id\":\"\"", "\"id\": no such value is written"},
        {"\"white\":{\"name\"", "\"white\":1,\"other\":{\"name\"", "\"white\": of another kind"},
        {"\"rating\":2500", "\"rating\":10000", "\"rating\": no such value is written"},
        {"\"white\":{\"opponents\"", "\"white\":1,\"other\":{\"opponents\"", "\"white\": of another kind"},
        {"\"white\":{\"opponents\":3", "\"white\":{\"opponents\":6", "\"white\": no such value is written"},
        {"\"opponentRatings\":7301,\"halfPoints\":3}", "\"opponentRatings\":7301,\"halfPoints\":7}",
         "\"white\": no such value is written"},
        {"\"opponentRatings\":7301,\"halfPoints\":3}", "\"opponentRatings\":39996,\"halfPoints\":3}",
         "\"white\": no such value is written"},
        {"\"sums\":{\"games\":5", "\"sums\":{\"games\":3", "\"sums\": no such value is written"},
        {"\"rated\":3", "\"rated\":6", "\"sums\": no such value is written"},
        {"\"ratings\":13701", "\"ratings\":79992", "\"sums\": no such value is written"},
        {"\"opponents\":3,\"opponentRatings\":7301", "\"opponents\":6,\"opponentRatings\":7301",
         "\"sums\": no such value is written"},
        {"\"opponentRatings\":7301,\"halfPoints\":3,", "\"opponentRatings\":39996,\"halfPoints\":3,",
         "\"sums\": no such value is written"},
        {"\"opponentRatings\":7301,\"halfPoints\":3,", "\"opponentRatings\":7301,\"halfPoints\":7,",
         "\"sums\": no such value is written"},
        {"\"sums\":{\"games\":2", "\"sums\":{\"games\":0", "\"white\": no such value is written"},
        {"\"history\":[{\"month\":\"2001-02\"", "\"history\":[{\"month\":\"2001-02-03\"",
         "\"month\": no such value is written"},
        {"\"history\":[{\"month\":\"2001-02\"", "\"history\":[{\"month\":\"2001-2\"",
         "\"month\": no such value is written"},
        {"\"history\":[{\"month\":\"2001-02\"", "\"history\":[{\"month\":\"2001-??\"",
         "\"month\": no such value is written"},
        {"\"history\":[{\"month\":\"2001-02\"", "\"history\":[{\"month\":\"2001-13\"",
         "\"month\": no such value is written"},
        {"\"history\":[", "\"history\":{},\"other\":[", "\"history\": of another kind"},
    };
    (void)state;
    stamma_tree *whole = history_of(fen), *none = NULL;
    stamma_query_problem fault;
    add_games(games, sizeof games - 1, &whole, 1);
    char *json = json_of(whole);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char *wrong = replaced(json, cases[n].from, cases[n].to);
        const stamma_text text = {wrong, strlen(wrong)};
        memset(&fault, 0, sizeof fault);
        const stamma_error error = stamma_tree_read_json(text, NULL, &fault, &none);
        if (error != STAMMA_ERROR_SYNTAX || strcmp(fault.message, cases[n].at) != 0)
            fail_msg("%s: %d, %s", cases[n].to, (int)error, fault.message);
        free(wrong);
    }
    assert_int_equal(stamma_tree_read_json((stamma_text){"[1]", 3}, NULL, &fault, &none), STAMMA_ERROR_SYNTAX);
    assert_string_equal(fault.message, "\"kind\": missing");
    assert_null(none);
    free(json);
    stamma_tree_close(whole);
}

static void test_other_position(void **state)
{
    (void)state;
    stamma_tree *one = tree_of(NULL), *other = tree_of(fen);
    assert_int_equal(stamma_tree_merge(one, other), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_tree_merge(one, one), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_tree_close(one);
    stamma_tree_close(other);
    stamma_tree_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_total),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_performance),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_negative_json),
        cmocka_unit_test(test_old_json),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_memory_for_recent),
        cmocka_unit_test(test_other_position),
        cmocka_unit_test(test_bad_json),
        cmocka_unit_test(test_odd_games),
        cmocka_unit_test(test_wrong_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
