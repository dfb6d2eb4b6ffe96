/* The codec room: the interface of codecs, and the byte codes of moves in which archives store games. The other codecs
 * are in the gallery room. */
#ifndef STAMMA_CODEC_H
#define STAMMA_CODEC_H

#include "board/board.h"

/* ---- what a codec is: the interface that the files of the gallery room implement ----
 *
 * A codec is a constant of this type. codec_calls.c and gallery/game_code.c put the public functions on top of it, and
 * the table in src/encodings/move_encodings.c lists them all. */
typedef struct explanation explanation;

struct stamma_codec {
    stamma_codec_info info;
    bool has_null; /* `write` and `read` know the null move; else games list their null moves in front */

    /* Appends the code of a move. The caller has looked: the move is legal, or (with has_null) the null move outside
     * check. OK, also when the writer has failed; UNSUPPORTED, having written nothing. NULL for STAMMA_CODEC_GAME. */
    stamma_error (*write)(const stamma_position *position, stamma_move move, bit_writer *out);

    /* Reads a code, whatever the bits are, and gives a legal move (with has_null, or the null move outside check).
     * CORRUPT, also when the reader has failed; UNSUPPORTED. */
    stamma_error (*read)(const stamma_position *position, bit_reader *in, stamma_move *move);

    /* Why the position's codes are of the fall-back kind, or NULL. The member is NULL where there is none. */
    const char *(*fallback)(const stamma_position *position);
    const char *fallback_means; /* what those codes are: "two bytes" */

    /* Names the parts of a legal move's code that is not of the fall-back kind. NULL for STAMMA_CODEC_GAME. */
    void (*explain)(const stamma_position *position, stamma_move move, explanation *e);

    /* Whole games; both NULL where they are the codes of the moves one after another. Without has_null, null moves
     * take no room: when writing pass them by, when reading `moves` holds STAMMA_MOVE_NULL in their places (and
     * something else in all others). The caller has not looked: ILLEGAL for a move that is not legal or a null move in
     * check, when reading CORRUPT. Bits that are left over are the caller's to find. */
    stamma_error (*write_game)(const stamma_position *start, const stamma_move *moves, size_t plies, bit_writer *out);
    stamma_error (*read_game)(const stamma_position *start, bit_reader *in, stamma_move *moves, size_t plies);
    /* The parts of a game's codes; errors as of write_game. NULL where `explain` does it move by move. */
    stamma_error (*explain_game)(const stamma_position *start, const stamma_move *moves, size_t plies, explanation *e);
};

/* Whether a move may be played: legal, or the null move outside check. */
bool stamma_codec_may_play(const stamma_position *position, stamma_move move);

/* ---- move_sets.c: all moves of a position as sets of squares ---- */

/* The moves of one piece: a set of targets, a castling rook's own square standing for castling. */
typedef struct move_set {
    uint64_t targets;
    uint16_t before; /* how many moves the pieces before it have */
    uint8_t from;
    uint8_t times; /* moves to each target: 4 where it promotes, else 1 */
} move_set;

/* The pieces of the side to move in canonical order of moves: by file, then by rank. */
typedef struct move_sets {
    size_t moves;
    unsigned pieces;
    move_set of[16];
} move_sets;

/* All legal moves. */
void stamma_move_sets_legal(const stamma_position *position, move_sets *sets);

/* All pseudo-legal moves: checks are ignored, castling needs the right and the empty squares (seed 000). */
void stamma_move_sets_pseudo_legal(const stamma_position *position, move_sets *sets);

/* The same, but castling needs the right alone: what the pieces attack (last comment of seed 004). */
void stamma_move_sets_attacks(const stamma_position *position, move_sets *sets);

/* The place of a move among them in canonical order; sets->moves for one that is not among them. */
size_t stamma_move_sets_index(const move_sets *sets, const stamma_position *position, stamma_move move);

/* The move at a place, which must be below sets->moves. */
stamma_move stamma_move_sets_at(const move_sets *sets, const stamma_position *position, size_t index);

/* ---- constant tables (target_tables.c) ---- */

/* How many squares a piece attacks on an empty board (stamma_reach) from all lower squares. For knight, bishop, rook,
 * queen, king: the index is piece type - 1. */
extern const uint16_t stamma_empty_pairs[5][64];

