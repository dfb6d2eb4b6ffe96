/* SPDX-License-Identifier: MIT */
/* Fuzz target: answers from search columns and indexes. The first line of the input is a query, and the remaining lines
 * are PGN, which is packed. A search with search columns, a search with an index in memory and a search with an index
 * file must find the same games and plies as the matcher game by game. Trees and statistics must be the same with and
 * without an index file. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "large_blocks.h"
#include "memory_archive.h"

const work_limit fuzz_limit = {.fixed = 8000000, .per_byte = 800000};

/* ---- found games ---- */

enum { FOUND_MAX = 1000 };

typedef struct answer {
    size_t count;
    uint64_t games[FOUND_MAX];
    uint64_t plies[FOUND_MAX]; /* hash of the plies */
} answer;

static void add(answer *a, uint64_t game, const uint32_t *plies, size_t count)
{
    if (a->count == FOUND_MAX)
        return;
    a->games[a->count] = game;
    a->plies[a->count++] = count > 0 ? XXH64(plies, count * sizeof *plies, count) : 0;
}

static void demand_same(const answer *a, const answer *b)
{
    demand(a->count == b->count);
    demand(memcmp(a->games, b->games, a->count * sizeof *a->games) == 0);
    demand(memcmp(a->plies, b->plies, a->count * sizeof *a->plies) == 0);
}

static answer match_all(stamma_archive *archive, const stamma_query *query)
{
    answer a = {.count = 0};
    stamma_archive_reader *reader;
    const stamma_archive_game *game;
    stamma_matcher *matcher;
    demand(stamma_archive_reader_open(archive, NULL, &reader) == STAMMA_OK);
    demand(stamma_matcher_open(query, NULL, &matcher) == STAMMA_OK);
    demand(stamma_archive_reader_select(reader, stamma_query_parts(query)) == STAMMA_OK);
    while (demand(stamma_archive_reader_next(reader, &game) == STAMMA_OK), game) {
        bool found = false;
        const uint32_t *plies;
        size_t count = 0;
        demand(stamma_matcher_test(matcher, game, &found, &plies, &count) == STAMMA_OK);
        if (found)
            add(&a, game->number, plies, count);
    }
    stamma_matcher_close(matcher);
    stamma_archive_reader_close(reader);
    return a;
}

static answer search(stamma_archive *archive, const stamma_query *query)
{
    answer a = {.count = 0};
    const stamma_match *match;
    stamma_search *searching;
    demand(stamma_search_open(archive, query, NULL, &searching) == STAMMA_OK);
    while (demand(stamma_search_next(searching, &match) == STAMMA_OK), match)
        add(&a, match->game, match->plies, match->ply_count);
    stamma_search_close(searching);
    return a;
}

/* ---- trees and statistics ---- */

static uint64_t tree_hash(stamma_archive *archive, const stamma_query *query)
{
    const stamma_position start = stamma_position_start();
    stamma_tree *tree;
    demand(stamma_tree_open(&start, NULL, &tree) == STAMMA_OK && stamma_tree_keep_history(tree) == STAMMA_OK);
    demand(stamma_tree_add_archive(tree, stamma_text_of("a"), archive, query, NULL, NULL) == STAMMA_OK);
    size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, NULL, 0);
    char *json = malloc(size + 1);
    demand(json && stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, size + 1) == size);
    stamma_tree_close(tree);
    uint64_t hash = XXH64(json, size, 0);
    free(json);
    return hash;
}

static uint64_t stats_hash(stamma_archive *archive, const stamma_query *query)
{
    stamma_stats *stats;
    size_t size;
    demand(stamma_stats_open(NULL, &stats) == STAMMA_OK);
    demand(stamma_stats_add_archive(stats, archive, query, NULL, NULL) == STAMMA_OK);
    demand(stamma_stats_write_json(stats, SIZE_MAX, NULL, 0, &size) == STAMMA_OK);
    char *json = malloc(size + 1);
    demand(json && stamma_stats_write_json(stats, SIZE_MAX, json, size + 1, &size) == STAMMA_OK);
    stamma_stats_close(stats);
    uint64_t hash = XXH64(json, size, 0);
    free(json);
    return hash;
}

/* ---- the target ---- */

static memory_archive write_index(stamma_archive *archive, uint64_t *random)
{
    memory_archive file = {0};
    const stamma_output output = memory_output(&file);
    const stamma_index_write_options options = {.size = sizeof options,
                                                .segment_games = (uint32_t)draw_below(random, 4)};
    demand(stamma_index_write(archive, &options, &output) == STAMMA_OK);
    return file;
}

/* A query with these words does not return all matches. */
static bool is_limited(const uint8_t *query, size_t size)
{
    for (size_t n = 0; n + 4 <= size; n++)
        if (memcmp(query + n, "skip", 4) == 0 || memcmp(query + n, "limi", 4) == 0 || query[n] == '\\')
            return true;
    return false;
}

/* Opens the archive with its index file. Each may be in memory, or read by a function. */
static stamma_archive *open_with_index(memory_archive *archive, memory_archive *file, uint64_t *random)
{
    const stamma_bytes bytes = memory_bytes(archive, draw(random) & 1), index = memory_bytes(file, draw(random) & 1);
    const stamma_archive_options options = {.size = sizeof options, .allocator = large_blocks_kept(), .index = &index};
    stamma_archive *opened;
    demand(stamma_archive_open(&bytes, &options, &opened) == STAMMA_OK);
    return opened;
}

static stamma_index_state index_state(const stamma_archive *archive)
{
    stamma_index_state state = {.size = sizeof state};
    demand(stamma_archive_index(archive, &state) == STAMMA_OK);
    return state;
}

