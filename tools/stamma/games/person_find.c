/* SPDX-License-Identifier: MIT */
/* Finds persons, and writes conditions for their games. */
#include "games/persons.h"

#include <limits.h>
#include <strings.h>

size_t tool_persons_with_id(const tool_persons *p, stamma_text id)
{
    const tool_person_id wanted = {id, 0};
    size_t low = 0, high = p->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (tool_person_compare(&p->order[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found =
        low < p->count && p->order[low].id.size == id.size && strncasecmp(p->order[low].id.data, id.data, id.size) == 0;
    return found ? p->order[low].person : p->count;
}

stamma_text tool_persons_name(const tool_persons *p, size_t person)
{
    for (size_t n = 0; n < p->line_count; n++)
        if (p->lines[n].person == person && p->lines[n].key == TOOL_PERSON_NAME)
            return p->lines[n].value;
    return p->list[person].id;
}

/* ---- by name ---- */

/* Marks the persons that have a name or an account for which a rule of the query language holds. Returns their number,
 * or SIZE_MAX if memory is exhausted. */
static size_t mark_named(const tool_persons *p, const char *beginning, stamma_text wanted, bool *marks)
{
    tool_buffer json = {NULL, 0, 0, false};
    stamma_query *query = NULL;
    stamma_matcher *matcher = NULL;
    size_t count = 0;
    (void)tool_buffer_add(&json, "{\"white\":", 9);
    tool_put_quoted(&json, beginning, wanted);
    (void)tool_buffer_add(&json, "}", 1);
    stamma_error error = json.failed ? STAMMA_ERROR_NO_MEMORY
                                     : stamma_query_parse((stamma_text){json.bytes, json.size}, NULL, NULL, &query);
    error = error ? error : stamma_matcher_open(query, NULL, &matcher);
    for (size_t n = 0; n < p->line_count && !error; n++) {
        const tool_person_line *line = &p->lines[n];
        const stamma_tag tag = {.name = stamma_text_of("White"), .value = line->value};
        const stamma_archive_game game = {.number = 1, .tag_count = 1, .tags = &tag, .start = stamma_position_start()};
        bool found = false;
        if (line->key <= TOOL_PERSON_ACCOUNT)
            error = stamma_matcher_test(matcher, &game, &found, NULL, NULL);
        count += found && !marks[line->person];
        marks[line->person] |= found;
    }
    stamma_matcher_close(matcher);
    stamma_query_close(query);
    tool_buffer_free(&json);
    return error == STAMMA_ERROR_NO_MEMORY ? SIZE_MAX : count;
}

/* Lists persons: "carlsen (Carlsen, Magnus), wang-yue (Wang, Yue) and 3 others". */
static void list_marked(const tool_persons *p, const bool *marks, size_t count, char *text, size_t size)
{
    enum { SHOWN = 4 };
    size_t used = 0, shown = 0;
    for (size_t n = 0; n < p->count && shown < SHOWN && used < size; n++)
        if (marks[n]) {
            const stamma_text id = p->list[n].id, name = tool_persons_name(p, n);
            used += (size_t)snprintf(text + used, size - used, "%s%.*s (%.*s)", shown++ > 0 ? ", " : "", (int)id.size,
                                     id.data, (int)(name.size < 40 ? name.size : 40), name.data);
        }
    if (count > shown && used < size)
        (void)snprintf(text + used, size - used, " and %zu others", count - shown);
}

/* Writes that there is no person, and the id or name that is nearest. */
static void say_none(const tool_persons *p, stamma_text wanted, char *why, size_t size)
{
    tool_nearest nearest = {.word = wanted.data, .length = wanted.size};
    char text[64];
    size_t best = p->count;
    for (size_t n = 0; n < p->count + p->line_count; n++) {
        const tool_person_line *line = n < p->count ? NULL : &p->lines[n - p->count];
        const stamma_text candidate = line ? line->value : p->list[n].id;
        const unsigned before = nearest.name ? nearest.distance : UINT_MAX;
        if ((line && line->key > TOOL_PERSON_ACCOUNT) || candidate.size >= sizeof text)
            continue;
        memcpy(text, candidate.data, candidate.size);
        text[candidate.size] = 0;
        tool_nearest_try(&nearest, text);
        if (nearest.name && nearest.distance < before)
            best = line ? line->person : n;
    }
    const int shown = (int)(wanted.size < 60 ? wanted.size : 60);
    (void)snprintf(why, size, "there is no person \"%.*s\" in the file of persons", shown, wanted.data);
    if (best < p->count)
        (void)snprintf(why, size, "there is no person \"%.*s\"; did you mean %.*s (%.*s)?", shown, wanted.data,
                       (int)p->list[best].id.size, p->list[best].id.data, (int)tool_persons_name(p, best).size,
                       tool_persons_name(p, best).data);
}

static size_t only_marked(const tool_persons *p, const bool *marks)
{
    size_t n = 0;
    while (n < p->count && !marks[n])
        n++;
    return n;
}

/* Finds a person by complete names, otherwise by beginnings of names. */
static size_t find_named(const tool_persons *p, stamma_text wanted, char *why, size_t size)
{
    bool *marks = calloc(p->count + 1, sizeof *marks);
    size_t count = marks ? mark_named(p, "=", wanted, marks) : SIZE_MAX, found = p->count;
    if (count == 0)
        count = mark_named(p, "", wanted, marks);
    if (count == SIZE_MAX) {
        (void)snprintf(why, size, "out of memory");
    } else if (count == 0) {
        say_none(p, wanted, why, size);
    } else if (count == 1) {
        found = only_marked(p, marks);
    } else {
        const int used =
            snprintf(why, size, "\"%.*s\" is the name of several persons: ", (int)(wanted.size < 60 ? wanted.size : 60),
                     wanted.data);
        list_marked(p, marks, count, why + used, size - (size_t)used);
    }
    free(marks);
    return found;
}

size_t tool_persons_find(const tool_persons *p, stamma_text wanted, char *why, size_t size)
{
    size_t found = tool_persons_with_id(p, wanted);
    for (size_t n = 0; n < p->line_count && found == p->count; n++)
        if (p->lines[n].key == TOOL_PERSON_FIDE && tool_text_equal(p->lines[n].value, wanted))
            found = p->lines[n].person;
    return found < p->count ? found : find_named(p, wanted, why, size);
}

/* ---- conditions ---- */

static void put(tool_buffer *json, const char *text)
{
    (void)tool_buffer_add(json, text, strlen(text));
}

void tool_put_quoted(tool_buffer *json, const char *beginning, stamma_text text)
{
    const bool utf8 = tool_text_is_utf8(text);
    char code[8];
    put(json, "\"");
    put(json, beginning);
    for (size_t n = 0; n < text.size; n++) {
        const uint8_t byte = (uint8_t)text.data[n];
        if (byte < 0x20 || byte == '"' || byte == '\\' || (byte >= 0x7F && !utf8)) {
            (void)snprintf(code, sizeof code, "\\u%04x", stamma_windows_1252_read(byte));
            put(json, code);
        } else {
            (void)tool_buffer_add(json, &byte, 1);
        }
    }
    put(json, "\"");
}

static bool is_name(const tool_person_line *line, size_t person)
{
    return line->person == person && line->key <= TOOL_PERSON_ACCOUNT;
}

size_t tool_persons_put_names(const tool_persons *p, size_t person, bool all, size_t count, tool_buffer *json)
{
    for (size_t n = 0; n < p->line_count; n++)
        if (is_name(&p->lines[n], person) && (all || p->lines[n].only.size == 0)) {
            put(json, count++ > 0 ? "," : "");
            tool_put_quoted(json, "=", p->lines[n].value);
        }
    return count;
}

/* Puts a rule with the names of a person: all, or those without limits. Returns their number. */
static size_t put_names(const tool_persons *p, size_t person, const char *rule, bool all, tool_buffer *json)
{
    put(json, "\"");
    put(json, rule);
    put(json, "\":[");
    const size_t count = tool_persons_put_names(p, person, all, 0, json);
    put(json, "]");
    return count;
}

/* Puts a condition for games in which a side has the name and the FIDE id of a line. */
static void put_side(const tool_person_line *line, const char *rule, const char *tag, tool_buffer *json)
{
    put(json, "{\"");
    put(json, rule);
    put(json, "\":");
    tool_put_quoted(json, "=", line->value);
    put(json, ",\"tag\":{\"");
    put(json, tag);
    put(json, "\":");
    tool_put_quoted(json, "", line->only);
    put(json, "}}");
}

/* Puts a condition for the games of a name with a limit. */
static void put_limited(const tool_person_line *line, const char *rule, tool_buffer *json)
{
    const bool id = line->only.size > 0 && strspn(line->only.data, "0123456789") >= line->only.size;
    if (id && rule[0] != 'b')
        put_side(line, "white", "WhiteFideId", json);
    if (id && rule[0] == 'p')
        put(json, ",");
    if (id && rule[0] != 'w')
        put_side(line, "black", "BlackFideId", json);
    if (id)
        return;
    put(json, "{\"");
    put(json, rule);
    put(json, "\":");
    tool_put_quoted(json, "=", line->value);
    put(json, ",\"site\":");
    tool_put_quoted(json, "*", line->only);
    json->size -= !json->failed; /* the quotation mark */
    put(json, "*\"}");
}

/* The first rule has all names, because an index lists the games of names. */
void tool_persons_put(const tool_persons *p, size_t person, const char *rule, tool_buffer *json)
{
    const size_t begin = json->size;
    put(json, "{");
    const size_t all = put_names(p, person, rule, true, json), inner = json->size;
    put(json, ",\"any\":[{");
    const size_t free_names = put_names(p, person, rule, false, json);
    put(json, "}");
    if (free_names == 0 && !json->failed) {
        json->size = inner;
        put(json, ",\"any\":[");
    }
    for (size_t n = 0, count = free_names; n < p->line_count; n++)
        if (is_name(&p->lines[n], person) && p->lines[n].only.size > 0) {
            put(json, count++ > 0 ? "," : "");
            put_limited(&p->lines[n], rule, json);
        }
    put(json, "]");
    if (free_names == all && !json->failed)
        json->size = inner;
    put(json, "}");
    if (all == 0 && !json->failed) { /* a person without names has no games */
        json->size = begin;
        put(json, "{\"not\":{}}");
    }
}
