/* SPDX-License-Identifier: MIT */
/* Tests the matcher: each rule on hand-made games. The expected results follow from the rules of chess and
 * doc/reference/search.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "query_support.h"

/* ---- positions ---- */

/* 1: to the Ruy Lopez; 2: by transposition; 3: with a double step that cannot be captured en passant; 4: with a double
 * step that can; 5: without moves. */
static const char openings[] = "[Event \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n"
                               "[Event \"2\"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 *\n\n"
                               "[Event \"3\"]\n\n1. e4 e5 *\n\n"
                               "[Event \"4\"]\n\n1. e4 a6 2. e5 d5 *\n\n"
                               "[Event \"5\"]\n\n*\n\n";

static void exact_positions(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"fen\": \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\"}", "1:5 2:5"},
        /* clocks and impossible en passant captures are ignored; the side to move and castling rights are compared */
        {"{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 7 9\"}", "1:2 3:2"},
        {"{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\"}", "1:2 3:2"},
        {"{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}", ""},
        {"{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w Qkq -\"}", ""},
        {"{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - -\", \"ignore-castling\": true}", "1:2 3:2"},
        /* a legal en passant capture is compared */
        {"{\"fen\": \"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6\"}", "4:4"},
        {"{\"fen\": \"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq -\"}", ""},
        {"{\"fen\": \"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq -\", \"ignore-en-passant\": true}", "4:4"},
        {"{\"fen\": \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"}", "1:0 2:0 3:0 4:0 5:0"},
        {"{\"fen\": [\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\","
         "\"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -\"]}",
         "1:1 2:1 3:1 4:1"},
        /* with swapped colours: Black has a bishop on b4, and White is to move */
        {"{\"fen\": \"rnbqk2r/pppp1ppp/5n2/4p3/1b2P3/2N5/PPPP1PPP/R1BQKBNR w KQkq -\", \"flipcolor\": true}",
         "1:5 2:5"},
        {"{\"fen\": \"rnbqk2r/pppp1ppp/5n2/4p3/1b2P3/2N5/PPPP1PPP/R1BQKBNR w KQkq -\"}", ""},
    };
    FINDS(openings, searches);
}

static void parts_of_positions(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"sub-fen\": \"8/8/8/1B6/8/5N2/8/8\"}", "1:5 2:5"},
        {"{\"sub-fen\": \"8/8/8/8/8/5N2/4.3/8\"}", "1:3 2:3"},
        {"{\"sub-fen\": \"8/8/8/3[.p]a3/4A3/8/8/8\"}", "1:2 2:4 3:2"},
        {"{\"sub-fen\": \"8/8/8/4?3/8/8/8/8\"}", "1:2 2:4 3:2 4:3"},
        {"{\"sub-fen\": [\"8/8/p7/8/8/8/8/8\", \"8/8/8/8/8/5N2/8/8\"], \"stm\": \"white\"}", "1:4 2:2 4:2"},
        {"{\"sub-fen\": \"8/8/5n2/8/8/8/8/8\"}", ""},
        {"{\"sub-fen\": \"8/8/5n2/8/8/8/8/8\", \"flipcolor\": true}", "1:3 2:1"},
        {"{\"sub-fen\": \"8/8/8/8/8/2N5/8/8\"}", ""},
        {"{\"sub-fen\": \"8/8/8/8/8/2N5/8/8\", \"mirror\": true}", "1:3 2:1"},
        {"{\"sub-fen\": \"8/8/5n2/8/8/8/8/8\", \"mirror\": true}", "1:4 2:2"},
        /* all rules are transformed together: a knight on f3 or c6 with its side to move */
        {"{\"sub-fen\": \"8/8/8/8/8/5N2/8/8\", \"stm\": \"white\", \"mirror\": true, \"flipcolor\": true}", "1:4 2:2"},
        /* two white pawns side by side on a rank, shifted: e4 and the third rank */
        {"{\"sub-fen\": \"8/8/8/8/8/8/8/PB6\", \"shift\": true}", ""},
        {"{\"sub-fen\": \"8/8/8/8/8/8/8/pn6\", \"shift\": true}", ""},
        {"{\"sub-fen\": \"8/8/8/8/8/1p6/P7/8\", \"shift\": true}", ""},
        {"{\"sub-fen\": \"8/8/8/8/8/pP6/8/8\", \"shift\": true}", "4:4"},
        {"{\"sub-fen\": \"8/8/8/8/8/pP6/8/8\", \"shift\": \"files\"}", ""},
        {"{\"sub-fen\": \"8/8/8/pP6/8/8/8/8\", \"shift\": \"files\"}", "4:4"},
        {"{\"sub-fen\": \"8/8/8/8/8/3pP3/8/8\", \"shift\": \"ranks\"}", "4:4"},
    };
    FINDS(openings, searches);
}

/* 1: the longest path from a pawn to mate: a promotion with capture, then queen against rook; 2: a set-up with two
 * queens */
static const char endings[] =
    "[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"1r2k3/P7/8/8/8/8/6p1/R3K3 w Q - 0 1\"]\n\n1. axb8=Q+ Kd7 2. Qb7+ Kd6 3. Qxg2 "
    "Ke5 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/8/KQQ5 w - - 0 1\"]\n\n1. Qb8+ Kg7 *\n\n"
    "[Event \"3\"]\n[SetUp \"1\"]\n[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0\n\n"
    "[Event \"4\"]\n[SetUp \"1\"]\n[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 1/2-1/2\n\n";

