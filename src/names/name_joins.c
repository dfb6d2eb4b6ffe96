/* SPDX-License-Identifier: MIT */
/* Joins spellings to groups, and adds decisions. */
#include "names/name_groups.h"

uint32_t stamma_name_groups_root(const grouping *g, uint32_t node)
{
    while (g->group[node].parent != node) {
        g->group[node].parent = g->group[g->group[node].parent].parent;
        node = g->group[node].parent;
    }
    return node;
}

bool stamma_name_groups_can_join(const grouping *g, uint32_t a, uint32_t b)
{
    uint32_t x = g->group[stamma_name_groups_root(g, a)].player, y = g->group[stamma_name_groups_root(g, b)].player;
    return x == 0 || y == 0 || x == y || g->names->merge_ids;
}

void stamma_name_groups_join(grouping *g, uint32_t a, uint32_t b)
{
    a = stamma_name_groups_root(g, a);
    b = stamma_name_groups_root(g, b);
    if (a == b)
        return;
    group_node *x = &g->group[a], *y = &g->group[b];
    const uint32_t next = x->next;
    x->next = y->next;
    y->next = next;
    y->parent = a;
    x->player = x->player != 0 ? x->player : y->player;
    x->person = x->person != 0 ? x->person : y->person;
    x->played |= y->played;
}

void stamma_name_groups_choose(grouping *g, uint32_t node, uint32_t to, unsigned why, unsigned doubt)
{
    const player_node *all = nodes_of(g->names);
    const group_node *root = &g->group[stamma_name_groups_root(g, doubt == DOUBT_NONE ? node : to)];
    const uint32_t player = g->names->merge_ids ? 0 : g->group[stamma_name_groups_root(g, node)].player;
    const name_choice choice = {.from = all[node].text,
                                .to = all[to].text,
                                .id = player & LISTED ? 0 : player,
                                .games = all[node].games,
                                .node = node,
                                .to_node = to,
                                .evidence = g->group[node].evidence,
                                .error = g->group[node].error,
                                .person = root->person,
                                .field = STAMMA_NAME_PLAYER,
                                .why = (uint8_t)why,
                                .doubt = (uint8_t)doubt};
    if (all[node].games > 0 && all[node].text != all[to].text)
        buffer_add(&g->names->choices, &choice, sizeof choice);
}

unsigned stamma_flags_why(unsigned flags)
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

bool stamma_node_is_short(const grouping *g, uint32_t node)
{
    enum { WRITTEN_OUT = 3 };
    const name_form form = node_form(g->names, node);
    size_t written = 0;
    for (size_t n = form.surname; n < form.count; n++)
        written += form.word[n].size >= WRITTEN_OUT;
    return written < (form.surname > 0 ? 1 : 2);
}
