/* SPDX-License-Identifier: MIT */
/* Finds the games of a query with the positions, names or facts of an index file. */
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

enum {
    RUN = 1 << 12,          /* number of successive games that are tested together */
    TESTED_SHARE = 64,      /* if facts select more than this fraction of the games, ... */
    TESTED_LEAST = 1 << 12, /* ... and more games, blocks are tested instead of games */
    PLAYED_SHARE = 8        /* the same for games of patterns that must be played */
};

typedef struct planning {
    search_plan *plan;
    const stamma_query *query;   /* NULL: all games match */
    const query_condition *root; /* of the query; NULL: none */
    index_file *file;
    const index_segment *segment;
    search_limits *limits;
    uint64_t *results;   /* plan_purpose */
    plan_order order;    /* most: 0 if all games are wanted */
    plan_filter *filter; /* of the segment */
    fact_tables *tables; /* NULL: none */
    index_moves moves;
    index_hunt hunt;
    const query_rule *position; /* the rule that selects games by positions; NULL: names and facts select games */
    bool endgames;              /* endgames select games */
    bool patterns;              /* the targets are patterns, which select games */
    bool patterns_decide;       /* games that meet them match if facts and names do */
    const stamma_bytes *archive;
    const stamma_executor *executor;
    buffer ranges, hits; /* of the patterns in the segment */
    bool is_decided;     /* the query has no other rule: the verdict is YES for all games that the rule
                          * selects */
    uint64_t list_size;  /* maximum size of a list of games that only facts select, in bytes; the blocks are
                          * searched instead of making a longer list */
    verdict best;        /* the verdict of a game that the index finds: YES, or MAYBE if it must be read */
    position_target targets[TARGETS_MAX];
    size_t target_count;
    size_t first; /* index of the segment's first game in the plan */
    /* one matching game is enough (plan->any): with several targets, another may be reached at an earlier ply */
    bool any;
    bool enough; /* this game was found */
} planning;

/* ---- the query ---- */

/* Chooses the rule on a position that selects games, and compiles its targets. Any other FEN rule must hold at the same
 * ply, only the matcher finds all plies, and a condition may have to hold at successive plies: such games are tested.
 */
static void choose_position(planning *a)
{
    const stamma_query *query = a->query;
    size_t rules = 0;
    for (const query_rule *r = a->root->rules; r; r = r->next) {
        if (r->kind == QUERY_FEN && !a->position && !query->variations) {
            a->target_count = stamma_targets_compile_turns(a->root, r, a->targets);
            a->position = a->target_count > 0 ? r : NULL;
        }
        rules += r->kind == QUERY_FEN;
    }
    const bool plies = (query->all_matches && !a->results) || a->root->plies > 1;
    a->is_decided = a->position && a->root->rules == a->position && !a->position->next && !plies;
    a->best = plies || rules > (a->position ? 1 : 0) ? VERDICT_MAYBE : VERDICT_YES;
}

/* Returns whether the endgames of the index file select games. */
static bool has_endgames(const planning *a)
{
    bool listed = !a->position && !a->query->variations && stamma_endgames_bound(a->root);
    for (size_t n = 0; n < a->file->segment_count && listed; n++)
        listed = index_has_endgames(&a->file->segments[n]);
    return listed;
}

/* Compiles the patterns of the query to targets. Returns whether they select games. Blocks are searched instead if the
 * first matches suffice. */
static bool has_patterns(planning *a)
{
    bool all = false;
    if (a->position || a->endgames || a->query->variations || a->plan->any || stamma_query_is_limited(a->query))
        return false;
    a->target_count = stamma_targets_compile(a->root, a->targets, &all);
    a->patterns_decide = all && a->root->plies <= 1 && (a->results || !a->query->all_matches);
    for (const query_rule *r = a->root->rules; r; r = r->next)
        a->patterns_decide = a->patterns_decide && (stamma_rule_is_target(r->kind) || stamma_plan_filters(r));
    return all && a->target_count > 0;
}

/* Returns whether facts and names decide all rules of the query. */
static bool is_filtered(const planning *a)
{
    return a->best == VERDICT_YES && stamma_plan_filters_condition(a->root);
}

