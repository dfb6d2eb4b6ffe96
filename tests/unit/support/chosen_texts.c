/* SPDX-License-Identifier: MIT */
/* Constructs colliding texts by inverting the hash function. */
#include "chosen_texts.h"

#include <stdbool.h>

#include "base/base.h"

static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t prime1 = UINT64_C(0x9E3779B185EBCA87);

/* Returns the inverse of an odd factor modulo 2^64. Each step of Newton's method doubles the number of correct bits. */
static uint64_t inverse(uint64_t factor)
{
    uint64_t x = factor;
    for (unsigned i = 0; i < 5; i++)
        x *= 2 - factor * x;
    return x;
}

/* Returns whether bytes can be a tag's value without escapes. */
static bool is_plain(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((uint8_t)bytes[i] <= ' ' || bytes[i] == '"' || bytes[i] == '\\' || bytes[i] == 127)
            return false;
    return true;
}

uint32_t unkeyed_hash(const char *bytes, size_t size)
{
    uint64_t hash = size * golden;
    for (size_t i = 0; i + 8 <= size; i += 8)
        hash = (hash ^ hash >> 32 ^ load_u64(bytes + i)) * golden;
    return (uint32_t)((hash ^ hash >> 32) * golden >> 32);
}

void next_chosen_text(uint64_t *number, char text[CHOSEN_TEXT_SIZE])
{
    const uint64_t last = UINT64_C(0x123456789ABCDEF) * inverse(golden);
    do {
        uint64_t first = CHOSEN_TEXT_SIZE * golden;
        store_u64(text, ++*number * prime1);
        first = (first ^ first >> 32 ^ load_u64(text)) * golden;
        store_u64(text + 8, last ^ first ^ first >> 32);
    } while (!is_plain(text, CHOSEN_TEXT_SIZE));
}
