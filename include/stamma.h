/* Stamma: chess games in a few bits a move, restored byte for byte.
 * Copyright (c) 2026 The Stamma authors. MIT licence; see LICENSE.
 *
 * This header is the complete public interface. Its sections, lowest layer first:
 *
 *   1. base      errors, text slices, allocator, input and output callbacks, version
 *   2. board     squares, moves, positions, legal moves, keys, perft
 *   3. notation  FEN, UCI, SAN, LAN, the PGN reader and writer, the game tree
 *   4. boards    the classic board representations
 *   5. codec     encodings of single moves, whole games and positions, by name
 *   6. model     the move predictor
 *   7. archive   writing and reading .stamma archives
 *   8. search    queries, trees and statistics over archives
 *
 * Conventions
 *   - A function that can fail returns a stamma_error. If it fails, its outputs are unchanged, unless its comment says
 *     otherwise.
 *   - Values (squares, moves, positions, text slices) are plain structs or integers and are copied by assignment.
 *     Objects are opaque. A function creates an object through its last parameter, and one function closes it; closing
 *     NULL has no effect.
 *   - A pointer may be NULL only if the function's comment says so, or if it is the data of a text or of bytes whose
 *     size is 0. A callback may be NULL only if the comment of its struct says so. For any other NULL, a function that
 *     returns a stamma_error returns STAMMA_ERROR_BAD_ARGUMENT and has no effect; other functions do not check.
 *   - Text is a pointer and a size in bytes. It need not end in NUL.
 *   - A text writer returns the length of the complete text, without the NUL. If length + NUL does not fit in the
 *     space, the function writes only a NUL (nothing if the space is 0). A binary writer returns STAMMA_ERROR_NO_SPACE
 *     and writes nothing.
 *   - An options struct starts with its own size. 0 in any other member selects the default:
 *     stamma_pgn_options options = {sizeof options};
 *     A struct of an older version, which is smaller, is accepted. A struct of a newer version is accepted if the
 *     members that this version does not have are 0; otherwise the function returns STAMMA_ERROR_UNSUPPORTED. Results
 *     that may grow also start with their size. The caller sets it, and the library writes nothing beyond it.
 *   - Comments list errors without their prefix: "ILLEGAL" means STAMMA_ERROR_ILLEGAL. A function that allocates can
 *     return NO_MEMORY, and a function that uses a caller's input or output can return IO.
 *   - An object may be used by one thread at a time. Different objects are independent. There is no mutable global
 *     state and no initialisation call.
 */
#ifndef STAMMA_H
#define STAMMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define STAMMA_API
#elif defined(__GNUC__)
#define STAMMA_API __attribute__((visibility("default")))
#else
#define STAMMA_API
#endif

/* ------------------------------------------------------------------------------------------------ 1. base -------- */

#define STAMMA_VERSION_MAJOR 0
#define STAMMA_VERSION_MINOR 1
#define STAMMA_VERSION_PATCH 0
#define STAMMA_VERSION "0.1.0"

/* Returns the version of the linked library as text: "0.1.0". The string is static. */
STAMMA_API const char *stamma_version(void);

/* Why a function failed. The values are permanent, and each has one cause. */
typedef enum stamma_error {
    STAMMA_OK = 0,
    STAMMA_ERROR_NO_MEMORY = 1,    /* the allocator returned NULL */
    STAMMA_ERROR_IO = 2,           /* an input or output callback failed */
    STAMMA_ERROR_NO_SPACE = 3,     /* the caller's buffer is too small; nothing was written */
    STAMMA_ERROR_BAD_ARGUMENT = 4, /* the call is wrong: square 70, or NULL for a parameter that must not be NULL */
    STAMMA_ERROR_SYNTAX = 5,       /* the text does not have the expected form */
    STAMMA_ERROR_ILLEGAL = 6,      /* well-formed, but against the rules of chess: a move, a set-up */
    STAMMA_ERROR_CORRUPT = 7,      /* encoded data that no encoder produces, or a wrong checksum */
    STAMMA_ERROR_UNSUPPORTED = 8,  /* valid, but this encoding or version cannot represent or read it */
    STAMMA_ERROR_CANCELLED = 9,    /* a callback asked to stop */
    STAMMA_ERROR_AMBIGUOUS = 10,   /* the text matches several legal moves */
    STAMMA_ERROR_LIMIT = 11,       /* a limit that the caller set was reached */
    STAMMA_ERROR_MISMATCH = 12,    /* the input differs from the input of the interrupted run */
    STAMMA_ERROR_NO_ARCHIVE = 13   /* the bytes are not a Stamma archive */
} stamma_error;

/* Returns a short English name of an error ("out of memory"), or "unknown error" for any other value. Never NULL; the
 * string is static. */
STAMMA_API const char *stamma_error_text(stamma_error error);

/* A slice of bytes owned by someone else. Not NUL-terminated. The bytes may be in any character encoding. */
typedef struct stamma_text {
    const char *data;
    size_t size; /* bytes */
} stamma_text;

/* Returns a NUL-terminated string as a text, without its NUL. {NULL, 0} if `string` is NULL. The text refers to the
 * string:
 *   stamma_text name = stamma_archive_game_tag(game, stamma_text_of("White")); */
STAMMA_API stamma_text stamma_text_of(const char *string);

/* A place in an input. */
typedef struct stamma_place {
    uint64_t offset; /* bytes from the start of the input */
    uint64_t line;   /* from 1; LF, CR LF and a single CR each end a line */
    uint64_t game;   /* from 1; 0 before the first game */
    uint32_t ply;    /* plies played in the current line before this place, from 0 */
} stamma_place;

/* Memory functions for one object and everything that it owns. Each is called with `context`. `resize` behaves like
 * realloc. `release` must accept NULL. */
typedef struct stamma_allocator {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void *(*resize)(void *context, void *memory, size_t size);
    void (*release)(void *context, void *memory);
} stamma_allocator;

/* A source of bytes.
 *   read  stores up to `size` bytes at `bytes` and returns their number, 0 only at the end; -1 if the source fails
 *   seek  moves to `offset` bytes from the start and returns false if it cannot; NULL if the source cannot seek (a
 *         pipe) */
typedef struct stamma_input {
    void *context;
    ptrdiff_t (*read)(void *context, void *bytes, size_t size);
    bool (*seek)(void *context, uint64_t offset);
} stamma_input;

/* A destination of bytes.
 *   write  writes all `size` bytes, or returns false
 *   sync   makes all written bytes durable, or returns false; may be NULL */
typedef struct stamma_output {
    void *context;
    bool (*write)(void *context, const void *bytes, size_t size);
    bool (*sync)(void *context);
} stamma_output;

/* ------------------------------------------------------------------------------------------------ 2. board ------- */

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

/* A coloured piece: its piece type, plus 8 for Black. STAMMA_NO_PIECE is an empty square. */
typedef uint8_t stamma_piece;
#define STAMMA_NO_PIECE 6

/* A move in 16 bits, the encoding `move16` (seeds 000, 001, 002): target square in bits 0-5, origin in bits 6-11, flags
 * in bits 12-15. 0 is the null move. Flags 6 and 7 are never valid.
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

STAMMA_API inline stamma_move stamma_move_make(unsigned from, unsigned to, unsigned flags)
{
    return (stamma_move)((flags & 15u) << 12 | (from & 63u) << 6 | (to & 63u));
}
STAMMA_API inline stamma_square stamma_move_to(stamma_move move) { return (stamma_square)(move & 63u); }
STAMMA_API inline stamma_square stamma_move_from(stamma_move move) { return (stamma_square)(move >> 6 & 63u); }
STAMMA_API inline unsigned stamma_move_flags(stamma_move move) { return (unsigned)move >> 12; }
STAMMA_API inline bool stamma_move_is_capture(stamma_move move) { return (move >> 12 & STAMMA_FLAG_CAPTURE) != 0; }
STAMMA_API inline bool stamma_move_is_promotion(stamma_move move) { return (move >> 12 & STAMMA_FLAG_PROMOTION) != 0; }
STAMMA_API inline bool stamma_move_is_castling(stamma_move move) { return move >> 13 == 1; }
/* Returns the piece type that the pawn promotes to. Meaningful only if stamma_move_is_promotion is true. */
STAMMA_API inline stamma_piece_type stamma_move_promotion(stamma_move move)
{
    return (stamma_piece_type)((move >> 12 & 3) + STAMMA_KNIGHT);
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
    STAMMA_SETUP_CASTLING = 1 << 10,           /* a castling right without king and rook in order on their back rank */
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

/* Returns the piece on a square, or STAMMA_NO_PIECE. `square` must be below 64. */
STAMMA_API stamma_piece stamma_position_piece(const stamma_position *position, stamma_square square);

/* Returns whether the side to move is in check. */
STAMMA_API bool stamma_position_in_check(const stamma_position *position);

/* An upper bound of the number of legal moves: 15 queens with 27 moves each, and a king with 10. */
#define STAMMA_MOVES_MAX 416

/* Stores all legal moves, including Chess960 castling, and returns their number. The order is fixed for a position but
 * otherwise unspecified; encodings use the order of stamma_legal_moves_canonical. */
STAMMA_API size_t stamma_legal_moves(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX]);

/* Stores all legal moves in canonical order and returns their number. The order is that of the UCI text with castling
 * written as king takes rook: by origin file, origin rank, target file, target rank, then promotion: none, b, n, q, r
 * (seed 004). */
STAMMA_API size_t stamma_legal_moves_canonical(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX]);

/* Returns the number of legal moves, without listing them. */
STAMMA_API size_t stamma_legal_moves_count(const stamma_position *position);

/* Returns whether `move`, any 16 bits, is a legal move. The null move is not legal. */
STAMMA_API bool stamma_move_is_legal(const stamma_position *position, stamma_move move);

/* Returns whether a legal move gives check, without making it. Covers direct and discovered checks, en passant,
 * castling and promotion. */
STAMMA_API bool stamma_move_gives_check(const stamma_position *position, stamma_move move);

/* Makes a legal move, or the null move, which changes only the side to move, the en passant square and the clocks.
 *   after  receives the position after the move; may be the same as `before`
 * To unmake a move, keep a copy of the position. The function does not check the move: a move that is not legal
 * produces a meaningless position, but no undefined behaviour. */
STAMMA_API void stamma_position_make(const stamma_position *before, stamma_move move, stamma_position *after);

/* Returns the 64-bit key of a position: a hash of board, side to move, castling rights and en passant square. The en
 * passant square counts only if an en passant capture is legal; clocks do not count. Keys are the same in every version
 * of the library. */
STAMMA_API uint64_t stamma_position_key(const stamma_position *position);

/* Returns whether two positions are equal for search and repetition: the facts that stamma_position_key hashes,
 * compared exactly. */
STAMMA_API bool stamma_position_equal(const stamma_position *a, const stamma_position *b);

/* Returns the key of a position in PolyGlot opening books, from their published random numbers. The en passant square
 * counts if a pawn is beside the pushed pawn, even if the capture is not legal. Chess960 castling rights are hashed by
 * side. Use it only for PolyGlot books. */
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

/* Returns whether the material allows neither side to mate. */
STAMMA_API bool stamma_position_is_insufficient(const stamma_position *position);

/* Returns the number of leaf nodes of the tree of legal moves `depth` plies deep; 1 for depth 0. Moves of the last ply
 * are counted without making them. */
STAMMA_API uint64_t stamma_perft(const stamma_position *position, unsigned depth);

/* Returns the same number as stamma_perft by making every move, including those of the last ply. */
STAMMA_API uint64_t stamma_perft_plain(const stamma_position *position, unsigned depth);

/* --------------------------------------------------------------------------------------------- 3. notation ------- */

/* FEN, the six fields of the PGN standard 16.1, with the castling field of X-FEN or Shredder (seed 003). */
typedef enum stamma_fen_style {
    STAMMA_FEN_STANDARD = 0, /* KQkq where the rook is the outermost of its side, else its file (X-FEN) */
    STAMMA_FEN_SHREDDER = 1  /* the rooks' files always: HAha */
} stamma_fen_style;

/* Longest FEN that stamma_fen_write can give, with its NUL. */
#define STAMMA_FEN_SIZE 104

