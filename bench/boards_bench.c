/* SPDX-License-Identifier: MIT */
/* Measures the speed and size of each board representation.
 *
 * usage: boards_bench
 *
 * Prints perft of three positions in million leaves per second; moves are listed at the last ply, and made and unmade
 * before it. Then prints million moves made and unmade per second, without listing. All rates are per processor time of
 * one core, medians of five rounds. Each round runs all representations in turn for at least 40 ms each. `factor` is
 * the mean of the three perfts relative to the first line. The last line is stamma_perft, which counts moves without
 * listing them. */
#include "bench.h"

enum { ROUNDS = 5, BOARDS_MAX = 16 };

static const double least_seconds = 0.04;

static const struct {
    const char *name, *fen;
    unsigned depth;
} positions[] = {
    {"opening", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4},
    {"middle", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3},
    {"ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4},
};

enum { POSITIONS = sizeof positions / sizeof *positions };

static void set_up(const stamma_board *board, unsigned n, stamma_position *position, stamma_board_state *state)
{
    stamma_text fen = {positions[n].fen, strlen(positions[n].fen)};
    if (stamma_fen_read(fen, position, NULL, NULL) || (board && board->set_up(position, state)))
        exit(2);
}

/* Returns million leaves per second. NULL measures the library's own perft. */
static double perft_rate(const stamma_board *board, unsigned n)
{
    stamma_position position;
    stamma_board_state state;
    set_up(board, n, &position, &state);
    double start = bench_processor(), passed;
    uint64_t leaves = 0;
    do {
        leaves +=
            board ? stamma_board_perft(board, &state, positions[n].depth) : stamma_perft(&position, positions[n].depth);
        passed = bench_processor() - start;
    } while (passed < least_seconds);
    return (double)leaves / passed * 1e-6;
}

/* Returns million moves made and unmade per second, in the middle-game position. */
static double make_rate(const stamma_board *board)
{
    stamma_position position;
    stamma_board_state state;
    stamma_board_undo undo;
    stamma_move moves[STAMMA_MOVES_MAX];
    set_up(board, 1, &position, &state);
    size_t count = board->legal_moves(&state, moves);
    double start = bench_processor(), passed;
    uint64_t made = 0;
    do {
        for (unsigned round = 0; round < 1000; round++)
            for (size_t n = 0; n < count; n++) {
                board->make(&state, moves[n], &undo);
                board->unmake(&state, moves[n], &undo);
            }
        made += 1000 * count;
        passed = bench_processor() - start;
    } while (passed < least_seconds);
    return (double)made / passed * 1e-6;
}

/* Prints a row. `rates` are the rates of the perfts, followed by the rate of the moves made. */
static void print_row(const char *name, size_t size, double rates[POSITIONS + 1][ROUNDS], const double first[POSITIONS])
{
    double factor = 0;
    printf("%-15s %6zu", name, size);
    for (unsigned p = 0; p < POSITIONS; p++) {
        double middle = bench_median(rates[p], ROUNDS);
        printf(" %9.1f", middle);
        factor += middle / first[p] / POSITIONS;
    }
    printf(" %9.2f", factor);
    if (rates[POSITIONS][0] > 0)
        printf(" %9.1f", bench_median(rates[POSITIONS], ROUNDS));
    printf("\n");
}

int main(void)
{
    static double rates[BOARDS_MAX][POSITIONS + 1][ROUNDS];
    size_t count = 0;
    while (stamma_board_at(count) && count < BOARDS_MAX - 1)
        count++;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (size_t n = 0; n <= count; n++) {
            for (unsigned p = 0; p < POSITIONS; p++)
                rates[n][p][round] = perft_rate(stamma_board_at(n), p);
            if (n < count)
                rates[n][POSITIONS][round] = make_rate(stamma_board_at(n));
        }
    double first[POSITIONS];
    printf("%-15s %6s", "representation", "bytes");
    for (unsigned p = 0; p < POSITIONS; p++) {
        printf(" %9s", positions[p].name);
        first[p] = bench_median(rates[0][p], ROUNDS);
    }
    printf(" %9s %9s\n", "factor", "made");
    for (size_t n = 0; n < count; n++)
        print_row(stamma_board_at(n)->name, stamma_board_at(n)->size, rates[n], first);
    print_row("(stamma_perft)", sizeof(stamma_position), rates[count], first);
    return 0;
}
