/* SPDX-License-Identifier: MIT */
/* Finds the games of an archive that may be the same game as other games, with the archive's index file. */
#include "codec/codec.h"
#include "duplicates/game_repeats.h"
#include "names/names.h"

#include <stdlib.h>

/* A game is looked up by its moves, and then by its players. The moves cannot be looked up of games in the archive that
 * are not typed, and of games that are compared by their text: their players decide. They also decide if many games
 * have the same moves, so that the time does not grow as the square of the number of games.
 *
 * Similar games are looked up by their first moves, with any players; and by the surnames of their players, with any
 * moves. */
enum { SIMILAR_PLIES = 32, MANY_GAMES = 256 };

struct stamma_game_lookup {
    stamma_allocator allocator;
    index_file *file;
    index_moves moves;
    bool similar;
    text_table names;   /* the words of names of players, or a hash of the surname */
    text_table players; /* u32 number of White's words, u32 number of Black's; `mark` is 1 if a game of these players is
                         * compared by its text, or all its players' games are looked up */
    bool has_texts;     /* ... of any players */
    buffer codes;       /* uint8_t: the moves of a game */
    buffer numbers;     /* uint64_t: games that were found */
    buffer plain, folded, words;
};

stamma_error stamma_game_lookup_open(stamma_archive *archive, const stamma_game_lookup_options *given,
                                     stamma_game_lookup **lookup)
{
    stamma_game_lookup_options options;
    const stamma_search_index *index = archive ? handle_index(archive) : NULL;
    if (!lookup || !index || !index->file)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_options_read(given, &options, sizeof options);
    if (error != STAMMA_OK)
        return error;
    stamma_game_lookup *l = (stamma_game_lookup *)memory_allocate(&archive->allocator, sizeof *l);
    if (!l)
        return STAMMA_ERROR_NO_MEMORY;
    memset(l, 0, sizeof *l);
    l->allocator = archive->allocator;
    l->file = index->file;
    l->similar = options.similar;
    stamma_index_moves_init(&l->moves, l->file, &archive->bytes, &l->allocator);
    l->names.allocator = l->players.allocator = &l->allocator;
    l->names.copies = l->players.copies = true;
    l->codes.allocator = l->numbers.allocator = &l->allocator;
    l->plain.allocator = l->folded.allocator = l->words.allocator = &l->allocator;
    *lookup = l;
    return STAMMA_OK;
}

void stamma_game_lookup_close(stamma_game_lookup *l)
{
    if (!l)
        return;
    const stamma_allocator allocator = l->allocator;
    buffer *all[] = {&l->codes, &l->numbers, &l->plain, &l->folded, &l->words};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    stamma_index_moves_release(&l->moves);
    stamma_text_table_release(&l->names);
    stamma_text_table_release(&l->players);
    memory_release(&allocator, l);
}

/* ---- players ---- */

/* Returns the words of a name, or with `similar` the hash of its surname, valid until the next call. Sets `failed` of a
 * buffer if memory is exhausted. */
static stamma_text words_of(stamma_game_lookup *l, stamma_text name)
{
    l->folded.size = l->words.size = 0;
    stamma_fold_value(name, &l->plain, &l->folded);
    const stamma_text folded = {(const char *)l->folded.data, l->folded.size};
    if (l->similar) {
        const uint64_t hash = stamma_surname_hash(folded);
        buffer_add(&l->words, &hash, sizeof hash);
    } else {
        stamma_name_words(folded, &l->words);
    }
    return (stamma_text){l->words.data ? (const char *)l->words.data : "", l->words.size};
}

static bool has_failed(const stamma_game_lookup *l)
{
    return l->plain.failed || l->folded.failed || l->words.failed || l->names.failed || l->players.failed ||
           l->codes.failed || l->numbers.failed;
}

static uint32_t add_pair(stamma_game_lookup *l, uint32_t white, uint32_t black)
{
    uint8_t pair[8];
    store_u32(pair, white);
    store_u32(pair + 4, black);
    return stamma_text_table_add(&l->players, (stamma_text){(const char *)pair, sizeof pair});
}

/* Returns the number of the players of a game, which are added. */
static uint32_t add_players(stamma_game_lookup *l, const stamma_archive_game *game)
{
    static const char *const tags[] = {"White", "Black"};
    uint32_t names[2];
    for (unsigned color = 0; color < 2; color++) {
        const stamma_text name = stamma_archive_game_tag(game, stamma_text_of(tags[color]));
        names[color] = stamma_text_table_add(&l->names, words_of(l, name));
    }
    return add_pair(l, names[STAMMA_WHITE], names[STAMMA_BLACK]);
}

/* All games of these players are looked up. */
static void mark(stamma_game_lookup *l, uint32_t players)
{
    if (players == 0)
        return;
    l->players.texts[players].mark = 1;
    l->has_texts = true;
}

