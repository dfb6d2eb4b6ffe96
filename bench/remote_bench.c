/* SPDX-License-Identifier: MIT */
/* Counts the pages that trees need from an archive and its index file, as if both were read over a network page by
 * page, and reports from which sections they come.
 *
 * usage: remote_bench ARCHIVE INDEX [GAMES]     run by remote.sh
 *
 * Both files are mapped without access. The first access to each page of 4,096 bytes is counted. Before each question,
 * both are opened again and all access is removed, so that nothing is cached. The questions are the trees of the first
 * 20 plies of GAMES games (200), each position once, with the names of the games that a tree shows.
 *
 * Prints for each measure its median, 90th percentile and largest value over all trees, and then the mean number of
 * pages of each section of doc/format/index_files.md. A *run* is a series of successive pages, which one read could
 * fetch. */
#define _GNU_SOURCE
#include "bench.h"

#include <signal.h>

enum { PAGE = 4096, PLIES = 20, QUESTIONS = 5000, TOUCHED = 1 << 20, SECTIONS = 27, PARTS = SECTIONS + 3 };
enum { PART_ARCHIVE = SECTIONS, PART_DIRECTORY, PART_OTHER };
enum { MEASURE_PAGES, MEASURE_INDEX_PAGES, MEASURE_ARCHIVE_PAGES, MEASURE_RUNS, MEASURE_KILOBYTES, MEASURES };

static const char *const part_names[PARTS] = {
    "node depths",  "node codes",  "node firsts", "depth minima", "minima of minima", "node starts",
    "node lists",   "node prints", "games",       "facts",        "non-games",        "blocks",
    "group starts", "lengths",     "own moves",   "crowded",      "list starts",      "lists",
    "name starts",  "names",       "name lists'", "name lists",   "players",          "odd",
    "sum nodes",    "sums",        "statistics",  "the archive",  "directory",        "other"};
static const char *const measure_names[MEASURES] = {"pages", "pages of the index", "pages of the archive", "runs",
                                                    "kilobytes"};

static memory archive, file;
static size_t touched[TOUCHED]; /* pages of the archive, followed by pages of the index */
static size_t touched_count;
static char questions[QUESTIONS][STAMMA_FEN_SIZE];
static size_t question_count;
static double values[MEASURES][QUESTIONS];
static double parts[PARTS];

/* ---- accesses ---- */

static size_t pages_of(const memory *m)
{
    return (m->size + PAGE - 1) / PAGE;
}

static void take_access(int signal_number, siginfo_t *info, void *context)
{
    const char *at = info->si_addr;
    const memory *m = at >= file.bytes && at < file.bytes + file.size ? &file : &archive;
    (void)context;
    if (at < m->bytes || at >= m->bytes + m->size) {
        signal(signal_number, SIG_DFL);
        return;
    }
    const size_t page = (size_t)(at - m->bytes) / PAGE;
    (void)mprotect(m->bytes + page * PAGE, PAGE, PROT_READ);
    if (touched_count < TOUCHED)
        touched[touched_count++] = page + (m == &file ? pages_of(&archive) : 0);
}

static void allow(int access)
{
    (void)mprotect(archive.bytes, archive.size, access);
    (void)mprotect(file.bytes, file.size, access);
}

/* ---- sections ---- */

static uint64_t get(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t n = size; n-- > 0;)
        value = value << 8 | at[n];
    return value;
}

/* Returns the part to which an offset of the index file belongs (doc/format/index_files.md, 1.3, 1.4 and 2.1). */
static unsigned part_of(uint64_t offset)
{
    const uint8_t *bytes = (const uint8_t *)file.bytes, *footer = bytes + file.size - 64;
    const uint8_t *directory = bytes + get(footer + 32, 8);
    if (offset + PAGE > get(footer + 32, 8))
        return PART_DIRECTORY;
    const uint8_t *segment = directory + 8 + 48 * get(directory, 4);
    for (uint64_t left = get(directory + 4, 4); left > 0; left--, segment += 496) {
        const uint64_t begin = get(segment, 8);
        if (offset < begin || offset >= begin + get(segment + 8, 8))
            continue;
        for (unsigned n = SECTIONS; n-- > 0;)
            if (begin + get(segment + 64 + 16 * n, 8) < offset + PAGE && get(segment + 72 + 16 * n, 8) > 0)
                return n;
    }
    return PART_OTHER;
}

