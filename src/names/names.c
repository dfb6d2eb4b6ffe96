/* SPDX-License-Identifier: MIT */
/* Collects the names of games, and makes decisions about their spellings. */
#include "names/names.h"
#include "archive/each_game.h"

#include <stdlib.h>

enum { ALL_FIELDS = 31 };

const char *stamma_name_kind_name(stamma_name_kind kind)
{
    static const char *const names[] = {"player", "event", "site", "round", "date"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}

stamma_error stamma_names_open(const stamma_names_options *given, stamma_names **names)
{
    stamma_names_options options;
    stamma_error error = names ? stamma_options_read(given, &options, sizeof options) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error)
        return error;
    if (!allocator_is_given(options.allocator) || options.kinds & ~(unsigned)ALL_FIELDS)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_names *n = (stamma_names *)memory_allocate(&allocator, sizeof *n);
    if (!n)
        return STAMMA_ERROR_NO_MEMORY;
    memset(n, 0, sizeof *n);
    n->allocator = allocator;
    n->memory = options.memory ? options.memory : MEMORY_DEFAULT;
    n->fields = options.kinds ? options.kinds : ALL_FIELDS;
    n->merge_ids = options.merge_ids;
    n->texts.allocator = n->normals.allocator = n->keys.allocator = &n->allocator;
    n->texts.copies = n->normals.copies = n->keys.copies = true;
    buffer *all[] = {&n->nodes,   &n->appearances, &n->ratings, &n->places, &n->known,  &n->edges, &n->persons,
                     &n->choices, &n->decisions,   &n->plain,   &n->folded, &n->normal, &n->work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->allocator = &n->allocator;
    *names = n;
    return STAMMA_OK;
}

void stamma_names_close(stamma_names *n)
{
    if (!n)
        return;
    stamma_allocator allocator = n->allocator;
    buffer *all[] = {&n->nodes,   &n->appearances, &n->ratings, &n->places, &n->known,  &n->edges, &n->persons,
                     &n->choices, &n->decisions,   &n->plain,   &n->folded, &n->normal, &n->work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stamma_buffer_release(all[i]);
    stamma_text_table_release(&n->texts);
    stamma_text_table_release(&n->normals);
    stamma_text_table_release(&n->keys);
    memory_release(&allocator, n);
}

/* Returns whether the tables fit into the memory limit. */
static bool names_fit(const stamma_names *n)
{
    const buffer *all[] = {&n->nodes, &n->appearances, &n->ratings, &n->places, &n->known,
                           &n->edges, &n->persons,     &n->choices, &n->work};
    uint64_t size = stamma_text_table_memory(&n->texts) + stamma_text_table_memory(&n->normals) +
                    stamma_text_table_memory(&n->keys);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        size += all[i]->capacity;
    return size <= n->memory;
}

/* ---- adding games ---- */

uint32_t stamma_names_number(stamma_names *n, stamma_text plain)
{
    return plain.size == 0 ? 0 : stamma_text_table_add(&n->texts, plain);
}

/* Returns the number of a tag's value, without its escapes. */
static uint32_t tag_number(stamma_names *n, const stamma_archive_game *game, const char *name)
{
    stamma_text value = stamma_archive_game_tag(game, stamma_text_of(name));
    n->plain.size = 0;
    if (value.size > 0 && memchr(value.data, '\\', value.size)) {
        if (!buffer_reserve(&n->plain, value.size))
            return 0;
        value.size = stamma_pgn_unescape(value, (char *)n->plain.data);
        value.data = (const char *)n->plain.data;
    }
    return stamma_names_number(n, value);
}

/* Returns whether a text names several players: "Nakamura & Carlsen". */
static bool is_team(stamma_text text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] == '&' || text.data[i] == '/' || text.data[i] == ':' || text.data[i] == ';' ||
            text.data[i] == '+')
            return true;
    return false;
}

