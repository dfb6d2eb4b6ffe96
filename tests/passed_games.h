/* What the tests of passing share: games whose tags, clocks and layout exercise every column. */
#ifndef STAMMA_TESTS_PASSED_GAMES_H
#define STAMMA_TESTS_PASSED_GAMES_H

#include "archive_support.h"

/* Adds so many games: of a few openings, whose names are not those of the table and change now and then; of players
 * whose ratings change, with dates, clocks, lines in comments, NAGs, variations, tags in other orders, and games that
 * are kept as text in part. */
void list_passed_games(listing *to, unsigned count);

/* The games of an archive as they are read one after another. */
typedef struct games_read {
    listing all;
    size_t *ends; /* of each game's bytes in it: text, tags and clocks */
    uint64_t count;
} games_read;

games_read read_games(const listing *archive);
void free_games(games_read *games);
/* Asserts that a game is the one with its number. */
void assert_game(const games_read *games, const stamma_archive_game *game, uint64_t number);

#endif
