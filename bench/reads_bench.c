/* Counts what reading an archive through callbacks needs: reads, bytes and milliseconds.
 *
 * usage: reads_bench ARCHIVE
 *
 * A read is a call of the input's `read` callback. All reads are dependent: each needs the result of the one before.
 * Each question is asked with an input whose size is known, so that tables of blocks are used, and with one without a
 * size, for which the headers of all frames are read. Times are medians of five runs with the file in the system's
 * cache. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stamma.h"

enum { RUNS = 5 };

typedef struct counted {
    FILE *file;
    uint64_t size, reads, bytes;
} counted;

static ptrdiff_t read_counted(void *context, void *bytes, size_t size)
{
    counted *c = context;
    size_t got = fread(bytes, 1, size, c->file);
    c->reads++;
    c->bytes += got;
    return ferror(c->file) ? -1 : (ptrdiff_t)got;
}

static bool seek_counted(void *context, uint64_t offset)
{
    return fseeko(((counted *)context)->file, (off_t)offset, SEEK_SET) == 0;
}

static bool size_counted(void *context, uint64_t *size)
{
    *size = ((const counted *)context)->size;
    return true;
}

static void check(stamma_error error)
{
    if (error != STAMMA_OK) {
        fprintf(stderr, "reads_bench: %s\n", stamma_error_text(error));
        exit(1);
    }
}

/* ---- questions ---- */

static void ask_totals(stamma_archive_reader *reader, uint64_t games)
{
    stamma_archive_counts counts;
    check(stamma_archive_reader_totals(reader, &counts));
    if (counts.games != games)
        check(STAMMA_ERROR_CORRUPT);
}

static void ask_game(stamma_archive_reader *reader, uint64_t number)
{
    const stamma_archive_game *game;
    check(stamma_archive_reader_seek(reader, number));
    check(stamma_archive_reader_next(reader, &game));
    if (!game || game->number != number)
        check(STAMMA_ERROR_CORRUPT);
}

static void ask_middle(stamma_archive_reader *reader, uint64_t games)
{
    ask_game(reader, (games + 1) / 2);
}

static void ask_last(stamma_archive_reader *reader, uint64_t games)
{
    ask_game(reader, games);
}

/* ---- measuring ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Opens the archive and asks a question, RUNS times. */
static void measure(counted *c, const char *name, bool sized, void (*ask)(stamma_archive_reader *, uint64_t),
                    uint64_t games)
{
    const stamma_input input = {
        .context = c, .read = read_counted, .seek = seek_counted, .size = sized ? size_counted : NULL};
    double times[RUNS];
    for (int run = 0; run < RUNS; run++) {
        stamma_archive_reader *reader;
        const double begin = now();
        c->reads = c->bytes = 0;
        check(stamma_archive_reader_open(&input, NULL, &reader));
        ask(reader, games);
        times[run] = now() - begin;
        stamma_archive_reader_close(reader);
    }
    qsort(times, RUNS, sizeof *times, compare);
    printf("%-18s %-13s %8" PRIu64 " %12" PRIu64 " %10.2f\n", name, sized ? "tables" : "all frames", c->reads, c->bytes,
           times[RUNS / 2]);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*ask)(stamma_archive_reader *reader, uint64_t games);
    } questions[] = {{"totals", ask_totals}, {"game in the middle", ask_middle}, {"last game", ask_last}};
    counted c = {.file = argc == 2 ? fopen(argv[1], "rb") : NULL};
    if (!c.file || setvbuf(c.file, NULL, _IONBF, 0) != 0 || fseeko(c.file, 0, SEEK_END) != 0) {
        fprintf(stderr, "usage: reads_bench ARCHIVE\n");
        return 1;
    }
    c.size = (uint64_t)ftello(c.file);
    rewind(c.file);
    const stamma_input input = {.context = &c, .read = read_counted, .seek = seek_counted, .size = size_counted};
    stamma_archive_reader *reader;
    uint64_t games;
    check(stamma_archive_reader_open(&input, NULL, &reader));
    check(stamma_archive_reader_game_count(reader, &games));
    stamma_archive_reader_close(reader);
    printf("%s: %" PRIu64 " bytes, %" PRIu64 " games\n", argv[1], c.size, games);
    printf("%-18s %-13s %8s %12s %10s\n", "question", "opened by", "reads", "bytes", "ms");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        for (int sized = 0; sized < 2; sized++)
            measure(&c, questions[i].name, sized, questions[i].ask, games);
    (void)fclose(c.file);
    return 0;
}
