/* SPDX-License-Identifier: MIT */
/* `ranked-tiers`, `ranked-huffman` and `arithmetic`: code games with the move predictor (Forster 2015, "One Move in 4
 * Bits" and "One Move in 2 Bits, Maybe?"). The predictor's only information about the game is its moves. A move's
 * rank is the number of legal moves that are more likely, or as likely and earlier in the predictor's order.
 *
 *   ranked-tiers     three bits: 0 to 5 are ranks; 6 is followed by two bits for ranks 6 to 9; 7 is followed by the
 *                    bits needed for the other legal moves. This is the source's example.
 *   ranked-huffman   one Huffman code for all positions, made from the ranks of two million plies
 *   arithmetic       the predictor's probabilities, with a range coder */
#include "encodings/encodings.h"
#include "model/model.h"

static stamma_error begin(move_coder *c, const stamma_position *start)
{
    static const predict_context nothing;
    const uint8_t *weights = stamma_predict_weights();
    stamma_move_coder_begin(c, weights, &nothing, start);
    return weights ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
}

static unsigned rank_of(const prediction *p, unsigned number)
{
    unsigned rank = 0;
    for (unsigned n = 0; n < p->features.moves; n++)
        rank += p->frequency[n] > p->frequency[number] || (p->frequency[n] == p->frequency[number] && n < number);
    return rank;
}

static stamma_move move_of_rank(const prediction *p, unsigned rank)
{
    unsigned number = 0;
    while (rank_of(p, number) != rank)
        number++;
    return p->features.move[number].move;
}

/* ---- codes of ranks ---- */

typedef struct rank_code {
    void (*put)(unsigned rank, unsigned moves, bit_writer *out);
    unsigned (*take)(bit_reader *in, unsigned moves); /* returns `moves` or more if the bits are not a rank */
} rank_code;

enum { TIER_BITS = 3, FIRST_TIER = 6, SECOND_BITS = 2, SECOND_TIER = FIRST_TIER + 4 };

static void put_tier(unsigned rank, unsigned moves, bit_writer *out)
{
    if (rank < FIRST_TIER) {
        stamma_bits_write(out, rank, TIER_BITS);
    } else if (rank < SECOND_TIER) {
        stamma_bits_write(out, FIRST_TIER, TIER_BITS);
        stamma_bits_write(out, rank - FIRST_TIER, SECOND_BITS);
    } else {
        stamma_bits_write(out, FIRST_TIER + 1, TIER_BITS);
        stamma_bits_write(out, rank - SECOND_TIER, bits_for(moves - SECOND_TIER));
    }
}

static unsigned take_tier(bit_reader *in, unsigned moves)
{
    unsigned first = (unsigned)stamma_bits_read(in, TIER_BITS);
    if (first < FIRST_TIER)
        return first;
    if (first == FIRST_TIER)
        return FIRST_TIER + (unsigned)stamma_bits_read(in, SECOND_BITS);
    return moves <= SECOND_TIER ? moves : SECOND_TIER + (unsigned)stamma_bits_read(in, bits_for(moves - SECOND_TIER));
}

/* Lengths of the Huffman codes of ranks 0 to 39, and of the code that is followed by nine bits for other ranks, from
 * 40. Codes of the same length are consecutive in the order of ranks, after the shorter codes. */
enum { HUFFMAN_RANKS = 40, HUFFMAN_LONGEST = 14, OTHER_BITS = 9 };
static const uint8_t lengths[HUFFMAN_RANKS + 1] = {1,  3,  4,  4,  4,  5,  5,  6,  6,  6,  6,  7,  7,  7,
                                                   7,  8,  8,  8,  8,  9,  9,  9,  9,  10, 10, 10, 10, 10,
                                                   11, 11, 12, 11, 12, 13, 13, 13, 13, 13, 14, 14, 12};

static void put_huffman(unsigned rank, unsigned moves, bit_writer *out)
{
    unsigned symbol = rank < HUFFMAN_RANKS ? rank : HUFFMAN_RANKS, code = 0;
    (void)moves;
    for (unsigned n = 0; n <= HUFFMAN_RANKS; n++)
        if (lengths[n] < lengths[symbol] || (lengths[n] == lengths[symbol] && n < symbol))
            code += 1u << (HUFFMAN_LONGEST - lengths[n]);
    stamma_bits_write(out, code >> (HUFFMAN_LONGEST - lengths[symbol]), lengths[symbol]);
    if (symbol == HUFFMAN_RANKS)
        stamma_bits_write(out, rank - HUFFMAN_RANKS, OTHER_BITS);
}

/* Each sequence of HUFFMAN_LONGEST bits begins with a code. */
static unsigned take_huffman(bit_reader *in, unsigned moves)
{
    unsigned code = 0, first = 0; /* the bits so far, and the first code of this length */
    for (unsigned length = 1; !in->failed; length++) {
        code = code << 1 | (unsigned)stamma_bits_read(in, 1);
        first <<= 1;
        for (unsigned n = 0; n <= HUFFMAN_RANKS; n++)
            if (lengths[n] == length && first++ == code)
                return n < HUFFMAN_RANKS ? n : HUFFMAN_RANKS + (unsigned)stamma_bits_read(in, OTHER_BITS);
    }
    return moves;
}

/* ---- games of ranks ---- */

