/* SPDX-License-Identifier: MIT */
/* Tests the PGN lexer against its rules (notation.h, L1 to L11 and G1 to G4). Tokens must not depend on how the
 * input is divided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "notation/notation.h"
#include "pgn_support.h"

/* ---- a token as text ---- */

static const char *const kind_names[] = {"MORE", "END", "/",    "TAG", "NUM", "SYM", "GLY", "MARK", "SUF",
                                         "NAG",  "COM", "LINE", "ESC", "(",   ")",   "RES", "REM",  "GARB"};

/* Lists `KIND<text>` and the flags c(anonical) u(nclosed) p(artial) +(continued). For a TAG lists `TAG<name=value>`. */
static void list_token(listing *to, const uint8_t *data, const pgn_token *t)
{
    list_word(to, kind_names[t->kind]);
    static const char flags[] = "cup+";
    for (unsigned i = 0; i < 4; i++)
        if (t->flags >> i & 1)
            list_bytes(to, flags + i, 1);
    if (t->kind != PGN_TOKEN_GAME_END && t->kind != PGN_TOKEN_VARIATION_BEGIN && t->kind != PGN_TOKEN_VARIATION_END) {
        list_word(to, "<");
        list_bytes(to, data + t->inner_begin, t->inner_end - t->inner_begin);
        if (t->kind == PGN_TOKEN_TAG) {
            list_word(to, "=");
            list_bytes(to, data + t->value_begin, t->value_end - t->value_begin);
        }
        list_word(to, ">");
    }
    list_word(to, " ");
}

/* Lists everything about a token, with offsets from the start of the input. */
static void list_exactly(listing *to, const pgn_token *t, size_t base)
{
    size_t value_begin = t->kind == PGN_TOKEN_TAG ? t->value_begin + base : 0;
    size_t value_end = t->kind == PGN_TOKEN_TAG ? t->value_end + base : 0;
    list_format(to, "%s %d %zu-%zu %zu-%zu %zu-%zu\n", kind_names[t->kind], t->flags, t->begin + base, t->end + base,
                t->inner_begin + base, t->inner_end + base, value_begin, value_end);
}

static void expect_no_cut_shows(const uint8_t *text, size_t size, size_t token_max);

static void expect_size(const char *text, size_t size, size_t token_max, const char *expected)
{
    listing got = {0};
    list_word(&got, "");
    pgn_lexer lexer;
    pgn_token token;
    stamma_pgn_lexer_init(&lexer, token_max);
    stamma_pgn_lexer_slice(&lexer, text, size, 0, true);
    while (stamma_pgn_lexer_next(&lexer, &token) != PGN_TOKEN_END)
        list_token(&got, (const uint8_t *)text, &token);
    if (got.size != 0)
        got.text[got.size - 1] = 0;
    assert_string_equal(got.text, expected);
    free(got.text);
    expect_no_cut_shows((const uint8_t *)text, size, token_max);
}

static void expect(const char *text, const char *expected)
{
    expect_size(text, strlen(text), 1u << 20, expected);
}

/* ---- lexing in slices ---- */

/* Lexes `text` in slices that grow by 1 to `step` bytes. Restarts after some of the tokens. Each slice is in a block
 * of its exact size, so that a sanitizer detects reads past its end. */
static listing lex_in_slices(const uint8_t *text, size_t size, size_t token_max, size_t step)
{
    listing got = {0};
    list_word(&got, "");
    size_t base = 0;
    size_t seen = 0;
    uint8_t *slice = NULL;
    pgn_lexer lexer;
    pgn_token token;
    stamma_pgn_lexer_init(&lexer, token_max);
    for (;;) {
        pgn_token_kind kind = stamma_pgn_lexer_next(&lexer, &token);
        if (kind != PGN_TOKEN_MORE)
            list_exactly(&got, &token, base);
        if (kind == PGN_TOKEN_END)
            break;
        if (kind != PGN_TOKEN_MORE && random_below(4) != 0)
            continue;
        if (kind == PGN_TOKEN_MORE) {
            assert_true(seen - base - lexer.at < token_max + PGN_LOOKAHEAD);
            assert_true(token.begin == lexer.at);
            seen += 1 + (size_t)random_below(step);
            if (seen > size + 1)
                seen = size + 1; /* one byte more, because the end is not known yet */
        }
        base += lexer.at;
        bool final = seen > size;
        size_t visible = (final ? size : seen) - base;
        free(slice);
        slice = malloc(visible + 1);
        assert_non_null(slice);
        memcpy(slice + 1, text + base, visible);
        stamma_pgn_lexer_slice(&lexer, slice + 1, visible, 0, final);
    }
    free(slice);
    return got;
}

