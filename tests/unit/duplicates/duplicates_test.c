/* SPDX-License-Identifier: MIT */
/* Tests which games are duplicates, and which of them is kept. The pairs are hand-made, one for each rule and its
 * limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "value_games.h"

/* 45 plies of a game, and shorter beginnings of the game. */
#define MOVES16 "1. e4 " REST16
#define REST16 "e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O "
#define REST32 "9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 "
#define REST45 "17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. Ra3 Rb8 22. Rea1 Bc8 23. axb5 "
#define MOVES32 MOVES16 REST32
#define MOVES45 MOVES32 REST45
#define GAME(event, date, round, white, black, result, moves)                                                   \
    "[Event \"" event "\"]\n[Date \"" date "\"]\n[Round \"" round "\"]\n[White \"" white "\"]\n[Black \"" black \
    "\"]\n[Result \"" result "\"]\n\n" moves result "\n\n"
#define PLAYED(date, white, moves) GAME("Open", date, "3", white, "Svidler, Peter", "1-0", moves)

static void add_game(void *context, const stamma_archive_game *game)
{
    assert_int_equal(stamma_duplicates_add((stamma_duplicates *)context, game), STAMMA_OK);
}

/* Stores the number of passes in *passes, which may be NULL. */
static stamma_duplicates *found_in_passes(const char *text, const stamma_duplicates_options *options, unsigned *passes)
{
    stamma_duplicates *d = NULL;
    unsigned parts = STAMMA_GAME_ALL, count = 0;
    assert_int_equal(stamma_duplicates_open(options, &d), STAMMA_OK);
    for (; parts != 0; count++) {
        for_each_game(text, strlen(text), add_game, d);
        assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
        assert_true(parts == 0 ||
                    (parts & STAMMA_GAME_TAGS && parts & STAMMA_GAME_RESULT && parts & STAMMA_GAME_MOVES));
    }
    if (passes)
        *passes = count;
    return d;
}

static stamma_duplicates *found_in(const char *text, const stamma_duplicates_options *options)
{
    return found_in_passes(text, options, NULL);
}

static void check_pair(const char *text, stamma_duplicate_kind kind, size_t kept)
{
    stamma_duplicates *d = found_in(text, NULL);
    stamma_duplicate first, second;
    assert_int_equal(stamma_duplicates_count(d), 2);
    assert_int_equal(stamma_duplicates_at(d, 0, &first), STAMMA_OK);
    assert_int_equal(stamma_duplicates_at(d, 1, &second), STAMMA_OK);
    if (first.kind + second.kind != kind)
        fail_msg("%s, not %s: %s", stamma_duplicate_kind_name((stamma_duplicate_kind)(first.kind + second.kind)),
                 stamma_duplicate_kind_name(kind), text);
    assert_int_equal(first.kept, kind == STAMMA_DUPLICATE_NONE ? 0 : kept);
    assert_int_equal(second.kept, kind == STAMMA_DUPLICATE_NONE ? 1 : kept);
    stamma_duplicates_close(d);
}

#define SAME(kind, kept, a, b) check_pair(a b, STAMMA_DUPLICATE_##kind, kept)
#define DIFFERENT(a, b) check_pair(a b, STAMMA_DUPLICATE_NONE, 0)
#define FULL PLAYED("2010.05.03", "Andreikin, Dmitry", MOVES45)

