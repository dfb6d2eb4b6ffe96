/* SPDX-License-Identifier: MIT */
/* Finds games by the endgames of an index file: the numbers of pieces of a position decide rules on the material. */
#include "search/search_plan.h"

/* ---- conditions that hold only in endgames ---- */

static bool has_all_squares(const query_counted *c)
{
    return c->squares == ~UINT64_C(0);
}

/* Returns whether values limit the knights, bishops, rooks and queens of both sides to those of an endgame. */
static bool material_is_bound(const query_rule *rule)
{
    const query_material *values = (const query_material *)rule->values;
    for (size_t n = 0; n < rule->count; n++) {
        unsigned most = 0;
        for (unsigned color = 0; color < 2; color++)
            for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++)
                most += values[n].high[color][type];
        if (most > ENDGAME_PIECES)
            return false;
    }
    return true;
}

static bool count_is_bound(const query_rule *rule)
{
    enum { SIDE = 1 << STAMMA_KNIGHT | 1 << STAMMA_BISHOP | 1 << STAMMA_ROOK | 1 << STAMMA_QUEEN };
    const query_count *values = (const query_count *)rule->values;
    for (size_t n = 0; n < rule->count; n++) {
        const query_word pieces = values[n].of.pieces;
        bool bound = has_all_squares(&values[n].of) && (pieces & pieces >> 6 & SIDE) == SIDE;
        for (size_t k = 0; k < values[n].n.count; k++)
            bound = bound && values[n].n.ranges[k].high <= ENDGAME_PIECES;
        if (!bound)
            return false;
    }
    return true;
}

static bool rule_is_bound(const query_rule *rule)
{
    bool any = false, all = true;
    for (const query_condition *c = rule->conditions; c; c = c->next) {
        const bool bound = stamma_endgames_bound(c);
        any |= bound;
        all &= bound;
    }
    switch (rule->kind) {
    case QUERY_MATERIAL: return material_is_bound(rule);
    case QUERY_COUNT: return count_is_bound(rule);
    case QUERY_ALL: return any;
    case QUERY_ANY: return all;
    default: return false;
    }
}

bool stamma_endgames_bound(const query_condition *condition)
{
    bool bound = false;
    for (const query_rule *r = condition->rules; r && !bound; r = r->next)
        bound = rule_is_bound(r);
    return bound;
}

/* ---- verdicts of endgames ---- */

/* Returns whether the numbers of pieces decide a rule. */
static bool is_of_material(const query_rule *rule)
{
    bool all = true;
    switch (rule->kind) {
    case QUERY_MATERIAL:
    case QUERY_IMBALANCE:
    case QUERY_BALANCE:
    case QUERY_POINTS: return true;
    case QUERY_COUNT:
        for (size_t n = 0; n < rule->count; n++)
            all = all && has_all_squares(&((const query_count *)rule->values)[n].of);
        return all;
    case QUERY_DIFFERENCE:
        for (size_t n = 0; n < rule->count; n++) {
            const query_difference *d = (const query_difference *)rule->values + n;
            all = all && has_all_squares(&d->of) && has_all_squares(&d->minus);
        }
        return all;
    default: return false;
    }
}

/* The endgame that is tested. */
typedef struct endgame_test {
    const query_condition *root;
    stamma_position positions[2]; /* with its pieces on any squares, and with exchanged colors */
} endgame_test;

static verdict test_condition(const endgame_test *t, const query_condition *condition, unsigned outer);

static verdict test_rule(const endgame_test *t, const query_rule *rule, unsigned turn)
{
    const stamma_position *position = &t->positions[rule->turns ? turn & QUERY_TURN_COLORS : 0];
    verdict least = VERDICT_YES, greatest = VERDICT_NO;
    if (is_of_material(rule))
        return stamma_match_position(rule, position) ? VERDICT_YES : VERDICT_NO;
    if (!stamma_rule_is_composed(rule->kind))
        return VERDICT_MAYBE;
    for (const query_condition *c = rule->conditions; c; c = c->next) {
        const verdict v = test_condition(t, c, turn);
        least = verdict_lesser(v, least);
        greatest = v > greatest ? v : greatest;
    }
    return rule->kind == QUERY_ANY ? greatest : rule->kind == QUERY_ALL ? least : verdict_contrary(least);
}

/* Tests the rules of a condition that can be turned together, or the others. Rules of the query that facts and names
 * decide are omitted. */
static verdict test_rules(const endgame_test *t, const query_condition *condition, unsigned turn, bool turns)
{
    verdict v = VERDICT_YES;
    for (const query_rule *r = condition->rules; r && v != VERDICT_NO; r = r->next)
        if ((condition->turns && r->turns) == turns && !(condition == t->root && stamma_plan_filters(r)))
            v = verdict_lesser(v, test_rule(t, r, turn));
    return v;
}

