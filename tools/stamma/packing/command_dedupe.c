/* stamma dedupe: writes the games of archives without those that occur several times. */
#include "packing/packing.h"

#include <unistd.h>

static const char about[] =
    "Finds games that occur several times in the ARCHIVEs, and writes an archive with one of\n"
    "each. The ARCHIVEs are not changed. The text of each game that is written is unchanged,\n"
    "byte for byte, and the games keep their order.\n\n"
    "Four kinds of duplicates are found:\n"
    "  exact     the same moves, players, date, event and result\n"
    "  spelling  the same moves; names, event, date or result differ in spelling or are missing\n"
    "  included  the moves of one game are the beginning of the other game\n"
    "  similar   the same players and date; at most four moves, or the last two plies, differ\n"
    "Games with different FIDE ids, rounds, UTC times or addresses on the same site are\n"
    "different games. A game that is partly kept as text is never a duplicate. doc/dedupe.md\n"
    "describes all rules.\n\n"
    "The game with the most plies is kept; then one with a result, with the most comments and\n"
    "variations, with the most tags; then the last. What the others have in addition is lost in\n"
    "OUT: see --dry-run.\n\n"
    "The exit status is 1 if --dry-run finds no duplicates.";

enum { PARTS = STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT, KINDS = 5 };

typedef struct deduping {
    char **paths;
    size_t path_count;
    uint64_t *first; /* index of the first game of each archive; one more at the end */
    const char *out;
    const char *kinds, *keep;
    bool dry_run, json, force, quiet;
    uint64_t memory, threads, level;
    stamma_duplicates *duplicates;
    stamma_archive_writer *writer;
    tool_output *output;
    tool_progress progress;
    uint64_t games; /* games so far in a pass */
    bool kept;      /* the game before was written */
    bool line_open; /* the last game written does not end its line */
    uint64_t found[KINDS];
} deduping;

/* Returns false after a message. */
static bool check(stamma_error error, const char *name)
{
    if (error == STAMMA_ERROR_LIMIT)
        tool_say(name, "the games need more memory than the limit (--memory)");
    else if (error)
        tool_say(name, "%s", stamma_error_text(error));
    return !error;
}

/* ---- reading ---- */

/* Calls `visit` for each game and each further piece of all archives. Returns false after a message. */
static bool each_game(deduping *d, unsigned parts, bool (*visit)(deduping *d, const stamma_archive_game *game))
{
    d->games = 0;
    for (size_t n = 0; n < d->path_count; n++) {
        tool_archive archive;
        const stamma_archive_game *game = NULL;
        d->first[n] = d->games;
        if (!tool_archive_open_sound(d->paths[n], &archive))
            return false;
        bool right = true;
        stamma_error error = stamma_archive_reader_select(archive.reader, parts);
        while (!error && right && (error = stamma_archive_reader_next(archive.reader, &game)) == STAMMA_OK && game) {
            right = visit(d, game);
            tool_progress_show(&d->progress, d->games, archive.file.offset);
        }
        if (error)
            (void)tool_archive_fail(&archive, error);
        tool_archive_close(&archive);
        if (error || !right)
            return false;
    }
    d->first[d->path_count] = d->games;
    return true;
}

static bool add(deduping *d, const stamma_archive_game *game)
{
    if (game->continuation)
        return true;
    d->games++;
    return check(stamma_duplicates_add(d->duplicates, game), NULL);
}

/* ---- the list of duplicates ---- */

/* Returns the archive that contains a game, and the number of the game in this archive. */
static size_t archive_of(const deduping *d, uint64_t game, uint64_t *number)
{
    size_t n = 0;
    while (game >= d->first[n + 1])
        n++;
    *number = game - d->first[n] + 1;
    return n;
}

static void list_game(const deduping *d, uint64_t index, const stamma_duplicate *game)
{
    uint64_t number, kept_number;
    const char *path = d->paths[archive_of(d, index, &number)];
    const char *kept = d->paths[archive_of(d, game->kept, &kept_number)];
    const char *kind = stamma_duplicate_kind_name(game->kind);
    if (!d->json) {
        printf("%s\t%s\t%" PRIu64 "\t%s\t%" PRIu64 "\n", kind, path, number, kept, kept_number);
        return;
    }
    tool_json_open(NULL, '{');
    tool_json_string("kind", kind);
    tool_json_string("archive", path);
    tool_json_number("game", number);
    tool_json_string("kept_archive", kept);
    tool_json_number("kept_game", kept_number);
    tool_json_close('}');
    tool_json_end();
}

