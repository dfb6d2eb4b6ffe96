/* SPDX-License-Identifier: MIT */
/* Groups of spellings that are one player. */
#ifndef STAMMA_NAME_GROUPS_H
#define STAMMA_NAME_GROUPS_H

#include "names/names.h"

/* A node in a group. Arrays of group_node are indexed by node. */
typedef struct group_node {
    uint32_t parent;          /* the root of a group is its own parent */
    uint32_t next;            /* ring of all nodes of the group */
    uint32_t player;          /* of a root: what no two players have in common, see LISTED; 0: unknown */
    uint32_t person;          /* of a root: the player in the lists; 0: not in a list */
    uint32_t edge;            /* index of the first link of the node */
    uint32_t target;          /* of a root: the node with the spelling to use */
    uint32_t evidence, error; /* of a node: why it was joined to its group */
    bool several;             /* several players match */
    bool played;              /* of a root: the group has games */
} group_node;

/* A player is a FIDE id, or LISTED and the node of a listed name without an id. */
#define LISTED UINT32_C(0x80000000)

/* An edge, seen from one of its nodes. */
typedef struct link {
    uint32_t from, to, flags;
} link;

typedef struct node_order {
    uint32_t key, node;
} node_order;

typedef struct grouping {
    stamma_names *names;
    group_node *group;
    const link *links;
    size_t link_count;
    node_order *order; /* room for all nodes */
    bool listed;       /* there are lists of players */
} grouping;

/* The largest chance of error, in millionths, of a decision that is applied, and of a decision that a person should
 * read. If the chance is larger, there is no decision. */
enum { ERROR_APPLIED = 10000, ERROR_READ = 800000 };

/* ---- name_joins.c ---- */

uint32_t stamma_name_groups_root(const grouping *g, uint32_t node);
/* Returns whether two groups are not known to be different players. */
bool stamma_name_groups_can_join(const grouping *g, uint32_t a, uint32_t b);
/* Joins the group of `b` to the group of `a`. */
void stamma_name_groups_join(grouping *g, uint32_t a, uint32_t b);
/* Adds a decision about the games of a node. */
void stamma_name_groups_choose(grouping *g, uint32_t node, uint32_t to, unsigned why, unsigned doubt);
/* Returns the reason for these differences: WHY_... */
unsigned stamma_flags_why(unsigned flags);
/* Returns whether a name has no given name that is written out. */
bool stamma_node_is_short(const grouping *g, uint32_t node);

/* ---- name_decide.c ---- */

/* Decides about all groups, the most complete names first: joins each to another group, or adds a decision with a doubt
 * if `last`. Groups whose best link has flags above `most_flags` are not decided. */
void stamma_name_groups_decide(grouping *g, unsigned most_flags, bool last);

#endif
