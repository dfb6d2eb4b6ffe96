/* SPDX-License-Identifier: MIT */
/* Tests opening books in Polyglot's format: entries computed by hand, their order and weights, and merging of books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "value_games.h"

static stamma_book *book_of(const char *fen, unsigned plies)
{
    stamma_book *book = NULL;
    stamma_position p = stamma_position_start();
    if (fen)
        assert_int_equal(stamma_fen_read((stamma_text){fen, strlen(fen)}, &p, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_book_open(&p, plies, NULL, &book), STAMMA_OK);
    return book;
}

typedef struct shares {
    stamma_book **books;
    size_t count;
} shares;

static void add_game(void *context, const stamma_archive_game *game)
{
    const shares *s = (const shares *)context;
    size_t n = s->count > 1 ? (size_t)random_below(s->count) : 0;
    assert_int_equal(stamma_book_add(s->books[n], game), STAMMA_OK);
}

static void add_games(const char *text, size_t size, stamma_book **books, size_t count)
{
    shares s = {books, count};
    for_each_game(text, size, add_game, &s);
}

static listing bytes_of(const stamma_book *book, uint64_t games)
{
    listing bytes = {0};
    const stamma_output output = listing_output(&bytes);
    uint64_t entries = 0;
    assert_int_equal(stamma_book_write(book, games, &output, &entries), STAMMA_OK);
    assert_int_equal(bytes.size, 16 * entries);
    return bytes;
}

static uint64_t number_at(const listing *bytes, size_t at, size_t size)
{
    uint64_t number = 0;
    for (size_t n = 0; n < size; n++)
        number = number << 8 | (uint8_t)bytes->text[at + n];
    return number;
}

/* Returns the weight of a move, given by squares in Polyglot's numbering. Returns -1 if the book does not contain
 * it. */
static int weight_of(const listing *bytes, const char *fen, unsigned from, unsigned to, unsigned promotion)
{
    stamma_position p = stamma_position_start();
    if (fen)
        assert_int_equal(stamma_fen_read((stamma_text){fen, strlen(fen)}, &p, NULL, NULL), STAMMA_OK);
    for (size_t at = 0; at < bytes->size; at += 16)
        if (number_at(bytes, at, 8) == stamma_position_polyglot_key(&p) &&
            number_at(bytes, at + 8, 2) == (to | from << 6 | promotion << 12))
            return (int)number_at(bytes, at + 10, 2);
    return -1;
}

enum {
    E1 = 4,
    H1 = 7,
    E2 = 12,
    D2 = 11,
    F2 = 13,
    F3 = 21,
    E4 = 28,
    D4 = 27,
    E7 = 52,
    E5 = 36,
    A7 = 48,
    A8 = 56,
    E8 = 60,
    A1 = 0
};

