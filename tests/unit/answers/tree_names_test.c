/* SPDX-License-Identifier: MIT */
/* Tests the names of players in a tree's example games: from tags of blocks with and without a kept index, from an
 * index file, and from the games themselves; with damage, limits and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum {
    BLOCKS = 3,
    GAMES = 4 /* in a block */,
    LONG = 66000 /* each copy of a text of this size needs an allocation */
};

typedef struct fixture {
    listing parts[BLOCKS];
    listing archive;
    listing file;
} fixture;

/* Game 2 of each block has its names outside of its roster, game 3 has no names, and game 4 is set up. */
static listing make_text(unsigned part)
{
    listing text = {0};
    list_format(&text, "[White \"W%u1\"]\n[Black \"B%u1\"]\n[Date \"2001.01.01\"]\n\n1. e4 e5 *\n\n", part, part);
    list_format(&text, "{c}\n[White \"W%u2\"]\n[Black \"B%u2\"]\n\n1. d4 d5 *\n\n", part, part);
    list_format(&text, "[Event \"x\"]\n\n1. e4 c5 *\n\n");
    list_format(&text, "[White \"W%u4\"]\n[Black \"B%u4\"]\n", part, part);
    list_word(&text, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. c4 *\n\n");
    return text;
}

static int set_up(void **state)
{
    static fixture f;
    for (unsigned part = 0; part < BLOCKS; part++) {
        listing text = make_text(part);
        f.parts[part] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    f.archive = copy_archives(f.parts, BLOCKS, NULL);
    f.file = index_file_of(&f.archive);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (unsigned part = 0; part < BLOCKS; part++)
        free(f->parts[part].text);
    free(f->archive.text);
    free(f->file.text);
    return 0;
}

/* ---- trees ---- */

static stamma_tree *tree_of(const listing *archive, const stamma_allocator *allocator)
{
    const stamma_position start = stamma_position_start();
    stamma_archive *opened = open_handle(archive);
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_tree_open(&start, allocator, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, (stamma_text){"a", 1}, opened, NULL, NULL, NULL), STAMMA_OK);
    stamma_archive_close(opened);
    return tree;
}

/* Adds the players' names to the games of a tree, from an archive that is opened with these options. */
static stamma_error name_games(stamma_tree *tree, const listing *archive, const stamma_archive_options *of_archive,
                               const stamma_search_options *options)
{
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size);
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&bytes, of_archive, &opened);
    if (error == STAMMA_OK)
        error = stamma_tree_name_games(tree, (stamma_text){"a", 1}, opened, options);
    stamma_archive_close(opened);
    return error;
}

enum { OPENED = 4 };

/* Opens an archive without an index, with an index in memory, with an index that lacks memory, and with an index
 * file. */
static stamma_archive *open_kind(const fixture *f, unsigned kind)
{
    const stamma_index_keep_options options = {.size = sizeof options, .memory = kind == 2 ? 1 : 0};
    stamma_archive *opened = open_indexed(&f->archive, kind == 3 ? &f->file : NULL);
    if (kind == 1 || kind == 2)
        assert_int_equal(stamma_archive_keep_index(opened, &options), STAMMA_OK);
    return opened;
}

static void expect_name(stamma_text name, char color, uint64_t game)
{
    char wanted[8] = "";
    const unsigned part = (unsigned)((game - 1) / GAMES), number = (unsigned)((game - 1) % GAMES + 1);
    if (number != 3)
        (void)snprintf(wanted, sizeof wanted, "%c%u%u", color, part, number);
    assert_non_null(name.data);
    if (name.size != strlen(wanted) || memcmp(name.data, wanted, name.size) != 0)
        fail_msg("game %u: %.*s, not %s", (unsigned)game, (int)name.size, name.data, wanted);
}

static void expect_game(const stamma_tree_game *game)
{
    expect_name(game->white, 'W', game->game);
    expect_name(game->black, 'B', game->game);
}

