/* SPDX-License-Identifier: MIT */
/* Tests events: standings with tie-breaks computed by hand from FIDE's definitions, kinds, division and findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "event_lines.h"

static stamma_event *open_event(const stamma_events *events, size_t index, stamma_event_facts *facts)
{
    stamma_event *event = NULL;
    assert_int_equal(stamma_events_at(events, index, NULL, &event), STAMMA_OK);
    assert_int_equal(stamma_event_facts_read(event, facts), STAMMA_OK);
    return event;
}

static void assert_text(stamma_text text, const char *wanted)
{
    if (text.size != strlen(wanted) || memcmp(text.data, wanted, text.size) != 0)
        fail_msg("%.*s, not %s", (int)text.size, text.data, wanted);
}

/* A row of the standings. Points are half points; SB is in quarter points. */
typedef struct row {
    const char *name;
    uint32_t rank, points, direct, buchholz, cut, sonneborn, won, koya;
} row;

static void assert_rows(const stamma_event *event, const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        stamma_event_player p;
        assert_int_equal(stamma_event_player_at(event, i, &p), STAMMA_OK);
        assert_text(p.name, r->name);
        const uint32_t got[] = {p.rank, p.points, p.direct, p.buchholz, p.buchholz_cut, p.sonneborn, p.won, p.koya};
        const uint32_t wanted[] = {r->rank, r->points, r->direct, r->buchholz, r->cut, r->sonneborn, r->won, r->koya};
        for (size_t n = 0; n < sizeof got / sizeof *got; n++)
            if (got[n] != wanted[n])
                fail_msg("%s: value %zu is %u, not %u", r->name, n, got[n], wanted[n]);
    }
}

/* ---- round robin ---- */

static const char round_robin_games[] = "1.1 A D 1-0\n"
                                        "1.2 B C 1/2-1/2\n"
                                        "2.1 D C 0-1\n"
                                        "2.2 A B 0-1\n"
                                        "3.1 B D 1/2-1/2\n"
                                        "3.2 C A 0-1\n";

/* A lost to B, and beat C and D; B drew with C and D; C beat D. Half of the maximum of 3 points is 1.5. */
static void round_robin(void **state)
{
    static const row rows[] = {{"B", 1, 4, 2, 8, 7, 12, 1, 3},
                               {"A", 2, 4, 0, 8, 7, 8, 2, 2},
                               {"C", 3, 3, 0, 9, 8, 6, 1, 1},
                               {"D", 4, 1, 0, 11, 8, 4, 0, 1}};
    stamma_events *events = make_events(round_robin_games, 1);
    stamma_event_facts f;
    stamma_event *event = open_event(events, 0, &f);
    (void)state;
    assert_int_equal(f.kind, STAMMA_EVENT_ROUND_ROBIN);
    assert_int_equal(f.cycles, 1);
    assert_int_equal(f.rounds, 3);
    assert_int_equal(f.games, 6);
    assert_int_equal(f.findings, 0);
    assert_int_equal(f.first_day, 20200101);
    assert_rows(event, rows, 4);
    stamma_event_close(event);
    stamma_events_close(events);
}

/* A beat B, B beat C, C beat A, and all beat D: the three remain tied. */
static void circle(void **state)
{
    static const row rows[] = {{"A", 1, 4, 2, 8, 8, 8, 2, 2},
                               {"B", 1, 4, 2, 8, 8, 8, 2, 2},
                               {"C", 1, 4, 2, 8, 8, 8, 2, 2},
                               {"D", 4, 0, 0, 12, 8, 0, 0, 0}};
    stamma_events *events = make_events("1 C A 1-0\n1 B D 1-0\n2 A B 1-0\n2 D C 0-1\n3 A D 1-0\n3 B C 1-0\n", 1);
    stamma_event_facts f;
    stamma_event *event = open_event(events, 0, &f);
    (void)state;
    assert_rows(event, rows, 4);
    stamma_event_close(event);
    stamma_events_close(events);
}

/* The tie-breaks of the options decide: A has two wins, and B has the better direct encounter. */
static void chosen_tie_breaks(void **state)
{
    static const stamma_tie_break wins[] = {STAMMA_TIE_BREAK_WINS};
    const stamma_event_options options = {.size = sizeof options, .tie_breaks = wins, .tie_break_count = 1};
    stamma_events *events = make_events(round_robin_games, 1);
    stamma_event *event = NULL;
    stamma_event_player p;
    (void)state;
    assert_int_equal(stamma_events_at(events, 0, &options, &event), STAMMA_OK);
    assert_int_equal(stamma_event_player_at(event, 0, &p), STAMMA_OK);
    assert_text(p.name, "A");
    stamma_event_close(event);
    stamma_events_close(events);
}

