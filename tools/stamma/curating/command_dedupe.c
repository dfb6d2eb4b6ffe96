/* SPDX-License-Identifier: MIT */
/* stamma dedupe: writes each game of archives only once. */
#include "curating/dedupe.h"

static const char about[] =
    "Finds games that occur several times in the ARCHIVEs, and writes an archive with one of\n"
    "each. The ARCHIVEs are not changed. The text of each game that is written is unchanged,\n"
    "byte for byte, unless something is merged into it. The games keep their order.\n\n"
    "These kinds of duplicates are found:\n"
    "  exact       the same moves, players, date, event and result\n"
    "  spelling    the same moves; names, event, date or result differ in spelling or are missing\n"
    "  included    the moves of one game are the beginning of the other game\n"
    "  transposed  the same players, date and last position; the same moves in another order\n"
    "  similar     the same players and date; a few moves, or the last plies, differ\n"
    "  probable    probably the same game: exchanged colours, another date, result or name. Such\n"
    "              games are listed with a score and the reason, and kept (see --probable)\n"
    "Games with different FIDE ids, rounds, UTC times or addresses on the same site are\n"
    "different games. A game that is partly kept as text is never a duplicate. doc/reference/duplicates.md\n"
    "describes all rules.\n\n"
    "The game with the most plies is kept; then one with a result, with the most comments and\n"
    "variations, with the most tags; then the last (see --keep). With --merge, tags, comments\n"
    "and variations that only the others have are added to it.\n\n"
    "With --new-only, the games of the first ARCHIVE are kept, not compared with each other, and not\n"
    "written: OUT contains the games of the other ARCHIVEs that are new. If the first ARCHIVE has\n"
    "an index file, only its similar games are read.\n\n"
    "The exit status is 1 if --dry-run finds no duplicates.";

#define MEMORY ((uint64_t)1 << 30)
#define READING ((uint64_t)32 << 20) /* memory of the archive that is read */
enum { KEPT_RULES = 7, LIMIT_MAX = 31, SCORE_MIN = 60, SCORE_MAX = 99, ALL_KINDS = 126 };

typedef struct deduping {
    tool_many many;
    tool_rewriting writing;
    const char *kinds, *keep, *merges;
    bool dry_run, json, quiet, new_only;
    uint64_t days, moves;
    stamma_duplicates *duplicates;
    dedupe_new known;
    tool_selection selection;
    dedupe_found found;
    dedupe_merge merge; /* unless nothing is merged */
    uint64_t counts[DEDUPE_KINDS], probable;
    dedupe_report report;
    const char *decisions_path;
    dedupe_decisions decisions;
} deduping;

static bool is_merging(const deduping *d)
{
    return d->merge.merging.what != 0;
}

