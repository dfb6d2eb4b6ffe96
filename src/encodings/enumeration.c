/* SPDX-License-Identifier: MIT */
/* `enumeration`: a number below 45,356 for every possible move (Chess Programming Wiki, "Over All Pieces and Squares").
 * The order is the same as in the source's sheet: 22,678 moves of White, then the same number of Black; for each side
 * pawns, kings, knights, bishops, rooks, queens.
 *
 * A piece's number is six times the number of its pair of squares, plus the target: 0 empty, 1-5 P N B R Q. For each
 * side, 796 of these numbers are captures of a pawn on the first or last rank, which are impossible. The source counts
 * them, so the numbers are reserved. Moves of Black's pawns are seen from Black's side of the board. */
#include "encodings/encodings.h"

enum { FILES = 8, CAPTURE_FILES = 14, PROMOTIONS = 4 }; /* pawns on 8 files have 14 captures */

/* The first number of each kind of move of a side. */
enum {
    PROMOTION = 0,
    CAPTURE_PROMOTION = PROMOTION + FILES * PROMOTIONS, /* captures N B R Q */
    DOUBLE_PUSH = CAPTURE_PROMOTION + CAPTURE_FILES * PROMOTIONS * 4,
    PUSH = DOUBLE_PUSH + FILES,
    CAPTURE = PUSH + 5 * FILES, /* captures P N B R Q */
    EN_PASSANT = CAPTURE + 5 * CAPTURE_FILES * 5,
    CASTLING = EN_PASSANT + CAPTURE_FILES, /* 668: king's side, queen's side */
    KING = CASTLING + 2,
    KNIGHT = KING + 420 * 6,
    BISHOP = KNIGHT + 336 * 6,
    ROOK = BISHOP + 560 * 6,
    QUEEN = ROOK + 896 * 6
};

static const uint16_t piece_starts[5] = {KNIGHT, BISHOP, ROOK, QUEEN, KING}; /* by piece type - 1 */

/* ---- pawns, seen by White ---- */

/* Returns the number of a pawn's capture among the captures from one rank: 0 for axb, 1 for bxa, 2 for bxc ... 13 for
 * hxg. */
static unsigned capture_way(unsigned from, unsigned to)
{
    return 2 * (from & 7) + ((to & 7) > (from & 7)) - 1;
}
static unsigned capture_from(unsigned rank, unsigned way)
{
    return rank * 8 + (way + 1) / 2;
}
static unsigned capture_to(unsigned rank, unsigned way)
{
    return capture_from(rank, way) + (way & 1 ? 7 : 9);
}

/* Returns the number of a pawn's move, or UINT32_MAX if there is no such move. `from` and `to` are seen from White's
 * side. */
static unsigned rank_pawn(unsigned flags, unsigned from, unsigned to, unsigned captured)
{
    unsigned rank = from >> 3, file = from & 7, promotion = flags & 3;
    bool straight = to == from + 8, takes = (to == from + 7 && file > 0) || (to == from + 9 && file < 7);
    bool none = captured == STAMMA_PIECE_TYPE_NONE;
    switch (flags) {
    case STAMMA_FLAG_QUIET:
        return straight && rank >= 1 && rank <= 5 && none ? PUSH + (rank - 1) * FILES + file : UINT32_MAX;
    case STAMMA_FLAG_DOUBLE_PUSH: return to == from + 16 && rank == 1 && none ? DOUBLE_PUSH + file : UINT32_MAX;
    case STAMMA_FLAG_CAPTURE:
        return takes && rank >= 1 && rank <= 5 && captured <= STAMMA_QUEEN
                   ? CAPTURE + ((rank - 1) * CAPTURE_FILES + capture_way(from, to)) * 5 + captured
                   : UINT32_MAX;
    case STAMMA_FLAG_EN_PASSANT:
        return takes && rank == 4 && captured == STAMMA_PAWN ? EN_PASSANT + capture_way(from, to) : UINT32_MAX;
    default: break;
    }
    if (rank != 6 || !(flags & STAMMA_FLAG_PROMOTION))
        return UINT32_MAX;
    if (!(flags & STAMMA_FLAG_CAPTURE))
        return straight && none ? PROMOTION + file * PROMOTIONS + promotion : UINT32_MAX;
    if (!takes || captured < STAMMA_KNIGHT || captured > STAMMA_QUEEN)
        return UINT32_MAX;
    return CAPTURE_PROMOTION + (capture_way(from, to) * PROMOTIONS + promotion) * 4 + captured - STAMMA_KNIGHT;
}

