/* The notation room: the text of chess. One section for each group of files; public functions are in stamma.h. */
#ifndef STAMMA_NOTATION_H
#define STAMMA_NOTATION_H

#include "base/base.h"

/* ---- text, for every file of the room ---- */

/* Letters by stamma_piece; the capitals alone by stamma_piece_type. */
#define NOTATION_PIECE_LETTERS "PNBRQK..pnbrqk.."

/* A place in a text that is being read. */
typedef struct text_cursor {
    const char *start;
    const char *at;
    const char *end;
} text_cursor;

STAMMA_INLINE text_cursor text_cursor_make(stamma_text text)
{
    const char *data = text.size != 0 ? text.data : "";
    text_cursor c = {data, data, data + text.size};
    return c;
}

/* The byte at the cursor, or -1 at the end. */
STAMMA_INLINE int text_peek(const text_cursor *c)
{
    return c->at < c->end ? (unsigned char)*c->at : -1;
}

/* Steps over `letter` where it stands at the cursor. */
STAMMA_INLINE bool text_take(text_cursor *c, char letter)
{
    bool found = c->at < c->end && *c->at == letter;
    c->at += found;
    return found;
}

STAMMA_INLINE bool text_is_blank(int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}
STAMMA_INLINE bool text_is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

STAMMA_INLINE void text_skip_blanks(text_cursor *c)
{
    while (text_is_blank(text_peek(c)))
        c->at++;
}

/* Ends a public text writer: gives `length` bytes of `text` and a NUL where both fit in `size`, else only a NUL. */
STAMMA_INLINE size_t text_give(const char *text, size_t length, char *out, size_t size)
{
    if (length < size) {
        memcpy(out, text, length);
        out[length] = '\0';
    } else if (size != 0) {
        out[0] = '\0';
    }
    return length;
}

/* ---- fen.c, epd.c ---- */

/* Reads the first four fields of a FEN or EPD, leniently, from the cursor to the end of the last field that is there.
 * False for what is no FEN, with the cursor at the first bad byte. */
bool stamma_fen_read_fields(text_cursor *c, stamma_setup *setup);

/* Reads a clock: digits, which stay at 65535, or "-", which leaves it as it is. False, cursor unmoved, for anything
 * else. */
bool stamma_fen_read_clock(text_cursor *c, uint16_t *clock);

/* Sets up what was read, without an en passant square and castling rights that the board does not bear out. ILLEGAL for
 * any other problem. `problems` may be NULL; it gets every problem found, those forgiven too. */
stamma_error stamma_fen_set_up(stamma_setup *setup, stamma_position *position, unsigned *problems);

/* Writes the first four fields without a NUL, at most 83 bytes, and returns their length. */
size_t stamma_fen_write_fields(const stamma_position *position, stamma_fen_style style, char *out);

/* ---- uci.c, san_read.c, san_lenient.c, san_write.c, lan.c ---- */

/* What the text of a move says, as far as it says it. */
typedef struct san_pattern {
    enum { SAN_MOVE, SAN_CASTLING, SAN_NULL } kind;
    uint8_t piece;     /* a stamma_piece_type, or NONE: whatever stands on the origin square */
    uint8_t from_file; /* 0..7, or 8: not said; so the next three */
    uint8_t from_rank;
    uint8_t to_file;
    uint8_t to_rank;
    uint8_t promotion; /* a stamma_piece_type, or NONE: not said */
    uint8_t castling;  /* STAMMA_KING_SIDE or STAMMA_QUEEN_SIDE, for SAN_CASTLING */
} san_pattern;

/* Which marks a writer puts behind a move that gives check. */
typedef enum san_marks {
    SAN_MARKS_NONE,  /* none: the fastest */
    SAN_MARKS_CHECK, /* + for check and mate alike */
    SAN_MARKS_ALL    /* + for check, # for mate: SAN */
} san_marks;

/* Longest SAN and LAN without a NUL: Qa1xb2# and e7xf8=Q+. */
#define SAN_LENGTH_MAX 7
#define LAN_LENGTH_MAX 8

/* Reads strict SAN: the move, or STAMMA_MOVE_NULL where the text is not strict, or no or more than one legal move
 * answers (stamma_san_read says which). Marks are passed over, right or wrong. Never gives a move that is not legal. */
stamma_move stamma_san_read_fast(const stamma_position *position, const char *text, size_t size);

/* Takes a text apart; `small_b` reads a `b` at its front as a bishop. False for what is no move. */
bool stamma_san_parse(stamma_text text, bool small_b, san_pattern *pattern);

/* The legal move that answers to a pattern. ILLEGAL, AMBIGUOUS. */
stamma_error stamma_san_resolve(const stamma_position *position, const san_pattern *pattern, stamma_move *move);

/* The lenient half of stamma_san_read. */
stamma_error stamma_san_read_lenient(const stamma_position *position, stamma_text text, stamma_move *move);

/* Writes a legal move, or the null move, and no NUL: at most SAN_LENGTH_MAX bytes, whose number it returns. */
size_t stamma_san_write_marked(const stamma_position *position, stamma_move move, san_marks marks, char *out);

/* The mark of a legal move: '+', '#' or '\0'. */
char stamma_san_mark(const stamma_position *position, stamma_move move);

/* Writes the name of a square and returns the place behind it. */
STAMMA_INLINE char *square_write(unsigned square, char *out)
{
    out[0] = (char)('a' + (square & 7));
    out[1] = (char)('1' + (square >> 3));
    return out + 2;
}

#endif
