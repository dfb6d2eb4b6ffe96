/* SPDX-License-Identifier: MIT */
/* piece-list: no board, only the squares of the pieces (Wikipedia). Early programs had no memory for sixty-four
 * squares.
 *
 *     White   e1  d1 a1 h1 c1 f1 b1 g1  a2 b2 c2 d2 e2 f2 g2 h2       a square for each piece: 32 bytes
 *             K   Q  R  R  B  B  N  N   P  P  P  P  P  P  P  P        its kind, in four bits: 16 bytes
 *     Black   e8  d8 a8 h8 c8 f8 b8 g8  a7 b7 c7 d7 e7 f7 g7 h7
 *
 * To find the piece on a square, up to thirty-two pieces must be examined, so the code avoids it. Instead, one pass
 * through the lists computes the view from a square: the nearest piece in each of eight directions, and the pieces a
 * knight's jump away. The view determines all moves of a piece on the square, and all attackers of a king on the
 * square. */
#include "boards/boards.h"
#include "boards/conversions.h"

enum { PIECES = 16, NOBODY = 2 * PIECES, NOWHERE = STAMMA_SQUARE_NONE };

typedef struct status {
    uint8_t side;                 /* stamma_color */
    stamma_square castling[2][2]; /* as in stamma_position */
    stamma_square en_passant;
    move_counts counts;
} status;

/* Pieces are numbered 0-15 for White and 16-31 for Black, the kings first. */
typedef struct piece_list {
    stamma_square square[2 * PIECES + 1]; /* NOWHERE: captured, or never existed; the entry of NOBODY is unused */
    uint8_t kinds[PIECES];                /* stamma_piece_type, two pieces in a byte */
    status status;
} piece_list;

typedef struct undo {
    status status;
    uint8_t taken; /* the number of the piece, or NOBODY */
} undo;

STAMMA_BOARD_FITS(piece_list, undo);

static unsigned kind_of(const piece_list *b, unsigned piece)
{
    return b->kinds[piece / 2 % PIECES] >> 4 * (piece % 2) & 15;
}

static void set_kind(piece_list *b, unsigned piece, unsigned kind)
{
    uint8_t *pair = &b->kinds[piece / 2 % PIECES];
    *pair = (uint8_t)(piece % 2 ? (*pair & 0x0F) | kind << 4 : (*pair & 0xF0) | kind);
}

/* Returns the piece of a colour on a square, or NOBODY. */
static unsigned find(const piece_list *b, unsigned color, unsigned square)
{
    for (unsigned piece = PIECES * color; piece < PIECES * (color + 1); piece++)
        if (b->square[piece] == square)
            return piece;
    return NOBODY;
}

/* ---- set-up ---- */

static stamma_error set_up(const stamma_position *position, void *state)
{
    stamma_setup setup = stamma_position_setup(position);
    if (stamma_setup_problems(&setup))
        return STAMMA_ERROR_ILLEGAL;
    piece_list *b = state;
    memset(b, 0, sizeof *b);
    memset(b->square, NOWHERE, sizeof b->square);
    unsigned next[2] = {1, PIECES + 1};
    for (unsigned square = 0; square < 64; square++) {
        unsigned color = setup.board[square] >> 3, kind = setup.board[square] & 7;
        if (kind == STAMMA_PIECE_NONE)
            continue;
        unsigned piece = kind == STAMMA_KING ? PIECES * color : next[color]++;
        b->square[piece] = (stamma_square)square;
        set_kind(b, piece, kind);
    }
    b->status.side = (uint8_t)setup.side;
    memcpy(b->status.castling, setup.castling, sizeof setup.castling);
    b->status.en_passant = setup.en_passant;
    b->status.counts = counts_of_setup(&setup);
    return STAMMA_OK;
}

static stamma_error give_back(const void *state, stamma_position *position)
{
    const piece_list *b = state;
    stamma_setup setup;
    memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
    for (unsigned piece = 0; piece < NOBODY; piece++)
        if (b->square[piece] != NOWHERE)
            setup.board[b->square[piece]] = (stamma_piece)(kind_of(b, piece) + 8 * (piece / PIECES));
    setup.side = b->status.side == STAMMA_WHITE ? STAMMA_WHITE : STAMMA_BLACK;
    memcpy(setup.castling, b->status.castling, sizeof setup.castling);
    setup.en_passant = b->status.en_passant;
    counts_to_setup(b->status.counts, &setup);
    return stamma_position_set_up(&setup, position);
}

