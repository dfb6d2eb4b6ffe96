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

/* ---- flags ---- */

bool tool_rewriting_count(tool_rewriting *r, uint32_t flags)
{
    r->written++;
    return tool_carried_add(&r->carried, r->written, flags);
}

static bool leave(tool_rewriting *r, const stamma_archive_game *game)
{
    if (!r->many->flags || !r->heir)
        return true;
    if (!tool_list_grow(&r->left, &r->left_room, r->left_count, 1, sizeof *r->left))
        return false;
    r->left[r->left_count++] = (tool_left_game){r->many->games, game->flags};
    return true;
}

/* Returns the number of games before `index` that were not written. */
static size_t count_left(const tool_rewriting *r, uint64_t index, bool *is_left)
{
    size_t low = 0, high = r->left_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->left[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    *is_left = low < r->left_count && r->left[low].index == index;
    return low;
}

/* Passes the flags of games that were not written to the games that are kept instead. A game that is deleted is not
 * kept for that. */
static bool inherit(tool_rewriting *r)
{
    uint64_t lost = 0;
    bool right = true;
    for (size_t n = 0; n < r->left_count && right; n++) {
        const uint32_t flags = r->left[n].flags & ~STAMMA_FLAG_DELETED;
        const uint64_t heir = flags ? r->heir(r->context, r->left[n].index) : UINT64_MAX;
        bool is_left = true;
        const size_t before = heir < UINT64_MAX && heir >= r->unread ? count_left(r, heir, &is_left) : 0;
        if (!is_left)
            right = tool_carried_add(&r->carried, heir + 1 - r->unread - before, flags);
        lost += flags && is_left;
    }
    if (lost > 0)
        tool_say(tool_output_name(r->output), "%" PRIu64 " game%s with flags %s not written", lost,
                 lost == 1 ? "" : "s", lost == 1 ? "was" : "were");
    return right;
}

/* Finds out whether an archive has flags. */
static bool note_flags(tool_rewriting *r)
{
    bool right = true;
    for (size_t n = 0; n < r->many->count && right && !r->pgn; n++)
        right = tool_carried_note(&r->carried, r->many->paths[n]);
    r->many->flags |= r->carried.any;
    return right;
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
        return game->continuation || leave(r, game);
    if (!game->continuation && !r->take && !tool_rewriting_count(r, game->flags))
        return false;
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
    bool right = note_flags(r) && (r->pgn ? write_games(r) : write_archive(r, &executor));
    worker_threads_close(threads);
    tool_progress_clear();
    right = right && inherit(r) && tool_carried_write(&r->carried, r->out, r->output, r->written) &&
            tool_output_finish(r->output);
    tool_carried_end(&r->carried, right);
    return right;
}

void tool_rewriting_close(tool_rewriting *r)
{
    tool_output_close(r->output);
    tool_buffer_free(&r->text);
    free(r->left);
    r->left = NULL;
    r->output = NULL;
}
