/* SPDX-License-Identifier: MIT */
/* Tests the games of a plan with the moves of an index file: plays their codes until they meet a target, or passes
 * their moves to a matcher, whose rules on tags are decided by the facts and names. */
#include "search/plan_verify.h"

/* ---- the query ---- */

/* Returns whether the moves of a game decide a rule that is not composed. */
static bool is_of_moves(query_kind kind)
{
    return (kind >= QUERY_FEN && kind <= QUERY_MOVER_BALANCE) || kind == QUERY_PASS || kind == QUERY_PLIES ||
           kind == QUERY_RESULT_TYPE;
}

/* Returns whether an index file decides all rules of a condition, except those on facts that are not precise enough. */
static bool is_in_index(const query_condition *condition)
{
    for (const query_rule *r = condition->rules; r; r = r->next) {
        if (!r->conditions && !is_of_moves(r->kind) && !stamma_plan_filters(r))
            return false;
        for (const query_condition *c = r->conditions; c; c = c->next)
            if (!is_in_index(c))
                return false;
    }
    return true;
}

/* Returns whether a game with a target matches if its facts and names do. */
static bool targets_decide(const stamma_query *query)
{
    for (const query_rule *r = query->root.rules; r; r = r->next)
        if (!stamma_rule_is_target(r->kind) && r->kind != QUERY_PLIES && !stamma_plan_filters(r))
            return false;
    return query->root.plies <= 1 && !query->all_matches;
}

/* Returns whether a query has more rules than a filter decides. */
static bool is_worthwhile(const stamma_query *query)
{
    return query->all_matches || !stamma_plan_filters_condition(&query->root);
}

plan_tests *stamma_plan_tests_new(const stamma_query *query, index_file *file, const stamma_bytes *archive,
                                  const stamma_allocator *allocator)
{
    plan_tests *t = (plan_tests *)memory_allocate(allocator, sizeof *t);
    if (!t)
        return NULL;
    *t = (plan_tests){.query = query, .archive = archive, .file = file};
    t->filters = (plan_filter *)memory_allocate(allocator, size_multiply(file->segment_count + 1, sizeof *t->filters));
    /* jobs must not read files */
    t->verifies = query && archive->memory && !file->room && !query->variations && is_in_index(&query->root) &&
                  is_worthwhile(query);
    bool all = false;
    if (t->verifies)
        t->target_count = stamma_targets_compile(&query->root, t->targets, &all);
    t->decides = all && t->target_count > 0 && targets_decide(query);
    if (t->filters)
        return t;
    memory_release(allocator, t);
    return NULL;
}

void stamma_plan_tests_free(plan_tests *t, const stamma_allocator *allocator)
{
    for (size_t n = 0; t && n < t->filter_count; n++)
        stamma_plan_filter_release(&t->filters[n]);
    if (t)
        memory_release(allocator, t->filters);
    memory_release(allocator, t);
}

const plan_filter *stamma_plan_tests_filter(const plan_tests *t, size_t block)
{
    size_t n = t->filter_count - 1;
    while (n > 0 && t->filters[n].segment->first_block > block)
        n--;
    return &t->filters[n];
}

/* ---- verifiers ---- */

void stamma_plan_verifier_init(plan_verifier *v, const stamma_allocator *allocator)
{
    *v = (plan_verifier){.codes.allocator = allocator, .line.allocator = allocator};
    const stamma_position start = stamma_position_start();
    stamma_index_moves_init(&v->moves, NULL, NULL, allocator);
    PIECE_GAME(set_up, &v->start, &start);
}

void stamma_plan_verifier_release(plan_verifier *v)
{
    stamma_matcher_close(v->matcher);
    stamma_index_moves_release(&v->moves);
    stamma_buffer_release(&v->codes);
    stamma_buffer_release(&v->line);
}

void stamma_plan_verifier_begin(plan_verifier *v, const plan_tests *tests, const plan_filter *filter)
{
    v->tests = tests;
    v->filter = filter;
    v->moves.file = tests->file;
    v->moves.archive = tests->archive;
}

/* ---- moves ---- */

