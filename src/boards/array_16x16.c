/* SPDX-License-Identifier: MIT */
/* array-16x16: a 16-wide array, numbered pieces, and tables of differences (Wikipedia).
 *
 *     F0   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .      The board is the lower left quarter, all
 *     ..   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .      the rest is guards: a1 = 00, b1 = 01, a2 = 10,
 *     80   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .      h8 = 77. The high digit is the rank, the
 *     70  a8 b8 c8 d8 e8 f8 g8 h8  .  .  .  .  .  .  .  .      low digit the file. A square is one byte,
 *     ..                           .  .  .  .  .  .  .  .      so a step off the array on one side
 *     10  a2 b2 c2 d2 e2 f2 g2 h2  .  .  .  .  .  .  .  .      arrives on the other side, among guards:
 *     00  a1 b1 c1 d1 e1 f1 g1 h1  .  .  .  .  .  .  .  .      no index is ever out of range.
 *
 * Two pairs of squares have the same difference, as a byte, only if their direction and distance are the same. A table
 * of 256 entries therefore maps a difference to the step along it and to the pieces that attack over it. With the list
 * of pieces, sixteen look-ups show whether a square is attacked. Pins, checks and moves that end a check are also found
 * by differences. */
#include "boards/boards.h"
#include "boards/conversions.h"

/* The array contains the numbers of pieces. The king is the first piece of each colour. */
enum { EMPTY = 0, WHITE_PIECES = 1, BLACK_PIECES = 17, GUARD = 33, NUMBERS = 34, PIECES = 16 };

/* Kinds of pieces, one bit each. No bit: the piece was captured, or never existed. */
enum { WHITE_PAWN = 1, BLACK_PAWN = 2, KNIGHT = 4, BISHOP = 8, ROOK = 16, QUEEN = 32, KING = 64 };

enum { NORTH = 0x10, EAST = 1, SOUTH = -NORTH, WEST = -EAST, OUTSIDE = 0x88 };

typedef struct status {
    uint8_t side;           /* stamma_color */
    uint8_t castling[2][2]; /* the rooks that may castle, as in stamma_position, or OUTSIDE */
    uint8_t en_passant;     /* or OUTSIDE */
    move_counts counts;
} status;

typedef struct array_16x16 {
    uint8_t number[256];     /* of the piece on each square, EMPTY or GUARD */
    uint8_t square[NUMBERS]; /* of each piece */
    uint8_t kind[NUMBERS];
    status status;
} array_16x16;

typedef struct undo {
    status status;
    uint8_t number; /* of the captured piece, or of the rook of a castling move; or EMPTY */
    uint8_t kind;
} undo;

STAMMA_BOARD_FITS(array_16x16, undo);

/* For a difference, target minus origin: the step along the line to the target, or 0 if there is none, and the kinds of
 * pieces that attack over it if no piece is between. Compilers warn about an element that is initialised twice. There
 * is no warning, which proves that no two pairs share a difference. */
typedef struct way {
    uint8_t step, kinds;
} way;

#define BY(difference, step, kinds) [(uint8_t)(difference)] = {(uint8_t)(step), (kinds)}
#define LINE(s, sliders, others)                                                                               \
    BY(s, s, (sliders) | (others)), BY(2 * (s), s, sliders), BY(3 * (s), s, sliders), BY(4 * (s), s, sliders), \
        BY(5 * (s), s, sliders), BY(6 * (s), s, sliders), BY(7 * (s), s, sliders)

/* clang-format off */
static const way ways[256] = {
    LINE(NORTH, ROOK | QUEEN, KING), LINE(SOUTH, ROOK | QUEEN, KING),
    LINE(EAST, ROOK | QUEEN, KING), LINE(WEST, ROOK | QUEEN, KING),
    LINE(NORTH + EAST, BISHOP | QUEEN, KING | WHITE_PAWN), LINE(NORTH + WEST, BISHOP | QUEEN, KING | WHITE_PAWN),
    LINE(SOUTH + EAST, BISHOP | QUEEN, KING | BLACK_PAWN), LINE(SOUTH + WEST, BISHOP | QUEEN, KING | BLACK_PAWN),
    BY(2 * NORTH + EAST, 0, KNIGHT), BY(2 * NORTH + WEST, 0, KNIGHT), BY(NORTH + 2 * EAST, 0, KNIGHT),
    BY(NORTH + 2 * WEST, 0, KNIGHT), BY(SOUTH + 2 * EAST, 0, KNIGHT), BY(SOUTH + 2 * WEST, 0, KNIGHT),
    BY(2 * SOUTH + EAST, 0, KNIGHT), BY(2 * SOUTH + WEST, 0, KNIGHT),
};
/* clang-format on */

