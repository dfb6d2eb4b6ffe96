/* SPDX-License-Identifier: MIT */
/* Tests the lenient reading of SAN: every accepted form, ambiguous texts, castling in Chess960, and rejected texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "notation/notation.h"
#include "sample_positions.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define CASTLES "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
#define PROMOTES "3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1"
#define EN_PASSANT "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
/* The pawn on b2, the bishop on d2, or both can capture on c3. */
#define B_PAWN "4k3/8/8/8/8/2p5/1P6/4K3 w - - 0 1"
#define B_BISHOP "4k3/8/8/8/8/2p5/3B4/4K3 w - - 0 1"
#define B_BOTH "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1"
/* The pawn on b2 and the bishop on d2 can move to b4. */
#define B_PUSH "4k3/8/8/8/8/8/1P1B4/4K3 w - - 0 1"
/* The king's step f1-g1 and castling to g1 are both legal. In the second position the rook is on g1. */
#define C960_BOTH "4k3/8/8/8/8/8/8/5K1R w H - 0 1"
#define C960_ROOK "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"

typedef struct example {
    const char *what, *fen, *text;
    const char *uci; /* in UCI_Chess960, or NULL for an error */
    stamma_error error;
} example;

static const example examples[] = {
    {"zeros", CASTLES, "0-0", "e1h1", 0},
    {"zeros, long", CASTLES, "0-0-0", "e1a1", 0},
    {"small letters", CASTLES, "o-o", "e1h1", 0},
    {"small letters, long", CASTLES, "o-o-o", "e1a1", 0},
    {"zeros with a mark and praise", CASTLES, "0-0+!?", "e1h1", 0},
    {"castling as the king's squares", CASTLES, "e1g1", "e1h1", 0},
    {"castling as the king's squares with K", CASTLES, "Ke1-c1", "e1a1", 0},
    {"castling as king takes rook", CASTLES, "e1h1", "e1h1", 0},
    {"castling as king takes rook with K", CASTLES, "Kxa1", "e1a1", 0},
    {"castling as the king's target alone", CASTLES, "Kg1", NULL, STAMMA_ERROR_ILLEGAL},
    {"Chess960: the king's step comes first", C960_BOTH, "f1g1", "f1g1", 0},
    {"Chess960: the king's step, as SAN", C960_BOTH, "Kg1", "f1g1", 0},
    {"Chess960: castling as O-O", C960_BOTH, "O-O", "f1h1", 0},
    {"Chess960: castling as king takes rook", C960_BOTH, "f1h1", "f1h1", 0},
    {"Chess960: castling onto the rook's square", C960_ROOK, "f1g1", "f1g1", 0},
    {"no = before the piece", PROMOTES, "e8Q", "e7e8q", 0},
    {"brackets around the piece", PROMOTES, "e8(Q)", "e7e8q", 0},
    {"a slash before the piece", PROMOTES, "e8/N", "e7e8n", 0},
    {"a small piece", PROMOTES, "e8=q", "e7e8q", 0},
    {"a small piece without =", PROMOTES, "e8b", "e7e8b", 0},
    {"= and brackets", PROMOTES, "e8=(R)", "e7e8r", 0},
    {"a bracket that does not close", PROMOTES, "e8(Q", NULL, STAMMA_ERROR_SYNTAX},
    {"= without a piece", PROMOTES, "e8=", NULL, STAMMA_ERROR_SYNTAX},
    {"a promotion as UCI", PROMOTES, "e7e8q", "e7e8q", 0},
    {"a promotion as UCI with capture", PROMOTES, "e7d8r", "e7d8r", 0},
    {"a promotion with capture, sloppy", PROMOTES, "ed8q", "e7d8q", 0},
    {"no piece to promote to", PROMOTES, "exd8", NULL, STAMMA_ERROR_AMBIGUOUS},
    {"a check that is none", START, "e4+", "e2e4", 0},
    {"a mate that is none", START, "e4#", "e2e4", 0},
    {"two checks", START, "Nf3++", "g1f3", 0},
    {"praise", START, "e4!!", "e2e4", 0},
    {"doubt", START, "e4+?!", "e2e4", 0},
    {"ch for check", START, "Nf3ch", "g1f3", 0},
    {"mate in a word", START, "Nf3 mate", "g1f3", 0},
    {"a capture that is none", START, "Nxf3", "g1f3", 0},
    {"a pawn's capture that is none", START, "xe4", "e2e4", 0},
    {"no x", EN_PASSANT, "ed6", "e5d6", 0},
    {"files alone", EN_PASSANT, "exd", "e5d6", 0},
    {"files alone without x", EN_PASSANT, "ed", "e5d6", 0},
    {"a colon for x", EN_PASSANT, "e:d6", "e5d6", 0},
    {"e.p.", EN_PASSANT, "exd6e.p.", "e5d6", 0},
    {"e.p. after a blank", EN_PASSANT, "exd6 e.p.", "e5d6", 0},
    {"ep", EN_PASSANT, "exd6ep", "e5d6", 0},
    {"ep and a mark", EN_PASSANT, "exd6ep+", "e5d6", 0},
    {"ep with all of it", EN_PASSANT, "e5xd6 e.p.!", "e5d6", 0},
    {"both squares", START, "Ng1f3", "g1f3", 0},
    {"both squares with a hyphen", START, "Ng1-f3", "g1f3", 0},
    {"both squares of a pawn", START, "e2e4", "e2e4", 0},
    {"both squares of a pawn with a hyphen", START, "e2-e4", "e2e4", 0},
    {"a file too many", START, "Ngf3", "g1f3", 0},
    {"a rank too many", START, "N1f3", "g1f3", 0},
    {"a file too many of a pawn", START, "ee4", "e2e4", 0},
    {"a P for the pawn", START, "Pe4", "e2e4", 0},
    {"a P and both squares", START, "Pe2-e4", "e2e4", 0},
    {"the wrong piece at the origin", START, "Bg1f3", NULL, STAMMA_ERROR_ILLEGAL},
    {"UCI", START, "g1f3", "g1f3", 0},
    {"a small knight", START, "nf3", "g1f3", 0},
    {"a small king", CASTLES, "ke2", "e1e2", 0},
    {"a small rook by file", CASTLES, "rad1", "a1d1", 0},
    {"a small queen", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "qa8+", "a1a8", 0},
    {"bxc3 of the pawn", B_PAWN, "bxc3", "b2c3", 0},
    {"bxc3 of the bishop", B_BISHOP, "bxc3", "d2c3", 0},
    {"bxc3 of pawn or bishop is SAN of the pawn", B_BOTH, "bxc3", "b2c3", 0},
    {"bc3 the same", B_BOTH, "bc3", "b2c3", 0},
    {"Bxc3 is the bishop", B_BOTH, "Bxc3", "d2c3", 0},
    {"Bxc3 is never the pawn", B_PAWN, "Bxc3", NULL, STAMMA_ERROR_ILLEGAL},
    {"b4 is the pawn", B_PUSH, "b4", "b2b4", 0},
    {"bb4 may be pawn or bishop", B_PUSH, "bb4", NULL, STAMMA_ERROR_AMBIGUOUS},
    {"be3 of the bishop", B_BISHOP, "be3", "d2e3", 0},
    {"bd2b4 is the bishop", B_PUSH, "bd2b4", "d2b4", 0},
    {"b2b4 is UCI of the pawn", B_PUSH, "b2b4", "b2b4", 0},
    {"neither pawn nor bishop", B_BISHOP, "bxc4", NULL, STAMMA_ERROR_ILLEGAL},
    {"two bishops", "4k3/8/8/8/1B6/2p5/3B4/4K3 w - - 0 1", "bxc3", NULL, STAMMA_ERROR_AMBIGUOUS},
    {"null move --", START, "--", "0000", 0},
    {"null move Z0", START, "Z0", "0000", 0},
    {"null move 0000", START, "0000", "0000", 0},
    {"null move aa", START, "aa", "0000", 0},
    {"a null move in check", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "--", NULL, STAMMA_ERROR_ILLEGAL},
    {"a word", START, "White", NULL, STAMMA_ERROR_SYNTAX},
    {"a result", START, "1-0", NULL, STAMMA_ERROR_SYNTAX},
    {"a result of noughts", START, "0-1", NULL, STAMMA_ERROR_SYNTAX},
    {"a draw", START, "1/2-1/2", NULL, STAMMA_ERROR_SYNTAX},
    {"a move number", START, "1.e4", NULL, STAMMA_ERROR_SYNTAX},
    {"a file", START, "e", NULL, STAMMA_ERROR_SYNTAX},
    {"a rank", START, "4", NULL, STAMMA_ERROR_SYNTAX},
    {"a square cut short", START, "Nf", NULL, STAMMA_ERROR_SYNTAX},
    {"something after it", START, "e4,", NULL, STAMMA_ERROR_SYNTAX},
};

