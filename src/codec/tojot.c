/* `tojot` and `tojot-split`: classes of moves in place of men (comments by Tojot in seed 004). The upper half of a byte
 * is the class, the lower half describes the move:
 *
 *   one class each  rook, or queen as a rook: its vector           half a class  knight: 3 bits, two share a class
 *                   bishop, or queen as a bishop: its vector       1/4           pawn that will not promote: 2 bits
 *                   king: its vector, 15 for the null move
 *                   pawn about to promote: its vector
 *
 * The classes are numbered in the commenter's order: rooks, then queens as rooks; bishops, then queens as bishops;
 * pairs of knights; the king; two of pawns, where there are any; pawns about to promote. Men of a kind are numbered
 * along the files. `tojot` has four pawns a class, with their vectors; `tojot-split` a class of advances (3 bits for
 * the pawn and one for a double push) and one of captures (one for the right). More than 16 classes fall back to
 * `legal-index`.
 *
 * The same classes in no more bits than they take, ceil(log2 classes) + 4, are `tojot-bits` and `tojot-split-bits`. */
#include "codec/codec.h"

enum { BYTE_CLASSES = 16 };

typedef struct classes {
    uint64_t rooks, bishops, queens, knights, pawns, promoting;
    /* The first class of each kind, and behind the last one. */
    unsigned queen_rook, bishop, queen_bishop, knight, king, pawn, promotes, end;
} classes;

static classes classes_of(const stamma_position *p)
{
    uint64_t own = p->by_color[p->side], seventh = p->side == STAMMA_WHITE ? RANK_7 : RANK_2;
    classes c = {.rooks = own & p->by_type[STAMMA_ROOK],
                 .bishops = own & p->by_type[STAMMA_BISHOP],
                 .queens = own & p->by_type[STAMMA_QUEEN],
                 .knights = own & p->by_type[STAMMA_KNIGHT],
                 .pawns = own & p->by_type[STAMMA_PAWN] & ~seventh,
                 .promoting = own & p->by_type[STAMMA_PAWN] & seventh};
    unsigned queens = bits_count(c.queens);
    c.queen_rook = bits_count(c.rooks);
    c.bishop = c.queen_rook + queens;
    c.queen_bishop = c.bishop + bits_count(c.bishops);
    c.knight = c.queen_bishop + queens;
    c.king = c.knight + (bits_count(c.knights) + 1) / 2;
    c.pawn = c.king + 1;
    c.promotes = c.pawn + (c.pawns ? 2 : 0);
    c.end = c.promotes + bits_count(c.promoting);
    return c;
}

/* ---- from a move to its class and description: class << 4 | description ---- */

static unsigned number_in(uint64_t men, stamma_move move)
{
    return bits_count(men & squares_before(stamma_move_from(move)));
}

/* `vector` is that of a pawn that does not promote: 0-3. */
static unsigned pawn_code(const classes *c, bool split, unsigned number, unsigned vector)
{
    if (split)
        return (c->pawn + (vector >> 1)) << 4 | number << 1 | (vector & 1);
    return (c->pawn + (number >> 2)) << 4 | (number & 3) << 2 | vector;
}

static unsigned code_of(const stamma_position *p, const classes *c, bool split, stamma_move move)
{
    if (move == STAMMA_MOVE_NULL)
        return c->king << 4 | VECTOR_NULL;
    unsigned type = position_type_at(p, stamma_move_from(move)), kind = vector_kind(type, move);
    unsigned vector = move_vector(type, move), number;
    switch (type) {
    case STAMMA_PAWN:
        if (stamma_move_is_promotion(move))
            return (c->promotes + number_in(c->promoting, move)) << 4 | vector;
        return pawn_code(c, split, number_in(c->pawns, move), vector);
    case STAMMA_KNIGHT:
        number = number_in(c->knights, move);
        return (c->knight + (number >> 1)) << 4 | (number & 1) << 3 | vector;
    case STAMMA_BISHOP: return (c->bishop + number_in(c->bishops, move)) << 4 | vector;
    case STAMMA_ROOK: return number_in(c->rooks, move) << 4 | vector;
    case STAMMA_QUEEN:
        number = (kind == STAMMA_ROOK ? c->queen_rook : c->queen_bishop) + number_in(c->queens, move);
        return number << 4 | vector;
    default: return c->king << 4 | vector;
    }
}

/* ---- and back ---- */

static stamma_move pawn_of(const stamma_position *p, const classes *c, bool split, unsigned number, unsigned code)
{
    unsigned pawn = split ? code >> 1 : number << 2 | code >> 2, vector = split ? number << 1 | (code & 1) : code & 3;
    return stamma_vector_legal_move(p, STAMMA_PAWN, stamma_nth_square(c->pawns, pawn), vector);
}

/* The legal move of a class and a description, or STAMMA_MOVE_NULL. */
static stamma_move move_of(const stamma_position *p, const classes *c, bool split, unsigned class, unsigned code)
{
    unsigned kind, from;
    if (class < c->bishop) {
        kind = STAMMA_ROOK;
        from = class < c->queen_rook ? stamma_nth_square(c->rooks, class)
                                     : stamma_nth_square(c->queens, class - c->queen_rook);
    } else if (class < c->knight) {
        kind = STAMMA_BISHOP;
        from = class < c->queen_bishop ? stamma_nth_square(c->bishops, class - c->bishop)
                                       : stamma_nth_square(c->queens, class - c->queen_bishop);
    } else if (class < c->king) {
        kind = STAMMA_KNIGHT;
        from = stamma_nth_square(c->knights, (class - c->knight) << 1 | code >> 3);
    } else if (class == c->king) {
        kind = STAMMA_KING;
        from = position_king(p, p->side);
    } else if (class < c->promotes) {
        return pawn_of(p, c, split, class - c->pawn, code);
    } else {
        kind = STAMMA_PAWN;
        from = stamma_nth_square(c->promoting, class - c->promotes);
    }
    return stamma_vector_legal_move(p, kind, from, code);
}

