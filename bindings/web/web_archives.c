/* SPDX-License-Identifier: MIT */
/* Archives that answer requests, their indexes and their texts. Functions return an error of the library as a negative
 * number. */
#include "web/web_module.h"

enum { NEEDS_WEIGHTS = 100 }; /* an error that is none of the library */

typedef struct web_archive {
    serve_archive archive; /* must be first */
    web_source file, index, pages;
    char name[];
} web_archive;

static void close_archive(serve_archive *archive)
{
    serve_archive_close(archive);
    stamma_pages_close(archive->pages);
    free(archive);
}

static stamma_error use_index(web_archive *a)
{
    return a->index.bytes.size > 0 ? stamma_archive_use_index(a->archive.handle, &a->index.bytes) : STAMMA_OK;
}

static stamma_error use_pages(web_archive *a)
{
    const bool has = a->pages.bytes.size > 0;
    return has ? stamma_pages_open(&a->pages.bytes, &a->file.bytes, NULL, &a->archive.pages) : STAMMA_OK;
}

/* Adds an archive. A source of size 0 does not exist. `made`: the user has opened the file in the page, as an upload of
 * the server. Returns the number of the archive, -100 if it needs weights and there are none, or another error. */
int WEB_EXPORT(add)(const char *name, int made, int file, double size, int index, double index_size, int pages,
                    double pages_size)
{
    web_archive *a = calloc(1, sizeof *a + strlen(name) + 1);
    stamma_place place;
    if (!a)
        return -(int)STAMMA_ERROR_NO_MEMORY;
    memcpy(a->name, name, strlen(name) + 1);
    web_source_open(&a->file, file, size);
    web_source_open(&a->index, index, index_size);
    web_source_open(&a->pages, pages, pages_size);
    const long number = (long)atomic_load(&web_server.archives.count);
    a->archive = (serve_archive){
        .number = number, .name = a->name, .bytes = a->file.bytes, .uploaded = made != 0, .close = close_archive};
    web_counts_take(&a->archive);
    web_weights_missed = false;
    stamma_error error = serve_archive_open(&a->archive, NULL, &place);
    if (!error)
        error = use_index(a);
    if (!error)
        error = use_pages(a);
    if (web_weights_missed || error) {
        close_archive(&a->archive);
        return web_weights_missed ? -NEEDS_WEIGHTS : -(int)error;
    }
    serve_archives_add(&web_server.archives, &a->archive, a->name);
    return (int)number;
}

/* Removes an archive. Returns 0 if there is none with this number. */
int WEB_EXPORT(remove)(int number)
{
    return number >= 0 && serve_archives_remove(&web_server.archives, (size_t)number);
}

/* Uses the index file of a source for an archive. Returns 0, or an error. */
int WEB_EXPORT(use_index)(int number, int index, double size)
{
    serve_archive *a = serve_archives_hold(&web_server.archives, (size_t)number);
    if (!a)
        return -(int)STAMMA_ERROR_BAD_ARGUMENT;
    web_archive *w = (web_archive *)a;
    web_source_open(&w->index, index, size);
    const stamma_error error = use_index(w);
    serve_archives_let_go(&web_server.archives, a);
    return -(int)error;
}

/* Makes an index in memory for an archive without one. Returns 0, or an error. */
int WEB_EXPORT(keep_index)(int number)
{
    const stamma_index_keep_options options = {.size = sizeof options, .progress = web_continue};
    serve_archive *a = serve_archives_hold(&web_server.archives, (size_t)number);
    if (!a)
        return -(int)STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_error error = stamma_archive_keep_index(a->handle, &options);
    serve_archives_let_go(&web_server.archives, a);
    return -(int)error;
}

/* Writes an index file of an archive to a sink. Returns 0, or an error. */
int WEB_EXPORT(write_index)(int number, int sink)
{
    const stamma_index_write_options options = {.size = sizeof options, .progress = web_continue};
    const stamma_output output = web_output(&sink);
    serve_archive *a = serve_archives_hold(&web_server.archives, (size_t)number);
    if (!a)
        return -(int)STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_error error = stamma_index_write(a->handle, &options, &output);
    serve_archives_let_go(&web_server.archives, a);
    return -(int)error;
}

/* ---- texts ---- */

/* Writes the text of an archive to a sink. Returns 0, or an error. */
int WEB_EXPORT(unpack)(int number, int sink)
{
    const stamma_output output = web_output(&sink);
    stamma_archive_reader *reader = NULL;
    serve_archive *a = serve_archives_hold(&web_server.archives, (size_t)number);
    if (!a)
        return -(int)STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_archive_reader_open(a->handle, NULL, &reader);
    if (!error)
        error = stamma_archive_reader_unpack(reader, &output);
    stamma_archive_reader_close(reader);
    serve_archives_let_go(&web_server.archives, a);
    return -(int)error;
}

/* Returns the text of an error, as functions of this file return it. */
const char *WEB_EXPORT(error_text)(int error)
{
    return error == -NEEDS_WEIGHTS ? "the weights of the predictor are needed"
                                   : stamma_error_text((stamma_error)-error);
}