static void material(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"material\": \"KQRKP\"}", "1:1"},
        {"{\"material\": \"KQRK\"}", "1:5"},
        {"{\"material\": \"KRPKRP\"}", "1:0"},
        {"{\"material\": \"KQK\"}", "3:0 4:0"},
        {"{\"material\": \"KQQK\"}", "2:0"},
        {"{\"material\": \"KQ+K\"}", "2:0 3:0 4:0"},
        {"{\"material\": \"KQ?K\"}", "3:0 4:0"},
        {"{\"material\": \"KQR*KP*\"}", "1:1 3:0 4:0"},
        {"{\"material\": [\"KQQK\", \"KQRK\"]}", "1:5 2:0"},
        {"{\"material\": \"KKQ\"}", ""},
        {"{\"material\": \"KKQ\", \"flipcolor\": true}", "3:0 4:0"},
        {"{\"imbalance\": \"Qv\"}", "3:0 4:0"},
        {"{\"imbalance\": \"QRvP\"}", "1:1"},
        {"{\"imbalance\": \"v\"}", "1:0"},
        {"{\"imbalance\": [\"vQ\", \"vQQ\"], \"flipcolor\": true}", "2:0 3:0 4:0"},
        {"{\"mate\": true}", "3:1"},
        {"{\"stalemate\": true}", "4:1"},
        {"{\"check\": true}", "1:1 2:1 3:1"},
        {"{\"check\": false, \"ply\": \"1..\"}", "1:2 2:2 4:1"},
        {"{\"result-type\": \"mate\"}", "3:0"},
        {"{\"result-type\": [\"stalemate\", \"mate\"]}", "3:0 4:0"},
        {"{\"final\": {\"check\": false}}", "1:0 2:0 4:0"},
    };
    FINDS(endings, searches);
}

/* ---- moves ---- */

/* 1: en passant, and castling on both sides; 2: a quiet promotion and one with capture; 3: Chess960, where the king
 * on g1 castles by moving only its rook, and a king steps there; 4: a null move. */
static const char moves_text[] =
    "[Event \"1\"]\n\n1. e4 a6 2. e5 d5 3. exd6 Qxd6 4. Nf3 Nc6 5. Be2 Bg4 6. O-O O-O-O 7. Rfe1 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"r3k3/1P4p1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. bxa8=N g5 2. Kf2 g4 3. Kg1 g3 4. "
    "Kh1 g2+ "
    "5. Kh2 g1=Q+ *\n\n"
    "[Event \"3\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1k6/8/8/8/8/8/8/6KR w H - 0 1\"]\n\n1. O-O Ka8 *\n\n"
    "[Event \"4\"]\n\n1. e4 -- 2. d4 *\n\n";

static void moves(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"en-passant\": true}", "1:5"},
        {"{\"en-passant\": true, \"captured\": \"P\", \"moved\": \"p\", \"by\": \"white\"}", "1:5"},
        {"{\"en-passant\": true, \"by\": \"Black\"}", ""},
        {"{\"castling\": \"short\"}", "1:11 3:1"},
        {"{\"castling\": \"long\"}", "1:12"},
        {"{\"castling\": \"any\", \"by\": \"black\"}", "1:12"},
        {"{\"white-move\": \"O-O\"}", "1:11 3:1"},
        {"{\"black-move\": [\"O-O\", \"O-O-O\"]}", "1:12"},
        {"{\"move\": \"e1g1\"}", "1:11"},
        {"{\"move\": \"e1h1\"}", "1:11"},
        {"{\"move\": \"g1h1\"}", "2:7 3:1"},
        {"{\"move\": \"Kg1\"}", "2:5"},
        {"{\"move\": \"Rfe1\"}", "1:13"},
        {"{\"move\": \"Re1\"}", "1:13"},
        {"{\"move\": \"Rae1\"}", ""},
        {"{\"move\": \"e4\"}", "1:1 4:1"},
        {"{\"move\": \"d6\"}", "1:5"},
        {"{\"move\": \"exd6\"}", "1:5"},
        {"{\"move\": \"exd6 e.p.\"}", "1:5"},
        {"{\"move\": \"Nxf3\"}", ""},
        {"{\"move\": \"g1\"}", "2:10"},
        {"{\"move\": \"g1=Q\"}", "2:10"},
        {"{\"move\": \"g1=Q#\"}", "2:10"},
        {"{\"move\": \"g1=N\"}", ""},
        {"{\"move\": \"g2g1q\"}", "2:10"},
        {"{\"move\": \"b7a8n\"}", "2:1"},
        {"{\"white-move\": \"g1=Q\"}", ""},
        /* with swapped colours, Black's g8=Q */
        {"{\"white-move\": \"g8=Q\", \"flipcolor\": true}", "2:10"},
        {"{\"move\": \"--\"}", "4:2"},
        {"{\"promoted\": \"Q\"}", "2:10"},
        {"{\"promoted\": \"NQ\"}", "2:1"},
        {"{\"promoted\": \"\", \"moved\": \"P\", \"captured\": \"\"}", "1:1 2:2 4:1"},
        {"{\"captured\": \"R\", \"promoted\": \"n\"}", "2:1"},
        {"{\"captured\": \"Q\"}", ""},
        {"{\"moved\": \"K\"}", "1:11 2:3 3:1"},
        {"{\"moved\": \"\"}", "4:2"},
        {"{\"captured\": \"\", \"ply\": \"0..1\"}", "1:1 3:1 4:1"},
        {"{\"by\": \"black\"}", "1:2 2:2 3:2 4:2"},
        {"{\"move-number\": 2, \"stm\": \"BLACK\"}", "1:3 2:3 4:3"},
        {"{\"ply\": [13, \"10..11\"], \"moved\": [\"R\", \"K\"]}", "1:11"},
    };
    FINDS(moves_text, searches);
}

/* ---- rules about the complete game ---- */

static const char tags_text[] =
    "[Event \"Wch\"]\n[Site \"K\303\270benhavn\"]\n[Date \"2010.05.??\"]\n[Round \"1\"]\n[White \"M\303\274ller, "
    "Karsten\"]\n[Black \"Bronstein, David I\"]\n[Result \"1-0\"]\n[WhiteElo \"2501\"]\n[BlackElo \"2400\"]\n[ECO "
    "\"B90\"]\n[TimeControl \"40/7200\"]\n\n1. e4 {A B\303\266se move} 1-0\n\n"
    "[Event \"Open \\\"A\\\"\"]\n[Date \"????.??.??\"]\n[UTCDate \"2011.01.02\"]\n[White \"MULLER,K\"]\n[Black "
    "\"?\"]\n[Result "
    "\"0-1\"]\n[WhiteElo \"1500?\"]\n[BlackElo \"-\"]\n[ECO \"b99\"]\n\n1. e4 (1. d4 {deep}) 1... e5 0-1\n\n"
    "[Event \"x\"]\n[Date \"2009\"]\n[White \"Bronstejn\"]\n[Black \"M\374ller\"]\n[Result \"?\"]\n[WhiteElo "
    "\"2000\"]\n[BlackElo "
    "\"2001\"]\n[ECO \"C00\"]\n\n1. e4 $1 1/2-1/2\n\n"
    "[White \"\320\221\320\276\321\202\320\262\320\270\320\275\320\275\320\270\320\272\"]\n[Black "
    "\"Stra\303\237e\"]\n[FEN "
    "\"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n*\n\n";

