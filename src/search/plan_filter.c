/* SPDX-License-Identifier: MIT */
/* Tests games with the facts and names of an index file. */
#include "search/search_plan.h"

bool stamma_rule_is_name(query_kind kind)
{
    return kind == QUERY_PLAYER || kind == QUERY_WHITE || kind == QUERY_BLACK || kind == QUERY_PLAYERS;
}

bool stamma_rule_is_composed(query_kind kind)
{
    return kind == QUERY_ALL || kind == QUERY_ANY || kind == QUERY_NOT;
}

/* Returns whether a condition is tested once for a game: it does not depend on turns or plies. */
static bool is_of_games(const query_condition *condition)
{
    return condition->turns == 0 && condition->plies <= 1;
}

bool stamma_plan_filters(const query_rule *rule)
{
    if (!stamma_rule_is_composed(rule->kind))
        return stamma_rule_is_name(rule->kind) || stamma_rule_is_fact(rule->kind) || rule->kind == QUERY_SPEED ||
               rule->kind == QUERY_RATING_DIFFERENCE || rule->kind == QUERY_PLIES || stamma_rule_is_class(rule->kind);
    for (const query_condition *c = rule->conditions; c; c = c->next)
        if (!stamma_plan_filters_condition(c))
            return false;
    return true;
}

bool stamma_plan_filters_condition(const query_condition *condition)
{
    bool filters = is_of_games(condition);
    for (const query_rule *r = condition->rules; r && filters; r = r->next)
        filters = stamma_plan_filters(r);
    return filters;
}

/* ---- names ---- */

/* Sets `bit` of each name that matches a pattern. `work` has a byte for each name. */
static bool match_pattern(const plan_filter *f, name_rule *r, stamma_text pattern, uint8_t bit, buffer *work)
{
    size_t count = (size_t)f->segment->counts[COUNT_NAMES] + 1;
    uint8_t *found = (uint8_t *)buffer_array(work, count, 1);
    if (!found)
        return false;
    memset(found, 0, count);
    if (stamma_index_names_match(f->file, f->segment, pattern, found) == SIZE_MAX)
        return false;
    for (size_t n = 1; n < count; n++)
        r->matches.data[n] |= found[n] ? bit : 0;
    return true;
}

static bool match_names(const plan_filter *f, name_rule *r, buffer *work)
{
    size_t count = (size_t)f->segment->counts[COUNT_NAMES] + 1;
    const query_pattern *patterns = (const query_pattern *)r->rule->values;
    uint8_t *matches = (uint8_t *)buffer_array(&r->matches, count, 1);
    bool matched = matches != NULL;
    if (matched)
        memset(matches, 0, count);
    if (r->rule->kind == QUERY_PLAYERS) {
        const query_players *players = (const query_players *)r->rule->values;
        return matched && match_pattern(f, r, players->one.text, 1, work) &&
               match_pattern(f, r, players->other.text, 2, work);
    }
    for (size_t n = 0; n < r->rule->count && matched; n++)
        matched = match_pattern(f, r, patterns[n].text, 1, work);
    return matched;
}

/* Finds the matching names for the rules on names of a condition, and of its nested conditions, and the games of the
 * rules on openings and codes. */
static bool add_names(plan_filter *f, const query_condition *condition, buffer *work)
{
    bool matched = true;
    for (const query_rule *r = condition->rules; r && matched; r = r->next) {
        for (const query_condition *c = stamma_rule_is_composed(r->kind) ? r->conditions : NULL; c && matched;
             c = c->next)
            matched = add_names(f, c, work);
        if (matched && stamma_rule_is_class(r->kind))
            matched = stamma_plan_filter_add_class(f, r, condition == f->root);
        if (!stamma_rule_is_name(r->kind) || f->name_rules == NAME_RULES_MAX)
            continue;
        name_rule *names = &f->names[f->name_rules++];
        *names = (name_rule){r, {.allocator = &f->file->allocator}, condition == f->root};
        matched = match_names(f, names, work);
    }
    return matched;
}

/* ---- lists of the games of names ---- */

