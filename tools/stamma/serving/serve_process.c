/* SPDX-License-Identifier: MIT */
/* Starts programs, without a shell. */
#include "serving/serve_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    FILES_MAX = 4096,  /* file descriptors that the server may have open */
    STANDARD_FILES = 3 /* standard input, output and error */
};

/* Closes all other files in the new process. The HTTP library marks a connection as close-on-exec only after accepting
 * it. If the new program inherited a connection, the client would not see when the server closes it. */
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

/* Sets the usual settings of signals for the program, because the server blocks signals, and the HTTP library may
 * ignore some. */
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

/* Also sets SIGPIPE and SIGCHLD of the server, which the HTTP library may have changed: when a program ends, SIGPIPE
 * must not end the server, and the status of the program must be kept until it is read. */
int serve_process_start(pid_t *pid, const char *const *arguments, bool searches, const int files[STANDARD_FILES])
{
    /* the function does not change the arguments */
    char *const *given = (char *const *)(uintptr_t)arguments;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL);
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_signals(&attributes);
        error = error ? error : connect_files(&actions, files);
        error = error ? error
                      : (searches ? posix_spawnp : posix_spawn)(pid, given[0], &actions, &attributes, given, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

int serve_process_kill(pid_t *pid)
{
    int status = 0;
    if (*pid <= 0)
        return 0;
    (void)kill(-*pid, SIGKILL);
    while (waitpid(*pid, &status, 0) < 0 && errno == EINTR)
        ;
    *pid = 0;
    return status;
}