/* Reads a FEN leniently: fields may be parted by any run of blanks, and the last fields may be missing or `-` (side w,
 * no castling, no en passant, clocks 0 and 1; larger clocks stay at 65535). KQkq, HAha and mixtures are understood. An
 * en passant square that no pawn can just have passed and castling rights without king and rook in their places are
 * left out. SYNTAX when it is no FEN, with the offset of the first bad byte in *offset if not NULL; ILLEGAL when the
 * set-up is. Unless SYNTAX, *problems (if not NULL) gets the STAMMA_SETUP_ bits of the text as it stands: what was left
 * out, or why it is illegal. */
STAMMA_API stamma_error stamma_fen_read(stamma_text fen, stamma_position *position, unsigned *problems, size_t *offset);

/* The same, strictly: exactly a text that stamma_fen_write gives, in either style. SYNTAX for any other text, ILLEGAL
 * where the lenient reader would leave something out. */
STAMMA_API stamma_error stamma_fen_read_strict(stamma_text fen, stamma_position *position, unsigned *problems,
                                               size_t *offset);

/* Writes the FEN; the en passant square after every double push, capturable or not (16.1.3.4). Text writer. */
STAMMA_API size_t stamma_fen_write(const stamma_position *position, stamma_fen_style style, char *out, size_t size);

/* EPD: the first four fields, then operations `opcode operand... ;` (PGN standard 16.2). Reads the position as
 * leniently as stamma_fen_read, and gives the operations (if not NULL) as one slice of `epd`, without the blanks around
 * it. The operations `hmvc` and `fmvn` set the clocks; so do the two numbers of a FEN, which are then no part of the
 * operations. Errors as stamma_fen_read. */
STAMMA_API stamma_error stamma_epd_read(stamma_text epd, stamma_position *position, stamma_text *operations,
                                        unsigned *problems, size_t *offset);

/* The next operation of an EPD's operations: takes it off the front of *operations and gives opcode and operands
 * (quotes kept). False at the end; what has no closing `;` runs to the end. */
STAMMA_API bool stamma_epd_next(stamma_text *operations, stamma_text *opcode, stamma_text *operands);

/* Writes the four fields of an EPD, and one blank and `operations` where that is not empty. Text writer. */
STAMMA_API size_t stamma_epd_write(const stamma_position *position, stamma_text operations, char *out, size_t size);

/* UCI text of a move: 4 or 5 characters, "0000" for the null move. With `chess960`, castling is king takes rook;
 * without, the king's two squares, which in Chess960 may be those of a king's step. Needs the position for castling
 * alone. Text writer; STAMMA_UCI_SIZE is always enough. */
#define STAMMA_UCI_SIZE 6
STAMMA_API size_t stamma_uci_write(const stamma_position *position, stamma_move move, bool chess960, char *out,
                                   size_t size);

/* Reads UCI text. Castling is understood in both forms, where it is not a legal step of the king; "0000" is the null
 * move. The promotion piece may be a capital. SYNTAX, or ILLEGAL when no legal move is so written (the null move is
 * illegal in check). */
STAMMA_API stamma_error stamma_uci_read(const stamma_position *position, stamma_text uci, stamma_move *move);

/* SAN of a legal move (PGN standard 8.2.3): origin file, else rank, else both where other legal moves of such a piece
 * go to the same square; x, =Q, + and #, O-O; "--" for the null move. At most 7 characters. Text writer;
 * STAMMA_SAN_SIZE is always enough. */
#define STAMMA_SAN_SIZE 8
STAMMA_API size_t stamma_san_write(const stamma_position *position, stamma_move move, char *out, size_t size);

/* Reads a move in SAN, and as people write it:
 *   - castling as O-O, 0-0 or o-o, as king takes rook (e1h1, Kxh1), or as the king's two squares (e1g1)
 *   - promotion as e8=Q, e8Q, e8(Q), e8/Q, e8=q
 *   - x, +, ++, # and "e.p." missing or wrong; ! and ? behind
 *   - more origin than needed: Ngf3, Ng1f3, Ng1-f3, Pe2-e4; UCI text; a pawn's capture by files alone: exd, ed
 *   - small letters for pieces. A leading b is a pawn where that is SAN (bxc3), else a bishop where only that is legal
 *   - null moves "--", "Z0", "0000", "aa"; illegal in check
 * SYNTAX when it is no move at all, ILLEGAL when no legal move answers, AMBIGUOUS when several do (e8 without a piece,
 * too). */
STAMMA_API stamma_error stamma_san_read(const stamma_position *position, stamma_text san, stamma_move *move);

/* Long algebraic: e2-e4, Ng1xf3, e7xf8=Q+, O-O, "--". At most 8 characters. Text writer; STAMMA_LAN_SIZE is always
 * enough. */
#define STAMMA_LAN_SIZE 10
STAMMA_API size_t stamma_lan_write(const stamma_position *position, stamma_move move, char *out, size_t size);

/* Reads what stamma_san_read reads as far as it says the origin square: SYNTAX where it does not. Other errors as
 * there. */
STAMMA_API stamma_error stamma_lan_read(const stamma_position *position, stamma_text lan, stamma_move *move);

/* ---- values of tags ---- */

/* Returns the rating that a tag value contains (WhiteElo, BlackElo), 1 to 9999, or 0 if it contains none. Accepts one to four
 * digits, blanks around them, and a question mark after them (a provisional rating). */
STAMMA_API unsigned stamma_rating_read(stamma_text value);

/* The result of a game. Permanent values. */
typedef enum stamma_result {
    STAMMA_RESULT_UNKNOWN = 0, /* unfinished, or unknown */
    STAMMA_RESULT_WHITE = 1,   /* White won */
    STAMMA_RESULT_BLACK = 2,   /* Black won */
    STAMMA_RESULT_DRAW = 3
} stamma_result;

/* Returns the result that a text contains: "1-0", "0-1", "1/2-1/2"; UNKNOWN for "*" and for any other text. */
STAMMA_API stamma_result stamma_result_read(stamma_text text);

/* Returns the text of a result; "*" for UNKNOWN. Static. */
STAMMA_API const char *stamma_result_text(stamma_result result);

/* A date, which may be known in part. Days are numbers: year * 10000 + month * 100 + day. */
typedef struct stamma_date {
    uint32_t first; /* the first day that it may be, */
    uint32_t last;  /* and the last */
    uint16_t year;  /* 0: unknown */
    uint8_t month;  /* 0: it, or the year, is unknown */
    uint8_t day;    /* 0: it, the month or the year is unknown */
} stamma_date;

/* Reads the value of a Date tag: "2010.05.31", "2010.??.??", "201?", "2010-5-3". The year has four characters, month and day
 * have one or two; question marks are unknown digits. Separators are . - and /. Anything after a blank or a T is ignored. A
 * month or day that no calendar has counts as unknown. Returns false, and leaves *date unchanged, if the value is not a date,
 * or if no digit of the year is known. */
STAMMA_API bool stamma_date_read(stamma_text value, stamma_date *date);

/* ---- the PGN reader: a pull reader of events over a callback input ---- */

typedef enum stamma_pgn_kind {
    STAMMA_PGN_END = 0,         /* the end of the input; every later call gives it again */
    STAMMA_PGN_GAME_BEGIN,      /* before the first token of a game */
    STAMMA_PGN_TAG,             /* text: the name; value: what stands between the quotes, escapes as written */
    STAMMA_PGN_MOVE_NUMBER,     /* text: digits and dots; only with option move_numbers */
    STAMMA_PGN_MOVE,            /* text: as written, with no !? suffix; move: resolved, unless option tokens_only */
    STAMMA_PGN_COMMENT,         /* text: between { and } */
    STAMMA_PGN_LINE_COMMENT,    /* text: after ; to the end of the line */
    STAMMA_PGN_ESCAPE,          /* text: after % at the start of a line to its end */
    STAMMA_PGN_NAG,             /* nag: 0..255; text: "$n", or what stands for it: "!?", "+-", "N" ... */
    STAMMA_PGN_VARIATION_BEGIN,
    STAMMA_PGN_VARIATION_END,
    STAMMA_PGN_RESULT,          /* text: 1-0, 0-1, 1/2-1/2, 1/2 or *; at depth 0 the game ends with it */
    STAMMA_PGN_ERROR,           /* error and place say what is wrong; text: the bytes passed over; reading goes on */
    STAMMA_PGN_GAME_END         /* after the last token of a game */
} stamma_pgn_kind;

/* One event. The slices stay valid until the next call. A token of option max_token bytes or more comes in several events
 * of its kind, all but the last with `more` set. */
typedef struct stamma_pgn_event {
    stamma_pgn_kind kind;
    stamma_error error;   /* ERROR: SYNTAX (no PGN here), ILLEGAL or AMBIGUOUS (a move, a FEN tag), UNSUPPORTED (the Variant
                             tag names another game), LIMIT (nested deeper than max_depth). MOVE: see below */
    stamma_text text;
    stamma_text value;
    stamma_place place;   /* of the event's first byte; ply is 0 with tokens_only */
    uint32_t depth;       /* nesting of variations: 0 in the main line */
    stamma_move move;     /* 0 is the null move where error is OK */
    uint8_t nag;
    bool more;
    uint64_t reserved[2]; /* 0: space for later versions, so that the struct never grows */
} stamma_pgn_event;

typedef struct stamma_pgn_options {
    size_t size;                /* sizeof(stamma_pgn_options) */
    const stamma_allocator *allocator; /* NULL: malloc and free */
    bool tokens_only;           /* do not play the moves: no positions, no STAMMA_ERROR_ILLEGAL */
    bool move_numbers;          /* give STAMMA_PGN_MOVE_NUMBER events */
    uint32_t max_depth;         /* nesting of variations that is played; deeper ones are given as one error event each
                                   and passed over. Default 1000; no limit with tokens_only */
    size_t max_token;           /* bytes; default 1 MiB, at least 256. Also the longest tag pair that is seen as one */
} stamma_pgn_options;

typedef struct stamma_pgn_reader stamma_pgn_reader;

/* Opens a reader over `input`, which is copied (its context must live as long as the reader). Memory: two times
 * max_token, and 100 to 200 bytes a level of nesting as it comes. NO_MEMORY or BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_pgn_reader_open(const stamma_input *input, const stamma_pgn_options *options,
                                               stamma_pgn_reader **reader);

/* The same over a piece of memory, which is not copied and must live as long as the reader. */
STAMMA_API stamma_error stamma_pgn_reader_open_memory(const void *bytes, size_t size, const stamma_pgn_options *options,
                                                      stamma_pgn_reader **reader);

/* Gives the next event. The events depend on the bytes alone, never on how the input hands them out. Bad PGN is an event,
 * never a failure: only IO and NO_MEMORY fail (a variation that there is no memory for), and then the next call goes on
 * where it can.
 *
 * A word that is no move, or a move that cannot be played, is an ERROR event. The rest of its line (variation or game)
 * comes as MOVE events with move 0 and that error, since the position is unknown; so does all of a game whose start is
 * not known. A byte order mark and white space give no event, nor do marks that only repeat what the move says (+ # e.p.
 * standing apart). Comments, escapes and errors may also come between games, where they belong to none. A game without a
 * result ends at the next tag pair or at the end of the input; one without a closing parenthesis with an ERROR event. */
STAMMA_API stamma_error stamma_pgn_reader_next(stamma_pgn_reader *reader, stamma_pgn_event *event);

/* The position before the next move of the current line: the start of the game (from its first FEN tag) after the tags,
 * and the position reached after a MOVE event. Valid until the next call. NULL with tokens_only or after a move that
 * failed. */
STAMMA_API const stamma_position *stamma_pgn_reader_position(const stamma_pgn_reader *reader);

/* Passes over the rest of the current game, unread; the next event is its GAME_END. Between games it does nothing. Errors
 * as stamma_pgn_reader_next. */
STAMMA_API stamma_error stamma_pgn_reader_skip_game(stamma_pgn_reader *reader);

/* Closes a reader; NULL is fine. */
STAMMA_API void stamma_pgn_reader_close(stamma_pgn_reader *reader);

