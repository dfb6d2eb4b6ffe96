/* SPDX-License-Identifier: MIT */
/* Tests the predictor's public functions: stamma_predict and stamma_predict_game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

enum { PLIES_MAX = 8 };
static stamma_move moves[PLIES_MAX];

/* Plays UCI moves from the initial position and stores them in `moves`. Returns their number. */
static size_t play(const char *text)
{
    stamma_position position = stamma_position_start();
    size_t plies = 0;
    for (; *text; text += strcspn(text, " "), text += *text == ' ') {
        assert_int_equal(stamma_uci_read(&position, (stamma_text){text, strcspn(text, " ")}, &moves[plies]), STAMMA_OK);
        stamma_position_make(&position, moves[plies++], &position);
    }
    return plies;
}

static void need_weights(void)
{
    if (stamma_predictor_id() == 0)
        skip();
}

/* All legal moves are returned, most likely first. */
static void order(void **state)
{
    (void)state;
    need_weights();
    stamma_position start = stamma_position_start();
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    size_t count = 0, plies = play("e2e4 e7e5");
    uint32_t sum = 0;
    char san[STAMMA_SAN_SIZE];
    assert_int_equal(stamma_predict(&start, moves, plies, NULL, likely, &count), STAMMA_OK);
    assert_int_equal(count, 29);
    for (size_t n = 0; n < count; n++) {
        sum += likely[n].frequency;
        assert_true(n == 0 || likely[n].frequency <= likely[n - 1].frequency);
    }
    assert_int_equal(sum, STAMMA_PREDICT_TOTAL);
    for (size_t n = 0; n < plies; n++)
        stamma_position_make(&start, moves[n], &start);
    stamma_san_write(&start, likely[0].move, san, sizeof san);
    assert_string_equal(san, "Nf3");
}

/* The frequency of a move in a game equals its frequency in the prediction before that move. */
static void games(void **state)
{
    (void)state;
    need_weights();
    stamma_position start = stamma_position_start();
    size_t plies = play("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6");
    stamma_game_context context = {sizeof context, 2100, 1900, {"180+2", 5}, STAMMA_RESULT_WHITE, 61};
    uint32_t frequencies[PLIES_MAX];
    assert_int_equal(stamma_predict_game(&start, moves, plies, &context, frequencies), STAMMA_OK);
    for (size_t n = 0; n < plies; n++) {
        stamma_likely_move likely[STAMMA_MOVES_MAX];
        size_t count = 0, at = 0;
        assert_int_equal(stamma_predict(&start, moves, n, &context, likely, &count), STAMMA_OK);
        while (likely[at].move != moves[n])
            at++;
        assert_int_equal(likely[at].frequency, frequencies[n]);
    }
}

/* Counts calls, and stops at one of them. */
typedef struct calls {
    unsigned count, stop_at;
} calls;

static bool stop(void *context)
{
    calls *c = context;
    return ++c->count == c->stop_at;
}

/* The callback is called within a long game, and ends the call. */
static void stopped(void **state)
{
    (void)state;
    need_weights();
    enum { LONG = 4000 };
    static stamma_move many[LONG];
    static uint32_t frequencies[LONG], all[LONG];
    const stamma_position start = stamma_position_start();
    assert_int_equal(play("g1f3 g8f6 f3g1 f6g8"), 4);
    for (size_t n = 0; n < LONG; n++)
        many[n] = moves[n % 4];
    calls c = {.stop_at = 0};
    stamma_predict_options options = {.size = sizeof options, .context = &c, .stop = stop};
    assert_int_equal(stamma_predict_game(&start, many, LONG, NULL, all), STAMMA_OK);
    assert_int_equal(stamma_predict_game_with(&start, many, LONG, NULL, &options, frequencies), STAMMA_OK);
    assert_memory_equal(frequencies, all, sizeof all);
    assert_true(c.count >= LONG / 500);
    for (unsigned most = c.count, at = 1; at <= most; at++) {
        c = (calls){.stop_at = at};
        assert_int_equal(stamma_predict_game_with(&start, many, LONG, NULL, &options, frequencies),
                         STAMMA_ERROR_CANCELLED);
        assert_int_equal(c.count, at);
    }
    options = (stamma_predict_options){.size = 1};
    assert_int_equal(stamma_predict_game_with(&start, many, LONG, NULL, &options, frequencies),
                     STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_predict_game_with(&start, many, LONG, NULL, NULL, frequencies), STAMMA_OK);
    assert_memory_equal(frequencies, all, sizeof all);
}

