/* SPDX-License-Identifier: MIT */
/* Decides which spellings are the same player. Nodes are joined to groups, the most certain pairs first. A group has at
 * most one FIDE id unless ids may be merged. Uncertain pairs become decisions with a doubt. */
#include "names/names.h"

#include <stdlib.h>

/* A node in a group. Arrays of group_node are indexed by node. */
typedef struct group_node {
    uint32_t parent; /* the root of a group is its own parent */
    uint32_t next;   /* ring of all nodes of the group */
    uint32_t id;     /* of a root: FIDE id of the group */
    uint32_t edge;   /* index of the first link of the node */
    uint32_t target; /* of a root: the node with the spelling to use */
    bool several;    /* several players with ids match */
    bool joined;     /* of a root: decided */
} group_node;

/* An edge, seen from one of its nodes. */
typedef struct link {
    uint32_t from, to, flags;
} link;

/* Another group that a group may belong to. */
typedef struct candidate {
    uint32_t root;
    uint32_t from, to; /* nodes of the best link */
    uint32_t flags;
    name_evidence evidence;
} candidate;

typedef struct node_order {
    uint32_t key, node;
} node_order;

typedef struct grouping {
    stamma_names *names;
    group_node *group;
    const link *links;
    size_t link_count;
    node_order *order; /* room for all nodes */
} grouping;

static uint32_t root_of(const grouping *g, uint32_t node)
{
    while (g->group[node].parent != node) {
        g->group[node].parent = g->group[g->group[node].parent].parent;
        node = g->group[node].parent;
    }
    return node;
}

static bool can_join(const grouping *g, uint32_t a, uint32_t b)
{
    uint32_t x = g->group[root_of(g, a)].id, y = g->group[root_of(g, b)].id;
    return x == 0 || y == 0 || x == y || g->names->merge_ids;
}

static void join(grouping *g, uint32_t a, uint32_t b)
{
    a = root_of(g, a);
    b = root_of(g, b);
    if (a == b)
        return;
    uint32_t next = g->group[a].next;
    g->group[a].next = g->group[b].next;
    g->group[b].next = next;
    g->group[b].parent = a;
    if (g->group[a].id == 0)
        g->group[a].id = g->group[b].id;
}

static void add_choice(grouping *g, uint32_t node, uint32_t to, unsigned why, unsigned doubt)
{
    const player_node *all = nodes_of(g->names);
    const name_choice choice = {.from = all[node].text,
                                .to = all[to].text,
                                .id = g->names->merge_ids ? 0 : g->group[root_of(g, node)].id,
                                .games = all[node].games,
                                .node = node,
                                .to_node = to,
                                .field = STAMMA_NAME_PLAYER,
                                .why = (uint8_t)why,
                                .doubt = (uint8_t)doubt};
    if (all[node].games > 0 && all[node].text != all[to].text)
        buffer_add(&g->names->choices, &choice, sizeof choice);
}

static unsigned why_of(unsigned flags)
{
    static const struct {
        unsigned flag, why;
    } reasons[] = {{NAME_MISSING, WHY_MISSING},
                   {NAME_INITIALS, WHY_INITIALS},
                   {NAME_TYPO, WHY_TYPO},
                   {NAME_SPELLING, WHY_SPELLING},
                   {NAME_REVERSED | NAME_ORDER, WHY_ORDER}};
    for (size_t n = 0; n < sizeof reasons / sizeof *reasons; n++)
        if (flags & reasons[n].flag)
            return reasons[n].why;
    return WHY_FORMAT;
}

static unsigned flags_between(const grouping *g, uint32_t a, uint32_t b)
{
    const name_form x = node_form(g->names, a), y = node_form(g->names, b);
    return stamma_forms_compare(&x, &y);
}

/* ---- ids and lists ---- */