static stamma_move unrank_pawn(unsigned number, unsigned *captured)
{
    *captured = STAMMA_PIECE_TYPE_NONE;
    if (number >= EN_PASSANT) {
        number -= EN_PASSANT;
        *captured = STAMMA_PAWN;
        return stamma_move_make(capture_from(4, number), capture_to(4, number), STAMMA_FLAG_EN_PASSANT);
    }
    if (number >= CAPTURE) {
        unsigned way = (number - CAPTURE) / 5 % CAPTURE_FILES, rank = (number - CAPTURE) / 5 / CAPTURE_FILES + 1;
        *captured = (number - CAPTURE) % 5;
        return stamma_move_make(capture_from(rank, way), capture_to(rank, way), STAMMA_FLAG_CAPTURE);
    }
    if (number >= PUSH)
        return stamma_move_make(number - PUSH + 8, number - PUSH + 16, STAMMA_FLAG_QUIET);
    if (number >= DOUBLE_PUSH)
        return stamma_move_make(number - DOUBLE_PUSH + 8, number - DOUBLE_PUSH + 24, STAMMA_FLAG_DOUBLE_PUSH);
    if (number >= CAPTURE_PROMOTION) {
        number -= CAPTURE_PROMOTION;
        *captured = STAMMA_KNIGHT + number % 4;
        unsigned way = number / 4 / PROMOTIONS, flags = STAMMA_FLAG_CAPTURE_PROMOTE_KNIGHT + number / 4 % PROMOTIONS;
        return stamma_move_make(capture_from(6, way), capture_to(6, way), flags);
    }
    unsigned from = 48 + number / PROMOTIONS;
    return stamma_move_make(from, from + 8, STAMMA_FLAG_PROMOTE_KNIGHT + number % PROMOTIONS);
}

/* ---- pieces ---- */

/* Returns the number of a pair of squares among the pairs of a piece type, ordered by origin and then by target. */
static unsigned rank_pair(unsigned type, unsigned from, unsigned to)
{
    return stamma_empty_pairs[type - 1][from] + bits_count(stamma_reach[type][from] & (square_bit(to) - 1));
}

static unsigned rank_piece(unsigned type, unsigned flags, unsigned from, unsigned to, unsigned captured)
{
    bool takes = flags == STAMMA_FLAG_CAPTURE && captured <= STAMMA_QUEEN;
    bool quiet = flags == STAMMA_FLAG_QUIET && captured == STAMMA_PIECE_TYPE_NONE;
    if (!(takes || quiet) || !(stamma_reach[type][from] >> to & 1))
        return UINT32_MAX;
    return piece_starts[type - 1] + rank_pair(type, from, to) * 6 + (takes ? captured + 1 : 0);
}

static stamma_move unrank_piece(unsigned type, unsigned number, unsigned *captured)
{
    const uint16_t *starts = stamma_empty_pairs[type - 1];
    unsigned pair = number / 6, target = number % 6, from = 63;
    while (starts[from] > pair)
        from--;
    *captured = target == 0 ? (unsigned)STAMMA_PIECE_TYPE_NONE : target - 1;
    return stamma_move_make(from, stamma_move_to(indexed_move(STAMMA_WHITE, type, from, pair - starts[from])),
                            target == 0 ? STAMMA_FLAG_QUIET : STAMMA_FLAG_CAPTURE);
}

/* ---- all moves ---- */

/* Returns the same move seen from the other side of the board. */
static stamma_move mirrored(stamma_move move)
{
    return move ^ (56 << 6 | 56);
}

stamma_error stamma_enumeration_rank(stamma_enumerated_move move, uint16_t *number)
{
    stamma_move seen = move.side == STAMMA_BLACK ? mirrored(move.move) : move.move;
    unsigned flags = stamma_move_flags(seen), from = stamma_move_from(seen), to = stamma_move_to(seen);
    unsigned rank = UINT32_MAX;
    if (move.piece == STAMMA_PAWN)
        rank = rank_pawn(flags, from, to, move.captured);
    else if (move.piece == STAMMA_KING && stamma_move_is_castling(seen) && move.captured == STAMMA_PIECE_TYPE_NONE &&
             from < 8 && to == castling_king_to(STAMMA_WHITE, castling_side(seen)))
        rank = CASTLING + castling_side(seen);
    else if (move.piece <= STAMMA_KING)
        rank = rank_piece(move.piece, flags, stamma_move_from(move.move), stamma_move_to(move.move), move.captured);
    if (rank == UINT32_MAX || move.side > STAMMA_BLACK || !number)
        return STAMMA_ERROR_BAD_ARGUMENT;
    *number = (uint16_t)(rank + move.side * (unsigned)STAMMA_ENUMERATION_SIDE);
    return STAMMA_OK;
}

