/* SPDX-License-Identifier: MIT */
/* Tests the predictor: it assigns frequencies to exactly the legal moves, and both builds agree on every platform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <xxhash.h>

#include "model/model.h"
#include "sample_positions.h"

enum { GAMES = 64, PLIES = 60 };

/* Walks through random games from all sample positions, with random contexts, and passes each position to a
 * function. */
typedef void seer(const stamma_position *position, const predict_game *game, void *context);

static predict_context any_context(uint64_t *seed)
{
    predict_context c = {{0, 0}, 0, 0, 0};
    if (random_next(seed) % 4 == 0)
        return c;
    for (unsigned n = 0; n < 2; n++)
        c.ratings[n] = (uint16_t)(random_next(seed) % 3400);
    c.time = (uint8_t)(random_next(seed) % (PREDICT_TIME_CLASSICAL + 1));
    c.result = (uint8_t)(random_next(seed) % 4);
    c.plies = (uint32_t)(random_next(seed) % 200);
    return c;
}

static void walk(uint64_t seed, seer *see, void *context)
{
    for (unsigned n = 0; n < GAMES; n++) {
        stamma_position position = position_of_fen(sample_starts[n % (sizeof sample_starts / sizeof *sample_starts)]);
        predict_context known = any_context(&seed);
        predict_game game;
        stamma_predict_begin(&game, &known, &position);
        for (unsigned ply = 0; ply < PLIES; ply++) {
            stamma_move moves[STAMMA_MOVES_MAX];
            size_t count = stamma_legal_moves(&position, moves);
            see(&position, &game, context);
            if (count == 0)
                break;
            bool passes = random_next(&seed) % 64 == 0 && !stamma_position_in_check(&position);
            stamma_move move = passes ? STAMMA_MOVE_NULL : moves[random_next(&seed) % count];
            stamma_predict_play(&game, &position, move);
            stamma_position_make(&position, move, &position);
        }
    }
}

static int by_move(const void *a, const void *b)
{
    return (int)*(const stamma_move *)a - (int)*(const stamma_move *)b;
}

static const uint8_t *need_weights(void)
{
    if (!stamma_predict_weights())
        skip();
    return stamma_predict_weights();
}

static void check_laws(const stamma_position *position, const predict_game *game, void *weights)
{
    prediction p;
    stamma_move legal[STAMMA_MOVES_MAX], predicted[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, legal);
    uint32_t sum = 0;
    stamma_predict_run(weights, game, position, &p);
    assert_int_equal(p.features.moves, count);
    for (unsigned n = 0; n < count; n++) {
        predicted[n] = p.features.move[n].move;
        assert_true(p.frequency[n] >= 1);
        sum += p.frequency[n];
        assert_int_equal(stamma_prediction_find(&p, predicted[n]), n);
    }
    assert_int_equal(sum, count ? PREDICT_TOTAL : 0);
    assert_int_equal(stamma_prediction_find(&p, STAMMA_MOVE_NULL), count);
    qsort(legal, count, sizeof *legal, by_move);
    qsort(predicted, count, sizeof *predicted, by_move);
    assert_memory_equal(legal, predicted, count * sizeof *legal);
}

static void laws(void **state)
{
    (void)state;
    walk(1, check_laws, (void *)need_weights());
}

#if STAMMA_HAVE_BMI2
static void check_builds(const stamma_position *position, const predict_game *game, void *weights)
{
    prediction a, b;
    stamma_predict_run_portable(weights, game, position, &a);
    stamma_predict_run_avx2(weights, game, position, &b);
    assert_int_equal(a.features.moves, b.features.moves);
    assert_int_equal(a.features.inputs, b.features.inputs);
    assert_memory_equal(a.features.input, b.features.input, a.features.inputs * sizeof *a.features.input);
    for (unsigned n = 0; n < a.features.moves; n++) {
        assert_memory_equal(&a.features.move[n], &b.features.move[n], sizeof a.features.move[n]);
        assert_int_equal(a.frequency[n], b.frequency[n]);
    }
}

