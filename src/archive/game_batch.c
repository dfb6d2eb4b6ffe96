/* SPDX-License-Identifier: MIT */
/* Reads the games of a block one group at a time (3.6). If the text is selected, no game is returned before the
 * checksum of the group's text was compared. */
#include "archive/game_batch.h"

enum { BUFFERS = 11 };

static void list_buffers(game_batch *g, buffer *all[BUFFERS])
{
    buffer *const list[BUFFERS] = {&g->text,   &g->values, &g->comments,    &g->tags,  &g->moves, &g->items,
                                   &g->clocks, &g->times,  &g->evaluations, &g->flaws, &g->games};
    memcpy(all, list, sizeof list);
}

void stamma_game_batch_init(game_batch *g, const stamma_allocator *allocator)
{
    buffer *all[BUFFERS];
    memset(g, 0, sizeof *g);
    list_buffers(g, all);
    for (size_t i = 0; i < BUFFERS; i++)
        all[i]->allocator = allocator;
}

void stamma_game_batch_release(game_batch *g)
{
    buffer *all[BUFFERS];
    list_buffers(g, all);
    for (size_t i = 0; i < BUFFERS; i++)
        stamma_buffer_release(all[i]);
}

void stamma_game_batch_clear(game_batch *g)
{
    buffer *all[BUFFERS];
    list_buffers(g, all);
    for (size_t i = 0; i < BUFFERS; i++) {
        all[i]->size = 0;
        all[i]->failed = false;
    }
    g->plies = 0;
    stamma_game_batch_restart(g);
}

void stamma_game_batch_restart(game_batch *g)
{
    g->given = 0;
    g->text_at = g->tags_at = g->items_at = g->plies_at = g->flaws_at = 0;
}

uint64_t stamma_game_batch_memory(game_batch *g)
{
    buffer *all[BUFFERS];
    uint64_t memory = 0;
    list_buffers(g, all);
    for (size_t i = 0; i < BUFFERS; i++)
        memory += all[i]->capacity;
    return memory;
}

/* ---- one record ---- */

/* Copies a tag, because the reader may reuse the memory of its value. Pointers to the copied values are set after all
 * values were added, because adding moves them. */
static void add_tag(game_batch *g, const item *it)
{
    const stamma_tag tag = {it->name, {NULL, it->text.size}};
    buffer_add(&g->tags, &tag, sizeof tag);
    buffer_add(&g->values, it->text.data, it->text.size);
}

/* Reads the clock, the time spent and the evaluation in a comment for the move before it. If several comments of a move
 * have a value, the first value is used. */
static void note_commands(game_batch *g, const item *it, size_t ply, unsigned first_to_move)
{
    if (it->depth > 0 || ply == 0 || !(g->parts & (STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS)))
        return;
    int64_t *clocks = (int64_t *)(void *)g->clocks.data, *times = (int64_t *)(void *)g->times.data;
    stamma_evaluation *evaluations = (stamma_evaluation *)(void *)g->evaluations.data;
    size_t n = g->plies + ply - 1;
    if (g->parts & STAMMA_GAME_CLOCKS && clocks[n] < 0)
        clocks[n] = stamma_clock_read(it->text);
    if (g->parts & STAMMA_GAME_CLOCKS && times[n] < 0)
        times[n] = stamma_time_spent_read(it->text);
    if (g->parts & STAMMA_GAME_EVALUATIONS && evaluations[n].kind == STAMMA_EVALUATION_NONE)
        evaluations[n] = stamma_evaluation_read(it->text, (stamma_color)((first_to_move ^ (ply - 1)) & 1));
}

static void add_item(game_batch *g, const item *it, stamma_archive_item_kind kind, size_t ply)
{
    stamma_archive_item added = {.kind = kind, .depth = it->depth, .ply = ply};
    if (kind == STAMMA_ITEM_MOVE)
        added.move = it->move;
    if (kind == STAMMA_ITEM_NAG)
        added.nag = it->number;
    if (kind == STAMMA_ITEM_COMMENT) {
        added.text.size = it->text.size;
        buffer_add(&g->comments, it->text.data, it->text.size);
    }
    buffer_add(&g->items, &added, sizeof added);
}

