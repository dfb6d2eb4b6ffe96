/* SPDX-License-Identifier: MIT */
/* stamma tree: prints the moves played in a position, and writes opening books. */
#include "questions/answer_search.h"
#include "shared/archive_pages.h"

static const char about[] =
    "Prints the moves that were played in a position, whatever moves led to it: number of\n"
    "games, results in percent, mean rating of the players, performance rating of the side to\n"
    "move, and date of the last game. The position is the initial one unless --fen or --moves\n"
    "selects another. A game is counted once. ARCHIVE may be - for standard input. The games of\n"
    "several archives are added up.\n\n"
    "  stamma tree games.stamma\n"
    "  stamma tree games.stamma --moves \"e4 c5 Nf3 d6 d4\" --rating 2500..\n"
    "  stamma tree *.stamma --fen \"8/8/8/4k3/8/8/3KP3/8 w - -\" --json\n"
    "  stamma tree games.stamma --black Petrosian --moves e4\n"
    "  stamma tree games.stamma --polyglot book.bin --depth 30 --min-games 5\n\n"
    "--format csv and --format tsv print a row for each move. --format json prints one object\n"
    "in the form of the Lichess opening explorer; merge-stats adds up these objects\n"
    "(doc/reference/search.md). --polyglot writes an opening book in PolyGlot's format instead: all\n"
    "positions after this one that occur in enough games, each move weighted by the points it\n"
    "scored.";

typedef struct tree_command {
    answer_search search;
    stamma_position position;
    tool_line before; /* positions before it */
    tool_form form;
    bool history, force;
    const char *book_path;
    uint64_t limit, depth, games;
    stamma_tree *tree;
    stamma_book *book;
} tree_command;

/* Adds an archive from the file of pages next to it, which has all that a table shows. Returns whether it was added. */
static bool add_pages(tree_command *c, const answer_search *s)
{
    const find_source *source = s->source;
    tool_pages pages;
    if (s->query || c->history || c->form == TOOL_FORM_JSON || s->index.none || !source->file.mapped)
        return false;
    const stamma_bytes bytes = tool_mapped_bytes(&source->file);
    tool_pages_open(source->file.name, &bytes, &pages);
    const bool added =
        tool_pages_add(&pages, c->tree, stamma_text_of(source->file.name), c->before.list, c->before.count);
    tool_pages_close(&pages);
    return added;
}

static stamma_error add_to_tree(void *context, answer_search *s, const stamma_search_options *options,
                                stamma_place *place)
{
    tree_command *c = context;
    if (add_pages(c, s))
        return STAMMA_OK;
    return stamma_tree_add_archive(c->tree, stamma_text_of(s->source->file.name), s->source->archive, s->query, options,
                                   place);
}

static stamma_error add_to_book(void *context, answer_search *s, const stamma_search_options *options,
                                stamma_place *place)
{
    tree_command *c = context;
    return stamma_book_add_archive(c->book, s->source->archive, s->query, options, place);
}