/* The pairs of a target and a direction that some move has, numbered by target and then direction (65535: none has it),
 * and 16 x target + direction of each number. Directions 0-7 are N NE E SE S SW W NW, 8-15 the knight's from NNE on. */
extern const uint16_t stamma_direction_numbers[64][16];
extern const uint16_t stamma_direction_pairs[756];

/* ---- the moves of one piece by number, whatever the board: what bcgn.c and bcgn_square.c have in common ----
 *
 * A piece owns as many codes as its type has moves from one square at most (seed 000), and each of its moves has an
 * index below that bound. Pieces: the number of targets on an empty board that are lower squares; castling takes the
 * king's spare indices 6 and 7, for on the back rank he has five steps. Pawns: 4 times 0, 1, 2 for a capture towards
 * the a-file, a push, a capture towards the h-file; plus 1 for a double push, or 0-3 for N B R Q. */

enum { BOUND_PAWN = 12, BOUND_KNIGHT = 8, BOUND_BISHOP = 13, BOUND_ROOK = 14, BOUND_QUEEN = 27, BOUND_KING = 8 };
enum { INDEX_KING_CASTLE = 6, INDEX_QUEEN_CASTLE = 7 };

/* By piece (pawn of White, knight ... king, pawn of Black) and index, and by origin (target_tables.c). As far as the
 * board has no say: captures of pieces have no capture flag, en passant is a capture. Castling, and an index without a
 * move, gives a move that stays where it is. Four rows of zeros follow. */
extern const stamma_move stamma_piece_moves[98][64];

/* The bound of a piece type; 0 for STAMMA_PIECE_TYPE_NONE. */
STAMMA_INLINE unsigned type_bound(unsigned type)
{
    return (unsigned)(UINT64_C(0x00081B0E0D080C) >> 8 * type & 255);
}
STAMMA_INLINE stamma_move indexed_move(unsigned color, unsigned type, unsigned from, unsigned index)
{
    uint64_t rows = color == STAMMA_WHITE ? UINT64_C(0x4A2F21140C00) : UINT64_C(0x4A2F21140C52);
    return stamma_piece_moves[(rows >> 8 * type & 255) + index][from];
}

/* The index of a move of a piece; at most 15 for a pawn, at most the bound for others, where there is no such move. */
STAMMA_INLINE unsigned move_index(unsigned type, stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), flags = stamma_move_flags(move);
    if (type == STAMMA_PAWN) {
        unsigned way = (to & 7) + 1 - (from & 7);
        return (4 * way + (flags == STAMMA_FLAG_DOUBLE_PUSH || flags & STAMMA_FLAG_PROMOTION ? flags & 3 : 0)) & 15;
    }
    if (STAMMA_UNLIKELY(stamma_move_is_castling(move)))
        return castling_side(move) == STAMMA_KING_SIDE ? INDEX_KING_CASTLE : INDEX_QUEEN_CASTLE;
    return bits_count(stamma_reach[type][from] & (square_bit(to) - 1));
}

/* The sum of the bounds of some pieces. */
STAMMA_INLINE unsigned pieces_bounds(const stamma_position *p, uint64_t pieces)
{
    return BOUND_PAWN * bits_count(pieces & p->by_type[STAMMA_PAWN]) +
           BOUND_KNIGHT * bits_count(pieces & (p->by_type[STAMMA_KNIGHT] | p->by_type[STAMMA_KING])) +
           BOUND_BISHOP * bits_count(pieces & p->by_type[STAMMA_BISHOP]) +
           BOUND_ROOK * bits_count(pieces & p->by_type[STAMMA_ROOK]) +
           BOUND_QUEEN * bits_count(pieces & p->by_type[STAMMA_QUEEN]);
}

/* A move of the table as the board has it, legal or not. */
STAMMA_INLINE stamma_move move_on_board(const stamma_position *p, unsigned type, stamma_move move)
{
    unsigned to = stamma_move_to(move);
    if (type == STAMMA_PAWN)
        return stamma_move_is_capture(move) && to == p->en_passant ? (stamma_move)(move | 1u << 12) : move;
    if (stamma_move_is_castling(move))
        return stamma_move_make(to, castling_king_to(p->side, castling_side(move)), stamma_move_flags(move));
    return (stamma_move)(move | (p->by_color[p->side ^ 1] >> to & 1) << 14);
}