static void games(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"player\": \"muller\"}", "1:0 2:0 3:0"},
        {"{\"player\": \"M\303\234LLER\"}", "1:0 2:0 3:0"},
        {"{\"player\": \"M\\u00fcller, Kar\"}", "1:0"},
        {"{\"white\": \"muller\"}", "1:0 2:0"},
        {"{\"black\": [\"muller\", \"bron\"]}", "1:0 3:0"},
        {"{\"player\": \"ler\"}", ""},
        {"{\"player\": \"*ler\"}", "1:0 2:0 3:0"},
        {"{\"player\": \"m?ller?k\"}", "2:0"},
        {"{\"players\": [\"Bronste\", \"Muller\"]}", "1:0 3:0"},
        {"{\"players\": [\"Muller\", \"Muller\"]}", ""},
        {"{\"player\": \"strasse\"}", "4:0"},
        {"{\"white\": \"\320\261\320\236\320\242\"}", "4:0"},
        {"{\"site\": \"kobenhavn\"}", "1:0"},
        {"{\"site\": \"*\"}", "1:0"},
        {"{\"event\": \"open\"}", ""},
        {"{\"event\": \"open*\"}", "2:0"},
        {"{\"event\": \"open \\\"a\\\"\"}", "2:0"},
        {"{\"round\": 1}", "1:0"},
        {"{\"time-control\": \"40/*\"}", "1:0"},
        {"{\"tag\": {\"Site\": \"*ben*\", \"Round\": [\"2\", \"1\"]}}", "1:0"},
        {"{\"tag\": {\"Site\": \"*ben*\", \"Round\": \"2\"}}", ""},
        {"{\"eco\": \"B90..B99\"}", "1:0 2:0"},
        {"{\"eco\": \"B9\"}", "1:0 2:0"},
        {"{\"eco\": \"..B98\"}", "1:0"},
        {"{\"eco\": \"B98..\"}", "2:0 3:0"},
        {"{\"eco\": \"B91..C\"}", "2:0 3:0"},
        {"{\"result\": \"1-0\"}", "1:0"},
        {"{\"result\": [\"*\", \"1/2-1/2\"]}", "3:0 4:0"},
        {"{\"rating\": \"2450..2450\"}", ""},
        {"{\"rating\": \"2450..2451\"}", "1:0"},
        {"{\"rating\": \"2000..\"}", "1:0 3:0"},
        {"{\"white-rating\": 1500}", "2:0"},
        {"{\"each-rating\": \"..2001\"}", "3:0"},
        {"{\"black-rating\": \"..3000\"}", "1:0 3:0"},
        {"{\"date\": \"2010\"}", "1:0"},
        {"{\"date\": 2011}", "2:0"},
        {"{\"date\": \"2010.05.31\"}", "1:0"},
        {"{\"date\": \"2010.06..\"}", "2:0"},
        {"{\"date\": \"2009.04.01..2010.04.30\"}", "3:0"},
        {"{\"date\": \"..2010\"}", "1:0 3:0"},
        {"{\"plies\": 0}", "4:0"},
        {"{\"plies\": \"1..\"}", "1:0 2:0 3:0"},
        {"{\"comment\": \"BOSE\"}", "1:0"},
        {"{\"comment\": \"deep\"}", "2:0"},
        {"{\"comment\": \"b*e\"}", ""},
        {"{\"has\": \"comments\"}", "1:0 2:0"},
        {"{\"has\": \"variations\"}", "2:0"},
        {"{\"has\": \"nags\"}", "3:0"},
        {"{\"has\": \"setup\"}", "4:0"},
        {"{\"has\": [\"clocks\", \"evaluations\", \"text\"]}", ""},
        {"{\"pass\": \"\"}", "1:0 2:0 3:0 4:0"},
        {"{}", "1:0 2:0 3:0 4:0"},
        {"{\"never\": {\"ply\": 2}}", "1:0 3:0 4:0"},
        {"{\"not\": {\"white\": \"m\"}, \"ply\": 1}", "3:1"},
    };
    FINDS(tags_text, searches);
}

/* Incomplete dates, and ECO codes that are longer or shorter than usual. */
static void partly_known(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"date\": \"2010..2019\"}", "1:0 2:0"},
        {"{\"date\": \"2013.10.05\"}", "1:0"},
        {"{\"date\": \"2013.10.06\"}", "1:0"},
        {"{\"date\": \"2013.09\"}", "1:0 2:0"},
        {"{\"date\": \"2020..\"}", ""},
        {"{\"date\": \"..2009\"}", ""},
        {"{\"date\": \"2013.09.17\"}", "1:0 2:0"},
        {"{\"eco\": \"E9\"}", "1:0"},
        {"{\"eco\": \"E97..E98\"}", "1:0"},
        {"{\"eco\": \"..E96\"}", "2:0 4:0"},
        {"{\"eco\": \"E\"}", "1:0 2:0"},
        {"{\"eco\": \"A..E\"}", "1:0 2:0 4:0"},
        {"{\"eco\": \" A40 ..  A41 \"}", "4:0"},
    };
    FINDS("[Event \"1\"]\n[Date \"201?.??.??\"]\n[ECO \"E98/07\"]\n\n1. d4 *\n\n"
          "[Event \"2\"]\n[Date \"2013-09-17\"]\n[ECO \"e\"]\n\n1. d4 *\n\n"
          "[Event \"3\"]\n[Date \"20.10.2013\"]\n[ECO \"?\"]\n\n1. d4 *\n\n"
          "[Event \"4\"]\n[ECO \" \tA40 \"]\n\n1. d4 *\n\n",
          searches);
}

