/* SPDX-License-Identifier: MIT */
/* Sorts games. Few games are kept until they are printed. Of many games, only their numbers and keys are kept; the
 * games to print are then read again, in the order of their archives. */
#include "games/game_views.h"
#include "questions/find.h"

typedef struct find_entry {
    found_game found; /* its plies start at list->plies[first_ply] */
    size_t first_ply;
    size_t order; /* order in which it was found */
    const find_list *list;
    find_key keys[FIND_SORT_KEYS];
    size_t first_piece, piece_count;
} find_entry;

/* A game that was read, or a further piece of it. */
typedef struct find_piece {
    stamma_archive_game game;
    void *memory;
} find_piece;

enum { KEPT_GAMES = 1000 };

void find_list_open(find_list *list, const char *sort, unsigned parts)
{
    *list = (find_list){.parts = parts, .keeps = parts > 0};
    (void)find_orders_read(sort, list->keys, &list->key_count);
}

/* ---- games ---- */

static bool keep_piece(void *context, const stamma_archive_game *game)
{
    find_list *list = context;
    if (!tool_list_grow(&list->pieces, &list->piece_room, list->piece_count, 1, sizeof *list->pieces))
        return false;
    find_piece *p = &list->pieces[list->piece_count];
    if (!tool_game_copy(game, &p->game, &p->memory))
        return false;
    list->piece_count++;
    return true;
}

static void drop_pieces(find_list *list)
{
    for (size_t i = 0; i < list->piece_count; i++)
        free(list->pieces[i].memory);
    list->piece_count = 0;
}

void find_list_close(find_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        find_keys_free(list->entries[i].keys, list->key_count);
    drop_pieces(list);
    free(list->entries);
    free(list->plies);
    free(list->pieces);
}

/* ---- keys ---- */

/* Reads the keys of the last entry. */
static bool read_keys(void *context, const stamma_archive_game *game)
{
    find_list *list = context;
    find_entry *e = &list->entries[list->count - 1];
    for (size_t k = 0; k < list->key_count && !game->continuation; k++)
        find_key_read(list->keys[k].tag, game, &e->keys[k]);
    e->piece_count += list->keeps;
    return !list->keeps || keep_piece(list, game);
}

static bool needs_games(const find_list *list)
{
    for (size_t k = 0; k < list->key_count; k++)
        if (strcmp(list->keys[k].tag, "number") != 0)
            return true;
    return false;
}

bool find_list_add(find_list *list, const found_game *found, find_source *source, const stamma_archive_game *game)
{
    if (!tool_list_grow(&list->entries, &list->room, list->count, 1, sizeof *list->entries) ||
        !tool_list_grow(&list->plies, &list->ply_room, list->ply_count, found->ply_count, sizeof *list->plies))
        return false;
    find_entry *e = &list->entries[list->count];
    *e = (find_entry){.found = *found, .first_ply = list->ply_count, .order = list->count, .list = list};
    for (size_t k = 0; k < list->key_count; k++)
        e->keys[k].number = (double)found->number;
    e->first_piece = list->piece_count;
    list->count++;
    if (game || list->count > KEPT_GAMES) {
        drop_pieces(list);
        list->keeps = false;
    }
    if (found->ply_count > 0)
        memcpy(list->plies + list->ply_count, found->plies, found->ply_count * sizeof *found->plies);
    list->ply_count += found->ply_count;
    if (game)
        return read_keys(list, game);
    const unsigned parts = STAMMA_GAME_TAGS | (list->keeps ? list->parts : 0);
    return !(needs_games(list) || list->keeps) || find_source_read(source, found->number, parts, read_keys, list);
}

/* ---- order ---- */

/* Orders games with equal keys as they were found. */
static int compare_entries(const void *left, const void *right)
{
    const find_entry *a = left, *b = right;
    int order = find_keys_compare(a->list->keys, a->list->key_count, a->keys, b->keys);
    return order != 0 ? order : a->order < b->order ? -1 : 1;
}

void find_list_sort(find_list *list)
{
    if (list->count > 0)
        qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
    for (size_t i = 0; i < list->count; i++)
        list->entries[i].found.plies = list->plies ? list->plies + list->entries[i].first_ply : NULL;
}

/* ---- printing ---- */

static int compare_places(const void *left, const void *right)
{
    const find_entry *const *a = left, *const *b = right;
    return (*a)->order < (*b)->order ? -1 : 1;
}

/* Reads the games of the entries in the order of the archives. */
static bool read_games(find_list *list, find_entry *entries, size_t count, find_source *sources, unsigned parts)
{
    find_entry **places = malloc((count + 1) * sizeof *places);
    bool right = true;
    if (!places)
        return tool_fail_memory(NULL);
    for (size_t i = 0; i < count; i++)
        places[i] = &entries[i];
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; right && i < count; i++) {
        find_entry *e = places[i];
        if (i > 0 && places[i - 1]->found.archive != e->found.archive)
            find_source_rest(&sources[places[i - 1]->found.archive]);
        e->first_piece = list->piece_count;
        right = find_source_read(&sources[e->found.archive], e->found.number, parts, keep_piece, list);
        e->piece_count = list->piece_count - e->first_piece;
    }
    free(places);
    return right;
}

bool find_list_put(find_list *list, uint64_t offset, uint64_t limit, find_source *sources, find_output *output)
{
    size_t first = offset < list->count ? (size_t)offset : list->count;
    size_t count = limit < list->count - first ? (size_t)limit : list->count - first;
    find_entry *entries = list->entries ? list->entries + first : NULL;
    bool reads = find_output_reads(output);
    bool right = !reads || list->keeps || count == 0 || read_games(list, entries, count, sources, output->parts);
    for (size_t i = 0; i < count && right; i++) {
        const find_entry *e = &entries[i];
        const char *name = sources[e->found.archive].file.name;
        if (!reads)
            find_output_number(output, &e->found, name);
        for (size_t k = 0; k < e->piece_count && right; k++)
            right = find_output_game(output, &e->found, name, &list->pieces[e->first_piece + k].game);
    }
    return right;
}
