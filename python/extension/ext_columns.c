/* SPDX-License-Identifier: MIT */
/* Tables of archives as Arrow streams, and their batches as bytes for programs without an Arrow library. */
#include "ext.h"

#include <errno.h>
#include <stdlib.h>

/* A stream and everything that it needs. It may be used by threads that do not have the GIL. */
typedef struct stream_state {
    ext_question question;
    struct ArrowArrayStream inner;
    PyObject *name; /* bytes: the name of the file, for messages; NULL: none */
    char message[400];
} stream_state;

/* ---- opening ---- */

/* Names of columns; `owners` are new references. */
typedef struct names {
    stamma_text *texts;
    PyObject **owners;
    size_t count;
} names;

static void free_names(names *n)
{
    for (size_t i = 0; i < n->count; i++)
        Py_XDECREF(n->owners[i]);
    PyMem_Free(n->owners);
    PyMem_Free(n->texts);
}

static bool read_names(PyObject *list, names *n)
{
    *n = (names){NULL, NULL, 0};
    Py_ssize_t size = list == Py_None ? 0 : PyList_Size(list);
    if (size < 0)
        return false;
    n->texts = PyMem_Malloc(((size_t)size + 1) * sizeof *n->texts);
    n->owners = PyMem_Malloc(((size_t)size + 1) * sizeof *n->owners);
    if (!n->texts || !n->owners)
        PyErr_NoMemory();
    while (n->texts && n->owners && n->count < (size_t)size) {
        size_t i = n->count;
        if (!ext_read_text(PyList_GetItem(list, (Py_ssize_t)i), &n->owners[i], &n->texts[i]))
            break;
        n->count++;
    }
    if (!PyErr_Occurred())
        return true;
    free_names(n);
    return false;
}

static void close_state(stream_state *state)
{
    state->question.call.mute = true;
    atomic_store(&state->question.call.stopped, true);
    if (state->inner.release) {
        /* Threads that are still decoding may need the GIL to end. */
        Py_BEGIN_ALLOW_THREADS state->inner.release(&state->inner);
        Py_END_ALLOW_THREADS
    }
    ext_question_close(&state->question);
    Py_XDECREF(state->name);
    free(state);
}

static bool read_options(PyObject *args, stamma_columns_options *options, PyObject **columns, PyObject **question,
                         PyObject **name)
{
    int table, unordered, plain;
    unsigned rows, skip, sample, shuffle;
    unsigned long long first, last, seed;
    if (!PyArg_ParseTuple(args, "iOKKIppIIIKO!O", &table, columns, &first, &last, &rows, &unordered, &plain, &skip,
                          &sample, &shuffle, &seed, &PyTuple_Type, question, name))
        return false;
    *options = (stamma_columns_options){.size = sizeof *options,
                                        .table = (stamma_table)table,
                                        .first_game = first,
                                        .last_game = last,
                                        .batch_rows = rows,
                                        .unordered = unordered != 0,
                                        .plain_texts = plain != 0,
                                        .skip_plies = skip,
                                        .sample = sample,
                                        .shuffle = shuffle,
                                        .seed = seed};
    return true;
}

/* Sets the options that searches and streams have in common. */
static void use_question(stamma_columns_options *options, ext_question *q)
{
    options->executor = &q->call.executor;
    options->memory = q->memory;
    options->context = &q->call;
    options->progress = ext_call_progress;
    options->stop = ext_call_stop;
    options->query = ext_question_query(q);
}

/* Opens a stream from the arguments of columns_stream. Returns NULL after an exception. */
static stream_state *open_state(PyObject *args)
{
    stamma_columns_options options;
    stamma_columns_problem fault = {.message = ""};
    PyObject *columns, *question, *name;
    names n;
    if (!read_options(args, &options, &columns, &question, &name) || !read_names(columns, &n))
        return NULL;
    stream_state *state = calloc(1, sizeof *state);
    if (!state)
        PyErr_NoMemory();
    if (state && PyBytes_Check(name)) {
        Py_INCREF(name);
        state->name = name;
    }
    if (state && ext_question_open(&state->question, question, NULL)) {
        options.columns = n.texts;
        options.column_count = n.count;
        use_question(&options, &state->question);
        stamma_error error;
        Py_BEGIN_ALLOW_THREADS error = stamma_columns_open(state->question.archive, &options, &fault, &state->inner);
        Py_END_ALLOW_THREADS if (error) ext_raise(error, fault.message[0] ? fault.message : NULL, NULL);
    }
    free_names(&n);
    if (state && PyErr_Occurred()) {
        close_state(state);
        state = NULL;
    }
    return state;
}