/* ---- as codecs ---- */

static stamma_error write_code(const stamma_position *p, bool split, bool whole_byte, stamma_move move, bit_writer *out)
{
    classes c = classes_of(p);
    if (whole_byte && c.end > BYTE_CLASSES)
        return stamma_codec_legal_index.write(p, move, out);
    stamma_bits_write(out, code_of(p, &c, split, move), whole_byte ? 8 : bits_for(c.end) + 4);
    return STAMMA_OK;
}

static stamma_error read_code(const stamma_position *p, bool split, bool whole_byte, bit_reader *in, stamma_move *move)
{
    classes c = classes_of(p);
    if (whole_byte && c.end > BYTE_CLASSES)
        return stamma_codec_legal_index.read(p, in, move);
    unsigned class = (unsigned)stamma_bits_read(in, whole_byte ? 4 : bits_for(c.end));
    unsigned code = (unsigned)stamma_bits_read(in, 4);
    bool is_null = class == c.king && code == VECTOR_NULL && !stamma_position_in_check(p);
    stamma_move found = move_of(p, &c, split, class, code);
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static const char *fallback(const stamma_position *position)
{
    return classes_of(position).end > BYTE_CLASSES ? "more than sixteen classes" : NULL;
}

unsigned stamma_tojot_classes(const stamma_position *position)
{
    return classes_of(position).end;
}

/* What the board of numbered games has no room for. */
static const char *many_men(const stamma_position *position)
{
    classes c = classes_of(position);
    bool many = c.end > BYTE_CLASSES || c.queen_rook > 2 || bits_rest(c.queens) || bits_count(c.bishops) > 2 ||
                bits_count(c.knights) > 2;
    return many ? "more men of a type than in the beginning" : NULL;
}

static const numbered_code games = {&stamma_codec_tojot, NAMED_TOJOT, many_men};
static const numbered_code games_split = {&stamma_codec_tojot_split, NAMED_TOJOT_SPLIT, many_men};

static stamma_error write_tojot(const stamma_position *position, stamma_move move, bit_writer *out)
{
    return write_code(position, false, true, move, out);
}
static stamma_error read_tojot(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    return read_code(position, false, true, in, move);
}

static stamma_error write_tojot_game(const stamma_position *start, const stamma_move *moves, size_t plies,
                                     bit_writer *out)
{
    return NUMBERED_GAME(write, &games, start, moves, plies, out);
}
static stamma_error read_tojot_game(const stamma_position *start, bit_reader *in, stamma_move *moves, size_t plies)
{
    return NUMBERED_GAME(read, &games, start, in, moves, plies);
}

const stamma_codec stamma_codec_tojot = {
    .info = {.name = "tojot",
             .source = "004",
             .description = "one byte: a class of moves and four bits; pawns are four a class",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_tojot,
    .read = read_tojot,
    .fallback = fallback,
    .write_game = write_tojot_game,
    .read_game = read_tojot_game,
};

static stamma_error write_split(const stamma_position *position, stamma_move move, bit_writer *out)
{
    return write_code(position, true, true, move, out);
}
static stamma_error read_split(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    return read_code(position, true, true, in, move);
}

static stamma_error write_split_game(const stamma_position *start, const stamma_move *moves, size_t plies,
                                     bit_writer *out)
{
    return NUMBERED_GAME(write, &games_split, start, moves, plies, out);
}
static stamma_error read_split_game(const stamma_position *start, bit_reader *in, stamma_move *moves, size_t plies)
{
    return NUMBERED_GAME(read, &games_split, start, in, moves, plies);
}

const stamma_codec stamma_codec_tojot_split = {
    .info = {.name = "tojot-split",
             .source = "004",
             .description = "tojot with a class of pawns' advances and one of their captures",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_split,
    .read = read_split,
    .fallback = fallback,
    .write_game = write_split_game,
    .read_game = read_split_game,
};

static stamma_error write_tojot_bits(const stamma_position *position, stamma_move move, bit_writer *out)
{
    return write_code(position, false, false, move, out);
}
static stamma_error read_tojot_bits(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    return read_code(position, false, false, in, move);
}

const stamma_codec stamma_codec_tojot_bits = {
    .info = {.name = "tojot-bits",
             .source = "004",
             .description = "tojot in ceil(log2 classes) + 4 bits",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_tojot_bits,
    .read = read_tojot_bits,
};

static stamma_error write_split_bits(const stamma_position *position, stamma_move move, bit_writer *out)
{
    return write_code(position, true, false, move, out);
}
static stamma_error read_split_bits(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    return read_code(position, true, false, in, move);
}

const stamma_codec stamma_codec_tojot_split_bits = {
    .info = {.name = "tojot-split-bits",
             .source = "004",
             .description = "tojot-split in ceil(log2 classes) + 4 bits",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_split_bits,
    .read = read_split_bits,
};
