/* The gallery room: codecs that archives do not use. Each implements one way in which the seeds write moves or
 * positions. */
#ifndef STAMMA_GALLERY_H
#define STAMMA_GALLERY_H

#include "codec/codec.h"

/* ---- explain.c, explain_parts.c: describe the parts of a code for people ---- */

/* Receives the parts. `bytes` contains the bits that have been written to `out` and are not named yet. */
struct explanation {
    void (*take)(void *context, const stamma_code_part *part);
    void *context;
    unsigned first; /* number of bits named so far */
    bit_writer out;
    uint8_t bytes[STAMMA_POSITION_CODE_SIZE];
};

/* Names the bits that have been written to e->out since the last part. Does nothing if `e` is NULL or if no bits
 * have been written. */
void stamma_explain(explanation *e, const char *format, ...);
/* Names bits without writing them. Does nothing if `bits` is 0. */
void stamma_explain_bits(explanation *e, uint64_t value, unsigned bits, const char *format, ...);
/* Names a term of a code that is a sum. */
void stamma_explain_term(explanation *e, uint64_t value, const char *format, ...);

void stamma_explain_square(explanation *e, unsigned square, const char *what); /* six bits: "origin e2" */
/* Names an index of `bits` bits: "number 11 of 20 legal moves, from 0". */
void stamma_explain_index(explanation *e, size_t index, size_t count, unsigned bits, const char *what);
void stamma_explain_piece(explanation *e, const stamma_position *p, unsigned square); /* as stamma_explain */
void stamma_explain_move16(explanation *e, stamma_move move);                         /* move16.c */
/* Names the number of plies and the null moves listed in front of a game's codes (game_code.c). */
void stamma_game_explain_front(const stamma_move *moves, size_t plies, bool has_null, explanation *e);

typedef struct square_name {
    char text[3];
} square_name;

square_name stamma_square_name(unsigned square);
const char *stamma_type_name(unsigned type); /* "pawn"; "nothing" for STAMMA_PIECE_TYPE_NONE */
const char *stamma_color_name(unsigned color);

/* Codecs of moves without a position. (uci, san and lan are text: src/encodings/text_encodings.c.) */
extern const stamma_codec stamma_codec_move16, stamma_codec_butterfly; /* move16.c */
extern const stamma_codec stamma_codec_move32;                         /* move32.c */
extern const stamma_codec stamma_codec_enumeration;                    /* enumeration.c */
extern const stamma_codec stamma_codec_move14, stamma_codec_move12;    /* two_squares.c */
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

/* ---- two_squares.c: moves as pairs of squares ---- */

/* Returns the target of a move as codes of two squares write it: the square to which the piece moves. For castling,
 * the target is the king's destination if king and rook are on their squares of standard chess. Otherwise the target
 * is the square of the own rook, to which no other move goes. */
unsigned stamma_target_square(const stamma_position *position, stamma_move move);

/* Returns the legal move from `from` to `target` (as above) that promotes to `promotion` (NONE: no promotion), or
 * STAMMA_MOVE_NULL if there is none. The squares may be any below 64. */
stamma_move stamma_move_of_squares(const stamma_position *position, unsigned from, unsigned target, unsigned promotion);

/* ---- the moves of a piece in four bits, independent of the board (seed 004): for tarrasch.c, tojot.c and
 * many_queens.c ----
 *
 * The kind of the moving piece is pawn, knight, bishop, rook or king. A queen is a bishop and a rook in one. The
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
    return type == STAMMA_QUEEN ? (is_straight(move) ? STAMMA_ROOK : STAMMA_BISHOP) : type;
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

/* vectors.c: returns the legal move of an own piece's vector, or STAMMA_MOVE_NULL if there is none. `from`: any
 * square or NONE. The piece is of `kind`, or a queen. */
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

/* Assigns codes to some own pieces, which include the king. The codes fit if end <= EIGHT_CODES. */
eight_codes stamma_eight_codes(const stamma_position *position, uint64_t pieces);
/* Returns the seven bits of a legal move of one of these pieces, or of the null move. */
unsigned stamma_eight_codes_write(const eight_codes *c, const stamma_position *position, stamma_move move);
/* Returns the legal move of seven bits, or STAMMA_MOVE_NULL. */
stamma_move stamma_eight_codes_read(const eight_codes *c, const stamma_position *position, unsigned code);
void stamma_eight_codes_explain(const eight_codes *c, const stamma_position *position, stamma_move move,
                                explanation *e);
/* The seven bits of the null move: the king's vector 15. */
#define EIGHT_CODES_NULL 15

/* many_queens.c: returns the reason why a side may need bytes that differ from those of `tarrasch`, in this position
 * or after captures, or NULL if it does not. With one queen, the reasons are those for which `tarrasch` falls back. */
const char *stamma_many_queens_leaves_tarrasch(const stamma_codec *codec, const stamma_position *position);

/* ---- book_lines.c: opening lines for gap_codes.c (scripts/book_lines.py) ---- */

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

/* numbered_game.c: code complete games, as in struct stamma_codec, with one of the two builds of numbered_game.inc. */
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

/* ---- positions ---- */

