/* SPDX-License-Identifier: MIT */
/* Finds the games of an archive that may be the same as games of files, with the index file of the archive. */
#include "packing/packing.h"

enum { PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES };

bool tool_look_up_games(tool_archive *archive, stamma_game_lookup *lookup, stamma_error *error)
{
    const stamma_archive_game *game = NULL;
    stamma_error failed = stamma_archive_reader_select(archive->reader, PARTS);
    while (!failed && !*error) {
        failed = stamma_archive_reader_next(archive->reader, &game);
        if (failed || !game)
            break;
        if (!game->continuation)
            *error = stamma_game_lookup_add(lookup, game);
    }
    if (failed)
        (void)tool_archive_fail(archive, failed);
    return !failed;
}

/* Looks up the games of a file, like tool_look_up_games. */
static bool add_file(stamma_game_lookup *lookup, const tool_staged *staged, size_t file, stamma_error *error)
{
    tool_staged_archive opened;
    const bool right = tool_staged_open(staged, file, &opened) && tool_look_up_games(&opened.archive, lookup, error);
    tool_staged_shut(&opened);
    return right;
}

/* Looks up the games of all files, and lists the games that were found. */
static bool look_up(stamma_game_lookup *lookup, const tool_staged *staged, tool_numbers *games, stamma_error *error)
{
    const uint64_t *numbers = NULL;
    size_t count = 0;
    bool right = true;
    for (size_t i = 0; i < staged->count && right && !*error; i++)
        right = add_file(lookup, staged, i, error);
    if (right && !*error)
        *error = stamma_game_lookup_find(lookup, &numbers, &count);
    for (size_t i = 0; i < count && right && !*error; i++)
        right = tool_numbers_add(games, numbers[i]);
    return right;
}

/* Maps the index file next to an archive, which the command may write again afterwards. */
static void open_index(const char *archive, tool_index_file *index)
{
    char *path = tool_index_path(archive);
    if (path && tool_inputs_note(path, TOOL_BESIDE))
        tool_index_open(archive, path, index);
    free(path);
}

bool tool_indexed_games_find(const tool_staged *staged, tool_archive *archive, bool similar, tool_numbers *games,
                             bool *found)
{
    const stamma_game_lookup_options options = {.size = sizeof options, .similar = similar};
    tool_index_file index = {.path = NULL};
    stamma_archive *handle = NULL;
    stamma_game_lookup *lookup = NULL;
    const stamma_bytes bytes = tool_file_bytes(&archive->file);
    bool right = true;
    open_index(archive->file.name, &index);
    stamma_error error = tool_index_open_archive(&index, &bytes, NULL, &handle);
    if (!error)
        error = stamma_game_lookup_open(handle, &options, &lookup);
    if (!error)
        right = look_up(lookup, staged, games, &error);
    *found = right && !error;
    stamma_game_lookup_close(lookup);
    stamma_archive_close(handle);
    tool_index_close(&index);
    return right;
}
