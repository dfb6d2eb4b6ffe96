/* SPDX-License-Identifier: MIT */
/* Tests the PGN reader: events, places, errors, variations and starts. Events must depend only on the bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"

static stamma_pgn_reader *open_text(const void *text, size_t size, const stamma_pgn_options *options)
{
    stamma_pgn_reader *reader;
    assert_int_equal(stamma_pgn_reader_open_memory(text, size, options, &reader), STAMMA_OK);
    return reader;
}

static stamma_pgn_event next(stamma_pgn_reader *reader)
{
    stamma_pgn_event event;
    assert_int_equal(stamma_pgn_reader_next(reader, &event), STAMMA_OK);
    return event;
}

/* Returns the next event of a kind, or the end. */
static stamma_pgn_event next_of(stamma_pgn_reader *reader, stamma_pgn_kind kind)
{
    stamma_pgn_event event;
    do
        event = next(reader);
    while (event.kind != kind && event.kind != STAMMA_PGN_END);
    return event;
}

static void expect_with(const char *text, const stamma_pgn_options *options, const char *expected)
{
    listing got = {0};
    stamma_pgn_event event;
    stamma_pgn_reader *reader = open_text(text, strlen(text), options);
    list_word(&got, "");
    while ((event = next(reader)).kind != STAMMA_PGN_END)
        list_event(&got, &event);
    assert_int_equal(next(reader).kind, STAMMA_PGN_END); /* each time */
    stamma_pgn_reader_close(reader);
    assert_string_equal(got.text, expected);
    free(got.text);
}

static void expect(const char *text, const char *expected)
{
    expect_with(text, NULL, expected);
}

/* ---- events ---- */

static void test_a_game(void **state)
{
    (void)state;
    expect("[Event \"x\"]\n[Event \"y \\\"z\\\\\"]\n\n1.e4! {why [%clk 1]} e5 $3 ;line\n% escape\n2. Nf3 -- 1-0\n",
           "GAME TAG<Event=x> TAG<Event=y \\\"z\\\\> MOVE<e4> NAG1<!> COM<why [%clk 1]> MOVE<e5> NAG3<$3> LINE<line> "
           "ESC< escape> MOVE<Nf3> MOVE<--> RES<1-0> /");
    expect("", "");
    expect(" \n\xEF\xBB\xBF\t", "");
    expect("*", "GAME RES<*> /");
    expect("[A \"b\"]", "GAME TAG<A=b> /");
}

static void test_move_numbers(void **state)
{
    (void)state;
    stamma_pgn_options options = {.size = sizeof options};
    options.move_numbers = true;
    expect_with("1. e4 1... e5 2 Nf3 ... Nc6 3.Bb5", &options,
                "GAME NUM<1.> MOVE<e4> NUM<1...> MOVE<e5> NUM<2> MOVE<Nf3> NUM<...> MOVE<Nc6> NUM<3.> MOVE<Bb5> /");
}

static void test_marks(void **state)
{
    (void)state;
    expect("e4 !! e5!!! Nf3?! Nc6!? Bb5?? a6 ?",
           "GAME MOVE<e4> NAG3<!!> MOVE<e5> NAG3<!!!> MOVE<Nf3> NAG6<?!> MOVE<Nc6> "
           "NAG5<!?> MOVE<Bb5> NAG4<?\?> MOVE<a6> NAG2<?> /");
    expect("e4 = N D +- -/+ $0 $255 \xC2\xB1 e5", "GAME MOVE<e4> NAG10<=> NAG146<N> NAG220<D> NAG18<+-> NAG17<-/+> "
                                                  "NAG0<$0> NAG255<$255> NAG16<\xC2\xB1> MOVE<e5> /");
    expect("e4 + e5 # Nf3 ++ ep e.p. Nc6", "GAME MOVE<e4> MOVE<e5> MOVE<Nf3> MOVE<Nc6> /");
    expect("e4 $256 $9999999999999999999 $ e5",
           "GAME MOVE<e4> ERR5<$256> ERR5<$9999999999999999999> ERR5<$> MOVE<e5> /");
}

