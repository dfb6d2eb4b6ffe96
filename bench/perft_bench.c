/* SPDX-License-Identifier: MIT */
/* Compares bulk perft with stockfish's `go perft`, in turn in one run, on five standard positions of the Chess
 * Programming Wiki. Prints medians of five runs each in million nodes per second of processor time, and the ratio of
 * the two. Both use one thread; processor time excludes other work on the machine.
 *
 * usage: perft_bench [RUNS]     only the library is measured if stockfish is not on the PATH */
#include "bench.h"

#include <signal.h>

enum { RUNS_MAX = 99 };

static const struct {
    const char *name, *fen;
    unsigned depth;
    uint64_t nodes;
} positions[] = {
    {"initial", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324},
    {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690},
    {"position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178633661},
    {"position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6, 706045033},
    {"position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194},
};

/* Returns the processor seconds of a process; 0: this process. */
static double seconds(pid_t process)
{
    clockid_t clock;
    return clock_getcpuclockid(process, &clock) == 0 ? bench_clock(clock) : 0;
}

static void check(const char *who, const char *name, uint64_t nodes, uint64_t expected)
{
    if (nodes == expected)
        return;
    fprintf(stderr, "%s: %s: %" PRIu64 " nodes, not %" PRIu64 "\n", name, who, nodes, expected);
    exit(1);
}

static double time_stamma(size_t n)
{
    stamma_position position;
    stamma_text fen = {positions[n].fen, strlen(positions[n].fen)};
    if (stamma_fen_read(fen, &position, NULL, NULL) != STAMMA_OK)
        exit(1);
    double start = seconds(0);
    uint64_t nodes = stamma_perft(&position, positions[n].depth);
    double time = seconds(0) - start;
    check("stamma", positions[n].name, nodes, positions[n].nodes);
    return time;
}

/* ---- stockfish, connected by two pipes ---- */

typedef struct engine {
    pid_t process;
    FILE *to, *from; /* NULL: not available */
} engine;

/* Reads lines until one begins with `word`, and returns the number after it in *number. Returns false at the end of
 * input. */
static bool await(engine *e, const char *word, uint64_t *number)
{
    char line[512];
    while (fgets(line, sizeof line, e->from))
        if (strncmp(line, word, strlen(word)) == 0) {
            *number = strtoull(line + strlen(word), NULL, 10);
            return true;
        }
    return false;
}

static void become_stockfish(const int down[2], const int up[2])
{
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    close(down[1]);
    close(up[0]);
    execlp("stockfish", "stockfish", (char *)NULL);
    _exit(127);
}

static engine start_stockfish(void)
{
    engine e = {0, NULL, NULL};
    int down[2], up[2];
    uint64_t ignored;
    signal(SIGPIPE, SIG_IGN);
    if (pipe(down) || pipe(up))
        return e;
    e.process = fork();
    if (e.process == 0)
        become_stockfish(down, up);
    close(down[0]);
    close(up[1]);
    e.to = fdopen(down[1], "w");
    e.from = fdopen(up[0], "r");
    if (e.process < 0 || !e.to || !e.from || fputs("uci\n", e.to) < 0 || fflush(e.to) || !await(&e, "uciok", &ignored))
        e.to = NULL;
    return e;
}

static double time_stockfish(engine *e, size_t n)
{
    uint64_t nodes = 0;
    double start = seconds(e->process);
    fprintf(e->to, "position fen %s\ngo perft %u\n", positions[n].fen, positions[n].depth);
    fflush(e->to);
    await(e, "Nodes searched: ", &nodes);
    double time = seconds(e->process) - start;
    check("stockfish", positions[n].name, nodes, positions[n].nodes);
    return time;
}

/* ---- output ---- */

static double median_rate(double *times, int runs, uint64_t nodes)
{
    return (double)nodes / 1e6 / bench_median(times, (size_t)runs);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 5;
    double ours[RUNS_MAX], theirs[RUNS_MAX];
    if (runs < 1 || runs > RUNS_MAX)
        return 2;
    engine stockfish = start_stockfish();
    printf("bulk perft, Mn/s, median of %d   depth    stamma  stockfish  times\n", runs);
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++) {
        for (int run = 0; run < runs; run++) {
            ours[run] = time_stamma(n);
            if (stockfish.to)
                theirs[run] = time_stockfish(&stockfish, n);
        }
        double rate = median_rate(ours, runs, positions[n].nodes);
        printf("%-30s %7u %9.0f", positions[n].name, positions[n].depth, rate);
        if (stockfish.to) {
            double other = median_rate(theirs, runs, positions[n].nodes);
            printf(" %10.0f %6.2f", other, rate / other);
        }
        putchar('\n');
        fflush(stdout);
    }
    if (stockfish.to)
        fputs("quit\n", stockfish.to), fflush(stockfish.to);
    else
        puts("stockfish is not on the PATH: nothing to compare with");
    return 0;
}
