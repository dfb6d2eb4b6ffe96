/* SPDX-License-Identifier: MIT */
/* Prints a hash of what the encodings return for each position of games. Compiled twice: with the single header
 * stamma_encodings.h (SINGLE_HEADER is defined), and with the library. The outputs must be equal.
 *
 * Input: the lines of `stamma cat --format uci`: moves, after "fen FEN moves" if the game does not start in the initial
 * position. */
#ifdef SINGLE_HEADER
#include "stamma_encodings.h"
#else
#include "stamma.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 1 << 16, PLIES_MAX = 4096 };

static const char *const codecs[] = {"move16",      "move32",           "enumeration", "move14",      "move12",
                                     "legal-index", "legal-index-bits", "bcgn",        "bcgn-square", "tarrasch"};
static const char *const position_codecs[] = {"stream", "packed"};
static uint64_t hash; /* FNV-1a */
static unsigned long values;

static void add(const void *bytes, size_t size)
{
    for (size_t n = 0; n < size; n++)
        hash = (hash ^ ((const unsigned char *)bytes)[n]) * UINT64_C(0x100000001B3);
    values++;
}

static void add_number(uint64_t number)
{
    unsigned char bytes[8];
    for (unsigned n = 0; n < 8; n++)
        bytes[n] = (unsigned char)(number >> 8 * n);
    add(bytes, sizeof bytes);
}

static void add_text(const char *text)
{
    if (text)
        add(text, strlen(text));
    else
        add_number(0);
}

static void add_part(void *context, const stamma_code_part *part)
{
    (void)context;
    add_number(part->first);
    add_number(part->bits);
    add_number(part->value);
    add_text(part->text);
}

static void add_position(const stamma_position *position)
{
    char fen[STAMMA_FEN_SIZE];
    for (unsigned style = 0; style < 2; style++)
        add(fen, stamma_fen_write(position, style ? STAMMA_FEN_SHREDDER : STAMMA_FEN_STANDARD, fen, sizeof fen));
    add_number(stamma_position_key(position));
    add_number(stamma_position_in_check(position));
}

/* The code of a move, its decoding and its explanation. */
static void add_code(const stamma_codec *codec, const stamma_position *position, stamma_move move)
{
    stamma_code code = {0, 0};
    stamma_move decoded = STAMMA_MOVE_NULL;
    add_number((uint64_t)stamma_codec_encode(codec, position, move, &code));
    add_number(code.value);
    add_number(code.bits);
    add_number((uint64_t)stamma_codec_decode(codec, position, code, &decoded));
    add_number(decoded);
    add_number((uint64_t)stamma_codec_explain(codec, position, move, add_part, NULL));
}

static void add_codec(const char *name, const stamma_position *position, const stamma_move *moves, size_t count)
{
    const stamma_codec *codec = stamma_codec_find(stamma_text_of(name));
    add_text(stamma_codec_describe(codec).description);
    add_text(stamma_codec_fallback(codec, position));
    for (size_t n = 0; n <= count; n++)
        add_code(codec, position, n < count ? moves[n] : STAMMA_MOVE_NULL);
    for (uint64_t value = 0; value < 256; value++) { /* also bits that no move has */
        stamma_code code = {value, 8};
        stamma_move decoded = STAMMA_MOVE_NULL;
        add_number((uint64_t)stamma_codec_decode(codec, position, code, &decoded));
        add_number(decoded);
    }
}

static void add_position_codec(const char *name, const stamma_position *position)
{
    const stamma_position_codec *codec = stamma_position_codec_find(stamma_text_of(name));
    stamma_position_code code;
    stamma_position decoded = stamma_position_start();
    memset(&code, 0, sizeof code);
    add_number((uint64_t)stamma_position_encode(codec, position, &code));
    add(code.bytes, sizeof code.bytes);
    add_number((uint64_t)stamma_position_decode(codec, &code, &decoded));
    add_position(&decoded);
    add_number((uint64_t)stamma_position_explain(codec, position, add_part, NULL));
    for (unsigned bit = 0; bit < code.bits; bit += 3) {
        code.bytes[bit / 8] ^= (uint8_t)(128 >> bit % 8);
        add_number((uint64_t)stamma_position_decode(codec, &code, &decoded));
        add_position(&decoded);
        code.bytes[bit / 8] ^= (uint8_t)(128 >> bit % 8);
    }
}

