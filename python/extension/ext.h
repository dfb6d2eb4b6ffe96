/* SPDX-License-Identifier: MIT */
/* The extension module _stamma: thin wrappers of the public functions of the library, in the limited API of
 * CPython 3.9. The package `stamma` builds its classes from these wrappers.
 *
 * - Long calls release the GIL. Callbacks acquire it again.
 * - A wrapped object has a lock, because only one thread at a time may use an object of the library.
 * - If a callback raises an exception, for example because of Ctrl-C, the call stops and raises this exception. */
#ifndef STAMMA_EXT_H
#define STAMMA_EXT_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03090000
#endif
#include <Python.h>

#include <stdatomic.h>
#include <string.h>

#include "stamma.h"
#include "threads/worker_threads.h"

/* ---- errors (ext_error.c) ---- */

/* Raises the exception of the package for an error. If a callback has raised an exception, that exception is kept.
 * `place` may be NULL. Returns NULL. */
PyObject *ext_raise(stamma_error error, const char *message, const stamma_place *place);
/* Raises stamma.QueryError. Returns NULL. */
PyObject *ext_raise_query(const stamma_query_problem *fault);

/* ---- locks and long calls (ext_call.c) ---- */

typedef struct ext_lock {
    PyThread_type_lock lock;
} ext_lock;

bool ext_lock_open(ext_lock *lock);
/* Acquires a lock. Releases the GIL while it waits. Returns false after an exception, for example because of Ctrl-C. */
bool ext_lock_acquire(ext_lock *lock);
void ext_lock_release(ext_lock *lock);
void ext_lock_close(ext_lock *lock);

/* A call into the library during which the GIL is released. */
typedef struct ext_call {
    PyObject *progress;   /* called with the bytes done and the total; NULL: not called */
    uint64_t done, total; /* of its last call */
    atomic_bool stopped;
    unsigned long thread; /* the thread that calls the library */
    bool mute;            /* an object is being deallocated: no Python code may run */
    int64_t checked_ms;
    int64_t end_ms; /* end of the time limit, in milliseconds of the monotonic clock; 0: no limit */
    stamma_executor executor;
    worker_threads *threads;
} ext_call;

/* Starts `threads` threads; 0: one for each processor. `progress` may be None and is borrowed. Always returns true. */
bool ext_call_open(ext_call *call, PyObject *progress, unsigned threads);
/* Sets a time limit, which begins at this call. After it, ext_call_stop returns true. 0: no limit. */
void ext_call_limit(ext_call *call, unsigned milliseconds);
/* Prepares for a call from this thread. Call with the GIL. */
void ext_call_enter(ext_call *call);
void ext_call_close(ext_call *call);
/* Stores which thread handles signals. */
bool ext_call_add(PyObject *module);
/* Runs signal handlers from time to time if this is the calling thread and Python's main thread. Returns whether the
 * call is to stop. */
bool ext_call_check(ext_call *call);
/* Callbacks for options structs; the context is an ext_call. */
bool ext_call_progress(void *context, uint64_t done, uint64_t total);
bool ext_call_stop(void *context);
/* Reports that everything is done, if the last report was less. */
void ext_call_complete(ext_call *call);

/* ---- sources and destinations (ext_source.c) ---- */

/* The bytes of an archive or of an index file: in memory, or read by a Python function. */
typedef struct ext_source {
    PyObject_HEAD const uint8_t *data; /* NULL: read_at is called */
    uint64_t size;
    PyObject *owner;   /* object that owns the bytes */
    PyObject *read_at; /* called with an offset and a size; returns bytes */
    void *mapping;
} ext_source;

extern PyTypeObject *ext_source_type;

/* Returns the bytes of a source. The source must exist as long as they are used. If the Python function raises an
 * exception, it remains set in the thread that called the library. */
stamma_bytes ext_source_bytes(ext_source *source);

typedef struct ext_output {
    PyObject *write; /* called with bytes */
    PyObject *sync;  /* called without arguments; NULL: none */
    PyObject *cut;   /* called with a size; NULL: none */
    ext_call *call;
} ext_output;

stamma_output ext_output_callbacks(ext_output *output);
bool ext_output_cut(void *context, uint64_t size);

/* ---- open archives (ext_archive.c) ---- */

typedef struct ext_archive {
    PyObject_HEAD ext_lock lock; /* protects `index` and `sound` */
    ext_source *source;
    ext_source *index; /* the index file that is used; NULL: none */
    uint64_t memory;   /* 0: the default of the library */
    stamma_archive *handle;
    stamma_archive *sound; /* skips damaged blocks; opened when it is first needed */
} ext_archive;

extern PyTypeObject *ext_archive_type;