static void test(memory_archive *archive, const stamma_query *query, bool limited, uint64_t *random)
{
    stamma_archive *plain = memory_open(archive), *in_memory = memory_open(archive);
    memory_archive file = write_index(plain, random);
    stamma_archive *in_file = open_with_index(archive, &file, random);
    demand(stamma_archive_keep_index(in_memory, NULL) == STAMMA_OK);
    demand(index_state(in_memory).kind == STAMMA_INDEX_MEMORY && index_state(in_file).kind == STAMMA_INDEX_FILE);
    answer all = search(plain, query), next = search(in_memory, query);
    demand_same(&all, &next);
    next = search(in_file, query);
    demand_same(&all, &next);
    next = limited ? all : match_all(plain, query);
    demand_same(&all, &next);
    const stamma_query *asked = draw(random) & 1 ? query : NULL;
    demand(tree_hash(plain, asked) == tree_hash(in_file, asked));
    demand(stats_hash(plain, asked) == stats_hash(in_file, asked));
    demand(!index_state(in_file).damaged);
    stamma_archive_close(plain);
    stamma_archive_close(in_memory);
    stamma_archive_close(in_file);
    free(file.data);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    uint64_t random = XXH64(data, size, 3) | 1;
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t line = end ? (size_t)(end - data) : size;
    const stamma_text json = {size > 0 ? (const char *)data : "", line};
    const stamma_text pgn = {end ? (const char *)end + 1 : "", end ? size - line - 1 : 0};
    stamma_query *query;
    if (stamma_query_parse(json, NULL, NULL, &query) != STAMMA_OK)
        return;
    memory_archive archive = memory_pack_parts(pgn, memory_level(&random), &random);
    test(&archive, query, is_limited(data, line), &random);
    free(archive.data);
    stamma_query_close(query);
}

/* ---- mutations ---- */

/* Queries in which `@` is replaced with a value of the games. */
static const char *const queries[] = {
    "{\"player\":\"@\"}",
    "{\"white\":\"@*\"}",
    "{\"black\":\"*@\"}",
    "{\"players\":[\"@\",\"*\"]}",
    "{\"event\":\"@\"}",
    "{\"site\":\"@*\",\"plies\":\"2..\"}",
    "{\"any\":[{\"white\":\"@\"},{\"fen\":\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPPPPP/RNBQKBNR w KQkq -\"}]}",
    "{\"not\":{\"player\":\"@\"},\"result\":\"1-0\"}",
    "{\"fen\":\"@\"}",
    "{\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\",\"player\":\"@\"}",
    "{\"fen\":\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\",\"flipcolor\":true}",
    "{\"rating\":\"@..\"}",
    "{\"each-rating\":\"..@\",\"date\":\"1900..\"}",
    "{\"date\":\"@\"}",
    "{\"date\":\"..@\",\"result\":[\"1-0\",\"1/2-1/2\"]}",
    "{\"eco\":\"@\"}",
    "{\"eco\":\"A00..C99\",\"all-matches\":true}",
    "{\"time-control\":\"@\"}",
    "{\"termination\":\"@\"}",
    "{\"material\":\"KPKP\",\"ply\":\"1..\"}",
    "{\"moved\":\"N\",\"by\":\"white\",\"all-matches\":true}",
    "{\"streak\":[{\"white-move\":\"e4\"},{\"black-move\":\"e5\"}]}",
    "{\"sequence\":[{\"captured\":\"P\"},{\"check\":true}],\"gap\":20}",
    "{\"has\":\"variations\",\"comment\":\"@\"}",
    "{\"tag\":{\"Round\":\"@\"}}",
    "{\"plies\":\"..10\",\"mate\":true}",
    "{}",
};

/* Returns a quoted value of the games; an empty text if there is none. */
static stamma_text any_value(const uint8_t *data, size_t size, uint64_t *random)
{
    const size_t from = draw_below(random, size);
    const uint8_t *begin = size > 0 ? memchr(data + from, '"', size - from) : NULL;
    const uint8_t *end = begin ? memchr(begin + 1, '"', size - (size_t)(begin + 1 - data)) : NULL;
    return end ? (stamma_text){(const char *)begin + 1, (size_t)(end - begin) - 1} : (stamma_text){"", 0};
}

/* Writes a query with a value instead of `@`. Returns its size. */
static size_t write_query(const char *query, stamma_text value, char *out)
{
    size_t size = 0;
    for (; *query; query++)
        if (*query == '@') {
            memcpy(out + size, value.data, value.size);
            size += value.size;
        } else {
            out[size++] = *query;
        }
    return size;
}

static size_t change_query(uint8_t *data, size_t size, size_t room, uint64_t *random)
{
    enum { VALUE_MAX = 80, QUERY_MAX = 200 };
    char query[QUERY_MAX + VALUE_MAX];
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t old = end ? (size_t)(end - data) : 0, rest = size - old;
    stamma_text value = any_value(data + old, rest, random);
    value.size = value.size < VALUE_MAX ? value.size : VALUE_MAX;
    size_t length = write_query(queries[draw_below(random, sizeof queries / sizeof *queries)], value, query);
    if (length + rest > room)
        return size;
    memmove(data + length, data + old, rest);
    memcpy(data, query, length);
    return length + rest;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint64_t random = draw_from(seed);
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t line = end ? (size_t)(end - data) + 1 : 0;
    switch (draw_below(&random, 6)) {
    case 0:
    case 1: return change_query(data, size, room, &random);
    case 2: return LLVMFuzzerMutate(data, size, room);
    default: return line + mutate_pgn(data + line, size - line, room - line, seed);
    }
}
