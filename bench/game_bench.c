/* SPDX-License-Identifier: MIT */
/* Measures how long an open reader needs to read a game by its number.
 *
 * usage: game_bench FILE...     archives, or PGN that is packed first; run by game_bench.sh
 *
 * Prints processor time in milliseconds: the median, the 95th percentile and the maximum. */
#include "bench.h"

enum { GAMES = 400 };

/* Returns the time for a game in milliseconds; below 0: an error. */
static double time_of(stamma_archive_reader *reader, uint64_t number)
{
    const stamma_archive_game *game = NULL;
    const double begin = bench_processor();
    stamma_error error = stamma_archive_reader_seek(reader, number);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_next(reader, &game);
    const double end = bench_processor();
    if (error != STAMMA_OK || !game || game->number != number)
        return -1;
    return (end - begin) * 1e3;
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

/* `fresh`: each game is read with a new reader, whose opening is not measured. */
static const struct {
    const char *name;
    uint64_t (*number)(uint64_t n, uint64_t games);
    bool fresh;
} orders[] = {{"the first, reader new", first, true},
              {"at random, reader new", at_random, true},
              {"at random", at_random, false},
              {"forwards", forwards, false},
              {"backwards", backwards, false}};

static bool measure_order(memory *archive, size_t order)
{
    double times[GAMES];
    uint64_t games = 0;
    bool fine = true;
    stamma_archive_reader *reader = memory_reader(archive);
    fine = reader && stamma_archive_reader_game_count(reader, &games) == STAMMA_OK && games > 0;
    for (uint64_t n = 0; n < GAMES && fine; n++) {
        if (orders[order].fresh) {
            stamma_archive_reader_close(reader);
            reader = memory_reader(archive);
        }
        times[n] = reader ? time_of(reader, orders[order].number(n, games)) : -1;
        fine = times[n] >= 0;
    }
    stamma_archive_reader_close(reader);
    if (!fine)
        return false;
    const double median = bench_median(times, GAMES);
    printf("  %-22s %7.2f %7.2f %7.2f\n", orders[order].name, median, times[GAMES * 95 / 100], times[GAMES - 1]);
    return true;
}

static int measure(const char *name, memory *archive)
{
    bool fine = true;
    printf("%-24s %7s %7s %7s ms\n", name, "median", "95 %", "most");
    for (size_t order = 0; order < sizeof orders / sizeof *orders && fine; order++)
        fine = measure_order(archive, order);
    if (!fine)
        printf("game: %s: cannot be read\n", name);
    return !fine;
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "game", measure);
}
