/* SPDX-License-Identifier: MIT */
/* The lines of an opening as a game with variations. */
#include "reporting/opening.h"
#include "reporting/report_outputs.h"

static stamma_error set_tags(stamma_game *game, const opening_report *o)
{
    const stamma_text values[] = {o->name.size > 0 ? o->name : stamma_text_of("Opening"),
                                  stamma_text_of("?"),
                                  stamma_text_of("????.??.??"),
                                  stamma_text_of("?"),
                                  stamma_text_of("?"),
                                  stamma_text_of("?"),
                                  stamma_text_of("*"),
                                  o->eco};
    static const char *const names[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO"};
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && !error; i++)
        if (values[i].size > 0)
            error = stamma_game_set_tag(game, stamma_text_of(names[i]), values[i]);
    if (!error && o->path_count == 0)
        error = stamma_game_set_start(game, &o->r.start);
    return error;
}

/* Adds the moves to the position, then the tree with counts. */
static stamma_error add_moves(stamma_game *game, const opening_report *o, stamma_node *line)
{
    char text[160];
    stamma_node node = 0;
    stamma_error error = STAMMA_OK;
    const report_tree *t = &o->r.trees[STAMMA_WHITE];
    int size = snprintf(text, sizeof text, "%" PRIu64 " games. Results are those of White.", t->games);
    if (t->least > 1)
        (void)snprintf(text + size, sizeof text - (size_t)size, " Moves of fewer than %" PRIu64 " games are omitted.",
                       t->least);
    for (size_t i = 0; i < o->path_count && !error; i++)
        error = stamma_game_add_move(game, node, o->path[i], &node);
    if (!error)
        error = stamma_game_add_comment(game, node, false, stamma_text_of(text));
    line[0] = node;
    return error ? error : report_pgn_nodes(game, t, line);
}

bool opening_put_pgn(const opening_report *o, const stamma_output *output)
{
    const stamma_pgn_writer_options options = {.size = sizeof options};
    stamma_pgn_writer *writer = NULL;
    stamma_game *game = NULL;
    stamma_node *line = calloc((size_t)o->r.depth + 1, sizeof *line);
    stamma_error error = line ? stamma_pgn_writer_open(output, &options, &writer) : STAMMA_ERROR_NO_MEMORY;
    if (!error)
        error = stamma_game_open(NULL, &game);
    if (!error)
        error = set_tags(game, o);
    if (!error)
        error = add_moves(game, o, line);
    if (!error)
        error = stamma_game_write(game, writer);
    stamma_game_close(game);
    stamma_pgn_writer_close(writer);
    free(line);
    if (error && error != STAMMA_ERROR_IO) /* the output reported it */
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}
