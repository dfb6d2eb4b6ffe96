/* SPDX-License-Identifier: MIT */
/* Tests searches in variations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query_support.h"

/* 1: a variation at Black's first move, with a variation inside, and a variation at White's second move; 2: no
 * variations; 3: a variation that mates. */
static const char games[] = "[Event \"1\"]\n\n1. e4 e5 (1... c5! 2. Nf3 {Open} (2. c3 d5) 2... d6 3. d4) 2. Nf3 (2. f4 "
                            "$2 {King's Gambit} exf4) 2... "
                            "Nc6 *\n\n"
                            "[Event \"2\"]\n\n1. e4 c5 *\n\n"
                            "[Event \"3\"]\n\n1. f3 e5 2. a3 (2. g4 Qh4#) *\n\n";

static void variations(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"move\": \"c5\"}", "2:2"},
        /* the variation begins after ply 1 */
        {"{\"move\": \"c5\", \"variations\": true}", "1:1 2:2"},
        {"{\"move\": \"c5\", \"variations\": false}", "2:2"},
        {"{\"move\": \"f4\", \"variations\": true}", "1:2"},
        /* the main line is preferred; a game without a variation that matches is not found */
        {"{\"move\": \"Nf3\", \"variations\": true}", "1:3"},
        {"{\"move\": \"Nf3\", \"variations\": true, \"all-matches\": true}", "1:1,3"},
        /* a variation inside a variation matches where the outer variation leaves the main line */
        {"{\"move\": \"c3\", \"variations\": true}", "1:1"},
        {"{\"streak\": [{\"move\": \"c3\"}, {\"move\": \"d5\"}], \"variations\": true}", "1:1"},
        /* its moves are not part of the outer variation, which continues after it */
        {"{\"streak\": [{\"move\": \"c5\"}, {\"move\": \"c3\"}], \"variations\": true}", ""},
        {"{\"streak\": [{\"move\": \"c5\"}, {\"move\": \"Nf3\"}, {\"move\": \"d6\"}, {\"move\": \"d4\"}], "
         "\"variations\": true}",
         "1:1"},
        /* a variation does not contain the moves before it */
        {"{\"sequence\": [{\"move\": \"e4\"}, {\"move\": \"d6\"}], \"variations\": true}", ""},
        /* ply numbers continue the numbers of the game */
        {"{\"move\": \"d4\", \"ply\": 5, \"variations\": true}", "1:1"},
        {"{\"move\": \"d4\", \"ply\": 4, \"variations\": true}", ""},
        {"{\"move\": \"exf4\", \"move-number\": 3, \"variations\": true}", "1:2"},
        {"{\"mate\": true, \"variations\": true}", "3:2"},
        {"{\"fen\": \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\", \"variations\": true}", "1:1"},
        {"{\"material\": \"KQRRBBNNPPPPPPPKQRRBBNNPPPPPPPP\", \"variations\": true}", "1:2"},
        /* comments and glyphs of the variation */
        {"{\"nag\": \"!\", \"variations\": true}", "1:1"},
        {"{\"nag\": 2, \"by\": \"white\", \"variations\": true}", "1:2"},
        {"{\"ply-comment\": \"open\", \"move\": \"Nf3\", \"variations\": true}", "1:1"},
        /* rules of the game are about the complete game */
        {"{\"move\": \"c5\", \"plies\": 4, \"variations\": true}", "1:1"},
        {"{\"mate\": true, \"result-type\": \"mate\", \"variations\": true}", ""},
        {"{\"not\": {\"ply\": \"0..\"}, \"variations\": true}", ""},
    };
    FINDS(games, searches);
}

/* A comment before the first move of a variation is at the ply where the variation begins. */
static void first_comments(void **state)
{
    static const query_answer searches[] = {
        {"{\"ply-comment\": \"first\", \"variations\": true}", "1:0"},
        {"{\"ply-comment\": \"first\", \"move\": \"d4\", \"variations\": true}", ""},
        {"{\"ply-comment\": \"second\", \"move\": \"d4\", \"variations\": true}", "1:0"},
    };
    (void)state;
    FINDS("[Event \"1\"]\n\n1. e4 ({first} 1. d4 {second} d5) 1... e5 *\n\n", searches);
}

