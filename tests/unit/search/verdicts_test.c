/* SPDX-License-Identifier: MIT */
/* Tests searches and trees with a block's index: the results equal the results of reading every game, with and without
 * search columns, with and without a kept index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/handle.h"
#include "archive_support.h"
#include "query/query.h"

enum { COPIES = 4, ODD_COPIES = 20, ANSWERS = 2000, JSON = 1 << 16 };

typedef struct answers {
    size_t count;
    uint64_t games[ANSWERS];
    uint32_t plies[ANSWERS];
} answers;

/* Tags that search columns do not represent fully, outside rosters, repeated or missing. */
static const char odd_games[] =
    "[Event \"a \\\"b\\\" \\\\\"]\n[White \"K\\\"asparov\"]\n[WhiteElo \"2700?\"]\n[BlackElo \"70000\"]\n[Date "
    "\"20??.??.??\"]\n"
    "[TimeControl \"180+2\"]\n[Termination \"Normal\"]\n\n1. e4 e5 1-0\n\n"
    "{c}\n[White \"Kasparov\"]\n[Black \"Karpov\"]\n[Date \"1985\"]\n[Result \"0-1\"]\n\n1. Nf3 Nf6 1-0\n\n"
    "[White \"Kasparov\"]\n[White \"Lasker\"]\n[UTCDate \"1920.01.02\"]\n[Date \"????.??.??\"]\n\n1. d4 d5 1/2-1/2\n\n"
    "1. e4 c5 *\n\n"
    "[WhiteElo \"2400\"]\n[BlackElo \"5000\"]\n\n1. e4 e5 *\n\n"
    "[Black \"z\xFCkertort\"]\n[Date \"1962-03-04\"]\n[Result \"?\"]\n[WhiteElo \" 2100 \"]\n[BlackElo \"2101\"]\n\n1. "
    "e4 *\n\n";

enum { OPENED = 5 };

/* A sample with and without search columns. */
typedef struct samples {
    listing archives[2];
    listing file;                   /* an index file of the first archive */
    stamma_archive *plain;          /* the first archive; every game is tested */
    stamma_archive *opened[OPENED]; /* both archives, both with kept indexes, and the first with the index file */
} samples;

/* With COPIES, makes enough games for shared beginnings (clause 19). */
static listing sample_text(unsigned copies)
{
    listing games = read_file("data/games.pgn"), text = {0};
    for (unsigned n = 0; n < copies; n++)
        list_bytes(&text, games.text, games.size);
    for (unsigned n = 0; n < (copies ? ODD_COPIES : 1); n++)
        list_bytes(&text, odd_games, sizeof odd_games - 1);
    free(games.text);
    return text;
}

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_problem fault;
    if (stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: at %zu: %s", json, fault.offset, fault.message);
    return query;
}

static answers search(stamma_archive *archive, const stamma_query *query)
{
    const stamma_match *match;
    stamma_search *s;
    answers a = {.count = 0};
    assert_int_equal(stamma_search_open(archive, query, NULL, &s), STAMMA_OK);
    while (stamma_search_next(s, &match) == STAMMA_OK && match) {
        assert_true(a.count < ANSWERS);
        a.games[a.count] = match->game;
        a.plies[a.count++] = match->ply_count > 0 ? match->plies[0] : 0;
    }
    stamma_search_close(s);
    return a;
}

/* Returns the number of matching games. */
static size_t ask(const samples *a, const char *json)
{
    stamma_query *query = parse(json);
    answers *read = malloc(sizeof *read), *judged = malloc(sizeof *judged);
    assert_true(read && judged);
    *read = search(a->plain, query);
    for (unsigned n = 0; n < OPENED; n++) {
        *judged = search(a->opened[n], query);
        if (judged->count != read->count || memcmp(judged, read, sizeof *read) != 0)
            fail_msg("%s: %zu games, not %zu", json, judged->count, read->count);
    }
    size_t count = read->count;
    stamma_query_close(query);
    free(read);
    free(judged);
    return count;
}

