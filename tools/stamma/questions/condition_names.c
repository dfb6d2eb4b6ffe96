/* SPDX-License-Identifier: MIT */
/* Makes conditions about names hold for all spellings of a table of `stamma names`. */
#include "questions/condition_names.h"

static const struct {
    const char *name, *tag;
    stamma_name_kind field;
} conditions[] = {{"player", "White", STAMMA_NAME_PLAYER},
                  {"white", "White", STAMMA_NAME_PLAYER},
                  {"black", "Black", STAMMA_NAME_PLAYER},
                  {"event", "Event", STAMMA_NAME_EVENT},
                  {"site", "Site", STAMMA_NAME_SITE}};
enum { CONDITIONS = sizeof conditions / sizeof *conditions };

static size_t condition_of(stamma_text name)
{
    size_t n = 0;
    while (n < CONDITIONS && !tool_text_is(name, conditions[n].name))
        n++;
    return n;
}

/* Removes the quotes of a key. */
static stamma_text name_of(stamma_text key)
{
    return (stamma_text){key.data + 1, key.size - 2};
}

static void put(tool_buffer *text, const char *string)
{
    (void)tool_buffer_add(text, string, strlen(string));
}

/* Puts a beginning and a text in quotes. A text that is not UTF-8 is read as Windows-1252. */
static void put_text(tool_buffer *text, const char *beginning, stamma_text value)
{
    bool utf8 = tool_text_is_utf8(value);
    char code[8];
    put(text, "\"");
    put(text, beginning);
    for (size_t n = 0; n < value.size; n++) {
        uint8_t byte = (uint8_t)value.data[n];
        if (byte < 0x20 || byte == '"' || byte == '\\' || (byte >= 0x7F && !utf8)) {
            (void)snprintf(code, sizeof code, "\\u%04x", stamma_windows_1252_read(byte));
            put(text, code);
        } else {
            (void)tool_buffer_add(text, &byte, 1);
        }
    }
    put(text, "\"");
}

/* Puts a rule for games with exactly this name. In a pattern of an event or site, `*` and `?` match any text. */
static void put_name(tool_buffer *text, size_t c, stamma_text name)
{
    put(text, ",{\"");
    put(text, conditions[c].name);
    put(text, "\":");
    put_text(text, conditions[c].field == STAMMA_NAME_PLAYER ? "=" : "", name);
    put(text, "}");
}

/* Finds the value that a row leads to. */
static stamma_text target_of(const tool_name_table *t, const tool_name_row *row)
{
    const tool_name_place place = {row->id, row->event, row->site, row->round};
    return tool_name_table_find(t, row->field, row->from, &place);
}

/* Stores for which names of the table the condition holds: two for each row, `from` and `to`. `value`: JSON. */
static bool match_names(const tool_name_table *t, size_t c, stamma_text value, bool *matches)
{
    tool_buffer json = {NULL, 0, 0, false};
    stamma_query *query = NULL;
    stamma_matcher *matcher = NULL;
    put(&json, "{\"");
    put(&json, c > 0 ? conditions[c].name : "white");
    put(&json, "\":");
    (void)tool_buffer_add(&json, value.data, value.size);
    put(&json, "}");
    stamma_error error = json.failed ? STAMMA_ERROR_NO_MEMORY
                                     : stamma_query_parse((stamma_text){json.bytes, json.size}, NULL, NULL, &query);
    error = error ? error : stamma_matcher_open(query, NULL, &matcher);
    for (size_t n = 0; n < 2 * t->count && !error; n++) {
        const tool_name_row *row = &t->rows[n / 2];
        const stamma_tag tag = {.name = stamma_text_of(conditions[c].tag), .value = n % 2 == 0 ? row->from : row->to};
        const stamma_archive_game game = {.number = 1, .tag_count = 1, .tags = &tag, .start = stamma_position_start()};
        const uint32_t *plies;
        size_t count;
        if (row->field == conditions[c].field)
            error = stamma_matcher_test(matcher, &game, &matches[n], &plies, &count);
    }
    stamma_matcher_close(matcher);
    stamma_query_close(query);
    tool_buffer_free(&json);
    if (error && error != STAMMA_ERROR_SYNTAX)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error || error == STAMMA_ERROR_SYNTAX; /* the caller parses the condition again, and reports its error */
}

