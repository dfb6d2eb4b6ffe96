/* SPDX-License-Identifier: MIT */
/* Finds the games of a query with the positions or names of an index file, and tests them with its facts. */
#include "search/plan_verify.h"

void stamma_search_plan_init(search_plan *p, const stamma_allocator *allocator)
{
    *p = (search_plan){.games.allocator = allocator};
}

void stamma_search_plan_release(search_plan *p)
{
    stamma_buffer_release(&p->games);
    stamma_plan_tests_free(p->tests, p->games.allocator);
    p->tests = NULL;
}

typedef struct planning {
    search_plan *plan;
    const stamma_query *query;
    index_file *file;
    const index_segment *segment;
    search_limits *limits;
    plan_filter *filter; /* of the segment */
    index_moves moves;
    index_hunt hunt;
    const query_rule *position; /* the rule that selects games by positions; NULL: the first rule on names selects
                                 * games */
    bool is_decided;            /* the query has no other rule: the verdict is YES for all games that the rule
                                 * selects */
    position_target targets[TARGETS_MAX];
    size_t target_count;
    size_t first; /* index of the segment's first game in the plan */
    /* one matching game is enough (plan->any): with several targets, another may be reached at an earlier ply */
    bool any;
    bool enough; /* this game was found */
} planning;

/* ---- the query ---- */

/* Chooses the rule that selects games. Returns false if there is none. */
static bool choose_rule(planning *a, const stamma_query *query)
{
    const query_condition *root = &query->root;
    bool named = false;
    for (const query_rule *r = root->rules; r; r = r->next) {
        if (r->kind == QUERY_FEN && !a->position && !query->variations) {
            a->target_count = stamma_targets_compile_turns(root, r, a->targets);
            a->position = a->target_count > 0 ? r : NULL;
        }
        named |= stamma_rule_is_name(r->kind);
    }
    a->is_decided =
        a->position && root->rules == a->position && !a->position->next && !query->all_matches && root->plies <= 1;
    return a->position || named;
}

/* ---- games ---- */

/* Returns the verdict of a game that the chosen rule selects. Any other FEN rule must hold at the same ply, only the
 * matcher finds all plies, and a condition may have to hold at successive plies: then YES becomes MAYBE. */
static verdict verdict_of(const planning *a, uint32_t rank)
{
    if (a->is_decided)
        return VERDICT_YES;
    const bool unsure = a->query->all_matches || a->query->root.plies > 1;
    verdict v = stamma_plan_filter_test(a->filter, rank);
    for (const query_rule *r = a->query->root.rules; r && v == VERDICT_YES; r = r->next)
        v = unsure || (r->kind == QUERY_FEN && r != a->position) ? VERDICT_MAYBE : v;
    return v;
}

static uint64_t number_of(const planning *a, uint32_t rank)
{
    return stamma_index_game(a->file, a->segment, stamma_index_record(a->file, a->segment, rank));
}

static bool add_game(planning *a, uint32_t rank, uint32_t ply, verdict v)
{
    if (v == VERDICT_NO)
        return true;
    search_plan *p = a->plan;
    const uint64_t number = number_of(a, rank);
    const planned_game game = planned_game_of(number, v, v == VERDICT_YES ? ply : rank);
    if (p->any && (number < p->first || number > p->last))
        return true;
    if (a->any && v == VERDICT_YES) {
        a->enough = true;
        p->games.size = a->first = 0;
    }
    buffer_add(&p->games, &game, sizeof game);
    return !p->games.failed;
}

/* Returns whether a game suffices that reaches the position after it leaves the trie. */
static bool is_enough(void *context, uint32_t rank)
{
    const planning *a = (const planning *)context;
    const uint64_t number = number_of(a, rank);
    return verdict_of(a, rank) == VERDICT_YES && number >= a->plan->first && number <= a->plan->last;
}

/* Keeps, for each game, the entry with the lowest verdict, and the first ply. Returns the number of entries. */
static size_t merge_entries(planned_game *all, size_t count)
{
    size_t kept = 0;
    for (size_t n = 0; n < count; n++) {
        if (kept == 0 || planned_number(all[kept - 1]) != planned_number(all[n]))
            all[kept++] = all[n];
        else if (all[n] < all[kept - 1])
            all[kept - 1] = all[n];
    }
    return kept;
}

stamma_error stamma_search_plan_sort(search_plan *p, size_t from)
{
    const size_t count = p->games.size / sizeof(planned_game) - from;
    planned_game *all = (planned_game *)buffer_at(&p->games, from * sizeof *all);
    if (count < 2)
        return STAMMA_OK;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t n = 0; n < count; n++) {
        least = all[n] < least ? all[n] : least;
        most = all[n] > most ? all[n] : most;
    }
    const unsigned bits = bits_for(planned_number(most) - planned_number(least) + 1);
    least = planned_number(least) << PLANNED_GAME_SHIFT;
    planned_game *spare = (planned_game *)memory_allocate(p->games.allocator, size_multiply(count, sizeof *spare));
    if (!spare)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count; n++)
        all[n] -= least;
    stamma_index_sort(all, spare, count, PLANNED_GAME_SHIFT, bits);
    for (size_t n = 0; n < count; n++)
        all[n] += least;
    p->games.size = (from + merge_entries(all, count)) * sizeof *all;
    memory_release(p->games.allocator, spare);
    return STAMMA_OK;
}

