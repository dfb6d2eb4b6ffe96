/* SPDX-License-Identifier: MIT */
/* The game tree: nodes, tags, comments and NAGs in growing arrays, addressed by index. */
#include "notation/notation.h"

/* ---- arrays in buffers ---- */

/* Reserves room for another element of `size` bytes. Returns its index, or NONE if memory is exhausted. */
static uint32_t next_number(buffer *array, size_t size)
{
    bool room = array->size / size < STAMMA_NODE_NONE && buffer_reserve(array, size);
    array->failed = false; /* the existing elements stay valid */
    return room ? (uint32_t)(array->size / size) : STAMMA_NODE_NONE;
}

static game_tag *tag_at(const stamma_game *game, size_t index)
{
    return (game_tag *)(void *)game->tags.data + index;
}

static stamma_position *position_at(const stamma_game *game, uint32_t index)
{
    return (stamma_position *)(void *)game->positions.data + index;
}

static bool reserve_text(stamma_game *game, size_t size)
{
    bool room = buffer_reserve(&game->text, size);
    game->text.failed = false;
    return room;
}

/* Copies text, for which room is reserved. Returns its offset. */
static size_t keep_text(stamma_game *game, stamma_text text)
{
    buffer_add(&game->text, text.data, text.size);
    return game->text.size - text.size;
}

static stamma_text text_at(const stamma_game *game, size_t offset, size_t size)
{
    return (stamma_text){size != 0 ? (const char *)game->text.data + offset : "", size};
}

/* ---- opening and closing ---- */

void stamma_game_clear(stamma_game *game)
{
    static const game_node root = {STAMMA_NODE_NONE,
                                   STAMMA_NODE_NONE,
                                   STAMMA_NODE_NONE,
                                   STAMMA_NODE_NONE,
                                   {STAMMA_NODE_NONE, STAMMA_NODE_NONE, 0},
                                   0,
                                   0,
                                   STAMMA_MOVE_NULL};
    stamma_position start = stamma_position_start();
    game->nodes.size = game->items.size = game->tags.size = game->positions.size = game->text.size = 0;
    stamma_text_table_clear(&game->names);
    stamma_text_table_clear(&game->places);
    buffer_add(&game->nodes, &root, sizeof root);
    buffer_add(&game->positions, &start, sizeof start);
    memcpy(game->result, "*", 2);
}

stamma_error stamma_game_open(const stamma_allocator *allocator, stamma_game **game)
{
    if (!allocator_is_given(allocator) || !game)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator memory = stamma_allocator_or_default(allocator);
    stamma_game *g = memory_allocate(&memory, sizeof *g);
    if (!g)
        return STAMMA_ERROR_NO_MEMORY;
    memset(g, 0, sizeof *g);
    g->allocator = memory;
    g->names.allocator = g->places.allocator = &g->allocator;
    g->names.copies = g->places.copies = true; /* the text moves when it grows */
    g->nodes.allocator = g->items.allocator = g->tags.allocator = g->positions.allocator = g->text.allocator =
        &g->allocator;
    stamma_game_clear(g);
    if (g->nodes.failed || g->positions.failed) {
        stamma_game_close(g);
        return STAMMA_ERROR_NO_MEMORY;
    }
    *game = g;
    return STAMMA_OK;
}

void stamma_game_close(stamma_game *game)
{
    if (!game)
        return;
    stamma_allocator memory = game->allocator;
    stamma_buffer_release(&game->nodes);
    stamma_buffer_release(&game->items);
    stamma_buffer_release(&game->tags);
    stamma_text_table_release(&game->names);
    stamma_text_table_release(&game->places);
    stamma_buffer_release(&game->positions);
    stamma_buffer_release(&game->text);
    memory_release(&memory, game);
}

/* ---- tags, start, result ---- */

size_t stamma_game_tag_count(const stamma_game *game)
{
    return game->tags.size / sizeof(game_tag);
}

