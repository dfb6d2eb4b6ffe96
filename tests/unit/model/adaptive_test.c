/* SPDX-License-Identifier: MIT */
/* Tests the adaptive predictor: coded moves decode to the same moves, the portable and vector builds agree, and the
 * frequencies are the same on every platform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <xxhash.h>

#include "model/model.h"
#include "sample_positions.h"

enum { GAMES = 48, PLIES = 70 };

static void need_weights(void)
{
    if (!stamma_predict_weights() || !stamma_second_weights())
        skip();
}

static adaptive *new_adaptive(void)
{
    adaptive *a = malloc(sizeof *a);
    assert_non_null(a);
    stamma_adaptive_reset(a);
    return a;
}

/* A random game: from a sample position, or from the initial position with mostly likely moves. A game from the initial
 * position exercises the opening book, the players and repetitions. */
typedef struct random_game {
    stamma_position start;
    predict_context context;
    uint64_t players[2];
    stamma_move moves[PLIES];
    unsigned plies;
} random_game;

static stamma_move choose(const stamma_position *position, const predict_game *game, bool likely, uint64_t *seed)
{
    static prediction p;
    stamma_predict_run(stamma_predict_weights(), game, position, &p);
    if (p.features.moves == 0)
        return STAMMA_MOVE_NULL;
    unsigned best = 0, number = (unsigned)(random_next(seed) % p.features.moves);
    for (unsigned n = 0; n < p.features.moves; n++)
        best = p.frequency[n] > p.frequency[best] ? n : best;
    return p.features.move[likely && random_next(seed) % 4 ? best : number].move;
}

static random_game make_game(unsigned number, uint64_t *seed)
{
    random_game g = {.start = stamma_position_start(), .plies = 0};
    bool likely = number % 2;
    if (!likely)
        g.start = position_of_fen(sample_starts[number / 2 % (sizeof sample_starts / sizeof *sample_starts)]);
    g.context = (predict_context){{(uint16_t)(random_next(seed) % 3000), 1500},
                                  (uint8_t)(random_next(seed) % (PREDICT_TIME_CLASSICAL + 1)),
                                  (uint8_t)(random_next(seed) % 4),
                                  (uint32_t)(random_next(seed) % 2 * PLIES)};
    for (unsigned side = 0; side < 2; side++)
        g.players[side] = random_next(seed) % 3;
    stamma_position position = g.start;
    predict_game game;
    stamma_predict_begin(&game, &g.context, &position);
    for (; g.plies < PLIES; g.plies++) {
        stamma_move move = choose(&position, &game, likely, seed);
        if (move == STAMMA_MOVE_NULL)
            break;
        g.moves[g.plies] = move;
        stamma_predict_play(&game, &position, move);
        stamma_position_make(&position, move, &position);
    }
    return g;
}

static void comes_back(void **state)
{
    (void)state;
    need_weights();
    adaptive *a = new_adaptive();
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    range_encoder e;
    range_decoder d;
    move_coder c;
    static random_game games[GAMES];
    uint64_t seed = 1;
    stamma_range_encode_begin(&e, &out);
    for (unsigned n = 0; n < GAMES; n++) {
        random_game *g = &games[n];
        *g = make_game(n, &seed);
        stamma_move_coder_begin_adaptive(&c, a, &g->context, g->players, &g->start);
        for (unsigned ply = 0; ply < g->plies; ply++)
            assert_true(stamma_move_encode(&c, g->moves[ply], &e));
    }
    stamma_range_encode_end(&e);
    assert_false(out.failed);
    stamma_range_decode_begin(&d, out.data, out.size);
    stamma_adaptive_reset(a);
    for (unsigned n = 0; n < GAMES; n++) {
        const random_game *g = &games[n];
        stamma_move_coder_begin_adaptive(&c, a, &g->context, g->players, &g->start);
        for (unsigned ply = 0; ply < g->plies; ply++)
            assert_int_equal(stamma_move_decode(&c, &d), g->moves[ply]);
    }
    assert_true(stamma_range_decode_is_exact(&d));
    stamma_buffer_release(&out);
    free(a);
}

