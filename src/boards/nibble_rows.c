/* SPDX-License-Identifier: MIT */
/* nibble-rows: four bits for each square, a rank in 32 bits, everything in nine words (Wikipedia).
 *
 *     row[7]   FABEDBAF   h8 on the left, a8 on the right          1 pawn     2 knight   3 bishop   4 rook
 *     row[6]   99999999                                            5 queen    6 king     7 rook that may castle
 *     ...                 row[2] to row[5] are 0 at the start
 *     row[1]   11111111                                            + 8 for Black; 0 is an empty square, and 8 the
 *     row[0]   72365327                                            pawn, of either colour, that has just made a
 *     state    00010000   turn, side and clock                     double push
 *
 * Twelve pieces and the empty square use thirteen of the sixteen nibbles. The other three store the castling rights and
 * the en passant square on the board. A complete position is therefore eight words and a ninth for the rest. It fits in
 * registers, and unmaking a move restores a copy. Facts about a rank are arithmetic on one word.
 *
 * Moves are generated as in early machine code: the piece selects a routine from a table, and piece and square select a
 * precomputed list of all squares that it can reach (nibble_lists.c). The lists contain no moves off the board, so the
 * edge is not checked. */
#include "boards/boards.h"

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, CASTLE_ROOK, BLACK = 8, PUSHED_PAWN = 8 };

/* The state word. */
enum { CLOCK_MAX = 0x7FFF, BLACK_TO_MOVE = 0x8000, TURN_SHIFT = 16 };

typedef struct nibble_rows {
    uint32_t row[8]; /* from White's side; file a in the lowest four bits */
    uint32_t state;  /* clock in bits 0-14, side in bit 15, turn number in bits 16-31 */
} nibble_rows;

STAMMA_BOARD_FITS(nibble_rows, nibble_rows);

/* ---- nibbles ---- */

static unsigned piece_at(const nibble_rows *b, unsigned square)
{
    return b->row[square / 8] >> 4 * (square % 8) & 15;
}

static void put_piece(nibble_rows *b, unsigned square, unsigned piece)
{
    b->row[square / 8] ^= (uint32_t)(piece_at(b, square) ^ piece) << 4 * (square % 8);
}

/* Returns bit 3 of every nibble that equals `piece`. No sum of seven and at most seven carries into the next nibble. */
static uint32_t matches(uint32_t row, unsigned piece)
{
    uint32_t rest = row ^ (piece * 0x11111111u);
    return ~(((rest & 0x77777777u) + 0x77777777u) | rest) & 0x88888888u;
}

/* Returns the file of the first nibble that has a bit in a set. */
static unsigned file_of(uint32_t set)
{
    return bits_first(set) / 4;
}

/* Returns all bits of the nibbles from one file to another, in either order. */
static uint32_t span(unsigned from, unsigned to)
{
    return UINT32_MAX << 4 * (from < to ? from : to) & UINT32_MAX >> 4 * (7 - (from < to ? to : from));
}

static unsigned side_of(const nibble_rows *b)
{
    return b->state & BLACK_TO_MOVE ? STAMMA_BLACK : STAMMA_WHITE;
}

/* Returns the square of a king. Every legal position has both kings. */
static unsigned king_of(const nibble_rows *b, unsigned color)
{
    unsigned rank = 0;
    while (rank < 7 && !matches(b->row[rank], KING + BLACK * color))
        rank++;
    return 8 * rank + file_of(matches(b->row[rank], KING + BLACK * color) | 1u << 31);
}

/* Returns the file of the rook that may castle with the king on `king`, towards h or a; 8 if there is none. */
static unsigned castling_rook(const nibble_rows *b, unsigned king, bool king_side)
{
    uint32_t rooks = matches(b->row[king / 8], CASTLE_ROOK + BLACK * side_of(b));
    rooks &= king_side ? span(king % 8, 7) : span(0, king % 8);
    return rooks ? file_of(rooks) : 8;
}

