/* SPDX-License-Identifier: MIT */
/* Games for the tests of skipping: tags, clocks and layout use every column. */
#ifndef STAMMA_TESTS_PASSED_GAMES_H
#define STAMMA_TESTS_PASSED_GAMES_H

#include "archive_support.h"

/* Adds `count` games with a few openings, whose names differ from the table and change occasionally; with players whose
 * ratings change; and with dates, clocks, lines in comments, NAGs, variations, tags in different orders, and parts
 * stored as text. */
void list_passed_games(listing *to, unsigned count);

/* Adds `count` short games with the codes and names of their openings. The first game ends with mate after four
 * plies. */
void list_named_openings(listing *to, unsigned count);

/* The games of an archive, read in sequence. */
typedef struct games_read {
    listing all;
    size_t *ends; /* where each game's bytes end in `all`: text, tags and clocks */
    uint64_t count;
} games_read;

games_read read_games(const listing *archive);
void free_games(games_read *games);
/* Asserts that a game is the game with its number. */
void assert_game(const games_read *games, const stamma_archive_game *game, uint64_t number);

#endif
