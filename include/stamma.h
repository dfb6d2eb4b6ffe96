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
 *   9. columns   games, plies and positions as Arrow record batches
 *  10. curate    games that occur several times, spellings of names
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
 *     Instead of options, NULL may be passed, which selects all defaults.
 *     A struct of an older version, which is smaller, is accepted. A struct of a newer version is accepted if the
 *     members that this version does not have are 0; otherwise the function returns STAMMA_ERROR_UNSUPPORTED. Results
 *     that may grow also start with their size. The caller sets it, and the library writes nothing beyond it.
 *   - Comments list errors without their prefix: "ILLEGAL" means STAMMA_ERROR_ILLEGAL. A function that allocates can
 *     return NO_MEMORY, and a function that uses a caller's input or output can return IO.
 *   - An allocator may be NULL: malloc and free. Any other must live as long as the object.
 *   - An object may be used by one thread at a time. Different objects are independent. There is no mutable global
 *     state and no initialisation call.
 *
 * Stability
 *   - From 1.0 on, a program keeps working with each later version of the same major number (doc/compatibility.md);
 *     CHANGELOG.md lists the changes. Numbers that a comment calls permanent never change.
 *   - Experimental, and exempt from this promise: search indexes (stamma_search_index_*), the members `so_far` and
 *     `no_search_columns` of stamma_search_options, and stamma_codec_explain.
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

#define STAMMA_VERSION_MAJOR 1
#define STAMMA_VERSION_MINOR 0
#define STAMMA_VERSION_PATCH 0
#define STAMMA_VERSION "1.0.0-rc1"

/* Returns the version of the linked library as text: "1.0.0", or "1.0.0-rc1" for a candidate. The string is static. */
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
    STAMMA_ERROR_NO_ARCHIVE = 13,  /* the bytes are not a Stamma archive */
    STAMMA_ERROR_SELF_CHECK = 14   /* what the library made is wrong: memory is faulty, or the library has an error */
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
 *         pipe)
 *   size  stores the size of the source in bytes and returns true, or returns false if the size is unknown; may be
 *         NULL. With a size, an archive is opened with few reads */
typedef struct stamma_input {
    void *context;
    ptrdiff_t (*read)(void *context, void *bytes, size_t size);
    bool (*seek)(void *context, uint64_t offset);
    bool (*size)(void *context, uint64_t *size);
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

/* Returns the move from one square to another, with flags, a STAMMA_FLAG_ value. Of the arguments only the low 6, 6 and
 * 4 bits are used. */
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
/* Returns whether the move is a promotion. */
STAMMA_API inline bool stamma_move_is_promotion(stamma_move move) { return (move >> 12 & STAMMA_FLAG_PROMOTION) != 0; }
/* Returns whether the move is castling, to either side. */
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
    STAMMA_FEN_STANDARD = 0, /* KQkq if the rook is the outermost on its side, otherwise its file (X-FEN) */
    STAMMA_FEN_SHREDDER = 1  /* always the rooks' files: HAha */
} stamma_fen_style;

/* Size of the longest FEN that stamma_fen_write writes, with its NUL. */
#define STAMMA_FEN_SIZE 104

/* Reads a FEN leniently. Fields may be separated by any number of blanks. The last fields may be missing or `-` (White
 * to move, no castling, no en passant, clocks 0 and 1; larger clocks are stored as 65535). The castling field may be
 * KQkq, HAha or a mixture. Castling rights without king and rook in their places are omitted, and so is an en passant
 * square that no pawn can just have passed.
 *
 * Stores the STAMMA_SETUP_ bits of the text in *problems, which may be NULL, unless the error is SYNTAX: what was
 * omitted, or why the position is illegal.
 *
 * Errors:
 *   SYNTAX   the text is not a FEN; *offset, which may be NULL, is the offset of the first invalid byte
 *   ILLEGAL  the position cannot be set up */
STAMMA_API stamma_error stamma_fen_read(stamma_text fen, stamma_position *position, unsigned *problems, size_t *offset);

/* Reads a FEN strictly: only a text that stamma_fen_write writes in one of the styles. *problems and *offset are those
 * of stamma_fen_read. Errors: SYNTAX for any other text; ILLEGAL if stamma_fen_read would omit something. */
STAMMA_API stamma_error stamma_fen_read_strict(stamma_text fen, stamma_position *position, unsigned *problems,
                                               size_t *offset);

/* Writes the FEN. The en passant square is written after every double push, even if no capture is possible (16.1.3.4).
 * Text writer. */
STAMMA_API size_t stamma_fen_write(const stamma_position *position, stamma_fen_style style, char *out, size_t size);

/* Reads an EPD: the first four fields of a FEN, then operations `opcode operand... ;` (PGN standard 16.2). The
 * position is read as leniently as by stamma_fen_read. *operations, which may be NULL, is the part of `epd` with the
 * operations, without blanks around it. The operations `hmvc` and `fmvn` set the clocks. The two numbers of a FEN also
 * set the clocks; they are not part of the operations. *problems, *offset and errors are those of stamma_fen_read. */
STAMMA_API stamma_error stamma_epd_read(stamma_text epd, stamma_position *position, stamma_text *operations,
                                        unsigned *problems, size_t *offset);

/* Removes the next operation from the front of *operations and returns its opcode and operands, with their quotes.
 * Returns false at the end. An operation without a closing `;` extends to the end. */
STAMMA_API bool stamma_epd_next(stamma_text *operations, stamma_text *opcode, stamma_text *operands);

/* Writes the four fields of an EPD, followed by a blank and `operations` if these are not empty. Text writer. */
STAMMA_API size_t stamma_epd_write(const stamma_position *position, stamma_text operations, char *out, size_t size);

/* Size of the longest text of stamma_uci_write, with its NUL. */
#define STAMMA_UCI_SIZE 6

/* Writes a move in UCI notation: 4 or 5 characters, "0000" for the null move. With `chess960`, castling is written as
 * king takes rook, otherwise as the king's two squares, which in Chess960 may also be those of another king move. The
 * position is only used for castling. Text writer. Source: the UCI protocol. */
STAMMA_API size_t stamma_uci_write(const stamma_position *position, stamma_move move, bool chess960, char *out,
                                   size_t size);

/* Reads a move in UCI notation. Castling may have both forms, unless its squares are those of a legal king move.
 * "0000" is the null move. The promotion piece may be a capital letter.
 * Errors:
 *   SYNTAX   the text is not a move in UCI notation
 *   ILLEGAL  no legal move has this text; the null move is illegal in check */
STAMMA_API stamma_error stamma_uci_read(const stamma_position *position, stamma_text uci, stamma_move *move);

/* Size of the longest text of stamma_san_write, with its NUL. */
#define STAMMA_SAN_SIZE 8

/* Writes a legal move in SAN: "e4", "Nbd7", "exd8=Q+", "O-O". If other legal moves of the same piece type go to the
 * same square, the origin's file is added if that is enough, otherwise the rank if that is enough, otherwise both. The
 * null move is "--". At most 7 characters. Text writer. Source: PGN standard 8.2.3. */
STAMMA_API size_t stamma_san_write(const stamma_position *position, stamma_move move, char *out, size_t size);

/* Reads a move in SAN, and in notations that people use:
 *   - castling as O-O, 0-0 or o-o, as king takes rook (e1h1, Kxh1), or as the king's two squares (e1g1)
 *   - promotion as e8=Q, e8Q, e8(Q), e8/Q, e8=q
 *   - x, +, ++, # and "e.p." missing or wrong; ! and ? at the end
 *   - more of the origin than needed: Ngf3, Ng1f3, Ng1-f3, Pe2-e4; UCI; a pawn's capture by its files: exd, ed
 *   - small letters for pieces; a leading b is a pawn if the text is SAN (bxc3), otherwise a bishop if only its move
 *     is legal
 *   - null moves "--", "Z0", "0000", "aa"
 * Errors:
 *   SYNTAX     the text is not a move
 *   ILLEGAL    no legal move matches; the null move is illegal in check
 *   AMBIGUOUS  several legal moves match, for example e8 without a promotion piece */
STAMMA_API stamma_error stamma_san_read(const stamma_position *position, stamma_text san, stamma_move *move);

/* Enough for every text of stamma_lan_write, with its NUL. */
#define STAMMA_LAN_SIZE 10

/* Writes a legal move in long algebraic notation: e2-e4, Ng1xf3, e7xf8=Q+, O-O, "--". At most 8 characters. Text
 * writer. */
STAMMA_API size_t stamma_lan_write(const stamma_position *position, stamma_move move, char *out, size_t size);

/* Reads a move like stamma_san_read, but only if the text contains the origin square. Errors: SYNTAX if it does not;
 * others as stamma_san_read. */
STAMMA_API stamma_error stamma_lan_read(const stamma_position *position, stamma_text lan, stamma_move *move);

/* ---- values of tags ---- */

/* Returns the code point in Unicode of a byte, 0 to 255, of a text that is not UTF-8. PGN files that are not UTF-8 are
 * in Latin-1 (PGN standard 4.1) or in Windows-1252, which replaces the control characters 0x80 to 0x9F by letters,
 * quotation marks and dashes. Five of these bytes have no character: 81, 8D, 8F, 90 and 9D return U+0081 and so on.
 * Source: index windows-1252 of the Encoding Standard (WHATWG). */
STAMMA_API unsigned stamma_windows_1252_read(unsigned byte);

/* Returns the rating that a tag value contains (WhiteElo, BlackElo), 1 to 9999, or 0 if it contains none. Accepts one
 * to four digits, blanks around them, and a question mark after them (a provisional rating). */
STAMMA_API unsigned stamma_rating_read(stamma_text value);

/* The result of a game. Permanent values. */
typedef enum stamma_result {
    STAMMA_RESULT_UNKNOWN = 0, /* unfinished, or unknown */
    STAMMA_RESULT_WHITE = 1,   /* White won */
    STAMMA_RESULT_BLACK = 2,   /* Black won */
    STAMMA_RESULT_DRAW = 3
} stamma_result;

/* Returns the result that a text contains: "1-0", "0-1", "1/2-1/2"; UNKNOWN for "*" and for any other text. "1/2",
 * "0.5-0.5", and one half as a character, once or twice with a hyphen, in UTF-8 or in Latin-1, are also draws. */
STAMMA_API stamma_result stamma_result_read(stamma_text text);

/* Returns the result of a game from the value of its Result tag and the result at the end of its movetext, either of
 * which may be empty. The tag decides if it is "1-0", "0-1", "1/2-1/2" or "*"; otherwise the movetext, if it has a
 * result other than "*"; otherwise the tag, which may be another spelling of a draw. */
STAMMA_API stamma_result stamma_result_of_game(stamma_text tag, stamma_text movetext);

/* Returns the text of a result; "*" for UNKNOWN. Static. */
STAMMA_API const char *stamma_result_text(stamma_result result);

