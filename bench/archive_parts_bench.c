/* SPDX-License-Identifier: MIT */
/* Measures the time for reading the games of an archive, by the parts that are selected, compared with unpacking it
 * without storing the text.
 *
 * usage: archive_parts_bench FILE...     archives, or PGN that is packed first; run by archive_parts_bench.sh
 *
 * Prints medians of five rounds of processor time on one core. */
#include "bench.h"

enum { ROUNDS = 5 };

static bool nowhere(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)context += size;
    return true;
}

/* The measured operations; the first is unpacking. */
static const struct {
    const char *name;
    unsigned parts;
} works[] = {{"unpack", 0},
             {"plies alone", 0},
             {"tags", STAMMA_GAME_TAGS},
             {"result", STAMMA_GAME_RESULT},
             {"moves", STAMMA_GAME_MOVES},
             {"tags and moves", STAMMA_GAME_TAGS | STAMMA_GAME_MOVES},
             {"clocks, evaluations", STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS},
             {"all but the text", STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT},
             {"all", STAMMA_GAME_ALL}};
enum { WORKS = sizeof works / sizeof *works };

static void iterate(stamma_archive_reader *reader, uint64_t *games)
{
    const stamma_archive_game *game;
    do {
        bench_check("next", stamma_archive_reader_next(reader, &game));
        *games += game != NULL;
    } while (game);
}

/* Returns the time of one round in seconds. The archive is opened each time, so that no block is cached. */
static double time_of(const memory *file, size_t work)
{
    uint64_t count = 0;
    stamma_output output = {.context = &count, .write = nowhere};
    const double begin = bench_processor();
    stamma_archive *archive = memory_open(file, NULL);
    stamma_archive_reader *reader = bench_reader(archive, works[work].parts);
    if (work == 0)
        bench_check("unpack", stamma_archive_reader_unpack(reader, &output));
    else
        iterate(reader, &count);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return bench_processor() - begin;
}

static void measure(const char *name, const memory *archive)
{
    double times[WORKS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (size_t work = 0; work < WORKS; work++)
            times[work][round] = time_of(archive, work);
    printf("%s, %zu bytes\n", name, archive->size);
    const double unpacking = bench_median(times[0], ROUNDS);
    for (size_t work = 0; work < WORKS; work++) {
        const double median = bench_median(times[work], ROUNDS);
        printf("  %-20s %7.3f s  %5.3f of unpacking\n", works[work].name, median, median / unpacking);
    }
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "archive_parts", measure);
}