/* ---- the view from a square, and attacks ---- */

/* Directions: four straight, four diagonal, eight jumps. */
enum { NORTH = 0, SOUTH = 2, DIAGONAL = 4, JUMP = 8, DIRECTIONS = 16 };
static const int8_t ranks[DIRECTIONS] = {1, 0, -1, 0, 1, -1, -1, 1, 2, 1, -1, -2, -2, -1, 1, 2};
static const int8_t files[DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1, 1, 2, 2, 1, -1, -2, -2, -1};

/* For a difference in ranks and files, plus 7 each: the direction times 8, plus the distance; 0 if there is no line. */
#define AT(direction, rank, file, distance) \
    [7 + (distance) * (rank)][7 + (distance) * (file)] = 8 * (direction) + (distance)
#define LINE(d, r, f) \
    AT(d, r, f, 1), AT(d, r, f, 2), AT(d, r, f, 3), AT(d, r, f, 4), AT(d, r, f, 5), AT(d, r, f, 6), AT(d, r, f, 7)
static const uint8_t bearing[15][15] = {
    LINE(0, 1, 0),     LINE(1, 0, 1),     LINE(2, -1, 0),   LINE(3, 0, -1),   LINE(4, 1, 1),    LINE(5, -1, 1),
    LINE(6, -1, -1),   LINE(7, 1, -1),    AT(8, 2, 1, 1),   AT(9, 1, 2, 1),   AT(10, -1, 2, 1), AT(11, -2, 1, 1),
    AT(12, -2, -1, 1), AT(13, -1, -2, 1), AT(14, 1, -2, 1), AT(15, 2, -1, 1),
};

/* In each direction, the distance to the nearest piece and its number; at the edge NOBODY. */
typedef struct view {
    uint8_t distance[DIRECTIONS];
    uint8_t piece[DIRECTIONS];
} view;

/* Returns the number of steps from a rank or file to the edge; 7 if the step does not change it. */
static int room(int at, int step)
{
    return step > 0 ? (7 - at) / step : step < 0 ? at / -step : 7;
}

static view view_from(const piece_list *b, unsigned square)
{
    int rank = (int)square / 8, file = (int)square % 8;
    view v;
    for (unsigned n = 0; n < DIRECTIONS; n++) {
        int up = room(rank, ranks[n]), aside = room(file, files[n]), most = up < aside ? up : aside;
        v.distance[n] = (uint8_t)(n >= JUMP && most > 1 ? 1 : most);
        v.piece[n] = NOBODY;
    }
    for (unsigned piece = 0; piece < NOBODY; piece++) {
        if (b->square[piece] == NOWHERE)
            continue;
        unsigned there = bearing[7 + b->square[piece] / 8 - rank][7 + b->square[piece] % 8 - file];
        unsigned direction = there / 8, distance = there % 8;
        if (distance != 0 && distance <= v.distance[direction]) {
            v.distance[direction] = (uint8_t)distance;
            v.piece[direction] = (uint8_t)piece;
        }
    }
    return v;
}

/* Returns whether the nearest piece in a direction attacks the square. */
static bool attacks(const piece_list *b, const view *v, unsigned direction)
{
    bool near = v->distance[direction] == 1;
    switch (kind_of(b, v->piece[direction])) {
    case STAMMA_PAWN: return near && direction / 4 == 1 && ranks[direction] == (v->piece[direction] < PIECES ? -1 : 1);
    case STAMMA_KNIGHT: return direction >= JUMP;
    case STAMMA_BISHOP: return direction / 4 == 1;
    case STAMMA_ROOK: return direction < DIAGONAL;
    case STAMMA_QUEEN: return direction < JUMP;
    default: return near && direction < JUMP;
    }
}

static bool attacked(const piece_list *b, const view *v, unsigned by)
{
    for (unsigned n = 0; n < DIRECTIONS; n++)
        if (v->piece[n] / PIECES == by && attacks(b, v, n))
            return true;
    return false;
}

/* ---- make and unmake ---- */

static stamma_square castling_rook(const status *s, stamma_move move)
{
    bool king_side = stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE;
    return s->castling[s->side][king_side ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE];
}

static stamma_square castling_rook_to(stamma_move move)
{
    unsigned king_to = stamma_move_to(move);
    return (stamma_square)((stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? king_to - 1 : king_to + 1) & 63);
}

