/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading index files. An input is an archive, followed by its index file. All checksums of the index are
 * recomputed, so that the code after these checks is reached. With the index, positions and players are searched, trees
 * are made, games are counted and looked up, and the index is used to write another index. The results are not checked:
 * a wrong index with correct checksums may lead to wrong answers.
 *
 * To contain sums and crowded keys despite their few games, most inputs of the corpus were written with INDEX_SUMMED 3,
 * INDEX_CROWD 4, INDEX_LIST_SIZE 8 and INDEX_NODE_LIST_SIZE 4. */
#include <stdlib.h>
#include <string.h>

#include "large_blocks.h"
#include "mutators.h"
#include "stamma.h"
#include "target.h"

/* The work limit, in basic blocks per declared byte of text, for all passes together. */
#define PER_TEXT UINT64_C(4000)
const work_limit fuzz_limit = {.fixed = 200000, .per_byte = 200};

typedef struct input {
    const uint8_t *archive;
    size_t archive_size;
    const uint8_t *file;
    size_t file_size;
} input;

static bool read_file(void *context, uint64_t offset, void *bytes, size_t size)
{
    const input *in = context;
    demand(offset <= in->file_size && size <= in->file_size - offset);
    if (size > 0)
        memcpy(bytes, in->file + offset, size);
    return true;
}

/* Opens the archive with its index file, which is in memory if its size is odd, and otherwise read by a function.
 * Returns NULL if the bytes are not an archive. */
static stamma_archive *open_archive(input *in)
{
    const stamma_bytes bytes = stamma_bytes_of(in->archive, in->archive_size);
    stamma_bytes index = {.size = in->file_size, .context = in, .read_at = read_file};
    index.memory = in->file_size & 1 ? in->file : NULL;
    const stamma_archive_options options = {.size = sizeof options, .allocator = large_blocks_kept(), .index = &index};
    stamma_archive *archive;
    return stamma_archive_open(&bytes, &options, &archive) == STAMMA_OK ? archive : NULL;
}

static bool has_index(const stamma_archive *archive)
{
    stamma_index_state state = {.size = sizeof state};
    demand(stamma_archive_index(archive, &state) == STAMMA_OK);
    demand((state.kind == STAMMA_INDEX_FILE) == (state.error == STAMMA_OK));
    return state.kind == STAMMA_INDEX_FILE;
}

static void search(stamma_archive *archive, const char *json)
{
    const stamma_match *match = NULL;
    stamma_search *searching = NULL;
    stamma_query *query;
    uint64_t last = 0;
    demand(stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query) == STAMMA_OK);
    stamma_error error = stamma_search_open(archive, query, NULL, &searching);
    while (error == STAMMA_OK && (error = stamma_search_next(searching, &match)) == STAMMA_OK && match) {
        demand(match->game > last);
        last = match->game;
    }
    stamma_search_close(searching);
    stamma_query_close(query);
}

static void make_tree(stamma_archive *archive, const char *fen, bool history)
{
    stamma_position position = stamma_position_start();
    stamma_tree *tree;
    if (fen)
        demand(stamma_fen_read((stamma_text){fen, strlen(fen)}, &position, NULL, NULL) == STAMMA_OK);
    demand(stamma_tree_open(&position, NULL, &tree) == STAMMA_OK);
    if (history)
        demand(stamma_tree_keep_history(tree) == STAMMA_OK);
    if (stamma_tree_add_archive(tree, stamma_text_of("a"), archive, NULL, NULL, NULL) == STAMMA_OK) {
        size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, NULL, 0);
        char *json = malloc(size + 1);
        demand(json && stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, size + 1) == size);
        free(json);
    }
    stamma_tree_close(tree);
}

static void count_games(stamma_archive *archive)
{
    stamma_stats *stats;
    demand(stamma_stats_open(NULL, &stats) == STAMMA_OK);
    (void)stamma_stats_add_archive(stats, archive, NULL, NULL, NULL);
    stamma_stats_close(stats);
}

static void count_matches(stamma_archive *archive, const char *json)
{
    stamma_stats_results results = {.games = 0};
    stamma_query *query;
    demand(stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query) == STAMMA_OK);
    if (stamma_stats_count_archive(&results, archive, query, NULL, NULL) == STAMMA_OK)
        demand(results.white_wins + results.draws + results.black_wins <= results.games);
    stamma_query_close(query);
}

