/* SPDX-License-Identifier: MIT */
/* The state that everything opened from one archive shares. */
#include "archive/handle.h"

enum { CACHE_DEFAULT = 128 << 20 };

static void skip_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

/* Returns whether the bytes begin like an archive: the errors of a scan. */
static stamma_error check_header(const stamma_archive *a)
{
    bytes_input bytes = {.bytes = a->bytes};
    const archive_input input = stamma_bytes_input(&bytes);
    scan s;
    memset(&s, 0, sizeof s);
    s.allocator = &a->allocator;
    s.report = skip_damage;
    stamma_error error = stamma_scan_open(&s, &input);
    stamma_scan_release(&s);
    return error;
}

stamma_error stamma_handle_open(stamma_archive *a, const stamma_bytes *bytes, const stamma_archive_options *options)
{
    memset(a, 0, sizeof *a);
    a->allocator = stamma_allocator_or_default(options->allocator);
    if (options->executor)
        a->executor = *options->executor;
    a->memory = options->memory > 0 ? options->memory : MEMORY_DEFAULT;
    a->bytes = *bytes;
    a->skip_damage = options->skip_damage;
    atomic_init(&a->index, NULL);
    atomic_init(&a->lists[0].made, false);
    atomic_init(&a->lists[1].made, false);
    atomic_flag_clear(&a->lock.taken);
    stamma_block_cache_init(&a->cache, options->cache > 0 ? options->cache : CACHE_DEFAULT);
    return check_header(a);
}

void stamma_handle_release(stamma_archive *a)
{
    stamma_block_cache_release(&a->cache, &a->allocator);
    stamma_block_list_release(&a->lists[0].list, &a->allocator);
    stamma_block_list_release(&a->lists[1].list, &a->allocator);
}

stamma_error stamma_handle_list(stamma_archive *a, bool to_end, const block_list **list)
{
    block_list made;
    lazy_list *lazy = &a->lists[to_end];
    *list = &lazy->list;
    if (atomic_load_explicit(&lazy->made, memory_order_acquire))
        return STAMMA_OK;
    stamma_error error = (to_end ? stamma_block_list_read : stamma_block_list_open)(&made, &a->bytes, &a->allocator);
    if (error != STAMMA_OK)
        return error;
    stamma_short_lock(&a->lock);
    const bool late = atomic_load_explicit(&lazy->made, memory_order_relaxed); /* another thread was faster */
    if (!late)
        lazy->list = made;
    atomic_store_explicit(&lazy->made, true, memory_order_release);
    stamma_short_unlock(&a->lock);
    if (late)
        stamma_block_list_release(&made, &a->allocator);
    return STAMMA_OK;
}

stamma_error stamma_archive_games(stamma_archive *a, uint64_t *games)
{
    const block_list *list = NULL;
    if (!a || !games)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_handle_list(a, false, &list);
    if (error == STAMMA_OK)
        *games = list->games;
    return error;
}

stamma_error stamma_archive_blocks(stamma_archive *a, stamma_block *blocks, size_t capacity, size_t *count)
{
    const block_list *list = NULL;
    if (!a || !count || (!blocks && capacity > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_handle_list(a, false, &list);
    if (error != STAMMA_OK)
        return error;
    for (size_t n = 0; n < list->count && n < capacity; n++) {
        const placed_block *place = &list->places[n];
        const span *games = &place->spans[SPAN_GAMES];
        blocks[n] = (stamma_block){.first_game = games->begin + 1,
                                   .last_game = games->end,
                                   .size = place->end - place->offset,
                                   .text_size = place->spans[SPAN_BYTES].size};
    }
    *count = list->count;
    return STAMMA_OK;
}
