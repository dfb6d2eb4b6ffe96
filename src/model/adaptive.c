/* SPDX-License-Identifier: MIT */
/* The adaptive predictor, which learns while it codes (doc/format/predictor.md). It modifies the logits of both stages
 * in three steps. It adds weights that follow the gradient of the games' own moves (AdaGrad: Duchi, Hazan, Singer
 * 2011). It multiplies the result by a temperature, which is learnt too. It adds weighted counts of the player's
 * earlier moves in the same position, and of the moves in the book.
 *
 * All arithmetic is integer arithmetic. Quotients of negative numbers are rounded towards 0, as in C. */
#include "model/model.h"

enum {
    SMALL = 512,        /* smaller gradients, in 1/65536, are rounded at random to this or 0 */
    WEIGHT_MAX = 32767, /* 16 bits */
    SQUARES_MAX = 65535,
    HASHED_START = 1 << 7,     /* initial sum of squares: one half */
    DENSE_START = 100 << 8,    /* initial sum of squares: one hundred */
    BELOW_MAX = 1 << 18,       /* 64 bits */
    TEMPERATURE_MIN = 1 << 14, /* a quarter */
    TEMPERATURE_MAX = 1 << 18,
    LEARNT_MAX = 1 << 20, /* limit of temperatures and weights of counts: 16 */
    PLIES_COUNTED = 60
};

/* Returns log2(x) in units of 1/4096. x must not be 0. */
static int32_t log2_of(uint64_t x)
{
    int32_t exponent = (int32_t)bits_last(x);
    uint64_t mantissa = exponent >= 8 ? x >> (exponent - 8) : x << (8 - exponent);
    return exponent * 4096 + stamma_predict_log2[mantissa & 255];
}

void stamma_adaptive_reset(adaptive *a)
{
    memset(a, 0, sizeof *a);
    for (unsigned n = 0; n < ADAPTIVE_PLACES; n++)
        a->temperature[n] = 65536;
    for (unsigned n = 0; n < ADAPTIVE_BUCKETS; n++)
        for (unsigned timed = 0; timed < 2; timed++) {
            a->count_weight[COUNTS_PLAYER][timed][n] = 26214; /* 0.4 */
            a->count_weight[COUNTS_BOOK][timed][n] = timed ? 19661 : 58982;
        }
}

void stamma_adaptive_begin(adaptive *a, const uint64_t players[2])
{
    adaptive_game *g = &a->now;
    memset(&g->look.memory, 0, sizeof g->look.memory);
    g->players[0] = players[0];
    g->players[1] = players[1];
    g->surprise[0] = g->surprise[1] = 0;
}

/* ---- weights that learn ---- */

typedef struct cells {
    adaptive_cell *dense[4], *hashed[ADAPTIVE_HASHED];
} cells;

STAMMA_INLINE uint32_t hashed_slot(uint64_t context, const predict_move *m)
{
    return (uint32_t)(predict_mix(context + m->vector % PREDICT_VECTORS) >> (64 - ADAPTIVE_HASHED_BITS));
}

static void find_contexts(adaptive_game *g, unsigned side)
{
    uint64_t ours = (uint64_t)g->look.features.contexts[1] << 12, player = predict_mix(g->players[side]) << 12;
    g->contexts[0] = ours;
    g->contexts[1] = player + (UINT64_C(1) << 62);
    g->contexts[2] = predict_mix(player + ours) << 12;
}

STAMMA_INLINE cells cells_of(adaptive *a, const predict_move *m)
{
    adaptive_cell *exchanges = a->dense + 2 * PREDICT_VECTORS, *returns = exchanges + PREDICT_EXCHANGES;
    cells c = {
        {&a->dense[m->vector], &exchanges[m->exchange], &returns[m->back], &returns[PREDICT_RETURNS + m->distance]},
        {NULL}};
    for (unsigned k = 0; k < ADAPTIVE_HASHED; k++)
        c.hashed[k] = &a->hashed[k][hashed_slot(a->now.contexts[k], m)];
    return c;
}

static void add_learnt_weights(adaptive *a, adaptive_game *g)
{
    for (unsigned i = 0; i < g->look.features.moves; i++) {
        cells c = cells_of(a, &g->look.features.move[i]);
        int32_t sum = 0;
        for (unsigned k = 0; k < 4; k++)
            sum += c.dense[k]->weight;
        for (unsigned k = 0; k < ADAPTIVE_HASHED; k++)
            sum += c.hashed[k]->weight;
        g->look.logits[i] += sum * (SECOND_LOGIT_ONE / 2048);
    }
}

