/* SPDX-License-Identifier: MIT */
/* stamma cat: prints games by number, in one of several formats. */
#include "games/game_views.h"

typedef enum format { PGN, UCI, JSON, FEN, EPD, PLIES, TSV, CSV, FORMATS } format;

static const char *const formats[FORMATS] = {"pgn", "uci", "json", "fen", "epd", "plies", "tsv", "csv"};

static const char about[] =
    "Prints games of an archive: those with the given numbers, or all. Numbers and ranges are\n"
    "  17  100..200  5000..  ..10  last\n"
    "ARCHIVE may be - for standard input, which is read from the beginning to the end. OUT\n"
    "appears only when it is complete.\n\n"
    "formats:\n"
    "  pgn   the exact bytes of each game (the default); an empty line follows a game that does\n"
    "        not end its last line, unless it is the last game, and precedes a game that begins with\n"
    "        a comment, if there is none\n"
    "  uci   the moves of a game on a line; if the game does not start in the initial position, the\n"
    "        line is \"fen FEN moves ...\"; castling in Chess960 is written as king takes rook\n"
    "  json  an object a line, with these members:\n"
    "        number\n"
    "        tags                tag names and values\n"
    "        repeated_tags       list of [name, value]; only if a tag name is repeated\n"
    "        result\n"
    "        fen                 start position; null: the initial position\n"
    "        chess960, plies\n"
    "        moves_bits          bits of the moves in the archive\n"
    "        bits                with --bits: list, information of each move in bits\n"
    "        kept_as_text        null, or why the game or its rest is kept as text\n"
    "        uci, san            lists of moves\n"
    "        white_rating, black_rating   numbers or null\n"
    "        eco, opening        ECO code and name of the opening: the tags, otherwise derived from\n"
    "                            the moves; null: unknown\n"
    "        eco_derived, opening_derived  whether these are derived from the moves\n"
    "        clock_ms            milliseconds left after each ply, from [%clk 0:01:30], or null\n"
    "        time_spent_ms       milliseconds that each ply took, from [%emt ...] or engine comments,\n"
    "                            or null; only with --columns\n"
    "        eval_cp, mate       evaluation at each ply from White's view, in centipawns or in moves\n"
    "                            to mate, or null; from the first [%eval] after the ply, otherwise\n"
    "                            from engine comments: +0.31/12 1.2s (Cute Chess, fastchess) or wv=0.31 (TCEC)\n"
    "        comments            list of ply and text; ply 0: before the first move\n"
    "        nags                list of ply and NAG\n"
    "        variations          list of: ply of the first move; within, which is null or the number\n"
    "                            from 0 of the enclosing variation; uci, san, comments, nags\n"
    "        Lists do not contain what is kept as text. Text that is not UTF-8 is read as Windows-1252.\n"
    "  fen   the FEN of every position, including the first and the last, and an empty line\n"
    "        after each game\n"
    "  epd   every position with its move number (fmvn), halfmove clock (hmvc), game and\n"
    "        ply (id) and the move played (sm)\n"
    "  plies a row for each ply, after a row of names: game, ply, uci, san, fen_before (the position\n"
    "        before the move), clock_ms, eval_cp, mate; also fen (after the move), time_spent_ms and\n"
    "        bits; CSV, or JSON lines with --json\n"
    "  tsv   a row for each game, after a row of names: the columns of stamma ls --format tsv\n"
    "  csv   the same in the form of RFC 4180\n"
    "--columns selects the columns of json, plies, tsv and csv: the names above, tags by name, and\n"
    "white, black, date (2010-05-31, 2010-05 or 2010), event, site and round. In tsv and csv, blanks\n"
    "separate the values of a list, and - is an unknown value. All formats except pgn show a game\n"
    "only as far as its moves are legal.";

typedef struct cat {
    format format;
    const char *fields;
    unsigned parts; /* parts of a game that are read */
    bool bits;
    bool predicted;         /* print the information of each move */
    bool failed;            /* out of memory */
    tool_text_end last_end; /* of the last game, as PGN */
    bool complete;          /* all sound games requested were printed */
    tool_view view;
    tool_variations variations;
    tool_table table;
} cat;

