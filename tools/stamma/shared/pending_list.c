/* SPDX-License-Identifier: MIT */
/* The list of pending files. Nothing unfinished outlives the program, neither after an error nor after a signal. */
#include "shared/pending.h"

#include <pthread.h>

/* The signal handler reads the list. The mutex excludes the threads of `stamma serve`, which block signals. */
static tool_pending *volatile first;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

/* The functions below are called by the signal handler: they call only functions that are safe there. */

/* Prints how to resume. Ignores a failure to print. */
static void say_that_it_stays(const tool_pending *p)
{
    (void)system_write(SYSTEM_ERRORS, p->words, strlen(p->words));
}

/* Deletes a placed file if its name was not passed to another file. It is still locked. */
static void delete_placed(const tool_pending *p)
{
    system_status ours, named;
    if (system_status_of(p->fd, &ours) && system_status_at(p->path, &named) && system_same_file(&ours, &named))
        (void)system_delete(p->path);
}

/* Returns false if the bytes after the end of a growing file could not be removed. They are still not part of the
 * archive. */
static bool undo(const tool_pending *p)
{
    switch (p->state) {
    case TOOL_PENDING_NEW:
    case TOOL_PENDING_PARTIAL: (void)system_delete(p->temporary); return true;
    case TOOL_PENDING_PLACED: delete_placed(p); return true;
    case TOOL_PENDING_GROWING: break;
    }
    return system_truncate(p->fd, p->size);
}

/* Ends all pending files. */
static void end_all(void)
{
    for (tool_pending *p = first; p; p = p->next) {
        if (p->on_signal == TOOL_END_SAY)
            say_that_it_stays(p);
        else if (p->on_signal == TOOL_END_UNDO)
            (void)undo(p);
    }
}

/* ---- the list ---- */

void tool_pending_watch(void)
{
    system_signals_watch(end_all);
}

void tool_pending_hold(system_held *before)
{
    system_signals_hold(before);
    (void)pthread_mutex_lock(&list_lock);
}

void tool_pending_release(const system_held *before)
{
    const int kept = errno;
    (void)pthread_mutex_unlock(&list_lock);
    system_signals_release(before);
    errno = kept;
}

void tool_pending_add(tool_pending *p)
{
    p->next = first;
    first = p;
}

void tool_pending_drop(tool_pending *p)
{
    tool_pending *before = first;
    if (before == p) {
        first = p->next;
        return;
    }
    while (before && before->next != p)
        before = before->next;
    if (before)
        before->next = p->next;
}

void tool_pending_undo(tool_pending *p)
{
    if (p->on_error == TOOL_END_UNDO && undo(p) && p->state == TOOL_PENDING_GROWING)
        (void)system_sync(p->fd);
    p->on_error = p->on_signal = TOOL_END_LEAVE;
}

void tool_pending_undo_all(void)
{
    system_held before;
    tool_pending_hold(&before);
    for (tool_pending *p = first; p; p = p->next)
        tool_pending_undo(p);
    tool_pending_release(&before);
}

static bool has_same_name(const tool_pending *p, const tool_pending *other)
{
    return strcmp(p->path, other->path) == 0 || (p->replaces && tool_file_state_same(&p->seen, &other->seen));
}

bool tool_pending_unique(const tool_pending *p)
{
    system_held before;
    bool right = true;
    tool_pending_hold(&before);
    for (const tool_pending *other = first; other && right; other = other->next)
        right = !has_same_name(p, other);
    tool_pending_release(&before);
    if (!right)
        tool_say(p->name, "is another output of this command, too");
    return right;
}

bool tool_pending_readable(const tool_file_state *file, const char *name)
{
    const tool_role role = tool_inputs_role(file);
    system_held before;
    bool right = true;
    tool_pending_hold(&before);
    for (const tool_pending *p = first; p && right; p = p->next) {
        const bool rewritten = p->replaces && role != TOOL_INPUT && role == p->role;
        right = rewritten || !tool_file_state_same(&p->seen, file);
    }
    tool_pending_release(&before);
    if (!right)
        tool_say(name, "is an output of this command, and cannot also be its input");
    return right;
}