static listing lex_whole(const uint8_t *text, size_t size, size_t token_max)
{
    listing got = {0};
    list_word(&got, "");
    pgn_lexer lexer;
    pgn_token token;
    stamma_pgn_lexer_init(&lexer, token_max);
    stamma_pgn_lexer_slice(&lexer, text, size, 0, true);
    size_t end = 0;
    do {
        stamma_pgn_lexer_next(&lexer, &token);
        assert_true(token.begin >= end && token.end >= token.begin && token.end <= size);
        for (; end < token.begin; end++) /* only white space and byte order marks are outside of tokens */
            assert_true(text[end] <= ' ' || text[end] >= 0xBB);
        end = token.end;
        list_exactly(&got, &token, 0);
    } while (token.kind != PGN_TOKEN_END);
    assert_int_equal(end, size);
    return got;
}

static void expect_no_cut_shows(const uint8_t *text, size_t size, size_t token_max)
{
    static const size_t steps[] = {1, 3, 40, 1000};
    listing whole = lex_whole(text, size, token_max);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        listing sliced = lex_in_slices(text, size, token_max, steps[i]);
        assert_string_equal(sliced.text, whole.text);
        free(sliced.text);
    }
    free(whole.text);
}

/* ---- the rules ---- */

static void test_tags(void **state)
{
    (void)state;
    expect("[Event \"x\"]", "TAGc<Event=x> /");
    expect("[ Event  \"x\" ] ", "TAG<Event=x> /");
    expect("[Event\"x\"][Site \"\"]", "TAG<Event=x> TAGc<Site=> /");
    expect("[A \"a\\\"b\\\\\"]", "TAGc<A=a\\\"b\\\\> /");
    expect("[A \"C:\\\"]\n*", "TAGc<A=C:\\> RES<*> /");
    expect("[A \"The \"King\"\"]\n[B \"b\"]", "TAGc<A=The \"King\"> TAGc<B=b> /");
    expect("[A \"a]b\"]", "TAGc<A=a]b> /");
    expect("[A \"a\"\n]", "GARB<[A \"a\"> GARB<]>");
    expect("[A \"\xE9\xFF\t\x01\"]", "TAGc<A=\xE9\xFF\t\x01> /");
    expect("[A_b-9 \"x\"]", "TAGc<A_b-9=x> /");
}

static void test_malformed_tags(void **state)
{
    (void)state;
    expect("[Event \"x]\n[Site \"y\"]\n1.e4 *", "GARB<[Event \"x]> TAGc<Site=y> NUM<1> SYM<e4> RES<*> /");
    expect("[Site \"y\"]\n[Event x\n[Round \"1\"] *", "TAGc<Site=y> GARB<[Event x> TAGc<Round=1> RES<*> /");
    expect("1. e4 [%clk 0:10] e5 [x 2. d4", "NUM<1> SYM<e4> GARB<[%clk 0:10]> SYM<e5> GARB<[> SYM<x> NUM<2> SYM<d4> /");
    expect("1. [a \"b [c \"d\" x", "NUM<1> GARB<[> SYM<a> GARB<\"> SYM<b> GARB<[> SYM<c> GARB<\"> SYM<d> GARB<\"> "
                                   "SYM<x> /");
    expect("[] [\"x\"] [ \"x\"]", "GARB<[]> GARB<[\"x\"]> GARB<[ \"x\"]>");
}

