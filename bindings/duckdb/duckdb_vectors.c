/* SPDX-License-Identifier: MIT */
/* Arrow arrays as vectors of DuckDB. */
#include "duckdb_tables.h"

#include <stdlib.h>
#include <string.h>

/* Types whose format is one letter. */
static const struct {
    char letter;
    duckdb_type type;
    unsigned char size; /* of a value in bytes; 0: no fixed size */
} simple[] = {
    {'b', DUCKDB_TYPE_BOOLEAN, 0},      {'c', DUCKDB_TYPE_TINYINT, 1},   {'C', DUCKDB_TYPE_UTINYINT, 1},
    {'s', DUCKDB_TYPE_SMALLINT, 2},     {'S', DUCKDB_TYPE_USMALLINT, 2}, {'i', DUCKDB_TYPE_INTEGER, 4},
    {'I', DUCKDB_TYPE_UINTEGER, 4},     {'l', DUCKDB_TYPE_BIGINT, 8},    {'L', DUCKDB_TYPE_UBIGINT, 8},
    {'f', DUCKDB_TYPE_FLOAT, 4},        {'g', DUCKDB_TYPE_DOUBLE, 8},    {'u', DUCKDB_TYPE_VARCHAR, 0},
    {'z', DUCKDB_TYPE_BLOB, 0},         {'t', DUCKDB_TYPE_DATE, 4}, /* tdD: days */
    {'T', DUCKDB_TYPE_TIMESTAMP_TZ, 8},                             /* tsu:UTC: microseconds */
};

/* Returns the letter of a format in `simple`. */
static char letter_of(const struct ArrowSchema *schema)
{
    return strncmp(schema->format, "ts", 2) == 0 ? 'T' : schema->format[0];
}

static size_t find_simple(char letter)
{
    size_t i = 0;
    while (i < sizeof simple / sizeof *simple && simple[i].letter != letter)
        i++;
    return i;
}

enum { MEMBERS_MAX = 8 };

/* Returns the number of elements of "+w:64". */
static idx_t array_size(const struct ArrowSchema *schema)
{
    return (idx_t)strtoul(schema->format + 3, NULL, 10);
}

static duckdb_logical_type struct_type(const struct ArrowSchema *schema)
{
    duckdb_logical_type members[MEMBERS_MAX];
    const char *names[MEMBERS_MAX];
    const int64_t count = schema->n_children < MEMBERS_MAX ? schema->n_children : MEMBERS_MAX;
    for (int64_t i = 0; i < count; i++) {
        members[i] = stamma_duckdb_type(schema->children[i]);
        names[i] = schema->children[i]->name;
    }
    duckdb_logical_type type = duckdb_create_struct_type(members, names, (idx_t)count);
    for (int64_t i = 0; i < count; i++)
        duckdb_destroy_logical_type(&members[i]);
    return type;
}

duckdb_logical_type stamma_duckdb_type(const struct ArrowSchema *schema)
{
    if (schema->format[0] != '+')
        return duckdb_create_logical_type(simple[find_simple(letter_of(schema))].type);
    if (schema->format[1] == 's')
        return struct_type(schema);
    duckdb_logical_type child = stamma_duckdb_type(schema->children[0]);
    duckdb_logical_type type =
        schema->format[1] == 'w' ? duckdb_create_array_type(child, array_size(schema)) : duckdb_create_list_type(child);
    duckdb_destroy_logical_type(&child);
    return type;
}

static bool is_valid(const struct ArrowArray *a, int64_t row)
{
    const uint8_t *validity = a->n_buffers > 0 ? a->buffers[0] : NULL;
    return a->null_count == 0 || !validity || (validity[row >> 3] >> (row & 7) & 1);
}

