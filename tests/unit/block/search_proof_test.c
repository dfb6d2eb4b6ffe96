/* SPDX-License-Identifier: MIT */
/* Tests that the two independent ways to compute the search entry of a record have the same result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "game_texts.h"
#include "value_games.h"

static bool is_same(const search_entry *a, const search_entry *b)
{
    return a->home_pawns == b->home_pawns && a->pawns == b->pawns && a->pieces[0] == b->pieces[0] &&
           a->pieces[1] == b->pieces[1] && a->result == b->result && a->rating[0] == b->rating[0] &&
           a->rating[1] == b->rating[1] && a->month == b->month;
}

/* Parses a text, and compares both entries of each record. */
static void compare(const listing *text)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    parser p;
    bool found = true;
    stamma_parser_init(&p, &allocator);
    stamma_pgn_lexer_init(&p.lexer, PARSER_TOKEN_MAX);
    stamma_parser_feed(&p, (const uint8_t *)text->text, text->size, true);
    for (size_t n = 0; found; n++) {
        assert_int_equal(stamma_parser_next(&p, &found), STAMMA_OK);
        if (!found)
            break;
        const parsed_record *r = &p.parsed;
        const search_entry a = stamma_search_entry(&r->record, &r->end), b = stamma_search_proof(&r->record, &r->end);
        if (!is_same(&a, &b))
            fail_msg("record %zu: %.*s", n, (int)(r->text.size < 500 ? r->text.size : 500), r->text.data);
    }
    stamma_parser_release(&p);
}

static void games_of_all_styles(void **state)
{
    (void)state;
    for (const text_style *style = text_styles; style->name; style++) {
        listing text = {0};
        for (unsigned n = 0; n < 30; n++)
            list_game(&text, style);
        compare(&text);
        free(text.text);
    }
}

static void games_with_tags(void **state)
{
    (void)state;
    listing text = {0};
    list_tagged_games(&text, 500);
    compare(&text);
    free(text.text);
}

/* Combines each value of each tag with each value of another tag. */
static void values_of_tags(void **state)
{
    (void)state;
    static const char *const names[] = {"Result", "WhiteElo", "BlackElo", "Date", "UTCDate", "result", "WhiteELO"};
    static const char *const values[] = {
        "",           "?",          "-",          "*",          "1-0",        "0-1",        "1/2-1/2",    "1/2",
        "0",          "0000",       "4094",       "4095",       "9999",       "02500",      "12a",        " 1",
        "4294967296", "????.??.??", "2019.05.31", "2019.??.??", "2019.5.31",  "2019.13.01", "2019.00.01", "2019.01.00",
        "2019.01.32", "2019.01.31", "0000.01.01", "5000.12.31", "5001.01.01", "????.01.??", "????.??.01", "2?19.01.01",
        "2019.?1.01", "2019.01.?1", "2019-01-01", "2019.01.011"};
    enum { NAMES = sizeof names / sizeof *names, VALUES = sizeof values / sizeof *values };
    listing text = {0};
    char game[200];
    for (size_t n = 0; n < (size_t)NAMES * NAMES; n++)
        for (size_t v = 0; v < VALUES; v++) {
            const char *other = values[(v * 7 + n) % VALUES], *end = values[3 + n % 4];
            const int size = snprintf(game, sizeof game, "[%s \"%s\"]\n[%s \"%s\"]\n\n1. e4 (1. d4 0-1) e5 %s\n\n",
                                      names[n / NAMES], values[v], names[n % NAMES], other, end);
            list_bytes(&text, game, (size_t)size);
        }
    compare(&text);
    free(text.text);
}

static void promotions_and_pieces(void **state)
{
    (void)state;
    static const char *const games[] = {
        "[FEN \"4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1\"]\n\n1. a8=Q+ Kd7 2. h8=Q a1=N 3. Qa7+ Ke6 4. Qxa1 h1=R+ *\n\n",
        "[FEN \"4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1\"]\n\n1. a8=N (1. a8=Q+) a1=B 2. h8=R+ Kd7 *\n\n",
        "[FEN \"4k3/8/8/8/8/QQQ5/QQ5P/4K3 w - - 0 1\"]\n\n1. Kf2 *\n\n",
        "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. a4 h5 1-0\n\n",
        "[FEN \"rubbish\"]\n\n1. e4 *\n\n", "1. e4 e5 2. Ke3 *\n\n", "{no moves} 1/2-1/2\n\n", "(1. e4 1-0) 0-1\n\n"};
    listing text = {0};
    for (size_t n = 0; n < sizeof games / sizeof *games; n++)
        list_bytes(&text, games[n], strlen(games[n]));
    compare(&text);
    free(text.text);
}

/* A game in pieces: a piece after the first has no signature. */
static void pieces_of_a_game(void **state)
{
    (void)state;
    listing text = {0};
    list_word(&text, "[Result \"1-0\"]\n\n1. e4 e5 {");
    for (size_t size = 0; size < (size_t)2 * PARSER_TOKEN_MAX; size += 8)
        list_bytes(&text, "comment ", 8);
    list_bytes(&text, "} 2. Nf3 1-0\n", 13);
    compare(&text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_all_styles),   cmocka_unit_test(games_with_tags),
        cmocka_unit_test(values_of_tags),        cmocka_unit_test(promotions_and_pieces),
        cmocka_unit_test(pieces_of_a_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
