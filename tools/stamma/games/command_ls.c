/* stamma ls: lists games, one a line. */
#include "games/game_views.h"

static const char about[] =
    "Lists games of archives, one a line: number, White, Black, result, date, ECO code, plies,\n"
    "event. If several archives are listed, each line starts with the name of the archive.\n"
    "GAMES selects games by number (17  100..200  5000..  ..10  last); the default is all. On a\n"
    "terminal, long values are shortened to fit its width. ARCHIVE may be - for standard input,\n"
    "which is read from the beginning to the end.\n\n"
    "--json prints an object for each game: number, white, black, result, date, event, eco,\n"
    "plies. A tag that the game does not have is null. If several archives are listed, the\n"
    "first member is archive. --format tsv and --format csv print a table with a row of names;\n"
    "--fields selects its columns: any tag, number, plies, result, and others that `stamma cat\n"
    "--help` describes.";

typedef struct listing {
    bool json;
    bool several; /* several archives */
    tool_rows rows;
    const char *fields; /* of a table; NULL: no table */
    unsigned parts;     /* parts of a game that are read */
    tool_table table;
    bool headed;
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

static void print_member(const char *key, stamma_text value)
{
    if (!value.data) {
        tool_json_string(key, NULL);
        return;
    }
    stamma_text plain = tool_text_unescape(value);
    tool_json_text(key, plain);
    free((char *)(uintptr_t)plain.data);
}

static bool print_object(void *context, const stamma_archive_game *game)
{
    const listing *l = context;
    if (game->continuation)
        return tool_printed();
    tool_json_open(NULL, '{');
    if (l->rows.archive)
        tool_json_string("archive", l->rows.archive);
    tool_json_game_number(game->number);
    print_member("white", stamma_archive_game_tag(game, stamma_text_of("White")));
    print_member("black", stamma_archive_game_tag(game, stamma_text_of("Black")));
    print_member("result", tool_result(game));
    print_member("date", tool_date(game));
    print_member("event", stamma_archive_game_tag(game, stamma_text_of("Event")));
    print_member("eco", stamma_archive_game_tag(game, stamma_text_of("ECO")));
    tool_json_number("plies", game->ply_count);
    tool_json_close('}');
    tool_json_end();
    return tool_printed();
}

static bool print_table_row(void *context, const stamma_archive_game *game)
{
    listing *l = context;
    tool_view view = {.variations = NULL};
    if (game->continuation)
        return tool_printed();
    tool_view_game(&view, game);
    if (l->rows.archive)
        tool_cell_string(&l->table, l->rows.archive);
    tool_fields_row(l->fields, &view, &l->table);
    return tool_printed();
}

static void print_table_head(listing *l)
{
    if (l->headed)
        return;
    l->headed = true;
    if (l->rows.archive)
        tool_cell_string(&l->table, "archive");
    tool_fields_head(l->fields, &l->table);
}

static int list(void *context, const char *path)
{
    listing *l = context;
    tool_archive archive;
    if (!tool_archive_open(path, &archive))
        return TOOL_ERROR;
    tool_rows_fit(&l->rows, l->several ? archive.file.name : NULL);
    if (l->fields)
        print_table_head(l);
    int status = tool_games_each(&archive, l->games, l->game_count, l->parts,
                                 l->fields ? print_table_row
                                 : l->json ? print_object
                                           : print_row,
                                 l);
    status = tool_archive_status(&archive, status);
    tool_archive_close(&archive);
    return status;
}

static bool choose(listing *l, const char *format)
{
    l->parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT;
    if (format && strcmp(format, "tsv") != 0 && strcmp(format, "csv") != 0)
        tool_say(NULL, "ls has no format \"%s\"; the formats are tsv and csv", format);
    else if (format && l->json)
        tool_say(NULL, "--json and --format cannot be used together");
    else if (!format && l->fields)
        tool_say(NULL, "--fields requires the format tsv or csv");
    else {
        l->table.tabs = format && strcmp(format, "tsv") == 0;
        if (format && !l->fields)
            l->fields = TOOL_FIELDS_TABLE;
        return !l->fields || tool_fields_check(l->fields, true, &l->parts);
    }
    return false;
}

int tool_ls(int argc, char **argv)
{
    listing l = {.json = false};
    const char *format = NULL;
    const tool_option options[] = {
        {.name = "json", .help = "print a JSON object for each game, one a line", .flag = &l.json},
        {.name = "format", .value = "FORMAT", .help = "tsv or csv", .text = &format},
        {.name = "fields", .value = "NAME,...", .help = "fields of tsv or csv, in this order", .text = &l.fields},
        {.name = "csv-raw",
         .help = "with csv: no apostrophe before text that a spreadsheet would read as a formula",
         .flag = &l.table.raw},
    };
    const tool_usage usage = {"ls", "ARCHIVE... [GAMES...]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!choose(&l, format))
        return TOOL_ERROR;
    int archives = tool_archives_count(argv, operands);
    l.several = archives > 1;
    l.games = argv + archives;
    l.game_count = operands - archives;
    return tool_archives_each(argv, archives, list, &l);
}
