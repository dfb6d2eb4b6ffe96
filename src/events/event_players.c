/* SPDX-License-Identifier: MIT */
/* The players and games of an event. Two names with one FIDE identifier are one player. A name without an identifier is
 * the player of this name with the only identifier, if there is one. */
#include "events/events.h"

#include <stdlib.h>

/* A side of a game. */
typedef struct side {
    uint32_t name, id; /* numbers of texts; 0: unknown */
    uint32_t record;
    uint8_t black;
} side;

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_places(const side *a, const side *b)
{
    return a->record != b->record ? compare_numbers(a->record, b->record) : compare_numbers(a->black, b->black);
}

static int compare_names(const void *left, const void *right)
{
    const side *a = (const side *)left, *b = (const side *)right;
    if (a->name != b->name)
        return compare_numbers(a->name, b->name);
    return a->id != b->id ? compare_numbers(a->id, b->id) : compare_places(a, b);
}

static int compare_players(const void *left, const void *right)
{
    const side *a = (const side *)left, *b = (const side *)right;
    if (a->id != b->id)
        return compare_numbers(a->id, b->id);
    if (a->id == 0 && a->name != b->name)
        return compare_numbers(a->name, b->name);
    return compare_places(a, b);
}

/* Adds identifiers to the sides without one, by name. The sides are sorted by name and identifier. */
static void complete_ids(side *sides, size_t count)
{
    for (size_t from = 0, to; from < count; from = to) {
        uint32_t id = 0;
        bool several = false;
        for (to = from; to < count && sides[to].name == sides[from].name; to++) {
            several |= id != 0 && sides[to].id != id;
            id = sides[to].id ? sides[to].id : id;
        }
        for (size_t i = from; i < to && sides[i].id == 0 && !several && sides[i].name; i++)
            sides[i].id = id;
    }
}

static stamma_text text_at(const stamma_event *e, uint32_t number)
{
    return number ? text_table_at(&e->events->texts, number) : (stamma_text){NULL, 0};
}

/* Adds to a player what a game says about the player and earlier games do not. */
static void describe(const stamma_event *e, stamma_event_player *p, const side *s)
{
    const event_record *r = &e->records[s->record];
    if (!p->name.data)
        p->name = text_at(e, s->name);
    if (!p->id.data)
        p->id = text_at(e, s->id);
    if (!p->title.data)
        p->title = text_at(e, r->titles[s->black]);
    if (!p->team.data)
        p->team = text_at(e, r->teams[s->black]);
    if (p->rating == 0)
        p->rating = r->ratings[s->black];
}

/* Numbers the players; `numbers` receives the player of each side of each record. */
static bool number_players(stamma_event *e, side *sides, size_t count, uint32_t *numbers)
{
    for (size_t i = 0; i < count; i++) {
        const side *s = &sides[i];
        const bool same = i > 0 && s->id == sides[i - 1].id && (s->id ? true : s->name && s->name == sides[i - 1].name);
        if (!same) {
            const stamma_event_player none = {.rank = 0};
            buffer_add(&e->players, &none, sizeof none);
            if (e->players.failed)
                return false;
            e->facts.players++;
        }
        describe(e, &event_players(e)[e->facts.players - 1], s);
        numbers[2 * s->record + s->black] = (uint32_t)(e->facts.players - 1);
    }
    return true;
}

/* ---- games ---- */

/* A game with the facts by which it is sorted. */
typedef struct sorted_game {
    const event_record *record;
    stamma_event_game game;
} sorted_game;

static int compare_games(const void *left, const void *right)
{
    const sorted_game *a = (const sorted_game *)left, *b = (const sorted_game *)right;
    if (a->game.round != b->game.round)
        return compare_numbers(a->game.round - 1, b->game.round - 1); /* unknown rounds last */
    if (a->game.board != b->game.board)
        return compare_numbers(a->game.board - 1, b->game.board - 1);
    if (a->game.day != b->game.day)
        return compare_numbers(a->game.day, b->game.day);
    return compare_numbers(a->record->index, b->record->index);
}

/* Games that are equal in this order are the same game. */
static int compare_same(const void *left, const void *right)
{
    const sorted_game *a = (const sorted_game *)left, *b = (const sorted_game *)right;
    const uint64_t keys[][2] = {{a->game.white, b->game.white},
                                {a->game.black, b->game.black},
                                {a->record->round_text, b->record->round_text},
                                {a->game.plies, b->game.plies},
                                {a->game.result, b->game.result},
                                {a->record->moves, b->record->moves},
                                {a->record->index, b->record->index}};
    const size_t count = sizeof keys / sizeof *keys;
    for (size_t i = 0; i < count; i++)
        if (keys[i][0] != keys[i][1])
            return i + 1 == count ? (keys[i][0] > keys[i][1] ? 1 : -1) : keys[i][0] > keys[i][1] ? 2 : -2;
    return 0;
}

