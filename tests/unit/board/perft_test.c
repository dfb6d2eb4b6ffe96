/* SPDX-License-Identifier: MIT */
/* Compares perft with published counts, with and without bulk counting. STAMMA_PERFT_NODES sets the number of nodes for
 * each line of the suites (default 400000). `make check-long` raises it. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "sample_positions.h"

typedef struct known {
    const char *epd;
    unsigned depth;
    uint64_t nodes;
} known;

/* The five common positions and the sixth, from the Chess Programming Wiki ("Perft Results"). */
static const known usual[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 5, 4865609},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 4, 4085603},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 5, 674624},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 4, 422333},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 4, 2103487},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", 4, 3894594},
};

static void usual_positions(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof usual / sizeof *usual; n++) {
        stamma_position position = position_of_fen(usual[n].epd);
        assert_int_equal(stamma_perft(&position, usual[n].depth), usual[n].nodes);
        assert_int_equal(stamma_perft_plain(&position, usual[n].depth), usual[n].nodes);
    }
}

static void shallow_depths(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    assert_int_equal(stamma_perft(&start, 0), 1);
    assert_int_equal(stamma_perft_plain(&start, 0), 1);
    assert_int_equal(stamma_perft(&start, 1), 20);
    assert_int_equal(stamma_perft_plain(&start, 1), 20);
    stamma_position mated = position_of_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -");
    assert_int_equal(stamma_perft(&mated, 3), 0);
}

/* A position of a suite with its published node counts by depth; NOT_GIVEN if there is none. */
#define NOT_GIVEN UINT64_MAX
enum { DEPTHS = 16, PLAIN_NODES = 10000 };
typedef struct entry {
    char id[64], epd[128];
    uint64_t nodes[DEPTHS];
} entry;

/* Returns the largest depth whose nodes are within a budget, or 0. */
static unsigned depth_within(const entry *e, uint64_t budget)
{
    unsigned depth = DEPTHS - 1;
    while (depth > 0 && (e->nodes[depth] == NOT_GIVEN || e->nodes[depth] > budget))
        depth--;
    return depth;
}

static uint64_t check_depth(const entry *e, const char *how, unsigned depth, uint64_t counted)
{
    if (counted != e->nodes[depth])
        fail_msg("%s: %s: %s, depth %u: %" PRIu64 ", not %" PRIu64, e->id, e->epd, how, depth, counted,
                 e->nodes[depth]);
    return counted;
}

/* Counts a position in bulk within the budget, and without bulk counting within PLAIN_NODES. Returns the nodes.
 * Skips illegal set-ups; the suites contain one. */
static uint64_t count_entry(const entry *e, uint64_t budget)
{
    stamma_position position;
    unsigned problems = 0, depth = depth_within(e, budget), plain_depth = depth_within(e, PLAIN_NODES);
    if (stamma_fen_read(text_of(e->epd), &position, &problems, NULL) != STAMMA_OK) {
        print_message("%s: not set up: %s\n", e->id, stamma_setup_problem_text(problems));
        return 0;
    }
    if (plain_depth)
        check_depth(e, "plain", plain_depth, stamma_perft_plain(&position, plain_depth));
    return depth ? check_depth(e, "bulk", depth, stamma_perft(&position, depth)) : 0;
}

/* Reads the lines of one position. Returns false at the end of the file. */
static bool read_entry(FILE *file, entry *e)
{
    char line[256];
    unsigned depth;
    uint64_t nodes;
    memset(e->nodes, 0xFF, sizeof e->nodes);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '\n' && e->nodes[1] != NOT_GIVEN)
            return true;
        sscanf(line, "id %63s", e->id);
        sscanf(line, "epd %127[^\r\n]", e->epd);
        if (sscanf(line, "perft %u %" SCNu64, &depth, &nodes) == 2 && depth < DEPTHS)
            e->nodes[depth] = nodes;
    }
    return e->nodes[1] != NOT_GIVEN;
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void run_suite(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("%s is not there\n", path);
        skip();
    }
    entry e;
    uint64_t budget = number_from("STAMMA_PERFT_NODES", 1000000), total = 0;
    uint64_t parts = number_from("STAMMA_PERFT_PARTS", 1), part = number_from("STAMMA_PERFT_PART", 0);
    unsigned positions = 0, counted = 0;
    for (; read_entry(file, &e); positions++)
        if (positions % parts == part) {
            total += count_entry(&e, budget);
            counted++;
        }
    fclose(file);
    print_message("%s: %u of %u positions, %" PRIu64 " nodes\n", path, counted, positions, total);
    assert_true(positions > 0);
}

static void suite_tricky(void **state)
{
    (void)state, run_suite("../shared/perft/tricky.perft");
}
static void suite_chess960(void **state)
{
    (void)state, run_suite("../shared/perft/chess960.perft");
}
static void suite_random(void **state)
{
    (void)state, run_suite("../shared/perft/random.perft");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shallow_depths), cmocka_unit_test(usual_positions), cmocka_unit_test(suite_tricky),
        cmocka_unit_test(suite_chess960), cmocka_unit_test(suite_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
