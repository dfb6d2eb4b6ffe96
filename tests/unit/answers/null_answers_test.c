/* SPDX-License-Identifier: MIT */
/* Tests invalid arguments of queries, searches, indexes, columns, trees, statistics, players and books, like
 * null_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "archive_support.h"
#include "invalid_options.h"

static const stamma_text word = {"e2e4", 4}, missing = {NULL, 4};

static void searches(void **state)
{
    (void)state;
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    BAD(stamma_search_open(NULL, NULL, NULL, &search));
    for (size_t i = 0; i < EXECUTORS; i++) {
        const stamma_search_options options = {.size = sizeof options, .executor = &executors[i]};
        BAD(stamma_search_open(archive, NULL, &options, &search));
    }
    BAD(stamma_search_open(archive, NULL, NULL, NULL));
    assert_int_equal(stamma_search_open(archive, NULL, NULL, &search), STAMMA_OK);
    BAD(stamma_search_next(NULL, &match));
    BAD(stamma_search_next(search, NULL));
    assert_int_equal(stamma_search_next(search, &match), STAMMA_OK);
    assert_int_equal(match->game, 1);
    stamma_search_close(search);
    stamma_archive_close(archive);
    free(packed.text);
}

static void queries(void **state)
{
    (void)state;
    const stamma_text pass = {"{\"pass\": true}", 14};
    stamma_archive_game game = {.number = 1, .start = stamma_position_start()};
    stamma_query *query;
    stamma_matcher *matcher;
    bool found;
    BAD(stamma_query_parse(missing, NULL, NULL, &query));
    BAD(stamma_query_parse(pass, NULL, NULL, NULL));
    for (size_t i = 0; i < ALLOCATORS; i++)
        BAD(stamma_query_parse(pass, &allocators[i], NULL, &query));
    assert_int_equal(stamma_query_parse(word, NULL, NULL, &query), STAMMA_ERROR_SYNTAX);
    assert_int_equal(stamma_query_parse(pass, NULL, NULL, &query), STAMMA_OK);
    BAD(stamma_matcher_open(NULL, NULL, &matcher));
    BAD(stamma_matcher_open(query, NULL, NULL));
    for (size_t i = 0; i < ALLOCATORS; i++)
        BAD(stamma_matcher_open(query, &allocators[i], &matcher));
    assert_int_equal(stamma_matcher_open(query, NULL, &matcher), STAMMA_OK);
    BAD(stamma_matcher_test(NULL, &game, &found, NULL, NULL));
    BAD(stamma_matcher_test(matcher, NULL, &found, NULL, NULL));
    BAD(stamma_matcher_test(matcher, &game, NULL, NULL, NULL));
    assert_int_equal(stamma_matcher_test(matcher, &game, &found, NULL, NULL), STAMMA_OK);
    assert_true(found);
    stamma_matcher_close(matcher);
    stamma_matcher_close(NULL);
    stamma_query_close(query);
    stamma_query_close(NULL);
}

static void indexes(void **state)
{
    (void)state;
    listing packed = pack("1. e4 *", 7, NULL), file = index_file_of(&packed), written = {0};
    const stamma_bytes bytes = stamma_bytes_of(packed.text, packed.size), no_index = stamma_bytes_of("word", 4);
    const stamma_archive_options wrong = {.size = sizeof wrong, .index = &no_index};
    stamma_archive *archive = open_handle(&packed), *indexed = open_indexed(&packed, &file), *unusable = NULL;
    assert_int_equal(stamma_archive_open(&bytes, &wrong, &unusable), STAMMA_OK);
    const stamma_output output = listing_output(&written), no_output = {NULL, NULL, NULL};
    uint64_t differences = 7;
    BAD(stamma_index_verify(NULL, NULL, &differences));
    BAD(stamma_index_verify(archive, NULL, &differences));
    BAD(stamma_index_verify(indexed, NULL, NULL));
    BAD(stamma_index_verify(indexed, &(stamma_index_verify_options){.size = 1}, &differences));
    assert_int_equal(stamma_index_verify(unusable, NULL, &differences), STAMMA_ERROR_NO_ARCHIVE);
    assert_int_equal(differences, 7);
    assert_int_equal(stamma_index_verify(indexed, NULL, &differences), STAMMA_OK);
    assert_int_equal(differences, 0);
    BAD(stamma_index_write(archive, NULL, NULL));
    BAD(stamma_index_write(archive, NULL, &no_output));
    BAD(stamma_index_write(NULL, NULL, &output));
    for (size_t i = 0; i < EXECUTORS; i++) {
        const stamma_index_write_options options = {.size = sizeof options, .executor = &executors[i]};
        BAD(stamma_index_write(archive, &options, &output));
    }
    const stamma_bytes no_bytes = {.size = 1};
    for (size_t i = 0; i < 2; i++) {
        const stamma_index_write_options options = {
            .size = sizeof options, .before = i ? &no_bytes : NULL, .before_count = 1};
        BAD(stamma_index_write(archive, &options, &output));
    }
    const stamma_bytes earlier = stamma_bytes_of(file.text, file.size);
    const stamma_index_output in_place = {NULL, NULL, NULL};
    BAD(stamma_index_append(NULL, &earlier, NULL, &in_place));
    BAD(stamma_index_append(archive, NULL, NULL, &in_place));
    BAD(stamma_index_append(archive, &no_bytes, NULL, &in_place));
    BAD(stamma_index_append(archive, &earlier, NULL, NULL));
    BAD(stamma_index_append(archive, &earlier, NULL, &in_place));
    BAD(stamma_archive_check_index(NULL));
    BAD(stamma_archive_check_index(archive));
    BAD(stamma_archive_check_index(unusable));
    assert_int_equal(stamma_archive_check_index(indexed), STAMMA_OK);
    BAD(stamma_archive_use_index(NULL, &no_bytes));
    BAD(stamma_archive_use_index(archive, NULL));
    BAD(stamma_archive_use_index(archive, &no_bytes));
    assert_int_equal(stamma_archive_use_index(archive, &no_index), STAMMA_ERROR_NO_ARCHIVE);
    assert_int_equal(written.size, 0);
    stamma_archive_close(archive);
    stamma_archive_close(indexed);
    stamma_archive_close(unusable);
    free(packed.text);
    free(file.text);
}

static void columns(void **state)
{
    (void)state;
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    struct ArrowArrayStream stream = {.release = NULL};
    const stamma_position start = stamma_position_start();
    stamma_move move;
    uint16_t index;
    const stamma_columns_options table = {.size = sizeof table, .table = STAMMA_TABLES};
    const stamma_columns_options names = {.size = sizeof names, .column_count = 1};
    BAD(stamma_columns_open(archive, NULL, NULL, NULL));
    BAD(stamma_columns_open(NULL, NULL, NULL, &stream));
    BAD(stamma_columns_open(archive, &table, NULL, &stream));
    BAD(stamma_columns_open(archive, &names, NULL, &stream));
    BAD(stamma_columns_error(NULL, NULL));
    BAD(stamma_columns_error(&stream, NULL));
    BAD(stamma_columns_list(archive, NULL, NULL, NULL));
    BAD(stamma_vocabulary_index(NULL, 0, &index));
    BAD(stamma_vocabulary_index(&start, 0, NULL));
    BAD(stamma_vocabulary_move(NULL, 0, &move));
    BAD(stamma_vocabulary_move(&start, 0, NULL));
    BAD(stamma_vocabulary_move(&start, STAMMA_VOCABULARY_SIZE, &move));
    for (size_t i = 0; i < EXECUTORS; i++) {
        const stamma_columns_options options = {.size = sizeof options, .executor = &executors[i]};
        BAD(stamma_columns_open(archive, &options, NULL, &stream));
    }
    assert_null(stream.release);
    stamma_archive_close(archive);
    free(packed.text);
}

static void trees(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start(), other;
    stamma_archive_game game = {.number = 1, .start = start, .ply_count = 1};
    stamma_tree *tree = NULL, *apart = NULL;
    stamma_position_make(&start, STAMMA_MOVE_NULL, &other);
    BAD(stamma_tree_open(NULL, NULL, &tree));
    BAD(stamma_tree_open(&start, NULL, NULL));
    for (int i = 0; i < ALLOCATORS; i++)
        BAD(stamma_tree_open(&start, &allocators[i], &tree));
    assert_null(tree);
    assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_open(&other, NULL, &apart), STAMMA_OK);
    BAD(stamma_tree_add(NULL, word, &game));
    BAD(stamma_tree_add(tree, missing, &game));
    BAD(stamma_tree_add(tree, word, NULL));
    BAD(stamma_tree_add(tree, word, &game)); /* moves */
    BAD(stamma_tree_keep_history(NULL));
    assert_false(stamma_tree_next_month(NULL, &(stamma_tree_month){0}));
    assert_false(stamma_tree_next_month(tree, NULL));
    BAD(stamma_tree_merge(NULL, tree));
    BAD(stamma_tree_merge(tree, NULL));
    BAD(stamma_tree_merge(tree, tree));
    BAD(stamma_tree_merge(tree, apart));
    assert_int_equal(stamma_tree_total(tree).games, 0);
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    BAD(stamma_tree_add_archive(NULL, word, archive, NULL, NULL, NULL));
    BAD(stamma_tree_add_archive(tree, missing, archive, NULL, NULL, NULL));
    BAD(stamma_tree_add_archive(tree, word, NULL, NULL, NULL, NULL));
    BAD(stamma_tree_add_archive_live(NULL, word, archive, NULL, NULL, NULL, NULL));
    BAD(stamma_tree_add_archive_live(tree, missing, archive, NULL, NULL, NULL, NULL));
    BAD(stamma_tree_add_archive_live(tree, word, NULL, NULL, NULL, NULL, NULL));
    BAD(stamma_tree_name_games(NULL, word, archive, NULL));
    BAD(stamma_tree_name_games(tree, missing, archive, NULL));
    BAD(stamma_tree_name_games(tree, word, NULL, NULL));
    stamma_archive_close(archive);
    free(packed.text);
    BAD(stamma_tree_read_json(missing, NULL, NULL, &apart));
    BAD(stamma_tree_read_json(word, NULL, NULL, NULL));
    for (int i = 0; i < ALLOCATORS; i++)
        BAD(stamma_tree_read_json(word, &allocators[i], NULL, &apart));
    assert_int_equal(stamma_tree_read_json(word, NULL, NULL, &apart), STAMMA_ERROR_SYNTAX);
    game.ply_count = 0;
    assert_int_equal(stamma_tree_add(tree, (stamma_text){NULL, 0}, &game), STAMMA_OK);
    assert_int_equal(stamma_tree_total(tree).games, 1);
    stamma_tree_close(tree);
    stamma_tree_close(apart);
}

