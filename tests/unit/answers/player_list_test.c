/* SPDX-License-Identifier: MIT */
/* Tests lists of players: counts and ratings from games and from an index file, and the names that match a text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum { ROOM = 20, LINE = 400 };

/* Names in several spellings, ratings that search columns do not represent, missing and unusual names. */
static const char text[] =
    "[White \"Kramnik,V\"]\n[Black \"Leko,P\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2690\"]\n\n1. e4 1-0\n\n"
    "[White \"Leko, Peter\"]\n[Black \"Kramnik,V\"]\n[WhiteElo \"2650\"]\n[BlackElo \"2801\"]\n\n1. d4 1-0\n\n"
    "[White \"Kramnik, Vladimir\"]\n[Black \"?\"]\n[WhiteElo \"5000\"]\n\n1. e4 *\n\n"
    "[White \"Kramnik,V\"]\n[Black \"\"]\n[WhiteElo \"?\"]\n\n1. e4 e5 *\n\n"
    "[White \"Kramnikov, Oleg V\"]\n[Black \"O'Hara, Zo\xEB\"]\n[BlackElo \"9\"]\n\n1. e4 *\n\n"
    "[White \"Li,Chao\"]\n[Black \"Lilov, V\"]\n\n1. e4 *\n\n"
    "[White \"Lilov, V\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n"
    "[Event \"x\"]\n\n1. e4 *\n\n"
    "[White \"Huebner, R\"]\n[Black \"H\xC3\xBC"
    "bner, Robert\"]\n\n1. e4 *\n\n"
    "[White \"\xD0\x9A\xD0\xB0\xD1\x80\xD0\xBF\xD0\xBE\xD0\xB2\"]\n\n1. e4 *\n\n"
    "[White \"Andrew, Albert\"]\n[Black \"V\"]\n\n*\n\n";

/* Lists the players that are found as "name games-as-White games-as-Black min-max; ...". */
static void list_found(const stamma_players *players, const char *words, size_t room, char out[LINE])
{
    stamma_player found[ROOM];
    size_t count = 0, size = 0;
    assert_int_equal(stamma_players_find(players, stamma_text_of(words), found, room, &count), STAMMA_OK);
    assert_true(count <= room);
    out[0] = 0;
    for (size_t n = 0; n < count; n++)
        size += (size_t)snprintf(out + size, LINE - size, "%s%.*s %d %d %d-%d", n > 0 ? "; " : "",
                                 (int)found[n].name.size, found[n].name.data, (int)found[n].games[0],
                                 (int)found[n].games[1], found[n].rating_min, found[n].rating_max);
}

static stamma_players *players_of(stamma_archive *archive)
{
    stamma_players *players = NULL;
    assert_int_equal(stamma_players_open(NULL, &players), STAMMA_OK);
    assert_int_equal(stamma_players_add_archive(players, archive, NULL, NULL), STAMMA_OK);
    return players;
}

static void finds_names(void **state)
{
    static const struct {
        const char *words, *found;
    } cases[] = {
        /* letters with two dots, and Cyrillic letters */
        {"hubner", "Huebner, R 1 0 0-0; H\xC3\xBC"
                   "bner, Robert 0 1 0-0"},
        {"huebner", "Huebner, R 1 0 0-0; H\xC3\xBC"
                    "bner, Robert 0 1 0-0"},
        {"hueb", "Huebner, R 1 0 0-0; H\xC3\xBC"
                 "bner, Robert 0 1 0-0"},
        {"hue", "Huebner, R 1 0 0-0"},
        {"karpov", "\xD0\x9A\xD0\xB0\xD1\x80\xD0\xBF\xD0\xBE\xD0\xB2 1 0 0-0"},
        {"kramnik", "Kramnik,V 2 1 2700-2801; Kramnik, Vladimir 1 0 5000-5000; Kramnikov, Oleg V 1 0 0-0"},
        {"Vladimir KRAMNIK", "Kramnik,V 2 1 2700-2801; Kramnik, Vladimir 1 0 5000-5000; Kramnikov, Oleg V 1 0 0-0"},
        {"v kramnik", "Kramnik,V 2 1 2700-2801; Kramnik, Vladimir 1 0 5000-5000; Kramnikov, Oleg V 1 0 0-0"},
        {"vlad kram", "Kramnik,V 2 1 2700-2801; Kramnik, Vladimir 1 0 5000-5000; Kramnikov, Oleg V 1 0 0-0"},
        {"vladimir", "Kramnik, Vladimir 1 0 5000-5000"}, /* an initial is not enough */
        {"kramnik vladimir peter", ""},
        {"ohara zoe", "O'Hara, Zo\xC3\xAB 0 1 9-9"},
        {"ZO\xC3\x8B O'Hara", "O'Hara, Zo\xC3\xAB 0 1 9-9"},
        {"li", "Li,Chao 1 0 0-0; Lilov, V 1 1 0-0"}, /* the complete word is better than more games */
        {"al andrew", "Andrew, Albert 1 0 0-0"},
        {"a alb", "Andrew, Albert 1 0 0-0"}, /* "a" must leave Albert to "alb" */
        {"peter leko", "Leko, Peter 1 0 2650-2650; Leko,P 0 1 2690-2690"},
        {"a b c d e f g h i j", ""},
        {"?", NULL},
        {"", NULL},
    };
    const stamma_players *players = *state;
    char out[LINE], all[LINE];
    list_found(players, "", ROOM, all);
    assert_non_null(strstr(all, "Kramnik,V 2 1 2700-2801; Lilov, V 1 1 0-0; ")); /* most games first */
    assert_null(strstr(all, "?"));
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        list_found(players, cases[n].words, ROOM, out);
        assert_string_equal(out, cases[n].found ? cases[n].found : all);
    }
    list_found(players, "kramnik", 1, out);
    assert_string_equal(out, "Kramnik,V 2 1 2700-2801");
    list_found(players, "kramnik", 0, out);
    assert_string_equal(out, "");
}

