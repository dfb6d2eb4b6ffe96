/* SPDX-License-Identifier: MIT */
/* The archives of the server: files, which are opened again when they change, their index files, and uploads. */
#ifndef STAMMA_SERVE_FILES_H
#define STAMMA_SERVE_FILES_H

#include "answering/serve_archives.h"
#include "shared/archive_pages.h"

/* State of a file, which shows changes; zeros: there is no regular file. */
typedef struct serve_state {
    uint64_t device, file, size;
    struct timespec changed;
} serve_state;

bool serve_state_same(const serve_state *a, const serve_state *b);
serve_state serve_state_of(const char *path);

/* A mapped index file. */
typedef struct serve_index_file {
    const char *path;
    serve_state state; /* when it was opened */
    const uint8_t *bytes;
    serve_state checked; /* when its bytes were checked last; size 0: never */
    bool sound;          /* they had not changed then */
} serve_index_file;

/* The roots in the first page of an index file, which change when an append is complete
 * (doc/format/index_files.md, 1.3). */
enum { SERVE_ROOT_SIZE = 64, SERVE_ROOTS = 2 };
typedef struct serve_index_roots {
    uint64_t device, file;
    uint8_t bytes[SERVE_ROOTS][SERVE_ROOT_SIZE]; /* zeros if there are none */
} serve_index_roots;

/* An archive in a mapped file. */
typedef struct serve_file {
    serve_archive archive; /* the first member: see serve_file_of */
    const char *path;
    serve_state state; /* state of the file */
    tool_pages pages;
    serve_index_file index_file; /* bytes: NULL if the index is in memory; constant once the archive's index is set */
} serve_file;

/* Returns the file of an archive that the server has opened. */
static inline const serve_file *serve_file_of(const serve_archive *archive)
{
    return (const serve_file *)archive;
}

/* ---- files of archives (serve_files.c) ---- */

typedef struct serve_files {
    serve_archives *archives;        /* with an archive for each file */
    const stamma_executor *executor; /* opens indexes */
    const atomic_bool *ending;       /* ends the opening and writing of indexes */
    uint64_t memory;                 /* limit of all indexes in bytes */
    bool writes;                     /* index files are written where they are missing or outdated */
    struct serve_place *places;
    size_t named;  /* archives that the command names; uploads follow */
    double looked; /* protected by the lock of the archives, like `looking` */
    bool looking;
} serve_files;

/* Opens all archives with their index files, if these are current. While requests are answered, the files are checked
 * for changes once a second. Returns false, after a message, if an archive cannot be opened. Call serve_files_close in
 * any case. */
bool serve_files_open(serve_files *files, char **paths, size_t count);
/* Opens indexes in memory for the archives that have none, while archives are served. With `writes`, writes index files
 * instead, and then checks the files of archives for changes until `ending` is true. Failures are reported. */
void serve_files_index(serve_files *files);
/* Returns false if the server is ending. This is a progress callback for indexes; the context is a serve_files. */
bool serve_files_continue(void *context, uint64_t done, uint64_t total);
/* Releases everything. Call it after the archives were closed. */
void serve_files_close(serve_files *files);

/* Adds an uploaded archive. Its index file, if there is one, is next to it. The files must not change. `name` is the
 * name in answers. Returns the number of the archive, or -1 with an error. Only one thread at a time may add archives.
 * */
long serve_files_add(serve_files *files, const char *path, const char *name, serve_fault *fault);
/* Removes an uploaded archive. Returns false if there is no uploaded archive with this number. */
bool serve_files_remove(serve_files *files, long number);

/* Properties of an archive that the command names, to be called before requests are answered: its file, its number of
 * games, whether positions are found slowly. */
const char *serve_files_path(const serve_files *files, size_t index);
uint64_t serve_files_games(const serve_files *files, size_t index);
bool serve_files_slow(const serve_files *files, size_t index);

/* ---- index files (serve_index.c) ---- */

/* Opens the index file of an archive, unless its state is `bad`. Returns false if no index file can be used. With
 * `says`, an index file that cannot be used is reported. */
bool serve_index_open(serve_file *file, const char *path, const serve_state *bad, bool says);
/* Releases the index file, after the archive's index was closed. */
void serve_index_close(serve_file *file);
/* Writes the index file of an archive. Returns false after a message, or if `ending` became true. */
bool serve_index_write(const serve_files *files, const serve_file *file, const char *path);
/* Returns whether another program has changed bytes of the index file that were used. An append in place does not. */
bool serve_index_changed(const serve_archive *archive);
serve_index_roots serve_index_roots_of(const char *path);
bool serve_index_roots_same(const serve_index_roots *a, const serve_index_roots *b);

#endif
