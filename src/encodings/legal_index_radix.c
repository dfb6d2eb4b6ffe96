/* SPDX-License-Identifier: MIT */
/* `legal-index-radix`: all moves of a game as one number in mixed radix (Forster 2015, "One Move in 5.5 Bits"). With
 * n1, n2 ... legal moves and the indices i1, i2 ... the number is i1 + n1 (i2 + n2 (i3 + ...)). The number is smaller
 * than the product of all n. Its number of bits is the sum of all log2 n, rounded up once per game. The decoder
 * computes n1 from the position and divides by it; the remainder is i1.
 *
 * The number is written lowest bit first, in the number of bits needed for the product minus one. The time grows with
 * the square of the length. Games are therefore limited to slightly more plies than the seventy-five-move rule allows
 * (17,697). */
#include "encodings/encodings.h"

enum { PLIES_MAX = 18000, RADIX_BITS = 9, BITS_MAX = PLIES_MAX * RADIX_BITS, WORDS_MAX = BITS_MAX / 32 + 1 };

/* A natural number, lowest word first. */
typedef struct natural {
    size_t size; /* in words, without leading zeros */
    uint32_t words[WORDS_MAX];
} natural;

static void set(natural *x, uint32_t value)
{
    x->words[0] = value;
    x->size = value != 0;
}

static void multiply(natural *x, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t n = 0; n < x->size; n++) {
        carry += (uint64_t)x->words[n] * factor;
        x->words[n] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        x->words[x->size++] = (uint32_t)carry;
}

/* x += y * factor. The sum must be less than the capacity. */
static void add_multiple(natural *x, const natural *y, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t n = 0; n < y->size || carry != 0; n++) {
        if (n == x->size)
            x->words[x->size++] = 0;
        carry += x->words[n] + (n < y->size ? (uint64_t)y->words[n] * factor : 0);
        x->words[n] = (uint32_t)carry;
        carry >>= 32;
    }
    while (x->size > 0 && x->words[x->size - 1] == 0)
        x->size--;
}

/* Divides by `divisor` and returns the remainder. */
static uint32_t divide(natural *x, uint32_t divisor)
{
    uint64_t rest = 0;
    for (size_t n = x->size; n-- > 0;) {
        rest = rest << 32 | x->words[n];
        x->words[n] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (x->size > 0 && x->words[x->size - 1] == 0)
        x->size--;
    return (uint32_t)rest;
}

/* Returns the number of bits needed for the numbers below x. x must not be 0. */
static size_t bits_below(const natural *x)
{
    size_t top = x->size - 1;
    bool power_of_two = !bits_rest(x->words[top]);
    for (size_t n = 0; power_of_two && n < top; n++)
        power_of_two = x->words[n] == 0;
    return top * 32 + bits_last(x->words[top]) + !power_of_two;
}

static uint32_t reversed(uint32_t word)
{
    word = (word >> 1 & 0x55555555u) | (word & 0x55555555u) << 1;
    word = (word >> 2 & 0x33333333u) | (word & 0x33333333u) << 2;
    word = (word >> 4 & 0x0F0F0F0Fu) | (word & 0x0F0F0F0Fu) << 4;
    word = (word >> 8 & 0x00FF00FFu) | (word & 0x00FF00FFu) << 8;
    return word >> 16 | word << 16;
}

static void put_number(const natural *x, size_t bits, bit_writer *out)
{
    for (size_t n = 0; n * 32 < bits; n++) {
        unsigned count = bits - n * 32 < 32 ? (unsigned)(bits - n * 32) : 32;
        uint32_t word = n < x->size ? x->words[n] : 0;
        stamma_bits_write(out, reversed(word) >> (32 - count), count);
    }
}

/* Reads all remaining bits as a number. */
static bool take_number(bit_reader in, natural *x)
{
    size_t bits = in.size - in.at;
    if (bits > BITS_MAX)
        return false;
    x->size = 0;
    for (size_t n = 0; n * 32 < bits; n++) {
        unsigned count = bits - n * 32 < 32 ? (unsigned)(bits - n * 32) : 32;
        x->words[n] = reversed((uint32_t)(stamma_bits_read(&in, count) << (32 - count)));
        if (x->words[n] != 0)
            x->size = n + 1;
    }
    for (size_t n = x->size; n * 32 < bits; n++)
        x->words[n] = 0;
    return true;
}

static stamma_error write_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                               size_t plies, bit_writer *out)
{
    (void)codec;
    if (plies > PLIES_MAX)
        return STAMMA_ERROR_UNSUPPORTED;
    natural number, product;
    set(&number, 0);
    set(&product, 1);
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        if (!stamma_codec_may_play(&position, moves[n]))
            return STAMMA_ERROR_ILLEGAL;
        if (moves[n] != STAMMA_MOVE_NULL) {
            add_multiple(&number, &product, (uint32_t)stamma_legal_index(&position, moves[n]));
            multiply(&product, (uint32_t)stamma_legal_moves_count(&position));
        }
        stamma_position_make(&position, moves[n], &position);
    }
    put_number(&number, bits_below(&product), out);
    return STAMMA_OK;
}

static stamma_error read_game(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                              stamma_move *moves, size_t plies)
{
    (void)codec;
    if (plies > PLIES_MAX)
        return STAMMA_ERROR_UNSUPPORTED;
    natural number, product;
    if (!take_number(*in, &number))
        return STAMMA_ERROR_CORRUPT;
    set(&product, 1);
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        if (moves[n] == STAMMA_MOVE_NULL) {
            if (stamma_position_in_check(&position))
                return STAMMA_ERROR_CORRUPT;
        } else {
            const uint32_t count = (uint32_t)stamma_legal_moves_count(&position);
            if (count == 0)
                return STAMMA_ERROR_CORRUPT;
            moves[n] = stamma_legal_move_at(&position, divide(&number, count));
            multiply(&product, count);
            if ((product.size - 1) * 32 > in->size - in->at) /* the number needs more bits */
                return STAMMA_ERROR_CORRUPT;
        }
        stamma_position_make(&position, moves[n], &position);
    }
    size_t bits = bits_below(&product);
    if (number.size != 0 || bits > in->size - in->at)
        return STAMMA_ERROR_CORRUPT;
    in->at += bits;
    return STAMMA_OK;
}

/* Names the digits of the number, least significant first. */
static stamma_error explain_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                 size_t plies, explanation *e)
{
    (void)codec;
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        if (!stamma_codec_may_play(&position, moves[n]))
            return STAMMA_ERROR_ILLEGAL;
        if (moves[n] != STAMMA_MOVE_NULL)
            stamma_explain_term(e, stamma_legal_index(&position, moves[n]),
                                "a digit below %zu, the number of legal moves", stamma_legal_moves_count(&position));
        stamma_position_make(&position, moves[n], &position);
    }
    return STAMMA_OK;
}

const stamma_codec stamma_codec_legal_index_radix = {
    .info = {.name = "legal-index-radix",
             .source = SOURCE_FORSTER,
             .description = "the whole game as one number in mixed radix: the sum of log2 n",
             .kind = STAMMA_CODEC_GAME},
    .write_game = write_game,
    .read_game = read_game,
    .explain_game = explain_game,
};