static void test_games_follow_games(void **state)
{
    (void)state;
    expect("1.e4 1-0[A \"\"]1.d4 0-1 1/2-1/2{end}", "GAME MOVE<e4> RES<1-0> / GAME TAG<A=> MOVE<d4> RES<0-1> / GAME "
                                                    "RES<1/2-1/2> COM<end> /");
    expect("1-0 {a} (d4 d5) $1 Black resigned\n\n{b} *",
           "GAME RES<1-0> COM<a> ( MOVE<d4> MOVE<d5> ) NAG1<$1> ERR5<Black> ERR5<resigned> / COM<b> GAME RES<*> /");
    expect("e4 {a\n[Event \"x\"]\n} *", "GAME MOVE<e4> COM<a\n[Event \"x\"]\n> RES<*> /");
    expect("{before} [A \"a\"] e4 [B \"b\"] d4", "COM<before> GAME TAG<A=a> MOVE<e4> / GAME TAG<B=b> MOVE<d4> /");
    expect("e4 1-0 \x1A", "GAME MOVE<e4> RES<1-0> ERR5<\x1A> /");
    expect("e4 1-0\n\x1A", "GAME MOVE<e4> RES<1-0> / ERR5<\x1A>");
    expect("e4 (d4 [A \"a\"] d4 *", "GAME MOVE<e4> ( MOVE<d4> ERR5<> / GAME TAG<A=a> MOVE<d4> RES<*> /");
    expect("e4 (d4", "GAME MOVE<e4> ( MOVE<d4> ERR5<> /");
    expect("e4 {open", "GAME MOVE<e4> COM<open> ERR5<> /");
    expect("e4 {open\n[Event \"x\"]\n* ", "GAME MOVE<e4> COM<open\n> ERR5<> / GAME TAG<Event=x> RES<*> /");
}

static void test_garbage_is_passed_over(void **state)
{
    (void)state;
    static const char text[] = "e4 \0\0 e5 ]]} ) Nf3";
    listing got = {0};
    stamma_pgn_reader *reader = open_text(text, sizeof text - 1, NULL);
    stamma_pgn_event event;
    while ((event = next(reader)).kind != STAMMA_PGN_END)
        list_format(&got, "%d:%zu ", (int)event.kind, event.text.size);
    stamma_pgn_reader_close(reader);
    assert_string_equal(got.text, "1:0 4:2 12:2 4:2 12:3 12:1 4:3 13:0 ");
    free(got.text);
    expect("[Event \"x]\n[Site \"y\"] e4 [%clk 1] e5",
           "ERR5<[Event \"x]> GAME TAG<Site=y> MOVE<e4> ERR5<[%clk 1]> MOVE<e5> /");
}

/* After a failed move, MOVE events carry its error until the end of that line only. */
static void test_lines_that_are_lost(void **state)
{
    (void)state;
    expect("e4 e5 Ke3 Nc6 *", "GAME MOVE<e4> MOVE<e5> ERR6<Ke3> MOVE6<Nc6> RES<*> /");
    expect("e4 e5 Ke3 (Nf3 Nc6) Nc6 (Nf6) Nf3", "GAME MOVE<e4> MOVE<e5> ERR6<Ke3> ( MOVE<Nf3> MOVE<Nc6> ) MOVE6<Nc6> ( "
                                                "MOVE6<Nf6> ) MOVE6<Nf3> /");
    expect("e4 (d4 Ke7 c4) e5", "GAME MOVE<e4> ( MOVE<d4> ERR6<Ke7> MOVE6<c4> ) MOVE<e5> /");
    expect("d4 d5 Nc3 Nc6 Bf4 Bf5 Nd2", "GAME MOVE<d4> MOVE<d5> MOVE<Nc3> MOVE<Nc6> MOVE<Bf4> MOVE<Bf5> ERR6<Nd2> /");
    expect("e4 resigns e5", "GAME MOVE<e4> ERR5<resigns> MOVE5<e5> /");
    expect("[FEN \"k7/8/8/8/8/8/8/KR5R w - - 0 1\"] Re1 Kb8 *",
           "GAME TAG<FEN=k7/8/8/8/8/8/8/KR5R w - - 0 1> ERR10<Re1> MOVE10<Kb8> RES<*> /");
}

