/* stamma: the command. Finds the subcommand, and sees that all it printed arrived. */
#include "shared/tool.h"

#include <fcntl.h>
#include <unistd.h>

static const struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"pack", "PGN files (plain, gzip, bzip2, xz, zstd) into an archive", tool_pack},
    {"append", "more PGN files behind an archive", tool_append},
    {"unpack", "the exact bytes that were packed", tool_unpack},
    {"cat", "games by number, as PGN, UCI, JSON, FEN or EPD", tool_cat},
    {"ls", "a line a game", tool_ls},
    {"find", "games by players, dates, positions, moves and more", tool_find},
    {"tree", "the moves played in a position; opening books", tool_tree},
    {"stats", "results, lengths, openings, players, ratings of games", tool_stats},
    {"serve", "an opening explorer over HTTP, and its page", tool_serve},
    {"merge-stats", "the sum of several answers of tree or stats", tool_merge_stats},
    {"info", "games, plies, bytes by column, what was kept as text", tool_info},
    {"verify", "whether an archive is sound, and where it is not", tool_verify},
    {"repair", "what is sound of a damaged archive, as a new one", tool_repair},
    {"merge", "several archives into one, without packing again", tool_merge},
    {"recompress", "an archive at another level", tool_recompress},
    {"encode", "a move in every encoding by name, and back", tool_encode},
    {"survey", "each encoding measured over games", tool_survey},
    {"perft", "count the tree of legal moves", tool_perft},
    {"predict", "the likely next moves", tool_predict},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void)
{
    puts("usage: stamma COMMAND [OPTION...] [ARGUMENT...]\n\n"
         "Stores chess games in a few bits a move and gives the files back byte for byte.\n\n"
         "commands:");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-11s %s\n", commands[i].name, commands[i].summary);
    puts("\n  stamma COMMAND --help tells more; stamma --version prints the version.\n\n"
         "exit status: 0 done or found, 1 nothing found, 2 error, 3 --strict and text was kept");
    return TOOL_DONE;
}

static int miss(const char *name)
{
    tool_nearest nearest = {.word = name, .length = strlen(name)};
    for (int i = 0; i < COMMANDS; i++)
        tool_nearest_try(&nearest, commands[i].name);
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
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[help], commands[i].name) == 0) {
            char *ask[] = {argv[help], "--help", NULL};
            return help ? commands[i].run(2, ask) : commands[i].run(argc, argv);
        }
    return miss(argv[help]);
}

/* Where a standard stream is closed, the next file opened would take its place and get what is printed. So it is
 * opened on what cannot be used that way round, and using it is an error, as it should be. */
static void occupy_standard_streams(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    tool_memory_return();
    tool_temporary_watch();
    int status = run(argc - 1, argv + 1);
    return tool_print_finish() ? status : TOOL_ERROR;
}
