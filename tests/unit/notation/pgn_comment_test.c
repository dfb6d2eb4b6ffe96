/* SPDX-License-Identifier: MIT */
/* Tests the choice of a comment's form: the lexer must read back the written text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "notation/notation.h"
#include "pgn_support.h"

static pgn_comment_form form_of(const char *text)
{
    return stamma_pgn_comment_form((stamma_text){text, strlen(text)});
}

static void test_forms(void **state)
{
    (void)state;
    assert_int_equal(form_of(""), PGN_COMMENT_BRACES);
    assert_int_equal(form_of("a {b\nc"), PGN_COMMENT_BRACES);
    assert_int_equal(form_of("a } b"), PGN_COMMENT_LINE);
    assert_int_equal(form_of("a }\n"), PGN_COMMENT_NONE);
    assert_int_equal(form_of("\r}"), PGN_COMMENT_NONE);
    assert_int_equal(form_of("[Event \"x"), PGN_COMMENT_BRACES);
    assert_int_equal(form_of("\n[Event \"x"), PGN_COMMENT_BRACES);
    assert_int_equal(form_of("{\n[Event \"x"), PGN_COMMENT_BRACES);
    assert_int_equal(form_of("\n[Event \"x{"), PGN_COMMENT_NONE);
    assert_int_equal(form_of("a\r[Event \"\r[Event \"{"), PGN_COMMENT_NONE);
    assert_int_equal(form_of("a\n[Event"), PGN_COMMENT_BRACES);
    assert_int_equal(form_of("a\n [Event \""), PGN_COMMENT_BRACES);
}

/* Random comments: with the chosen form, the lexer returns the text. NONE is chosen only if braces are impossible. */
static void test_the_lexer_agrees(void **state)
{
    (void)state;
    static const char *const pieces[] = {"}", "{", "\n", "\r", "[Event \"", "x", ";", "[", " "};
    for (int round = 0; round < 5000; round++) {
        listing text = {0}, written = {0};
        list_word(&text, "");
        for (uint64_t left = random_below(8); left > 0; left--)
            list_word(&text, pieces[random_below(sizeof pieces / sizeof *pieces)]);
        pgn_comment_form form = stamma_pgn_comment_form((stamma_text){text.text, text.size});
        list_word(&written, form == PGN_COMMENT_LINE ? ";" : "{");
        list_bytes(&written, text.text, text.size);
        list_word(&written, form == PGN_COMMENT_LINE ? "\n" : "}");
        pgn_lexer lexer;
        pgn_token token;
        stamma_pgn_lexer_init(&lexer, 256);
        stamma_pgn_lexer_slice(&lexer, written.text, written.size, 0, true);
        stamma_pgn_lexer_next(&lexer, &token);
        bool same = token.inner_end - token.inner_begin == text.size && !(token.flags & PGN_UNCLOSED);
        assert_int_equal(same, form != PGN_COMMENT_NONE);
        free(text.text);
        free(written.text);
    }
}

/* A comment with a line that resembles the start of a game must end within the size of a token. */
static void test_the_limit_of_event_lines(void **state)
{
    const size_t token = 1u << 20;
    char *text = malloc(token + 1);
    (void)state;
    assert_non_null(text);
    memset(text, 'a', token);
    text[0] = '{';
    memcpy(text + 1, "\n[Event \"", 9);
    for (size_t size = token - 3; size < token; size++) {
        text[1 + size] = '}';
        pgn_lexer lexer;
        pgn_token read;
        stamma_pgn_lexer_init(&lexer, token);
        stamma_pgn_lexer_slice(&lexer, text, size + 2, 0, true);
        stamma_pgn_lexer_next(&lexer, &read);
        const bool same = read.end == size + 2;
        assert_int_equal(same, size < token - 1);
        assert_int_equal(same, stamma_pgn_comment_form((stamma_text){text + 1, size}) != PGN_COMMENT_NONE);
        text[1 + size] = 'a';
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_the_lexer_agrees),
                                       cmocka_unit_test(test_the_limit_of_event_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
