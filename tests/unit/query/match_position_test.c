/* SPDX-License-Identifier: MIT */
/* Tests rules about positions, over many positions: transformed positions keep the rules of chess, and pawns and
 * pins equal those found by examining each square. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query/query.h"
#include "query_support.h"
#include "sample_positions.h"

/* ---- swapped colours and mirrored files ---- */

/* With swapped colours, each transformed legal move is legal and leads to the transformed position. */
static void check_turned_colors(const stamma_position *position)
{
    stamma_position turned = stamma_position_turned(position, QUERY_TURN_COLORS), after, turned_after;
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    assert_int_equal(stamma_legal_moves_count(&turned), count);
    for (size_t i = 0; i < count; i++) {
        stamma_move move = stamma_move_turned(moves[i], QUERY_TURN_COLORS);
        assert_true(stamma_move_is_legal(&turned, move));
        stamma_position_make(position, moves[i], &after);
        stamma_position_make(&turned, move, &turned_after);
        after = stamma_position_turned(&after, QUERY_TURN_COLORS);
        assert_true(stamma_position_equal(&after, &turned_after));
    }
}

/* With mirrored files, the same is true of all moves except castling. */
static void check_turned_files(const stamma_position *position)
{
    stamma_position turned = stamma_position_turned(position, QUERY_TURN_FILES);
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++)
        assert_true(stamma_move_is_castling(moves[i]) ||
                    stamma_move_is_legal(&turned, stamma_move_turned(moves[i], QUERY_TURN_FILES)));
    for (unsigned color = 0; color < 2; color++)
        for (unsigned side = 0; side < 2; side++)
            assert_int_equal(turned.castling[color][side] == STAMMA_SQUARE_NONE,
                             position->castling[color][side ^ 1] == STAMMA_SQUARE_NONE);
}

static void check_turned(const stamma_position *position)
{
    for (unsigned turn = 0; turn < 4; turn++) {
        stamma_position once = stamma_position_turned(position, turn), twice = stamma_position_turned(&once, turn);
        assert_memory_equal(&twice, position, sizeof twice);
    }
    check_turned_colors(position);
    check_turned_files(position);
}

static void turned(void **state)
{
    (void)state;
    each_sample(8, 60, check_turned);
    assert_int_equal(stamma_move_turned(STAMMA_MOVE_NULL, 3), STAMMA_MOVE_NULL);
}

/* ---- pawns ---- */

static bool is_pawn(const stamma_position *p, unsigned color, int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 &&
           stamma_position_piece(p, (stamma_square)(rank * 8 + file)) == STAMMA_PAWN + 8 * color;
}

/* Returns whether a pawn of the colour is on the file between two ranks. */
static bool is_on_file(const stamma_position *p, unsigned color, int file, int from, int to)
{
    for (int rank = from; rank <= to; rank++)
        if (is_pawn(p, color, file, rank))
            return true;
    return false;
}

static bool pawn_is(query_kind kind, const stamma_position *p, unsigned color, int file, int rank)
{
    int front = color ? 0 : rank + 1, end = color ? rank - 1 : 7;
    switch (kind) {
    case QUERY_PASSED:
        return !is_on_file(p, color ^ 1, file - 1, front, end) && !is_on_file(p, color ^ 1, file, front, end) &&
               !is_on_file(p, color ^ 1, file + 1, front, end);
    case QUERY_ISOLATED: return !is_on_file(p, color, file - 1, 0, 7) && !is_on_file(p, color, file + 1, 0, 7);
    case QUERY_DOUBLED: return is_on_file(p, color, file, front, end);
    default:
        return is_on_file(p, color, file - 1, rank - 1, rank + 1) || is_on_file(p, color, file + 1, rank - 1, rank + 1);
    }
}

static void check_pawns(const stamma_position *position)
{
    for (query_kind kind = QUERY_PASSED; kind <= QUERY_CONNECTED; kind++) {
        for (unsigned color = 0; color < 2; color++) {
            query_range range = {0, 0};
            query_pawn_counts counts = {{{NULL, 0}, {NULL, 0}}};
            const query_rule rule = {.kind = kind, .values = &counts, .count = 1};
            for (int square = 0; square < 64; square++)
                range.low += is_pawn(position, color, square % 8, square / 8) &&
                             pawn_is(kind, position, color, square % 8, square / 8);
            range.high = range.low;
            counts.of[color] = (query_ranges){&range, 1};
            assert_true(stamma_match_position(&rule, position));
            range.low = ++range.high;
            assert_false(stamma_match_position(&rule, position));
        }
    }
}

static void pawns(void **state)
{
    (void)state;
    each_sample(8, 100, check_pawns);
}

/* ---- pins ---- */

