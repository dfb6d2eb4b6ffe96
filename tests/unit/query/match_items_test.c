/* SPDX-License-Identifier: MIT */
/* Tests rules about the items after a move: glyphs and comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query_support.h"

/* 1: glyphs and comments, also in a variation; 2: none */
static const char items_text[] = "[Event \"1\"]\n\n{Before} 1. e4! {Best by test} 1... e5?? $14 (1... c5!! {Sicilian} "
                                 "2. Nf3) {after the variation} 2. Nf3 *\n\n"
                                 "[Event \"2\"]\n\n1. e4 e5 *\n\n";

static void items(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"nag\": \"!\"}", "1:1"},
        {"{\"nag\": \"??\"}", "1:2"},
        {"{\"nag\": 14}", "1:2"},
        {"{\"nag\": \"2..20\"}", "1:2"},
        {"{\"nag\": [\"!\", \"??\"], \"by\": \"black\"}", "1:2"},
        /* glyphs of variations do not count */
        {"{\"nag\": \"!!\"}", ""},
        {"{\"nag\": \"!\", \"ply\": \"2..\"}", ""},
        {"{\"ply-comment\": \"BEST\"}", "1:1"},
        {"{\"ply-comment\": \"before\"}", "1:0"},
        {"{\"ply-comment\": \"Sicilian\"}", ""},
        {"{\"ply-comment\": \"variation\"}", "1:2"},
        {"{\"ply-comment\": [\"variation\", \"test\"], \"ply\": \"2..\"}", "1:2"},
        {"{\"not\": {\"ply-comment\": \"before\"}}", "1:1 2:0"},
        {"{\"streak\": [{\"nag\": \"!\"}, {\"nag\": \"??\"}]}", "1:1,2"},
    };
    FINDS(items_text, searches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(items)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
