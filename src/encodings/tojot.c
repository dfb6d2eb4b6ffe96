/* SPDX-License-Identifier: MIT */
/* `tojot`, `tojot-split` and `tojot-mixed`: classes of moves instead of pieces (comments by Tojot on Forster 2015). The
 * upper half of a byte is the class; the lower half describes the move:
 *
 *   one class each  rook, or queen as a rook: its vector           half a class  knight: 3 bits, two share a class
 *                   bishop, or queen as a bishop: its vector       1/4           pawn that will not promote: 2 bits
 *                   king: its vector, 15 for the null move
 *                   pawn about to promote: its vector
 *
 * The classes are numbered in the commenter's order: rooks, then queens as rooks; bishops, then queens as bishops;
 * pairs of knights; the king; two classes of pawns, if there are any; pawns about to promote. Pieces of a kind are
 * numbered along the files.
 * - `tojot` has four pawns per class, with their vectors.
 * - `tojot-split` has a class of advances (3 bits for the pawn and one for a double push) and a class of captures (3
 *   bits for the pawn and one for the direction).
 * - `tojot-mixed` adds the king to the knights, with two of these pieces per class ("3 pieces to do King or Knight
 *   move. 2 codes are enough"). With three bits, castling is a step off the board from the king's back rank, towards
 *   the h-side on the king's side (Forster 2015, "The Sweet Spot"). There is no null move.
 *
 * A position with more than 16 classes falls back to `legal-index`.
 *
 * `tojot-bits` and `tojot-split-bits` use the same classes in the fewest bits, ceil(log2 classes) + 4. */
#include "encodings/encodings.h"

enum { BYTE_CLASSES = 16 };

/* The king's vectors that lead off the board: SE and SW from the first rank, NE and NW from the eighth. */
enum { KING_NE = 4, KING_NW = 5, KING_SE = 6, KING_SW = 7 };

typedef struct classes {
    uint64_t rooks, bishops, queens, knights, pawns, promoting; /* `tojot-mixed` adds the king to the knights */
    /* The first class of each kind, and the end of all classes. */
    unsigned queen_rook, bishop, queen_bishop, knight, king, pawn, promotes, end;
} classes;

static classes classes_of(const stamma_position *p, enum naming naming)
{
    uint64_t own = p->by_color[p->side], seventh = p->side == STAMMA_WHITE ? RANK_7 : RANK_2;
    classes c = {.rooks = own & p->by_type[STAMMA_ROOK],
                 .bishops = own & p->by_type[STAMMA_BISHOP],
                 .queens = own & p->by_type[STAMMA_QUEEN],
                 .knights =
                     own & (p->by_type[STAMMA_KNIGHT] | (naming == NAMED_TOJOT_MIXED ? p->by_type[STAMMA_KING] : 0)),
                 .pawns = own & p->by_type[STAMMA_PAWN] & ~seventh,
                 .promoting = own & p->by_type[STAMMA_PAWN] & seventh};
    unsigned queens = bits_count(c.queens);
    c.queen_rook = bits_count(c.rooks);
    c.bishop = c.queen_rook + queens;
    c.queen_bishop = c.bishop + bits_count(c.bishops);
    c.knight = c.queen_bishop + queens;
    c.king = c.knight + (bits_count(c.knights) + 1) / 2;
    c.pawn = c.king + (naming == NAMED_TOJOT_MIXED ? 0 : 1);
    c.promotes = c.pawn + (c.pawns ? 2 : 0);
    c.end = c.promotes + bits_count(c.promoting);
    return c;
}

/* ---- from a move to its class and description: class << 4 | description ---- */

static unsigned number_in(uint64_t pieces, stamma_move move)
{
    return bits_count(pieces & squares_before(stamma_move_from(move)));
}

