/* SPDX-License-Identifier: MIT */
/* The value of --fen. */
#include "shared/tool.h"

/* Prints every rule that the FEN breaks. */
static void say_problems(const char *what, unsigned problems)
{
    tool_message_begin("--fen");
    (void)fputs(what, stderr);
    for (unsigned bit = 1; bit != 0 && bit <= problems; bit <<= 1)
        if (problems & bit)
            (void)fprintf(stderr, "%s%s", stamma_setup_problem_text(bit), problems & ~(2 * bit - 1) ? ", " : "\n");
}

bool tool_fen_read(const char *fen, stamma_position *position)
{
    unsigned problems = 0;
    size_t offset = 0;
    *position = stamma_position_start();
    if (!fen)
        return true;
    stamma_error error = stamma_fen_read(stamma_text_of(fen), position, &problems, &offset);
    if (!error && problems)
        say_problems("left out: ", problems);
    else if (error == STAMMA_ERROR_ILLEGAL && problems)
        say_problems("", problems);
    else if (error)
        tool_say("--fen", "%s at character %zu of \"%s\"", stamma_error_text(error), offset + 1, fen);
    return !error;
}
