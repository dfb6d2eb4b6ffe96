/* SPDX-License-Identifier: MIT */
/* Constraints of SQL as rules of the query language (doc/reference/search.md).
 *
 * A rule may match more games than the constraint, but never fewer. If a rule may match more, the database tests the
 * constraint again. Rules for texts and dates match more: texts are compared without case and accents, and an unknown
 * day of a date matches every day. */
#include "sql_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum rule_kind {
    RULE_NAME,  /* a name of a player */
    RULE_TAG,   /* a pattern of a tag */
    RULE_RANGE, /* a whole number */
    RULE_DATE,
    RULE_RESULT,
    RULE_ECO,
    RULE_OPENING,
    RULE_WORD,
    RULE_POSITION
} rule_kind;

static const struct rule {
    const char *column, *key;
    rule_kind kind;
    double equal, range; /* shares of games: with one value, and on one side of it */
} rules[] = {
    {"white", "white", RULE_NAME, 0.0005, 0},
    {"black", "black", RULE_NAME, 0.0005, 0},
    {"white_rating", "white-rating", RULE_RANGE, 0.002, 0.3},
    {"black_rating", "black-rating", RULE_RANGE, 0.002, 0.3},
    {"plies", "plies", RULE_RANGE, 0.01, 0.4},
    {"date", "date", RULE_DATE, 0.01, 0.4},
    {"result", "result", RULE_RESULT, 0.4, 0},
    {"eco", "eco", RULE_ECO, 0.01, 0.3},
    {"opening", "opening", RULE_OPENING, 0.01, 0},
    {"speed", "speed", RULE_WORD, 0.3, 0},
};

static const struct rule *find_rule(const tables_column *column)
{
    static const struct rule position = {"fen", "fen", RULE_POSITION, 0.001, 0};
    if (column->is_fen)
        return &position;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].column, column->name) == 0)
            return &rules[i];
    return NULL;
}

static bool is_range(tables_operator op)
{
    return op == TABLES_LESS || op == TABLES_GREATER;
}

static bool is_pattern(tables_operator op)
{
    return op == TABLES_LIKE || op == TABLES_GLOB;
}

tables_use tables_use_of(stamma_table table, const tables_column *column, tables_operator op)
{
    const bool games = table == STAMMA_TABLE_GAMES;
    if (column->is_fen)
        return op == TABLES_EQUAL ? TABLES_USE_RULE : TABLES_USE_NONE;
    if (strcmp(column->name, games ? "number" : "game") == 0)
        return is_pattern(op) ? TABLES_USE_NONE : TABLES_USE_NUMBER;
    const struct rule *rule = games ? find_rule(column) : NULL;
    const rule_kind kind = rule ? rule->kind : RULE_TAG;
    if (!rule && !(games && column->tag))
        return TABLES_USE_NONE;
    bool usable = op == TABLES_EQUAL;
    usable |= is_range(op) && (kind == RULE_RANGE || kind == RULE_DATE);
    usable |= is_pattern(op) && (kind == RULE_NAME || kind == RULE_TAG || kind == RULE_OPENING);
    return usable ? TABLES_USE_RULE : TABLES_USE_NONE;
}

double tables_share(const tables_column *column, tables_operator op)
{
    const struct rule *rule = find_rule(column);
    return is_range(op) ? (rule ? rule->range : 0.3) : is_pattern(op) ? 0.01 : rule ? rule->equal : 0.01;
}

/* ---- values ---- */

/* Returns whether a rule can compare a text. An empty text cannot be compared. Neither can a text with control
 * characters, backslashes or quotation marks: tags may contain other bytes in their place. */
static bool is_comparable(stamma_text text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] < 0x20 || text.data[i] == '\\' || text.data[i] == '"')
            return false;
    return text.size > 0;
}

/* Adds a text as a pattern of the query language. Wildcards for any text become `*`. Wildcards for a single character
 * also become `*`, because folding may replace a character by several. */
