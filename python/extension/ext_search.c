/* SPDX-License-Identifier: MIT */
/* Queries and searches. */
#include "ext.h"

PyTypeObject *ext_query_type;
static PyTypeObject *search_type;

/* ---- queries ---- */

/* Query(json) */
static PyObject *query_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"json", NULL};
    PyObject *object, *owner;
    stamma_text json;
    stamma_query_problem fault = {.size = 0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O", names, &object) || !ext_read_text(object, &owner, &json))
        return NULL;
    ext_query *self = (ext_query *)ext_allocate(type);
    stamma_error error = self ? stamma_query_parse(json, NULL, &fault, &self->query) : STAMMA_OK;
    Py_DECREF(owner);
    if (!error)
        return (PyObject *)self;
    Py_DECREF(self);
    return error == STAMMA_ERROR_SYNTAX ? ext_raise_query(&fault) : ext_raise(error, NULL, NULL);
}

static void query_dealloc(PyObject *self)
{
    stamma_query_close(((ext_query *)self)->query);
    ext_free(self);
}

static PyType_Slot query_slots[] = {{Py_tp_dealloc, query_dealloc}, {Py_tp_new, query_new}, {0, NULL}};
static PyType_Spec query_spec = {"stamma._stamma.Query", sizeof(ext_query), 0, Py_TPFLAGS_DEFAULT, query_slots};

/* ---- arguments of searches ---- */

bool ext_question_open(ext_question *q, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"archive",       "query",    "threads",    "memory",    "sound_only",
                            "time_limit_ms", "progress", "first_game", "last_game", NULL};
    PyObject *archive, *query, *progress;
    unsigned threads, limit;
    unsigned long long memory, first = 0, last = 0;
    int sound_only;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!OIKpIO|KK", names, ext_archive_type, &archive, &query, &threads,
                                     &memory, &sound_only, &limit, &progress, &first, &last))
        return false;
    if (query != Py_None && Py_TYPE(query) != ext_query_type) {
        PyErr_SetString(PyExc_TypeError, "query has the wrong type");
        return false;
    }
    PyObject *held[] = {archive, query, progress};
    for (size_t i = 0; i < 3; i++) {
        Py_INCREF(held[i]);
        q->held[i] = held[i];
    }
    q->archive = ext_archive_handle((ext_archive *)archive, sound_only != 0);
    if (!q->archive || !ext_call_open(&q->call, progress, threads))
        return false;
    ext_call_limit(&q->call, limit);
    q->memory = memory;
    q->options = (stamma_search_options){.size = sizeof q->options,
                                         .executor = &q->call.executor,
                                         .memory = memory > 0 ? memory : STAMMA_NO_LIMIT,
                                         .context = &q->call,
                                         .progress = ext_call_progress,
                                         .stop = ext_call_stop,
                                         .first_game = first,
                                         .last_game = last};
    return true;
}

const stamma_query *ext_question_query(const ext_question *q)
{
    return q->held[1] == Py_None ? NULL : ((ext_query *)q->held[1])->query;
}

void ext_question_close(ext_question *q)
{
    Py_BEGIN_ALLOW_THREADS ext_call_close(&q->call);
    Py_END_ALLOW_THREADS for (size_t i = 0; i < 3; i++) Py_CLEAR(q->held[i]);
}

/* ---- searches ---- */

typedef struct search_object {
    PyObject_HEAD ext_lock lock;
    ext_question question;
    stamma_search *search;
} search_object;

static PyObject *search_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    search_object *self = (search_object *)ext_allocate(type);
    if (self && (!ext_lock_open(&self->lock) || !ext_question_open(&self->question, args, keywords)))
        Py_CLEAR(self);
    if (!self)
        return NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_search_open(self->question.archive, ext_question_query(&self->question),
                                                      &self->question.options, &self->search);
    Py_END_ALLOW_THREADS if (error || PyErr_Occurred())
    {
        ext_raise(error, NULL, NULL);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

/* Ends the threads that search; no more matches are read. */
static void close_search(search_object *self)
{
    stamma_search *search = self->search;
    self->search = NULL;
    self->question.call.mute = true;
    atomic_store(&self->question.call.stopped, true);
    Py_BEGIN_ALLOW_THREADS stamma_search_close(search);
    Py_END_ALLOW_THREADS ext_question_close(&self->question);
}

static void search_dealloc(PyObject *object)
{
    search_object *self = (search_object *)object;
    close_search(self);
    ext_lock_close(&self->lock);
    ext_free(object);
}

static PyObject *match_tuple(const stamma_match *match)
{
    PyObject *plies = PyList_New((Py_ssize_t)match->ply_count);
    for (size_t i = 0; plies && i < match->ply_count; i++) {
        PyObject *ply = PyLong_FromUnsignedLong(match->plies[i]);
        if (!ply || PyList_SetItem(plies, (Py_ssize_t)i, ply) != 0)
            Py_CLEAR(plies);
    }
    return plies ? Py_BuildValue("KN", (unsigned long long)match->game, plies) : NULL;
}

/* Appends the next match to a list. Returns false at the end, and after an exception. */
static bool append_match(search_object *self, PyObject *list)
{
    const stamma_match *match = NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_search_next(self->search, &match);
    Py_END_ALLOW_THREADS if (error || PyErr_Occurred())
    {
        stamma_place place = stamma_search_place(self->search);
        ext_raise(error, NULL, &place);
        return false;
    }
    PyObject *tuple = match ? match_tuple(match) : NULL;
    bool done = tuple && PyList_Append(list, tuple) == 0;
    Py_XDECREF(tuple);
    return done;
}

/* next(count): a list of at most `count` matches; a shorter list is the last. */
static PyObject *search_next(PyObject *object, PyObject *args)
{
    search_object *self = (search_object *)object;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "n", &count) || !ext_lock_acquire(&self->lock))
        return NULL;
    PyObject *list = PyList_New(0);
    ext_call_enter(&self->question.call);
    while (list && self->search && PyList_Size(list) < count && append_match(self, list))
        continue;
    ext_lock_release(&self->lock);
    if (list && PyErr_Occurred())
        Py_CLEAR(list);
    return list;
}

static PyObject *search_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    search_object *self = (search_object *)object;
    if (!ext_lock_acquire(&self->lock))
        return NULL;
    close_search(self);
    ext_lock_release(&self->lock);
    Py_RETURN_NONE;
}

static PyMethodDef search_methods[] = {
    {"next", search_next, METH_VARARGS, NULL}, {"close", search_close, METH_NOARGS, NULL}, {0}};
static PyType_Slot search_slots[] = {
    {Py_tp_dealloc, search_dealloc}, {Py_tp_methods, search_methods}, {Py_tp_new, search_new}, {0, NULL}};
static PyType_Spec search_spec = {"stamma._stamma.Search", sizeof(search_object), 0, Py_TPFLAGS_DEFAULT, search_slots};

bool ext_search_add(PyObject *module)
{
    ext_query_type = ext_add_type(module, &query_spec);
    search_type = ext_query_type ? ext_add_type(module, &search_spec) : NULL;
    return search_type != NULL;
}