/* Surprises beyond the range of the buckets are counted in the buckets at its ends: 0 for White, 15 for Black. */
static void surprises_are_limited(void **state)
{
    const predict_context context = {{0, 0}, 0, 0, 0};
    const uint64_t players[2] = {0, 0};
    const stamma_position start = stamma_position_start();
    (void)state;
    need_weights();
    for (int32_t bits = 4; bits <= 400; bits *= 10) {
        adaptive *a = new_adaptive();
        move_coder c;
        stamma_move_coder_begin_adaptive(&c, a, &context, players, &start);
        a->now.surprise[STAMMA_WHITE] = -bits * SECOND_LOGIT_ONE;
        a->now.surprise[STAMMA_BLACK] = bits * SECOND_LOGIT_ONE;
        assert_int_equal(stamma_move_coder_look(&c), 20);
        assert_int_equal(a->now.surprises, 0 * 16 + 15);
        free(a);
    }
}

/* The counts of a position and of its moves have 12 bits. They stay at their largest values: another game neither
 * resets them to 0 nor changes the hash above them. */
static void counts_are_limited(void **state)
{
    enum { LIMIT = 4095, GAMES_AFTER = 3 };
    const predict_context context = {{0, 0}, 0, 0, 0};
    const uint64_t players[2] = {1, 2};
    const stamma_position start = stamma_position_start();
    (void)state;
    need_weights();
    adaptive *a = new_adaptive();
    predict_game game;
    size_t largest = 0, others = 0;
    stamma_predict_begin(&game, &context, &start);
    for (unsigned n = 0; n < LIMIT + GAMES_AFTER; n++) {
        stamma_adaptive_begin(a, players);
        stamma_adaptive_run(a, stamma_predict_weights(), stamma_second_weights(), &game, &start);
        assert_int_equal(a->now.bucket[COUNTS_PLAYER], n == 0 ? 0 : bits_last(n < LIMIT ? n : LIMIT) + 1);
        assert_true(n == 0 || a->now.bits[COUNTS_PLAYER][0] > a->now.bits[COUNTS_PLAYER][1]);
        stamma_adaptive_learn(a, &game, &start, 0);
    }
    for (size_t n = 0; n < sizeof a->counts / sizeof *a->counts; n++) {
        largest += (a->counts[n] & 0xFFF) == LIMIT;
        others += a->counts[n] != 0 && (a->counts[n] & 0xFFF) != LIMIT;
    }
    assert_int_equal(largest, 2); /* the position and the move */
    assert_int_equal(others, 0);
    free(a);
}

/* The checksum of all frequencies for fixed games must be the same on every platform. */
static void golden(void **state)
{
    (void)state;
    need_weights();
    adaptive *a = new_adaptive();
    XXH64_state_t *hash = XXH64_createState();
    uint64_t seed = 2;
    XXH64_reset(hash, 0);
    for (unsigned n = 0; n < GAMES; n++) {
        random_game g = make_game(n, &seed);
        predict_game game;
        stamma_position position = g.start;
        stamma_predict_begin(&game, &g.context, &position);
        stamma_adaptive_begin(a, g.players);
        for (unsigned ply = 0; ply < g.plies; ply++) {
            stamma_adaptive_run(a, stamma_predict_weights(), stamma_second_weights(), &game, &position);
            unsigned played = 0, count = a->now.look.features.moves;
            uint32_t sum = 0;
            while (a->now.look.features.move[played].move != g.moves[ply])
                played++;
            for (unsigned i = 0; i < count; i++) {
                uint8_t bytes[4];
                assert_true(a->now.frequency[i] >= 1);
                sum += a->now.frequency[i];
                store_u32(bytes, a->now.frequency[i]);
                XXH64_update(hash, bytes, sizeof bytes);
            }
            assert_int_equal(sum, PREDICT_TOTAL);
            stamma_adaptive_learn(a, &game, &position, played);
            stamma_predict_play(&game, &position, g.moves[ply]);
            stamma_position_make(&position, g.moves[ply], &position);
        }
    }
    assert_int_equal(XXH64_digest(hash), UINT64_C(0x7db6ea9e82a8f905));
    XXH64_freeState(hash);
    free(a);
}

