/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of PGN: growing text, a random source, inputs that return pieces of varying size, a failing
 * allocator, events as text, and real files that broke other programs. */
#ifndef STAMMA_TESTS_PGN_SUPPORT_H
#define STAMMA_TESTS_PGN_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stamma.h"

/* Text that grows. NUL-terminated after the first addition. Initialise with zeros; free `text`. */
typedef struct listing {
    char *text;
    size_t size;
    size_t capacity;
} listing;

void list_bytes(listing *to, const void *bytes, size_t size);
void list_word(listing *to, const char *word);
/* Appends formatted text of at most 400 bytes. */
void list_format(listing *to, const char *format, ...);

/* xorshift64 (Marsaglia 2003) from a fixed seed. Returns 0 to count - 1. */
uint64_t random_below(uint64_t count);

/* An input from memory that returns at most `piece_max` bytes per read, or with `random` a random number of bytes up to
 * `piece_max`. The `fail_at`-th read (from 1; 0: never) fails with -1. */
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

/* An allocator that counts live blocks. The `fail_at`-th call (from 1; 0: never) returns NULL. New memory, including
 * the part by which a block grows, and released memory are filled with garbage. Each resize moves the block. `called`
 * is called before each allocation unless it is NULL. Not thread-safe. */
typedef struct failing_memory {
    void (*called)(void *context);
    void *context; /* for `called` */
    unsigned calls;
    unsigned fail_at;
    long alive;
    bool lasting; /* all later calls fail as well */
    bool zeros;   /* six of eight new bytes are 0: flags are false, pointers are invalid. False: no byte is 0 */
} failing_memory;

stamma_allocator failing_allocator(failing_memory *memory);

/* Returns an output that appends to a listing. */
stamma_output listing_output(listing *to);

/* Lists all fields of an event in one line. */
void list_event_exactly(listing *to, const stamma_pgn_event *event);

/* Lists `KIND<text>`, for a move the move itself, for errors their number. Short enough for golden texts. */
void list_event(listing *to, const stamma_pgn_event *event);

/* Lists all events of a text in memory, with all fields. */
listing events_of(const void *bytes, size_t size, const stamma_pgn_options *options);

/* Lists all events of an input, with all fields. */
listing events_of_input(const stamma_input *input, const stamma_pgn_options *options);

/* Calls `each` for every file in ../shared/corpora/nasty. Returns the number of files, 0 if the folder does not
 * exist. */
size_t for_each_nasty_file(void (*each)(const char *path, const char *bytes, size_t size));

#endif
