/* SPDX-License-Identifier: MIT */
/* Programs that the server starts: the chess engine, `stamma pack` for uploads, and the browser. */
#ifndef STAMMA_SERVE_PROCESS_H
#define STAMMA_SERVE_PROCESS_H

#include "serving/server.h"

/* Starts a program in a separate process group. `arguments` are its path and its arguments, and end with NULL. If
 * `searches` is set, the program is searched in PATH. `files` are its standard input, output and error; -1 is
 * /dev/null. It gets no other files of this process. Returns 0 or an error of errno. Read its status with waitpid. */
int serve_process_start(pid_t *pid, const char *const *arguments, bool searches, const int files[3]);

/* Kills a program and its children, waits for it, and sets *pid to 0. Returns its status, or 0 if *pid is 0. */
int serve_process_kill(pid_t *pid);

/* ---- the browser (serve_browser.c) ---- */

/* Shows an address in the user's browser. Returns the process that starts the browser, or 0 after a message. */
pid_t serve_browser_open(const char *address);
/* Reports if that process has failed. Must be called until it returns 0, the state of a process that has ended. */
pid_t serve_browser_wait(pid_t pid, const char *address);

#endif
