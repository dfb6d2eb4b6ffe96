/* SPDX-License-Identifier: MIT */
/* Opens archives with their indexes. This is the lowest room that uses archives and indexes. */
#include "search/search_index.h"

/* Sets the index of an archive, unless the archive already has an index. */
static void publish(stamma_archive *a, stamma_search_index *index)
{
    stamma_search_index *none = NULL;
    if (!atomic_compare_exchange_strong(&a->index, &none, index))
        stamma_search_index_close(index);
}

stamma_error stamma_archive_use_index(stamma_archive *a, const stamma_bytes *file)
{
    stamma_search_index *index = NULL;
    if (!a || !bytes_are_given(file))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_search_index_open(&a->bytes, file, &a->allocator, &index);
    if (error == STAMMA_OK)
        publish(a, index);
    return error;
}

/* Opens the index file of the options. If it cannot be used, the archive has no index. Errors: NO_MEMORY. */
static stamma_error use_file(stamma_archive *a, const stamma_bytes *file)
{
    if (!file)
        return STAMMA_OK;
    a->index_given = true;
    a->index_bytes = *file;
    a->index_error = stamma_archive_use_index(a, file);
    return a->index_error == STAMMA_ERROR_NO_MEMORY ? a->index_error : STAMMA_OK;
}

stamma_error stamma_archive_open(const stamma_bytes *bytes, const stamma_archive_options *given,
                                 stamma_archive **archive)
{
    stamma_archive_options options = {0};
    if (!bytes_are_given(bytes) || !archive)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error =
        stamma_archive_options_read(given, &options, sizeof options, &options.allocator, &options.executor);
    if (error == STAMMA_OK && options.index && !bytes_are_given(options.index))
        error = STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    const stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_archive *a = (stamma_archive *)memory_allocate(&allocator, sizeof *a);
    if (!a)
        return STAMMA_ERROR_NO_MEMORY;
    error = stamma_handle_open(a, bytes, &options);
    if (error == STAMMA_OK)
        error = use_file(a, options.index);
    if (error == STAMMA_OK)
        *archive = a;
    else
        stamma_archive_close(a);
    return error;
}

void stamma_archive_close(stamma_archive *a)
{
    if (!a)
        return;
    const stamma_allocator allocator = a->allocator;
    stamma_search_index_close(atomic_load(&a->index));
    stamma_handle_release(a);
    memory_release(&allocator, a);
}

stamma_error stamma_archive_index(const stamma_archive *a, stamma_index_state *state)
{
    if (!a || !state || !stamma_result_has_size(state))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_search_index *x = atomic_load_explicit(&a->index, memory_order_acquire);
    stamma_index_state s = {.size = sizeof s, .error = a->index_error};
    if (x) {
        s.kind = x->file ? STAMMA_INDEX_FILE : STAMMA_INDEX_MEMORY;
        s.damaged = x->file && atomic_load_explicit(&x->file->damaged, memory_order_relaxed);
        s.partial = x->partial;
        s.memory = x->memory;
    }
    stamma_result_write(&s, sizeof s, state);
    return STAMMA_OK;
}

stamma_error stamma_archive_check_index(const stamma_archive *a)
{
    const stamma_search_index *x = a ? atomic_load_explicit(&a->index, memory_order_acquire) : NULL;
    if (!x || !x->file)
        return STAMMA_ERROR_BAD_ARGUMENT;
    return stamma_index_check_again(x->file) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

stamma_error stamma_archive_keep_index(stamma_archive *a, const stamma_index_keep_options *given)
{
    stamma_index_keep_options options = {0};
    stamma_search_index *index = NULL;
    if (!a)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_options_read(given, &options, sizeof options);
    if (error != STAMMA_OK || atomic_load(&a->index))
        return error;
    if (options.memory == 0)
        options.memory = a->memory;
    error = stamma_search_index_make(a, &options, &index);
    if (error == STAMMA_OK)
        publish(a, index);
    return error;
}