/* A date, which may be known in part. Days are numbers: year * 10000 + month * 100 + day. */
typedef struct stamma_date {
    uint32_t first; /* the first day that the date may be */
    uint32_t last;  /* the last day that the date may be */
    uint16_t year;  /* 0: unknown */
    uint8_t month;  /* 0: the month or the year is unknown */
    uint8_t day;    /* 0: the day, the month or the year is unknown */
    uint32_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_date;

/* Reads the value of a Date tag: "2010.05.31", "2010.??.??", "201?", "2010-5-3". The year has four characters; month
 * and day have one or two. Question marks are unknown digits. Separators are . - and /. Text after a blank or a T is
 * ignored. A month that does not exist in the calendar is unknown, and so is a day after the end of its month, such as
 * "2010.02.29". Returns false, and leaves *date unchanged, if the value is not a date, or if no digit of the year is
 * known. */
STAMMA_API bool stamma_date_read(stamma_text value, stamma_date *date);

/* Writes a date number, such as stamma_date.first or stamma_tree_counts.last_date, with `separator` between its parts:
 * "2010-05-31", "2010-05", "2010". Unknown parts, which are 0, are omitted. The year has at least four digits. At most
 * 12 characters. Text writer. */
STAMMA_API size_t stamma_date_write(uint32_t date, char separator, char *out, size_t size);

/* A time control, in milliseconds. */
typedef struct stamma_time_control {
    uint64_t time_ms;      /* time of a side at the start; of several periods the sum */
    uint64_t longest_ms;   /* time of the longest period */
    uint64_t increment_ms; /* increment after each move; of several periods the largest */
    bool untimed;          /* "-": the game has no time control; the other members are 0 */
    uint64_t reserved[2];  /* 0; space for later versions, so that the struct never grows */
} stamma_time_control;

/* Reads the value of a TimeControl tag: "180+2", "40/7200:3600", "-". Numbers of moves are not stored. Seconds may have
 * decimals; numbers above 1,000,000,000 seconds are stored as this number. Returns false, and leaves *control
 * unchanged, for "?", for a sandclock ("*180"), and for any other text. Source: PGN standard 9.6.1. */
STAMMA_API bool stamma_time_control_read(stamma_text value, stamma_time_control *control);

/* The speed of a game in the classes of Lichess, by an estimate of a side's time in seconds: the time at the start
 * plus 40 times the increment. Permanent values. */
typedef enum stamma_speed {
    STAMMA_SPEED_NONE = 0,         /* unknown */
    STAMMA_SPEED_ULTRA_BULLET = 1, /* below 30 */
    STAMMA_SPEED_BULLET = 2,       /* below 180 */
    STAMMA_SPEED_BLITZ = 3,        /* below 480 */
    STAMMA_SPEED_RAPID = 4,        /* below 1500 */
    STAMMA_SPEED_CLASSICAL = 5,
    STAMMA_SPEED_CORRESPONDENCE = 6 /* "-", or a day or more */
} stamma_speed;

/* Returns the speed of the value of a TimeControl tag: "180+2", "40/7200:3600". The seconds of several periods are
 * added up; of their increments the largest is used. Returns NONE for "?", for a sandclock, and for any other text.
 * Source: PGN standard 9.6.1. */
STAMMA_API stamma_speed stamma_speed_read(stamma_text time_control);
/* Returns the name that Lichess uses: "ultraBullet", "blitz"; "" for NONE. Never NULL. Static. */
STAMMA_API const char *stamma_speed_name(stamma_speed speed);

/* Whether a game was rated, as Lichess writes it in the Event tag: "Rated Blitz game". Permanent values. */
typedef enum stamma_mode {
    STAMMA_MODE_NOT_READ = 0,
    STAMMA_MODE_UNKNOWN = 1, /* the tag does not say it, or is missing */
    STAMMA_MODE_RATED = 2,
    STAMMA_MODE_CASUAL = 3
} stamma_mode;

/* Returns the mode of the value of an Event tag: RATED if it begins with "rated ", CASUAL if with "casual ", in any
 * case of letters; otherwise UNKNOWN. */
STAMMA_API stamma_mode stamma_mode_read(stamma_text event);

/* Returns whether a Variant tag's value names Chess960: "Chess960", "960", "Fischerandom", "Fischer Random", "FRC",
 * "DFRC" (each side with its own start), "Freestyle". Only letters and digits are compared, in any case. */
STAMMA_API bool stamma_chess960_read(stamma_text variant);

/* ---- values of comments ---- */

/* Return a time that a comment states, in milliseconds, or -1 if it states none. A time is written h:mm:ss, m:ss or as
 * seconds, with or without decimals after a point or comma.
 *   stamma_clock_read       the time left after the move: [%clk 0:10:02.5], or "tl=602500" or "tl=00:10:02" as a key
 *                           (TCEC)
 *   stamma_time_spent_read  the time that the move took: [%emt 0:00:05], or "mt=5000" as a key (TCEC), or the seconds
 *                           in "+0.31/12 1.2s" at the beginning (Cute Chess, fastchess)
 * The first statement of a form counts, and commands before other forms. Keys of TCEC have thousandths of seconds or
 * h:mm:ss. Source: PGN specification supplement "Additional tags and commands", 2001. */
STAMMA_API int64_t stamma_clock_read(stamma_text comment);
STAMMA_API int64_t stamma_time_spent_read(stamma_text comment);

typedef enum stamma_evaluation_kind {
    STAMMA_EVALUATION_NONE = 0,
    STAMMA_EVALUATION_CENTIPAWNS = 1, /* centipawns from White's view */
    STAMMA_EVALUATION_MATE = 2        /* number of moves to mate; negative: Black mates */
} stamma_evaluation_kind;

typedef struct stamma_evaluation {
    stamma_evaluation_kind kind;
    int32_t value;
} stamma_evaluation;

/* Returns the evaluation that a comment states: [%eval 0.31], [%eval #-3]; in engine games "wv=0.31" or "wv=-M5" as a
 * key (TCEC), or "+0.31/12 1.2s" at the beginning (Cute Chess; fastchess, also with a comma after the depth). The last
 * form is from the view of the side that moved, and M5 is 5 plies, which are 3 moves. A depth is skipped.
 *   mover  the side whose move the comment follows */
STAMMA_API stamma_evaluation stamma_evaluation_read(stamma_text comment, stamma_color mover);

/* ---- the PGN reader: a pull reader of events over a callback input ---- */

typedef enum stamma_pgn_kind {
    STAMMA_PGN_END = 0,         /* end of the input; every later call returns it again */
    STAMMA_PGN_GAME_BEGIN,      /* before the first token of a game */
    /* text: the name; FEN and other names that this library reads are in their usual case ("Fen" is FEN); value: the
     * text between the quotes, with its escapes */
    STAMMA_PGN_TAG,
    STAMMA_PGN_MOVE_NUMBER,     /* text: digits and dots; only with option move_numbers */
    STAMMA_PGN_MOVE,            /* text: as written, without a !? suffix; move: unless option tokens_only */
    STAMMA_PGN_COMMENT,         /* text: between { and } */
    STAMMA_PGN_LINE_COMMENT,    /* text: after ; to the end of the line */
    STAMMA_PGN_ESCAPE,          /* text: after % at the start of a line to its end */
    STAMMA_PGN_NAG,             /* nag: 0..255; text: "$n", or the glyph: "!?", "+-", "N" ... */
    STAMMA_PGN_VARIATION_BEGIN,
    STAMMA_PGN_VARIATION_END,
    /* text: as written; stamma_result_read reads it. At depth 0 it ends the moves of the game; comments, NAGs and
     * variations may follow up to an empty line, and in the same line words, which are errors */
    STAMMA_PGN_RESULT,
    STAMMA_PGN_ERROR,           /* error and place describe the error; text: the skipped bytes; reading continues */
    STAMMA_PGN_GAME_END         /* after the last token of a game */
} stamma_pgn_kind;

/* One event. The texts are valid until the next call. A token of max_token bytes or more is split into several events
 * of its kind; all except the last have `more` set. */
typedef struct stamma_pgn_event {
    stamma_pgn_kind kind;
    /* ERROR: SYNTAX (not PGN), ILLEGAL or AMBIGUOUS (a move, a FEN tag), UNSUPPORTED (the Variant tag names another
     * game), LIMIT (variations nested deeper than max_depth). MOVE: see stamma_pgn_reader_next */
    stamma_error error;
    stamma_text text;
    stamma_text value;
    stamma_place place;   /* place of the event's first byte; ply is 0 with tokens_only */
    uint32_t depth;       /* nesting depth of variations; 0: main line */
    stamma_move move;     /* 0 is the null move if error is OK */
    uint8_t nag;
    bool more;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_pgn_event;

typedef struct stamma_pgn_options {
    size_t size;                /* sizeof(stamma_pgn_options) */
    const stamma_allocator *allocator; /* NULL: malloc and free */
    bool tokens_only;           /* do not play the moves: no positions, and no STAMMA_ERROR_ILLEGAL */
    bool move_numbers;          /* return STAMMA_PGN_MOVE_NUMBER events */
    /* maximum depth of variations that are played. Each deeper variation is skipped with one error event. Default
     * 1000; no limit with tokens_only */
    uint32_t max_depth;
    /* bytes; default 1 MiB, at least 256. Also the maximum size of a tag pair that is one event */
    size_t max_token;
} stamma_pgn_options;

typedef struct stamma_pgn_reader stamma_pgn_reader;

/* Opens a reader over `input`. The struct is copied; its context must live as long as the reader. The reader allocates
 * two times max_token bytes, and 100 to 200 bytes for each level of nesting.
 * Errors: NO_MEMORY; BAD_ARGUMENT for invalid options. */
STAMMA_API stamma_error stamma_pgn_reader_open(const stamma_input *input, const stamma_pgn_options *options,
                                               stamma_pgn_reader **reader);

/* Opens a reader over `size` bytes of memory, which are not copied and must live as long as the reader. Options and
 * errors are those of stamma_pgn_reader_open. */
STAMMA_API stamma_error stamma_pgn_reader_open_memory(const void *bytes, size_t size, const stamma_pgn_options *options,
                                                      stamma_pgn_reader **reader);

/* Returns the next event. The events depend only on the bytes, not on the sizes in which the input delivers them.
 *
 * Invalid PGN is an ERROR event, not an error of this function. A word that is not a move, and a move that cannot be
 * played, are ERROR events. The rest of its line (variation or game) is then returned as MOVE events with move 0 and
 * the same error, because the position is unknown. The same applies to a complete game with an invalid start position.
 * A variation that is not closed ends with an ERROR event.
 *
 * Byte order marks and white space have no events, nor have separate marks that repeat what the move says (+ # e.p.).
 * Comments, escapes and errors may also occur between games. A game without a result ends at the next tag pair or at
 * the end of the input.
 *
 * Errors:
 *   IO         the input failed
 *   NO_MEMORY  there is no memory for a variation
 * After an error, the next call continues if possible. */
STAMMA_API stamma_error stamma_pgn_reader_next(stamma_pgn_reader *reader, stamma_pgn_event *event);

/* Returns the position before the next move of the current line: the start of the game (from its first FEN tag) after
 * the tags, and the position after the move after a MOVE event. Valid until the next call. Returns NULL with
 * tokens_only, and after a move that could not be played. */
STAMMA_API const stamma_position *stamma_pgn_reader_position(const stamma_pgn_reader *reader);

/* Skips the rest of the current game without returning its events; the next event is its GAME_END. Does nothing
 * between games. Errors as stamma_pgn_reader_next. */
STAMMA_API stamma_error stamma_pgn_reader_skip_game(stamma_pgn_reader *reader);

/* Closes a reader. Accepts NULL. */
STAMMA_API void stamma_pgn_reader_close(stamma_pgn_reader *reader);

/* Copies a tag value without its escapes (\" and \\; PGN standard 7) to `out`, at most value.size bytes, and returns
 * their number. The value may contain any bytes. If `out` is NULL, only returns the number. */
STAMMA_API size_t stamma_pgn_unescape(stamma_text value, char *out);

/* ---- the PGN writer: export format (PGN standard 3.2 and 8) ---- */

typedef struct stamma_pgn_writer_options {
    size_t size;
    const stamma_allocator *allocator;
    /* maximum length of a line of movetext in bytes; default 79 (PGN standard 8.2.1); UINT32_MAX: one line. Comments
     * are not broken; a longer comment has its own line */
    uint32_t line_width;
} stamma_pgn_writer_options;

typedef struct stamma_pgn_writer stamma_pgn_writer;

/* Opens a writer to `output`, which is copied. Call the functions below in the order of the text: tags and the start
 * position, then moves with their comments, NAGs and variations, then the result; the next game may follow. Text is
 * passed to `output` in large pieces; a game is complete when stamma_pgn_writer_result returns.
 *
 * The functions below return, in addition to the errors of their comments:
 *   BAD_ARGUMENT  the arguments or the call are not valid at this place; nothing is written
 *   IO            the output failed; the writer can only be closed
 *   NO_MEMORY     memory is exhausted; the writer can only be closed
 * Errors of this function: BAD_ARGUMENT for invalid options; NO_MEMORY. */
STAMMA_API stamma_error stamma_pgn_writer_open(const stamma_output *output, const stamma_pgn_writer_options *options,
                                               stamma_pgn_writer **writer);
/* Writes a tag pair. `name` may contain letters, digits and `_ + - / # = : @`. `value` is plain text in one line;
 * quotes and backslashes are escaped. The caller determines the order of the tags (PGN standard 8.1.1: the seven-tag
 * roster first). Errors: BAD_ARGUMENT for other names and values, and after the movetext has begun. */
STAMMA_API stamma_error stamma_pgn_writer_tag(stamma_pgn_writer *writer, stamma_text name, stamma_text value);
/* Sets the position at the start of the movetext; the default is the initial position. Write the FEN tag separately.
 * Errors: BAD_ARGUMENT after the movetext has begun. */
STAMMA_API stamma_error stamma_pgn_writer_start(stamma_pgn_writer *writer, const stamma_position *position);
/* Writes a move, or the null move as `--`. Errors: ILLEGAL if the move is not legal, or for the null move in check. */
STAMMA_API stamma_error stamma_pgn_writer_move(stamma_pgn_writer *writer, stamma_move move);
/* Writes a comment in braces. A comment that contains `}` is written after `;` up to the end of the line.
 * Errors: BAD_ARGUMENT for a comment that PGN cannot represent: it contains both `}` and a line end, or a line that
 * begins with `[Event "` if a `{` is after this line or the comment has more than 1,048,574 bytes. */
STAMMA_API stamma_error stamma_pgn_writer_comment(stamma_pgn_writer *writer, stamma_text comment);
/* Writes a NAG, 0 to 255, as `$n`. Errors: BAD_ARGUMENT for a larger number. */
STAMMA_API stamma_error stamma_pgn_writer_nag(stamma_pgn_writer *writer, unsigned nag);
/* Begins a variation that replaces the last move of the current line. Errors: BAD_ARGUMENT if the line has no move. */
STAMMA_API stamma_error stamma_pgn_writer_variation_begin(stamma_pgn_writer *writer);
/* Ends the current variation and returns to the line around it. Errors: BAD_ARGUMENT outside variations. */
STAMMA_API stamma_error stamma_pgn_writer_variation_end(stamma_pgn_writer *writer);
/* Ends the game with its result (1-0, 0-1, 1/2-1/2, *) and an empty line. Errors: BAD_ARGUMENT for another text, and
 * within a variation. */
STAMMA_API stamma_error stamma_pgn_writer_result(stamma_pgn_writer *writer, stamma_text result);
/* Closes a writer. Accepts NULL. A game without a result may be written in part. */
STAMMA_API void stamma_pgn_writer_close(stamma_pgn_writer *writer);

/* ---- changed tags in the text of a game ---- */

/* A change of one tag. Members that are not used are 0. */
typedef struct stamma_tag_edit {
    stamma_text name;
    stamma_text new_name; /* data NULL: the name is kept */
    stamma_text value;    /* plain text in one line, without escapes; data NULL: the value is kept */
    bool remove;          /* the tag is removed, with its line if nothing else is in the line */
    uint64_t reserved[2]; /* 0 */
} stamma_tag_edit;

/* Writes the text of one game with changed tags. All other bytes are unchanged, also the layout of the changed tags. A
 * tag that occurs several times is changed each time. A tag that the game does not have is added if `value` is set,
 * after the last tag; a game without tags receives a tag section. If all tags are removed, the rest is movetext,
 * which may be read otherwise. Memory is only allocated for more than 16 changes.
 *
 * game: one game, such as stamma_archive_game.text; if the text has several games, the first is changed
 * edits, count: the changes; of several with the same name, only the first is used for tags that exist
 * output: is called several times
 * Errors:
 *   BAD_ARGUMENT  a name or value is invalid (see stamma_pgn_writer_tag), or the text contains no game
 *   NO_MEMORY     nothing is written, as after BAD_ARGUMENT
 *   IO            the output failed
 * Example:
 *   stamma_tag_edit edit = {.name = stamma_text_of("Event"), .value = stamma_text_of("Hastings")};
 *   stamma_pgn_edit_tags(game->text, &edit, 1, &output); */
STAMMA_API stamma_error stamma_pgn_edit_tags(stamma_text game, const stamma_tag_edit *edits, size_t count,
                                             const stamma_output *output);

/* ---- the game tree: one game in memory, with tags, comments, NAGs and variations ---- */

/* A game in memory. Texts that a game returns are valid until it is changed. A failed call leaves the game unchanged,
 * except stamma_game_read. */
typedef struct stamma_game stamma_game;
/* A node is a move with its comments and NAGs. Node 0 is the start of the game. Node numbers are valid until the game
 * is closed or another game is read into it. */
typedef uint32_t stamma_node;
#define STAMMA_NODE_NONE UINT32_MAX

/* Opens an empty game from the initial position with the result `*`. Needs about 50 bytes for each move. Errors:
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_game_open(const stamma_allocator *allocator, stamma_game **game);
/* Closes a game. Accepts NULL. */
STAMMA_API void stamma_game_close(stamma_game *game);
/* Replaces the game by the next game of a reader, which must play moves and be between games. *found is false at the
 * end of the input.
 *
 * Moves that cannot be played are omitted, with the rest of their line and its variations; so are escapes and text
 * between games. Comments directly before a game without tags are part of the game. A missing result is `*`. The first
 * ERROR event is stored in *error and *error_place, which may be NULL; *error is OK if there was none.
 *
 * Errors:
 *   IO, NO_MEMORY  as the reader; the game is then incomplete
 *   BAD_ARGUMENT   the reader does not play moves, or is within a game */
STAMMA_API stamma_error stamma_game_read(stamma_game *game, stamma_pgn_reader *reader, bool *found, stamma_error *error,
                                         stamma_place *error_place);
/* Writes the complete game. Reading it again produces an equal tree. Errors as the functions of the writer. */
STAMMA_API stamma_error stamma_game_write(const stamma_game *game, stamma_pgn_writer *writer);
/* Writes the movetext of a game, from its start position to its result, without its tags: the caller writes the tags
 * before. Errors as the functions of the writer. */
STAMMA_API stamma_error stamma_game_write_moves(const stamma_game *game, stamma_pgn_writer *writer);

/* Returns the number of tags. */
STAMMA_API size_t stamma_game_tag_count(const stamma_game *game);
/* Returns the tag at an index in the order of the text, with its value without escapes. Errors: BAD_ARGUMENT if there
 * are fewer tags. */
STAMMA_API stamma_error stamma_game_tag_at(const stamma_game *game, size_t index, stamma_text *name,
                                           stamma_text *value);
/* Returns the value of the first tag with a name, or {NULL, 0}. */
STAMMA_API stamma_text stamma_game_tag(const stamma_game *game, stamma_text name);
/* Sets the first tag with a name, or appends it.
 * Errors: BAD_ARGUMENT for a name or value that stamma_pgn_writer_tag rejects, and for the name FEN, which
 * stamma_game_set_start sets; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_tag(stamma_game *game, stamma_text name, stamma_text value);
/* Returns the start position of the game. */
STAMMA_API const stamma_position *stamma_game_start(const stamma_game *game);
/* Sets the start position, and the tags SetUp and FEN (PGN standard 9.7). Errors: BAD_ARGUMENT if the game has moves;
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_start(stamma_game *game, const stamma_position *position);
/* Returns the result at the end of the movetext: 1-0, 0-1, 1/2-1/2 or *. */
STAMMA_API stamma_text stamma_game_result(const stamma_game *game);
/* Sets the result: 1-0, 0-1, 1/2-1/2 or *. Does not set the Result tag. Errors: BAD_ARGUMENT for another text. */
STAMMA_API stamma_error stamma_game_set_result(stamma_game *game, stamma_text result);

/* Returns the node before a node's move; STAMMA_NODE_NONE for node 0 and invalid nodes. */
STAMMA_API stamma_node stamma_game_parent(const stamma_game *game, stamma_node node);
/* Returns the first child of a node, its main continuation; STAMMA_NODE_NONE if there is none. */
STAMMA_API stamma_node stamma_game_first_child(const stamma_game *game, stamma_node node);
/* Returns the next child of the same parent, a variation; STAMMA_NODE_NONE after the last. */
STAMMA_API stamma_node stamma_game_next_sibling(const stamma_game *game, stamma_node node);
/* Returns the move that leads to a node, or the null move for node 0 and invalid nodes. */
STAMMA_API stamma_move stamma_game_move(const stamma_game *game, stamma_node node);
/* Stores the position after the node's move, in constant time. Errors: BAD_ARGUMENT for an invalid node. */
STAMMA_API stamma_error stamma_game_position(const stamma_game *game, stamma_node node, stamma_position *position);
/* Adds a legal move, or the null move if not in check, as the last child of `node`. Stores the new node in *added,
 * which may be NULL.
 * Errors: ILLEGAL; BAD_ARGUMENT for an invalid node; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_move(stamma_game *game, stamma_node node, stamma_move move, stamma_node *added);
/* Adds a comment to a node, after the node's other comments.
 *   before  the comment is before the move. This is only possible at the first move of a variation; at another move the
 *           comment becomes one after the previous move
 * Errors: BAD_ARGUMENT for an invalid node, and for a comment that stamma_pgn_writer_comment rejects; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_comment(stamma_game *game, stamma_node node, bool before, stamma_text comment);
/* Returns the number of comments before or after a node's move; 0 for an invalid node. */
STAMMA_API size_t stamma_game_comment_count(const stamma_game *game, stamma_node node, bool before);
/* Returns the comment at an index from 0; {NULL, 0} after the last. */
STAMMA_API stamma_text stamma_game_comment(const stamma_game *game, stamma_node node, bool before, size_t index);
/* Adds a NAG, 0 to 255, to a node, after the node's other NAGs. Errors: BAD_ARGUMENT for an invalid node or a larger
 * number; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_nag(stamma_game *game, stamma_node node, unsigned nag);
/* Returns the number of NAGs of a node; 0 for an invalid node. */
STAMMA_API size_t stamma_game_nag_count(const stamma_game *game, stamma_node node);
/* Returns the NAG at an index from 0; 0 after the last. */
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
 *   single moves: move16 (000 001 002), butterfly (000 001 002), move32 (000), uci (002 004), enumeration (000),
 *   move14 (004), move12 (004)
 *   one move, given the position: san (000 004), lan (004), direction-target (000), check-flag (000), legal-index (000
 *   004), legal-index-bits (000 004), pseudo-legal-index-bits (000), two-index-bits (004), bcgn (000 004), bcgn-square
 *   (000 004), tarrasch (004), tojot, tojot-split, tojot-mixed (004), many-queens, many-promotions (004)
 *   games: legal-index-radix (004), gap-codes (004), ranked-tiers, ranked-huffman, arithmetic (004; these use the
 *   predictor of section 6 and are missing without its weights), and each of the above except butterfly and check-flag
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
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
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

/* Calls `take` with `context` for each part of the code of a move in a position, from the first bit. The parts are
 * either consecutive bits without gaps, or terms. Errors: as for stamma_codec_encode. */
STAMMA_API stamma_error stamma_codec_explain(const stamma_codec *codec, const stamma_position *position,
                                             stamma_move move,
                                             void (*take)(void *context, const stamma_code_part *part), void *context);

/* ---- move32: a move with its moving and captured pieces (seed 000, "Extended Move Structure") ----
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

/* What stamma_position_unmake32 needs to unmake a move. */
typedef struct stamma_undo {
    uint64_t key;
    uint16_t halfmove_clock;
    uint16_t fullmove_number;
    stamma_square en_passant;
    stamma_square castling[2][2];
} stamma_undo;

/* Makes a legal move, or the null move, in place, and stores in *undo what is needed to unmake it. The result equals
 * that of stamma_position_make; the board is not searched for the moving and captured pieces. */
STAMMA_API void stamma_position_make32(stamma_position *position, stamma_move32 move, stamma_undo *undo);

/* Unmakes the last move made with stamma_position_make32, with the same `move` and its *undo. */
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
    uint64_t reserved[2];    /* 0; space for later versions, so that the struct never grows */
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

/* Calls `take` with `context` for each part of a position's code, like stamma_codec_explain. Errors: as for
 * stamma_position_encode. */
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

/* Stores the frequency that stamma_predict assigns to each move of a game from `start` before it is played;
 * STAMMA_PREDICT_TOTAL for a null move. `frequencies` must have space for `plies` values. Errors: as for
 * stamma_predict. */
STAMMA_API stamma_error stamma_predict_game(const stamma_position *start, const stamma_move *moves, size_t plies,
                                            const stamma_game_context *context, uint32_t *frequencies);

typedef struct stamma_predict_options {
    size_t size;
    void *context; /* passed to the callback */
    /* Called some hundred times a second, by the calling thread. Return true to end the call: it then returns
     * CANCELLED. May be NULL. */
    bool (*stop)(void *context);
} stamma_predict_options;

/* Like stamma_predict_game, with options; NULL: none.
 * Errors:
 *   CANCELLED     the callback returned true; the frequencies of the first moves are stored
 *   UNSUPPORTED   also if the options have members that this version of the library does not have
 *   others as for stamma_predict */
STAMMA_API stamma_error stamma_predict_game_with(const stamma_position *start, const stamma_move *moves, size_t plies,
                                                 const stamma_game_context *context,
                                                 const stamma_predict_options *options, uint32_t *frequencies);

/* Returns the identifier of the weights; 0 without weights. Archives and codes can be read only with the weights that
 * they were written with. */
STAMMA_API uint64_t stamma_predictor_id(void);

/* ---------------------------------------------------------------------------------------------- 7. archive ------- */

/* Counts of what a writer packed, or of the contents of an archive. */
typedef struct stamma_archive_counts {
    uint64_t games;
    uint64_t plies;                 /* typed moves of main lines */
    uint64_t variation_plies;       /* typed moves of variations */
    uint64_t bytes_in;              /* bytes of text */
    uint64_t bytes_out;             /* bytes of archive, including frames */
    uint64_t moves_bytes;           /* bytes of the moves column as stored */
    uint64_t games_verbatim;        /* games with text but without any typed move */
    uint64_t games_partly_verbatim; /* games whose beginning is typed and whose rest is kept as text */
    uint64_t games_corrected;       /* typed games with stored differences from the rendered text */
    uint64_t verbatim_bytes;        /* bytes of text of these games that are stored as text */
    /* games kept as text because they failed the writer's round-trip check: an error of this library, which should be
     * reported. Only set by writers; 0 for archives */
    uint64_t games_faulty;
    /* blocks by level of their moves; [0] is 0. A block without moves is of level 1. Only set by
     * stamma_archive_reader_info */
    uint64_t level_blocks[4];
    uint64_t reserved[1];           /* 0; space for later versions, so that the struct never grows */
} stamma_archive_counts;

/* Why a game, or a part of it, is kept as text. Permanent values, which archives contain. */
typedef enum stamma_archive_reason {
    STAMMA_REASON_NONE = 0,
    STAMMA_REASON_BAD_FEN = 1,        /* the FEN tag is not a legal position */
    STAMMA_REASON_VARIANT = 2,        /* the Variant tag names a game other than chess and Chess960 */
    STAMMA_REASON_SYNTAX = 3,         /* bytes that are not a PGN token */
    STAMMA_REASON_ILLEGAL_MOVE = 4,   /* a move that is not legal */
    STAMMA_REASON_AMBIGUOUS_MOVE = 5, /* a move that matches several legal moves */
    STAMMA_REASON_DEPTH = 6,          /* variations nested deeper than the format allows */
    STAMMA_REASON_SIZE = 7,           /* a game larger than a block */
    STAMMA_REASON_LAYOUT = 8,         /* typed, but white space, move numbers or spelling differ from every style */
    STAMMA_REASON_UNSUPPORTED = 9,    /* a position with more legal moves than the move codes allow */
    /* failed the round-trip check: an error of this library, which should be reported */
    STAMMA_REASON_FAULT = 10,
    STAMMA_REASON_COUNT = 11
} stamma_archive_reason;

/* Returns a short English text such as "illegal move". Never NULL. Static. */
STAMMA_API const char *stamma_archive_reason_text(stamma_archive_reason reason);

/* Reports a game that is verbatim, partly verbatim or corrected. Each such game is reported once, at its first such
 * byte. */
typedef struct stamma_archive_notice {
    uint64_t game;   /* number of the game in the archive, from 1 */
    stamma_archive_reason reason;
    stamma_place place; /* place in the text passed to the writer; its `game` is the same number */
    /* beginning of the text kept, or of the tag that is the reason (BAD_FEN, VARIANT); at most 80 bytes */
    stamma_text text;
    uint64_t kept;    /* bytes of the game that are kept as text or corrected */
    stamma_text found;    /* LAYOUT: the token, or the text between two tokens, that differs; at most 80 bytes */
    stamma_text expected; /* LAYOUT: the token in the style of the game; empty if it is not a move */
} stamma_archive_notice;

/* What may be wrong with a game, although all its bytes are stored. */
typedef enum stamma_warning {
    STAMMA_WARNING_TWO_EVENTS = 1, /* a second Event tag: these may be two games, without an empty line between them */
    /* the main line ends at text that is not a legal move. The rest is kept as text, in which searches find no moves */
    STAMMA_WARNING_MOVES_END = 2,
    STAMMA_WARNING_COUNT = 3
} stamma_warning;

/* Reports a game that a user may want to correct. Each warning is reported once for a game. */
typedef struct stamma_archive_warning {
    stamma_warning kind;
    stamma_place place; /* of the tag or the text; as in a notice, its `game` is the number in the archive, from 1 */
} stamma_archive_warning;

/* Threads of the caller, with which the library processes several blocks at once, and both halves of the moves of a
 * block at level 3. The library itself starts no threads. Results do not depend on the executor.
 *
 * `start` runs work(argument) on some thread, and may return before the work is done. `wait` returns when the work is
 * done; its results must then be visible to the caller. Only the thread that called the library calls them, and calls
 * `wait` once for each `start`. The caller's allocator is then used by several threads at once. */
typedef struct stamma_executor {
    void *context;
    unsigned threads; /* number of threads; below 2 the calling thread does all work */
    void (*start)(void *context, void (*work)(void *argument), void *argument);
    void (*wait)(void *context, void *argument);
} stamma_executor;

typedef struct stamma_archive_writer_options {
    size_t size;
    const stamma_allocator *allocator;
    /* 0: the default, which is 1. Level 1 stores a move in at most one byte. Level 2 codes moves with a trained
     * predictor: moves need a third of the space and decode 10 to 20 times slower. Level 3 uses a predictor that
     * adapts to the games: moves need a tenth less than at level 2 and decode six times slower, and a game is decoded
     * only after all games before it in its block. Levels 2 and 3 are UNSUPPORTED without the predictor's weights */
    int level;
    void *context;        /* passed to the callbacks */
    /* called in order, by the calling thread; NULL: not called */
    void (*notice)(void *context, const stamma_archive_notice *notice);
    const stamma_executor *executor;                                    /* NULL: no threads. Copied */
    /* memory limit in bytes; default 512 MiB. Fewer blocks are processed in parallel to stay below it; one block needs
     * 124 MiB, at level 3 27 MiB more */
    uint64_t memory;
    /* skip the round-trip check: blocks are not decoded and compared before they are written. With the check, a game
     * that would not be restored exactly is kept as text and counted in `games_faulty`, so nothing is lost; search
     * columns must agree with the decoded games. Without the check, too, all bytes must be in blocks, and the
     * predictor's weights must have their checksums */
    bool no_check;
    /* Called after each block with the number of bytes of text in the blocks written so far. `total` is 0: unknown.
     * Return false to stop: the function then returns CANCELLED, as do all later calls, and the archive ends with its
     * last commit. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* omit the search columns, about 5 bytes a game. Searches work without them, but cannot skip games. Levels 2 and 3
     * never have these columns */
    bool no_search_columns;
    /* called like `notice`, in the order of the games; NULL: not called */
    void (*warning)(void *context, const stamma_archive_warning *warning);
} stamma_archive_writer_options;

typedef struct stamma_archive_writer stamma_archive_writer;

/* Opens a writer and writes the header. Memory does not depend on the size of the input.
 * Errors:
 *   UNSUPPORTED  this library cannot write the level
 *   SELF_CHECK   the predictor's weights in memory are wrong
 *   BAD_ARGUMENT, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_writer_open(const stamma_output *output,
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Packs more bytes. The archive does not depend on the sizes of the pieces that are passed.
 * Errors:
 *   IO, NO_MEMORY
 *   CANCELLED   the progress callback returned false
 *   SELF_CHECK  a block failed the round-trip check even as text; its search columns contradict its games; the weights
 *               of the predictor are wrong; or bytes of the input are not in blocks, or not the same. Nothing wrong is
 *               committed as finished
 * After an error, the writer can only be closed, and the archive ends with its last commit. */
STAMMA_API stamma_error stamma_archive_writer_write(stamma_archive_writer *writer, const void *bytes, size_t size);

/* A file that was packed into an archive. */
typedef struct stamma_archive_source {
    stamma_text name;     /* at most 4,096 bytes, without a zero byte */
    uint64_t time;        /* when it was packed, in seconds since 1970-01-01 UTC; 0: not recorded */
    uint64_t text_offset; /* of its first byte in the archive's text */
    uint64_t text_size;   /* its size in bytes */
    uint8_t sha256[32];   /* SHA-256 of these bytes, which the library does not compute */
} stamma_archive_source;

/* Records that the last source->text_size bytes passed to the writer are a file; source->text_offset is ignored. The
 * record is written when the writer is finished, if anything was packed. stamma_archive_writer_copy and _recompress
 * copy the records of an archive.
 * Errors:
 *   BAD_ARGUMENT  an invalid name; fewer bytes were passed; or these bytes belong to another record
 *   others as stamma_archive_writer_write
 * Source: doc/format.md, 7.6. */
STAMMA_API stamma_error stamma_archive_writer_add_source(stamma_archive_writer *writer,
                                                         const stamma_archive_source *source);

/* Packs the remaining bytes, commits and syncs. Stores the counts of this writer in *counts, which may be NULL. Errors
 * as stamma_archive_writer_write. */
STAMMA_API stamma_error stamma_archive_writer_finish(stamma_archive_writer *writer, stamma_archive_counts *counts);

/* Closes a writer. Accepts NULL. Without stamma_archive_writer_finish, the archive ends with its last commit. */
STAMMA_API void stamma_archive_writer_close(stamma_archive_writer *writer);

struct stamma_archive_damage;
typedef struct stamma_archive_reader_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* threads for unpacking and verifying; NULL: none. Copied */
    /* memory limit for these in bytes; one block needs 112 MiB; default 512 MiB. A block that declares more ends the
     * call with LIMIT */
    uint64_t memory;
    void *context;                   /* passed to the callbacks */
    /* Called once for each damaged place, by the calling thread; reading continues after the damage with everything
     * that is sound. If the input can seek, damaged frames and commits are reported when their headers are read (see
     * stamma_archive_reader_open), and a damaged block when it is read. NULL: reading ends at the first damage with
     * CORRUPT or UNSUPPORTED. */
    void (*damage)(void *context, const struct stamma_archive_damage *damage);
    /* Called after each block that is unpacked, counted or copied with the number of bytes of the archive processed so
     * far and the total, which is 0 if the input cannot seek. Return false to stop: the function then returns
     * CANCELLED, and its output is complete up to that block. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* Called some hundred times a second, also within a game, while stamma_archive_reader_next, _seek or _select reads,
     * by the calling thread. Return true to end the call: it then returns CANCELLED, and damage is not reported. If the
     * input can seek, stamma_archive_reader_seek may then move to any game; otherwise the reader can only be closed.
     * Other functions do not call it. May be NULL. */
    bool (*stop)(void *context);
} stamma_archive_reader_options;

typedef struct stamma_archive_reader stamma_archive_reader;

/* Opens an archive. An input that cannot seek is read sequentially. Otherwise, the archive's tables of blocks are read,
 * and the headers of the frames that no table lists. This needs a bounded number of reads, if the input has a size. The
 * other frames' headers are read at the first damaged block, or after the last block. Without tables, all frames'
 * headers are read here.
 *
 * Bytes after the end, which an interrupted writer left, are not part of the archive. An archive with such bytes is
 * not sound, nor is one that is truncated, or whose last bytes are damaged, even if nothing is lost. These archives
 * can still be opened and completely read; reading it then ends with CORRUPT, unless options->damage reported it.
 *
 * Errors:
 *   NO_ARCHIVE    the input is not a Stamma archive
 *   CORRUPT       the archive is damaged, unless options->damage reports it
 *   UNSUPPORTED   a later version of the format, unless options->damage reports it
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_reader_open(const stamma_input *input,
                                                   const stamma_archive_reader_options *options,
                                                   stamma_archive_reader **reader);

/* Opens an archive in memory, like stamma_archive_reader_open with an input that can seek. `bytes` are not copied and
 * must not change while the reader exists. Errors as stamma_archive_reader_open, except IO. */
STAMMA_API stamma_error stamma_archive_reader_open_memory(const void *bytes, size_t size,
                                                          const stamma_archive_reader_options *options,
                                                          stamma_archive_reader **reader);

/* Reads the version of an archive's format from its first 16 bytes or more, for messages about archives that cannot be
 * opened. Format N is read by versions of this library from N.0 on. Returns OK; or UNSUPPORTED, also with the version,
 * if this library cannot read the format. Source: doc/format.md, 1.2.
 * Errors:
 *   NO_ARCHIVE    the bytes are not the begin of a Stamma archive
 *   CORRUPT       the header is damaged
 *   BAD_ARGUMENT  a pointer is NULL */
STAMMA_API stamma_error stamma_archive_format(const void *bytes, size_t size, unsigned *major, unsigned *minor);

/* Closes a reader and releases the games that it returned. Accepts NULL. */
STAMMA_API void stamma_archive_reader_close(stamma_archive_reader *reader);

/* Returns the offset in the archive of the last error, and the number of the game that it concerns (0: none). */
STAMMA_API stamma_place stamma_archive_reader_place(const stamma_archive_reader *reader);

/* Stores the totals of an archive's last commit in *counts: games, plies, variation_plies, bytes_in, bytes_out, and the
 * numbers of games and bytes kept as text. Other members are 0. Reads nothing.
 * Errors: BAD_ARGUMENT if the input cannot seek. */
STAMMA_API stamma_error stamma_archive_reader_totals(const stamma_archive_reader *reader,
                                                     stamma_archive_counts *counts);

/* Calls `source` for each record of a file that was packed, in the order of the text. Names are valid until the
 * callback returns. Reads the headers of all frames. Damaged records, and those of text that the archive does not
 * have, are skipped. The next game to read does not change.
 * Errors: BAD_ARGUMENT if the input cannot seek; IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_reader_sources(stamma_archive_reader *reader,
                                                      void (*source)(void *context,
                                                                     const stamma_archive_source *source),
                                                      void *context);

/* Returns the end of the archive in its input, in bytes: after its last valid commit, or after the header if there is
 * no commit. If the last bytes of that commit are missing, the end includes them. Returns 0 if the input cannot seek.
 */
STAMMA_API uint64_t stamma_archive_reader_end(const stamma_archive_reader *reader);

/* Writes exactly the bytes that were packed. Always starts at the first block: a seekable reader is rewound. On an
 * error, everything before stamma_archive_reader_place has been written, including the games before the error in its
 * block, if its columns are complete. If options->damage is set, damage is reported and skipped, and the function
 * returns OK.
 * Errors:
 *   BAD_ARGUMENT  the input cannot seek, and blocks have already been read
 *   CANCELLED     the progress callback returned false
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_reader_unpack(stamma_archive_reader *reader, const stamma_output *output);

/* Parts of a game, which can be combined. Parts that are not requested are not decoded, unless other parts need them.
 */
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
    stamma_text value; /* as written, with its escapes */
} stamma_tag;

