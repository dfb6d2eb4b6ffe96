/* SPDX-License-Identifier: MIT */
/* Tests the rules by which two games are the same game, with hand-made properties: numbers of plies, dates, results and
 * names at the limits that doc/reference/duplicates.md lists ("Rules of dedupe"). The order of the games does not
 * matter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "duplicates/duplicates.h"

enum { PLIES_MAX = 60, DAY = 20100503, ROUND = 3, OTHER_ROUND = 4 };
enum { NONE = STAMMA_DUPLICATE_NONE, EXACT = STAMMA_DUPLICATE_EXACT, SPELLING = STAMMA_DUPLICATE_SPELLING };
enum { INCLUDED = STAMMA_DUPLICATE_INCLUDED, SIMILAR = STAMMA_DUPLICATE_SIMILAR };
enum { TRANSPOSED = STAMMA_DUPLICATE_TRANSPOSED, PROBABLE = STAMMA_DUPLICATE_PROBABLE };
enum { CERTAIN_KINDS = 62, ALL_KINDS = 126 };
enum { WON = STAMMA_RESULT_WHITE, LOST = STAMMA_RESULT_BLACK, OPEN = STAMMA_RESULT_UNKNOWN };
/* Dates of the other game: compatible, near, and different. */
enum { MONTH = 20100500, YEAR = 20100000, NO_MONTH = 20100003, NEAR = 20100506, FAR = 20100507 };
enum { MONTH_LATER = 20100603, TOO_LATE = 20100604, OTHER_YEAR = 20090503 };
enum { EXCHANGED = 20100305, HALF_EXCHANGED = 20100405 };
/* Names of the other White player: one word in common, missing, and similar names. */
enum { SAME_NAME, SURNAME, MISSING, OTHER_NAME, OTHER_LETTERS, WITH_DIGIT, WOMAN, OPPONENT, NAMES };
/* Events of the other game. */
enum { OPEN_EVENT, OTHER_EVENT, RAPID, BLITZ, RAPID_BLITZ, EVENTS };

/* The differences between the second game and a game of `plies` plies. 0: equal. */
typedef struct pair {
    int kind;
    unsigned plies, other_plies; /* 0: the same number */
    uint32_t date;
    unsigned result; /* plus 1 */
    unsigned name, event, first_event;
    bool round, people, swapped, other_end, exchanged;
    unsigned wrong; /* this number of moves differ, from the middle on */
    bool last;      /* the last move differs */
} pair;

typedef struct games {
    stamma_duplicates detector;
    game_facts a, b;
    uint32_t names[NAMES], events[EVENTS];
} games;

static void add_moves(games *g, const pair *p, bool other)
{
    const unsigned count = other ? g->b.ply_count : g->a.ply_count;
    stamma_move moves[PLIES_MAX];
    for (unsigned n = 0; n < count; n++)
        moves[n] = (stamma_move)(100 + n);
    for (unsigned n = 0; other && n < p->wrong; n++)
        moves[8 + n] = (stamma_move)(5000 + n);
    if (other && p->last)
        moves[count - 1] = 6000;
    for (unsigned n = 0; other && p->swapped && n < 12; n++) /* moves of a side in a different order */
        moves[n] = (stamma_move)(100 + (n ^ 2));
    (other ? &g->b : &g->a)->moves = g->detector.move_list.size / sizeof *moves;
    buffer_add(&g->detector.move_list, moves, count * sizeof *moves);
}

