/* Compiles rules on facts to tables, for trees that test millions of games. */
#include "search/search_plan.h"

static void lower(uint8_t *entry, verdict v)
{
    if (v < (verdict)*entry)
        *entry = (uint8_t)v;
}

static void add_months(fact_tables *t, const query_rule *rule)
{
    for (unsigned month = 0; month < sizeof t->months; month++)
        lower(&t->months[month], stamma_fact_verdict(rule, &(search_facts){.month = month}));
}

static void add_ratings(fact_tables *t, const query_rule *rule)
{
    const query_rule white = {.kind = QUERY_WHITE_RATING, .values = rule->values, .count = rule->count};
    for (unsigned rating = 0; rating < sizeof t->ratings[0]; rating++) {
        verdict v = stamma_fact_verdict(&white, &(search_facts){.white = rating});
        if (rule->kind != QUERY_BLACK_RATING)
            lower(&t->ratings[STAMMA_WHITE][rating], v);
        if (rule->kind != QUERY_WHITE_RATING)
            lower(&t->ratings[STAMMA_BLACK][rating], v);
    }
}

/* A rule on the mean depends only on the sum if both ratings are known. */
static void add_means(fact_tables *t, const query_rule *rule)
{
    for (unsigned sum = 2; sum < sizeof t->sums; sum++) {
        const search_facts facts = {.white = sum / 2, .black = sum - sum / 2};
        lower(&t->sums[sum], stamma_fact_verdict(rule, &facts));
    }
    t->unrated = VERDICT_NO;
}

static void add_words(fact_tables *t, const query_rule *rule)
{
    for (unsigned n = 0; n < sizeof t->results && rule->kind == QUERY_RESULT; n++)
        lower(&t->results[n], stamma_fact_verdict(rule, &(search_facts){.result = n}));
    for (unsigned n = 0; n < sizeof t->speeds && rule->kind == QUERY_SPEED; n++)
        lower(&t->speeds[n], stamma_match_word(rule, n) ? VERDICT_YES : VERDICT_NO);
}

/* Returns false if the rule is not on facts. */
static bool add_rule(fact_tables *t, const query_rule *rule)
{
    switch (rule->kind) {
    case QUERY_DATE: add_months(t, rule); return true;
    case QUERY_WHITE_RATING:
    case QUERY_BLACK_RATING:
    case QUERY_EACH_RATING: add_ratings(t, rule); return true;
    case QUERY_RATING: add_means(t, rule); return true;
    case QUERY_RESULT:
    case QUERY_SPEED: add_words(t, rule); return true;
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
