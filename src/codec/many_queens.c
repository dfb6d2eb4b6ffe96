/* `many-queens`: `tarrasch` with another byte for a side of two to four queens (comments by LMSS in seed 004). That
 * byte is used where the other men, knights counted by pairs, need at most eight codes, and `tarrasch` everywhere else:
 *
 *   1 qq nnnnn   queen qq makes move n of her moves on an empty board, in ascending order of squares
 *   0 mmm vvvv   man m goes by vector v (codec.h): king, pairs of knights, bishops, rooks, pawns
 *
 * Men of a kind are numbered along the files. The king's vector 15 is the null move. */
#include "codec/codec.h"

enum { QUEENS_MIN = 2, QUEENS_MAX = 4, CODES_MAX = 8, QUEEN_MOVE = 128, NULL_BYTE = VECTOR_NULL };

/* The codes of other men in their order: the first of each kind, and behind the last one. */
typedef struct codes {
    uint64_t queens, knights, bishops, rooks, pawns;
    unsigned bishop, rook, pawn, end;
} codes;

static codes codes_of(const stamma_position *p)
{
    uint64_t own = p->by_color[p->side];
    codes c = {.queens = own & p->by_type[STAMMA_QUEEN],
               .knights = own & p->by_type[STAMMA_KNIGHT],
               .bishops = own & p->by_type[STAMMA_BISHOP],
               .rooks = own & p->by_type[STAMMA_ROOK],
               .pawns = own & p->by_type[STAMMA_PAWN]};
    c.bishop = 1 + (bits_count(c.knights) + 1) / 2;
    c.rook = c.bishop + bits_count(c.bishops);
    c.pawn = c.rook + bits_count(c.rooks);
    c.end = c.pawn + bits_count(c.pawns);
    return c;
}

static bool applies(const codes *c)
{
    unsigned queens = bits_count(c->queens);
    return queens >= QUEENS_MIN && queens <= QUEENS_MAX && c->end <= CODES_MAX;
}

static unsigned byte_of(const stamma_position *p, const codes *c, stamma_move move)
{
    if (move == STAMMA_MOVE_NULL)
        return NULL_BYTE;
    unsigned from = stamma_move_from(move), type = position_type_at(p, from), vector = move_vector(type, move);
    unsigned number = bits_count(position_men(p, p->side, type) & squares_before(from));
    switch (type) {
    case STAMMA_PAWN: return (c->pawn + number) << 4 | vector;
    case STAMMA_KNIGHT: return (1 + (number >> 1)) << 4 | (number & 1) << 3 | vector;
    case STAMMA_BISHOP: return (c->bishop + number) << 4 | vector;
    case STAMMA_ROOK: return (c->rook + number) << 4 | vector;
    case STAMMA_QUEEN:
        return QUEEN_MOVE | number << 5 | bits_count(queen_attacks(from, 0) & (square_bit(stamma_move_to(move)) - 1));
    default: return vector;
    }
}

/* The legal move of queen `number`, to the square number `index` that she attacks on an empty board. */
static stamma_move queen_move(const stamma_position *p, const codes *c, unsigned number, unsigned index)
{
    unsigned from = stamma_nth_square(c->queens, number);
    if (from == STAMMA_SQUARE_NONE)
        return STAMMA_MOVE_NULL;
    uint64_t targets = queen_attacks(from, 0);
    while (index-- > 0)
        targets = bits_rest(targets);
    if (!targets)
        return STAMMA_MOVE_NULL;
    unsigned to = bits_first(targets), takes = p->by_color[p->side ^ 1] >> to & 1;
    stamma_move move = stamma_move_make(from, to, takes ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET);
    return stamma_move_is_legal(p, move) ? move : STAMMA_MOVE_NULL;
}

static stamma_move move_of(const stamma_position *p, const codes *c, unsigned byte)
{
    unsigned code = byte >> 4, kind = STAMMA_KING, from = position_king(p, p->side);
    if (byte & QUEEN_MOVE)
        return queen_move(p, c, byte >> 5 & 3, byte & 31);
    if (code >= c->pawn) {
        kind = STAMMA_PAWN;
        from = stamma_nth_square(c->pawns, code - c->pawn);
    } else if (code >= c->rook) {
        kind = STAMMA_ROOK;
        from = stamma_nth_square(c->rooks, code - c->rook);
    } else if (code >= c->bishop) {
        kind = STAMMA_BISHOP;
        from = stamma_nth_square(c->bishops, code - c->bishop);
    } else if (code >= 1) {
        kind = STAMMA_KNIGHT;
        from = stamma_nth_square(c->knights, (code - 1) << 1 | (byte >> 3 & 1));
    }
    return stamma_vector_legal_move(p, kind, from, byte & 15);
}

/* ---- as a codec ---- */

static stamma_error write_byte(const stamma_position *position, stamma_move move, bit_writer *out)
{
    codes c = codes_of(position);
    if (STAMMA_LIKELY(!applies(&c)))
        return stamma_codec_tarrasch.write(position, move, out);
    stamma_bits_write(out, byte_of(position, &c, move), 8);
    return STAMMA_OK;
}

static stamma_error read_byte(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    codes c = codes_of(position);
    if (STAMMA_LIKELY(!applies(&c)))
        return stamma_codec_tarrasch.read(position, in, move);
    unsigned byte = (unsigned)stamma_bits_read(in, 8);
    bool is_null = byte == NULL_BYTE && !stamma_position_in_check(position);
    stamma_move found = move_of(position, &c, byte);
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static const char *fallback(const stamma_position *position)
{
    codes c = codes_of(position);
    return applies(&c) ? NULL : stamma_codec_tarrasch.fallback(position);
}

/* A side of one queen is as under `tarrasch`, whatever is taken. */
static const char *more_queens(const stamma_position *position)
{
    return stamma_codec_tarrasch_one_queen.fallback(position);
}

static const numbered_code games = {&stamma_codec_many_queens, NAMED_TARRASCH, more_queens};

static stamma_error write_game(const stamma_position *start, const stamma_move *moves, size_t plies, bit_writer *out)
{
    return NUMBERED_GAME(write, &games, start, moves, plies, out);
}

static stamma_error read_game(const stamma_position *start, bit_reader *in, stamma_move *moves, size_t plies)
{
    return NUMBERED_GAME(read, &games, start, in, moves, plies);
}

const stamma_codec stamma_codec_many_queens = {
    .info = {.name = "many-queens",
             .source = "004",
             .description = "tarrasch, with a byte of its own for two to four queens and few other men",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_byte,
    .read = read_byte,
    .fallback = fallback,
    .write_game = write_game,
    .read_game = read_game,
};