static void test_tokens_only(void **state)
{
    (void)state;
    stamma_pgn_options options = {.size = sizeof options};
    options.tokens_only = true;
    expect_with("[FEN \"none\"] e4 (Ke9 *) Qh5 1-0", &options,
                "GAME TAG<FEN=none> MOVE<e4> ( MOVE<Ke9> RES<*> ) MOVE<Qh5> RES<1-0> /");
    stamma_pgn_reader *reader = open_text("e4", 2, &options);
    next_of(reader, STAMMA_PGN_MOVE);
    assert_null(stamma_pgn_reader_position(reader));
    stamma_pgn_reader_close(reader);
}

/* ---- starts and positions ---- */

static void expect_fen(stamma_pgn_reader *reader, const char *expected)
{
    char fen[STAMMA_FEN_SIZE];
    assert_non_null(stamma_pgn_reader_position(reader));
    stamma_fen_write(stamma_pgn_reader_position(reader), STAMMA_FEN_STANDARD, fen, sizeof fen);
    assert_string_equal(fen, expected);
}

static void test_positions(void **state)
{
    (void)state;
    static const char text[] = "e4 e5 (e6 d4 (d3) d5) Nf3 ({c} Nc3) *";
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", /* ( */
        "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2",
        "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", /* ( */
        "rnbqkbnr/pppp1ppp/4p3/8/4P3/3P4/PPP2PPP/RNBQKBNR b KQkq - 0 2",
        "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2", /* ) */
        "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq d6 0 3",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", /* ) */
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", /* ( */
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", /* {c} */
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", /* ) */
    };
    static const uint32_t plies[] = {0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 2, 2, 2, 2, 3};
    stamma_pgn_reader *reader = open_text(text, sizeof text - 1, NULL);
    assert_null(stamma_pgn_reader_position(reader));
    assert_int_equal(next(reader).kind, STAMMA_PGN_GAME_BEGIN);
    expect_fen(reader, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        stamma_pgn_event event = next(reader);
        assert_true(event.kind != STAMMA_PGN_ERROR);
        assert_int_equal(event.place.ply, plies[i]);
        expect_fen(reader, fens[i]);
    }
    stamma_pgn_reader_close(reader);
}

static void test_starts(void **state)
{
    (void)state;
    expect("[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]O-O O-O",
           "GAME TAG<FEN=bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9> ERR6<O-O> MOVE6<O-O> /");
    expect("[FEN \"4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1\"][FEN \"8/8/8/8/8/8/8/8 w - -\"] 1. O-O-O O-O",
           "GAME TAG<FEN=4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1> TAG<FEN=8/8/8/8/8/8/8/8 w - -> MOVE<O-O-O> MOVE<O-O> /");
    expect(
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"] e4 * e4",
        "GAME TAG<FEN=8/8/8/8/8/8/8/8 w - - 0 1> ERR6<8/8/8/8/8/8/8/8 w - - 0 1> MOVE6<e4> RES<*> / GAME MOVE<e4> /");
    expect("[FEN \"nonsense\"] e4", "GAME TAG<FEN=nonsense> ERR5<nonsense> MOVE5<e4> /");
    expect("[Variant \"Fischerandom\"][Variant \"From Position\"] e4",
           "GAME TAG<Variant=Fischerandom> TAG<Variant=From Position> MOVE<e4> /");
    expect("[Variant \"Atomic\"][FEN \"4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1\"] e4 (d4) e5 *",
           "GAME TAG<Variant=Atomic> ERR8<Atomic> TAG<FEN=4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1> MOVE8<e4> ( MOVE8<d4> ) "
           "MOVE8<e5> RES<*> /");
}