/* Looks up all games of players with these surnames, with either color, if both are known. */
static void mark_surnames(stamma_game_lookup *l, const stamma_archive_game *game)
{
    static const char *const tags[] = {"White", "Black"};
    uint32_t names[2];
    for (unsigned color = 0; color < 2; color++) {
        const stamma_text hash = words_of(l, stamma_archive_game_tag(game, stamma_text_of(tags[color])));
        if (hash.size == 0 || load_u64((const uint8_t *)hash.data) == 0)
            return;
        names[color] = stamma_text_table_add(&l->names, hash);
    }
    mark(l, add_pair(l, names[STAMMA_WHITE], names[STAMMA_BLACK]));
    mark(l, add_pair(l, names[STAMMA_BLACK], names[STAMMA_WHITE]));
}

/* Returns the number of the words of a name of the index; 0: no game that is looked up has these words. */
static uint32_t find_name(stamma_game_lookup *l, const index_segment *s, uint32_t name)
{
    return stamma_text_table_find(&l->names, words_of(l, stamma_index_name(l->file, s, name)));
}

/* Returns the number of the players of a record; 0: they are the players of no game that is looked up. `known`: the
 * numbers of names that were found before, UINT32_MAX: not yet; NULL: none are kept. */
static uint32_t find_players(stamma_game_lookup *l, const index_segment *s, uint32_t record, uint32_t *known)
{
    uint32_t names[2];
    uint8_t pair[8];
    if (!stamma_index_players(l->file, s, record, names))
        return 0;
    for (unsigned color = 0; color < 2; color++) {
        uint32_t number = known ? known[names[color]] : UINT32_MAX;
        if (number == UINT32_MAX)
            number = find_name(l, s, names[color]);
        if (known)
            known[names[color]] = number;
        if (number == 0)
            return 0;
        store_u32(pair + 4 * color, number);
    }
    return stamma_text_table_find(&l->players, (stamma_text){(const char *)pair, sizeof pair});
}

/* ---- moves ---- */

/* Stores the codes of the moves of a game. Returns false if the game cannot be a typed game: if it has another start
 * position, too many moves, or a move without a code. */
static bool encode(stamma_game_lookup *l, const stamma_archive_game *game)
{
    const stamma_position start = stamma_position_start();
    stamma_position p = game->start;
    if (game->ply_count > UINT16_MAX || stamma_position_key(&p) != stamma_position_key(&start))
        return false;
    uint8_t *codes = (uint8_t *)buffer_array(&l->codes, game->ply_count, 1);
    for (size_t n = 0; n < game->ply_count && codes; n++) {
        if (stamma_byte_encode(&p, game->moves[n], &codes[n]) != STAMMA_OK)
            return false;
        stamma_position_make(&p, game->moves[n], &p);
    }
    return codes != NULL;
}

static void add_number(stamma_game_lookup *l, const index_segment *s, uint32_t record)
{
    const uint64_t number = stamma_index_game(l->file, s, record);
    buffer_add(&l->numbers, &number, sizeof number);
}

/* Adds the games of a segment with the moves of l->codes and these players. Similar games begin with the moves, and
 * have any players. If there are many, adds none and sets *many. */
static stamma_error find_moves(stamma_game_lookup *l, const index_segment *s, uint32_t plies, uint32_t players,
                               bool *many)
{
    uint32_t ranks[2] = {0, 0};
    stamma_error error = stamma_index_line_find(&l->moves, s, l->codes.data, plies, l->similar, ranks);
    *many |= ranks[1] - ranks[0] > MANY_GAMES;
    for (uint32_t rank = ranks[0]; error == STAMMA_OK && rank < ranks[1] && !*many; rank++) {
        const uint32_t record = stamma_index_record(l->file, s, rank);
        if (l->similar || find_players(l, s, record, NULL) == players)
            add_number(l, s, record);
    }
    return error;
}

/* ---- the look-up ---- */

