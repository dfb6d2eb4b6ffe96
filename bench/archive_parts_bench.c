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

static stamma_error iterate(stamma_archive_reader *reader, unsigned parts, uint64_t *games)
{
    const stamma_archive_game *game;
    stamma_error error = stamma_archive_reader_select(reader, parts);
    if (error != STAMMA_OK)
        return error;
    while ((error = stamma_archive_reader_next(reader, &game)) == STAMMA_OK && game)
        ++*games;
    return error;
}

/* Returns the time of one round in seconds; below 0: an error. */
static double time_of(memory *archive, size_t work)
{
    uint64_t count = 0;
    stamma_output output = {.context = &count, .write = nowhere};
    const double begin = bench_processor();
    stamma_archive_reader *reader = memory_reader(archive);
    if (!reader)
        return -1;
    stamma_error error =
        work == 0 ? stamma_archive_reader_unpack(reader, &output) : iterate(reader, works[work].parts, &count);
    stamma_archive_reader_close(reader);
    return error == STAMMA_OK ? bench_processor() - begin : -1;
}

static int measure(const char *name, memory *archive)
{
    double times[WORKS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (size_t work = 0; work < WORKS; work++)
            if ((times[work][round] = time_of(archive, work)) < 0) {
                printf("archive_parts: %s: %s fails\n", name, works[work].name);
                return 1;
            }
    printf("%s, %zu bytes\n", name, archive->size);
    const double unpacking = bench_median(times[0], ROUNDS);
    for (size_t work = 0; work < WORKS; work++) {
        const double median = bench_median(times[work], ROUNDS);
        printf("  %-20s %7.3f s  %5.3f of unpacking\n", works[work].name, median, median / unpacking);
    }
    return 0;
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "archive_parts", measure);
}