/* Prints lines before the game, as PGN comments that begin with ";". In JSON the numbers are members of the game. */
static void print_bits(const tool_view *view)
{
    const stamma_archive_game *game = view->game;
    double each = game->ply_count > 0 ? (double)game->moves_bits / (double)game->ply_count : 0;
    printf("; game %" PRIu64 ": %zu plies, %zu bits, %.2f bits per ply\n", game->number, game->ply_count,
           game->moves_bits, each);
    for (size_t i = 0; view->frequencies && i < game->ply_count; i++)
        printf("%s%.2f%s", i == 0 ? "; each: " : " ", tool_view_bits(view, i), i + 1 == game->ply_count ? "\n" : "");
}

/* Prints the head of a table before its first game, or at the end if there is none. */
static void begin(cat *c)
{
    bool table = c->format == TSV || c->format == CSV || (c->format == PLIES && !c->view.json);
    if (table && tool_fields_head(&c->table, c->fields, false))
        tool_row_end(&c->table);
}

static void print_formatted(cat *c)
{
    switch (c->format) {
    case UCI: tool_game_uci(&c->view); break;
    case JSON: tool_fields_json(c->fields, &c->view); break;
    case FEN: tool_game_fen(&c->view); break;
    case EPD: tool_game_epd(&c->view); break;
    case PLIES: tool_plies_print(c->fields, &c->view, &c->table); break;
    case TSV:
    case CSV:
        tool_fields_cells(c->fields, &c->view, &c->table);
        tool_row_end(&c->table);
        break;
    default: tool_game_pgn(&c->view); break;
    }
}

/* Returns the parts of a game that a format without fields needs. The Variant tag is needed to recognise Chess960. */
static unsigned parts_of(const cat *c)
{
    unsigned game = STAMMA_GAME_TAGS | STAMMA_GAME_MOVES;
    return c->format == PGN ? STAMMA_GAME_TEXT | (c->bits ? game : 0) : game;
}

static bool print_game(void *context, const stamma_archive_game *game)
{
    cat *c = context;
    bool pgn = c->format == PGN;
    /* a further piece of a game only has text */
    if (game->continuation && !pgn)
        return tool_printed();
    begin(c);
    if (pgn && !game->continuation && tool_text_needs_gap(game->text, c->last_end))
        (void)fputs("\n\n", stdout);
    c->view.game = game;
    if (c->predicted && !game->continuation && !tool_view_predict(&c->view)) {
        c->failed = true;
        return false;
    }
    if (c->bits && !game->continuation)
        print_bits(&c->view);
    if (!pgn)
        tool_view_game(&c->view, game);
    c->view.variations = &c->variations;
    if (c->parts & STAMMA_GAME_VARIATIONS && !pgn && !tool_variations_read(&c->variations, game, c->view.chess960)) {
        c->failed = true;
        return false;
    }
    print_formatted(c);
    if (pgn)
        c->last_end = tool_text_ends(game->text, c->last_end);
    return tool_printed();
}

static bool find_format(const char *name, format *found)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i], name) == 0) {
            *found = (format)i;
            return true;
        }
    tool_say(NULL, "cat has no format \"%s\"; the formats are pgn, uci, json, fen, epd, plies, tsv and csv", name);
    return false;
}

/* Prints the games named by the operands after the archive and by the words of a file. */
static int print_games(const char *path, const char *list, char **games, int count, cat *c)
{
    tool_archive archive;
    tool_words words = {NULL, 0, NULL};
    if (list && strcmp(list, "-") == 0 && strcmp(path, "-") == 0) {
        tool_say(NULL, "cat: the archive and the games cannot both be standard input");
        return TOOL_ERROR;
    }
    if (list && !tool_words_read(list, games, count, &words))
        return TOOL_ERROR;
    int status = TOOL_ERROR;
    if (list && words.count == 0) {
        status = TOOL_NOTHING;
        c->complete = true;
        begin(c);
    } else if (tool_archive_open(path, &archive)) {
        if (tool_fields_has(c->fields, "flags") && !tool_archive_use_flags(&archive))
            c->failed = true;
        else
            status = tool_games_each(&archive, list ? words.word : games, list ? words.count : count, c->parts,
                                     print_game, c);
        if (tool_printed())
            begin(c);
        status = c->failed ? TOOL_ERROR : status;
        c->complete = status != TOOL_ERROR;
        status = tool_archive_status(&archive, status);
        tool_archive_close(&archive);
    }
    tool_words_free(&words);
    tool_variations_free(&c->variations);
    free(c->view.frequencies);
    c->view.frequencies = NULL;
    return status;
}

