/* The rules by which two games are the same game (doc/dedupe.md). */
#include "curate/curate.h"

enum {
    SHORT = 16,      /* games below this number of plies must have all facts in common */
    LONG = 30,       /* plies that are rarely equal in different games of the same players */
    CERTAIN = 40,    /* plies that are practically never equal by accident */
    NEAR_DAYS = 3,   /* days between dates of the same game, such as local and UTC dates */
    MOVES_DIFFER = 4 /* moves that differ in games that are nearly equal */
};

/* ---- facts ---- */

typedef enum date_relation { DATE_EQUAL, DATE_COMPATIBLE, DATE_NEAR, DATE_DIFFERENT } date_relation;

/* Returns a day number that is at most a few days wrong across the end of a month. */
static int32_t approximate_day(uint32_t date)
{
    return (int32_t)(date / 10000 * 372 + date / 100 % 100 * 31 + date % 100);
}

static bool part_differs(uint32_t a, uint32_t b)
{
    return a != 0 && b != 0 && a != b;
}

static date_relation compare_dates(uint32_t a, uint32_t b)
{
    uint32_t month_a = a / 100 % 100, month_b = b / 100 % 100, day_a = a % 100, day_b = b % 100;
    bool full = day_a != 0 && day_b != 0 && month_a != 0 && month_b != 0;
    if (a == b && full)
        return DATE_EQUAL;
    if (!part_differs(a / 10000, b / 10000) && !part_differs(month_a, month_b) && !part_differs(day_a, day_b))
        return DATE_COMPATIBLE;
    int32_t days = approximate_day(a) - approximate_day(b);
    bool exchanged = a / 10000 == b / 10000 && month_a == day_b && month_b == day_a;
    return full && ((days >= -NEAR_DAYS && days <= NEAR_DAYS) || exchanged) ? DATE_NEAR : DATE_DIFFERENT;
}

static name_relation compare_players(const stamma_duplicates *d, const game_facts *a, const game_facts *b)
{
    name_relation worst = NAME_EQUAL;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        if (a->names[color] == b->names[color] && a->names[color] != 0)
            continue;
        name_relation relation = stamma_names_compare(fact_text(d, a->names[color]), fact_text(d, b->names[color]));
        worst = relation > worst ? relation : worst;
    }
    return worst;
}

/* Returns whether a fact shows that the games are different games. */
static bool is_excluded(const game_facts *a, const game_facts *b)
{
    if (a->excluded || b->excluded || a->start != b->start)
        return true;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++)
        if (part_differs(a->ids[color], b->ids[color]))
            return true;
    return (a->host != 0 && a->host == b->host && a->link != b->link) ||
           (a->round >= 0 && b->round >= 0 && a->round != b->round) ||
           (a->time >= 0 && b->time >= 0 && a->time != b->time);
}

/* ---- moves ---- */

typedef struct move_relation {
    size_t shorter, longer; /* numbers of plies */
    size_t same;            /* plies until the first difference */
    size_t differ;          /* plies of the shorter game that differ */
} move_relation;

static move_relation compare_moves(const stamma_duplicates *d, const game_facts *a, const game_facts *b)
{
    const stamma_move *x = moves_of(d, a), *y = moves_of(d, b);
    bool first = a->ply_count < b->ply_count;
    move_relation m = {.shorter = first ? a->ply_count : b->ply_count, .longer = first ? b->ply_count : a->ply_count};
    m.same = m.shorter;
    for (size_t n = 0; n < m.shorter && m.differ <= MOVES_DIFFER; n++) {
        if (x[n] == y[n])
            continue;
        m.same = m.differ == 0 ? n : m.same;
        m.differ++;
    }
    return m;
}

static bool is_same_line(const move_relation *m)
{
    return m->differ == 0 && m->shorter == m->longer;
}

/* ---- the rules ---- */

typedef struct comparison {
    name_relation names;
    date_relation dates;
    move_relation moves;
    bool same_result, results_fit, same_event, same_date;
} comparison;

static bool has_same_moves(const comparison *c)
{
    size_t plies = c->moves.shorter;
    if (!is_same_line(&c->moves))
        return false;
    if (c->names == NAME_UNKNOWN)
        return plies >= CERTAIN && c->dates <= DATE_COMPATIBLE && c->results_fit;
    if (!c->results_fit)
        return plies >= LONG && c->dates == DATE_EQUAL;
    if (plies < SHORT)
        return c->dates == DATE_EQUAL && c->same_event;
    if (plies < LONG)
        return c->dates == DATE_EQUAL || (c->dates == DATE_COMPATIBLE && c->same_event);
    return c->dates <= DATE_COMPATIBLE || (c->dates == DATE_NEAR && plies >= CERTAIN);
}

/* The last move of the shorter game may differ: the feed of a game often ends with a move that was not played. */
static bool is_included(const comparison *c)
{
    const move_relation *m = &c->moves;
    size_t least = c->dates == DATE_EQUAL ? SHORT : CERTAIN;
    if (m->longer == m->shorter || !c->results_fit || c->names >= NAME_UNKNOWN || c->dates > DATE_COMPATIBLE)
        return false;
    return (m->differ == 0 && m->shorter >= least) ||
           (m->same + 1 == m->shorter && m->shorter >= LONG && c->dates == DATE_EQUAL);
}

static bool is_similar(const comparison *c)
{
    const move_relation *m = &c->moves;
    size_t least = c->dates == DATE_EQUAL ? LONG : CERTAIN;
    return m->longer - m->shorter <= 2 && m->differ <= MOVES_DIFFER && m->shorter >= least && c->same_result &&
           c->names < NAME_UNKNOWN && c->dates <= DATE_COMPATIBLE;
}

static stamma_duplicate_kind classify(const comparison *c)
{
    if (has_same_moves(c)) {
        bool exact = c->names == NAME_EQUAL && c->same_date && c->same_event && c->same_result;
        return exact ? STAMMA_DUPLICATE_EXACT : STAMMA_DUPLICATE_SPELLING;
    }
    if (is_included(c))
        return STAMMA_DUPLICATE_INCLUDED;
    return is_similar(c) ? STAMMA_DUPLICATE_SIMILAR : STAMMA_DUPLICATE_NONE;
}

stamma_duplicate_kind stamma_same_game(const stamma_duplicates *d, const game_facts *a, const game_facts *b)
{
    comparison c = {.dates = compare_dates(a->date, b->date)};
    if (is_excluded(a, b) || c.dates == DATE_DIFFERENT)
        return STAMMA_DUPLICATE_NONE;
    c.moves = compare_moves(d, a, b);
    if (c.moves.differ > MOVES_DIFFER)
        return STAMMA_DUPLICATE_NONE;
    c.names = compare_players(d, a, b);
    if (c.names == NAME_DIFFERENT)
        return STAMMA_DUPLICATE_NONE;
    c.same_result = a->result == b->result;
    c.results_fit = c.same_result || a->result == STAMMA_RESULT_UNKNOWN || b->result == STAMMA_RESULT_UNKNOWN;
    c.same_event = a->event == b->event;
    c.same_date = a->date == b->date; /* unknown parts included */
    stamma_duplicate_kind kind = classify(&c);
    return d->kinds >> kind & 1u ? kind : STAMMA_DUPLICATE_NONE;
}
