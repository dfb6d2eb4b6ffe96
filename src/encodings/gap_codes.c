/* SPDX-License-Identifier: MIT */
/* `gap-codes`: `legal-index-bits`, but codes that no move has represent sequences of moves (Forster 2015, "One Move in
 * 4 Bits"). In a position with n legal moves a code has ceil(log2 n) bits. The codes from n on represent the sequences
 * of the following list that are usable in the position, in this order:
 *
 *   O-O O-O    PxP PxP    RxR RxR    h6, a6, h3, a3, each followed by BxN and a recapture there    lines of the book
 *
 * A sequence is usable if each step matches exactly one legal move. "PxP" means that only one pawn can capture a pawn,
 * en passant included. "h6" is a pawn's push. A line of the book is usable in games from the initial position whose
 * moves so far are the first moves of the line. The book is in book_lines.c. Writers use the longest sequence that
 * matches the game's next moves. */
#include "encodings/encodings.h"

enum { SEQUENCE_MAX = BOOK_LINE_MAX, PATTERNS = 7 };

/* ---- steps: the only legal move of a kind, or STAMMA_MOVE_NULL ---- */

static stamma_move castles(const stamma_position *p)
{
    if (!stamma_position_can_castle(p, STAMMA_KING_SIDE))
        return STAMMA_MOVE_NULL;
    return stamma_move_make(position_king(p, p->side), castling_king_to(p->side, STAMMA_KING_SIDE),
                            STAMMA_FLAG_KING_CASTLE);
}

/* Returns the pieces of a type that a piece attacks. Pawns capture pawns; the en passant square represents its pawn. */
static uint64_t takes_from(const stamma_position *p, unsigned type, unsigned taken, unsigned from)
{
    uint64_t pieces = position_pieces(p, p->side ^ 1u, taken);
    if (type != STAMMA_PAWN)
        return piece_attacks(type, from, position_occupied(p)) & pieces;
    return pawn_attacks(p->side, from) & (pieces | square_bit_or_none(p->en_passant));
}

static stamma_move takes(const stamma_position *p, unsigned type, unsigned taken)
{
    stamma_move only = STAMMA_MOVE_NULL;
    for (uint64_t pieces = position_pieces(p, p->side, type); pieces; pieces = bits_rest(pieces))
        for (uint64_t to = takes_from(p, type, taken, bits_first(pieces)); to; to = bits_rest(to)) {
            bool passing = type == STAMMA_PAWN && bits_first(to) == p->en_passant;
            stamma_move move = stamma_move_make(bits_first(pieces), bits_first(to),
                                                passing ? STAMMA_FLAG_EN_PASSANT : STAMMA_FLAG_CAPTURE);
            if (!stamma_move_is_legal(p, move))
                continue;
            if (only != STAMMA_MOVE_NULL)
                return STAMMA_MOVE_NULL;
            only = move;
        }
    return only;
}

/* Returns the pawn push to a square of the third or sixth rank. */
static stamma_move pushes(const stamma_position *p, unsigned square)
{
    unsigned origin = p->side == STAMMA_WHITE ? square - 8 : square + 8;
    stamma_move push = stamma_move_make(origin, square, STAMMA_FLAG_QUIET);
    bool is_pawn = position_pieces(p, p->side, STAMMA_PAWN) & square_bit(origin);
    return is_pawn && stamma_move_is_legal(p, push) ? push : STAMMA_MOVE_NULL;
}

static stamma_move retakes(const stamma_position *p, unsigned square)
{
    move_sets sets;
    stamma_move_sets_legal(p, &sets);
    size_t found = sets.moves, count = 0;
    for (unsigned piece = 0; piece < sets.pieces; piece++)
        if (sets.of[piece].targets >> square & 1) {
            count += sets.of[piece].times;
            found = sets.of[piece].before + bits_count(sets.of[piece].targets & squares_before(square));
        }
    return count == 1 ? stamma_move_sets_at(&sets, p, found) : STAMMA_MOVE_NULL;
}

/* ---- patterns ---- */

/* Targets of the pushes of patterns 3 to 6. */
static const uint8_t push_squares[PATTERNS] = {0, 0, 0, 47, 40, 23, 16}; /* h6 a6 h3 a3 */

