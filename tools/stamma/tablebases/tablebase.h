/* SPDX-License-Identifier: MIT */
/* Syzygy tablebases: files of endgames with few pieces, which the library Fathom reads. */
#ifndef STAMMA_TABLEBASE_H
#define STAMMA_TABLEBASE_H

#include "shared/tool.h"

enum { TABLEBASE_MEN_MAX = 7 };

/* The folders of tables, separated by colons. Returns false after a message if the program was built without Fathom, a
 * folder cannot be read, or no folder contains a table. Sets *men to the largest number of pieces of a table. */
bool tablebase_check(const char *folders, unsigned *men);

/* ---- one position (tablebase_probe.c) ---- */

/* The result for the side to move. */
typedef struct tablebase_result {
    bool known;     /* a table has the position */
    int wdl;        /* without moves played before: -2 lost, -1 and 1 drawn by the rule of 50 moves, 0 drawn, 2 won */
    bool dtz_known; /* there is a table with distances, too */
    int dtz;        /* plies to the next capture or pawn move, negative if the side to move loses; 0: drawn */
} tablebase_result;

/* Opens the tables, which stay open. Fathom trusts its files: damaged tables may end the process. Returns false after a
 * message. */
bool tablebase_open(const char *folders);
/* Finds a position, which must have a legal move. */
tablebase_result tablebase_probe(const stamma_position *position);

/* ---- answers (tablebase_answer.c) ---- */

/* Writes an answer in the form of Lichess's tablebase: an object on a line. Returns whether the result is known. */
bool tablebase_put(const stamma_position *position);

#endif
