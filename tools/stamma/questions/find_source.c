/* SPDX-License-Identifier: MIT */
/* An archive that is searched, and its games by number. */
#include "questions/find.h"

bool find_index_check(const find_index *index, size_t archives)
{
    if (index->path && index->none)
        tool_say(NULL, "--index and --no-index cannot be used together");
    else if (index->path && archives > 1)
        tool_say(NULL, "--index requires a single ARCHIVE");
    else
        return true;
    return false;
}

bool find_source_open(const char *path, const find_index *index, find_source *source)
{
    *source = (find_source){.reader = NULL};
    if (!tool_mapped_open(path, &source->file))
        return false;
    if (!index->none && (index->path || source->file.mapped))
        tool_index_open(path, index->path, &source->index);
    const stamma_bytes bytes = tool_mapped_bytes(&source->file);
    const stamma_archive_options options = {.size = sizeof options, .memory = STAMMA_NO_LIMIT};
    source->error = tool_index_open_archive(&source->index, &bytes, &options, &source->archive);
    tool_index_say(&source->index, source->archive);
    if (index->path && !source->index.file.bytes) {
        tool_say(index->path, "there is no index file that can be read");
        find_source_close(source);
        *source = (find_source){.reader = NULL};
        return false;
    }
    return true;
}

void find_source_check(const find_source *source)
{
    stamma_index_state state = {.size = sizeof state};
    if (source->archive && !stamma_archive_index(source->archive, &state) && state.damaged)
        tool_index_say(&source->index, source->archive);
}

void find_source_rest(find_source *source)
{
    stamma_archive_reader_close(source->reader);
    source->reader = NULL;
    source->walk.reader = NULL;
}

void find_source_close(find_source *source)
{
    find_source_rest(source);
    stamma_archive_close(source->archive);
    stamma_flags_close(source->flags);
    tool_index_close(&source->index);
    tool_mapped_close(&source->file);
}

/* Ignores damage, because the search reports it. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

static stamma_error open_reader(find_source *source)
{
    const stamma_archive_reader_options options = {
        .size = sizeof options, .memory = TOOL_MEMORY, .damage = pass_damage};
    return source->archive ? stamma_archive_reader_open(source->archive, &options, &source->reader) : source->error;
}

static stamma_error prepare(find_source *source, unsigned parts)
{
    stamma_error error = source->reader ? STAMMA_OK : open_reader(source);
    if (error || (source->parts == parts && source->walk.reader))
        return error;
    source->parts = parts;
    source->walk = (tool_walk){.reader = source->reader}; /* moves to the next game requested */
    return stamma_archive_reader_select(source->reader, parts);
}

bool find_source_read(find_source *source, uint64_t number, unsigned parts,
                      bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    bool any = false;
    stamma_error error = prepare(source, parts);
    source->walk.visit = visit;
    source->walk.context = context;
    if (!error)
        error = tool_walk_visit(&source->walk, number, number, &any);
    if (error || !any)
        find_source_fail(source, error ? error : STAMMA_ERROR_CORRUPT,
                         source->reader ? stamma_archive_reader_place(source->reader) : (stamma_place){.offset = 0});
    return !error && any && !source->walk.stopped;
}

void find_source_fail(const find_source *source, stamma_error error, stamma_place place)
{
    char text[TOOL_UNSUPPORTED_SIZE];
    if (error == STAMMA_ERROR_UNSUPPORTED && place.offset == 0 && source->file.size >= TOOL_HEAD_SIZE)
        tool_say(source->file.name, "%s", tool_unsupported(source->file.bytes, text));
    else if (error == STAMMA_ERROR_CANCELLED)
        tool_say(source->file.name, "the time limit was reached; the results so far are incomplete");
    else
        tool_archive_say(source->file.name, error, place);
}
