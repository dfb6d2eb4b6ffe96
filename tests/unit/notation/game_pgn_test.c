/* SPDX-License-Identifier: MIT */
/* Tests trees from PGN and PGN from trees: read(write(tree)) == tree, on chosen texts, deep trees, random trees and
 * the corpora. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"

/* ---- trees as text ---- */

static void list_text(listing *to, stamma_text text)
{
    list_word(to, "<");
    list_bytes(to, text.data, text.size);
    list_word(to, ">");
}

static void list_node(listing *to, const stamma_game *game, stamma_node node, unsigned depth)
{
    list_format(to, "%u:%04x", depth, stamma_game_move(game, node));
    for (int before = 1; before >= 0; before--)
        for (size_t i = 0; i < stamma_game_comment_count(game, node, before); i++)
            list_text(to, stamma_game_comment(game, node, before, i));
    for (size_t i = 0; i < stamma_game_nag_count(game, node); i++)
        list_format(to, "$%u", stamma_game_nag(game, node, i));
    list_word(to, "\n");
}

/* Lists the nodes below the root in preorder, regardless of their numbers. */
static void list_nodes(listing *to, const stamma_game *game)
{
    stamma_node node = 0, next;
    unsigned depth = 0;
    for (;;) {
        list_node(to, game, node, depth);
        if ((next = stamma_game_first_child(game, node)) != STAMMA_NODE_NONE) {
            depth++;
            node = next;
            continue;
        }
        while (node != 0 && (next = stamma_game_next_sibling(game, node)) == STAMMA_NODE_NONE) {
            node = stamma_game_parent(game, node);
            depth--;
        }
        if (node == 0)
            return;
        node = next;
    }
}

/* Lists everything in a game. */
static void list_game(listing *to, const stamma_game *game)
{
    char fen[STAMMA_FEN_SIZE];
    for (size_t i = 0; i < stamma_game_tag_count(game); i++) {
        stamma_text name, value;
        assert_int_equal(stamma_game_tag_at(game, i, &name, &value), STAMMA_OK);
        list_text(to, name);
        list_text(to, value);
    }
    stamma_fen_write(stamma_game_start(game), STAMMA_FEN_SHREDDER, fen, sizeof fen);
    list_word(to, fen);
    list_text(to, stamma_game_result(game));
    list_nodes(to, game);
}

/* Reads all games of a text and lists them. If `written` is not NULL, writes them to it. */
static size_t read_games(const char *text, size_t size, const stamma_pgn_options *options, uint32_t line_width,
                         listing *games, listing *written)
{
    stamma_pgn_writer_options writer_options = {.size = sizeof writer_options, .line_width = line_width};
    stamma_output output = listing_output(written);
    stamma_pgn_reader *reader;
    stamma_pgn_writer *writer = NULL;
    stamma_game *game;
    bool found;
    size_t count = 0;
    list_word(games, "");
    list_word(written, "");
    assert_int_equal(stamma_pgn_reader_open_memory(text, size, options, &reader), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_open(&output, &writer_options, &writer), STAMMA_OK);
    assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
    while (assert_int_equal(stamma_game_read(game, reader, &found, NULL, NULL), STAMMA_OK), found) {
        list_game(games, game);
        assert_int_equal(stamma_game_write(game, writer), STAMMA_OK);
        count++;
    }
    stamma_game_close(game);
    stamma_pgn_writer_close(writer);
    stamma_pgn_reader_close(reader);
    return count;
}

/* Asserts that read(write(read(text))) == read(text), and that writing again produces the same bytes. */
static size_t expect_law(const char *text, size_t size, uint32_t line_width)
{
    stamma_pgn_options options = {.size = sizeof options, .max_token = 16u << 20, .max_depth = 300000};
    listing first = {0}, second = {0}, written = {0}, again = {0};
    size_t count = read_games(text, size, &options, line_width, &first, &written);
    assert_int_equal(read_games(written.text, written.size, &options, line_width, &second, &again), count);
    assert_int_equal(second.size, first.size);
    assert_memory_equal(second.text, first.text, first.size);
    assert_int_equal(again.size, written.size);
    assert_memory_equal(again.text, written.text, written.size);
    free(first.text);
    free(second.text);
    free(written.text);
    free(again.text);
    return count;
}

static void expect(const char *text, const char *expected)
{
    listing games = {0}, written = {0};
    read_games(text, strlen(text), NULL, 0, &games, &written);
    assert_string_equal(written.text, expected);
    free(games.text);
    free(written.text);
    expect_law(text, strlen(text), 0);
}