/* Returns the code of a pawn that does not promote. `vector` is 0 to 3. */
static unsigned pawn_code(const classes *c, enum naming naming, unsigned number, unsigned vector)
{
    if (naming == NAMED_TOJOT_SPLIT)
        return (c->pawn + (vector >> 1)) << 4 | number << 1 | (vector & 1);
    return (c->pawn + (number >> 2)) << 4 | (number & 3) << 2 | vector;
}

/* Returns the king's vector in three bits. */
static unsigned short_king_vector(unsigned color, unsigned vector)
{
    if (vector == VECTOR_KING_CASTLE)
        return color == STAMMA_WHITE ? KING_SE : KING_NE;
    if (vector == VECTOR_QUEEN_CASTLE)
        return color == STAMMA_WHITE ? KING_SW : KING_NW;
    return vector;
}

/* Returns the code of a piece that shares a class: a knight, or under `tojot-mixed` a knight or the king. */
static unsigned half_class(const classes *c, stamma_move move, unsigned vector)
{
    unsigned number = number_in(c->knights, move);
    return (c->knight + (number >> 1)) << 4 | (number & 1) << 3 | vector;
}

static unsigned code_of(const stamma_position *p, const classes *c, enum naming naming, stamma_move move)
{
    if (move == STAMMA_MOVE_NULL)
        return c->king << 4 | VECTOR_NULL;
    unsigned type = position_type_at(p, stamma_move_from(move)), kind = vector_kind(type, move);
    unsigned vector = move_vector(type, move), number;
    switch (type) {
    case STAMMA_PAWN:
        if (stamma_move_is_promotion(move))
            return (c->promotes + number_in(c->promoting, move)) << 4 | vector;
        return pawn_code(c, naming, number_in(c->pawns, move), vector);
    case STAMMA_KNIGHT: return half_class(c, move, vector);
    case STAMMA_BISHOP: return (c->bishop + number_in(c->bishops, move)) << 4 | vector;
    case STAMMA_ROOK: return number_in(c->rooks, move) << 4 | vector;
    case STAMMA_QUEEN:
        number = (kind == STAMMA_ROOK ? c->queen_rook : c->queen_bishop) + number_in(c->queens, move);
        return number << 4 | vector;
    default:
        return naming == NAMED_TOJOT_MIXED ? half_class(c, move, short_king_vector(p->side, vector))
                                           : c->king << 4 | vector;
    }
}

/* ---- from a class and description to a move ---- */

static stamma_move pawn_of(const stamma_position *p, const classes *c, enum naming naming, unsigned number,
                           unsigned code)
{
    bool split = naming == NAMED_TOJOT_SPLIT;
    unsigned pawn = split ? code >> 1 : number << 2 | code >> 2, vector = split ? number << 1 | (code & 1) : code & 3;
    return stamma_vector_legal_move(p, STAMMA_PAWN, stamma_nth_square(c->pawns, pawn), vector);
}

/* Returns the legal move of a king's three bits, or STAMMA_MOVE_NULL. */
static stamma_move short_king_move(const stamma_position *p, unsigned king, unsigned vector)
{
    unsigned back_rank = p->side == STAMMA_WHITE ? 0 : 7;
    if (king >> 3 == back_rank && vector == short_king_vector(p->side, VECTOR_KING_CASTLE))
        vector = VECTOR_KING_CASTLE;
    else if (king >> 3 == back_rank && vector == short_king_vector(p->side, VECTOR_QUEEN_CASTLE))
        vector = VECTOR_QUEEN_CASTLE;
    return stamma_vector_legal_move(p, STAMMA_KING, king, vector);
}

/* Returns the legal move of a class and a description, or STAMMA_MOVE_NULL. */
static stamma_move move_of(const stamma_position *p, const classes *c, enum naming naming, unsigned class,
                           unsigned code)
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
        if (from != STAMMA_SQUARE_NONE && p->by_type[STAMMA_KING] >> from & 1)
            return short_king_move(p, from, code & 7);
    } else if (class < c->pawn) {
        kind = STAMMA_KING;
        from = position_king(p, p->side);
    } else if (class < c->promotes) {
        return pawn_of(p, c, naming, class - c->pawn, code);
    } else {
        kind = STAMMA_PAWN;
        from = stamma_nth_square(c->promoting, class - c->promotes);
    }
    return stamma_vector_legal_move(p, kind, from, code);
}