static void test_numbers_and_words(void **state)
{
    (void)state;
    expect("1.e4 e5 2. Nf3 2... Nc6 3 . Bb5 ... a6", "NUM<1> SYM<e4> SYM<e5> NUM<2> SYM<Nf3> NUM<2> SYM<Nc6> NUM<3> "
                                                     "NUM<> SYM<Bb5> NUM<> SYM<a6> /");
    expect("0-0 0-0-0+ O-O-O# 1e4 e8=Q+ e8(Q)+ f1(n e8(Q", "SYM<0-0> SYM<0-0-0+> SYM<O-O-O#> NUM<1> SYM<e4> SYM<e8=Q+> "
                                                           "SYM<e8(Q)> MARK<+> SYM<f1> ( SYM<n> SYM<e8> ( SYM<Q> /");
    expect("exd6e.p. exd6 e.p. d6e.p -- Z0 e7-e5 a2xb3 a1:b2",
           "SYM<exd6e.p.> SYM<exd6> MARK<e.p.> SYM<d6e.p> SYM<--> SYM<Z0> "
           "SYM<e7-e5> SYM<a2xb3> SYM<a1:b2> /");
    expect("\xE2\x99\x98"
           "f3 d\xC3\xA9j",
           "SYM<\xE2\x99\x98"
           "f3> SYM<d\xC3\xA9j> /");
    expect("123456789012.e4 1................ 12345678", "NUM<123456789012> SYM<e4> NUM<1> NUM<12345678> /");
}

static void test_annotations(void **state)
{
    (void)state;
    expect("e4! e5?! Nf3 !! Nc6$1 $255$3 $", "SYM<e4> SUF<!> SYM<e5> SUF<?!> SYM<Nf3> SUF<!!> SYM<Nc6> NAG<1> NAG<255> "
                                             "NAG<3> GARB<$> /");
    expect("e4 = +- += N ~ TN RR", "SYM<e4> GLY<=> GLY<+-> GLY<+=> GLY<N> GLY<~> GLY<TN> GLY<RR> /");
    expect("e4 + # ++ ep e.p e.p. =.", "SYM<e4> MARK<+> MARK<#> MARK<++> MARK<ep> MARK<e.p> MARK<e.p.> GLY<=> NUM<> /");
}

/* L5: glyphs directly after moves and after each other. Words that only resemble them stay complete. */
static void test_attached_glyphs(void **state)
{
    (void)state;
    expect("Nf3+- Nf3+= Nf3+/- Nf3= Nf3=+ Nf3++- e8=Q+- O-O=",
           "SYM<Nf3> GLY<+-> SYM<Nf3> GLY<+=> SYM<Nf3> GLY<+/-> SYM<Nf3> GLY<=> SYM<Nf3> GLY<=+> SYM<Nf3+> GLY<+-> "
           "SYM<e8=Q> GLY<+-> SYM<O-O> GLY<=> /");
    expect("Nd5N e4D Nd5+N e8N e8=N gxf8N e7e8N O-ON bxc3N", "SYM<Nd5> GLY<N> SYM<e4> GLY<D> SYM<Nd5+> GLY<N> SYM<e8N> "
                                                             "SYM<e8=N> SYM<gxf8N> SYM<e7e8N> SYM<O-O> GLY<N> "
                                                             "SYM<bxc3> GLY<N> /");
    expect("Bb5\xC2\xB1 Bb5!\xC2\xB1N a6\xE2\xA9\xB2\xE2\x86\x91",
           "SYM<Bb5> GLY<\xC2\xB1> SYM<Bb5> SUF<!> GLY<\xC2\xB1> GLY<N> SYM<a6> GLY<\xE2\xA9\xB2> GLY<\xE2\x86\x91> /");
    expect("e4\xC2\xB1"
           "5.d4 \xC2\xB1"
           "6 Nf3+\xE2\x88\x92 e8(Q)\xE2\x80\xBC",
           "SYM<e4> GLY<\xC2\xB1> NUM<5> SYM<d4> GLY<\xC2\xB1> NUM<6> SYM<Nf3> GLY<+\xE2\x88\x92> SYM<e8(Q)> "
           "GLY<\xE2\x80\xBC> /");
    expect("e4=5 =5. Nf3+-x e4\xC3\x97"
           "d5 \xC2\xB1x +-+ Tower-N <=>",
           "SYM<e4=5> SYM<=5> NUM<> SYM<Nf3+-x> SYM<e4\xC3\x97"
           "d5> SYM<\xC2\xB1x> MARK<+> GLY<-+> SYM<Tower-N> GARB<<> GLY<=> GARB<>> /");
    expect("[a~b \"x\"]\n~=\xE2\x9E\x95~", "GARB<[a~b \"x\"]> SYM<~=\xE2\x9E\x95~> /");
}

