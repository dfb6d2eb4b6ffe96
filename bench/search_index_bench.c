/* Measures the time for searches with an open index, as in a server.
 *
 * usage: search_index_bench ARCHIVE THREADS <QUESTIONS     run by search.sh
 *
 * A question is a line: "find " and a query as JSON, or "tree ", a FEN, and optionally a tab and a query. "tree-names"
 * instead of "tree" also reads the names of example games. First prints how long opening the index took and its size.
 * Then prints for each question the number of games found, and elapsed and processor time in milliseconds, as medians
 * of several rounds. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stamma.h"

enum { ROUNDS = 9, TASKS = 64, LINE = 8192 };

/* ---- threads ---- */

typedef struct task {
    void (*work)(void *argument);
    void *argument;
    enum { TASK_FREE, TASK_WAITING, TASK_TAKEN, TASK_DONE } state;
    unsigned long number;
} task;

typedef struct team {
    pthread_mutex_t lock;
    pthread_cond_t came, done;
    task tasks[TASKS];
    unsigned long next;
} team;

static task *find_task(team *t, int state, const void *argument)
{
    task *found = NULL;
    for (size_t i = 0; i < TASKS; i++)
        if ((int)t->tasks[i].state == state && (!argument || t->tasks[i].argument == argument) &&
            (!found || t->tasks[i].number < found->number))
            found = &t->tasks[i];
    return found;
}

/* Runs tasks until the process ends. */
static void *serve(void *context)
{
    team *t = context;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        task *taken = find_task(t, TASK_WAITING, NULL);
        if (!taken) {
            pthread_cond_wait(&t->came, &t->lock);
            continue;
        }
        taken->state = TASK_TAKEN;
        pthread_mutex_unlock(&t->lock);
        taken->work(taken->argument);
        pthread_mutex_lock(&t->lock);
        taken->state = TASK_DONE;
        pthread_cond_broadcast(&t->done);
    }
    return NULL;
}

static void start_task(void *context, void (*work)(void *argument), void *argument)
{
    team *t = context;
    pthread_mutex_lock(&t->lock);
    *find_task(t, TASK_FREE, NULL) = (task){work, argument, TASK_WAITING, t->next++};
    pthread_cond_signal(&t->came);
    pthread_mutex_unlock(&t->lock);
}

static void wait_task(void *context, void *argument)
{
    team *t = context;
    task *done;
    pthread_mutex_lock(&t->lock);
    while (!(done = find_task(t, TASK_DONE, argument)))
        pthread_cond_wait(&t->done, &t->lock);
    done->state = TASK_FREE;
    pthread_mutex_unlock(&t->lock);
}

/* ---- questions ---- */

typedef struct archive {
    char *bytes;
    size_t size;
    stamma_search_index *index;
    stamma_executor executor;
} archive;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void check(stamma_error error, const char *what)
{
    if (error == STAMMA_OK)
        return;
    fprintf(stderr, "search_index_bench: %s: %s\n", what, stamma_error_text(error));
    exit(1);
}

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_fault fault = {.offset = 0};
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
    check(stamma_search_open(a->bytes, a->size, query, options, &search), "search");
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
    check(stamma_tree_open(position, NULL, &tree), "tree");
    check(stamma_tree_add_archive(tree, name, a->bytes, a->size, query, options, NULL), "tree");
    if (names)
        check(stamma_tree_name_games(tree, name, a->bytes, a->size, options), "names");
    uint64_t games = stamma_tree_total(tree).games;
    stamma_tree_close(tree);
    return games;
}

/* ---- measurement ---- */

static int compare(const void *first, const void *second)
{
    double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

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
        check(stamma_fen_read((stamma_text){rest, size}, &position, NULL, NULL), rest);
    }
    stamma_query *query = json ? parse(json) : NULL;
    for (size_t n = 0; n < ROUNDS; n++) {
        double begin = now();
        clock_t spent = clock();
        games = tree ? count_tree(a, &position, query, &options, names) : find(a, query, &options);
        times[n] = now() - begin;
        processor[n] = (double)(clock() - spent) * 1e3 / CLOCKS_PER_SEC;
    }
    stamma_query_close(query);
    qsort(times, ROUNDS, sizeof *times, compare);
    qsort(processor, ROUNDS, sizeof *processor, compare);
    printf("%" PRIu64 "\t%.2f\t%.2f\t%s\n", games, times[ROUNDS / 2], processor[ROUNDS / 2], line);
}

static void read_file(const char *path, archive *a)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    a->size = size > 0 ? (size_t)size : 0;
    a->bytes = malloc(a->size + 1);
    if (!file || size < 0 || !a->bytes || fseek(file, 0, SEEK_SET) != 0 ||
        fread(a->bytes, 1, a->size, file) != a->size) {
        perror(path);
        exit(1);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    static team t = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
    static char line[LINE];
    pthread_t thread;
    archive a = {.bytes = NULL};
    if (argc != 3) {
        puts("search_index: see search.sh");
        return 0;
    }
    read_file(argv[1], &a);
    a.executor = (stamma_executor){&t, (unsigned)atoi(argv[2]), start_task, wait_task};
    for (unsigned n = 0; n < a.executor.threads && a.executor.threads > 1; n++)
        if (pthread_create(&thread, NULL, serve, &t) != 0)
            return 1;
    const stamma_search_index_options options = {.size = sizeof options, .executor = &a.executor};
    double begin = now();
    check(stamma_search_index_open(a.bytes, a.size, &options, &a.index), argv[1]);
    printf("opened in %.1f ms, %.1f MB\n", now() - begin, (double)stamma_search_index_memory(a.index) / 1e6);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strchr(line, ' '))
            ask(&a, line);
    }
    stamma_search_index_close(a.index);
    free(a.bytes);
    return 0;
}