static char *tree_of(stamma_archive *archive, const stamma_position *position)
{
    const stamma_text name = {"a", 1};
    char *json = malloc(JSON);
    stamma_tree *tree;
    assert_non_null(json);
    assert_int_equal(stamma_tree_open(position, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_keep_history(tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, name, archive, NULL, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_tree_name_games(tree, name, archive, NULL), STAMMA_OK);
    assert_in_range(stamma_tree_write_json(tree, 100, 15, json, JSON), 1, JSON - 1);
    stamma_tree_close(tree);
    return json;
}

/* Makes trees from all games, with and without search columns, and with the indexes. Asserts that they are equal. */
static void ask_tree(const samples *a, const stamma_position *position)
{
    char *wanted = tree_of(a->plain, position);
    for (unsigned n = 0; n < OPENED; n++) {
        char *json = tree_of(a->opened[n], position);
        assert_string_equal(json, wanted);
        free(json);
    }
    free(wanted);
}

static void make_samples(samples *a, unsigned copies)
{
    listing text = sample_text(copies);
    a->archives[0] = pack(text.text, text.size, NULL);
    a->archives[1] = pack_without_search(text.text, text.size);
    a->file = index_file_of(&a->archives[0]);
    a->plain = open_handle(&a->archives[0]);
    a->plain->no_search_columns = true;
    for (unsigned n = 0; n < 4; n++)
        a->opened[n] = open_handle(&a->archives[n % 2]);
    for (unsigned n = 2; n < 4; n++)
        assert_int_equal(stamma_archive_keep_index(a->opened[n], NULL), STAMMA_OK);
    a->opened[4] = open_indexed(&a->archives[0], &a->file);
    free(text.text);
}

static void free_samples(samples *a)
{
    stamma_archive_close(a->plain);
    for (unsigned n = 0; n < OPENED; n++)
        stamma_archive_close(a->opened[n]);
    for (unsigned n = 0; n < 2; n++)
        free(a->archives[n].text);
    free(a->file.text);
}

/* Asks for a turned position, which only the same turn of the query finds. */
static void ask_turned(const samples *a, const stamma_position *position, unsigned turn)
{
    static const char *const turns[] = {"", ", \"flipcolor\": true", ", \"mirror\": true",
                                        ", \"flipcolor\": true, \"mirror\": true"};
    const stamma_position turned = stamma_position_turned(position, turn);
    char fen[STAMMA_FEN_SIZE], json[STAMMA_FEN_SIZE + 120];
    stamma_fen_write(&turned, STAMMA_FEN_STANDARD, fen, sizeof fen);
    /* castling with a king on the d file has no standard FEN */
    (void)snprintf(json, sizeof json, "{\"fen\": \"%s\"%s%s}", fen, turns[turn],
                   turn & QUERY_TURN_FILES ? ", \"ignore-castling\": true" : "");
    assert_true(ask(a, json) >= COPIES);
}

static void positions_of_games(void **state)
{
    (void)state;
    samples a;
    make_samples(&a, COPIES);
    archive_source source;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, &a.archives[0], true);
    for (unsigned n = 0; n < 86 && stamma_archive_reader_next(reader, &game) == STAMMA_OK && game; n++) {
        stamma_position p = game->start;
        for (size_t ply = 0; ply <= game->ply_count; ply++) {
            if (ply % (16 * usual_step(3)) == n % 16) {
                char fen[STAMMA_FEN_SIZE], json[STAMMA_FEN_SIZE + 80];
                stamma_fen_write(&p, STAMMA_FEN_STANDARD, fen, sizeof fen);
                (void)snprintf(json, sizeof json, "{\"fen\": \"%s\"%s}", fen, n % 2 ? ", \"result\": \"1-0\"" : "");
                size_t count = ask(&a, json);
                assert_true(n % 2 || count >= COPIES);
                ask_turned(&a, &p, (unsigned)(1 + (ply + n) / 16 % 3));
                ask_tree(&a, &p);
            }
            if (ply < game->ply_count)
                stamma_position_make(&p, game->moves[ply], &p);
        }
    }
    close_reader(reader);
    free_samples(&a);
}

static const char *const queries[] = {
    "{\"material\": \"KRP*KR\"}",
    "{\"material\": [\"KQ*R*B*N*P*KQ*R*B*N*P*\", \"KRKR\"], \"stm\": \"white\"}",
    "{\"sub-fen\": \"8/8/8/8/4P3/8/8/4K2R\"}",
    "{\"sub-fen\": [\"8/8/8/3p4/8/8/8/8\", \"8/8/8/4p3/8/5N2/8/8\"], \"result\": [\"0-1\", \"1/2-1/2\"]}",
    "{\"sub-fen\": \"[qr.]7/8/8/8/A7/8/8/?7\"}",
    "{\"pawns\": \"8/pppppppp/8/8/4P3/8/PPPP1PPP/8\", \"plies\": \"..60\"}",
    "{\"date\": \"1850..1900\"}",
    "{\"each-rating\": \"2000..\"}",
    "{\"rating\": \"..2700\", \"material\": \"KQ?R*B*N*P*KQ?R*B*N*P*\"}",
    "{\"any\": [{\"result\": \"1-0\"}, {\"sub-fen\": \"8/8/8/8/8/8/8/6KR\"}]}",
    "{\"sequence\": [{\"sub-fen\": \"8/8/8/8/4P3/8/8/8\"}, {\"material\": \"KQ*R*B*N*P*KR*B*N*P*\"}]}",
    "{\"final\": {\"material\": \"KQ*R*B*N*P*KR*B*N*P*\"}}",
    "{\"not\": {\"result\": \"1-0\"}}",
    "{\"never\": {\"sub-fen\": \"8/8/8/8/4P3/8/8/8\"}}",
    "{\"not\": {\"result\": \"1-0\"}}",
    "{\"never\": {\"white\": \"Kasparov\"}}",
    "{\"any\": [{\"rating\": \"2000..\", \"not\": {\"rating\": \"2101..\"}}, {\"white\": \"Morphy\"}]}",
    "{\"not\": {\"any\": [{\"date\": \"1900..\"}, {\"never\": {\"plies\": \"..40\"}}]}, \"result\": [\"1-0\", "
    "\"*\"]}",
    "{\"not\": {\"all\": [{\"result\": \"0-1\"}, {\"ply\": \"3..\"}]}, \"fen\": "
    "\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"}",
    "{\"for\": 4, \"sub-fen\": \"8/8/8/8/4P3/8/8/8\"}",
    "{\"sub-fen\": \"8/8/8/8/4P3/8/8/8\", \"flipcolor\": true}",
    "{\"sub-fen\": \"8/8/8/4[.p]3/3P4/5?2/8/8\", \"mirror\": true, \"plies\": \"30..\"}",
    "{\"sub-fen\": [\"8/8/8/8/4P3/2N5/8/8\", \"8/8/8/8/8/8/8/R5K1\"], \"mirror\": true, \"flipcolor\": true}",
    "{\"sub-fen\": [\"8/8/8/8/4P3/2N5/8/8\", \"8/8/8/8/8/8/8/R5K1\", \"8/8/8/8/3P4/8/8/6K1\"], \"mirror\": true, "
    "\"flipcolor\": true}",
    "{\"material\": \"KRP*KR\", \"flipcolor\": true}",
    "{\"material\": \"KRKR\", \"flipcolor\": true, \"mirror\": true}",
    "{\"material\": \"KQ?R*B*N*P*KR?B*N*P*\", \"stm\": \"white\", \"flipcolor\": true, \"result\": \"1-0\"}",
    "{\"material\": \"KQ?R*B*N*P*KR?B*N*P*\", \"move\": \"Kg2\", \"flipcolor\": true}",
    "{\"material\": \"KQ?R*B*N*P*KR?B*N*P*\", \"flipcolor\": true, \"all-matches\": true}",
    "{\"material\": \"KQ?R*B*N*P*KR?B*N*P*\", \"flipcolor\": true, \"for\": 9}",
    "{\"pawns\": \"8/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/8\", \"flipcolor\": true}",
    "{\"pawns\": \"8/ppp1pppp/8/8/8/3P4/PPP1PPPP/8\", \"mirror\": true, \"stm\": \"black\"}",
    "{\"any\": [{\"sub-fen\": \"8/8/8/4p3/8/8/8/8\", \"flipcolor\": true}, {\"material\": \"KRKR\"}]}",
    "{\"all\": [{\"sub-fen\": \"8/8/8/8/8/2P5/8/8\", \"mirror\": true}, {\"pawns\": "
    "\"8/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/8\", \"flipcolor\": true}]}",
    "{\"pass\": true}",
    "{\"player\": \"kasparov\"}",
    "{\"player\": [\"Tal, M\", \"*fischer\", \"z?kertort\"]}",
    "{\"white\": \"Reti\", \"result\": \"1-0\"}",
    "{\"black\": \"*an\", \"material\": \"KQ?R*B*N*P*KQ?R*B*N*P*\"}",
    "{\"not\": {\"white\": \"K\"}}",
    "{\"players\": [\"Kasparov\", \"Karpov\"]}",
    "{\"any\": [{\"player\": \"Lasker\"}, {\"event\": \"*london*\"}]}",
    "{\"event\": [\"*wijk*\", \"?*\"], \"round\": \"?\"}",
    "{\"site\": \"*o*\", \"tag\": {\"Round\": \"1*\", \"Site\": [\"M*\", \"L*\"]}}",
    "{\"tag\": {\"Nothing\": \"*\"}}",
    "{\"eco\": \"C\"}",
    "{\"opening\": [\"sicilian\", \"KING'S * gambit\"]}",
    "{\"opening\": \"?\", \"player\": \"Fischer\"}",
    "{\"date\": [\"1920..1930.06.03\", \"1962.03\"]}",
    "{\"speed\": [\"blitz\", \"rapid\"]}",
    "{\"not\": {\"speed\": \"blitz\"}}",
    "{\"termination\": \"*\", \"time-control\": \"*\"}",
    "{\"player\": \"Kasparov\", \"sub-fen\": \"8/8/8/8/8/5N2/8/8\", \"date\": \"1985..\"}",
    /* a position without castling rights; and several positions, of which the first is reached later */
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - -\"}",
    "{\"fen\": [\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\", "
    "\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"]}",
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\", \"all-matches\": true}",
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\", \"variations\": true}",
    "{\"white\": \"*\", \"all-matches\": true}",
    "{\"white\": \"*\", \"all\": [{\"black\": \"K*\", \"for\": 2}, {\"result\": \"1-0\"}]}",
    "{\"all\": [{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}, "
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}]}",
    "{\"all\": [{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}, "
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"}]}",
    "{\"all\": [{\"sub-fen\": \"rnbqk3/p7/[kqrbnp.][KQRBNP.]6/8/8/8/P7/RNBQK3\"}, "
    "{\"sub-fen\": \"8/8/8/8/8/5N2/8/8\"}]}",
    "{\"white\": \"*\", \"not\": {\"black\": \"K*\"}}",
    "{\"white\": \"*\", \"any\": [{\"black\": \"K*\"}, {\"flipcolor\": true, \"sub-fen\": \"8/8/8/8/4P3/8/8/8\"}]}",
    "{\"all\": [{\"white\": \"Kasparov\"}, {\"result\": \"0-1\"}]}",
    "{\"material\": \"KQQRRBBNNPPPPPPPKQRRBBNNPPPPPPPP\"}",
    "{\"fen\": [\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\", "
    "\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"], \"white\": \"*\"}",
    /* more values, tests and tags than can be compiled or read */
    "{\"sub-fen\": [\"P7/8/8/8/8/8/8/8\", \"7P/8/8/8/8/8/8/8\", \"8/8/8/8/8/8/8/R7\", \"8/8/8/8/8/8/R7/8\", "
    "\"8/8/8/8/8/R7/8/8\", \"8/8/8/8/R7/8/8/8\", \"8/8/8/R7/8/8/8/8\", \"8/8/R7/8/8/8/8/8\", "
    "\"8/R7/8/8/8/8/8/8\"]}",
    "{\"sub-fen\": \"rnbqk3/p7/[kqrbnp.][KQRBNP.]6/8/8/8/P7/RNBQK3\"}",
    "{\"sub-fen\": \"rnbqk3/p7/[kqrbnp.][KQRBNP.]6/8/8/8/P7/RNBQK3\", \"pawns\": "
    "\"8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8\"}",
    "{\"pawns\": \"8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8\", \"sub-fen\": "
    "\"rnbqk3/p7/[kqrbnp.][KQRBNP.]6/8/8/8/P7/RNBQK3\"}",
    "{\"sub-fen\": \"rnbqk3/p7/[kqrbnp.][KQRBN.]6/8/8/8/8/RNBQK3\", \"pawns\": \"8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8\"}",
    "{\"sub-fen\": \"8/8/8/8/3PP3/8/8/8\", \"shift\": true}",
    "{\"fen\": [\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "
    "w KQq -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kkq -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "
    "w Qkq -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "
    "w kq -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w K -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w "
    "Q -\", \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"], \"white\": \"*\"}",
    "{\"tag\": {\"White\": \"*\", \"A\": \"*\", \"B\": \"*\", \"C\": \"*\", \"D\": \"*\", \"E\": \"*\", "
    "\"F\": \"*\", \"G\": \"*\", \"H\": \"*\", \"I\": \"*\", \"J\": \"*\", \"K\": \"*\", \"L\": \"*\", "
    "\"M\": \"*\", \"N\": \"*\", \"O\": \"*\", \"P\": \"*\", \"Q\": \"*\"}}",
};