/* Kinds of items among the moves of a main line. Permanent values. */
typedef enum stamma_archive_item_kind {
    STAMMA_ITEM_COMMENT = 1,         /* with COMMENTS */
    STAMMA_ITEM_NAG = 2,             /* with NAGS */
    STAMMA_ITEM_VARIATION_BEGIN = 3, /* with VARIATIONS, like the next two */
    STAMMA_ITEM_VARIATION_END = 4,
    STAMMA_ITEM_MOVE = 5             /* a move in a variation */
} stamma_archive_item_kind;

typedef struct stamma_archive_item {
    stamma_archive_item_kind kind;
    /* 0: in the main line; 1: in a variation of the main line, including its begin and end; and so on */
    unsigned depth;
    /* number of moves from the start of the game to the item, including a move item itself. VARIATION_BEGIN: moves
     * before the move that the variation replaces */
    size_t ply;
    stamma_move move; /* of a move item */
    unsigned nag;     /* of a NAG: 0..255. The suffixes ! ? !! ?? !? ?! are 1 to 6 */
    /* of a comment: the text in the braces or after the semicolon, with its line ends. These are blanks if the style of
     * the game contains them, because it wraps comments at a width */
    stamma_text text;
} stamma_archive_item;

/* A packed game. The library allocates it; later versions may append members. It is valid until the next call on the
 * reader. Lists are NULL, and texts have size 0, if there is nothing or their part was not requested. */