/* ---- chosen texts ---- */

static void test_what_is_kept(void **state)
{
    (void)state;
    expect(
        "[Event \"a \\\"b\\\"\"][Event \"twice\"]{root} $7 1. e4! {after} (1. d4 d5 (1... Nf6 $3) ({pre} c5) 2. c4) "
        "(1. c4) e5 "
        "2. Nf3 ; line }\n 1/2",
        "[Event \"a \\\"b\\\"\"]\n[Event \"twice\"]\n\n$7 {root} 1. e4 $1 {after} (1. d4 d5 (1... Nf6 $3) ({pre} 1... "
        "c5) 2. c4) (1.\nc4) 1... e5 2. Nf3 ; line }\n1/2-1/2\n\n");
    expect("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"] O-O-O Ke7 (Kf7 {f} --) *",
           "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O Ke7 (1... Kf7 {f} 2. --) *\n\n");
    expect("{a} ;b\n e4 * {c}", "{a} {b} 1. e4 {c} *\n\n");
    expect("e4 ( {only a comment} $3 ) e5", "1. e4 $3 {only a comment} 1... e5 *\n\n");
    expect("e4 {y} ( {z} $3 {x} ) $1 e5", "1. e4 $3 $1 {y} {z} {x} 1... e5 *\n\n");
    expect("e4 (d4 {x}) {y} e5", "1. e4 {y} (1. d4 {x}) 1... e5 *\n\n");
    expect("e4 (d4 (c4 (b4) c5) d5) e5", "1. e4 (1. d4 d5) (1. c4 c5) (1. b4) 1... e5 *\n\n");
}

static void test_what_is_left_out(void **state)
{
    (void)state;
    expect("e4 e5 Ke3 {lost} Nc6 (Nf6) Nf3 *", "1. e4 e5 *\n\n");
    expect("e4 e5 Ke3 (Nf3 Nc6) *", "1. e4 e5 *\n\n");
    expect("e4 (Ke2 d5) (d4) e5 *", "1. e4 (1. d4) 1... e5 *\n\n");
    expect("(e4 e5) d4 ((c4)) *", "1. d4 *\n\n");
    expect("{between}\n% escape\n [A \"b\"]\n% escape\n e4 1-0\n\n{between} [FEN \"bad\"] e4 *",
           "[A \"b\"]\n\n1. e4 1-0\n\n[FEN \"bad\"]\n\n*\n\n");
    expect("e4 e5 1-0 resigned {after} (e6 {too}) ;line\n$1\n\n{before} d4 *",
           "1. e4 e5 $1 {after} {line} (1... e6 {too}) 1-0\n\n{before} 1. d4 *\n\n");
    expect("e4 {a\n[Event \"x\"]\n} e5 *", "1. e4 {a\n[Event \"x\"]\n} 1... e5 *\n\n");
    expect("[A \"b\"]\n;kept\n[FEN \"bad\"]\n{this too} (e5) e4 {lost} *",
           "[A \"b\"]\n[FEN \"bad\"]\n\n{kept} {this too} *\n\n");
    expect("e4 (d4 1-0) \x01 e5 2-0 Nf3", "1. e4 (1. d4) 1... e5 *\n\n");
}

