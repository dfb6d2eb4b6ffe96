/* SPDX-License-Identifier: MIT */
/* Arrow arrays as tuples of bytes, for programs without an Arrow library. */
#include "ext.h"

/* Returns the bytes of `count` values of a type of fixed width; 0 for other types. */
static size_t bytes_of_values(const char *format, size_t count)
{
    if (strcmp(format, "tdD") == 0 || strchr("iIf", format[0]))
        return 4 * count;
    if (strncmp(format, "ts", 2) == 0)
        return 8 * count;
    if (format[0] == 'b')
        return (count + 7) / 8;
    if (strchr("cC", format[0]))
        return count;
    if (strchr("sS", format[0]))
        return 2 * count;
    return strchr("lLg", format[0]) ? 8 * count : 0;
}

/* Returns a buffer of an array, or None if it is absent. */
static PyObject *bytes_or_none(const void *data, size_t size)
{
    return data ? ext_bytes(data, size) : Py_BuildValue("");
}

/* Returns a tuple of two buffers: values, or offsets and texts. */
static PyObject *buffers_of(const char *format, const struct ArrowArray *array)
{
    const size_t length = (size_t)array->length;
    if (array->n_buffers < 2)
        return PyTuple_New(0);
    const int32_t *offsets = array->buffers[1];
    const bool has_offsets = strchr("uz", format[0]) || strcmp(format, "+l") == 0;
    PyObject *first = bytes_or_none(offsets, has_offsets ? 4 * (length + 1) : bytes_of_values(format, length));
    PyObject *second = NULL;
    if (first)
        second = array->n_buffers > 2 ? bytes_or_none(array->buffers[2], (size_t)offsets[length]) : Py_BuildValue("");
    PyObject *pair = second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return pair;
}

static PyObject *children_of(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    PyObject *list = PyList_New(0);
    for (int64_t n = 0; list && n < array->n_children; n++) {
        PyObject *child = ext_array(schema->children[n], array->children[n]);
        ext_append(&list, child);
    }
    return list;
}

enum { VALIDITY, BUFFERS, CHILDREN, DICTIONARY, PARTS };

static PyObject *part_of(unsigned part, const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    switch (part) {
    case VALIDITY:
        return array->null_count > 0 ? bytes_or_none(array->buffers[0], ((size_t)array->length + 7) / 8)
                                     : Py_BuildValue("");
    case BUFFERS: return buffers_of(schema->format, array);
    case CHILDREN: return children_of(schema, array);
    default: return array->dictionary ? ext_array(schema->dictionary, array->dictionary) : Py_BuildValue("");
    }
}

PyObject *ext_array(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    PyObject *parts[PARTS] = {NULL}, *tuple = NULL;
    unsigned count = 0;
    while (count < PARTS && (parts[count] = part_of(count, schema, array)))
        count++;
    if (count == PARTS)
        tuple = Py_BuildValue("ssnOOOO", schema->name ? schema->name : "", schema->format, (Py_ssize_t)array->length,
                              parts[VALIDITY], parts[BUFFERS], parts[CHILDREN], parts[DICTIONARY]);
    for (unsigned n = 0; n < count; n++)
        Py_DECREF(parts[n]);
    return tuple;
}
