/* SPDX-License-Identifier: MIT */
/* The board room: the rules of chess on bitboards. This header declares functions that other rooms need in addition to
 * the public header. Its functions are inline and intended for hot paths.
 *
 * A bitboard is a uint64_t whose bit n is square n (a1 = 0, h8 = 63). "Occupied" is the set of all pieces. */
#ifndef STAMMA_BOARD_H
#define STAMMA_BOARD_H

#include "base/base.h"

/* stamma_position is public and copied by value, so its size is part of the ABI. */
_Static_assert(sizeof(stamma_position) == 88, "a position is 88 bytes without padding");

/* ---- constant tables (attack_tables.c, key_numbers.c) ---- */

extern const uint64_t stamma_reach[6][64];        /* [type][square]: attacks on the empty board; none for pawns */
extern const uint64_t stamma_pawn_attacks[2][64]; /* [color][square]: squares that a pawn of the colour attacks */
extern const uint64_t stamma_line_masks[64][4];   /* rank, file, diagonal, anti-diagonal through a square, without it */
extern const uint64_t stamma_row_attacks[8][64];  /* [file][six inner bits]: attacks along a rank, on every rank */
extern const uint64_t stamma_column_attacks[8][64]; /* [rank][six inner bits, from the top]: attacks along file a */
extern const uint64_t stamma_between[64][64];       /* squares strictly between two squares on one line, otherwise 0 */

extern const uint64_t stamma_key_pieces[12][64]; /* [piece type + 6 for Black] */
extern const uint64_t stamma_key_castling[64];   /* by square of the castling rook */
extern const uint64_t stamma_key_en_passant[8];  /* by file */
extern const uint64_t stamma_key_black;          /* Black is to move */

/* ---- squares and sets of squares ---- */

#define RANK_1 UINT64_C(0x00000000000000FF)
#define RANK_2 UINT64_C(0x000000000000FF00)
#define RANK_3 UINT64_C(0x0000000000FF0000)
#define RANK_6 UINT64_C(0x0000FF0000000000)
#define RANK_7 UINT64_C(0x00FF000000000000)
#define RANK_8 UINT64_C(0xFF00000000000000)
#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H UINT64_C(0x8080808080808080)
#define DARK_SQUARES UINT64_C(0xAA55AA55AA55AA55) /* a1 is dark */

/* Returns the set of one square; `square` must be below 64. */
STAMMA_INLINE uint64_t square_bit(unsigned square)
{
    return UINT64_C(1) << square;
}
/* Returns the set of one square, or the empty set for STAMMA_SQUARE_NONE. */
STAMMA_INLINE uint64_t square_bit_or_none(unsigned square)
{
    return square < 64 ? UINT64_C(1) << square : 0;
}

/* ---- attacks; sliders attack up to and including the first piece on each ray ---- */

/* Kindergarten bitboards: a multiplication gathers the six inner squares of a line into an index (Isenberg). */
STAMMA_INLINE uint64_t row_lookup(unsigned square, uint64_t mask, uint64_t occupied)
{
    return stamma_row_attacks[square & 7][(occupied & mask) * (FILE_A << 1) >> 58] & mask;
}
STAMMA_INLINE uint64_t file_attacks(unsigned square, uint64_t occupied)
{
    uint64_t column = occupied >> (square & 7) & FILE_A;
    return stamma_column_attacks[square >> 3][column * UINT64_C(0x0080402010080400) >> 58] << (square & 7);
}
STAMMA_INLINE uint64_t bishop_attacks(unsigned square, uint64_t occupied)
{
    const uint64_t *masks = stamma_line_masks[square];
    return row_lookup(square, masks[2], occupied) | row_lookup(square, masks[3], occupied);
}
STAMMA_INLINE uint64_t rook_attacks(unsigned square, uint64_t occupied)
{
    return row_lookup(square, stamma_line_masks[square][0], occupied) | file_attacks(square, occupied);
}
STAMMA_INLINE uint64_t queen_attacks(unsigned square, uint64_t occupied)
{
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}
STAMMA_INLINE uint64_t knight_attacks(unsigned square)
{
    return stamma_reach[STAMMA_KNIGHT][square];
}
STAMMA_INLINE uint64_t king_attacks(unsigned square)
{
    return stamma_reach[STAMMA_KING][square];
}
STAMMA_INLINE uint64_t pawn_attacks(unsigned color, unsigned square)
{
    return stamma_pawn_attacks[color][square];
}