static bool is_missing(stamma_text normal)
{
    static const char *const missing[] = {"", "n n", "nn", "unknown", "unknown player", "anonymous", "no name", "bye"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (text_equal(normal, stamma_text_of(missing[i])))
            return true;
    return false;
}

/* Returns the number of the normalized name; 0 if the player is unknown. */
static uint32_t normal_of(stamma_names *n, uint32_t text)
{
    n->folded.size = n->normal.size = 0;
    stamma_fold(name_text(n, text), &n->folded);
    stamma_name_normalize((stamma_text){(const char *)n->folded.data, n->folded.size}, &n->normal);
    const stamma_text normal = {(const char *)n->normal.data, n->normal.size};
    return is_missing(normal) || is_team(name_text(n, text)) ? 0 : stamma_text_table_add(&n->normals, normal);
}

uint32_t stamma_names_node(stamma_names *n, uint32_t text, uint32_t id)
{
    const uint32_t pair[2] = {text, id};
    uint32_t node = stamma_text_table_add(&n->keys, (stamma_text){(const char *)pair, sizeof pair});
    if (node_count(n) == 0)
        buffer_add(&n->nodes, &(player_node){0}, sizeof(player_node));
    if (node != 0 && node == node_count(n)) {
        const player_node new = {.text = text, .id = id, .normal = text == 0 ? 0 : normal_of(n, text)};
        buffer_add(&n->nodes, &new, sizeof new);
    }
    return node < node_count(n) ? node : 0;
}

/* Reads up to `most` digits. */
static unsigned read_digits(stamma_text text, size_t at, size_t most)
{
    unsigned number = 0;
    for (size_t i = at; i < text.size && i < at + most && text.data[i] >= '0' && text.data[i] <= '9'; i++)
        number = number * 10 + (unsigned)(text.data[i] - '0');
    return number;
}

static uint32_t read_id(stamma_names *n, const stamma_archive_game *game, const char *name)
{
    stamma_text value = stamma_archive_game_tag(game, stamma_text_of(name));
    return read_digits(value, 0, 9) == 0 ? 0 : stamma_names_number(n, value);
}

static uint16_t rating_of(const stamma_archive_game *game, const char *name)
{
    return (uint16_t)read_digits(stamma_archive_game_tag(game, stamma_text_of(name)), 0, 4);
}

/* Returns a hash of date and round; 0 if one of them is unknown. */
static uint64_t slot_of(stamma_text date, stamma_text round)
{
    size_t at = 0;
    while (at < round.size && (round.data[at] < '0' || round.data[at] > '9'))
        at++;
    if (at == round.size || date.size != 10 || memchr(date.data, '?', date.size))
        return 0;
    uint64_t hash = (uint64_t)read_digits(round, at, 6) + 1;
    for (size_t i = 0; i < date.size; i++)
        hash = (hash ^ (uint8_t)date.data[i]) * UINT64_C(0x100000001B3);
    return (hash ^ hash >> 31) * UINT64_C(0x9E3779B97F4A7C15) >> SLOT_BITS << SLOT_BITS;
}

static void add_players(stamma_names *n, const stamma_archive_game *game, uint32_t event)
{
    stamma_text date = stamma_archive_game_tag(game, stamma_text_of("Date"));
    stamma_text round = stamma_archive_game_tag(game, stamma_text_of("Round"));
    uint32_t node[2] = {stamma_names_node(n, tag_number(n, game, "White"), read_id(n, game, "WhiteFideId")),
                        stamma_names_node(n, tag_number(n, game, "Black"), read_id(n, game, "BlackFideId"))};
    const uint16_t ratings[2] = {rating_of(game, "WhiteElo"), rating_of(game, "BlackElo")};
    uint64_t slot = slot_of(date, round), result = (uint64_t)stamma_archive_game_result(game) & 3;
    if (node[STAMMA_WHITE] == 0 || node[STAMMA_BLACK] == 0)
        return;
    stamma_facts_note(n, game, node);
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        nodes_of(n)[node[color]].games++;
        const appearance a = {.slot = slot == 0 ? 0 : slot | result << 1 | color,
                              .node = node[color],
                              .opponent = node[!color],
                              .event = event,
                              .year = (uint16_t)read_digits(date, 0, 4),
                              .rating = ratings[color]};
        buffer_add(&n->appearances, &a, sizeof a);
    }
}

static bool has_failed(const stamma_names *n)
{
    return n->texts.failed || n->normals.failed || n->keys.failed || n->nodes.failed || n->appearances.failed ||
           n->places.failed || n->known.failed || n->persons.failed || n->plain.failed || n->folded.failed ||
           n->normal.failed;
}

stamma_error stamma_names_state(const stamma_names *n)
{
    return has_failed(n) ? STAMMA_ERROR_NO_MEMORY : names_fit(n) ? STAMMA_OK : STAMMA_ERROR_LIMIT;
}

