/* SPDX-License-Identifier: MIT */
/* Tests rules about the course of a game: paths of pieces, repetitions, the halfmove clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query_support.h"

/* 1: a knight to e5 through f3, the other knight through c3 and d5; 2: castling; 3: a promotion to a queen; 4: a piece
 * is captured */
static const char paths_text[] =
    "[Event \"1\"]\n\n1. Nf3 a6 2. Ne5 a5 3. Nc3 a4 4. Nd5 a3 *\n\n"
    "[Event \"2\"]\n\n1. g3 a6 2. Bg2 a5 3. Nf3 a4 4. O-O a3 5. Re1 h6 *\n\n"
    "[Event \"3\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ Kd7 2. Qa4+ Kd6 *\n\n"
    "[Event \"4\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *\n\n";

static void paths(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"path\": \"N g1 f3 e5\"}", "1:0"},
        /* other squares between */
        {"{\"path\": \"N g1 e5\"}", "1:0"},
        /* not in this order */
        {"{\"path\": \"N g1 e5 f3\"}", ""},
        /* one piece, not two */
        {"{\"path\": \"N g1 d5\"}", ""},
        /* a single square */
        {"{\"path\": \"N f3\"}", "1:1 2:5"},
        /* until it leaves */
        {"{\"path\": \"N f3\", \"ply\": \"3..\"}", "2:5"},
        {"{\"path\": \"N b1 3 5\"}", "1:0"},
        /* a piece that stays does not visit again */
        {"{\"path\": \"N g1 f3 f3\"}", ""},
        /* colours and squares are exchanged together */
        {"{\"path\": \"n g8 f6 e4\", \"flipcolor\": true}", "1:0"},
        {"{\"path\": \"n g8 f6 e4\", \"event\": \"1\"}", ""},
        {"{\"path\": \"n b8 c6 d4\", \"flipcolor\": true, \"mirror\": true}", "1:0"},
        {"{\"path\": \"n b8 c6 e5\", \"flipcolor\": true, \"mirror\": true}", ""},
        /* castling moves the rook */
        {"{\"path\": \"R h1 f1 e1\"}", "2:0"},
        {"{\"path\": \"K e1 g1\"}", "2:0"},
        /* a promoted pawn is the same piece */
        {"{\"path\": \"P a7 a8 a4\"}", "3:0"},
        {"{\"path\": \"Q a8 a4\"}", "3:1"},
        {"{\"path\": \"P a8 a4\"}", ""},
        {"{\"path\": \"P e2 e4 d5\"}", "4:0"},
        /* it is captured on d5 */
        {"{\"path\": \"p d7 d5 d4\"}", ""},
        {"{\"path\": \"q d8 a5\"}", "4:0"},
        {"{\"path\": \"q d8 a5\", \"ply\": \"4..\"}", ""},
        {"{\"path\": [\"q d8 a5\", \"N g1 e5\"]}", "1:0 4:0"},
        /* c3 and e5 are dark */
        {"{\"path\": \"N dark light dark\"}", "1:0"},
    };
    FINDS(paths_text, searches);
}

/* 1: null moves move no piece; 2: castling in Chess960 */
static const char other_moves_text[] =
    "[Event \"1\"]\n\n1. Nf3 -- 2. -- a6 3. Ne5 *\n\n"
    "[Event \"2\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1r2k3/1p6/8/8/8/8/8/1K5R w Hb - 0 1\"]\n\n"
    "1. O-O O-O-O 2. Rf8 *\n\n";

static void other_moves(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"path\": \"N g1 f3 e5\"}", "1:0"}, {"{\"path\": \"P a7\"}", ""},
        {"{\"path\": \"p a7 a6\"}", "1:0"},    {"{\"path\": \"K b1 g1\"}", "2:0"},
        {"{\"path\": \"R h1 f1 f8\"}", "2:0"}, {"{\"path\": \"R h1 g1\"}", ""},
        {"{\"path\": \"k e8 c8\"}", "2:0"},    {"{\"path\": \"r b8 d8\"}", "2:0"},
    };
    FINDS(other_moves_text, searches);
}

/* 1: the initial position three times; 2: the same pieces, but castling rights are lost; 3: the clock of the FEN tag
 * counts */
static const char repeated_text[] =
    "[Event \"1\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1\"]\n\n1. Ke2 Ke7 2. Ke1 Ke8 3. Ke2 Ke7 *\n\n"
    "[Event \"3\"]\n[SetUp \"1\"]\n[FEN \"r3k3/p7/8/8/8/8/8/R3K3 w - - 98 80\"]\n\n1. Ke2 Ke7 2. Ke1 a6 *\n\n";

static void repeated(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"repetition\": 2}", "1:4 2:6"},
        {"{\"repetition\": \"3..\"}", "1:8"},
        {"{\"repetition\": \"2..\", \"stm\": \"black\"}", "1:5"},
        {"{\"not\": {\"repetition\": 1}}", "1:4 2:6"},
        {"{\"halfmove-clock\": \"100..\"}", "3:2"},
        {"{\"halfmove-clock\": 0, \"ply\": \"1..\"}", "3:4"},
        {"{\"halfmove-clock\": 8}", "1:8"},
    };
    FINDS(repeated_text, searches);
}

/* A move that castles without the right to do so moves no rook. No archive contains this move. */
static void illegal_castling(void **state)
{
    static const char *const paths_of_rook[] = {"{\"path\": \"R h1 f1\"}", "{\"path\": \"R h1 g1\"}"};
    const stamma_move move = stamma_move_make(4, 6, STAMMA_FLAG_KING_CASTLE);
    stamma_archive_game game = {.number = 1, .ply_count = 1, .moves = &move};
    (void)state;
    assert_int_equal(stamma_fen_read((stamma_text){"4k3/8/8/8/8/8/8/4K2R w - -", 26}, &game.start, NULL, NULL),
                     STAMMA_OK);
    for (unsigned n = 0; n < 2; n++) {
        stamma_query *query = parse_query(paths_of_rook[n]);
        stamma_matcher *matcher;
        bool found = true;
        assert_int_equal(stamma_matcher_open(query, NULL, &matcher), STAMMA_OK);
        assert_int_equal(stamma_matcher_test(matcher, &game, &found, NULL, NULL), STAMMA_OK);
        assert_false(found);
        stamma_matcher_close(matcher);
        stamma_query_close(query);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths), cmocka_unit_test(other_moves),
                                       cmocka_unit_test(repeated), cmocka_unit_test(illegal_castling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
