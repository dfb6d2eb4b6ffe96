/* SPDX-License-Identifier: MIT */
/* Decides which player a name belongs to, by the weights of all players whom the name fits. */
#include "names/name_groups.h"

#include <stdlib.h>

enum { CANDIDATES = 256 };

/* Another group that a group may belong to. */
typedef struct candidate {
    uint32_t root;
    uint32_t from, to; /* nodes of the best link */
    unsigned flags;
    bool same_text;
    name_evidence evidence;
    uint32_t facts; /* the sum of 1 << STAMMA_NAME_BY_... */
    int weight;
} candidate;

/* A group about which a decision is made. */
typedef struct subject {
    uint32_t root;
    player_facts facts;
    uint16_t rating; /* the last; 0: unknown */
    candidate all[CANDIDATES];
    size_t count;
} subject;

/* ---- candidates ---- */

/* Returns a measure of how much of a name is written out: the letters of given names; initials have little weight. */
static size_t completeness(const grouping *g, uint32_t node)
{
    const name_form form = node_form(g->names, node);
    size_t letters = 0;
    for (size_t n = 0; n < form.count; n++)
        letters += form.word[n].size;
    return letters;
}

/* Returns whether a link leads to a known player, or to a more complete or more frequent name. */
static bool leads_up(const grouping *g, const link *l)
{
    const player_node *from = &nodes_of(g->names)[l->from], *to = &nodes_of(g->names)[l->to];
    const bool one = g->group[stamma_name_groups_root(g, l->from)].person != 0,
               other = g->group[stamma_name_groups_root(g, l->to)].person != 0;
    if (one != other)
        return other;
    if (l->flags & (NAME_INITIALS | NAME_MISSING)) {
        size_t x = completeness(g, l->from), y = completeness(g, l->to);
        if (x != y)
            return x < y;
    }
    if ((from->known != 0) != (to->known != 0))
        return to->known != 0;
    return from->games != to->games ? from->games < to->games : l->from < l->to;
}

/* Adds the evidence about another pair of names of the same two groups. */
static void add_evidence(name_evidence *e, const name_evidence *more)
{
    if (more->rated && (!e->rated || more->years < e->years)) {
        e->rating = more->rating;
        e->points = more->points;
        e->years = more->years;
    }
    e->same_games |= more->same_games;
    e->conflict |= more->conflict;
    e->rated |= more->rated;
    e->ratings_differ |= more->ratings_differ;
    e->years_differ |= more->years_differ;
}

static void add_candidate(const grouping *g, subject *s, const link *l)
{
    const player_node *from = &nodes_of(g->names)[l->from], *to = &nodes_of(g->names)[l->to];
    const uint32_t root = stamma_name_groups_root(g, l->to);
    const name_evidence e = stamma_evidence_read(g->names, l->from, l->to);
    size_t n = 0;
    while (n < s->count && s->all[n].root != root)
        n++;
    if (n == s->count)
        s->all[s->count++] = (candidate){.root = root, .from = l->from, .to = l->to, .flags = l->flags};
    candidate *c = &s->all[n];
    if (l->flags < c->flags || (l->flags == c->flags && to->games > nodes_of(g->names)[c->to].games)) {
        c->from = l->from;
        c->to = l->to;
        c->flags = l->flags;
    }
    c->same_text |= from->text == to->text && to->games > 0;
    add_evidence(&c->evidence, &e);
}

/* Adds the facts of a name to those of its group. */
static void add_facts(const grouping *g, subject *s, uint32_t node)
{
    const player_node *p = &nodes_of(g->names)[node];
    const year_rating *ratings = (const year_rating *)(const void *)g->names->ratings.data;
    if (p->rating_count > 0 && p->facts.last_year >= s->facts.last_year)
        s->rating = ratings[p->rating + p->rating_count - 1].rating;
    stamma_facts_add(&s->facts, &p->facts);
}

/* Lists the groups that the names of a group fit. */
static void list_candidates(const grouping *g, subject *s)
{
    uint32_t node = s->root;
    s->facts = (player_facts){0};
    s->rating = 0;
    s->count = 0;
    do {
        add_facts(g, s, node);
        for (size_t n = g->group[node].edge; n < g->link_count && g->links[n].from == node && s->count < CANDIDATES;
             n++) {
            const link *l = &g->links[n];
            if (stamma_name_groups_root(g, l->to) != s->root && leads_up(g, l) &&
                stamma_name_groups_can_join(g, l->from, l->to))
                add_candidate(g, s, l);
        }
        node = g->group[node].next;
    } while (node != s->root);
}

/* ---- weights ---- */

static void weigh(const grouping *g, subject *s, candidate *c)
{
    const uint32_t person = g->group[c->root].person;
    const name_case one = {.flags = c->flags,
                           .initials = stamma_node_is_short(g, c->from),
                           .same_text = c->same_text,
                           .evidence = &c->evidence,
                           .facts = &s->facts,
                           .last_rating = s->rating,
                           .person = person == 0 ? NULL : &persons_of(g->names)[person]};
    c->weight = stamma_case_weight(&one, &c->facts);
}

/* Returns whether names differ at most in format and order, and a given name is written out. */
static bool is_exact(const grouping *g, const candidate *c)
{
    return (c->flags & ~(unsigned)NAME_ORDER) == 0 && !stamma_node_is_short(g, c->from);
}

