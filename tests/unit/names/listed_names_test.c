/* SPDX-License-Identifier: MIT */
/* Tests which listed player a name belongs to: FIDE ids first, then the weights of all players whom the name fits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "name_decisions.h"

#define TEXT(text) stamma_text_of(text)

static void add_person(stamma_names *names, const char *name, const char *id, const char *federation, const char *title,
                       unsigned rating, unsigned born)
{
    const stamma_name_person person = {.size = sizeof person,
                                       .name = TEXT(name),
                                       .id = TEXT(id),
                                       .federation = TEXT(federation),
                                       .title = TEXT(title),
                                       .rating = (uint16_t)rating,
                                       .born = (uint16_t)born};
    assert_int_equal(stamma_names_add_person(names, &person), STAMMA_OK);
}

static bool is_text(stamma_text text, const char *wanted)
{
    return text.size == strlen(wanted) && memcmp(text.data ? text.data : "", wanted, text.size) == 0;
}

static void add_spelling(stamma_names *names, const char *name, const char *spelling, const char *id)
{
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT(name), TEXT(spelling), TEXT(id)),
                     STAMMA_OK);
}

static stamma_names *open_players(const char *text)
{
    static const stamma_names_options players = {.size = sizeof players, .kinds = 1u << STAMMA_NAME_PLAYER};
    return names_with(text, &players);
}

/* Another listed player has exactly the name of the games, but their id decides. */
static void ids_before_spellings(void **state)
{
    (void)state;
    stamma_names *names = open_players(RATED("2015", "2800", "Anand,V", ID("5000017")));
    add_person(names, "Anand V", "", "IND", "", 1400, 1990);
    add_person(names, "Anand, Viswanathan", "5000017", "IND", "GM", 2753, 1969);
    check_decisions(names, "Anand,V > Anand, Viswanathan list yes [5000017]\n");
    /* digits and joined initials need not agree if the id is known */
    names = open_players(RATED("2015", "2300", "Tan,Ju2", ID("3")) RATED("2015", "2300", "Cordes,HJ", ID("4")));
    add_person(names, "Tan, Justin1", "3", "SGP", "", 2300, 1990);
    add_person(names, "Tan, Justin2", "5", "SGP", "", 2300, 1990);
    add_person(names, "Cordes, Hans-Joerg, Dr.", "4", "GER", "", 2300, 1960);
    check_decisions(names, "Cordes,HJ > Cordes, Hans-Joerg, Dr. list yes [4]\nTan,Ju2 > Tan, Justin1 list yes [3]\n");
}

static void doubtful_ids(void **state)
{
    (void)state;
    /* a name that has nothing in common with the name of the id */
    stamma_names *names = open_players(RATED("2015", "2300", "Kileng,B", ID("3")));
    add_person(names, "Mukim, Nadya Angraini", "3", "INA", "", 1900, 1990);
    check_decisions(names, "Kileng,B > Mukim, Nadya Angraini id names [3]\n");
    /* two players of one name in the list, both with games: neither gets the name */
    names = open_players(RATED("2015", "2300", "Li,W", ID("3")) RATED("2015", "2300", "Li,We", ID("4")));
    add_person(names, "Li, Wei", "3", "CHN", "", 2300, 1990);
    add_person(names, "Li, Wei", "4", "CHN", "", 2300, 1990);
    check_decisions(names, "");
    /* an id that is not in the list is not the listed player of this name */
    names = open_players(RATED("2015", "2300", "Li,Wei", ID("9")));
    add_person(names, "Li, Wei", "3", "CHN", "", 2300, 1990);
    check_decisions(names, "");
}

static void add_georgievs(stamma_names *names)
{
    add_person(names, "Georgiev, Kiril", "1", "MKD", "GM", 2589, 1965);
    add_person(names, "Georgiev, Krum", "2", "BUL", "GM", 2315, 1958);
    add_spelling(names, "Georgiev, Krum", "Georgiev, K I", "2");
}

