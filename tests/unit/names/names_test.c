/* SPDX-License-Identifier: MIT */
/* Tests which spellings are the same player, event, site, round and date: hand-made cases, and random names, among
 * which no two FIDE ids may be merged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "name_decisions.h"

/* ---- players ---- */

static void formats(void **state)
{
    (void)state;
    check_names(RATED("2010", "", "Polgar, Judit", "") RATED("2011", "", "POLGAR,Judit", "")
                    RATED("2011", "", "GM Polgar, Judit", "") RATED("2010", "", "Polgar, Judit", "")
                        RATED("2011", "", "Polgar, Judit (HUN)", ""),
                "GM Polgar, Judit > Polgar, Judit format yes\n"
                "POLGAR,Judit > Polgar, Judit format yes\n"
                "Polgar, Judit (HUN) > Polgar, Judit format yes\n");
    check_names(RATED("2010", "", "M\xC3\xBCller, J\xC3\xB6rg", "") RATED("2011", "", "M\xFCller,J\xF6rg", "")
                    RATED("2010", "", "M\xC3\xBCller, J\xC3\xB6rg", "") RATED("2011", "", "Muller, Jorg", ""),
                "Muller, Jorg > M\xC3\xBCller, J\xC3\xB6rg format yes\n"
                "M\xFCller,J\xF6rg > M\xC3\xBCller, J\xC3\xB6rg format yes\n");
    check_names(RATED("2010", "", "Magnus Carlsen", "") RATED("2010", "", "Carlsen, Magnus", ""),
                "Magnus Carlsen > Carlsen, Magnus order yes\n");
    check_names(RATED("2010", "", "Wei Yi", "") RATED("2010", "", "Wei, Yi", ""), "Wei Yi > Wei, Yi format yes\n");
    check_names(RATED("2010", "", "Polgar , Judit", "") RATED("2011", "", "Polgar, Judit GM", "")
                    RATED("2011", "", "Polgar, Judit", "") RATED("2011", "", "Polgar, Judit", ""),
                "Polgar , Judit > Polgar, Judit format yes\n"
                "Polgar, Judit GM > Polgar, Judit format yes\n");
    /* sixty-five years are more than a career */
    check_names(RATED("1890", "", "Berg,R", "") RATED("2010", "", "Berg, R.", ""), "Berg,R > Berg, R. format years\n");
}

/* Characters that are not letters, and texts with several players or none. */
static void separators(void **state)
{
    static const char *const teams[] = {"A & Polgar", "A/ Polgar", "A: Polgar", "A; Polgar", "A + Polgar"};
    (void)state;
    check_names(RATED("2010", "", "O'Kelly, A", "") RATED("2010", "", "O`Kelly, A", "")
                    RATED("2010", "", "O'Kelly, A", ""),
                "O`Kelly, A > O'Kelly, A format yes\n");
    check_names(RATED("2010", "", "Polgar (Judit)", "") RATED("2010", "", "Polgar Judit", "")
                    RATED("2010", "", "Polgar Judit", ""),
                "Polgar (Judit) > Polgar Judit format yes\n");
    for (size_t n = 0; n < sizeof teams / sizeof *teams; n++) {
        char text[400];
        (void)snprintf(text, sizeof text, RATED("2010", "", "%s", "") RATED("2010", "", "A Polgar", ""), teams[n]);
        check_names(text, "");
    }
}

/* Games of unknown years are no evidence. */
static void unknown_years(void **state)
{
#define IN(date, white) GAME("Open", date, "?", white, "Other, Player", "[WhiteElo \"2700\"]\n")
    (void)state;
    check_names(IN("????.??.??", "Berg,R") IN("2010.05.??", "Berg, R."), "Berg, R. > Berg,R format yes\n");
    check_names(IN("1890.05.??", "Berg,R") IN("????.??.??", "Berg, R."), "Berg, R. > Berg,R format yes\n");
    check_names(IN("????.??.??", "Berg,R") IN("2010.05.??", "Berg, Rolf"),
                "Berg,R > Berg, Rolf initials no evidence\n");
}

