/* SPDX-License-Identifier: MIT */
/* Tests that trees and counts of the games of a query are the same with and without an index file, for rules on facts,
 * rules on names, and conditions of these rules. Some games have ratings and dates that facts cannot represent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum { BLOCKS = 3, GAMES = 60, ROOM = 1 << 17 };

typedef struct fixture {
    listing archive;
    listing file;
    stamma_archive *opened[2]; /* without and with the index file */
} fixture;

#define PICK(words) words[random_below(sizeof(words) / sizeof *(words))]

static listing make_text(void)
{
    static const char *const ratings[] = {"",     "?",     "-",    "0",    "1",     "4094", "4095", "5000",
                                          "9999", "70000", "2400", "1999", "2400x", "2500", "1500", "+2100"};
    static const char *const dates[] = {"",           "????.??.??", "2003.05.??", "2003.05.06", "????.05.06",
                                        "0500.01.02", "9999.12.31", "2003",       "2003.13.01", "1999.12.31",
                                        "2003.05.05", "2003.05.31", "2003.02.31", "2003.??.06", "2003.??.??"};
    static const char *const players[] = {"", "?", "Smith, A", "Smith, B", "Jones, A", "Jones, B", "M\xC3\xBCller"};
    static const char *const controls[] = {"", "60+0", "300+3", "40/7200", "-"};
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    static const char *const moves[] = {"1. e4 e5 2. Nf3 Nc6", "1. d4 d5", "1. e4 c5 2. Nf3 d6 3. d4",
                                        "1. d4 Nf6 2. c4 e6"};
    listing text = {0};
    for (unsigned n = 0; n < GAMES; n++) {
        const char *result = PICK(results);
        list_format(
            &text,
            "[Date \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Result \"%s\"]\n[WhiteElo \"%s\"]\n[BlackElo \"%s\"]\n"
            "[TimeControl \"%s\"]\n[UTCDate \"%s\"]\n\n%s %s\n\n",
            PICK(dates), PICK(players), PICK(players), result, PICK(ratings), PICK(ratings), PICK(controls),
            PICK(dates), PICK(moves), result);
    }
    return text;
}

static int set_up(void **state)
{
    static fixture f;
    listing parts[BLOCKS];
    for (unsigned part = 0; part < BLOCKS; part++) {
        listing text = make_text();
        parts[part] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    f.archive = copy_archives(parts, BLOCKS, NULL);
    for (unsigned part = 0; part < BLOCKS; part++)
        free(parts[part].text);
    f.file = index_file_of(&f.archive);
    f.opened[0] = open_handle(&f.archive);
    f.opened[1] = open_indexed(&f.archive, &f.file);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    stamma_archive_close(f->opened[0]);
    stamma_archive_close(f->opened[1]);
    free(f->archive.text);
    free(f->file.text);
    return 0;
}

/* Writes the tree of the initial position, and the numbers of games by result. */
static uint64_t list_answers(stamma_archive *archive, const stamma_query *query, char *out)
{
    const stamma_position position = stamma_position_start();
    stamma_stats_results r = {.games = 0};
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_tree_open(&position, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, (stamma_text){"a", 1}, archive, query, NULL, NULL), STAMMA_OK);
    const size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, out, ROOM);
    assert_true(size + 100 < ROOM);
    stamma_tree_close(tree);
    assert_int_equal(stamma_stats_count_archive(&r, archive, query, NULL, NULL), STAMMA_OK);
    (void)snprintf(out + size, 100, " %u %u %u %u", (unsigned)r.games, (unsigned)r.white_wins, (unsigned)r.draws,
                   (unsigned)r.black_wins);
    return r.games;
}

/* Returns the number of games that match, and asserts that it is the same with and without the index. */
static uint64_t compare(const fixture *f, const char *json)
{
    static char wanted[ROOM], got[ROOM];
    stamma_query *query = NULL;
    if (stamma_query_parse(stamma_text_of(json), NULL, NULL, &query) != STAMMA_OK)
        fail_msg("%s", json);
    const uint64_t games = list_answers(f->opened[0], query, wanted);
    (void)list_answers(f->opened[1], query, got);
    if (strcmp(wanted, got) != 0)
        fail_msg("%s\n%s\ninstead of\n%s", json, got, wanted);
    stamma_query_close(query);
    return games;
}