/* Returns the candidate with the largest weight, and stores the chance that the decision for this candidate is
 * wrong. */
static candidate *select_candidate(const grouping *g, subject *s, uint32_t *error)
{
    int others[CANDIDATES];
    size_t count = 0, best = 0;
    for (size_t n = 0; n < s->count; n++) {
        weigh(g, s, &s->all[n]);
        const candidate *c = &s->all[n], *b = &s->all[best];
        if (c->weight > b->weight ||
            (c->weight == b->weight && nodes_of(g->names)[c->to].games > nodes_of(g->names)[b->to].games))
            best = n;
    }
    for (size_t n = 0; n < s->count; n++)
        if (n != best && s->all[n].weight > WEIGHT_NEVER)
            others[count++] = s->all[n].weight;
    candidate *c = &s->all[best];
    if (count == 0 && c->weight > WEIGHT_NEVER)
        c->facts |= 1u << STAMMA_NAME_BY_NAME;
    const int stranger = stamma_stranger_weight(is_exact(g, c), g->group[c->root].person != 0, count + 1);
    *error = stamma_weights_error(c->weight, stranger, others, count);
    return c;
}

/* Returns what contradicts a candidate. */
static unsigned contradiction(const candidate *c)
{
    const name_evidence *e = &c->evidence;
    return e->conflict ? DOUBT_OPPONENTS : e->ratings_differ ? DOUBT_RATINGS : DOUBT_YEARS;
}

/* Returns whether the names of two groups match each other. The spellings of a listed player need not match: each name
 * must match one of them. For large groups, only some names are compared. */
static bool groups_fit(const grouping *g, uint32_t a, uint32_t b)
{
    enum { COMPARED = 16 };
    uint32_t x = a, y = b;
    const bool listed = g->group[stamma_name_groups_root(g, b)].person != 0;
    for (unsigned n = 0; n < COMPARED; n++) {
        bool any = false, all = true;
        for (unsigned k = 0; k < COMPARED; k++) {
            const bool fits = stamma_nodes_differ(g->names, x, y) < NAME_OTHER;
            any |= fits;
            all &= fits;
            if ((y = g->group[y].next) == b)
                break;
        }
        if (listed ? !any : !all)
            return false;
        if ((x = g->group[x].next) == a)
            break;
    }
    return true;
}

/* ---- decisions ---- */

static void set_error(grouping *g, uint32_t root, const candidate *c, uint32_t error)
{
    uint32_t node = root;
    do {
        g->group[node].evidence |= c->facts;
        g->group[node].error = error;
        node = g->group[node].next;
    } while (node != root);
}

/* Adds a decision that a person should read, if there are few such decisions. */
static void add_doubt(grouping *g, const subject *s, const candidate *c, uint32_t error)
{
    const bool possible = c->weight > WEIGHT_NEVER;
    size_t count = 0;
    for (size_t n = 0; n < s->count; n++)
        count += s->all[n].weight > WEIGHT_NEVER;
    const unsigned doubt = !possible                             ? contradiction(c)
                           : count > 1 || error <= ERROR_APPLIED ? DOUBT_SEVERAL
                                                                 : DOUBT_EVIDENCE;
    if ((possible && error > ERROR_READ) || (!possible && c->flags > NAME_ORDER) ||
        nodes_of(g->names)[c->to].text == nodes_of(g->names)[c->from].text)
        return;
    g->group[c->from].evidence = c->facts;
    g->group[c->from].error = possible ? error : 1000000;
    stamma_name_groups_choose(g, c->from, c->to, stamma_flags_why(c->flags), doubt);
}

static void decide(grouping *g, subject *s, unsigned most_flags, bool last)
{
    uint32_t error;
    list_candidates(g, s);
    if (s->count == 0)
        return;
    const candidate *c = select_candidate(g, s, &error);
    if (c->flags > most_flags)
        return;
    if (error <= ERROR_APPLIED && s->count < CANDIDATES && groups_fit(g, c->from, c->to)) {
        set_error(g, s->root, c, error);
        stamma_name_groups_join(g, c->to, s->root);
    } else if (last) {
        add_doubt(g, s, c, error);
    }
}

static int compare_complete(const void *a, const void *b)
{
    const node_order *x = (const node_order *)a, *y = (const node_order *)b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Stores the groups with games, the most complete names first. Returns their number. */
static size_t order_groups(grouping *g)
{
    size_t count = 0;
    for (uint32_t n = 1; n < node_count(g->names); n++) {
        size_t most = 0;
        uint32_t node = n;
        if (stamma_name_groups_root(g, n) != n || !g->group[n].played || nodes_of(g->names)[n].normal == 0)
            continue;
        do {
            const size_t letters = completeness(g, node);
            most = letters > most ? letters : most;
        } while ((node = g->group[node].next) != n);
        g->order[count++] = (node_order){(uint32_t)most, n};
    }
    if (count > 1)
        qsort(g->order, count, sizeof *g->order, compare_complete);
    return count;
}

void stamma_name_groups_decide(grouping *g, unsigned most_flags, bool last)
{
    subject s;
    const size_t count = order_groups(g);
    for (size_t n = 0; n < count; n++) {
        s.root = g->order[n].node;
        decide(g, &s, most_flags, last); /* does not join later groups */
    }
}