static void copy_nulls(const struct ArrowArray *a, int64_t first, int64_t count, duckdb_vector vector, idx_t at)
{
    if (a->null_count == 0 || a->n_buffers == 0 || !a->buffers[0])
        return;
    uint64_t *validity = NULL;
    for (int64_t i = 0; i < count; i++) {
        if (is_valid(a, first + i))
            continue;
        if (!validity) {
            duckdb_vector_ensure_validity_writable(vector);
            validity = duckdb_vector_get_validity(vector);
        }
        duckdb_validity_set_row_invalid(validity, at + (idx_t)i);
    }
}

static void copy_bools(const struct ArrowArray *a, int64_t first, int64_t count, bool *out)
{
    const uint8_t *bits = a->buffers[1];
    for (int64_t i = 0; i < count; i++)
        out[i] = bits[(first + i) >> 3] >> ((first + i) & 7) & 1;
}

static void copy_texts(const struct ArrowArray *a, int64_t first, int64_t count, duckdb_vector vector, idx_t at)
{
    const int32_t *offsets = a->buffers[1];
    const char *bytes = a->buffers[2];
    for (int64_t i = 0; i < count; i++)
        if (is_valid(a, first + i)) {
            const int32_t begin = offsets[first + i], size = offsets[first + i + 1] - begin;
            duckdb_vector_assign_string_element_len(vector, at + (idx_t)i, size > 0 ? bytes + begin : "", (idx_t)size);
        }
}

/* Copies lists to the end of the vector's child. */
static bool copy_lists(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t first, int64_t count,
                       duckdb_vector vector, idx_t at)
{
    const int32_t *offsets = a->buffers[1];
    const int64_t begin = offsets[first], elements = offsets[first + count] - begin;
    duckdb_list_entry *entries = duckdb_vector_get_data(vector);
    const idx_t before = duckdb_list_vector_get_size(vector);
    for (int64_t i = 0; i < count; i++)
        entries[at + (idx_t)i] = (duckdb_list_entry){before + (uint64_t)(offsets[first + i] - begin),
                                                     (uint64_t)(offsets[first + i + 1] - offsets[first + i])};
    if (duckdb_list_vector_reserve(vector, before + (idx_t)elements) == DuckDBError ||
        duckdb_list_vector_set_size(vector, before + (idx_t)elements) == DuckDBError)
        return false;
    return stamma_duckdb_copy(schema->children[0], a->children[0], begin, elements,
                              duckdb_list_vector_get_child(vector), before);
}

static bool copy_nested(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t first, int64_t count,
                        duckdb_vector vector, idx_t at)
{
    if (schema->format[1] == 'l')
        return copy_lists(schema, a, first, count, vector, at);
    if (schema->format[1] == 'w') {
        const idx_t size = array_size(schema);
        return stamma_duckdb_copy(schema->children[0], a->children[0], first * (int64_t)size, count * (int64_t)size,
                                  duckdb_array_vector_get_child(vector), at * size);
    }
    for (int64_t i = 0; i < schema->n_children && i < MEMBERS_MAX; i++)
        if (!stamma_duckdb_copy(schema->children[i], a->children[i], first, count,
                                duckdb_struct_vector_get_child(vector, (idx_t)i), at))
            return false;
    return true;
}

bool stamma_duckdb_copy(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t first, int64_t count,
                        duckdb_vector vector, idx_t at)
{
    const int64_t begin = first + array->offset;
    const char letter = letter_of(schema);
    if (count == 0)
        return true;
    copy_nulls(array, begin, count, vector, at);
    if (letter == '+')
        return copy_nested(schema, array, begin, count, vector, at);
    const size_t size = simple[find_simple(letter)].size;
    if (size > 0)
        memcpy((char *)duckdb_vector_get_data(vector) + at * size,
               (const char *)array->buffers[1] + (size_t)begin * size, (size_t)count * size);
    else if (letter == 'b')
        copy_bools(array, begin, count, (bool *)duckdb_vector_get_data(vector) + at);
    else
        copy_texts(array, begin, count, vector, at);
    return true;
}
