/* Reads all games of an archive, for rooms that use no other part of the archive room (each_game.c). */
#ifndef STAMMA_EACH_GAME_H
#define STAMMA_EACH_GAME_H

#include "stamma.h"

/* Calls `add` with parts of each game that is not a continuation. Errors: those of `add` and of
 * stamma_archive_reader_next, with *place, which may be NULL. */
stamma_error stamma_archive_each_game(stamma_archive *archive, unsigned parts,
                                      stamma_error (*add)(void *to, const stamma_archive_game *game), void *to,
                                      stamma_place *place);

#endif
