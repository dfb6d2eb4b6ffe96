/* stamma dedupe: writes the games of archives without those that occur several times. */
#include "packing/packing.h"

#include <unistd.h>

static const char about[] =
    "Finds games that occur several times in the ARCHIVEs, and writes an archive with one of\n"
    "each. The ARCHIVEs are not changed. The text of each game that is written is unchanged,\n"
    "byte for byte, and the games keep their order.\n\n"
    "Five kinds of duplicates are found:\n"
    "  exact       the same moves, players, date, event and result\n"
    "  spelling    the same moves; names, event, date or result differ in spelling or are missing\n"
    "  included    the moves of one game are the beginning of the other game\n"
    "  transposed  the same players, date and last position; the same moves in another order\n"
    "  similar     the same players and date; a few moves, or the last two plies, differ\n"
    "Games with different FIDE ids, rounds, UTC times or addresses on the same site are\n"
    "different games. A game that is partly kept as text is never a duplicate. doc/dedupe.md\n"
    "describes all rules.\n\n"
    "The game with the most plies is kept; then one with a result, with the most comments and\n"
    "variations, with the most tags; then the last (see --keep). What the others have in addition\n"
    "is lost in OUT: see --dry-run.\n\n"
    "The exit status is 1 if --dry-run finds no duplicates.";

#define MEMORY ((uint64_t)1 << 30)
enum { KINDS = 6, KEPT_RULES = 7, LIMIT_MAX = 31 };