static void test_comments(void **state)
{
    (void)state;
    expect("{a{b}c}e4{}", "COM<a{b> SYM<c> GARB<}> SYM<e4> COM<> /");
    expect("e4 {a [%clk 1] [Event \"x\"] b}", "SYM<e4> COM<a [%clk 1] [Event \"x\"] b> /");
    expect("e4 {lost", "SYM<e4> COMu<lost> /");
    expect("e4 {lost\n[Event \"x\"]\n*", "SYM<e4> COMu<lost\n> / TAGc<Event=x> RES<*> /");
    expect("e4 ;x}y\n e5;\r%esc\n%\r\n%\xC3;", "SYM<e4> LINE<x}y> SYM<e5> LINE<> ESC<esc> ESC<> ESC<\xC3;> /");
    expect("e4 %x", "SYM<e4> GARB<%> SYM<x> /");
    expect("\xEF\xBB\xBF%x\n\xEF\xBB\xBF[A \"\"]", "ESC<x> TAGc<A=> /");
}

static void test_games(void **state)
{
    (void)state;
    expect("1.e4 0.5-0.5[A \"a\"]\302\275-\302\275 \275-\275",
           "NUM<1> SYM<e4> RES<0.5-0.5> / TAGc<A=a> RES<\302\275-\302\275> / RES<\275-\275> /");
    expect("0.5-0.50", "NUM<0> SYM<5-0> NUM<> NUM<50> /"); /* the text continues */
    expect("0.5-0.x", "NUM<0> SYM<5-0> NUM<> SYM<x> /");
    expect("1.e4 1-0[A \"a\"]0-1 1/2-1/2*", "NUM<1> SYM<e4> RES<1-0> / TAGc<A=a> RES<0-1> / RES<1/2-1/2> / RES<*> /");
    expect("e4 (e3 1-0 (d4 *) 1-0", "SYM<e4> ( SYM<e3> RES<1-0> ( SYM<d4> RES<*> ) RES<1-0> /");
    expect("e4 ((e3 [A \"a\"][B \"\"] e4 ) *", "SYM<e4> ( ( SYM<e3> / TAGc<A=a> TAGc<B=> SYM<e4> GARB<)> RES<*> /");
    expect("{a} ;b\n [A \"a\"] ;c\n %\n [B \"b\"] {d} [C \"c\"]",
           "COM<a> LINE<b> TAGc<A=a> LINE<c> GARB<%> TAGc<B=b> COM<d> / TAGc<C=c> /");
    expect("*\n\n{end}\x1A", "RES<*> / COM<end> GARB<\x1A>");
    expect("** )) \"'", "GARB<**> GARB<))> GARB<\"'>");
    expect("[A \"a\"]", "TAGc<A=a> /");
    expect(" \r\n\t", "");
    expect_size("e4\0\0e5", 6, 256, "SYM<e4> GARB<");
}

/* G3: a tag of the roster that occurs again after an empty line. */
static void test_tag_sections(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (unsigned i = 0; i < 3; i++) {
        char text[200];
        for (unsigned lines = 1; lines < 4; lines++) {
            size_t size = (size_t)sprintf(text, "[Event \"a\"]%s[Result \"*\"]", ends[i]);
            for (unsigned n = 0; n < lines; n++)
                size += (size_t)sprintf(text + size, "%s \t", ends[i]);
            (void)sprintf(text + size, "[Event \"b\"]%s[Result \"*\"]", ends[i]);
            expect(text, lines == 1 ? "TAGc<Event=a> TAGc<Result=*> TAGc<Event=b> TAGc<Result=*> /"
                                    : "TAGc<Event=a> TAGc<Result=*> / TAGc<Event=b> TAGc<Result=*> /");
        }
    }
    expect("[Event \"a\"]\n\n[Site \"b\"]\n\n[A \"\"]\n\n[A \"\"]\n[Site \"c\"]\n1. e4",
           "TAGc<Event=a> TAGc<Site=b> TAGc<A=> TAGc<A=> TAGc<Site=c> NUM<1> SYM<e4> /");
    expect("[White \"a\"]\n\n;\n[b\n%\n[White \"b\"]", "TAGc<White=a> LINE<> GARB<[b> ESC<> / TAGc<White=b> /");
    expect("[White \"a\"]\n;\n;\n\n\n[White \"b\"]\n[White \"c\"]",
           "TAGc<White=a> LINE<> LINE<> / TAGc<White=b> TAGc<White=c> /");
    expect("[Date \"a\"]\n\xEF\xBB\xBF\n[Date \"b\"]", "TAGc<Date=a> / TAGc<Date=b> /");
    expect("[white \"a\"]\n\n[WHITE \"b\"]\n\n[Whites \"b\"]\n\n[Whites \"b\"]\n\n[rouND \"\"]\n\n[Round \"\"]",
           "TAGc<white=a> / TAGc<WHITE=b> TAGc<Whites=b> TAGc<Whites=b> TAGc<rouND=> / TAGc<Round=> /");
    expect("[Whit@ \"a\"]\n\n[Whit@ \"b\"]\n\n[\xCF"
           "ate \"\"]\n\n[\xCF"
           "ate \"\"]",
           "TAGc<Whit@=a> TAGc<Whit@=b> TAGc<\xCF"
           "ate=> TAGc<\xCF"
           "ate=> /");
}