stamma_error stamma_game_tag_at(const stamma_game *game, size_t index, stamma_text *name, stamma_text *value)
{
    if (!game || index >= stamma_game_tag_count(game) || !name || !value)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const game_tag *tag = tag_at(game, index);
    *name = text_at(game, tag->name, tag->name_size);
    *value = text_at(game, tag->value, tag->value_size);
    return STAMMA_OK;
}

/* With more tags than this number, a table finds a name. */
enum { TAGS_FEW = 16 };

static stamma_text name_at(const stamma_game *game, size_t index)
{
    const game_tag *tag = tag_at(game, index);
    return text_at(game, tag->name, tag->name_size);
}

/* Adds the names of the last tags to the table. Returns false if memory is exhausted. */
static bool index_names(stamma_game *game)
{
    const size_t count = stamma_game_tag_count(game);
    if (count <= TAGS_FEW)
        return true;
    for (size_t i = game->names.count == 0 ? 0 : count - 1; i < count; i++) {
        const size_t known = game->names.count;
        const uint32_t number = stamma_text_table_add(&game->names, name_at(game, i));
        if (number == 0)
            return false;
        if (game->names.count > known)
            game->names.texts[number].mark = (uint32_t)i;
    }
    return true;
}

/* Returns the first tag with this name, or NULL. */
static game_tag *find_tag(const stamma_game *game, stamma_text name)
{
    const size_t count = stamma_game_tag_count(game);
    if (count > TAGS_FEW) {
        const uint32_t number = stamma_text_table_find(&game->names, name);
        return number == 0 ? NULL : tag_at(game, game->names.texts[number].mark);
    }
    for (size_t i = 0; i < count; i++)
        if (text_equal(name_at(game, i), name))
            return tag_at(game, i);
    return NULL;
}

stamma_text stamma_game_tag(const stamma_game *game, stamma_text name)
{
    const game_tag *tag = find_tag(game, name);
    return tag ? text_at(game, tag->value, tag->value_size) : (stamma_text){NULL, 0};
}

bool stamma_game_append_tag(stamma_game *game, stamma_text name, stamma_text value, bool escaped)
{
    if (next_number(&game->tags, sizeof(game_tag)) == STAMMA_NODE_NONE ||
        !reserve_text(game, size_add(name.size, value.size)))
        return false;
    game_tag tag = {keep_text(game, name), name.size, game->text.size, value.size};
    if (escaped)
        game->text.size += tag.value_size = stamma_pgn_unescape(value, (char *)game->text.data + tag.value);
    else
        keep_text(game, value);
    buffer_add(&game->tags, &tag, sizeof tag);
    if (index_names(game))
        return true;
    game->tags.size -= sizeof tag;
    if (stamma_game_tag_count(game) == TAGS_FEW)
        stamma_text_table_clear(&game->names);
    return false;
}

static stamma_error set_tag(stamma_game *game, stamma_text name, stamma_text value)
{
    game_tag *tag = find_tag(game, name);
    if (!tag)
        return stamma_game_append_tag(game, name, value, false) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (value.size > tag->value_size) {
        if (!reserve_text(game, value.size))
            return STAMMA_ERROR_NO_MEMORY;
        tag->value = keep_text(game, value);
    } else if (value.size != 0) {
        memmove(game->text.data + tag->value, value.data, value.size);
    }
    tag->value_size = value.size;
    return STAMMA_OK;
}