static int list(deduping *d)
{
    uint64_t count = 0;
    for (size_t n = 0; n < stamma_duplicates_count(d->duplicates); n++) {
        stamma_duplicate game;
        if (stamma_duplicates_at(d->duplicates, n, &game) || game.kind == STAMMA_DUPLICATE_NONE)
            continue;
        list_game(d, n, &game);
        count++;
        if (!tool_printed())
            return TOOL_ERROR;
    }
    return count > 0 ? TOOL_DONE : TOOL_NOTHING;
}

/* ---- the archive without duplicates ---- */

static bool write_bytes(deduping *d, const char *bytes, size_t size)
{
    stamma_error error = stamma_archive_writer_write(d->writer, bytes, size);
    return !error || tool_output_failed(d->output) || check(error, tool_output_name(d->output));
}

static bool ends_line(stamma_text text)
{
    return text.size > 0 && (text.data[text.size - 1] == '\n' || text.data[text.size - 1] == '\r');
}

/* Writes a game that is kept, and its further pieces. An empty line separates it from a game that does not end its
 * line. */
static bool write_game(deduping *d, const stamma_archive_game *game)
{
    if (!game->continuation) {
        stamma_duplicate found;
        if (!check(stamma_duplicates_at(d->duplicates, (size_t)d->games, &found), NULL))
            return false;
        d->games++;
        d->found[found.kind]++;
        d->kept = found.kind == STAMMA_DUPLICATE_NONE;
    }
    if (!d->kept || game->text.size == 0)
        return true;
    if (d->line_open && !game->continuation && !write_bytes(d, "\n\n", 2))
        return false;
    d->line_open = !ends_line(game->text);
    return write_bytes(d, game->text.data, game->text.size) && !tool_output_failed(d->output);
}

static void print_summary(const deduping *d, const stamma_archive_counts *counts)
{
    char games[TOOL_NUMBER_SIZE], number[TOOL_NUMBER_SIZE];
    uint64_t removed = d->games - d->found[STAMMA_DUPLICATE_NONE];
    tool_say(tool_output_name(d->output), "%s of %s games", tool_number(counts->games, games),
             tool_number(d->games, number));
    tool_say(NULL, "%s duplicate%s: %" PRIu64 " exact, %" PRIu64 " spelling, %" PRIu64 " included, %" PRIu64 " similar",
             tool_number(removed, number), removed == 1 ? "" : "s", d->found[STAMMA_DUPLICATE_EXACT],
             d->found[STAMMA_DUPLICATE_SPELLING], d->found[STAMMA_DUPLICATE_INCLUDED],
             d->found[STAMMA_DUPLICATE_SIMILAR]);
}

static int write_archive(deduping *d)
{
    stamma_executor executor;
    tool_threads *threads = tool_threads_open(d->threads, &executor);
    const stamma_archive_writer_options options = {
        .size = sizeof options, .level = (int)d->level, .executor = &executor, .memory = d->memory};
    const stamma_output output = tool_output_callbacks(d->output);
    stamma_archive_counts counts;
    bool right = check(stamma_archive_writer_open(&output, &options, &d->writer), tool_output_name(d->output)) &&
                 each_game(d, STAMMA_GAME_TEXT, write_game);
    stamma_error error = right ? stamma_archive_writer_finish(d->writer, &counts) : STAMMA_OK;
    tool_progress_clear();
    if (error && !tool_output_failed(d->output))
        (void)check(error, tool_output_name(d->output));
    stamma_archive_writer_close(d->writer);
    tool_threads_close(threads);
    if (!right || error || !tool_output_finish(d->output))
        return TOOL_ERROR;
    if (!d->quiet)
        print_summary(d, &counts);
    return TOOL_DONE;
}

/* ---- the command ---- */

