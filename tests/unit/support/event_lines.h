/* SPDX-License-Identifier: MIT */
/* Games of events, made from short lines. */
#ifndef STAMMA_TESTS_EVENT_LINES_H
#define STAMMA_TESTS_EVENT_LINES_H

#include "stamma.h"

/* Adds a game for each line of `text` to a collection:
 *
 *     ROUND WHITE BLACK RESULT [NAME=VALUE...]
 *
 * NAME is a tag, or `plies` (default 20), or `movetext` (its result; default RESULT). The tags Event and Date have the
 * values "Open" and "2020.01.01" unless they are named. In values, _ is a blank. Returns the first error. */
stamma_error add_event_games(stamma_events *events, const char *text);

/* Makes a collection from lines, and divides it. Asserts that it has this number of events. */
stamma_events *make_events(const char *text, size_t count);

#endif
