/* SPDX-License-Identifier: MIT */
/* Scores pairs of games that no rule makes the same game, but that a person would compare
 * (doc/reference/duplicates.md). */
#include "duplicates/duplicates.h"

static int score_moves(const comparison *c)
{
    const move_relation *m = &c->moves;
    if (is_same_line(m))
        return m->shorter >= CERTAIN_PLIES ? 40 : m->shorter >= LONG_PLIES ? 32 : m->shorter >= SHORT_PLIES ? 22 : 5;
    const bool aligned = c->repeated || c->other_order;
    const size_t same = aligned ? m->shorter : m->same;
    const int most = 4 * same >= 3 * m->shorter ? 5 : 0;
    return most + (same >= CERTAIN_PLIES ? 28 : same >= LONG_PLIES ? 24 : same >= SHORT_PLIES ? 14 : 0);
}

static int score_names(const comparison *c)
{
    static const int scores[] = {[NAME_EQUAL] = 20, [NAME_COMPATIBLE] = 16, [NAME_SURNAME] = 6, [NAME_UNKNOWN] = 6};
    return (c->names == NAME_DIFFERENT ? 0 : scores[c->names]) + (c->same_ids ? 6 : 0) - (c->exchanged ? 4 : 0);
}

static int score_dates(const comparison *c)
{
    switch (c->dates) {
    case DATE_EQUAL: return 15;
    case DATE_COMPATIBLE: return 8;
    case DATE_NEAR: return 8;
    default: return c->same_day || c->same_month ? 8 : 0;
    }
}

static int score_place(const comparison *c)
{
    return (c->other_event ? -25 : c->known_event ? 12 : c->same_event ? 3 : 0) + (c->same_round ? 10 : 2);
}

static stamma_duplicate_reason reason_of(const comparison *c)
{
    if (c->exchanged)
        return STAMMA_DUPLICATE_COLORS;
    if (c->names > NAME_COMPATIBLE)
        return STAMMA_DUPLICATE_NAMES;
    if (c->other_event)
        return STAMMA_DUPLICATE_EVENT;
    if (!c->results_fit)
        return STAMMA_DUPLICATE_RESULT;
    return is_same_line(&c->moves) ? STAMMA_DUPLICATE_DATE : STAMMA_DUPLICATE_MOVES;
}

uint8_t stamma_probable_game(const comparison *c)
{
    const bool same_moves = is_same_line(&c->moves);
    /* Colors, names and dates are only doubted if the moves of a long game are the same. */
    const size_t least = c->exchanged || c->names > NAME_COMPATIBLE || c->dates == DATE_DIFFERENT ? LONG_PLIES : 0;
    const bool same_place = c->known_event && c->same_round && c->dates == DATE_EQUAL;
    if (c->other_round || (c->names == NAME_DIFFERENT && !same_place) ||
        (least > 0 && (!same_moves || c->moves.shorter < least)) || (!same_moves && c->moves.same < PART_PLIES))
        return STAMMA_DUPLICATE_NONE;
    const int score = score_moves(c) + score_names(c) + score_dates(c) + score_place(c) +
                      (c->same_result   ? 5
                       : c->results_fit ? 2
                                        : -5);
    if (score < SCORE_MIN)
        return STAMMA_DUPLICATE_NONE;
    return probable_relation(score < SCORE_MAX ? (unsigned)score : SCORE_MAX, reason_of(c));
}