/* ---- rules about one moment ---- */

static const char moment_text[] = "[Event \"1\"]\n\n1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { [%eval 0.25] [%clk "
                                  "0:02:59.5] } 2. f4 { [%clk 0:00:09] } 2... "
                                  "g5 { [%eval #2] } 3. Nh3 { [%eval -1.5] } *\n\n"
                                  "[Event \"2\"]\n\n1. e4 e5 *\n\n";

static void moments(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"evaluation\": \"0.3\"}", "1:1"},
        {"{\"evaluation\": \"..0.29\"}", "1:2"},
        {"{\"evaluation\": 100}", "1:4"},
        {"{\"evaluation\": \"..-1.5\"}", "1:5"},
        {"{\"evaluation\": -1.51}", ""},
        {"{\"swing\": \"0.05\"}", "1:2"},
        {"{\"swing\": \"2..\"}", "1:4"},
        {"{\"swing\": \"100..\"}", "1:5"},
        {"{\"swing\": \"0..\", \"ply\": 1}", ""},
        {"{\"clock\": \"..10\"}", "1:3"},
        {"{\"clock\": 179.5}", "1:2"},
        {"{\"has\": \"clocks\"}", "1:0"},
        {"{\"has\": \"evaluations\"}", "1:0"},
    };
    FINDS(moment_text, searches);
}

/* Digits after the hundredths of an evaluation are ignored, toward 0. Ranges have three decimals. */
static void evaluations_in_hundredths(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"evaluation\": 0.12}", "1:1"},  {"{\"evaluation\": \"0.121..0.129\"}", ""},
        {"{\"evaluation\": -0.12}", "1:2"}, {"{\"evaluation\": \"0.001..\"}", "1:1"},
        {"{\"evaluation\": 0}", "1:3"},
    };
    FINDS("1. e4 { [%eval 0.129] } 1... e5 { [%eval -0.129] } 2. f4 { [%eval 0.009] } *\n\n", searches);
}

/* ---- pawns, squares, attacks ---- */

/* 1: White's a2, b4, d4, d5 against c5, h7; 2: a bishop pins a knight, and two pieces are between rook and king; 3:
 * knight forks, and pieces in a line. */
static const char boards_text[] =
    "[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"4k3/7p/8/2pP4/1P1P4/8/P7/4K3 w - - 0 1\"]\n\n1. bxc5 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"4k3/3n4/8/1B6/8/8/RP6/r1NQK3 w - - 0 1\"]\n\n*\n\n"
    "[Event \"3\"]\n[SetUp \"1\"]\n[FEN \"r3k3/2N5/8/8/8/3q4/8/R2QK3 b - - 0 1\"]\n\n*\n\n";

static void boards(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        /* no black pawn stops d5, which is in front of d4; c5 stops b4 and d4; no pawn stops h7; d5 is next to c5, but
         * b4 and d4 are in front of c5 from Black's side */
        {"{\"passed\": {\"white\": 2, \"black\": 1}}", "1:0"},
        {"{\"passed\": {\"white\": [0, 2]}, \"ply\": 0, \"count\": {\"pieces\": \"P\", \"n\": 4}}", "1:0"},
        /* at ply 1, a2, c5, d4 and d5 are passed */
        {"{\"passed\": {\"white\": 4}}", "1:1"},
        {"{\"passed\": {\"black\": 4, \"white\": 1}, \"flipcolor\": true}", "1:1"},
        /* White's d4 and d5; both black pawns */
        {"{\"isolated\": {\"white\": 2, \"black\": 2}}", "1:0"},
        {"{\"isolated\": {\"white\": 1, \"black\": 1}}", "1:1"},
        {"{\"doubled\": {\"white\": 1, \"black\": 0}}", "1:0"},
        {"{\"connected\": {\"white\": 0}}", "1:0 2:0 3:0"},
        {"{\"connected\": {\"white\": 3}}", "1:1"},
        {"{\"connected\": {\"white\": \"2..\"}}", "1:1"},
        {"{\"pawns\": \"8/7p/8/2pP4/1P1P4/8/P7/8\"}", "1:0"},
        {"{\"pawns\": \"8/7p/8/2pP4/3P4/8/P7/8\"}", ""},
        {"{\"pawns\": \"8/p7/8/4Pp2/4P1P1/8/7P/8\", \"mirror\": true}", "1:0"},
        {"{\"pawns\": \"8/p7/8/1p1p4/2Pp4/8/7P/8\", \"flipcolor\": true}", "1:0"},
        {"{\"pawns\": \"8/8/8/8/8/8/8/8\"}", "3:0"},
        {"{\"count\": {\"pieces\": \"Pp\", \"squares\": \"d4 e4 d5 e5\", \"n\": \"2..\"}}", "1:0"},
        {"{\"count\": {\"pieces\": \"Pp\", \"squares\": \"c4-d5\", \"n\": 3}}", "1:0"},
        {"{\"count\": {\"pieces\": \"a\", \"squares\": \"8\", \"n\": 2}}", "3:0"},
        {"{\"count\": {\"pieces\": \".\", \"squares\": \"8\", \"n\": 7}}", "1:0 2:0"},
        {"{\"count\": {\"pieces\": \"rq\", \"squares\": \"a d\"}}", "2:0 3:0"},
        {"{\"count\": {\"pieces\": \"Kk\", \"n\": 2}}", "1:0 2:0 3:0"},
        {"{\"attacks\": \"Bxn\"}", "2:0"},
        {"{\"attacks\": \"Bxk\"}", ""},
        {"{\"attacks\": \"Nxkr\"}", "3:0"},
        {"{\"attacks\": {\"from\": \"N\", \"to\": \"kr\", \"n\": 2}}", "3:0"},
        {"{\"attacks\": {\"from\": \"N\", \"to\": \"kr\", \"n\": \"3..\"}}", ""},
        {"{\"attacks\": \"Pxc5\"}", "1:0"},
        {"{\"attacks\": \"Pxc5 e3\"}", "1:0"},
        {"{\"attacks\": {\"from\": \"P\", \"to\": \"c5 e5\", \"n\": 2}}", "1:0"},
        {"{\"attacks\": \"Pxd6\"}", "1:1"},
        {"{\"attacks\": \"pxP\"}", "1:0"},
        {"{\"attacks\": \"kxN\"}", ""},
        {"{\"attacks\": \"kxd7\"}", "1:0 2:0 3:0"},
        {"{\"attacks\": \"RxP\"}", "2:0"},
        {"{\"pinned\": \"n\"}", "2:0"},
        {"{\"pinned\": \"NR\"}", ""},
        {"{\"pinned\": \"N\", \"flipcolor\": true}", "2:0"},
        {"{\"pinned\": \"a\"}", "2:0"},
        {"{\"pinned\": \"A\"}", ""},
    };
    FINDS(boards_text, searches);
}

