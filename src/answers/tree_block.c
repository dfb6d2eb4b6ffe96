/* SPDX-License-Identifier: MIT */
/* Adds a block's games to a tree, using only the trie of openings and the search columns. */
#include "answers/answers.h"
#include "search/block_search.h"

typedef struct tree_block {
    stamma_tree *tree;
    search_job *job;
    uint8_t *verdicts;
    index_sums sums; /* games are numbered by their records until the sums are complete */
} tree_block;

enum { VERDICT_HIT = 128 }; /* mark of records that reach the position */

/* ---- games ---- */

/* Returns the facts of a record. Its ratings may be SEARCH_ODD_RATING. */
static index_facts facts_of(const search_columns *c, size_t n)
{
    return (index_facts){
        {c->rating[0][n], c->rating[1][n]}, c->month[n], c->result[n] & 3, STAMMA_SPEED_NONE, STAMMA_MODE_NOT_READ};
}

static void add_record(tree_block *b, size_t n, const index_facts *facts, unsigned code)
{
    const index_example e = index_example_of(facts, n, (uint32_t)n, code);
    stamma_index_sums_add(&b->sums, facts, &e);
}

static void note_hit(void *context, const position_hit *hit)
{
    tree_block *b = (tree_block *)context;
    size_t n = hit->record;
    const index_facts facts = facts_of(&b->job->index->columns, n);
    const bool known = facts.rating[0] != SEARCH_ODD_RATING && facts.rating[1] != SEARCH_ODD_RATING;
    if (b->verdicts[n] == VERDICT_YES && known) {
        add_record(b, n, &facts, hit->next ? *hit->next : INDEX_NO_MOVE);
        b->verdicts[n] = VERDICT_NO;
    }
    b->verdicts[n] |= VERDICT_HIT;
}

/* ---- adding the sums ---- */

static void number_example(const tree_block *b, index_example *e)
{
    e->game = b->job->at.first_game + stamma_block_index_game(b->job->index, e->rank);
}

/* Replaces records by the numbers of their games. */
static void number_examples(tree_block *b)
{
    for (unsigned code = 0; code < INDEX_SUM_CODES; code++) {
        if (index_sum_games(&b->sums.of[code]) == 0)
            continue;
        number_example(b, &b->sums.of[code].top);
        number_example(b, &b->sums.of[code].recent);
    }
    for (size_t n = 0; n < b->sums.top.count; n++)
        number_example(b, &b->sums.top.games[n]);
    for (size_t n = 0; n < b->sums.recent.count; n++)
        number_example(b, &b->sums.recent.games[n]);
}

/* Allocates the counts of months if the tree keeps its history. */
static bool open_months(tree_block *b)
{
    const size_t size = INDEX_MONTHS * sizeof *b->sums.months;
    if (!b->tree->history)
        return true;
    b->sums.months = (uint64_t(*)[3])memory_allocate(b->job->block.allocator, size);
    if (b->sums.months)
        memset(b->sums.months, 0, size);
    return b->sums.months != NULL;
}

/* Sets the verdicts of records. Records that do not begin in the initial position were not searched, and must be read.
 * The other records that do not reach the position are done. */
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

/* Finds the games with the tree's position. */
static stamma_error find_games(tree_block *b)
{
    search_job *job = b->job;
    position_target target;
    position_search *s = &job->verdicts.positions;
    stamma_target_init(&target, &b->tree->position, false, false);
    s->target = &target;
    s->wants_next = true;
    s->wanted = job->query ? b->verdicts : NULL;
    s->context = b;
    s->hit = note_hit;
    stamma_error error = stamma_position_search_run(s, job->index, job->at.payload);
    s->wants_next = false;
    return error;
}

stamma_error stamma_tree_add_index(void *part, search_job *job)
{
    if (!job->index->has_beginnings || job->index->columns.facts != SEARCH_READ)
        return STAMMA_OK;
    tree_block *b = (tree_block *)memory_allocate(job->block.allocator, sizeof *b);
    if (!b)
        return STAMMA_ERROR_NO_MEMORY;
    memset(b, 0, sizeof *b);
    b->tree = (stamma_tree *)part;
    b->job = job;
    b->verdicts = job->verdicts.verdicts.data;
    stamma_error error = open_months(b) ? find_games(b) : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK) {
        number_examples(b);
        error = stamma_tree_add_sums(b->tree, job->gathering->archive, &b->sums);
    }
    if (error == STAMMA_OK)
        settle(b);
    if (b->sums.months)
        memory_release(job->block.allocator, b->sums.months);
    memory_release(job->block.allocator, b);
    return error;
}