static void initials(void **state)
{
    (void)state;
#define SHORT RATED("2015", "2700", "Andreikin,D", "")
    check_names(SHORT RATED("2015", "2710", "Andreikin, Dmitry", ""), "Andreikin,D > Andreikin, Dmitry initials yes\n");
    check_names(SHORT RATED("2015", "", "Andreikin, Dmitry", ""),
                "Andreikin,D > Andreikin, Dmitry initials no evidence\n");
    check_names(SHORT RATED("2015", "2210", "Andreikin, Dmitry", ""), ""); /* other ratings: another player */
    check_names(SHORT RATED("2015", "2700", "Andreikin, Igor", ""), "");
    check_names(SHORT RATED("2015", "2700", "Andreikin, Dmitry", "") RATED("2015", "2700", "Andreikin, Denis", ""),
                "Andreikin,D > Andreikin, Dmitry initials several players\n");
    check_names(SHORT RATED("2015", "2705", "Andreikin,Dm", "") RATED("2015", "2710", "Andreikin, Dmitry", ""),
                "Andreikin,D > Andreikin, Dmitry initials yes\n"
                "Andreikin,Dm > Andreikin, Dmitry initials yes\n");
    /* digits distinguish players of the same name */
    check_names(RATED("2015", "2000", "Jonsson,Bjorn1", "") RATED("2015", "2000", "Jonsson,Bjorn2", ""), "");
    check_names(SHORT RATED("2015", "2700", "Andreikin", ""), "Andreikin > Andreikin,D shortened no evidence\n");
    /* names of more than 120 letters are not compared */
#define LETTERS40 "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"
    check_names(RATED("2015", "2700", LETTERS40 LETTERS40 "abc,D", "")
                    RATED("2015", "2710", LETTERS40 LETTERS40 "abc, Dmitry", ""),
                LETTERS40 LETTERS40 "abc,D > " LETTERS40 LETTERS40 "abc, Dmitry initials yes\n");
    check_names(RATED("2015", "2700", LETTERS40 LETTERS40 LETTERS40 "abc,D", "")
                    RATED("2015", "2710", LETTERS40 LETTERS40 LETTERS40 "abc, Dmitry", ""),
                "");
}

static void other_spellings(void **state)
{
    (void)state;
    check_names(RATED("1980", "2650", "Kortschnoj, Viktor", "") RATED("1980", "2650", "Korchnoi, Viktor", "")
                    RATED("1981", "2650", "Korchnoi, Viktor", ""),
                "Kortschnoj, Viktor > Korchnoi, Viktor spelling yes\n");
    check_names(
        RATED("1980", "2700",
              "\xD0\x9A\xD0\xB0\xD1\x80\xD0\xBF\xD0\xBE\xD0\xB2, \xD0\x90\xD0\xBD\xD0\xB0\xD1\x82"
              "\xD0\xBE\xD0\xBB\xD0\xB8\xD0\xB9",
              "") /* Karpov, Anatoly in Cyrillic letters */
        RATED("1980", "2700", "Karpov, Anatoly", "") RATED("1980", "2700", "Karpov, Anatoly", ""),
        "\xD0\x9A\xD0\xB0\xD1\x80\xD0\xBF\xD0\xBE\xD0\xB2, \xD0\x90\xD0\xBD\xD0\xB0\xD1\x82\xD0\xBE\xD0\xBB\xD0\xB8"
        "\xD0\xB9 > Karpov, Anatoly spelling yes\n");
    check_names(RATED("1980", "2500", "Nielsen, Peter", "") RATED("1980", "2500", "Nielson, Peter", "")
                    RATED("1980", "2500", "Nielsen, Peter", ""),
                "Nielson, Peter > Nielsen, Peter typo no evidence\n");
    check_names(RATED("1980", "2500", "Polgar, Judit", "") RATED("1980", "2500", "Polgar, Sofia", ""), "");
    check_names(RATED("2010", "", "?", "") RATED("2010", "", "N.N.", "") RATED("2010", "", "NN", ""), "");
    check_names(RATED("2010", "", "Nakamura, H & Carlsen, M", "") RATED("2010", "", "Nakamura, H", ""), "");
}

