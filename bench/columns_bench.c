/* SPDX-License-Identifier: MIT */
/* Measures Arrow tables of archives, compared with reading the same parts of the games through the reader.
 *
 * usage: columns_bench FILE...     archives, or PGN that is packed first; run by columns_speed.sh
 *
 * Prints medians of five rounds of processor time on one core. */
#include "bench.h"

enum { ROUNDS = 5, NAMES_MAX = 16 };

/* A measured operation. Without `table`, games are read with stamma_archive_reader_next. */
typedef struct work {
    const char *name;
    unsigned parts;
    const char *columns[NAMES_MAX]; /* none: the default columns */
    int table;                      /* -1: none */
} work;

static const work works[] = {
    {"reader: tags, result", STAMMA_GAME_TAGS | STAMMA_GAME_RESULT, {NULL}, -1},
    {"games: all tags and typed columns", 0, {NULL}, STAMMA_TABLE_GAMES},
    {"games: white, black, result, ratings",
     0,
     {"white", "black", "result", "white_rating", "black_rating"},
     STAMMA_TABLE_GAMES},
    {"reader: moves", STAMMA_GAME_MOVES, {NULL}, -1},
    {"games: moves", 0, {"moves"}, STAMMA_TABLE_GAMES},
    {"games: san", 0, {"san"}, STAMMA_TABLE_GAMES},
    {"plies: game, ply, move16", 0, {"game", "ply", "move16"}, STAMMA_TABLE_PLIES},
    {"plies: default columns", 0, {NULL}, STAMMA_TABLE_PLIES},
    {"positions: board, move_index, result", 0, {"board", "move_index", "result"}, STAMMA_TABLE_POSITIONS},
    {"positions: planes, side, castling, move16, result",
     0,
     {"planes", "side_to_move", "castling", "move16", "result"},
     STAMMA_TABLE_POSITIONS},
    {"positions: default columns", 0, {NULL}, STAMMA_TABLE_POSITIONS},
};
enum { WORKS = sizeof works / sizeof *works };

static void read_games(stamma_archive *archive, unsigned parts, uint64_t *rows)
{
    const stamma_archive_game *game;
    stamma_archive_reader *reader = bench_reader(archive, parts);
    do {
        bench_check("next", stamma_archive_reader_next(reader, &game));
        *rows += game != NULL;
    } while (game);
    stamma_archive_reader_close(reader);
}

static void read_table(stamma_archive *archive, const work *w, uint64_t *rows)
{
    stamma_text names[NAMES_MAX];
    struct ArrowArrayStream stream;
    struct ArrowArray batch = {.release = NULL};
    stamma_columns_options options = {.size = sizeof options, .table = (stamma_table)w->table, .columns = names};
    while (options.column_count < NAMES_MAX && w->columns[options.column_count]) {
        names[options.column_count] = stamma_text_of(w->columns[options.column_count]);
        options.column_count++;
    }
    bench_check(w->name, stamma_columns_open(archive, &options, NULL, &stream));
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
        *rows += (uint64_t)batch.length;
        batch.release(&batch);
    }
    bench_check(w->name, stamma_columns_error(&stream, NULL));
    stream.release(&stream);
}

/* Returns the time of one round in seconds. The archive is opened each time, so that no block is cached. */
static double time_of(const memory *file, const work *w, uint64_t *rows)
{
    const double begin = bench_processor();
    stamma_archive *archive = memory_open(file, NULL);
    *rows = 0;
    if (w->table < 0)
        read_games(archive, w->parts, rows);
    else
        read_table(archive, w, rows);
    stamma_archive_close(archive);
    return bench_processor() - begin;
}

static void measure(const char *name, const memory *archive)
{
    static double times[WORKS][ROUNDS];
    uint64_t rows[WORKS];
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t n = 0; n < WORKS; n++)
            times[n][round] = time_of(archive, &works[n], &rows[n]);
    printf("%s, %zu bytes\n", name, archive->size);
    for (size_t n = 0; n < WORKS; n++) {
        const double median = bench_median(times[n], ROUNDS);
        printf("  %-50s %7.3f s %9" PRIu64 " rows %7.2f million rows/s\n", works[n].name, median, rows[n],
               (double)rows[n] / median / 1e6);
    }
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "columns", measure);
}
