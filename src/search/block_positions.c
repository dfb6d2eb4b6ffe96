/* Finds a position: first in the trie of openings, then in the rests of those games that may still come to it. */
#include "search/block_positions.h"

/* With more men, so few games can be told by their endings that it takes longer to look. */
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

/* ---- how games end ---- */

static bool ending_fits(const position_search *s, const search_columns *c, size_t n)
{
    if (c->signatures != SEARCH_READ)
        return true;
    const ending e = {c->home_pawns[n], c->pawns[n], {c->pieces[0][n], c->pieces[1][n]}};
    return target_may_precede(s->target, &e);
}

/* Whether few games come so far. */
static bool is_late(const position_target *t)
{
    return t->is_pattern ? t->goal.material : t->goal.men[0] + t->goal.men[1] <= MEN_OF_LATE;
}

/* NULL where that is not worth it. */
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

/* For every node below a place, the code that leads from the place towards it. */
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
    const walk_place *places = (const walk_place *)(const void *)s->walk.places.data;
    for (size_t n = 1; n < s->walk.places.size / sizeof *places; n++)
        if (places[n].met)
            find_branches(s->branches.data, prefix_nodes(&x->beginnings), &places[n]);
    return true;
}

/* Of a record that is met in the trie. */
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

/* At least the first `count` codes behind a place. */
static stamma_error codes_behind(position_search *s, const block_index *x, const walk_place *place, size_t record,
                                 size_t count, const uint8_t **codes)
{
    if (prefix_records(&x->beginnings)[record].node == place->node)
        return stamma_prefix_reader_first(&s->codes, record, count, codes);
    stamma_error error = stamma_prefix_reader_codes(&s->codes, record, codes);
    if (error == STAMMA_OK)
        *codes += place->depth;
    return error;
}

/* So many codes are decoded and played at once: most games are lost soon. */
enum { PLIES_AT_ONCE = 16 };

/* Plays on until the position comes, *plies behind the place, or FOUND_NONE. */
static stamma_error play_rest(position_search *s, const block_index *x, const walk_place *place, size_t record,
                              piece_board *board, size_t *plies)
{
    size_t left = block_index_plies(x)[record] - place->depth, found = FOUND_NONE;
    *board = place->board;
    for (size_t at = 0; at < left && found == FOUND_NONE; at += PLIES_AT_ONCE) {
        const uint8_t *codes = NULL;
        size_t count = left - at < PLIES_AT_ONCE ? left - at : PLIES_AT_ONCE;
        stamma_error error = codes_behind(s, x, place, record, at + count, &codes);
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
                                piece_board *board, bool *found)
{
    size_t plies = FOUND_NONE;
    const uint8_t *codes = NULL;
    stamma_error error = play_rest(s, x, place, h->record, board, &plies);
    *found = error == STAMMA_OK && plies != FOUND_NONE;
    if (!*found)
        return error;
    h->ply = place->depth + (uint32_t)plies;
    h->board = board;
    if (!s->wants_next || h->ply == block_index_plies(x)[h->record])
        return STAMMA_OK;
    error = codes_behind(s, x, place, h->record, plies + 1, &codes);
    h->next = codes + plies;
    return error;
}

/* Whether it begins where the trie does, comes to a place of the walk, and is asked for. */
static bool is_searched(const position_search *s, const block_index *x, size_t n)
{
    const uint32_t *of_node = (const uint32_t *)(const void *)s->walk.of_node.data;
    return of_node[prefix_records(&x->beginnings)[n].node] != 0 &&
           (x->marks.data[n] & (RECORD_IS_GAME | RECORD_IS_SET_UP)) == RECORD_IS_GAME && (!s->wanted || s->wanted[n]);
}

static stamma_error search_record(position_search *s, const block_index *x, size_t n)
{
    const walk_place *place = walk_place_of(&s->walk, prefix_records(&x->beginnings)[n].node);
    position_hit h = {n, place->depth, &place->board, NULL};
    piece_board board;
    bool found = place->met;
    stamma_error error = STAMMA_OK;
    if (found)
        error = next_in_trie(s, x, place, &h);
    else if (ending_fits(s, &x->columns, n))
        error = search_rest(s, x, place, &h, &board, &found);
    if (error == STAMMA_OK && found && !s->hit(s->context, &h))
        error = STAMMA_ERROR_NO_MEMORY;
    return error;
}

stamma_error stamma_position_search_run(position_search *s, const block_index *x, const uint8_t *payload)
{
    const uint8_t *fits;
    stamma_prefix_reader_begin(&s->codes, &x->beginnings, payload + x->moves_at);
    stamma_error error = find_fitting(s, x, &fits);
    if (error == STAMMA_OK)
        error = stamma_opening_walk_run(&s->walk, &x->beginnings, fits, x->records, s->target);
    if (error == STAMMA_OK && s->wants_next && !find_all_branches(s, x))
        error = STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < x->records && error == STAMMA_OK; n++)
        if (is_searched(s, x, n))
            error = search_record(s, x, n);
    return error;
}
