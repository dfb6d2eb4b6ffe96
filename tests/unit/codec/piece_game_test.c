/* SPDX-License-Identifier: MIT */
/* Tests the fast paths for complete games of `bcgn`, `bcgn-square`, `tarrasch`, `tojot` and related codecs, which
 * use separate boards (piece_game.inc, piece_game_portable.c and piece_game_bmi2.c in src/codec; numbered_game.inc,
 * numbered_game_portable.c and numbered_game_bmi2.c in src/encodings). Both builds must agree with the codecs move by
 * move, also for bytes that no encoder produces. For the numbered codecs this includes the numbers that are updated
 * from ply to ply. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive_support.h"
#include "encodings/encodings.h"
#include "sample_positions.h"

enum { PLIES = 400 };

typedef stamma_error reader(const stamma_codec *codec, const stamma_position *start, bit_reader *in, stamma_move *moves,
                            size_t plies);
typedef stamma_error writer(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                            size_t plies, bit_writer *out);

typedef struct build {
    const stamma_codec *codec;
    reader *read;
    writer *write;
    bool bmi2;
    uint8_t pinned[2]; /* e2c3 in the_king_left_in_check, and the null move */
} build;

/* The first members of a build. */
#define BUILD(codec, read, write, variant) &stamma_codec_##codec, stamma_##read##_##variant, stamma_##write##_##variant

static const build builds[] = {
    {BUILD(bcgn_square, piece_game_read_by_square, piece_game_write_by_square, portable), false, {9, BYTE_CODE_NULL}},
    {BUILD(bcgn, piece_game_read_by_type, piece_game_write_by_type, portable), false, {1, BYTE_CODE_NULL}},
    {BUILD(tarrasch, numbered_read_game, numbered_write_game, portable), false, {0x92, 0x8F}},
    {BUILD(tarrasch_one_queen, numbered_read_game, numbered_write_game, portable), false, {0x92, 0x8F}},
    {BUILD(many_queens, numbered_read_game, numbered_write_game, portable), false, {0x92, 0x8F}},
    {BUILD(many_promotions, numbered_read_game, numbered_write_game, portable), false, {0x92, 0x8F}},
    {BUILD(tojot, numbered_read_game, numbered_write_game, portable), false, {0x02, 0x1F}},
    {BUILD(tojot_split, numbered_read_game, numbered_write_game, portable), false, {0x02, 0x1F}},
#if STAMMA_HAVE_BMI2
    {BUILD(bcgn_square, piece_game_read_by_square, piece_game_write_by_square, bmi2), true, {9, BYTE_CODE_NULL}},
    {BUILD(bcgn, piece_game_read_by_type, piece_game_write_by_type, bmi2), true, {1, BYTE_CODE_NULL}},
    {BUILD(tarrasch, numbered_read_game, numbered_write_game, bmi2), true, {0x92, 0x8F}},
    {BUILD(tarrasch_one_queen, numbered_read_game, numbered_write_game, bmi2), true, {0x92, 0x8F}},
    {BUILD(many_queens, numbered_read_game, numbered_write_game, bmi2), true, {0x92, 0x8F}},
    {BUILD(many_promotions, numbered_read_game, numbered_write_game, bmi2), true, {0x92, 0x8F}},
    {BUILD(tojot, numbered_read_game, numbered_write_game, bmi2), true, {0x02, 0x1F}},
    {BUILD(tojot_split, numbered_read_game, numbered_write_game, bmi2), true, {0x02, 0x1F}},
#endif
};

/* Writes the same bytes ply by ply. */
static stamma_error write_plainly(const stamma_codec *codec, stamma_position p, const stamma_move *moves, size_t plies,
                                  bit_writer *out)
{
    for (size_t n = 0; n < plies; n++) {
        stamma_error error = STAMMA_OK;
        if (!stamma_codec_may_play(&p, moves[n]))
            return STAMMA_ERROR_ILLEGAL;
        if (moves[n] != STAMMA_MOVE_NULL || codec->has_null)
            error = codec->write(codec, &p, moves[n], out);
        if (error != STAMMA_OK)
            return error;
        stamma_position_make(&p, moves[n], &p);
    }
    return STAMMA_OK;
}

static stamma_error read_plainly(const stamma_codec *codec, stamma_position p, bit_reader *in, stamma_move *moves,
                                 size_t plies)
{
    for (size_t n = 0; n < plies; n++) {
        stamma_error error = STAMMA_OK;
        if (moves[n] != STAMMA_MOVE_NULL || codec->has_null)
            error = codec->read(codec, &p, in, &moves[n]);
        else if (stamma_position_in_check(&p))
            error = STAMMA_ERROR_CORRUPT;
        if (error != STAMMA_OK)
            return error;
        stamma_position_make(&p, moves[n], &p);
    }
    return STAMMA_OK;
}

