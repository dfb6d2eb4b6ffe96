/* SPDX-License-Identifier: MIT */
/* Makes conditions about names hold for all spellings of a table of `stamma names`, and for persons. */
#include "questions/condition_names.h"
#include "questions/find.h"
#include "questions/player_names.h"

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

/* Puts one rule with all spellings of a name in a table: names are exact; events and sites are patterns. An index finds
 * the games of a rule, but not those of alternatives. */
static bool put_spellings(const tool_name_table *t, stamma_text key, stamma_text value, tool_buffer *text, bool *any)
{
    const size_t c = condition_of(name_of(key));
    bool *matches = calloc(2 * t->count + 1, sizeof *matches);
    stamma_text *names = calloc(2 * t->count + 1, sizeof *names);
    bool right = matches && names ? match_names(t, c, value, matches) : tool_fail_memory(NULL);
    size_t count = right ? list_names(t, c, matches, names) : 0;
    *any |= count > 0;
    const bool list = value.size > 1 && value.data[0] == '[';
    put(text, "{");
    (void)tool_buffer_add(text, key.data, key.size);
    put(text, ":[");
    (void)tool_buffer_add(text, value.data + list, value.size - 2 * list);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || !tool_text_equal(names[n], names[n - 1])) {
            put(text, ",");
            tool_put_quoted(text, conditions[c].field == STAMMA_NAME_PLAYER ? "=" : "", names[n]);
        }
    put(text, "]}");
    free(matches);
    free(names);
    return right && (!text->failed || tool_fail_memory(NULL));
}

/* ---- persons ---- */

static bool has_persons(stamma_text json)
{
    for (size_t n = 0; n + 1 < json.size; n++)
        if (json.data[n] == '"' && json.data[n + 1] == '@')
            return true;
    return false;
}

/* Puts a condition for the games of a person. */
static bool put_person(condition_names *names, size_t c, stamma_text wanted, tool_buffer *text)
{
    if (!names->persons) {
        (void)snprintf(names->problem, sizeof names->problem,
                       "there is no file of persons; stamma names --write-persons writes one");
        return false;
    }
    const size_t person = tool_persons_find(names->persons, wanted, names->problem, sizeof names->problem);
    if (person < names->persons->count)
        tool_persons_put(names->persons, person, conditions[c].name, text);
    return person < names->persons->count;
}

/* Returns the next string of a value, with its quotes, and moves *at after it. Without data: there is none. */
static stamma_text next_string(stamma_text value, size_t *at)
{
    while (*at < value.size && value.data[*at] != '"')
        ++*at;
    const size_t begin = *at;
    if (begin == value.size)
        return (stamma_text){NULL, 0};
    for (++*at; *at < value.size && value.data[*at] != '"'; ++*at)
        *at += value.data[*at] == '\\';
    ++*at;
    return (stamma_text){value.data + begin, *at - begin};
}

bool condition_names_expands(stamma_text json)
{
    return has_persons(json) || player_names_several(json);
}

/* Puts the list of all names in a value, which is a name or a list of names, without their persons. */
static void put_flat(stamma_text value, tool_buffer *flat)
{
    size_t at = 0;
    put(flat, "[");
    for (stamma_text one = next_string(value, &at); one.data; one = next_string(value, &at))
        for (stamma_text rest = {one.data + 1, one.size - 2}; rest.data;) {
            put(flat, flat->size > 1 ? ",\"" : "\"");
            (void)player_names_next(&rest, flat);
            put(flat, "\"");
        }
    put(flat, "]");
}

/* Puts a rule with all names of a list, and those of its persons, because an index lists the games of names but not
 * those of alternatives. */
static void put_listed(condition_names *names, stamma_text key, stamma_text list, tool_buffer *text)
{
    const size_t begin = text->size;
    size_t count = 0, at = 0;
    char why[sizeof names->problem];
    (void)tool_buffer_add(text, key.data, key.size);
    put(text, ":[");
    for (stamma_text one = next_string(list, &at); one.data && names->persons; one = next_string(list, &at))
        if (one.size > 2 && one.data[1] == '@') {
            const stamma_text wanted = {one.data + 2, one.size - 3};
            const size_t person = tool_persons_find(names->persons, wanted, why, sizeof why);
            count = tool_persons_put_names(names->persons, person, true, count, text);
        } else {
            put(text, count++ > 0 ? "," : "");
            (void)tool_buffer_add(text, one.data, one.size);
        }
    put(text, "],");
    if (count == 0 && !text->failed)
        text->size = begin;
}

