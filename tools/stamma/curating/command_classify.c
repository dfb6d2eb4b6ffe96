/* SPDX-License-Identifier: MIT */
/* stamma classify: writes tags that follow from the moves, and finds tags that contradict them. */
#include "curating/classify.h"

#include <time.h>

static const char about[] =
    "Writes tags that follow from the moves: ECO, Opening, Variation, PlyCount, and Result if the\n"
    "final position is a mate or a stalemate. Only missing and unknown tags (?) are written,\n"
    "unless --overwrite is given; everything else stays the same, byte for byte. The ARCHIVEs are\n"
    "not changed.\n\n"
    "The opening is that of the last position that has one in the table, the one of `find\n"
    "--opening` or that of --eco. \"Sicilian Defense: Najdorf Variation\" is Opening and Variation;\n"
    "without Variation in --tags, Opening is the complete name. An unknown Result is also that\n"
    "after the moves, and the other way round.\n\n"
    "--check-tags only lists contradictions: archive, game, check, text. The checks are\n"
    "  result      the tag and the result after the moves differ\n"
    "  position    the result is not that of a mate, a stalemate or insufficient material\n"
    "  rating      not a number, or above 4000\n"
    "  date        malformed, not in the calendar, or after today\n"
    "  event-date  the EventDate is after the Date\n"
    "  eco         no position of the game has the code\n"
    "  ply-count   another number of plies\n"
    "  players     White is Black\n"
    "  setup       SetUp without FEN, or a FEN that is not legal\n"
    "  fide-id     not a number of at most ten digits\n\n"
    "The exit status is 1 if --dry-run or --check-tags finds nothing.";

typedef struct classifying {
    const char *tags, *eco_path;
    bool dry_run, check, json, quiet, pgn;
    tool_many many;
    tool_rewriting rewriting;
    classify_change change;
    tool_changes list;
    uint32_t today;
} classifying;

static tool_verdict rewrite(void *context, const stamma_archive_game *game, uint64_t index, tool_buffer *edited)
{
    classifying *c = context;
    (void)index;
    return classify_change_game(&c->change, game, edited, c->dry_run ? &c->list : NULL);
}

static bool list_game(void *context, const stamma_archive_game *game)
{
    classifying *c = context;
    bool right = true;
    if (game->continuation)
        return true;
    tool_changes_begin(&c->list, c->many.paths[c->many.at], c->many.games - c->many.first[c->many.at] + 1);
    if (c->check) {
        const classify_facts facts = classify_collect(&c->change.eco, game);
        classify_check(&facts, game, c->today, &c->list);
    } else {
        right = rewrite(c, game, c->many.games, NULL) != TOOL_GAME_FAIL;
    }
    tool_changes_end(&c->list);
    return right && tool_printed();
}

/* ---- the command ---- */

static void print_summary(const classifying *c, uint64_t changed)
{
    char number[TOOL_NUMBER_SIZE], all[TOOL_NUMBER_SIZE];
    tool_say(c->rewriting.output ? tool_output_name(c->rewriting.output) : NULL, "%s of %s games %s",
             tool_number(changed, number), tool_number(c->many.games, all),
             c->check     ? "have contradictions"
             : c->dry_run ? "would change"
                          : "changed");
}

/* Sets the day after the current one in UTC, which is today somewhere. */
static void find_today(classifying *c)
{
    const time_t now = time(NULL) + (time_t)24 * 60 * 60;
    struct tm day;
    if (system_utc(now, &day))
        c->today = (uint32_t)(day.tm_year + 1900) * 10000 + (uint32_t)(day.tm_mon + 1) * 100 + (uint32_t)day.tm_mday;
}

static int run(classifying *c)
{
    tool_rewriting *r = &c->rewriting;
    const bool lists = c->dry_run || c->check;
    bool right;
    c->many.progress = tool_changes_progress("classifying", lists, c->quiet);
    find_today(c);
    r->parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
    r->rewrite = rewrite;
    r->context = c;
    if (lists)
        right = tool_many_visit(&c->many, r->parts | (c->check ? 0 : STAMMA_GAME_TEXT), list_game, c);
    else
        right = tool_rewriting_run(r, &c->many);
    tool_progress_clear();
    const uint64_t changed = lists ? c->list.games : r->edited;
    if (right && !c->quiet)
        print_summary(c, changed);
    return !right ? TOOL_ERROR : lists && changed == 0 ? TOOL_NOTHING : TOOL_DONE;
}

