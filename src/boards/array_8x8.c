/* SPDX-License-Identifier: MIT */
/* array-8x8: the simplest board, sixty-four signed numbers (Wikipedia).
 *
 *     8   -4  -2  -3  -5  -6  -3  -2  -4      1 pawn     4 rook
 *     7   -1  -1  -1  -1  -1  -1  -1  -1      2 knight   5 queen
 *     6    0   0   0   0   0   0   0   0      3 bishop   6 king
 *     5    0   0   0   0   0   0   0   0
 *     4    0   0   0   0   0   0   0   0      White's pieces are positive, Black's are negative,
 *     3    0   0   0   0   0   0   0   0      so a piece times the side to move (1 or -1) is above 0
 *     2    1   1   1   1   1   1   1   1      for its pieces and below 0 for enemy pieces.
 *     1    4   2   3   5   6   3   2   4
 *          a   b   c   d   e   f   g   h
 *
 * Its disadvantage is the edge. Nothing in the array shows that a2, which follows h1, is not adjacent to it: every step
 * must count ranks and files and check whether it is still on the board. To find out whether a move is legal, the code
 * makes it, checks whether the king is attacked, and unmakes it. */
#include "boards/boards.h"
#include "boards/conversions.h"

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

/* The state in addition to the squares. It is small, so make saves a copy that unmake restores. */
typedef struct status {
    int8_t side;            /* to move: 1 White, -1 Black */
    uint8_t king[2];        /* squares, White's first */
    uint8_t castling[2][2]; /* squares of the rooks that may castle, or NONE; as in stamma_position */
    uint8_t en_passant;     /* the square, or NONE */
    move_counts counts;
} status;

typedef struct array_8x8 {
    int8_t piece[64];
    status status;
} array_8x8;

typedef struct undo {
    status status;
    int8_t emptied; /* the captured piece, or the rook of a castling move */
} undo;

STAMMA_BOARD_FITS(array_8x8, undo);

enum { NONE = STAMMA_SQUARE_NONE };

/* ---- set-up ---- */

static stamma_error set_up(const stamma_position *position, void *state)
{
    stamma_setup setup = stamma_position_setup(position);
    if (stamma_setup_problems(&setup))
        return STAMMA_ERROR_ILLEGAL;
    array_8x8 *b = state;
    memset(b, 0, sizeof *b);
    for (unsigned square = 0; square < 64; square++) {
        int8_t piece = signed_piece(setup.board[square]);
        b->piece[square] = piece;
        if (piece == KING || piece == -KING)
            b->status.king[piece < 0] = (uint8_t)square;
    }
    b->status.side = setup.side == STAMMA_WHITE ? 1 : -1;
    memcpy(b->status.castling, setup.castling, sizeof setup.castling);
    b->status.en_passant = setup.en_passant;
    b->status.counts = counts_of_setup(&setup);
    return STAMMA_OK;
}

static stamma_error give_back(const void *state, stamma_position *position)
{
    const array_8x8 *b = state;
    stamma_setup setup;
    for (unsigned square = 0; square < 64; square++)
        setup.board[square] = piece_of_signed(b->piece[square]);
    setup.side = b->status.side > 0 ? STAMMA_WHITE : STAMMA_BLACK;
    memcpy(setup.castling, b->status.castling, sizeof setup.castling);
    setup.en_passant = b->status.en_passant;
    counts_to_setup(b->status.counts, &setup);
    return stamma_position_set_up(&setup, position);
}

/* ---- attacks ---- */

