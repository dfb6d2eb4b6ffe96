/* SPDX-License-Identifier: MIT */
/* Measures searches with an index file, as in a server that has the archive and the index mapped.
 *
 * usage: index_bench ARCHIVE INDEX [FILTER]     run by index.sh
 *
 * Samples positions and players from games of the archive, the same ones every time. FILTER is a query of the filtered
 * trees as JSON. Prints a line for each kind of question: its name, the number of questions, the mean number of games
 * found, and the median, the 99th percentile and the maximum in milliseconds. The first line is the time to open the
 * archive with its index, and the second the resident memory of the process afterwards, in MB. Each question is asked
 * once before it is measured, so pages are in memory; its time is the median of five. */
#include "bench.h"

enum {
    POSITIONS = 500,
    TREE_GAMES = 500,
    TREE_PLIES = 20,
    PLAYERS = 50,
    SLOW = 8, /* questions that are slow without an index */
    OPENINGS = 9,
    RUNS = 5,
    QUESTION = 512,
    LIST = 10000
};

#define ENDGAME_RULE "\"material\": \"KRPKR\""
#define ENDGAME ", " ENDGAME_RULE
#define FLIPPED ", \"flipcolor\": true"

static stamma_archive *archive;
static uint64_t state = 1;

/* ---- questions ---- */

static char questions[LIST][QUESTION];
static size_t question_count;
static double times[LIST];
static uint64_t found;

static void add_question(const char *text)
{
    for (size_t n = 0; n < question_count; n++)
        if (strcmp(questions[n], text) == 0)
            return;
    if (question_count < LIST)
        snprintf(questions[question_count++], QUESTION, "%s", text);
}

static void search_games(const char *json, const stamma_search_options *options)
{
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    bench_check(json, stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query));
    bench_check(json, stamma_search_open(archive, query, options, &search));
    for (;;) {
        bench_check(json, stamma_search_next(search, &match));
        if (!match)
            break;
        found++;
    }
    stamma_search_close(search);
    stamma_query_close(query);
}

static void find(const char *json)
{
    search_games(json, NULL);
}

static void find_ten(const char *json)
{
    const stamma_search_options options = {
        .size = sizeof options, .most = 10, .order = STAMMA_ORDER_RATING, .descending = true};
    search_games(json, &options);
}

static void count_results(const char *json)
{
    stamma_query *query = NULL;
    stamma_stats_results results = {.games = 0};
    bench_check(json, stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query));
    bench_check(json, stamma_stats_count_archive(&results, archive, query, NULL, NULL));
    found += results.games;
    stamma_query_close(query);
}

static const char *filter;

static void tree(const char *fen)
{
    const stamma_text name = {"a", 1};
    stamma_position position;
    stamma_query *query = NULL;
    stamma_tree *result = NULL;
    bench_check(fen, stamma_fen_read((stamma_text){fen, strlen(fen)}, &position, NULL, NULL));
    if (filter)
        bench_check(filter, stamma_query_parse((stamma_text){filter, strlen(filter)}, NULL, NULL, &query));
    bench_check(fen, stamma_tree_open(&position, NULL, &result));
    bench_check(fen, stamma_tree_add_archive(result, name, archive, query, NULL, NULL));
    bench_check(fen, stamma_tree_name_games(result, name, archive, NULL));
    found += stamma_tree_total(result).games;
    stamma_tree_close(result);
    stamma_query_close(query);
}

static void count_all(const char *text)
{
    stamma_stats *stats = NULL;
    (void)text;
    bench_check("stats", stamma_stats_open(NULL, &stats));
    bench_check("stats", stamma_stats_add_archive(stats, archive, NULL, NULL, NULL));
    found += stamma_stats_sum(stats).results.games;
    stamma_stats_close(stats);
}

static double time_of(void (*ask)(const char *question), const char *question)
{
    double runs[RUNS];
    for (size_t n = 0; n < RUNS; n++) {
        const double begin = bench_elapsed();
        ask(question);
        runs[n] = (bench_elapsed() - begin) * 1e3;
    }
    return bench_median(runs, RUNS);
}

static void measure(const char *name, void (*ask)(const char *question))
{
    found = 0;
    for (size_t n = 0; n < question_count; n++) {
        ask(questions[n]);
        times[n] = time_of(ask, questions[n]);
    }
    const double median = bench_median(times, question_count);
    printf("%-28s %5zu %11.1f %10.3f %10.3f %10.3f\n", name, question_count,
           (double)found / (RUNS + 1) / (double)question_count, median, times[question_count * 99 / 100],
           times[question_count - 1]);
    fflush(stdout);
    question_count = 0;
}

/* ---- sampling ---- */

/* Adds positions of a game: one position of any ply as a query with more rules, or, if `more` is NULL, the positions of
 * the first plies as FENs. */
