/* SPDX-License-Identifier: MIT */
/* Archives in memory, for targets that pack their input. All functions use the allocator of large_blocks.h. */
#ifndef STAMMA_FUZZ_MEMORY_ARCHIVE_H
#define STAMMA_FUZZ_MEMORY_ARCHIVE_H

#include "mutators.h"
#include "stamma.h"
#include "target.h"

/* A file in memory. Initialize with zeros; free `data`. */
typedef struct memory_archive {
    uint8_t *data;
    size_t size;
    size_t capacity;
    size_t at; /* where the stream reads */
} memory_archive;

stamma_output memory_output(memory_archive *file);
/* Returns the bytes of the file, in memory or through a function that reads them. They must not be read while the file
 * is written. */
stamma_bytes memory_bytes(memory_archive *file, bool in_memory);
/* Returns an input that reads the bytes once. */
stamma_input memory_stream(memory_archive *file);
/* Truncates the file, for writers that continue an archive. */
bool memory_cut(void *file, uint64_t size);
memory_archive memory_copy(const uint8_t *data, size_t size);

/* Packs a text at a level. */
memory_archive memory_pack(stamma_text text, int level);
/* Appends a text to an archive. */
void memory_append(memory_archive *file, stamma_text text, int level);
/* Packs a text in up to three commits: the later parts are appended. `random` determines the parts. */
memory_archive memory_pack_parts(stamma_text text, int level, uint64_t *random);
/* Returns a level that this library can write: usually 1. A writer or reader of level 3 clears 13 MB for each half of a
 * block, so a small input is fifty times slower than at level 1. */
int memory_level(uint64_t *random);

/* Opens an archive whose bytes are read by a function. Returns NULL if the bytes are not an archive. */
stamma_archive *memory_open(memory_archive *file);
/* Opens an archive and its reader. Returns NULL if the archive cannot be opened. */
stamma_archive_reader *memory_reader(memory_archive *file, stamma_archive **archive);
void memory_close(stamma_archive_reader *reader, stamma_archive *archive);
/* Returns whether an archive is sound. */
bool memory_is_sound(memory_archive *file);
/* Demands that an archive is sound and unpacks to a text whose parts are `first` and `second`. */
void memory_demand_text(memory_archive *file, stamma_text first, stamma_text second);

/* Damages a file from an offset on: changes, removes, inserts or repeats bytes, or truncates the file. */
void memory_damage(memory_archive *file, size_t from, uint64_t *random);

#endif
