/* SPDX-License-Identifier: MIT */
/* `tarrasch`: a move in one byte. The upper half identifies the piece, and the lower half describes its move (Forster
 * 2015, "The Sweet Spot"). Tarrasch, a program by Bill Forster, stores games in this way.
 *
 *   0-7     pawns
 *   6, 7    the second queen, as bishop and as rook; only if there are no pawns 6 and 7
 *   8       king
 *   9       both knights
 *   10, 11  bishop on light squares, on dark squares
 *   12, 15  queen, as bishop and as rook
 *   13, 14  rooks
 *
 * Pawns, knights, rooks and queens are numbered along the files. A code therefore never depends on the moves that led
 * to the position. encodings.h describes the vectors; the king's vector 15 is the null move. If the side to move has
 * more pieces of a kind than there are codes, its byte is `legal-index`. The other side's pieces do not matter. */
#include "encodings/encodings.h"

enum {
    CODE_SECOND_QUEEN_BISHOP = 6,
    CODE_SECOND_QUEEN_ROOK = 7,
    CODE_KING = 8,
    CODE_KNIGHTS = 9,
    CODE_BISHOP_LIGHT = 10,
    CODE_BISHOP_DARK = 11,
    CODE_QUEEN_BISHOP = 12,
    CODE_ROOK = 13,
    CODE_QUEEN_ROOK = 15,
    BYTE_NULL = CODE_KING << 4 | VECTOR_NULL
};

/* ---- positions without enough codes ---- */

static uint64_t own_pieces(const stamma_position *p, unsigned type)
{
    return position_pieces(p, p->side, type);
}

static const char *fallback(const stamma_codec *codec, const stamma_position *p)
{
    const numbered_code *code = codec->variant;
    unsigned queens = bits_count(own_pieces(p, STAMMA_QUEEN));
    uint64_t bishops = own_pieces(p, STAMMA_BISHOP);
    if (queens > code->queens)
        return code->queens == 1 ? "more than one queen" : "more than two queens";
    if (queens == 2 && bits_count(own_pieces(p, STAMMA_PAWN)) > 6)
        return "two queens and more than six pawns";
    if (bits_count(own_pieces(p, STAMMA_ROOK)) > 2)
        return "more than two rooks";
    if (bits_count(own_pieces(p, STAMMA_KNIGHT)) > 2)
        return "more than two knights";
    if (bits_rest(bishops & DARK_SQUARES) || bits_rest(bishops & ~DARK_SQUARES))
        return "two bishops of one square colour";
    return NULL;
}

/* ---- the code, computed from the position ---- */

static unsigned encode(const stamma_position *p, stamma_move move)
{
    if (move == STAMMA_MOVE_NULL)
        return BYTE_NULL;
    unsigned from = stamma_move_from(move), type = position_type_at(p, from), kind = vector_kind(type, move);
    unsigned number = bits_count(own_pieces(p, type) & squares_before(from)), vector = move_vector(type, move), code;
    switch (type) {
    case STAMMA_PAWN: code = number; break;
    case STAMMA_KNIGHT: code = CODE_KNIGHTS, vector |= number << 3; break;
    case STAMMA_BISHOP: code = DARK_SQUARES >> from & 1 ? CODE_BISHOP_DARK : CODE_BISHOP_LIGHT; break;
    case STAMMA_ROOK: code = CODE_ROOK + number; break;
    case STAMMA_QUEEN:
        if (kind == STAMMA_BISHOP)
            code = number == 0 ? CODE_QUEEN_BISHOP : CODE_SECOND_QUEEN_BISHOP;
        else
            code = number == 0 ? CODE_QUEEN_ROOK : CODE_SECOND_QUEEN_ROOK;
        break;
    default: code = CODE_KING; break;
    }
    return code << 4 | vector;
}

