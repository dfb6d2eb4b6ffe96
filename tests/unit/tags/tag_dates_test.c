/* SPDX-License-Identifier: MIT */
/* Tests dates as numbers of days (clause 22.5), and columns of dates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tag_block.h"

enum { FIRST_DAY = -719162, LAST_DAY = 2932896 };

static unsigned days_in(unsigned year, unsigned month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
    return days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

/* Counts all days of the calendar. */
static void every_day_has_a_number(void **state)
{
    (void)state;
    int32_t day = FIRST_DAY;
    char out[TAG_NUMBER_SIZE], text[16];
    for (unsigned year = 1; year <= 9999; year++)
        for (unsigned month = 1; month <= 12; month++)
            for (unsigned n = 1; n <= days_in(year, month); n++, day++) {
                if (year > 2 && year < 9998 && n > 1 && n < 27 && month != 6)
                    continue;
                (void)snprintf(text, sizeof text, "%04u.%02u.%02u", year, month, n);
                assert_int_equal(stamma_tag_day(stamma_text_of(text)), day);
                assert_true(text_equal(stamma_tag_date(day, out), stamma_text_of(text)));
            }
    assert_int_equal(day, LAST_DAY + 1);
    assert_true(stamma_tag_is_day(FIRST_DAY) && stamma_tag_is_day(LAST_DAY));
    assert_false(stamma_tag_is_day(FIRST_DAY - 1) || stamma_tag_is_day(LAST_DAY + 1));
}

static void other_texts_have_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"",           "2024.??.??", "2024.02.30", "2023.02.29",  "2024-02-29",
                                        "2024.2.29",  "2024.13.01", "2024.00.01", "2024.01.00",  "0000.01.01",
                                        "2024/01/01", " 2024.1.1",  "2024.01.1 ", "2024.01.011", "20240101..",
                                        "????.??.??", "1900.02.29", "2024.01.0a"};
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
        if (stamma_tag_day(stamma_text_of(texts[n])) != TAG_NO_NUMBER)
            fail_msg("%s", texts[n]);
}

/* Adds games of events, whose dates follow one another. One date in ten is partly unknown. */
static void add_games(size_t event, size_t date, size_t same)
{
    int32_t days[60];
    char text[40], out[TAG_NUMBER_SIZE];
    for (size_t n = 0; n < 60; n++)
        days[n] = (int32_t)block_random(30000);
    for (size_t r = 0; r < block.records; r++) {
        const unsigned n = block_random(60);
        days[n] += (int32_t)block_random(2);
        const stamma_text known = stamma_tag_date(days[n], out);
        (void)snprintf(text, sizeof text, "Open of %c%cville", (char)('A' + n % 26), (char)('a' + n / 3));
        set_value(event, r, text);
        (void)snprintf(text, sizeof text, "%.*s", block_random(10) ? 10 : 4, known.data);
        if (strlen(text) == 4)
            strcat(text, ".??.??");
        set_value(date, r, text);
        set_value(same, r, text);
    }
}

/* Dates are predicted by their event, and a second date by the first. */
static void dates_follow_from_events(void **state)
{
    (void)state;
    begin_block(2000);
    const size_t event = add_column("Event"), date = add_column("Date"), same = add_column("EventDate");
    add_games(event, date, same);
    demand_round_trip();
    assert_int_equal(codec_of(date), CODEC_MAPPED);
    assert_int_equal(codec_of(same), CODEC_MAPPED);
    assert_in_range(size_of(date), 1, 2000);
    assert_true(size_of(same) < size_of(date));
    release_block();
}

/* Dates that often repeat remain texts, which may be keys. */
static void frequent_dates_are_texts(void **state)
{
    (void)state;
    begin_block(1000);
    const size_t date = add_column("Date");
    for (size_t r = 0; r < block.records; r++) {
        char text[24];
        (void)snprintf(text, sizeof text, "2024.01.%02u", 1 + block_random(28));
        set_value(date, r, text);
    }
    demand_round_trip();
    assert_int_equal(codec_of(date), CODEC_TAGS);
    release_block();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_day_has_a_number),
        cmocka_unit_test(other_texts_have_none),
        cmocka_unit_test(dates_follow_from_events),
        cmocka_unit_test(frequent_dates_are_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