typedef struct stamma_archive_game {
    uint64_t number;            /* number from 1; 0: unknown, because of damage in an input that cannot seek */
    /* a further piece of a game that is too large for one, or text after the last game; only has text */
    bool continuation;
    stamma_text text;           /* with TEXT: the exact bytes */
    size_t tag_count;
    const stamma_tag *tags;     /* with TAGS */
    /* with RESULT: the result at the end of the movetext, "1-0", "0-1", "1/2-1/2" or "*"; empty if missing */
    stamma_text result;
    stamma_position start;      /* with MOVES, VARIATIONS or TEXT; otherwise it may be the initial position */
    size_t ply_count;           /* number of plies of the main line, for any parts */
    const stamma_move *moves;   /* with MOVES: the typed moves of the main line */
    stamma_archive_reason reason; /* not NONE: a part of the game is not typed and is only in the text */
    size_t reason_offset;       /* offset in the text of the first byte that is not typed */
    /* size of the moves in the moves column in bits; 0 if the moves are predicted and MOVES was not requested */
    size_t moves_bits;
    size_t item_count;
    /* with COMMENTS, NAGS, VARIATIONS: items in the order of the text. Without VARIATIONS only those of the main line
     */
    const stamma_archive_item *items;
    /* with CLOCKS: for each ply the time left in the first comment after it that states one (stamma_clock_read), in
     * milliseconds; -1: none */
    const int64_t *clocks_ms;
    /* with EVALUATIONS: for each ply the evaluation in the first comment after it that states one
     * (stamma_evaluation_read) */
    const stamma_evaluation *evaluations;
    /* with TEXT, if the reason is LAYOUT: the token, or the text between two tokens, at reason_offset that differs
     * from the style; at most 80 bytes */
    stamma_text found;
    /* with TEXT, if the reason is LAYOUT: the token in the style of the game; empty if it is not a move */
    stamma_text expected;
    /* with MOVES, VARIATIONS or TEXT: the FEN tag is not a legal position, so `start` is the initial position and no
     * move is typed */
    bool no_start;
    /* with CLOCKS: for each ply the time that it took in the first comment after it that states one
     * (stamma_time_spent_read), in milliseconds; -1: none */
    const int64_t *times_spent_ms;
} stamma_archive_game;

/* Returns the value of the first tag with a name as written, or {NULL, 0}. Also returns {NULL, 0} if TAGS was not
 * requested. */
STAMMA_API stamma_text stamma_archive_game_tag(const stamma_archive_game *game, stamma_text name);

/* Returns the result of a game (stamma_result_of_game). Needs TAGS and RESULT. Returns UNKNOWN if `game` is NULL. */
STAMMA_API stamma_result stamma_archive_game_result(const stamma_archive_game *game);

/* Return the ECO code of a game, and the name of its opening: the value of the tag ECO or Opening as written. If the
 * game does not have the tag, or its value is "?", they return the code or the name of the opening that was played:
 * that of the last position that has one (doc/format.md, Annex B), in a game from the initial position.
 * STAMMA_GAME_TAGS and STAMMA_GAME_MOVES must have been read.
 *   derived  receives whether the text is from the moves; may be NULL
 * Return {NULL, 0} if there is neither, or if `game` is NULL. Texts of tags are valid as long as the game; the others
 * are static. */
STAMMA_API stamma_text stamma_archive_game_eco(const stamma_archive_game *game, bool *derived);
STAMMA_API stamma_text stamma_archive_game_opening(const stamma_archive_game *game, bool *derived);

/* Returns the metadata of a game as levels 2 and 3 pass it to the predictor. STAMMA_GAME_TAGS must have been read; the
 * context refers to the game's texts. A rating that is not one to four digits is unknown. Everything is unknown if
 * `game` is NULL. Source: doc/format.md, 15.5. */
STAMMA_API stamma_game_context stamma_archive_game_context(const stamma_archive_game *game);

/* Replaces the contents of `tree` by a game: from its text if it has one, like stamma_game_read; otherwise from its
 * other parts, omitting parts that were not read. Without the text, line ends in comments may be blanks, as in items.
 *   allocator  used while the function runs; NULL: malloc and free
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation; or it has no text, and its moves were not read or `reason` is not NONE
 *   NO_MEMORY     the tree is then incomplete */
STAMMA_API stamma_error stamma_archive_game_read_tree(const stamma_archive_game *game,
                                                      const stamma_allocator *allocator,
                                                      stamma_game *tree);

/* Selects the parts of games that stamma_archive_reader_next returns, a sum of STAMMA_GAME_... values; the default is
 * all. Parts may need others: MOVES needs the tags with the start position, and TAGS needs MOVES for tags that are
 * derived from them.
 *
 * With TEXT, each group of 64 games is compared with a checksum of its text before any is returned. Without TEXT, only
 * the checksums of the columns that are read are checked.
 *
 * If the input can seek, the selection can change at any time; the next game stays the same.
 * Errors:
 *   BAD_ARGUMENT  unknown parts; or the input cannot seek, and a game was already read
 *   others as stamma_archive_reader_seek */
STAMMA_API stamma_error stamma_archive_reader_select(stamma_archive_reader *reader, unsigned parts);

/* Stores the number of games in *games. If the input can seek, the number is that of the commits, and the next game
 * stays the same; otherwise the rest of the archive is read, and no games follow.
 * Errors: CORRUPT, UNSUPPORTED, IO, NO_MEMORY, only if the input cannot seek. */
STAMMA_API stamma_error stamma_archive_reader_game_count(stamma_archive_reader *reader, uint64_t *games);

/* Moves to a game by its number, from 1: the next call of stamma_archive_reader_next returns it. A number after the
 * last game moves to the end. If options->damage is set and the game is lost, moves to the first sound game after it.
 *
 * If the input can seek, up to four blocks of level 1 are kept open, 4 to 9 MB each, or fewer if options->memory is
 * below 320 MiB. Games near recently read games are then fast.
 * Errors:
 *   BAD_ARGUMENT  the input cannot seek, and the game is before the current place
 *   CANCELLED     options->stop returned true
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_reader_seek(stamma_archive_reader *reader, uint64_t number);

/* Copies all blocks of another archive, unchanged, to the end of this archive. The texts follow one another byte for
 * byte, and the number of games is the sum: the first game after the copied ones is a separate game, even if the text
 * before it does not end its last line. Data that is written afterwards begins like a new input.
 *
 * `reader` must have just been opened; its blocks may have any level. Only checksums are compared, and that games
 * continue correctly from block to block; stamma_archive_verify checks everything. Frames of later versions that are
 * optional are not copied.
 * Errors:
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY, with stamma_archive_reader_place
 *   BAD_ARGUMENT  games of the reader were already read
 *   SELF_CHECK    as stamma_archive_writer_write
 * After an error, the writer can only be closed. */
STAMMA_API stamma_error stamma_archive_writer_copy(stamma_archive_writer *writer, stamma_archive_reader *reader);

/* Packs the contents of another archive again, at the level of this writer, at the end of this archive. Each input
 * that was packed begins a new block, as it did before. The result therefore does not depend on the level of the other
 * archive, and is that of packing its inputs one after another.
 *
 * `reader` must have just been opened without options->damage.
 * Errors:
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY, with stamma_archive_reader_place
 *   BAD_ARGUMENT  games of the reader were already read
 *   others as stamma_archive_writer_write
 * After an error, the writer can only be closed. */
STAMMA_API stamma_error stamma_archive_writer_recompress(stamma_archive_writer *writer, stamma_archive_reader *reader);

/* Returns the next game in *game, which the reader owns; NULL at the end and after an error.
 * Errors: CORRUPT, UNSUPPORTED (unless options->damage reports them), IO, NO_MEMORY, with stamma_archive_reader_place;
 * CANCELLED if options->stop returned true. */
STAMMA_API stamma_error stamma_archive_reader_next(stamma_archive_reader *reader, const stamma_archive_game **game);

/* Size of a column's name; longer names are truncated. */
#define STAMMA_COLUMN_NAME_SIZE 64

/* A column of an archive and its size in all blocks; or a kind of field in the texts of a column (clause 10 of the
 * format: clocks, evaluations, depths ...), whose bytes are part of those of the column. */
typedef struct stamma_archive_column {
    /* "moves", "tag:White", "comments", "layout", "verbatim", ... NUL-terminated. A field: the column, a colon, and
     * the text before the field: "comments:[%clk" */
    char name[STAMMA_COLUMN_NAME_SIZE];
    uint64_t stored_bytes;
    uint64_t plain_bytes;   /* before compression; of a field, as symbols and bits */
    uint64_t values;        /* of a field: number of values; 0: a column */
} stamma_archive_column;

/* Describes the contents of an archive: counts, games by reason, and, through a callback, its columns and then its
 * fields, each in descending size. `counts`, `reasons` and `column` may be NULL. `reasons` has space for
 * `reason_count` numbers; numbers after the last reason are set to 0. Starts at the first block, like
 * stamma_archive_reader_unpack. Errors as stamma_archive_reader_unpack. */
STAMMA_API stamma_error stamma_archive_reader_info(stamma_archive_reader *reader, stamma_archive_counts *counts,
                                            uint64_t *reasons, size_t reason_count,
                                            void (*column)(void *context, const stamma_archive_column *column),
                                            void *context);

