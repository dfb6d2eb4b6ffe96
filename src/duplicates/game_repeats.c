/* SPDX-License-Identifier: MIT */
/* Lists the games of an archive that may be the same game as another of its games, by the index file.
 *
 * Games that are the same game have the same words of players, the same number of plies and the same moves. A table has
 * a small counter for each hash of these. First, the counters count players and plies, and games whose counter is above
 * 1 remain. Then the moves of these games are read, and counted in the same way. Of games that are not typed, only the
 * players are compared. */
#include "duplicates/game_repeats.h"
#include "names/names.h"

#include <xxhash.h>

enum { SLOTS_PER_GAME = 16, SLOT_MAX = 3, ANY_PLIES = 1 << 30 };

/* A game that may occur several times. */
typedef struct repeat {
    uint64_t segment;
    uint64_t hash; /* of its players; later also of its moves */
    uint32_t rank;
    bool any; /* only its players are compared */
} repeat;

typedef struct repeats {
    const stamma_allocator *allocator;
    index_file *file;
    index_moves *moves;
    uint64_t games;
    buffer counts; /* 2 bits for each slot */
    uint64_t mask;
    buffer found; /* repeat */
    buffer plain, folded, words;
    uint64_t *names; /* of the segment: the hash of the words of each name */
    bool untyped;    /* there are games that are not typed */
} repeats;

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* ---- the table ---- */

static stamma_error open_table(repeats *r, uint64_t games)
{
    uint64_t slots = 64;
    while (slots < games * SLOTS_PER_GAME)
        slots *= 2;
    r->mask = slots - 1;
    uint8_t *counts = (uint8_t *)buffer_array(&r->counts, (size_t)(slots / 4), 1);
    if (counts)
        memset(counts, 0, (size_t)(slots / 4));
    return counts ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static unsigned count_at(const repeats *r, uint64_t hash)
{
    return r->counts.data[(hash & r->mask) / 4] >> (hash & 3) * 2 & 3;
}

static void count(repeats *r, uint64_t hash)
{
    if (count_at(r, hash) < SLOT_MAX)
        r->counts.data[(hash & r->mask) / 4] += (uint8_t)(1 << (hash & 3) * 2);
}

/* ---- games ---- */

static uint64_t hash_name(repeats *r, stamma_text name)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    r->folded.size = r->words.size = 0;
    stamma_fold_value(name, &r->plain, &r->folded);
    stamma_name_words((stamma_text){(const char *)r->folded.data, r->folded.size}, &r->words);
    for (size_t n = 0; n < r->words.size; n++)
        hash = (hash ^ r->words.data[n]) * UINT64_C(0x100000001B3);
    return mixed(hash);
}

