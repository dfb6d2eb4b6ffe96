/* SPDX-License-Identifier: MIT */
/* Measures how long it needs to read a game by its number, with an archive that is open in memory.
 *
 * usage: access_bench FILE...     archives, or PGN that is packed first; run by access.sh
 *
 * Prints processor time in milliseconds: the median, the 95th percentile and the maximum of 200 games. `again` is an
 * archive that was opened for each game. Also prints how much longer the first games need if they are requested by
 * number, compared with reading them in order. */
#include "bench.h"

enum { GAMES = 200, IN_ORDER = 2000, ROUNDS = 5, NO_CACHE = 1 };

static stamma_archive *open_archive(const memory *file, uint64_t cache)
{
    const stamma_bytes bytes = stamma_bytes_of(file->bytes, file->size);
    const stamma_archive_options options = {.size = sizeof options, .cache = cache};
    stamma_archive *archive = NULL;
    bench_check("archive", stamma_archive_open(&bytes, &options, &archive));
    return archive;
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

static const struct {
    const char *name;
    uint64_t (*number)(uint64_t n, uint64_t games);
    bool again;
    uint64_t cache;
} orders[] = {{"at random, again", at_random, true, 0},
              {"at random", at_random, false, 0},
              {"at random, no cache", at_random, false, NO_CACHE},
              {"forwards", forwards, false, 0},
              {"backwards", backwards, false, 0}};

static void measure_order(const memory *file, size_t order)
{
    double times[GAMES];
    stamma_archive *archive = open_archive(file, orders[order].cache);
    stamma_archive_reader *reader = bench_reader(archive, STAMMA_GAME_ALL);
    const uint64_t games = bench_games(archive);
    for (uint64_t n = 0; n < GAMES; n++) {
        const double begin = bench_processor();
        if (orders[order].again) {
            stamma_archive_reader_close(reader);
            stamma_archive_close(archive);
            archive = open_archive(file, orders[order].cache);
            reader = bench_reader(archive, STAMMA_GAME_ALL);
        }
        (void)bench_game(reader, orders[order].number(n, games));
        times[n] = (bench_processor() - begin) * 1e3;
    }
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    const double median = bench_median(times, GAMES);
    printf("  %-22s %7.2f %7.2f %7.2f\n", orders[order].name, median, times[GAMES * 95 / 100], times[GAMES - 1]);
}

/* Returns the time to read the first games, by number or in order. */
static double time_in_order(const memory *file, uint64_t count, bool by_number)
{
    stamma_archive *archive = open_archive(file, 0);
    stamma_archive_reader *reader = bench_reader(archive, STAMMA_GAME_ALL);
    const stamma_archive_game *game = NULL;
    const double begin = bench_processor();
    for (uint64_t n = 1; n <= count; n++)
        if (by_number)
            (void)bench_game(reader, n);
        else
            bench_check("next", stamma_archive_reader_next(reader, &game));
    const double time = bench_processor() - begin;
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return time;
}

static void measure_in_order(const memory *file)
{
    double ratios[ROUNDS];
    stamma_archive *archive = open_archive(file, 0);
    const uint64_t games = bench_games(archive), count = games < IN_ORDER ? games : IN_ORDER;
    stamma_archive_close(archive);
    for (size_t n = 0; n < ROUNDS; n++)
        ratios[n] = time_in_order(file, count, true) / time_in_order(file, count, false);
    printf("  %-22s %7.2f times reading in order\n", "in order, by number", bench_median(ratios, ROUNDS));
}

static void measure(const char *name, const memory *archive)
{
    printf("%-24s %7s %7s %7s ms\n", name, "median", "95 %", "most");
    for (size_t order = 0; order < sizeof orders / sizeof *orders; order++)
        measure_order(archive, order);
    measure_in_order(archive);
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "access", measure);
}