static void statistics(void **state)
{
    (void)state;
    stamma_archive_game game = {.number = 1, .start = stamma_position_start(), .ply_count = 1};
    stamma_stats *stats = NULL;
    const stamma_stats_row *row = NULL;
    size_t length = 0;
    char out[1];
    BAD(stamma_stats_open(NULL, NULL));
    for (int i = 0; i < ALLOCATORS; i++)
        BAD(stamma_stats_open(&allocators[i], &stats));
    assert_null(stats);
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    BAD(stamma_stats_add(NULL, &game));
    BAD(stamma_stats_add(stats, NULL));
    BAD(stamma_stats_add(stats, &game)); /* moves */
    BAD(stamma_stats_merge(NULL, stats));
    BAD(stamma_stats_merge(stats, NULL));
    BAD(stamma_stats_merge(stats, stats));
    BAD(stamma_stats_row_at(NULL, STAMMA_STATS_YEARS, 0, &row));
    BAD(stamma_stats_row_at(stats, STAMMA_STATS_TABLES, 0, &row));
    BAD(stamma_stats_row_at(stats, STAMMA_STATS_YEARS, 0, NULL));
    BAD(stamma_stats_write_json(NULL, 0, out, sizeof out, &length));
    BAD(stamma_stats_write_json(stats, 0, NULL, sizeof out, &length));
    BAD(stamma_stats_write_json(stats, 0, out, sizeof out, NULL));
    stamma_stats_results results = {.games = 0};
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    BAD(stamma_stats_add_archive(NULL, archive, NULL, NULL, NULL));
    BAD(stamma_stats_add_archive(stats, NULL, NULL, NULL, NULL));
    BAD(stamma_stats_count_archive(NULL, archive, NULL, NULL, NULL));
    BAD(stamma_stats_count_archive(&results, NULL, NULL, NULL, NULL));
    stamma_archive_close(archive);
    free(packed.text);
    BAD(stamma_stats_read_json(missing, NULL, NULL, &stats));
    BAD(stamma_stats_read_json(word, NULL, NULL, NULL));
    for (int i = 0; i < ALLOCATORS; i++)
        BAD(stamma_stats_read_json(word, &allocators[i], NULL, &stats));
    assert_int_equal(stamma_stats_read_json(word, NULL, NULL, &stats), STAMMA_ERROR_SYNTAX);
    game.ply_count = 0;
    assert_int_equal(stamma_stats_add(stats, &game), STAMMA_OK);
    assert_int_equal(stamma_stats_sum(stats).results.games, 1);
    stamma_stats_close(stats);
}

