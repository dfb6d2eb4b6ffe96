/* SPDX-License-Identifier: MIT */
/* The codec room: the interface of codecs, and the byte codes of moves that archives use to store games. The other
 * codecs are in the encodings room. */
#ifndef STAMMA_CODEC_H
#define STAMMA_CODEC_H

#include "board/board.h"

/* ---- the interface of a codec ----
 *
 * A codec is a constant of this type. Most are in the encodings room. The public functions are built on this
 * interface in codec_calls.c and encodings/game_code.c. src/encodings/move_encodings.c lists all codecs.
 *
 * Each function is called with its codec. Codecs can therefore share functions and differ only in `variant`. */
typedef struct explanation explanation;

struct stamma_codec {
    stamma_codec_info info;
    bool has_null;       /* `write` and `read` accept null moves; otherwise games list them in front */
    const void *variant; /* data of a type that the functions define; NULL if they need none */

    /* Appends the code of a move. The caller guarantees that the move is legal or, if has_null, the null move
     * outside check. Returns OK, also if the writer has failed, or UNSUPPORTED, in which case nothing is written.
     * NULL for STAMMA_CODEC_GAME. */
    stamma_error (*write)(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                          bit_writer *out);

    /* Reads a code, which may be any bits. Stores a legal move or, if has_null, possibly the null move outside
     * check. Returns CORRUPT, also if the reader has failed, or UNSUPPORTED. */
    stamma_error (*read)(const stamma_codec *codec, const stamma_position *position, bit_reader *in, stamma_move *move);

    /* Returns the reason why codes in this position are of the fall-back kind, or NULL if they are not. The member
     * is NULL if the codec has no fall-back. */
    const char *(*fallback)(const stamma_codec *codec, const stamma_position *position);
    const char *fallback_means; /* describes those codes: "two bytes" */

    /* Names the parts of a legal move's code that is not of the fall-back kind. NULL for STAMMA_CODEC_GAME. */
    void (*explain)(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e);

    /* Code complete games. Both are NULL if a game's code is the sequence of its moves' codes. Without has_null,
     * null moves have no code: `write_game` skips them, and `read_game` is called with STAMMA_MOVE_NULL in their
     * places in `moves` (and another value in all other places). The moves have not been checked. An illegal move or
     * a null move in check is ILLEGAL when writing and CORRUPT when reading. The caller checks for remaining bits. */
    stamma_error (*write_game)(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                               size_t plies, bit_writer *out);
    stamma_error (*read_game)(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                              stamma_move *moves, size_t plies);
    /* Names the parts of a game's code. Returns the same errors as write_game. NULL if `explain` is called for each
     * move instead. */
    stamma_error (*explain_game)(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                 size_t plies, explanation *e);
};

/* Returns whether a move may be played: a legal move, or the null move outside check. */
bool stamma_codec_may_play(const stamma_position *position, stamma_move move);

/* ---- move_sets.c: all moves of a position as sets of squares ---- */

/* The moves of one piece as a set of targets. Castling is represented by the square of the rook. */
typedef struct move_set {
    uint64_t targets;
    uint16_t before; /* number of moves of the preceding pieces */
    uint8_t from;
    uint8_t times; /* moves to each target: 4 for promotions, otherwise 1 */
} move_set;

/* Returns the number of moves in a set. */
STAMMA_INLINE size_t move_set_size(const move_set *set)
{
    return (size_t)set->times * bits_count(set->targets);
}

/* Returns the pseudo-legal moves of a piece of the side to move, where castling needs only the right. These are the
 * attacks of the piece (last comment of Forster 2015). */
move_set stamma_move_set_attacks(const stamma_position *position, unsigned from);

/* Returns the index of a move of the piece among its moves, or the size of the set if it does not contain the move. */
size_t stamma_move_set_index(const move_set *set, const stamma_position *position, stamma_move move);

/* Returns the move of the piece at an index, which must be below the size of the set. */
stamma_move stamma_move_set_at(const move_set *set, const stamma_position *position, size_t index);

