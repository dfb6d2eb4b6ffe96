/* SPDX-License-Identifier: MIT */
/* Flags of games, in a file next to an archive: games.stamma.flags has the flags of games.stamma. */
#include "shared/flags.h"

char *tool_flags_path(const char *archive)
{
    return tool_path_beside(archive, ".flags");
}

/* Reads a file. *text is NULL if there is none. */
static bool read_text(const char *path, char **text, size_t *size)
{
    tool_file file;
    *text = NULL;
    *size = 0;
    if (!system_exists(path))
        return true;
    if (!tool_inputs_note(path, TOOL_BESIDE) || !tool_file_open(path, &file))
        return false;
    *text = tool_file_read_all(&file, size);
    tool_file_close(&file);
    return *text != NULL;
}

static bool fail(const char *path, stamma_error error)
{
    if (error == STAMMA_ERROR_MISMATCH)
        tool_say(path, "is of another archive, or the archive was written again without it; its flags are not of these "
                       "games");
    else if (error == STAMMA_ERROR_SYNTAX)
        tool_say(path, "is not a file of flags, or is damaged");
    else
        tool_say(path, "cannot be used: %s", stamma_error_text(error));
    return false;
}

bool tool_flags_read(const char *path, stamma_archive *archive, bool *exists, stamma_flags **flags)
{
    char *text;
    size_t size;
    if (!read_text(path, &text, &size))
        return false;
    *exists = text != NULL;
    const stamma_error error = stamma_flags_read(archive, (stamma_text){text, text ? size : 0}, flags);
    free(text);
    return !error || fail(path, error);
}

bool tool_flags_use(const char *name, stamma_archive *archive, stamma_flags **flags)
{
    bool exists;
    char *path = tool_flags_path(name);
    const bool right = path && tool_flags_read(path, archive, &exists, flags);
    free(path);
    return right && stamma_archive_use_flags(archive, *flags) == STAMMA_OK;
}

/* ---- writing ---- */

bool tool_flags_put(const stamma_flags *flags, stamma_archive *archive, tool_output *output)
{
    const stamma_output to = tool_output_callbacks(output);
    const stamma_error error = stamma_flags_write(flags, archive, &to);
    if (error && !tool_output_failed(output))
        (void)fail(tool_output_name(output), error);
    return !error;
}

bool tool_flags_write(const char *path, const stamma_flags *flags, stamma_archive *archive)
{
    tool_output *output = tool_output_rewrite(path, true, TOOL_BESIDE);
    const bool right = output && tool_flags_put(flags, archive, output) && tool_output_finish(output);
    tool_output_close(output);
    return right;
}
