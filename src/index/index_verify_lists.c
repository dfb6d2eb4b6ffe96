/* SPDX-License-Identifier: MIT */
/* Compares the order of the ranks of a segment, its lists of candidates and of the games of endgames, its names and
 * their lists of games. The lists are read while the ranks are visited in order: each list must contain exactly the
 * ranks that belong to it. */
#include <stdlib.h>

#include "index/index_verify.h"
#include "query/query.h"

/* Lists of ranks that are read in parallel. */
typedef struct rank_lists {
    index_list *lists;
    uint32_t *next; /* of each list, the next rank; UINT32_MAX: the list has ended */
    uint32_t count;
    const char *part;
} rank_lists;

typedef struct list_check {
    index_verifying *v;
    rank_lists candidates, names, endgames;
    uint32_t *materials; /* of the endgames, ascending */
    uint32_t *crowded;
    size_t crowded_count;
    buffer found; /* uint32_t: the candidate lists of the current game */
    /* the current game, and the previous game */
    buffer rest, rest_before; /* codes after the path */
    uint32_t node, record;    /* of the previous game; UINT32_MAX: none */
    uint8_t child[256];       /* nonzero for codes of children of this node */
} list_check;

/* ---- lists of ranks ---- */

static void step(index_verifying *v, rank_lists *l, uint32_t n)
{
    if (!stamma_index_list_next(&l->lists[n], v->segment->counts[COUNT_GAMES], &l->next[n])) {
        l->next[n] = UINT32_MAX;
        if (l->lists[n].failed)
            stamma_index_differ(v, l->part, n + UINT64_C(1), 0);
    }
}

/* Allocates `count` lists, which begin empty. */
static bool open_lists(index_verifying *v, rank_lists *l, uint32_t count, const char *part)
{
    l->lists = (index_list *)memory_allocate(&v->allocator, size_multiply(count + (size_t)1, sizeof *l->lists));
    l->next = (uint32_t *)memory_allocate(&v->allocator, size_multiply(count + (size_t)1, sizeof *l->next));
    l->count = count;
    l->part = part;
    return l->lists && l->next;
}

/* Compares the next rank of a list with a rank that belongs to the list. If the list has an earlier rank, it is
 * reported here; a list with a later rank is reported when the lists end. */
static void expect(index_verifying *v, rank_lists *l, uint32_t n, uint32_t rank)
{
    while (l->next[n] < rank) {
        stamma_index_differ(v, l->part, n + UINT64_C(1), 0); /* a rank that does not belong to the list */
        step(v, l, n);
    }
    if (l->next[n] == rank)
        step(v, l, n);
    else
        stamma_index_differ(v, l->part, n + UINT64_C(1), 0);
}

/* Reports the lists that have more ranks. */
static void end_lists(index_verifying *v, rank_lists *l)
{
    for (uint32_t n = 0; n < l->count; n++)
        if (l->next[n] != UINT32_MAX)
            stamma_index_differ(v, l->part, n + UINT64_C(1), 0);
}

static void release_lists(index_verifying *v, rank_lists *l)
{
    memory_release(&v->allocator, l->lists);
    memory_release(&v->allocator, l->next);
}

static bool begin_candidates(list_check *c)
{
    index_verifying *v = c->v;
    const index_segment *s = v->segment;
    if (!open_lists(v, &c->candidates, s->counts[COUNT_LISTS], "list of candidates"))
        return false;
    for (uint32_t n = 0; n < c->candidates.count; n++) {
        uint32_t span[2] = {0, 0};
        const uint8_t *at = stamma_index_ascending(&v->file, s, SECTION_LIST_STARTS, n, span)
                                ? index_bytes(&v->file, s, SECTION_LISTS, span[0], span[1] - span[0])
                                : NULL;
        stamma_index_list_begin(&c->candidates.lists[n], at, at ? span[1] - span[0] : 0, s->counts[COUNT_GAMES]);
        (void)stamma_index_was_valid(v, c->candidates.part, n + UINT64_C(1), 0);
        step(v, &c->candidates, n);
    }
    return true;
}

/* Reads the endgames, if the segment lists them. */
static bool begin_endgames(list_check *c)
{
    index_verifying *v = c->v;
    index_endgames e;
    const uint32_t most = index_has_endgames(v->segment) ? ENDGAMES : 0;
    c->materials = (uint32_t *)memory_allocate(&v->allocator, (most + (size_t)1) * sizeof *c->materials);
    if (!c->materials || !open_lists(v, &c->endgames, most, "games of an endgame"))
        return false;
    c->endgames.count = 0;
    if (most == 0 || !stamma_index_endgames_begin(&v->file, v->segment, &e))
        return true;
    for (uint32_t n = 0; n < most && stamma_index_endgames_next(&e); n++) {
        c->materials[n] = e.material;
        c->endgames.lists[n] = (index_list){.left = 0};
        (void)stamma_index_endgame_games(&e, &c->endgames.lists[n]);
        (void)stamma_index_was_valid(v, c->endgames.part, n + UINT64_C(1), 0);
        step(v, &c->endgames, n);
        c->endgames.count++;
    }
    (void)stamma_index_was_valid(v, "endgames", 0, 0);
    return true;
}

