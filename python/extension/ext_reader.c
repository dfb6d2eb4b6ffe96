/* SPDX-License-Identifier: MIT */
/* Reads archives. */
#include "ext.h"

typedef struct reader_object {
    PyObject_HEAD ext_lock lock;
    ext_archive *archive;
    stamma_archive_reader *reader;
    uint64_t next; /* number of the game that is read next */
    unsigned parts;
} reader_object;

static PyTypeObject *reader_type;

static PyObject *raise_at(const stamma_archive_reader *reader, stamma_error error)
{
    stamma_place place = reader ? stamma_archive_reader_place(reader) : (stamma_place){0};
    return ext_raise(error, NULL, reader ? &place : NULL);
}

/* Reader(archive) */
static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"archive", NULL};
    PyObject *archive;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!", names, ext_archive_type, &archive))
        return NULL;
    reader_object *self = (reader_object *)ext_allocate(type);
    if (!self)
        return NULL;
    Py_INCREF(archive);
    self->archive = (ext_archive *)archive;
    self->next = 1;
    self->parts = STAMMA_GAME_ALL;
    stamma_error error = STAMMA_OK;
    if (ext_lock_open(&self->lock)) {
        Py_BEGIN_ALLOW_THREADS error = stamma_archive_reader_open(self->archive->handle, NULL, &self->reader);
        Py_END_ALLOW_THREADS
    }
    if (error || PyErr_Occurred()) {
        ext_raise(error, NULL, NULL);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static void reader_dealloc(PyObject *object)
{
    reader_object *self = (reader_object *)object;
    stamma_archive_reader_close(self->reader);
    Py_CLEAR(self->archive);
    ext_lock_close(&self->lock);
    ext_free(object);
}

static PyObject *reader_games(PyObject *object, PyObject *unused)
{
    (void)unused;
    reader_object *self = (reader_object *)object;
    uint64_t games = 0;
    if (!ext_lock_acquire(&self->lock))
        return NULL;
    stamma_error error = stamma_archive_reader_game_count(self->reader, &games);
    PyObject *result = error ? raise_at(self->reader, error) : PyLong_FromUnsignedLongLong(games);
    ext_lock_release(&self->lock);
    return result;
}

/* Moves to a game, unless it is the next. */
static stamma_error move_to(reader_object *self, uint64_t number, unsigned parts)
{
    stamma_error error = STAMMA_OK;
    Py_BEGIN_ALLOW_THREADS if (parts != self->parts) error = stamma_archive_reader_select(self->reader, parts);
    if (!error)
        self->parts = parts;
    if (!error && number != self->next)
        error = stamma_archive_reader_seek(self->reader, number);
    Py_END_ALLOW_THREADS self->next = error ? 0 : number;
    return error;
}

static stamma_error next_game(reader_object *self, const stamma_archive_game **game)
{
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_archive_reader_next(self->reader, game);
    Py_END_ALLOW_THREADS return error;
}

static PyObject *raise_missing(uint64_t number)
{
    PyErr_Format(PyExc_IndexError, "there is no game %llu", (unsigned long long)number - 1);
    return NULL;
}

/* Replaces *tuple with a pair of it and the list of the texts of the further pieces of a large game. */
static bool append_pieces(reader_object *self, const stamma_archive_game *game, PyObject **tuple)
{
    PyObject *pieces = PyList_New(0);
    stamma_error error = pieces ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    while (game && game->more && !error) {
        error = next_game(self, &game);
        if (error || !game || !game->continuation) {
            self->next = 0; /* the game after the pieces was read, too */
            break;
        }
        PyObject *text = ext_bytes(game->text.data, game->text.size);
        if (!text || PyList_Append(pieces, text) != 0)
            error = STAMMA_ERROR_NO_MEMORY;
        Py_XDECREF(text);
    }
    if (error) {
        Py_XDECREF(pieces);
        Py_CLEAR(*tuple);
        raise_at(self->reader, error);
        return false;
    }
    *tuple = Py_BuildValue("NN", *tuple, pieces);
    return *tuple != NULL;
}

/* Returns a new reference to a tuple of the game with a number, or NULL after an exception. */
static PyObject *read_one(reader_object *self, uint64_t number, unsigned parts, bool whole)
{
    const stamma_archive_game *game = NULL;
    stamma_error error = move_to(self, number, parts);
    do
        error = error ? error : next_game(self, &game);
    while (!error && game && game->continuation && game->number < number);
    if (error) {
        self->next = 0;
        return raise_at(self->reader, error);
    }
    if (!game || game->number != number || game->continuation) {
        self->next = 0;
        return raise_missing(number);
    }
    self->next = number + 1;
    PyObject *tuple = ext_game_tuple(game, parts);
    if (tuple && whole && !append_pieces(self, game, &tuple))
        return NULL;
    return tuple;
}

/* read(numbers, parts, whole): a list of tuples. With `whole`, each is a pair of the tuple and the further pieces. */
static PyObject *reader_read(PyObject *object, PyObject *args)
{
    reader_object *self = (reader_object *)object;
    PyObject *numbers;
    unsigned parts;
    int whole;
    if (!PyArg_ParseTuple(args, "OIp", &numbers, &parts, &whole) || !ext_lock_acquire(&self->lock))
        return NULL;
    Py_ssize_t count = PySequence_Size(numbers);
    PyObject *list = count < 0 ? NULL : PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *item = PySequence_GetItem(numbers, i);
        unsigned long long number = item ? PyLong_AsUnsignedLongLong(item) : 0;
        Py_XDECREF(item);
        PyObject *tuple =
            PyErr_Occurred() || PyErr_CheckSignals() != 0 ? NULL : read_one(self, number, parts, whole != 0);
        if (!tuple || PyList_SetItem(list, i, tuple) != 0)
            Py_CLEAR(list);
    }
    ext_lock_release(&self->lock);
    return list;
}