struct stamma_position_codec {
    stamma_position_codec_info info;
    const void *variant; /* as in struct stamma_codec */

    /* Writes the code of a position. The position is complete if info.is_text, otherwise the result of
     * stamma_position_coded. If `parts` is not NULL, names the parts of the code, and `out` is &parts->out. Returns
     * OK, also if the writer has failed, or UNSUPPORTED. */
    stamma_error (*write)(const stamma_position_codec *codec, const stamma_position *position, bit_writer *out,
                          explanation *parts);

    /* Reads a code, which may be any bits. On entry the position has no pieces, castling rights and en passant
     * square, White to move, clock 0 and move number 1. Only the sets and plain members need to be set. The caller
     * completes the position, rejects impossible ones, and accepts only the code that `write` produces. Returns
     * false if the bits are no code. NULL if info.is_partial. */
    bool (*read)(bit_reader *in, stamma_position *position);
};

/* fen and shredder-fen are texts: src/encodings/position_texts.c. */
extern const stamma_position_codec stamma_position_codec_stream;           /* stream.c */
extern const stamma_position_codec stamma_position_codec_huffman;          /* huffman.c */
extern const stamma_position_codec stamma_position_codec_huffman_gaps;     /* huffman_gaps.c */
extern const stamma_position_codec stamma_position_codec_huffman_gaps_key; /* huffman_gaps.c */
extern const stamma_position_codec stamma_position_codec_huffman_tables;   /* huffman_tables.c */
extern const stamma_position_codec stamma_position_codec_kings_castling;   /* kings_castling.c */
extern const stamma_position_codec stamma_position_codec_packed;           /* packed.c */
extern const stamma_position_codec stamma_position_codec_number;           /* position_number.c */

/* Puts a piece on an empty square. */
STAMMA_INLINE void position_put(stamma_position *p, unsigned color, unsigned type, unsigned square)
{
    p->by_color[color] |= square_bit(square);
    p->by_type[type] |= square_bit(square);
}

/* Returns the `n`-th square of a set, from 0, along the ranks. The set must have more than `n` squares. */
STAMMA_INLINE unsigned nth_along_ranks(uint64_t set, unsigned n)
{
    while (n-- > 0)
        set = bits_rest(set);
    return bits_first(set | UINT64_C(1) << 63);
}

/* position_code.c: returns the squares that may be the en passant square. On each, an enemy pawn may just have made
 * a double push over the square, and an own pawn is beside the enemy pawn. There are at most 5. */
uint64_t stamma_en_passant_choices(const stamma_position *position);

/* Clock (7 bits) and side to move (1 for White), as most codes contain them. */
void stamma_position_write_state(const stamma_position *position, bit_writer *out, explanation *parts);
bool stamma_position_read_state(bit_reader *in, stamma_position *position);

/* En passant: the number of the choice, from 1, in three bits. No bits if there are no choices. */
void stamma_position_write_en_passant(const stamma_position *position, bit_writer *out, explanation *parts);
bool stamma_position_read_en_passant(bit_reader *in, stamma_position *position);

/* Castling: a bit for each of the rights K Q k q that the positions of king and rook allow in standard chess. */
unsigned stamma_castling_shown(const stamma_position *position);   /* a set of bits 1 << (2 * color + side) */
bool stamma_castling_is_standard(const stamma_position *position); /* every right is in that set */
void stamma_position_write_castling(const stamma_position *position, bit_writer *out, explanation *parts);
void stamma_position_read_castling(bit_reader *in, stamma_position *position);

/* ---- huffman.c: the board in the seed's code; also for huffman_tables.c ---- */

/* How to write a board. The squares of `known` pieces are skipped. A queen is 1111c if both kings are known. */
typedef struct huffman_board {
    uint64_t known;
    bool kings_known[2];
    bool more_follows; /* if set, empty squares at the end are written too */
} huffman_board;

void stamma_huffman_write_board(const stamma_position *position, huffman_board how, bit_writer *out,
                                explanation *parts);
/* Reads pieces until the squares or the bits end. A king that the bits do not contain is placed on the square where
 * they end. Known pieces must already be on the board. *whole is set if all squares were read; more data may then
 * follow. */
bool stamma_huffman_read_board(bit_reader *in, huffman_board how, stamma_position *position, bool *whole);

/* huffman_tables.c: returns the class of a position's rooks, 0 to 80. The castling rights must be those of standard
 * chess. */
unsigned stamma_huffman_class(const stamma_position *position);

/* ---- position_number.c and its counting functions; it explains what is numbered, and why ---- */

/* A number of 192 bits, lowest 32 bits first (wide.c). */
typedef struct wide {
    uint32_t limb[6];
} wide;

void stamma_wide_add(wide *a, const wide *b);
void stamma_wide_add_number(wide *a, uint64_t number);
bool stamma_wide_subtract(wide *a, const wide *b); /* false, with *a unchanged, if b is larger */
void stamma_wide_multiply(wide *a, uint64_t factor);
uint64_t stamma_wide_divide(wide *a, uint64_t divisor); /* *a becomes the quotient; returns the remainder */
wide stamma_wide_product(uint64_t a, uint64_t b, uint64_t c);

