/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading PGN. The events must not depend on how the input is divided into pieces, and every reported move
 * must be legal. A tree must be equal after it is written and read again, and must be written as the same bytes
 * again. */
#include <stdlib.h>
#include <string.h>

#include "mutators.h"
#include "stamma.h"
#include "target.h"

/* ---- events ---- */

/* FNV-1a. */
static void hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
}

static void hash_event(uint64_t *hash, const stamma_pgn_event *e)
{
    uint64_t values[] = {e->kind,       e->error,     e->text.size, e->value.size, e->place.offset, e->place.line,
                         e->place.game, e->place.ply, e->depth,     e->move,       e->nag,          e->more};
    hash_bytes(hash, values, sizeof values);
    hash_bytes(hash, e->text.data, e->text.size);
    hash_bytes(hash, e->value.data, e->value.size);
}

static void check_move(stamma_pgn_reader *reader, stamma_position *before, const stamma_pgn_event *e)
{
    if (e->kind == STAMMA_PGN_MOVE && e->error == STAMMA_OK) {
        demand(e->move == STAMMA_MOVE_NULL || stamma_move_is_legal(before, e->move));
        stamma_position_make(before, e->move, before);
        demand(memcmp(before, stamma_pgn_reader_position(reader), sizeof *before) == 0);
    }
    if (stamma_pgn_reader_position(reader))
        *before = *stamma_pgn_reader_position(reader);
}

/* Returns a hash of all events and closes the reader. */
static uint64_t hash_events(stamma_pgn_reader *reader, size_t size, bool plays)
{
    uint64_t hash = 0xCBF29CE484222325u, events = 0;
    stamma_pgn_event event;
    stamma_position position = stamma_position_start();
    do {
        demand(stamma_pgn_reader_next(reader, &event) == STAMMA_OK);
        hash_event(&hash, &event);
        if (plays)
            check_move(reader, &position, &event);
        demand(++events <= 4 * (uint64_t)size + 4);
    } while (event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
    return hash;
}

typedef struct source {
    const uint8_t *data;
    size_t size, at, piece;
} source;

static ptrdiff_t read_piece(void *context, void *bytes, size_t size)
{
    source *s = context;
    size_t most = s->size - s->at < s->piece ? s->size - s->at : s->piece;
    if (most > size)
        most = size;
    memcpy(bytes, s->data + s->at, most);
    s->at += most;
    s->piece = s->piece % 37 + 1;
    return (ptrdiff_t)most;
}

static void check_events(const uint8_t *data, size_t size)
{
    for (unsigned way = 0; way < 2; way++) {
        stamma_pgn_options options = {.size = sizeof options, .max_token = 256, .max_depth = 5};
        options.tokens_only = options.move_numbers = way == 1;
        source pieces = {data, size, 0, 1};
        stamma_input input = {.context = &pieces, .read = read_piece};
        stamma_pgn_reader *whole, *cut;
        demand(stamma_pgn_reader_open_memory(data, size, &options, &whole) == STAMMA_OK);
        demand(stamma_pgn_reader_open(&input, &options, &cut) == STAMMA_OK);
        demand(hash_events(whole, size, way == 0) == hash_events(cut, size, way == 0));
    }
}

/* ---- trees ---- */

typedef struct text {
    char *data;
    size_t size, capacity;
} text;

static bool keep(void *context, const void *bytes, size_t size)
{
    text *t = context;
    if (t->capacity - t->size < size) {
        t->capacity = 2 * t->capacity + size;
        t->data = realloc(t->data, t->capacity);
        demand(t->data != NULL);
    }
    memcpy(t->data + t->size, bytes, size);
    t->size += size;
    return true;
}

static stamma_pgn_reader *open_reader(const void *data, size_t size)
{
    stamma_pgn_reader *reader;
    demand(stamma_pgn_reader_open_memory(data, size, NULL, &reader) == STAMMA_OK);
    return reader;
}

static stamma_game *open_game(void)
{
    stamma_game *game;
    demand(stamma_game_open(NULL, &game) == STAMMA_OK);
    return game;
}

static bool read_game(stamma_game *game, stamma_pgn_reader *reader)
{
    bool found;
    demand(stamma_game_read(game, reader, &found, NULL, NULL) == STAMMA_OK);
    return found;
}

static text rewrite(const void *data, size_t size)
{
    text out = {0};
    stamma_output output = {&out, keep, NULL};
    stamma_pgn_reader *reader = open_reader(data, size);
    stamma_pgn_writer *writer;
    stamma_game *game = open_game();
    demand(stamma_pgn_writer_open(&output, NULL, &writer) == STAMMA_OK);
    while (read_game(game, reader))
        demand(stamma_game_write(game, writer) == STAMMA_OK);
    stamma_game_close(game);
    stamma_pgn_writer_close(writer);
    stamma_pgn_reader_close(reader);
    return out;
}

static void demand_same_text(stamma_text a, stamma_text b)
{
    demand(a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0));
}

