/* SPDX-License-Identifier: MIT */
/* Results and lengths of sampled games, from their ratings and from the distributions of real games. */
#ifndef SAMPLE_OUTCOME_H
#define SAMPLE_OUTCOME_H

#include "sample_random.h"
#include "stamma.h"

enum { CHANCE_ONE = 1000, QUANTILES = 32, DIFFERENCE_STEP = 50, DIFFERENCES = 17 };

/* Facts about a kind of games, in units of 1 / CHANCE_ONE, by the difference of the ratings; and quantiles of their
 * numbers of plies: k / 32 of the games are shorter than quantile k. */
typedef struct kind_facts {
    uint16_t drawn[DIFFERENCES];
    uint16_t decided_plies[QUANTILES + 1], drawn_plies[QUANTILES + 1];
} kind_facts;

/* Measured on the corpora otb_train and lichess_dump_train. */
static const kind_facts otb_facts = {{510, 473, 409, 338, 265, 202, 155, 127, 98, 84, 76, 72, 60, 48, 40, 30, 20},
                                     {10, 43, 49, 53, 56, 59, 61, 63,  66,  68,  70,  72,  74,  76,  78,  80, 81,
                                      83, 85, 87, 90, 93, 96, 99, 103, 107, 111, 116, 121, 128, 137, 153, 240},
                                     {6,  23, 28, 32, 35, 39, 42, 45,  48,  51,  55,  58,  60,  63,  66,  69, 73,
                                      76, 80, 82, 84, 87, 91, 95, 100, 104, 110, 116, 122, 131, 143, 163, 280}};
static const kind_facts online_facts = {{40, 41, 36, 36, 31, 25, 23, 25, 18, 11, 10, 10, 8, 8, 6, 6, 5},
                                        {2,  15, 23, 29, 33, 36, 39, 42, 44, 47, 49, 51,  53,  55,  58,  60, 62,
                                         64, 67, 69, 71, 74, 77, 80, 84, 88, 92, 97, 103, 110, 119, 133, 200},
                                        {2,   34,  59,  68,  76,  81,  86,  90,  94,  97,  100,
                                         104, 106, 109, 111, 114, 116, 118, 120, 123, 126, 128,
                                         131, 134, 137, 140, 144, 150, 155, 163, 172, 194, 300}};

/* The expected score of the stronger player (Elo's logistic formula). */
static const uint16_t expected_scores[DIFFERENCES] = {500, 571, 640, 703, 760, 808, 849, 882, 909,
                                                      930, 947, 960, 969, 977, 983, 987, 990};

/* Interpolates a table by difference, 0 or more. */
static inline int by_difference(const uint16_t *table, int difference)
{
    int n = difference / DIFFERENCE_STEP, part = difference % DIFFERENCE_STEP;
    if (n >= DIFFERENCES - 1)
        return table[DIFFERENCES - 1];
    return table[n] + (table[n + 1] - table[n]) * part / DIFFERENCE_STEP;
}

/* Returns the expected score of a player, in units of 1 / CHANCE_ONE. */
static inline int expected_score(int difference)
{
    return difference < 0 ? CHANCE_ONE - by_difference(expected_scores, -difference)
                          : by_difference(expected_scores, difference);
}

/* Draws a result. The first move is worth 30 rating points. Games of players below 2500 are drawn less often. */
static inline stamma_result draw_result(const kind_facts *facts, random_state *r, int white, int black)
{
    int mean = (white + black) / 2, score = expected_score(white - black + 30);
    int drawn = by_difference(facts->drawn, white < black ? black - white : white - black);
    if (facts == &otb_facts && mean < 2500)
        drawn = drawn * (mean > 1700 ? 500 + (mean - 1700) * 5 / 8 : 500) / 1000;
    int won = score - drawn / 2, chance = (int)random_below(r, CHANCE_ONE);
    won = won < 5 ? 5 : won > CHANCE_ONE - drawn - 5 ? CHANCE_ONE - drawn - 5 : won;
    return chance < won ? STAMMA_RESULT_WHITE : chance < won + drawn ? STAMMA_RESULT_DRAW : STAMMA_RESULT_BLACK;
}

/* Draws a number of plies from quantiles. The first and the last part have long tails. */
static inline uint32_t draw_quantile(const uint16_t *quantiles, random_state *r)
{
    uint32_t part = random_below(r, QUANTILES), at = random_below(r, 1024), rest = 1023 - at;
    uint32_t low = quantiles[part], width = quantiles[part + 1] - low;
    if (part == 0)
        return low + width - (uint32_t)((uint64_t)width * rest * rest * rest >> 30);
    if (part == QUANTILES - 1)
        return low + (width * at * at >> 20);
    return low + (width * at >> 10);
}

/* Draws the number of plies that a game has unless its moves end it earlier. The number is increased by a part, because
 * moves end about a tenth of the games earlier. Most losers resign or are mated when the winner has just moved; a few
 * run out of time on their opponent's turn or are recorded with another length. */
static inline uint32_t draw_plies(const kind_facts *facts, random_state *r, stamma_result result)
{
    uint32_t plies = draw_quantile(result == STAMMA_RESULT_DRAW ? facts->drawn_plies : facts->decided_plies, r);
    plies += plies / 32;
    bool winner_moved = result == STAMMA_RESULT_WHITE ? plies % 2 == 1 : plies % 2 == 0;
    if (result != STAMMA_RESULT_DRAW && !winner_moved && random_below(r, CHANCE_ONE) < 860)
        plies += random_below(r, 2) || plies < 8 ? 1 : (uint32_t)-1;
    return plies < 2 ? 2 : plies;
}

#endif
