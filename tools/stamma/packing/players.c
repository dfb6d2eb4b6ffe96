/* SPDX-License-Identifier: MIT */
/* The players of the games of archives. Names are read as columns, which is faster than reading games. */
#include "packing/packing.h"

/* The names of a batch, as hashes. */
typedef struct names {
    const uint8_t *present; /* a bit for each row; NULL: all */
    const int32_t *indices;
    uint64_t *hashes;
} names;

/* Is called with the number of a game and a hash of its players. Returns false after a message. */
typedef bool visit_players(void *context, uint64_t number, uint64_t players);

static bool read_names(const struct ArrowArray *column, names *n)
{
    const struct ArrowArray *dictionary = column->dictionary;
    const int32_t *ends = dictionary->buffers[1];
    const char *bytes = dictionary->buffers[2];
    stamma_error error = STAMMA_OK;
    *n = (names){column->buffers[0], column->buffers[1], calloc((size_t)dictionary->length + 1, sizeof *n->hashes)};
    if (!n->hashes)
        return tool_fail_memory(NULL);
    for (int64_t i = 0; i < dictionary->length && !error; i++) {
        const int32_t *at = &ends[dictionary->offset + i];
        const stamma_text name = {at[1] > at[0] ? bytes + at[0] : "", (size_t)(at[1] - at[0])};
        error = stamma_name_hash(name, NULL, &n->hashes[i]);
    }
    return !error || tool_fail_memory(NULL);
}

/* Returns 0 if the name is missing. */
static uint64_t hash_at(const names *n, int64_t row)
{
    const bool present = !n->present || (n->present[row / 8] >> row % 8 & 1);
    return present ? n->hashes[n->indices[row]] : 0;
}

static bool visit_batch(const struct ArrowArray *batch, visit_players *visit, void *context)
{
    const struct ArrowArray *number = batch->children[0], *white = batch->children[1], *black = batch->children[2];
    const int64_t *numbers = number->buffers[1];
    names whites = {.hashes = NULL}, blacks = {.hashes = NULL};
    bool right = read_names(white, &whites) && read_names(black, &blacks);
    for (int64_t row = batch->offset; row < batch->offset + batch->length && right; row++) {
        const uint64_t players = hash_at(&whites, row + white->offset) * UINT64_C(0x9E3779B97F4A7C15) +
                                 hash_at(&blacks, row + black->offset);
        right = visit(context, (uint64_t)numbers[row + number->offset], players);
    }
    free(whites.hashes);
    free(blacks.hashes);
    return right;
}

/* Visits all games of an archive. Returns false after a message. */
static bool visit_all(tool_window *archive, const tool_packing *p, visit_players *visit, void *context)
{
    const stamma_text columns[] = {stamma_text_of("number"), stamma_text_of("white"), stamma_text_of("black")};
    const stamma_bytes bytes = tool_window_bytes(archive);
    const stamma_columns_options options = {.size = sizeof options,
                                            .executor = &p->executor,
                                            .memory = p->options->memory,
                                            .columns = columns,
                                            .column_count = sizeof columns / sizeof *columns};
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    stamma_place place = {.offset = 0};
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&bytes, NULL, &opened);
    bool right = true;
    if (!error)
        error = stamma_columns_open(opened, &options, NULL, &stream);
    if (error) {
        tool_archive_say(archive->name, error, place);
        stamma_archive_close(opened);
        return false;
    }
    while (right && !stream.get_next(&stream, &batch) && batch.release) {
        right = visit_batch(&batch, visit, context);
        batch.release(&batch);
    }
    error = right ? stamma_columns_error(&stream, &place) : STAMMA_OK;
    if (error)
        tool_archive_say(archive->name, error, place);
    stream.release(&stream);
    stamma_archive_close(opened);
    return right && !error;
}

static bool add_players(void *context, uint64_t number, uint64_t players)
{
    (void)number;
    return tool_numbers_add(context, players);
}

bool tool_players_add(tool_numbers *players, tool_window *archive, const tool_packing *p)
{
    return visit_all(archive, p, add_players, players);
}

typedef struct finding {
    const tool_numbers *players;
    tool_numbers *games;
} finding;

static bool find_players(void *context, uint64_t number, uint64_t players)
{
    const finding *f = context;
    return !tool_numbers_have(f->players, players) || tool_numbers_add(f->games, number);
}

bool tool_players_find(const tool_numbers *players, tool_window *archive, const tool_packing *p, tool_numbers *games)
{
    finding f = {players, games};
    return visit_all(archive, p, find_players, &f);
}
