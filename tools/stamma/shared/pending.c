/* SPDX-License-Identifier: MIT */
/* Pending files; see pending.h. */
#include "shared/pending.h"

static bool fail(const tool_pending *p)
{
    tool_say(p->name, "%s", strerror(errno));
    return false;
}

/* ---- names ---- */

/* Returns a text that the caller releases. Returns NULL, with errno set, if memory is exhausted or the text is longer
 * than a path. */
static char *join(const char *begin, size_t size, const char *end)
{
    const size_t more = strlen(end) + 1;
    char *text = size + more > SYSTEM_PATH_SIZE ? NULL : malloc(size + more);
    if (size + more > SYSTEM_PATH_SIZE)
        errno = ENAMETOOLONG;
    if (text) {
        memcpy(text, begin, size);
        memcpy(text + size, end, more);
    }
    return text;
}

/* Sets the temporary name. */
static bool name_temporary(tool_pending *p)
{
    const size_t size = (size_t)(system_base_name(p->path) - p->path);
    if (*p->path == 0) {
        errno = ENOENT;
        return false;
    }
    if (p->state == TOOL_PENDING_PARTIAL)
        p->temporary = join(p->path, strlen(p->path), ".partial");
    else
        p->temporary = join(p->path, size, ".stamma-XXXXXX");
    return p->temporary != NULL;
}

/* ---- files that are replaced ---- */

/* Reads the state of the file that `path` names now. Returns false if this file is not `target`. */
static bool read_named(const tool_pending *p, tool_file_state *now)
{
    tool_file_state named;
    return tool_file_state_read(-1, p->path, &named) && tool_file_state_read(p->target, p->path, now) &&
           tool_file_state_same(&named, now);
}

/* Opens and locks the file that will be replaced. A file that cannot be opened has no lock. Returns false if another
 * process has the lock. */
static bool lock_target(tool_pending *p)
{
    for (;;) {
        p->target = system_open(p->path, SYSTEM_WRITE | SYSTEM_NO_WAIT | SYSTEM_NO_FOLLOW);
        if (p->target < 0)
            p->target = system_open(p->path, SYSTEM_READ | SYSTEM_NO_WAIT | SYSTEM_NO_FOLLOW);
        int locked = p->target < 0 ? 1 : tool_file_lock(p->path, p->target);
        if (locked >= 0)
            return locked > 0;
        (void)system_close(p->target);
    }
}

static bool open_target(tool_pending *p)
{
    p->replaces = tool_file_state_read(-1, p->path, &p->seen);
    if (p->replaces && (!tool_inputs_allow(&p->seen, p->role, p->name) || !tool_pending_unique(p)))
        return false;
    if (!lock_target(p)) {
        tool_say(p->name, "is being written by another process");
        return false;
    }
    p->replaces = read_named(p, &p->seen);
    if (!p->replaces)
        return true; /* it was deleted meanwhile */
    if (!tool_inputs_changed(&p->seen))
        return tool_inputs_allow(&p->seen, p->role, p->name);
    tool_say(p->name, "was changed by another process while this command read it");
    return false;
}

/* Sets the final name. A symbolic link is kept, and the file that it names is replaced. */
static bool find_target(tool_pending *p, const char *path, bool force)
{
    system_status status;
    const bool exists = system_status_of_link(path, &status), reached = system_status_at(path, &status);
    if (exists && !force) {
        tool_say(path, "exists already; -f overwrites it");
        return false;
    }
    p->path = reached ? system_full_path(path) : strdup(path);
    if (!p->path)
        return fail(p);
    return reached ? open_target(p) : tool_pending_unique(p);
}

/* Returns whether `path` is a symbolic link to a file that does not exist. It is replaced with -f. */
static bool is_dangling(const char *path)
{
    system_status link, status;
    return system_status_of_link(path, &link) && link.kind == SYSTEM_LINK && !system_status_at(path, &status);
}

/* ---- opening ---- */

static tool_pending *make(const char *name, tool_pending_state state)
{
    static const char words[] =
        "stamma: %.1000s: interrupted; the same command with --resume goes on where it stopped\n";
    tool_pending *p = calloc(1, sizeof *p);
    if (p) {
        *p = (tool_pending){.state = state, .fd = -1, .target = -1, .name = strdup(name)};
        p->words = malloc(sizeof words + 1000);
    }
    if (!p || !p->name || !p->words) {
        (void)tool_fail_memory(name);
        tool_pending_close(p);
        return NULL;
    }
    (void)snprintf(p->words, sizeof words + 1000, words, name);
    return p;
}