/* ---- by positions ---- */

static bool is_wanted(void *context, uint32_t rank)
{
    return stamma_plan_filter_test(((const planning *)context)->filter, rank) != VERDICT_NO;
}

/* Adds the games of a range of ranks that the filter does not exclude. */
static stamma_error add_range(planning *a, uint32_t begin, uint32_t end, uint32_t ply)
{
    enum { AT_ONCE = 1 << 12 };
    uint32_t added = 0;
    for (uint32_t rank = begin; !a->enough && (rank = plan_filter_next(a->filter, rank, end)) < end; rank++) {
        if (added++ % AT_ONCE == 0 && stamma_search_is_stopped(a->limits))
            return STAMMA_ERROR_CANCELLED;
        if (!add_game(a, rank, ply, verdict_of(a, rank)))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

static stamma_error add_places(planning *a)
{
    const index_place *places = (const index_place *)(const void *)a->hunt.places.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < a->hunt.places.size / sizeof *places && error == STAMMA_OK; n++)
        error = add_range(a, places[n].begin, places[n].end, places[n].depth);
    return error;
}

static stamma_error add_strays(planning *a)
{
    const index_stray *strays = (const index_stray *)(const void *)a->hunt.strays.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < a->hunt.strays.size / sizeof *strays && error == STAMMA_OK && !a->enough; n++)
        if (!add_game(a, strays[n].rank, strays[n].ply, verdict_of(a, strays[n].rank)))
            error = STAMMA_ERROR_NO_MEMORY;
    return error;
}

static stamma_error find_position(planning *a, const position_target *target)
{
    stamma_search_plan_aim(&a->hunt, target);
    stamma_error error = stamma_index_hunt_places(&a->hunt, a->segment);
    if (error == STAMMA_OK)
        error = add_places(a);
    if (error == STAMMA_OK && !a->enough)
        error = stamma_index_hunt_strays(&a->hunt, a->segment);
    return error == STAMMA_OK ? add_strays(a) : error;
}

static stamma_error find_positions(planning *a)
{
    const uint32_t *counts = a->segment->counts;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < a->target_count && error == STAMMA_OK && !a->enough; n++)
        error = find_position(a, &a->targets[n]);
    for (uint32_t rank = counts[COUNT_TYPED]; rank < counts[COUNT_GAMES] && error == STAMMA_OK && !a->enough; rank++)
        if (!add_game(a, rank, 0, verdict_lesser(stamma_plan_filter_test(a->filter, rank), VERDICT_MAYBE)))
            error = STAMMA_ERROR_NO_MEMORY;
    return error;
}

/* ---- segments ---- */

static bool may_follow(const void *target, const piece_board *board)
{
    return stamma_target_may_follow((const position_target *)target, board);
}

void stamma_search_plan_aim(index_hunt *hunt, const position_target *target)
{
    hunt->goal = &target->goal;
    hunt->target = target;
    hunt->may_follow = may_follow;
}

static stamma_error plan_segment(planning *a, const index_segment *segment)
{
    plan_tests *tests = a->plan->tests;
    a->segment = segment;
    a->filter = &tests->filters[tests->filter_count++];
    a->filter->tables = NULL;
    stamma_error error = stamma_plan_filter_open(a->filter, a->file, segment, &a->query->root);
    if (error == STAMMA_OK)
        error = a->position ? find_positions(a) : add_range(a, 0, segment->counts[COUNT_GAMES], 0);
    if (error == STAMMA_OK)
        error = stamma_search_plan_sort(a->plan, a->first);
    a->first = a->plan->games.size / sizeof(planned_game);
    if (error == STAMMA_OK && atomic_load_explicit(&a->file->damaged, memory_order_relaxed))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

stamma_error stamma_search_plan_make(search_plan *p, const stamma_search_index *index, const stamma_bytes *archive,
                                     const stamma_query *query, search_limits *limits)
{
    planning a = {.plan = p, .query = query, .file = index->file, .limits = limits};
    const stamma_allocator *allocator = p->games.allocator;
    p->usable = choose_rule(&a, query);
    if (!p->usable)
        return STAMMA_OK;
    p->tests = stamma_plan_tests_new(query, a.file, archive, allocator);
    if (!p->tests)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_index_moves_init(&a.moves, a.file, archive, allocator);
    stamma_index_hunt_init(&a.hunt, allocator);
    a.hunt.moves = &a.moves;
    a.hunt.stop = &limits->check;
    a.hunt.wants = a.is_decided ? NULL : is_wanted;
    a.any = p->any && a.target_count <= 1;
    a.hunt.enough = a.any ? is_enough : NULL;
    a.hunt.context = &a;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < a.file->segment_count && error == STAMMA_OK && !a.enough; n++)
        error = plan_segment(&a, &a.file->segments[n]);
    stamma_index_hunt_release(&a.hunt);
    stamma_index_moves_release(&a.moves);
    p->usable = error == STAMMA_OK;
    return error;
}
