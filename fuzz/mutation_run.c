/* SPDX-License-Identifier: MIT */
/* Makes inputs with the target's mutator and runs the target on them. */
#define _XOPEN_SOURCE 700
#include "mutation_run.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "address_sanitizer.h"
#include "mutators.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

enum { SECONDS_MAX = 20, GROWTH = 4096, SIZE_LIMIT = 1 << 16, KEPT = 512, KEPT_EVERY = 32, MUTATIONS = 4 };

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

/* The added inputs, followed by kept results. */
static struct {
    input *list;
    size_t count, added;
} pool;

/* The current input, for the handlers of failures. */
static struct {
    const uint8_t *data;
    size_t size;
    const char *failed;
    char message[200];
} now;

/* ---- inputs ---- */

static input copy_of(const uint8_t *data, size_t size)
{
    input copy = {malloc(size + 1), size};
    if (!copy.data)
        exit(2);
    if (size > 0)
        memcpy(copy.data, data, size);
    return copy;
}

static void append(const uint8_t *data, size_t size)
{
    input *list = realloc(pool.list, (pool.count + 1) * sizeof *list);
    if (!list)
        exit(2);
    pool.list = list;
    list[pool.count++] = copy_of(data, size);
}

void mutation_run_add(const uint8_t *data, size_t size)
{
    append(data, size);
    pool.added = pool.count;
}

/* Keeps a result instead of an earlier one. */
static void keep(uint64_t *random, const uint8_t *data, size_t size)
{
    if (pool.count - pool.added < KEPT) {
        append(data, size);
        return;
    }
    input *old = &pool.list[pool.added + draw_below(random, KEPT)];
    free(old->data);
    *old = copy_of(data, size);
}

static const input *any(uint64_t *random)
{
    return &pool.list[draw_below(random, pool.count)];
}

/* Replaces the bytes after a random place by the end of another input, or inserts a short piece of another input. */
static size_t cross(uint64_t *random, uint8_t *data, size_t size, size_t room)
{
    const input *other = any(random);
    const size_t from = draw_below(random, other->size + 1), at = draw_below(random, size + 1);
    const bool ends = draw(random) & 1;
    size_t piece = other->size - from, rest = size - at;
    piece = ends ? piece : draw_below(random, piece < 64 ? piece + 1 : 65);
    rest = ends ? 0 : rest;
    if (piece > room - at - rest)
        return size;
    memmove(data + at + piece, data + at, rest);
    memcpy(data + at, other->data + from, piece);
    return at + piece + rest;
}

/* Makes an input in `data`. Returns its size. */
static size_t make(uint64_t *random, uint8_t *data, size_t room)
{
    const input *start = any(random);
    size_t size = start->size;
    memcpy(data, start->data, size);
    for (size_t n = 1 + draw_below(random, MUTATIONS); n > 0; n--)
        size = draw(random) % 8 == 0 ? cross(random, data, size, room)
                                     : LLVMFuzzerCustomMutator(data, size, room, (unsigned)(draw(random) >> 32));
    return size;
}

/* ---- failures ---- */

/* Only calls functions that a signal handler may call. */
static void report(void)
{
    int file = open(now.failed, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ssize_t written = file < 0 ? -1 : write(file, now.data, now.size);
    (void)close(file);
    (void)!write(STDERR_FILENO, now.message, strlen(now.message));
    if (written != (ssize_t)now.size)
        (void)!write(STDERR_FILENO, "the input could not be written\n", 31);
}

static void end(int number)
{
    report();
    signal(number, SIG_DFL);
    (void)raise(number);
}

static void handle_failures(void)
{
    static const int numbers[] = {SIGABRT, SIGVTALRM,
#ifndef __SANITIZE_ADDRESS__
                                  SIGSEGV, SIGBUS,    SIGILL, SIGFPE
#endif
    };
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_set_death_callback(report);
#endif
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        signal(numbers[n], end);
}

static void limit_time(long seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    (void)setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

/* ---- the run ---- */

void mutation_run(uint64_t count, uint64_t seed, const char *failed)
{
    uint64_t random = (seed + 1) * 0x9E3779B97F4A7C15u;
    size_t room = GROWTH;
    for (size_t n = 0; n < pool.count; n++)
        room = pool.list[n].size + GROWTH > room ? pool.list[n].size + GROWTH : room;
    room = room > SIZE_LIMIT ? room : SIZE_LIMIT;
    uint8_t *data = malloc(room);
    if (!data || pool.count == 0)
        exit(2);
    mutate_from(draw(&random));
    now.failed = failed;
    handle_failures();
    for (uint64_t n = 1; n <= count; n++) {
        now.size = make(&random, data, room);
        now.data = data;
        snprintf(now.message, sizeof now.message, "input %" PRIu64 " of seed %" PRIu64 " failed: see %.120s\n", n, seed,
                 failed);
        limit_time(SECONDS_MAX);
        replay_feed(data, now.size);
        limit_time(0);
        if (draw(&random) % KEPT_EVERY == 0 && now.size <= SIZE_LIMIT)
            keep(&random, data, now.size);
    }
    for (size_t n = 0; n < pool.count; n++)
        free(pool.list[n].data);
    free(pool.list);
    free(data);
}
