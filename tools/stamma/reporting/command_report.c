/* SPDX-License-Identifier: MIT */
/* stamma report: describes how a player plays, or how an opening is played, from the games in archives. */
#include "reporting/opening.h"
#include "reporting/report_outputs.h"

static const char about[] =
    "Prints a report of a player's games, for the preparation against an opponent: scores by colour,\n"
    "opening, year, opponent, opponent's rating and length; recent form; the repertoire as a tree of\n"
    "moves; time use; and novelties. PLAYER is the beginning of a name, as in find --player; all\n"
    "spellings that match are listed. =NAME is exactly this name. @PERSON is a person in the file of\n"
    "persons, with all names and accounts; --person PERSON replaces PLAYER. Conditions select games.\n"
    "ARCHIVE may be - for standard input.\n\n"
    "  stamma report Tal games.stamma\n"
    "  stamma report Carlsen *.stamma --date 2022.. --speed blitz -o carlsen.html\n"
    "  stamma report Carlsen games.stamma --color black --repertoire-pgn -o black.pgn\n\n"
    "-o writes a self-contained HTML page with plots, which can be printed. --repertoire-pgn writes\n"
    "the repertoire as a game for each colour with variations; the main line has the moves played most.\n\n"
    "Without PLAYER, --opening is a sequence of moves, a FEN, an ECO code or an opening's name, and the\n"
    "report is about the opening: main and rising lines, results by year and rating, key games, pawn\n"
    "structures, endgames and plans. -o and --repertoire-pgn write its page and its lines.\n\n"
    "  stamma report games.stamma --opening \"e4 c5 Nf3 d6 d4\" -o open-sicilian.html\n"
    "  stamma report games.stamma --opening Najdorf --rating 2500..\n\n"
    "--unique counts games once that are in several archives; stamma dedupe also finds other\n"
    "spellings. doc/reference/reports.md describes all tables.";

enum { TEXT_DEPTH = 6, DEPTH = 16, DEPTH_MAX = 1000, TEXT_ROWS = 10, PAGE_ROWS = 15 };

typedef struct report_command {
    report r;
    const char *color, *since, *until, *out;
    char *dates[2]; /* values of --date for --since and --until */
    char *label;
    bool json, pgn, force;
    tool_output *output;
    opening_report o; /* a report about an opening if `wanted` is set; o.r is moved from `r` */
} report_command;

/* ---- conditions ---- */

/* Adds a condition for the date: a range of which the other end is open. */
static bool add_date(report_command *c, const char *name, const char *text, bool since)
{
    stamma_date date;
    char *range = malloc(strlen(text) + 3);
    c->dates[since] = range;
    if (!range)
        return tool_fail_memory(NULL);
    if (!stamma_date_read(stamma_text_of(text), &date) || strstr(text, "..")) {
        tool_say(NULL, "option --%s: \"%s\" is not a date, such as 2019 or 2019-05-31", name, text);
        return false;
    }
    (void)sprintf(range, since ? "%s.." : "..%s", text);
    return tool_values_add(&c->r.search.values, "date", range);
}

static bool read_color(report_command *c)
{
    c->r.color = -1;
    if (c->color && strcmp(c->color, "white") == 0)
        c->r.color = STAMMA_WHITE;
    else if (c->color && strcmp(c->color, "black") == 0)
        c->r.color = STAMMA_BLACK;
    else if (c->color) {
        tool_say(NULL, "option --color: unknown word \"%s\"; expected white or black", c->color);
        return false;
    }
    return true;
}

static bool add_dates(report_command *c)
{
    return (!c->since || add_date(c, "since", c->since, true)) && (!c->until || add_date(c, "until", c->until, false));
}

/* Returns whether an operand names an archive rather than a player. */
static bool is_archive(const char *operand)
{
    FILE *file = strcmp(operand, "-") == 0 ? stdin : system_stream(operand);
    if (file && file != stdin)
        (void)fclose(file);
    return file != NULL;
}

