/* SPDX-License-Identifier: MIT */
/* Tests ruling out games that cannot reach a position. If a game reaches a position, neither an earlier position nor
 * the game's end may rule the position out. Games are random and contain captures, promotions and lost castling
 * rights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sample_positions.h"
#include "search/position_target.h"

enum { GAMES = 300, PLIES = 240 };

typedef struct game {
    stamma_position positions[PLIES + 1];
    uint8_t codes[PLIES];
    size_t plies;
    bool promoted[2];
    unsigned promotions[2][6];
} game;

/* Chooses captures and pawn moves more often than other moves. */
static stamma_move choose(const stamma_move *moves, size_t count, const stamma_position *p, uint64_t *random)
{
    stamma_move move = moves[random_next(random) % count];
    for (unsigned n = 0; n < 2 && !stamma_move_is_capture(move) && position_type_at(p, stamma_move_from(move)); n++)
        move = moves[random_next(random) % count];
    return move;
}

static void play(game *g, uint64_t *random)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    memset(g, 0, sizeof *g);
    g->positions[0] = stamma_position_start();
    while (g->plies < PLIES) {
        const stamma_position *p = &g->positions[g->plies];
        size_t count = stamma_legal_moves(p, moves);
        if (count == 0)
            return;
        stamma_move move = choose(moves, count, p, random);
        assert_int_equal(stamma_byte_encode(p, move, &g->codes[g->plies]), STAMMA_OK);
        if (stamma_move_is_promotion(move))
            g->promotions[p->side][stamma_move_promotion(move)]++;
        stamma_position_make(p, move, &g->positions[++g->plies]);
    }
}

/* Returns the entry of a game's end, as in clause 20.2. */
static search_entry ending_of(const game *g)
{
    const stamma_position *p = &g->positions[g->plies];
    search_entry e = {0};
    for (unsigned color = 0; color < 2; color++) {
        uint64_t pawns = position_pieces(p, color, STAMMA_PAWN);
        unsigned count = bits_count(pawns), promoted = 0;
        e.home_pawns |= (uint16_t)((pawns >> (color ? 48 : 8) & 255) << 8 * color);
        for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++) {
            unsigned here = bits_count(position_pieces(p, color, type)), made = g->promotions[color][type];
            unsigned left = here > made ? here - made : 0;
            promoted += made;
            e.pieces[color] |= (uint8_t)((left > 3 ? 3 : left) << 2 * (type - STAMMA_KNIGHT));
        }
        e.pawns |= (uint8_t)((promoted ? 9 + (count > 6 ? 6 : count) : count) << 4 * color);
    }
    return e;
}

/* Makes the target of all positions with the same pieces as `p`. */
static void init_material(position_target *t, const stamma_position *p)
{
    stamma_target_init_pattern(t);
    t->goal.material = true;
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
            t->goal.least[color][type] = t->goal.most[color][type] =
                (uint8_t)bits_count(position_pieces(p, color, type));
    stamma_target_set_material(t);
}

/* Makes the target of all positions with some of the pieces of `p` on the same squares. */
static void init_pieces(position_target *t, const stamma_position *p, uint64_t *random)
{
    stamma_target_init_pattern(t);
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++) {
            const uint64_t pieces = position_pieces(p, color, type) & (random_next(random) | random_next(random));
            if (pieces)
                t->goal.tests[t->goal.test_count++] = (board_test){pieces, pieces, (uint8_t)color, (uint8_t)type};
        }
    stamma_target_set_material(t);
}

/* Asserts that ply `to` of a game is found from ply `from` on, or an earlier ply that meets the target. */
static void assert_found(const game *g, const position_target *t, size_t from, size_t to)
{
    size_t found;
    piece_board b;
    PIECE_GAME(set_up, &b, &g->positions[from]);
    assert_true(stamma_target_may_follow(t, &b));
    if (PIECE_GAME(meets, &b, g->positions[from].side, &t->goal))
        return;
    assert_int_equal(PIECE_GAME(find, &b, g->positions[from].side, g->codes + from, g->plies - from, &t->goal, &found),
                     STAMMA_OK);
    assert_true(found <= to - from);
}