/* The same game in two sources shows that two names are one player; two games in a round show the opposite. */
static void games_as_evidence(void **state)
{
    (void)state;
    check_names(GAME("A", "2010.05.03", "3", "Hort,V", "Tal, Mihail", "")
                    GAME("B", "2010.05.03", "3", "Hort, Vlastimil", "Tal,M", ""),
                "Hort,V > Hort, Vlastimil initials yes\n"
                "Tal,M > Tal, Mihail initials yes\n");
    check_names(GAME("A", "2010.05.03", "3", "Li,W", "Tal, Mihail", "[WhiteElo \"2500\"]\n")
                    GAME("A", "2010.05.03", "3", "Li, Wei", "Geller, Efim", "[WhiteElo \"2500\"]\n"),
                "");
    check_names(GAME("A", "2010.??.??", "?", "Li,W", "Li, Wei", "[WhiteElo \"2500\"]\n[BlackElo \"2500\"]\n"), "");
    /* opponents of other names are the same player if their ids are */
#define AGAINST(white, black, id) GAME("A", "2010.05.03", "3", white, black, "[BlackFideId \"" id "\"]\n")
    check_names(AGAINST("Hort,V", "Tal, Mihail", "7") AGAINST("Hort, Vlastimil", "Nehmetov, Rashid", "7"),
                "Hort,V > Hort, Vlastimil initials yes\n"
                "Nehmetov, Rashid > Tal, Mihail id names [7]\n");
    check_names(AGAINST("Hort,V", "Tal, Mihail", "7") AGAINST("Hort, Vlastimil", "Tal, Mihail J.", "8"), "");
    /* one of the ids may be wrong, or missing */
    check_names(AGAINST("Hort,V", "Tal, Mihail", "7") AGAINST("Hort, Vlastimil", "Tal, Mihail", "8"),
                "Hort,V > Hort, Vlastimil initials yes\n");
    check_names(AGAINST("Hort,V", "Tal, Mihail", "7") AGAINST("Hort, Vlastimil", "Tal,M", ""),
                "Hort,V > Hort, Vlastimil initials yes\n"
                "Tal,M > Tal, Mihail initials yes [7]\n");
    check_names(AGAINST("Hort,V", "Tal,M", "") AGAINST("Hort, Vlastimil", "Tal, Mihail", "7"),
                "Hort,V > Hort, Vlastimil initials yes\n"
                "Tal,M > Tal, Mihail initials yes [7]\n");
    /* an unknown opponent may be another player */
    check_names(AGAINST("Hort,V", "?", "") AGAINST("Hort, Vlastimil", "Tal, Mihail", ""), "");
    /* the same rule applies to names that differ in format */
    check_names(AGAINST("Li,W", "Tal, Mihail", "") AGAINST("Li, W.", "Geller, Efim", ""),
                "Li,W > Li, W. format opponents\n");
    check_names(RATED("2010", "2700", "Li,W", "") RATED("2010", "2000", "Li, W.", ""),
                "Li,W > Li, W. format ratings\n");
}

static void fide_ids(void **state)
{
    (void)state;
    const stamma_names_options merging = {.size = sizeof merging, .merge_ids = true};
    const char *two = RATED("2015", "2700", "Andreikin,D", ID("1")) RATED("2015", "2700", "Andreikin, D.", ID("2"));
    check_names(two, "");
    check_decisions(names_with(two, &merging), "Andreikin, D. > Andreikin,D format yes\n");
    check_names(RATED("2015", "2700", "Andreikin,D", ID("1")) RATED("2015", "1500", "Andreikin, Dmitry", ID("1")),
                "Andreikin,D > Andreikin, Dmitry initials yes [1]\n");
    check_names(RATED("2015", "2700", "Andreikin,D", ID("1")) RATED("2015", "2700", "Carlsen, Magnus", ID("1")),
                "Carlsen, Magnus > Andreikin,D id names [1]\n");
    /* the games of player 1 get another name, the games of player 2 do not */
    check_names(RATED("2015", "2700", "Li,W", ID("1")) RATED("2015", "2700", "Li, Wei", ID("1"))
                    RATED("2015", "2700", "Li,W", ID("2")) RATED("2015", "2700", "Li, Wen", ID("2")),
                "Li,W > Li, Wei initials yes [only 1]\n"
                "Li,W > Li, Wen initials yes [only 2]\n");
    /* the better name is also the name of another player */
    check_names(RATED("2015", "2700", "Li,W", ID("1")) RATED("2015", "2700", "Li, Wei", ID("1"))
                    RATED("2015", "2700", "Li, Wei", ID("2")),
                "Li, Wei > Li,W initials yes [only 1]\n");
    /* without an id, the name may be either player's */
    check_names(RATED("2015", "2700", "Li Wei", "") RATED("2015", "2700", "Li,Wei", ID("1"))
                    RATED("2015", "2700", "Li, Wei", ID("2")),
                "Li Wei > Li,Wei format several players\n");
}

static void lists(void **state)
{
    const stamma_text none = {NULL, 0};
    (void)state;
    stamma_names *names =
        names_with(RATED("2015", "2700", "Andreikin,D", ID("1")) RATED("2015", "", "Old Name", ""), NULL);
#define TEXT(text) stamma_text_of(text)
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("Andreikin, Dmitry"), none, TEXT("1")),
                     STAMMA_OK);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("New, Name"), TEXT("Old Name"), none),
                     STAMMA_OK);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_SITE, TEXT("There"), TEXT("Here"), none), STAMMA_OK);
    check_decisions(names, "Andreikin,D > Andreikin, Dmitry list yes [1]\n"
                           "Old Name > New, Name list yes\n"
                           "Here > There list yes\n");
    names = names_with(GAME("A", "2010.05.03", "semifinal", "A", "B", "") GAME("A", "2010.05.03", "final", "A", "B", "")
                           GAME("A", "2010.05.03", "07", "A", "B", ""),
                       NULL);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_ROUND, TEXT("8"), TEXT("semifinal"), none), STAMMA_OK);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_ROUND, TEXT("9"), TEXT("07"), none), STAMMA_OK);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_ROUND, TEXT("10"), TEXT("not there"), none), STAMMA_OK);
    check_decisions(names, "semifinal > 8 list yes\n"
                           "07 > 9 list yes\n"); /* not 7, the format of the number */
}

