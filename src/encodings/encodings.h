/* SPDX-License-Identifier: MIT */
/* The encodings room: encodings of moves, games and positions, and lists of all encodings by name. Archives use only
 * the code of `bcgn-square`. Each encoding is a constant in a file with its name; files of positions begin with
 * `position_`. position_codes.h declares encodings of positions, and position_number.h the parts of one of them. */
#ifndef STAMMA_ENCODINGS_H
#define STAMMA_ENCODINGS_H

#include "codec/codec.h"

/* ---- the sources of encodings; doc/reference/encodings.md lists author, title and address ---- */

#define SOURCE_WIKI "Chess Programming Wiki, Encoding Moves"
#define SOURCE_LENCH "Lench"
#define SOURCE_TREE "Grand Chess Tree"
#define SOURCE_BOARDS "Wikipedia, Board representation"
#define SOURCE_FORSTER "Forster 2015"

/* ---- explain.c, explain_parts.c: describe the parts of a code in words ---- */

/* Receives the parts. `bytes` contains the bits that have been written to `out` and are not named yet. */
struct explanation {
    void (*take)(void *context, const stamma_code_part *part);
    void *context;
    unsigned first; /* number of bits named so far */
    bit_writer out;
    uint8_t bytes[STAMMA_POSITION_CODE_SIZE];
};

/* Names the bits that have been written to e->out since the last part. Does nothing if no bits have been written. */
void stamma_explain_written(explanation *e, const char *format, ...);
/* The same; does nothing if `e` is NULL, when the arguments are not even computed. */
#define EXPLAIN(e, ...) ((e) ? stamma_explain_written(e, __VA_ARGS__) : (void)0)
/* Names bits without writing them. Does nothing if `bits` is 0. */
void stamma_explain_bits(explanation *e, uint64_t value, unsigned bits, const char *format, ...);
/* Names a term of a code that is a sum. */
void stamma_explain_term(explanation *e, uint64_t value, const char *format, ...);

void stamma_explain_square(explanation *e, unsigned square, const char *what); /* six bits: "origin e2" */
/* Names an index of `bits` bits: "number 11 of 20 legal moves, from 0". */
void stamma_explain_index(explanation *e, size_t index, size_t count, unsigned bits, const char *what);
void stamma_explain_piece(explanation *e, const stamma_position *p, unsigned square); /* as EXPLAIN */
void stamma_explain_move16(explanation *e, stamma_move move);                         /* move16.c */
/* Names the number of plies and the null moves listed in front of a game's codes (game_code.c). */
void stamma_game_explain_front(const stamma_move *moves, size_t plies, bool has_null, explanation *e);

typedef struct square_name {
    char text[3];
} square_name;

square_name stamma_square_name(unsigned square);
const char *stamma_type_name(unsigned type); /* "pawn"; "nothing" for STAMMA_PIECE_TYPE_NONE */
const char *stamma_color_name(unsigned color);

/* Codecs of moves without a position. */
extern const stamma_codec stamma_codec_uci, stamma_codec_san, stamma_codec_lan; /* move_texts.c */
extern const stamma_codec stamma_codec_move16, stamma_codec_butterfly;          /* move16.c */
extern const stamma_codec stamma_codec_move32;                                  /* move32.c */
extern const stamma_codec stamma_codec_enumeration;                             /* enumeration.c */
extern const stamma_codec stamma_codec_move14, stamma_codec_move12;             /* two_squares.c */
/* Codecs of moves in a given position. */
extern const stamma_codec stamma_codec_direction_target;                           /* direction_target.c */
extern const stamma_codec stamma_codec_check_flag;                                 /* check_flag.c */
extern const stamma_codec stamma_codec_legal_index, stamma_codec_legal_index_bits; /* legal_index.c */
extern const stamma_codec stamma_codec_pseudo_legal_index_bits;                    /* legal_index.c */
extern const stamma_codec stamma_codec_legal_index_radix;                          /* legal_index_radix.c */
extern const stamma_codec stamma_codec_bcgn;                                       /* bcgn.c */
extern const stamma_codec stamma_codec_bcgn_square;                                /* bcgn_square.c */
extern const stamma_codec stamma_codec_two_index_bits;                             /* two_index_bits.c */
extern const stamma_codec stamma_codec_tarrasch, stamma_codec_tarrasch_one_queen;  /* tarrasch.c */
extern const stamma_codec stamma_codec_tojot, stamma_codec_tojot_split;            /* tojot.c */
extern const stamma_codec stamma_codec_tojot_bits, stamma_codec_tojot_split_bits;  /* tojot.c */
extern const stamma_codec stamma_codec_tojot_mixed;                                /* tojot.c */
extern const stamma_codec stamma_codec_many_queens;                                /* many_queens.c */
extern const stamma_codec stamma_codec_many_promotions;                            /* many_promotions.c */
extern const stamma_codec stamma_codec_gap_codes;                                  /* gap_codes.c */
extern const stamma_codec stamma_codec_ranked_tiers, stamma_codec_ranked_huffman;  /* ranked_games.c */
extern const stamma_codec stamma_codec_arithmetic;                                 /* ranked_games.c */

