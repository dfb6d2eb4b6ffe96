/* SPDX-License-Identifier: MIT */
/* Evaluates a query on a block's index. The trie of openings and the endings of games find positions; the search
 * columns contain facts of games. For all other rules, games must be read and tested by the matcher. */
#include "search/verdicts.h"

/* The verdicts of all records for one rule or condition. */
typedef struct opinion {
    uint8_t *verdicts;
    uint32_t *plies; /* for YES, if `placed`: the first ply */
    bool placed;     /* true: it holds at particular plies; false: at all plies */
} opinion;

typedef struct asking {
    block_verdicts *v;
    const block_index *x;
    opinion *found; /* opinion that the current search for a position fills */
} asking;

void stamma_verdicts_init(block_verdicts *v, const stamma_allocator *allocator)
{
    memset(v, 0, sizeof *v);
    v->allocator = v->verdicts.allocator = v->plies.allocator = v->matches.allocator = v->others.allocator = allocator;
    stamma_block_tags_init(&v->own, allocator);
    stamma_position_search_init(&v->positions, allocator);
}

void stamma_verdicts_release(block_verdicts *v)
{
    stamma_buffer_release(&v->verdicts);
    stamma_buffer_release(&v->plies);
    stamma_buffer_release(&v->matches);
    stamma_buffer_release(&v->others);
    stamma_block_tags_release(&v->own);
    stamma_matcher_close(v->matcher);
    stamma_position_search_release(&v->positions);
}

/* ---- positions ---- */

static void note_hit(void *context, const position_hit *hit)
{
    opinion *o = ((const asking *)context)->found;
    if (o->verdicts[hit->record] != VERDICT_YES || hit->ply < o->plies[hit->record])
        o->plies[hit->record] = hit->ply;
    o->verdicts[hit->record] = VERDICT_YES;
}

static void begin_positions(const block_index *x, opinion *o)
{
    for (size_t n = 0; n < x->records; n++)
        o->verdicts[n] = x->marks.data[n] & RECORD_IS_SET_UP ? VERDICT_MAYBE : VERDICT_NO;
}

/* Searches all wanted games that begin in the initial position for positions that meet one of the targets. */
static stamma_error find_targets(asking *a, const position_target *targets, size_t count, const uint8_t *wanted,
                                 opinion *o)
{
    stamma_error error = STAMMA_OK;
    a->v->positions.wanted = wanted;
    begin_positions(a->x, o);
    o->placed = true;
    a->found = o;
    a->v->positions.context = a;
    a->v->positions.hit = note_hit;
    for (size_t n = 0; n < count && error == STAMMA_OK; n++) {
        if (stamma_search_is_stopped(a->v->limits))
            return STAMMA_ERROR_CANCELLED;
        a->v->positions.target = &targets[n];
        error = stamma_position_search_run(&a->v->positions, a->x, a->v->block->at.payload);
    }
    return error;
}

/* ---- endings of games ---- */

/* Returns whether a side that ends with these pawns and pieces can have had material that `m` allows. */
static bool side_may_have(const query_material *m, unsigned color, unsigned pawns, unsigned pieces)
{
    bool promoted = pawns >= SEARCH_PROMOTED;
    if ((promoted ? pawns - SEARCH_PROMOTED : pawns) > m->high[color][STAMMA_PAWN])
        return false;
    for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++)
        if ((pieces >> 2 * (type - STAMMA_KNIGHT) & 3) > m->high[color][type])
            return false;
    return true;
}

static void ask_material(const asking *a, const query_rule *rule, opinion *o)
{
    const query_material *m = (const query_material *)rule->values;
    const search_columns *c = &a->x->columns;
    if (c->signatures != SEARCH_READ)
        return;
    for (size_t n = 0; n < a->x->records; n++) {
        bool may = false;
        for (size_t k = 0; k < rule->count && !may; k++)
            may = side_may_have(&m[k], STAMMA_WHITE, c->pawns[n] & 15u, c->pieces[0][n]) &&
                  side_may_have(&m[k], STAMMA_BLACK, c->pawns[n] >> 4, c->pieces[1][n]);
        o->verdicts[n] = may ? VERDICT_MAYBE : VERDICT_NO;
    }
}

