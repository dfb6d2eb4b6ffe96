/* SPDX-License-Identifier: MIT */
/* Sources and destinations of archives: memory, mapped files, and Python functions. */
#include "ext.h"

#include "ext_system.h"

PyTypeObject *ext_source_type;

static ext_source *new_source(void)
{
    return (ext_source *)ext_allocate(ext_source_type);
}

/* source_of_bytes(data): a source over a bytes object. */
static PyObject *source_of_bytes(PyObject *module, PyObject *data)
{
    (void)module;
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(data, &bytes, &size) != 0)
        return NULL;
    ext_source *source = new_source();
    if (!source)
        return NULL;
    Py_INCREF(data);
    source->owner = data;
    source->data = (const uint8_t *)bytes;
    source->size = (uint64_t)size;
    return (PyObject *)source;
}

/* source_of_function(read_at, size): a source that calls read_at(offset, size). */
static PyObject *source_of_function(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *read_at;
    unsigned long long size;
    if (!PyArg_ParseTuple(args, "OK", &read_at, &size))
        return NULL;
    ext_source *source = new_source();
    if (!source)
        return NULL;
    Py_INCREF(read_at);
    source->read_at = read_at;
    source->size = size;
    return (PyObject *)source;
}

/* source_of_descriptor(fd): maps an open file, or returns None if that is impossible. The descriptor may then be
 * closed. */
static PyObject *source_of_descriptor(PyObject *module, PyObject *args)
{
    (void)module;
    int descriptor;
    size_t size;
    if (!PyArg_ParseTuple(args, "i", &descriptor))
        return NULL;
    void *mapping = ext_system_map(descriptor, &size);
    if (!mapping)
        Py_RETURN_NONE;
    ext_source *source = new_source();
    if (!source) {
        ext_system_unmap(mapping, size);
        return NULL;
    }
    source->mapping = mapping;
    source->data = mapping;
    source->size = size;
    return (PyObject *)source;
}

static void source_dealloc(PyObject *self)
{
    ext_source *source = (ext_source *)self;
    if (source->mapping)
        ext_system_unmap(source->mapping, (size_t)source->size);
    Py_CLEAR(source->owner);
    Py_CLEAR(source->read_at);
    ext_free(self);
}

static PyObject *get_size(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(((ext_source *)self)->size);
}

/* ---- reading ---- */

/* Reads at most `size` bytes. Returns their number, or -1 after an exception. */
static ptrdiff_t read_part(const ext_source *source, uint64_t offset, void *bytes, size_t size)
{
    PyObject *result = PyErr_CheckSignals() != 0
                           ? NULL
                           : PyObject_CallFunction(source->read_at, "Kn", (unsigned long long)offset, (Py_ssize_t)size);
    char *data;
    Py_ssize_t count = -1;
    if (!result || PyBytes_AsStringAndSize(result, &data, &count) != 0) {
        Py_XDECREF(result);
        return -1;
    }
    if ((size_t)count > size) {
        PyErr_SetString(PyExc_ValueError, "the file object returned more bytes than requested");
        count = -1;
    }
    if (count > 0)
        memcpy(bytes, data, (size_t)count);
    Py_DECREF(result);
    return count;
}

static bool read_callback(void *context, uint64_t offset, void *bytes, size_t size)
{
    const ext_source *source = context;
    size_t done = 0;
    ptrdiff_t count = 1;
    PyGILState_STATE state = PyGILState_Ensure();
    while (done < size && count > 0) {
        count = PyErr_Occurred() ? -1 : read_part(source, offset + done, (char *)bytes + done, size - done);
        done += count > 0 ? (size_t)count : 0;
    }
    PyGILState_Release(state);
    return done == size;
}

stamma_bytes ext_source_bytes(ext_source *source)
{
    return (stamma_bytes){.size = source->size, .memory = source->data, .context = source, .read_at = read_callback};
}

/* ---- output ---- */

/* Calls a function of the output. Returns false after an exception. */
static bool call_output(const ext_output *output, PyObject *function, const char *format, const void *bytes,
                        Py_ssize_t size)
{
    if (output->call && atomic_load(&output->call->stopped))
        return false;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result = NULL;
    if (!PyErr_Occurred() && PyErr_CheckSignals() == 0)
        result = bytes ? PyObject_CallFunction(function, format, bytes, size)
                       : PyObject_CallFunction(function, format, size);
    bool done = result != NULL;
    Py_XDECREF(result);
    PyGILState_Release(state);
    if (!done && output->call)
        atomic_store(&output->call->stopped, true);
    return done;
}

static bool write_callback(void *context, const void *bytes, size_t size)
{
    const ext_output *output = context;
    return size == 0 || call_output(output, output->write, "y#", bytes, (Py_ssize_t)size);
}

static bool sync_callback(void *context)
{
    const ext_output *output = context;
    return call_output(output, output->sync, "", NULL, 0);
}

bool ext_output_cut(void *context, uint64_t size)
{
    const ext_output *output = context;
    return call_output(output, output->cut, "n", NULL, (Py_ssize_t)size);
}

stamma_output ext_output_callbacks(ext_output *output)
{
    return (stamma_output){output, write_callback, output->sync ? sync_callback : NULL};
}

/* ---- type ---- */

static PyGetSetDef source_values[] = {{"size", get_size, NULL, NULL, NULL}, {0}};
static PyType_Slot source_slots[] = {
    {Py_tp_dealloc, source_dealloc}, {Py_tp_getset, source_values}, {Py_tp_new, ext_refuse_new}, {0, NULL}};
static PyType_Spec source_spec = {"stamma._stamma.Source", sizeof(ext_source), 0, Py_TPFLAGS_DEFAULT, source_slots};

static PyMethodDef functions[] = {{"source_of_bytes", source_of_bytes, METH_O, NULL},
                                  {"source_of_function", source_of_function, METH_VARARGS, NULL},
                                  {"source_of_descriptor", source_of_descriptor, METH_VARARGS, NULL},
                                  {0}};

bool ext_source_add(PyObject *module)
{
    ext_source_type = ext_add_type(module, &source_spec);
    return ext_source_type && PyModule_AddFunctions(module, functions) == 0;
}
