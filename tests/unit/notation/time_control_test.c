/* SPDX-License-Identifier: MIT */
/* Tests speeds by time controls, in the classes of Lichess. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "stamma.h"

static const struct {
    const char *text;
    const char *speed;
} controls[] = {
    {"15+0", "ultraBullet"},
    {"29", "ultraBullet"},
    {"30+0", "bullet"},
    {"0+1", "bullet"},    /* 40 seconds */
    {"60+2.9", "bullet"}, /* 176 */
    {"60+3", "blitz"},    /* 180 */
    {"180+2", "blitz"},
    {"479", "blitz"},
    {"479.999", "blitz"},
    {"300+4.5", "rapid"}, /* 480 */
    {"480", "rapid"},
    {"900+14", "rapid"}, /* 1460 */
    {"900+15", "classical"},
    {"86399", "classical"},
    {"40/7200:3600", "classical"},
    {"40/300:20/200", "rapid"},  /* 500 */
    {"40/100+1:100+2", "blitz"}, /* 200 + 40 * 2 */
    {"40/20+0", "ultraBullet"},
    {"-", "correspondence"},
    {"1/86400", "correspondence"},
    {"1/1209600", "correspondence"},
    {"86400", "correspondence"},
    {"999999999+999999999", "correspondence"},
    {"?", ""},
    {"", ""},
    {"*180", ""},
    {"--", ""},
    {"180+", ""},
    {"180+2 ", ""},
    {"180+2:", ""},
    {"+2", ""},
    {"40/", ""},
    {"1000000000", "correspondence"},
    {"99999999999999999999", "correspondence"},
    {"180 + 2", ""},
    {"1e3", ""},
};

static void speeds(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof controls / sizeof *controls; n++) {
        stamma_speed speed = stamma_speed_read((stamma_text){controls[n].text, strlen(controls[n].text)});
        if (strcmp(stamma_speed_name(speed), controls[n].speed) != 0)
            fail_msg("%s is %s, not %s", controls[n].text, stamma_speed_name(speed), controls[n].speed);
    }
    assert_int_equal(stamma_speed_read((stamma_text){NULL, 0}), STAMMA_SPEED_NONE);
    assert_string_equal(stamma_speed_name((stamma_speed)99), "");
}

static void modes(void **state)
{
    static const struct {
        const char *event;
        stamma_mode mode;
    } events[] = {{"Rated Blitz game", STAMMA_MODE_RATED},
                  {"rated bullet tournament https://x", STAMMA_MODE_RATED},
                  {"Casual Correspondence game", STAMMA_MODE_CASUAL},
                  {"CASUAL x", STAMMA_MODE_CASUAL},
                  {"Rated", STAMMA_MODE_UNKNOWN},
                  {"Unrated game", STAMMA_MODE_UNKNOWN},
                  {"", STAMMA_MODE_UNKNOWN}};
    (void)state;
    for (size_t n = 0; n < sizeof events / sizeof *events; n++)
        assert_int_equal(stamma_mode_read((stamma_text){events[n].event, strlen(events[n].event)}), events[n].mode);
    assert_int_equal(stamma_mode_read((stamma_text){NULL, 0}), STAMMA_MODE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(speeds), cmocka_unit_test(modes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
