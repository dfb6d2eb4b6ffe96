/* SPDX-License-Identifier: MIT */
/* Strings of codes with shared beginnings, like the games of a block. */
#ifndef STAMMA_TESTS_PREFIX_STRINGS_H
#define STAMMA_TESTS_PREFIX_STRINGS_H

#include "entropy/prefix_column.h"

typedef struct sample_strings {
    stamma_allocator allocator;
    buffer codes;
    buffer sizes;  /* uint32_t */
    buffer apart;  /* uint8_t */
    uint64_t seed; /* for the next strings */
    prefix_strings strings;
} sample_strings;

void sample_strings_init(sample_strings *s, uint64_t seed);
void sample_strings_release(sample_strings *s);
/* Adds a string and updates s->strings. */
void sample_strings_add(sample_strings *s, const uint8_t *codes, size_t size, bool apart);
/* Adds `count` strings of up to `longest` codes. The first codes are chosen from few; some strings resemble an earlier
 * string; some are marked as apart. */
void sample_strings_draw(sample_strings *s, size_t count, size_t longest);
/* Returns the beginning of string n. */
const uint8_t *sample_string(const sample_strings *s, size_t n);

#endif
