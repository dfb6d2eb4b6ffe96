/* SPDX-License-Identifier: MIT */
/* Sums of the games that pass a node of the trie. They are computed when a segment is written, for nodes with many
 * games. The tree of a position then does not visit these games. */
#include "index/index_build.h"

/* ---- adding games ---- */

bool stamma_index_is_higher(const index_example *a, const index_example *b)
{
    return a->rating != b->rating ? a->rating > b->rating
           : a->month != b->month ? a->month > b->month
                                  : a->game < b->game;
}

bool stamma_index_is_later(const index_example *a, const index_example *b)
{
    return a->month != b->month ? a->month > b->month : a->game > b->game;
}

/* Return false if a game without a number cannot rank before another, for any number. */
static bool may_be_higher(const index_example *e, const index_example *other)
{
    return e->rating > other->rating || (e->rating == other->rating && e->month >= other->month);
}

static bool may_be_later(const index_example *e, const index_example *other)
{
    return e->month >= other->month;
}

static void keep(index_example_list *list, const index_example *e,
                 bool (*before)(const index_example *, const index_example *))
{
    if (list->count == INDEX_EXAMPLES && !before(e, &list->games[INDEX_EXAMPLES - 1]))
        return;
    list->count += list->count < INDEX_EXAMPLES;
    size_t at = list->count - 1;
    for (; at > 0 && before(e, &list->games[at - 1]); at--)
        list->games[at] = list->games[at - 1];
    list->games[at] = *e;
}

static void add_example(const index_sums *sums, index_sum *s, index_example *e, bool first, index_example_list *top,
                        index_example_list *recent)
{
    if (e->game == 0 && sums->file)
        e->game = stamma_index_game(sums->file, sums->segment, stamma_index_record(sums->file, sums->segment, e->rank));
    if (first || stamma_index_is_higher(e, &s->top))
        s->top = *e;
    if (first || stamma_index_is_later(e, &s->recent))
        s->recent = *e;
    keep(top, e, stamma_index_is_higher);
    keep(recent, e, stamma_index_is_later);
}

/* Returns whether a game may become an example. The lists of top and of recent games have the same size. */
static bool may_be_example(const index_sums *sums, const index_sum *s, const index_example *e)
{
    const index_example_list *top = &sums->top, *recent = &sums->recent;
    return top->count < INDEX_EXAMPLES || may_be_later(e, &s->recent) || may_be_higher(e, &s->top) ||
           may_be_later(e, &recent->games[INDEX_EXAMPLES - 1]) || may_be_higher(e, &top->games[INDEX_EXAMPLES - 1]);
}

/* Counts the points of a side that has a rated opponent. */
static void count_opponent(index_sum *s, unsigned color, unsigned rating, unsigned half_points)
{
    s->opposed[color]++;
    s->opposed_sum[color] += rating;
    s->half_points[color] += half_points;
}

void stamma_index_sums_add(index_sums *sums, const index_facts *f, const index_example *e)
{
    enum { WHITE_WON, BLACK_WON, DRAW };
    index_sum *s = &sums->of[e->code];
    const unsigned white = f->rating[STAMMA_WHITE], black = f->rating[STAMMA_BLACK], draw = f->result == DRAW;
    const bool first = index_sum_games(s) == 0, finished = f->result != SEARCH_OTHER_RESULT;
    s->results[f->result]++;
    if (white > 0 && black > 0) {
        s->rated++;
        s->rating_sum += white + black;
    }
    if (finished && black > 0)
        count_opponent(s, STAMMA_WHITE, black, f->result == WHITE_WON ? 2 : draw);
    if (finished && white > 0)
        count_opponent(s, STAMMA_BLACK, white, f->result == BLACK_WON ? 2 : draw);
    s->last_month = e->month > s->last_month ? (uint16_t)e->month : s->last_month;
    if (first || may_be_example(sums, s, e)) {
        index_example numbered = *e;
        add_example(sums, s, &numbered, first, &sums->top, &sums->recent);
    }
    if (sums->months && finished)
        sums->months[e->month][f->result]++;
}

/* ---- writing ---- */

