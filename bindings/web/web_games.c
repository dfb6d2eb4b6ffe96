/* SPDX-License-Identifier: MIT */
/* The games of an archive in order, as lines of JSON or as text. */
#include "games/game_views.h"
#include "web/web_module.h"

enum { PIECE = 1 << 16 }; /* bytes of lines that are sent at once */

typedef struct sending {
    stamma_archive_reader *reader;
    const char *fields; /* of lines; NULL: text */
    unsigned parts;     /* of the games, which the fields need */
    tool_variations variations;
    tool_buffer lines;
} sending;

static void put_line(sending *s, const tool_view *view)
{
    const stamma_output output = tool_buffer_output(&s->lines);
    tool_put_to(&output);
    tool_json_begin();
    tool_fields_json(s->fields, view);
    tool_put_to(NULL);
}

/* Adds the line of a game. Further pieces of a game only have text. Returns false if memory is exhausted. */
static bool add_line(sending *s, const stamma_archive_game *game)
{
    tool_view view = {.variations = &s->variations};
    if (game->continuation)
        return true;
    tool_view_game(&view, game);
    if ((s->parts & STAMMA_GAME_VARIATIONS) && !tool_variations_read(&s->variations, game, view.chess960))
        return false;
    put_line(s, &view);
    return !s->lines.failed;
}

/* Sends the lines that wait. */
static stamma_error send_lines(sending *s)
{
    const bool right = s->lines.size == 0 || web_piece(s->lines.bytes, s->lines.size);
    s->lines.size = 0;
    return right ? STAMMA_OK : STAMMA_ERROR_CANCELLED;
}

static stamma_error send_game(sending *s, const stamma_archive_game *game)
{
    if (!s->fields)
        return web_piece(game->text.data, game->text.size) ? STAMMA_OK : STAMMA_ERROR_CANCELLED;
    if (!add_line(s, game))
        return STAMMA_ERROR_NO_MEMORY;
    return s->lines.size < PIECE ? STAMMA_OK : send_lines(s);
}

static stamma_error send_games(sending *s, uint64_t first, uint64_t count)
{
    const stamma_archive_game *game = NULL;
    stamma_error error = stamma_archive_reader_select(s->reader, s->parts);
    if (!error)
        error = stamma_archive_reader_seek(s->reader, first);
    while (!error) {
        error = stamma_archive_reader_next(s->reader, &game);
        if (error || !game || (!game->continuation && count-- == 0))
            break;
        error = send_game(s, game);
    }
    return error ? error : send_lines(s);
}

/* Sends up to `count` games of an archive from the game with a number. Pieces are lines of JSON with these fields
 * (doc/reference/columns.md), several lines each; "" are all fields. Without `fields`, pieces are the exact bytes of
 * games, one or more pieces each. Returns 0, or an error as a negative number. */
int WEB_EXPORT(games)(int number, double first, double count, const char *fields)
{
    sending s = {.fields = fields && !*fields ? tool_fields_all(false) : fields, .parts = STAMMA_GAME_TEXT};
    if (s.fields && !tool_fields_check(s.fields, false, &s.parts))
        return -(int)STAMMA_ERROR_BAD_ARGUMENT;
    serve_archive *a = serve_archives_hold(&web_server.archives, (size_t)number);
    if (!a)
        return -(int)STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_archive_reader_open(a->handle, NULL, &s.reader);
    if (!error)
        error = send_games(&s, (uint64_t)first, (uint64_t)count);
    stamma_archive_reader_close(s.reader);
    serve_archives_let_go(&web_server.archives, a);
    tool_variations_free(&s.variations);
    tool_buffer_free(&s.lines);
    return -(int)error;
}
