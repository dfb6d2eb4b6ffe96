/* SPDX-License-Identifier: MIT */
/* Uploads. An upload has a private folder with its archive and index file. The names of its files are fixed; names from
 * a client are only displayed. */
#ifndef STAMMA_SERVE_UPLOADS_H
#define STAMMA_SERVE_UPLOADS_H

#include "serving/server.h"

typedef struct serve_uploads serve_uploads;

enum { SERVE_UPLOADS_MAX = 16 }; /* uploaded archives at a time */

/* Creates a private folder in options->uploads. Returns NULL after a message. */
serve_uploads *serve_uploads_open(const serve_options *options);
/* Ends the processes of uploads, and deletes all files. Nothing is created any more. Accepts NULL, like the following
 * function. */
void serve_uploads_stop(serve_uploads *uploads);
void serve_uploads_close(serve_uploads *uploads);

/* ---- one upload ---- */

typedef struct serve_upload_entry {
    bool used;
    long archive;           /* its number; -1 while it is made */
    uint64_t size;          /* bytes of the archive and its index file */
    system_process process; /* makes it */
    char folder[SYSTEM_PATH_SIZE];
} serve_upload_entry;

/* ---- folders and processes (serve_uploads.c) ---- */

/* Creates an empty folder. Returns NULL with an error if there are too many uploads, or if too many are being made. */
serve_upload_entry *upload_begin(serve_uploads *uploads, serve_fault *fault);
/* Ends the process of the upload, and deletes its files. */
void upload_drop(serve_uploads *uploads, serve_upload_entry *entry);
/* Starts this program with a command that makes a file of the upload. `messages` is a file for standard error. Returns
 * false with an error. */
bool upload_start(serve_uploads *uploads, serve_upload_entry *entry, const char *const *arguments, int input,
                  int messages, serve_fault *fault);
/* Returns whether the process has ended, and stores whether it succeeded. */
bool upload_has_ended(serve_uploads *uploads, serve_upload_entry *entry, bool *right);
/* Kills the process. */
void upload_kill(serve_uploads *uploads, serve_upload_entry *entry);
/* Returns the maximum size of the upload in bytes: the limit, less the size of all other uploads. */
uint64_t upload_room(serve_uploads *uploads, const serve_upload_entry *entry);
/* Returns the bytes of all files of the upload. */
uint64_t upload_size(const serve_upload_entry *entry);
/* Adds the complete archive to those that are served; its client may then close it. Returns its number, or -1 with an
 * error. */
long upload_publish(serve_uploads *uploads, serve_upload_entry *entry, serve_files *files, const char *path,
                    const char *name, serve_fault *fault);
/* Removes an uploaded archive from those that are served, and deletes its files. Returns false if there is none. */
bool upload_remove(serve_uploads *uploads, serve_files *files, long archive);
const serve_options *upload_options(const serve_uploads *uploads);

#endif
