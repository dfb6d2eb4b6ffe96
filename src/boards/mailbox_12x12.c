/* SPDX-License-Identifier: MIT */
/* mailbox-12x12: the array with two rows of guard squares on every side, which have the value 99 (Wikipedia).
 *
 *     132   99 99 99 99 99 99 99 99 99 99 99 99
 *     120   99 99 99 99 99 99 99 99 99 99 99 99
 *     108   99 99 -4 -2 -3 -5 -6 -3 -2 -4 99 99   8      Signs and numbers as in a plain array:
 *      96   99 99 -1 -1 -1 -1 -1 -1 -1 -1 99 99   7      pawn 1, knight 2, bishop 3, rook 4,
 *      84   99 99  0  0  0  0  0  0  0  0 99 99   6      queen 5, king 6, Black's pieces negative.
 *      72   99 99  0  0  0  0  0  0  0  0 99 99   5
 *      60   99 99  0  0  0  0  0  0  0  0 99 99   4      A step is a single number: 12 north,
 *      48   99 99  0  0  0  0  0  0  0  0 99 99   3      1 east, 13 north-east. a1 has index 26,
 *      36   99 99  1  1  1  1  1  1  1  1 99 99   2      h8 has 117.
 *      24   99 99  4  2  3  5  6  3  2  4 99 99   1
 *      12   99 99 99 99 99 99 99 99 99 99 99 99
 *       0   99 99 99 99 99 99 99 99 99 99 99 99
 *                 a  b  c  d  e  f  g  h
 *
 * The value of a square shows whether it is on the board, so steps need no ranks and files. Two rows of guards are
 * needed because a knight's jump may end two squares outside. To find out whether a move is legal, the code makes it,
 * checks whether the king is attacked, and unmakes it. */
#include "boards/boards.h"
#include "boards/conversions.h"

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, GUARD = 99 };

enum { NORTH = 12, EAST = 1, SOUTH = -NORTH, WEST = -EAST };

/* The state in addition to the pieces. Squares are indices into the mailbox; 0, a guard, means none. */
typedef struct status {
    int8_t side; /* to move: 1 White, -1 Black */
    uint8_t king[2];
    uint8_t castling[2][2]; /* the rooks that may castle, as in stamma_position */
    uint8_t en_passant;
    move_counts counts;
} status;

typedef struct mailbox {
    int8_t code[144];
    status status;
} mailbox;

typedef struct undo {
    status status;
    int8_t emptied; /* the code of the captured piece, or of the rook of a castling move */
} undo;

STAMMA_BOARD_FITS(mailbox, undo);

/* ---- set-up ---- */

static unsigned index_of(unsigned square)
{
    return square == STAMMA_SQUARE_NONE ? 0 : 26 + 12 * (square / 8) + square % 8;
}

static unsigned square_of(unsigned index)
{
    return index == 0 ? STAMMA_SQUARE_NONE : 8 * (index / 12 - 2) + index % 12 - 2;
}

static stamma_error set_up(const stamma_position *position, void *state)
{
    stamma_setup setup = stamma_position_setup(position);
    if (stamma_setup_problems(&setup))
        return STAMMA_ERROR_ILLEGAL;
    mailbox *b = state;
    memset(b, 0, sizeof *b);
    memset(b->code, GUARD, sizeof b->code);
    for (unsigned square = 0; square < 64; square++) {
        int8_t code = signed_piece(setup.board[square]);
        b->code[index_of(square)] = code;
        if (code == KING || code == -KING)
            b->status.king[code < 0] = (uint8_t)index_of(square);
    }
    b->status.side = setup.side == STAMMA_WHITE ? 1 : -1;
    for (unsigned n = 0; n < 4; n++)
        b->status.castling[n / 2][n % 2] = (uint8_t)index_of(setup.castling[n / 2][n % 2]);
    b->status.en_passant = (uint8_t)index_of(setup.en_passant);
    b->status.counts = counts_of_setup(&setup);
    return STAMMA_OK;
}

static stamma_error give_back(const void *state, stamma_position *position)
{
    const mailbox *b = state;
    stamma_setup setup;
    for (unsigned square = 0; square < 64; square++)
        setup.board[square] = piece_of_signed(b->code[index_of(square)]);
    setup.side = b->status.side > 0 ? STAMMA_WHITE : STAMMA_BLACK;
    for (unsigned n = 0; n < 4; n++)
        setup.castling[n / 2][n % 2] = (stamma_square)square_of(b->status.castling[n / 2][n % 2]);
    setup.en_passant = (stamma_square)square_of(b->status.en_passant);
    counts_to_setup(b->status.counts, &setup);
    return stamma_position_set_up(&setup, position);
}

/* ---- attacks ---- */

