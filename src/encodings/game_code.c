/* SPDX-License-Identifier: MIT */
/* Codes complete games with any codec: first the number of plies and the null moves, then the codes. For the layout see
 * stamma.h, "whole games". */
#include "encodings/encodings.h"

#include <inttypes.h>

/* ---- the front: plies and null moves ---- */

static void put_varint(bit_writer *out, uint64_t value)
{
    for (; value > 127; value >>= 7)
        stamma_bits_write(out, (value & 127) | 128, 8);
    stamma_bits_write(out, value, 8);
}

static size_t count_nulls(const stamma_move *moves, size_t plies)
{
    size_t nulls = 0;
    for (size_t n = 0; n < plies; n++)
        nulls += moves[n] == STAMMA_MOVE_NULL;
    return nulls;
}

static void put_front(bit_writer *out, const stamma_move *moves, size_t plies, size_t nulls)
{
    put_varint(out, (uint64_t)plies * 2 + (nulls != 0));
    if (nulls == 0)
        return;
    put_varint(out, nulls);
    size_t since = 0;
    for (size_t n = 0; n < plies; n++, since++)
        if (moves[n] == STAMMA_MOVE_NULL) {
            put_varint(out, since);
            since = SIZE_MAX; /* becomes 0 in the loop */
        }
}

static void explain_varint(explanation *e, uint64_t value, const char *what)
{
    uint64_t bytes = 0;
    unsigned bits = 0;
    for (uint64_t rest = value; bits == 0 || rest > 0; rest >>= 7, bits += 8)
        bytes = bytes << 8 | (rest & 127) | (rest > 127 ? 128 : 0);
    stamma_explain_bits(e, bytes, bits, "varint %" PRIu64 ": %s", value, what);
}

void stamma_game_explain_front(const stamma_move *moves, size_t plies, bool has_null, explanation *e)
{
    size_t nulls = has_null ? 0 : count_nulls(moves, plies), since = 0;
    explain_varint(e, (uint64_t)plies * 2 + (nulls != 0),
                   nulls ? "twice the number of plies, and null moves are listed" : "twice the number of plies");
    if (nulls == 0)
        return;
    explain_varint(e, nulls, "null moves");
    for (size_t n = 0; n < plies; n++, since++)
        if (moves[n] == STAMMA_MOVE_NULL) {
            explain_varint(e, since, "plies before a null move");
            since = SIZE_MAX; /* becomes 0 in the loop */
        }
}

/* Sets the elements of `moves` that are null moves to STAMMA_MOVE_NULL, and all others to another value. */
static bool take_nulls(cursor *c, stamma_move *moves, size_t plies)
{
    for (size_t n = 0; n < plies; n++)
        moves[n] = (stamma_move)~STAMMA_MOVE_NULL;
    uint64_t nulls = stamma_cursor_varint(c);
    if (nulls == 0 || nulls > plies)
        return false;
    size_t at = 0;
    for (; nulls > 0; nulls--) {
        uint64_t since = stamma_cursor_varint(c);
        if (c->failed || since >= plies - at)
            return false;
        at += (size_t)since;
        moves[at++] = STAMMA_MOVE_NULL;
    }
    return true;
}

static stamma_error take_plies(cursor *c, size_t *plies, bool *lists_nulls)
{
    uint64_t count = stamma_cursor_varint(c);
    if (c->failed || count / 2 > SIZE_MAX)
        return STAMMA_ERROR_CORRUPT;
    *plies = (size_t)(count / 2);
    *lists_nulls = count & 1;
    return STAMMA_OK;
}

/* Returns a cursor for bytes. `bytes` may be NULL if `size` is 0. */
static cursor bytes_cursor(const void *bytes, size_t size)
{
    const uint8_t *at = bytes ? (const uint8_t *)bytes : (const uint8_t *)"";
    return (cursor){at, at + size, false};
}

stamma_error stamma_codec_game_plies(const void *bytes, size_t size, size_t *plies)
{
    if ((!bytes && size > 0) || !plies)
        return STAMMA_ERROR_BAD_ARGUMENT;
    cursor c = bytes_cursor(bytes, size);
    size_t count = 0;
    bool lists_nulls = false;
    stamma_error error = take_plies(&c, &count, &lists_nulls);
    if (error == STAMMA_OK)
        *plies = count;
    return error;
}