static bool say(stamma_error error)
{
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

/* ---- the tree ---- */

static bool name_games(tree_command *c)
{
    for (size_t i = 0; i < c->search.source_count; i++) {
        const find_source *source = &c->search.sources[i];
        stamma_error error = stamma_tree_name_games(c->tree, stamma_text_of(source->file.name), source->archive, NULL);
        if (error) {
            find_source_fail(source, error, (stamma_place){.offset = 0});
            return false;
        }
    }
    return true;
}

static int print_tree(tree_command *c, char **paths, size_t count)
{
    if (!say(stamma_tree_open(&c->position, NULL, &c->tree)) ||
        (c->history && !say(stamma_tree_keep_history(c->tree))) ||
        !answer_search_run(&c->search, paths, count, add_to_tree, c))
        return TOOL_ERROR;
    tool_table table = {.tabs = c->form == TOOL_FORM_TSV};
    if (c->form == TOOL_FORM_JSON && (!name_games(c) || !answer_tree_json(c->tree, c->limit)))
        return TOOL_ERROR;
    if (c->form == TOOL_FORM_CSV || c->form == TOOL_FORM_TSV)
        answer_tree_cells(c->tree, c->limit, &table);
    if (c->form == TOOL_FORM_TABLE)
        answer_tree_table(c->tree, c->limit);
    if (c->form == TOOL_FORM_TABLE && c->history && !answer_tree_history(c->tree))
        return TOOL_ERROR;
    return stamma_tree_total(c->tree).games > 0 ? TOOL_DONE : TOOL_NOTHING;
}

/* ---- the book ---- */

static bool write_book(tree_command *c, tool_output *output, uint64_t *entries)
{
    const stamma_output callbacks = tool_output_callbacks(output);
    stamma_error error = stamma_book_write(c->book, c->games, &callbacks, entries);
    if (error && !tool_output_failed(output))
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error && ((*entries == 0 && tool_output_is_file(output)) || tool_output_finish(output));
}

static int print_book(tree_command *c, char **paths, size_t count)
{
    uint64_t entries = 0;
    char number[TOOL_NUMBER_SIZE];
    unsigned plies = c->depth < UINT32_MAX ? (unsigned)c->depth : UINT32_MAX;
    tool_output *output = NULL;
    if (tool_inputs_note_archives(paths, count))
        output = tool_output_open(c->book_path, c->force);
    bool written = output && say(stamma_book_open(&c->position, plies, NULL, &c->book)) &&
                   answer_search_run(&c->search, paths, count, add_to_book, c) && write_book(c, output, &entries);
    tool_output_close(output);
    if (written && !c->search.quiet)
        tool_say(c->book_path, "%s moves", tool_number(entries, number));
    return !written ? TOOL_ERROR : entries > 0 ? TOOL_DONE : TOOL_NOTHING;
}

static bool check_form(tree_command *c, const char *format, bool json)
{
    if (!tool_form_read("tree", format, json, TOOL_FORM_TSV, &c->form))
        return false;
    bool cells = c->form == TOOL_FORM_CSV || c->form == TOOL_FORM_TSV;
    if (c->book_path && (json || format))
        tool_say(NULL, "--polyglot and --%s cannot be used together", json ? "json" : "format");
    else if (cells && c->history)
        tool_say(NULL, "--history requires the format table or json");
    else
        return true;
    return false;
}

static int read_options(tree_command *c, int argc, char **argv, int *operands)
{
    const char *format = NULL;
    bool json = false;
    const tool_option own[] = {
        {TOOL_OPTION_FORMAT, .text = &format},
        {.name = "json", .help = "same as --format json: one object, with examples of games", .flag = &json},
        {.name = "history", .help = "also print finished games by month", .flag = &c->history},
        {.name = "limit", .value = "N", .help = "print at most N moves", .number = &c->limit},
        {.name = "polyglot",
         .value = "OUT",
         .help = "write an opening book in PolyGlot's format",
         .text = &c->book_path},
        {.name = "depth", .value = "N", .help = "depth of the book in plies; default 24", .number = &c->depth},
        {.name = "min-games",
         .value = "N",
         .help = "omit positions that occur in fewer games from the book; default 2",
         .number = &c->games},
        {TOOL_OPTION_FORCE, .flag = &c->force},
        ANSWER_OPTIONS(&c->search),
    };
    const tool_usage usage = {"tree", "ARCHIVE... [CONDITIONS]", about, own, sizeof own / sizeof *own, 1, -1};
    int status;
    if (!tool_conditions_read(&usage, &c->search.values, argc, argv, operands, &status))
        return status;
    bool right = check_form(c, format, json) && tool_conditions_position(&c->search.values, &c->position, &c->before) &&
                 tool_conditions_parse(&c->search.values, &c->search.query);
    return right ? -1 : TOOL_ERROR;
}

int tool_tree(int argc, char **argv)
{
    tree_command c = {.limit = UINT64_MAX, .depth = 24, .games = 2};
    int operands = 0, status = read_options(&c, argc, argv, &operands);
    if (status < 0)
        status = c.book_path ? print_book(&c, argv, (size_t)operands) : print_tree(&c, argv, (size_t)operands);
    if (status == TOOL_NOTHING && !c.search.quiet)
        answer_search_hint(&c.search);
    answer_search_close(&c.search);
    stamma_tree_close(c.tree);
    stamma_book_close(c.book);
    free(c.before.list);
    return status;
}