static void test_weights(void **state)
{
    static const char games[] = "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. d4 1/2-1/2\n\n"
                                "[Result \"0-1\"]\n\n1. d4 0-1\n\n1. e4 *\n\n";
    (void)state;
    stamma_book *book = book_of(NULL, 2);
    add_games(games, sizeof games - 1, &book, 1);
    listing bytes = bytes_of(book, 1);
    assert_int_equal(bytes.size, 3 * 16); /* the third ply exceeds the depth of the book */
    assert_int_equal(weight_of(&bytes, NULL, E2, E4, 0), 3);
    assert_int_equal(weight_of(&bytes, NULL, D2, D4, 0), 0);
    assert_int_equal(weight_of(&bytes, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", E7, E5, 0), 1);
    for (size_t at = 0; at < bytes.size; at += 16)
        assert_int_equal(number_at(&bytes, at + 12, 4), 0);
    free(bytes.text);
    bytes = bytes_of(book, 3); /* two games continue after 1. e4, four in the initial position */
    assert_int_equal(bytes.size, 2 * 16);
    free(bytes.text);
    stamma_book_close(book);
}

static void test_moves(void **state)
{
    static const char fen[] = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1";
    char games[1000];
    (void)state;
    (void)snprintf(
        games, sizeof games,
        "[Result \"1-0\"]\n[FEN \"%s\"]\n\n1. O-O 1-0\n\n[Result \"1-0\"]\n[FEN \"%s\"]\n\n1. O-O-O 1-0\n\n"
        "[Result \"1-0\"]\n[FEN \"%s\"]\n\n1. a8=N 1-0\n\n[Result \"1-0\"]\n[FEN \"%s\"]\n\n1. a8=Q+ 1-0\n\n",
        fen, fen, fen, fen);
    stamma_book *book = book_of(fen, 1);
    add_games(games, strlen(games), &book, 1);
    listing bytes = bytes_of(book, 1);
    assert_int_equal(bytes.size, 4 * 16);
    assert_int_equal(weight_of(&bytes, fen, E1, H1, 0), 2);
    assert_int_equal(weight_of(&bytes, fen, E1, A1, 0), 2);
    assert_int_equal(weight_of(&bytes, fen, A7, A8, 1), 2);
    assert_int_equal(weight_of(&bytes, fen, A7, A8, 4), 2);
    free(bytes.text);
    stamma_book_close(book);
}

/* Games are followed up to a null move. Continuations of games, and games read without moves, are not added. */
static void test_odd_games(void **state)
{
    static const char games[] = "[Result \"1-0\"]\n\n1. e4 -- 2. d4 1-0\n\n[Result \"1-0\"]\n\n1. -- e5 1-0\n\n";
    stamma_archive_game game = {.start = stamma_position_start(), .ply_count = 1, .continuation = true};
    (void)state;
    stamma_book *book = book_of(NULL, 4), *shorter = book_of(NULL, 3),
                *other = book_of("4k3/8/8/8/8/8/4P3/4K3 w - -", 4);
    add_games(games, sizeof games - 1, &book, 1);
    assert_int_equal(stamma_book_add(book, &game), STAMMA_OK);
    game.continuation = false;
    assert_int_equal(stamma_book_add(book, &game), STAMMA_ERROR_BAD_ARGUMENT);
    listing bytes = bytes_of(book, 1);
    assert_int_equal(bytes.size, 16);
    assert_int_equal(weight_of(&bytes, NULL, E2, E4, 0), 2);
    assert_int_equal(stamma_book_merge(book, shorter), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_book_merge(book, other), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_book_merge(book, book), STAMMA_ERROR_BAD_ARGUMENT);
    free(bytes.text);
    stamma_book_close(book);
    stamma_book_close(shorter);
    stamma_book_close(other);
}

/* A position that is repeated in a game counts once. */
static void test_repetition(void **state)
{
    static const char games[] = "[Result \"1-0\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1-0\n\n";
    (void)state;
    stamma_book *book = book_of(NULL, 24);
    add_games(games, sizeof games - 1, &book, 1);
    listing bytes = bytes_of(book, 1);
    assert_int_equal(bytes.size, 4 * 16);
    assert_int_equal(weight_of(&bytes, NULL, 6, 21, 0), 2);
    free(bytes.text);
    stamma_book_close(book);
}

/* Weights above 16 bits are scaled down in proportion; weights above 0 stay above 0, and 0 stays 0.
 */
static void test_large_weights(void **state)
{
    const stamma_position start = stamma_position_start();
    const stamma_move e4 = stamma_move_make(E2, E4, STAMMA_FLAG_DOUBLE_PUSH),
                      d4 = stamma_move_make(D2, D4, STAMMA_FLAG_DOUBLE_PUSH),
                      f3 = stamma_move_make(F2, F3, STAMMA_FLAG_QUIET);
    stamma_archive_game game = {.start = start, .ply_count = 1, .moves = &e4, .result = {"1-0", 3}};
    (void)state;
    stamma_book *book = book_of(NULL, 1);
    for (unsigned n = 0; n < 80000; n++)
        assert_int_equal(stamma_book_add(book, &game), STAMMA_OK);
    game.moves = &d4;
    assert_int_equal(stamma_book_add(book, &game), STAMMA_OK);
    game.moves = &f3;
    game.result = (stamma_text){"0-1", 3};
    assert_int_equal(stamma_book_add(book, &game), STAMMA_OK);
    listing bytes = bytes_of(book, 1);
    assert_int_equal(weight_of(&bytes, NULL, E2, E4, 0), 65535);
    assert_int_equal(weight_of(&bytes, NULL, D2, D4, 0), 1);
    assert_int_equal(weight_of(&bytes, NULL, F2, F3, 0), 0);
    free(bytes.text);
    stamma_book_close(book);
}

static void test_sums(void **state)
{
    enum { PARTS = 4 };
    listing many = {0};
    (void)state;
    list_tagged_games(&many, 300);
    stamma_book *whole = book_of(NULL, 10);
    add_games(many.text, many.size, &whole, 1);
    listing expected = bytes_of(whole, 2);
    assert_true(expected.size > 0);
    for (size_t at = 16; at < expected.size; at += 16)
        assert_true(number_at(&expected, at - 16, 8) <= number_at(&expected, at, 8));
    for (unsigned round = 0; round < 10; round++) {
        stamma_book *parts[PARTS];
        for (size_t n = 0; n < PARTS; n++)
            parts[n] = book_of(NULL, 10);
        add_games(many.text, many.size, parts, PARTS);
        for (size_t n = 1; n < PARTS; n++) {
            assert_int_equal(stamma_book_merge(parts[0], parts[n]), STAMMA_OK);
            stamma_book_close(parts[n]);
        }
        listing bytes = bytes_of(parts[0], 2);
        assert_int_equal(bytes.size, expected.size);
        assert_memory_equal(bytes.text, expected.text, expected.size);
        free(bytes.text);
        stamma_book_close(parts[0]);
    }
    free(expected.text);
    free(many.text);
    stamma_book_close(whole);
    stamma_book_close(NULL);
}

static void add_until_failure(void *context, const stamma_archive_game *game)
{
    stamma_error error = stamma_book_add((stamma_book *)context, game);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
}

static void test_no_memory(void **state)
{
    static const char games[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. d4 d5 *\n\n";
    const stamma_position start = stamma_position_start();
    (void)state;
    for (unsigned fail_at = 1; fail_at < 8; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        stamma_book *book = NULL;
        listing bytes = {0};
        const stamma_output output = listing_output(&bytes);
        stamma_error error = stamma_book_open(&start, 10, &allocator, &book);
        if (error == STAMMA_OK) {
            for_each_game(games, sizeof games - 1, add_until_failure, book);
            error = stamma_book_write(book, 1, &output, NULL);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        }
        free(bytes.text);
        stamma_book_close(book);
        assert_int_equal(memory.alive, 0);
    }
}

static void test_failing_outputs(void **state)
{
    static const char games[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. d4 d5 *\n\n";
    stamma_book *book = book_of(NULL, 10);
    (void)state;
    add_games(games, sizeof games - 1, &book, 1);
    for (unsigned fail_at = 1; fail_at <= 8; fail_at++) { /* seven moves, each written by a call */
        archive_sink sink = {.fail_at = fail_at};
        const stamma_output output = archive_output(&sink);
        uint64_t entries = 99;
        assert_int_equal(stamma_book_write(book, 1, &output, &entries), fail_at <= 7 ? STAMMA_ERROR_IO : STAMMA_OK);
        assert_int_equal(entries, fail_at <= 7 ? 99 : 7);
        assert_int_equal(sink.bytes.size, 16 * (fail_at - 1));
        free(sink.bytes.text);
    }
    stamma_book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_moves),           cmocka_unit_test(test_odd_games),
        cmocka_unit_test(test_repetition), cmocka_unit_test(test_large_weights),   cmocka_unit_test(test_sums),
        cmocka_unit_test(test_no_memory),  cmocka_unit_test(test_failing_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