static void set_up_games(games *g, const pair *p)
{
    static const char *const names[NAMES] = {"andreikin, dmitry",  "andreikin, igor",   "",
                                             "carlsen, magnus",    "andrejkin, dmitri", "andreikin, dmitry2",
                                             "andreikina, dmitry", "svidler, peter"};
    static const char *const events[EVENTS] = {"open", "closed", "world rapid", "world blitz", "rapid and blitz"};
    *g = (games){
        .detector = {.allocator = stamma_allocator_or_default(NULL), .days = 3, .moves = 4, .kinds = CERTAIN_KINDS}};
    g->detector.move_list.allocator = g->detector.texts.allocator = &g->detector.allocator;
    g->detector.work.plain.allocator = g->detector.work.folded.allocator = &g->detector.allocator;
    g->detector.texts.copies = true;
    for (unsigned n = 0; n < NAMES; n++)
        g->names[n] = n == MISSING ? 0 : stamma_text_table_add(&g->detector.texts, stamma_text_of(names[n]));
    for (unsigned n = 0; n < EVENTS; n++)
        g->events[n] = stamma_text_table_add(&g->detector.texts, stamma_text_of(events[n]));
    g->a = (game_facts){.ply_count = p->plies,
                        .names = {g->names[SAME_NAME], g->names[OPPONENT]},
                        .event = g->events[p->first_event],
                        .date = DAY,
                        .round = ROUND,
                        .time = -1};
    g->a.result = WON;
    g->b = g->a;
    g->b.ply_count = p->other_plies ? p->other_plies : p->plies;
    g->b.date = p->date ? p->date : DAY;
    g->b.event = g->events[p->event];
    g->b.round = p->round ? OTHER_ROUND : ROUND;
    g->b.ids[STAMMA_BLACK] = p->people ? 7 : 0;
    g->b.keys[KEY_END] = p->other_end;
    g->b.names[STAMMA_WHITE] = g->names[p->name];
    if (p->exchanged) {
        g->b.names[STAMMA_WHITE] = g->names[OPPONENT];
        g->b.names[STAMMA_BLACK] = g->names[p->name];
    }
    g->b.result = (uint8_t)(p->result ? p->result - 1 : WON);
    add_moves(g, p, false);
    add_moves(g, p, true);
}

static void release_games(games *g)
{
    stamma_buffer_release(&g->detector.move_list);
    stamma_buffer_release(&g->detector.work.plain);
    stamma_buffer_release(&g->detector.work.folded);
    stamma_text_table_release(&g->detector.texts);
}

static void check(const pair *all, size_t count, unsigned kinds)
{
    for (size_t n = 0; n < count; n++) {
        games g;
        set_up_games(&g, &all[n]);
        g.detector.kinds = kinds;
        const uint8_t relation = stamma_same_game(&g.detector, &g.a, &g.b);
        if ((int)relation_kind(relation) != all[n].kind || relation != stamma_same_game(&g.detector, &g.b, &g.a))
            fail_msg("pair %zu: relation %d, not %d", n, relation, all[n].kind);
        release_games(&g);
    }
}

#define CHECK(pairs) check(pairs, sizeof(pairs) / sizeof *(pairs), CERTAIN_KINDS)
#define CHECK_ALL(pairs) check(pairs, sizeof(pairs) / sizeof *(pairs), ALL_KINDS)

/* ---- the same moves ---- */

static void same_moves(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {EXACT, 45, .date = DAY},
        {EXACT, 1, .date = DAY},
        {SPELLING, 45, .event = OTHER_EVENT},
        /* below 16 plies */
        {NONE, 15, .event = OTHER_EVENT},
        {NONE, 15, .date = MONTH},
        /* 16 to 29 plies */
        {SPELLING, 16, .event = OTHER_EVENT},
        {SPELLING, 29, .date = MONTH},
        {NONE, 29, .date = MONTH, .event = OTHER_EVENT},
        {NONE, 29, .date = NEAR},
        /* 30 to 39 plies */
        {SPELLING, 30, .date = MONTH, .event = OTHER_EVENT},
        {NONE, 39, .date = NEAR, .event = OTHER_EVENT},
        /* 40 plies */
        {SPELLING, 40, .date = NEAR, .event = OTHER_EVENT},
        {NONE, 45, .date = FAR, .event = OTHER_EVENT},
        {SPELLING, 40, .date = EXCHANGED, .event = OTHER_EVENT},
        {NONE, 45, .date = HALF_EXCHANGED, .event = OTHER_EVENT},
        {SPELLING, 30, .date = NO_MONTH},
        {SPELLING, 30, .date = YEAR},
    };
    CHECK(pairs);
}

/* In the same event and round, the date may be the first day of the event, or a day of another year. */
static void wrong_dates(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {SPELLING, 30, .date = MONTH_LATER},
        {NONE, 29, .date = MONTH_LATER},
        {NONE, 45, .date = TOO_LATE},
        {SPELLING, 40, .date = OTHER_YEAR},
        {NONE, 39, .date = OTHER_YEAR},
        {NONE, 45, .date = OTHER_YEAR, .event = OTHER_EVENT},
        {NONE, 45, .date = OTHER_YEAR, .round = true, .people = true},
        {NONE, 45, .date = OTHER_YEAR, .result = OPEN + 1},
        {NONE, 45, .date = OTHER_YEAR, .wrong = 1},
        {NONE, 45, .date = OTHER_YEAR, .name = SURNAME},
        {NONE, 45, .date = MONTH_LATER, .event = OTHER_EVENT},
    };
    CHECK(pairs);
    games g;
    set_up_games(&g, &pairs[0]);
    g.detector.days = 0;
    assert_int_equal(stamma_same_game(&g.detector, &g.a, &g.b), NONE);
    release_games(&g);
}

