/* SPDX-License-Identifier: MIT */
/* Reads all games of an archive, for rooms that use no other part of the archive room (each_game.c). */
#ifndef STAMMA_EACH_GAME_H
#define STAMMA_EACH_GAME_H

#include "stamma.h"

/* Calls `add` with parts of each game that is not a continuation. Returns the errors of `add` and of
 * stamma_archive_reader_next. After an error, *place, which may be NULL, is the place of the reader. */
stamma_error stamma_archive_each_game(stamma_archive *archive, unsigned parts,
                                      stamma_error (*add)(void *to, const stamma_archive_game *game), void *to,
                                      stamma_place *place);

#endif
