/* Adds a block's games to a tree from its index only: by the trie of openings and the search columns. */
#include "explore/explore.h"
#include "search/block_search.h"

/* Sums by the code of the move played in the position, which is the same in all games. The last sum is of games that
 * end in the position. */
enum { ENDED = 256, SUMS };

/* A candidate for an example game. */
typedef struct example {
    uint32_t rating; /* sum of both ratings; 0: one is unknown */
    uint32_t date;
    uint32_t record;
    uint16_t code;
} example;

typedef struct example_list {
    size_t count;
    example games[TREE_GAMES];
} example_list;

typedef struct tree_block {
    stamma_tree *tree;
    search_job *job;
    uint8_t *verdicts;
    stamma_tree_counts sums[SUMS];
    example top_of[SUMS], recent_of[SUMS];
    example_list top, recent;
    bool no_memory;
} tree_block;

enum { VERDICT_HIT = 128 }; /* mark of records that reach the position */

/* ---- examples ---- */

static bool is_higher(const example *a, const example *b)
{
    return a->rating != b->rating ? a->rating > b->rating
           : a->date != b->date   ? a->date > b->date
                                  : a->record < b->record;
}

static bool is_later(const example *a, const example *b)
{
    return a->date != b->date ? a->date > b->date : a->record > b->record;
}

static void keep(example_list *list, const example *e, bool (*before)(const example *, const example *))
{
    if (list->count == TREE_GAMES && !before(e, &list->games[TREE_GAMES - 1]))
        return;
    list->count += list->count < TREE_GAMES;
    size_t at = list->count - 1;
    for (; at > 0 && before(e, &list->games[at - 1]); at--)
        list->games[at] = list->games[at - 1];
    list->games[at] = *e;
}

/* ---- games ---- */

static stamma_result result_of(unsigned result)
{
    static const stamma_result results[] = {STAMMA_RESULT_WHITE, STAMMA_RESULT_BLACK, STAMMA_RESULT_DRAW,
                                            STAMMA_RESULT_UNKNOWN};
    return results[result & 3];
}

/* Returns whether a rating is not in the columns, but only in a tag. */
static bool is_odd(const search_columns *c, size_t n)
{
    return c->rating[0][n] == SEARCH_ODD_RATING || c->rating[1][n] == SEARCH_ODD_RATING;
}

static stamma_tree_game game_of(const tree_block *b, const example *e)
{
    const search_columns *c = &b->job->index->columns;
    return (stamma_tree_game){.archive = b->job->gathering->archive,
                              .game = b->job->at.first_game + stamma_block_index_game(b->job->index, e->record),
                              .ended = e->code == ENDED,
                              .white_rating = c->rating[0][e->record],
                              .black_rating = c->rating[1][e->record],
                              .result = result_of(c->result[e->record]),
                              .date = e->date};
}

static void add_month(tree_block *b, uint32_t date, unsigned result)
{
    static const tree_results results[] = {{.white = 1}, {.black = 1}, {.draws = 1}, {.white = 0}};
    b->no_memory |= !stamma_tree_count_month(b->tree, date, &results[result & 3]);
}

static void add_record(tree_block *b, size_t n, unsigned code)
{
    const search_columns *c = &b->job->index->columns;
    stamma_tree_counts *s = &b->sums[code];
    unsigned white = c->rating[0][n], black = c->rating[1][n];
    example e = {white && black ? white + black : 0, tree_date_of_month(c->month[n]), (uint32_t)n, (uint16_t)code};
    stamma_tree_count(s, white, black, result_of(c->result[n]), b->tree->position.side);
    if (s->games == 1 || is_higher(&e, &b->top_of[code]))
        b->top_of[code] = e;
    if (s->games == 1 || is_later(&e, &b->recent_of[code]))
        b->recent_of[code] = e;
    s->last_date = e.date > s->last_date ? e.date : s->last_date;
    if (b->tree->history)
        add_month(b, e.date, c->result[n]);
    keep(&b->top, &e, is_higher);
    keep(&b->recent, &e, is_later);
}