/* Creates the file, and locks it before other processes can find it: it may be PLACED later. */
static int open_new(tool_pending *p)
{
    int fd = system_open_unique(p->temporary);
    if (fd >= 0) {
        (void)tool_file_lock(p->temporary, fd);
        tool_inputs_forget(fd);
    }
    p->on_error = p->on_signal = fd >= 0 ? TOOL_END_UNDO : TOOL_END_LEAVE;
    return fd;
}

/* Deletes PATH.partial if it is another name of the file that will be replaced: an earlier run has linked the complete
 * file to its name, and was interrupted before it removed the old name. That file is locked. */
static void remove_linked(const tool_pending *p)
{
    system_status status;
    if (p->replaces && system_status_of_link(p->temporary, &status) && status.device == p->seen.device &&
        status.file == p->seen.inode)
        (void)system_delete(p->temporary);
}

/* Opens or creates the file with the temporary name, and locks it. *made is set if it was created. Returns -1 with
 * errno set on failure: EAGAIN if another process has the lock. */
static int open_locked(const char *path, bool *made)
{
    for (;;) {
        int fd = system_open(path, SYSTEM_WRITE | SYSTEM_NEW);
        *made = fd >= 0;
        if (fd < 0 && errno != EEXIST)
            return -1;
        if (fd < 0)
            fd = system_open(path, SYSTEM_WRITE | SYSTEM_NO_WAIT | SYSTEM_NO_FOLLOW);
        if (fd < 0 && errno == ENOENT)
            continue;
        int locked = fd < 0 ? 0 : tool_file_lock(path, fd);
        if (fd < 0 || locked > 0)
            return fd;
        (void)system_close(fd);
        errno = EAGAIN;
        if (locked == 0)
            return -1;
    }
}

/* Returns whether a file of an earlier run belongs to this user only. In a directory that anyone can write, a file
 * with this name may be a trap. */
static bool is_ours(const system_status *status)
{
    return status->kind == SYSTEM_REGULAR && status->is_private;
}

/* Opens the file of an earlier run, or creates it. A file with contents is not deleted before it is truncated. */
static int open_partial(tool_pending *p)
{
    system_status status;
    bool made;
    remove_linked(p);
    int fd = open_locked(p->temporary, &made);
    bool ours = fd >= 0 && system_status_of(fd, &status) && (made || is_ours(&status));
    if (made)
        tool_inputs_forget(fd);
    p->on_error = p->on_signal = ours && status.size == 0 ? TOOL_END_UNDO : TOOL_END_LEAVE;
    if (fd < 0 || ours)
        return fd;
    (void)system_close(fd);
    errno = EEXIST;
    return -1;
}

static bool fail_open(const tool_pending *p)
{
    if (p->state == TOOL_PENDING_PARTIAL && errno == EAGAIN)
        tool_say(p->temporary, "is being written by another process");
    else if (p->state == TOOL_PENDING_PARTIAL && errno == EEXIST)
        tool_say(p->temporary, "exists and was not written by this command");
    else
        return fail(p);
    return false;
}

static bool open_temporary(tool_pending *p)
{
    system_held before;
    tool_file_state opened;
    if (!name_temporary(p))
        return fail(p);
    tool_pending_hold(&before);
    p->fd = p->state == TOOL_PENDING_PARTIAL ? open_partial(p) : open_new(p);
    if (p->fd >= 0)
        tool_pending_add(p);
    tool_pending_release(&before);
    if (p->fd < 0)
        return fail_open(p);
    if (tool_file_state_read(p->fd, NULL, &opened) && !tool_inputs_allow(&opened, TOOL_INPUT, p->temporary))
        return false;
    return system_set_permissions(p->fd, p->replaces ? p->path : NULL) || fail(p);
}

tool_pending *tool_pending_open(const char *path, tool_pending_state state, bool force, tool_role role)
{
    tool_pending *p = make(path, state);
    if (!p)
        return NULL;
    p->role = role;
    if (find_target(p, path, force) && open_temporary(p))
        return p;
    tool_pending_close(p);
    return NULL;
}

tool_pending *tool_pending_grow(int fd, const char *path)
{
    system_held before;
    tool_pending *p = make(path, TOOL_PENDING_GROWING);
    if (!p)
        return NULL;
    p->fd = fd;
    p->path = strdup(path);
    if (!p->path || !tool_file_state_read(fd, NULL, &p->seen)) {
        (void)fail(p);
        tool_pending_close(p);
        return NULL;
    }
    tool_pending_hold(&before);
    tool_pending_add(p);
    tool_pending_release(&before);
    return p;
}

