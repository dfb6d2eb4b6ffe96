/* SPDX-License-Identifier: MIT */
/* Prints a move in every encoding, decodes each code, and explains one code bit by bit.
 *
 * usage: all_move_codes [MOVE [FEN [ENCODING]]] */
#include <inttypes.h>
#include <stdio.h>

#include "stamma.h"

/* Prints the characters of a text, and the bits of any other code. */
static void print_code(stamma_code code, bool is_text)
{
    unsigned step = is_text ? 8 : 1;
    for (unsigned done = step; done <= code.bits; done += step) {
        uint64_t part = code.value >> (code.bits - done);
        putchar(is_text ? (int)(part & 255) : (int)('0' + (part & 1)));
    }
}

/* Encodes a move with an encoding of single moves, and decodes the code. */
static void show_move(const stamma_codec *codec, const stamma_position *position, stamma_move move)
{
    stamma_codec_info info = stamma_codec_describe(codec);
    stamma_code code;
    stamma_move decoded;
    stamma_error error = stamma_codec_encode(codec, position, move, &code);
    if (error != STAMMA_OK) {
        printf("%-24s %s\n", info.name, stamma_error_text(error));
        return;
    }
    error = stamma_codec_decode(codec, position, code, &decoded);
    printf("%-24s %2u bits  ", info.name, code.bits);
    print_code(code, info.is_text);
    printf("%s%s\n", error == STAMMA_OK ? "" : "  decoding: ", error == STAMMA_OK ? "" : stamma_error_text(error));
    if (error == STAMMA_OK && decoded != move)
        fprintf(stderr, "all_move_codes: %s does not decode to the move\n", info.name);
}

/* Encodes a game of one ply, with an encoding that only has codes for complete games. */
static void show_game(const stamma_codec *codec, const stamma_position *position, stamma_move move)
{
    stamma_codec_info info = stamma_codec_describe(codec);
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(1)];
    stamma_move decoded[1];
    size_t size, bits, plies;
    stamma_error error = stamma_codec_encode_game(codec, position, &move, 1, bytes, sizeof bytes, &size, &bits);
    if (error == STAMMA_OK)
        error = stamma_codec_decode_game(codec, position, bytes, size, decoded, 1, &plies);
    if (error != STAMMA_OK) {
        printf("%-24s %s\n", info.name, stamma_error_text(error));
        return;
    }
    printf("%-24s %2zu bits  a game of one ply:", info.name, bits);
    for (size_t n = 0; n < size; n++)
        printf(" %02x", bytes[n]);
    putchar('\n');
}

static void print_part(void *context, const stamma_code_part *part)
{
    (void)context;
    printf("  bit %2u, %2u bits, value %3" PRIu64 ": %s\n", part->first, part->bits, part->value, part->text);
}

int main(int argc, char **argv)
{
    const char *san = argc > 1 ? argv[1] : "e4", *name = argc > 3 ? argv[3] : "tarrasch";
    stamma_position position = stamma_position_start();
    stamma_move move;
    const stamma_codec *codec = stamma_codec_find(stamma_text_of(name));
    stamma_error error = STAMMA_OK;
    if (argc > 2)
        error = stamma_fen_read(stamma_text_of(argv[2]), &position, NULL, NULL);
    if (error == STAMMA_OK)
        error = stamma_san_read(&position, stamma_text_of(san), &move);
    if (error != STAMMA_OK || !codec) {
        fprintf(stderr, "all_move_codes: %s\n", codec ? stamma_error_text(error) : "no such encoding");
        return 2;
    }

    const stamma_codec *each;
    for (size_t n = 0; (each = stamma_codec_at(n)) != NULL; n++)
        (stamma_codec_describe(each).kind == STAMMA_CODEC_GAME ? show_game : show_move)(each, &position, move);

    printf("\n%s in parts:\n", name);
    bool of_games = stamma_codec_describe(codec).kind == STAMMA_CODEC_GAME;
    error = of_games ? stamma_codec_explain_game(codec, &position, &move, 1, print_part, NULL)
                     : stamma_codec_explain(codec, &position, move, print_part, NULL);
    if (error != STAMMA_OK)
        fprintf(stderr, "all_move_codes: %s: %s\n", name, stamma_error_text(error));
    return error == STAMMA_OK ? 0 : 2;
}