/* Chooses the player: --person, or otherwise the first operand. */
static bool choose_player(report_command *c, char **operands, size_t count)
{
    static const char *const names[] = {"white", "black"}, *const persons[] = {"white-person", "black-person"};
    report *r = &c->r;
    tool_values *values = &r->search.values;
    size_t n = 0;
    while (n < values->count && strcmp(values->list[n].name, "person") != 0)
        n++;
    const size_t named = n == values->count;
    if (count <= named) {
        tool_say(NULL, "report needs PLAYER ARCHIVE... [CONDITIONS], or an archive and --opening");
        return false;
    }
    if (named && is_archive(operands[0])) {
        tool_say(operands[0], "the name of the player comes first: stamma report PLAYER %s", operands[0]);
        return false;
    }
    values->archives = r->paths = operands + named;
    values->archive_count = r->path_count = count - named;
    r->chosen = named ? (tool_value){"player", operands[0]} : values->list[n];
    if (named)
        return tool_values_add(values, r->color < 0 ? "player" : names[r->color], operands[0]);
    if (r->color >= 0)
        values->list[n].name = persons[r->color];
    return true;
}

static bool add_conditions(report_command *c, char **operands, size_t count)
{
    report *r = &c->r;
    return read_color(c) && choose_player(c, operands, count) && add_dates(c) &&
           tool_conditions_parse(&r->search.values, &r->search.query) &&
           (r->player = c->label = tool_conditions_label(&r->search.values, &r->chosen)) != NULL;
}

/* Returns whether the report is about an opening: --opening is given, and there is no player. Removes
 * --opening from the conditions. */
static bool take_opening(report_command *c, char **operands, int count)
{
    tool_values *values = &c->r.search.values;
    size_t kept = 0;
    const char *wanted = NULL;
    for (size_t i = 0; i < values->count; i++)
        wanted = strcmp(values->list[i].name, "opening") == 0 ? values->list[i].text : wanted;
    for (size_t i = 0; i < values->count; i++)
        wanted = strcmp(values->list[i].name, "person") == 0 ? NULL : wanted;
    if (!wanted || (count > 1 && !is_archive(operands[0])))
        return false;
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->list[i].name, "opening") != 0)
            values->list[kept++] = values->list[i];
    values->count = kept;
    c->o.wanted = wanted;
    values->archives = c->r.paths = operands;
    values->archive_count = c->r.path_count = (size_t)count;
    return true;
}

/* ---- options ---- */

/* Sets the defaults, which are smaller in a terminal. */
static bool settle(report_command *c)
{
    report *r = &c->r;
    const bool text = !c->out && !c->json && !c->pgn;
    if (c->json && c->pgn) {
        tool_say(NULL, "--json and --repertoire-pgn cannot be used together");
        return false;
    }
    if (r->depth == UINT64_MAX)
        r->depth = text ? TEXT_DEPTH : DEPTH;
    if (r->depth > DEPTH_MAX)
        r->depth = DEPTH_MAX;
    if (r->limit == UINT64_MAX)
        r->limit = text ? TEXT_ROWS : PAGE_ROWS;
    r->no_novelties = r->no_novelties || c->pgn;
    if (c->o.wanted && c->color) {
        tool_say(NULL, "option --color: a report of an opening has no player");
        return false;
    }
    return true;
}

static int read_options(report_command *c, int argc, char **argv)
{
    report *r = &c->r;
    const tool_option own[] = {
        {'o', "output", "OUT",
         "write an HTML page, or the output of --json or --repertoire-pgn, to\na file; -: standard output",
         .text = &c->out},
        {TOOL_OPTION_FORCE, .flag = &c->force},
        {.name = "json", .help = "print one JSON object, with all rows", .flag = &c->json},
        {.name = "repertoire-pgn",
         .earlier = "pgn",
         .help = "print the repertoire as PGN with variations",
         .flag = &c->pgn},
        {.name = "color", .value = "COLOUR", .help = "only games as white or black", .text = &c->color},
        {.name = "since", .value = "DATE", .text = &c->since}, /* earlier forms of --date */
        {.name = "until", .value = "DATE", .text = &c->until},
        {.name = "unique",
         .help = "count the first of several games that are the same game (doc/reference/duplicates.md)",
         .flag = &r->unique},
        {.name = "depth",
         .value = "N",
         .help = "depth of the repertoire in plies; default 16, in a terminal 6",
         .number = &r->depth},
        {.name = "min-games",
         .value = "N",
         .help = "omit moves of fewer games from the repertoire; default: 2 % of\nthe games, at least 2",
         .number = &r->least},
        {.name = "novelties",
         .value = "N",
         .help = "list novelties after ply N; default 16",
         .number = &r->novelty_ply},
        {.name = "no-novelties",
         .help = "omit the novelties, for which all games of the archives are read",
         .flag = &r->no_novelties},
        {.name = "recent", .value = "N", .help = "number of recent games; default 10", .number = &r->recent},
        {.name = "limit",
         .value = "N",
         .help = "maximum number of rows of other tables; default 15, in a\nterminal 10",
         .number = &r->limit},
        ANSWER_OPTIONS(&r->search),
    };
    const tool_usage usage = {"report", "PLAYER ARCHIVE... [CONDITIONS]", about, own, sizeof own / sizeof *own, 1, -1};
    int operands, status;
    if (!tool_conditions_read(&usage, &r->search.values, argc, argv, &operands, &status))
        return status;
    if (take_opening(c, argv, operands))
        return settle(c) && add_dates(c) ? -1 : TOOL_ERROR;
    return settle(c) && add_conditions(c, argv, (size_t)operands) ? -1 : TOOL_ERROR;
}