static const char *const rules[] = {
    "\"white-rating\": \"2400..\"",
    "\"white-rating\": \"..4999\"",
    "\"black-rating\": \"2400..\"",
    "\"black-rating\": [\"5000\", \"..1999\"]",
    "\"rating\": \"2000..\"",
    "\"each-rating\": \"2000..\"",
    "\"rating-difference\": \"-200..200\"",
    "\"date\": \"2003\"",
    "\"date\": \"2003.05.01..2003.05.31\"",
    "\"date\": [\"..0999\", \"9999\"]",
    "\"date\": \"2003.05.06\"",
    "\"date\": \"2003.05.06..2003.05.30\"",
    "\"date\": [\"..2003.01.05\", \"2003.02.28..2003.05.05\"]",
    "\"date\": \"2003.12.07..2003.12.30\"",
    "\"result\": \"1-0\"",
    "\"result\": \"*\"",
    "\"speed\": [\"bullet\", \"blitz\"]",
    "\"plies\": \"..3\"",
    "\"player\": \"smith*\"",
    "\"white\": \"jones, a\"",
    "\"players\": [\"smith*\", \"jones*\"]",
};
enum { RULES = sizeof rules / sizeof *rules };

/* Each rule, its negation, and each pair of rules. */
static void rules_find_the_same(void **state)
{
    const fixture *f = *state;
    char json[400];
    for (unsigned n = 0; n < RULES; n++) {
        (void)snprintf(json, sizeof json, "{%s}", rules[n]);
        const uint64_t games = compare(f, json);
        assert_true(games > 0 && games < BLOCKS * GAMES);
        (void)snprintf(json, sizeof json, "{\"not\": {%s}}", rules[n]);
        assert_int_equal(compare(f, json), BLOCKS * GAMES - games);
        const char *more = rules[(n + 1 + random_below(RULES - 1)) % RULES];
        (void)snprintf(json, sizeof json, "{\"all\": [{%s}, {\"not\": {%s}}]}", rules[n], more);
        const uint64_t one = compare(f, json);
        (void)snprintf(json, sizeof json, "{\"any\": [{\"all\": [{%s}, {%s}]}, {\"any\": [{%s}, {%s}]}]}", rules[n],
                       more, rules[n], more);
        assert_true(compare(f, json) >= games);
        (void)snprintf(json, sizeof json, "{\"all\": [{%s, \"for\": 1}, {%s}]}", rules[n], more);
        assert_int_equal(compare(f, json), games - one);
    }
}

enum { LISTED = BLOCKS * GAMES };

/* Stores the numbers of the games that match. */
static size_t list_matches(stamma_archive *archive, const stamma_query *query, const stamma_search_options *options,
                           uint64_t games[LISTED])
{
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    size_t count = 0;
    assert_int_equal(stamma_search_open(archive, query, options, &search), STAMMA_OK);
    while (stamma_search_next(search, &match) == STAMMA_OK && match) {
        assert_true(count < LISTED && (count == 0 || games[count - 1] < match->game));
        assert_int_equal(match->ply_count, query ? 1 : 0);
        games[count++] = match->game;
    }
    stamma_search_close(search);
    return count;
}

/* A list of games that is too long is not made. */
static void little_memory_is_enough(void **state)
{
    const fixture *f = *state;
    for (unsigned n = 0; n < RULES; n++) {
        const stamma_search_options options = {.size = sizeof options, .memory = 1 + 100 * (n % 3)};
        uint64_t all[LISTED], found[LISTED];
        char json[100];
        stamma_query *query = NULL;
        (void)snprintf(json, sizeof json, "{%s}", rules[n]);
        assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
        const size_t count = list_matches(f->opened[0], query, NULL, all);
        assert_int_equal(list_matches(f->opened[1], query, &options, found), count);
        assert_memory_equal(all, found, count * sizeof *all);
        stamma_query_close(query);
    }
}

