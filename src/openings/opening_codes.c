/* SPDX-License-Identifier: MIT */
/* Finds the opening of a game from the codes of its moves (doc/format/archive.md, clause 5.2 and Annex B). The codes
 * are played on a simple board, which only computes targets and keys. Boards after the first STEP plies, 2 x STEP plies
 * and so on are cached, because many games begin with the same moves. The cache has a fixed size; new entries
 * overwrite old ones. */
#include "codec/codec.h"
#include "openings/openings.h"

enum { EMPTY = 12, STEP = 4, STEPS = 6, BEGINNINGS = 1024 };

/* Pieces are numbered as in stamma_key_pieces; EMPTY is an empty square. */
typedef struct opening_board {
    uint64_t key;        /* of pieces and side to move */
    uint64_t sums[2];    /* by colour: sums of bounds up to each rank */
    uint64_t rows[2][8]; /* by colour and rank: sums of bounds up to each file */
    uint8_t pieces[64];
    uint16_t found; /* the last opening so far, or 0 */
    uint16_t captures;
    uint64_t ahead[OPENING_WORDS]; /* sets of pawns that are still reachable: stamma_opening_pawns */
} opening_board;

typedef struct beginning {
    uint8_t codes[STEP * STEPS];
    size_t plies; /* a multiple of STEP; 0 in an unused entry */
    opening_board board;
} beginning;

/* ---- the board ---- */

/* Returns the bound of a piece in every byte. */
static uint64_t bounds_of(unsigned piece)
{
    static const uint8_t bounds[EMPTY + 1] = {
        BOUND_PAWN,   BOUND_KNIGHT, BOUND_BISHOP, BOUND_ROOK,  BOUND_QUEEN, BOUND_KING, BOUND_PAWN,
        BOUND_KNIGHT, BOUND_BISHOP, BOUND_ROOK,   BOUND_QUEEN, BOUND_KING,  0};
    return bounds[piece] * BYTE_ONES;
}

/* Puts a piece on an empty square. */
static void put(opening_board *b, unsigned piece, unsigned square)
{
    unsigned color = piece >= 6;
    b->pieces[square] = (uint8_t)piece;
    b->sums[color] += bounds_of(piece) << (square & 56);
    b->rows[color][square >> 3] += bounds_of(piece) << 8 * (square & 7);
    b->key ^= stamma_key_pieces[piece][square];
}

/* Removes a piece from an occupied square. */
static void lift(opening_board *b, unsigned square)
{
    unsigned piece = b->pieces[square], color = piece >= 6;
    b->pieces[square] = EMPTY;
    b->sums[color] -= bounds_of(piece) << (square & 56);
    b->rows[color][square >> 3] -= bounds_of(piece) << 8 * (square & 7);
    b->key ^= stamma_key_pieces[piece][square];
}

static void capture(opening_board *b, unsigned square)
{
    const uint64_t *ahead = stamma_opening_captures[++b->captures];
    lift(b, square);
    for (size_t n = 0; n < OPENING_WORDS; n++)
        b->ahead[n] &= ahead[n];
}

static void set_up(opening_board *b)
{
    stamma_position start = stamma_position_start();
    memset(b, 0, sizeof *b);
    memset(b->pieces, EMPTY, sizeof b->pieces);
    memcpy(b->ahead, stamma_opening_captures[0], sizeof b->ahead);
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
            for (uint64_t left = position_pieces(&start, color, type); left; left = bits_rest(left))
                put(b, type + 6 * color, bits_first(left));
}

static bool castle(opening_board *b, unsigned us, unsigned side)
{
    unsigned home = 56 * us, rook = home + (side == STAMMA_KING_SIDE ? 7 : 0);
    if (b->pieces[home + 4] != 6 * us + STAMMA_KING || b->pieces[rook] != 6 * us + STAMMA_ROOK)
        return false;
    lift(b, home + 4);
    lift(b, rook);
    put(b, 6 * us + STAMMA_KING, castling_king_to(us, side));
    put(b, 6 * us + STAMMA_ROOK, castling_rook_to(us, side));
    return true;
}

/* Plays castling and en passant. Returns false for promotions and for codes without a move. */
static STAMMA_NOINLINE bool play_rare(opening_board *b, unsigned us, stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), taken = (from & 56) | (to & 7);
    if (stamma_move_is_castling(move))
        return castle(b, us, castling_side(move));
    if (stamma_move_flags(move) != STAMMA_FLAG_CAPTURE || b->pieces[taken] != 6 * (us ^ 1) + STAMMA_PAWN)
        return false;
    capture(b, taken);
    lift(b, from);
    put(b, 6 * us + STAMMA_PAWN, to);
    return true;
}

/* Plays the move of a code without checking that it is legal. Returns false if this board cannot play the move. A
 * hot path. */
