/* SPDX-License-Identifier: MIT */
/* Evaluates rules on tags once for each distinct value in a block instead of once for each game. */
#include "search/verdicts.h"

/* ---- the tags of a query ---- */

/* Distinct names. */
typedef struct name_list {
    stamma_text names[BLOCK_TAGS_MAX];
    size_t count;
} name_list;

static void add_name(name_list *list, stamma_text name)
{
    size_t n = 0;
    while (n < list->count && !text_equal(list->names[n], name))
        n++;
    if (n == list->count && n < BLOCK_TAGS_MAX)
        list->names[list->count++] = name;
}

static void add_rule(name_list *list, const query_rule *rule)
{
    stamma_text names[RULE_TAGS_MAX];
    const query_tag *tags = (const query_tag *)rule->values;
    for (size_t n = stamma_rule_tags(rule->kind, names); n-- > 0;)
        add_name(list, names[n]);
    for (size_t n = 0; n < rule->count && rule->kind == QUERY_TAG; n++)
        add_name(list, tags[n].name);
}

static bool asks_openings(const query_condition *condition)
{
    bool asks = false;
    for (const query_rule *r = condition->rules; r && !asks; r = r->next) {
        asks = r->kind == QUERY_OPENING;
        for (const query_condition *c = r->conditions; c && !asks; c = c->next)
            asks = asks_openings(c);
    }
    return asks;
}

static void add_condition(name_list *list, const query_condition *condition)
{
    for (const query_rule *r = condition->rules; r; r = r->next) {
        add_rule(list, r);
        for (const query_condition *c = r->conditions; c; c = c->next)
            add_condition(list, c);
    }
}

/* Reads the tags of the query that are not kept, when the first of them is needed. */
static stamma_error open_own(block_verdicts *v)
{
    const block_tags *kept = v->block->tags;
    name_list all = {.count = 0}, list = {.count = 0};
    if (v->own_is_open)
        return STAMMA_OK;
    add_condition(&all, &v->query->root);
    for (size_t n = 0; n < all.count; n++)
        if (!kept || !stamma_block_tags_find(kept, all.names[n]))
            add_name(&list, all.names[n]);
    v->own_is_open = true;
    v->own.limits = v->limits;
    v->own.keeps_openings = asks_openings(&v->query->root);
    return stamma_block_tags_open(&v->own, v->block->index, &v->block->at, list.names, list.count);
}

/* The values of a tag and the tables that contain their texts. */
typedef struct asked_tag {
    const block_tags *tags;
    const tag_values *values; /* NULL: not known */
    size_t count;             /* number of texts, plus one for a missing tag */
} asked_tag;

static stamma_error find_tag(block_verdicts *v, stamma_text name, asked_tag *found)
{
    stamma_error error = STAMMA_OK;
    found->tags = v->block->tags;
    found->values = found->tags ? stamma_block_tags_find(found->tags, name) : NULL;
    if (!found->values) {
        error = open_own(v);
        found->tags = &v->own;
        found->values = error == STAMMA_OK ? stamma_block_tags_find(&v->own, name) : NULL;
    }
    found->count = found->values ? found->tags->texts[found->values->texts].count + 1 : 0;
    return error;
}

/* ---- verdicts of values ---- */

static uint8_t *begin_matches(buffer *matches, const asked_tag *tag)
{
    matches->size = 0;
    if (!buffer_reserve(matches, tag->count))
        return NULL;
    matches->data[0] = VERDICT_NO; /* a missing tag does not match */
    return matches->data;
}

static stamma_text text_of(const asked_tag *tag, size_t number)
{
    return text_table_at(&tag->tags->texts[tag->values->texts], number);
}

/* Matches patterns with texts that are already folded. Returns false if the rule has no patterns or the texts are not
 * folded. */
static bool match_folded(const query_rule *rule, const asked_tag *tag, uint8_t *matches)
{
    const query_pattern *patterns = (const query_pattern *)rule->values;
    if (rule->kind > QUERY_TERMINATION)
        return false;
    memset(matches, 0, tag->count);
    for (size_t k = 0; k < rule->count; k++)
        if (!stamma_block_tags_match(tag->tags, tag->values, patterns[k].text, matches))
            return false;
    for (size_t n = 0; n < tag->count; n++)
        matches[n] = matches[n] ? VERDICT_YES : VERDICT_NO;
    return true;
}

/* Finds the verdict of a rule that tests only this tag, for each of the tag's texts. */
static bool match_texts(block_verdicts *v, const query_rule *rule, const asked_tag *tag, buffer *matches)
{
    uint8_t *m = begin_matches(matches, tag);
    if (!m)
        return false;
    if (match_folded(rule, tag, m))
        return true;
    if (!v->matcher && stamma_matcher_open(v->query, v->allocator, &v->matcher) != STAMMA_OK)
        return false;
    for (size_t n = 1; n < tag->count; n++)
        m[n] = stamma_match_value(v->matcher, rule, text_of(tag, n)) ? VERDICT_YES : VERDICT_NO;
    return !v->matcher->failed;
}

/* ---- verdicts of records ---- */