/* Finds pinned pieces: without a pinned piece, its king is attacked by one more piece. */
static query_word pinned_pieces(const stamma_position *p)
{
    query_word pinned = 0;
    for (unsigned square = 0; square < 64; square++) {
        stamma_piece piece = stamma_position_piece(p, (stamma_square)square);
        unsigned color = piece >> 3, king = position_king(p, color);
        if (piece == STAMMA_PIECE_NONE || square == king)
            continue;
        uint64_t before = position_attackers(p, color ^ 1, king, position_occupied(p));
        uint64_t after = position_attackers(p, color ^ 1, king, position_occupied(p) & ~square_bit(square));
        if (before != after)
            pinned |= 1u << ((piece & 7) + 6 * color);
    }
    return pinned;
}

static void check_pins(const stamma_position *position)
{
    query_word expected = pinned_pieces(position);
    for (unsigned piece = 0; piece < 12; piece++) {
        const query_word asked = 1u << piece;
        const query_rule rule = {.kind = QUERY_PINNED, .values = &asked, .count = 1};
        assert_int_equal(stamma_match_position(&rule, position), expected >> piece & 1);
    }
}

static void pins(void **state)
{
    (void)state;
    each_sample(8, 100, check_pins);
}

/* 1: a rook for a knight and a pawn, then an additional queen; 2: bishops of opposite colours until one is captured */
static const char points_text[] =
    "[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"4k1n1/P5p1/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. a8=Q+ Kd7 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/3b4/8/2B5/8/4K3 w - - 0 1\"]\n\n1. Kd2 Bb3 2. Bg7 Ba4 *\n\n";

static void points(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"balance\": 2}", "1:0"},
        {"{\"balance\": \"10..\"}", "1:1"},
        {"{\"balance\": \"..-2\", \"flipcolor\": true}", "1:0"},
        {"{\"balance\": [0, 10]}", "1:1 2:0"},
        /* at ply 1 White moved */
        {"{\"mover-balance\": 10}", "1:1"},
        {"{\"mover-balance\": \"..-1\"}", "1:2"},
        /* none at ply 0 */
        {"{\"mover-balance\": 0, \"event\": \"2\"}", "2:1"},
        {"{\"points\": {\"white\": 6}}", "1:0"},
        {"{\"points\": {\"white\": 14, \"black\": 4}}", "1:1"},
        {"{\"points\": {\"black\": 14}, \"flipcolor\": true}", "1:1"},
        {"{\"points\": [{\"white\": 3}, {\"white\": 6, \"black\": \"5..\"}]}", "2:0"},
        /* one of each */
        {"{\"difference\": {\"of\": \"R\", \"minus\": \"n\"}}", ""},
        {"{\"difference\": {\"of\": \"R\", \"minus\": \"n\", \"n\": 0}, \"event\": \"1\"}", "1:0"},
        {"{\"difference\": {\"of\": \"QR\", \"minus\": \"n\"}}", "1:1"},
        {"{\"difference\": {\"of\": \"qr\", \"minus\": \"N\"}, \"flipcolor\": true}", "1:1"},
        {"{\"difference\": {\"of\": {\"pieces\": \"A\", \"squares\": \"light\"}, \"minus\": \"a\", \"n\": \"..-2\"}}",
         "1:0 2:0"},
        {"{\"opposite-bishops\": true}", "2:0"},
        {"{\"opposite-bishops\": false}", "1:0"},
        {"{\"count\": {\"pieces\": \"B\", \"squares\": \"dark\"}}", "2:0"},
        {"{\"count\": {\"pieces\": \"Bb\", \"squares\": \"light\", \"n\": 2}}", ""},
        {"{\"attacks\": \"Rxlight\"}", "1:0"},
        /* a bishop on a light square attacks light squares */
        {"{\"attacks\": {\"from\": \"b\", \"to\": \"dark\", \"n\": \"1..\"}}", ""},
    };
    FINDS(points_text, searches);
}

/* Differences of ratings. */
static const char ratings_text[] = "[Event \"1\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2500?\"]\n\n*\n\n"
                                   "[Event \"2\"]\n[WhiteElo \"2400\"]\n\n*\n\n";

static void ratings(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"rating-difference\": -100}", "1:0"},
        {"{\"rating-difference\": \"..0\"}", "1:0"},
        {"{\"rating-difference\": \"1..\"}", ""},
    };
    FINDS(ratings_text, searches);
}

/* Evaluations +0.3, +0.2, -3, -3.5, none, mate. */
static const char swings_text[] = "[Event \"1\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Ke2 {[%eval -3]} Nc6 "
                                  "{[%eval -3.5]} 3. Kf3 Nf6 {[%eval #5]} *\n\n";

static void swings(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"mover-swing\": \"..-3\"}", "1:3"},
        {"{\"mover-swing\": 0.1}", "1:2"},
        {"{\"mover-swing\": 0.5}", "1:4"},
        {"{\"mover-swing\": \"..-100\"}", "1:6"},
        /* none at ply 1 */
        {"{\"mover-swing\": \"0..\"}", "1:2"},
        {"{\"swing\": \"3..4\"}", "1:3"},
    };
    FINDS(swings_text, searches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points), cmocka_unit_test(ratings), cmocka_unit_test(swings),
        cmocka_unit_test(turned), cmocka_unit_test(pawns),   cmocka_unit_test(pins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
