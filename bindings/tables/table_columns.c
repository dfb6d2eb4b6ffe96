/* SPDX-License-Identifier: MIT */
/* The columns of a table over several archives, which may have different tags. */
#include "sql_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lister {
    tables_columns *columns;
    size_t archive;  /* index of the archive that is listed; SIZE_MAX: none */
    size_t archives; /* number of archives */
    bool failed;
} lister;

static char *copy(const char *string)
{
    const size_t size = strlen(string) + 1;
    char *text = malloc(size);
    if (text)
        memcpy(text, string, size);
    return text;
}

size_t tables_columns_find(const tables_columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->list[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

static tables_column *add(lister *l, const stamma_column *from)
{
    tables_column *list = realloc(l->columns->list, (l->columns->count + 1) * sizeof *list);
    if (!list) {
        l->failed = true;
        return NULL;
    }
    l->columns->list = list;
    tables_column *c = &list[l->columns->count++];
    *c = (tables_column){copy(from->name), copy(from->type), copy(from->meaning), from->is_default, NULL, false, NULL};
    c->has = calloc(l->archives + 1, sizeof *c->has);
    l->failed |= !c->name || !c->type || !c->meaning || !c->has;
    return l->failed ? NULL : c;
}

static void release_column(tables_column *c)
{
    free(c->name);
    free(c->type);
    free(c->meaning);
    free(c->tag);
    free(c->has);
}

size_t tables_columns_add(tables_columns *columns, const char *name)
{
    const stamma_column column = {.name = name, .type = "utf8", .meaning = ""};
    const size_t before = columns->count;
    lister l = {columns, SIZE_MAX, 0, false};
    tables_column *c = add(&l, &column);
    if (!c) {
        if (columns->count > before)
            release_column(&columns->list[--columns->count]);
        return SIZE_MAX;
    }
    free(c->has);
    c->has = NULL;
    return before;
}

static void take_column(void *context, const stamma_column *column)
{
    lister *l = context;
    if (l->failed)
        return;
    const size_t at = tables_columns_find(l->columns, column->name);
    tables_column *c = at < SIZE_MAX ? &l->columns->list[at] : add(l, column);
    if (c && l->archive < SIZE_MAX)
        c->has[l->archive] = true;
}

/* Sets `has` to NULL in columns that all archives have. */
static void forget_marks(tables_columns *columns, size_t archives)
{
    for (size_t i = 0; i < columns->count; i++) {
        bool all = true;
        for (size_t a = 0; a < archives; a++)
            all &= columns->list[i].has[a];
        if (all) {
            free(columns->list[i].has);
            columns->list[i].has = NULL;
        }
    }
}

/* Columns that contain the values of one tag in every archive. */
static const char *const tags[][2] = {{"white", "White"}, {"black", "Black"}, {"event", "Event"},
                                      {"site", "Site"},   {"round", "Round"}, {"termination", "Termination"}};

static bool name_tags(tables_columns *columns)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        const size_t at = tables_columns_find(columns, tags[i][0]);
        if (at < SIZE_MAX && !(columns->list[at].tag = copy(tags[i][1])))
            return false;
    }
    return true;
}

static bool list_archive(lister *l, const tables_archive *a, const stamma_columns_options *options, tables_fault *fault)
{
    char space[TABLES_FAULT_SIZE];
    const stamma_error error = stamma_columns_list(a ? a->archive : NULL, options, take_column, l);
    if (error == STAMMA_ERROR_NO_MEMORY || l->failed)
        return tables_fail_memory(fault);
    if (error)
        return tables_fail(fault, "%.300s: %s", a ? a->path : "",
                           tables_error_text(error, (stamma_place){.offset = 0}, space));
    return true;
}

bool tables_columns_list(tables_columns *columns, const tables_archives *archives, stamma_table table,
                         tables_fault *fault)
{
    const stamma_columns_options options = {.size = sizeof options, .table = table, .plain_texts = true};
    const size_t count = archives ? archives->count : 0;
    *columns = (tables_columns){.list = NULL};
    lister l = {columns, SIZE_MAX, count, false};
    bool right = list_archive(&l, NULL, &options, fault);
    for (size_t a = 0; a < count && right; a++) {
        l.archive = a;
        right = list_archive(&l, &archives->list[a], &options, fault);
    }
    if (right)
        forget_marks(columns, count);
    const size_t fen = right && table == STAMMA_TABLE_PLIES ? tables_columns_find(columns, "fen") : SIZE_MAX;
    if (fen < SIZE_MAX)
        columns->list[fen].is_fen = true;
    if (right && table == STAMMA_TABLE_GAMES && !name_tags(columns))
        right = tables_fail_memory(fault);
    if (!right)
        tables_columns_release(columns);
    return right;
}

void tables_columns_release(tables_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        release_column(&columns->list[i]);
    free(columns->list);
    *columns = (tables_columns){.list = NULL};
}