/* A spelling that is listed twice, an id that contradicts a list, and lists of values that do not occur in games. */
static void strange_lists(void **state)
{
    const stamma_text none = {NULL, 0};
    const stamma_names_options rounds = {.size = sizeof rounds, .kinds = 1u << STAMMA_NAME_ROUND},
                               players = {.size = sizeof players, .kinds = 1u << STAMMA_NAME_PLAYER};
    (void)state;
    stamma_names *names = names_with(RATED("2015", "", "Old Name", "") RATED("2015", "2700", "Li,W", ID("2")), NULL);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("New, Name"), TEXT("Old Name"), none),
                     STAMMA_OK);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("Another, Name"), TEXT("Old Name"), none),
                     STAMMA_OK);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("Li, Wei"), TEXT("Li,W"), TEXT("1")),
                     STAMMA_OK);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_ROUND, TEXT("8"), none, none), STAMMA_OK);
    check_decisions(names, "Old Name > New, Name list yes\n"); /* the first list; not another player */
    /* a spelling with flags other than initials is mapped to the name in the list */
    names =
        names_with(RATED("1980", "", "Kortschnoj, Viktor", "") RATED("1980", "", "Kortschnoj, Viktor", ""), &players);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("Korchnoi, Viktor"), none, none),
                     STAMMA_OK);
    check_decisions(names, "Kortschnoj, Viktor > Korchnoi, Viktor spelling no evidence\n");
    /* the better spelling belongs to another player in a list, who has no games */
    names = names_with(RATED("2015", "2700", "Li,W", ID("1")) RATED("2015", "2700", "Li, Wei", ID("1")), &players);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("Li, Wei"), none, TEXT("2")), STAMMA_OK);
    check_decisions(names, "Li,W > Li, Wei initials yes [1]\n");
    names = names_with(RATED("2015", "2700", "Li,W", ""), &rounds);
    assert_int_equal(stamma_names_add_known(names, STAMMA_NAME_PLAYER, TEXT("Li, Wei"), TEXT("Li,W"), none), STAMMA_OK);
    check_decisions(names, "");
}

/* ---- many names ---- */

/* Adds games of a name in many spellings that differ in case. */
static void list_spellings(listing *to, const char *name, unsigned count)
{
    for (unsigned n = 1; n <= count; n++) {
        char spelling[40];
        (void)snprintf(spelling, sizeof spelling, "%s", name);
        for (unsigned letter = 0; letter < 6; letter++)
            if (n >> letter & 1)
                spelling[letter] ^= 0x20;
        list_format(to, RATED("2015", "2700", "%s", ""), spelling);
    }
}

/* Groups of twenty spellings become one group. */
static void large_groups(void **state)
{
    listing text = {0};
    (void)state;
    list_word(&text, RATED("2015", "2710", "Andreikin, Dmitry", ""));
    list_spellings(&text, "andreikin,d", 20);
    list_spellings(&text, "andreikin, dmitry", 20);
    list_bytes(&text, "", 1);
    stamma_names *names = names_with(text.text, NULL);
    assert_int_equal(stamma_names_find(names), STAMMA_OK);
    assert_int_equal(stamma_names_count(names), 40);
    for (size_t n = 0; n < 40; n++) {
        stamma_name_decision d;
        assert_int_equal(stamma_names_at(names, n, &d), STAMMA_OK);
        assert_true(d.certain);
        assert_true(d.to.size == 17 && memcmp(d.to.data, "Andreikin, Dmitry", 17) == 0);
    }
    stamma_names_close(names);
    free(text.text);
}

/* A name that fits more than 64 other names is not decided, although one of them occurs in the same game. */
static void many_candidates(void **state)
{
    listing text = {0};
    (void)state;
    list_word(&text, GAME("A", "2010.05.03", "3", "Andreikin,D", "Tal, Mihail", ID("1"))
                         RATED("2015", "", "Andreikin,Dm", ID("1"))
                             GAME("B", "2010.05.03", "3", "Andreikin, Dabababab", "Tal, Mihail", ""));
    for (unsigned n = 0; n < 100; n++) {
        const char x = "bdfgm"[n / 10 % 5], y = "bcdfghklmn"[n % 10];
        const char u = n < 50 ? 'o' : 'u', given[] = {n < 50 ? 'a' : 'm', y, u, x, 'i', x, 'a', y, u, '\0'};
        list_format(&text, RATED("2015", "", "Andreikin, D%s", ""), given);
    }
    list_bytes(&text, "", 1);
    check_names(text.text, "Andreikin,D > Andreikin, Dabababab initials several players [1]\n"
                           "Andreikin,Dm > Andreikin,D initials yes [1]\n");
    free(text.text);
}

