/* SPDX-License-Identifier: MIT */
/* Tests `legal-index`, `legal-index-bits` and `pseudo-legal-index-bits`: the canonical order, the positions with 218
 * moves, and the number of bits of a move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static stamma_code code_of(const stamma_codec *codec, const stamma_position *position, const char *uci)
{
    stamma_move move = STAMMA_MOVE_NULL;
    stamma_code code = {0, 0};
    assert_int_equal(stamma_uci_read(position, text_of(uci), &move), STAMMA_OK);
    assert_int_equal(stamma_codec_encode(codec, position, move, &code), STAMMA_OK);
    return code;
}

/* a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 ... h2h4: twenty moves, in ascending order of UCI text. */
static void the_initial_position(void **state)
{
    (void)state;
    static const char *const moves[20] = {"a2a3", "a2a4", "b1a3", "b1c3", "b2b3", "b2b4", "c2c3",
                                          "c2c4", "d2d3", "d2d4", "e2e3", "e2e4", "f2f3", "f2f4",
                                          "g1f3", "g1h3", "g2g3", "g2g4", "h2h3", "h2h4"};
    stamma_position start = stamma_position_start();
    for (unsigned n = 0; n < 20; n++) {
        stamma_code byte = code_of(&stamma_codec_legal_index, &start, moves[n]);
        stamma_code bits = code_of(&stamma_codec_legal_index_bits, &start, moves[n]);
        assert_int_equal(byte.value, n);
        assert_int_equal(byte.bits, 8);
        assert_int_equal(bits.value, n);
        assert_int_equal(bits.bits, 5);
    }
}

/* Moves without promotion are first, then b n q r. Castling as king takes rook: h after g. */
static void order_of_promotions_and_castling(void **state)
{
    (void)state;
    stamma_position promotion = position_of_fen("8/4P3/8/8/8/8/8/k1K5 w - - 0 1");
    uint64_t first = code_of(&stamma_codec_legal_index, &promotion, "e7e8b").value;
    assert_int_equal(code_of(&stamma_codec_legal_index, &promotion, "e7e8n").value, first + 1);
    assert_int_equal(code_of(&stamma_codec_legal_index, &promotion, "e7e8q").value, first + 2);
    assert_int_equal(code_of(&stamma_codec_legal_index, &promotion, "e7e8r").value, first + 3);
    stamma_position castling = position_of_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    uint64_t e1a1 = code_of(&stamma_codec_legal_index, &castling, "e1c1").value;
    assert_int_equal(code_of(&stamma_codec_legal_index, &castling, "e1d1").value, e1a1 + 1);
    uint64_t e1h1 = code_of(&stamma_codec_legal_index, &castling, "e1g1").value;
    assert_int_equal(code_of(&stamma_codec_legal_index, &castling, "e1f2").value, e1h1 - 1);
}

/* Both positions of the Chess Programming Wiki. Petrović's is also in Forster 2015. */
static void positions_with_218_moves(void **state)
{
    (void)state;
    static const char *const fens[] = {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
                                       "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1"};
    for (unsigned n = 0; n < 2; n++) {
        stamma_position position = position_of_fen(fens[n]);
        assert_int_equal(stamma_legal_moves_count(&position), 218);
        unsigned found = 0;
        for (unsigned value = 0; value < 256; value++) {
            stamma_move move = STAMMA_MOVE_NULL;
            stamma_error error =
                stamma_codec_decode(&stamma_codec_legal_index, &position, (stamma_code){value, 8}, &move);
            assert_int_equal(error, value < 218 || value == 255 ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
            found += error == STAMMA_OK && move != STAMMA_MOVE_NULL;
        }
        assert_int_equal(found, 218);
        assert_int_equal(code_of(&stamma_codec_legal_index_bits, &position, n ? "a4a1" : "a3a2").bits, 8);
    }
}

static void a_forced_move_takes_no_bits(void **state)
{
    (void)state;
    stamma_position forced = position_of_fen("k7/8/1K6/8/8/8/8/8 b - - 0 1");
    assert_int_equal(stamma_legal_moves_count(&forced), 1);
    stamma_code code = code_of(&stamma_codec_legal_index_bits, &forced, "a8b8");
    assert_int_equal(code.bits, 0);
    assert_int_equal(code.value, 0);
    stamma_move move = STAMMA_MOVE_NULL;
    assert_int_equal(stamma_codec_decode(&stamma_codec_legal_index_bits, &forced, code, &move), STAMMA_OK);
    assert_int_equal(stamma_move_to(move), 57);
}

/* ceil(log2 n): the least b with 2^b >= n. */
static void bits_of_a_move(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    move_sets pseudo;
    stamma_move_sets_pseudo_legal(position, &pseudo);
    size_t count = stamma_legal_moves_canonical(position, moves), of[2] = {count, pseudo.moves};
    const stamma_codec *codecs[2] = {&stamma_codec_legal_index_bits, &stamma_codec_pseudo_legal_index_bits};
    for (unsigned which = 0; which < 2; which++)
        for (size_t n = 0; n < count; n += 7) {
            stamma_code code = {0, 99};
            assert_int_equal(stamma_codec_encode(codecs[which], position, moves[n], &code), STAMMA_OK);
            assert_true(UINT64_C(1) << code.bits >= of[which]);
            assert_true(code.bits == 0 || UINT64_C(1) << (code.bits - 1) < of[which]);
            assert_true(which == 1 || code.value == n);
        }
}

static void sample_bits(void **state)
{
    (void)state;
    each_sample(8 * SAMPLE_STARTS, 60, bits_of_a_move);
}

/* A pseudo-legal move that is illegal has a number, which is corrupt when decoded. */
static void pseudo_legal_is_not_legal(void **state)
{
    (void)state;
    stamma_position pinned = position_of_fen("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1");
    unsigned legal = 0;
    for (unsigned value = 0; value < 16; value++) {
        stamma_move move = STAMMA_MOVE_NULL;
        stamma_error error =
            stamma_codec_decode(&stamma_codec_pseudo_legal_index_bits, &pinned, (stamma_code){value, 4}, &move);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
        legal += error == STAMMA_OK;
    }
    assert_int_equal(legal, stamma_legal_moves_count(&pinned));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_initial_position),
        cmocka_unit_test(order_of_promotions_and_castling),
        cmocka_unit_test(positions_with_218_moves),
        cmocka_unit_test(a_forced_move_takes_no_bits),
        cmocka_unit_test(sample_bits),
        cmocka_unit_test(pseudo_legal_is_not_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