static unsigned taken_square(stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    return stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT ? (from & 56) | (to & 7) : to;
}

static void drop_rights(piece_list *b, unsigned square)
{
    for (unsigned n = 0; n < 4; n++)
        if (b->status.castling[n / 2][n % 2] == square || b->square[PIECES * (n / 2)] == square)
            b->status.castling[n / 2][n % 2] = STAMMA_SQUARE_NONE;
}

static void make(void *state, stamma_move move, void *undone)
{
    piece_list *b = state;
    status *s = &b->status;
    undo *u = undone;
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), us = s->side, piece = find(b, us, from);
    unsigned rook = NOBODY, taken = NOBODY;
    if (stamma_move_is_castling(move))
        rook = find(b, us, castling_rook(s, move));
    else if (stamma_move_is_capture(move))
        taken = find(b, us ^ 1, taken_square(move));
    *u = (undo){*s, (uint8_t)taken};
    s->en_passant = (stamma_square)(stamma_move_flags(move) == STAMMA_FLAG_DOUBLE_PUSH ? (from + to) / 2 : NOWHERE);
    count_move(&s->counts, us == STAMMA_BLACK, kind_of(b, piece) == STAMMA_PAWN || stamma_move_is_capture(move));
    s->side ^= 1;
    drop_rights(b, from);
    drop_rights(b, to);
    b->square[taken] = NOWHERE;
    b->square[piece] = (stamma_square)to;
    b->square[rook] = castling_rook_to(move);
    b->square[NOBODY] = NOWHERE;
    if (stamma_move_is_promotion(move))
        set_kind(b, piece, stamma_move_promotion(move));
}

static void unmake(void *state, stamma_move move, const void *undone)
{
    piece_list *b = state;
    const undo *u = undone;
    b->status = u->status;
    unsigned us = b->status.side, piece = find(b, us, stamma_move_to(move)), rook = NOBODY;
    if (stamma_move_is_castling(move))
        rook = find(b, us, castling_rook_to(move));
    b->square[piece] = stamma_move_from(move);
    b->square[rook] = castling_rook(&b->status, move);
    b->square[u->taken] = (stamma_square)taken_square(move);
    b->square[NOBODY] = NOWHERE;
    if (stamma_move_is_promotion(move))
        set_kind(b, piece, STAMMA_PAWN);
}

/* ---- the moves ---- */

/* The legal moves so far, and the lists in which some moves are tried. */
typedef struct list {
    piece_list *board;
    stamma_move *moves;
    size_t count;
    view from_king;
    bool in_check;
} list;

/* Adds a move if the king is safe after it. If the king is not in check, this is only tested after moves of the king,
 * of a piece in its view, and en passant. */
static void put(list *l, unsigned piece, unsigned to, unsigned flags)
{
    piece_list *b = l->board;
    unsigned us = b->status.side;
    stamma_move move = stamma_move_make(b->square[piece], to, flags);
    bool seen = memchr(l->from_king.piece, (int)piece, JUMP) != NULL, safe = true;
    if (l->in_check || seen || piece == PIECES * us || flags == STAMMA_FLAG_EN_PASSANT) {
        undo u;
        make(b, move, &u);
        view v = view_from(b, b->square[PIECES * us]);
        safe = !attacked(b, &v, us ^ 1);
        unmake(b, move, &u);
    }
    if (safe)
        l->moves[l->count++] = move;
}

/* Adds the moves in the directions first to last - 1, up to `reach` squares. */
static void piece_moves(list *l, const view *v, unsigned piece, unsigned first, unsigned last, unsigned reach)
{
    unsigned us = l->board->status.side;
    int from = l->board->square[piece];
    for (unsigned n = first; n < last; n++)
        for (unsigned distance = 1; distance <= v->distance[n] && distance <= reach; distance++) {
            unsigned to = (unsigned)(from + (int)distance * (8 * ranks[n] + files[n]));
            unsigned met = distance == v->distance[n] ? v->piece[n] : NOBODY;
            if (met == NOBODY)
                put(l, piece, to, STAMMA_FLAG_QUIET);
            else if (met / PIECES != us)
                put(l, piece, to, STAMMA_FLAG_CAPTURE);
        }
}

