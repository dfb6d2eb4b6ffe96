/* Classifies time controls by the TimeControl tag (PGN standard 9.6.1) into the classes of Lichess. */
#include "query/query.h"

/* in thousandths of a second */
enum { SECOND = 1000, MOVES_EXPECTED = 40 };
#define DAY (INT64_C(86400) * SECOND)
/* Maximum number of seconds, longer than any game; larger numbers are clamped to it. */
#define NUMBER_MAX INT64_C(1000000000)

/* Reads a decimal number in thousandths; digits after the third decimal are ignored. Returns false if there is no
 * number. */
static bool take_decimal(text_cursor *c, int64_t *thousandths)
{
    const char *begin = c->at;
    int64_t number = 0, digit = SECOND;
    while (text_is_digit(text_peek(c))) {
        number = number * 10 + (*c->at++ - '0');
        number = number > NUMBER_MAX ? NUMBER_MAX : number;
    }
    bool any = c->at > begin;
    number *= SECOND;
    if (any && text_take(c, '.'))
        for (; text_is_digit(text_peek(c)); c->at++)
            number += (*c->at - '0') * (digit /= 10);
    *thousandths = number;
    return any;
}

/* Reads one period: seconds, optionally with "MOVES/" before and "+INCREMENT" after them, as in "40/7200+30". */
static bool take_period(text_cursor *c, int64_t *seconds, int64_t *increment)
{
    *increment = 0;
    if (!take_decimal(c, seconds))
        return false;
    if (text_take(c, '/') && !take_decimal(c, seconds))
        return false;
    return !text_take(c, '+') || take_decimal(c, increment);
}

stamma_speed stamma_speed_read(stamma_text time_control)
{
    static const int64_t below[] = {30, 180, 480, 1500}; /* upper limits in seconds, starting with ULTRA_BULLET */
    text_cursor c = text_cursor_make(time_control);
    int64_t sum = 0, most = 0, seconds, increment;
    unsigned speed = STAMMA_SPEED_ULTRA_BULLET;
    if (time_control.size == 1 && time_control.data[0] == '-')
        return STAMMA_SPEED_CORRESPONDENCE;
    do {
        if (!take_period(&c, &seconds, &increment))
            return STAMMA_SPEED_NONE;
        if (seconds >= DAY)
            return STAMMA_SPEED_CORRESPONDENCE;
        sum += seconds;
        most = increment > most ? increment : most;
    } while (text_take(&c, ':'));
    if (c.at != c.end)
        return STAMMA_SPEED_NONE;
    sum += MOVES_EXPECTED * most;
    while (speed < STAMMA_SPEED_CLASSICAL && sum >= below[speed - STAMMA_SPEED_ULTRA_BULLET] * SECOND)
        speed++;
    return (stamma_speed)speed;
}

const char *stamma_speed_name(stamma_speed speed)
{
    static const char *const names[] = {"", "ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"};
    return (unsigned)speed < sizeof names / sizeof *names ? names[speed] : "";
}
