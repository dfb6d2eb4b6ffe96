/* Finds games that occur several times, and selects which of them to keep. */
#include "curate/curate.h"

enum { ALL_KINDS = 30 };

stamma_error stamma_duplicates_open(const stamma_duplicates_options *given, stamma_duplicates **duplicates)
{
    stamma_duplicates_options options;
    stamma_error error = duplicates ? stamma_options_read(given, &options, sizeof options) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error)
        return error;
    if (!allocator_is_given(options.allocator) || options.kinds & ~(unsigned)ALL_KINDS ||
        (unsigned)options.keep > STAMMA_KEEP_LAST)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_duplicates *d = (stamma_duplicates *)memory_allocate(&allocator, sizeof *d);
    if (!d)
        return STAMMA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof *d);
    d->allocator = allocator;
    d->memory = options.memory ? options.memory : UINT64_MAX;
    d->kinds = options.kinds ? options.kinds : ALL_KINDS;
    d->keep = (unsigned)options.keep;
    d->texts.allocator = d->facts.allocator = d->moves.allocator = d->plain.allocator = &d->allocator;
    d->folded.allocator = d->pairs.allocator = d->keys.allocator = d->result.allocator = &d->allocator;
    d->texts.copies = true;
    *duplicates = d;
    return STAMMA_OK;
}

void stamma_duplicates_close(stamma_duplicates *d)
{
    if (!d)
        return;
    stamma_allocator allocator = d->allocator;
    buffer *all[] = {&d->facts, &d->moves, &d->plain, &d->folded, &d->pairs, &d->keys, &d->result};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    stamma_text_table_release(&d->texts);
    memory_release(&allocator, d);
}

stamma_error stamma_duplicates_add(stamma_duplicates *d, const stamma_archive_game *game)
{
    if (!d || d->found || !game || game->continuation || (!game->moves && game->ply_count > 0) ||
        (!game->tags && game->tag_count > 0) || fact_count(d) >= UINT32_MAX - 1 || game->ply_count > UINT32_MAX)
        return STAMMA_ERROR_BAD_ARGUMENT;
    game_facts facts;
    size_t moves = d->moves.size;
    if (!buffer_reserve(&d->facts, sizeof facts) || !stamma_facts_read(d, game, &facts)) {
        d->facts.failed = false;
        return STAMMA_ERROR_NO_MEMORY;
    }
    if (!stamma_duplicates_fit(d)) {
        d->moves.size = moves;
        return STAMMA_ERROR_LIMIT;
    }
    buffer_add(&d->facts, &facts, sizeof facts);
    return STAMMA_OK;
}

/* Assigns game `other` to the game that is kept instead of `better`, if they are the same game. */
static void assign(stamma_duplicates *d, const duplicate_pair *pair)
{
    stamma_duplicate *all = (stamma_duplicate *)(void *)d->result.data;
    uint64_t kept = all[pair->better].kept;
    stamma_duplicate_kind kind = (stamma_duplicate_kind)pair->kind;
    if (all[pair->other].kept != pair->other)
        return;
    if (kept != pair->better)
        kind = stamma_same_game(d, facts_of(d, (size_t)kept), facts_of(d, pair->other));
    if (kind != STAMMA_DUPLICATE_NONE)
        all[pair->other] = (stamma_duplicate){kept, kind, {0}};
}

stamma_error stamma_duplicates_find(stamma_duplicates *d)
{
    if (!d || d->found)
        return STAMMA_ERROR_BAD_ARGUMENT;
    size_t count = fact_count(d);
    stamma_duplicate *all = (stamma_duplicate *)buffer_array(&d->result, count, sizeof *all);
    stamma_error error = all ? stamma_pairs_find(d) : STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count && !error; n++)
        all[n] = (stamma_duplicate){n, STAMMA_DUPLICATE_NONE, {0}};
    const duplicate_pair *pairs = (const duplicate_pair *)(void *)d->pairs.data;
    for (size_t n = 0; n < d->pairs.size / sizeof *pairs && !error; n++)
        assign(d, &pairs[n]);
    d->result.failed = d->pairs.failed = d->keys.failed = false;
    stamma_buffer_release(&d->pairs);
    d->found = !error;
    return error;
}

size_t stamma_duplicates_count(const stamma_duplicates *d)
{
    return fact_count(d);
}

stamma_error stamma_duplicates_at(const stamma_duplicates *d, size_t index, stamma_duplicate *duplicate)
{
    if (!d || !duplicate || !d->found || index >= fact_count(d))
        return STAMMA_ERROR_BAD_ARGUMENT;
    *duplicate = ((const stamma_duplicate *)(const void *)d->result.data)[index];
    return STAMMA_OK;
}

const char *stamma_duplicate_kind_name(stamma_duplicate_kind kind)
{
    static const char *const names[] = {"none", "exact", "spelling", "included", "similar"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}