/* The pieces of the side to move in canonical order of moves: by file, then by rank. */
typedef struct move_sets {
    size_t moves;
    unsigned pieces;
    move_set of[16];
} move_sets;

/* Collects all legal moves. */
void stamma_move_sets_legal(const stamma_position *position, move_sets *sets);

/* Collects all pseudo-legal moves: checks are ignored, and castling needs the right and the empty squares (Chess
 * Programming Wiki). */
void stamma_move_sets_pseudo_legal(const stamma_position *position, move_sets *sets);

/* Returns the index of a move in canonical order, or sets->moves if `sets` does not contain the move. */
size_t stamma_move_sets_index(const move_sets *sets, const stamma_position *position, stamma_move move);

/* Returns the move at an index, which must be below sets->moves. */
stamma_move stamma_move_sets_at(const move_sets *sets, const stamma_position *position, size_t index);

/* Returns the index of a legal move in canonical order of all legal moves. The moves of the pieces before it are only
 * counted, which is faster than collecting all moves. */
size_t stamma_legal_index(const stamma_position *position, stamma_move move);

/* Returns the legal move at an index, or STAMMA_MOVE_NULL if there are at most that many. Examines the moves of the
 * pieces up to this move. */
stamma_move stamma_legal_move_at(const stamma_position *position, size_t index);

/* ---- constant tables (target_tables.c) ---- */

/* The number of pairs of a lower square and a square that a piece attacks from it on an empty board (stamma_reach).
 * For knight, bishop, rook, queen, king: the first index is piece type - 1. */
extern const uint16_t stamma_empty_pairs[5][64];

/* Numbers of the pairs of a target and a direction that occur in some move, ordered by target and then by direction
 * (65535: no such move). The second table contains 16 x target + direction for each number. Directions 0-7 are N NE E
 * SE S SW W NW; 8-15 are the directions of the knight, clockwise from NNE. */
extern const uint16_t stamma_direction_numbers[64][16];
extern const uint16_t stamma_direction_pairs[756];

/* ---- numbers of the moves of one piece, independent of the board: shared by bcgn.c and bcgn_square.c ----
 *
 * The bound of a piece type is the largest number of moves from one square (Chess Programming Wiki). A piece has this
 * number of codes, and each of its moves has an index below the bound.
 * - Pieces: the index is the number of targets on an empty board that are lower squares. Castling uses the king's
 *   spare indices 6 and 7, because a king on the back rank has only five steps.
 * - Pawns: the index is 4 times 0 (capture towards the a-file), 1 (push), or 2 (capture towards the h-file); plus 1
 *   for a double push, or plus 0-3 for promotions to N B R Q. */

enum { BOUND_PAWN = 12, BOUND_KNIGHT = 8, BOUND_BISHOP = 13, BOUND_ROOK = 14, BOUND_QUEEN = 27, BOUND_KING = 8 };
enum { INDEX_KING_CASTLE = 6, INDEX_QUEEN_CASTLE = 7 };

/* Moves by piece (white pawn, knight ... king, black pawn) and index, and by origin (target_tables.c). The flags
 * that depend on the board are missing: captures by pieces have no capture flag, and en passant is an ordinary
 * capture. Castling, and an index without a move, is a move from a square to the same square. Four rows of zeros
 * follow. */
extern const stamma_move stamma_piece_moves[98][64];

/* Returns the bound of a piece type; 0 for STAMMA_PIECE_TYPE_NONE. */
STAMMA_INLINE unsigned type_bound(unsigned type)
{
    return (unsigned)(UINT64_C(0x00081B0E0D080C) >> 8 * type & 255);
}
STAMMA_INLINE stamma_move indexed_move(unsigned color, unsigned type, unsigned from, unsigned index)
{
    uint64_t rows = color == STAMMA_WHITE ? UINT64_C(0x4A2F21140C00) : UINT64_C(0x4A2F21140C52);
    return stamma_piece_moves[(rows >> 8 * type & 255) + index][from];
}