/* ---- Swiss ---- */

/* B is absent in the last round, C has a bye, and H loses by forfeit against E. As an opponent, B has a draw in the
 * last round (C.07, 16.3). B's and H's unplayed rounds are cut first (16.5), C's and E's are not. */
static void swiss(void **state)
{
    static const row rows[] = {
        {"E", 1, 5, 0, 9, 9, 14, 2, 3}, {"A", 2, 5, 0, 8, 7, 12, 2, 1}, {"C", 3, 4, 0, 10, 9, 14, 1, 1},
        {"G", 4, 4, 0, 8, 8, 8, 1, 2},  {"H", 5, 3, 0, 7, 4, 4, 1, 1},  {"B", 6, 2, 0, 8, 6, 2, 1, 0},
        {"D", 7, 1, 0, 12, 9, 4, 0, 1}, {"F", 8, 0, 0, 12, 9, 0, 0, 0},
    };
    stamma_events *events = make_events("1.1 A B 1-0\n1.2 C D 1/2-1/2\n1.3 E F 1-0\n1.4 G H 1/2-1/2\n"
                                        "2.1 A C 1/2-1/2\n2.2 B D 1-0\n2.3 E G 1/2-1/2\n2.4 F H 0-1\n"
                                        "3.1 A D 1-0\n3.2 E H 1-0 plies=0\n3.3 G F 1-0\n3.4 C bye 1-0 plies=0\n",
                                        1);
    stamma_event_facts f;
    stamma_event *event = open_event(events, 0, &f);
    stamma_event_player p;
    stamma_event_finding found;
    (void)state;
    assert_int_equal(f.kind, STAMMA_EVENT_SWISS);
    assert_int_equal(f.players, 8);
    assert_int_equal(f.tie_breaks, 5);
    assert_rows(event, rows, 8);
    assert_int_equal(stamma_event_player_at(event, 5, &p), STAMMA_OK);
    assert_int_equal(p.absent, 1);
    assert_int_equal(p.games, 2);
    assert_int_equal(f.findings, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(stamma_event_finding_at(event, i, &found), STAMMA_OK);
        assert_int_equal(found.kind, STAMMA_EVENT_UNPLAYED);
        assert_int_equal(found.round, 3);
    }
    stamma_event_close(event);
    stamma_events_close(events);
}

/* ---- ratings ---- */

