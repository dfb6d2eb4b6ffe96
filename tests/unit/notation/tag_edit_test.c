/* SPDX-License-Identifier: MIT */
/* Tests changed tags: golden texts for each kind of change and layout, invalid changes, and the law that only the
 * changed tags differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"

#define TEXT(literal) ((stamma_text){literal, sizeof literal - 1})

static stamma_error edit(const char *game, const stamma_tag_edit *edits, size_t count, listing *out)
{
    const stamma_output output = listing_output(out);
    list_word(out, "");
    return stamma_pgn_edit_tags(stamma_text_of(game), edits, count, &output);
}

static void expect(const char *game, const stamma_tag_edit *edits, size_t count, const char *expected)
{
    listing out = {0};
    assert_int_equal(edit(game, edits, count, &out), STAMMA_OK);
    assert_string_equal(out.text, expected);
    free(out.text);
}

/* ---- golden texts ---- */

static void test_set(void **state)
{
    const stamma_tag_edit set = {.name = TEXT("White"), .value = TEXT("B \"C\" \\")};
    (void)state;
    /* quotes and backslashes are escaped */
    expect("[White \"A\"]\n[Black \"X\"]\n\n1. e4 *\n", &set, 1,
           "[White \"B \\\"C\\\" \\\\\"]\n[Black \"X\"]\n\n1. e4 *\n");
    /* the layout of the tag is kept */
    expect("[ White  \"A\" ]\r\n\r\n1. e4 *", &set, 1, "[ White  \"B \\\"C\\\" \\\\\" ]\r\n\r\n1. e4 *");
    /* each occurrence is changed */
    expect("[White \"A\"][White \"A2\"] *", &set, 1, "[White \"B \\\"C\\\" \\\\\"][White \"B \\\"C\\\" \\\\\"] *");
    /* a bracket in a comment of the movetext is not a tag */
    expect("[White \"A\"]\n{[White \"Z\"]} *", &set, 1, "[White \"B \\\"C\\\" \\\\\"]\n{[White \"Z\"]} *");
}

static void test_add(void **state)
{
    const stamma_tag_edit add[] = {{.name = TEXT("ECO"), .value = TEXT("B00")},
                                   {.name = TEXT("PlyCount"), .value = TEXT("1")}};
    (void)state;
    expect("[White \"A\"]\n\n1. e4 *\n", add, 2, "[White \"A\"]\n[ECO \"B00\"]\n[PlyCount \"1\"]\n\n1. e4 *\n");
    /* the line end of the text */
    expect("[White \"A\"] \r\n\r\n1. e4 *", add, 1, "[White \"A\"]\r\n[ECO \"B00\"] \r\n\r\n1. e4 *");
    /* a game without tags */
    expect("\n1. e4 *\n", add, 1, "\n[ECO \"B00\"]\n\n1. e4 *\n");
    /* nothing but tags, up to the end of the text */
    expect("[White \"A\"]", add, 1, "[White \"A\"]\n[ECO \"B00\"]");
    expect("[White \"A\"] \t", add, 1, "[White \"A\"]\n[ECO \"B00\"] \t");
    expect("[White \"A\"]\r", add, 1, "[White \"A\"]\r[ECO \"B00\"]\r");
    /* a comment and an escape between tags, and a tag that exists */
    expect("% note\n[ECO \"?\"]\n; x\n[Site \"?\"]\n\n*", add, 2,
           "% note\n[ECO \"B00\"]\n; x\n[Site \"?\"]\n[PlyCount \"1\"]\n\n*");
}

static void test_remove(void **state)
{
    const stamma_tag_edit edits[] = {{.name = TEXT("Annotator"), .remove = true},
                                     {.name = TEXT("ECO"), .value = TEXT("B00")}};
    (void)state;
    expect("[White \"A\"]\n[Annotator \"B\"]\n[Black \"C\"]\n\n*\n", edits, 1, "[White \"A\"]\n[Black \"C\"]\n\n*\n");
    /* several tags in a line */
    expect("[White \"A\"] [Annotator \"B\"] [Black \"C\"]\n*", edits, 1, "[White \"A\"]  [Black \"C\"]\n*");
    /* the last tag is removed while another is added */
    expect("[White \"A\"]\n[Annotator \"B\"]\n\n*\n", edits, 2, "[White \"A\"]\n[ECO \"B00\"]\n\n*\n");
    /* the only tag */
    expect("[Annotator \"B\"]\r\n\r\n1. e4 *\r\n", edits, 1, "\r\n1. e4 *\r\n");
    expect("[Annotator \"B\"]\r\n\r\n1. e4 *\r\n", edits, 2, "[ECO \"B00\"]\r\n\r\n1. e4 *\r\n");
}