static void names_and_dates(void **state)
{
    (void)state;
    SAME(EXACT, 1, FULL, FULL);
    SAME(EXACT, 1, PLAYED("2010.??.??", "Andreikin, Dmitry", MOVES45),
         PLAYED("2010.??.??", "Andreikin, Dmitry", MOVES45));
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.03", "Andreikin,D", MOVES45));
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.??", "Dmitry Andreikin", MOVES45));
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.04", "GM Andrejkin, D.", MOVES45)); /* a local date; a transliteration */
    SAME(SPELLING, 0, FULL, PLAYED("2010.05.03", "?", MOVES45)); /* the game with more known tags is kept */
    SAME(EXACT, 1, PLAYED("2010.05.03", "Müller, Jörg", MOVES45), PLAYED("2010.05.03", "MULLER, Jorg", MOVES45));
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.03", "AndreikinDmitry", MOVES45));
    SAME(SPELLING, 1, PLAYED("2010.05.03", "Wang Hao", MOVES45), PLAYED("2010.05.03", "Wag Hao", MOVES45));
    DIFFERENT(PLAYED("2010.05.03", "Polgar, J", MOVES32), PLAYED("2010.05.03", "Polgar, S", MOVES32));
    DIFFERENT(FULL, PLAYED("2010.05.03", "Andreikin, Igor", MOVES45)); /* another first name */
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.03", "Andrejkin, Dmitrij", MOVES45));
    DIFFERENT(FULL, PLAYED("2010.05.03", "Andreikina, D", MOVES45));
    DIFFERENT(FULL, PLAYED("2010.05.03", "Andreikin, Dmitry2", MOVES45));
    DIFFERENT(FULL, PLAYED("2010.05.05", "Andreikin, Igor", MOVES45));
    DIFFERENT(PLAYED("2010.05.03", "Andreikin, Igor", MOVES32), PLAYED("2010.05.03", "Andreikin, Dmitry", MOVES32));
    DIFFERENT(FULL, GAME("Open", "2010.05.03", "3", "Andreikin, Igor", "Svidler, Maria", "1-0", MOVES45));
    DIFFERENT(FULL, PLAYED("2010.05.03", "Carlsen, Magnus", MOVES45));
    SAME(SPELLING, 1, FULL, PLAYED("2011.05.03", "Andreikin, Dmitry", MOVES45)); /* only the year differs */
    DIFFERENT(FULL, GAME("Closed", "2011.05.03", "3", "Andreikin, Dmitry", "Svidler, Peter", "1-0", MOVES45));
    DIFFERENT(FULL, GAME("Open", "2010.05.03", "4", "Andreikin, Dmitry", "Svidler, Peter", "1-0", MOVES45));
}

/* Known games are kept, and not compared with each other. Games that no pass needs may be skipped. */
static void known_games(void **state)
{
    static const char text[] = FULL FULL PLAYED("2010.05.03", "Andreikin, D", MOVES32)
        PLAYED("2010.05.03", "Shirov, A", MOVES32) FULL PLAYED("2011.05.03", "Shirov, A", MOVES16);
    const stamma_duplicates_options options = {.size = sizeof options, .known = 4};
    const struct {
        stamma_duplicate_kind kind;
        unsigned kept;
    } expected[] = {{STAMMA_DUPLICATE_NONE, 0}, {STAMMA_DUPLICATE_NONE, 1},  {STAMMA_DUPLICATE_NONE, 2},
                    {STAMMA_DUPLICATE_NONE, 3}, {STAMMA_DUPLICATE_EXACT, 1}, {STAMMA_DUPLICATE_NONE, 5}};
    (void)state;
    stamma_duplicates *d = found_in(text, &options);
    assert_int_equal(stamma_duplicates_count(d), 6);
    for (size_t n = 0; n < 6; n++) {
        stamma_duplicate found;
        assert_int_equal(stamma_duplicates_at(d, n, &found), STAMMA_OK);
        assert_int_equal(found.kind, expected[n].kind);
        assert_int_equal(found.kept, expected[n].kept);
    }
    stamma_duplicates_close(d);
}

typedef struct skipping {
    stamma_duplicates *duplicates;
    size_t at, skipped; /* the next game; games that were skipped */
} skipping;