static void test_sloppy_moves(void **state)
{
    (void)state;
    expect("[FEN \"r3k3/4P3/8/3pP3/8/8/8/4K2R w Kq d6 0 1\"] exd6e.p. 0-0-0 0-0 Z0",
           "GAME TAG<FEN=r3k3/4P3/8/3pP3/8/8/8/4K2R w Kq d6 0 1> MOVE<exd6e.p.> ERR6<0-0-0> MOVE6<0-0> MOVE6<Z0> /");
    expect("[FEN \"k7/4P3/8/8/8/8/8/K7 w - - 0 1\"] e8(Q)+ *",
           "GAME TAG<FEN=k7/4P3/8/8/8/8/8/K7 w - - 0 1> MOVE<e8(Q)> RES<*> /");
}

/* ---- places ---- */

static void test_lines_are_counted(void **state)
{
    (void)state;
    static const char text[] = "[A \"a\"]\r\n\r[B \"b\"]\n\n{c\r\nd\re}e4\r\n;x\r\r\ne5\n1-0\n\n*";
    static const uint64_t lines[] = {1, 1, 3, 5, 7, 8, 10, 11, 11, 13, 13, 13, 13};
    stamma_pgn_reader *reader = open_text(text, sizeof text - 1, NULL);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(next(reader).place.line, lines[i]);
    stamma_pgn_reader_close(reader);
}

static void test_error_places(void **state)
{
    (void)state;
    static const char text[] = "e4 e5 (d5\n exd5 Ka4)  1-0 \n\n d4 Ke4";
    stamma_pgn_reader *reader = open_text(text, sizeof text - 1, NULL);
    stamma_pgn_event error = next_of(reader, STAMMA_PGN_ERROR);
    assert_int_equal(error.place.offset, strstr(text, "Ka4") - text);
    assert_int_equal(error.place.line, 2);
    assert_int_equal(error.place.game, 1);
    assert_int_equal(error.place.ply, 3);
    assert_int_equal(error.depth, 1);
    error = next_of(reader, STAMMA_PGN_ERROR);
    assert_int_equal(error.place.offset, strstr(text, "Ke4") - text);
    assert_int_equal(error.place.line, 4);
    assert_int_equal(error.place.game, 2);
    assert_int_equal(error.place.ply, 1);
    stamma_pgn_reader_close(reader);
}

/* Every kind of line end produces the same events on the same lines. */
static void test_line_ends_are_alike(void **state)
{
    (void)state;
    static const char text[] =
        "[A \"a\"]\n[B \"b\"]\n\n% escape\n1. e4 {c} ;line\ne5\n(c5\nNf3)\n1-0\n\n\n[A \"\"]\n*\n";
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    listing events[3] = {{0}};
    for (int way = 0; way < 3; way++) {
        listing changed = {0};
        for (const char *at = text; *at; at++)
            if (*at == '\n')
                list_word(&changed, ends[way]);
            else
                list_bytes(&changed, at, 1);
        stamma_pgn_reader *reader = open_text(changed.text, changed.size, NULL);
        stamma_pgn_event event;
        do {
            event = next(reader);
            list_event(&events[way], &event);
            list_format(&events[way], "@%llu", (unsigned long long)event.place.line);
        } while (event.kind != STAMMA_PGN_END);
        stamma_pgn_reader_close(reader);
        free(changed.text);
        assert_string_equal(events[way].text, events[0].text);
    }
    for (int way = 0; way < 3; way++)
        free(events[way].text);
}

static void test_bytes_are_kept(void **state)
{
    (void)state;
    expect("\xEF\xBB\xBF[White \"M\xFCller\"][Black \"\xC5\x81\"] e4 {\xE9\xC3\xA9\x01} *",
           "GAME TAG<White=M\xFCller> TAG<Black=\xC5\x81> MOVE<e4> COM<\xE9\xC3\xA9\x01> RES<*> /");
}

/* ---- depth ---- */

