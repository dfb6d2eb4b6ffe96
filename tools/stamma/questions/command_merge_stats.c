/* SPDX-License-Identifier: MIT */
/* stamma merge-stats: adds up answers to the same question from several archives. */
#include "questions/answer_search.h"

static const char about[] =
    "Adds up outputs of `stamma tree --json`, `stamma stats --json` or `stamma find --wdl\n"
    "--json`. All must be of the same command, and trees of the same position. The sum is what\n"
    "the command would print for all archives together. A FILE may contain several outputs, one\n"
    "a line, and may be - for standard input.\n\n"
    "  stamma tree a.stamma --json >a.json; stamma tree b.stamma --json >b.json\n"
    "  stamma merge-stats a.json b.json\n"
    "  for shard in *.stamma; do stamma stats $shard --json; done | stamma merge-stats - --format table\n\n"
    "Do not add up outputs that --limit shortened: rows that were omitted are missing from the\n"
    "sum.";

typedef struct merge_command {
    tool_form form;
    uint64_t limit;
    stamma_tree *tree; /* the sum; only one is set */
    stamma_stats *stats;
    bool has_results;
    uint64_t results[4];
} merge_command;

/* Adds a tree. Returns SYNTAX if the line is not a tree; *fault describes an error other than its kind. */
static stamma_error add_tree(merge_command *c, stamma_text line, stamma_query_problem *fault)
{
    stamma_tree *tree = NULL;
    stamma_error error = stamma_tree_read_json(line, NULL, fault, &tree);
    if (error || !c->tree) {
        c->tree = error ? c->tree : tree;
        return error;
    }
    error = stamma_tree_merge(c->tree, tree);
    stamma_tree_close(tree);
    return error;
}

static stamma_error add_stats(merge_command *c, stamma_text line, stamma_query_problem *fault)
{
    stamma_stats *stats = NULL;
    stamma_error error = stamma_stats_read_json(line, NULL, fault, &stats);
    if (error || !c->stats) {
        c->stats = error ? c->stats : stats;
        return error;
    }
    error = stamma_stats_merge(c->stats, stats);
    stamma_stats_close(stats);
    return error;
}

/* Returns whether the line has results; if not, another function reads it. */
static bool add_results(merge_command *c, const char *name, uint64_t number, stamma_text line, bool *right)
{
    uint64_t results[4];
    if (!answer_results_read(line, results, right))
        return false;
    c->has_results = true;
    for (size_t i = 0; i < 4 && *right; i++)
        c->results[i] += results[i];
    if (!*right)
        tool_say(name, "line %" PRIu64 ": not the output of find --wdl --json", number);
    return true;
}

static bool is_of_kind(const stamma_query_problem *fault)
{
    return strncmp(fault->message, "\"kind\"", 6) != 0;
}

static bool add_line(merge_command *c, const char *name, uint64_t number, stamma_text line)
{
    stamma_query_problem fault = {.size = 0};
    bool right = true;
    stamma_error error = add_results(c, name, number, line, &right) ? STAMMA_OK : add_tree(c, line, &fault);
    if (error == STAMMA_ERROR_SYNTAX && !is_of_kind(&fault))
        error = add_stats(c, line, &fault);
    if (error == STAMMA_ERROR_SYNTAX && is_of_kind(&fault))
        tool_say(name, "line %" PRIu64 ", column %zu: %s", number, fault.offset + 1, fault.message);
    else if (error == STAMMA_ERROR_SYNTAX)
        tool_say(name, "line %" PRIu64 ": not the output of tree, stats or find --wdl", number);
    else if (error == STAMMA_ERROR_BAD_ARGUMENT)
        tool_say(name, "line %" PRIu64 ": a tree of another position, or one of them has no history", number);
    else if (error)
        tool_say(name, "%s", stamma_error_text(error));
    bool mixed = (c->tree != NULL) + (c->stats != NULL) + c->has_results > 1;
    if (!error && right && mixed)
        tool_say(name, "line %" PRIu64 ": its kind differs from the previous lines", number);
    return !error && right && !mixed;
}

static bool add_lines(merge_command *c, const char *name, const char *text, size_t size)
{
    bool right = true;
    uint64_t number = 0;
    while (size > 0 && right) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size, blanks = 0;
        number++;
        while (blanks < length && strchr(" \t\r", text[blanks]) && text[blanks])
            blanks++;
        if (blanks < length)
            right = add_line(c, name, number, (stamma_text){text, length});
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
    return right;
}

static bool add_file(merge_command *c, const char *path)
{
    tool_mapped file;
    if (!tool_mapped_open(path, &file))
        return false;
    bool right = add_lines(c, file.name, (const char *)file.bytes, file.size);
    tool_mapped_close(&file);
    return right;
}

static int print_sum(merge_command *c)
{
    tool_table cells = {.tabs = c->form == TOOL_FORM_TSV};
    uint64_t games = 0;
    bool right = true, limited = c->limit < UINT64_MAX;
    if (c->tree) {
        games = stamma_tree_total(c->tree).games;
        if (c->form == TOOL_FORM_TABLE)
            answer_tree_table(c->tree, c->limit);
        else if (c->form == TOOL_FORM_JSON)
            right = answer_tree_json(c->tree, c->limit);
        else
            answer_tree_cells(c->tree, c->limit, &cells);
    } else if (c->stats) {
        games = stamma_stats_sum(c->stats).results.games;
        right = c->form == TOOL_FORM_TABLE  ? answer_stats_table(c->stats, limited ? c->limit : 10)
                : c->form == TOOL_FORM_JSON ? answer_stats_json(c->stats, c->limit)
                                            : answer_stats_cells(c->stats, c->limit, &cells);
    } else if (c->has_results) {
        games = c->results[0] + c->results[1] + c->results[2] + c->results[3];
        answer_results_print(c->results, NULL, c->form != TOOL_FORM_TABLE);
    } else {
        tool_say(NULL, "merge-stats: no input");
        right = false;
    }
    return !right ? TOOL_ERROR : games > 0 ? TOOL_DONE : TOOL_NOTHING;
}

int tool_merge_stats(int argc, char **argv)
{
    merge_command c = {.limit = UINT64_MAX};
    const char *format = NULL;
    bool json = false, table = false;
    const tool_option options[] = {
        {.name = "format",
         .value = "FORMAT",
         .help = "json (the default), table, csv or tsv: like tree and stats",
         .text = &format},
        {.name = "json", .help = "same as --format json", .flag = &json},
        {.name = "table", .flag = &table}, /* an earlier form of --format table */
        {.name = "limit", .value = "N", .help = "print at most N moves or rows", .number = &c.limit},
    };
    const tool_usage usage = {"merge-stats", "FILE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    bool right = tool_form_read("merge-stats", format, json || (!format && !table), TOOL_FORM_TSV, &c.form);
    for (int n = 0; n < operands && right; n++)
        right = add_file(&c, argv[n]);
    status = right ? print_sum(&c) : TOOL_ERROR;
    stamma_tree_close(c.tree);
    stamma_stats_close(c.stats);
    return status;
}
