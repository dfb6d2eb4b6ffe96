/* SPDX-License-Identifier: MIT */
/* The rules by which two games are the same game (doc/dedupe.md). */
#include "duplicates/duplicates.h"

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

static date_relation compare_dates(uint32_t a, uint32_t b, unsigned near)
{
    uint32_t month_a = a / 100 % 100, month_b = b / 100 % 100, day_a = a % 100, day_b = b % 100;
    bool full = day_a != 0 && day_b != 0 && month_a != 0 && month_b != 0;
    if (a == b && full)
        return DATE_EQUAL;
    if (!part_differs(a / 10000, b / 10000) && !part_differs(month_a, month_b) && !part_differs(day_a, day_b))
        return DATE_COMPATIBLE;
    int32_t days = approximate_day(a) - approximate_day(b);
    bool exchanged = a / 10000 == b / 10000 && month_a == day_b && month_b == day_a;
    unsigned apart = (unsigned)(days < 0 ? -days : days);
    return full && near > 0 && (apart <= near || exchanged) ? DATE_NEAR : DATE_DIFFERENT;
}

bool stamma_dates_differ(const stamma_duplicates *d, uint32_t a, uint32_t b)
{
    return compare_dates(a, b, d->days) == DATE_DIFFERENT;
}

/* Returns the worse relation of the two players. At most one of them has a relation worse than COMPATIBLE, unless both
 * are unknown. */
static name_relation compare_players(const stamma_duplicates *d, const game_facts *a, const game_facts *b)
{
    name_relation worst = NAME_EQUAL, best = NAME_DIFFERENT;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        name_relation relation = NAME_EQUAL;
        if (a->names[color] != b->names[color] || a->names[color] == 0)
            relation = stamma_names_compare(fact_text(d, a->names[color]), fact_text(d, b->names[color]));
        worst = relation > worst ? relation : worst;
        best = relation < best ? relation : best;
    }
    return best == NAME_SURNAME ? NAME_DIFFERENT : worst;
}

/* Returns whether two rounds are different. 3.1 and 3.2 are different; 3 and 3.1 are not. */
static bool is_round_different(const game_facts *a, const game_facts *b)
{
    for (unsigned shift = 0; shift < 10 * ROUND_PARTS; shift += 10)
        if (part_differs(a->round >> shift & 1023, b->round >> shift & 1023))
            return true;
    return false;
}

/* Returns whether any player has a FIDE identifier, which only people have. People do not repeat a long game; engines
 * may. */
static bool are_people(const game_facts *a, const game_facts *b)
{
    return a->ids[STAMMA_WHITE] != 0 || a->ids[STAMMA_BLACK] != 0 || b->ids[STAMMA_WHITE] != 0 ||
           b->ids[STAMMA_BLACK] != 0;
}

/* Returns whether a fact shows that the games are different games. */
static bool is_excluded(const game_facts *a, const game_facts *b)
{
    if (a->start != b->start)
        return true;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++)
        if (part_differs(a->ids[color], b->ids[color]))
            return true;
    return (a->host != 0 && a->host == b->host && a->link != b->link) ||
           (is_round_different(a, b) && !are_people(a, b)) || (a->time >= 0 && b->time >= 0 && a->time != b->time);
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
    for (size_t n = 0; n < m.shorter && (m.differ <= d->moves || m.differ <= 1); n++) {
        if (x[n] == y[n])
            continue;
        m.same = m.differ == 0 ? n : m.same;
        m.differ++;
    }
    return m;
}