static void test_rename(void **state)
{
    const stamma_tag_edit rename = {.name = TEXT("WhiteELO"), .new_name = TEXT("WhiteElo")};
    const stamma_tag_edit both = {.name = TEXT("A"), .new_name = TEXT("B"), .value = TEXT("2")};
    (void)state;
    expect("[WhiteELO \"2000\"]\n\n*\n", &rename, 1, "[WhiteElo \"2000\"]\n\n*\n");
    expect("[White \"2000\"]\n\n*\n", &rename, 1, "[White \"2000\"]\n\n*\n"); /* a missing tag is not added */
    expect("[A \"1\"]\n\n*\n", &both, 1, "[B \"2\"]\n\n*\n");
    expect("[C \"1\"]\n\n*\n", &both, 1, "[C \"1\"]\n[B \"2\"]\n\n*\n");
}

static void test_invalid(void **state)
{
    const stamma_tag_edit invalid[] = {
        {.name = TEXT("A b"), .value = TEXT("x")},   {.name = TEXT("A"), .value = TEXT("two\nlines")},
        {.name = TEXT("A"), .new_name = TEXT("B ")}, {.name = TEXT("A"), .new_name = TEXT("")},
        {.name = TEXT(""), .new_name = TEXT("A")},   {.value = TEXT("x")}};
    const stamma_tag_edit valid = {.name = TEXT("A"), .value = TEXT("x")};
    (void)state;
    for (size_t n = 0; n < sizeof invalid / sizeof *invalid; n++) {
        listing out = {0};
        assert_int_equal(edit("[A \"1\"]\n\n*\n", &invalid[n], 1, &out), STAMMA_ERROR_BAD_ARGUMENT);
        assert_string_equal(out.text, "");
        free(out.text);
    }
    static const char *const no_games[] = {"", "\n\n", "{only a comment}\n", "% escape\n"};
    for (size_t n = 0; n < sizeof no_games / sizeof *no_games; n++) {
        listing out = {0};
        assert_int_equal(edit(no_games[n], &valid, 1, &out), STAMMA_ERROR_BAD_ARGUMENT);
        assert_string_equal(out.text, "");
        free(out.text);
    }
    assert_int_equal(stamma_pgn_edit_tags(TEXT("*"), &valid, 1, NULL), STAMMA_ERROR_BAD_ARGUMENT);
}

static bool refuse(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return --*(int *)context >= 0;
}

/* An output that fails at its n-th call. */
static void test_output_fails(void **state)
{
    const stamma_tag_edit set = {.name = TEXT("A"), .value = TEXT("x\"y")};
    (void)state;
    for (int calls = 0;; calls++) {
        int left = calls;
        const stamma_output output = {&left, refuse, NULL};
        stamma_error error = stamma_pgn_edit_tags(TEXT("[A \"1\"]\n\n*\n"), &set, 1, &output);
        if (error == STAMMA_OK) {
            assert_in_range(calls, 4, 9);
            return;
        }
        assert_int_equal(error, STAMMA_ERROR_IO);
    }
}

/* ---- the law ---- */