static way way_to(uint8_t from, uint8_t to)
{
    return ways[(uint8_t)(to - from)];
}

/* ---- set-up ---- */

static uint8_t index_of(unsigned square)
{
    return (uint8_t)(square == STAMMA_SQUARE_NONE ? OUTSIDE : square + (square & 0x38));
}

static stamma_square square_of(uint8_t index)
{
    return (stamma_square)(index == OUTSIDE ? STAMMA_SQUARE_NONE : (index + (index & 7)) >> 1);
}

static uint8_t kind_of(unsigned type, unsigned color)
{
    return (uint8_t)(type == STAMMA_PAWN ? WHITE_PAWN << color : KNIGHT << (type - STAMMA_KNIGHT));
}

static unsigned type_of(uint8_t kind)
{
    unsigned type = STAMMA_PAWN;
    while (kind >= KNIGHT << type)
        type++;
    return type;
}

static uint8_t first_piece(unsigned color)
{
    return color == STAMMA_WHITE ? WHITE_PIECES : BLACK_PIECES;
}

static stamma_error set_up(const stamma_position *position, void *state)
{
    stamma_setup setup = stamma_position_setup(position);
    if (stamma_setup_problems(&setup))
        return STAMMA_ERROR_ILLEGAL;
    array_16x16 *b = state;
    memset(b, 0, sizeof *b);
    memset(b->number, GUARD, sizeof b->number);
    uint8_t next[2] = {WHITE_PIECES + 1, BLACK_PIECES + 1};
    for (unsigned square = 0; square < 64; square++) {
        unsigned color = setup.board[square] >> 3, type = setup.board[square] & 7;
        uint8_t number = EMPTY;
        if (type != STAMMA_PIECE_NONE) {
            number = type == STAMMA_KING ? first_piece(color) : next[color]++;
            b->square[number] = index_of(square);
            b->kind[number] = kind_of(type, color);
        }
        b->number[index_of(square)] = number;
    }
    b->status = (status){(uint8_t)setup.side, {{0}}, index_of(setup.en_passant), counts_of_setup(&setup)};
    for (unsigned n = 0; n < 4; n++)
        b->status.castling[n / 2][n % 2] = index_of(setup.castling[n / 2][n % 2]);
    return STAMMA_OK;
}

static stamma_error give_back(const void *state, stamma_position *position)
{
    const array_16x16 *b = state;
    stamma_setup setup;
    for (unsigned square = 0; square < 64; square++) {
        uint8_t number = b->number[index_of(square)];
        setup.board[square] = STAMMA_PIECE_NONE;
        if (number != EMPTY)
            setup.board[square] = (stamma_piece)(type_of(b->kind[number]) + (number >= BLACK_PIECES ? 8 : 0));
    }
    setup.side = b->status.side == STAMMA_WHITE ? STAMMA_WHITE : STAMMA_BLACK;
    for (unsigned n = 0; n < 4; n++)
        setup.castling[n / 2][n % 2] = square_of(b->status.castling[n / 2][n % 2]);
    setup.en_passant = square_of(b->status.en_passant);
    counts_to_setup(b->status.counts, &setup);
    return stamma_position_set_up(&setup, position);
}

/* ---- attacks ---- */

static bool attacks(const array_16x16 *b, uint8_t number, uint8_t target)
{
    uint8_t square = b->square[number];
    way w = way_to(square, target);
    if (!(w.kinds & b->kind[number]))
        return false;
    do
        square = (uint8_t)(square + w.step);
    while (w.step != 0 && square != target && b->number[square] == EMPTY);
    return w.step == 0 || square == target;
}

