/* SPDX-License-Identifier: MIT */
/* The games of an archive in order, as lines of JSON or as text. */
#include "games/game_views.h"
#include "web/web_module.h"

typedef struct sending {
    stamma_archive_reader *reader;
    bool text;
    tool_buffer line;
} sending;

static bool put_json(sending *s, const stamma_archive_game *game)
{
    const stamma_output output = tool_buffer_output(&s->line);
    tool_variations variations = {.count = 0};
    tool_view view = {.variations = &variations};
    tool_view_game(&view, game);
    const bool right = tool_variations_read(&variations, game, view.chess960);
    tool_put_to(&output);
    tool_json_begin();
    tool_fields_json(tool_fields_all(false), &view);
    tool_put_to(NULL);
    tool_variations_free(&variations);
    return right;
}

/* Sends a game. Further pieces of a game only have text. */
static stamma_error send_game(sending *s, const stamma_archive_game *game)
{
    s->line.size = 0;
    if (!s->text && game->continuation)
        return STAMMA_OK;
    if (s->text ? !tool_buffer_add(&s->line, game->text.data, game->text.size) : !put_json(s, game))
        return STAMMA_ERROR_NO_MEMORY;
    if (s->line.failed)
        return STAMMA_ERROR_NO_MEMORY;
    return web_piece(s->line.bytes, s->line.size) ? STAMMA_OK : STAMMA_ERROR_CANCELLED;
}

static stamma_error send_games(sending *s, uint64_t first, uint64_t count)
{
    const unsigned parts = s->text ? STAMMA_GAME_TEXT : STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT;
    const stamma_archive_game *game = NULL;
    stamma_error error = stamma_archive_reader_select(s->reader, parts);
    if (!error)
        error = stamma_archive_reader_seek(s->reader, first);
    while (!error) {
        error = stamma_archive_reader_next(s->reader, &game);
        if (error || !game || (!game->continuation && count-- == 0))
            break;
        error = send_game(s, game);
    }
    return error;
}

/* Sends up to `count` games of an archive from the game with a number: pieces are lines of JSON (doc/columns.md has the
 * members), or with `text` the exact bytes of a game, one or more pieces each. Returns 0, or an error as a negative
 * number. */
int WEB_EXPORT(games)(int number, double first, double count, int text)
{
    serve_archive *a = serve_archives_hold(&web_server.archives, (size_t)number);
    if (!a)
        return -(int)STAMMA_ERROR_BAD_ARGUMENT;
    sending s = {.text = text != 0};
    stamma_error error = stamma_archive_reader_open(a->handle, NULL, &s.reader);
    if (!error)
        error = send_games(&s, (uint64_t)first, (uint64_t)count);
    stamma_archive_reader_close(s.reader);
    serve_archives_let_go(&web_server.archives, a);
    tool_buffer_free(&s.line);
    return -(int)error;
}
