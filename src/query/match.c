/* SPDX-License-Identifier: MIT */
/* Evaluates conditions on sets of plies. Each rule narrows the set of plies that can still match, so a rule is tested
 * only at plies where all earlier rules hold. */
#include "query/query.h"

/* ---- sets of plies ---- */

/* Stores in `to` the plies of `from`, each `by` plies later or earlier. `to` may be `from`. */
static void shift_later(const stamma_matcher *m, uint64_t *to, const uint64_t *from, size_t by)
{
    size_t words = by / 64, bits = by % 64;
    for (size_t i = m->words; i-- > 0;) {
        uint64_t high = i >= words ? from[i - words] << bits : 0;
        to[i] = high | (bits && i > words ? from[i - words - 1] >> (64 - bits) : 0);
    }
    to[m->plies / 64] &= ~UINT64_C(0) >> (63 - m->plies % 64);
}

static uint64_t earlier_word(const stamma_matcher *m, const uint64_t *from, size_t i, size_t by)
{
    size_t word = i + by / 64, bits = by % 64;
    uint64_t low = word < m->words ? from[word] >> bits : 0;
    return low | (bits && word + 1 < m->words ? from[word + 1] << (64 - bits) : 0);
}

static void shift_earlier(const stamma_matcher *m, uint64_t *to, const uint64_t *from, size_t by)
{
    for (size_t i = 0; i < m->words; i++)
        to[i] = earlier_word(m, from, i, by);
}

static void intersect(const stamma_matcher *m, uint64_t *set, const uint64_t *with)
{
    for (size_t i = 0; i < m->words; i++)
        set[i] &= with[i];
}

/* ---- simple rules ---- */

static bool is_of_position(query_kind kind)
{
    return (kind >= QUERY_FEN && kind <= QUERY_SIDE_TO_MOVE) || kind == QUERY_MOVE_NUMBER ||
           kind == QUERY_HALFMOVE_CLOCK;
}

/* Returns whether the rule's answer is the same as for the position at `ply` - 1, because no fact that the rule reads
 * has changed. */
static bool is_unchanged(const stamma_matcher *m, query_kind kind, const stamma_position *p, size_t ply)
{
    if (kind == QUERY_MATERIAL || kind == QUERY_IMBALANCE || kind == QUERY_BALANCE || kind == QUERY_POINTS) {
        stamma_move move = m->game->moves[ply - 1];
        return !stamma_move_is_capture(move) && !stamma_move_is_promotion(move);
    }
    if (kind < QUERY_PASSED || kind > QUERY_CONNECTED)
        return false;
    return position_pieces(p, 0, STAMMA_PAWN) == position_pieces(p - 1, 0, STAMMA_PAWN) &&
           position_pieces(p, 1, STAMMA_PAWN) == position_pieces(p - 1, 1, STAMMA_PAWN);
}

static void narrow_positions(stamma_matcher *m, const query_rule *rule, unsigned turn, uint64_t *plies)
{
    const stamma_position *positions = stamma_matcher_positions(m, turn);
    size_t asked = SIZE_MAX - 1;
    bool holds = false;
    if (!positions)
        return;
    if (m->game->no_start) { /* the game has no legal start, and no rule of the position holds */
        plies_clear(m, plies);
        return;
    }
    for (size_t word = 0; word < m->words; word++) {
        uint64_t left = 0;
        for (uint64_t bits = plies[word]; bits; bits = bits_rest(bits)) {
            size_t ply = word * 64 + bits_first(bits);
            if (ply != asked + 1 || !is_unchanged(m, rule->kind, &positions[ply], ply))
                holds = stamma_match_position(rule, &positions[ply]);
            asked = ply;
            left |= holds ? bits_lowest(bits) : 0;
        }
        plies[word] = left;
    }
}

/* Returns whether a rule of the ply's number, of the ply's move or of the moment holds. */
static bool ply_holds(const stamma_matcher *m, const query_rule *rule, const stamma_position *positions, unsigned turn,
                      size_t ply)
{
    if (rule->kind == QUERY_PASS)
        return true;
    if (rule->kind == QUERY_PLY)
        return !m->game->no_start && query_in_ranges(rule->values, rule->count, (int64_t)(m->base + ply));
    if (ply == 0)
        return false;
    if (rule->kind >= QUERY_EVALUATION)
        return stamma_match_moment(m->game, rule, ply);
    if (rule->kind == QUERY_MOVER_BALANCE) {
        unsigned mover = positions[ply - 1].side;
        int points = stamma_points(&positions[ply], mover) - stamma_points(&positions[ply], mover ^ 1);
        return query_in_ranges(rule->values, rule->count, points);
    }
    return stamma_match_move(rule, &positions[ply - 1], stamma_move_turned(m->game->moves[ply - 1], turn));
}