static size_t random_game(stamma_position p, bool nulls, uint64_t *random, stamma_move moves[PLIES])
{
    size_t n = 0, plies = (size_t)(random_next(random) % PLIES);
    for (; n < plies; n++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        size_t count = stamma_legal_moves(&p, legal);
        if (count == 0)
            break;
        moves[n] = legal[random_next(random) % count];
        if (nulls && random_next(random) % 20 == 0 && !stamma_position_in_check(&p))
            moves[n] = STAMMA_MOVE_NULL;
        stamma_position_make(&p, moves[n], &p);
    }
    return n;
}

static void prepare(const build *b, const stamma_move *moves, size_t plies, stamma_move *back)
{
    for (size_t n = 0; n < plies; n++)
        back[n] = moves[n] == STAMMA_MOVE_NULL && !b->codec->has_null ? STAMMA_MOVE_NULL : 0xFFFF;
}

static void check_game(const build *b, const stamma_position *start, const stamma_move *moves, size_t plies)
{
    uint8_t plain[2 * PLIES], fast[2 * PLIES];
    stamma_move back[PLIES];
    bit_writer out[2] = {{plain, 16 * PLIES, 0, false}, {fast, 16 * PLIES, 0, false}};
    assert_int_equal(write_plainly(b->codec, *start, moves, plies, &out[0]), STAMMA_OK);
    assert_int_equal(b->write(b->codec, start, moves, plies, &out[1]), STAMMA_OK);
    assert_int_equal(out[0].size, out[1].size);
    assert_memory_equal(plain, fast, out[0].size / 8);
    bit_reader in = {fast, out[1].size, 0, false};
    prepare(b, moves, plies, back);
    assert_int_equal(b->read(b->codec, start, &in, back, plies), STAMMA_OK);
    assert_int_equal(in.at, in.size);
    assert_memory_equal(back, moves, plies * sizeof *moves);
}

/* Asserts that the SAN facts of the moves and the final position equal the results of playing the positions. */
static void check_san_facts(const stamma_position *start, const stamma_move *moves, size_t plies)
{
    uint8_t bytes[PLIES], san_facts[PLIES + 1] = {0};
    stamma_move back[PLIES];
    bit_writer out = {bytes, 8 * PLIES, 0, false};
    stamma_position p = *start, end;
    assert_int_equal(write_plainly(&stamma_codec_bcgn_square, p, moves, plies, &out), STAMMA_OK);
    assert_int_equal(stamma_byte_decode_game(start, bytes, plies, back, san_facts, &end), STAMMA_OK);
    assert_memory_equal(back, moves, plies * sizeof *moves);
    for (size_t n = 0; n < plies; n++) {
        assert_int_equal(san_facts[n], move_san_facts(&p, moves[n]));
        stamma_position_make(&p, moves[n], &p);
    }
    end.key = p.key;
    assert_memory_equal(&end, &p, sizeof p);
    uint8_t plain[PLIES + 1] = {0};
    bit_reader in = {bytes, plies * 8, 0, false};
    assert_int_equal(stamma_piece_game_read_san_facts_portable(start, &in, back, plies, plain, NULL), STAMMA_OK);
    assert_memory_equal(san_facts, plain, sizeof san_facts);
}

/* Asserts that the structure keys are the keys after the first move and after each change of pawns. */
static void check_structures(const stamma_position *start, const stamma_move *moves, size_t plies)
{
    uint8_t bytes[PLIES];
    uint32_t wanted[PLIES + 1], keys[2][PLIES + 1];
    size_t expected = 0, count[2];
    stamma_position p = *start;
    piece_board b[2];
    bit_writer out = {bytes, 8 * PLIES, 0, false};
    assert_int_equal(write_plainly(&stamma_codec_bcgn_square, p, moves, plies, &out), STAMMA_OK);
    for (size_t n = 0; n < plies; n++) {
        uint64_t before = p.by_type[STAMMA_PAWN];
        stamma_position_make(&p, moves[n], &p);
        if (n == 0 || p.by_type[STAMMA_PAWN] != before)
            wanted[expected++] = structure_key(p.by_color, p.by_type);
    }
    stamma_piece_game_set_up_portable(&b[0], start);
    PIECE_GAME(set_up, &b[1], start);
    assert_int_equal(stamma_piece_game_structures_portable(&b[0], start->side, bytes, plies, keys[0], &count[0]),
                     STAMMA_OK);
    assert_int_equal(PIECE_GAME(structures, &b[1], start->side, bytes, plies, keys[1], &count[1]), STAMMA_OK);
    for (unsigned n = 0; n < 2; n++) {
        assert_int_equal(count[n], expected);
        assert_memory_equal(keys[n], wanted, expected * sizeof *wanted);
        assert_int_equal(placement_key(b[n].colors, b[n].types, p.side), placement_key(p.by_color, p.by_type, p.side));
    }
}

