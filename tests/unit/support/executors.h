/* SPDX-License-Identifier: MIT */
/* Executors for tests. */
#ifndef STAMMA_TESTS_EXECUTORS_H
#define STAMMA_TESTS_EXECUTORS_H

#include <pthread.h>

/* An executor that starts a thread for each piece of work. */
typedef struct eager {
    struct {
        pthread_t thread;
        void (*work)(void *argument);
        void *argument;
    } tasks[64];
    unsigned most; /* the largest number of concurrent threads */
    unsigned now;
} eager;

/* An executor that runs work only when its result is waited for. */
typedef struct lazy {
    void (*work)(void *argument);
    unsigned waiting;
} lazy;

void start_eager(void *context, void (*work)(void *argument), void *argument);
void wait_eager(void *context, void *argument);
void start_lazy(void *context, void (*work)(void *argument), void *argument);
void wait_lazy(void *context, void *argument);

#endif