/* Reads the codes of the game. */
static stamma_error read_codes(plan_verifier *v)
{
    const uint8_t *rest;
    uint32_t count;
    v->codes.size = 0;
    stamma_error error = stamma_index_moves_read(&v->moves, v->filter->segment, v->rank, UINT32_MAX, &rest, &count);
    if (error != STAMMA_OK)
        return error;
    buffer_add(&v->codes, v->moves.path, v->moves.depth);
    buffer_add(&v->codes, rest, count);
    return v->codes.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Plays the codes until a target is met. *first receives the ply; SIZE_MAX: no target is met. */
static stamma_error find_targets(const plan_verifier *v, size_t *first)
{
    *first = SIZE_MAX;
    for (size_t n = 0; n < v->tests->target_count; n++) {
        const board_goal *goal = &v->tests->targets[n].goal;
        piece_board board = v->start;
        size_t found = 0, plies = *first < v->codes.size ? *first : v->codes.size;
        stamma_error error = STAMMA_OK;
        if (!PIECE_GAME(meets, &board, STAMMA_WHITE, goal))
            error = PIECE_GAME(find, &board, STAMMA_WHITE, v->codes.data, plies, goal, &found);
        if (error != STAMMA_OK)
            return error;
        *first = found < FOUND_LOST && found < *first ? found : *first;
    }
    return STAMMA_OK;
}

/* ---- rules of the game ---- */

static bool rule_holds(void *context, const query_rule *rule)
{
    plan_verifier *v = (plan_verifier *)context;
    const verdict found = stamma_plan_filter_rule(v->filter, rule, v->rank);
    v->undecided |= found == VERDICT_MAYBE;
    return found == VERDICT_YES;
}

/* Returns the verdict of the rules of the query that are not targets. */
static verdict test_rules(const plan_verifier *v)
{
    verdict least = VERDICT_YES;
    for (const query_rule *r = v->tests->query->root.rules; r && least != VERDICT_NO; r = r->next) {
        if (stamma_rule_is_target(r->kind))
            continue;
        const bool fits =
            r->kind == QUERY_PLIES && query_in_ranges((const query_range *)r->values, r->count, (int64_t)v->codes.size);
        const verdict found = r->kind != QUERY_PLIES ? stamma_plan_filter_rule(v->filter, r, v->rank)
                              : fits                 ? VERDICT_YES
                                                     : VERDICT_NO;
        least = verdict_lesser(least, found);
    }
    return least;
}

/* ---- games ---- */

/* Tests the game with the matcher. */
static stamma_error match_moves(plan_verifier *v, verdict *result, const uint32_t **plies, size_t *count)
{
    bool found = false;
    const stamma_position start = stamma_position_start();
    const size_t ply_count = v->codes.size;
    stamma_move *moves = (stamma_move *)buffer_array(&v->line, ply_count + 1, sizeof *moves);
    if (!moves)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = stamma_byte_decode_moves(&start, v->codes.data, ply_count, moves);
    if (error == STAMMA_OK && !v->matcher)
        error = stamma_matcher_open(v->tests->query, v->line.allocator, &v->matcher);
    if (error != STAMMA_OK)
        return error;
    v->matcher->holds = rule_holds;
    v->matcher->context = v;
    v->undecided = false;
    const stamma_archive_game game = {.start = start, .ply_count = ply_count, .moves = moves};
    error = stamma_matcher_test(v->matcher, &game, &found, plies, count);
    *result = v->undecided ? VERDICT_MAYBE : found ? VERDICT_YES : VERDICT_NO;
    return error;
}

/* Tests the game whose codes were read. */
static stamma_error test_game(plan_verifier *v, verdict *result, const uint32_t **plies, size_t *count)
{
    size_t first = SIZE_MAX;
    stamma_error error = find_targets(v, &first);
    *result = VERDICT_NO;
    if (error != STAMMA_OK || (v->tests->target_count > 0 && first == SIZE_MAX))
        return error;
    if (!v->tests->decides)
        return match_moves(v, result, plies, count);
    *result = test_rules(v);
    v->first = (uint32_t)first;
    *plies = &v->first;
    *count = 1;
    return STAMMA_OK;
}

stamma_error stamma_plan_verify(plan_verifier *v, uint32_t rank, verdict *result, const uint32_t **plies, size_t *count)
{
    *result = VERDICT_MAYBE;
    if (rank >= v->filter->segment->counts[COUNT_TYPED])
        return STAMMA_OK;
    v->rank = rank;
    stamma_error error = read_codes(v);
    if (error == STAMMA_OK)
        error = test_game(v, result, plies, count);
    /* a damaged index file decides nothing, and invalid moves are noticed when the game is read */
    if (error != STAMMA_OK || atomic_load_explicit(&v->tests->file->damaged, memory_order_relaxed))
        *result = VERDICT_MAYBE;
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}
