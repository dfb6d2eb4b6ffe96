/* SPDX-License-Identifier: MIT */
/* Tests options of searches and of results of all games: ranges of games, options that are invalid, search columns that
 * are not used, and books with an index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/handle.h"
#include "archive_support.h"
#include "passed_games.h"

enum { BLOCKS = 3, GAMES = 10 /* in a block */, OPENED = 3 };

typedef struct fixture {
    listing archive, file;
    stamma_archive *opened[OPENED]; /* without an index, with one in memory, and with an index file */
} fixture;

static listing make_text(unsigned part)
{
    listing text = {0};
    for (unsigned n = 0; n < GAMES; n++)
        list_format(&text, "[White \"%c\"]\n[Event \"%u\"]\n[WhiteElo \"%u\"]\n\n%s *\n\n", n % 2 ? 'A' : 'B', part,
                    2000 + 10 * n, n % 3 ? "1. e4 e5" : "1. d4 d5");
    return text;
}

static int set_up(void **state)
{
    static fixture f;
    listing parts[BLOCKS];
    for (unsigned part = 0; part < BLOCKS; part++) {
        listing text = make_text(part);
        parts[part] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    f.archive = copy_archives(parts, BLOCKS, NULL);
    for (unsigned part = 0; part < BLOCKS; part++)
        free(parts[part].text);
    f.file = index_file_of(&f.archive);
    for (unsigned n = 0; n < OPENED; n++)
        f.opened[n] = open_indexed(&f.archive, n == 2 ? &f.file : NULL);
    assert_int_equal(stamma_archive_keep_index(f.opened[1], NULL), STAMMA_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (unsigned n = 0; n < OPENED; n++)
        stamma_archive_close(f->opened[n]);
    free(f->archive.text);
    free(f->file.text);
    return 0;
}

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    if (json)
        assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    return query;
}

/* Returns the number of games that a search finds, and stores the first game. */
static size_t search(stamma_archive *archive, const char *json, const stamma_search_options *options, uint64_t *first)
{
    stamma_query *query = parse(json);
    stamma_search *s = NULL;
    const stamma_match *match = NULL;
    size_t count = 0;
    assert_int_equal(stamma_search_open(archive, query, options, &s), STAMMA_OK);
    for (; stamma_search_next(s, &match) == STAMMA_OK && match; count++)
        *first = count == 0 ? match->game : *first;
    stamma_search_close(s);
    stamma_query_close(query);
    return count;
}

static void ranges_of_games(void **state)
{
    static const char position[] = "{\"fen\": \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"}";
    static const struct {
        uint64_t from, to;
        size_t all; /* games */
        size_t d4;  /* games 1, 4, 7, 10 of each block */
        uint64_t first;
    } cases[] = {
        {0, 0, 30, 12, 1}, {2, 0, 29, 11, 4}, {11, 20, 10, 4, 11}, {12, 13, 2, 0, 0},  {28, 30, 3, 1, 30},
        {31, 0, 0, 0, 0},  {99, 99, 0, 0, 0}, {5, 3, 0, 0, 0},     {0, 99, 30, 12, 1}, {25, 7, 0, 0, 0},
    };
    const fixture *f = *state;
    for (size_t n = 0; n < 3 * sizeof cases / sizeof *cases; n++) {
        const size_t i = n / 3;
        const stamma_search_options options = {
            .size = sizeof options, .first_game = cases[i].from, .last_game = cases[i].to};
        uint64_t first = 0;
        assert_int_equal(search(f->opened[n % 3], NULL, &options, &first), cases[i].all);
        first = 0;
        assert_int_equal(search(f->opened[n % 3], position, &options, &first), cases[i].d4);
        assert_int_equal(first, cases[i].first);
    }
}

/* Results of all games need complete blocks. */
static void ranges_of_blocks(void **state)
{
    static const struct {
        uint64_t from, to;
        int games; /* -1: the range is rejected */
    } cases[] = {{0, 0, 30},  {1, 10, 10},  {11, 20, 10}, {11, 30, 20}, {21, 0, 10}, {2, 10, -1},
                 {1, 11, -1}, {10, 20, -1}, {31, 0, -1},  {1, 31, -1},  {99, 99, -1}};
    const fixture *f = *state;
    for (size_t n = 0; n < 3 * sizeof cases / sizeof *cases; n++) {
        const size_t i = n / 3;
        const stamma_search_options options = {
            .size = sizeof options, .first_game = cases[i].from, .last_game = cases[i].to};
        stamma_stats_results results = {.games = 0};
        const stamma_error error = stamma_stats_count_archive(&results, f->opened[n % 3], NULL, &options, NULL);
        assert_int_equal(error, cases[i].games < 0 ? STAMMA_ERROR_BAD_ARGUMENT : STAMMA_OK);
        assert_int_equal(results.games, cases[i].games < 0 ? 0 : cases[i].games);
    }
}

