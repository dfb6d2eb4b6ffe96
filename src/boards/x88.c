/* SPDX-License-Identifier: MIT */
/* x88: two boards side by side, and one AND that distinguishes them (Wikipedia).
 *
 *     70   a8 b8 c8 d8 e8 f8 g8 h8    78 79 7A 7B 7C 7D 7E 7F      A square is 0rrr0fff, rank and file:
 *     60   a7 b7 c7 d7 e7 f7 g7 h7    68 69 6A 6B 6C 6D 6E 6F      b8 is 0111 0001, 71. The left board
 *     50   a6 b6 c6 d6 e6 f6 g6 h6    58 59 5A 5B 5C 5D 5E 5F      is the real one. A step off it, on
 *     40   a5 b5 c5 d5 e5 f5 g5 h5    48 49 4A 4B 4C 4D 4E 4F      any side, sets a bit that no square
 *     30   a4 b4 c4 d4 e4 f4 g4 h4    38 39 3A 3B 3C 3D 3E 3F      has, 80 or 08. `square & 0x88` tests
 *     20   a3 b3 c3 d3 e3 f3 g3 h3    28 29 2A 2B 2C 2D 2E 2F      for it before anything is looked up,
 *     10   a2 b2 c2 d2 e2 f2 g2 h2    18 19 1A 1B 1C 1D 1E 1F      so no guards are needed.
 *     00   a1 b1 c1 d1 e1 f1 g1 h1    08 09 0A 0B 0C 0D 0E 0F
 *
 * The difference of two squares also determines whether they are on one rank, file or diagonal. With 64 consecutive
 * numbers, the difference is not sufficient: h1 and a2 differ by 1, like a1 and b1. Here they differ by 9. One look-up
 * therefore shows whether a moving piece can expose its king, and the line is scanned only if it can. In check, and for
 * king moves and en passant, the move is tried on the board. */
#include "boards/boards.h"
#include "boards/conversions.h"

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, BLACK = 8 };

enum { NORTH = 0x10, EAST = 0x01, SOUTH = -NORTH, WEST = -EAST, OUTSIDE = 0x88 };

typedef struct status {
    uint8_t side; /* stamma_color */
    uint8_t king[2];
    uint8_t castling[2][2]; /* the rooks that may castle, as in stamma_position, or OUTSIDE */
    uint8_t en_passant;     /* or OUTSIDE */
    move_counts counts;
} status;

typedef struct x88 {
    uint8_t piece[128]; /* EMPTY, or a kind of piece, + BLACK; the right board stays empty */
    status status;
} x88;

typedef struct undo {
    status status;
    uint8_t emptied; /* the captured piece, or the rook of a castling move */
} undo;

STAMMA_BOARD_FITS(x88, undo);

/* ---- set-up ---- */

static unsigned index_of(unsigned square)
{
    return square == STAMMA_SQUARE_NONE ? OUTSIDE : square + (square & 0x38);
}

static unsigned square_of(unsigned index)
{
    return index == OUTSIDE ? STAMMA_SQUARE_NONE : (index + (index & 7)) >> 1;
}

static stamma_error set_up(const stamma_position *position, void *state)
{
    stamma_setup setup = stamma_position_setup(position);
    if (stamma_setup_problems(&setup))
        return STAMMA_ERROR_ILLEGAL;
    x88 *b = state;
    memset(b, 0, sizeof *b);
    for (unsigned square = 0; square < 64; square++) {
        stamma_piece piece = setup.board[square];
        if (piece == STAMMA_PIECE_NONE)
            continue;
        b->piece[index_of(square)] = (uint8_t)(piece + 1);
        if ((piece & 7) == STAMMA_KING)
            b->status.king[piece >> 3] = (uint8_t)index_of(square);
    }
    b->status.side = (uint8_t)setup.side;
    for (unsigned n = 0; n < 4; n++)
        b->status.castling[n / 2][n % 2] = (uint8_t)index_of(setup.castling[n / 2][n % 2]);
    b->status.en_passant = (uint8_t)index_of(setup.en_passant);
    b->status.counts = counts_of_setup(&setup);
    return STAMMA_OK;
}

