/* SPDX-License-Identifier: MIT */
/* The functions read_stamma, stamma_plies and stamma_positions: the rows of archives. Each of DuckDB's threads reads
 * one block at a time. */
#include "duckdb_tables.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of an archive that one thread reads. */
typedef struct work {
    size_t archive;
    uint64_t first, last; /* games */
} work;

typedef struct bound {
    stamma_table table;
    tables_archives archives;
    tables_columns columns;
    struct ArrowSchema schema; /* of all columns; `release` is NULL before it is known */
    stamma_query *query;
    bool whole; /* the query has "skip" or "limit": an archive is one part */
    work *parts;
    size_t part_count;
    stamma_columns_options options;
} bound;

/* Data that the threads of a scan share. */
typedef struct shared {
    atomic_size_t next; /* index of the next part to read */
    size_t *wanted;     /* column of each vector; SIZE_MAX: the vector is not read */
    idx_t count;
    size_t *read;  /* columns that are read, at least one */
    size_t *place; /* index in `read` of each vector */
    size_t read_count;
} shared;

typedef struct local {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch; /* `release` of each of the three is NULL if it is closed */
    int64_t row;
} local;

/* The last columns, with the path of the archive. DuckDB calls this column "filename" for all kinds of files. */
static const char *const path_columns[] = {"archive", "filename"};
enum { PATH_COLUMNS = sizeof path_columns / sizeof *path_columns };

/* ---- binding ---- */

static void release_bound(void *data)
{
    bound *b = data;
    if (b->schema.release)
        b->schema.release(&b->schema);
    stamma_query_close(b->query);
    tables_columns_release(&b->columns);
    tables_archives_close(&b->archives);
    free(b->parts);
    free(b);
}

void stamma_duckdb_column(duckdb_bind_info info, const char *name, duckdb_type type)
{
    duckdb_logical_type logical = duckdb_create_logical_type(type);
    duckdb_bind_add_result_column(info, name, logical);
    duckdb_destroy_logical_type(&logical);
}

/* Returns whether a condition may have this query as a part: "skip" and "limit" are only valid in the outermost. */
static bool is_condition(const char *query)
{
    stamma_query *parsed = NULL;
    tables_text all = {.data = NULL};
    tables_text_put(&all, "{\"all\":[");
    tables_text_put(&all, query);
    tables_text_put(&all, "]}");
    const bool right = !all.failed && !stamma_query_parse((stamma_text){all.data, all.size}, NULL, NULL, &parsed);
    stamma_query_close(parsed);
    free(all.data);
    return right;
}

static bool bind_query(bound *b, duckdb_bind_info info, tables_fault *fault)
{
    tables_rules rules = {.count = 0};
    stamma_query_problem problem = {.message = ""};
    const char *query = NULL;
    bool right = stamma_duckdb_rules(info, &rules, &query, fault);
    const stamma_error error =
        right && query ? stamma_query_parse(stamma_text_of(query), NULL, &problem, &b->query) : STAMMA_OK;
    if (error)
        right =
            error == STAMMA_ERROR_SYNTAX ? tables_fail(fault, "query: %s", problem.message) : tables_fail_memory(fault);
    if (right && query)
        b->whole = !is_condition(query);
    tables_rules_release(&rules);
    return right;
}

static bool add_part(bound *b, work part)
{
    work *parts = realloc(b->parts, (b->part_count + 1) * sizeof *parts);
    if (!parts)
        return false;
    b->parts = parts;
    parts[b->part_count++] = part;
    return true;
}

/* Divides an archive by blocks. */
static bool add_blocks(bound *b, size_t archive)
{
    const tables_archive *a = &b->archives.list[archive];
    size_t count = 0;
    stamma_block *blocks = NULL;
    bool right = !stamma_archive_blocks(a->archive, NULL, 0, &count);
    if (right && count > 0)
        right = (blocks = calloc(count, sizeof *blocks)) != NULL &&
                !stamma_archive_blocks(a->archive, blocks, count, &count);
    for (size_t i = 0; i < count && right; i++) {
        if (blocks[i].last_game >= blocks[i].first_game)
            right = add_part(b, (work){archive, blocks[i].first_game, blocks[i].last_game});
    }
    free(blocks);
    return right;
}

static bool divide(bound *b, tables_fault *fault)
{
    for (size_t i = 0; i < b->archives.count; i++) {
        const bool right = b->whole ? add_part(b, (work){i, 0, 0}) : add_blocks(b, i);
        if (!right)
            return tables_fail_memory(fault);
    }
    return true;
}

/* Reads the schema of all columns. */
static bool read_schema(bound *b, tables_fault *fault)
{
    struct ArrowArrayStream stream;
    size_t *all = malloc((b->columns.count + 1) * sizeof *all);
    if (!all)
        return tables_fail_memory(fault);
    for (size_t i = 0; i < b->columns.count; i++)
        all[i] = i;
    bool right = tables_stream_open(&b->archives, &b->columns, &b->options, all, b->columns.count, 0, &stream, fault);
    if (right && stream.get_schema(&stream, &b->schema)) {
        const char *message = stream.get_last_error(&stream);
        b->schema.release = NULL;
        right = tables_fail(fault, "%s", message ? message : "");
    }
    if (stream.release)
        stream.release(&stream);
    free(all);
    return right;
}

