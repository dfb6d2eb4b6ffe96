/* SPDX-License-Identifier: MIT */
/* Reads game trees from PGN, and writes them to PGN. */
#include "notation/notation.h"

/* ---- reading ---- */

/* The position of a line of the movetext in the tree. */
typedef struct tree_line {
    stamma_node node; /* node of the last move, or of the move before the variation */
    bool fresh;       /* a variation without a move yet */
    bool lost;        /* the rest of the line is skipped */
} tree_line;

typedef struct tree_reader {
    stamma_game *game;
    stamma_pgn_reader *reader;
    tree_line line;
    buffer lines;       /* tree_line[]: the enclosing lines */
    game_items prefix;  /* items before the first move of a variation */
    bool in_part;       /* the previous event's comment continues */
    bool after_tag;     /* the previous event was a tag, or an error in one */
    stamma_error error; /* the first ERROR event */
    stamma_place place;
} tree_reader;

static void note_error(tree_reader *t, stamma_error error, const stamma_pgn_event *event)
{
    if (t->error == STAMMA_OK) {
        t->error = error;
        t->place = event->place;
    }
}

/* Returns the list for new comments and NAGs. */
static game_items *items_here(tree_reader *t)
{
    return t->line.fresh ? &t->prefix : &game_node_at(t->game, t->line.node)->items;
}

static bool read_move(tree_reader *t, const stamma_pgn_event *event)
{
    t->line.lost |= event->error != STAMMA_OK;
    if (t->line.lost)
        return true;
    stamma_node node =
        stamma_game_append_move(t->game, t->line.node, event->move, stamma_pgn_reader_position(t->reader));
    if (node == STAMMA_NODE_NONE)
        return false;
    if (t->line.fresh)
        game_node_at(t->game, node)->items = t->prefix;
    t->line.node = node;
    t->line.fresh = false;
    return true;
}

static const game_items no_items = {STAMMA_NODE_NONE, STAMMA_NODE_NONE, 0};

/* A variation replaces the last move. If the tree does not contain this move, the variation is skipped. */
static bool begin_variation(tree_reader *t, const stamma_pgn_event *event)
{
    bool homeless = t->line.fresh || t->line.node == 0;
    if (!buffer_reserve(&t->lines, sizeof t->line))
        return false;
    buffer_add(&t->lines, &t->line, sizeof t->line);
    if (homeless && !t->line.lost)
        note_error(t, STAMMA_ERROR_SYNTAX, event);
    t->line.lost |= homeless;
    if (t->line.lost)
        return true;
    t->line.node = stamma_game_parent(t->game, t->line.node);
    t->line.fresh = true;
    t->prefix = no_items;
    return true;
}

static bool end_variation(tree_reader *t)
{
    bool empty = t->line.fresh && !t->line.lost && t->prefix.first != STAMMA_NODE_NONE;
    t->lines.size -= sizeof t->line;
    memcpy(&t->line, t->lines.data + t->lines.size, sizeof t->line);
    return !empty || stamma_game_join_items(t->game, &game_node_at(t->game, t->line.node)->items, &t->prefix);
}

static bool read_comment(tree_reader *t, const stamma_pgn_event *event)
{
    bool more = t->in_part;
    t->in_part = event->more;
    if (t->line.lost)
        return true;
    game_items *items = items_here(t);
    if (!more)
        return stamma_game_append_comment(t->game, items, event->text, t->line.fresh);
    buffer_add(&t->game->text, event->text.data, event->text.size);
    game_item_at(t->game, items->last)->size += event->text.size;
    return !t->game->text.failed;
}

static bool read_tag(tree_reader *t, const stamma_pgn_event *event)
{
    const stamma_position *start = stamma_pgn_reader_position(t->reader);
    if (start)
        stamma_game_place(t->game, start);
    return stamma_game_append_tag(t->game, event->text, event->value, true);
}

static void read_result(tree_reader *t, const stamma_pgn_event *event)
{
    const char *word = stamma_result_text(stamma_result_read(event->text));
    if (event->depth == 0)
        (void)stamma_game_set_result(t->game, (stamma_text){word, strlen(word)});
}

