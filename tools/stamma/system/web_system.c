/* SPDX-License-Identifier: MIT */
/* The system of the module for WebAssembly: it has memory, a clock and messages, and no files, signals and processes.
 * Functions of files fail with ENOSYS. Functions that no part of the module calls are omitted. */
#define _POSIX_C_SOURCE 200809L /* for open_memstream */
#include "system/system.h"

#include <errno.h>
#include <stdlib.h>

static bool fail(void)
{
    errno = ENOSYS;
    return false;
}

/* ---- files ---- */

bool system_status_of(int file, system_status *status)
{
    (void)file;
    *status = (system_status){SYSTEM_OTHER, .size = 0};
    return fail();
}

bool system_status_at(const char *path, system_status *status)
{
    (void)path;
    *status = (system_status){SYSTEM_OTHER, .size = 0};
    return fail();
}

bool system_same_file(const system_status *a, const system_status *b)
{
    return a->device == b->device && a->file == b->file;
}

bool system_delete(const char *path)
{
    (void)path;
    return fail();
}

bool system_truncate(int file, uint64_t size)
{
    (void)file;
    (void)size;
    return fail();
}

bool system_sync(int file)
{
    (void)file;
    return fail();
}

bool system_is_terminal(int file)
{
    (void)file;
    return false;
}

/* ---- memory ---- */

bool system_text_open(system_text *text)
{
    *text = (system_text){.stream = NULL};
    text->stream = open_memstream(&text->text, &text->size);
    return text->stream != NULL;
}

bool system_text_close(system_text *text)
{
    const bool failed = ferror(text->stream) != 0;
    if (fclose(text->stream) == 0 && !failed && text->text) /* NULL if glibc had no memory for the last byte */
        return true;
    free(text->text);
    text->text = NULL;
    return false;
}

/* ---- signals ---- */

void system_signals_hold(system_held *before)
{
    *before = (system_held){{0}};
}

void system_signals_release(const system_held *before)
{
    (void)before;
}

void system_output_failed(int error)
{
    (void)error;
}