/* L7: a comment with a line that begins like a game. */
static void test_event_lines(void **state)
{
    (void)state;
    expect("e4 {a\n[Event \"x\"]\n{b} *", "SYM<e4> COMu<a\n> / TAGc<Event=x> COM<b> RES<*> /");
    expect("e4 {a\n[Event \"x\"]\n\n1. d4 *\n} e5 *", "SYM<e4> COM<a\n[Event \"x\"]\n\n1. d4 *\n> SYM<e5> RES<*> /");
    expect("e4 {a\r[Event \"x\"]\r[Event \"}\"]", "SYM<e4> COM<a\r[Event \"x\"]\r[Event \"> GARB<\"]> /");
    expect("e4 {a {b\n[Event \"x} *", "SYM<e4> COM<a {b\n[Event \"x> RES<*> /");
    expect("e4 {a\n[Event \"x\"] ;{\n} *", "SYM<e4> COMu<a\n> / TAGc<Event=x> LINE<{> GARB<}> RES<*> /");
    expect("{\n[Event \"", "COMu<\n> GARB<[Event \">");
    expect("{\n[Event x\n[Event \"}", "COM<\n[Event x\n[Event \">");
}

/* The brace must be among the first token_max bytes of the comment. In a further part, the line always ends it. */
static void test_event_lines_of_long_comments(void **state)
{
    (void)state;
    for (size_t size = 250; size < 600; size++)
        for (size_t event = 20; event + 10 < size; event += event < 240 ? 77 : 1) {
            char text[700], expected[700];
            memset(text, 'a', sizeof text);
            text[0] = '{';
            memcpy(text + event, "\n[Event \"", 9);
            text[size - 1] = '}';
            text[size] = 0;
            pgn_lexer lexer;
            pgn_token token;
            stamma_pgn_lexer_init(&lexer, 256);
            stamma_pgn_lexer_slice(&lexer, text, size, 0, true);
            const bool inside = size <= 256, parted = event + 1 >= 256;
            size_t end = 0, parts = 0;
            do {
                assert_int_equal(stamma_pgn_lexer_next(&lexer, &token), PGN_TOKEN_COMMENT);
                end = token.end;
                parts++;
            } while (token.flags & PGN_PARTIAL);
            (void)snprintf(expected, sizeof expected, "%zu %zu", size, event);
            if (end != (inside ? size : event + 1) || parts != (parted ? 1 + (event + 1) / 256 : 1))
                fail_msg("size %zu, event at %zu: ends at %zu, in %zu parts", size, event, end, parts);
            assert_int_equal((token.flags & PGN_UNCLOSED) != 0, !inside);
        }
}