static stamma_error give_back(const void *state, stamma_position *position)
{
    const x88 *b = state;
    stamma_setup setup;
    for (unsigned square = 0; square < 64; square++) {
        uint8_t piece = b->piece[index_of(square)];
        setup.board[square] = (stamma_piece)(piece == EMPTY ? STAMMA_PIECE_NONE : piece - 1);
    }
    setup.side = b->status.side == STAMMA_WHITE ? STAMMA_WHITE : STAMMA_BLACK;
    for (unsigned n = 0; n < 4; n++)
        setup.castling[n / 2][n % 2] = (stamma_square)square_of(b->status.castling[n / 2][n % 2]);
    setup.en_passant = (stamma_square)square_of(b->status.en_passant);
    counts_to_setup(b->status.counts, &setup);
    return stamma_position_set_up(&setup, position);
}

/* ---- attacks ---- */

/* The straight steps, then the diagonal steps; and the steps of the knight. */
static const int8_t lines[8] = {NORTH, EAST, SOUTH, WEST, NORTH + EAST, SOUTH + EAST, SOUTH + WEST, NORTH + WEST};
static const int8_t jumps[8] = {2 * NORTH + EAST, 2 * NORTH + WEST, NORTH + 2 * EAST, NORTH + 2 * WEST,
                                SOUTH + 2 * EAST, SOUTH + 2 * WEST, 2 * SOUTH + EAST, 2 * SOUTH + WEST};

/* The step of the line through two squares, by their difference, -0x77 to 0x77; indices are 0x77 larger. */
#define BY(difference) [0x77 + (difference)]
#define LINE(step)                                                                                \
    BY(step) = (step), BY(2 * (step)) = (step), BY(3 * (step)) = (step), BY(4 * (step)) = (step), \
    BY(5 * (step)) = (step), BY(6 * (step)) = (step), BY(7 * (step)) = (step)
static const int8_t step_over[0x77 + 0x77 + 1] = {LINE(NORTH),        LINE(EAST),         LINE(SOUTH),
                                                  LINE(WEST),         LINE(NORTH + EAST), LINE(SOUTH + EAST),
                                                  LINE(SOUTH + WEST), LINE(NORTH + WEST)};

int stamma_x88_step(unsigned from, unsigned to)
{
    return step_over[0x77 + to - from];
}

/* Returns the first piece from a square along a step; EMPTY if there is none up to the edge. */
static uint8_t first_piece(const x88 *b, unsigned square, int step)
{
    do
        square += (unsigned)step;
    while (!(square & 0x88) && b->piece[square] == EMPTY);
    return square & 0x88 ? EMPTY : b->piece[square];
}

static bool slides(uint8_t piece, int step, unsigned color)
{
    bool straight = step == NORTH || step == EAST || step == SOUTH || step == WEST;
    return piece == QUEEN + BLACK * color || piece == (straight ? ROOK : BISHOP) + BLACK * color;
}

static bool has_piece(const x88 *b, unsigned square, unsigned piece)
{
    return !(square & 0x88) && b->piece[square] == piece;
}

static bool attacked(const x88 *b, unsigned square, unsigned by)
{
    for (unsigned n = 0; n < 8; n++)
        if (has_piece(b, square + (unsigned)jumps[n], KNIGHT + BLACK * by) ||
            has_piece(b, square + (unsigned)lines[n], KING + BLACK * by) ||
            slides(first_piece(b, square, lines[n]), lines[n], by))
            return true;
    unsigned origin = square - (unsigned)(by == STAMMA_WHITE ? NORTH : SOUTH); /* of a pawn's single step */
    return has_piece(b, origin + EAST, PAWN + BLACK * by) || has_piece(b, origin - EAST, PAWN + BLACK * by);
}

/* ---- make and unmake ---- */

/* Return the origin of the rook of a castling move, or OUTSIDE, and the target of the rook. */
static unsigned castling_rook(const status *s, stamma_move move)
{
    bool king_side = stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE;
    return s->castling[s->side][king_side ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE];
}

static unsigned castling_rook_to(stamma_move move)
{
    unsigned king_to = index_of(stamma_move_to(move));
    return (stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? king_to - EAST : king_to + EAST) & 0x7F;
}

/* Returns the square that a move empties in addition to its origin: the target, the square of the pawn captured en
 * passant, or the square of the castling rook. */
static unsigned emptied_square(const status *s, stamma_move move)
{
    unsigned to = index_of(stamma_move_to(move));
    if (stamma_move_is_castling(move))
        return castling_rook(s, move) & 0x7F;
    if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT)
        return (s->side == STAMMA_WHITE ? to - NORTH : to + NORTH) & 0x7F;
    return to;
}

