/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of trees and statistics: games with tags of all kinds, and a visit to each game. */
#ifndef STAMMA_TESTS_VALUE_GAMES_H
#define STAMMA_TESTS_VALUE_GAMES_H

#include "pgn_support.h"

/* Adds random games with few players, ratings, dates and openings, so that values repeat. */
void list_tagged_games(listing *to, unsigned count);

/* Packs games and calls `visit` for each, with tags, result and moves. */
void for_each_game(const char *text, size_t size, void (*visit)(void *context, const stamma_archive_game *game),
                   void *context);

#endif