/* Returns the sum of hashes of the moves of one side, which does not depend on their order. */
static uint64_t sum_of_moves(const stamma_move *moves, size_t count, size_t first)
{
    uint64_t sum = 0;
    for (size_t n = first; n < count; n += 2) {
        uint64_t hash = (moves[n] + 1) * UINT64_C(0x9E3779B97F4A7C15);
        sum += (hash ^ hash >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    }
    return sum;
}

/* Returns whether both sides make the same moves in another order, and the games end in the same position. */
static bool has_other_order(const stamma_duplicates *d, const game_facts *a, const game_facts *b)
{
    const size_t count = a->ply_count;
    if (count != b->ply_count || a->keys[KEY_END] != b->keys[KEY_END])
        return false;
    for (size_t side = 0; side < 2; side++)
        if (sum_of_moves(moves_of(d, a), count, side) != sum_of_moves(moves_of(d, b), count, side))
            return false;
    return true;
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
    unsigned moves_limit; /* moves that differ in similar games */
    bool same_result, results_fit, same_event, same_date, other_order, other_round;
} comparison;

static bool has_same_moves(const comparison *c)
{
    size_t plies = c->moves.shorter;
    if (!is_same_line(&c->moves))
        return false;
    if (c->other_round)
        return plies >= CERTAIN_PLIES && c->names <= NAME_COMPATIBLE && c->dates == DATE_EQUAL && c->same_result;
    if (c->names > NAME_COMPATIBLE)
        return plies >= CERTAIN_PLIES && c->dates <= DATE_COMPATIBLE && c->results_fit;
    if (!c->results_fit)
        return plies >= LONG_PLIES && c->dates == DATE_EQUAL;
    if (plies < SHORT_PLIES)
        return c->dates == DATE_EQUAL && c->same_event;
    if (plies < LONG_PLIES)
        return c->dates == DATE_EQUAL || (c->dates == DATE_COMPATIBLE && c->same_event);
    return c->dates <= DATE_COMPATIBLE || plies >= CERTAIN_PLIES; /* games with different dates were rejected before */
}

/* Returns whether the shorter game is included in the longer. Its last move may differ, because transmissions of games
 * often end with a move that was not played. */
static bool is_included(const comparison *c)
{
    const move_relation *m = &c->moves;
    size_t least = c->dates == DATE_EQUAL ? SHORT_PLIES : CERTAIN_PLIES;
    if (m->longer == m->shorter || !c->results_fit || c->other_round || c->names > NAME_COMPATIBLE ||
        c->dates > DATE_COMPATIBLE)
        return false;
    return (m->differ == 0 && m->shorter >= least) ||
           (m->same + 1 == m->shorter && m->shorter >= LONG_PLIES && c->dates == DATE_EQUAL);
}

/* Returns whether games that differ in some moves may be the same game. */
static bool has_same_facts(const comparison *c)
{
    size_t least = c->dates == DATE_EQUAL ? LONG_PLIES : CERTAIN_PLIES;
    return c->moves.shorter >= least && c->same_result && !c->other_round && c->names <= NAME_COMPATIBLE &&
           c->dates <= DATE_COMPATIBLE;
}

static bool is_similar(const comparison *c)
{
    return c->moves.longer - c->moves.shorter <= 2 && c->moves.differ <= c->moves_limit && has_same_facts(c);
}

/* Returns the first of the requested kinds that describes the games. */
static stamma_duplicate_kind classify(const comparison *c, unsigned kinds)
{
    bool same = has_same_moves(c),
         exact = c->names == NAME_EQUAL && c->same_date && c->same_event && c->same_result && !c->other_round;
    const struct {
        stamma_duplicate_kind kind;
        bool fits;
    } tests[] = {{STAMMA_DUPLICATE_EXACT, same && exact},
                 {STAMMA_DUPLICATE_SPELLING, same && !exact},
                 {STAMMA_DUPLICATE_INCLUDED, is_included(c)},
                 {STAMMA_DUPLICATE_TRANSPOSED, c->moves.differ > 0 && c->other_order && has_same_facts(c)},
                 {STAMMA_DUPLICATE_SIMILAR, !same && is_similar(c)}};
    for (size_t n = 0; n < sizeof tests / sizeof *tests; n++)
        if (tests[n].fits && kinds >> tests[n].kind & 1u)
            return tests[n].kind;
    return STAMMA_DUPLICATE_NONE;
}

stamma_duplicate_kind stamma_same_game(const stamma_duplicates *d, const game_facts *a, const game_facts *b)
{
    comparison c = {.dates = compare_dates(a->date, b->date, d->days), .moves_limit = d->moves};
    if (is_excluded(a, b) || c.dates == DATE_DIFFERENT)
        return STAMMA_DUPLICATE_NONE;
    c.moves = compare_moves(d, a, b);
    c.other_order = c.moves.differ > 0 && has_other_order(d, a, b);
    if (c.moves.differ > d->moves && c.moves.differ > 1 && !c.other_order)
        return STAMMA_DUPLICATE_NONE;
    c.names = compare_players(d, a, b);
    if (c.names == NAME_DIFFERENT)
        return STAMMA_DUPLICATE_NONE;
    c.same_result = a->result == b->result;
    c.results_fit = c.same_result || a->result == STAMMA_RESULT_UNKNOWN || b->result == STAMMA_RESULT_UNKNOWN;
    c.same_event = a->event == b->event;
    c.other_round = is_round_different(a, b);
    c.same_date = a->date == b->date; /* unknown parts must be equal, too */
    return classify(&c, d->kinds);
}
