/* SPDX-License-Identifier: MIT */
/* Carries the flags of games to an archive that is written.
 *
 * An archive and its file of flags cannot be replaced at once. The file of flags is written first, with a part for the
 * archive that is replaced and a part for the new archive, so that it is right before and after the replacement. Then
 * it is written again with the second part only. */
#include "shared/flags.h"

bool tool_carried_note(tool_carried *c, const char *archive)
{
    if (strcmp(archive, "-") == 0)
        return true;
    char *path = tool_flags_path(archive);
    const bool right = path && tool_inputs_note(path, TOOL_BESIDE);
    c->any |= right && system_exists(path);
    free(path);
    return right;
}

bool tool_carried_add(tool_carried *c, uint64_t number, uint32_t flags)
{
    if (flags == 0)
        return true;
    if (!tool_list_grow(&c->games, &c->room, c->count, 1, sizeof *c->games))
        return false;
    c->games[c->count++] = (struct tool_carried_game){number, flags};
    return true;
}

bool tool_carried_copy(tool_carried *c, tool_archive *archive, uint64_t before)
{
    bool right = !c->any || tool_archive_use_flags(archive);
    for (uint64_t n = 1; right && (n = stamma_flags_next(archive->flags, n, STAMMA_FLAGS_ALL)) > 0; n++)
        right = tool_carried_add(c, before + n, stamma_flags_of(archive->flags, n));
    return right;
}

static int compare(const void *left, const void *right)
{
    const struct tool_carried_game *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/* Makes the flags of the new archive. */
static bool make_flags(tool_carried *c, stamma_archive *archive, const char *name)
{
    stamma_error error = stamma_flags_read(archive, (stamma_text){NULL, 0}, &c->flags);
    if (c->count > 1)
        qsort(c->games, c->count, sizeof *c->games, compare);
    for (size_t n = 0; n < c->count && !error; n++) {
        const struct tool_carried_game *game = &c->games[n];
        error = stamma_flags_set(c->flags, game->number, stamma_flags_of(c->flags, game->number) | game->flags);
    }
    if (error)
        tool_say(name, "the flags of games cannot be written: %s", stamma_error_text(error));
    return !error;
}

/* Writes the flags of the archive that is replaced. */
static bool put_old(const tool_carried *c, const char *out, tool_output *file)
{
    tool_archive old;
    bool there, right = tool_inputs_note(out, TOOL_REWRITTEN) && tool_file_open(out, &old.file);
    stamma_flags *flags = NULL;
    if (!right)
        return false;
    stamma_error error = tool_archive_try(&old);
    if (error)
        (void)tool_archive_fail(&old, error);
    right = !error && tool_flags_read(c->path, old.handle, &there, &flags) && tool_flags_put(flags, old.handle, file);
    stamma_flags_close(flags);
    tool_archive_close(&old);
    return right;
}

static bool write_file(tool_carried *c, const char *out, stamma_archive *archive, bool old)
{
    tool_output *file = tool_output_rewrite(c->path, true, TOOL_BESIDE);
    const bool right =
        file && (!old || put_old(c, out, file)) && tool_flags_put(c->flags, archive, file) && tool_output_finish(file);
    tool_output_close(file);
    return right;
}

bool tool_carried_write(tool_carried *c, const char *out, tool_output *output, uint64_t games)
{
    tool_file file;
    stamma_archive *archive = NULL;
    uint64_t count = 0;
    if (!c->any || !tool_output_is_file(output))
        return true;
    c->path = tool_flags_path(out);
    if (!c->path || !tool_output_written(output, &file))
        return false;
    const stamma_bytes bytes = tool_file_bytes(&file);
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (!error)
        error = stamma_archive_games(archive, &count);
    if (error || count != games)
        tool_say(out, "the flags of games cannot be written: %s",
                 error ? stamma_error_text(error) : "the games have other numbers than expected");
    c->replaces = system_exists(c->path);
    const bool right = !error && count == games && make_flags(c, archive, out) &&
                       write_file(c, out, archive, c->replaces && system_exists(out));
    if (!right && !c->replaces)
        (void)system_delete(c->path);
    stamma_archive_close(archive);
    return right;
}

/* Writes the file of flags again, for the archive that exists now. */
static void shorten(tool_carried *c)
{
    tool_archive archive;
    const char *ending = strrchr(c->path, '.');
    char *out = strdup(c->path);
    if (!out || !ending)
        return;
    out[ending - c->path] = 0;
    if (tool_file_open(out, &archive.file)) {
        if (tool_archive_try(&archive) == STAMMA_OK)
            (void)write_file(c, out, archive.handle, false);
        tool_archive_close(&archive);
    }
    free(out);
}

void tool_carried_end(tool_carried *c, bool finished)
{
    if (c->flags && c->replaces && finished)
        shorten(c);
    if (c->flags && !c->replaces && !finished)
        (void)system_delete(c->path);
    stamma_flags_close(c->flags);
    free(c->games);
    free(c->path);
    *c = (tool_carried){.any = false};
}
