/* SPDX-License-Identifier: MIT */
/* Raises the exceptions of stamma.errors. */
#include "ext.h"

/* Calls stamma.errors.make, which returns the exception of an error number. */
static PyObject *make(stamma_error error, const char *message, const stamma_place *place)
{
    static const stamma_place nowhere = {0};
    const stamma_place *at = place ? place : &nowhere;
    PyObject *module = PyImport_ImportModule("stamma.errors");
    PyObject *exception = NULL;
    if (module)
        exception = PyObject_CallMethod(module, "make", "isOKKKI", (int)error, message, place ? Py_True : Py_False,
                                        (unsigned long long)at->offset, (unsigned long long)at->line,
                                        (unsigned long long)at->game, (unsigned)at->ply);
    Py_XDECREF(module);
    return exception;
}

PyObject *ext_raise(stamma_error error, const char *message, const stamma_place *place)
{
    if (PyErr_Occurred())
        return NULL;
    PyObject *exception = make(error, message ? message : stamma_error_text(error), place);
    if (exception)
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *ext_raise_query(const stamma_query_problem *fault)
{
    PyObject *module = PyImport_ImportModule("stamma.errors");
    PyObject *exception = NULL;
    if (module)
        exception = PyObject_CallMethod(module, "make_query", "snn", fault->message, (Py_ssize_t)fault->offset,
                                        (Py_ssize_t)fault->size);
    if (exception)
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_XDECREF(exception);
    Py_XDECREF(module);
    return NULL;
}
