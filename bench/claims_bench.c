/* SPDX-License-Identifier: MIT */
/* Measures what the sources of the encodings claim without figures, on real games.
 *
 * usage: claims_bench [FILE.pgn]
 *
 * Without a file, uses $SHARED/corpora/otb_dev.pgn.zst, unpacked by the zstd program. Prints three results:
 * - The share of pawn moves that change the number of the moving pawn among the own pawns, if the pawns are numbered
 *   along the files (as in `tarrasch`) and along the ranks.
 * - Codes with fixed numbers of pieces, which a piece keeps from the initial position on: the share of moves whose
 *   piece has another number than in the first game with the same move in the same position.
 * - The share of each length of a code of `ranked-tiers`, on the first games. */
#include "bench.h"

enum { SLOTS = 1 << 22, TIER_GAMES = 2000, LENGTHS = 16 };

static uint64_t pawn_moves, along_files, along_ranks;
static uint64_t repeated, renumbered, lengths[LENGTHS], length_count, games;

/* The number of a piece that made a move in a position; `key` 0: unused. */
typedef struct slot {
    uint64_t key;
    uint8_t number;
} slot;

static slot slots[SLOTS];

/* ---- numbers of pawns ---- */

/* Returns the number of a pawn among the own pawns. */
static unsigned pawn_number(const stamma_position *p, unsigned side, unsigned square, bool files)
{
    unsigned number = 0;
    const unsigned place = files ? (square & 7) << 3 | square >> 3 : square;
    for (unsigned other = 0; other < 64; other++)
        if (p->by_type[STAMMA_PAWN] >> other & 1 && p->by_color[side] >> other & 1)
            number += (files ? (other & 7) << 3 | other >> 3 : other) < place;
    return number;
}

static void count_pawn(const stamma_position *before, stamma_move move, const stamma_position *after)
{
    const unsigned from = stamma_move_from(move), to = stamma_move_to(move), side = before->side;
    if (!(before->by_type[STAMMA_PAWN] >> from & 1) || stamma_move_is_promotion(move))
        return;
    pawn_moves++;
    along_files += pawn_number(before, side, from, true) != pawn_number(after, side, to, true);
    along_ranks += pawn_number(before, side, from, false) != pawn_number(after, side, to, false);
}

/* ---- fixed numbers ---- */

static void count_number(uint64_t position_key, stamma_move move, uint8_t number)
{
    uint64_t state = position_key ^ (uint64_t)move * UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t key = bench_random(&state) | 1;
    slot *s = &slots[key % SLOTS];
    if (s->key == key) {
        repeated++;
        renumbered += s->number != number;
    } else if (s->key == 0) {
        *s = (slot){key, number};
    }
}

/* Moves the numbers of the pieces on their squares. */
static void move_numbers(uint8_t numbers[64], const stamma_position *before, stamma_move move)
{
    const unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    numbers[to] = numbers[from];
    if (stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE || stamma_move_flags(move) == STAMMA_FLAG_QUEEN_CASTLE) {
        const bool king_side = stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE;
        numbers[king_side ? to - 1 : to + 1] =
            numbers[before->castling[before->side][king_side ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE]];
    }
}

/* ---- ranks ---- */

static void take_part(void *context, const stamma_code_part *part)
{
    (void)context;
    if (part->first == 0) /* the number of plies */
        return;
    lengths[part->bits < LENGTHS ? part->bits : LENGTHS - 1]++;
    length_count++;
}

/* ---- games ---- */

static bool take_game(const stamma_move *moves, size_t plies)
{
    const stamma_position start = stamma_position_start();
    stamma_position position = start, after;
    uint8_t numbers[64];
    for (unsigned square = 0; square < 64; square++)
        numbers[square] = (uint8_t)square;
    for (size_t n = 0; n < plies; n++) {
        stamma_position_make(&position, moves[n], &after);
        count_pawn(&position, moves[n], &after);
        count_number(position.key, moves[n], numbers[stamma_move_from(moves[n])]);
        move_numbers(numbers, &position, moves[n]);
        position = after;
    }
    if (games++ < TIER_GAMES)
        (void)stamma_codec_explain_game(stamma_codec_find(stamma_text_of("ranked-tiers")), &start, moves, plies,
                                        take_part, NULL);
    return true;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

int main(int argc, char **argv)
{
    bench_lines(argc > 1 ? argv[1] : NULL, take_game);
    if (pawn_moves == 0) {
        printf("claims_bench: no games: skipped\n");
        return 0;
    }
    printf("pawn moves that change the pawn's number, along files: %.1f %%, along ranks: %.1f %%\n",
           percent(along_files, pawn_moves), percent(along_ranks, pawn_moves));
    printf("moves of repeated positions with another fixed number: %.3f %% of %" PRIu64 "\n",
           percent(renumbered, repeated), repeated);
    printf("ranked-tiers, first %d games:", TIER_GAMES);
    for (unsigned bits = 0; bits < LENGTHS; bits++)
        if (lengths[bits] > 0)
            printf(" %u bits %.1f %%", bits, percent(lengths[bits], length_count));
    printf("\n");
    return 0;
}