/* The steps of each piece, terminated by 0. A queen repeats the steps of the king. */
static const int8_t steps[KING + 1][9] = {
    [KNIGHT] = {2 * NORTH + EAST, 2 * NORTH + WEST, NORTH + 2 * EAST, NORTH + 2 * WEST, SOUTH + 2 * EAST,
                SOUTH + 2 * WEST, 2 * SOUTH + EAST, 2 * SOUTH + WEST},
    [BISHOP] = {NORTH + EAST, NORTH + WEST, SOUTH + EAST, SOUTH + WEST},
    [ROOK] = {NORTH, EAST, SOUTH, WEST},
    [QUEEN] = {NORTH, EAST, SOUTH, WEST, NORTH + EAST, NORTH + WEST, SOUTH + EAST, SOUTH + WEST},
    [KING] = {NORTH, EAST, SOUTH, WEST, NORTH + EAST, NORTH + WEST, SOUTH + EAST, SOUTH + WEST},
};

/* Returns whether the first piece on a line from this square is an enemy of the side `us` that moves along the line.
 * `slider` is rook or bishop. */
static bool line_attacks(const int8_t *code, unsigned from, int slider, int step, int us)
{
    const int8_t *to = code + from + step;
    if (*to == -us * KING)
        return true;
    while (*to == EMPTY)
        to += step;
    return *to == -us * slider || *to == -us * QUEEN;
}

/* Returns whether the enemies of the side `us` attack a square. Looks from the square along the moves of each kind of
 * piece. */
static bool attacked(const mailbox *b, unsigned square, int us)
{
    const int8_t *code = b->code;
    for (const int8_t *step = steps[KNIGHT]; *step; step++)
        if (code[(int)square + *step] == -us * KNIGHT)
            return true;
    for (int slider = BISHOP; slider <= ROOK; slider++)
        for (const int8_t *step = steps[slider]; *step; step++)
            if (line_attacks(code, square, slider, *step, us))
                return true;
    const int8_t *ahead = code + square + us * NORTH;
    return ahead[WEST] == -us * PAWN || ahead[EAST] == -us * PAWN;
}

/* ---- make and unmake ---- */

/* Return the origin of the rook of a castling move, or 0, and the target of the rook. */
static unsigned castling_rook(const status *s, stamma_move move)
{
    bool king_side = stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE;
    return s->castling[s->side < 0][king_side ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE];
}

static unsigned castling_rook_to(stamma_move move)
{
    unsigned king_to = index_of(stamma_move_to(move));
    return stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? king_to - 1 : king_to + 1;
}

/* Returns the square that a move empties in addition to its origin: the target, the square of the pawn captured en
 * passant, or the square of the castling rook. */
static unsigned emptied_square(const status *s, stamma_move move)
{
    unsigned to = index_of(stamma_move_to(move));
    if (stamma_move_is_castling(move))
        return castling_rook(s, move);
    return stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT ? to - (unsigned)(s->side * NORTH) : to;
}

static void drop_rights(status *s, unsigned square)
{
    for (unsigned n = 0; n < 4; n++)
        if (s->castling[n / 2][n % 2] == square || s->king[n / 2] == square)
            s->castling[n / 2][n % 2] = 0;
}

/* Removes all moving pieces before placing any, because in Chess960 king and rook may exchange squares. */
static void make(void *state, stamma_move move, void *undone)
{
    mailbox *b = state;
    status *s = &b->status;
    undo *u = undone;
    unsigned from = index_of(stamma_move_from(move)), to = index_of(stamma_move_to(move));
    unsigned emptied = emptied_square(s, move);
    int us = s->side, code = b->code[from];
    *u = (undo){*s, b->code[emptied]};
    s->en_passant = (uint8_t)(stamma_move_flags(move) == STAMMA_FLAG_DOUBLE_PUSH ? (from + to) / 2 : 0);
    count_move(&s->counts, us < 0, code == us * PAWN || stamma_move_is_capture(move));
    s->side = (int8_t)-us;
    drop_rights(s, from);
    drop_rights(s, emptied);
    if (code == us * KING)
        s->king[us < 0] = (uint8_t)to;
    b->code[from] = b->code[emptied] = EMPTY;
    b->code[to] = (int8_t)(stamma_move_is_promotion(move) ? us * ((int)stamma_move_promotion(move) + 1) : code);
    if (stamma_move_is_castling(move))
        b->code[castling_rook_to(move)] = (int8_t)(us * ROOK);
}

static void unmake(void *state, stamma_move move, const void *undone)
{
    mailbox *b = state;
    const undo *u = undone;
    unsigned from = index_of(stamma_move_from(move)), to = index_of(stamma_move_to(move));
    int code = b->code[to];
    b->status = u->status;
    b->code[to] = EMPTY;
    if (stamma_move_is_castling(move))
        b->code[castling_rook_to(move)] = EMPTY;
    b->code[emptied_square(&b->status, move)] = u->emptied;
    b->code[from] = (int8_t)(stamma_move_is_promotion(move) ? b->status.side * PAWN : code);
}

