/* SPDX-License-Identifier: MIT */
/* Tests which games are the same game in a set: hand-made pairs, one for each property and its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "value_games.h"

#define MOVES16 "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O "
#define GAME(tags, date, white, result, moves)                                                       \
    tags "[Date \"" date "\"]\n[White \"" white "\"]\n[Black \"Svidler, Peter\"]\n[Result \"" result \
         "\"]\n\n" moves result "\n\n"
#define TAGGED(tags) GAME(tags, "2010.05.03", "Andreikin, Dmitry", "1-0", MOVES16)
#define FULL TAGGED("[Event \"Open\"]\n")

static size_t add_games(stamma_game_set *set, const char *text, size_t *total)
{
    stamma_archive_counts counts;
    listing archive = pack(text, strlen(text), &counts);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    size_t added = 0;
    *total = 0;
    for (;;) {
        bool is_new = false, is_there = false, is_there_now = false;
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        if (!game)
            break;
        const size_t before = stamma_game_set_count(set);
        assert_int_equal(stamma_game_set_has(set, game, &is_there), STAMMA_OK);
        assert_int_equal(stamma_game_set_count(set), before);
        assert_int_equal(stamma_game_set_add(set, game, &is_new), STAMMA_OK);
        assert_int_equal(stamma_game_set_has(set, game, &is_there_now), STAMMA_OK);
        assert_true(is_there != is_new && is_there_now);
        added += is_new;
        (*total)++;
    }
    close_reader(reader);
    free(archive.text);
    return added;
}

/* Checks the number of different games in a text, and that adding them again adds none. */
static void check(const char *text, size_t games, size_t different)
{
    stamma_game_set *set = NULL;
    size_t total;
    assert_int_equal(stamma_game_set_open(NULL, &set), STAMMA_OK);
    size_t added = add_games(set, text, &total);
    if (added != different)
        fail_msg("%zu different games, not %zu: %s", added, different, text);
    assert_int_equal(total, games);
    assert_int_equal(add_games(set, text, &total), 0);
    assert_int_equal(stamma_game_set_count(set), different);
    stamma_game_set_close(set);
}

static void detect(void *context, const stamma_archive_game *game)
{
    assert_int_equal(stamma_duplicates_add((stamma_duplicates *)context, game), STAMMA_OK);
}

/* Checks that a detector finds the second of two games that are the same game for a set. */
static void check_detector(const char *text)
{
    stamma_duplicates *d = NULL;
    stamma_duplicate one, other;
    assert_int_equal(stamma_duplicates_open(NULL, &d), STAMMA_OK);
    for (unsigned parts = STAMMA_GAME_ALL; parts != 0;) {
        for_each_game(text, strlen(text), detect, d);
        assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
    }
    assert_int_equal(stamma_duplicates_at(d, 0, &one), STAMMA_OK);
    assert_int_equal(stamma_duplicates_at(d, 1, &other), STAMMA_OK);
    if (one.kind == STAMMA_DUPLICATE_NONE && other.kind == STAMMA_DUPLICATE_NONE)
        fail_msg("not found by a detector: %s", text);
    stamma_duplicates_close(d);
}

#define SAME(a, b)           \
    do {                     \
        check(a b, 2, 1);    \
        check_detector(a b); \
    } while (0)
#define SAME_TEXT(a, b) check(a b, 2, 1)
#define DIFFERENT(a, b) check(a b, 2, 2)

static void facts_of_the_hash(void **state)
{
    (void)state;
    SAME(FULL, FULL);
    SAME(FULL, TAGGED("[Event \"Another\"]\n[ECO \"C90\"]\n"));
    SAME(FULL, GAME("[Event \"Open\"]\n", "2010.05.03", "GM DMITRY  Andreikin", "1-0", MOVES16));
    SAME(GAME("", "2010.05.03", "M\xFCller, J", "1-0", MOVES16),
         GAME("", "2010.05.03", "J. M\xC3\xBCller", "1-0", MOVES16));
    SAME(FULL,
         GAME("", "2010.05.03", "Andreikin, Dmitry", "1-0",
              "1. e4 {good} e5 2. Nf3 (2. f4) Nc6  3.Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O "));
    SAME(GAME("[UTCDate \"2010.05.03\"]\n", "????.??.??", "Andreikin, Dmitry", "1-0", MOVES16), FULL);
    DIFFERENT(FULL, GAME("", "2010.05.04", "Andreikin, Dmitry", "1-0", MOVES16));
    DIFFERENT(FULL, GAME("", "2010.05.??", "Andreikin, Dmitry", "1-0", MOVES16));
    DIFFERENT(FULL, GAME("", "2010.05.03", "Andreikin, D", "1-0", MOVES16));
    DIFFERENT(FULL, GAME("", "2010.05.03", "Andreikin, Dmitry", "0-1", MOVES16));
    DIFFERENT(FULL, GAME("", "2010.05.03", "Andreikin, Dmitry", "1-0", MOVES16 "9. h3 "));
    DIFFERENT(GAME("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n", "2010.05.03", "A B", "1-0", "1. e4 "),
              GAME("[FEN \"4k3/8/8/8/8/8/4P3/3K4 w - - 0 1\"]\n", "2010.05.03", "A B", "1-0", "1. e4 "));
}