static bool attacked(const array_16x16 *b, uint8_t square, unsigned by)
{
    for (uint8_t n = 0; n < PIECES; n++)
        if (attacks(b, (uint8_t)(first_piece(by) + n), square))
            return true;
    return false;
}

/* ---- make and unmake ---- */

static uint8_t castling_rook(const status *s, stamma_move move)
{
    return s
        ->castling[s->side][stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE];
}

static uint8_t castling_rook_to(stamma_move move)
{
    uint8_t king_to = index_of(stamma_move_to(move));
    return (uint8_t)(stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? king_to + WEST : king_to + EAST);
}

/* Returns the square that a move empties in addition to its origin: the target, the square of the pawn captured en
 * passant, or the square of the castling rook. */
static uint8_t emptied_square(const status *s, stamma_move move)
{
    uint8_t to = index_of(stamma_move_to(move));
    if (stamma_move_is_castling(move))
        return castling_rook(s, move);
    if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT)
        return (uint8_t)(to + (s->side == STAMMA_WHITE ? SOUTH : NORTH));
    return to;
}

static void put_piece(array_16x16 *b, uint8_t number, uint8_t kind, uint8_t square)
{
    b->number[square] = number;
    b->square[number] = square;
    b->kind[number] = kind;
}

static void drop_rights(array_16x16 *b, uint8_t square)
{
    for (unsigned n = 0; n < 4; n++)
        if (b->status.castling[n / 2][n % 2] == square || b->square[first_piece(n / 2)] == square)
            b->status.castling[n / 2][n % 2] = OUTSIDE;
}

/* Removes all moving pieces before placing any, because in Chess960 king and rook may exchange squares. */
static void make(void *state, stamma_move move, void *undone)
{
    array_16x16 *b = state;
    status *s = &b->status;
    undo *u = undone;
    uint8_t from = index_of(stamma_move_from(move)), to = index_of(stamma_move_to(move));
    uint8_t emptied = emptied_square(s, move), number = b->number[from], kind = b->kind[number];
    *u = (undo){*s, b->number[emptied], b->kind[b->number[emptied]]};
    s->en_passant = (uint8_t)(stamma_move_flags(move) == STAMMA_FLAG_DOUBLE_PUSH ? (from + to) / 2 : OUTSIDE);
    count_move(&s->counts, s->side == STAMMA_BLACK, kind & (WHITE_PAWN | BLACK_PAWN) || stamma_move_is_capture(move));
    s->side ^= 1;
    drop_rights(b, from);
    drop_rights(b, emptied);
    b->kind[u->number] = 0;
    b->number[from] = b->number[emptied] = EMPTY;
    put_piece(b, number, stamma_move_is_promotion(move) ? kind_of(stamma_move_promotion(move), 0) : kind, to);
    if (stamma_move_is_castling(move))
        put_piece(b, u->number, ROOK, castling_rook_to(move));
}

static void unmake(void *state, stamma_move move, const void *undone)
{
    array_16x16 *b = state;
    const undo *u = undone;
    uint8_t to = index_of(stamma_move_to(move)), number = b->number[to];
    b->status = u->status;
    b->number[to] = EMPTY;
    if (stamma_move_is_castling(move))
        b->number[castling_rook_to(move)] = EMPTY;
    if (u->number != EMPTY)
        put_piece(b, u->number, u->kind, emptied_square(&b->status, move));
    put_piece(b, number, stamma_move_is_promotion(move) ? kind_of(STAMMA_PAWN, b->status.side) : b->kind[number],
              index_of(stamma_move_from(move)));
}

/* ---- the moves ---- */

/* The legal moves so far, and the facts that decide whether a move is legal. */
typedef struct list {
    const array_16x16 *board;
    stamma_move *moves;
    size_t count;
    uint8_t king;         /* the square of the king that moves */
    uint8_t checks;       /* number of pieces that give check */
    uint8_t checker;      /* the square of the last of these pieces */
    uint8_t line[2];      /* the steps from checking sliders to the king; 0: no slider */
    uint8_t pin[NUMBERS]; /* the step from a pinned piece to the king; 0: not pinned */
} list;