/* Returns the squares that a piece of any type except a pawn attacks. */
STAMMA_INLINE uint64_t piece_attacks(unsigned type, unsigned square, uint64_t occupied)
{
    switch (type) {
    case STAMMA_KNIGHT: return knight_attacks(square);
    case STAMMA_BISHOP: return bishop_attacks(square, occupied);
    case STAMMA_ROOK: return rook_attacks(square, occupied);
    case STAMMA_QUEEN: return queen_attacks(square, occupied);
    default: return king_attacks(square);
    }
}

/* Returns whether a piece of any type except a pawn attacks a square from another. There is no look-up by type, and so
 * no branch on the type. */
STAMMA_INLINE bool piece_attacks_square(unsigned type, unsigned from, unsigned to, uint64_t occupied)
{
    return (stamma_reach[type][from] >> to & 1) && !(stamma_between[from][to] & occupied);
}

/* Returns the line through `square` and `other`, without `square`; 0 if the squares are not on one line. */
STAMMA_INLINE uint64_t line_from(unsigned square, unsigned other)
{
    const uint64_t *masks = stamma_line_masks[square];
    for (unsigned n = 0; n < 4; n++)
        if (masks[n] >> other & 1)
            return masks[n];
    return 0;
}

/* Returns all squares that a set of pawns attacks. */
STAMMA_INLINE uint64_t pawns_attacks(unsigned color, uint64_t pawns)
{
    uint64_t west = pawns & ~FILE_A, east = pawns & ~FILE_H;
    return color == STAMMA_WHITE ? west << 7 | east << 9 : west >> 9 | east >> 7;
}

/* ---- a position's sets ---- */

STAMMA_INLINE uint64_t position_occupied(const stamma_position *p)
{
    return p->by_color[0] | p->by_color[1];
}
STAMMA_INLINE uint64_t position_pieces(const stamma_position *p, unsigned color, unsigned type)
{
    return p->by_color[color] & p->by_type[type];
}
/* Returns the king's square. If an illegal move has removed the king, returns an arbitrary square, so that table
 * look-ups stay in range. */
STAMMA_INLINE unsigned position_king(const stamma_position *p, unsigned color)
{
    return bits_first(position_pieces(p, color, STAMMA_KING) | UINT64_C(1) << 63);
}
/* Returns the type of the piece on a square, STAMMA_PIECE_TYPE_NONE (6) for an empty square. Computes the three bits
 * without a branch, because the type of a moving piece is unpredictable. The result is at most 6, even if two sets
 * contain the square. */
STAMMA_INLINE unsigned position_type_at(const stamma_position *p, unsigned square)
{
    const uint64_t *pieces = p->by_type;
    uint64_t empty = ~position_occupied(p);
    uint64_t ones = (pieces[STAMMA_KNIGHT] | pieces[STAMMA_ROOK] | pieces[STAMMA_KING]) & ~empty;
    uint64_t twos = pieces[STAMMA_BISHOP] | pieces[STAMMA_ROOK];
    uint64_t fours = ((pieces[STAMMA_QUEEN] | pieces[STAMMA_KING]) & ~twos) | empty;
    return (unsigned)((ones >> square & 1) | ((twos | empty) >> square & 1) << 1 | (fours >> square & 1) << 2);
}
STAMMA_INLINE uint64_t position_diagonal_sliders(const stamma_position *p)
{
    return p->by_type[STAMMA_BISHOP] | p->by_type[STAMMA_QUEEN];
}
STAMMA_INLINE uint64_t position_straight_sliders(const stamma_position *p)
{
    return p->by_type[STAMMA_ROOK] | p->by_type[STAMMA_QUEEN];
}

/* Returns the pieces of `color` that attack `square`; only the squares in `occupied` block sliders. */
STAMMA_INLINE uint64_t position_attackers(const stamma_position *p, unsigned color, unsigned square, uint64_t occupied)
{
    uint64_t pieces = (pawn_attacks(color ^ 1, square) & p->by_type[STAMMA_PAWN]) |
                      (knight_attacks(square) & p->by_type[STAMMA_KNIGHT]) |
                      (king_attacks(square) & p->by_type[STAMMA_KING]) |
                      (bishop_attacks(square, occupied) & position_diagonal_sliders(p)) |
                      (rook_attacks(square, occupied) & position_straight_sliders(p));
    return pieces & p->by_color[color];
}