static void without_search_columns(void **state)
{
    const fixture *f = *state;
    stamma_archive *plain = open_indexed(&f->archive, &f->file);
    plain->no_search_columns = true;
    uint64_t first = 0;
    assert_int_equal(search(plain, "{\"white\": \"B\", \"rating\": \"..2050\"}", NULL, &first), 0);
    assert_int_equal(search(plain, "{\"white\": \"B\", \"white-rating\": \"2010..2050\"}", NULL, &first), 2 * BLOCKS);
    assert_int_equal(first, 3);
    stamma_archive_close(plain);
}

/* Books are made from the matching games, which the index or the search columns select. */
static void books(void **state)
{
    const fixture *f = *state;
    const stamma_position start = stamma_position_start();
    for (size_t n = 0; n < 6; n++) {
        stamma_query *query = parse(n % 2 ? "{\"white\": \"A\", \"white-rating\": \"..2010\"}" : NULL);
        stamma_book *book = NULL;
        listing bytes = {0};
        const stamma_output output = listing_output(&bytes);
        uint64_t entries = 0;
        assert_int_equal(stamma_book_open(&start, 2, NULL, &book), STAMMA_OK);
        assert_int_equal(stamma_book_add_archive(book, f->opened[n / 2], query, NULL, NULL), STAMMA_OK);
        assert_int_equal(stamma_book_write(book, 1, &output, &entries), STAMMA_OK);
        assert_int_equal(entries, n % 2 ? 2 : 4);
        stamma_book_close(book);
        stamma_query_close(query);
        free(bytes.text);
    }
}

static void invalid_options(void **state)
{
    const fixture *f = *state;
    const stamma_search_options wrong = {.size = 1};
    const stamma_search_options disordered = {.size = sizeof disordered,
                                              .order = (stamma_search_order)(STAMMA_ORDER_PLIES + 1)};
    const stamma_position start = stamma_position_start();
    const stamma_text name = {"a", 1};
    stamma_search *s = NULL;
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
    for (unsigned n = 0; n < OPENED; n++) {
        stamma_archive *archive = f->opened[n];
        assert_int_equal(stamma_search_open(archive, NULL, &wrong, &s), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_search_open(archive, NULL, &disordered, &s), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_tree_add_archive(tree, name, archive, NULL, &wrong, NULL), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_tree_name_games(tree, name, archive, &wrong), STAMMA_ERROR_BAD_ARGUMENT);
    }
    assert_null(s);
    stamma_tree_close(tree);
}

/* Blocks that an index with little memory does not keep are not shared with the next index. */
static void shared_blocks(void **state)
{
    const fixture *f = *state;
    const uint64_t whole = index_state(f->opened[1]).memory;
    const stamma_index_keep_options little = {.size = sizeof little, .memory = whole / 2};
    stamma_archive *partial = open_handle(&f->archive), *complete = open_handle(&f->archive);
    assert_int_equal(stamma_archive_keep_index(partial, &little), STAMMA_OK);
    assert_true(index_state(partial).partial);
    const stamma_index_keep_options more = {.size = sizeof more, .before = partial};
    assert_int_equal(stamma_archive_keep_index(complete, &more), STAMMA_OK);
    assert_false(index_state(complete).partial);
    assert_int_equal(index_state(complete).memory, whole);
    stamma_archive_close(partial);
    stamma_archive_close(complete);
}

/* Statistics of conditions without rules: of all games, or of games that are long enough. */
static void statistics(void **state)
{
    static const struct {
        const char *json;
        uint64_t games;
    } cases[] = {{NULL, 30}, {"{}", 30}, {"{\"for\": 1}", 30}, {"{\"for\": 3}", 30}, {"{\"for\": 4}", 0}};
    const fixture *f = *state;
    for (size_t n = 0; n < 3 * sizeof cases / sizeof *cases; n++) {
        stamma_query *query = parse(cases[n / 3].json);
        stamma_stats *stats = NULL;
        assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
        assert_int_equal(stamma_stats_add_archive(stats, f->opened[n % 3], query, NULL, NULL), STAMMA_OK);
        assert_int_equal(stamma_stats_sum(stats).results.games, cases[n / 3].games);
        stamma_stats_close(stats);
        stamma_query_close(query);
    }
}

static bool stop_at(void *context)
{
    unsigned *left = context;
    return (*left)-- == 0;
}