/* Writes a game. If `e` is not NULL, names each code, and `out` is &e->out. */
static stamma_error put_ranks(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                              size_t plies, bit_writer *out, explanation *e)
{
    const rank_code *code = codec->variant;
    move_coder c;
    stamma_error error = begin(&c, start);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        if (!stamma_codec_may_play(&c.position, moves[n]))
            return STAMMA_ERROR_ILLEGAL;
        if (moves[n] != STAMMA_MOVE_NULL) {
            unsigned count = stamma_move_coder_look(&c);
            unsigned rank = rank_of(&c.prediction, stamma_prediction_find(&c.prediction, moves[n]));
            code->put(rank, count, out);
            EXPLAIN(e, "rank %u of %u legal moves, from 0", rank, count);
        }
        stamma_move_coder_play(&c, moves[n]);
    }
    return error;
}

static stamma_error read_ranks(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                               stamma_move *moves, size_t plies)
{
    const rank_code *code = codec->variant;
    move_coder c;
    stamma_error error = begin(&c, start);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        if (moves[n] != STAMMA_MOVE_NULL) {
            unsigned count = stamma_move_coder_look(&c), rank = code->take(in, count);
            if (rank >= count || in->failed)
                return STAMMA_ERROR_CORRUPT;
            moves[n] = move_of_rank(&c.prediction, rank);
        } else if (stamma_position_in_check(&c.position)) {
            return STAMMA_ERROR_CORRUPT;
        }
        stamma_move_coder_play(&c, moves[n]);
    }
    return error;
}

static stamma_error write_ranks(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                size_t plies, bit_writer *out)
{
    return put_ranks(codec, start, moves, plies, out, NULL);
}

static stamma_error explain_ranks(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                  size_t plies, explanation *e)
{
    e->out = (bit_writer){e->bytes, 8 * sizeof e->bytes, 0, false};
    return put_ranks(codec, start, moves, plies, &e->out, e);
}

const stamma_codec stamma_codec_ranked_tiers = {
    .info = {.name = "ranked-tiers",
             .source = SOURCE_FORSTER,
             .description = "the predictor's rank of the move in 3, 3 + 2 or 3 + n bits",
             .kind = STAMMA_CODEC_GAME},
    .variant = &(const rank_code){put_tier, take_tier},
    .write_game = write_ranks,
    .read_game = read_ranks,
    .explain_game = explain_ranks,
};

const stamma_codec stamma_codec_ranked_huffman = {
    .info = {.name = "ranked-huffman",
             .source = SOURCE_FORSTER,
             .description = "the predictor's rank of the move in one Huffman code",
             .kind = STAMMA_CODEC_GAME},
    .variant = &(const rank_code){put_huffman, take_huffman},
    .write_game = write_ranks,
    .read_game = read_ranks,
    .explain_game = explain_ranks,
};

/* ---- arithmetic coding ---- */

/* The encoder's buffer is the rest of the writer's memory and cannot grow. */
static void *no_more(void *context, void *memory, size_t size)
{
    (void)context, (void)memory, (void)size;
    return NULL;
}

static stamma_error write_arithmetic(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                     size_t plies, bit_writer *out)
{
    (void)codec;
    static const stamma_allocator full = {.resize = no_more};
    size_t at = out->size / 8; /* the bits before the codes are complete bytes */
    buffer bytes = {&full, out->failed ? NULL : out->data, at, out->failed ? at : out->capacity / 8, false};
    range_encoder e;
    move_coder c;
    stamma_error error = begin(&c, start);
    stamma_range_encode_begin(&e, &bytes);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        if (moves[n] == STAMMA_MOVE_NULL && !stamma_position_in_check(&c.position))
            stamma_move_coder_play(&c, moves[n]);
        else if (!stamma_move_encode(&c, moves[n], &e))
            error = STAMMA_ERROR_ILLEGAL;
    }
    stamma_range_encode_end(&e);
    out->failed |= bytes.failed;
    out->size = bytes.size * 8;
    return error;
}

static stamma_error read_arithmetic(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                                    stamma_move *moves, size_t plies)
{
    (void)codec;
    move_coder c;
    range_decoder d;
    stamma_error error = begin(&c, start);
    stamma_range_decode_begin(&d, in->data + in->at / 8, (in->size - in->at) / 8);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        if (moves[n] != STAMMA_MOVE_NULL) {
            moves[n] = stamma_move_decode(&c, &d);
            if (moves[n] == STAMMA_MOVE_NULL)
                return STAMMA_ERROR_CORRUPT;
        } else if (stamma_position_in_check(&c.position)) {
            return STAMMA_ERROR_CORRUPT;
        } else {
            stamma_move_coder_play(&c, moves[n]);
        }
    }
    in->at = in->size;
    return error == STAMMA_OK && !stamma_range_decode_is_exact(&d) ? STAMMA_ERROR_CORRUPT : error;
}

static stamma_error explain_arithmetic(const stamma_codec *codec, const stamma_position *start,
                                       const stamma_move *moves, size_t plies, explanation *e)
{
    (void)codec;
    move_coder c;
    stamma_error error = begin(&c, start);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        if (!stamma_codec_may_play(&c.position, moves[n]))
            return STAMMA_ERROR_ILLEGAL;
        if (moves[n] != STAMMA_MOVE_NULL) {
            stamma_move_coder_look(&c);
            unsigned number = stamma_prediction_find(&c.prediction, moves[n]);
            stamma_explain_term(e, c.prediction.frequency[number], "of %d: how likely the move is", PREDICT_TOTAL);
        }
        stamma_move_coder_play(&c, moves[n]);
    }
    return error;
}

const stamma_codec stamma_codec_arithmetic = {
    .info = {.name = "arithmetic",
             .source = SOURCE_FORSTER,
             .description = "arithmetic coding of the predictor's probabilities",
             .kind = STAMMA_CODEC_GAME},
    .write_game = write_arithmetic,
    .read_game = read_arithmetic,
    .explain_game = explain_arithmetic,
};