/* Asserts that both builds read the same moves from changed bytes, or return the same error. */
static void check_damaged(const build *b, const stamma_position *start, const stamma_move *moves, size_t plies,
                          uint64_t *random)
{
    uint8_t bytes[2 * PLIES];
    stamma_move back[2][PLIES];
    bit_writer out = {bytes, 16 * PLIES, 0, false};
    assert_int_equal(b->write(b->codec, start, moves, plies, &out), STAMMA_OK);
    for (unsigned n = 0; n < 40 && out.size > 0; n++) {
        size_t at = (size_t)(random_next(random) % (out.size / 8));
        uint8_t kept = bytes[at];
        bytes[at] = (uint8_t)random_next(random);
        bit_reader in[2] = {{bytes, out.size, 0, false}, {bytes, out.size, 0, false}};
        if (n % 8 == 0)
            in[0].size = in[1].size = at * 8;
        prepare(b, moves, plies, back[0]);
        prepare(b, moves, plies, back[1]);
        stamma_error plain = read_plainly(b->codec, *start, &in[0], back[0], plies);
        assert_int_equal(b->read(b->codec, start, &in[1], back[1], plies), plain);
        if (plain == STAMMA_OK) {
            assert_int_equal(in[0].at, in[1].at);
            assert_memory_equal(back[0], back[1], plies * sizeof *moves);
        }
        bytes[at] = kept;
    }
}

/* Replaces one move by any other sixteen bits. */
static void check_illegal(const build *b, const stamma_position *start, stamma_move *moves, size_t plies,
                          uint64_t *random)
{
    uint8_t plain[2 * PLIES], fast[2 * PLIES];
    for (unsigned n = 0; n < 40 && plies > 0; n++) {
        size_t at = (size_t)(random_next(random) % plies);
        stamma_move kept = moves[at];
        moves[at] = (stamma_move)random_next(random);
        if (n % 2)
            moves[at] = (stamma_move)(kept ^ (1u << random_next(random) % 16));
        bit_writer out[2] = {{plain, 16 * PLIES, 0, false}, {fast, 16 * PLIES, 0, false}};
        stamma_error error = write_plainly(b->codec, *start, moves, plies, &out[0]);
        assert_int_equal(b->write(b->codec, start, moves, plies, &out[1]), error);
        if (error == STAMMA_OK)
            assert_memory_equal(plain, fast, out[0].size / 8);
        moves[at] = kept;
    }
}

static void games(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (unsigned n = 0; n < 40 * SAMPLE_STARTS / usual_step(4); n++) {
        stamma_position start = position_of_fen(sample_starts[n % SAMPLE_STARTS]);
        if (n % 3 == 0)
            stamma_position_chess960((unsigned)(random_next(&random) % 960), &start);
        stamma_move moves[PLIES];
        size_t plies = random_game(start, n % 4 == 0, &random, moves);
        check_san_facts(&start, moves, plies);
        check_structures(&start, moves, plies);
        for (size_t which = 0; which < sizeof builds / sizeof *builds; which++) {
            if (builds[which].bmi2 && !stamma_cpu_has_bmi2())
                continue;
            check_game(&builds[which], &start, moves, plies);
            check_damaged(&builds[which], &start, moves, plies, &random);
            check_illegal(&builds[which], &start, moves, plies, &random);
        }
    }
}

/* Moves that leave the king in check are rejected, also as the last move and before a null move. */
static void the_king_left_in_check(void **state)
{
    (void)state;
    stamma_position pinned = position_of_fen("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1");
    stamma_move moves[2] = {stamma_move_make(12, 18, STAMMA_FLAG_QUIET), STAMMA_MOVE_NULL};
    for (size_t which = 0; which < sizeof builds / sizeof *builds; which++) {
        const build *b = &builds[which];
        if (b->bmi2 && !stamma_cpu_has_bmi2())
            continue;
        for (size_t plies = 1; plies <= 2; plies++) {
            uint8_t bytes[8];
            bit_writer out = {bytes, 64, 0, false};
            assert_int_equal(b->write(b->codec, &pinned, moves, plies, &out), STAMMA_ERROR_ILLEGAL);
            stamma_move back[2] = {0xFFFF, b->codec->has_null ? 0xFFFF : STAMMA_MOVE_NULL};
            bit_reader in = {b->pinned, plies * 8, 0, false};
            assert_int_equal(b->read(b->codec, &pinned, &in, back, plies), STAMMA_ERROR_CORRUPT);
        }
    }
}

static void no_space(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_move moves[2] = {0x131C, stamma_move_make(52, 36, STAMMA_FLAG_DOUBLE_PUSH)};
    for (size_t which = 0; which < sizeof builds / sizeof *builds; which++) {
        uint8_t bytes[2] = {77, 77};
        bit_writer out = {bytes, 8, 0, false};
        if (builds[which].bmi2 && !stamma_cpu_has_bmi2())
            continue;
        assert_int_equal(builds[which].write(builds[which].codec, &start, moves, 2, &out), STAMMA_OK);
        assert_true(out.failed);
        assert_int_equal(bytes[1], 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games),
        cmocka_unit_test(the_king_left_in_check),
        cmocka_unit_test(no_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
