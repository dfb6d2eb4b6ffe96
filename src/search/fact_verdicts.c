/* SPDX-License-Identifier: MIT */
/* Evaluates rules on facts of a game: its result, ratings and date. */
#include "search/verdicts.h"

bool stamma_rule_is_fact(query_kind kind)
{
    return kind == QUERY_RESULT || kind == QUERY_DATE || (kind >= QUERY_RATING && kind <= QUERY_EACH_RATING);
}

/* Archives and index files of older versions contain STAMMA_RESULT_UNKNOWN for other spellings of a draw, such as
 * "0.5-0.5". */
static verdict result_is(const query_rule *rule, unsigned column)
{
    static const uint8_t results[] = {STAMMA_RESULT_WHITE, STAMMA_RESULT_BLACK, STAMMA_RESULT_DRAW,
                                      STAMMA_RESULT_UNKNOWN};
    const query_word *words = (const query_word *)rule->values;
    unsigned result = results[column & 3];
    verdict v = VERDICT_NO;
    for (size_t k = 0; k < rule->count; k++) {
        if (result == STAMMA_RESULT_UNKNOWN && (words[k] == result || words[k] == STAMMA_RESULT_DRAW))
            v = VERDICT_MAYBE;
        else if (words[k] == result)
            v = VERDICT_YES;
    }
    return v;
}

static verdict rating_is(const query_rule *rule, unsigned rating)
{
    if (rating == SEARCH_ODD_RATING)
        return VERDICT_MAYBE;
    return rating != 0 && query_in_ranges((const query_range *)rule->values, rule->count, rating) ? VERDICT_YES
                                                                                                  : VERDICT_NO;
}

static verdict mean_is(const query_rule *rule, unsigned white, unsigned black)
{
    const query_range *ranges = (const query_range *)rule->values;
    if (white == SEARCH_ODD_RATING || black == SEARCH_ODD_RATING)
        return VERDICT_MAYBE;
    int64_t sum = white + black;
    for (size_t k = 0; k < rule->count && white != 0 && black != 0; k++) {
        bool above = ranges[k].low == INT64_MIN || sum >= 2 * ranges[k].low;
        if (above && (ranges[k].high == INT64_MAX || sum <= 2 * ranges[k].high))
            return VERDICT_YES;
    }
    return VERDICT_NO;
}

/* Returns whether a date is in one of the ranges: YES, NO or MAYBE. The date is a range of days: at least from
 * `inner.low` to `inner.high`, at most from `outer.low` to `outer.high`. A date matches a range that it overlaps. */
static verdict days_are(const query_rule *rule, query_range inner, query_range outer)
{
    const query_range *ranges = (const query_range *)rule->values;
    verdict v = VERDICT_NO;
    for (size_t k = 0; k < rule->count; k++) {
        if (ranges[k].low <= inner.high && inner.low <= ranges[k].high)
            return VERDICT_YES;
        if (ranges[k].low <= outer.high && outer.low <= ranges[k].high)
            v = VERDICT_MAYBE;
    }
    return v;
}

/* The columns do not contain days. If the month is known, the date is one or more days of the month. If only the year
 * is known, the date may begin as late as the last day of January and end as early as the first day of December
 * ("2010.??.31"). A month of 0 means that no digit of the year is known; no range matches it. */
static verdict date_is(const query_rule *rule, unsigned month)
{
    const int64_t year = month / SEARCH_YEAR * 10000, of_year = month % SEARCH_YEAR * 100;
    if (month == SEARCH_ODD_MONTH)
        return VERDICT_MAYBE;
    if (year == 0)
        return VERDICT_NO;
    if (of_year == 0)
        return days_are(rule, (query_range){year + 131, year + 1201}, (query_range){year + 101, year + 1231});
    const query_range days = {year + of_year + 1, year + of_year + 31};
    verdict v = VERDICT_NO;
    for (size_t k = 0; k < rule->count; k++) {
        const query_range *r = (const query_range *)rule->values + k;
        if (r->low <= days.low && days.high <= r->high)
            return VERDICT_YES;
        if (r->low <= days.high && days.low <= r->high)
            v = VERDICT_MAYBE;
    }
    return v;
}

verdict stamma_fact_verdict(const query_rule *rule, const search_facts *f)
{
    switch (rule->kind) {
    case QUERY_RESULT: return result_is(rule, f->result);
    case QUERY_WHITE_RATING: return rating_is(rule, f->white);
    case QUERY_BLACK_RATING: return rating_is(rule, f->black);
    case QUERY_EACH_RATING: return verdict_lesser(rating_is(rule, f->white), rating_is(rule, f->black));
    case QUERY_RATING: return mean_is(rule, f->white, f->black);
    default: return date_is(rule, f->month);
    }
}
