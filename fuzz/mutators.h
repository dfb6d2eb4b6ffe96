/* SPDX-License-Identifier: MIT */
/* Mutators for particular formats. A fuzz target uses one by defining LLVMFuzzerCustomMutator, which calls it.
 * libFuzzer and replay.c call LLVMFuzzerCustomMutator and provide LLVMFuzzerMutate. */
#ifndef STAMMA_FUZZ_MUTATORS_H
#define STAMMA_FUZZ_MUTATORS_H

#include <stddef.h>
#include <stdint.h>

/* Changes some bytes in place, without regard to the format. `room` is the capacity of `data`. Returns the new size,
 * at most `room`. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

/* Mutates PGN (pgn_mutator.c): tags, FEN tags, comments, variations, NAGs, moves, numbers, line ends, cuts. */
size_t mutate_pgn(uint8_t *data, size_t size, size_t room, unsigned seed);

/* Mutates archives (archive_mutator.c): fields of heads, stored or unpacked columns, complete frames. All checksums
 * are valid in nearly all results. */
size_t mutate_archive(uint8_t *data, size_t size, size_t room, unsigned seed);
/* Recomputes every checksum of an archive in place. */
void restore_archive(uint8_t *data, size_t size);
/* Writes the archive that consists of the blocks in `data` and one commit to `out`, at most `room` bytes. Sets the size
 * and checksum in each block's head to the values of the block's text, as far as it can be decoded. Returns the size of
 * the archive, or 0 if there is no block or not enough room. */
size_t rebuild_archive(const uint8_t *data, size_t size, uint8_t *out, size_t room);

/* Mutates an index file that follows its archive (index_mutator.c): contents of sections, counts and parts. All
 * checksums of the result are valid. */
size_t mutate_index(uint8_t *data, size_t size, size_t room, unsigned seed);
/* Returns where the index begins in an input; 0 if the input contains no archive. */
size_t index_offset(const uint8_t *data, size_t size);
/* Recomputes all checksums of the index in place, including the checksum of the archive's end. */
void restore_index(uint8_t *data, size_t size);

/* Returns the sum of the sizes of text that the heads of all blocks in `data` declare. A size above the limit of the
 * format counts as the limit. */
uint64_t declared_text(const uint8_t *data, size_t size);

/* xorshift64* (Vigna 2014); the state is never 0. */
static inline uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

/* Returns a random number below `count`; 0 if `count` is 0. */
static inline size_t draw_below(uint64_t *state, size_t count)
{
    return count > 0 ? (size_t)((draw(state) >> 16) % count) : 0;
}

static inline uint64_t draw_from(unsigned seed)
{
    return 0x9E3779B97F4A7C15u ^ (uint64_t)seed << 17 ^ seed;
}

#endif
