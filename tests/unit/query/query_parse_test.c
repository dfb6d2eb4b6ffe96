/* SPDX-License-Identifier: MIT */
/* Tests parsing queries: valid queries, and the error messages for invalid queries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "query/query.h"

static stamma_text text_of(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_problem fault = {.size = 0};
    if (stamma_query_parse(text_of(json), NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: %s at %zu", json, fault.message, fault.offset);
    return query;
}

/* The queries in Scoutfish's README and in the grammar of its source. */
static void scoutfish(void **state)
{
    (void)state;
    static const char *const queries[] = {
        "{ \"sub-fen\": \"8/8/p7/8/8/1B3N2/8/8\" }",
        "{ \"sub-fen\": \"8/8/8/8/1k6/8/8/8\", \"material\": \"KBNKP\" }",
        "{ \"white-move\": \"O-O-O\" }",
        "{ \"sub-fen\": [\"8/8/8/q7/8/8/8/8\", \"8/8/8/r7/8/8/8/8\"] }",
        "{ \"sub-fen\": [\"rnbqkbnr/pp1p1ppp/2p5/4p3/3PP3/8/PPP2PPP/RNBQKBNR\",\n"
        "               \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R\"] }",
        "{ \"sub-fen\": \"8/pp1p1ppp/2p5/4p3/3PP3/8/PPP2PPP/8\", \"result\": \"1-0\" }",
        "{ \"result\": [\"1-0\", \"0-1\"] }",
        "{ \"result\": \"0-1\", \"result-type\": \"mate\" }",
        "{ \"material\": [\"KBNKNN\", \"KBNPKNN\"] }",
        "{ \"imbalance\": [\"PPPv\", \"PPv\"] }",
        "{ \"imbalance\": \"PPvN\" }",
        "{ \"sub-fen\": \"1n2k1n1/8/8/8/8/8/8/2B1K1N1\", \"material\": \"KBNKNN\" }",
        "{\"white-move\": \"e8=Q\"}",
        "{\"black-move\": [\"O-O-O\", \"O-O\"]}",
        "{\"black-move\": \"Rac1\"}",
        "{\"moved\": \"KP\", \"captured\": \"Q\" }",
        "{\"captured\": \"\" }",
        "{\"stm\": \"black\", \"captured\": \"QR\" }",
        "{\"pass\": \"\" }",
        "{ \"sequence\": [ { \"sub-fen\": \"r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/2N2N2/PPPP1PPP/R1BQK2R\", \"result\": "
        "\"1-0\" },\n"
        " { \"sub-fen\": \"8/8/8/8/2B5/8/8/8\" }, { \"sub-fen\": \"8/8/8/8/8/5B2/8/8\" } ] }",
        "{ \"streak\": [ { \"imbalance\": \"vP\" }, { \"imbalance\": \"vP\" }, { \"imbalance\": \"vP\" } ] }",
        "{ \"sequence\": [ { \"sub-fen\": \"rnbqkb1r/pp1p1ppp/4pn2/2pP4/2P5/2N5/PP2PPPP/R1BQKBNR\"},\n"
        " { \"streak\": [ { \"white-move\": \"e5\"}, { \"black-move\": \"dxe5\"}, { \"white-move\": \"f5\"} ] },\n"
        " { \"white-move\": \"Ne4\"} ] }",
        "{ \"streak\": [ { \"captured\": \"\" }, { \"stm\": \"white\", \"captured\": \"Q\" }, { \"captured\": \"\" } ] "
        "}",
        "{ \"streak\": [ { \"white-move\": \"e5\"}, { \"pass\": \"\" }, { \"white-move\": \"f5\"} ] }",
        "{\"skip\": 50, \"limit\": 10, \"white-move\": \"O-O-O\"}",
        "{ \"material\": \"KBNKP\", \"stm\": \"WHITE\" }",
        "{ \"material\": \"KNNK\", \"result\": \"1-0\" }",
        "{ \"sequence\": [ { \"sub-fen\": \"8/3q4/8/8/8/8/8/8\" , \"result\": \"0-1\" },\n"
        " { \"sub-fen\": \"2q5/8/8/8/8/8/8/R6R\" }] }",
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        stamma_query_close(parse(queries[i]));
}

/* A query, in which `^` and `^` enclose the bytes at which it is invalid. */
typedef struct wrong {
    const char *json;
    const char *message; /* part of the error message */
} wrong;

/* Returns whether the error is as expected. Otherwise prints the actual error. */
static bool is_wrong(const wrong *w)
{
    listing json = {0};
    list_word(&json, "");
    const char *first = strchr(w->json, '^'), *second = strchr(first + 1, '^');
    stamma_query *query = NULL;
    stamma_query_problem fault = {.reserved = {1, 1}}; /* an error overwrites them with 0 */
    list_bytes(&json, w->json, (size_t)(first - w->json));
    list_bytes(&json, first + 1, (size_t)(second - first - 1));
    list_word(&json, second + 1);
    stamma_error error = stamma_query_parse(text_of(json.text), NULL, &fault, &query);
    bool said = error == STAMMA_ERROR_SYNTAX && !query && fault.offset == (size_t)(first - w->json) &&
                fault.size == (size_t)(second - first - 1) && strstr(fault.message, w->message) &&
                fault.reserved[0] == 0 && fault.reserved[1] == 0;
    if (!said)
        print_error("%s: %zu bytes at %zu: %s\n", w->json, fault.size, fault.offset, fault.message);
    stamma_query_close(query);
    free(json.text);
    return said;
}

static void faults(void **state)
{
    (void)state;
    static const wrong all[] = {
        /* names */
        {"{^\"materal\"^: \"KK\"}", "unknown rule \"materal\"; did you mean \"material\"?"},
        {"{^\"White\"^: \"KK\"}", "did you mean \"white\"?"},
        {"{^\"subfen\"^: 1}", "did you mean \"sub-fen\"?"},
        {"{^\"zzzzzz\"^: 1}", "unknown rule \"zzzzzz\""},
        {"{\"not\": {^\"reslt\"^: \"1-0\"}}", "did you mean \"result\"?"},
        {"{^\"\\u0001\303\274berlange Namen werden gekuerzt, weil sonst nichts passt\"^: 1}",
         "unknown rule \"?\303\274berlange"},
        {"{\"white\": \"a\", ^\"white\"^: \"b\"}", "second time"},
        /* JSON */
        {"^^", "the text ends where a value is expected"},
        {"^{^\"white\": \"a\"", "never closed"},
        {"{\"white\": ^[^\"a\"", "never closed"},
        {"{\"white\": \"a\" ^\"^black\": \"b\"}", "expected a comma"},
        {"{^^", "expected the name"},
        {"{\"white\": ^\"a}^", "no closing quote"},
        {"{\"white\": ^Carlsen^}", "between double quotes"},
        {"{\"white\" ^\"^a\"}", "colon"},
        {"{^w^hite: \"a\"}", "between double quotes"},
        {"{\"white\": \"a\",^}^", "nothing follows this comma"},
        {"{\"white\": \"a\"} ^{}^", "something follows"},
        {"{\"white\": \"a^\\q^\"}", "no such escape"},
        {"{\"white\": \"a^\\u^00g0\"}", "no such escape"},
        {"{\"plies\": ^01^}", "no number"},
        {"{\"plies\": ^1.^}", "no number"},
        /* words */
        {"{\"stm\": ^\"w\"^}", "unknown side \"w\"; expected \"white\" or \"black\""},
        {"{\"result\": ^\"draw\"^}", "expected \"*\", \"1-0\", \"0-1\" or \"1/2-1/2\""},
        {"{\"has\": ^\"zz\"^}", "\"setup\" or \"text\""},
        {"{\"shift\": ^\"left\"^, \"sub-fen\": \"8/8/8/8/8/8/8/8\"}", "expected \"files\" or \"ranks\""},
        /* points, lines, paths, annotations */
        {"{\"balance\": \"^x^\"}", "whole number"},
        {"{\"points\": ^{}^}", "expected points"},
        {"{\"points\": {^\"whit\"^: 3}}", "did you mean \"white\"?"},
        {"{\"difference\": ^{\"of\": \"N\"}^}", "expected two counts"},
        {"{\"difference\": {\"of\": \"N\", \"minus\": ^3^}}", "expected pieces"},
        {"{\"difference\": {\"of\": \"N\", \"minus\": \"^x^\"}}", "no piece"},
        {"{\"opposite-bishops\": ^1^}", "true or false"},
        {"{\"attackers\": ^\"k\"^}", "expected attackers"},
        {"{\"attackers\": {\"of\": \"k\", \"by\": \"^.^\"}}", "no piece"},
        {"{\"attackers\": {\"of\": \"^z9^\", \"by\": \"A\"}}", "expected squares"},
        {"{\"ray\": ^\"B\"^}", "two to eight pieces"},
        {"{\"ray\": ^\"R R R R R R R R R\"^}", "two to eight pieces"},
        {"{\"ray\": \"^N^ k\"}", "a queen, a rook or a bishop"},
        {"{\"ray\": \"B ^x^\"}", "no piece"},
        {"{\"battery\": ^\"\"^}", "letters of pieces"},
        {"{\"path\": ^\"N\"^}", "expected a piece and squares"},
        {"{\"path\": \"N g1 ^f9^\"}", "expected a square"},
        {"{\"path\": \"^g^1 f3\"}", "no piece"},
        {"{\"nag\": ^\"good\"^}", "expected one of ! ?"},
        {"{\"nag\": ^true^}", "expected one of ! ?"},
        {"{\"ply-comment\": ^\"\"^}", "a comment contains"},
        {"{\"count\": {\"pieces\": \"B\", \"squares\": \"^lite^\"}}", "light or dark"},
        /* conditions */
        {"^[]^", "expected a condition"},
        {"^\"Carlsen\"^", "expected a condition"},
        {"{\"not\": ^[]^}", "expected a condition"},
        {"{\"all\": ^{}^}", "list of conditions"},
        {"{\"any\": ^[]^}", "empty list"},
        {"{\"any\": [{}, ^3^]}", "expected a condition"},
        {"{\"white\": ^[]^}", "empty list"},
        {"{\"white\": [\"a\", ^7^]}", "expected a name"},
        /* members that need others */
        {"{^\"gap\"^: 3, \"ply\": 2}", "beside \"sequence\""},
        {"{\"sequence\": [{}], \"gap\": ^0^}", "from 1 on"},
        {"{\"sequence\": [{}], \"gap\": ^1.5^}", "whole number"},
        {"{\"for\": ^\"3\"^, \"check\": true}", "whole number"},
        {"{^\"flipcolor\"^: true, \"check\": true}", "no rule beside this"},
        {"{^\"mirror\"^: true, \"not\": {\"check\": true}}", "no rule beside this"},
        {"{^\"mirror\"^: true, \"not\": {\"flipcolor\": true, \"mirror\": true, \"stm\": \"white\", \"any\": "
         "[{\"flipcolor\": true, "
         "\"mirror\": true, \"move\": \"e4\"}]}}",
         "at most four of"},
        {"{\"flipcolor\": ^\"yes\"^, \"stm\": \"white\"}", "true or false"},
        {"{^\"shift\"^: true, \"material\": \"KK\"}", "beside \"sub-fen\""},
        {"{\"shift\": ^\"file\"^, \"sub-fen\": \"8/8/8/8/8/8/8/8\"}", "did you mean \"files\"?"},
        {"{^\"ignore-castling\"^: true}", "beside \"fen\""},
        {"{\"not\": {^\"limit\"^: 3}}", "at the top"},
        {"{\"limit\": ^-3^}", "whole number"},
        {"{\"limit\": ^0^}", "from 1 on"},
        /* numbers */
        {"{\"plies\": ^true^}", "a whole number or a range such as"},
        {"{\"plies\": \"^x^\"}", "range such as"},
        {"{\"plies\": \"20..^30x^\"}", "range such as"},
        {"{\"plies\": ^\"..\"^}", "range such as"},
        {"{\"plies\": ^\"30..20\"^}", "ends before it begins"},
        {"{\"plies\": ^1.5^}", "whole number"},
        {"{\"plies\": ^1e3^}", "whole number"},
        {"{\"plies\": ^99999999999999999999^}", "whole number"},
        {"{\"clock\": \"^1.2345^..2\"}", "a number or a range"},
        {"{\"date\": \"^2010.13^\"}", "expected a date"},
        {"{\"date\": \"2010..^11^\"}", "expected a date"},
        {"{\"date\": ^\"2011..2010.12\"^}", "ends before it begins"},
        {"{\"eco\": \"^F10^\"}", "code such as"},
        {"{\"eco\": ^\"B99..B90\"^}", "ends before it begins"},
        /* words */
        {"{\"result\": ^\"1/2\"^}", "did you mean \"1/2-1/2\"?"},
        {"{\"result\": ^\"1:0\"^}", "did you mean \"1-0\"?"},
        {"{\"result\": ^1^}", "expected a text"},
        {"{\"result-type\": ^\"checkmate\"^}", "unknown end of a game"},
        {"{\"stm\": ^\"whit\"^}", "did you mean \"white\"?"},
        {"{\"has\": ^\"clock\"^}", "did you mean \"clocks\"?"},
        {"{\"castling\": ^\"kingside\"^}", "unknown castling"},
        {"{\"mate\": ^\"true\"^}", "true or false"},
        {"{\"moved\": \"K^X^\"}", "this is no piece"},
        {"{\"players\": ^[\"a\"]^}", "two names"},
        {"{\"players\": ^\"a\"^}", "two names"},
        {"{\"player\": ^\"\"^}", "expected a name"},
        {"{\"player\": [\"=a\", ^\"=\"^]}", "exactly this name"},
        {"{\"players\": [\"=a\", ^\"=\"^]}", "expected a name"},
        {"{\"tag\": ^{}^}", "expected tags"},
        {"{\"tag\": {\"Annotator\": ^true^}}", "expected a text"},
        /* boards */
        {"{\"fen\": \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN^X^ w KQkq -\"}", "expected a FEN"},
        {"{\"fen\": ^\"8/8/8/8/8/8/8/K7 w - -\"^}", "no legal position: no black king"},
        {"{\"sub-fen\": \"8/8/^7^/8/8/8/8/8\"}", "this rank has 7 squares"},
        {"{\"sub-fen\": \"8/8/^5p3^/8/8/8/8/8\"}", "more than 8 squares"},
        {"{\"sub-fen\": \"8/8/4^x^3/8/8/8/8/8\"}", "expected a piece"},
        {"{\"sub-fen\": \"8/8/4^[^pq3/8/8/8/8/8\"}", "expected a piece"},
        {"{\"fen\": ^\"4k3/8/8/8/8/8/8/4K3\"^}", "use \"sub-fen\""},
        {"{\"sub-fen\": ^\"8/8/8\"^}", "8 ranks"},
        {"{\"sub-fen\": \"8/8/8/8/8/8/8/8^/8^\"}", "more than 8 ranks"},
        {"{\"sub-fen\": \"8/8/8/8/8/8/8/8^ w - -^\"}", "use \"fen\""},
        {"{\"sub-fen\": \"\\u0038/8/8/8/8/8/8/^7^\"}", "this rank has 7 squares"},
        {"{\"pawns\": \"8/8/8/8/3^N^4/8/8/8\"}", "only pawns"},
        {"{\"material\": \"KRP^x^KR\"}", "expected a piece"},
        {"{\"material\": ^\"KRP\"^}", "both kings"},
        {"{\"material\": \"^R^KKR\"}", "begins with White's king"},
        {"{\"material\": \"KKR^K^\"}", "third king"},
        {"{\"material\": \"^K+^K\"}", "one king"},
        {"{\"imbalance\": ^\"PP\"^}", "a v between"},
        {"{\"imbalance\": \"PPvN^v^\"}", "one v"},
        {"{\"imbalance\": \"^K^v\"}", "expected a piece"},
        {"{\"count\": ^{\"n\": 2}^}", "expected pieces"},
        {"{\"count\": {^\"piece\"^: \"P\"}}", "did you mean \"pieces\"?"},
        {"{\"count\": {\"pieces\": \"P^Y^\"}}", "this is no piece"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": \"e4 ^i5^\"}}", "expected squares"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": ^\" \"^}}", "expected squares"},
        {"{\"passed\": ^{}^}", "numbers of pawns"},
        {"{\"passed\": ^2^}", "numbers of pawns"},
        {"{\"passed\": {\"white\": ^[]^}}", "empty list"},
        {"{\"attacks\": ^\"BN\"^}", "an x between"},
        {"{\"attacks\": \"Bx^.^\"}", "this is no piece"},
        {"{\"attacks\": \"Bxe4 ^e9^\"}", "expected squares"},
        {"{\"attacks\": ^{\"from\": \"N\"}^}", "expected an attack"},
        {"{\"pinned\": ^\"\"^}", "letters of pieces"},
        {"{\"move\": ^\"Nf9\"^}", "expected a move"},
        {"{\"move\": [\"e4\", ^\"\"^]}", "expected a move"},
        {"{\"shift\": ^3^, \"sub-fen\": \"8/8/8/8/8/8/8/8\"}", "expected true, false, \"files\" or \"ranks\""},
        {"{\"attackers\": ^{\"of\": \"k\"}^}", "expected attackers"},
        {"{\"attackers\": ^{\"by\": \"k\"}^}", "expected attackers"},
        {"{\"tag\": {\"Annotator\": ^[]^}}", "empty list"},
        {"{\"eco\": ^90^}", "expected a code"},
        {"{\"eco\": ^\"..\"^}", "expected a code"},
        {"{\"all-matches\": ^3^}", "expected true or false"},
        {"{\"variations\": ^\"yes\"^}", "expected true or false"},
        /* a name of more than 40 bytes is not cut within a letter */
        {"{^\"unknown names are cut after forty bytes:\303\274\"^: 1}", "forty bytes:...\""},
        {"{^\"unknown names are cut after forty bytes\303\274:\"^: 1}", "forty bytes...\""},
        {"{^\"unknown names are cut after forty byte\303\274:s\"^: 1}", "forty byte\303\274...\""},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        failed += !is_wrong(&all[i]);
    assert_int_equal(failed, 0);
}

/* Values of the wrong kind, and ends of texts. */
static void wrong_values(void **state)
{
    (void)state;
    static const wrong all[] = {
        {"{\"fen\": ^3^}", "expected a FEN"},
        {"{\"sub-fen\": ^3^}", "expected a placement"},
        {"{\"sub-fen\": \"8/8/8/8/8/8/8/7^[^\"}", "expected a piece"},
        {"{\"sub-fen\": \"8/8/8/8/8/8/8/7^[^Pp\"}", "expected a piece"},
        {"{\"sub-fen\": \"8/8/8/8/8/8/8/7^[^]\"}", "expected a piece"},
        {"{\"pawns\": ^3^}", "expected a placement"},
        {"{\"material\": ^3^}", "expected material"},
        {"{\"material\": \"KRK^\\u0000^\"}", "expected a piece"},
        {"{\"imbalance\": ^3^}", "expected an imbalance"},
        {"{\"pinned\": ^3^}", "letters of pieces"},
        {"{\"pinned\": \"n^\\u0000^\"}", "this is no piece"},
        {"{\"moved\": ^3^}", "letters of pieces"},
        {"{\"captured\": \"Q^\\u0000^\"}", "this is no piece"},
        {"{\"count\": ^3^}", "expected pieces"},
        {"{\"count\": {\"pieces\": ^3^}}", "letters of pieces"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": ^3^}}", "expected squares"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": \"^9^\"}}", "expected squares"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": \"^i1-b2^\"}}", "expected squares"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": \"^a9-b2^\"}}", "expected squares"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": \"^a1xb2^\"}}", "expected squares"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": \"^a1-i2^\"}}", "expected squares"},
        {"{\"count\": {\"pieces\": \"P\", \"squares\": \"^a1-b9^\"}}", "expected squares"},
        {"{\"passed\": {\"white\": [1, ^true^]}}", "whole number"},
        {"{\"difference\": ^3^}", "expected two counts"},
        {"{\"difference\": {\"minus\": \"N\", \"of\": ^{}^}}", "expected pieces"},
        {"{\"difference\": ^{\"minus\": \"N\"}^}", "expected two counts"},
        {"{\"attacks\": ^3^}", "expected an attack"},
        {"{\"attacks\": ^\"xq\"^}", "an x between"},
        {"{\"attacks\": ^\"Bx\"^}", "an x between"},
        {"{\"attacks\": \"Bx^ ^\"}", "this is no piece"},
        {"{\"attacks\": \"^.^xq\"}", "this is no piece"},
        {"{\"attacks\": ^{\"to\": \"N\"}^}", "expected an attack"},
        {"{\"attacks\": {\"from\": ^3^, \"to\": \"q\"}}", "letters of pieces"},
        {"{\"attacks\": {\"from\": \"^.^\", \"to\": \"q\"}}", "this is no piece"},
        {"{\"attacks\": {\"from\": \"B\", \"to\": ^3^}}", "or squares such as"},
        {"{\"attacks\": {\"from\": \"B\", \"to\": \"^.^\"}}", "this is no piece"},
        {"{\"attackers\": {\"of\": ^3^, \"by\": \"A\"}}", "or squares such as"},
        {"{\"attackers\": {\"of\": \"k\", \"by\": ^3^}}", "letters of pieces"},
        {"{\"attackers\": {\"of\": \"k\", \"by\": \"A\", \"n\": ^true^}}", "whole number"},
        {"{\"move\": ^3^}", "expected a move"},
        {"{\"ray\": ^3^}", "two to eight pieces"},
        {"{\"path\": ^3^}", "expected a piece and squares"},
        {"{\"nag\": ^\"\"^}", "expected one of ! ?"},
        {"{\"opening\": ^3^}", "a part of an opening"},
        {"{\"opening\": ^\"\"^}", "a part of an opening"},
        {"{\"comment\": ^3^}", "a comment contains"},
        {"{\"players\": ^[]^}", "two names"},
        {"{\"players\": ^[\"a\", \"b\", \"c\"]^}", "two names"},
        {"{\"tag\": ^3^}", "expected tags"},
        {"{\"eco\": \"^\\u0000^\"}", "expected a code"},
        {"{\"eco\": \"^Bx^\"}", "expected a code"},
        {"{\"eco\": \"^B9x^\"}", "expected a code"},
        {"{\"eco\": \"B90..^B999^\"}", "expected a code"},
        {"{\"speed\": ^3^}", "expected a text"},
        {"{\"speed\": ^\"fast\"^}", "unknown speed"},
        {"{\"stm\": ^\"white\\u0000\"^}", "unknown side"},
        {"{\"clock\": \"1..^2.^\"}", "a number or a range"},
        {"{\"date\": \"^2010.1^\"}", "expected a date"},
        {"{\"date\": \"^2010.00^\"}", "expected a date"},
        {"{\"date\": \"^2010-05-3^\"}", "expected a date"},
        {"{\"date\": \"^2010-05-00^\"}", "expected a date"},
        {"{\"date\": \"^2010-05-32^\"}", "expected a date"},
        {"{\"date\": \"^2010-05-31-^\"}", "expected a date"},
        {"{\"skip\": ^-1^}", "whole number"},
        {"{\"fen\": \"4k3/8/8/8/8/8/8/4K3 w - -\", \"ignore-castling\": ^3^}", "true or false"},
        {"{\"fen\": \"4k3/8/8/8/8/8/8/4K3 w - -\", \"ignore-en-passant\": ^3^}", "true or false"},
        {"{^\"flipcolor\"^: true, \"not\": {\"mirror\": true, \"any\": [{\"flipcolor\": true, \"mirror\": true, "
         "\"move\": \"e4\", \"not\": {\"flipcolor\": true, \"move\": \"d4\"}}]}}",
         "at most four of"},
        {"{\"white\": \"a^\\u^00G0\"}", "no such escape"},
        {"{\"white\": \"a^\\u^00:0\"}", "no such escape"},
        {"{\"white\": \"a^\\u^00/0\"}", "no such escape"},
        /* bytes that are not letters and cannot be shown */
        {"{^\"\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200"
         "\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\200\"^: 1}",
         "unknown rule \"...\""},
    };
    size_t failed = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        failed += !is_wrong(&all[i]);
    assert_int_equal(failed, 0);
}

/* Values that are written in several ways are the same. */
static void same_values(void **state)
{
    static const char *const codes[] = {"{\"eco\": \"B90..b99\"}", "{\"eco\": \"b90..B99\"}"};
    static const char *const attacks[] = {"{\"attacks\": \"Bxlight\"}", "{\"attacks\": \"Bxlight \"}",
                                          "{\"attacks\": {\"from\": \"B\", \"to\": \" light\"}}"};
    (void)state;
    for (size_t n = 0; n < sizeof codes / sizeof *codes; n++) {
        stamma_query *query = parse(codes[n]);
        const query_eco *eco = query->root.rules->values;
        assert_memory_equal(eco->low.data, "B90", 3);
        assert_memory_equal(eco->high.data, "B99", 3);
        stamma_query_close(query);
    }
    for (size_t n = 0; n < sizeof attacks / sizeof *attacks; n++) {
        stamma_query *query = parse(attacks[n]);
        const query_attacks *a = query->root.rules->values;
        assert_int_equal(a->from, 1 << STAMMA_BISHOP);
        assert_int_equal(a->to, 0);
        assert_true(a->squares == QUERY_LIGHT_SQUARES);
        stamma_query_close(query);
    }
    stamma_query *query = parse("{\"sub-fen\": \"8/8/8/8/8/8/8/P7\", \"shift\": false}");
    assert_int_equal(((const query_sub_fen *)query->root.rules->values)->count, 1);
    stamma_query_close(query);
    query = parse("{\"nag\": \"..3\"}");
    assert_int_equal(((const query_range *)query->root.rules->values)->high, 3);
    stamma_query_close(query);
}

/* An imbalance has at most a hundred pieces of a type. */
static void many_pieces(void **state)
{
    listing json = {0};
    (void)state;
    list_word(&json, "{\"imbalance\": [\"");
    for (unsigned n = 0; n < 300; n++)
        list_word(&json, "P");
    list_word(&json, "v\", \"v");
    for (unsigned n = 0; n < 300; n++)
        list_word(&json, "Q");
    list_word(&json, "\"]}");
    stamma_query *query = parse(json.text);
    const query_imbalance *all = query->root.rules->values;
    assert_int_equal(all[0].more[STAMMA_PAWN], 100);
    assert_int_equal(all[1].more[STAMMA_QUEEN], -100);
    stamma_query_close(query);
    free(json.text);
}

/* The root's rules are sorted by cost, independently of their order in the text. */
static void tree(void **state)
{
    (void)state;
    stamma_query *query =
        parse("{\"sequence\": [{\"check\": true}, {\"streak\": [{}, {}]}], \"gap\": 4, \"material\": \"KP+KP*\","
              "\"player\": [\"Caruana\", \"Nakamura\"], \"flipcolor\": true, \"skip\": 3, \"limit\": 9}");
    const query_rule *rule = query->root.rules;
    assert_int_equal(query->offset, 3);
    assert_int_equal(query->limit, 9);
    assert_int_equal(query->root.turns, QUERY_TURN_COLORS);
    assert_int_equal(rule->kind, QUERY_PLAYER);
    assert_in_range(rule->count, 4, 2 * NAME_PATTERNS); /* each name, and other spellings of it */
    stamma_text name = ((const query_pattern *)rule->values)[0].text;
    assert_int_equal(name.size, 8);
    assert_memory_equal(name.data, "caruana*", 8);
    rule = rule->next;
    assert_int_equal(rule->kind, QUERY_MATERIAL);
    const query_material *material = rule->values;
    assert_int_equal(material->low[0][STAMMA_PAWN], 1);
    assert_int_equal(material->high[0][STAMMA_PAWN], 255);
    assert_int_equal(material->low[1][STAMMA_PAWN], 0);
    assert_int_equal(material->high[1][STAMMA_QUEEN], 0);
    rule = rule->next;
    assert_int_equal(rule->kind, QUERY_SEQUENCE);
    assert_int_equal(rule->gap, 4);
    assert_int_equal(rule->condition_count, 2);
    assert_int_equal(rule->conditions->streak, 1);
    assert_int_equal(rule->conditions->next->streak, 2);
    assert_null(rule->next);
    stamma_query_close(query);
    static const char *const limited[] = {"{}", "{\"offset\": 0}", "{\"limit\": 3}", "{\"skip\": 1}"};
    for (unsigned n = 0; n < 4; n++) {
        query = parse(limited[n]);
        assert_int_equal(stamma_query_is_limited(query), n >= 2);
        stamma_query_close(query);
    }
    assert_false(stamma_query_is_limited(NULL));
    query = parse("{\"sub-fen\": \"8/8/8/8/8/8/8/P[Nn]A.?3\", \"has\": [\"text\", \"nags\"]}");
    assert_int_equal(stamma_query_parts(query), STAMMA_GAME_MOVES | STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS);
    rule = query->root.rules->next;
    const query_sub_fen *sub_fen = rule->values;
    assert_int_equal(sub_fen->required[STAMMA_PAWN], 1);
    assert_int_equal(sub_fen->required[STAMMA_KNIGHT], 0);
    assert_int_equal(sub_fen->places->forbidden[QUERY_EMPTY], 1 | 2 | 4 | 16);
    assert_int_equal(sub_fen->places->forbidden[6 + STAMMA_KING], 1 | 2 | 4 | 8);
    stamma_query_close(query);
}

/* Returns whether the query has a rule of a kind that is not in a condition of another rule. */
static bool has_rule(const char *json, query_kind kind)
{
    stamma_query *query = parse(json);
    bool found = false;
    for (const query_rule *rule = query->root.rules; rule; rule = rule->next)
        found |= rule->kind == kind;
    stamma_query_close(query);
    return found;
}

/* Rules in "all" become rules of the query if all conditions of the "all" contain only rules. */
static void all(void **state)
{
    (void)state;
    static const char *const kept[] = {
        "{\"all\": [{\"player\": \"A\", \"for\": 2}]}",
        "{\"all\": [{\"player\": \"A\", \"material\": \"KPK\", \"flipcolor\": true}]}",
        "{\"all\": [{\"player\": \"A\"}, {\"streak\": [{\"check\": true}, {\"check\": true}]}]}",
        "{\"any\": [{\"all\": [{\"player\": \"A\"}]}]}",
    };
    static const char *const moved[] = {
        "{\"all\": [{\"player\": \"A\"}]}",
        "{\"all\": [{\"result\": \"1-0\"}, {\"all\": [{\"player\": \"A\"}, {\"check\": true}]}], \"for\": 2}",
    };
    for (size_t n = 0; n < sizeof kept / sizeof *kept; n++)
        assert_false(has_rule(kept[n], QUERY_PLAYER));
    for (size_t n = 0; n < sizeof moved / sizeof *moved; n++)
        assert_true(has_rule(moved[n], QUERY_PLAYER) && !has_rule(moved[n], QUERY_ALL));
}

/* Any allocation may fail: nothing leaks, and the next attempt succeeds. */
static void without_memory(void **state)
{
    (void)state;
    static const char json[] =
        "{\"sequence\": [{\"sub-fen\": \"8/8/8/8/8/8/P7/8\", \"shift\": true}, {\"tag\": {\"a\": [\"b\", \"c\"]}}],"
        "\"fen\": \"4k3/8/8/8/8/8/8/4K3 w - -\", \"passed\": {\"white\": [1, 2]}, \"flipcolor\": true,"
        "\"eco\": \"B\", \"any\": [{\"comment\": \"x\"}, {}]}";
    stamma_error error;
    unsigned fail_at = 0;
    do {
        failing_memory memory = {.fail_at = ++fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_query *query = NULL;
        error = stamma_query_parse(text_of(json), &allocator, NULL, &query);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        assert_int_equal(error == STAMMA_OK, query != NULL);
        stamma_query_close(query);
        assert_int_equal(memory.alive, 0);
    } while (error != STAMMA_OK && fail_at < 1000);
    assert_true(fail_at > 20 && fail_at < 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scoutfish),   cmocka_unit_test(faults),         cmocka_unit_test(wrong_values),
        cmocka_unit_test(same_values), cmocka_unit_test(many_pieces),    cmocka_unit_test(tree),
        cmocka_unit_test(all),         cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