/* The move of an index of the own piece on `from`, legal or not. */
STAMMA_INLINE stamma_move piece_move_at(const stamma_position *p, unsigned from, unsigned index)
{
    unsigned type = position_type_at(p, from);
    return move_on_board(p, type, indexed_move(p->side, type, from, index));
}

/* ---- numbers of pieces, along the files (a1, a2 ... h8): those of the canonical order ---- */

/* The squares that come before one. */
STAMMA_INLINE uint64_t squares_before(unsigned square)
{
    return ((FILE_A << (square & 7)) & (square_bit(square) - 1)) | FILE_A * ((1u << (square & 7)) - 1);
}

/* move_sets.c: the square number `n` of a set, from 0; STAMMA_SQUARE_NONE where it has no more than n. */
unsigned stamma_nth_square(uint64_t set, unsigned n);

/* Sums of bounds up to each of eight ranks, files or types are kept in the eight bytes of a word: none exceeds 255
 * where it matters. */
#define BYTE_ONES UINT64_C(0x0101010101010101)

/* Eight times the number of the first byte of `sums` that is above `value`, or `last` where no byte before that is. The
 * bytes must ascend. A subtraction of the value and of one more from the lowest byte borrows from byte to byte just as
 * far as they are not above it. */
STAMMA_INLINE unsigned first_above(uint64_t sums, unsigned value, unsigned last)
{
    uint64_t values = value * BYTE_ONES, borrows = sums ^ values ^ (sums - values - 1);
    return bits_first((~borrows >> 8 & BYTE_ONES) | square_bit(last));
}

/* ---- piece_game.inc in its two builds: games of `bcgn` (by type) and `bcgn-square` (by square), as in struct
 * stamma_codec. The bits begin at a byte. ---- */

/* The board that such games are played on. */
typedef struct piece_board {
    uint64_t colors[2];
    uint64_t types[7];   /* the last for no piece, so that taking one needs no question */
    uint64_t sums[2];    /* by colour: in each byte the bounds up to a rank (by square) or a type (by type) */
    uint64_t rows[2][8]; /* by colour and rank: in each byte the bounds up to a file; by square only */
    uint64_t rights;     /* squares of kings and rooks that may castle */
    bool wide;           /* the bounds of a side may not fit */
    bool checked;        /* the side to move is in check */
    stamma_square castling[2][2];
    stamma_square en_passant; /* of the position that was set up; after the first move `last` tells */
    stamma_move last;
    uint8_t at[64]; /* the type of the piece on each square */
} piece_board;

/* The position, but for clocks and key. */
STAMMA_INLINE void piece_board_position(const piece_board *b, unsigned side, stamma_position *p)
{
    memset(p, 0, sizeof *p);
    memcpy(p->by_color, b->colors, sizeof p->by_color);
    memcpy(p->by_type, b->types, sizeof p->by_type);
    memcpy(p->castling, b->castling, sizeof p->castling);
    p->side = (uint8_t)side;
    p->en_passant = b->last == STAMMA_MOVE_NULL ? b->en_passant : STAMMA_SQUARE_NONE;
    if (stamma_move_flags(b->last) == STAMMA_FLAG_DOUBLE_PUSH)
        p->en_passant = (stamma_square)((stamma_move_from(b->last) + stamma_move_to(b->last)) / 2);
}

/* A legal move, its byte by `bcgn-square` and its SAN facts (board.h). */
typedef struct played_move {
    stamma_move move;
    uint8_t code;
    uint8_t san_facts;
} played_move;

/* Of the pieces of a colour and type (STAMMA_KING + 1: none), those on some squares are just these. */
typedef struct board_test {
    uint64_t mask, value;
    uint8_t color, type;
} board_test;

enum { BOARD_TESTS_MAX = 24, PAWN_CAPTURES = 4 };

/* A position that is looked for in games: all that is said of it must hold. */
typedef struct board_goal {
    unsigned test_count;
    board_test tests[BOARD_TESTS_MAX];
    uint64_t squares;  /* of these squares */
    uint64_t occupied; /* just these are occupied */
    uint8_t men[2];    /* by colour: at least so many, */
    uint8_t pawns[2];  /* among them so many pawns, */
    /* which come from these squares where the colour captured never, once, twice or more often: */
    uint64_t origins[2][PAWN_CAPTURES];
    uint8_t sides; /* bit 0: White may be to move; bit 1: Black */
    bool material; /* numbers of pieces are asked: */
    uint8_t least[2][6], most[2][6];
    bool is_exact; /* it is this position, of which all pieces are tests: */
    bool any_castling, any_en_passant;
    stamma_position exact;
} board_goal;

