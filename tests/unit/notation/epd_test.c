/* SPDX-License-Identifier: MIT */
/* Tests reading and writing EPD: positions, operations, clocks, errors, round trips, and the perft suites. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

static void assert_text(stamma_text text, const char *expected)
{
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
}

/* Position 1 of the Bratko-Kopec test, in the form of PGN standard 16.2. */
static void position_and_operations(void **state)
{
    (void)state;
    static const char epd[] = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";\n";
    stamma_position position;
    stamma_text operations, opcode, operands;
    assert_int_equal(stamma_epd_read(text_of(epd), &position, &operations, NULL, NULL), STAMMA_OK);
    assert_text(operations, "bm Qd1+; id \"BK.01\";");
    assert_int_equal(position.side, STAMMA_BLACK);
    assert_true(stamma_epd_next(&operations, &opcode, &operands));
    assert_text(opcode, "bm");
    assert_text(operands, "Qd1+");
    assert_true(stamma_epd_next(&operations, &opcode, &operands));
    assert_text(opcode, "id");
    assert_text(operands, "\"BK.01\"");
    assert_false(stamma_epd_next(&operations, &opcode, &operands));
    assert_false(stamma_epd_next(&operations, &opcode, &operands));
}

static void operations_in_every_form(void **state)
{
    (void)state;
    static const struct {
        const char *what, *operations, *parsed;
    } cases[] = {
        {"none", "", ""},
        {"blanks and semicolons alone", " ; ;; ", ""},
        {"no operands", "draw_accept;", "<draw_accept|>"},
        {"several operands", "pv e4 e5 Nf3 ;acn 12;", "<pv|e4 e5 Nf3><acn|12>"},
        {"a semicolon in quotes", "c0 \"a; b\"; c1 \"\";", "<c0|\"a; b\"><c1|\"\">"},
        {"no semicolon at the end", "bm e4; id x", "<bm|e4><id|x>"},
        {"a quote that does not close", "id \"x; bm e4;", "<id|\"x; bm e4;>"},
        {"tabs and line ends", "\tbm\te4 \r\n;\nid 1;", "<bm|e4><id|1>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char parsed[256] = "";
        stamma_text operations = text_of(cases[i].operations), opcode, operands;
        while (stamma_epd_next(&operations, &opcode, &operands))
            snprintf(parsed + strlen(parsed), sizeof parsed - strlen(parsed), "<%.*s|%.*s>", (int)opcode.size,
                     opcode.data, (int)operands.size, operands.data);
        if (strcmp(parsed, cases[i].parsed) != 0)
            fail_msg("%s: %s", cases[i].what, parsed);
    }
}

static void clocks_come_from_operations_or_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *epd, *operations;
        unsigned halfmove_clock, fullmove_number;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - -", "", 0, 1},
        {"4k3/8/8/8/8/8/8/4K3 w - - hmvc 17; fmvn 42;", "hmvc 17; fmvn 42;", 17, 42},
        {"4k3/8/8/8/8/8/8/4K3 w - - fmvn 42; id \"x\"; hmvc 17;", "fmvn 42; id \"x\"; hmvc 17;", 17, 42},
        {"4k3/8/8/8/8/8/8/4K3 w - - hmvc many; fmvn;", "hmvc many; fmvn;", 0, 1},
        {"4k3/8/8/8/8/8/8/4K3 w - - 3 9", "", 3, 9},
        {"4k3/8/8/8/8/8/8/4K3 w - - 3 9 bm Kd2;", "bm Kd2;", 3, 9},
        {"4k3/8/8/8/8/8/8/4K3", "", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position;
        stamma_text operations;
        assert_int_equal(stamma_epd_read(text_of(cases[i].epd), &position, &operations, NULL, NULL), STAMMA_OK);
        assert_text(operations, cases[i].operations);
        assert_int_equal(position.halfmove_clock, cases[i].halfmove_clock);
        assert_int_equal(position.fullmove_number, cases[i].fullmove_number);
    }
}

