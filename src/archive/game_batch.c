/* Games of a block read a group at a time (3.6): none is given before the text of all of them was held against its
 * check. */
#include "archive/reader.h"

void stamma_game_batch_init(game_batch *g, const stamma_allocator *allocator)
{
    memset(g, 0, sizeof *g);
    g->text.allocator = g->values.allocator = g->tags.allocator = g->moves.allocator = g->games.allocator = allocator;
}

void stamma_game_batch_release(game_batch *g)
{
    stamma_buffer_release(&g->text);
    stamma_buffer_release(&g->values);
    stamma_buffer_release(&g->tags);
    stamma_buffer_release(&g->moves);
    stamma_buffer_release(&g->games);
}

void stamma_game_batch_clear(game_batch *g)
{
    g->text.size = g->values.size = g->tags.size = g->moves.size = g->games.size = 0;
    g->given = 0;
    g->text_at = g->tags_at = g->moves_at = 0;
}

/* Values are copied, because a reader may reuse their place; where they come to lie is known when all are there. */
static void add_tag(game_batch *g, const item *it)
{
    const stamma_text value = {NULL, it->text.size};
    buffer_add(&g->tags, &it->name, sizeof it->name);
    buffer_add(&g->tags, &value, sizeof value);
    buffer_add(&g->values, it->text.data, it->text.size);
}

static void place_values(game_batch *g)
{
    stamma_text *tags = (stamma_text *)(void *)g->tags.data;
    const char *at = g->values.size > 0 ? (const char *)g->values.data : "";
    for (size_t i = 1; i < g->tags.size / sizeof *tags; i += 2) {
        tags[i].data = at;
        at += tags[i].size;
    }
}

/* Adds the record that was just read, whose text is the last `size` bytes. */
static void add_game(game_batch *g, const record *rec, size_t size)
{
    static const char *const results[4] = {"*", "1-0", "0-1", "1/2-1/2"};
    stamma_archive_game game = {.continuation = rec->continuation,
                                .text = {NULL, size},
                                .start = rec->start,
                                .reason = rec->reason,
                                .reason_offset = rec->reason_offset};
    for (size_t i = 0; i < rec->item_count; i++) {
        const item *it = &rec->items[i];
        if (it->kind == ITEM_TAG) {
            add_tag(g, it);
            game.tag_count++;
        } else if (it->kind == ITEM_MOVE && it->depth == 0) {
            buffer_add(&g->moves, &it->move, sizeof it->move);
            game.ply_count++;
        } else if (it->kind == ITEM_RESULT && it->depth == 0) {
            game.result = (stamma_text){results[it->number], strlen(results[it->number])};
        }
    }
    game.moves_bits = 8 * game.ply_count;
    buffer_add(&g->games, &game, sizeof game);
}

static stamma_error read_game(game_batch *g, block_reader *b)
{
    size_t before = g->text.size;
    stamma_error error = stamma_block_reader_next(b, false);
    if (error == STAMMA_OK)
        error = stamma_render(&b->record, &b->styles.styles[b->record.style], &g->text, NULL);
    if (error == STAMMA_OK && g->text.size > BLOCK_TEXT_MAX)
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        add_game(g, &b->record, g->text.size - before);
    bool failed = g->text.failed || g->values.failed || g->tags.failed || g->moves.failed || g->games.failed;
    return failed ? STAMMA_ERROR_NO_MEMORY : error;
}

stamma_error stamma_game_batch_read(game_batch *g, block_reader *b, bool *decoded)
{
    stamma_game_batch_clear(g);
    *decoded = false;
    do {
        stamma_error error = read_game(g, b);
        if (error != STAMMA_OK)
            return error;
    } while (!block_ends_group(b));
    *decoded = true;
    place_values(g);
    bool right =
        stamma_block_reader_is_group(b, XXH64(g->text.data ? g->text.data : (const uint8_t *)"", g->text.size, 0));
    return right ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
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

stamma_archive_game stamma_game_batch_take(game_batch *g)
{
    stamma_archive_game game = *stamma_game_batch_next(g);
    game.text.data = g->text.data ? (const char *)g->text.data + g->text_at : "";
    game.tags = (const stamma_text *)(const void *)g->tags.data + g->tags_at;
    game.moves = (const stamma_move *)(const void *)g->moves.data + g->moves_at;
    g->text_at += game.text.size;
    g->tags_at += 2 * game.tag_count;
    g->moves_at += game.ply_count;
    g->given++;
    return game;
}

/* What the events say, which are one byte each: nothing is decoded. */
uint64_t stamma_group_games(const block_reader *b)
{
    cursor events = b->at[COLUMN_EVENTS];
    bool piece = stamma_block_reader_continues(b);
    uint64_t games = 0;
    for (uint64_t next = b->next; cursor_left(&events) > 0;) {
        unsigned kind = cursor_byte(&events) & 15u;
        if (!event_ends_record(kind))
            continue;
        games += !piece && kind != ITEM_END_NO_GAME;
        piece = kind == ITEM_END_OF_PIECE;
        next++;
        if (next % GROUP_RECORDS == 0 || next == b->head.records)
            return games;
    }
    return UINT64_MAX;
}
