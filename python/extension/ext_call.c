/* SPDX-License-Identifier: MIT */
/* Locks, and calls that run without the GIL and stop at Ctrl-C. */
#include "ext.h"

#include "ext_system.h"

enum { CHECK_MS = 20, WAIT_MICROSECONDS = 50000 };

/* ---- locks ---- */

bool ext_lock_open(ext_lock *lock)
{
    lock->lock = PyThread_allocate_lock();
    if (!lock->lock)
        PyErr_NoMemory();
    return lock->lock != NULL;
}

bool ext_lock_acquire(ext_lock *lock)
{
    if (PyThread_acquire_lock(lock->lock, NOWAIT_LOCK))
        return true;
    for (;;) {
        PyLockStatus status;
        Py_BEGIN_ALLOW_THREADS status = PyThread_acquire_lock_timed(lock->lock, WAIT_MICROSECONDS, 0);
        Py_END_ALLOW_THREADS if (status == PY_LOCK_ACQUIRED) return true;
        if (PyErr_CheckSignals() != 0)
            return false;
    }
}

void ext_lock_release(ext_lock *lock)
{
    PyThread_release_lock(lock->lock);
}

void ext_lock_close(ext_lock *lock)
{
    if (lock->lock)
        PyThread_free_lock(lock->lock);
    lock->lock = NULL;
}

/* ---- calls ---- */

static unsigned long main_thread; /* the only thread in which Python runs handlers of signals */

bool ext_call_add(PyObject *module)
{
    (void)module;
    PyObject *threading = PyImport_ImportModule("threading");
    PyObject *thread = threading ? PyObject_CallMethod(threading, "main_thread", NULL) : NULL;
    PyObject *number = thread ? PyObject_GetAttrString(thread, "ident") : NULL;
    if (number && number != Py_None)
        main_thread = PyLong_AsUnsignedLong(number);
    Py_XDECREF(threading);
    Py_XDECREF(thread);
    Py_XDECREF(number);
    return !PyErr_Occurred();
}

/* Runs the handlers of signals while the library waits for its threads. */
static void check_call(void *context)
{
    (void)ext_call_check(context);
}

bool ext_call_open(ext_call *call, PyObject *progress, unsigned threads)
{
    memset(call, 0, sizeof *call);
    atomic_init(&call->stopped, false);
    if (progress && progress != Py_None)
        call->progress = progress;
    call->threads = worker_threads_open(threads, &call->executor);
    worker_threads_while_waiting(call->threads, check_call, call);
    ext_call_enter(call);
    return true;
}

void ext_call_limit(ext_call *call, unsigned milliseconds)
{
    call->end_ms = milliseconds > 0 ? ext_system_milliseconds() + milliseconds : 0;
}

void ext_call_enter(ext_call *call)
{
    call->thread = PyThread_get_thread_ident();
    call->checked_ms = ext_system_milliseconds();
}

void ext_call_close(ext_call *call)
{
    worker_threads_close(call->threads);
    call->threads = NULL;
}

/* Runs the handlers of signals that have arrived. Python runs them only in its main thread. */
static void run_handlers(ext_call *call)
{
    PyGILState_STATE state = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0)
        atomic_store(&call->stopped, true);
    PyGILState_Release(state);
}

bool ext_call_check(ext_call *call)
{
    /* Worker threads read only `stopped`: the calling thread may be changing the other members. */
    if (!atomic_load(&call->stopped) && PyThread_get_thread_ident() == main_thread && !call->mute &&
        call->thread == main_thread) {
        int64_t now = ext_system_milliseconds();
        if (now - call->checked_ms >= CHECK_MS || now < call->checked_ms) {
            call->checked_ms = now;
            run_handlers(call);
        }
    }
    return atomic_load(&call->stopped);
}

bool ext_call_progress(void *context, uint64_t done, uint64_t total)
{
    ext_call *call = context;
    if (!call->progress || call->mute)
        return !ext_call_check(call);
    if (atomic_load(&call->stopped))
        return false;
    call->done = done;
    call->total = total;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result =
        PyErr_Occurred() || PyErr_CheckSignals() != 0
            ? NULL
            : PyObject_CallFunction(call->progress, "KK", (unsigned long long)done, (unsigned long long)total);
    if (!result)
        atomic_store(&call->stopped, true);
    Py_XDECREF(result);
    PyGILState_Release(state);
    return !atomic_load(&call->stopped);
}

void ext_call_complete(ext_call *call)
{
    if (call->done < call->total)
        (void)ext_call_progress(call, call->total, call->total);
}

bool ext_call_stop(void *context)
{
    ext_call *call = context;
    return ext_call_check(call) || (call->end_ms > 0 && ext_system_milliseconds() >= call->end_ms);
}
