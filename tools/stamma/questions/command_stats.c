/* SPDX-License-Identifier: MIT */
/* stamma stats: prints statistics of the games of archives. */
#include "questions/answer_search.h"

#include <strings.h>

static const char about[] =
    "Prints statistics of the games of archives that match all conditions: results, lengths,\n"
    "first moves, openings, players, ratings, years, time controls. Without conditions all\n"
    "games count. ARCHIVE may be - for standard input. The games of several archives are added\n"
    "up.\n\n"
    "  stamma stats games.stamma\n"
    "  stamma stats games.stamma --player Carlsen --limit 20\n"
    "  stamma stats 2024.stamma 2025.stamma --each-rating 2400..2500\n"
    "  stamma stats games.stamma --json >games.json; stamma merge-stats games.json more.json\n\n"
    "--by pawns, material, year, opponent, opening, event, site, country, title or federation\n"
    "prints one table instead, with the groups that have the most games first. Pawns and material\n"
    "are those of the position at the match; opponent requires one --player, whose results are\n"
    "then counted; country is that of the site; title and federation are those of each player, or\n"
    "of the opponents of one --player:\n\n"
    "  stamma stats games.stamma --by pawns --ply 40\n"
    "  stamma stats games.stamma --by opponent --player Carlsen\n"
    "  stamma stats games.stamma --by country --limit 20\n\n"
    "--format csv and --format tsv print the rows of all tables, with the name of the table\n"
    "first. --format json prints one object; merge-stats adds up these objects, except those of\n"
    "--by (doc/reference/search.md).";

typedef struct stats_command {
    answer_search search;
    tool_form form;
    bool csv_raw;
    uint64_t limit;
    bool grouped; /* --by names groups, which are in `groups` */
    answer_groups_options groups;
    stamma_stats *stats;
} stats_command;

enum { ROWS = 10 };

static stamma_error add(void *context, answer_search *s, const stamma_search_options *options, stamma_place *place)
{
    stats_command *c = context;
    return stamma_stats_add_archive(c->stats, s->source->archive, s->query, options, place);
}

static bool print_form(const stats_command *c)
{
    tool_table table = {.tabs = c->form == TOOL_FORM_TSV, .raw = c->csv_raw};
    if (c->form == TOOL_FORM_JSON)
        return answer_stats_json(c->stats, c->limit);
    if (c->form == TOOL_FORM_TABLE)
        return answer_stats_table(c->stats, c->limit < UINT64_MAX ? c->limit : ROWS);
    return answer_stats_cells(c->stats, c->limit, &table);
}

static int print_stats(stats_command *c, char **paths, size_t count)
{
    stamma_error error = stamma_stats_open(NULL, &c->stats);
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    if (error || !answer_search_run(&c->search, paths, count, add, c))
        return TOOL_ERROR;
    if (!print_form(c))
        return TOOL_ERROR;
    return stamma_stats_sum(c->stats).results.games > 0 ? TOOL_DONE : TOOL_NOTHING;
}

static bool check_groups(stats_command *c)
{
    c->groups.player = tool_conditions_player(&c->search.values);
    bool placed = c->groups.kind != GROUPS_PAWNS && c->groups.kind != GROUPS_MATERIAL;
    if (c->groups.kind == GROUPS_OPPONENT && !c->groups.player)
        tool_say(NULL, "--by opponent requires one --player or --person");
    else if (!placed && c->search.values.count == 0)
        tool_say(NULL, "--by pawns and --by material require conditions for the position, such as --ply 40");
    else
        return true;
    return false;
}

/* Returns whether a word is a side, in which case --by is a condition. Prints a message if not. */
static bool is_side(const char *word)
{
    if (strcasecmp(word, "white") == 0 || strcasecmp(word, "black") == 0)
        return true;
    tool_say(
        NULL,
        "option --by: unknown word \"%s\"; expected pawns, material, year, opponent, opening, event, site, country, "
        "title, federation, white or black",
        word);
    return false;
}

/* Removes each --by that names groups from the conditions; --by white and --by black are conditions. */
static bool take_groups(stats_command *c)
{
    tool_values *values = &c->search.values;
    size_t kept = 0;
    for (size_t i = 0; i < values->count; i++) {
        bool by = strcmp(values->list[i].name, "by") == 0;
        if (by && answer_groups_find(values->list[i].text, &c->groups.kind))
            c->grouped = true;
        else if (by && !is_side(values->list[i].text))
            return false;
        else
            values->list[kept++] = values->list[i];
    }
    values->count = kept;
    c->groups.form = c->form;
    c->groups.csv_raw = c->csv_raw;
    c->groups.limit = c->limit;
    return !c->grouped || check_groups(c);
}

static int read_options(stats_command *c, int argc, char **argv, int *operands)
{
    const char *format = NULL;
    bool json = false;
    const tool_option own[] = {
        {TOOL_OPTION_FORMAT, .text = &format},
        {.name = "json", .help = "same as --format json: one object, with all rows", .flag = &json},
        {TOOL_OPTION_CSV_RAW, .flag = &c->csv_raw},
        {.name = "limit",
         .value = "N",
         .help = "print at most N rows of a table; default 10 in a table for\npeople, otherwise all",
         .number = &c->limit},
        ANSWER_OPTIONS(&c->search),
    };
    const tool_usage usage = {"stats", "ARCHIVE... [CONDITIONS]", about, own, sizeof own / sizeof *own, 1, -1};
    int status;
    if (!tool_conditions_read(&usage, &c->search.values, argc, argv, operands, &status))
        return status;
    if (!tool_form_read("stats", format, json, TOOL_FORM_TSV, &c->form) || !take_groups(c))
        return TOOL_ERROR;
    return tool_conditions_parse(&c->search.values, &c->search.query) ? -1 : TOOL_ERROR;
}

int tool_stats(int argc, char **argv)
{
    stats_command c = {.limit = UINT64_MAX};
    int operands = 0, status = read_options(&c, argc, argv, &operands);
    if (status < 0 && c.grouped)
        status = answer_groups(&c.search, argv, (size_t)operands, &c.groups);
    else if (status < 0)
        status = print_stats(&c, argv, (size_t)operands);
    if (status == TOOL_NOTHING && !c.search.quiet)
        answer_search_hint(&c.search);
    answer_search_close(&c.search);
    stamma_stats_close(c.stats);
    return status;
}
