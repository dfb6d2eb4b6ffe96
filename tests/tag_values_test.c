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
    static const char *const others[] = {"", "1-0 ", "1/2", "0-0", "draw", "1-O", "*1-0"};
    (void)state;
    for (unsigned n = 0; n < RESULTS; n++)
        assert_int_equal(stamma_result_read(text(stamma_result_text((stamma_result)n))), n);
    assert_string_equal(stamma_result_text(STAMMA_RESULT_DRAW), "1/2-1/2");
    assert_string_equal(stamma_result_text((stamma_result)7), "*");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(stamma_result_read(text(others[i])), STAMMA_RESULT_UNKNOWN);
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
                {"2010.??.??", 20100101, 20101231, 2010, 0, 0},
                {"2010.??.15", 20100115, 20101215, 2010, 0, 0},
                {"2010.1?.??", 20101001, 20101231, 2010, 0, 0},
                {"2010.05.3?", 20100530, 20100531, 2010, 5, 0},
                {"2010.05.0?", 20100501, 20100509, 2010, 5, 0},
                {"2010.13.01", 20100101, 20101201, 2010, 0, 0},
                {"2010.00.00", 20100101, 20101231, 2010, 0, 0},
                {"2010.05.32", 20100501, 20100531, 2010, 5, 0},
                {"201?.??.??", 20100101, 20191231, 0, 0, 0},
                {"2???", 20000101, 29991231, 0, 0, 0},
                {"????.??.??", 0, 0, 0, 0, 0},
                {"?", 0, 0, 0, 0, 0},
                {"", 0, 0, 0, 0, 0},
                {"12010.05.31", 0, 0, 0, 0, 0},
                {"201.05.31", 0, 0, 0, 0, 0},
                {"20100531", 0, 0, 0, 0, 0},
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
                {"480", "rapid"},           {"600+5", "rapid"},           {"1500", "classical"}, {"40/7200:3600", "classical"},
                {"40/7200+30", "classical"}, {"-", "correspondence"},      {"86400", "correspondence"},
                {"1/86400", "correspondence"}, {"99999999999", "correspondence"}, {"?", ""},      {"", ""},
                {"*180", ""},               {"180+", ""},                 {"180+2x", ""},        {"five minutes", ""},
                {"0.5", "ultraBullet"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(stamma_speed_name(stamma_speed_read(text(rows[i].value))), rows[i].speed) != 0)
            fail_msg("\"%s\": %s", rows[i].value, stamma_speed_name(stamma_speed_read(text(rows[i].value))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ratings), cmocka_unit_test(results), cmocka_unit_test(dates),
                                       cmocka_unit_test(speeds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
