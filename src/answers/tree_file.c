/* SPDX-License-Identifier: MIT */
/* Adds the games of an index file to a tree: from the sums of nodes, or game by game from their facts. */
#include "answers/answers.h"
#include "search/block_search.h"

typedef struct tree_file {
    stamma_tree *tree;
    const stamma_query *query; /* NULL: all games */
    index_file *file;
    const index_segment *segment;
    search_limits *limits;
    search_plan *plan; /* games that must be read */
    plan_filter filter;
    index_moves moves;
    index_hunt hunt;
    fact_tables *tables; /* NULL: the query has rules that facts do not decide */
    index_sums *sums;
    uint64_t (*months)[3];
} tree_file;

/* ---- games ---- */

static bool plan_game(tree_file *t, uint32_t rank, verdict v)
{
    const uint64_t game = stamma_index_game(t->file, t->segment, stamma_index_record(t->file, t->segment, rank));
    const planned_game planned = planned_game_of(game, v, 0);
    buffer_add(&t->plan->games, &planned, sizeof planned);
    return !t->plan->games.failed;
}

/* Adds a game that reaches the position. */
static bool add_game(tree_file *t, uint32_t rank, unsigned code)
{
    index_facts facts;
    if (!stamma_index_facts(t->file, t->segment, rank, &facts, NULL))
        return true; /* the file is damaged; this is reported later */
    verdict v = t->query ? stamma_plan_filter_test(&t->filter, rank) : VERDICT_YES;
    if (v == VERDICT_NO)
        return true;
    if (v == VERDICT_MAYBE)
        return plan_game(t, rank, v);
    const index_example e = index_example_of(&facts, 0, rank, code);
    stamma_index_sums_add(t->sums, &facts, &e);
    return true;
}

/* Tests the games of a range, in which all games play the same move, and adds those that match. */
static bool add_tested(tree_file *t, uint32_t begin, uint32_t end, unsigned code)
{
    bool added = true;
    for (uint32_t rank = begin; added && (rank = plan_filter_next(&t->filter, rank, end)) < end; rank++)
        added = add_game(t, rank, code);
    return added;
}

/* Like add_tested, if no game has to be tested by names. A hot loop: facts are read from the file without a copy. */
static bool add_range(tree_file *t, uint32_t begin, uint32_t end, unsigned code)
{
    const uint64_t size = (uint64_t)(end - begin) * INDEX_FACTS_SIZE;
    const uint8_t *at =
        begin < end ? index_bytes(t->file, t->segment, SECTION_FACTS, (uint64_t)begin * INDEX_FACTS_SIZE, size) : NULL;
    bool added = true;
    for (uint32_t rank = begin; at && rank < end && added; rank++, at += INDEX_FACTS_SIZE) {
        const index_facts facts = index_facts_read(at);
        if (index_facts_are_odd(&facts)) {
            added = add_game(t, rank, code);
            continue;
        }
        const verdict v = t->tables ? fact_tables_test(t->tables, &facts) : VERDICT_YES;
        const index_example e = index_example_of(&facts, 0, rank, code);
        if (v == VERDICT_YES)
            stamma_index_sums_add(t->sums, &facts, &e);
        else if (v == VERDICT_MAYBE)
            added = add_game(t, rank, code);
    }
    return added;
}

/* ---- nodes ---- */

/* Adds the games that leave the trie at a node. Each of them plays another move. */
static stamma_error add_leavers(tree_file *t, uint32_t node)
{
    const uint32_t end = index_node_first(t->file, t->segment, (uint64_t)node + 1);
    stamma_error error = STAMMA_OK;
    for (uint32_t rank = index_node_first(t->file, t->segment, node); rank < end && error == STAMMA_OK; rank++) {
        const uint8_t *codes;
        uint32_t count;
        if (t->query && stamma_plan_filter_test(&t->filter, rank) == VERDICT_NO)
            continue;
        error = stamma_index_moves_read(&t->moves, t->segment, rank, 1, &codes, &count);
        if (error == STAMMA_OK && !add_game(t, rank, count > 0 ? *codes : INDEX_NO_MOVE))
            error = STAMMA_ERROR_NO_MEMORY;
    }
    return error;
}

static stamma_error add_children(tree_file *t, const index_place *place)
{
    const uint32_t end = stamma_index_node_end(t->file, t->segment, place->node);
    uint32_t rank = place->begin;
    stamma_error error = STAMMA_OK;
    for (uint32_t child = place->node + 1; child < end && error == STAMMA_OK;) {
        const uint8_t *code = index_bytes(t->file, t->segment, SECTION_NODE_CODES, child, 1);
        const uint32_t next = stamma_index_node_end(t->file, t->segment, child);
        const uint32_t first = index_node_first(t->file, t->segment, child);
        const uint32_t past = index_node_first(t->file, t->segment, next);
        if (!code || first < rank || past < first || past > place->end)
            return stamma_index_damaged(t->file);
        if (stamma_search_is_stopped(t->limits))
            return STAMMA_ERROR_CANCELLED;
        if (!(t->query && !(t->tables && t->tables->all) ? add_tested : add_range)(t, first, past, *code))
            error = STAMMA_ERROR_NO_MEMORY;
        rank = past;
        child = next;
    }
    return error;
}