/* ---- complete archives ---- */

typedef struct scanning {
    ext_call call;
    stamma_archive_reader *reader;
} scanning;

static stamma_error open_scan(scanning *s, const ext_archive *archive, unsigned long long memory)
{
    stamma_archive_reader_options options = {.size = sizeof options,
                                             .executor = &s->call.executor,
                                             .memory = memory,
                                             .context = &s->call,
                                             .progress = ext_call_progress,
                                             .stop = ext_call_stop};
    return stamma_archive_reader_open(archive->handle, &options, &s->reader);
}

static PyObject *end_scan(scanning *s, stamma_error error)
{
    PyObject *result = error || PyErr_Occurred() ? raise_at(s->reader, error) : Py_BuildValue("");
    Py_BEGIN_ALLOW_THREADS stamma_archive_reader_close(s->reader);
    ext_call_close(&s->call);
    Py_END_ALLOW_THREADS return result;
}

/* unpack(archive, write, threads, memory, progress) */
static PyObject *unpack(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *archive, *progress;
    ext_output output = {0};
    unsigned threads;
    unsigned long long memory;
    scanning s = {.reader = NULL};
    if (!PyArg_ParseTuple(args, "O!OIKO", ext_archive_type, &archive, &output.write, &threads, &memory, &progress) ||
        !ext_call_open(&s.call, progress, threads))
        return NULL;
    output.call = &s.call;
    stamma_output callbacks = ext_output_callbacks(&output);
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = open_scan(&s, (ext_archive *)archive, memory);
    if (!error)
        error = stamma_archive_reader_unpack(s.reader, &callbacks);
    Py_END_ALLOW_THREADS return end_scan(&s, error);
}

/* Appends a column to a list. */
static void take_column(void *context, const stamma_archive_column *column)
{
    PyObject *list = ((PyObject **)context)[0];
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *name = PyErr_Occurred() ? NULL : ext_text(stamma_text_of(column->name));
    PyObject *tuple = name ? Py_BuildValue("NKKK", name, (unsigned long long)column->stored_bytes,
                                           (unsigned long long)column->plain_bytes, (unsigned long long)column->values)
                           : NULL;
    if (tuple)
        (void)PyList_Append(list, tuple);
    Py_XDECREF(tuple);
    PyGILState_Release(state);
}

static PyObject *reasons_of(const uint64_t *reasons)
{
    PyObject *dict = PyDict_New();
    for (int i = 1; dict && i < STAMMA_REASON_COUNT; i++) {
        PyObject *count = PyLong_FromUnsignedLongLong(reasons[i]);
        if (!count || (reasons[i] > 0 &&
                       PyDict_SetItemString(dict, stamma_archive_reason_text((stamma_archive_reason)i), count) != 0))
            Py_CLEAR(dict);
        Py_XDECREF(count);
    }
    return dict;
}

/* info(archive, threads, memory, progress): counts, reasons and columns. */
static PyObject *info(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *archive, *progress;
    unsigned threads;
    unsigned long long memory;
    scanning s = {.reader = NULL};
    if (!PyArg_ParseTuple(args, "O!IKO", ext_archive_type, &archive, &threads, &memory, &progress) ||
        !ext_call_open(&s.call, progress, threads))
        return NULL;
    stamma_archive_counts counts = {0};
    uint64_t reasons[STAMMA_REASON_COUNT] = {0};
    PyObject *columns = PyList_New(0);
    stamma_error error = STAMMA_OK;
    if (!columns)
        return end_scan(&s, STAMMA_ERROR_NO_MEMORY);
    Py_BEGIN_ALLOW_THREADS error = open_scan(&s, (ext_archive *)archive, memory);
    if (!error)
        error = stamma_archive_reader_info(s.reader, &counts, reasons, STAMMA_REASON_COUNT, take_column, &columns);
    Py_END_ALLOW_THREADS PyObject *ended = end_scan(&s, error);
    PyObject *result = ended ? Py_BuildValue("NNO", ext_counts(&counts), reasons_of(reasons), columns) : NULL;
    Py_XDECREF(ended);
    Py_XDECREF(columns);
    return result;
}

/* ---- type ---- */

static PyMethodDef reader_methods[] = {
    {"games", reader_games, METH_NOARGS, NULL}, {"read", reader_read, METH_VARARGS, NULL}, {0}};
static PyType_Slot reader_slots[] = {
    {Py_tp_dealloc, reader_dealloc}, {Py_tp_methods, reader_methods}, {Py_tp_new, reader_new}, {0, NULL}};
static PyType_Spec reader_spec = {"stamma._stamma.Reader", sizeof(reader_object), 0, Py_TPFLAGS_DEFAULT, reader_slots};

static PyMethodDef functions[] = {{"unpack", unpack, METH_VARARGS, NULL}, {"info", info, METH_VARARGS, NULL}, {0}};

bool ext_reader_add(PyObject *module)
{
    reader_type = ext_add_type(module, &reader_spec);
    return reader_type && PyModule_AddFunctions(module, functions) == 0;
}
