/* SPDX-License-Identifier: MIT */
/* Builds the trie of the prefixes that strings share. The strings are sorted, so strings with the same prefix are
 * adjacent. A prefix is shared by PREFIX_SHARED strings if and only if it is shared by PREFIX_SHARED adjacent
 * strings. Strings are counted in groups: of one string each, or of all strings that are equal. */
#include "entropy/prefix_column.h"

#include <stdlib.h>

enum {
    FIRST = 8, /* number of codes that are compared in one step */
    BUCKET_BITS = 12,
    BUCKETS = 1 << BUCKET_BITS
};

typedef struct sorted_string {
    uint64_t first; /* its first codes as a big-endian number, padded with zeros; compares as the codes */
    const uint8_t *codes;
    uint32_t size;
    uint32_t record;
    uint32_t same;  /* length of the common prefix with the next string */
    uint32_t depth; /* of its node */
} sorted_string;

typedef struct sorted_strings {
    sorted_string *list;
    uint32_t *groups; /* the first string of each group, and the end of the list */
    size_t count, group_count;
    size_t longest; /* size of the longest string */
} sorted_strings;

static uint64_t first_codes(const uint8_t *codes, size_t size)
{
    uint64_t first = 0;
    for (size_t n = 0; n < FIRST; n++)
        first = first << 8 | (n < size ? codes[n] : 0);
    return first;
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int compare(const void *first, const void *second)
{
    const sorted_string *a = (const sorted_string *)first, *b = (const sorted_string *)second;
    size_t both = lesser(a->size, b->size);
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    int order = both > FIRST ? memcmp(a->codes + FIRST, b->codes + FIRST, both - FIRST) : 0;
    if (order != 0)
        return order;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return (a->record > b->record) - (a->record < b->record);
}

/* Returns the length of the common prefix of two strings. */
static uint32_t common(const sorted_string *a, const sorted_string *b)
{
    size_t both = lesser(a->size, b->size), n = 0;
    while (n < both && a->codes[n] == b->codes[n])
        n++;
    return (uint32_t)n;
}

static size_t bucket_of(uint64_t first)
{
    return (size_t)(first >> (64 - BUCKET_BITS));
}

/* Counts the strings that may share a prefix by their first bits. ends[n] becomes the first place of bucket n. */
static void count_buckets(sorted_strings *s, const prefix_strings *strings, uint32_t ends[BUCKETS + 1])
{
    const uint8_t *at = strings->codes;
    uint32_t sum = 0;
    memset(ends, 0, (BUCKETS + 1) * sizeof *ends);
    for (size_t n = 0; n < strings->count; at += strings->sizes[n++])
        ends[bucket_of(first_codes(at, strings->sizes[n]))] += !strings->apart[n];
    for (size_t n = 0; n <= BUCKETS; n++) {
        const uint32_t here = ends[n];
        ends[n] = sum;
        sum += here;
    }
    s->count = sum;
}

/* Lists the strings that may share a prefix, sorted. The buckets are sorted one by one, because qsort needs memory for
 * a copy. Returns false if memory is exhausted. */
static bool sort_strings(sorted_strings *s, const prefix_strings *strings, const stamma_allocator *allocator)
{
    const uint8_t *at = strings->codes;
    uint32_t ends[BUCKETS + 1], begin = 0;
    count_buckets(s, strings, ends);
    s->list = (sorted_string *)memory_allocate(allocator, size_add(size_multiply(s->count, sizeof *s->list), 1));
    for (size_t n = 0; s->list && n < strings->count; at += strings->sizes[n++]) {
        const uint32_t size = strings->sizes[n];
        const uint64_t first = first_codes(at, size);
        if (strings->apart[n])
            continue;
        s->list[ends[bucket_of(first)]++] = (sorted_string){first, at, size, (uint32_t)n, 0, 0};
        s->longest = size > s->longest ? size : s->longest;
    }
    for (size_t n = 0; s->list && n < BUCKETS; begin = ends[n++])
        qsort(s->list + begin, ends[n] - begin, sizeof *s->list, compare);
    for (size_t n = 0; s->list && n + 1 < s->count; n++)
        s->list[n].same = common(&s->list[n], &s->list[n + 1]);
    return s->list != NULL;
}

/* ---- depths ---- */

/* Returns whether a string equals the next string. */
static bool is_copied(const sorted_string *s)
{
    return s->same == s->size && s[1].size == s->size;
}

static bool find_groups(sorted_strings *s, bool merges, const stamma_allocator *allocator)
{
    s->groups = (uint32_t *)memory_allocate(allocator, size_multiply(s->count + 1, sizeof *s->groups));
    for (size_t n = 0; s->groups && n < s->count; n++)
        if (n == 0 || !merges || !is_copied(&s->list[n - 1]))
            s->groups[s->group_count++] = (uint32_t)n;
    if (s->groups)
        s->groups[s->group_count] = (uint32_t)s->count;
    return s->groups != NULL;
}

/* Returns the length of the common prefix of `groups` groups, at least two, from group n on; 0 if there are fewer. */
static size_t same_codes(const sorted_strings *s, size_t n, size_t groups)
{
    size_t least = SIZE_MAX;
    if (n + groups > s->group_count)
        return 0;
    for (size_t end = n + groups; n + 1 < end; n++)
        least = lesser(least, s->list[s->groups[n + 1] - 1].same);
    return least;
}

/* Returns the length of the longest prefix of group n that at least PREFIX_SHARED groups have, or, if there are groups
 * of several strings, PREFIX_COPIES strings. Fewer groups that have this number of strings are at most two. */
static size_t shared_codes(const sorted_strings *s, size_t n)
{
    const uint32_t *groups = s->groups;
    size_t most = groups[n + 1] - groups[n] >= PREFIX_COPIES ? s->list[groups[n]].size : 0;
    for (size_t first = n < PREFIX_SHARED - 1 ? 0 : n - (PREFIX_SHARED - 1); first <= n; first++) {
        const size_t same = same_codes(s, first, PREFIX_SHARED);
        most = same > most ? same : most;
    }
    for (size_t first = n > 0 ? n - 1 : 0; first <= n && first + 2 <= s->group_count; first++) {
        const size_t same = groups[first + 2] - groups[first] >= PREFIX_COPIES ? same_codes(s, first, 2) : 0;
        most = same > most ? same : most;
    }
    return most;
}

/* Finds the depth of the node of each string. A string that shares a prefix with another passes the nodes that the
 * other one needs at least. */
static void find_depths(const sorted_strings *s, const uint8_t *least)
{
    sorted_string *list = s->list;
    for (size_t group = 0; group < s->group_count; group++) {
        const size_t shared = shared_codes(s, group);
        for (size_t n = s->groups[group]; n < s->groups[group + 1]; n++) {
            const size_t needed = least ? lesser(least[list[n].record], list[n].size) : 0;
            list[n].depth = (uint32_t)(needed > shared ? needed : shared);
        }
    }
    for (size_t n = 1; least && n < s->count; n++) {
        const size_t passed = lesser(list[n - 1].same, list[n - 1].depth);
        list[n].depth = passed > list[n].depth ? (uint32_t)passed : list[n].depth;
    }
    for (size_t n = s->count; least && n-- > 1;) {
        const size_t passed = lesser(list[n - 1].same, list[n].depth);
        list[n - 1].depth = passed > list[n - 1].depth ? (uint32_t)passed : list[n - 1].depth;
    }
}

/* ---- nodes ---- */

static void add_node(prefix_trie *t, uint8_t code)
{
    const uint32_t none = 0;
    buffer_add(&t->children, &none, sizeof none);
    buffer_add_byte(&t->codes, code);
}

/* Adds the next string. `path` is the path to the node of the previous string; the first `known` nodes of both paths
 * are the same. */
static void add_string(prefix_trie *t, const sorted_string *s, size_t known, uint32_t *path)
{
    for (size_t n = known; n < s->depth && !t->children.failed && !t->codes.failed; n++) {
        ((uint32_t *)(void *)t->children.data)[path[n]]++;
        path[n + 1] = (uint32_t)(t->children.size / sizeof(uint32_t));
        add_node(t, s->codes[n]);
    }
    ((uint32_t *)(void *)t->nodes.data)[s->record] = path[s->depth];
    ((uint32_t *)(void *)t->depths.data)[s->record] = s->depth;
}

static bool add_strings(prefix_trie *t, const sorted_strings *s, const stamma_allocator *allocator)
{
    uint32_t *path = (uint32_t *)memory_allocate(allocator, size_multiply(s->longest + 1, sizeof *path));
    if (path)
        path[0] = 0;
    for (size_t n = 0; path && n < s->count; n++) {
        const sorted_string *here = &s->list[n];
        add_string(t, here, n > 0 ? lesser(here[-1].same, here->depth) : 0, path);
    }
    memory_release(allocator, path);
    return path && !t->children.failed && !t->codes.failed;
}

/* Replaces the contents by an array of zeros. */
static bool clear(buffer *b, size_t count)
{
    void *array = buffer_array(b, count, sizeof(uint32_t));
    if (array)
        memset(array, 0, b->size);
    return array != NULL;
}

/* Lists the strings in their order. */
static bool add_order(prefix_trie *t, const sorted_strings *s)
{
    uint32_t *order = (uint32_t *)buffer_array(&t->order, s->count, sizeof *order);
    for (size_t n = 0; order && n < s->count; n++)
        order[n] = s->list[n].record;
    return order != NULL;
}

static stamma_error build(prefix_trie *t, const prefix_strings *strings, bool merges, const uint8_t *least)
{
    const stamma_allocator *allocator = t->nodes.allocator;
    sorted_strings s = {.count = 0};
    t->codes.size = 0;
    bool built = clear(&t->children, 1) && clear(&t->nodes, strings->count) && clear(&t->depths, strings->count) &&
                 sort_strings(&s, strings, allocator) && find_groups(&s, merges, allocator);
    if (built) {
        find_depths(&s, least);
        built = add_strings(t, &s, allocator) && (!merges || add_order(t, &s));
    }
    memory_release(allocator, s.list);
    memory_release(allocator, s.groups);
    return built ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

stamma_error stamma_prefix_trie_build(prefix_trie *t, const prefix_strings *strings)
{
    return build(t, strings, false, NULL);
}

stamma_error stamma_prefix_trie_build_different(prefix_trie *t, const prefix_strings *strings, const uint8_t *least)
{
    return build(t, strings, true, least);
}

void stamma_prefix_trie_release(prefix_trie *t)
{
    stamma_buffer_release(&t->children);
    stamma_buffer_release(&t->codes);
    stamma_buffer_release(&t->nodes);
    stamma_buffer_release(&t->depths);
    stamma_buffer_release(&t->order);
}
