/* SPDX-License-Identifier: MIT */
/* Finds pairs of spellings that may be the same player. Names with the same key are candidates. In a large group, each
 * name is only compared with its neighbours, so the time grows as n log n. */
#include "names/names.h"

#include <stdlib.h>

enum { COMPARED = 48 };

typedef struct node_key {
    uint64_t key, order;
    uint32_t node;
} node_key;

static int compare_keys(const void *a, const void *b)
{
    const node_key *x = (const node_key *)a, *y = (const node_key *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static int compare_edges(const void *a, const void *b)
{
    const name_edge *x = (const name_edge *)a, *y = (const name_edge *)b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static void add_keys(stamma_names *n, uint32_t node)
{
    form_key keys[FORM_KEYS];
    const name_form form = node_form(n, node);
    size_t count = stamma_form_keys(&form, keys);
    for (size_t i = 0; i < count; i++)
        buffer_add(&n->work, &(node_key){keys[i].key, keys[i].order, node}, sizeof(node_key));
}

unsigned stamma_nodes_differ(const stamma_names *n, uint32_t a, uint32_t b)
{
    name_form one = node_form(n, a), other = node_form(n, b);
    if ((nodes_of(n)[a].known != 0) != (nodes_of(n)[b].known != 0)) {
        one = stamma_form_without_digits(&one);
        other = stamma_form_without_digits(&other);
    }
    return stamma_forms_compare(&one, &other);
}

static void compare(stamma_names *n, uint32_t a, uint32_t b)
{
    const player_node *x = &nodes_of(n)[a], *y = &nodes_of(n)[b];
    unsigned flags = 0;
    if ((x->games == 0 && y->games == 0) || (x->id != 0 && y->id != 0 && x->id != y->id && !n->merge_ids))
        return;
    if (x->normal != y->normal) {
        flags = stamma_nodes_differ(n, a, b);
    }
    if (flags < NAME_OTHER)
        buffer_add(&n->edges, &(name_edge){a < b ? a : b, a < b ? b : a, flags}, sizeof(name_edge));
}

/* Removes edges that occur several times. */
static void remove_copies(stamma_names *n)
{
    name_edge *all = (name_edge *)(void *)n->edges.data;
    size_t count = n->edges.size / sizeof *all, kept = 0;
    if (count > 1)
        qsort(all, count, sizeof *all, compare_edges);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_edges(&all[i - 1], &all[i]) != 0)
            all[kept++] = all[i];
    n->edges.size = kept * sizeof *all;
}

stamma_error stamma_edges_find(stamma_names *n)
{
    n->work.size = n->edges.size = 0;
    for (size_t i = 1; i < node_count(n); i++)
        if (nodes_of(n)[i].normal != 0)
            add_keys(n, (uint32_t)i);
    node_key *keys = (node_key *)(void *)n->work.data;
    size_t count = n->work.size / sizeof *keys;
    if (n->work.failed)
        return STAMMA_ERROR_NO_MEMORY;
    if (count > 1)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && k - i <= COMPARED && keys[k].key == keys[i].key; k++)
            compare(n, keys[i].node, keys[k].node); /* two nodes, because the keys of a node differ */
    if (n->edges.failed)
        return STAMMA_ERROR_NO_MEMORY;
    remove_copies(n);
    return STAMMA_OK;
}
