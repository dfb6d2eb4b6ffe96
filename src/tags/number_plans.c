/* SPDX-License-Identifier: MIT */
/* Chooses the tag columns that are coded as numbers, and their predictions (clauses 15.7 and 22.5). These are pairs of
 * columns with the same tag of White and Black, such as ratings and rating changes, and columns of dates. A bad choice
 * only makes the archive larger. */
#include "tags/tags.h"

enum {
    VALUES_LEAST = 200, /* minimum number of values in a column; with fewer values, the tables of symbols cost more than
                         * they save */
    NO_NUMBER = TAG_NO_NUMBER,
    DIGITS_MAX = 4,  /* longer numbers identify players; recalling them is better */
    REPEATS_MAX = 8, /* dates that repeat more often are texts, because they may be keys and contexts */
    SLOTS = 1 << 16
};

/* How rating changes are used. A rating is the rating before the game; games are in backward or forward order of
 * time. */
typedef enum direction { DIRECTION_NONE, DIRECTION_BACK, DIRECTION_FORWARD, DIRECTIONS } direction;

int32_t stamma_tag_number(stamma_text text, bool plus)
{
    bool sign = text.size > 0 && (text.data[0] == '-' || (plus && text.data[0] == '+'));
    size_t digits = text.size - sign;
    int32_t value = 0;
    if (digits == 0 || digits > DIGITS_MAX || (plus && !sign) ||
        (text.data[sign] == '0' && (digits > 1 || text.data[0] == '-')))
        return NO_NUMBER;
    for (size_t i = sign; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return NO_NUMBER;
        value = value * 10 + (text.data[i] - '0');
    }
    return text.data[0] == '-' ? -value : value;
}

static int32_t number_at(const tag_table *t, uint8_t column, size_t record, bool plus)
{
    uint32_t text = column == TAG_NONE ? 0 : tag_value(t, column, record);
    return text == 0 ? NO_NUMBER : stamma_tag_number(tag_text(t, text), plus);
}

/* Returns whether most values of a column are numbers. */
static bool is_numeric(const tag_table *t, size_t column, bool plus)
{
    size_t present = 0, numbers = 0;
    for (size_t r = 0; r < t->records; r++) {
        present += tag_value(t, column, r) != 0;
        numbers += number_at(t, (uint8_t)column, r, plus) != NO_NUMBER;
        if (present == VALUES_LEAST && numbers < VALUES_LEAST / 4)
            return false;
    }
    return present >= VALUES_LEAST && numbers >= present / 4 * 3;
}

static bool is_numeric_pair(const tag_table *t, size_t column, bool plus)
{
    return is_numeric(t, column, plus) && is_numeric(t, t->counterparts[column], plus);
}

/* State for planning a block's ratings. */
typedef struct search {
    tag_table *t;
    uint8_t players[2], changes[2]; /* columns, or TAG_NONE */
    /* by player. Players in the same slot are treated as one player, which only makes a plan look worse */
    int32_t last[SLOTS];
    int32_t *days; /* by number of a text: the day of a date, or NO_NUMBER */
} search;

static uint64_t bits_of(int32_t residual)
{
    uint32_t magnitude = (uint32_t)(residual < 0 ? -residual : residual);
    return magnitude == 0 ? 1 : 3 + bits_last(magnitude);
}

/* Returns the cost of a pair if each value is predicted from the player's last value. */
static uint64_t cost_of(search *s, const uint8_t pair[2], direction way)
{
    enum { BIAS = 1 << 20, NEW = 10 };
    const tag_table *t = s->t;
    uint64_t bits = 0;
    memset(s->last, 0, sizeof s->last);
    for (size_t r = 0; r < t->records; r++) {
        for (unsigned side = 0; side < 2; side++) {
            int32_t value = number_at(t, pair[side], r, false), change = number_at(t, s->changes[side], r, true);
            if (value == NO_NUMBER)
                continue;
            change = change == NO_NUMBER ? 0 : change;
            uint32_t player = s->players[side] == TAG_NONE ? 0 : tag_value(t, s->players[side], r);
            int32_t *last = &s->last[player % SLOTS];
            bits += *last ? bits_of(value + (way == DIRECTION_BACK ? change : 0) - (*last - BIAS)) : NEW;
            *last = value + (way == DIRECTION_FORWARD ? change : 0) + BIAS;
        }
    }
    return bits;
}

