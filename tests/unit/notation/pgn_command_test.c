/* SPDX-License-Identifier: MIT */
/* Tests clocks and evaluations in comments: every spelling, and texts that only resemble them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "notation/notation.h"

static stamma_text text_of(const char *string)
{
    return (stamma_text){string, strlen(string)};
}

static void clocks(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        int64_t ms;
    } vectors[] = {{"[%clk 0:10:02.5]", 602500},
                   {" good [%eval 0.3] [%clk 1:02:03] ", 3723000},
                   {"[%clk\n0:00:01.1]", 1100},             /* a wrapped line */
                   {"[%clk 0:00:02] [%clk 0:00:01]", 2000}, /* the first of two */
                   {"[%clk 123456:59:59]", INT64_C(444445199000)},
                   {"[%clk 1:30]", 90000}, /* minutes and seconds */
                   {"[%clk 90:00]", 5400000},
                   {"[%clk 45]", 45000},
                   {"[%clk 00:00:45,6]", 45600},
                   {"[%clk x] [%clk 0:00:03]", 3000}, /* the first valid time */
                   {"d=28, mt=94800, tl=1708200, wv=0.23", 1708200},
                   {"tl=00:00:57,", 57000},
                   {"tl=1.5.2", -1},
                   {"xtl=5", -1},
                   {"tl=", -1},
                   {"[%clk 1:2:3:4]", -1},
                   {"[%clk 1:234]", -1},
                   {"[%clk -1:00]", -1},
                   {"[%clk 1:]", -1},
                   {"[%emt 0:00:05]", -1},
                   {"[%clk 0:00:01", -1},
                   {"[%clk 0:00:01 x]", -1},
                   {"[%clks 0:00:01]", -1},
                   {"", -1}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        assert_int_equal(stamma_clock_read(text_of(vectors[i].comment)), vectors[i].ms);
}

static void times_spent(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        int64_t ms;
    } vectors[] = {{"[%emt 0:00:05]", 5000},
                   {"[%clk 0:00:58][%emt 0:00:01]", 1000},
                   {"[%emt 0.01]", 10},
                   {"[%emt 0]", 0},
                   {"[%emt 43.217]", 43217},
                   {"[%emt 0:00:02,5]", 2500},
                   {"-1.15/19 0.609s", 609},
                   {"-1.15/19, 0.609s", 609},
                   {"+0.31/18 1.2s, pv=e4 e5", 1200},
                   {"-M3/17, 0.158s", 158},
                   {" +0.02/16 3.4s, ev=0.02, d=16, mt=00:00:03, tl=00:00:57", 3400},
                   {"0.00/1 0s", 0},
                   {"+0.31/12 1.2s [%emt 0:00:02]", 2000}, /* a command has priority */
                   {"d=28, sd=28, mt=94800, tl=1708200", 94800},
                   {"mt=00:01:03,", 63000},
                   {"+0.31/12 1.2sec", -1},
                   {"+0.31/12", -1},
                   {"+0.31/12,1.2s", -1},
                   {"[%clk 0:00:58]", -1},
                   {"book", -1},
                   {"", -1}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (stamma_time_spent_read(text_of(vectors[i].comment)) != vectors[i].ms)
            fail_msg("\"%s\"", vectors[i].comment);
}

enum { NONE = STAMMA_EVALUATION_NONE, PAWNS = STAMMA_EVALUATION_CENTIPAWNS, MATE = STAMMA_EVALUATION_MATE };

/* `value` is for a comment on White's move. `turns`: on Black's move the sign is reversed. */
typedef struct vector {
    const char *comment;
    int kind;
    int32_t value;
    bool turns;
} vector;

static void check(const vector *vectors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const vector *v = &vectors[i];
        stamma_evaluation white = stamma_evaluation_read(text_of(v->comment), STAMMA_WHITE);
        stamma_evaluation black = stamma_evaluation_read(text_of(v->comment), STAMMA_BLACK);
        if ((int)white.kind != v->kind || white.value != v->value || (int)black.kind != v->kind ||
            black.value != (v->turns ? -v->value : v->value))
            fail_msg("\"%s\": %d %d, %d %d", v->comment, (int)white.kind, white.value, (int)black.kind, black.value);
    }
}

static void commands(void **state)
{
    (void)state;
    static const vector vectors[] = {
        {"[%eval 0.31,20]", PAWNS, 31, false},
        {"[%eval -1.05][%clk 1:00:00]", PAWNS, -105, false},
        {"[%eval #-3]", MATE, -3, false},
        {"[%eval #+12]", MATE, 12, false},
        {"[%eval .07]", PAWNS, 7, false},
        {"[%eval 3]", PAWNS, 300, false},
        {"[%eval 0.5] wv=0.7", PAWNS, 50, false}, /* a command has priority */
        {"+0.31/12 1.2s [%eval 0.5]", PAWNS, 50, false},
        {"[%eval x]", NONE, 0, false},
        {"[%eval x] [%eval 0.2]", PAWNS, 20, false},
        {"[%eval 1.2.3]", NONE, 0, false},
        {"[%evaluation 1]", NONE, 0, false},
    };
    check(vectors, sizeof vectors / sizeof *vectors);
}

