/* SPDX-License-Identifier: MIT */
/* The tables of a chess engine that contain moves, each with a suitable code. A small alpha-beta search fills the
 * tables, and counts its nodes with and without each table.
 *
 *   hash table   the best move of each position, in 16 bits (`move16`)
 *   killer moves two quiet moves for each ply that caused cutoffs (`move16`)
 *   history      numbers of cutoffs, indexed by the twelve bits of `butterfly`
 *   countermoves the reply (`move16`) that refuted a move, indexed by `butterfly` of this move
 *   PV table     the principal variation from each ply on, a triangle of `move16`
 *   refutations  for each other move of the root, the line that refuted it in the previous iteration (`move16`)
 *
 * usage: search_tables [FEN [DEPTH]] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

enum { HASH_BITS = 16, PLIES_MAX = 64, MATE = 30000, INFINITE = 32000 };
enum { USE_HASH = 1, USE_KILLERS = 2, USE_HISTORY = 4, USE_COUNTERMOVES = 8, USE_PV = 16, USE_REFUTATIONS = 32 };
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
static uint32_t history[2][64 * 64];      /* [side][stamma_move_butterfly] */
static stamma_move countermoves[64 * 64]; /* [stamma_move_butterfly of the mover_view of the previous move] */

/* Moves from the root, or from a node of the tree on. */
typedef struct line {
    size_t count;
    stamma_move moves[PLIES_MAX];
} line;

static line pv[PLIES_MAX + 1];             /* pv[ply]: the best line from this ply on */
static line principal;                     /* pv[0] of the previous iteration */
static line refutations[STAMMA_MOVES_MAX]; /* lines whose first move is a move of the root */
static size_t refutation_count;
static uint64_t nodes;
static unsigned use;

static void clear_tables(void)
{
    memset(hash_table, 0, sizeof hash_table);
    memset(killers, 0, sizeof killers);
    memset(history, 0, sizeof history);
    memset(countermoves, 0, sizeof countermoves);
    principal.count = 0;
    refutation_count = 0;
    nodes = 0;
}

/* Returns the entry of a position. Its best move is tried first, whatever its depth. */
static hash_entry *probe(uint64_t key)
{
    return &hash_table[key >> (64 - HASH_BITS)];
}

/* Returns a move as White would play it: the squares of a move of Black are on mirrored ranks. One table can therefore
 * be used for both sides, which learn from each other. */
static stamma_move mover_view(stamma_move move, unsigned side)
{
    unsigned mirror = side == STAMMA_BLACK ? 56 : 0;
    move = stamma_move_with_from(move, stamma_move_from(move) ^ mirror);
    return stamma_move_with_to(move, stamma_move_to(move) ^ mirror);
}

/* Returns the entry with the countermove of the last move, which the other side has played. The countermove itself is
 * also stored as White would play it. */
static stamma_move *countermove(const stamma_position *position, stamma_move last)
{
    return &countermoves[stamma_move_butterfly(mover_view(last, position->side ^ 1u))];
}

/* Stores a quiet move that caused a cutoff, because it often causes cutoffs in similar positions. It becomes a killer
 * move of this ply, the countermove of the last move, and counts in the history of its squares. */
static void remember_cutoff(const stamma_position *position, stamma_move move, stamma_move last, unsigned ply,
                            unsigned depth)
{
    if (stamma_move_is_capture(move) || stamma_move_is_promotion(move))
        return;
    *countermove(position, last) = mover_view(move, position->side);
    if (killers[ply][0] != move) {
        killers[ply][1] = killers[ply][0];
        killers[ply][0] = move;
    }
    history[position->side][stamma_move_butterfly(move)] += depth * depth;
}

/* Sets a line to a move and the line after the move. */
static void set_line(line *l, stamma_move move, const line *after)
{
    l->moves[0] = move;
    memcpy(l->moves + 1, after->moves, after->count * sizeof *after->moves);
    l->count = after->count + 1;
}

