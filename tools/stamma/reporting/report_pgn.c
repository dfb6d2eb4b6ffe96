/* SPDX-License-Identifier: MIT */
/* The repertoire of a player as PGN: a game for each color, whose main line has the moves played most. */
#include "reporting/report_outputs.h"

static stamma_error add_counts(stamma_game *game, stamma_node node, const report_node *n)
{
    char text[160];
    double score = report_score(n->won, n->drawn, n->lost);
    int size = snprintf(text, sizeof text, "%" PRIu64 " game%s: +%" PRIu64 " =%" PRIu64 " -%" PRIu64, n->games,
                        n->games == 1 ? "" : "s", n->won, n->drawn, n->lost);
    if (score == score) /* not NAN */
        size += snprintf(text + size, sizeof text - (size_t)size, ", %.1f %%", score);
    if (n->again)
        (void)snprintf(text + size, sizeof text - (size_t)size, "; the position occurred above");
    return stamma_game_add_comment(game, node, false, stamma_text_of(text));
}

stamma_error report_pgn_nodes(stamma_game *game, const report_tree *t, stamma_node *line)
{
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < t->count && !error; i++) {
        const report_node *n = &t->nodes[i];
        error = stamma_game_add_move(game, line[n->depth - 1], n->move, &line[n->depth]);
        if (!error)
            error = add_counts(game, line[n->depth], n);
    }
    return error;
}

/* Sets a tag. A name with characters that a tag cannot have is "?". */
static stamma_error set_tag(stamma_game *game, const char *name, const char *value)
{
    stamma_error error = stamma_game_set_tag(game, stamma_text_of(name), stamma_text_of(value));
    return error == STAMMA_ERROR_BAD_ARGUMENT ? stamma_game_set_tag(game, stamma_text_of(name), stamma_text_of("?"))
                                              : error;
}

static stamma_error set_tags(stamma_game *game, const report *r, stamma_color color)
{
    const char *const tags[][2] = {{"Event", color == STAMMA_WHITE ? "Repertoire as White" : "Repertoire as Black"},
                                   {"Site", "?"},
                                   {"Date", "????.??.??"},
                                   {"Round", "?"},
                                   {"White", color == STAMMA_WHITE ? r->player : "?"},
                                   {"Black", color == STAMMA_BLACK ? r->player : "?"},
                                   {"Result", "*"}};
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < sizeof tags / sizeof *tags && !error; i++)
        error = set_tag(game, tags[i][0], tags[i][1]);
    return error;
}

static stamma_error put_game(const report *r, stamma_color color, stamma_pgn_writer *writer)
{
    char text[160];
    const report_tree *t = &r->trees[color];
    unsigned deepest = 0;
    stamma_game *game = NULL;
    for (size_t i = 0; i < t->count; i++)
        deepest = t->nodes[i].depth > deepest ? t->nodes[i].depth : deepest;
    stamma_node *line = calloc(deepest + 1, sizeof *line);
    stamma_error error = line ? stamma_game_open(NULL, &game) : STAMMA_ERROR_NO_MEMORY;
    if (!error)
        error = set_tags(game, r, color);
    int size = snprintf(text, sizeof text, "%" PRIu64 " games. Results are those of the player.", t->games);
    if (t->least > 1)
        (void)snprintf(text + size, sizeof text - (size_t)size, " Moves of fewer than %" PRIu64 " games are omitted.",
                       t->least);
    if (!error)
        error = stamma_game_add_comment(game, 0, false, stamma_text_of(text));
    if (!error)
        error = report_pgn_nodes(game, t, line);
    if (!error)
        error = stamma_game_write(game, writer);
    stamma_game_close(game);
    free(line);
    return error;
}

bool report_put_pgn(const report *r, const stamma_output *output)
{
    const stamma_pgn_writer_options options = {.size = sizeof options};
    stamma_pgn_writer *writer = NULL;
    stamma_error error = stamma_pgn_writer_open(output, &options, &writer);
    for (int color = 0; color < 2 && !error; color++)
        if (r->trees[color].games > 0)
            error = put_game(r, (stamma_color)color, writer);
    stamma_pgn_writer_close(writer);
    if (error && error != STAMMA_ERROR_IO) /* the output reported it */
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}
