/* SPDX-License-Identifier: MIT */
/* Reads strict SAN (PGN standard 8.2.3): finds, for the target square, the pieces that can move there. */
#include "notation/notation.h"

/* Returns the square of a file letter and a rank digit, or a number above 63. */
STAMMA_INLINE unsigned read_square(const char *text)
{
    unsigned file = (unsigned)text[0] - 'a', rank = (unsigned)text[1] - '1';
    return (file | rank) < 8 ? rank * 8 + file : STAMMA_SQUARE_NONE;
}

/* Returns the squares that match an origin file, an origin rank or both; no squares for other text. */
STAMMA_INLINE uint64_t read_origin(const char *text, size_t size)
{
    uint64_t squares = ~UINT64_C(0);
    if (size > 0 && (unsigned)text[0] - 'a' < 8) {
        squares = FILE_A << ((unsigned)text[0] - 'a');
        text++, size--;
    }
    if (size > 0 && (unsigned)text[0] - '1' < 8) {
        squares &= RANK_1 << ((unsigned)text[0] - '1') * 8;
        size--;
    }
    return size == 0 ? squares : 0;
}

/* ---- parts of a text ----
 *
 * `text` is the move without its check mark. */

STAMMA_INLINE bool name_piece(unsigned type, const char *text, size_t size, move_name *name)
{
    unsigned to = size >= 3 ? read_square(text + size - 2) : STAMMA_SQUARE_NONE;
    name->type = (uint8_t)type;
    name->to = (uint8_t)to;
    name->flags = STAMMA_FLAG_QUIET;
    name->from = ~UINT64_C(0);
    if (size > 3)
        name->from = read_origin(text + 1, size - 3 - (text[size - 3] == 'x'));
    return to != STAMMA_SQUARE_NONE;
}

/* Returns the flags of a promotion to the piece of a letter, or 0 for other letters. */
STAMMA_INLINE unsigned promotion_flags(char letter)
{
    switch (letter) {
    case 'Q': return STAMMA_FLAG_PROMOTE_QUEEN;
    case 'R': return STAMMA_FLAG_PROMOTE_ROOK;
    case 'B': return STAMMA_FLAG_PROMOTE_BISHOP;
    case 'N': return STAMMA_FLAG_PROMOTE_KNIGHT;
    default: return 0;
    }
}

STAMMA_INLINE bool name_pawn(const char *text, size_t size, move_name *name)
{
    unsigned flags = 0;
    if (STAMMA_UNLIKELY(size >= 4 && text[size - 2] == '=')) {
        flags = promotion_flags(text[size - 1]);
        if (flags == 0)
            return false;
        size -= 2;
    }
    bool capture = size == 4 && text[1] == 'x';
    if (size != 2 && !capture)
        return false;
    unsigned to = read_square(text + size - 2);
    bool promotes = ((RANK_1 | RANK_8) >> (to & 63) & 1) != 0;
    name->type = STAMMA_PAWN;
    name->to = (uint8_t)to;
    name->flags = (uint8_t)(flags | (capture ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET));
    name->from = FILE_A << ((unsigned)text[0] - 'a');
    return to != STAMMA_SQUARE_NONE && promotes == (flags != 0);
}

STAMMA_INLINE bool name_castling(const char *text, size_t size, move_name *name)
{
    name->type = STAMMA_KING;
    name->to = STAMMA_SQUARE_NONE;
    name->flags = size == 5 ? STAMMA_FLAG_QUEEN_CASTLE : STAMMA_FLAG_KING_CASTLE;
    name->from = ~UINT64_C(0);
    return (size == 3 || size == 5) && memcmp(text, "O-O-O", size) == 0;
}

STAMMA_INLINE bool name_move(const char *text, size_t size, move_name *name)
{
    if (size < 2)
        return false;
    size -= text[size - 1] == '+' || text[size - 1] == '#';
    switch (text[0]) {
    case 'a':
    case 'b':
    case 'c':
    case 'd':
    case 'e':
    case 'f':
    case 'g':
    case 'h': return name_pawn(text, size, name);
    case 'N': return name_piece(STAMMA_KNIGHT, text, size, name);
    case 'B': return name_piece(STAMMA_BISHOP, text, size, name);
    case 'R': return name_piece(STAMMA_ROOK, text, size, name);
    case 'Q': return name_piece(STAMMA_QUEEN, text, size, name);
    case 'K': return name_piece(STAMMA_KING, text, size, name);
    case 'O': return name_castling(text, size, name);
    default: return false;
    }
}

bool stamma_san_name(const char *text, size_t size, move_name *name)
{
    return name_move(text, size, name);
}

/* ---- the move with these parts ---- */