/* Returns whether positions, names or facts select games. A list of all games only helps to count or to order them. */
static bool selects(planning *a, const plan_purpose *p)
{
    bool named = false, filters = false;
    a->best = VERDICT_YES;
    a->list_size = UINT64_MAX;
    const bool orders = a->order.most > 0 && (a->order.by != STAMMA_ORDER_NUMBER || a->order.descending);
    if (!a->root)
        return a->results || orders;
    choose_position(a);
    a->endgames = has_endgames(a);
    for (const query_rule *r = a->root->rules; r; r = r->next) {
        named |= stamma_rule_is_name(r->kind);
        filters |= stamma_plan_filters(r);
    }
    a->patterns = !named && !p->restricted && has_patterns(a);
    if (a->position || a->endgames || a->patterns || named)
        return true;
    a->list_size =
        is_filtered(a) ? p->memory / 4 : (TESTED_LEAST + a->file->games / TESTED_SHARE) * sizeof(planned_game);
    return (filters && !p->restricted) || (!a->root->rules && (a->results || orders));
}

/* ---- games ---- */

/* Returns the verdict of a game at the position. */
static verdict verdict_of(const planning *a, uint32_t rank)
{
    return a->is_decided ? VERDICT_YES : verdict_lesser(stamma_plan_filter_test(a->filter, rank), a->best);
}

static uint64_t number_of(const planning *a, uint32_t rank)
{
    return stamma_index_game(a->file, a->segment, stamma_index_record(a->file, a->segment, rank));
}