static void test_depth_limit(void **state)
{
    (void)state;
    stamma_pgn_options options = {.size = sizeof options};
    options.max_depth = 2;
    expect_with("e4 (d4 (c4 (b4 (a4) b5) c5 (b3)) d5) e5 *", &options,
                "GAME MOVE<e4> ( MOVE<d4> ( MOVE<c4> ERR11<(> MOVE<c5> ERR11<(> ) MOVE<d5> ) MOVE<e5> RES<*> /");
    expect_with("e4 (d4 (c4 (b4 * [A \"a\"] e4", &options,
                "GAME MOVE<e4> ( MOVE<d4> ( MOVE<c4> ERR11<(> ERR5<> / GAME TAG<A=a> MOVE<e4> /");
}

/* 200,000 nested variations. */
static void test_depth_200000(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    listing text = {0};
    for (int i = 0; i < DEPTH; i++)
        list_word(&text, "e4(");
    list_word(&text, "d4");
    for (int i = 0; i < DEPTH; i++)
        list_word(&text, ")");
    list_word(&text, "e5 *");
    stamma_pgn_options options = {.size = sizeof options};
    options.max_depth = DEPTH;
    stamma_pgn_reader *reader = open_text(text.text, text.size, &options);
    uint32_t deepest = 0, moves = 0;
    stamma_pgn_event event;
    while ((event = next(reader)).kind != STAMMA_PGN_END) {
        assert_int_not_equal(event.kind, STAMMA_PGN_ERROR);
        moves += event.kind == STAMMA_PGN_MOVE;
        if (event.depth > deepest)
            deepest = event.depth;
    }
    stamma_pgn_reader_close(reader);
    assert_int_equal(deepest, DEPTH);
    assert_int_equal(moves, DEPTH + 2);
    options.max_depth = 0; /* the default: one error, and the remaining text is skipped */
    reader = open_text(text.text, text.size, &options);
    unsigned errors = 0;
    while ((event = next(reader)).kind != STAMMA_PGN_END)
        errors += event.kind == STAMMA_PGN_ERROR;
    stamma_pgn_reader_close(reader);
    assert_int_equal(errors, 1);
    free(text.text);
}

/* ---- skipping ---- */

