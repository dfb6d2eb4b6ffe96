/* Writes games in PGN export format. */
#include "sql/sql.h"

#include "games/game_text.h"
#include "questions/find.h"

typedef struct exporting {
    const export_pgn_options *options;
    tool_clean_pgn pgn;
    tool_progress progress;
    uint64_t passed;  /* bytes of the archives before the current one */
    tool_buffer text; /* of the game being read */
} exporting;

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    exporting *e = context;
    (void)total;
    tool_progress_show(&e->progress, e->passed + done, e->passed + done);
    return true;
}

/* Adds a piece of a game to its text. */
static bool add_piece(void *context, const stamma_archive_game *game)
{
    exporting *e = context;
    const bool right = tool_buffer_add(&e->text, game->text.data, game->text.size);
    if (!right)
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return right;
}

static bool write_games(exporting *e, find_source *source, stamma_search *search)
{
    const stamma_match *match = NULL;
    for (;;) {
        const stamma_error error = stamma_search_next(search, &match);
        if (error)
            find_source_fail(source, error, stamma_search_place(search));
        if (error || !match)
            return !error;
        e->text.size = 0;
        if (!find_source_read(source, match->game, STAMMA_GAME_TEXT, add_piece, e) ||
            !tool_clean_pgn_write(&e->pgn, (stamma_text){e->text.bytes, e->text.size}) ||
            tool_output_failed(e->options->output))
            return false;
    }
}

static bool write_source(exporting *e, find_source *source)
{
    const stamma_search_options options = {.size = sizeof options,
                                           .executor = e->options->executor,
                                           .memory = e->options->memory,
                                           .context = e,
                                           .progress = show_progress};
    stamma_search *search = NULL;
    stamma_error error = source->error;
    if (!error)
        error = stamma_search_open(source->archive, e->options->query, &options, &search);
    if (error)
        find_source_fail(source, error, (stamma_place){.offset = 0});
    const bool right = !error && write_games(e, source, search);
    stamma_search_close(search);
    find_source_check(source);
    e->passed += source->file.size;
    return right;
}

/* Opens all archives first, to report a missing one before any is read. */
static bool write_sources(exporting *e, find_source *sources)
{
    const export_pgn_options *o = e->options;
    uint64_t total = 0;
    bool right = true;
    const find_index index = {.none = o->no_index || !o->query};
    for (int n = 0; n < o->path_count && right; n++) {
        right = find_source_open(o->paths[n], &index, &sources[n]);
        total += sources[n].file.size;
    }
    e->progress = tool_progress_start("exporting", total, o->quiet);
    for (int n = 0; n < o->path_count && right; n++) {
        right = write_source(e, &sources[n]);
        find_source_rest(&sources[n]);
    }
    tool_progress_clear();
    return right;
}

static void print_summary(const exporting *e)
{
    char number[TOOL_NUMBER_SIZE];
    const char *name = tool_output_name(e->options->output);
    tool_say(name, "%s game%s", tool_number(e->pgn.games, number), e->pgn.games == 1 ? "" : "s");
    if (e->pgn.incomplete > 0)
        tool_say(name, "%s game%s with text that is not legal chess; it was omitted with the rest of its line",
                 tool_number(e->pgn.incomplete, number), e->pgn.incomplete == 1 ? "" : "s");
}

bool export_pgn(const export_pgn_options *options)
{
    exporting e = {.options = options, .pgn = {.tags = options->tags, .strip = options->strip}};
    const stamma_output output = tool_output_callbacks(options->output);
    find_source *sources = calloc((size_t)options->path_count, sizeof *sources);
    if (!sources)
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    bool right = sources && tool_clean_pgn_open(&e.pgn, &output) && write_sources(&e, sources);
    for (int n = 0; n < options->path_count && sources; n++)
        find_source_close(&sources[n]);
    tool_clean_pgn_close(&e.pgn);
    free(sources);
    tool_buffer_free(&e.text);
    right = right && tool_output_finish(options->output);
    if (right && !options->quiet)
        print_summary(&e);
    return right;
}