/* ---- legality of the side to move ---- */

/* Facts that decide whether a move of the side to move is legal, computed once for each position. */
typedef struct legality {
    uint64_t checkers; /* enemy pieces that give check */
    uint64_t pinned;   /* pinned pieces: they may move only on the line through the king */
    uint64_t allowed;  /* targets of pieces except the king: no piece of its side; in check, only to block or capture */
    unsigned king;
} legality;

STAMMA_INLINE legality color_legality(const stamma_position *p, unsigned us)
{
    unsigned king = position_king(p, us);
    uint64_t occupied = position_occupied(p), own = p->by_color[us], enemy = p->by_color[us ^ 1];
    const uint64_t *lines = stamma_line_masks[king];
    uint64_t aligned =
        ((lines[0] | lines[1]) & position_straight_sliders(p)) | ((lines[2] | lines[3]) & position_diagonal_sliders(p));
    legality l = {0, 0, ~own, king};
    l.checkers =
        ((pawn_attacks(us, king) & p->by_type[STAMMA_PAWN]) | (knight_attacks(king) & p->by_type[STAMMA_KNIGHT])) &
        enemy;
    for (aligned &= enemy; aligned; aligned = bits_rest(aligned)) {
        uint64_t shield = stamma_between[king][bits_first(aligned)] & occupied;
        l.checkers |= shield ? 0 : bits_lowest(aligned);
        l.pinned |= bits_rest(shield) ? 0 : shield & own;
    }
    if (l.checkers)
        l.allowed = bits_rest(l.checkers) ? 0 : l.checkers | stamma_between[king][bits_first(l.checkers)];
    return l;
}

STAMMA_INLINE legality position_legality(const stamma_position *p)
{
    return color_legality(p, p->side);
}

/* Returns whether a pseudo-legal move is legal. The move must not be en passant or a move of the king. */
STAMMA_INLINE bool legality_allows(const legality *l, unsigned from, unsigned to)
{
    return (l->allowed >> to & 1) && (!(l->pinned >> from & 1) || (line_from(l->king, from) >> to & 1));
}
/* Returns whether the king may step to a square that it attacks and that contains no piece of its side. */
STAMMA_INLINE bool position_king_may_step(const stamma_position *p, unsigned to)
{
    uint64_t occupied = position_occupied(p) & ~position_pieces(p, p->side, STAMMA_KING);
    return !position_attackers(p, p->side ^ 1u, to, occupied);
}
/* Returns the square of the pawn that a pawn of `us` captures en passant on `to`. Both squares are sets. */
STAMMA_INLINE uint64_t en_passant_taken(unsigned us, uint64_t to)
{
    return us == STAMMA_WHITE ? to >> 8 : to << 8;
}
/* Returns whether the pawn on `from` may capture en passant. p->en_passant must not be NONE, and the pawn must attack
 * it. */
bool stamma_position_en_passant_is_legal(const stamma_position *p, unsigned from);
/* Returns the pawns that can legally capture en passant. */
STAMMA_INLINE uint64_t position_en_passant_pawns(const stamma_position *p)
{
    if (STAMMA_LIKELY(p->en_passant == STAMMA_SQUARE_NONE))
        return 0;
    uint64_t pawns = pawn_attacks(p->side ^ 1u, p->en_passant) & position_pieces(p, p->side, STAMMA_PAWN), legal = 0;
    for (; pawns; pawns = bits_rest(pawns))
        if (stamma_position_en_passant_is_legal(p, bits_first(pawns)))
            legal |= bits_lowest(pawns);
    return legal;
}

/* ---- SAN facts: data that SAN needs in addition to the squares of a move (PGN standard 8.2.3.4 and 8.2.3.5) ----
 *
 * They are computed when moves are played, so that SAN can be written later without the position. */

enum {
    SAN_FACT_TYPE = 7,   /* the stamma_piece_type of the piece that moves */
    SAN_FACT_FILE = 8,   /* the file of its origin is written */
    SAN_FACT_RANK = 16,  /* the rank of its origin is written */
    SAN_FACT_CHECK = 32, /* it gives check */
    SAN_FACT_MATE = 64   /* it mates; SAN_FACT_CHECK is also set */
};

