/* SPDX-License-Identifier: MIT */
/* The moves of sampled games, drawn from the move predictor. */
#ifndef SAMPLE_MOVES_H
#define SAMPLE_MOVES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample_random.h"
#include "stamma.h"

enum {
    PLIES_MAX = 1024,
    PREDICTOR_MOVES = 4, /* earlier moves on which a prediction depends */
    REDRAWS = 8
};

/* How the frequencies of moves are changed. */
typedef struct move_style {
    unsigned rare_shift;       /* a move is not drawn if it is 2^rare_shift times less likely than the best */
    uint32_t open_plies;       /* plies without sharpening */
    uint32_t theory_plies;     /* a game follows theory for a number of plies below this */
    uint32_t theory_sharpness; /* number of 1,000 draws that are sharpened while a game follows theory */
    uint32_t later_sharpness;  /* number of 1,000 draws that are sharpened later */
} move_style;

static const move_style plain_style = {16, 0, 1, 0, 0}, otb_style = {7, 6, 68, 850, 300},
                        online_style = {9, 16, 1, 0, 200};

typedef struct sampled_moves {
    stamma_move move[PLIES_MAX];
    stamma_position position[PLIES_MAX + 1]; /* before each move, and at the end */
    uint64_t key[PLIES_MAX + 1];
    uint32_t plies;
    stamma_status status; /* of the last position */
} sampled_moves;

/* How the moves of a game are drawn. */
typedef struct move_plan {
    stamma_game_context context; /* context.plies: the number of plies, unless the rules end the game earlier */
    const move_style *style;
    uint32_t theory; /* number of plies that follow theory */
    random_state *random;
} move_plan;

/* Draws one of `count` moves, which are sorted by frequency. The weight of a move is its frequency, or the square of
 * its frequency. */
static inline size_t draw_weighted(const stamma_likely_move *likely, size_t count, bool square, random_state *r)
{
    uint64_t all = 0, weight[STAMMA_MOVES_MAX];
    for (size_t n = 0; n < count; n++) {
        uint64_t frequency = likely[n].frequency;
        all += weight[n] = square ? frequency * frequency : frequency;
    }
    uint64_t chance = (random_next(r) >> 1) % all;
    size_t n = 0;
    for (; chance >= weight[n]; n++)
        chance -= weight[n];
    return n;
}

/* Draws one of `count` > 0 moves. The predictor underestimates how often players repeat known lines, and draws of rare
 * moves lead to positions that its training did not contain. Therefore very rare moves are not drawn, and some draws
 * are sharpened by squares. */
static inline size_t draw_likely(const stamma_likely_move *likely, size_t count, const move_plan *plan, uint32_t ply)
{
    const move_style *style = plan->style;
    uint32_t sharpness = ply < style->open_plies ? 0
                         : ply < plan->theory    ? style->theory_sharpness
                                                 : style->later_sharpness;
    while (likely[count - 1].frequency < likely[0].frequency >> style->rare_shift)
        count--;
    return draw_weighted(likely, count, random_below(plan->random, 1000) < sharpness, plan->random);
}

/* Draws the next move of a game. Returns the null move if there is no legal move.
 *
 * A prediction depends on the position, the number of plies and the last four moves. Predicting from the position of
 * four plies before is therefore equal to predicting from the initial position, and faster. */
static inline stamma_move draw_move(const sampled_moves *g, const move_plan *plan)
{
    size_t count;
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    uint32_t first = g->plies > PREDICTOR_MOVES ? g->plies - PREDICTOR_MOVES : 0;
    stamma_game_context context = plan->context;
    context.plies -= first;
    stamma_error error =
        stamma_predict(&g->position[first], g->move + first, g->plies - first, &context, likely, &count);
    if (error != STAMMA_OK) {
        fprintf(stderr, "sample_games: %s\n", stamma_error_text(error));
        exit(1);
    }
    return count > 0 ? likely[draw_likely(likely, count, plan, g->plies)].move : STAMMA_MOVE_NULL;
}

static inline void play(sampled_moves *g, stamma_move move)
{
    g->move[g->plies] = move;
    stamma_position_make(&g->position[g->plies], move, &g->position[g->plies + 1]);
    g->plies++;
    g->key[g->plies] = stamma_position_key(&g->position[g->plies]);
    g->status = stamma_position_status(&g->position[g->plies], g->key, g->plies);
}

static inline bool has_no_move(const sampled_moves *g)
{
    return g->status == STAMMA_STATUS_CHECKMATE || g->status == STAMMA_STATUS_STALEMATE;
}

/* Returns whether the rules end the game without a claim of a player. */
static inline bool is_over(const sampled_moves *g)
{
    return g->status != STAMMA_STATUS_PLAY && g->status != STAMMA_STATUS_FIFTY_MOVES &&
           g->status != STAMMA_STATUS_THREEFOLD;
}

/* Draws moves until the game has the planned number of plies or the rules end it. A move that mates earlier contradicts
 * the plan, and is drawn again. It is accepted if it is drawn repeatedly. */
static inline void draw_moves(sampled_moves *g, const move_plan *plan)
{
    g->plies = 0;
    g->status = STAMMA_STATUS_PLAY;
    g->position[0] = stamma_position_start();
    g->key[0] = stamma_position_key(&g->position[0]);
    while (g->plies < plan->context.plies && !is_over(g)) {
        play(g, draw_move(g, plan));
        for (unsigned n = 0; n < REDRAWS && has_no_move(g) && g->plies < plan->context.plies; n++) {
            g->plies--;
            play(g, draw_move(g, plan));
        }
    }
}

#endif
