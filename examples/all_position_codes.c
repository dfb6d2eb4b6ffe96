/* SPDX-License-Identifier: MIT */
/* Encodes a position with every encoding of positions, decodes each code, and compares the result with the position.
 *
 * usage: all_position_codes [FEN [ENCODING]] */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stamma.h"

/* Prints the characters of a text, and the bytes of any other code in hexadecimal. */
static void print_code(const stamma_position_code *code, bool is_text)
{
    for (size_t n = 0; n < (code->bits + 7) / 8; n++)
        printf(is_text ? "%c" : "%02x", code->bytes[n]);
}

/* Returns whether a code decodes to the position. Encodings that are no texts do not store everything, such as the
 * number of the move: their result is compared with the parts that they store. */
static bool decodes_to(const stamma_position_codec *codec, const stamma_position_code *code,
                       const stamma_position *position)
{
    bool is_text = stamma_position_codec_describe(codec).is_text;
    stamma_position decoded, expected = is_text ? *position : stamma_position_coded(position);
    return stamma_position_decode(codec, code, &decoded) == STAMMA_OK &&
           memcmp(&decoded, &expected, sizeof decoded) == 0;
}

/* Prints the code of a position. Returns false if it does not decode to the position. */
static bool show(const stamma_position_codec *codec, const stamma_position *position)
{
    stamma_position_codec_info info = stamma_position_codec_describe(codec);
    stamma_position_code code;
    stamma_error error = stamma_position_encode(codec, position, &code);
    if (error != STAMMA_OK) {
        printf("%-17s %s\n", info.name, stamma_error_text(error));
        return true;
    }
    bool exact = info.is_partial || decodes_to(codec, &code, position);
    printf("%-17s %3u bits  ", info.name, code.bits);
    print_code(&code, info.is_text);
    printf("%s\n", info.is_partial ? "  (partial)" : exact ? "" : "  DIFFERENT");
    return exact;
}

static void print_part(void *context, const stamma_code_part *part)
{
    (void)context;
    printf("  bit %3u, %2u bits, value %3" PRIu64 ": %s\n", part->first, part->bits, part->value, part->text);
}

int main(int argc, char **argv)
{
    const char *fen = argc > 1 ? argv[1] : "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    const char *name = argc > 2 ? argv[2] : "huffman-gaps";
    stamma_position position;
    stamma_error error = stamma_fen_read(stamma_text_of(fen), &position, NULL, NULL);
    const stamma_position_codec *codec = stamma_position_codec_find(stamma_text_of(name)), *each;
    if (error != STAMMA_OK || !codec) {
        fprintf(stderr, "all_position_codes: %s\n", codec ? stamma_error_text(error) : "no such encoding");
        return 2;
    }

    bool exact = true;
    for (size_t n = 0; (each = stamma_position_codec_at(n)) != NULL; n++)
        exact = show(each, &position) && exact;

    printf("\n%s in parts:\n", name);
    error = stamma_position_explain(codec, &position, print_part, NULL);
    if (error != STAMMA_OK)
        fprintf(stderr, "all_position_codes: %s: %s\n", name, stamma_error_text(error));
    return error == STAMMA_OK && exact ? 0 : 2;
}
