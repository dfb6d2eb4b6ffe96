/* SPDX-License-Identifier: MIT */
/* Compiles rules of the position to bit patterns, which are compared while games are replayed. */
#include "search/verdicts.h"

bool stamma_rule_is_target(query_kind kind)
{
    return kind == QUERY_FEN || kind == QUERY_SUB_FEN || kind == QUERY_MATERIAL || kind == QUERY_PAWNS ||
           kind == QUERY_SIDE_TO_MOVE;
}

static bool add_test(board_goal *goal, unsigned color, unsigned type, uint64_t mask, uint64_t value)
{
    if (mask == 0)
        return true;
    if (goal->test_count == BOARD_TESTS_MAX)
        return false;
    goal->tests[goal->test_count++] = (board_test){mask, value, (uint8_t)color, (uint8_t)type};
    return true;
}

/* ---- rules ---- */

static bool add_sub_fen(board_goal *goal, const query_sub_fen *s)
{
    const uint64_t *forbidden = s->places[0].forbidden;
    uint64_t required = 0;
    bool fits = s->count == 1;
    for (unsigned piece = 0; piece < 12; piece++) {
        fits = fits && add_test(goal, piece / 6, piece % 6, s->required[piece], s->required[piece]);
        required |= s->required[piece];
    }
    uint64_t occupied = forbidden[QUERY_EMPTY], empty = ~UINT64_C(0);
    for (unsigned piece = 0; piece < 12; piece++)
        empty &= forbidden[piece];
    for (unsigned piece = 0; piece < 12; piece++)
        fits = fits && add_test(goal, piece / 6, piece % 6, forbidden[piece] & ~required & ~empty, 0);
    /* another placement, in a condition of "all", may contradict this one: then no position matches */
    const uint64_t both = goal->squares & (occupied | empty);
    fits = fits && (goal->occupied & both) == (occupied & both);
    goal->squares |= occupied | empty;
    goal->occupied |= occupied;
    return fits;
}

static bool add_material(board_goal *goal, const query_material *m)
{
    goal->material = true;
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++) {
            if (m->low[color][type] > goal->least[color][type])
                goal->least[color][type] = m->low[color][type];
            if (m->high[color][type] < goal->most[color][type])
                goal->most[color][type] = m->high[color][type];
        }
    return true;
}

static bool add_pawns(board_goal *goal, const query_pawns *p)
{
    return add_test(goal, STAMMA_WHITE, STAMMA_PAWN, ~UINT64_C(0), p->pawns[STAMMA_WHITE]) &&
           add_test(goal, STAMMA_BLACK, STAMMA_PAWN, ~UINT64_C(0), p->pawns[STAMMA_BLACK]);
}

static bool add_side(board_goal *goal, query_word side)
{
    goal->sides = (uint8_t)(goal->sides & 1u << side);
    return true;
}

/* Adds value `n` of a rule that is not FEN. */
static bool add_value(position_target *t, const query_rule *rule, size_t n)
{
    switch (rule->kind) {
    case QUERY_SUB_FEN: return add_sub_fen(&t->goal, (const query_sub_fen *)rule->values + n);
    case QUERY_MATERIAL: return add_material(&t->goal, (const query_material *)rule->values + n);
    case QUERY_PAWNS: return add_pawns(&t->goal, (const query_pawns *)rule->values + n);
    default: return add_side(&t->goal, ((const query_word *)rule->values)[n]);
    }
}

/* ---- conditions ---- */

/* Replaces the targets: makes one target for each combination of a previous target and a value of the rule. */
static bool multiply(const query_rule *rule, position_target *targets, size_t *count)
{
    size_t before = *count;
    if (rule->count > TARGETS_MAX / before)
        return false;
    for (size_t n = rule->count; n-- > 0;)
        for (size_t k = 0; k < before; k++) {
            position_target *t = &targets[n * before + k];
            *t = targets[k];
            if (!add_value(t, rule, n))
                return false;
        }
    *count = before * rule->count;
    return true;
}

static size_t compile_positions(const query_rule *rule, position_target *targets)
{
    const query_fen *values = (const query_fen *)rule->values;
    for (size_t n = 0; n < rule->count && rule->count <= TARGETS_MAX; n++)
        stamma_target_init(&targets[n], &values[n].position, rule->ignore_castling, rule->ignore_en_passant);
    return rule->count <= TARGETS_MAX ? rule->count : 0;
}

/* Compiles the rules that are not FEN. */
static size_t compile_patterns(const query_condition *condition, position_target *targets)
{
    size_t count = 1;
    stamma_target_init_pattern(&targets[0]);
    for (const query_rule *r = condition->rules; r; r = r->next)
        if (stamma_rule_is_target(r->kind) && !multiply(r, targets, &count))
            return 0;
    for (size_t n = 0; n < count; n++)
        stamma_target_set_material(&targets[n]);
    return count;
}

size_t stamma_targets_compile(const query_condition *condition, position_target *targets, bool *all)
{
    size_t rules = 0, selective = 0;
    const query_rule *fen = NULL;
    if (condition->turns != 0)
        return 0;
    for (const query_rule *r = condition->rules; r; r = r->next) {
        rules += stamma_rule_is_target(r->kind);
        selective += stamma_rule_is_target(r->kind) && r->kind != QUERY_SIDE_TO_MOVE;
        fen = r->kind == QUERY_FEN ? r : fen;
    }
    *all = !fen || rules == 1;
    return selective == 0 ? 0 : fen ? compile_positions(fen, targets) : compile_patterns(condition, targets);
}
