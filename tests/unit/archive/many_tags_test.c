/* SPDX-License-Identifier: MIT */
/* Tests blocks with more tags and rosters than a block writer supports, and with tags whose values are derived from the
 * moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"

/* Levels above 1 need the weights of the predictor. */
static int top_level(void)
{
    return stamma_predictor_id() == 0 ? 1 : 3;
}

static void assert_packs(const listing *text)
{
    for (int level = 1; level <= top_level(); level++) {
        stamma_archive_counts counts;
        listing archive = pack_at(level, text->text, text->size, &counts);
        assert_int_equal(counts.games_inexact, 0);
        assert_int_equal(counts.games_verbatim, 0);
        assert_gives_back(&archive, text->text, text->size);
        free(archive.text);
    }
}

/* Adds a game with `before` tags, followed by the tags that the predictor of moves uses. The first of the `before` tags
 * is derived from the moves. The predictor's tags are read after the moves if there are many tags before them. */
static void list_tags(listing *to, unsigned game, unsigned before)
{
    static const char *const moves[] = {"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "};
    const unsigned plies = game * 7 % 23;
    list_format(to, "[PlyCount \"%u\"]\n", plies);
    for (unsigned n = 1; n < before; n++)
        list_format(to, "[Tag%03u \"%u\"]\n", n, game % (n + 1));
    list_format(to, "[WhiteElo \"%u\"]\n[BlackElo \"2345\"]\n[TimeControl \"300+%u\"]\n", 2000 + game, game % 2);
    list_format(to, "[Result \"1-0\"]\n[White \"W%u\"]\n[Black \"B%u\"]\n\n", game % 7, game % 5);
    for (unsigned ply = 0; ply < plies; ply++)
        list_word(to, moves[ply % 4]);
    list_word(to, "1-0\n\n");
}

static void test_many_tags(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 57, 58, 59, 62, 63, 64, 65, 70, 249, 250, 251, 256, 300};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        listing text = {0};
        for (unsigned game = 0; game < 40; game++)
            list_tags(&text, game, counts[n]);
        assert_packs(&text);
        free(text.text);
    }
}

/* More rosters than are stored; then a tag that occurs in none of them. */
static void test_many_rosters(void **state)
{
    (void)state;
    listing text = {0};
    for (unsigned game = 1; game < 1100; game++) {
        for (unsigned bit = 0; bit < 11; bit++)
            if (game >> bit & 1)
                list_format(&text, "[Tag%u \"%u\"]\n", bit, game % 9);
        list_word(&text, "\n1. e4 *\n\n");
    }
    list_word(&text, "[Another \"x\"]\n\n1. d4 *\n\n");
    assert_packs(&text);
    free(text.text);
}

/* Names of at most 255 bytes have columns. */
static void test_long_names(void **state)
{
    (void)state;
    for (size_t size = 254; size < 258; size++) {
        listing text = {0};
        list_word(&text, "[");
        for (size_t n = 0; n < size; n++)
            list_word(&text, "N");
        list_word(&text, " \"x\"]\n\n1. e4 *\n");
        assert_packs(&text);
        free(text.text);
    }
}

static stamma_error pack_text(trial *t)
{
    const stamma_output output = listing_output(&t->result);
    const stamma_archive_writer_options options = {
        .size = sizeof options, .allocator = t->allocator, .level = t->level};
    stamma_archive_writer *writer = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(writer, stamma_archive_writer_open(&output, &options, &writer));
    STEP(stamma_archive_writer_write(writer, t->text->text, t->text->size));
    STEP(stamma_archive_writer_finish(writer, NULL));
    stamma_archive_writer_close(writer);
    return error;
}

static void test_no_memory(void **state)
{
    (void)state;
    listing text = {0};
    for (unsigned game = 0; game < 3; game++)
        list_tags(&text, game, 66);
    sweep(pack_text, (trial){.level = 1, .text = &text});
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_tags), cmocka_unit_test(test_many_rosters),
                                       cmocka_unit_test(test_long_names), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
