/* SPDX-License-Identifier: MIT */
/* Tables of FIDE's ratings, performance ratings and changes of ratings. */
#include "events/events.h"

/* Differences of ratings for scores of 50 to 100 percent. Source: FIDE Handbook B.02, table 8.1.1. */
static const uint16_t differences[51] = {0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,
                                         95,  102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
                                         202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336,
                                         351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800};
/* The highest differences of ratings for expected scores of 50 to 99 percent. Source: the same, table 8.1.2. */
static const uint16_t limits[50] = {3,   10,  17,  25,  32,  39,  46,  53,  61,  68,  76,  83,  91,  98,  106, 113, 121,
                                    129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278,
                                    290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735};
enum {
    LARGEST_DIFFERENCE = 400, /* a larger difference counts as this one (8.3.1) */
    MASTER_RATING = 2400,
    K_MASTER = 10,
    K_OTHERS = 20
};

int32_t stamma_rating_difference(unsigned percent)
{
    if (percent > 100)
        percent = 100;
    return percent >= 50 ? (int32_t)differences[percent - 50] : -(int32_t)differences[50 - percent];
}

unsigned stamma_rating_expected(int32_t difference)
{
    const uint32_t distance = difference < 0 ? 0u - (uint32_t)difference : (uint32_t)difference;
    unsigned percent = 0;
    while (percent < 50 && distance > limits[percent])
        percent++;
    return difference < 0 ? 50 - percent : 50 + percent;
}

static void find_player(const stamma_event *e, uint32_t index)
{
    stamma_event_player *p = &event_players(e)[index];
    uint64_t sum = 0, points = 0;
    int64_t change = 0;
    size_t count;
    const uint32_t *list = event_games_of(e, index, &count);
    for (size_t i = 0; i < count; i++) {
        const stamma_event_game *g = &event_games(e)[list[i]];
        const event_record *r = event_record_of(e, list[i]);
        const bool white = g->white == index;
        const unsigned own = r->ratings[!white], other = r->ratings[white];
        if (g->repeated || g->unplayed || g->result == STAMMA_RESULT_UNKNOWN || other == 0)
            continue;
        p->rated++;
        sum += other;
        points += event_points(g->result, white);
        if (own == 0)
            continue;
        int32_t difference = (int32_t)own - (int32_t)other;
        difference = difference > LARGEST_DIFFERENCE ? LARGEST_DIFFERENCE : difference;
        difference = difference < -LARGEST_DIFFERENCE ? -LARGEST_DIFFERENCE : difference;
        const unsigned expected = stamma_rating_expected(difference);
        const unsigned k = e->k_factor > 0 ? e->k_factor : own >= MASTER_RATING ? K_MASTER : K_OTHERS;
        p->expected += expected;
        change += (int64_t)k * ((int64_t)event_points(g->result, white) * 50 - (int64_t)expected);
    }
    if (p->rated == 0)
        return;
    p->rating_change = (int32_t)change;
    p->opposition = (uint32_t)((sum + p->rated / 2) / p->rated);
    p->performance =
        (int32_t)p->opposition + stamma_rating_difference((unsigned)((points * 100 + p->rated) / (2 * p->rated)));
}

void stamma_event_find_ratings(stamma_event *e)
{
    for (uint32_t i = 0; i < e->facts.players; i++)
        find_player(e, i);
}
