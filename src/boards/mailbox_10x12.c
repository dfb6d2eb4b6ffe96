/* SPDX-License-Identifier: MIT */
/* mailbox-10x12: the mailbox whose left and right guard files are the same (Wikipedia).
 *
 *     110   99 99 99 99 99 99 99 99 99 99
 *     100   99 99 99 99 99 99 99 99 99 99
 *      90   99 -4 -2 -3 -5 -6 -3 -2 -4 99   8      A knight's jump two files to the right of h
 *      80   99 -1 -1 -1 -1 -1 -1 -1 -1 99   7      ends on the left guard of the next row, so that
 *      70   99  0  0  0  0  0  0  0  0 99   6      one file of guards on each side is enough: the
 *      60   99  0  0  0  0  0  0  0  0 99   5      board is 120 bytes, not 144.
 *      50   99  0  0  0  0  0  0  0  0 99   4
 *      40   99  0  0  0  0  0  0  0  0 99   3      a1 has index 21, h8 has 98; a step north is 10,
 *      30   99  1  1  1  1  1  1  1  1 99   2      a step east 1. Rank and file are the two digits
 *      20   99  4  2  3  5  6  3  2  4 99   1      of the index.
 *      10   99 99 99 99 99 99 99 99 99 99
 *       0   99 99 99 99 99 99 99 99 99 99
 *               a  b  c  d  e  f  g  h
 *
 * Only en passant and castling are tried on the board. One look from the king along its eight lines finds checkers and
 * pinned pieces. A pinned piece stays on the line of its pin. In check, a move must capture the checker or block its
 * line. */
#include "boards/boards.h"
#include "boards/conversions.h"

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, GUARD = 99 };

/* The state in addition to the pieces. Squares are indices into the mailbox; 0, a guard, means none. */
typedef struct status {
    int8_t side; /* to move: 1 White, -1 Black */
    uint8_t king[2];
    uint8_t castling[2][2]; /* the rooks that may castle, as in stamma_position */
    uint8_t en_passant;
    move_counts counts;
} status;

typedef struct mailbox {
    int8_t code[120];
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
    return square == STAMMA_SQUARE_NONE ? 0 : 21 + 10 * (square / 8) + square % 8;
}

static unsigned square_of(unsigned index)
{
    return index == 0 ? STAMMA_SQUARE_NONE : 8 * (index / 10 - 2) + index % 10 - 1;
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

/* The steps of each piece, terminated by 0. */
#define STRAIGHT 10, 1, -10, -1
#define DIAGONAL 11, -9, -11, 9
static const int8_t steps[KING + 1][9] = {
    [KNIGHT] = {21, 12, -8, -19, -21, -12, 8, 19},
    [BISHOP] = {DIAGONAL},
    [ROOK] = {STRAIGHT},
    [QUEEN] = {STRAIGHT, DIAGONAL},
    [KING] = {STRAIGHT, DIAGONAL},
};

/* Returns whether a piece is a slider that moves along `step`. `code` is positive for the pieces to be found. */
static bool slides(int code, int step)
{
    bool straight = step == 1 || step == -1 || step == 10 || step == -10;
    return code == QUEEN || code == (straight ? ROOK : BISHOP);
}

/* Returns whether the enemies of the side `us` attack a square if the square `gone` is empty (0: no square). */
static bool attacked(const mailbox *b, unsigned square, unsigned gone, int us)
{
    const int8_t *code = b->code + square;
    for (const int8_t *jump = steps[KNIGHT]; *jump; jump++)
        if (code[*jump] == -us * KNIGHT)
            return true;
    for (const int8_t *step = steps[KING]; *step; step++) {
        const int8_t *to = code + *step;
        if (*to == -us * KING)
            return true;
        while (*to == EMPTY || to == b->code + gone)
            to += *step;
        if (slides(-us * *to, *step))
            return true;
    }
    return code[9 * us] == -us * PAWN || code[11 * us] == -us * PAWN;
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
    return stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT ? to - (unsigned)(10 * s->side) : to;
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

/* The legal moves so far, and the facts that decide whether a move is legal. */
typedef struct list {
    const mailbox *board;
    stamma_move *moves;
    size_t count;
    unsigned checks; /* number of pieces that give check */
    bool goal[120];  /* targets that end the check: the checker's square, and the squares between it and the king */
    int8_t pin[120]; /* the step of the line on which a code is pinned; 0 if it is not pinned */
} list;

/* Records a piece that gives check from a number of steps; pawns and knights from one step. */
static void add_check(list *l, unsigned king, unsigned checker, int step)
{
    l->checks++;
    for (unsigned square = checker; square != king; square -= (unsigned)step)
        l->goal[square] = true;
}

/* Looks along a line from the king. An enemy slider on the line gives check, or pins the only piece between them, if
 * this piece belongs to the king's side. */
static void look_along(list *l, unsigned king, int step)
{
    const int8_t *code = l->board->code;
    int us = l->board->status.side;
    unsigned shield = 0, to = king + (unsigned)step;
    while (code[to] == EMPTY)
        to += (unsigned)step;
    if (code[to] != GUARD && code[to] * us > 0)
        for (shield = to, to += (unsigned)step; code[to] == EMPTY;)
            to += (unsigned)step;
    if (!slides(-us * code[to], step))
        return;
    if (shield)
        l->pin[shield] = (int8_t)step;
    else
        add_check(l, king, to, step);
}

static void look_from_king(list *l, unsigned king)
{
    const int8_t *code = l->board->code + king;
    int us = l->board->status.side;
    for (const int8_t *step = steps[KING]; *step; step++)
        look_along(l, king, *step);
    for (const int8_t *jump = steps[KNIGHT]; *jump; jump++)
        if (code[*jump] == -us * KNIGHT)
            add_check(l, king, king + (unsigned)*jump, *jump);
    for (int step = 9 * us; step != 13 * us; step += 2 * us)
        if (code[step] == -us * PAWN)
            add_check(l, king, king + (unsigned)step, step);
}

static void add(list *l, unsigned from, unsigned to, unsigned flags)
{
    l->moves[l->count++] = stamma_move_make(square_of(from), square_of(to), flags);
}

/* Adds a move that goes along `step`, if neither pin nor check forbids it. */
static void put(list *l, unsigned from, unsigned to, int step, unsigned flags)
{
    int pin = l->pin[from];
    if ((pin == 0 || pin == step || pin == -step) && (l->checks == 0 || l->goal[to]))
        add(l, from, to, flags);
}

/* Adds a move of more than one piece if the king is safe after it. */
static void put_tried(list *l, unsigned from, unsigned to, unsigned flags)
{
    mailbox after = *l->board;
    int us = after.status.side;
    undo u;
    make(&after, stamma_move_make(square_of(from), square_of(to), flags), &u);
    if (!attacked(&after, after.status.king[us < 0], 0, us))
        add(l, from, to, flags);
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
            put(l, from, to, *step, STAMMA_FLAG_QUIET);
            if (kind == KNIGHT)
                break;
        }
        if (is_enemy(code[to], l->board->status.side))
            put(l, from, to, *step, STAMMA_FLAG_CAPTURE);
    }
}

