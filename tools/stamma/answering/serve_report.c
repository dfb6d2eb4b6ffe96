/* SPDX-License-Identifier: MIT */
/* A report of a player's games: /report, as `stamma report --json` prints it. */
#include "answering/serve_answers.h"
#include "questions/player_names.h"
#include "reporting/report.h"

typedef struct reporting {
    serve_exchange *x;
    report r;
    serve_archive_list archives;
    char **names;     /* of the archives */
    size_t at;        /* index of the archive that is read */
    tool_buffer name; /* of the player */
} reporting;

/* ---- the player ---- */

/* Opens the matcher that finds the player's color: a game in which both players match is one with White. */
static bool open_player(reporting *g)
{
    tool_buffer json = {NULL, 0, 0, false};
    const stamma_output output = tool_buffer_output(&json);
    report *r = &g->r;
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("white", serve_form_value(g->x->request.form, "player"));
    tool_json_close('}');
    tool_put_to(NULL);
    bool right = !json.failed || serve_fail_memory(&g->x->fault);
    right = right && serve_filter_parse(g->x->request.persons, (stamma_text){json.bytes, json.size}, &r->white_query,
                                        &g->x->fault);
    tool_buffer_free(&json);
    return right && (!stamma_matcher_open(r->white_query, NULL, &r->white) || serve_fail_memory(&g->x->fault));
}

/* Stores the name of the player for people, as the command prints it. */
static bool name_player(reporting *g, const char *player)
{
    player_names_label(g->x->request.persons, player, &g->name);
    (void)tool_buffer_add(&g->name, "", 1);
    g->r.player = g->name.bytes;
    return !g->name.failed || serve_fail_memory(&g->x->fault);
}

static bool prepare(reporting *g)
{
    const serve_request *request = &g->x->request;
    g->names = malloc((g->archives.count + 1) * sizeof *g->names);
    if (!g->names)
        return serve_fail_memory(&g->x->fault);
    for (size_t i = 0; i < g->archives.count; i++)
        g->names[i] = (char *)(uintptr_t)g->archives.list[i]->name;
    g->r = (report){.color = request->color,
                    .depth = request->moves,
                    .least = request->rows,
                    .recent = 10,
                    .no_novelties = true,
                    .bits = request->bits,
                    .paths = g->names,
                    .path_count = g->archives.count};
    return name_player(g, serve_form_value(request->form, "player")) && (g->r.color >= 0 || open_player(g));
}

/* ---- games ---- */

static bool add_game(void *context, const stamma_archive_game *game)
{
    reporting *g = context;
    return game->continuation || report_games_add(&g->r, g->at, game) || serve_fail_memory(&g->x->fault);
}

static serve_step take_match(void *context, size_t archive, const stamma_match *match)
{
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES | STAMMA_GAME_CLOCKS;
    reporting *g = context;
    g->at = archive;
    const bool right = g->r.count < SERVE_REPORT_MAX
                           ? serve_search_read(g->x, g->archives.list[archive], match->game, parts, add_game, g)
                           : serve_fail(&g->x->fault, 400, "player: more than %d games have this name or a longer one",
                                        SERVE_REPORT_MAX);
    return right ? SERVE_NEXT : SERVE_FAILED;
}

/* ---- the answer ---- */

static bool write(reporting *g)
{
    const stamma_output output = tool_buffer_output(&g->x->body);
    tool_put_to(&output);
    tool_json_begin();
    bool right = report_put_json(&g->r);
    tool_put_to(NULL);
    return right || serve_fail_memory(&g->x->fault);
}

static bool make(void *context)
{
    reporting *g = context;
    bool right = prepare(g) && serve_search_enter(g->x) && serve_search_matches(g->x, &g->archives, take_match, g);
    if (right) {
        report_games_sort(&g->r);
        right = (report_count(&g->r) && report_trees_make(&g->r)) || serve_fail_memory(&g->x->fault);
    }
    right = right && write(g) && serve_search_in_time(g->x);
    serve_search_leave(g->x);
    report_games_close(&g->r);
    report_counts_close(&g->r);
    report_trees_close(&g->r);
    free(g->names);
    tool_buffer_free(&g->name);
    return right;
}

bool serve_report(serve_exchange *x)
{
    reporting g = {.x = x};
    if (!serve_archives_asked(x, &g.archives))
        return false;
    const bool right = serve_search_cached(x, &g.archives, make, &g);
    serve_archives_release(&x->server->archives, &g.archives);
    return right && serve_reply_json(x);
}
