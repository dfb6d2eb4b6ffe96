/* SPDX-License-Identifier: MIT */
/* Tests `move32`: making and unmaking the move without looking at the board has the same result as `move16`. Sorting
 * the integers sorts by MVV-LVA, and the move's indices update an incremental key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static void layout(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("4k3/8/2r5/3P4/8/8/8/4K3 w - - 0 1");
    stamma_move32 takes = stamma_move32_of(&p, stamma_move_make(35, 42, STAMMA_FLAG_CAPTURE));
    assert_int_equal(stamma_move32_move(takes), stamma_move_make(35, 42, STAMMA_FLAG_CAPTURE));
    assert_int_equal(stamma_move32_moved(takes), STAMMA_PAWN);
    assert_int_equal(stamma_move32_captured(takes), STAMMA_ROOK);
    assert_int_equal(stamma_move32_score(takes), 32);
    stamma_move32 quiet = stamma_move32_of(&p, stamma_move_make(4, 12, STAMMA_FLAG_QUIET));
    assert_int_equal(quiet, 0x0035010C);
    assert_int_equal(stamma_move32_score(quiet), 0);
    stamma_position ep = position_of_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_int_equal(stamma_move32_captured(stamma_move32_of(&ep, 0x592B)), STAMMA_PAWN);
    assert_int_equal(stamma_move32_of(&p, STAMMA_MOVE_NULL), 0);
}

static void score_is_no_part_of_equality(void **state)
{
    (void)state;
    stamma_move32 a = 0x00301234, b = stamma_move32_with_score(a, 1023);
    assert_int_equal(stamma_move32_score(b), 1023);
    assert_int_equal(b & 0x3FFFFF, a);
    assert_true(stamma_move32_equal(a, b));
    assert_false(stamma_move32_equal(a, b + 1));
    assert_int_equal(stamma_move32_with_score(b, 0), a);
}

static int descending(const void *a, const void *b)
{
    stamma_move32 x = *(const stamma_move32 *)a, y = *(const stamma_move32 *)b;
    return (x < y) - (x > y);
}

/* Most valuable victim first; for the same victim the least valuable attacker; moves without capture last. */
static void sorting_is_mvv_lva(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    stamma_move32 sorted[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t n = 0; n < count; n++)
        sorted[n] = stamma_move32_of(position, moves[n]);
    qsort(sorted, count, sizeof *sorted, descending);
    for (size_t n = 1; n < count; n++) {
        unsigned victims[2] = {stamma_move32_captured(sorted[n - 1]), stamma_move32_captured(sorted[n])};
        bool quiet[2] = {victims[0] == STAMMA_PIECE_TYPE_NONE, victims[1] == STAMMA_PIECE_TYPE_NONE};
        assert_true(quiet[1] || !quiet[0]);
        if (quiet[0] || quiet[1])
            continue;
        assert_true(victims[0] >= victims[1]);
        if (victims[0] == victims[1])
            assert_true(stamma_move32_moved(sorted[n - 1]) <= stamma_move32_moved(sorted[n]));
    }
}

static uint64_t pieces_key(const stamma_position *p)
{
    uint64_t key = 0;
    for (unsigned square = 0; square < 64; square++) {
        stamma_piece piece = stamma_position_piece(p, (stamma_square)square);
        if (piece != STAMMA_PIECE_NONE)
            key ^= key_piece(piece >> 3, piece & 7, square);
    }
    return key;
}

/* Making the move equals stamma_position_make, to the last byte. Unmaking restores the position. The key of the
 * pieces changes by the move's indices. */
static void makes_what_move16_makes(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX + 1];
    size_t count = stamma_legal_moves(position, moves);
    moves[count++] = STAMMA_MOVE_NULL;
    for (size_t n = 0; n < count; n++) {
        stamma_position after, p = *position;
        stamma_undo undo;
        stamma_move32 move = stamma_move32_of(position, moves[n]);
        uint16_t indices[4];
        uint64_t key = pieces_key(position);
        for (size_t i = stamma_move32_indices(position, move, indices); i > 0; i--)
            key ^= (&stamma_key_pieces[0][0])[indices[i - 1]];
        stamma_position_make(position, moves[n], &after);
        stamma_position_make32(&p, move, &undo);
        assert_memory_equal(&p, &after, sizeof p);
        assert_int_equal(key, pieces_key(&p));
        stamma_position_unmake32(&p, move, &undo);
        assert_memory_equal(&p, position, sizeof p);
    }
}

static void sorting(void **state)
{
    (void)state;
    each_sample(4 * SAMPLE_STARTS, 20, sorting_is_mvv_lva);
}

static void making(void **state)
{
    (void)state;
    each_sample(8 * SAMPLE_STARTS, 40, makes_what_move16_makes);
}

/* A wrong piece or score makes the code invalid. */
static void every_bit_counts(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_move32 good = stamma_move32_of(&start, 0x131C);
    stamma_move move = STAMMA_MOVE_NULL;
    for (unsigned bit = 0; bit < 32; bit++) {
        stamma_error error =
            stamma_codec_decode(&stamma_codec_move32, &start, (stamma_code){good ^ UINT32_C(1) << bit, 32}, &move);
        assert_int_equal(error, STAMMA_ERROR_CORRUPT);
    }
    assert_int_equal(stamma_codec_decode(&stamma_codec_move32, &start, (stamma_code){good, 32}, &move), STAMMA_OK);
    assert_int_equal(move, 0x131C);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),           cmocka_unit_test(score_is_no_part_of_equality),
        cmocka_unit_test(sorting),          cmocka_unit_test(making),
        cmocka_unit_test(every_bit_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
