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
    if (index->none || (!index->path && !source->file.mapped))
        return true;
    tool_index_open(path, index->path, source->file.bytes, source->file.size, &source->index);
    tool_index_say(&source->index);
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
    if (stamma_search_index_is_damaged(source->index.index))
        tool_index_say(&source->index);
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
    tool_index_close(&source->index);
    tool_mapped_close(&source->file);
}

/* The search reports the damage itself. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

static stamma_error open_reader(find_source *source)
{
    const stamma_input input = tool_mapped_input(&source->file);
    const stamma_archive_reader_options options = {.size = sizeof options, .damage = pass_damage};
    return stamma_archive_reader_open(&input, &options, &source->reader);
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