static bool put_pattern(tables_text *out, tables_operator op, stamma_text text)
{
    tables_text pattern = {.data = NULL};
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        const bool wild = op == TABLES_LIKE ? c == '%' || c == '_' : op == TABLES_GLOB && (c == '*' || c == '?');
        if (op == TABLES_GLOB && c == '[') {
            tables_text_put(&pattern, "*"); /* replaces a class and the rest of the pattern */
            break;
        }
        tables_text_add(&pattern, wild ? "*" : &text.data[i], 1);
    }
    const bool right = !pattern.failed && pattern.size > 0;
    if (right)
        tables_text_put_json(out, (stamma_text){pattern.data, pattern.size});
    free(pattern.data);
    return right;
}

/* Adds a name: exactly this name, or a pattern. Before a pattern, `=` would have another meaning. */
static bool put_name(tables_text *out, tables_operator op, stamma_text text)
{
    tables_text exact = {.data = NULL};
    if (op != TABLES_EQUAL)
        return text.data[0] != '=' && put_pattern(out, op, text);
    tables_text_put(&exact, "=");
    tables_text_add(&exact, text.data, text.size);
    const bool right = !exact.failed;
    if (right)
        tables_text_put_json(out, (stamma_text){exact.data, exact.size});
    free(exact.data);
    return right;
}

static bool is_text(const tables_value *value)
{
    return value->kind == TABLES_TEXT && is_comparable(value->text);
}

/* Adds the range of a number; ends outside the valid numbers are omitted. */
static bool put_range(tables_text *out, const struct rule *rule, tables_operator op, const tables_value *value)
{
    const int64_t most = rule->key[0] == 'p' ? UINT32_MAX / 2 : 9999, least = rule->key[0] == 'p' ? 0 : 1;
    double number = value->kind == TABLES_REAL ? value->real : (double)value->integer;
    if (value->kind != TABLES_INTEGER && value->kind != TABLES_REAL)
        return false;
    if (!(number >= (double)least) || !(number <= (double)most))
        return false;
    const int64_t whole = (int64_t)number;
    const bool exact = !(number > (double)whole);
    if (op == TABLES_EQUAL && !exact)
        return false;
    tables_text_put(out, "\"");
    if (op == TABLES_LESS)
        tables_text_put(out, "..");
    tables_text_put_integer(out, whole);
    tables_text_put(out, op == TABLES_GREATER ? "..\"" : "\"");
    return true;
}

/* Adds the month of a date such as "2010-05-31". A rule for a complete month also matches days that the month does not
 * have. */
static bool put_date(tables_text *out, tables_operator op, stamma_text text)
{
    static const char form[] = "dddd-dd";
    if (text.size < sizeof form - 1)
        return false;
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (form[i] == 'd' ? text.data[i] < '0' || text.data[i] > '9' : text.data[i] != form[i])
            return false;
    const int year = (int)strtol(text.data, NULL, 10), month = (text.data[5] - '0') * 10 + text.data[6] - '0';
    if (year < 1 || month < 1 || month > 12)
        return false;
    tables_text_put(out, op == TABLES_LESS ? "\".." : "\"");
    tables_text_add(out, text.data, 4);
    tables_text_put(out, ".");
    tables_text_add(out, text.data + 5, 2);
    tables_text_put(out, op == TABLES_GREATER ? "..\"" : "\"");
    return true;
}

static bool is_word(stamma_text text, const char *const *words)
{
    for (; *words; words++)
        if (text.size == strlen(*words) && memcmp(text.data, *words, text.size) == 0)
            return true;
    return false;
}

static bool put_word(tables_text *out, stamma_text text, const char *const *words)
{
    if (!is_word(text, words))
        return false;
    tables_text_put_json(out, text);
    return true;
}

