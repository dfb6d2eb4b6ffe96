/* SPDX-License-Identifier: MIT */
/* The bytes of PGN, for the lexer: their classes, words that are results, and searches. */
#ifndef STAMMA_PGN_BYTES_H
#define STAMMA_PGN_BYTES_H

#include "notation/notation.h"

/* Classes of bytes. The classes of words are first; among them, the classes that occur in most moves. */
enum {
    A, /* begins and continues a word: letters */
    M, /* letters, like A; a word that ends with one of them may be a glyph, or may end with a glyph: N D R p */
    K, /* continues a word, or begins a mark: + # */
    D, /* continues a word: digits */
    S, /* - / = : _ @, in castling, promotions and glyphs */
    H, /* 80 to FF; may begin a glyph or a byte order mark */
    U, /* ~, which is not a symbol byte */
    P, /* . */
    B, /* ( */
    W, /* white space */
    G, /* garbage */
    X, /* ! ? */
    N, /* $ */
    C, /* { */
    L, /* ; */
    E, /* % */
    V, /* ) */
    T, /* [ */
    R  /* * */
};

static const uint8_t class_of[256] = {
    G, G, G, G, G, G, G, G, G, W, W, W, W, W, G, G, /* 00 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* 10 */
    W, X, G, K, N, E, G, G, B, V, R, K, G, S, P, S, /* 20   ! " # $ % & ' ( ) * + , - . / */
    D, D, D, D, D, D, D, D, D, D, S, L, G, S, G, X, /* 30 0 to 9 : ; < = > ? */
    S, A, A, A, M, A, A, A, A, A, A, A, A, A, M, A, /* 40 @ A to O */
    A, A, M, A, A, A, A, A, A, A, A, T, G, G, G, S, /* 50 P to Z [ \ ] ^ _ */
    G, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, /* 60 ` a to o */
    M, A, A, A, A, A, A, A, A, A, A, C, G, G, U, G, /* 70 p to z { | } ~ DEL */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* 80 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* 90 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* A0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* B0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* C0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* D0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* E0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* F0 */
};

static const uint8_t byte_order_mark[3] = {0xEF, 0xBB, 0xBF};

/* Returns whether a byte is a symbol byte (L5). */
STAMMA_INLINE bool is_symbol(uint8_t byte)
{
    return class_of[byte] <= H;
}
STAMMA_INLINE bool is_white(uint8_t byte)
{
    return class_of[byte] == W;
}
STAMMA_INLINE bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}
STAMMA_INLINE bool is_blank(uint8_t byte)
{
    return is_white(byte) && !is_line_end(byte);
}

/* ---- searching sixteen bytes at a time ---- */

/* Returns the offset of the first line end at or after `at`, or `end`. */
STAMMA_INLINE size_t find_line_end(const uint8_t *data, size_t at, size_t end)
{
    for (; end - at >= 16; at += 16) {
        unsigned stops = bytes_equal(data + at, '\n') | bytes_equal(data + at, '\r');
        if (stops)
            return at + bits_first(stops);
    }
    while (at < end && !is_line_end(data[at]))
        at++;
    return at;
}

/* Returns the offset of the first `}` at or after `at`, or of the first `[` that follows a byte below 0x20 such as a
 * line end, or `end`. Sets *controls if a byte below 0x20 was skipped. `before`: the byte before `at`, or a line end if
 * unknown. */
STAMMA_INLINE size_t find_comment_stop(const uint8_t *data, size_t at, size_t end, uint8_t before, bool *controls)
{
    unsigned carried = before < ' ', below;
    for (; end - at >= 16; at += 16, carried = below >> 15) {
        below = bytes_below(data + at, ' ');
        unsigned stops = bytes_equal(data + at, '}') | (bytes_equal(data + at, '[') & (below << 1 | carried));
        if (stops) {
            *controls |= (below & (stops - 1) & ~stops) != 0;
            return at + bits_first(stops);
        }
        *controls |= below != 0;
    }
    for (; at < end && data[at] != '}' && !(data[at] == '[' && carried); carried = data[at++] < ' ')
        *controls |= data[at] < ' ';
    return at;
}

/* Returns the offset of the first `{` or `}` at or after `at`, or `end`. */
STAMMA_INLINE size_t find_brace(const uint8_t *data, size_t at, size_t end)
{
    for (; end - at >= 16; at += 16) {
        unsigned stops = bytes_equal(data + at, '{') | bytes_equal(data + at, '}');
        if (stops)
            return at + bits_first(stops);
    }
    while (at < end && data[at] != '{' && data[at] != '}')
        at++;
    return at;
}

/* Returns the offset of the first quote, backslash or byte below 0x20 at or after `at`, or `end`. */
STAMMA_INLINE size_t find_value_stop(const uint8_t *data, size_t at, size_t end)
{
    for (; end - at >= 16; at += 16) {
        unsigned stops = bytes_equal(data + at, '"') | bytes_equal(data + at, '\\') | bytes_below(data + at, ' ');
        if (stops)
            return at + bits_first(stops);
    }
    while (at < end && data[at] != '"' && data[at] != '\\' && data[at] >= ' ')
        at++;
    return at;
}

/* ---- parts of words and numbers ---- */

STAMMA_INLINE bool is_result(const uint8_t *word, size_t size)
{
    switch (size) {
    case 3:
        return memcmp(word, "1-0", 3) == 0 || memcmp(word, "0-1", 3) == 0 || memcmp(word, "1/2", 3) == 0 ||
               memcmp(word, "\275-\275", 3) == 0;
    case 5: return memcmp(word, "\302\275-\302\275", 5) == 0;
    case 7: return memcmp(word, "1/2-1/2", 7) == 0;
    default: return false;
    }
}

/* Returns the number of bytes at `p` that are the bytes of 0.5-0.5: 7, or fewer if the `left` bytes end earlier.
 * Returns 0 if a byte differs. */
STAMMA_INLINE size_t half_point_size(const uint8_t *p, size_t left)
{
    static const uint8_t half_points[7] = {'0', '.', '5', '-', '0', '.', '5'};
    const size_t size = left < sizeof half_points ? left : sizeof half_points;
    return memcmp(p, half_points, size) == 0 ? size : 0;
}

/* Returns the number of bytes after a word that still belong to it: (Q) or .p. (L5). `left` bytes follow at `p`. */
STAMMA_INLINE size_t word_tail(const uint8_t *p, size_t left)
{
    if (left >= 3 && p[0] == '(' && p[1] != 0 && strchr("QRBNqrbn", p[1]) && p[2] == ')')
        return 3;
    if (left >= 2 && p[-1] == 'e' && p[0] == '.' && p[1] == 'p')
        return left >= 3 && p[2] == '.' ? 3 : 2;
    return 0;
}

/* Digits before + - / # = : _ @ are not a number (L3): 1-0, 0-0, 1/2-1/2. */
STAMMA_INLINE bool begins_word_after_digits(uint8_t byte)
{
    return class_of[byte] == K || class_of[byte] == S;
}

#endif