/* G2: tokens after the result that annotate the game. */
static void test_followers(void **state)
{
    (void)state;
    expect("* {a} ;b\n {c}\n\n{d} *", "RES<*> COM<a> LINE<b> COM<c> / COM<d> RES<*> /");
    expect("*{a}\n%b\n$1 !? +- N\n e.p. \xC2\xB1\n[A \"\"]",
           "RES<*> COM<a> ESC<b> NAG<1> SUF<!?> GLY<+-> GLY<N> MARK<e.p.> GLY<\xC2\xB1> / TAGc<A=> /");
    expect("*\n(d4\n\n{a}\n\nd5 1-0) (c4)\n(b4\n[A \"\"]", "RES<*> ( SYM<d4> COM<a> SYM<d5> RES<1-0> ) ( SYM<c4> ) ( "
                                                           "SYM<b4> / TAGc<A=> /");
    expect("1. e4 * 1. d4 *", "NUM<1> SYM<e4> RES<*> / NUM<1> SYM<d4> RES<*> /");
    expect("* d4 * O-O * 0-0-0 * bxc3 * \xE2\x99\x98"
           "f3 *",
           "RES<*> / SYM<d4> RES<*> / SYM<O-O> RES<*> / SYM<0-0-0> RES<*> / SYM<bxc3> RES<*> REM<\xE2\x99\x98"
           "f3> / "
           "RES<*> /");
    expect("* ** *", "RES<*> GARB<**> / RES<*> /");
    expect("*\n**\n$\n*\n)", "RES<*> / GARB<**> GARB<$> RES<*> / GARB<)>");
    expect("* {a} 1/2 {b} 0.5-0.5 {c} \xBD-\xBD",
           "RES<*> COM<a> / RES<1/2> COM<b> / RES<0.5-0.5> COM<c> / RES<\xBD-\xBD> /");
    expect("*\r\n{a}\r\n \t{b}\r\n\r\n{c}", "RES<*> COM<a> COM<b> / COM<c>");
    expect("*\r{a}\r \r{b}", "RES<*> COM<a> / COM<b>");
    expect("*\n\r{a}", "RES<*> COM<a> /");
    expect("*\xEF\xBB\xBF{a}", "RES<*> / COM<a>");
    expect("* \xEF\xBB\xBF", "RES<*> /");
    expect("* \xEF\xBB", "RES<*> REM<\xEF\xBB> /");
}

/* G2: words in the line of the result. */
static void test_remarks(void **state)
{
    (void)state;
    expect("1-0 Black resigned, after 35. -- at move 3\nWhite *",
           "RES<1-0> REM<Black> REM<resigned> GARB<,> REM<after> NUM<35> REM<--> REM<at> REM<move> NUM<3> / SYM<White> "
           "RES<*> /");
    expect("1-0.\n", "RES<1-0> NUM<> /");
    expect("1-0 ...\n...", "RES<1-0> NUM<> / NUM<> /");
    expect("1-0 35 moves", "RES<1-0> / NUM<35> SYM<moves> /");
    expect("1-0 resigned e4", "RES<1-0> REM<resigned> / SYM<e4> /");
    expect("1-0 resigned 1-0", "RES<1-0> REM<resigned> / RES<1-0> /");
    expect("1-0 resigned 0.5-0.5", "RES<1-0> REM<resigned> / RES<0.5-0.5> /");
    expect("1-0 resigned 0.5-0.55", "RES<1-0> REM<resigned> NUM<0> REM<5-0> NUM<> NUM<55> /");
    expect("1-0 resigned [x]", "RES<1-0> REM<resigned> / GARB<[x]>");
    expect("1-0 {a} (b\n) c {d\n} e {f}\ng", "RES<1-0> COM<a> ( SYM<b> ) REM<c> COM<d\n> REM<e> COM<f> / SYM<g> /");
    expect("1-0 ) % \"x\" $ Z0 1-1 be ed mate\n\"", "RES<1-0> GARB<)> GARB<%> GARB<\"> REM<x> GARB<\"> GARB<$> REM<Z0> "
                                                    "REM<1-1> REM<be> REM<ed> REM<mate> / GARB<\">");
    expect("1-0 2nd", "RES<1-0> / NUM<2> SYM<nd> /");
    expect("1-0 the 2nd", "RES<1-0> REM<the> NUM<2> REM<nd> /");
    expect_size("* \0 x", 5, 256, "RES<*> GARB<");
}

/* G2: at most PGN_ANNOTATED_MAX bytes of a word or a number are examined. */
static void test_long_remarks(void **state)
{
    (void)state;
    expect("* 12345678901234567890123456789012 a", "RES<*> / NUM<12345678901234567890123456789012> SYM<a> /");
    expect("* 123456789012345678901234567890123. a", "RES<*> REM<123456789012345678901234567890123> NUM<> REM<a> /");
    expect("*\n123456789012345678901234567890123. a", "RES<*> / NUM<123456789012345678901234567890123> SYM<a> /");
    expect("* O-O=========================== a",
           "RES<*> / SYM<O-O> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> "
           "GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> "
           "GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> GLY<=> "
           "SYM<a> /");
    expect("* O-O============================== a", "RES<*> REM<O-O==============================> REM<a> /");
    char text[800], expected[900];
    memset(text, 'a', sizeof text);
    text[0] = '*';
    text[600] = 0;
    (void)snprintf(expected, sizeof expected, "RES<*> REMp<%.256s> REMp+<%.256s> REM+<%.87s> /", text + 1, text + 1,
                   text + 1);
    expect_size(text, 600, 256, expected);
}

