/* SPDX-License-Identifier: MIT */
/* Tests lines: moves that a line finds by name equal the moves of positions, with their bytes and SAN facts, in both
 * builds of the board. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/codec.h"
#include "notation/notation.h"
#include "sample_positions.h"

static void assert_stands(const game_line *line, const stamma_position *expected)
{
    stamma_position position = stamma_line_position(line);
    assert_memory_equal(&position, expected, sizeof position);
}

static void assert_same_board(const piece_board *board, const stamma_position *expected)
{
    stamma_position position, bare = *expected;
    piece_board_position(board, expected->side, &position);
    bare.key = bare.halfmove_clock = bare.fullmove_number = 0;
    assert_memory_equal(&position, &bare, sizeof position);
}

/* Plays a name in a line and on a board of the portable build. Asserts that both agree. */
static bool play(game_line *line, const move_name *name, played_move *played)
{
    piece_board board;
    played_move plain;
    unsigned us = line->side;
    stamma_position before = stamma_line_position(line);
    stamma_piece_game_set_up_portable(&board, &before);
    bool plays = stamma_piece_game_play_named_portable(&board, us, name, &plain);
    assert_int_equal(stamma_line_play(line, name, played), plays);
    if (!plays) {
        assert_stands(line, &before);
        return false;
    }
    assert_int_equal(plain.move, played->move);
    assert_int_equal(plain.code, played->code);
    assert_int_equal(plain.san_facts, played->san_facts);
    stamma_position after = stamma_line_position(line);
    assert_same_board(&board, &after);
    before.key = 0;
    assert_memory_equal(&line->before, &before, sizeof before);
    return true;
}

static void assert_played(const stamma_position *position, stamma_move move, const game_line *line,
                          const played_move *played)
{
    uint8_t code;
    stamma_position after;
    assert_int_equal(played->move, move);
    assert_int_equal(stamma_byte_encode(position, move, &code), STAMMA_OK);
    assert_int_equal(played->code, code);
    assert_int_equal(played->san_facts, move_san_facts(position, move));
    stamma_position_make(position, move, &after);
    assert_stands(line, &after);
}

/* Returns whether lines cannot resolve a name without the position: many queens, or pieces that only pins
 * distinguish. */
static bool is_left(const stamma_position *p, const move_name *name)
{
    for (unsigned color = 0; color < 2; color++)
        if (bits_count(position_pieces(p, color, STAMMA_QUEEN)) > 2)
            return true;
    if (name->type == STAMMA_PAWN || name->to == STAMMA_SQUARE_NONE)
        return false;
    uint64_t pieces = position_pieces(p, p->side, name->type) & name->from;
    return bits_count(pieces & piece_attacks(name->type, name->to, position_occupied(p))) > 1;
}

static move_name name_of(const stamma_position *position, stamma_move move)
{
    char san[STAMMA_SAN_SIZE];
    move_name name;
    size_t size = stamma_san_write(position, move, san, sizeof san);
    assert_true(stamma_san_name(san, size, &name));
    return name;
}

static void assert_legal_moves_are_played(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++) {
        game_line line;
        played_move played;
        move_name name = name_of(position, moves[i]);
        stamma_line_set(&line, position, position);
        assert_stands(&line, position);
        if (play(&line, &name, &played))
            assert_played(position, moves[i], &line, &played);
        else
            assert_true(is_left(position, &name));
    }
}

static void every_legal_move_is_played(void **state)
{
    (void)state;
    each_sample(200, 80, assert_legal_moves_are_played);
}

static uint64_t name_random = 5;

/* Returns a name that strict SAN could contain: any piece to any square. */
static move_name any_name(void)
{
    uint64_t random = random_next(&name_random);
    move_name name = {(uint8_t)(random % 6), random >> 8 & 63, 0, ~UINT64_C(0)};
    if (name.type == STAMMA_PAWN) {
        name.flags = random >> 16 & 1 ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET;
        if ((RANK_1 | RANK_8) >> name.to & 1)
            name.flags = (uint8_t)(name.flags | STAMMA_FLAG_PROMOTION | (random >> 18 & 3));
        name.from = FILE_A << (random >> 24 & 7);
    } else if (name.type == STAMMA_KING && (random >> 16 & 3) == 0) {
        name.to = STAMMA_SQUARE_NONE;
        name.flags = random >> 24 & 1 ? STAMMA_FLAG_KING_CASTLE : STAMMA_FLAG_QUEEN_CASTLE;
    } else if ((random >> 16 & 3) == 1) {
        name.from = RANK_1 << 8 * (random >> 24 & 7);
    }
    return name;
}

/* Asserts that a played move is legal and has the name. */
static void assert_any_name_does_no_harm(const stamma_position *position)
{
    for (unsigned n = 0; n < 40; n++) {
        game_line line;
        played_move played;
        move_name name = any_name();
        stamma_line_set(&line, position, position);
        if (!play(&line, &name, &played))
            continue;
        unsigned from = stamma_move_from(played.move);
        assert_true(stamma_move_is_legal(position, played.move));
        assert_played(position, played.move, &line, &played);
        assert_int_equal(position_type_at(position, from), name.type);
        assert_true(name.from >> from & 1);
        if (name.to == STAMMA_SQUARE_NONE)
            assert_int_equal(stamma_move_flags(played.move), name.flags);
        else
            assert_int_equal(stamma_move_to(played.move), name.to);
    }
}

static void any_name_does_no_harm(void **state)
{
    (void)state;
    each_sample(400, 80, assert_any_name_does_no_harm);
}

/* Plays complete games. The state that the line updates from ply to ply must agree with the positions. */
static void games_are_played_through(void **state)
{
    (void)state;
    uint64_t random = 7;
    size_t plies = 0;
    for (unsigned game = 0; game < 200; game++) {
        stamma_position position = position_of_fen(sample_starts[game % SAMPLE_STARTS]), after;
        stamma_move moves[STAMMA_MOVES_MAX];
        game_line line;
        size_t count;
        stamma_line_set(&line, &position, &position);
        for (unsigned ply = 0; ply < 200 && (count = stamma_legal_moves(&position, moves)) > 0; ply++, plies++) {
            stamma_move move = moves[random_next(&random) % count];
            played_move played;
            move_name name = name_of(&position, move);
            stamma_position_make(&position, move, &after);
            if (play(&line, &name, &played))
                assert_played(&position, move, &line, &played);
            else
                stamma_line_set(&line, &position, &after);
            position = after;
        }
    }
    assert_true(plies > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_is_played),
        cmocka_unit_test(any_name_does_no_harm),
        cmocka_unit_test(games_are_played_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
