/* SPDX-License-Identifier: MIT */
/* stamma ls: lists games, one per line. */
#include "games/game_views.h"
#include "games/name_table.h"

static const char about[] =
    "Lists games of archives, one a line: number, White, Black, result, date, ECO code, plies,\n"
    "event. If several archives are listed, each line starts with the name of the archive.\n"
    "GAMES selects games by number (17  100..200  5000..  ..10  last); the default is all. On a\n"
    "terminal, long values are shortened to fit its width. ARCHIVE may be - for standard input,\n"
    "which is read from the beginning to the end.\n\n"
    "--format json prints an object for each game, and --format csv and --format tsv a table with\n"
    "a row of names. Both have the same columns: number, white, black, white_rating, black_rating,\n"
    "result, date, event, site, round, plies, and the tags TimeControl, ECO and Opening. An unknown\n"
    "value is null in JSON. If several archives are listed, the first column is archive. --columns\n"
    "selects others: any tag by name, and those that `stamma cat --help` describes.";

typedef struct listing {
    tool_form form;
    bool several; /* several archives */
    tool_rows rows;
    const char *fields; /* of a table or of objects */
    unsigned parts;     /* parts of a game that are read */
    tool_table table;
    tool_variations variations;
    bool failed; /* out of memory */
    bool (*print)(void *context, const stamma_archive_game *game);
    const char *names; /* a file; NULL: names are not replaced */
    tool_game_names replaced;
    char **games;
    int game_count;
} listing;

static bool print_row(void *context, const stamma_archive_game *game)
{
    const listing *l = context;
    if (!game->continuation)
        tool_row_print(&l->rows, game);
    return tool_printed();
}

static void view_game(const stamma_archive_game *game, tool_view *view, tool_variations *variations)
{
    *view = (tool_view){.variations = variations};
    tool_view_game(view, game);
}

static bool print_object(void *context, const stamma_archive_game *game)
{
    listing *l = context;
    tool_view view;
    if (game->continuation)
        return tool_printed();
    view_game(game, &view, &l->variations);
    if (l->parts & STAMMA_GAME_VARIATIONS && !tool_variations_read(&l->variations, game, view.chess960)) {
        l->failed = true;
        return false;
    }
    tool_json_open(NULL, '{');
    if (l->rows.archive)
        tool_json_string("archive", l->rows.archive);
    tool_fields_members(l->fields, &view);
    tool_json_close('}');
    tool_json_end();
    return tool_printed();
}

/* Prints the names of the columns before the first game, or at the end if there is none. */
static void print_table_head(listing *l)
{
    bool table = l->form == TOOL_FORM_CSV || l->form == TOOL_FORM_TSV;
    if (table && tool_fields_head(&l->table, l->fields, l->several))
        tool_row_end(&l->table);
}

static bool print_table_row(void *context, const stamma_archive_game *game)
{
    listing *l = context;
    tool_view view;
    if (game->continuation)
        return tool_printed();
    print_table_head(l);
    view_game(game, &view, NULL);
    if (l->rows.archive)
        tool_cell_string(&l->table, l->rows.archive);
    tool_fields_cells(l->fields, &view, &l->table);
    tool_row_end(&l->table);
    return tool_printed();
}

/* Prints a game with the names of the table. */
static bool print_renamed(void *context, const stamma_archive_game *game)
{
    listing *l = context;
    stamma_archive_game renamed = *game;
    l->failed |= !tool_game_rename(&l->replaced, &renamed);
    return !l->failed && l->print(context, &renamed);
}

static int list(void *context, const char *path)
{
    listing *l = context;
    tool_archive archive;
    if (!tool_archive_open(path, &archive))
        return TOOL_ERROR;
    tool_rows_fit(&l->rows, l->several ? archive.file.name : NULL);
    static bool (*const prints[])(void *, const stamma_archive_game *) = {print_row, print_object, print_table_row,
                                                                          print_table_row};
    l->print = prints[l->form];
    l->failed |= tool_fields_has(l->fields, "flags") && !tool_archive_use_flags(&archive);
    int status = l->failed ? TOOL_ERROR
                           : tool_games_each(&archive, l->games, l->game_count, l->parts,
                                             l->names ? print_renamed : l->print, l);
    status = tool_archive_status(&archive, l->failed ? TOOL_ERROR : status);
    tool_archive_close(&archive);
    return status;
}

static bool choose(listing *l, const char *format, bool json)
{
    l->parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT;
    if (!tool_form_read("ls", format, json, TOOL_FORM_TSV, &l->form))
        return false;
    if (l->form == TOOL_FORM_TABLE && l->fields) {
        tool_say(NULL, "--columns requires the format json, csv or tsv");
        return false;
    }
    l->table.tabs = l->form == TOOL_FORM_TSV;
    if (l->form == TOOL_FORM_TABLE)
        return true;
    l->fields = l->fields ? l->fields : tool_fields_listed();
    return tool_fields_check(l->fields, l->form != TOOL_FORM_JSON, &l->parts);
}

int tool_ls(int argc, char **argv)
{
    listing l = {.form = TOOL_FORM_TABLE};
    const char *format = NULL;
    bool json = false;
    const tool_option options[] = {
        {TOOL_OPTION_FORMAT, .text = &format},
        {.name = "json", .help = "same as --format json: an object for each game, one a line", .flag = &json},
        {.name = "columns",
         .earlier = "fields",
         .value = "NAME,...",
         .help = "columns of json, csv or tsv, in this order",
         .text = &l.fields},
        {.name = "names",
         .value = "TABLE",
         .help = "print the names that this table decides (see stamma names)",
         .text = &l.names},
        {TOOL_OPTION_CSV_RAW, .flag = &l.table.raw},
    };
    const tool_usage usage = {"ls", "ARCHIVE... [GAMES...]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!choose(&l, format, json) || (l.names && !tool_name_table_read(l.names, &l.replaced.table)))
        return TOOL_ERROR;
    int archives = tool_archives_count(argv, operands);
    l.several = archives > 1;
    l.games = argv + archives;
    l.game_count = operands - archives;
    status = tool_archives_each(argv, archives, list, &l);
    print_table_head(&l);
    tool_variations_free(&l.variations);
    tool_game_names_close(&l.replaced);
    return tool_printed() ? status : TOOL_ERROR;
}