/* Returns the disambiguation of an origin square: the file if it is unique, otherwise the rank if it is unique,
 * otherwise both. `rivals` are the other pieces of the same type that can legally go to the same square. */
STAMMA_INLINE unsigned san_facts_of_origin(uint64_t rivals, unsigned from)
{
    if (STAMMA_LIKELY(rivals == 0))
        return 0;
    bool same_file = (rivals & FILE_A << (from & 7)) != 0, same_rank = (rivals & RANK_1 << (from & 56)) != 0;
    return same_file ? same_rank ? SAN_FACT_FILE | SAN_FACT_RANK : SAN_FACT_RANK : SAN_FACT_FILE;
}
/* Returns the other pieces of the same type, except pawns, that can legally go to the same square. */
uint64_t stamma_position_rivals(const stamma_position *p, unsigned type, unsigned from, unsigned to);
/* Return the SAN facts of a legal move that is not castling or the null move: the first function returns type and
 * disambiguation, the second check and mate. */
unsigned stamma_move_origin_san_facts(const stamma_position *p, stamma_move move);
unsigned stamma_move_check_san_facts(const stamma_position *p, stamma_move move);
/* Returns all SAN facts of a legal move or the null move. */
STAMMA_INLINE unsigned move_san_facts(const stamma_position *p, stamma_move move)
{
    bool named = move == STAMMA_MOVE_NULL || stamma_move_is_castling(move); /* looked up separately */
    unsigned origin = named ? STAMMA_KING : stamma_move_origin_san_facts(p, move);
    return origin | (move == STAMMA_MOVE_NULL ? 0 : stamma_move_check_san_facts(p, move));
}
/* Returns whether the side to move, which must be in check, has no legal move. */
bool stamma_position_is_mate(const stamma_position *p);

/* ---- names: the information in the notation of a move, independent of a position ---- */

typedef struct move_name {
    uint8_t type;  /* of the piece that moves */
    uint8_t to;    /* its target; STAMMA_SQUARE_NONE for castling */
    uint8_t flags; /* castling side, promotion piece, and whether a pawn captures */
    uint64_t from; /* possible origins; all squares if the notation does not restrict them */
} move_name;

/* ---- castling ---- */

/* Return the squares of king and rook after castling: files g and f, or c and d, on the back rank (standard and
 * Chess960). */
STAMMA_INLINE unsigned castling_king_to(unsigned color, unsigned side)
{
    return (color ? 56u : 0u) + (side == STAMMA_KING_SIDE ? 6u : 2u);
}
STAMMA_INLINE unsigned castling_rook_to(unsigned color, unsigned side)
{
    return (color ? 56u : 0u) + (side == STAMMA_KING_SIDE ? 5u : 3u);
}
/* Returns the squares from the king's origin to its target, on which the king must not be attacked when the side to
 * move castles. Returns 0 if there is no castling right, or if a piece is in the way (FIDE Laws 3.8.2; for Chess960
 * Guidelines II.3: king and rook may pass only each other). */
STAMMA_INLINE uint64_t castling_way(const stamma_position *p, unsigned side)
{
    unsigned us = p->side, rook = p->castling[us][side], king = position_king(p, us);
    if (rook == STAMMA_SQUARE_NONE || (stamma_between[king][rook] & position_occupied(p)))
        return 0; /* a piece between them is always in the way of one of them */
    unsigned king_to = castling_king_to(us, side), rook_to = castling_rook_to(us, side);
    uint64_t way = stamma_between[king][king_to] | square_bit(king_to);
    uint64_t empty = way | stamma_between[rook][rook_to] | square_bit(rook_to);
    bool blocked = empty & position_occupied(p) & ~square_bit(king) & ~square_bit(rook);
    return blocked ? 0 : way | square_bit(king);
}
/* Returns whether castling exposes the king's target to a slider on the back rank, because the rook leaves its
 * square. */
