/* SPDX-License-Identifier: MIT */
/* An archive in a file or a pipe, and messages about errors in it. */
#include "shared/flags.h"

#include <strings.h>

static ptrdiff_t read_callback(void *context, void *bytes, size_t size)
{
    tool_archive *archive = context;
    return tool_file_read(&archive->file, bytes, size);
}

/* Counts and reports damage. Data that a failed append left after the end of the archive is not lost data. */
static void take_damage(void *context, const stamma_archive_damage *d)
{
    tool_archive *archive = context;
    bool tail = d->kind == STAMMA_DAMAGE_TAIL;
    archive->damages++;
    archive->lost +=
        !tail && d->kind != STAMMA_DAMAGE_END_MARK && d->kind != STAMMA_DAMAGE_TABLE && d->kind != STAMMA_DAMAGE_SOURCE;
    if (tail && d->first_block > 0) {
        archive->tail_blocks = d->last_block - d->first_block + 1;
        archive->tail_games = d->first_game > 0 ? d->last_game - d->first_game + 1 : 0;
    }
    if (!archive->silent)
        tool_damage_say(archive->file.name, d);
}

static stamma_error make_reader(tool_archive *archive, const stamma_archive_reader_options *options, bool seeks)
{
    const stamma_input stream = {archive, read_callback};
    const stamma_bytes bytes = tool_file_bytes(&archive->file);
    archive->handle = NULL;
    archive->reader = NULL;
    archive->flags = NULL;
    archive->damages = archive->lost = archive->tail_blocks = archive->tail_games = 0;
    archive->silent = false;
    if (!seeks || !archive->file.regular)
        return stamma_archive_reader_open_stream(&stream, options, &archive->reader);
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive->handle);
    return error ? error : stamma_archive_reader_open(archive->handle, options, &archive->reader);
}

/* Returns the options with a callback that reports damage. */
static stamma_archive_reader_options with_reports(const stamma_archive_reader_options *options, tool_archive *archive)
{
    stamma_archive_reader_options all = {.size = sizeof all};
    if (options)
        all = *options;
    all.context = archive;
    all.damage = take_damage;
    return all;
}

void tool_archive_say_counts(const char *name, uint64_t games, const stamma_archive_counts *counts)
{
    char number[TOOL_NUMBER_SIZE], in[TOOL_NUMBER_SIZE], out[TOOL_NUMBER_SIZE];
    tool_say(name, "%s game%s, %s bytes of text in %s", tool_number(games, number), games == 1 ? "" : "s",
             tool_number(counts->text_size, in), tool_number(counts->archive_size, out));
}

void tool_say_no_archive(const char *name)
{
    static const char *const endings[] = {".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.xz", ".pgn.zst", ".zip"};
    const size_t size = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i]);
        if (size > length && strcasecmp(name + size - length, endings[i]) == 0) {
            tool_say(name, "not a Stamma archive; pack it first: stamma pack %s", name);
            return;
        }
    }
    tool_say(name, "not a Stamma archive");
}

int tool_archive_status(const tool_archive *archive, int status)
{
    return archive->damages > 0 ? TOOL_ERROR : status;
}

static bool open_reader(tool_archive *archive, const stamma_archive_reader_options *options, bool seeks)
{
    stamma_error error = make_reader(archive, options, seeks);
    if (!error)
        return true;
    (void)tool_archive_fail(archive, error);
    tool_archive_close(archive);
    return false;
}

stamma_error tool_archive_try(tool_archive *archive)
{
    return make_reader(archive, NULL, true);
}

bool tool_archive_open_with(const char *path, const stamma_archive_reader_options *options, bool seeks,
                            tool_archive *archive)
{
    stamma_archive_reader_options all = with_reports(options, archive);
    return tool_file_open(path, &archive->file) && open_reader(archive, &all, seeks);
}

bool tool_archive_open(const char *path, tool_archive *archive)
{
    return tool_archive_open_with(path, NULL, true, archive);
}

bool tool_archive_open_sound(const char *path, tool_archive *archive)
{
    return tool_file_open(path, &archive->file) && open_reader(archive, NULL, true);
}

bool tool_archive_open_file(tool_archive *archive)
{
    stamma_archive_reader_options all = with_reports(NULL, archive);
    return open_reader(archive, &all, true);
}

