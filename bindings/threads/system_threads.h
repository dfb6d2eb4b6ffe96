/* SPDX-License-Identifier: MIT */
/* What differs between systems for threads: posix_threads.c or windows_threads.c. The threads themselves are POSIX
 * threads, which all systems have. */
#ifndef STAMMA_SYSTEM_THREADS_H
#define STAMMA_SYSTEM_THREADS_H

/* Returns the number of processor cores, at least 1. */
unsigned threads_cores(void);
/* Calls `start` with signals blocked: the main thread handles them, and not the threads that `start` creates. */
void threads_start_quiet(void (*start)(void *context), void *context);

#endif
