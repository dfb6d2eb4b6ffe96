/* SPDX-License-Identifier: MIT */
/* Tests sets of targets: they are the legal moves in canonical order, and the pseudo-legal moves that a slow search
 * finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/codec.h"
#include "sample_positions.h"

static void legal_moves_in_canonical_order(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(position, moves);
    move_sets sets;
    stamma_move_sets_legal(position, &sets);
    assert_int_equal(sets.moves, count);
    for (size_t n = 0; n < count; n++) {
        assert_int_equal(stamma_move_sets_index(&sets, position, moves[n]), n);
        assert_int_equal(stamma_move_sets_at(&sets, position, n), moves[n]);
    }
}

static void legal(void **state)
{
    (void)state;
    each_sample(16 * SAMPLE_STARTS, 60, legal_moves_in_canonical_order);
}

/* ---- pseudo-legal moves, square by square, from the rules ---- */

static bool is_free(const stamma_position *p, int from, int to, int step)
{
    for (int at = from + step; at != to; at += step)
        if (stamma_position_piece(p, (stamma_square)at) != STAMMA_PIECE_NONE)
            return false;
    return true;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool piece_goes(const stamma_position *p, unsigned type, int from, int to)
{
    int files = to % 8 - from % 8, ranks = to / 8 - from / 8;
    bool straight = files == 0 || ranks == 0, diagonal = abs(files) == abs(ranks);
    switch (type) {
    case STAMMA_KNIGHT: return files * files + ranks * ranks == 5;
    case STAMMA_KING: return files * files + ranks * ranks <= 2;
    case STAMMA_BISHOP: straight = false; break;
    case STAMMA_ROOK: diagonal = false; break;
    default: break;
    }
    return (straight || diagonal) && is_free(p, from, to, sign(files) + 8 * sign(ranks));
}

static bool pawn_goes(const stamma_position *p, int from, int to)
{
    int forward = p->side == STAMMA_WHITE ? 8 : -8, files = to % 8 - from % 8;
    bool empty = stamma_position_piece(p, (stamma_square)to) == STAMMA_PIECE_NONE;
    if (files == 0)
        return empty && (to == from + forward || (to == from + 2 * forward && from / 8 == (forward > 0 ? 1 : 6) &&
                                                  is_free(p, from, to, forward)));
    return abs(files) == 1 && to == from + forward + files && (!empty || to == p->en_passant);
}

static unsigned pseudo_moves(const stamma_position *p, int from, int to)
{
    stamma_piece piece = stamma_position_piece(p, (stamma_square)from);
    stamma_piece at = stamma_position_piece(p, (stamma_square)to);
    if (piece == STAMMA_PIECE_NONE || piece >> 3 != p->side || from == to)
        return 0;
    if (at != STAMMA_PIECE_NONE && at >> 3 == p->side)
        return 0;
    if ((piece & 7) == STAMMA_PAWN)
        return pawn_goes(p, from, to) ? (to / 8 % 7 == 0 ? 4u : 1u) : 0;
    return piece_goes(p, piece & 7, from, to);
}

/* Castling needs the right, and no other piece on the squares that king and rook cross and reach. */
static unsigned pseudo_castlings(const stamma_position *p)
{
    unsigned found = 0, rank = p->side == STAMMA_WHITE ? 0 : 56;
    for (unsigned side = 0; side < 2; side++) {
        unsigned rook = p->castling[p->side][side], king = position_king(p, p->side);
        if (rook == STAMMA_SQUARE_NONE)
            continue;
        unsigned ends[4] = {king, rook, rank + (side ? 2u : 6u), rank + (side ? 3u : 5u)};
        bool blocked = false;
        for (unsigned way = 0; way < 2; way++) {
            unsigned a = ends[way], b = ends[way + 2], low = a < b ? a : b, high = a < b ? b : a;
            for (unsigned at = low; at <= high; at++)
                blocked |= at != king && at != rook && stamma_position_piece(p, (stamma_square)at) != STAMMA_PIECE_NONE;
        }
        found += !blocked;
    }
    return found;
}

static void pseudo_legal_moves(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    move_sets sets;
    stamma_move_sets_pseudo_legal(position, &sets);
    size_t expected = pseudo_castlings(position), last = 0;
    for (int from = 0; from < 64; from++)
        for (int to = 0; to < 64; to++)
            expected += pseudo_moves(position, from, to);
    assert_int_equal(sets.moves, expected);
    for (size_t n = 0; n < sets.moves; n++)
        assert_int_equal(stamma_move_sets_index(&sets, position, stamma_move_sets_at(&sets, position, n)), n);
    /* The pseudo-legal moves contain the legal moves in the same order. */
    size_t count = stamma_legal_moves_canonical(position, moves);
    for (size_t n = 0; n < count; n++) {
        size_t index = stamma_move_sets_index(&sets, position, moves[n]);
        assert_true(index < sets.moves && (n == 0 || index > last));
        last = index;
    }
}

static void pseudo_legal(void **state)
{
    (void)state;
    each_sample(8 * SAMPLE_STARTS, 60, pseudo_legal_moves);
}

/* Pins, checks and attacked castling squares are ignored. Castling rights and blocked paths are not ignored. */
static void what_is_ignored(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        size_t pseudo;
    } cases[] = {
        {"4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", 4 + 6}, /* a pinned knight */
        {"4k3/8/8/8/8/8/8/r3K2R w K - 0 1", 5 + 9 + 1},
        {"4k3/8/8/8/8/8/5r2/R3K3 w - - 0 1", 5 + 10},
        {"7k/8/8/8/2r5/8/8/R3K3 w Q - 0 1", 5 + 10 + 1},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        stamma_position position = position_of_fen(cases[n].fen);
        move_sets sets;
        stamma_move_sets_pseudo_legal(&position, &sets);
        assert_int_equal(sets.moves, cases[n].pseudo);
        pseudo_legal_moves(&position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal),
        cmocka_unit_test(pseudo_legal),
        cmocka_unit_test(what_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
