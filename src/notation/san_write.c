/* Strict SAN (PGN standard 8.2.3), written without a list of moves. */
#include "board/board.h"
#include "notation/notation.h"

/* The other men of the same type that may legally go to the same square (8.2.3.4: only legal moves count). */
STAMMA_INLINE uint64_t rivals(const stamma_position *p, unsigned type, unsigned from, unsigned to)
{
    uint64_t men = position_men(p, p->side, type) & ~square_bit(from);
    men &= piece_attacks(type, to, position_occupied(p));
    if (STAMMA_LIKELY(men == 0))
        return 0;
    legality l = position_legality(p);
    for (uint64_t rest = men; rest; rest = bits_rest(rest))
        if (!legality_allows(&l, bits_first(rest), to))
            men &= ~(rest & (0 - rest));
    return men;
}

/* Origin file where it tells the movers apart, else rank, else both. */
STAMMA_INLINE char *write_origin(uint64_t others, unsigned from, char *out)
{
    bool same_file = (others & FILE_A << (from & 7)) != 0;
    bool same_rank = (others & RANK_1 << (from & 56)) != 0;
    if (!same_file || same_rank)
        *out++ = (char)('a' + (from & 7));
    if (same_file)
        *out++ = (char)('1' + (from >> 3));
    return out;
}

STAMMA_INLINE char *write_piece(const stamma_position *p, unsigned type, stamma_move move, char *out)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    *out++ = NOTATION_PIECE_LETTERS[type];
    uint64_t others = type == STAMMA_KING ? 0 : rivals(p, type, from, to);
    if (others)
        out = write_origin(others, from, out);
    *out = 'x';
    out += stamma_move_is_capture(move);
    return square_write(to, out);
}

STAMMA_INLINE char *write_pawn(stamma_move move, char *out)
{
    out[0] = (char)('a' + (stamma_move_from(move) & 7));
    out[1] = 'x';
    out = square_write(stamma_move_to(move), out + (stamma_move_is_capture(move) ? 2 : 0));
    if (stamma_move_is_promotion(move)) {
        *out++ = '=';
        *out++ = NOTATION_PIECE_LETTERS[stamma_move_promotion(move)];
    }
    return out;
}

static char *write_castling(stamma_move move, char *out)
{
    size_t length = castling_side(move) == STAMMA_KING_SIDE ? 3 : 5;
    memcpy(out, "O-O-O", length);
    return out + length;
}

static char mark_of_check(const stamma_position *position, stamma_move move)
{
    stamma_position after;
    stamma_position_make(position, move, &after);
    return stamma_legal_moves_count(&after) == 0 ? '#' : '+';
}

char stamma_san_mark(const stamma_position *position, stamma_move move)
{
    return stamma_move_gives_check(position, move) ? mark_of_check(position, move) : '\0';
}

size_t stamma_san_write_marked(const stamma_position *position, stamma_move move, san_marks marks, char *out)
{
    char *at = out;
    if (move == STAMMA_MOVE_NULL) {
        memcpy(out, "--", 2);
        return 2;
    }
    if (STAMMA_UNLIKELY(stamma_move_is_castling(move)))
        at = write_castling(move, at);
    else
        switch (position_type_at(position, stamma_move_from(move))) {
        case STAMMA_PAWN: at = write_pawn(move, at); break;
        case STAMMA_KNIGHT: at = write_piece(position, STAMMA_KNIGHT, move, at); break;
        case STAMMA_BISHOP: at = write_piece(position, STAMMA_BISHOP, move, at); break;
        case STAMMA_ROOK: at = write_piece(position, STAMMA_ROOK, move, at); break;
        case STAMMA_QUEEN: at = write_piece(position, STAMMA_QUEEN, move, at); break;
        default: at = write_piece(position, STAMMA_KING, move, at); break;
        }
    if (marks != SAN_MARKS_NONE && STAMMA_UNLIKELY(stamma_move_gives_check(position, move)))
        *at++ = marks == SAN_MARKS_ALL ? mark_of_check(position, move) : '+';
    return (size_t)(at - out);
}

size_t stamma_san_write(const stamma_position *position, stamma_move move, char *out, size_t size)
{
    char text[SAN_LENGTH_MAX];
    if (STAMMA_UNLIKELY(size < STAMMA_SAN_SIZE))
        return text_give(text, stamma_san_write_marked(position, move, SAN_MARKS_ALL, text), out, size);
    size_t length = stamma_san_write_marked(position, move, SAN_MARKS_ALL, out);
    out[length] = '\0';
    return length;
}
