/* SPDX-License-Identifier: MIT */
/* Writes archives. */
#include "ext.h"

typedef struct writer_object {
    PyObject_HEAD ext_lock lock;
    ext_call call;
    ext_output output;
    stamma_archive_writer_options options;
    stamma_archive_writer *writer;
    PyObject *progress;
    PyObject *notice; /* called with a tuple; NULL: none */
} writer_object;

static PyTypeObject *writer_type;

/* ---- notices ---- */

static void take_notice(void *context, const stamma_archive_notice *notice)
{
    writer_object *self = context;
    if (!self->notice || atomic_load(&self->call.stopped))
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *text = ext_text(notice->text), *found = ext_text(notice->found), *expected = ext_text(notice->expected);
    PyObject *result = NULL;
    if (text && found && expected)
        result = PyObject_CallFunction(self->notice, "KsNKOOO", (unsigned long long)notice->game,
                                       stamma_archive_reason_text(notice->reason), ext_place(&notice->place),
                                       (unsigned long long)notice->kept, text, found, expected);
    if (!result)
        atomic_store(&self->call.stopped, true);
    Py_XDECREF(result);
    Py_XDECREF(text);
    Py_XDECREF(found);
    Py_XDECREF(expected);
    PyGILState_Release(state);
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    return ext_call_progress(&((writer_object *)context)->call, done, total);
}

static bool stop_packing(void *context)
{
    return ext_call_stop(&((writer_object *)context)->call);
}

/* ---- opening and closing ---- */

static bool keep(PyObject *object, PyObject **held)
{
    if (object && object != Py_None) {
        Py_INCREF(object);
        *held = object;
    }
    return true;
}

/* Opens a reader of all of an archive. */
static stamma_error open_reader(ext_source *source, stamma_archive **archive, stamma_archive_reader **reader)
{
    const stamma_bytes bytes = ext_source_bytes(source);
    stamma_error error = stamma_archive_open(&bytes, NULL, archive);
    return error ? error : stamma_archive_reader_open(*archive, NULL, reader);
}

/* Opens the writer: a new archive, or after the end of the archive of a source. */
static stamma_error open_writer(writer_object *self, ext_source *old)
{
    stamma_output callbacks = ext_output_callbacks(&self->output);
    if (!old)
        return stamma_archive_writer_open(&callbacks, &self->options, &self->writer);
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_error error = open_reader(old, &archive, &reader);
    if (!error)
        error = stamma_archive_writer_open_append(reader, &callbacks, ext_output_cut, &self->options, &self->writer);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return error;
}

static bool set_up(writer_object *self, PyObject *args, PyObject *keywords, PyObject **old)
{
    static char *names[] = {"write",  "sync",  "cut",    "old",    "level",    "threads",
                            "memory", "check", "search", "notice", "progress", NULL};
    PyObject *write, *sync, *cut, *notice, *progress;
    int level, check, search;
    unsigned threads;
    unsigned long long memory;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOOiIKppOO", names, &write, &sync, &cut, old, &level, &threads,
                                     &memory, &check, &search, &notice, &progress))
        return false;
    if (!keep(write, &self->output.write) || !keep(sync, &self->output.sync) || !keep(cut, &self->output.cut) ||
        !keep(notice, &self->notice) || !keep(progress, &self->progress) || !ext_lock_open(&self->lock) ||
        !ext_call_open(&self->call, self->progress, threads))
        return false;
    self->output.call = &self->call;
    self->options = (stamma_archive_writer_options){.size = sizeof self->options,
                                                    .level = level,
                                                    .context = self,
                                                    .notice = take_notice,
                                                    .executor = &self->call.executor,
                                                    .memory = memory,
                                                    .no_check = !check,
                                                    .progress = show_progress,
                                                    .stop = stop_packing,
                                                    .no_search_columns = !search};
    return true;
}

