/* SPDX-License-Identifier: MIT */
/* The values of a query's rules: names, patterns, tags and opening codes. */
#include "query/query.h"

static bool keep_text(query_parser *parser, const void *data, size_t size, stamma_text *text)
{
    char *copy = stamma_query_allocate(parser, size, 1);
    if (!copy)
        return false;
    if (size)
        memcpy(copy, data, size);
    *text = (stamma_text){copy, size};
    return true;
}

/* Stores the folded text between `beginning` and `ending`. For comments, runs of blanks become one space. */
static bool keep_between(query_parser *parser, const char *beginning, stamma_text text, const char *ending,
                         bool comment, query_pattern *pattern)
{
    buffer folded = {.allocator = &parser->query->allocator};
    buffer_add(&folded, beginning, strlen(beginning));
    stamma_fold(text, &folded);
    if (comment)
        stamma_fold_blanks(&folded);
    buffer_add(&folded, ending, strlen(ending));
    for (size_t n = 0; n < folded.size && !comment; n++)
        if (folded.data[n] == NAME_KEY_MARK)
            folded.data[n] = '?'; /* only patterns that are made here have the mark */
    if (folded.failed)
        parser->error = STAMMA_ERROR_NO_MEMORY;
    bool kept = !folded.failed && keep_text(parser, folded.data, folded.size, &pattern->text);
    stamma_buffer_release(&folded);
    return kept;
}

static bool keep_folded(query_parser *parser, stamma_text text, const char *ending, bool comment,
                        query_pattern *pattern)
{
    return keep_between(parser, "", text, ending, comment, pattern);
}

/* Stores the pattern of exactly this name. */
static bool keep_exact(query_parser *parser, stamma_text name, query_pattern *pattern)
{
    buffer folded = {.allocator = &parser->query->allocator}, exact = folded;
    stamma_fold(name, &folded);
    stamma_name_exact_pattern((stamma_text){folded.size ? (const char *)folded.data : "", folded.size}, &exact);
    const bool failed = folded.failed || exact.failed;
    if (failed)
        parser->error = STAMMA_ERROR_NO_MEMORY;
    const bool kept = !failed && keep_text(parser, exact.data, exact.size, &pattern->text);
    stamma_buffer_release(&folded);
    stamma_buffer_release(&exact);
    return kept;
}

/* Returns whether a pattern is that of exactly one name, which has no other spellings. */
static bool is_exact(const query_pattern *pattern)
{
    return memchr(pattern->text.data, NAME_KEY_MARK, pattern->text.size) != NULL;
}

bool stamma_query_parse_name(query_parser *parser, const json_value *value, void *pattern)
{
    static const char message[] = "expected a name such as \"Carlsen\", or \"=Carlsen, Magnus\" for exactly this name";
    stamma_text text = json_text(&parser->json, value);
    if (!stamma_query_is_text(parser, value, message))
        return false;
    const bool exact = text.size > 0 && text.data[0] == '=';
    if (text.size == exact)
        return stamma_query_fault_value(parser, value, message);
    return exact ? keep_exact(parser, (stamma_text){text.data + 1, text.size - 1}, pattern)
                 : keep_folded(parser, text, "*", false, pattern);
}

/* Patterns that are added to a rule. */
typedef struct rule_patterns {
    query_parser *parser;
    query_pattern *patterns;
    size_t count;
} rule_patterns;

static bool add_pattern(void *context, stamma_text text)
{
    rule_patterns *to = (rule_patterns *)context;
    return keep_text(to->parser, text.data, text.size, &to->patterns[to->count++].text);
}

bool stamma_query_expand_names(query_parser *parser, query_rule *rule)
{
    const query_pattern *names = rule->values;
    rule_patterns to = {parser, stamma_query_allocate(parser, rule->count * NAME_PATTERNS, sizeof *names), 0};
    for (size_t n = 0; n < rule->count && to.patterns; n++)
        if (is_exact(&names[n]) ? !add_pattern(&to, names[n].text)
                                : !stamma_name_patterns(names[n].text, add_pattern, &to))
            return false;
    rule->values = to.patterns;
    rule->count = to.count;
    return to.patterns != NULL;
}

bool stamma_query_parse_pattern(query_parser *parser, const json_value *value, void *pattern)
{
    if (value->kind != JSON_TEXT && value->kind != JSON_NUMBER)
        return stamma_query_fault_value(parser, value, "expected a text, in which * stands for any text");
    return keep_folded(parser, json_text(&parser->json, value), "", false, pattern);
}

bool stamma_query_parse_opening(query_parser *parser, const json_value *value, void *pattern)
{
    static const char message[] = "expected a part of an opening's name, such as \"Najdorf\"";
    stamma_text text = json_text(&parser->json, value);
    if (!stamma_query_is_text(parser, value, message))
        return false;
    if (text.size > 1 && text.data[0] == '=')
        return keep_folded(parser, (stamma_text){text.data + 1, text.size - 1}, "", false, pattern);
    return text.size ? keep_between(parser, "*", text, "*", false, pattern)
                     : stamma_query_fault_value(parser, value, message);
}