/* After a move that cannot be played, the rest of the line is skipped. After a tag without a valid position, only the
 * moves are skipped, so comments before the first move are kept. */
static void read_error(tree_reader *t, const stamma_pgn_event *event)
{
    note_error(t, event->error, event);
    t->line.lost |= stamma_pgn_reader_position(t->reader) == NULL && !t->after_tag;
}

/* Returns false if memory is exhausted. */
static bool read_event(tree_reader *t, const stamma_pgn_event *event)
{
    switch (event->kind) {
    case STAMMA_PGN_TAG: return read_tag(t, event);
    case STAMMA_PGN_MOVE: return read_move(t, event);
    case STAMMA_PGN_NAG: return t->line.lost || stamma_game_append_nag(t->game, items_here(t), event->nag);
    case STAMMA_PGN_COMMENT:
    case STAMMA_PGN_LINE_COMMENT: return read_comment(t, event);
    case STAMMA_PGN_VARIATION_BEGIN: return begin_variation(t, event);
    case STAMMA_PGN_VARIATION_END: return end_variation(t);
    case STAMMA_PGN_RESULT: read_result(t, event); break;
    case STAMMA_PGN_ERROR: read_error(t, event); break;
    default: break;
    }
    return true;
}

/* Skips the text before the next game. `event` becomes the first event of the game, or the END. For a game without
 * tags, comments before the game are attached to node 0, because the tree has no other place for them. */
static stamma_error find_game(tree_reader *t, stamma_pgn_event *event)
{
    stamma_error error;
    for (;;) {
        error = stamma_pgn_reader_next(t->reader, event);
        if (error || event->kind == STAMMA_PGN_END || event->kind == STAMMA_PGN_GAME_BEGIN)
            break;
        bool comment = event->kind == STAMMA_PGN_COMMENT || event->kind == STAMMA_PGN_LINE_COMMENT;
        if (comment && !read_comment(t, event))
            return STAMMA_ERROR_NO_MEMORY;
    }
    if (error || event->kind == STAMMA_PGN_END)
        return error;
    if (!stamma_pgn_reader_position(t->reader))
        return STAMMA_ERROR_BAD_ARGUMENT;
    error = stamma_pgn_reader_next(t->reader, event);
    if (!error && event->kind == STAMMA_PGN_TAG)
        stamma_game_clear(t->game);
    return error;
}

static stamma_error read_game(tree_reader *t, bool *found)
{
    stamma_pgn_event event;
    stamma_error error = find_game(t, &event);
    *found = !error && event.kind != STAMMA_PGN_END;
    if (!*found)
        return error;
    while (!error && event.kind != STAMMA_PGN_GAME_END) {
        bool fine = read_event(t, &event);
        t->after_tag = event.kind == STAMMA_PGN_TAG || (t->after_tag && event.kind == STAMMA_PGN_ERROR);
        error = fine ? stamma_pgn_reader_next(t->reader, &event) : STAMMA_ERROR_NO_MEMORY;
    }
    return error;
}

stamma_error stamma_game_read(stamma_game *game, stamma_pgn_reader *reader, bool *found, stamma_error *error,
                              stamma_place *error_place)
{
    if (!game || !reader || !found || stamma_pgn_reader_position(reader))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_game_clear(game);
    tree_reader t = {.game = game, .reader = reader, .lines = {.allocator = &game->allocator}, .prefix = no_items};
    bool is_game;
    stamma_error failure = read_game(&t, &is_game);
    stamma_buffer_release(&t.lines);
    if (failure)
        return failure;
    *found = is_game;
    if (error)
        *error = t.error;
    if (error_place)
        *error_place = t.place;
    return STAMMA_OK;
}

/* ---- writing ---- */

static stamma_error write_comments(const stamma_game *game, stamma_pgn_writer *writer, stamma_node node, bool before)
{
    unsigned kind = before ? GAME_COMMENT_BEFORE : GAME_COMMENT;
    stamma_error error = STAMMA_OK;
    uint32_t at = game_node_at(game, node)->items.first;
    for (; at != STAMMA_NODE_NONE && !error; at = game_item_at(game, at)->next) {
        const game_item *item = game_item_at(game, at);
        stamma_text text = {item->size != 0 ? (const char *)game->text.data + item->text : "", item->size};
        if (item->kind == kind)
            error = stamma_pgn_writer_comment(writer, text);
    }
    return error;
}

