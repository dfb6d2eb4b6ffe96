/* Adds all games of an archive to what compares games. */
#include "curate/curate.h"

/* Calls `add` for each game that is not a continuation. */
static stamma_error add_games(stamma_archive *archive, unsigned parts,
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

static stamma_error add_to_duplicates(void *to, const stamma_archive_game *game)
{
    return stamma_duplicates_add((stamma_duplicates *)to, game);
}

stamma_error stamma_duplicates_add_archive(stamma_duplicates *duplicates, stamma_archive *archive, unsigned parts,
                                           stamma_place *place)
{
    if (!duplicates || !archive)
        return STAMMA_ERROR_BAD_ARGUMENT;
    return add_games(archive, parts, add_to_duplicates, duplicates, place);
}

static stamma_error add_to_names(void *to, const stamma_archive_game *game)
{
    return stamma_names_add((stamma_names *)to, game);
}

stamma_error stamma_names_add_archive(stamma_names *names, stamma_archive *archive, stamma_place *place)
{
    if (!names || !archive)
        return STAMMA_ERROR_BAD_ARGUMENT;
    return add_games(archive, STAMMA_GAME_TAGS, add_to_names, names, place);
}
