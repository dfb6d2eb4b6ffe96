/* SPDX-License-Identifier: MIT */
/* stamma predict: prints the most likely next moves with their probabilities. */
#include "games/game_views.h"

static const char about[] =
    "Plays the MOVEs and prints all legal moves in the resulting position, the most likely\n"
    "first: the move, its probability in percent, and its information in bits, which is the\n"
    "size of its code. A MOVE is SAN, UCI or similar notation, with or without a move number;\n"
    "Z0 is the null move. The predictor was trained on games of people; ratings and the time\n"
    "control make it more accurate.\n\n"
    "--json prints one object: \"fen\" and \"moves\", a list of objects san, uci, probability,\n"
    "bits.";

typedef struct line {
    stamma_position start, position;
    stamma_move *moves;
    size_t plies;
} line;

static bool play(line *l, const char *word)
{
    stamma_move move = STAMMA_MOVE_NULL;
    stamma_error error = stamma_san_read(&l->position, stamma_text_of(word), &move);
    if (error) {
        tool_say("predict", "\"%s\": %s", word, stamma_error_text(error));
        return false;
    }
    stamma_move *moves = realloc(l->moves, (l->plies + 1) * sizeof *moves);
    if (!moves) {
        tool_say("predict", "out of memory");
        return false;
    }
    l->moves = moves;
    l->moves[l->plies++] = move;
    stamma_position_make(&l->position, move, &l->position);
    return true;
}

/* Plays an argument: one or several moves, with or without move numbers. */
static bool play_words(line *l, char *text)
{
    for (char *word = strtok(text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        const char *move = tool_skip_move_number(word);
        if (*move && !play(l, move))
            return false;
    }
    return true;
}

static void print_json(const line *l, const stamma_likely_move *likely, size_t count)
{
    char fen[STAMMA_FEN_SIZE], text[STAMMA_SAN_SIZE];
    (void)stamma_fen_write(&l->position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    tool_json_open(NULL, '{');
    tool_json_string("fen", fen);
    tool_json_open("moves", '[');
    for (size_t n = 0; n < count; n++) {
        tool_json_open(NULL, '{');
        (void)stamma_san_write(&l->position, likely[n].move, text, sizeof text);
        tool_json_string("san", text);
        (void)stamma_uci_write(&l->position, likely[n].move, tool_is_chess960(&l->position), text, sizeof text);
        tool_json_string("uci", text);
        tool_json_real("probability", (double)likely[n].frequency / STAMMA_PREDICT_TOTAL, 6);
        tool_json_real("bits", tool_bits_of(likely[n].frequency), 3);
        tool_json_close('}');
    }
    tool_json_close(']');
    tool_json_close('}');
    tool_json_end();
}

static void print_lines(const line *l, const stamma_likely_move *likely, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        char san[STAMMA_SAN_SIZE];
        (void)stamma_san_write(&l->position, likely[n].move, san, sizeof san);
        printf("%-8s %6.2f %% %6.2f bits\n", san, 100.0 * likely[n].frequency / STAMMA_PREDICT_TOTAL,
               tool_bits_of(likely[n].frequency));
    }
}

static int predict(const line *l, const stamma_game_context *context, bool json)
{
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    size_t count = 0;
    stamma_error error = stamma_predict(&l->start, l->moves, l->plies, context, likely, &count);
    if (error) {
        tool_say("predict", "%s",
                 error == STAMMA_ERROR_UNSUPPORTED ? "this program was built without the predictor's weights"
                                                   : stamma_error_text(error));
        return TOOL_ERROR;
    }
    if (json)
        print_json(l, likely, count);
    else
        print_lines(l, likely, count);
    return count > 0 ? TOOL_DONE : TOOL_NOTHING;
}

static bool read_rating(const char *option, uint64_t value, uint16_t *rating)
{
    *rating = (uint16_t)value;
    if (value <= 9999)
        return true;
    tool_say(option, "%" PRIu64 " is not a rating up to 9999", value);
    return false;
}

int tool_predict(int argc, char **argv)
{
    const char *fen = NULL, *control = NULL;
    uint64_t white = 0, black = 0;
    bool json = false;
    const tool_option options[] = {
        {.name = "fen", .value = "FEN", .help = "start position; default: the initial position", .text = &fen},
        {.name = "white-rating", .value = "N", .help = "White's rating", .number = &white},
        {.name = "black-rating", .value = "N", .help = "Black's rating", .number = &black},
        {.name = "time-control",
         .value = "TEXT",
         .help = "time control in the form of the TimeControl tag: 180+2 (seconds for the\ngame and for each move)",
         .text = &control},
        {.name = "json", .help = "print JSON", .flag = &json},
    };
    const tool_usage usage = {"predict", "[MOVE...]", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    stamma_game_context context = {.size = sizeof context};
    line l = {.plies = 0};
    if (!tool_fen_read(fen, &l.start) || !read_rating("--white-rating", white, &context.white_rating) ||
        !read_rating("--black-rating", black, &context.black_rating))
        return TOOL_ERROR;
    context.time_control = control ? stamma_text_of(control) : (stamma_text){NULL, 0};
    l.position = l.start;
    bool good = true;
    for (int n = 0; n < operands && good; n++)
        good = play_words(&l, argv[n]);
    status = good ? predict(&l, &context, json) : TOOL_ERROR;
    free(l.moves);
    return status;
}