STAMMA_INLINE bool play(opening_board *b, unsigned us, unsigned code)
{
    uint64_t sums = b->sums[us], *rows = b->rows[us];
    if (STAMMA_UNLIKELY(code >= sums >> 56))
        return false;
    unsigned rank = first_above(sums, code, 56), rest = code - (unsigned)(sums << 8 >> rank & 255);
    uint64_t row = rows[rank >> 3];
    unsigned file = first_above(row, rest, 56), from = rank + (file >> 3), piece = b->pieces[from];
    stamma_move move = indexed_move(us, piece - 6 * us, from, rest - (unsigned)(row << 8 >> file & 255));
    unsigned to = stamma_move_to(move), taken = b->pieces[to], flags = stamma_move_flags(move);
    bool pawn_takes = piece == 6 * us && flags & STAMMA_FLAG_CAPTURE;
    b->key ^= stamma_key_black;
    if (STAMMA_UNLIKELY(from == to || flags & STAMMA_FLAG_PROMOTION || (pawn_takes && taken == EMPTY)))
        return play_rare(b, us, move);
    if (taken != EMPTY) {
        if (STAMMA_UNLIKELY(taken - 6 * us < 6))
            return false;
        capture(b, to);
    }
    for (size_t n = 0; n < OPENING_WORDS; n++)
        b->ahead[n] &= stamma_opening_pawns[from][n] & stamma_opening_pawns[to][n];
    uint64_t bound = bounds_of(piece), left = row - (bound << file), reached = (from ^ to) < 8 ? left : rows[to >> 3];
    rows[rank >> 3] = left;
    rows[to >> 3] = reached + (bound << 8 * (to & 7));
    b->sums[us] = sums - (bound << rank) + (bound << (to & 56));
    b->pieces[from] = EMPTY;
    b->pieces[to] = (uint8_t)piece;
    b->key ^= stamma_key_pieces[piece][from] ^ stamma_key_pieces[piece][to];
    return true;
}

typedef enum outcome { PLAYED, OVER, STUCK } outcome;

/* Plays codes of both sides. The number of codes played before must be even. Returns OVER if no opening can be reached
 * after these codes, or STUCK if a code cannot be played. Keys are looked up after all codes have been played, last key
 * first, because the processor cannot predict which keys are in the table. */
static outcome play_codes(opening_board *b, const uint8_t *codes, size_t count)
{
    uint64_t keys[OPENING_PLIES], likely = 0, ahead = 1;
    size_t n = 0;
    for (; n < count && ahead != 0; n++) {
        if (STAMMA_UNLIKELY(!play(b, n & 1, codes[n])))
            return STUCK;
        keys[n] = b->key;
        likely |= opening_may_have(b->key) << n;
        ahead = b->ahead[0];
        for (size_t word = 1; word < OPENING_WORDS; word++)
            ahead |= b->ahead[word];
    }
    for (unsigned found = 0; likely != 0 && found == 0; likely ^= UINT64_C(1) << bits_last(likely))
        if ((found = stamma_opening_with(keys[bits_last(likely)])) != 0)
            b->found = (uint16_t)found;
    return ahead != 0 ? PLAYED : OVER;
}

/* ---- beginnings ---- */

void stamma_openings_init(opening_finder *f, const stamma_allocator *allocator)
{
    *f = (opening_finder){allocator, NULL};
}

void stamma_openings_release(opening_finder *f)
{
    memory_release(f->allocator, f->beginnings);
    f->beginnings = NULL;
}

/* Returns the entry for a beginning. */
static beginning *place_of(const opening_finder *f, const uint8_t *codes, size_t plies)
{
    uint64_t hash = 0;
    for (size_t at = 0; at < plies; at += STEP)
        hash = (hash ^ load_u32(codes + at)) * UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / the golden ratio: Knuth 6.4 */
    return &f->beginnings[hash >> 54];
}

static bool is_at(const beginning *place, const uint8_t *codes, size_t plies)
{
    return place->plies == plies && memcmp(place->codes, codes, plies) == 0;
}

/* Returns the longest cached beginning, or NULL. *next becomes the entry for the next longer beginning, or NULL if
 * there is none to cache. */
static const beginning *find_beginning(const opening_finder *f, const uint8_t *codes, size_t count, beginning **next)
{
    const beginning *longest = NULL;
    *next = NULL;
    for (size_t plies = STEP; plies <= count && plies <= STEP * STEPS; plies += STEP) {
        beginning *place = place_of(f, codes, plies);
        if (!is_at(place, codes, plies)) {
            *next = place;
            break;
        }
        longest = place;
    }
    return longest;
}

static STAMMA_NOINLINE stamma_error find_slowly(const uint8_t *codes, size_t count, unsigned *number)
{
    stamma_position start = stamma_position_start();
    stamma_move moves[OPENING_PLIES];
    stamma_error error = stamma_byte_decode_moves(&start, codes, count, moves);
    *number = error == STAMMA_OK ? stamma_opening_find(moves, count) : 0;
    return error;
}

/* Plays the game from the longest cached beginning, and caches the next longer beginning. */
static outcome play_game(opening_finder *f, const uint8_t *codes, size_t count, opening_board *b)
{
    beginning *next;
    const beginning *from = find_beginning(f, codes, count, &next);
    size_t plies = from ? from->plies : 0;
    outcome how = PLAYED;
    if (from)
        *b = from->board;
    else
        set_up(b);
    if (next) {
        how = play_codes(b, codes + plies, STEP);
        plies += STEP;
        if (how != PLAYED)
            return how;
        memcpy(next->codes, codes, plies);
        next->plies = plies;
        next->board = *b;
    }
    return play_codes(b, codes + plies, count - plies);
}

stamma_error stamma_opening_of_codes(opening_finder *f, const uint8_t *codes, size_t count, unsigned *number)
{
    opening_board board;
    if (!f->beginnings) {
        f->beginnings = (beginning *)memory_allocate(f->allocator, BEGINNINGS * sizeof *f->beginnings);
        if (!f->beginnings)
            return STAMMA_ERROR_NO_MEMORY;
        memset(f->beginnings, 0, BEGINNINGS * sizeof *f->beginnings);
    }
    count = count < OPENING_PLIES ? count : OPENING_PLIES;
    if (STAMMA_UNLIKELY(play_game(f, codes, count, &board) == STUCK))
        return find_slowly(codes, count, number);
    *number = board.found;
    return STAMMA_OK;
}
