/* SPDX-License-Identifier: MIT */
/* Output files. A regular file appears, or grows, only when everything is written (pending.h). Standard output, devices
 * and pipes are written directly. */
#include "shared/pending.h"

#define CHUNK ((size_t)256 * 1024)

struct tool_output {
    char *name;         /* the name in messages */
    tool_pending *file; /* NULL: written directly */
    int fd;
    bool terminal; /* text for a terminal: control characters are replaced */
    bool failed;
    uint64_t old_size; /* size after the last cut */
    uint64_t least;    /* smallest size that a cut may produce */
    size_t size;       /* bytes waiting in `bytes` */
    uint8_t bytes[CHUNK];
};

static bool fail(tool_output *output)
{
    if (!output->failed)
        tool_say(output->name, "%s", strerror(errno));
    output->failed = true;
    return false;
}

/* ---- opening ---- */

/* Opens a descriptor, a device or a pipe, unless it is an input: opening it would truncate it. */
static bool open_directly(tool_output *output, const char *path)
{
    if (!tool_inputs_check(path, TOOL_INPUT))
        return false;
    output->fd = system_open(path, SYSTEM_TRUNCATE);
    return output->fd >= 0 || fail(output);
}

static bool open_standard(tool_output *output, bool force)
{
    tool_file_state state;
    output->fd = SYSTEM_OUTPUT;
    output->terminal = !force && system_is_terminal(SYSTEM_OUTPUT);
    return !tool_file_state_read(SYSTEM_OUTPUT, NULL, &state) || tool_inputs_allow(&state, TOOL_INPUT, output->name);
}

static bool open_path(tool_output *output, const char *path, tool_pending_state state, bool force, tool_role role)
{
    system_status status;
    const bool reached = system_status_at(path, &status);
    if (reached && status.kind == SYSTEM_FOLDER) {
        errno = EISDIR;
        return fail(output);
    }
    if (system_is_descriptor(path) || (reached && status.kind != SYSTEM_REGULAR))
        return open_directly(output, path);
    output->file = tool_pending_open(path, state, force, role);
    output->fd = output->file ? output->file->fd : -1;
    return output->file != NULL;
}

static tool_output *make(const char *name)
{
    tool_output *output = malloc(sizeof *output);
    char *copy = strdup(name);
    if (!output || !copy) {
        (void)tool_fail_memory(name);
        free(output);
        free(copy);
        return NULL;
    }
    memset(output, 0, offsetof(tool_output, bytes));
    output->name = copy;
    output->fd = -1;
    return output;
}

static tool_output *open_output(const char *path, tool_pending_state state, bool force, tool_role role)
{
    const bool standard = strcmp(path, "-") == 0 || system_is_standard_output(path);
    tool_output *output = make(standard ? "standard output" : path);
    if (!output || (standard ? open_standard(output, force) : open_path(output, path, state, force, role)))
        return output;
    tool_output_close(output);
    return NULL;
}

bool tool_output_fits(const char *command, const char *what, const char *out, bool force)
{
    const bool terminal = out && strcmp(out, "-") == 0 && system_is_terminal(SYSTEM_OUTPUT);
    if (terminal && !force)
        tool_say(NULL, "%s: %s is not written to a terminal; use -o for a file, or -f to write it anyway", command,
                 what);
    return !terminal || force;
}

tool_output *tool_output_open(const char *path, bool force)
{
    return open_output(path, TOOL_PENDING_NEW, force, TOOL_INPUT);
}

tool_output *tool_output_rewrite(const char *path, bool force, tool_role role)
{
    return open_output(path, TOOL_PENDING_NEW, force, role);
}

tool_output *tool_output_open_partial(const char *path, bool force)
{
    return open_output(path, TOOL_PENDING_PARTIAL, force, TOOL_INPUT);
}

/* ---- writing ---- */

/* Text on a terminal goes through the filter of tool_print_bytes. */
static bool write_terminal(tool_output *output, const uint8_t *bytes, size_t size)
{
    tool_print_bytes((const char *)bytes, size);
    return fflush(stdout) == 0 || fail(output);
}

static bool write_out(tool_output *output, const uint8_t *bytes, size_t size)
{
    if (output->terminal)
        return write_terminal(output, bytes, size);
    return system_write(output->fd, bytes, size) || fail(output);
}

static bool flush(tool_output *output)
{
    size_t size = output->size;
    output->size = 0;
    return write_out(output, output->bytes, size);
}