static bool begin_names(list_check *c)
{
    index_verifying *v = c->v;
    const uint32_t names = v->segment->counts[COUNT_NAMES];
    if (!open_lists(v, &c->names, names, "games of a name"))
        return false;
    for (uint32_t n = 0; n < names; n++) {
        c->names.lists[n] = (index_list){.left = 0};
        (void)stamma_index_name_games(&v->file, v->segment, n + 1, &c->names.lists[n]);
        (void)stamma_index_was_valid(v, c->names.part, n + UINT64_C(1), 0);
        step(v, &c->names, n);
    }
    return true;
}

/* ---- names ---- */

/* Names must differ, and their folded texts must ascend. */
static stamma_error compare_order_of_names(index_verifying *v)
{
    buffer plain = {.allocator = &v->allocator}, folded[2] = {plain, plain};
    text_table all = {.allocator = &v->allocator};
    for (uint32_t n = 1; n <= v->segment->counts[COUNT_NAMES]; n++) {
        const stamma_text name = stamma_index_name(&v->file, v->segment, n);
        buffer *this = &folded[n & 1], *before = &folded[~n & 1];
        if (!stamma_index_was_valid(v, "name", n, 0) || !name.data)
            continue;
        plain.size = this->size = 0;
        stamma_fold_value(name, &plain, this);
        const size_t least = this->size < before->size ? this->size : before->size;
        int order = least > 0 ? memcmp(before->data, this->data, least) : 0;
        order = order == 0 ? (before->size > this->size) - (before->size < this->size) : order;
        if (stamma_text_table_add(&all, name) != all.count || (n > 1 && order > 0))
            stamma_index_differ(v, "order of names", n, 0);
    }
    const bool failed = all.failed || plain.failed || folded[0].failed || folded[1].failed;
    stamma_text_table_release(&all);
    stamma_buffer_release(&plain);
    stamma_buffer_release(&folded[0]);
    stamma_buffer_release(&folded[1]);
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static void expect_names(list_check *c, uint32_t rank, uint32_t record)
{
    uint32_t names[2] = {0, 0};
    (void)stamma_index_players(&c->v->file, c->v->segment, record, names);
    for (unsigned color = 0; color < 2; color++)
        if (names[color] > 0 && names[color] <= c->names.count && (color == 0 || names[1] != names[0]))
            expect(c->v, &c->names, names[color] - 1, rank);
}

/* ---- candidates ---- */

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static bool read_crowded(list_check *c)
{
    index_verifying *v = c->v;
    c->crowded_count = (size_t)(v->segment->parts[SECTION_CROWDED].size / sizeof *c->crowded);
    c->crowded = (uint32_t *)memory_allocate(&v->allocator, (c->crowded_count + 1) * sizeof *c->crowded);
    for (size_t n = 0; c->crowded && n < c->crowded_count; n++) {
        c->crowded[n] = index_u32(&v->file, v->segment, SECTION_CROWDED, n);
        if (n > 0 && c->crowded[n] <= c->crowded[n - 1])
            stamma_index_differ(v, "crowded keys", n + 1, 0);
    }
    return c->crowded != NULL;
}

static uint32_t list_of(const list_check *c, const stamma_position *p)
{
    uint32_t key = 0;
    for (unsigned level = 0; level < INDEX_LEVELS; level++) {
        key = index_key(p->by_color, p->by_type, p->side, level);
        if (!bsearch(&key, c->crowded, c->crowded_count, sizeof key, compare_numbers))
            break;
    }
    return index_list_of(key, c->candidates.count);
}

/* Checks that the list of a position's endgame contains the game, unless it is the `last` that was checked. */
static void expect_endgame(list_check *c, uint32_t rank, const stamma_position *p, uint32_t *last)
{
    const uint32_t material = index_is_endgame(p->by_type) ? index_material(p->by_color, p->by_type) : 0;
    if (!index_has_endgames(c->v->segment) || !index_is_endgame(p->by_type) || material == *last)
        return;
    *last = material;
    const uint32_t *found =
        (const uint32_t *)bsearch(&material, c->materials, c->endgames.count, sizeof material, compare_numbers);
    if (found)
        expect(c->v, &c->endgames, (uint32_t)(found - c->materials), rank);
    else
        stamma_index_differ(c->v, "endgames", rank + UINT64_C(1), 0);
}

/* Plays the game, and checks that the lists of its endgames, and of the positions after its path, contain the game.
 * Returns false if memory is exhausted. */
static bool expect_candidates(list_check *c, uint32_t rank, const index_moves *m)
{
    stamma_position p = stamma_position_start();
    stamma_move move;
    uint32_t endgame = UINT32_MAX;
    c->found.size = 0;
    for (size_t n = 0; n < m->depth + c->rest.size; n++) {
        const uint8_t code = n < m->depth ? m->path[n] : c->rest.data[n - m->depth];
        if (stamma_byte_decode(&p, code, &move) != STAMMA_OK)
            return true; /* a difference of the moves was already reported */
        stamma_position_make(&p, move, &p);
        expect_endgame(c, rank, &p, &endgame);
        const uint32_t list = n >= m->depth ? list_of(c, &p) : 0;
        if (n >= m->depth)
            buffer_add(&c->found, &list, sizeof list);
    }
    uint32_t *lists = (uint32_t *)(void *)c->found.data;
    const size_t count = c->found.size / sizeof *lists;
    if (count > 1)
        qsort(lists, count, sizeof *lists, compare_numbers);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || lists[n] != lists[n - 1])
            expect(c->v, &c->candidates, lists[n], rank);
    return !c->found.failed;
}