static void add_source(tag_plan *plan, uint8_t key, uint8_t base, int now, int then)
{
    plan->sources[plan->source_count++] =
        (tag_source){.what = key, .base = base, .now = (int8_t)now, .then = (int8_t)then};
}

/* Plans ratings. A rating is predicted from the player's last rating. For unknown players, White's rating is predicted
 * from the last rating of White, and Black's rating from White's rating in the same game. */
static void plan_ratings(search *s, const uint8_t pair[2])
{
    static const int now[DIRECTIONS] = {0, -1, 0}, then[DIRECTIONS] = {0, 0, 1};
    direction best = DIRECTION_NONE;
    uint64_t least = cost_of(s, pair, best);
    for (direction d = DIRECTION_BACK; d < DIRECTIONS && s->changes[0] != TAG_NONE; d++) {
        uint64_t cost = cost_of(s, pair, d);
        best = cost < least ? d : best;
        least = cost < least ? cost : least;
    }
    for (unsigned side = 0; side < 2; side++) {
        tag_plan *plan = &s->t->plans[pair[side]];
        uint8_t change = best == DIRECTION_NONE ? TAG_NONE : s->changes[side];
        plan->numbers = true;
        if (s->players[side] != TAG_NONE)
            add_source(plan, s->players[side], change, now[best], then[best]);
        if (side == 1)
            add_source(plan, TAG_NONE, pair[0], 1, 0);
        else
            add_source(plan, TAG_CODED_MAX, TAG_NONE, 0, 0);
    }
}

/* Plans rating changes. Black's change is predicted as the negative of White's change. */
static void plan_changes(tag_table *t, const uint8_t pair[2])
{
    for (unsigned side = 0; side < 2; side++)
        t->plans[pair[side]].numbers = t->plans[pair[side]].plus = true;
    add_source(&t->plans[pair[1]], TAG_NONE, pair[0], -1, 0);
}

/* ---- dates ---- */

/* Returns whether more than half of the values of a column are dates, of which many are different. Texts in the same
 * slot are counted several times, which only makes a bad choice possible. */
static bool are_dates(search *s, size_t column)
{
    const tag_table *t = s->t;
    size_t present = 0, dates = 0, different = 0;
    memset(s->last, 0, sizeof s->last);
    for (size_t r = 0; r < t->records; r++) {
        const uint32_t number = tag_value(t, column, r);
        int32_t *slot = &s->last[number % SLOTS];
        present += number != 0;
        dates += s->days[number] != NO_NUMBER;
        different += *slot != (int32_t)number;
        *slot = (int32_t)number;
        if (present == VALUES_LEAST && dates < VALUES_LEAST / 4)
            return false;
    }
    return present >= VALUES_LEAST && dates > present / 2 && different > present / REPEATS_MAX;
}

/* Returns the cost of dates if each is predicted from the last one with the same key, or otherwise from the last one.
 * TAG_NONE: no key. */
static uint64_t cost_of_dates(search *s, size_t column, uint8_t key)
{
    enum { BIAS = 1 << 21 };
    const tag_table *t = s->t;
    int32_t before = 0;
    uint64_t bits = 0;
    memset(s->last, 0, sizeof s->last);
    for (size_t r = 0; r < t->records; r++) {
        const int32_t day = s->days[tag_value(t, column, r)];
        const uint32_t of = key == TAG_NONE ? 0 : tag_value(t, key, r);
        if (day == NO_NUMBER)
            continue;
        int32_t *last = &s->last[of % SLOTS];
        bits += bits_of(day - (*last && of ? *last - BIAS : before));
        *last = day + BIAS;
        before = day;
    }
    return bits;
}