/* G2: a comment of several parts after the result; white space of token_max bytes ends the game. */
static void test_followers_at_limits(void **state)
{
    (void)state;
    char text[800], expected[900];
    for (size_t white = 254; white < 258; white++) {
        memset(text, ' ', sizeof text);
        text[0] = '*';
        memcpy(text + 1 + white, "{a} b", 6);
        expect_size(text, 6 + white, 256, white < 256 ? "RES<*> COM<a> REM<b> /" : "RES<*> / COM<a> SYM<b> /");
    }
    memset(text, 'a', sizeof text);
    memcpy(text, "*{", 2);
    memcpy(text + 301, "} b\n\n*", 7);
    (void)snprintf(expected, sizeof expected, "RES<*> COMp<%.255s> COM+<%.44s> REM<b> / RES<*> /", text + 2, text + 2);
    expect_size(text, 307, 256, expected);
}

/* G2: white space after a result is part of the game. */
static void test_game_end_extent(void **state)
{
    (void)state;
    static const char text[] = "* \r\n\n [A \"a\"]";
    pgn_lexer lexer;
    pgn_token token;
    stamma_pgn_lexer_init(&lexer, 256);
    stamma_pgn_lexer_slice(&lexer, text, sizeof text - 1, 0, true);
    assert_int_equal(stamma_pgn_lexer_next(&lexer, &token), PGN_TOKEN_RESULT);
    assert_int_equal(stamma_pgn_lexer_next(&lexer, &token), PGN_TOKEN_GAME_END);
    assert_int_equal(token.begin, 1);
    assert_int_equal(token.end, 6);
    assert_int_equal(lexer.section, PGN_OUTSIDE);
}

/* L11: parts of token_max bytes. */
static void test_parts(void **state)
{
    (void)state;
    char text[1100];
    char expected[1300];
    memset(text, 'a', sizeof text);
    text[0] = '{';
    text[600] = '}';
    text[601] = 0;
    snprintf(expected, sizeof expected, "COMp<%.255s> COMp+<%.256s> COM+<%.88s>", text + 1, text + 1, text + 1);
    expect_size(text, 601, 256, expected);
    memset(text, ' ', 5);
    snprintf(expected, sizeof expected, "SYMp<%.256s> SYM+<> /", text + 5);
    expect_size(text, 261, 256, expected);
}

static void test_depth_200000(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    char *text = malloc(2 * DEPTH + 2);
    assert_non_null(text);
    memset(text, '(', DEPTH);
    memset(text + DEPTH, ')', DEPTH + 1);
    text[2 * DEPTH + 1] = '*';
    pgn_lexer lexer;
    pgn_token token;
    stamma_pgn_lexer_init(&lexer, 256);
    stamma_pgn_lexer_slice(&lexer, text, 2 * DEPTH + 2, 0, true);
    size_t counts[PGN_TOKEN_GARBAGE + 1] = {0};
    while (stamma_pgn_lexer_next(&lexer, &token) != PGN_TOKEN_END)
        counts[token.kind]++;
    assert_int_equal(counts[PGN_TOKEN_VARIATION_BEGIN], DEPTH);
    assert_int_equal(counts[PGN_TOKEN_VARIATION_END], DEPTH);
    assert_int_equal(counts[PGN_TOKEN_GARBAGE], 1);
    assert_int_equal(counts[PGN_TOKEN_GAME_END], 1);
    free(text);
}

/* A line of brackets or incomplete tag pairs needs linear time, not quadratic time. */
static void test_hostile_lines(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "[",   "[a \"",        "[a \"]",         "[a \"b\"  ", "{[Event \"",      "\"\\", "[a\n",
        "* {", "{\n[Event \"", "{a}\n[Event \"", "* $ ",       "\n[Event \"x\"]", "* a",  "*\n"};
    size_t size = 4u << 20;
    char *text = malloc(size);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t length = strlen(pieces[i]);
        for (size_t at = 0; at < size; at++)
            text[at] = pieces[i][at % length];
        memcpy(text, i % 2 ? "e4 " : "{ }", 3);
        if (i % 3 == 0)
            memcpy(text, "e4{", 3);
        pgn_lexer lexer;
        pgn_token token;
        size_t tokens = 0;
        stamma_pgn_lexer_init(&lexer, 1u << 20);
        stamma_pgn_lexer_slice(&lexer, text, size, 0, true);
        while (stamma_pgn_lexer_next(&lexer, &token) != PGN_TOKEN_END)
            tokens++;
        assert_true(tokens >= 3);
    }
    free(text);
}

