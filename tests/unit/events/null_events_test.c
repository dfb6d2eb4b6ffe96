/* SPDX-License-Identifier: MIT */
/* Tests invalid arguments of the functions of the events room, like null_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "event_lines.h"
#include "invalid_options.h"

static void collections(void **state)
{
    const stamma_archive_game game = {.number = 1}, piece = {.continuation = true};
    stamma_events *events = NULL;
    (void)state;
    BAD(stamma_events_open(NULL, NULL));
    for (size_t i = 0; i < ALLOCATORS; i++)
        BAD(stamma_events_open(&allocators[i], &events));
    assert_null(events);
    assert_int_equal(stamma_events_open(NULL, &events), STAMMA_OK);
    BAD(stamma_events_add(NULL, &game, 1));
    BAD(stamma_events_add(events, NULL, 1));
    assert_int_equal(stamma_events_add(events, &piece, 1), STAMMA_OK);
    assert_int_equal(stamma_events_add(events, &game, 1), STAMMA_OK);
    BAD(stamma_events_find(NULL));
    assert_int_equal(stamma_events_find(events), STAMMA_OK);
    assert_int_equal(stamma_events_count(events), 1);
    BAD(stamma_events_find(events));
    BAD(stamma_events_add(events, &game, 1));
    assert_int_equal(stamma_events_count(NULL), 0);
    stamma_events_close(events);
    stamma_events_close(NULL);
}

static void options(void **state)
{
    static const stamma_tie_break many[7] = {STAMMA_TIE_BREAK_DIRECT}, unknown[] = {(stamma_tie_break)7};
    stamma_events *events = make_events("1 A B 1-0\n", 1);
    stamma_event *event = NULL;
    stamma_event_options o = {.size = sizeof o};
    (void)state;
    BAD(stamma_events_at(NULL, 0, NULL, &event));
    BAD(stamma_events_at(events, 0, NULL, NULL));
    BAD(stamma_events_at(events, 1, NULL, &event));
    BAD(stamma_events_at(events, 0, &(stamma_event_options){.size = 1}, &event));
    o.tie_break_count = 1;
    BAD(stamma_events_at(events, 0, &o, &event));
    o.tie_breaks = unknown;
    BAD(stamma_events_at(events, 0, &o, &event));
    o = (stamma_event_options){.size = sizeof o, .tie_breaks = many, .tie_break_count = 7};
    BAD(stamma_events_at(events, 0, &o, &event));
    assert_null(event);
    stamma_events_close(events);
}

static void entries(void **state)
{
    stamma_events *events = make_events("1 A B 1-0\n", 1);
    stamma_event *event = NULL;
    stamma_event_facts facts;
    stamma_event_player player;
    stamma_event_game game;
    stamma_event_team team;
    stamma_event_match match;
    stamma_event_finding found;
    (void)state;
    assert_int_equal(stamma_events_at(events, 0, NULL, &event), STAMMA_OK);
    BAD(stamma_event_facts_read(NULL, &facts));
    BAD(stamma_event_facts_read(event, NULL));
    BAD(stamma_event_player_at(NULL, 0, &player));
    BAD(stamma_event_player_at(event, 0, NULL));
    BAD(stamma_event_player_at(event, 2, &player));
    BAD(stamma_event_game_at(NULL, 0, &game));
    BAD(stamma_event_game_at(event, 0, NULL));
    BAD(stamma_event_game_at(event, 1, &game));
    BAD(stamma_event_team_at(NULL, 0, &team));
    BAD(stamma_event_team_at(event, 0, &team));
    BAD(stamma_event_match_at(NULL, 0, &match));
    BAD(stamma_event_match_at(event, 0, &match));
    BAD(stamma_event_finding_at(NULL, 0, &found));
    BAD(stamma_event_finding_at(event, 0, &found));
    assert_int_equal(stamma_event_games(NULL), 0);
    assert_int_equal(stamma_event_games(event), 1);
    stamma_event_close(event);
    stamma_event_close(NULL);
    stamma_events_close(events);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(stamma_event_kind_name(STAMMA_EVENT_TEAM), "team");
    assert_string_equal(stamma_event_kind_name((stamma_event_kind)6), "");
    assert_string_equal(stamma_tie_break_name(STAMMA_TIE_BREAK_BUCHHOLZ_CUT), "BH-C1");
    assert_string_equal(stamma_tie_break_name((stamma_tie_break)0), "");
    assert_string_equal(stamma_tie_break_name((stamma_tie_break)7), "");
    assert_string_equal(stamma_event_finding_name(STAMMA_EVENT_TITLE), "title");
    assert_string_equal(stamma_event_finding_name((stamma_event_finding_kind)12), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(collections), cmocka_unit_test(options),
                                       cmocka_unit_test(entries), cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