/* ---- facts ---- */

static void ask_facts(const asking *a, const query_rule *rule, opinion *o)
{
    const search_columns *c = &a->x->columns;
    for (size_t n = 0; n < a->x->records && c->facts == SEARCH_READ; n++) {
        const search_facts facts = {c->rating[0][n], c->rating[1][n], c->month[n], c->result[n]};
        o->verdicts[n] = (uint8_t)stamma_fact_verdict(rule, &facts);
    }
}

static void ask_lengths(const asking *a, const query_rule *rule, opinion *o)
{
    const uint32_t *plies = block_index_plies(a->x);
    for (size_t n = 0; n < a->x->records; n++)
        o->verdicts[n] =
            query_in_ranges((const query_range *)rule->values, rule->count, plies[n]) ? VERDICT_YES : VERDICT_NO;
}

/* ---- rules and conditions ---- */

static stamma_error ask_condition(asking *a, const query_condition *condition, opinion *o);

/* Sets the verdict NO for records whose verdicts are known, so that less is evaluated. */
static void skip_known(const asking *a, opinion *o)
{
    const uint8_t *known = a->v->block->known;
    for (size_t n = 0; n < a->x->records && known; n++)
        o->verdicts[n] = known[n] == VERDICT_MAYBE ? o->verdicts[n] : VERDICT_NO;
}

static bool open_opinion(const asking *a, opinion *o)
{
    size_t count = a->x->records + 1;
    o->placed = false;
    o->verdicts = (uint8_t *)memory_allocate(a->v->allocator, count);
    o->plies = (uint32_t *)memory_allocate(a->v->allocator, count * sizeof *o->plies);
    if (o->verdicts)
        memset(o->verdicts, VERDICT_MAYBE, count);
    if (o->verdicts)
        skip_known(a, o);
    return o->verdicts && o->plies;
}

static void close_opinion(const asking *a, opinion *o)
{
    memory_release(a->v->allocator, o->verdicts);
    memory_release(a->v->allocator, o->plies);
}

static void weaken(const asking *a, opinion *o)
{
    for (size_t n = 0; n < a->x->records; n++)
        o->verdicts[n] = o->verdicts[n] == VERDICT_YES ? VERDICT_MAYBE : o->verdicts[n];
    o->placed = false;
}

/* Combines two conditions that must hold at the same ply. If both hold at particular plies, *o is at most MAYBE. */
static void join_both(const asking *a, opinion *o, const opinion *other)
{
    for (size_t n = 0; n < a->x->records; n++) {
        o->verdicts[n] = (uint8_t)verdict_lesser((verdict)o->verdicts[n], (verdict)other->verdicts[n]);
        if (other->placed)
            o->plies[n] = other->plies[n];
    }
    o->placed |= other->placed;
}

/* Combines two conditions of which one must hold, at any ply. */
static void join_either(const asking *a, opinion *o, const opinion *other)
{
    for (size_t n = 0; n < a->x->records; n++)
        o->verdicts[n] = o->verdicts[n] > other->verdicts[n] ? o->verdicts[n] : other->verdicts[n];
}

static bool is_of_games(const query_condition *condition);

/* Returns whether a rule holds at all plies of a game or at none. */
static bool rule_is_of_games(const query_rule *r)
{
    bool right = r->kind == QUERY_ALL || r->kind == QUERY_ANY || r->kind == QUERY_NOT || r->kind == QUERY_NEVER;
    if (!right)
        return (r->kind >= QUERY_PLAYER && r->kind <= QUERY_HAS) || r->kind == QUERY_PASS;
    for (const query_condition *c = r->conditions; c && right; c = c->next)
        right = is_of_games(c);
    return right;
}

