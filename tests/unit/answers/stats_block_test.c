/* SPDX-License-Identifier: MIT */
/* Tests statistics and results from a block's index: they equal the statistics from reading every game, at every level,
 * with and without search columns, with and without a kept index, and with unusual tags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "search/search_index.h"

enum { COPIES = 1, ODD_COPIES = 12, SAMPLES = 4, JSON = 1 << 18 };

/* Tags that search columns do not represent fully, outside rosters, repeated or missing. Games from set-ups, without
 * moves, with one move, with null moves, or with illegal moves. */
static const char odd_games[] =
    "[Event \"a\"]\n[White \"K\\\"asparov\"]\n[WhiteElo \"2700?\"]\n[BlackElo \"70000\"]\n[Date \"20??.??.??\"]\n"
    "[TimeControl \"180+2\"]\n[Termination \"Normal\"]\n\n1. e4 e5 1-0\n\n"
    "{c}\n[White \"Kasparov\"]\n[Black \"Karpov\"]\n[Date \"1985\"]\n[Result \"0-1\"]\n[ECO \"A00\"]\n\n1. Nf3 Nf6 "
    "1-0\n\n"
    "[White \"Kasparov\"]\n[White \"Lasker\"]\n[UTCDate \"1920.01.02\"]\n[Date \"????.??.??\"]\n\n1. d4 d5 1/2-1/2\n\n"
    "1. e4 c5 *\n\n"
    "[Black \"z\xFCkertort\"]\n[Date \"1962-03-04\"]\n[Result \"?\"]\n[WhiteElo \" 2100 \"]\n[BlackElo \"2101\"]\n\n"
    "1. e4 *\n\n"
    "[White \"?\"]\n[Black \"\"]\n[Date \"2021.05.09`\"]\n[UTCDate \"2020.01.01\"]\n[ECO \"B90a\"]\n[WhiteElo "
    "\"5000\"]\n"
    "[BlackElo \"4094\"]\n[Termination \"\"]\n[Result \"0-1\"]\n\n0-1\n\n"
    "[White \"A\"]\n[Black \"?\"]\n[Date \"0000.00.00\"]\n[UTCDate \"2020.13.01\"]\n[ECO \"F12\"]\n[WhiteElo \"0\"]\n"
    "[BlackElo \"99\"]\n[Result \"1-0\"]\n[TimeControl \"?\"]\n[Termination \"Time forfeit\"]\n\n1. e4 e5 2. Nf3 "
    "0-1\n\n"
    "[White \"A\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[ECO \"C20\"]\n\n1. e4 *\n\n"
    "[White \"A\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 c5 2. Nf3 1/2-1/2\n\n"
    "[White \"A\"]\n[Result \"1/2-1/2\"]\n\n1. e4 -- 2. d4 -- 1/2-1/2\n\n"
    "[White \"A\"]\n[Result \"*\"]\n\n1. -- e5 1-0\n\n"
    "[White \"A\"]\n[Result \"1-0\"]\n%c\n[Extra \"x\"]\n\n1. e4 0-1\n\n"
    "[White \"A\"]\n[Date \"1999.12.??\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n\n"
    "[White \"A\"]\n[Date \"9999.12.31\"]\n[UTCDate \"2020.01.01\"]\n[BlackElo \"5000\"]\n\n1. e4 *\n\n[Date "
    "\"9999.12.31\"]\n[UTCDate \"2020.01.01\"]\n\n1. e4 "
    "*\n\n";

typedef struct samples {
    listing archives[SAMPLES]; /* the first without search columns, then one of each level */
    stamma_archive *opened[SAMPLES], *kept[SAMPLES]; /* without an index, and with one in memory */
    stamma_archive *plain;                           /* the second archive; every game is read */
    size_t count;
} samples;

