/* SPDX-License-Identifier: MIT */
/* Errors, text slices, memory, inputs and outputs, which all other headers use.
 *
 * The conventions of the whole library are in stamma.h. A function that can fail returns a stamma_error:
 *
 *     stamma_error error = stamma_fen_read(stamma_text_of(argv[1]), &position, NULL, NULL);
 *     if (error != STAMMA_OK)
 *         fprintf(stderr, "%s\n", stamma_error_text(error));
 *
 * The library calls the program for memory (stamma_allocator), bytes (stamma_input, stamma_output) and threads
 * (stamma_executor). It opens no files, prints nothing and starts no threads. */
#ifndef STAMMA_API_BASE_H
#define STAMMA_API_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) || defined(STAMMA_STATIC)
#define STAMMA_API /* a static library in a module or program that exports no functions of the library */
#elif defined(__GNUC__)
#define STAMMA_API __attribute__((visibility("default")))
#else
#define STAMMA_API
#endif

#define STAMMA_VERSION_MAJOR 1
#define STAMMA_VERSION_MINOR 0
#define STAMMA_VERSION_PATCH 0
#define STAMMA_VERSION "1.0.0-rc1"

/* Returns the version of the linked library as text: "1.0.0", or "1.0.0-rc1" for a candidate. The string is static. */
STAMMA_API const char *stamma_version(void);

/* Why a function failed. The values are permanent, and each has one cause. */
typedef enum stamma_error {
    STAMMA_OK = 0,
    STAMMA_ERROR_NO_MEMORY = 1,    /* the allocator returned NULL */
    STAMMA_ERROR_IO = 2,           /* an input or output callback failed */
    STAMMA_ERROR_NO_SPACE = 3,     /* the caller's buffer is too small; nothing was written */
    STAMMA_ERROR_BAD_ARGUMENT = 4, /* the call is wrong: square 70, or NULL for a parameter that must not be NULL */
    STAMMA_ERROR_SYNTAX = 5,       /* the text does not have the expected form */
    STAMMA_ERROR_ILLEGAL = 6,      /* well-formed, but against the rules of chess: a move, a set-up */
    STAMMA_ERROR_CORRUPT = 7,      /* encoded data that no encoder produces, or a wrong checksum */
    STAMMA_ERROR_UNSUPPORTED = 8,  /* valid, but this encoding or version cannot represent or read it */
    STAMMA_ERROR_CANCELLED = 9,    /* a callback asked to stop */
    STAMMA_ERROR_AMBIGUOUS = 10,   /* the text matches several legal moves */
    STAMMA_ERROR_LIMIT = 11,       /* a limit that the caller set was reached */
    STAMMA_ERROR_MISMATCH = 12,    /* the input differs from the input of the interrupted run */
    STAMMA_ERROR_NO_ARCHIVE = 13,  /* the bytes are not a Stamma archive */
    STAMMA_ERROR_SELF_CHECK = 14   /* the library's output or tables are wrong: memory is faulty, or the library has an
                                    * error */
} stamma_error;

/* Returns a short English name of an error ("out of memory"), or "unknown error" for any other value. Never NULL; the
 * string is static. */
STAMMA_API const char *stamma_error_text(stamma_error error);

/* A slice of bytes owned by someone else. Not NUL-terminated. The bytes may be in any character encoding. */
typedef struct stamma_text {
    const char *data;
    size_t size; /* bytes */
} stamma_text;

/* Returns a NUL-terminated string as a text, without its NUL. {NULL, 0} if `string` is NULL. The text refers to the
 * string:
 *   stamma_text name = stamma_archive_game_tag(game, stamma_text_of("White")); */
STAMMA_API stamma_text stamma_text_of(const char *string);

/* A place in an input. */
typedef struct stamma_place {
    uint64_t offset; /* bytes from the start of the input */
    uint64_t line;   /* from 1; LF, CR LF and a single CR each end a line */
    uint64_t game;   /* from 1; 0 before the first game */
    uint32_t ply;    /* plies played in the current line before this place, from 0 */
} stamma_place;

/* Memory functions for one object and everything that it owns. Each is called with `context`. `resize` behaves like
 * realloc. `release` must accept NULL. */
typedef struct stamma_allocator {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void *(*resize)(void *context, void *memory, size_t size);
    void (*release)(void *context, void *memory);
} stamma_allocator;

/* A source of bytes that is read once, in order, such as a pipe.
 *   read  stores up to `size` bytes at `bytes` and returns their number, 0 only at the end; -1 if the source fails */
typedef struct stamma_input {
    void *context;
    ptrdiff_t (*read)(void *context, void *bytes, size_t size);
} stamma_input;

/* Bytes that can be read at any offset and do not change: memory, a file, a mapping, HTTP ranges, a browser's Blob.
 *   size     number of bytes
 *   memory   the bytes; NULL: they are read by `read_at`
 *   read_at  stores the `size` bytes that start at `offset` at `bytes`, or returns false. The range is never beyond the
 *            end. Called by the threads that call functions of the library, never by threads of an executor */
typedef struct stamma_bytes {
    uint64_t size;
    const void *memory;
    void *context;
    bool (*read_at)(void *context, uint64_t offset, void *bytes, size_t size);
} stamma_bytes;

/* Returns bytes in memory, which are not copied. */
STAMMA_API stamma_bytes stamma_bytes_of(const void *memory, size_t size);

/* A memory limit that means: no limit. All threads may then process a block at the same time, but a single block that
 * declares more than 512 MiB still ends a call with LIMIT. A memory limit of 0 always selects the default, which is 512
 * MiB unless the comment of the option says otherwise. */
#define STAMMA_NO_LIMIT UINT64_MAX

/* A destination of bytes.
 *   write  writes all `size` bytes, or returns false
 *   sync   makes all written bytes durable, or returns false; may be NULL */
typedef struct stamma_output {
    void *context;
    bool (*write)(void *context, const void *bytes, size_t size);
    bool (*sync)(void *context);
} stamma_output;

/* Threads of the caller. The library uses them to process several blocks in parallel, and at level 3 also the two
 * halves of the moves of a block. The library itself starts no threads. Results do not depend on the executor.
 *
 * `start` runs work(argument) on some thread, and may return before the work is done. `wait` returns when the work is
 * done; its results must then be visible to the caller. Only the thread that called the library calls `start` and
 * `wait`; it calls `wait` once for each `start`. Several threads may use the caller's allocator at the same time. */
typedef struct stamma_executor {
    void *context;
    unsigned threads; /* number of threads; below 2 the calling thread does all work */
    void (*start)(void *context, void (*work)(void *argument), void *argument);
    void (*wait)(void *context, void *argument);
} stamma_executor;

#ifdef __cplusplus
}
#endif

#endif