/* Prints to `out`. If the archive is damaged, the output has its sound games. */
static int print_to(const char *out, bool force, const char *path, const char *list, char **games, int count, cat *c)
{
    tool_output *output = NULL;
    int status = TOOL_ERROR;
    if (tool_inputs_note(path, TOOL_INPUT) && (!list || tool_inputs_note(list, TOOL_INPUT)))
        output = tool_output_open(out, force);
    if (output && tool_output_take_printed(output))
        status = print_games(path, list, games, count, c);
    if (output && c->complete && (!tool_print_finish() || !tool_output_finish(output)))
        status = TOOL_ERROR;
    if (output)
        tool_print_name("standard output");
    tool_output_close(output);
    return status;
}

/* Chooses the fields, and the parts of games that they need. Returns false, after a message, if a field is unknown. */
static bool choose_fields(cat *c)
{
    bool table = c->format == TSV || c->format == CSV, plies = c->format == PLIES;
    c->table.tabs = c->format == TSV;
    c->parts = parts_of(c);
    if (c->format != JSON && !table && !plies)
        return true;
    bool shown = c->predicted && (!plies || stamma_predictor_id() != 0);
    if (!c->fields)
        c->fields = plies ? tool_plies_all(shown) : table ? tool_fields_listed() : tool_fields_all(shown);
    c->predicted = tool_fields_has(c->fields, "bits");
    return plies ? tool_plies_check(c->fields, &c->parts) : tool_fields_check(c->fields, table, &c->parts);
}

/* Checks the options and stores them. Returns false, after a message, if they cannot be used together. */
static bool choose(cat *c, const char *format, const char *en_passant)
{
    if (!find_format(format, &c->format))
        return false;
    bool table = c->format == TSV || c->format == CSV;
    c->view.legal_en_passant = strcmp(en_passant, "legal") == 0;
    c->predicted = c->bits;
    c->bits = c->bits && c->format != JSON && !table && c->format != PLIES;
    if (!c->view.legal_en_passant && strcmp(en_passant, "always") != 0)
        tool_say(NULL, "option --en-passant: \"%s\" is not always or legal", en_passant);
    else if (c->fields && c->format != JSON && !table && c->format != PLIES)
        tool_say(NULL, "--columns requires the format json, plies, tsv or csv");
    else if (c->view.json && c->format != JSON && c->format != PLIES)
        tool_say(NULL, "--json requires the format json or plies");
    else
        return choose_fields(c);
    return false;
}

int tool_cat(int argc, char **argv)
{
    const char *format = NULL, *list = NULL, *out = "-", *en_passant = "always";
    bool force = false, unused;
    cat c = {.format = PGN};
    const tool_option options[] = {
        {.name = "format", .value = "FORMAT", .help = "pgn, uci, json, fen, epd, plies, tsv or csv", .text = &format},
        {.name = "json", .help = "same as --format json; with --format plies: JSON lines", .flag = &c.view.json},
        {.name = "columns",
         .earlier = "fields",
         .value = "NAME,...",
         .help = "columns of json, plies, tsv or csv, in this order",
         .text = &c.fields},
        {.name = "no-evals", .flag = &unused}, /* earlier: omitted a member that no longer exists */
        {TOOL_OPTION_CSV_RAW, .flag = &c.table.raw},
        {.name = "en-passant",
         .value = "WHEN",
         .help =
             "always (the default): FEN and EPD have an en passant square after\nevery double push; legal: only if an "
             "en passant capture is legal",
         .text = &en_passant},
        {.name = "bits",
         .help = "print before each game the bits of its moves in the archive, and the\ninformation of each move in "
                 "bits according to the predictor (high: a\nsurprising move); with json and plies, as column bits",
         .flag = &c.bits},
        {.name = "games",
         .value = "FILE",
         .help = "also print the games whose numbers are in FILE, separated by white\nspace; -: standard input",
         .text = &list},
        {'o', "output", "OUT", "file to write; default: -, standard output", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
    };
    const tool_usage usage = {"cat", "ARCHIVE [GAMES...]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!choose(&c, format ? format : c.view.json ? "json" : "pgn", en_passant))
        return TOOL_ERROR;
    if (strcmp(out, "-") == 0)
        return print_games(argv[0], list, argv + 1, operands - 1, &c);
    return print_to(out, force, argv[0], list, argv + 1, operands - 1, &c);
}