static stamma_error add_place(tree_file *t, const index_place *place)
{
    bool found = false;
    stamma_error error = STAMMA_OK;
    if (!t->query)
        error = stamma_index_sums_read(t->file, t->segment, place->node, t->sums, &found);
    if (error == STAMMA_OK && !found)
        error = add_leavers(t, place->node);
    return error == STAMMA_OK && !found ? add_children(t, place) : error;
}

/* ---- segments ---- */

static bool is_wanted(void *context, uint32_t rank)
{
    const tree_file *t = (const tree_file *)context;
    return !t->query || stamma_plan_filter_test(&t->filter, rank) != VERDICT_NO;
}

/* Plans the games that do not begin in the initial position. */
static bool plan_others(tree_file *t)
{
    const uint32_t *counts = t->segment->counts;
    bool planned = true;
    for (uint32_t rank = counts[COUNT_TYPED]; rank < counts[COUNT_GAMES] && planned; rank++) {
        verdict v = t->query ? stamma_plan_filter_test(&t->filter, rank) : VERDICT_YES;
        planned = v == VERDICT_NO || plan_game(t, rank, v);
    }
    return planned;
}

static stamma_error add_hits(tree_file *t)
{
    const index_place *places = (const index_place *)(const void *)t->hunt.places.data;
    const index_stray *strays = (const index_stray *)(const void *)t->hunt.strays.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < t->hunt.places.size / sizeof *places && error == STAMMA_OK; n++)
        error = add_place(t, &places[n]);
    bool added = true;
    for (size_t n = 0; n < t->hunt.strays.size / sizeof *strays && added && error == STAMMA_OK; n++)
        added = add_game(t, strays[n].rank, strays[n].next);
    return error == STAMMA_OK && !(added && plan_others(t)) ? STAMMA_ERROR_NO_MEMORY : error;
}

static stamma_error add_segment(tree_file *t, const index_segment *segment, stamma_text archive)
{
    t->segment = segment;
    memset(t->sums, 0, sizeof *t->sums);
    t->sums->months = t->months;
    t->sums->file = t->file;
    t->sums->segment = segment;
    if (t->months)
        memset(t->months, 0, INDEX_MONTHS * sizeof *t->months);
    stamma_error error = stamma_plan_filter_open(&t->filter, t->file, segment, t->query ? &t->query->root : NULL);
    if (error == STAMMA_OK)
        error = stamma_index_hunt_run(&t->hunt, segment);
    if (error == STAMMA_OK)
        error = add_hits(t);
    if (error == STAMMA_OK && atomic_load_explicit(&t->file->damaged, memory_order_relaxed))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = stamma_tree_add_sums(t->tree, archive, t->sums);
    if (error == STAMMA_ERROR_CORRUPT) /* includes a code without a move */
        (void)stamma_index_damaged(t->file);
    stamma_plan_filter_release(&t->filter);
    return error;
}

/* ---- the file ---- */

/* Returns whether the facts and names of an index file decide all rules of a query. */
static bool is_filtered(const stamma_query *query)
{
    return !query || stamma_plan_filters_condition(&query->root);
}

static bool open_sums(tree_file *t, const stamma_allocator *allocator)
{
    t->sums = (index_sums *)memory_allocate(allocator, sizeof *t->sums);
    if (t->tree->history)
        t->months = (uint64_t(*)[3])memory_allocate(allocator, INDEX_MONTHS * sizeof *t->months);
    return t->sums && (t->months || !t->tree->history);
}

stamma_error stamma_tree_add_file(void *part, const file_search *from, search_plan *plan)
{
    tree_file t = {.tree = (stamma_tree *)part,
                   .query = from->query,
                   .file = from->index->file,
                   .limits = from->limits,
                   .plan = plan};
    const stamma_allocator *allocator = plan->games.allocator;
    position_target target;
    plan->usable = is_filtered(from->query);
    if (!plan->usable)
        return STAMMA_OK;
    stamma_target_init(&target, &t.tree->position, false, false);
    stamma_index_moves_init(&t.moves, t.file, from->archive, allocator);
    stamma_index_hunt_init(&t.hunt, allocator);
    stamma_search_plan_aim(&t.hunt, &target);
    t.hunt.moves = &t.moves;
    t.hunt.stop = &from->limits->check;
    t.hunt.wants = is_wanted;
    t.hunt.context = &t;
    stamma_error error = open_sums(&t, allocator) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (from->query && error == STAMMA_OK)
        t.filter.tables = t.tables = stamma_fact_tables_make(&from->query->root, allocator);
    for (size_t n = 0; n < t.file->segment_count && error == STAMMA_OK; n++)
        error = add_segment(&t, &t.file->segments[n], from->name);
    memory_release(allocator, t.tables);
    memory_release(allocator, t.sums);
    memory_release(allocator, t.months);
    stamma_index_hunt_release(&t.hunt);
    stamma_index_moves_release(&t.moves);
    if (error == STAMMA_OK)
        error = stamma_search_plan_sort(plan, 0);
    plan->usable = error == STAMMA_OK;
    return error;
}
