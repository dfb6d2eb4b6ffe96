/* SPDX-License-Identifier: MIT */
/* Measures the time for searches with an open index, as in a server.
 *
 * usage: search_index_bench ARCHIVE THREADS <QUESTIONS     run by search.sh
 *
 * A question is a line: "find " and a query as JSON, or "tree ", a FEN, and optionally a tab and a query. "tree-names"
 * instead of "tree" also reads the names of example games. First prints the time to keep the archive's search columns
 * in memory, and their size. Then prints for each question the number of games found, and elapsed and processor time in
 * milliseconds, as medians of several rounds. */
#include "bench.h"
#include "threads/worker_threads.h"

enum { ROUNDS = 9, LINE = 8192 };

/* ---- questions ---- */

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

static uint64_t find(stamma_archive *archive, const stamma_query *query)
{
    stamma_search *search;
    const stamma_match *match;
    uint64_t games = 0;
    bench_check("search", stamma_search_open(archive, query, NULL, &search));
    while (stamma_search_next(search, &match) == STAMMA_OK && match)
        games++;
    stamma_search_close(search);
    return games;
}

static uint64_t count_tree(stamma_archive *archive, const stamma_position *position, const stamma_query *query,
                           bool names)
{
    const stamma_text name = {"a", 1};
    stamma_tree *tree;
    bench_check("tree", stamma_tree_open(position, NULL, &tree));
    bench_check("tree", stamma_tree_add_archive(tree, name, archive, query, NULL, NULL));
    if (names)
        bench_check("names", stamma_tree_name_games(tree, name, archive, NULL));
    uint64_t games = stamma_tree_total(tree).games;
    stamma_tree_close(tree);
    return games;
}

/* ---- measurement ---- */

static void ask(stamma_archive *archive, char *line)
{
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
        games = tree ? count_tree(archive, &position, query, names) : find(archive, query);
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
    memory file = memory_load(argv[1]);
    stamma_executor executor;
    worker_threads *threads = worker_threads_open(strtoull(argv[2], NULL, 10), &executor);
    const stamma_bytes bytes = stamma_bytes_of(file.bytes, file.size);
    const stamma_archive_options options = {.size = sizeof options, .executor = &executor, .memory = STAMMA_NO_LIMIT};
    stamma_archive *archive = NULL;
    stamma_index_state state = {.size = sizeof state};
    const double begin = bench_elapsed();
    bench_check(argv[1], stamma_archive_open(&bytes, &options, &archive));
    bench_check(argv[1], stamma_archive_keep_index(archive, NULL));
    const double opened = bench_elapsed() - begin;
    bench_check(argv[1], stamma_archive_index(archive, &state));
    printf("opened in %.1f ms, %.1f MB\n", opened * 1e3, (double)state.memory / 1e6);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strchr(line, ' '))
            ask(archive, line);
    }
    stamma_archive_close(archive);
    worker_threads_close(threads);
    free(file.bytes);
    return 0;
}
