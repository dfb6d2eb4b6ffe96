/* SPDX-License-Identifier: MIT */
/* SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012): one round for each eight bytes and
 * three at the end, as is usual for hash tables. Without knowledge of the key nobody can construct texts that
 * collide. */
#include <time.h>

#include "base/tables.h"

typedef struct sip {
    uint64_t v[4];
} sip;

STAMMA_INLINE uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

STAMMA_INLINE void sip_round(sip *s)
{
    uint64_t *v = s->v;
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32) + v[3];
    v[2] += v[1];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

STAMMA_INLINE void sip_word(sip *s, uint64_t word)
{
    s->v[3] ^= word;
    sip_round(s);
    s->v[0] ^= word;
}

/* Returns the bytes after the last complete eight bytes, with the low byte of the size in the top byte. The bytes are
 * read with one or two loads, which overlap or include earlier bytes. */
STAMMA_INLINE uint64_t last_word(const uint8_t *bytes, size_t size)
{
    uint64_t word = (uint64_t)size << 56;
    unsigned left = size & 7;
    if (left == 0) /* `bytes` may be empty */
        return word;
    const uint8_t *end = bytes + size;
    if (size >= 8)
        return word | load_u64(end - 8) >> (64 - 8 * left);
    if (left >= 4)
        return word | load_u32(bytes) | (uint64_t)load_u32(end - 4) << (8 * left - 32);
    return word | bytes[0] | (uint64_t)bytes[left / 2] << (left / 2 * 8) | (uint64_t)bytes[left - 1] << (8 * left - 8);
}

uint64_t stamma_hash(const hash_key *key, const void *bytes, size_t size)
{
    const uint8_t *first = (const uint8_t *)bytes, *at = first;
    sip s = {{key->words[0] ^ 0x736f6d6570736575u, key->words[1] ^ 0x646f72616e646f6du,
              key->words[0] ^ 0x6c7967656e657261u, key->words[1] ^ 0x7465646279746573u}};
    for (size_t left = size; left >= 8; at += 8, left -= 8)
        sip_word(&s, load_u64(at));
    sip_word(&s, last_word(first, size));
    s.v[2] ^= 0xff;
    for (unsigned i = 0; i < 3; i++)
        sip_round(&s);
    return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

hash_key stamma_hash_key_new(const void *memory)
{
    struct timespec now = {0, 0};
    (void)timespec_get(&now, TIME_UTC); /* without a clock, the key depends only on addresses */
    uint64_t seeds[5] = {(uint64_t)(uintptr_t)memory, (uint64_t)(uintptr_t)&now, (uint64_t)now.tv_sec,
                         (uint64_t)now.tv_nsec, (uint64_t)clock()};
    const hash_key low = {{0, 0}}, high = {{1, 0}};
    return (hash_key){{stamma_hash(&low, seeds, sizeof seeds), stamma_hash(&high, seeds, sizeof seeds)}};
}