/* wide.c: converts a subset of at most 16 bits of `all` to its number among all subsets of the same size, and back. */
uint64_t stamma_subset_rank(uint64_t set, uint64_t all);
uint64_t stamma_subset_unrank(uint64_t number, unsigned count, uint64_t all);

/* The properties by which positions are counted, seen from the side to move, which counts as White. */
typedef struct position_shape {
    unsigned castling[2]; /* 0 none, otherwise 1 to 112: the king and rooks that are fixed on the back rank */
    unsigned fixed[2];    /* number of fixed rooks, 0 to 2; if not 0, the king is fixed too */
    unsigned pawns[2];
    unsigned pairs;      /* opposed pawns: a white pawn below a black one on a file; each pawn is in one pair only */
    unsigned en_passant; /* 0 none, otherwise 2 x the pushed pawn's file, + 1 if the capturing pawn is on its h-side */
    unsigned pieces[2];  /* pieces that are neither pawns nor fixed */
} position_shape;

/* Returns the number of pieces that a castling fixes. */
STAMMA_INLINE unsigned shape_fixed_pieces(const position_shape *s, unsigned color)
{
    return s->fixed[color] ? s->fixed[color] + 1 : 0;
}

/* The king and the rooks that may castle, by file; 8 for no rook (position_shape.c). */
typedef struct back_rank {
    unsigned king, h_rook, a_rook;
} back_rank;

/* Stores the castling of `number`, 1 to 112. If `number` is 0, returns the number of *castling instead, or 0 if it
 * has none. */
unsigned stamma_castling_find(back_rank *castling, unsigned number);

/* Returns the number of squares that remain for other pieces: all except those of pawns and fixed pieces, and the
 * two that must be empty for an en passant square. */
unsigned stamma_shape_squares(const position_shape *shape);
/* stamma_shape_rank returns the number of positions before those of a shape. stamma_shape_unrank finds the shape
 * that contains position *number; *number becomes the index among the positions of the shape. Returns false if there
 * are not that many positions. */
wide stamma_shape_rank(const position_shape *shape);
bool stamma_shape_unrank(wide *number, position_shape *shape);

/* pawn_number.c: the pawns of each file as six ternary digits, starting at the second rank: 0 empty, 1 White, 2
 * Black. */
void stamma_pawns_codes(const stamma_position *position, uint16_t codes[8]);
unsigned stamma_pawns_pairs(unsigned code);
void stamma_pawns_put(const uint16_t codes[8], stamma_position *position);
/* Count the ways to place the pawns of a shape, and convert a placement to its number and back. */
uint64_t stamma_pawns_count(const position_shape *shape);
uint64_t stamma_pawns_rank(const position_shape *shape, const uint16_t codes[8]);
void stamma_pawns_unrank(const position_shape *shape, uint64_t number, uint16_t codes[8]);

/* The kinds of a side's pieces, by piece type from knight to king: the set of the pieces' indices, 0 to 15, in the
 * order of their squares (kind_number.c). */
typedef struct piece_kinds {
    uint64_t places[6];
} piece_kinds;

/* Count the assignments of kinds to the pieces of a shape, and convert an assignment to its number and back.
 * stamma_kinds_rank returns false if no game can lead to the assignment. */
uint64_t stamma_kinds_count(const position_shape *shape);
bool stamma_kinds_rank(const position_shape *shape, const piece_kinds kinds[2], uint64_t *number);
void stamma_kinds_unrank(const position_shape *shape, uint64_t number, piece_kinds kinds[2]);

/* ---- tables (position_number_tables.c) ---- */

/* A class of ways to fill the six squares of a file with pawns: the numbers of pawns, and the number of opposed
 * pairs. `start` is the index of the first way in stamma_file_codes. */
typedef struct file_class {
    uint8_t white, black, pairs;
    uint16_t start;
} file_class;

enum { FILE_CLASSES = 50, PAWN_CLASSES = 285 };

extern const uint64_t stamma_binomials[65][17];
extern const uint16_t stamma_file_codes[729];
extern const file_class stamma_file_classes[FILE_CLASSES + 1];
/* Indices of classes of pawns, by the numbers of White's and Black's pawns. The number of pairs is to be added. */
extern const uint16_t stamma_pawn_classes[9][9];
/* The number of ways to place pawns on 0 to 8 files, by class of pawns. */
extern const uint64_t stamma_file_ways[9][PAWN_CLASSES];
/* The same for eight files if a black pawn that has just made a double push is on a given file, and a white pawn is
 * beside it on a given adjacent file. */
extern const uint64_t stamma_en_passant_ways[PAWN_CLASSES];
/* The number of sequences of N B R Q and a king (without the king if he is fixed with one or two rooks), by number
 * of fixed rooks, by length, and by the maximum excess. The excess is the number of pieces above those of the
 * initial position, including fixed rooks. */
extern const uint64_t stamma_piece_strings[3][17][9];
/* The number of positions before each class of pawns, and of all positions, by the number of fixed rooks of each
 * side. */
extern const wide stamma_positions_before[3][3][PAWN_CLASSES + 1];

#endif