/* The game's context changes the predictions. */
static void contexts(void **state)
{
    (void)state;
    need_weights();
    stamma_position start = stamma_position_start();
    stamma_game_context beginners = {sizeof beginners, 900, 900, {"60", 2}, STAMMA_RESULT_UNKNOWN, 0};
    stamma_game_context masters = {sizeof masters, 2700, 2700, {"5400+30", 7}, STAMMA_RESULT_UNKNOWN, 0};
    size_t plies = play("e2e4 e7e5 d1h5");
    uint32_t a[PLIES_MAX], b[PLIES_MAX];
    assert_int_equal(stamma_predict_game(&start, moves, plies, &beginners, a), STAMMA_OK);
    assert_int_equal(stamma_predict_game(&start, moves, plies, &masters, b), STAMMA_OK);
    assert_true(a[2] > 2 * b[2]);
}

/* A null move has the total frequency. After mate there are no moves. */
static void ends(void **state)
{
    (void)state;
    need_weights();
    stamma_position start = stamma_position_start();
    stamma_move null = STAMMA_MOVE_NULL;
    uint32_t frequency = 0;
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    size_t count = 99;
    assert_int_equal(stamma_predict_game(&start, &null, 1, NULL, &frequency), STAMMA_OK);
    assert_int_equal(frequency, STAMMA_PREDICT_TOTAL);
    assert_int_equal(stamma_predict(&start, moves, play("f2f3 e7e5 g2g4 d8h4"), NULL, likely, &count), STAMMA_OK);
    assert_int_equal(count, 0);
}

/* A game of any number of plies; numbers are limited, not truncated. */
static void long_games(void **state)
{
    (void)state;
    need_weights();
    stamma_position late = stamma_position_start();
    stamma_game_context context = {.size = sizeof context, .plies = UINT32_MAX};
    stamma_likely_move likely[2][STAMMA_MOVES_MAX];
    size_t count = 0;
    late.fullmove_number = 2;
    for (unsigned n = 0; n < 2; n++, context.plies--)
        assert_int_equal(stamma_predict(&late, NULL, 0, &context, likely[n], &count), STAMMA_OK);
    assert_int_equal(count, 20);
    for (size_t n = 0; n < count; n++)
        assert_true(likely[0][n].move == likely[1][n].move && likely[0][n].frequency == likely[1][n].frequency);
}

static void errors(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    stamma_move illegal = stamma_move_make(12, 36, 0);
    size_t count = 99;
    uint32_t frequency = 7;
    stamma_game_context context = {.size = sizeof context, .result = (stamma_result)4};
    assert_int_equal(stamma_predict(NULL, NULL, 0, NULL, likely, &count), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_predict(&start, NULL, 1, NULL, likely, &count), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_predict(&start, NULL, 0, NULL, NULL, &count), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_predict(&start, NULL, 0, NULL, likely, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_predict(&start, NULL, 0, &context, likely, &count), STAMMA_ERROR_BAD_ARGUMENT);
    context = (stamma_game_context){.size = 1};
    assert_int_equal(stamma_predict(&start, NULL, 0, &context, likely, &count), STAMMA_ERROR_BAD_ARGUMENT);
    context = (stamma_game_context){.size = sizeof context, .time_control = {NULL, 5}};
    assert_int_equal(stamma_predict(&start, NULL, 0, &context, likely, &count), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_predict_game(&start, &illegal, 1, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    need_weights();
    assert_int_equal(stamma_predict(&start, &illegal, 1, NULL, likely, &count), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_predict_game(&start, &illegal, 1, NULL, &frequency), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(count, 99);
    assert_int_equal(frequency, 7);
    stamma_position check;
    const stamma_text fen = stamma_text_of("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert_int_equal(stamma_fen_read(fen, &check, NULL, NULL), STAMMA_OK);
    illegal = STAMMA_MOVE_NULL; /* in check */
    assert_int_equal(stamma_predict_game(&check, &illegal, 1, NULL, &frequency), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(frequency, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),      cmocka_unit_test(games),  cmocka_unit_test(contexts), cmocka_unit_test(ends),
        cmocka_unit_test(long_games), cmocka_unit_test(errors), cmocka_unit_test(stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
