/* SPDX-License-Identifier: MIT */
/* Measures how fast PGN is read, compared with pgn-extract on the same file in the same rounds.
 *
 * usage: pgn_bench [FILE.pgn...]
 *
 * Without files, uses otb_dev and lichess_dev from $SHARED/corpora, unpacked by the zstd program. Prints medians of
 * five rounds of processor time on one core for: tokens (events without playing the moves), played (every move resolved
 * and made), and pgn-extract -s -r, which reads and checks without writing. */
#include "bench.h"

#include <sys/resource.h>

enum { ROUNDS = 5 };

typedef struct file {
    const char *name;
    const char *path;
    memory text; /* read through a callback, as from a disk */
    size_t at;
} file;

/* ---- time ---- */

static double children_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* ---- measurements ---- */

static ptrdiff_t read_text(void *context, void *bytes, size_t size)
{
    file *f = context;
    const size_t left = f->text.size - f->at;
    size = size < left ? size : left;
    memcpy(bytes, f->text.bytes + f->at, size);
    f->at += size;
    return (ptrdiff_t)size;
}

static double read_events(file *f, bool tokens_only, unsigned long *plies)
{
    stamma_pgn_options options = {.size = sizeof options, .tokens_only = tokens_only, .move_numbers = tokens_only};
    const stamma_input input = {.context = f, .read = read_text};
    stamma_pgn_reader *reader;
    stamma_pgn_event event;
    double start = bench_processor();
    *plies = 0;
    f->at = 0;
    if (stamma_pgn_reader_open(&input, &options, &reader))
        exit(2);
    do {
        if (stamma_pgn_reader_next(reader, &event))
            exit(2);
        *plies += event.kind == STAMMA_PGN_MOVE && event.error == STAMMA_OK;
    } while (event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
    return bench_processor() - start;
}

/* Returns the seconds of pgn-extract, or 0 if it is not installed. */
static double run_peer(const file *f)
{
    char command[4096];
    snprintf(command, sizeof command, "pgn-extract -s -r '%s' >/dev/null 2>&1", f->path);
    double start = children_seconds();
    return system(command) == 0 ? children_seconds() - start : 0;
}

static void measure(file *f)
{
    double tokens[ROUNDS], played[ROUNDS], peer[ROUNDS];
    unsigned long plies;
    for (int i = 0; i < ROUNDS; i++) {
        tokens[i] = read_events(f, true, &plies);
        played[i] = read_events(f, false, &plies);
        peer[i] = run_peer(f);
    }
    double size = (double)f->text.size * 1e-6, token_time = bench_median(tokens, ROUNDS);
    double play_time = bench_median(played, ROUNDS), peer_time = bench_median(peer, ROUNDS);
    printf("%s, %.1f MB, %lu plies\n", f->name, size, plies);
    printf("  tokens       %7.1f MB/s", size / token_time);
    printf(peer_time > 0 ? "  %5.1f times pgn-extract\n" : "\n", peer_time / token_time);
    printf("  played       %7.1f MB/s", size / play_time);
    if (peer_time > 0)
        printf("  %5.1f times pgn-extract", peer_time / play_time);
    printf("  %5.1f million plies/s\n", (double)plies * 1e-6 / play_time);
    if (peer_time > 0)
        printf("  pgn-extract  %7.1f MB/s\n", size / peer_time);
    else
        puts("  pgn-extract is absent: nothing to compare with");
}

/* ---- files ---- */

static void measure_file(const char *name, const char *path)
{
    file f = {.name = name, .path = path, .text = memory_load(path)};
    if (f.text.size > 0)
        measure(&f);
    else
        printf("%s: absent or empty\n", name);
    free(f.text.bytes);
}

static void measure_corpus(const char *name)
{
    const char *shared = getenv("SHARED");
    char path[200], command[600];
    snprintf(path, sizeof path, "/tmp/stamma_bench_%ld_%s.pgn", (long)getpid(), name);
    snprintf(command, sizeof command, "zstd -q -d --long=27 '%.200s/corpora/%s.pgn.zst' -o '%s'",
             shared ? shared : "../shared", name, path);
    if (system(command) == 0)
        measure_file(name, path);
    else
        printf("%s: no such corpus\n", name);
    remove(path);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        measure_file(argv[i], argv[i]);
    if (argc == 1) {
        measure_corpus("otb_dev");
        measure_corpus("lichess_dev");
    }
    return 0;
}
