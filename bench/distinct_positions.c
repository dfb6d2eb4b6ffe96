/* SPDX-License-Identifier: MIT */
/* Measures how varied the games of a PGN are, to compare sampled games with real ones.
 *
 * usage: distinct_positions NAME [GAMES] <games.pgn
 *
 * Reads the first GAMES games (default: all) on standard input that begin in the initial position. Prints
 *   - the number of games, the shares of the results, and the mean and percentiles of the number of plies
 *   - a line for each of some plies: the games that reach the ply, the distinct positions after the ply for each of
 *     these games, the share of the games whose position no other game has, and the share of the games in the most
 *     common position
 * Positions are compared by their 64-bit keys. Memory: 84 bytes per game. */
#include "bench.h"

enum { PLIES = 9, FIRST_SPACE = 1 << 16, RESULTS = 4 };
static const uint32_t measured[PLIES] = {4, 8, 12, 16, 20, 24, 30, 40, 60};
static const unsigned percents[] = {1, 5, 10, 25, 50, 75, 90, 95, 99};

/* All values of a kind, such as the keys of the positions after ply 4. */
typedef struct values {
    uint64_t *value;
    size_t count, space;
} values;

static values keys[PLIES], lengths;
static uint64_t results[RESULTS];

static void add(values *v, uint64_t value)
{
    if (v->count == v->space) {
        v->space = v->space ? 2 * v->space : FIRST_SPACE;
        v->value = realloc(v->value, v->space * sizeof *v->value);
        if (!v->value) {
            fprintf(stderr, "distinct_positions: out of memory\n");
            exit(1);
        }
    }
    v->value[v->count++] = value;
}

/* The game that is read. */
typedef struct game {
    uint64_t key[PLIES];
    uint32_t plies;
    unsigned known; /* number of keys */
    stamma_result result;
    bool other; /* another start, or an error in the moves */
} game;

static void take_move(game *g, const stamma_pgn_event *e, const stamma_position *after)
{
    g->other |= e->error != STAMMA_OK;
    g->plies++;
    if (g->known < PLIES && g->plies == measured[g->known])
        g->key[g->known++] = stamma_position_key(after);
}

static void count_game(const game *g)
{
    add(&lengths, g->plies);
    results[g->result]++;
    for (unsigned n = 0; n < g->known; n++)
        add(&keys[n], g->key[n]);
}

/* Updates the game for an event. Returns whether a game that counts has ended. */
static bool take_event(game *g, const stamma_pgn_event *e, const stamma_pgn_reader *reader)
{
    switch (e->kind) {
    case STAMMA_PGN_GAME_BEGIN: *g = (game){0}; break;
    case STAMMA_PGN_TAG: g->other |= e->text.size == 3 && memcmp(e->text.data, "FEN", 3) == 0; break;
    case STAMMA_PGN_MOVE:
        if (e->depth == 0)
            take_move(g, e, stamma_pgn_reader_position(reader));
        break;
    case STAMMA_PGN_RESULT:
        if (e->depth == 0)
            g->result = stamma_result_read(e->text);
        break;
    case STAMMA_PGN_GAME_END: return !g->other && g->plies > 0;
    default: break;
    }
    return false;
}

static void read_games(unsigned long limit)
{
    game g = {0};
    stamma_pgn_reader *reader;
    stamma_pgn_event e;
    const stamma_pgn_options options = {.size = sizeof options};
    const stamma_input input = {.context = stdin, .read = bench_read};
    if (stamma_pgn_reader_open(&input, &options, &reader) != STAMMA_OK)
        return;
    while (lengths.count < limit && stamma_pgn_reader_next(reader, &e) == STAMMA_OK && e.kind != STAMMA_PGN_END)
        if (take_event(&g, &e, reader))
            count_game(&g);
    stamma_pgn_reader_close(reader);
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void sort(values *v)
{
    if (v->count > 0)
        qsort(v->value, v->count, sizeof *v->value, compare);
}

static void print_lengths(const char *name)
{
    double sum = 0, all = (double)lengths.count;
    sort(&lengths);
    for (size_t n = 0; n < lengths.count; n++)
        sum += (double)lengths.value[n];
    printf("%s: %zu games; White won %.3f, drawn %.3f, Black won %.3f\n", name, lengths.count,
           (double)results[STAMMA_RESULT_WHITE] / all, (double)results[STAMMA_RESULT_DRAW] / all,
           (double)results[STAMMA_RESULT_BLACK] / all);
    printf("plies: mean %.1f;", sum / all);
    for (unsigned n = 0; n < sizeof percents / sizeof *percents; n++)
        printf(" %u %%: %llu", percents[n], (unsigned long long)lengths.value[lengths.count * percents[n] / 100]);
    printf("\n");
}

static void print_positions(unsigned n)
{
    const values *v = &keys[n];
    size_t distinct = 0, single = 0, most = 0;
    if (v->count == 0)
        return;
    sort(&keys[n]);
    for (size_t first = 0, next; first < v->count; first = next) {
        for (next = first + 1; next < v->count && v->value[next] == v->value[first];)
            next++;
        distinct++;
        single += next - first == 1;
        most = next - first > most ? next - first : most;
    }
    double all = (double)v->count;
    printf("%4u %9zu %9.5f %9.5f %9.5f\n", (unsigned)measured[n], v->count, (double)distinct / all,
           (double)single / all, (double)most / all);
}

int main(int count, char **arguments)
{
    if (count < 2) {
        puts("distinct_positions: reads games from standard input if it is started with a name for them");
        return 0;
    }
    read_games(count > 2 ? strtoul(arguments[2], NULL, 10) : (unsigned long)-1);
    if (lengths.count == 0) {
        fprintf(stderr, "distinct_positions: no games on standard input\n");
        return 1;
    }
    print_lengths(arguments[1]);
    printf(" ply     games  distinct    single      most\n");
    for (unsigned n = 0; n < PLIES; n++)
        print_positions(n);
    return 0;
}