/* Lists are the same at each level, with an index in memory, with an index file, and with a damaged index file. */
static void is_the_same_with_indexes(void **state)
{
    char expected[LINE], out[LINE];
    list_found(*state, "", ROOM, expected);
    for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
        listing archive = pack_at(level, text, sizeof text - 1, NULL), file = index_file_of(&archive);
        for (int kind = 0; kind < 4; kind++) {
            if (kind == 3)
                file.text[5000] ^= 1;
            stamma_archive *opened = open_indexed(&archive, kind > 1 ? &file : NULL);
            if (kind == 1)
                assert_int_equal(stamma_archive_keep_index(opened, NULL), STAMMA_OK);
            stamma_players *players = players_of(opened);
            list_found(players, "", ROOM, out);
            assert_string_equal(out, expected);
            assert_int_equal(index_state(opened).damaged, kind == 3);
            stamma_players_close(players);
            stamma_archive_close(opened);
        }
        free(archive.text);
        free(file.text);
    }
}

/* Names that differ only in case and accents are one player, whose games a rule for exactly this name finds. */
static void joins_case_and_accents(void **state)
{
    static const char games[] = "[White \"HUBNER, R\"]\n[Black \"Hubner, Robert\"]\n\n*\n\n"
                                "[White \"H\xC3\xBC"
                                "bner, R\"]\n[Black \"Hubner, R\"]\n\n*\n\n"
                                "[White \"Huebner, R\"]\n[Black \"Hubner, Ro\"]\n\n*\n\n";
    char out[LINE];
    listing archive = pack_at(1, games, sizeof games - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    stamma_players *players = players_of(opened);
    stamma_stats_results results = {.games = 0};
    stamma_query *query = NULL;
    (void)state;
    list_found(players, "hubner r", ROOM, out);
    assert_string_equal(out, "H\xC3\xBC"
                             "bner, R 2 1 0-0; Huebner, R 1 0 0-0; Hubner, Ro 0 1 0-0; Hubner, Robert 0 1 0-0");
    assert_int_equal(stamma_query_parse(stamma_text_of("{\"player\": \"=hubner, r\"}"), NULL, NULL, &query), STAMMA_OK);
    assert_int_equal(stamma_stats_count_archive(&results, opened, query, NULL, NULL), STAMMA_OK);
    assert_int_equal(results.games, 2);
    stamma_query_close(query);
    stamma_players_close(players);
    stamma_archive_close(opened);
    free(archive.text);
}

/* Other transliterations are before wrong letters, and names with more games before others. */
static void finds_similar_names(void **state)
{
    static const char games[] = "[White \"Yusupov,A\"]\n[Black \"Yusupov, Artur\"]\n\n*\n\n"
                                "[White \"Yusupov, Artur\"]\n[Black \"Jusupow\"]\n\n*\n\n"
                                "[White \"Yusopov,K\"]\n[Black \"Chigorin, M\"]\n\n*\n\n"
                                "[White \"Khalifman,A\"]\n[Black \"\xD0\xA7\xD0\xB8\xD0\xB3\xD0\xBE\xD1\x80"
                                "\xD0\xB8\xD0\xBD\"]\n\n*\n\n";
    static const struct {
        const char *name, *found;
    } cases[] = {{"Jussupow", "Yusupov, Artur; Jusupow; Yusupov,A"},
                 {"Jussupow, Artur", "Yusupov, Artur; Jusupow; Yusupov,A"},
                 {"Jussupow, Boris", "Jusupow"},
                 {"Yusopov", "Yusopov,K; Yusupov, Artur; Yusupov,A"},
                 {"Tchigorin", "Chigorin, M; \xD0\xA7\xD0\xB8\xD0\xB3\xD0\xBE\xD1\x80\xD0\xB8\xD0\xBD"},
                 {"Chalifman", "Khalifman,A"},
                 {"Kasparov", ""},
                 {"", ""}};
    listing archive = pack_at(1, games, sizeof games - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    stamma_players *players = players_of(opened);
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        stamma_player found[ROOM];
        char out[LINE] = "";
        size_t count = 0, size = 0;
        assert_int_equal(stamma_players_similar(players, stamma_text_of(cases[n].name), found, ROOM, &count),
                         STAMMA_OK);
        for (size_t k = 0; k < count; k++)
            size += (size_t)snprintf(out + size, LINE - size, "%s%.*s", k > 0 ? "; " : "", (int)found[k].name.size,
                                     found[k].name.data);
        assert_string_equal(out, cases[n].found);
        assert_int_equal(stamma_players_similar(players, stamma_text_of(cases[n].name), found, 1, &count), STAMMA_OK);
        assert_int_equal(count, cases[n].found[0] != 0);
    }
    stamma_players_close(players);
    stamma_archive_close(opened);
    free(archive.text);
}

/* A list of two archives contains the sums of both. */
static void adds_archives(void **state)
{
    (void)state;
    char out[LINE];
    listing archive = pack_at(1, text, sizeof text - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    stamma_players *players = players_of(opened);
    assert_int_equal(stamma_players_add_archive(players, opened, NULL, NULL), STAMMA_OK);
    list_found(players, "kramnik v", 1, out);
    assert_string_equal(out, "Kramnik,V 4 2 2700-2801");
    stamma_players_close(players);
    stamma_archive_close(opened);
    free(archive.text);
}

/* Initials of other alphabets: letters of two, three and four bytes. Equally good names are in the order of their
 * bytes; a name that is a prefix of another name comes first. */
static void finds_other_alphabets(void **state)
{
    static const char other[] = "[White \"\xD0\x91\xD0\x91\xD0\x91,\xD0\x90\"]\n[Black "
                                "\"\xE4\xB8\x80\xE4\xB8\x81,\xE4\xB8\x83\"]\n\n1. e4 *\n\n"
                                "[White \"\xF0\xA0\x80\x80\xF0\xA0\x80\x81,\xF0\xA0\x80\x83\"]\n\n1. e4 *\n\n"
                                "[White \"Same, A.\"]\n[Black \"Same, A\"]\n\n1. e4 *\n\n";
    static const struct {
        const char *words, *found;
    } cases[] = {
        {"\xD0\x91\xD0\x91\xD0\x91 \xD0\x90\xD0\x90", "\xD0\x91\xD0\x91\xD0\x91,\xD0\x90 1 0 0-0"},
        {"\xD0\x91\xD0\x91\xD0\x91 \xD0\x91\xD0\x90", ""},
        {"\xE4\xB8\x80\xE4\xB8\x81 \xE4\xB8\x83\xE4\xB8\x80", "\xE4\xB8\x80\xE4\xB8\x81,\xE4\xB8\x83 0 1 0-0"},
        {"\xF0\xA0\x80\x80\xF0\xA0\x80\x81 \xF0\xA0\x80\x83\xF0\xA0\x80\x80",
         "\xF0\xA0\x80\x80\xF0\xA0\x80\x81,\xF0\xA0\x80\x83 1 0 0-0"},
        {"same a", "Same, A 0 1 0-0; Same, A. 1 0 0-0"},
    };
    (void)state;
    char out[LINE];
    listing archive = pack_at(1, other, sizeof other - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    stamma_players *players = players_of(opened);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        list_found(players, cases[n].words, ROOM, out);
        assert_string_equal(out, cases[n].found);
    }
    stamma_players_close(players);
    stamma_archive_close(opened);
    free(archive.text);
}

/* Each allocation fails in turn. */
static void without_memory(void **state)
{
    (void)state;
    listing archive = pack_at(1, text, sizeof text - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    bool failed = true;
    for (unsigned n = 1; failed; n++) {
        failing_memory memory = {.fail_at = 0};
        const stamma_allocator allocator = failing_allocator(&memory);
        stamma_players *players = NULL;
        assert_int_equal(stamma_players_open(&allocator, &players), STAMMA_OK);
        memory.fail_at = memory.calls + n;
        const stamma_error error = stamma_players_add_archive(players, opened, NULL, NULL);
        failed = memory.calls >= memory.fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        stamma_players_close(players);
        assert_int_equal(memory.alive, 0);
    }
    stamma_archive_close(opened);
    free(archive.text);
}

static int set_up(void **state)
{
    listing archive = pack_at(1, text, sizeof text - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    *state = players_of(opened);
    stamma_archive_close(opened);
    free(archive.text);
    return 0;
}

static int tear_down(void **state)
{
    stamma_players_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_names),         cmocka_unit_test(finds_other_alphabets),
        cmocka_unit_test(without_memory),      cmocka_unit_test(is_the_same_with_indexes),
        cmocka_unit_test(adds_archives),       cmocka_unit_test(joins_case_and_accents),
        cmocka_unit_test(finds_similar_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