/* Stops a search at each call of `stop` in turn, until the search ends without a stop. */
static void stop_each(const listing *archive, const char *json)
{
    stamma_archive *opened = open_handle(archive);
    stamma_query *query = parse(json);
    stamma_error error = STAMMA_ERROR_CANCELLED;
    unsigned at = 0;
    for (; error == STAMMA_ERROR_CANCELLED; at += 1 + at / 40) {
        unsigned left = at;
        const stamma_search_options options = {.size = sizeof options, .context = &left, .stop = stop_at};
        stamma_search *s = NULL;
        const stamma_match *match = NULL;
        assert_int_equal(stamma_search_open(opened, query, &options, &s), STAMMA_OK);
        while ((error = stamma_search_next(s, &match)) == STAMMA_OK && match)
            ;
        stamma_search_close(s);
    }
    assert_int_equal(error, STAMMA_OK);
    assert_true(at > 2);
    stamma_archive_close(opened);
    stamma_query_close(query);
}

/* Long games and names, so that `stop` is called while one of them is decoded. */
static listing make_long_text(void)
{
    listing text = {0};
    for (unsigned n = 0; n < 12; n++) {
        list_word(&text, "[White \"");
        for (unsigned at = 0; at < 1500; at++)
            list_format(&text, "%c", 'a' + (int)random_below(4));
        list_word(&text, "\"]\n\n");
        for (unsigned move = 1; move < (n == 3 ? 200 : 10); move++)
            list_word(&text, move % 2 ? "Nf3 Nf6 " : "Ng1 Ng8 ");
        list_word(&text, "*\n\n");
    }
    return text;
}

/* A search that is stopped anywhere within a block is cancelled, at each level. */
static void stops(void **state)
{
    (void)state;
    listing text = {0}, games = make_long_text();
    list_passed_games(&text, 150);
    listing archive = pack_at(1, text.text, text.size, NULL);
    stop_each(&archive, "{\"site\": \"*1*\", \"round\": \"1*\"}");
    stop_each(&archive, "{\"fen\": [\"rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\", "
                        "\"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"]}");
    free(archive.text);
    for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
        archive = pack_at(level, games.text, games.size, NULL);
        stop_each(&archive, "{\"white\": \"*a*\", \"move\": \"d5\"}");
        stop_each(&archive, "{\"move\": \"Ng8\"}");
        free(archive.text);
    }
    free(games.text);
    free(text.text);
}

static listing list_matches(stamma_archive *archive, const char *json)
{
    stamma_query *query = parse(json);
    stamma_search *found = NULL;
    const stamma_match *match;
    listing matches = {0};
    assert_int_equal(stamma_search_open(archive, query, NULL, &found), STAMMA_OK);
    while (stamma_search_next(found, &match) == STAMMA_OK && match) {
        list_format(&matches, "%u:", (unsigned)match->game);
        for (size_t n = 0; n < match->ply_count; n++)
            list_format(&matches, " %u", match->plies[n]);
        list_word(&matches, "\n");
    }
    assert_int_equal(stamma_search_place(found).offset, 0); /* no error */
    stamma_search_close(found);
    stamma_query_close(query);
    return matches;
}

/* Returns the level of the first block of an archive. */
static int level_of(const listing *archive)
{
    archive_source source;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    const int level = stamma_payload_level(&reader->payload, reader->place.head_size, 0);
    close_reader(reader);
    return level;
}

/* If only some games of a block may match, the others are skipped, at each level. At level 3, a lane is read up to its
 * last game that may match. */
static void skipped_games(void **state)
{
    (void)state;
    static const char *const queries[] = {
        "{\"white\": \"Morphy*\", \"captured\": \"Q\"}", "{\"white\": \"Torre*\", \"moved\": \"R\"}",
        "{\"player\": \"Stockfish*\", \"moved\": \"K\"}", "{\"player\": \"*a*\", \"eco\": \"B00..B99\"}"};
    listing games = read_file("data/games.pgn"), text = {0};
    for (unsigned n = 0; n < 2; n++) /* enough moves for two lanes */
        list_bytes(&text, games.text, games.size);
    for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
        listing archive = pack_at(level, text.text, text.size, NULL);
        stamma_archive *some = open_handle(&archive), *plain = open_handle(&archive);
        plain->no_search_columns = true;
        assert_int_equal(level_of(&archive), level);
        for (size_t n = 0; n < sizeof queries / sizeof *queries; n++) {
            listing a = list_matches(some, queries[n]), b = list_matches(plain, queries[n]);
            assert_true(a.size > 0 && a.size == b.size);
            assert_memory_equal(a.text, b.text, a.size);
            free(a.text);
            free(b.text);
        }
        stamma_archive_close(some);
        stamma_archive_close(plain);
        free(archive.text);
    }
    free(text.text);
    free(games.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_games),
        cmocka_unit_test(ranges_of_blocks),
        cmocka_unit_test(without_search_columns),
        cmocka_unit_test(books),
        cmocka_unit_test(invalid_options),
        cmocka_unit_test(shared_blocks),
        cmocka_unit_test(statistics),
        cmocka_unit_test(stops),
        cmocka_unit_test(skipped_games),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
