/* SPDX-License-Identifier: MIT */
/* Compiles rules on facts to tables, which are faster for trees, because trees test millions of games. */
#include "search/search_plan.h"

static void lower(uint8_t *entry, verdict v)
{
    if (v < (verdict)*entry)
        *entry = (uint8_t)v;
}

static verdict verdict_of(const query_rule *rule, index_facts facts)
{
    return stamma_plan_facts_verdict(rule, &facts);
}

static void add_months(fact_tables *t, const query_rule *rule)
{
    for (unsigned month = 0; month < sizeof t->months; month++)
        lower(&t->months[month], verdict_of(rule, (index_facts){.month = (uint16_t)month}));
}

static void add_ratings(fact_tables *t, const query_rule *rule, query_kind kind)
{
    for (unsigned n = 0; n < sizeof t->ratings[0]; n++) {
        const uint16_t rating = (uint16_t)n;
        const verdict v = verdict_of(rule, (index_facts){.rating = {rating, rating}});
        if (kind != QUERY_BLACK_RATING)
            lower(&t->ratings[STAMMA_WHITE][n], v);
        if (kind != QUERY_WHITE_RATING)
            lower(&t->ratings[STAMMA_BLACK][n], v);
    }
}

/* A rule on the mean depends only on the sum if both ratings are known. */
static void add_means(fact_tables *t, const query_rule *rule)
{
    for (unsigned sum = 2; sum < sizeof t->sums; sum++) {
        const uint16_t white = (uint16_t)(sum / 2), black = (uint16_t)(sum - sum / 2);
        lower(&t->sums[sum], verdict_of(rule, (index_facts){.rating = {white, black}}));
    }
    lower(&t->unrated, verdict_of(rule, (index_facts){.rating = {0, 0}}));
}

static void add_differences(fact_tables *t, const query_rule *rule)
{
    for (int n = 0; n < (int)sizeof t->differences; n++) {
        const int difference = n - SEARCH_ODD_RATING, least = difference < 0 ? 1 - difference : 1;
        const uint16_t white = (uint16_t)(difference + least), black = (uint16_t)least;
        lower(&t->differences[n], verdict_of(rule, (index_facts){.rating = {white, black}}));
    }
    lower(&t->unrated, verdict_of(rule, (index_facts){.rating = {0, 0}}));
}

static void add_results(fact_tables *t, const query_rule *rule)
{
    for (unsigned n = 0; n < sizeof t->results; n++)
        lower(&t->results[n], verdict_of(rule, (index_facts){.result = n & 3, .speed = (uint8_t)(n >> 2)}));
}

/* ---- rules ---- */

/* Returns the kind of the first rule inside a rule that is not composed. */
static query_kind first_kind(const query_rule *rule)
{
    while (rule && stamma_rule_is_composed(rule->kind))
        rule = rule->conditions->rules;
    return rule ? rule->kind : QUERY_KINDS;
}

static bool has_only(const query_rule *rule, query_kind kind)
{
    if (!stamma_rule_is_composed(rule->kind))
        return rule->kind == kind;
    for (const query_condition *c = rule->conditions; c; c = c->next)
        for (const query_rule *r = c->rules; r; r = r->next)
            if (!has_only(r, kind))
                return false;
    return true;
}

/* Returns the tables that the rule changes; 0 if it does not test facts, or combines facts of several tables. */
static unsigned add_rule(fact_tables *t, const query_rule *rule)
{
    const query_kind kind = first_kind(rule);
    if (!has_only(rule, kind) || (kind == QUERY_EACH_RATING && rule->kind != kind))
        return 0;
    switch (kind) {
    case QUERY_DATE: add_months(t, rule); return FACTS_MONTH;
    case QUERY_WHITE_RATING: add_ratings(t, rule, kind); return FACTS_WHITE;
    case QUERY_BLACK_RATING: add_ratings(t, rule, kind); return FACTS_BLACK;
    case QUERY_EACH_RATING: add_ratings(t, rule, kind); return FACTS_WHITE | FACTS_BLACK;
    case QUERY_RATING: add_means(t, rule); return FACTS_MEAN;
    case QUERY_RATING_DIFFERENCE: add_differences(t, rule); return FACTS_DIFFERENCE;
    case QUERY_RESULT:
    case QUERY_SPEED: add_results(t, rule); return FACTS_RESULT;
    default: return 0;
    }
}

/* Initially, all games match. */
static fact_tables *new_tables(const stamma_allocator *allocator)
{
    fact_tables *t = (fact_tables *)memory_allocate(allocator, sizeof *t);
    if (!t)
        return NULL;
    memset(t, VERDICT_YES, sizeof *t);
    t->rules = 0;
    t->used = 0;
    t->all = true;
    return t;
}

fact_tables *stamma_fact_tables_make(const query_condition *root, const stamma_allocator *allocator)
{
    fact_tables *t = new_tables(allocator);
    unsigned n = 0;
    for (const query_rule *r = root->rules; r && t; r = r->next, n++) {
        const unsigned used = n < FACTS_RULES ? add_rule(t, r) : 0;
        t->all &= used != 0;
        t->used |= used;
        t->rules |= used ? UINT64_C(1) << n : 0;
    }
    if (t && (t->all || t->used))
        return t;
    memory_release(allocator, t);
    return NULL;
}