/* The number of plies before the present place in the movetext, for each line that is open. */
typedef struct plies {
    size_t at[VARIATION_DEPTH_MAX + 1];
    size_t begin[VARIATION_DEPTH_MAX + 1];
    size_t depth;
    unsigned first_to_move; /* stamma_color */
} plies;

static void add_variation_item(game_batch *g, const item *it, plies *p)
{
    bool begins = it->kind == ITEM_VARIATION_BEGIN;
    if (begins) {
        size_t played = p->at[p->depth];
        played -= played > p->begin[p->depth]; /* the variation replaces the last move of the line, if there is one */
        p->depth++;
        p->at[p->depth] = p->begin[p->depth] = played;
    }
    if (g->parts & STAMMA_GAME_VARIATIONS) {
        item as_inside = *it;
        as_inside.depth = (uint8_t)p->depth;
        add_item(g, &as_inside, begins ? STAMMA_ITEM_VARIATION_BEGIN : STAMMA_ITEM_VARIATION_END, p->at[p->depth]);
    }
    p->depth -= !begins;
}

/* Adds an item of the movetext. */
static void add_movetext(game_batch *g, const item *it, plies *p)
{
    size_t *ply = &p->at[p->depth];
    bool variations = g->parts & STAMMA_GAME_VARIATIONS, given = p->depth == 0 || variations;
    switch (it->kind) {
    case ITEM_MOVE:
        ++*ply;
        if (p->depth > 0 && variations)
            add_item(g, it, STAMMA_ITEM_MOVE, *ply);
        break;
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
        note_commands(g, it, *ply, p->first_to_move);
        if (given && g->parts & STAMMA_GAME_COMMENTS)
            add_item(g, it, STAMMA_ITEM_COMMENT, *ply);
        break;
    case ITEM_NAG:
    case ITEM_SUFFIX: /* has the number of the equivalent NAG (PGN standard 10) */
        if (given && g->parts & STAMMA_GAME_NAGS)
            add_item(g, it, STAMMA_ITEM_NAG, *ply);
        break;
    case ITEM_VARIATION_BEGIN:
    case ITEM_VARIATION_END: add_variation_item(g, it, p); break;
    default: break;
    }
}

/* Reserves and initialises the data of each ply. */
static bool reserve_plies(game_batch *g, size_t count)
{
    bool clocks = g->parts & STAMMA_GAME_CLOCKS, evaluations = g->parts & STAMMA_GAME_EVALUATIONS;
    if (count == 0)
        return true;
    if (clocks &&
        (!buffer_reserve(&g->clocks, count * sizeof(int64_t)) || !buffer_reserve(&g->times, count * sizeof(int64_t))))
        return false;
    if (evaluations && !buffer_reserve(&g->evaluations, count * sizeof(stamma_evaluation)))
        return false;
    if (clocks) {
        memset(g->clocks.data + g->clocks.size, 0xFF, count * sizeof(int64_t)); /* -1 */
        memset(g->times.data + g->times.size, 0xFF, count * sizeof(int64_t));
        g->clocks.size += count * sizeof(int64_t);
        g->times.size += count * sizeof(int64_t);
    }
    if (evaluations) {
        memset(g->evaluations.data + g->evaluations.size, 0, count * sizeof(stamma_evaluation));
        g->evaluations.size += count * sizeof(stamma_evaluation);
    }
    return true;
}

static void add_items(game_batch *g, const record *rec, stamma_archive_game *game)
{
    const unsigned among =
        STAMMA_GAME_COMMENTS | STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS | STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS;
    size_t first_tag = g->tags.size, first_item = g->items.size;
    plies p;
    p.depth = p.at[0] = p.begin[0] = 0;
    p.first_to_move = rec->start.side;
    for (size_t i = 0; i < rec->item_count; i++) {
        const item *it = &rec->items[i];
        if (it->kind == ITEM_TAG && g->parts & STAMMA_GAME_TAGS)
            add_tag(g, it);
        else if (it->kind == ITEM_RESULT && it->depth == 0 && g->parts & STAMMA_GAME_RESULT)
            game->result = (stamma_text){stamma_result_words[it->number], strlen(stamma_result_words[it->number])};
        else if (g->parts & among)
            add_movetext(g, it, &p);
    }
    game->tag_count = (g->tags.size - first_tag) / sizeof(stamma_tag);
    game->item_count = (g->items.size - first_item) / sizeof(stamma_archive_item);
}