/* Returns the index of a move of a piece. For moves that the piece does not have, the result is unspecified, but at
 * most 15 for a pawn and at most the bound for other types. */
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

/* Returns the sum of the bounds of `pieces`. */
STAMMA_INLINE unsigned pieces_bounds(const stamma_position *p, uint64_t pieces)
{
    return BOUND_PAWN * bits_count(pieces & p->by_type[STAMMA_PAWN]) +
           BOUND_KNIGHT * bits_count(pieces & (p->by_type[STAMMA_KNIGHT] | p->by_type[STAMMA_KING])) +
           BOUND_BISHOP * bits_count(pieces & p->by_type[STAMMA_BISHOP]) +
           BOUND_ROOK * bits_count(pieces & p->by_type[STAMMA_ROOK]) +
           BOUND_QUEEN * bits_count(pieces & p->by_type[STAMMA_QUEEN]);
}

/* Returns the byte of one move in `bcgn-square`, computed from the position. The bounds must fit, and a piece of the
 * side to move must be on the origin. */
STAMMA_INLINE uint8_t byte_of_move(const stamma_position *p, stamma_move move)
{
    unsigned from = stamma_move_from(move);
    uint64_t before = p->by_color[p->side] & (square_bit(from) - 1);
    return (uint8_t)(pieces_bounds(p, before) + move_index(position_type_at(p, from), move));
}

/* Completes a move of the table with the flags and the target that depend on the board. The move may be illegal. */
STAMMA_INLINE stamma_move move_on_board(const stamma_position *p, unsigned type, stamma_move move)
{
    unsigned to = stamma_move_to(move);
    if (type == STAMMA_PAWN)
        return stamma_move_is_capture(move) && to == p->en_passant ? (stamma_move)(move | 1u << 12) : move;
    if (stamma_move_is_castling(move))
        return stamma_move_make(to, castling_king_to(p->side, castling_side(move)), stamma_move_flags(move));
    return (stamma_move)(move | (p->by_color[p->side ^ 1] >> to & 1) << 14);
}

/* Returns the move with an index of the piece of the side to move on `from`. The move may be illegal. */
STAMMA_INLINE stamma_move piece_move_at(const stamma_position *p, unsigned from, unsigned index)
{
    unsigned type = position_type_at(p, from);
    return move_on_board(p, type, indexed_move(p->side, type, from, index));
}

/* ---- pieces in canonical order: by file, then by rank (a1, a2 ... h8) ---- */

/* Returns the squares before `square`. */
STAMMA_INLINE uint64_t squares_before(unsigned square)
{
    return ((FILE_A << (square & 7)) & (square_bit(square) - 1)) | FILE_A * ((1u << (square & 7)) - 1);
}

/* move_sets.c: returns square number `n` of a set, from 0, or STAMMA_SQUARE_NONE if the set has at most n squares. */
unsigned stamma_nth_square(uint64_t set, unsigned n);

/* Cumulative sums of bounds for eight ranks, files or types are stored in the eight bytes of a word. No sum that is
 * used exceeds 255. */
#define BYTE_ONES UINT64_C(0x0101010101010101)

/* Returns eight times the number of the first byte of `sums` that is above `value`, or `last` if no byte before bit
 * `last` is above it. The bytes must ascend. Subtracting the value from each byte, and one more from the lowest byte,
 * borrows from every byte that is not above the value. */
STAMMA_INLINE unsigned first_above(uint64_t sums, unsigned value, unsigned last)
{
    uint64_t values = value * BYTE_ONES, borrows = sums ^ values ^ (sums - values - 1);
    return bits_first((~borrows >> 8 & BYTE_ONES) | square_bit(last));
}

/* ---- games of `bcgn` (by type) and `bcgn-square` (by square), as in struct stamma_codec: the two builds of
 * piece_game.inc. The bits start at a byte boundary. ---- */

