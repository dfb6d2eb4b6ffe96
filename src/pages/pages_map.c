/* SPDX-License-Identifier: MIT */
/* A hash table of keys of positions. The authors of games choose the positions, so the places depend on a secret. */
#include "base/tables.h"
#include "pages/pages.h"

void stamma_pages_map_init(pages_map *m, const stamma_allocator *allocator)
{
    const hash_key secret = stamma_hash_key_new(m);
    *m = (pages_map){.allocator = allocator, .secret = secret.words[0]};
}

void stamma_pages_map_release(pages_map *m)
{
    memory_release(m->allocator, m->keys);
    memory_release(m->allocator, m->values);
    m->keys = m->values = NULL;
    m->count = m->capacity = 0;
}

/* A key of 0 is stored as 1: both keys then have the same value, which is as rare as two equal keys. */
STAMMA_INLINE uint64_t stored_key(uint64_t key)
{
    return key > 0 ? key : 1;
}

/* Returns the place of a key, or the unused place in which it belongs. */
STAMMA_INLINE size_t place_of(const pages_map *m, uint64_t key)
{
    size_t at = (size_t)pages_map_mix(key, m->secret) & (m->capacity - 1);
    while (m->keys[at] != 0 && m->keys[at] != key)
        at = (at + 1) & (m->capacity - 1);
    return at;
}

static bool grow(pages_map *m)
{
    const size_t capacity = m->capacity > 0 ? 2 * m->capacity : 16;
    pages_map larger = *m;
    larger.keys = (uint64_t *)memory_allocate(m->allocator, size_multiply(capacity, sizeof *larger.keys));
    larger.values = (uint64_t *)memory_allocate(m->allocator, size_multiply(capacity, sizeof *larger.values));
    larger.capacity = capacity;
    if (!larger.keys || !larger.values) {
        memory_release(m->allocator, larger.keys);
        memory_release(m->allocator, larger.values);
        return false;
    }
    memset(larger.keys, 0, capacity * sizeof *larger.keys);
    for (size_t n = 0; n < m->capacity; n++)
        if (m->keys[n] != 0) {
            const size_t at = place_of(&larger, m->keys[n]);
            larger.keys[at] = m->keys[n];
            larger.values[at] = m->values[n];
        }
    const size_t count = m->count;
    stamma_pages_map_release(m);
    *m = larger;
    m->count = count;
    return true;
}

uint64_t *stamma_pages_map_find(const pages_map *m, uint64_t key)
{
    if (m->count == 0)
        return NULL;
    const size_t at = place_of(m, stored_key(key));
    return m->keys[at] != 0 ? &m->values[at] : NULL;
}

uint64_t *stamma_pages_map_add(pages_map *m, uint64_t key)
{
    if (m->count >= m->capacity / 4 * 3 && !grow(m))
        return NULL;
    const size_t at = place_of(m, stored_key(key));
    if (m->keys[at] == 0) {
        m->keys[at] = stored_key(key);
        m->values[at] = 0;
        m->count++;
    }
    return &m->values[at];
}