/* Opens a writer that appends to the archive of `reader`, whose input must be able to seek. The reader is only needed
 * during the call, and does not see the new games.
 *
 * `cut` is called once, during the call, with the context of the output. It must durably truncate the file to `size`
 * bytes; the bytes of the output follow there. Until the writer is finished, the archive is unchanged, even if writing
 * stops at any point. Afterwards it unpacks to its previous text and the new text. Game numbers continue; notices
 * contain places in the new text.
 *
 * If the last 8 bytes of the last commit are damaged or missing, they are restored: the file is cut before them, and
 * they are written and synced first. Data that an interrupted writer left after the end is cut off
 * (STAMMA_DAMAGE_TAIL).
 * Errors:
 *   BAD_ARGUMENT  the input of the reader cannot seek
 *   CORRUPT       the archive is truncated or has other damage, or the checksum of a block of its last commit is wrong:
 *                 the damage callback of the reader is then called; earlier blocks are not read. No other callback was
 *                 called
 *   UNSUPPORTED   this library cannot write the level
 *   SELF_CHECK    the predictor's weights in memory are wrong
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_writer_open_append(const stamma_archive_reader *reader,
                                                          const stamma_output *output,
                                                   bool (*cut)(void *context, uint64_t size),
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Opens a writer that resumes an archive whose writer was interrupted. `reader` has the archive open, must be able to
 * seek, must exist until the writer is closed, and must not be used otherwise.
 *
 * Pass the same input from its start. Blocks that the file contains are not packed again, and no notices are reported
 * for their games. Where the input differs, or the contents of the file end, `cut` is called once as by
 * stamma_archive_writer_open_append, and everything from there is written. The finished archive is that of a writer
 * that was not interrupted, whatever damage the file has.
 *
 * A block is kept if it has the checksums and sizes of the input's text, and its columns have their checksums. It is
 * not decoded: a block that was made to have the right checksums, but decodes to another text, is kept. Do not resume
 * files of others, or verify the archive afterwards.
 * Errors:
 *   BAD_ARGUMENT  the input of the reader cannot seek
 *   UNSUPPORTED   this library cannot write the level
 *   SELF_CHECK    the predictor's weights in memory are wrong
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_writer_open_resume(stamma_archive_reader *reader, const stamma_output *output,
                                                   bool (*cut)(void *context, uint64_t size),
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Returns the end, in bytes, of the data that an interrupted append has committed after the archive.
 * stamma_archive_writer_open_append_resume continues it, and stamma_archive_writer_open_append cuts it off. Without
 * such data, returns stamma_archive_reader_end. */
STAMMA_API uint64_t stamma_archive_reader_interrupted_end(const stamma_archive_reader *reader);

/* Opens a writer that resumes an interrupted append, like stamma_archive_writer_open_resume, with two differences: the
 * input is that of the append, and the old archive is never cut.
 *
 * If no append was interrupted, the input is compared with that of the last append. If it is the same, nothing is
 * appended, and the counts of stamma_archive_writer_finish are 0. If its first block differs, the input is appended.
 * If only a later block differs, stamma_archive_writer_write, _copy or _finish returns MISMATCH, and the archive is
 * unchanged. If a block that is compared is damaged, they return CORRUPT, and the archive is unchanged. Copied blocks
 * are not compared: they are appended. Errors as stamma_archive_writer_open_append. */
STAMMA_API stamma_error stamma_archive_writer_open_append_resume(stamma_archive_reader *reader,
                                                                 const stamma_output *output,
                                                     bool (*cut)(void *context, uint64_t size),
                                                     const stamma_archive_writer_options *options,
                                                     stamma_archive_writer **writer);

/* Returns the number of bytes of the input that are committed, which stamma_archive_writer_open_resume does not pack
 * again. */
STAMMA_API uint64_t stamma_archive_writer_committed(const stamma_archive_writer *writer);

/* Kinds of damage to an archive; doc/format.md explains the terms. Permanent values. */
typedef enum stamma_damage_kind {
    STAMMA_DAMAGE_NONE = 0,
    STAMMA_DAMAGE_HEADER = 1,  /* the file's header */
    STAMMA_DAMAGE_FRAME = 2,   /* a frame is missing or incomplete where one must begin, or has a later format */
    STAMMA_DAMAGE_HEAD = 3,    /* the head of a block: its contents are unknown, or only known from its commit */
    STAMMA_DAMAGE_COLUMN = 4,  /* a stored column of a block */
    STAMMA_DAMAGE_CONTENT = 5, /* checksums are right, but a block does not decode to the text that was packed */
    STAMMA_DAMAGE_COMMIT = 6,  /* a commit is damaged or contradicts the blocks */
    STAMMA_DAMAGE_END = 7,      /* the archive is truncated */
    STAMMA_DAMAGE_TAIL = 8,     /* data after the last finished commit, which is not part of the archive */
    STAMMA_DAMAGE_END_MARK = 9, /* the last bytes of a commit, which its checksum determines: nothing is lost */
    STAMMA_DAMAGE_ORDER = 10,   /* a block or a commit is repeated or in the wrong place */
    STAMMA_DAMAGE_SEARCH = 11,  /* a search column is damaged or contradicts the games; the games are complete */
    STAMMA_DAMAGE_TABLE = 12,   /* a table of blocks is damaged or contradicts the blocks; the games are complete */
    STAMMA_DAMAGE_SOURCE = 13   /* a record of an input file is damaged; the games are complete */
} stamma_damage_kind;

/* Returns a short English text such as "damaged head of a block". Never NULL. Static. */
STAMMA_API const char *stamma_damage_text(stamma_damage_kind kind);

/* A damaged place and what it affects, as far as heads and commits determine it. If both are damaged, a range may be
 * too large, and its end is UINT64_MAX if it is unknown. */
typedef struct stamma_archive_damage {
    stamma_damage_kind kind;
    stamma_error error;     /* CORRUPT; or UNSUPPORTED: not damaged, but of a later format */
    uint64_t offset;        /* of the damaged bytes in the archive: the frame, or the column */
    uint64_t size;          /* 0 if something is missing */
    uint64_t frame;         /* number of the frame, from 1; bytes that are not a frame count as one. 0: none */
    uint64_t first_block;   /* numbers of blocks, from 1; 0: none is affected */
    uint64_t last_block;
    uint64_t first_game;    /* numbers of games, from 1; 0: none */
    uint64_t last_game;
    uint64_t text_offset;   /* in the packed text */
    uint64_t text_size;     /* 0: no text is affected */
    /* as in stamma_archive_column, valid until the callback returns; NULL: not a single column */
    const char *column;
    uint64_t game;          /* CONTENT: number of the game that does not decode; 0: unknown */
} stamma_archive_damage;

typedef struct stamma_archive_verify_options {
    size_t size;
    const stamma_allocator *allocator;
    bool quick;                      /* check checksums and commits only: blocks are not decoded */
    const stamma_executor *executor; /* NULL: none */
    uint64_t memory;                 /* memory limit in bytes, with LIMIT, as for reading; default 512 MiB */
    void *context;
    /* Called for each damaged place, in the order of the file, by the calling thread. May be NULL. */
    void (*damage)(void *context, const stamma_archive_damage *damage);
    /* Called after each block with the number of bytes of the archive processed so far; `total` is 0: unknown. Return
     * false to stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
} stamma_archive_verify_options;

typedef struct stamma_archive_verdict {
    size_t size;                   /* sizeof(stamma_archive_verdict), set by the caller */
    uint64_t damages;              /* damaged places; 0: the archive is sound */
    /* contents of the sound blocks, without moves_bytes; bytes_out is the size of their frames */
    stamma_archive_counts sound;
    uint64_t sound_blocks;
    /* totals of the last finished commit, or of the last commit if none is finished; bytes_out is its end. If it is
     * damaged, games and bytes are counted from the heads of blocks */
    stamma_archive_counts all;
    uint64_t all_blocks;
    uint64_t input_size;           /* size of the input in bytes */
    uint64_t tail_offset;          /* end of the archive, where an interrupted writer may have left data */
    uint64_t tail_size;            /* bytes of this data; 0: none */
    uint64_t tail_blocks;          /* complete blocks in this data */
    uint64_t tail_games;           /* games in these blocks */
} stamma_archive_verdict;

/* Checks an archive sequentially, without seeking, and continues after damage. Returns OK if the end was reached, even
 * if damage was found; otherwise *verdict is unchanged, although damage may have been reported. Checksums of 32
 * and 64 bits cover all bytes of known frames: they detect damage, but not changes made on purpose, which can have
 * right checksums. With `quick`, blocks that were written incorrectly are not detected. Source:
 * doc/format.md, 7.3 and 13.
 * Errors:
 *   NO_ARCHIVE   the input is not a Stamma archive
 *   UNSUPPORTED  a later version of the format
 *   CANCELLED    the progress callback returned false
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_verify(const stamma_input *input, const stamma_archive_verify_options *options,
                                              stamma_archive_verdict *verdict);

/* What became of a game of a damaged block. Permanent values. */
typedef enum stamma_salvage_state {
    STAMMA_SALVAGE_EXACT = 0,       /* its text is confirmed to be the text that was packed (format 13.6) */
    STAMMA_SALVAGE_UNCONFIRMED = 1, /* its text is whole; a checksum, shared with damaged data, cannot confirm it */
    STAMMA_SALVAGE_INCOMPLETE = 2,  /* parts are missing */
    STAMMA_SALVAGE_LOST = 3
} stamma_salvage_state;

/* Games of a damaged block, one after another, with the same result. */
typedef struct stamma_archive_salvage {
    uint64_t block;      /* number of the block, from 1 */
    uint64_t first_game; /* numbers of the games in the damaged archive, from 1; 0: unknown */
    uint64_t last_game;
    uint64_t games;      /* number of games; 0: only the end of a game that begins in the block before */
    stamma_salvage_state state;
    /* INCOMPLETE: what is missing, a sum of STAMMA_GAME_... values; TAGS: one or more tags; TEXT: only the layout, or
     * text that is no PGN */
    unsigned missing;
    stamma_text text;    /* their text in the new archive; valid until the callback returns */
} stamma_archive_salvage;

typedef struct stamma_archive_repair_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* NULL: none */
    uint64_t memory;                 /* memory limit in bytes, with LIMIT, as for reading; default 512 MiB */
    void *context;
    /* Called for each damaged place, by the calling thread. May be NULL. */
    void (*damage)(void *context, const stamma_archive_damage *damage);
    /* Called for all games of damaged blocks, in order, by the calling thread. Return false to stop: the function then
     * returns CANCELLED. May be NULL. */
    bool (*salvaged)(void *context, const stamma_archive_salvage *games);
    bool exact_only; /* leave out games whose text is not confirmed */
    uint64_t reserved[2]; /* 0 */
} stamma_archive_repair_options;

typedef struct stamma_archive_repair_result {
    size_t size;                /* sizeof(stamma_archive_repair_result), set by the caller */
    stamma_archive_counts kept; /* contents of the new archive; bytes_out is its size */
    uint64_t kept_blocks;       /* blocks of the old archive that the new archive contains */
    uint64_t repacked_blocks;   /* blocks of these that were packed again */
    stamma_archive_counts all;  /* contents of the old archive, counted as in stamma_archive_verdict */
    uint64_t all_blocks;
    bool known; /* `all` is certain: the last commit was found, and nothing follows it */
    bool whole; /* the new archive contains everything */
    uint64_t salvaged_blocks; /* damaged blocks of which games were salvaged */
    uint64_t salvaged[4];     /* games of damaged blocks, by stamma_salvage_state */
} stamma_archive_repair_result;

/* Writes a new archive with everything that is sound in a damaged archive. Each block is decoded to check it, and
 * copied unchanged, once, in the order of the block numbers, wherever it is in the input. Blocks that an interrupted
 * writer left after the end are kept. If a game continues in a block that is lost, the blocks with its other parts are
 * packed again from their text; they unpack to the same bytes, and each part is a separate game.
 *
 * If a frame's header is damaged, its block is found by the head of the block; if all blocks of the damaged bytes are
 * found, options->damage receives these bytes with no block and no game.
 *
 * Of a damaged block, everything is salvaged that does not depend on the damage. Games whose text is confirmed
 * (format 13.6) are written unchanged. This is no proof: a checksum of 32 bits is right by chance once in 2^32 times,
 * and changes made on purpose can have right checksums. Others have an additional first tag, StammaRepair, whose value
 * is "unconfirmed", or names what is missing: "without moves, ECO". An incomplete game is written in export format. If
 * the head of a block is damaged, names of tags may be wrong. Names that no right checksum of games and no neighbouring
 * block confirms are added to the value: "without moves; unconfirmed Termination".
 *
 * `input` must be able to seek. options->damage is called for damaged places. Returns OK if the new archive was
 * written, even if something is missing: see result->whole. Source: doc/format.md, 13.
 * Errors:
 *   NO_ARCHIVE    the input contains no frame of an archive
 *   UNSUPPORTED   a later version of the format
 *   BAD_ARGUMENT  the input cannot seek
 *   LIMIT         a block needs more memory
 *   CANCELLED     the callback returned false
 *   SELF_CHECK    as stamma_archive_writer_write
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_repair(const stamma_input *input, const stamma_output *output,
                                              const stamma_archive_repair_options *options,
                                              stamma_archive_repair_result *result);

/* ---------------------------------------------------------------------------------------------- 8. search -------- */

/* A condition that a game matches or not, written as JSON; doc/search.md describes the language. A query is immutable,
 * and several threads may use it at once. */
typedef struct stamma_query stamma_query;

/* An error in the text of a query. */
typedef struct stamma_query_fault {
    size_t offset; /* of the invalid part, in bytes from the start of the text */
    size_t size;   /* of the invalid part; 0 at the end of the text */
    char message[200]; /* English, NUL-terminated: `unknown rule "materal"; did you mean "material"?` */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_query_fault;

/* Parses a query. The text is not needed after the call. `allocator` (NULL: malloc and free) must live as long as the
 * query.
 * Errors: SYNTAX for a text that doc/search.md does not allow, with *fault, which may be NULL; NO_MEMORY. */
STAMMA_API stamma_error stamma_query_parse(stamma_text json, const stamma_allocator *allocator,
                                           stamma_query_fault *fault,
                                           stamma_query **query);
/* Closes a query, whose matchers must have been closed. Accepts NULL. */
STAMMA_API void stamma_query_close(stamma_query *query);

/* Returns the parts of a game that the query reads, a sum of STAMMA_GAME_... values; 0 if it reads none. */
STAMMA_API unsigned stamma_query_parts(const stamma_query *query);

/* Tests games. Its memory is reused for each game. Only one thread may use it at a time. */
typedef struct stamma_matcher stamma_matcher;

/* Opens a matcher for a query, which must live as long as the matcher. `allocator` as for stamma_query_parse. Errors:
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_open(const stamma_query *query, const stamma_allocator *allocator,
                                            stamma_matcher **matcher);

/* Tests whether a game matches. The parts stamma_query_parts of the game must have been read. A continuation never
 * matches.
 *
 * *plies and *count, which may be NULL, are the plies of the earliest match; ply 0 is the start of the game. There is
 * one ply, or one for each condition of a sequence or streak in the query itself. With "all-matches" in the query, they
 * are all plies at which it holds. A match in a variation is at the ply where the variation leaves the main line. The
 * plies are valid until the next call; *count is 0 if the game does not match.
 * Errors: BAD_ARGUMENT for a game without moves that are needed; NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_test(stamma_matcher *matcher, const stamma_archive_game *game, bool *found,
                                            const uint32_t **plies, size_t *count);
/* Closes a matcher. Accepts NULL. */
STAMMA_API void stamma_matcher_close(stamma_matcher *matcher);

/* ---- searches ---- */

typedef struct stamma_tree stamma_tree;

/* Options of a search. */
typedef struct stamma_search_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* threads that search blocks in parallel; NULL: the calling thread. Copied */
    /* memory limit in bytes; fewer blocks are searched in parallel to stay below it. One block needs up to 112 MiB. A
     * block that declares more than the limit ends the search with LIMIT. 0: no limit */
    uint64_t memory;
    void *context;      /* passed to the callbacks */
    /* Called after each block, when all its matches have been returned, with the number of bytes of the archive
     * processed so far and the total. Return false to stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* milliseconds from stamma_search_open after which the search ends with CANCELLED; 0: no limit */
    uint32_t time_limit_ms;
    /* test every game, without the search columns: slow, and with the same results, which is for tests */
    bool no_search_columns;
    /* index of the archive, which must live as long as the search; NULL: none. The results are the same */
    const struct stamma_search_index *index;
    /* Called some hundred times a second, also within blocks, by the executor's threads, several at once. Return true
     * to end the search on all threads: the function then returns CANCELLED. May be NULL. */
    bool (*stop)(void *context);
    /* Only for stamma_tree_add_archive: called after each block, before `progress`, with the tree of the games found
     * in the archive so far. The tree is valid during the call, in which it may be merged into another. May be NULL. */
    void (*so_far)(void *context, const stamma_tree *tree);
    /* true: damaged blocks are skipped, and the results are those of the sound blocks. false: a search ends with
     * CORRUPT at the first damaged block */
    bool sound_only;
    /* A seekable input from which the archive is read, if it is not in memory: the parameters `archive` and `size` are
     * then NULL and 0, `index` is NULL, and the total of `progress` is 0. Only the calling thread uses the input, which
     * must remain valid as long as the search. NULL: the archive is in memory */
    const stamma_input *input;
    /* Only games from first_game (0: the first of the archive) to last_game (0: the last of the archive) are searched,
     * and "skip" and "limit" only count these games. Trees, statistics and books need complete blocks: the range must
     * begin and end with a block of stamma_columns_blocks; otherwise the function returns BAD_ARGUMENT */
    uint64_t first_game;
    uint64_t last_game;
} stamma_search_options;