/* Conditions without rules, and conditions about the plies of a game. */
static void strange_conditions_find_the_same(void **state)
{
    static const struct {
        const char *json;
        int games; /* -1: some, but not all */
    } all[] = {
        {"{}", BLOCKS * GAMES},
        {"{\"for\": 9}", 0},
        {"{\"for\": 4}", -1},
        {"{\"any\": [{}]}", BLOCKS * GAMES},
        {"{\"not\": {}}", 0},
        {"{\"not\": {\"any\": [{}, {\"white-rating\": 1}]}}", 0},
        {"{\"any\": [{\"white-rating\": \"2400\", \"for\": 4}]}", -1},
        {"{\"any\": [{\"each-rating\": \"2000..\"}, {\"each-rating\": \"..1999\"}]}", -1},
        {"{\"any\": [{\"white-rating\": \"2400\"}, {\"black-rating\": \"2400\"}]}", -1},
        {"{\"any\": [{\"result\": \"1-0\"}, {\"move\": \"d6\"}]}", -1},
        {"{\"player\": \"smith*\", \"for\": 3}", -1},
        {"{\"any\": [{\"white\": \"smith*\", \"for\": 3}, {\"black\": \"smith*\"}]}", -1},
    };
    const fixture *f = *state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        const uint64_t games = compare(f, all[n].json);
        if (all[n].games < 0 ? games == 0 || games == BLOCKS * GAMES : games != (uint64_t)all[n].games)
            fail_msg("%s: %u games", all[n].json, (unsigned)games);
    }
}

/* More rules on names than a filter keeps lists of. */
static void many_names_find_the_same(void **state)
{
    static const char *const names[] = {"smith, a", "smith, b", "jones, a", "jones, b", "muller", "?"};
    static const char *const kinds[] = {"white", "black", "player"};
    const fixture *f = *state;
    for (unsigned way = 0; way < 2; way++)
        for (unsigned count = 3; count <= 12; count++) {
            listing json = {0};
            list_format(&json, "{\"%s\": [", way == 0 ? "any" : "all");
            for (unsigned n = 0; n < count; n++)
                list_format(&json,
                            way == 0 ? "%s{\"%s\": \"%s\"}" : "%s{\"not\": {\"%s\": \"%s\", \"result\": \"1-0\"}}",
                            n > 0 ? ", " : "", kinds[n % 3], names[n * 5 % 6]);
            list_word(&json, "]}");
            assert_true(compare(f, json.text) > 0);
            free(json.text);
        }
    assert_true(compare(f, "{\"player\": \"smith*\", \"all\": [{\"player\": \"*, a\"}, {\"white\": \"*\"}, {\"black\": "
                           "\"*\"}, {\"players\": [\"*h*\", \"*\"]}, {\"not\": {\"white\": \"jones*\"}}]}") > 0);
}

/* ---- the first games in an order ---- */

/* The value of a game in an order: ranks of games with equal values are equal, and a game without a value is last. */
typedef struct valued_game {
    uint64_t number;
    bool missing;
    double rating;
    char date[16];
} valued_game;

static stamma_text known_date(const stamma_archive_game *game)
{
    static const char *const tags[] = {"Date", "UTCDate"};
    for (unsigned n = 0; n < 2; n++) {
        const stamma_text date = stamma_archive_game_tag(game, stamma_text_of(tags[n]));
        for (size_t k = 0; k < date.size; k++)
            if (date.data[k] >= '0' && date.data[k] <= '9')
                return date;
    }
    return (stamma_text){"", 0};
}