static stamma_move pattern_step(const stamma_position *p, unsigned pattern, unsigned step, stamma_move before)
{
    switch (pattern) {
    case 0: return castles(p);
    case 1: return takes(p, STAMMA_PAWN, STAMMA_PAWN);
    case 2: return takes(p, STAMMA_ROOK, STAMMA_ROOK);
    default:
        return step == 0   ? pushes(p, push_squares[pattern])
               : step == 1 ? takes(p, STAMMA_BISHOP, STAMMA_KNIGHT)
                           : retakes(p, stamma_move_to(before));
    }
}

/* Stores the moves of a pattern and returns their number; 0 if the pattern is not usable. */
static size_t pattern_moves(const stamma_position *position, unsigned pattern, stamma_move moves[SEQUENCE_MAX])
{
    stamma_position p = *position;
    unsigned steps = pattern < 3 ? 2 : 3;
    stamma_move move = STAMMA_MOVE_NULL;
    for (unsigned step = 0; step < steps; step++) {
        move = pattern_step(&p, pattern, step, move);
        if (move == STAMMA_MOVE_NULL)
            return 0;
        moves[step] = move;
        if (step + 1 < steps)
            stamma_position_make(&p, move, &p);
    }
    return steps;
}

/* ---- sequences at a point in a game ---- */

typedef struct place {
    stamma_position position;
    const stamma_move *moves; /* the game's moves, from its start */
    size_t ply;
    bool from_initial;
} place;

static place place_of_start(const stamma_position *start, const stamma_move *moves)
{
    stamma_position initial = stamma_position_start();
    place at = {*start, moves, 0, stamma_position_equal(start, &initial)};
    return at;
}

static void go_on(place *at, size_t plies)
{
    for (; plies > 0; plies--)
        stamma_position_make(&at->position, at->moves[at->ply++], &at->position);
}

/* Returns the number of sequences at this point, usable or not. */
static size_t sequences(const place *at)
{
    if (!at->from_initial || at->ply >= BOOK_PLIES)
        return PATTERNS;
    return (size_t)PATTERNS + stamma_book_first[at->ply + 1] - stamma_book_first[at->ply];
}

/* Stores the moves of a sequence and returns their number; 0 if the sequence is not usable. */
static size_t sequence_moves(const place *at, size_t number, stamma_move moves[SEQUENCE_MAX])
{
    if (number < PATTERNS)
        return pattern_moves(&at->position, (unsigned)number, moves);
    const book_line *line = &stamma_book_lines[stamma_book_first[at->ply] + number - PATTERNS];
    if (memcmp(line->moves, at->moves, at->ply * sizeof *moves) != 0)
        return 0;
    memcpy(moves, line->moves + at->ply, (line->plies - at->ply) * sizeof *moves);
    return line->plies - at->ply;
}

static size_t gaps(size_t legal_moves)
{
    return ((size_t)1 << bits_for(legal_moves)) - legal_moves;
}

/* Returns the length of the longest usable sequence that matches the game's next moves, or 0 if there is none. *gap
 * becomes its number. */
static size_t longest(const place *at, size_t room, size_t plies, size_t *gap)
{
    size_t best = 0, usable = 0, count = sequences(at);
    for (size_t n = 0; n < count && usable < room; n++) {
        stamma_move moves[SEQUENCE_MAX];
        size_t size = sequence_moves(at, n, moves);
        if (size > best && size <= plies - at->ply && memcmp(moves, at->moves + at->ply, size * sizeof *moves) == 0) {
            best = size;
            *gap = usable;
        }
        usable += size != 0;
    }
    return best;
}

/* Stores the moves of a usable sequence and returns their number; 0 if there is no such sequence. */
static size_t usable_moves(const place *at, size_t gap, stamma_move moves[SEQUENCE_MAX])
{
    size_t count = sequences(at);
    for (size_t n = 0; n < count; n++) {
        size_t size = sequence_moves(at, n, moves);
        if (size != 0 && gap-- == 0)
            return size;
    }
    return 0;
}

/* ---- games ---- */

/* A code and the number of moves that it represents. A null move has no bits. */
typedef struct token {
    size_t value, plies;
    unsigned bits;
} token;