static bool is_of_games(const query_condition *condition)
{
    bool right = condition->plies <= 1;
    for (const query_rule *r = condition->rules; r && right; r = r->next)
        right = rule_is_of_games(r);
    return right;
}

/* Evaluates a negation. The verdict is reversed if the rule holds at all plies or at none, and is otherwise MAYBE. */
static stamma_error ask_denied(asking *a, const query_rule *rule, opinion *o)
{
    if (!rule_is_of_games(rule))
        return STAMMA_OK;
    stamma_error error = ask_condition(a, rule->conditions, o);
    for (size_t n = 0; n < a->x->records; n++)
        o->verdicts[n] = (uint8_t)verdict_contrary((verdict)o->verdicts[n]);
    return error;
}

/* Evaluates rules on several conditions: all or one of them must hold. Conditions that do not concern the whole game
 * may hold at different plies, so their verdict is at most MAYBE. */
static stamma_error ask_conditions(asking *a, const query_rule *rule, opinion *o)
{
    const bool any = rule->kind == QUERY_ANY, whole = rule_is_of_games(rule);
    const verdict all = whole ? VERDICT_YES : VERDICT_MAYBE;
    stamma_error error = STAMMA_OK;
    memset(o->verdicts, (int)(any ? VERDICT_NO : all), a->x->records);
    for (const query_condition *c = rule->conditions; c && error == STAMMA_OK; c = c->next) {
        opinion other;
        bool opened = open_opinion(a, &other);
        error = opened ? ask_condition(a, c, &other) : STAMMA_ERROR_NO_MEMORY;
        if (error == STAMMA_OK)
            (any ? join_either : join_both)(a, o, &other);
        close_opinion(a, &other);
    }
    if (!whole)
        weaken(a, o);
    return error;
}

static bool condition_asks_facts(const query_condition *condition)
{
    for (const query_rule *r = condition->rules; r; r = r->next) {
        if (stamma_rule_is_fact(r->kind))
            return true;
        for (const query_condition *c = r->conditions; c; c = c->next)
            if (condition_asks_facts(c))
                return true;
    }
    return false;
}

bool stamma_query_asks_facts(const stamma_query *query)
{
    return condition_asks_facts(&query->root);
}

/* Evaluates a rule with facts; if the facts are missing or undecided, with tags. */
static stamma_error ask_facts_and_tags(const asking *a, const query_rule *rule, opinion *o)
{
    if (stamma_rule_is_fact(rule->kind))
        ask_facts(a, rule, o);
    return memchr(o->verdicts, VERDICT_MAYBE, a->x->records) ? stamma_verdicts_ask_tags(a->v, rule, o->verdicts)
                                                             : STAMMA_OK;
}

static stamma_error ask_rule(asking *a, const query_condition *condition, const query_rule *rule, opinion *o)
{
    bool turned = condition->turns != 0 || a->v->query->variations;
    switch (rule->kind) {
    case QUERY_MATERIAL:
        if (!turned)
            ask_material(a, rule, o);
        return STAMMA_OK;
    case QUERY_PLIES: ask_lengths(a, rule, o); return STAMMA_OK;
    case QUERY_PASS: memset(o->verdicts, VERDICT_YES, a->x->records); return STAMMA_OK;
    case QUERY_ALL:
    case QUERY_ANY:
    case QUERY_SEQUENCE:
    case QUERY_STREAK:
    case QUERY_FINAL: return turned ? STAMMA_OK : ask_conditions(a, rule, o);
    case QUERY_NOT:
    case QUERY_NEVER: return ask_denied(a, rule, o);
    default: return ask_facts_and_tags(a, rule, o);
    }
}

