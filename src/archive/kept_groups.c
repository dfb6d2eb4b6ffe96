/* SPDX-License-Identifier: MIT */
/* Keeps decoded groups of records, so that a block from which many games are read is decoded only once. */
#include "archive/reader.h"

static uint64_t memory_of(game_batch *batch)
{
    return stamma_game_batch_memory(batch) + sizeof *batch;
}

static void release(kept_groups *g, size_t group)
{
    g->memory -= memory_of(g->batches[group]);
    stamma_game_batch_release(g->batches[group]);
    memory_release(g->allocator, g->batches[group]);
    g->batches[group] = NULL;
}

void stamma_kept_groups_init(kept_groups *g, const stamma_allocator *allocator)
{
    *g = (kept_groups){.allocator = allocator};
}

void stamma_kept_groups_clear(kept_groups *g)
{
    for (size_t n = 0; n < g->count; n++)
        if (g->batches[n])
            release(g, n);
    memory_release(g->allocator, g->batches);
    memory_release(g->allocator, g->games);
    stamma_kept_groups_init(g, g->allocator);
}

void stamma_kept_groups_begin(kept_groups *g, const block_reader *b)
{
    stamma_kept_groups_clear(g);
    g->events = b->columns.at[COLUMN_EVENTS];
    g->piece = b->head.continues;
}

bool stamma_kept_groups_start(kept_groups *g, const block_reader *b)
{
    const size_t count = (size_t)((b->head.records + b->head.group - 1) / b->head.group);
    if (g->count > 0 || count == 0)
        return g->count > 0;
    g->batches = (game_batch **)memory_allocate(g->allocator, size_multiply(count, sizeof *g->batches));
    g->games = (uint32_t *)memory_allocate(g->allocator, size_multiply(count + 1, sizeof *g->games));
    if (!g->batches || !g->games) {
        memory_release(g->allocator, g->batches);
        memory_release(g->allocator, g->games);
        g->batches = NULL;
        g->games = NULL;
        return false;
    }
    for (size_t n = 0; n < count; n++)
        g->batches[n] = NULL;
    g->games[0] = 0;
    g->counted = 1;
    g->count = count;
    return true;
}

/* Counts the games of the next group. Each record has an event that describes its end. */
static void count_group(kept_groups *g, const block_reader *b)
{
    const uint64_t first = (g->counted - 1) * (uint64_t)b->head.group, left = b->head.records - first;
    uint64_t records = left < b->head.group ? left : b->head.group;
    uint32_t games = g->games[g->counted - 1];
    while (records > 0 && cursor_left(&g->events) > 0) {
        const unsigned kind = *g->events.at++ & 15u;
        if (!event_ends_record(kind))
            continue;
        games += !g->piece && kind != ITEM_END_NO_GAME;
        g->piece = kind == ITEM_END_OF_PIECE;
        records--;
    }
    g->games[g->counted++] = games;
}

size_t stamma_kept_groups_find(kept_groups *g, const block_reader *b, uint64_t number)
{
    while (g->counted <= g->count && g->games[g->counted - 1] < number)
        count_group(g, b);
    size_t low = 0, high = g->counted - 1; /* the first group at whose end there are `number` games */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (g->games[middle + 1] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Releases the groups farthest from `group` until `memory` more bytes fit into the limit. */
static void make_room(kept_groups *g, size_t group, uint64_t memory, uint64_t limit)
{
    size_t first = 0, last = g->count;
    while (g->memory > limit - memory) {
        while (first < group && !g->batches[first])
            first++;
        while (last > group + 1 && !g->batches[last - 1])
            last--;
        const bool above = last - group > group - first;
        if (above ? last == group + 1 : first == group)
            return;
        release(g, above ? last - 1 : first);
    }
}

void stamma_kept_groups_limit(kept_groups *g, uint64_t limit)
{
    make_room(g, 0, 0, limit);
}

game_batch *stamma_kept_groups_keep(kept_groups *g, size_t group, game_batch *batch, uint64_t limit)
{
    game_batch *kept = NULL;
    if (limit == 0 || g->count <= group || g->batches[group])
        return batch;
    stamma_game_batch_trim(batch);
    const uint64_t memory = memory_of(batch);
    if (memory <= limit)
        make_room(g, group, memory, limit);
    if (memory <= limit && g->memory <= limit - memory)
        kept = (game_batch *)memory_allocate(g->allocator, sizeof *kept);
    if (!kept)
        return batch;
    *kept = *batch;
    stamma_game_batch_init(batch, g->allocator);
    g->batches[group] = kept;
    g->memory += memory;
    return kept;
}
