/* Tests which games are duplicates, and which of them is kept: pairs made by hand, one for each rule and its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "value_games.h"

/* 45 plies of a game, and its beginnings. */
#define MOVES16 "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O "
#define MOVES32 MOVES16 "9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 "
#define MOVES45 MOVES32 "17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. Ra3 Rb8 22. Rea1 Bc8 23. axb5 "
#define GAME(event, date, round, white, black, result, moves)                                                   \
    "[Event \"" event "\"]\n[Date \"" date "\"]\n[Round \"" round "\"]\n[White \"" white "\"]\n[Black \"" black \
    "\"]\n[Result \"" result "\"]\n\n" moves result "\n\n"
#define PLAYED(date, white, moves) GAME("Open", date, "3", white, "Svidler, Peter", "1-0", moves)

static void add_game(void *context, const stamma_archive_game *game)
{
    assert_int_equal(stamma_duplicates_add((stamma_duplicates *)context, game), STAMMA_OK);
}

static stamma_duplicates *found_in(const char *text, const stamma_duplicates_options *options)
{
    stamma_duplicates *d = NULL;
    assert_int_equal(stamma_duplicates_open(options, &d), STAMMA_OK);
    for_each_game(text, strlen(text), add_game, d);
    assert_int_equal(stamma_duplicates_find(d), STAMMA_OK);
    return d;
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
    SAME(SPELLING, 1, FULL, PLAYED("2010.05.03", "?", MOVES45));
    SAME(EXACT, 1, PLAYED("2010.05.03", "Müller, Jörg", MOVES45), PLAYED("2010.05.03", "MULLER, Jorg", MOVES45));
    DIFFERENT(FULL, PLAYED("2010.05.03", "Andreikin, Igor", MOVES45));
    DIFFERENT(FULL, PLAYED("2010.05.03", "Carlsen, Magnus", MOVES45));
    DIFFERENT(FULL, PLAYED("2011.05.03", "Andreikin, Dmitry", MOVES45));
    DIFFERENT(FULL, GAME("Open", "2010.05.03", "4", "Andreikin, Dmitry", "Svidler, Peter", "1-0", MOVES45));
}

/* Short games and opening lines are duplicates only if all facts are equal. */
static void short_games(void **state)
{
    (void)state;
    SAME(EXACT, 1, PLAYED("2010.05.03", "A, B", "1. e4 "), PLAYED("2010.05.03", "A, B", "1. e4 "));
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
    DIFFERENT(FULL, GAME("Open", "2010.05.03", "3", "Andreikin, Dmitry", "Svidler, Peter", "0-1", MOVES32));
}

static void similar_games(void **state)
{
    (void)state;
    SAME(SIMILAR, 1, PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Bg5 h6 18. Be3 "),
         PLAYED("2010.05.03", "Andreikin, D", MOVES32 "17. Bg5 h6 18. Bf4 "));
    SAME(SIMILAR, 1,
         PLAYED("2010.05.03", "Andreikin, D",
                "1. Nf3 Nc6 2. e4 e5 3. d4 exd4 " /* transposed */
                "4. Nxd4 Nf6 5. Nxc6 bxc6 6. e5 Qe7 7. Qe2 Nd5 8. c4 Ba6 9. b3 g6 10. f4 f6 11. Ba3 c5 "
                "12. g3 fxe5 13. Bg2 Nb4 14. Bxa8 exf4 15. Bf3 fxg3 16. hxg3 Bg7 "),
         PLAYED("2010.05.03", "Andreikin, D",
                "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 "
                "4. Nxd4 Nf6 5. Nxc6 bxc6 6. e5 Qe7 7. Qe2 Nd5 8. c4 Ba6 9. b3 g6 10. f4 f6 11. Ba3 c5 "
                "12. g3 fxe5 13. Bg2 Nb4 14. Bxa8 exf4 15. Bf3 fxg3 16. hxg3 Bg7 "));
}

static void other_facts(void **state)
{
    (void)state;
#define TAGGED(tag) "[" tag "]\n" FULL
    DIFFERENT(TAGGED("Link \"https://a.org/games/1\""), TAGGED("Link \"https://a.org/games/2\""));
    SAME(EXACT, 1, TAGGED("Link \"https://a.org/games/1\""), TAGGED("Link \"https://b.org/games/2\""));
    DIFFERENT(TAGGED("WhiteFideId \"1\""), TAGGED("WhiteFideId \"2\""));
    DIFFERENT(TAGGED("UTCTime \"10:00:00\""), TAGGED("UTCTime \"10:20:00\""));
    SAME(EXACT, 0, TAGGED("ECO \"C95\""), FULL); /* the game with more tags is kept */
    DIFFERENT(FULL, PLAYED("2010.05.03", "Andreikin, Dmitry", MOVES32 "17. Ke8 ")); /* partly text */
}

static void options(void **state)
{
    const struct {
        stamma_keep keep;
        unsigned kinds;
        uint64_t kept;
    } rows[] = {{STAMMA_KEEP_BEST, 0, 1},
                {STAMMA_KEEP_FIRST, 0, 0},
                {STAMMA_KEEP_LAST, 0, 2},
                {STAMMA_KEEP_FIRST, 1u << STAMMA_DUPLICATE_EXACT, 2}};
    const char *text = PLAYED("2010.05.03", "Andreikin, D", MOVES32) FULL PLAYED("2010.05.03", "Andreikin, D", MOVES32);
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const stamma_duplicates_options given = {.size = sizeof given, .keep = rows[n].keep, .kinds = rows[n].kinds};
        stamma_duplicates *d = found_in(text, &given);
        stamma_duplicate last;
        assert_int_equal(stamma_duplicates_at(d, 2, &last), STAMMA_OK);
        assert_int_equal(last.kept, rows[n].kinds ? 0 : rows[n].kept);
        stamma_duplicates_close(d);
    }
}

/* A group larger than the number of neighbours that are compared has one game left. */
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

static void add_until_limit(void *context, const stamma_archive_game *game)
{
    assert_int_equal(stamma_duplicates_add((stamma_duplicates *)context, game), STAMMA_ERROR_LIMIT);
}

static void memory_limit(void **state)
{
    const stamma_duplicates_options given = {.size = sizeof given, .memory = 100};
    stamma_duplicates *d = NULL;
    (void)state;
    assert_int_equal(stamma_duplicates_open(&given, &d), STAMMA_OK);
    for_each_game(FULL, strlen(FULL), add_until_limit, d);
    assert_int_equal(stamma_duplicates_count(d), 0);
    stamma_duplicates_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_dates), cmocka_unit_test(short_games),  cmocka_unit_test(included_games),
        cmocka_unit_test(similar_games),   cmocka_unit_test(other_facts),  cmocka_unit_test(options),
        cmocka_unit_test(large_group),     cmocka_unit_test(memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
