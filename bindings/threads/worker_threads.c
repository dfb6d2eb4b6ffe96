/* SPDX-License-Identifier: MIT */
/* Worker threads that run tasks from a queue. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "threads/worker_threads.h"
#include "threads/system_threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MAX = 256, TASKS_MAX = THREADS_MAX + 1, WAIT_MS = 50 };

typedef struct task {
    void (*work)(void *argument);
    void *argument;
    enum { TASK_FREE, TASK_WAITING, TASK_TAKEN, TASK_DONE } state;
    uint64_t number; /* tasks start in the order of their submission */
} task;

struct worker_threads {
    pthread_mutex_t lock;
    pthread_cond_t work_came;
    pthread_cond_t work_done;
    task tasks[TASKS_MAX];
    uint64_t next_number;
    void (*waiting)(void *context); /* called while a thread waits; NULL: nothing is called */
    void *context;
    bool ending;
    pthread_t threads[THREADS_MAX];
    unsigned count, wanted;
};

/* Returns the task that has waited longest. */
static task *find_waiting(worker_threads *t)
{
    task *found = NULL;
    for (size_t i = 0; i < TASKS_MAX; i++)
        if (t->tasks[i].state == TASK_WAITING && (!found || t->tasks[i].number < found->number))
            found = &t->tasks[i];
    return found;
}

static void *serve(void *context)
{
    worker_threads *t = context;
    (void)pthread_mutex_lock(&t->lock);
    for (;;) {
        task *taken = find_waiting(t);
        if (!taken && t->ending)
            break;
        if (!taken) {
            (void)pthread_cond_wait(&t->work_came, &t->lock);
            continue;
        }
        taken->state = TASK_TAKEN;
        (void)pthread_mutex_unlock(&t->lock);
        taken->work(taken->argument);
        (void)pthread_mutex_lock(&t->lock);
        taken->state = TASK_DONE;
        (void)pthread_cond_broadcast(&t->work_done);
    }
    (void)pthread_mutex_unlock(&t->lock);
    return NULL;
}

static task *find_task(worker_threads *t, int state, const void *argument)
{
    for (size_t i = 0; i < TASKS_MAX; i++)
        if ((int)t->tasks[i].state == state && (!argument || t->tasks[i].argument == argument))
            return &t->tasks[i];
    return NULL;
}

static void start_callback(void *context, void (*work)(void *argument), void *argument)
{
    worker_threads *t = context;
    (void)pthread_mutex_lock(&t->lock);
    task *slot = find_task(t, TASK_FREE, NULL);
    if (slot) {
        *slot = (task){work, argument, TASK_WAITING, t->next_number++};
        (void)pthread_cond_signal(&t->work_came);
    }
    (void)pthread_mutex_unlock(&t->lock);
    if (!slot)
        work(argument);
}

/* Waits until a task may be done, at most WAIT_MS, and calls `waiting`. The caller holds the lock. */
static void wait_and_call(worker_threads *t)
{
    struct timespec until;
    (void)timespec_get(&until, TIME_UTC);
    until.tv_nsec += WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&t->work_done, &t->lock, &until);
    (void)pthread_mutex_unlock(&t->lock);
    t->waiting(t->context);
    (void)pthread_mutex_lock(&t->lock);
}

static void wait_callback(void *context, void *argument)
{
    worker_threads *t = context;
    (void)pthread_mutex_lock(&t->lock);
    while (find_task(t, TASK_WAITING, argument) || find_task(t, TASK_TAKEN, argument))
        if (t->waiting)
            wait_and_call(t);
        else
            (void)pthread_cond_wait(&t->work_done, &t->lock);
    task *done = find_task(t, TASK_DONE, argument);
    if (done)
        done->state = TASK_FREE;
    (void)pthread_mutex_unlock(&t->lock);
}

static void start_threads(void *context)
{
    worker_threads *t = context;
    while (t->count < t->wanted && pthread_create(&t->threads[t->count], NULL, serve, t) == 0)
        t->count++;
}

worker_threads *worker_threads_open(uint64_t wanted, stamma_executor *executor)
{
    if (wanted == 0)
        wanted = threads_cores();
    const unsigned count = wanted > THREADS_MAX ? THREADS_MAX : (unsigned)wanted;
    *executor = (stamma_executor){NULL, 0, start_callback, wait_callback};
    worker_threads *t = count > 1 ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->work_came, NULL);
    (void)pthread_cond_init(&t->work_done, NULL);
    t->wanted = count;
    threads_start_quiet(start_threads, t);
    executor->context = t;
    executor->threads = t->count;
    return t;
}

void worker_threads_while_waiting(worker_threads *t, void (*call)(void *context), void *context)
{
    if (!t)
        return;
    t->waiting = call;
    t->context = context;
}

void worker_threads_close(worker_threads *t)
{
    if (!t)
        return;
    (void)pthread_mutex_lock(&t->lock);
    t->ending = true;
    (void)pthread_cond_broadcast(&t->work_came);
    (void)pthread_mutex_unlock(&t->lock);
    for (unsigned i = 0; i < t->count; i++)
        (void)pthread_join(t->threads[i], NULL);
    (void)pthread_cond_destroy(&t->work_done);
    (void)pthread_cond_destroy(&t->work_came);
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
}
