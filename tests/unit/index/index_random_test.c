/* SPDX-License-Identifier: MIT */
/* Asks random questions, and compares the answers with those of a search that tests every game: with an index file,
 * with an outdated or truncated file, and with a file that has a flipped bit. The questions combine rules that select
 * games (players, facts, positions) with rules about positions and moves, in conditions of conditions, and with their
 * flags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/handle.h"
#include "index_fixture.h"

enum { ROOM = 1 << 17, FENS = 400 };

/* ---- archives ---- */

typedef struct fixture {
    index_fixture made;
    listing outdated;      /* an index file of another archive */
    stamma_archive *plain; /* without index and search columns: every game is tested */
    stamma_archive *indexed;
    char fens[FENS][STAMMA_FEN_SIZE];
    unsigned fen_count;
} fixture;

/* The first and the last part have the same games, and the second part has other games. */
static listing make_text(unsigned part)
{
    return part == 1 ? index_fixture_text(part) : read_file("data/games.pgn");
}

static void list_positions(fixture *f)
{
    archive_source source;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, &f->made.archive, true);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        stamma_position p = game->start;
        for (size_t ply = 0; ply < game->ply_count && f->fen_count < FENS; ply++) {
            if (random_below(ply < 12 ? 8 : 40) == 0)
                stamma_fen_write(&p, STAMMA_FEN_STANDARD, f->fens[f->fen_count++], STAMMA_FEN_SIZE);
            stamma_position_make(&p, game->moves[ply], &p);
        }
    }
    close_reader(reader);
}

static int set_up(void **state)
{
    static fixture f;
    listing other = index_fixture_text(0), archive = pack(other.text, other.size, NULL);
    index_fixture_init(&f.made, make_text, 100);
    f.outdated = index_file_of(&archive);
    f.plain = open_handle(&f.made.archive);
    f.plain->no_search_columns = true;
    f.indexed = open_indexed(&f.made.archive, &f.made.file);
    list_positions(&f);
    free(other.text);
    free(archive.text);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    stamma_archive_close(f->plain);
    stamma_archive_close(f->indexed);
    index_fixture_release(&f->made);
    free(f->outdated.text);
    return 0;
}

/* ---- questions ---- */

#define PICK(values) values[random_below(sizeof(values) / sizeof *(values))]

static const char *const of_players[] = {
    "\"player\": \"*\"",           "\"player\": \"K*\"",     "\"white\": \"Smith*\"", "\"players\": [\"*a*\", \"*o*\"]",
    "\"black\": [\"*s\", \"*n\"]", "\"white\": \"Morphy*\"",
};

static const char *const of_facts[] = {
    "\"result\": \"1-0\"",         "\"result\": [\"0-1\", \"*\"]", "\"date\": \"1850..1950.06.15\"",
    "\"date\": \"2000..2009.05\"", "\"rating\": \"1500..2600\"",   "\"white-rating\": \"..1600\"",
    "\"opening\": \"defense\"",    "\"opening\": \"=ruy*\"",       "\"eco\": [\"B\", \"C3..C5\"]",
    "\"plies\": \"40..\"",         "\"plies\": \"..30\"",          "\"result-type\": \"mate\"",
};

/* Rules about positions and moves that flags can transform, and others. Their keys differ from those of the others. */
static const char *const of_boards[] = {
    "\"material\": \"KRP*KR*P*\"",
    "\"material\": [\"KQ?R*B*N*P*KR*B*N*P*\", \"KRKR\"]",
    "\"material\": \"KR?B?P*KR?N?P*\"",
    "\"material\": [\"KRP?P?P?P?P?P?KRP?P?P?P?P?P?\", \"KQN?P?P?P?P?P?KR?B?P?P?P?P?P?\"]",
    "\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..3\"}",
    "\"points\": {\"white\": \"..12\", \"black\": \"..12\"}",
    "\"balance\": \"-1..1\"",
    "\"sub-fen\": \"8/8/8/8/4P3/8/8/8\"",
    "\"sub-fen\": [\"8/8/8/3p4/8/2N5/8/8\", \"8/8/8/8/8/5[NB]2/8/6K1\"]",
    "\"sub-fen\": \"8/8/8/4[.p]3/3P4/8/8/8\"",
    "\"pawns\": \"8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8\"",
    "\"imbalance\": \"Pv\"",
    "\"move\": \"Nf3\"",
    "\"move\": \"Bg5\"",
    "\"white-move\": \"O-O\"",
    "\"passed\": {\"white\": \"1..\"}",
};
static const char *const of_moves[] = {"\"captured\": \"P\"",     "\"captured\": \"Q\"", "\"check\": true",
                                       "\"ply\": \"10..\"",       "\"moved\": \"K\"",    "\"castling\": \"any\"",
                                       "\"repetition\": \"2..\"", "\"mate\": true"};

