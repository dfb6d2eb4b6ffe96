/* SPDX-License-Identifier: MIT */
/* Measures reading every game of an archive by its number, compared with reading all games in order.
 *
 * usage: by_number_bench FILE...     archives, or PGN that is packed first; run by by_number.sh
 *
 * Each game is read by stamma_archive_reader_seek and _next, in one of three orders: ascending, descending, and
 * shuffled within each 64 games. Each run opens the archive, whose cache is then empty. A sum over all games shows that
 * each order reads the same. Prints medians of five rounds of processor time, and their ratios to reading in order. */
#include "bench.h"

enum { ROUNDS = 5, ORDERS = 4, SHUFFLED = 64 };

static const char *const order_names[ORDERS] = {"in order", "by number, ascending", "by number, descending",
                                                "by number, shuffled in 64"};

static const struct {
    const char *name;
    unsigned parts;
} selections[] = {{"all parts", STAMMA_GAME_ALL}, {"tags and result", STAMMA_GAME_TAGS | STAMMA_GAME_RESULT}};

/* Returns the numbers of all games in an order; free them. */
static uint64_t *list_numbers(size_t order, uint64_t games)
{
    uint64_t state = 1, *numbers = malloc(games * sizeof *numbers);
    bench_check("numbers", numbers ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
    for (uint64_t n = 0; n < games; n++)
        numbers[n] = order == 2 ? games - n : n + 1;
    for (uint64_t n = 0; n < games && order == 3; n++) { /* Fisher-Yates in each group */
        const uint64_t first = n - n % SHUFFLED, other = first + bench_random(&state) % (n - first + 1);
        const uint64_t number = numbers[n];
        numbers[n] = numbers[other];
        numbers[other] = number;
    }
    return numbers;
}

static uint64_t sum_of(const stamma_archive_game *game)
{
    return game->number * (1 + game->ply_count + game->tag_count + game->text.size);
}

static uint64_t read_in_order(stamma_archive_reader *reader)
{
    const stamma_archive_game *game;
    uint64_t sum = 0;
    do {
        bench_check("next", stamma_archive_reader_next(reader, &game));
        sum += game && !game->continuation ? sum_of(game) : 0;
    } while (game);
    return sum;
}

/* Returns the time to read all games in seconds. */
static double time_of(const memory *file, unsigned parts, const uint64_t *numbers, uint64_t games, uint64_t *sum)
{
    const double begin = bench_processor();
    stamma_archive *archive = memory_open(file, NULL);
    stamma_archive_reader *reader = bench_reader(archive, parts);
    *sum = numbers ? 0 : read_in_order(reader);
    for (uint64_t n = 0; numbers && n < games; n++)
        *sum += sum_of(bench_game(reader, numbers[n]));
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return bench_processor() - begin;
}

static void measure_parts(const memory *file, uint64_t *const numbers[ORDERS], uint64_t games, size_t selection)
{
    double times[ORDERS][ROUNDS];
    uint64_t sums[ORDERS];
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t order = 0; order < ORDERS; order++) {
            times[order][round] = time_of(file, selections[selection].parts, numbers[order], games, &sums[order]);
            bench_check(order_names[order], sums[order] == sums[0] ? STAMMA_OK : STAMMA_ERROR_MISMATCH);
        }
    const double in_order = bench_median(times[0], ROUNDS);
    for (size_t order = 0; order < ORDERS; order++) {
        const double median = bench_median(times[order], ROUNDS);
        printf("  C, %-16s %-26s %8.3f s %6.2f\n", selections[selection].name, order_names[order], median,
               median / in_order);
    }
}

static void measure(const char *name, const memory *file)
{
    stamma_archive *archive = memory_open(file, NULL);
    const uint64_t games = bench_games(archive);
    stamma_archive_close(archive);
    uint64_t *numbers[ORDERS] = {NULL};
    for (size_t order = 1; order < ORDERS; order++)
        numbers[order] = list_numbers(order, games);
    printf("%s, %zu bytes, %" PRIu64 " games: processor time, ratio to reading in order\n", name, file->size, games);
    for (size_t selection = 0; selection < sizeof selections / sizeof *selections; selection++)
        measure_parts(file, numbers, games, selection);
    for (size_t order = 1; order < ORDERS; order++)
        free(numbers[order]);
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "by_number", measure);
}