static void narrow_plies(stamma_matcher *m, const query_rule *rule, unsigned turn, uint64_t *plies)
{
    bool of_move = rule->kind >= QUERY_MOVE && rule->kind <= QUERY_MOVER_BALANCE;
    const stamma_position *positions = of_move ? stamma_matcher_positions(m, turn) : NULL;
    if (m->failed)
        return;
    for (size_t ply = plies_next(m, plies, 0); ply != SIZE_MAX; ply = plies_next(m, plies, ply + 1))
        if (!ply_holds(m, rule, positions, turn, ply))
            plies[ply / 64] &= ~(UINT64_C(1) << ply % 64);
}

static void narrow_repeated(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    const uint32_t *repeats = stamma_matcher_repeats(m);
    for (size_t ply = plies_next(m, plies, 0); ply != SIZE_MAX && repeats; ply = plies_next(m, plies, ply + 1))
        if (m->game->no_start || !query_in_ranges(rule->values, rule->count, repeats[ply]))
            plies[ply / 64] &= ~(UINT64_C(1) << ply % 64);
}

static void narrow_simple(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    unsigned turn = rule->turns ? m->turn : 0;
    if (is_of_position(rule->kind))
        narrow_positions(m, rule, turn, plies);
    else if (rule->kind == QUERY_REPETITION)
        narrow_repeated(m, rule, plies);
    else if (rule->kind == QUERY_PATH)
        stamma_match_path(m, rule, plies);
    else if (rule->kind == QUERY_NAG || rule->kind == QUERY_PLY_COMMENT)
        stamma_match_items(m, rule, plies);
    else
        narrow_plies(m, rule, turn, plies);
}

/* ---- rules composed of conditions ---- */

static void narrow_any(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    uint64_t *found = plies_take(m), *left = plies_take(m);
    plies_clear(m, found);
    for (const query_condition *c = rule->conditions; c; c = c->next) {
        for (size_t i = 0; i < m->words; i++)
            left[i] = plies[i] & ~found[i];
        stamma_match_condition(m, c, left);
        for (size_t i = 0; i < m->words; i++)
            found[i] |= left[i];
    }
    plies_copy(m, plies, found);
    m->sets_used -= 2;
}

static void narrow_not(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    uint64_t *found = plies_take(m);
    plies_copy(m, found, plies);
    stamma_match_condition(m, rule->conditions, found);
    for (size_t i = 0; i < m->words; i++)
        plies[i] &= ~found[i];
    m->sets_used--;
}

/* Clears all plies unless the condition holds at no ply ("never") or at the last ply ("final"). */
static void narrow_never_or_final(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    uint64_t *found = plies_take(m);
    plies_fill(m, found, rule->kind == QUERY_FINAL ? m->plies : 0);
    stamma_match_condition(m, rule->conditions, found);
    if (plies_are_none(m, found) == (rule->kind == QUERY_FINAL))
        plies_clear(m, plies);
    m->sets_used--;
}

static void narrow_streak(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    uint64_t *found = plies_take(m);
    size_t later = 0;
    for (const query_condition *c = rule->conditions; c && !plies_are_none(m, plies); c = c->next, later++) {
        shift_later(m, found, plies, later);
        stamma_match_condition(m, c, found);
        shift_earlier(m, found, found, later);
        intersect(m, plies, found);
    }
    m->sets_used--;
}

/* Narrows the plies of a condition in a sequence to the plies that a ply of `next` follows. The ply of `next` must be 1
 * to `gap` plies after the last of the `streak` plies that the condition spans. */
static void narrow_followed(const stamma_matcher *m, uint64_t *plies, const uint64_t *next, size_t streak, size_t gap,
                            uint64_t *before)
{
    size_t last = plies_last(m, next);
    if (last == SIZE_MAX || last < streak) {
        plies_clear(m, plies);
        return;
    }
    if (gap >= m->plies) {
        plies_fill(m, before, last - streak + 1);
        for (size_t i = 0; i < m->words; i++)
            plies[i] &= ~before[i];
        return;
    }
    shift_earlier(m, before, next, streak);
    for (size_t reached = 1; reached < gap;) {
        size_t step = reached < gap - reached ? reached : gap - reached;
        for (size_t i = 0; i < m->words; i++)
            before[i] |= earlier_word(m, before, i, step);
        reached += step;
    }
    intersect(m, plies, before);
}