/* ---- the order of the ranks ---- */

static void list_children(list_check *c, uint32_t node)
{
    index_verifying *v = c->v;
    const uint32_t end = stamma_index_node_end(&v->file, v->segment, node);
    memset(c->child, 0, sizeof c->child);
    for (uint32_t child = node + 1; child < end; child = stamma_index_node_end(&v->file, v->segment, child)) {
        const uint8_t *code = index_bytes(&v->file, v->segment, SECTION_NODE_CODES, child, 1);
        if (!code || stamma_index_node_end(&v->file, v->segment, child) <= child)
            break;
        c->child[*code] = 1;
    }
}

/* Typed games of a node are ordered by their remaining codes, then by record. A game leaves the trie at its last node.
 */
static void compare_order(list_check *c, uint32_t rank, uint32_t node, uint32_t record)
{
    const buffer *now = &c->rest, *before = &c->rest_before;
    const size_t least = now->size < before->size ? now->size : before->size;
    int order = least > 0 ? memcmp(before->data, now->data, least) : 0;
    order = order == 0 ? (before->size > now->size) - (before->size < now->size) : order;
    if (node != c->node)
        list_children(c, node);
    if ((c->node == node && (order > 0 || (order == 0 && record <= c->record))) ||
        (now->size > 0 && c->child[now->data[0]]))
        stamma_index_differ(c->v, "order of the games", rank + UINT64_C(1), 0);
}

static stamma_error check_typed(list_check *c, uint32_t rank, uint32_t record)
{
    index_verifying *v = c->v;
    const uint8_t *codes = NULL;
    uint32_t count = 0;
    const uint32_t node = stamma_index_node_of(&v->file, v->segment, rank);
    const stamma_error error = stamma_index_moves_read(&v->moves, v->segment, rank, UINT32_MAX, &codes, &count);
    if (error != STAMMA_OK || !stamma_index_was_valid(v, "moves of a game", rank + UINT64_C(1), 0))
        return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
    c->rest.size = 0;
    buffer_add(&c->rest, codes, count);
    if (c->rest.failed || !expect_candidates(c, rank, &v->moves))
        return STAMMA_ERROR_NO_MEMORY;
    compare_order(c, rank, node, record);
    const buffer rest = c->rest;
    c->rest = c->rest_before;
    c->rest_before = rest;
    c->node = node;
    return STAMMA_OK;
}

static stamma_error check_ranks(list_check *c)
{
    index_verifying *v = c->v;
    const index_segment *s = v->segment;
    stamma_error error = STAMMA_OK;
    for (uint32_t rank = 0; rank < s->counts[COUNT_GAMES] && error == STAMMA_OK; rank++) {
        const uint32_t record = stamma_index_record(&v->file, s, rank);
        expect_names(c, rank, record);
        if (rank < s->counts[COUNT_TYPED])
            error = check_typed(c, rank, record);
        else if (rank > s->counts[COUNT_TYPED] && record <= c->record)
            stamma_index_differ(v, "order of the games", rank + UINT64_C(1), 0);
        c->record = record;
        (void)stamma_index_was_valid(v, "order of the games", rank + UINT64_C(1), 0);
    }
    return error;
}

stamma_error stamma_index_verify_lists(index_verifying *v)
{
    list_check *c = (list_check *)memory_allocate(&v->allocator, sizeof *c);
    if (!c)
        return STAMMA_ERROR_NO_MEMORY;
    *c = (list_check){.v = v, .node = UINT32_MAX, .record = UINT32_MAX};
    c->found.allocator = c->rest.allocator = c->rest_before.allocator = &v->allocator;
    stamma_error error = compare_order_of_names(v);
    if (error == STAMMA_OK && !(read_crowded(c) && begin_candidates(c) && begin_names(c) && begin_endgames(c)))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        error = check_ranks(c);
    if (error == STAMMA_OK) {
        end_lists(v, &c->candidates);
        end_lists(v, &c->names);
        end_lists(v, &c->endgames);
    }
    release_lists(v, &c->candidates);
    release_lists(v, &c->names);
    release_lists(v, &c->endgames);
    memory_release(&v->allocator, c->materials);
    memory_release(&v->allocator, c->crowded);
    stamma_buffer_release(&c->found);
    stamma_buffer_release(&c->rest);
    stamma_buffer_release(&c->rest_before);
    memory_release(&v->allocator, c);
    return error;
}