/* A hundred players have the same surname and initial. Each player is compared with the adjacent players in the order
 * of given names. */
static void many_players(void **state)
{
    enum { PLAYERS = 100 };
    listing text = {0}, expected = {0};
    (void)state;
    for (unsigned n = 0; n < PLAYERS; n++) {
        const char x = "bdfgm"[n / 25], y = "bdfgm"[n / 5 % 5], z = "bdfgm"[n % 5];
        const char given[] = {'K', x, 'a', y, 'o', z, 'i', z, 'a', y, 'o', x, '\0'}; /* two letters of players differ */
        for (unsigned copies = 0; copies < 2; copies++)
            list_format(&text, RATED("2015", "", "Lee, %s", ""), given);
        list_format(&text, RATED("2015", "", "LEE, %s", ""), given);
        list_format(&expected, "LEE, %s > Lee, %s format yes\n", given, given);
    }
    list_bytes(&text, "", 1);
    check_names(text.text, expected.text);
    free(text.text);
    free(expected.text);
}

/* ---- other tags ---- */

static void values(void **state)
{
#define PLACE(event, site, round)                                                                               \
    "[Event \"" event "\"]\n[Site \"" site "\"]\n[Date \"????.??.??\"]\n[Round \"" round "\"]\n[White \"A\"]\n" \
    "[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
    (void)state;
    check_names(PLACE("Tal Mem", "Riga", "1") PLACE("Tal Mem", "Riga", "01") PLACE("TAL mem.", "riga", "Round 2")
                    PLACE("Tal Mem 2", "Riga LAT", "4.04")
                        PLACE("https://lichess.org/AbC", "https://lichess.org/abc", "R 3.")
                            PLACE("https://lichess.org/abc", "https://lichess.org/ABC", "1/2"),
                "TAL mem. > Tal Mem format yes\n"
                "Riga > Riga LAT shortened no evidence\n"
                "riga > Riga format yes\n"
                "01 > 1 format yes\n"
                "Round 2 > 2 format yes\n"
                "R 3. > 3 format yes\n"
                "4.04 > 4.4 format yes\n");
    /* words after the site are not the code of a country */
    check_names(PLACE("E", "Linares", "1") PLACE("E", "Linares Open", "1") PLACE("E", "Linares ESP", "1"),
                "Linares > Linares ESP shortened no evidence\n");
    check_names(PLACE("E", "Linares", "1") PLACE("E", "Linares ESP", "1") PLACE("E", "Linares MEX", "1"),
                "Linares > Linares ESP shortened several players\n");
}

static void dates(void **state)
{
#define ON(date, round) GAME("Open", date, round, "A", "B", "")
    (void)state;
    check_names(ON("2010-05-03", "?") ON("2010", "?") ON("13.5.2010", "?") ON("3.4.2010", "?") ON("May 2010", "?"),
                "3.4.2010 > 2010.04.03 format no evidence\n"
                "2010-05-03 > 2010.05.03 format yes\n"
                "13.5.2010 > 2010.05.13 format yes\n"
                "2010 > 2010.??.?? format yes\n");
    check_names(ON("12/25/2010", "?") ON("25/12/2011", "?") ON("13/13/2010", "?"),
                "12/25/2010 > 2010.12.25 format yes\n"
                "25/12/2011 > 2011.12.25 format yes\n");
    check_names(ON("2010.05.03", "3.1") ON("2010.??.??", "3.2"), "2010.??.?? > 2010.05.03 round yes in round 3.2\n");
    check_names(ON("2010.05.03", "3") ON("2010.??.??", "4") ON("2010.05.06", "5"),
                "2010.??.?? > 2010.05.?? round yes in round 4\n");
    check_names(ON("2010.04.30", "3") ON("????.??.??", "4") ON("2010.05.06", "5"),
                "????.??.?? > 2010.??.?? round yes in round 4\n");
    check_names(ON("2010.05.03", "3") ON("2010.??.??", "4"), ""); /* no later round */
    check_names(ON("2010.05.03", "3") ON("2011.??.??", "3"), "");
    check_names(ON("2010.05.03", "?") ON("2010.??.??", "3") ON("2010.05.03", "-"), ""); /* unknown rounds */
    check_names(ON("03.05.2010", "3") ON("2010.??.??", "3"),
                "03.05.2010 > 2010.05.03 format no evidence\n"); /* day and month may be exchanged */
}