/* The board on which these games are played. */
typedef struct piece_board {
    uint64_t colors[2];
    uint64_t types[7];   /* the last is for no piece, so that captures need no branch */
    uint64_t sums[2];    /* by colour: sums of bounds up to each rank (by square) or type (by type) */
    uint64_t rows[2][8]; /* by colour and rank: sums of bounds up to each file; by square only */
    uint64_t rights;     /* squares of kings and rooks that may castle */
    bool wide;           /* the bounds of a side may not fit in a byte */
    bool checked;        /* the side to move is in check */
    stamma_square castling[2][2];
    stamma_square en_passant; /* of the initial position; after the first move see `last` */
    stamma_move last;
    uint8_t at[64]; /* the type of the piece on each square */
} piece_board;

/* The pieces of a position. */
typedef struct piece_sets {
    uint64_t colors[2];
    uint64_t types[6];
} piece_sets;

/* Converts to a position without clocks and key. */
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

/* A legal move, its byte in `bcgn-square`, and its SAN facts (board.h). */
typedef struct played_move {
    stamma_move move;
    uint8_t code;
    uint8_t san_facts;
} played_move;

/* Requires that the pieces of a colour and type (STAMMA_KING + 1: none) on the squares in `mask` are exactly
 * `value`. */
typedef struct board_test {
    uint64_t mask, value;
    uint8_t color, type;
} board_test;

enum { BOARD_TESTS_MAX = 24, PAWN_CAPTURES = 4 };

/* A position to find in games. All conditions must hold. */
typedef struct board_goal {
    unsigned test_count;
    board_test tests[BOARD_TESTS_MAX];
    uint64_t squares;  /* the squares that are compared with `occupied` */
    uint64_t occupied; /* the elements of `squares` that must be occupied; the others must be empty */
    uint8_t men[2];    /* by colour: minimum number of pieces, pawns included */
    uint8_t pawns[2];  /* by colour: minimum number of pawns */
    /* By colour and number of captures that the colour may still make (0, 1, 2, more): the squares from which its pawns
     * can reach the squares of the pawns of the goal. */
    uint64_t origins[2][PAWN_CAPTURES];
    uint64_t homes[2]; /* by colour: squares that pawns of the goal cannot have left: those on their second rank */
    uint8_t sides;     /* bit 0: White may be to move; bit 1: Black */
    bool material;     /* the numbers of pieces are limited by the next members */
    uint8_t least[2][6], most[2][6];
    bool is_exact; /* the position must equal `exact`; all pieces of `exact` are tests */
    bool any_castling, any_en_passant;
    stamma_position exact;
} board_goal;

/* ---- keys of the pieces on a piece_board or stamma_position; castling rights and en passant are ignored ---- */

/* An odd multiplier with random-looking bits (Steele and Vigna, "Computationally easy, spectrally good multipliers",
 * 2021). */
#define KEY_MULTIPLIER UINT64_C(0xF1357AEA2E62A9C5)

/* Returns a key of the pawns. */
STAMMA_INLINE uint32_t structure_key(const uint64_t colors[2], const uint64_t *types)
{
    uint64_t key = (colors[STAMMA_WHITE] & types[STAMMA_PAWN]) * KEY_MULTIPLIER;
    key = (key ^ key >> 32 ^ (colors[STAMMA_BLACK] & types[STAMMA_PAWN])) * KEY_MULTIPLIER;
    return (uint32_t)(key >> 32);
}
/* Returns a key of all pieces and the side to move. */
STAMMA_INLINE uint32_t placement_key(const uint64_t colors[2], const uint64_t *types, unsigned side)
{
    uint64_t key = (colors[STAMMA_WHITE] + side) * KEY_MULTIPLIER;
    for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
        key = (key ^ key >> 32 ^ types[type]) * KEY_MULTIPLIER;
    return (uint32_t)(key >> 32);
}

