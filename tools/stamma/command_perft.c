/* stamma perft: counts the leaves of the tree of legal moves. */
#include "tool.h"

#define DEPTH_MAX 99

static const char about[] = "Counts the leaf nodes of the tree of legal moves, DEPTH plies deep. The last line of\n"
                            "standard output is that number.";

/* Names every rule that the text breaks. */
static void say_problems(const char *what, unsigned problems)
{
    tool_message_begin("--fen");
    (void)fputs(what, stderr);
    for (unsigned bit = 1; bit != 0 && bit <= problems; bit <<= 1)
        if (problems & bit)
            (void)fprintf(stderr, "%s%s", stamma_setup_problem_text(bit), problems & ~(2 * bit - 1) ? ", " : "\n");
}

static bool read_fen(const char *fen, stamma_position *position)
{
    unsigned problems = 0;
    size_t offset = 0;
    *position = stamma_position_start();
    if (!fen)
        return true;
    stamma_error error = stamma_fen_read(tool_text_of(fen), position, &problems, &offset);
    if (!error && problems)
        say_problems("left out: ", problems);
    else if (error == STAMMA_ERROR_ILLEGAL && problems)
        say_problems("", problems);
    else if (error)
        tool_say("--fen", "%s at character %zu of \"%s\"", stamma_error_text(error), offset + 1, fen);
    return !error;
}

/* A line "MOVE: NODES" for each legal move, in canonical order, and an empty line; returns their sum. */
static uint64_t divide(const stamma_position *position, unsigned depth)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(position, moves);
    bool chess960 = tool_is_chess960(position);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        char text[STAMMA_UCI_SIZE];
        stamma_position after;
        stamma_position_make(position, moves[i], &after);
        uint64_t nodes = stamma_perft(&after, depth - 1);
        (void)stamma_uci_write(position, moves[i], chess960, text, sizeof text);
        printf("%s: %" PRIu64 "\n", text, nodes);
        sum += nodes;
    }
    putchar('\n');
    return sum;
}

int tool_perft(int argc, char **argv)
{
    const char *fen = NULL;
    bool by_move = false;
    const tool_option options[] = {
        {.name = "fen", .value = "FEN", .help = "the position; without it, the initial one", .text = &fen},
        {.name = "divide",
         .help = "first a line for each move with its number of nodes; in positions\n"
                 "of Chess960 castling is written king takes rook",
         .flag = &by_move},
    };
    const tool_usage usage = {"perft", "DEPTH", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    char *end = argv[0];
    unsigned long depth = *end >= '0' && *end <= '9' ? strtoul(argv[0], &end, 10) : 0;
    if (end == argv[0] || *end != 0 || depth > DEPTH_MAX) {
        tool_say(NULL, "perft: \"%s\" is no depth from 0 to %d", argv[0], DEPTH_MAX);
        return TOOL_ERROR;
    }
    stamma_position position;
    if (!read_fen(fen, &position))
        return TOOL_ERROR;
    uint64_t nodes =
        by_move && depth > 0 ? divide(&position, (unsigned)depth) : stamma_perft(&position, (unsigned)depth);
    printf("%" PRIu64 "\n", nodes);
    return TOOL_DONE;
}
