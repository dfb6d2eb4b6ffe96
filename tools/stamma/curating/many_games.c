/* SPDX-License-Identifier: MIT */
/* The games of several archives in order. */
#include "curating/curating.h"

bool tool_many_open(tool_many *many, const char *command, char **paths, size_t count)
{
    *many = (tool_many){.paths = paths, .count = count};
    for (size_t n = 0; n < count; n++)
        if (strcmp(paths[n], "-") == 0) {
            tool_say(NULL, "%s: archives are read several times, so standard input cannot be used", command);
            return false;
        }
    if (!tool_inputs_note_all(paths, count, TOOL_REWRITTEN))
        return false;
    many->first = calloc(count + 1, sizeof *many->first);
    return many->first || tool_fail_memory(NULL);
}

void tool_many_close(tool_many *many)
{
    free(many->first);
    many->first = NULL;
}

/* many->games stays at a game until the next game is read, so that the continuations have its index. */
static bool visit_archive(tool_many *many, unsigned parts,
                          bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    tool_archive archive;
    const stamma_archive_game *game = NULL;
    bool right = true, any = false;
    const char *path = many->paths[many->at];
    /* Another process may have replaced the archive before the output was locked. */
    if (!tool_inputs_note(path, TOOL_REWRITTEN) || !tool_archive_open_sound(path, &archive))
        return false;
    stamma_error error = stamma_archive_reader_select(archive.reader, parts);
    while (!error && right && (error = stamma_archive_reader_next(archive.reader, &game)) == STAMMA_OK && game) {
        many->games += any && !game->continuation;
        any = any || !game->continuation;
        right = visit(context, game);
        tool_progress_show(&many->progress, many->games, archive.file.offset);
    }
    many->games += any;
    if (error)
        (void)tool_archive_fail(&archive, error);
    tool_archive_close(&archive);
    return !error && right;
}

bool tool_many_visit(tool_many *many, unsigned parts, bool (*visit)(void *context, const stamma_archive_game *game),
                     void *context)
{
    many->games = 0;
    for (many->at = 0; many->at < many->count; many->at++) {
        many->first[many->at] = many->games;
        if (!visit_archive(many, parts, visit, context))
            return false;
    }
    many->first[many->count] = many->games;
    return true;
}

const char *tool_many_place(const tool_many *many, uint64_t index, uint64_t *number)
{
    size_t n = 0;
    while (index >= many->first[n + 1])
        n++;
    *number = index - many->first[n] + 1;
    return many->paths[n];
}