/* A matching game. */
typedef struct stamma_match {
    uint64_t game;         /* number in the archive, from 1 */
    size_t ply_count;
    const uint32_t *plies; /* plies of the match, as stamma_matcher_test returns them; NULL: none */
} stamma_match;

typedef struct stamma_search stamma_search;

/* The search columns of an archive, kept open for many searches: places of blocks, shared beginnings of games, pawn
 * structures, results, and of each game the result, ratings, date, players, event, time control and ECO code. An index
 * is immutable, and any number of threads may search with it at once. For blocks of levels 2 and 3 it has tags only,
 * so that positions are searched as slowly as without an index. */
typedef struct stamma_search_index stamma_search_index;

typedef struct stamma_search_index_options {
    size_t size;
    const stamma_allocator *allocator; /* used by all threads that open and close indexes */
    const stamma_executor *executor;   /* threads that open blocks; NULL: the calling thread. Copied */
    /* memory limit of the index in bytes; an index needs about 180 bytes a game. Blocks beyond the limit are not kept;
     * each search opens them again. 0: no limit */
    uint64_t memory;
    void *context;   /* passed to the callback */
    /* Called after each block with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* an index of the same archive before it grew, with the same allocator: its blocks are shared, and only new blocks
     * are opened. It may be closed while searches use the new index; NULL: none */
    const stamma_search_index *before;
} stamma_search_index_options;

/* Opens an index of an archive in memory. The index does not refer to this memory: searches may use the archive at
 * another address. Damaged blocks are omitted; searches report them.
 * Errors:
 *   NO_ARCHIVE   the memory does not contain a Stamma archive
 *   UNSUPPORTED  a later version of the format
 *   CANCELLED, NO_MEMORY */
STAMMA_API stamma_error stamma_search_index_open(const void *archive, size_t size,
                                                 const stamma_search_index_options *options,
                                                 stamma_search_index **index);
/* ---- index files: an index that is kept on disk, for archives of any size and level (doc/index.md) ---- */

typedef struct stamma_index_write_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* threads that read blocks; NULL: the calling thread. Copied */
    /* memory limit in bytes; below 700 MiB, segments have fewer games, and searches take longer. 0: no limit */
    uint64_t memory;
    void *context; /* passed to the callback */
    /* Called after each block with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* Earlier index files, of this archive before it grew or of archives that were merged. Where their blocks are still
     * the same, they are copied. Files that are damaged or not index files are ignored. */
    const stamma_text *before;
    size_t before_count;
    uint32_t segment_games; /* minimum number of games in each segment but the last; 0: 2^24, or as `memory` allows */
} stamma_index_write_options;

/* Writes an index file of an archive in memory. The bytes depend only on the archive and the options, not on the
 * number of threads. Decodes every block whose segment is not copied from an earlier index file.
 * Errors:
 *   NO_ARCHIVE   the memory does not contain a Stamma archive
 *   CORRUPT, UNSUPPORTED  the archive is damaged, cut short or of a later format, a block does not decode to its text,
 *                or search columns contradict the games: the archive cannot be indexed
 *   LIMIT        a block needs more memory than the limit allows
 *   CANCELLED, IO, NO_MEMORY; the output is then incomplete */
STAMMA_API stamma_error stamma_index_write(const void *archive, size_t size, const stamma_index_write_options *options,
                                           const stamma_output *output);

/* Opens an index file in memory, such as a mapped file, which must remain valid until the index is closed. Reads only
 * the directory of the file; searches check the pages that they read.
 * Errors:
 *   NO_ARCHIVE   not an index file
 *   MISMATCH     the index is of another archive, or of this archive before it grew
 *   CORRUPT      the index is damaged
 *   UNSUPPORTED  another version of the format
 *   NO_MEMORY */
STAMMA_API stamma_error stamma_search_index_open_file(const void *archive, size_t size, const void *file,
                                                      size_t file_size, const stamma_allocator *allocator,
                                                      stamma_search_index **index);
/* Returns whether a search found that the index file is damaged. That search did not use the index, and its results
 * are right. */
STAMMA_API bool stamma_search_index_is_damaged(const stamma_search_index *index);

/* A place where an index file says something else than its archive. */
typedef struct stamma_index_difference {
    const char *part; /* "facts of a game": English text. Static */
    uint64_t segment; /* number of the part of the file (doc/index.md, 2), from 1; 0: none */
    uint64_t number;  /* of the rank, record, node, list, name, block or table, from 1; 0: none in particular */
    uint64_t game;    /* number of the game in the archive, from 1; 0: none in particular */
    uint64_t reserved[2]; /* 0 */
} stamma_index_difference;