/* Adds the first place at which the layout differs from the style. The game must have been rendered, which assigns
 * exceptions to items. */
static void add_flaw(game_batch *g, const block_reader *b, stamma_archive_game *game)
{
    const record *r = &b->state.record;
    layout_flaw flaw = stamma_record_layout_flaw(r, b->columns.styles.styles[r->style].spelling);
    game->found.size = flaw.found.size;
    game->expected.size = flaw.expected_size;
    buffer_add(&g->flaws, flaw.found.data, flaw.found.size);
    buffer_add(&g->flaws, flaw.expected, flaw.expected_size);
}

/* Adds the record that was just read, whose text is the last `size` bytes. */
static bool add_game(game_batch *g, const block_reader *b, size_t size)
{
    const record *rec = &b->state.record;
    stamma_archive_game game = {.continuation = rec->continuation,
                                .text = {NULL, size},
                                .start = rec->start,
                                .no_start = rec->no_start,
                                .ply_count = rec->plies,
                                .moves_bits = b->state.moves_bits,
                                .reason = rec->reason,
                                .reason_offset = rec->reason_offset};
    if (!reserve_plies(g, rec->plies))
        return false;
    if (g->parts & STAMMA_GAME_MOVES && rec->plies > 0)
        buffer_add(&g->moves, block_main_line(b), rec->plies * sizeof(stamma_move));
    add_items(g, rec, &game);
    if (block_reads_text(b) && rec->reason == STAMMA_REASON_LAYOUT)
        add_flaw(g, b, &game);
    g->plies += rec->plies;
    buffer_add(&g->games, &game, sizeof game);
    return true;
}

/* ---- a group ---- */

static void place_texts(game_batch *g)
{
    stamma_tag *tags = (stamma_tag *)(void *)g->tags.data;
    stamma_archive_item *items = (stamma_archive_item *)(void *)g->items.data;
    const char *at = g->values.size > 0 ? (const char *)g->values.data : "";
    for (size_t i = 0; i < g->tags.size / sizeof *tags; i++) {
        tags[i].value.data = at;
        at += tags[i].value.size;
    }
    at = g->comments.size > 0 ? (const char *)g->comments.data : "";
    for (size_t i = 0; i < g->items.size / sizeof *items; i++) {
        items[i].text.data = at;
        at += items[i].text.size;
    }
}

void stamma_game_batch_trim(game_batch *g)
{
    buffer *all[BUFFERS];
    list_buffers(g, all);
    for (size_t i = 0; i < BUFFERS; i++)
        stamma_buffer_trim(all[i]);
    place_texts(g);
}

static bool has_failed(game_batch *g)
{
    buffer *all[BUFFERS];
    bool failed = false;
    list_buffers(g, all);
    for (size_t i = 0; i < BUFFERS; i++)
        failed |= all[i]->failed;
    return failed;
}

static stamma_error read_game(game_batch *g, block_reader *b)
{
    size_t before = g->text.size;
    stamma_error error = stamma_block_reader_next(b, false);
    if (error == STAMMA_OK && block_reads_text(b))
        error = block_render(b, &g->text);
    if (error == STAMMA_OK && g->text.size > BLOCK_TEXT_MAX)
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK && !add_game(g, b, g->text.size - before))
        error = STAMMA_ERROR_NO_MEMORY;
    return has_failed(g) ? STAMMA_ERROR_NO_MEMORY : error;
}

static void end_batch(game_batch *g, const block_reader *b)
{
    g->more = stamma_block_reader_has_more(b);
    place_texts(g);
}

stamma_error stamma_game_batch_read_one(game_batch *g, block_reader *b)
{
    stamma_game_batch_clear(g);
    g->parts = b->plan.parts;
    stamma_error error = read_game(g, b);
    if (error == STAMMA_OK)
        end_batch(g, b);
    return error;
}