/* Stores the best replies to a move of the root that is not better than an earlier move. */
static void remember_refutation(stamma_move move)
{
    size_t n = 0;
    while (n < refutation_count && refutations[n].moves[0] != move)
        n++;
    refutation_count += n == refutation_count;
    set_line(&refutations[n], move, &pv[1]);
}

/* Returns the line of the previous iteration that begins with a move of the root, or NULL. */
static const line *line_of(stamma_move move)
{
    if (use & USE_PV && principal.count > 0 && principal.moves[0] == move)
        return &principal;
    for (size_t n = 0; use & USE_REFUTATIONS && n < refutation_count; n++)
        if (refutations[n].moves[0] == move)
            return &refutations[n];
    return NULL;
}

/* ---- the order of moves ---- */

/* A node of the tree. */
typedef struct node {
    stamma_position position;
    unsigned ply;
    stamma_move last;   /* the move that led to this node; STAMMA_MOVE_NULL at the root */
    const line *follow; /* a line of the previous iteration whose first `ply` moves led to this node, or NULL */
} node;

/* Returns the move of the line that is followed, or STAMMA_MOVE_NULL. */
static stamma_move followed_move(const node *at)
{
    if (at->ply == 0)
        return use & USE_PV && principal.count > 0 ? principal.moves[0] : STAMMA_MOVE_NULL;
    return at->follow && at->ply < at->follow->count ? at->follow->moves[at->ply] : STAMMA_MOVE_NULL;
}

/* Returns the node after a move. */
static node node_after(const node *at, stamma_move move)
{
    node next = {.ply = at->ply + 1, .last = move};
    if (at->ply == 0)
        next.follow = line_of(move);
    else if (move == followed_move(at))
        next.follow = at->follow;
    stamma_position_make(&at->position, move, &next.position);
    return next;
}

/* Ranks the move of the followed line first, then the hash move, captures by most valuable victim and least valuable
 * attacker (the score of `move32`), killer moves, the countermove, and moves by history. */
static uint64_t rank_of(const node *at, stamma_move move, stamma_move best)
{
    const stamma_position *position = &at->position;
    if (move == followed_move(at))
        return UINT64_MAX;
    if (use & USE_HASH && move == best)
        return UINT64_MAX - 1;
    if (stamma_move_is_capture(move))
        return (UINT64_C(1) << 40) + stamma_move32_score(stamma_move32_of(position, move));
    if (use & USE_KILLERS && (move == killers[at->ply][0] || move == killers[at->ply][1]))
        return UINT64_C(1) << 39;
    if (use & USE_COUNTERMOVES && mover_view(move, position->side) == *countermove(position, at->last))
        return UINT64_C(1) << 38;
    return use & USE_HISTORY ? history[position->side][stamma_move_butterfly(move)] : 0;
}

