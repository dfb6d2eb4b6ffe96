/* Texts chosen to make hash tables slow that hash without a secret key: such hashes can be calculated backwards, which
 * gives as many texts as one likes that collide. */
#ifndef STAMMA_TESTS_CHOSEN_TEXTS_H
#define STAMMA_TESTS_CHOSEN_TEXTS_H

#include <stddef.h>
#include <stdint.h>

/* How many entries a table may look at for each that is put into it. In one that is half full at most, and moves all
 * its entries whenever it grows, it is fewer than 2 in the mean (Knuth, The Art of Computer Programming, 6.4). */
enum { STEPS_EACH = 4 };

enum { CHOSEN_TEXT_SIZE = 16 };

/* A hash without a key, that multiplies by 2^64 / the golden ratio after each eight bytes. */
uint32_t unkeyed_hash(const char *bytes, size_t size);
/* The next of many texts that have the same; they can all be values of tags. `*number`, 0 at first, counts. */
void next_chosen_text(uint64_t *number, char text[CHOSEN_TEXT_SIZE]);

#endif
