/* SPDX-License-Identifier: MIT */
/* Passes over the games of an index file. */
#include "pages/pages_build.h"

enum { REPORT_GAMES = 4096 };

uint32_t stamma_pages_parts(const pages_build *b, uint64_t count, uint64_t bytes)
{
    const uint64_t parts = count * bytes / b->options.memory + 1;
    return parts < UINT16_MAX ? (uint32_t)parts : UINT16_MAX;
}

stamma_error stamma_pages_report(pages_build *b)
{
    b->done++;
    if (b->done % REPORT_GAMES != 0 || !b->options.progress)
        return STAMMA_OK;
    const uint64_t done = b->done < b->total ? b->done : b->total;
    return b->options.progress(b->options.context, done, b->total) ? STAMMA_OK : STAMMA_ERROR_CANCELLED;
}

bool stamma_pages_filter_open(pages_filter *f, uint64_t count, const stamma_allocator *allocator)
{
    enum { KEY_BITS = 16, WORD_BYTES = 8 };
    uint64_t size = WORD_BYTES;
    while (size < FILTER_BYTES_MAX && 8 * size < KEY_BITS * count)
        size *= 2;
    f->bits = (uint64_t *)memory_allocate(allocator, (size_t)size);
    f->mask = 8 * size - 1;
    if (f->bits)
        memset(f->bits, 0, (size_t)size);
    return f->bits != NULL;
}

/* ---- typed games ---- */

/* Decodes moves from a position. */
static stamma_error decode(pages_walk *w, const stamma_position *from, const uint8_t *codes, size_t count,
                           stamma_move *moves)
{
    stamma_position end;
    uint8_t *facts = (uint8_t *)buffer_array(&w->san_facts, count, 1);
    if (!facts)
        return STAMMA_ERROR_NO_MEMORY;
    const stamma_error error = stamma_byte_decode_game(from, codes, count, moves, facts, &end);
    return error == STAMMA_OK ? STAMMA_OK : stamma_index_damaged(w->build->file);
}

/* Plays the plies that differ from the game before. */
static stamma_error play(pages_walk *w)
{
    const unsigned limit = w->build->options.plies + 1, before = w->length;
    unsigned n = 0;
    w->length = w->line.size < limit ? (unsigned)w->line.size : limit;
    while (n < w->length && n < before && w->codes[n] == w->line.data[n])
        n++;
    w->shared = n;
    const stamma_error error = decode(w, &w->positions[n], w->line.data + n, w->length - n, w->played + n);
    for (; n < w->length && error == STAMMA_OK; n++) {
        w->codes[n] = w->line.data[n];
        stamma_position_make(&w->positions[n], w->played[n], &w->positions[n + 1]);
        w->keys[n + 1] = stamma_position_key(&w->positions[n + 1]);
    }
    w->deepest = w->length < w->build->options.plies ? w->length : w->build->options.plies;
    return error;
}

/* Reads the game of a rank. */
static stamma_error read_game(pages_walk *w, const index_segment *s)
{
    const uint32_t limit = w->build->options.plies + 1;
    const uint8_t *codes;
    uint32_t available;
    stamma_error error = stamma_index_moves_begin(&w->moves, s, w->rank);
    if (error != STAMMA_OK)
        return error;
    const uint32_t few = limit > w->moves.depth ? limit - w->moves.depth : 0;
    error = stamma_index_moves_continue(&w->moves, s, w->rank, w->complete ? UINT32_MAX : few, &codes, &available);
    if (error != STAMMA_OK)
        return error;
    w->line.size = 0;
    buffer_add(&w->line, w->moves.path, w->moves.depth);
    buffer_add(&w->line, codes, available);
    if (w->line.failed || !buffer_reserve(&w->line, 1))
        return STAMMA_ERROR_NO_MEMORY;
    error = play(w);
    w->rest = w->line.data + w->length;
    w->rest_count = (uint32_t)w->line.size - w->length;
    return error;
}

