/* SPDX-License-Identifier: MIT */
/* The rows of a table of several archives, from the record batches of their columns. */
#include "sql_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tables_scan {
    const tables_archives *archives;
    tables_request request;
    stamma_executor executor;
    size_t *wanted;
    char *archive_path;
    stamma_query *query;
    size_t archive; /* index of the archive that is read */
    bool open;      /* its stream is open */
    struct ArrowArrayStream stream;
    struct ArrowSchema schema; /* `release` is NULL if there is none */
    struct ArrowArray batch;   /* the same */
    int64_t row;               /* of the batch */
    size_t *child;             /* by wanted column: index in the batch; SIZE_MAX: the archive does not have it */
    stamma_text *names;        /* of the columns of the stream */
    tables_text space;
};

static void release_batch(tables_scan *s)
{
    if (s->batch.release)
        s->batch.release(&s->batch);
    s->batch.release = NULL;
    s->row = 0;
}

static void close_stream(tables_scan *s)
{
    release_batch(s);
    if (s->schema.release)
        s->schema.release(&s->schema);
    s->schema.release = NULL;
    if (s->open)
        s->stream.release(&s->stream);
    s->open = false;
}

static bool fail(const tables_scan *s, stamma_error error, stamma_place place, tables_fault *fault)
{
    char space[TABLES_FAULT_SIZE];
    if (error == STAMMA_ERROR_NO_MEMORY)
        return tables_fail_memory(fault);
    return tables_fail(fault, "%.200s: %.180s", s->archives->list[s->archive].path,
                       tables_error_text(error, place, space));
}

static bool fail_stream(const tables_scan *s, tables_fault *fault)
{
    stamma_place place = {.offset = 0};
    const stamma_error error = stamma_columns_error(&s->stream, &place);
    return fail(s, error, place, fault);
}

/* Stores the names of the columns that the archive has, and their indexes in its batches. */
static size_t choose_columns(tables_scan *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->request.wanted_count; i++) {
        const tables_column *c = &s->request.columns->list[s->wanted[i]];
        const bool has = !c->has || c->has[s->archive];
        s->child[i] = has ? count : SIZE_MAX;
        if (has)
            s->names[count++] = stamma_text_of(c->name);
    }
    if (count == 0) /* a scan of tags that this archive does not have still returns a row for each game */
        s->names[count++] = stamma_text_of(s->request.columns->list[0].name);
    return count;
}

static bool open_stream(tables_scan *s, tables_fault *fault)
{
    const tables_archive *a = &s->archives->list[s->archive];
    stamma_columns_problem problem = {.message = ""};
    if (!tables_flags_fit(a, s->query, fault))
        return false;
    const stamma_columns_options options = {
        .size = sizeof options,
        .executor = s->request.executor ? &s->executor : NULL,
        .memory = s->request.memory,
        .context = s->request.context,
        .stop = s->request.stop,
        .table = s->request.table,
        .columns = s->names,
        .column_count = choose_columns(s),
        .query = s->query,
        .first_game = s->request.first_game,
        .last_game = s->request.last_game,
        .batch_rows = s->request.batch_rows,
        .plain_texts = true,
    };
    const stamma_error error = stamma_columns_open(a->archive, &options, &problem, &s->stream);
    if (error == STAMMA_ERROR_SYNTAX)
        return tables_fail(fault, "%.150s: %.200s", a->path, problem.message);
    if (error)
        return fail(s, error, (stamma_place){.offset = 0}, fault);
    s->open = true;
    return s->stream.get_schema(&s->stream, &s->schema) == 0 || fail_stream(s, fault);
}

/* Returns whether the archive is read, and has games in the range. */
static bool is_wanted(const tables_scan *s)
{
    const tables_archive *a = &s->archives->list[s->archive];
    return (!s->archive_path || strcmp(s->archive_path, a->path) == 0) && a->games >= s->request.first_game &&
           a->games > 0;
}

static void *copy(const void *from, size_t size)
{
    void *memory = malloc(size);
    if (memory)
        memcpy(memory, from, size);
    return memory;
}

static bool copy_request(tables_scan *s, const tables_request *r)
{
    s->request = *r;
    s->wanted = copy(r->wanted, r->wanted_count * sizeof *s->wanted);
    s->child = calloc(r->wanted_count, sizeof *s->child);
    s->names = calloc(r->wanted_count + 1, sizeof *s->names);
    if (r->archive)
        s->archive_path = copy(r->archive, strlen(r->archive) + 1);
    if (r->executor)
        s->executor = *r->executor;
    return s->wanted && s->child && s->names && (s->archive_path || !r->archive);
}

bool tables_scan_open(const tables_archives *archives, const tables_request *request, tables_scan **scan,
                      tables_fault *fault)
{
    stamma_query_problem problem = {.message = ""};
    tables_scan *s = calloc(1, sizeof *s);
    if (!s)
        return tables_fail_memory(fault);
    s->archives = archives;
    bool right = copy_request(s, request) || tables_fail_memory(fault);
    if (right && request->query) {
        const stamma_error error = stamma_query_parse(stamma_text_of(request->query), NULL, &problem, &s->query);
        right = !error || tables_fail(fault, "query: %s", problem.message);
    }
    if (right)
        *scan = s;
    else
        tables_scan_close(s);
    return right;
}

void tables_scan_close(tables_scan *s)
{
    if (!s)
        return;
    close_stream(s);
    stamma_query_close(s->query);
    free(s->wanted);
    free(s->child);
    free(s->names);
    free(s->archive_path);
    free(s->space.data);
    free(s);
}

/* Reads the next batch that has rows. *any is false at the end of the last archive. */
static bool read_batch(tables_scan *s, bool *any, tables_fault *fault)
{
    for (*any = false; !*any && s->archive < s->archives->count;) {
        release_batch(s);
        if (!s->open && !is_wanted(s)) {
            s->archive++;
            continue;
        }
        if (!s->open && !open_stream(s, fault))
            return false;
        if (s->stream.get_next(&s->stream, &s->batch) != 0)
            return fail_stream(s, fault);
        if (!s->batch.release) {
            close_stream(s);
            s->archive++;
        } else {
            *any = s->batch.length > 0;
        }
    }
    return true;
}

bool tables_scan_next(tables_scan *s, bool *any, tables_fault *fault)
{
    s->row++;
    *any = s->batch.release && s->row < s->batch.length;
    return *any || read_batch(s, any, fault);
}

tables_value tables_scan_value(tables_scan *s, size_t wanted)
{
    const size_t child = s->child[wanted];
    s->space.size = 0;
    if (child == SIZE_MAX)
        return (tables_value){.kind = TABLES_NULL};
    return tables_value_of(s->schema.children[child], s->batch.children[child], s->row + s->batch.offset, &s->space);
}

size_t tables_scan_archive(const tables_scan *s)
{
    return s->archive;
}
