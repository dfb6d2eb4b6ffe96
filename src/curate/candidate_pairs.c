/* Finds pairs of games that may be the same game, and compares them.
 *
 * Each pass sorts all games by one key: a position, or the players. Games with the same key are candidates. In a group
 * of many candidates, each is only compared with its neighbours, so that time grows as n log n. */
#include "curate/curate.h"

#include <stdlib.h>

enum {
    NEIGHBOURS = 24, /* comparisons of a game in a pass */
    PASSES = FACT_KEYS + 1
};

typedef struct candidate_key {
    uint64_t key;
    uint64_t order; /* order of games with the same key: similar games are neighbours */
    uint32_t game;
} candidate_key;

/* Ranks by the number of plies, a known result, the number of comments and variations, the number of tags, and the
 * order in which the games were added. */
static game_rank rank_of(const stamma_duplicates *d, uint32_t game)
{
    const game_facts *f = facts_of(d, game);
    uint64_t known = f->result != STAMMA_RESULT_UNKNOWN;
    if (d->keep == STAMMA_KEEP_FIRST)
        return (game_rank){0, UINT32_MAX - game};
    if (d->keep == STAMMA_KEEP_LAST)
        return (game_rank){0, game};
    return (game_rank){(uint64_t)f->ply_count << 32 | known << 31 | (f->item_count & INT32_MAX),
                       (uint64_t)f->tag_count << 32 | game};
}

static int compare_ranks(game_rank a, game_rank b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}

bool stamma_duplicates_fit(const stamma_duplicates *d)
{
    return (uint64_t)d->facts.capacity + d->moves.capacity + d->pairs.capacity + d->keys.capacity + d->result.capacity +
               stamma_text_table_memory(&d->texts) <=
           d->memory;
}

static int compare_keys(const void *a, const void *b)
{
    const candidate_key *x = (const candidate_key *)a, *y = (const candidate_key *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->game > y->game) - (x->game < y->game);
}

static int compare_pairs(const void *a, const void *b)
{
    const duplicate_pair *x = (const duplicate_pair *)a, *y = (const duplicate_pair *)b;
    int order = compare_ranks(y->rank, x->rank);
    return order != 0 ? order : (x->other > y->other) - (x->other < y->other);
}

static uint64_t players_hash(const stamma_duplicates *d, const game_facts *f)
{
    uint64_t white = stamma_surname_hash(fact_text(d, f->names[STAMMA_WHITE]));
    uint64_t black = stamma_surname_hash(fact_text(d, f->names[STAMMA_BLACK]));
    return white == 0 || black == 0 ? 0 : white * UINT64_C(0x9E3779B97F4A7C15) ^ black;
}

/* Sets the keys of a pass. A key of 0 means that the game has no candidates in this pass. */
static stamma_error set_keys(stamma_duplicates *d, unsigned pass)
{
    d->keys.size = 0;
    if (!buffer_reserve(&d->keys, size_multiply(fact_count(d), sizeof(candidate_key))))
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < fact_count(d); n++) {
        const game_facts *f = facts_of(d, n);
        uint64_t players = players_hash(d, f);
        candidate_key key = {pass < FACT_KEYS ? f->keys[pass] : players, pass < FACT_KEYS ? players : f->date,
                             (uint32_t)n};
        if (key.key != 0 && !f->excluded)
            buffer_add(&d->keys, &key, sizeof key);
    }
    return stamma_duplicates_fit(d) ? STAMMA_OK : STAMMA_ERROR_LIMIT;
}

static void compare(stamma_duplicates *d, uint32_t a, uint32_t b)
{
    stamma_duplicate_kind kind = stamma_same_game(d, facts_of(d, a), facts_of(d, b));
    game_rank x = rank_of(d, a), y = rank_of(d, b);
    bool first = compare_ranks(x, y) > 0;
    const duplicate_pair pair = {first ? x : y, first ? a : b, first ? b : a, (uint32_t)kind};
    if (kind != STAMMA_DUPLICATE_NONE)
        buffer_add(&d->pairs, &pair, sizeof pair);
}

static stamma_error run_pass(stamma_duplicates *d, unsigned pass)
{
    stamma_error error = set_keys(d, pass);
    if (error)
        return error;
    candidate_key *keys = (candidate_key *)(void *)d->keys.data;
    size_t count = d->keys.size / sizeof *keys;
    if (count > 1)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t n = 0; n < count; n++)
        for (size_t next = n + 1; next < count && next - n <= NEIGHBOURS && keys[next].key == keys[n].key; next++)
            compare(d, keys[n].game, keys[next].game);
    return d->pairs.failed ? STAMMA_ERROR_NO_MEMORY : stamma_duplicates_fit(d) ? STAMMA_OK : STAMMA_ERROR_LIMIT;
}

stamma_error stamma_pairs_find(stamma_duplicates *d)
{
    stamma_error error = STAMMA_OK;
    d->pairs.size = 0;
    for (unsigned pass = 0; pass < PASSES && !error; pass++)
        error = run_pass(d, pass);
    if (!error && d->pairs.size > 0)
        qsort(d->pairs.data, d->pairs.size / sizeof(duplicate_pair), sizeof(duplicate_pair), compare_pairs);
    stamma_buffer_release(&d->keys);
    return error;
}