static stamma_error error_of(const stamma_game_lookup *l, stamma_error error)
{
    if (error == STAMMA_OK && atomic_load_explicit(&l->file->damaged, memory_order_relaxed))
        return STAMMA_ERROR_CORRUPT;
    return error == STAMMA_OK && has_failed(l) ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Looks up the first moves of a game in all segments. Sets *many if many games of a segment have them. */
static stamma_error add_moves(stamma_game_lookup *l, uint32_t plies, uint32_t players, bool *many)
{
    stamma_error error = STAMMA_OK;
    *many = false;
    for (size_t n = 0; n < l->file->segment_count && error == STAMMA_OK && !*many; n++)
        error = find_moves(l, &l->file->segments[n], plies, players, many);
    return error;
}

static stamma_error add_same(stamma_game_lookup *l, const stamma_archive_game *game)
{
    const uint32_t players = add_players(l, game);
    if (players == 0 || has_failed(l))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = STAMMA_OK;
    bool many = stamma_game_hash_needs_text(game);
    if (!many && encode(l, game))
        error = add_moves(l, (uint32_t)game->ply_count, players, &many);
    if (many)
        mark(l, players);
    return error;
}

/* Few plies are the moves of many different games. If many games have the same first plies, all plies are looked up. */
static stamma_error add_similar(stamma_game_lookup *l, const stamma_archive_game *game)
{
    enum { LEAST_PLIES = 16 };
    mark_surnames(l, game);
    if (game->ply_count < LEAST_PLIES || !encode(l, game))
        return STAMMA_OK;
    const uint32_t plies = (uint32_t)game->ply_count;
    bool many;
    stamma_error error = add_moves(l, plies < SIMILAR_PLIES ? plies : SIMILAR_PLIES, 0, &many);
    if (error == STAMMA_OK && many && plies > SIMILAR_PLIES)
        error = add_moves(l, plies, 0, &many);
    return error;
}

stamma_error stamma_game_lookup_add(stamma_game_lookup *l, const stamma_archive_game *game)
{
    if (!l || !game || game->continuation || (!game->tags && game->tag_count > 0) ||
        (!game->moves && game->ply_count > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    return error_of(l, l->similar ? add_similar(l, game) : add_same(l, game));
}

/* Adds the games that are not typed, if their players are those of a game. */
static void find_untyped(stamma_game_lookup *l, const index_segment *s, uint32_t *known)
{
    for (uint32_t rank = s->counts[COUNT_TYPED]; rank < s->counts[COUNT_GAMES]; rank++) {
        const uint32_t record = stamma_index_record(l->file, s, rank);
        if (find_players(l, s, record, known) > 0)
            add_number(l, s, record);
    }
}

/* Adds all games of the players of a game that is compared by its text. Players are stored by record, so the order of
 * records is faster than the order of ranks. */
static void find_texts(stamma_game_lookup *l, const index_segment *s, uint32_t *known)
{
    const uint32_t records = s->counts[COUNT_RECORDS], others = records - s->counts[COUNT_GAMES];
    uint32_t skipped = 0, next = others > 0 ? index_u32(l->file, s, SECTION_NON_GAMES, 0) : records;
    for (uint32_t record = 0; record < records; record++) {
        if (record == next) {
            skipped++;
            next = skipped < others ? index_u32(l->file, s, SECTION_NON_GAMES, skipped) : records;
            continue;
        }
        const uint32_t players = find_players(l, s, record, known);
        const uint64_t number = s->first_game + record - skipped + 1;
        if (players > 0 && l->players.texts[players].mark == 1)
            buffer_add(&l->numbers, &number, sizeof number);
    }
}

/* Adds the games of a segment whose moves were not looked up, if their players are those of a game. */
static stamma_error find_others(stamma_game_lookup *l, const index_segment *s)
{
    const size_t names = (size_t)s->counts[COUNT_NAMES] + 1;
    if (!l->has_texts && s->counts[COUNT_TYPED] == s->counts[COUNT_GAMES])
        return STAMMA_OK;
    uint32_t *known = (uint32_t *)memory_allocate(&l->allocator, size_multiply(names, sizeof *known));
    if (!known)
        return STAMMA_ERROR_NO_MEMORY;
    memset(known, 255, names * sizeof *known);
    find_untyped(l, s, known);
    if (l->has_texts)
        find_texts(l, s, known);
    memory_release(&l->allocator, known);
    return STAMMA_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Sorts the numbers, and removes those that occur again. */
static void sort_numbers(stamma_game_lookup *l, const uint64_t **numbers, size_t *count)
{
    uint64_t *all = (uint64_t *)(void *)l->numbers.data;
    size_t kept = 0;
    const size_t found = l->numbers.size / sizeof *all;
    if (found > 1)
        qsort(all, found, sizeof *all, compare_numbers);
    for (size_t n = 0; n < found; n++)
        if (kept == 0 || all[kept - 1] != all[n])
            all[kept++] = all[n];
    l->numbers.size = kept * sizeof *all;
    *numbers = all;
    *count = kept;
}

stamma_error stamma_game_lookup_find(stamma_game_lookup *l, const uint64_t **numbers, size_t *count)
{
    if (!l || !numbers || !count)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < l->file->segment_count && l->players.count > 0 && error == STAMMA_OK; n++)
        error = find_others(l, &l->file->segments[n]);
    error = error_of(l, error);
    if (error == STAMMA_OK)
        sort_numbers(l, numbers, count);
    return error;
}

stamma_error stamma_game_lookup_repeated(stamma_game_lookup *l, const uint64_t **numbers, size_t *count)
{
    if (!l || !numbers || !count || l->players.count > 0)
        return STAMMA_ERROR_BAD_ARGUMENT;
    l->numbers.size = 0;
    const stamma_error error = error_of(l, stamma_repeats_list(&l->moves, &l->allocator, &l->numbers));
    if (error == STAMMA_OK)
        sort_numbers(l, numbers, count);
    return error;
}
