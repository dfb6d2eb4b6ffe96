/* SPDX-License-Identifier: MIT */
/* Many positions for tests, the same on every machine and in each run. */
#ifndef STAMMA_TESTS_SAMPLE_POSITIONS_H
#define STAMMA_TESTS_SAMPLE_POSITIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline stamma_text text_of(const char *string)
{
    stamma_text text = {string, strlen(string)};
    return text;
}

static inline stamma_position position_of_fen(const char *fen)
{
    stamma_position position;
    if (stamma_fen_read(text_of(fen), &position, NULL, NULL) != STAMMA_OK) {
        fprintf(stderr, "no legal FEN: %s\n", fen);
        abort();
    }
    return position;
}

/* Positions that need care: many pieces that can reach one square, pins, checks, en passant, promotions, castling. */
static const char *const sample_starts[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "7k/8/1N3N2/8/2N1N3/8/1N3N2/K7 w - - 0 1",
    "1k6/8/8/R5R1/8/8/R5R1/1K6 w - - 0 1",
    "3r1r2/8/8/2b1b3/3k4/2b1b3/8/3K4 b - - 0 1",
    "8/8/8/1k1PpP2/8/8/8/1K6 w - e6 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/4r3/8/8/4N3/2N3N1/4N3/4K3 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    "1rk1r3/8/8/8/8/8/8/RRK1R1R1 w EBeb - 0 1",
    "rkr5/8/8/8/8/8/8/5RKR w HFca - 0 1",
};

enum { SAMPLE_STARTS = sizeof sample_starts / sizeof *sample_starts };

/* Calls `visit` for every position of random walks from these positions and from Chess960 positions. */
static inline void each_sample(unsigned walks, unsigned plies, void (*visit)(const stamma_position *position))
{
    uint64_t random = 1;
    for (unsigned walk = 0; walk < walks; walk++) {
        stamma_position position;
        if (walk % 2 == 0)
            position = position_of_fen(sample_starts[walk / 2 % SAMPLE_STARTS]);
        else
            stamma_position_chess960((unsigned)(random_next(&random) % 960), &position);
        for (unsigned ply = 0; ply < plies; ply++) {
            stamma_move moves[STAMMA_MOVES_MAX];
            visit(&position);
            size_t count = stamma_legal_moves(&position, moves);
            if (count == 0)
                break;
            stamma_position_make(&position, moves[random_next(&random) % count], &position);
        }
    }
}

/* Calls `visit` for every line of ../shared/perft/NAME that begins with "epd ", without this prefix. Returns false
 * if the file does not exist. */
static inline bool each_perft_epd(const char *name, void (*visit)(const char *epd))
{
    const char *shared = getenv("SHARED");
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/perft/%s", shared ? shared : "../shared", name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "epd ", 4) == 0)
            visit(line + 4);
    }
    fclose(file);
    return true;
}

static void (*perft_visitor)(const stamma_position *position);

static inline void visit_perft_epd(const char *epd)
{
    stamma_position position;
    if (stamma_epd_read(text_of(epd), &position, NULL, NULL, NULL) == STAMMA_OK)
        perft_visitor(&position);
}

/* Calls `visit` for every legal position of the perft suites. Returns false if they do not exist. */
static inline bool each_perft_position(void (*visit)(const stamma_position *position))
{
    perft_visitor = visit;
    return each_perft_epd("random.perft", visit_perft_epd) && each_perft_epd("tricky.perft", visit_perft_epd) &&
           each_perft_epd("chess960.perft", visit_perft_epd);
}

#endif