/* Copies a tag value without its escapes (\" and \\; PGN standard 7). Binary-safe; writes at most value.size bytes to
 * `out` and returns how many, or how many it would take when `out` is NULL. */
STAMMA_API size_t stamma_pgn_unescape(stamma_text value, char *out);

/* ---- the PGN writer: export format (PGN standard 3.2 and 8) ---- */

typedef struct stamma_pgn_writer_options {
    size_t size;
    const stamma_allocator *allocator;
    uint32_t line_width; /* bytes in the longest line of movetext; default 79 (PGN standard 8.2.1); UINT32_MAX: the whole
                            movetext on one line. Comments are never broken: what is longer gets a line of its own */
} stamma_pgn_writer_options;

typedef struct stamma_pgn_writer stamma_pgn_writer;

/* Opens a writer to `output`, which is copied. Call the functions below in the order of the text: tags and the start, then
 * moves and what belongs to them, then the result; then the next game may follow. Each gives BAD_ARGUMENT, and writes
 * nothing, when the call does not fit there; IO or NO_MEMORY, after which the writer can only be closed. Text goes to
 * `output` in large pieces; all of a game is out when stamma_pgn_writer_result returns. */
STAMMA_API stamma_error stamma_pgn_writer_open(const stamma_output *output, const stamma_pgn_writer_options *options,
                                               stamma_pgn_writer **writer);
/* A tag pair. `name` is letters, digits and `_ + - / # = : @`; `value` is plain text in one line, in which quotes and
 * backslashes are escaped here. The order of the tags is the caller's (PGN standard 8.1.1: the seven-tag roster first). */
STAMMA_API stamma_error stamma_pgn_writer_tag(stamma_pgn_writer *writer, stamma_text name, stamma_text value);
/* Sets the position that the movetext starts from; without it, the initial position. The FEN tag is the caller's. */
STAMMA_API stamma_error stamma_pgn_writer_start(stamma_pgn_writer *writer, const stamma_position *position);
/* A move, or the null move `--`. ILLEGAL when it is not legal, and for the null move in check. */
STAMMA_API stamma_error stamma_pgn_writer_move(stamma_pgn_writer *writer, stamma_move move);
/* A comment, between braces; one that holds a `}` goes behind a `;` to the end of a line. BAD_ARGUMENT for what PGN cannot
 * say: with `}` and a line end in it, or a line that begins with `[Event "`. */
STAMMA_API stamma_error stamma_pgn_writer_comment(stamma_pgn_writer *writer, stamma_text comment);
/* A NAG, 0..255, as `$n`. */
STAMMA_API stamma_error stamma_pgn_writer_nag(stamma_pgn_writer *writer, unsigned nag);
/* Begins a variation that replaces the last move written in the current line; ends it and goes back. */
STAMMA_API stamma_error stamma_pgn_writer_variation_begin(stamma_pgn_writer *writer);
STAMMA_API stamma_error stamma_pgn_writer_variation_end(stamma_pgn_writer *writer);
/* The result (1-0, 0-1, 1/2-1/2, *) ends the game, and an empty line follows. */
STAMMA_API stamma_error stamma_pgn_writer_result(stamma_pgn_writer *writer, stamma_text result);
/* Closes a writer; NULL is fine. A game without its result is lost in part. */
STAMMA_API void stamma_pgn_writer_close(stamma_pgn_writer *writer);

/* ---- the game tree: one game in memory, with tags, comments, NAGs and variations ---- */

/* Slices that a game gives stay valid until it is changed. A failed call leaves the game as it was, but for
 * stamma_game_read. */
typedef struct stamma_game stamma_game;
/* A node is a move and what belongs to it; node 0 is the start of the game. Numbers stay valid until the game closes or
 * reads another. */
typedef uint32_t stamma_node;
#define STAMMA_NODE_NONE UINT32_MAX

/* An empty game from the initial position, with the result `*`. About 50 bytes a move. NO_MEMORY. */
STAMMA_API stamma_error stamma_game_open(const stamma_allocator *allocator, stamma_game **game);
/* Closes a game; NULL is fine. */
STAMMA_API void stamma_game_close(stamma_game *game);
/* Empties the game and reads the next one of a reader that plays moves and stands between games; *found is false at the
 * end of the input. What cannot be played is left out of the tree, with the rest of its line and the variations on it, and
 * so are escapes and what stands between games (but comments right before a game without tags are its own). The first
 * ERROR event is given in *error and *error_place (OK: there was none) where these are not NULL. A missing result is `*`.
 * IO or NO_MEMORY as the reader gives them; the game is incomplete then. BAD_ARGUMENT for a reader that does not play or is
 * in the midst of a game. */
STAMMA_API stamma_error stamma_game_read(stamma_game *game, stamma_pgn_reader *reader, bool *found, stamma_error *error,
                                         stamma_place *error_place);
/* Writes the game, all of it, so that reading it again gives an equal tree. Errors as the writer gives them. */
STAMMA_API stamma_error stamma_game_write(const stamma_game *game, stamma_pgn_writer *writer);

STAMMA_API size_t stamma_game_tag_count(const stamma_game *game);
/* The tag at `index` in order of the text; values without escapes. BAD_ARGUMENT past the end. */
STAMMA_API stamma_error stamma_game_tag_at(const stamma_game *game, size_t index, stamma_text *name, stamma_text *value);
/* The value of the first tag of that name, or {NULL, 0}. */
STAMMA_API stamma_text stamma_game_tag(const stamma_game *game, stamma_text name);
/* Sets the first tag of that name, or adds it at the end. BAD_ARGUMENT for what stamma_pgn_writer_tag does not take, and
 * for the name FEN, which stamma_game_set_start sets. NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_tag(stamma_game *game, stamma_text name, stamma_text value);
/* The position that the game starts from. */
STAMMA_API const stamma_position *stamma_game_start(const stamma_game *game);
/* Sets the start, and the tags SetUp and FEN (PGN standard 9.7). BAD_ARGUMENT once there are moves; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_start(stamma_game *game, const stamma_position *position);
STAMMA_API stamma_text stamma_game_result(const stamma_game *game);
/* 1-0, 0-1, 1/2-1/2 or *; BAD_ARGUMENT for others. The Result tag is the caller's. */
STAMMA_API stamma_error stamma_game_set_result(stamma_game *game, stamma_text result);

/* Navigation: STAMMA_NODE_NONE where there is none. The first child is the main continuation, its siblings variations. */
STAMMA_API stamma_node stamma_game_parent(const stamma_game *game, stamma_node node);
STAMMA_API stamma_node stamma_game_first_child(const stamma_game *game, stamma_node node);
STAMMA_API stamma_node stamma_game_next_sibling(const stamma_game *game, stamma_node node);
/* The move that leads to the node; the null move for node 0 and for no node. */
STAMMA_API stamma_move stamma_game_move(const stamma_game *game, stamma_node node);
/* The position after the node's move, in constant time. BAD_ARGUMENT for no node. */
STAMMA_API stamma_error stamma_game_position(const stamma_game *game, stamma_node node, stamma_position *position);
/* Adds a legal move (or the null move, out of check) after `node`, behind the children it has, and gives its node in *added
 * if not NULL. ILLEGAL otherwise; BAD_ARGUMENT for no node; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_move(stamma_game *game, stamma_node node, stamma_move move, stamma_node *added);
/* Comments and NAGs of a node, in order. A comment may stand before the move of a variation's first node; before any other
 * move it is the same as behind the move before, and becomes that. BAD_ARGUMENT for no node and for what PGN cannot say
 * (stamma_pgn_writer_comment, stamma_pgn_writer_nag); NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_comment(stamma_game *game, stamma_node node, bool before, stamma_text comment);
STAMMA_API size_t stamma_game_comment_count(const stamma_game *game, stamma_node node, bool before);
/* {NULL, 0} past the end. */
STAMMA_API stamma_text stamma_game_comment(const stamma_game *game, stamma_node node, bool before, size_t index);
STAMMA_API stamma_error stamma_game_add_nag(stamma_game *game, stamma_node node, unsigned nag);
STAMMA_API size_t stamma_game_nag_count(const stamma_game *game, stamma_node node);
/* 0 past the end. */
STAMMA_API unsigned stamma_game_nag(const stamma_game *game, stamma_node node, size_t index);

/* ---------------------------------------------------------------------------------------------- 4. boards -------- */

/* The classic board representations (seed 003): arrays, mailboxes, 0x88, nibbles, a piece list, and the library's
 * bitboards. Each implements the complete rules of chess, including Chess960, and shares no code with the others. They
 * serve as examples and as independent checks of one another; doc/boards.md compares them.
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

/* Storage for what is needed to unmake a move. */
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

/* ------------------------------------------------------------------------------------------------ 5. codec ------- */

/* The move encodings by name, with the seed documents that describe them in parentheses. doc/encodings.md explains
 * each.
 *
 *   one move, by itself    move16 (000 001 002), butterfly (000 001 002), move32 (000), uci (002 004), enumeration
 *   (000),
 *                          move14 (004), move12 (004)
 *   one move, given the    san (000 004), lan (004), direction-target (000), check-flag (000), legal-index (000 004),
 *   position               legal-index-bits (000 004), pseudo-legal-index-bits (000), two-index-bits (004),
 *                          bcgn (000 004), bcgn-square (000 004), tarrasch (004), tojot, tojot-split,
 *                          tojot-mixed (004),
 *                          many-queens, many-promotions (004)
 *   whole games            legal-index-radix (004), gap-codes (004), ranked-tiers, ranked-huffman, arithmetic (004;
 *                          they use the predictor of section 6 and are missing without its weights), and each of the
 *                          above except butterfly and check-flag
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
    const char *source;      /* the seed documents that describe it: "000 004" */
    const char *description; /* one line of English, without a full stop */
    stamma_codec_kind kind;
    bool is_text;    /* codes are ASCII characters of 8 bits; in games a blank follows each */
    bool is_partial; /* the code does not determine the move: decoding a move may be AMBIGUOUS or UNSUPPORTED, and games
                      * are UNSUPPORTED */
} stamma_codec_info;

/* Returns the codec at an index from 0, in the order of doc/encodings.md; NULL past the last. Static. */
STAMMA_API const stamma_codec *stamma_codec_at(size_t index);

/* Returns the codec with a name, or NULL if there is none. Static. */
STAMMA_API const stamma_codec *stamma_codec_find(stamma_text name);

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

/* Calls `take` for each part of a move's code, from the first bit. The parts are either consecutive bits without gaps,
 * or terms. Errors: as for stamma_codec_encode. */
STAMMA_API stamma_error stamma_codec_explain(const stamma_codec *codec, const stamma_position *position,
                                             stamma_move move,
                                             void (*take)(void *context, const stamma_code_part *part), void *context);

/* ---- move32: a move with its moving and captured pieces (seed 000, "Extended Move Structure") ----
 * Bits 0-15 are the move, 16-18 the type of the moving piece, 19-21 the type of the captured piece or
 * STAMMA_PIECE_TYPE_NONE, and 22-31 an ordering score from 0 to 1023. Sorting the integers therefore sorts by score. 0
 * is the null move. */
typedef uint32_t stamma_move32;

STAMMA_API inline stamma_move stamma_move32_move(stamma_move32 move) { return (stamma_move)(move & 0xFFFFu); }
STAMMA_API inline stamma_piece_type stamma_move32_moved(stamma_move32 move) { return (stamma_piece_type)(move >> 16 & 7u); }
STAMMA_API inline stamma_piece_type stamma_move32_captured(stamma_move32 move)
{
    return (stamma_piece_type)(move >> 19 & 7u);
}
STAMMA_API inline unsigned stamma_move32_score(stamma_move32 move) { return move >> 22; }
STAMMA_API inline stamma_move32 stamma_move32_with_score(stamma_move32 move, unsigned score)
{
    return (move & 0x3FFFFFu) | (stamma_move32)(score & 0x3FFu) << 22;
}
/* Returns whether two moves are the same, ignoring their scores. */
STAMMA_API inline bool stamma_move32_equal(stamma_move32 a, stamma_move32 b) { return ((a ^ b) & 0xFFFFu) == 0; }

/* Returns the move32 of a legal move. The score of a capture is MVV-LVA (most valuable victim, then least valuable
 * attacker), from 3 (king takes pawn) to 40 (pawn takes queen). The score of any other move is 0. */
