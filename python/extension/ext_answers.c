/* SPDX-License-Identifier: MIT */
/* Trees of moves and statistics. Their contents are passed as JSON. */
#include "ext.h"

/* A tree or statistics, depending on its type. */
typedef struct answer_object {
    PyObject_HEAD ext_lock lock;
    union {
        stamma_tree *tree;
        stamma_stats *stats;
    };
} answer_object;

static PyTypeObject *tree_type, *stats_type;

/* Returns a new object whose answer is not open yet; NULL after an exception. */
static answer_object *allocate(PyTypeObject *type)
{
    answer_object *self = (answer_object *)ext_allocate(type);
    if (self && ext_lock_open(&self->lock))
        return self;
    Py_XDECREF(self);
    return NULL;
}

/* ---- answers to parts of an archive ---- */

/* Locks two objects in the order of their addresses, so that two threads that merge the same objects do not wait for
 * each other. Returns false after an exception. */
static bool lock_both(ext_lock *one, ext_lock *other)
{
    ext_lock *first = one < other ? one : other, *second = one < other ? other : one;
    if (!ext_lock_acquire(first))
        return false;
    if (ext_lock_acquire(second))
        return true;
    ext_lock_release(first);
    return false;
}

/* merge(answer): adds another tree of the same position, or other statistics. */
static PyObject *answer_merge(PyObject *object, PyObject *other)
{
    if (Py_TYPE(other) != Py_TYPE(object) || other == object) {
        PyErr_SetString(PyExc_TypeError, "only another object of the same type can be merged");
        return NULL;
    }
    answer_object *self = (answer_object *)object, *from = (answer_object *)other;
    if (!lock_both(&self->lock, &from->lock))
        return NULL;
    stamma_error error = Py_TYPE(object) == tree_type ? stamma_tree_merge(self->tree, from->tree)
                                                      : stamma_stats_merge(self->stats, from->stats);
    ext_lock_release(&from->lock);
    ext_lock_release(&self->lock);
    if (error)
        return ext_raise(error, NULL, NULL);
    Py_RETURN_NONE;
}

/* Returns an answer of this type, from the JSON that its method json wrote. */
static PyObject *answer_of_json(PyTypeObject *type, PyObject *text)
{
    PyObject *owner;
    stamma_text json;
    stamma_query_problem fault = {.size = 0};
    if (!ext_read_text(text, &owner, &json))
        return NULL;
    answer_object *self = allocate(type);
    if (!self) {
        Py_DECREF(owner);
        return NULL;
    }
    stamma_error error = type == tree_type ? stamma_tree_read_json(json, NULL, &fault, &self->tree)
                                           : stamma_stats_read_json(json, NULL, &fault, &self->stats);
    Py_DECREF(owner);
    if (!error)
        return (PyObject *)self;
    Py_DECREF(self);
    return error == STAMMA_ERROR_SYNTAX ? ext_raise_query(&fault) : ext_raise(error, NULL, NULL);
}

/* ---- trees ---- */

/* Tree(position, history) */
static PyObject *tree_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"position", "history", NULL};
    PyObject *position;
    int history;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!p", names, ext_position_type, &position, &history))
        return NULL;
    answer_object *self = allocate(type);
    if (!self)
        return NULL;
    stamma_error error = stamma_tree_open(&((ext_position *)position)->position, NULL, &self->tree);
    if (!error && history)
        error = stamma_tree_keep_history(self->tree);
    if (error) {
        Py_DECREF(self);
        return ext_raise(error, NULL, NULL);
    }
    return (PyObject *)self;
}

static void tree_dealloc(PyObject *object)
{
    answer_object *self = (answer_object *)object;
    stamma_tree_close(self->tree);
    ext_lock_close(&self->lock);
    ext_free(object);
}

/* Splits the arguments into the name of the archive and the rest, which are new references. Returns false after an
 * exception. */
static bool split_name(PyObject *args, PyObject **owner, stamma_text *name, PyObject **rest)
{
    PyObject *first = PyTuple_GetItem(args, 0); /* borrowed */
    if (!first || !ext_read_text(first, owner, name))
        return false;
    *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    if (!*rest)
        Py_CLEAR(*owner);
    return *rest != NULL;
}

