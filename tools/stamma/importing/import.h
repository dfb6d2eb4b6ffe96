/* SPDX-License-Identifier: MIT */
/* Declarations for the files of `stamma import`. */
#ifndef STAMMA_TOOL_IMPORT_H
#define STAMMA_TOOL_IMPORT_H

#include "packing/packing.h"

/* ---- SHA-256 of a file (sha256.c) ---- */

/* Stores the SHA-256 of the bytes of a file in hexadecimal digits, and its size. Returns false after a
 * message. */
bool import_file_hash(const char *path, char hash[TOOL_HASH_SIZE], uint64_t *size);

/* ---- games of Parquet files (import_parquet.c) ---- */

/* Reads the rows of Parquet files as PGN, one file at a time. */
extern const tool_packing_reader import_parquet_reader;

/* ---- the manifest of an archive (import_manifest.c) ---- */

/* The text of ARCHIVE.manifest: a JSON object for each file, one per line. */
typedef struct import_manifest {
    char *path;
    tool_buffer text; /* followed by a NUL */
    bool exists;
} import_manifest;

/* A file whose games were added. */
typedef struct import_entry {
    const char *file;
    const char *source; /* "twic" */
    uint64_t size;
    char hash[TOOL_HASH_SIZE];
    uint64_t added, skipped; /* games */
} import_entry;

/* Reads the manifest next to an archive, if there is one. Close with import_manifest_close, also after a failure. */
bool import_manifest_open(const char *archive, import_manifest *manifest);
/* Returns whether the manifest has a file with this hash. */
bool import_manifest_has(const import_manifest *manifest, const char *hash);
/* Adds a line, with the present time. `state`: the archive after the import. */
bool import_manifest_add(import_manifest *manifest, const import_entry *entry, const stamma_archive_state *state);
/* Removes the lines of imports after which the archive had this state. Returns their number. */
size_t import_manifest_forget(import_manifest *manifest, const stamma_archive_state *state);
/* Replaces the file atomically. */
bool import_manifest_write(const import_manifest *manifest);
void import_manifest_close(import_manifest *manifest);

/* ---- adding the new games of files (import_run.c), for import and update ---- */

/* Set the first members, and zeros. */
typedef struct import_run {
    const char *command;
    const char *source;  /* in the manifest; NULL: none */
    const char *archive; /* is created if it does not exist */
    bool no_index;
    bool makes_index;   /* also writes an index file where there is none */
    bool dry;           /* nothing is written */
    bool dedupes;       /* games that are duplicates by the rules of stamma dedupe are skipped */
    uint64_t different; /* these games, if they are not the same game */
    tool_packing_options packing;
    /* as in tool_packing; NULL: the games are not changed */
    bool (*change)(void *context, struct tool_staged *staged, struct tool_new_games *known, bool *changed);
    void *context;
    /* set by import_run_files */
    tool_packing *packs;   /* during `change` */
    import_entry *entries; /* files that are not in the manifest */
    char **files;          /* their paths */
    size_t count;
    size_t known;            /* files that the manifest has */
    uint64_t added, skipped; /* games of all files */
    uint64_t games;          /* in the archive afterwards */
    /* private */
    int strict_status;
    import_manifest manifest;
    tool_output *made; /* the archive, if it did not exist */
    FILE *empty;       /* with `dry`: an archive without games, if there is no archive */
    bool complete;     /* all games are in the archive */
} import_run;

/* Adds the games of the files that the archive does not contain. Files in the manifest are skipped. Returns an exit
 * status. Call import_run_close in any case. */
int import_run_files(import_run *run, char **files, size_t count);
void import_run_close(import_run *run);
/* Stores the state of an archive in an open file. Returns false after a message. */
bool import_state_read(int fd, const char *name, stamma_archive_state *state);

/* ---- the addresses of files (import_addresses.c) ---- */

typedef enum import_source {
    IMPORT_LICHESS,
    IMPORT_CHESS_COM,
    IMPORT_TWIC,
    IMPORT_LICHESS_PARQUET /* files whose addresses are not known */
} import_source;

/* Values of options; NULL: not given. */
typedef struct import_wanted {
    import_source source;
    const char *user, *since, *until, *issue;
} import_wanted;

/* Reads the name of a source. Returns false after a message. */
bool import_source_read(const char *name, import_source *source);
/* Prints the address of each file and a name for it, separated by a tab. Returns an exit status. */
int import_addresses_print(const import_wanted *wanted);

#endif