static size_t word_count(const plan_filter *f)
{
    return (size_t)f->segment->counts[COUNT_GAMES] / 64 + 1;
}

/* Sets the bits of the games of a name. Returns false if the index is damaged. */
static bool mark_games(const plan_filter *f, uint32_t name, uint64_t *words)
{
    const uint32_t games = f->segment->counts[COUNT_GAMES];
    index_list list;
    uint32_t rank;
    bool begun = stamma_index_name_games(f->file, f->segment, name, &list);
    while (begun && stamma_index_list_next(&list, games, &rank))
        words[rank / 64] |= UINT64_C(1) << rank % 64;
    if (begun && !list.failed)
        return true;
    (void)stamma_index_damaged(f->file);
    return false;
}

/* Removes all games from the list that do not have a name with `bit`. `work` has the same size as the list. */
static bool narrow_list(plan_filter *f, const name_rule *r, uint8_t bit, buffer *work)
{
    const size_t count = word_count(f);
    const bool first = f->listed.size == 0;
    uint64_t *words = (uint64_t *)buffer_array(first ? &f->listed : work, count, sizeof *words);
    bool marked = words != NULL;
    if (marked)
        memset(words, 0, count * sizeof *words);
    for (uint32_t name = 1; name <= f->segment->counts[COUNT_NAMES] && marked; name++)
        if (r->matches.data[name] & bit)
            marked = mark_games(f, name, words);
    uint64_t *listed = (uint64_t *)(void *)f->listed.data;
    for (size_t n = 0; n < count && marked && !first; n++)
        listed[n] &= words[n];
    return marked;
}

/* Lists the games of the names that the query requires. */
static bool list_games(plan_filter *f, buffer *work)
{
    bool listed = true;
    for (size_t n = 0; n < f->name_rules && listed; n++) {
        const name_rule *r = &f->names[n];
        if (r->required)
            listed = narrow_list(f, r, 1, work) && (r->rule->kind != QUERY_PLAYERS || narrow_list(f, r, 2, work));
    }
    return listed && stamma_plan_filter_list_classes(f);
}

/* ---- opening ---- */

/* Returns whether no rule depends on facts: rules on names, classes and lengths do not, and others are not tested
 * here. */
static bool is_without_facts(const query_condition *root)
{
    bool without = true;
    for (const query_rule *r = root ? root->rules : NULL; r && without; r = r->next)
        without = stamma_rule_is_name(r->kind) || stamma_rule_is_class(r->kind) || r->kind == QUERY_PLIES ||
                  (!stamma_plan_filters(r) && !stamma_rule_is_composed(r->kind));
    return without;
}

stamma_error stamma_plan_filter_open(plan_filter *f, index_file *file, const index_segment *segment,
                                     const query_condition *root)
{
    buffer work = {.allocator = &file->allocator};
    *f = (plan_filter){.file = file,
                       .segment = segment,
                       .root = root,
                       .tables = f->tables,
                       .listed.allocator = &file->allocator,
                       .sure.allocator = &file->allocator};
    f->without_facts = is_without_facts(root);
    bool matched = !root || (add_names(f, root, &work) && list_games(f, &work));
    stamma_buffer_release(&work);
    if (matched)
        return STAMMA_OK;
    return atomic_load_explicit(&file->damaged, memory_order_relaxed) ? STAMMA_ERROR_CORRUPT : STAMMA_ERROR_NO_MEMORY;
}

void stamma_plan_filter_release(plan_filter *f)
{
    for (size_t n = 0; n < f->name_rules; n++)
        stamma_buffer_release(&f->names[n].matches);
    stamma_plan_filter_release_classes(f);
    stamma_buffer_release(&f->listed);
    stamma_buffer_release(&f->sure);
}

/* ---- rules ---- */

static bool names_match(const plan_filter *f, const name_rule *r, uint32_t rank)
{
    uint32_t names[2];
    if (!stamma_index_players(f->file, f->segment, stamma_index_record(f->file, f->segment, rank), names))
        return false;
    uint8_t white = r->matches.data[names[STAMMA_WHITE]], black = r->matches.data[names[STAMMA_BLACK]];
    switch (r->rule->kind) {
    case QUERY_WHITE: return white;
    case QUERY_BLACK: return black;
    case QUERY_PLAYER: return white | black;
    default: return (white & 1 && black & 2) || (white & 2 && black & 1);
    }
}