static void engines(void **state)
{
    (void)state;
    static const vector vectors[] = {
        {"+0.31/12 1.2s", PAWNS, 31, true},
        {"-0.03/26 0.55s, ev=-0.03, d=26", PAWNS, -3, true},
        {" 0.00/1 0s ", PAWNS, 0, true},
        {"-12.50/131\n0.018s,\nnice", PAWNS, -1250, true},
        {"-1.15/19, 0.609s", PAWNS, -115, true}, /* fastchess */
        {"-M3/17, 0.158s", MATE, -2, true},
        {"0.00/1 0.000s, Black makes an illegal move: a1a1", PAWNS, 0, true},
        {"+M1/11 0.017s", MATE, 1, true}, /* plies: 1, 3 and 4 */
        {"+M3/12 0.017s", MATE, 2, true},
        {"-M4/12 0.017s", MATE, -2, true},
        {"-0.21/16 2.2s, ev=-0.21, pv=Re1 Kb7, R50=50, wv=0.21", PAWNS, 21, false}, /* "wv" is from White's side */
        {"d=25, sd=49, pv=Bb5 a6, tb=0, wv=0.12, R50=49, mb=+0-1,", PAWNS, 12, false},
        {"d=1,wv=-M10,", MATE, -5, false},
        {"wv=M1", MATE, 1, false},
        {"wv=1000.00,", PAWNS, 100000, false},
    };
    check(vectors, sizeof vectors / sizeof *vectors);
}

static void nothing(void **state)
{
    (void)state;
    static const vector vectors[] = {
        {"0.28", NONE, 0, false}, /* side unknown */
        {"+0.31", NONE, 0, false},
        {"+0.31/12", NONE, 0, false},
        {"+0.31/12 5", NONE, 0, false}, /* no unit */
        {"+0.31/12 1.2sec", NONE, 0, false},
        {"+0.3/12 1.2s", NONE, 0, false}, /* two digits */
        {"+0.312/12 1.2s", NONE, 0, false},
        {"31/12 1.2s", NONE, 0, false},
        {"+0.31/1234 1.2s", NONE, 0, false},
        {"0.50/40 30s was the time control", PAWNS, 50, true}, /* a limit of the grammar */
        {"Black is better: -0.42/18 3s", NONE, 0, false},      /* not at the beginning */
        {"(Rc1) +0.50/18 20s", NONE, 0, false},                /* the side depends on an option of Arena */
        {"-0.42 / +0.76", NONE, 0, false},
        {"Stockfish 6: 16:+0.50", NONE, 0, false},
        {"M3/12 nothing", NONE, 0, false},
        {"+M0/12 1.2s", NONE, 0, false},
        {"wv", NONE, 0, false},
        {"wv=", NONE, 0, false},
        {"wv=0.1", NONE, 0, false},
        {"wv=0.123", NONE, 0, false},
        {"wv=0.12x", NONE, 0, false},
        {"xwv=0.12", NONE, 0, false},
        {"wv=book", NONE, 0, false},
        {"wv=12345678.00", NONE, 0, false},
        {"ev=0.12, d=9", NONE, 0, false},
        {"", NONE, 0, false},
    };
    check(vectors, sizeof vectors / sizeof *vectors);
}

/* Every prefix of a comment is read within bounds. A prefix is an evaluation only if its score is complete. */
static void cut_short(void **state)
{
    (void)state;
    static const char *const comments[] = {"-12.50/131 0.018s", "d=1, wv=-M10, x", "[%eval #-3,12]",
                                           "[%clk 0:00:01.5]"};
    for (size_t i = 0; i < 4; i++)
        for (size_t size = 0; size < strlen(comments[i]); size++) {
            char copy[32];
            memset(copy, '9', sizeof copy);
            memcpy(copy, comments[i], size);
            stamma_evaluation e = stamma_evaluation_read((stamma_text){copy, size}, STAMMA_WHITE);
            assert_int_equal(e.kind, i == 1 && size >= 11 ? MATE : NONE);
            assert_int_equal(stamma_clock_read((stamma_text){copy, size}), -1);
            assert_int_equal(stamma_time_spent_read((stamma_text){copy, size}), -1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks),  cmocka_unit_test(times_spent), cmocka_unit_test(commands),
        cmocka_unit_test(engines), cmocka_unit_test(nothing),     cmocka_unit_test(cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