/* Returns a handle of an archive, or NULL after an exception. */
stamma_archive *ext_archive_handle(ext_archive *archive, bool sound_only);

/* ---- values (ext_values.c) ---- */

/* UTF-8 with surrogateescape: every text is decoded, and encodes to the same bytes. */
PyObject *ext_text(stamma_text text);
PyObject *ext_bytes(const void *data, size_t size);
PyObject *ext_place(const stamma_place *place);
PyObject *ext_counts(const stamma_archive_counts *counts);
PyObject *ext_damage(const stamma_archive_damage *damage);
/* Appends an item and releases it. If the item is NULL after an exception, or cannot be appended, the list is released
 * and *list becomes NULL. */
void ext_append(PyObject **list, PyObject *item);
/* Stores the bytes of a bytes object, or of a str, which is encoded as UTF-8 with surrogateescape. *owner becomes a new
 * reference to the object that owns the bytes. Returns false after an exception. */
bool ext_read_text(PyObject *object, PyObject **owner, stamma_text *text);

/* ---- positions and games (ext_position.c, ext_game.c) ---- */

typedef struct ext_position {
    PyObject_HEAD stamma_position position;
} ext_position;

extern PyTypeObject *ext_position_type;

PyObject *ext_position_new(const stamma_position *position);
PyObject *ext_move_list(const stamma_move *moves, size_t count);
/* Returns whether a move is legal, or the null move is allowed. */
bool ext_is_playable(const stamma_position *position, stamma_move move);
/* Reads bytes of 16-bit moves. Returns false after an exception. */
bool ext_read_moves(PyObject *bytes, const stamma_move **moves, size_t *count);
/* Reads the arguments (encoding, start, moves): the name of an encoding, a position and bytes of 16-bit moves. Returns
 * false after an exception. */
bool ext_read_line(PyObject *args, const char **name, const stamma_position **start, const stamma_move **moves,
                   size_t *plies);
PyObject *ext_game_tuple(const stamma_archive_game *game, unsigned parts);

/* ---- encodings (ext_codes.c) ---- */

/* Returns an encoding of moves, or NULL after an exception. `hint` names the function for encodings of positions. */
const stamma_codec *ext_find_codec(const char *name, const char *hint);
/* Returns an encoding of positions, or NULL after an exception. `hint` names the functions for encodings of moves. */
const stamma_position_codec *ext_find_position_codec(const char *name, const char *hint);

/* ---- searches (ext_search.c) ---- */

typedef struct ext_query {
    PyObject_HEAD stamma_query *query;
} ext_query;

extern PyTypeObject *ext_query_type;

/* The arguments of a search, a tree or statistics. */
typedef struct ext_question {
    stamma_archive *archive;
    ext_call call;
    uint64_t memory; /* limit in the arguments; 0: the archive's limit */
    stamma_search_options options;
    PyObject *held[3]; /* archive, query, progress */
} ext_question;

/* Reads the keywords archive, query, threads, memory, sound_only, time_limit_ms and progress, and, if they are given,
 * first_game and last_game. */
bool ext_question_open(ext_question *question, PyObject *args, PyObject *keywords);
const stamma_query *ext_question_query(const ext_question *question);
void ext_question_close(ext_question *question);

/* ---- arrays (ext_arrays.c) ---- */

/* Returns an Arrow array whose offset is 0 as a tuple: name, format, length, validity bits or None, other buffers,
 * children, dictionary or None. Buffers are bytes; children and the dictionary are tuples in the same form. */
PyObject *ext_array(const struct ArrowSchema *schema, const struct ArrowArray *array);

/* ---- the parts of the module: each adds its types or functions ---- */

bool ext_source_add(PyObject *module);
bool ext_archive_add(PyObject *module);
bool ext_position_add(PyObject *module);
bool ext_reader_add(PyObject *module);
bool ext_writer_add(PyObject *module);
bool ext_search_add(PyObject *module);
bool ext_answers_add(PyObject *module);
bool ext_codes_add(PyObject *module);
bool ext_survey_add(PyObject *module);
bool ext_boards_add(PyObject *module);
bool ext_tags_add(PyObject *module);
bool ext_check_add(PyObject *module);
bool ext_pgn_add(PyObject *module);
bool ext_zstd_add(PyObject *module);
bool ext_columns_add(PyObject *module);

/* Creates a type from its specification and adds it to the module. Returns NULL after an exception. */
PyTypeObject *ext_add_type(PyObject *module, PyType_Spec *spec);
/* Allocates an object whose members are 0. Returns NULL after an exception. */
PyObject *ext_allocate(PyTypeObject *type);
/* Frees the memory of an object of a type of this module. */
void ext_free(PyObject *self);
PyObject *ext_refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords);

#endif
