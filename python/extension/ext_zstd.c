/* SPDX-License-Identifier: MIT */
/* Decompresses zstd, which the standard library of Python reads only since 3.14. */
#include "ext.h"

#include <zstd.h>

typedef struct zstd_object {
    PyObject_HEAD ZSTD_DStream *stream;
    size_t wanted; /* bytes that the decompressor expects next; 0: at the end of a frame */
} zstd_object;

static PyTypeObject *zstd_type;

static PyObject *zstd_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "", names))
        return NULL;
    zstd_object *self = (zstd_object *)ext_allocate(type);
    if (!self)
        return NULL;
    self->stream = ZSTD_createDStream();
    if (self->stream)
        return (PyObject *)self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

static void zstd_dealloc(PyObject *object)
{
    (void)ZSTD_freeDStream(((zstd_object *)object)->stream);
    ext_free(object);
}

/* Decompresses into one buffer and appends it to a list. Returns false after an exception. */
static bool decompress_some(zstd_object *self, ZSTD_inBuffer *in, char *space, size_t capacity, PyObject *list)
{
    ZSTD_outBuffer out = {space, capacity, 0};
    size_t result;
    Py_BEGIN_ALLOW_THREADS result = ZSTD_decompressStream(self->stream, &out, in);
    Py_END_ALLOW_THREADS if (ZSTD_isError(result))
    {
        PyErr_Format(PyExc_EOFError, "damaged zstd data: %s", ZSTD_getErrorName(result));
        return false;
    }
    self->wanted = result;
    PyObject *bytes = ext_bytes(space, out.pos);
    bool done = bytes && PyList_Append(list, bytes) == 0;
    Py_XDECREF(bytes);
    return done && PyErr_CheckSignals() == 0;
}

/* decompress(data): a list of pieces of decompressed data. */
static PyObject *zstd_decompress(PyObject *object, PyObject *data)
{
    char *bytes;
    Py_ssize_t size;
    size_t capacity = ZSTD_DStreamOutSize();
    if (PyBytes_AsStringAndSize(data, &bytes, &size) != 0)
        return NULL;
    char *space = PyMem_Malloc(capacity);
    PyObject *list = space ? PyList_New(0) : PyErr_NoMemory();
    ZSTD_inBuffer in = {bytes, (size_t)size, 0};
    while (list && in.pos < in.size)
        if (!decompress_some((zstd_object *)object, &in, space, capacity, list))
            Py_CLEAR(list);
    PyMem_Free(space);
    return list;
}

/* drain(): a list of the remaining pieces in the decompressor's buffers; raises EOFError if the data is incomplete. */
static PyObject *zstd_drain(PyObject *object, PyObject *unused)
{
    (void)unused;
    zstd_object *self = (zstd_object *)object;
    size_t capacity = ZSTD_DStreamOutSize();
    char *space = PyMem_Malloc(capacity);
    PyObject *list = space ? PyList_New(0) : PyErr_NoMemory();
    ZSTD_inBuffer in = {"", 0, 0};
    Py_ssize_t before = -1;
    while (list && self->wanted > 0 && PyList_Size(list) != before) {
        before = PyList_Size(list);
        if (!decompress_some(self, &in, space, capacity, list))
            Py_CLEAR(list);
        else if (PyBytes_Size(PyList_GetItem(list, before)) == 0)
            break;
    }
    PyMem_Free(space);
    if (list && self->wanted > 0) {
        Py_CLEAR(list);
        PyErr_SetString(PyExc_EOFError, "the zstd data is incomplete");
    }
    return list;
}

static PyMethodDef zstd_methods[] = {
    {"decompress", zstd_decompress, METH_O, NULL}, {"drain", zstd_drain, METH_NOARGS, NULL}, {0}};
static PyType_Slot zstd_slots[] = {
    {Py_tp_dealloc, zstd_dealloc}, {Py_tp_methods, zstd_methods}, {Py_tp_new, zstd_new}, {0, NULL}};
static PyType_Spec zstd_spec = {"stamma._stamma.ZstdDecompressor", sizeof(zstd_object), 0, Py_TPFLAGS_DEFAULT,
                                zstd_slots};

bool ext_zstd_add(PyObject *module)
{
    zstd_type = ext_add_type(module, &zstd_spec);
    return zstd_type != NULL;
}