typedef struct stamma_index_verify_options {
    size_t size;
    const stamma_allocator *allocator;
    void *context; /* passed to the callbacks */
    /* Called for each difference. May be NULL. */
    void (*difference)(void *context, const stamma_index_difference *difference);
    /* Called after each segment with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
} stamma_index_verify_options;

/* Compares an index file in memory with its archive in memory. Checksums do not show that an index is right: this
 * function decodes all games, and compares the blocks, facts, names, moves, order of games, trie, lists, sums and
 * statistics of the index with them. The archive itself must be sound (stamma_archive_verify). Bytes on which no answer
 * depends are not compared. If the trie of a segment differs, its lists are not compared.
 * *differences receives the number of differences; 0: all answers from the index are those of the archive.
 * Errors:
 *   NO_ARCHIVE   not an index file, or not an archive
 *   MISMATCH     the index is of another archive, or of this archive before it grew
 *   CORRUPT      a checksum of the index is wrong, or the archive is damaged
 *   UNSUPPORTED  another version of a format
 *   CANCELLED, NO_MEMORY
 * Source: doc/index.md. */
STAMMA_API stamma_error stamma_index_verify(const void *archive, size_t size, const void *file, size_t file_size,
                                            const stamma_index_verify_options *options, uint64_t *differences);

/* Returns whether the memory limit of stamma_search_index_open was too small: of some blocks nothing is kept, and each
 * search opens these blocks again. False for index files and for NULL. */
STAMMA_API bool stamma_search_index_is_partial(const stamma_search_index *index);

/* Closes an index, which no search may be using. Accepts NULL. */
STAMMA_API void stamma_search_index_close(stamma_search_index *index);
/* Returns the number of bytes that the index uses, including shared blocks; 0 for NULL. */
STAMMA_API uint64_t stamma_search_index_memory(const stamma_search_index *index);

/* Opens a search of an archive of any level, in memory, such as a mapped file, or read from options->input. The archive
 * and the query must live as long as the search; NULL for the query matches all games. Blocks are searched in parallel;
 * the results and their order do not depend on this. The members "skip" and "limit" of the query are applied.
 * Errors:
 *   NO_ARCHIVE    the bytes are not a Stamma archive
 *   UNSUPPORTED   a later version of the format
 *   BAD_ARGUMENT  options->index is of another archive, or of this archive before it grew; options->input cannot seek
 *   NO_MEMORY */
STAMMA_API stamma_error stamma_search_open(const void *archive, size_t size, const stamma_query *query,
                                           const stamma_search_options *options, stamma_search **search);
/* Closes a search. Accepts NULL. */
STAMMA_API void stamma_search_close(stamma_search *search);

/* Returns the next matching game in *match, in the order of the archive; NULL at the end and after an error. The match
 * is valid until the next call.
 * Errors:
 *   CORRUPT, UNSUPPORTED  the archive is damaged, truncated or of a later format; all matches before that place have
 *                         been returned
 *   CANCELLED, NO_MEMORY
 * After an error, all further calls return the same error. */
STAMMA_API stamma_error stamma_search_next(stamma_search *search, const stamma_match **match);

/* Returns the offset in the archive of the block's frame in which the error was found, and the number of the game that
 * it concerns (0: none). */
STAMMA_API stamma_place stamma_search_place(const stamma_search *search);

/* ---- trees: the moves played in a position ----
 *
 * Trees add up: the tree of all games is the merged trees of any parts of them, in any order. */

/* Counts of games. */
typedef struct stamma_tree_counts {
    uint64_t games;        /* all games */
    uint64_t white;        /* won by White */
    uint64_t draws;        /* drawn */
    uint64_t black;        /* won by Black; the other games are unfinished */
    uint64_t rated;        /* games with both ratings */
    uint64_t rating_sum;   /* sum of both ratings of these games */
    uint64_t opponents;    /* finished games with a rating of the opponent of the side to move */
    uint64_t opponent_sum; /* sum of these ratings */
    uint64_t half_points;  /* points of the side to move in these games: 2 for a win, 1 for a draw */
    uint32_t last_date;    /* latest month: year * 10000 + month * 100; unknown parts are 0 */
    uint64_t opposed[2];   /* by color: finished games with a rating of that side's opponent */
    uint64_t opposed_sum[2];    /* by color: sum of these ratings */
    uint64_t opposed_points[2]; /* by color: points of that side in these games, as half_points */
    uint64_t reserved[3]; /* 0; space for later versions, so that the struct never grows */
} stamma_tree_counts;

/* Returns the mean of all ratings in games with both ratings, rounded; 0 if there are none. */
STAMMA_API unsigned stamma_tree_rating(const stamma_tree_counts *counts);
/* Stores the performance rating of the side to move: the mean rating of its opponents plus 400 * log10(p / (1 - p)),
 * where p is its share of the points; this difference is limited to -800 to 800. Returns false, and leaves
 * *performance unchanged, if no opponent's rating is known. Source: Elo, The Rating of Chessplayers, 1.5, logistic
 * form. */
STAMMA_API bool stamma_tree_performance(const stamma_tree_counts *counts, int32_t *performance);
/* Stores the performance rating of one side, for example of a player who had this colour in all games. Otherwise like
 * stamma_tree_performance. */
STAMMA_API bool stamma_tree_performance_of(const stamma_tree_counts *counts, stamma_color color, int32_t *performance);

/* A game that reaches the position. */
typedef struct stamma_tree_game {
    stamma_text archive; /* name of the archive, from the caller */
    uint64_t game;       /* number in the archive, from 1 */
    stamma_move move;    /* move played in the position */
    bool ended;          /* the game ends in the position; `move` is unused */
    uint16_t white_rating; /* 0: unknown */
    uint16_t black_rating;
    stamma_result result;
    uint32_t date;     /* as stamma_tree_counts.last_date */
    stamma_text white; /* names in UTF-8; {NULL, 0}: not read (stamma_tree_name_games) */
    stamma_text black;
    stamma_speed speed; /* NONE if the mode was not read */
    stamma_mode mode;   /* NOT_READ for games that were counted without their tags and without an index file */
} stamma_tree_game;

typedef struct stamma_tree_move {
    stamma_move move;
    stamma_tree_counts counts;
    /* of its games, the one with the highest mean rating, then the latest date, then the first */
    stamma_tree_game top;
    stamma_tree_game recent; /* of its games, the one with the latest date, then the highest number */
} stamma_tree_move;

/* Opens a tree without games. `allocator` may be NULL: malloc and free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_open(const stamma_position *position, const stamma_allocator *allocator,
                                         stamma_tree **tree);
/* Closes a tree. Accepts NULL. */
STAMMA_API void stamma_tree_close(stamma_tree *tree);

/* Makes the tree also count games by month. Must be called before games are added. Errors: BAD_ARGUMENT for NULL and
 * for a tree with games. */
STAMMA_API stamma_error stamma_tree_keep_history(stamma_tree *tree);

/* Adds a game if its main line reaches the position, compared like stamma_position_equal. A game is counted once, with
 * the move played when it first reached the position. TAGS, RESULT and MOVES must have been read. `archive` is the
 * name of the game's archive. Names of players are not stored.
 * Errors: BAD_ARGUMENT; NO_MEMORY, the tree is then incomplete. */
STAMMA_API stamma_error stamma_tree_add(stamma_tree *tree, stamma_text archive, const stamma_archive_game *game);
/* Adds the games of an archive that match a query (NULL: all), with blocks in parallel. The members "skip" and "limit"
 * of the query are ignored. `name` is the name of the archive. `archive`, `size` and `options` as for
 * stamma_search_open.
 * Errors: as stamma_search_open and stamma_search_next, with *place, which may be NULL; the tree is then unchanged,
 * except after NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_add_archive(stamma_tree *tree, stamma_text name, const void *archive, size_t size,
                                                const stamma_query *query, const stamma_search_options *options,
                                                stamma_place *place);
/* Reads the names of players for those examples of the tree that are in the archive with this name. Of `options`,
 * which may be NULL, the index, which has most names, and the limits are used.
 * Errors: CANCELLED, CORRUPT, UNSUPPORTED, NO_ARCHIVE, NO_MEMORY; names already read are kept. */
STAMMA_API stamma_error stamma_tree_name_games(stamma_tree *tree, stamma_text name, const void *archive, size_t size,
                                               const stamma_search_options *options);
/* Adds another tree of the same position.
 * Errors:
 *   BAD_ARGUMENT  the positions differ, or only one of the trees counts months
 *   NO_MEMORY     `into` is then incomplete */
STAMMA_API stamma_error stamma_tree_merge(stamma_tree *into, const stamma_tree *other);

/* Returns the position of the tree, which the tree owns. */
STAMMA_API const stamma_position *stamma_tree_position(const stamma_tree *tree);
/* Returns the counts of all games that reach the position, including those that end in it. */
STAMMA_API stamma_tree_counts stamma_tree_total(const stamma_tree *tree);
/* Returns the number of different moves played in the position. */
STAMMA_API size_t stamma_tree_move_count(const stamma_tree *tree);
/* Returns the move at an index from 0: those with the most games first, then in the order of their UCI text; NULL
 * after the last. Valid until the tree changes. The library allocates it; later versions may append members. */
STAMMA_API const stamma_tree_move *stamma_tree_move_at(const stamma_tree *tree, size_t n);
/* Returns one of at most 15 games with the highest mean rating, by an index from 0; NULL after the last. Games of equal
 * rating are in the order of date, latest first, then of archive name and number. Valid until the tree changes; later
 * versions may append members. */
STAMMA_API const stamma_tree_game *stamma_tree_top_game(const stamma_tree *tree, size_t n);
/* Returns one of at most 15 latest games, by an index from 0; NULL after the last. Games of the same date are in the
 * order of number, highest first, then of archive name. Valid until the tree changes; later versions may append
 * members. */
STAMMA_API const stamma_tree_game *stamma_tree_recent_game(const stamma_tree *tree, size_t n);

/* Stores the ECO code and the name of the opening with this position, which are static. Ignores clocks, castling
 * rights and en passant. Returns false, and leaves them unchanged, if no opening has this position. Source:
 * lichess-org/chess-openings. */
STAMMA_API bool stamma_position_opening(const stamma_position *position, stamma_text *eco, stamma_text *name);

/* Finished games of a month. */
typedef struct stamma_tree_month {
    uint32_t month; /* year * 100 + month */
    uint64_t white; /* won by White */
    uint64_t draws;
    uint64_t black;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_tree_month;

/* Replaces *month by the first month after month->month in which games that reach the position were finished; begin
 * with 0. Returns false if there is none, or if the tree does not count months. Games without a known month are not
 * counted. */
STAMMA_API bool stamma_tree_next_month(const stamma_tree *tree, stamma_tree_month *month);

/* Writes the tree as JSON, in the form of Lichess's opening explorer with additional members for stamma_tree_read_json
 * (doc/search.md): at most `moves` moves, and `games` top and recent games; SIZE_MAX: all. Text writer. */
STAMMA_API size_t stamma_tree_write_json(const stamma_tree *tree, size_t moves, size_t games, char *out, size_t size);
/* Reads the JSON of stamma_tree_write_json of any version. If it has all moves and games, the tree is equal to the
 * original.
 * Errors: SYNTAX for another text, with *fault, which may be NULL; NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_read_json(stamma_text json, const stamma_allocator *allocator,
                                              stamma_query_fault *fault, stamma_tree **tree);

/* ---- statistics of games, which add up like trees ---- */

/* Numbers of games by result. */
typedef struct stamma_stats_results {
    uint64_t games; /* including unfinished games */
    uint64_t white; /* won by White */
    uint64_t draws;
    uint64_t black;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_stats_results;

typedef struct stamma_stats_total {
    stamma_stats_results results;
    uint64_t plies;   /* plies of all main lines */
    uint64_t longest; /* plies of the longest main line */
    uint64_t set_up;  /* games that do not start in the initial position */
    uint64_t rated;   /* games with both ratings */
    uint64_t reserved[3]; /* 0; space for later versions, so that the struct never grows */
} stamma_stats_total;

/* Tables of games by a property. Permanent values. */
typedef enum stamma_stats_table {
    STAMMA_STATS_LENGTHS = 0,       /* "40": main lines of 40 to 49 plies */
    STAMMA_STATS_YEARS = 1,         /* "2010": year of the date, if it is known */
    STAMMA_STATS_RATINGS = 2,       /* "2400": players rated 2400 to 2499; by side */
    STAMMA_STATS_PLAYERS = 3,       /* names as written; by side */
    STAMMA_STATS_FIRST_MOVES = 4,   /* "e4 c5": the first two plies of games from the initial position */
    /* "B90": the first three characters of the ECO tag, or the code of the opening played if the tag is missing */
    STAMMA_STATS_ECO = 5,
    STAMMA_STATS_OPENINGS = 6,      /* name of the opening played in games from the initial position */
    STAMMA_STATS_TIME_CONTROLS = 7, /* the TimeControl tag */
    STAMMA_STATS_TERMINATIONS = 8,  /* the Termination tag */
    STAMMA_STATS_TABLES = 9
} stamma_stats_table;

typedef struct stamma_stats_row {
    stamma_text name;                /* UTF-8 */
    stamma_stats_results results[2]; /* tables by side: as White, as Black; other tables: only the first */
    uint64_t plies;                  /* plies of these games */
} stamma_stats_row;

typedef struct stamma_stats stamma_stats;

/* Opens statistics without games. `allocator` may be NULL: malloc and free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_open(const stamma_allocator *allocator, stamma_stats **stats);
/* Closes statistics. Accepts NULL. */
STAMMA_API void stamma_stats_close(stamma_stats *stats);

/* Adds a game, of which TAGS, RESULT and MOVES must have been read. A continuation is ignored. Memory grows with the
 * number of different names.
 * Errors: BAD_ARGUMENT; NO_MEMORY, the statistics are then incomplete. */
STAMMA_API stamma_error stamma_stats_add(stamma_stats *stats, const stamma_archive_game *game);
/* Adds the games of an archive that match a query, like stamma_tree_add_archive, with the same errors. */
STAMMA_API stamma_error stamma_stats_add_archive(stamma_stats *stats, const void *archive, size_t size,
                                                 const stamma_query *query, const stamma_search_options *options,
                                                 stamma_place *place);
/* Adds to *results the number of games of an archive that match a query, by result, like the totals after
 * stamma_stats_add_archive. Only results are read; with an index, this is about as fast as a search. Errors as
 * stamma_tree_add_archive; *results is then unchanged. */
STAMMA_API stamma_error stamma_stats_count_archive(stamma_stats_results *results, const void *archive, size_t size,
                                                   const stamma_query *query, const stamma_search_options *options,
                                                   stamma_place *place);
/* Adds other statistics. Errors: NO_MEMORY, `into` is then incomplete. */
STAMMA_API stamma_error stamma_stats_merge(stamma_stats *into, const stamma_stats *other);

/* Returns the totals of all games. */
STAMMA_API stamma_stats_total stamma_stats_sum(const stamma_stats *stats);
/* Returns the number of rows of a table; 0 for an unknown table. */
STAMMA_API size_t stamma_stats_row_count(const stamma_stats *stats, stamma_stats_table table);
/* Stores the row of a table at an index from 0 in *row; NULL after the last. LENGTHS, YEARS and RATINGS are in numeric
 * order; other tables have the most games first, then the order of their bytes. A row is valid until the statistics
 * change; later versions may append members. Errors: BAD_ARGUMENT for an unknown table; NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_row_at(stamma_stats *stats, stamma_stats_table table, size_t n,
                                            const stamma_stats_row **row);

/* Writes the statistics as JSON (doc/search.md), with at most `rows` rows of each table; SIZE_MAX: all, which
 * stamma_stats_read_json needs. *length is the length of the text; otherwise like text writers. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_write_json(stamma_stats *stats, size_t rows, char *out, size_t size,
                                                size_t *length);
/* Reads the JSON of stamma_stats_write_json. Errors as stamma_tree_read_json. */
STAMMA_API stamma_error stamma_stats_read_json(stamma_text json, const stamma_allocator *allocator,
                                               stamma_query_fault *fault, stamma_stats **stats);

/* ---- names of players, for completing what a user types ---- */

typedef struct stamma_player {
    stamma_text name;    /* as in the tags, in UTF-8 */
    uint64_t games[2];   /* by color */
    uint16_t rating_min; /* least and greatest rating of these games; 0: no rating is known */
    uint16_t rating_max;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_player;

/* A list of the names of all players of archives. */
typedef struct stamma_players stamma_players;

/* Opens an empty list. `allocator` may be NULL: malloc and free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_players_open(const stamma_allocator *allocator, stamma_players **players);
/* Closes a list. Accepts NULL. */
STAMMA_API void stamma_players_close(stamma_players *players);

/* Adds the players of all games of an archive. Names that differ by a letter are different players; games without a
 * name, and the name `?`, are omitted. A name needs about 100 bytes. With an index file, no games are read. `archive`,
 * `size`, `options` and the errors as for stamma_stats_add_archive. */
STAMMA_API stamma_error stamma_players_add_archive(stamma_players *players, const void *archive, size_t size,
                                                   const stamma_search_options *options, stamma_place *place);

/* Finds players by words of their names in any order, ignoring case, accents and apostrophes. Each word of `text` must
 * be the beginning of a word of the name, or begin with an initial of the name ("Vladimir Kramnik" fits "Kramnik,V");
 * initials only count if the longest word of the name fits, too. A text without words fits all names.
 *
 * Stores the best players in found[], at most `room`, and their number in *count. Names of which the text has
 * complete words or initials are best, then names with words that only begin like those of the text. Among these, names
 * with more games are first. Names are valid until the list changes. Several threads may search a list at once.
 * Errors: BAD_ARGUMENT; NO_MEMORY. */
STAMMA_API stamma_error stamma_players_find(const stamma_players *players, stamma_text text, stamma_player *found,
                                            size_t room, size_t *count);

/* ---- opening books in PolyGlot's format, which engines and other programs read; books add up like trees ---- */

typedef struct stamma_book stamma_book;

/* Opens a book of the moves played from a position, up to `plies` plies after it. `allocator` may be NULL: malloc and
 * free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_book_open(const stamma_position *position, unsigned plies,
                                         const stamma_allocator *allocator,
                                         stamma_book **book);
/* Closes a book. Accepts NULL. */
STAMMA_API void stamma_book_close(stamma_book *book);

/* Adds the moves of a game from the position, up to its first null move, if the game reaches the position. A move that
 * the game repeats in the same position is counted once. TAGS, RESULT and MOVES must have been read. Memory grows with
 * the number of different positions.
 * Errors: BAD_ARGUMENT; NO_MEMORY, the book is then incomplete. */
STAMMA_API stamma_error stamma_book_add(stamma_book *book, const stamma_archive_game *game);
/* Adds the games of an archive that match a query, like stamma_tree_add_archive, with the same errors. */
STAMMA_API stamma_error stamma_book_add_archive(stamma_book *book, const void *archive, size_t size,
                                                const stamma_query *query, const stamma_search_options *options,
                                                stamma_place *place);
/* Adds another book of the same position and depth. Errors: BAD_ARGUMENT if these differ; NO_MEMORY, `into` is then
 * incomplete. */
STAMMA_API stamma_error stamma_book_merge(stamma_book *into, const stamma_book *other);

/* Writes the moves of all positions from which at least `games` games continue. An entry has 16 bytes, big-endian: the
 * PolyGlot key of the position, the move (castling as king takes rook), the weight, and four zeros. Entries are in the
 * order of keys, then of weights, largest first.
 *
 * The weight is the number of half points that the side to move scored with the move in finished games. If a weight of
 * a position exceeds 65535, all weights of the position are reduced in proportion; weights above 0 stay above 0.
 * *entries, which may be NULL, is the number of entries.
 * Errors: IO, NO_MEMORY. Source: PolyGlot's book format (Fabien Letouzey). */
STAMMA_API stamma_error stamma_book_write(const stamma_book *book, uint64_t games, const stamma_output *output,
                                          uint64_t *entries);

/* ------------------------------------------------------------------------------------------------ 9. columns ----- */

/* The games, plies and positions of archives as Apache Arrow record batches, which other programs read without
 * conversion; doc/columns.md describes all columns. The three structs are the Arrow C data interface and C stream
 * interface (https://arrow.apache.org/docs/format/CDataInterface.html), which define who releases what. */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *schema);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *array);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *stream);
    void (*release)(struct ArrowArrayStream *stream);
    void *private_data;
};
#endif

/* Tables of an archive. Permanent values. */
typedef enum stamma_table {
    STAMMA_TABLE_GAMES = 0,     /* a row for each game */
    STAMMA_TABLE_PLIES = 1,     /* a row for each ply of each main line */
    STAMMA_TABLE_POSITIONS = 2, /* a row for each ply, in the form in which models are trained */
    STAMMA_TABLES = 3
} stamma_table;

typedef struct stamma_columns_options {
    size_t size;
    const stamma_allocator *allocator; /* used until all batches are released, by the threads that release them */
    /* threads that read blocks in parallel; NULL: the calling thread. Copied. The order of the batches and their
     * contents do not depend on it */
    const stamma_executor *executor;
    /* memory limit in bytes; fewer blocks are read in parallel to stay below it. A block that declares more ends the
     * stream with LIMIT. 0: 512 MiB */
    uint64_t memory;
    void *context; /* passed to the callbacks */
    /* Called after each block, when its last batch is returned, with the number of bytes of the archive processed so
     * far and the total, which is 0 with `input`. Return false to stop with CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* As in stamma_search_options: called often, by several threads. Return true to stop with CANCELLED. May be NULL.
     */
    bool (*stop)(void *context);
    /* A seekable input from which the archive is read, as in stamma_search_options. It must live as long as the stream.
     * NULL: the archive is in memory */
    const stamma_input *input;
    const struct stamma_search_index *index; /* makes queries faster; must live as long as the stream. NULL: none */
    bool sound_only; /* true: damaged blocks are skipped; a block may be damaged after its first batches */
    stamma_table table;
    /* names of the columns, in the order of the result; only used while the stream is opened. 0: those that
     * stamma_columns_list reports with is_default */
    const stamma_text *columns;
    size_t column_count;
    /* only games that match, which must live as long as the stream. "skip" and "limit" count games. NULL: all games */
    const stamma_query *query;
    uint64_t first_game; /* number of the first game; 0: the first of the archive */
    uint64_t last_game;  /* number of the last game; 0: the last of the archive */
    uint32_t batch_rows; /* maximum number of rows of a batch, up to 1,048,576; 0: 65,536. Each block begins a batch */
    bool unordered;      /* batches are returned as soon as they are complete, in any order of blocks */
    bool plain_texts;    /* columns of type dictionary are plain texts instead */
    /* The following only apply to STAMMA_TABLE_POSITIONS. */
    uint32_t skip_plies; /* omits the first plies of each game */
    uint32_t sample;     /* keeps one position in `sample`, selected pseudo-randomly by `seed`; 0 and 1: all */
    /* Shuffles the rows of each block in a buffer of this number of rows, of 128 bytes each: a row is exchanged for a
     * pseudo-randomly selected row of the buffer. 0: in order. At most 16,777,216 */
    uint32_t shuffle;
    uint64_t seed; /* the same seed always produces the same rows in the same order, except with `unordered` */
} stamma_columns_options;

/* Why a stream cannot be opened. */
typedef struct stamma_columns_fault {
    size_t column;     /* index of the name in options->columns; SIZE_MAX: no particular column */
    char message[200]; /* English, NUL-terminated: `unknown column "whte"; did you mean "white"?` */
} stamma_columns_fault;

/* Opens a stream of record batches over an archive of any level, in memory or read from options->input. `options` may
 * be NULL. The archive must live as long as the stream, but not as long as its batches.
 *
 * A column that the table does not have may be the name of a tag of the archive: in small letters with underscores
 * ("white_team" for WhiteTeam), or exactly, after "tag:" ("tag:WhiteTeam"), which is accepted even if no game has it.
 * Only the parts of games that the columns and the query need are decoded.
 *
 * The functions of the stream return 0 or an errno value: ENOMEM (also for a block that needs more memory than
 * options->memory), EIO (also for a damaged archive), ECANCELED.
 * stamma_columns_error returns the exact error. All batches before a damaged block are returned before the error.
 * The stream may be used by one thread at a time, which may change. stream->release waits for running threads.
 * Errors:
 *   SYNTAX        an unknown column, or the same column twice; *fault, which may be NULL, describes it
 *   NO_ARCHIVE    the bytes are not a Stamma archive
 *   UNSUPPORTED   a later version of the format; or the column `bits`, if the library has no weights
 *   BAD_ARGUMENT  options->index is of another archive; an option is out of range; options->input cannot seek
 *   CORRUPT, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_columns_open(const void *archive, size_t size, const stamma_columns_options *options,
                                            stamma_columns_fault *fault, struct ArrowArrayStream *stream);

/* Returns the error that ended a stream of stamma_columns_open; OK if none did. *place, which may be NULL, is the
 * offset in the archive of the block in which the error was found, and the number of the game (0: unknown).
 * BAD_ARGUMENT for any other stream. */