bool tool_archive_open_to_grow(const char *path, tool_archive *archive)
{
    return tool_file_open_to_grow(path, &archive->file) && tool_archive_open_file(archive);
}

void tool_archive_close(tool_archive *archive)
{
    stamma_archive_reader_close(archive->reader);
    stamma_archive_close(archive->handle);
    stamma_flags_close(archive->flags);
    tool_file_close(&archive->file);
}

bool tool_archive_use_flags(tool_archive *archive)
{
    return !archive->handle || tool_flags_use(archive->file.name, archive->handle, &archive->flags);
}

const char *tool_unsupported(const void *head, char text[TOOL_UNSUPPORTED_SIZE])
{
    unsigned major, minor;
    if (stamma_archive_format(head, TOOL_HEAD_SIZE, &major, &minor) != STAMMA_ERROR_UNSUPPORTED)
        return "this version (" STAMMA_VERSION ") cannot read this archive";
    (void)snprintf(text, TOOL_UNSUPPORTED_SIZE,
                   "this version (" STAMMA_VERSION
                   ") cannot read this archive of format %u.%u, which needs Stamma %u or later",
                   major, minor, major);
    return text;
}

/* Prints a message with a place: "... at byte 4711, game 17". */
static void say_at(const char *name, stamma_place place, const char *what)
{
    if (place.game > 0)
        tool_say(name, "%s at byte %" PRIu64 ", game %" PRIu64, what, place.offset, place.game);
    else
        tool_say(name, "%s at byte %" PRIu64, what, place.offset);
}

void tool_archive_say(const char *name, stamma_error error, stamma_place place)
{
    switch (error) {
    case STAMMA_ERROR_NO_ARCHIVE: tool_say_no_archive(name); break;
    case STAMMA_ERROR_CORRUPT: say_at(name, place, "the archive is damaged or cut short"); break;
    case STAMMA_ERROR_UNSUPPORTED:
        say_at(name, place, "this version (" STAMMA_VERSION ") cannot read this archive");
        break;
    case STAMMA_ERROR_LIMIT: say_at(name, place, TOOL_MEMORY_LIMIT); break;
    default: tool_say(name, "%s", stamma_error_text(error));
    }
}

/* Before the reader is open, the place of the error is the number of bytes read from the file. */
int tool_archive_fail(tool_archive *archive, stamma_error error)
{
    stamma_place place = {.offset = archive->file.offset};
    if (archive->reader)
        place = stamma_archive_reader_place(archive->reader);
    char text[TOOL_UNSUPPORTED_SIZE];
    if (error == STAMMA_ERROR_UNSUPPORTED && !archive->reader)
        tool_say(archive->file.name, "%s", tool_unsupported(archive->file.head, text));
    else if (error == STAMMA_ERROR_LIMIT && !archive->reader) /* the offset in the file is after the block */
        tool_say(archive->file.name, TOOL_MEMORY_LIMIT);
    else if (error != STAMMA_ERROR_IO || !archive->file.failed)
        tool_archive_say(archive->file.name, error, place);
    return TOOL_ERROR;
}

stamma_text tool_result(const stamma_archive_game *game)
{
    const stamma_text tag = stamma_archive_game_tag(game, stamma_text_of("Result"));
    const stamma_result result = stamma_archive_game_result(game);
    if (result != STAMMA_RESULT_UNKNOWN)
        return stamma_text_of(stamma_result_text(result));
    return game->result.size == 0 || tool_text_is(tag, "*") ? tag : game->result;
}

const char *tool_reason_word(stamma_archive_reason reason)
{
    switch (reason) {
    case STAMMA_REASON_BAD_FEN: return "bad_fen";
    case STAMMA_REASON_VARIANT: return "variant";
    case STAMMA_REASON_SYNTAX: return "syntax";
    case STAMMA_REASON_ILLEGAL_MOVE: return "illegal_move";
    case STAMMA_REASON_AMBIGUOUS_MOVE: return "ambiguous_move";
    case STAMMA_REASON_DEPTH: return "depth";
    case STAMMA_REASON_SIZE: return "size";
    case STAMMA_REASON_LAYOUT: return "layout";
    case STAMMA_REASON_UNSUPPORTED: return "unsupported";
    case STAMMA_REASON_INEXACT: return "inexact";
    case STAMMA_REASON_NONE:
    case STAMMA_REASON_COUNT: break;
    }
    return NULL;
}
