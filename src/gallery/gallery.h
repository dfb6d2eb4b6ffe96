/* The gallery room: the codecs that are in no archive; each is one way in which the seeds write moves or positions. */
#ifndef STAMMA_GALLERY_H
#define STAMMA_GALLERY_H

#include "codec/codec.h"

/* ---- explain.c: the parts of a code, for people ---- */

/* Where parts go. What has been written to `out` and is not named yet stands in `bytes`. */
struct explanation {
    void (*take)(void *context, const stamma_code_part *part);
    void *context;
    unsigned first; /* bits named so far */
    bit_writer out;
    uint8_t bytes[STAMMA_POSITION_CODE_SIZE];
};

/* Names the bits that have been written to e->out since the last part; nothing where `e` is NULL or none have. */
void stamma_explain(explanation *e, const char *format, ...);
/* Names bits without writing them; nothing where there are none. */
void stamma_explain_bits(explanation *e, uint64_t value, unsigned bits, const char *format, ...);
/* Names a term of a code that is a sum. */
void stamma_explain_term(explanation *e, uint64_t value, const char *format, ...);

void stamma_explain_square(explanation *e, unsigned square, const char *what); /* six bits: "origin e2" */
/* `bits` bits: "number 11 of 20 legal moves, from 0". */
void stamma_explain_index(explanation *e, size_t index, size_t count, unsigned bits, const char *what);
void stamma_explain_piece(explanation *e, const stamma_position *p, unsigned square); /* as stamma_explain */
void stamma_explain_move16(explanation *e, stamma_move move);                         /* move16.c */
/* The number of plies and the null moves that are listed in front of a game's codes (game_code.c). */
void stamma_game_explain_front(const stamma_move *moves, size_t plies, bool has_null, explanation *e);

typedef struct square_name {
    char text[3];
} square_name;

square_name stamma_square_name(unsigned square);
const char *stamma_type_name(unsigned type); /* "pawn"; "nothing" for STAMMA_PIECE_TYPE_NONE */
const char *stamma_color_name(unsigned color);

/* One move, alone. (uci, san and lan are text: src/encodings/text_encodings.c.) */
extern const stamma_codec stamma_codec_move16, stamma_codec_butterfly; /* move16.c */
extern const stamma_codec stamma_codec_move32;                         /* move32.c */
extern const stamma_codec stamma_codec_enumeration;                    /* enumeration.c */
extern const stamma_codec stamma_codec_move14, stamma_codec_move12;    /* two_squares.c */
/* One move, given the position. */
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

/* ---- two_squares.c: a move from its two squares ---- */

/* The target of a move as codes of two squares give it: where the piece goes; for castling the king's destination where
 * king and rook stand as in standard chess, else the square of the own rook, which no other move goes to. */
unsigned stamma_target_square(const stamma_position *position, stamma_move move);

/* The legal move from `from` to `target` (as above), promoting to `promotion` (NONE: not), or STAMMA_MOVE_NULL. Any
 * squares below 64. */
stamma_move stamma_move_of_squares(const stamma_position *position, unsigned from, unsigned target, unsigned promotion);

/* ---- the moves of a piece in four bits, whatever the board (seed 004): for tarrasch.c, tojot.c and many_queens.c ----
 *
 * What moves is a pawn, knight, bishop, rook or king; a queen is a bishop and a rook in one. Its vector is
 *   pawn     0-3: single, double, left, right; 4-7 promotes ahead, 8-11 left, 12-15 right, to N B R Q. Left is towards
 * the a-file for both sides knight   NNE NNW WNW ENE SSE SSW ESE WSW, in three bits; the bit above tells two knights
 * apart bishop   8 where the diagonal falls towards the h-file, plus the target's file rook     the target's file where
 * it stays on its rank, else 8 plus the target's rank king     N S E W NE NW SE SW; 8 castles to the king's side, 9 to
 * the queen's */

