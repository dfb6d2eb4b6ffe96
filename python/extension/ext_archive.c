/* SPDX-License-Identifier: MIT */
/* Open archives: one handle for everything that reads an archive, so that its cache of blocks serves all calls. */
#include "ext.h"

#include <stdlib.h>

PyTypeObject *ext_archive_type;

/* Opens a handle, with the index file if one is used. */
static stamma_error open_handle(const ext_archive *self, bool skip_damage, stamma_archive **handle)
{
    const stamma_bytes bytes = ext_source_bytes(self->source);
    stamma_bytes index;
    stamma_archive_options options = {.size = sizeof options, .memory = self->memory, .skip_damage = skip_damage};
    if (self->index) {
        index = ext_source_bytes(self->index);
        options.index = &index;
    }
    return stamma_archive_open(&bytes, &options, handle);
}

/* Archive(source, memory) */
static PyObject *archive_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source", "memory", NULL};
    PyObject *source;
    unsigned long long memory = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|K", names, ext_source_type, &source, &memory))
        return NULL;
    ext_archive *self = (ext_archive *)ext_allocate(type);
    if (!self)
        return NULL;
    Py_INCREF(source);
    self->source = (ext_source *)source;
    self->memory = memory;
    stamma_error error = STAMMA_OK;
    if (ext_lock_open(&self->lock)) {
        Py_BEGIN_ALLOW_THREADS error = open_handle(self, false, &self->handle);
        Py_END_ALLOW_THREADS
    }
    if (error || PyErr_Occurred()) {
        ext_raise(error, NULL, NULL);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static void archive_dealloc(PyObject *object)
{
    ext_archive *self = (ext_archive *)object;
    stamma_archive_close(self->handle);
    stamma_archive_close(self->sound);
    Py_CLEAR(self->source);
    Py_CLEAR(self->index);
    ext_lock_close(&self->lock);
    ext_free(object);
}

stamma_archive *ext_archive_handle(ext_archive *self, bool sound_only)
{
    stamma_error error = STAMMA_OK;
    if (!sound_only)
        return self->handle;
    if (!ext_lock_acquire(&self->lock))
        return NULL;
    if (!self->sound) {
        Py_BEGIN_ALLOW_THREADS error = open_handle(self, true, &self->sound);
        Py_END_ALLOW_THREADS
    }
    ext_lock_release(&self->lock);
    if (!error && !PyErr_Occurred())
        return self->sound;
    ext_raise(error, NULL, NULL);
    return NULL;
}

/* Uses an index file in both handles. */
static stamma_error use_index(const ext_archive *self, ext_source *file)
{
    const stamma_bytes bytes = ext_source_bytes(file);
    stamma_error error = stamma_archive_use_index(self->handle, &bytes);
    if (!error && self->sound)
        (void)stamma_archive_use_index(self->sound, &bytes);
    return error;
}

/* use_index(file): uses an index file, unless the archive has one. */
static PyObject *archive_use_index(PyObject *object, PyObject *file)
{
    ext_archive *self = (ext_archive *)object;
    stamma_error error = STAMMA_OK;
    if (Py_TYPE(file) != ext_source_type) {
        PyErr_SetString(PyExc_TypeError, "expected a Source");
        return NULL;
    }
    if (!ext_lock_acquire(&self->lock))
        return NULL;
    if (!self->index) {
        Py_BEGIN_ALLOW_THREADS error = use_index(self, (ext_source *)file);
        Py_END_ALLOW_THREADS if (!error)
        {
            Py_INCREF(file);
            self->index = (ext_source *)file;
        }
    }
    ext_lock_release(&self->lock);
    if (error || PyErr_Occurred())
        return ext_raise(error, NULL, NULL);
    Py_RETURN_NONE;
}

/* Returns the blocks of an archive, or NULL. Free with free(). */
static stamma_block *list_blocks(stamma_archive *archive, size_t *count, stamma_error *error)
{
    size_t capacity = 0;
    stamma_block *blocks = NULL;
    *count = 256;
    while (!*error && capacity < *count) {
        capacity = *count;
        free(blocks);
        blocks = malloc(capacity * sizeof *blocks);
        *error = blocks ? stamma_archive_blocks(archive, blocks, capacity, count) : STAMMA_ERROR_NO_MEMORY;
    }
    return blocks;
}

/* blocks(): for each block the numbers of its first and last game, and its bytes in the archive and as text. */
static PyObject *archive_blocks(PyObject *object, PyObject *unused)
{
    (void)unused;
    size_t count;
    stamma_block *blocks;
    stamma_error error = STAMMA_OK;
    Py_BEGIN_ALLOW_THREADS blocks = list_blocks(((ext_archive *)object)->handle, &count, &error);
    Py_END_ALLOW_THREADS PyObject *list = error || PyErr_Occurred() ? ext_raise(error, NULL, NULL) : PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *block =
            Py_BuildValue("KKKK", (unsigned long long)blocks[i].first_game, (unsigned long long)blocks[i].last_game,
                          (unsigned long long)blocks[i].size, (unsigned long long)blocks[i].text_size);
        ext_append(&list, block);
    }
    free(blocks);
    return list;
}

static PyMethodDef archive_methods[] = {
    {"use_index", archive_use_index, METH_O, NULL}, {"blocks", archive_blocks, METH_NOARGS, NULL}, {0}};
static PyType_Slot archive_slots[] = {
    {Py_tp_dealloc, archive_dealloc}, {Py_tp_methods, archive_methods}, {Py_tp_new, archive_new}, {0, NULL}};
static PyType_Spec archive_spec = {"stamma._stamma.Archive", sizeof(ext_archive), 0, Py_TPFLAGS_DEFAULT, archive_slots};

bool ext_archive_add(PyObject *module)
{
    ext_archive_type = ext_add_type(module, &archive_spec);
    return ext_archive_type != NULL;
}