/* Looks up the first games of the archive. */
static void look_up(stamma_archive *archive, bool similar)
{
    const stamma_game_lookup_options options = {.size = sizeof options, .similar = similar};
    const stamma_archive_game *game = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_game_lookup *lookup = NULL;
    const uint64_t *numbers;
    size_t count = 0;
    demand(stamma_game_lookup_open(archive, &options, &lookup) == STAMMA_OK);
    stamma_error error = stamma_archive_reader_open(archive, NULL, &reader);
    for (unsigned n = 0; n < 20 && !error; n++) {
        error = stamma_archive_reader_next(reader, &game);
        if (error || !game)
            break;
        if (!game->continuation)
            error = stamma_game_lookup_add(lookup, game);
    }
    if (!error)
        error = stamma_game_lookup_find(lookup, &numbers, &count);
    for (size_t n = 1; n < count && !error; n++)
        demand(numbers[n - 1] < numbers[n]);
    stamma_archive_reader_close(reader);
    stamma_game_lookup_close(lookup);
}

static void list_repeated(stamma_archive *archive)
{
    stamma_game_lookup *lookup = NULL;
    const uint64_t *numbers;
    size_t count = 0;
    demand(stamma_game_lookup_open(archive, NULL, &lookup) == STAMMA_OK);
    stamma_error error = stamma_game_lookup_repeated(lookup, &numbers, &count);
    for (size_t n = 1; n < count && !error; n++)
        demand(numbers[n - 1] < numbers[n]);
    stamma_game_lookup_close(lookup);
}

/* ---- writing ---- */

typedef struct written {
    uint8_t *data;
    size_t size;
    size_t capacity;
} written;

static bool keep(void *context, const void *bytes, size_t size)
{
    written *w = context;
    if (w->capacity - w->size < size) {
        w->capacity = 2 * (w->size + size);
        w->data = realloc(w->data, w->capacity);
        demand(w->data != NULL);
    }
    memcpy(w->data + w->size, bytes, size);
    w->size += size;
    return true;
}

/* Writes an index that copies segments of this index. The new index must belong to this archive. */
static void write_again(input *in, stamma_archive *archive)
{
    written w = {NULL, 0, 0};
    const stamma_output output = {&w, keep, NULL};
    const stamma_bytes before = {.size = in->file_size, .context = in, .read_at = read_file};
    const stamma_index_write_options options = {.size = sizeof options, .before = &before, .before_count = 1};
    if (stamma_index_write(archive, &options, &output) == STAMMA_OK) {
        input again = {in->archive, in->archive_size, w.data, w.size};
        stamma_archive *indexed = open_archive(&again);
        demand(indexed && has_index(indexed));
        stamma_archive_close(indexed);
    }
    free(w.data);
}

/* ---- the target ---- */

static void check(const uint8_t *data, size_t size)
{
    static const char castled[] = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 0 1";
    static const char open_game[] = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const size_t at = index_offset(data, size);
    input in = {data, at, data + at, size - at};
    stamma_archive *archive = open_archive(&in);
    if (!archive)
        return;
    const bool indexed = has_index(archive);
    limit_work(UINT64_MAX);
    for (unsigned n = 0; n < 12 && indexed; n++) {
        limit_work(fuzz_limit.fixed + fuzz_limit.per_byte * size + PER_TEXT * declared_text(data, at));
        switch (n) {
        case 0: make_tree(archive, NULL, true); break;
        case 1: make_tree(archive, open_game, false); break;
        case 2: search(archive, "{\"fen\":\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"}"); break;
        case 3: make_tree(archive, castled, false); break;
        case 4: search(archive, "{\"player\":\"*a*\",\"result\":\"1-0\"}"); break;
        case 5: search(archive, "{\"white\":\"B*\"}"); break;
        case 6:
            look_up(archive, false);
            look_up(archive, true);
            list_repeated(archive);
            break;
        case 7: search(archive, "{\"count\":{\"pieces\":\"NBRQnbrq\",\"n\":\"..4\"},\"flipcolor\":true}"); break;
        case 8: search(archive, "{\"opening\":\"*\",\"eco\":\"A..E\"}"); break;
        case 9: search(archive, "{\"sub-fen\":\"8/8/8/4p3/4P3/8/8/8\"}"); break;
        case 10: count_matches(archive, "{\"count\":{\"pieces\":\"NBRQnbrq\",\"n\":\"..4\"}}"); break;
        default: count_games(archive);
        }
    }
    limit_work(fuzz_limit.fixed + fuzz_limit.per_byte * size + PER_TEXT * declared_text(data, at));
    write_again(&in, archive);
    stamma_archive_close(archive);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    check_restored(data, size, restore_index, check);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_index(data, size, room, seed);
}