STAMMA_API stamma_error stamma_columns_error(const struct ArrowArrayStream *stream, stamma_place *place);

/* A column of a table. */
typedef struct stamma_column {
    const char *name;    /* "white_rating" */
    const char *type;    /* "int16", "dictionary<int32, utf8>", "list<uint16>", "fixed_size_list<uint8>[64]" ... */
    const char *meaning; /* one line of English, without a full stop */
    bool is_default;     /* part of the result if no columns are named */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_column;

/* Calls `take` with `context` for each column of a table, in the order of doc/columns.md: for games, also for each
 * other tag of the archive, in the order of first occurrence. The column is valid during the call. Of the options, only
 * `allocator`, `input`, `table` and `plain_texts` are used. Without an archive (NULL, 0, and no input), only the
 * columns that every archive has are listed.
 * Errors: as stamma_columns_open, except SYNTAX. */
STAMMA_API stamma_error stamma_columns_list(const void *archive, size_t size, const stamma_columns_options *options,
                                            void (*take)(void *context, const stamma_column *column), void *context);

/* A block of an archive. */
typedef struct stamma_block {
    uint64_t first_game;  /* number of the first game that begins in the block, from 1 */
    uint64_t last_game;   /* first_game - 1: no game begins in the block */
    uint64_t size;        /* bytes of the block in the archive, with its frame header */
    uint64_t text_size;   /* bytes of its text */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_block;

/* Lists the blocks of an archive in their order, so that callers can divide the archive among streams:
 * options->first_game and last_game then select complete blocks. Of the options, only `allocator` and `input` are used.
 * No block is decoded: reads the tables of blocks, or, of an archive without tables, frame headers and heads of blocks.
 *   blocks  receives `capacity` blocks at most; may be NULL if capacity is 0
 *   count   receives the number of blocks, which may exceed `capacity`
 * Errors: NO_ARCHIVE, UNSUPPORTED, BAD_ARGUMENT, IO, NO_MEMORY. Damage is reported by streams. */
STAMMA_API stamma_error stamma_columns_blocks(const void *archive, size_t size, const stamma_columns_options *options,
                                              stamma_block *blocks, size_t capacity, size_t *count);

/* ---- evaluations and moves as numbers ---- */

/* Evaluations in columns are centipawns from White's view, limited to -31,999..31,999. A mate in n moves is
 * STAMMA_MATE - n if White mates, and n - STAMMA_MATE if Black mates; n is at most 767. */
#define STAMMA_MATE 32767

/* Number of moves in the vocabulary of the column `move_index`. */
#define STAMMA_VOCABULARY_SIZE 1924

/* Stores the index of a legal move in the vocabulary (doc/columns.md): 1,792 pairs of squares at the distance of a
 * queen's or a knight's move, in the order of origin and target, then 132 promotions to knight, bishop and rook. A
 * promotion to queen has the index of its squares. Castling is written as king takes rook.
 * Errors: UNSUPPORTED for the null move, and for other 16 bits that are no move of chess. */
STAMMA_API stamma_error stamma_vocabulary_index(const stamma_position *position, stamma_move move, uint16_t *index);

/* Stores the legal move with an index. Errors: ILLEGAL if the position has no such move; BAD_ARGUMENT for
 * STAMMA_VOCABULARY_SIZE and above. */
STAMMA_API stamma_error stamma_vocabulary_move(const stamma_position *position, unsigned index, stamma_move *move);

/* ----------------------------------------------------------------------------------------------- 10. curate ------ */

/* How a duplicate differs from the game that is kept instead (doc/dedupe.md). Permanent values. */
typedef enum stamma_duplicate_kind {
    STAMMA_DUPLICATE_NONE = 0,     /* the game is kept */
    STAMMA_DUPLICATE_EXACT = 1,    /* same moves, players, date, event and result */
    STAMMA_DUPLICATE_SPELLING = 2, /* same moves; names, event, date or result are written differently or missing */
    STAMMA_DUPLICATE_INCLUDED = 3, /* the moves of one game are the beginning of the other game */
    STAMMA_DUPLICATE_SIMILAR = 4,  /* a few moves, or the last two plies, differ */
    STAMMA_DUPLICATE_TRANSPOSED = 5 /* the same moves in another order, and the same last position */
} stamma_duplicate_kind;

/* Returns the permanent name of a kind: "exact"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_duplicate_kind_name(stamma_duplicate_kind kind);

/* A rule that decides which of several games is kept: the game with the ... Permanent values. */
typedef enum stamma_keep {
    STAMMA_KEEP_FIRST = 1,     /* lowest index */
    STAMMA_KEEP_LAST = 2,      /* highest index */
    STAMMA_KEEP_LONGEST = 3,   /* most plies */
    STAMMA_KEEP_RESULT = 4,    /* known result */
    STAMMA_KEEP_ANNOTATED = 5, /* most comments, NAGs and moves of variations */
    STAMMA_KEEP_TAGS = 6,      /* most tags with a known value */
    STAMMA_KEEP_LATEST = 7     /* latest date of its source, in the tag SourceVersionDate or SourceDate */
} stamma_keep;

/* Returns the permanent name of a rule: "longest"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_keep_name(stamma_keep rule);

typedef struct stamma_duplicates_options {
    size_t size;
    const stamma_allocator *allocator;
    /* memory limit in bytes; 0: no limit. At least 5 bytes for each game, and about 400 bytes for each game of the
     * largest group of similar games. A lower limit needs more passes. The duplicates do not depend on the limit */
    uint64_t memory;
    unsigned kinds; /* kinds to find: the sum of 1 << STAMMA_DUPLICATE_... 0: all */
    /* rules in the order in which they decide, at most 7. Between games that are equal, the last is kept. Default:
     * LONGEST, RESULT, ANNOTATED, TAGS */
    const stamma_keep *keep;
    size_t keep_count;
    int days;  /* maximum number of days between the dates of games with the same moves, 1 to 31; 0: 3; -1: none */
    int moves; /* maximum number of plies that differ in similar games, 1 to 31; 0: 4; -1: none */
} stamma_duplicates_options;

/* Finds the games that are the same game.
 *
 * The games are added several times, so that memory is limited:
 *   unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
 *   while (parts && !error) {
 *       ... read each game with these parts; stamma_duplicates_add(duplicates, game);
 *       error = stamma_duplicates_find(duplicates, &parts);
 *   } */
typedef struct stamma_duplicates stamma_duplicates;

/* Opens a detector. `options` may be NULL.
 * Errors: BAD_ARGUMENT for an invalid option; UNSUPPORTED; NO_MEMORY. */
STAMMA_API stamma_error stamma_duplicates_open(const stamma_duplicates_options *options,
                                               stamma_duplicates **duplicates);
/* Closes a detector. Accepts NULL. */
STAMMA_API void stamma_duplicates_close(stamma_duplicates *duplicates);

/* Adds the next game of a pass; the first has index 0. The game needs the parts of the pass. A game with a `reason`,
 * part of which is only text, is never a duplicate.
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation, or its tags or moves were not read; or stamma_duplicates_find stored 0,
 *                 or a function failed with another error
 *   MISMATCH      the first pass had fewer games
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error except BAD_ARGUMENT, the detector can only be closed. */
STAMMA_API stamma_error stamma_duplicates_add(stamma_duplicates *duplicates, const stamma_archive_game *game);

/* Ends a pass. Stores in *parts which parts of the games the next pass needs; 0: all duplicates have been found.
 * Otherwise, all games must be added again in the same order. There are at least two passes if any games are similar.
 * Each duplicate has been compared with the game that is kept instead. The time of a pass grows as n log n with the
 * number of games: in large groups of similar games, only neighbours are compared.
 * Errors:
 *   BAD_ARGUMENT  all duplicates had already been found, or a function failed with another error
 *   MISMATCH      the first pass had more games
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error except BAD_ARGUMENT, the detector can only be closed. */
STAMMA_API stamma_error stamma_duplicates_find(stamma_duplicates *duplicates, unsigned *parts);

/* Returns the number of games of the first pass. */
STAMMA_API size_t stamma_duplicates_count(const stamma_duplicates *duplicates);

typedef struct stamma_duplicate {
    uint64_t kept;              /* index of the game that is kept; of a game that is kept, its own index */
    stamma_duplicate_kind kind; /* NONE: the game is kept */
    uint64_t reserved[2];       /* 0; space for later versions, so that the struct never grows */
} stamma_duplicate;

/* Stores whether a game is a duplicate, and of which game. Errors: BAD_ARGUMENT before all duplicates have been found,
 * and for an index that no game has. */
STAMMA_API stamma_error stamma_duplicates_at(const stamma_duplicates *duplicates, size_t index,
                                             stamma_duplicate *duplicate);

/* ---- games that are known ---- */

/* Stores a hash of 128 bits of a game: XXH3 of
 *   - the words of White and Black, without titles, in alphabetical order, ignoring case and accents;
 *   - the date: that of Date, otherwise that of UTCDate;
 *   - the result, the start position, and the moves of the main line;
 *   - of a game with fewer than 16 plies: also Event, Site and Round, ignoring case and accents.
 * Comments, variations and all other tags have no influence. If stamma_game_hash_needs_text, the hash is that of the
 * exact text, without a byte order mark, and without blanks and line ends before and after it. The hash is the same on
 * all machines. XXH3 is not a cryptographic hash: an author of games can make different games with the same hash.
 *   allocator  used while the function runs; NULL: malloc and free
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation; or TAGS, RESULT or MOVES were not read; or TEXT was not read, which the
 *                 hash needs
 *   NO_MEMORY */
STAMMA_API stamma_error stamma_game_hash(const stamma_archive_game *game, const stamma_allocator *allocator,
                                         uint8_t hash[16]);

/* Returns whether the hash of a game depends on its text: White or Black is unknown, or a part of the game is only
 * text. TAGS must have been read. Returns false if `game` is NULL. */
STAMMA_API bool stamma_game_hash_needs_text(const stamma_archive_game *game);

/* Stores a hash of a player's name in plain text, without escapes. Names with the same words, as in stamma_game_hash,
 * have the same hash. The hash of a name without words is 0.
 *   allocator  used while the function runs; NULL: malloc and free
 * Errors: BAD_ARGUMENT, NO_MEMORY. */
STAMMA_API stamma_error stamma_name_hash(stamma_text name, const stamma_allocator *allocator, uint64_t *hash);

typedef struct stamma_game_set_options {
    size_t size;
    const stamma_allocator *allocator;
    uint64_t memory; /* memory limit in bytes, about 80 bytes a game. 0: no limit */
} stamma_game_set_options;

/* A set of games. */
typedef struct stamma_game_set stamma_game_set;

/* Opens an empty set. `options` may be NULL. Errors: BAD_ARGUMENT, UNSUPPORTED, NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_open(const stamma_game_set_options *options, stamma_game_set **set);
/* Closes a set. Accepts NULL. */
STAMMA_API void stamma_game_set_close(stamma_game_set *set);

/* Adds a game, unless the set contains it. Games are the same game if they have the same hash (stamma_game_hash),
 * unless one of these is known of both and differs: the first number of Round, UTCTime, or the address of the game on
 * the same site (Link, GameURL or Site). The time of a call does not depend on the number of games.
 *   added  receives whether the set did not contain the game; may be NULL
 * Errors:
 *   BAD_ARGUMENT  as stamma_game_hash
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error the game was not added. */
STAMMA_API stamma_error stamma_game_set_add(stamma_game_set *set, const stamma_archive_game *game, bool *added);

/* Returns the number of games in a set; 0 if `set` is NULL. */
STAMMA_API size_t stamma_game_set_count(const stamma_game_set *set);

/* ---- spellings of names ---- */

/* The tags whose spellings are compared. Permanent values. */
typedef enum stamma_name_field {
    STAMMA_NAME_PLAYER = 0, /* White and Black */
    STAMMA_NAME_EVENT = 1,
    STAMMA_NAME_SITE = 2,
    STAMMA_NAME_ROUND = 3,
    STAMMA_NAME_DATE = 4
} stamma_name_field;

/* Returns the permanent name of a field: "player"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_name_field_name(stamma_name_field field);

typedef struct stamma_names_options {
    size_t size;
    const stamma_allocator *allocator;
    /* memory limit in bytes; all games need about 70 bytes each, and names 150 bytes each. 0: no limit */
    uint64_t memory;
    unsigned fields; /* fields to compare: the sum of 1 << STAMMA_NAME_... 0: all */
    bool merge_ids;  /* names with different FIDE ids may be the same player */
} stamma_names_options;

/* Collects the names of games, and decides which spellings mean the same player, event, site, round or date
 * (doc/names.md). */
typedef struct stamma_names stamma_names;

/* Opens a collector. `options` may be NULL.
 * Errors: BAD_ARGUMENT for an unknown field; UNSUPPORTED; NO_MEMORY. */
STAMMA_API stamma_error stamma_names_open(const stamma_names_options *options, stamma_names **names);
/* Closes a collector. Accepts NULL. */
STAMMA_API void stamma_names_close(stamma_names *names);

/* Adds a game. TAGS must have been read.
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation, or its tags were not read; or stamma_names_find succeeded
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error the collector can only be closed. */
STAMMA_API stamma_error stamma_names_add(stamma_names *names, const stamma_archive_game *game);

/* Adds a correct name from a list, such as a spelling file. `spelling` is another spelling of the name; without data:
 * only the correct name is added. `id` is the player's FIDE id; without data: unknown. All are plain texts without the
 * escapes of PGN.
 * Errors: BAD_ARGUMENT for an unknown field, or for a `correct` that is empty; LIMIT; NO_MEMORY. */
STAMMA_API stamma_error stamma_names_add_known(stamma_names *names, stamma_name_field field, stamma_text correct,
                                               stamma_text spelling, stamma_text id);

/* Decides about all names that were added. The time grows as n log n with the number of names: in large groups of
 * similar names, only neighbours are compared. The result does not depend on the order of the games, except between
 * spellings that occur equally often.
 * Errors: LIMIT if options->memory is too small; NO_MEMORY; BAD_ARGUMENT if the function has already been called. */
STAMMA_API stamma_error stamma_names_find(stamma_names *names);

/* A decision: in some games, `from` is to be replaced by `to`. Texts are without escapes, and valid until the collector
 * is closed. */
typedef struct stamma_name_decision {
    stamma_text from;
    stamma_text to;
    /* players: only games in which the player has this FIDE id or none. Without data: all games, or with `only_id`
     * the games without an id */
    stamma_text id;
    bool only_id; /* only games with exactly this id */
    bool certain; /* false: a person should decide */
    stamma_name_field field;
    stamma_text event, site, round; /* dates: only games with these values; without data: all */
    uint64_t games;                 /* number of games */
    const char *why;                /* what differs: "initials"; static */
    const char *doubt;              /* why the decision is uncertain: "several players"; "" if it is certain; static */
    uint64_t reserved[2];           /* 0; space for later versions, so that the struct never grows */
} stamma_name_decision;

/* Returns the number of decisions; 0 before stamma_names_find, and if `names` is NULL. */
STAMMA_API size_t stamma_names_count(const stamma_names *names);

/* Stores a decision. Decisions are in the order of field, `to` and `from`. Errors: BAD_ARGUMENT for an index that no
 * decision has. */
STAMMA_API stamma_error stamma_names_at(const stamma_names *names, size_t index, stamma_name_decision *decision);

#ifdef __cplusplus
}
#endif

#endif /* STAMMA_H */
