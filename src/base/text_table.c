/* SPDX-License-Identifier: MIT */
/* Numbers of distinct texts. The hash table uses open addressing; its slots are at most half full. */
#include "base/tables.h"

enum {
    CAPACITY_LEAST = 64,
    CAPACITY_KEPT = 1 << 14, /* in texts; larger capacities are freed if little of them was used */
    CHUNK_LEAST = 1 << 12,   /* in bytes */
    CHUNK_MOST = 1 << 16
};

/* A piece of memory for copies of texts. Its bytes follow the struct. */
typedef struct text_chunk {
    struct text_chunk *next;
    size_t used;
    size_t capacity;
} text_chunk;

/* ---- copies ---- */

static bool add_chunk(text_table *t, size_t size)
{
    size_t capacity = t->chunks ? t->chunks->capacity * 2 : CHUNK_LEAST;
    capacity = capacity > CHUNK_MOST ? CHUNK_MOST : capacity;
    capacity = capacity < size ? size : capacity;
    text_chunk *chunk = (text_chunk *)memory_allocate(t->allocator, size_add(sizeof *chunk, capacity));
    if (!chunk)
        return false;
    *chunk = (text_chunk){t->chunks, 0, capacity};
    t->chunks = chunk;
    return true;
}

/* Returns {NULL, 0} if memory is exhausted. */
static stamma_text copy_text(text_table *t, stamma_text text)
{
    if (text.size == 0)
        return (stamma_text){"", 0};
    if ((!t->chunks || t->chunks->capacity - t->chunks->used < text.size) && !add_chunk(t, text.size))
        return (stamma_text){NULL, 0};
    char *copy = (char *)(t->chunks + 1) + t->chunks->used;
    memcpy(copy, text.data, text.size);
    t->chunks->used += text.size;
    return (stamma_text){copy, text.size};
}

static void release_chunks(text_table *t)
{
    while (t->chunks) {
        text_chunk *next = t->chunks->next;
        memory_release(t->allocator, t->chunks);
        t->chunks = next;
    }
}

/* ---- slots ---- */

/* Returns the slot of a text, or the free slot for the text if the table does not contain it. Adds the number of
 * occupied slots examined to *steps. */
STAMMA_INLINE uint32_t *find_slot(const text_table *t, stamma_text text, uint32_t hash, uint64_t *steps)
{
    size_t mask = 2 * t->capacity - 1, slot = hash & mask;
    for (; t->slots[slot] != 0; slot = (slot + 1) & mask) {
        const table_text *known = &t->texts[t->slots[slot]];
        ++*steps;
        if (known->hash == hash && text_equal(known->text, text))
            break;
    }
    return &t->slots[slot];
}

static void fill_slots(text_table *t)
{
    size_t mask = 2 * t->capacity - 1;
    memset(t->slots, 0, 2 * t->capacity * sizeof *t->slots);
    for (uint32_t n = 1; n <= t->count; n++) {
        size_t slot = t->texts[n].hash & mask;
        for (; t->slots[slot] != 0; slot = (slot + 1) & mask)
            t->steps++;
        t->slots[slot] = n;
    }
}

/* Makes room for text number count + 1. */
static bool grow(text_table *t)
{
    size_t capacity = t->capacity == 0 ? CAPACITY_LEAST : size_multiply(t->capacity, 2);
    if (capacity > UINT32_MAX / 2)
        return false;
    table_text *texts = (table_text *)memory_resize(t->allocator, t->texts, size_multiply(capacity, sizeof *texts));
    if (!texts)
        return false;
    t->texts = texts;
    uint32_t *slots = (uint32_t *)memory_resize(t->allocator, t->slots, size_multiply(2 * capacity, sizeof *slots));
    if (!slots)
        return false;
    if (t->capacity == 0)
        t->key = stamma_hash_key_new(slots);
    t->slots = slots;
    t->capacity = capacity;
    fill_slots(t);
    return true;
}

static uint32_t fail(text_table *t)
{
    t->failed = true;
    return 0;
}

uint32_t stamma_text_table_add(text_table *t, stamma_text text)
{
    if (STAMMA_UNLIKELY(t->count + 1 >= t->capacity) && !grow(t))
        return fail(t);
    uint32_t hash = (uint32_t)stamma_hash(&t->key, text.data, text.size);
    uint32_t *slot = find_slot(t, text, hash, &t->steps);
    if (*slot == 0) {
        stamma_text kept = t->copies ? copy_text(t, text) : text;
        if (t->copies && !kept.data)
            return fail(t);
        *slot = (uint32_t)++t->count;
        t->texts[t->count] = (table_text){kept, hash, 0};
    }
    return *slot;
}

uint32_t stamma_text_table_find(const text_table *t, stamma_text text)
{
    uint64_t steps = 0;
    return t->count == 0 ? 0 : *find_slot(t, text, (uint32_t)stamma_hash(&t->key, text.data, text.size), &steps);
}

/* ---- reuse, release and memory ---- */

void stamma_text_table_clear(text_table *t)
{
    if (t->capacity > CAPACITY_KEPT && t->count < t->capacity / 4)
        stamma_text_table_release(t);
    release_chunks(t);
    if (t->count > 0)
        memset(t->slots, 0, 2 * t->capacity * sizeof *t->slots);
    t->count = 0;
    t->steps = 0;
    t->failed = false;
}

void stamma_text_table_release(text_table *t)
{
    release_chunks(t);
    memory_release(t->allocator, t->texts);
    memory_release(t->allocator, t->slots);
    *t = (text_table){.allocator = t->allocator, .copies = t->copies};
}

size_t stamma_text_table_memory(const text_table *t)
{
    size_t size = t->capacity * (sizeof *t->texts + 2 * sizeof *t->slots);
    for (const text_chunk *c = t->chunks; c; c = c->next)
        size += sizeof *c + c->capacity;
    return size;
}
