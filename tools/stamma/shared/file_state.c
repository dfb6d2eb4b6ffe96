/* SPDX-License-Identifier: MIT */
/* States of files, which show whether another process has changed a file, and locks. */
#include "shared/pending.h"

/* Reads the last bytes, which are compared only with the last bytes of files of the same size. */
static void read_end(int fd, tool_file_state *state)
{
    const uint64_t first = state->size > TOOL_STATE_END ? state->size - TOOL_STATE_END : 0;
    if (system_read_at(fd, state->end, sizeof state->end, first) < 0)
        memset(state->end, 0, sizeof state->end);
}

bool tool_file_state_read(int fd, const char *path, tool_file_state *state)
{
    system_status status;
    *state = (tool_file_state){.size = 0};
    if (!(fd >= 0 ? system_status_of(fd, &status) : system_status_at(path, &status)) || status.kind != SYSTEM_REGULAR)
        return false;
    state->device = status.device;
    state->inode = status.file;
    state->size = status.size;
    state->changed = status.changed;
    if (fd >= 0)
        read_end(fd, state);
    return true;
}

bool tool_file_state_same(const tool_file_state *a, const tool_file_state *b)
{
    return system_same_file(&(system_status){.device = a->device, .file = a->inode},
                            &(system_status){.device = b->device, .file = b->inode});
}

bool tool_file_state_equal(const tool_file_state *a, const tool_file_state *b)
{
    return tool_file_state_same(a, b) && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec && memcmp(a->end, b->end, sizeof a->end) == 0;
}

int tool_file_lock(const char *path, int fd)
{
    system_status ours, named;
    if (!system_lock(fd))
        return 0;
    const bool same = system_status_of(fd, &ours) && system_status_at(path, &named) && system_same_file(&ours, &named);
    return same ? 1 : -1;
}