static void facts_that_distinguish(void **state)
{
    (void)state;
    DIFFERENT(TAGGED("[Round \"3.1\"]\n"), TAGGED("[Round \"4.1\"]\n"));
    SAME(TAGGED("[Round \"3.1\"]\n"), TAGGED("[Round \"3\"]\n"));
    DIFFERENT(TAGGED("[Round \"3.1\"]\n"), TAGGED("[Round \"3.2\"]\n"));
    DIFFERENT(TAGGED("[WhiteFideId \"1\"]\n"), TAGGED("[WhiteFideId \"2\"]\n"));
    DIFFERENT(TAGGED("[BlackFideId \"1\"]\n"), TAGGED("[BlackFideId \"2\"]\n"));
    SAME(TAGGED("[BlackFideId \"1\"]\n"), TAGGED("[BlackFideId \"?\"]\n"));
    SAME(TAGGED("[Round \"3\"]\n"), TAGGED("[Round \"?\"]\n"));
    DIFFERENT(TAGGED("[UTCTime \"10:00:00\"]\n"), TAGGED("[UTCTime \"10:20:00\"]\n"));
    DIFFERENT(TAGGED("[Link \"https://a.org/games/1\"]\n"), TAGGED("[Link \"https://a.org/games/2\"]\n"));
    SAME(TAGGED("[Link \"https://a.org/games/1\"]\n"), TAGGED("[Link \"https://a.org/games/1\"]\n"));
    SAME(TAGGED("[Link \"https://a.org/games/1\"]\n"), TAGGED("[GameURL \"https://b.org/games/2\"]\n"));
    SAME(TAGGED("[UTCTime \"10:00:00\"]\n"), TAGGED(""));
    SAME(TAGGED(""), TAGGED("[UTCTime \"10:00:00\"]\n"));
    SAME(TAGGED("[Link \"https://a.org/games/1\"]\n"), TAGGED(""));
    SAME(TAGGED(""), TAGGED("[Link \"https://a.org/games/1\"]\n"));
    /* the game without a round is the same game as the first; each round is a game */
    check(TAGGED("[Round \"1\"]\n") TAGGED("") TAGGED("[Round \"2\"]\n") TAGGED("[Round \"3\"]\n")
              TAGGED("[Round \"2\"]\n"),
          5, 3);
}

/* In short games, Event, Site and Round must be equal, too. */
static void short_games(void **state)
{
    (void)state;
#define SHORT(tags) GAME(tags, "2010.05.03", "Andreikin, Dmitry", "1-0", "1. e4 e5 ")
    SAME(SHORT("[Event \"Open\"]\n"), SHORT("[Event \"OPEN\"]\n"));
    SAME(GAME("", "1901.??.??", "Andreikin, Dmitry", "1-0", "1. e4 e5 "),
         GAME("", "1901.??.??", "Dmitry Andreikin", "1-0", "1. e4 e5 "));
    SAME(GAME("[Event \"Open\"]\n", "????.??.??", "Andreikin, Dmitry", "1-0", MOVES16),
         GAME("[Event \"Another\"]\n", "????.??.??", "Dmitry Andreikin", "1-0", MOVES16));
    DIFFERENT(SHORT("[Event \"Open\"]\n"), SHORT("[Event \"Closed\"]\n"));
    DIFFERENT(SHORT("[Round \"1\"]\n"), SHORT("[Round \"?\"]\n"));
    DIFFERENT(SHORT("[Site \"https://lichess.org/abcdefgh\"]\n"), SHORT("[Site \"https://lichess.org/abcdefgi\"]\n"));
}

