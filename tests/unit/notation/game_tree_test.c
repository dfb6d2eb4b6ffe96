/* SPDX-License-Identifier: MIT */
/* Tests the game tree: building, queries, and rejected calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"

static stamma_text text_of(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

static void expect_text(stamma_text got, const char *expected)
{
    assert_int_equal(got.size, strlen(expected));
    assert_memory_equal(got.data, expected, got.size);
}

static stamma_game *open_game(void)
{
    stamma_game *game;
    assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
    return game;
}

/* Adds a move in SAN. */
static stamma_node add(stamma_game *game, stamma_node node, const char *san)
{
    stamma_position position;
    stamma_move move;
    stamma_node added = STAMMA_NODE_NONE;
    assert_int_equal(stamma_game_position(game, node, &position), STAMMA_OK);
    assert_int_equal(stamma_san_read(&position, text_of(san), &move), STAMMA_OK);
    assert_int_equal(stamma_game_add_move(game, node, move, &added), STAMMA_OK);
    assert_int_equal(stamma_game_move(game, added), move);
    assert_int_equal(stamma_game_parent(game, added), node);
    return added;
}

static void test_empty_game(void **state)
{
    (void)state;
    stamma_game *game = open_game();
    assert_int_equal(stamma_game_tag_count(game), 0);
    expect_text(stamma_game_result(game), "*");
    assert_null(stamma_game_tag(game, text_of("White")).data);
    assert_int_equal(stamma_game_parent(game, 0), STAMMA_NODE_NONE);
    assert_int_equal(stamma_game_first_child(game, 0), STAMMA_NODE_NONE);
    assert_int_equal(stamma_game_next_sibling(game, 0), STAMMA_NODE_NONE);
    assert_int_equal(stamma_game_move(game, 0), STAMMA_MOVE_NULL);
    stamma_position start = stamma_position_start();
    assert_true(stamma_position_equal(stamma_game_start(game), &start));
    stamma_game_close(game);
    stamma_game_close(NULL);
}