static void other_rules(void **state)
{
    (void)state;
    samples a;
    size_t found = 0;
    make_samples(&a, COPIES);
    for (size_t n = 0; n < sizeof queries / sizeof *queries; n++)
        found += ask(&a, queries[n]) > 0;
    assert_true(found > 20);
    free_samples(&a);
}

/* A block of few games has no shared beginnings. */
static void few_games(void **state)
{
    (void)state;
    samples a;
    size_t found = 0;
    make_samples(&a, 0);
    for (size_t n = 0; n < sizeof queries / sizeof *queries; n++)
        found += ask(&a, queries[n]) > 0;
    assert_true(found > 10);
    free_samples(&a);
}

/* Rules of one kind in the conditions of "all" must hold at the same ply, like one rule that requires both. */
static void rules_that_occur_twice(void **state)
{
    static const struct {
        const char *first, *second, *both; /* NULL: no position */
    } all[] = {
        {"\"sub-fen\": \"8/8/8/8/4.3/8/8/8\"", "\"sub-fen\": \"8/8/8/8/8/8/4.3/8\"",
         "\"sub-fen\": \"8/8/8/8/4.3/8/4.3/8\""},
        {"\"sub-fen\": \"8/8/8/8/4?3/8/8/8\"", "\"sub-fen\": \"8/8/8/8/8/8/4.3/8\"",
         "\"sub-fen\": \"8/8/8/8/4?3/8/4.3/8\""},
        {"\"sub-fen\": \"8/8/8/8/4[Pp]3/8/8/8\"", "\"sub-fen\": \"8/8/8/8/4A3/8/8/8\"",
         "\"sub-fen\": \"8/8/8/8/4P3/8/8/8\""},
        {"\"sub-fen\": \"8/8/8/8/4P3/8/8/8\"", "\"sub-fen\": \"8/8/8/8/4.3/8/8/8\"", NULL},
        {"\"sub-fen\": \"8/8/8/8/4?3/8/8/8\"", "\"sub-fen\": \"8/8/8/8/4.3/8/8/8\"", NULL},
        {"\"material\": \"KQ*R*B*N*P*KQ*R*B*N*P\"", "\"material\": \"KQ*R*B*N*P?KQ*R*B*N*P*\"",
         "\"material\": \"KQ*R*B*N*P?KQ*R*B*N*P\""},
        {"\"stm\": \"white\", \"check\": true", "\"stm\": \"black\"", NULL},
        {"\"pawns\": \"8/pppppppp/8/8/4P3/8/PPPP1PPP/8\"", "\"pawns\": \"8/pppppppp/8/8/8/8/PPPPPPPP/8\"", NULL},
    };
    samples a;
    (void)state;
    make_samples(&a, COPIES);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        char json[400];
        (void)snprintf(json, sizeof json, "{%s}", all[n].both ? all[n].both : all[n].first);
        const size_t wanted = ask(&a, json);
        for (unsigned way = 0; way < 2; way++) {
            (void)snprintf(json, sizeof json, "{\"all\": [{%s}, {%s}]}", way ? all[n].second : all[n].first,
                           way ? all[n].first : all[n].second);
            assert_int_equal(ask(&a, json), all[n].both ? wanted : 0);
        }
    }
    free_samples(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_of_games),
        cmocka_unit_test(other_rules),
        cmocka_unit_test(few_games),
        cmocka_unit_test(rules_that_occur_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