typedef struct judging {
    block_verdicts *v;
    const query_rule *rule;
    uint8_t *verdicts;
    asked_tag tags[RULE_TAGS_MAX];
} judging;

/* Returns whether a verdict is open. Tags outside rosters are not among the values, so their records stay open. */
static bool is_open(const judging *j, size_t record)
{
    return j->verdicts[record] == VERDICT_MAYBE && !(j->v->block->index->marks.data[record] & RECORD_HAS_TAGS);
}

static stamma_error ask_one(judging *j, const query_rule *rule, const asked_tag *tag)
{
    if (!match_texts(j->v, rule, tag, &j->v->matches))
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < j->v->block->index->records; n++)
        if (is_open(j, n))
            j->verdicts[n] = j->v->matches.data[tag_values_number(tag->values, n)];
    return STAMMA_OK;
}

/* Tests a rule on either player. Both tags have their texts in the same table. */
static stamma_error ask_player(judging *j)
{
    const query_rule white = {.kind = QUERY_WHITE, .values = j->rule->values, .count = j->rule->count};
    const uint8_t *m;
    if (!match_texts(j->v, &white, &j->tags[0], &j->v->matches))
        return STAMMA_ERROR_NO_MEMORY;
    m = j->v->matches.data;
    for (size_t n = 0; n < j->v->block->index->records; n++)
        if (is_open(j, n))
            j->verdicts[n] = m[tag_values_number(j->tags[0].values, n)] | m[tag_values_number(j->tags[1].values, n)];
    return STAMMA_OK;
}

static stamma_error ask_players(judging *j)
{
    const query_players *p = (const query_players *)j->rule->values;
    const query_rule one = {.kind = QUERY_WHITE, .values = &p->one, .count = 1};
    const query_rule other = {.kind = QUERY_WHITE, .values = &p->other, .count = 1};
    if (!match_texts(j->v, &one, &j->tags[0], &j->v->matches) || !match_texts(j->v, &other, &j->tags[0], &j->v->others))
        return STAMMA_ERROR_NO_MEMORY;
    const uint8_t *a = j->v->matches.data, *b = j->v->others.data;
    for (size_t n = 0; n < j->v->block->index->records; n++) {
        uint32_t white = tag_values_number(j->tags[0].values, n), black = tag_values_number(j->tags[1].values, n);
        if (is_open(j, n))
            j->verdicts[n] = (a[white] & b[black]) | (b[white] & a[black]);
    }
    return STAMMA_OK;
}

/* Reads the rating in each text of a tag. */
static int64_t *read_ratings(const asked_tag *tag, buffer *ratings)
{
    ratings->size = 0;
    if (!buffer_reserve(ratings, tag->count * sizeof(int64_t)))
        return NULL;
    int64_t *r = (int64_t *)(void *)ratings->data;
    r[0] = 0;
    for (size_t n = 1; n < tag->count; n++)
        r[n] = (int64_t)stamma_rating_read(text_of(tag, n));
    return r;
}

static stamma_error ask_ratings(judging *j)
{
    const int64_t *white = read_ratings(&j->tags[0], &j->v->matches);
    const int64_t *black = read_ratings(&j->tags[1], &j->v->others);
    if (!white || !black)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < j->v->block->index->records; n++) {
        int64_t a = white[tag_values_number(j->tags[0].values, n)], b = black[tag_values_number(j->tags[1].values, n)];
        if (is_open(j, n))
            j->verdicts[n] = stamma_match_ratings(j->rule, a, b) ? VERDICT_YES : VERDICT_NO;
    }
    return STAMMA_OK;
}

/* Finds the verdicts of dates; MAYBE for dates that are missing or unknown. */
static uint8_t *match_dates(const query_rule *rule, const asked_tag *tag, buffer *matches)
{
    const query_range *ranges = (const query_range *)rule->values;
    uint8_t *m = begin_matches(matches, tag);
    for (size_t n = 0; n < tag->count && m; n++) {
        query_range days;
        m[n] = VERDICT_MAYBE;
        if (n == 0 || !stamma_match_days(text_of(tag, n), &days))
            continue;
        m[n] = VERDICT_NO;
        for (size_t k = 0; k < rule->count; k++)
            if (days.high >= ranges[k].low && days.low <= ranges[k].high)
                m[n] = VERDICT_YES;
    }
    return m;
}

static stamma_error ask_dates(judging *j)
{
    const uint8_t *date = match_dates(j->rule, &j->tags[0], &j->v->matches);
    const uint8_t *utc = match_dates(j->rule, &j->tags[1], &j->v->others);
    if (!date || !utc)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < j->v->block->index->records; n++) {
        uint8_t v = date[tag_values_number(j->tags[0].values, n)];
        if (v == VERDICT_MAYBE)
            v = utc[tag_values_number(j->tags[1].values, n)];
        if (is_open(j, n))
            j->verdicts[n] = v == VERDICT_MAYBE ? VERDICT_NO : v;
    }
    return STAMMA_OK;
}

