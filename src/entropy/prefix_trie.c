/* SPDX-License-Identifier: MIT */
/* Builds the trie of the prefixes that strings share. The strings are sorted, so strings with the same prefix are
 * adjacent. A prefix is shared by PREFIX_SHARED strings if and only if it is shared by PREFIX_SHARED adjacent
 * strings. */
#include "entropy/prefix_column.h"

#include <stdlib.h>

enum { FIRST = 8 /* number of codes that are compared in one step */ };

typedef struct sorted_string {
    uint64_t first; /* its first codes as a big-endian number, padded with zeros; compares as the codes */
    const uint8_t *codes;
    uint32_t size;
    uint32_t record;
    uint32_t same; /* length of the common prefix with the next string */
} sorted_string;

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

/* Lists the strings that may share a prefix, sorted. *longest becomes the size of the longest string. */
static sorted_string *sort_strings(const prefix_strings *strings, const stamma_allocator *allocator, size_t *count,
                                   size_t *longest)
{
    size_t size = size_multiply(strings->count, sizeof(sorted_string));
    sorted_string *list = (sorted_string *)memory_allocate(allocator, size_add(size, 1));
    const uint8_t *at = strings->codes;
    *count = *longest = 0;
    for (size_t n = 0; list && n < strings->count; at += strings->sizes[n++]) {
        uint32_t length = strings->sizes[n];
        if (strings->apart[n] || length == 0)
            continue;
        list[(*count)++] = (sorted_string){first_codes(at, length), at, length, (uint32_t)n, 0};
        *longest = length > *longest ? length : *longest;
    }
    if (list)
        qsort(list, *count, sizeof *list, compare);
    for (size_t n = 0; list && n + 1 < *count; n++)
        list[n].same = common(&list[n], &list[n + 1]);
    return list;
}

/* Returns the length of the longest prefix of a string that at least PREFIX_SHARED strings have. */
static size_t shared_codes(const sorted_string *list, size_t count, size_t n)
{
    size_t most = 0, begin = n < PREFIX_SHARED ? 0 : n - (PREFIX_SHARED - 1);
    for (; begin <= n && begin + PREFIX_SHARED <= count; begin++) {
        size_t least = list[n].size;
        for (size_t other = begin; other + 1 < begin + PREFIX_SHARED; other++)
            least = lesser(least, list[other].same);
        most = least > most ? least : most;
    }
    return most;
}

static void add_node(prefix_trie *t, uint8_t code)
{
    const uint32_t none = 0;
    buffer_add(&t->children, &none, sizeof none);
    buffer_add_byte(&t->codes, code);
}

/* Adds the next string, whose node has depth `depth`. `path` is the path to the node of the previous string; the
 * first `known` nodes of both paths are the same. */
static void add_string(prefix_trie *t, const sorted_string *s, size_t known, size_t depth, uint32_t *path)
{
    for (size_t n = known; n < depth && !t->children.failed && !t->codes.failed; n++) {
        ((uint32_t *)(void *)t->children.data)[path[n]]++;
        path[n + 1] = (uint32_t)(t->children.size / sizeof(uint32_t));
        add_node(t, s->codes[n]);
    }
    ((uint32_t *)(void *)t->nodes.data)[s->record] = path[depth];
    ((uint32_t *)(void *)t->depths.data)[s->record] = (uint32_t)depth;
}

/* Replaces the contents by an array of zeros. */
static bool clear(buffer *b, size_t count)
{
    void *array = buffer_array(b, count, sizeof(uint32_t));
    if (array)
        memset(array, 0, b->size);
    return array != NULL;
}

stamma_error stamma_prefix_trie_build(prefix_trie *t, const prefix_strings *strings)
{
    const stamma_allocator *allocator = t->nodes.allocator;
    size_t count, longest;
    t->codes.size = 0;
    if (!clear(&t->children, 1) || !clear(&t->nodes, strings->count) || !clear(&t->depths, strings->count))
        return STAMMA_ERROR_NO_MEMORY;
    sorted_string *list = sort_strings(strings, allocator, &count, &longest);
    uint32_t *path = (uint32_t *)memory_allocate(allocator, size_multiply(longest + 1, sizeof *path));
    if (list && path) {
        path[0] = 0;
        for (size_t n = 0; n < count; n++) {
            size_t depth = shared_codes(list, count, n);
            add_string(t, &list[n], n > 0 ? lesser(list[n - 1].same, depth) : 0, depth, path);
        }
    }
    bool failed = !list || !path || t->children.failed || t->codes.failed;
    memory_release(allocator, path);
    memory_release(allocator, list);
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

void stamma_prefix_trie_release(prefix_trie *t)
{
    stamma_buffer_release(&t->children);
    stamma_buffer_release(&t->codes);
    stamma_buffer_release(&t->nodes);
    stamma_buffer_release(&t->depths);
}