/* Evaluates all rules of the position that are targets together, for the records that other rules have not excluded. */
static stamma_error ask_positions(asking *a, const position_target *targets, size_t count, bool all, opinion *o)
{
    opinion other;
    bool opened = open_opinion(a, &other);
    stamma_error error = opened ? find_targets(a, targets, count, o->verdicts, &other) : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && !all)
        weaken(a, &other);
    if (error == STAMMA_OK)
        join_both(a, o, &other);
    close_opinion(a, &other);
    return error;
}

static stamma_error ask_rules(asking *a, const query_condition *condition, bool targets, opinion *o)
{
    stamma_error error = STAMMA_OK;
    for (const query_rule *r = condition->rules; r && error == STAMMA_OK; r = r->next) {
        opinion other;
        if (targets && stamma_rule_is_target(r->kind))
            continue;
        bool opened = open_opinion(a, &other);
        error = opened ? ask_rule(a, condition, r, &other) : STAMMA_ERROR_NO_MEMORY;
        if (error == STAMMA_OK)
            join_both(a, o, &other);
        close_opinion(a, &other);
    }
    return error;
}

static stamma_error ask_condition(asking *a, const query_condition *condition, opinion *o)
{
    position_target targets[TARGETS_MAX];
    bool all = true;
    bool indexed = a->x->has_beginnings && !a->v->query->variations; /* variations are not in the index */
    size_t count = indexed ? stamma_targets_compile(condition, targets, &all) : 0;
    memset(o->verdicts, VERDICT_YES, a->x->records);
    if (condition == &a->v->query->root)
        skip_known(a, o);
    stamma_error error = ask_rules(a, condition, count > 0, o);
    if (error == STAMMA_OK && count > 0)
        error = ask_positions(a, targets, count, all, o);
    if (condition->plies > 1)
        weaken(a, o);
    return error;
}

/* ---- blocks ---- */

bool stamma_verdicts_begin(block_verdicts *v, const block_index *x)
{
    v->maybes = v->yeses = 0;
    v->verdicts.size = v->plies.size = 0;
    if (!buffer_reserve(&v->verdicts, x->records + 1) ||
        !buffer_reserve(&v->plies, (x->records + 1) * sizeof(uint32_t)))
        return false;
    v->verdicts.size = x->records;
    v->plies.size = x->records * sizeof(uint32_t);
    memset(v->verdicts.data, VERDICT_NO, x->records + 1);
    memset(v->plies.data, 0, v->plies.size);
    return true;
}

void stamma_verdicts_set(block_verdicts *v, size_t record, verdict verdict, uint32_t ply)
{
    v->verdicts.data[record] = (uint8_t)verdict;
    ((uint32_t *)(void *)v->plies.data)[record] = ply;
    v->maybes += verdict == VERDICT_MAYBE;
    v->yeses += verdict == VERDICT_YES;
}

stamma_error stamma_verdicts_find(block_verdicts *v, const asked_block *block, const stamma_query *query)
{
    const block_index *x = block->index;
    asking a = {v, x, NULL};
    v->block = block;
    v->own_is_open = false;
    if (v->query != query) {
        stamma_matcher_close(v->matcher);
        v->matcher = NULL;
        v->query = query;
    }
    if (!stamma_verdicts_begin(v, x))
        return STAMMA_ERROR_NO_MEMORY;
    opinion o = {v->verdicts.data, (uint32_t *)(void *)v->plies.data, false};
    stamma_error error = STAMMA_OK;
    if (query)
        error = ask_condition(&a, &query->root, &o);
    else
        memset(o.verdicts, VERDICT_YES, x->records);
    if (query && query->all_matches) /* only the matcher finds all plies */
        weaken(&a, &o);
    for (size_t n = 0; n < x->records && error == STAMMA_OK; n++) {
        if (!(x->marks.data[n] & RECORD_IS_GAME))
            o.verdicts[n] = VERDICT_NO;
        if (!o.placed)
            o.plies[n] = 0;
        v->maybes += o.verdicts[n] == VERDICT_MAYBE;
        v->yeses += o.verdicts[n] == VERDICT_YES;
    }
    return error;
}