/* Games of unknown players, such as chapters of a study, and games that are partly text are compared by their text. */
static void texts(void **state)
{
    (void)state;
#define UNKNOWN(name, comment) GAME("", "2010.05.03", name, "1-0", "{" comment "} " MOVES16)
    SAME_TEXT(UNKNOWN("?", "a"), UNKNOWN("?", "a") "\n\n");
    DIFFERENT(UNKNOWN("?", "a"), UNKNOWN("?", "b"));
    DIFFERENT(UNKNOWN("N.N.", "a"), UNKNOWN("N.N.", "b"));
    SAME(UNKNOWN("Nunn", "a"), UNKNOWN("Nunn", "b"));
    SAME_TEXT("\xEF\xBB\xBF" UNKNOWN("?", "a"), UNKNOWN("?", "a"));
#define ILLEGAL(comment) GAME("", "2010.05.03", "Andreikin, Dmitry", "1-0", MOVES16 "9. Ke8 {" comment "} ")
    SAME_TEXT(ILLEGAL("a"), ILLEGAL("a"));
    DIFFERENT(ILLEGAL("a"), ILLEGAL("b"));
}

/* The hashes were computed by another implementation, the Python package xxhash, from the bytes that stamma.h lists:
 *   b"S" b"ann lee \0" b"bob \0" b"open\0" b"\0" b"1\0" date, result, key of the position, moves
 *   b"T" and the text
 * with 20240102, 1 and 0xCD1B21E5221C0E3D in 8 bytes each, and e2e4 as 0x1 << 12 | 12 << 6 | 28 in 2 bytes, all
 * little-endian. */
static void recorded_hashes(void **state)
{
    static const struct {
        const char *text;
        const char *hash;
    } rows[] = {
        {"[Event \"Open\"]\n[Date \"2024.01.02\"]\n[Round \"1\"]\n[White \"Lee, Ann\"]\n[Black \"BOB\"]\n[Result "
         "\"1-0\"]\n\n1. e4 1-0\n",
         "18ac7b1a179b14699c0cb88bc7c8a638"},
        {"[White \"?\"]\n\n1. e4 1-0\n\n", "76f13dee5ce638bcf15577ee30a15726"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        stamma_archive_counts counts;
        listing archive = pack(rows[n].text, strlen(rows[n].text), &counts);
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &archive, true);
        const stamma_archive_game *game;
        uint8_t hash[16];
        char hex[33];
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(stamma_game_hash(game, NULL, hash), STAMMA_OK);
        for (size_t i = 0; i < sizeof hash; i++)
            (void)snprintf(hex + 2 * i, 3, "%02x", hash[i]);
        assert_string_equal(hex, rows[n].hash);
        close_reader(reader);
        free(archive.text);
    }
}

static uint64_t name_hash(const char *name)
{
    uint64_t hash = 1;
    assert_int_equal(stamma_name_hash((stamma_text){name, strlen(name)}, NULL, &hash), STAMMA_OK);
    return hash;
}

static void names(void **state)
{
    (void)state;
    assert_true(name_hash("Lee, Ann") == name_hash("ANN  lee") && name_hash("Lee, Ann") == name_hash("GM Lee,Ann"));
    assert_true(name_hash("M\xFCller") == name_hash("m\xC3\xBCller") && name_hash("Muller") == name_hash("M\xFCller"));
    assert_true(name_hash("Lee, Ann") != name_hash("Lee, A") && name_hash("Lee") != name_hash("Leea"));
    assert_true(name_hash("") == 0 && name_hash("?") == 0 && name_hash(", -") == 0);
}

static void memory_limit(void **state)
{
    const stamma_game_set_options given = {.size = sizeof given, .memory = 100};
    const stamma_archive_game game = {.number = 1, .text = {"*", 1}};
    stamma_game_set *set = NULL;
    (void)state;
    assert_int_equal(stamma_game_set_open(&given, &set), STAMMA_OK);
    assert_int_equal(stamma_game_set_add(set, &game, NULL), STAMMA_ERROR_LIMIT);
    assert_int_equal(stamma_game_set_count(set), 0);
    stamma_game_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_the_hash),
        cmocka_unit_test(facts_that_distinguish),
        cmocka_unit_test(short_games),
        cmocka_unit_test(texts),
        cmocka_unit_test(recorded_hashes),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
