/* SPDX-License-Identifier: MIT */
/* Tests ratings, results, dates and time controls in tags, with a table of unusual values for each. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "notation/notation.h"

static stamma_text text(const char *string)
{
    return (stamma_text){string, strlen(string)};
}

static void ratings(void **state)
{
    static const struct {
        const char *value;
        unsigned rating;
    } rows[] = {{"2500", 2500}, {"1", 1},      {"9999", 9999}, {" 2400 ", 2400}, {"\t2400", 2400}, {"1500?", 1500},
                {" 1500? ", 1500}, {"2500x", 0}, {"x2500", 0},  {"25 00", 0},     {"", 0},          {" ", 0},
                {"?", 0},       {"-", 0},      {"0", 0},       {"0000", 0},      {"10000", 0},     {"02500", 0},
                {"+2500", 0},   {"-2500", 0},  {"2500.5", 0},  {"2500??", 0},    {"unr", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (stamma_rating_read(text(rows[i].value)) != rows[i].rating)
            fail_msg("\"%s\"", rows[i].value);
    assert_int_equal(stamma_rating_read((stamma_text){NULL, 0}), 0);
}

static void results(void **state)
{
    static const char *const others[] = {"", "1-0 ", "0.5", "0-0", "draw", "1-O", "*1-0", "1-0F", "+--", "0.5-0.50"};
    static const char *const draws[] = {"1/2", "0.5-0.5", "\302\275-\302\275", "\275-\275", "\302\275", "\275"};
    (void)state;
    for (unsigned n = 0; n < RESULTS; n++)
        assert_int_equal(stamma_result_read(text(stamma_result_text((stamma_result)n))), n);
    assert_string_equal(stamma_result_text(STAMMA_RESULT_DRAW), "1/2-1/2");
    assert_string_equal(stamma_result_text((stamma_result)7), "*");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(stamma_result_read(text(others[i])), STAMMA_RESULT_UNKNOWN);
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
        assert_int_equal(stamma_result_read(text(draws[i])), STAMMA_RESULT_DRAW);
        assert_int_equal(stamma_result_find(text(draws[i])), RESULTS); /* the format has only four words */
    }
}

