/* SPDX-License-Identifier: MIT */
/* The games that stamma dedupe reads. With --new-only, the games of the first archive are not compared with each other.
 * If it has an index file, only those are read that may be the same as a game of another archive. */
#include "curating/dedupe.h"

/* Stores the number of games of an archive. Returns false after a message. */
static bool count_games(const char *path, uint64_t *games)
{
    tool_archive archive;
    if (!tool_inputs_note(path, TOOL_REWRITTEN) || !tool_archive_open_sound(path, &archive))
        return false;
    stamma_error error = stamma_archive_reader_game_count(archive.reader, games);
    if (error)
        (void)tool_archive_fail(&archive, error);
    tool_archive_close(&archive);
    return !error;
}

/* ---- looking up games in the index of the first archive ---- */

/* Returns false after a message. *error receives an error of the index. */
static bool look_up_games(const char *path, stamma_game_lookup *lookup, stamma_error *error)
{
    tool_archive archive;
    if (!tool_archive_open_sound(path, &archive))
        return false;
    const bool right = tool_look_up_games(&archive, lookup, error);
    tool_archive_close(&archive);
    return right;
}

static bool list_similar(dedupe_new *n, stamma_game_lookup *lookup, const tool_many *many, stamma_error *error)
{
    const uint64_t *numbers = NULL;
    size_t count = 0;
    bool right = true;
    for (size_t i = 1; i < many->count && right && !*error; i++)
        right = look_up_games(many->paths[i], lookup, error);
    if (right && !*error)
        *error = stamma_game_lookup_find(lookup, &numbers, &count);
    for (size_t i = 0; i < count && right && !*error; i++)
        right = tool_numbers_add(&n->similar, numbers[i] - 1);
    return right;
}

/* Lists the similar games, if there is an index file that can be used. Returns false after a message. */
static bool look_up(dedupe_new *n, const tool_many *many)
{
    const stamma_game_lookup_options options = {.size = sizeof options, .similar = true};
    tool_index_file index = {.path = NULL};
    tool_mapped archive = {.name = NULL};
    stamma_archive *handle = NULL;
    stamma_game_lookup *lookup = NULL;
    bool right = tool_mapped_open(many->paths[0], &archive);
    if (right)
        tool_index_open(many->paths[0], NULL, &index);
    const stamma_bytes bytes = right ? tool_mapped_bytes(&archive) : stamma_bytes_of(NULL, 0);
    stamma_error error = right ? tool_index_open_archive(&index, &bytes, NULL, &handle) : STAMMA_OK;
    if (right && !error)
        error = stamma_game_lookup_open(handle, &options, &lookup);
    if (right && !error)
        right = list_similar(n, lookup, many, &error);
    n->is_listed = right && !error;
    stamma_game_lookup_close(lookup);
    stamma_archive_close(handle);
    tool_index_close(&index);
    tool_mapped_close(&archive);
    return right;
}

/* Looking up a game takes longer than reading one. */
bool dedupe_new_open(dedupe_new *n, const tool_many *many)
{
    uint64_t games = 0;
    for (size_t i = 0; i < many->count; i++) {
        uint64_t count = 0;
        if (!count_games(many->paths[i], &count))
            return false;
        games += count;
        n->known = i == 0 ? count : n->known;
    }
    return (games - n->known) * 2 > n->known || look_up(n, many);
}

/* ---- which games are read ---- */

static bool is_compared(const dedupe_new *n, uint64_t index)
{
    return index >= n->known || !n->is_listed || tool_numbers_have(&n->similar, index);
}

static bool needs_compared(void *context, uint64_t index)
{
    const dedupe_new *n = context;
    return stamma_duplicates_needs(n->duplicates, (size_t)index) && is_compared(n, index);
}

static bool skip(void *context, uint64_t count)
{
    const dedupe_new *n = context;
    stamma_error error = stamma_duplicates_skip(n->duplicates, count);
    if (error)
        tool_say(NULL, "%s", error == STAMMA_ERROR_LIMIT ? DEDUPE_MEMORY : stamma_error_text(error));
    return !error;
}

static bool needs_written(void *context, uint64_t index)
{
    const dedupe_new *n = context;
    return index >= n->known;
}

tool_selection dedupe_new_compared(dedupe_new *n)
{
    return (tool_selection){needs_compared, skip, n};
}

tool_selection dedupe_new_written(dedupe_new *n)
{
    return (tool_selection){needs_written, NULL, n};
}
