/* `ranked-tiers`, `ranked-huffman` and `arithmetic`: games by what the move predictor thinks of each move (seed 004,
 * "One Move in 4 Bits" and "One Move in 2 Bits, Maybe?"). The predictor is told nothing of the game but its moves. A
 * move's rank is the number of legal moves that are likelier, or as likely and before it in the predictor's order.
 *
 *   ranked-tiers     three bits: 0 to 5 are ranks; 6 and two bits, ranks 6 to 9; 7 and as many bits as the other legal
 *                    moves need, which is the seed's example
 *   ranked-huffman   one Huffman code for all positions, made from the ranks of two million plies
 *   arithmetic       the predictor's probabilities themselves, by a range coder */
#include "encodings/encodings.h"
#include "entropy/range_coder.h"
#include "model/model.h"

/* ---- a game that the predictor follows ---- */

typedef struct follower {
    predict_game game;
    stamma_position position;
    prediction prediction;
} follower;

static stamma_error begin(follower *f, const stamma_position *start)
{
    static const predict_context nothing;
    f->position = *start;
    stamma_predict_begin(&f->game, &nothing, start);
    return stamma_predict_weights() ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
}

/* Predicts the next move; how many there are. */
static unsigned look(follower *f)
{
    stamma_predict_run(stamma_predict_weights(), &f->game, &f->position, &f->prediction);
    return f->prediction.features.moves;
}

/* The number of a move in the prediction that is made for it. ILLEGAL. */
static stamma_error look_for(follower *f, stamma_move move, unsigned *number)
{
    unsigned moves = look(f);
    *number = stamma_prediction_find(&f->prediction, move);
    return *number < moves ? STAMMA_OK : STAMMA_ERROR_ILLEGAL;
}

static void play(follower *f, stamma_move move)
{
    stamma_predict_play(&f->game, &f->position, move);
    stamma_position_make(&f->position, move, &f->position);
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
    unsigned (*take)(bit_reader *in, unsigned moves); /* `moves` or more for what is no rank */
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

/* Lengths of the Huffman code of ranks 0 to 39, and of the code that nine bits follow: of other ranks, from 40. Codes
 * of a length follow one another, in the order of ranks, behind the shorter ones. */
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

static unsigned take_huffman(bit_reader *in, unsigned moves)
{
    unsigned code = 0, first = 0; /* the bits so far, and the first code of as many bits */
    for (unsigned length = 1; length <= HUFFMAN_LONGEST && !in->failed; length++) {
        code = code << 1 | (unsigned)stamma_bits_read(in, 1);
        first <<= 1;
        for (unsigned n = 0; n <= HUFFMAN_RANKS; n++)
            if (lengths[n] == length && first++ == code)
                return n < HUFFMAN_RANKS ? n : HUFFMAN_RANKS + (unsigned)stamma_bits_read(in, OTHER_BITS);
    }
    return moves;
}

/* ---- games of ranks ---- */

/* Writes a game, and names each code where `e` is not NULL; `out` is then e->out. */
static stamma_error write_ranks(const rank_code *code, const stamma_position *start, const stamma_move *moves,
                                size_t plies, bit_writer *out, explanation *e)
{
    follower f;
    stamma_error error = begin(&f, start);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        unsigned number = 0;
        if (moves[n] == STAMMA_MOVE_NULL) {
            error = stamma_position_in_check(&f.position) ? STAMMA_ERROR_ILLEGAL : STAMMA_OK;
        } else if ((error = look_for(&f, moves[n], &number)) == STAMMA_OK) {
            unsigned rank = rank_of(&f.prediction, number), count = f.prediction.features.moves;
            code->put(rank, count, out);
            stamma_explain(e, "rank %u of %u legal moves, from 0", rank, count);
        }
        play(&f, moves[n]);
    }
    return error;
}

static stamma_error read_ranks(const rank_code *code, const stamma_position *start, bit_reader *in, stamma_move *moves,
                               size_t plies)
{
    follower f;
    stamma_error error = begin(&f, start);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        if (moves[n] == STAMMA_MOVE_NULL) {
            error = stamma_position_in_check(&f.position) ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
        } else {
            unsigned count = look(&f), rank = code->take(in, count);
            if (rank >= count || in->failed)
                return STAMMA_ERROR_CORRUPT;
            moves[n] = move_of_rank(&f.prediction, rank);
        }
        play(&f, moves[n]);
    }
    return error;
}