static void results_of_games(void **state)
{
    static const struct {
        const char *tag, *movetext;
        int result;
    } rows[] = {{"1-0", "0-1", STAMMA_RESULT_WHITE},    {"*", "0-1", STAMMA_RESULT_UNKNOWN},
                {"", "0-1", STAMMA_RESULT_BLACK},       {"1-0F", "1-0", STAMMA_RESULT_WHITE},
                {"0.5-0.5", "", STAMMA_RESULT_DRAW},    {"0.5-0.5", "*", STAMMA_RESULT_DRAW},
                {"0.5-0.5", "1-0", STAMMA_RESULT_WHITE}, {"", "0.5-0.5", STAMMA_RESULT_DRAW},
                {"?", "", STAMMA_RESULT_UNKNOWN},       {"", "", STAMMA_RESULT_UNKNOWN}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(stamma_result_of_game(text(rows[i].tag), text(rows[i].movetext)), rows[i].result);
    assert_int_equal(stamma_result_of_game((stamma_text){NULL, 0}, (stamma_text){NULL, 0}), STAMMA_RESULT_UNKNOWN);
}

static void dates(void **state)
{
    static const struct {
        const char *value;
        uint32_t first, last; /* 0: not a date */
        unsigned year, month, day;
    } rows[] = {{"2010.05.31", 20100531, 20100531, 2010, 5, 31},
                {"2010-05-31", 20100531, 20100531, 2010, 5, 31},
                {"2010/05/31", 20100531, 20100531, 2010, 5, 31},
                {" 2010.05.31 ", 20100531, 20100531, 2010, 5, 31},
                {"2010.05.31 20:15", 20100531, 20100531, 2010, 5, 31},
                {"2010-05-31T20:15", 20100531, 20100531, 2010, 5, 31},
                {"2010.5.3", 20100503, 20100503, 2010, 5, 3},
                {"2010.05", 20100501, 20100531, 2010, 5, 0},
                {"2010.05.??", 20100501, 20100531, 2010, 5, 0},
                {"2010", 20100101, 20101231, 2010, 0, 0},
                {"2010 (May)", 20100101, 20101231, 2010, 0, 0},
                {"2010.05T20:15", 20100501, 20100531, 2010, 5, 0},
                {"2010.??.??", 20100101, 20101231, 2010, 0, 0},
                {"2010.??.15", 20100115, 20101215, 2010, 0, 0},
                {"2010.1?.??", 20101001, 20101231, 2010, 0, 0},
                {"2010.05.3?", 20100530, 20100531, 2010, 5, 0},
                {"2010.05.0?", 20100501, 20100509, 2010, 5, 0},
                {"2010.13.01", 20100101, 20101201, 2010, 0, 0},
                {"2010.00.00", 20100101, 20101231, 2010, 0, 0},
                {"2010.05.00", 20100501, 20100531, 2010, 5, 0},
                {"2010.05.32", 20100501, 20100531, 2010, 5, 0},
                {"2010.02.30", 20100201, 20100228, 2010, 2, 0},
                {"2010.02.29", 20100201, 20100228, 2010, 2, 0},
                {"2012.02.29", 20120229, 20120229, 2012, 2, 29},
                {"2000-2-29", 20000229, 20000229, 2000, 2, 29},
                {"1900.02.29", 19000201, 19000228, 1900, 2, 0},
                {"2010.04.31", 20100401, 20100430, 2010, 4, 0},
                {"2010.04.3?", 20100430, 20100430, 2010, 4, 0},
                {"2010.??.31", 20100131, 20101231, 2010, 0, 0},
                {"201?.02.29", 20100229, 20190229, 0, 0, 0},
                {"201?.??.??", 20100101, 20191231, 0, 0, 0},
                {"2???", 20000101, 29991231, 0, 0, 0},
                {"????.??.??", 0, 0, 0, 0, 0},
                {"?", 0, 0, 0, 0, 0},
                {"", 0, 0, 0, 0, 0},
                {"12010.05.31", 0, 0, 0, 0, 0},
                {"201.05.31", 0, 0, 0, 0, 0},
                {"20100531", 0, 0, 0, 0, 0},
                {"2010x05.31", 0, 0, 0, 0, 0},
                {"2010.005.31", 0, 0, 0, 0, 0},
                {"2010.05.311", 0, 0, 0, 0, 0},
                {"2010.May.31", 0, 0, 0, 0, 0},
                {"2010..31", 0, 0, 0, 0, 0},
                {"2010.05.31x", 0, 0, 0, 0, 0},
                {"31.05.2010", 0, 0, 0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stamma_date d = {.first = 7};
        bool found = stamma_date_read(text(rows[i].value), &d);
        bool right = found ? d.first == rows[i].first && d.last == rows[i].last && d.year == rows[i].year &&
                                 d.month == rows[i].month && d.day == rows[i].day
                           : rows[i].first == 0 && d.first == 7;
        if (!right)
            fail_msg("\"%s\": %u to %u, %u %u %u", rows[i].value, d.first, d.last, d.year, d.month, d.day);
    }
}

static void speeds(void **state)
{
    static const struct {
        const char *value, *speed;
    } rows[] = {{"15+0", "ultraBullet"},    {"29", "ultraBullet"},        {"30", "bullet"},      {"45+0", "bullet"},
                {"60+1", "bullet"},         {"180", "blitz"},             {"180+2", "blitz"},    {"479", "blitz"},
                {"480", "rapid"},           {"600+5", "rapid"},           {"1500", "classical"},
                {"40/7200:3600", "classical"}, {"40/7200+30", "classical"}, {"-", "correspondence"},
                {"86400", "correspondence"},
                {"1/86400", "correspondence"}, {"99999999999", "correspondence"}, {"?", ""},      {"", ""},
                {"*180", ""},               {"180+", ""},                 {"180+2x", ""},        {"five minutes", ""},
                {"0.5", "ultraBullet"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(stamma_speed_name(stamma_speed_read(text(rows[i].value))), rows[i].speed) != 0)
            fail_msg("\"%s\": %s", rows[i].value, stamma_speed_name(stamma_speed_read(text(rows[i].value))));
}

static void written_dates(void **state)
{
    static const struct {
        uint32_t date;
        const char *text;
    } rows[] = {{20100531, "2010-05-31"}, {20100500, "2010-05"}, {20100000, "2010"}, {20100031, "2010"},
                {9991231, "0999-12-31"},  {0, "0000"},           {UINT32_MAX, "429496-72-95"}};
    char out[16] = "unchanged";
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(stamma_date_write(rows[i].date, '-', out, sizeof out), strlen(rows[i].text));
        assert_string_equal(out, rows[i].text);
    }
    assert_int_equal(stamma_date_write(20100531, '.', out, 11), 10);
    assert_string_equal(out, "2010.05.31");
    assert_int_equal(stamma_date_write(20100531, '.', out, 10), 10); /* no room for the NUL */
    assert_string_equal(out, "");
    assert_int_equal(stamma_date_write(20100531, '.', NULL, 0), 10);
}

/* A date that was written is read back with the same first and last day. */
static void dates_read_again(void **state)
{
    static const uint32_t days[] = {20100531, 10101, 99991231, 19700101};
    (void)state;
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        char out[16];
        stamma_date date;
        size_t size = stamma_date_write(days[i], '.', out, sizeof out);
        assert_true(stamma_date_read((stamma_text){out, size}, &date));
        assert_true(date.first == days[i] && date.last == days[i]);
    }
}

static void time_controls(void **state)
{
    static const struct {
        const char *value;
        uint64_t time, longest, increment; /* milliseconds */
    } rows[] = {{"180+2", 180000, 180000, 2000},
                {"40/7200+30:3600", 10800000, 7200000, 30000},
                {"40/7200+30:20/3600+60:900", 11700000, 7200000, 60000},
                {"0.5", 500, 500, 0},
                {"1/86400", 86400000, 86400000, 0},
                {"99999999999", UINT64_C(1000000000000), UINT64_C(1000000000000), 0}};
    static const char *const others[] = {"?",   "",     "*180", "180+", "180+2x",
                                         "40/", "300:", ":300", "-5",   "five minutes"};
    stamma_time_control c;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(&c, 0xFF, sizeof c);
        assert_true(stamma_time_control_read(text(rows[i].value), &c));
        if (c.untimed || c.time_ms != rows[i].time || c.longest_ms != rows[i].longest ||
            c.increment_ms != rows[i].increment || c.reserved[0] != 0 || c.reserved[1] != 0)
            fail_msg("%s: %d, %d, %d", rows[i].value, (int)c.time_ms, (int)c.longest_ms, (int)c.increment_ms);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        c.time_ms = 42;
        if (stamma_time_control_read(text(others[i]), &c) || c.time_ms != 42)
            fail_msg("\"%s\" is a time control", others[i]);
    }
    assert_true(stamma_time_control_read(text("-"), &c));
    assert_true(c.untimed && c.time_ms == 0 && c.increment_ms == 0);
}