enum { VECTOR_KING_CASTLE = 8, VECTOR_QUEEN_CASTLE = 9, VECTOR_NULL = 15 };

/* The place of a square in the order of the files: a1, a2 ... h8. */
STAMMA_INLINE unsigned square_place(unsigned square)
{
    return (square & 7) << 3 | square >> 3;
}

/* By row and vector (vector_tables.c): a row is that of a kind of piece (its piece type; Black's pawns stand in the
 * queen's place) on a square, by its place, or VECTOR_NO_ROW. Moves as far as the board has no say: captures of pieces
 * have no capture flag, en passant is a capture. Castling, and a vector without a move, gives a move that stays where
 * it is; the null move, and where there is no piece, one that is also marked as a promotion. */
extern const stamma_move stamma_vector_moves[6 * 64 + 1][16];
#define VECTOR_NO_ROW (6 * 64)

STAMMA_INLINE unsigned vector_row(unsigned color, unsigned kind, unsigned square)
{
    return (kind == STAMMA_PAWN && color == STAMMA_BLACK ? 4 : kind) * 64 + square_place(square);
}

/* The vectors of a move by origin and target (vector_tables.c), neither promoting nor castling: of pieces but the king
 * in bits 0-3, of a king in 4-7, of a pawn in 8-11; bit 12 is set where it is a rook's move. */
extern const uint16_t stamma_square_vectors[64][64];

/* Whether a move goes along a rank or a file. */
STAMMA_INLINE bool is_straight(stamma_move move)
{
    return stamma_square_vectors[stamma_move_from(move)][stamma_move_to(move)] >> 12;
}

/* What kind of piece makes a move of a piece of `type`: a queen moves as a rook or as a bishop. */
STAMMA_INLINE unsigned vector_kind(unsigned type, stamma_move move)
{
    return type == STAMMA_QUEEN ? (is_straight(move) ? STAMMA_ROOK : STAMMA_BISHOP) : type;
}

/* The vector of a move of a piece of `type`; below 16 whatever the move. */
STAMMA_INLINE unsigned move_vector(unsigned type, stamma_move move)
{
    unsigned vectors = stamma_square_vectors[stamma_move_from(move)][stamma_move_to(move)];
    if (stamma_move_is_promotion(move))
        return (4 + ((vectors >> 8 & 3) + 1) / 2 * 4 + (stamma_move_flags(move) & 3)) & 15;
    if (stamma_move_is_castling(move))
        return castling_side(move) == STAMMA_KING_SIDE ? VECTOR_KING_CASTLE : VECTOR_QUEEN_CASTLE;
    return vectors >> (UINT64_C(0x040000000008) >> 8 * type & 15) & 15; /* 8 for a pawn, 4 for a king, else 0 */
}

/* vectors.c: the legal move of a vector of an own piece on `from`, any square or NONE; STAMMA_MOVE_NULL where it has
 * none. The piece is of `kind`, or a queen. */
stamma_move stamma_vector_legal_move(const stamma_position *position, unsigned kind, unsigned from, unsigned vector);

/* vectors.c: names a vector of a kind of piece in four bits, of a knight in three. */
void stamma_explain_vector(explanation *e, unsigned kind, unsigned vector);

/* ---- eight_codes.c: which piece moves in three bits, and its vector in four; for many_queens.c, many_promotions.c
 * ----
 *
 * Codes are given out to king, pairs of knights, bishops, rooks, queens (two each: as a rook, as a bishop) and pawns,
 * each kind numbered along the files. */

typedef struct eight_codes {
    uint64_t knights, bishops, rooks, queens, pawns;
    unsigned bishop, rook, queen, pawn, end; /* the first code of each kind, and behind the last one */
} eight_codes;

enum { EIGHT_CODES = 8 };

