/* SPDX-License-Identifier: MIT */
/* Signals and terminals of POSIX systems. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE 1
#include "system/posix_system.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

_Static_assert(sizeof(sigset_t) <= sizeof(system_held), "a set of signals is larger than expected");

/* Signals that end a program by default, except those raised by its own errors. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                     SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

/* ---- the end of the program ---- */

static void (*volatile undo_all)(void);

/* Raises the signal again with its default action. */
static void end_by_signal(int number)
{
    undo_all();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Returns whether a signal is ignored, as nohup or a background shell does. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void system_signals_watch(void (*undo)(void))
{
    struct sigaction action = {.sa_handler = end_by_signal};
    undo_all = undo;
    (void)sigfillset(&action.sa_mask);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        /* ignored signals stay ignored; a closed pipe always ends the program */
        if (ending_signals[i] == SIGPIPE || !is_ignored(ending_signals[i]))
            (void)sigaction(ending_signals[i], &action, NULL);
    /* a file that exceeds the size limit is a failed write with a message */
    (void)signal(SIGXFSZ, SIG_IGN);
}

/* ---- held signals ---- */

static void hold(const sigset_t *signals, system_held *before)
{
    sigset_t held;
    (void)pthread_sigmask(SIG_BLOCK, signals, &held);
    memcpy(before, &held, sizeof held);
}

void system_signals_hold(system_held *before)
{
    sigset_t held;
    (void)sigemptyset(&held);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        (void)sigaddset(&held, ending_signals[i]);
    hold(&held, before);
}

void system_signals_release(const system_held *before)
{
    sigset_t held;
    const int kept = errno;
    memcpy(&held, before, sizeof held);
    (void)pthread_sigmask(SIG_SETMASK, &held, NULL);
    errno = kept;
}

/* ---- interrupts ---- */

static void (*volatile interrupted)(void);

static void call_interrupted(int number)
{
    (void)number;
    interrupted();
}

void system_output_failed(int error)
{
    (void)error; /* SIGPIPE has ended the program */
}

void system_catch_interrupts(void (*call)(void))
{
    struct sigaction action = {.sa_handler = call_interrupted, .sa_flags = SA_RESTART};
    interrupted = call;
    (void)sigaction(SIGINT, &action, NULL);
}

/* ---- the end of a server ---- */

static volatile sig_atomic_t has_ended;
static sigset_t while_waiting; /* signals that are blocked while the server waits for its end */

static void note_end(int number)
{
    (void)number;
    has_ended = 1;
}

void system_ends_hold(bool hangup)
{
    struct sigaction action = {.sa_handler = note_end};
    sigset_t ends;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    if (hangup && !is_ignored(SIGHUP))
        (void)sigaddset(&ends, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ends, &while_waiting);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        if (sigismember(&ends, ending_signals[i]) == 1) {
            (void)sigdelset(&while_waiting, ending_signals[i]);
            (void)sigaction(ending_signals[i], &action, NULL);
        }
}

bool system_ends_wait(int milliseconds)
{
    const struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    if (!has_ended)
        (void)pselect(0, NULL, NULL, NULL, &pause, &while_waiting);
    return has_ended != 0;
}

/* ---- terminals ---- */

bool system_is_terminal(int file)
{
    return isatty(file) != 0;
}

size_t system_terminal_columns(void)
{
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(SYSTEM_OUTPUT, TIOCGWINSZ, &size) == 0)
        return size.ws_col;
#endif
    return 0;
}

bool system_opened_terminal(void)
{
    return false; /* file managers start programs without a terminal */
}
