/* SPDX-License-Identifier: MIT */
/* The division of games into events: by name, by start or date, and by site. */
#include "events/events.h"

#include <stdlib.h>

/* Games of one name that are close in time. */
typedef struct cluster {
    uint32_t first, last; /* numbers of days */
} cluster;

typedef struct grouping {
    stamma_events *e;
    event_record *records;
    size_t count;
    uint32_t events; /* number of events so far */
    buffer clusters, sites, players, numbers;
} grouping;

void stamma_event_sort(void *array, size_t count, size_t element, int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(array, count, element, compare);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Returns the number of a day, counted from a fixed day. An unknown month or day counts as 1. 0: unknown. */
static uint32_t day_number(uint32_t date)
{
    const uint32_t month = date / 100 % 100 ? date / 100 % 100 : 1, day = date % 100 ? date % 100 : 1;
    if (date < 10000)
        return 0;
    const uint32_t year = date / 10000 - (month <= 2), shifted = (month + 9) % 12;
    return year * 365 + year / 4 - year / 100 + year / 400 + (shifted * 153 + 2) / 5 + day;
}

/* ---- time ---- */

/* Games with a start come first, by start. */
static int compare_times(const void *left, const void *right)
{
    const event_record *a = (const event_record *)left, *b = (const event_record *)right;
    if (a->name != b->name)
        return compare_numbers(a->name, b->name);
    if (a->start != b->start)
        return a->start == 0 ? 1 : b->start == 0 ? -1 : compare_numbers(a->start, b->start);
    if (a->day != b->day)
        return compare_numbers(a->day, b->day);
    return compare_numbers(a->index, b->index);
}

static bool add_cluster(grouping *g, uint32_t day)
{
    const cluster added = {day, day};
    buffer_add(&g->clusters, &added, sizeof added);
    return !g->clusters.failed;
}

static bool is_near(const cluster *c, uint32_t day)
{
    return day + GAP_DAYS >= c->first && day <= c->last + GAP_DAYS;
}

/* Returns the index of the cluster of a game without a start: the last of the `known` clusters with a start that is
 * near, or otherwise the newest cluster if it is near. Returns the number of clusters if there is none. */
static size_t find_cluster(const grouping *g, size_t known, uint32_t date)
{
    const cluster *list = (const cluster *)(const void *)g->clusters.data;
    const size_t count = g->clusters.size / sizeof *list;
    const uint32_t day = day_number(date);
    size_t low = 0, high = known;
    if (date == 0)
        return known == 1 ? 0 : count > known && list[count - 1].first == day ? count - 1 : count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle].first <= day + GAP_DAYS)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && is_near(&list[low - 1], day))
        return low - 1;
    return count > known && is_near(&list[count - 1], day) ? count - 1 : count;
}

/* Stores the cluster of each game of a name in its `event`. Returns the number of clusters; 0 if memory is exhausted.
 */
static size_t find_clusters(grouping *g, event_record *records, size_t count)
{
    size_t known = 0;
    g->clusters.size = 0;
    for (size_t i = 0; i < count; i++) {
        event_record *r = &records[i];
        const size_t clusters = g->clusters.size / sizeof(cluster);
        size_t at = clusters;
        if (r->start > 0 && i > 0 && records[i - 1].start == r->start)
            at = clusters - 1;
        else if (r->start == 0)
            at = find_cluster(g, known, r->day);
        const uint32_t day = r->start == 0 || r->day > 0 ? day_number(r->day) : day_number(r->start);
        if (at == clusters && !add_cluster(g, r->start > 0 ? day_number(r->start) : day))
            return 0;
        cluster *c = (cluster *)(void *)g->clusters.data + at;
        if (r->day > 0 && day > c->last)
            c->last = day;
        known += r->start > 0 && at == clusters;
        r->event = (uint32_t)at;
    }
    return g->clusters.size / sizeof(cluster);
}

/* ---- sites ---- */

/* A player, or the country of teams, at a site. */
typedef struct visit {
    uint64_t key;
    uint32_t site; /* index in `sites` */
} visit;

