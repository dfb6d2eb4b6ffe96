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

static void add_results(fact_tables *t, const query_rule *rule)
{
    for (unsigned n = 0; n < sizeof t->results; n++)
        lower(&t->results[n], verdict_of(rule, (index_facts){.result = (uint8_t)n}));
}

static void add_speeds(fact_tables *t, const query_rule *rule)
{
    for (unsigned n = 0; n < sizeof t->speeds; n++)
        lower(&t->speeds[n], verdict_of(rule, (index_facts){.speed = (uint8_t)n}));
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

/* Returns false if the rule does not test facts, or combines facts of several tables. */
static bool add_rule(fact_tables *t, const query_rule *rule)
{
    const query_kind kind = first_kind(rule);
    if (!has_only(rule, kind) || (kind == QUERY_EACH_RATING && rule->kind != kind))
        return false;
    switch (kind) {
    case QUERY_DATE: add_months(t, rule); return true;
    case QUERY_WHITE_RATING:
    case QUERY_BLACK_RATING:
    case QUERY_EACH_RATING: add_ratings(t, rule, kind); return true;
    case QUERY_RATING: add_means(t, rule); return true;
    case QUERY_RESULT: add_results(t, rule); return true;
    case QUERY_SPEED: add_speeds(t, rule); return true;
    default: return false;
    }
}

fact_tables *stamma_fact_tables_make(const query_condition *root, const stamma_allocator *allocator)
{
    fact_tables *t = (fact_tables *)memory_allocate(allocator, sizeof *t);
    bool all = t != NULL;
    if (t)
        memset(t, VERDICT_YES, sizeof *t);
    for (const query_rule *r = root->rules; r && all; r = r->next)
        all = add_rule(t, r);
    if (all)
        return t;
    memory_release(allocator, t);
    return NULL;
}