/* Returns the pieces among `pieces` that may legally move to `to`. They must attack `to`. Not for kings. */
STAMMA_INLINE uint64_t legal_origins(const stamma_position *p, uint64_t pieces, unsigned to)
{
    legality l = position_legality(p);
    if (!(l.allowed >> to & 1))
        return 0;
    for (uint64_t pinned = pieces & l.pinned; pinned; pinned = bits_rest(pinned))
        if (!(line_from(l.king, bits_first(pinned)) >> to & 1))
            pieces &= ~(pinned & (0 - pinned));
    return pieces;
}

/* `type` is name->type, as a constant. */
STAMMA_INLINE stamma_move find_piece(const stamma_position *p, unsigned type, const move_name *name)
{
    unsigned to = name->to;
    if (p->by_color[p->side] >> to & 1)
        return STAMMA_MOVE_NULL;
    uint64_t occupied = position_occupied(p);
    uint64_t pieces = position_pieces(p, p->side, type) & piece_attacks(type, to, occupied) & name->from;
    if (type != STAMMA_KING)
        pieces = legal_origins(p, pieces, to);
    else if (!position_king_may_step(p, to))
        pieces = 0;
    if (pieces == 0 || bits_rest(pieces) != 0)
        return STAMMA_MOVE_NULL;
    return stamma_move_make(bits_first(pieces), to, occupied >> to & 1 ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET);
}

STAMMA_INLINE uint64_t one_back(const stamma_position *p, uint64_t squares)
{
    return p->side == STAMMA_WHITE ? squares >> 8 : squares << 8;
}

/* Returns the pawn that can push to `to`. Sets the flag of a double push. */
STAMMA_INLINE uint64_t find_push(const stamma_position *p, unsigned to, unsigned *flags)
{
    uint64_t occupied = position_occupied(p), pawns = position_pieces(p, p->side, STAMMA_PAWN);
    uint64_t back = one_back(p, square_bit(to)), second_back = one_back(p, back);
    if (occupied >> to & 1)
        return 0;
    if ((occupied & back) != 0)
        return back & pawns;
    *flags |= STAMMA_FLAG_DOUBLE_PUSH;
    return second_back & pawns & (p->side == STAMMA_WHITE ? RANK_2 : RANK_7);
}

/* Returns the pawn of a file that can capture on `to`. Sets the flag of en passant. */
STAMMA_INLINE uint64_t find_capture(const stamma_position *p, uint64_t file, unsigned to, unsigned *flags)
{
    uint64_t pawn = pawn_attacks(p->side ^ 1u, to) & position_pieces(p, p->side, STAMMA_PAWN) & file;
    if (p->by_color[p->side ^ 1] >> to & 1)
        return pawn;
    *flags = STAMMA_FLAG_EN_PASSANT;
    bool legal = pawn && to == p->en_passant && stamma_position_en_passant_is_legal(p, bits_first(pawn));
    return legal ? pawn : 0;
}

STAMMA_INLINE stamma_move find_pawn(const stamma_position *p, const move_name *name)
{
    unsigned flags = name->flags, to = name->to;
    uint64_t pawn = flags & STAMMA_FLAG_CAPTURE ? find_capture(p, name->from, to, &flags) : find_push(p, to, &flags);
    if (flags != STAMMA_FLAG_EN_PASSANT)
        pawn = legal_origins(p, pawn, to);
    return pawn ? stamma_move_make(bits_first(pawn), to, flags) : STAMMA_MOVE_NULL;
}

static stamma_move find_castling(const stamma_position *p, unsigned flags)
{
    unsigned side = castling_side((stamma_move)(flags << 12));
    if (!stamma_position_can_castle(p, side))
        return STAMMA_MOVE_NULL;
    return stamma_move_make(position_king(p, p->side), castling_king_to(p->side, side), flags);
}

stamma_move stamma_san_read_fast(const stamma_position *position, const char *text, size_t size)
{
    move_name name;
    if (!name_move(text, size, &name))
        return STAMMA_MOVE_NULL;
    switch (name.type) {
    case STAMMA_PAWN: return find_pawn(position, &name);
    case STAMMA_KNIGHT: return find_piece(position, STAMMA_KNIGHT, &name);
    case STAMMA_BISHOP: return find_piece(position, STAMMA_BISHOP, &name);
    case STAMMA_ROOK: return find_piece(position, STAMMA_ROOK, &name);
    case STAMMA_QUEEN: return find_piece(position, STAMMA_QUEEN, &name);
    default: break;
    }
    return name.to != STAMMA_SQUARE_NONE ? find_piece(position, STAMMA_KING, &name)
                                         : find_castling(position, name.flags);
}

stamma_error stamma_san_read(const stamma_position *position, stamma_text san, stamma_move *move)
{
    if (STAMMA_UNLIKELY(!position || !text_is_given(san) || !move))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_move read = stamma_san_read_fast(position, san.data, san.size);
    if (STAMMA_UNLIKELY(read == STAMMA_MOVE_NULL))
        return stamma_san_read_lenient(position, san, move);
    *move = read;
    return STAMMA_OK;
}
