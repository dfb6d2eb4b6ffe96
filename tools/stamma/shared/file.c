/* SPDX-License-Identifier: MIT */
/* A file opened for reading: a path, or standard input. */
#include "shared/pending.h"

/* Measures a regular file from its current offset. The offset of an inherited standard input may be above 0. */
static void measure(tool_file *file, const system_status *status)
{
    const int64_t at = status->kind == SYSTEM_REGULAR ? system_place_of(file->fd) : -1;
    file->regular = at >= 0;
    if (!file->regular)
        return;
    file->base = (uint64_t)at;
    file->size = status->size > file->base ? status->size - file->base : 0;
}

bool tool_file_measure(const char *path, uint64_t *size, bool *regular)
{
    bool standard = strcmp(path, "-") == 0;
    system_status status;
    if (!(standard ? system_status_of(SYSTEM_INPUT, &status) : system_status_at(path, &status)) ||
        (!standard && !system_may_read(path))) {
        tool_say(standard ? "standard input" : path, "%s", strerror(errno));
        return false;
    }
    if (status.kind == SYSTEM_FOLDER) {
        tool_say(standard ? "standard input" : path, "%s", strerror(EISDIR));
        return false;
    }
    *regular = status.kind == SYSTEM_REGULAR;
    *size = *regular ? status.size : 0;
    return true;
}

bool tool_files_measure(char **paths, size_t count, uint64_t *total, bool *regular)
{
    *regular = true;
    *total = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t size;
        bool is_regular;
        if (!tool_file_measure(paths[i], &size, &is_regular))
            return false;
        *regular = *regular && is_regular;
        *total += size;
    }
    if (!*regular)
        *total = 0;
    return true;
}

bool tool_file_open(const char *path, tool_file *file)
{
    bool standard = strcmp(path, "-") == 0;
    tool_file opened = {.name = standard ? "standard input" : path, .fd = SYSTEM_INPUT};
    system_status status;
    if (!standard)
        opened.fd = system_open(path, SYSTEM_READ);
    if (opened.fd < 0 || !system_status_of(opened.fd, &status)) {
        tool_say(opened.name, "%s", strerror(errno));
    } else if (status.kind == SYSTEM_FOLDER) {
        tool_say(opened.name, "%s", strerror(EISDIR));
    } else if (tool_inputs_take(opened.fd, opened.name)) {
        measure(&opened, &status);
        *file = opened;
        return true;
    }
    tool_file_close(&opened);
    return false;
}

static bool may_grow(tool_file *file, const system_status *status, int locked)
{
    tool_file_state state;
    measure(file, status);
    if (locked && file->regular)
        return tool_file_state_read(file->fd, NULL, &state) && tool_inputs_allow(&state, TOOL_INPUT, file->name);
    tool_say(file->name, "%s", locked ? "is not a regular file" : "is being written by another process");
    return false;
}

bool tool_file_open_to_grow(const char *path, tool_file *file)
{
    tool_file opened = {.name = path, .fd = -1};
    system_status status;
    int locked = -1;
    while (locked < 0) {
        tool_file_close(&opened);
        opened.fd = system_open(path, SYSTEM_WRITE | SYSTEM_NO_WAIT);
        if (opened.fd < 0 || !system_status_of(opened.fd, &status)) {
            tool_say(path, "%s", strerror(errno));
            return false;
        }
        locked = tool_file_lock(path, opened.fd);
    }
    if (may_grow(&opened, &status, locked)) {
        *file = opened;
        return true;
    }
    tool_file_close(&opened);
    return false;
}

bool tool_file_borrow(int fd, const char *name, tool_file *file)
{
    system_status status;
    *file = (tool_file){.name = name, .fd = fd, .borrowed = true};
    if (system_seek(fd, 0) && system_status_of(fd, &status))
        measure(file, &status);
    return file->regular;
}

ptrdiff_t tool_file_read(tool_file *file, void *bytes, size_t size)
{
    const ptrdiff_t count = system_read(file->fd, bytes, size);
    if (count >= TOOL_HEAD_SIZE && file->offset == 0)
        memcpy(file->head, bytes, TOOL_HEAD_SIZE);
    if (count >= 0) {
        file->offset += (uint64_t)count;
        return count;
    }
    tool_say(file->name, "%s", strerror(errno));
    file->failed = true;
    return -1;
}

char *tool_file_read_all(tool_file *file, size_t *size)
{
    size_t room = 0;
    char *text = NULL;
    *size = 0;
    for (;;) {
        if (room - *size < 4096) {
            char *grown = realloc(text, room * 2 + 65536);
            if (!grown) {
                (void)tool_fail_memory(file->name);
                break;
            }
            text = grown;
            room = room * 2 + 65536;
        }
        ptrdiff_t count = tool_file_read(file, text + *size, room - *size - 1);
        if (count < 0)
            break;
        *size += (size_t)count;
        text[*size] = 0;
        if (count == 0)
            return text;
    }
    free(text);
    return NULL;
}

bool tool_file_read_at(tool_file *file, uint64_t offset, void *bytes, size_t size)
{
    file->offset = offset;
    for (size_t got = 0; got < size;) {
        const ptrdiff_t count = system_read_at(file->fd, (char *)bytes + got, size - got, file->base + offset + got);
        if (count <= 0) {
            tool_say(file->name, "%s", count < 0 ? strerror(errno) : "became shorter while it was read");
            file->failed = true;
            return false;
        }
        got += (size_t)count;
        file->offset += (uint64_t)count;
    }
    if (offset == 0 && size >= TOOL_HEAD_SIZE)
        memcpy(file->head, bytes, TOOL_HEAD_SIZE);
    return true;
}

static bool read_at(void *context, uint64_t offset, void *bytes, size_t size)
{
    return tool_file_read_at(context, offset, bytes, size);
}

stamma_bytes tool_file_bytes(tool_file *file)
{
    return (stamma_bytes){.size = file->size, .context = file, .read_at = read_at};
}

bool tool_file_seek(tool_file *file, uint64_t offset)
{
    if (!file->regular || offset > INT64_MAX - file->base)
        return false;
    if (!system_seek(file->fd, file->base + offset))
        return false;
    file->offset = offset;
    return true;
}

void tool_file_close(tool_file *file)
{
    if (file->fd > SYSTEM_INPUT && !file->borrowed)
        (void)system_close(file->fd);
    file->fd = -1;
}