stamma_error stamma_names_add(stamma_names *n, const stamma_archive_game *game)
{
    if (!n || n->found || !game || game->continuation || (!game->tags && game->tag_count > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    game_place place = {.event = tag_number(n, game, "Event"),
                        .site = tag_number(n, game, "Site"),
                        .round = tag_number(n, game, "Round"),
                        .date = tag_number(n, game, "Date")};
    if (n->fields & ~(1u << STAMMA_NAME_PLAYER))
        buffer_add(&n->places, &place, sizeof place);
    if (n->fields & 1u << STAMMA_NAME_PLAYER)
        add_players(n, game, place.event);
    return stamma_names_state(n);
}

stamma_error stamma_names_add_known(stamma_names *n, stamma_name_kind field, stamma_text correct, stamma_text spelling,
                                    stamma_text id)
{
    if (!n || n->found || (unsigned)field >= NAME_FIELDS || !text_is_given(correct) || correct.size == 0 ||
        !text_is_given(spelling) || !text_is_given(id))
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!(n->fields & 1u << field))
        return STAMMA_OK;
    uint32_t to = stamma_names_number(n, correct), from = stamma_names_number(n, spelling),
             player = stamma_names_number(n, id);
    if (field != STAMMA_NAME_PLAYER) {
        buffer_add(&n->known, &(known_value){(uint32_t)field, to, from}, sizeof(known_value));
        return stamma_names_state(n);
    }
    uint32_t node = to == 0 ? 0 : stamma_names_node(n, to, player),
             other = from == 0 ? 0 : stamma_names_node(n, from, 0);
    if (node != 0)
        nodes_of(n)[node].known = node;
    if (other != 0 && nodes_of(n)[other].known == 0)
        nodes_of(n)[other].known = node;
    return stamma_names_state(n);
}

/* ---- decisions ---- */

static const char *why_name(unsigned why)
{
    static const char *const names[] = {"format",    "order", "spelling", "typo",  "initials",
                                        "shortened", "id",    "list",     "event", "round"};
    return names[why];
}

static const char *doubt_name(unsigned doubt)
{
    static const char *const names[] = {"",    "no evidence", "several players", "ratings", "opponents", "years",
                                        "ids", "names"};
    return names[doubt];
}

const char *stamma_name_evidence_name(stamma_name_evidence evidence)
{
    static const char *const names[] = {"id", "list", "games", "rating", "years", "title", "federation", "name"};
    return (unsigned)evidence < sizeof names / sizeof *names ? names[evidence] : "";
}

static int compare_choices(const void *a, const void *b)
{
    const name_choice *x = (const name_choice *)a, *y = (const name_choice *)b;
    const uint32_t one[] = {x->field, x->from, x->to, x->doubt, x->id, x->node, x->event, x->site, x->round};
    const uint32_t other[] = {y->field, y->from, y->to, y->doubt, y->id, y->node, y->event, y->site, y->round};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    return 0;
}

static int compare_text(stamma_text a, stamma_text b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size == 0 ? 0 : memcmp(a.data, b.data, size);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_decisions(const void *a, const void *b)
{
    const stamma_name_decision *x = (const stamma_name_decision *)a, *y = (const stamma_name_decision *)b;
    if (x->kind != y->kind)
        return (x->kind > y->kind) - (x->kind < y->kind);
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    const stamma_text one[] = {x->to, x->from, x->id, x->event, x->site, x->round};
    const stamma_text other[] = {y->to, y->from, y->id, y->event, y->site, y->round};
    int order = 0;
    for (size_t i = 0; i < sizeof one / sizeof *one && order == 0; i++)
        order = compare_text(one[i], other[i]);
    return order;
}

static stamma_name_decision decision_of(const stamma_names *n, const name_choice *c)
{
    return (stamma_name_decision){.from = name_text(n, c->from),
                                  .to = name_text(n, c->to),
                                  .id = name_text(n, c->id),
                                  .kind = (stamma_name_kind)c->field,
                                  .event = name_text(n, c->event),
                                  .site = name_text(n, c->site),
                                  .round = name_text(n, c->round),
                                  .games = c->games,
                                  .certain = c->doubt == DOUBT_NONE,
                                  .why = why_name(c->why),
                                  .evidence = c->evidence,
                                  .error = c->error,
                                  .person = c->person,
                                  .doubt = doubt_name(c->doubt)};
}

/* Adds the decisions about players with one spelling. If all games with the spelling have the same decision, adds one
 * decision. */
static void add_players_decision(stamma_names *n, const name_choice *choices, size_t count)
{
    uint32_t id = 0, nodes = n->texts.texts[choices[0].from].mark;
    bool same = count == nodes, several = false;
    for (size_t i = 0; i < count; i++) {
        same &= choices[i].to == choices[0].to && choices[i].doubt == choices[0].doubt;
        several |= id != 0 && choices[i].id != 0 && choices[i].id != id;
        id = choices[i].id != 0 ? choices[i].id : id;
    }
    stamma_name_decision all = decision_of(n, &choices[0]);
    all.id = several ? (stamma_text){NULL, 0} : name_text(n, id);
    all.games = 0;
    for (size_t i = 0; i < count; i++) {
        stamma_name_decision one = decision_of(n, &choices[i]);
        all.games += one.games;
        all.evidence |= one.evidence;
        all.error = one.error > all.error ? one.error : all.error;
        one.id = name_text(n, nodes_of(n)[choices[i].node].id);
        one.only_id = true;
        if (!same)
            buffer_add(&n->decisions, &one, sizeof one);
    }
    if (same)
        buffer_add(&n->decisions, &all, sizeof all);
}

/* Makes the decisions from the choices. */
static stamma_error collect(stamma_names *n)
{
    name_choice *all = (name_choice *)(void *)n->choices.data;
    size_t count = n->choices.size / sizeof *all;
    for (size_t i = 1; i <= n->texts.count; i++)
        n->texts.texts[i].mark = 0;
    for (size_t i = 1; i < node_count(n); i++)
        if (nodes_of(n)[i].games > 0 && nodes_of(n)[i].text != 0)
            n->texts.texts[nodes_of(n)[i].text].mark++;
    if (count > 1)
        qsort(all, count, sizeof *all, compare_choices);
    for (size_t i = 0, first = 0; i < count; i++) {
        bool player = all[i].field == STAMMA_NAME_PLAYER;
        if (!player) {
            stamma_name_decision one = decision_of(n, &all[i]);
            buffer_add(&n->decisions, &one, sizeof one);
        }
        if (i + 1 == count || !player || all[i + 1].field != all[i].field || all[i + 1].from != all[i].from) {
            if (player)
                add_players_decision(n, &all[first], i + 1 - first);
            first = i + 1;
        }
    }
    size_t decisions = n->decisions.size / sizeof(stamma_name_decision);
    if (decisions > 1)
        qsort(n->decisions.data, decisions, sizeof(stamma_name_decision), compare_decisions);
    return n->decisions.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Compares the names. Errors: LIMIT if the matching pairs do not fit into the memory limit. */
static stamma_error find_edges(stamma_names *n)
{
    stamma_error error = stamma_edges_find(n);
    return error ? error : names_fit(n) ? STAMMA_OK : STAMMA_ERROR_LIMIT;
}

stamma_error stamma_names_find(stamma_names *n)
{
    if (!n || n->found)
        return STAMMA_ERROR_BAD_ARGUMENT;
    n->found = true;
    stamma_error error = stamma_evidence_prepare(n);
    error = error ? error : find_edges(n);
    error = error ? error : stamma_players_decide(n);
    error = error ? error : stamma_values_decide(n);
    error = error ? error : collect(n);
    return error ? error : names_fit(n) ? STAMMA_OK : STAMMA_ERROR_LIMIT;
}

size_t stamma_names_count(const stamma_names *n)
{
    return n ? n->decisions.size / sizeof(stamma_name_decision) : 0;
}

stamma_error stamma_names_at(const stamma_names *n, size_t index, stamma_name_decision *decision)
{
    if (!n || !decision || index >= stamma_names_count(n))
        return STAMMA_ERROR_BAD_ARGUMENT;
    *decision = ((const stamma_name_decision *)(const void *)n->decisions.data)[index];
    return STAMMA_OK;
}

/* ---- complete archives ---- */

static stamma_error add_to_names(void *to, const stamma_archive_game *game)
{
    return stamma_names_add((stamma_names *)to, game);
}

stamma_error stamma_names_add_archive(stamma_names *names, stamma_archive *archive, stamma_place *place)
{
    if (!names || !archive)
        return STAMMA_ERROR_BAD_ARGUMENT;
    return stamma_archive_each_game(archive, STAMMA_GAME_TAGS, add_to_names, names, place);
}
