/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of queries: find the matching games of a text. */
#ifndef STAMMA_QUERY_SUPPORT_H
#define STAMMA_QUERY_SUPPORT_H

#include "archive_support.h"

/* A query, and the games that it finds, each with its plies: "1:0 3:5,7". */
typedef struct query_answer {
    const char *json;
    const char *found;
} query_answer;

/* Parses a query. Fails the test if it is invalid. */
stamma_query *parse_query(const char *json);
/* Lists the matching games of an archive and their plies. Reads the parts that the query needs. */
listing games_found(const listing *archive, const char *json);
/* Asserts which games the queries find in a text. */
void assert_finds(const char *pgn, const query_answer *searches, size_t count);

#define FINDS(pgn, searches) assert_finds(pgn, searches, sizeof(searches) / sizeof *(searches))

#endif
