/* Perft against published counts, in bulk and plain. STAMMA_PERFT_NODES sets how many nodes a line of the suites may
 * cost (default 400000): `make check-long` raises it. */
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

/* The five usual positions and the sixth, as published on the Chess Programming Wiki ("Perft Results"). */
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

/* Counts one line of a suite where it is the deepest within the budget; `depth` and `nodes` are that line's. */
static bool count_line(const char *id, const char *epd, unsigned depth, uint64_t nodes)
{
    stamma_position position;
    unsigned problems = 0;
    if (stamma_fen_read(text_of(epd), &position, &problems, NULL) != STAMMA_OK) {
        print_message("%s: not set up: %s\n", id, stamma_setup_problem_text(problems));
        return false;
    }
    uint64_t counted = stamma_perft(&position, depth);
    if (counted != nodes)
        fail_msg("%s: %s: depth %u: %" PRIu64 ", not %" PRIu64, id, epd, depth, counted, nodes);
    return true;
}

static uint64_t node_budget(void)
{
    const char *text = getenv("STAMMA_PERFT_NODES");
    return text ? strtoull(text, NULL, 10) : 400000;
}

/* Reads `id`, `epd` and `perft` lines; each position is counted once, at the deepest depth within the budget. */
static void run_suite(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("%s is not there: skipped\n", path);
        skip();
    }
    char line[256], id[64] = "", epd[128] = "";
    unsigned depth = 0, lines = 0;
    uint64_t nodes = 0, total = 0, budget = node_budget();
    bool more = true;
    while (more) {
        more = fgets(line, sizeof line, file) != NULL;
        unsigned d;
        uint64_t n;
        if (!more || strncmp(line, "id ", 3) == 0) {
            if (depth)
                lines += count_line(id, epd, depth, nodes), total += nodes;
            depth = 0;
            sscanf(line, "id %63s", id);
        } else if (strncmp(line, "epd ", 4) == 0) {
            sscanf(line, "epd %127[^\r\n]", epd);
        } else if (sscanf(line, "perft %u %" SCNu64, &d, &n) == 2 && n <= budget && d > depth) {
            depth = d;
            nodes = n;
        }
    }
    fclose(file);
    print_message("%s: %u positions, %" PRIu64 " nodes\n", path, lines, total);
    assert_true(lines > 0);
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