/* A game that is tested. */
typedef struct asked_game {
    uint32_t rank;
    index_facts facts;
    const index_odd *odd; /* NULL: the facts have all values */
} asked_game;

/* Tests a rule on names. For a listed game, only the colours of the players are unknown. */
static verdict test_names(const plan_filter *f, const query_rule *rule, uint32_t rank)
{
    for (size_t n = 0; n < f->name_rules; n++) {
        const name_rule *r = &f->names[n];
        if (r->rule == rule)
            return (r->required && rule->kind == QUERY_PLAYER) || names_match(f, r, rank) ? VERDICT_YES : VERDICT_NO;
    }
    return VERDICT_MAYBE;
}

static verdict truth(bool holds)
{
    return holds ? VERDICT_YES : VERDICT_NO;
}

/* The index has the moves of typed games only. */
static verdict test_plies(const plan_filter *f, const query_rule *rule, uint32_t rank)
{
    if (rank >= f->segment->counts[COUNT_TYPED])
        return VERDICT_MAYBE;
    return truth(
        query_in_ranges((const query_range *)rule->values, rule->count, index_game_plies(f->file, f->segment, rank)));
}

static verdict test_speed(const query_rule *rule, unsigned speed)
{
    return truth(stamma_match_word(rule, speed));
}

/* Tests a rule on the values of tags that do not fit in the facts. */
static verdict test_odd(const query_rule *rule, const index_odd *odd)
{
    const query_range *ranges = (const query_range *)rule->values;
    bool overlaps = false;
    switch (rule->kind) {
    case QUERY_WHITE_RATING: return truth(odd->rating[0] > 0 && query_in_ranges(ranges, rule->count, odd->rating[0]));
    case QUERY_BLACK_RATING: return truth(odd->rating[1] > 0 && query_in_ranges(ranges, rule->count, odd->rating[1]));
    case QUERY_DATE:
        for (size_t k = 0; k < rule->count && odd->last > 0; k++)
            overlaps |= odd->last >= ranges[k].low && odd->first <= ranges[k].high;
        return truth(overlaps);
    default: return truth(stamma_match_ratings(rule, odd->rating[0], odd->rating[1]));
    }
}

/* Writes a number of a date with leading zeros. */
static void write_part(char *at, size_t size, unsigned number)
{
    for (size_t n = size; n-- > 0; number /= 10)
        at[n] = (char)('0' + number % 10);
}

/* Tests the date, from its month and day. The date is read as in a tag, so that unknown parts have the same meaning. */
static verdict test_day(const plan_filter *f, const query_rule *rule, unsigned month, uint32_t rank)
{
    char text[] = "????.??.??";
    const unsigned of_year = month % SEARCH_YEAR, day = index_game_day(f->file, f->segment, rank);
    stamma_date date = {.first = 0};
    write_part(text, 4, month / SEARCH_YEAR);
    if (of_year > 0)
        write_part(text + 5, 2, of_year);
    if (day > 0)
        write_part(text + 8, 2, day);
    if (!stamma_date_read((stamma_text){text, sizeof text - 1}, &date))
        return VERDICT_MAYBE;
    return test_odd(rule, &(index_odd){.first = date.first, .last = date.last});
}

static verdict test_fact(const plan_filter *f, const query_rule *rule, const asked_game *g)
{
    const unsigned white = g->facts.rating[STAMMA_WHITE], black = g->facts.rating[STAMMA_BLACK];
    const search_facts facts = {white, black, g->facts.month, g->facts.result};
    if (rule->kind == QUERY_RATING_DIFFERENCE)
        return truth(stamma_match_ratings(rule, white, black));
    if (g->odd && rule->kind != QUERY_RESULT)
        return test_odd(rule, g->odd);
    const verdict v = stamma_fact_verdict(rule, &facts);
    return v == VERDICT_MAYBE && rule->kind == QUERY_DATE && f ? test_day(f, rule, facts.month, g->rank) : v;
}