static void every_sloppy_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        stamma_position position = position_of_fen(examples[i].fen);
        stamma_move move = 0xABCD;
        char uci[STAMMA_UCI_SIZE] = "";
        stamma_error error = stamma_san_read(&position, text_of(examples[i].text), &move);
        if (error == STAMMA_OK)
            stamma_uci_write(&position, move, true, uci, sizeof uci);
        if (error != examples[i].error || (examples[i].uci ? strcmp(uci, examples[i].uci) != 0 : move != 0xABCD))
            fail_msg("%s: %s gives %s %s", examples[i].what, examples[i].text, stamma_error_text(error), uci);
    }
}

static void bytes_that_end_strings_do_not_end_texts(void **state)
{
    (void)state;
    stamma_position position = stamma_position_start();
    stamma_move move;
    static const char nul[] = "e4\0";
    stamma_text with_nul = {nul, 3}, only_nul = {nul + 2, 1}, none = {NULL, 0};
    assert_int_equal(stamma_san_read(&position, with_nul, &move), STAMMA_ERROR_SYNTAX);
    assert_int_equal(stamma_san_read(&position, only_nul, &move), STAMMA_ERROR_SYNTAX);
    assert_int_equal(stamma_san_read(&position, none, &move), STAMMA_ERROR_SYNTAX);
}