/* ---- games as sequences of codes ---- */

static stamma_error write_moves(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                size_t plies, bit_writer *out)
{
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        if (!stamma_codec_may_play(&position, moves[n]))
            return STAMMA_ERROR_ILLEGAL;
        if (moves[n] != STAMMA_MOVE_NULL || codec->has_null) {
            stamma_error error = codec->write(codec, &position, moves[n], out);
            if (error != STAMMA_OK)
                return error;
            if (codec->info.is_text)
                stamma_bits_write(out, ' ', 8);
        }
        stamma_position_make(&position, moves[n], &position);
    }
    return STAMMA_OK;
}

static stamma_error read_moves(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                               stamma_move *moves, size_t plies)
{
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        stamma_error error = STAMMA_OK;
        if (moves[n] != STAMMA_MOVE_NULL) /* set only if the codec has no null move */
            error = codec->read(codec, &position, in, &moves[n]);
        else if (stamma_position_in_check(&position))
            error = STAMMA_ERROR_CORRUPT;
        if (error != STAMMA_OK)
            return error;
        if (codec->info.is_text && in->data[in->at / 8 - 1] != ' ')
            return STAMMA_ERROR_CORRUPT;
        stamma_position_make(&position, moves[n], &position);
    }
    return STAMMA_OK;
}

/* ---- the public functions ---- */

stamma_error stamma_codec_encode_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                      size_t plies, void *out, size_t capacity, size_t *size, size_t *code_bits)
{
    if (!codec || !start || (!moves && plies > 0) || (!out && capacity > 0) || !size)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (codec->info.is_partial)
        return STAMMA_ERROR_UNSUPPORTED;
    bit_writer all = {(uint8_t *)out, capacity < SIZE_MAX / 8 ? capacity * 8 : SIZE_MAX, 0, false};
    put_front(&all, moves, plies, codec->has_null ? 0 : count_nulls(moves, plies));
    size_t front_bits = all.size;
    stamma_error error = codec->write_game ? codec->write_game(codec, start, moves, plies, &all)
                                           : write_moves(codec, start, moves, plies, &all);
    if (error == STAMMA_OK && all.failed)
        error = STAMMA_ERROR_NO_SPACE;
    if (error != STAMMA_OK)
        return error;
    *size = (all.size + 7) / 8;
    if (code_bits)
        *code_bits = all.size - front_bits;
    return STAMMA_OK;
}

/* Returns whether all bits were read except the zeros that fill the last byte. */
static bool is_used_up(bit_reader *in)
{
    return !in->failed && in->size - in->at < 8 && stamma_bits_read(in, (unsigned)(in->size - in->at)) == 0;
}

stamma_error stamma_codec_decode_game(const stamma_codec *codec, const stamma_position *start, const void *bytes,
                                      size_t size, stamma_move *moves, size_t capacity, size_t *plies)
{
    if (!codec || !start || (!bytes && size > 0) || (!moves && capacity > 0) || !plies)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (codec->info.is_partial)
        return STAMMA_ERROR_UNSUPPORTED;
    cursor front = bytes_cursor(bytes, size);
    size_t count = 0;
    bool lists_nulls = false;
    stamma_error error = take_plies(&front, &count, &lists_nulls);
    if (error != STAMMA_OK)
        return error;
    if (count > capacity)
        return STAMMA_ERROR_NO_SPACE;
    if (lists_nulls && (codec->has_null || !take_nulls(&front, moves, count)))
        return STAMMA_ERROR_CORRUPT;
    if (!lists_nulls && count > 0)
        memset(moves, 0xFF, count * sizeof *moves);
    if (cursor_left(&front) > SIZE_MAX / 8)
        return STAMMA_ERROR_UNSUPPORTED;
    bit_reader in = {front.at, cursor_left(&front) * 8, 0, false};
    error = codec->read_game ? codec->read_game(codec, start, &in, moves, count)
                             : read_moves(codec, start, &in, moves, count);
    if (error == STAMMA_OK && !is_used_up(&in))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        *plies = count;
    return error;
}