static void put_pawn(list *l, unsigned piece, unsigned to, unsigned flags)
{
    if (to >= 8 && to < 56)
        put(l, piece, to, flags);
    else
        for (unsigned promotion = STAMMA_FLAG_PROMOTE_KNIGHT; promotion <= STAMMA_FLAG_PROMOTE_QUEEN; promotion++)
            put(l, piece, to, flags | promotion);
}

static void pawn_moves(list *l, const view *v, unsigned piece)
{
    const piece_list *b = l->board;
    unsigned us = b->status.side, from = b->square[piece], forward = us ? SOUTH : NORTH;
    int step = 8 * ranks[forward];
    unsigned empty = v->distance[forward] - (v->piece[forward] != NOBODY ? 1u : 0u);
    if (empty >= 1)
        put_pawn(l, piece, from + (unsigned)step, STAMMA_FLAG_QUIET);
    if (empty >= 2 && from / 8 == (us ? 6 : 1))
        put(l, piece, from + 2 * (unsigned)step, STAMMA_FLAG_DOUBLE_PUSH);
    for (unsigned n = DIAGONAL; n < JUMP; n++) {
        unsigned to = from + (unsigned)(step + files[n]);
        if (ranks[n] != ranks[forward] || v->distance[n] == 0)
            continue;
        if (v->distance[n] == 1 && v->piece[n] / PIECES == (us ^ 1))
            put_pawn(l, piece, to, STAMMA_FLAG_CAPTURE);
        else if (to == b->status.en_passant)
            put(l, piece, to, STAMMA_FLAG_EN_PASSANT);
    }
}

/* FIDE Laws 3.8.2, Guidelines II.3: no piece is in the way of king or rook, and the king's way is not attacked. `put`
 * checks that the king is also safe after the rook has moved. */
static void castling_move(list *l, unsigned flags)
{
    const piece_list *b = l->board;
    unsigned us = b->status.side, king = b->square[PIECES * us];
    unsigned king_to = 56 * us + (flags == STAMMA_FLAG_KING_CASTLE ? 6 : 2);
    stamma_move move = stamma_move_make(king, king_to, flags);
    unsigned rook = castling_rook(&b->status, move), rook_to = castling_rook_to(move);
    if (rook == STAMMA_SQUARE_NONE || l->in_check)
        return;
    for (unsigned piece = 0; piece < NOBODY; piece++) {
        unsigned square = b->square[piece];
        if (square != king && square != rook && (within(square, king, king_to) || within(square, rook, rook_to)))
            return;
    }
    for (unsigned square = 56 * us; square < 56 * us + 8; square++) {
        if (!within(square, king, king_to))
            continue;
        view v = view_from(b, square);
        if (attacked(b, &v, us ^ 1))
            return;
    }
    put(l, PIECES * us, king_to, flags);
}

static void moves_by_type(list *l, unsigned piece)
{
    view v = view_from(l->board, l->board->square[piece]);
    switch (kind_of(l->board, piece)) {
    case STAMMA_PAWN: pawn_moves(l, &v, piece); break;
    case STAMMA_KNIGHT: piece_moves(l, &v, piece, JUMP, DIRECTIONS, 1); break;
    case STAMMA_BISHOP: piece_moves(l, &v, piece, DIAGONAL, JUMP, 7); break;
    case STAMMA_ROOK: piece_moves(l, &v, piece, NORTH, DIAGONAL, 7); break;
    case STAMMA_QUEEN: piece_moves(l, &v, piece, NORTH, JUMP, 7); break;
    default: piece_moves(l, &v, piece, NORTH, JUMP, 1); break;
    }
}

static size_t legal_moves(const void *state, stamma_move moves[STAMMA_MOVES_MAX])
{
    piece_list b = *(const piece_list *)state;
    unsigned us = b.status.side;
    list l = {&b, moves, 0, view_from(&b, b.square[PIECES * us]), false};
    l.in_check = attacked(&b, &l.from_king, us ^ 1);
    for (unsigned piece = PIECES * us; piece < PIECES * (us + 1); piece++)
        if (b.square[piece] != NOWHERE)
            moves_by_type(&l, piece);
    castling_move(&l, STAMMA_FLAG_KING_CASTLE);
    castling_move(&l, STAMMA_FLAG_QUEEN_CASTLE);
    return l.count;
}

const stamma_board stamma_board_piece_list = {
    .name = "piece-list",
    .description = "the squares of the pieces, and no board",
    .size = sizeof(piece_list),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