/* Replaces the pawn that has just made a double push by a plain pawn. Returns the square behind the pawn, or NONE. */
static unsigned settle_pawn(nibble_rows *b)
{
    unsigned enemy = side_of(b) ^ 1, rank = enemy ? 4 : 3;
    uint32_t pushed = matches(b->row[rank], PUSHED_PAWN);
    if (!pushed)
        return STAMMA_SQUARE_NONE;
    unsigned square = 8 * rank + file_of(pushed);
    put_piece(b, square, PAWN + BLACK * enemy);
    return enemy ? square + 8 : square - 8;
}

/* ---- set-up ---- */

static stamma_error set_up(const stamma_position *position, void *state)
{
    stamma_setup setup = stamma_position_setup(position);
    if (stamma_setup_problems(&setup))
        return STAMMA_ERROR_ILLEGAL;
    if (setup.halfmove_clock > CLOCK_MAX)
        return STAMMA_ERROR_UNSUPPORTED;
    nibble_rows *b = state;
    memset(b, 0, sizeof *b);
    b->state = setup.halfmove_clock | (uint32_t)setup.fullmove_number << TURN_SHIFT;
    b->state |= setup.side == STAMMA_BLACK ? BLACK_TO_MOVE : 0u;
    for (unsigned square = 0; square < 64; square++)
        if (setup.board[square] != STAMMA_PIECE_NONE)
            put_piece(b, square, setup.board[square] + 1u);
    for (unsigned n = 0; n < 4; n++)
        if (setup.castling[n / 2][n % 2] != STAMMA_SQUARE_NONE)
            put_piece(b, setup.castling[n / 2][n % 2], CASTLE_ROOK + BLACK * (n / 2));
    if (setup.en_passant != STAMMA_SQUARE_NONE)
        put_piece(b, setup.side == STAMMA_WHITE ? setup.en_passant - 8u : setup.en_passant + 8u, PUSHED_PAWN);
    return STAMMA_OK;
}

static stamma_error give_back(const void *state, stamma_position *position)
{
    nibble_rows b = *(const nibble_rows *)state;
    stamma_setup setup;
    setup.en_passant = (stamma_square)settle_pawn(&b);
    memset(setup.castling, STAMMA_SQUARE_NONE, sizeof setup.castling);
    for (unsigned square = 0; square < 64; square++) {
        unsigned piece = piece_at(&b, square), color = piece / BLACK;
        if (piece % BLACK == CASTLE_ROOK) {
            unsigned side = square > king_of(&b, color) ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE;
            setup.castling[color][side] = (stamma_square)square;
            piece = ROOK + BLACK * color;
        }
        setup.board[square] = (stamma_piece)(piece == EMPTY ? STAMMA_PIECE_NONE : piece - 1);
    }
    setup.side = side_of(&b) ? STAMMA_BLACK : STAMMA_WHITE;
    setup.halfmove_clock = (uint16_t)(b.state & CLOCK_MAX);
    setup.fullmove_number = (uint16_t)(b.state >> TURN_SHIFT);
    return stamma_position_set_up(&setup, position);
}

/* ---- attacks ---- */

/* The list of a piece on a square: rays with squares from near to far; the last of each ray has the bit LAST. */
enum { LAST = 0x40, END = 0x80 };

static const uint8_t *list_of(unsigned piece, unsigned square)
{
    return stamma_nibble_lists + stamma_nibble_starts[piece][square];
}

/* Returns whether the first piece that `piece` would reach from a square on one of its rays is in a set of pieces. The
 * set has a bit for each nibble. */
static bool meets(const nibble_rows *b, unsigned piece, unsigned square, unsigned set)
{
    for (const uint8_t *to = list_of(piece, square); *to != END; to++) {
        unsigned met = piece_at(b, *to & 63);
        if (set >> met & 1)
            return true;
        while (met != EMPTY && !(*to & LAST))
            to++;
    }
    return false;
}