static int compare_repetitions(const void *left, const void *right)
{
    return compare_same(left, right);
}

/* Marks games that occur before. A game without a round and without moves that were read is never a repetition. */
static void mark_repetitions(sorted_game *list, size_t count)
{
    stamma_event_sort(list, count, sizeof *list, compare_repetitions);
    for (size_t i = 1; i < count; i++) {
        const int order = compare_same(&list[i], &list[i - 1]);
        const bool known = list[i].record->round_text || list[i].record->moves;
        list[i].game.repeated = known && order >= -1 && order <= 1;
    }
}

static bool add_games(stamma_event *e, const uint32_t *numbers)
{
    buffer sorted = {.allocator = &e->allocator};
    sorted_game *list = (sorted_game *)buffer_array(&sorted, e->count, sizeof *list);
    for (size_t i = 0; list && i < e->count; i++) {
        const event_record *r = &e->records[i];
        /* a game of a player against the same player has no opponent */
        const bool alone = !r->bye[0] && !r->bye[1] && numbers[2 * i] == numbers[2 * i + 1];
        list[i] = (sorted_game){.record = r,
                                .game = {.number = r->number,
                                         .white = r->bye[0] ? STAMMA_EVENT_NO_PLAYER : numbers[2 * i],
                                         .black = r->bye[1] || alone ? STAMMA_EVENT_NO_PLAYER : numbers[2 * i + 1],
                                         .round = r->round,
                                         .board = r->board,
                                         .day = r->day,
                                         .plies = r->plies,
                                         .result = (stamma_result)r->result,
                                         .unplayed = r->unplayed || alone}};
    }
    if (list) {
        mark_repetitions(list, e->count);
        stamma_event_sort(list, e->count, sizeof *list, compare_games);
    }
    for (size_t i = 0; list && i < e->count; i++) {
        const uint32_t record = (uint32_t)(list[i].record - e->records);
        buffer_add(&e->games, &list[i].game, sizeof list[i].game);
        buffer_add(&e->order, &record, sizeof record);
        e->facts.games += !list[i].game.repeated;
        e->facts.rounds = list[i].game.round > e->facts.rounds ? list[i].game.round : e->facts.rounds;
    }
    stamma_buffer_release(&sorted);
    return list && !e->games.failed && !e->order.failed;
}

bool stamma_event_find_players(stamma_event *e)
{
    buffer sides = {.allocator = &e->allocator}, numbers = {.allocator = &e->allocator};
    side *list = (side *)buffer_array(&sides, 2 * e->count, sizeof *list);
    uint32_t *number = (uint32_t *)buffer_array(&numbers, 2 * e->count, sizeof *number);
    size_t count = 0;
    bool right = list && number;
    for (size_t i = 0; right && i < e->count; i++)
        for (uint8_t black = 0; black < 2; black++)
            if (!e->records[i].bye[black])
                list[count++] = (side){e->records[i].names[black], e->records[i].ids[black], (uint32_t)i, black};
    if (right) {
        stamma_event_sort(list, count, sizeof *list, compare_names);
        complete_ids(list, count);
        stamma_event_sort(list, count, sizeof *list, compare_players);
        right = number_players(e, list, count, number) && add_games(e, number);
    }
    stamma_buffer_release(&sides);
    stamma_buffer_release(&numbers);
    return right;
}

bool stamma_event_list_games(stamma_event *e)
{
    const size_t players = e->facts.players, games = event_game_count(e);
    uint32_t *firsts = (uint32_t *)buffer_array(&e->firsts, players + 1, sizeof *firsts);
    uint32_t *list = (uint32_t *)buffer_array(&e->lists, 2 * games, sizeof *list);
    if (!firsts || !list)
        return false;
    memset(firsts, 0, (players + 1) * sizeof *firsts);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = games; i-- > 0;) {
            const uint32_t sides[] = {event_games(e)[i].white, event_games(e)[i].black};
            for (int side = 0; side < 2; side++)
                if (sides[side] != STAMMA_EVENT_NO_PLAYER) {
                    if (pass == 0)
                        firsts[sides[side]]++;
                    else
                        list[--firsts[sides[side]]] = (uint32_t)i;
                }
        }
        for (size_t i = 0; pass == 0 && i < players; i++)
            firsts[i + 1] += firsts[i];
    }
    return true;
}
