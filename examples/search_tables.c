/* SPDX-License-Identifier: MIT */
/* Three tables of a chess engine that contain moves, each with a suitable code: a hash table with the best move of each
 * position in 16 bits (`move16`), two killer moves for each ply (`move16`), and a history of cutoffs, indexed by the
 * twelve bits of `butterfly`. A small alpha-beta search fills the tables, and counts its nodes with and without each
 * table.
 *
 * usage: search_tables [FEN [DEPTH]] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

enum { HASH_BITS = 16, PLIES_MAX = 64, MATE = 30000, INFINITE = 32000 };
enum { USE_HASH = 1, USE_KILLERS = 2, USE_HISTORY = 4 };
enum { BOUND_EXACT = 1, BOUND_LOWER = 2, BOUND_UPPER = 3 };

/* ---- the tables ---- */

/* Sixteen bytes, so that four entries fill a cache line. The move is stored as stamma_legal_moves returns it, without
 * conversion. */
typedef struct hash_entry {
    uint64_t key;
    stamma_move best; /* move16; STAMMA_MOVE_NULL: none */
    int16_t score;
    uint8_t depth, bound;
    uint8_t unused[2];
} hash_entry;
_Static_assert(sizeof(hash_entry) == 16, "four entries fill a cache line");

static hash_entry hash_table[1 << HASH_BITS];
static stamma_move killers[PLIES_MAX][2];
static uint32_t history[2][64 * 64]; /* [side][stamma_move_butterfly] */
static uint64_t nodes;
static unsigned use;

static void clear_tables(void)
{
    memset(hash_table, 0, sizeof hash_table);
    memset(killers, 0, sizeof killers);
    memset(history, 0, sizeof history);
    nodes = 0;
}

/* Returns the entry of a position. Its best move is tried first, whatever its depth. */
static hash_entry *probe(uint64_t key)
{
    return &hash_table[key >> (64 - HASH_BITS)];
}

/* Stores a quiet move that caused a cutoff, because it often causes cutoffs in similar positions. It becomes a killer
 * move of this ply and counts in the history of its squares. */
static void remember_cutoff(const stamma_position *position, stamma_move move, unsigned ply, unsigned depth)
{
    if (stamma_move_is_capture(move) || stamma_move_is_promotion(move))
        return;
    if (killers[ply][0] != move) {
        killers[ply][1] = killers[ply][0];
        killers[ply][0] = move;
    }
    history[position->side][stamma_move_butterfly(move)] += depth * depth;
}

/* ---- the order of moves ---- */

/* Ranks the hash move first, then captures by most valuable victim and least valuable attacker (the score of `move32`),
 * killer moves, and moves by history. */
static uint64_t rank_of(const stamma_position *position, stamma_move move, stamma_move best, unsigned ply)
{
    if (use & USE_HASH && move == best)
        return UINT64_MAX;
    if (stamma_move_is_capture(move))
        return (UINT64_C(1) << 40) + stamma_move32_score(stamma_move32_of(position, move));
    if (use & USE_KILLERS && (move == killers[ply][0] || move == killers[ply][1]))
        return UINT64_C(1) << 39;
    return use & USE_HISTORY ? history[position->side][stamma_move_butterfly(move)] : 0;
}

/* Sorts moves by insertion, which keeps the order of equal moves, so that every run counts the same nodes. */
static void sort_moves(const stamma_position *position, stamma_move *moves, size_t count, stamma_move best,
                       unsigned ply)
{
    uint64_t ranks[STAMMA_MOVES_MAX];
    for (size_t n = 0; n < count; n++) {
        stamma_move move = moves[n];
        uint64_t rank = rank_of(position, move, best, ply);
        size_t at = n;
        for (; at > 0 && ranks[at - 1] < rank; at--) {
            ranks[at] = ranks[at - 1];
            moves[at] = moves[at - 1];
        }
        ranks[at] = rank;
        moves[at] = move;
    }
}