/* Checks the choices for a game with one value of a tag. */
static void check_value(const char *tag, const char *value, const char *wanted)
{
    char text[300];
    (void)snprintf(text, sizeof text, "[Event \"E\"]\n[%s \"%s\"]\n[White \"A\"]\n\n1. e4 *\n\n", tag, value);
    check_names(text, wanted);
}

/* Texts that are not a number, or whose number is too long, are not changed. */
static void rounds(void **state)
{
    (void)state;
    static const char *const unchanged[] = {"r", "Round", "0000007", "3.x", "3-4", "?",
                                            "-", "3..4",  "Rund 4",  "0",   "5"};
    static const char *const changed[][2] = {{"rd 5", "5"},   {"rnd.6", "6"}, {"000008", "8"}, {"4..", "4"},
                                             {"3.4.", "3.4"}, {"00", "0"},    {"R.9. .", "9"}};
    for (size_t n = 0; n < sizeof unchanged / sizeof *unchanged; n++)
        check_value("Round", unchanged[n], "");
    for (size_t n = 0; n < sizeof changed / sizeof *changed; n++) {
        char wanted[100];
        (void)snprintf(wanted, sizeof wanted, "%s > %s format yes\n", changed[n][0], changed[n][1]);
        check_value("Round", changed[n][0], wanted);
    }
}

/* Formats of dates, and texts that are not dates. */
static void formats_of_dates(void **state)
{
    (void)state;
    static const char *const unchanged[] = {"20100503",   "2010.05.03.1", "2010x05",    "3.4.10",    "31.02.2010",
                                            "2010.13.01", "3000.1.1",     ".2010.5.1",  "2010..5",   "13.13.2010",
                                            "12345.1.1",  "5.2010",       "2010.05.03", "2010.05.??"};
    static const char *const changed[][2] = {
        {"2010/05/03", "2010.05.03 format yes"}, {"2010 5 3", "2010.05.03 format yes"},
        {"2010.5", "2010.05.?? format yes"},     {"2010.05.", "2010.05.?? format yes"},
        {"5.5.2010", "2010.05.05 format yes"},   {"?.5.2010", "2010.05.?? format no evidence"},
        {"31/1/2010", "2010.01.31 format yes"}};
    for (size_t n = 0; n < sizeof unchanged / sizeof *unchanged; n++)
        check_value("Date", unchanged[n], "");
    for (size_t n = 0; n < sizeof changed / sizeof *changed; n++) {
        char wanted[100];
        (void)snprintf(wanted, sizeof wanted, "%s > %s\n", changed[n][0], changed[n][1]);
        check_value("Date", changed[n][0], wanted);
    }
}

/* Incomplete dates are completed from dates of the same round, or of the rounds before and after it. */
static void completed_dates(void **state)
{
    (void)state;
    check_names(ON("2010.05.03", "3.1") ON("2010.05.04", "3.2") ON("2010.??.??", "3.3"),
                "2010.??.?? > 2010.05.?? round yes in round 3.3\n");
    check_names(ON("2010.05.01", "1") ON("2010.05.03", "2") ON("2010.??.??", "3") ON("2010.05.03", "4")
                    ON("2010.06.09", "5"),
                "2010.??.?? > 2010.05.03 round yes in round 3\n");
    check_names(ON("2010.05.03", "3.1") ON("2010.??.03", "3.2"), "2010.??.03 > 2010.05.03 round yes in round 3.2\n");
    check_names(ON("2010.05.03", "3.1") ON("????.05.??", "3.2"), "????.05.?? > 2010.05.03 round yes in round 3.2\n");
    check_names(ON("2010.05.03", "3.1") ON("2010.06.??", "3.2"), "");
    check_names(ON("2010.05.03", "3.1") ON("2010.??.04", "3.2"), "");
    check_names(ON("2010.05.09", "1") ON("2010.??.??", "2") ON("2010.05.03", "3"), "");
    check_names(ON("2009.12.30", "1") ON("????.??.??", "2") ON("2010.01.03", "3"), "");
    check_names(ON("2010.05.03", "final") ON("2010.??.??", "final"), "");
    check_names(ON("2010.05.03", "12345678.1") ON("2010.??.??", "12345678.2"),
                "2010.??.?? > 2010.05.03 round yes in round 12345678.2\n");
    check_names(GAME("?", "2010.05.03", "3", "A", "B", "") GAME("?", "2010.??.??", "3", "A", "B", ""), "");
    check_names(GAME("-", "2010.05.03", "3", "A", "B", "") GAME("-", "2010.??.??", "3", "A", "B", ""), "");
    check_names(GAME("A", "2010.05.03", "3", "A", "B", "") GAME("B", "2010.??.??", "3", "A", "B", ""), "");
}