/* model_free_encodings.c: the codecs that do not use the predictor. The index must be below their number. */
size_t stamma_codecs_without_model(void);
const stamma_codec *stamma_codec_without_model_at(size_t index);

/* Returns the `n`-th square of a set, from 0, along the ranks. The set must have more than `n` squares. */
STAMMA_INLINE unsigned nth_along_ranks(uint64_t set, unsigned n)
{
    while (n-- > 0)
        set = bits_rest(set);
    return bits_first(set | UINT64_C(1) << 63);
}

/* ---- two_squares.c: moves as pairs of squares ---- */

/* Returns the target of a move in codes of two squares: the square to which the piece moves. For castling, the target
 * is the king's destination if king and rook are on their squares of standard chess. Otherwise the target is the square
 * of the castling rook, to which no other move goes. */
unsigned stamma_target_square(const stamma_position *position, stamma_move move);

/* Returns the legal move from `from` to `target` (as above) that promotes to `promotion` (NONE: no promotion), or
 * STAMMA_MOVE_NULL if there is none. The squares may be any below 64. */
stamma_move stamma_move_of_squares(const stamma_position *position, unsigned from, unsigned target, unsigned promotion);

/* ---- the moves of a piece in four bits, independent of the board (Forster 2015): for tarrasch.c, tojot.c and
 * many_queens.c ----
 *
 * The kind of the moving piece is pawn, knight, bishop, rook or king. A queen moves as a bishop or as a rook. The
 * vector is:
 * - pawn: 0-3: single push, double push, capture left, capture right; 4-7, 8-11, 12-15: promotion to N B R Q ahead,
 *   left, right. Left is towards the a-file for both sides.
 * - knight: NNE NNW WNW ENE SSE SSW ESE WSW, in three bits. The bit above distinguishes two knights.
 * - bishop: the target's file, plus 8 if the diagonal falls towards the h-file.
 * - rook: the target's file if the rook stays on its rank, otherwise 8 plus the target's rank.
 * - king: N S E W NE NW SE SW; 8 castles on the king's side, 9 on the queen's side. */

enum { VECTOR_KING_CASTLE = 8, VECTOR_QUEEN_CASTLE = 9, VECTOR_NULL = 15 };

/* Returns the index of a square in the order of the files: a1, a2 ... h8. */
STAMMA_INLINE unsigned square_place(unsigned square)
{
    return (square & 7) << 3 | square >> 3;
}

/* Moves by row and vector (vector_tables.c). A row is for a kind of piece (its piece type; black pawns use the
 * queen's rows) on a square (its square_place), or VECTOR_NO_ROW. The flags that depend on the board are missing:
 * captures by pieces have no capture flag, and en passant is an ordinary capture. Castling, and a vector without a
 * move, is a move from a square to the same square. The null move, and all moves of VECTOR_NO_ROW, are also marked
 * as promotions. */
extern const stamma_move stamma_vector_moves[6 * 64 + 1][16];
#define VECTOR_NO_ROW (6 * 64)

STAMMA_INLINE unsigned vector_row(unsigned color, unsigned kind, unsigned square)
{
    return (kind == STAMMA_PAWN && color == STAMMA_BLACK ? 4 : kind) * 64 + square_place(square);
}

/* The vectors of a move by origin and target (vector_tables.c), without promotion and castling: bits 0-3 for pieces
 * except kings, bits 4-7 for kings, bits 8-11 for pawns. Bit 12 is set for rook moves. */
extern const uint16_t stamma_square_vectors[64][64];

/* Returns whether a move goes along a rank or a file. */
STAMMA_INLINE bool is_straight(stamma_move move)
{
    return stamma_square_vectors[stamma_move_from(move)][stamma_move_to(move)] >> 12;
}

/* Returns the kind of piece whose vectors apply to a move of a piece of `type`. A queen moves as a rook or as a
 * bishop. */
STAMMA_INLINE unsigned vector_kind(unsigned type, stamma_move move)
{
    return type == STAMMA_QUEEN ? (unsigned)(is_straight(move) ? STAMMA_ROOK : STAMMA_BISHOP) : type;
}

/* Returns the vector of a move of a piece of `type`. The result is below 16 for any move. */
STAMMA_INLINE unsigned move_vector(unsigned type, stamma_move move)
{
    unsigned vectors = stamma_square_vectors[stamma_move_from(move)][stamma_move_to(move)];
    if (stamma_move_is_promotion(move))
        return (4 + ((vectors >> 8 & 3) + 1) / 2 * 4 + (stamma_move_flags(move) & 3)) & 15;
    if (stamma_move_is_castling(move))
        return castling_side(move) == STAMMA_KING_SIDE ? VECTOR_KING_CASTLE : VECTOR_QUEEN_CASTLE;
    return vectors >> (UINT64_C(0x040000000008) >> 8 * type & 15) & 15; /* 8 for a pawn, 4 for a king, otherwise 0 */
}

