/* SPDX-License-Identifier: MIT */
/* The archives by their numbers. An archive that is replaced or removed is kept for requests that still use it. */
#include "answering/serve_archives.h"

bool serve_archives_open(serve_archives *s, size_t room)
{
    (void)pthread_mutex_init(&s->lock, NULL);
    s->room = room;
    s->slots = calloc(room + 1, sizeof *s->slots); /* there may be no archive */
    return s->slots != NULL;
}

/* Releases an archive. Call with the lock held. */
static void let_go(serve_archive *a)
{
    if (a && --a->users == 0)
        a->close(a);
}

void serve_archives_close(serve_archives *s)
{
    for (size_t i = 0; i < s->count; i++)
        let_go(s->slots[i].now);
    free(s->slots);
    (void)pthread_mutex_destroy(&s->lock);
}

/* ---- changes ---- */

/* Puts an archive into a slot, and replaces the earlier archive. */
static void put(serve_archives *s, serve_archive *a)
{
    serve_slot *slot = &s->slots[a->number];
    let_go(slot->now);
    slot->now = a;
    slot->problem = a->damaged ? SERVE_DAMAGED : SERVE_SOUND;
}

void serve_archives_add(serve_archives *s, serve_archive *a, const char *path)
{
    (void)pthread_mutex_lock(&s->lock);
    a->number = (long)s->count;
    s->slots[s->count].path = path;
    put(s, a);
    s->count++;
    (void)pthread_mutex_unlock(&s->lock);
}

void serve_archives_replace(serve_archives *s, serve_archive *a)
{
    (void)pthread_mutex_lock(&s->lock);
    put(s, a);
    (void)pthread_mutex_unlock(&s->lock);
}

bool serve_archives_remove(serve_archives *s, size_t number)
{
    if (number >= s->count)
        return false;
    (void)pthread_mutex_lock(&s->lock);
    serve_slot *slot = &s->slots[number];
    const bool removed = slot->now != NULL;
    let_go(slot->now);
    *slot = (serve_slot){.now = NULL};
    (void)pthread_mutex_unlock(&s->lock);
    return removed;
}

void serve_archives_set_problem(serve_archives *s, size_t number, serve_problem problem)
{
    (void)pthread_mutex_lock(&s->lock);
    s->slots[number].problem = problem;
    (void)pthread_mutex_unlock(&s->lock);
}

serve_problem serve_archives_problem(serve_archives *s, size_t number)
{
    (void)pthread_mutex_lock(&s->lock);
    serve_problem problem = s->slots[number].problem;
    (void)pthread_mutex_unlock(&s->lock);
    return problem;
}

/* ---- use ---- */

static bool fail_number(const serve_archives *s, long which, serve_fault *fault)
{
    const size_t count = s->count;
    if ((size_t)which < count)
        return serve_fail(fault, 404, "archive: the uploaded archive %ld was closed", which);
    if (count == 0)
        return serve_fail(fault, 404, "archive: there is no archive %ld; none is served", which);
    return serve_fail(fault, 404, "archive: there is no archive %ld; they are 0 to %zu", which, count - 1);
}

/* Prepares a list of at most `room` archives, and checks the files. */
static bool begin_list(serve_archives *s, size_t room, serve_archive_list *taken, serve_fault *fault)
{
    *taken = (serve_archive_list){malloc((room + 1) * sizeof *taken->list), 0}; /* there may be no archive */
    if (!taken->list)
        return serve_fail_memory(fault);
    if (s->look)
        s->look(s->context);
    return true;
}

/* Adds an archive to a list, unless it was closed. Call with the lock held. */
static bool add(serve_archive_list *taken, serve_archive *a)
{
    if (!a)
        return false;
    taken->list[taken->count++] = a;
    a->users++;
    return true;
}

/* Returns whether an archive was named by the command. Call with the lock held. */
static bool has_named(const serve_archives *s, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (s->slots[i].now && !s->slots[i].now->uploaded)
            return true;
    return false;
}

static bool take_all(serve_archives *s, bool uploads, serve_archive_list *taken, serve_fault *fault)
{
    const size_t count = s->count;
    if (!begin_list(s, count, taken, fault))
        return false;
    (void)pthread_mutex_lock(&s->lock);
    uploads |= !has_named(s, count);
    for (size_t i = 0; i < count; i++)
        if (uploads || (s->slots[i].now && !s->slots[i].now->uploaded))
            (void)add(taken, s->slots[i].now);
    (void)pthread_mutex_unlock(&s->lock);
    return true;
}

bool serve_archives_take_chosen(serve_archives *s, const long *numbers, size_t count, serve_archive_list *taken,
                                serve_fault *fault)
{
    size_t i = 0;
    if (!begin_list(s, count, taken, fault))
        return false;
    (void)pthread_mutex_lock(&s->lock);
    while (i < count && (size_t)numbers[i] < s->count && add(taken, s->slots[numbers[i]].now))
        i++;
    (void)pthread_mutex_unlock(&s->lock);
    if (i == count)
        return true;
    serve_archives_release(s, taken);
    return fail_number(s, numbers[i], fault);
}

bool serve_archives_take(serve_archives *s, long which, serve_archive_list *taken, serve_fault *fault)
{
    return which >= 0 ? serve_archives_take_chosen(s, &which, 1, taken, fault)
                      : take_all(s, which == SERVE_EVERY, taken, fault);
}

void serve_archives_release(serve_archives *s, serve_archive_list *taken)
{
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < taken->count; i++)
        let_go(taken->list[i]);
    (void)pthread_mutex_unlock(&s->lock);
    free(taken->list);
    *taken = (serve_archive_list){NULL, 0};
}

serve_archive *serve_archives_hold(serve_archives *s, size_t number)
{
    (void)pthread_mutex_lock(&s->lock);
    serve_archive *a = s->slots[number].now;
    a->users++;
    (void)pthread_mutex_unlock(&s->lock);
    return a;
}

void serve_archives_let_go(serve_archives *s, serve_archive *a)
{
    (void)pthread_mutex_lock(&s->lock);
    let_go(a);
    (void)pthread_mutex_unlock(&s->lock);
}

serve_archive *serve_archive_numbered(const serve_archive_list *taken, long number)
{
    for (size_t i = 0; i < taken->count; i++)
        if (taken->list[i]->number == number)
            return taken->list[i];
    return NULL;
}

void serve_archives_drop(serve_archives *s, serve_archive_list *taken, const bool *drops)
{
    size_t kept = 0;
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < taken->count; i++)
        if (drops[i])
            let_go(taken->list[i]);
        else
            taken->list[kept++] = taken->list[i];
    (void)pthread_mutex_unlock(&s->lock);
    taken->count = kept;
}