/* Returns false after a message. */
static bool check(stamma_error error)
{
    if (error == STAMMA_ERROR_LIMIT)
        tool_say(NULL, DEDUPE_MEMORY);
    else if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

static bool add(void *context, const stamma_archive_game *game)
{
    deduping *d = context;
    return game->continuation || check(stamma_duplicates_add(d->duplicates, game));
}

/* Reads the archives as often as the detector needs. */
static bool find(deduping *d)
{
    unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
    bool right = true;
    d->known.duplicates = d->duplicates;
    d->selection = dedupe_new_compared(&d->known);
    d->many.selection = &d->selection;
    while (right && parts)
        right = tool_many_visit(&d->many, parts, add, d) && check(stamma_duplicates_find(d->duplicates, &parts));
    d->selection = dedupe_new_written(&d->known);
    d->many.selection = d->known.known > 0 ? &d->selection : NULL;
    return right;
}

/* ---- the list of duplicates ---- */

/* Prints the additions of a game to the game that is kept: names of tags, and numbers of comments, NAGs and variations.
 * */
static void list_added(const tool_merged *added)
{
    const stamma_text tags = {added->tags.bytes, added->tags.size};
    tool_put_char('\t');
    if (tags.size > 0)
        tool_put(tags.data, tags.size);
    else
        tool_put_char('-');
    const size_t numbers[] = {added->comments, added->nags, added->variations};
    for (size_t n = 0; n < 3; n++) {
        tool_put_char('\t');
        tool_put_number(numbers[n]);
    }
}

static void json_added(const tool_merged *added)
{
    tool_json_open("adds", '{');
    tool_json_open("tags", '[');
    for (size_t at = 0; at < added->tags.size;) {
        const char *name = added->tags.bytes + at, *comma = memchr(name, ',', added->tags.size - at);
        const size_t size = comma ? (size_t)(comma - name) : added->tags.size - at;
        tool_json_text(NULL, (stamma_text){name, size});
        at += size + 1;
    }
    tool_json_close(']');
    tool_json_number("comments", added->comments);
    tool_json_number("nags", added->nags);
    tool_json_number("variations", added->variations);
    tool_json_close('}');
}

static void list_game(deduping *d, uint64_t index, const stamma_duplicate *game)
{
    static const tool_merged nothing = {0};
    stamma_duplicate same;
    const bool merged = is_merging(d) && dedupe_merges(&d->found, index, &same);
    const tool_merged *added = !is_merging(d) ? NULL : merged ? dedupe_merge_added(&d->merge, index) : &nothing;
    const char *reason = stamma_duplicate_reason_name(game->reason);
    uint64_t number, kept_number;
    const char *path = tool_many_place(&d->many, index, &number);
    const char *kept = tool_many_place(&d->many, game->kept, &kept_number);
    const char *kind = stamma_duplicate_kind_name(game->kind);
    if (!d->json) {
        printf("%s\t%s\t%" PRIu64 "\t%s\t%" PRIu64, kind, path, number, kept, kept_number);
        if (added)
            list_added(added);
        if (*reason)
            printf("\t%" PRIu32 "\t%s", game->score, reason);
        tool_put_char('\n');
        tool_put_flush();
        return;
    }
    tool_json_open(NULL, '{');
    tool_json_string("kind", kind);
    tool_json_string("archive", path);
    tool_json_number("game", number);
    tool_json_string("kept_archive", kept);
    tool_json_number("kept_game", kept_number);
    if (added)
        json_added(added);
    if (*reason) {
        tool_json_number("score", game->score);
        tool_json_string("reason", reason);
    }
    tool_json_close('}');
    tool_json_end();
}

static bool count_game(void *context, const stamma_archive_game *game)
{
    deduping *d = context;
    stamma_duplicate found;
    const bool removed = dedupe_removes(&d->found, d->many.games, &found);
    if (!game->continuation)
        dedupe_report_count(&d->report, d->many.at, game, removed, found.kind);
    return true;
}

static int list(deduping *d)
{
    uint64_t count = 0;
    if (is_merging(d) && !dedupe_merge_try(&d->merge))
        return TOOL_ERROR;
    if (d->report.path && !tool_many_visit(&d->many, STAMMA_GAME_TAGS, count_game, d))
        return TOOL_ERROR;
    tool_progress_clear();
    for (size_t n = 0; n < stamma_duplicates_count(d->duplicates); n++) {
        stamma_duplicate game;
        (void)dedupe_removes(&d->found, n, &game);
        if (game.kind == STAMMA_DUPLICATE_NONE)
            continue;
        list_game(d, n, &game);
        count++;
        if (!tool_printed())
            return TOOL_ERROR;
    }
    return count > 0 ? TOOL_DONE : TOOL_NOTHING;
}

/* ---- the archive without duplicates ---- */

/* Decides about a game. */
static tool_verdict decide(deduping *d, const stamma_archive_game *game, uint64_t index, bool removed,
                           stamma_duplicate_kind kind, tool_buffer *edited)
{
    const dedupe_decision *decision = dedupe_decisions_find(&d->decisions, index);
    if (decision && !decision->keep)
        return TOOL_GAME_DROP;
    if (decision && removed)
        return TOOL_GAME_KEEP;
    d->counts[removed ? kind : STAMMA_DUPLICATE_NONE]++;
    d->probable += !removed && kind == STAMMA_DUPLICATE_PROBABLE;
    if (removed)
        return TOOL_GAME_DROP;
    if (is_merging(d) && !dedupe_merge_game(&d->merge, index, game->text, edited))
        return TOOL_GAME_FAIL;
    return edited->size > 0 ? TOOL_GAME_EDIT : TOOL_GAME_KEEP;
}

static tool_verdict rewrite(void *context, const stamma_archive_game *game, uint64_t index, tool_buffer *edited)
{
    deduping *d = context;
    stamma_duplicate found;
    const bool removed = dedupe_removes(&d->found, index, &found);
    const tool_verdict verdict = decide(d, game, index, removed, found.kind, edited);
    const bool decided = verdict == TOOL_GAME_DROP && !removed;
    if (d->report.path)
        dedupe_report_count(&d->report, d->many.at, game, verdict == TOOL_GAME_DROP,
                            decided ? STAMMA_DUPLICATE_NONE : found.kind);
    return verdict;
}

/* Returns the game that is kept instead of a game that is removed. */
static uint64_t kept_instead(void *context, uint64_t index)
{
    const deduping *d = context;
    stamma_duplicate game;
    return dedupe_removes(&d->found, index, &game) ? game.kept : UINT64_MAX;
}

static void print_summary(const deduping *d)
{
    char games[TOOL_NUMBER_SIZE], number[TOOL_NUMBER_SIZE];
    const uint64_t removed = d->writing.dropped;
    tool_say(tool_output_name(d->writing.output), "%s of %s games", tool_number(d->writing.counts.games, games),
             tool_number(d->many.games - d->known.known, number));
    if (d->decisions.count > 0)
        tool_say(NULL, "%s decisions of %s were applied", tool_number(d->decisions.count, number), d->decisions_path);
    tool_say(NULL,
             "%s duplicate%s: %" PRIu64 " exact, %" PRIu64 " spelling, %" PRIu64 " included, %" PRIu64
             " transposed, %" PRIu64 " similar",
             tool_number(removed, number), removed == 1 ? "" : "s", d->counts[STAMMA_DUPLICATE_EXACT],
             d->counts[STAMMA_DUPLICATE_SPELLING], d->counts[STAMMA_DUPLICATE_INCLUDED],
             d->counts[STAMMA_DUPLICATE_TRANSPOSED], d->counts[STAMMA_DUPLICATE_SIMILAR]);
    if (d->counts[STAMMA_DUPLICATE_PROBABLE] > 0)
        tool_say(NULL, "%" PRIu64 " probable (--probable)", d->counts[STAMMA_DUPLICATE_PROBABLE]);
    if (d->probable > 0)
        tool_say(NULL, "%" PRIu64 " probable duplicate%s kept: --dry-run lists such games, --probable removes them",
                 d->probable, d->probable == 1 ? " was" : "s were");
    if (is_merging(d))
        tool_say(NULL,
                 "merged into %" PRIu64 " game%s: %" PRIu64 " tags, %" PRIu64 " comments, %" PRIu64 " NAGs, %" PRIu64
                 " variations",
                 d->merge.games, d->merge.games == 1 ? "" : "s", d->merge.tags, d->merge.comments, d->merge.nags,
                 d->merge.variations);
}

static int write_archive(deduping *d)
{
    /* The detector still needs 5 bytes for each game. */
    const uint64_t used = 5 * d->many.games, left = d->writing.memory > used ? d->writing.memory - used : 0;
    d->writing.memory = left > TOOL_MEMORY_MIN ? left : TOOL_MEMORY_MIN;
    d->writing.parts = d->report.path ? STAMMA_GAME_TAGS : 0;
    d->writing.unread = d->new_only ? d->known.known : 0;
    if (!tool_rewriting_run(&d->writing, &d->many))
        return TOOL_ERROR;
    if (!d->quiet)
        print_summary(d);
    return TOOL_DONE;
}

/* ---- the command ---- */

static int run(deduping *d, stamma_duplicates_options *options)
{
    int status = TOOL_ERROR;
    d->many.progress = tool_progress_start("reading", 0, d->quiet);
    bool right = !d->new_only || dedupe_new_open(&d->known, &d->many);
    options->known = d->known.known;
    right = right && check(stamma_duplicates_open(options, &d->duplicates)) && find(d);
    d->found.duplicates = d->duplicates;
    d->merge.found = &d->found;
    d->merge.decisions = &d->decisions;
    right = right && (!d->decisions_path || dedupe_decisions_read(d->decisions_path, &d->many, &d->decisions));
    if (right && (!is_merging(d) || dedupe_merge_read(&d->merge, &d->many))) {
        tool_progress_clear();
        status = d->dry_run ? list(d) : write_archive(d);
        d->report.merge = is_merging(d) ? &d->merge : NULL;
        if (status != TOOL_ERROR && !dedupe_report_write(&d->report, &d->many))
            status = TOOL_ERROR;
    }
    tool_progress_clear();
    dedupe_merge_close(&d->merge);
    stamma_duplicates_close(d->duplicates);
    free(d->decisions.list);
    free(d->known.similar.all);
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

static const char *merge_name(unsigned value)
{
    static const char *const names[] = {"", "tags", "comments", "variations", ""};
    return names[value];
}

#define MERGE_NAMES "tags, comments, variations"
#define KIND_NAMES "exact, spelling, included, transposed, similar, probable"
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

static bool read_merges(const char *names, unsigned *merges)
{
    for (const char *at = names; at && *at;) {
        unsigned value = read_name(&at, merge_name, "--merge", MERGE_NAMES);
        if (value == 0)
            return false;
        *merges |= 1u << (value - 1);
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

/* Reads the option --probable. */
static bool read_score(uint64_t value)
{
    if (value != 0 && (value < SCORE_MIN || value > SCORE_MAX))
        tool_say(NULL, "--probable: %d to %d, or 0", (int)SCORE_MIN, (int)SCORE_MAX);
    return value == 0 || (value >= SCORE_MIN && value <= SCORE_MAX);
}

static bool check_use(const deduping *d)
{
    if (!d->writing.out && !d->dry_run)
        tool_say(NULL, "dedupe: -o is required: the archive to write; --dry-run only lists the duplicates");
    else if (d->writing.out && d->dry_run)
        tool_say(NULL, "--dry-run and -o cannot be used together");
    else if (d->json && !d->dry_run)
        tool_say(NULL, "--json requires --dry-run");
    else if (d->new_only && d->merges)
        tool_say(NULL, "--new-only and --merge cannot be used together: known games are not written");
    else if (d->decisions_path && d->dry_run)
        tool_say(NULL, "--decisions and --dry-run cannot be used together");
    else
        return true;
    return false;
}

int tool_dedupe(int argc, char **argv)
{
    deduping d = {.writing = {.command = "dedupe", .rewrite = rewrite, .heir = kept_instead, .memory = MEMORY},
                  .days = 3,
                  .moves = 4};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write; -: standard output", .text = &d.writing.out},
        {TOOL_OPTION_FORCE, .flag = &d.writing.force},
        {'n', "dry-run", NULL,
         "write nothing; list each duplicate: its kind, archive and number, and\nthe archive and number of the game "
         "that is kept",
         .flag = &d.dry_run},
        {.name = "new-only",
         .help = "write only the games of the other ARCHIVEs that the first ARCHIVE does not have",
         .flag = &d.new_only},
        {.name = "json", .help = "with --dry-run: print an object for each duplicate", .flag = &d.json},
        {.name = "kinds",
         .value = "KIND,...",
         .help = "kinds of duplicates to find; default: all:\n" KIND_NAMES,
         .text = &d.kinds},
        {.name = "days",
         .value = "N",
         .help = "games with the same moves may have dates that are N days apart, or with\nday and month exchanged; "
                 "default 3. "
                 "In the same event and round, dates may\nbe a month apart or have another year. 0: none of these",
         .number = &d.days},
        {.name = "max-differences",
         .earlier = "moves",
         .value = "N",
         .help = "similar games differ in at most N plies; default 4",
         .number = &d.moves},
        {.name = "probable",
         .value = "SCORE",
         .help = "also remove probable duplicates with this score, 60 to 99, or a higher score;\ndefault 0: none",
         .number = &d.found.least_score},
        {.name = "keep",
         .value = "RULE,...",
         .help = "rules that decide in turn which game is kept:\n" KEEP_NAMES
                 "\n(of the ARCHIVEs); default: longest,result,annotated,tags,last",
         .text = &d.keep},
        {.name = "report",
         .value = "FILE",
         .help = "also write a report of what was found and done: JSON or an HTML page\nwith plots, if the name ends "
                 "with .json or .html",
         .text = &d.report.path},
        {.name = "decisions",
         .value = "FILE",
         .help =
             "keep or drop the games that this CSV file lists, whatever the rules\ndecide; the page of stamma serve "
             "writes it",
         .text = &d.decisions_path},
        {.name = "merge",
         .value = "WHAT,...",
         .help = "what is added to the game that is kept if only the others have it:\n" MERGE_NAMES
                 "; default: nothing. The list of\n--dry-run then shows what each game adds",
         .text = &d.merges},
        {TOOL_OPTION_LEVEL, .number = &d.writing.level},
        {TOOL_OPTION_THREADS, .number = &d.writing.threads},
        {.name = "memory",
         .value = "SIZE",
         .least = TOOL_MEMORY_MIN,
         .help =
             "memory limit; default 1G. With less memory, the ARCHIVEs are read more\noften; the result is the same",
         .size = &d.writing.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &d.quiet},
    };
    const tool_usage usage = {"dedupe", "-o OUT ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    stamma_duplicates_options found = {.size = sizeof found};
    stamma_keep keep[KEPT_RULES];
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    d.writing.context = &d;
    if (!check_use(&d) || !read_kinds(d.kinds, &found.kinds) || !read_keep(d.keep, keep, &found.keep_count) ||
        !read_merges(d.merges, &d.merge.merging.what) || !read_limit("--days", d.days, &found.days) ||
        !read_limit("--max-differences", d.moves, &found.moves) || !read_score(d.found.least_score))
        return TOOL_ERROR;
    found.kinds = found.kinds ? found.kinds : ALL_KINDS;
    found.keep = keep;
    found.memory = d.writing.memory - READING;
    d.report.force = d.writing.force;
    d.report.first = d.new_only;
    if (tool_many_open(&d.many, "dedupe", argv, (size_t)operands) && dedupe_report_open(&d.report, (size_t)operands) &&
        (d.dry_run || tool_rewriting_open(&d.writing)))
        status = run(&d, &found);
    tool_rewriting_close(&d.writing);
    dedupe_report_close(&d.report);
    tool_many_close(&d.many);
    return status;
}