STAMMA_API stamma_move32 stamma_move32_of(const stamma_position *position, stamma_move move);

/* What stamma_position_unmake32 needs to unmake a move. */
typedef struct stamma_undo {
    uint64_t key;
    uint16_t halfmove_clock;
    uint16_t fullmove_number;
    stamma_square en_passant;
    stamma_square castling[2][2];
} stamma_undo;

/* Makes a legal move, or the null move, in place. The result equals that of stamma_position_make; the board is not
 * searched for the moving and captured pieces. */
STAMMA_API void stamma_position_make32(stamma_position *position, stamma_move32 move, stamma_undo *undo);

/* Unmakes the last move made with stamma_position_make32. */
STAMMA_API void stamma_position_unmake32(stamma_position *position, stamma_move32 move, const stamma_undo *undo);

/* Stores the indices of the pieces that a move removes from the board or puts on it, in a table of 2 x 6 x 64 entries
 * [color][piece type][square]. An incremental key (Zobrist, BCH) changes by these entries. `position` is the position
 * before the move. Returns the number of indices, at most 4. */
STAMMA_API size_t stamma_move32_indices(const stamma_position *position, stamma_move32 move, uint16_t indices[4]);

/* ---- enumeration: a number for every possible move (seed 000, "Over All Pieces and Squares") ---- */

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
 * 796 numbers of each side capture a pawn on the first or last rank. No such move is possible, but the seed counts
 * them. */
STAMMA_API stamma_error stamma_enumeration_unrank(unsigned number, stamma_enumerated_move *move);

/* ---- tarrasch and tojot: values that follow from their rules ---- */

/* Returns how often a legal move exchanges the number of the moving pawn with that of a neighbour (seed 004, "The Sweet
 * Spot"): the number of friendly pawns that a capture passes in the order of the files. 0 for other moves. */
STAMMA_API unsigned stamma_tarrasch_swaps(const stamma_position *position, stamma_move move);

/* Returns the number of move classes of the side to move in `tojot` (comments of seed 004): 10 in the initial position.
 * Above 16 the encoding uses its fallback codes. */
STAMMA_API unsigned stamma_tojot_classes(const stamma_position *position);

/* ---- complete games ----
 * An encoded game is a string of bytes:
 *   1. The number of plies, because both a forced move and the end of the game may need no bits (seed 000): a varint
 *      (LEB128) of 2 x plies, plus 1 if a list of null moves follows.
 *   2. The list of null moves, if the encoding has no code for them: varints of their number, and of the number of
 *      plies between each null move and the one before it.
 *   3. The codes, starting at a byte. The first bit is the most significant of its byte; zeros fill the last byte. */

/* An upper bound of the size of an encoded game, in bytes. */
#define STAMMA_CODEC_GAME_SIZE(plies) ((plies) * (size_t)10 + 32)

/* Encodes the moves of a game, including null moves.
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

/* Calls `take` for each part of an encoded game, starting with the number of plies. The code of legal-index-radix is
 * one number in mixed radix; each of its terms is a digit. Errors: as for stamma_codec_encode_game. */
STAMMA_API stamma_error stamma_codec_explain_game(const stamma_codec *codec, const stamma_position *start,
                                                  const stamma_move *moves, size_t plies,
                                                  void (*take)(void *context, const stamma_code_part *part),
                                                  void *context);

/* Reads the number of plies of an encoded game. Errors: CORRUPT if the bytes are not an encoded game. */
STAMMA_API stamma_error stamma_codec_game_plies(const void *bytes, size_t size, size_t *plies);

/* Decodes a game of at most `capacity` plies. After an error the contents of `moves` are undefined.
 * Errors:
 *   NO_SPACE     the game has more plies
 *   CORRUPT      no encoder produces this string
 *   UNSUPPORTED  the encoding has no codes for moves of a position, or the codec is partial */
STAMMA_API stamma_error stamma_codec_decode_game(const stamma_codec *codec, const stamma_position *start,
                                                 const void *bytes, size_t size, stamma_move *moves, size_t capacity,
                                                 size_t *plies);

/* ---- positions ----
 * The position encodings of doc/encodings.md by name. They store the board, the side to move, the castling rights, the
 * en passant square if a pawn is beside the pushed pawn, and the halfmove clock up to 100. They do not store the move
 * number. Equal positions have equal codes, and no code decodes to a position that cannot be set up. */
typedef struct stamma_position_codec stamma_position_codec;

typedef struct stamma_position_codec_info {
    const char *name;        /* "huffman-gaps": stable */
    const char *source;      /* the seed documents that describe it: "003"; empty for the library's own */
    const char *description; /* one line of English, without a full stop */
    bool is_text;            /* codes are ASCII characters of 8 bits */
    bool is_partial;         /* the code does not determine the position: decoding is UNSUPPORTED */
} stamma_position_codec_info;

/* Returns the codec at an index from 0, in the order of doc/encodings.md; NULL past the last. Static. */
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

/* Returns the part of a position that the encodings store: without an en passant square that no pawn is beside, with a
 * clock of at most 100, and with move number 1. */
STAMMA_API stamma_position stamma_position_coded(const stamma_position *position);

/* Encodes a position. Errors: UNSUPPORTED if the encoding cannot represent it: Chess960 castling rights in an encoding
 * without codes for them, or a set of pieces that no game leads to. */
STAMMA_API stamma_error stamma_position_encode(const stamma_position_codec *codec, const stamma_position *position,
                                               stamma_position_code *code);

/* Calls `take` for each part of a position's code, like stamma_codec_explain. Errors: as for stamma_position_encode. */
STAMMA_API stamma_error stamma_position_explain(const stamma_position_codec *codec, const stamma_position *position,
                                                void (*take)(void *context, const stamma_code_part *part),
                                                void *context);

/* Decodes the code of a position to what stamma_position_coded returns for it.
 * Errors: CORRUPT if no encoder produces this code, in its bits or their number; UNSUPPORTED if the codec is
 * partial. */
STAMMA_API stamma_error stamma_position_decode(const stamma_position_codec *codec, const stamma_position_code *code,
                                               stamma_position *position);

/* Both kings and all castling rights as one number of 12 bits, below STAMMA_KINGS_CASTLING_COUNT (end of seed 003):
 * first the 3,612 pairs of kings that are not adjacent, then 357 combinations with castling rights. */
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

/* ------------------------------------------------------------------------------------------------ 6. model ------- */

/* The move predictor estimates the probability of each legal move. It was trained on millions of games between people.
 * It uses only integer arithmetic, so its results are the same on every platform. If the library was built without the
 * predictor's weights (STAMMA_NO_MODEL), functions that need them return UNSUPPORTED. */

/* Game metadata used as context by the predictor. 0 means unknown. */
typedef struct stamma_game_context {
    size_t size;
    uint16_t white_rating;
    uint16_t black_rating;
    stamma_text time_control; /* value of the TimeControl tag, such as "180+2"; an empty text or "?" is unknown */
    stamma_result result;
    uint32_t plies; /* length of the complete game; together with the result it makes the last moves more predictable */
} stamma_game_context;

/* The sum of the frequencies of all legal moves of a position. */
#define STAMMA_PREDICT_TOTAL 65536

typedef struct stamma_likely_move {
    stamma_move move;
    uint32_t frequency; /* 1..STAMMA_PREDICT_TOTAL; a move costs log2(STAMMA_PREDICT_TOTAL / frequency) bits */
} stamma_likely_move;

/* Predicts the next move after the `plies` given moves, which may include null moves, played from `start`.
 *   context  game metadata; may be NULL
 *   likely   receives all legal moves, most likely first; ties are in canonical order. Their frequencies add up to
 *            STAMMA_PREDICT_TOTAL
 *   count    receives the number of legal moves; 0 if the game is over
 * Errors: ILLEGAL if a given move is not legal; UNSUPPORTED without weights; BAD_ARGUMENT if the size or a value of the
 * context is invalid. */
STAMMA_API stamma_error stamma_predict(const stamma_position *start, const stamma_move *moves, size_t plies,
                                       const stamma_game_context *context,
                                       stamma_likely_move likely[STAMMA_MOVES_MAX], size_t *count);

/* Stores the frequency that stamma_predict assigns to each move of a game before it is played; STAMMA_PREDICT_TOTAL for
 * a null move. `frequencies` must have space for `plies` values. Errors: as for stamma_predict. */
STAMMA_API stamma_error stamma_predict_game(const stamma_position *start, const stamma_move *moves, size_t plies,
                                            const stamma_game_context *context, uint32_t *frequencies);

/* Returns the identifier of the weights; 0 without weights. Archives and codes can be read only with the weights that
 * they were written with. */
STAMMA_API uint64_t stamma_predictor_id(void);

/* ---------------------------------------------------------------------------------------------- 7. archive ------- */

/* What packing did, or what an archive holds. */
typedef struct stamma_archive_counts {
    uint64_t games;
    uint64_t plies;                 /* main-line moves that are typed */
    uint64_t variation_plies;       /* moves in variations that are typed */
    uint64_t bytes_in;              /* bytes of text */
    uint64_t bytes_out;             /* bytes of archive, frames and all */
    uint64_t moves_bytes;           /* bytes of the moves column as stored */
    uint64_t games_verbatim;        /* no move of the game is typed, though there was text to type */
    uint64_t games_partly_verbatim; /* a prefix is typed, the rest kept as text */
    uint64_t games_corrected;       /* typed, with differences from the rendered text stored */
    uint64_t verbatim_bytes;        /* bytes of text kept as text in such games */
    uint64_t games_faulty;          /* kept as text because the writer's check found that they would not have come back:
                                     * a fault of this library, to be reported. Only what a writer packed; 0 of archives */
    uint64_t level_blocks[4];       /* [level]: blocks whose moves are stored at that level, [0] is 0. A block without
                                     * moves is of level 1. Set only by stamma_archive_reader_info; otherwise 0 */
    uint64_t reserved[1];           /* 0: room for later versions, so that the struct never grows */
} stamma_archive_counts;

/* Why a game, or a part of it, was kept as text. Permanent values: they are stored. */
typedef enum stamma_archive_reason {
    STAMMA_REASON_NONE = 0,
    STAMMA_REASON_BAD_FEN = 1,        /* the FEN tag does not give a legal position */
    STAMMA_REASON_VARIANT = 2,        /* the Variant tag names another game than chess or Chess960 */
    STAMMA_REASON_SYNTAX = 3,         /* bytes that are no PGN token */
    STAMMA_REASON_ILLEGAL_MOVE = 4,   /* a move that is not legal */
    STAMMA_REASON_AMBIGUOUS_MOVE = 5, /* a move that several legal moves answer to */
    STAMMA_REASON_DEPTH = 6,          /* variations nested deeper than an archive keeps typed */
    STAMMA_REASON_SIZE = 7,           /* a game larger than a block may be */
    STAMMA_REASON_LAYOUT = 8,         /* typed; white space, move numbers or spelling differ from every style */
    STAMMA_REASON_UNSUPPORTED = 9,    /* a position with more legal moves than the move codes hold */
    STAMMA_REASON_FAULT = 10,         /* typed, it would not have come back: a fault of this library, to be reported */
    STAMMA_REASON_COUNT = 11
} stamma_archive_reason;

/* English: "illegal move". Never NULL. */
STAMMA_API const char *stamma_archive_reason_text(stamma_archive_reason reason);

/* Told once for each game that is verbatim, partly verbatim or corrected; `place` is that of the first such byte. */
typedef struct stamma_archive_notice {
    uint64_t game;   /* number in the archive, from 1 */
    stamma_archive_reason reason;
    stamma_place place; /* in what was given to the writer; its `game` is the same number */
    stamma_text text; /* the start of what was kept, or of the tag that is the reason (BAD_FEN, VARIANT); at most 80 bytes */
    uint64_t kept;    /* bytes of the game that are kept as text or corrected, in all its places */
    stamma_text found;    /* LAYOUT: the token, or what stands between two tokens, that is written otherwise; at most 80 bytes */
    stamma_text expected; /* LAYOUT: how that token would be written in the style of the game; empty where it is no move */
} stamma_archive_notice;