/* Steps as ranks and files: the rook's four, then the bishop's four. */
static const int8_t lines[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const int8_t jumps[8][2] = {{2, 1}, {2, -1}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {-2, 1}, {-2, -1}};

static bool on_board(int rank, int file)
{
    return rank >= 0 && rank < 8 && file >= 0 && file < 8;
}

static int piece_at(const array_8x8 *b, int rank, int file)
{
    return on_board(rank, file) ? b->piece[8 * rank + file] : EMPTY;
}

/* Returns whether the first piece on a line from this square belongs to the side `by` and moves along the line. */
static bool line_attacks(const array_8x8 *b, int rank, int file, unsigned line, int by)
{
    for (int distance = 1;; distance++) {
        rank += lines[line][0];
        file += lines[line][1];
        if (!on_board(rank, file))
            return false;
        int piece = b->piece[8 * rank + file] * by;
        if (piece != EMPTY)
            return piece == QUEEN || piece == (line < 4 ? ROOK : BISHOP) || (piece == KING && distance == 1);
    }
}

/* Returns whether the side `by`, 1 or -1, attacks a square. */
static bool attacked(const array_8x8 *b, unsigned square, int by)
{
    int rank = (int)square / 8, file = (int)square % 8;
    for (unsigned n = 0; n < 8; n++)
        if (piece_at(b, rank + jumps[n][0], file + jumps[n][1]) * by == KNIGHT || line_attacks(b, rank, file, n, by))
            return true;
    return piece_at(b, rank - by, file - 1) * by == PAWN || piece_at(b, rank - by, file + 1) * by == PAWN;
}

/* ---- make and unmake ---- */

/* Return the origin of the rook of a castling move, or NONE, and the target of the rook. */
static unsigned castling_rook(const status *s, stamma_move move)
{
    bool king_side = stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE;
    return s->castling[s->side < 0][king_side ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE];
}

static unsigned castling_rook_to(stamma_move move)
{
    unsigned king_to = stamma_move_to(move);
    return (stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? king_to - 1 : king_to + 1) & 63;
}

/* Returns the square that a move empties in addition to its origin: the target, the square of the pawn captured en
 * passant, or the square of the castling rook. */
static unsigned emptied_square(const status *s, stamma_move move)
{
    unsigned to = stamma_move_to(move);
    if (stamma_move_is_castling(move))
        return castling_rook(s, move) & 63;
    return stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT ? (s->side > 0 ? to - 8 : to + 8) & 63 : to;
}

static void drop_rights(status *s, unsigned square)
{
    for (unsigned n = 0; n < 4; n++)
        if (s->castling[n / 2][n % 2] == square || s->king[n / 2] == square)
            s->castling[n / 2][n % 2] = NONE;
}

/* Removes all moving pieces before placing any, because in Chess960 king and rook may exchange squares. */
static void make(void *state, stamma_move move, void *undone)
{
    array_8x8 *b = state;
    status *s = &b->status;
    undo *u = undone;
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), emptied = emptied_square(s, move);
    int us = s->side, piece = b->piece[from];
    *u = (undo){*s, b->piece[emptied]};
    s->en_passant = (uint8_t)(stamma_move_flags(move) == STAMMA_FLAG_DOUBLE_PUSH ? (from + to) / 2 : NONE);
    count_move(&s->counts, us < 0, piece == us * PAWN || stamma_move_is_capture(move));
    s->side = (int8_t)-us;
    drop_rights(s, from);
    drop_rights(s, emptied);
    if (piece == us * KING)
        s->king[us < 0] = (uint8_t)to;
    b->piece[from] = b->piece[emptied] = EMPTY;
    b->piece[to] = (int8_t)(stamma_move_is_promotion(move) ? us * ((int)stamma_move_promotion(move) + 1) : piece);
    if (stamma_move_is_castling(move))
        b->piece[castling_rook_to(move)] = (int8_t)(us * ROOK);
}

static void unmake(void *state, stamma_move move, const void *undone)
{
    array_8x8 *b = state;
    const undo *u = undone;
    unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    int piece = b->piece[to];
    b->status = u->status;
    b->piece[to] = EMPTY;
    if (stamma_move_is_castling(move))
        b->piece[castling_rook_to(move)] = EMPTY;
    b->piece[emptied_square(&b->status, move)] = u->emptied;
    b->piece[from] = (int8_t)(stamma_move_is_promotion(move) ? b->status.side * PAWN : piece);
}

/* ---- the moves ---- */

/* The legal moves so far, and the board on which moves are tried. */
typedef struct list {
    array_8x8 *board;
    stamma_move *moves;
    size_t count;
} list;

