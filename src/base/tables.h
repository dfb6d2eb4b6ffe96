/* Hash tables. Whoever writes what is packed or unpacked chooses what is put into them; so they hash with keys that
 * nobody can know beforehand, and no choice of texts or numbers makes them slow. Their keys decide where an entry lies
 * in memory and nothing else: texts are numbered in the order in which they come, so results are always the same. */
#ifndef STAMMA_TABLES_H
#define STAMMA_TABLES_H

#include "base/base.h"

typedef struct hash_key {
    uint64_t words[2];
} hash_key;

/* A key that cannot be foreseen, though not one for secrets: made of where memory happens to lie and of the time, since
 * the library has no source of randomness and no globals. `memory`: anything that was allocated, and lies elsewhere for
 * every table. */
hash_key stamma_hash_key_new(const void *memory);
/* SipHash-1-3 of bytes. */
uint64_t stamma_hash(const hash_key *key, const void *bytes, size_t size);

/* ---- different texts, numbered from 1 in the order in which they first come ---- */

typedef struct table_text {
    stamma_text text;
    uint32_t hash; /* that it is found by */
    uint32_t mark; /* the owner's own; 0 in a new one */
} table_text;

/* Zero it and set `allocator`, and `copies` where texts do not stay where they are as long as the table needs them.
 * `failed` stays set once there was no memory, so that a run of texts may be checked once at its end. */
typedef struct text_table {
    const stamma_allocator *allocator;
    bool copies;
    bool failed;
    table_text *texts; /* from number 1 to number `count` */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* twice the capacity: numbers by hash */
    hash_key key;
    struct text_chunk *chunks; /* of copies */
    uint64_t steps;            /* slots that were looked at to add texts, and to move them as it grew */
} text_table;

/* The number of a text, a new one where it is new; 0 when there is no memory. */
uint32_t stamma_text_table_add(text_table *t, stamma_text text);
/* The number of a text, or 0. */
uint32_t stamma_text_table_find(const text_table *t, stamma_text text);
/* Empties it for other use. Copies are gone, and much room of which little was used. */
void stamma_text_table_clear(text_table *t);
void stamma_text_table_release(text_table *t);
/* How many bytes it takes. */
size_t stamma_text_table_memory(const text_table *t);

/* `number`: 1 to t->count. Copies stay where they are until the table is emptied. */
STAMMA_INLINE stamma_text text_table_at(const text_table *t, size_t number)
{
    return t->texts[number].text;
}

#endif