/* ---- questions ---- */

static void add_question(const stamma_position *position)
{
    char fen[STAMMA_FEN_SIZE];
    stamma_fen_write(position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    for (size_t n = 0; n < question_count; n++)
        if (strcmp(questions[n], fen) == 0)
            return;
    if (question_count < QUESTIONS)
        memcpy(questions[question_count++], fen, sizeof fen);
}

static void sample(uint64_t games)
{
    stamma_archive *opened = memory_open(&archive, NULL);
    stamma_archive_reader *reader = bench_reader(opened, STAMMA_GAME_MOVES);
    const uint64_t count = bench_games(opened);
    for (uint64_t n = 0; n < games; n++) {
        const stamma_archive_game *game = bench_game(reader, 1 + n * count / games);
        stamma_position p = game->start;
        for (size_t ply = 0; ply <= PLIES && ply <= game->ply_count; ply++) {
            add_question(&p);
            if (ply < game->ply_count)
                stamma_position_make(&p, game->moves[ply], &p);
        }
    }
    stamma_archive_reader_close(reader);
    stamma_archive_close(opened);
}

static void ask(const char *fen, stamma_archive *opened)
{
    const stamma_text name = {"a", 1};
    stamma_position position;
    stamma_tree *result = NULL;
    bench_check(fen, stamma_fen_read((stamma_text){fen, strlen(fen)}, &position, NULL, NULL));
    bench_check(fen, stamma_tree_open(&position, NULL, &result));
    bench_check(fen, stamma_tree_add_archive(result, name, opened, NULL, NULL, NULL));
    bench_check(fen, stamma_tree_name_games(result, name, opened, NULL));
    stamma_tree_close(result);
}

/* ---- measuring ---- */

static int compare_pages(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

static void count_pages(size_t question)
{
    size_t runs = 0, own = 0, before = pages_of(&archive);
    values[MEASURE_PAGES][question] = (double)touched_count;
    qsort(touched, touched_count, sizeof *touched, compare_pages);
    for (size_t n = 0; n < touched_count; n++) {
        runs += n == 0 || touched[n] != touched[n - 1] + 1;
        own += touched[n] < before;
        parts[touched[n] < before ? PART_ARCHIVE : part_of((uint64_t)(touched[n] - before) * PAGE)]++;
    }
    values[MEASURE_ARCHIVE_PAGES][question] = (double)own;
    values[MEASURE_INDEX_PAGES][question] = (double)(touched_count - own);
    values[MEASURE_RUNS][question] = (double)runs;
    values[MEASURE_KILOBYTES][question] = (double)touched_count * PAGE / 1000;
}

static void print_all(void)
{
    printf("%-22s %10s %10s %10s\n", "a tree", "median", "90 %", "most");
    for (unsigned m = 0; m < MEASURES; m++) {
        const double median = bench_median(values[m], question_count);
        printf("%-22s %10.0f %10.0f %10.0f\n", measure_names[m], median, values[m][question_count * 9 / 10],
               values[m][question_count - 1]);
    }
    printf("\n%-22s %10s\n", "section", "mean pages");
    for (unsigned n = 0; n < PARTS; n++)
        if (parts[n] > 0)
            printf("%-22s %10.2f\n", part_names[n], parts[n] / (double)question_count);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: remote_bench ARCHIVE INDEX [GAMES]\n");
        return 1;
    }
    archive = memory_map(argv[1]);
    file = memory_map(argv[2]);
    sample(argc > 3 ? strtoull(argv[3], NULL, 10) : 200);
    const struct sigaction action = {.sa_sigaction = take_access, .sa_flags = SA_SIGINFO};
    (void)sigaction(SIGSEGV, &action, NULL);
    size_t opening = 0;
    for (size_t n = 0; n < question_count; n++) {
        touched_count = 0;
        allow(PROT_NONE);
        stamma_archive *opened = memory_open(&archive, &file);
        opening = touched_count;
        touched_count = 0;
        allow(PROT_NONE);
        ask(questions[n], opened);
        allow(PROT_READ);
        count_pages(n);
        stamma_archive_close(opened);
    }
    printf("%zu trees; pages to open archive and index: %zu\n", question_count, opening);
    print_all();
    return 0;
}
