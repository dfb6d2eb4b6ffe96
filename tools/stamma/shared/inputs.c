/* SPDX-License-Identifier: MIT */
/* The regular files that the command has read. They are not replaced, except those that the command rewrites. */
#include "shared/pending.h"

#include <pthread.h>

typedef struct input_entry {
    tool_file_state state; /* when it was added: before it was read */
    tool_role role;
} input_entry;

/* `stamma serve` writes an index in a thread. */
static struct {
    pthread_mutex_t lock;
    input_entry *list;
    size_t count, room;
} inputs = {.lock = PTHREAD_MUTEX_INITIALIZER};

static input_entry *find(const tool_file_state *file)
{
    for (size_t n = 0; n < inputs.count; n++)
        if (tool_file_state_same(&inputs.list[n].state, file))
            return &inputs.list[n];
    return NULL;
}

static bool add(const tool_file_state *file, tool_role role)
{
    (void)pthread_mutex_lock(&inputs.lock);
    bool right = find(file) || tool_list_grow(&inputs.list, &inputs.room, inputs.count, 1, sizeof *inputs.list);
    if (right && !find(file))
        inputs.list[inputs.count++] = (input_entry){*file, role};
    (void)pthread_mutex_unlock(&inputs.lock);
    return right;
}

/* Stores a copy of the entry of a file. Returns false if the file has no entry. */
static bool look(const tool_file_state *file, input_entry *entry)
{
    (void)pthread_mutex_lock(&inputs.lock);
    const input_entry *found = find(file);
    if (found)
        *entry = *found;
    (void)pthread_mutex_unlock(&inputs.lock);
    return found != NULL;
}

bool tool_inputs_note(const char *path, tool_role role)
{
    tool_file_state state;
    if (strcmp(path, "-") == 0)
        return !tool_file_state_read(SYSTEM_INPUT, NULL, &state) || add(&state, role);
    if (!tool_file_state_read(-1, path, &state))
        return true;
    const int fd = system_open(path, SYSTEM_READ | SYSTEM_NO_WAIT);
    bool regular = fd < 0 || tool_file_state_read(fd, NULL, &state);
    if (fd >= 0)
        (void)system_close(fd);
    return !regular || add(&state, role);
}

bool tool_inputs_note_all(char **paths, size_t count, tool_role role)
{
    bool right = true;
    for (size_t n = 0; n < count && right; n++)
        right = tool_inputs_note(paths[n], role);
    return right;
}

bool tool_inputs_take(int fd, const char *name)
{
    tool_file_state state;
    return !tool_file_state_read(fd, NULL, &state) || (tool_pending_readable(&state, name) && add(&state, TOOL_INPUT));
}

void tool_inputs_forget(int fd)
{
    tool_file_state state;
    if (!tool_file_state_read(fd, NULL, &state))
        return;
    (void)pthread_mutex_lock(&inputs.lock);
    input_entry *found = find(&state);
    if (found)
        *found = inputs.list[--inputs.count];
    (void)pthread_mutex_unlock(&inputs.lock);
}

bool tool_inputs_allow(const tool_file_state *file, tool_role role, const char *name)
{
    input_entry entry;
    if (!look(file, &entry) || (role != TOOL_INPUT && entry.role == role))
        return true;
    tool_say(name, "is an input of this command, and cannot also be its output");
    return false;
}

bool tool_inputs_check(const char *path, tool_role role)
{
    tool_file_state state;
    return !tool_file_state_read(-1, path, &state) || tool_inputs_allow(&state, role, path);
}

bool tool_inputs_changed(const tool_file_state *file)
{
    input_entry entry;
    return look(file, &entry) && !tool_file_state_equal(&entry.state, file);
}

tool_role tool_inputs_role(const tool_file_state *file)
{
    input_entry entry;
    return look(file, &entry) ? entry.role : TOOL_INPUT;
}