typedef struct deduping {
    char **paths;
    size_t path_count;
    uint64_t *first; /* index of the first game of each archive; one more at the end */
    const char *out;
    const char *kinds, *keep;
    bool dry_run, json, force, quiet;
    uint64_t memory, threads, level, days, moves;
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

/* Reads the archives as often as the detector needs. */
static bool find(deduping *d)
{
    unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
    bool right = true;
    while (right && parts)
        right = each_game(d, parts, add) && check(stamma_duplicates_find(d->duplicates, &parts), NULL);
    return right;
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
    tool_say(NULL,
             "%s duplicate%s: %" PRIu64 " exact, %" PRIu64 " spelling, %" PRIu64 " included, %" PRIu64
             " transposed, %" PRIu64 " similar",
             tool_number(removed, number), removed == 1 ? "" : "s", d->found[STAMMA_DUPLICATE_EXACT],
             d->found[STAMMA_DUPLICATE_SPELLING], d->found[STAMMA_DUPLICATE_INCLUDED],
             d->found[STAMMA_DUPLICATE_TRANSPOSED], d->found[STAMMA_DUPLICATE_SIMILAR]);
}

static int write_archive(deduping *d)
{
    stamma_executor executor;
    tool_threads *threads = tool_threads_open(d->threads, &executor);
    /* The detector still needs 5 bytes for each game. */
    const uint64_t used = 5 * d->games, left = d->memory > used ? d->memory - used : 0;
    const stamma_archive_writer_options options = {.size = sizeof options,
                                                   .level = (int)d->level,
                                                   .executor = &executor,
                                                   .memory = left > TOOL_MEMORY_MIN ? left : TOOL_MEMORY_MIN};
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
    if (check(d->first ? stamma_duplicates_open(options, &d->duplicates) : STAMMA_ERROR_NO_MEMORY, NULL) && find(d)) {
        tool_progress_clear();
        status = d->dry_run ? list(d) : write_archive(d);
    }
    tool_progress_clear();
    stamma_duplicates_close(d->duplicates);
    free(d->first);
    return status;
}

static const char *kind_name(unsigned value)
{
    return stamma_duplicate_kind_name((stamma_duplicate_kind)value);
}

static const char *keep_name(unsigned value)
{
    return stamma_keep_name((stamma_keep)value);
}

#define KIND_NAMES "exact, spelling, included, transposed, similar"
#define KEEP_NAMES "longest, result, annotated, tags, latest, first, last"

/* Reads the next of some names separated by commas, and moves *at after it. Returns its value, or 0 after a message. */
static unsigned read_name(const char **at, const char *(*name_of)(unsigned value), const char *option,
                          const char *names)
{
    const stamma_text word = {*at, strcspn(*at, ",")};
    unsigned value = 1;
    *at += word.size + ((*at)[word.size] == ',');
    while (*name_of(value) && !tool_text_is(word, name_of(value)))
        value++;
    if (*name_of(value))
        return value;
    tool_say(NULL, "%s: \"%.*s\" is unknown; use %s", option, (int)word.size, word.data, names);
    return 0;
}

static bool read_kinds(const char *names, unsigned *kinds)
{
    for (const char *at = names; at && *at;) {
        unsigned kind = read_name(&at, kind_name, "--kinds", KIND_NAMES);
        if (kind == 0)
            return false;
        *kinds |= 1u << kind;
    }
    return true;
}

/* Stores the rules in `rules` and their number in *count. */
static bool read_keep(const char *names, stamma_keep rules[KEPT_RULES], size_t *count)
{
    for (const char *at = names; at && *at;) {
        unsigned rule = read_name(&at, keep_name, "--keep", KEEP_NAMES);
        if (rule == 0)
            return false;
        if (*count == KEPT_RULES) {
            tool_say(NULL, "--keep: more than %d rules", (int)KEPT_RULES);
            return false;
        }
        rules[(*count)++] = (stamma_keep)rule;
    }
    return true;
}

/* Reads a limit of 0 to 31 in the form of stamma_duplicates_options. */
static bool read_limit(const char *option, uint64_t value, int *limit)
{
    if (value > LIMIT_MAX)
        tool_say(NULL, "%s: at most %d", option, (int)LIMIT_MAX);
    *limit = value == 0 ? -1 : (int)(value & LIMIT_MAX);
    return value <= LIMIT_MAX;
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
    deduping d = {.memory = MEMORY, .days = 3, .moves = 4};
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
         .help = "kinds of duplicates to find; default: all:\n" KIND_NAMES,
         .text = &d.kinds},
        {.name = "days",
         .value = "N",
         .help = "games with the same moves may have dates that are N days apart, or with\nday and month exchanged; "
                 "default 3; 0: neither",
         .number = &d.days},
        {.name = "moves",
         .value = "N",
         .help = "similar games differ in at most N plies; default 4",
         .number = &d.moves},
        {.name = "keep",
         .value = "RULE,...",
         .help = "rules that decide in turn which game is kept:\n" KEEP_NAMES
                 "\n(of the ARCHIVEs); default: longest,result,annotated,tags,last",
         .text = &d.keep},
        {TOOL_OPTION_LEVEL, .number = &d.level},
        {TOOL_OPTION_THREADS, .number = &d.threads},
        {.name = "memory",
         .value = "SIZE",
         .least = TOOL_MEMORY_MIN,
         .help =
             "memory limit; default 1G. With less memory, the ARCHIVEs are read more\noften; the result is the same",
         .size = &d.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &d.quiet},
    };
    const tool_usage usage = {"dedupe", "-o OUT ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    stamma_duplicates_options found = {.size = sizeof found};
    stamma_keep keep[KEPT_RULES];
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    d.paths = argv;
    d.path_count = (size_t)operands;
    if (!check_use(&d) || !read_kinds(d.kinds, &found.kinds) || !read_keep(d.keep, keep, &found.keep_count) ||
        !read_limit("--days", d.days, &found.days) || !read_limit("--moves", d.moves, &found.moves))
        return TOOL_ERROR;
    found.keep = keep;
    found.memory = d.memory;
    if (!d.dry_run && !(d.output = tool_output_open(d.out, d.force)))
        return TOOL_ERROR;
    status = run(&d, &found);
    tool_output_close(d.output);
    return status;
}
