/* SPDX-License-Identifier: MIT */
/* Measures reading an archive through callbacks: number of reads, bytes and milliseconds.
 *
 * usage: reads_bench ARCHIVE
 *
 * A read is a call of the input's `read` callback. All reads are dependent: each needs the result of the read before.
 * Each question is measured with an input whose size is known, so that tables of blocks are used, and with an input of
 * unknown size, for which the headers of all frames are read. Times are medians of five runs with the file in the
 * system's cache. */
#include "bench.h"

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

/* ---- questions ---- */

static void ask_totals(stamma_archive_reader *reader, uint64_t games)
{
    stamma_archive_counts counts;
    bench_check("reads_bench", stamma_archive_reader_totals(reader, &counts));
    if (counts.games != games)
        bench_check("reads_bench", STAMMA_ERROR_CORRUPT);
}

static void ask_game(stamma_archive_reader *reader, uint64_t number)
{
    const stamma_archive_game *game;
    bench_check("reads_bench", stamma_archive_reader_seek(reader, number));
    bench_check("reads_bench", stamma_archive_reader_next(reader, &game));
    if (!game || game->number != number)
        bench_check("reads_bench", STAMMA_ERROR_CORRUPT);
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

/* Opens the archive and asks a question, RUNS times. */
static void measure(counted *c, const char *name, bool sized, void (*ask)(stamma_archive_reader *, uint64_t),
                    uint64_t games)
{
    const stamma_input input = {
        .context = c, .read = read_counted, .seek = seek_counted, .size = sized ? size_counted : NULL};
    double times[RUNS];
    for (int run = 0; run < RUNS; run++) {
        stamma_archive_reader *reader;
        const double begin = bench_elapsed();
        c->reads = c->bytes = 0;
        bench_check("reads_bench", stamma_archive_reader_open(&input, NULL, &reader));
        ask(reader, games);
        times[run] = (bench_elapsed() - begin) * 1e3;
        stamma_archive_reader_close(reader);
    }
    printf("%-18s %-13s %8" PRIu64 " %12" PRIu64 " %10.2f\n", name, sized ? "tables" : "all frames", c->reads, c->bytes,
           bench_median(times, RUNS));
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
    bench_check("reads_bench", stamma_archive_reader_open(&input, NULL, &reader));
    bench_check("reads_bench", stamma_archive_reader_game_count(reader, &games));
    stamma_archive_reader_close(reader);
    printf("%s: %" PRIu64 " bytes, %" PRIu64 " games\n", argv[1], c.size, games);
    printf("%-18s %-13s %8s %12s %10s\n", "question", "opened by", "reads", "bytes", "ms");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        for (int sized = 0; sized < 2; sized++)
            measure(&c, questions[i].name, sized, questions[i].ask, games);
    (void)fclose(c.file);
    return 0;
}