static void errors_leave_the_outputs(void **state)
{
    (void)state;
    stamma_position position, before;
    memset(&position, 0xA5, sizeof position);
    before = position;
    stamma_text operations = {"x", 1};
    size_t offset = 0;
    unsigned problems = 0;
    assert_int_equal(
        stamma_epd_read(text_of("4k3/8/8/8/8/8/8/4K3 w - e bm Kd2;"), &position, &operations, NULL, &offset),
        STAMMA_ERROR_SYNTAX);
    assert_int_equal(offset, 25);
    assert_int_equal(
        stamma_epd_read(text_of("8/8/8/8/8/8/8/4K3 w - - bm Kd2;"), &position, &operations, &problems, NULL),
        STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_epd_read(text_of("8/9"), &position, &operations, &problems, NULL), STAMMA_ERROR_SYNTAX);
    assert_int_equal(problems, STAMMA_SETUP_NO_BLACK_KING);
    assert_text(operations, "x");
    assert_memory_equal(&position, &before, sizeof position);
}

static void assert_epd_round_trip(const stamma_position *position)
{
    char epd[STAMMA_FEN_SIZE + 64], clocks[64];
    snprintf(clocks, sizeof clocks, "hmvc %u; fmvn %u;", position->halfmove_clock, position->fullmove_number);
    stamma_text text = {epd, stamma_epd_write(position, text_of(clocks), epd, sizeof epd)}, operations;
    stamma_position again;
    assert_int_equal(strlen(epd), text.size);
    assert_int_equal(stamma_epd_read(text, &again, &operations, NULL, NULL), STAMMA_OK);
    assert_text(operations, clocks);
    assert_memory_equal(&again, position, sizeof again);
}

static void reading_what_was_written_gives_the_position(void **state)
{
    (void)state;
    each_sample(100, 60, assert_epd_round_trip);
}

static void a_buffer_too_small_gets_only_a_nul(void **state)
{
    (void)state;
    stamma_position position = stamma_position_start();
    static const char expected[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id 1;";
    char epd[sizeof expected + 8];
    for (size_t size = 0; size <= sizeof expected; size++) {
        memset(epd, '?', sizeof epd);
        assert_int_equal(stamma_epd_write(&position, text_of("id 1;"), epd, size), sizeof expected - 1);
        if (size == sizeof expected)
            assert_string_equal(epd, expected);
        else
            assert_true(size == 0 || epd[0] == '\0');
        for (size_t i = size == sizeof expected ? size : size != 0; i < sizeof epd; i++)
            assert_int_equal(epd[i], '?');
    }
    assert_int_equal(stamma_epd_write(&position, text_of(""), epd, sizeof epd), sizeof expected - 7);
    assert_int_equal(strlen(epd), sizeof expected - 7);
}

static unsigned perft_positions, perft_refused;

static void read_perft_line(const char *epd)
{
    stamma_position position;
    unsigned problems = 0;
    stamma_text operations;
    stamma_error error = stamma_epd_read(text_of(epd), &position, &operations, &problems, NULL);
    if (error == STAMMA_OK)
        assert_epd_round_trip(&position);
    else if (error != STAMMA_ERROR_ILLEGAL || problems == 0)
        fail_msg("%s: %s", epd, stamma_error_text(error));
    perft_positions++;
    perft_refused += error != STAMMA_OK;
}

static void the_perft_suites_are_read(void **state)
{
    (void)state;
    if (!each_perft_epd("random.perft", read_perft_line) || !each_perft_epd("tricky.perft", read_perft_line) ||
        !each_perft_epd("chess960.perft", read_perft_line)) {
        printf("../shared/perft is not there\n");
        skip();
    }
    assert_true(perft_positions > 1000);
    assert_true(perft_refused < 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(position_and_operations),
        cmocka_unit_test(operations_in_every_form),
        cmocka_unit_test(clocks_come_from_operations_or_numbers),
        cmocka_unit_test(errors_leave_the_outputs),
        cmocka_unit_test(reading_what_was_written_gives_the_position),
        cmocka_unit_test(a_buffer_too_small_gets_only_a_nul),
        cmocka_unit_test(the_perft_suites_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