static bool note_hit(void *context, const position_hit *hit)
{
    tree_block *b = (tree_block *)context;
    size_t n = hit->record;
    if (b->verdicts[n] == VERDICT_YES && !is_odd(&b->job->index->columns, n)) {
        add_record(b, n, hit->next ? *hit->next : ENDED);
        b->verdicts[n] = VERDICT_NO;
    }
    b->verdicts[n] |= VERDICT_HIT;
    return !b->no_memory;
}

/* ---- adding the sums ---- */

static stamma_error add_sum(tree_block *b, unsigned code)
{
    stamma_tree_move move = {.counts = b->sums[code]};
    stamma_tree_add_counts(&b->tree->counts, &b->sums[code]);
    if (code == ENDED)
        return STAMMA_OK;
    stamma_error error = stamma_byte_decode(&b->tree->position, (uint8_t)code, &move.move);
    if (error != STAMMA_OK)
        return error;
    move.top = game_of(b, &b->top_of[code]);
    move.recent = game_of(b, &b->recent_of[code]);
    move.top.move = move.recent.move = move.move;
    return stamma_tree_count_move(b->tree, &move);
}

static stamma_error add_examples(tree_block *b, const example_list *list,
                                 bool (*keep_game)(stamma_tree *, const stamma_tree_game *))
{
    for (size_t n = 0; n < list->count; n++) {
        uint8_t code = (uint8_t)list->games[n].code;
        stamma_tree_game game = game_of(b, &list->games[n]);
        if (!game.ended && stamma_byte_decode(&b->tree->position, code, &game.move) != STAMMA_OK)
            return STAMMA_ERROR_CORRUPT;
        if (!keep_game(b->tree, &game))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

static stamma_error add_sums(tree_block *b)
{
    stamma_error error = STAMMA_OK;
    for (unsigned code = 0; code < SUMS && error == STAMMA_OK; code++)
        if (b->sums[code].games > 0)
            error = add_sum(b, code);
    if (error == STAMMA_OK)
        error = add_examples(b, &b->top, stamma_tree_keep_top);
    return error == STAMMA_OK ? add_examples(b, &b->recent, stamma_tree_keep_recent) : error;
}

/* Sets the verdicts of records. Those not searched, because they do not begin in the initial position, must be read. Of
 * the others, those that do not reach the position are done. */
static void settle(tree_block *b)
{
    const block_index *x = b->job->index;
    size_t maybes = 0, yeses = 0;
    for (size_t n = 0; n < x->records; n++) {
        bool hit = b->verdicts[n] & VERDICT_HIT, set_up = x->marks.data[n] & RECORD_IS_SET_UP;
        uint8_t v = b->verdicts[n] & (uint8_t)~VERDICT_HIT;
        b->verdicts[n] = v != VERDICT_NO && (hit || set_up) ? v : VERDICT_NO;
        maybes += b->verdicts[n] == VERDICT_MAYBE;
        yeses += b->verdicts[n] == VERDICT_YES;
    }
    b->job->verdicts.maybes = maybes;
    b->job->verdicts.yeses = yeses;
}

stamma_error stamma_tree_add_index(void *part, search_job *job)
{
    stamma_tree *tree = (stamma_tree *)part;
    if (!job->index->has_beginnings || job->index->columns.facts != SEARCH_READ)
        return STAMMA_OK;
    tree_block *b = (tree_block *)memory_allocate(job->block.allocator, sizeof *b);
    if (!b)
        return STAMMA_ERROR_NO_MEMORY;
    memset(b, 0, sizeof *b);
    b->tree = tree;
    b->job = job;
    b->verdicts = job->verdicts.verdicts.data;
    position_target target;
    position_search *s = &job->verdicts.positions;
    stamma_target_init(&target, &tree->position, false, false);
    s->target = &target;
    s->wants_next = true;
    s->wanted = job->query ? b->verdicts : NULL;
    s->context = b;
    s->hit = note_hit;
    stamma_error error = stamma_position_search_run(s, job->index, job->at.payload);
    s->wants_next = false;
    if (error == STAMMA_OK)
        error = add_sums(b);
    if (error == STAMMA_OK)
        settle(b);
    memory_release(job->block.allocator, b);
    return error;
}
