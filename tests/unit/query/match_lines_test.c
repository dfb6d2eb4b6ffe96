/* SPDX-License-Identifier: MIT */
/* Tests rules about lines: attackers, rays and batteries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query_support.h"

/* 1: a double check at ply 1, by a rook and a knight; 2: a queen that nothing protects */
static const char attackers_text[] =
    "[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1\"]\n\n1. Nf6+ Kf8 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/3Q4/8/8/8/4K2R w - - 0 1\"]\n\n1. Rh5 Kf8 *\n\n";

static void attackers(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        /* the rook on e1 and the knight on f6 */
        {"{\"attackers\": {\"of\": \"k\", \"by\": \"A\", \"n\": 2}}", "1:1"},
        {"{\"attackers\": {\"of\": \"k\", \"by\": \"N\", \"n\": 2}}", ""},
        /* at least one attacker */
        {"{\"attackers\": {\"of\": \"k\", \"by\": \"A\"}}", "1:1"},
        {"{\"attackers\": {\"of\": \"K\", \"by\": \"a\", \"n\": 2}, \"flipcolor\": true}", "1:1"},
        /* the rook on h5 protects the queen */
        {"{\"attackers\": {\"of\": \"Q\", \"by\": \"A\", \"n\": 0}}", "2:0"},
        {"{\"attackers\": {\"of\": \"Q\", \"by\": \"A\", \"n\": 1}}", "2:1"},
        /* attackers of both sides */
        {"{\"attackers\": {\"of\": \"d8\", \"by\": \"Qk\", \"n\": 2}}", "2:0"},
        /* from f6 a knight attacks light squares, from e4 dark squares */
        {"{\"attackers\": {\"of\": \"light\", \"by\": \"N\", \"n\": 1}}", "1:1"},
        {"{\"attackers\": {\"of\": \"dark light\", \"by\": \"N\", \"n\": 1}}", "1:0"},
        {"{\"attackers\": {\"of\": \"dark\", \"by\": \"N\", \"n\": 1}, \"ply\": \"1..\"}", ""},
        {"{\"attackers\": [{\"of\": \"n\", \"by\": \"A\"}, {\"of\": \"K\", \"by\": \"a\", \"n\": \"..0\"}]}",
         "1:0 2:0"},
    };
    FINDS(attackers_text, searches);
}

/* 1: a knight is pinned to its king, then a skewer on a file; 2: a rook after a rook, and a queen before a bishop */
static const char rays_text[] =
    "[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"3rk3/3n4/8/1B6/8/8/8/K2R4 w - - 0 1\"]\n\n1. Bxd7+ Rxd7 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"3qk3/8/8/3R4/8/8/1B6/K2R4 b - - 0 1\"]\n\n1... Qxd5 *\n\n";

static void rays(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"ray\": \"B n k\"}", "1:0"},
        {"{\"ray\": \"b N K\", \"flipcolor\": true}", "1:0"},
        {"{\"ray\": \"R n r\"}", "1:0"},
        {"{\"ray\": \"R r\"}", "1:2"},
        {"{\"ray\": \"R R q\"}", "2:0"},
        {"{\"ray\": \"R q\", \"mirror\": true}", "2:0"},
        /* the bishop gives check from d7 */
        {"{\"ray\": \"B k\"}", "1:1"},
        /* a bishop does not move on files */
        {"{\"ray\": \"B r\"}", ""},
        {"{\"ray\": [\"q R R\", \"B a\"]}", "1:0 2:0"},
        {"{\"ray\": \"q A a\"}", ""},
        /* only sliders begin a ray */
        {"{\"ray\": \"A n k\"}", "1:0"},
    };
    FINDS(rays_text, searches);
}

/* 1: doubled rooks until one of them is captured; 2: queen and bishop on a diagonal */
static const char batteries_text[] =
    "[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"3qk3/8/8/3R4/8/8/8/K2R4 b - - 0 1\"]\n\n1... Qxd5 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/1Q6/B3K3 w - - 0 1\"]\n\n1. Qb3 Ke7 *\n\n";

static void batteries(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"battery\": \"R\"}", "1:0"},
        {"{\"battery\": \"r\", \"flipcolor\": true}", "1:0"},
        {"{\"battery\": \"RQ\"}", "1:0"},
        {"{\"battery\": \"QB\"}", "2:0"},
        /* two bishops */
        {"{\"battery\": \"B\"}", ""},
        /* not a queen of one side and a rook of the other */
        {"{\"battery\": \"Rq\"}", "1:0"},
        {"{\"battery\": \"qr\"}", ""},
        /* a queen on b3 and a bishop on a1 are on no line */
        {"{\"battery\": \"A\", \"ply\": \"1..\"}", ""},
    };
    FINDS(batteries_text, searches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(attackers), cmocka_unit_test(rays),
                                       cmocka_unit_test(batteries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
