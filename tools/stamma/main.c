/* SPDX-License-Identifier: MIT */
/* stamma: the command. Runs the subcommand and checks that all its output was written. */
#include "shared/tool.h"

static const struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"pack", "pack PGN files (plain, gzip, bzip2, xz, zstd, zip) into archives", tool_pack},
    {"append", "add PGN files to an archive", tool_append},
    {"unpack", "restore the bytes that were packed", tool_unpack},
    {"cat", "print games as PGN, UCI, JSON, FEN or EPD", tool_cat},
    {"ls", "list games, one a line", tool_ls},
    {"find", "find games by players, dates, positions, moves and more", tool_find},
    {"tree", "print the moves played in a position; write opening books", tool_tree},
    {"stats", "print results, lengths, openings, players, ratings of games", tool_stats},
    {"sql", "answer questions about games in SQL", tool_sql},
    {"export", "write games, plies or positions as Parquet, Arrow or CSV", tool_export},
    {"index", "write index files, which make searches of archives fast", tool_index},
    {"pages", "write files of pages, for trees from a static site", tool_page_files},
    {"site", "write a folder of static files that explores archives", tool_site},
    {"serve", "serve an opening explorer and its page over HTTP", tool_serve},
    {"merge-stats", "add up outputs of tree, stats or find --wdl", tool_merge_stats},
    {"info", "print games, plies, bytes by column, and what is kept as text", tool_info},
    {"verify", "check archives and list damage", tool_verify},
    {"repair", "write the sound blocks of a damaged archive to a new one", tool_repair},
    {"merge", "join archives without packing their games again", tool_merge},
    {"import", "add the new games of files from lichess, chess.com or TWIC", tool_import},
    {"update", "keep an archive up to date with the files of a folder", tool_update},
    {"undo", "return an archive to the state before its last commit", tool_undo},
    {"compact", "remove bytes of an archive that nothing needs, and deleted games", tool_compact},
    {"dedupe", "write archives without games that occur several times", tool_dedupe},
    {"diff", "list the games that were added, removed or changed", tool_diff},
    {"names", "find and replace different spellings of names", tool_names},
    {"report", "describe how a player plays, or an opening", tool_report},
    {"event", "print crosstables and standings of events, and check their games", tool_event},
    {"edit", "change tags and movetexts of games, and sort games", tool_edit},
    {"classify", "write ECO, Opening and other tags from the moves; check tags", tool_classify},
    {"recompress", "change the level of an archive", tool_recompress},
    {"encode", "print moves and positions in every encoding, or decode them", tool_encode},
    {"survey", "measure encodings on games", tool_survey},
    {"perft", "count the tree of legal moves", tool_perft},
    {"predict", "print the most likely next moves", tool_predict},
    {"board", "draw a position as a picture (SVG)", tool_board},
    {"tablebase", "find positions in Syzygy tablebases", tool_tablebase},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void)
{
    puts("usage: stamma COMMAND [OPTION...] [ARGUMENT...]\n\n"
         "Stores chess games in a few bits per ply, and restores the files byte for byte.\n\n"
         "commands:");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-11s %s\n", commands[i].name, commands[i].summary);
    puts("\n  stamma COMMAND --help describes a command, stamma help conditions the conditions of searches;\n"
         "  stamma --version prints the version.\n\n"
         "exit status: 0 done or found, 1 nothing found, 2 error, 3 --strict and text was kept or parts skipped");
    return TOOL_DONE;
}

/* Words of other programs, and the command that they mean here. */
static const char *const others[][2] = {
    {"search", "find"},    {"query", "find"},    {"list", "ls"},          {"show", "cat"},
    {"print", "cat"},      {"compress", "pack"}, {"create", "pack"},      {"decompress", "unpack"},
    {"extract", "unpack"}, {"openings", "tree"}, {"statistics", "stats"}, {"test", "verify"},
    {"open", "serve"},     {"explore", "serve"}, {"view", "cat"},         {"filter", "find"},
    {"convert", "export"}, {"player", "report"}, {"tournament", "event"}};
enum { OTHERS = sizeof others / sizeof *others };

/* Reports a file that was named without a command. */
static int miss_command(const char *path)
{
    const size_t length = strlen(path);
    const bool packed = length > 7 && strcmp(path + length - 7, ".stamma") == 0;
    tool_say(path, "a command is missing: stamma %s %s", packed ? "serve --open" : "pack", path);
    return TOOL_ERROR;
}

static int miss(const char *name)
{
    if (strpbrk(name, "./") && system_exists(name))
        return miss_command(name);
    tool_nearest nearest = {.word = name, .length = strlen(name)};
    for (int i = 0; i < COMMANDS; i++)
        tool_nearest_try(&nearest, commands[i].name);
    for (int i = 0; i < OTHERS; i++)
        tool_nearest_try(&nearest, others[i][0]);
    for (int i = 0; i < OTHERS; i++)
        if (nearest.name == others[i][0])
            nearest.name = others[i][1];
    if (nearest.name)
        tool_say(NULL, "there is no command \"%s\"; did you mean %s?", name, nearest.name);
    else
        tool_say(NULL, "there is no command \"%s\"; stamma --help lists them", name);
    return TOOL_ERROR;
}

static int run(int argc, char **argv)
{
    if (argc < 1) {
        tool_say(NULL, "a command is missing; stamma --help lists them");
        return TOOL_ERROR;
    }
    const char *name = argv[0];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return printf("stamma %s\n", stamma_version()) < 0 ? TOOL_ERROR : TOOL_DONE;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc < 2))
        return print_help();
    int help = strcmp(name, "help") == 0;
    if (help && strcmp(argv[1], "conditions") == 0) {
        tool_conditions_help();
        return TOOL_DONE;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[help], commands[i].name) == 0) {
            char *ask[] = {argv[help], "--help", NULL};
            return help ? commands[i].run(2, ask) : commands[i].run(argc, argv);
        }
    return miss(argv[help]);
}

/* Runs the explorer after a double click: of all archives that were dropped on the program. PGN files are dropped on
 * the page. A message stays until the user presses Enter. */
static int run_explorer(int argc, char **argv)
{
    static char *const options[] = {"serve", "--open", "--uploads"};
    enum { OPTIONS = sizeof options / sizeof *options };
    char *folder = system_temporary_folder(), **call = calloc((size_t)argc + OPTIONS + 2, sizeof *call);
    int status = TOOL_ERROR;
    if (folder && call) {
        memcpy(call, options, sizeof options);
        call[OPTIONS] = folder;
        memcpy(call + OPTIONS + 1, argv, (size_t)argc * sizeof *call);
        (void)fputs("stamma: this window shows messages; close it to end the explorer\n", stderr);
        status = tool_serve(argc + OPTIONS + 1, call);
    } else {
        (void)tool_fail_memory(NULL);
    }
    if (status != TOOL_DONE) {
        (void)fputs("Press Enter to close this window.\n", stderr);
        (void)getchar();
    }
    free(call);
    free(folder);
    return status;
}

int main(int argc, char **argv)
{
    system_begin(&argc, &argv);
    system_memory_return();
    tool_pending_watch();
    const bool clicked = system_opened_terminal() && (argc < 2 || system_is_there(argv[1]));
    int status = clicked ? run_explorer(argc - 1, argv + 1) : run(argc - 1, argv + 1);
    return tool_print_finish() ? status : TOOL_ERROR;
}
