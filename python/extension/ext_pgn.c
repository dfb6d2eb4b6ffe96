/* SPDX-License-Identifier: MIT */
/* Reads games from PGN text. */
#include "ext.h"

typedef struct pgn_object {
    PyObject_HEAD ext_lock lock;
    PyObject *text; /* bytes */
    stamma_pgn_reader *reader;
    stamma_game *game;
} pgn_object;

static PyTypeObject *pgn_type;

/* PgnReader(text): reads the games of a bytes object. */
static PyObject *pgn_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"text", NULL};
    PyObject *text;
    char *bytes;
    Py_ssize_t size;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "S", names, &text) ||
        PyBytes_AsStringAndSize(text, &bytes, &size) != 0)
        return NULL;
    pgn_object *self = (pgn_object *)ext_allocate(type);
    if (!self || !ext_lock_open(&self->lock)) {
        Py_XDECREF(self);
        return NULL;
    }
    Py_INCREF(text);
    self->text = text;
    stamma_error error = stamma_pgn_reader_open_memory(bytes, (size_t)size, NULL, &self->reader);
    if (!error)
        error = stamma_game_open(NULL, &self->game);
    if (error) {
        Py_DECREF(self);
        return ext_raise(error, NULL, NULL);
    }
    return (PyObject *)self;
}

static void pgn_dealloc(PyObject *object)
{
    pgn_object *self = (pgn_object *)object;
    stamma_game_close(self->game);
    stamma_pgn_reader_close(self->reader);
    Py_CLEAR(self->text);
    ext_lock_close(&self->lock);
    ext_free(object);
}

static PyObject *tags_of(const stamma_game *game)
{
    size_t count = stamma_game_tag_count(game);
    PyObject *list = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        stamma_text name = {0}, value = {0};
        (void)stamma_game_tag_at(game, i, &name, &value);
        PyObject *first = ext_text(name), *second = ext_text(value);
        PyObject *pair = first && second ? PyTuple_Pack(2, first, second) : NULL;
        Py_XDECREF(first);
        Py_XDECREF(second);
        if (!pair || PyTuple_SetItem(list, (Py_ssize_t)i, pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *comments_of(const stamma_game *game, stamma_node node, bool before)
{
    size_t count = stamma_game_comment_count(game, node, before);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *text = ext_text(stamma_game_comment(game, node, before, i));
        if (!text || PyList_SetItem(list, (Py_ssize_t)i, text) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *nags_of(const stamma_game *game, stamma_node node)
{
    size_t count = stamma_game_nag_count(game, node);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *nag = PyLong_FromUnsignedLong(stamma_game_nag(game, node, i));
        if (!nag || PyList_SetItem(list, (Py_ssize_t)i, nag) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Returns the tuple of a node: number, number of the parent, move, comments before and after, NAGs. */
static PyObject *node_of(const stamma_game *game, stamma_node node)
{
    PyObject *before = comments_of(game, node, true), *after = comments_of(game, node, false);
    PyObject *nags = nags_of(game, node);
    PyObject *tuple = before && after && nags
                          ? Py_BuildValue("IIIOOO", (unsigned)node, (unsigned)stamma_game_parent(game, node),
                                          (unsigned)stamma_game_move(game, node), before, after, nags)
                          : NULL;
    Py_XDECREF(before);
    Py_XDECREF(after);
    Py_XDECREF(nags);
    return tuple;
}

/* Returns the node after a node in the order: first child, next sibling, next sibling of an ancestor. */
static stamma_node following(const stamma_game *game, stamma_node node)
{
    stamma_node next = stamma_game_first_child(game, node);
    while (next == STAMMA_NODE_NONE && node != STAMMA_NODE_NONE) {
        next = stamma_game_next_sibling(game, node);
        node = stamma_game_parent(game, node);
    }
    return next;
}

static PyObject *nodes_of(const stamma_game *game)
{
    PyObject *list = PyList_New(0);
    for (stamma_node node = 0; list && node != STAMMA_NODE_NONE; node = following(game, node)) {
        PyObject *tuple = node_of(game, node);
        ext_append(&list, tuple);
    }
    return list;
}

static PyObject *game_of(const stamma_game *game, stamma_error error, const stamma_place *place)
{
    PyObject *tags = tags_of(game), *nodes = nodes_of(game), *result = ext_text(stamma_game_result(game));
    PyObject *start = ext_position_new(stamma_game_start(game));
    PyObject *tuple = tags && nodes && result && start
                          ? Py_BuildValue("OOOOisN", tags, start, result, nodes, (int)error, stamma_error_text(error),
                                          ext_place(place))
                          : NULL;
    Py_XDECREF(tags);
    Py_XDECREF(nodes);
    Py_XDECREF(result);
    Py_XDECREF(start);
    return tuple;
}

/* next(): a tuple of the next game, or None at the end. */
static PyObject *pgn_next(PyObject *object, PyObject *unused)
{
    (void)unused;
    pgn_object *self = (pgn_object *)object;
    stamma_error error, problem = STAMMA_OK;
    stamma_place place = {0};
    bool found = false;
    if (PyErr_CheckSignals() != 0 || !ext_lock_acquire(&self->lock))
        return NULL;
    Py_BEGIN_ALLOW_THREADS error = stamma_game_read(self->game, self->reader, &found, &problem, &place);
    Py_END_ALLOW_THREADS PyObject *result;
    if (error)
        result = ext_raise(error, NULL, NULL);
    else
        result = found ? game_of(self->game, problem, &place) : Py_BuildValue("");
    ext_lock_release(&self->lock);
    return result;
}

static PyMethodDef pgn_methods[] = {{"next", pgn_next, METH_NOARGS, NULL}, {0}};
static PyType_Slot pgn_slots[] = {
    {Py_tp_dealloc, pgn_dealloc}, {Py_tp_methods, pgn_methods}, {Py_tp_new, pgn_new}, {0, NULL}};
static PyType_Spec pgn_spec = {"stamma._stamma.PgnReader", sizeof(pgn_object), 0, Py_TPFLAGS_DEFAULT, pgn_slots};

bool ext_pgn_add(PyObject *module)
{
    pgn_type = ext_add_type(module, &pgn_spec);
    return pgn_type != NULL;
}
