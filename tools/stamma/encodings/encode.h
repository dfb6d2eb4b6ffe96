/* SPDX-License-Identifier: MIT */
/* What the files of `stamma encode` share, and what the answers of the server use: the JSON of encodings and codes,
 * written to the output of tool_put_to. */
#ifndef STAMMA_ENCODE_H
#define STAMMA_ENCODE_H

#include "shared/tool.h"

/* The encodings to print, and their form. */
typedef struct encode_form {
    const char *names; /* separated by commas; NULL: all */
    bool json, tsv, explain;
} encode_form;

/* Returns whether a name is that of a group of encodings: moves, positions or all. */
bool encode_is_group(stamma_text name, bool *moves, bool *positions);

/* Returns whether an encoding is requested. */
bool encode_wants(const encode_form *form, const char *name);

/* Prints all encodings (encode_list.c). */
int encode_list(const encode_form *form);

/* Prints a position in every encoding (encode_position.c). */
int encode_position(const encode_form *form, const stamma_position *position);

/* Plays moves and prints each in every encoding (encode_move.c). Skips move numbers. */
int encode_moves(const encode_form *form, const stamma_position *start, char **texts, int count);

/* ---- JSON (encode_list.c, encode_move.c, encode_position.c) ---- */

/* The moves played so far. */
typedef struct encode_played {
    stamma_position start, position; /* position: before the last move */
    stamma_move *moves;
    size_t plies, space;
} encode_played;

/* Writes an object for each requested encoding, of moves first. */
void encode_put_list(const encode_form *form);
/* Writes the object of the last move, with the requested encodings. `key` is NULL on a line. */
void encode_put_move(const char *key, const encode_form *form, const encode_played *line);
/* Writes the object of a position. */
void encode_put_position(const char *key, const encode_form *form, const stamma_position *position);
/* Returns why a code of a move is missing. */
const char *encode_reason(stamma_move move, stamma_error error);

/* Decodes (encode_read.c): `value` is a value of the encoding `name`, or the code of a game if `game` is set. Without a
 * position, of NULL, it is the initial one; a code that needs none may then be of any move. */
int encode_read(const char *name, const stamma_position *position, const char *value, bool game, bool json);

/* Prints what a code that does not depend on a position says about its move (encode_meaning.c). Returns false if the
 * encoding has no such codes, or the value is none. */
bool encode_print_meaning(const stamma_codec *codec, uint64_t value, bool json);

/* Reads a number: decimal, 0x..., or 0b... with its count of digits, which may be separated by blanks and underscores.
 */
bool encode_read_number(const char *text, uint64_t *value, unsigned *digits);

/* Decodes a value of `digits` bits; 0: of any number of bits. Then it is AMBIGUOUS if several moves have codes of this
 * value, as in `two-index-bits`. */
stamma_error encode_decode_value(const stamma_codec *codec, const stamma_position *position, uint64_t value,
                                 unsigned digits, stamma_move *move);

/* Reads the code of a position: "BITS:HEX", of which the bits after the last one must be 0; or its characters. */
bool encode_read_bits(const char *text, stamma_position_code *code);
bool encode_read_characters(const char *text, stamma_position_code *code);

/* ---- encode_text.c ---- */

/* Size limit of the code of a game that is printed or read, in bytes. */
enum { ENCODE_STRING_MAX = 1 << 20 };

/* Writes the digits of `bits`, at most 64 bits, the most significant first, in groups of four from the right. */
enum { ENCODE_BINARY_SIZE = 64 + 16 + 1 };
const char *encode_binary(uint64_t value, unsigned bits, char out[ENCODE_BINARY_SIZE]);

/* Returns the characters of a text code, at most 8. */
const char *encode_characters(uint64_t value, unsigned bits, char out[9]);

/* Writes bytes as hexadecimal digits. `out` has room for two digits per byte and a NUL. */
void encode_hex(const uint8_t *bytes, size_t size, char *out);

/* Reads the bytes of hexadecimal digits. Returns false if they are invalid. */
bool encode_read_hex(const char *digits, uint8_t *bytes, size_t size);

/* Prints the parts of a code one by one: as lines, or as objects of a JSON array. `text` is the code if it is a text.
 */
typedef struct encode_parts {
    bool json;
    const char *text;
    unsigned text_bits;
} encode_parts;
void encode_print_part(void *context, const stamma_code_part *part);

/* Writes the FEN that identifies a position in messages and tables. */
const char *encode_fen(const stamma_position *position, char out[STAMMA_FEN_SIZE]);

#endif
