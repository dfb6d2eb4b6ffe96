/* SPDX-License-Identifier: MIT */
/* The file of decisions about duplicates. */
#include "curating/dedupe_decisions.h"

/* The text of the file, and the next byte and line to read. */
typedef struct reading {
    const char *path;
    char *at;
    size_t line;
} reading;

enum { CELLS = 16 };
typedef enum column { ARCHIVE, GAME, DECISION, COLUMNS } column;

static bool fail(const reading *r, size_t line, const char *what, const char *word)
{
    tool_say(r->path, "line %zu: %s%s%s%s", line, what, word ? " \"" : "", word ? word : "", word ? "\"" : "");
    return false;
}

/* Reads a cell in quotes in place, and removes the quotes. Returns its end, or NULL without a closing quote. */
static char *read_quoted(reading *r)
{
    char *out = r->at, *in = r->at + 1;
    for (; *in && (*in != '"' || in[1] == '"'); in++) {
        r->line += *in == '\n';
        in += *in == '"';
        *out++ = *in;
    }
    if (*in == 0)
        return NULL;
    r->at = in + 1;
    return out;
}

/* Reads a row, in which texts are ended with NUL. Stores the number of its cells; 0 at the end of the file. */
static bool read_row(reading *r, char *cells[CELLS], size_t *count)
{
    *count = 0;
    while (*r->at == '\n' || *r->at == '\r')
        r->line += *r->at++ == '\n';
    for (bool more = *r->at != 0; more;) {
        char *begin = r->at, *end = r->at;
        if (*r->at == '"')
            end = read_quoted(r);
        else
            end = r->at = r->at + strcspn(r->at, ",\r\n");
        if (!end)
            return fail(r, r->line, "a quote is not closed", NULL);
        if (*r->at && !strchr(",\r\n", *r->at))
            return fail(r, r->line, "text after a quoted cell", NULL);
        more = *r->at == ',';
        r->line += *r->at == '\n';
        r->at += *r->at != 0;
        *end = 0;
        if (*count < CELLS)
            cells[(*count)++] = begin;
    }
    return true;
}

static bool read_head(reading *r, size_t places[COLUMNS])
{
    static const char *const names[COLUMNS] = {"archive", "game", "decision"};
    char *cells[CELLS];
    size_t count;
    if (!read_row(r, cells, &count))
        return false;
    for (size_t n = 0; n < COLUMNS; n++) {
        places[n] = 0;
        while (places[n] < count && strcmp(cells[places[n]], names[n]) != 0)
            places[n]++;
        if (places[n] == count)
            return fail(r, 1, "there is no column", names[n]);
    }
    return true;
}

/* Stores the index of a game, which is named by its archive and its number. */
static bool find_game(const reading *r, size_t line, const tool_many *many, const char *archive, const char *number,
                      uint64_t *index)
{
    size_t n = 0;
    char *end;
    while (n < many->count && strcmp(many->paths[n], archive) != 0)
        n++;
    if (n == many->count)
        return fail(r, line, "not one of the ARCHIVEs:", archive);
    errno = 0;
    unsigned long long game = strtoull(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || errno || game == 0 || game > many->first[n + 1] - many->first[n])
        return fail(r, line, "the archive has no game", number);
    *index = many->first[n] + game - 1;
    return true;
}

static bool add(dedupe_decisions *d, const dedupe_decision *one)
{
    if (d->count == d->room) {
        const size_t room = 2 * d->room + 64;
        dedupe_decision *more = realloc(d->list, room * sizeof *more);
        if (!more)
            return tool_fail_memory(NULL);
        d->list = more;
        d->room = room;
    }
    d->list[d->count++] = *one;
    return true;
}

static bool read_rows(reading *r, const tool_many *many, dedupe_decisions *d)
{
    size_t places[COLUMNS], count = 0;
    if (!read_head(r, places))
        return false;
    for (;;) {
        char *cells[CELLS];
        while (*r->at == '\n' || *r->at == '\r')
            r->line += *r->at++ == '\n';
        dedupe_decision one = {.line = r->line};
        if (!read_row(r, cells, &count))
            return false;
        if (count == 0)
            return true;
        for (size_t n = 0; n < COLUMNS; n++)
            if (places[n] >= count)
                return fail(r, one.line, "too few cells", NULL);
        const char *word = cells[places[DECISION]];
        one.keep = strcmp(word, "keep") == 0;
        if (!one.keep && strcmp(word, "drop") != 0)
            return fail(r, one.line, "neither keep nor drop:", word);
        if (!find_game(r, one.line, many, cells[places[ARCHIVE]], cells[places[GAME]], &one.index) || !add(d, &one))
            return false;
    }
}

static int compare(const void *left, const void *right)
{
    const dedupe_decision *a = left, *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

static bool sort(const reading *r, dedupe_decisions *d)
{
    if (d->count > 1)
        qsort(d->list, d->count, sizeof *d->list, compare);
    for (size_t i = 1; i < d->count; i++) {
        const dedupe_decision *a = &d->list[i - 1], *b = &d->list[i];
        if (a->index == b->index && a->keep != b->keep)
            return fail(r, a->line > b->line ? a->line : b->line, "contradicts an earlier line", NULL);
    }
    return true;
}

bool dedupe_decisions_read(const char *path, const tool_many *many, dedupe_decisions *decisions)
{
    tool_file file;
    size_t size;
    if (!tool_file_open(path, &file))
        return false;
    char *text = tool_file_read_all(&file, &size);
    reading r = {file.name, text, 1};
    bool right = text && read_rows(&r, many, decisions) && sort(&r, decisions);
    free(text);
    tool_file_close(&file);
    return right;
}

const dedupe_decision *dedupe_decisions_find(const dedupe_decisions *decisions, uint64_t index)
{
    const dedupe_decision wanted = {.index = index};
    return decisions->count == 0
               ? NULL
               : bsearch(&wanted, decisions->list, decisions->count, sizeof *decisions->list, compare);
}
