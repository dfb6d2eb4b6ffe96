/* SPDX-License-Identifier: MIT */
/* Decisions of a person about duplicates: games that are kept or dropped, whatever the rules of dedupe decide. The page
 * of `stamma serve` writes the file (web/archives/decisions.js). */
#ifndef STAMMA_DEDUPE_DECISIONS_H
#define STAMMA_DEDUPE_DECISIONS_H

#include "curating/curating.h"

typedef struct dedupe_decision {
    uint64_t index; /* of the game among the games of all archives, from 0 */
    bool keep;
    size_t line; /* of the file */
} dedupe_decision;

/* Initialise with zeros. */
typedef struct dedupe_decisions {
    dedupe_decision *list; /* by index; free with free() */
    size_t count, room;
} dedupe_decisions;

/* Reads a file in CSV (RFC 4180) with the columns archive, game and decision, which is keep or drop; other columns are
 * ignored. The archives are named as in many->paths, which must have been read. Returns false, after a message with the
 * line, if the file cannot be read or a row is invalid, or if rows contradict each other. */
bool dedupe_decisions_read(const char *path, const tool_many *many, dedupe_decisions *decisions);
/* Returns the decision about a game; NULL: none. */
const dedupe_decision *dedupe_decisions_find(const dedupe_decisions *decisions, uint64_t index);

#endif