stamma_error stamma_pages_walk_game(const pages_walk *w, pages_game *game)
{
    const index_segment *s = &w->build->file->segments[w->segment];
    game->number = (uint32_t)stamma_index_game(w->build->file, s, stamma_index_record(w->build->file, s, w->rank));
    return stamma_index_facts(w->build->file, s, w->rank, &game->facts, NULL) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

bool stamma_pages_walk_is_new(const pages_walk *w, unsigned ply)
{
    const unsigned clock = w->positions[ply].halfmove_clock;
    for (unsigned back = 1; back <= clock && back <= ply; back++)
        if (w->keys[ply - back] == w->keys[ply])
            return false;
    return true;
}

static stamma_error walk_segment(pages_walk *w, stamma_error (*visit)(void *context, pages_walk *w), void *context)
{
    const index_segment *s = &w->build->file->segments[w->segment];
    stamma_error error = STAMMA_OK;
    for (w->rank = 0; w->rank < s->counts[COUNT_TYPED] && error == STAMMA_OK; w->rank += w->step) {
        w->number++;
        error = read_game(w, s);
        if (error == STAMMA_OK)
            error = visit(context, w);
        if (error == STAMMA_OK)
            error = stamma_pages_report(w->build);
    }
    return error;
}

stamma_error stamma_pages_walk(pages_build *b, uint32_t step, bool complete,
                               stamma_error (*visit)(void *context, pages_walk *w), void *context)
{
    pages_walk *w = (pages_walk *)memory_allocate(b->allocator, sizeof *w);
    stamma_error error = STAMMA_OK;
    if (!w)
        return STAMMA_ERROR_NO_MEMORY;
    memset(w, 0, sizeof *w);
    w->build = b;
    w->step = step;
    w->complete = complete;
    w->positions[0] = stamma_position_start();
    w->keys[0] = stamma_position_key(&w->positions[0]);
    w->line.allocator = w->moves_after.allocator = w->san_facts.allocator = b->allocator;
    stamma_index_moves_init(&w->moves, b->file, &b->archive->bytes, b->allocator);
    for (; w->segment < b->file->segment_count && error == STAMMA_OK; w->segment++)
        error = walk_segment(w, visit, context);
    stamma_index_moves_release(&w->moves);
    stamma_buffer_release(&w->line);
    stamma_buffer_release(&w->moves_after);
    stamma_buffer_release(&w->san_facts);
    memory_release(b->allocator, w);
    if (error == STAMMA_OK && atomic_load_explicit(&b->file->damaged, memory_order_relaxed))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

/* Calls `visit` for each position of a sequence of moves, and for the last. */
static stamma_error visit_moves(const stamma_position *from, const stamma_move *moves, size_t count, pages_visit visit,
                                void *context)
{
    stamma_position p = *from;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n <= count && error == STAMMA_OK; n++) {
        error = visit(context, &p, stamma_position_key(&p), n < count ? &moves[n] : NULL);
        if (n < count)
            stamma_position_make(&p, moves[n], &p);
    }
    return error;
}

stamma_error stamma_pages_walk_rest(pages_walk *w, pages_visit visit, void *context)
{
    const stamma_position *from = &w->positions[w->length];
    if (w->length <= w->build->options.plies)
        return STAMMA_OK; /* the game has no more positions */
    stamma_move *moves = (stamma_move *)buffer_array(&w->moves_after, w->rest_count, sizeof *moves);
    if (!moves)
        return STAMMA_ERROR_NO_MEMORY;
    const stamma_error error = decode(w, from, w->rest, w->rest_count, moves);
    return error == STAMMA_OK ? visit_moves(from, moves, w->rest_count, visit, context) : error;
}

/* ---- other games ---- */

/* Reads a game that is not typed. */
static stamma_error visit_other(pages_build *b, stamma_archive_reader *reader, const index_segment *s, uint32_t rank,
                                stamma_error (*begin)(void *context, const pages_game *game), pages_visit visit,
                                void *context)
{
    const stamma_archive_game *game = NULL;
    pages_game facts = {.number = (uint32_t)stamma_index_game(b->file, s, stamma_index_record(b->file, s, rank))};
    if (!stamma_index_facts(b->file, s, rank, &facts.facts, NULL))
        return STAMMA_ERROR_CORRUPT;
    stamma_error error = stamma_archive_reader_seek(reader, facts.number);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_next(reader, &game);
    if (error == STAMMA_OK && (!game || game->continuation))
        error = stamma_index_damaged(b->file);
    if (error == STAMMA_OK)
        error = begin(context, &facts);
    return error == STAMMA_OK ? visit_moves(&game->start, game->moves, game->ply_count, visit, context) : error;
}

stamma_error stamma_pages_other_games(pages_build *b, stamma_error (*begin)(void *context, const pages_game *game),
                                      pages_visit visit, void *context)
{
    stamma_archive_reader *reader = NULL;
    stamma_error error = stamma_archive_reader_open(b->archive, NULL, &reader);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_select(reader, STAMMA_GAME_MOVES);
    for (size_t n = 0; n < b->file->segment_count && error == STAMMA_OK; n++) {
        const index_segment *s = &b->file->segments[n];
        for (uint32_t rank = s->counts[COUNT_TYPED]; rank < s->counts[COUNT_GAMES] && error == STAMMA_OK; rank++) {
            error = visit_other(b, reader, s, rank, begin, visit, context);
            if (error == STAMMA_OK)
                error = stamma_pages_report(b);
        }
    }
    stamma_archive_reader_close(reader);
    return error;
}