/* Makes enough games for shared beginnings (clause 19). */
static int make_samples(void **state)
{
    static samples a;
    listing games = read_file("data/games.pgn"), text = {0};
    for (unsigned n = 0; n < COPIES; n++)
        list_bytes(&text, games.text, games.size);
    for (unsigned n = 0; n < ODD_COPIES; n++)
        list_bytes(&text, odd_games, sizeof odd_games - 1);
    a.archives[0] = pack_without_search(text.text, text.size);
    a.count = stamma_predictor_id() ? SAMPLES : 2;
    for (size_t n = 0; n < a.count; n++) {
        if (n > 0)
            a.archives[n] = pack_at((int)n, text.text, text.size, NULL);
        a.opened[n] = open_handle(&a.archives[n]);
        a.kept[n] = open_handle(&a.archives[n]);
        if (stamma_archive_keep_index(a.kept[n], NULL) != STAMMA_OK)
            return -1;
    }
    a.plain = open_handle(&a.archives[1]);
    a.plain->no_search_columns = true;
    free(text.text);
    free(games.text);
    *state = &a;
    return 0;
}

static int free_samples(void **state)
{
    samples *a = *state;
    stamma_archive_close(a->plain);
    for (size_t n = 0; n < a->count; n++) {
        stamma_archive_close(a->opened[n]);
        stamma_archive_close(a->kept[n]);
        free(a->archives[n].text);
    }
    return 0;
}

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    if (json && stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query) != STAMMA_OK)
        fail_msg("%s", json);
    return query;
}

static char *write_stats(stamma_stats *stats)
{
    char *json = malloc(JSON);
    size_t length;
    assert_non_null(json);
    assert_int_equal(stamma_stats_write_json(stats, SIZE_MAX, json, JSON, &length), STAMMA_OK);
    assert_in_range(length, 1, JSON - 1);
    return json;
}

static char *stats_of(stamma_archive *archive, const stamma_query *query, const stamma_search_options *options,
                      stamma_stats_results *results)
{
    stamma_stats *stats;
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    assert_int_equal(stamma_stats_add_archive(stats, archive, query, options, NULL), STAMMA_OK);
    char *json = write_stats(stats);
    *results = stamma_stats_sum(stats).results;
    stamma_stats_close(stats);
    return json;
}

static void expect_results(stamma_archive *archive, const stamma_query *query, const stamma_stats_results *wanted)
{
    stamma_stats_results r = {.games = 1};
    assert_int_equal(stamma_stats_count_archive(&r, archive, query, NULL, NULL), STAMMA_OK);
    assert_int_equal(r.games, wanted->games + 1);
    assert_int_equal(r.white_wins, wanted->white_wins);
    assert_int_equal(r.draws, wanted->draws);
    assert_int_equal(r.black_wins, wanted->black_wins);
}

static const char *const queries[] = {
    NULL,
    "{}",
    "{\"result\": \"1-0\"}",
    "{\"player\": \"Kasparov\"}",
    "{\"rating\": \"2000..\"}",
    "{\"date\": \"1900..2020\"}",
    "{\"eco\": \"B00..B99\"}",
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}",
    "{\"move\": \"Nf3\"}",
    "{\"has\": \"setup\"}",
    "{\"tag\": {\"Termination\": \"Normal\"}}",
    "{\"plies\": \"..1\"}",
    "{\"white\": \"Nobody\"}",
    "{\"plies\": \"3..\", \"skip\": 5, \"limit\": 1}",
};

static void index_and_games_say_the_same(void **state)
{
    const samples *a = *state;
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        stamma_query *query = parse(queries[q]);
        stamma_stats_results wanted, got;
        char *read = stats_of(a->plain, query, NULL, &wanted);
        for (size_t n = 0; n < 2 * a->count; n++) {
            stamma_archive *archive = (n % 2 ? a->kept : a->opened)[n / 2];
            char *json = stats_of(archive, query, NULL, &got);
            if (strcmp(json, read) != 0)
                fail_msg("%s, sample %zu:\n%s\nnot\n%s", queries[q] ? queries[q] : "all", n, json, read);
            free(json);
            expect_results(archive, query, &wanted);
        }
        expect_results(a->plain, query, &wanted);
        free(read);
        stamma_query_close(query);
    }
}

