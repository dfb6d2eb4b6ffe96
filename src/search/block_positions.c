/* SPDX-License-Identifier: MIT */
/* Finds a position: first in the trie of openings, then in the remaining moves of games that may still reach it. */
#include "search/block_positions.h"

/* Maximum number of men of a position for which endings are tested. With more men, the test excludes few games and
 * costs more than it saves. */
enum { MEN_OF_LATE = 26 };

void stamma_position_search_init(position_search *s, const stamma_allocator *allocator)
{
    memset(s, 0, sizeof *s);
    stamma_opening_walk_init(&s->walk, allocator);
    stamma_prefix_reader_init(&s->codes, allocator);
    s->fits.allocator = s->branches.allocator = allocator;
}

void stamma_position_search_release(position_search *s)
{
    stamma_opening_walk_release(&s->walk);
    stamma_prefix_reader_release(&s->codes);
    stamma_buffer_release(&s->fits);
    stamma_buffer_release(&s->branches);
}

/* ---- endings of games ---- */

static bool ending_fits(const position_search *s, const search_columns *c, size_t n)
{
    if (c->signatures != SEARCH_READ)
        return true;
    const search_entry e = {
        .home_pawns = c->home_pawns[n], .pawns = c->pawns[n], .pieces = {c->pieces[0][n], c->pieces[1][n]}};
    return target_may_precede(s->target, &e);
}

/* Returns whether the endings of games can exclude many of them. */
static bool is_late(const position_target *t)
{
    return t->is_pattern ? t->goal.material : t->goal.men[0] + t->goal.men[1] <= MEN_OF_LATE;
}

/* Finds the records with compatible endings. If the test is not worthwhile, *fits is `wanted`, which may be NULL. */
static stamma_error find_fitting(position_search *s, const block_index *x, const uint8_t **fits)
{
    bool endings = x->columns.signatures == SEARCH_READ && is_late(s->target);
    *fits = s->wanted;
    if (!endings)
        return STAMMA_OK;
    s->fits.size = 0;
    if (!buffer_reserve(&s->fits, x->records))
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < x->records; n++)
        s->fits.data[n] = (!s->wanted || s->wanted[n]) && ending_fits(s, &x->columns, n);
    *fits = s->fits.data;
    return STAMMA_OK;
}

/* ---- moves played from the position ---- */

/* Stores, for every node below a place, the code of the move from the place towards the node. */
static void find_branches(uint8_t *branches, const prefix_node *nodes, const walk_place *place)
{
    for (uint32_t child = place->node + 1; child < nodes[place->node].end; child = nodes[child].end)
        memset(branches + child, nodes[child].code, nodes[child].end - child);
}

static bool find_all_branches(position_search *s, const block_index *x)
{
    s->branches.size = 0;
    if (!buffer_reserve(&s->branches, prefix_node_count(&x->beginnings)))
        return false;
    const walk_place *places = walk_places(&s->walk);
    for (size_t n = 1; n < walk_place_count(&s->walk); n++)
        if (places[n].met)
            find_branches(s->branches.data, prefix_nodes(&x->beginnings), &places[n]);
    return true;
}

/* Finds the next move of a record that meets the position in the trie. */
static stamma_error next_in_trie(position_search *s, const block_index *x, const walk_place *place, position_hit *h)
{
    const prefix_record *r = &prefix_records(&x->beginnings)[h->record];
    if (!s->wants_next || h->ply == block_index_plies(x)[h->record])
        return STAMMA_OK;
    if (r->node == place->node)
        return stamma_prefix_reader_first(&s->codes, h->record, 1, &h->next);
    h->next = &s->branches.data[r->node];
    return STAMMA_OK;
}

/* ---- games ---- */

/* Returns at least the first `count` codes after a place. */
static stamma_error codes_after(position_search *s, const block_index *x, const walk_place *place, size_t record,
                                size_t count, const uint8_t **codes)
{
    if (prefix_records(&x->beginnings)[record].node == place->node)
        return stamma_prefix_reader_first(&s->codes, record, count, codes);
    stamma_error error = stamma_prefix_reader_codes(&s->codes, record, codes);
    if (error == STAMMA_OK)
        *codes += place->depth;
    return error;
}

/* Number of codes that are decoded and played at once. It is small because most games can soon be excluded. */
enum { PLIES_AT_ONCE = 16 };

/* Plays moves until the position is reached, *plies after the place. If it is not reached, *plies is FOUND_NONE. */
static stamma_error play_rest(position_search *s, const block_index *x, const walk_place *place, size_t record,
                              piece_board *board, size_t *plies)
{
    size_t left = block_index_plies(x)[record] - place->depth, found = FOUND_NONE;
    *board = place->board;
    for (size_t at = 0; at < left && found == FOUND_NONE; at += PLIES_AT_ONCE) {
        const uint8_t *codes = NULL;
        size_t count = left - at < PLIES_AT_ONCE ? left - at : PLIES_AT_ONCE;
        stamma_error error = codes_after(s, x, place, record, at + count, &codes);
        if (error == STAMMA_OK)
            error = PIECE_GAME(find, board, (place->depth + at) & 1, codes + at, count, &s->target->goal, &found);
        if (error != STAMMA_OK)
            return error;
        *plies = at + found;
    }
    if (found >= FOUND_LOST)
        *plies = FOUND_NONE;
    return STAMMA_OK;
}