/* Returns whether all positions, no position or some positions with the endgame meet a condition. Turns are combined as
 * by the matcher. */
static verdict test_condition(const endgame_test *t, const query_condition *condition, unsigned outer)
{
    verdict found = VERDICT_NO;
    for (unsigned turn = 0; turn <= condition->turns; turn++) {
        const verdict v = turn & ~condition->turns ? VERDICT_NO : test_rules(t, condition, outer ^ turn, true);
        found = v > found ? v : found;
    }
    found = verdict_lesser(found, test_rules(t, condition, outer, false));
    return condition->plies > 1 ? verdict_lesser(found, VERDICT_MAYBE) : found;
}

static void put_pieces(stamma_position *p, unsigned color, unsigned type, unsigned count, unsigned *square)
{
    const uint64_t pieces = ((UINT64_C(1) << count) - 1) << *square;
    p->by_color[color] |= pieces;
    p->by_type[type] |= pieces;
    *square += count;
}

static verdict test_endgame(const query_condition *root, uint32_t material)
{
    endgame_test t = {.root = root};
    for (unsigned turn = 0; turn < 2; turn++) {
        stamma_position *p = &t.positions[turn];
        unsigned square = 0;
        for (unsigned n = 0; n < 2; n++) {
            const unsigned color = n ^ turn;
            put_pieces(p, color, STAMMA_KING, 1, &square);
            put_pieces(p, color, STAMMA_PAWN, material >> (n == STAMMA_WHITE ? 4 : 0) & 15, &square);
            for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++)
                put_pieces(p, color, type,
                           material >> (8 + 3 * (STAMMA_QUEEN - type) + (n == STAMMA_WHITE ? 12 : 0)) & 7, &square);
        }
    }
    return test_condition(&t, root, 0);
}

/* ---- games ---- */

static void mark(uint64_t *words, uint32_t rank)
{
    words[rank / 64] |= UINT64_C(1) << rank % 64;
}

/* Marks the games of an endgame, also in `sure` if it is not NULL. Returns false if the index is damaged. */
static bool mark_games(const index_endgames *e, uint64_t *words, uint64_t *sure)
{
    const uint32_t games = e->segment->counts[COUNT_GAMES], typed = e->segment->counts[COUNT_TYPED];
    index_list list;
    uint32_t rank;
    if (!stamma_index_endgame_games(e, &list))
        return false;
    while (stamma_index_list_next(&list, games, &rank) && rank < typed) {
        mark(words, rank);
        if (sure)
            mark(sure, rank);
    }
    return !list.failed && list.left == 0;
}

/* Marks the games with an endgame that may meet the query. */
static bool mark_endgames(const plan_filter *f, bool decides, uint64_t *words, uint64_t *sure)
{
    index_endgames e;
    bool read = stamma_index_endgames_begin(f->file, f->segment, &e);
    while (read && stamma_index_endgames_next(&e)) {
        const verdict v = test_endgame(f->root, e.material);
        if (v != VERDICT_NO)
            read = mark_games(&e, words, decides && v == VERDICT_YES ? sure : NULL);
    }
    return read && !atomic_load_explicit(&f->file->damaged, memory_order_relaxed);
}

stamma_error stamma_plan_filter_list_endgames(plan_filter *f, bool decides)
{
    const uint32_t *counts = f->segment->counts;
    const size_t count = (size_t)counts[COUNT_GAMES] / 64 + 1;
    buffer work = {.allocator = &f->file->allocator};
    const bool first = f->listed.size == 0;
    uint64_t *words = (uint64_t *)buffer_array(first ? &f->listed : &work, count, sizeof *words);
    uint64_t *sure = (uint64_t *)buffer_array(&f->sure, count, sizeof *sure);
    stamma_error error = words && sure ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK) {
        memset(words, 0, count * sizeof *words);
        memset(sure, 0, count * sizeof *sure);
        if (!mark_endgames(f, decides, words, sure))
            error = stamma_index_damaged(f->file);
        for (uint32_t rank = counts[COUNT_TYPED]; rank < counts[COUNT_GAMES]; rank++)
            mark(words, rank);
    }
    f->endgames_decide = true;
    for (const query_rule *r = f->root->rules; r; r = r->next)
        f->endgames_decide &= !stamma_plan_filters(r);
    uint64_t *listed = (uint64_t *)(void *)f->listed.data;
    for (size_t n = 0; n < count && error == STAMMA_OK && !first; n++)
        listed[n] &= words[n];
    stamma_buffer_release(&work);
    return error;
}