/* ---- the exported stream ---- */

static int raise_later(void *exception)
{
    PyObject *value = exception;
    PyErr_SetObject((PyObject *)Py_TYPE(value), value);
    Py_DECREF(value);
    return -1;
}

/* Clears the exception that a callback raised, for example because of Ctrl-C: the caller of the stream does not expect
 * an exception. The main thread raises the exception when it runs Python code again. */
static void postpone_exception(void)
{
    if (!PyErr_Occurred())
        return;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && Py_AddPendingCall(raise_later, value) == 0)
        value = NULL;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

/* Stores the message of the last error, with the name of the file, the byte and the number of the game. */
static void describe_error(stream_state *state)
{
    stamma_place place = {0};
    char where[64] = "";
    const char *text = stamma_error_text(stamma_columns_error(&state->inner, &place));
    const char *name = state->name ? PyBytes_AsString(state->name) : "";
    if (place.game > 0)
        (void)PyOS_snprintf(where, sizeof where, " (byte %llu, game %llu)", (unsigned long long)place.offset,
                            (unsigned long long)place.game);
    else if (place.offset > 0)
        (void)PyOS_snprintf(where, sizeof where, " (byte %llu)", (unsigned long long)place.offset);
    (void)PyOS_snprintf(state->message, sizeof state->message, "%.250s%s%s%s", name, *name ? ": " : "", text, where);
}

/* Stores the message of an error, or reports the end of the stream. */
static void note_result(stream_state *state, int result, const struct ArrowArray *array)
{
    if (result != 0)
        describe_error(state);
    else if (!array->release)
        ext_call_complete(&state->question.call);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
    stream_state *state = stream->private_data;
    return state->inner.get_schema(&state->inner, schema);
}

/* Reads the next batch. Releases the GIL if the caller holds it, which depends on the program, so that other threads
 * can run. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
    stream_state *state = stream->private_data;
    if (!Py_IsInitialized())
        return ECANCELED;
    PyGILState_STATE gil = PyGILState_Ensure();
    int result;
    ext_call_enter(&state->question.call);
    Py_BEGIN_ALLOW_THREADS result = state->inner.get_next(&state->inner, array);
    Py_END_ALLOW_THREADS note_result(state, result, array);
    if (result != 0 || atomic_load(&state->question.call.stopped))
        postpone_exception();
    PyGILState_Release(gil);
    return result;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const stream_state *state = stream->private_data;
    return state->message[0] ? state->message : NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream_state *state = stream->private_data;
    stream->release = NULL;
    if (!Py_IsInitialized())
        return; /* the interpreter has ended: its objects cannot be released any more */
    PyGILState_STATE gil = PyGILState_Ensure();
    close_state(state);
    PyGILState_Release(gil);
}

static void free_capsule(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release)
        stream->release(stream);
    free(stream);
}

/* columns_stream(table, columns, first, last, rows, unordered, plain, skip, sample, shuffle, seed, question): a capsule
 * "arrow_array_stream". `columns` is a list or None; `question` has the arguments of Search. */
static PyObject *columns_stream(PyObject *module, PyObject *args)
{
    (void)module;
    stream_state *state = open_state(args);
    struct ArrowArrayStream *stream = state ? malloc(sizeof *stream) : NULL;
    if (!stream) {
        if (state)
            close_state(state);
        return state ? PyErr_NoMemory() : NULL;
    }
    *stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, state};
    PyObject *capsule = PyCapsule_New(stream, "arrow_array_stream", free_capsule);
    if (!capsule) {
        close_state(state);
        free(stream);
    }
    return capsule;
}

/* ---- batches as bytes ---- */

typedef struct batches_object {
    PyObject_HEAD ext_lock lock;
    stream_state *state;
    struct ArrowSchema schema;
} batches_object;

static PyTypeObject *batches_type;

static PyObject *batches_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    batches_object *self = (batches_object *)ext_allocate(type);
    if (self && ext_lock_open(&self->lock))
        self->state = open_state(args);
    if (self && self->state && self->state->inner.get_schema(&self->state->inner, &self->schema) != 0)
        PyErr_NoMemory();
    if (PyErr_Occurred())
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void batches_dealloc(PyObject *object)
{
    batches_object *self = (batches_object *)object;
    if (self->schema.release)
        self->schema.release(&self->schema);
    if (self->state)
        close_state(self->state);
    ext_lock_close(&self->lock);
    ext_free(object);
}