/* Names and events that contradict each other are not one game, however long the game is. Equal ids decide. */
static void contradictions(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {SPELLING, 45, .name = OTHER_LETTERS},
        {NONE, 45, .name = SURNAME},
        {NONE, 45, .name = WITH_DIGIT},
        {NONE, 45, .name = WOMAN},
        {NONE, 45, .first_event = RAPID, .event = BLITZ},
        {SPELLING, 45, .first_event = RAPID, .event = RAPID_BLITZ},
        {SPELLING, 45, .first_event = RAPID, .event = OPEN_EVENT},
        {NONE, 45, .exchanged = true},
    };
    CHECK(pairs);
    games g;
    set_up_games(&g, &pairs[1]);
    g.a.ids[STAMMA_WHITE] = g.b.ids[STAMMA_WHITE] = 9;
    assert_int_equal(stamma_same_game(&g.detector, &g.a, &g.b), SPELLING);
    release_games(&g);
}

static void probable_games(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {PROBABLE, 45, .name = SURNAME},
        {PROBABLE, 30, .name = SURNAME},
        {NONE, 29, .name = SURNAME},
        {NONE, 45, .name = SURNAME, .wrong = 1},
        {PROBABLE, 45, .name = WITH_DIGIT},
        {PROBABLE, 45, .name = WOMAN},
        {PROBABLE, 45, .name = OTHER_NAME},
        {NONE, 45, .name = OTHER_NAME, .event = OTHER_EVENT},
        {NONE, 45, .name = OTHER_NAME, .date = MONTH},
        {PROBABLE, 45, .exchanged = true},
        {PROBABLE, 45, .exchanged = true, .result = LOST + 1},
        {PROBABLE, 45, .exchanged = true, .name = OTHER_LETTERS},
        {NONE, 29, .exchanged = true},
        {PROBABLE, 45, .first_event = RAPID, .event = BLITZ},
        {NONE, 39, .first_event = RAPID, .event = BLITZ},
        {PROBABLE, 45, .date = OTHER_YEAR, .event = OTHER_EVENT},
        {NONE, 29, .date = OTHER_YEAR, .event = OTHER_EVENT},
        {NONE, 45, .date = OTHER_YEAR, .round = true, .people = true},
        {PROBABLE, 15, .date = MONTH},
        {PROBABLE, 45, .other_plies = 40, .result = LOST + 1, .event = OTHER_EVENT},
        {NONE, 45, .wrong = 1, .round = true, .people = true},
    };
    CHECK_ALL(pairs);
}

/* Scores and reasons. */
static void relations(void **state)
{
    (void)state;
    static const struct {
        pair pair;
        unsigned reason;
    } rows[] = {
        {{PROBABLE, 45, .exchanged = true}, STAMMA_DUPLICATE_COLORS},
        {{PROBABLE, 45, .name = SURNAME}, STAMMA_DUPLICATE_NAMES},
        {{PROBABLE, 45, .first_event = RAPID, .event = BLITZ}, STAMMA_DUPLICATE_EVENT},
        {{PROBABLE, 45, .date = OTHER_YEAR, .event = OTHER_EVENT}, STAMMA_DUPLICATE_DATE},
        {{PROBABLE, 45, .other_plies = 40, .result = LOST + 1, .event = OTHER_EVENT}, STAMMA_DUPLICATE_RESULT},
        {{PROBABLE, 45, .other_plies = 36, .last = true, .event = OTHER_EVENT, .date = MONTH}, STAMMA_DUPLICATE_MOVES},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        games g;
        set_up_games(&g, &rows[n].pair);
        g.detector.kinds = ALL_KINDS;
        const unsigned rest = (unsigned)(stamma_same_game(&g.detector, &g.a, &g.b) - PROBABLE);
        assert_int_equal(1 + rest / SCORES, rows[n].reason);
        release_games(&g);
    }
    assert_int_equal(probable_relation(SCORE_MIN, STAMMA_DUPLICATE_COLORS), PROBABLE);
    assert_true(probable_relation(SCORE_MAX, STAMMA_DUPLICATE_MOVES) < NOT_COMPARED);
    assert_int_equal(relation_kind(probable_relation(SCORE_MAX, STAMMA_DUPLICATE_MOVES)), PROBABLE);
}

