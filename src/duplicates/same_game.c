/* SPDX-License-Identifier: MIT */
/* The rules by which two games are the same game (doc/reference/duplicates.md). */
#include "duplicates/duplicates.h"

/* ---- facts ---- */

/* Returns a day number that is at most a few days wrong across the end of a month. */
static int32_t approximate_day(uint32_t date)
{
    return (int32_t)(date / 10000 * 372 + date / 100 % 100 * 31 + date % 100);
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

/* Returns whether any player has a FIDE identifier, which only people have. People do not repeat a long game; engines
 * may. */
static bool are_people(const game_facts *a, const game_facts *b)
{
    return a->ids[STAMMA_WHITE] != 0 || a->ids[STAMMA_BLACK] != 0 || b->ids[STAMMA_WHITE] != 0 ||
           b->ids[STAMMA_BLACK] != 0;
}

static bool have_same_ids(const game_facts *a, const game_facts *b)
{
    return a->ids[STAMMA_WHITE] != 0 && a->ids[STAMMA_WHITE] == b->ids[STAMMA_WHITE] && a->ids[STAMMA_BLACK] != 0 &&
           a->ids[STAMMA_BLACK] == b->ids[STAMMA_BLACK];
}

/* Returns whether a fact shows that the games are different games. */
static bool is_excluded(const game_facts *a, const game_facts *b)
{
    return a->start != b->start || (a->host != 0 && a->host == b->host && a->link != b->link) ||
           (stamma_rounds_differ(a->round, b->round) && !are_people(a, b)) || times_differ(a->time, b->time);
}

/* ---- moves ---- */

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

/* Returns whether one game has plies in the middle that the other game lacks, and both end in the same position. */
static bool is_repeated(const stamma_duplicates *d, const game_facts *a, const game_facts *b, const move_relation *m)
{
    const size_t more = m->longer - m->shorter;
    const game_facts *shorter = a->ply_count < b->ply_count ? a : b, *longer = shorter == a ? b : a;
    if (more == 0 || more > REPETITION_PLIES || more % 2 != 0 || a->keys[KEY_END] != b->keys[KEY_END])
        return false;
    return memcmp(moves_of(d, shorter) + m->same, moves_of(d, longer) + m->same + more,
                  (m->shorter - m->same) * sizeof(stamma_move)) == 0;
}

/* ---- the rules ---- */

/* Returns whether event, round, date and players are equal: players have one game in a round. */
static bool has_same_place(const comparison *c)
{
    return c->known_event && c->same_round && c->dates == DATE_EQUAL && c->names <= NAME_COMPATIBLE;
}

/* Returns whether only the date is wrong: another year, or the first day of the event. */
static bool has_wrong_date(const comparison *c)
{
    return c->names <= NAME_COMPATIBLE && c->same_result && c->known_event && c->same_round &&
           c->moves.shorter >= (c->same_day ? CERTAIN_PLIES : LONG_PLIES) && (c->same_day || c->same_month);
}

static bool has_same_moves(const comparison *c)
{
    const size_t plies = c->moves.shorter;
    if (!is_same_line(&c->moves))
        return false;
    if (c->other_round)
        return plies >= CERTAIN_PLIES && c->names <= NAME_COMPATIBLE && c->dates == DATE_EQUAL && c->same_result;
    if (c->equal)
        return true;
    if (c->names > NAME_COMPATIBLE)
        return c->names == NAME_UNKNOWN && plies >= CERTAIN_PLIES && c->dates <= DATE_COMPATIBLE && c->results_fit;
    if (!c->results_fit)
        return plies >= LONG_PLIES && c->dates == DATE_EQUAL;
    if (plies < SHORT_PLIES)
        return c->dates == DATE_EQUAL && c->same_event;
    if (plies < LONG_PLIES)
        return c->dates == DATE_EQUAL || (c->dates == DATE_COMPATIBLE && c->same_event);
    return c->dates <= DATE_COMPATIBLE || (c->dates == DATE_NEAR && plies >= CERTAIN_PLIES) || has_wrong_date(c);
}

/* Returns whether the shorter game is included in the longer. Its last moves may differ, because transmissions of games
 * often end with moves that were not played. */
static bool is_included(const comparison *c)
{
    enum { WRONG_END = 4 };
    const move_relation *m = &c->moves;
    const size_t least = c->dates == DATE_EQUAL ? SHORT_PLIES : CERTAIN_PLIES;
    if (m->longer == m->shorter || c->other_round || c->names > NAME_COMPATIBLE || c->dates > DATE_COMPATIBLE)
        return false;
    if (has_same_place(c) && m->same >= SHORT_PLIES && m->same + WRONG_END >= m->shorter)
        return c->results_fit || m->same >= LONG_PLIES;
    return c->results_fit && ((m->differ == 0 && m->shorter >= least) ||
                              (m->same + 1 == m->shorter && m->shorter >= LONG_PLIES && c->dates == DATE_EQUAL));
}

/* Returns whether games that differ in some moves may be the same game. */
static bool has_same_facts(const comparison *c)
{
    size_t least = c->dates == DATE_EQUAL ? LONG_PLIES : CERTAIN_PLIES;
    return c->moves.shorter >= least && c->same_result && !c->other_round && c->names <= NAME_COMPATIBLE &&
           c->dates <= DATE_COMPATIBLE;
}

/* Returns whether the games are the same game by their FIDE ids, event, round and date, and half of the moves. */
static bool is_corrected(const comparison *c)
{
    return c->moves_limit > 0 && c->same_ids && has_same_place(c) && c->results_fit && c->moves.same >= SHORT_PLIES &&
           2 * c->moves.same >= c->moves.shorter;
}

static bool is_similar(const comparison *c)
{
    const move_relation *m = &c->moves;
    return (((m->longer - m->shorter <= 2 && m->differ <= c->moves_limit) || c->repeated) && has_same_facts(c)) ||
           is_corrected(c);
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
    for (size_t n = 0; n < sizeof tests / sizeof *tests && !c->other_event && !c->exchanged; n++)
        if (tests[n].fits && kinds >> tests[n].kind & 1u)
            return tests[n].kind;
    return STAMMA_DUPLICATE_NONE;
}

static bool are_dates_within(uint32_t a, uint32_t b, int32_t days)
{
    const int32_t apart = approximate_day(a) - approximate_day(b);
    return a % 100 != 0 && b % 100 != 0 && a / 100 % 100 != 0 && b / 100 % 100 != 0 && apart <= days && -apart <= days;
}

/* Compares the facts except moves and names. */
static void compare_facts(const stamma_duplicates *d, const game_facts *a, const game_facts *b, comparison *c)
{
    enum { MONTH = 31 };
    c->equal = a->hash != 0 && a->hash == b->hash;
    c->same_ids = have_same_ids(a, b);
    c->same_result = a->result == b->result;
    c->results_fit = c->same_result || a->result == STAMMA_RESULT_UNKNOWN || b->result == STAMMA_RESULT_UNKNOWN;
    c->same_event = a->event == b->event;
    c->known_event = c->same_event && a->event != 0;
    c->other_round = stamma_rounds_differ(a->round, b->round);
    c->same_round = a->round == b->round && a->round != 0;
    c->same_date = a->date == b->date; /* unknown parts must be equal, too */
    c->same_day = d->days > 0 && a->date % 10000 == b->date % 10000 && a->date % 100 != 0;
    c->same_month = d->days > 0 && are_dates_within(a->date, b->date, MONTH);
}

/* Compares the moves. Returns false if they cannot be moves of the same game. */
static bool compare_games(const stamma_duplicates *d, const game_facts *a, const game_facts *b, comparison *c)
{
    c->moves = compare_moves(d, a, b);
    if (is_same_line(&c->moves))
        return true;
    if (c->dates == DATE_DIFFERENT)
        return false;
    c->other_order = c->moves.differ > 0 && has_other_order(d, a, b);
    c->repeated = is_repeated(d, a, b, &c->moves);
    return c->moves.differ <= d->moves || c->moves.differ <= 1 || c->other_order || c->repeated ||
           (c->known_event && c->same_round && c->dates == DATE_EQUAL && c->moves.same >= PART_PLIES);
}

uint8_t stamma_same_game(stamma_duplicates *d, const game_facts *a, const game_facts *b)
{
    comparison c = {.dates = compare_dates(a->date, b->date, d->days), .moves_limit = d->moves};
    compare_facts(d, a, b, &c);
    if (is_excluded(a, b) || !compare_games(d, a, b, &c))
        return STAMMA_DUPLICATE_NONE;
    c.names = stamma_players_compare(d, a, b, false);
    if (c.names == NAME_DIFFERENT && is_same_line(&c.moves)) {
        const name_relation names = stamma_players_compare(d, a, b, true);
        c.exchanged = names <= NAME_COMPATIBLE;
        c.names = c.exchanged ? names : c.names;
    }
    if (ids_differ(a->ids, b->ids, c.exchanged))
        return STAMMA_DUPLICATE_NONE;
    c.other_event = a->event != b->event && stamma_events_contradict(fact_text(d, a->event), fact_text(d, b->event));
    const stamma_duplicate_kind kind = classify(&c, d->kinds);
    if (kind != STAMMA_DUPLICATE_NONE || !(d->kinds >> STAMMA_DUPLICATE_PROBABLE & 1u))
        return (uint8_t)kind;
    return stamma_probable_game(&c);
}