static void write_sum(buffer *out, const index_sum *s, unsigned code)
{
    const uint64_t numbers[] = {
        code,          s->results[0],     s->results[1],     s->results[2],     s->results[3],
        s->rated,      s->rating_sum,     s->opposed[0],     s->opposed_sum[0], s->half_points[0],
        s->opposed[1], s->opposed_sum[1], s->half_points[1], s->last_month,     s->top.rank,
        s->recent.rank};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        stamma_buffer_add_varint(out, numbers[n]);
}

static void write_examples(buffer *out, const index_example_list *list)
{
    stamma_buffer_add_varint(out, list->count);
    for (size_t n = 0; n < list->count; n++) {
        stamma_buffer_add_varint(out, list->games[n].rank);
        stamma_buffer_add_varint(out, list->games[n].code);
    }
}

/* Writes the months in which games were finished, and clears their counts. */
static void write_months(buffer *out, uint64_t (*months)[3])
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < INDEX_MONTHS; n++)
        count += months[n][0] + months[n][1] + months[n][2] > 0;
    stamma_buffer_add_varint(out, count);
    for (uint32_t n = 0; n < INDEX_MONTHS && count > 0; n++) {
        if (months[n][0] + months[n][1] + months[n][2] == 0)
            continue;
        stamma_buffer_add_varint(out, n);
        for (unsigned k = 0; k < 3; k++)
            stamma_buffer_add_varint(out, months[n][k]);
        memset(months[n], 0, sizeof months[n]);
        count--;
    }
}

static void write_sums(buffer *out, const index_sums *sums)
{
    uint32_t count = 0;
    for (unsigned code = 0; code < INDEX_SUM_CODES; code++)
        count += index_sum_games(&sums->of[code]) > 0;
    stamma_buffer_add_varint(out, count);
    for (unsigned code = 0; code < INDEX_SUM_CODES; code++)
        if (index_sum_games(&sums->of[code]) > 0)
            write_sum(out, &sums->of[code], code);
    write_examples(out, &sums->top);
    write_examples(out, &sums->recent);
    write_months(out, sums->months);
}

/* Nodes with sums, in parts that are made in parallel. */
typedef struct summed_node {
    uint32_t node, end;
    size_t size; /* of its sums */
} summed_node;

enum { SUM_PARTS = 16 };

typedef struct summer {
    index_build *b;
    buffer nodes; /* summed_node */
    size_t begins[SUM_PARTS + 1];
    buffer out[SUM_PARTS];
} summer;

/* Adds the game of a rank. The number of a record is used as the number of its game, because only the order of these
 * numbers is used. */
static void add_game(const index_build *b, uint32_t rank, unsigned code, index_sums *sums)
{
    const uint32_t record = ((const uint32_t *)(const void *)b->order.data)[rank];
    index_facts facts = index_facts_read(b->sections[SECTION_FACTS].data + (size_t)rank * INDEX_FACTS_SIZE);
    if (index_facts_are_odd(&facts))
        memcpy(facts.rating, build_odd(b, record)->values.rating, sizeof facts.rating);
    const index_example e = index_example_of(&facts, record, rank, code);
    stamma_index_sums_add(sums, &facts, &e);
}

/* Returns the first node after a node and its descendants. */
static uint32_t end_of(const index_build *b, uint32_t node)
{
    const uint8_t *depths = b->node_depths.data;
    uint32_t end = node + 1;
    while (end < b->node_depths.size && depths[end] > depths[node])
        end++;
    return end;
}

/* Adds the games of a node: those that leave the trie there, and those of each child. */
static void add_games(const index_build *b, const summed_node *n, index_sums *sums)
{
    const uint32_t *first = (const uint32_t *)(const void *)b->node_first.data;
    const uint32_t *order = (const uint32_t *)(const void *)b->order.data;
    const uint32_t depth = b->node_depths.data[n->node];
    for (uint32_t rank = first[n->node]; rank < first[n->node + 1]; rank++) {
        const uint32_t record = order[rank];
        add_game(b, rank, build_size(b, record) > depth ? *build_rest(b, record) : INDEX_NO_MOVE, sums);
    }
    for (uint32_t child = n->node + 1, end; child < n->end; child = end) {
        end = end_of(b, child);
        for (uint32_t rank = first[child]; rank < first[end]; rank++)
            add_game(b, rank, b->node_codes.data[child], sums);
    }
}

