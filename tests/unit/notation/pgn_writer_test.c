/* SPDX-License-Identifier: MIT */
/* Tests the PGN writer: the standard's example byte for byte, line breaks, numbers, escapes, and invalid calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"

static stamma_text text_of(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

static stamma_pgn_writer *open_writer(listing *out, uint32_t line_width)
{
    stamma_pgn_writer_options options = {.size = sizeof options, .line_width = line_width};
    stamma_output output = listing_output(out);
    stamma_pgn_writer *writer;
    list_word(out, "");
    assert_int_equal(stamma_pgn_writer_open(&output, &options, &writer), STAMMA_OK);
    return writer;
}

/* Passes the events of a text to a writer. */
static void copy_events(const char *text, stamma_pgn_writer *writer)
{
    stamma_pgn_reader *reader;
    stamma_pgn_event event;
    char value[200];
    stamma_error error = STAMMA_OK;
    assert_int_equal(stamma_pgn_reader_open_memory(text, strlen(text), NULL, &reader), STAMMA_OK);
    do {
        assert_int_equal(stamma_pgn_reader_next(reader, &event), STAMMA_OK);
        switch (event.kind) {
        case STAMMA_PGN_TAG: {
            size_t size = stamma_pgn_unescape(event.value, value);
            error = stamma_pgn_writer_tag(writer, event.text, (stamma_text){value, size});
            if (event.text.size == 3 && memcmp(event.text.data, "FEN", 3) == 0)
                stamma_pgn_writer_start(writer, stamma_pgn_reader_position(reader));
            break;
        }
        case STAMMA_PGN_MOVE: error = stamma_pgn_writer_move(writer, event.move); break;
        case STAMMA_PGN_COMMENT:
        case STAMMA_PGN_LINE_COMMENT: error = stamma_pgn_writer_comment(writer, event.text); break;
        case STAMMA_PGN_NAG: error = stamma_pgn_writer_nag(writer, event.nag); break;
        case STAMMA_PGN_VARIATION_BEGIN: error = stamma_pgn_writer_variation_begin(writer); break;
        case STAMMA_PGN_VARIATION_END: error = stamma_pgn_writer_variation_end(writer); break;
        case STAMMA_PGN_RESULT: error = stamma_pgn_writer_result(writer, event.text); break;
        default: break;
        }
        assert_int_equal(error, STAMMA_OK);
    } while (event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
}

static void expect(const char *text, uint32_t line_width, const char *expected)
{
    listing out = {0};
    stamma_pgn_writer *writer = open_writer(&out, line_width);
    copy_events(text, writer);
    stamma_pgn_writer_close(writer);
    assert_string_equal(out.text, expected);
    free(out.text);
}

/* PGN standard 2.3: the example of the export format. */
static const char standard_game[] = "[Event \"F/S Return Match\"]\n"
                                    "[Site \"Belgrade, Serbia JUG\"]\n"
                                    "[Date \"1992.11.04\"]\n"
                                    "[Round \"29\"]\n"
                                    "[White \"Fischer, Robert J.\"]\n"
                                    "[Black \"Spassky, Boris V.\"]\n"
                                    "[Result \"1/2-1/2\"]\n"
                                    "\n"
                                    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3\n"
                                    "O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15.\n"
                                    "Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 21.\n"
                                    "Nc4 Nxc4 22. Bxc4 Nb6 23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7\n"
                                    "27. Qe3 Qg5 28. Qxg5 hxg5 29. b3 Ke6 30. a3 Kd6 31. axb4 cxb4 32. Ra5 Nd5 33.\n"
                                    "f3 Bc8 34. Kf2 Bf5 35. Ra7 g6 36. Ra6+ Kc5 37. Ke1 Nf4 38. g3 Nxh3 39. Kd2 Kb5\n"
                                    "40. Rd6 Kc5 41. Ra6 Nf2 42. g4 Bd3 43. Re6 1/2-1/2\n"
                                    "\n";

static void test_the_game_of_the_standard(void **state)
{
    (void)state;
    expect(standard_game, 0, standard_game);
}

static void test_one_line(void **state)
{
    (void)state;
    expect(
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 Nc6 *",
        UINT32_MAX,
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 "
        "Qc7 12. Nbd2 cxd4 13. cxd4 Nc6 *\n\n");
}

static void test_numbers_after_interruptions(void **state)
{
    (void)state;
    expect("{a} e4 {b} e5 $1 $2 Nf3 ({c} d4 exd4 (Nc6 d5) c3) Nc6 (d6 {e}) Bb5 ( ) a6 1-0", 0,
           "{a} 1. e4 {b} 1... e5 $1 $2 2. Nf3 ({c} 2. d4 exd4 (2... Nc6 3. d5) 3. c3) 2...\n"
           "Nc6 (2... d6 {e}) 3. Bb5 () 3... a6 1-0\n\n");
    expect("[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 7 41\"] Kd7 O-O-O *", 0,
           "[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 7 41\"]\n\n41... Kd7 42. O-O-O+ *\n\n");
    expect("e4 -- d4 *", 0, "1. e4 -- 2. d4 *\n\n");
}

static void test_comments(void **state)
{
    (void)state;
    expect("e4 ;to } the end\n(d4 ;}}\n) e5 ;plain\nNf3 {two\nlines} *", 0,
           "1. e4 ;to } the end\n(1. d4 ;}}\n) 1... e5 {plain} 2. Nf3 {two\nlines} *\n\n");
    expect("e4 {0123456789012345} e5 *", 20, "1. e4\n{0123456789012345}\n1... e5 *\n\n");
    expect("e4 {0123456789012345678901234} e5 *", 20, "1. e4\n{0123456789012345678901234}\n1... e5 *\n\n");
    expect("e4 {} (d4 {01234567890}) e5 *", 20, "1. e4 {} (1. d4\n{01234567890}) 1...\ne5 *\n\n");
}

static void test_tags(void **state)
{
    (void)state;
    expect("[A \"q \\\"x\\\" \\\\ \\y\"][A \"\"]*[B \"\xE9\"]*", 0,
           "[A \"q \\\"x\\\" \\\\ \\\\y\"]\n[A \"\"]\n\n*\n\n[B \"\xE9\"]\n\n*\n\n");
}

static void test_lines_stay_short(void **state)
{
    (void)state;
    for (uint32_t width = 12; width < 90; width += 7) {
        listing out = {0};
        stamma_pgn_writer *writer = open_writer(&out, width);
        copy_events("e4 e5 Nf3 (Nc3 Nf6 (Nc6 f4 (d4 exd4)) f4) Nc6 $12 Bb5 {c c} a6 Ba4 (Bxc6) b5 Bb3 *", writer);
        stamma_pgn_writer_close(writer);
        for (char *line = strtok(out.text, "\n"); line; line = strtok(NULL, "\n")) {
            assert_true(strlen(line) <= width);
            assert_true(line[0] != ' ' && line[strlen(line) - 1] != ' ');
        }
        free(out.text);
    }
}

static void test_calls_that_do_not_fit(void **state)
{
    (void)state;
    listing out = {0};
    stamma_pgn_writer *w = open_writer(&out, 0);
    stamma_move e4 = stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH);
    stamma_position start = stamma_position_start();
    assert_int_equal(stamma_pgn_writer_variation_begin(w), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_variation_end(w), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_tag(w, text_of("a b"), text_of("x")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_tag(w, text_of(""), text_of("x")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_tag(w, text_of("A"), text_of("x\n")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_move(w, e4 + 1), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_pgn_writer_move(w, e4), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_move(w, e4), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_pgn_writer_tag(w, text_of("A"), text_of("x")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_start(w, &start), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_nag(w, 256), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_comment(w, text_of("}\n")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_comment(w, text_of("\n[Event \"{")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_result(w, text_of("1/2")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_variation_begin(w), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_variation_begin(w), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_result(w, text_of("*")), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_pgn_writer_variation_end(w), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_result(w, text_of("*")), STAMMA_OK);
    stamma_pgn_writer_close(w);
    assert_string_equal(out.text, "1. e4 () *\n\n");
    free(out.text);
}

/* The null move would leave the king in check. */
static void test_null_move_in_check(void **state)
{
    (void)state;
    listing out = {0};
    stamma_position position;
    stamma_pgn_writer *w = open_writer(&out, 0);
    assert_int_equal(stamma_fen_read(text_of("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1"), &position, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_start(w, &position), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_move(w, STAMMA_MOVE_NULL), STAMMA_ERROR_ILLEGAL);
    stamma_pgn_writer_close(w);
    free(out.text);
}

static bool refuse(void *context, const void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return false;
}

static void test_failing_output(void **state)
{
    (void)state;
    stamma_output output = {NULL, refuse, NULL};
    stamma_pgn_writer *w;
    assert_int_equal(stamma_pgn_writer_open(&output, NULL, &w), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_move(w, stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH)), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_result(w, text_of("*")), STAMMA_ERROR_IO);
    stamma_position start = stamma_position_start();
    assert_int_equal(stamma_pgn_writer_tag(w, text_of("A"), text_of("x")), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_writer_start(w, &start), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_writer_move(w, STAMMA_MOVE_NULL), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_writer_comment(w, text_of("x")), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_writer_nag(w, 1), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_writer_variation_begin(w), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_writer_variation_end(w), STAMMA_ERROR_IO);
    assert_int_equal(stamma_pgn_writer_result(w, text_of("*")), STAMMA_ERROR_IO);
    stamma_pgn_writer_close(w);
    stamma_pgn_writer_close(NULL);
    output.write = NULL;
    assert_int_equal(stamma_pgn_writer_open(&output, NULL, &w), STAMMA_ERROR_BAD_ARGUMENT);
}

/* Options of programs that were compiled with an earlier version, which has fewer members. */
static void test_shorter_options(void **state)
{
    (void)state;
    static const size_t sizes[] = {offsetof(stamma_pgn_writer_options, allocator),
                                   offsetof(stamma_pgn_writer_options, line_width), sizeof(stamma_pgn_writer_options)};
    for (size_t i = 0; i < 3; i++) {
        failing_memory memory = {.fail_at = 0};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_pgn_writer_options options = {.size = sizes[i], .allocator = &allocator, .line_width = 9};
        listing out = {0};
        stamma_output output = listing_output(&out);
        stamma_pgn_writer *w;
        assert_int_equal(stamma_pgn_writer_open(&output, &options, &w), STAMMA_OK);
        copy_events("e4 e5 *", w);
        stamma_pgn_writer_close(w);
        assert_int_equal(memory.calls > 0, i > 0);
        assert_string_equal(out.text, i == 2 ? "1. e4 e5\n*\n\n" : "1. e4 e5 *\n\n");
        free(out.text);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    stamma_move e4 = stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH);
    for (unsigned fail_at = 1; fail_at < 8; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_pgn_writer_options options = {.size = sizeof options, .allocator = &allocator};
        listing out = {0};
        stamma_output output = listing_output(&out);
        stamma_pgn_writer *w = NULL;
        stamma_error error = stamma_pgn_writer_open(&output, &options, &w);
        if (!error)
            error = stamma_pgn_writer_tag(w, text_of("A"), text_of("x"));
        if (!error)
            error = stamma_pgn_writer_move(w, e4);
        if (!error)
            error = stamma_pgn_writer_variation_begin(w);
        if (!error)
            error = stamma_pgn_writer_comment(
                w, text_of("a comment that is longer than the first allocation of a word, surely"));
        if (!error)
            error = stamma_pgn_writer_variation_end(w);
        if (!error)
            error = stamma_pgn_writer_result(w, text_of("*"));
        assert_int_equal(error, fail_at <= memory.calls ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        stamma_pgn_writer_close(w);
        assert_int_equal(memory.alive, 0);
        free(out.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_game_of_the_standard),
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_numbers_after_interruptions),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_lines_stay_short),
        cmocka_unit_test(test_calls_that_do_not_fit),
        cmocka_unit_test(test_null_move_in_check),
        cmocka_unit_test(test_failing_output),
        cmocka_unit_test(test_shorter_options),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
