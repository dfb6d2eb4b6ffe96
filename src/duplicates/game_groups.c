/* SPDX-License-Identifier: MIT */
/* Joins games that may be the same game to groups. Groups are disjoint sets, each identified by its first game. */
#include "duplicates/duplicates.h"

static uint32_t first_of(uint32_t *parents, uint32_t game)
{
    while (parents[game] != game)
        game = parents[game] = parents[parents[game]];
    return game;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = first_of(parents, a);
    b = first_of(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

void stamma_groups_join(stamma_duplicates *d)
{
    game_key *keys = (game_key *)(void *)d->keys.data;
    const size_t count = d->keys.size / sizeof *keys;
    stamma_sort_keys(keys, count);
    for (size_t n = 0; n < count; n++)
        for (size_t next = n + 1; next < count && next - n <= NEIGHBOURS && keys[next].key == keys[n].key; next++)
            if (stamma_may_be_same(d, &keys[n], &keys[next]))
                join(parents_of(d), keys[n].game, keys[next].game);
}

void stamma_groups_finish(stamma_duplicates *d)
{
    uint32_t *parents = parents_of(d);
    memset(d->found.data, STAMMA_DUPLICATE_NONE, d->count);
    for (uint32_t game = 0; game < d->count; game++) {
        parents[game] = first_of(parents, game);
        if (parents[game] != game)
            d->found.data[game] = d->found.data[parents[game]] = NOT_COMPARED;
    }
}
