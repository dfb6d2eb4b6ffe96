/* What the PGN tests share: growing text, a random source, inputs that hand out bytes in odd pieces, an allocator that
 * fails, events as text, and the real files that broke other programs. */
#ifndef STAMMA_TESTS_PGN_SUPPORT_H
#define STAMMA_TESTS_PGN_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stamma.h"

/* Text that grows, always NUL-terminated once something was added. Zero it; free `text`. */
typedef struct listing {
    char *text;
    size_t size;
    size_t capacity;
} listing;

void list_bytes(listing *to, const void *bytes, size_t size);
void list_word(listing *to, const char *word);
/* printf into the listing, at most 400 bytes. */
void list_format(listing *to, const char *format, ...);

/* xorshift64 (Marsaglia 2003) from a fixed seed; `random_below` gives 0 to count - 1. */
uint64_t random_below(uint64_t count);

/* An input over memory that gives at most `piece_max` bytes a read, a random number of them where `random` is set, and
 * fails with -1 at the `fail_at`-th read (from 1; 0: never). */
typedef struct piecewise {
    const char *bytes;
    size_t size;
    size_t at;
    size_t piece_max;
    bool random;
    unsigned reads;
    unsigned fail_at;
} piecewise;

stamma_input piecewise_input(piecewise *source);

/* An allocator that counts the blocks in use and returns NULL at the `fail_at`-th call (from 1; 0: never). New memory,
 * also the part by which a resized block grows, and released memory are filled with garbage, and each resize moves its
 * block. For one thread. */
typedef struct failing_memory {
    unsigned calls;
    unsigned fail_at;
    long alive;
    bool lasting; /* all later calls fail, too */
    bool zeros;   /* six of eight bytes of new memory are 0: flags are false, pointers still wild. False: none is */
} failing_memory;

stamma_allocator failing_allocator(failing_memory *memory);

/* An output into a listing. */
stamma_output listing_output(listing *to);

/* Adds one event, everything in it, as a line. */
void list_event_exactly(listing *to, const stamma_pgn_event *event);

/* Adds `KIND<text>`, for a move what it was resolved to, for errors their number: short enough for golden texts. */
void list_event(listing *to, const stamma_pgn_event *event);

/* All events of a text over memory, exactly. */
listing events_of(const void *bytes, size_t size, const stamma_pgn_options *options);

/* All events of an input, exactly. */
listing events_of_input(const stamma_input *input, const stamma_pgn_options *options);

/* Calls `each` for every file below ../shared/corpora/nasty and gives their number: 0 where the folder is absent. */
size_t for_each_nasty_file(void (*each)(const char *path, const char *bytes, size_t size));

#endif