#if STAMMA_HAVE_BMI2
static void check_builds(const uint8_t *second)
{
    static second_prediction a, b;
    uint64_t seed = 3;
    for (unsigned n = 0; n < GAMES; n++) {
        random_game g = make_game(n, &seed);
        predict_game game;
        stamma_position position = g.start;
        stamma_predict_begin(&game, &g.context, &position);
        memset(&a.memory, 0, sizeof a.memory);
        memset(&b.memory, 0, sizeof b.memory);
        for (unsigned ply = 0; ply < g.plies; ply++) {
            stamma_predict_run_both_portable(stamma_predict_weights(), second, &game, &position, &a);
            stamma_predict_run_both_avx2(stamma_predict_weights(), second, &game, &position, &b);
            assert_int_equal(a.features.moves, b.features.moves);
            for (unsigned i = 0; a.features.moves > 1 && i < a.features.moves; i++) {
                assert_int_equal(a.logits[i], b.logits[i]);
                assert_memory_equal(a.rows[i], b.rows[i], sizeof a.rows[i]);
                for (unsigned k = 0; k < SECOND_TABLES; k++)
                    assert_true(second_begins[k] + a.rows[i][k] < second_begins[k + 1]);
            }
            stamma_predict_play(&game, &position, g.moves[ply]);
            stamma_position_make(&position, g.moves[ply], &position);
        }
    }
}
#endif

/* Includes weights at their limits, which training never produces, for the largest possible sums. */
static void portable_equals_vectors(void **state)
{
    (void)state;
    need_weights();
#if STAMMA_HAVE_BMI2
    if (!stamma_cpu_has_avx2())
        skip();
    check_builds(stamma_second_weights());
    check_builds(NULL);
    uint8_t *extreme = malloc(SECOND_SIZE);
    assert_non_null(extreme);
    for (uint64_t seed = 0; seed < 2; seed++) {
        memset(extreme, seed ? 127 : 129, SECOND_SIZE);
        for (size_t n = 0; n < SECOND_UNITS * PREDICT_OUTPUTS; n++)
            store_u16(extreme + SECOND_CONTEXT + 2 * n, (uint16_t)(seed ? SECOND_CONTEXT_MAX : -SECOND_CONTEXT_MAX));
        for (size_t n = 0; n < SECOND_UNITS; n++)
            store_u16(extreme + SECOND_OUTPUT + 2 * n, (uint16_t)(n % 5 ? SECOND_OUTPUT_MAX : -SECOND_OUTPUT_MAX));
        check_builds(extreme);
    }
    free(extreme);
#else
    skip();
#endif
}

/* Any bytes decode to legal moves, for as many plies as requested. */
static void any_bytes(void **state)
{
    (void)state;
    need_weights();
    adaptive *a = new_adaptive();
    const predict_context unknown = {{0, 0}, 0, 0, 0};
    const uint64_t players[2] = {1, 2};
    uint8_t bytes[300];
    uint64_t seed = 4;
    for (unsigned n = 0; n < 40; n++) {
        move_coder c;
        range_decoder d;
        stamma_position start = stamma_position_start();
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(n == 0 ? 0 : n == 1 ? 255 : random_next(&seed));
        stamma_range_decode_begin(&d, bytes, sizeof bytes);
        stamma_move_coder_begin_adaptive(&c, a, &unknown, players, &start);
        for (unsigned ply = 0; ply < 400; ply++) {
            stamma_position before = c.position;
            stamma_move move = stamma_move_decode(&c, &d);
            if (move == STAMMA_MOVE_NULL) {
                assert_int_equal(stamma_legal_moves_count(&before), 0);
                break;
            }
            assert_true(stamma_move_is_legal(&before, move));
        }
    }
    free(a);
}

static void book_knows_the_beginning(void **state)
{
    (void)state;
    need_weights();
    stamma_position start = stamma_position_start();
    book_entry e = stamma_book_find(stamma_second_weights() + SECOND_SIZE, stamma_position_hash(&start));
    assert_int_equal(e.bucket, 15);
    assert_true(e.moves >= 4);
    assert_int_equal(e.bytes[0] >> 6, 2); /* 1. e4: a share of about one half */
    start.castling[0][0] = STAMMA_SQUARE_NONE;
    assert_int_equal(stamma_book_find(stamma_second_weights() + SECOND_SIZE, stamma_position_hash(&start)).bucket, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(surprises_are_limited),
        cmocka_unit_test(golden),
        cmocka_unit_test(portable_equals_vectors),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(book_knows_the_beginning),
        cmocka_unit_test(counts_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