/* Lists random games whose tag Termination is the position at the end. */
static listing games_with_ends(unsigned count)
{
    listing text = {0};
    for (unsigned n = 0; n < count; n++) {
        listing moves = {0};
        char fen[STAMMA_FEN_SIZE];
        stamma_position p = stamma_position_start();
        for (unsigned ply = 0; ply < 12; ply++) {
            stamma_move all[STAMMA_MOVES_MAX];
            char san[STAMMA_SAN_SIZE];
            const size_t legal = stamma_legal_moves(&p, all);
            const stamma_move move = all[random_below(ply < 6 ? 2 : legal)];
            (void)stamma_san_write(&p, move, san, sizeof san);
            list_format(&moves, ply % 2 ? "%.0u%s " : "%u. %s ", ply % 2 ? 0 : ply / 2 + 1, san);
            stamma_position_make(&p, move, &p);
        }
        (void)stamma_fen_write(&p, STAMMA_FEN_STANDARD, fen, sizeof fen);
        list_format(&text, "[White \"A\"]\n[Termination \"%s\"]\n\n%s*\n\n", fen, moves.text);
        free(moves.text);
    }
    return text;
}

/* Tags that are derived from the moves are read with the games. */
static void tags_of_moves(void **state)
{
    (void)state;
    listing text = games_with_ends(250), archive = pack(text.text, text.size, NULL);
    stamma_archive *plain = open_handle(&archive), *opened = open_handle(&archive), *kept = open_handle(&archive);
    plain->no_search_columns = true;
    assert_int_equal(stamma_archive_keep_index(kept, NULL), STAMMA_OK);
    const stamma_search_index *index = handle_index(kept);
    assert_true(index->blocks[0]->index.has_beginnings);
    assert_null(stamma_block_tags_find(&index->blocks[0]->tags, stamma_text_of("Termination")));
    stamma_stats_results wanted, got;
    char *read = stats_of(plain, NULL, NULL, &wanted);
    for (unsigned n = 0; n < 2; n++) {
        char *json = stats_of(n ? kept : opened, NULL, NULL, &got);
        assert_string_equal(json, read);
        free(json);
    }
    free(read);
    stamma_archive_close(plain);
    stamma_archive_close(opened);
    stamma_archive_close(kept);
    free(archive.text);
    free(text.text);
}

static bool count_look(void *context)
{
    ++*(unsigned *)context;
    return false;
}

/* If the index has all data, games are not read: statistics at level 1, and results at each level if tags determine
 * them. The function then calls `stop` only once per block or piece. */
