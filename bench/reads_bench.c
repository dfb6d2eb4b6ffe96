/* SPDX-License-Identifier: MIT */
/* Measures reading an archive through callbacks: number of reads, bytes and milliseconds.
 *
 * usage: reads_bench ARCHIVE
 *
 * A read is a call of `read_at`. All reads are dependent: each needs the result of the read before. Each question is
 * asked of an archive that was opened for it. Times are medians of five runs with the file in the system's cache. */
#include "bench.h"

enum { RUNS = 5 };

typedef struct counted {
    FILE *file;
    uint64_t size, reads, bytes;
} counted;

static bool read_counted(void *context, uint64_t offset, void *bytes, size_t size)
{
    counted *c = context;
    c->reads++;
    c->bytes += size;
    return fseeko(c->file, (off_t)offset, SEEK_SET) == 0 && fread(bytes, 1, size, c->file) == size;
}

/* ---- questions ---- */

static void ask_totals(stamma_archive_reader *reader, uint64_t games)
{
    stamma_archive_counts counts;
    bench_check("reads_bench", stamma_archive_reader_totals(reader, &counts));
    if (counts.games != games)
        bench_check("reads_bench", STAMMA_ERROR_CORRUPT);
}

static void ask_middle(stamma_archive_reader *reader, uint64_t games)
{
    (void)bench_game(reader, (games + 1) / 2);
}

static void ask_last(stamma_archive_reader *reader, uint64_t games)
{
    (void)bench_game(reader, games);
}

/* ---- measuring ---- */

static stamma_archive *open_counted(counted *c)
{
    const stamma_bytes bytes = {.size = c->size, .context = c, .read_at = read_counted};
    stamma_archive *archive = NULL;
    bench_check("reads_bench", stamma_archive_open(&bytes, NULL, &archive));
    return archive;
}

/* Opens the archive and asks a question, RUNS times. */
static void measure(counted *c, const char *name, void (*ask)(stamma_archive_reader *, uint64_t), uint64_t games)
{
    double times[RUNS];
    for (int run = 0; run < RUNS; run++) {
        const double begin = bench_elapsed();
        c->reads = c->bytes = 0;
        stamma_archive *archive = open_counted(c);
        stamma_archive_reader *reader = bench_reader(archive, STAMMA_GAME_ALL);
        ask(reader, games);
        times[run] = (bench_elapsed() - begin) * 1e3;
        stamma_archive_reader_close(reader);
        stamma_archive_close(archive);
    }
    printf("%-18s %8" PRIu64 " %12" PRIu64 " %10.2f\n", name, c->reads, c->bytes, bench_median(times, RUNS));
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
    stamma_archive *archive = open_counted(&c);
    const uint64_t games = bench_games(archive);
    stamma_archive_close(archive);
    printf("%s: %" PRIu64 " bytes, %" PRIu64 " games\n", argv[1], c.size, games);
    printf("%-18s %8s %12s %10s\n", "question", "reads", "bytes", "ms");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        measure(&c, questions[i].name, questions[i].ask, games);
    (void)fclose(c.file);
    return 0;
}