/* ---- combined conditions ---- */

/* White's knight goes f3, g1, f3, e5, f3; Black's c6, b8, c6, b8, c6. */
static const char made_text[] = "[Event \"1\"]\n\n1. Nf3 Nc6 2. Ng1 Nb8 3. Nf3 Nc6 4. Ne5 Nb8 5. Nf3 Nc6 *\n\n";

static void conditions(void **state)
{
    (void)state;
#define F3 "{\"sub-fen\": \"8/8/8/8/8/5N2/8/8\"}" /* plies 1 2 5 6 9 10 */
#define E5 "{\"sub-fen\": \"8/8/8/4N3/8/8/8/8\"}" /* plies 7 8 */
#define C6 "{\"sub-fen\": \"8/8/2n5/8/8/8/8/8\"}" /* plies 2 3 6 7 10 */
    static const query_answer searches[] = {
        {"{\"all\": [" F3 ", " C6 "]}", "1:2"},
        {"{\"any\": [" E5 ", " C6 "]}", "1:2"},
        {"{\"any\": [" E5 ", {\"any\": [{\"ply\": 9}, " C6 "]}], \"not\": " C6 "}", "1:8"},
        {"{\"not\": " F3 ", \"ply\": \"1..\"}", "1:3"},
        {"{\"not\": " F3 ", \"all\": [{\"not\": " C6 "}], \"ply\": \"1..\"}", "1:4"},
        {"{\"never\": " E5 "}", ""},
        {"{\"never\": {\"check\": true}, \"ply\": \"3\"}", "1:3"},
        {"{\"final\": " C6 "}", "1:0"},
        {"{\"final\": " E5 "}", ""},
        {"{\"final\": {\"move\": \"Nc6\"}, \"move\": \"Ne5\"}", "1:7"},
        {"{\"sequence\": [" F3 ", " E5 "]}", "1:1,7"},
        {"{\"sequence\": [" E5 ", " F3 "]}", "1:7,9"},
        {"{\"sequence\": [" E5 ", " E5 "]}", "1:7,8"},
        {"{\"sequence\": [" E5 ", " E5 ", " E5 "]}", ""},
        {"{\"sequence\": [" C6 "]}", "1:2"},
        /* the plies of f3 that e5 follows; within two plies, 1 and 2 are too early */
        {"{\"all\": [{\"sequence\": [" F3 ", " E5 "]}, {\"plies\": \"1..\"}]}", "1:1,7"},
        {"{\"all\": [{\"plies\": \"1..\"}, {\"all\": [{\"sequence\": [" F3 ", " E5 "]}]}]}", "1:1,7"},
        {"{\"sequence\": [" F3 ", " E5 "], \"gap\": 2}", "1:5,7"},
        {"{\"sequence\": [" F3 ", " E5 "], \"gap\": 1}", "1:6,7"},
        /* the first c6 after f3 (2) does not lead to a match, because e5 is five plies later; plies 5, 6 and 7 do */
        {"{\"sequence\": [" F3 ", " C6 ", " E5 "], \"gap\": 4}", "1:1,3,7"},
        {"{\"sequence\": [" F3 ", " C6 ", " E5 "], \"gap\": 2}", "1:5,6,7"},
        {"{\"sequence\": [" F3 ", " C6 ", " E5 "], \"gap\": 1}", "1:5,6,7"},
        {"{\"sequence\": [{\"pass\": 1}, {\"pass\": 1}, " C6 "]}", "1:0,1,2"},
        {"{\"sequence\": [" E5 ", {\"ply\": 10}], \"gap\": 3, \"stm\": \"black\"}", "1:7,10"},
        {"{\"sequence\": [" E5 ", {\"ply\": 10}], \"gap\": 2, \"stm\": \"black\"}", ""},
        {"{\"streak\": [" F3 ", " C6 ", " C6 "]}", "1:1,2,3"},
        {"{\"streak\": [" C6 ", " C6 ", " F3 "]}", ""},
        /* the first of two streaks is reported, but a sequence is preferred to a streak before it */
        {"{\"all\": [{\"streak\": [" F3 ", " C6 ", " C6 "]}, {\"streak\": [" F3 ", " C6 "]}]}", "1:1,2,3"},
        {"{\"all\": [{\"streak\": [" F3 ", " C6 "]}, {\"sequence\": [" F3 ", " E5 "]}]}", "1:1,7"},
        {"{\"all\": [{\"streak\": [" F3 ", " C6 "]}, {\"sequence\": [" F3 ", " E5 "], \"flipcolor\": true}]}", "1:1,7"},
        {"{\"all\": [{\"sequence\": [" F3 ", " E5 "], \"flipcolor\": true}, {\"streak\": [" F3 ", " C6 "]}]}", "1:1,7"},
        {"{\"all\": [{\"streak\": [" F3 ", " C6 "]}, {\"for\": 2, \"ply\": \"0..\"}]}", "1:1,2"},
        {"{\"streak\": [" C6 ", " E5 ", " E5 ", " F3 "]}", "1:6,7,8,9"},
        {"{\"streak\": [{\"ply\": 9}, {\"pass\": \"\"}, {\"pass\": \"\"}]}", ""},
        {"{\"streak\": [{\"white-move\": \"Ne5\"}, {\"pass\": \"\"}, {\"white-move\": \"Nf3\"}]}", "1:7,8,9"},
        /* a streak uses its plies: the next element comes after them */
        {"{\"sequence\": [{\"streak\": [" F3 ", " C6 "]}, " C6 "]}", "1:1,2,3"},
        {"{\"sequence\": [{\"streak\": [" F3 ", " C6 ", " C6 "]}, " C6 "]}", "1:1,2,3,6"},
        {"{\"sequence\": [{\"streak\": [" F3 ", " C6 ", " C6 "]}, " C6 "], \"gap\": 2}", ""},
        {"{\"sequence\": [{\"streak\": [" F3 ", " C6 ", " C6 "]}, " C6 "], \"gap\": 3}", "1:1,2,3,6"},
        {"{\"sequence\": [" C6 ", {\"streak\": [" F3 ", " F3 "]}]}", "1:2,5,6"},
        {"{\"sequence\": [{\"streak\": [{\"ply\": 8}, {\"ply\": 9}]}, {\"ply\": 9}]}", ""},
        {"{\"sequence\": [{\"sequence\": [" F3 ", " E5 "]}, {\"ply\": 2}]}", "1:1,2"},
        {"{\"check\": false, \"for\": 11}", "1:0"},
        {"{\"check\": false, \"for\": 12}", ""},
        {"{\"any\": [" E5 ", " C6 "], \"for\": 2}", "1:2"},
        {"{\"any\": [" E5 ", " C6 "], \"for\": 3}", "1:6"},
        {"{\"any\": [" E5 ", " C6 "], \"for\": 4}", ""},
        {"{\"sub-fen\": \"8/8/8/8/8/5N2/8/8\", \"for\": 2, \"not\": {\"ply\": \"..4\"}}", "1:5"},
        {"{\"sequence\": [{\"sub-fen\": \"8/8/8/8/8/5N2/8/8\", \"for\": 2}, " E5 "]}", "1:1,7"},
        {"{\"plies\": 11}", ""},
        {"{\"plies\": 10, \"skip\": 0, \"limit\": 5}", "1:0"},
    };
    FINDS(made_text, searches);
}