static void results_and_names(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {SPELLING, 30, .result = LOST + 1},
        {NONE, 29, .result = LOST + 1},
        {NONE, 45, .result = LOST + 1, .date = MONTH},
        {SPELLING, 16, .result = OPEN + 1},
        /* a name is missing */
        {SPELLING, 40, .name = MISSING},
        {NONE, 39, .name = MISSING},
        {SPELLING, 40, .name = MISSING, .date = MONTH},
        {NONE, 45, .name = MISSING, .date = NEAR},
        {NONE, 45, .name = MISSING, .result = LOST + 1},
        {SPELLING, 40, .name = MISSING, .result = OPEN + 1},
        {NONE, 45, .name = OTHER_NAME},
        /* another round: engines, people */
        {NONE, 45, .round = true},
        {SPELLING, 40, .round = true, .people = true},
        {NONE, 39, .round = true, .people = true},
        {NONE, 45, .round = true, .people = true, .date = MONTH},
        {NONE, 45, .round = true, .people = true, .result = OPEN + 1},
        {NONE, 45, .round = true, .people = true, .name = SURNAME},
    };
    CHECK(pairs);
}

/* ---- other moves ---- */

static void included_games(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {INCLUDED, 45, .other_plies = 16},
        {NONE, 45, .other_plies = 15},
        {INCLUDED, 45, .other_plies = 40, .date = MONTH},
        {NONE, 45, .other_plies = 39, .date = MONTH},
        {NONE, 45, .other_plies = 40, .date = NEAR},
        {INCLUDED, 45, .other_plies = 16, .result = OPEN + 1},
        /* another result, in the same round and in another event */
        {INCLUDED, 45, .other_plies = 30, .result = LOST + 1},
        {NONE, 45, .other_plies = 29, .result = LOST + 1},
        {NONE, 45, .other_plies = 40, .result = LOST + 1, .event = OTHER_EVENT},
        {NONE, 45, .other_plies = 40, .round = true, .people = true},
        {NONE, 45, .other_plies = 40, .name = SURNAME},
        /* the last move of the shorter game differs */
        {INCLUDED, 45, .other_plies = 30, .last = true, .event = OTHER_EVENT},
        {NONE, 45, .other_plies = 29, .last = true, .event = OTHER_EVENT},
        {INCLUDED, 45, .other_plies = 17, .last = true},
        {NONE, 45, .other_plies = 16, .last = true},
        {NONE, 45, .other_plies = 40, .last = true, .date = MONTH},
        {NONE, 45, .other_plies = 40, .wrong = 2},
    };
    CHECK(pairs);
}

/* Even if no move may differ in similar games, the last move of an included game may differ. */
static void no_moves_may_differ(void **state)
{
    (void)state;
    static const pair pairs[] = {{INCLUDED, 45, .other_plies = 30, .last = true}, {NONE, 45, .wrong = 1}};
    for (size_t n = 0; n < 2; n++) {
        games g;
        set_up_games(&g, &pairs[n]);
        g.detector.moves = 0;
        assert_int_equal(stamma_same_game(&g.detector, &g.a, &g.b), pairs[n].kind);
        release_games(&g);
    }
}

static void similar_games(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {SIMILAR, 30, .wrong = 1},
        {NONE, 29, .wrong = 1},
        {SIMILAR, 30, .wrong = 4},
        {NONE, 45, .wrong = 5},
        {SIMILAR, 34, .other_plies = 32, .wrong = 1},
        {NONE, 35, .other_plies = 32, .wrong = 1},
        {SIMILAR, 40, .wrong = 1, .date = MONTH},
        {NONE, 39, .wrong = 1, .date = MONTH},
        {NONE, 45, .wrong = 1, .date = NEAR},
        {NONE, 45, .wrong = 1, .result = OPEN + 1},
        {NONE, 45, .wrong = 1, .round = true, .people = true},
        {NONE, 45, .wrong = 1, .name = SURNAME},
    };
    CHECK(pairs);
}

static void transposed_games(void **state)
{
    (void)state;
    static const pair pairs[] = {
        {TRANSPOSED, 30, .swapped = true},
        {NONE, 29, .swapped = true},
        {NONE, 45, .swapped = true, .other_end = true},
        {NONE, 45, .other_plies = 44, .swapped = true},
        {NONE, 45, .swapped = true, .last = true},
        {TRANSPOSED, 40, .swapped = true, .date = MONTH},
        {NONE, 39, .swapped = true, .date = MONTH},
        {NONE, 45, .swapped = true, .date = NEAR},
        {NONE, 45, .swapped = true, .result = OPEN + 1},
        {NONE, 45, .swapped = true, .name = SURNAME},
    };
    CHECK(pairs);
}

