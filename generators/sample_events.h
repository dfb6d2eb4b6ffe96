/* SPDX-License-Identifier: MIT */
/* The players, dates and events of sampled games: the tags before the moves. */
#ifndef SAMPLE_EVENTS_H
#define SAMPLE_EVENTS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample_players.h"
#include "sample_random.h"

enum {
    EVENT_PLAYERS = 16,
    EVENT_ROUNDS = 8, /* of a round robin */
    EVENT_BOARDS = EVENT_PLAYERS / 2,
    EVENT_GAMES = EVENT_ROUNDS * EVENT_BOARDS,
    FIRST_YEAR = 2012,
    DAYS = 12 * 365 + 3, /* 2012 to 2023 */
    DAY_SECONDS = 86400,
    CITIES = 600,
    TEXT_SIZE = 160
};

/* A time control: how often it is used, seconds for the game and for each move, its text, and its name in events. */
typedef struct time_control {
    unsigned weight, base, increment;
    const char *text, *speed;
} time_control;

static const time_control otb_controls[] = {
    {70, 5400, 30, "5400+30", ""}, {14, 900, 10, "900+10", "Rapid "}, {16, 180, 2, "180+2", "Blitz "}};
static const time_control online_controls[] = {{12, 60, 0, "60+0", "Bullet"},   {6, 120, 1, "120+1", "Bullet"},
                                               {18, 180, 0, "180+0", "Blitz"},  {12, 180, 2, "180+2", "Blitz"},
                                               {12, 300, 0, "300+0", "Blitz"},  {7, 300, 3, "300+3", "Blitz"},
                                               {18, 600, 0, "600+0", "Rapid"},  {7, 600, 5, "600+5", "Rapid"},
                                               {6, 900, 10, "900+10", "Rapid"}, {2, 1800, 20, "1800+20", "Classical"}};

/* An event over the board: a part of a round robin of 16 players, eight rounds on consecutive days. */
typedef struct event {
    uint64_t number;
    uint32_t player[EVENT_PLAYERS];
    uint32_t day;
    const time_control *control;
    char name[TEXT_SIZE], site[TEXT_SIZE];
} event;

/* The facts about a game that do not depend on its moves. */
typedef struct meeting {
    uint32_t player[2]; /* White, Black */
    uint32_t day, second;
    const time_control *control;
} meeting;

/* Returns the number of days of a month, 0 to 11. */
static inline unsigned month_days(unsigned year, unsigned month)
{
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month] + (month == 1 && year % 4 == 0 ? 1u : 0u);
}

/* Writes the date of a day, counted from the start of FIRST_YEAR: "2012.01.31". */
static inline void write_date(unsigned day, char *out)
{
    unsigned year = FIRST_YEAR, month = 0;
    while (day >= month_days(year, month)) {
        day -= month_days(year, month);
        year += month == 11;
        month = (month + 1) % 12;
    }
    (void)snprintf(out, TEXT_SIZE, "%04u.%02u.%02u", year, month + 1, day + 1);
}

static inline const time_control *draw_control(random_state *r, const time_control *controls, size_t count)
{
    unsigned all = 0, n = 0;
    for (size_t k = 0; k < count; k++)
        all += controls[k].weight;
    for (unsigned chance = random_below(r, all); chance >= controls[n].weight; n++)
        chance -= controls[n].weight;
    return &controls[n];
}

static inline bool is_among(const uint32_t *players, unsigned count, uint32_t player)
{
    for (unsigned n = 0; n < count; n++)
        if (players[n] == player)
            return true;
    return false;
}

/* Draws two players who are not among the first `count` yet. Returns the player whose strength is nearer to the
 * strength of the first player. */
static inline uint32_t draw_opponent(const pool *p, const uint32_t *players, unsigned count, random_state *r)
{
    uint32_t best = 0;
    int least = INT32_MAX, first = player_strength(p, players[0]);
    for (unsigned n = 0; n < 2 || least == INT32_MAX; n++) {
        uint32_t player = pool_draw(p, r);
        int distance = abs(player_strength(p, player) - first);
        if (distance < least && !is_among(players, count, player)) {
            best = player;
            least = distance;
        }
    }
    return best;
}

static inline void name_event(event *e, random_state *r)
{
    static const char *const kinds[] = {"Open", "Masters", "Memorial", "Championship", "Cup", "Team"};
    static const char *const countries[] = {"GER", "RUS", "ESP", "IND", "USA", "FRA", "HUN", "NED", "POL", "CZE",
                                            "ARG", "CHN", "UKR", "ITA", "NOR", "TUR", "ENG", "SRB", "UZB", "CUB"};
    char city[NAME_SIZE], date[TEXT_SIZE];
    uint32_t place = random_below(r, CITIES);
    write_last_name((uint32_t)(random_mix(place + 1) % LAST_NAMES), city);
    write_date(e->day, date);
    (void)snprintf(e->site, TEXT_SIZE, "%s %s", city, countries[place % 20]);
    (void)snprintf(e->name, TEXT_SIZE, "%s %s%s %.4s", city, e->control->speed, kinds[random_below(r, 6)], date);
}

/* Makes the event with a number. Events are spread over all days of a collection of `total` games. */
static inline void begin_event(event *e, const pool *p, uint64_t number, uint64_t total)
{
    random_state r = random_begin(p->seed, RANDOM_EVENT, number);
    e->number = number;
    e->day = (uint32_t)(number * EVENT_GAMES * (DAYS - EVENT_ROUNDS) / total);
    e->control = draw_control(&r, otb_controls, sizeof otb_controls / sizeof *otb_controls);
    e->player[0] = pool_draw(p, &r);
    for (unsigned n = 1; n < EVENT_PLAYERS; n++)
        e->player[n] = draw_opponent(p, e->player, n, &r);
    name_event(e, &r);
}

/* Finds the players of a game by the circle method: player 0 keeps its place, and the others move by one place each
 * round. / */
static inline void meet_in_event(meeting *m, const event *e, uint64_t game)
{
    unsigned board = (unsigned)(game % EVENT_BOARDS), round = (unsigned)(game % EVENT_GAMES) / EVENT_BOARDS;
    unsigned others = EVENT_PLAYERS - 1, change = (round + board) % 2;
    m->player[change] = e->player[board == 0 ? 0 : 1 + (round + board) % others];
    m->player[!change] = e->player[1 + (round + others - board) % others];
    m->day = e->day + round;
    m->second = 0;
    m->control = e->control;
}

/* Draws the players and the time control of game `game` among `total` of a server. */
static inline void meet_online(meeting *m, const pool *p, uint64_t game, uint64_t total, random_state *r)
{
    uint32_t pair[2] = {pool_draw(p, r), 0};
    uint64_t second = game * DAYS / total * DAY_SECONDS + game * DAYS % total * DAY_SECONDS / total;
    pair[1] = draw_opponent(p, pair, 1, r);
    unsigned change = random_below(r, 2);
    m->player[0] = pair[change];
    m->player[1] = pair[!change];
    m->day = (uint32_t)(second / DAY_SECONDS);
    m->second = (uint32_t)(second % DAY_SECONDS);
    m->control = draw_control(r, online_controls, sizeof online_controls / sizeof *online_controls);
}

#endif