/* ---- sets of plies, compared with a simple search ---- */

enum { LONG_PLIES = 150, ELEMENTS = 4 };

/* Knights that move back and forth, for a game of any length. */
static stamma_archive_game long_game(stamma_move moves[LONG_PLIES], size_t plies)
{
    stamma_archive_game game = {.number = 1, .start = stamma_position_start(), .ply_count = plies, .moves = moves};
    static const uint8_t squares[4][2] = {{6, 21}, {62, 45}, {21, 6}, {45, 62}};
    for (size_t i = 0; i < plies; i++)
        moves[i] = stamma_move_make(squares[i % 4][0], squares[i % 4][1], STAMMA_FLAG_QUIET);
    return game;
}

/* Lists a random set of plies as a rule. */
static void list_set(listing *to, bool set[LONG_PLIES + 1], size_t plies)
{
    size_t density = 1 + random_below(40);
    list_word(to, "{\"ply\": [-1");
    for (size_t i = 0; i <= plies; i++) {
        set[i] = random_below(density) == 0;
        if (set[i])
            list_format(to, ", %zu", i);
    }
    list_word(to, "]}");
}

/* Finds the earliest plies, from `from` to `last`, at which the nth and all following conditions match. */
static bool find_slowly(bool sets[ELEMENTS][LONG_PLIES + 1], size_t n, size_t count, size_t from, size_t last,
                        size_t gap, size_t plies, uint32_t *found)
{
    if (n >= count || n >= ELEMENTS)
        return true;
    for (size_t ply = from; ply <= plies && ply <= last; ply++) {
        found[n] = (uint32_t)ply;
        if (sets[n][ply] && find_slowly(sets, n + 1, count, ply + 1, ply + gap, gap, plies, found))
            return true;
    }
    return false;
}

static void assert_plies(const char *json, const stamma_archive_game *game, const uint32_t *expected, size_t count)
{
    stamma_query *query = parse_query(json);
    stamma_matcher *matcher;
    bool found;
    const uint32_t *plies;
    size_t is;
    assert_int_equal(stamma_matcher_open(query, NULL, &matcher), STAMMA_OK);
    assert_int_equal(stamma_matcher_test(matcher, game, &found, &plies, &is), STAMMA_OK);
    if (found != (count > 0) || is != count || (count && memcmp(plies, expected, count * sizeof *plies) != 0))
        fail_msg("%s: found %d of %zu, expected %zu", json, found, is, count);
    stamma_matcher_close(matcher);
    stamma_query_close(query);
}

static void sequences(void **state)
{
    (void)state;
    stamma_move moves[LONG_PLIES];
    unsigned found_count = 0;
    for (unsigned round = 0; round < 3000; round++) {
        size_t plies = random_below(LONG_PLIES + 1), count = 1 + random_below(ELEMENTS), gap = 1 + random_below(70);
        bool sets[ELEMENTS][LONG_PLIES + 1], streak = random_below(4) == 0;
        uint32_t expected[ELEMENTS];
        stamma_archive_game game = long_game(moves, plies);
        listing json = {0};
        list_format(&json, "{\"%s\": [", streak ? "streak" : "sequence");
        for (size_t i = 0; i < count; i++) {
            list_word(&json, i ? ", " : "");
            list_set(&json, sets[i], plies);
        }
        list_word(&json, "]");
        if (random_below(4) == 0 && !streak)
            gap = LONG_PLIES;
        else if (!streak)
            list_format(&json, ", \"gap\": %zu", gap);
        list_word(&json, "}");
        bool found = find_slowly(sets, 0, count, 0, plies, streak ? 1 : gap, plies, expected);
        found_count += found;
        assert_plies(json.text, &game, expected, found ? count : 0);
        free(json.text);
    }
    assert_true(found_count > 300 && found_count < 2700);
}