/* Lists all events of a text, except the tag `name`, and the begin and end of a game, which depend on its tags. */
static void list_others(const char *text, stamma_text name, listing *out)
{
    stamma_pgn_reader *reader;
    stamma_pgn_event event;
    assert_int_equal(stamma_pgn_reader_open_memory(text, strlen(text), NULL, &reader), STAMMA_OK);
    list_word(out, "");
    const stamma_output output = listing_output(out);
    do {
        assert_int_equal(stamma_pgn_reader_next(reader, &event), STAMMA_OK);
        if (event.kind == STAMMA_PGN_GAME_BEGIN || event.kind == STAMMA_PGN_GAME_END)
            continue;
        if (event.kind == STAMMA_PGN_TAG && event.text.size == name.size &&
            memcmp(event.text.data, name.data, name.size) == 0)
            continue;
        char kind[2] = {(char)('A' + event.kind), '\0'};
        output.write(output.context, kind, 1);
        output.write(output.context, event.text.size ? event.text.data : "", event.text.size);
        output.write(output.context, event.value.size ? event.value.data : "", event.value.size);
    } while (event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
}

/* Builds a game of random pieces of the syntax. Its first tag is never removed, so that it stays a game. */
static void random_game(char *out)
{
    static const char *const pieces[] = {"[White \"A\"]",
                                         "[Black \"\\\"\\\\\"]",
                                         "\n",
                                         "\r\n",
                                         " ",
                                         "[Event \"x] \"y\"]",
                                         "; c\n",
                                         "\n% e\n",
                                         "[ Z \"1\" ]",
                                         "[broken \"",
                                         "[Odd]",
                                         "{comment}",
                                         "1. e4 e5",
                                         "(1. d4)",
                                         "*",
                                         "\r"};
    strcpy(out, "[Site \"1\"]\n");
    for (uint64_t n = 2 + random_below(14); n > 0; n--)
        strcat(out, pieces[random_below(sizeof pieces / sizeof *pieces)]);
}

/* In random games, all tags except the edited one, and all events of the movetext, stay the same. */
static void test_other_bytes(void **state)
{
    const stamma_tag_edit edits[] = {{.name = TEXT("White"), .value = TEXT("new \"name\"")},
                                     {.name = TEXT("White"), .remove = true},
                                     {.name = TEXT("Z"), .value = TEXT("\\")},
                                     {.name = TEXT("Extra"), .value = TEXT("1")}};
    unsigned edited = 0;
    (void)state;
    for (unsigned n = 0; n < 20000; n++) {
        char game[500];
        listing out = {0}, before = {0}, after = {0};
        const stamma_tag_edit *change = &edits[n % 4];
        random_game(game);
        char *star = strchr(game, '*');
        strcpy(star ? star : game + strlen(game), "\n*"); /* one game, which is not only tags */
        if (edit(game, change, 1, &out) == STAMMA_OK) {
            list_others(game, change->name, &before);
            list_others(out.text, change->name, &after);
            if (strcmp(before.text, after.text) != 0)
                fail_msg("game <%s>\nedited <%s>\nevents <%s>\nevents <%s>", game, out.text, before.text, after.text);
            edited++;
        }
        free(out.text);
        free(before.text);
        free(after.text);
    }
    assert_in_range(edited, 10000, 20000);
}

/* Many changes have the effect of the same changes one after another. */
static void test_many(void **state)
{
    enum { MANY = 400 };
    static stamma_tag_edit edits[MANY];
    static char names[MANY][8], values[MANY][8];
    listing all = {0}, one[2] = {{0}, {0}};
    const char *game = "[T3 \"a\"]\n[T3 \"b\"]\n[X \"c\"]\n[T250 \"d\"]\n[T399 \"e\"]\n\n1. e4 *\n";
    (void)state;
    for (int n = 0; n < MANY; n++) {
        (void)snprintf(names[n], sizeof names[n], "T%d", n);
        (void)snprintf(values[n], sizeof values[n], "%d", n);
        edits[n] = (stamma_tag_edit){.name = stamma_text_of(names[n]), .value = stamma_text_of(values[n])};
        edits[n].remove = n % 50 == 0;
        free(one[1 - n % 2].text);
        one[1 - n % 2] = (listing){0};
        assert_int_equal(edit(n == 0 ? game : one[n % 2].text, &edits[n], 1, &one[1 - n % 2]), STAMMA_OK);
    }
    assert_int_equal(edit(game, edits, MANY, &all), STAMMA_OK);
    assert_string_equal(all.text, one[MANY % 2].text);
    /* of several with the same name, only the first is used for tags that exist */
    for (int n = 0; n < MANY; n++)
        edits[n].name = TEXT("X");
    edits[0].remove = false;
    free(all.text);
    all = (listing){0};
    assert_int_equal(edit("[X \"c\"]\n\n*\n", edits, MANY, &all), STAMMA_OK);
    assert_string_equal(all.text, "[X \"0\"]\n\n*\n");
    free(all.text);
    free(one[0].text);
    free(one[1].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),         cmocka_unit_test(test_add),     cmocka_unit_test(test_remove),
        cmocka_unit_test(test_rename),      cmocka_unit_test(test_invalid), cmocka_unit_test(test_output_fails),
        cmocka_unit_test(test_other_bytes), cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
