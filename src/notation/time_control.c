/* SPDX-License-Identifier: MIT */
/* Reads time controls, the values of TimeControl tags (PGN standard 9.6.1), and classifies them like Lichess; also
 * whether a game was rated. */
#include "notation/notation.h"

/* in thousandths of a second */
enum { SECOND = 1000, MOVES_EXPECTED = 40 };
#define DAY (UINT64_C(86400) * SECOND)
/* Maximum number of seconds, longer than any game; larger numbers are clamped to it. */
#define NUMBER_MAX UINT64_C(1000000000)

/* Reads a decimal number in thousandths; digits after the third decimal are ignored. Returns false if there is no
 * number. */
static bool take_decimal(text_cursor *c, uint64_t *thousandths)
{
    const char *begin = c->at;
    uint64_t number = 0, digit = SECOND;
    while (text_is_digit(text_peek(c))) {
        number = number * 10 + (unsigned)(*c->at++ - '0');
        number = number > NUMBER_MAX ? NUMBER_MAX : number;
    }
    bool any = c->at > begin;
    number *= SECOND;
    if (any && text_take(c, '.'))
        for (; text_is_digit(text_peek(c)); c->at++)
            number += (unsigned)(*c->at - '0') * (digit /= 10);
    *thousandths = number;
    return any;
}

/* Reads one period: seconds, optionally with "MOVES/" before and "+INCREMENT" after them, as in "40/7200+30". */
static bool take_period(text_cursor *c, uint64_t *time, uint64_t *increment)
{
    *increment = 0;
    if (!take_decimal(c, time))
        return false;
    if (text_take(c, '/') && !take_decimal(c, time))
        return false;
    return !text_take(c, '+') || take_decimal(c, increment);
}

/* Adds up the periods of a time control. Returns false if a period is malformed; *control then contains the sums of the
 * periods before it. */
static bool read_periods(stamma_text value, stamma_time_control *control)
{
    text_cursor c = text_cursor_make(value);
    uint64_t time, increment;
    memset(control, 0, sizeof *control);
    control->untimed = value.size == 1 && value.data[0] == '-';
    if (control->untimed)
        return true;
    do {
        if (!take_period(&c, &time, &increment))
            return false;
        control->time_ms += time;
        control->longest_ms = time > control->longest_ms ? time : control->longest_ms;
        control->increment_ms = increment > control->increment_ms ? increment : control->increment_ms;
    } while (text_take(&c, ':'));
    return c.at == c.end;
}

bool stamma_time_control_read(stamma_text value, stamma_time_control *control)
{
    stamma_time_control known;
    if (!read_periods(value, &known))
        return false;
    *control = known;
    return true;
}

stamma_speed stamma_speed_read(stamma_text time_control)
{
    static const uint64_t below[] = {30, 180, 480, 1500}; /* upper limits in seconds, starting with ULTRA_BULLET */
    stamma_time_control control;
    unsigned speed = STAMMA_SPEED_ULTRA_BULLET;
    bool sound = read_periods(time_control, &control);
    if (control.untimed || control.longest_ms >= DAY)
        return STAMMA_SPEED_CORRESPONDENCE;
    if (!sound)
        return STAMMA_SPEED_NONE;
    uint64_t estimate = control.time_ms + MOVES_EXPECTED * control.increment_ms;
    while (speed < STAMMA_SPEED_CLASSICAL && estimate >= below[speed - STAMMA_SPEED_ULTRA_BULLET] * SECOND)
        speed++;
    return (stamma_speed)speed;
}

static bool begins(stamma_text text, const char *word)
{
    size_t n = 0;
    while (n < text.size && word[n] && (text.data[n] | 0x20) == word[n])
        n++;
    return !word[n];
}

stamma_mode stamma_mode_read(stamma_text event)
{
    return begins(event, "rated ")    ? STAMMA_MODE_RATED
           : begins(event, "casual ") ? STAMMA_MODE_CASUAL
                                      : STAMMA_MODE_UNKNOWN;
}

const char *stamma_speed_name(stamma_speed speed)
{
    static const char *const names[] = {"", "ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"};
    return (unsigned)speed < sizeof names / sizeof *names ? names[speed] : "";
}
