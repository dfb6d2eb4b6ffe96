/* Mutators that know what they change. A target has one where it defines LLVMFuzzerCustomMutator and calls it;
 * libFuzzer and replay.c use that, and give LLVMFuzzerMutate. */
#ifndef STAMMA_FUZZ_MUTATORS_H
#define STAMMA_FUZZ_MUTATORS_H

#include <stddef.h>
#include <stdint.h>

/* Changes bytes in place, and gives the new size, which is at most `room`: some bytes here and there, as a fuzzer does
 * that knows nothing. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

/* PGN (pgn_mutator.c): tags, FEN tags, comments, variations, NAGs, moves, numbers, line ends, cuts. */
size_t mutate_pgn(uint8_t *data, size_t size, size_t room, unsigned seed);

/* Archives (archive_mutator.c): fields of heads, columns as they are stored or unpacked, whole frames; nearly always
 * with all checksums mended. */
size_t mutate_archive(uint8_t *data, size_t size, size_t room, unsigned seed);
/* Puts right every checksum of what stands there. */
void mend_archive(uint8_t *data, size_t size);
/* The archive of the blocks that stand there, at most `room` bytes: with the size and the checksum of the text that each of
 * them decodes to, as far as it does, and one commit. 0 where there is no block, or no room. */
size_t rebuild_archive(const uint8_t *data, size_t size, uint8_t *out, size_t room);

/* xorshift64* (Vigna 2014); the state is never 0. */
static inline uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

/* A number below `count`, which may be 0: then 0. */
static inline size_t draw_below(uint64_t *state, size_t count)
{
    return count > 0 ? (size_t)((draw(state) >> 16) % count) : 0;
}

static inline uint64_t draw_from(unsigned seed)
{
    return 0x9E3779B97F4A7C15u ^ (uint64_t)seed << 17 ^ seed;
}

#endif
