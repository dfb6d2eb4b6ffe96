/* SPDX-License-Identifier: MIT */
/* Reads files of persons. */
#include "games/persons.h"

#include <strings.h>

const char *const tool_person_keys[] = {"name", "account", "fide", "federation", "title", "born", "not", NULL};

enum { ID_SIZE = 80 };

/* The text that is being read. */
typedef struct reading {
    tool_persons *persons;
    tool_persons_problem *problem;
    const char *text;
    size_t person, first, first_line; /* of this text */
} reading;

/* Stores a problem, and returns false. */
static bool fail(const reading *r, const char *message, stamma_text word)
{
    (void)snprintf(r->problem->message, sizeof r->problem->message, message, (int)(word.size < 40 ? word.size : 40),
                   word.data);
    return false;
}

static bool fail_memory(const reading *r)
{
    r->problem->line = 0;
    return fail(r, "out of memory%.*s", (stamma_text){"", 0});
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static stamma_text trimmed(stamma_text text)
{
    while (text.size > 0 && is_blank(text.data[0]))
        text = (stamma_text){text.data + 1, text.size - 1};
    while (text.size > 0 && is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

static bool is_number(stamma_text text)
{
    for (size_t n = 0; n < text.size; n++)
        if (text.data[n] < '0' || text.data[n] > '9')
            return false;
    return text.size > 0;
}

/* ---- lines ---- */

static bool is_id(stamma_text id)
{
    for (size_t n = 0; n < id.size; n++)
        if ((uint8_t)id.data[n] <= ' ' || strchr("[]@=,\"\\", id.data[n]))
            return false;
    return id.size > 0 && id.size <= ID_SIZE;
}

/* Reads "[ID]". */
static bool begin_person(reading *r, stamma_text line, size_t end)
{
    tool_persons *p = r->persons;
    const stamma_text id = trimmed((stamma_text){line.data + 1, line.size - 1 - (line.size > 1)});
    if (line.data[line.size - 1] != ']' || !is_id(id))
        return fail(r, "expected an id without blanks in brackets, such as [carlsen], instead of \"%.*s\"", line);
    if (!tool_list_grow(&p->list, &p->room, p->count, 1, sizeof *p->list))
        return fail_memory(r);
    r->person = p->count;
    p->list[p->count++] = (tool_person){id, r->problem->line, end};
    return true;
}

/* Removes "@ LIMIT" from a name or an account. */
static stamma_text take_limit(stamma_text *value)
{
    size_t at = value->size;
    while (at > 0 && value->data[at - 1] != '@')
        at--;
    if (at < 2 || !is_blank(value->data[at - 2]))
        return (stamma_text){"", 0};
    const stamma_text limit = trimmed((stamma_text){value->data + at, value->size - at});
    *value = trimmed((stamma_text){value->data, at - 1});
    return limit;
}

/* Reads the key before `=`. */
static bool read_key(const reading *r, stamma_text word, tool_person_key *key)
{
    tool_nearest nearest = {.word = word.data, .length = word.size};
    for (*key = 0; *key < TOOL_PERSON_KEYS; (*key)++) {
        if (tool_text_is(word, tool_person_keys[*key]))
            return true;
        tool_nearest_try(&nearest, tool_person_keys[*key]);
    }
    const bool wrong = fail(r, "unknown key \"%.*s\"; use name, account, fide, federation, title, born or not", word);
    if (nearest.name)
        (void)snprintf(r->problem->message, sizeof r->problem->message, "unknown key \"%.*s\"; did you mean \"%s\"?",
                       (int)(word.size < 40 ? word.size : 40), word.data, nearest.name);
    return wrong;
}

/* Reads "KEY = VALUE". */
static bool add_line(reading *r, stamma_text line, size_t end)
{
    tool_persons *p = r->persons;
    const char *equals = memchr(line.data, '=', line.size);
    tool_person_line one = {.person = r->person, .only = {"", 0}};
    if (!equals)
        return fail(r, "expected [ID], KEY = VALUE, or # and a comment, instead of \"%.*s\"", line);
    const size_t before = (size_t)(equals - line.data);
    const stamma_text word = trimmed((stamma_text){line.data, before});
    if (!read_key(r, word, &one.key))
        return false;
    one.value = trimmed((stamma_text){equals + 1, line.size - before - 1});
    if (r->person == SIZE_MAX)
        return fail(r, "expected [ID] before the first key, \"%.*s\"", word);
    if (one.key <= TOOL_PERSON_ACCOUNT)
        one.only = take_limit(&one.value);
    if (one.value.size == 0)
        return fail(r, "the key \"%.*s\" has no value", word);
    if ((one.key == TOOL_PERSON_FIDE || one.key == TOOL_PERSON_BORN) && !is_number(one.value))
        return fail(r, "expected a number instead of \"%.*s\"", one.value);
    if (!tool_text_is_utf8(one.value) || !tool_text_is_utf8(one.only))
        return fail(r, "the value of \"%.*s\" is not UTF-8", word);
    if (!tool_list_grow(&p->lines, &p->line_room, p->line_count, 1, sizeof *p->lines))
        return fail_memory(r);
    p->lines[p->line_count++] = one;
    p->list[r->person].end = end;
    return true;
}

static bool read_lines(reading *r)
{
    const char *at = r->text;
    if (strncmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    for (r->problem->line = 1; *at; r->problem->line++) {
        const size_t size = strcspn(at, "\n");
        const stamma_text line = trimmed((stamma_text){at, size});
        at += size + (at[size] == '\n');
        if (line.size == 0 || line.data[0] == '#')
            continue;
        if (line.data[0] == '[' ? !begin_person(r, line, (size_t)(at - r->text))
                                : !add_line(r, line, (size_t)(at - r->text)))
            return false;
    }
    return true;
}

/* Keeps the memory of a text. */
static bool keep_text(tool_persons *p, char *text)
{
    char **more = realloc(p->texts, (p->text_count + 1) * sizeof *more);
    if (!more) {
        free(text);
        return false;
    }
    p->texts = more;
    p->texts[p->text_count++] = text;
    return true;
}

int tool_person_compare(const void *a, const void *b)
{
    const tool_person_id *x = a, *y = b;
    const int order = strncasecmp(x->id.data, y->id.data, x->id.size < y->id.size ? x->id.size : y->id.size);
    if (order != 0 || x->id.size != y->id.size)
        return order != 0 ? order : x->id.size < y->id.size ? -1 : 1;
    return (x->person > y->person) - (x->person < y->person);
}

/* Sorts the ids, and adds the lines about ids of earlier texts to their persons. */
static bool sort_ids(const reading *r)
{
    tool_persons *p = r->persons;
    tool_person_id *more = realloc(p->order, (p->count + 1) * sizeof *more);
    if (!more)
        return fail_memory(r);
    p->order = more;
    for (size_t n = 0; n < p->count; n++)
        p->order[n] = (tool_person_id){p->list[n].id, n};
    if (p->count > 1)
        qsort(p->order, p->count, sizeof *p->order, tool_person_compare);
    for (size_t n = 1; n < p->count; n++)
        if (p->order[n - 1].person >= r->first && p->order[n].id.size == p->order[n - 1].id.size &&
            strncasecmp(p->order[n].id.data, p->order[n - 1].id.data, p->order[n].id.size) == 0) {
            r->problem->line = p->list[p->order[n].person].line;
            return fail(r, "the id \"%.*s\" occurs a second time", p->order[n].id);
        }
    for (size_t n = r->first_line; n < p->line_count && r->first > 0; n++)
        p->lines[n].person = tool_persons_with_id(p, p->list[p->lines[n].person].id);
    return true;
}

bool tool_persons_add(tool_persons *p, char *text, tool_persons_problem *problem)
{
    reading r = {p, problem, text, SIZE_MAX, p->count, p->line_count};
    *problem = (tool_persons_problem){.line = 0};
    if (!keep_text(p, text))
        return fail_memory(&r);
    return read_lines(&r) && sort_ids(&r);
}

bool tool_persons_read(tool_persons *p, const char *path)
{
    tool_file file;
    size_t size;
    tool_persons_problem problem;
    if (!tool_file_open(path, &file))
        return false;
    char *text = tool_file_read_all(&file, &size);
    tool_file_close(&file);
    if (!text)
        return false;
    if (memchr(text, 0, size)) {
        tool_say(path, "not a file of persons: it has a zero byte");
        free(text);
        return false;
    }
    if (tool_persons_add(p, text, &problem))
        return true;
    if (problem.line == 0)
        return tool_fail_memory(path);
    tool_say(path, "line %zu: %s", problem.line, problem.message);
    return false;
}

bool tool_persons_open(tool_persons *p, const char *path, char **archives, size_t count)
{
    if (path)
        return tool_persons_read(p, path);
    bool right = true;
    for (size_t n = 0; n < count && right; n++) {
        char *name = tool_path_beside(archives[n], ".persons");
        right = name && (!system_is_there(name) || tool_persons_read(p, name));
        free(name);
    }
    return right;
}

void tool_persons_close(tool_persons *p)
{
    for (size_t n = 0; n < p->text_count; n++)
        free(p->texts[n]);
    free(p->texts);
    free(p->lines);
    free(p->list);
    free(p->order);
    *p = (tool_persons){.count = 0};
}
