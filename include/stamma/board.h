/* SPDX-License-Identifier: MIT */
/* The rules of chess: squares, moves, positions, legal moves, keys and perft.
 *
 *     stamma_move moves[STAMMA_MOVES_MAX];
 *     stamma_position position = stamma_position_start();
 *     size_t count = stamma_legal_moves(&position, moves);      // 20
 *     stamma_position_make(&position, moves[0], &position);
 *
 * Positions and moves are plain values, copied by assignment; no function allocates memory. All functions support
 * Chess960: a castling right is the square of its rook. stamma/notation.h reads and writes positions and moves as text.
 * Source: FIDE Laws of Chess. */
#ifndef STAMMA_API_BOARD_H
#define STAMMA_API_BOARD_H

#include "stamma/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a1 = 0, b1 = 1, ... h8 = 63. Rank = square >> 3, file = square & 7. */
typedef uint8_t stamma_square;
#define STAMMA_SQUARE_NONE 64

typedef enum stamma_color { STAMMA_WHITE = 0, STAMMA_BLACK = 1 } stamma_color;

typedef enum stamma_piece_type {
    STAMMA_PAWN = 0,
    STAMMA_KNIGHT = 1,
    STAMMA_BISHOP = 2,
    STAMMA_ROOK = 3,
    STAMMA_QUEEN = 4,
    STAMMA_KING = 5,
    STAMMA_PIECE_TYPE_NONE = 6
} stamma_piece_type;

/* A coloured piece: its piece type, plus 8 for Black. STAMMA_PIECE_NONE is an empty square. */
typedef uint8_t stamma_piece;
#define STAMMA_PIECE_NONE 6

/* A move in 16 bits, the encoding `move16` (Chess Programming Wiki; Lench; Grand Chess Tree): target square in bits
 * 0-5, origin in bits 6-11, flags in bits 12-15. 0 is the null move. Flags 6 and 7 are never valid.
 *
 * A castling move goes from the king's origin to the king's target, and has a castling flag. This also holds in
 * Chess960, where origin and target may be the same square. */
typedef uint16_t stamma_move;

enum {
    STAMMA_FLAG_QUIET = 0,
    STAMMA_FLAG_DOUBLE_PUSH = 1,
    STAMMA_FLAG_KING_CASTLE = 2,
    STAMMA_FLAG_QUEEN_CASTLE = 3,
    STAMMA_FLAG_CAPTURE = 4, /* also the mask of every capture */
    STAMMA_FLAG_EN_PASSANT = 5,
    STAMMA_FLAG_PROMOTION = 8, /* the mask of every promotion; low two bits: 0 knight, 1 bishop, 2 rook, 3 queen */
    STAMMA_FLAG_PROMOTE_KNIGHT = 8,
    STAMMA_FLAG_PROMOTE_BISHOP = 9,
    STAMMA_FLAG_PROMOTE_ROOK = 10,
    STAMMA_FLAG_PROMOTE_QUEEN = 11,
    STAMMA_FLAG_CAPTURE_PROMOTE_KNIGHT = 12,
    STAMMA_FLAG_CAPTURE_PROMOTE_BISHOP = 13,
    STAMMA_FLAG_CAPTURE_PROMOTE_ROOK = 14,
    STAMMA_FLAG_CAPTURE_PROMOTE_QUEEN = 15
};

#define STAMMA_MOVE_NULL 0

/* Returns the move from one square to another with flags, a STAMMA_FLAG_ value. Only the low 6 bits of `from` and `to`
 * and the low 4 bits of `flags` are used. */
STAMMA_API inline stamma_move stamma_move_make(unsigned from, unsigned to, unsigned flags)
{
    return (stamma_move)((flags & 15u) << 12 | (from & 63u) << 6 | (to & 63u));
}
/* Returns the target square. */
STAMMA_API inline stamma_square stamma_move_to(stamma_move move) { return (stamma_square)(move & 63u); }
/* Returns the origin square. */
STAMMA_API inline stamma_square stamma_move_from(stamma_move move) { return (stamma_square)(move >> 6 & 63u); }
/* Returns the flags, a STAMMA_FLAG_ value. */
STAMMA_API inline unsigned stamma_move_flags(stamma_move move) { return (unsigned)move >> 12; }
/* Returns whether the move is a capture, including en passant. */
STAMMA_API inline bool stamma_move_is_capture(stamma_move move) { return (move >> 12 & STAMMA_FLAG_CAPTURE) != 0; }
/* Returns whether the move is an en passant capture. */
STAMMA_API inline bool stamma_move_is_en_passant(stamma_move move) { return move >> 12 == STAMMA_FLAG_EN_PASSANT; }
/* Returns whether the move is a promotion. */
STAMMA_API inline bool stamma_move_is_promotion(stamma_move move) { return (move >> 12 & STAMMA_FLAG_PROMOTION) != 0; }
/* Returns whether the move is castling, to either side. */
STAMMA_API inline bool stamma_move_is_castling(stamma_move move) { return move >> 13 == 1; }
/* Returns the piece type that the pawn promotes to. Meaningful only if stamma_move_is_promotion is true. */
STAMMA_API inline stamma_piece_type stamma_move_promotion(stamma_move move)
{
    return (stamma_piece_type)((move >> 12 & 3) + STAMMA_KNIGHT);
}
/* Returns the move with another origin square, of which the low 6 bits are used. */
STAMMA_API inline stamma_move stamma_move_with_from(stamma_move move, unsigned from)
{
    return (stamma_move)((move & 0xF03Fu) | (from & 63u) << 6);
}
/* Returns the move with another target square, of which the low 6 bits are used. */
STAMMA_API inline stamma_move stamma_move_with_to(stamma_move move, unsigned to)
{
    return (stamma_move)((move & 0xFFC0u) | (to & 63u));
}
/* Returns the low 12 bits: an index into a 64 x 64 table ("butterfly board"). */
STAMMA_API inline unsigned stamma_move_butterfly(stamma_move move) { return move & 0xFFFu; }

