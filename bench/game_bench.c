/* SPDX-License-Identifier: MIT */
/* Measures how long an open reader needs to read a game by its number.
 *
 * usage: game_bench FILE...     archives, or PGN that is packed first; run by game_bench.sh
 *
 * Prints processor time in milliseconds: the median, the 95th percentile and the maximum. */
#include "bench.h"

enum { GAMES = 400 };

/* Returns the time for a game in milliseconds. */
static double time_of(stamma_archive_reader *reader, uint64_t number)
{
    const double begin = bench_processor();
    (void)bench_game(reader, number);
    return (bench_processor() - begin) * 1e3;
}

/* ---- orders of access ---- */

static uint64_t at_random(uint64_t n, uint64_t games)
{
    uint64_t state = n * UINT64_C(0x9E3779B97F4A7C15);
    return bench_random(&state) % games + 1;
}

static uint64_t forwards(uint64_t n, uint64_t games)
{
    return n * games / GAMES + 1;
}

static uint64_t backwards(uint64_t n, uint64_t games)
{
    return games - forwards(n, games) + 1;
}

static uint64_t first(uint64_t n, uint64_t games)
{
    return n * 0 + (games > 0);
}

/* `fresh`: each game is read from an archive that was opened for it, so that no block is cached. Opening the archive
 * and its reader is not measured. */
static const struct {
    const char *name;
    uint64_t (*number)(uint64_t n, uint64_t games);
    bool fresh;
} orders[] = {{"the first, archive new", first, true},
              {"at random, archive new", at_random, true},
              {"at random", at_random, false},
              {"forwards", forwards, false},
              {"backwards", backwards, false}};

static void measure_order(const memory *file, size_t order)
{
    double times[GAMES];
    stamma_archive *archive = memory_open(file, NULL);
    stamma_archive_reader *reader = bench_reader(archive, STAMMA_GAME_ALL);
    const uint64_t games = bench_games(archive);
    for (uint64_t n = 0; n < GAMES; n++) {
        if (orders[order].fresh) {
            stamma_archive_reader_close(reader);
            stamma_archive_close(archive);
            archive = memory_open(file, NULL);
            reader = bench_reader(archive, STAMMA_GAME_ALL);
        }
        times[n] = time_of(reader, orders[order].number(n, games));
    }
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    const double median = bench_median(times, GAMES);
    printf("  %-22s %7.2f %7.2f %7.2f\n", orders[order].name, median, times[GAMES * 95 / 100], times[GAMES - 1]);
}

static void measure(const char *name, const memory *archive)
{
    printf("%-24s %7s %7s %7s ms\n", name, "median", "95 %", "most");
    for (size_t order = 0; order < sizeof orders / sizeof *orders; order++)
        measure_order(archive, order);
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "game", measure);
}