/* ---- writing ---- */

bool tool_pending_cut(tool_pending *p, uint64_t size)
{
    system_held before;
    if (!system_truncate(p->fd, size) || !system_sync(p->fd) || !system_seek(p->fd, size))
        return false;
    tool_pending_hold(&before);
    p->size = size;
    p->on_error = p->kept ? TOOL_END_LEAVE : TOOL_END_UNDO;
    p->on_signal = p->on_signal == TOOL_END_SAY ? TOOL_END_SAY : TOOL_END_UNDO;
    tool_pending_release(&before);
    return true;
}

void tool_pending_keep(tool_pending *p, bool always)
{
    if (p->state != TOOL_PENDING_PARTIAL && p->state != TOOL_PENDING_GROWING)
        return;
    p->kept = p->kept || always;
    p->on_error = p->kept ? TOOL_END_LEAVE : p->on_error;
    p->on_signal = TOOL_END_SAY;
}

bool tool_pending_sync(tool_pending *p)
{
    if (!system_sync(p->fd))
        return false;
    if (p->state == TOOL_PENDING_PARTIAL && !p->named)
        system_sync_name(p->path);
    p->named = true;
    return true;
}

/* ---- completing ---- */

/* Links the file to a name that must not exist. Once the link exists, the file is complete, even if the old name cannot
 * be removed. */
static bool place_new(const tool_pending *p)
{
    bool stays;
    if (!system_place(p->temporary, p->path, &stays))
        return false;
    if (stays)
        tool_say(p->name, "is written, but its temporary name, %s, cannot be removed: %s", p->temporary,
                 strerror(errno));
    return true;
}

/* Returns whether the file that will be replaced has not changed since it was seen. Locks the file again, because the
 * lock is lost on systems without locks of open files. */
static bool is_unchanged(const tool_pending *p)
{
    tool_file_state now;
    return (p->target < 0 || tool_file_lock(p->path, p->target) > 0) && read_named(p, &now) &&
           tool_file_state_equal(&p->seen, &now) && !tool_inputs_changed(&now);
}

/* Renames the file to its final name. Returns false after a message. */
static bool place(tool_pending *p)
{
    if (p->replaces && !is_unchanged(p)) {
        tool_say(p->name, "was changed by another process meanwhile, and is not replaced");
        return false;
    }
    if (p->replaces || is_dangling(p->path) ? system_replace(p->temporary, p->path) : place_new(p))
        return true;
    if (errno != EEXIST)
        return fail(p);
    tool_say(p->name, "was created by another process meanwhile, and is not replaced");
    return false;
}

static bool has_name(const tool_pending *p)
{
    tool_file_state named;
    if (tool_file_state_read(-1, p->path, &named) && tool_file_state_same(&p->seen, &named))
        return true;
    tool_say(p->name, "is another file now, or was deleted: nothing was added to it");
    return false;
}

bool tool_pending_finish(tool_pending *p, bool stays)
{
    system_held before;
    const bool grows = p->state == TOOL_PENDING_GROWING;
    if (!system_sync(p->fd))
        return fail(p);
    tool_pending_hold(&before);
    bool done = grows ? has_name(p) : place(p);
    if (done && stays) {
        p->state = TOOL_PENDING_PLACED;
        (void)tool_file_state_read(p->fd, NULL, &p->seen);
    } else if (done) {
        tool_pending_drop(p);
        p->on_error = TOOL_END_LEAVE;
    }
    tool_pending_release(&before);
    if (done && !grows)
        system_sync_name(p->path);
    return done;
}

void tool_pending_settle(tool_pending *p)
{
    p->on_error = p->on_signal = TOOL_END_LEAVE;
}

static void close_file(int fd)
{
    if (fd >= 0)
        (void)system_close(fd);
}

void tool_pending_close(tool_pending *p)
{
    system_held before;
    if (!p)
        return;
    tool_pending_hold(&before);
    tool_pending_undo(p);
    tool_pending_drop(p);
    tool_pending_release(&before);
    if (p->state != TOOL_PENDING_GROWING)
        close_file(p->fd);
    close_file(p->target);
    free(p->name);
    free(p->path);
    free(p->temporary);
    free(p->words);
    free(p);
}
