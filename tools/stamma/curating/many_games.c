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

/* Games that are read. */
typedef struct reading {
    tool_many *many;
    uint64_t offset; /* of the reader in the file */
    bool (*visit)(void *context, const stamma_archive_game *game);
    void *context;
} reading;

static bool visit_selected(void *context, const stamma_archive_game *game)
{
    reading *r = context;
    r->many->games = r->many->first[r->many->at] + game->number - 1;
    tool_progress_show(&r->many->progress, r->many->games, r->offset);
    return r->visit(r->context, game);
}

/* Reads the games of an archive that are needed, and skips the others. */
static bool visit_needed(tool_many *many, tool_archive *archive, reading *r)
{
    const tool_selection *s = many->selection;
    tool_walk walk = {.reader = archive->reader, .visit = visit_selected, .context = r, .next = 1};
    const uint64_t before = many->first[many->at];
    uint64_t count;
    bool right = true, any;
    stamma_error error = stamma_archive_reader_game_count(archive->reader, &count);
    for (uint64_t n = 0, end; !error && right && !walk.stopped && n < count; n = end) {
        const bool needed = s->needs(s->context, before + n);
        for (end = n + 1; end < count && s->needs(s->context, before + end) == needed;)
            end++;
        if (needed)
            error = tool_walk_visit(&walk, n + 1, end, &any);
        else
            right = !s->skip || s->skip(s->context, end - n);
        r->offset = archive->file.offset;
    }
    if (error)
        (void)tool_archive_fail(archive, error);
    many->games = before + count;
    return !error && right && !walk.stopped;
}

/* many->games stays at a game until the next game is read, so that the continuations have its index. */
static bool visit_all(tool_many *many, tool_archive *archive, const reading *r)
{
    const stamma_archive_game *game = NULL;
    stamma_error error = STAMMA_OK;
    bool right = true, any = false;
    while (right && (error = stamma_archive_reader_next(archive->reader, &game)) == STAMMA_OK && game) {
        many->games += any && !game->continuation;
        any = any || !game->continuation;
        right = r->visit(r->context, game);
        tool_progress_show(&many->progress, many->games, archive->file.offset);
    }
    many->games += any;
    if (error)
        (void)tool_archive_fail(archive, error);
    return !error && right;
}

static bool visit_archive(tool_many *many, unsigned parts,
                          bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    tool_archive archive;
    reading r = {.many = many, .visit = visit, .context = context};
    const char *path = many->paths[many->at];
    bool right;
    /* Another process may have replaced the archive before the output was locked. */
    if (!tool_inputs_note(path, TOOL_REWRITTEN) || !tool_archive_open_sound(path, &archive))
        return false;
    if (many->flags && !tool_archive_use_flags(&archive)) {
        tool_archive_close(&archive);
        return false;
    }
    stamma_error error = stamma_archive_reader_select(archive.reader, parts);
    if (error)
        right = !tool_archive_fail(&archive, error) && false;
    else
        right = many->selection ? visit_needed(many, &archive, &r) : visit_all(many, &archive, &r);
    tool_archive_close(&archive);
    return right;
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
