/* SPDX-License-Identifier: MIT */
/* The library in WebAssembly: functions that JavaScript calls, and functions of JavaScript that they call. bindings/web
 * has the JavaScript of both. Offsets and sizes of files are doubles, which are exact up to 2^53.
 *
 * Bytes come from *sources* and go to *sinks*, which JavaScript has under numbers. A function of JavaScript that reads
 * must return the bytes at once: in a worker, the synchronous reads of files and of ranges of addresses do. */
#ifndef STAMMA_WEB_MODULE_H
#define STAMMA_WEB_MODULE_H

#include "answering/serve_answers.h"

#ifdef __wasm__
#define WEB_IMPORT(name) __attribute__((import_module("stamma"), import_name(#name))) web_##name
#define WEB_EXPORT(name) __attribute__((export_name(#name))) web_##name
#else /* only compiled, to find errors */
#define WEB_IMPORT(name) web_##name
#define WEB_EXPORT(name) web_##name
#endif

/* ---- functions of JavaScript ---- */

/* Reads `size` bytes of a source at an offset. Returns 0 after an error. */
int WEB_IMPORT(read)(int source, double offset, void *bytes, size_t size);
/* Writes to a sink. Returns 0 after an error. */
int WEB_IMPORT(write)(int sink, const void *bytes, size_t size);
/* Reports the work that is done, and all work (0: unknown). Returns 0 to stop. */
int WEB_IMPORT(progress)(double done, double total);
/* Begins an answer: status and headers as in HTTP; a header may be NULL. */
void WEB_IMPORT(begin)(int status, const char *type, const char *disposition);
/* Sends a piece of an answer. Returns 0 if nobody waits for it any more. */
int WEB_IMPORT(piece)(const void *bytes, size_t size);
/* Returns whether nobody waits for the answer any more. */
int WEB_IMPORT(is_gone)(void);

/* ---- shared parts (web_module.c) ---- */

typedef struct web_source {
    int number; /* of JavaScript; -1: none */
    stamma_bytes bytes;
} web_source;

extern serve web_server;
/* Whether weights were needed while there were none (web_weights.c). */
extern bool web_weights_missed;

/* Sets the bytes of a source. */
void web_source_open(web_source *source, int number, double size);
/* Returns an output that writes to a sink. */
stamma_output web_output(int *sink);
/* Reports progress to JavaScript: the callback of the library's functions. */
bool web_continue(void *context, uint64_t done, uint64_t total);

/* Uses the counts that were set for the archive that is added next (web_counts.c). */
void web_counts_take(serve_archive *archive);

#endif
