/* SPDX-License-Identifier: MIT */
/* The list of pending files. Nothing unfinished outlives the program, neither after an error nor after a signal. */
#include "shared/pending.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

/* The signal handler reads the list. The mutex excludes the threads of `stamma serve`, which block signals. */
static tool_pending *volatile first;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

/* Signals that end a program by default, except those raised by its own errors. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                     SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

/* The functions below are called by the signal handler: they call only functions that are safe there. */

/* Prints how to resume. Ignores a failure to print. */
static void say_that_it_stays(const tool_pending *p)
{
    ssize_t written = write(STDERR_FILENO, p->words, strlen(p->words));
    (void)written;
}

/* Deletes a placed file if its name was not passed to another file. It is still locked. */
static void delete_placed(const tool_pending *p)
{
    struct stat ours, named;
    if (fstat(p->fd, &ours) == 0 && stat(p->path, &named) == 0 && ours.st_dev == named.st_dev &&
        ours.st_ino == named.st_ino)
        (void)unlink(p->path);
}

/* Returns false if the bytes after the end of a growing file could not be removed. They are still not part of the
 * archive. */
static bool undo(const tool_pending *p)
{
    switch (p->state) {
    case TOOL_PENDING_NEW:
    case TOOL_PENDING_PARTIAL: (void)unlink(p->temporary); return true;
    case TOOL_PENDING_PLACED: delete_placed(p); return true;
    case TOOL_PENDING_GROWING: break;
    }
    return ftruncate(p->fd, p->size) == 0;
}

/* Ends all pending files and raises the signal again with its default action. */
static void end_by_signal(int signal_number)
{
    for (tool_pending *p = first; p; p = p->next) {
        if (p->on_signal == TOOL_END_SAY)
            say_that_it_stays(p);
        else if (p->on_signal == TOOL_END_UNDO)
            (void)undo(p);
    }
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

/* ---- the list ---- */

void tool_pending_watch(void)
{
    struct sigaction action = {.sa_handler = end_by_signal};
    (void)sigfillset(&action.sa_mask);
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        /* Signals that nohup or a background shell ignores stay ignored. A closed pipe always ends the program. */
        bool ignored = sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!ignored || ending_signals[i] == SIGPIPE)
            (void)sigaction(ending_signals[i], &action, NULL);
    }
    /* a file that exceeds the size limit is a failed write with a message */
    (void)signal(SIGXFSZ, SIG_IGN);
}

void tool_pending_hold(sigset_t *before)
{
    sigset_t held;
    (void)sigemptyset(&held);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        (void)sigaddset(&held, ending_signals[i]);
    (void)pthread_sigmask(SIG_BLOCK, &held, before);
    (void)pthread_mutex_lock(&list_lock);
}

void tool_pending_release(const sigset_t *before)
{
    int kept = errno;
    (void)pthread_mutex_unlock(&list_lock);
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
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
        (void)fsync(p->fd);
    p->on_error = p->on_signal = TOOL_END_LEAVE;
}

void tool_pending_undo_all(void)
{
    sigset_t before;
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
    sigset_t before;
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
    sigset_t before;
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