/* Asserts that all example games have the right names. Returns the number of games. */
static size_t expect_names(const stamma_tree *tree)
{
    const stamma_tree_game *game;
    size_t count = 0;
    for (; (game = stamma_tree_top_game(tree, count)) != NULL; count++)
        expect_game(game);
    for (size_t n = 0; (game = stamma_tree_recent_game(tree, n)) != NULL; n++)
        expect_game(game);
    for (size_t n = 0; n < stamma_tree_move_count(tree); n++) {
        expect_game(&stamma_tree_move_at(tree, n)->top);
        expect_game(&stamma_tree_move_at(tree, n)->recent);
    }
    return count;
}

/* ---- tests ---- */

static void names_are_those_of_the_games(void **state)
{
    const fixture *f = *state;
    for (unsigned kind = 0; kind < OPENED; kind++) {
        stamma_archive *opened = open_kind(f, kind);
        stamma_tree *tree = tree_of(&f->archive, NULL);
        assert_int_equal(stamma_tree_name_games(tree, (stamma_text){"a", 1}, opened, NULL), STAMMA_OK);
        assert_int_equal(expect_names(tree), BLOCKS * GAMES);
        stamma_tree_close(tree);
        stamma_archive_close(opened);
    }
}

/* Tags that are derived from the opening are not read without the moves. */
static void names_of_openings(void **state)
{
    static const char *const names[] = {"King's Pawn Game", "Queen's Pawn Game", "English Opening"};
    static const char *const moves[] = {"e4", "d4", "c4"};
    listing text = {0};
    (void)state;
    for (unsigned n = 0; n < 60; n++)
        list_format(&text, "[White \"%s\"]\n[Black \"B\"]\n[Opening \"%s\"]\n\n1. %s *\n\n", names[n % 3], names[n % 3],
                    moves[n % 3]);
    listing archive = pack(text.text, text.size, NULL);
    stamma_tree *tree = tree_of(&archive, NULL);
    assert_int_equal(name_games(tree, &archive, NULL, NULL), STAMMA_OK);
    for (size_t n = 0; n < 3; n++) {
        const stamma_tree_game *top = &stamma_tree_move_at(tree, n)->top;
        const char *wanted = names[(top->game - 1) % 3];
        assert_int_equal(top->white.size, strlen(wanted));
        assert_memory_equal(top->white.data, wanted, strlen(wanted));
    }
    stamma_tree_close(tree);
    free(archive.text);
    free(text.text);
}

/* Changes the number of the first example of a tree, through JSON. */
static stamma_tree *renumbered(const stamma_tree *tree, const char *id)
{
    static char json[1 << 16];
    stamma_tree *read = NULL;
    const size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, sizeof json);
    char *at = strstr(json, "\"id\":\"a:");
    assert_true(size < sizeof json && at != NULL);
    char *end = strchr(at + 6, '"');
    listing changed = {0};
    list_bytes(&changed, json, (size_t)(at + 6 - json));
    list_word(&changed, id);
    list_word(&changed, end);
    assert_int_equal(stamma_tree_read_json((stamma_text){changed.text, changed.size}, NULL, NULL, &read), STAMMA_OK);
    free(changed.text);
    return read;
}

/* Numbers of games that the archive does not have. The names of games of other archives are not read. */
static void games_that_are_missing(void **state)
{
    static const struct {
        const char *id;
        stamma_error error;
    } cases[] = {
        {"a:0", STAMMA_ERROR_BAD_ARGUMENT}, {"a:13", STAMMA_ERROR_CORRUPT}, {"b:99", STAMMA_OK}, {"99", STAMMA_OK}};
    const fixture *f = *state;
    stamma_tree *tree = tree_of(&f->archive, NULL);
    stamma_archive *opened[OPENED];
    for (unsigned kind = 0; kind < OPENED; kind++)
        opened[kind] = open_kind(f, kind);
    for (size_t n = 0; n < OPENED * sizeof cases / sizeof *cases; n++) {
        stamma_tree *other = renumbered(tree, cases[n / OPENED].id);
        assert_int_equal(stamma_tree_name_games(other, (stamma_text){"a", 1}, opened[n % OPENED], NULL),
                         cases[n / OPENED].error);
        stamma_tree_close(other);
    }
    assert_false(index_state(opened[OPENED - 1]).damaged);
    for (unsigned kind = 0; kind < OPENED; kind++)
        stamma_archive_close(opened[kind]);
    stamma_tree_close(tree);
}

