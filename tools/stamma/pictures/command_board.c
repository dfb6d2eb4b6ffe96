/* SPDX-License-Identifier: MIT */
/* stamma board: draws a position. */
#include "pictures/board_picture.h"

static const char about[] =
    "Draws a position as a picture in SVG, with arrows, circles and the last move. The picture needs\n"
    "no other files, and contains the position as text for screen readers.\n\n"
    "  stamma board -o start.svg\n"
    "  stamma board --fen 'FEN' --last g1f3 --arrows Re7e5,d2d4 --circles Ye5 -o game.svg\n\n"
    "The pieces have the licence CC BY-SA 3.0; the picture names their authors.";

/* Reads the values of the options. Each message has the option as its subject. */
static bool settle(board_picture *p, const char *fen, const char *arrows, const char *circles, const char *last)
{
    char message[BOARD_MESSAGE];
    if (p->size < 1 || p->size > BOARD_SIZE_MAX) {
        tool_say(NULL, "option --size: 1 to %d", BOARD_SIZE_MAX);
        return false;
    }
    if (!tool_fen_read(fen, &p->position))
        return false;
    const char *option = NULL;
    if (last && !board_last_read(p, last, message))
        option = "--last";
    else if (circles && !board_marks_read(p, circles, false, message))
        option = "--circles";
    else if (arrows && !board_marks_read(p, arrows, true, message))
        option = "--arrows";
    if (option)
        tool_say(option, "%s", message);
    return !option;
}

static bool write_picture(const board_picture *p, const char *path, bool force)
{
    tool_output *file = tool_output_open(path, force);
    if (!file)
        return false;
    const stamma_output output = tool_output_callbacks(file);
    tool_put_to(&output);
    board_picture_put(p);
    tool_put_flush();
    tool_put_to(NULL);
    bool right = !tool_output_failed(file) && tool_output_finish(file);
    tool_output_close(file);
    return right;
}

int tool_board(int argc, char **argv)
{
    board_picture p = {.size = BOARD_SIZE};
    const char *fen = NULL, *arrows = NULL, *circles = NULL, *last = NULL, *out = "-";
    bool force = false;
    const tool_option options[] = {
        {.name = "fen", .value = "FEN", .help = "position; default: the initial position", .text = &fen},
        {'o', "output", "OUT", "output file; default or \"-\": standard output", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
        {.name = "arrows",
         .value = "LIST",
         .help = "arrows, such as e2e4,Rd7d5, as in the PGN command [%cal].\nColours: G green (the default), R red, "
                 "Y yellow, B blue",
         .text = &arrows},
        {.name = "circles",
         .value = "LIST",
         .help = "circles, such as e4,Rd5, as in the PGN command [%csl]",
         .text = &circles},
        {.name = "last", .value = "MOVE", .help = "mark the squares of the last move, such as e2e4", .text = &last},
        {.name = "flip", .help = "Black is at the bottom", .flag = &p.flip},
        {.name = "no-coordinates", .help = "omit the letters and numbers at the edges", .flag = &p.plain},
        {.name = "size", .value = "N", .help = "width and height in pixels; default 400", .number = &p.size},
    };
    const tool_usage usage = {"board", "", about, options, sizeof options / sizeof *options, 0, 0};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    return settle(&p, fen, arrows, circles, last) && write_picture(&p, out, force) ? TOOL_DONE : TOOL_ERROR;
}