/* Initials that fit two listed players are several players, even if a listed spelling has the same letters. */
static void initials(void **state)
{
    static const char *const spellings[] = {"Georgiev,K", "Georgiev,Ki", "Georgiev, K I"};
    (void)state;
    for (size_t n = 0; n < sizeof spellings / sizeof *spellings; n++) {
        char text[400], expected[100];
        (void)snprintf(text, sizeof text, RATED("2000", "", "%s", ""), spellings[n]);
        (void)snprintf(expected, sizeof expected, "%s > Georgiev, K", spellings[n]);
        stamma_names *names = open_players(text);
        listing got = {0};
        add_georgievs(names);
        assert_int_equal(stamma_names_find(names), STAMMA_OK);
        list_name_decisions(names, &got);
        assert_memory_equal(got.text, expected, strlen(expected));
        assert_non_null(strstr(got.text, " initials several players\n"));
        free(got.text);
        stamma_names_close(names);
    }
}

/* Ratings, titles, federations and years decide between players whose names fit. */
static void facts_decide(void **state)
{
    (void)state;
    stamma_names *names = open_players(RATED("2000", "2755", "Adams,M", ""));
    add_person(names, "Adams, Mark", "1", "ENG", "", 1800, 1970);
    add_person(names, "Adams, Michael", "2", "ENG", "GM", 2690, 1971);
    check_decisions(names, "Adams,M > Adams, Michael list yes [2]\n");
    names = open_players(RATED("2000", "2400", "Li,W", "[WhiteTitle \"GM\"]\n"));
    add_person(names, "Li, Wei", "1", "CHN", "GM", 2400, 1980);
    add_person(names, "Li, Wen", "2", "CHN", "FM", 2400, 1980);
    check_decisions(names, "Li,W > Li, Wei list yes [1]\n");
    names = open_players(RATED("2000", "2600", "Li,W", "[WhiteFed \"CHN\"]\n"));
    add_person(names, "Li, Wei", "1", "CHN", "", 2600, 1980);
    add_person(names, "Li, Wen", "2", "MAS/USA", "", 2600, 1980);
    check_decisions(names, "Li,W > Li, Wei initials several players\n"); /* a federation may have changed */
    names = open_players(RATED("2000", "2600", "Li,W", ""));
    add_person(names, "Li, Wei", "1", "CHN", "", 2600, 1980);
    add_person(names, "Li, Wen", "2", "CHN", "", 2600, 1998); /* two years old */
    add_person(names, "Li, Wang", "3", "CHN", "", 2600, 1900);
    check_decisions(names, "Li,W > Li, Wei list yes [1]\n");
    names = open_players(RATED("2000", "", "Li, Wei", ""));
    add_person(names, "Li,Wei", "1", "CHN", "", 0, 1998);
    check_decisions(names, "Li, Wei > Li,Wei format years\n");
}