static void player_names(void **state)
{
    (void)state;
    stamma_players *players = NULL;
    stamma_player found[1];
    size_t count = 7;
    BAD(stamma_players_open(NULL, NULL));
    for (int i = 0; i < ALLOCATORS; i++)
        BAD(stamma_players_open(&allocators[i], &players));
    assert_null(players);
    assert_int_equal(stamma_players_open(NULL, &players), STAMMA_OK);
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    BAD(stamma_players_add_archive(NULL, archive, NULL, NULL));
    BAD(stamma_players_add_archive(players, NULL, NULL, NULL));
    stamma_archive_close(archive);
    free(packed.text);
    BAD(stamma_players_find(NULL, word, found, 1, &count));
    BAD(stamma_players_find(players, missing, found, 1, &count));
    BAD(stamma_players_find(players, word, NULL, 1, &count));
    BAD(stamma_players_find(players, word, found, 1, NULL));
    assert_int_equal(count, 7);
    assert_int_equal(stamma_players_find(players, word, NULL, 0, &count), STAMMA_OK);
    assert_int_equal(count, 0);
    BAD(stamma_players_similar(NULL, word, found, 1, &count));
    BAD(stamma_players_similar(players, missing, found, 1, &count));
    BAD(stamma_players_similar(players, word, NULL, 1, &count));
    BAD(stamma_players_similar(players, word, found, 1, NULL));
    assert_int_equal(stamma_players_similar(players, word, NULL, 0, &count), STAMMA_OK);
    stamma_players_close(players);
    stamma_players_close(NULL);
}

