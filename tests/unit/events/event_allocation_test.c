/* SPDX-License-Identifier: MIT */
/* Tests allocation failures in events: kinds, sites, teams, repeated games and findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "event_lines.h"

static stamma_error list_standings(trial *t, const stamma_events *events, size_t index)
{
    stamma_event *event = NULL;
    stamma_event_facts f;
    stamma_error error = STAMMA_OK;
    OPEN(event, stamma_events_at(events, index, NULL, &event));
    STEP(stamma_event_facts_read(event, &f));
    for (size_t i = 0; !error && i < f.players; i++) {
        stamma_event_player p;
        assert_int_equal(stamma_event_player_at(event, i, &p), STAMMA_OK);
        list_format(&t->result, "%u %.*s %u\n", p.rank, (int)p.name.size, p.name.data, p.points);
    }
    if (!error)
        list_format(&t->result, "%d %zu %zu %zu\n", (int)f.kind, f.games, f.matches, f.findings);
    stamma_event_close(event);
    return error;
}

static stamma_error make(trial *t)
{
    stamma_events *events = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(events, stamma_events_open(t->allocator, &events));
    STEP(add_event_games(events, t->query));
    STEP(stamma_events_find(events));
    for (size_t i = 0; !error && i < stamma_events_count(events); i++)
        error = list_standings(t, events, i);
    stamma_events_close(events);
    return error;
}

static void failures(void **state)
{
    static const char games[] =
        "1.1 A D 1-0 movetext=0-1 Site=Paris\n1.2 B C 1/2-1/2 Site=Rome\n1.2 B C 1/2-1/2 Site=Rome\n"
        "2.1 D C 0-1 Site=Paris\n2.2 A B 0-1 Site=Paris\n3.1 C A 0-1 WhiteFideId=5\n3.3 A E 1-0 Date=2020.02.01\n"
        "1 A B 1-0 Event=Cup\n1 C D 0-1 Event=Cup\n2 A D 1-0 Event=Cup\n2 D A 1/2-1/2 Event=Cup\n"
        "1.1 A C 1-0 Event=League WhiteTeam=X BlackTeam=Y\n1.2 D B 0-1 Event=League WhiteTeam=Y BlackTeam=X\n";
    (void)state;
    sweep(make, (trial){.query = games});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
