/* SPDX-License-Identifier: MIT */
/* Tests the search for styles: the style of a text is found, and text that no style describes is still restored
 * exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "game_texts.h"
#include "record/record.h"

static void expect_clean(const char *name, const stamma_archive_counts *counts)
{
    if (counts->games_corrected + counts->games_partly_verbatim + counts->games_verbatim == 0)
        return;
    fail_msg("%s: %d games corrected, %d partly verbatim, %d verbatim", name, (int)counts->games_corrected,
             (int)counts->games_partly_verbatim, (int)counts->games_verbatim);
}

/* The styles of programs are found without any exception. */
static void test_styles_of_programs(void **state)
{
    (void)state;
    for (const text_style *s = text_styles; s->name; s++) {
        listing text = {0};
        stamma_archive_counts counts;
        for (int i = 0; i < 80; i++)
            list_game(&text, s);
        assert_round_trip(text.text, text.size, &counts);
        assert_int_equal(counts.games, 80);
        expect_clean(s->name, &counts);
        free(text.text);
    }
}

/* Single games, each with a habit that no other game of this test has: no game needs a correction. */
static void test_habits(void **state)
{
    (void)state;
    static const char *const games[] = {
        /* the file is written before the rank if the rank would be sufficient, and only then */
        "1. a4 a5 2. h4 h5 3. Ra3 Ra6 4. Rah3 Rah6 5. Rh3h2 Rh6h7 6. Rh3 Rh6 *\n",
        /* lines end at any space, but the result stays on its line however long it becomes */
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8.\n"
        "c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4\n"
        "15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 1/2-1/2\n",
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        stamma_archive_counts counts;
        assert_round_trip(games[i], strlen(games[i]), &counts);
        assert_int_equal(counts.games, 1);
        expect_clean(games[i], &counts);
    }
}

/* ---- comments with wrapped words ---- */

/* Writes text that is broken before the `early`-th word (from 1; 0: none), and where a line would have more than 79
 * bytes. */
typedef struct wrapped_text {
    listing text;
    size_t column, words, early;
} wrapped_text;

static void wrap(wrapped_text *w, const char *word)
{
    const bool breaks = w->column + 1 + strlen(word) > 79 || ++w->words == w->early;
    list_word(&w->text, w->column == 0 ? "" : breaks ? "\n" : " ");
    w->column = (w->column == 0 || breaks ? 0 : w->column + 1) + strlen(word);
    list_word(&w->text, word);
}

/* Writes a game of 80 moves with a comment of this number of words before the first move. */
static void wrap_game(wrapped_text *w, unsigned words, size_t early)
{
    static const char *const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    char word[16];
    list_word(&w->text, "[Event \"wrapped\"]\n\n");
    w->column = w->words = 0;
    w->early = early > 0 ? words + early : 0;
    for (unsigned n = 1; n <= words; n++) {
        (void)snprintf(word, sizeof word, "%sword%u%s", n == 1 ? "{" : "", n * n, n == words ? "}" : "");
        wrap(w, word);
    }
    for (unsigned n = 0; n < 160; n++) {
        (void)snprintf(word, sizeof word, "%u.", n / 2 + 1);
        if (n % 2 == 0)
            wrap(w, word);
        wrap(w, moves[n % 4]);
    }
    wrap(w, "*");
    list_word(&w->text, "\n\n");
}

/* A line of moves that is too short hides where lines end, but the words of the comment show it. The words of this and
 * of the next comments are then separated by blanks. */
