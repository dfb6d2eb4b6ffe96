/* SPDX-License-Identifier: MIT */
/* stamma tablebase: finds positions in Syzygy tablebases. */
#include "tablebases/tablebase.h"

static const char about[] =
    "Prints the result of positions with few pieces from Syzygy tablebases, and the result of each legal move, as JSON "
    "in\n"
    "the form of Lichess's tablebase: one line per position. Without FEN, reads positions from standard input.\n\n"
    "  stamma tablebase --syzygy tables '4k3/8/8/8/8/8/8/4KQ2 w - - 0 1'\n\n"
    "Exit status 1: no table has one of the positions. Tables are not checked: use those of a source that you trust.";

/* Prints the answer about a position at once, because another program may wait for it. */
static int answer(const char *fen, int status)
{
    stamma_position position;
    if (!tool_fen_read(fen, &position))
        return TOOL_ERROR;
    const bool known = tablebase_put(&position);
    (void)fflush(stdout); /* an error is found when the command ends */
    return known ? status : TOOL_NOTHING;
}

static int answer_lines(void)
{
    char line[STAMMA_FEN_SIZE + 64];
    int status = TOOL_DONE;
    while (status != TOOL_ERROR && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        status = answer(line, status);
    }
    return status;
}

int tool_tablebase(int argc, char **argv)
{
    const char *folders = NULL;
    const tool_option options[] = {
        {.name = "syzygy",
         .value = "DIR",
         .help = "folder of the tables; several are separated by colons",
         .text = &folders},
    };
    const tool_usage usage = {"tablebase", "[FEN...]", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!folders) {
        tool_say(NULL, "option --syzygy is needed");
        return TOOL_ERROR;
    }
    if (!tablebase_open(folders))
        return TOOL_ERROR;
    status = operands > 0 ? TOOL_DONE : answer_lines();
    for (int i = 0; i < operands && status != TOOL_ERROR; i++)
        status = answer(argv[i], status);
    return status;
}
