/* SPDX-License-Identifier: MIT */
/* Builds game trees from the games of an archive: from their typed moves, or from their text if a part is kept as
 * text. */
#include "archive/archive.h"

typedef struct tree_builder {
    stamma_game *tree;
    const stamma_archive_game *game;
    stamma_node node;         /* of the last move of the line; in an empty variation, of the move before it */
    stamma_position position; /* after that move */
    size_t plies;             /* moves of the main line that are in the tree */
    buffer lines;             /* stamma_node[]: the last moves of the lines that contain this line */
    game_items prefix;        /* comments and NAGs before the first move of a variation */
    bool empty;               /* the line is a variation without a move so far */
    size_t lost;              /* depth within variations that are omitted because they replace no move */
} tree_builder;

static const game_items no_items = {STAMMA_NODE_NONE, STAMMA_NODE_NONE, 0};

/* The functions below return false if memory is exhausted. */

static bool append_move(tree_builder *b, stamma_move move)
{
    stamma_position_make(&b->position, move, &b->position);
    stamma_node node = stamma_game_append_move(b->tree, b->node, move, &b->position);
    if (node == STAMMA_NODE_NONE)
        return false;
    if (b->empty)
        game_node_at(b->tree, node)->items = b->prefix;
    b->node = node;
    b->empty = false;
    return true;
}

static bool append_main_line(tree_builder *b, size_t plies)
{
    bool right = true;
    for (; right && b->plies < plies && b->plies < b->game->ply_count; b->plies++)
        right = append_move(b, b->game->moves[b->plies]);
    return right;
}

static void go_to(tree_builder *b, stamma_node node)
{
    b->node = node;
    (void)stamma_game_position(b->tree, node, &b->position);
}

static bool begin_variation(tree_builder *b)
{
    if (!buffer_reserve(&b->lines, sizeof b->node))
        return false;
    buffer_add(&b->lines, &b->node, sizeof b->node);
    go_to(b, stamma_game_parent(b->tree, b->node));
    b->prefix = no_items;
    b->empty = true;
    return true;
}

static bool end_variation(tree_builder *b)
{
    stamma_node node;
    bool prefix_left = b->empty && b->prefix.first != STAMMA_NODE_NONE;
    b->lines.size -= sizeof node;
    memcpy(&node, b->lines.data + b->lines.size, sizeof node);
    go_to(b, node);
    b->empty = false;
    return !prefix_left || stamma_game_join_items(b->tree, &game_node_at(b->tree, node)->items, &b->prefix);
}

static bool append_item(tree_builder *b, const stamma_archive_item *item)
{
    const bool begins = item->kind == STAMMA_ITEM_VARIATION_BEGIN, ends = item->kind == STAMMA_ITEM_VARIATION_END;
    if (b->lost > 0 || (begins && (b->empty || b->node == 0))) {
        b->lost += begins;
        b->lost -= ends;
        return true;
    }
    game_items *items = b->empty ? &b->prefix : &game_node_at(b->tree, b->node)->items;
    switch (item->kind) {
    case STAMMA_ITEM_MOVE: return append_move(b, item->move);
    case STAMMA_ITEM_NAG: return stamma_game_append_nag(b->tree, items, item->nag);
    case STAMMA_ITEM_COMMENT: return stamma_game_append_comment(b->tree, items, item->text, b->empty);
    case STAMMA_ITEM_VARIATION_BEGIN: return begin_variation(b);
    default: return end_variation(b);
    }
}

static bool append_items(tree_builder *b)
{
    bool right = true;
    for (size_t i = 0; right && i < b->game->item_count; i++) {
        const stamma_archive_item *item = &b->game->items[i];
        if (b->lines.size == 0 && b->lost == 0)
            right = append_main_line(b, item->ply + (item->kind == STAMMA_ITEM_VARIATION_BEGIN));
        right = right && append_item(b, item);
    }
    return right && append_main_line(b, b->game->ply_count);
}

static bool append_tags(tree_builder *b)
{
    bool right = true;
    for (size_t i = 0; right && i < b->game->tag_count; i++)
        right = stamma_game_append_tag(b->tree, b->game->tags[i].name, b->game->tags[i].value, true);
    return right;
}

static void set_result(tree_builder *b)
{
    stamma_result result = stamma_result_read(b->game->result);
    const char *text = stamma_result_text(result);
    (void)stamma_game_set_result(b->tree, (stamma_text){text, strlen(text)});
}

static stamma_error build(stamma_game *tree, const stamma_archive_game *game)
{
    tree_builder b = {.tree = tree, .game = game, .position = game->start, .prefix = no_items};
    b.lines.allocator = &tree->allocator;
    stamma_game_clear(tree);
    stamma_game_place(tree, &game->start);
    bool right = append_tags(&b) && append_items(&b);
    set_result(&b);
    stamma_buffer_release(&b.lines);
    return right ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static stamma_error read_text(stamma_game *tree, const stamma_archive_game *game, const stamma_allocator *allocator)
{
    bool found;
    stamma_pgn_reader *pgn;
    const stamma_pgn_options options = {.size = sizeof options, .allocator = allocator};
    stamma_error error = stamma_pgn_reader_open_memory(game->text.data, game->text.size, &options, &pgn);
    if (error != STAMMA_OK)
        return error;
    error = stamma_game_read(tree, pgn, &found, NULL, NULL);
    stamma_pgn_reader_close(pgn);
    return error;
}

stamma_error stamma_archive_game_read_tree(const stamma_archive_game *game, const stamma_allocator *allocator,
                                           stamma_game *tree)
{
    if (!game || !tree || game->continuation)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (game->text.size > 0)
        return read_text(tree, game, allocator);
    bool typed = game->reason == STAMMA_REASON_NONE && (game->ply_count == 0 || game->moves);
    return typed ? build(tree, game) : STAMMA_ERROR_BAD_ARGUMENT;
}