/* The codes of some own pieces, the king among them. They fit where end <= EIGHT_CODES. */
eight_codes stamma_eight_codes(const stamma_position *position, uint64_t pieces);
/* The seven bits of a legal move of one of these pieces, or of the null move. */
unsigned stamma_eight_codes_write(const eight_codes *c, const stamma_position *position, stamma_move move);
/* The legal move of seven bits, or STAMMA_MOVE_NULL. */
stamma_move stamma_eight_codes_read(const eight_codes *c, const stamma_position *position, unsigned code);
void stamma_eight_codes_explain(const eight_codes *c, const stamma_position *position, stamma_move move,
                                explanation *e);
/* The seven bits of the null move: the king's vector 15. */
#define EIGHT_CODES_NULL 15

/* many_queens.c: why a side may need other bytes than those of `tarrasch`, here or once something is taken: with one
 * queen it is as under `tarrasch`. NULL where it does not. */
const char *stamma_many_queens_leaves_tarrasch(const stamma_position *position);

/* ---- book_lines.c: opening lines for gap_codes.c (scripts/book_lines.py) ---- */

enum { BOOK_LINE_MAX = 20, BOOK_PLIES = 16 };

/* A line from the initial position. */
typedef struct book_line {
    uint8_t plies;
    stamma_move moves[BOOK_LINE_MAX];
} book_line;

/* Lines by the ply at which their codes stand; those of a ply begin at its entry. */
extern const book_line stamma_book_lines[];
extern const uint16_t stamma_book_first[BOOK_PLIES + 1];

/* ---- numbered_game.inc in its two builds: games of `tarrasch`, `tojot` and their kin, as in struct stamma_codec ----
 */

/* How bytes name the pieces. */
enum naming { NAMED_TARRASCH, NAMED_TOJOT, NAMED_TOJOT_SPLIT };

typedef struct numbered_code {
    const stamma_codec *codec;
    enum naming naming;
    /* Why the side to move is left to the codec move by move, or NULL. Of all moves promotions
     * alone may bring a reason about, and under `tojot` pawns that come to the seventh rank: seventeen classes. */
    const char *(*slow)(const stamma_position *position);
} numbered_code;

stamma_error stamma_numbered_read_game_portable(const numbered_code *code, const stamma_position *start, bit_reader *in,
                                                stamma_move *moves, size_t plies);
stamma_error stamma_numbered_write_game_portable(const numbered_code *code, const stamma_position *start,
                                                 const stamma_move *moves, size_t plies, bit_writer *out);
#if STAMMA_HAVE_BMI2
stamma_error stamma_numbered_read_game_bmi2(const numbered_code *code, const stamma_position *start, bit_reader *in,
                                            stamma_move *moves, size_t plies);
stamma_error stamma_numbered_write_game_bmi2(const numbered_code *code, const stamma_position *start,
                                             const stamma_move *moves, size_t plies, bit_writer *out);
