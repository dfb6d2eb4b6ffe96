/* What the files of `stamma encode` share. */
#ifndef STAMMA_ENCODE_H
#define STAMMA_ENCODE_H

#include "shared/tool.h"

/* How encodings are printed, and which. */
typedef struct encode_form {
    const char *names; /* between commas, or NULL for all */
    bool json, tsv, explain;
} encode_form;

/* Whether an encoding was asked for. */
bool encode_wants(const encode_form *form, const char *name);

/* A position in every encoding (encode_position.c). */
int encode_position(const encode_form *form, const stamma_position *position);

/* Moves in every encoding, each played before the next (encode_move.c); move numbers are passed over. */
int encode_moves(const encode_form *form, const stamma_position *start, char **texts, int count);

/* The other way round (encode_read.c): the operand is a value of the encoding `name`, or with `game` a game's string.
 */
int encode_read(const char *name, const stamma_position *position, const char *value, bool game, bool json);

/* ---- encode_text.c ---- */

/* The longest string of a game that is shown or read, in bytes. */
enum { ENCODE_STRING_MAX = 1 << 20 };

/* The digits of bits, the most significant first, in groups of four from the right; at most 64 bits. */
enum { ENCODE_BINARY_SIZE = 64 + 16 + 1 };
const char *encode_binary(uint64_t value, unsigned bits, char out[ENCODE_BINARY_SIZE]);

/* The characters of a text code, at most 8. */
const char *encode_characters(uint64_t value, unsigned bits, char out[9]);

/* Bytes as hexadecimal digits; `out` has room for two a byte and a NUL. */
void encode_hex(const uint8_t *bytes, size_t size, char *out);

/* The bytes of hexadecimal digits, two each; false for what is none. */
bool encode_read_hex(const char *digits, uint8_t *bytes, size_t size);

/* Prints parts of a code as they come: a line each, or an object of a JSON array. `text` is the code where it is one.
 */
typedef struct encode_parts {
    bool json;
    const char *text;
    unsigned text_bits;
} encode_parts;
void encode_print_part(void *context, const stamma_code_part *part);

/* The FEN in which messages and tables name a position. */
const char *encode_fen(const stamma_position *position, char out[STAMMA_FEN_SIZE]);

#endif