/* Adds a move of a pawn, or its promotions. The square beyond the last rank is a guard. */
static void put_pawn(list *l, unsigned from, unsigned to, int step, unsigned flags)
{
    if (l->board->code[(int)to + 10 * l->board->status.side] != GUARD)
        put(l, from, to, step, flags);
    else
        for (unsigned promotion = STAMMA_FLAG_PROMOTE_KNIGHT; promotion <= STAMMA_FLAG_PROMOTE_QUEEN; promotion++)
            put(l, from, to, step, flags | promotion);
}

static void pawn_moves(list *l, unsigned from)
{
    const mailbox *b = l->board;
    int us = b->status.side, forward = 10 * us;
    unsigned ahead = from + (unsigned)forward;
    if (b->code[ahead] == EMPTY) {
        put_pawn(l, from, ahead, forward, STAMMA_FLAG_QUIET);
        if (from / 10 == (us > 0 ? 3 : 8) && b->code[(int)ahead + forward] == EMPTY)
            put(l, from, ahead + (unsigned)forward, forward, STAMMA_FLAG_DOUBLE_PUSH);
    }
    for (int step = forward - 1; step <= forward + 1; step += 2) {
        unsigned to = from + (unsigned)step;
        if (is_enemy(b->code[to], us))
            put_pawn(l, from, to, step, STAMMA_FLAG_CAPTURE);
        else if (to == b->status.en_passant)
            put_tried(l, from, to, STAMMA_FLAG_EN_PASSANT);
    }
}

static void king_moves(list *l, unsigned king)
{
    const mailbox *b = l->board;
    int us = b->status.side;
    for (const int8_t *step = steps[KING]; *step; step++) {
        unsigned to = king + (unsigned)*step;
        bool enemy = is_enemy(b->code[to], us);
        if ((b->code[to] == EMPTY || enemy) && !attacked(b, to, king, us))
            add(l, king, to, enemy ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET);
    }
}

/* FIDE Laws 3.8.2, Guidelines II.3: no other piece is in the way of king and rook, and the king's way is not
 * attacked. */
static void castling_move(list *l, unsigned king, unsigned flags)
{
    const mailbox *b = l->board;
    int us = b->status.side;
    unsigned first = us > 0 ? 21 : 91, king_to = first + (flags == STAMMA_FLAG_KING_CASTLE ? 6u : 2u);
    stamma_move move = stamma_move_make(square_of(king), square_of(king_to), flags);
    unsigned rook = castling_rook(&b->status, move), rook_to = castling_rook_to(move);
    if (rook == 0)
        return;
    for (unsigned square = first; square < first + 8; square++) {
        bool on_kings_way = within(square, king, king_to), on_way = on_kings_way || within(square, rook, rook_to);
        if (on_way && b->code[square] != EMPTY && square != king && square != rook)
            return;
        if (on_kings_way && attacked(b, square, 0, us))
            return;
    }
    put_tried(l, king, king_to, flags);
}

static size_t legal_moves(const void *state, stamma_move moves[STAMMA_MOVES_MAX])
{
    const mailbox *b = state;
    list l = {b, moves, 0, 0, {false}, {0}};
    unsigned king = b->status.king[b->status.side < 0];
    look_from_king(&l, king);
    king_moves(&l, king);
    for (unsigned square = 0; square < 64 && l.checks < 2; square++) {
        unsigned from = index_of(square);
        int kind = b->code[from] * b->status.side;
        if (kind == PAWN)
            pawn_moves(&l, from);
        else if (kind > PAWN && kind < KING)
            piece_moves(&l, from, kind);
    }
    castling_move(&l, king, STAMMA_FLAG_KING_CASTLE);
    castling_move(&l, king, STAMMA_FLAG_QUEEN_CASTLE);
    return l.count;
}

const stamma_board stamma_board_mailbox_10x12 = {
    .name = "mailbox-10x12",
    .description = "the board within guard squares, edge files shared",
    .size = sizeof(mailbox),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