static int compare_visits(const void *left, const void *right)
{
    const visit *a = (const visit *)left, *b = (const visit *)right;
    return a->key != b->key ? compare_numbers(a->key, b->key) : compare_numbers(a->site, b->site);
}

static int compare_sites(const void *left, const void *right)
{
    return compare_numbers(*(const uint32_t *)left, *(const uint32_t *)right);
}

static uint32_t root_of(uint32_t *parents, uint32_t site)
{
    while (parents[site] != site)
        site = parents[site] = parents[parents[site]];
    return site;
}

/* Stores the distinct sites of games, sorted. Returns their number; 0 if memory is exhausted. */
static size_t list_sites(grouping *g, const event_record *records, size_t count)
{
    uint32_t *list = (uint32_t *)buffer_array(&g->sites, count, sizeof *list);
    size_t kept = 0;
    if (!list)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[kept - 1] != records[i].site)
            list[kept++] = records[i].site;
    stamma_event_sort(list, kept, sizeof *list, compare_sites);
    count = kept;
    kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return kept;
}

enum { NAME_KEY = 1, TEAM_KEY = 2 };

/* Joins the sites that a player visits, and the sites of teams in one country. parents[0] is an unknown site, which
 * joins the first other site. */
static bool join_sites(grouping *g, const event_record *records, size_t count, uint32_t *parents, size_t sites)
{
    const uint32_t *list = (const uint32_t *)(const void *)g->sites.data;
    visit *visits = (visit *)buffer_array(&g->players, 3 * count, sizeof *visits);
    size_t added = 0;
    if (!visits)
        return false;
    for (size_t i = 0; i < count; i++) {
        const event_record *r = &records[i];
        const uint32_t *found = (const uint32_t *)bsearch(&r->site, list, sites, sizeof *list, compare_sites);
        const uint32_t site = (uint32_t)(found - list);
        for (int side = 0; side < 2; side++)
            if (!r->bye[side] && (r->ids[side] || r->names[side]))
                visits[added++] =
                    (visit){r->ids[side] ? r->ids[side] : r->names[side] | (uint64_t)NAME_KEY << 32, site};
        if (r->teams[0] && r->teams[1])
            visits[added++] = (visit){r->country | (uint64_t)TEAM_KEY << 32, site};
    }
    stamma_event_sort(visits, added, sizeof *visits, compare_visits);
    for (size_t i = 1; i < added; i++)
        if (visits[i].key == visits[i - 1].key)
            parents[root_of(parents, visits[i].site)] = root_of(parents, visits[i - 1].site);
    if (list[0] == 0)
        parents[root_of(parents, 0)] = root_of(parents, 1);
    return true;
}

/* Numbers the events of a cluster. */
static bool split_sites(grouping *g, event_record *records, size_t count)
{
    const size_t sites = list_sites(g, records, count);
    uint32_t *parents = sites ? (uint32_t *)buffer_array(&g->numbers, 2 * sites, sizeof *parents) : NULL;
    if (!parents)
        return false;
    for (size_t i = 0; i < sites; i++)
        parents[i] = (uint32_t)i;
    if (sites > 1 && records[0].name > 0 && !join_sites(g, records, count, parents, sites))
        return false;
    uint32_t *numbers = parents + sites;
    const uint32_t *list = (const uint32_t *)(const void *)g->sites.data, base = g->events;
    for (uint32_t i = 0; i < sites; i++) /* a game without a name is not in an event: the site does not matter */
        if (records[0].name == 0 ? i == 0 : root_of(parents, i) == i)
            numbers[i] = g->events++;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *found = (const uint32_t *)bsearch(&records[i].site, list, sites, sizeof *list, compare_sites);
        records[i].event = records[0].name == 0 ? base : numbers[root_of(parents, (uint32_t)(found - list))];
    }
    return true;
}

static int compare_clusters(const void *left, const void *right)
{
    const event_record *a = (const event_record *)left, *b = (const event_record *)right;
    return a->event != b->event ? compare_numbers(a->event, b->event) : compare_numbers(a->index, b->index);
}