/* vectors.c: returns the legal move of the vector of a piece on `from`, or STAMMA_MOVE_NULL if there is none. `from`
 * may be any square or NONE. The piece is of `kind`, or a queen. */
stamma_move stamma_vector_legal_move(const stamma_position *position, unsigned kind, unsigned from, unsigned vector);

/* vectors.c: names the vector of a kind of piece, in four bits; in three bits for a knight. */
void stamma_explain_vector(explanation *e, unsigned kind, unsigned vector);

/* ---- eight_codes.c: the moving piece in three bits and its vector in four; for many_queens.c, many_promotions.c
 * ----
 *
 * Codes are assigned to the king, pairs of knights, bishops, rooks, queens (two codes each: as a rook and as a
 * bishop) and pawns, in this order. The pieces of each kind are numbered along the files. */

typedef struct eight_codes {
    uint64_t knights, bishops, rooks, queens, pawns;
    unsigned bishop, rook, queen, pawn, end; /* the first code of each kind, and the end of all codes */
} eight_codes;

enum { EIGHT_CODES = 8 };

/* Assigns codes to some pieces of the side to move, which include the king. The codes fit if end <= EIGHT_CODES. */
eight_codes stamma_eight_codes(const stamma_position *position, uint64_t pieces);
/* Returns the seven bits of a legal move of one of these pieces, or of the null move. */
unsigned stamma_eight_codes_write(const eight_codes *c, const stamma_position *position, stamma_move move);
/* Returns the legal move of seven bits, or STAMMA_MOVE_NULL. */
stamma_move stamma_eight_codes_read(const eight_codes *c, const stamma_position *position, unsigned code);
void stamma_eight_codes_explain(const eight_codes *c, const stamma_position *position, stamma_move move,
                                explanation *e);
/* The code of the null move: the king's vector 15. */
#define EIGHT_CODES_NULL 15

/* many_queens.c: returns the reason why a side may need bytes that differ from the bytes of `tarrasch`, in this
 * position or after captures; NULL if it does not. With one queen, the reasons are the same as for `tarrasch`. */
const char *stamma_many_queens_leaves_tarrasch(const stamma_codec *codec, const stamma_position *position);

/* ---- book_lines.c: opening lines for gap_codes.c (generators/book_lines.py) ---- */

enum { BOOK_LINE_MAX = 20, BOOK_PLIES = 16 };

/* A line from the initial position. */
typedef struct book_line {
    uint8_t plies;
    stamma_move moves[BOOK_LINE_MAX];
} book_line;

/* Lines, ordered by the ply at which their codes are assigned. stamma_book_first[ply] is the index of the first line
 * of a ply. */
extern const book_line stamma_book_lines[];
extern const uint16_t stamma_book_first[BOOK_PLIES + 1];

/* ---- `tarrasch`, `tojot` and related codecs ---- */

/* How bytes identify the pieces. */
enum naming { NAMED_TARRASCH, NAMED_TOJOT, NAMED_TOJOT_SPLIT, NAMED_TOJOT_MIXED };

/* The variant of these codecs. */
typedef struct numbered_code {
    enum naming naming;
    unsigned queens; /* `tarrasch`: the largest number of queens that have codes */
    bool in_bits;    /* `tojot`: a code has the fewest bits; otherwise eight */
    /* Returns the reason why the codec codes this move of a game itself, or NULL. Only promotions can produce a
     * reason, and under `tojot` also pawns that reach the seventh rank: seventeen classes. NULL if the codec codes
     * every move itself. */
    const char *(*slow)(const stamma_codec *codec, const stamma_position *position);
} numbered_code;

/* numbered_game.c: read and write complete games, as in struct stamma_codec, with one of the two builds of
 * numbered_game.inc. */
stamma_error stamma_numbered_read_game(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                                       stamma_move *moves, size_t plies);
stamma_error stamma_numbered_write_game(const stamma_codec *codec, const stamma_position *start,
                                        const stamma_move *moves, size_t plies, bit_writer *out);
stamma_error stamma_numbered_read_game_portable(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                                                stamma_move *moves, size_t plies);
stamma_error stamma_numbered_write_game_portable(const stamma_codec *codec, const stamma_position *start,
                                                 const stamma_move *moves, size_t plies, bit_writer *out);
#if STAMMA_HAVE_BMI2
stamma_error stamma_numbered_read_game_bmi2(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                                            stamma_move *moves, size_t plies);
stamma_error stamma_numbered_write_game_bmi2(const stamma_codec *codec, const stamma_position *start,
                                             const stamma_move *moves, size_t plies, bit_writer *out);
#endif

#endif
