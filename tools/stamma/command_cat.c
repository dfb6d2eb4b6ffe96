/* stamma cat: games by number, in one of several formats. */
#include "tool.h"

static const struct format {
    const char *name;
    void (*print)(const stamma_archive_game *game);
} formats[] = {
    {"pgn", tool_game_pgn}, {"uci", tool_game_uci}, {"json", tool_game_json},
    {"fen", tool_game_fen}, {"epd", tool_game_epd},
};

static const char about[] =
    "Prints games of an archive, all of them or those named by number:\n"
    "  17  100..200  5000..  ..10  last\n"
    "ARCHIVE may be - for standard input, which is read front to back. OUT appears whole or\n"
    "not at all.\n\n"
    "formats:\n"
    "  pgn   the exact bytes of each game (the default); an empty line behind a game that does\n"
    "        not end its line, where another follows\n"
    "  uci   a line of moves a game; a game that does not begin in the initial position\n"
    "        is written \"fen FEN moves ...\"; castling in Chess960 is king takes rook\n"
    "  json  a line a game: number, tags (and repeated_tags, a list of pairs, where a name\n"
    "        comes again), result, fen (null: the initial position), chess960, plies,\n"
    "        moves_bits, kept_as_text (null or the reason), uci and san (lists of moves).\n"
    "        Text that is not UTF-8 is read as Latin-1\n"
    "  fen   the FEN of every position, the first and the last included, and an empty line\n"
    "        after each game\n"
    "  epd   every position with its move number (fmvn), half-move clock (hmvc), game and\n"
    "        ply (id) and the move played (sm)\n"
    "All but pgn show the main line as far as its moves are legal.";

typedef struct cat {
    const struct format *format;
    bool bits;
    bool line_open; /* the last game did not end its line */
    bool complete;  /* all that is sound of the games that were asked for was printed */
} cat;

/* A line before the game, behind ";", where PGN has a comment. In JSON the figure is a key of the game. */
static void print_bits(const stamma_archive_game *game)
{
    double each = game->ply_count > 0 ? (double)game->moves_bits / (double)game->ply_count : 0;
    printf("; game %" PRIu64 ": %zu plies, %zu bits, %.2f bits a ply\n", game->number, game->ply_count,
           game->moves_bits, each);
}

static bool print_game(void *context, const stamma_archive_game *game)
{
    cat *c = context;
    bool pgn = c->format->print == tool_game_pgn;
    /* A further piece of a game has text and nothing else. */
    if (game->continuation && !pgn)
        return tool_printed();
    if (c->line_open && !game->continuation)
        (void)fputs("\n\n", stdout);
    if (c->bits && !game->continuation && c->format->print != tool_game_json)
        print_bits(game);
    c->format->print(game);
    if (pgn && game->text.size > 0)
        c->line_open = !strchr("\r\n", game->text.data[game->text.size - 1]) || !game->text.data[game->text.size - 1];
    return tool_printed();
}

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    tool_say(NULL, "cat has no format \"%s\"; there are pgn, uci, json, fen and epd", name);
    return NULL;
}

/* Prints the games that the operands behind the archive, and the words of a file, name. */
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
    } else if (tool_archive_open(path, &archive)) {
        status = tool_games_each(&archive, list ? words.word : games, list ? words.count : count, print_game, c);
        c->complete = status != TOOL_ERROR;
        status = tool_archive_status(&archive, status);
        tool_archive_close(&archive);
    }
    tool_words_free(&words);
    return status;
}

/* Of a damaged archive the output has what is sound. */
static int print_to(const char *out, bool force, const char *path, const char *list, char **games, int count, cat *c)
{
    tool_output *output = tool_output_open(out, force);
    int status = TOOL_ERROR;
    if (output && tool_output_is(output, path))
        tool_say(path, "cannot be printed into itself");
    else if (output && tool_output_take_printed(output))
        status = print_games(path, list, games, count, c);
    if (output && c->complete && (!tool_print_finish() || !tool_output_finish(output)))
        status = TOOL_ERROR;
    if (output)
        tool_print_name("standard output");
    tool_output_close(output);
    return status;
}

int tool_cat(int argc, char **argv)
{
    const char *format = "pgn", *list = NULL, *out = "-";
    bool force = false;
    cat c = {.bits = false};
    const tool_option options[] = {
        {.name = "format", .value = "FORMAT", .help = "pgn, uci, json, fen or epd", .text = &format},
        {.name = "bits", .help = "before each game, a line with the bits that its moves take", .flag = &c.bits},
        {.name = "games",
         .value = "FILE",
         .help = "also the games that FILE names, parted by white space;\n- is standard input",
         .text = &list},
        {'o', "output", "OUT", "the file to write; - is standard output, the default", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
    };
    const tool_usage usage = {"cat", "ARCHIVE [GAMES...]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    c.format = find_format(format);
    if (!c.format)
        return TOOL_ERROR;
    if (strcmp(out, "-") == 0)
        return print_games(argv[0], list, argv + 1, operands - 1, &c);
    return print_to(out, force, argv[0], list, argv + 1, operands - 1, &c);
}