/* With any changed byte, the names are right, or the call fails. */
static void damage(void **state)
{
    const fixture *f = *state;
    listing copy = {0};
    unsigned failed = 0, named = 0;
    list_bytes(&copy, f->archive.text, f->archive.size);
    for (size_t at = 0; at < copy.size; at += 1 + at % 3) {
        stamma_tree *tree = tree_of(&f->archive, NULL);
        copy.text[at] ^= 0x55;
        const stamma_error error = name_games(tree, &copy, NULL, NULL);
        copy.text[at] ^= 0x55;
        if (error == STAMMA_OK)
            named += expect_names(tree) > 0;
        else
            failed++;
        stamma_tree_close(tree);
    }
    assert_true(failed > 100 && named > 100);
    free(copy.text);
}

static bool stop_at(void *context)
{
    unsigned *left = context;
    return (*left)-- == 0;
}

static void limits(void **state)
{
    const fixture *f = *state;
    unsigned stopped = 0;
    for (unsigned at = 0; stopped == at; at++) {
        unsigned left = at;
        const stamma_search_options options = {.size = sizeof options, .context = &left, .stop = stop_at};
        stamma_tree *tree = tree_of(&f->archive, NULL);
        const stamma_error error = name_games(tree, &f->archive, NULL, &options);
        stopped += error == STAMMA_ERROR_CANCELLED;
        if (error != STAMMA_ERROR_CANCELLED)
            assert_int_equal(error, STAMMA_OK);
        stamma_tree_close(tree);
    }
    assert_true(stopped > BLOCKS);
}

/* Games with long names. Some of the names are outside of rosters. */
static listing long_names(void)
{
    static char name[LONG];
    listing text = {0};
    for (unsigned n = 0; n < 2 * GAMES; n++) {
        memset(name, 'a' + (char)n, sizeof name - 1);
        list_word(&text, n % 2 ? "[White \"x" : "{c}\n[White \"x");
        list_word(&text, name);
        list_word(&text, "\"]\n[Black \"");
        list_word(&text, name);
        list_format(&text, "\"]\n[WhiteElo \"%u\"]\n[BlackElo \"2000\"]\n[Date \"%u.01.01\"]\n\n1. e4 *\n\n", 2000 + n,
                    2020 - n);
    }
    return text;
}

/* Names an archive's games, writes the tree, reads it back and merges it into another tree. */
static stamma_error use_names(const listing *archive, const stamma_bytes *file, stamma_tree *tree,
                              const stamma_allocator *allocator)
{
    static char json[1 << 23];
    const stamma_archive_options options = {.size = sizeof options, .allocator = allocator, .index = file};
    stamma_tree *read = NULL, *other = NULL;
    stamma_error error = name_games(tree, archive, &options, NULL);
    const size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, sizeof json);
    assert_true(size < sizeof json);
    if (error == STAMMA_OK)
        error = stamma_tree_read_json((stamma_text){json, size}, allocator, NULL, &read);
    if (error == STAMMA_OK)
        error = stamma_tree_open(stamma_tree_position(tree), allocator, &other);
    if (error == STAMMA_OK)
        error = stamma_tree_merge(other, read);
    stamma_tree_close(read);
    stamma_tree_close(other);
    return error;
}

static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    listing text = long_names(), archive = pack(text.text, text.size, NULL), file = index_file_of(&archive);
    const stamma_bytes index = stamma_bytes_of(file.text, file.size);
    for (unsigned kind = 0; kind < 2; kind++) {
        unsigned failed = 0;
        for (unsigned at = 1; failed + 1 == at; at++) {
            failing_memory memory = {.fail_at = 0};
            const stamma_allocator allocator = failing_allocator(&memory);
            stamma_tree *tree = tree_of(&archive, &allocator);
            memory.fail_at = memory.calls + at;
            const stamma_error error = use_names(&archive, kind ? &index : NULL, tree, &allocator);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
            failed += error != STAMMA_OK;
            stamma_tree_close(tree);
            assert_int_equal(memory.alive, 0);
        }
        assert_true(failed > 4);
    }
    free(file.text);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_games),
        cmocka_unit_test(names_of_openings),
        cmocka_unit_test(games_that_are_missing),
        cmocka_unit_test(damage),
        cmocka_unit_test(limits),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
