/* SPDX-License-Identifier: MIT */
/* Reads and writes files of saved questions. */
#include "games/saved_questions.h"

enum { NAME_SIZE = 80 };

/* Returns the path of the file, to be released with free(), or NULL after a message. */
static char *path_of(const char *archive)
{
    return tool_path_beside(archive, ".questions");
}

/* ---- reading ---- */

typedef struct reading {
    const char *path, *text, *at, *end;
} reading;

static size_t line_of(const reading *r)
{
    size_t line = 1;
    for (const char *at = r->text; at < r->at && at < r->end; at++)
        line += *at == '\n';
    return line;
}

/* Reports what was expected where the text is read. Returns false. */
static bool expected(const reading *r, const char *what)
{
    tool_say(r->path, "line %zu: expected %s", line_of(r), what);
    return false;
}

/* Skips blanks. Returns the next byte; 0: the end. */
static char next_byte(reading *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at))
        r->at++;
    return r->at < r->end ? *r->at : 0;
}

static bool take(reading *r, char wanted)
{
    const bool found = next_byte(r) == wanted;
    r->at += found;
    return found;
}

static bool fits_name(stamma_text name)
{
    for (size_t n = 0; n < name.size; n++)
        if ((uint8_t)name.data[n] < ' ' || name.data[n] == '\\' || name.data[n] == '"')
            return false;
    return name.size > 0 && name.size <= NAME_SIZE;
}

static bool read_name(reading *r, stamma_text *name)
{
    const char *end = take(r, '"') ? memchr(r->at, '"', (size_t)(r->end - r->at)) : NULL;
    *name = (stamma_text){r->at, end ? (size_t)(end - r->at) : 0};
    if (!end || !fits_name(*name))
        return expected(r, "the name of a question in quotes, of 1 to 80 bytes without \\");
    r->at = end + 1;
    return true;
}

/* Moves to the quote after a string, or to the end. */
static void skip_string(reading *r)
{
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
        r->at += *r->at == '\\';
}

/* Reports an error in a query. Returns whether there is none. */
static bool is_sound(const reading *r, stamma_text text)
{
    stamma_query *query = NULL;
    stamma_query_problem problem = {0};
    stamma_error error = stamma_query_parse(text, NULL, &problem, &query);
    reading wrong = *r;
    stamma_query_close(query);
    if (error == STAMMA_OK)
        return true;
    wrong.at = text.data + problem.offset;
    tool_say(r->path, "line %zu: %s", line_of(&wrong), *problem.message ? problem.message : stamma_error_text(error));
    return false;
}

/* Reads a query: an object. */
static bool read_query(reading *r, stamma_text *query)
{
    size_t depth = 0;
    if (next_byte(r) != '{')
        return expected(r, "a query: {...}");
    const char *begin = r->at;
    do {
        if (*r->at == '"')
            skip_string(r);
        else if (*r->at == '{' || *r->at == '[')
            depth++;
        else if (*r->at == '}' || *r->at == ']')
            depth--;
        r->at++;
    } while (depth > 0 && r->at < r->end);
    *query = (stamma_text){begin, (size_t)(r->at - begin)};
    return depth == 0 ? is_sound(r, *query) : expected(r, "the } of a query");
}

static int compare_names(const void *a, const void *b)
{
    const stamma_text *x = &((const saved_question *)a)->name, *y = &((const saved_question *)b)->name;
    const int order = memcmp(x->data, y->data, x->size < y->size ? x->size : y->size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

static bool read_members(reading *r, saved_questions *q)
{
    if (!take(r, '{'))
        return expected(r, "{");
    while (next_byte(r) != '}') {
        saved_question one;
        if (q->count > 0 && !take(r, ','))
            return expected(r, ", or }");
        if (!read_name(r, &one.name))
            return false;
        if (!take(r, ':'))
            return expected(r, ":");
        if (!read_query(r, &one.query))
            return false;
        if (!tool_list_grow(&q->list, &q->room, q->count, 1, sizeof *q->list))
            return false;
        q->list[q->count++] = one;
    }
    r->at++;
    return next_byte(r) == 0 || expected(r, "nothing after the last }");
}

static bool read_file(const char *path, saved_questions *q)
{
    tool_file file;
    size_t size = 0;
    if (!tool_file_open(path, &file))
        return false;
    q->text = tool_file_read_all(&file, &size);
    tool_file_close(&file);
    reading r = {path, q->text, q->text, q->text + size};
    if (!q->text || !read_members(&r, q))
        return false;
    if (q->count > 1)
        qsort(q->list, q->count, sizeof *q->list, compare_names);
    for (size_t n = 1; n < q->count; n++)
        if (compare_names(&q->list[n - 1], &q->list[n]) == 0) {
            tool_say(path, "two questions have the name \"%.*s\"", (int)q->list[n].name.size, q->list[n].name.data);
            return false;
        }
    return true;
}

bool saved_questions_read(const char *archive, saved_questions *q)
{
    char *path = path_of(archive);
    const bool right = path && (!system_is_there(path) || (tool_inputs_note(path, TOOL_BESIDE) && read_file(path, q)));
    free(path);
    return right;
}

void saved_questions_close(saved_questions *q)
{
    free(q->list);
    free(q->text);
    *q = (saved_questions){.list = NULL};
}

const saved_question *saved_questions_find(const saved_questions *q, const char *name)
{
    for (size_t n = 0; n < q->count; n++)
        if (tool_text_is(q->list[n].name, name))
            return &q->list[n];
    return NULL;
}

/* ---- writing ---- */

static bool write_text(tool_output *out, const char *text)
{
    return tool_output_write(out, text, strlen(text));
}

static bool write_question(tool_output *out, const saved_question *q, bool first)
{
    return write_text(out, first ? "\"" : ",\n\"") && tool_output_write(out, q->name.data, q->name.size) &&
           write_text(out, "\": ") && tool_output_write(out, q->query.data, q->query.size);
}

/* Writes the questions with a new one, in the order of their names. */
static bool write_file(const char *path, const saved_questions *q, const saved_question *added)
{
    tool_output *out = tool_output_rewrite(path, true, TOOL_BESIDE);
    bool right = out && write_text(out, "{\n"), first = true, put = false;
    for (size_t n = 0; n <= q->count && right; n++) {
        const int order = n < q->count ? compare_names(added, &q->list[n]) : -1;
        if (order <= 0 && !put) {
            right = write_question(out, added, first);
            put = true;
            first = false;
        }
        if (n < q->count && order != 0 && right) {
            right = write_question(out, &q->list[n], first);
            first = false;
        }
    }
    right = right && write_text(out, "\n}\n") && tool_output_finish(out);
    tool_output_close(out);
    return right;
}

bool saved_questions_save(const char *archive, const char *name, stamma_text query)
{
    saved_questions q = {.list = NULL};
    const saved_question added = {stamma_text_of(name), query};
    if (!fits_name(added.name)) {
        tool_say(NULL, "option --save: a name has 1 to 80 bytes without quotes and \\");
        return false;
    }
    char *path = saved_questions_read(archive, &q) ? path_of(archive) : NULL;
    const bool right = path && write_file(path, &q, &added);
    free(path);
    saved_questions_close(&q);
    return right;
}