static void test_errors_are_reported(void **state)
{
    (void)state;
    static const char text[] = "e4 e5\n Ke3 Qz9 * d4 \x01 * c4 *";
    stamma_pgn_reader *reader;
    stamma_game *game;
    stamma_error error;
    stamma_place place;
    bool found;
    assert_int_equal(stamma_pgn_reader_open_memory(text, sizeof text - 1, NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
    assert_int_equal(stamma_game_read(game, reader, &found, &error, &place), STAMMA_OK);
    assert_int_equal(error, STAMMA_ERROR_ILLEGAL);
    assert_int_equal(place.offset, 7);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.ply, 2);
    assert_int_equal(stamma_game_read(game, reader, &found, &error, &place), STAMMA_OK);
    assert_int_equal(error, STAMMA_ERROR_SYNTAX);
    assert_int_equal(place.game, 2);
    assert_int_equal(stamma_game_read(game, reader, &found, &error, &place), STAMMA_OK);
    assert_int_equal(error, STAMMA_OK);
    assert_true(found);
    assert_int_equal(stamma_game_read(game, reader, &found, &error, &place), STAMMA_OK);
    assert_false(found);
    stamma_pgn_reader_close(reader);
    stamma_game_close(game);
}

static void test_readers_that_do_not_fit(void **state)
{
    (void)state;
    stamma_pgn_options options = {.size = sizeof options, .tokens_only = true};
    stamma_pgn_reader *reader;
    stamma_pgn_event event;
    stamma_game *game;
    bool found;
    assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
    assert_int_equal(stamma_pgn_reader_open_memory("e4", 2, &options, &reader), STAMMA_OK);
    assert_int_equal(stamma_game_read(game, reader, &found, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_pgn_reader_close(reader);
    assert_int_equal(stamma_pgn_reader_open_memory("e4", 2, NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_pgn_reader_next(reader, &event), STAMMA_OK);
    assert_int_equal(stamma_game_read(game, reader, &found, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_pgn_reader_close(reader);
    stamma_game_close(game);
}

/* A comment larger than max_token is passed in parts but is one comment in the tree. */
static void test_large_comment(void **state)
{
    (void)state;
    stamma_pgn_options options = {.size = sizeof options, .max_token = 256};
    listing text = {0}, games = {0}, written = {0};
    list_word(&text, "1. e4 {");
    for (int i = 0; i < 1000; i++)
        list_format(&text, "part %d ", i);
    list_word(&text, "} 1... e5 *\n\n");
    read_games(text.text, text.size, &options, UINT32_MAX, &games, &written);
    assert_string_equal(written.text, text.text);
    free(text.text);
    free(games.text);
    free(written.text);
}

/* 200,000 nested variations, and a line of 200,000 moves with a variation at each move. */
static void test_deep_trees(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    listing text = {0};
    static const char *const circle[] = {"Nf3", "Nf6", "Ng1", "Ng8"}, *const other[] = {"a3", "a6", "a3", "a6"};
    for (int i = 0; i < DEPTH; i++)
        list_format(&text, "%s (%s ", circle[i % 4], other[i % 4]);
    for (int i = 0; i < DEPTH; i++)
        list_word(&text, ")");
    list_word(&text, "* ");
    for (int i = 0; i < DEPTH; i++)
        list_format(&text, "%s (%s) ", circle[i % 4], other[i % 4]);
    assert_int_equal(expect_law(text.text, text.size, 0), 2);
    free(text.text);
}

/* ---- random trees ---- */

/* Makes a tree with random moves, comments that need every form of writing, and NAGs. */
static stamma_game *random_game(void)
{
    static const char *const comments[] = {"",   "plain", "with } brace", "two\nlines", " {open",
                                           ";x", "%",     "\n%",          "[%clk 1]",   "\xFF"};
    stamma_game *game;
    stamma_node count = 1, added;
    assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
    for (uint64_t left = random_below(80); left > 0; left--) {
        stamma_node node = random_below(3) != 0 ? count - 1 : (stamma_node)random_below(count);
        stamma_position position;
        stamma_move moves[STAMMA_MOVES_MAX];
        assert_int_equal(stamma_game_position(game, node, &position), STAMMA_OK);
        size_t legal = stamma_legal_moves(&position, moves);
        if (legal == 0)
            continue;
        assert_int_equal(stamma_game_add_move(game, node, moves[random_below(legal)], &added), STAMMA_OK);
        assert_int_equal(added, count++);
        const char *comment = comments[random_below(sizeof comments / sizeof *comments)];
        if (random_below(3) == 0)
            assert_int_equal(stamma_game_add_comment(game, (stamma_node)random_below(count), random_below(2) == 0,
                                                     (stamma_text){comment, strlen(comment)}),
                             STAMMA_OK);
        if (random_below(3) == 0)
            assert_int_equal(stamma_game_add_nag(game, (stamma_node)random_below(count), (unsigned)random_below(256)),
                             STAMMA_OK);
    }
    return game;
}

static void test_random_trees(void **state)
{
    (void)state;
    for (int round = 0; round < 500; round++) {
        listing text = {0};
        stamma_output output = listing_output(&text);
        stamma_pgn_writer *writer;
        stamma_pgn_reader *reader;
        stamma_game *game = random_game(), *copy;
        bool found;
        stamma_error error;
        assert_int_equal(stamma_pgn_writer_open(&output, NULL, &writer), STAMMA_OK);
        assert_int_equal(stamma_game_write(game, writer), STAMMA_OK);
        assert_int_equal(stamma_pgn_reader_open_memory(text.text, text.size, NULL, &reader), STAMMA_OK);
        assert_int_equal(stamma_game_open(NULL, &copy), STAMMA_OK);
        assert_int_equal(stamma_game_read(copy, reader, &found, &error, NULL), STAMMA_OK);
        assert_int_equal(error, STAMMA_OK);
        assert_true(found);
        listing given = {0}, got = {0};
        list_game(&given, game);
        list_game(&got, copy);
        assert_string_equal(got.text, given.text);
        free(given.text);
        free(got.text);
        stamma_pgn_writer_close(writer);
        stamma_pgn_reader_close(reader);
        stamma_game_close(game);
        stamma_game_close(copy);
        free(text.text);
    }
}

/* ---- real files ---- */

static size_t nasty_games;

static void law_on_file(const char *path, const char *bytes, size_t size)
{
    (void)path;
    nasty_games += expect_law(bytes, size, 0);
}

static void test_law_on_nasty_files(void **state)
{
    (void)state;
    if (for_each_nasty_file(law_on_file) == 0) {
        puts("../shared/corpora/nasty is absent");
        skip();
    }
    assert_true(nasty_games > 1000);
}

/* ---- failing input and memory ---- */

/* After a failed read, reading continues with the next event. The games that were read before are complete. */
static void test_failing_input(void **state)
{
    (void)state;
    static const char text[] = "{between} 1. e4 {c} (1. d4) e5 *\n\n{more} [A \"b\"]\n\n1. e4 *\n";
    unsigned failures = 0;
    for (unsigned fail_at = 1, done = false; !done; fail_at++) {
        piecewise source = {text, sizeof text - 1, 0, 1, false, 0, fail_at};
        stamma_input input = piecewise_input(&source);
        stamma_pgn_reader *reader;
        stamma_game *game;
        stamma_error error;
        bool found = true;
        assert_int_equal(stamma_pgn_reader_open(&input, NULL, &reader), STAMMA_OK);
        assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
        for (error = STAMMA_OK; !error && found;)
            error = stamma_game_read(game, reader, &found, NULL, NULL);
        assert_int_equal(error, source.reads < fail_at ? STAMMA_OK : STAMMA_ERROR_IO);
        failures += error != STAMMA_OK;
        done = error == STAMMA_OK;
        stamma_game_close(game);
        stamma_pgn_reader_close(reader);
    }
    assert_int_equal(failures, sizeof text); /* a read for each byte, and one at the end */
}

/* Moves are not written into a game that has begun. */
static void test_writer_in_a_game(void **state)
{
    (void)state;
    listing out = {0};
    stamma_output output = listing_output(&out);
    stamma_pgn_writer *writer;
    stamma_game *game;
    assert_int_equal(stamma_pgn_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_comment(writer, (stamma_text){"x", 1}), STAMMA_OK);
    assert_int_equal(stamma_game_write_moves(game, writer), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_game_close(game);
    stamma_pgn_writer_close(writer);
    free(out.text);
}

static void test_no_memory(void **state)
{
    (void)state;
    static const char text[] =
        "{long comment before the game: 0123456789 0123456789 0123456789 0123456789 0123456789}"
        "[A \"b\"] e4 {c} (d4 (c4 (b4)) d5) e5 $1 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 *";
    bool done = false;
    for (unsigned fail_at = 1; !done; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_pgn_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_pgn_reader *reader = NULL;
        stamma_game *game = NULL;
        bool found = false;
        stamma_error error = stamma_pgn_reader_open_memory(text, sizeof text - 1, &options, &reader);
        if (!error)
            error = stamma_game_open(&allocator, &game);
        if (!error)
            error = stamma_game_read(game, reader, &found, NULL, NULL);
        done = memory.calls < fail_at;
        assert_int_equal(error, done ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
        assert_int_equal(found, done);
        stamma_game_close(game);
        stamma_pgn_reader_close(reader);
        assert_int_equal(memory.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_kept),        cmocka_unit_test(test_what_is_left_out),
        cmocka_unit_test(test_errors_are_reported), cmocka_unit_test(test_readers_that_do_not_fit),
        cmocka_unit_test(test_large_comment),       cmocka_unit_test(test_deep_trees),
        cmocka_unit_test(test_random_trees),        cmocka_unit_test(test_law_on_nasty_files),
        cmocka_unit_test(test_failing_input),       cmocka_unit_test(test_writer_in_a_game),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
