/* SPDX-License-Identifier: MIT */
/* The check of an event: completeness of rounds and boards, and contradictions. */
#include "events/events.h"

enum { LARGEST_EVENT = 512 /* players of a round robin whose pairs are checked */ };

static void add(stamma_event *e, stamma_event_finding f)
{
    buffer_add(&e->findings, &f, sizeof f);
}

static stamma_event_finding finding(stamma_event_finding_kind kind, uint32_t round, uint32_t a, uint32_t b)
{
    return (stamma_event_finding){
        .kind = kind, .round = round, .players = {a, b}, .count = 1, .games = {SIZE_MAX, SIZE_MAX}};
}

/* ---- completeness ---- */

static void check_pairs(stamma_event *e)
{
    const uint32_t players = (uint32_t)e->facts.players;
    if (e->facts.kind != STAMMA_EVENT_ROUND_ROBIN || players > LARGEST_EVENT)
        return;
    for (uint32_t a = 0; a < players; a++)
        for (uint32_t b = a + 1; b < players; b++) {
            const event_pair *pair = stamma_event_pair(e, a, b);
            const uint32_t games = pair ? pair->games : 0;
            stamma_event_finding f = finding(STAMMA_EVENT_MISSING_GAME, 0, a, b);
            f.count = games < e->facts.cycles ? e->facts.cycles - games : 0;
            if (f.count > 0)
                add(e, f);
        }
}

/* Checks that each round has games, and the boards up to its highest one. The games are sorted by round and board. */
static void check_rounds(stamma_event *e)
{
    const bool boards = e->facts.kind == STAMMA_EVENT_ROUND_ROBIN || e->facts.kind == STAMMA_EVENT_SWISS;
    const size_t count = event_game_count(e);
    uint32_t round = 0;
    for (size_t i = 0; i < count && event_games(e)[i].round > 0;) {
        const uint32_t here = event_games(e)[i].round;
        uint32_t board = 0, missing = 0;
        for (round++; round < here; round++)
            add(e, finding(STAMMA_EVENT_MISSING_ROUND, round, STAMMA_EVENT_NO_PLAYER, STAMMA_EVENT_NO_PLAYER));
        for (; i < count && event_games(e)[i].round == here; i++) {
            const uint32_t next = event_games(e)[i].board;
            missing += next > board + 1 ? next - board - 1 : 0;
            board = next > board ? next : board;
        }
        stamma_event_finding f =
            finding(STAMMA_EVENT_MISSING_BOARD, here, STAMMA_EVENT_NO_PLAYER, STAMMA_EVENT_NO_PLAYER);
        f.count = missing;
        if (boards && missing > 0)
            add(e, f);
    }
}

/* Checks that the matches of teams have as many games as most matches. */
static void check_matches(stamma_event *e)
{
    enum { MOST = 64 };
    const stamma_event_match *list = (const stamma_event_match *)(const void *)e->matches.data;
    size_t counts[MOST + 1] = {0}, usual = 0;
    if (e->facts.kind != STAMMA_EVENT_TEAM)
        return;
    for (size_t i = 0; i < e->facts.matches; i++)
        counts[list[i].games < MOST ? list[i].games : MOST]++;
    for (size_t n = 1; n <= MOST; n++)
        usual = counts[n] > counts[usual] ? n : usual;
    for (size_t i = 0; i < e->facts.matches; i++) {
        stamma_event_finding f = finding(STAMMA_EVENT_MISSING_BOARD, list[i].round, list[i].sides[0], list[i].sides[1]);
        f.count = (uint32_t)usual - list[i].games;
        if (list[i].games < usual)
            add(e, f);
    }
}

/* ---- games ---- */

static void check_game(stamma_event *e, size_t index)
{
    const stamma_event_game *g = &event_games(e)[index];
    const event_record *r = event_record_of(e, index);
    const stamma_event_finding_kind kinds[] = {
        g->repeated ? STAMMA_EVENT_SAME_GAME : 0,
        g->unplayed && !g->repeated ? STAMMA_EVENT_UNPLAYED : 0,
        g->result == STAMMA_RESULT_UNKNOWN ? STAMMA_EVENT_NO_RESULT : 0,
        r->contradicts ? STAMMA_EVENT_RESULT_TEXT : 0,
        r->mated && r->mated != 1 + r->result ? STAMMA_EVENT_RESULT_MATE : 0,
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]) {
            stamma_event_finding f = finding(kinds[i], g->round, g->white, g->black);
            f.games[0] = index;
            add(e, f);
        }
}

static void add_player(stamma_event *e, stamma_event_finding_kind kind, uint32_t player, size_t a, size_t b)
{
    stamma_event_finding f = finding(kind, event_games(e)[b].round, player, STAMMA_EVENT_NO_PLAYER);
    f.games[0] = a;
    f.games[1] = b;
    add(e, f);
}

/* Checks the games of a player: two opponents in a round, and ratings and titles that differ from those of the game
 * before. In a team event and in other kinds, a round may have several games. */
static void check_player(stamma_event *e, uint32_t player)
{
    const stamma_event_kind kind = e->facts.kind;
    const bool single = kind == STAMMA_EVENT_ROUND_ROBIN || kind == STAMMA_EVENT_SWISS || kind == STAMMA_EVENT_TEAM;
    size_t count, last = SIZE_MAX;
    const uint32_t *list = event_games_of(e, player, &count);
    for (size_t i = 0; i < count; i++) {
        const size_t at = list[i];
        const stamma_event_game *g = &event_games(e)[at], *before = last < SIZE_MAX ? &event_games(e)[last] : NULL;
        const event_record *r = event_record_of(e, at), *old = before ? event_record_of(e, last) : NULL;
        const bool black = g->black == player, was_black = before && before->black == player;
        if (g->repeated)
            continue;
        last = at;
        if (!before)
            continue;
        if (single && g->round > 0 && g->round == before->round &&
            event_opponent(g, player) != event_opponent(before, player))
            add_player(e, STAMMA_EVENT_TWO_GAMES, player, list[i - 1], at);
        const unsigned rating = r->ratings[black], old_rating = old->ratings[was_black];
        if (rating && old_rating && rating != old_rating && g->day / 100 == before->day / 100)
            add_player(e, STAMMA_EVENT_RATING, player, list[i - 1], at);
        const uint32_t title = r->titles[black], old_title = old->titles[was_black];
        if (title && old_title && title != old_title)
            add_player(e, STAMMA_EVENT_TITLE, player, list[i - 1], at);
    }
}

static int compare_findings(const void *left, const void *right)
{
    const stamma_event_finding *a = (const stamma_event_finding *)left, *b = (const stamma_event_finding *)right;
    const uint64_t keys[][2] = {{a->kind, b->kind},
                                {a->round, b->round},
                                {a->games[0], b->games[0]},
                                {a->players[0], b->players[0]},
                                {a->players[1], b->players[1]},
                                {a->games[1], b->games[1]}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

bool stamma_event_check(stamma_event *e)
{
    if (!e->facts.name.data) /* games without an event */
        return true;
    check_pairs(e);
    check_rounds(e);
    check_matches(e);
    for (size_t i = 0; i < event_game_count(e); i++)
        check_game(e, i);
    for (uint32_t i = 0; i < e->facts.players; i++)
        check_player(e, i);
    if (e->findings.failed)
        return false;
    e->facts.findings = e->findings.size / sizeof(stamma_event_finding);
    stamma_event_sort(e->findings.data, e->facts.findings, sizeof(stamma_event_finding), compare_findings);
    return true;
}
