/* SPDX-License-Identifier: MIT */
/* Tests the properties that all position encodings have. */
#include "position_laws.h"

#include "encodings/position_codes.h"

static void law_all_codecs(const stamma_position *position)
{
    for (size_t n = 0; stamma_position_codec_at(n); n++)
        law_round_trip(stamma_position_codec_at(n), position);
}

static void names(void **state)
{
    (void)state;
    static const char *const expected[] = {"fen",          "shredder-fen",     "stream",         "huffman",
                                           "huffman-gaps", "huffman-gaps-key", "huffman-tables", "kings-castling",
                                           "packed",       "position-number"};
    for (size_t n = 0; n < sizeof expected / sizeof *expected; n++) {
        const stamma_position_codec *codec = stamma_position_codec_at(n);
        assert_non_null(codec);
        assert_string_equal(stamma_position_codec_describe(codec).name, expected[n]);
        assert_ptr_equal(stamma_position_codec_find(text_of(expected[n])), codec);
    }
    assert_null(stamma_position_codec_at(sizeof expected / sizeof *expected));
    assert_null(stamma_position_codec_find(text_of("huff")));
}

/* Random walks from difficult positions and from Chess960 positions. */
static void samples(void **state)
{
    (void)state;
    each_sample(144, 60, law_all_codecs);
}

static unsigned known_positions, without_code;

static void law_epd(const char *epd)
{
    stamma_position position;
    if (stamma_fen_read(text_of(epd), &position, NULL, NULL) != STAMMA_OK)
        return;
    for (size_t n = 0; stamma_position_codec_at(n); n++)
        without_code += !law_round_trip(stamma_position_codec_at(n), &position);
    known_positions++;
}

/* Every codec supports all positions of standard games. */
static void perft_positions(void **state)
{
    (void)state;
    known_positions = without_code = 0;
    if (!each_perft_epd("random.perft", law_epd)) {
        print_message("../shared/perft is not there\n");
        skip();
    }
    assert_int_equal(without_code, 0);
    assert_true(known_positions > 6800);
    each_perft_epd("tricky.perft", law_epd);
    each_perft_epd("chess960.perft", law_epd);
    assert_true(known_positions > 7800);
}

/* All 960 initial positions, in the codes that support Chess960. Codes that do not name rooks support them while
 * castling rooks are outermost. */
static void chess960(void **state)
{
    (void)state;
    static const char *const able[] = {"fen", "shredder-fen", "stream", "packed", "position-number"};
    for (unsigned number = 0; number < 960; number++) {
        stamma_position start;
        stamma_position_chess960(number, &start);
        for (size_t n = 0; n < sizeof able / sizeof *able; n++)
            assert_true(law_round_trip(position_codec(able[n]), &start));
        law_all_codecs(&start);
    }
    stamma_position inner = position_of_fen("4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1");
    assert_false(law_round_trip(position_codec("stream"), &inner));
    assert_false(law_round_trip(position_codec("huffman"), &inner));
    assert_true(law_round_trip(position_codec("packed"), &inner));
    assert_true(law_round_trip(position_codec("position-number"), &inner));
}

/* Encodings preserve an en passant square only if a pawn is next to it, a clock of at most 100, and no move number. */
static void coded(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_int_equal(stamma_position_coded(&position).en_passant, STAMMA_SQUARE_NONE);
    position = position_of_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 30");
    assert_int_equal(stamma_position_coded(&position).en_passant, 20);
    assert_int_equal(stamma_position_coded(&position).fullmove_number, 1);
    position = position_of_fen("4k3/8/8/8/8/8/8/4K3 b - - 150 30");
    assert_int_equal(stamma_position_coded(&position).halfmove_clock, 100);
    for (size_t n = 2; stamma_position_codec_at(n); n++)
        assert_true(law_round_trip(stamma_position_codec_at(n), &position));
}