/* Returns the step size along a gradient: 0.1 / sqrt(squares), in bits. */
STAMMA_INLINE uint32_t step_size(uint32_t squares)
{
    unsigned exponent = bits_last(squares);
    return stamma_predict_step_sizes[(exponent - 7) * 8 + (squares >> (exponent - 3) & 7)];
}

/* Returns uniformly distributed numbers from 0 to 65535: a linear congruential generator (Knuth, Lewis). Random
 * rounding is correct on average. Rounding down would lose the many small gradients of moves that are not played. */
STAMMA_INLINE uint32_t next_random(adaptive *a)
{
    a->random = a->random * UINT32_C(1664525) + UINT32_C(1013904223);
    return a->random >> 16;
}

STAMMA_INLINE void follow(adaptive *a, adaptive_cell *c, int32_t gradient, uint32_t start, unsigned halved)
{
    uint64_t size = (uint64_t)(gradient < 0 ? -gradient : gradient);
    uint32_t squares = c->squares + (uint32_t)((size * size + (next_random(a) << 8)) >> 24);
    c->squares = (uint16_t)(squares > SQUARES_MAX ? SQUARES_MAX : squares);
    int32_t step = (int32_t)(((size * step_size(c->squares + start) >> halved) + (next_random(a) << 5)) >> 21);
    int32_t weight = c->weight + (gradient < 0 ? step : -step);
    c->weight = (int16_t)(weight > WEIGHT_MAX ? WEIGHT_MAX : weight < -WEIGHT_MAX ? -WEIGHT_MAX : weight);
}

static int32_t round_small(adaptive *a, int32_t gradient)
{
    uint32_t size = (uint32_t)(gradient < 0 ? -gradient : gradient);
    return next_random(a) * SMALL >> 16 >= size ? 0 : gradient < 0 ? -SMALL : SMALL;
}

static void learn_weights(adaptive *a, const adaptive_game *g, unsigned played)
{
    for (unsigned i = 0; i < g->look.features.moves; i++) {
        int32_t gradient = (int32_t)g->learnt[i] - (i == played ? PREDICT_TOTAL : 0);
        if (gradient < SMALL && gradient > -SMALL)
            gradient = round_small(a, gradient);
        if (gradient == 0)
            continue;
        cells c = cells_of(a, &g->look.features.move[i]);
        for (unsigned k = 0; k < 4; k++)
            follow(a, c.dense[k], gradient, DENSE_START, 1);
        for (unsigned k = 0; k < ADAPTIVE_HASHED; k++)
            follow(a, c.hashed[k], gradient, HASHED_START, 0);
    }
}

/* ---- the temperature ---- */

static unsigned surprise_bucket(int32_t surprise)
{
    int32_t bucket = (surprise + 4 * SECOND_LOGIT_ONE) / (SECOND_LOGIT_ONE / 2);
    return bucket < 0 ? 0 : bucket > 15 ? 15 : (unsigned)bucket;
}

static void find_place(adaptive_game *g, const predict_game *game, unsigned side)
{
    unsigned moves = g->look.features.moves, ply = game->ply / 8;
    unsigned bucket = moves < 6    ? 0
                      : moves < 12 ? 1
                      : moves < 20 ? 2
                      : moves < 28 ? 3
                      : moves < 36 ? 4
                                   : 5 + (moves >= 44);
    g->place = (ply > 7 ? 7 : ply) * 8 + bucket;
    g->surprises = surprise_bucket(g->surprise[side]) * 16 + surprise_bucket(g->surprise[side ^ 1]);
}

static int32_t temperature_of(const adaptive *a, const adaptive_game *g)
{
    int32_t sum = a->temperature[g->place] + a->surprise_temperature[g->surprises];
    return sum < TEMPERATURE_MIN ? TEMPERATURE_MIN : sum > TEMPERATURE_MAX ? TEMPERATURE_MAX : sum;
}

/* Converts differences from the best logit, in 1/4096 bits, to frequencies. */
static void find_frequencies(const int32_t *below, unsigned moves, uint32_t *frequency)
{
    int32_t logits[STAMMA_MOVES_MAX + 4];
    for (unsigned i = 0; i < moves; i++)
        logits[i] = -((below[i] + 8) / 16);
    stamma_predict_frequencies(logits, 0, moves, frequency);
}