/* Returns whether a colour attacks a square. Looks for attackers by moving from the square like each kind of piece. */
static bool attacked(const nibble_rows *b, unsigned square, unsigned by)
{
    unsigned shift = BLACK * by;
    return meets(b, KNIGHT, square, 1u << KNIGHT << shift) ||
           meets(b, ROOK, square, (1u << ROOK | 1u << CASTLE_ROOK | 1u << QUEEN) << shift) ||
           meets(b, BISHOP, square, (1u << BISHOP | 1u << QUEEN) << shift) ||
           meets(b, PAWN + BLACK * (by ^ 1), square, 1u << PAWN << shift) ||
           meets(b, KING, square, 1u << KING << shift);
}

/* ---- make and unmake ---- */

static void count_move(nibble_rows *b, bool resets_clock)
{
    if (resets_clock)
        b->state &= ~(uint32_t)CLOCK_MAX;
    else if ((b->state & CLOCK_MAX) < CLOCK_MAX)
        b->state++;
    if (b->state & BLACK_TO_MOVE && b->state >> TURN_SHIFT < UINT16_MAX)
        b->state += 1u << TURN_SHIFT;
    b->state ^= BLACK_TO_MOVE;
}

/* Removes king and rook before placing either, because in Chess960 they may exchange squares. */
static void castle(nibble_rows *b, unsigned king, bool king_side)
{
    unsigned first = king & 56, rook = castling_rook(b, king, king_side), shift = BLACK * side_of(b);
    put_piece(b, king, EMPTY);
    put_piece(b, first + rook % 8, EMPTY);
    put_piece(b, first + (king_side ? 6 : 2), KING + shift);
    put_piece(b, first + (king_side ? 5 : 3), ROOK + shift);
}

/* Ends castling rights after a king move: both rooks become plain rooks. A right also ends when its rook moves or is
 * captured. */
static void drop_rights(nibble_rows *b)
{
    uint32_t *first = &b->row[side_of(b) ? 7 : 0], rooks = matches(*first, CASTLE_ROOK + BLACK * side_of(b)) >> 3;
    *first -= rooks * (CASTLE_ROOK - ROOK);
}

static void make(void *state, stamma_move move, void *undone)
{
    nibble_rows *b = state;
    memcpy(undone, b, sizeof *b);
    settle_pawn(b);
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), flags = stamma_move_flags(move);
    unsigned piece = piece_at(b, from), color = BLACK * side_of(b), kind = piece - color;
    if (stamma_move_is_castling(move)) {
        castle(b, from, flags == STAMMA_FLAG_KING_CASTLE);
    } else {
        if (flags == STAMMA_FLAG_EN_PASSANT)
            put_piece(b, (from & 56) | (to & 7), EMPTY);
        if (flags == STAMMA_FLAG_DOUBLE_PUSH)
            piece = PUSHED_PAWN;
        else if (flags & STAMMA_FLAG_PROMOTION)
            piece = stamma_move_promotion(move) + 1 + color;
        else if (kind == CASTLE_ROOK)
            piece = ROOK + color;
        put_piece(b, from, EMPTY);
        put_piece(b, to, piece);
    }
    if (kind == KING)
        drop_rights(b);
    count_move(b, kind == PAWN || stamma_move_is_capture(move));
}

static void unmake(void *state, stamma_move move, const void *undone)
{
    (void)move;
    memcpy(state, undone, sizeof(nibble_rows));
}

/* ---- the moves ---- */

/* The legal moves so far, of a board whose pushed pawn is a plain pawn. */
typedef struct list {
    const nibble_rows *board;
    stamma_move *moves;
    size_t count;
    unsigned side, king, en_passant;
} list;

/* Adds a move if the king is safe after it, on a copy of the board. */
static void put(list *l, unsigned from, unsigned to, unsigned flags)
{
    nibble_rows after = *l->board, before;
    stamma_move move = stamma_move_make(from, to, flags);
    make(&after, move, &before);
    if (!attacked(&after, from == l->king ? to : l->king, l->side ^ 1))
        l->moves[l->count++] = move;
}