bool tool_output_write(tool_output *output, const void *bytes, size_t size)
{
    if (output->failed)
        return false;
    if (size > CHUNK - output->size && !flush(output))
        return false;
    if (size >= CHUNK)
        return write_out(output, bytes, size);
    memcpy(output->bytes + output->size, bytes, size);
    output->size += size;
    return true;
}

bool tool_output_take_printed(tool_output *output)
{
    tool_print_name(output->name);
    tool_print_redirected();
    return output->fd == SYSTEM_OUTPUT || system_redirect(output->fd, SYSTEM_OUTPUT) || fail(output);
}

/* ---- resumed and appended files ---- */

tool_output *tool_output_grow(int fd, const char *name)
{
    tool_output *output = make(name);
    if (!output)
        return NULL;
    output->fd = fd;
    output->file = tool_pending_grow(fd, name);
    if (output->file)
        return output;
    tool_output_close(output);
    return NULL;
}

static bool is(const tool_output *output, tool_pending_state state)
{
    return output->file && output->file->state == state;
}

bool tool_output_left(tool_output *output, tool_file *file)
{
    return is(output, TOOL_PENDING_PARTIAL) && tool_file_borrow(output->fd, output->file->temporary, file) &&
           file->size > 0;
}

void tool_output_resume(tool_output *output, uint64_t least)
{
    output->least = least;
    tool_pending_keep(output->file, true);
}

void tool_output_committed(tool_output *output, bool stays)
{
    if (output->file)
        tool_pending_keep(output->file, stays);
}

bool tool_output_cut(void *context, uint64_t size)
{
    tool_output *output = context;
    if (size < output->least && is(output, TOOL_PENDING_GROWING))
        tool_say(output->name, "the interrupted run had other input; -f starts again");
    else if (size < output->least)
        tool_say(output->name, "%s was written from other input; -f starts again", output->file->temporary);
    if (size < output->least)
        output->failed = true;
    if (output->failed || !flush(output))
        return false;
    if (!tool_pending_cut(output->file, size))
        return fail(output);
    output->old_size = size;
    return true;
}

uint64_t tool_output_kept(const tool_output *output)
{
    return output->old_size;
}

/* ---- the end ---- */

static bool close_directly(tool_output *output)
{
    int fd = output->fd;
    output->fd = -1;
    return fd <= SYSTEM_ERRORS || system_close(fd);
}

bool tool_output_finish(tool_output *output)
{
    if (output->failed || !flush(output))
        return false;
    if (!output->file)
        return close_directly(output) || fail(output);
    output->failed = !tool_pending_finish(output->file, false);
    return !output->failed;
}

bool tool_output_place(tool_output *output, tool_file *file)
{
    if (output->failed || !flush(output))
        return false;
    output->failed = !tool_pending_finish(output->file, true);
    return !output->failed && tool_file_borrow(output->fd, output->name, file);
}

void tool_output_settle(tool_output *output)
{
    tool_pending_settle(output->file);
}

void tool_output_close(tool_output *output)
{
    if (!output)
        return;
    if (output->file)
        tool_pending_close(output->file);
    else
        (void)close_directly(output);
    free(output->name);
    free(output);
}

bool tool_output_failed(const tool_output *output)
{
    return output->failed;
}

const char *tool_output_name(const tool_output *output)
{
    return output->name;
}

bool tool_output_written(tool_output *output, tool_file *file)
{
    if (output->failed || !flush(output))
        return false;
    return (tool_file_borrow(output->fd, output->name, file) && system_seek_end(output->fd)) || fail(output);
}

static bool write_callback(void *context, const void *bytes, size_t size)
{
    return tool_output_write(context, bytes, size);
}

/* Makes commits durable, so that a later run finds them. */
static bool sync_callback(void *context)
{
    tool_output *output = context;
    if (output->failed || !flush(output))
        return false;
    return tool_pending_sync(output->file) || fail(output);
}

stamma_output tool_output_callbacks(tool_output *output)
{
    /* no sync for a file that no run can resume */
    const bool syncs = is(output, TOOL_PENDING_PARTIAL) || is(output, TOOL_PENDING_GROWING);
    return (stamma_output){output, write_callback, syncs ? sync_callback : NULL};
}

bool tool_output_is_file(const tool_output *output)
{
    return output->file != NULL;
}