/* Returns the cost of dates if each is predicted from the date of another column in the same record. */
static uint64_t cost_of_same_dates(const search *s, size_t column, size_t other)
{
    const tag_table *t = s->t;
    uint64_t bits = 0;
    for (size_t r = 0; r < t->records; r++) {
        const int32_t day = s->days[tag_value(t, column, r)], from = s->days[tag_value(t, other, r)];
        if (day != NO_NUMBER)
            bits += bits_of(day - (from == NO_NUMBER ? 0 : from));
    }
    return bits;
}

/* Plans a column of dates, which are predicted by the column that predicts them best: usually the event, or another
 * date of the game. */
static void plan_dates(search *s, size_t column)
{
    tag_table *t = s->t;
    tag_plan *plan = &t->plans[column];
    uint64_t least = cost_of_dates(s, column, TAG_NONE);
    size_t best = column;
    for (size_t c = 0; c < t->columns; c++) {
        if (c == column || (t->plans[c].numbers && (!t->plans[c].dates || c > column)))
            continue;
        const uint64_t cost =
            t->plans[c].dates ? cost_of_same_dates(s, column, c) : cost_of_dates(s, column, (uint8_t)c);
        if (cost < least - least / 32) {
            least = cost;
            best = c;
        }
    }
    if (best != column && t->plans[best].dates)
        add_source(plan, TAG_NONE, (uint8_t)best, 1, 0);
    else if (best != column)
        add_source(plan, (uint8_t)best, TAG_NONE, 0, 0);
    if (best == column || !t->plans[best].dates)
        add_source(plan, TAG_CODED_MAX, TAG_NONE, 0, 0);
}

/* Plans all columns of dates. Numbers are no keys, so these columns are found first. Errors: NO_MEMORY. */
static stamma_error plan_all_dates(search *s)
{
    tag_table *t = s->t;
    s->days = (int32_t *)memory_allocate(t->allocator, size_multiply(t->texts.count + 1, sizeof *s->days));
    if (!s->days)
        return STAMMA_ERROR_NO_MEMORY;
    s->days[0] = NO_NUMBER;
    for (uint32_t n = 1; n <= t->texts.count; n++)
        s->days[n] = stamma_tag_day(tag_text(t, n));
    for (size_t c = 0; c < t->columns; c++)
        if (t->counterparts[c] == TAG_NONE && !t->plans[c].numbers && are_dates(s, c))
            t->plans[c].numbers = t->plans[c].dates = true;
    for (size_t c = 0; c < t->columns; c++)
        if (t->plans[c].dates)
            plan_dates(s, c);
    memory_release(t->allocator, s->days);
    return STAMMA_OK;
}

stamma_error stamma_number_plans_choose(tag_table *t)
{
    search *s = (search *)memory_allocate(t->allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    s->t = t;
    s->players[0] = stamma_tag_column_named(t, "White");
    s->players[1] = stamma_tag_column_named(t, "Black");
    s->changes[0] = stamma_tag_column_named(t, "WhiteRatingDiff");
    s->changes[1] = stamma_tag_column_named(t, "BlackRatingDiff");
    if (s->changes[0] == TAG_NONE || s->changes[1] == TAG_NONE || !is_numeric_pair(t, s->changes[0], true))
        s->changes[0] = s->changes[1] = TAG_NONE;
    for (size_t c = 0; c < t->columns; c++) {
        const uint8_t pair[2] = {(uint8_t)c, t->counterparts[c]};
        if (pair[1] == TAG_NONE || t->names[c].data[0] != 'W' || c == s->players[0])
            continue;
        if (c == s->changes[0])
            plan_changes(t, pair);
        else if (is_numeric_pair(t, c, false))
            plan_ratings(s, pair);
    }
    stamma_error error = plan_all_dates(s);
    memory_release(t->allocator, s);
    return error;
}