static verdict test_condition(const plan_filter *f, const query_condition *condition, const asked_game *g);

/* Tests a rule that is composed of conditions. */
static verdict test_composed(const plan_filter *f, const query_rule *rule, const asked_game *g)
{
    verdict least = VERDICT_YES, greatest = VERDICT_NO;
    for (const query_condition *c = rule->conditions; c; c = c->next) {
        const verdict v = is_of_games(c) ? test_condition(f, c, g) : VERDICT_MAYBE;
        least = verdict_lesser(v, least);
        greatest = v > greatest ? v : greatest;
    }
    switch (rule->kind) {
    case QUERY_ANY: return greatest;
    case QUERY_ALL: return least;
    default: return verdict_contrary(least);
    }
}

static verdict test_rule(const plan_filter *f, const query_rule *rule, const asked_game *g)
{
    if (stamma_rule_is_composed(rule->kind))
        return test_composed(f, rule, g);
    if (stamma_rule_is_fact(rule->kind) || rule->kind == QUERY_RATING_DIFFERENCE)
        return test_fact(f, rule, g);
    if (rule->kind == QUERY_SPEED)
        return test_speed(rule, g->facts.speed);
    if (rule->kind == QUERY_PLIES)
        return test_plies(f, rule, g->rank);
    if (stamma_rule_is_name(rule->kind))
        return test_names(f, rule, g->rank);
    if (stamma_rule_is_class(rule->kind))
        return stamma_plan_filter_class(f, rule, g->rank);
    return VERDICT_MAYBE;
}

static verdict test_condition(const plan_filter *f, const query_condition *condition, const asked_game *g)
{
    verdict v = VERDICT_YES;
    for (const query_rule *r = condition->rules; r && v != VERDICT_NO; r = r->next)
        v = verdict_lesser(v, test_rule(f, r, g));
    return v;
}

verdict stamma_plan_filter_rule(const plan_filter *f, const query_rule *rule, uint32_t rank)
{
    asked_game g = {.rank = rank};
    index_odd values = {.last = UINT32_MAX};
    if (!stamma_index_facts(f->file, f->segment, rank, &g.facts, &values))
        return VERDICT_NO;
    g.odd = values.last == UINT32_MAX ? NULL : &values;
    return test_rule(f, rule, &g);
}

verdict stamma_plan_facts_verdict(const query_rule *rule, const index_facts *facts)
{
    return test_rule(NULL, rule, &(asked_game){.facts = *facts});
}

/* Returns whether an endgame of the game decides the rules that neither facts nor names decide. */
static bool is_sure(const plan_filter *f, uint32_t rank)
{
    return f->sure.size > 0 && ((const uint64_t *)(const void *)f->sure.data)[rank / 64] >> rank % 64 & 1;
}

verdict stamma_plan_filter_test(const plan_filter *f, uint32_t rank)
{
    asked_game g = {.rank = rank};
    index_odd values = {.last = UINT32_MAX};
    if (plan_filter_next(f, rank, rank + 1) != rank)
        return VERDICT_NO;
    const bool sure = is_sure(f, rank);
    if (sure && f->endgames_decide)
        return VERDICT_YES;
    if (!f->without_facts && !stamma_index_facts(f->file, f->segment, rank, &g.facts, &values))
        return VERDICT_NO;
    g.odd = values.last == UINT32_MAX ? NULL : &values;
    const fact_tables *tables = g.odd ? NULL : f->tables;
    verdict v = tables ? fact_tables_test(tables, &g.facts) : VERDICT_YES;
    unsigned n = 0;
    if (v == VERDICT_MAYBE) { /* the tables do not have the day */
        tables = NULL;
        v = VERDICT_YES;
    }
    if (tables && tables->all)
        return v;
    for (const query_rule *r = f->root ? f->root->rules : NULL; r && v != VERDICT_NO; r = r->next, n++)
        if (r->kind != QUERY_FEN && !(tables && fact_tables_replace(tables, n)) && !(sure && !stamma_plan_filters(r)) &&
            !(f->met && stamma_rule_is_target(r->kind)))
            v = verdict_lesser(v, test_rule(f, r, &g));
    return v;
}