/* ---- keys of what stands on a board, of piece_board or stamma_position: not of rights, nor of en passant ---- */

/* Odd, of bits that look random (Steele and Vigna, "Computationally easy, spectrally good multipliers", 2021). */
#define KEY_MULTIPLIER UINT64_C(0xF1357AEA2E62A9C5)

/* Of the pawns alone. */
STAMMA_INLINE uint32_t structure_key(const uint64_t colors[2], const uint64_t *types)
{
    uint64_t key = (colors[STAMMA_WHITE] & types[STAMMA_PAWN]) * KEY_MULTIPLIER;
    key = (key ^ key >> 32 ^ (colors[STAMMA_BLACK] & types[STAMMA_PAWN])) * KEY_MULTIPLIER;
    return (uint32_t)(key >> 32);
}
/* Of all pieces, and the side to move. */
STAMMA_INLINE uint32_t placement_key(const uint64_t colors[2], const uint64_t *types, unsigned side)
{
    uint64_t key = (colors[STAMMA_WHITE] + side) * KEY_MULTIPLIER;
    for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
        key = (key ^ key >> 32 ^ types[type]) * KEY_MULTIPLIER;
    return (uint32_t)(key >> 32);
}

/* Codes are played without a look at kings, nor at what stands in a move's way, for speed: where they are no legal
 * moves, positions are wrong, and nothing worse. `meets`: a position is what is looked for. `find` plays codes from
 * board `b`, on which `us` is to move, until a position behind 1 to `plies` of them meets the goal, and gives how many,
 * or FOUND_NONE; FOUND_LOST: none that follows will either. `structures` plays codes and gives the keys of the pawn
 * structures behind the first of them and behind each that changes it, plies at most; there is room for one more.
 * CORRUPT. */
#define FOUND_NONE SIZE_MAX
#define FOUND_LOST (SIZE_MAX - 1)
stamma_error stamma_piece_game_read_by_type_portable(const stamma_codec *codec, const stamma_position *start,
                                                     bit_reader *in, stamma_move *moves, size_t plies);
stamma_error stamma_piece_game_read_by_square_portable(const stamma_position *start, bit_reader *in, stamma_move *moves,
                                                       size_t plies);
uint8_t stamma_piece_game_code_portable(const stamma_position *p, stamma_move move);
void stamma_piece_game_set_up_portable(piece_board *b, const stamma_position *p);
bool stamma_piece_game_play_named_portable(piece_board *b, unsigned us, const move_name *name, played_move *played);
stamma_error stamma_piece_game_read_san_facts_portable(const stamma_position *start, bit_reader *in, stamma_move *moves,
                                                       size_t plies, uint8_t *san_facts, stamma_position *end);
stamma_error stamma_piece_game_write_by_type_portable(const stamma_codec *codec, const stamma_position *start,
                                                      const stamma_move *moves, size_t plies, bit_writer *out);
stamma_error stamma_piece_game_write_by_square_portable(const stamma_position *start, const stamma_move *moves,
                                                        size_t plies, bit_writer *out);
bool stamma_piece_game_meets_portable(const piece_board *b, unsigned us, const board_goal *goal);
stamma_error stamma_piece_game_find_portable(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                             const board_goal *goal, size_t *found);
stamma_error stamma_piece_game_structures_portable(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                                   uint32_t *keys, size_t *count);
#if STAMMA_HAVE_BMI2
bool stamma_piece_game_meets_bmi2(const piece_board *b, unsigned us, const board_goal *goal);
stamma_error stamma_piece_game_find_bmi2(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                         const board_goal *goal, size_t *found);
stamma_error stamma_piece_game_structures_bmi2(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                               uint32_t *keys, size_t *count);
stamma_error stamma_piece_game_read_by_type_bmi2(const stamma_codec *codec, const stamma_position *start,
                                                 bit_reader *in, stamma_move *moves, size_t plies);
stamma_error stamma_piece_game_read_by_square_bmi2(const stamma_position *start, bit_reader *in, stamma_move *moves,
                                                   size_t plies);