/* Narrows the first set, and stores in the nth set the plies at which the nth condition holds and all later conditions
 * follow in order. Returns false if a condition holds at no ply. The last set is working memory. */
static bool find_sequence(stamma_matcher *m, const query_rule *rule, uint64_t *sets)
{
    uint64_t *set = sets, *room = sets + rule->condition_count * m->words;
    for (const query_condition *c = rule->conditions; c; c = c->next, set += m->words) {
        stamma_match_condition(m, c, set);
        size_t first = plies_next(m, set, 0);
        if (first == SIZE_MAX)
            return false;
        if (c->next)
            plies_fill(m, set + m->words, size_add(first, c->streak));
    }
    set -= m->words;
    for (size_t n = rule->condition_count - 1; n-- > 0; set -= m->words)
        narrow_followed(m, set - m->words, set, rule->conditions[n].streak, rule->gap, room);
    return true;
}

static uint64_t *take_sequence(stamma_matcher *m, const query_rule *rule)
{
    uint64_t *sets = plies_take(m);
    m->sets_used += rule->condition_count;
    return sets;
}

static void narrow_sequence(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    uint64_t *sets = take_sequence(m, rule);
    plies_copy(m, sets, plies);
    if (find_sequence(m, rule, sets))
        plies_copy(m, plies, sets);
    else
        plies_clear(m, plies);
    m->sets_used -= rule->condition_count + 1;
}

static void narrow_made(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    switch (rule->kind) {
    case QUERY_ALL:
        for (const query_condition *c = rule->conditions; c && !plies_are_none(m, plies); c = c->next)
            stamma_match_condition(m, c, plies);
        break;
    case QUERY_ANY: narrow_any(m, rule, plies); break;
    case QUERY_NOT: narrow_not(m, rule, plies); break;
    case QUERY_NEVER:
    case QUERY_FINAL: narrow_never_or_final(m, rule, plies); break;
    case QUERY_SEQUENCE: narrow_sequence(m, rule, plies); break;
    default: narrow_streak(m, rule, plies); break;
    }
}

/* ---- conditions ---- */

static void narrow_rule(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    if (rule->conditions) {
        narrow_made(m, rule, plies);
    } else if (rule->kind > QUERY_HAS) {
        narrow_simple(m, rule, plies);
    } else {
        stamma_matcher *whole = m->outer ? m->outer : m; /* rules of the game do not depend on a variation */
        if (!stamma_match_game(whole, rule))
            plies_clear(m, plies);
        m->failed |= whole->failed;
    }
}

/* Narrows by the rules of a condition that can be turned, with the matcher's turn. */
static void narrow_turning(stamma_matcher *m, const query_condition *condition, uint64_t *plies)
{
    for (const query_rule *rule = condition->rules; rule && !m->failed && !plies_are_none(m, plies); rule = rule->next)
        if (rule->turns)
            narrow_rule(m, rule, plies);
}

/* Narrows by all rules that can be turned together. At a ply, all these rules must hold with the same turn: the turn of
 * the outer condition, or this turn combined with a turn that this condition requests. */
static void narrow_turned(stamma_matcher *m, const query_condition *condition, uint64_t *plies)
{
    uint64_t *found = plies_take(m), *left = plies_take(m);
    unsigned outer = m->turn;
    plies_clear(m, found);
    for (unsigned turn = 0; turn <= condition->turns; turn++) {
        if (turn & ~condition->turns)
            continue;
        for (size_t i = 0; i < m->words; i++)
            left[i] = plies[i] & ~found[i];
        m->turn = outer ^ turn;
        narrow_turning(m, condition, left);
        for (size_t i = 0; i < m->words; i++)
            found[i] |= left[i];
    }
    m->turn = outer;
    plies_copy(m, plies, found);
    m->sets_used -= 2;
}

static void narrow_rules(stamma_matcher *m, const query_condition *condition, uint64_t *plies)
{
    bool turned = false;
    for (const query_rule *rule = condition->rules; rule && !m->failed && !plies_are_none(m, plies);
         rule = rule->next) {
        if (!condition->turns || !rule->turns)
            narrow_rule(m, rule, plies);
        else if (!turned)
            narrow_turned(m, condition, plies);
        turned |= condition->turns && rule->turns;
    }
}

/* Keeps the plies at which a run of `length` plies begins. */
static void keep_runs(const stamma_matcher *m, uint64_t *plies, size_t length)
{
    if (length > m->plies + 1) {
        plies_clear(m, plies);
        return;
    }
    for (size_t reached = 1; reached < length;) {
        size_t step = reached < length - reached ? reached : length - reached;
        for (size_t i = 0; i < m->words; i++)
            plies[i] &= earlier_word(m, plies, i, step);
        reached += step;
    }
}