bool stamma_query_parse_comment(query_parser *parser, const json_value *value, void *pattern)
{
    static const char message[] = "expected a text that a comment contains";
    stamma_text text = json_text(&parser->json, value);
    if (!stamma_query_is_text(parser, value, message))
        return false;
    return text.size ? keep_folded(parser, text, "", true, pattern) : stamma_query_fault_value(parser, value, message);
}

/* Makes one pattern that matches all spellings of a name. */
static bool expand_name(query_parser *parser, query_pattern *name)
{
    if (is_exact(name))
        return true;
    buffer pattern = {.allocator = &parser->query->allocator};
    const stamma_text text = stamma_name_pattern(name->text, &pattern);
    const bool kept = !pattern.failed && keep_text(parser, text.data, text.size, &name->text);
    if (pattern.failed)
        parser->error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&pattern);
    return kept;
}

bool stamma_query_parse_players(query_parser *parser, const json_value *value, void *players)
{
    query_players *p = players;
    const json_value *one = value->kind == JSON_LIST ? json_first(&parser->json, value) : NULL;
    const json_value *other = one ? json_next(&parser->json, one) : NULL;
    if (!other || json_next(&parser->json, other))
        return stamma_query_fault_value(parser, value, "expected two names such as [\"Carlsen\", \"Anand\"]");
    return stamma_query_parse_name(parser, one, &p->one) && stamma_query_parse_name(parser, other, &p->other) &&
           expand_name(parser, &p->one) && expand_name(parser, &p->other);
}

/* Reads the patterns of one tag. */
static bool parse_tag(query_parser *parser, const json_value *member, query_tag *tag)
{
    bool list = member->kind == JSON_LIST;
    const json_value *first = list ? json_first(&parser->json, member) : member;
    for (const json_value *v = first; v; v = list ? json_next(&parser->json, v) : NULL)
        tag->count++;
    if (tag->count == 0)
        return stamma_query_fault_value(parser, member, "an empty list; nothing can be one of these");
    stamma_text name = json_name(&parser->json, member);
    query_pattern *patterns = stamma_query_allocate(parser, tag->count, sizeof *patterns);
    tag->patterns = patterns;
    if (!patterns || !keep_text(parser, name.data, name.size, &tag->name))
        return false;
    for (const json_value *v = first; v; v = list ? json_next(&parser->json, v) : NULL)
        if (!stamma_query_parse_pattern(parser, v, patterns++))
            return false;
    return true;
}

bool stamma_query_parse_tags(query_parser *parser, const json_value *value, query_rule *rule)
{
    const json_value *first = value->kind == JSON_OBJECT ? json_first(&parser->json, value) : NULL;
    for (const json_value *v = first; v; v = json_next(&parser->json, v))
        rule->count++;
    if (rule->count == 0)
        return stamma_query_fault_value(parser, value,
                                        "expected tags and patterns such as {\"Annotator\": \"*botvinnik*\"}");
    query_tag *tags = stamma_query_allocate(parser, rule->count, sizeof *tags);
    rule->values = tags;
    for (const json_value *v = first; v && tags; v = json_next(&parser->json, v))
        if (!parse_tag(parser, v, tags++))
            return false;
    return tags != NULL;
}

/* ---- opening codes ---- */

static bool keep_code(query_parser *parser, stamma_text text, stamma_text *code)
{
    char capitals[3];
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        capitals[i] = (char)(i == 0 && c >= 'a' ? c - 32 : c);
    }
    return keep_text(parser, capitals, text.size, code);
}

/* Returns whether the text is a code such as E, E9 or E97. */
static bool is_code(stamma_text text)
{
    if (text.size == 0 || text.size > 3 || !text.data[0] || !strchr("ABCDEabcde", text.data[0]))
        return false;
    return (text.size < 2 || text_is_digit(text.data[1])) && (text.size < 3 || text_is_digit(text.data[2]));
}

bool stamma_query_parse_eco(query_parser *parser, const json_value *value, void *eco)
{
    static const char message[] = "expected a code such as \"B90\" or a range such as \"B90..B99\"";
    query_eco *e = eco;
    query_slice ends[2];
    if (value->kind != JSON_TEXT || !stamma_query_split_range(json_text(&parser->json, value), &ends[0], &ends[1]))
        return stamma_query_fault_value(parser, value, message);
    for (unsigned i = 0; i < 2; i++)
        if (ends[i].text.size && !is_code(ends[i].text))
            return stamma_query_fault_text(parser, value, ends[i].at, ends[i].text.size, message);
    if (!keep_code(parser, ends[0].text, &e->low) || !keep_code(parser, ends[1].text, &e->high))
        return false;
    size_t least = e->low.size < e->high.size ? e->low.size : e->high.size;
    return memcmp(e->low.data, e->high.data, least) <= 0 ||
           stamma_query_fault_value(parser, value, "this range ends before it begins");
}