static void test_skip_game(void **state)
{
    (void)state;
    static const char text[] = "[A \"a\"] e4 (d4 *) Ke9 {c} e5 1-0 [B \"b\"] d4 {open";
    stamma_pgn_reader *reader = open_text(text, sizeof text - 1, NULL);
    assert_int_equal(stamma_pgn_reader_skip_game(reader), STAMMA_OK); /* between games it does nothing */
    assert_int_equal(next(reader).kind, STAMMA_PGN_GAME_BEGIN);
    assert_int_equal(stamma_pgn_reader_skip_game(reader), STAMMA_OK);
    assert_int_equal(next(reader).kind, STAMMA_PGN_GAME_END);
    assert_int_equal(stamma_pgn_reader_skip_game(reader), STAMMA_OK);
    assert_int_equal(next_of(reader, STAMMA_PGN_MOVE).move, stamma_move_make(11, 27, STAMMA_FLAG_DOUBLE_PUSH));
    assert_int_equal(next(reader).kind, STAMMA_PGN_COMMENT);
    assert_int_equal(stamma_pgn_reader_skip_game(reader), STAMMA_OK);
    stamma_pgn_event event = next(reader);
    assert_int_equal(event.kind, STAMMA_PGN_GAME_END);
    assert_int_equal(event.place.game, 2);
    assert_int_equal(next(reader).kind, STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
}

/* ---- large tokens ---- */

/* A comment of one megabyte is passed in parts of max_token bytes. */
static void test_large_comment(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    listing text = {0}, joined = {0};
    list_word(&text, "e4 {");
    for (int i = 0; i < SIZE / 8; i++)
        list_word(&text, i % 7 == 0 ? "\n[%x 12]" : "comment ");
    list_word(&text, "} e5 *");
    stamma_pgn_options options = {.size = sizeof options};
    options.max_token = 1000;
    stamma_pgn_reader *reader = open_text(text.text, text.size, &options);
    stamma_pgn_event event;
    unsigned pieces = 0;
    while ((event = next(reader)).kind != STAMMA_PGN_END) {
        assert_int_not_equal(event.kind, STAMMA_PGN_ERROR);
        if (event.kind != STAMMA_PGN_COMMENT)
            continue;
        list_bytes(&joined, event.text.data, event.text.size);
        assert_int_equal(event.more, joined.size < SIZE);
        assert_true(event.text.size <= 1000);
        pieces++;
    }
    stamma_pgn_reader_close(reader);
    assert_int_equal(pieces, (SIZE + 1) / 1000 + 1);
    assert_int_equal(joined.size, SIZE);
    assert_memory_equal(joined.text, text.text + 4, SIZE);
    piecewise source = {text.text, text.size, 0, 1, false, 0, 0}; /* must read byte by byte in reasonable time */
    stamma_input input = piecewise_input(&source);
    options.max_token = 2 * SIZE;
    assert_int_equal(stamma_pgn_reader_open(&input, &options, &reader), STAMMA_OK);
    event = next_of(reader, STAMMA_PGN_COMMENT);
    assert_int_equal(event.text.size, SIZE);
    assert_memory_equal(event.text.data, joined.text, SIZE);
    stamma_pgn_reader_close(reader);
    free(joined.text);
    free(text.text);
}

/* A line of several megabytes: one game without line breaks. */
static void test_large_line(void **state)
{
    (void)state;
    listing text = {0};
    for (unsigned i = 1; i <= 100000; i++)
        list_format(&text, "%u. N%s N%s ", i, i % 2 ? "f3" : "g1", i % 2 ? "f6" : "g8");
    list_word(&text, "*");
    piecewise source = {text.text, text.size, 0, 700, true, 0, 0};
    stamma_input input = piecewise_input(&source);
    failing_memory memory = {0};
    stamma_allocator allocator = failing_allocator(&memory);
    stamma_pgn_options options = {.size = sizeof options, .allocator = &allocator, .max_token = 256};
    stamma_pgn_reader *reader;
    assert_int_equal(stamma_pgn_reader_open(&input, &options, &reader), STAMMA_OK);
    stamma_pgn_event event = next_of(reader, STAMMA_PGN_RESULT);
    assert_int_equal(event.place.ply, 200000);
    assert_int_equal(event.place.line, 1);
    assert_int_equal(memory.calls, 2); /* the reader and its buffer, for any length of line */
    stamma_pgn_reader_close(reader);
    free(text.text);
}

static void test_large_words(void **state)
{
    (void)state;
    listing text = {0};
    list_word(&text, "[");
    for (int i = 0; i < 300; i++)
        list_word(&text, "x");
    list_word(&text, " \"value\"]\n");
    stamma_pgn_options options = {.size = sizeof options};
    options.max_token = 256;
    /* longer than max_token, so not a tag pair; the garbage up to the bracket is too long, too */
    stamma_pgn_reader *reader = open_text(text.text, text.size, &options);
    stamma_pgn_event event = next(reader);
    assert_int_equal(event.kind, STAMMA_PGN_ERROR);
    assert_int_equal(event.text.size, 256);
    stamma_pgn_reader_close(reader);
    options.max_token = 400;
    reader = open_text(text.text, text.size, &options);
    assert_int_equal(next_of(reader, STAMMA_PGN_TAG).text.size, 300);
    stamma_pgn_reader_close(reader);
    free(text.text);
}

/* A NAG of 600 digits is reported as an error in three parts, even if its number is small. */
static void test_large_nag(void **state)
{
    (void)state;
    static const size_t sizes[] = {256, 256, 89};
    char nag[700];
    stamma_pgn_options options = {.size = sizeof options, .max_token = 256};
    int size = snprintf(nag, sizeof nag, "e4 $%0599d1 e5 *", 0);
    stamma_pgn_reader *reader = open_text(nag, (size_t)size, &options);
    next_of(reader, STAMMA_PGN_MOVE);
    for (size_t i = 0; i < 3; i++) {
        stamma_pgn_event event = next(reader);
        assert_int_equal(event.kind, STAMMA_PGN_ERROR);
        assert_int_equal(event.error, STAMMA_ERROR_SYNTAX);
        assert_int_equal(event.text.size, sizes[i]);
    }
    assert_int_equal(next(reader).kind, STAMMA_PGN_MOVE);
    stamma_pgn_reader_close(reader);
}

/* ---- events depend only on the bytes ---- */

static void expect_law(const char *bytes, size_t size, const stamma_pgn_options *options)
{
    static const struct {
        size_t piece_max;
        bool random;
    } ways[] = {{1, false}, {7, true}, {5000, true}, {SIZE_MAX, false}};
    listing whole = events_of(bytes, size, options);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        piecewise source = {bytes, size, 0, ways[i].piece_max, ways[i].random, 0, 0};
        stamma_input input = piecewise_input(&source);
        listing pieces = events_of_input(&input, options);
        assert_int_equal(pieces.size, whole.size);
        assert_memory_equal(pieces.text, whole.text, whole.size);
        free(pieces.text);
    }
    free(whole.text);
}