/* ---- the search ---- */

static int count_bits(uint64_t set)
{
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

/* Returns the material, with a bonus for pieces near the middle of the board, from the view of the side to move. */
static int evaluate(const stamma_position *position)
{
    static const int values[5] = {100, 300, 300, 500, 900};
    static const uint64_t near = UINT64_C(0x00003C3C3C3C0000), nearest = UINT64_C(0x0000001818000000);
    uint64_t own = position->by_color[position->side], other = position->by_color[position->side ^ 1];
    int score = 5 * (count_bits(own & near) - count_bits(other & near)) +
                7 * (count_bits(own & nearest) - count_bits(other & nearest));
    for (int type = 0; type < 5; type++)
        score +=
            values[type] * (count_bits(position->by_type[type] & own) - count_bits(position->by_type[type] & other));
    return score;
}

static int search(const stamma_position *position, int alpha, int beta, unsigned depth, unsigned ply)
{
    nodes++;
    if (depth == 0)
        return evaluate(position);
    uint64_t key = stamma_position_key(position);
    hash_entry *entry = probe(key);
    bool known = use & USE_HASH && entry->key == key && entry->bound != 0;
    if (known && entry->depth >= depth && ply > 0 &&
        (entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && entry->score >= beta) ||
         (entry->bound == BOUND_UPPER && entry->score <= alpha)))
        return entry->score;
    stamma_move moves[STAMMA_MOVES_MAX], best = STAMMA_MOVE_NULL;
    size_t count = stamma_legal_moves_canonical(position, moves);
    if (count == 0)
        return stamma_position_in_check(position) ? -MATE + (int)ply : 0;
    sort_moves(position, moves, count, known ? entry->best : STAMMA_MOVE_NULL, ply);
    int found = -INFINITE, first_alpha = alpha;
    for (size_t n = 0; n < count && alpha < beta; n++) {
        stamma_position next;
        stamma_position_make(position, moves[n], &next);
        int score = -search(&next, -beta, -alpha, depth - 1, ply + 1);
        if (score > found) {
            found = score;
            best = moves[n];
        }
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            remember_cutoff(position, moves[n], ply, depth);
    }
    uint8_t bound = found >= beta ? BOUND_LOWER : found > first_alpha ? BOUND_EXACT : BOUND_UPPER;
    *entry = (hash_entry){.key = key, .best = best, .score = (int16_t)found, .depth = (uint8_t)depth, .bound = bound};
    return found;
}

/* ---- main ---- */

/* Searches with increasing depth, and prints the score, the best move and the number of nodes. */
static void run(const stamma_position *position, unsigned depth, unsigned tables, const char *name)
{
    char san[STAMMA_SAN_SIZE];
    int score = 0;
    clear_tables();
    use = tables;
    for (unsigned d = 1; d <= depth; d++)
        score = search(position, -INFINITE, INFINITE, d, 0);
    (void)stamma_san_write(position, probe(stamma_position_key(position))->best, san, sizeof san);
    printf("%-24s score %5d  best %-6s %9" PRIu64 " nodes\n", name, score, san, nodes);
}

int main(int argc, char **argv)
{
    const char *fen = argc > 1 ? argv[1] : "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7";
    unsigned depth = argc > 2 ? (unsigned)atoi(argv[2]) : 5;
    stamma_position position;
    if (stamma_fen_read((stamma_text){fen, strlen(fen)}, &position, NULL, NULL) != STAMMA_OK || depth >= PLIES_MAX) {
        fprintf(stderr, "search_tables: no such position or depth\n");
        return 2;
    }
    run(&position, depth, 0, "captures first");
    run(&position, depth, USE_KILLERS, "killers");
    run(&position, depth, USE_HISTORY, "history");
    run(&position, depth, USE_KILLERS | USE_HISTORY, "killers, history");
    run(&position, depth, USE_HASH | USE_KILLERS | USE_HISTORY, "hash, killers, history");
    return 0;
}
