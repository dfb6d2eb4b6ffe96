/* SPDX-License-Identifier: MIT */
/* The values of tags: the library's readings, which all programs share. */
#include "ext.h"

/* result_of_game(tag, movetext) */
static PyObject *result_of_game(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *objects[2], *owners[2] = {NULL, NULL};
    stamma_text texts[2];
    if (!PyArg_ParseTuple(args, "OO", &objects[0], &objects[1]))
        return NULL;
    const bool read =
        ext_read_text(objects[0], &owners[0], &texts[0]) && ext_read_text(objects[1], &owners[1], &texts[1]);
    PyObject *result =
        read ? PyUnicode_FromString(stamma_result_text(stamma_result_of_game(texts[0], texts[1]))) : NULL;
    Py_XDECREF(owners[0]);
    Py_XDECREF(owners[1]);
    return result;
}

/* rating(value): 0 if it contains none. */
static PyObject *rating(PyObject *module, PyObject *value)
{
    (void)module;
    PyObject *owner;
    stamma_text text;
    if (!ext_read_text(value, &owner, &text))
        return NULL;
    PyObject *number = PyLong_FromUnsignedLong(stamma_rating_read(text));
    Py_DECREF(owner);
    return number;
}

/* chess960(variant) */
static PyObject *chess960(PyObject *module, PyObject *variant)
{
    (void)module;
    PyObject *owner;
    stamma_text text;
    if (!ext_read_text(variant, &owner, &text))
        return NULL;
    PyObject *named = PyBool_FromLong(stamma_chess960_read(text));
    Py_DECREF(owner);
    return named;
}

static PyMethodDef functions[] = {{"result_of_game", result_of_game, METH_VARARGS, NULL},
                                  {"rating", rating, METH_O, NULL},
                                  {"chess960", chess960, METH_O, NULL},
                                  {0}};

bool ext_tags_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