static valued_game value_of(const stamma_archive_game *game, stamma_search_order order)
{
    const double white = (double)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("WhiteElo")));
    const double black = (double)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("BlackElo")));
    const stamma_text date = known_date(game);
    valued_game v = {.number = game->number, .rating = (double)game->ply_count};
    (void)snprintf(v.date, sizeof v.date, "%.*s", order == STAMMA_ORDER_DATE ? (int)date.size : 0, date.data);
    if (order == STAMMA_ORDER_RATING)
        v.rating = white > 0 && black > 0 ? (white + black) / 2 : white + black;
    if (order == STAMMA_ORDER_WHITE_RATING || order == STAMMA_ORDER_BLACK_RATING)
        v.rating = order == STAMMA_ORDER_WHITE_RATING ? white : black;
    if (order == STAMMA_ORDER_NUMBER || order == STAMMA_ORDER_DATE)
        v.rating = order == STAMMA_ORDER_NUMBER ? (double)game->number : 0;
    v.missing = order == STAMMA_ORDER_DATE ? date.size == 0 : v.rating == 0 && order != STAMMA_ORDER_PLIES;
    return v;
}

/* Returns whether `a` is before `b`: -1 or 1, or 0 if their values are equal. */
static int order_of(const valued_game *a, const valued_game *b, bool descending)
{
    if (a->missing || b->missing)
        return a->missing - b->missing;
    int order = (a->rating > b->rating) - (a->rating < b->rating);
    order = order != 0 ? order : strcmp(a->date, b->date);
    order = (order > 0) - (order < 0);
    return descending ? -order : order;
}

/* Asserts that the games found with the index are among all matches, and include the first games of the order. Returns
 * the number of matches that were omitted. */
static size_t compare_first(const fixture *f, const stamma_query *query, const stamma_search_options *options)
{
    static valued_game values[LISTED];
    uint64_t all[LISTED], found[LISTED];
    const size_t count = list_matches(f->opened[0], query, NULL, all);
    const size_t kept = list_matches(f->opened[1], query, options, found);
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game = NULL;
    assert_int_equal(stamma_archive_reader_open(f->opened[0], NULL, &reader), STAMMA_OK);
    for (size_t n = 0; stamma_archive_reader_next(reader, &game) == STAMMA_OK && game;)
        if (n < count && game->number == all[n])
            values[n++] = value_of(game, options->order);
    stamma_archive_reader_close(reader);
    for (size_t n = 0, next = 0; n < count; n++) {
        const bool is_kept = next < kept && found[next] == all[n];
        size_t before = 0; /* games that are before this one */
        for (size_t k = 0; k < count; k++) {
            const int order = order_of(&values[k], &values[n], options->descending);
            before += order < 0 || (order == 0 && k < n && !options->ties);
        }
        if (before < options->most && !is_kept)
            fail_msg("order %d: game %u is missing", (int)options->order, (unsigned)all[n]);
        next += is_kept;
        if (n == count - 1)
            assert_int_equal(next, kept);
    }
    return count - kept;
}

/* All orders of all games, of the games of a rule, and of two rules; few and many games. */
static void first_games_are_found(void **state)
{
    const fixture *f = *state;
    for (unsigned order = STAMMA_ORDER_NUMBER; order <= STAMMA_ORDER_PLIES; order++) {
        size_t omitted = 0;
        for (unsigned n = 0; n < 4 * RULES; n++) {
            const stamma_search_options options = {.size = sizeof options,
                                                   .most = 1 + random_below(n % 3 ? 8 : LISTED + 10),
                                                   .order = (stamma_search_order)order,
                                                   .descending = n & 1,
                                                   .ties = n & 2};
            char json[400];
            stamma_query *query = NULL;
            (void)snprintf(json, sizeof json, n % 5 ? "{%s, \"any\": [{%s}, {\"result\": \"0-1\"}]}" : "{%s}",
                           rules[n % RULES], PICK(rules));
            if (n % 7 > 0)
                assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
            omitted += compare_first(f, query, &options);
            stamma_query_close(query);
        }
        assert_true(omitted > 0);
    }
}

/* ---- a stop at any question ---- */

typedef struct questions {
    unsigned asked;
    unsigned stop_at;
} questions;

static bool stop_at(void *context)
{
    questions *q = context;
    return ++q->asked >= q->stop_at;
}

