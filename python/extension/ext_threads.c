/* Threads of an executor. The calling thread runs the handlers of signals while it waits. */
#include "ext.h"

#if defined(_WIN32)

struct ext_threads *ext_threads_open(unsigned count, ext_call *call, stamma_executor *executor)
{
    (void)count;
    (void)call;
    *executor = (stamma_executor){NULL, 0, NULL, NULL};
    return NULL;
}

void ext_threads_close(struct ext_threads *threads)
{
    (void)threads;
}

#else

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 256, TASKS_MAX = THREADS_MAX + 1, WAIT_MS = 50 };

typedef struct task {
    void (*work)(void *argument);
    void *argument;
    enum { TASK_FREE, TASK_WAITING, TASK_TAKEN, TASK_DONE } state;
    uint64_t number; /* tasks start in the order of their submission */
} task;

struct ext_threads {
    ext_call *call;
    pthread_mutex_t lock;
    pthread_cond_t work_came;
    pthread_cond_t work_done;
    task tasks[TASKS_MAX];
    uint64_t next_number;
    bool ending;
    pthread_t threads[THREADS_MAX];
    unsigned count;
};

static task *find_waiting(struct ext_threads *t)
{
    task *found = NULL;
    for (size_t i = 0; i < TASKS_MAX; i++)
        if (t->tasks[i].state == TASK_WAITING && (!found || t->tasks[i].number < found->number))
            found = &t->tasks[i];
    return found;
}

static task *find_task(struct ext_threads *t, int state, const void *argument)
{
    for (size_t i = 0; i < TASKS_MAX; i++)
        if ((int)t->tasks[i].state == state && (!argument || t->tasks[i].argument == argument))
            return &t->tasks[i];
    return NULL;
}

static void *serve(void *context)
{
    struct ext_threads *t = context;
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

static void start_callback(void *context, void (*work)(void *argument), void *argument)
{
    struct ext_threads *t = context;
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

/* Waits until a task may be done, at most WAIT_MS. */
static void wait_a_little(struct ext_threads *t)
{
    struct timespec until;
    (void)timespec_get(&until, TIME_UTC);
    until.tv_nsec += WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&t->work_done, &t->lock, &until);
}

static void wait_callback(void *context, void *argument)
{
    struct ext_threads *t = context;
    (void)pthread_mutex_lock(&t->lock);
    while (find_task(t, TASK_WAITING, argument) || find_task(t, TASK_TAKEN, argument)) {
        wait_a_little(t);
        (void)pthread_mutex_unlock(&t->lock);
        (void)ext_call_check(t->call);
        (void)pthread_mutex_lock(&t->lock);
    }
    task *done = find_task(t, TASK_DONE, argument);
    if (done)
        done->state = TASK_FREE;
    (void)pthread_mutex_unlock(&t->lock);
}

/* Starts the threads with signals blocked, so that the main thread handles them. */
static void start_threads(struct ext_threads *t, unsigned wanted)
{
    static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL}; /* raised by the thread itself: not blocked */
    sigset_t all, before;
    (void)sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        (void)sigdelset(&all, own[i]);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    while (t->count < wanted && pthread_create(&t->threads[t->count], NULL, serve, t) == 0)
        t->count++;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static unsigned processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

struct ext_threads *ext_threads_open(unsigned count, ext_call *call, stamma_executor *executor)
{
    unsigned wanted = count == 0 ? processors() : count;
    *executor = (stamma_executor){NULL, 0, start_callback, wait_callback};
    struct ext_threads *t = wanted > 1 ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL; /* the calling thread then does all work */
    t->call = call;
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->work_came, NULL);
    (void)pthread_cond_init(&t->work_done, NULL);
    start_threads(t, wanted > THREADS_MAX ? THREADS_MAX : wanted);
    executor->context = t;
    executor->threads = t->count;
    return t;
}

void ext_threads_close(struct ext_threads *t)
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

#endif