static void cool(const adaptive *a, adaptive_game *g)
{
    unsigned moves = g->look.features.moves;
    int32_t best = g->look.logits[0];
    int32_t temperature = temperature_of(a, g);
    for (unsigned i = 1; i < moves; i++)
        best = g->look.logits[i] > best ? g->look.logits[i] : best;
    for (unsigned i = 0; i < moves; i++) {
        int32_t below = best - g->look.logits[i];
        g->below[i] = below > BELOW_MAX ? BELOW_MAX : below;
        g->cooled[i] = (int32_t)((int64_t)g->below[i] * temperature / 65536);
    }
    find_frequencies(g->cooled, moves, g->learnt);
}

/* Returns the mean of numbers, weighted by frequencies. */
static int32_t mean_of(const uint32_t *frequency, const int32_t *numbers, unsigned moves)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < moves; i++)
        sum += (int64_t)frequency[i] * numbers[i];
    return (int32_t)(sum / PREDICT_TOTAL);
}

static void move_within(int32_t *value, int32_t by)
{
    int32_t moved = *value + by;
    *value = moved > LEARNT_MAX ? LEARNT_MAX : moved < -LEARNT_MAX ? -LEARNT_MAX : moved;
}

static void learn_temperature(adaptive *a, adaptive_game *g, unsigned side, unsigned played)
{
    unsigned moves = g->look.features.moves;
    int32_t uphill = mean_of(g->learnt, g->below, moves) - g->below[played];
    int32_t surprise = g->cooled[played] - mean_of(g->learnt, g->cooled, moves);
    move_within(&a->temperature[g->place], uphill / 32);
    move_within(&a->surprise_temperature[g->surprises], uphill / 64);
    g->surprise[side] += (surprise - g->surprise[side]) / 16;
}

/* ---- moves played earlier in the same position ---- */

/* Returns the entry of a count among four candidates, or the entry with the lowest count if there is no entry of this
 * count. An unused entry is zero: it has the tag 0, and used entries precede it. */
static uint32_t *find_count(adaptive *a, uint64_t hash, bool *found)
{
    uint32_t *four = a->counts + ((hash >> (64 - ADAPTIVE_COUNT_BITS)) & ~UINT64_C(3)), *least = four;
    uint32_t tag = (uint32_t)(hash & 0xFFFFF) << 12;
    for (unsigned k = 0; k < 4; k++) {
        *found = (four[k] & ~UINT32_C(0xFFF)) == tag;
        if (*found)
            return &four[k];
        least = (four[k] & 0xFFF) < (*least & 0xFFF) ? &four[k] : least;
    }
    return least;
}

static uint32_t count_of(adaptive *a, uint64_t hash)
{
    bool found;
    const uint32_t *count = find_count(a, hash, &found);
    return found ? *count & 0xFFF : 0;
}

static void count_one(adaptive *a, uint64_t hash)
{
    bool found;
    uint32_t *count = find_count(a, hash, &found);
    if (!found)
        *count = (uint32_t)(hash & 0xFFFFF) << 12;
    if ((*count & 0xFFF) < 0xFFF)
        ++*count;
}

STAMMA_INLINE uint64_t move_hash(uint64_t hash, const predict_move *m)
{
    return predict_mix(hash + 1 + m->vector % PREDICT_VECTORS);
}

static unsigned count_bucket(uint32_t count)
{
    unsigned bucket = count == 0 ? 0 : bits_last(count) + 1;
    return bucket > 15 ? 15 : bucket;
}

/* Returns the hash of the position and the player. */
STAMMA_INLINE uint64_t player_hash(const adaptive_game *g, unsigned side)
{
    return predict_mix(g->position_hash + g->players[side]);
}

/* For each move, computes the evidence of the player's counts compared with the prediction: log2 of (c + p / 2) /
 * ((n + 1/2) p). */
static void ask_player(adaptive *a, adaptive_game *g, unsigned side)
{
    uint64_t hash = player_hash(g, side);
    uint32_t count = g->players[side] == 0 ? 0 : count_of(a, hash);
    g->bucket[COUNTS_PLAYER] = count_bucket(count);
    for (unsigned i = 0; i < g->look.features.moves && count > 0; i++) {
        uint64_t some = count_of(a, move_hash(hash, &g->look.features.move[i]));
        g->bits[COUNTS_PLAYER][i] =
            log2_of((some << 17) + g->learnt[i]) - log2_of((2 * (uint64_t)count + 1) * g->learnt[i]);
    }
}

