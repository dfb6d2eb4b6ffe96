/* SPDX-License-Identifier: MIT */
/* Rules of the game: its tags, its length and its comments. */
#include "query/query.h"

/* ---- tags ---- */

static stamma_text tag_value(const stamma_archive_game *game, stamma_text name)
{
    for (size_t i = 0; i < game->tag_count; i++)
        if (text_equal(game->tags[i].name, name))
            return game->tags[i].value;
    return (stamma_text){NULL, 0};
}

static stamma_text tag_named(const stamma_matcher *m, const char *name)
{
    return tag_value(m->game, (stamma_text){name, strlen(name)});
}

stamma_text stamma_match_folded(stamma_matcher *m, stamma_text text)
{
    m->folded.size = 0;
    stamma_fold(text, &m->folded);
    stamma_fold_blanks(&m->folded);
    m->failed |= m->folded.failed;
    return (stamma_text){m->folded.size ? (const char *)m->folded.data : "", m->folded.size};
}

/* Returns the value of a tag, folded. The value of a missing tag, which has no data, is returned unchanged. */
static stamma_text folded_value(stamma_matcher *m, stamma_text value)
{
    if (!value.data)
        return value;
    m->folded.size = 0;
    stamma_fold_value(value, &m->plain, &m->folded);
    m->failed |= m->folded.failed | m->plain.failed;
    return (stamma_text){m->folded.size ? (const char *)m->folded.data : "", m->folded.size};
}

static bool one_matches(stamma_matcher *m, stamma_text value, const query_pattern *patterns, size_t count)
{
    stamma_text text = folded_value(m, value);
    for (size_t i = 0; i < count && text.data; i++)
        if (stamma_pattern_matches(patterns[i].text, text))
            return true;
    return false;
}

static bool are_players(stamma_matcher *m, const query_players *players)
{
    stamma_text white = tag_named(m, "White"), black = tag_named(m, "Black");
    return (one_matches(m, white, &players->one, 1) && one_matches(m, black, &players->other, 1)) ||
           (one_matches(m, white, &players->other, 1) && one_matches(m, black, &players->one, 1));
}

static bool all_tags_match(stamma_matcher *m, const query_rule *rule)
{
    const query_tag *tags = rule->values;
    for (size_t i = 0; i < rule->count; i++)
        if (!one_matches(m, tag_value(m->game, tags[i].name), tags[i].patterns, tags[i].count))
            return false;
    return true;
}