/* The depth of recursion is the nesting depth of the conditions. */
void stamma_match_condition(stamma_matcher *m, const query_condition *condition, uint64_t *plies)
{
    if (condition->plies == 1 || plies_are_none(m, plies)) {
        narrow_rules(m, condition, plies);
        return;
    }
    uint64_t *runs = plies_take(m);
    plies_fill(m, runs, 0);
    narrow_rules(m, condition, runs);
    keep_runs(m, runs, condition->plies);
    intersect(m, plies, runs);
    m->sets_used--;
}

uint64_t *stamma_match_main_line(stamma_matcher *m)
{
    uint64_t *set = plies_take(m);
    plies_fill(m, set, 0);
    stamma_match_condition(m, &m->query->root, set);
    return set;
}

/* ---- reported plies ---- */

static void report(stamma_matcher *m, size_t first, size_t count)
{
    for (size_t ply = first; ply < first + count && !m->reported.failed; ply++) {
        const uint32_t number = (uint32_t)ply;
        buffer_add(&m->reported, &number, sizeof number);
    }
    m->failed |= m->reported.failed;
}

/* Reports the earliest plies of a sequence that begins at `first`. */
static void report_sequence(stamma_matcher *m, const query_rule *rule, size_t first)
{
    uint64_t *set = take_sequence(m, rule);
    size_t ply = first;
    plies_clear(m, set);
    set[first / 64] = UINT64_C(1) << first % 64;
    find_sequence(m, rule, set);
    for (const query_condition *c = rule->conditions; c; c = c->next, set += m->words) {
        ply = plies_next(m, set, ply);
        report(m, ply, c->streak);
        ply += c->streak;
    }
    m->sets_used -= rule->condition_count + 1;
}

/* A sequence or streak whose plies are reported, and the turn with which it holds. */
typedef struct reported {
    const query_rule *rule;
    unsigned turn;
} reported;

/* Returns the first turn with which the rules of a condition that can be turned hold at a ply. */
static unsigned find_turn(stamma_matcher *m, const query_condition *condition, size_t first)
{
    uint64_t *set = plies_take(m);
    unsigned outer = m->turn, found = outer;
    bool any = false;
    for (unsigned turn = 0; turn <= condition->turns && !any; turn++) {
        if (turn & ~condition->turns)
            continue;
        plies_clear(m, set);
        set[first / 64] = UINT64_C(1) << first % 64;
        m->turn = found = outer ^ turn;
        narrow_turning(m, condition, set);
        any = !plies_are_none(m, set);
    }
    m->turn = outer;
    m->sets_used--;
    return found;
}

/* Returns the first of two, unless the second is a sequence and the first is not. */
static reported preferred(reported one, reported other)
{
    bool is_other = !one.rule || (one.rule->kind == QUERY_STREAK && other.rule && other.rule->kind == QUERY_SEQUENCE);
    return is_other ? other : one;
}

/* Finds the first sequence that must hold at the ply where a condition holds, otherwise the first streak. Conditions of
 * "all" hold at the same ply. The depth of recursion is the nesting depth of "all". */
static reported find_reported(stamma_matcher *m, const query_condition *condition, size_t first)
{
    const unsigned outer = m->turn;
    reported found = {NULL, 0};
    if (condition->turns)
        m->turn = find_turn(m, condition, first);
    for (const query_rule *rule = condition->rules; rule && condition->plies == 1; rule = rule->next) {
        if (rule->kind == QUERY_SEQUENCE || rule->kind == QUERY_STREAK)
            found = preferred(found, (reported){rule, m->turn});
        for (const query_condition *c = rule->kind == QUERY_ALL ? rule->conditions : NULL; c; c = c->next)
            found = preferred(found, find_reported(m, c, first));
    }
    m->turn = outer;
    return found;
}

void stamma_match_report(stamma_matcher *m, size_t first)
{
    const reported r = find_reported(m, &m->query->root, first);
    m->turn = r.turn;
    if (r.rule && r.rule->kind == QUERY_SEQUENCE)
        report_sequence(m, r.rule, first);
    else
        report(m, first, r.rule ? r.rule->condition_count : 1);
    m->turn = 0;
}

void stamma_match_report_all(stamma_matcher *m, const uint64_t *plies, bool only_first)
{
    size_t ply = plies_next(m, plies, 0);
    for (; ply != SIZE_MAX && !m->failed; ply = only_first ? SIZE_MAX : plies_next(m, plies, ply + 1))
        report(m, ply, 1);
}