/* next(): a batch as ext_array returns it; None at the end. */
static PyObject *batches_next(PyObject *object, PyObject *unused)
{
    (void)unused;
    batches_object *self = (batches_object *)object;
    struct ArrowArray array = {.release = NULL};
    if (!ext_lock_acquire(&self->lock))
        return NULL;
    ext_call_enter(&self->state->question.call);
    int failed;
    Py_BEGIN_ALLOW_THREADS failed = self->state->inner.get_next(&self->state->inner, &array);
    Py_END_ALLOW_THREADS PyObject *result = NULL;
    if (failed != 0 || PyErr_Occurred()) {
        stamma_place place = {0};
        stamma_error error = stamma_columns_error(&self->state->inner, &place);
        ext_raise(error ? error : STAMMA_ERROR_NO_MEMORY, NULL, &place);
    } else
        result = array.release ? ext_array(&self->schema, &array) : Py_BuildValue("");
    if (array.release)
        array.release(&array);
    ext_lock_release(&self->lock);
    return result;
}

/* ---- lists ---- */

static void take_column(void *context, const stamma_column *column)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *tuple = PyErr_Occurred() ? NULL
                                       : Py_BuildValue("sssO", column->name, column->type, column->meaning,
                                                       column->is_default ? Py_True : Py_False);
    if (tuple)
        (void)PyList_Append(context, tuple);
    Py_XDECREF(tuple);
    PyGILState_Release(gil);
}

/* columns_list(table, archive): name, type, meaning and is_default of each column. `archive` may be None. */
static PyObject *columns_list(PyObject *module, PyObject *args)
{
    (void)module;
    int table;
    PyObject *object;
    if (!PyArg_ParseTuple(args, "iO", &table, &object))
        return NULL;
    if (object != Py_None && Py_TYPE(object) != ext_archive_type) {
        PyErr_SetString(PyExc_TypeError, "archive must be an Archive or None");
        return NULL;
    }
    stamma_archive *archive = object == Py_None ? NULL : ((ext_archive *)object)->handle;
    stamma_columns_options options = {.size = sizeof options, .table = (stamma_table)table};
    PyObject *list = PyList_New(0);
    stamma_error error = STAMMA_OK;
    if (list) {
        Py_BEGIN_ALLOW_THREADS error = stamma_columns_list(archive, &options, take_column, list);
        Py_END_ALLOW_THREADS
    }
    if (error || PyErr_Occurred()) {
        Py_CLEAR(list);
        ext_raise(error, NULL, NULL);
    }
    return list;
}

static PyObject *vocabulary_index(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *position;
    unsigned short move;
    uint16_t index;
    if (!PyArg_ParseTuple(args, "O!H", ext_position_type, &position, &move))
        return NULL;
    stamma_error error = stamma_vocabulary_index(&((ext_position *)position)->position, move, &index);
    return error ? ext_raise(error, NULL, NULL) : PyLong_FromLong(index);
}

static PyObject *vocabulary_move(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *position;
    unsigned index;
    stamma_move move;
    if (!PyArg_ParseTuple(args, "O!I", ext_position_type, &position, &index))
        return NULL;
    stamma_error error = stamma_vocabulary_move(&((ext_position *)position)->position, index, &move);
    return error ? ext_raise(error, NULL, NULL) : PyLong_FromLong(move);
}

/* ---- type ---- */

static PyMethodDef batches_methods[] = {{"next", batches_next, METH_NOARGS, NULL}, {0}};
static PyType_Slot batches_slots[] = {
    {Py_tp_dealloc, batches_dealloc}, {Py_tp_methods, batches_methods}, {Py_tp_new, batches_new}, {0, NULL}};
static PyType_Spec batches_spec = {"stamma._stamma.Batches", sizeof(batches_object), 0, Py_TPFLAGS_DEFAULT,
                                   batches_slots};

static PyMethodDef functions[] = {{"columns_stream", columns_stream, METH_VARARGS, NULL},
                                  {"columns_list", columns_list, METH_VARARGS, NULL},
                                  {"vocabulary_index", vocabulary_index, METH_VARARGS, NULL},
                                  {"vocabulary_move", vocabulary_move, METH_VARARGS, NULL},
                                  {0}};

bool ext_columns_add(PyObject *module)
{
    batches_type = ext_add_type(module, &batches_spec);
    return batches_type && PyModule_AddFunctions(module, functions) == 0 &&
           PyModule_AddIntConstant(module, "VOCABULARY_SIZE", STAMMA_VOCABULARY_SIZE) == 0;
}