static void test_law_on_random_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {"[Event \"",
                                         "\"]\n",
                                         "\n",
                                         "\r\n",
                                         " ",
                                         "1-0 ",
                                         "*",
                                         "{",
                                         "}",
                                         "[",
                                         "e4 ",
                                         "e5 ",
                                         "Nf3 ",
                                         "Nc6 ",
                                         "O-O ",
                                         "12. ",
                                         "$1 ",
                                         "!? ",
                                         "(",
                                         ")",
                                         ";",
                                         "\n%",
                                         "\xEF\xBB\xBF",
                                         "\x80",
                                         "[FEN \"4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1\"]",
                                         "\r",
                                         "1/2-1/2",
                                         "--",
                                         " {a}",
                                         "\n[Event \"",
                                         "resigned "};
    for (int round = 0; round < 1500; round++) {
        listing text = {0};
        list_word(&text, "");
        size_t target = (size_t)random_below(3000);
        while (text.size < target) {
            const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
            for (uint64_t times = random_below(50) == 0 ? random_below(300) : 1; times > 0; times--)
                list_word(&text, piece);
        }
        stamma_pgn_options options = {.size = sizeof options};
        options.max_token = round % 2 ? 256 : 1000;
        options.move_numbers = round % 3 == 0;
        options.tokens_only = round % 5 == 0;
        options.max_depth = 3;
        expect_law(text.text, text.size, &options);
        free(text.text);
    }
}

static void law_on_file(const char *path, const char *bytes, size_t size)
{
    (void)path;
    stamma_pgn_options options = {.size = sizeof options};
    options.max_token = 300;
    expect_law(bytes, size, &options);
}

static void test_law_on_nasty_files(void **state)
{
    (void)state;
    if (for_each_nasty_file(law_on_file) == 0) {
        puts("../shared/corpora/nasty is absent");
        skip();
    }
}

/* ---- failures ---- */

static const char rich[] =
    "[Event \"x\"]\n[FEN \"4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1\"]\n1. Kd2 (Ke2 Kd7 (Kd8 (Kf7 Kd3))) O-O 1-0\n";

static void test_no_memory(void **state)
{
    (void)state;
    for (unsigned fail_at = 1; fail_at < 6; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_pgn_options options = {.size = sizeof options, .allocator = &allocator};
        piecewise source = {rich, sizeof rich - 1, 0, 9, true, 0, 0};
        stamma_input input = piecewise_input(&source);
        stamma_pgn_reader *reader = NULL;
        unsigned refused = 0;
        if (stamma_pgn_reader_open(&input, &options, &reader) == STAMMA_ERROR_NO_MEMORY) {
            assert_null(reader);
            refused++;
        } else {
            stamma_pgn_event event = {0};
            event.kind = STAMMA_PGN_ERROR;
            while (event.kind != STAMMA_PGN_END) {
                stamma_error error = stamma_pgn_reader_next(reader, &event);
                assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
                refused += error != STAMMA_OK;
            }
            assert_int_equal(event.place.game, 1);
        }
        assert_int_equal(refused, fail_at <= memory.calls ? 1 : 0);
        stamma_pgn_reader_close(reader);
        assert_int_equal(memory.alive, 0);
    }
}