static void demand_same_node(const stamma_game *a, stamma_node x, const stamma_game *b, stamma_node y)
{
    demand(stamma_game_move(a, x) == stamma_game_move(b, y));
    demand(stamma_game_nag_count(a, x) == stamma_game_nag_count(b, y));
    for (size_t n = 0; n < stamma_game_nag_count(a, x); n++)
        demand(stamma_game_nag(a, x, n) == stamma_game_nag(b, y, n));
    for (unsigned before = 0; before < 2; before++) {
        demand(stamma_game_comment_count(a, x, before) == stamma_game_comment_count(b, y, before));
        for (size_t n = 0; n < stamma_game_comment_count(a, x, before); n++)
            demand_same_text(stamma_game_comment(a, x, before, n), stamma_game_comment(b, y, before, n));
    }
}

/* Returns the next node in the order of the text: the first child, otherwise the next sibling of the node, or of its
 * nearest ancestor with a next sibling. */
static stamma_node next_node(const stamma_game *game, stamma_node node)
{
    stamma_node next = stamma_game_first_child(game, node);
    for (; next == STAMMA_NODE_NONE && node != STAMMA_NODE_NONE; node = stamma_game_parent(game, node))
        next = stamma_game_next_sibling(game, node);
    return next;
}

static size_t depth_of(const stamma_game *game, stamma_node node)
{
    size_t depth = 0;
    while ((node = stamma_game_parent(game, node)) != STAMMA_NODE_NONE)
        depth++;
    return depth;
}

static void demand_same_game(const stamma_game *a, const stamma_game *b)
{
    stamma_text name[2], value[2];
    demand(stamma_game_tag_count(a) == stamma_game_tag_count(b));
    for (size_t n = 0; n < stamma_game_tag_count(a); n++) {
        demand(stamma_game_tag_at(a, n, &name[0], &value[0]) == STAMMA_OK);
        demand(stamma_game_tag_at(b, n, &name[1], &value[1]) == STAMMA_OK);
        demand_same_text(name[0], name[1]);
        demand_same_text(value[0], value[1]);
    }
    demand(memcmp(stamma_game_start(a), stamma_game_start(b), sizeof(stamma_position)) == 0);
    demand_same_text(stamma_game_result(a), stamma_game_result(b));
    stamma_node x = 0, y = 0;
    for (size_t n = 0; x != STAMMA_NODE_NONE && y != STAMMA_NODE_NONE; n++) {
        demand_same_node(a, x, b, y);
        demand(n % 64 != 0 || depth_of(a, x) == depth_of(b, y)); /* for each node, the time would be quadratic */
        x = next_node(a, x);
        y = next_node(b, y);
    }
    demand(x == y);
}

/* Checks that written trees are read as the same trees, and written as the same bytes again. */
static void check_trees(const uint8_t *data, size_t size)
{
    text once = rewrite(data, size), twice = rewrite(once.data ? once.data : "", once.size);
    demand(once.size == twice.size && (once.size == 0 || memcmp(once.data, twice.data, once.size) == 0));
    stamma_pgn_reader *before = open_reader(data, size), *after = open_reader(once.data ? once.data : "", once.size);
    stamma_game *a = open_game(), *b = open_game();
    while (read_game(a, before)) {
        demand(read_game(b, after));
        demand_same_game(a, b);
    }
    demand(!read_game(b, after));
    stamma_game_close(a);
    stamma_game_close(b);
    stamma_pgn_reader_close(before);
    stamma_pgn_reader_close(after);
    free(once.data);
    free(twice.data);
}

const work_limit fuzz_limit = {.fixed = 50000, .per_byte = 5000};

void fuzz_input(const uint8_t *data, size_t size)
{
    check_events(data, size);
    check_trees(data, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_pgn(data, size, room, seed);
}