/* Threads that the caller has, for packing, unpacking and verifying blocks at once, and the two halves of the moves of a
 * block of level 3: the library starts none. Results never depend on it. `start` has work(argument) done by some thread,
 * and need not wait for it; `wait` returns when that is done, and everything it wrote can be read. Both are called only by
 * the thread that called the library, `wait` once for each `start`. A caller's allocator is then used by several threads
 * at once. */
typedef struct stamma_executor {
    void *context;
    unsigned threads; /* how many there are; with less than 2 the caller's own does the work */
    void (*start)(void *context, void (*work)(void *argument), void *argument);
    void (*wait)(void *context, void *argument);
} stamma_executor;

typedef struct stamma_archive_writer_options {
    size_t size;
    const stamma_allocator *allocator;
    int level;            /* 0: the default, 1. 1: one byte a move. 2: moves by the predictor, a third the size, read ten
                           * to twenty times more slowly. 3: by the predictor that learns from each move, smaller by a
                           * tenth, and six times more slowly again; a game is read by way of all that stand before it
                           * in its block. UNSUPPORTED, 2 and 3, in a library without the predictor's weights */
    void *context;        /* given to the callbacks */
    void (*notice)(void *context, const stamma_archive_notice *notice); /* in order, by the thread that called */
    const stamma_executor *executor;                                    /* NULL: none. Copied */
    uint64_t memory; /* bytes to keep within, by working on fewer blocks at once (one takes 124 MiB, at level 3 27 MiB
                      * more); default 512 MiB */
    bool no_check;   /* do not read each block back before it is written. False: what a reader would not get as it was
                      * given is kept as text and counted in `games_faulty`, so that nothing can be lost */
    /* Told after each block how many bytes of the input are in blocks that were written, with a total of 0: not known.
     * False stops the writer: the call gives CANCELLED, as all later ones do, and the archive ends with its last commit.
     * NULL: not told. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    bool no_search_columns; /* leave out what lets a search pass over games, about 5 bytes a game: it works without, as it
                             * does at levels 2 and 3, which never have them */
} stamma_archive_writer_options;

typedef struct stamma_archive_writer stamma_archive_writer;

/* Opens a writer: the header is written at once. Memory is bounded whatever the input's size. UNSUPPORTED for a level
 * that this version does not have. */
