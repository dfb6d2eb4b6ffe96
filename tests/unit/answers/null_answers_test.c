/* Tests NULL arguments of the functions of stamma/answers.h (see null_test.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

#define BAD(call) assert_int_equal(call, STAMMA_ERROR_BAD_ARGUMENT)

static const stamma_text word = {"e2e4", 4}, missing = {NULL, 4};

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *resize(void *context, void *memory, size_t size)
{
    (void)context;
    return realloc(memory, size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

enum { ALLOCATORS = 3 };
/* Each lacks one of its functions. */
static const stamma_allocator allocators[ALLOCATORS] = {
    {NULL, NULL, resize, release}, {NULL, allocate, NULL, release}, {NULL, allocate, resize, NULL}};

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
        cmocka_unit_test(trees),
        cmocka_unit_test(statistics),
        cmocka_unit_test(player_names),
        cmocka_unit_test(books),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