/* The predictor's ratings follow the rules of the format: a blank or a question mark makes a rating unknown. */
static void game_contexts(void **state)
{
    const stamma_tag tags[] = {{text("WhiteElo"), text("2400")},
                               {text("BlackElo"), text("2400?")},
                               {text("TimeControl"), text("180+2")},
                               {text("Result"), text("0-1")},
                               {text("WhiteElo"), text("1")}};
    stamma_archive_game game = {.tag_count = sizeof tags / sizeof *tags, .tags = tags, .ply_count = 77};
    stamma_game_context c = stamma_archive_game_context(&game);
    (void)state;
    assert_int_equal(c.size, sizeof c);
    assert_int_equal(c.white_rating, 2400);
    assert_int_equal(c.black_rating, 0);
    assert_int_equal(c.time_control.size, 5);
    assert_ptr_equal(c.time_control.data, tags[2].value.data);
    assert_int_equal(c.result, STAMMA_RESULT_BLACK);
    assert_int_equal(c.plies, 77);
    c = stamma_archive_game_context(NULL);
    assert_true(c.size == sizeof c && c.white_rating == 0 && !c.time_control.data && c.plies == 0);
    assert_int_equal(c.result, STAMMA_RESULT_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ratings), cmocka_unit_test(results),
                                       cmocka_unit_test(results_of_games), cmocka_unit_test(dates),
                                       cmocka_unit_test(speeds), cmocka_unit_test(written_dates),
                                       cmocka_unit_test(dates_read_again), cmocka_unit_test(time_controls),
                                       cmocka_unit_test(game_contexts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