static void sample_game(const stamma_archive_game *game, size_t plies, const char *more)
{
    stamma_position p = game->start;
    for (size_t ply = 0; ply <= plies; ply++) {
        char fen[STAMMA_FEN_SIZE], json[QUESTION];
        stamma_fen_write(&p, STAMMA_FEN_STANDARD, fen, sizeof fen);
        snprintf(json, sizeof json, "{\"fen\": \"%s\"%s}", fen, more ? more : "");
        if (!more || ply == plies)
            add_question(more ? json : fen);
        if (ply < plies)
            stamma_position_make(&p, game->moves[ply], &p);
    }
}

enum { SAMPLE_POSITIONS, SAMPLE_OPENINGS, SAMPLE_PLAYERS };

/* `more` are rules that are added to queries. */
static void sample(int kind, size_t games, const char *more)
{
    stamma_archive_reader *reader = bench_reader(archive, STAMMA_GAME_TAGS | STAMMA_GAME_MOVES);
    const uint64_t count = bench_games(archive);
    state = 1;
    for (size_t n = 0; n < games; n++) {
        const stamma_archive_game *game = bench_game(reader, 1 + bench_random(&state) % count);
        stamma_text white = stamma_archive_game_tag(game, (stamma_text){"White", 5});
        char json[QUESTION];
        snprintf(json, sizeof json, "{\"player\": \"%.*s\"%s}", (int)(white.size < 100 ? white.size : 100), white.data,
                 more);
        if (kind == SAMPLE_PLAYERS)
            add_question(json);
        else if (kind == SAMPLE_POSITIONS)
            sample_game(game, bench_random(&state) % (game->ply_count + 1), more);
        else
            sample_game(game, game->ply_count < TREE_PLIES ? game->ply_count : TREE_PLIES, NULL);
    }
    stamma_archive_reader_close(reader);
}

/* ---- opening ---- */

static double resident_megabytes(void)
{
    char line[256];
    double kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kilobytes = atof(line + 6);
    if (status)
        fclose(status);
    return kilobytes / 1024;
}

static void measure_opening(const memory *games, const memory *index)
{
    for (size_t n = 0; n < OPENINGS; n++) {
        stamma_archive_close(archive);
        const double begin = bench_elapsed();
        archive = memory_open(games, index);
        times[n] = (bench_elapsed() - begin) * 1e3;
    }
    const double median = bench_median(times, OPENINGS);
    printf("open archive and index       %5d %11s %10.3f %10s %10.3f\n", OPENINGS, "", median, "", times[OPENINGS - 1]);
    printf("resident memory, MB          %17s %10.1f\n", "", resident_megabytes());
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: index_bench ARCHIVE INDEX [FILTER]\n");
        return 2;
    }
    const memory games = memory_map(argv[1]), index = memory_map(argv[2]);
    printf("%-28s %5s %11s %10s %10s %10s\n", "", "n", "games found", "median ms", "99 %", "most");
    measure_opening(&games, &index);
    sample(SAMPLE_POSITIONS, POSITIONS, "");
    measure("exact position", find);
    sample(SAMPLE_POSITIONS, SLOW, FLIPPED);
    measure("the same, colours exchanged", find);
    sample(SAMPLE_OPENINGS, TREE_GAMES, "");
    measure("tree, first 20 plies", tree);
    sample(SAMPLE_PLAYERS, PLAYERS, "");
    measure("one player's games", find);
    sample(SAMPLE_PLAYERS, SLOW, ENDGAME);
    measure("one player's rook endgames", find);
    add_question("{" ENDGAME_RULE "}");
    measure("rook endgames", find);
    add_question("{" ENDGAME_RULE FLIPPED "}");
    measure("the same, colours exchanged", find);
    if (argc > 3) {
        filter = argv[3];
        sample(SAMPLE_OPENINGS, TREE_GAMES / 10, "");
        measure("filtered tree", tree);
    }
    add_question("{\"date\": \"2010..2012\"}");
    measure("results by date", count_results);
    add_question("{\"rating\": \"2400..\"}");
    measure("results by rating", count_results);
    add_question("{\"date\": \"2010..2012\", \"rating\": \"2400..\", \"result\": \"1-0\"}");
    measure("results by three facts", count_results);
    add_question("{\"plies\": \"..40\"}");
    measure("results by plies", count_results);
    sample(SAMPLE_PLAYERS, PLAYERS, "");
    measure("results of one player", count_results);
    add_question("{}");
    measure("first ten by rating", find_ten);
    add_question("{\"date\": \"2010..2012\", \"result\": \"1-0\"}");
    measure("first ten of two facts", find_ten);
    add_question("");
    measure("statistics of everything", count_all);
    stamma_archive_close(archive);
    return 0;
}
