/* SPDX-License-Identifier: MIT */
/* Encodings of moves, games and positions, by name, and the classic board representations.
 *
 *     const stamma_codec *codec = stamma_codec_find(stamma_text_of("legal-index-bits"));
 *     stamma_position position = stamma_position_start();
 *     stamma_code code;
 *     if (stamma_codec_encode(codec, &position, stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH), &code) == STAMMA_OK)
 *         printf("%u bits\n", code.bits);                       // 1.e4 needs 5
 *
 * No bit pattern decodes to an illegal move, and each move of a position has exactly one code.
 * doc/reference/encodings.md explains each encoding and names its source; doc/reference/boards.md compares the
 * boards. */
#ifndef STAMMA_API_ENCODINGS_H
#define STAMMA_API_ENCODINGS_H

#include "stamma/board.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The move encodings by name. doc/reference/encodings.md explains each and lists the sources that describe them;
 * stamma_codec_info.source names the sources of one encoding.
 *
 *   single moves: move16, butterfly, move32, uci, enumeration, move14, move12
 *   one move, given the position: san, lan, direction-target, check-flag, legal-index, legal-index-bits,
 *   pseudo-legal-index-bits, two-index-bits, bcgn, bcgn-square, tarrasch, tojot, tojot-split, tojot-mixed, many-queens,
 *   many-promotions
 *   games: legal-index-radix, gap-codes, ranked-tiers, ranked-huffman, arithmetic (the last three use the predictor of
 *   model.h and are missing without its weights), and each of the above except butterfly and check-flag
 *
 * For comparison there are also tarrasch-one-queen, without the second queen, and tojot-bits and tojot-split-bits,
 * which use only the bits that their classes need.
 *
 * Each codec encodes a legal move and decodes a code to the move. No bit pattern decodes to a move that is not legal,
 * and each move of a position has exactly one code. A text is decoded only in the spelling that the encoder writes;
 * stamma_san_read and similar functions read other spellings. */
typedef struct stamma_codec stamma_codec;

typedef enum stamma_codec_kind {
    STAMMA_CODEC_MOVE = 0,     /* one move: the code has the same meaning in every position */
    STAMMA_CODEC_POSITION = 1, /* one move, given the position */
    STAMMA_CODEC_GAME = 2      /* the moves of a game together; a single move is coded as a game of one ply */
} stamma_codec_kind;