static void add_condition(const fixture *f, listing *out, bool nested);

static void add_rule(listing *out, const char *rule)
{
    list_format(out, "%s%s", out->text[out->size - 1] == '{' ? "" : ", ", rule);
}

/* Adds rules that flags can transform. */
static void add_boards(const fixture *f, listing *out)
{
    static const char *const sides[] = {"\"side-to-move\": \"white\"", "\"side-to-move\": \"black\""};
    const unsigned kind = (unsigned)random_below(8);
    if (kind < 3) {
        list_format(out, "%s\"fen\": \"%s\"", out->text[out->size - 1] == '{' ? "" : ", ",
                    f->fens[random_below(f->fen_count)]);
        if (random_below(3) == 0)
            add_rule(out, "\"ignore-castling\": true");
    }
    if (kind > 1)
        add_rule(out, PICK(of_boards));
    if (random_below(6) == 0)
        add_rule(out, PICK(sides));
}

/* Adds a rule that is composed of conditions. */
static void add_composed(const fixture *f, listing *out)
{
    static const char *const lists[] = {"any", "all", "sequence", "streak"}, *const single[] = {"not", "never",
                                                                                                "final"};
    const bool is_list = random_below(2) == 0;
    list_format(out, "%s\"%s\": %s", out->text[out->size - 1] == '{' ? "" : ", ", is_list ? PICK(lists) : PICK(single),
                is_list ? "[" : "");
    add_condition(f, out, true);
    if (is_list) {
        list_word(out, ", ");
        add_condition(f, out, true);
        list_word(out, "]");
    }
}

static void add_condition(const fixture *f, listing *out, bool nested)
{
    static const char *const turns[] = {"\"flipcolor\": true", "\"mirror\": true",
                                        "\"flipcolor\": true, \"mirror\": true"};
    const bool boards = random_below(4) > 0;
    list_word(out, "{");
    if (random_below(nested ? 5 : 2) == 0)
        add_rule(out, PICK(of_players));
    if (random_below(nested ? 5 : 3) == 0)
        add_rule(out, PICK(of_facts));
    if (boards)
        add_boards(f, out);
    if (random_below(4) == 0)
        add_rule(out, PICK(of_moves));
    if (!nested && random_below(3) == 0)
        add_composed(f, out);
    if (boards && random_below(5) < 2)
        add_rule(out, PICK(turns));
    if (random_below(12) == 0)
        list_format(out, "%s\"for\": %u", out->text[out->size - 1] == '{' ? "" : ", ", 1 + (unsigned)random_below(4));
    list_word(out, "}");
}

/* Returns a question, which ends with a NUL. */
static listing make_question(const fixture *f)
{
    static const char *const flags[] = {"\"all-matches\": true", "\"variations\": true", "\"limit\": 2",
                                        "\"limit\": 5, \"offset\": 3"};
    listing json = {0};
    add_condition(f, &json, false);
    if (random_below(6) == 0) {
        json.size--; /* the bracket */
        add_rule(&json, PICK(flags));
        list_word(&json, "}");
    }
    list_bytes(&json, "", 1);
    return json;
}

/* ---- answers ---- */