#define RANKED_GAMES(name)                                                                                          \
    static const rank_code name##_code = {put_##name, take_##name};                                                 \
    static stamma_error write_##name(const stamma_position *start, const stamma_move *moves, size_t plies,          \
                                     bit_writer *out)                                                               \
    {                                                                                                               \
        return write_ranks(&name##_code, start, moves, plies, out, NULL);                                           \
    }                                                                                                               \
    static stamma_error read_##name(const stamma_position *start, bit_reader *in, stamma_move *moves, size_t plies) \
    {                                                                                                               \
        return read_ranks(&name##_code, start, in, moves, plies);                                                   \
    }                                                                                                               \
    static stamma_error explain_##name(const stamma_position *start, const stamma_move *moves, size_t plies,        \
                                       explanation *e)                                                              \
    {                                                                                                               \
        e->out = (bit_writer){e->bytes, 8 * sizeof e->bytes, 0, false};                                             \
        return write_ranks(&name##_code, start, moves, plies, &e->out, e);                                          \
    }
RANKED_GAMES(tier)
RANKED_GAMES(huffman)

const stamma_codec stamma_codec_ranked_tiers = {
    .info = {.name = "ranked-tiers",
             .source = "004",
             .description = "the predictor's rank of the move in 3, 3 + 2 or 3 + n bits",
             .kind = STAMMA_CODEC_GAME},
    .write_game = write_tier,
    .read_game = read_tier,
    .explain_game = explain_tier,
};

const stamma_codec stamma_codec_ranked_huffman = {
    .info = {.name = "ranked-huffman",
             .source = "004",
             .description = "the predictor's rank of the move in one Huffman code",
             .kind = STAMMA_CODEC_GAME},
    .write_game = write_huffman,
    .read_game = read_huffman,
    .explain_game = explain_huffman,
};

/* ---- arithmetic coding ---- */

/* Calls `put` with each move's part of PREDICT_TOTAL: where it begins, and its frequency. */
static stamma_error each_part(const stamma_position *start, const stamma_move *moves, size_t plies,
                              void (*put)(void *context, uint32_t before, uint32_t frequency), void *context)
{
    follower f;
    stamma_error error = begin(&f, start);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        unsigned number = 0;
        if (moves[n] == STAMMA_MOVE_NULL) {
            error = stamma_position_in_check(&f.position) ? STAMMA_ERROR_ILLEGAL : STAMMA_OK;
        } else if ((error = look_for(&f, moves[n], &number)) == STAMMA_OK) {
            uint32_t before = 0;
            for (unsigned k = 0; k < number; k++)
                before += f.prediction.frequency[k];
            put(context, before, f.prediction.frequency[number]);
        }
        play(&f, moves[n]);
    }
    return error;
}

/* The encoder's buffer is what is left of the writer's, and cannot grow. */
static void *no_more(void *context, void *memory, size_t size)
{
    (void)context, (void)memory, (void)size;
    return NULL;
}

static void put_part(void *context, uint32_t before, uint32_t frequency)
{
    stamma_range_encode(context, before, frequency, PREDICT_BITS);
}

static stamma_error write_arithmetic(const stamma_position *start, const stamma_move *moves, size_t plies,
                                     bit_writer *out)
{
    static const stamma_allocator full = {.resize = no_more};
    size_t at = out->size / 8; /* the front is whole bytes */
    range_encoder e;
    buffer bytes = {&full, out->failed ? NULL : out->data, at, out->failed ? at : out->capacity / 8, false};
    stamma_range_encode_begin(&e, &bytes);
    stamma_error error = each_part(start, moves, plies, put_part, &e);
    stamma_range_encode_end(&e);
    out->failed |= bytes.failed;
    out->size = bytes.size * 8;
    return error;
}

static stamma_move take_move(const prediction *p, range_decoder *d)
{
    uint32_t target = range_decode_target(d, PREDICT_BITS), before = 0;
    unsigned number = 0;
    for (; target - before >= p->frequency[number]; number++)
        before += p->frequency[number];
    range_decode_pass(d, before, p->frequency[number], PREDICT_BITS);
    return p->features.move[number].move;
}

static stamma_error read_arithmetic(const stamma_position *start, bit_reader *in, stamma_move *moves, size_t plies)
{
    follower f;
    range_decoder d;
    stamma_error error = begin(&f, start);
    stamma_range_decode_begin(&d, in->data + in->at / 8, (in->size - in->at) / 8);
    for (size_t n = 0; n < plies && error == STAMMA_OK; n++) {
        if (moves[n] != STAMMA_MOVE_NULL) {
            if (look(&f) == 0)
                return STAMMA_ERROR_CORRUPT;
            moves[n] = take_move(&f.prediction, &d);
        } else if (stamma_position_in_check(&f.position)) {
            return STAMMA_ERROR_CORRUPT;
        }
        play(&f, moves[n]);
    }
    in->at = in->size;
    return error == STAMMA_OK && !stamma_range_decode_is_exact(&d) ? STAMMA_ERROR_CORRUPT : error;
}

static void explain_part(void *context, uint32_t before, uint32_t frequency)
{
    stamma_explain_term(context, frequency, "of %d: how likely the move is; those before it have %u together",
                        PREDICT_TOTAL, (unsigned)before);
}

static stamma_error explain_arithmetic(const stamma_position *start, const stamma_move *moves, size_t plies,
                                       explanation *e)
{
    return each_part(start, moves, plies, explain_part, e);
}

const stamma_codec stamma_codec_arithmetic = {
    .info = {.name = "arithmetic",
             .source = "004",
             .description = "arithmetic coding of the predictor's probabilities",
             .kind = STAMMA_CODEC_GAME},
    .write_game = write_arithmetic,
    .read_game = read_arithmetic,
    .explain_game = explain_arithmetic,
};