/* Castling sides: the second index of stamma_position.castling. In Chess960 the king side is the side of the h-file. */
enum { STAMMA_KING_SIDE = 0, STAMMA_QUEEN_SIDE = 1 };

/* A position: board, side to move, castling rights, en passant square and clocks. A plain value of 88 bytes. Members
 * may be read. Create positions only with stamma_position_start, stamma_position_set_up, a FEN or a move. */
typedef struct stamma_position {
    uint64_t by_color[2];       /* bitboards of all pieces of a colour; bit n is square n */
    uint64_t by_type[6];        /* bitboards of all pieces of a type, both colours */
    uint64_t key;               /* internal, incremental; stamma_position_key returns the public key */
    uint16_t halfmove_clock;    /* plies since the last capture or pawn move */
    uint16_t fullmove_number;   /* from 1 (0 in some set-ups), at most 65535 */
    uint8_t side;               /* stamma_color to move */
    stamma_square en_passant;   /* the square behind a pawn that has just made a double push, even if no pawn can
                                 * capture there; or NONE */
    stamma_square castling[2][2]; /* [color][side]: the square of the rook that may castle, or NONE */
    uint8_t reserved[6];        /* 0 */
} stamma_position;

/* The parts of a position before they are checked. */
typedef struct stamma_setup {
    stamma_piece board[64];
    stamma_color side;
    stamma_square castling[2][2]; /* rook squares or NONE, as in stamma_position */
    stamma_square en_passant;     /* or NONE */
    uint16_t halfmove_clock;
    uint16_t fullmove_number;
} stamma_setup;

/* The problems of a set-up that is not legal: a set of bits. All that apply are reported together. */
enum {
    STAMMA_SETUP_NO_WHITE_KING = 1 << 0,
    STAMMA_SETUP_NO_BLACK_KING = 1 << 1,
    STAMMA_SETUP_WHITE_KINGS = 1 << 2,         /* more than one */
    STAMMA_SETUP_BLACK_KINGS = 1 << 3,
    STAMMA_SETUP_WHITE_PIECES = 1 << 4,           /* more than 16 */
    STAMMA_SETUP_BLACK_PIECES = 1 << 5,
    STAMMA_SETUP_WHITE_PAWNS = 1 << 6,         /* more than 8 */
    STAMMA_SETUP_BLACK_PAWNS = 1 << 7,
    STAMMA_SETUP_PAWN_ON_LAST_RANK = 1 << 8,   /* a pawn on the first or eighth rank */
    STAMMA_SETUP_OPPONENT_IN_CHECK = 1 << 9,   /* the side not to move is in check: its king could be taken */
    STAMMA_SETUP_CASTLING = 1 << 10,           /* a castling right, but king and rook are not on its squares of the back
                                                * rank */
    STAMMA_SETUP_EN_PASSANT = 1 << 11,         /* no enemy pawn can just have passed this square by a double push */
    STAMMA_SETUP_BAD_VALUE = 1 << 12           /* a piece code, square or colour out of range; no other bit is set then,
                                                * because the rest cannot be checked */
};

/* Returns the problems of a set-up as a set of STAMMA_SETUP_ bits, 0 if it is legal. Promoted pieces are not counted
 * against missing pawns, and the position need not be reachable from the initial position. */
STAMMA_API unsigned stamma_setup_problems(const stamma_setup *setup);

/* Returns an English phrase for the lowest STAMMA_SETUP_ bit of `problems`: "more than one white king". Never NULL; the
 * string is static. */
STAMMA_API const char *stamma_setup_problem_text(unsigned problems);

/* Creates a position from its parts. Errors: ILLEGAL if stamma_setup_problems is not 0. */
STAMMA_API stamma_error stamma_position_set_up(const stamma_setup *setup, stamma_position *position);

/* Returns the parts of a position. */
STAMMA_API stamma_setup stamma_position_setup(const stamma_position *position);

