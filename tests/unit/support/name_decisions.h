/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of spellings of names: games, and the decisions about their names as text. */
#ifndef STAMMA_TESTS_NAME_DECISIONS_H
#define STAMMA_TESTS_NAME_DECISIONS_H

#include "value_games.h"

#define GAME(event, date, round, white, black, tags)                                                              \
    "[Event \"" event "\"]\n[Site \"Here\"]\n[Date \"" date "\"]\n[Round \"" round "\"]\n[White \"" white "\"]\n" \
    "[Black \"" black "\"]\n[Result \"1-0\"]\n" tags "\n1. e4 1-0\n\n"
/* A game of White in a year, with a rating and other tags. */
#define RATED(year, rating, white, tags) \
    GAME("Open", year ".05.??", "?", white, "Other, Player", "[WhiteElo \"" rating "\"]\n" tags)
#define ID(id) "[WhiteFideId \"" id "\"]\n"

/* Opens a collector with the games of a text. */
stamma_names *names_with(const char *text, const stamma_names_options *options);
/* Lists the decisions, one per line: from > to why doubt [id] event round. */
void list_name_decisions(const stamma_names *names, listing *to);
/* Makes the decisions, compares them with the expected list, and closes the collector. */
void check_decisions(stamma_names *names, const char *expected);
/* Compares the decisions about the games of a text with the expected list. */
void check_names(const char *text, const char *expected);

#endif
