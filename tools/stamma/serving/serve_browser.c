/* SPDX-License-Identifier: MIT */
/* --open: shows the page in the browser of this machine. */
#include "serving/server.h"

static void say(const char *address, const char *why)
{
    (void)fprintf(stderr, "stamma: no browser was opened: %s: %s; the page is at %s\n", system_browse_program(), why,
                  address);
}

void serve_browser_open(const char *address, system_process *process)
{
    const int error = system_browse(address, process);
    if (error)
        say(address, strerror(error));
}

void serve_browser_wait(system_process *process, const char *address)
{
    int status = 0;
    char why[64];
    if (!process->id || !system_process_ended(process, &status) || status == 0)
        return;
    (void)snprintf(why, sizeof why, status < SYSTEM_SIGNAL ? "exit status %d" : "ended by signal %d",
                   status % SYSTEM_SIGNAL);
    say(address, why);
}
