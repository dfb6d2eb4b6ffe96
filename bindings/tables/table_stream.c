/* SPDX-License-Identifier: MIT */
/* Record batches of several archives as one stream. */
#include "sql_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct joined {
    const tables_archives *archives;
    const tables_columns *columns;
    stamma_columns_options options;
    size_t *wanted;
    size_t count;       /* of wanted columns */
    stamma_text *names; /* of the columns of the archive */
    size_t *child;      /* index in its batches for each wanted column; SIZE_MAX: the archive does not have it */
    size_t archive;
    size_t archive_end;
    struct ArrowArrayStream stream; /* of the archive; `release` is NULL if it is not open */
    uint64_t done;                  /* bytes of the archives that were read */
    uint64_t total;
    tables_fault fault;
} joined;

/* ---- schemas and arrays of this stream ---- */

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i] && s->children[i]->release)
            s->children[i]->release(s->children[i]);
        free(s->children[i]);
    }
    free(s->children);
    free(s->private_data);
    s->release = NULL;
}

static void release_array(struct ArrowArray *a)
{
    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i] && a->children[i]->release)
            a->children[i]->release(a->children[i]);
        free(a->children[i]);
    }
    free(a->children);
    free(a->buffers);
    free(a->private_data);
    a->release = NULL;
}

/* Makes the schema of a column of texts. */
static bool text_schema(const char *name, struct ArrowSchema *s)
{
    char *copy = malloc(strlen(name) + 1);
    if (!copy)
        return false;
    (void)strcpy(copy, name);
    *s = (struct ArrowSchema){
        .format = "u", .name = copy, .flags = ARROW_FLAG_NULLABLE, .release = release_schema, .private_data = copy};
    return true;
}

/* Makes an array of null texts. */
static bool null_texts(int64_t length, struct ArrowArray *a)
{
    const void **buffers = calloc(3, sizeof *buffers);
    void *zeros = calloc((size_t)length + 1, sizeof(int32_t)); /* no valid bit, and no offset but 0 */
    if (!buffers || !zeros) {
        free(buffers);
        free(zeros);
        return false;
    }
    buffers[0] = buffers[1] = buffers[2] = zeros;
    *a = (struct ArrowArray){.length = length,
                             .null_count = length,
                             .n_buffers = 3,
                             .buffers = buffers,
                             .release = release_array,
                             .private_data = zeros};
    return true;
}

/* Moves the columns of an archive's schema, and adds the columns that it does not have. */
static bool join_schema(const joined *j, struct ArrowSchema *from, struct ArrowSchema *out)
{
    struct ArrowSchema **children = calloc(j->count, sizeof *children);
    if (!children)
        return false;
    *out = (struct ArrowSchema){.format = "+s", .name = "", .children = children, .release = release_schema};
    for (size_t i = 0; i < j->count; i++) {
        children[i] = calloc(1, sizeof *children[i]);
        out->n_children++;
        if (!children[i])
            return false;
        if (j->child[i] == SIZE_MAX) {
            if (!text_schema(j->columns->list[j->wanted[i]].name, children[i]))
                return false;
        } else {
            *children[i] = *from->children[j->child[i]];
            from->children[j->child[i]]->release = NULL;
        }
    }
    return true;
}

static bool join_batch(const joined *j, struct ArrowArray *from, struct ArrowArray *out)
{
    struct ArrowArray **children = calloc(j->count, sizeof *children);
    const void **buffers = calloc(1, sizeof *buffers);
    *out = (struct ArrowArray){
        .length = from->length, .n_buffers = 1, .buffers = buffers, .children = children, .release = release_array};
    for (size_t i = 0; i < j->count && children && buffers; i++) {
        children[i] = calloc(1, sizeof *children[i]);
        out->n_children++;
        if (!children[i])
            return false;
        if (j->child[i] == SIZE_MAX) {
            if (!null_texts(from->length, children[i]))
                return false;
        } else {
            *children[i] = *from->children[j->child[i]];
            from->children[j->child[i]]->release = NULL;
        }
    }
    return children && buffers;
}

/* ---- streams of archives ---- */

static size_t choose_columns(joined *j)
{
    size_t count = 0;
    for (size_t i = 0; i < j->count; i++) {
        const tables_column *c = &j->columns->list[j->wanted[i]];
        const bool has = !c->has || c->has[j->archive];
        j->child[i] = has ? count : SIZE_MAX;
        if (has)
            j->names[count++] = stamma_text_of(c->name);
    }
    if (count == 0)
        j->names[count++] = stamma_text_of(j->columns->list[0].name);
    return count;
}