/* Lists the values that the matching names lead to, and then all names that lead to these. Returns their number. */
static size_t list_names(const tool_name_table *t, size_t c, const bool *matches, stamma_text *names)
{
    size_t targets = 0, count;
    for (size_t n = 0; n < t->count; n++)
        if (t->rows[n].field == conditions[c].field && (matches[2 * n] || matches[2 * n + 1]))
            names[targets++] = target_of(t, &t->rows[n]);
    if (targets > 1)
        qsort(names, targets, sizeof *names, tool_text_compare);
    count = targets;
    for (size_t n = 0; n < t->count && targets > 0; n++) {
        stamma_text target = t->rows[n].field == conditions[c].field ? target_of(t, &t->rows[n]) : (stamma_text){"", 0};
        if (target.size > 0 && bsearch(&target, names, targets, sizeof *names, tool_text_compare))
            names[count++] = t->rows[n].from;
    }
    if (count > 1)
        qsort(names, count, sizeof *names, tool_text_compare);
    return count;
}

bool condition_names_has(stamma_text key)
{
    return condition_of(name_of(key)) < CONDITIONS;
}

bool condition_names_put(const tool_name_table *t, stamma_text key, stamma_text value, tool_buffer *text, bool *any)
{
    const size_t c = condition_of(name_of(key));
    bool *matches = calloc(2 * t->count + 1, sizeof *matches);
    stamma_text *names = calloc(2 * t->count + 1, sizeof *names);
    bool right = matches && names ? match_names(t, c, value, matches) : tool_fail_memory(NULL);
    size_t count = right ? list_names(t, c, matches, names) : 0;
    *any |= count > 0;
    put(text, "{\"any\":[{");
    (void)tool_buffer_add(text, key.data, key.size);
    put(text, ":");
    (void)tool_buffer_add(text, value.data, value.size);
    put(text, "}");
    for (size_t n = 0; n < count; n++)
        if (n == 0 || !tool_text_equal(names[n], names[n - 1]))
            put_name(text, c, names[n]);
    put(text, "]}");
    free(matches);
    free(names);
    return right && (!text->failed || tool_fail_memory(NULL));
}

/* Puts the query of an option, and a NUL. *any is set if it has other spellings than the option. */
static bool put_option(const tool_name_table *t, const tool_value *value, tool_buffer *text, bool *any)
{
    tool_buffer quoted = {NULL, 0, 0, false};
    bool right = true;
    *any = false;
    put_text(&quoted, "", stamma_text_of(value->name));
    const size_t key = quoted.size;
    put_text(&quoted, "", stamma_text_of(value->text));
    if (quoted.failed)
        right = tool_fail_memory(NULL);
    else if (strcmp(value->name, "query") == 0)
        right = query_names_expand(t, stamma_text_of(value->text), text, any);
    else
        right = condition_names_put(t, (stamma_text){quoted.bytes, key},
                                    (stamma_text){quoted.bytes + key, quoted.size - key}, text, any);
    (void)tool_buffer_add(text, "", 1);
    tool_buffer_free(&quoted);
    return right && (!text->failed || tool_fail_memory(NULL));
}

/* Copies the conditions, expanded by the names of a table. Uses offsets in `text` until all texts have been added. */
static bool expand(const tool_name_table *t, const tool_values *values, tool_values *expanded, tool_buffer *text)
{
    size_t *offsets = calloc(values->count, sizeof *offsets); /* 1 + the offset; 0: not expanded */
    bool right = offsets != NULL || tool_fail_memory(NULL);
    for (size_t n = 0; n < values->count && right; n++) {
        const char *name = values->list[n].name;
        const size_t begin = text->size;
        bool any = false;
        if (strcmp(name, "names") == 0)
            continue;
        if (strcmp(name, "query") == 0 || condition_of(stamma_text_of(name)) < CONDITIONS)
            right = put_option(t, &values->list[n], text, &any);
        offsets[expanded->count] = any ? 1 + begin : 0;
        expanded->list[expanded->count++] = values->list[n];
    }
    for (size_t n = 0; n < expanded->count && right; n++)
        if (offsets[n] > 0)
            expanded->list[n] = (tool_value){"query", text->bytes + offsets[n] - 1};
    free(offsets);
    return right;
}

bool condition_names_expand(const tool_values *values, tool_values *expanded, tool_buffer *text)
{
    tool_name_table table;
    const char *path = NULL;
    for (size_t n = 0; n < values->count; n++)
        if (strcmp(values->list[n].name, "names") == 0 && path) {
            tool_say(NULL, "option --names is given twice");
            return false;
        } else if (strcmp(values->list[n].name, "names") == 0) {
            path = values->list[n].text;
        }
    expanded->list = calloc(values->count, sizeof *expanded->list);
    expanded->count = 0;
    if (!expanded->list)
        return tool_fail_memory(NULL);
    if (!tool_name_table_read(path, &table))
        return false;
    bool right = expand(&table, values, expanded, text);
    tool_name_table_close(&table);
    return right;
}
