/* SPDX-License-Identifier: MIT */
/* Finds the games of files that are duplicates of games of an archive, or of earlier games of the files, by the rules
 * of stamma dedupe. The games of the archive are known to be different games. With the archive's index file, only
 * similar ones are read. */
#include "packing/packing.h"

enum { PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES };

typedef struct comparing {
    const tool_staged *staged;
    tool_archive *archive;
    tool_numbers known; /* numbers of the games of the archive that are compared */
    stamma_duplicates *duplicates;
} comparing;

static bool check(stamma_error error, const char *name)
{
    if (error)
        tool_say(name, "%s", error == STAMMA_ERROR_LIMIT ? TOOL_MEMORY_HASHES : stamma_error_text(error));
    return !error;
}

/* Lists the games of the archive that are compared: all of them if there is no index file that can be used. */
static bool list_known(comparing *c)
{
    bool indexed = false;
    if (!tool_indexed_games_find(c->staged, c->archive, true, &c->known, &indexed))
        return false;
    uint64_t count = 0;
    stamma_error error = STAMMA_OK;
    if (!indexed) {
        c->known.count = 0;
        error = stamma_archive_reader_game_count(c->archive->reader, &count);
    }
    bool right = !error || tool_archive_fail(c->archive, error) == TOOL_DONE;
    for (uint64_t n = 1; n <= count && right; n++)
        right = tool_numbers_add(&c->known, n);
    return right;
}

static bool add(void *context, const stamma_archive_game *game)
{
    const comparing *c = context;
    return game->continuation || check(stamma_duplicates_add(c->duplicates, game), c->archive->file.name);
}

/* Adds the known games that the pass needs. Games with successive numbers are read together. */
static bool add_known(comparing *c, unsigned parts)
{
    tool_walk walk = {.reader = c->archive->reader, .visit = add, .context = c};
    const uint64_t *numbers = c->known.all;
    bool any;
    stamma_error error = stamma_archive_reader_select(c->archive->reader, parts);
    for (size_t n = 0, end; n < c->known.count && !error && !walk.stopped; n = end) {
        const bool needed = stamma_duplicates_needs(c->duplicates, n);
        for (end = n + 1; end < c->known.count && stamma_duplicates_needs(c->duplicates, end) == needed &&
                          (!needed || numbers[end] == numbers[end - 1] + 1);)
            end++;
        if (needed)
            error = tool_walk_visit(&walk, numbers[n], numbers[end - 1], &any);
        else if (!check(stamma_duplicates_skip(c->duplicates, end - n), c->archive->file.name))
            return false;
    }
    if (error)
        (void)tool_archive_fail(c->archive, error);
    return !error && !walk.stopped;
}

static bool add_staged(comparing *c, size_t file, unsigned parts)
{
    tool_staged_archive opened;
    const stamma_archive_game *game = NULL;
    bool right = tool_staged_open(c->staged, file, &opened);
    stamma_error error = right ? stamma_archive_reader_select(opened.archive.reader, parts) : STAMMA_OK;
    while (right && !error && !(error = stamma_archive_reader_next(opened.archive.reader, &game)) && game)
        right = add(c, game);
    if (error)
        (void)tool_archive_fail(&opened.archive, error);
    tool_staged_shut(&opened);
    return right && !error;
}

static bool compare(comparing *c, uint64_t memory)
{
    static const stamma_keep first = STAMMA_KEEP_FIRST;
    const stamma_duplicates_options options = {
        .size = sizeof options, .memory = memory, .keep = &first, .keep_count = 1, .known = c->known.count};
    unsigned parts = PARTS;
    bool right = check(stamma_duplicates_open(&options, &c->duplicates), NULL);
    while (right && parts) {
        right = add_known(c, parts);
        for (size_t file = 0; file < c->staged->count && right; file++)
            right = add_staged(c, file, parts);
        right = right && check(stamma_duplicates_find(c->duplicates, &parts), NULL);
    }
    return right;
}

/* Lists the games of the files that are duplicates. */
static bool list_duplicates(const comparing *c, tool_numbers *games)
{
    bool right = true;
    for (size_t n = c->known.count; n < stamma_duplicates_count(c->duplicates) && right; n++) {
        stamma_duplicate found;
        if (!stamma_duplicates_at(c->duplicates, n, &found) && found.kind != STAMMA_DUPLICATE_NONE)
            right = tool_numbers_add(games, n - c->known.count);
    }
    return right;
}

bool tool_similar_games_find(const tool_staged *staged, tool_archive *archive, uint64_t memory, tool_numbers *games)
{
    comparing c = {.staged = staged, .archive = archive};
    const bool right = list_known(&c) && compare(&c, memory) && list_duplicates(&c, games);
    stamma_duplicates_close(c.duplicates);
    free(c.known.all);
    return right;
}