/* Looks from an enemy piece at the king. If the piece would attack the king on an empty board, it gives check, or pins
 * the only piece between if that belongs to the king's side. */
static void look_at_king(list *l, uint8_t enemy)
{
    const array_16x16 *b = l->board;
    uint8_t from = b->square[enemy], shield = EMPTY;
    way w = way_to(from, l->king);
    if (!(w.kinds & b->kind[enemy]))
        return;
    for (uint8_t square = (uint8_t)(from + w.step); w.step && square != l->king; square = (uint8_t)(square + w.step)) {
        if (b->number[square] != EMPTY && shield != EMPTY)
            return;
        shield |= b->number[square];
    }
    if (shield != EMPTY) {
        l->pin[shield] = w.step;
    } else {
        l->checker = from;
        l->line[l->checks++ & 1] = b->kind[enemy] & (BISHOP | ROOK | QUEEN) ? w.step : 0;
    }
}

/* Returns whether a square is the square of the only checker, or is between it and the king. */
static bool meets_check(const list *l, uint8_t square)
{
    uint8_t step = l->line[0];
    return square == l->checker ||
           (step && way_to(l->checker, square).step == step && way_to(square, l->king).step == step);
}

static void add(list *l, uint8_t from, uint8_t to, unsigned flags)
{
    l->moves[l->count++] = stamma_move_make(square_of(from), square_of(to), flags);
}

/* Adds a move of a piece that is not the king, if neither pin nor check forbids it. */
static void put(list *l, uint8_t from, uint8_t to, unsigned flags)
{
    uint8_t pin = l->pin[l->board->number[from]];
    if ((pin == 0 || way_to(to, l->king).step == pin) && (l->checks == 0 || meets_check(l, to)))
        add(l, from, to, flags);
}

/* Adds a move of more than one piece if the king is safe after it. */
static void put_tried(list *l, uint8_t from, uint8_t to, unsigned flags)
{
    array_16x16 after = *l->board;
    undo u;
    make(&after, stamma_move_make(square_of(from), square_of(to), flags), &u);
    if (!attacked(&after, after.square[first_piece(l->board->status.side)], after.status.side))
        add(l, from, to, flags);
}

static bool is_enemy(const list *l, uint8_t square)
{
    return (uint8_t)(l->board->number[square] - first_piece(l->board->status.side ^ 1u)) < PIECES;
}

/* Steps as bytes, modulo 256: north, east, south, west, then the diagonals; and the knight's. */
static const uint8_t lines[8] = {0x10, 0x01, 0xF0, 0xFF, 0x11, 0x0F, 0xF1, 0xEF};
static const uint8_t jumps[8] = {0x21, 0x1F, 0x12, 0x0E, 0xF2, 0xEE, 0xE1, 0xDF};

static void piece_moves(list *l, uint8_t from, const uint8_t *step, unsigned count, bool slides)
{
    for (; count > 0; count--, step++) {
        uint8_t to = (uint8_t)(from + *step);
        while (l->board->number[to] == EMPTY) {
            put(l, from, to, STAMMA_FLAG_QUIET);
            if (!slides)
                break;
            to = (uint8_t)(to + *step);
        }
        if (is_enemy(l, to))
            put(l, from, to, STAMMA_FLAG_CAPTURE);
    }
}

static void put_pawn(list *l, uint8_t from, uint8_t to, unsigned flags)
{
    if (to >= 0x10 && to < 0x70)
        put(l, from, to, flags);
    else
        for (unsigned promotion = STAMMA_FLAG_PROMOTE_KNIGHT; promotion <= STAMMA_FLAG_PROMOTE_QUEEN; promotion++)
            put(l, from, to, flags | promotion);
}

