/* SPDX-License-Identifier: MIT */
/* Executors for tests. `eager` runs each piece of work in a thread at once; `lazy` runs work only when its result is
 * waited for. */
#include "executors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *serve(void *context)
{
    void *const *task = context;
    void (*work)(void *);
    memcpy(&work, &task[0], sizeof work);
    work(task[1]);
    free(context);
    return NULL;
}

void start_eager(void *context, void (*work)(void *argument), void *argument)
{
    eager *e = context;
    size_t i = 0;
    while (e->tasks[i].argument)
        i++;
    assert_true(i < 64);
    void **task = malloc(2 * sizeof *task);
    assert_non_null(task);
    memcpy(&task[0], &work, sizeof work);
    task[1] = argument;
    e->tasks[i].argument = argument;
    assert_int_equal(pthread_create(&e->tasks[i].thread, NULL, serve, task), 0);
    e->now++;
    e->most = e->now > e->most ? e->now : e->most;
}

void wait_eager(void *context, void *argument)
{
    eager *e = context;
    size_t i = 0;
    while (e->tasks[i].argument != argument)
        i++;
    assert_int_equal(pthread_join(e->tasks[i].thread, NULL), 0);
    e->tasks[i].argument = NULL;
    e->now--;
}

void start_lazy(void *context, void (*work)(void *argument), void *argument)
{
    lazy *l = context;
    (void)argument;
    l->work = work;
    l->waiting++;
}

void wait_lazy(void *context, void *argument)
{
    lazy *l = context;
    l->waiting--;
    l->work(argument);
}
