/* SPDX-License-Identifier: MIT */
/* Codes whose meaning does not depend on a position: what they say about the move. */
#include "encodings/encode.h"

/* What a code says. */
typedef struct meaning {
    stamma_move move;
    bool has_flags;       /* `move` has its flags; otherwise only its squares */
    const char *side;     /* NULL if the code does not say it */
    const char *piece;    /* NULL if the code does not say it */
    const char *captured; /* NULL if the code does not say it, or if nothing is captured */
} meaning;

static const char *piece_name(unsigned type)
{
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

/* Returns whether some piece can make the move in some position. */
static bool is_possible(stamma_move move)
{
    uint16_t number;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned piece = STAMMA_PAWN; piece <= STAMMA_KING; piece++)
            for (unsigned captured = STAMMA_PAWN; captured <= STAMMA_PIECE_TYPE_NONE; captured++)
                if (stamma_enumeration_rank(
                        (stamma_enumerated_move){move, (uint8_t)side, (uint8_t)piece, (uint8_t)captured}, &number) ==
                    STAMMA_OK)
                    return true;
    return false;
}

static bool read_enumeration(uint64_t value, meaning *m)
{
    stamma_enumerated_move one;
    if (value > UINT32_MAX || stamma_enumeration_unrank((unsigned)value, &one) != STAMMA_OK)
        return false;
    *m = (meaning){one.move, true, one.side == STAMMA_WHITE ? "white" : "black", piece_name(one.piece),
                   piece_name(one.captured)};
    return true;
}

static bool read_move32(uint64_t value, meaning *m)
{
    if (value > UINT32_MAX)
        return false;
    const stamma_move32 move = (stamma_move32)value;
    *m = (meaning){stamma_move32_move(move), true, NULL, piece_name(stamma_move32_moved(move)),
                   piece_name(stamma_move32_captured(move))};
    return true;
}

static bool read_meaning(const char *name, uint64_t value, meaning *m)
{
    if (strcmp(name, "enumeration") == 0)
        return read_enumeration(value, m);
    if (strcmp(name, "move32") == 0)
        return read_move32(value, m);
    *m = (meaning){.move = (stamma_move)(value & 0xFFFF), .has_flags = true};
    if (strcmp(name, "move16") == 0)
        return value <= 0xFFFF;
    m->move = stamma_move_make(value >> 6 & 63, value & 63, STAMMA_FLAG_QUIET);
    m->has_flags = false;
    return (strcmp(name, "butterfly") == 0 && value <= 0xFFF) || (strcmp(name, "move14") == 0 && value <= 0x3FFF);
}

/* Describes what a possible move does except capturing and promoting. */
static const char *flags_text(stamma_move move)
{
    switch (stamma_move_flags(move)) {
    case STAMMA_FLAG_DOUBLE_PUSH: return "makes a double push";
    case STAMMA_FLAG_KING_CASTLE: return "castles on the king's side";
    case STAMMA_FLAG_QUEEN_CASTLE: return "castles on the queen's side";
    case STAMMA_FLAG_EN_PASSANT: return "en passant";
    default: return "";
    }
}

static void print_word(const char *format, const char *word)
{
    if (word && *word)
        printf(format, word);
}

static void print_text(const meaning *m, const char *uci)
{
    printf("%s ", uci);
    print_word(" %s", m->side);
    print_word(" %s", m->piece);
    if (m->has_flags && stamma_move_is_capture(m->move))
        m->captured ? (void)printf(" captures a %s", m->captured) : (void)printf(" captures");
    if (m->has_flags)
        print_word(" %s", flags_text(m->move));
    const char *format = stamma_move_is_capture(m->move) ? " and promotes to a %s" : " promotes to a %s";
    if (m->has_flags && stamma_move_is_promotion(m->move))
        print_word(format, piece_name(stamma_move_promotion(m->move)));
    putchar('\n');
}

bool encode_print_meaning(const stamma_codec *codec, uint64_t value, bool json)
{
    meaning m;
    char uci[STAMMA_UCI_SIZE];
    const stamma_position start = stamma_position_start();
    if (!read_meaning(stamma_codec_describe(codec).name, value, &m) || !is_possible(m.move))
        return false;
    (void)stamma_uci_write(&start, m.move, false, uci, sizeof uci);
    if (!json) {
        print_text(&m, uci);
        return true;
    }
    tool_json_open(NULL, '{');
    tool_json_string("uci", uci);
    tool_json_string("san", NULL);
    if (m.has_flags)
        tool_json_number("move16", m.move);
    tool_json_string("side", m.side);
    tool_json_string("piece", m.piece);
    tool_json_string("captured", m.captured);
    tool_json_close('}');
    tool_json_end();
    return true;
}
