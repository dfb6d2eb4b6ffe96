/* SPDX-License-Identifier: MIT */
/* Tests the limits of codecs: moves that have no code, games that are too long, bytes that no encoder writes, and
 * positions that no game leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/position_codes.h"
#include "sample_positions.h"

static const char standard[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char in_check[] = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";

static stamma_move move_of(const stamma_position *p, const char *san)
{
    stamma_move move;
    assert_int_equal(stamma_san_read(p, text_of(san), &move), STAMMA_OK);
    return move;
}

/* ---- codecs that reject moves ---- */

static stamma_error refuse_write(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    (void)codec, (void)p, (void)move, (void)out;
    return STAMMA_ERROR_UNSUPPORTED;
}

static stamma_error refuse_read(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    (void)codec, (void)p, (void)in, (void)move;
    return STAMMA_ERROR_CORRUPT;
}

static stamma_error read_too_much(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                                  stamma_move *moves, size_t plies)
{
    (void)codec, (void)start, (void)moves, (void)plies;
    (void)stamma_bits_read(in, 64);
    return STAMMA_OK;
}

static void take_part(void *context, const stamma_code_part *part)
{
    *(unsigned *)context += part->bits;
}

static void test_refusing_codec(void **state)
{
    (void)state;
    const stamma_codec codec = {.has_null = true, .write = refuse_write, .read = refuse_read};
    const stamma_codec reader = {.has_null = true, .write = refuse_write, .read_game = read_too_much};
    const stamma_position p = position_of_fen(standard);
    stamma_move moves[2] = {STAMMA_MOVE_NULL, STAMMA_MOVE_NULL}, found;
    uint8_t bytes[8] = {2, 5}; /* one ply, and a byte */
    stamma_code code;
    size_t size = 77, plies = 77;
    unsigned bits = 0;
    assert_int_equal(stamma_codec_encode(&codec, &p, STAMMA_MOVE_NULL, &code), STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(stamma_codec_decode(&codec, &p, (stamma_code){5, 8}, &found), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_codec_explain(&codec, &p, STAMMA_MOVE_NULL, take_part, &bits), STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(stamma_codec_explain_game(&codec, &p, moves, 1, take_part, &bits), STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(stamma_codec_encode_game(&codec, &p, moves, 1, bytes, 8, &size, NULL), STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(stamma_codec_decode_game(&codec, &p, bytes, 2, moves, 2, &plies), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_codec_decode_game(&reader, &p, bytes, 2, moves, 2, &plies), STAMMA_ERROR_CORRUPT);
    assert_true(size == 77 && plies == 77);
}

/* ---- one byte a move ---- */

/* The null move in check, and a move from an empty square. */
static void test_byte_code(void **state)
{
    (void)state;
    const stamma_position check = position_of_fen(in_check), p = position_of_fen(standard);
    uint8_t code = 77;
    uint8_t bytes[8];
    bit_writer out = {bytes, 64, 0, false};
    stamma_move move = 77;
    assert_int_equal(stamma_byte_encode(&check, STAMMA_MOVE_NULL, &code), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_byte_write(&stamma_byte_code, &check, STAMMA_MOVE_NULL, &out), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_byte_encode(&p, stamma_move_make(20, 28, STAMMA_FLAG_QUIET), &code), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_byte_decode(&check, BYTE_CODE_NULL, &move), STAMMA_ERROR_CORRUPT);
    assert_true(code == 77 && out.size == 0 && move == 77);
}

/* Codes that are played without checks may capture a king. The null move and rare moves are then invalid, such as the
 * move of a pawn to the side without a capture. Plays the same moves with each colour. */
static void test_captured_king(void **state)
{
    (void)state;
    static const char *const starts[] = {"4k2r/1p6/8/8/8/8/8/Q3K3 w - - 0 1", "q3k3/8/8/8/8/8/1P6/4K2R b - - 0 1"};
    static const unsigned from[] = {0, 63, 56}, to[] = {56, 7, 60}; /* Qa8+ Rh1 Qxe8 */
    for (unsigned n = 0; n < 4; n++) {
        stamma_position p = position_of_fen(starts[n / 2]);
        const unsigned turn = n / 2 * 56, us = n / 2;
        piece_board b;
        uint8_t codes[4];
        stamma_piece_game_set_up_portable(&b, &p);
        for (unsigned k = 0; k < 3; k++) {
            const stamma_move move =
                stamma_move_make(from[k] ^ turn, to[k] ^ turn, k == 2 ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET);
            codes[k] = stamma_piece_game_code_portable(&p, move);
            stamma_position_make(&p, move, &p);
        }
        codes[3] = stamma_piece_game_code_portable(&p, stamma_move_make(49 ^ turn, 40 ^ turn, STAMMA_FLAG_CAPTURE));
        if (n % 2)
            codes[3] = BYTE_CODE_NULL;
        assert_int_equal(piece_board_play(&b, us, codes, 3), STAMMA_OK);
        assert_int_equal(bits_count(b.types[STAMMA_KING]), 1);
        assert_int_equal(piece_board_play(&b, us ^ 1, codes + 3, 1), STAMMA_ERROR_CORRUPT);
    }
}

/* The side that has just moved is in check. */
static void test_impossible_start(void **state)
{
    (void)state;
    stamma_position p = position_of_fen(in_check);
    const stamma_move moves[1] = {stamma_move_make(60, 59, STAMMA_FLAG_QUIET)};
    uint8_t bytes[8];
    bit_writer out = {bytes, 64, 0, false};
    p.side = STAMMA_BLACK;
    assert_int_equal(stamma_piece_game_write_by_square_portable(&stamma_byte_code, &p, moves, 1, &out),
                     STAMMA_ERROR_ILLEGAL);
    assert_int_equal(out.size, 0);
}

/* The null move has a code, which is invalid in check. */
static void test_null_move(void **state)
{
    (void)state;
    const stamma_codec *const codecs[] = {&stamma_codec_legal_index, &stamma_codec_many_queens,
                                          &stamma_codec_enumeration};
    static const char queens[] = "4k3/8/8/8/8/8/QQ6/QQ2K3 w - - 0 1", check[] = "4k3/8/8/8/8/8/QQ2r3/QQ2K3 w - - 0 1";
    for (size_t n = 0; n < 3; n++) {
        const stamma_position p = position_of_fen(queens), checked = position_of_fen(check);
        stamma_code code;
        stamma_move found = 77;
        assert_int_equal(stamma_codec_encode(codecs[n], &p, STAMMA_MOVE_NULL, &code), STAMMA_OK);
        assert_int_equal(stamma_codec_decode(codecs[n], &p, code, &found), STAMMA_OK);
        assert_int_equal(found, STAMMA_MOVE_NULL);
        assert_int_equal(stamma_codec_decode(codecs[n], &checked, code, &found), STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_codec_encode(codecs[n], &p, move_of(&p, "Kd1"), &code), STAMMA_OK);
        assert_int_equal(stamma_codec_decode(codecs[n], &p, code, &found), STAMMA_OK);
        assert_int_equal(found, move_of(&p, "Kd1"));
    }
}

/* ---- numbers ---- */

/* The number of a move contains the captured piece, which must be on its square. */
static void test_enumeration(void **state)
{
    (void)state;
    const stamma_position knight = position_of_fen("4k3/8/8/3n4/8/8/8/3QK3 w - - 0 1"),
                          rook = position_of_fen("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1");
    stamma_enumerated_move move = {move_of(&knight, "Qxd5"), STAMMA_WHITE, STAMMA_QUEEN, STAMMA_KNIGHT};
    uint16_t number = 0;
    stamma_code code;
    stamma_move found = 77;
    assert_int_equal(stamma_enumeration_rank(move, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_enumeration_rank(move, &number), STAMMA_OK);
    assert_int_equal(stamma_codec_encode(&stamma_codec_enumeration, &knight, move.move, &code), STAMMA_OK);
    assert_int_equal(code.value, number);
    assert_int_equal(stamma_codec_decode(&stamma_codec_enumeration, &rook, code, &found), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_codec_decode(&stamma_codec_enumeration, &knight, code, &found), STAMMA_OK);
    assert_int_equal(found, move.move);
}

/* A game as one number: at most 18,000 plies, and enough bytes for these plies. */
static void test_radix(void **state)
{
    (void)state;
    enum { MANY = 18001, BYTES = 18000 * 9 / 8 + 10 };
    const stamma_codec *codec = &stamma_codec_legal_index_radix;
    const stamma_position p = position_of_fen(standard);
    stamma_move *moves = calloc(MANY, sizeof *moves);
    uint8_t *bytes = calloc(1, BYTES);
    size_t size, plies;
    unsigned bits = 0;
    assert_true(moves && bytes);
    assert_int_equal(stamma_codec_encode_game(codec, &p, moves, MANY, bytes, BYTES, &size, NULL),
                     STAMMA_ERROR_UNSUPPORTED);
    bytes[0] = 2; /* one ply */
    assert_int_equal(stamma_codec_decode_game(codec, &p, bytes, BYTES, moves, MANY, &plies), STAMMA_ERROR_CORRUPT);
    memcpy(bytes, (const uint8_t[]){MANY * 2 % 128 | 128, MANY * 2 / 128 % 128 | 128, MANY * 2 / 16384}, 3);
    assert_int_equal(stamma_codec_decode_game(codec, &p, bytes, 10, moves, MANY, &plies), STAMMA_ERROR_UNSUPPORTED);
    moves[0] = stamma_move_make(12, 36, STAMMA_FLAG_QUIET); /* e2e5 */
    assert_int_equal(stamma_codec_explain_game(codec, &p, moves, 1, take_part, &bits), STAMMA_ERROR_ILLEGAL);
    assert_int_equal(stamma_codec_explain_game(&stamma_codec_gap_codes, &p, moves, 1, take_part, &bits),
                     STAMMA_ERROR_ILLEGAL);
    free(bytes);
    free(moves);
}

/* All bits of a long game are explained, also codes of several moves, and any capacity is accepted. */
static void test_long_game(void **state)
{
    (void)state;
    enum { LONG = 300 };
    const stamma_codec *const codecs[] = {&stamma_codec_gap_codes, &stamma_codec_legal_index, &stamma_codec_tarrasch};
    const stamma_position start = position_of_fen(standard);
    stamma_move moves[LONG];
    stamma_position p = start;
    uint64_t random = 3;
    size_t count = 0;
    for (; count < LONG; count++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        const size_t choices = stamma_legal_moves(&p, legal);
        if (choices == 0)
            break;
        moves[count] = legal[random_next(&random) % choices];
        stamma_position_make(&p, moves[count], &p);
    }
    assert_true(count > 64);
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++) {
        uint8_t bytes[2 * LONG + 8];
        size_t size, bits;
        unsigned explained = 0;
        assert_int_equal(stamma_codec_encode_game(codecs[n], &start, moves, count, bytes, SIZE_MAX, &size, &bits),
                         STAMMA_OK);
        assert_true(size <= sizeof bytes);
        assert_int_equal(stamma_codec_explain_game(codecs[n], &start, moves, count, take_part, &explained), STAMMA_OK);
        assert_int_equal(explained, bits + 16); /* the number of plies needs two bytes */
    }
}

/* A code of `gap-codes` that stands for several moves has fewer bits than moves, and all bits are explained. */
static void test_sequences(void **state)
{
    (void)state;
    static const char *const san[] = {"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"};
    enum { PLIES = sizeof san / sizeof *san };
    const stamma_position start = position_of_fen(standard);
    stamma_position p = start;
    stamma_move moves[PLIES];
    uint8_t bytes[100];
    size_t size, bits, single;
    unsigned explained = 0;
    for (size_t n = 0; n < PLIES; n++) {
        moves[n] = move_of(&p, san[n]);
        stamma_position_make(&p, moves[n], &p);
    }
    assert_int_equal(
        stamma_codec_encode_game(&stamma_codec_gap_codes, &start, moves, PLIES, bytes, sizeof bytes, &size, &bits),
        STAMMA_OK);
    assert_int_equal(stamma_codec_encode_game(&stamma_codec_legal_index_bits, &start, moves, PLIES, bytes, sizeof bytes,
                                              &size, &single),
                     STAMMA_OK);
    assert_true(bits < single);
    assert_int_equal(stamma_codec_explain_game(&stamma_codec_gap_codes, &start, moves, PLIES, take_part, &explained),
                     STAMMA_OK);
    assert_int_equal(explained, bits + 8);
}

/* A null move in check, in a code that lists null moves before the moves. */
static void test_null_move_in_check(void **state)
{
    (void)state;
    const stamma_codec *const codecs[] = {&stamma_codec_gap_codes, &stamma_codec_legal_index_bits};
    const stamma_position p = position_of_fen(in_check);
    const stamma_move null[1] = {STAMMA_MOVE_NULL};
    static const uint8_t bytes[] = {3, 1, 0}; /* one ply; one null move, the first */
    for (size_t n = 0; n < 2; n++) {
        stamma_move moves[1];
        size_t plies;
        unsigned bits = 0;
        assert_int_equal(stamma_codec_decode_game(codecs[n], &p, bytes, sizeof bytes, moves, 1, &plies),
                         STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_codec_explain_game(codecs[n], &p, null, 1, take_part, &bits), STAMMA_ERROR_ILLEGAL);
    }
}

/* Clocks do not exceed 65,535. */
static void test_clocks(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    const stamma_position before = p;
    stamma_undo undo;
    p.halfmove_clock = p.fullmove_number = UINT16_MAX;
    const stamma_move32 move = stamma_move32_of(&p, move_of(&p, "Kd8"));
    stamma_position_make32(&p, move, &undo);
    assert_true(p.halfmove_clock == UINT16_MAX && p.fullmove_number == UINT16_MAX);
    stamma_position_unmake32(&p, move, &undo);
    assert_true(p.halfmove_clock == UINT16_MAX && p.fullmove_number == UINT16_MAX);
    assert_memory_equal(p.by_type, before.by_type, sizeof p.by_type);
}

/* The explanation of a promoted piece of a side with one queen too many. */
static void test_many_promotions(void **state)
{
    (void)state;
    const stamma_codec *codec = &stamma_codec_many_promotions;
    const stamma_position p = position_of_fen("6k1/5p2/8/8/R6R/N1N1N3/6PP/RQQR2K1 w - - 0 1");
    stamma_move moves[STAMMA_MOVES_MAX];
    const size_t count = stamma_legal_moves(&p, moves);
    for (size_t n = 0; n < count; n++) {
        stamma_code code;
        unsigned bits = 0;
        assert_int_equal(stamma_codec_encode(codec, &p, moves[n], &code), STAMMA_OK);
        assert_int_equal(stamma_codec_explain(codec, &p, moves[n], take_part, &bits), STAMMA_OK);
        assert_int_equal(bits, code.bits);
    }
}

/* Kings next to each other, and more pieces than a side can have. */
static void test_impossible_positions(void **state)
{
    (void)state;
    stamma_position_code code;
    stamma_position p = position_of_fen("8/8/8/8/8/8/8/k1K5 w - - 0 1");
    p.by_type[STAMMA_KING] = 3;
    p.by_color[STAMMA_WHITE] = 2;
    assert_int_equal(stamma_position_encode(&stamma_position_codec_kings_castling, &p, &code),
                     STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(stamma_position_encode(&stamma_position_codec_number, &p, &code), STAMMA_ERROR_UNSUPPORTED);
    p.by_type[STAMMA_QUEEN] = p.by_color[STAMMA_BLACK] = ~(uint64_t)3;
    for (size_t n = 0; stamma_position_codec_at(n); n++) {
        const stamma_error error = stamma_position_encode(stamma_position_codec_at(n), &p, &code);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_UNSUPPORTED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusing_codec),
        cmocka_unit_test(test_byte_code),
        cmocka_unit_test(test_captured_king),
        cmocka_unit_test(test_impossible_start),
        cmocka_unit_test(test_null_move),
        cmocka_unit_test(test_enumeration),
        cmocka_unit_test(test_radix),
        cmocka_unit_test(test_long_game),
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_null_move_in_check),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_many_promotions),
        cmocka_unit_test(test_impossible_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