/* Reads a number that is a member of the options. */
static bool read_option(duckdb_bind_info info, const char *name, int64_t most, int64_t *number, tables_fault *fault)
{
    *number = 0;
    if (!stamma_duckdb_number(info, name, number) || (*number >= 0 && *number <= most))
        return true;
    return tables_fail(fault, "%s must be from 0 to %lld", name, (long long)most);
}

static bool read_options(duckdb_bind_info info, bound *b, tables_fault *fault)
{
    int64_t skip, sample, shuffle, seed;
    b->options = (stamma_columns_options){.size = sizeof b->options, .table = b->table, .plain_texts = true};
    if (b->table != STAMMA_TABLE_POSITIONS)
        return true;
    if (!read_option(info, "skip_plies", UINT32_MAX, &skip, fault) ||
        !read_option(info, "sample", UINT32_MAX, &sample, fault) ||
        !read_option(info, "shuffle", 1 << 24, &shuffle, fault) || !read_option(info, "seed", INT64_MAX, &seed, fault))
        return false;
    b->options.skip_plies = (uint32_t)skip;
    b->options.sample = (uint32_t)sample;
    b->options.shuffle = (uint32_t)shuffle;
    b->options.seed = (uint64_t)seed;
    return true;
}

static bool bind_archives(duckdb_bind_info info, bound *b, tables_fault *fault)
{
    return read_options(info, b, fault) && bind_query(b, info, fault) &&
           stamma_duckdb_archives(info, &b->archives, fault) &&
           tables_columns_list(&b->columns, &b->archives, b->table, fault) && read_schema(b, fault) && divide(b, fault);
}

static void declare_columns(duckdb_bind_info info, const bound *b)
{
    for (size_t i = 0; i < b->columns.count; i++) {
        duckdb_logical_type type = stamma_duckdb_type(b->schema.children[i]);
        duckdb_bind_add_result_column(info, b->columns.list[i].name, type);
        duckdb_destroy_logical_type(&type);
    }
    for (size_t i = 0; i < PATH_COLUMNS; i++)
        stamma_duckdb_column(info, path_columns[i], DUCKDB_TYPE_VARCHAR);
    const uint64_t rows = tables_archives_games(&b->archives) * (b->table == STAMMA_TABLE_GAMES ? 1 : 80);
    duckdb_bind_set_cardinality(info, (idx_t)rows, b->table == STAMMA_TABLE_GAMES && !b->query);
}

static void bind(duckdb_bind_info info)
{
    tables_fault fault = {.no_memory = false};
    bound *b = calloc(1, sizeof *b);
    if (!b) {
        duckdb_bind_set_error(info, "out of memory");
        return;
    }
    b->table = (stamma_table)(uintptr_t)duckdb_bind_get_extra_info(info);
    if (!bind_archives(info, b, &fault)) {
        duckdb_bind_set_error(info, fault.text);
        release_bound(b);
        return;
    }
    declare_columns(info, b);
    duckdb_bind_set_bind_data(info, b, release_bound);
}

/* ---- scans ---- */

static void release_shared(void *data)
{
    shared *s = data;
    free(s->wanted);
    free(s->read);
    free(s->place);
    free(s);
}

/* Chooses the columns that the statement uses. */
static bool choose_columns(shared *s, duckdb_init_info info, const bound *b)
{
    s->count = duckdb_init_get_column_count(info);
    s->wanted = calloc(s->count + 1, sizeof *s->wanted);
    s->read = calloc(s->count + 1, sizeof *s->read);
    s->place = calloc(s->count + 1, sizeof *s->place);
    if (!s->wanted || !s->read || !s->place)
        return false;
    for (idx_t i = 0; i < s->count; i++) {
        const idx_t column = duckdb_init_get_column_index(info, i);
        s->wanted[i] = column < b->columns.count + PATH_COLUMNS ? (size_t)column : SIZE_MAX;
        if (column < b->columns.count) {
            s->place[i] = s->read_count;
            s->read[s->read_count++] = (size_t)column;
        }
    }
    if (s->read_count == 0)
        s->read[s->read_count++] = 0;
    return true;
}

static void init(duckdb_init_info info)
{
    const bound *b = duckdb_init_get_bind_data(info);
    shared *s = calloc(1, sizeof *s);
    if (!s || !choose_columns(s, info, b)) {
        if (s)
            release_shared(s);
        duckdb_init_set_error(info, "out of memory");
        return;
    }
    atomic_init(&s->next, 0);
    duckdb_init_set_max_threads(info, b->part_count > 0 ? b->part_count : 1);
    duckdb_init_set_init_data(info, s, release_shared);
}

static void close_part(local *l)
{
    if (l->batch.release)
        l->batch.release(&l->batch);
    if (l->schema.release)
        l->schema.release(&l->schema);
    if (l->stream.release)
        l->stream.release(&l->stream);
    *l = (local){.row = 0};
}

static void release_local(void *data)
{
    close_part(data);
    free(data);
}