static bool is_enemy(const list *l, unsigned piece)
{
    return piece != EMPTY && piece / BLACK != l->side;
}

/* The routines of the jump table. */
static void no_moves(list *l, unsigned from)
{
    (void)l, (void)from;
}

static void piece_moves(list *l, unsigned from)
{
    for (const uint8_t *to = list_of(piece_at(l->board, from), from); *to != END; to++) {
        unsigned met = piece_at(l->board, *to & 63);
        if (met == EMPTY) {
            put(l, from, *to & 63, STAMMA_FLAG_QUIET);
            continue;
        }
        if (is_enemy(l, met))
            put(l, from, *to & 63, STAMMA_FLAG_CAPTURE);
        while (!(*to & LAST))
            to++;
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
    unsigned forward = l->side ? 0u - 8 : 8, start = l->side ? 6 : 1;
    if (piece_at(l->board, from + forward) == EMPTY) {
        put_pawn(l, from, from + forward, STAMMA_FLAG_QUIET);
        if (from / 8 == start && piece_at(l->board, from + 2 * forward) == EMPTY)
            put(l, from, from + 2 * forward, STAMMA_FLAG_DOUBLE_PUSH);
    }
    for (const uint8_t *to = list_of(piece_at(l->board, from), from); *to != END; to++)
        if (is_enemy(l, piece_at(l->board, *to & 63)))
            put_pawn(l, from, *to & 63, STAMMA_FLAG_CAPTURE);
        else if ((*to & 63) == l->en_passant)
            put(l, from, *to & 63, STAMMA_FLAG_EN_PASSANT);
}

/* The ways of king and rook are spans of one word (FIDE Laws 3.8.2, Guidelines II.3). `put` checks that the king is
 * also safe after the rook has moved. */
static void castling_move(list *l, bool king_side)
{
    unsigned rank = l->king / 8, king = l->king % 8, rook = castling_rook(l->board, l->king, king_side);
    unsigned king_to = king_side ? 6 : 2, rook_to = king_side ? 5 : 3;
    if (rook == 8)
        return;
    uint32_t ways = (span(king, king_to) | span(rook, rook_to)) & ~span(king, king) & ~span(rook, rook);
    if (l->board->row[rank] & ways)
        return;
    for (unsigned file = king < king_to ? king : king_to; file <= (king < king_to ? king_to : king); file++)
        if (attacked(l->board, 8 * rank + file, l->side ^ 1))
            return;
    put(l, l->king, 8 * rank + king_to, king_side ? STAMMA_FLAG_KING_CASTLE : STAMMA_FLAG_QUEEN_CASTLE);
}

typedef void routine(list *l, unsigned from);

/* By nibble. */
static routine *const jump[16] = {
    no_moves, pawn_moves, piece_moves, piece_moves, piece_moves, piece_moves, piece_moves, piece_moves,
    no_moves, pawn_moves, piece_moves, piece_moves, piece_moves, piece_moves, piece_moves, piece_moves,
};

static size_t legal_moves(const void *state, stamma_move moves[STAMMA_MOVES_MAX])
{
    nibble_rows b = *(const nibble_rows *)state;
    unsigned side = side_of(&b), en_passant = settle_pawn(&b);
    list l = {&b, moves, 0, side, king_of(&b, side), en_passant};
    for (unsigned rank = 0; rank < 8; rank++) {
        uint32_t black = (b.row[rank] >> 3 & 0x11111111u) * 15, own = b.row[rank] & (side ? black : ~black);
        for (unsigned square = 8 * rank; own; own >>= 4, square++)
            jump[own & 15](&l, square);
    }
    castling_move(&l, true);
    castling_move(&l, false);
    return l.count;
}

const stamma_board stamma_board_nibble_rows = {
    .name = "nibble-rows",
    .description = "four bits a square, a rank in 32 bits",
    .size = sizeof(nibble_rows),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