stamma_error stamma_enumeration_unrank(unsigned number, stamma_enumerated_move *move)
{
    if (number >= STAMMA_ENUMERATION_COUNT || !move)
        return STAMMA_ERROR_BAD_ARGUMENT;
    unsigned side = number / STAMMA_ENUMERATION_SIDE, captured = STAMMA_PIECE_TYPE_NONE, type = STAMMA_KING;
    number %= STAMMA_ENUMERATION_SIDE;
    stamma_move found;
    if (number < CASTLING) {
        type = STAMMA_PAWN;
        found = unrank_pawn(number, &captured);
    } else if (number < KING) {
        unsigned castling = number - CASTLING;
        found = stamma_move_make(4, castling_king_to(STAMMA_WHITE, castling), STAMMA_FLAG_KING_CASTLE + castling);
    } else {
        if (number >= KNIGHT)
            for (type = STAMMA_QUEEN; piece_starts[type - 1] > number;)
                type--;
        found = unrank_piece(type, number - piece_starts[type - 1], &captured);
    }
    if (side == STAMMA_BLACK && number < KING)
        found = mirrored(found);
    *move = (stamma_enumerated_move){found, (uint8_t)side, (uint8_t)type, (uint8_t)captured};
    return STAMMA_OK;
}

/* ---- as a codec ---- */

/* The number after the last is the null move, which the source omits. */
static stamma_error write_number(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 bit_writer *out)
{
    (void)codec;
    stamma_move32 full = stamma_move32_of(position, move);
    uint16_t number = STAMMA_ENUMERATION_COUNT;
    if (move != STAMMA_MOVE_NULL) {
        stamma_enumerated_move one = {move, position->side, (uint8_t)stamma_move32_moved(full),
                                      (uint8_t)stamma_move32_captured(full)};
        (void)stamma_enumeration_rank(one, &number); /* legal moves have a number */
    }
    stamma_bits_write(out, number, 16);
    return STAMMA_OK;
}

static stamma_error read_number(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                                stamma_move *move)
{
    (void)codec;
    unsigned number = (unsigned)stamma_bits_read(in, 16);
    stamma_enumerated_move one = {STAMMA_MOVE_NULL, position->side, STAMMA_KING, STAMMA_PIECE_TYPE_NONE};
    if (in->failed || (number != STAMMA_ENUMERATION_COUNT && stamma_enumeration_unrank(number, &one) != STAMMA_OK))
        return STAMMA_ERROR_CORRUPT;
    if (stamma_move_is_castling(one.move)) /* in Chess960 the king may be on another file than in the number */
        one.move = stamma_move_make(position_king(position, position->side), stamma_move_to(one.move),
                                    stamma_move_flags(one.move));
    stamma_move32 full = stamma_move32_of(position, one.move);
    bool same = one.side == position->side && stamma_codec_may_play(position, one.move);
    if (one.move != STAMMA_MOVE_NULL)
        same = same && stamma_move32_moved(full) == one.piece && stamma_move32_captured(full) == one.captured;
    if (!same)
        return STAMMA_ERROR_CORRUPT;
    *move = one.move;
    return STAMMA_OK;
}

static void explain_number(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    static const struct {
        uint16_t first;
        const char *what;
    } kinds[] = {{QUEEN, "queen's moves"},
                 {ROOK, "rook's moves"},
                 {BISHOP, "bishop's moves"},
                 {KNIGHT, "knight's moves"},
                 {KING, "king's moves"},
                 {CASTLING, "castling"},
                 {EN_PASSANT, "en passant"},
                 {CAPTURE, "captures by pawns"},
                 {PUSH, "pushes"},
                 {DOUBLE_PUSH, "double pushes"},
                 {CAPTURE_PROMOTION, "promotions with capture"},
                 {PROMOTION, "promotions"}};
    uint8_t bytes[2];
    bit_writer out = {bytes, 16, 0, false};
    (void)write_number(codec, position, move, &out);
    unsigned number = (unsigned)bytes[0] << 8 | bytes[1], kind = 0;
    bool black = number >= STAMMA_ENUMERATION_SIDE;
    number -= black ? STAMMA_ENUMERATION_SIDE : 0;
    while (kinds[kind].first > number)
        kind++;
    stamma_explain_term(e, black ? STAMMA_ENUMERATION_SIDE : 0, "%s to move", stamma_color_name(position->side));
    stamma_explain_term(e, kinds[kind].first, "first of the %s", kinds[kind].what);
    stamma_explain_term(e, number - kinds[kind].first, "from %s to %s, number %u of these",
                        stamma_square_name(stamma_move_from(move)).text, stamma_square_name(stamma_move_to(move)).text,
                        number - kinds[kind].first);
}

const stamma_codec stamma_codec_enumeration = {
    .info = {.name = "enumeration",
             .source = SOURCE_WIKI,
             .description = "a number below 45356 for side, piece, squares, captured piece and promotion",
             .kind = STAMMA_CODEC_MOVE},
    .has_null = true,
    .write = write_number,
    .read = read_number,
    .explain = explain_number,
};
