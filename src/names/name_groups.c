/* SPDX-License-Identifier: MIT */
/* Decides which spellings are the same player. Nodes are joined to groups, the most certain pairs first. A group has at
 * most one FIDE id unless ids may be merged. Uncertain pairs become decisions with a doubt. */
#include "names/name_groups.h"

#include <stdlib.h>

/* The chance of error, in millionths, of a FIDE id in the games. */
enum { ID_ERROR = 100 };

/* Joins nodes for a reason other than the names. */
static void join_because(grouping *g, uint32_t a, uint32_t b, uint32_t evidence, uint32_t error)
{
    g->group[b].evidence |= evidence;
    g->group[b].error = error;
    stamma_name_groups_join(g, a, b);
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

/* Joins games with and without an id, if the name has one id. If there are lists, a name with initials may also be
 * another listed player's. */
static void join_text(grouping *g, const node_order *run, size_t count)
{
    const uint32_t a = run[0].node, b = run[count - 1].node;
    if (count != 2 || (nodes_of(g->names)[a].id != 0 && nodes_of(g->names)[b].id != 0) ||
        !stamma_name_groups_can_join(g, a, b) || (g->listed && stamma_node_is_short(g, a)))
        return;
    const uint32_t id = nodes_of(g->names)[a].id != 0 ? a : b, other = id == a ? b : a;
    name_evidence e = stamma_evidence_read(g->names, id, other);
    if (!e.conflict && !e.ratings_differ && !e.years_differ)
        join_because(g, id, other, 1u << STAMMA_NAME_BY_NAME, ERROR_APPLIED / 4);
}

/* Returns whether a name with a FIDE id fits one of the names of the id. */
static bool fits_group(const grouping *g, uint32_t node, uint32_t group)
{
    enum { COMPARED = 64 };
    uint32_t member = group;
    const name_form form = node_form(g->names, node);
    for (unsigned n = 0; n < COMPARED; n++) {
        const name_form other = node_form(g->names, member);
        if (stamma_forms_compare(&form, &other) < NAME_OTHER || stamma_forms_alike(&form, &other))
            return true;
        if ((member = g->group[member].next) == group)
            break;
    }
    return false;
}

/* Joins the names of an id that fit the listed name of the id, or its most frequent name. */
static void join_id(grouping *g, const node_order *run, size_t count)
{
    const player_node *all = nodes_of(g->names);
    uint32_t most = run[0].node;
    for (size_t n = 1; n < count; n++)
        if (all[most].known == 0 && (all[run[n].node].known != 0 || all[run[n].node].games > all[most].games))
            most = run[n].node;
    const uint32_t list = all[most].known != 0 ? 1u << STAMMA_NAME_BY_LIST : 0;
    g->group[most].evidence |= 1u << STAMMA_NAME_BY_ID | list;
    for (size_t n = 0; n < count; n++)
        if (run[n].node != most) {
            if (fits_group(g, run[n].node, most))
                join_because(g, most, run[n].node, 1u << STAMMA_NAME_BY_ID | list, ID_ERROR);
            else
                stamma_name_groups_choose(g, run[n].node, most, WHY_ID, DOUBT_NAMES);
        }
}

/* Joins the spellings in lists to their players. Games whose name is only initials are decided later. */
static void join_known(grouping *g)
{
    for (uint32_t n = 1; n < node_count(g->names); n++) {
        const player_node *node = &nodes_of(g->names)[n];
        const uint32_t correct = node->known;
        if (correct == 0 || correct == n || !stamma_name_groups_can_join(g, n, correct))
            continue;
        const group_node *to = &g->group[stamma_name_groups_root(g, correct)];
        if (node->games > 0 && to->person != 0 &&
            (stamma_node_is_short(g, n) || stamma_age_differs(&node->facts, &persons_of(g->names)[to->person])))
            continue;
        join_because(g, correct, n, 1u << STAMMA_NAME_BY_LIST, ERROR_APPLIED / 10);
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
        uint32_t root = stamma_name_groups_root(g, l->from), id = g->group[stamma_name_groups_root(g, l->to)].player;
        if (l->flags > most_flags || g->group[root].player != 0 || id == 0)
            continue;
        g->group[root].several |= g->group[root].target != 0 && g->group[root].target != id;
        g->group[root].target = id;
    }
}

/* Returns whether names are decided by the weights of all players that they fit: a listed player is one of the two. */
static bool is_for_lists(const grouping *g, const link *l)
{
    const bool one = g->group[stamma_name_groups_root(g, l->from)].person != 0,
               other = g->group[stamma_name_groups_root(g, l->to)].person != 0;
    return one != other;
}

static void join_formats(grouping *g, unsigned flags)
{
    mark_several(g, flags);
    for (size_t n = 0; n < g->link_count; n++) {
        const link *l = &g->links[n];
        if (l->flags != flags || l->from > l->to || !stamma_name_groups_can_join(g, l->from, l->to) ||
            g->group[stamma_name_groups_root(g, l->from)].several ||
            g->group[stamma_name_groups_root(g, l->to)].several || is_for_lists(g, l))
            continue;
        name_evidence e = stamma_evidence_read(g->names, l->from, l->to);
        if (!e.conflict && !e.ratings_differ && !e.years_differ)
            join_because(g, l->from, l->to, 1u << STAMMA_NAME_BY_NAME, ERROR_APPLIED / 4);
    }
}

/* ---- the spelling to use ---- */

/* Returns whether no other player has games with the text of a node, or would get it. `run` contains all nodes with
 * this text. A listed name may also be the name of games whose player is unknown. */
static bool is_free(grouping *g, uint32_t node, const node_order *run, size_t count)
{
    const player_node *all = nodes_of(g->names);
    const uint32_t root = stamma_name_groups_root(g, node);
    for (size_t n = 0; n < count; n++) {
        const uint32_t other = stamma_name_groups_root(g, run[n].node);
        const bool unknown = g->group[other].player == 0 && all[node].known == node && g->group[root].player != 0;
        const bool gets = all[run[n].node].known == run[n].node && g->group[other].played;
        if (other != root && !unknown && (all[run[n].node].games > 0 || gets))
            return false;
    }
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
        uint32_t node = run[n].node, *target = &g->group[stamma_name_groups_root(g, node)].target;
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
        uint32_t node = run[n].node, target = g->group[stamma_name_groups_root(g, node)].target;
        if (target == 0)
            continue;
        unsigned flags = stamma_nodes_differ(g->names, node, target);
        unsigned why = nodes_of(g->names)[target].known == target ? WHY_LIST
                       : flags >= NAME_OTHER                      ? WHY_ID
                                                                  : stamma_flags_why(flags);
        stamma_name_groups_choose(g, node, target, why, DOUBT_NONE);
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
        uint32_t from = g->group[stamma_name_groups_root(g, choice.node)].target,
                 to = g->group[stamma_name_groups_root(g, choice.to_node)].target;
        const uint32_t node = from == 0 ? choice.node : from;
        if (stamma_name_groups_root(g, choice.node) == stamma_name_groups_root(g, choice.to_node))
            continue;
        g->group[node].evidence = choice.evidence;
        g->group[node].error = choice.error;
        stamma_name_groups_choose(g, node, to == 0 ? choice.to_node : to, choice.why, choice.doubt);
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

/* Sets the player of each node: its id, or the listed player. A listed name without an id that is only initials is not
 * decisive for games with this name. */
static void open_players(grouping *g)
{
    for (uint32_t n = 1; n < node_count(g->names); n++) {
        const player_node *node = &nodes_of(g->names)[n];
        group_node *group = &g->group[n];
        const bool unclear = node->id == 0 && node->games > 0 && stamma_node_is_short(g, n);
        g->listed |= node->person != 0;
        group->played = node->games > 0;
        group->person = unclear ? 0 : node->person;
        group->player = node->id != 0 ? node->id : group->person != 0 ? LISTED | n : 0;
    }
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
        g->group[n] = (group_node){.parent = n, .next = n};
    open_players(g);
    for (size_t n = 2 * count; n-- > 0;)
        g->group[all[n].from].edge = (uint32_t)n;
    g->links = all;
    g->link_count = 2 * count;
    return STAMMA_OK;
}

/* Stores the groups of the nodes. The id is that of games or of a list. */
static void keep_groups(const grouping *g)
{
    player_node *all = nodes_of(g->names);
    for (uint32_t n = 1; n < node_count(g->names); n++) {
        const uint32_t root = stamma_name_groups_root(g, n);
        const group_node *group = &g->group[root];
        all[n].group = root;
        all[n].target = group->target;
        all[n].player_id = group->player & LISTED ? 0 : group->player;
        all[n].listed = group->person;
    }
}

static void decide_groups(grouping *g)
{
    join_known(g);
    each_run(g, true, join_id);
    each_run(g, false, join_text);
    join_formats(g, 0);
    join_formats(g, NAME_ORDER);
    stamma_name_groups_decide(g, NAME_INITIALS - 1, false);
    stamma_name_groups_decide(g, NAME_OTHER - 1, false);
    stamma_name_groups_decide(g, NAME_OTHER - 1, true);
    for (uint32_t n = 0; n < node_count(g->names); n++)
        g->group[n].target = 0;
    each_run(g, false, set_target);
    finish_doubts(g);
    each_run(g, false, add_choices);
    keep_groups(g);
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
