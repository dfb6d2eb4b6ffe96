/* SPDX-License-Identifier: MIT */
/* Static sites: folders with the page, the module for browsers, archives, their index files and their pages.
 *
 * A site has these files. Names in `data` contain a hash of the contents, so they can be cached without limit.
 *
 *   data/HASH.stamma ...   archives, index files and files of pages, or folders with their pieces
 *   stamma/                the module (bindings/web)
 *   *.js, *.css, ...       the page (web)
 *   statistics.html        counts, readable without scripts
 *   manifest.webmanifest, service_worker.js, site.json, and at last index.html */
#ifndef STAMMA_SITE_H
#define STAMMA_SITE_H

#include "shared/tool.h"

enum { SITE_PIECE = 1 << 18, SITE_HASH_SIZE = 17 };

/* How a file of the site is used. */
typedef enum site_kind {
    SITE_DATA,    /* an archive, an index file, or pages */
    SITE_SHELL,   /* a file that the page needs to work offline */
    SITE_WEIGHTS, /* the predictor's weights, which are loaded when they are needed */
    SITE_ENTRY    /* made by the command; written after the others, in this order */
} site_kind;

typedef struct site_file {
    char *path; /* relative to the folder */
    site_kind kind;
    const void *bytes;
    size_t size;
    void *owned;        /* released with the list; NULL: the bytes belong to others */
    tool_mapped mapped; /* closed with the list, if `bytes` is not NULL */
    bool in_pieces;
    char hash[SITE_HASH_SIZE];
} site_file;

/* An archive of the site. Files are numbers in the list; -1: there is none. */
typedef struct site_archive {
    const char *path;
    int file, index, pages;
    stamma_archive_counts counts;
    bool is_timed; /* has TimeControl tags */
} site_archive;

typedef struct site {
    const char *folder, *title, *author, *licence, *module;
    bool no_weights, in_pieces, dry_run, quiet;
    site_archive *archives;
    size_t archive_count;
    stamma_stats *stats;
    stamma_executor executor;
    site_file *files;
    size_t file_count, file_room;
} site;

/* ---- the list of files (site_files.c) ---- */

/* Adds a file. `owned` is released with the list, also after a failure. Returns its number, or -1 after a message. */
int site_add(site *s, const char *path, site_kind kind, const void *bytes, size_t size, void *owned);
/* Adds a file of the machine. Its name in the site is `path`; with NULL, it is named after its hash, with an ending. */
int site_add_file(site *s, const char *path, site_kind kind, const char *from, const char *ending);
/* Adds what was printed to a buffer, which is emptied. */
bool site_add_printed(site *s, const char *path, tool_buffer *buffer);
void site_close_files(site *s);
/* Writes the beginning of the SHA-256 of bytes in hexadecimal digits. */
void site_hash(const void *bytes, size_t size, char hash[SITE_HASH_SIZE]);
/* Returns a file by its name, or NULL. */
const site_file *site_find(const site *s, const char *path);

/* ---- the folder (site_folder.c) ---- */

/* Returns whether the folder can receive a site: it does not exist, is empty, or has a site. Otherwise prints why not.
 */
bool site_folder_fits(const char *folder);
/* Writes the files that are not there with the same bytes, the entry last, and deletes data that no file of the list
 * is. Stores the bytes that were written. Returns false after a message. */
bool site_folder_write(const site *s, uint64_t *written);

/* ---- the files that the command makes ---- */

/* Adds the page and the files that it needs to be a site (site_page.c). */
bool site_add_page(site *s);
/* Adds statistics.html (site_statistics.c). */
bool site_add_statistics(site *s);

#endif
