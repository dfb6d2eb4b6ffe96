/* SPDX-License-Identifier: MIT */
/* Answers the tree of a position from pages. */
#include "pages/pages.h"

#include "stamma/pages.h"

typedef struct pages_question {
    stamma_pages *x;
    const stamma_position *position;
    const stamma_position *before; /* positions before it, oldest first */
    size_t count;
    buffer room;
    index_sums *sums;
    bool found;
    bool listed; /* only some games are listed, so moves of several games have no examples */
} pages_question;

/* ---- the last popular position before a rare position ---- */

typedef struct popular_search {
    size_t at; /* place in `before`; SIZE_MAX: none */
    pages_place place;
} popular_search;

/* Tests a position before the question's. */
static stamma_error probe(pages_question *q, size_t n, popular_search *s, bool *popular)
{
    pages_entry entry;
    const stamma_error error = stamma_pages_find(q->x, stamma_position_key(&q->before[n]), &q->room, &entry);
    *popular = error == STAMMA_OK && entry.found && entry.popular;
    if (*popular)
        *s = (popular_search){n, entry.places[0]};
    return error;
}

static bool is_kept(const pages_question *q, size_t n)
{
    const uint32_t bucket = pages_bucket_of(q->x, stamma_position_key(&q->before[n]));
    const uint64_t *starts = q->x->starts;
    return stamma_pages_are_kept(q->x, starts[bucket], (size_t)(starts[bucket + 1] - starts[bucket]));
}

/* Finds the last popular position. First tests, from the last on, positions whose buckets are in memory: a client that
 * follows the moves of a game has them. The search of the others assumes that positions before a popular one are
 * popular. It may find another popular position than the last. */
static stamma_error find_popular(pages_question *q, popular_search *s)
{
    size_t high = q->count, low = 0, middle = q->x->usual;
    bool popular = false;
    stamma_error error = STAMMA_OK;
    s->at = SIZE_MAX;
    while (high > 0 && !popular && error == STAMMA_OK && is_kept(q, high - 1))
        error = probe(q, --high, s, &popular);
    while (low < high && !popular && error == STAMMA_OK) {
        bool right;
        middle = middle >= low && middle < high ? middle : low + (high - low) / 2;
        error = probe(q, middle, s, &right);
        low = right ? middle + 1 : low;
        high = right ? high : middle;
        middle = SIZE_MAX;
    }
    return error;
}

/* ---- answers ---- */

/* Looks for the position in the lines of a popular position. */
static stamma_error read_popular(pages_question *q, const popular_search *s)
{
    if (s->place.span == 0)
        return STAMMA_OK;
    return stamma_pages_read_lines(q->x, &s->place, &q->before[s->at], q->position, q->sums, &q->found);
}

/* If the lines of the popular position that was found do not reach the position, a rare position is between two popular
 * ones. Examines some of the positions after it, whose buckets are read, instead of asking the archive. */
static stamma_error read_rare(pages_question *q)
{
    enum { MORE = 8 };
    popular_search s;
    stamma_error error = find_popular(q, &s);
    if (error != STAMMA_OK || s.at == SIZE_MAX)
        return error;
    error = read_popular(q, &s);
    const size_t first = s.at + 2, end = q->count < first + MORE ? q->count : first + MORE;
    for (size_t n = first; n < end && error == STAMMA_OK && !q->found; n++) {
        bool popular;
        error = probe(q, n, &s, &popular);
        if (error == STAMMA_OK && popular)
            error = read_popular(q, &s);
    }
    return error;
}

/* Reads the lines of all popular positions from which games reach a transposed position. */
static stamma_error read_references(pages_question *q, const pages_entry *entry)
{
    stamma_error error = STAMMA_OK;
    for (unsigned n = 0; n < entry->references && error == STAMMA_OK; n++) {
        bool found = false;
        error = stamma_pages_read_lines(q->x, &entry->places[n], NULL, q->position, q->sums, &found);
        if (error == STAMMA_OK && !found)
            error = stamma_pages_fail(q->x);
    }
    q->found = true;
    return error;
}

static stamma_error answer(pages_question *q)
{
    pages_entry entry;
    stamma_error error = stamma_pages_find(q->x, stamma_position_key(q->position), &q->room, &entry);
    if (error != STAMMA_OK)
        return error;
    if (!entry.found)
        return read_rare(q);
    if (entry.references > 0)
        return read_references(q, &entry);
    q->found = q->listed = true;
    return stamma_pages_read_body(q->x, q->position, entry.body, q->sums);
}

/* Removes the examples that are not known to be the first. Their names are empty, so that they are not read. */
static void cut_examples(stamma_tree *tree, bool listed)
{
    const stamma_tree_game none = {.archive = {"", 0}, .white = {"", 0}, .black = {"", 0}};
    stamma_tree_move *moves = (stamma_tree_move *)(void *)tree->moves.data;
    tree->top.count = tree->top.count < PAGES_TOP ? tree->top.count : PAGES_TOP;
    tree->recent.count = tree->recent.count < PAGES_TOP ? tree->recent.count : PAGES_TOP;
    for (size_t n = 0; n < stamma_tree_move_count(tree); n++)
        if (listed && moves[n].counts.games > 1)
            moves[n].top = moves[n].recent = none;
}

static stamma_error add_sums(stamma_tree *tree, stamma_text name, const pages_question *q)
{
    stamma_tree *part = NULL;
    stamma_error error = stamma_tree_open(&tree->position, &tree->allocator, &part);
    if (error == STAMMA_OK)
        error = stamma_tree_add_sums(part, name, q->sums);
    if (error == STAMMA_OK) {
        cut_examples(part, q->listed);
        error = stamma_tree_merge(tree, part);
    }
    stamma_tree_close(part);
    return error == STAMMA_ERROR_CORRUPT ? stamma_pages_fail(q->x) : error;
}

stamma_error stamma_tree_add_pages(stamma_tree *tree, stamma_text name, stamma_pages *x, const stamma_position *before,
                                   size_t count, bool *found)
{
    if (!tree || !text_is_given(name) || !x || (!before && count > 0) || !found)
        return STAMMA_ERROR_BAD_ARGUMENT;
    *found = false;
    if (tree->history)
        return STAMMA_OK;
    pages_question q = {.x = x,
                        .position = &tree->position,
                        .before = before,
                        .count = count,
                        .room = {.allocator = &x->allocator},
                        .sums = (index_sums *)memory_allocate(&x->allocator, sizeof(index_sums))};
    if (!q.sums)
        return STAMMA_ERROR_NO_MEMORY;
    memset(q.sums, 0, sizeof *q.sums);
    stamma_error error = answer(&q);
    if (error == STAMMA_OK && q.found)
        error = add_sums(tree, name, &q);
    if (error == STAMMA_OK)
        *found = q.found;
    memory_release(&x->allocator, q.sums);
    stamma_buffer_release(&q.room);
    return error;
}