STAMMA_API stamma_error stamma_archive_writer_open(const stamma_output *output,
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Packs more bytes; any cut of the input into pieces gives the same archive. Errors: IO, NO_MEMORY, CANCELLED; CORRUPT where a block
 * does not come back even as text, for which memory must be at fault: it is not written. Then the writer can only be
 * closed, and the archive ends with its last commit. */
STAMMA_API stamma_error stamma_archive_writer_write(stamma_archive_writer *writer, const void *bytes, size_t size);

/* Packs what is left, commits and syncs. `counts`, which may be NULL, are those of what this writer packed. */
STAMMA_API stamma_error stamma_archive_writer_finish(stamma_archive_writer *writer, stamma_archive_counts *counts);

STAMMA_API void stamma_archive_writer_close(stamma_archive_writer *writer);

struct stamma_archive_damage;
typedef struct stamma_archive_reader_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* for unpacking and verifying; NULL: none. Copied */
    uint64_t memory;                 /* bytes to keep within there (one block takes 112 MiB); default 512 MiB */
    void *context;                   /* given to the callback */
    /* NULL: reading ends at the first damage, with CORRUPT or UNSUPPORTED. Else it goes on behind it, gives all that is
     * sound, and tells of each damaged place, once, by the thread that called: with a `seek` of frames and commits while
     * the archive is opened, and of a block when it is read. */
    void (*damage)(void *context, const struct stamma_archive_damage *damage);
    /* Told behind each block that is unpacked, summed up or copied how many bytes of the archive are done, and of how many,
     * 0 without a `seek`. False stops the call, which gives CANCELLED; what was written is whole up to that block. NULL: not
     * told. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
} stamma_archive_reader_options;

typedef struct stamma_archive_reader stamma_archive_reader;

/* Opens an archive. With a `seek` its frames are found first, one after another; without, they are read front to back. What an
 * interrupted writer left behind the archive's end is no part of it, and neither is it sound then; nor is one that is cut short,
 * or whose last bytes are damaged though nothing is lost. Such an archive can be opened, and all of it is given; then reading it
 * ends with CORRUPT, or options->damage was told. CORRUPT, UNSUPPORTED (a later format), unless options->damage is told; IO,
 * NO_MEMORY; NO_ARCHIVE when it is no Stamma archive at all. */
STAMMA_API stamma_error stamma_archive_reader_open(const stamma_input *input,
                                                   const stamma_archive_reader_options *options,
                                                   stamma_archive_reader **reader);

/* Opens an archive that is in memory, like stamma_archive_reader_open with an input that can seek. `bytes` are not
 * copied and must stay unchanged as long as the reader exists. */
STAMMA_API stamma_error stamma_archive_reader_open_memory(const void *bytes, size_t size,
                                                          const stamma_archive_reader_options *options,
                                                          stamma_archive_reader **reader);

STAMMA_API void stamma_archive_reader_close(stamma_archive_reader *reader);

/* The offset in the archive where the last error was found, and the number of the game it concerns (0: none). */
STAMMA_API stamma_place stamma_archive_reader_place(const stamma_archive_reader *reader);

/* Where the archive ends in its input, in bytes: behind the last commit that counts, or behind the header where there is none.
 * Where that commit's last bytes are missing, where it would end with them. 0 without a `seek`, where it is not known. */
STAMMA_API uint64_t stamma_archive_reader_end(const stamma_archive_reader *reader);

/* Writes exactly the bytes that were packed. From its first block on: a reader with a `seek` rewinds,
 * and one without that was read from already is a BAD_ARGUMENT;
 * so with stamma_archive_reader_info. CORRUPT, UNSUPPORTED, IO, NO_MEMORY, with stamma_archive_reader_place; what stands before
 * that place was written, and of the block there the games before the error, if its columns are whole. OK, where
 * options->damage is told, even if something is missing. */
STAMMA_API stamma_error stamma_archive_reader_unpack(stamma_archive_reader *reader, const stamma_output *output);

/* Parts of a game, any of them together. What is not asked for is not decoded either, where nothing else needs it. */
#define STAMMA_GAME_TAGS 1u
#define STAMMA_GAME_RESULT 2u
#define STAMMA_GAME_MOVES 4u
#define STAMMA_GAME_COMMENTS 8u
#define STAMMA_GAME_CLOCKS 16u
#define STAMMA_GAME_EVALUATIONS 32u
#define STAMMA_GAME_NAGS 64u
#define STAMMA_GAME_VARIATIONS 128u
#define STAMMA_GAME_TEXT 256u
#define STAMMA_GAME_ALL 511u

typedef struct stamma_tag {
    stamma_text name;
    stamma_text value; /* as written, escapes kept */
} stamma_tag;

/* What stands among the moves of a main line. Permanent values. */
typedef enum stamma_archive_item_kind {
    STAMMA_ITEM_COMMENT = 1,         /* COMMENTS */
    STAMMA_ITEM_NAG = 2,             /* NAGS */
    STAMMA_ITEM_VARIATION_BEGIN = 3, /* VARIATIONS; and the next two */
    STAMMA_ITEM_VARIATION_END = 4,
    STAMMA_ITEM_MOVE = 5             /* of a variation */
} stamma_archive_item_kind;

typedef struct stamma_archive_item {
    stamma_archive_item_kind kind;
    unsigned depth;   /* 0: in the main line; 1: in a variation of it, to which its begin and end belong */
    size_t ply;       /* so many moves were played from the start of the game, the item's own included. VARIATION_BEGIN: those
                       * before the move that it stands for */
    stamma_move move; /* MOVE */
    unsigned nag;     /* NAG: 0..255. The suffixes ! ? !! ?? !? ?! are 1 to 6 */
    stamma_text text; /* COMMENT: what stands in the braces, or behind the semicolon. Where lines were wrapped in it, which is a
                       * matter of the game's style, their ends are blanks */
} stamma_archive_item;

typedef enum stamma_evaluation_kind {
    STAMMA_EVALUATION_NONE = 0,
    STAMMA_EVALUATION_CENTIPAWNS = 1, /* from White's side */
    STAMMA_EVALUATION_MATE = 2        /* in so many moves; below 0: by Black */
} stamma_evaluation_kind;

typedef struct stamma_evaluation {
    stamma_evaluation_kind kind;
    int32_t value;
} stamma_evaluation;

/* One packed game. Read it only where the library gives it: members may be added at its end. All of it lives until the next
 * call on the reader. Lists are NULL, and texts {any, 0}, where there is nothing or their part was not asked for. */
typedef struct stamma_archive_game {
    uint64_t number;            /* from 1; 0: not known, without a `seek` behind damage */
    bool continuation;          /* a further piece of a game too large for one, or what stands behind the last game: text alone */
    stamma_text text;           /* TEXT: the exact bytes */
    size_t tag_count;
    const stamma_tag *tags;     /* TAGS */
    stamma_text result;         /* RESULT: as written at the end of the movetext; empty where missing */
    stamma_position start;      /* with MOVES, VARIATIONS or TEXT; else it may be the initial position */
    size_t ply_count;           /* of the main line, whatever was asked for */
    const stamma_move *moves;   /* MOVES: the main line, as far as it is typed */
    stamma_archive_reason reason; /* not NONE: not everything is typed, and what is not stands in the text alone */
    size_t reason_offset;       /* in the text, of the first byte that is not */
    size_t moves_bits;          /* size of the moves in the moves column; 0 where they are predicted and MOVES was not asked for */
    size_t item_count;
    const stamma_archive_item *items; /* COMMENTS, NAGS, VARIATIONS: in the order of the text. Without VARIATIONS those of the
                                       * main line alone */
    const int64_t *clocks_ms;   /* CLOCKS: for each ply what the first [%clk h:mm:ss.f] behind it says, in ms; -1: nothing */
    const stamma_evaluation *evaluations; /* EVALUATIONS: for each ply what the first comment behind it says that has one:
                                           * [%eval 0.31] or [%eval #-3]; else, of engine games, "wv=0.31" or "wv=-M5" as a
                                           * key (TCEC), or "+0.31/12 1.2s" at the beginning (Cute Chess; there from the
                                           * side that moved, here from White's). M5 is 5 plies, which are 3 moves. Search
                                           * depths are left out */
    stamma_text found;    /* TEXT, where the reason is LAYOUT: the token, or what stands between two tokens, that is written
                           * otherwise, at reason_offset; at most 80 bytes */
    stamma_text expected; /* TEXT, LAYOUT: how that token would be written in the style of the game; empty where it is no move */
    bool no_start; /* with MOVES, VARIATIONS or TEXT: the FEN tag gives no legal position, `start` is the initial one in its place,
                    * and no move is typed */
} stamma_archive_game;

/* The value of a game's first tag of that name as written, or {NULL, 0}: also where tags were not asked for. */
STAMMA_API stamma_text stamma_archive_game_tag(const stamma_archive_game *game, stamma_text name);

/* Returns the result of a game: that of its Result tag if the tag contains a result or "*", otherwise that at the end of its
 * movetext. STAMMA_GAME_TAGS and STAMMA_GAME_RESULT must have been read. UNKNOWN if `game` is NULL. */
STAMMA_API stamma_result stamma_archive_game_result(const stamma_archive_game *game);

/* Empties `tree` and reads a game into it: from its text if it has one, like stamma_game_read; otherwise from the parts
 * that were read, of which those that were not read are left out. Without its text, a game has blanks in place of the
 * line ends in its comments.
 *   allocator  used while the function reads; NULL: malloc and free
 * Errors: BAD_ARGUMENT for a continuation, and for a game without text whose moves were not read or of which something is
 * not typed (`reason`); NO_MEMORY, and then the tree is incomplete. */
STAMMA_API stamma_error stamma_archive_game_read_tree(const stamma_archive_game *game, const stamma_allocator *allocator,
                                                      stamma_game *tree);

/* What is wanted of the games that stamma_archive_reader_next gives: STAMMA_GAME_..., added up; all of them where this is not
 * called. In 64 games at a time the text is held against a checksum before any is given; without TEXT it is not made, and only
 * the checksums of the columns that are read say that they are sound, which is true of what a sound writer wrote. A
 * part may need others: moves and tags of the start position, tags that follow from the moves those. Without a `seek` only
 * before the first game (BAD_ARGUMENT otherwise); with one at any time, the next game stays the next, and errors are as of
 * stamma_archive_reader_seek. BAD_ARGUMENT for parts that there are not. */
STAMMA_API stamma_error stamma_archive_reader_select(stamma_archive_reader *reader, unsigned parts);

/* The number of games, from the commits where the input can seek, else by reading all of it. */
STAMMA_API stamma_error stamma_archive_reader_game_count(stamma_archive_reader *reader, uint64_t *games);

/* Moves to a game by number, from 1; the next call of stamma_archive_reader_next gives it. Past the last: the end. Where damage is
 * told and the game is lost, to the first behind it that is there. Without `seek` only forwards (BAD_ARGUMENT otherwise).
 * With one up to four blocks of level 1 stay open, of 4 to 9 MB each, fewer where options->memory is below 320 MiB: games near
 * to others that were asked for come at once. */
STAMMA_API stamma_error stamma_archive_reader_seek(stamma_archive_reader *reader, uint64_t number);

/* Writes all blocks of another archive, as they are stored, behind what was written so far; what comes after them begins
 * as a new input does. The texts stand behind one another byte for byte, and the games of both are counted as they were,
 * even where a text does not end its last line: the first game of the next one is not joined to it. `reader` must have
 * just been opened and may be of any level. Only checksums are checked, and that games go on from block to block
 * (stamma_archive_verify checks all); frames that this version does not know are left out. CORRUPT, UNSUPPORTED, IO,
 * NO_MEMORY, with stamma_archive_reader_place; BAD_ARGUMENT when games of the reader were read already. After an error the
 * writer can only be closed. */
STAMMA_API stamma_error stamma_archive_writer_copy(stamma_archive_writer *writer, stamma_archive_reader *reader);

/* Packs all that another archive holds anew, at the writer's own level, behind what was written so far; each input that it
 * was packed from begins a block, as it did. So an archive is the same whichever level it was made from, and the same as
 * its inputs packed one behind another. `reader` must have just been opened, without options->damage. CORRUPT, UNSUPPORTED,
 * IO, NO_MEMORY, with stamma_archive_reader_place; the writer's errors; BAD_ARGUMENT when games of the reader were read
 * already. After an error the writer can only be closed. */
STAMMA_API stamma_error stamma_archive_writer_recompress(stamma_archive_writer *writer, stamma_archive_reader *reader);

/* Gives the next game, which the reader owns; NULL at the end and with an error. CORRUPT, UNSUPPORTED (unless damage is told),
 * IO, NO_MEMORY, with stamma_archive_reader_place. */
STAMMA_API stamma_error stamma_archive_reader_next(stamma_archive_reader *reader, const stamma_archive_game **game);

/* Room for a column's name; longer ones are cut. */
#define STAMMA_COLUMN_NAME_SIZE 64

/* One column of an archive and its size in all blocks; or one kind of field in a column's texts (clause 10 of the format:
 * clocks, evaluations, depths ...), whose bytes are among those of its column. */
typedef struct stamma_archive_column {
    /* "moves", "tag:White", "comments", "layout", "verbatim", ... NUL-terminated. A field: the column, a colon, and what is
     * written before the field: "comments:[%clk" */
    char name[STAMMA_COLUMN_NAME_SIZE];
    uint64_t stored_bytes;
    uint64_t plain_bytes;   /* before compression; of a field, as symbols and bits */
    uint64_t values;        /* of a field: how many there are; 0: a column */
} stamma_archive_column;

/* What an archive holds: counts, games by reason, and through a callback the columns, largest first, then the fields,
 * likewise. `counts`, `reasons` and `column` may be NULL. `reasons` has room for `reason_count` numbers, of which those behind
 * the last reason become 0; 0 where it is NULL. Rewinds as stamma_archive_reader_unpack does. */
STAMMA_API stamma_error stamma_archive_reader_info(stamma_archive_reader *reader, stamma_archive_counts *counts,
                                            uint64_t *reasons, size_t reason_count,
                                            void (*column)(void *context, const stamma_archive_column *column),
                                            void *context);

/* Opens a writer that appends to the archive that `reader`, which must seek, has open. `cut` is called once, at once and with
 * the output's context: it makes the file end at `size` bytes, durably, and the output's bytes follow there. Until the writer
 * is finished the archive is as it was, wherever the writing stops; then it unpacks to the old text and the new. Games are
 * numbered on; notices have the place in the new text. The reader is not needed further, and does not see what is new.
 * A commit at its end whose last bytes are damaged or missing is put right first: then it is cut before these 8 bytes, which are
 * written and synced. What an interrupted writer left behind the end is cut off: see STAMMA_DAMAGE_TAIL.
 * BAD_ARGUMENT for a reader without a `seek`, CORRUPT for an archive that is cut short or damaged otherwise (nothing has been
 * called then), UNSUPPORTED for a level that this version does not have, IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_writer_open_append(const stamma_archive_reader *reader, const stamma_output *output,
                                                   bool (*cut)(void *context, uint64_t size),
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Opens a writer that goes on with an archive whose writer was interrupted and left its commits: `reader`, which must seek, has
 * it open, must stay until the writer is closed, and be used no more. The writer is given the same input from its start. Blocks
 * that the file holds are not packed again, and no notices given of their games; where the input differs, or the file does not
 * go on, `cut` is called as for stamma_archive_writer_open_append, once, and all that follows is written. The finished archive is that
 * of a writer that was not interrupted; nothing that the file holds can make it a wrong one. BAD_ARGUMENT for a reader without
 * a `seek`, UNSUPPORTED for a level that this version does not have, IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_writer_open_resume(stamma_archive_reader *reader, const stamma_output *output,
                                                   bool (*cut)(void *context, uint64_t size),
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Where that ends, in bytes, which an append that was interrupted has committed behind the archive: stamma_archive_writer_open_append_resume
 * goes on with it, and stamma_archive_writer_open_append cuts it off. As stamma_archive_reader_end where there is no such thing. */
STAMMA_API uint64_t stamma_archive_reader_interrupted_end(const stamma_archive_reader *reader);

/* Opens a writer that goes on with an append that was interrupted: as stamma_archive_writer_open_resume, but the input is that of the
 * append, the old archive stays, and the file is never cut before its end. Where no append was interrupted, the input is held
 * against that of the last one. If it is the same nothing is appended, and the counts of stamma_archive_writer_finish are zero;
 * if its first block is another, it is appended; and if a later one is, stamma_archive_writer_write or _finish gives
 * MISMATCH and the archive stays. Errors as stamma_archive_writer_open_append gives them. */
STAMMA_API stamma_error stamma_archive_writer_open_append_resume(stamma_archive_reader *reader, const stamma_output *output,
                                                     bool (*cut)(void *context, uint64_t size),
                                                     const stamma_archive_writer_options *options,
                                                     stamma_archive_writer **writer);

/* How many bytes of the input commits hold: what stamma_archive_writer_open_resume would not pack again. */
STAMMA_API uint64_t stamma_archive_writer_committed(const stamma_archive_writer *writer);

/* What is wrong with an archive (doc/format.md says what these are). Permanent values. */
typedef enum stamma_damage_kind {
    STAMMA_DAMAGE_NONE = 0,
    STAMMA_DAMAGE_HEADER = 1,  /* the file's header */
    STAMMA_DAMAGE_FRAME = 2,   /* no frame, or half of one, where one must begin; or a frame of a later format */
    STAMMA_DAMAGE_HEAD = 3,    /* the head of a block: what it holds is not known, or only from its commit */
    STAMMA_DAMAGE_COLUMN = 4,  /* a column of a block as it is stored */
    STAMMA_DAMAGE_CONTENT = 5, /* checksums are right, and yet a block does not decode to the text that was packed */
    STAMMA_DAMAGE_COMMIT = 6,  /* a commit, or it says other than the blocks do */
    STAMMA_DAMAGE_END = 7,      /* the archive is cut short: it does not end with the end of what was packed */
    STAMMA_DAMAGE_TAIL = 8,     /* no part of the archive: what stands behind its last finished commit */
    STAMMA_DAMAGE_END_MARK = 9, /* the last bytes of a commit, whose checksum shows what they were: nothing is lost */
    STAMMA_DAMAGE_ORDER = 10,   /* a block or a commit that stands there once more, or that belongs elsewhere */
    STAMMA_DAMAGE_SEARCH = 11   /* a column that only helps to find games, or it says other than they do: the games are whole */
} stamma_damage_kind;

/* English: "damaged head of a block". Never NULL. */
STAMMA_API const char *stamma_damage_text(stamma_damage_kind kind);

/* One damaged place, and what it concerns as far as heads and commits tell: damage to both may leave a range that is too
 * wide, and UINT64_MAX where its end is not known. */
typedef struct stamma_archive_damage {
    stamma_damage_kind kind;
    stamma_error error;     /* CORRUPT, or UNSUPPORTED: not damaged, but of a later format */
    uint64_t offset;        /* of the damaged bytes in the archive: those of the frame, or the column */
    uint64_t size;          /* 0 where something is missing */
    uint64_t frame;         /* number of the frame, from 1; bytes that are no frame count as one. 0: none */
    uint64_t first_block;   /* numbers of blocks, from 1; 0: none is concerned */
    uint64_t last_block;
    uint64_t first_game;    /* numbers of games, from 1; 0: none */
    uint64_t last_game;
    uint64_t text_offset;   /* in the text that was packed */
    uint64_t text_size;     /* 0: none of it */
    const char *column;     /* as in stamma_archive_column, until the callback returns; NULL: not in one column */
    uint64_t game;          /* of CONTENT: the number of the game that does not decode; 0: not known */
} stamma_archive_damage;

typedef struct stamma_archive_verify_options {
    size_t size;
    const stamma_allocator *allocator;
    bool quick;                      /* only checksums and commits: blocks are not decoded */
    const stamma_executor *executor; /* NULL: none */
    uint64_t memory;                 /* bytes to keep within, as for reading; default 512 MiB */
    void *context;
    /* Told of each damaged place, in the order of the file, by the thread that called; may be NULL. */
    void (*damage)(void *context, const stamma_archive_damage *damage);
    /* Told behind each block how many bytes of the archive are done, with a total of 0: not known. False stops the call,
     * which gives CANCELLED. NULL: not told. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
} stamma_archive_verify_options;

typedef struct stamma_archive_verdict {
    size_t size;                   /* sizeof(stamma_archive_verdict), set by the caller */
    uint64_t damages;              /* damaged places; 0: the archive is sound */
    stamma_archive_counts sound;   /* what the sound blocks hold, without moves_bytes; bytes_out is the size of their frames */
    uint64_t sound_blocks;
    stamma_archive_counts all;     /* the totals of the last finished commit, of the last one where none is; bytes_out is
                                    * where it ends. Where it is damaged games and bytes are counted on as heads tell */
    uint64_t all_blocks;
    uint64_t input_size;           /* of the input, in bytes */
    uint64_t tail_offset;          /* behind it, where a writer that was stopped leaves what is no part of it */
    uint64_t tail_size;            /* 0: nothing stands there */
    uint64_t tail_blocks;          /* whole blocks there, */
    uint64_t tail_games;           /* and the games in them */
} stamma_archive_verdict;

/* Checks an archive from front to back, without a seek, and goes on behind damage to find all there is. OK when it came to
 * the end, whatever it found; NO_ARCHIVE when it is no Stamma archive at all, UNSUPPORTED for a later format, IO, NO_MEMORY;
 * then *verdict is not touched, though damage may have been told. Checksums show every change of a byte that this format
 * knows; what `quick` does not see is a block that was written wrongly. Source: doc/format.md, 7.3 and 13. */
STAMMA_API stamma_error stamma_archive_verify(const stamma_input *input, const stamma_archive_verify_options *options,
                                              stamma_archive_verdict *verdict);

typedef struct stamma_archive_repair_result {
    size_t size;                /* sizeof(stamma_archive_repair_result), set by the caller */
    stamma_archive_counts kept; /* what the new archive holds; bytes_out is its size */
    uint64_t kept_blocks;       /* blocks of the old one that it holds, */
    uint64_t repacked_blocks;   /* and those of them that had to be packed anew */
    stamma_archive_counts all;  /* what the old one held, as stamma_archive_verdict counts it */
    uint64_t all_blocks;
    bool known; /* so it was: its last commit was found, and nothing behind it */
    bool whole; /* and the new one holds all of it */
} stamma_archive_repair_result;

/* Writes a new archive of all blocks of a damaged one that are sound, which each is decoded to see: as they are stored and in
 * the order of their numbers, each once, wherever they stand. Those that an interrupted writer left behind its end are kept,
 * too. Where a game goes on in a block that is lost, the blocks of its other parts are packed anew from their text, so that
 * they unpack to the same bytes; the parts count as games of their own. `input` must seek. options->damage is told of damaged
 * places and what is lost there. OK when the new archive was written, though it may lack anything: result->whole says whether.
 * NO_ARCHIVE where there is no frame of an archive, UNSUPPORTED for a later format, IO, NO_MEMORY; BAD_ARGUMENT without a `seek`.
 * Source: doc/format.md, 12.2. */
STAMMA_API stamma_error stamma_archive_repair(const stamma_input *input, const stamma_output *output,
                                              const stamma_archive_reader_options *options,
                                              stamma_archive_repair_result *result);

/* ---------------------------------------------------------------------------------------------- 8. search -------- */

/* A question that games answer with yes or no, as JSON: doc/search.md has its vocabulary. It never changes, so that several
 * threads may use it at once. */
typedef struct stamma_query stamma_query;

/* Where the text of a query is wrong, and how. */
typedef struct stamma_query_fault {
    size_t offset; /* of the part that is at fault, in bytes from the start of the text */
    size_t size;   /* of that part; 0 at the end of the text */
    char message[200]; /* English, NUL-terminated: `unknown rule "materal"; did you mean "material"?` */
} stamma_query_fault;

/* Reads a query. The text is not needed further. SYNTAX for what doc/search.md does not allow, with *fault if not NULL;
 * NO_MEMORY. `allocator` (NULL: malloc and free) must live as long as the query. */
STAMMA_API stamma_error stamma_query_parse(stamma_text json, const stamma_allocator *allocator, stamma_query_fault *fault,
                                           stamma_query **query);
/* Closes a query, whose matchers must have been closed; NULL is fine. */
STAMMA_API void stamma_query_close(stamma_query *query);

/* Which parts of a game the query reads: STAMMA_GAME_..., added up; 0 where it reads none. */
STAMMA_API unsigned stamma_query_parts(const stamma_query *query);

/* What testing games needs: memory that is used again for each game. One thread at a time. */
typedef struct stamma_matcher stamma_matcher;

/* Opens a matcher for a query, which must stay. `allocator` as above. NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_open(const stamma_query *query, const stamma_allocator *allocator,
                                            stamma_matcher **matcher);

/* Whether the query finds a game, of which at least stamma_query_parts were read; a continuation never is. *plies (may be
 * NULL) gets the *count (may be NULL) plies of its earliest match, 0 being the start of the game: one, or where the query
 * itself has a sequence or a streak, those of its conditions. They live until the next call; 0 where nothing was found.
 * BAD_ARGUMENT for a game without moves that are needed; NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_test(stamma_matcher *matcher, const stamma_archive_game *game, bool *found,
                                            const uint32_t **plies, size_t *count);
/* Closes a matcher; NULL is fine. */
STAMMA_API void stamma_matcher_close(stamma_matcher *matcher);

/* How fast a game was to be played, as Lichess classes it by an estimate of the seconds that a side has: what the clock begins with,
 * and 40 times what each move adds. Permanent values. */
typedef enum stamma_speed {
    STAMMA_SPEED_NONE = 0,         /* not told */
    STAMMA_SPEED_ULTRA_BULLET = 1, /* below 30 */
    STAMMA_SPEED_BULLET = 2,       /* below 180 */
    STAMMA_SPEED_BLITZ = 3,        /* below 480 */
    STAMMA_SPEED_RAPID = 4,        /* below 1500 */
    STAMMA_SPEED_CLASSICAL = 5,
    STAMMA_SPEED_CORRESPONDENCE = 6 /* "-", or a day and more */
} stamma_speed;

/* The speed that a TimeControl tag says: "180+2", "40/7200:3600". The seconds of several periods are added up, of their increments the
 * largest counts. NONE for "?" and for anything that is no time control, a sandclock's too. Source: PGN standard 9.6.1. */
STAMMA_API stamma_speed stamma_speed_read(stamma_text time_control);
/* "ultraBullet", "blitz", as Lichess writes it; "" for NONE. Never NULL. */
STAMMA_API const char *stamma_speed_name(stamma_speed speed);

/* ---- searches ---- */

typedef struct stamma_tree stamma_tree;

/* Options of a search, which begin with their own size. */
typedef struct stamma_search_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* blocks are searched by its threads, all at once; NULL: by the caller's. Copied */
    uint64_t memory;    /* bytes to keep within, by working on fewer blocks at once (one takes up to 112 MiB); default: no bound */
    void *context;      /* given to the callback */
    /* Told behind each block, when all its matches were given, how many bytes of the archive are done, and of how many. False
     * stops the search: the call gives CANCELLED. NULL: not told. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    uint32_t time_limit_ms; /* milliseconds from stamma_search_open on, behind which the search ends with CANCELLED; default: none */
    bool no_search_columns; /* look at each game, whatever tells that it cannot match: slow, and the same answers, which tests show */
    const struct stamma_search_index *index; /* of the archive, which must stay; NULL: none. Answers are the same */
    /* Asked within blocks, too, some hundred times a second: true ends the search, and the call gives CANCELLED. The executor's
     * threads ask it, several at once; when it has given true they end, too. NULL: not asked. */
    bool (*stop)(void *context);
    /* Of stamma_tree_add_archive alone: told behind each block, before `progress`, the tree of what was found in the archive so far.
     * It lives as long as the call, in which it may be merged into another. NULL: not told. */
    void (*so_far)(void *context, const stamma_tree *tree);
    /* Skips damaged blocks, so that the answer covers the sound ones. False: a search ends with CORRUPT at the first
     * damaged block. */
    bool sound_only;
} stamma_search_options;

