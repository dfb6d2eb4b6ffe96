/* SPDX-License-Identifier: MIT */
/* Pending files: files that are being written, until they are complete.
 *
 * Only pending.c creates, replaces, truncates and deletes the files that commands write. A pending file has:
 * - an inode: the open file `fd`, which receives the output;
 * - a name: `path`, at which the complete file appears, with symbolic links resolved. Until then the file is
 *   named `temporary`;
 * - a lock on the file that changes: on the file that `path` names when it is opened (`target`), if it is replaced; on
 *   the file itself, if a later run can find it. Another process that writes either file fails meanwhile;
 * - a state:
 *     NEW       has a unique temporary name, and is deleted unless it is completed
 *     PARTIAL   has the name PATH.partial, so that a later run can resume it
 *     GROWING   is a complete file that receives more bytes at its end, and is truncated unless it is completed
 *     PLACED    was complete, has its final name and is still locked; it is deleted unless it is kept
 * - what happens to it after an error, and when a signal ends the program.
 *
 * A file is replaced or deleted only under the lock, and only if it is the file that the command has seen: with the
 * same inode, size, time of change and last bytes, which include the last commit of an archive. A command that reads
 * the file compares it with what it has read (inputs.c). A new file is linked to its name, which fails if the name
 * exists. A file that has grown must still have its name at the end.
 *
 * A file that the command reads is not replaced, with these exceptions: archives that the command rewrites, and index
 * files and manifests, which it writes again (tool_role). This is checked when the output is opened and when a file is
 * opened for reading, so that the order does not matter.
 *
 * Signals: the handler visits the list of all pending files. The list and the files change only while signals are
 * blocked; all other threads block them. */
#ifndef STAMMA_TOOL_PENDING_H
#define STAMMA_TOOL_PENDING_H

#include "shared/tool.h"

/* ---- states of files, and locks (file_state.c) ---- */

enum { TOOL_STATE_END = 64 };

/* A regular file at one time. */
typedef struct tool_file_state {
    uint64_t device, inode, size;
    struct timespec changed;
    uint8_t end[TOOL_STATE_END]; /* the last bytes; zeros if they cannot be read */
} tool_file_state;

/* Reads the state of a regular file: of `fd`, or of `path` if `fd` is -1. Returns false if it is not a regular file. */
bool tool_file_state_read(int fd, const char *path, tool_file_state *state);
bool tool_file_state_equal(const tool_file_state *a, const tool_file_state *b);
/* Returns whether both are the same file, whatever its contents. */
bool tool_file_state_same(const tool_file_state *a, const tool_file_state *b);

/* Excludes other writers of a file until `fd` is closed. Returns 1 on success or if the file system has no locks, 0 if
 * another process has the lock, and -1 if `path` now names another file. Where the system has no locks of open files,
 * the lock is also released when this process closes the file elsewhere. */
int tool_file_lock(const char *path, int fd);

/* ---- files that the command reads (inputs.c) ---- */

/* Adds an open file, if it is a regular file that was not added before. Returns false after a message. */
bool tool_inputs_take(int fd, const char *name);
/* Removes the entry of a file that was created now: its inode is the one of an input that was deleted. */
void tool_inputs_forget(int fd);
/* Returns false, after a message with this name, if the file is an input that the command does not replace: its role is
 * not `role`. */
bool tool_inputs_allow(const tool_file_state *file, tool_role role, const char *name);
/* Returns whether the file is an input and has changed since it was added. */
bool tool_inputs_changed(const tool_file_state *file);
/* Returns the role of an input; TOOL_INPUT for other files. */
tool_role tool_inputs_role(const tool_file_state *file);

/* ---- pending files (pending.c) ---- */

typedef enum tool_pending_state {
    TOOL_PENDING_NEW,
    TOOL_PENDING_PARTIAL,
    TOOL_PENDING_GROWING,
    TOOL_PENDING_PLACED
} tool_pending_state;

typedef enum tool_pending_end {
    TOOL_END_LEAVE, /* the file does not change */
    TOOL_END_UNDO,  /* it is deleted or truncated, as its state says */
    TOOL_END_SAY    /* it stays, and a message says how to resume */
} tool_pending_end;

typedef struct tool_pending {
    struct tool_pending *next; /* in the list of all pending files */
    tool_pending_state state;
    int fd;
    char *name;           /* in messages */
    char *path;           /* final name */
    char *temporary;      /* name until it is placed; NULL: none */
    char *words;          /* message of TOOL_END_SAY */
    int target;           /* the file that is replaced, for its lock; -1: it cannot be opened, or there is none */
    bool replaces;        /* `path` exists; otherwise it must not exist when the file is placed */
    bool named;           /* its present name is durable */
    bool kept;            /* it stays after errors */
    tool_role role;       /* of inputs that it may replace */
    tool_file_state seen; /* the file that is replaced, or the file that grows */
    uint64_t size;        /* to which a growing file is truncated */
    tool_pending_end on_error, on_signal;
} tool_pending;

/* Opens a NEW or PARTIAL file that will appear at `path`. `force`: it may replace a file. Returns NULL after a message.
 */
tool_pending *tool_pending_open(const char *path, tool_pending_state state, bool force, tool_role role);
/* Opens a GROWING file: `fd` is open for reading and writing, and locked. The caller keeps ownership of `fd`. Returns
 * NULL after a message. */
tool_pending *tool_pending_grow(int fd, const char *path);
/* Truncates the file durably. Unless it is completed or kept, a growing file is truncated to this size again, and other
 * files are deleted. Returns false with errno set. */
bool tool_pending_cut(tool_pending *p, uint64_t size);
/* Keeps the file, with a message how to resume, when a signal ends the program; with `always`, also after errors. */
void tool_pending_keep(tool_pending *p, bool always);
/* Makes the bytes of the file durable, and with the first call also its present name. Returns false with errno set. */
bool tool_pending_sync(tool_pending *p);
/* Completes the file: renames it durably to its final name. A growing file must still have its name. `stays`: it is
 * then PLACED. Otherwise the file is finished. Returns false after a message. */
bool tool_pending_finish(tool_pending *p, bool stays);
/* Keeps a PLACED file. */
void tool_pending_settle(tool_pending *p);
/* Deletes or truncates the file unless it is completed or stays, and closes it. Accepts NULL. */
void tool_pending_close(tool_pending *p);
/* Returns false, after a message with this name, if the file is being written, or if it is replaced and is not an input
 * that the command rewrites. */
bool tool_pending_readable(const tool_file_state *file, const char *name);

/* ---- the list of pending files (pending_list.c) ---- */

/* Returns false, after a message, if another pending file of the command has the same final name. */
bool tool_pending_unique(const tool_pending *p);
/* Adds and removes a file. Call them while signals are held. */
void tool_pending_add(tool_pending *p);
void tool_pending_drop(tool_pending *p);
/* Deletes, truncates or keeps the file, as its member on_error says. The file is then not changed any more. Call it
 * while signals are held. */
void tool_pending_undo(tool_pending *p);
/* Blocks the signals that end the program, and excludes other threads from the list. */
void tool_pending_hold(system_held *before);
/* Restores the signals that were blocked before tool_pending_hold. Does not change errno. */
void tool_pending_release(const system_held *before);

#endif