/* ---- the moves ---- */

/* The legal moves so far, and the board on which moves are tried. */
typedef struct list {
    mailbox *board;
    stamma_move *moves;
    size_t count;
} list;

/* Adds a move if the king is not attacked after it. */
static void put(list *l, unsigned from, unsigned to, unsigned flags)
{
    stamma_move move = stamma_move_make(square_of(from), square_of(to), flags);
    int us = l->board->status.side;
    undo u;
    make(l->board, move, &u);
    if (!attacked(l->board, l->board->status.king[us < 0], us))
        l->moves[l->count++] = move;
    unmake(l->board, move, &u);
}

static bool is_enemy(int code, int us)
{
    return us > 0 ? code < EMPTY : code > EMPTY && code != GUARD;
}

static void piece_moves(list *l, unsigned from, int kind)
{
    const int8_t *code = l->board->code;
    for (const int8_t *step = steps[kind]; *step; step++) {
        unsigned to = from + (unsigned)*step;
        for (; code[to] == EMPTY; to += (unsigned)*step) {
            put(l, from, to, STAMMA_FLAG_QUIET);
            if (kind == KNIGHT || kind == KING)
                break;
        }
        if (is_enemy(code[to], l->board->status.side))
            put(l, from, to, STAMMA_FLAG_CAPTURE);
    }
}

/* Adds a move of a pawn, or its promotions. If the square two steps ahead is a guard, one step reaches the last
 * rank. */
static void put_pawn(list *l, unsigned from, unsigned to, unsigned flags)
{
    if (l->board->code[(int)to + l->board->status.side * NORTH] != GUARD)
        put(l, from, to, flags);
    else
        for (unsigned promotion = STAMMA_FLAG_PROMOTE_KNIGHT; promotion <= STAMMA_FLAG_PROMOTE_QUEEN; promotion++)
            put(l, from, to, flags | promotion);
}

/* Adds the moves of a pawn. If the square two steps back is a guard, the pawn has not moved yet. */
static void pawn_moves(list *l, unsigned from)
{
    const int8_t *code = l->board->code;
    int us = l->board->status.side, forward = us * NORTH;
    unsigned ahead = from + (unsigned)forward;
    if (code[ahead] == EMPTY) {
        put_pawn(l, from, ahead, STAMMA_FLAG_QUIET);
        if (code[(int)from - 2 * forward] == GUARD && code[(int)ahead + forward] == EMPTY)
            put(l, from, ahead + (unsigned)forward, STAMMA_FLAG_DOUBLE_PUSH);
    }
    for (unsigned to = ahead - EAST; to <= ahead + EAST; to += 2 * EAST)
        if (is_enemy(code[to], us))
            put_pawn(l, from, to, STAMMA_FLAG_CAPTURE);
        else if (to == l->board->status.en_passant)
            put(l, from, to, STAMMA_FLAG_EN_PASSANT);
}

/* FIDE Laws 3.8.2, Guidelines II.3: no other piece is in the way of king and rook, and the king's way is not attacked.
 * `put` checks that the king is also safe after the rook has moved. */
static void castling_move(list *l, unsigned flags)
{
    const mailbox *b = l->board;
    int us = b->status.side;
    unsigned first = us > 0 ? 26 : 110, king = b->status.king[us < 0];
    unsigned king_to = first + (flags == STAMMA_FLAG_KING_CASTLE ? 6 : 2);
    stamma_move move = stamma_move_make(square_of(king), square_of(king_to), flags);
    unsigned rook = castling_rook(&b->status, move), rook_to = castling_rook_to(move);
    if (rook == 0)
        return;
    for (unsigned square = first; square < first + 8; square++) {
        bool on_kings_way = within(square, king, king_to), on_way = on_kings_way || within(square, rook, rook_to);
        if (on_way && b->code[square] != EMPTY && square != king && square != rook)
            return;
        if (on_kings_way && attacked(b, square, us))
            return;
    }
    put(l, king, king_to, flags);
}

static size_t legal_moves(const void *state, stamma_move moves[STAMMA_MOVES_MAX])
{
    mailbox b = *(const mailbox *)state;
    list l = {&b, moves, 0};
    for (unsigned square = 0; square < 64; square++) {
        unsigned from = index_of(square);
        int kind = b.code[from] * b.status.side;
        if (kind == PAWN)
            pawn_moves(&l, from);
        else if (kind > PAWN)
            piece_moves(&l, from, kind);
    }
    castling_move(&l, STAMMA_FLAG_KING_CASTLE);
    castling_move(&l, STAMMA_FLAG_QUEEN_CASTLE);
    return l.count;
}

const stamma_board stamma_board_mailbox_12x12 = {
    .name = "mailbox-12x12",
    .description = "the board within two rows of guard squares",
    .size = sizeof(mailbox),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