/* A game that was found. */
typedef struct stamma_match {
    uint64_t game;         /* number in the archive, from 1 */
    size_t ply_count;
    const uint32_t *plies; /* where it matches, as stamma_matcher_test gives them; NULL for none */
} stamma_match;

typedef struct stamma_search stamma_search;

/* What searches find out of an archive before they look at games, kept open for many of them: where its blocks are, the beginnings
 * that its games share, the pawn structures that they come to, how they end, and of each game the result, ratings, date, players,
 * event, time control and the opening's code. It never changes, and any number of threads may search with it at once. Of archives
 * of levels 2 and 3 it holds the tags alone, so that positions are looked for as slowly as without it. */
typedef struct stamma_search_index stamma_search_index;

typedef struct stamma_search_index_options {
    size_t size;
    const stamma_allocator *allocator; /* by all threads that open and close indexes */
    const stamma_executor *executor;   /* blocks are opened by its threads; NULL: by the caller's. Copied */
    uint64_t memory; /* bytes that the index may take, about 180 a game; of blocks beyond it nothing is kept, and each search opens
                      * them anew; default: no bound */
    void *context;   /* given to the callback */
    /* Told behind each block how many bytes of the archive are done, and of how many. False stops the call, which gives CANCELLED.
     * NULL: not told. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    const stamma_search_index *before; /* an index of the same archive before it grew, with the same allocator: what it has of
                                        * blocks that are still there is shared, so that only new ones are opened. It may be
                                        * closed then, as searches with it come to their end; NULL: none */
} stamma_search_index_options;

/* Opens an index of an archive, which is a piece of memory; nothing of it is kept, so that it may lie elsewhere when it is searched.
 * Blocks that are damaged are left to the searches, which tell of them. NO_ARCHIVE when it is no Stamma archive at all,
 * UNSUPPORTED for a later format, CANCELLED, NO_MEMORY. */
STAMMA_API stamma_error stamma_search_index_open(const void *archive, size_t size, const stamma_search_index_options *options,
                                                 stamma_search_index **index);
/* Closes an index, which no search may be using; NULL is fine. */
STAMMA_API void stamma_search_index_close(stamma_search_index *index);
/* How many bytes it takes, those that it shares too; 0 for NULL. */
STAMMA_API uint64_t stamma_search_index_memory(const stamma_search_index *index);

/* Searches an archive of any level, which is a piece of memory (a mapped file, say) and must stay, as the query must; NULL for
 * the query: all games. Blocks are searched in parallel; which games are found, and their order, does not depend on it. "skip" and
 * "limit" of the query count. NO_ARCHIVE when it is no Stamma archive at all, UNSUPPORTED for a later format, NO_MEMORY;
 * BAD_ARGUMENT for options->index of another archive, or of this one before it grew. */
STAMMA_API stamma_error stamma_search_open(const void *archive, size_t size, const stamma_query *query,
                                           const stamma_search_options *options, stamma_search **search);
/* Closes a search; NULL is fine. */
STAMMA_API void stamma_search_close(stamma_search *search);

/* The next game that is found, in the order of the archive; *match is NULL at the end and with an error. It lives until the next
 * call. CORRUPT, UNSUPPORTED where the archive is damaged, cut short or of a later format, when all that was found before that
 * place was given; CANCELLED; NO_MEMORY. After an error all calls give it again. */
STAMMA_API stamma_error stamma_search_next(stamma_search *search, const stamma_match **match);

/* The offset in the archive where the error was found, of a block's frame, and the number of the game it concerns (0: none). */
STAMMA_API stamma_place stamma_search_place(const stamma_search *search);

/* ---- trees: the moves played from one position ----
 *
 * Trees add up: the tree of all games is that of one half merged with that of the other, whichever way they are parted and in
 * whatever order they are merged. */

/* What adds up of games. */
typedef struct stamma_tree_counts {
    uint64_t games;        /* all, ... */
    uint64_t white;        /* ... those that White won, */
    uint64_t draws;        /* those drawn, */
    uint64_t black;        /* and those that Black won; the others are not finished */
    uint64_t rated;        /* games in which both ratings are known, */
    uint64_t rating_sum;   /* and the sum of both in all of these */
    uint64_t opponents;    /* finished games in which the rating of the opponent of the side to move is known, */
    uint64_t opponent_sum; /* the sum of these ratings, */
    uint64_t half_points;  /* and what the side to move scored in these games: 2 for a win, 1 for a draw */
    uint32_t last_date;    /* the latest month: year * 10000 + month * 100, 0 for what is not known */
    uint64_t opposed[2];   /* by colour: finished games in which the rating of that side's opponent is known, */
    uint64_t opposed_sum[2];    /* the sum of these ratings, */
    uint64_t opposed_points[2]; /* and what that side scored in them, as half_points; so these are of either side what the
                                 * three above are of the side to move */
    uint64_t reserved[3]; /* 0: space for later versions, so that the struct never grows */
} stamma_tree_counts;

/* The mean of all ratings in games where both are known, rounded; 0 where there is none. */
STAMMA_API unsigned stamma_tree_rating(const stamma_tree_counts *counts);
/* The performance of the side to move: the mean rating of its opponents and 400 * log10(p / (1 - p)), where p is its share of the
 * points, this difference kept within -800 and 800 (Elo, The Rating of Chessplayers, 1.5; logistic form). False, and *performance
 * is left, where no opponent's rating is known. */
STAMMA_API bool stamma_tree_performance(const stamma_tree_counts *counts, int32_t *performance);
/* The same of one side: of a player, where the games are those that he had with that colour. */
STAMMA_API bool stamma_tree_performance_of(const stamma_tree_counts *counts, stamma_color color, int32_t *performance);