static void drop_rights(status *s, unsigned square)
{
    for (unsigned n = 0; n < 4; n++)
        if (s->castling[n / 2][n % 2] == square || s->king[n / 2] == square)
            s->castling[n / 2][n % 2] = OUTSIDE;
}

/* Removes all moving pieces before placing any, because in Chess960 king and rook may exchange squares. */
static void make(void *state, stamma_move move, void *undone)
{
    x88 *b = state;
    status *s = &b->status;
    undo *u = undone;
    unsigned from = index_of(stamma_move_from(move)), to = index_of(stamma_move_to(move)), us = s->side;
    unsigned emptied = emptied_square(s, move), piece = b->piece[from];
    *u = (undo){*s, b->piece[emptied]};
    s->en_passant = (uint8_t)(stamma_move_flags(move) == STAMMA_FLAG_DOUBLE_PUSH ? (from + to) / 2 : OUTSIDE);
    count_move(&s->counts, us == STAMMA_BLACK, piece == PAWN + BLACK * us || stamma_move_is_capture(move));
    s->side ^= 1;
    drop_rights(s, from);
    drop_rights(s, emptied);
    if (piece == KING + BLACK * us)
        s->king[us] = (uint8_t)to;
    b->piece[from] = b->piece[emptied] = EMPTY;
    b->piece[to] = (uint8_t)(stamma_move_is_promotion(move) ? stamma_move_promotion(move) + 1 + BLACK * us : piece);
    if (stamma_move_is_castling(move))
        b->piece[castling_rook_to(move)] = (uint8_t)(ROOK + BLACK * us);
}

static void unmake(void *state, stamma_move move, const void *undone)
{
    x88 *b = state;
    const undo *u = undone;
    unsigned from = index_of(stamma_move_from(move)), to = index_of(stamma_move_to(move));
    uint8_t piece = b->piece[to];
    b->status = u->status;
    b->piece[to] = EMPTY;
    if (stamma_move_is_castling(move))
        b->piece[castling_rook_to(move)] = EMPTY;
    b->piece[emptied_square(&b->status, move)] = u->emptied;
    b->piece[from] = (uint8_t)(stamma_move_is_promotion(move) ? PAWN + BLACK * b->status.side : piece);
}

/* ---- the moves ---- */

/* The legal moves so far, and the board on which some moves are tried. */
typedef struct list {
    x88 *board;
    stamma_move *moves;
    size_t count;
    bool in_check;
} list;

/* Returns whether a move from `from` to `to` exposes the king of the moving side, which is not in check. This is true
 * if the piece is the first on a line from the king and leaves this line, and the next piece on the line is an enemy
 * that moves along the line. */
static bool opens_line(const x88 *b, unsigned from, unsigned to)
{
    unsigned us = b->status.side, king = b->status.king[us];
    int step = stamma_x88_step(king, from);
    return step != 0 && step != stamma_x88_step(king, to) && first_piece(b, from, -step) == KING + BLACK * us &&
           slides(first_piece(b, from, step), step, us ^ 1);
}

/* Adds a move if the king is safe after it. */
static void put(list *l, unsigned from, unsigned to, unsigned flags)
{
    x88 *b = l->board;
    unsigned us = b->status.side;
    stamma_move move = stamma_move_make(square_of(from), square_of(to), flags);
    bool safe;
    if (l->in_check || flags == STAMMA_FLAG_EN_PASSANT || from == b->status.king[us]) {
        undo u;
        make(b, move, &u);
        safe = !attacked(b, b->status.king[us], us ^ 1);
        unmake(b, move, &u);
    } else {
        safe = !opens_line(b, from, to);
    }
    if (safe)
        l->moves[l->count++] = move;
}

static bool is_enemy(const x88 *b, unsigned square)
{
    return b->piece[square] != EMPTY && b->piece[square] / BLACK != b->status.side;
}

/* Adds the moves of a piece, up to `reach` squares along each of `count` steps. */
static void piece_moves(list *l, unsigned from, const int8_t *step, unsigned count, unsigned reach)
{
    for (; count > 0; count--, step++) {
        unsigned to = from + (unsigned)*step, left = reach;
        for (; !(to & 0x88) && l->board->piece[to] == EMPTY && left > 0; to += (unsigned)*step, left--)
            put(l, from, to, STAMMA_FLAG_QUIET);
        if (!(to & 0x88) && left > 0 && is_enemy(l->board, to))
            put(l, from, to, STAMMA_FLAG_CAPTURE);
    }
}

