/* SPDX-License-Identifier: MIT */
/* --open: shows the page in the browser of this machine. */
#include "serving/serve_process.h"

#include <sys/wait.h>

/* The program that opens an address with the browser that the user has chosen. */
#ifdef __APPLE__
static const char program[] = "open";
#else
static const char program[] = "xdg-open";
#endif

static void say(const char *address, const char *why)
{
    (void)fprintf(stderr, "stamma: no browser was opened: %s: %s; the page is at %s\n", program, why, address);
}

pid_t serve_browser_open(const char *address)
{
    const char *const arguments[] = {program, address, NULL};
    pid_t pid = 0;
    int error = serve_process_start(&pid, arguments, true, (const int[]){-1, -1, -1});
    if (error)
        say(address, strerror(error));
    return error ? 0 : pid;
}

pid_t serve_browser_wait(pid_t pid, const char *address)
{
    int status = 0;
    char why[64];
    if (pid == 0 || waitpid(pid, &status, WNOHANG) == 0)
        return pid;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    (void)snprintf(why, sizeof why, WIFEXITED(status) ? "exit status %d" : "ended by signal %d",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    say(address, why);
    return 0;
}
