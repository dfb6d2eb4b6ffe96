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

/* ---- rules ----
 *
 * A rule that is turned (flipcolor, mirror) holds in a position if the rule holds in the turned position. Its targets
 * are made from the turned squares and colors of its values. */

static unsigned turn_color(unsigned color, unsigned turn)
{
    return turn & QUERY_TURN_COLORS ? color ^ 1 : color;
}

/* `piece` may be QUERY_EMPTY. */
static unsigned turn_piece(unsigned piece, unsigned turn)
{
    return turn & QUERY_TURN_COLORS && piece < QUERY_EMPTY ? (piece + 6) % 12 : piece;
}

static bool add_sub_fen(board_goal *goal, const query_sub_fen *s, unsigned turn)
{
    uint64_t required[12], forbidden[QUERY_PIECES], all = 0;
    for (unsigned piece = 0; piece < QUERY_PIECES; piece++)
        forbidden[piece] = stamma_squares_turned(s->places[0].forbidden[turn_piece(piece, turn)], turn);
    bool fits = s->count == 1;
    for (unsigned piece = 0; piece < 12; piece++) {
        required[piece] = stamma_squares_turned(s->required[turn_piece(piece, turn)], turn);
        fits = fits && add_test(goal, piece / 6, piece % 6, required[piece], required[piece]);
        all |= required[piece];
    }
    uint64_t occupied = forbidden[QUERY_EMPTY], empty = ~UINT64_C(0);
    for (unsigned piece = 0; piece < 12; piece++)
        empty &= forbidden[piece];
    for (unsigned piece = 0; piece < 12; piece++)
        fits = fits && add_test(goal, piece / 6, piece % 6, forbidden[piece] & ~all & ~empty, 0);
    /* another placement, in a condition of "all", may contradict this one: then no position matches */
    const uint64_t both = goal->squares & (occupied | empty);
    fits = fits && (goal->occupied & both) == (occupied & both);
    goal->squares |= occupied | empty;
    goal->occupied |= occupied;
    return fits;
}

static bool add_material(board_goal *goal, const query_material *m, unsigned turn)
{
    goal->material = true;
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++) {
            const unsigned from = turn_color(color, turn);
            if (m->low[from][type] > goal->least[color][type])
                goal->least[color][type] = m->low[from][type];
            if (m->high[from][type] < goal->most[color][type])
                goal->most[color][type] = m->high[from][type];
        }
    return true;
}

static bool add_pawns(board_goal *goal, const query_pawns *p, unsigned turn)
{
    bool added = true;
    for (unsigned color = 0; color < 2 && added; color++)
        added = add_test(goal, color, STAMMA_PAWN, ~UINT64_C(0),
                         stamma_squares_turned(p->pawns[turn_color(color, turn)], turn));
    return added;
}

static bool add_side(board_goal *goal, query_word side, unsigned turn)
{
    goal->sides = (uint8_t)(goal->sides & 1u << turn_color(side, turn));
    return true;
}

/* Adds value `n` of a rule that is not FEN. */
static bool add_value(board_goal *goal, const query_rule *rule, size_t n, unsigned turn)
{
    switch (rule->kind) {
    case QUERY_SUB_FEN: return add_sub_fen(goal, (const query_sub_fen *)rule->values + n, turn);
    case QUERY_MATERIAL: return add_material(goal, (const query_material *)rule->values + n, turn);
    case QUERY_PAWNS: return add_pawns(goal, (const query_pawns *)rule->values + n, turn);
    default: return add_side(goal, ((const query_word *)rule->values)[n], turn);
    }
}

/* ---- conditions ---- */

/* Replaces the targets: makes one target for each combination of a previous target and a value of the rule. */
static bool multiply(const query_rule *rule, unsigned turn, position_target *targets, size_t *count)
{
    size_t before = *count;
    if (rule->count > TARGETS_MAX / before)
        return false;
    for (size_t n = rule->count; n-- > 0;)
        for (size_t k = 0; k < before; k++) {
            position_target *t = &targets[n * before + k];
            *t = targets[k];
            if (!add_value(&t->goal, rule, n, turn))
                return false;
        }
    *count = before * rule->count;
    return true;
}

static size_t compile_positions(const query_rule *rule, unsigned turn, position_target *targets)
{
    const query_fen *values = (const query_fen *)rule->values;
    for (size_t n = 0; n < rule->count && rule->count <= TARGETS_MAX; n++) {
        const stamma_position position = stamma_position_turned(&values[n].position, turn);
        stamma_target_init(&targets[n], &position, rule->ignore_castling, rule->ignore_en_passant);
    }
    return rule->count <= TARGETS_MAX ? rule->count : 0;
}

/* Compiles the rules that are not FEN. */
static size_t compile_patterns(const query_condition *condition, unsigned turn, position_target *targets)
{
    size_t count = 1;
    stamma_target_init_pattern(&targets[0]);
    for (const query_rule *r = condition->rules; r; r = r->next)
        if (stamma_rule_is_target(r->kind) && !multiply(r, turn, targets, &count))
            return 0;
    for (size_t n = 0; n < count; n++)
        stamma_target_set_material(&targets[n]);
    return count;
}

/* Adds targets that are not among the first `count`: a turned rule may be equal to the rule. Returns the new number of
 * targets; 0 if there are too many. */
static size_t add_new(position_target *targets, size_t count, const position_target *more, size_t more_count)
{
    for (size_t n = 0; n < more_count; n++) {
        size_t k = 0;
        while (k < count && memcmp(&targets[k], &more[n], sizeof *more) != 0)
            k++;
        if (k == TARGETS_MAX)
            return 0;
        if (k == count)
            targets[count++] = more[n];
    }
    return count;
}

size_t stamma_targets_compile_turns(const query_condition *condition, const query_rule *fen, position_target *targets)
{
    position_target turned[TARGETS_MAX];
    size_t count = 0;
    for (unsigned turn = 0; turn <= condition->turns; turn++) {
        if (turn & ~condition->turns)
            continue;
        const size_t more = fen ? compile_positions(fen, turn, turned) : compile_patterns(condition, turn, turned);
        count = more == 0 ? 0 : add_new(targets, count, turned, more);
        if (count == 0)
            return 0;
    }
    return count;
}

size_t stamma_targets_compile(const query_condition *condition, position_target *targets, bool *all)
{
    size_t rules = 0, selective = 0;
    const query_rule *fen = NULL;
    for (const query_rule *r = condition->rules; r; r = r->next) {
        rules += stamma_rule_is_target(r->kind);
        selective += stamma_rule_is_target(r->kind) && r->kind != QUERY_SIDE_TO_MOVE;
        fen = r->kind == QUERY_FEN ? r : fen;
    }
    *all = !fen || rules == 1;
    return selective == 0 ? 0 : stamma_targets_compile_turns(condition, fen, targets);
}
