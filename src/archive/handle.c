/* The state that everything opened from one archive shares. */
#include "archive/handle.h"

enum { CACHE_DEFAULT = 64 << 20 };

void stamma_short_lock(short_lock *lock)
{
    while (atomic_flag_test_and_set_explicit(&lock->taken, memory_order_acquire)) {
    }
}

void stamma_short_unlock(short_lock *lock)
{
    atomic_flag_clear_explicit(&lock->taken, memory_order_release);
}

stamma_error stamma_handle_open(stamma_archive *a, const stamma_bytes *bytes, const stamma_archive_options *options)
{
    memset(a, 0, sizeof *a);
    a->allocator = stamma_allocator_or_default(options->allocator);
    if (options->executor)
        a->executor = *options->executor;
    a->memory = options->memory > 0 ? options->memory : ARCHIVE_MEMORY_DEFAULT;
    a->bytes = *bytes;
    a->skip_damage = options->skip_damage;
    atomic_init(&a->has_all, false);
    atomic_flag_clear(&a->lock.taken);
    stamma_block_cache_init(&a->cache, options->cache > 0 ? options->cache : CACHE_DEFAULT);
    return stamma_block_list_open(&a->list, &a->bytes, &a->allocator);
}

void stamma_handle_release(stamma_archive *a)
{
    stamma_block_cache_release(&a->cache, &a->allocator);
    stamma_block_list_release(&a->list, &a->allocator);
    stamma_block_list_release(&a->all, &a->allocator);
}

stamma_error stamma_handle_list(stamma_archive *a, bool to_end, const block_list **list)
{
    block_list all;
    *list = to_end ? &a->all : &a->list;
    if (!to_end || atomic_load_explicit(&a->has_all, memory_order_acquire))
        return STAMMA_OK;
    stamma_error error = stamma_block_list_read(&all, &a->bytes, &a->allocator);
    if (error != STAMMA_OK)
        return error;
    stamma_short_lock(&a->lock);
    const bool late = atomic_load_explicit(&a->has_all, memory_order_relaxed); /* another thread was faster */
    if (!late)
        a->all = all;
    atomic_store_explicit(&a->has_all, true, memory_order_release);
    stamma_short_unlock(&a->lock);
    if (late)
        stamma_block_list_release(&all, &a->allocator);
    return STAMMA_OK;
}

uint64_t stamma_archive_games(const stamma_archive *a)
{
    return a ? a->list.games : 0;
}

stamma_error stamma_archive_blocks(const stamma_archive *a, stamma_block *blocks, size_t capacity, size_t *count)
{
    if (!a || !count || (!blocks && capacity > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    for (size_t n = 0; n < a->list.count && n < capacity; n++) {
        const placed_block *place = &a->list.places[n];
        const span *games = &place->spans[SPAN_GAMES];
        blocks[n] = (stamma_block){.first_game = games->begin + 1,
                                   .last_game = games->end,
                                   .size = place->end - place->offset,
                                   .text_size = place->spans[SPAN_BYTES].size};
    }
    *count = a->list.count;
    return STAMMA_OK;
}