/* For speed, the following functions play codes without checking that kings are safe and that paths are free. Illegal
 * moves lead to wrong positions, but to no undefined behaviour. `us` is the side to move on board `b`.
 * - `meets` returns whether a position meets the goal.
 * - `find` plays codes until the position after 1 to `plies` of them meets the goal. *found is the number of codes
 *   played, FOUND_NONE, or FOUND_LOST if no later position of the game can meet the goal either.
 * - `replay` plays codes, and stores the pieces after each code.
 * - `structures` plays codes. `keys`, with room for `plies` entries, receives the key of the pawn structure after
 *   the first code and after each code that changes the structure.
 * Errors: CORRUPT. */
#define FOUND_NONE SIZE_MAX
#define FOUND_LOST (SIZE_MAX - 1)
stamma_error stamma_piece_game_read_by_type_portable(const stamma_codec *codec, const stamma_position *start,
                                                     bit_reader *in, stamma_move *moves, size_t plies);
stamma_error stamma_piece_game_read_by_square_portable(const stamma_codec *codec, const stamma_position *start,
                                                       bit_reader *in, stamma_move *moves, size_t plies);
uint8_t stamma_piece_game_code_portable(const stamma_position *p, stamma_move move);
void stamma_piece_game_set_up_portable(piece_board *b, const stamma_position *p);
bool stamma_piece_game_play_named_portable(piece_board *b, unsigned us, const move_name *name, played_move *played);
stamma_error stamma_piece_game_read_san_facts_portable(const stamma_position *start, bit_reader *in, stamma_move *moves,
                                                       size_t plies, uint8_t *san_facts, stamma_position *end);
stamma_error stamma_piece_game_write_by_type_portable(const stamma_codec *codec, const stamma_position *start,
                                                      const stamma_move *moves, size_t plies, bit_writer *out);
stamma_error stamma_piece_game_write_by_square_portable(const stamma_codec *codec, const stamma_position *start,
                                                        const stamma_move *moves, size_t plies, bit_writer *out);
bool stamma_piece_game_meets_portable(const piece_board *b, unsigned us, const board_goal *goal);
stamma_error stamma_piece_game_find_portable(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                             const board_goal *goal, size_t *found);
stamma_error stamma_piece_game_replay_portable(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                               piece_sets *sets);
stamma_error stamma_piece_game_structures_portable(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                                   uint32_t *keys, size_t *count);
#if STAMMA_HAVE_BMI2
bool stamma_piece_game_meets_bmi2(const piece_board *b, unsigned us, const board_goal *goal);
stamma_error stamma_piece_game_find_bmi2(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                         const board_goal *goal, size_t *found);
stamma_error stamma_piece_game_replay_bmi2(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                           piece_sets *sets);
stamma_error stamma_piece_game_structures_bmi2(piece_board *b, unsigned us, const uint8_t *codes, size_t plies,
                                               uint32_t *keys, size_t *count);
stamma_error stamma_piece_game_read_by_type_bmi2(const stamma_codec *codec, const stamma_position *start,
                                                 bit_reader *in, stamma_move *moves, size_t plies);
stamma_error stamma_piece_game_read_by_square_bmi2(const stamma_codec *codec, const stamma_position *start,
                                                   bit_reader *in, stamma_move *moves, size_t plies);
uint8_t stamma_piece_game_code_bmi2(const stamma_position *p, stamma_move move);
void stamma_piece_game_set_up_bmi2(piece_board *b, const stamma_position *p);
bool stamma_piece_game_play_named_bmi2(piece_board *b, unsigned us, const move_name *name, played_move *played);
stamma_error stamma_piece_game_read_san_facts_bmi2(const stamma_position *start, bit_reader *in, stamma_move *moves,
                                                   size_t plies, uint8_t *san_facts, stamma_position *end);
stamma_error stamma_piece_game_write_by_type_bmi2(const stamma_codec *codec, const stamma_position *start,
                                                  const stamma_move *moves, size_t plies, bit_writer *out);
stamma_error stamma_piece_game_write_by_square_bmi2(const stamma_codec *codec, const stamma_position *start,
                                                    const stamma_move *moves, size_t plies, bit_writer *out);