static void run_sums(void *context, size_t part)
{
    summer *s = (summer *)context;
    const stamma_allocator *a = s->b->allocator;
    const size_t size = INDEX_MONTHS * 3 * sizeof(uint64_t);
    summed_node *nodes = (summed_node *)(void *)s->nodes.data;
    index_sums *sums = (index_sums *)memory_allocate(a, sizeof *sums);
    uint64_t(*months)[3] = (uint64_t(*)[3])memory_allocate(a, size);
    if (months)
        memset(months, 0, size);
    for (size_t n = s->begins[part]; n < s->begins[part + 1] && sums && months; n++) {
        const size_t begin = s->out[part].size;
        memset(sums, 0, sizeof *sums);
        sums->months = months;
        add_games(s->b, &nodes[n], sums);
        write_sums(&s->out[part], sums);
        nodes[n].size = s->out[part].size - begin;
    }
    s->out[part].failed |= !sums || !months;
    memory_release(a, sums);
    memory_release(a, months);
}

/* Lists the nodes with sums, and divides them into parts with about the same number of games. */
static bool list_nodes(summer *s)
{
    const uint32_t *first = (const uint32_t *)(const void *)s->b->node_first.data;
    uint64_t games = 0, sum = 0;
    for (uint32_t node = 0; node < s->b->node_depths.size; node++) {
        const summed_node n = {node, end_of(s->b, node), 0};
        if (first[n.end] - first[node] <= INDEX_SUMMED)
            continue;
        buffer_add(&s->nodes, &n, sizeof n);
        games += first[n.end] - first[node];
    }
    const summed_node *nodes = (const summed_node *)(const void *)s->nodes.data;
    const size_t count = s->nodes.size / sizeof *nodes;
    size_t part = 0;
    for (size_t n = 0; n < count; n++) {
        while (part < SUM_PARTS && sum >= games * part / SUM_PARTS)
            s->begins[part++] = n;
        sum += first[nodes[n].end] - first[nodes[n].node];
    }
    for (; part <= SUM_PARTS; part++)
        s->begins[part] = count;
    return !s->nodes.failed;
}

static bool put_together(summer *s)
{
    buffer *to = &s->b->sections[SECTION_SUM_NODES], *sums = &s->b->sections[SECTION_SUMS];
    const summed_node *nodes = (const summed_node *)(const void *)s->nodes.data;
    bool failed = false;
    size_t at = 0;
    for (size_t n = 0; n < s->begins[SUM_PARTS]; at += nodes[n++].size) {
        index_add_u32(to, nodes[n].node);
        index_add_u32(to, (uint32_t)at);
    }
    for (size_t part = 0; part < SUM_PARTS; part++) {
        failed |= s->out[part].failed;
        buffer_add(sums, s->out[part].data, s->out[part].size);
    }
    return !failed;
}

stamma_error stamma_index_make_sums(index_build *b)
{
    summer s = {.b = b, .nodes.allocator = b->allocator};
    for (size_t part = 0; part < SUM_PARTS; part++)
        s.out[part].allocator = b->allocator;
    stamma_error error = list_nodes(&s) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && s.nodes.size > 0)
        error = stamma_index_run_parts(b->allocator, b->executor, SUM_PARTS, run_sums, &s);
    if (error == STAMMA_OK && !put_together(&s))
        error = STAMMA_ERROR_NO_MEMORY;
    for (size_t part = 0; part < SUM_PARTS; part++)
        stamma_buffer_release(&s.out[part]);
    stamma_buffer_release(&s.nodes);
    return error;
}

/* ---- reading ---- */

/* Stores the bytes of a node's sums in *bytes; no bytes if the node has no sums. Returns false if the index is
 * damaged. */
static bool find_sums(index_file *x, const index_segment *s, uint32_t node, cursor *bytes)
{
    uint64_t low = 0, high = s->parts[SECTION_SUM_NODES].size / 8, count = high;
    *bytes = (cursor){NULL, NULL, false};
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (index_u32(x, s, SECTION_SUM_NODES, 2 * middle) < node)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || index_u32(x, s, SECTION_SUM_NODES, 2 * low) != node)
        return !atomic_load_explicit(&x->damaged, memory_order_relaxed);
    uint64_t begin = index_u32(x, s, SECTION_SUM_NODES, 2 * low + 1);
    uint64_t end = low + 1 < count ? index_u32(x, s, SECTION_SUM_NODES, 2 * low + 3) : s->parts[SECTION_SUMS].size;
    const uint8_t *at = begin < end ? index_bytes(x, s, SECTION_SUMS, begin, end - begin) : NULL;
    *bytes = (cursor){at, at ? at + (end - begin) : NULL, false};
    return at != NULL;
}

