/* SPDX-License-Identifier: MIT */
/* Makes the rules about names in the JSON of --query hold for all spellings of a table, and for persons. The JSON is a
 * sound query: its syntax is not checked again. */
#include "questions/condition_names.h"

typedef struct rewriting {
    condition_names *names;
    const char *at, *end;
    bool any; /* a rule has other spellings */
} rewriting;

/* Rules whose values are conditions or lists of conditions. */
static bool has_conditions(stamma_text key)
{
    static const char *const keys[] = {"\"all\"",   "\"any\"",      "\"not\"",   "\"never\"",
                                       "\"final\"", "\"sequence\"", "\"streak\""};
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
        if (tool_text_is(key, keys[n]))
            return true;
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(rewriting *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

/* Skips a string with its quotes. */
static void skip_string(rewriting *r)
{
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
        r->at += *r->at == '\\';
    r->at++;
}

/* Returns the next value, and moves after it. */
static stamma_text take_value(rewriting *r)
{
    unsigned depth = 0;
    skip_blanks(r);
    const char *begin = r->at;
    do {
        if (*r->at == '"') {
            skip_string(r);
        } else {
            depth += *r->at == '{' || *r->at == '[';
            depth -= *r->at == '}' || *r->at == ']';
            r->at++;
        }
    } while (r->at < r->end &&
             (depth > 0 || (!is_blank(*r->at) && *r->at != ',' && *r->at != ':' && *r->at != ']' && *r->at != '}')));
    return (stamma_text){begin, (size_t)(r->at - begin)};
}

/* Skips a comma or colon. Returns whether a value follows. */
static bool take_mark(rewriting *r)
{
    skip_blanks(r);
    if (r->at < r->end && (*r->at == ',' || *r->at == ':'))
        r->at++;
    skip_blanks(r);
    return r->at < r->end && *r->at != ']' && *r->at != '}';
}

static void put(tool_buffer *out, stamma_text text)
{
    (void)tool_buffer_add(out, text.data, text.size);
}

/* Puts an element of a list, after a comma if it is not the first. */
static void put_comma(tool_buffer *out)
{
    if (out->size > 0 && out->bytes[out->size - 1] != '[' && out->bytes[out->size - 1] != '{')
        put(out, stamma_text_of(","));
}

/* Puts the rule "players": one player has the first name, the other player has the second. */
static bool put_players(rewriting *r, stamma_text value, tool_buffer *out, bool *any)
{
    rewriting list = {r->names, value.data + 1, value.data + value.size, false};
    const stamma_text first = take_value(&list);
    (void)take_mark(&list);
    const stamma_text names[] = {first, take_value(&list)};
    bool right = true;
    put(out, stamma_text_of("{\"any\":["));
    for (size_t n = 0; n < 2 && right; n++) {
        put_comma(out);
        put(out, stamma_text_of("{\"all\":["));
        right = condition_names_put(r->names, stamma_text_of("\"white\""), names[n], out, any);
        put(out, stamma_text_of(","));
        right = right && condition_names_put(r->names, stamma_text_of("\"black\""), names[1 - n], out, any);
        put(out, stamma_text_of("]}"));
    }
    put(out, stamma_text_of("]}"));
    return right;
}

/* Puts the condition of a rule about a name into the list `names`, if the table has other spellings of the name. */
static bool put_name(rewriting *r, stamma_text key, stamma_text value, tool_buffer *names, bool *any)
{
    const size_t before = names->size;
    *any = false;
    put_comma(names);
    bool right = tool_text_is(key, "\"players\"") ? put_players(r, value, names, any)
                                                  : condition_names_put(r->names, key, value, names, any);
    if (!*any)
        names->size = before;
    r->any |= *any;
    return right;
}

static bool rewrite(rewriting *r, stamma_text value, tool_buffer *out);

/* Puts the elements of a list of conditions. */
static bool rewrite_list(rewriting *r, stamma_text value, tool_buffer *out)
{
    rewriting list = {r->names, value.data + 1, value.data + value.size, false};
    bool right = true;
    while (right && take_mark(&list)) {
        put_comma(out);
        right = rewrite(&list, take_value(&list), out);
    }
    r->any |= list.any;
    return right;
}

/* Puts a condition. Its rules about names become elements of its list "all". */
static bool rewrite_object(rewriting *r, stamma_text value, tool_buffer *out)
{
    rewriting object = {r->names, value.data + 1, value.data + value.size, false};
    tool_buffer all = {NULL, 0, 0, false};
    bool right = true, listed = false;
    put(out, stamma_text_of("{"));
    while (right && take_mark(&object)) {
        const stamma_text key = take_value(&object);
        (void)take_mark(&object);
        const stamma_text rule = take_value(&object);
        bool any = false;
        if (tool_text_is(key, "\"all\"")) {
            listed = true;
            right = rewrite_list(&object, rule, &all);
            continue;
        }
        if (tool_text_is(key, "\"players\"") || condition_names_has(key))
            right = put_name(&object, key, rule, &all, &any);
        if (any)
            continue;
        put_comma(out);
        put(out, key);
        put(out, stamma_text_of(":"));
        right = right && (has_conditions(key) ? rewrite(&object, rule, out) : (put(out, rule), true));
    }
    if (listed || all.size > 0) {
        put_comma(out);
        put(out, stamma_text_of("\"all\":["));
        put(out, (stamma_text){all.bytes, all.size});
        put(out, stamma_text_of("]"));
    }
    put(out, stamma_text_of("}"));
    out->failed |= all.failed;
    tool_buffer_free(&all);
    r->any |= object.any;
    return right;
}

/* Puts a condition or a list of conditions. Calls itself to the depth at which they are nested. */
static bool rewrite(rewriting *r, stamma_text value, tool_buffer *out)
{
    if (value.data[0] == '{')
        return rewrite_object(r, value, out);
    put(out, stamma_text_of("["));
    bool right = rewrite_list(r, value, out);
    put(out, stamma_text_of("]"));
    return right;
}

bool query_names_expand(condition_names *names, stamma_text json, tool_buffer *out, bool *any)
{
    stamma_query *query = NULL;
    *any = false;
    const stamma_error error = stamma_query_parse(json, NULL, NULL, &query);
    if (error)
        return error == STAMMA_ERROR_SYNTAX || tool_fail_memory(NULL); /* the caller parses it again, and reports it */
    stamma_query_close(query);
    rewriting r = {names, json.data, json.data + json.size, false};
    bool right = rewrite(&r, take_value(&r), out);
    *any = r.any;
    return right;
}