/* Capitals are used only if there is no other spelling. A country is three capitals after a blank. */
static void capitals(void **state)
{
    (void)state;
    check_names(PLACE("TAL MEM", "Riga", "1") PLACE("TAL MEM", "Riga", "1") PLACE("Tal Mem", "Riga", "1"),
                "TAL MEM > Tal Mem format yes\n");
    check_names(PLACE("XYZ", "Riga", "1") PLACE("XYZ", "Riga", "1") PLACE("Xyz", "Riga", "1"),
                "Xyz > XYZ format yes\n"); /* an abbreviation */
    check_names(PLACE("E", "NY", "1") PLACE("E", "NY USA", "1"), "");
    check_names(PLACE("!!", "Riga", "1") PLACE("-!", "Riga", "1") PLACE("Tal", "Riga", "1") PLACE("Ta", "Riga", "1"),
                "");
    check_names(PLACE("E", "Linares", "1") PLACE("E", "Linares Esp", "1"), "");
    check_names(PLACE("E", "Linares", "1") PLACE("E", "Linaresabcd", "1"), "");
    check_names(PLACE("E", "Linares", "1") PLACE("E", "LINARES ESP", "1") PLACE("E", "Linares, ESP", "1"),
                "LINARES ESP > Linares, ESP format yes\n"
                "Linares > Linares, ESP shortened no evidence\n");
}

/* ---- no ids are merged ---- */

typedef struct use {
    char name[32];
    unsigned id;
} use;

enum { USES = 60, NAMES = 14 };

static const char *const random_names[NAMES] = {
    "Li,W",     "Li, Wei", "Li Wei", "Wei, Li",   "Li,Wen", "LI, WEN", "Wen Li",
    "Lie, Wen", "Li",      "Wang,W", "Wang, Wei", "Li,W.",  "Li,W1",   "\xC5\x81i, W\xC4\x99n"};

static unsigned next_random(uint64_t *state, unsigned count)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(*state >> 33) % count;
}

/* Applies the certain decisions to a name. Returns the result. */
static const char *applied(const stamma_names *names, const use *u, char *room)
{
    char id[16];
    (void)snprintf(id, sizeof id, "%u", u->id);
    (void)snprintf(room, sizeof u->name, "%s", u->name);
    for (size_t n = 0; n < stamma_names_count(names); n++) {
        stamma_name_decision d;
        assert_int_equal(stamma_names_at(names, n, &d), STAMMA_OK);
        bool same = d.id.size == (u->id ? strlen(id) : 0) && (d.id.size == 0 || memcmp(d.id.data, id, d.id.size) == 0);
        bool fits = same || (!d.only_id && (d.id.size == 0 || u->id == 0));
        if (d.kind == STAMMA_NAME_PLAYER && d.certain && fits && d.from.size == strlen(u->name) &&
            memcmp(d.from.data, u->name, d.from.size) == 0)
            (void)snprintf(room, sizeof u->name, "%.*s", (int)d.to.size, d.to.data);
    }
    return room;
}

/* Returns whether two ids have a name in common, before or after the decisions. */
static bool share_name(const stamma_names *names, const use *uses, unsigned a, unsigned b)
{
    char x[32], y[32];
    for (size_t i = 0; i < USES; i++)
        for (size_t k = 0; k < USES; k++)
            if (uses[i].id == a && uses[k].id == b &&
                strcmp(names ? applied(names, &uses[i], x) : uses[i].name,
                       names ? applied(names, &uses[k], y) : uses[k].name) == 0)
                return true;
    return false;
}

static void no_merged_ids(void **state)
{
    enum { TRIALS = 60, IDS = 5 };
    size_t decisions = 0;
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t random = trial + 1;
        use uses[USES];
        listing text = {0};
        for (size_t n = 0; n < USES; n++) {
            (void)snprintf(uses[n].name, sizeof uses[n].name, "%s", random_names[next_random(&random, NAMES)]);
            uses[n].id = next_random(&random, IDS);
            list_format(
                &text,
                "[Event \"E%u\"]\n[Date \"20%02u.05.0%u\"]\n[Round \"%u\"]\n[White \"%s\"]\n[Black \"Tal, Mihail\"]\n",
                next_random(&random, 2), 10 + next_random(&random, 2), 1 + next_random(&random, 3),
                1 + next_random(&random, 9), uses[n].name);
            list_format(&text, "[Result \"1-0\"]\n[WhiteElo \"%u\"]\n", 2500 + next_random(&random, 80));
            if (uses[n].id > 0)
                list_format(&text, "[WhiteFideId \"%u\"]\n", uses[n].id);
            list_word(&text, "\n1. e4 1-0\n\n");
        }
        list_bytes(&text, "", 1);
        stamma_names *names = names_with(text.text, NULL);
        assert_int_equal(stamma_names_find(names), STAMMA_OK);
        decisions += stamma_names_count(names);
        for (unsigned a = 1; a < IDS; a++)
            for (unsigned b = a + 1; b < IDS; b++)
                if (share_name(names, uses, a, b) && !share_name(NULL, uses, a, b))
                    fail_msg("trial %u: ids %u and %u were merged", (unsigned)trial, a, b);
        stamma_names_close(names);
        free(text.text);
    }
    assert_true(decisions > TRIALS); /* the test is not empty */
}