#define PIECE_GAME(name, ...)                                             \
    (stamma_cpu_has_bmi2() ? stamma_piece_game_##name##_bmi2(__VA_ARGS__) \
                           : stamma_piece_game_##name##_portable(__VA_ARGS__))
#else
#define PIECE_GAME(name, ...) stamma_piece_game_##name##_portable(__VA_ARGS__)
#endif

/* Plays codes without testing the positions. Returns CORRUPT if a code has no move. */
STAMMA_INLINE stamma_error piece_board_play(piece_board *b, unsigned us, const uint8_t *codes, size_t plies)
{
    static const board_goal nothing = {.sides = 0};
    size_t found;
    return PIECE_GAME(find, b, us, codes, plies, &nothing, &found);
}

/* ---- game_line.c: plays moves one by one, each found by its name ---- */

typedef struct game_line {
    piece_board board;
    stamma_position before; /* the position before the last move, without key */
    uint16_t halfmove_clock;
    uint16_t fullmove_number;
    uint8_t side; /* the side to move */
} game_line;

/* Sets up a position in which the side not to move is not in check. `before` is the position before the last move,
 * or the same position. */
void stamma_line_set(game_line *l, const stamma_position *before, const stamma_position *position);
/* Plays the only legal move that matches a name. Returns false, with nothing changed, if no move matches, or if the
 * general functions must be used: more than one piece might match, or a side has more than two queens. */
bool stamma_line_play(game_line *l, const move_name *name, played_move *played);
stamma_position stamma_line_position(const game_line *l);

/* ---- byte_code.c, byte_games.c: a byte for each move, the code of archive level 1 (doc/format/archive.md, clause 5.2)
 * ---- */

#define BYTE_CODE_NULL 255

/* Returns whether the bounds of the side to move sum to at most 255. With two queens among sixteen pieces the sum is
 * at most 244. */
STAMMA_INLINE bool bounds_fit(const stamma_position *p)
{
    uint64_t own = p->by_color[p->side];
    return STAMMA_LIKELY(!bits_rest(bits_rest(own & p->by_type[STAMMA_QUEEN]))) || pieces_bounds(p, own) <= 255;
}

/* Stores the byte of a legal move, or of the null move. UNSUPPORTED: the position has no codes (more than 255 legal
 * moves). ILLEGAL: a null move in check. For other illegal moves the result is any byte, or ILLEGAL; the caller must
 * check them. */
stamma_error stamma_byte_encode(const stamma_position *position, stamma_move move, uint8_t *code);
/* The same without functions for this processor. If the bounds fit, returns ILLEGAL only for a null move in check, and
 * for a move without a piece of the side to move on its origin. */
stamma_error stamma_byte_encode_slowly(const stamma_position *position, stamma_move move, uint8_t *code);

/* Stores the move of a byte: a legal move, or the null move outside check. CORRUPT: the byte has no such move.
 * UNSUPPORTED: as for stamma_byte_encode. */
stamma_error stamma_byte_decode(const stamma_position *position, uint8_t code, stamma_move *move);

/* The same code as a codec. Only has_null, `write` and `read` are set. */
extern const stamma_codec stamma_byte_code;
stamma_error stamma_byte_write(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               bit_writer *out);
stamma_error stamma_byte_read(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                              stamma_move *move);

/* Decodes the first `plies` moves of a game. Errors: as for stamma_byte_decode. */
stamma_error stamma_byte_decode_moves(const stamma_position *start, const uint8_t *codes, size_t plies,
                                      stamma_move *moves);

/* Decodes all moves of a game, one byte per ply, many times faster than stamma_byte_decode. Also stores the moves' SAN
 * facts (board.h) and the final position, without its key. Errors: as for stamma_byte_decode; the contents of the
 * outputs are then undefined. */
stamma_error stamma_byte_decode_game(const stamma_position *start, const uint8_t *codes, size_t plies,
                                     stamma_move *moves, uint8_t *san_facts, stamma_position *end);

#endif
