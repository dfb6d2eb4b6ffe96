/* SPDX-License-Identifier: MIT */
/* Estimates the chance that a name belongs to a player. Each fact has a weight: the logarithm of how much more often it
 * occurs in games of the same player than in games of other players. bench/names.sh compares the chances with FIDE ids.
 * All arithmetic is with integers, so that decisions are the same on all machines. */
#include "names/names.h"

/* ---- ratings ---- */

enum {
    STRANGERS_MEAN = 2050,
    STRANGERS_DEVIATION = 350, /* of the ratings of all players in tournaments */
    RATING_YEARS = 9,
    LISTED_YEARS = 4 /* the rating of a list is compared as a rating of another year */
};

/* The deviation of the ratings of a player, by years between them; and 8 * log2(STRANGERS_DEVIATION / deviation). */
static const struct {
    int deviation, weight;
} deviations[RATING_YEARS] = {{70, 19}, {90, 16}, {110, 13}, {130, 11}, {150, 10},
                              {170, 8}, {190, 7}, {210, 6},  {230, 5}};

/* Returns 8 * log2(e) / 2 * (points / deviation)^2, at most 200. */
static int distance_weight(int points, int deviation)
{
    const int64_t square = (int64_t)points * points * 577 / 100 / ((int64_t)deviation * deviation);
    return square < 200 ? (int)square : 200;
}

static int rating_weight(int rating, int points, unsigned years)
{
    const unsigned n = years < RATING_YEARS ? years : RATING_YEARS - 1;
    const int stranger = distance_weight(rating - STRANGERS_MEAN, STRANGERS_DEVIATION);
    return deviations[n].weight + stranger - distance_weight(points, deviations[n].deviation);
}

/* The ratings of young players rise by many hundred points, so a higher rating in a list excludes nobody. */
static int listed_rating_weight(int rating, int listed)
{
    enum { LEAST_IF_LOWER = -24, LEAST = -72 };
    const int weight = rating_weight(rating, listed - rating, LISTED_YEARS),
              least = listed > rating ? LEAST_IF_LOWER : LEAST;
    return weight > least ? weight : least;
}

/* ---- other facts ---- */

bool stamma_age_differs(const player_facts *facts, const listed_person *person)
{
    enum { YOUNGEST = 5, OLDEST = 95 };
    return person->born > 0 && facts->first_year > 0 &&
           (facts->first_year < person->born + YOUNGEST || facts->last_year > person->born + OLDEST);
}

static int title_weight(const player_facts *facts, const listed_person *person)
{
    /* by the rank of the title: how rare it is */
    static const int rare[] = {0, 12, 12, 16, 20, 20, 28, 28, 36};
    enum { LOST = -48, NOT_SHOWN = -24, MASTER = 5, GAMES = 2 };
    if (facts->title > person->rank)
        return LOST;
    if (facts->title > 0)
        return facts->title == person->rank ? rare[facts->title] : 0;
    return facts->untitled >= GAMES && person->rank >= MASTER ? NOT_SHOWN : 0;
}

static bool is_country(const listed_person *person, uint16_t country)
{
    return country != 0 && (person->countries[0] == country || person->countries[1] == country);
}

static int federation_weight(const player_facts *facts, const listed_person *person)
{
    enum { SAME = 24, OTHER = -24, HOME = 12, ABROAD = -4 };
    if (person->countries[0] == 0)
        return 0;
    if (facts->federation != 0)
        return is_country(person, facts->federation) ? SAME : OTHER;
    return facts->country == 0 ? 0 : is_country(person, facts->country) ? HOME : ABROAD;
}

/* Adds a weight, and marks a fact as evidence if the weight is positive. */
static int add_fact(int weight, stamma_name_evidence fact, uint32_t *evidence)
{
    *evidence |= weight > 0 ? 1u << fact : 0;
    return weight;
}

