/* SPDX-License-Identifier: MIT */
/* Helpers for tests of Arrow tables. */
#include "arrow_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns the size in bytes of a value of a format. Returns 0 for formats whose values have no fixed size. */
static size_t width_of(const char *format)
{
    static const char formats[] = "cCsSiIlLfg";
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    const char *at = strchr(formats, format[0]);
    if (strcmp(format, "tdD") == 0)
        return 4;
    if (strcmp(format, "tsu:UTC") == 0)
        return 8;
    return at && format[1] == '\0' ? sizes[at - formats] : 0;
}

static void list_children(listing *to, const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    assert_int_equal(schema->n_children, array->n_children);
    for (int64_t n = 0; n < array->n_children; n++)
        list_array(to, schema->children[n], array->children[n]);
}

static void list_offsets(listing *to, const struct ArrowArray *array)
{
    list_bytes(to, array->buffers[1], ((size_t)array->length + 1) * sizeof(int32_t));
}

void list_array(listing *to, const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    const char *format = schema->format;
    const size_t length = (size_t)array->length, bits = (length + 7) / 8;
    list_format(to, "%lld %lld\n", (long long)array->length, (long long)array->null_count);
    assert_int_equal(array->offset, 0);
    if (array->n_buffers > 0 && array->buffers[0] && length > 0)
        list_bytes(to, array->buffers[0], bits);
    else
        assert_int_equal(array->null_count, 0);
    if (format[0] == 'u' || format[0] == 'z') {
        list_offsets(to, array);
        list_bytes(to, array->buffers[2], (size_t)((const int32_t *)array->buffers[1])[length]);
    } else if (strcmp(format, "+l") == 0) {
        list_offsets(to, array);
    } else if (format[0] == 'b' && length > 0) {
        list_bytes(to, array->buffers[1], bits);
    } else if (width_of(format) > 0 && length > 0) {
        list_bytes(to, array->buffers[1], length * width_of(format));
    } else {
        assert_true(format[0] == '+' || length == 0);
    }
    list_children(to, schema, array);
    if (schema->dictionary)
        list_array(to, schema->dictionary, array->dictionary);
}

static int32_t read_int(const char **at)
{
    int32_t value;
    memcpy(&value, *at, sizeof value);
    *at += sizeof value;
    return value;
}

/* Appends keys and values: their number, then the size of each and its bytes. `at` may be NULL. */
static void list_metadata(listing *to, const char *at)
{
    int32_t texts = at ? 2 * read_int(&at) : 0;
    for (; texts > 0; texts--) {
        const int32_t size = read_int(&at);
        list_bytes(to, at, (size_t)size);
        list_word(to, "\n");
        at += size;
    }
}

static void list_schema(listing *to, const struct ArrowSchema *schema)
{
    list_format(to, "%s %s %lld\n", schema->name ? schema->name : "", schema->format, (long long)schema->flags);
    list_metadata(to, schema->metadata);
    for (int64_t n = 0; n < schema->n_children; n++)
        list_schema(to, schema->children[n]);
}

stamma_error list_stream(listing *to, struct ArrowArrayStream *stream, uint64_t *rows)
{
    struct ArrowSchema schema = {.release = NULL};
    struct ArrowArray batch = {.release = NULL};
    int failed = stream->get_schema(stream, &schema);
    if (!failed)
        list_schema(to, &schema);
    while (!failed && (failed = stream->get_next(stream, &batch)) == 0 && batch.release) {
        list_array(to, &schema, &batch);
        if (rows)
            *rows += (uint64_t)batch.length;
        batch.release(&batch);
    }
    stamma_error error = stamma_columns_error(stream, NULL);
    if (failed && error == STAMMA_OK)
        error = STAMMA_ERROR_NO_MEMORY; /* the schema */
    assert_int_equal(failed == 0, error == STAMMA_OK);
    if (schema.release)
        schema.release(&schema);
    stream->release(stream);
    assert_null(stream->release);
    return error;
}
