/* SPDX-License-Identifier: MIT */
/* The SHA-256 of an archive's text, and of the files that the archive records, for `stamma verify --sha256`. */
#ifndef STAMMA_TOOL_VERIFY_HASHES_H
#define STAMMA_TOOL_VERIFY_HASHES_H

#include "shared/tool.h"

/* Initialise with zeros. */
typedef struct verify_hashes {
    bool computed;
    uint8_t text[32];
    tool_recorded recorded;
    bool *equal; /* for each record: the archive's text has its SHA-256 */
} verify_hashes;

/* Unpacks the archive, which is a regular file that was read, and computes the hashes. Returns false after a message.
 */
bool verify_hashes_compute(verify_hashes *hashes, const char *path, tool_file *file, const stamma_executor *executor,
                           uint64_t memory);
/* Returns whether all records are equal. */
bool verify_hashes_equal(const verify_hashes *hashes);
/* Prints a line for the text and for each record; with `quiet`, only messages about records that are not equal. */
void verify_hashes_print(const verify_hashes *hashes, const char *name, bool quiet);
/* Prints members of a JSON object: null if the hashes are not computed. */
void verify_hashes_print_json(const verify_hashes *hashes);
void verify_hashes_free(verify_hashes *hashes);

#endif