/* ---- division of the input ---- */

static const char rich[] =
    "\xEF\xBB\xBF%escape\r\n; line\r[Event \"a \\\"b\\\" \\\\\"]\n[ Site  \"x\"y\"z\" ][Bad \"x\n[Worse x]\n"
    "[Event \"1\"]\r\n\r\n[Site \"2\"]\n \n;x\n[Event \"3\"]\n[Event \"4\"]\n\n"
    "1. e4!? {c1 [%clk 0:0:1]\n[Event x} Bb5\xC2\xB1+-  e4N =\xE2\x88\x9E\xEF\xB8\x8F e5 "
    "$12 (1... c5 2. Nf3 (2. c3) ) 2.Nf3?? exd6e.p. e8(Q)+ 0-0 -- Z0 0.5-0.5 1/2\n"
    "% esc\n{unclosed\n[Event \"next\"]\n* {a\n[Event \"b\"] } Black resigned, 12. $1 (c4) Nf3+-\n{b} 0.5-0.50\n%c\n"
    "1-0 {d\n[Event \"e\"] {f} +- g\n\xEF\xBB\xBF*\n\n1-0[A \"b\"]1/2-1/2 )) ** \x01\x02 {x\n[Event "
    "}[c]\xEF\xBB(\xEF\xBB\xBF";

static void test_cuts(void **state)
{
    (void)state;
    expect_no_cut_shows((const uint8_t *)rich, sizeof rich - 1, 1u << 20);
    for (size_t size = 0; size < sizeof rich; size++) {
        listing whole = lex_whole((const uint8_t *)rich, size, 256);
        listing sliced = lex_in_slices((const uint8_t *)rich, size, 256, 2);
        assert_string_equal(sliced.text, whole.text);
        free(sliced.text);
        free(whole.text);
    }
}

/* Random mixtures of texts that begin, end and resemble tokens. Long runs reach token_max. */
static void test_cuts_of_random_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {"[Event \"",
                                         "\"]",
                                         "\n",
                                         "\r\n",
                                         " ",
                                         "1-0",
                                         "*",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         "\"",
                                         "\\",
                                         "e4",
                                         "Nf3+",
                                         "e8(Q)",
                                         "e.p.",
                                         "12.",
                                         "...",
                                         "$1",
                                         "!?",
                                         "(",
                                         ")",
                                         ";",
                                         "%",
                                         "\xEF",
                                         "\x80",
                                         "\xEF\xBB\xBF",
                                         "[A \"b\"]",
                                         "\t",
                                         "1/2-1/2",
                                         "'",
                                         "\x01",
                                         "\n\n",
                                         "N",
                                         "=",
                                         "[Site \"\"]",
                                         "\xC2\xB1",
                                         "\xE2\x88\x9E",
                                         "~",
                                         "Nd5",
                                         "\xE2\x88\x92",
                                         "+-",
                                         "0.5-0.5",
                                         "0.",
                                         "* ",
                                         "1-0 ",
                                         "{a} ",
                                         "{\n[Event \"",
                                         "\n[Event \"b",
                                         "resigned ",
                                         "[eVent \"\"]"};
    uint8_t text[3000];
    for (int round = 0; round < 3000; round++) {
        size_t size = 0;
        size_t target = (size_t)(random_below(1500));
        while (size < target) {
            const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
            size_t times = random_below(40) == 0 ? (size_t)(random_below(300)) : 1;
            for (; times > 0 && size < target; times--) {
                memcpy(text + size, piece, strlen(piece));
                size += strlen(piece);
            }
        }
        expect_no_cut_shows(text, size, 256);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_malformed_tags),
        cmocka_unit_test(test_numbers_and_words),
        cmocka_unit_test(test_annotations),
        cmocka_unit_test(test_attached_glyphs),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_tag_sections),
        cmocka_unit_test(test_event_lines),
        cmocka_unit_test(test_event_lines_of_long_comments),
        cmocka_unit_test(test_followers),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_long_remarks),
        cmocka_unit_test(test_followers_at_limits),
        cmocka_unit_test(test_game_end_extent),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_depth_200000),
        cmocka_unit_test(test_hostile_lines),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_cuts_of_random_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