/* Completes an example from its rank. */
static bool read_example(index_file *x, const index_segment *s, uint64_t rank, uint64_t code, index_example *e)
{
    index_facts facts;
    if (rank >= s->counts[COUNT_TYPED] || code > INDEX_NO_MOVE ||
        !stamma_index_facts(x, s, (uint32_t)rank, &facts, NULL))
        return false;
    uint64_t game = stamma_index_game(x, s, stamma_index_record(x, s, (uint32_t)rank));
    *e = index_example_of(&facts, game, (uint32_t)rank, (unsigned)code);
    return true;
}

static bool read_sum(index_file *x, const index_segment *s, cursor *in, index_sums *sums)
{
    uint64_t code = stamma_cursor_varint(in);
    index_sum *sum = &sums->of[code < INDEX_SUM_CODES ? code : 0];
    const bool first = index_sum_games(sum) == 0;
    uint64_t *const numbers[] = {&sum->results[0],     &sum->results[1], &sum->results[2],     &sum->results[3],
                                 &sum->rated,          &sum->rating_sum, &sum->opposed[0],     &sum->opposed_sum[0],
                                 &sum->half_points[0], &sum->opposed[1], &sum->opposed_sum[1], &sum->half_points[1]};
    index_example top, recent;
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        *numbers[n] += stamma_cursor_varint(in);
    uint64_t month = stamma_cursor_varint(in), top_rank = stamma_cursor_varint(in);
    uint64_t recent_rank = stamma_cursor_varint(in);
    if (in->failed || code >= INDEX_SUM_CODES || month >= INDEX_MONTHS || !read_example(x, s, top_rank, code, &top) ||
        !read_example(x, s, recent_rank, code, &recent))
        return false;
    sum->last_month = month > sum->last_month ? (uint16_t)month : sum->last_month;
    if (first || stamma_index_is_higher(&top, &sum->top))
        sum->top = top;
    if (first || stamma_index_is_later(&recent, &sum->recent))
        sum->recent = recent;
    return true;
}

static bool read_examples(index_file *x, const index_segment *s, cursor *in, index_example_list *list,
                          bool (*before)(const index_example *, const index_example *))
{
    uint64_t count = stamma_cursor_varint(in);
    for (uint64_t n = 0; n < count && count <= INDEX_EXAMPLES; n++) {
        index_example e;
        uint64_t rank = stamma_cursor_varint(in), code = stamma_cursor_varint(in);
        if (in->failed || !read_example(x, s, rank, code, &e))
            return false;
        keep(list, &e, before);
    }
    return !in->failed && count <= INDEX_EXAMPLES;
}

static bool read_months(cursor *in, index_sums *sums)
{
    for (uint64_t count = stamma_cursor_varint(in); count > 0 && !in->failed; count--) {
        uint64_t month = stamma_cursor_varint(in);
        for (unsigned k = 0; k < 3; k++) {
            uint64_t games = stamma_cursor_varint(in);
            if (sums->months && month < INDEX_MONTHS)
                sums->months[month][k] += games;
        }
    }
    return !in->failed;
}

stamma_error stamma_index_sums_read(index_file *x, const index_segment *s, uint32_t node, index_sums *sums, bool *found)
{
    cursor in;
    *found = false;
    if (!find_sums(x, s, node, &in))
        return stamma_index_damaged(x);
    if (!in.at)
        return STAMMA_OK;
    *found = true;
    uint64_t count = stamma_cursor_varint(&in);
    bool read = count <= INDEX_SUM_CODES;
    for (; count > 0 && read; count--)
        read = read_sum(x, s, &in, sums);
    read = read && read_examples(x, s, &in, &sums->top, stamma_index_is_higher) &&
           read_examples(x, s, &in, &sums->recent, stamma_index_is_later) && read_months(&in, sums);
    return read ? STAMMA_OK : stamma_index_damaged(x);
}