/* Adds a game. If results are counted, the result of a game with verdict YES is stored instead of the ply. */
static bool add_game(planning *a, uint32_t rank, uint32_t ply, verdict v)
{
    const bool ordered = a->order.most > 0 && v != VERDICT_NO;
    const uint64_t place = ordered ? stamma_plan_order_place(&a->order, a->file, a->segment, rank) : 0;
    if (v == VERDICT_NO || (ordered && place > a->order.bound))
        return true;
    if (a->results && v == VERDICT_YES)
        ply = index_game_result(a->file, a->segment, rank);
    search_plan *p = a->plan;
    const uint64_t number = number_of(a, rank);
    const planned_game game = planned_game_of(number, v, v == VERDICT_YES ? ply : rank);
    if (ordered)
        return stamma_plan_order_add(&a->order, place, game);
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

/* Counts the results of the games of a run whose verdict is YES. A hot loop: a number has 16 bits for each result. */
static void count_run(const planning *a, const uint8_t *facts, uint32_t count, const uint8_t *verdicts)
{
    static const uint64_t one[VERDICT_YES + 1] = {[VERDICT_YES] = 1};
    uint64_t sums = 0;
    for (uint32_t n = 0; n < count; n++)
        sums += one[verdicts[n]] << 16 * (facts[n * INDEX_FACTS_SIZE + 5] & 3);
    for (unsigned result = 0; result < 4; result++)
        a->results[result] += sums >> 16 * result & 65535;
}

/* Counts the results of the listed games of a run whose verdict is YES. */
static void count_listed_run(const planning *a, uint32_t rank, uint32_t count, const uint8_t *verdicts)
{
    const uint32_t end = rank + count;
    for (uint32_t n = rank; (n = plan_filter_next(a->filter, n, end)) < end; n++) {
        if (verdicts[n - rank] == VERDICT_YES)
            a->results[index_game_result(a->file, a->segment, n)]++;
    }
}

/* Counts the games of a run, or excludes games that are not among the first in the order. Returns the
 * greatest verdict of the games that are left to be added. */
static verdict use_facts(const planning *a, uint32_t rank, uint32_t count, uint8_t *verdicts)
{
    const bool counts = a->results && !a->position, listed = a->filter->listed.size > 0;
    const bool excludes = a->order.most > 0 && plan_order_is_by_facts(&a->order) && a->order.bound < UINT64_MAX;
    const uint8_t *facts = (counts && !listed) || excludes
                               ? index_bytes(a->file, a->segment, SECTION_FACTS, (uint64_t)rank * INDEX_FACTS_SIZE,
                                             (uint64_t)count * INDEX_FACTS_SIZE)
                               : NULL;
    if (facts && counts && !listed)
        count_run(a, facts, count, verdicts);
    if (counts && listed)
        count_listed_run(a, rank, count, verdicts);
    if (facts && excludes)
        stamma_plan_order_exclude(&a->order, facts, count, verdicts);
    return counts ? VERDICT_MAYBE : VERDICT_YES;
}

/* Adds the games of a run of ranks that the filter does not exclude. */
static stamma_error add_run(planning *a, uint32_t rank, uint32_t count, uint32_t ply)
{
    uint8_t verdicts[RUN];
    if (a->is_decided)
        memset(verdicts, VERDICT_YES, count);
    else if (!stamma_plan_filter_test_run(a->filter, rank, count, verdicts))
        return STAMMA_ERROR_CORRUPT;
    for (uint32_t n = 0; n < count && a->best != VERDICT_YES; n++)
        verdicts[n] = (uint8_t)verdict_lesser((verdict)verdicts[n], a->best);
    const verdict most = use_facts(a, rank, count, verdicts);
    if (most == VERDICT_MAYBE && !memchr(verdicts, VERDICT_MAYBE, count))
        return STAMMA_OK;
    for (uint32_t n = 0; n < count && !a->enough; n++)
        if (verdicts[n] <= most && !add_game(a, rank + n, ply, (verdict)verdicts[n]))
            return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

static stamma_error add_range(planning *a, uint32_t begin, uint32_t end, uint32_t ply)
{
    stamma_error error = STAMMA_OK;
    for (uint32_t rank = begin, count; error == STAMMA_OK && !a->enough; rank += count) {
        rank = plan_filter_next(a->filter, rank, end);
        count = end - rank < RUN ? end - rank : RUN;
        if (count == 0)
            break;
        error = stamma_search_is_stopped(a->limits) ? STAMMA_ERROR_CANCELLED : add_run(a, rank, count, ply);
        if (error == STAMMA_OK && a->plan->games.size + a->order.games.size > a->list_size)
            error = STAMMA_ERROR_LIMIT;
    }
    return error;
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

/* ---- by patterns ---- */

/* Adds the games of the ranges that are met. */
static stamma_error add_ranges(planning *a)
{
    const pattern_range *ranges = (const pattern_range *)(const void *)a->ranges.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < a->ranges.size / sizeof *ranges && error == STAMMA_OK; n++)
        if (ranges[n].met)
            error = add_range(a, ranges[n].begin, ranges[n].end, ranges[n].depth);
    return error;
}

static stamma_error add_hits(planning *a)
{
    const pattern_hit *hits = (const pattern_hit *)(const void *)a->hits.data;
    for (size_t n = 0; n < a->hits.size / sizeof *hits; n++) {
        if (a->plan->games.size + a->order.games.size > a->list_size)
            return STAMMA_ERROR_LIMIT;
        if (!add_game(a, hits[n].rank, hits[n].ply, verdict_of(a, hits[n].rank)))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

/* Playing many games in the order of the ranks takes more time than searching the blocks. */
static stamma_error find_patterns(planning *a)
{
    const uint32_t *counts = a->segment->counts;
    const pattern_search search = {.file = a->file,
                                   .archive = a->archive,
                                   .segment = a->segment,
                                   .targets = a->targets,
                                   .target_count = a->target_count,
                                   .filter = a->filter,
                                   .most = TESTED_LEAST + counts[COUNT_GAMES] / PLAYED_SHARE,
                                   .stop = &a->limits->check,
                                   .executor = a->archive->memory && !a->file->room ? a->executor : NULL};
    const verdict best = a->best;
    stamma_error error = stamma_pattern_search_nodes(&search, &a->ranges);
    if (error == STAMMA_OK)
        error = stamma_pattern_search_games(&search, &a->ranges, &a->hits);
    a->filter->met = a->patterns_decide;
    a->best = a->patterns_decide ? best : VERDICT_MAYBE;
    if (error == STAMMA_OK)
        error = add_ranges(a);
    if (error == STAMMA_OK)
        error = add_hits(a);
    a->filter->met = false;
    a->best = VERDICT_MAYBE;
    if (error == STAMMA_OK)
        error = add_range(a, counts[COUNT_TYPED], counts[COUNT_GAMES], 0);
    a->best = best;
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
    a->filter->tables = a->tables;
    stamma_error error = stamma_plan_filter_open(a->filter, a->file, segment, a->root);
    if (error == STAMMA_OK && a->endgames)
        error = stamma_plan_filter_list_endgames(a->filter, a->results != NULL);
    if (error == STAMMA_OK)
        error = a->patterns   ? find_patterns(a)
                : a->position ? find_positions(a)
                              : add_range(a, 0, segment->counts[COUNT_GAMES], 0);
    if (error == STAMMA_OK)
        error = stamma_search_plan_sort(a->plan, a->first);
    a->first = a->plan->games.size / sizeof(planned_game);
    a->filter->tables = NULL;
    if (error == STAMMA_OK && atomic_load_explicit(&a->file->damaged, memory_order_relaxed))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

/* Counts the listed games with verdict YES, and removes them. */
static void count_listed(planning *a)
{
    planned_game *all = (planned_game *)(void *)a->plan->games.data;
    const size_t count = a->plan->games.size / sizeof *all;
    size_t kept = 0;
    for (size_t n = 0; n < count; n++)
        if (planned_verdict(all[n]) == VERDICT_YES)
            a->results[planned_detail(all[n]) & 3]++;
        else
            all[kept++] = all[n];
    a->plan->games.size = kept * sizeof *all;
}

/* Lists the games that may be among the first in the order. */
static stamma_error take_first(planning *a)
{
    const ordered_game *all = (const ordered_game *)(const void *)a->order.games.data;
    stamma_plan_order_reduce(&a->order);
    for (size_t n = 0; n < a->order.games.size / sizeof *all; n++)
        buffer_add(&a->plan->games, &all[n].game, sizeof all[n].game);
    return a->plan->games.failed ? STAMMA_ERROR_NO_MEMORY : stamma_search_plan_sort(a->plan, 0);
}

static stamma_error plan_segments(planning *a)
{
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < a->file->segment_count && error == STAMMA_OK && !a->enough; n++)
        error = plan_segment(a, &a->file->segments[n]);
    if (error == STAMMA_OK && a->order.most > 0)
        error = take_first(a);
    if (error == STAMMA_OK && a->results)
        count_listed(a);
    return error;
}

/* Returns the options of the order, if the search returns all matches. */
static const stamma_search_options *order_of(const plan_purpose *p)
{
    static const stamma_search_options none = {.most = 0};
    return p->options && !p->options->any && !(p->query && stamma_query_is_limited(p->query)) ? p->options : &none;
}

stamma_error stamma_search_plan_make(search_plan *p, const stamma_search_index *index, const stamma_bytes *archive,
                                     const plan_purpose *purpose)
{
    const stamma_allocator *allocator = p->games.allocator;
    planning a = {.plan = p,
                  .query = purpose->query,
                  .root = purpose->query ? &purpose->query->root : NULL,
                  .file = index->file,
                  .limits = purpose->limits,
                  .archive = archive,
                  .executor = purpose->executor,
                  .results = purpose->results};
    stamma_plan_order_init(&a.order, order_of(purpose), allocator);
    stamma_plan_tests_free(p->tests, allocator); /* of a plan that was not usable */
    p->tests = NULL;
    p->usable = selects(&a, purpose);
    if (!p->usable)
        return STAMMA_OK;
    p->tests = stamma_plan_tests_new(a.query, a.file, archive, allocator);
    if (!p->tests)
        return STAMMA_ERROR_NO_MEMORY;
    a.tables = a.root ? stamma_fact_tables_make(a.root, allocator) : NULL;
    stamma_index_moves_init(&a.moves, a.file, archive, allocator);
    stamma_index_hunt_init(&a.hunt, allocator);
    a.ranges.allocator = a.hits.allocator = allocator;
    a.hunt.moves = &a.moves;
    a.hunt.stop = &a.limits->check;
    a.hunt.wants = a.is_decided ? NULL : is_wanted;
    a.any = p->any && a.target_count <= 1;
    a.hunt.enough = a.any ? is_enough : NULL;
    a.hunt.context = &a;
    const stamma_error error = plan_segments(&a);
    stamma_index_hunt_release(&a.hunt);
    stamma_buffer_release(&a.ranges);
    stamma_buffer_release(&a.hits);
    stamma_index_moves_release(&a.moves);
    stamma_plan_order_release(&a.order);
    memory_release(allocator, a.tables);
    p->usable = error == STAMMA_OK;
    return error == STAMMA_ERROR_LIMIT ? STAMMA_OK : error;
}
