/* Tests searches in variations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query_support.h"

/* 1: a variation at Black's first move, with a variation inside; one at White's second move; 2: no variations; 3: a
 * variation that mates. */
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
        /* a variation inside a variation: where the outer one leaves the main line */
        {"{\"move\": \"c3\", \"variations\": true}", "1:1"},
        {"{\"streak\": [{\"move\": \"c3\"}, {\"move\": \"d5\"}], \"variations\": true}", "1:1"},
        /* its moves are not those of the variation around it, which continues after it */
        {"{\"streak\": [{\"move\": \"c5\"}, {\"move\": \"c3\"}], \"variations\": true}", ""},
        {"{\"streak\": [{\"move\": \"c5\"}, {\"move\": \"Nf3\"}, {\"move\": \"d6\"}, {\"move\": \"d4\"}], "
         "\"variations\": true}",
         "1:1"},
        /* a variation does not contain the moves before it */
        {"{\"sequence\": [{\"move\": \"e4\"}, {\"move\": \"d6\"}], \"variations\": true}", ""},
        /* numbers continue those of the game */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
