/* SPDX-License-Identifier: MIT */
/* Texts that slow down hash tables without a secret key. A hash without a key can be inverted, which yields any
 * number of colliding texts. */
#ifndef STAMMA_TESTS_CHOSEN_TEXTS_H
#define STAMMA_TESTS_CHOSEN_TEXTS_H

#include <stddef.h>
#include <stdint.h>

/* The maximum mean number of entries that a table may examine per insertion. A table that is at most half full and
 * rehashes when it grows examines fewer than 2 on average (Knuth, The Art of Computer Programming, 6.4). */
enum { STEPS_EACH = 4 };

enum { CHOSEN_TEXT_SIZE = 16 };

/* Returns a hash without a key. It multiplies by 2^64 / the golden ratio after every eight bytes. */
uint32_t unkeyed_hash(const char *bytes, size_t size);
/* Stores the next text with the same unkeyed hash. All texts can be values of tags. `*number` counts the texts;
 * start with 0. */
void next_chosen_text(uint64_t *number, char text[CHOSEN_TEXT_SIZE]);

#endif
