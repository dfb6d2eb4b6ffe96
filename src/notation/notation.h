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

#endif
