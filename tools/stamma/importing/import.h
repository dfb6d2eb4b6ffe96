/* SPDX-License-Identifier: MIT */
/* Declarations for the files of `stamma import`. */
#ifndef STAMMA_TOOL_IMPORT_H
#define STAMMA_TOOL_IMPORT_H

#include "shared/tool.h"

/* ---- SHA-256 of a file (sha256.c) ---- */

/* Stores the SHA-256 of the bytes of a file in hexadecimal digits, and its size. Returns false after a
 * message. */
bool import_file_hash(const char *path, char hash[TOOL_HASH_SIZE], uint64_t *size);

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
/* Adds a line, with the present time. */
bool import_manifest_add(import_manifest *manifest, const import_entry *entry);
/* Replaces the file atomically. */
bool import_manifest_write(const import_manifest *manifest);
void import_manifest_close(import_manifest *manifest);

/* ---- the addresses of files (import_addresses.c) ---- */

typedef enum import_source { IMPORT_LICHESS, IMPORT_CHESS_COM, IMPORT_TWIC } import_source;

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