static stamma_text word(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

stamma_error stamma_game_set_tag(stamma_game *game, stamma_text name, stamma_text value)
{
    if (!game || !stamma_pgn_tag_is_sound(name, value) || text_equal(name, word("FEN")))
        return STAMMA_ERROR_BAD_ARGUMENT;
    return set_tag(game, name, value);
}

const stamma_position *stamma_game_start(const stamma_game *game)
{
    return position_at(game, 0);
}

void stamma_game_place(stamma_game *game, const stamma_position *position)
{
    *position_at(game, 0) = *position;
}

stamma_error stamma_game_set_start(stamma_game *game, const stamma_position *position)
{
    char fen[STAMMA_FEN_SIZE];
    if (!game || !position || game_node_at(game, 0)->first_child != STAMMA_NODE_NONE)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_fen_write(position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    stamma_error error = set_tag(game, word("SetUp"), word("1"));
    if (!error)
        error = set_tag(game, word("FEN"), word(fen));
    if (!error)
        stamma_game_place(game, position);
    return error;
}

stamma_text stamma_game_result(const stamma_game *game)
{
    return word(game->result);
}

stamma_error stamma_game_set_result(stamma_game *game, stamma_text result)
{
    if (!game || !text_is_given(result) || stamma_result_find(result) == RESULTS)
        return STAMMA_ERROR_BAD_ARGUMENT;
    memcpy(game->result, result.data, result.size);
    game->result[result.size] = '\0';
    return STAMMA_OK;
}

/* ---- nodes ---- */

static bool is_node(const stamma_game *game, stamma_node node)
{
    return node < game_node_count(game);
}

stamma_node stamma_game_parent(const stamma_game *game, stamma_node node)
{
    return is_node(game, node) ? game_node_at(game, node)->parent : STAMMA_NODE_NONE;
}

stamma_node stamma_game_first_child(const stamma_game *game, stamma_node node)
{
    return is_node(game, node) ? game_node_at(game, node)->first_child : STAMMA_NODE_NONE;
}

stamma_node stamma_game_next_sibling(const stamma_game *game, stamma_node node)
{
    return is_node(game, node) ? game_node_at(game, node)->next_sibling : STAMMA_NODE_NONE;
}

stamma_move stamma_game_move(const stamma_game *game, stamma_node node)
{
    return is_node(game, node) ? game_node_at(game, node)->move : STAMMA_MOVE_NULL;
}

/* Starts from the nearest node on the path whose position is stored, and plays the remaining moves. */
stamma_error stamma_game_position(const stamma_game *game, stamma_node node, stamma_position *position)
{
    if (!game || !is_node(game, node) || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_move moves[GAME_POSITION_EVERY];
    size_t count = 0;
    const game_node *at = game_node_at(game, node);
    for (; at->ply % GAME_POSITION_EVERY != 0; at = game_node_at(game, at->parent))
        moves[count++] = at->move;
    *position = *position_at(game, at->position);
    while (count > 0)
        stamma_position_make(position, moves[--count], position);
    return STAMMA_OK;
}

/* Appends a node to the children of its parent. */
static void link_node(stamma_game *game, stamma_node number, const game_node *node)
{
    game_node *parent = game_node_at(game, node->parent);
    if (parent->first_child == STAMMA_NODE_NONE)
        parent->first_child = number;
    else
        game_node_at(game, parent->last_child)->next_sibling = number;
    parent->last_child = number;
    buffer_add(&game->nodes, node, sizeof *node);
}

stamma_node stamma_game_append_move(stamma_game *game, stamma_node parent, stamma_move move,
                                    const stamma_position *after)
{
    stamma_node number = next_number(&game->nodes, sizeof(game_node));
    uint32_t position = next_number(&game->positions, sizeof(stamma_position));
    if (number == STAMMA_NODE_NONE || position == STAMMA_NODE_NONE)
        return STAMMA_NODE_NONE;
    game_node node = {parent,
                      STAMMA_NODE_NONE,
                      STAMMA_NODE_NONE,
                      STAMMA_NODE_NONE,
                      {STAMMA_NODE_NONE, STAMMA_NODE_NONE, 0},
                      game_node_at(game, parent)->ply + 1,
                      STAMMA_NODE_NONE,
                      move};
    if (node.ply % GAME_POSITION_EVERY == 0) {
        node.position = position;
        buffer_add(&game->positions, after, sizeof *after);
    }
    link_node(game, number, &node);
    return number;
}

stamma_error stamma_game_add_move(stamma_game *game, stamma_node node, stamma_move move, stamma_node *added)
{
    stamma_position position;
    stamma_error error = stamma_game_position(game, node, &position);
    if (error)
        return error;
    if (move == STAMMA_MOVE_NULL ? stamma_position_in_check(&position) : !stamma_move_is_legal(&position, move))
        return STAMMA_ERROR_ILLEGAL;
    stamma_position_make(&position, move, &position);
    stamma_node number = stamma_game_append_move(game, node, move, &position);
    if (number == STAMMA_NODE_NONE)
        return STAMMA_ERROR_NO_MEMORY;
    if (added)
        *added = number;
    return STAMMA_OK;
}

/* ---- comments and NAGs ---- */

/* With more items than this number, a table finds an item of a list by its kind and index. */
enum { ITEMS_FEW = 16 };
#define ITEM_COUNT UINT32_MAX /* as an index: the number of items of the kind */

typedef struct item_key {
    uint32_t list; /* its first item */
    uint32_t kind;
    uint32_t index;
} item_key;

static stamma_text key_text(const item_key *key)
{
    return (stamma_text){(const char *)key, sizeof *key};
}

/* Returns the mark of an entry, or 0. */
static uint32_t mark_of(const stamma_game *game, item_key key)
{
    const uint32_t number = stamma_text_table_find(&game->places, key_text(&key));
    return number == 0 ? 0 : game->places.texts[number].mark;
}

/* Adds an entry if it is new. Returns false if memory is exhausted. */
static bool set_mark(stamma_game *game, item_key key, uint32_t mark)
{
    const uint32_t number = stamma_text_table_add(&game->places, key_text(&key));
    if (number != 0)
        game->places.texts[number].mark = mark;
    return number != 0;
}

static bool index_item(stamma_game *game, uint32_t list, uint32_t item)
{
    const item_key count = {list, game_item_at(game, item)->kind, ITEM_COUNT};
    const uint32_t index = mark_of(game, count);
    return set_mark(game, (item_key){list, count.kind, index}, item) && set_mark(game, count, index + 1);
}

/* Adds the items of a list, starting with item `from`, to the table, if there are many. `before`: the number of items
 * before `from`. */
static bool index_items(stamma_game *game, const game_items *items, uint32_t from, uint32_t before)
{
    bool fine = true;
    if (items->count <= ITEMS_FEW)
        return true;
    if (before <= ITEMS_FEW) { /* no item is in the table, or the kind has changed */
        from = items->first;
        for (uint32_t kind = GAME_NAG; kind <= GAME_COMMENT_BEFORE; kind++)
            fine = set_mark(game, (item_key){items->first, kind, ITEM_COUNT}, 0) && fine;
    }
    for (; from != STAMMA_NODE_NONE && fine; from = game_item_at(game, from)->next)
        fine = index_item(game, items->first, from);
    return fine;
}

static void unlink_last(stamma_game *game, game_items *items, const game_items *before)
{
    *items = *before;
    if (items->last != STAMMA_NODE_NONE)
        game_item_at(game, items->last)->next = STAMMA_NODE_NONE;
    game->items.size -= sizeof(game_item);
}

static bool append_item(stamma_game *game, game_items *items, const game_item *item)
{
    const game_items before = *items;
    uint32_t number = next_number(&game->items, sizeof *item);
    if (number == STAMMA_NODE_NONE)
        return false;
    buffer_add(&game->items, item, sizeof *item);
    if (items->first == STAMMA_NODE_NONE)
        items->first = number;
    else
        game_item_at(game, items->last)->next = number;
    items->last = number;
    items->count++;
    bool indexed = index_items(game, items, number, before.count);
    if (!indexed)
        unlink_last(game, items, &before);
    return indexed;
}

bool stamma_game_join_items(stamma_game *game, game_items *to, const game_items *prefix)
{
    const uint32_t before = to->count;
    for (uint32_t i = prefix->first; i != STAMMA_NODE_NONE; i = game_item_at(game, i)->next)
        if (game_item_at(game, i)->kind == GAME_COMMENT_BEFORE)
            game_item_at(game, i)->kind = GAME_COMMENT;
    if (to->first == STAMMA_NODE_NONE)
        to->first = prefix->first;
    else
        game_item_at(game, to->last)->next = prefix->first;
    to->last = prefix->last;
    to->count += prefix->count;
    return index_items(game, to, prefix->first, before);
}

bool stamma_game_append_nag(stamma_game *game, game_items *items, unsigned nag)
{
    game_item item = {GAME_NAG, STAMMA_NODE_NONE, nag, 0};
    return append_item(game, items, &item);
}

bool stamma_game_append_comment(stamma_game *game, game_items *items, stamma_text comment, bool before)
{
    if (!reserve_text(game, comment.size))
        return false;
    game_item item = {before ? GAME_COMMENT_BEFORE : GAME_COMMENT, STAMMA_NODE_NONE, game->text.size, comment.size};
    bool added = append_item(game, items, &item);
    if (added)
        keep_text(game, comment);
    return added;
}

stamma_error stamma_game_add_comment(stamma_game *game, stamma_node node, bool before, stamma_text comment)
{
    if (!game || !is_node(game, node) || stamma_pgn_comment_form(comment) == PGN_COMMENT_NONE)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_node parent = game_node_at(game, node)->parent;
    if (before && (parent == STAMMA_NODE_NONE || game_node_at(game, parent)->first_child == node)) {
        node = parent == STAMMA_NODE_NONE ? node : parent;
        before = false;
    }
    bool added = stamma_game_append_comment(game, &game_node_at(game, node)->items, comment, before);
    return added ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

stamma_error stamma_game_add_nag(stamma_game *game, stamma_node node, unsigned nag)
{
    if (!game || !is_node(game, node) || nag > UINT8_MAX)
        return STAMMA_ERROR_BAD_ARGUMENT;
    return stamma_game_append_nag(game, &game_node_at(game, node)->items, nag) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static const game_item *find_indexed(const stamma_game *game, item_key key, size_t index, size_t *count)
{
    *count = mark_of(game, key);
    key.index = (uint32_t)index;
    return index < *count ? game_item_at(game, mark_of(game, key)) : NULL;
}

/* Returns the `index`-th item of a kind, or NULL. If NULL, *count is the number of items of this kind. */
static const game_item *find_item(const stamma_game *game, stamma_node node, unsigned kind, size_t index, size_t *count)
{
    static const game_items none = {STAMMA_NODE_NONE, STAMMA_NODE_NONE, 0};
    const game_items *items = is_node(game, node) ? &game_node_at(game, node)->items : &none;
    if (items->count > ITEMS_FEW)
        return find_indexed(game, (item_key){items->first, kind, ITEM_COUNT}, index, count);
    *count = 0;
    for (uint32_t at = items->first; at != STAMMA_NODE_NONE; at = game_item_at(game, at)->next) {
        const game_item *item = game_item_at(game, at);
        if (item->kind == kind && (*count)++ == index)
            return item;
    }
    return NULL;
}

static unsigned comment_kind(bool before)
{
    return before ? GAME_COMMENT_BEFORE : GAME_COMMENT;
}

size_t stamma_game_comment_count(const stamma_game *game, stamma_node node, bool before)
{
    size_t count;
    find_item(game, node, comment_kind(before), SIZE_MAX, &count);
    return count;
}

stamma_text stamma_game_comment(const stamma_game *game, stamma_node node, bool before, size_t index)
{
    size_t count;
    const game_item *item = find_item(game, node, comment_kind(before), index, &count);
    return item ? text_at(game, item->text, item->size) : (stamma_text){NULL, 0};
}

size_t stamma_game_nag_count(const stamma_game *game, stamma_node node)
{
    size_t count;
    find_item(game, node, GAME_NAG, SIZE_MAX, &count);
    return count;
}

unsigned stamma_game_nag(const stamma_game *game, stamma_node node, size_t index)
{
    size_t count;
    const game_item *item = find_item(game, node, GAME_NAG, index, &count);
    return item ? (unsigned)item->text : 0;
}