/* ---- items that no archive has ---- */

enum { DEEP = 300 };

static const stamma_move pawn = 12 << 6 | 28 | STAMMA_FLAG_DOUBLE_PUSH << 12; /* e4 */

/* Returns the error of matching, and stores whether a variation or the game matches. */
static stamma_error test_items(const char *json, const stamma_archive_item *items, size_t count,
                               const stamma_allocator *allocator, bool *found)
{
    const stamma_archive_game game = {
        .start = stamma_position_start(), .moves = &pawn, .ply_count = 1, .items = items, .item_count = count};
    stamma_query *query = parse_query(json);
    stamma_matcher *matcher = NULL;
    stamma_error error = stamma_matcher_open(query, allocator, &matcher);
    if (error == STAMMA_OK)
        error = stamma_matcher_test(matcher, &game, found, NULL, NULL);
    stamma_matcher_close(matcher);
    stamma_query_close(query);
    return error;
}

/* A variation begins one level below its line, not after the end of the game, and at most 256 levels deep. */
static void invalid_items(void **state)
{
    static const char noted[] = "{\"variations\": true, \"nag\": 7}";
    static stamma_archive_item deep[DEEP + 2];
    const stamma_archive_item late[] = {{.kind = STAMMA_ITEM_VARIATION_BEGIN, .ply = 2, .depth = 1},
                                        {.kind = STAMMA_ITEM_NAG, .ply = 2, .depth = 1, .nag = 7},
                                        {.kind = STAMMA_ITEM_VARIATION_END, .ply = 2, .depth = 1}};
    const stamma_archive_item below[] = {{.kind = STAMMA_ITEM_VARIATION_BEGIN, .depth = 2},
                                         {.kind = STAMMA_ITEM_NAG, .depth = 2, .nag = 7},
                                         {.kind = STAMMA_ITEM_VARIATION_END, .depth = 2}};
    bool found = true;
    (void)state;
    assert_int_equal(test_items(noted, late, 3, NULL, &found), STAMMA_OK);
    assert_false(found);
    assert_int_equal(test_items(noted, below, 3, NULL, &found), STAMMA_OK);
    assert_false(found);
    for (unsigned levels = 255; levels <= 257; levels++) {
        for (unsigned n = 0; n < levels; n++)
            deep[n] = (stamma_archive_item){.kind = STAMMA_ITEM_VARIATION_BEGIN, .depth = n + 1};
        deep[levels] = (stamma_archive_item){.kind = STAMMA_ITEM_NAG, .depth = levels, .nag = 7};
        deep[levels + 1] = (stamma_archive_item){.kind = STAMMA_ITEM_VARIATION_END, .depth = levels};
        assert_int_equal(test_items(noted, deep, levels + 2, NULL, &found), STAMMA_OK);
        assert_int_equal(found, levels <= 256);
    }
}

/* Each allocation fails in turn. */
static void without_memory(void **state)
{
    static const char json[] = "{\"variations\": true, \"nag\": 7, \"move\": \"e4\", \"ply-comment\": \"x\"}";
    const stamma_archive_item items[] = {
        {.kind = STAMMA_ITEM_VARIATION_BEGIN, .depth = 1},
        {.kind = STAMMA_ITEM_MOVE, .depth = 1, .ply = 1, .move = pawn},
        {.kind = STAMMA_ITEM_NAG, .depth = 1, .ply = 1, .nag = 7},
        {.kind = STAMMA_ITEM_COMMENT, .depth = 1, .ply = 1, .text = {"X", 1}},
        {.kind = STAMMA_ITEM_VARIATION_END, .depth = 1},
        {.kind = STAMMA_ITEM_NAG, .ply = 1, .nag = 1},
    };
    unsigned fail_at = 0;
    stamma_error error;
    bool found = false;
    (void)state;
    do {
        failing_memory memory = {.fail_at = ++fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        error = test_items(json, items, sizeof items / sizeof *items, &allocator, &found);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        assert_int_equal(memory.alive, 0);
    } while (error != STAMMA_OK);
    assert_true(found);
    assert_in_range(fail_at, 8, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variations), cmocka_unit_test(first_comments),
                                       cmocka_unit_test(invalid_items), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
