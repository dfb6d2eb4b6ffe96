/* SPDX-License-Identifier: MIT */
/* The comparison of an archive with the index file next to it, for `stamma verify --index`. */
#ifndef STAMMA_TOOL_VERIFY_INDEX_H
#define STAMMA_TOOL_VERIFY_INDEX_H

#include "shared/tool.h"

/* Initialise with zeros. */
typedef struct verify_index {
    char *path;
    bool compared;
    uint64_t differences;
} verify_index;

/* Compares a sound archive with its index file, and reports each difference. Returns false after a message if they
 * could not be compared, or differ. */
bool verify_index_compare(verify_index *index, const char *archive, bool quiet);
/* Prints a line about an index file that was compared. */
void verify_index_print(const verify_index *index);
/* Prints members of a JSON object: null if the index was not compared. */
void verify_index_print_json(const verify_index *index);
void verify_index_free(verify_index *index);

#endif