/* Sorts moves by insertion, which keeps the order of equal moves, so that every run counts the same nodes. */
static void sort_moves(const node *at, stamma_move *moves, size_t count, stamma_move best)
{
    uint64_t ranks[STAMMA_MOVES_MAX];
    for (size_t n = 0; n < count; n++) {
        stamma_move move = moves[n];
        uint64_t rank = rank_of(at, move, best);
        size_t to = n;
        for (; to > 0 && ranks[to - 1] < rank; to--) {
            ranks[to] = ranks[to - 1];
            moves[to] = moves[to - 1];
        }
        ranks[to] = rank;
        moves[to] = move;
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

/* Returns whether an entry of the hash table decides a node. The root is always searched, to find its best move. */
static bool decides(const hash_entry *entry, const node *at, int alpha, int beta, unsigned depth)
{
    return entry->depth >= depth && at->ply > 0 &&
           (entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && entry->score >= beta) ||
            (entry->bound == BOUND_UPPER && entry->score <= alpha));
}

static int search(const node *at, int alpha, int beta, unsigned depth)
{
    nodes++;
    pv[at->ply].count = 0;
    if (depth == 0)
        return evaluate(&at->position);
    uint64_t key = stamma_position_key(&at->position);
    hash_entry *entry = probe(key);
    bool known = use & USE_HASH && entry->key == key && entry->bound != 0;
    if (known && decides(entry, at, alpha, beta, depth))
        return entry->score;
    stamma_move moves[STAMMA_MOVES_MAX], best = STAMMA_MOVE_NULL;
    size_t count = stamma_legal_moves_canonical(&at->position, moves);
    if (count == 0)
        return stamma_position_in_check(&at->position) ? -MATE + (int)at->ply : 0;
    sort_moves(at, moves, count, known ? entry->best : STAMMA_MOVE_NULL);
    int found = -INFINITE, first_alpha = alpha;
    for (size_t n = 0; n < count && alpha < beta; n++) {
        node next = node_after(at, moves[n]);
        int score = -search(&next, -beta, -alpha, depth - 1);
        if (score > found) {
            found = score;
            best = moves[n];
        }
        if (score > alpha) {
            alpha = score;
            set_line(&pv[at->ply], best, &pv[at->ply + 1]);
        } else if (at->ply == 0) {
            remember_refutation(moves[n]);
        }
        if (alpha >= beta)
            remember_cutoff(&at->position, moves[n], at->last, at->ply, depth);
    }
    uint8_t bound = found >= beta ? BOUND_LOWER : found > first_alpha ? BOUND_EXACT : BOUND_UPPER;
    *entry = (hash_entry){.key = key, .best = best, .score = (int16_t)found, .depth = (uint8_t)depth, .bound = bound};
    return found;
}

/* ---- main ---- */

/* Searches with increasing depth, and prints the score, the best move and the number of nodes. */
static void run(const stamma_position *position, unsigned depth, unsigned tables, const char *name)
{
    const node root = {.position = *position};
    char san[STAMMA_SAN_SIZE];
    int score = 0;
    clear_tables();
    use = tables;
    for (unsigned d = 1; d <= depth; d++) {
        score = search(&root, -INFINITE, INFINITE, d);
        principal = pv[0];
    }
    (void)stamma_san_write(position, principal.count ? principal.moves[0] : STAMMA_MOVE_NULL, san, sizeof san);
    printf("%-32s score %5d  best %-6s %9" PRIu64 " nodes\n", name, score, san, nodes);
}

/* Prints the principal variation of the last search. */
static void print_principal(stamma_position position)
{
    printf("principal variation:");
    for (size_t ply = 0; ply < principal.count; ply++) {
        char san[STAMMA_SAN_SIZE];
        (void)stamma_san_write(&position, principal.moves[ply], san, sizeof san);
        stamma_position_make(&position, principal.moves[ply], &position);
        printf(" %s%s", san, stamma_move_is_en_passant(principal.moves[ply]) ? " e.p." : "");
    }
    putchar('\n');
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
    unsigned quiet = USE_KILLERS | USE_HISTORY | USE_COUNTERMOVES, lines = USE_PV | USE_REFUTATIONS;
    run(&position, depth, 0, "captures first");
    run(&position, depth, USE_KILLERS, "killers");
    run(&position, depth, USE_HISTORY, "history");
    run(&position, depth, USE_COUNTERMOVES, "countermoves");
    run(&position, depth, USE_PV, "principal variation");
    run(&position, depth, USE_REFUTATIONS, "refutations");
    run(&position, depth, lines, "principal variation, refutations");
    run(&position, depth, USE_KILLERS | USE_HISTORY, "killers, history");
    run(&position, depth, quiet, "killers, history, countermoves");
    run(&position, depth, quiet | lines, "all except the hash table");
    run(&position, depth, USE_HASH | quiet | lines, "all tables");
    print_principal(position);
    return 0;
}
