/* SPDX-License-Identifier: MIT */
/* Programs that this one starts, and pipes, on POSIX systems. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE 1
#include "system/posix_system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    FILES_MAX = 4096,   /* file descriptors that this program may have open */
    STANDARD_FILES = 3, /* standard input, output and error */
    STEP = 5            /* milliseconds between two checks whether a program has ended */
};

/* ---- start ---- */

/* Closes all other files in the new process. Another library may mark a connection as close-on-exec only after
 * accepting it. If the new program inherited a connection, the client would not see when this program closes it. */
static int close_others(posix_spawn_file_actions_t *actions)
{
    const long files = sysconf(_SC_OPEN_MAX);
    int error = 0;
    for (int fd = STANDARD_FILES; fd < FILES_MAX && fd < files && !error; fd++)
        error = posix_spawn_file_actions_addclose(actions, fd);
    return error;
}

static int connect_files(posix_spawn_file_actions_t *actions, const int files[STANDARD_FILES])
{
    int error = 0;
    for (int n = 0; n < STANDARD_FILES && !error; n++)
        error = files[n] >= 0 ? posix_spawn_file_actions_adddup2(actions, files[n], n)
                              : posix_spawn_file_actions_addopen(actions, n, "/dev/null", n ? O_WRONLY : O_RDONLY, 0);
    return error ? error : close_others(actions);
}

/* Sets the usual settings of signals for the program, because a server blocks signals, and a library may ignore some.
 */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, usual;
    (void)sigemptyset(&none);
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGPIPE);
    (void)sigaddset(&usual, SIGCHLD);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error ? error : posix_spawnattr_setsigdefault(attributes, &usual);
    return error ? error
                 : posix_spawnattr_setflags(attributes,
                                            POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* Also sets SIGPIPE and SIGCHLD of this program: when a program ends, SIGPIPE must not end this one, and the status of
 * the program must be kept until it is read. */
int system_process_start(system_process *process, const char *const *arguments, bool searches, const int files[3])
{
    /* the function does not change the arguments */
    char *const *given = (char *const *)(uintptr_t)arguments;
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL);
    process->id = 0;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_signals(&attributes);
        error = error ? error : connect_files(&actions, files);
        error = error ? error
                      : (searches ? posix_spawnp : posix_spawn)(&pid, given[0], &actions, &attributes, given, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    process->id = error ? 0 : pid;
    return error;
}

int system_browse(const char *address, system_process *process)
{
    const char *const arguments[] = {system_browse_program(), address, NULL};
    return system_process_start(process, arguments, true, (const int[]){-1, -1, -1});
}

/* ---- end ---- */

static int status_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : SYSTEM_SIGNAL + WTERMSIG(status);
}

bool system_process_ended(system_process *process, int *status)
{
    int found = 0;
    if (waitpid((pid_t)process->id, &found, WNOHANG) == 0)
        return false;
    process->id = 0;
    *status = status_of(found);
    return true;
}

/* Does not read the status of the process: until then no other process group gets its number. */
void system_process_wait(const system_process *process, int milliseconds)
{
    const struct timespec pause = {.tv_nsec = STEP * 1000000};
    for (int waited = 0; waited < milliseconds; waited += STEP) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)process->id, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0)
            return;
        (void)nanosleep(&pause, NULL);
    }
}

/* Reads the status of a process, which ends. */
static int read_status(system_process *process)
{
    int status = 0;
    while (waitpid((pid_t)process->id, &status, 0) < 0 && errno == EINTR)
        ;
    process->id = 0;
    return status_of(status);
}

int system_process_join(system_process *process)
{
    return process->id > 0 ? read_status(process) : 0;
}

int system_process_kill(system_process *process)
{
    if (process->id <= 0)
        return 0;
    (void)kill(-(pid_t)process->id, SIGKILL);
    return read_status(process);
}

/* ---- pipes ---- */

bool system_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
        return true;
    const int error = errno;
    (void)close(ends[0]);
    (void)close(ends[1]);
    errno = error;
    return false;
}

bool system_pipe_no_wait(int end)
{
    return fcntl(end, F_SETFL, O_NONBLOCK) == 0;
}

ptrdiff_t system_pipe_read(int end, void *bytes, size_t size, int milliseconds)
{
    struct pollfd wait = {.fd = end, .events = POLLIN};
    if (poll(&wait, 1, milliseconds) > 0)
        return read(end, bytes, size);
    errno = EAGAIN;
    return -1;
}
