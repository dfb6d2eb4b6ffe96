/* Fuzz target: reading PGN. The events must not depend on how the input is divided into pieces, and every reported
 * move must be legal. A tree that was read must be written as the same bytes after writing and reading it again. */
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

static text rewrite(const void *data, size_t size)
{
    text out = {0};
    stamma_output output = {&out, keep, NULL};
    stamma_pgn_reader *reader;
    stamma_pgn_writer *writer;
    stamma_game *game;
    bool found;
    demand(stamma_pgn_reader_open_memory(data, size, NULL, &reader) == STAMMA_OK);
    demand(stamma_pgn_writer_open(&output, NULL, &writer) == STAMMA_OK);
    demand(stamma_game_open(NULL, &game) == STAMMA_OK);
    while (demand(stamma_game_read(game, reader, &found, NULL, NULL) == STAMMA_OK), found)
        demand(stamma_game_write(game, writer) == STAMMA_OK);
    stamma_game_close(game);
    stamma_pgn_writer_close(writer);
    stamma_pgn_reader_close(reader);
    return out;
}

static void check_trees(const uint8_t *data, size_t size)
{
    text once = rewrite(data, size), twice = rewrite(once.data ? once.data : "", once.size);
    demand(once.size == twice.size && (once.size == 0 || memcmp(once.data, twice.data, once.size) == 0));
    free(once.data);
    free(twice.data);
}

const work_limit fuzz_limit = {.fixed = 50000, .per_byte = 2500};

void fuzz_input(const uint8_t *data, size_t size)
{
    check_events(data, size);
    check_trees(data, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_pgn(data, size, room, seed);
}
