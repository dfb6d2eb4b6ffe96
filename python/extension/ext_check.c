/* SPDX-License-Identifier: MIT */
/* Verifies and repairs archives, and writes index files. */
#include "ext.h"

/* A call that reads an archive and may collect damage in a list. */
typedef struct checking {
    ext_call call;
    uint64_t size; /* of the archive */
    PyObject *damages;
} checking;

static void take_damage(void *context, const stamma_archive_damage *damage)
{
    checking *c = context;
    PyGILState_STATE state = PyGILState_Ensure();
    if (!PyErr_Occurred()) {
        PyObject *dict = ext_damage(damage);
        if (!dict || PyList_Append(c->damages, dict) != 0)
            atomic_store(&c->call.stopped, true);
        Py_XDECREF(dict);
    }
    PyGILState_Release(state);
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    checking *c = context;
    return ext_call_progress(&c->call, done, total > 0 ? total : c->size);
}

static bool stop_checking(void *context)
{
    return ext_call_stop(&((checking *)context)->call);
}

static bool begin(checking *c, const ext_source *source, PyObject *progress, unsigned threads)
{
    c->size = source->size;
    c->damages = PyList_New(0);
    return c->damages && ext_call_open(&c->call, progress, threads);
}

/* Releases everything. Returns `result` with the list of damages, or NULL after an error; steals `result`. */
static PyObject *end(checking *c, stamma_error error, PyObject *result)
{
    Py_BEGIN_ALLOW_THREADS ext_call_close(&c->call);
    Py_END_ALLOW_THREADS PyObject *pair = NULL;
    if (error || PyErr_Occurred())
        ext_raise(error, NULL, NULL);
    else if (result)
        pair = PyTuple_Pack(2, result, c->damages);
    Py_XDECREF(result);
    Py_XDECREF(c->damages);
    return pair;
}

static PyObject *verdict_of(const stamma_archive_verdict *v)
{
    return Py_BuildValue("{sKsNsKsNsKsKsKsKsKsK}", "damages", (unsigned long long)v->damages, "sound",
                         ext_counts(&v->sound), "sound_blocks", (unsigned long long)v->sound_blocks, "all",
                         ext_counts(&v->all), "all_blocks", (unsigned long long)v->all_blocks, "input_size",
                         (unsigned long long)v->input_size, "tail_offset", (unsigned long long)v->tail_offset,
                         "tail_size", (unsigned long long)v->tail_size, "tail_blocks",
                         (unsigned long long)v->tail_blocks, "tail_games", (unsigned long long)v->tail_games);
}

/* verify(archive, quick, threads, memory, progress): a dict, and a list of damages. */
static PyObject *verify(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *archive, *progress;
    int quick;
    unsigned threads;
    unsigned long long memory;
    checking c;
    if (!PyArg_ParseTuple(args, "O!pIKO", ext_archive_type, &archive, &quick, &threads, &memory, &progress) ||
        !begin(&c, ((ext_archive *)archive)->source, progress, threads))
        return NULL;
    stamma_archive_verify_options options = {.size = sizeof options,
                                             .quick = quick != 0,
                                             .executor = &c.call.executor,
                                             .memory = memory,
                                             .context = &c,
                                             .damage = take_damage,
                                             .progress = show_progress,
                                             .stop = stop_checking};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_archive_verify(((ext_archive *)archive)->handle, &options, &verdict);
    Py_END_ALLOW_THREADS return end(&c, error, error || PyErr_Occurred() ? NULL : verdict_of(&verdict));
}

static PyObject *repair_of(const stamma_archive_repair_result *r)
{
    return Py_BuildValue("{sNsKsKsNsKsOsO}", "kept", ext_counts(&r->kept), "kept_blocks",
                         (unsigned long long)r->kept_blocks, "repacked_blocks", (unsigned long long)r->repacked_blocks,
                         "all", ext_counts(&r->all), "all_blocks", (unsigned long long)r->all_blocks, "known",
                         r->known ? Py_True : Py_False, "complete", r->whole ? Py_True : Py_False);
}

/* repair(source, write, threads, memory, progress): a dict, and a list of damages. */
static PyObject *repair(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *source, *progress;
    ext_output output = {0};
    unsigned threads;
    unsigned long long memory;
    checking c;
    if (!PyArg_ParseTuple(args, "O!OIKO", ext_source_type, &source, &output.write, &threads, &memory, &progress) ||
        !begin(&c, (ext_source *)source, progress, threads))
        return NULL;
    output.call = &c.call;
    const stamma_bytes in = ext_source_bytes((ext_source *)source);
    stamma_output out = ext_output_callbacks(&output);
    stamma_archive_repair_options options = {.size = sizeof options,
                                             .executor = &c.call.executor,
                                             .memory = memory,
                                             .context = &c,
                                             .damage = take_damage,
                                             .stop = stop_checking};
    stamma_archive_repair_result result = {.size = sizeof result};
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_archive_repair(&in, &out, &options, &result);
    Py_END_ALLOW_THREADS return end(&c, error, error || PyErr_Occurred() ? NULL : repair_of(&result));
}

/* ---- index files ---- */

/* Returns the bytes of sources, or NULL after an exception. Free with PyMem_Free. */
static stamma_bytes *read_sources(PyObject *list, size_t *count)
{
    Py_ssize_t size = PyList_Size(list);
    stamma_bytes *files = size < 0 ? NULL : PyMem_Malloc(((size_t)size + 1) * sizeof *files);
    if (!files && size >= 0)
        PyErr_NoMemory();
    *count = 0;
    for (Py_ssize_t i = 0; files && i < size; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (Py_TYPE(item) == ext_source_type)
            files[(*count)++] = ext_source_bytes((ext_source *)item);
    }
    return files;
}

/* write_index(archive, before, write, threads, memory, progress): (None, []). */
static PyObject *write_index(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *archive, *before, *progress;
    ext_output output = {0};
    unsigned threads;
    unsigned long long memory;
    size_t count;
    checking c;
    if (!PyArg_ParseTuple(args, "O!O!OIKO", ext_archive_type, &archive, &PyList_Type, &before, &output.write, &threads,
                          &memory, &progress))
        return NULL;
    stamma_bytes *files = read_sources(before, &count);
    if (!files || !begin(&c, ((ext_archive *)archive)->source, progress, threads)) {
        PyMem_Free(files);
        return NULL;
    }
    output.call = &c.call;
    stamma_output out = ext_output_callbacks(&output);
    stamma_index_write_options options = {.size = sizeof options,
                                          .executor = &c.call.executor,
                                          .memory = memory > 0 ? memory : STAMMA_NO_LIMIT,
                                          .context = &c,
                                          .progress = show_progress,
                                          .before = files,
                                          .before_count = count,
                                          .stop = stop_checking};
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_index_write(((ext_archive *)archive)->handle, &options, &out);
    Py_END_ALLOW_THREADS PyMem_Free(files);
    return end(&c, error, error || PyErr_Occurred() ? NULL : Py_BuildValue(""));
}

static PyMethodDef functions[] = {{"verify", verify, METH_VARARGS, NULL},
                                  {"repair", repair, METH_VARARGS, NULL},
                                  {"write_index", write_index, METH_VARARGS, NULL},
                                  {0}};

bool ext_check_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