STAMMA_INLINE bool castling_exposes(const stamma_position *p, unsigned side)
{
    unsigned us = p->side;
    uint64_t sliders = position_straight_sliders(p) & p->by_color[us ^ 1] & (us == STAMMA_WHITE ? RANK_1 : RANK_8);
    if (STAMMA_LIKELY(!sliders))
        return false;
    uint64_t left = square_bit(position_king(p, us)) | square_bit(p->castling[us][side]);
    uint64_t occupied = (position_occupied(p) & ~left) | square_bit(castling_rook_to(us, side));
    return rook_attacks(castling_king_to(us, side), occupied) & sliders;
}
/* Returns whether the side to move may castle to `side` (STAMMA_KING_SIDE or STAMMA_QUEEN_SIDE) in this position. */
bool stamma_position_can_castle(const stamma_position *p, unsigned side);
/* Returns the side of a castling move. */
STAMMA_INLINE unsigned castling_side(stamma_move move)
{
    return stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE;
}

/* ---- moving pieces: the sets of a position, without its key and clocks ---- */

/* Returns the square on which a move of `us` to `to` captures, as a set; the empty set if the move does not capture. */
STAMMA_INLINE uint64_t pieces_taken(unsigned us, uint64_t to, unsigned flags)
{
    if (STAMMA_UNLIKELY(flags == STAMMA_FLAG_EN_PASSANT))
        return en_passant_taken(us, to);
    return flags & STAMMA_FLAG_CAPTURE ? to : 0;
}
/* By piece type: all squares for that type, none for the others. Type 6 (none) has no squares. */
static const uint64_t of_type[7][6] = {{~UINT64_C(0), 0, 0, 0, 0, 0},
                                       {0, ~UINT64_C(0), 0, 0, 0, 0},
                                       {0, 0, ~UINT64_C(0), 0, 0, 0},
                                       {0, 0, 0, ~UINT64_C(0), 0, 0},
                                       {0, 0, 0, 0, ~UINT64_C(0), 0},
                                       {0, 0, 0, 0, 0, ~UINT64_C(0)},
                                       {0}};
/* Sets the pieces of `after` after a piece of `type` moves from `from` to `to`, both sets of one square. The flags must
 * not be castling. `after` may be `before`. Each set is read once and written once, so that a move played on a position
 * that was just written does not stall. */
STAMMA_INLINE void pieces_move(const stamma_position *before, stamma_position *after, unsigned us, unsigned type,
                               uint64_t from, uint64_t to, unsigned flags)
{
    uint64_t taken = pieces_taken(us, to, flags);
    unsigned becomes = flags & STAMMA_FLAG_PROMOTION ? (flags & 3) + STAMMA_KNIGHT : type;
    uint64_t own = (before->by_color[us] & ~from) | to, enemy = before->by_color[us ^ 1] & ~taken;
    after->by_color[us] = own;
    after->by_color[us ^ 1] = enemy;
    for (unsigned n = STAMMA_PAWN; n <= STAMMA_KING; n++) {
        uint64_t left = from & of_type[type][n], reached = to & of_type[becomes][n];
        after->by_type[n] = (before->by_type[n] & ~(taken | left)) | reached;
    }
}
/* The same for castling. Both pieces are removed before either is placed, since in Chess960 they may exchange
 * squares. */
STAMMA_INLINE void pieces_castle(const stamma_position *before, stamma_position *after, unsigned us, unsigned side)
{
    uint64_t king = square_bit(position_king(before, us)), king_to = square_bit(castling_king_to(us, side));
    uint64_t rook = square_bit(before->castling[us][side]), rook_to = square_bit(castling_rook_to(us, side));
    memcpy(after->by_type, before->by_type, sizeof after->by_type);
    after->by_type[STAMMA_KING] = (before->by_type[STAMMA_KING] & ~king) | king_to;
    after->by_type[STAMMA_ROOK] = (before->by_type[STAMMA_ROOK] & ~rook) | rook_to;
    after->by_color[us] = (before->by_color[us] & ~king & ~rook) | king_to | rook_to;
    after->by_color[us ^ 1] = before->by_color[us ^ 1];
}
/* Removes the castling rights of the rooks in `touched`: rooks that moved or were captured, or a complete back rank
 * after a king move. */
