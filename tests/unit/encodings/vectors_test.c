/* SPDX-License-Identifier: MIT */
/* Tests moves as vectors of four bits (src/encodings/vectors.c, vector_tables.c): all legal moves are restored, and
 * other vectors are invalid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

/* From Forster 2015, in its order. */
static void golden_vectors(void **state)
{
    (void)state;
    static const struct {
        unsigned type, from, to, flags, vector;
    } moves[] = {
        {STAMMA_PAWN, 12, 20, STAMMA_FLAG_QUIET, 0},
        {STAMMA_PAWN, 12, 28, STAMMA_FLAG_DOUBLE_PUSH, 1},
        {STAMMA_PAWN, 12, 19, STAMMA_FLAG_CAPTURE, 2},
        {STAMMA_PAWN, 12, 21, STAMMA_FLAG_CAPTURE, 3},
        {STAMMA_PAWN, 36, 43, STAMMA_FLAG_EN_PASSANT, 2},
        {STAMMA_PAWN, 52, 36, STAMMA_FLAG_DOUBLE_PUSH, 1}, /* left is toward the a-file for Black, too */
        {STAMMA_PAWN, 52, 43, STAMMA_FLAG_CAPTURE, 2},
        {STAMMA_PAWN, 52, 60, STAMMA_FLAG_PROMOTE_KNIGHT, 4},
        {STAMMA_PAWN, 52, 59, STAMMA_FLAG_CAPTURE_PROMOTE_BISHOP, 9},
        {STAMMA_PAWN, 52, 61, STAMMA_FLAG_CAPTURE_PROMOTE_QUEEN, 15},
        {STAMMA_PAWN, 12, 3, STAMMA_FLAG_CAPTURE_PROMOTE_ROOK, 10},
        {STAMMA_KNIGHT, 27, 44, STAMMA_FLAG_QUIET, 0}, /* NNE */
        {STAMMA_KNIGHT, 27, 42, STAMMA_FLAG_QUIET, 1},
        {STAMMA_KNIGHT, 27, 33, STAMMA_FLAG_QUIET, 2},
        {STAMMA_KNIGHT, 27, 37, STAMMA_FLAG_QUIET, 3},
        {STAMMA_KNIGHT, 27, 12, STAMMA_FLAG_QUIET, 4},
        {STAMMA_KNIGHT, 27, 10, STAMMA_FLAG_QUIET, 5},
        {STAMMA_KNIGHT, 27, 21, STAMMA_FLAG_QUIET, 6},
        {STAMMA_KNIGHT, 27, 17, STAMMA_FLAG_QUIET, 7},
        {STAMMA_BISHOP, 27, 63, STAMMA_FLAG_QUIET, 7}, /* d4h8 goes up to the h-file */
        {STAMMA_BISHOP, 27, 0, STAMMA_FLAG_QUIET, 0},
        {STAMMA_BISHOP, 27, 48, STAMMA_FLAG_QUIET, 8},
        {STAMMA_BISHOP, 27, 6, STAMMA_FLAG_QUIET, 14},
        {STAMMA_ROOK, 27, 24, STAMMA_FLAG_QUIET, 0},
        {STAMMA_ROOK, 27, 31, STAMMA_FLAG_QUIET, 7},
        {STAMMA_ROOK, 27, 3, STAMMA_FLAG_QUIET, 8},
        {STAMMA_ROOK, 27, 59, STAMMA_FLAG_CAPTURE, 15},
        {STAMMA_QUEEN, 27, 59, STAMMA_FLAG_QUIET, 15},
        {STAMMA_QUEEN, 27, 63, STAMMA_FLAG_QUIET, 7},
        {STAMMA_KING, 27, 35, STAMMA_FLAG_QUIET, 0},
        {STAMMA_KING, 27, 19, STAMMA_FLAG_QUIET, 1},
        {STAMMA_KING, 27, 28, STAMMA_FLAG_QUIET, 2},
        {STAMMA_KING, 27, 26, STAMMA_FLAG_QUIET, 3},
        {STAMMA_KING, 27, 36, STAMMA_FLAG_QUIET, 4},
        {STAMMA_KING, 27, 34, STAMMA_FLAG_QUIET, 5},
        {STAMMA_KING, 27, 20, STAMMA_FLAG_QUIET, 6},
        {STAMMA_KING, 27, 18, STAMMA_FLAG_QUIET, 7},
        {STAMMA_KING, 4, 6, STAMMA_FLAG_KING_CASTLE, 8},
        {STAMMA_KING, 4, 2, STAMMA_FLAG_QUEEN_CASTLE, 9},
    };
    for (size_t n = 0; n < sizeof moves / sizeof *moves; n++)
        assert_int_equal(move_vector(moves[n].type, stamma_move_make(moves[n].from, moves[n].to, moves[n].flags)),
                         moves[n].vector);
}

/* Asserts that the vectors of a piece decode to exactly its legal moves, each once, in each role that the piece may
 * have. A knight's fourth bit selects the knight and is not part of the vector. */
static void check_piece(const stamma_position *position, unsigned from, const stamma_move *legal, size_t count)
{
    unsigned type = position_type_at(position, from), first = type, last = type;
    size_t found = 0, own = 0;
    if (type == STAMMA_QUEEN)
        first = STAMMA_BISHOP, last = STAMMA_ROOK;
    for (size_t n = 0; n < count; n++)
        own += stamma_move_from(legal[n]) == from;
    for (unsigned kind = first; kind <= last; kind++)
        for (unsigned vector = 0; vector < (kind == STAMMA_KNIGHT ? 8u : 16u); vector++) {
            stamma_move move = stamma_vector_legal_move(position, kind, from, vector);
            if (move == STAMMA_MOVE_NULL)
                continue;
            assert_true(stamma_move_is_legal(position, move));
            assert_int_equal(stamma_move_from(move), from);
            assert_int_equal(vector_kind(type, move), kind);
            assert_int_equal(move_vector(type, move), vector);
            found++;
        }
    assert_int_equal(found, own);
}

static void check_position(const stamma_position *position)
{
    stamma_move legal[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, legal);
    for (uint64_t pieces = position->by_color[position->side]; pieces; pieces = bits_rest(pieces))
        check_piece(position, bits_first(pieces), legal, count);
    assert_int_equal(stamma_vector_legal_move(position, STAMMA_ROOK, STAMMA_SQUARE_NONE, 3), STAMMA_MOVE_NULL);
}

static void vectors_are_the_legal_moves(void **state)
{
    (void)state;
    each_sample(4 * SAMPLE_STARTS, 80, check_position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_vectors),
        cmocka_unit_test(vectors_are_the_legal_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
