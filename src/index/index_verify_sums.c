/* SPDX-License-Identifier: MIT */
/* Compares the sums of nodes with the games that pass the nodes, and the statistics with the statistics of the decoded
 * games. */
#include "index/index_verify.h"

typedef struct sums_check {
    index_verifying *v;
    index_sums wanted, found;
    uint64_t wanted_months[INDEX_MONTHS][3], found_months[INDEX_MONTHS][3];
} sums_check;

/* ---- sums ---- */

/* Sums the games of a node by their next move. Their facts and moves were compared with the archive. */
static stamma_error sum_games(sums_check *c, uint32_t begin, uint32_t end, unsigned depth)
{
    index_verifying *v = c->v;
    for (uint32_t rank = begin; rank < end; rank++) {
        const uint8_t *codes = NULL;
        uint32_t count = 0;
        index_facts facts = {.month = 0};
        const stamma_error error = stamma_index_moves_read(&v->moves, v->segment, rank, 1, &codes, &count);
        if (error != STAMMA_OK || !stamma_index_facts(&v->file, v->segment, rank, &facts, NULL))
            return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
        const unsigned code = v->moves.depth > depth ? v->moves.path[depth] : count > 0 ? codes[0] : INDEX_NO_MOVE;
        const uint64_t game = stamma_index_game(&v->file, v->segment, stamma_index_record(&v->file, v->segment, rank));
        const index_example e = index_example_of(&facts, game, rank, code);
        stamma_index_sums_add(&c->wanted, &facts, &e);
    }
    return STAMMA_OK;
}

static bool moves_are_equal(const index_sum *a, const index_sum *b)
{
    return memcmp(a->results, b->results, sizeof a->results) == 0 && a->rated == b->rated &&
           a->rating_sum == b->rating_sum && memcmp(a->opposed, b->opposed, sizeof a->opposed) == 0 &&
           memcmp(a->opposed_sum, b->opposed_sum, sizeof a->opposed_sum) == 0 &&
           memcmp(a->half_points, b->half_points, sizeof a->half_points) == 0 && a->last_month == b->last_month &&
           (index_sum_games(a) == 0 || (a->top.game == b->top.game && a->recent.game == b->recent.game));
}

static bool examples_are_equal(const index_example_list *a, const index_example_list *b)
{
    bool equal = a->count == b->count;
    for (size_t n = 0; n < a->count && equal; n++)
        equal = a->games[n].game == b->games[n].game && a->games[n].code == b->games[n].code;
    return equal;
}

static bool sums_are_equal(const sums_check *c)
{
    bool equal = examples_are_equal(&c->wanted.top, &c->found.top) &&
                 examples_are_equal(&c->wanted.recent, &c->found.recent) &&
                 memcmp(c->wanted_months, c->found_months, sizeof c->wanted_months) == 0;
    for (unsigned code = 0; code < INDEX_SUM_CODES && equal; code++)
        equal = moves_are_equal(&c->wanted.of[code], &c->found.of[code]);
    return equal;
}

/* Compares the sums of a node, if the index contains them. Sums are optional: without them, searches add up the games
 * of the node. */
static stamma_error compare_node(sums_check *c, uint32_t node)
{
    index_verifying *v = c->v;
    bool found;
    memset(&c->wanted, 0, sizeof *c - offsetof(sums_check, wanted));
    c->wanted.months = c->wanted_months;
    c->found.months = c->found_months;
    stamma_error error = stamma_index_sums_read(&v->file, v->segment, node, &c->found, &found);
    if (!stamma_index_was_valid(v, "sums of a node", node + UINT64_C(1), 0) || error != STAMMA_OK || !found)
        return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
    const uint32_t begin = index_node_first(&v->file, v->segment, node), typed = v->segment->counts[COUNT_TYPED];
    const uint32_t end = index_node_first(&v->file, v->segment, stamma_index_node_end(&v->file, v->segment, node));
    const uint8_t *depth = index_bytes(&v->file, v->segment, SECTION_NODE_DEPTHS, node, 1);
    if (depth)
        error = sum_games(c, begin, end < typed ? end : typed, *depth);
    if (stamma_index_was_valid(v, "sums of a node", node + UINT64_C(1), 0) && error == STAMMA_OK && !sums_are_equal(c))
        stamma_index_differ(v, "sums of a node", node + UINT64_C(1), 0);
    return error;
}

static stamma_error compare_sums(index_verifying *v)
{
    sums_check *c = (sums_check *)memory_allocate(&v->allocator, sizeof *c);
    stamma_error error = c ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    for (uint64_t n = 0; n < v->segment->parts[SECTION_SUM_NODES].size / 8 && error == STAMMA_OK; n++) {
        const uint32_t node = index_u32(&v->file, v->segment, SECTION_SUM_NODES, 2 * n);
        const uint32_t before = n > 0 ? index_u32(&v->file, v->segment, SECTION_SUM_NODES, 2 * n - 2) : 0;
        c->v = v;
        if (!stamma_index_was_valid(v, "nodes with sums", n + 1, 0))
            continue;
        if (node >= v->segment->counts[COUNT_NODES] || (n > 0 && node <= before))
            stamma_index_differ(v, "nodes with sums", n + 1, 0);
        else
            error = compare_node(c, node);
    }
    memory_release(&v->allocator, c);
    return error;
}

/* ---- statistics ---- */

static bool is_empty(const stamma_stats_row *row)
{
    return row->results[0].games == 0 && row->results[1].games == 0 && row->plies == 0;
}

/* Returns whether another table contains each row of a table that is not empty. */
static bool has_rows(const stats_table *of, const stats_table *in)
{
    size_t count, other;
    const stamma_stats_row *rows = stats_rows(of, &count), *others = stats_rows(in, &other);
    bool equal = true;
    for (size_t n = 0; n < count && equal; n++) {
        const uint32_t number = is_empty(&rows[n]) ? 0 : stamma_text_table_find(&in->names, rows[n].name);
        equal = is_empty(&rows[n]) ||
                (number > 0 && number <= other && others[number - 1].plies == rows[n].plies &&
                 memcmp(others[number - 1].results, rows[n].results, sizeof rows[n].results) == 0);
    }
    return equal;
}

static stamma_error compare_stats(index_verifying *v)
{
    stamma_stats found;
    stamma_stats_init(&found, &v->allocator);
    const stamma_error error = stamma_index_stats_read(&v->file, v->segment, &found);
    const bool valid = stamma_index_was_valid(v, "statistics", 0, 0);
    const stamma_stats_total *a = &v->stats.total, *b = &found.total;
    if (valid && error == STAMMA_OK &&
        (memcmp(&a->results, &b->results, sizeof a->results) != 0 || a->plies != b->plies || a->longest != b->longest ||
         a->set_up != b->set_up || a->rated != b->rated))
        stamma_index_differ(v, "totals of the statistics", 0, 0);
    for (unsigned n = 0; valid && error == STAMMA_OK && n < STAMMA_STATS_TABLES; n++)
        if (!has_rows(&v->stats.tables[n], &found.tables[n]) || !has_rows(&found.tables[n], &v->stats.tables[n]))
            stamma_index_differ(v, "table of the statistics", n + UINT64_C(1), 0);
    stamma_stats_release(&found);
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

stamma_error stamma_index_verify_sums(index_verifying *v)
{
    const stamma_error error = compare_sums(v);
    return error == STAMMA_OK ? compare_stats(v) : error;
}