/* Adds a move of a pawn, or its promotions. If the square beyond the target is off the board, the target is on the last
 * rank. */
static void put_pawn(list *l, unsigned from, unsigned to, unsigned flags)
{
    if (!((to + NORTH) & 0x88) && !((to + (unsigned)SOUTH) & 0x88))
        put(l, from, to, flags);
    else
        for (unsigned promotion = STAMMA_FLAG_PROMOTE_KNIGHT; promotion <= STAMMA_FLAG_PROMOTE_QUEEN; promotion++)
            put(l, from, to, flags | promotion);
}

static void pawn_moves(list *l, unsigned from)
{
    const x88 *b = l->board;
    bool white = b->status.side == STAMMA_WHITE;
    unsigned forward = (unsigned)(white ? NORTH : SOUTH), ahead = from + forward;
    if (b->piece[ahead] == EMPTY) {
        put_pawn(l, from, ahead, STAMMA_FLAG_QUIET);
        if (from >> 4 == (white ? 1 : 6) && b->piece[ahead + forward] == EMPTY)
            put(l, from, ahead + forward, STAMMA_FLAG_DOUBLE_PUSH);
    }
    for (unsigned to = ahead - EAST; to != ahead + 3 * EAST; to += 2 * EAST)
        if (!(to & 0x88) && is_enemy(b, to))
            put_pawn(l, from, to, STAMMA_FLAG_CAPTURE);
        else if (to == b->status.en_passant)
            put(l, from, to, STAMMA_FLAG_EN_PASSANT);
}

/* FIDE Laws 3.8.2, Guidelines II.3: no other piece is in the way of king and rook, and the king's way is not attacked.
 * `put` checks that the king is also safe after the rook has moved. */
static void castling_move(list *l, unsigned flags)
{
    const x88 *b = l->board;
    unsigned us = b->status.side, first = us == STAMMA_WHITE ? 0x00 : 0x70, king = b->status.king[us];
    unsigned king_to = first + (flags == STAMMA_FLAG_KING_CASTLE ? 6 : 2);
    stamma_move move = stamma_move_make(square_of(king), square_of(king_to), flags);
    unsigned rook = castling_rook(&b->status, move), rook_to = castling_rook_to(move);
    if (rook == OUTSIDE || l->in_check)
        return;
    for (unsigned square = first; square < first + 8; square++) {
        bool on_kings_way = within(square, king, king_to), on_way = on_kings_way || within(square, rook, rook_to);
        if (on_way && b->piece[square] != EMPTY && square != king && square != rook)
            return;
        if (on_kings_way && attacked(b, square, us ^ 1))
            return;
    }
    put(l, king, king_to, flags);
}

static void moves_by_type(list *l, unsigned from)
{
    switch (l->board->piece[from] - BLACK * l->board->status.side) {
    case PAWN: pawn_moves(l, from); break;
    case KNIGHT: piece_moves(l, from, jumps, 8, 1); break;
    case BISHOP: piece_moves(l, from, lines + 4, 4, 7); break;
    case ROOK: piece_moves(l, from, lines, 4, 7); break;
    case QUEEN: piece_moves(l, from, lines, 8, 7); break;
    case KING: piece_moves(l, from, lines, 8, 1); break;
    default: break; /* empty, or an enemy */
    }
}

static size_t legal_moves(const void *state, stamma_move moves[STAMMA_MOVES_MAX])
{
    x88 b = *(const x88 *)state;
    unsigned us = b.status.side;
    list l = {&b, moves, 0, attacked(&b, b.status.king[us], us ^ 1)};
    for (unsigned from = 0; from < 0x78; from = (from + 9) & ~8u)
        moves_by_type(&l, from);
    castling_move(&l, STAMMA_FLAG_KING_CASTLE);
    castling_move(&l, STAMMA_FLAG_QUEEN_CASTLE);
    return l.count;
}

const stamma_board stamma_board_x88 = {
    .name = "x88",
    .description = "two boards side by side, distinguished by `& 0x88`",
    .size = sizeof(x88),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
