/* Maps from numbers to numbers. Open addressing; entries are at most half used. */
#include "base/tables.h"

/* Two multiplications by factors that nobody else knows, which are new whenever the map grows. */
STAMMA_INLINE size_t first_place(const number_map *m, uint32_t key)
{
    uint64_t x = ((uint64_t)key + 1) * (m->key.words[0] | 1);
    x = (x ^ x >> 32) * (m->key.words[1] | 1);
    return (size_t)(x >> (64 - m->bits));
}

static bool grow(number_map *m, const stamma_allocator *allocator)
{
    number_map larger = {.bits = m->entries ? m->bits + 1 : 6, .count = m->count, .steps = m->steps};
    size_t capacity = (size_t)1 << larger.bits, old = m->entries ? (size_t)1 << m->bits : 0;
    larger.entries = (number_map_entry *)memory_allocate(allocator, size_multiply(capacity, sizeof *larger.entries));
    if (!larger.entries)
        return false;
    larger.key = stamma_hash_key_new(larger.entries);
    memset(larger.entries, 0, capacity * sizeof *larger.entries);
    for (size_t i = 0; i < old; i++) {
        if (m->entries[i].used == 0)
            continue;
        size_t place = first_place(&larger, m->entries[i].used - 1);
        for (; larger.entries[place].used != 0; place = (place + 1) & (capacity - 1))
            larger.steps++;
        larger.entries[place] = m->entries[i];
    }
    memory_release(allocator, m->entries);
    *m = larger;
    return true;
}

/* The entry of a key, or the free one where it is to stand; *steps grows by those that were looked at. */
STAMMA_INLINE number_map_entry *find_entry(const number_map *m, uint32_t key, uint64_t *steps)
{
    size_t mask = ((size_t)1 << m->bits) - 1, place = first_place(m, key);
    for (; m->entries[place].used != 0 && m->entries[place].used != key + 1; place = (place + 1) & mask)
        ++*steps;
    return &m->entries[place];
}

uint32_t *stamma_number_map_at(number_map *m, uint32_t key, const stamma_allocator *allocator)
{
    if ((!m->entries || m->count >= (size_t)1 << (m->bits - 1)) && !grow(m, allocator))
        return NULL;
    number_map_entry *entry = find_entry(m, key, &m->steps);
    if (entry->used == 0) {
        *entry = (number_map_entry){key + 1, 0};
        m->count++;
    }
    return &entry->value;
}

const uint32_t *stamma_number_map_find(const number_map *m, uint32_t key)
{
    uint64_t steps = 0;
    if (!m->entries)
        return NULL;
    const number_map_entry *entry = find_entry(m, key, &steps);
    return entry->used == 0 ? NULL : &entry->value;
}

void stamma_number_map_clear(number_map *m)
{
    if (m->count > 0)
        memset(m->entries, 0, ((size_t)1 << m->bits) * sizeof *m->entries);
    m->count = 0;
    m->steps = 0;
}

void stamma_number_map_release(number_map *m, const stamma_allocator *allocator)
{
    memory_release(allocator, m->entries);
    *m = (number_map){0};
}