static stamma_error add_archive(answer_object *self, ext_question *q, stamma_text name, stamma_place *place)
{
    stamma_error error =
        stamma_tree_add_archive(self->tree, name, q->archive, ext_question_query(q), &q->options, place);
    return error ? error : stamma_tree_name_games(self->tree, name, q->archive, &q->options);
}

/* add(name, archive, ...): adds the games of an archive. */
static PyObject *tree_add(PyObject *object, PyObject *args)
{
    answer_object *self = (answer_object *)object;
    PyObject *owner, *rest;
    stamma_text name;
    ext_question q = {.archive = NULL};
    if (!split_name(args, &owner, &name, &rest))
        return NULL;
    stamma_place place = {0};
    stamma_error error = STAMMA_OK;
    bool opened = ext_question_open(&q, rest, NULL);
    bool locked = opened && ext_lock_acquire(&self->lock);
    if (locked) {
        Py_BEGIN_ALLOW_THREADS error = add_archive(self, &q, name, &place);
        Py_END_ALLOW_THREADS ext_lock_release(&self->lock);
    }
    if (error || PyErr_Occurred())
        ext_raise(error, NULL, &place);
    ext_question_close(&q);
    Py_DECREF(owner);
    Py_DECREF(rest);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

/* json(moves, games): at most these numbers; negative: all. */
static PyObject *tree_json(PyObject *object, PyObject *args)
{
    answer_object *self = (answer_object *)object;
    Py_ssize_t moves, games;
    if (!PyArg_ParseTuple(args, "nn", &moves, &games) || !ext_lock_acquire(&self->lock))
        return NULL;
    size_t most = moves < 0 ? SIZE_MAX : (size_t)moves, examples = games < 0 ? SIZE_MAX : (size_t)games;
    size_t size = stamma_tree_write_json(self->tree, most, examples, NULL, 0);
    char *text = PyMem_Malloc(size + 1);
    PyObject *result = NULL;
    if (text)
        result = ext_text((stamma_text){text, stamma_tree_write_json(self->tree, most, examples, text, size + 1)});
    else
        PyErr_NoMemory();
    PyMem_Free(text);
    ext_lock_release(&self->lock);
    return result;
}

static PyObject *tree_months(PyObject *object, PyObject *unused)
{
    (void)unused;
    answer_object *self = (answer_object *)object;
    if (!ext_lock_acquire(&self->lock))
        return NULL;
    PyObject *list = PyList_New(0);
    stamma_tree_month month = {0};
    while (list && stamma_tree_next_month(self->tree, &month)) {
        PyObject *tuple = Py_BuildValue("IKKK", (unsigned)month.month, (unsigned long long)month.white_wins,
                                        (unsigned long long)month.draws, (unsigned long long)month.black_wins);
        ext_append(&list, tuple);
    }
    ext_lock_release(&self->lock);
    return list;
}

/* tree_of_json(text): the tree that tree.json wrote. */
static PyObject *tree_of_json(PyObject *module, PyObject *text)
{
    (void)module;
    return answer_of_json(tree_type, text);
}

static PyMethodDef tree_methods[] = {{"add", tree_add, METH_VARARGS, NULL},
                                     {"merge", answer_merge, METH_O, NULL},
                                     {"json", tree_json, METH_VARARGS, NULL},
                                     {"months", tree_months, METH_NOARGS, NULL},
                                     {0}};
static PyType_Slot tree_slots[] = {
    {Py_tp_dealloc, tree_dealloc}, {Py_tp_methods, tree_methods}, {Py_tp_new, tree_new}, {0, NULL}};
static PyType_Spec tree_spec = {"stamma._stamma.Tree", sizeof(answer_object), 0, Py_TPFLAGS_DEFAULT, tree_slots};

/* ---- statistics ---- */

static PyObject *stats_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "", names))
        return NULL;
    answer_object *self = allocate(type);
    if (!self)
        return NULL;
    stamma_error error = stamma_stats_open(NULL, &self->stats);
    if (error) {
        Py_DECREF(self);
        return ext_raise(error, NULL, NULL);
    }
    return (PyObject *)self;
}