/* ---- as codecs ---- */

static unsigned class_bits(const numbered_code *code, const classes *c)
{
    return code->in_bits ? bits_for(c->end) : 4;
}

static const char *fallback(const stamma_codec *codec, const stamma_position *position)
{
    const numbered_code *code = codec->variant;
    return classes_of(position, code->naming).end > BYTE_CLASSES ? "more than sixteen classes" : NULL;
}

static stamma_error write_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    const numbered_code *code = codec->variant;
    classes c = classes_of(p, code->naming);
    if (!code->in_bits && c.end > BYTE_CLASSES)
        return stamma_codec_legal_index.write(&stamma_codec_legal_index, p, move, out);
    stamma_bits_write(out, code_of(p, &c, code->naming, move), class_bits(code, &c) + 4);
    return STAMMA_OK;
}

static stamma_error read_code(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    const numbered_code *code = codec->variant;
    classes c = classes_of(p, code->naming);
    if (!code->in_bits && c.end > BYTE_CLASSES) {
        stamma_error error = stamma_codec_legal_index.read(&stamma_codec_legal_index, p, in, move);
        return error == STAMMA_OK && !codec->has_null && *move == STAMMA_MOVE_NULL ? STAMMA_ERROR_CORRUPT : error;
    }
    unsigned class = (unsigned)stamma_bits_read(in, class_bits(code, &c)), vector = (unsigned)stamma_bits_read(in, 4);
    bool is_null = codec->has_null && class == c.king && vector == VECTOR_NULL && !stamma_position_in_check(p);
    stamma_move found = move_of(p, &c, code->naming, class, vector);
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_pawn(const classes *c, enum naming naming, stamma_move move, unsigned vector, explanation *e)
{
    static const char *const vectors[4] = {"single push", "double push", "captures to the left",
                                           "captures to the right"};
    unsigned number = number_in(c->pawns, move);
    if (naming == NAMED_TOJOT_SPLIT) {
        stamma_explain_bits(e, number, 3, "pawn %u", number);
        stamma_explain_bits(e, vector & 1, 1, "%s", vectors[vector]);
    } else {
        stamma_explain_bits(e, number & 3, 2, "pawn %u", number);
        stamma_explain_bits(e, vector, 2, "%s", vectors[vector]);
    }
}

/* Names the description: four bits. */
static void explain_description(const stamma_position *p, const classes *c, enum naming naming, stamma_move move,
                                explanation *e)
{
    unsigned type = position_type_at(p, stamma_move_from(move)), vector = move_vector(type, move);
    if (type == STAMMA_PAWN && !stamma_move_is_promotion(move)) {
        explain_pawn(c, naming, move, vector, e);
        return;
    }
    bool mixed_king = naming == NAMED_TOJOT_MIXED && type == STAMMA_KING;
    if (type == STAMMA_KNIGHT || mixed_king)
        stamma_explain_bits(e, number_in(c->knights, move) & 1, 1,
                            number_in(c->knights, move) & 1 ? "the second of two" : "the first of two");
    if (mixed_king)
        stamma_explain_bits(e, short_king_vector(p->side, vector), 3,
                            vector < VECTOR_KING_CASTLE    ? "the king's step"
                            : vector == VECTOR_KING_CASTLE ? "castles on the king's side"
                                                           : "castles on the queen's side");
    else
        stamma_explain_vector(e, vector_kind(type, move), vector);
}

static void explain_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    const numbered_code *code = codec->variant;
    enum naming naming = code->naming;
    classes c = classes_of(p, naming);
    unsigned class = code_of(p, &c, naming, move) >> 4, from = stamma_move_from(move), type = position_type_at(p, from);
    const char *what = stamma_type_name(type), *as = "";
    if (type == STAMMA_PAWN)
        what = stamma_move_is_promotion(move)                                 ? "a pawn about to promote"
               : naming == NAMED_TOJOT_SPLIT && !stamma_move_is_capture(move) ? "advances of pawns"
               : naming == NAMED_TOJOT_SPLIT                                  ? "captures of pawns"
               : class == c.pawn                                              ? "pawns 0 to 3"
                                                                              : "pawns 4 to 7";
    else if (type == STAMMA_QUEEN)
        as = is_straight(move) ? ", as a rook" : ", as a bishop";
    stamma_explain_bits(e, class, class_bits(code, &c), "class %u of %u, from 0: %s%s", class, c.end, what, as);
    explain_description(p, &c, naming, move, e);
}

