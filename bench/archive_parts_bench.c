/* Measures the time for reading the games of an archive, by the parts that are selected, compared with unpacking it
 * without storing the text.
 *
 * usage: archive_parts_bench FILE...     archives, or PGN that is packed first; run by archive_parts_bench.sh
 *
 * Prints medians of five rounds of processor time on one core. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "archive_memory.h"

enum { ROUNDS = 5 };

static bool nowhere(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)context += size;
    return true;
}

/* What is measured; the first is unpacking. */
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
    clock_t begin = clock();
    stamma_archive_reader *reader = memory_reader(archive);
    if (!reader)
        return -1;
    stamma_error error =
        work == 0 ? stamma_archive_reader_unpack(reader, &output) : iterate(reader, works[work].parts, &count);
    stamma_archive_reader_close(reader);
    return error == STAMMA_OK ? (double)(clock() - begin) / CLOCKS_PER_SEC : -1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
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
    for (size_t work = 0; work < WORKS; work++)
        qsort(times[work], ROUNDS, sizeof **times, compare);
    printf("%s, %zu bytes\n", name, archive->size);
    for (size_t work = 0; work < WORKS; work++)
        printf("  %-20s %7.3f s  %5.3f of unpacking\n", works[work].name, times[work][ROUNDS / 2],
               times[work][ROUNDS / 2] / times[0][ROUNDS / 2]);
    return 0;
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "archive_parts", measure);
}