static void test_wrapped_words(void **state)
{
    static const unsigned words[] = {56, 60, 0, 1, 200};
    enum { GAMES = sizeof words / sizeof *words };
    (void)state;
    wrapped_text w = {.column = 0};
    for (size_t n = 0; n < GAMES; n++)
        wrap_game(&w, words[n], n == 0 ? 3 : 0);
    stamma_archive_counts counts;
    assert_round_trip(w.text.text, w.text.size, &counts);
    assert_int_equal(counts.games, GAMES);
    assert_int_equal(counts.games_corrected, 1);
    listing archive = pack(w.text.text, w.text.size, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    for (size_t n = 0; n < GAMES; n++) {
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(game->item_count, words[n] > 0);
        const stamma_text comment = words[n] > 0 ? game->items[0].text : (stamma_text){"", 0};
        assert_null(memchr(comment.data, '\n', comment.size));
        for (unsigned k = 0, at = 0; k < words[n]; k++) {
            char word[16];
            at += (unsigned)snprintf(word, sizeof word, k + 1 < words[n] ? "word%u " : "word%u", (k + 1) * (k + 1));
            assert_memory_equal(comment.data + at - strlen(word), word, strlen(word));
        }
    }
    close_reader(reader);
    free(archive.text);
    free(w.text.text);
}

/* Adds a game whose moves are separated by the bits of `number` as blanks and tabs. */
static void list_separated(listing *text, unsigned number)
{
    list_word(text, "e4 ");
    for (unsigned bit = 0; bit < 9; bit++)
        list_word(text, number >> bit & 1 ? "\t" : " ");
    list_word(text, "e5 *\n");
}

/* A block with more layouts than the maximum number of styles: the other games need corrections. */
static void test_many_styles(void **state)
{
    enum { GAMES = 300, STYLES = 256 };
    listing text = {0};
    stamma_archive_counts counts;
    (void)state;
    for (unsigned n = 0; n < GAMES; n++)
        list_separated(&text, n);
    assert_round_trip(text.text, text.size, &counts);
    assert_int_equal(counts.games, GAMES);
    assert_int_equal(counts.games_corrected, GAMES - STYLES);
    assert_int_equal(counts.games_verbatim, 0);
    free(text.text);
}

/* The last style of a block wraps the words of comments. A comment that is wrapped in another way becomes text. */
static void test_words_after_many_styles(void **state)
{
    enum { STYLES = 256 };
    wrapped_text w = {.column = 0};
    stamma_archive_counts counts;
    (void)state;
    for (unsigned n = 0; n < STYLES - 1; n++)
        list_separated(&w.text, n);
    wrap_game(&w, 56, 3);
    list_word(&w.text, "e4 \t\t\t\t\t\t\t\t\te5 {a\nb\nc} *\n\n");
    assert_round_trip(w.text.text, w.text.size, &counts);
    assert_int_equal(counts.games, STYLES + 1);
    assert_int_equal(counts.games_verbatim, 1);
    free(w.text.text);
}

/* A carriage return in a comment whose words are wrapped: it ends a line that is too long. */
static void test_other_line_ends(void **state)
{
    wrapped_text w = {.column = 0};
    stamma_archive_counts counts;
    (void)state;
    wrap_game(&w, 56, 3);
    list_word(&w.text, "[Event \"wrapped\"]\n\n{a");
    for (unsigned n = 0; n < 30; n++)
        list_word(&w.text, n == 10 ? " which is" : "-------");
    list_word(&w.text, "\rb} *\n\n");
    assert_round_trip(w.text.text, w.text.size, &counts);
    assert_int_equal(counts.games, 2);
    free(w.text.text);
}

/* Finds the style of the records of a text. While it finds the last style, the `fail_at`-th allocation (from 1) fails.
 * Returns the error of the last search, and sets *failed to whether this call was made. */
static stamma_error find_styles(const listing *text, unsigned records, unsigned fail_at, bool *failed)
{
    failing_memory memory = {0};
    const stamma_allocator allocator = failing_allocator(&memory);
    static parser p;
    static style_search search;
    stamma_error error = STAMMA_OK;
    stamma_parser_init(&p, &allocator);
    stamma_style_search_init(&search, &allocator);
    stamma_parser_feed(&p, (const uint8_t *)text->text, text->size, true);
    for (unsigned n = 1; n <= records; n++) {
        bool found;
        assert_int_equal(error, STAMMA_OK);
        assert_int_equal(stamma_parser_next(&p, &found), STAMMA_OK);
        assert_true(found);
        memory.fail_at = n == records ? memory.calls + fail_at : 0;
        error = stamma_style_search_find(&search, &p.parsed, &found);
        assert_int_equal(found, error == STAMMA_OK);
    }
    *failed = memory.calls >= memory.fail_at;
    stamma_style_search_release(&search);
    stamma_parser_release(&p);
    assert_int_equal(memory.alive, 0);
    return error;
}

/* A longer comment needs more memory to be rendered in the style of the last record. If this memory is not available,
 * no other style is tried. */
static void test_memory_for_words(void **state)
{
    (void)state;
    wrapped_text w = {.column = 0};
    bool failed = true;
    wrap_game(&w, 56, 3);
    wrap_game(&w, 400, 0);
    for (unsigned at = 1; failed; at++) {
        const stamma_error error = find_styles(&w.text, 2, at, &failed);
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        assert_true(failed || at > 2); /* at least the words and the text */
    }
    free(w.text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles_of_programs),      cmocka_unit_test(test_habits),
        cmocka_unit_test(test_wrapped_words),           cmocka_unit_test(test_many_styles),
        cmocka_unit_test(test_words_after_many_styles), cmocka_unit_test(test_other_line_ends),
        cmocka_unit_test(test_memory_for_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