unsigned stamma_tojot_classes(const stamma_position *position)
{
    return classes_of(position, NAMED_TOJOT).end;
}

/* Returns the reason why the board of numbered games cannot represent the side to move, or NULL. */
static const char *many_pieces(const stamma_codec *codec, const stamma_position *position)
{
    (void)codec;
    classes c = classes_of(position, NAMED_TOJOT);
    bool many = c.end > BYTE_CLASSES || c.queen_rook > 2 || bits_rest(c.queens) || bits_count(c.bishops) > 2 ||
                bits_count(c.knights) > 2;
    return many ? "more pieces of a type than in the beginning" : NULL;
}

const stamma_codec stamma_codec_tojot = {
    .info = {.name = "tojot",
             .source = SOURCE_FORSTER,
             .description = "one byte: a class of moves and four bits; pawns are four a class",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .variant = &(const numbered_code){.naming = NAMED_TOJOT, .slow = many_pieces},
    .write = write_code,
    .read = read_code,
    .fallback = fallback,
    .fallback_means = "legal-index",
    .explain = explain_code,
    .write_game = stamma_numbered_write_game,
    .read_game = stamma_numbered_read_game,
};

const stamma_codec stamma_codec_tojot_split = {
    .info = {.name = "tojot-split",
             .source = SOURCE_FORSTER,
             .description = "tojot with a class of pawns' advances and one of their captures",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .variant = &(const numbered_code){.naming = NAMED_TOJOT_SPLIT, .slow = many_pieces},
    .write = write_code,
    .read = read_code,
    .fallback = fallback,
    .fallback_means = "legal-index",
    .explain = explain_code,
    .write_game = stamma_numbered_write_game,
    .read_game = stamma_numbered_read_game,
};

const stamma_codec stamma_codec_tojot_mixed = {
    .info = {.name = "tojot-mixed",
             .source = SOURCE_FORSTER,
             .description = "tojot with the king counted as a knight; two of these a class",
             .kind = STAMMA_CODEC_POSITION},
    .variant = &(const numbered_code){.naming = NAMED_TOJOT_MIXED},
    .write = write_code,
    .read = read_code,
    .fallback = fallback,
    .fallback_means = "legal-index",
    .explain = explain_code,
};

const stamma_codec stamma_codec_tojot_bits = {
    .info = {.name = "tojot-bits",
             .source = SOURCE_FORSTER,
             .description = "tojot in ceil(log2 classes) + 4 bits",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .variant = &(const numbered_code){.naming = NAMED_TOJOT, .in_bits = true},
    .write = write_code,
    .read = read_code,
    .explain = explain_code,
};

const stamma_codec stamma_codec_tojot_split_bits = {
    .info = {.name = "tojot-split-bits",
             .source = SOURCE_FORSTER,
             .description = "tojot-split in ceil(log2 classes) + 4 bits",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .variant = &(const numbered_code){.naming = NAMED_TOJOT_SPLIT, .in_bits = true},
    .write = write_code,
    .read = read_code,
    .explain = explain_code,
};