/* Returns the initial position of standard chess. */
STAMMA_API stamma_position stamma_position_start(void);

/* Creates the Chess960 initial position with a number from 0 to 959 (Scharnagl; 518 is standard chess).
 * Errors: BAD_ARGUMENT for any other number. */
STAMMA_API stamma_error stamma_position_chess960(unsigned number, stamma_position *position);

/* Returns the piece on a square, or STAMMA_PIECE_NONE. `square` must be below 64. */
STAMMA_API stamma_piece stamma_position_piece(const stamma_position *position, stamma_square square);

/* Returns whether the side to move is in check. */
STAMMA_API bool stamma_position_in_check(const stamma_position *position);

/* An upper bound of the number of legal moves: 15 queens with 27 moves each, and a king with 10. */
#define STAMMA_MOVES_MAX 416

/* Stores all legal moves, including Chess960 castling, and returns their number. The order is fixed for a position but
 * otherwise unspecified; encodings use the order of stamma_legal_moves_canonical. */
STAMMA_API size_t stamma_legal_moves(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX]);

/* Stores all legal moves in canonical order and returns their number. Canonical order is alphabetical order of the UCI
 * texts, with castling written as king takes rook: by origin file, origin rank, target file, target rank, then
 * promotion: none, b, n, q, r (Forster 2015). */
STAMMA_API size_t stamma_legal_moves_canonical(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX]);

/* Returns the number of legal moves, without listing them. */
STAMMA_API size_t stamma_legal_moves_count(const stamma_position *position);

/* Returns whether `move`, any 16 bits, is a legal move. The null move is not legal. */
STAMMA_API bool stamma_move_is_legal(const stamma_position *position, stamma_move move);

/* Returns whether a legal move gives check, without making it. Covers direct and discovered checks, en passant,
 * castling and promotion. */
STAMMA_API bool stamma_move_gives_check(const stamma_position *position, stamma_move move);

/* Makes a legal move, or the null move, which changes only the side to move, the en passant square and the clocks.
 *   after  receives the position after the move; may point to the same position as `before`
 * To unmake a move, keep a copy of the position. The function does not check the move: a move that is not legal
 * produces a meaningless position, but no undefined behaviour. */
STAMMA_API void stamma_position_make(const stamma_position *before, stamma_move move, stamma_position *after);

/* Returns the 64-bit key of a position: a hash of board, side to move, castling rights and en passant square. The en
 * passant square is included only if an en passant capture is legal; clocks are not included. Keys are the same in
 * every version of the library. */
STAMMA_API uint64_t stamma_position_key(const stamma_position *position);

/* Returns whether two positions are equal for search and repetition. Compares exactly the facts that
 * stamma_position_key hashes. */
STAMMA_API bool stamma_position_equal(const stamma_position *a, const stamma_position *b);

/* Returns the key of a position in PolyGlot opening books, from their published random numbers. The en passant square
 * is included if a pawn is next to the pushed pawn, even if the capture is not legal. Chess960 castling rights are
 * hashed by side. Use it only for PolyGlot books. */
STAMMA_API uint64_t stamma_position_polyglot_key(const stamma_position *position);

typedef enum stamma_status {
    STAMMA_STATUS_PLAY = 0,
    STAMMA_STATUS_CHECKMATE,
    STAMMA_STATUS_STALEMATE,
    STAMMA_STATUS_INSUFFICIENT_MATERIAL, /* no sequence of moves mates: KK, KNK, KBK, bishops of one square colour */
    STAMMA_STATUS_SEVENTY_FIVE_MOVES,    /* 150 plies: the game is drawn */
    STAMMA_STATUS_FIVEFOLD,              /* the fifth occurrence: the game is drawn */
    STAMMA_STATUS_FIFTY_MOVES,           /* 100 plies: a draw can be claimed */
    STAMMA_STATUS_THREEFOLD              /* the third occurrence: a draw can be claimed */
} stamma_status;

/* Returns the status of a position (FIDE Laws 5.2, 9.2, 9.3, 9.6). If several apply, returns the first in the order
 * above.
 *   earlier  the keys of the `count` positions before it in the game, oldest first; NULL, with count 0, ignores
 *            repetition */
STAMMA_API stamma_status stamma_position_status(const stamma_position *position, const uint64_t *earlier, size_t count);

/* Returns whether no sequence of moves can lead to mate with the material of both sides. */
STAMMA_API bool stamma_position_is_insufficient(const stamma_position *position);

/* Returns the number of leaf nodes of the tree of legal moves `depth` plies deep; 1 for depth 0. Moves of the last ply
 * are counted without making them. */
STAMMA_API uint64_t stamma_perft(const stamma_position *position, unsigned depth);

/* Returns the same number as stamma_perft by making every move, including the moves of the last ply. */
STAMMA_API uint64_t stamma_perft_plain(const stamma_position *position, unsigned depth);

#ifdef __cplusplus
}
#endif

#endif