static void rating_tables(void **state)
{
    /* entries of the tables 8.1.1 and 8.1.2 of B.02 */
    static const int32_t differences[][2] = {{100, 800}, {99, 677}, {83, 273}, {75, 193}, {51, 7},
                                             {50, 0},    {49, -7},  {8, -401}, {0, -800}, {101, 800}};
    static const int32_t expected[][2] = {{0, 50},    {3, 50},   {4, 51},       {-4, 49},  {91, 62},
                                          {92, 63},   {400, 92}, {411, 92},     {412, 93}, {735, 99},
                                          {736, 100}, {-736, 0}, {INT32_MIN, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        assert_int_equal(stamma_rating_difference((unsigned)differences[i][0]), differences[i][1]);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(stamma_rating_expected(expected[i][0]), expected[i][1]);
}

/* A wins against 2000 and draws with 2700: 75 % against 2350. Differences above 400 count as 400: 92 % and 8 % are
 * expected. The third game has no rating of the opponent. */
static void ratings(void **state)
{
    stamma_events *events = make_events("1 A B 1-0 WhiteElo=2300 BlackElo=2000\n"
                                        "2 C A 1/2-1/2 WhiteElo=2700 BlackElo=2290\n"
                                        "3 A D 0-1 WhiteElo=2300\n",
                                        1);
    const stamma_event_options options = {.size = sizeof options, .k_factor = 40};
    stamma_event *event = NULL;
    stamma_event_player p = {.rank = 0};
    (void)state;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(stamma_events_at(events, 0, k ? &options : NULL, &event), STAMMA_OK);
        for (size_t i = 0; i == 0 || p.name.data[0] != 'A'; i++)
            assert_int_equal(stamma_event_player_at(event, i, &p), STAMMA_OK);
        assert_int_equal(p.rating, 2300);
        assert_int_equal(p.rated, 2);
        assert_int_equal(p.opposition, 2350);
        assert_int_equal(p.performance, 2350 + 193);
        assert_int_equal(p.expected, 85 + 8);                         /* 300 above: 85 % */
        assert_int_equal(p.rating_change, (k ? 40 : 20) * (15 + 42)); /* 1 - 0.85 and 0.5 - 0.08 */
        stamma_event_close(event);
    }
    stamma_events_close(events);
}

/* ---- other kinds ---- */

static const char knock_out_games[] = "1 A B 1-0\n1 B A 1/2-1/2\n1 C D 0-1\n1 D C 1/2-1/2\n"
                                      "1 E F 1-0\n1 F E 1-0\n1 G H 0-1\n1 H G 1/2-1/2\n"
                                      "2 A D 1-0\n2 D A 1/2-1/2\n2 E H 0-1\n2 H E 1/2-1/2\n"
                                      "3 A H 1/2-1/2\n3 H A 1-0\n3 D E 1-0\n3 E D 1-0\n3 D E 0-1\n";

/* E and F have equal points, and E plays later. H wins the final against A, and E the third place against D, with as
 * many points as A. */
static void knock_out(void **state)
{
    static const struct {
        char name;
        uint32_t rank, points;
    } wanted[] = {{'H', 1, 9}, {'A', 2, 7}, {'E', 3, 7}, {'D', 4, 6},
                  {'F', 5, 2}, {'G', 6, 1}, {'B', 7, 1}, {'C', 8, 1}};
    stamma_events *events = make_events(knock_out_games, 1);
    stamma_event_facts f;
    stamma_event *event = open_event(events, 0, &f);
    stamma_event_match m;
    stamma_event_player p;
    (void)state;
    assert_int_equal(f.kind, STAMMA_EVENT_KNOCK_OUT);
    assert_int_equal(f.matches, 8);
    assert_int_equal(stamma_event_match_at(event, 4, &m), STAMMA_OK);
    assert_int_equal(m.round, 2);
    assert_int_equal(m.games, 2);
    assert_int_equal(stamma_event_player_at(event, m.sides[0], &p), STAMMA_OK);
    const int first = p.name.data[0] == 'A' ? 0 : 1;
    assert_int_equal(m.points[first], 3);
    assert_int_equal(m.points[!first], 1);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_equal(stamma_event_player_at(event, i, &p), STAMMA_OK);
        if (p.name.data[0] != wanted[i].name || p.rank != wanted[i].rank || p.points != wanted[i].points)
            fail_msg("place %zu: %c, rank %u, %u", i + 1, p.name.data[0], p.rank, p.points);
    }
    stamma_event_close(event);
    stamma_events_close(events);
}

#define TEAMS(white, black) " WhiteTeam=" white " BlackTeam=" black "\n"

/* X beats Y by 2 to 0 and draws with Z; Y beats Z by 1.5 to 0.5, and lacks a board against Z in round 4. */
static void teams(void **state)
{
    stamma_events *events = make_events(
        "1.1 A C 1-0" TEAMS("X", "Y") "1.2 D B 0-1" TEAMS("Y", "X") "2.1 A E 1-0" TEAMS("X", "Z") "2.2 F B 1-0" TEAMS(
            "Z", "X") "3.1 C E 1-0" TEAMS("Y", "Z") "3.2 F D 1/2-1/2" TEAMS("Z", "Y") "4.1 C F 1/2-1/2" TEAMS("Y", "Z"),
        1);
    static const struct {
        const char *name;
        uint32_t rank, matches, match_points, points;
    } wanted[] = {{"X", 1, 2, 3, 6}, {"Y", 2, 3, 3, 4}, {"Z", 3, 3, 2, 4}};
    stamma_event_facts f;
    stamma_event *event = open_event(events, 0, &f);
    stamma_event_finding found;
    (void)state;
    assert_int_equal(f.kind, STAMMA_EVENT_TEAM);
    assert_int_equal(f.teams, 3);
    assert_int_equal(f.matches, 4);
    for (size_t i = 0; i < 3; i++) {
        stamma_event_team t;
        assert_int_equal(stamma_event_team_at(event, i, &t), STAMMA_OK);
        assert_text(t.name, wanted[i].name);
        assert_int_equal(t.rank, wanted[i].rank);
        assert_int_equal(t.matches, wanted[i].matches);
        assert_int_equal(t.match_points, wanted[i].match_points);
        assert_int_equal(t.points, wanted[i].points);
    }
    assert_int_equal(f.findings, 1);
    assert_int_equal(stamma_event_finding_at(event, 0, &found), STAMMA_OK);
    assert_int_equal(found.kind, STAMMA_EVENT_MISSING_BOARD);
    assert_int_equal(found.round, 4);
    assert_int_equal(found.count, 1);
    stamma_event_close(event);
    stamma_events_close(events);
}

