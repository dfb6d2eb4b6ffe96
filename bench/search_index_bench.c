/* SPDX-License-Identifier: MIT */
/* Measures the time for searches with an open index, as in a server.
 *
 * usage: search_index_bench ARCHIVE THREADS <QUESTIONS     run by search.sh
 *
 * A question is a line: "find " and a query as JSON, or "tree ", a FEN, and optionally a tab and a query. "tree-names"
 * instead of "tree" also reads the names of example games. First prints how long opening the index took and its size.
 * Then prints for each question the number of games found, and elapsed and processor time in milliseconds, as medians
 * of several rounds. */
#include "bench.h"
#include "threads/worker_threads.h"

enum { ROUNDS = 9, LINE = 8192 };

/* ---- questions ---- */

typedef struct archive {
    memory file;
    stamma_search_index *index;
    stamma_executor executor;
} archive;

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_problem fault = {.offset = 0};
    if (stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query) != STAMMA_OK) {
        fprintf(stderr, "search_index_bench: %s: %s\n", json, fault.message);
        exit(1);
    }
    return query;
}

static uint64_t find(const archive *a, const stamma_query *query, const stamma_search_options *options)
{
    stamma_search *search;
    const stamma_match *match;
    uint64_t games = 0;
    bench_check("search", stamma_search_open(a->file.bytes, a->file.size, query, options, &search));
    while (stamma_search_next(search, &match) == STAMMA_OK && match)
        games++;
    stamma_search_close(search);
    return games;
}

static uint64_t count_tree(const archive *a, const stamma_position *position, const stamma_query *query,
                           const stamma_search_options *options, bool names)
{
    const stamma_text name = {"a", 1};
    stamma_tree *tree;
    bench_check("tree", stamma_tree_open(position, NULL, &tree));
    bench_check("tree", stamma_tree_add_archive(tree, name, a->file.bytes, a->file.size, query, options, NULL));
    if (names)
        bench_check("names", stamma_tree_name_games(tree, name, a->file.bytes, a->file.size, options));
    uint64_t games = stamma_tree_total(tree).games;
    stamma_tree_close(tree);
    return games;
}

/* ---- measurement ---- */

static void ask(const archive *a, char *line)
{
    const stamma_search_options options = {.size = sizeof options, .executor = &a->executor, .index = a->index};
    double times[ROUNDS], processor[ROUNDS];
    uint64_t games = 0;
    bool tree = strncmp(line, "tree", 4) == 0, names = strncmp(line, "tree-names ", 11) == 0;
    char *rest = strchr(line, ' ') + 1, *json = tree ? strchr(rest, '\t') : rest;
    stamma_position position = stamma_position_start();
    if (tree) {
        size_t size = json ? (size_t)(json++ - rest) : strlen(rest);
        bench_check(rest, stamma_fen_read((stamma_text){rest, size}, &position, NULL, NULL));
    }
    stamma_query *query = json ? parse(json) : NULL;
    for (size_t n = 0; n < ROUNDS; n++) {
        const double begin = bench_elapsed(), spent = bench_processor();
        games = tree ? count_tree(a, &position, query, &options, names) : find(a, query, &options);
        times[n] = (bench_elapsed() - begin) * 1e3;
        processor[n] = (bench_processor() - spent) * 1e3;
    }
    stamma_query_close(query);
    printf("%" PRIu64 "\t%.2f\t%.2f\t%s\n", games, bench_median(times, ROUNDS), bench_median(processor, ROUNDS), line);
}

int main(int argc, char **argv)
{
    static char line[LINE];
    if (argc != 3) {
        puts("search_index: see search.sh");
        return 0;
    }
    archive a = {.file = memory_load(argv[1])};
    worker_threads *threads = worker_threads_open(strtoull(argv[2], NULL, 10), &a.executor);
    const stamma_search_index_options options = {.size = sizeof options, .executor = &a.executor};
    const double begin = bench_elapsed();
    bench_check(argv[1], stamma_search_index_open(a.file.bytes, a.file.size, &options, &a.index));
    printf("opened in %.1f ms, %.1f MB\n", (bench_elapsed() - begin) * 1e3,
           (double)stamma_search_index_memory(a.index) / 1e6);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strchr(line, ' '))
            ask(&a, line);
    }
    stamma_search_index_close(a.index);
    worker_threads_close(threads);
    free(a.file.bytes);
    return 0;
}