/* ---- output ---- */

static bool print(report_command *c)
{
    const report *r = &c->r;
    const opening_report *o = c->o.wanted ? &c->o : NULL;
    if (!c->out && !c->json && !c->pgn)
        return o ? opening_put_text(o) : report_put_text(r);
    c->output = tool_output_open(c->out ? c->out : "-", c->force);
    if (!c->output)
        return false;
    const stamma_output output = tool_output_callbacks(c->output);
    bool right;
    if (c->pgn)
        right = o ? opening_put_pgn(o, &output) : report_put_pgn(r, &output);
    else {
        tool_put_to(&output);
        right = o && c->json ? opening_put_json(o)
                : o          ? opening_put_html(o)
                : c->json    ? report_put_json(r)
                             : report_put_html(r);
        tool_put_to(NULL);
    }
    return right && tool_output_finish(c->output);
}

static int make_opening(report_command *c)
{
    report *r = &c->o.r;
    *r = c->r;
    c->r = (report){.color = -1};
    if (!opening_read(&c->o))
        return TOOL_ERROR;
    if (r->count == 0)
        return TOOL_NOTHING;
    if (!report_count_opening(r) || !report_tree_make(r, STAMMA_WHITE) || !opening_find_lines(&c->o) ||
        !opening_find_plans(&c->o) || !print(c))
        return TOOL_ERROR;
    return TOOL_DONE;
}

static int make(report_command *c)
{
    report *r = &c->r;
    if (!report_games_read(r))
        return TOOL_ERROR;
    if (r->count == 0)
        return TOOL_NOTHING;
    if (!report_count(r) || !report_trees_make(r) || (!r->no_novelties && !report_novelties_find(r)) || !print(c))
        return TOOL_ERROR;
    return TOOL_DONE;
}

static void report_close(report *r)
{
    report_games_close(r);
    report_counts_close(r);
    report_trees_close(r);
    free(r->novelties);
    answer_search_close(&r->search);
}

int tool_report(int argc, char **argv)
{
    char number[TOOL_NUMBER_SIZE];
    report_command c = {
        .r = {.depth = UINT64_MAX, .least = UINT64_MAX, .novelty_ply = DEPTH, .recent = 10, .limit = UINT64_MAX}};
    int status = read_options(&c, argc, argv);
    if (status < 0)
        status = c.o.wanted ? make_opening(&c) : make(&c);
    report *r = c.o.wanted ? &c.o.r : &c.r;
    if (status == TOOL_NOTHING && !r->search.quiet) {
        tool_say(NULL, "no game of \"%s\" was found", c.o.wanted ? c.o.wanted : c.r.player);
        if (!c.o.wanted)
            answer_search_hint(&c.r.search);
    } else if (status == TOOL_DONE && c.out && strcmp(c.out, "-") != 0 && !r->search.quiet)
        tool_say(c.out, "%s games", tool_number(r->count, number));
    tool_output_close(c.output);
    report_close(&c.r);
    report_close(&c.o.r);
    opening_close(&c.o);
    free(c.label);
    free(c.dates[0]);
    free(c.dates[1]);
    return status;
}