static void other_kinds(void **state)
{
    static const struct {
        const char *games;
        stamma_event_kind kind;
    } cases[] = {{"1 A B 1-0\n2 B A 1-0\n", STAMMA_EVENT_MATCH},
                 {"1 A B 1-0\n1 C D 1-0\n1 E F 1-0\n", STAMMA_EVENT_OTHER},
                 {"? A B 0-1\n? A C 0-1\n? A D 0-1\n? A E 1-0\n? B F 0-1\n", STAMMA_EVENT_OTHER},
                 {"1 A B 1-0 Event=?\n2 B A 1-0 Event=?\n", STAMMA_EVENT_OTHER}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_events *events = make_events(cases[i].games, 1);
        stamma_event_facts f;
        stamma_event_close(open_event(events, 0, &f));
        if (f.kind != cases[i].kind)
            fail_msg("case %zu: %s", i, stamma_event_kind_name(f.kind));
        stamma_events_close(events);
    }
}

/* ---- division into events ---- */

static void division(void **state)
{
    static const struct {
        const char *games;
        size_t events;
    } cases[] = {
        {"1 A B 1-0\n2 C D 1-0 Event=open\n", 2}, /* case matters */
        {"1 A B 1-0 EventDate=2019.01.01\n1 A B 1-0 EventDate=2020.01.01\n", 2},
        {"1 A B 1-0 EventDate=2020.01.01\n1 C D 1-0\n", 1}, /* EventDate is missing in one */
        {"1 A B 1-0 EventDate=2019.01.01 Date=2019.01.03\n1 C D 1-0\n", 2},
        {"1 A B 1-0\n2 A B 1-0 Date=2020.02.29\n3 A B 1-0 Date=2020.04.29\n", 1}, /* 59 and 60 days */
        {"1 A B 1-0\n2 A B 1-0 Date=2020.03.02\n", 2},                            /* 61 days */
        {"1 A B 1-0 Date=2019.12.31\n2 A B 1-0\n", 1},
        {"1 A B 1-0 Date=????.??.??\n2 C D 1-0 Date=????.??.??\n3 C D 1-0\n", 2},
        {"1 A B 1-0 Site=Paris\n1 C D 1-0 Site=Berlin\n", 2},
        {"1 A B 1-0 Site=Paris\n1 C D 1-0 Site=Berlin\n2 A C 1-0 Site=Rome\n", 1}, /* players connect the sites */
        {"1 A B 1-0 Site=Paris\n1 C D 1-0 Site=?\n", 1},
        {"1 A B 1-0 Site=Riga_LAT" TEAMS("X", "Y") "1 C D 1-0 Site=Valka_LAT" TEAMS("Z", "T"), 1},
        {"1 A B 1-0 Site=Riga_LAT" TEAMS("X", "Y") "1 C D 1-0 Site=Tartu_EST" TEAMS("Z", "T"), 2},
        {"1 A B 1-0 Site=https://a.org/x/1\n1 C D 1-0 Site=https://a.org/x/2\n", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_events *events = NULL;
        assert_int_equal(stamma_events_open(NULL, &events), STAMMA_OK);
        assert_int_equal(add_event_games(events, cases[i].games), STAMMA_OK);
        assert_int_equal(stamma_events_find(events), STAMMA_OK);
        if (stamma_events_count(events) != cases[i].events)
            fail_msg("case %zu: %zu events", i, stamma_events_count(events));
        stamma_events_close(events);
    }
    stamma_events_close(make_events("", 0));
}

/* Two spellings with one FIDE identifier are one player; two identifiers of one name are two players. A name without an
 * identifier is the player of this name if there is only one. */
static void players(void **state)
{
    static const struct {
        const char *games;
        size_t players;
    } cases[] = {{"1 A B 1-0 WhiteFideId=7\n2 Aa C 1-0 WhiteFideId=7\n3 A D 1-0\n", 4},
                 {"1 A B 1-0 WhiteFideId=7\n2 A C 1-0 WhiteFideId=8\n3 A D 1-0\n", 6},
                 {"1 A B 1-0 WhiteFideId=7 BlackFideId=7\n", 2},
                 {"1 A bye 1-0\n2 BYE A 0-1\n", 1},
                 {"1 A A 1-0\n2 A B 1-0\n", 2}}; /* a player against the same player */
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_events *events = make_events(cases[i].games, 1);
        stamma_event_facts f;
        stamma_event_close(open_event(events, 0, &f));
        if (f.players != cases[i].players)
            fail_msg("case %zu: %zu players", i, f.players);
        stamma_events_close(events);
    }
}