/* ---- many games ---- */

STAMMA_INLINE void lower_game(uint8_t *v, uint8_t entry)
{
    *v = entry < *v ? entry : *v;
}

/* Tests the rules on both ratings. A hot loop. */
static void test_both(const fact_tables *t, const uint8_t *at, uint32_t count, uint8_t *verdicts)
{
    for (uint32_t n = 0; n < count; n++, at += INDEX_FACTS_SIZE) {
        const unsigned both = load_u32(at), white = both & 4095, black = both >> 12 & 4095;
        if (white == 0 || black == 0) {
            lower_game(&verdicts[n], t->unrated);
        } else if (white == SEARCH_ODD_RATING || black == SEARCH_ODD_RATING) {
            lower_game(&verdicts[n], VERDICT_MAYBE);
        } else {
            lower_game(&verdicts[n], t->sums[white + black]);
            lower_game(&verdicts[n], t->differences[white + SEARCH_ODD_RATING - black]);
        }
    }
}

/* Stores the lowest verdicts of the tables for `count` games. A verdict that depends on odd facts is at most MAYBE. A
 * hot function: each loop loads one number of each game. */
static void test_by_tables(const fact_tables *t, const uint8_t *facts, uint32_t count, uint8_t *verdicts)
{
    enum { SIZE = INDEX_FACTS_SIZE };
    memset(verdicts, VERDICT_YES, count);
    if (t->used & FACTS_MONTH)
        for (uint32_t n = 0; n < count; n++)
            lower_game(&verdicts[n], t->months[load_u16(facts + n * SIZE + 3)]);
    if (t->used & FACTS_RESULT)
        for (uint32_t n = 0; n < count; n++)
            lower_game(&verdicts[n], t->results[facts[n * SIZE + 5] & 31]);
    if (t->used & FACTS_WHITE)
        for (uint32_t n = 0; n < count; n++)
            lower_game(&verdicts[n], t->ratings[STAMMA_WHITE][load_u16(facts + n * SIZE) & 4095]);
    if (t->used & FACTS_BLACK)
        for (uint32_t n = 0; n < count; n++)
            lower_game(&verdicts[n], t->ratings[STAMMA_BLACK][load_u16(facts + n * SIZE + 1) >> 4]);
    if (t->used & (FACTS_MEAN | FACTS_DIFFERENCE))
        test_both(t, facts, count, verdicts);
}

/* Tests the games of a run by the tables; tests a game by itself if the tables do not decide it. */
static bool test_run_by_tables(const plan_filter *f, uint32_t rank, uint32_t count, uint8_t *verdicts)
{
    const uint8_t *facts = index_bytes(f->file, f->segment, SECTION_FACTS, (uint64_t)rank * INDEX_FACTS_SIZE,
                                       (uint64_t)count * INDEX_FACTS_SIZE);
    if (!facts)
        return false;
    test_by_tables(f->tables, facts, count, verdicts);
    for (uint32_t n = 0; n < count; n++)
        if (f->tables->all ? verdicts[n] == VERDICT_MAYBE : verdicts[n] != VERDICT_NO)
            verdicts[n] = (uint8_t)stamma_plan_filter_test(f, rank + n);
    return true;
}

bool stamma_plan_filter_test_run(const plan_filter *f, uint32_t rank, uint32_t count, uint8_t *verdicts)
{
    const uint32_t end = rank + count;
    if (f->listed.size == 0 && f->tables)
        return test_run_by_tables(f, rank, count, verdicts);
    bool all = f->listed.size == 0;
    for (const query_rule *r = f->root ? f->root->rules : NULL; r && all; r = r->next)
        all = f->met && stamma_rule_is_target(r->kind);
    memset(verdicts, all ? VERDICT_YES : VERDICT_NO, count);
    for (uint32_t n = rank; !all && (n = plan_filter_next(f, n, end)) < end; n++)
        verdicts[n - rank] = (uint8_t)stamma_plan_filter_test(f, n);
    return true;
}
