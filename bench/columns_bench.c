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

static bool read_games(memory *archive, unsigned parts, uint64_t *rows)
{
    const stamma_archive_game *game;
    stamma_archive_reader *reader = memory_reader(archive);
    bool fine = reader && stamma_archive_reader_select(reader, parts) == STAMMA_OK;
    while (fine && (fine = stamma_archive_reader_next(reader, &game) == STAMMA_OK) && game)
        ++*rows;
    stamma_archive_reader_close(reader);
    return fine;
}

static bool read_table(const memory *archive, const work *w, uint64_t *rows)
{
    stamma_text names[NAMES_MAX];
    struct ArrowArrayStream stream;
    struct ArrowArray batch = {.release = NULL};
    stamma_columns_options options = {.size = sizeof options, .table = (stamma_table)w->table, .columns = names};
    while (options.column_count < NAMES_MAX && w->columns[options.column_count]) {
        names[options.column_count] = stamma_text_of(w->columns[options.column_count]);
        options.column_count++;
    }
    if (stamma_columns_open(archive->bytes, archive->size, &options, NULL, &stream) != STAMMA_OK)
        return false;
    int failed;
    while ((failed = stream.get_next(&stream, &batch)) == 0 && batch.release) {
        *rows += (uint64_t)batch.length;
        batch.release(&batch);
    }
    stream.release(&stream);
    return failed == 0;
}

/* Returns the time of one round in seconds; below 0: an error. */
static double time_of(memory *archive, const work *w, uint64_t *rows)
{
    const double begin = bench_processor();
    *rows = 0;
    bool fine = w->table < 0 ? read_games(archive, w->parts, rows) : read_table(archive, w, rows);
    return fine ? bench_processor() - begin : -1;
}

static int measure(const char *name, memory *archive)
{
    static double times[WORKS][ROUNDS];
    uint64_t rows[WORKS];
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t n = 0; n < WORKS; n++)
            if ((times[n][round] = time_of(archive, &works[n], &rows[n])) < 0) {
                printf("columns: %s: %s fails\n", name, works[n].name);
                return 1;
            }
    printf("%s, %zu bytes\n", name, archive->size);
    for (size_t n = 0; n < WORKS; n++) {
        const double median = bench_median(times[n], ROUNDS);
        printf("  %-50s %7.3f s %9" PRIu64 " rows %7.2f million rows/s\n", works[n].name, median, rows[n],
               (double)rows[n] / median / 1e6);
    }
    return 0;
}

int main(int argc, char **argv)
{
    return measure_files(argc, argv, "columns", measure);
}