/* Sequences and streaks of random sets. The other conditions are evaluated at each ply. */
static void sets_of_plies(void **state)
{
    (void)state;
    stamma_move moves[LONG_PLIES];
    for (unsigned round = 0; round < 1000; round++) {
        size_t plies = random_below(LONG_PLIES + 1), at = random_below(plies + 1), length = 1 + random_below(6);
        bool sets[2][LONG_PLIES + 1], run = at + length <= plies + 1;
        stamma_archive_game game = long_game(moves, plies);
        listing a = {0}, b = {0}, json = {0};
        list_set(&a, sets[0], plies);
        list_set(&b, sets[1], plies);
        for (size_t i = at; i < at + length && run; i++)
            run = sets[0][i] || !sets[1][i];
        uint32_t expected = (uint32_t)at;
        listing either = {0};
        list_word(&either, "\"any\": [");
        list_word(&either, a.text);
        list_word(&either, ", {\"not\": ");
        list_word(&either, b.text);
        list_word(&either, "}]");
        list_format(&json, "{\"ply\": %zu, \"all\": [{\"for\": %zu, ", at, length);
        list_word(&json, either.text);
        list_word(&json, "}]}");
        assert_plies(json.text, &game, &expected, run);
        free(json.text);
        free(either.text);
        free(a.text);
        free(b.text);
    }
}

/* ---- other games ---- */

/* flipcolor and mirror transform the conditions inside a condition. 1: a bishop sacrifice of White on h7; 2: of Black
 * on h2; 3: of White on f7. */
static const char gifts[] = "[Event \"1\"]\n\n1. e4 h5 2. Bd3 a6 3. e5 h4 4. Bg6 a5 5. Bxf7+ Kxf7 6. Nf3 *\n\n"
                            "[Event \"2\"]\n\n1. a3 e5 2. a4 Bc5 3. h3 Bxf2+ 4. Kxf2 Nf6 *\n\n"
                            "[Event \"3\"]\n\n1. d4 d5 2. Bf4 h6 3. Bxc7 Qxc7 *\n\n";

static void turned_conditions(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"streak\": [{\"white-move\": \"Bxf7\"}, {\"black-move\": \"Kxf7\"}]}", "1:9,10"},
        {"{\"flipcolor\": true, \"streak\": [{\"white-move\": \"Bxf7\"}, {\"black-move\": \"Kxf7\"}]}", "1:9,10 2:6,7"},
        {"{\"flipcolor\": true, \"sequence\": [{\"white-move\": \"Bxf7\"}, {\"white-move\": \"Nf3\"}]}",
         "1:9,11 2:6,8"},
        /* the elements are transformed together: no side sacrifices the bishop that the other side develops */
        {"{\"flipcolor\": true, \"sequence\": [{\"white-move\": \"Bxf7\"}, {\"black-move\": \"Nf6\"}]}", ""},
        {"{\"mirror\": true, \"all\": [{\"move\": \"Bxf7\"}, {\"by\": \"white\"}]}", "1:9 3:5"},
        {"{\"flipcolor\": true, \"mirror\": true, \"any\": [{\"white-move\": \"Bxc7\"}]}", "1:9 2:6 3:5"},
        /* a transformation within a transformation */
        {"{\"flipcolor\": true, \"all\": [{\"white-move\": \"Bxc7\", \"mirror\": true}, {\"by\": \"white\"}]}",
         "1:9 2:6 3:5"},
        {"{\"flipcolor\": true, \"all\": [{\"white-move\": \"Bxf7\", \"flipcolor\": true}, {\"by\": \"white\"}]}",
         "1:9 2:6"},
        {"{\"flipcolor\": true, \"never\": {\"white-move\": \"Bxf7\"}, \"stm\": \"white\"}", "1:1 2:0 3:0"},
        {"{\"flipcolor\": true, \"never\": {\"white-move\": \"Bxf7\"}, \"stm\": \"white\", \"ply\": \"2..\"}",
         "1:3 2:2 3:2"},
        /* rules about the game are not transformed */
        {"{\"flipcolor\": true, \"all\": [{\"white-move\": \"Bxf7\"}, {\"event\": \"2\"}]}", "2:6"},
    };
    FINDS(gifts, searches);
}

/* King takes rook in a condition with mirror: the rook's square is mirrored, and the right to castle on the other side
 * does not matter. White castles long, and may castle on both sides. */
static void turned_castling(void **state)
{
    (void)state;
    static const char game[] = "[Event \"1\"]\n\n1. d4 d5 2. Bf4 Nf6 3. Nc3 a6 4. Qd3 b5 5. O-O-O *\n\n";
    static const query_answer searches[] = {
        {"{\"move\": \"e1a1\"}", "1:9"},
        {"{\"move\": \"d1h1\", \"mirror\": true}", "1:9"},
        {"{\"move\": \"d1f1\", \"mirror\": true}", "1:9"},
        {"{\"move\": \"d1a1\", \"mirror\": true}", ""},
        {"{\"move\": \"d8h8\", \"mirror\": true, \"flipcolor\": true}", "1:9"},
        {"{\"move\": \"e8a8\", \"flipcolor\": true}", "1:9"},
    };
    FINDS(game, searches);
}

