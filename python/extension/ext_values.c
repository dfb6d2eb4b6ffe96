/* SPDX-License-Identifier: MIT */
/* Converts values between Python and the library. */
#include "ext.h"

PyObject *ext_text(stamma_text text)
{
    return PyUnicode_DecodeUTF8(text.size > 0 ? text.data : "", (Py_ssize_t)text.size, "surrogateescape");
}

PyObject *ext_bytes(const void *data, size_t size)
{
    return PyBytes_FromStringAndSize(size > 0 ? data : "", (Py_ssize_t)size);
}

PyObject *ext_place(const stamma_place *place)
{
    return Py_BuildValue("KKKI", (unsigned long long)place->offset, (unsigned long long)place->line,
                         (unsigned long long)place->game, (unsigned)place->ply);
}

PyObject *ext_counts(const stamma_archive_counts *c)
{
    return Py_BuildValue(
        "{sKsKsKsKsKsKsKsKsKsKsKs[KKKK]}", "games", (unsigned long long)c->games, "plies", (unsigned long long)c->plies,
        "variation_plies", (unsigned long long)c->variation_plies, "text_size", (unsigned long long)c->text_size,
        "archive_size", (unsigned long long)c->archive_size, "moves_bytes", (unsigned long long)c->moves_bytes,
        "games_verbatim", (unsigned long long)c->games_verbatim, "games_partly_verbatim",
        (unsigned long long)c->games_partly_verbatim, "games_corrected", (unsigned long long)c->games_corrected,
        "verbatim_bytes", (unsigned long long)c->verbatim_bytes, "games_inexact", (unsigned long long)c->games_inexact,
        "level_blocks", (unsigned long long)c->level_blocks[0], (unsigned long long)c->level_blocks[1],
        (unsigned long long)c->level_blocks[2], (unsigned long long)c->level_blocks[3]);
}

PyObject *ext_damage(const stamma_archive_damage *d)
{
    /* The name of a tag may contain any bytes. */
    PyObject *column = d->column ? ext_text((stamma_text){d->column, strlen(d->column)}) : Py_BuildValue("");
    return Py_BuildValue("{sssisNsKsKsKsKsKsKsKsKsKsK}", "kind", stamma_damage_text(d->kind), "error", (int)d->error,
                         "column", column, "offset", (unsigned long long)d->offset, "size", (unsigned long long)d->size,
                         "frame", (unsigned long long)d->frame, "first_block", (unsigned long long)d->first_block,
                         "last_block", (unsigned long long)d->last_block, "first_game",
                         (unsigned long long)d->first_game, "last_game", (unsigned long long)d->last_game,
                         "text_offset", (unsigned long long)d->text_offset, "text_size",
                         (unsigned long long)d->text_size, "game", (unsigned long long)d->game);
}

bool ext_read_text(PyObject *object, PyObject **owner, stamma_text *text)
{
    char *data;
    Py_ssize_t size;
    *owner = NULL;
    if (PyUnicode_Check(object))
        *owner = PyUnicode_AsEncodedString(object, "utf-8", "surrogateescape");
    else if (PyBytes_Check(object)) {
        Py_INCREF(object);
        *owner = object;
    } else
        PyErr_SetString(PyExc_TypeError, "expected str or bytes");
    if (!*owner || PyBytes_AsStringAndSize(*owner, &data, &size) != 0) {
        Py_CLEAR(*owner);
        return false;
    }
    *text = (stamma_text){data, (size_t)size};
    return true;
}

void ext_append(PyObject **list, PyObject *item)
{
    if (!item || PyList_Append(*list, item) != 0)
        Py_CLEAR(*list);
    Py_XDECREF(item);
}

PyTypeObject *ext_add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    const char *name = strrchr(spec->name, '.') + 1;
    if (!type)
        return NULL;
    Py_INCREF(type);
    if (PyModule_AddObject(module, name, type) != 0) {
        Py_DECREF(type);
        Py_DECREF(type);
        return NULL;
    }
    return (PyTypeObject *)type; /* this reference is kept for ever */
}

PyObject *ext_allocate(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void ext_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

PyObject *ext_refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type;
    (void)args;
    (void)keywords;
    PyErr_SetString(PyExc_TypeError, "this type has no constructor");
    return NULL;
}
