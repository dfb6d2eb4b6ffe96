/* SPDX-License-Identifier: MIT */
/* Signals of threads, and processor cores, on POSIX systems. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE 1
#include "threads/system_threads.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

unsigned threads_cores(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

void threads_start_quiet(void (*start)(void *context), void *context)
{
    static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL}; /* raised by the thread itself: not blocked */
    sigset_t all, before;
    (void)sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        (void)sigdelset(&all, own[i]);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    start(context);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}
