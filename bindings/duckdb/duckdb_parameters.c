/* SPDX-License-Identifier: MIT */
/* Parameters of the table functions: the names of archives, and conditions. */
#include "duckdb_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rules about the game (doc/reference/search.md) that are parameters. DuckDB's C API passes no conditions of WHERE to a
 * table function, so that these parameters are the way to skip games without decoding them. */
static const char *const conditions[] = {
    "player",  "white",  "black",        "event",        "site",        "round",   "eco",
    "opening", "result", "white_rating", "black_rating", "each_rating", "rating",  "rating_difference",
    "date",    "speed",  "time_control", "termination",  "plies",       "comment", "has",
    "flag",
};
enum { CONDITIONS = sizeof conditions / sizeof *conditions };

void stamma_duckdb_named(duckdb_table_function function, const char *name, duckdb_type type)
{
    duckdb_logical_type logical = duckdb_create_logical_type(type);
    duckdb_table_function_add_named_parameter(function, name, logical);
    duckdb_destroy_logical_type(&logical);
}

duckdb_table_function stamma_duckdb_function(const char *name)
{
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_logical_type any = duckdb_create_logical_type(DUCKDB_TYPE_ANY); /* a text, or a list */
    duckdb_table_function_set_name(function, name);
    duckdb_table_function_add_parameter(function, any);
    for (size_t i = 0; i < CONDITIONS; i++)
        stamma_duckdb_named(function, conditions[i], DUCKDB_TYPE_ANY);
    stamma_duckdb_named(function, "position", DUCKDB_TYPE_VARCHAR); /* quoted in SQL: a keyword before DuckDB 2.0 */
    stamma_duckdb_named(function, "query", DUCKDB_TYPE_VARCHAR);
    stamma_duckdb_named(function, "find", DUCKDB_TYPE_VARCHAR); /* an earlier name */
    duckdb_destroy_logical_type(&any);
    return function;
}

/* ---- values ---- */

char *stamma_duckdb_text(duckdb_bind_info info, const char *name)
{
    duckdb_value value = duckdb_bind_get_named_parameter(info, name);
    char *text = value && !duckdb_is_null_value(value) ? duckdb_get_varchar(value) : NULL;
    if (value)
        duckdb_destroy_value(&value);
    return text;
}

bool stamma_duckdb_number(duckdb_bind_info info, const char *name, int64_t *number)
{
    duckdb_value value = duckdb_bind_get_named_parameter(info, name);
    if (!value)
        return false;
    *number = duckdb_get_int64(value);
    duckdb_destroy_value(&value);
    return true;
}

/* Calls a function with a text, or with each text of a list. Returns false if it has returned false, or for a null. */
static bool each_text(duckdb_value value, bool (*take)(void *context, const char *text), void *context)
{
    if (duckdb_is_null_value(value))
        return false;
    if (duckdb_get_type_id(duckdb_get_value_type(value)) != DUCKDB_TYPE_LIST) {
        char *text = duckdb_get_varchar(value);
        const bool right = text && take(context, text);
        duckdb_free(text);
        return right;
    }
    bool right = true;
    for (idx_t i = 0; i < duckdb_get_list_size(value) && right; i++) {
        duckdb_value child = duckdb_get_list_child(value, i);
        right = each_text(child, take, context);
        duckdb_destroy_value(&child);
    }
    return right;
}

/* ---- archives ---- */

typedef struct adding {
    tables_archives *archives;
    tables_fault *fault;
} adding;

static bool add_archives(void *context, const char *pattern)
{
    const adding *a = context;
    return tables_archives_add(a->archives, pattern, a->fault);
}

bool stamma_duckdb_archives(duckdb_bind_info info, tables_archives *archives, tables_fault *fault)
{
    duckdb_value value = duckdb_bind_get_parameter(info, 0);
    adding a = {archives, fault};
    fault->text[0] = '\0';
    bool right = value && each_text(value, add_archives, &a);
    if (value)
        duckdb_destroy_value(&value);
    if (!right && !fault->no_memory && fault->text[0] == '\0')
        return tables_fail(fault, "the name of an archive is NULL");
    return right && (archives->count > 0 || tables_fail(fault, "the list of archives is empty"));
}

/* ---- conditions ---- */

static bool put_text(void *context, const char *text)
{
    tables_text *json = context;
    tables_text_put(json, json->size > 1 ? "," : "");
    tables_text_put_json(json, stamma_text_of(text));
    return true;
}

/* Adds a condition that was passed. Its value is a text, a number, or a list of these: one of them. */
static bool add_condition(duckdb_bind_info info, const char *name, tables_rules *rules, tables_fault *fault)
{
    duckdb_value value = duckdb_bind_get_named_parameter(info, name);
    tables_text json = {.data = NULL};
    if (!value)
        return true;
    tables_text_put(&json, "[");
    bool right = each_text(value, put_text, &json) || tables_fail(fault, "%s is NULL", name);
    tables_text_put(&json, "]");
    right =
        right && (!json.failed || tables_fail_memory(fault)) && tables_rules_add_named(rules, name, json.data, fault);
    free(json.data);
    duckdb_destroy_value(&value);
    return right;
}

bool stamma_duckdb_rules(duckdb_bind_info info, tables_rules *rules, const char **query, tables_fault *fault)
{
    char *given = stamma_duckdb_text(info, "query"), *position = stamma_duckdb_text(info, "position");
    if (!given)
        given = stamma_duckdb_text(info, "find");
    bool right = !given || tables_rules_find(rules, stamma_text_of(given), fault);
    right = right && (!position || tables_rules_add_position(rules, stamma_text_of(position), fault));
    for (size_t i = 0; i < CONDITIONS && right; i++)
        right = add_condition(info, conditions[i], rules, fault);
    duckdb_free(given);
    duckdb_free(position);
    return right && tables_rules_end(rules, query, fault);
}