/* Adds a code, or the first part of a longer text that begins with a code. */
static bool put_eco(tables_text *out, stamma_text text)
{
    size_t size = 0;
    if (text.size > 0 && text.data[0] >= 'A' && text.data[0] <= 'E')
        for (size = 1; size < text.size && size < 3 && text.data[size] >= '0' && text.data[size] <= '9';)
            size++;
    if (size == 0)
        return false;
    tables_text_put_json(out, (stamma_text){text.data, size});
    return true;
}

static bool put_position(tables_text *out, const tables_value *value)
{
    stamma_position position;
    if (!is_text(value) || stamma_fen_read(value->text, &position, NULL, NULL))
        return false;
    tables_text_put_json(out, value->text);
    return true;
}

/* Adds a value of a rule. Returns false if the rule cannot express it. */
static bool put_value(tables_text *out, const struct rule *rule, tables_operator op, const tables_value *value)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", NULL}; /* `*` may also be a missing result */
    static const char *const speeds[] = {"ultraBullet", "bullet",         "blitz", "rapid",
                                         "classical",   "correspondence", NULL};
    const rule_kind kind = rule ? rule->kind : RULE_TAG;
    if (kind == RULE_POSITION)
        return put_position(out, value);
    if (kind == RULE_RANGE)
        return put_range(out, rule, op, value);
    if (!is_text(value))
        return false;
    switch (kind) {
    case RULE_NAME: return put_name(out, op, value->text);
    case RULE_OPENING: return value->text.data[0] != '=' && put_pattern(out, op, value->text);
    case RULE_TAG: return put_pattern(out, op, value->text);
    case RULE_DATE: return put_date(out, op, value->text);
    case RULE_RESULT: return put_word(out, value->text, results);
    case RULE_ECO: return put_eco(out, value->text);
    case RULE_WORD: return put_word(out, value->text, speeds);
    case RULE_RANGE:
    case RULE_POSITION: break;
    }
    return false;
}

/* ---- queries ---- */

/* Returns the error of a query, and describes it in *problem, which may be NULL. */
static stamma_error check_query(stamma_text json, stamma_query_problem *problem)
{
    stamma_query *query = NULL;
    const stamma_error error = stamma_query_parse(json, NULL, problem, &query);
    stamma_query_close(query);
    return error;
}

static void begin(tables_rules *r)
{
    tables_text_put(&r->text, r->count++ ? "," : "{\"all\":[");
}

/* Appends `before`, a list of values, and `after` to the query. Appends nothing if a rule cannot express the values. */
static void add_list(tables_rules *r, const char *before, const char *key, const char *after, const struct rule *rule,
                     tables_operator op, const tables_value *values, size_t count)
{
    const tables_rules earlier = *r;
    begin(r);
    const size_t condition = r->text.size;
    tables_text_put(&r->text, before);
    tables_text_put_json(&r->text, stamma_text_of(key));
    tables_text_put(&r->text, ":[");
    bool right = count > 0;
    for (size_t i = 0; i < count && right; i++) {
        if (i > 0)
            tables_text_put(&r->text, ",");
        right = put_value(&r->text, rule, op, &values[i]);
    }
    tables_text_put(&r->text, "]");
    tables_text_put(&r->text, after);
    right = right && !r->text.failed &&
            !check_query((stamma_text){r->text.data + condition, r->text.size - condition}, NULL);
    if (!right) {
        r->count = earlier.count;
        r->text.size = earlier.text.size;
    }
}