static bool split_name(grouping *g, event_record *records, size_t count)
{
    if (find_clusters(g, records, count) == 0)
        return false;
    stamma_event_sort(records, count, sizeof *records, compare_clusters);
    for (size_t from = 0, i = 1; i <= count; i++)
        if (i == count || records[i].event != records[from].event) {
            if (!split_sites(g, records + from, i - from))
                return false;
            from = i;
        }
    return true;
}

/* ---- order of the events ---- */

typedef struct event_key {
    stamma_text name, site;
    uint32_t day, index, event;
} event_key;

static int compare_texts(stamma_text a, stamma_text b)
{
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order : compare_numbers(a.size, b.size);
}

static int compare_events(const void *left, const void *right)
{
    const event_key *a = (const event_key *)left, *b = (const event_key *)right;
    if (a->day != b->day)
        return compare_numbers(a->day, b->day);
    const int order = compare_texts(a->name, b->name), site = compare_texts(a->site, b->site);
    return order ? order : site ? site : compare_numbers(a->index, b->index);
}

static stamma_text text_at(const stamma_events *e, uint32_t number)
{
    return number ? text_table_at(&e->texts, number) : (stamma_text){NULL, 0};
}

/* Sorts the records by event, and the events by date, name and site. */
static bool order_events(grouping *g)
{
    event_key *keys = (event_key *)buffer_array(&g->clusters, g->events, sizeof *keys);
    uint32_t *places = (uint32_t *)buffer_array(&g->numbers, g->events, sizeof *places);
    size_t *firsts = (size_t *)buffer_array(&g->e->firsts, (size_t)g->events + 1, sizeof *firsts);
    if (!keys || !places || !firsts)
        return false;
    for (uint32_t i = 0; i < g->events; i++)
        keys[i] = (event_key){.day = UINT32_MAX, .index = UINT32_MAX, .event = i};
    for (size_t i = 0; i < g->count; i++) {
        const event_record *r = &g->records[i];
        event_key *k = &keys[r->event];
        if (r->day > 0 && r->day < k->day)
            k->day = r->day;
        if (r->index < k->index) {
            k->index = r->index;
            k->name = text_at(g->e, r->name);
            k->site = text_at(g->e, r->site);
        }
    }
    stamma_event_sort(keys, g->events, sizeof *keys, compare_events);
    for (uint32_t i = 0; i < g->events; i++)
        places[keys[i].event] = i;
    for (size_t i = 0; i < g->count; i++)
        g->records[i].event = places[g->records[i].event];
    stamma_event_sort(g->records, g->count, sizeof *g->records, compare_clusters);
    for (size_t i = 0; i < g->count; i++)
        if (i == 0 || g->records[i].event != g->records[i - 1].event)
            firsts[g->records[i].event] = i;
    firsts[g->events] = g->count;
    return true;
}

static bool find_events(grouping *g)
{
    stamma_event_sort(g->records, g->count, sizeof *g->records, compare_times);
    for (size_t from = 0, i = 1; i <= g->count; i++)
        if (i == g->count || g->records[i].name != g->records[from].name) {
            if (!split_name(g, g->records + from, i - from))
                return false;
            from = i;
        }
    return order_events(g);
}

stamma_error stamma_events_find(stamma_events *e)
{
    if (!e || e->found || e->failed)
        return STAMMA_ERROR_BAD_ARGUMENT;
    grouping g = {.e = e, .records = (event_record *)(void *)e->records.data};
    g.count = e->records.size / sizeof(event_record);
    g.clusters.allocator = g.sites.allocator = g.players.allocator = g.numbers.allocator = &e->allocator;
    e->found = g.count == 0 || find_events(&g);
    e->failed = !e->found;
    buffer *const all[] = {&g.clusters, &g.sites, &g.players, &g.numbers};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stamma_buffer_release(all[i]);
    return e->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

size_t stamma_events_count(const stamma_events *e)
{
    return e && e->found && e->firsts.size > 0 ? e->firsts.size / sizeof(size_t) - 1 : 0;
}