static PyObject *writer_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    writer_object *self = (writer_object *)ext_allocate(type);
    PyObject *old = NULL;
    if (self && !set_up(self, args, keywords, &old))
        Py_CLEAR(self);
    if (self && old != Py_None && Py_TYPE(old) != ext_source_type) {
        PyErr_SetString(PyExc_TypeError, "old must be a Source");
        Py_CLEAR(self);
    }
    if (!self)
        return NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = open_writer(self, old == Py_None ? NULL : (ext_source *)old);
    Py_END_ALLOW_THREADS if (error || PyErr_Occurred())
    {
        ext_raise(error, NULL, NULL);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static void close_writer(writer_object *self)
{
    stamma_archive_writer *writer = self->writer;
    self->writer = NULL;
    atomic_store(&self->call.stopped, true); /* ends the packing of blocks soon */
    Py_BEGIN_ALLOW_THREADS stamma_archive_writer_close(writer);
    ext_call_close(&self->call);
    Py_END_ALLOW_THREADS
}

static void writer_dealloc(PyObject *object)
{
    writer_object *self = (writer_object *)object;
    self->call.mute = true;
    atomic_store(&self->call.stopped, true);
    close_writer(self);
    Py_CLEAR(self->output.write);
    Py_CLEAR(self->output.sync);
    Py_CLEAR(self->output.cut);
    Py_CLEAR(self->notice);
    Py_CLEAR(self->progress);
    ext_lock_close(&self->lock);
    ext_free(object);
}

/* ---- methods ---- */

static bool begin(writer_object *self)
{
    if (!ext_lock_acquire(&self->lock))
        return false;
    if (self->writer) {
        ext_call_enter(&self->call);
        return true;
    }
    ext_lock_release(&self->lock);
    PyErr_SetString(PyExc_ValueError, "the writer is closed");
    return false;
}

static PyObject *end(writer_object *self, stamma_error error)
{
    ext_lock_release(&self->lock);
    if (error || PyErr_Occurred())
        return ext_raise(error, NULL, NULL);
    Py_RETURN_NONE;
}

static PyObject *writer_write(PyObject *object, PyObject *data)
{
    writer_object *self = (writer_object *)object;
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(data, &bytes, &size) != 0 || !begin(self))
        return NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_archive_writer_write(self->writer, bytes, (size_t)size);
    Py_END_ALLOW_THREADS return end(self, error);
}

typedef stamma_error copy_function(stamma_archive_writer *writer, stamma_archive_reader *reader);

static PyObject *copy_with(PyObject *object, PyObject *source, copy_function *copy)
{
    writer_object *self = (writer_object *)object;
    if (Py_TYPE(source) != ext_source_type) {
        PyErr_SetString(PyExc_TypeError, "expected a Source");
        return NULL;
    }
    if (!begin(self))
        return NULL;
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_place place = {0};
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = open_reader((ext_source *)source, &archive, &reader);
    if (!error)
        error = copy(self->writer, reader);
    if (error && reader)
        place = stamma_archive_reader_place(reader);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    Py_END_ALLOW_THREADS ext_lock_release(&self->lock);
    if (error || PyErr_Occurred())
        return ext_raise(error, NULL, &place);
    Py_RETURN_NONE;
}

static PyObject *writer_copy(PyObject *self, PyObject *source)
{
    return copy_with(self, source, stamma_archive_writer_copy);
}

static PyObject *writer_recompress(PyObject *self, PyObject *source)
{
    return copy_with(self, source, stamma_archive_writer_recompress);
}

static PyObject *writer_finish(PyObject *object, PyObject *unused)
{
    (void)unused;
    writer_object *self = (writer_object *)object;
    stamma_archive_counts counts = {0};
    if (!begin(self))
        return NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_archive_writer_finish(self->writer, &counts);
    Py_END_ALLOW_THREADS if (!error) close_writer(self);
    PyObject *done = end(self, error);
    if (!done)
        return NULL;
    Py_DECREF(done);
    return ext_counts(&counts);
}

static PyObject *writer_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    writer_object *self = (writer_object *)object;
    if (!ext_lock_acquire(&self->lock))
        return NULL;
    close_writer(self);
    return end(self, STAMMA_OK);
}

/* ---- type ---- */

static PyMethodDef writer_methods[] = {
    {"write", writer_write, METH_O, NULL},           {"copy", writer_copy, METH_O, NULL},
    {"recompress", writer_recompress, METH_O, NULL}, {"finish", writer_finish, METH_NOARGS, NULL},
    {"close", writer_close, METH_NOARGS, NULL},      {0}};
static PyType_Slot writer_slots[] = {
    {Py_tp_dealloc, writer_dealloc}, {Py_tp_methods, writer_methods}, {Py_tp_new, writer_new}, {0, NULL}};
static PyType_Spec writer_spec = {"stamma._stamma.Writer", sizeof(writer_object), 0, Py_TPFLAGS_DEFAULT, writer_slots};

bool ext_writer_add(PyObject *module)
{
    writer_type = ext_add_type(module, &writer_spec);
    return writer_type != NULL;
}