static void test_tags(void **state)
{
    (void)state;
    stamma_game *game = open_game();
    stamma_text name, value;
    assert_int_equal(stamma_game_set_tag(game, text_of("White"), text_of("A \"b\" \\")), STAMMA_OK);
    assert_int_equal(stamma_game_set_tag(game, text_of("Black"), text_of("")), STAMMA_OK);
    expect_text(stamma_game_tag(game, text_of("White")), "A \"b\" \\");
    expect_text(stamma_game_tag(game, text_of("Black")), "");
    assert_non_null(stamma_game_tag(game, text_of("Black")).data);
    assert_int_equal(stamma_game_set_tag(game, text_of("White"), text_of("C")), STAMMA_OK);
    expect_text(stamma_game_tag(game, text_of("White")), "C");
    assert_int_equal(stamma_game_set_tag(game, text_of("White"), text_of("")), STAMMA_OK);
    expect_text(stamma_game_tag(game, text_of("White")), "");
    assert_int_equal(stamma_game_set_tag(game, text_of("White"), text_of("a longer name than before")), STAMMA_OK);
    assert_int_equal(stamma_game_tag_count(game), 2);
    assert_int_equal(stamma_game_tag_at(game, 0, &name, &value), STAMMA_OK);
    expect_text(name, "White");
    expect_text(value, "a longer name than before");
    assert_int_equal(stamma_game_tag_at(game, 2, &name, &value), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_set_tag(game, text_of("FEN"), text_of("x")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_set_tag(game, text_of("a b"), text_of("x")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_set_tag(game, text_of("A"), text_of("x\r")), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_game_close(game);
}

static void test_start_and_result(void **state)
{
    (void)state;
    static const char fen[] = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    stamma_game *game = open_game();
    stamma_position position;
    assert_int_equal(stamma_fen_read(text_of(fen), &position, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_game_set_start(game, &position), STAMMA_OK);
    expect_text(stamma_game_tag(game, text_of("FEN")), fen);
    expect_text(stamma_game_tag(game, text_of("SetUp")), "1");
    add(game, 0, "O-O-O");
    assert_int_equal(stamma_game_set_start(game, &position), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_set_result(game, text_of("1/2-1/2")), STAMMA_OK);
    expect_text(stamma_game_result(game), "1/2-1/2");
    assert_int_equal(stamma_game_set_result(game, text_of("2-0")), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_game_close(game);
}

static void test_moves(void **state)
{
    (void)state;
    stamma_game *game = open_game();
    stamma_node e4 = add(game, 0, "e4"), d4 = add(game, 0, "d4"), c4 = add(game, 0, "c4");
    stamma_node e5 = add(game, e4, "e5");
    assert_int_equal(stamma_game_first_child(game, 0), e4);
    assert_int_equal(stamma_game_next_sibling(game, e4), d4);
    assert_int_equal(stamma_game_next_sibling(game, d4), c4);
    assert_int_equal(stamma_game_next_sibling(game, c4), STAMMA_NODE_NONE);
    assert_int_equal(stamma_game_first_child(game, e4), e5);
    stamma_node added;
    assert_int_equal(stamma_game_add_move(game, e4, stamma_game_move(game, e4), &added), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_game_add_move(game, 99, stamma_game_move(game, e4), &added), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_add_move(game, e5, STAMMA_MOVE_NULL, NULL), STAMMA_OK);
    stamma_game_close(game);
}

static void test_nodes_that_do_not_exist(void **state)
{
    (void)state;
    stamma_game *game = open_game();
    stamma_node e4 = add(game, 0, "e4"), added;
    for (stamma_node bad = e4 + 1; bad != 0; bad = bad == STAMMA_NODE_NONE ? 0 : STAMMA_NODE_NONE) {
        assert_int_equal(stamma_game_parent(game, bad), STAMMA_NODE_NONE);
        assert_int_equal(stamma_game_first_child(game, bad), STAMMA_NODE_NONE);
        assert_int_equal(stamma_game_next_sibling(game, bad), STAMMA_NODE_NONE);
        assert_int_equal(stamma_game_move(game, bad), STAMMA_MOVE_NULL);
        assert_int_equal(stamma_game_add_move(game, bad, STAMMA_MOVE_NULL, &added), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_game_add_comment(game, bad, false, text_of("x")), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_game_add_nag(game, bad, 1), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_game_comment_count(game, bad, false), 0);
        assert_null(stamma_game_comment(game, bad, true, 0).data);
        assert_int_equal(stamma_game_nag_count(game, bad), 0);
    }
    stamma_game_close(game);
}

/* The positions in a long line with a variation at each move equal the positions after playing its moves. */
static void test_positions(void **state)
{
    (void)state;
    enum { PLIES = 3000 };
    static const char *const circle[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    stamma_game *game = open_game();
    stamma_position positions[PLIES + 1], position;
    stamma_node nodes[PLIES + 1] = {0};
    positions[0] = stamma_position_start();
    for (int i = 0; i < PLIES; i++) {
        nodes[i + 1] = add(game, nodes[i], circle[i % 4]);
        stamma_position_make(&positions[i], stamma_game_move(game, nodes[i + 1]), &positions[i + 1]);
        add(game, nodes[i], i % 2 ? "a6" : "a3");
    }
    for (int i = 0; i <= PLIES; i++) {
        assert_int_equal(stamma_game_position(game, nodes[i], &position), STAMMA_OK);
        assert_memory_equal(&position, &positions[i], sizeof position);
    }
    assert_int_equal(stamma_game_position(game, 1000000, &position), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_game_close(game);
}

static void test_comments_and_nags(void **state)
{
    (void)state;
    stamma_game *game = open_game();
    stamma_node e4 = add(game, 0, "e4"), d4 = add(game, 0, "d4"), e5 = add(game, e4, "e5");
    assert_int_equal(stamma_game_add_comment(game, d4, true, text_of("before d4")), STAMMA_OK);
    assert_int_equal(stamma_game_add_comment(game, d4, false, text_of("after")), STAMMA_OK);
    assert_int_equal(stamma_game_add_comment(game, d4, false, text_of("")), STAMMA_OK);
    assert_int_equal(stamma_game_add_nag(game, d4, 14), STAMMA_OK);
    assert_int_equal(stamma_game_add_nag(game, d4, 255), STAMMA_OK);
    assert_int_equal(stamma_game_add_nag(game, d4, 256), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_add_comment(game, e5, true, text_of("between")), STAMMA_OK);
    assert_int_equal(stamma_game_add_comment(game, e4, true, text_of("first")), STAMMA_OK);
    assert_int_equal(stamma_game_add_comment(game, 0, true, text_of("of all")), STAMMA_OK);
    assert_int_equal(stamma_game_add_comment(game, e4, true, text_of("}\n")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_comment_count(game, d4, true), 1);
    assert_int_equal(stamma_game_comment_count(game, d4, false), 2);
    expect_text(stamma_game_comment(game, d4, true, 0), "before d4");
    expect_text(stamma_game_comment(game, d4, false, 1), "");
    assert_null(stamma_game_comment(game, d4, false, 2).data);
    assert_int_equal(stamma_game_nag_count(game, d4), 2);
    assert_int_equal(stamma_game_nag(game, d4, 1), 255);
    assert_int_equal(stamma_game_nag(game, d4, 2), 0);
    expect_text(stamma_game_comment(game, e4, false, 0), "between"); /* before e5 means after e4 */
    assert_int_equal(stamma_game_comment_count(game, e5, true), 0);
    expect_text(stamma_game_comment(game, 0, false, 0), "first");
    expect_text(stamma_game_comment(game, 0, false, 1), "of all");
    stamma_game_close(game);
}

/* Whichever allocation fails, the game stays valid and is released completely. */
static void test_no_memory(void **state)
{
    (void)state;
    bool done = false;
    for (unsigned fail_at = 1; !done; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_game *game = NULL;
        stamma_error error = stamma_game_open(&allocator, &game);
        unsigned refused = error == STAMMA_ERROR_NO_MEMORY;
        stamma_node node = 0;
        for (int i = 0; i < 100 && game; i++) {
            stamma_move move = i % 4 == 0   ? stamma_move_make(6, 21, 0)
                               : i % 4 == 1 ? stamma_move_make(62, 45, 0)
                               : i % 4 == 2 ? stamma_move_make(21, 6, 0)
                                            : stamma_move_make(45, 62, 0);
            for (error = STAMMA_ERROR_NO_MEMORY; error;) { /* a failed call succeeds when repeated */
                error = stamma_game_add_move(game, node, move, &node);
                refused += error == STAMMA_ERROR_NO_MEMORY;
                assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
            }
            refused += stamma_game_add_comment(game, node, false, text_of("a comment of some length")) != STAMMA_OK;
            refused += stamma_game_add_nag(game, node, 3) != STAMMA_OK;
            refused += stamma_game_add_comment(game, 0, false, text_of("one of many")) != STAMMA_OK;
            const stamma_text name = text_of(&"a234567890123456789012345678901234567890"[i % 30]);
            refused += stamma_game_set_tag(game, name, text_of("x")) != STAMMA_OK;
            refused += stamma_game_set_tag(game, text_of("Round"), text_of(&"1234567890"[9 - i / 11])) != STAMMA_OK;
        }
        if (game) {
            size_t plies = 0;
            for (node = 0; (node = stamma_game_first_child(game, node)) != STAMMA_NODE_NONE;)
                plies++;
            assert_int_equal(plies, 100);
        }
        done = memory.calls < fail_at;
        assert_int_equal(refused, done ? 0 : 1);
        stamma_game_close(game);
        assert_int_equal(memory.alive, 0);
    }
}

static void read_text(stamma_game *game, const char *text)
{
    stamma_pgn_reader *reader = NULL;
    bool found = false;
    assert_int_equal(stamma_pgn_reader_open_memory(text, strlen(text), NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_game_read(game, reader, &found, NULL, NULL), STAMMA_OK);
    assert_true(found);
    stamma_pgn_reader_close(reader);
}

/* Many tags with few names: each name has the value that was set last. */
static void test_many_tags(void **state)
{
    enum { TAGS = 3000, NAMES = 500 };
    stamma_game *game = open_game();
    char name[16], value[16];
    (void)state;
    for (int round = 0; round < 2; round++) { /* a game that is reused for reading has no tags of the previous game */
        read_text(game, "*");
        for (int i = 0; i < TAGS; i++) {
            (void)snprintf(name, sizeof name, "T%d", i * 7 % NAMES);
            (void)snprintf(value, sizeof value, "%d", i);
            assert_int_equal(stamma_game_tag(game, text_of(name)).data == NULL, i < NAMES);
            assert_int_equal(stamma_game_set_tag(game, text_of(name), text_of(value)), STAMMA_OK);
        }
        assert_int_equal(stamma_game_tag_count(game), NAMES);
        for (int i = TAGS - NAMES; i < TAGS; i++) {
            (void)snprintf(name, sizeof name, "T%d", i * 7 % NAMES);
            (void)snprintf(value, sizeof value, "%d", i);
            expect_text(stamma_game_tag(game, text_of(name)), value);
        }
        assert_null(stamma_game_tag(game, text_of("T")).data);
    }
    stamma_game_close(game);
}

/* Checks the items of a node against the numbers of the items that were added, by their kind. */
static void expect_items(const stamma_game *game, stamma_node node, int items, int kinds)
{
    size_t counts[3] = {0, 0, 0};
    char text[16];
    for (int i = 0; i < items; i++) {
        const int kind = i * 7 % 11 % kinds;
        (void)snprintf(text, sizeof text, "c%d", i);
        if (kind == 0)
            assert_int_equal(stamma_game_nag(game, node, counts[0]), i % 200);
        else
            expect_text(stamma_game_comment(game, node, kind == 2, counts[kind]), text);
        counts[kind]++;
    }
    assert_int_equal(stamma_game_nag_count(game, node), counts[0]);
    assert_int_equal(stamma_game_comment_count(game, node, false), counts[1]);
    assert_int_equal(stamma_game_comment_count(game, node, true), counts[2]);
    assert_null(stamma_game_comment(game, node, false, counts[1]).data);
}

/* Node 2 begins a variation, so it can have comments before its move. */
static void test_many_items(void **state)
{
    (void)state;
    for (int kinds = 2; kinds <= 3; kinds++) {
        stamma_game *game = open_game();
        const stamma_node first = add(game, 0, "e4"), second = add(game, 0, "d4"), node = kinds == 2 ? first : second;
        char text[16];
        for (int i = 0; i < 100; i++) {
            const int kind = i * 7 % 11 % kinds;
            (void)snprintf(text, sizeof text, "c%d", i);
            assert_int_equal(kind == 0 ? stamma_game_add_nag(game, node, (unsigned)i % 200)
                                       : stamma_game_add_comment(game, node, kind == 2, text_of(text)),
                             STAMMA_OK);
            assert_int_equal(stamma_game_add_nag(game, 0, 7), STAMMA_OK); /* of another list */
            expect_items(game, node, i + 1, kinds);
        }
        assert_int_equal(stamma_game_nag_count(game, 0), 100);
        stamma_game_close(game);
    }
}

/* Comments of variations without moves are appended to the comments of the move, also if there are many. */
static void test_many_joined_items(void **state)
{
    (void)state;
    for (int first = 0; first <= 40; first += 8)
        for (int joined = 0; joined <= 40; joined += 8) {
            char text[2000] = "1. e4", comment[16];
            for (int i = 0; i < first + joined; i++)
                (void)sprintf(text + strlen(text), "%s{c%d}", i == first ? "(" : " ", i);
            strcat(text, joined > 0 ? ") {last} *" : " {last} *");
            stamma_game *game = open_game();
            read_text(game, text);
            assert_int_equal(stamma_game_comment_count(game, 1, false), first + joined + 1);
            assert_int_equal(stamma_game_comment_count(game, 1, true), 0);
            for (int i = 0; i < first + joined; i++) {
                (void)snprintf(comment, sizeof comment, "c%d", i);
                expect_text(stamma_game_comment(game, 1, false, (size_t)i), comment);
            }
            expect_text(stamma_game_comment(game, 1, false, (size_t)(first + joined)), "last");
            stamma_game_close(game);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_game),       cmocka_unit_test(test_tags),
        cmocka_unit_test(test_start_and_result), cmocka_unit_test(test_moves),
        cmocka_unit_test(test_positions),        cmocka_unit_test(test_comments_and_nags),
        cmocka_unit_test(test_many_tags),        cmocka_unit_test(test_many_items),
        cmocka_unit_test(test_many_joined_items), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_nodes_that_do_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
