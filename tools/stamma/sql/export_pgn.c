/* SPDX-License-Identifier: MIT */
/* Writes games in PGN export format. */
#include "sql/sql.h"

#include "games/game_text.h"
#include "questions/answer_search.h"

typedef struct exporting {
    answer_search *search;
    tool_output *output;
    tool_clean_pgn pgn;
    tool_buffer text; /* of the game being read */
} exporting;

/* Adds a piece of a game to its text. */
static bool add_piece(void *context, const stamma_archive_game *game)
{
    exporting *e = context;
    const bool right = tool_buffer_add(&e->text, game->text.data, game->text.size);
    return right || tool_fail_memory(NULL);
}

static bool write_game(void *context, const stamma_match *match)
{
    exporting *e = context;
    e->text.size = 0;
    return find_source_read(e->search->source, match->game, STAMMA_GAME_TEXT, add_piece, e) &&
           tool_clean_pgn_write(&e->pgn, (stamma_text){e->text.bytes, e->text.size}) && !tool_output_failed(e->output);
}

static bool write_all(exporting *e, char **paths, size_t count)
{
    answer_search *s = e->search;
    bool right = answer_search_open(s, paths, count, "exporting", s->quiet), failed = false;
    for (size_t i = 0; i < count && right; i++) {
        const stamma_search_options options = answer_search_begin(s, i);
        stamma_place place = {.offset = 0};
        const stamma_error error = answer_search_games(s, &options, write_game, e, &place, &failed);
        answer_search_end(s, error, place);
        right = !error && !failed;
    }
    tool_progress_clear();
    return right;
}

static void print_summary(const exporting *e)
{
    char number[TOOL_NUMBER_SIZE];
    const char *name = tool_output_name(e->output);
    tool_say(name, "%s game%s", tool_number(e->pgn.games, number), e->pgn.games == 1 ? "" : "s");
    if (e->pgn.incomplete > 0)
        tool_say(name, "%s game%s with text that is not legal chess; it was omitted with the rest of its line",
                 tool_number(e->pgn.incomplete, number), e->pgn.incomplete == 1 ? "" : "s");
}

bool export_pgn(answer_search *search, char **paths, size_t count, const export_pgn_options *options)
{
    exporting e = {
        .search = search, .output = options->output, .pgn = {.tags = options->tags, .strip = options->strip}};
    const stamma_output output = tool_output_callbacks(options->output);
    bool right = tool_clean_pgn_open(&e.pgn, &output) && write_all(&e, paths, count);
    tool_clean_pgn_close(&e.pgn);
    tool_buffer_free(&e.text);
    right = right && tool_output_finish(options->output);
    if (right && !search->quiet)
        print_summary(&e);
    return right;
}