/* Adds a move if the king is not attacked after it. */
static void put(list *l, unsigned from, unsigned to, unsigned flags)
{
    stamma_move move = stamma_move_make(from, to, flags);
    int us = l->board->status.side;
    undo u;
    make(l->board, move, &u);
    if (!attacked(l->board, l->board->status.king[us < 0], -us))
        l->moves[l->count++] = move;
    unmake(l->board, move, &u);
}

/* Adds the moves of a piece, up to `reach` squares along each of `count` steps. */
static void piece_moves(list *l, unsigned from, const int8_t steps[][2], unsigned count, int reach)
{
    for (unsigned n = 0; n < count; n++)
        for (int distance = 1; distance <= reach; distance++) {
            int rank = (int)from / 8 + distance * steps[n][0], file = (int)from % 8 + distance * steps[n][1];
            if (!on_board(rank, file))
                break;
            int piece = piece_at(l->board, rank, file) * l->board->status.side;
            if (piece <= 0)
                put(l, from, (unsigned)(8 * rank + file), piece < 0 ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET);
            if (piece != EMPTY)
                break;
        }
}

static void put_pawn(list *l, unsigned from, unsigned to, unsigned flags)
{
    if (to >= 8 && to < 56)
        put(l, from, to, flags);
    else
        for (unsigned promotion = STAMMA_FLAG_PROMOTE_KNIGHT; promotion <= STAMMA_FLAG_PROMOTE_QUEEN; promotion++)
            put(l, from, to, flags | promotion);
}

static void pawn_moves(list *l, unsigned from)
{
    const array_8x8 *b = l->board;
    int us = b->status.side, rank = (int)from / 8, file = (int)from % 8;
    if (piece_at(b, rank + us, file) == EMPTY) {
        put_pawn(l, from, (unsigned)(8 * (rank + us) + file), STAMMA_FLAG_QUIET);
        if (rank == (us > 0 ? 1 : 6) && piece_at(b, rank + 2 * us, file) == EMPTY)
            put(l, from, (unsigned)(8 * (rank + 2 * us) + file), STAMMA_FLAG_DOUBLE_PUSH);
    }
    for (int beside = file - 1; beside <= file + 1; beside += 2) {
        unsigned to = (unsigned)(8 * (rank + us) + beside);
        if (piece_at(b, rank + us, beside) * us < 0)
            put_pawn(l, from, to, STAMMA_FLAG_CAPTURE);
        else if (on_board(rank + us, beside) && to == b->status.en_passant)
            put(l, from, to, STAMMA_FLAG_EN_PASSANT);
    }
}

/* FIDE Laws 3.8.2, Guidelines II.3: no other piece is in the way of king and rook, and the king's way is not attacked.
 * `put` checks that the king is also safe after the rook has moved. */
static void castling_move(list *l, unsigned flags)
{
    const array_8x8 *b = l->board;
    int us = b->status.side;
    unsigned first = us > 0 ? 0 : 56, king = b->status.king[us < 0];
    unsigned king_to = first + (flags == STAMMA_FLAG_KING_CASTLE ? 6 : 2);
    stamma_move move = stamma_move_make(king, king_to, flags);
    unsigned rook = castling_rook(&b->status, move), rook_to = castling_rook_to(move);
    if (rook == NONE)
        return;
    for (unsigned square = first; square < first + 8; square++) {
        bool on_kings_way = within(square, king, king_to), on_way = on_kings_way || within(square, rook, rook_to);
        if (on_way && b->piece[square] != EMPTY && square != king && square != rook)
            return;
        if (on_kings_way && attacked(b, square, -us))
            return;
    }
    put(l, king, king_to, flags);
}

static void moves_by_type(list *l, unsigned from)
{
    switch (l->board->piece[from] * l->board->status.side) {
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
    array_8x8 b = *(const array_8x8 *)state;
    list l = {&b, moves, 0};
    for (unsigned square = 0; square < 64; square++)
        moves_by_type(&l, square);
    castling_move(&l, STAMMA_FLAG_KING_CASTLE);
    castling_move(&l, STAMMA_FLAG_QUEEN_CASTLE);
    return l.count;
}

const stamma_board stamma_board_array_8x8 = {
    .name = "array-8x8",
    .description = "64 signed numbers",
    .size = sizeof(array_8x8),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