static void assert_read(const stamma_position *position, const char *text, stamma_move expected)
{
    stamma_move move = STAMMA_MOVE_NULL;
    if (stamma_san_read_lenient(position, text_of(text), &move) != STAMMA_OK || move != expected)
        fail_msg("%s is not read as %04x", text, expected);
}

/* For every legal move, reads the forms that determine the move: LAN, LAN without hyphen, UCI, SAN with additional
 * marks. */
static void assert_every_form(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++) {
        char san[STAMMA_SAN_SIZE], lan[STAMMA_LAN_SIZE], uci[STAMMA_UCI_SIZE], text[32];
        stamma_san_write(position, moves[i], san, sizeof san);
        stamma_lan_write(position, moves[i], lan, sizeof lan);
        stamma_uci_write(position, moves[i], true, uci, sizeof uci);
        assert_read(position, lan, moves[i]);
        assert_read(position, uci, moves[i]);
        snprintf(text, sizeof text, "%s+!?", san);
        assert_read(position, text, moves[i]);
        if (stamma_move_is_castling(moves[i]))
            continue;
        size_t kept = 0;
        for (const char *at = lan; *at; at++)
            if (!strchr("-x=+#", *at))
                text[kept++] = *at;
        text[kept] = '\0';
        assert_read(position, text, moves[i]);
    }
}

static void every_form_of_every_legal_move(void **state)
{
    (void)state;
    each_sample(100, 60, assert_every_form);
}

static void random_bytes_do_no_harm(void **state)
{
    (void)state;
    static const char letters[] = "abcdefgh12345678NBRQKPnrqkOo0-x=+#!?.:/() ep@Z";
    uint64_t random = 11;
    unsigned read = 0;
    for (unsigned round = 0; round < 2000000; round++) {
        static stamma_position positions[SAMPLE_STARTS];
        if (round < SAMPLE_STARTS)
            positions[round] = position_of_fen(sample_starts[round]);
        const stamma_position *position = &positions[round < SAMPLE_STARTS ? 0 : round % SAMPLE_STARTS];
        char text[8];
        stamma_text san = {text, 1 + (size_t)(random_next(&random) % 6)};
        for (size_t i = 0; i < san.size; i++)
            text[i] = letters[random_next(&random) % (sizeof letters - 1)];
        stamma_move move;
        if (stamma_san_read(position, san, &move) == STAMMA_OK) {
            assert_true(move == STAMMA_MOVE_NULL || stamma_move_is_legal(position, move));
            read++;
        }
    }
    assert_true(read > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sloppy_form),
        cmocka_unit_test(bytes_that_end_strings_do_not_end_texts),
        cmocka_unit_test(every_form_of_every_legal_move),
        cmocka_unit_test(random_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
