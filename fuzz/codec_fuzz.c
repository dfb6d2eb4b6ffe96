/* SPDX-License-Identifier: MIT */
/* Fuzz target: decoding the codes of moves and games. The input is the name of an encoding, a line feed, a FEN
 * (empty: the initial position), a line feed, and the string of a game. An unknown name selects an encoding by its
 * first byte. Decoded moves must be legal, and encoding them again must produce the same string. The first nine
 * bytes of the string are also decoded as the code of a single move. Encodings that need the moves of one piece only
 * must not examine others: the work for a move is limited. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

enum { PLIES_MAX = 2000, ONE_PIECE_WORK = 300 };

static bool may_play(const stamma_position *position, stamma_move move)
{
    return move == STAMMA_MOVE_NULL ? !stamma_position_in_check(position) : stamma_move_is_legal(position, move);
}

/* Returns the next line without its line feed, and advances *data and *size beyond both. */
static stamma_text take_line(const uint8_t **data, size_t *size)
{
    const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
    stamma_text line = {(const char *)*data, end ? (size_t)(end - *data) : *size};
    *data += line.size + (end != NULL);
    *size -= line.size + (end != NULL);
    return line;
}

static const stamma_codec *choose(stamma_text name)
{
    const stamma_codec *codec = stamma_codec_find(name);
    size_t count = 0;
    while (stamma_codec_at(count))
        count++;
    return codec ? codec : stamma_codec_at(name.size ? (uint8_t)name.data[0] % count : 0);
}

static void check_game(const stamma_codec *codec, const stamma_position *start, const uint8_t *data, size_t size)
{
    static stamma_move moves[PLIES_MAX];
    static uint8_t bytes[STAMMA_CODEC_GAME_SIZE(PLIES_MAX)];
    stamma_position position = *start;
    size_t plies = 0, again = 0;
    if (stamma_codec_decode_game(codec, start, data, size, moves, PLIES_MAX, &plies) != STAMMA_OK)
        return;
    for (size_t n = 0; n < plies; n++) {
        demand(may_play(&position, moves[n]));
        stamma_position_make(&position, moves[n], &position);
    }
    demand(stamma_codec_encode_game(codec, start, moves, plies, bytes, sizeof bytes, &again, NULL) == STAMMA_OK);
    demand(again == size && memcmp(bytes, data, size) == 0);
}

const work_limit fuzz_limit = {.fixed = 1000000, .per_byte = 20000};

/* Returns the limit of the work for decoding and encoding a move: for encodings that examine one piece, far less than
 * listing the moves of sixteen pieces. */
static uint64_t move_work(const stamma_codec *codec)
{
    static const char *const one_piece[] = {"two-index-bits", "lan", "uci", "bcgn-square", "tarrasch"};
    const char *name = stamma_codec_describe(codec).name;
    for (size_t n = 0; n < sizeof one_piece / sizeof *one_piece; n++)
        if (strcmp(name, one_piece[n]) == 0)
            return ONE_PIECE_WORK;
    return fuzz_limit.fixed;
}

static void check_move(const stamma_codec *codec, const stamma_position *position, const uint8_t *data, size_t size)
{
    stamma_code code = {0, size ? data[0] % 66 : 0}, again;
    stamma_move move;
    for (size_t n = 1; n < 9; n++)
        code.value = code.value << 8 | (n < size ? data[n] : 0u);
    if (code.bits < 64 && data[0] < 128)
        code.value &= (UINT64_C(1) << code.bits) - 1;
    if (stamma_codec_decode(codec, position, code, &move) != STAMMA_OK)
        return;
    demand(may_play(position, move));
    demand(stamma_codec_encode(codec, position, move, &again) == STAMMA_OK);
    demand(again.bits == code.bits && again.value == code.value);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    const stamma_codec *codec = choose(take_line(&data, &size));
    stamma_text fen = take_line(&data, &size);
    stamma_position position;
    if (stamma_fen_read(fen, &position, NULL, NULL) != STAMMA_OK)
        position = stamma_position_start();
    check_game(codec, &position, data, size);
    if (size > 0) {
        limit_work(move_work(codec));
        check_move(codec, &position, data, size);
    }
}
