/* SPDX-License-Identifier: MIT */
/* The order of the standings: points, then tie-breaks one after another for players who are still tied. In a knock-out,
 * players who were eliminated later are first. */
#include "events/events.h"

/* A place of the standings. */
typedef struct place {
    uint64_t key, most; /* a higher key is better; direct encounter: points, and points if all other games were won */
    uint32_t player, rank;
    stamma_text name;
} place;

typedef struct ranking {
    stamma_event *e;
    place *places;
    uint32_t *groups; /* of each player: 1 + index of the first place of the group whose games are counted */
    uint32_t *stages; /* of each player of a knock-out: round of elimination << 16 | matches won */
} ranking;

static int compare_texts(stamma_text a, stamma_text b)
{
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_places(const void *left, const void *right)
{
    const place *a = (const place *)left, *b = (const place *)right;
    if (a->key != b->key)
        return a->key < b->key ? 1 : -1;
    if (a->most != b->most)
        return a->most < b->most ? 1 : -1;
    const int order = compare_texts(a->name, b->name);
    return order ? order : (a->player > b->player) - (a->player < b->player);
}

/* A unit in which the mean of 1 to 16 games is a whole number. */
enum { UNIT = 720720, GAMES_MAX = 16 };

/* Finds the points of a player against a group. If two players met several times, the mean of their games counts
 * (6.1.2). Returns the number of opponents in the group. */
static size_t count_direct(const ranking *k, uint32_t player, uint32_t group, uint64_t *points)
{
    const stamma_event *e = k->e;
    size_t count, opponents = 0;
    const uint32_t *list = event_games_of(e, player, &count);
    *points = 0;
    for (size_t i = 0; i < count; i++) {
        const stamma_event_game *g = &event_games(e)[list[i]];
        const uint32_t other = event_opponent(g, player);
        const bool counts = e->facts.kind == STAMMA_EVENT_ROUND_ROBIN || !g->unplayed;
        if (other == STAMMA_EVENT_NO_PLAYER || other == player || k->groups[other] != group || !counts)
            continue;
        const event_pair *pair = stamma_event_pair(e, player, other);
        if (!pair || pair->first != list[i])
            continue;
        const uint32_t games = pair->games < GAMES_MAX ? pair->games : GAMES_MAX;
        *points += (uint64_t)pair->points[pair->players[0] != player] * (UNIT / games);
        opponents++;
    }
    return opponents;
}

/* Splits a group by direct encounter (article 6): sets the keys so that players who remain tied have equal keys. If not
 * all players of the group met, the first is separated only if no other could have reached its points. */
static void split_direct(ranking *k, size_t from, size_t to)
{
    bool met = true;
    for (size_t i = from; i < to; i++)
        k->groups[k->places[i].player] = (uint32_t)from + 1;
    for (size_t i = from; i < to; i++) {
        place *p = &k->places[i];
        const size_t opponents = count_direct(k, p->player, (uint32_t)from + 1, &p->key);
        const size_t missing = k->e->facts.kind == STAMMA_EVENT_ROUND_ROBIN ? 0 : to - from - 1 - opponents;
        p->most = p->key + missing * 2 * UNIT;
        met &= missing == 0;
    }
    for (size_t i = from; i < to; i++)
        k->groups[k->places[i].player] = 0;
    stamma_event_sort(k->places + from, to - from, sizeof *k->places, compare_places);
    size_t separate = from;
    for (; !met && separate < to; separate++) {
        uint64_t most = 0;
        for (size_t i = separate + 1; i < to; i++)
            most = k->places[i].most > most ? k->places[i].most : most;
        if (separate + 1 == to || k->places[separate].key <= most)
            break;
    }
    for (size_t i = from; i < to; i++) {
        place *p = &k->places[i];
        p->most = 0;
        if (!met)
            p->key = i < separate ? to - i : 0;
    }
}

/* Returns whether a player has a match that begins after a game. */
static bool plays_later(const stamma_event *e, uint32_t player, uint32_t game)
{
    for (size_t i = 0; i < event_pair_count(e); i++) {
        const event_pair *p = &event_pairs(e)[i];
        if (p->first > game && (p->players[0] == player || p->players[1] == player))
            return true;
    }
    return false;
}

/* Finds when the players of a knock-out were eliminated. If both players of a match have equal points, the one who
 * plays no later match lost it. A player who lost no match was not eliminated. */
static void find_stages(ranking *k)
{
    const stamma_event *e = k->e;
    enum { NEVER = ROUND_MAX + 1 };
    for (size_t i = 0; i < e->facts.players; i++)
        k->stages[i] = NEVER << 16;
    for (size_t i = 0; i < event_pair_count(e); i++) {
        const event_pair *p = &event_pairs(e)[i];
        const uint32_t round = event_games(e)[p->first].round;
        int loser = p->points[0] < p->points[1] ? 0 : p->points[0] > p->points[1] ? 1 : -1;
        for (int side = 0; side < 2 && loser < 0; side++)
            if (!plays_later(e, p->players[side], p->first) && plays_later(e, p->players[!side], p->first))
                loser = side;
        if (loser < 0)
            continue;
        uint32_t *lost = &k->stages[p->players[loser]];
        if (round < *lost >> 16)
            *lost = round << 16 | (*lost & 0xFFFF);
        k->stages[p->players[!loser]]++;
    }
}

static uint64_t value_of(const stamma_event_player *p, stamma_tie_break rule)
{
    switch (rule) {
    case STAMMA_TIE_BREAK_BUCHHOLZ: return p->buchholz;
    case STAMMA_TIE_BREAK_BUCHHOLZ_CUT: return p->buchholz_cut;
    case STAMMA_TIE_BREAK_SONNEBORN: return p->sonneborn;
    case STAMMA_TIE_BREAK_WINS: return p->won;
    case STAMMA_TIE_BREAK_KOYA: return p->koya;
    default: return p->points;
    }
}

/* Ranks the places of a group by the rules from `rule` on; rule -1 is the points. Direct encounter is applied again to
 * each part of a group that it splits (6.3). The depth is at most the number of rules and players of a group. */
static void rank(ranking *k, size_t from, size_t to, int rule)
{
    const stamma_event_facts *f = &k->e->facts;
    if (to - from == 1 || rule == (int)f->tie_breaks) {
        for (size_t i = from; i < to; i++) {
            k->places[i].key = k->places[i].most = 0;
            k->places[i].rank = (uint32_t)from + 1;
        }
        stamma_event_sort(k->places + from, to - from, sizeof *k->places, compare_places);
        return;
    }
    const stamma_tie_break kind = rule < 0 ? (stamma_tie_break)0 : f->tie_break[rule];
    if (kind == STAMMA_TIE_BREAK_DIRECT)
        split_direct(k, from, to);
    else {
        for (size_t i = from; i < to; i++) {
            const uint32_t player = k->places[i].player;
            k->places[i].key = value_of(&event_players(k->e)[player], kind);
            if (rule < 0 && f->kind == STAMMA_EVENT_KNOCK_OUT)
                k->places[i].key |= (uint64_t)k->stages[player] << 32;
            k->places[i].most = 0;
        }
        stamma_event_sort(k->places + from, to - from, sizeof *k->places, compare_places);
    }
    for (size_t first = from, i = from + 1; i <= to; i++)
        if (i == to || k->places[i].key != k->places[first].key) {
            const bool again = kind == STAMMA_TIE_BREAK_DIRECT && i - first < to - from;
            rank(k, first, i, again ? rule : rule + 1);
            first = i;
        }
}

/* Stores the points of each player against the players with equal points. */
static void find_direct(ranking *k, size_t count)
{
    stamma_event_player *players = event_players(k->e);
    for (size_t i = 0; i < count; i++)
        k->groups[i] = players[i].points + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t points;
        (void)count_direct(k, i, k->groups[i], &points);
        players[i].direct = (uint32_t)((points + UNIT / 2) / UNIT);
    }
    for (size_t i = 0; i < count; i++)
        k->groups[i] = 0;
}