static void add_moves(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(position, moves);
    add_number(stamma_legal_moves_count(position));
    for (size_t n = 0; n < count; n++) {
        char uci[STAMMA_UCI_SIZE];
        stamma_position after = *position;
        stamma_undo undo;
        add(uci, stamma_uci_write(position, moves[n], n % 2 == 0, uci, sizeof uci));
        stamma_move32 move = stamma_move32_of(position, moves[n]);
        stamma_position_make32(&after, move, &undo);
        add_position(&after);
        stamma_position_unmake32(&after, move, &undo);
        add_number(stamma_position_equal(&after, position));
        stamma_position_make(position, moves[n], &after);
        add_position(&after);
    }
    for (unsigned move = 0; move < 0x10000; move += 7)
        add_number(stamma_move_is_legal(position, (stamma_move)move));
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++)
        add_codec(codecs[n], position, moves, count);
}

static void add_everything(const stamma_position *position)
{
    add_position(position);
    add_number(stamma_perft(position, 2));
    add_moves(position);
    for (size_t n = 0; n < sizeof position_codecs / sizeof *position_codecs; n++)
        add_position_codec(position_codecs[n], position);
}

static void add_game(const stamma_position *start, const stamma_move *moves, size_t plies)
{
    static unsigned char bytes[STAMMA_CODEC_GAME_SIZE(PLIES_MAX)];
    static stamma_move decoded[PLIES_MAX];
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++) {
        const stamma_codec *codec = stamma_codec_find(stamma_text_of(codecs[n]));
        size_t size = 0, bits = 0, count = 0;
        add_number((uint64_t)stamma_codec_encode_game(codec, start, moves, plies, bytes, sizeof bytes, &size, &bits));
        add(bytes, size);
        add_number(bits);
        add_number((uint64_t)stamma_codec_decode_game(codec, start, bytes, size, decoded, PLIES_MAX, &count));
        add(decoded, count * sizeof *decoded);
        add_number((uint64_t)stamma_codec_explain_game(codec, start, moves, plies, add_part, NULL));
    }
}

/* Sets up the position before the first move, which *moves points to. */
static bool set_up(char *line, stamma_position *start, char **moves)
{
    char *end = strstr(line, " moves ");
    *moves = line;
    *start = stamma_position_start();
    if (strncmp(line, "fen ", 4) != 0 || !end)
        return true;
    unsigned problems = 0;
    stamma_text fen = {line + 4, (size_t)(end - line - 4)};
    *moves = end + 7;
    stamma_error error = stamma_fen_read(fen, start, &problems, NULL);
    add_number(problems);
    return error == STAMMA_OK;
}

/* Returns false if the line is not a game. */
static bool play(char *line)
{
    static stamma_move moves[PLIES_MAX];
    char *text;
    stamma_position start, position;
    size_t plies = 0;
    if (!set_up(line, &start, &text))
        return false;
    position = start;
    for (text = strtok(text, " \n"); text && plies < PLIES_MAX; text = strtok(NULL, " \n")) {
        add_everything(&position);
        if (stamma_uci_read(&position, stamma_text_of(text), &moves[plies]) != STAMMA_OK)
            return false;
        stamma_position_make(&position, moves[plies++], &position);
    }
    add_everything(&position);
    add_game(&start, moves, plies);
    return true;
}

int main(void)
{
    static char line[LINE_SIZE];
    for (unsigned long game = 1; fgets(line, sizeof line, stdin); game++) {
        hash = UINT64_C(0xCBF29CE484222325);
        if (!play(line)) {
            printf("game %lu is wrong\n", game);
            return 1;
        }
        printf("game %lu %016" PRIx64 "\n", game, hash);
    }
    printf("%lu values\n", values);
    return 0;
}