static stamma_text trimmed(stamma_text text)
{
    while (text.size && text_is_blank((unsigned char)text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size && text_is_blank((unsigned char)text.data[text.size - 1]))
        text.size--;
    return text;
}

/* ---- opening codes ---- */

/* Compares a code, which begins with a letter from A to E, with a bound, up to the length of the bound. */
static int compare_code(stamma_text code, stamma_text bound)
{
    for (size_t i = 0; i < bound.size; i++) {
        int letter = i < code.size ? code.data[i] : 0;
        if (i == 0 && letter >= 'a')
            letter -= 32;
        if (letter != bound.data[i])
            return letter < bound.data[i] ? -1 : 1;
    }
    return 0;
}

static bool is_in_openings(const query_rule *rule, stamma_text value)
{
    const query_eco *ecos = rule->values;
    stamma_text code = trimmed(value);
    if (code.size == 0 || !code.data[0] || !strchr("ABCDEabcde", code.data[0]))
        return false;
    for (size_t i = 0; i < rule->count; i++)
        if (compare_code(code, ecos[i].low) >= 0 && compare_code(code, ecos[i].high) <= 0)
            return true;
    return false;
}

/* ---- ratings ---- */

static bool rating_is_in(const query_rule *rule, stamma_text value)
{
    int64_t number = (int64_t)stamma_rating_read(value);
    return number && query_in_ranges(rule->values, rule->count, number);
}

static bool mean_is_in(const query_range *ranges, size_t count, int64_t sum)
{
    for (size_t i = 0; i < count; i++) {
        bool above = ranges[i].low == INT64_MIN || sum >= 2 * ranges[i].low;
        if (above && (ranges[i].high == INT64_MAX || sum <= 2 * ranges[i].high))
            return true;
    }
    return false;
}

bool stamma_match_ratings(const query_rule *rule, int64_t white, int64_t black)
{
    if (!white || !black)
        return false;
    if (rule->kind == QUERY_RATING_DIFFERENCE)
        return query_in_ranges(rule->values, rule->count, white - black);
    if (rule->kind == QUERY_RATING)
        return mean_is_in(rule->values, rule->count, white + black);
    return query_in_ranges(rule->values, rule->count, white) && query_in_ranges(rule->values, rule->count, black);
}

/* ---- dates ---- */

bool stamma_match_days(stamma_text value, query_range *days)
{
    stamma_date date;
    if (!stamma_date_read(value, &date))
        return false;
    *days = (query_range){date.first, date.last};
    return true;
}

static bool is_dated(const stamma_matcher *m, const query_rule *rule)
{
    const query_range *ranges = rule->values;
    query_range days;
    if (!stamma_match_days(tag_named(m, "Date"), &days) && !stamma_match_days(tag_named(m, "UTCDate"), &days))
        return false;
    for (size_t i = 0; i < rule->count; i++)
        if (days.high >= ranges[i].low && days.low <= ranges[i].high)
            return true;
    return false;
}

/* ---- results ---- */

bool stamma_match_word(const query_rule *rule, query_word word)
{
    const query_word *words = rule->values;
    for (size_t i = 0; i < rule->count; i++)
        if (words[i] == word)
            return true;
    return false;
}

static bool result_is(const stamma_matcher *m, const query_rule *rule)
{
    const stamma_text tag = tag_named(m, "Result");
    const stamma_result result = stamma_result_of_game(tag, m->game->result);
    const bool none = m->game->result.size == 0 && stamma_result_find(tag) == RESULTS;
    return (result != STAMMA_RESULT_UNKNOWN || !none) && stamma_match_word(rule, (query_word)result);
}

static bool ends_so(stamma_matcher *m, const query_rule *rule)
{
    const stamma_position *positions = stamma_matcher_positions(m, 0);
    return positions && !m->game->no_start &&
           stamma_match_word(rule, stamma_position_status(&positions[m->plies], NULL, 0));
}

/* ---- comments and other parts ---- */

static bool is_in_comment(stamma_matcher *m, const query_rule *rule)
{
    const query_pattern *parts = rule->values;
    for (size_t i = 0; i < m->game->item_count; i++) {
        const stamma_archive_item *item = &m->game->items[i];
        if (item->kind != STAMMA_ITEM_COMMENT)
            continue;
        stamma_text comment = stamma_match_folded(m, item->text);
        for (size_t j = 0; j < rule->count; j++)
            if (stamma_text_contains(comment, parts[j].text))
                return true;
    }
    return false;
}

static bool has_item(const stamma_archive_game *game, stamma_archive_item_kind kind)
{
    for (size_t i = 0; i < game->item_count; i++)
        if (game->items[i].kind == kind)
            return true;
    return false;
}

static bool has_clocks(const stamma_archive_game *game)
{
    for (size_t i = 0; i < game->ply_count && game->clocks_ms; i++)
        if (game->clocks_ms[i] >= 0)
            return true;
    return false;
}

static bool has_evaluations(const stamma_archive_game *game)
{
    for (size_t i = 0; i < game->ply_count && game->evaluations; i++)
        if (game->evaluations[i].kind != STAMMA_EVALUATION_NONE)
            return true;
    return false;
}

static bool game_has(const stamma_matcher *m, query_word what)
{
    switch (what) {
    case QUERY_HAS_CLOCKS: return has_clocks(m->game);
    case QUERY_HAS_EVALUATIONS: return has_evaluations(m->game);
    case QUERY_HAS_COMMENTS: return has_item(m->game, STAMMA_ITEM_COMMENT);
    case QUERY_HAS_VARIATIONS: return has_item(m->game, STAMMA_ITEM_VARIATION_BEGIN);
    case QUERY_HAS_NAGS: return has_item(m->game, STAMMA_ITEM_NAG);
    case QUERY_HAS_SETUP: return tag_named(m, "FEN").size > 0;
    /* QUERY_HAS_TEXT; with LAYOUT only odd spacing or spelling is kept as text */
    default: return m->game->reason != STAMMA_REASON_NONE && m->game->reason != STAMMA_REASON_LAYOUT;
    }
}

static bool has_one(const stamma_matcher *m, const query_rule *rule)
{
    const query_word *words = rule->values;
    for (size_t i = 0; i < rule->count; i++)
        if (game_has(m, words[i]))
            return true;
    return false;
}

/* ---- all rules ---- */

bool stamma_match_value(stamma_matcher *m, const query_rule *rule, stamma_text value)
{
    const query_tag *tag = rule->values;
    switch (rule->kind) {
    case QUERY_ECO: return is_in_openings(rule, value);
    case QUERY_SPEED: return stamma_match_word(rule, (query_word)stamma_speed_read(value));
    case QUERY_WHITE_RATING:
    case QUERY_BLACK_RATING: return rating_is_in(rule, value);
    case QUERY_TAG: return one_matches(m, value, tag->patterns, tag->count);
    default: return one_matches(m, value, rule->values, rule->count);
    }
}

static bool tag_matches(stamma_matcher *m, const char *name, const query_rule *rule)
{
    return stamma_match_value(m, rule, tag_named(m, name));
}

static bool ratings_match(const stamma_matcher *m, const query_rule *rule)
{
    return stamma_match_ratings(rule, stamma_rating_read(tag_named(m, "WhiteElo")),
                                stamma_rating_read(tag_named(m, "BlackElo")));
}

static bool has_flag(const stamma_matcher *m, const query_rule *rule)
{
    const query_word *flags = (const query_word *)rule->values;
    for (size_t n = 0; n < rule->count; n++)
        if (m->game->flags & flags[n])
            return true;
    return false;
}

/* Dispatches on the kind of the rule. */
bool stamma_match_game(stamma_matcher *m, const query_rule *rule)
{
    if (m->holds && rule->kind != QUERY_PLIES && rule->kind != QUERY_RESULT_TYPE)
        return m->holds(m->context, rule);
    switch (rule->kind) {
    case QUERY_PLAYER: return tag_matches(m, "White", rule) || tag_matches(m, "Black", rule);
    case QUERY_WHITE: return tag_matches(m, "White", rule);
    case QUERY_BLACK: return tag_matches(m, "Black", rule);
    case QUERY_PLAYERS: return are_players(m, rule->values);
    case QUERY_EVENT: return tag_matches(m, "Event", rule);
    case QUERY_SITE: return tag_matches(m, "Site", rule);
    case QUERY_ROUND: return tag_matches(m, "Round", rule);
    case QUERY_TIME_CONTROL: return tag_matches(m, "TimeControl", rule);
    case QUERY_TERMINATION: return tag_matches(m, "Termination", rule);
    case QUERY_TAG: return all_tags_match(m, rule);
    case QUERY_SPEED: return tag_matches(m, "TimeControl", rule);
    case QUERY_ECO: return tag_matches(m, "ECO", rule);
    case QUERY_OPENING: return stamma_match_value(m, rule, stamma_archive_game_opening(m->game, NULL));
    case QUERY_RESULT: return result_is(m, rule);
    case QUERY_RESULT_TYPE: return ends_so(m, rule);
    case QUERY_RATING:
    case QUERY_EACH_RATING:
    case QUERY_RATING_DIFFERENCE: return ratings_match(m, rule);
    case QUERY_WHITE_RATING: return tag_matches(m, "WhiteElo", rule);
    case QUERY_BLACK_RATING: return tag_matches(m, "BlackElo", rule);
    case QUERY_DATE: return is_dated(m, rule);
    case QUERY_PLIES: return query_in_ranges(rule->values, rule->count, (int64_t)m->plies);
    case QUERY_COMMENT: return is_in_comment(m, rule);
    case QUERY_FLAG: return has_flag(m, rule);
    default: return has_one(m, rule); /* QUERY_HAS */
    }
}