enum { TASKS = 7 };

static stamma_error search_all(stamma_archive *archive, const stamma_query *query, const stamma_search_options *options)
{
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    stamma_error error = stamma_search_open(archive, query, options, &search);
    while (error == STAMMA_OK && (error = stamma_search_next(search, &match)) == STAMMA_OK && match)
        ;
    stamma_search_close(search);
    return error;
}

/* Makes a tree of a position in all lines of 1. d4, and names its games. */
static stamma_error make_tree(stamma_archive *archive, const stamma_query *query, const stamma_search_options *options)
{
    const stamma_text name = {"a", 1};
    stamma_position position;
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_fen_read(stamma_text_of("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"),
                                     &position, NULL, NULL),
                     STAMMA_OK);
    assert_int_equal(stamma_tree_open(&position, NULL, &tree), STAMMA_OK);
    stamma_error error = stamma_tree_add_archive(tree, name, archive, query, options, NULL);
    if (error == STAMMA_OK)
        error = stamma_tree_name_games(tree, name, archive, options);
    stamma_tree_close(tree);
    return error;
}

static stamma_error count_all(stamma_archive *archive, const stamma_query *query, const stamma_search_options *options)
{
    stamma_stats_results r = {.games = 0};
    stamma_stats *stats = NULL;
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    stamma_error error = stamma_stats_count_archive(&r, archive, query, options, NULL);
    if (error == STAMMA_OK)
        error = stamma_stats_add_archive(stats, archive, query, options, NULL);
    stamma_stats_close(stats);
    return error;
}

static stamma_error list_players(stamma_archive *archive, const stamma_search_options *options)
{
    stamma_players *players = NULL;
    assert_int_equal(stamma_players_open(NULL, &players), STAMMA_OK);
    const stamma_error error = stamma_players_add_archive(players, archive, options, NULL);
    stamma_players_close(players);
    return error;
}

static stamma_error run_task(stamma_archive *archive, unsigned task, const stamma_search_options *options)
{
    static const char *const queries[TASKS] = {
        "{\"fen\": \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"}",
        "{\"player\": \"smith*\", \"result\": \"1-0\"}",
        "{\"white\": \"smith*\"}",
        NULL,
        "{\"rating\": \"2000..\"}",
        NULL,
        NULL,
    };
    stamma_query *query = NULL;
    stamma_error error;
    if (queries[task])
        assert_int_equal(stamma_query_parse(stamma_text_of(queries[task]), NULL, NULL, &query), STAMMA_OK);
    if (task < 2)
        error = search_all(archive, query, options);
    else if (task < 4)
        error = make_tree(archive, query, options);
    else if (task < 6)
        error = count_all(archive, query, options);
    else
        error = list_players(archive, options);
    stamma_query_close(query);
    return error;
}

/* A task is cancelled if `stop` returns true, and otherwise succeeds. */
static void tasks_are_stopped(void **state)
{
    const fixture *f = *state;
    for (unsigned task = 0; task < TASKS; task++)
        for (unsigned way = 0; way < 2; way++) {
            questions q = {.asked = 1};
            for (unsigned at = 1; q.asked >= q.stop_at; at++) {
                const stamma_search_options options = {.size = sizeof options, .context = &q, .stop = stop_at};
                q = (questions){0, at};
                const stamma_error error = run_task(f->opened[way], task, &options);
                if (error != (q.asked >= at ? STAMMA_ERROR_CANCELLED : STAMMA_OK))
                    fail_msg("task %u, way %u: error %d after %u of %u questions", task, way, (int)error, q.asked, at);
            }
            assert_true(q.asked > 0 && q.asked < 1000);
        }
    assert_false(index_state(f->opened[1]).damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_find_the_same),      cmocka_unit_test(strange_conditions_find_the_same),
        cmocka_unit_test(many_names_find_the_same), cmocka_unit_test(first_games_are_found),
        cmocka_unit_test(little_memory_is_enough),  cmocka_unit_test(tasks_are_stopped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