/* ---- findings ---- */

static void event_findings(void **state)
{
    static const struct {
        stamma_event_finding_kind kind;
        uint32_t round, count;
    } wanted[] = {
        {STAMMA_EVENT_MISSING_GAME, 0, 1}, {STAMMA_EVENT_MISSING_ROUND, 4, 1}, {STAMMA_EVENT_MISSING_BOARD, 3, 1},
        {STAMMA_EVENT_SAME_GAME, 1, 1},    {STAMMA_EVENT_TWO_GAMES, 3, 1},     {STAMMA_EVENT_NO_RESULT, 5, 1},
        {STAMMA_EVENT_RESULT_TEXT, 1, 1},  {STAMMA_EVENT_RATING, 3, 1},        {STAMMA_EVENT_TITLE, 3, 1},
    };
    stamma_events *events = make_events("1.1 A D 1-0 movetext=0-1\n"
                                        "1.2 B C 1/2-1/2\n1.2 B C 1/2-1/2\n"
                                        "2.1 D C 0-1\n"
                                        "2.2 A B 0-1 WhiteElo=2400 WhiteTitle=IM\n"
                                        "3.1 C A 0-1 BlackElo=2410 BlackTitle=GM\n"
                                        "3.3 A E 1-0 WhiteElo=2420 Date=2020.02.01\n"
                                        "5.1 B D *\n5.2 E B 1-0\n6.1 E C 1-0\n",
                                        1);
    stamma_event_facts f;
    stamma_event *event = open_event(events, 0, &f);
    (void)state;
    assert_int_equal(f.kind, STAMMA_EVENT_ROUND_ROBIN);
    assert_int_equal(f.games, 9);
    assert_int_equal(stamma_event_games(event), 10);
    for (size_t i = 0; i < f.findings; i++) {
        stamma_event_finding found;
        assert_int_equal(stamma_event_finding_at(event, i, &found), STAMMA_OK);
        /* round 5 also has two games of B */
        const size_t at = i < 5 ? i : i == 5 ? 4 : i - 1;
        assert_true(at < sizeof wanted / sizeof *wanted);
        if (found.kind != wanted[at].kind || found.count != wanted[at].count ||
            (found.round != wanted[at].round && i != 5))
            fail_msg("finding %zu: %s, round %u, %u", i, stamma_event_finding_name(found.kind), found.round,
                     found.count);
    }
    assert_int_equal(f.findings, 10);
    stamma_event_close(event);
    stamma_events_close(events);
}

/* The moves show that a mate contradicts the result, and that games of one round and result are different games. */
static void moves(void **state)
{
    static const char text[] = "[Event \"E\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n"
                               "1. f3 e5 2. g4 Qh4# 1-0\n\n"
                               "[Event \"E\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n"
                               "1. f3 e6 2. g4 Qh4# 0-1\n\n"
                               "[Event \"E\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n"
                               "1. f3 e6 2. g4 Qh4# 0-1\n\n";
    listing archive = pack(text, strlen(text), NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game = NULL;
    stamma_events *events = NULL;
    stamma_event_facts f;
    stamma_event_finding found;
    (void)state;
    assert_int_equal(stamma_events_open(NULL, &events), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game)
        assert_int_equal(stamma_events_add(events, game, game->number), STAMMA_OK);
    assert_int_equal(stamma_events_find(events), STAMMA_OK);
    stamma_event *event = open_event(events, 0, &f);
    assert_int_equal(f.games, 2);
    assert_int_equal(f.findings, 2);
    assert_int_equal(stamma_event_finding_at(event, 0, &found), STAMMA_OK);
    assert_int_equal(found.kind, STAMMA_EVENT_SAME_GAME);
    assert_int_equal(stamma_event_finding_at(event, 1, &found), STAMMA_OK);
    assert_int_equal(found.kind, STAMMA_EVENT_RESULT_MATE);
    stamma_event_close(event);
    stamma_events_close(events);
    close_reader(reader);
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin), cmocka_unit_test(circle),        cmocka_unit_test(chosen_tie_breaks),
        cmocka_unit_test(swiss),       cmocka_unit_test(rating_tables), cmocka_unit_test(ratings),
        cmocka_unit_test(knock_out),   cmocka_unit_test(teams),         cmocka_unit_test(other_kinds),
        cmocka_unit_test(division),    cmocka_unit_test(players),       cmocka_unit_test(event_findings),
        cmocka_unit_test(moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