/* Puts a rule, with all spellings if there is a table. */
static bool put_rule(condition_names *names, stamma_text key, stamma_text value, tool_buffer *text, bool *any)
{
    if (names->table)
        return put_spellings(names->table, key, value, text, any);
    put(text, "{");
    (void)tool_buffer_add(text, key.data, key.size);
    put(text, ":");
    (void)tool_buffer_add(text, value.data, value.size);
    put(text, "}");
    return true;
}

/* Puts a condition for games with one of several names, of which some are persons. */
static bool put_any(condition_names *names, stamma_text key, stamma_text value, tool_buffer *text, bool *any)
{
    bool right = true;
    size_t at = 0, count = 0;
    *any = true;
    if (value.data[0] == '"') /* an index finds the games of a person, but not those of alternatives */
        return put_person(names, condition_of(name_of(key)), (stamma_text){value.data + 2, value.size - 3}, text);
    put(text, "{");
    if (!names->table) /* a table has more spellings */
        put_listed(names, key, value, text);
    put(text, "\"any\":[");
    for (stamma_text one = next_string(value, &at); one.data && right; one = next_string(value, &at)) {
        put(text, count++ > 0 ? "," : "");
        if (one.size > 2 && one.data[1] == '@')
            right = put_person(names, condition_of(name_of(key)), (stamma_text){one.data + 2, one.size - 3}, text);
        else
            right = put_rule(names, key, one, text, any);
    }
    put(text, "]}");
    return right;
}

bool condition_names_put(condition_names *names, stamma_text key, stamma_text value, tool_buffer *text, bool *any)
{
    tool_buffer flat = {NULL, 0, 0, false};
    if (conditions[condition_of(name_of(key))].field != STAMMA_NAME_PLAYER)
        return put_rule(names, key, value, text, any);
    if (player_names_several(value)) {
        put_flat(value, &flat);
        value = (stamma_text){flat.bytes, flat.size};
        *any = true;
    }
    bool right = !flat.failed || tool_fail_memory(NULL);
    if (right && has_persons(value))
        right = put_any(names, key, value, text, any);
    else if (right)
        right = put_rule(names, key, value, text, any);
    tool_buffer_free(&flat);
    return right;
}

/* ---- options ---- */

/* Returns the rule of an option with a person: --person is the rule "player". NULL: another option. */
static const char *rule_of(const char *option)
{
    static const char *const rules[][2] = {{"person", "player"}, {"white-person", "white"}, {"black-person", "black"}};
    for (size_t n = 0; n < sizeof rules / sizeof *rules; n++)
        if (strcmp(option, rules[n][0]) == 0)
            return rules[n][1];
    return NULL;
}

static bool names_person(const tool_value *value)
{
    const char *text = value->text ? value->text : "";
    const bool query = strcmp(value->name, "query") == 0;
    return rule_of(value->name) || text[0] == '@' || strstr(text, "|@") || (query && has_persons(stamma_text_of(text)));
}

bool condition_names_meant(const tool_value *value)
{
    return names_person(value) || (value->text && player_names_several(stamma_text_of(value->text)));
}

/* Puts the query of an option. *any is set if it has other spellings than the option. */
static bool put_query(condition_names *names, const tool_value *value, tool_buffer *text, bool *any)
{
    tool_buffer quoted = {NULL, 0, 0, false};
    const char *rule = rule_of(value->name);
    bool right;
    tool_put_quoted(&quoted, "", stamma_text_of(rule ? rule : value->name));
    const size_t key = quoted.size;
    tool_put_quoted(&quoted, rule ? "@" : "", stamma_text_of(value->text));
    if (quoted.failed)
        right = tool_fail_memory(NULL);
    else if (strcmp(value->name, "query") == 0)
        right = query_names_expand(names, stamma_text_of(value->text), text, any);
    else
        right = condition_names_put(names, (stamma_text){quoted.bytes, key},
                                    (stamma_text){quoted.bytes + key, quoted.size - key}, text, any);
    tool_buffer_free(&quoted);
    return right;
}