/* Results that are not in the tag stay MAYBE, because the end of the movetext may contain them. */
static stamma_error ask_results(judging *j)
{
    const asked_tag *tag = &j->tags[0];
    uint8_t *m = begin_matches(&j->v->matches, tag);
    if (!m)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < tag->count; n++) {
        query_word result = n > 0 ? stamma_result_find(text_of(tag, n)) : RESULTS;
        m[n] = result == RESULTS ? VERDICT_MAYBE : stamma_match_word(j->rule, result) ? VERDICT_YES : VERDICT_NO;
    }
    for (size_t n = 0; n < j->v->block->index->records; n++)
        if (is_open(j, n))
            j->verdicts[n] = m[tag_values_number(tag->values, n)];
    return STAMMA_OK;
}

/* Sets the verdicts of records whose tag is missing or unknown, by the openings that were played. Games with a set-up
 * position stay MAYBE, because the set-up position can be the initial position. */
static stamma_error ask_played(judging *j)
{
    const block_index *x = j->v->block->index;
    buffer *matches = &j->v->others;
    const block_tags *kept = j->v->block->tags, *tags = kept && kept->opened.size > 0 ? kept : &j->v->own;
    matches->size = 0;
    if (tags->opened.size == 0) /* the moves of this block have no shared beginnings */
        return STAMMA_OK;
    if (!buffer_reserve(matches, OPENINGS + 1))
        return STAMMA_ERROR_NO_MEMORY;
    matches->data[0] = VERDICT_NO;
    for (unsigned n = 1; n <= OPENINGS; n++)
        matches->data[n] =
            stamma_match_value(j->v->matcher, j->rule, stamma_opening_name(n)) ? VERDICT_YES : VERDICT_NO;
    for (size_t n = 0; n < x->records; n++)
        if (is_open(j, n) && !(x->marks.data[n] & RECORD_IS_SET_UP))
            j->verdicts[n] = matches->data[block_tags_opening(tags, n)];
    return j->v->matcher->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Tests the tag; if it is missing or unknown, tests the opening that was played. */
static stamma_error ask_openings(judging *j)
{
    const asked_tag *tag = &j->tags[0];
    if (!match_texts(j->v, j->rule, tag, &j->v->matches))
        return STAMMA_ERROR_NO_MEMORY;
    uint8_t *m = j->v->matches.data;
    for (size_t n = 0; n < tag->count; n++)
        m[n] = n > 0 && opening_is_known(text_of(tag, n)) ? m[n] : VERDICT_MAYBE;
    for (size_t n = 0; n < j->v->block->index->records; n++)
        if (is_open(j, n))
            j->verdicts[n] = m[tag_values_number(tag->values, n)];
    return memchr(j->verdicts, VERDICT_MAYBE, j->v->block->index->records) ? ask_played(j) : STAMMA_OK;
}

/* Tests all tags of the rule. The first tag that does not match excludes a record. */
static stamma_error ask_tag_rule(judging *j)
{
    const query_tag *tags = (const query_tag *)j->rule->values;
    stamma_error error = STAMMA_OK;
    bool all = true;
    for (size_t k = 0; k < j->rule->count && error == STAMMA_OK; k++) {
        const query_rule one = {.kind = QUERY_TAG, .values = &tags[k], .count = 1};
        asked_tag *tag = &j->tags[0];
        error = find_tag(j->v, tags[k].name, tag);
        all &= tag->values != NULL;
        if (error != STAMMA_OK || !tag->values)
            continue;
        if (!match_texts(j->v, &one, tag, &j->v->matches))
            return STAMMA_ERROR_NO_MEMORY;
        for (size_t n = 0; n < j->v->block->index->records; n++)
            if (is_open(j, n) && j->v->matches.data[tag_values_number(tag->values, n)] == VERDICT_NO)
                j->verdicts[n] = VERDICT_NO;
    }
    for (size_t n = 0; n < j->v->block->index->records && all && error == STAMMA_OK; n++)
        if (is_open(j, n))
            j->verdicts[n] = VERDICT_YES;
    return error;
}

stamma_error stamma_verdicts_ask_tags(block_verdicts *v, const query_rule *rule, uint8_t *verdicts)
{
    judging j = {.v = v, .rule = rule, .verdicts = verdicts};
    stamma_text names[RULE_TAGS_MAX];
    size_t count = stamma_rule_tags(rule->kind, names);
    if (rule->kind == QUERY_TAG)
        return ask_tag_rule(&j);
    for (size_t n = 0; n < count; n++) {
        stamma_error error = find_tag(v, names[n], &j.tags[n]);
        if (error != STAMMA_OK || !j.tags[n].values)
            return error;
    }
    switch (rule->kind) {
    case QUERY_PLAYER: return ask_player(&j);
    case QUERY_PLAYERS: return ask_players(&j);
    case QUERY_RATING:
    case QUERY_EACH_RATING:
    case QUERY_RATING_DIFFERENCE: return ask_ratings(&j);
    case QUERY_DATE: return ask_dates(&j);
    case QUERY_RESULT: return ask_results(&j);
    case QUERY_OPENING: return ask_openings(&j);
    default: return count == 1 ? ask_one(&j, rule, &j.tags[0]) : STAMMA_OK;
    }
}
