/* SPDX-License-Identifier: MIT */
/* Tests the vocabulary of moves: the number of each move is its index in lists that the test makes. Moves of random
 * games have different numbers and are found again by their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"

/* The place in the list, by origin, target and promotion (0 for no promotion or a queen, otherwise the piece); 0: not
 * in the list. */
static unsigned places[2][64][64][4];

static int distance(int a, int b)
{
    return abs(a - b);
}

/* Lists the pairs of squares of a queen's or a knight's move, then the promotions of both sides. */
static unsigned list_moves(void)
{
    unsigned count = 0;
    for (int from = 0; from < 64; from++)
        for (int to = 0; to < 64; to++) {
            int files = distance(from % 8, to % 8), ranks = distance(from / 8, to / 8);
            if (from != to && (files == 0 || ranks == 0 || files == ranks || files * ranks == 2))
                places[0][from][to][0] = places[1][from][to][0] = ++count;
        }
    for (int color = 0; color < 2; color++)
        for (int file = 0; file < 8; file++)
            for (int target = file - 1; target <= file + 1; target++)
                for (int piece = 1; piece < 4 && target >= 0 && target < 8; piece++)
                    places[color][(color == 0 ? 48 : 8) + file][(color == 0 ? 56 : 0) + target][piece] = ++count;
    return count;
}

static unsigned place_of(const stamma_position *p, stamma_move move)
{
    unsigned to = stamma_move_to(move), piece = 0;
    const unsigned from = stamma_move_from(move);
    if (stamma_move_is_castling(move)) { /* as king takes rook */
        const bool king_side = (to & 7) == 6;
        to = p->castling[p->side][king_side ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE];
    }
    if (stamma_move_is_promotion(move) && stamma_move_promotion(move) != STAMMA_QUEEN)
        piece = (unsigned)stamma_move_promotion(move) - (unsigned)STAMMA_KNIGHT + 1;
    return places[p->side][from][to][piece];
}

/* Compares all legal moves. Counts castling and promotions. */
static void compare(const stamma_position *p, unsigned seen[2])
{
    static uint8_t used[STAMMA_VOCABULARY_SIZE];
    stamma_move moves[STAMMA_MOVES_MAX], found;
    const size_t count = stamma_legal_moves(p, moves);
    memset(used, 0, sizeof used);
    for (size_t n = 0; n < count; n++) {
        uint16_t index;
        assert_int_equal(stamma_vocabulary_index(p, moves[n], &index), STAMMA_OK);
        assert_int_equal(index, place_of(p, moves[n]) - 1);
        assert_false(used[index]);
        used[index] = 1;
        assert_int_equal(stamma_vocabulary_move(p, index, &found), STAMMA_OK);
        assert_int_equal(found, moves[n]);
        seen[0] += stamma_move_is_castling(moves[n]);
        seen[1] += stamma_move_is_promotion(moves[n]);
    }
    for (unsigned n = 0; n < 20; n++) {
        const unsigned index = (unsigned)random_below(STAMMA_VOCABULARY_SIZE);
        assert_int_equal(stamma_vocabulary_move(p, index, &found), used[index] ? STAMMA_OK : STAMMA_ERROR_ILLEGAL);
    }
}

static void moves_of_random_games(void **state)
{
    unsigned seen[2] = {0, 0};
    (void)state;
    for (unsigned game = 0; game < 120; game++) {
        stamma_position p = stamma_position_start();
        if (game % 2)
            assert_int_equal(stamma_position_chess960((unsigned)random_below(960), &p), STAMMA_OK);
        for (unsigned ply = 0; ply < 200; ply++) {
            stamma_move moves[STAMMA_MOVES_MAX];
            const size_t count = stamma_legal_moves(&p, moves);
            compare(&p, seen);
            if (count == 0)
                break;
            stamma_position_make(&p, moves[random_below(count)], &p);
        }
    }
    assert_true(seen[0] > 100 && seen[1] > 100);
}

static void size_of_the_list(void **state)
{
    stamma_position p = stamma_position_start();
    uint16_t index;
    (void)state;
    assert_int_equal(list_moves(), STAMMA_VOCABULARY_SIZE);
    assert_int_equal(stamma_vocabulary_index(&p, STAMMA_MOVE_NULL, &index), STAMMA_ERROR_UNSUPPORTED);
}

/* Moves that are not legal: to a square that no piece reaches, castling without its right, and promotions that are not
 * one step from the seventh to the eighth rank of their side. */
static void moves_outside_the_list(void **state)
{
    static const struct {
        const char *fen;
        unsigned from, to, flags;
    } moves[] = {
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 0, 25, STAMMA_FLAG_QUIET},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 4, 6, STAMMA_FLAG_KING_CASTLE},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 48, 58, STAMMA_FLAG_PROMOTE_KNIGHT}, /* a7c8n */
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 50, 56, STAMMA_FLAG_PROMOTE_KNIGHT}, /* c7a8n */
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 40, 48, STAMMA_FLAG_PROMOTE_KNIGHT}, /* a6a7n */
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 40, 56, STAMMA_FLAG_PROMOTE_KNIGHT}, /* a6a8n */
        {"4k3/8/8/8/8/8/8/4K2R b - - 0 1", 48, 56, STAMMA_FLAG_PROMOTE_KNIGHT}, /* a7a8n of Black */
        {"4k3/8/8/8/8/8/8/4K2R b - - 0 1", 16, 0, STAMMA_FLAG_PROMOTE_KNIGHT},  /* a3a1n */
    };
    (void)state;
    for (size_t n = 0; n < sizeof moves / sizeof *moves; n++) {
        const stamma_move move = stamma_move_make(moves[n].from, moves[n].to, moves[n].flags);
        stamma_position p;
        uint16_t index = 7;
        assert_int_equal(stamma_fen_read((stamma_text){moves[n].fen, strlen(moves[n].fen)}, &p, NULL, NULL), STAMMA_OK);
        assert_int_equal(stamma_vocabulary_index(&p, move, &index), STAMMA_ERROR_UNSUPPORTED);
        assert_int_equal(index, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(size_of_the_list), cmocka_unit_test(moves_of_random_games),
                                       cmocka_unit_test(moves_outside_the_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