/* Reads the names of tags to write, separated by commas. NULL: all. */
static bool read_tags(classifying *c)
{
    for (int n = 0; n < CLASSIFY_TAGS; n++)
        c->change.writes[n] = !c->tags;
    for (const char *at = c->tags; at && *at;) {
        const size_t size = strcspn(at, ",");
        int n = 0;
        while (n < CLASSIFY_TAGS && !tool_text_is((stamma_text){at, size}, classify_tags[n]))
            n++;
        if (n == CLASSIFY_TAGS) {
            tool_say(NULL, "--tags: \"%.*s\" is unknown; use ECO, Opening, Variation, PlyCount, Result", (int)size, at);
            return false;
        }
        c->change.writes[n] = true;
        at += size + (at[size] == ',');
    }
    return true;
}

static bool is_pgn(const classifying *c)
{
    const char *point = c->rewriting.out ? strrchr(c->rewriting.out, '.') : NULL;
    return c->pgn || (point && strcmp(point, ".pgn") == 0);
}

static bool check_use(const classifying *c)
{
    const bool lists = c->dry_run || c->check;
    if (c->dry_run && c->check)
        tool_say(NULL, "--dry-run and --check-tags cannot be used together");
    else if (!c->rewriting.out && !lists)
        tool_say(NULL, "classify: -o is required: the archive to write; --dry-run only lists the changes");
    else if (c->rewriting.out && lists)
        tool_say(NULL, "--%s and -o cannot be used together", c->check ? "check-tags" : "dry-run");
    else if (c->json && !lists)
        tool_say(NULL, "--json requires --dry-run or --check-tags");
    else if (c->check && (c->tags || c->change.overwrite))
        tool_say(NULL, "--tags and --overwrite cannot be used with --check-tags");
    else
        return true;
    return false;
}

static int classify(classifying *c, char **paths, int count)
{
    c->rewriting.command = "classify";
    c->rewriting.pgn = is_pgn(c);
    c->list.json = c->json;
    c->list.member = c->check ? "contradictions" : NULL;
    if (!check_use(c) || !read_tags(c) || (c->eco_path && !eco_file_read(c->eco_path, &c->change.eco)) ||
        !tool_many_open(&c->many, "classify", paths, (size_t)count) ||
        (!c->dry_run && !c->check && !tool_rewriting_open(&c->rewriting)))
        return TOOL_ERROR;
    return run(c);
}

int tool_classify(int argc, char **argv)
{
    classifying c = {.dry_run = false};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write, or PGN if its name ends in .pgn; -: standard output",
         .text = &c.rewriting.out},
        {TOOL_OPTION_FORCE, .flag = &c.rewriting.force},
        {'n', "dry-run", NULL, "write nothing; list each change: archive, game, tag, old value, new\nvalue",
         .flag = &c.dry_run},
        {.name = "check-tags", .earlier = "check", .help = "write nothing; list contradictions", .flag = &c.check},
        {.name = "json", .help = "with --dry-run and --check-tags: print an object for each game", .flag = &c.json},
        {.name = "tags",
         .value = "NAME,...",
         .help = "tags to write; default: ECO,Opening,Variation,PlyCount,Result",
         .text = &c.tags},
        {.name = "overwrite", .help = "also write tags that have another value", .flag = &c.change.overwrite},
        {.name = "eco-table",
         .earlier = "eco",
         .value = "FILE",
         .help = "use the openings of an .eco file of Scid",
         .text = &c.eco_path},
        {.name = "pgn", .help = "write the text of the games, not an archive", .flag = &c.pgn},
        {TOOL_OPTION_LEVEL, .number = &c.rewriting.level},
        {TOOL_OPTION_THREADS, .number = &c.rewriting.threads},
        {TOOL_OPTION_MEMORY, .size = &c.rewriting.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &c.quiet},
    };
    const tool_usage usage = {"classify", "-o OUT ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (tool_options_read(&usage, argc, argv, &operands, &status))
        status = classify(&c, argv, operands);
    tool_rewriting_close(&c.rewriting);
    tool_many_close(&c.many);
    classify_change_free(&c.change);
    return status;
}