/* Computes the hashes of all names of a segment. A missing name is an empty name. */
static stamma_error hash_names(repeats *r, const index_segment *s)
{
    const size_t names = (size_t)s->counts[COUNT_NAMES] + 1;
    memory_release(r->allocator, r->names);
    r->names = (uint64_t *)memory_allocate(r->allocator, size_multiply(names, sizeof *r->names));
    if (!r->names)
        return STAMMA_ERROR_NO_MEMORY;
    r->names[0] = hash_name(r, (stamma_text){"", 0});
    for (uint32_t n = 1; n < names; n++)
        r->names[n] = hash_name(r, stamma_index_name(r->file, s, n));
    return r->plain.failed || r->folded.failed || r->words.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Returns a hash of the players of a game, to which its number of plies is added. */
static uint64_t hash_players(const repeats *r, const index_segment *s, uint32_t record)
{
    uint32_t names[2] = {0, 0};
    if (!stamma_index_players(r->file, s, record, names))
        names[STAMMA_WHITE] = names[STAMMA_BLACK] = 0;
    return mixed(r->names[names[STAMMA_WHITE]] + 3 * r->names[names[STAMMA_BLACK]]);
}

static uint32_t plies_of(const repeats *r, const index_segment *s, uint32_t rank)
{
    return rank < s->counts[COUNT_TYPED] ? index_game_plies(r->file, s, rank) : ANY_PLIES;
}

static void count_games(repeats *r, const index_segment *s)
{
    for (uint32_t rank = 0; rank < s->counts[COUNT_GAMES]; rank++)
        count(r, mixed(hash_players(r, s, stamma_index_record(r->file, s, rank)) + plies_of(r, s, rank)));
}

static void list_repeated(repeats *r, const index_segment *s, uint64_t segment)
{
    for (uint32_t rank = 0; rank < s->counts[COUNT_GAMES]; rank++) {
        const uint64_t players = hash_players(r, s, stamma_index_record(r->file, s, rank));
        const uint32_t plies = plies_of(r, s, rank);
        const bool any = plies == ANY_PLIES || (r->untyped && count_at(r, mixed(players + ANY_PLIES)) > 0);
        const repeat one = {segment, players, rank, any};
        if (any || count_at(r, mixed(players + plies)) > 1)
            buffer_add(&r->found, &one, sizeof one);
    }
}

/* Lists the games that have the players and the number of plies of another game. */
static stamma_error find_by_plies(repeats *r)
{
    stamma_error error = open_table(r, r->games);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t n = 0; n < r->file->segment_count && error == STAMMA_OK; n++) {
            error = hash_names(r, &r->file->segments[n]);
            if (error == STAMMA_OK && pass == 0)
                count_games(r, &r->file->segments[n]);
            else if (error == STAMMA_OK)
                list_repeated(r, &r->file->segments[n], n);
        }
    return error == STAMMA_OK && r->found.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* ---- moves ---- */

/* Adds the moves of a game to its hash. */
static stamma_error hash_moves(repeats *r, repeat *one)
{
    const uint8_t *codes = NULL;
    uint32_t count = 0;
    stamma_error error =
        stamma_index_moves_read(r->moves, &r->file->segments[one->segment], one->rank, UINT32_MAX, &codes, &count);
    if (error != STAMMA_OK)
        return error;
    r->plain.size = 0;
    buffer_add(&r->plain, r->moves->path, r->moves->depth);
    buffer_add(&r->plain, codes, count);
    if (r->plain.failed)
        return STAMMA_ERROR_NO_MEMORY;
    one->hash = mixed(one->hash ^ XXH3_64bits(r->plain.data, r->plain.size));
    return STAMMA_OK;
}

/* Keeps the games that have the moves of another game. Reading the moves of most games takes longer than it saves. */
static stamma_error keep_by_moves(repeats *r)
{
    enum { FEW = 4 };
    repeat *found = (repeat *)(void *)r->found.data;
    const size_t count_found = r->found.size / sizeof *found;
    size_t kept = 0;
    if (count_found >= r->games / FEW)
        return STAMMA_OK;
    stamma_error error = open_table(r, count_found);
    for (size_t n = 0; n < count_found && error == STAMMA_OK; n++) {
        if (found[n].any)
            continue;
        error = hash_moves(r, &found[n]);
        count(r, found[n].hash);
    }
    for (size_t n = 0; n < count_found && error == STAMMA_OK; n++)
        if (found[n].any || count_at(r, found[n].hash) > 1)
            found[kept++] = found[n];
    r->found.size = kept * sizeof *found;
    return error;
}

/* ---- the list ---- */

static void add_numbers(repeats *r, buffer *numbers)
{
    const repeat *found = (const repeat *)(const void *)r->found.data;
    for (size_t n = 0; n < r->found.size / sizeof *found; n++) {
        const index_segment *s = &r->file->segments[found[n].segment];
        const uint64_t number = stamma_index_game(r->file, s, stamma_index_record(r->file, s, found[n].rank));
        buffer_add(numbers, &number, sizeof number);
    }
}

stamma_error stamma_repeats_list(index_moves *moves, const stamma_allocator *allocator, buffer *numbers)
{
    repeats r = {.allocator = allocator, .file = moves->file, .moves = moves};
    buffer *all[] = {&r.counts, &r.found, &r.plain, &r.folded, &r.words};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        all[n]->allocator = allocator;
    for (size_t n = 0; n < r.file->segment_count; n++) {
        const uint32_t *counts = r.file->segments[n].counts;
        r.games += counts[COUNT_GAMES];
        r.untyped |= counts[COUNT_TYPED] < counts[COUNT_GAMES];
    }
    stamma_error error = find_by_plies(&r);
    if (error == STAMMA_OK)
        error = keep_by_moves(&r);
    if (error == STAMMA_OK)
        add_numbers(&r, numbers);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    memory_release(allocator, r.names);
    return error;
}