/* After a failed read the next call continues. The events equal the events of an input without failures. */
static void test_failing_input(void **state)
{
    (void)state;
    listing whole = events_of(rich, sizeof rich - 1, NULL);
    for (unsigned fail_at = 1; fail_at < 30; fail_at += 2) {
        piecewise source = {rich, sizeof rich - 1, 0, 3, false, 0, fail_at};
        stamma_input input = piecewise_input(&source);
        stamma_pgn_reader *reader;
        stamma_pgn_event event = {0};
        listing got = {0};
        unsigned failures = 0;
        assert_int_equal(stamma_pgn_reader_open(&input, NULL, &reader), STAMMA_OK);
        do {
            stamma_error error = stamma_pgn_reader_next(reader, &event);
            failures += error == STAMMA_ERROR_IO;
            if (error == STAMMA_OK)
                list_event_exactly(&got, &event);
            else
                event.kind = STAMMA_PGN_ERROR;
        } while (event.kind != STAMMA_PGN_END);
        stamma_pgn_reader_close(reader);
        assert_int_equal(failures, 1);
        assert_string_equal(got.text, whole.text);
        free(got.text);
    }
    free(whole.text);
}

static void test_skipping_with_failing_input(void **state)
{
    (void)state;
    piecewise source = {rich, sizeof rich - 1, 0, 1, false, 0, 60};
    stamma_input input = piecewise_input(&source);
    stamma_pgn_reader *reader;
    assert_int_equal(stamma_pgn_reader_open(&input, NULL, &reader), STAMMA_OK);
    assert_int_equal(next(reader).kind, STAMMA_PGN_GAME_BEGIN);
    assert_int_equal(stamma_pgn_reader_skip_game(reader), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_reader_skip_game(reader), STAMMA_OK);
    assert_int_equal(next(reader).kind, STAMMA_PGN_GAME_END);
    stamma_pgn_reader_close(reader);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    stamma_pgn_reader *reader;
    stamma_pgn_options options = {.size = sizeof options};
    stamma_input input = {0};
    assert_int_equal(stamma_pgn_reader_open(&input, NULL, &reader), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_reader_open(NULL, NULL, &reader), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_reader_open_memory(NULL, 1, NULL, &reader), STAMMA_ERROR_BAD_ARGUMENT);
    options.max_token = 255;
    assert_int_equal(stamma_pgn_reader_open_memory("", 0, &options, &reader), STAMMA_ERROR_BAD_ARGUMENT);
    options = (stamma_pgn_options){.size = sizeof options.size - 1};
    assert_int_equal(stamma_pgn_reader_open_memory("", 0, &options, &reader), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_pgn_reader_close(NULL);
    reader = open_text(NULL, 0, NULL);
    assert_int_equal(next(reader).kind, STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_game),
        cmocka_unit_test(test_move_numbers),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_games_follow_games),
        cmocka_unit_test(test_garbage_is_passed_over),
        cmocka_unit_test(test_lines_that_are_lost),
        cmocka_unit_test(test_tokens_only),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_sloppy_moves),
        cmocka_unit_test(test_lines_are_counted),
        cmocka_unit_test(test_error_places),
        cmocka_unit_test(test_line_ends_are_alike),
        cmocka_unit_test(test_bytes_are_kept),
        cmocka_unit_test(test_depth_limit),
        cmocka_unit_test(test_depth_200000),
        cmocka_unit_test(test_skip_game),
        cmocka_unit_test(test_large_comment),
        cmocka_unit_test(test_large_line),
        cmocka_unit_test(test_large_words),
        cmocka_unit_test(test_large_nag),
        cmocka_unit_test(test_law_on_random_text),
        cmocka_unit_test(test_law_on_nasty_files),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_failing_input),
        cmocka_unit_test(test_skipping_with_failing_input),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
