/* SPDX-License-Identifier: MIT */
/* A matcher: the working memory for a query and the game that is being tested, and the positions of the game. */
#include "query/query.h"

/* ---- positions ---- */

static bool place_turned(stamma_matcher *m, unsigned turn)
{
    const stamma_position *plain = stamma_matcher_positions(m, 0);
    if (!plain)
        return false;
    stamma_position *positions = (stamma_position *)(void *)m->positions[turn].data;
    for (size_t ply = 0; ply <= m->plies; ply++)
        positions[ply] = stamma_position_turned(&plain[ply], turn);
    return true;
}

static void place_plain(stamma_matcher *m)
{
    stamma_position *positions = (stamma_position *)(void *)m->positions[0].data;
    positions[0] = m->game->start;
    for (size_t ply = 0; ply < m->plies; ply++)
        stamma_position_make(&positions[ply], m->game->moves[ply], &positions[ply + 1]);
}

const stamma_position *stamma_matcher_positions(stamma_matcher *m, unsigned turn)
{
    buffer *positions = &m->positions[turn];
    if (!m->placed[turn]) {
        positions->size = 0;
        if (!buffer_reserve(positions, size_multiply(m->plies + 1, sizeof(stamma_position))) ||
            (turn != 0 && !place_turned(m, turn))) {
            m->failed = true;
            return NULL;
        }
        if (turn == 0)
            place_plain(m);
        m->placed[turn] = true;
    }
    return (const stamma_position *)(const void *)positions->data;
}

/* ---- matchers ---- */

enum { BUFFERS = 13 };

static void list_buffers(stamma_matcher *m, buffer *all[BUFFERS])
{
    for (size_t i = 0; i < 4; i++)
        all[i] = &m->positions[i];
    all[4] = &m->sets;
    all[5] = &m->plain;
    all[6] = &m->folded;
    all[7] = &m->reported;
    all[8] = &m->repeats;
    all[9] = &m->steps;
    all[10] = &m->lines;
    all[11] = &m->line_moves;
    all[12] = &m->line_items;
}

stamma_error stamma_matcher_open(const stamma_query *query, const stamma_allocator *allocator, stamma_matcher **matcher)
{
    if (!query || !allocator_is_given(allocator) || !matcher)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator own = stamma_allocator_or_default(allocator);
    stamma_matcher *m = memory_allocate(&own, sizeof *m);
    if (!m)
        return STAMMA_ERROR_NO_MEMORY;
    memset(m, 0, sizeof *m);
    m->query = query;
    m->allocator = own;
    buffer *all[BUFFERS];
    list_buffers(m, all);
    for (size_t i = 0; i < BUFFERS; i++)
        all[i]->allocator = &m->allocator;
    m->places.allocator = &m->allocator;
    m->places.copies = true;
    *matcher = m;
    return STAMMA_OK;
}

void stamma_matcher_close(stamma_matcher *matcher)
{
    buffer *all[BUFFERS];
    if (!matcher)
        return;
    list_buffers(matcher, all);
    for (size_t i = 0; i < BUFFERS; i++)
        stamma_buffer_release(all[i]);
    stamma_text_table_release(&matcher->places);
    stamma_matcher_close(matcher->inner);
    stamma_allocator allocator = matcher->allocator;
    memory_release(&allocator, matcher);
}

bool stamma_matcher_begin(stamma_matcher *m, const stamma_archive_game *game)
{
    m->game = game;
    m->plies = game->ply_count;
    m->words = m->plies / 64 + 1;
    m->failed = m->plain.failed = m->folded.failed = m->reported.failed = m->sets.failed = false;
    m->lines.failed = m->line_moves.failed = m->line_items.failed = false;
    m->places.failed = m->repeats.failed = m->steps.failed = m->repeats_known = m->steps_known = false;
    memset(m->placed, 0, sizeof m->placed);
    m->turn = 0;
    m->reported.size = m->sets.size = m->sets_used = 0;
    return buffer_reserve(&m->sets, size_multiply(size_add(m->query->root.sets, 1), m->words * sizeof(uint64_t)));
}