/* What a decision says about its evidence, and about the player. */
static void facts_of_decisions(void **state)
{
    stamma_name_decision d;
    stamma_name_person person = {.size = sizeof person};
    (void)state;
    stamma_names *names = open_players(RATED("2015", "2790", "Anand,V", "[WhiteTitle \"GM\"]\n"));
    add_person(names, "Anand, Viswanathan", "5000017", "IND", "GM", 2753, 1969);
    assert_int_equal(stamma_names_find(names), STAMMA_OK);
    assert_int_equal(stamma_names_count(names), 1);
    assert_int_equal(stamma_names_at(names, 0, &d), STAMMA_OK);
    assert_int_equal(d.evidence, 1u << STAMMA_NAME_BY_LIST | 1u << STAMMA_NAME_BY_RATING | 1u << STAMMA_NAME_BY_YEARS |
                                     1u << STAMMA_NAME_BY_TITLE | 1u << STAMMA_NAME_BY_NAME);
    assert_in_range(d.error, 1, 1000);
    assert_int_equal(stamma_names_person(names, d.person, &person), STAMMA_OK);
    assert_int_equal(person.born, 1969);
    assert_int_equal(person.rating, 2753);
    assert_memory_equal(person.name.data, "Anand, Viswanathan", person.name.size);
    assert_memory_equal(person.federation.data, "IND", person.federation.size);
    assert_memory_equal(person.title.data, "GM", person.title.size);
    assert_memory_equal(person.id.data, "5000017", person.id.size);
    assert_int_equal(stamma_names_person(names, 0, &person), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_names_person(names, d.person + 1, &person), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_names_person(names, d.person, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_names_close(names);
}

/* The spellings in games, with the player whom the decisions find. */
static void spellings_of_players(void **state)
{
    static const struct {
        const char *name, *id, *to, *player;
        unsigned games;
    } wanted[] = {{"Anand,V", "5000017", "Anand, Viswanathan", "5000017", 1},
                  {"Tal,M", "", "Tal,M", "", 2},
                  {"ANAND,V", "", "Anand, Viswanathan", "5000017", 1},
                  {"Anand, Viswanathan", "5000017", "Anand, Viswanathan", "5000017", 0}};
    (void)state;
    stamma_name_player p = {.size = sizeof p};
    stamma_names *names = open_players("[White \"Anand,V\"]\n[Black \"Tal,M\"]\n[WhiteFideId \"5000017\"]\n\n*\n\n"
                                       "[White \"ANAND,V\"]\n[Black \"Tal,M\"]\n\n*\n\n");
    add_person(names, "Anand, Viswanathan", "5000017", "IND", "GM", 2753, 1969);
    assert_int_equal(stamma_names_player_count(names), 0);
    assert_int_equal(stamma_names_player(names, 0, &p), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_names_find(names), STAMMA_OK);
    assert_int_equal(stamma_names_player_count(names), sizeof wanted / sizeof *wanted);
    uint32_t group = 0;
    for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
        assert_int_equal(stamma_names_player(names, n, &p), STAMMA_OK);
        assert_true(is_text(p.name, wanted[n].name));
        assert_true(is_text(p.id, wanted[n].id));
        assert_true(is_text(p.to, wanted[n].to));
        assert_true(is_text(p.player_id, wanted[n].player));
        assert_int_equal(p.games, wanted[n].games);
        group = n == 0 ? p.group : group;
        assert_int_equal(p.group == group, n != 1);
        assert_int_equal(p.person, n == 1 ? 0 : 1);
    }
    assert_int_equal(stamma_names_player(names, 4, &p), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_names_close(names);
}

static void arguments(void **state)
{
    const stamma_name_person none = {.size = sizeof none}, no_text = {.size = sizeof no_text, .name = {NULL, 3}};
    const stamma_name_person anand = {.size = sizeof anand, .name = TEXT("Anand")};
    const stamma_names_options rounds = {.size = sizeof rounds, .kinds = 1u << STAMMA_NAME_ROUND};
    (void)state;
    stamma_names *names = names_with("", &rounds);
    assert_int_equal(stamma_names_add_person(names, &none), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_names_add_person(names, &no_text), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_names_add_person(names, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_names_add_person(NULL, &anand), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_names_add_person(names, &anand), STAMMA_OK); /* ignored: only rounds are compared */
    assert_int_equal(stamma_names_find(names), STAMMA_OK);
    assert_int_equal(stamma_names_add_person(names, &anand), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_names_close(names);
    assert_string_equal(stamma_name_evidence_name(STAMMA_NAME_BY_FEDERATION), "federation");
    assert_string_equal(stamma_name_evidence_name((stamma_name_evidence)99), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_before_spellings), cmocka_unit_test(doubtful_ids),       cmocka_unit_test(initials),
        cmocka_unit_test(facts_decide),         cmocka_unit_test(facts_of_decisions), cmocka_unit_test(arguments),
        cmocka_unit_test(spellings_of_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
