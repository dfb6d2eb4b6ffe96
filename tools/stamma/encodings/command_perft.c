/* SPDX-License-Identifier: MIT */
/* stamma perft: counts the leaf nodes of the tree of legal moves. */
#include "games/game_views.h"

#define DEPTH_MAX 99

static const char about[] =
    "Counts the leaf nodes of the tree of legal moves to a depth of DEPTH plies. The last line\n"
    "of standard output is their number.";

/* Counts the leaf nodes below a position, with the library's generator or another board representation. */
static stamma_error count(const stamma_position *position, const stamma_board *board, unsigned depth, uint64_t *nodes)
{
    stamma_board_state state;
    if (!board) {
        *nodes = stamma_perft(position, depth);
        return STAMMA_OK;
    }
    stamma_error error = board->set_up(position, &state);
    if (!error)
        *nodes = stamma_board_perft(board, &state, depth);
    return error;
}

/* Prints a line "MOVE: NODES" for each legal move, in canonical order, and an empty line. *nodes is their sum. */
static stamma_error divide(const stamma_position *position, const stamma_board *board, unsigned depth, uint64_t *nodes)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t move_count = stamma_legal_moves_canonical(position, moves);
    bool chess960 = tool_is_chess960(position);
    *nodes = 0;
    for (size_t i = 0; i < move_count; i++) {
        char text[STAMMA_UCI_SIZE];
        uint64_t below = 0;
        stamma_position after;
        stamma_position_make(position, moves[i], &after);
        stamma_error error = count(&after, board, depth - 1, &below);
        if (error)
            return error;
        (void)stamma_uci_write(position, moves[i], chess960, text, sizeof text);
        printf("%s: %" PRIu64 "\n", text, below);
        *nodes += below;
    }
    putchar('\n');
    return STAMMA_OK;
}

static bool find_board(const char *name, const stamma_board **board)
{
    *board = name ? stamma_board_find(stamma_text_of(name)) : NULL;
    if (!name || *board)
        return true;
    tool_message_begin(NULL);
    (void)fprintf(stderr, "perft has no board \"%s\"; the boards are", name);
    for (size_t i = 0; stamma_board_at(i); i++)
        (void)fprintf(stderr, "%s %s", i > 0 ? "," : "", stamma_board_at(i)->name);
    (void)fputc('\n', stderr);
    return false;
}

static bool read_depth(const char *text, unsigned *depth)
{
    char *end = NULL;
    unsigned long value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (!end || *end != 0 || value > DEPTH_MAX) {
        tool_say(NULL, "perft: \"%s\" is not a depth from 0 to %d", text, DEPTH_MAX);
        return false;
    }
    *depth = (unsigned)value;
    return true;
}

int tool_perft(int argc, char **argv)
{
    const char *fen = NULL, *board_name = NULL;
    bool by_move = false;
    const tool_option options[] = {
        {.name = "fen", .value = "FEN", .help = "start position; default: the initial position", .text = &fen},
        {.name = "board",
         .value = "NAME",
         .help = "count with another board representation: bitboard, array-8x8,\n"
                 "mailbox-12x12, mailbox-10x12, array-16x16, x88, nibble-rows,\n"
                 "piece-list",
         .text = &board_name},
        {.name = "divide",
         .help = "print a line for each move with its number of nodes; in Chess960\n"
                 "positions castling is written as king takes rook",
         .flag = &by_move},
    };
    const tool_usage usage = {"perft", "DEPTH", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    unsigned depth;
    uint64_t nodes;
    stamma_position position;
    const stamma_board *board;
    if (!read_depth(argv[0], &depth) || !find_board(board_name, &board) || !tool_fen_read(fen, &position))
        return TOOL_ERROR;
    stamma_error error =
        by_move && depth > 0 ? divide(&position, board, depth, &nodes) : count(&position, board, depth, &nodes);
    if (error) {
        tool_say(NULL, "perft: board %s: %s", board_name, stamma_error_text(error));
        return TOOL_ERROR;
    }
    printf("%" PRIu64 "\n", nodes);
    return TOOL_DONE;
}
