/* Makes conditions about names hold for all spellings of a table of `stamma names`. */
#include "questions/condition_names.h"

#include "games/name_table.h"

static const struct {
    const char *name, *tags[2];
    stamma_name_field field;
} conditions[] = {{"player", {"White", "Black"}, STAMMA_NAME_PLAYER},
                  {"white", {"White", NULL}, STAMMA_NAME_PLAYER},
                  {"black", {"Black", NULL}, STAMMA_NAME_PLAYER},
                  {"event", {"Event", NULL}, STAMMA_NAME_EVENT},
                  {"site", {"Site", NULL}, STAMMA_NAME_SITE}};
enum { CONDITIONS = sizeof conditions / sizeof *conditions };

static size_t condition_of(const tool_value *value)
{
    size_t n = 0;
    while (n < CONDITIONS && strcmp(conditions[n].name, value->name) != 0)
        n++;
    return n;
}

static bool is_equal(stamma_text a, stamma_text b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool no_memory(void)
{
    tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return false;
}

static void put(tool_buffer *text, const char *string)
{
    (void)tool_buffer_add(text, string, strlen(string));
}

/* Puts a text in quotes. A text that is not UTF-8 is read as Latin-1. */
static void put_text(tool_buffer *text, stamma_text value)
{
    bool utf8 = tool_text_is_utf8(value);
    char code[8];
    put(text, "\"");
    for (size_t n = 0; n < value.size; n++) {
        uint8_t byte = (uint8_t)value.data[n];
        if (byte < 0x20 || byte == '"' || byte == '\\' || (byte >= 0x7F && !utf8)) {
            (void)snprintf(code, sizeof code, "\\u%04x", byte);
            put(text, code);
        } else {
            (void)tool_buffer_add(text, &byte, 1);
        }
    }
    put(text, "\"");
}

/* Puts a rule for games with exactly this name. The rule of the condition, which is for beginnings of names, makes the
 * search fast. */
static void put_name(tool_buffer *text, size_t c, stamma_text name)
{
    put(text, ",{\"");
    put(text, conditions[c].name);
    put(text, "\":");
    put_text(text, name);
    put(text, ",\"any\":[");
    for (size_t n = 0; n < 2 && conditions[c].tags[n]; n++) {
        put(text, n > 0 ? ",{\"tag\":{\"" : "{\"tag\":{\"");
        put(text, conditions[c].tags[n]);
        put(text, "\":");
        put_text(text, name);
        put(text, "}}");
    }
    put(text, "]}");
}

/* Finds the value that a row leads to. */
static stamma_text target_of(const tool_name_table *t, const tool_name_row *row)
{
    const tool_name_place place = {row->id, row->event, row->site, row->round};
    return tool_name_table_find(t, row->field, row->from, &place);
}

/* Stores which names of the table the condition holds for: two of each row, `from` and `to`. */
static bool match_names(const tool_name_table *t, size_t c, const char *name, bool *matches)
{
    tool_buffer json = {NULL, 0, 0, false};
    stamma_query *query = NULL;
    stamma_matcher *matcher = NULL;
    put(&json, "{\"");
    put(&json, c > 0 ? conditions[c].name : "white");
    put(&json, "\":");
    put_text(&json, stamma_text_of(name));
    put(&json, "}");
    stamma_error error = json.failed ? STAMMA_ERROR_NO_MEMORY
                                     : stamma_query_parse((stamma_text){json.bytes, json.size}, NULL, NULL, &query);
    error = error ? error : stamma_matcher_open(query, NULL, &matcher);
    for (size_t n = 0; n < 2 * t->count && !error; n++) {
        const tool_name_row *row = &t->rows[n / 2];
        const stamma_tag tag = {.name = stamma_text_of(conditions[c].tags[0]),
                                .value = n % 2 == 0 ? row->from : row->to};
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

static int compare_texts(const void *a, const void *b)
{
    const stamma_text *x = a, *y = b;
    int order = memcmp(x->data, y->data, x->size < y->size ? x->size : y->size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* Lists the values that the matching names lead to, and then all names that lead to these. Returns their number. */
static size_t list_names(const tool_name_table *t, size_t c, const bool *matches, stamma_text *names)
{
    size_t targets = 0, count;
    for (size_t n = 0; n < t->count; n++)
        if (t->rows[n].field == conditions[c].field && (matches[2 * n] || matches[2 * n + 1]))
            names[targets++] = target_of(t, &t->rows[n]);
    if (targets > 1)
        qsort(names, targets, sizeof *names, compare_texts);
    count = targets;
    for (size_t n = 0; n < t->count && targets > 0; n++) {
        stamma_text target = t->rows[n].field == conditions[c].field ? target_of(t, &t->rows[n]) : (stamma_text){"", 0};
        if (target.size > 0 && bsearch(&target, names, targets, sizeof *names, compare_texts))
            names[count++] = t->rows[n].from;
    }
    if (count > 1)
        qsort(names, count, sizeof *names, compare_texts);
    return count;
}

/* Puts the query for a condition. Returns false, after a message, if memory is exhausted. */
static bool put_condition(const tool_name_table *t, size_t c, const char *name, tool_buffer *text, bool *any)
{
    bool *matches = calloc(2 * t->count + 1, sizeof *matches);
    stamma_text *names = calloc(2 * t->count + 1, sizeof *names);
    bool right = matches && names ? match_names(t, c, name, matches) : no_memory();
    size_t count = right ? list_names(t, c, matches, names) : 0;
    *any = count > 0;
    put(text, "{\"any\":[{\"");
    put(text, conditions[c].name);
    put(text, "\":");
    put_text(text, stamma_text_of(name));
    put(text, "}");
    for (size_t n = 0; n < count; n++)
        if (n == 0 || !is_equal(names[n], names[n - 1]))
            put_name(text, c, names[n]);
    put(text, "]}");
    (void)tool_buffer_add(text, "", 1);
    free(matches);
    free(names);
    return right && (!text->failed || no_memory());
}

/* Copies the conditions, expanded by the names of a table. Texts in `text` are offsets until all are there. */
static bool expand(const tool_name_table *t, const tool_values *values, tool_values *expanded, tool_buffer *text)
{
    size_t *offsets = calloc(values->count, sizeof *offsets); /* 1 + the offset; 0: not expanded */
    bool right = offsets != NULL || no_memory();
    for (size_t n = 0; n < values->count && right; n++) {
        size_t c = condition_of(&values->list[n]), begin = text->size;
        bool any = false;
        if (strcmp(values->list[n].name, "names") == 0)
            continue;
        right = c == CONDITIONS || put_condition(t, c, values->list[n].text, text, &any);
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
        return no_memory();
    if (!tool_name_table_read(path, &table))
        return false;
    bool right = expand(&table, values, expanded, text);
    tool_name_table_close(&table);
    return right;
}
