/* SPDX-License-Identifier: MIT */
/* Messages about damage in an archive, and the same as JSON. */
#include "shared/tool.h"

static const char *word_of(stamma_damage_kind kind)
{
    switch (kind) {
    case STAMMA_DAMAGE_HEADER: return "header";
    case STAMMA_DAMAGE_FRAME: return "frame";
    case STAMMA_DAMAGE_HEAD: return "head";
    case STAMMA_DAMAGE_COLUMN: return "column";
    case STAMMA_DAMAGE_CONTENT: return "content";
    case STAMMA_DAMAGE_COMMIT: return "commit";
    case STAMMA_DAMAGE_END: return "end";
    case STAMMA_DAMAGE_TAIL: return "tail";
    case STAMMA_DAMAGE_END_MARK: return "end_mark";
    case STAMMA_DAMAGE_ORDER: return "order";
    case STAMMA_DAMAGE_SEARCH: return "search";
    case STAMMA_DAMAGE_TABLE: return "table";
    case STAMMA_DAMAGE_SOURCE: return "source";
    case STAMMA_DAMAGE_NONE: break;
    }
    return NULL;
}

/* Prints a range: ", game 17", ", games 17 to 20" or ", games 17 and on"; nothing if there are no games. */
static void say_range(const char *noun, uint64_t first, uint64_t last)
{
    (void)fprintf(stderr, ", %s%s %" PRIu64, noun, first == last ? "" : "s", first);
    if (last == UINT64_MAX)
        (void)fputs(" and on", stderr);
    else if (last != first)
        (void)fprintf(stderr, " to %" PRIu64, last);
}

static void say_what(const stamma_archive_damage *d)
{
    bool unsupported = d->error == STAMMA_ERROR_UNSUPPORTED;
    (void)fputs(unsupported ? "this version cannot read this archive" : stamma_damage_text(d->kind), stderr);
    if (d->column) {
        (void)fputc(' ', stderr);
        (void)tool_text_print(stderr, stamma_text_of(d->column));
    }
    if (d->kind == STAMMA_DAMAGE_END && d->first_game > 1)
        (void)fprintf(stderr, "; everything after game %" PRIu64 " is missing", d->first_game - 1);
    else if (d->kind == STAMMA_DAMAGE_END)
        (void)fputs("; all of it is missing", stderr);
}

static void say_blocks(const stamma_archive_damage *d)
{
    say_range("block", d->first_block, d->last_block);
    if (d->first_game > 0)
        say_range("game", d->first_game, d->last_game);
    if (d->text_size > 0)
        say_range("byte", d->text_offset, d->text_size == UINT64_MAX ? UINT64_MAX : d->text_offset + d->text_size - 1);
    (void)fputs(d->text_size > 0 ? " of the text" : "", stderr);
    if (d->game > 0)
        (void)fprintf(stderr, "; the first error is in game %" PRIu64, d->game);
}

static void say_tail(const stamma_archive_damage *d)
{
    char bytes[TOOL_NUMBER_SIZE];
    uint64_t blocks = d->first_block > 0 ? d->last_block - d->first_block + 1 : 0;
    uint64_t games = d->first_game > 0 ? d->last_game - d->first_game + 1 : 0;
    (void)fprintf(stderr, "%s byte%s from byte %" PRIu64 " %s not committed", tool_number(d->size, bytes),
                  d->size == 1 ? "" : "s", d->offset, d->size == 1 ? "is" : "are");
    if (blocks > 0)
        (void)fprintf(stderr, "; they contain %" PRIu64 " complete block%s with %" PRIu64 " game%s", blocks,
                      blocks == 1 ? "" : "s", games, games == 1 ? "" : "s");
}

void tool_damage_say(const char *name, const stamma_archive_damage *d)
{
    tool_message_begin(name);
    if (d->kind == STAMMA_DAMAGE_TAIL) {
        say_tail(d);
        (void)fputc('\n', stderr);
        return;
    }
    (void)fprintf(stderr, "byte %" PRIu64, d->offset);
    if (d->size > 1)
        (void)fprintf(stderr, " to %" PRIu64, d->offset + d->size - 1);
    if (d->frame > 0)
        (void)fprintf(stderr, ", frame %" PRIu64, d->frame);
    (void)fputs(": ", stderr);
    say_what(d);
    if (d->first_block > 0 && d->kind != STAMMA_DAMAGE_END)
        say_blocks(d);
    if (d->kind == STAMMA_DAMAGE_SEARCH)
        (void)fputs("; no game is lost, and recompress repairs the archive", stderr);
    if (d->kind == STAMMA_DAMAGE_TABLE)
        (void)fputs("; no game is lost, and repair writes it again", stderr);
    if (d->kind == STAMMA_DAMAGE_SOURCE)
        (void)fputs("; no game is lost", stderr);
    (void)fputc('\n', stderr);
}

/* Puts a value; null if it is not known. */
static void put_known(const char *key, uint64_t value)
{
    if (value == UINT64_MAX)
        tool_json_string(key, NULL);
    else
        tool_json_number(key, value);
}

void tool_damage_put(const stamma_archive_damage *d)
{
    tool_json_open(NULL, '{');
    tool_json_string("kind", word_of(d->kind));
    tool_json_string("column", d->column);
    tool_json_bool("unsupported", d->error == STAMMA_ERROR_UNSUPPORTED);
    tool_json_number("offset", d->offset);
    tool_json_number("size", d->size);
    tool_json_number("frame", d->frame);
    put_known("first_block", d->first_block);
    put_known("last_block", d->last_block);
    put_known("first_game", d->first_game);
    put_known("last_game", d->last_game);
    tool_json_number("game", d->game);
    put_known("text_offset", d->text_offset);
    put_known("text_size", d->text_size);
    tool_json_close('}');
}