static void stats_dealloc(PyObject *object)
{
    answer_object *self = (answer_object *)object;
    stamma_stats_close(self->stats);
    ext_lock_close(&self->lock);
    ext_free(object);
}

/* add(archive, ...): adds the games of an archive. */
static PyObject *stats_add(PyObject *object, PyObject *args)
{
    answer_object *self = (answer_object *)object;
    ext_question q = {.archive = NULL};
    stamma_place place = {0};
    stamma_error error = STAMMA_OK;
    if (ext_question_open(&q, args, NULL) && ext_lock_acquire(&self->lock)) {
        Py_BEGIN_ALLOW_THREADS error =
            stamma_stats_add_archive(self->stats, q.archive, ext_question_query(&q), &q.options, &place);
        Py_END_ALLOW_THREADS ext_lock_release(&self->lock);
    }
    if (error || PyErr_Occurred())
        ext_raise(error, NULL, &place);
    ext_question_close(&q);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

/* json(rows): at most this number of rows of each table; negative: all. */
static PyObject *stats_json(PyObject *object, PyObject *args)
{
    answer_object *self = (answer_object *)object;
    Py_ssize_t rows;
    size_t size = 0;
    if (!PyArg_ParseTuple(args, "n", &rows) || !ext_lock_acquire(&self->lock))
        return NULL;
    size_t most = rows < 0 ? SIZE_MAX : (size_t)rows;
    stamma_error error = stamma_stats_write_json(self->stats, most, NULL, 0, &size);
    char *text = error ? NULL : PyMem_Malloc(size + 1);
    if (text)
        error = stamma_stats_write_json(self->stats, most, text, size + 1, &size);
    else if (!error)
        error = STAMMA_ERROR_NO_MEMORY;
    PyObject *result = error ? ext_raise(error, NULL, NULL) : ext_text((stamma_text){text, size});
    PyMem_Free(text);
    ext_lock_release(&self->lock);
    return result;
}

/* count_results(archive, ...): numbers of games by result. */
static PyObject *count_results(PyObject *module, PyObject *args)
{
    (void)module;
    ext_question q = {.archive = NULL};
    stamma_place place = {0};
    stamma_stats_results results = {0};
    stamma_error error = STAMMA_OK;
    if (ext_question_open(&q, args, NULL)) {
        Py_BEGIN_ALLOW_THREADS error =
            stamma_stats_count_archive(&results, q.archive, ext_question_query(&q), &q.options, &place);
        Py_END_ALLOW_THREADS
    }
    if (error || PyErr_Occurred())
        ext_raise(error, NULL, &place);
    ext_question_close(&q);
    return PyErr_Occurred()
               ? NULL
               : Py_BuildValue("KKKK", (unsigned long long)results.games, (unsigned long long)results.white_wins,
                               (unsigned long long)results.draws, (unsigned long long)results.black_wins);
}

/* stats_of_json(text): the statistics that stats.json wrote. */
static PyObject *stats_of_json(PyObject *module, PyObject *text)
{
    (void)module;
    return answer_of_json(stats_type, text);
}

static PyMethodDef stats_methods[] = {{"add", stats_add, METH_VARARGS, NULL},
                                      {"merge", answer_merge, METH_O, NULL},
                                      {"json", stats_json, METH_VARARGS, NULL},
                                      {0}};
static PyType_Slot stats_slots[] = {
    {Py_tp_dealloc, stats_dealloc}, {Py_tp_methods, stats_methods}, {Py_tp_new, stats_new}, {0, NULL}};
static PyType_Spec stats_spec = {"stamma._stamma.Stats", sizeof(answer_object), 0, Py_TPFLAGS_DEFAULT, stats_slots};

static PyMethodDef functions[] = {{"count_results", count_results, METH_VARARGS, NULL},
                                  {"tree_of_json", tree_of_json, METH_O, NULL},
                                  {"stats_of_json", stats_of_json, METH_O, NULL},
                                  {0}};

bool ext_answers_add(PyObject *module)
{
    tree_type = ext_add_type(module, &tree_spec);
    stats_type = tree_type ? ext_add_type(module, &stats_spec) : NULL;
    return stats_type && PyModule_AddFunctions(module, functions) == 0;
}