/* A game that has the position. */
typedef struct stamma_tree_game {
    stamma_text archive; /* what the caller calls it */
    uint64_t game;       /* number in the archive, from 1 */
    stamma_move move;    /* that was played in the position, ... */
    bool ended;          /* ... unless the game ends with it */
    uint16_t white_rating; /* 0: not known */
    uint16_t black_rating;
    stamma_result result;
    uint32_t date;     /* as stamma_tree_counts.last_date */
    stamma_text white; /* names, in UTF-8; {NULL, 0}: not asked for (stamma_tree_name_games) */
    stamma_text black;
} stamma_tree_game;

typedef struct stamma_tree_move {
    stamma_move move;
    stamma_tree_counts counts;
    stamma_tree_game top;    /* of its games the one with the highest mean rating, then the latest date, then the first */
    stamma_tree_game recent; /* the one with the latest date, then the highest number */
} stamma_tree_move;

/* Opens a tree without games. `allocator` (NULL: malloc and free) as of all objects. NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_open(const stamma_position *position, const stamma_allocator *allocator,
                                         stamma_tree **tree);
STAMMA_API void stamma_tree_close(stamma_tree *tree);

/* Has games counted by month, too, from now on: to be called before any are added. NULL and trees with games: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_tree_keep_history(stamma_tree *tree);

/* Adds a game if its main line has the position, as stamma_position_equal tells: once, with the move that was played when it had it
 * first. TAGS, RESULT and MOVES must have been read. `archive`: what the game's archive is called. Names of players are not kept.
 * BAD_ARGUMENT; NO_MEMORY, the tree is incomplete then. */
STAMMA_API stamma_error stamma_tree_add(stamma_tree *tree, stamma_text archive, const stamma_archive_game *game);
/* Adds the games of an archive, as stamma_search_open has it, that a query finds (NULL: all), blocks in parallel; the query's "skip"
 * and "limit" do not count. `name`: what the archive is called. With an error, as stamma_search_next gives it, the tree stays as it was,
 * unless it is NO_MEMORY, and *place (may be NULL) is where it was found. */
STAMMA_API stamma_error stamma_tree_add_archive(stamma_tree *tree, stamma_text name, const void *archive, size_t size,
                                                const stamma_query *query, const stamma_search_options *options,
                                                stamma_place *place);
/* Reads the names of players for those games that the tree gives as examples, of the archive called so; of `options` (may be NULL)
 * the index counts, which has most names at hand, and what ends it: CANCELLED. CORRUPT, UNSUPPORTED, NO_ARCHIVE, NO_MEMORY; names
 * that were read before stay. */
STAMMA_API stamma_error stamma_tree_name_games(stamma_tree *tree, stamma_text name, const void *archive, size_t size,
                                               const stamma_search_options *options);
/* Adds a tree of the same position, of which both or neither keep a history (BAD_ARGUMENT otherwise). NO_MEMORY, `into` is
 * incomplete then. */
STAMMA_API stamma_error stamma_tree_merge(stamma_tree *into, const stamma_tree *other);

STAMMA_API const stamma_position *stamma_tree_position(const stamma_tree *tree);
/* Of all games that have the position, those too that end with it. */
STAMMA_API stamma_tree_counts stamma_tree_total(const stamma_tree *tree);
STAMMA_API size_t stamma_tree_move_count(const stamma_tree *tree);
/* The moves, those of the most games first, then in the order of their UCI text; NULL behind the last. This and the games below are
 * valid until the tree changes; read them only where the library gives them: members may be added at their end. */
STAMMA_API const stamma_tree_move *stamma_tree_move_at(const stamma_tree *tree, size_t n);
/* Of all games the 15 with the highest mean rating (then with the latest date, then in the order of archives' names and of numbers),
 * and the 15 latest ones (then those of the highest numbers, then in the order of archives' names); NULL behind the last. */
STAMMA_API const stamma_tree_game *stamma_tree_top_game(const stamma_tree *tree, size_t n);
STAMMA_API const stamma_tree_game *stamma_tree_recent_game(const stamma_tree *tree, size_t n);

/* The ECO code and the name of the opening whose position this is, both in static storage; false, and they are left, where it is that
 * of none. Clocks, castling rights and en passant do not matter. Source: lichess-org/chess-openings. */
STAMMA_API bool stamma_position_opening(const stamma_position *position, stamma_text *eco, stamma_text *name);

/* Finished games of one month. */
typedef struct stamma_tree_month {
    uint32_t month; /* year * 100 + month */
    uint64_t white; /* that White won */
    uint64_t draws;
    uint64_t black;
    uint64_t reserved[2]; /* 0: space for later versions, so that the struct never grows */
} stamma_tree_month;

/* The first month behind month->month, from 0 on, in which games that have the position ended so or so; false where there is none, or
 * the tree keeps no history. Games whose month is not known are in none. */
STAMMA_API bool stamma_tree_next_month(const stamma_tree *tree, stamma_tree_month *month);

/* Writes the tree as JSON, in the shape of Lichess's opening explorer and with all that stamma_tree_read_json needs (doc/search.md):
 * at most so many moves and so many top and recent games; SIZE_MAX: all. Text writer. */
STAMMA_API size_t stamma_tree_write_json(const stamma_tree *tree, size_t moves, size_t games, char *out, size_t size);
/* Reads what that gives, of any version: as far as all moves and games are in it, the tree that it is of. SYNTAX for anything else, with
 * *fault (may be NULL); NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_read_json(stamma_text json, const stamma_allocator *allocator,
                                              stamma_query_fault *fault, stamma_tree **tree);

/* ---- statistics of games, which add up as trees do ---- */

/* So many games and how they ended. */
typedef struct stamma_stats_results {
    uint64_t games; /* unfinished ones, too */
    uint64_t white; /* that White won */
    uint64_t draws;
    uint64_t black;
    uint64_t reserved[2]; /* 0: space for later versions, so that the struct never grows */
} stamma_stats_results;

typedef struct stamma_stats_total {
    stamma_stats_results results;
    uint64_t plies;   /* of all main lines */
    uint64_t longest; /* plies of the longest */
    uint64_t set_up;  /* games that begin from another position than the initial one */
    uint64_t rated;   /* games in which both ratings are known */
    uint64_t reserved[3]; /* 0: space for later versions, so that the struct never grows */
} stamma_stats_total;

/* Games counted by something. Permanent values. */
typedef enum stamma_stats_table {
    STAMMA_STATS_LENGTHS = 0,       /* "40": main lines of 40 to 49 plies */
    STAMMA_STATS_YEARS = 1,         /* "2010": of the date, where it is known */
    STAMMA_STATS_RATINGS = 2,       /* "2400": players rated 2400 to 2499, by side */
    STAMMA_STATS_PLAYERS = 3,       /* by the name as it is written, by side */
    STAMMA_STATS_FIRST_MOVES = 4,   /* "e4 c5": the first two plies, of games from the initial position */
    STAMMA_STATS_ECO = 5,           /* "B90": the first three characters of the tag ECO; where that is missing, of the opening */
    STAMMA_STATS_OPENINGS = 6,      /* the name of the opening that the moves make, of games from the initial position */
    STAMMA_STATS_TIME_CONTROLS = 7, /* the tag TimeControl */
    STAMMA_STATS_TERMINATIONS = 8,  /* the tag Termination */
    STAMMA_STATS_TABLES = 9
} stamma_stats_table;

typedef struct stamma_stats_row {
    stamma_text name;                /* UTF-8 */
    stamma_stats_results results[2]; /* tables by side: as White, as Black; others: the first alone */
    uint64_t plies;                  /* of all these games */
} stamma_stats_row;

typedef struct stamma_stats stamma_stats;

/* Opens statistics of no games. `allocator` (NULL: malloc and free) as of all objects. NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_open(const stamma_allocator *allocator, stamma_stats **stats);
STAMMA_API void stamma_stats_close(stamma_stats *stats);

/* Adds a game, of which TAGS, RESULT and MOVES must have been read; a continuation is none. BAD_ARGUMENT; NO_MEMORY, the
 * statistics are incomplete then. Their memory grows with the number of different names. */
STAMMA_API stamma_error stamma_stats_add(stamma_stats *stats, const stamma_archive_game *game);
/* Adds the games of an archive that a query finds, as stamma_tree_add_archive does. */
STAMMA_API stamma_error stamma_stats_add_archive(stamma_stats *stats, const void *archive, size_t size,
                                                 const stamma_query *query, const stamma_search_options *options,
                                                 stamma_place *place);
/* Adds to *results how many games of an archive a query finds, and how they ended, as stamma_stats_sum has it behind
 * stamma_stats_add_archive. Nothing else is looked at, so that with an index it takes about as long as finding them. With an error
 * *results stays as it was. */
STAMMA_API stamma_error stamma_stats_count_archive(stamma_stats_results *results, const void *archive, size_t size,
                                                   const stamma_query *query, const stamma_search_options *options,
                                                   stamma_place *place);
/* Adds other statistics. NO_MEMORY, `into` is incomplete then. */
STAMMA_API stamma_error stamma_stats_merge(stamma_stats *into, const stamma_stats *other);

STAMMA_API stamma_stats_total stamma_stats_sum(const stamma_stats *stats);
/* The rows of a table: LENGTHS, YEARS and RATINGS in the order of their numbers, others with the most games first, then in the order
 * of their bytes; NULL behind the last. Valid until the statistics change; read it only where the library gives it. NO_MEMORY. */
STAMMA_API size_t stamma_stats_row_count(const stamma_stats *stats, stamma_stats_table table);
STAMMA_API stamma_error stamma_stats_row_at(stamma_stats *stats, stamma_stats_table table, size_t n,
                                            const stamma_stats_row **row);

/* Writes all of it as JSON (doc/search.md), of each table at most so many rows; SIZE_MAX: all, as stamma_stats_read_json needs.
 * *length gets the length of the text; otherwise as text writers do. NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_write_json(stamma_stats *stats, size_t rows, char *out, size_t size, size_t *length);
/* Reads what that gives, as stamma_tree_read_json does. */
STAMMA_API stamma_error stamma_stats_read_json(stamma_text json, const stamma_allocator *allocator,
                                               stamma_query_fault *fault, stamma_stats **stats);

/* ---- opening books in Polyglot's format, which engines and programs for people read; they add up, too ---- */

typedef struct stamma_book stamma_book;

/* Opens a book of what is played from a position on, up to so many plies behind it. `allocator` (NULL: malloc and free) as of all
 * objects. NO_MEMORY. */
STAMMA_API stamma_error stamma_book_open(const stamma_position *position, unsigned plies, const stamma_allocator *allocator,
                                         stamma_book **book);
STAMMA_API void stamma_book_close(stamma_book *book);

/* Adds what a game has from the position on, if it has it, up to its first null move; what comes twice in it counts once, as of
 * trees. TAGS, RESULT and MOVES must have been read. BAD_ARGUMENT; NO_MEMORY, the book is incomplete then. Memory grows with the
 * number of different positions. */
STAMMA_API stamma_error stamma_book_add(stamma_book *book, const stamma_archive_game *game);
/* Adds the games of an archive that a query finds, as stamma_tree_add_archive does. */
STAMMA_API stamma_error stamma_book_add_archive(stamma_book *book, const void *archive, size_t size,
                                                const stamma_query *query, const stamma_search_options *options,
                                                stamma_place *place);
/* Adds another book of the same position and as many plies (BAD_ARGUMENT otherwise). NO_MEMORY, `into` is incomplete then. */
STAMMA_API stamma_error stamma_book_merge(stamma_book *into, const stamma_book *other);

/* Writes the moves of all positions in which at least so many games went on, in 16 bytes each: the position's Polyglot key, the move
 * (castling is king takes rook), the weight and four zeros, big-endian, in the order of keys, then of weights, largest first. The
 * weight is what the side to move scored by the move, in half points, unfinished games not counted; where that exceeds 65535 for one
 * of a position's moves, all of them are made smaller in proportion, though none becomes 0 that was more. *entries (may be NULL) gets
 * their number. IO, NO_MEMORY. Source: PolyGlot's book format (Fabien Letouzey). */
STAMMA_API stamma_error stamma_book_write(const stamma_book *book, uint64_t games, const stamma_output *output,
                                          uint64_t *entries);

#ifdef __cplusplus
}
#endif

#endif /* STAMMA_H */
