/* SPDX-License-Identifier: MIT */
/* Reads all games of an archive, for functions that compare games. */
#include "archive/each_game.h"

stamma_error stamma_archive_each_game(stamma_archive *archive, unsigned parts,
                                      stamma_error (*add)(void *to, const stamma_archive_game *game), void *to,
                                      stamma_place *place)
{
    const stamma_archive_game *game = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_error error = stamma_archive_reader_open(archive, NULL, &reader);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_select(reader, parts);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_next(reader, &game);
    while (error == STAMMA_OK && game) {
        if (!game->continuation)
            error = add(to, game);
        if (error == STAMMA_OK)
            error = stamma_archive_reader_next(reader, &game);
    }
    if (error != STAMMA_OK && reader && place)
        *place = stamma_archive_reader_place(reader);
    stamma_archive_reader_close(reader);
    return error;
}
