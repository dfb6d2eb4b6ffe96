/* SPDX-License-Identifier: MIT */
/* Fuzz target: Arrow tables of damaged and hostile archives. Each input is read unchanged, and with all checksums
 * recomputed, as each of the three tables with all columns. Checks that offsets ascend within the values, that
 * dictionary indexes are within the dictionaries, and that a stream without an error has the number of games that the
 * archive declares. */
#include <stdlib.h>
#include <string.h>

#include "large_blocks.h"
#include "mutators.h"
#include "stamma.h"
#include "target.h"

/* The work limit, in basic blocks per declared byte of text, for all tables together. */
#define PER_TEXT UINT64_C(100000)
const work_limit fuzz_limit = {.fixed = 400000, .per_byte = 20000};

enum { NAMES_MAX = 200 };

typedef struct names {
    stamma_text texts[NAMES_MAX];
    size_t count;
} names;

static void take_name(void *context, const stamma_column *column)
{
    names *all = context;
    const size_t size = strlen(column->name);
    char *copy = malloc(size + 1);
    demand(copy != NULL);
    memcpy(copy, column->name, size + 1);
    if (all->count < NAMES_MAX && strcmp(column->name, "bits") != 0)
        all->texts[all->count++] = (stamma_text){copy, size};
    else
        free(copy);
}

static void check_offsets(const struct ArrowArray *array)
{
    const int32_t *offsets = array->buffers[1];
    demand(offsets[0] == 0);
    for (int64_t n = 0; n < array->length; n++)
        demand(offsets[n] <= offsets[n + 1]);
}

static void check_array(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    demand(array->length >= 0 && array->null_count >= 0 && array->null_count <= array->length && array->offset == 0);
    if (schema->format[0] == 'u' || schema->format[0] == 'z' || strcmp(schema->format, "+l") == 0)
        check_offsets(array);
    for (int64_t n = 0; schema->dictionary && n < array->length; n++) {
        const int32_t number = ((const int32_t *)array->buffers[1])[n];
        demand(number >= 0 && (number < array->dictionary->length || array->null_count > 0));
    }
    if (schema->dictionary)
        check_array(schema->dictionary, array->dictionary);
    demand(schema->n_children == array->n_children);
    for (int64_t n = 0; n < array->n_children; n++)
        check_array(schema->children[n], array->children[n]);
    if (strcmp(schema->format, "+l") == 0)
        demand(((const int32_t *)array->buffers[1])[array->length] == array->children[0]->length);
}

/* Reads all batches. Returns whether there was no error. */
static bool read_stream(struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    struct ArrowArray batch = {.release = NULL};
    int failed = stream->get_schema(stream, &schema);
    demand(!failed);
    while ((failed = stream->get_next(stream, &batch)) == 0 && batch.release) {
        check_array(&schema, &batch);
        batch.release(&batch);
    }
    demand((failed != 0) == (stream->get_last_error(stream) != NULL));
    schema.release(&schema);
    stream->release(stream);
    return failed == 0;
}

/* Reads a table with all columns. Returns whether there was no error. */
static bool read_table(stamma_archive *archive, stamma_table table)
{
    names all = {.count = 0};
    struct ArrowArrayStream stream;
    stamma_columns_options options = {
        .size = sizeof options, .table = table, .batch_rows = 64, .shuffle = table == STAMMA_TABLE_POSITIONS ? 10 : 0};
    bool fine = stamma_columns_list(archive, &options, take_name, &all) == STAMMA_OK;
    options.columns = all.texts;
    options.column_count = all.count;
    fine = fine && stamma_columns_open(archive, &options, NULL, &stream) == STAMMA_OK && read_stream(&stream);
    for (size_t n = 0; n < all.count; n++)
        free((char *)(uintptr_t)all.texts[n].data);
    return fine;
}

static void check(const uint8_t *data, size_t size)
{
    bool fine[STAMMA_TABLES];
    const stamma_bytes bytes = stamma_bytes_of(data, size);
    const stamma_archive_options options = {.size = sizeof options, .allocator = large_blocks_kept()};
    stamma_archive *archive = NULL;
    limit_work(fuzz_limit.fixed + fuzz_limit.per_byte * size + PER_TEXT * declared_text(data, size));
    if (stamma_archive_open(&bytes, &options, &archive) != STAMMA_OK)
        return;
    for (int table = 0; table < STAMMA_TABLES; table++)
        fine[table] = read_table(archive, (stamma_table)table);
    stamma_archive_close(archive);
    demand(fine[STAMMA_TABLE_POSITIONS] || !fine[STAMMA_TABLE_GAMES]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_archive(data, size, room, seed);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    check(data, size);
    uint8_t *restored = malloc(size + 1);
    demand(restored != NULL);
    if (size > 0)
        memcpy(restored, data, size);
    restore_archive(restored, size);
    check(restored, size);
    free(restored);
}