stamma_error stamma_game_batch_read(game_batch *g, block_reader *b, bool *decoded)
{
    stamma_game_batch_clear(g);
    g->parts = b->plan.parts;
    *decoded = false;
    do {
        stamma_error error = work_is_stopped(b->plan.stop) ? STAMMA_ERROR_CORRUPT : read_game(g, b);
        if (error != STAMMA_OK)
            return error;
    } while (!block_ends_group(b));
    *decoded = true;
    end_batch(g, b);
    if (!block_reads_text(b))
        return STAMMA_OK;
    const uint64_t check = XXH64(buffer_cursor(&g->text).at, g->text.size, 0);
    return stamma_block_reader_is_group(b, check) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

uint64_t stamma_game_batch_games(const game_batch *g)
{
    const stamma_archive_game *games = (const stamma_archive_game *)(const void *)g->games.data;
    uint64_t count = 0;
    for (size_t i = 0; i < g->games.size / sizeof *games; i++)
        count += !games[i].continuation;
    return count;
}

const stamma_archive_game *stamma_game_batch_next(const game_batch *g)
{
    const stamma_archive_game *games = (const stamma_archive_game *)(const void *)g->games.data;
    return g->given < g->games.size / sizeof *games ? &games[g->given] : NULL;
}

void stamma_game_batch_pass(game_batch *g)
{
    const stamma_archive_game *game = stamma_game_batch_next(g);
    g->text_at += game->text.size;
    g->tags_at += game->tag_count;
    g->items_at += game->item_count;
    g->plies_at += game->ply_count;
    g->flaws_at += game->found.size + game->expected.size;
    g->given++;
}

stamma_archive_game stamma_game_batch_take(game_batch *g)
{
    stamma_archive_game game = *stamma_game_batch_next(g);
    game.text.data = g->text.data ? (const char *)g->text.data + g->text_at : "";
    if (game.tag_count > 0)
        game.tags = (const stamma_tag *)(const void *)g->tags.data + g->tags_at;
    if (game.item_count > 0)
        game.items = (const stamma_archive_item *)(const void *)g->items.data + g->items_at;
    if (g->parts & STAMMA_GAME_MOVES && game.ply_count > 0)
        game.moves = (const stamma_move *)(const void *)g->moves.data + g->plies_at;
    if (g->parts & STAMMA_GAME_CLOCKS && game.ply_count > 0)
        game.clocks_ms = (const int64_t *)(const void *)g->clocks.data + g->plies_at;
    if (g->parts & STAMMA_GAME_CLOCKS && game.ply_count > 0)
        game.times_spent_ms = (const int64_t *)(const void *)g->times.data + g->plies_at;
    if (g->parts & STAMMA_GAME_EVALUATIONS && game.ply_count > 0)
        game.evaluations = (const stamma_evaluation *)(const void *)g->evaluations.data + g->plies_at;
    if (game.reason == STAMMA_REASON_LAYOUT && g->parts & STAMMA_GAME_TEXT) {
        game.found.data = g->flaws.size > 0 ? (const char *)g->flaws.data + g->flaws_at : "";
        game.expected.data = game.found.data + game.found.size;
    }
    stamma_game_batch_pass(g);
    game.more = stamma_game_batch_next(g) ? stamma_game_batch_next(g)->continuation : g->more;
    return game;
}

/* Uses only the events, which are one byte each; nothing is decoded. */
uint64_t stamma_groups_before(const block_reader *b, uint64_t number)
{
    cursor events = b->columns.at[COLUMN_EVENTS];
    bool piece = stamma_block_reader_continues(b);
    uint64_t games = 0, groups = 0;
    for (uint64_t next = b->state.next; cursor_left(&events) > 0 && next < b->head.records;) {
        unsigned kind = *events.at++ & 15u;
        if (!event_ends_record(kind))
            continue;
        games += !piece && kind != ITEM_END_NO_GAME;
        if (games >= number)
            return groups;
        piece = kind == ITEM_END_OF_PIECE;
        next++;
        groups += next % b->head.group == 0 || next == b->head.records;
    }
    return groups;
}