STAMMA_INLINE void castling_drop(stamma_position *p, uint64_t touched)
{
    for (unsigned n = 0; n < 4; n++) {
        stamma_square *rook = &p->castling[n / 2][n % 2];
        if (*rook != STAMMA_SQUARE_NONE && (touched >> *rook & 1))
            *rook = STAMMA_SQUARE_NONE;
    }
}
/* Returns the squares of kings and rooks with castling rights. A right ends when a piece leaves or reaches one of these
 * squares. */
STAMMA_INLINE uint64_t castling_squares(const stamma_position *p)
{
    static const stamma_square none[2][2] = {{STAMMA_SQUARE_NONE, STAMMA_SQUARE_NONE},
                                             {STAMMA_SQUARE_NONE, STAMMA_SQUARE_NONE}};
    uint64_t rooks = 0;
    if (memcmp(p->castling, none, sizeof none) == 0)
        return 0;
    for (unsigned n = 0; n < 4; n++)
        rooks |= square_bit_or_none(p->castling[n / 2][n % 2]);
    return rooks | p->by_type[STAMMA_KING];
}

/* setup.c: returns the problems of a position whose members are in range, as stamma_setup_problems does. */
unsigned stamma_position_problems(const stamma_position *p);

/* legal.c: returns the move between two squares with the flags that the board requires. It does not castle, and may be
 * illegal. `promotion`: knight to queen, or STAMMA_PIECE_TYPE_NONE. */
stamma_move stamma_plain_move(const stamma_position *position, unsigned from, unsigned to, unsigned promotion);

/* Returns the number of legal moves of the own pieces on some squares. */
size_t stamma_legal_moves_count_from(const stamma_position *position, uint64_t origins);

/* ---- the generator's two builds: portable, and for processors with fast BMI2 (generate.inc) ---- */

size_t stamma_generate_list_portable(const stamma_position *p, stamma_move *moves);
size_t stamma_generate_count_portable(const stamma_position *p);
size_t stamma_generate_count_from_portable(const stamma_position *p, uint64_t origins);
uint64_t stamma_generate_perft_portable(const stamma_position *p, unsigned depth);
#if STAMMA_HAVE_BMI2
size_t stamma_generate_list_bmi2(const stamma_position *p, stamma_move *moves);
size_t stamma_generate_count_bmi2(const stamma_position *p);
size_t stamma_generate_count_from_bmi2(const stamma_position *p, uint64_t origins);
uint64_t stamma_generate_perft_bmi2(const stamma_position *p, unsigned depth);

/* A line through a square: its inner squares, and the index of its first attack set in stamma_pext_attacks. */
typedef struct pext_line {
    uint64_t mask;
    uint64_t offset;
} pext_line;
typedef struct pext_lines {
    pext_line diagonals, row, column;
} pext_lines;
extern const pext_lines stamma_pext_lines[64]; /* pext_tables.c */
extern const uint64_t stamma_pext_attacks[10368];

/* Return the squares that a slider attacks, with one look-up, or two for a queen. */
STAMMA_TARGET_BMI2_BEGIN
STAMMA_INLINE uint64_t pext_line_attacks(const pext_line *line, uint64_t occupied)
{
    return stamma_pext_attacks[line->offset + bits_extract(occupied, line->mask)];
}
STAMMA_INLINE uint64_t pext_bishop_attacks(unsigned square, uint64_t occupied)
{
    return pext_line_attacks(&stamma_pext_lines[square].diagonals, occupied);
}
STAMMA_INLINE uint64_t pext_rook_attacks(unsigned square, uint64_t occupied)
{
    return pext_line_attacks(&stamma_pext_lines[square].row, occupied) |
           pext_line_attacks(&stamma_pext_lines[square].column, occupied);
}
STAMMA_TARGET_BMI2_END
#endif

/* ---- keys ---- */

STAMMA_INLINE uint64_t key_piece(unsigned color, unsigned type, unsigned square)
{
    return stamma_key_pieces[type + 6 * color][square];
}
STAMMA_INLINE uint64_t castling_key(const stamma_position *p)
{
    uint64_t key = 0;
    for (unsigned n = 0; n < 4; n++)
        if (p->castling[n / 2][n % 2] != STAMMA_SQUARE_NONE)
            key ^= stamma_key_castling[p->castling[n / 2][n % 2]];
    return key;
}
/* Computes position.key from scratch: pieces, side to move and castling rights, without en passant. */
uint64_t stamma_position_fresh_key(const stamma_position *p);

#endif