/* Computes the evidence of the book's counts in the same way: log2 of (c + 2 p) / ((n + 2) p). */
static void ask_book(const uint8_t *book, adaptive_game *g)
{
    book_entry e = stamma_book_find(book, g->position_hash);
    uint64_t count = UINT64_C(1) << (e.bucket + 3), share[STAMMA_MOVES_MAX + 4] = {0};
    unsigned moves = g->look.features.moves, fallen = 0;
    static const uint8_t falls[4] = {0, 1, 2, 4}; /* in half bits */
    g->bucket[COUNTS_BOOK] = e.bucket;
    if (e.bucket == 0)
        return;
    for (unsigned n = 0; n < e.moves; n++) {
        fallen += falls[e.bytes[n] >> 6];
        if ((e.bytes[n] & 63u) < moves)
            share[e.bytes[n] & 63] = (uint64_t)stamma_predict_power[fallen % 2 * 128] >> fallen / 2;
    }
    for (unsigned i = 0; i < moves; i++)
        g->bits[COUNTS_BOOK][i] = log2_of(share[i] * count + 2 * g->learnt[i]) - log2_of((count + 2) * g->learnt[i]);
}

static int32_t *weight_of(adaptive *a, const predict_game *game, const adaptive_game *g, unsigned whose)
{
    return &a->count_weight[whose][game->context.time != 0][g->bucket[whose]];
}

/* Computes frequencies from the learnt logits and all counts. */
static void weigh(adaptive *a, const predict_game *game, adaptive_game *g)
{
    unsigned moves = g->look.features.moves;
    int32_t logits[STAMMA_MOVES_MAX + 4], best = INT32_MIN;
    int64_t sums[STAMMA_MOVES_MAX + 4] = {0};
    for (unsigned whose = 0; whose < COUNTS; whose++) {
        int64_t weight = g->bucket[whose] ? *weight_of(a, game, g, whose) : 0;
        for (unsigned i = 0; i < moves && weight != 0; i++)
            sums[i] += weight * g->bits[whose][i];
    }
    for (unsigned i = 0; i < moves; i++) {
        logits[i] = (int32_t)(sums[i] / 65536) - g->cooled[i];
        best = logits[i] > best ? logits[i] : best;
    }
    int32_t below[STAMMA_MOVES_MAX + 4];
    for (unsigned i = 0; i < moves; i++)
        below[i] = best - logits[i];
    find_frequencies(below, moves, g->frequency);
}

static void learn_counts(adaptive *a, const predict_game *game, const adaptive_game *g, unsigned side, unsigned played)
{
    for (unsigned whose = 0; whose < COUNTS; whose++)
        if (g->bucket[whose])
            move_within(weight_of(a, game, g, whose),
                        (g->bits[whose][played] - mean_of(g->frequency, g->bits[whose], g->look.features.moves)) / 8);
    if (g->players[side] == 0 || game->ply >= PLIES_COUNTED)
        return;
    uint64_t hash = player_hash(g, side);
    count_one(a, hash);
    count_one(a, move_hash(hash, &g->look.features.move[played]));
}

/* ---- public functions ---- */

void stamma_adaptive_run(adaptive *a, const uint8_t *weights, const uint8_t *second, const predict_game *game,
                         const stamma_position *position)
{
    adaptive_game *g = &a->now;
    stamma_predict_run_both(weights, second, game, position, &g->look);
    g->frequency[0] = PREDICT_TOTAL;
    if (g->look.features.moves < 2)
        return;
    find_contexts(g, position->side);
    add_learnt_weights(a, g);
    find_place(g, game, position->side);
    cool(a, g);
    g->position_hash = stamma_position_hash(position);
    ask_player(a, g, position->side);
    ask_book(second + SECOND_SIZE, g);
    if (g->bucket[COUNTS_PLAYER] || g->bucket[COUNTS_BOOK])
        weigh(a, game, g);
    else
        memcpy(g->frequency, g->learnt, g->look.features.moves * sizeof g->frequency[0]);
}

void stamma_adaptive_learn(adaptive *a, const predict_game *game, const stamma_position *position, unsigned played)
{
    adaptive_game *g = &a->now;
    if (g->look.features.moves < 2)
        return;
    learn_weights(a, g, played);
    learn_temperature(a, g, position->side, played);
    learn_counts(a, game, g, position->side, played);
}