void tables_rules_add(tables_rules *rules_so_far, const tables_column *column, tables_operator op,
                      const tables_value *values, size_t count)
{
    /* If the tag is missing, empty or `?`, the columns contain the opening that was played. The rule "eco" reads only
     * the tag, and the rule "opening" reads an empty tag as a name. */
    static const char no_code[] = "},{\"not\":{\"tag\":{\"ECO\":\"??*\"}}}]}";
    static const char empty_name[] = "},{\"tag\":{\"Opening\":\"\"}}]}";
    const struct rule *rule = find_rule(column);
    if (!rule && column->tag)
        add_list(rules_so_far, "{\"tag\":{", column->tag, "}}", NULL, op, values, count);
    else if (rule && rule->kind == RULE_ECO)
        add_list(rules_so_far, "{\"any\":[{", rule->key, no_code, rule, op, values, count);
    else if (rule && rule->kind == RULE_OPENING)
        add_list(rules_so_far, "{\"any\":[{", rule->key, empty_name, rule, op, values, count);
    else if (rule)
        add_list(rules_so_far, "{", rule->key, "}", rule, op, values, count);
}

bool tables_rules_find(tables_rules *r, stamma_text json, tables_fault *fault)
{
    stamma_query_problem problem = {.message = ""};
    const stamma_error error = check_query(json, &problem);
    if (error == STAMMA_ERROR_SYNTAX)
        return tables_fail(fault, "query: %s (at byte %zu)", problem.message, problem.offset + 1);
    tables_text_add(&r->find, json.data, json.size);
    return !(error || r->find.failed) || tables_fail_memory(fault);
}

bool tables_rules_add_named(tables_rules *r, const char *name, const char *value, tables_fault *fault)
{
    stamma_query_problem problem = {.message = ""};
    begin(r);
    r->exact = true;
    const size_t condition = r->text.size;
    tables_text_put(&r->text, "{\"");
    for (; *name; name++)
        tables_text_put(&r->text, *name == '_' ? "-" : (const char[2]){*name, '\0'});
    tables_text_put(&r->text, "\":");
    tables_text_put(&r->text, value);
    tables_text_put(&r->text, "}");
    if (r->text.failed)
        return tables_fail_memory(fault);
    const stamma_text text = {r->text.data + condition, r->text.size - condition};
    const stamma_error error = check_query(text, &problem);
    if (error == STAMMA_ERROR_SYNTAX)
        return tables_fail(fault, "%.*s: %s", (int)(text.size < 200 ? text.size : 200), text.data, problem.message);
    return !error || tables_fail_memory(fault);
}

bool tables_rules_add_position(tables_rules *r, stamma_text fen, tables_fault *fault)
{
    stamma_position position;
    size_t offset = 0;
    if (stamma_fen_read(fen, &position, NULL, &offset))
        return tables_fail(fault, "\"%.*s\" is not a position", (int)(fen.size < 100 ? fen.size : 100), fen.data);
    begin(r);
    r->exact = true;
    /* The other conditions may hold at another ply. */
    tables_text_put(&r->text, "{\"not\":{\"never\":{\"fen\":");
    tables_text_put_json(&r->text, fen);
    tables_text_put(&r->text, "}}}");
    return true;
}

void tables_rules_add_player(tables_rules *r, stamma_text name)
{
    begin(r);
    r->exact = true;
    tables_text_put(&r->text, "{\"player\":");
    tables_text_put_json(&r->text, name);
    tables_text_put(&r->text, "}");
}

bool tables_rules_end(tables_rules *r, const char **query, tables_fault *fault)
{
    *query = r->find.data;
    if (r->count == 0)
        return true;
    if (r->find.data) {
        tables_text_put(&r->text, ",");
        tables_text_add(&r->text, r->find.data, r->find.size);
    }
    tables_text_put(&r->text, "]}");
    if (r->text.failed)
        return tables_fail_memory(fault);
    /* A condition within another cannot have "skip" and "limit". The database tests other conditions again. */
    if (!check_query((stamma_text){r->text.data, r->text.size}, NULL))
        *query = r->text.data;
    else if (r->exact)
        return tables_fail(fault, "a query with \"skip\" or \"limit\" cannot be used with other conditions");
    return true;
}

void tables_rules_release(tables_rules *r)
{
    free(r->text.data);
    free(r->find.data);
    *r = (tables_rules){.count = 0};
}