static void games_are_not_read(void **state)
{
    const samples *a = *state;
    listing text = {0};
    enum { GAMES = 1500 };
    for (unsigned n = 0; n < GAMES; n++)
        list_word(&text, n % 3 ? "[White \"A\"]\n[WhiteElo \"2000\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                               : "[White \"B\"]\n[Date \"2000.??.??\"]\n[Result \"*\"]\n\n1. d4 *\n\n");
    for (int level = 1; level < (int)a->count; level++) {
        listing archive = pack_at(level, text.text, text.size, NULL);
        stamma_archive *kept = open_handle(&archive);
        unsigned looks = 0;
        stamma_stats_results sum, results = {.games = 0};
        assert_int_equal(stamma_archive_keep_index(kept, NULL), STAMMA_OK);
        const stamma_search_options options = {.size = sizeof options, .context = &looks, .stop = count_look};
        free(stats_of(kept, NULL, &options, &sum));
        assert_true(sum.games == GAMES && looks > 0 && (looks < 6 || level > 1));
        looks = 0;
        assert_int_equal(stamma_stats_count_archive(&results, kept, NULL, &options, NULL), STAMMA_OK);
        assert_true(results.games == GAMES && results.white_wins == sum.white_wins && looks < 3);
        stamma_archive_close(kept);
        free(archive.text);
    }
    free(text.text);
}

static bool stop_now(void *context)
{
    unsigned *left = context;
    return (*left)-- == 0;
}

/* A stopped or failed call adds nothing and leaks nothing. */
static void stopped(void **state)
{
    const samples *a = *state;
    stamma_stats_results results = {.games = 7};
    stamma_error error = STAMMA_ERROR_CANCELLED;
    for (unsigned at = 0; error == STAMMA_ERROR_CANCELLED; at++) {
        unsigned left = at;
        const stamma_search_options options = {.size = sizeof options, .context = &left, .stop = stop_now};
        stamma_stats *stats;
        assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
        error = stamma_stats_add_archive(stats, a->opened[1], NULL, &options, NULL);
        assert_true(error == STAMMA_OK ? at > 5 : stamma_stats_sum(stats).results.games == 0);
        stamma_stats_close(stats);
    }
    assert_int_equal(error, STAMMA_OK);
    unsigned left = 0;
    const stamma_search_options options = {.size = sizeof options, .context = &left, .stop = stop_now};
    assert_int_equal(stamma_stats_count_archive(&results, a->opened[1], NULL, &options, NULL), STAMMA_ERROR_CANCELLED);
    assert_int_equal(results.games, 7);
}

static void without_memory(void **state)
{
    const samples *a = *state;
    const stamma_bytes bytes = stamma_bytes_of(a->archives[1].text, a->archives[1].size);
    unsigned failed = 0;
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive *archive = NULL;
        stamma_stats_results results = {.games = 0};
        stamma_stats *stats;
        assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
        stamma_error error = stamma_archive_open(&bytes, &options, &archive);
        if (error == STAMMA_OK && at % 2)
            error = stamma_archive_keep_index(archive, NULL);
        if (error == STAMMA_OK)
            error = stamma_stats_add_archive(stats, archive, NULL, NULL, NULL);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        stamma_stats_close(stats);
        stamma_archive_close(archive);
        assert_int_equal(memory.alive, 0);
        failed += error != STAMMA_OK;
        memory = (failing_memory){.fail_at = at};
        archive = NULL;
        error = stamma_archive_open(&bytes, &options, &archive);
        if (error == STAMMA_OK && at % 2)
            error = stamma_archive_keep_index(archive, NULL);
        if (error == STAMMA_OK)
            error = stamma_stats_count_archive(&results, archive, NULL, NULL, NULL);
        assert_true(error == STAMMA_OK || (error == STAMMA_ERROR_NO_MEMORY && results.games == 0));
        stamma_archive_close(archive);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 20);
}

/* With any changed byte, a call that fails adds nothing. */
static void damage(void **state)
{
    const samples *a = *state;
    listing copy = {0};
    unsigned wrong = 0;
    list_bytes(&copy, a->archives[1].text, a->archives[1].size);
    const stamma_bytes bytes = stamma_bytes_of(copy.text, copy.size);
    for (size_t at = 64; at < copy.size; at += 1 + at % 499) {
        stamma_stats *stats;
        stamma_stats_results results = {.games = 0};
        copy.text[at] ^= 0x20;
        assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
        stamma_archive *archive = NULL;
        stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
        if (error == STAMMA_OK)
            error = stamma_stats_add_archive(stats, archive, NULL, NULL, NULL);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED ||
                    error == STAMMA_ERROR_NO_ARCHIVE);
        assert_true(error == STAMMA_OK || stamma_stats_sum(stats).results.games == 0);
        wrong += error != STAMMA_OK;
        if (archive)
            error = stamma_stats_count_archive(&results, archive, NULL, NULL, NULL);
        assert_true(error == STAMMA_OK || results.games == 0);
        stamma_archive_close(archive);
        stamma_stats_close(stats);
        copy.text[at] ^= 0x20;
    }
    assert_true(wrong > 20);
    free(copy.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_and_games_say_the_same),
        cmocka_unit_test(games_are_not_read),
        cmocka_unit_test(tags_of_moves),
        cmocka_unit_test(stopped),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(damage),
    };
    return cmocka_run_group_tests(tests, make_samples, free_samples);
}
