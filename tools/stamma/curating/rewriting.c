/* SPDX-License-Identifier: MIT */
/* Writes the games of archives to another archive, or as text, with changes that a command decides. */
#include "curating/curating.h"
#include "threads/worker_threads.h"

bool tool_rewriting_open(tool_rewriting *r)
{
    if (!tool_output_fits(r->command, "an archive", r->out, r->force || r->pgn) ||
        !tool_level_fits(r->command, r->level))
        return false;
    r->output = tool_output_rewrite(r->out, r->force, r->pgn ? TOOL_INPUT : TOOL_REWRITTEN);
    return r->output != NULL;
}

/* Reports an error, unless the output has reported it. Returns whether there is none. */
static bool check(const tool_rewriting *r, stamma_error error)
{
    if (error == STAMMA_ERROR_LIMIT)
        tool_say(tool_output_name(r->output), "%s", TOOL_MEMORY_LIMIT);
    else if (error && !tool_output_failed(r->output))
        tool_say(tool_output_name(r->output), "%s", stamma_error_text(error));
    return !error;
}

/* ---- text ---- */

static bool write_bytes(tool_rewriting *r, const char *bytes, size_t size)
{
    if (!r->writer)
        return tool_output_write(r->output, bytes, size);
    return check(r, stamma_archive_writer_write(r->writer, bytes, size)) && !tool_output_failed(r->output);
}

bool tool_rewriting_put(tool_rewriting *r, stamma_text text, bool begins_game)
{
    if (text.size == 0)
        return true;
    if (begins_game && tool_text_needs_gap(text, r->last_end) && !write_bytes(r, "\n\n", 2))
        return false;
    r->last_end = tool_text_ends(text, r->last_end);
    return write_bytes(r, text.data, text.size);
}

/* ---- games ---- */

static bool decide(tool_rewriting *r, const stamma_archive_game *game)
{
    r->text.size = 0;
    r->verdict = r->rewrite(r->context, game, r->many->games, &r->text);
    r->kept += r->verdict == TOOL_GAME_KEEP;
    r->dropped += r->verdict == TOOL_GAME_DROP;
    r->edited += r->verdict == TOOL_GAME_EDIT;
    if (r->text.failed)
        return check(r, STAMMA_ERROR_NO_MEMORY);
    return r->verdict != TOOL_GAME_FAIL;
}

static bool write_text(tool_rewriting *r, const stamma_archive_game *game, stamma_text text)
{
    return r->take ? r->take(r->context, game, text) : tool_rewriting_put(r, text, !game->continuation);
}

/* Decides about a game or a continuation. Keeps a continuation without a game, which is text before the first game of
 * an archive. */
static bool visit(void *context, const stamma_archive_game *game)
{
    tool_rewriting *r = context;
    if (!game->continuation && !decide(r, game))
        return false;
    if (r->verdict == TOOL_GAME_DROP)
        return true;
    if (r->verdict == TOOL_GAME_EDIT && !game->continuation)
        return write_text(r, game, (stamma_text){r->text.bytes, r->text.size});
    return write_text(r, game, game->text);
}

static bool write_games(tool_rewriting *r)
{
    return tool_many_visit(r->many, r->parts | STAMMA_GAME_TEXT, visit, r) && (!r->take || r->finish(r->context, r));
}

static bool write_archive(tool_rewriting *r, const stamma_executor *executor)
{
    const stamma_archive_writer_options options = {
        .size = sizeof options, .level = (int)r->level, .executor = executor, .memory = r->memory};
    const stamma_output output = tool_output_callbacks(r->output);
    bool right = check(r, stamma_archive_writer_open(&output, &options, &r->writer)) && write_games(r) &&
                 check(r, stamma_archive_writer_finish(r->writer, &r->counts));
    stamma_archive_writer_close(r->writer);
    r->writer = NULL;
    return right;
}

bool tool_rewriting_run(tool_rewriting *r, tool_many *many)
{
    stamma_executor executor;
    worker_threads *threads = worker_threads_open(r->threads, &executor);
    r->many = many;
    bool right = r->pgn ? write_games(r) : write_archive(r, &executor);
    worker_threads_close(threads);
    tool_progress_clear();
    return right && tool_output_finish(r->output);
}

void tool_rewriting_close(tool_rewriting *r)
{
    tool_output_close(r->output);
    tool_buffer_free(&r->text);
    r->output = NULL;
}