/* ---- facts that exclude a pair ---- */

static void expect(games *g, int kind)
{
    assert_int_equal(stamma_same_game(&g->detector, &g->a, &g->b), kind);
    assert_int_equal(stamma_same_game(&g->detector, &g->b, &g->a), kind);
}

/* Sets a fact of both games, and expects the kind. */
#define FACT(member, x, y, kind)  \
    do {                          \
        const game_facts a = g.a; \
        const game_facts b = g.b; \
        g.a.member = (x);         \
        g.b.member = (y);         \
        expect(&g, (kind));       \
        g.a = a;                  \
        g.b = b;                  \
    } while (0)

static void excluded_games(void **state)
{
    (void)state;
    games g;
    const pair equal = {EXACT, 45, .date = DAY};
    set_up_games(&g, &equal);
    FACT(hash, 5, 5, EXACT);
    FACT(start, 1, 2, NONE);
    for (unsigned color = 0; color < 2; color++) {
        FACT(ids[color], 5, 6, NONE);
        FACT(ids[color], 5, 5, EXACT);
        FACT(ids[color], 5, 0, EXACT);
    }
    FACT(time, 100, 200, NONE);
    FACT(time, 100, 100, EXACT);
    FACT(time, 0, -1, EXACT);
    FACT(round, 3 | 1 << 10, 3 | 2 << 10, NONE);
    FACT(round, 3 | 1 << 10, 3, EXACT);
    FACT(round, 3 | 1 << 10 | 1 << 20, 3 | 1 << 10 | 2 << 20, NONE);
    g.a.host = 1;
    g.a.link = 10;
    FACT(host, 1, 2, EXACT);
    g.b.link = 11;
    FACT(host, 1, 1, NONE);
    FACT(host, 0, 0, EXACT);
    release_games(&g);
}

/* Games whose hashes are equal are the same game, as in a set of games. */
static void equal_hashes(void **state)
{
    (void)state;
    games g;
    const pair incomplete = {NONE, 4, .date = DAY};
    set_up_games(&g, &incomplete);
    g.a.date = g.b.date = YEAR;
    expect(&g, NONE);
    FACT(hash, 5, 5, EXACT);
    FACT(hash, 5, 6, NONE);
    g.a.hash = g.b.hash = 5;
    FACT(round, 3, 4, NONE);
    FACT(ids[STAMMA_WHITE], 3, 4, NONE);
    FACT(time, 3, 4, NONE);
    release_games(&g);
}

/* The last plies are equal if a repetition is left out. Equal ids, event, round and date decide. */
static void other_lengths(void **state)
{
    (void)state;
    games g;
    const pair shorter = {NONE, 44, .other_plies = 40};
    set_up_games(&g, &shorter);
    stamma_move *moves = (stamma_move *)(void *)g.detector.move_list.data + g.b.moves;
    for (unsigned n = 20; n < 40; n++)
        moves[n] = (stamma_move)(104 + n);
    FACT(event, 0, 0, SIMILAR);
    FACT(keys[KEY_END], 1, 2, NONE);
    moves[39]++; /* the moves after the repetition must be the same */
    FACT(event, 0, 0, NONE);
    expect(&g, NONE);
    for (unsigned color = 0; color < 2; color++)
        g.a.ids[color] = g.b.ids[color] = 70 + color;
    expect(&g, SIMILAR);
    FACT(event, 0, 0, NONE);
    FACT(round, 0, 0, NONE);
    FACT(date, DAY, NEAR, NONE);
    moves[15]++; /* 16 plies, and half of the plies, must be equal */
    expect(&g, NONE);
    release_games(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_dates),         cmocka_unit_test(contradictions),    cmocka_unit_test(probable_games),
        cmocka_unit_test(relations),           cmocka_unit_test(equal_hashes),      cmocka_unit_test(other_lengths),
        cmocka_unit_test(same_moves),          cmocka_unit_test(results_and_names), cmocka_unit_test(included_games),
        cmocka_unit_test(no_moves_may_differ), cmocka_unit_test(similar_games),     cmocka_unit_test(transposed_games),
        cmocka_unit_test(excluded_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