/* Finds the next code of the game. Returns ILLEGAL if the next move is illegal. */
static stamma_error next_token(const place *at, size_t plies, token *t)
{
    stamma_move move = at->moves[at->ply];
    token found = {0, 1, 0};
    if (move == STAMMA_MOVE_NULL) {
        *t = found;
        return stamma_position_in_check(&at->position) ? STAMMA_ERROR_ILLEGAL : STAMMA_OK;
    }
    if (!stamma_move_is_legal(&at->position, move))
        return STAMMA_ERROR_ILLEGAL;
    const size_t count = stamma_legal_moves_count(&at->position);
    size_t gap = 0, size = longest(at, gaps(count), plies, &gap);
    found.bits = bits_for(count);
    found.value = size != 0 ? count + gap : stamma_legal_index(&at->position, move);
    found.plies = size != 0 ? size : 1;
    *t = found;
    return STAMMA_OK;
}

static stamma_error write_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                               size_t plies, bit_writer *out)
{
    (void)codec;
    token t;
    for (place at = place_of_start(start, moves); at.ply < plies; go_on(&at, t.plies)) {
        stamma_error error = next_token(&at, plies, &t);
        if (error != STAMMA_OK)
            return error;
        stamma_bits_write(out, t.value, t.bits);
    }
    return STAMMA_OK;
}

/* Reads one code and appends its moves to the game. Returns CORRUPT if the code has no moves. */
static stamma_error read_token(place *at, bit_reader *in, stamma_move *moves, size_t plies)
{
    stamma_move sequence[SEQUENCE_MAX] = {STAMMA_MOVE_NULL};
    size_t size = 1;
    if (moves[at->ply] == STAMMA_MOVE_NULL) {
        bool in_check = stamma_position_in_check(&at->position);
        go_on(at, 1);
        return in_check ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
    }
    const size_t count = stamma_legal_moves_count(&at->position);
    const size_t index = (size_t)stamma_bits_read(in, bits_for(count));
    if (in->failed || count == 0)
        return STAMMA_ERROR_CORRUPT;
    if (index < count)
        sequence[0] = stamma_legal_move_at(&at->position, index);
    else
        size = usable_moves(at, index - count, sequence);
    if (size == 0 || size > plies - at->ply)
        return STAMMA_ERROR_CORRUPT;
    for (size_t n = 0; n < size; n++) {
        if (moves[at->ply + n] == STAMMA_MOVE_NULL)
            return STAMMA_ERROR_CORRUPT;
        moves[at->ply + n] = sequence[n];
    }
    go_on(at, size);
    return STAMMA_OK;
}

/* Checks that a writer would produce these bits. Other codes of the same moves are invalid. */
static bool is_as_written(const stamma_position *start, bit_reader in, const stamma_move *moves, size_t plies)
{
    token t;
    for (place at = place_of_start(start, moves); at.ply < plies; go_on(&at, t.plies))
        if (next_token(&at, plies, &t) != STAMMA_OK || stamma_bits_read(&in, t.bits) != t.value)
            return false;
    return true;
}

static stamma_error read_game(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                              stamma_move *moves, size_t plies)
{
    (void)codec;
    bit_reader first = *in;
    for (place at = place_of_start(start, moves); at.ply < plies;) {
        stamma_error error = read_token(&at, in, moves, plies);
        if (error != STAMMA_OK)
            return error;
    }
    return is_as_written(start, first, moves, plies) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

static stamma_error explain_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                 size_t plies, explanation *e)
{
    (void)codec;
    token t;
    for (place at = place_of_start(start, moves); at.ply < plies; go_on(&at, t.plies)) {
        stamma_error error = next_token(&at, plies, &t);
        if (error != STAMMA_OK)
            return error;
        size_t legal = stamma_legal_moves_count(&at.position);
        if (t.value >= legal)
            stamma_explain_bits(e, t.value, t.bits,
                                "%zu moves at once: number %zu of the usable sequences, after %zu "
                                "legal moves",
                                t.plies, t.value - legal, legal);
        else if (moves[at.ply] != STAMMA_MOVE_NULL)
            stamma_explain_index(e, t.value, legal, t.bits, "legal moves");
    }
    return STAMMA_OK;
}

const stamma_codec stamma_codec_gap_codes = {
    .info = {.name = "gap-codes",
             .source = SOURCE_FORSTER,
             .description = "legal-index-bits, whose unused codes mean sequences of moves",
             .kind = STAMMA_CODEC_GAME},
    .write_game = write_game,
    .read_game = read_game,
    .explain_game = explain_game,
};