static void add_needed(void *context, const stamma_archive_game *game)
{
    skipping *s = context;
    const bool needed = stamma_duplicates_needs(s->duplicates, s->at);
    if (s->skipped > 0 && needed)
        assert_int_equal(stamma_duplicates_skip(s->duplicates, 1), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(needed ? stamma_duplicates_add(s->duplicates, game) : stamma_duplicates_skip(s->duplicates, 1),
                     STAMMA_OK);
    s->skipped += !needed;
    s->at++;
}

static void games_that_are_not_needed(void **state)
{
    static const char text[] = PLAYED("2001.05.03", "A, B", "1. e4 ") FULL PLAYED("2002.05.03", "A, C", "1. d4 ")
        PLAYED("2003.05.03", "A, D", "1. c4 ") FULL PLAYED("2004.05.03", "A, E", "1. b4 ");
    skipping s = {.at = 0};
    stamma_duplicate found;
    unsigned parts = STAMMA_GAME_ALL;
    (void)state;
    assert_int_equal(stamma_duplicates_open(NULL, &s.duplicates), STAMMA_OK);
    for (unsigned pass = 0; parts != 0; pass++, s = (skipping){.duplicates = s.duplicates}) {
        for_each_game(text, strlen(text), add_needed, &s);
        assert_int_equal(s.skipped, pass == 0 ? 0 : 4);
        assert_int_equal(stamma_duplicates_find(s.duplicates, &parts), STAMMA_OK);
    }
    assert_int_equal(stamma_duplicates_at(s.duplicates, 1, &found), STAMMA_OK);
    assert_int_equal(found.kept, 4);
    stamma_duplicates_close(s.duplicates);
}

/* A pass cannot have more games than the first. */
static void too_many_skipped(void **state)
{
    stamma_duplicates *d = NULL;
    unsigned parts;
    (void)state;
    assert_int_equal(stamma_duplicates_open(NULL, &d), STAMMA_OK);
    for_each_game(FULL FULL, strlen(FULL FULL), add_game, d);
    assert_int_equal(stamma_duplicates_skip(d, 3), STAMMA_OK);
    assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
    for_each_game(FULL FULL, strlen(FULL FULL), add_game, d);
    assert_int_equal(stamma_duplicates_skip(d, 4), STAMMA_ERROR_MISMATCH);
    stamma_duplicates_close(d);
}

/* Short games and opening lines are duplicates only if all other data is equal. */
static void short_games(void **state)
{
    (void)state;
    SAME(EXACT, 1, PLAYED("2010.05.03", "A, B", "1. e4 "), PLAYED("2010.05.03", "A, B", "1. e4 "));
    SAME(EXACT, 1, PLAYED("1901.??.??", "A, B", "1. e4 "), PLAYED("1901.??.??", "A, B", "1. e4 "));
    SAME(EXACT, 1, PLAYED("????.??.??", "A, B", "1. e4 "), PLAYED("????.??.??", "A, B", "1. e4 "));
    DIFFERENT(PLAYED("1901.??.??", "A, B", "1. e4 "), PLAYED("1901.??.??", "A, C", "1. e4 "));
    DIFFERENT(PLAYED("1901.??.??", "A, B", "1. e4 "),
              GAME("Closed", "1901.??.??", "3", "A, B", "Svidler, Peter", "1-0", "1. e4 "));
    DIFFERENT(PLAYED("2010.05.03", "Andreikin, D", "1. e4 "), PLAYED("2010.??.??", "Andreikin, D", "1. e4 "));
    DIFFERENT(PLAYED("????.??.??", "?", MOVES32), PLAYED("????.??.??", "?", MOVES32));
    DIFFERENT(PLAYED("2010.05.03", "Andreikin, D", "1. e4 "), PLAYED("2010.05.03", "Andreikin, D", MOVES45));
    DIFFERENT(PLAYED("????.??.??", "Andreikin, D", MOVES16), PLAYED("2010.05.03", "Andreikin, D", MOVES45));
}

static void included_games(void **state)
{
    (void)state;
    SAME(INCLUDED, 0, FULL, PLAYED("2010.05.03", "Andreikin, Dmitry", MOVES32));
    SAME(INCLUDED, 1, GAME("Open", "2010.05.03", "?", "Andreikin, D", "Svidler", "*", MOVES32), FULL);
    SAME(INCLUDED, 0, FULL, PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Be3 "));
    SAME(INCLUDED, 0, FULL, GAME("Open", "2010.05.03", "3", "Andreikin, Dmitry", "Svidler, Peter", "0-1", MOVES32));
    DIFFERENT(FULL, GAME("Open", "2010.05.03", "?", "Andreikin, Dmitry", "Svidler, Peter", "0-1", MOVES32));
}

static void similar_games(void **state)
{
    (void)state;
    SAME(SIMILAR, 1, PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Bg5 h6 18. Be3 "),
         PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Bg5 h6 18. Bf4 "));
}

#define REST                                                                                                     \
    "4. Nxd4 Nf6 5. Nxc6 bxc6 6. e5 Qe7 7. Qe2 Nd5 8. c4 Ba6 9. b3 g6 10. f4 f6 11. Ba3 c5 12. g3 fxe5 13. Bg2 " \
    "Nb4 14. Bxa8 exf4 15. Bf3 fxg3 16. hxg3 Bg7 "
#define IN_ORDER "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 " REST
#define OTHER_ORDER "1. Nf3 Nc6 2. e4 e5 3. d4 exd4 " REST

/* Games with the same moves in a different order are transposed, however many plies differ. Games with different moves
 * are similar up to the limit. */
static void transposed_games(void **state)
{
    (void)state;
    SAME(TRANSPOSED, 1, PLAYED("2010.05.03", "Andreikin, D", OTHER_ORDER),
         PLAYED("2010.05.03", "Andreikin, D", IN_ORDER));
    SAME(TRANSPOSED, 1, PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Bg5 h6 18. Be3 Nc5 "),
         PLAYED("2010.05.03", "Andreikin, D",
                "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O b5 6. Bb3 Be7 7. Re1 O-O 8. h3 d6 9. c3 Nb8 10. d4 "
                "Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 "));
    DIFFERENT(PLAYED("2010.05.03", "Andreikin, D", OTHER_ORDER), PLAYED("2011.05.03", "Andreikin, D", IN_ORDER));
    DIFFERENT(PLAYED("2010.05.03", "Andreikin, D", OTHER_ORDER), PLAYED("2010.05.03", "Carlsen, M", IN_ORDER));
}

static void other_facts(void **state)
{
    (void)state;
    /* another result */
    SAME(SPELLING, 1, FULL, GAME("Open", "2010.05.03", "3", "Andreikin,D", "Svidler, Peter", "0-1", MOVES45));
    DIFFERENT(FULL, GAME("Open", "2010.05.04", "3", "Andreikin,D", "Svidler, Peter", "0-1", MOVES45));
    DIFFERENT(PLAYED("2010.05.03", "Andreikin, Dmitry", MOVES16),
              GAME("Open", "2010.05.03", "3", "Andreikin,D", "Svidler, Peter", "0-1", MOVES16));
#define TAGGED(tag) "[" tag "]\n" FULL
    DIFFERENT(TAGGED("Link \"https://a.org/games/1\""), TAGGED("Link \"https://a.org/games/2\""));
    SAME(EXACT, 1, TAGGED("Link \"https://a.org/games/1\""), TAGGED("Link \"https://b.org/games/2\""));
    DIFFERENT(TAGGED("WhiteFideId \"1\""), TAGGED("WhiteFideId \"2\""));
    DIFFERENT(TAGGED("UTCTime \"10:00:00\""), TAGGED("UTCTime \"10:20:00\""));
    SAME(EXACT, 1, TAGGED("UTCTime \"10:00\""), TAGGED("UTCTime \"10:20:00\"")); /* no seconds: unknown */
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.03", "N N", MOVES45));
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.03", "NN", MOVES45));
    SAME(SPELLING, 0, FULL, PLAYED("2010.05.03", "-", MOVES45));
    SAME(EXACT, 0, TAGGED("ECO \"C95\""), FULL); /* the game with more tags is kept */
    DIFFERENT(FULL, PLAYED("2010.05.03", "Andreikin, Dmitry", MOVES32 "17. Ke8 "));                  /* partly text */
    SAME(EXACT, 1, FULL, PLAYED("2010.05.03", "Andreikin, Dmitry", "1. e4+ " REST16 REST32 REST45)); /* a wrong check */
#define ROUND(tag, round, moves) \
    tag GAME("Open", "2010.05.03", round, "Andreikin, Dmitry", "Svidler, Peter", "1-0", moves)
    SAME(SPELLING, 0, ROUND("[WhiteFideId \"1\"]\n", "3.1", MOVES45), ROUND("", "2.1", MOVES45));
    DIFFERENT(ROUND("", "3.1", MOVES45), ROUND("", "2.1", MOVES45));                      /* engines */
    DIFFERENT(ROUND("[WhiteFideId \"1\"]\n", "2.3", MOVES32), ROUND("", "2.5", MOVES45)); /* games of a match */
    SAME(INCLUDED, 1, ROUND("", "2", MOVES32), ROUND("", "2.5.1", MOVES45));
    SAME(INCLUDED, 1, ROUND("", "Round 2.5", MOVES32), ROUND("", "2.5.1", MOVES45));
    DIFFERENT(ROUND("[WhiteFideId \"1\"]\n", "3.1", MOVES32), ROUND("", "2.1", MOVES32));
    SAME(SPELLING, 1, ROUND("", "2.1", MOVES45), ROUND("[WhiteFideId \"1\"]\n", "3.1", MOVES45));
    SAME(INCLUDED, 1, ROUND("", "2.5.1.7", MOVES32), ROUND("", "2.5.1.8", MOVES45)); /* three numbers count */
}

#define FULL_WITH(tag) \
    "[Event \"Open\"]\n[Date \"2010.05.03\"]\n[White \"A, B\"]\n[Black \"C, D\"]\n" tag "\n" MOVES45 "1-0\n\n"

/* Returns the kept game of a text whose games are all the same game. */
static uint64_t kept_by(const char *text, const stamma_keep *keep, size_t count)
{
    const stamma_duplicates_options given = {.size = sizeof given, .keep = keep, .keep_count = count};
    stamma_duplicates *d = found_in(text, &given);
    stamma_duplicate all[3];
    for (size_t n = 0; n < 3; n++)
        assert_int_equal(stamma_duplicates_at(d, n, &all[n]), STAMMA_OK);
    assert_int_equal(all[0].kept, all[1].kept);
    assert_int_equal(all[0].kept, all[2].kept);
    stamma_duplicates_close(d);
    return all[0].kept;
}

static void kept_games(void **state)
{
    const struct {
        const char *text;
        stamma_keep keep[2];
        size_t count;
        uint64_t kept;
    } rows[] = {
#define THREE(a, b, c) FULL_WITH(a) FULL_WITH(b) FULL_WITH(c)
#define LENGTHS PLAYED("2010.05.03", "Andreikin, D", MOVES32) FULL PLAYED("2010.05.03", "Andreikin, D", MOVES32)
        {LENGTHS, {0}, 0, 1},
        {LENGTHS, {STAMMA_KEEP_FIRST}, 1, 0},
        {LENGTHS, {STAMMA_KEEP_LAST}, 1, 2},
        {LENGTHS, {STAMMA_KEEP_TAGS, STAMMA_KEEP_FIRST}, 2, 0},
        {LENGTHS, {STAMMA_KEEP_LONGEST, STAMMA_KEEP_FIRST}, 2, 1},
        {THREE("", "[ECO \"C95\"]\n", "[ECO \"?\"]\n"), {STAMMA_KEEP_TAGS}, 1, 1},
        {THREE("[ECO \"C95\"]\n", "", "[ECO \"C95\"]\n"), {STAMMA_KEEP_TAGS, STAMMA_KEEP_FIRST}, 2, 0},
        {THREE("[ECO \"C95\"]\n", "[ECO \"-.?\"]\n", "[ECO \"?\"]\n"), {STAMMA_KEEP_TAGS}, 1, 0},
        {THREE("[SourceVersionDate \"2012.1.1\"]\n", "[SourceDate \"2013.1.1\"]\n", ""), {STAMMA_KEEP_LATEST}, 1, 1},
        {GAME("Open", "2010.05.03", "3", "A, B", "C, D", "*", MOVES45)
             GAME("Open", "2010.05.03", "3", "A, B", "C, D", "1-0", MOVES45)
                 GAME("Open", "2010.05.03", "3", "A, B", "C, D", "*", MOVES45),
         {STAMMA_KEEP_RESULT},
         1,
         1},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (kept_by(rows[n].text, rows[n].keep, rows[n].count) != rows[n].kept)
            fail_msg("row %zu", n);
}

/* Returns the kind of the pair of games, with options. */
static stamma_duplicate_kind kind_with(const char *text, stamma_duplicates_options options)
{
    options.size = sizeof options;
    stamma_duplicates *d = found_in(text, &options);
    stamma_duplicate first, second;
    assert_int_equal(stamma_duplicates_at(d, 0, &first), STAMMA_OK);
    assert_int_equal(stamma_duplicates_at(d, 1, &second), STAMMA_OK);
    stamma_duplicates_close(d);
    return (stamma_duplicate_kind)(first.kind + second.kind);
}

#define KIND(expected, text, ...) \
    assert_int_equal(kind_with(text, (stamma_duplicates_options){__VA_ARGS__}), STAMMA_DUPLICATE_##expected)

static void options(void **state)
{
    const char *dates = FULL GAME("Closed", "2010.05.06", "3", "Andreikin, Dmitry", "Svidler, Peter", "1-0", MOVES45);
    const char *later = FULL GAME("Closed", "2010.05.07", "3", "Andreikin, Dmitry", "Svidler, Peter", "1-0", MOVES45);
    const char *moves = PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Bg5 h6 18. Be3 ")
        PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Be3 h6 18. Bd2 ");
    const char *order =
        PLAYED("2010.05.03", "Andreikin, D", OTHER_ORDER) PLAYED("2010.05.03", "Andreikin, D", IN_ORDER);
    (void)state;
    KIND(SPELLING, dates, .days = 0);
    KIND(NONE, dates, .days = -1);
    KIND(NONE, dates, .days = 2);
    KIND(NONE, later, .days = 0);
    KIND(SPELLING, later, .days = 4);
    KIND(SIMILAR, moves, .moves = 2);
    KIND(NONE, moves, .moves = 1);
    KIND(NONE, moves, .moves = -1);
    KIND(NONE, moves, .kinds = 1u << STAMMA_DUPLICATE_EXACT);
    KIND(TRANSPOSED, order, .moves = -1);
    KIND(SIMILAR, order, .kinds = 1u << STAMMA_DUPLICATE_SIMILAR);
    KIND(NONE, order, .kinds = 1u << STAMMA_DUPLICATE_SPELLING);
}

/* One game is left of a group that is larger than the number of adjacent games that are compared. */
static void large_group(void **state)
{
    enum { COPIES = 300 };
    listing text = {0};
    (void)state;
    for (int n = 0; n < COPIES; n++)
        list_word(&text, FULL);
    list_bytes(&text, "", 1);
    stamma_duplicates *d = found_in(text.text, NULL);
    for (size_t n = 0; n < COPIES; n++) {
        stamma_duplicate game;
        assert_int_equal(stamma_duplicates_at(d, n, &game), STAMMA_OK);
        assert_int_equal(game.kept, COPIES - 1);
    }
    stamma_duplicates_close(d);
    free(text.text);
}

/* The first and the last of three games are not the same game, because their dates are too many days apart. */
static void not_transitive(void **state)
{
#define IN_EVENT(event, date) GAME(event, date, "3", "Andreikin, Dmitry", "Svidler, Peter", "1-0", MOVES45)
    stamma_duplicates *d =
        found_in(IN_EVENT("A", "2010.05.03") IN_EVENT("B", "2010.05.06") IN_EVENT("C", "2010.05.09"), NULL);
    static const uint64_t kept[] = {0, 2, 2};
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        stamma_duplicate game;
        assert_int_equal(stamma_duplicates_at(d, n, &game), STAMMA_OK);
        assert_int_equal(game.kept, kept[n]);
    }
    stamma_duplicates_close(d);
}

/* Returns the relation of each game of a text, with all kinds. */
static void list_all_kinds(const char *text, size_t count, stamma_duplicate *all)
{
    const stamma_duplicates_options given = {.size = sizeof given, .kinds = 126};
    stamma_duplicates *d = found_in(text, &given);
    assert_int_equal(stamma_duplicates_count(d), count);
    for (size_t n = 0; n < count; n++)
        assert_int_equal(stamma_duplicates_at(d, n, &all[n]), STAMMA_OK);
    stamma_duplicates_close(d);
}

#define COLORS(moves) GAME("Open", "2010.05.03", "3", "Svidler, Peter", "Andreikin, Dmitry", "1-0", moves)
#define REPETITION \
    MOVES32 "17. Bg5 h6 18. Be3 Qe7 19. Qd2 Qd8 20. Qd1 Qe7 21. Qd2 h5 22. Bg5 Qd8 23. Ra3 Rb8 24. Rea1 Bc8 "
#define NO_REPETITION MOVES32 "17. Bg5 h6 18. Be3 Qe7 19. Qd2 h5 20. Bg5 Qd8 21. Ra3 Rb8 22. Rea1 Bc8 "

static void probable_games(void **state)
{
    static const struct {
        const char *text;
        stamma_duplicate_reason reason;
    } rows[] = {
        {FULL COLORS(MOVES45), STAMMA_DUPLICATE_COLORS},
        {FULL PLAYED("2010.05.03", "Andreikin, Igor", MOVES45), STAMMA_DUPLICATE_NAMES},
        {FULL PLAYED("2010.05.03", "Carlsen, Magnus", MOVES45), STAMMA_DUPLICATE_NAMES},
        {IN_EVENT("Rapid", "2010.05.03") IN_EVENT("Blitz", "2010.05.03"), STAMMA_DUPLICATE_EVENT},
        {IN_EVENT("A", "2009.05.03") IN_EVENT("B", "2010.05.03"), STAMMA_DUPLICATE_DATE},
        {FULL GAME("Open", "2010.05.03", "?", "Andreikin, Dmitry", "Svidler, Peter", "0-1", MOVES32),
         STAMMA_DUPLICATE_RESULT},
        {FULL PLAYED("2010.05.03", "Andreikin, Dmitry", MOVES16 "9. a3 Bb7 10. Bc2 Re8 11. d4 h6 "),
         STAMMA_DUPLICATE_MOVES},
    };
    stamma_duplicate all[3];
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        list_all_kinds(rows[n].text, 2, all);
        const stamma_duplicate *one = &all[all[0].kind == STAMMA_DUPLICATE_NONE];
        if (one->kind != STAMMA_DUPLICATE_PROBABLE || one->reason != rows[n].reason || one->score < 60 ||
            one->score > 99)
            fail_msg("row %zu: kind %d, reason %d, score %d", n, (int)one->kind, (int)one->reason, (int)one->score);
        check_pair(rows[n].text, STAMMA_DUPLICATE_NONE, 0); /* they are only found if the kind is requested */
    }
    SAME(SIMILAR, 0, PLAYED("2010.05.03", "Andreikin, D", REPETITION),
         PLAYED("2010.05.03", "Andreikin, D", NO_REPETITION));
    /* the game that is kept instead of a duplicate may be a probable duplicate */
    list_all_kinds(COLORS(MOVES45) COLORS(MOVES45) "[ECO \"C95\"]\n[Opening \"Ruy Lopez\"]\n" FULL, 3, all);
    assert_int_equal(all[0].kind, STAMMA_DUPLICATE_EXACT);
    assert_int_equal(all[0].kept, 1);
    assert_int_equal(all[0].score, 0);
    assert_int_equal(all[1].kind, STAMMA_DUPLICATE_PROBABLE);
    assert_int_equal(all[1].kept, 2);
    assert_int_equal(all[2].kind, STAMMA_DUPLICATE_NONE);
    assert_string_equal(stamma_duplicate_kind_name(STAMMA_DUPLICATE_PROBABLE), "probable");
    assert_string_equal(stamma_duplicate_reason_name(STAMMA_DUPLICATE_REASON_NONE), "");
    assert_string_equal(stamma_duplicate_reason_name(STAMMA_DUPLICATE_COLORS), "colors");
    assert_string_equal(stamma_duplicate_reason_name((stamma_duplicate_reason)7), "");
}

/* Lists a game of random moves. */
static void list_random_game(listing *to, unsigned number)
{
    stamma_position position = stamma_position_start();
    stamma_move moves[STAMMA_MOVES_MAX];
    char san[STAMMA_SAN_SIZE];
    size_t count, plies = 16 + (size_t)random_below(50);
    list_format(to, "[Date \"2010.05.03\"]\n[White \"%c%cmann, X\"]\n[Black \"Y, Z\"]\n\n", 'a' + (int)(number % 26),
                'a' + (int)(number / 26 % 26));
    for (size_t n = 0; n < plies && (count = stamma_legal_moves(&position, moves)) > 0; n++) {
        stamma_move move = moves[random_below(count)];
        stamma_san_write(&position, move, san, sizeof san);
        list_format(to, "%s ", san);
        stamma_position_make(&position, move, &position);
    }
    list_word(to, "*\n\n");
}

/* With little memory there are more passes, but the same duplicates are found. */
static void memory_limit(void **state)
{
    enum { GAMES = 400, MEMORY = 20000 };
    const stamma_duplicates_options little = {.size = sizeof little, .memory = MEMORY};
    listing text = {0};
    unsigned passes, more_passes;
    (void)state;
    for (unsigned n = 0; n < GAMES; n++)
        list_random_game(&text, n);
    listing twice = {0};
    list_bytes(&twice, text.text, text.size);
    list_bytes(&twice, text.text, text.size + 1);
    stamma_duplicates *all = found_in_passes(twice.text, NULL, &passes);
    stamma_duplicates *some = found_in_passes(twice.text, &little, &more_passes);
    assert_int_equal(passes, 2);
    assert_true(more_passes >= GAMES * (3 * 32 + 300) / MEMORY); /* at least three keys, and the game's data */
    for (size_t n = 0; n < 2 * GAMES; n++) {
        stamma_duplicate one, other;
        assert_int_equal(stamma_duplicates_at(all, n, &one), STAMMA_OK);
        assert_int_equal(stamma_duplicates_at(some, n, &other), STAMMA_OK);
        assert_int_equal(one.kept, n < GAMES ? n + GAMES : n);
        assert_int_equal(other.kept, one.kept);
        assert_int_equal(other.kind, one.kind);
    }
    stamma_duplicates_close(all);
    stamma_duplicates_close(some);
    free(text.text);
    free(twice.text);
}

static void add_until_limit(void *context, const stamma_archive_game *game)
{
    assert_int_equal(stamma_duplicates_add((stamma_duplicates *)context, game), STAMMA_ERROR_LIMIT);
}

static void too_little_memory(void **state)
{
    const stamma_duplicates_options given = {.size = sizeof given, .memory = 100};
    stamma_duplicates *d = NULL;
    unsigned parts = 77;
    (void)state;
    assert_int_equal(stamma_duplicates_open(&given, &d), STAMMA_OK);
    for_each_game(FULL, strlen(FULL), add_until_limit, d);
    assert_int_equal(stamma_duplicates_count(d), 0);
    assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(parts, 77);
    stamma_duplicates_close(d);
}

static void add_unless(void *context, const stamma_archive_game *game)
{
    stamma_duplicates *d = context;
    const stamma_error error = stamma_duplicates_add(d, game);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_LIMIT || error == STAMMA_ERROR_BAD_ARGUMENT);
}

/* With any memory limit, the duplicates are found or the limit is reported as too small. */
static void each_memory(void **state)
{
    enum { GAMES = 8 };
    listing text = {0};
    unsigned found = 0;
    (void)state;
    for (unsigned n = 0; n < GAMES; n++)
        list_random_game(&text, n);
    listing twice = {0};
    list_bytes(&twice, text.text, text.size);
    list_bytes(&twice, text.text, text.size);
    for (uint64_t memory = 800; memory < 60000; memory += memory / 10) {
        const stamma_duplicates_options given = {.size = sizeof given, .memory = memory};
        stamma_duplicates *d = NULL;
        stamma_error error = STAMMA_OK;
        assert_int_equal(stamma_duplicates_open(&given, &d), STAMMA_OK);
        for (unsigned parts = STAMMA_GAME_ALL; parts != 0 && error == STAMMA_OK;) {
            for_each_game(twice.text, twice.size, add_unless, d);
            error = stamma_duplicates_find(d, &parts);
        }
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_LIMIT || error == STAMMA_ERROR_BAD_ARGUMENT);
        for (size_t n = 0; error == STAMMA_OK && n < 2 * GAMES; n++) {
            stamma_duplicate one;
            assert_int_equal(stamma_duplicates_at(d, n, &one), STAMMA_OK);
            assert_int_equal(one.kept, n % GAMES + GAMES);
        }
        found += error == STAMMA_OK;
        stamma_duplicates_close(d);
    }
    assert_true(found > 10);
    free(text.text);
    free(twice.text);
}

/* The passes must have the same number of games. */
static void other_games(void **state)
{
    const char *text = FULL FULL;
    (void)state;
    for (int fewer = 0; fewer < 2; fewer++) {
        stamma_duplicates *d = NULL;
        unsigned parts = 0;
        assert_int_equal(stamma_duplicates_open(NULL, &d), STAMMA_OK);
        for_each_game(text, strlen(text), add_game, d);
        assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
        assert_int_not_equal(parts, 0);
        for_each_game(FULL, strlen(FULL), add_game, d);
        if (fewer == 0)
            for_each_game(FULL, strlen(FULL), add_game, d);
        const stamma_archive_game more = {.number = 3};
        assert_int_equal(fewer ? stamma_duplicates_find(d, &parts) : stamma_duplicates_add(d, &more),
                         STAMMA_ERROR_MISMATCH);
        assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_ERROR_BAD_ARGUMENT);
        stamma_duplicates_close(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_games),      cmocka_unit_test(games_that_are_not_needed),
        cmocka_unit_test(too_many_skipped), cmocka_unit_test(names_and_dates),
        cmocka_unit_test(short_games),      cmocka_unit_test(included_games),
        cmocka_unit_test(similar_games),    cmocka_unit_test(transposed_games),
        cmocka_unit_test(other_facts),      cmocka_unit_test(kept_games),
        cmocka_unit_test(options),          cmocka_unit_test(large_group),
        cmocka_unit_test(memory_limit),     cmocka_unit_test(too_little_memory),
        cmocka_unit_test(other_games),      cmocka_unit_test(not_transitive),
        cmocka_unit_test(each_memory),      cmocka_unit_test(probable_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
