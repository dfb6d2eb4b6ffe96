/* SPDX-License-Identifier: MIT */
/* A game: /game, and the PGN of the explorer's games. */
#include "answering/serve_answers.h"
#include "games/game_views.h"

/* ---- members of a game in lists ---- */

static void put_tag(const stamma_archive_game *game, const char *key, const char *tag)
{
    tool_json_value(key, stamma_archive_game_tag(game, stamma_text_of(tag)));
}

static void put_rating(const stamma_archive_game *game, const char *key, const char *tag)
{
    tool_json_known(key, stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of(tag))));
}

static void put_date(const stamma_archive_game *game)
{
    char text[TOOL_DATE_SIZE];
    tool_json_string("date", tool_iso_date(game, text));
}

void serve_put_summary(const serve_archive *archive, const stamma_archive_game *game)
{
    static const char *const winners[4] = {NULL, "white", "black", NULL};
    char id[SERVE_ID_SIZE];
    serve_id_write(archive->number, game->number, id);
    tool_json_string("id", id);
    tool_json_string("archive", archive->name);
    tool_json_number("archive_number", (uint64_t)archive->number);
    tool_json_number("number", game->number);
    put_tag(game, "white", "White");
    put_tag(game, "black", "Black");
    put_rating(game, "white_rating", "WhiteElo");
    put_rating(game, "black_rating", "BlackElo");
    tool_json_text("result", tool_result(game));
    tool_json_string("winner", winners[stamma_archive_game_result(game)]);
    put_date(game);
    put_tag(game, "event", "Event");
    put_tag(game, "site", "Site");
    put_tag(game, "round", "Round");
    tool_json_value("eco", stamma_archive_game_eco(game, NULL));
    tool_json_value("opening", stamma_archive_game_opening(game, NULL));
    tool_json_number("plies", game->ply_count);
}

/* ---- a complete game ---- */

typedef struct game_answer {
    serve_exchange *x;
    serve_archive *archive;
    tool_view view;
    tool_variations variations;
    tool_stop stop;
    bool done; /* the game was written; further pieces follow */
} game_answer;

void serve_put_fen(const char *key, const stamma_position *position)
{
    char fen[STAMMA_FEN_SIZE];
    tool_json_word(key, (stamma_text){fen, stamma_fen_write(position, STAMMA_FEN_STANDARD, fen, sizeof fen)});
}

static bool is_stopped(void *context)
{
    return !serve_search_continues(context);
}

/* Writes the FEN after each ply. */
static void put_fens(const stamma_archive_game *game, const tool_stop *stop)
{
    stamma_position position = game->start;
    tool_json_open("fens", '[');
    for (size_t i = 0; i < game->ply_count && !tool_is_stopped(stop, i); i++) {
        stamma_position_make(&position, game->moves[i], &position);
        serve_put_fen(NULL, &position);
    }
    tool_json_close(']');
}

/* Writes the members of `cat --format json`, the id, the archive, and positions. */
static bool put_json(void *context, const stamma_archive_game *game)
{
    game_answer *a = context;
    char id[SERVE_ID_SIZE];
    if (a->done)
        return true;
    a->done = true;
    tool_view_game(&a->view, game);
    a->view.variations = &a->variations;
    a->view.stop = a->variations.stop = &a->stop;
    if (!tool_variations_read(&a->variations, game, a->view.chess960) ||
        (a->x->request.bits && !tool_view_predict(&a->view))) {
        a->x->body.failed = true;
        return false;
    }
    serve_id_write(a->archive->number, game->number, id);
    tool_json_open(NULL, '{');
    tool_json_string("id", id);
    tool_json_string("archive", a->archive->name);
    tool_json_number("archive_number", (uint64_t)a->archive->number);
    tool_fields_members(tool_fields_all(a->x->request.bits), &a->view);
    put_fens(game, &a->stop);
    if (a->x->request.openings)
        serve_put_openings(&game->start, game->moves, game->ply_count);
    tool_json_close('}');
    return true;
}

static bool put_text(void *context, const stamma_archive_game *game)
{
    game_answer *a = context;
    return tool_buffer_add(&a->x->body, game->text.data, game->text.size);
}

static bool answer_json(game_answer *a)
{
    serve_exchange *x = a->x;
    unsigned parts = 0;
    const stamma_output output = tool_buffer_output(&x->body);
    (void)tool_fields_check(tool_fields_all(x->request.bits), false, &parts);
    tool_put_to(&output);
    tool_json_begin();
    bool right = serve_archive_read(x, a->archive, x->request.game, parts, put_json, a);
    tool_put_to(NULL);
    tool_variations_free(&a->variations);
    free(a->view.frequencies);
    return right && serve_search_in_time(x) && serve_reply_json(x);
}

static bool answer_pgn(game_answer *a)
{
    serve_exchange *x = a->x;
    if (!serve_archive_read(x, a->archive, x->request.game, STAMMA_GAME_TEXT, put_text, a) || !serve_search_in_time(x))
        return false;
    (void)snprintf(x->header, sizeof x->header, "inline; filename=\"game-%" PRIu64 ".pgn\"", x->request.game);
    return serve_reply_body(x, &(serve_headers){.type = "application/x-chess-pgn", .disposition = x->header});
}

static bool answer(serve_exchange *x, bool pgn)
{
    serve_archive_list archives;
    if (!serve_archives_asked(x, &archives))
        return false;
    game_answer a = {.x = x, .archive = archives.list[0], .stop = {is_stopped, x}};
    bool right = serve_search_enter(x) && serve_search_in_time(x) && (pgn ? answer_pgn : answer_json)(&a);
    serve_search_leave(x);
    serve_archives_release(&x->server->archives, &archives);
    return right;
}

bool serve_game(serve_exchange *x)
{
    if (x->request.format == SERVE_CSV)
        return serve_fail(&x->fault, 400, "format: expected json or pgn");
    return answer(x, x->request.format == SERVE_PGN_TEXT);
}

bool serve_pgn(serve_exchange *x)
{
    return answer(x, true);
}