static void pawn_moves(list *l, uint8_t from)
{
    const array_16x16 *b = l->board;
    bool white = b->status.side == STAMMA_WHITE;
    int forward = white ? NORTH : SOUTH;
    uint8_t ahead = (uint8_t)(from + forward), twice = (uint8_t)(ahead + forward);
    if (b->number[ahead] == EMPTY) {
        put_pawn(l, from, ahead, STAMMA_FLAG_QUIET);
        if (from >> 4 == (white ? 1 : 6) && b->number[twice] == EMPTY)
            put(l, from, twice, STAMMA_FLAG_DOUBLE_PUSH);
    }
    for (int aside = WEST; aside <= EAST; aside += EAST - WEST) {
        uint8_t to = (uint8_t)(ahead + aside);
        if (is_enemy(l, to))
            put_pawn(l, from, to, STAMMA_FLAG_CAPTURE);
        else if (to == b->status.en_passant)
            put_tried(l, from, to, STAMMA_FLAG_EN_PASSANT);
    }
}

/* A step away from a checking slider on its line is illegal: only the king itself shields the target square. */
static void king_moves(list *l)
{
    const array_16x16 *b = l->board;
    for (const uint8_t *step = lines; step < lines + 8; step++) {
        uint8_t to = (uint8_t)(l->king + *step);
        if (*step == l->line[0] || *step == l->line[1] || (b->number[to] != EMPTY && !is_enemy(l, to)))
            continue;
        if (!attacked(b, to, b->status.side ^ 1u))
            add(l, l->king, to, b->number[to] == EMPTY ? STAMMA_FLAG_QUIET : STAMMA_FLAG_CAPTURE);
    }
}

/* FIDE Laws 3.8.2, Guidelines II.3: no other piece is in the way of king and rook, and the king's way is not
 * attacked. */
static void castling_move(list *l, unsigned flags)
{
    const array_16x16 *b = l->board;
    uint8_t first = b->status.side == STAMMA_WHITE ? 0x00 : 0x70;
    uint8_t king_to = (uint8_t)(first + (flags == STAMMA_FLAG_KING_CASTLE ? 6 : 2));
    stamma_move move = stamma_move_make(square_of(l->king), square_of(king_to), flags);
    uint8_t rook = castling_rook(&b->status, move), rook_to = castling_rook_to(move);
    if (rook == OUTSIDE)
        return;
    for (uint8_t square = first; square < first + 8; square++) {
        bool on_kings_way = within(square, l->king, king_to), on_way = on_kings_way || within(square, rook, rook_to);
        if (on_way && b->number[square] != EMPTY && square != l->king && square != rook)
            return;
        if (on_kings_way && attacked(b, square, b->status.side ^ 1u))
            return;
    }
    put_tried(l, l->king, king_to, flags);
}

static void moves_by_type(list *l, uint8_t number)
{
    uint8_t from = l->board->square[number];
    switch (l->board->kind[number]) {
    case WHITE_PAWN:
    case BLACK_PAWN: pawn_moves(l, from); break;
    case KNIGHT: piece_moves(l, from, jumps, 8, false); break;
    case BISHOP: piece_moves(l, from, lines + 4, 4, true); break;
    case ROOK: piece_moves(l, from, lines, 4, true); break;
    case QUEEN: piece_moves(l, from, lines, 8, true); break;
    default: break;
    }
}

static size_t legal_moves(const void *state, stamma_move moves[STAMMA_MOVES_MAX])
{
    const array_16x16 *b = state;
    uint8_t own = first_piece(b->status.side), enemy = first_piece(b->status.side ^ 1u);
    list l = {b, moves, 0, b->square[own], 0, OUTSIDE, {0}, {0}};
    for (uint8_t n = 0; n < PIECES; n++)
        look_at_king(&l, (uint8_t)(enemy + n));
    king_moves(&l);
    for (uint8_t n = 1; n < PIECES && l.checks < 2; n++)
        moves_by_type(&l, (uint8_t)(own + n));
    castling_move(&l, STAMMA_FLAG_KING_CASTLE);
    castling_move(&l, STAMMA_FLAG_QUEEN_CASTLE);
    return l.count;
}

const stamma_board stamma_board_array_16x16 = {
    .name = "array-16x16",
    .description = "a 16-wide array, numbered pieces, tables of differences",
    .size = sizeof(array_16x16),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