static stamma_error write_nags(const stamma_game *game, stamma_pgn_writer *writer, stamma_node node)
{
    stamma_error error = STAMMA_OK;
    uint32_t at = game_node_at(game, node)->items.first;
    for (; at != STAMMA_NODE_NONE && !error; at = game_item_at(game, at)->next)
        if (game_item_at(game, at)->kind == GAME_NAG)
            error = stamma_pgn_writer_nag(writer, (unsigned)game_item_at(game, at)->text);
    return error;
}

/* Writes a move with its comments and NAGs. Node 0 has no move. */
static stamma_error write_node(const stamma_game *game, stamma_pgn_writer *writer, stamma_node node)
{
    stamma_error error = write_comments(game, writer, node, true);
    if (!error && node != 0)
        error = stamma_pgn_writer_move(writer, game_node_at(game, node)->move);
    if (!error)
        error = write_nags(game, writer, node);
    if (!error)
        error = write_comments(game, writer, node, false);
    return error;
}

/* Returns whether a node, which is not node 0, begins a variation. */
static bool is_head(const stamma_game *game, stamma_node node)
{
    return game_node_at(game, game_node_at(game, node)->parent)->first_child != node;
}

/* Sets *node to the node whose move comes next in the text, after all variations of *node have been written. This is
 * the main continuation; at the end of a variation, the node after the closing parenthesis. NONE at the end of the main
 * line. */
static stamma_error next_node(const stamma_game *game, stamma_pgn_writer *writer, stamma_node *node)
{
    stamma_error error = STAMMA_OK;
    stamma_node at = *node;
    while (game_node_at(game, at)->first_child == STAMMA_NODE_NONE) {
        while (at != 0 && !is_head(game, at))
            at = game_node_at(game, at)->parent;
        *node = STAMMA_NODE_NONE;
        if (at == 0)
            return STAMMA_OK;
        error = stamma_pgn_writer_variation_end(writer); /* later calls return the same error */
        *node = game_node_at(game, at)->next_sibling;
        if (*node != STAMMA_NODE_NONE)
            return stamma_pgn_writer_variation_begin(writer);
        at = game_node_at(game, game_node_at(game, at)->parent)->first_child;
    }
    *node = game_node_at(game, at)->first_child;
    return error;
}

/* Writes the movetext. Follows the links of the tree instead of recursing. */
static stamma_error write_moves(const stamma_game *game, stamma_pgn_writer *writer)
{
    stamma_node node = game_node_at(game, 0)->first_child;
    stamma_error error = write_node(game, writer, 0);
    while (!error && node != STAMMA_NODE_NONE) {
        error = write_node(game, writer, node);
        stamma_node variation = is_head(game, node) ? STAMMA_NODE_NONE : game_node_at(game, node)->next_sibling;
        if (error)
            break;
        if (variation != STAMMA_NODE_NONE) {
            error = stamma_pgn_writer_variation_begin(writer);
            node = variation;
        } else {
            error = next_node(game, writer, &node);
        }
    }
    return error;
}

stamma_error stamma_game_write_moves(const stamma_game *game, stamma_pgn_writer *writer)
{
    if (!game || !writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_pgn_writer_start(writer, stamma_game_start(game));
    if (!error)
        error = write_moves(game, writer);
    return error ? error : stamma_pgn_writer_result(writer, stamma_game_result(game));
}

stamma_error stamma_game_write(const stamma_game *game, stamma_pgn_writer *writer)
{
    if (!game || !writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < stamma_game_tag_count(game) && !error; i++) {
        stamma_text name, value;
        stamma_game_tag_at(game, i, &name, &value);
        error = stamma_pgn_writer_tag(writer, name, value);
    }
    return error ? error : stamma_game_write_moves(game, writer);
}