/* Fills weights with values at their limits, which training never produces, for the largest possible sums. */
static void fill_extreme(uint8_t *weights, uint64_t seed)
{
    for (size_t n = 0; n < PREDICT_WEIGHTS; n++)
        weights[n] = (uint8_t)(random_next(&seed) & 1 ? 127 : -127);
    for (size_t n = 0; n < PREDICT_UNITS; n++)
        store_u16(weights + WEIGHT_FIRST_BIAS + 2 * n,
                  (uint16_t)(random_next(&seed) & 1 ? FIRST_BIAS_MAX : -FIRST_BIAS_MAX));
    for (size_t n = 0; n < PREDICT_PAIRS * PREDICT_OUTPUTS; n++)
        store_u16(weights + WEIGHT_SECOND + 2 * n, (uint16_t)(random_next(&seed) & 7 ? SECOND_MAX : -SECOND_MAX));
    for (size_t n = 0; n < PREDICT_OUTPUTS; n++)
        store_u32(weights + WEIGHT_SECOND_BIAS + 4 * n, (uint32_t)(n % 2 ? SECOND_BIAS_MAX : -SECOND_BIAS_MAX));
    for (size_t n = WEIGHT_VECTOR_BIAS; n < WEIGHT_HASHED; n += 2)
        store_u16(weights + n, (uint16_t)(random_next(&seed) & 1 ? TABLE_MAX : -TABLE_MAX));
}
#endif

static void portable_equals_vectors(void **state)
{
    (void)state;
#if STAMMA_HAVE_BMI2
    if (!stamma_cpu_has_avx2())
        skip();
    walk(2, check_builds, (void *)need_weights());
    uint8_t *weights = malloc(PREDICT_WEIGHTS);
    assert_non_null(weights);
    for (uint64_t seed = 0; seed < 3; seed++) {
        fill_extreme(weights, seed);
        walk(3 + seed, check_builds, weights);
        walk(3 + seed, check_laws, weights);
    }
    free(weights);
#else
    skip();
#endif
}

/* The header of the file of weights agrees with its parts, and the checksums with the bytes. */
static void weights_file(void **state)
{
    (void)state;
    const uint8_t *weights = need_weights(), *second = stamma_second_weights(), *head = weights - WEIGHTS_FILE_PREDICT;
    assert_int_equal((uintptr_t)head % 64, 0);
    assert_memory_equal(head, WEIGHTS_FILE_MAGIC, 8);
    assert_int_equal(load_u64(head + 8), WEIGHTS_FILE_VERSION);
    assert_int_equal(load_u64(head + 16), WEIGHTS_FILE_PREDICT);
    assert_int_equal(load_u64(head + 24), PREDICT_WEIGHTS);
    assert_ptr_equal(head + load_u64(head + 32), second);
    assert_int_equal(XXH64(weights, PREDICT_WEIGHTS, 0), stamma_predict_weights_id);
    assert_int_equal(XXH64(second, (size_t)load_u64(head + 40), 0), stamma_second_weights_id);
}

static int value16(size_t at)
{
    int value = load_u16(stamma_predict_weights() + at);
    return value < 32768 ? value : value - 65536;
}

/* Weights are within the limits that predict_net.inc relies on. */
static void weights_within_limits(void **state)
{
    (void)state;
    const uint8_t *weights = need_weights();
    for (size_t n = 0; n < WEIGHT_FIRST_BIAS; n++)
        assert_true(weights[n] != 128);
    for (size_t n = WEIGHT_VECTORS; n < WEIGHT_VECTOR_BIAS; n++)
        assert_true(weights[n] != 128);
    for (size_t n = 0; n < PREDICT_UNITS; n++)
        assert_true(abs(value16(WEIGHT_FIRST_BIAS + 2 * n)) <= FIRST_BIAS_MAX);
    for (size_t n = 0; n < PREDICT_PAIRS * PREDICT_OUTPUTS; n++)
        assert_true(abs(value16(WEIGHT_SECOND + 2 * n)) <= SECOND_MAX);
    for (size_t n = 0; n < PREDICT_OUTPUTS; n++) {
        int64_t bias = load_u32(weights + WEIGHT_SECOND_BIAS + 4 * n);
        bias -= bias > INT32_MAX ? INT64_C(1) << 32 : 0;
        assert_true(bias <= SECOND_BIAS_MAX && bias >= -SECOND_BIAS_MAX);
    }
    for (size_t n = WEIGHT_VECTOR_BIAS; n < WEIGHT_HASHED; n += 2)
        assert_true(abs(value16(n)) <= TABLE_MAX);
}

