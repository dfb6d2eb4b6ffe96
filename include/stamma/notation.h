/* SPDX-License-Identifier: MIT */
/* The notation of chess: FEN, EPD, UCI, SAN, LAN, and the values of tags and comments.
 *
 *     char san[STAMMA_SAN_SIZE];
 *     stamma_position position = stamma_position_start();
 *     stamma_move move;
 *     if (stamma_san_read(&position, stamma_text_of("Nf3"), &move) == STAMMA_OK)
 *         stamma_san_write(&position, move, san, sizeof san);   // "Nf3"
 *
 * Readers accept the spellings that programs and people use; writers produce exactly one spelling. No function
 * allocates memory. stamma/pgn.h reads and writes whole games. Source: PGN standard (Edwards, 1994). */
#ifndef STAMMA_API_NOTATION_H
#define STAMMA_API_NOTATION_H

#include "stamma/board.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FEN, the six fields of the PGN standard 16.1, with the castling field of X-FEN or Shredder (Wikipedia). */
typedef enum stamma_fen_style {
    STAMMA_FEN_STANDARD = 0, /* KQkq if the rook is the outermost on its side, otherwise its file (X-FEN) */
    STAMMA_FEN_SHREDDER = 1  /* always the rooks' files: HAha */
} stamma_fen_style;

/* Size of the longest FEN that stamma_fen_write writes, with its NUL. */
#define STAMMA_FEN_SIZE 104

/* Reads a FEN leniently. Fields may be separated by any number of blanks. The last fields may be missing or `-` (White
 * to move, no castling, no en passant, clocks 0 and 1; larger clocks are stored as 65535). The castling field may be
 * KQkq, HAha or a mixture. Castling rights are omitted if king and rook are not in their places. An en passant square
 * is omitted if no pawn can just have passed it.
 *
 * Stores STAMMA_SETUP_ bits in *problems, which may be NULL, unless the error is SYNTAX: the bits describe the omitted
 * parts, or why the position is illegal.
 *
 * Errors:
 *   SYNTAX   the text is not a FEN; *offset, which may be NULL, is the offset of the first invalid byte
 *   ILLEGAL  the position cannot be set up */
STAMMA_API stamma_error stamma_fen_read(stamma_text fen, stamma_position *position, unsigned *problems, size_t *offset);

/* Reads a FEN strictly: only a text that stamma_fen_write writes in one of the styles. *problems and *offset are stored
 * as by stamma_fen_read. Errors: SYNTAX for any other text; ILLEGAL if stamma_fen_read would omit a part. */
STAMMA_API stamma_error stamma_fen_read_strict(stamma_text fen, stamma_position *position, unsigned *problems,
                                               size_t *offset);

/* Writes the FEN. The en passant square is written after every double push, even if no capture is possible (16.1.3.4).
 * Text writer. */
STAMMA_API size_t stamma_fen_write(const stamma_position *position, stamma_fen_style style, char *out, size_t size);

/* Reads an EPD: the first four fields of a FEN, then operations `opcode operand... ;` (PGN standard 16.2). The position
 * is read as leniently as by stamma_fen_read. *operations, which may be NULL, is the part of `epd` with the operations,
 * without blanks around it. The operations `hmvc` and `fmvn` set the clocks. The two numbers of a FEN also set the
 * clocks; they are not part of the operations. *problems, *offset and errors: as for stamma_fen_read. */
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
 * king takes rook. Without, castling is written as the king's two squares; in Chess960, another king move may have the
 * same squares. The position is only used for castling. Text writer. Source: the UCI protocol. */
STAMMA_API size_t stamma_uci_write(const stamma_position *position, stamma_move move, bool chess960, char *out,
                                   size_t size);

/* Reads a move in UCI notation. Castling may be written in both forms. A text that is also a legal move of the king
 * without castling is read as this move. "0000" is the null move. The promotion piece may be a capital letter.
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

/* Returns the result that a text contains: "1-0", "0-1" or "1/2-1/2". Other spellings of a draw are accepted: "1/2",
 * "0.5-0.5", and the character for one half, once or twice with a hyphen, in UTF-8 or in Latin-1. Returns UNKNOWN for
 * "*" and for any other text. */
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
 * ignored. A month that does not exist in the calendar is unknown. A day after the end of its month, such as
 * "2010.02.29", is unknown. Returns false, and leaves *date unchanged, if the value is not a date, or if no digit of
 * the year is known. */
STAMMA_API bool stamma_date_read(stamma_text value, stamma_date *date);

/* Writes a date number, such as stamma_date.first or stamma_tree_counts.last_date, with `separator` between its parts:
 * "2010-05-31", "2010-05", "2010". Unknown parts, which are 0, are omitted. The year has at least four digits. At most
 * 12 characters. Text writer. */
STAMMA_API size_t stamma_date_write(uint32_t date, char separator, char *out, size_t size);

/* A time control, in milliseconds. */
typedef struct stamma_time_control {
    uint64_t time_ms;      /* time of a side at the start; the sum if there are several periods */
    uint64_t longest_ms;   /* time of the longest period */
    uint64_t increment_ms; /* increment after each move; the largest if there are several periods */
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

/* Returns the speed of the value of a TimeControl tag: "180+2", "40/7200:3600". If there are several periods, their
 * seconds are added up, and the largest increment is used. Returns NONE for "?", for a sandclock, and for any other
 * text.
 * Source: PGN standard 9.6.1. */
STAMMA_API stamma_speed stamma_speed_read(stamma_text time_control);
/* Returns the name that Lichess uses: "ultraBullet", "blitz"; "" for NONE. Never NULL. Static. */
STAMMA_API const char *stamma_speed_name(stamma_speed speed);

/* Whether a game was rated, as Lichess writes it in the Event tag: "Rated Blitz game". Permanent values. */
typedef enum stamma_mode {
    STAMMA_MODE_NOT_READ = 0,
    STAMMA_MODE_UNKNOWN = 1, /* the tag is missing, or contains neither word */
    STAMMA_MODE_RATED = 2,
    STAMMA_MODE_CASUAL = 3
} stamma_mode;

/* Returns the mode of the value of an Event tag: RATED if it begins with "rated ", CASUAL if it begins with "casual ",
 * ignoring case; otherwise UNKNOWN. */
STAMMA_API stamma_mode stamma_mode_read(stamma_text event);

/* Returns whether a Variant tag's value names Chess960: "Chess960", "960", "Fischerandom", "Fischer Random", "FRC",
 * "DFRC" (each side with its own start), "Freestyle". Only letters and digits are compared, ignoring case. */
STAMMA_API bool stamma_chess960_read(stamma_text variant);

/* ---- values of comments ---- */

/* Return a time that a comment states, in milliseconds, or -1 if it states none. A time is written h:mm:ss, m:ss or as
 * seconds, with or without decimals after a point or comma.
 *   stamma_clock_read       the time left after the move: [%clk 0:10:02.5], or "tl=602500" or "tl=00:10:02" as a key
 *                           (TCEC)
 *   stamma_time_spent_read  the time that the move took: [%emt 0:00:05], or "mt=5000" as a key (TCEC), or the seconds
 *                           in "+0.31/12 1.2s" at the beginning (Cute Chess, fastchess)
 * If a comment states several times, the first is returned, and a command is preferred to other forms. Keys of TCEC
 * have thousandths of seconds or h:mm:ss. Source: PGN specification supplement "Additional tags and commands", 2001. */
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

#ifdef __cplusplus
}
#endif

#endif