uint8_t stamma_piece_game_code_bmi2(const stamma_position *p, stamma_move move);
void stamma_piece_game_set_up_bmi2(piece_board *b, const stamma_position *p);
bool stamma_piece_game_play_named_bmi2(piece_board *b, unsigned us, const move_name *name, played_move *played);
stamma_error stamma_piece_game_read_san_facts_bmi2(const stamma_position *start, bit_reader *in, stamma_move *moves,
                                                   size_t plies, uint8_t *san_facts, stamma_position *end);
stamma_error stamma_piece_game_write_by_type_bmi2(const stamma_codec *codec, const stamma_position *start,
                                                  const stamma_move *moves, size_t plies, bit_writer *out);
stamma_error stamma_piece_game_write_by_square_bmi2(const stamma_position *start, const stamma_move *moves,
                                                    size_t plies, bit_writer *out);
#define PIECE_GAME(name, ...)                                             \
    (stamma_cpu_has_bmi2() ? stamma_piece_game_##name##_bmi2(__VA_ARGS__) \
                           : stamma_piece_game_##name##_portable(__VA_ARGS__))
#else
#define PIECE_GAME(name, ...) stamma_piece_game_##name##_portable(__VA_ARGS__)
#endif

/* Plays codes that are looked at no more. CORRUPT. */
STAMMA_INLINE stamma_error piece_board_play(piece_board *b, unsigned us, const uint8_t *codes, size_t plies)
{
    static const board_goal nothing = {.sides = 0};
    size_t found;
    return PIECE_GAME(find, b, us, codes, plies, &nothing, &found);
}

/* ---- game_line.c: moves played as they come, each by its name ---- */

typedef struct game_line {
    piece_board board;
    stamma_position before; /* before the last move, if it was not set up since; without its key */
    uint16_t halfmove_clock;
    uint16_t fullmove_number;
    uint8_t side; /* to move */
} game_line;

/* Sets up a position in which the king that may be taken is safe; `before` is what there was before the last move, or
 * the same. */
void stamma_line_set(game_line *l, const stamma_position *before, const stamma_position *position);
/* Plays the one legal move that a name fits. False, with nothing changed, where there is none, or where finding it, or
 * its byte, is left to the position itself: more than one piece stands ready, or more than two queens. */
bool stamma_line_play(game_line *l, const move_name *name, played_move *played);
stamma_position stamma_line_position(const game_line *l);

/* ---- byte_code.c: one byte a move, the code of archive level 1 (doc/format.md, clause 5.2) ---- */

#define BYTE_CODE_NULL 255

/* Whether the bounds of the side to move sum to at most 255; two queens among sixteen pieces never bring more than 244.
 */
STAMMA_INLINE bool bounds_fit(const stamma_position *p)
{
    uint64_t own = p->by_color[p->side];
    return STAMMA_LIKELY(!bits_rest(bits_rest(own & p->by_type[STAMMA_QUEEN]))) || pieces_bounds(p, own) <= 255;
}

/* The byte of a legal move, or of the null move. UNSUPPORTED where the position has no codes (more than 255 legal
 * moves), ILLEGAL for a null move in check. Other moves that are not legal get any byte, or ILLEGAL: the caller has
 * looked. */
stamma_error stamma_byte_encode(const stamma_position *position, stamma_move move, uint8_t *code);

/* The move of a byte. Never gives any but a legal move, or the null move where it is allowed: CORRUPT for other bytes,
 * UNSUPPORTED as above. */
stamma_error stamma_byte_decode(const stamma_position *position, uint8_t code, stamma_move *move);

/* The same as a codec, of which only has_null, `write` and `read` are set. */
extern const stamma_codec stamma_byte_code;
stamma_error stamma_byte_write(const stamma_position *position, stamma_move move, bit_writer *out);
stamma_error stamma_byte_read(const stamma_position *position, bit_reader *in, stamma_move *move);

/* The moves of a game's beginning alone, from their bytes. CORRUPT and UNSUPPORTED as above. */
stamma_error stamma_byte_decode_moves(const stamma_position *start, const uint8_t *codes, size_t plies,
                                      stamma_move *moves);

/* The moves of a whole game from its bytes, one a ply, many times as fast, their SAN facts (board.h), and the position
 * behind them, but for its key. CORRUPT and UNSUPPORTED as above; what the outputs hold then is undefined. */
stamma_error stamma_byte_decode_game(const stamma_position *start, const uint8_t *codes, size_t plies,
                                     stamma_move *moves, uint8_t *san_facts, stamma_position *end);

#endif