/* Reorders the players, and corrects the indexes in the games. `moved` has room for each player's new index. */
static bool reorder(stamma_event *e, const place *places, uint32_t *moved)
{
    const size_t count = e->facts.players;
    buffer copy = {.allocator = &e->allocator};
    for (size_t i = 0; i < count; i++) {
        event_players(e)[places[i].player].rank = places[i].rank;
        buffer_add(&copy, &event_players(e)[places[i].player], sizeof(stamma_event_player));
        moved[places[i].player] = (uint32_t)i;
    }
    if (!copy.failed && count > 0)
        memcpy(e->players.data, copy.data, copy.size);
    for (size_t i = 0; i < event_game_count(e); i++) {
        stamma_event_game *g = &event_games(e)[i];
        if (g->white != STAMMA_EVENT_NO_PLAYER)
            g->white = moved[g->white];
        if (g->black != STAMMA_EVENT_NO_PLAYER)
            g->black = moved[g->black];
    }
    stamma_buffer_release(&copy);
    return !copy.failed;
}

bool stamma_event_rank(stamma_event *e)
{
    const size_t count = e->facts.players;
    buffer places = {.allocator = &e->allocator}, groups = {.allocator = &e->allocator};
    buffer stages = {.allocator = &e->allocator};
    ranking k = {.e = e};
    k.places = (place *)buffer_array(&places, count, sizeof *k.places);
    k.groups = (uint32_t *)buffer_array(&groups, count, sizeof *k.groups);
    k.stages = (uint32_t *)buffer_array(&stages, count, sizeof *k.stages);
    bool right = k.places && k.groups && k.stages;
    if (right && count > 0) {
        memset(k.groups, 0, count * sizeof *k.groups);
        for (uint32_t i = 0; i < count; i++)
            k.places[i] = (place){.player = i, .name = event_players(e)[i].name};
        find_direct(&k, count);
        if (e->facts.kind == STAMMA_EVENT_KNOCK_OUT)
            find_stages(&k);
        rank(&k, 0, count, -1);
        right = reorder(e, k.places, k.groups);
    }
    stamma_buffer_release(&places);
    stamma_buffer_release(&groups);
    stamma_buffer_release(&stages);
    return right;
}