/* Returns the square of the piece that a byte identifies, or NONE. *kind becomes the kind as which the piece moves. */
static unsigned locate(const stamma_position *p, unsigned byte, unsigned *kind)
{
    static const uint8_t kinds[16] = {
        STAMMA_PAWN, STAMMA_PAWN,   STAMMA_PAWN,   STAMMA_PAWN,   STAMMA_PAWN,   STAMMA_PAWN, STAMMA_PAWN, STAMMA_PAWN,
        STAMMA_KING, STAMMA_KNIGHT, STAMMA_BISHOP, STAMMA_BISHOP, STAMMA_BISHOP, STAMMA_ROOK, STAMMA_ROOK, STAMMA_ROOK};
    unsigned code = byte >> 4;
    uint64_t queens = own_pieces(p, STAMMA_QUEEN);
    *kind = kinds[code];
    switch (code) {
    case CODE_SECOND_QUEEN_BISHOP:
    case CODE_SECOND_QUEEN_ROOK:
        if (!bits_rest(queens))
            break;
        *kind = code == CODE_SECOND_QUEEN_BISHOP ? STAMMA_BISHOP : STAMMA_ROOK;
        return stamma_nth_square(queens, 1);
    case CODE_QUEEN_BISHOP:
    case CODE_QUEEN_ROOK: return stamma_nth_square(queens, 0);
    case CODE_KING: return position_king(p, p->side);
    case CODE_KNIGHTS: return stamma_nth_square(own_pieces(p, STAMMA_KNIGHT), byte >> 3 & 1);
    case CODE_BISHOP_LIGHT: return stamma_nth_square(own_pieces(p, STAMMA_BISHOP) & ~DARK_SQUARES, 0);
    case CODE_BISHOP_DARK: return stamma_nth_square(own_pieces(p, STAMMA_BISHOP) & DARK_SQUARES, 0);
    case CODE_ROOK:
    case CODE_ROOK + 1: return stamma_nth_square(own_pieces(p, STAMMA_ROOK), code - CODE_ROOK);
    }
    return stamma_nth_square(own_pieces(p, STAMMA_PAWN), code);
}

static stamma_error decode(const stamma_position *p, unsigned byte, stamma_move *move)
{
    bool is_null = byte == BYTE_NULL && !stamma_position_in_check(p);
    unsigned kind, from = locate(p, byte, &kind);
    stamma_move found = stamma_vector_legal_move(p, kind, from, byte & 15);
    if (found == STAMMA_MOVE_NULL && !is_null)
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

unsigned stamma_tarrasch_swaps(const stamma_position *position, stamma_move move)
{
    uint64_t pawns = own_pieces(position, STAMMA_PAWN), from = square_bit(stamma_move_from(move));
    if (!(pawns & from) || !stamma_move_is_capture(move) || stamma_move_is_promotion(move))
        return 0;
    uint64_t passed = squares_before(stamma_move_from(move)) ^ squares_before(stamma_move_to(move));
    return bits_count(pawns & ~from & passed);
}

static void explain(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    (void)codec;
    unsigned byte = encode(p, move), from = stamma_move_from(move), type = position_type_at(p, from);
    unsigned number = bits_count(own_pieces(p, type) & squares_before(from)), kind = vector_kind(type, move);
    if (type == STAMMA_PAWN)
        stamma_explain_bits(e, byte >> 4, 4, "pawn %u", number);
    else
        stamma_explain_bits(e, byte >> 4, 4, "%s%s on %s%s", type == STAMMA_KNIGHT ? "the knights, " : "",
                            stamma_type_name(type), stamma_square_name(from).text,
                            type != STAMMA_QUEEN  ? ""
                            : kind == STAMMA_ROOK ? ", as a rook"
                                                  : ", as a bishop");
    if (type == STAMMA_KNIGHT)
        stamma_explain_bits(e, number, 1, number ? "the second of two" : "the first of two");
    stamma_explain_vector(e, kind, byte & 15);
}

/* ---- as codecs ---- */

static stamma_error write_byte(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    if (fallback(codec, p))
        return stamma_codec_legal_index.write(&stamma_codec_legal_index, p, move, out);
    stamma_bits_write(out, encode(p, move), 8);
    return STAMMA_OK;
}

static stamma_error read_byte(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    if (fallback(codec, p))
        return stamma_codec_legal_index.read(&stamma_codec_legal_index, p, in, move);
    unsigned byte = (unsigned)stamma_bits_read(in, 8);
    return in->failed ? STAMMA_ERROR_CORRUPT : decode(p, byte, move);
}

const stamma_codec stamma_codec_tarrasch = {
    .info =
        {.name = "tarrasch",
         .source = SOURCE_FORSTER,
         .description =
             "one byte: which of sixteen pieces, and which of its sixteen vectors; two queens where pawns are missing",
         .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .variant = &(const numbered_code){.naming = NAMED_TARRASCH, .queens = 2, .slow = fallback},
    .write = write_byte,
    .read = read_byte,
    .fallback = fallback,
    .fallback_means = "legal-index",
    .explain = explain,
    .write_game = stamma_numbered_write_game,
    .read_game = stamma_numbered_read_game,
};

/* Without the second queen: the first version of the code. */
const stamma_codec stamma_codec_tarrasch_one_queen = {
    .info = {.name = "tarrasch-one-queen",
             .source = SOURCE_FORSTER,
             .description = "tarrasch without the second queen: one more reason to fall back",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .variant = &(const numbered_code){.naming = NAMED_TARRASCH, .queens = 1, .slow = fallback},
    .write = write_byte,
    .read = read_byte,
    .fallback = fallback,
    .fallback_means = "legal-index",
    .explain = explain,
    .write_game = stamma_numbered_write_game,
    .read_game = stamma_numbered_read_game,
};