static void strange_games(void **state)
{
    (void)state;
    stamma_move moves[LONG_PLIES];
    stamma_archive_game game = long_game(moves, 3);
    const uint32_t zero = 0, three = 3;
    assert_plies("{}", &game, &zero, 1);
    game.continuation = true; /* the remainder of a game, not a game */
    assert_plies("{}", &game, NULL, 0);
    assert_plies("{\"never\": {\"check\": true}}", &game, NULL, 0);
    game.continuation = false;
    assert_plies("{\"ply\": 3}", &game, &three, 1);
    game.no_start = true; /* no position, so no ply matches */
    static const char *const of_positions[] = {"{\"ply\": 3}", "{\"repetition\": \"1..\"}", "{\"path\": \"N g1\"}",
                                               "{\"result-type\": [\"mate\", \"stalemate\"]}",
                                               "{\"variations\": true, \"all-matches\": true, \"stm\": \"white\"}"};
    for (size_t n = 0; n < sizeof of_positions / sizeof *of_positions; n++)
        assert_plies(of_positions[n], &game, NULL, 0);
    game.no_start = false;
    static const char *const of_moments[] = {"{\"clock\": \"0..\"}", "{\"evaluation\": \"-9..9\"}",
                                             "{\"swing\": \"-9..9\"}", "{\"has\": [\"clocks\", \"evaluations\"]}"};
    for (size_t n = 0; n < sizeof of_moments / sizeof *of_moments; n++)
        assert_plies(of_moments[n], &game, NULL, 0);   /* neither clocks nor evaluations were requested */
    const stamma_tag eco = {{"ECO", 3}, {"\0A10", 4}}; /* no code */
    game.tags = &eco;
    game.tag_count = 1;
    assert_plies("{\"eco\": \"A..E\"}", &game, NULL, 0);
    game.moves = NULL; /* not read */
    assert_plies("{\"plies\": 3}", &game, &zero, 1);
    game.continuation = true;
    assert_plies("{\"check\": true}", &game, NULL, 0);
    game.continuation = false;
    stamma_query *query = parse_query("{\"check\": true}");
    stamma_matcher *matcher;
    bool found;
    assert_int_equal(stamma_matcher_open(query, NULL, &matcher), STAMMA_OK);
    assert_int_equal(stamma_matcher_test(matcher, &game, &found, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_matcher_close(matcher);
    stamma_query_close(query);
}

/* A game whose moves are only partly decoded is searched up to that ply. */
static void beginnings(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"has\": \"text\"}", "1:0"}, {"{\"move\": \"e5\"}", "1:2 2:2"},          {"{\"move\": \"Nf3\"}", "2:3"},
        {"{\"plies\": 2}", "1:0"},      {"{\"final\": {\"move\": \"e5\"}}", "1:0"},
    };
    FINDS("[Event \"1\"]\n\n1. e4 e5 2. Nf6 Nf3 *\n\n[Event \"2\"]\n\n1. e4 e5 2. Nf3 *\n\n", searches);
}

/* A streak of 70 conditions begins only at plies with 69 plies after them. Then the first condition holds only at ply
 * 5, and the last only at ply 74. */
static void long_streaks(void **state)
{
    enum { PLIES = 130, STREAK = 70 };
    stamma_move moves[LONG_PLIES];
    stamma_archive_game game = long_game(moves, PLIES);
    uint32_t wanted[PLIES], reported[STREAK];
    (void)state;
    for (uint32_t n = 0; n < PLIES; n++)
        wanted[n] = n;
    for (uint32_t n = 0; n < STREAK; n++)
        reported[n] = 5 + n;
    for (unsigned way = 0; way < 4; way++) {
        listing json = {0};
        list_word(&json, way == 0 ? "{\"all-matches\": true, \"streak\": [{}" : "{\"streak\": [{\"ply\": 5}");
        for (unsigned n = 0; n < STREAK - 2; n++)
            list_word(&json, ", {}");
        list_word(&json, way == 0   ? ", {}]}"
                         : way == 1 ? ", {\"ply\": 74}]}"
                         : way == 2 ? ", {}]}"
                                    : ", {\"ply\": 75}]}");
        if (way == 0)
            assert_plies(json.text, &game, wanted, PLIES + 1 - (STREAK - 1));
        else
            assert_plies(json.text, &game, reported, way < 3 ? STREAK : 0);
        free(json.text);
    }
    game = long_game(moves, 3); /* nothing is left for the second condition */
    assert_plies("{\"all-matches\": true, \"any\": [{}, {\"for\": 2, \"ply\": \"0..\"}]}", &game, wanted, 4);
}

/* Any allocation may fail: nothing leaks, and the matcher works again afterwards. */
static void assert_found_without_memory(const char *json, const stamma_archive_game *game, bool expected)
{
    stamma_query *query = parse_query(json);
    unsigned fail_at = 0;
    stamma_error error;
    do {
        failing_memory memory = {.fail_at = ++fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_matcher *matcher = NULL;
        bool found = false;
        error = stamma_matcher_open(query, &allocator, &matcher);
        if (error == STAMMA_OK) {
            error = stamma_matcher_test(matcher, game, &found, NULL, NULL);
            if (error != STAMMA_OK)
                assert_int_equal(stamma_matcher_test(matcher, game, &found, NULL, NULL), STAMMA_OK);
            assert_int_equal(found, expected);
        } else {
            error = STAMMA_ERROR_NO_MEMORY;
        }
        stamma_matcher_close(matcher);
        assert_int_equal(memory.alive, 0);
    } while (error != STAMMA_OK && fail_at < 100);
    assert_in_range(fail_at, 4, 99);
    stamma_query_close(query);
}

static void without_memory(void **state)
{
    (void)state;
    static const query_answer searches[] = {
        {"{\"sequence\": [{\"sub-fen\": \"8/8/8/8/8/2N5/8/8\", \"flipcolor\": true, \"mirror\": true},"
         "{\"ply\": 20}], \"comment\": \"A\", \"site\": \"*\\\\*\"}",
         "1"},
        {"{\"repetition\": 3}", "1"},
        {"{\"result-type\": [\"mate\", \"stalemate\"]}", ""},
        {"{\"nag\": 7, \"variations\": true}", ""},
    };
    static const stamma_tag tags[] = {{{"Site", 4}, {"a\\\\b", 4}}};
    const stamma_archive_item items[] = {{.kind = STAMMA_ITEM_COMMENT, .ply = 1, .text = {"\303\244", 2}}};
    stamma_move moves[LONG_PLIES];
    stamma_archive_game game = long_game(moves, LONG_PLIES);
    game.tag_count = game.item_count = 1;
    game.tags = tags;
    game.items = items;
    for (size_t n = 0; n < sizeof searches / sizeof *searches; n++)
        assert_found_without_memory(searches[n].json, &game, searches[n].found[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_positions), cmocka_unit_test(parts_of_positions),
        cmocka_unit_test(material),        cmocka_unit_test(moves),
        cmocka_unit_test(games),           cmocka_unit_test(partly_known),
        cmocka_unit_test(moments),         cmocka_unit_test(evaluations_in_hundredths),
        cmocka_unit_test(boards),          cmocka_unit_test(conditions),
        cmocka_unit_test(sequences),       cmocka_unit_test(sets_of_plies),
        cmocka_unit_test(strange_games),   cmocka_unit_test(beginnings),
        cmocka_unit_test(without_memory),  cmocka_unit_test(turned_conditions),
        cmocka_unit_test(turned_castling), cmocka_unit_test(long_streaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
