/* SPDX-License-Identifier: MIT */
/* The first games in a sorted order, within bounded memory: the list has room for twice the games that it keeps, and
 * drops the others when it is full. */
#include "answering/serve_answers.h"
#include "questions/find.h"

typedef struct entry {
    serve_sorted_game game;
    find_key key;
    size_t order; /* order in which it was added */
    const serve_sorted *list;
} entry;

struct serve_sorted {
    find_order sort;
    size_t most, count, added;
    bool in_order;
    bool dropped; /* the list has `most` games or more, and the last of the first `most` is a bound for others */
    entry *entries;
};

serve_sorted *serve_sorted_open(const char *sort, size_t most)
{
    size_t keys = 0;
    find_order orders[FIND_SORT_KEYS];
    serve_sorted *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    (void)find_orders_read(sort, orders, &keys);
    l->sort = orders[0];
    l->most = most > 0 ? most : 1;
    l->entries = calloc(2 * l->most, sizeof *l->entries);
    if (!l->entries) {
        free(l);
        return NULL;
    }
    return l;
}

static void drop(serve_sorted *l, size_t from)
{
    for (size_t i = from; i < l->count; i++) {
        find_keys_free(&l->entries[i].key, 1);
        free(l->entries[i].game.plies);
    }
    l->count = from < l->count ? from : l->count;
}

void serve_sorted_close(serve_sorted *l)
{
    if (!l)
        return;
    drop(l, 0);
    free(l->entries);
    free(l);
}

static int compare(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    int order = find_keys_compare(&a->list->sort, 1, &a->key, &b->key);
    return order != 0 ? order : a->order < b->order ? -1 : 1;
}

static void sort(serve_sorted *l)
{
    if (!l->in_order && l->count > 0)
        qsort(l->entries, l->count, sizeof *l->entries, compare);
    l->in_order = true;
    l->dropped |= l->count >= l->most;
    drop(l, l->most);
}

static bool copy_plies(serve_sorted_game *game, const stamma_match *match)
{
    game->ply_count = match->ply_count;
    if (match->ply_count == 0)
        return true;
    game->plies = malloc(match->ply_count * sizeof *match->plies);
    if (game->plies)
        memcpy(game->plies, match->plies, match->ply_count * sizeof *match->plies);
    return game->plies != NULL;
}

bool serve_sorted_add(serve_sorted *l, size_t archive, const stamma_match *match, const stamma_archive_game *game)
{
    entry e = {.game = {.archive = archive, .number = match->game}, .order = l->added++, .list = l};
    find_key_read(l->sort.tag, game, &e.key);
    bool late = l->dropped && compare(&l->entries[l->most - 1], &e) < 0;
    if (late || !copy_plies(&e.game, match)) {
        find_keys_free(&e.key, 1);
        return late;
    }
    l->entries[l->count++] = e;
    l->in_order = false;
    if (l->count == 2 * l->most)
        sort(l);
    return true;
}

size_t serve_sorted_count(serve_sorted *l)
{
    sort(l);
    return l->count;
}

const serve_sorted_game *serve_sorted_at(serve_sorted *l, size_t n)
{
    sort(l);
    return &l->entries[n].game;
}