static bool take(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    return size > 0;
}

static void books(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_archive_game game = {.number = 1, .start = start, .ply_count = 1};
    const stamma_output output = {NULL, take, NULL}, no_output = {NULL, NULL, NULL};
    stamma_book *book = NULL, *longer = NULL;
    uint64_t entries = 7;
    BAD(stamma_book_open(NULL, 1, NULL, &book));
    BAD(stamma_book_open(&start, 1, NULL, NULL));
    for (int i = 0; i < ALLOCATORS; i++)
        BAD(stamma_book_open(&start, 1, &allocators[i], &book));
    assert_null(book);
    assert_int_equal(stamma_book_open(&start, 1, NULL, &book), STAMMA_OK);
    assert_int_equal(stamma_book_open(&start, 2, NULL, &longer), STAMMA_OK);
    BAD(stamma_book_add(NULL, &game));
    BAD(stamma_book_add(book, NULL));
    BAD(stamma_book_add(book, &game)); /* moves */
    BAD(stamma_book_merge(NULL, book));
    BAD(stamma_book_merge(book, NULL));
    BAD(stamma_book_merge(book, book));
    BAD(stamma_book_merge(book, longer));
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    BAD(stamma_book_add_archive(NULL, archive, NULL, NULL, NULL));
    BAD(stamma_book_add_archive(book, NULL, NULL, NULL, NULL));
    stamma_archive_close(archive);
    free(packed.text);
    BAD(stamma_book_write(NULL, 1, &output, &entries));
    BAD(stamma_book_write(book, 1, NULL, &entries));
    BAD(stamma_book_write(book, 1, &no_output, &entries));
    assert_int_equal(stamma_book_write(book, 1, &output, &entries), STAMMA_OK);
    assert_int_equal(entries, 0);
    stamma_book_close(book);
    stamma_book_close(longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches), cmocka_unit_test(queries),    cmocka_unit_test(indexes),
        cmocka_unit_test(trees),    cmocka_unit_test(statistics), cmocka_unit_test(player_names),
        cmocka_unit_test(books),    cmocka_unit_test(columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
