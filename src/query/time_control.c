/* How fast a game was to be played, by its TimeControl tag (PGN standard 9.6.1), in the classes of Lichess. */
#include "query/query.h"

/* Units: thousandths of a second. */
enum { SECOND = 1000, MOVES_EXPECTED = 40 };
#define DAY (INT64_C(86400) * SECOND)
/* More seconds than any game lasts: larger numbers count as this one. */
#define NUMBER_MAX INT64_C(1000000000)

/* A decimal number, of which digits behind the third of a fraction do not count. False where there is none. */
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

/* One period, "MOVES/" before its seconds, and behind them the increment: "40/7200+30". */
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
    static const int64_t below[] = {30, 180, 480, 1500}; /* from ULTRA_BULLET on */
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