#define NUMBERED_GAME(name, ...)                                             \
    (stamma_cpu_has_bmi2() ? stamma_numbered_##name##_game_bmi2(__VA_ARGS__) \
                           : stamma_numbered_##name##_game_portable(__VA_ARGS__))
#else
#define NUMBERED_GAME(name, ...) stamma_numbered_##name##_game_portable(__VA_ARGS__)
#endif

/* ---- positions ---- */

struct stamma_position_codec {
    stamma_position_codec_info info;

    /* Writes the code of a position: of the whole of it where info.is_text, else of what stamma_position_coded leaves.
     * Names its parts where `parts` is not NULL; `out` is then its writer. OK, also when the writer has failed;
     * UNSUPPORTED. */
    stamma_error (*write)(const stamma_position *position, bit_writer *out, explanation *parts);

    /* Reads a code, whatever the bits are, on a position without pieces, rights and en passant, of White, with clock 0
     * and turn 1. Only sets and plain members need be set: the caller sets the position up, or finds that it cannot be,
     * and takes no code but the one that `write` gives. False when the bits are no code. NULL where info.is_partial. */
    bool (*read)(bit_reader *in, stamma_position *position);
};

/* (fen and shredder-fen are texts: src/encodings/position_texts.c.) */
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

/* The `n`-th square of a set, from 0, along the ranks; it must have so many. */
STAMMA_INLINE unsigned nth_along_ranks(uint64_t set, unsigned n)
{
    while (n-- > 0)
        set = bits_rest(set);
    return bits_first(set | UINT64_C(1) << 63);
}

/* position_code.c: the squares behind enemy pawns that may just have made a double push and beside which an own pawn
 * stands: of these, at most 5, one may be the en passant square. */
uint64_t stamma_en_passant_choices(const stamma_position *position);

/* The state that most codes have: clock, 7 bits, and side, 1 for White. */
void stamma_position_write_state(const stamma_position *position, bit_writer *out, explanation *parts);
bool stamma_position_read_state(bit_reader *in, stamma_position *position);

/* En passant: the number of the choice, from 1, in three bits, where there are any. */
void stamma_position_write_en_passant(const stamma_position *position, bit_writer *out, explanation *parts);
bool stamma_position_read_en_passant(bit_reader *in, stamma_position *position);

/* Castling: a bit for each right, K Q k q, that king and rook on their squares of standard chess show. */
unsigned stamma_castling_shown(const stamma_position *position);   /* a set of bits 1 << (2 * color + side) */
bool stamma_castling_is_standard(const stamma_position *position); /* every right is among those */
void stamma_position_write_castling(const stamma_position *position, bit_writer *out, explanation *parts);
void stamma_position_read_castling(bit_reader *in, stamma_position *position);

/* ---- huffman.c: the board in the code of the seed, for huffman_tables.c too ---- */

/* How a board is written: squares of `known` pieces are passed over; a queen is 1111c where both kings are known. */
typedef struct huffman_board {
    uint64_t known;
    bool kings_known[2];
    bool more_follows; /* then no square is left out at the end */
} huffman_board;

void stamma_huffman_write_board(const stamma_position *position, huffman_board how, bit_writer *out,
                                explanation *parts);
/* Reads pieces until the squares or the bits end; a king whom the bits do not give stands where they end. Where known
 * pieces are passed over they have been put before. *whole: all squares were read, so that more may follow. */
bool stamma_huffman_read_board(bit_reader *in, huffman_board how, stamma_position *position, bool *whole);

/* huffman_tables.c: the class of a position's rooks, 0 to 80; its rights must be those of standard chess. */
unsigned stamma_huffman_class(const stamma_position *position);

/* ---- position_number.c and what it counts with (there it is told what is numbered, and why) ---- */

/* A number of 192 bits, its lowest 32 first (wide.c). */
typedef struct wide {
    uint32_t limb[6];
} wide;

void stamma_wide_add(wide *a, const wide *b);
void stamma_wide_add_number(wide *a, uint64_t number);
bool stamma_wide_subtract(wide *a, const wide *b); /* false, and a as it was, where b is the larger */
void stamma_wide_multiply(wide *a, uint64_t factor);
uint64_t stamma_wide_divide(wide *a, uint64_t divisor); /* leaves the quotient and returns the remainder */
wide stamma_wide_product(uint64_t a, uint64_t b, uint64_t c);

/* The number of a set of bits among all sets of as many bits, at most 16, of `all`; and the set of a number (wide.c).
 */
uint64_t stamma_subset_rank(uint64_t set, uint64_t all);
uint64_t stamma_subset_unrank(uint64_t number, unsigned count, uint64_t all);

/* What positions are counted by, seen from the side to move, which counts as White. */
typedef struct position_shape {
    unsigned castling[2]; /* 0 none, else 1 to 112: which king and rooks are fixed on the back rank */
    unsigned fixed[2];    /* how many rooks are fixed so, 0 to 2, and the king with them */
    unsigned pawns[2];
    unsigned pairs;      /* opposed: on one file a white pawn below a black one, each pawn in one pair */
    unsigned en_passant; /* 0 none, else 2 x the pushed pawn's file, + 1 where the capturer is on the h-side of it */
    unsigned pieces[2];  /* pieces that are neither pawns nor fixed */
} position_shape;

/* The pieces that a castling fixes. */
STAMMA_INLINE unsigned shape_fixed_pieces(const position_shape *s, unsigned color)
{
    return s->fixed[color] ? s->fixed[color] + 1 : 0;
}

/* King and rooks that may castle, by file; 8 for no rook (position_shape.c). */
typedef struct back_rank {
    unsigned king, h_rook, a_rook;
} back_rank;

/* The castling of a number from 1 to 112, or where that is 0, the number of a castling; 0 where there is none. */
unsigned stamma_castling_find(back_rank *castling, unsigned number);

/* How many squares neither pawns nor fixed pieces take, nor the two that an en passant square needs empty. */
unsigned stamma_shape_squares(const position_shape *shape);
/* How many positions come before those of a shape; and the shape in which a number falls, which is left with its place
 * there. False behind the last position. */
wide stamma_shape_rank(const position_shape *shape);
bool stamma_shape_unrank(wide *number, position_shape *shape);

/* Pawns by file as codes of six ternary digits, from the second rank on: 0 empty, 1 White, 2 Black (pawn_number.c). */
void stamma_pawns_codes(const stamma_position *position, uint16_t codes[8]);
unsigned stamma_pawns_pairs(unsigned code);
void stamma_pawns_put(const uint16_t codes[8], stamma_position *position);
/* How many ways there are to place the pawns of a shape, and the number of one of them. */
uint64_t stamma_pawns_count(const position_shape *shape);
uint64_t stamma_pawns_rank(const position_shape *shape, const uint16_t codes[8]);
void stamma_pawns_unrank(const position_shape *shape, uint64_t number, uint16_t codes[8]);

/* The kinds of a side's pieces: by piece type from knight to king, the set of their places, 0 to 15, in the order of
 * their squares (kind_number.c). */
typedef struct piece_kinds {
    uint64_t places[6];
} piece_kinds;

/* How many kinds the pieces of a shape can have, and the number of one of them: false where no game leads to it. */
uint64_t stamma_kinds_count(const position_shape *shape);
bool stamma_kinds_rank(const position_shape *shape, const piece_kinds kinds[2], uint64_t *number);
void stamma_kinds_unrank(const position_shape *shape, uint64_t number, piece_kinds kinds[2]);

/* ---- tables (position_number_tables.c) ---- */

/* Ways to fill the six squares of a file with pawns, by how many there are and how many pairs of them are opposed;
 * `start` is where the class begins in stamma_file_codes. */
typedef struct file_class {
    uint8_t white, black, pairs;
    uint16_t start;
} file_class;

enum { FILE_CLASSES = 50, PAWN_CLASSES = 285 };

extern const uint64_t stamma_binomials[65][17];
extern const uint16_t stamma_file_codes[729];
extern const file_class stamma_file_classes[FILE_CLASSES + 1];
/* The number of a class of pawns, by White's and Black's: to be added, the pairs. */
extern const uint16_t stamma_pawn_classes[9][9];
/* How many ways there are to place pawns on 0 to 8 files, by class of pawns. */
extern const uint64_t stamma_file_ways[9][PAWN_CLASSES];
/* The same on eight files where a given one has a black pawn that has just made a double push, and a given neighbour a
 * white one beside it. */
extern const uint64_t stamma_en_passant_ways[PAWN_CLASSES];
/* How many sequences of N B R Q and a king there are (no king where he is fixed with one or two rooks), by the fixed
 * rooks, by length, and by the greatest excess that they may have: pieces above those of the start, the fixed rooks
 * counted. */
extern const uint64_t stamma_piece_strings[3][17][9];
/* How many positions come before each class of pawns, and in all, by the fixed rooks of either side. */
extern const wide stamma_positions_before[3][3][PAWN_CLASSES + 1];

#endif