/* Lists the games that match and all of their plies. */
static listing search_games(stamma_archive *archive, const stamma_query *query)
{
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    listing found = {0};
    assert_int_equal(stamma_search_open(archive, query, NULL, &search), STAMMA_OK);
    while (stamma_search_next(search, &match) == STAMMA_OK && match) {
        list_format(&found, " %u:", (unsigned)match->game);
        for (size_t n = 0; n < match->ply_count; n++)
            list_format(&found, "%u,", (unsigned)match->plies[n]);
    }
    assert_int_equal(stamma_search_next(search, &match), STAMMA_OK);
    stamma_search_close(search);
    list_bytes(&found, "", 1);
    return found;
}

/* Writes the tree of the initial position of the matching games, and their numbers by result. */
static listing sum_games(stamma_archive *archive, const stamma_query *query)
{
    static char json[ROOM];
    const stamma_position position = stamma_position_start();
    stamma_stats_results r = {.games = 0};
    stamma_tree *tree = NULL;
    listing found = {0};
    assert_int_equal(stamma_tree_open(&position, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, (stamma_text){"a", 1}, archive, query, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_stats_count_archive(&r, archive, query, NULL, NULL), STAMMA_OK);
    assert_in_range(stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, ROOM), 1, ROOM - 1);
    list_format(&found, "%u %u %u %u ", (unsigned)r.games, (unsigned)r.white_wins, (unsigned)r.draws,
                (unsigned)r.black_wins);
    list_bytes(&found, json, strlen(json) + 1);
    stamma_tree_close(tree);
    return found;
}

static void assert_answers(stamma_archive *archive, const char *json, const stamma_query *query,
                           listing (*ask)(stamma_archive *archive, const stamma_query *query), const listing *wanted)
{
    listing got = ask(archive, query);
    if (got.size != wanted->size || memcmp(got.text, wanted->text, got.size) != 0)
        fail_msg("%s\n%s\ninstead of\n%s", json, got.text, wanted->text);
    free(got.text);
}

enum { CURRENT, FLIPPED, TRUNCATED, OUTDATED, STATES };

/* Returns an index file of the archive in a state. */
static listing make_state(const fixture *f, unsigned state)
{
    listing file = index_copy(state == OUTDATED ? &f->outdated : &f->made.file);
    if (state == TRUNCATED)
        file.size = random_below(file.size);
    if (state == FLIPPED) {
        const size_t bit = random_below(8 * file.size);
        file.text[bit / 8] = (char)(file.text[bit / 8] ^ 1 << bit % 8);
    }
    return file;
}

/* Opens the archive with an index file that may be invalid. */
static stamma_archive *open_with(const fixture *f, const listing *file)
{
    const stamma_bytes bytes = stamma_bytes_of(f->made.archive.text, f->made.archive.size);
    const stamma_bytes index = stamma_bytes_of(file->text, file->size);
    const stamma_archive_options options = {.size = sizeof options, .index = &index};
    stamma_archive *archive = NULL;
    assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
    return archive;
}

/* Asks a question of a random kind. Returns the size of the answer. */
static size_t ask_each(const fixture *f, const char *json, unsigned number, size_t *damaged)
{
    stamma_query_problem fault;
    stamma_query *query = NULL;
    if (stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: %s", json, fault.message);
    listing (*ask)(stamma_archive *, const stamma_query *) = number % 5 == 0 ? sum_games : search_games;
    listing wanted = ask(f->plain, query);
    const size_t size = ask == search_games ? wanted.size : 1;
    assert_answers(f->indexed, json, query, ask, &wanted);
    if (number % 4 == 0) {
        listing file = make_state(f, (unsigned)random_below(STATES));
        stamma_archive *archive = open_with(f, &file);
        assert_answers(archive, json, query, ask, &wanted);
        *damaged += index_state(archive).damaged;
        stamma_archive_close(archive);
        free(file.text);
    }
    free(wanted.text);
    stamma_query_close(query);
    return size;
}

static void random_questions(void **state)
{
    const fixture *f = *state;
    const unsigned count = sweeps_are_long() ? 100000 : (unsigned)(10000 / thinned_step(1));
    size_t found = 0, damaged = 0;
    for (unsigned n = 0; n < count; n++) {
        listing json = make_question(f);
        found += ask_each(f, json.text, n, &damaged) > 1;
        free(json.text);
    }
    assert_false(index_state(f->indexed).damaged);
    assert_true(found > count / 4 && damaged > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_questions)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