static int fail(joined *j, stamma_error error, stamma_place place)
{
    char space[TABLES_FAULT_SIZE];
    (void)tables_fail(&j->fault, "%.200s: %.180s", j->archives->list[j->archive].path,
                      tables_error_text(error, place, space));
    j->fault.no_memory = error == STAMMA_ERROR_NO_MEMORY;
    return error == STAMMA_ERROR_NO_MEMORY ? ENOMEM : error == STAMMA_ERROR_CANCELLED ? ECANCELED : EIO;
}

static int fail_stream(joined *j)
{
    stamma_place place = {.offset = 0};
    const stamma_error error = stamma_columns_error(&j->stream, &place);
    return fail(j, error, place);
}

static bool report(void *context, uint64_t done, uint64_t total)
{
    const joined *j = context;
    (void)total;
    return j->options.progress(j->options.context, j->done + done, j->total);
}

static int open_stream(joined *j)
{
    const tables_archive *a = &j->archives->list[j->archive];
    stamma_columns_options o = j->options;
    stamma_columns_problem problem = {.message = ""};
    j->stream.release = NULL;
    if (!tables_flags_fit(a, o.query, &j->fault))
        return EINVAL;
    o.columns = j->names;
    o.column_count = choose_columns(j);
    if (o.progress) {
        o.progress = report;
        o.context = j;
    }
    const stamma_error error = stamma_columns_open(a->archive, &o, &problem, &j->stream);
    if (!error)
        return 0;
    j->stream.release = NULL;
    if (error != STAMMA_ERROR_SYNTAX)
        return fail(j, error, (stamma_place){.offset = 0});
    (void)tables_fail(&j->fault, "%.150s: %.200s", a->path, problem.message);
    return EINVAL;
}

static void close_stream(joined *j)
{
    if (j->stream.release)
        j->stream.release(&j->stream);
    j->stream.release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    joined *j = stream->private_data;
    struct ArrowSchema schema = {.release = NULL};
    const int status = j->stream.release ? 0 : open_stream(j);
    if (status)
        return status;
    if (j->stream.get_schema(&j->stream, &schema))
        return fail_stream(j);
    const bool right = join_schema(j, &schema, out);
    schema.release(&schema);
    if (!right && out->release)
        out->release(out);
    return right ? 0 : fail(j, STAMMA_ERROR_NO_MEMORY, (stamma_place){.offset = 0});
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    joined *j = stream->private_data;
    struct ArrowArray batch = {.release = NULL};
    *out = batch;
    while (j->archive < j->archive_end) {
        const int status = j->stream.release ? 0 : open_stream(j);
        if (status)
            return status;
        if (j->stream.get_next(&j->stream, &batch))
            return fail_stream(j);
        if (batch.release)
            break;
        close_stream(j);
        j->done += j->archives->list[j->archive++].file.size;
    }
    if (!batch.release)
        return 0;
    const bool right = join_batch(j, &batch, out);
    batch.release(&batch);
    if (!right && out->release)
        out->release(out);
    return right ? 0 : fail(j, STAMMA_ERROR_NO_MEMORY, (stamma_place){.offset = 0});
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const joined *j = stream->private_data;
    return j->fault.text[0] ? j->fault.text : NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    joined *j = stream->private_data;
    close_stream(j);
    free(j->wanted);
    free(j->names);
    free(j->child);
    free(j);
    stream->release = NULL;
}

bool tables_stream_open(const tables_archives *archives, const tables_columns *columns,
                        const stamma_columns_options *options, const size_t *wanted, size_t wanted_count,
                        size_t archive, struct ArrowArrayStream *stream, tables_fault *fault)
{
    joined *j = calloc(1, sizeof *j);
    if (!j)
        return tables_fail_memory(fault);
    *j = (joined){.archives = archives, .columns = columns, .options = *options, .count = wanted_count};
    j->archive = archive < SIZE_MAX ? archive : 0;
    j->archive_end = archive < SIZE_MAX ? archive + 1 : archives->count;
    for (size_t i = 0; i < archives->count; i++)
        j->total += archives->list[i].file.size;
    *stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, j};
    j->wanted = malloc(wanted_count * sizeof *j->wanted);
    j->names = calloc(wanted_count + 1, sizeof *j->names);
    j->child = calloc(wanted_count, sizeof *j->child);
    if (j->wanted && j->names && j->child) {
        memcpy(j->wanted, wanted, wanted_count * sizeof *wanted);
        return true;
    }
    release_stream(stream);
    return tables_fail_memory(fault);
}

size_t tables_stream_archive(const struct ArrowArrayStream *stream)
{
    return ((const joined *)stream->private_data)->archive;
}