static int compare_orders(const void *a, const void *b)
{
    const node_order *x = (const node_order *)a, *y = (const node_order *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Calls `visit` for each run of nodes with the same text, or the same id. */
static void each_run(grouping *g, bool by_id, void (*visit)(grouping *g, const node_order *run, size_t count))
{
    size_t used = 0, first = 0;
    node_order *all = g->order;
    for (uint32_t n = 1; n < node_count(g->names); n++) {
        const player_node *node = &nodes_of(g->names)[n];
        uint32_t key = by_id ? node->id : node->text;
        if (key != 0 && node->normal != 0)
            all[used++] = (node_order){key, n};
    }
    if (used > 1)
        qsort(all, used, sizeof *all, compare_orders);
    for (size_t n = 0; n < used; n++)
        if (n + 1 == used || all[n].key != all[n + 1].key) {
            visit(g, all + first, n + 1 - first);
            first = n + 1;
        }
}

/* Joins games with and without an id, if the name has one id. */
static void join_text(grouping *g, const node_order *run, size_t count)
{
    if (count == 2 && (nodes_of(g->names)[run[0].node].id == 0 || nodes_of(g->names)[run[1].node].id == 0))
        join(g, run[0].node, run[1].node);
}

/* Joins the names of an id that match the most frequent name of the id. */
static void join_id(grouping *g, const node_order *run, size_t count)
{
    const player_node *all = nodes_of(g->names);
    uint32_t most = run[0].node;
    for (size_t n = 1; n < count; n++)
        if (all[run[n].node].known != 0 || (all[most].known == 0 && all[run[n].node].games > all[most].games))
            most = run[n].node;
    for (size_t n = 0; n < count; n++)
        if (run[n].node != most) {
            if (flags_between(g, run[n].node, most) < NAME_OTHER)
                join(g, most, run[n].node);
            else
                add_choice(g, run[n].node, most, WHY_ID, DOUBT_NAMES);
        }
}

static void join_known(grouping *g)
{
    for (uint32_t n = 1; n < node_count(g->names); n++) {
        uint32_t correct = nodes_of(g->names)[n].known;
        if (correct != 0 && correct != n && can_join(g, n, correct))
            join(g, correct, n);
    }
}

/* ---- names that differ only in format and order ---- */

/* Marks groups without an id that match groups with different ids. */
static void mark_several(grouping *g, unsigned most_flags)
{
    for (uint32_t n = 1; n < node_count(g->names); n++)
        g->group[n].target = 0; /* in this function, an id that matches */
    for (size_t n = 0; n < g->link_count; n++) {
        const link *l = &g->links[n];
        uint32_t root = root_of(g, l->from), id = g->group[root_of(g, l->to)].id;
        if (l->flags > most_flags || g->group[root].id != 0 || id == 0)
            continue;
        g->group[root].several |= g->group[root].target != 0 && g->group[root].target != id;
        g->group[root].target = id;
    }
}

static void join_formats(grouping *g, unsigned flags)
{
    mark_several(g, flags);
    for (size_t n = 0; n < g->link_count; n++) {
        const link *l = &g->links[n];
        if (l->flags != flags || l->from > l->to || !can_join(g, l->from, l->to) ||
            g->group[root_of(g, l->from)].several || g->group[root_of(g, l->to)].several)
            continue;
        name_evidence e = stamma_evidence_read(g->names, l->from, l->to);
        if (!e.conflict && !e.ratings_differ && !e.years_differ)
            join(g, l->from, l->to);
    }
}

/* ---- other names ---- */

/* Returns a measure of how much of a name is written out: the letters of given names; initials have little weight. */
static size_t completeness(const grouping *g, uint32_t node)
{
    const name_form form = node_form(g->names, node);
    size_t letters = 0;
    for (size_t n = 0; n < form.count; n++)
        letters += form.word[n].size;
    return letters;
}

/* Returns whether a link leads to a more complete or more frequent name. */
static bool leads_up(const grouping *g, const link *l)
{
    const player_node *from = &nodes_of(g->names)[l->from], *to = &nodes_of(g->names)[l->to];
    if (l->flags & (NAME_INITIALS | NAME_MISSING)) {
        size_t x = completeness(g, l->from), y = completeness(g, l->to);
        if (x != y)
            return x < y;
    }
    if ((from->known != 0) != (to->known != 0))
        return to->known != 0;
    return from->games != to->games ? from->games < to->games : l->from < l->to;
}

static void add_candidate(grouping *g, candidate *all, size_t *count, const link *l)
{
    enum { UNUSED = 0 };
    uint32_t root = root_of(g, l->to);
    size_t n = 0;
    while (n < *count && all[n].root != root)
        n++;
    name_evidence e = stamma_evidence_read(g->names, l->from, l->to);
    if (n == *count)
        all[(*count)++] = (candidate){root, l->from, l->to, l->flags, e};
    candidate *c = &all[n];
    if (l->flags < c->flags ||
        (l->flags == c->flags && nodes_of(g->names)[l->to].games > nodes_of(g->names)[c->to].games))
        *c = (candidate){root, l->from, l->to, l->flags, c->evidence};
    c->evidence.same_games |= e.same_games;
    c->evidence.conflict |= e.conflict;
    c->evidence.ratings_near |= e.ratings_near;
    c->evidence.ratings_differ |= e.ratings_differ;
    c->evidence.years_differ |= e.years_differ;
}

/* Returns the reason why a group may not belong to another group. Only these two groups are considered. */
static unsigned doubt_of(const grouping *g, const candidate *c)
{
    const name_evidence *e = &c->evidence;
    if (!can_join(g, c->from, c->to))
        return DOUBT_IDS;
    if (e->conflict)
        return DOUBT_OPPONENTS;
    if (e->ratings_differ)
        return DOUBT_RATINGS;
    if (e->years_differ)
        return DOUBT_YEARS;
    unsigned flags = c->flags & ~(unsigned)NAME_ORDER;
    bool one = flags == NAME_SPELLING || flags == NAME_INITIALS;
    bool shown = e->same_games || (e->ratings_near && one);
    return shown ? DOUBT_NONE : DOUBT_EVIDENCE;
}

/* Returns whether the names of two groups match each other. For large groups, only some names are compared. */
static bool groups_fit(const grouping *g, uint32_t a, uint32_t b)
{
    enum { COMPARED = 16 };
    uint32_t x = a, y = b;
    for (unsigned n = 0; n < COMPARED; n++) {
        for (unsigned k = 0; k < COMPARED; k++) {
            if (flags_between(g, x, y) >= NAME_OTHER)
                return false;
            if ((y = g->group[y].next) == b)
                break;
        }
        if ((x = g->group[x].next) == a)
            break;
    }
    return true;
}

/* Selects a candidate: the only candidate in the same games, otherwise the only possible candidate. */
static const candidate *select_candidate(const grouping *g, const candidate *all, size_t count, unsigned *doubt)
{
    const candidate *best = NULL, *same = NULL, *first = &all[0];
    size_t possible = 0, same_count = 0;
    for (size_t n = 0; n < count; n++) {
        unsigned d = doubt_of(g, &all[n]);
        if (d == DOUBT_NONE && all[n].evidence.same_games) {
            same = &all[n];
            same_count++;
        }
        if (d <= DOUBT_EVIDENCE) {
            if (possible++ == 0 || nodes_of(g->names)[all[n].to].games > nodes_of(g->names)[best->to].games)
                best = &all[n];
        }
    }
    if (same_count == 1) {
        *doubt = DOUBT_NONE;
        return same;
    }
    *doubt = possible > 1 ? DOUBT_SEVERAL : possible == 1 ? doubt_of(g, best) : doubt_of(g, first);
    return best ? best : first;
}

enum { CANDIDATES = 64 };

/* Decides about the group of a node: joins it to another group, or adds a decision with a doubt if `last`. */
static void decide(grouping *g, uint32_t root, unsigned most_flags, bool last)
{
    candidate all[CANDIDATES];
    size_t count = 0;
    uint32_t node = root;
    do {
        for (size_t n = g->group[node].edge; n < g->link_count && g->links[n].from == node && count < CANDIDATES; n++) {
            const link *l = &g->links[n];
            if (l->flags <= most_flags && root_of(g, l->to) != root && leads_up(g, l))
                add_candidate(g, all, &count, l);
        }
        node = g->group[node].next;
    } while (node != root);
    if (count == 0)
        return;
    unsigned doubt;
    const candidate *c = select_candidate(g, all, count, &doubt);
    if (doubt == DOUBT_NONE && (count == CANDIDATES || !groups_fit(g, c->from, c->to)))
        doubt = DOUBT_SEVERAL;
    if (doubt == DOUBT_NONE)
        join(g, c->to, root);
    else if (last && nodes_of(g->names)[c->to].text != nodes_of(g->names)[c->from].text)
        add_choice(g, c->from, c->to, why_of(c->flags), doubt);
}

static int compare_complete(const void *a, const void *b)
{
    const node_order *x = (const node_order *)a, *y = (const node_order *)b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Decides about all groups, in the order of the completeness of their names, most complete first. */
static void decide_all(grouping *g, unsigned most_flags, bool last)
{
    size_t count = 0;
    node_order *all = g->order;
    for (uint32_t n = 1; n < node_count(g->names); n++)
        if (root_of(g, n) == n && nodes_of(g->names)[n].normal != 0) {
            size_t most = 0;
            uint32_t node = n;
            do {
                size_t letters = completeness(g, node);
                most = letters > most ? letters : most;
            } while ((node = g->group[node].next) != n);
            all[count++] = (node_order){(uint32_t)most, n};
        }
    if (count > 1)
        qsort(all, count, sizeof *all, compare_complete);
    for (size_t n = 0; n < count; n++)
        decide(g, all[n].node, most_flags, last); /* does not join later groups */
}

/* ---- the spelling to use ---- */

/* Returns whether no other group has games with the text of a node. `run` contains all nodes with this text. */
static bool is_free(grouping *g, uint32_t node, const node_order *run, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (root_of(g, run[n].node) != root_of(g, node) && nodes_of(g->names)[run[n].node].games > 0)
            return false;
    return true;
}

static bool is_upper(stamma_text text)
{
    size_t upper = 0, lower = 0;
    for (size_t n = 0; n < text.size; n++) {
        upper += text.data[n] >= 'A' && text.data[n] <= 'Z';
        lower += text.data[n] >= 'a' && text.data[n] <= 'z';
    }
    return upper > 3 && lower == 0;
}

/* Ranks spellings by these properties, in this order: in a list, not in capitals, with a comma, number of words written
 * out. */
static unsigned rank_of(const grouping *g, uint32_t node)
{
    const player_node *p = &nodes_of(g->names)[node];
    const name_form form = node_form(g->names, node);
    unsigned complete = 0;
    for (size_t n = 0; n < form.count; n++)
        complete += form.word[n].size > 2;
    return (p->known == node ? 128u : 0) + (is_upper(name_text(g->names, p->text)) ? 0 : 64) +
           (form.surname > 0 ? 32u : 0) + complete;
}

/* Makes the text of a run the target of its group if it is better than the target so far. */
static void set_target(grouping *g, const node_order *run, size_t count)
{
    const player_node *all = nodes_of(g->names);
    for (size_t n = 0; n < count; n++) {
        uint32_t node = run[n].node, *target = &g->group[root_of(g, node)].target;
        unsigned old = *target == 0 ? 0 : rank_of(g, *target), new = rank_of(g, node);
        if (!is_free(g, node, run, count))
            continue;
        if (*target == 0 || new > old || (new == old &&all[node].games > all[*target].games))
            *target = node;
    }
}

static void add_choices(grouping *g, const node_order *run, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        uint32_t node = run[n].node, target = g->group[root_of(g, node)].target;
        if (target == 0)
            continue;
        unsigned flags = flags_between(g, node, target);
        unsigned why = nodes_of(g->names)[target].known != 0 ? WHY_LIST : flags >= NAME_OTHER ? WHY_ID : why_of(flags);
        add_choice(g, node, target, why, DOUBT_NONE);
    }
}

/* Replaces the spellings of uncertain decisions by the spellings that the groups use. */
static void finish_doubts(grouping *g)
{
    name_choice *all = (name_choice *)(void *)g->names->choices.data;
    size_t count = g->names->choices.size / sizeof *all;
    g->names->choices.size = 0;
    for (size_t n = 0; n < count; n++) {
        name_choice choice = all[n];
        uint32_t from = g->group[root_of(g, choice.node)].target, to = g->group[root_of(g, choice.to_node)].target;
        if (root_of(g, choice.node) != root_of(g, choice.to_node))
            add_choice(g, from == 0 ? choice.node : from, to == 0 ? choice.to_node : to, choice.why, choice.doubt);
    }
}

/* ---- all steps ---- */

static int compare_links(const void *a, const void *b)
{
    const link *x = (const link *)a, *y = (const link *)b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Creates the links, in both directions, and a group for each node. */
static stamma_error open_groups(grouping *g, buffer *groups, buffer *links)
{
    const name_edge *edges = (const name_edge *)(const void *)g->names->edges.data;
    size_t count = g->names->edges.size / sizeof *edges, nodes = node_count(g->names);
    link *all = (link *)buffer_array(links, 2 * count, sizeof *all);
    g->group = (group_node *)buffer_array(groups, nodes, sizeof *g->group);
    g->order = (node_order *)buffer_array(&g->names->work, nodes, sizeof *g->order);
    if (!all || !g->group || !g->order)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count; n++) {
        all[2 * n] = (link){edges[n].a, edges[n].b, edges[n].flags};
        all[2 * n + 1] = (link){edges[n].b, edges[n].a, edges[n].flags};
    }
    if (count > 0)
        qsort(all, 2 * count, sizeof *all, compare_links);
    for (uint32_t n = 0; n < nodes; n++)
        g->group[n] = (group_node){.parent = n, .next = n, .id = n == 0 ? 0 : nodes_of(g->names)[n].id};
    for (size_t n = 2 * count; n-- > 0;)
        g->group[all[n].from].edge = (uint32_t)n;
    g->links = all;
    g->link_count = 2 * count;
    return STAMMA_OK;
}

static void decide_groups(grouping *g)
{
    each_run(g, false, join_text);
    each_run(g, true, join_id);
    join_known(g);
    join_formats(g, 0);
    join_formats(g, NAME_ORDER);
    decide_all(g, NAME_INITIALS - 1, false);
    decide_all(g, NAME_OTHER - 1, false);
    decide_all(g, NAME_OTHER - 1, true);
    for (uint32_t n = 0; n < node_count(g->names); n++)
        g->group[n].target = 0;
    each_run(g, false, set_target);
    finish_doubts(g);
    each_run(g, false, add_choices);
}

stamma_error stamma_players_decide(stamma_names *n)
{
    buffer groups = {.allocator = &n->allocator}, links = {.allocator = &n->allocator};
    grouping g = {.names = n};
    stamma_error error = open_groups(&g, &groups, &links);
    if (!error)
        decide_groups(&g);
    stamma_buffer_release(&groups);
    stamma_buffer_release(&links);
    return error ? error : n->choices.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
