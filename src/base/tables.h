/* SPDX-License-Identifier: MIT */
/* Hash tables. The authors of the data that is packed or unpacked choose the keys that are inserted. The tables
 * therefore hash with secret keys, and no choice of texts or numbers can make them slow. The hash key affects only
 * the arrangement in memory: texts are numbered in order of first occurrence, so results are always the same. */
#ifndef STAMMA_TABLES_H
#define STAMMA_TABLES_H

#include "base/base.h"

typedef struct hash_key {
    uint64_t words[2];
} hash_key;

/* Returns an unpredictable key, which is not strong enough for cryptographic use. The key is derived from memory
 * addresses and the time, because the library has no source of randomness and no globals. `memory`: any allocated
 * address that differs from table to table. */
hash_key stamma_hash_key_new(const void *memory);
/* Returns the SipHash-1-3 of bytes. */
uint64_t stamma_hash(const hash_key *key, const void *bytes, size_t size);

/* ---- distinct texts, numbered from 1 in order of first occurrence ---- */

typedef struct table_text {
    stamma_text text;
    uint32_t hash; /* hash of the text */
    uint32_t mark; /* for the owner's use; 0 in a new entry */
} table_text;

/* Initialize with zeros and set `allocator`. Also set `copies` if the added texts do not outlive the table's use of
 * them. `failed` stays set after a failed allocation. A sequence of additions can therefore be checked once at its
 * end. */
typedef struct text_table {
    const stamma_allocator *allocator;
    bool copies;
    bool failed;
    table_text *texts; /* numbers 1 to `count` */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* twice the capacity: numbers by hash */
    hash_key key;
    struct text_chunk *chunks; /* memory of the copies */
    uint64_t steps;            /* slots examined when adding texts and when growing */
} text_table;

/* Returns the number of a text, which is added if it is new. Returns 0 if memory is exhausted. */
uint32_t stamma_text_table_add(text_table *t, stamma_text text);
/* Returns the number of a text, or 0 if the table does not contain it. */
uint32_t stamma_text_table_find(const text_table *t, stamma_text text);
/* Empties the table for reuse. Frees the copies, and the table's memory too if it is large and little of it was
 * used. */
void stamma_text_table_clear(text_table *t);
void stamma_text_table_release(text_table *t);
/* Returns the number of bytes that the table has allocated. */
size_t stamma_text_table_memory(const text_table *t);

/* `number`: 1 to t->count. Copies stay at their addresses until the table is cleared or released. */
STAMMA_INLINE stamma_text text_table_at(const text_table *t, size_t number)
{
    return t->texts[number].text;
}

#endif