static int run(deduping *d, const stamma_duplicates_options *options)
{
    int status = TOOL_ERROR;
    d->progress = tool_progress_start("reading", 0, d->quiet);
    d->first = calloc(d->path_count + 1, sizeof *d->first);
    if (check(d->first ? stamma_duplicates_open(options, &d->duplicates) : STAMMA_ERROR_NO_MEMORY, NULL) &&
        each_game(d, PARTS, add) && check(stamma_duplicates_find(d->duplicates), NULL)) {
        tool_progress_clear();
        status = d->dry_run ? list(d) : write_archive(d);
    }
    tool_progress_clear();
    stamma_duplicates_close(d->duplicates);
    free(d->first);
    return status;
}

/* Reads the names of kinds, separated by commas. */
static bool read_kinds(const char *names, unsigned *kinds)
{
    for (const char *at = names; at && *at;) {
        size_t size = strcspn(at, ",");
        unsigned kind = STAMMA_DUPLICATE_EXACT;
        while (kind < KINDS &&
               !tool_text_is((stamma_text){at, size}, stamma_duplicate_kind_name((stamma_duplicate_kind)kind)))
            kind++;
        if (kind == KINDS) {
            tool_say(NULL, "--kinds: \"%.*s\" is not a kind; use exact, spelling, included, similar", (int)size, at);
            return false;
        }
        *kinds |= 1u << kind;
        at += size + (at[size] == ',');
    }
    return true;
}

static bool read_keep(const char *name, stamma_keep *keep)
{
    static const char *const names[] = {"best", "first", "last"};
    for (unsigned n = 0; n < 3; n++)
        if (!name || strcmp(name, names[n]) == 0) {
            *keep = (stamma_keep)n;
            return true;
        }
    tool_say(NULL, "--keep: \"%s\" is unknown; use best, first or last", name);
    return false;
}

/* The archives are read twice, so standard input is not accepted. */
static bool check_use(const deduping *d)
{
    bool terminal = d->out && strcmp(d->out, "-") == 0 && isatty(STDOUT_FILENO);
    for (size_t n = 0; n < d->path_count; n++)
        if (strcmp(d->paths[n], "-") == 0) {
            tool_say(NULL, "dedupe: archives are read twice, so standard input cannot be used");
            return false;
        }
    if (!d->out && !d->dry_run)
        tool_say(NULL, "dedupe: -o is required: the archive to write; --dry-run only lists the duplicates");
    else if (d->out && d->dry_run)
        tool_say(NULL, "--dry-run and -o cannot be used together");
    else if (d->json && !d->dry_run)
        tool_say(NULL, "--json requires --dry-run");
    else if (terminal && !d->force)
        tool_say(NULL, "dedupe: an archive is not written to a terminal; use -o for a file, or -f to write it anyway");
    else
        return tool_level_fits("dedupe", d->level);
    return false;
}

int tool_dedupe(int argc, char **argv)
{
    deduping d = {.memory = 0};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write; -: standard output", .text = &d.out},
        {TOOL_OPTION_FORCE, .flag = &d.force},
        {'n', "dry-run", NULL,
         "write nothing; list each duplicate: its kind, archive and number, and\nthe archive and number of the game "
         "that is kept",
         .flag = &d.dry_run},
        {.name = "json", .help = "with --dry-run: print an object for each duplicate", .flag = &d.json},
        {.name = "kinds",
         .value = "KIND,...",
         .help = "kinds of duplicates to find; default: exact,spelling,included,similar",
         .text = &d.kinds},
        {.name = "keep",
         .value = "WHICH",
         .help = "game to keep: best (the default), first or last in the order of the\nARCHIVEs",
         .text = &d.keep},
        {TOOL_OPTION_LEVEL, .number = &d.level},
        {TOOL_OPTION_THREADS, .number = &d.threads},
        {.name = "memory",
         .value = "SIZE",
         .least = TOOL_MEMORY_MIN,
         .help = "memory limit for the facts of all games, about 500 bytes a game;\ndefault: no limit",
         .size = &d.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &d.quiet},
    };
    const tool_usage usage = {"dedupe", "-o OUT ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    stamma_duplicates_options found = {.size = sizeof found};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    d.paths = argv;
    d.path_count = (size_t)operands;
    if (!check_use(&d) || !read_kinds(d.kinds, &found.kinds) || !read_keep(d.keep, &found.keep))
        return TOOL_ERROR;
    found.memory = d.memory;
    if (!d.dry_run && !(d.output = tool_output_open(d.out, d.force)))
        return TOOL_ERROR;
    status = run(&d, &found);
    tool_output_close(d.output);
    return status;
}