static stamma_error search_rest(position_search *s, const block_index *x, const walk_place *place, position_hit *h,
                                bool *found)
{
    piece_board board;
    size_t plies = FOUND_NONE;
    const uint8_t *codes = NULL;
    stamma_error error = play_rest(s, x, place, h->record, &board, &plies);
    *found = error == STAMMA_OK && plies != FOUND_NONE;
    if (!*found)
        return error;
    h->ply = place->depth + (uint32_t)plies;
    if (!s->wants_next || h->ply == block_index_plies(x)[h->record])
        return STAMMA_OK;
    error = codes_after(s, x, place, h->record, plies + 1, &codes);
    h->next = codes + plies;
    return error;
}

/* Returns whether the record begins in the initial position and is requested. */
static bool is_wanted(const position_search *s, const block_index *x, size_t n)
{
    return block_index_from_start(x, n) && (!s->wanted || s->wanted[n]);
}

/* Searches a record that reaches a place. The place either meets the position or may precede it. */
static stamma_error search_record(position_search *s, const block_index *x, const walk_place *place, size_t n)
{
    position_hit h = {n, place->depth, NULL};
    bool found = place->met;
    stamma_error error = STAMMA_OK;
    if (found)
        error = next_in_trie(s, x, place, &h);
    else if (ending_fits(s, &x->columns, n))
        error = search_rest(s, x, place, &h, &found);
    if (error == STAMMA_OK && found)
        s->hit(s->context, &h);
    return error;
}

static stamma_error search_by_walk(position_search *s, const block_index *x)
{
    const uint8_t *fits;
    stamma_error error = find_fitting(s, x, &fits);
    if (error == STAMMA_OK)
        error = stamma_opening_walk_run(&s->walk, &x->beginnings, fits, x->records, s->target);
    if (error == STAMMA_OK && s->wants_next && !find_all_branches(s, x))
        error = STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < x->records && error == STAMMA_OK; n++) {
        const walk_place *place = walk_place_of(&s->walk, prefix_records(&x->beginnings)[n].node);
        if (place != walk_places(&s->walk) && is_wanted(s, x, n))
            error = search_record(s, x, place, n);
    }
    return error;
}

/* ---- search by keys ---- */

/* Searches the games in the list of the position's pawn structure, and the games for which the trie has a place. */
static stamma_error search_all(position_search *s, const block_index *x, const uint16_t *list, size_t count)
{
    const walk_place *places = walk_places(&s->walk);
    stamma_error error = STAMMA_OK;
    for (size_t n = 0, k = 0; n < x->records && error == STAMMA_OK; n++) {
        const walk_place *place = walk_place_of(&s->walk, prefix_records(&x->beginnings)[n].node);
        while (k < count && list[k] < n)
            k++;
        if (place == places && k < count && list[k] == n)
            place = places + 1;
        if (place != places && is_wanted(s, x, n))
            error = search_record(s, x, place, n);
    }
    return error;
}

/* Searches only the games in the list. The list may contain a record several times. */
static stamma_error search_list(position_search *s, const block_index *x, const uint16_t *list, size_t count)
{
    const walk_place *start = walk_places(&s->walk) + 1;
    stamma_error error = STAMMA_OK;
    for (size_t k = 0; k < count && error == STAMMA_OK; k++)
        if ((k == 0 || list[k] != list[k - 1]) && is_wanted(s, x, list[k]))
            error = search_record(s, x, start, list[k]);
    return error;
}

static stamma_error search_by_keys(position_search *s, const block_index *x)
{
    enum { WITHOUT_PLACES = 2 };
    const stamma_position *exact = &s->target->goal.exact;
    size_t count;
    const uint16_t *list = stamma_position_keys_list(&x->keys, structure_key(exact->by_color, exact->by_type), &count);
    stamma_error error = stamma_opening_walk_look_up(&s->walk, &x->beginnings, &x->keys, s->target);
    if (error == STAMMA_OK && walk_place_count(&s->walk) == WITHOUT_PLACES)
        return search_list(s, x, list, count);
    if (error == STAMMA_OK && s->wants_next && !find_all_branches(s, x))
        error = STAMMA_ERROR_NO_MEMORY;
    return error == STAMMA_OK ? search_all(s, x, list, count) : error;
}

stamma_error stamma_position_search_run(position_search *s, const block_index *x, const uint8_t *payload)
{
    stamma_prefix_reader_begin(&s->codes, &x->beginnings, payload + x->moves_at);
    return x->keys.ready && !s->target->is_pattern ? search_by_keys(s, x) : search_by_walk(s, x);
}