/* A position with reversed ranks and swapped colours has the same frequencies. */
static void mirrored(void **state)
{
    (void)state;
    const uint8_t *weights = need_weights();
    stamma_position white = position_of_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 7");
    stamma_position black = position_of_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 3 7");
    const predict_context of_white = {{2000, 1500}, PREDICT_TIME_BLITZ, STAMMA_RESULT_WHITE, 60};
    const predict_context of_black = {{1500, 2000}, PREDICT_TIME_BLITZ, STAMMA_RESULT_BLACK, 60};
    predict_game game;
    prediction a, b;
    stamma_predict_begin(&game, &of_white, &white);
    stamma_predict_run(weights, &game, &white, &a);
    stamma_predict_begin(&game, &of_black, &black);
    stamma_predict_run(weights, &game, &black, &b);
    assert_int_equal(a.features.moves, 48);
    assert_int_equal(b.features.moves, 48);
    for (unsigned n = 0; n < 48; n++) {
        stamma_move move = a.features.move[n].move;
        assert_int_equal(
            b.features.move[n].move,
            stamma_move_make(stamma_move_from(move) ^ 56u, stamma_move_to(move) ^ 56u, stamma_move_flags(move)));
        assert_int_equal(a.frequency[n], b.frequency[n]);
    }
}

/* Obvious moves are likely. */
static void likely(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *uci;
        unsigned percent;
    } known[] = {
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", "g1f3", 30},       /* 1. e4 e5 */
        {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 30}, /* mate in one */
        {"4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", 80},                                   /* captures a queen */
    };
    const predict_context nothing = {{0, 0}, 0, 0, 0};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        stamma_move move;
        prediction p;
        predict_game game;
        assert_int_equal(stamma_uci_read(&position, text_of(known[n].uci), &move), STAMMA_OK);
        stamma_predict_begin(&game, &nothing, &position);
        stamma_predict_run(need_weights(), &game, &position, &p);
        assert_true(p.frequency[stamma_prediction_find(&p, move)] * 100 / PREDICT_TOTAL >= known[n].percent);
    }
}

/* 65535 x 2^(-n / 256), rounded: compares the table with the C library's powers. */
static void powers(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 256; n++)
        assert_int_equal(stamma_predict_power[n], (int)(65535 * exp2(-(double)n / 256) + 0.5));
}

static void add_checksum(const stamma_position *position, const predict_game *game, void *context)
{
    prediction p;
    uint8_t bytes[6];
    stamma_predict_run(stamma_predict_weights(), game, position, &p);
    for (unsigned n = 0; n < p.features.moves; n++) {
        store_u16(bytes, p.features.move[n].move);
        store_u32(bytes + 2, p.frequency[n]);
        *(uint64_t *)context = XXH64(bytes, sizeof bytes, *(uint64_t *)context);
    }
}

/* The frequencies for these weights must be the same for every compiler, processor and byte order. */
static void golden(void **state)
{
    (void)state;
    uint64_t sum = stamma_predict_weights_id;
    need_weights();
    walk(6, add_checksum, &sum);
    assert_int_equal(sum, UINT64_C(0x180a81305db98e25));
}

static void time_classes(void **state)
{
    (void)state;
    static const struct {
        const char *control;
        predict_time time;
    } known[] = {
        {"", PREDICT_TIME_UNKNOWN},          {"?", PREDICT_TIME_UNKNOWN},
        {"-", PREDICT_TIME_CORRESPONDENCE},  {"15", PREDICT_TIME_ULTRA_BULLET},
        {"59+0", PREDICT_TIME_ULTRA_BULLET}, {"60+0", PREDICT_TIME_BULLET},
        {"60+3", PREDICT_TIME_BLITZ},        {"180+2", PREDICT_TIME_BLITZ},
        {"480", PREDICT_TIME_RAPID},         {"600+5", PREDICT_TIME_RAPID},
        {"900+15", PREDICT_TIME_CLASSICAL},  {"1/86400", PREDICT_TIME_CORRESPONDENCE},
        {"0+0", PREDICT_TIME_UNKNOWN},       {"99999999999999999999", PREDICT_TIME_CLASSICAL},
    };
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        assert_int_equal(stamma_predict_time(text_of(known[n].control)), known[n].time);
}

/* Runs only the tests whose names match PREDICT_TESTS, if it is defined. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),         cmocka_unit_test(portable_equals_vectors),
        cmocka_unit_test(weights_file), cmocka_unit_test(weights_within_limits),
        cmocka_unit_test(mirrored),     cmocka_unit_test(likely),
        cmocka_unit_test(powers),       cmocka_unit_test(golden),
        cmocka_unit_test(time_classes),
    };
#ifdef PREDICT_TESTS
    cmocka_set_test_filter(PREDICT_TESTS);
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
