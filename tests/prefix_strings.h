/* Strings of codes that share beginnings, as the games of a block do. */
#ifndef STAMMA_TESTS_PREFIX_STRINGS_H
#define STAMMA_TESTS_PREFIX_STRINGS_H

#include "entropy/prefix_column.h"

typedef struct sample_strings {
    stamma_allocator allocator;
    buffer codes;
    buffer sizes;  /* uint32_t */
    buffer apart;  /* uint8_t */
    uint64_t seed; /* of the strings behind these */
    prefix_strings strings;
} sample_strings;

void sample_strings_init(sample_strings *s, uint64_t seed);
void sample_strings_release(sample_strings *s);
/* Adds one, and says so in s->strings. */
void sample_strings_add(sample_strings *s, const uint8_t *codes, size_t size, bool apart);
/* Adds `count` of up to `longest` codes, of which the first are few; some are like one before, some are apart. */
void sample_strings_draw(sample_strings *s, size_t count, size_t longest);
/* Where string n begins. */
const uint8_t *sample_string(const sample_strings *s, size_t n);

#endif