typedef struct stamma_codec_info {
    const char *name;        /* "legal-index-bits": stable */
    const char *source;      /* the documents that describe it, as in the list of sources of
                              * doc/reference/encodings.md, separated by "; ":
                              * "Chess Programming Wiki, Encoding Moves; Forster 2015" */
    const char *description; /* one line of English, without a full stop */
    stamma_codec_kind kind;
    bool is_text;    /* codes are ASCII characters of 8 bits; in games, a blank follows each code */
    bool is_partial; /* the code does not determine the move: decoding a move may be AMBIGUOUS or UNSUPPORTED, and games
                      * are UNSUPPORTED */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_codec_info;

/* Returns the codec at an index from 0, in the order of doc/reference/encodings.md; NULL past the last. Static. */
STAMMA_API const stamma_codec *stamma_codec_at(size_t index);

/* Returns the codec with a name, or NULL if there is none. Static. */
STAMMA_API const stamma_codec *stamma_codec_find(stamma_text name);

/* Returns the codec with a name, unless it uses the predictor; otherwise NULL. Static.
 * A statically linked program that calls neither stamma_codec_find nor stamma_codec_at does not contain the predictor's
 * weights: it has 0.7 MB instead of 9 MB. */
STAMMA_API const stamma_codec *stamma_codec_find_without_model(stamma_text name);

/* Describes a codec. The strings are static. */
STAMMA_API stamma_codec_info stamma_codec_describe(const stamma_codec *codec);

/* A code: the low `bits` bits (0 to 64) of `value`. In a text code, the first character is the most significant. */
typedef struct stamma_code {
    uint64_t value;
    unsigned bits;
} stamma_code;

/* Encodes a legal move, or the null move if the side to move is not in check.
 * Errors:
 *   ILLEGAL       the move is not legal
 *   UNSUPPORTED   the encoding has no code for the null move, or none for moves of this position
 *   BAD_ARGUMENT  the codec is of kind STAMMA_CODEC_GAME */
STAMMA_API stamma_error stamma_codec_encode(const stamma_codec *codec, const stamma_position *position,
                                            stamma_move move, stamma_code *code);

/* Decodes the code of a move.
 * Errors:
 *   CORRUPT       no legal move has this code, in value or number of bits
 *   AMBIGUOUS     the codec is partial, and several legal moves have this code
 *   UNSUPPORTED   the encoding has no codes for moves of this position
 *   BAD_ARGUMENT  the codec is of kind STAMMA_CODEC_GAME */
STAMMA_API stamma_error stamma_codec_decode(const stamma_codec *codec, const stamma_position *position,
                                            stamma_code code, stamma_move *move);

/* Returns why the codec uses its fallback codes in a position ("more than two queens"), or NULL if it does not.
 * Static. */
STAMMA_API const char *stamma_codec_fallback(const stamma_codec *codec, const stamma_position *position);

/* A part of a code, to explain the code to people. Valid only during the callback. Later versions may add members at
 * the end. */
typedef struct stamma_code_part {
    unsigned first;   /* its first bit in the code, from 0 */
    unsigned bits;    /* number of bits; 0 for a term: the code is then the sum of its terms' values */
    uint64_t value;   /* value of these bits, if at most 64; or value of the term */
    const char *text; /* the meaning: "pawn 4" */
} stamma_code_part;

/* Calls `take` with `context` for each part of the code of a move in a position, from the first bit. The parts are
 * either consecutive bits without gaps, or terms. Errors: as for stamma_codec_encode. */
STAMMA_API stamma_error stamma_codec_explain(const stamma_codec *codec, const stamma_position *position,
                                             stamma_move move,
                                             void (*take)(void *context, const stamma_code_part *part), void *context);

/* ---- move32: a move with its moving and captured pieces (Chess Programming Wiki, "Extended Move Structure") ----
 * Bits 0-15 are the move, 16-18 the type of the moving piece, 19-21 the type of the captured piece or
 * STAMMA_PIECE_TYPE_NONE, and 22-31 an ordering score from 0 to 1023. Sorting the integers therefore sorts by score. 0
 * is the null move. */
typedef uint32_t stamma_move32;

/* Returns the move. */
STAMMA_API inline stamma_move stamma_move32_move(stamma_move32 move) { return (stamma_move)(move & 0xFFFFu); }
/* Returns the type of the moving piece. */
STAMMA_API inline stamma_piece_type stamma_move32_moved(stamma_move32 move)
{
    return (stamma_piece_type)(move >> 16 & 7u);
}
/* Returns the type of the captured piece, or STAMMA_PIECE_TYPE_NONE. */
STAMMA_API inline stamma_piece_type stamma_move32_captured(stamma_move32 move)
{
    return (stamma_piece_type)(move >> 19 & 7u);
}
/* Returns the ordering score, 0 to 1023. */
STAMMA_API inline unsigned stamma_move32_score(stamma_move32 move) { return move >> 22; }
/* Returns the move with another score, of which the low ten bits are used. */
STAMMA_API inline stamma_move32 stamma_move32_with_score(stamma_move32 move, unsigned score)
{
    return (move & 0x3FFFFFu) | (stamma_move32)(score & 0x3FFu) << 22;
}
/* Returns whether two moves are the same, ignoring their scores. */
STAMMA_API inline bool stamma_move32_equal(stamma_move32 a, stamma_move32 b) { return ((a ^ b) & 0xFFFFu) == 0; }

/* Returns the move32 of a legal move. The score of a capture is MVV-LVA (most valuable victim, then least valuable
 * attacker), from 3 (king captures pawn) to 40 (pawn captures queen). The score of any other move is 0. */
STAMMA_API stamma_move32 stamma_move32_of(const stamma_position *position, stamma_move move);

/* The data that stamma_position_unmake32 needs to unmake a move. */
typedef struct stamma_undo {
    uint64_t key;
    uint16_t halfmove_clock;
    uint16_t fullmove_number;
    stamma_square en_passant;
    stamma_square castling[2][2];
} stamma_undo;

/* Makes a legal move, or the null move, in place, and stores in *undo the data that is needed to unmake it. The result
 * is the same as with stamma_position_make, but the board is not searched for the moving and captured pieces. */
STAMMA_API void stamma_position_make32(stamma_position *position, stamma_move32 move, stamma_undo *undo);

/* Unmakes the last move made with stamma_position_make32, with the same `move` and its *undo. */
STAMMA_API void stamma_position_unmake32(stamma_position *position, stamma_move32 move, const stamma_undo *undo);

/* Stores the indices of the pieces that a move removes from the board or puts on it, in a table of 2 x 6 x 64 entries
 * [color][piece type][square]. An incremental key (Zobrist, BCH) changes by these entries. `position` is the position
 * before the move. Returns the number of indices, at most 4. */
STAMMA_API size_t stamma_move32_indices(const stamma_position *position, stamma_move32 move, uint16_t indices[4]);

/* ---- enumeration: a number for every possible move (Chess Programming Wiki, "Over All Pieces and Squares") ---- */

#define STAMMA_ENUMERATION_SIDE 22678
#define STAMMA_ENUMERATION_COUNT 45356

/* A move with everything that its number determines. The king of a castling move is on the e-file. */
typedef struct stamma_enumerated_move {
    stamma_move move;
    uint8_t side;     /* stamma_color */
    uint8_t piece;    /* stamma_piece_type of the moving piece */
    uint8_t captured; /* stamma_piece_type, or NONE; the pawn for en passant */
} stamma_enumerated_move;

/* Converts a move to its number, 0 to 45355.
 * Errors: BAD_ARGUMENT if no such move exists: a rook on a diagonal, a captured king. */
STAMMA_API stamma_error stamma_enumeration_rank(stamma_enumerated_move move, uint16_t *number);

/* Converts a number to its move. Errors: BAD_ARGUMENT for 45356 and above.
 * For each side, 796 numbers are captures of a pawn on the first or last rank. These moves are impossible, but the
 * source counts them. */
STAMMA_API stamma_error stamma_enumeration_unrank(unsigned number, stamma_enumerated_move *move);

/* ---- tarrasch and tojot: values that follow from their rules ---- */

/* Returns how often a legal move exchanges the number of the moving pawn with the number of a neighbouring pawn
 * (Forster 2015, "The Sweet Spot"): the number of friendly pawns that a capture passes in the order of the files.
 * Returns 0 for other moves. */
STAMMA_API unsigned stamma_tarrasch_swaps(const stamma_position *position, stamma_move move);

/* Returns the number of move classes of the side to move in `tojot` (comments on Forster 2015): 10 in the initial
 * position. Above 16 the encoding uses its fallback codes. */
STAMMA_API unsigned stamma_tojot_classes(const stamma_position *position);

/* ---- complete games ----
 * An encoded game is a string of bytes:
 *   1. The number of plies, because both a forced move and the end of the game may need no bits (Chess Programming
 *      Wiki): a varint (LEB128) of 2 x plies, plus 1 if a list of null moves follows.
 *   2. The list of null moves, if the encoding has no code for them: varints of their number, and of the number of
 *      plies between each null move and the previous null move.
 *   3. The codes, starting at a byte. The first bit is the most significant of its byte; zeros fill the last byte. */

/* An upper bound of the size of an encoded game, in bytes. */
#define STAMMA_CODEC_GAME_SIZE(plies) ((plies) * (size_t)10 + 32)

/* Encodes the moves of a game, including null moves, played from `start`.
 *   out, capacity  the destination and its size in bytes; STAMMA_CODEC_GAME_SIZE(plies) is always enough
 *   size           receives the number of bytes written
 *   code_bits      receives the number of bits of the codes, without plies and null moves; may be NULL
 * Errors:
 *   NO_SPACE     the destination is too small; nothing is written
 *   ILLEGAL      a move is not legal
 *   UNSUPPORTED  the encoding has no code for a move */
STAMMA_API stamma_error stamma_codec_encode_game(const stamma_codec *codec, const stamma_position *start,
                                                 const stamma_move *moves, size_t plies, void *out, size_t capacity,
                                                 size_t *size, size_t *code_bits);

/* Calls `take` with `context` for each part of a game's code, starting with the number of plies. The code of
 * legal-index-radix is one number in mixed radix; each of its terms is a digit. Errors: as for
 * stamma_codec_encode_game. */
STAMMA_API stamma_error stamma_codec_explain_game(const stamma_codec *codec, const stamma_position *start,
                                                  const stamma_move *moves, size_t plies,
                                                  void (*take)(void *context, const stamma_code_part *part),
                                                  void *context);

/* Reads the number of plies of an encoded game. Errors: CORRUPT if the bytes are not an encoded game. */
STAMMA_API stamma_error stamma_codec_game_plies(const void *bytes, size_t size, size_t *plies);

/* Decodes a game that was encoded from `start`.
 *   moves, capacity  the destination and its size in moves; undefined after an error
 *   plies            receives the number of plies
 * Errors:
 *   NO_SPACE     the game has more plies
 *   CORRUPT      no encoder produces this string
 *   UNSUPPORTED  the encoding has no codes for moves of a position, or the codec is partial */
STAMMA_API stamma_error stamma_codec_decode_game(const stamma_codec *codec, const stamma_position *start,
                                                 const void *bytes, size_t size, stamma_move *moves, size_t capacity,
                                                 size_t *plies);

/* ---- positions ----
 * The position encodings of doc/reference/encodings.md by name. They store the board, the side to move, the castling
 * rights, the en passant square if a pawn is next to the pushed pawn, and the halfmove clock up to 100. Only the text
 * encodings, `fen` and `shredder-fen`, store the move number and the exact en passant square and clock. Equal
 * positions have equal codes, and no code decodes to a position that cannot be set up. */
typedef struct stamma_position_codec stamma_position_codec;

typedef struct stamma_position_codec_info {
    const char *name;        /* "huffman-gaps": stable */
    const char *source;      /* as above: "Wikipedia, Board representation"; empty for the library's own */
    const char *description; /* one line of English, without a full stop */
    bool is_text;            /* codes are ASCII characters of 8 bits */
    bool is_partial;         /* the code does not determine the position: decoding is UNSUPPORTED */
    uint64_t reserved[2];    /* 0; space for later versions, so that the struct never grows */
} stamma_position_codec_info;

/* Returns the codec at an index from 0, in the order of doc/reference/encodings.md; NULL past the last. Static. */
STAMMA_API const stamma_position_codec *stamma_position_codec_at(size_t index);

/* Returns the codec with a name, or NULL if there is none. Static. */
STAMMA_API const stamma_position_codec *stamma_position_codec_find(stamma_text name);

/* Describes a codec. The strings are static. */
STAMMA_API stamma_position_codec_info stamma_position_codec_describe(const stamma_position_codec *codec);

/* An encoded position: `bits` bits. The first is the most significant of bytes[0]; all bits after the last are 0. */
#define STAMMA_POSITION_CODE_SIZE 104
typedef struct stamma_position_code {
    unsigned bits;
    uint8_t bytes[STAMMA_POSITION_CODE_SIZE];
} stamma_position_code;

/* Returns a position reduced to the parts that the encodings other than texts store: the en passant square is removed
 * unless a pawn is next to the pushed pawn, the halfmove clock is at most 100, and the move number is 1. */
STAMMA_API stamma_position stamma_position_coded(const stamma_position *position);

/* Encodes a position. Errors: UNSUPPORTED if the encoding cannot represent it: Chess960 castling rights in an encoding
 * without codes for them, or a set of pieces that no game can reach. */
STAMMA_API stamma_error stamma_position_encode(const stamma_position_codec *codec, const stamma_position *position,
                                               stamma_position_code *code);

/* Calls `take` with `context` for each part of a position's code, like stamma_codec_explain. Errors: as for
 * stamma_position_encode. */
STAMMA_API stamma_error stamma_position_explain(const stamma_position_codec *codec, const stamma_position *position,
                                                void (*take)(void *context, const stamma_code_part *part),
                                                void *context);

/* Decodes the code of a position. The result is the encoded position if the codec is a text, otherwise the position
 * that stamma_position_coded returns for it.
 * Errors: CORRUPT if no encoder produces this code, in its bits or their number; UNSUPPORTED if the codec is
 * partial. */
STAMMA_API stamma_error stamma_position_decode(const stamma_position_codec *codec, const stamma_position_code *code,
                                               stamma_position *position);

/* Both kings and all castling rights as one number of 12 bits, below STAMMA_KINGS_CASTLING_COUNT (end of Wikipedia's
 * article): first the 3,612 pairs of kings that are not adjacent, then 357 combinations with castling rights. */
#define STAMMA_KINGS_CASTLING_COUNT 3969
typedef struct stamma_kings_castling {
    stamma_square king[2];
    bool right[2][2]; /* [color][side] */
} stamma_kings_castling;

/* Converts kings and castling rights to their number.
 * Errors: UNSUPPORTED for Chess960 castling rights; ILLEGAL for kings on adjacent squares or on the same square. */
STAMMA_API stamma_error stamma_kings_castling_rank(const stamma_kings_castling *kings, uint16_t *number);

/* Converts a number to kings and castling rights. Errors: BAD_ARGUMENT for STAMMA_KINGS_CASTLING_COUNT and above. */
STAMMA_API stamma_error stamma_kings_castling_unrank(unsigned number, stamma_kings_castling *kings);

/* ---- board representations ---- */

/* The classic board representations (Wikipedia): arrays, mailboxes, 0x88, nibbles, a piece list, and the library's
 * bitboards. Each implements the complete rules of chess, including Chess960, and shares no code with the others. They
 * serve as examples and as independent checks of one another; doc/reference/boards.md compares them.
 *
 *     const stamma_board *board = stamma_board_find((stamma_text){"x88", 3});
 *     stamma_board_state state;
 *     board->set_up(&position, &state);
 *     uint64_t nodes = stamma_board_perft(board, &state, 4);
 */

/* Storage for a position in any of the representations: plain bytes, copied by assignment. */
typedef union stamma_board_state {
    uint64_t words[44];
    unsigned char bytes[352];
} stamma_board_state;

/* Storage for the data that is needed to unmake a move. */
typedef union stamma_board_undo {
    uint64_t words[11];
    unsigned char bytes[88];
} stamma_board_undo;

/* A board representation. `state` and `undo` point to a stamma_board_state and a stamma_board_undo, or to memory of the
 * same size aligned for uint64_t. No function allocates. Only `set_up` checks its input; the others require a valid
 * state. */
typedef struct stamma_board {
    const char *name;        /* "mailbox-10x12": permanent */
    const char *description; /* a short English phrase */
    size_t size;             /* bytes used of a state */

    /* Sets up a position. Errors: ILLEGAL if stamma_position_set_up cannot create it; UNSUPPORTED if the representation
     * cannot store its clocks. */
    stamma_error (*set_up)(const stamma_position *position, void *state);

    /* Converts the state to a position, including its clocks. Errors: ILLEGAL after a move that was not legal. */
    stamma_error (*give_back)(const void *state, stamma_position *position);

    /* Stores all legal moves, in no particular order, and returns their number. */
    size_t (*legal_moves)(const void *state, stamma_move moves[STAMMA_MOVES_MAX]);

    /* Makes a legal move. Any other 16 bits produce a meaningless state, but change nothing outside of it. */
    void (*make)(void *state, stamma_move move, void *undo);

    /* Unmakes the last move, which must have been legal: restores every byte of the state. */
    void (*unmake)(void *state, stamma_move move, const void *undo);
} stamma_board;

/* Returns the number of leaf nodes of the tree of legal moves `depth` plies deep, like stamma_perft; 1 for depth 0.
 * Makes and unmakes moves on `state`, which is unchanged in the end. Moves of the last ply are listed and counted. */
STAMMA_API uint64_t stamma_board_perft(const stamma_board *board, void *state, unsigned depth);

/* Returns the representation at an index from 0, the library's bitboards first; NULL past the last. Static. */
STAMMA_API const stamma_board *stamma_board_at(size_t index);

/* Returns the representation with a name, or NULL if there is none. Static. */
STAMMA_API const stamma_board *stamma_board_find(stamma_text name);

#ifdef __cplusplus
}
#endif

#endif