/* ---- options and limits ---- */

static void options(void **state)
{
    const stamma_names_options sites = {.size = sizeof sites, .kinds = 1u << STAMMA_NAME_SITE};
    const char *text = PLACE("Open", "Riga", "01") PLACE("open", "riga", "1") PLACE("Open", "Riga", "1");
    (void)state;
    check_decisions(names_with(text, &sites), "riga > Riga format yes\n");
    check_names("", "");
}

static void add_until_limit(void *context, const stamma_archive_game *game)
{
    assert_int_equal(stamma_names_add((stamma_names *)context, game), STAMMA_ERROR_LIMIT);
}

static void memory_limit(void **state)
{
    const stamma_names_options given = {.size = sizeof given, .memory = 100};
    const char *text = PLACE("Open", "Riga", "1");
    stamma_names *names = NULL;
    (void)state;
    assert_int_equal(stamma_names_open(&given, &names), STAMMA_OK);
    for_each_game(text, strlen(text), add_until_limit, names);
    stamma_names_close(names);
}

static void add_within(void *context, const stamma_archive_game *game)
{
    const stamma_error error = stamma_names_add((stamma_names *)context, game);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_LIMIT);
}

/* With any memory limit, the decisions about some fields are complete, or the limit is reported as too small. */
static void check_memory(const char *text, unsigned fields)
{
    unsigned limits = 0, found = 0;
    listing wanted = {0};
    stamma_names_options given = {.size = sizeof given, .kinds = fields};
    stamma_names *all = names_with(text, &given);
    assert_int_equal(stamma_names_find(all), STAMMA_OK);
    list_name_decisions(all, &wanted);
    stamma_names_close(all);
    for (given.memory = 500; given.memory < 40000; given.memory += 200) {
        stamma_names *names = NULL;
        assert_int_equal(stamma_names_open(&given, &names), STAMMA_OK);
        for_each_game(text, strlen(text), add_within, names);
        const stamma_error error = stamma_names_find(names);
        if (error == STAMMA_OK) {
            listing is = {0};
            list_name_decisions(names, &is);
            assert_string_equal(is.text, wanted.text);
            free(is.text);
        }
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_LIMIT);
        limits += error == STAMMA_ERROR_LIMIT;
        found += error == STAMMA_OK;
        stamma_names_close(names);
    }
    assert_true(limits > 10 && found > 10);
    free(wanted.text);
}

/* Games without any text, for each set of fields. */
static void no_names(void **state)
{
    (void)state;
    for (unsigned fields = 0; fields < 32; fields++) {
        const stamma_names_options options = {.size = sizeof options, .kinds = fields};
        check_decisions(names_with("1. e4 e5 1-0\n\n*\n\n[White \"\"]\n[Date \"\"]\n\n1. d4 *\n", &options), "");
    }
}

static void each_memory(void **state)
{
    const char *text = RATED("2015", "2700", "Andreikin,D", "") RATED("2015", "2710", "Andreikin, Dmitry", "")
        ON("2010-05-03", "01") ON("2010.??.??", "1") PLACE("Tal Mem", "Riga", "1") PLACE("TAL MEM", "riga", "Rd 2");
    (void)state;
    check_memory(text, 0);
    check_memory(text, 31 & ~(1u << STAMMA_NAME_PLAYER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),         cmocka_unit_test(initials),
        cmocka_unit_test(other_spellings), cmocka_unit_test(games_as_evidence),
        cmocka_unit_test(fide_ids),        cmocka_unit_test(lists),
        cmocka_unit_test(values),          cmocka_unit_test(dates),
        cmocka_unit_test(rounds),          cmocka_unit_test(formats_of_dates),
        cmocka_unit_test(completed_dates), cmocka_unit_test(capitals),
        cmocka_unit_test(no_merged_ids),   cmocka_unit_test(options),
        cmocka_unit_test(memory_limit),    cmocka_unit_test(separators),
        cmocka_unit_test(unknown_years),   cmocka_unit_test(strange_lists),
        cmocka_unit_test(many_candidates), cmocka_unit_test(large_groups),
        cmocka_unit_test(many_players),    cmocka_unit_test(each_memory),
        cmocka_unit_test(no_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