static int listed_weight(const name_case *c, uint32_t *evidence)
{
    enum { LISTED_PLAYER = 16 }; /* more games are of listed players than of others */
    const listed_person *p = c->person;
    int weight = LISTED_PLAYER + add_fact(title_weight(c->facts, p), STAMMA_NAME_BY_TITLE, evidence) +
                 add_fact(federation_weight(c->facts, p), STAMMA_NAME_BY_FEDERATION, evidence);
    if (p->rating > 0 && c->last_rating > 0 && !c->evidence->rated)
        weight += add_fact(listed_rating_weight(c->last_rating, p->rating), STAMMA_NAME_BY_RATING, evidence);
    if (p->born > 0 && c->facts->first_year > 0)
        *evidence |= 1u << STAMMA_NAME_BY_YEARS;
    *evidence |= 1u << STAMMA_NAME_BY_LIST;
    return weight;
}

/* ---- names ---- */

static int name_weight(const name_case *c)
{
    static const struct {
        unsigned flags;
        int weight;
    } differences[] = {{NAME_REVERSED, -24},
                       {NAME_MISSING, -40},
                       {NAME_TYPO, -40},
                       {NAME_SPELLING, -8},
                       {NAME_SPELLING | NAME_INITIALS, -32}};
    enum { MORE_WORDS = -16, SAME_TEXT = 40 };
    int weight = (c->flags & NAME_INITIALS) && !c->initials ? MORE_WORDS : 0;
    for (size_t n = 0; n < sizeof differences / sizeof *differences; n++)
        weight += (c->flags & differences[n].flags) == differences[n].flags ? differences[n].weight : 0;
    return weight + (c->same_text ? SAME_TEXT : 0);
}

int stamma_case_weight(const name_case *c, uint32_t *evidence)
{
    enum { SAME_GAMES = 120 };
    const name_evidence *e = c->evidence;
    int weight = name_weight(c);
    *evidence = 0;
    if (e->conflict || e->ratings_differ || e->years_differ || (c->person && stamma_age_differs(c->facts, c->person)))
        return WEIGHT_NEVER;
    if (e->rated)
        weight += add_fact(rating_weight(e->rating, e->points, e->years), STAMMA_NAME_BY_RATING, evidence);
    if (e->same_games)
        weight += add_fact(SAME_GAMES, STAMMA_NAME_BY_GAMES, evidence);
    return weight + (c->person ? listed_weight(c, evidence) : 0);
}

int stamma_stranger_weight(bool exact, bool listed, size_t count)
{
    int weight = !exact ? -40 : listed ? -80 : -64;
    for (; count > 1; count /= 2)
        weight += WEIGHT_BIT;
    return weight;
}

/* ---- chances ---- */

/* Returns 2^(weight/8) in units of 2^-32; `weight` is at most 80. */
static uint64_t power_of(int weight)
{
    /* 2^(n/8) in units of 2^-32 */
    static const uint64_t powers[WEIGHT_BIT] = {UINT64_C(4294967296), UINT64_C(4683695047), UINT64_C(5107605667),
                                                UINT64_C(5569883475), UINT64_C(6074000999), UINT64_C(6623745058),
                                                UINT64_C(7223245205), UINT64_C(7877004751)};
    enum { MOST = 80, LEAST = -256 };
    weight = weight > MOST ? MOST : weight < LEAST ? LEAST : weight;
    const int bits = (weight - LEAST) / WEIGHT_BIT + LEAST / WEIGHT_BIT, rest = (weight - LEAST) % WEIGHT_BIT;
    return bits >= 0 ? powers[rest] << bits : powers[rest] >> -bits;
}

uint32_t stamma_weights_error(int best, int stranger, const int *others, size_t count)
{
    const uint64_t one = UINT64_C(1) << 32, million = 1000000;
    uint64_t sum = power_of(stranger - best);
    for (size_t n = 0; n < count; n++)
        sum += power_of(others[n] - best);
    /* sum / (one + sum), without the low bits, which the quotient does not need */
    return (uint32_t)((sum >> 12) * million / ((one + sum) >> 12));
}