/* Puts the query of an option, and a NUL. */
static bool put_option(condition_names *names, const tool_value *value, tool_buffer *text, bool *any)
{
    *any = false;
    const bool right = put_query(names, value, text, any);
    (void)tool_buffer_add(text, "", 1);
    if (!right && names->problem[0])
        tool_say(NULL, "option --%s: %s", value->name, names->problem);
    return right && (!text->failed || tool_fail_memory(NULL));
}

static bool is_file_option(const char *name)
{
    return strcmp(name, "names") == 0 || strcmp(name, "persons") == 0;
}

/* Copies the conditions, expanded by names. Uses offsets in `text` until all texts have been added. */
static bool expand(condition_names *names, const tool_values *values, tool_values *expanded, tool_buffer *text)
{
    size_t *offsets = calloc(values->count, sizeof *offsets); /* 1 + the offset; 0: not expanded */
    bool right = offsets != NULL || tool_fail_memory(NULL);
    for (size_t n = 0; n < values->count && right; n++) {
        const char *name = values->list[n].name;
        const size_t begin = text->size;
        bool any = false;
        if (is_file_option(name))
            continue;
        if (strcmp(name, "query") == 0 || rule_of(name) || condition_of(stamma_text_of(name)) < CONDITIONS)
            right = put_option(names, &values->list[n], text, &any);
        offsets[expanded->count] = any ? 1 + begin : 0;
        expanded->list[expanded->count++] = values->list[n];
    }
    for (size_t n = 0; n < expanded->count && right; n++)
        if (offsets[n] > 0)
            expanded->list[n] = (tool_value){"query", text->bytes + offsets[n] - 1};
    free(offsets);
    return right;
}

/* Finds the value of an option that may be given once; NULL if it is not given. Returns false after a message. */
static bool find_once(const tool_values *values, const char *name, const char **path)
{
    *path = NULL;
    for (size_t n = 0; n < values->count; n++)
        if (strcmp(values->list[n].name, name) == 0 && *path) {
            tool_say(NULL, "option --%s is given twice", name);
            return false;
        } else if (strcmp(values->list[n].name, name) == 0) {
            *path = values->list[n].text;
        }
    return true;
}

/* Reads the persons that the conditions may name. Returns false after a message. */
static bool open_persons(const tool_values *values, tool_persons *persons)
{
    const char *path;
    if (!find_once(values, "persons", &path))
        return false;
    bool needed = path != NULL;
    for (size_t n = 0; n < values->count; n++)
        needed |= names_person(&values->list[n]);
    return !needed || tool_persons_open(persons, path, values->archives, values->archive_count);
}

bool condition_names_expand(const tool_values *values, tool_values *expanded, tool_buffer *text)
{
    tool_name_table table = {.count = 0};
    tool_persons persons = {.count = 0};
    const char *path;
    *expanded = (tool_values){.list = calloc(values->count, sizeof *expanded->list),
                              .archive_count = values->archive_count,
                              .archives = values->archives};
    if (!expanded->list)
        return tool_fail_memory(NULL);
    bool right = find_once(values, "names", &path) && (!path || tool_name_table_read(path, &table)) &&
                 open_persons(values, &persons);
    condition_names names = {.table = right && path ? &table : NULL,
                             .persons = persons.text_count > 0 ? &persons : NULL};
    right = right && expand(&names, values, expanded, text);
    tool_name_table_close(&table);
    tool_persons_close(&persons);
    return right;
}

char *tool_conditions_label(const tool_values *values, const tool_value *player)
{
    tool_persons persons = {.count = 0};
    tool_buffer value = {NULL, 0, 0, false}, label = {NULL, 0, 0, false};
    put(&value, strcmp(player->name, "person") == 0 ? "@" : "");
    (void)tool_buffer_add(&value, player->text, strlen(player->text) + 1);
    const bool right = !names_person(player) || open_persons(values, &persons);
    if (!value.failed && right)
        player_names_label(&persons, value.bytes, &label);
    (void)tool_buffer_add(&label, "", 1);
    tool_persons_close(&persons);
    tool_buffer_free(&value);
    if (right && !label.failed)
        return label.bytes;
    tool_buffer_free(&label);
    if (right)
        (void)tool_fail_memory(NULL);
    return NULL;
}