static void init_local(duckdb_init_info info)
{
    local *l = calloc(1, sizeof *l);
    if (!l)
        duckdb_init_set_error(info, "out of memory");
    else
        duckdb_init_set_init_data(info, l, release_local);
}

/* ---- rows ---- */

static bool fail_stream(local *l, tables_fault *fault)
{
    const char *message = l->stream.get_last_error(&l->stream);
    return tables_fail(fault, "%s", message ? message : "the archive cannot be read");
}

static bool open_part(const bound *b, const shared *s, const work *part, local *l, tables_fault *fault)
{
    stamma_columns_options options = b->options;
    options.query = b->query;
    options.first_game = part->first;
    options.last_game = part->last;
    if (!tables_stream_open(&b->archives, &b->columns, &options, s->read, s->read_count, part->archive, &l->stream,
                            fault))
        return false;
    return l->stream.get_schema(&l->stream, &l->schema) == 0 || fail_stream(l, fault);
}

/* Reads the next batch of this thread that has rows. *any is false at the end of all parts. */
static bool read_batch(const bound *b, shared *s, local *l, bool *any, tables_fault *fault)
{
    for (*any = false; !*any;) {
        if (!l->stream.release) {
            const size_t part = atomic_fetch_add(&s->next, 1);
            if (part >= b->part_count)
                return true;
            if (!open_part(b, s, &b->parts[part], l, fault))
                return false;
        }
        if (l->batch.release)
            l->batch.release(&l->batch);
        l->batch.release = NULL;
        l->row = 0;
        if (l->stream.get_next(&l->stream, &l->batch))
            return fail_stream(l, fault);
        if (!l->batch.release)
            close_part(l);
        else
            *any = l->batch.length > 0;
    }
    return true;
}

static void put_archive(const local *l, const bound *b, duckdb_vector vector, int64_t count)
{
    const char *path = b->archives.list[tables_stream_archive(&l->stream)].path;
    for (int64_t i = 0; i < count; i++)
        duckdb_vector_assign_string_element(vector, (idx_t)i, path);
}

static bool put_rows(const bound *b, const shared *s, local *l, duckdb_data_chunk chunk)
{
    const int64_t left = l->batch.length - l->row, most = (int64_t)duckdb_vector_size();
    const int64_t count = left < most ? left : most, first = l->row + l->batch.offset;
    for (idx_t i = 0; i < s->count; i++) {
        duckdb_vector vector = s->wanted[i] < SIZE_MAX ? duckdb_data_chunk_get_vector(chunk, i) : NULL;
        if (!vector)
            continue;
        if (s->wanted[i] >= b->columns.count)
            put_archive(l, b, vector, count);
        else if (!stamma_duckdb_copy(l->schema.children[s->place[i]], l->batch.children[s->place[i]], first, count,
                                     vector, 0))
            return false;
    }
    l->row += count;
    duckdb_data_chunk_set_size(chunk, (idx_t)count);
    return true;
}

static void read_rows(duckdb_function_info info, duckdb_data_chunk chunk)
{
    const bound *b = duckdb_function_get_bind_data(info);
    shared *s = duckdb_function_get_init_data(info);
    local *l = duckdb_function_get_local_init_data(info);
    tables_fault fault = {.no_memory = false};
    bool any = l->batch.release && l->row < l->batch.length;
    if (!any && !read_batch(b, s, l, &any, &fault))
        duckdb_function_set_error(info, fault.text);
    else if (!any)
        duckdb_data_chunk_set_size(chunk, 0);
    else if (!put_rows(b, s, l, chunk))
        duckdb_function_set_error(info, "out of memory");
}

static bool register_table(duckdb_connection connection, const char *name, stamma_table table)
{
    duckdb_table_function function = stamma_duckdb_function(name);
    if (table == STAMMA_TABLE_POSITIONS) {
        stamma_duckdb_named(function, "skip_plies", DUCKDB_TYPE_BIGINT);
        stamma_duckdb_named(function, "sample", DUCKDB_TYPE_BIGINT);
        stamma_duckdb_named(function, "shuffle", DUCKDB_TYPE_BIGINT);
        stamma_duckdb_named(function, "seed", DUCKDB_TYPE_BIGINT);
    }
    duckdb_table_function_set_extra_info(function, (void *)(uintptr_t)table, NULL);
    duckdb_table_function_set_bind(function, bind);
    duckdb_table_function_set_init(function, init);
    duckdb_table_function_set_local_init(function, init_local);
    duckdb_table_function_set_function(function, read_rows);
    duckdb_table_function_supports_projection_pushdown(function, true);
    const bool right = duckdb_register_table_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_table_function(&function);
    return right;
}

bool stamma_duckdb_register_archives(duckdb_connection connection)
{
    return register_table(connection, "read_stamma", STAMMA_TABLE_GAMES) &&
           register_table(connection, "stamma_games", STAMMA_TABLE_GAMES) &&
           register_table(connection, "stamma_plies", STAMMA_TABLE_PLIES) &&
           register_table(connection, "stamma_positions", STAMMA_TABLE_POSITIONS);
}