static void nothing_that_comes_is_ruled_out(void **state)
{
    (void)state;
    uint64_t random = 14;
    unsigned promoted = 0;
    game *g = malloc(sizeof *g);
    assert_non_null(g);
    for (unsigned n = 0; n < GAMES; n++) {
        play(g, &random);
        const search_entry e = ending_of(g);
        promoted += (e.pawns & 15) > 8;
        for (unsigned k = 0; k < 20; k++) {
            size_t to = (size_t)(random_next(&random) % (g->plies + 1));
            size_t from = (size_t)(random_next(&random) % (to + 1)), found;
            position_target t;
            piece_board b;
            init_material(&t, &g->positions[to]);
            assert_true(target_may_precede(&t, &e));
            assert_found(g, &t, from, to);
            init_pieces(&t, &g->positions[to], &random);
            assert_true(target_may_precede(&t, &e));
            assert_found(g, &t, from, to);
            stamma_target_init(&t, &g->positions[to], false, false);
            PIECE_GAME(set_up, &b, &g->positions[from]);
            assert_true(stamma_target_may_follow(&t, &b));
            assert_true(stamma_target_may_castle(&t, &b));
            assert_true(target_may_precede(&t, &e));
            if (PIECE_GAME(meets, &b, g->positions[from].side, &t.goal))
                continue;
            assert_int_equal(
                PIECE_GAME(find, &b, g->positions[from].side, g->codes + from, g->plies - from, &t.goal, &found),
                STAMMA_OK);
            assert_true(found <= to - from);
            assert_true(stamma_position_equal(&g->positions[from + found], &g->positions[to]));
        }
    }
    assert_true(promoted > GAMES / 10);
    free(g);
}

/* More than half of random pairs of positions are ruled out. */
static void much_is_ruled_out(void **state)
{
    (void)state;
    uint64_t random = 15;
    unsigned ruled_out = 0;
    game *g = malloc(sizeof *g), *other = malloc(sizeof *other);
    assert_true(g && other);
    for (unsigned n = 0; n < GAMES; n++) {
        position_target t;
        piece_board b;
        play(g, &random);
        play(other, &random);
        stamma_target_init(&t, &g->positions[g->plies < 60 ? g->plies : 60], false, false);
        PIECE_GAME(set_up, &b, &other->positions[other->plies < 20 ? other->plies : 20]);
        const search_entry e = ending_of(other);
        ruled_out += !stamma_target_may_follow(&t, &b) || !target_may_precede(&t, &e);
    }
    assert_true(ruled_out > GAMES / 2);
    free(g);
    free(other);
}

/* Two queens are impossible in a game without promotions, and in a game that ends with more pawns. */
static void queens_are_promoted(void **state)
{
    (void)state;
    position_target t;
    search_entry e = {.pawns = 3};
    stamma_target_init_pattern(&t);
    t.goal.least[STAMMA_WHITE][STAMMA_QUEEN] = 2;
    t.goal.most[STAMMA_BLACK][STAMMA_PAWN] = 4;
    stamma_target_set_material(&t);
    assert_false(target_may_precede(&t, &e));
    e.pawns = 3 + SEARCH_PROMOTED;
    assert_true(target_may_precede(&t, &e));
    e.pawns = 4 << 4 | (3 + SEARCH_PROMOTED);
    assert_true(target_may_precede(&t, &e));
    e.pawns = 5 << 4 | (3 + SEARCH_PROMOTED);
    assert_false(target_may_precede(&t, &e));
    e.pawns = (SEARCH_PROMOTED + 3) << 4;
    assert_false(target_may_precede(&t, &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_comes_is_ruled_out),
        cmocka_unit_test(much_is_ruled_out),
        cmocka_unit_test(queens_are_promoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
