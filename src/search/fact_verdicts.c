/* Evaluates rules on facts of a game: its result, ratings and date. */
#include "search/verdicts.h"

enum { DAY_OF_MONTH_MAX = 99, MONTHS_A_YEAR = SEARCH_YEAR };

bool stamma_rule_is_fact(query_kind kind)
{
    return kind == QUERY_RESULT || kind == QUERY_DATE || (kind >= QUERY_RATING && kind <= QUERY_EACH_RATING);
}

static verdict result_is(const query_rule *rule, unsigned column)
{
    static const uint8_t results[] = {STAMMA_RESULT_WHITE, STAMMA_RESULT_BLACK, STAMMA_RESULT_DRAW,
                                      STAMMA_RESULT_UNKNOWN};
    const query_word *words = (const query_word *)rule->values;
    unsigned result = results[column & 3];
    for (size_t k = 0; k < rule->count; k++)
        if (words[k] == result)
            return result == STAMMA_RESULT_UNKNOWN ? VERDICT_MAYBE : VERDICT_YES;
    return VERDICT_NO;
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

/* A range may begin or end within a month, and dates of games without a month are only in the tags: both are MAYBE. */
static verdict date_is(const query_rule *rule, unsigned month)
{
    const query_range *ranges = (const query_range *)rule->values;
    int64_t year = month / MONTHS_A_YEAR, of_year = month % MONTHS_A_YEAR;
    int64_t low = year * 10000 + of_year * 100, high = (of_year ? low : year * 10000 + 9900) + DAY_OF_MONTH_MAX;
    verdict v = VERDICT_NO;
    if (month == SEARCH_ODD_MONTH || year == 0)
        return VERDICT_MAYBE;
    for (size_t k = 0; k < rule->count; k++) {
        if (ranges[k].low <= low && high <= ranges[k].high)
            return VERDICT_YES;
        if (ranges[k].low <= high && low <= ranges[k].high)
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
