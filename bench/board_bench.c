/* SPDX-License-Identifier: MIT */
/* Measures the cost of single queries to the board, in nanoseconds of processor time: the best of nine rounds over the
 * positions of random games from the initial position and from Chess960 starts. */
#include "bench.h"

enum { POSITIONS = 20000, PLIES = 100, ROUNDS = 9 };

static stamma_position positions[POSITIONS];
static stamma_move moves[POSITIONS]; /* one legal move in each position */
static volatile uint64_t sink;       /* keeps the compiler from removing calls */

static uint64_t random_next(void)
{
    static uint64_t state = 1;
    return bench_random(&state);
}

static void play_games(void)
{
    stamma_position p = stamma_position_start();
    for (size_t n = 0, ply = 0; n < POSITIONS; ply++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        size_t count = stamma_legal_moves(&p, legal);
        if (count == 0 || ply == PLIES) {
            unsigned number = random_next() % 2 ? 518u : (unsigned)(random_next() % 960);
            stamma_position_chess960(number, &p);
            ply = 0;
            continue;
        }
        positions[n] = p;
        moves[n] = legal[random_next() % count];
        stamma_position_make(&p, moves[n++], &p);
    }
}

/* ---- queries, each on one position ---- */

static uint64_t ask_list(size_t n)
{
    stamma_move legal[STAMMA_MOVES_MAX];
    return stamma_legal_moves(&positions[n], legal);
}
static uint64_t ask_canonical(size_t n)
{
    stamma_move legal[STAMMA_MOVES_MAX];
    return stamma_legal_moves_canonical(&positions[n], legal);
}
static uint64_t ask_count(size_t n)
{
    return stamma_legal_moves_count(&positions[n]);
}
static uint64_t ask_legal(size_t n)
{
    return stamma_move_is_legal(&positions[n], moves[n]);
}
static uint64_t ask_other(size_t n)
{
    return stamma_move_is_legal(&positions[n], moves[(n + 1) % POSITIONS]);
}
static uint64_t ask_check(size_t n)
{
    return stamma_move_gives_check(&positions[n], moves[n]);
}
static uint64_t ask_in_check(size_t n)
{
    return stamma_position_in_check(&positions[n]);
}
static uint64_t ask_key(size_t n)
{
    return stamma_position_key(&positions[n]);
}
static uint64_t ask_polyglot(size_t n)
{
    return stamma_position_polyglot_key(&positions[n]);
}
static uint64_t ask_status(size_t n)
{
    return stamma_position_status(&positions[n], NULL, 0);
}
/* Makes moves in place, so that within a game each move depends on the one before. */
static uint64_t ask_play(size_t n)
{
    static stamma_position p;
    if (positions[n].fullmove_number == 1)
        p = positions[n];
    stamma_position_make(&p, moves[n], &p);
    return p.key;
}
static uint64_t ask_make(size_t n)
{
    stamma_position after;
    stamma_position_make(&positions[n], moves[n], &after);
    return after.key;
}

static void measure(const char *name, uint64_t (*ask)(size_t))
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t sum = 0;
        double start = bench_processor();
        for (size_t n = 0; n < POSITIONS; n++)
            sum += ask(n);
        double time = bench_processor() - start;
        best = time < best ? time : best;
        sink = sum;
    }
    printf("%-42s %8.1f ns\n", name, best / POSITIONS * 1e9);
}

int main(void)
{
    play_games();
    measure("list the legal moves", ask_list);
    measure("list them in canonical order", ask_canonical);
    measure("count them", ask_count);
    measure("is a legal move legal", ask_legal);
    measure("is another position's move legal", ask_other);
    measure("does a move give check", ask_check);
    measure("make a move, with its key", ask_make);
    measure("make moves in a row, in place", ask_play);
    measure("is the side to move in check", ask_in_check);
    measure("key", ask_key);
    measure("Polyglot's key", ask_polyglot);
    measure("status, without history", ask_status);
    return 0;
}
