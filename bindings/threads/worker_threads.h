/* SPDX-License-Identifier: MIT */
/* Worker threads for the executor of a call into the library. The command and the Python package use them. */
#ifndef STAMMA_WORKER_THREADS_H
#define STAMMA_WORKER_THREADS_H

#include "stamma.h"

typedef struct worker_threads worker_threads;

/* Starts `wanted` threads (0: one for each processor core; at most 256) and describes them to the library in *executor.
 * Returns NULL if one thread is enough or no threads can be started; *executor then runs everything on the calling
 * thread. */
worker_threads *worker_threads_open(uint64_t wanted, stamma_executor *executor);
/* Sets a function that threads which wait for a task call every 50 milliseconds. Accepts NULL as `threads`. */
void worker_threads_while_waiting(worker_threads *threads, void (*call)(void *context), void *context);
/* Ends the threads. Nothing may use them any more. Accepts NULL. */
void worker_threads_close(worker_threads *threads);

#endif
