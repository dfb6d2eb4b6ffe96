/* SPDX-License-Identifier: MIT */
/* Compares the games of a group, and selects which to keep.
 *
 * Each pass sorts the games by one key. In a large group, each game is only compared with its neighbours, so that the
 * time is proportional to n log n. */
#include "duplicates/duplicates.h"

#include <stdlib.h>

/* A game of the group. The games are in descending order of rank. */
typedef struct candidate {
    uint64_t key;
    uint64_t order;
    uint32_t member;
} candidate;

/* Two games that are the same game; `better` is the one to keep. Both are numbers in the group. */
typedef struct duplicate_pair {
    uint32_t better, other;
    uint8_t relation;
} duplicate_pair;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = (const candidate *)a, *y = (const candidate *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

static int compare_pairs(const void *a, const void *b)
{
    const duplicate_pair *x = (const duplicate_pair *)a, *y = (const duplicate_pair *)b;
    if (x->better != y->better)
        return x->better < y->better ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

static int compare_ranks(const void *a, const void *b)
{
    const game_facts *const *x = (const game_facts *const *)a, *const *y = (const game_facts *const *)b;
    if ((*x)->known != (*y)->known)
        return (*x)->known ? -1 : 1;
    for (size_t n = 0; n <= KEPT_RULES; n++)
        if ((*x)->rank[n] != (*y)->rank[n])
            return (*x)->rank[n] > (*y)->rank[n] ? -1 : 1;
    return 0;
}

static uint64_t players_hash(const stamma_duplicates *d, const game_facts *f)
{
    uint64_t white = stamma_surname_hash(fact_text(d, f->names[STAMMA_WHITE]));
    uint64_t black = stamma_surname_hash(fact_text(d, f->names[STAMMA_BLACK]));
    return white == 0 || black == 0 ? 0 : white * UINT64_C(0x9E3779B97F4A7C15) ^ black;
}

static void compare(stamma_duplicates *d, const game_facts *const *games, uint32_t a, uint32_t b)
{
    if (games[a]->known && games[b]->known)
        return;
    const duplicate_pair pair = {a < b ? a : b, a < b ? b : a, stamma_same_game(d, games[a], games[b])};
    if (pair.relation != STAMMA_DUPLICATE_NONE)
        buffer_add(&d->pairs, &pair, sizeof pair);
}

/* Removes pairs that were found in several passes. */
static void sort_pairs(stamma_duplicates *d)
{
    duplicate_pair *pairs = (duplicate_pair *)(void *)d->pairs.data;
    const size_t count = d->pairs.size / sizeof *pairs;
    size_t left = 0;
    if (count < 2)
        return;
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (size_t n = 0; n < count; n++)
        if (left == 0 || compare_pairs(&pairs[left - 1], &pairs[n]) != 0)
            pairs[left++] = pairs[n];
    d->pairs.size = left * sizeof *pairs;
}

/* Compares the games with the same key. */
static void run_pass(stamma_duplicates *d, const game_facts *const *games, uint32_t count, unsigned pass)
{
    candidate *all = (candidate *)(void *)d->candidates.data;
    size_t used = 0;
    for (uint32_t n = 0; n < count; n++) {
        const game_facts *f = games[n];
        const uint64_t players = players_hash(d, f), key = pass == KEY_PLAYERS ? players : f->keys[pass];
        if (key != 0)
            all[used++] = (candidate){key, pass == KEY_PLAYERS ? f->date : players, n};
    }
    if (used > 1)
        qsort(all, used, sizeof *all, compare_candidates);
    for (size_t n = 0; n < used; n++)
        for (size_t next = n + 1; next < used && next - n <= NEIGHBOURS && all[next].key == all[n].key; next++)
            compare(d, games, all[n].member, all[next].member);
    sort_pairs(d);
}

/* Assigns the other game of a pair to the game that is kept instead of the better game, if these two are the same game.
 * `kept` contains for each game a better game that is the same game; a game that is kept contains itself. Probable
 * duplicates are assigned after all others. */
static void assign(stamma_duplicates *d, const game_facts *const *games, uint32_t *kept, const duplicate_pair *pair,
                   bool probable)
{
    const game_facts *other = games[pair->other];
    uint32_t better = pair->better;
    uint8_t relation = pair->relation;
    if (kept[pair->other] != pair->other)
        return;
    while (kept[better] != better)
        better = kept[better];
    if (better != pair->better)
        relation = stamma_same_game(d, games[better], other);
    if (relation == STAMMA_DUPLICATE_NONE || (relation_kind(relation) == STAMMA_DUPLICATE_PROBABLE) != probable)
        return;
    kept[pair->other] = better;
    parents_of(d)[other->game] = games[better]->game;
    d->found.data[other->game] = relation;
}

static void assign_all(stamma_duplicates *d, const game_facts *const *games, uint32_t count)
{
    uint32_t *kept = (uint32_t *)(void *)d->candidates.data;
    const duplicate_pair *pairs = (const duplicate_pair *)(const void *)d->pairs.data;
    for (uint32_t n = 0; n < count; n++) {
        kept[n] = n;
        parents_of(d)[games[n]->game] = games[n]->game;
        d->found.data[games[n]->game] = STAMMA_DUPLICATE_NONE;
    }
    for (unsigned probable = 0; probable < 2; probable++)
        for (size_t n = 0; n < d->pairs.size / sizeof *pairs; n++)
            assign(d, games, kept, &pairs[n], probable);
}

stamma_error stamma_group_compare(stamma_duplicates *d, const uint64_t *members, size_t count)
{
    const game_facts **games = (const game_facts **)buffer_array(&d->ranked, count, sizeof *games);
    if (!games || !buffer_array(&d->candidates, count, sizeof(candidate)))
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count; n++)
        games[n] = facts_of(d, (uint32_t)members[n]);
    qsort(games, count, sizeof *games, compare_ranks);
    d->pairs.size = 0;
    for (unsigned pass = 0; pass < GAME_KEYS; pass++)
        run_pass(d, games, (uint32_t)count, pass);
    if (d->pairs.failed)
        return STAMMA_ERROR_NO_MEMORY;
    assign_all(d, games, (uint32_t)count);
    return d->work.plain.failed || d->work.folded.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