/* Positions of 64 pieces, which are not valid, have a code or are rejected. */
static void too_many_pieces(void **state)
{
    unsigned refused = 0;
    (void)state;
    for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++) {
        stamma_position position = {.en_passant = STAMMA_SQUARE_NONE, .fullmove_number = 1};
        memset(position.castling, STAMMA_SQUARE_NONE, sizeof position.castling);
        for (unsigned square = 0; square < 64; square++)
            position_put(&position, square & 1, type, square);
        for (size_t n = 0; stamma_position_codec_at(n); n++) {
            stamma_position_code code = {77, {0}};
            const stamma_error error = stamma_position_encode(stamma_position_codec_at(n), &position, &code);
            assert_true(error == STAMMA_ERROR_UNSUPPORTED ? code.bits == 77 : error == STAMMA_OK);
            refused += error != STAMMA_OK;
        }
    }
    assert_true(refused > 0);
}

/* Returns the en passant choices of a rank of pawns, given as ternary digits, on an otherwise empty board. */
static unsigned choices_of(unsigned digits)
{
    stamma_position position;
    memset(&position, 0, sizeof position);
    for (unsigned file = 0; file < 8; file++, digits /= 3)
        if (digits % 3)
            position_put(&position, digits % 3 - 1, STAMMA_PAWN, 32 + file);
    return bits_count(stamma_en_passant_choices(&position));
}

/* At most five pawns of a board can appear to be open to en passant capture (Wikipedia): all 3^8 ranks of pawns. */
static void en_passant_choices(void **state)
{
    (void)state;
    unsigned most = 0;
    for (unsigned digits = 0; digits < 6561; digits++)
        most = choices_of(digits) > most ? choices_of(digits) : most;
    assert_int_equal(most, 5);
}

/* Decodes random bits, and codes with one bit more, fewer or flipped. Each is invalid, or the only code of its
 * position. */
static void check_bits(const stamma_position_codec *codec, const stamma_position_code *code)
{
    stamma_position position;
    stamma_position_code again;
    stamma_error error = stamma_position_decode(codec, code, &position);
    if (error == STAMMA_OK) {
        assert_int_equal(stamma_position_encode(codec, &position, &again), STAMMA_OK);
        assert_int_equal(again.bits, code->bits);
        assert_memory_equal(again.bytes, code->bytes, (code->bits + 7) / 8);
    } else {
        assert_int_equal(error, stamma_position_codec_describe(codec).is_partial ? STAMMA_ERROR_UNSUPPORTED
                                                                                 : STAMMA_ERROR_CORRUPT);
    }
}

static uint64_t random_state = 3;

static void check_damage(const stamma_position *position)
{
    for (size_t n = 0; stamma_position_codec_at(n); n++) {
        const stamma_position_codec *codec = stamma_position_codec_at(n);
        stamma_position_code code, other;
        if (stamma_position_encode(codec, position, &code) != STAMMA_OK)
            continue;
        for (unsigned turn = 0; turn < 4; turn++) {
            unsigned bit = (unsigned)(random_next(&random_state) % code.bits);
            other = code;
            other.bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            check_bits(codec, &other);
        }
        other = code;
        other.bits++;
        check_bits(codec, &other);
        other.bits = code.bits - 1;
        other.bytes[other.bits / 8] &= (uint8_t) ~(0x80 >> other.bits % 8);
        check_bits(codec, &other);
    }
}

static void damage(void **state)
{
    (void)state;
    each_sample(36, 30, check_damage);
    for (unsigned n = 0; n < 20000; n++) {
        stamma_position_code code = {(unsigned)(random_next(&random_state) % 260), {0}};
        for (unsigned bit = 0; bit < code.bits; bit++)
            code.bytes[bit / 8] |= (uint8_t)((random_next(&random_state) & 1) << (7 - bit % 8));
        check_bits(stamma_position_codec_at(n % 10), &code);
    }
    stamma_position_code endless = {UINT32_MAX, {0}};
    for (size_t n = 0; stamma_position_codec_at(n); n++)
        check_bits(stamma_position_codec_at(n), &endless);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),    cmocka_unit_test(samples),         cmocka_unit_test(perft_positions),
        cmocka_unit_test(chess960), cmocka_unit_test(coded),           cmocka_unit_test(en_passant_choices),
        cmocka_unit_test(damage),   cmocka_unit_test(too_many_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
