/* SPDX-License-Identifier: MIT */
/* Measures how fast SAN is read and written, per ply, including making the move on the board.
 *
 * usage: san_bench [FILE.pgn]
 *
 * Without a file, uses $SHARED/corpora/otb_dev.pgn.zst, unpacked by the zstd program. The main lines are first read
 * into memory; then each round replays them. Prints the median of seven rounds in million plies per second, on one
 * core. */
#include "bench.h"

enum { ROUNDS = 7 };

typedef struct ply {
    char text[12]; /* as written in the file */
    uint8_t size;
    bool starts_game;
    stamma_move move;
} ply;

typedef struct plies {
    ply *data;
    size_t count, capacity;
} plies;

static bool add(plies *all, ply one)
{
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? all->capacity * 2 : 1 << 20;
        ply *grown = realloc(all->data, all->capacity * sizeof *grown);
        if (!grown)
            return false;
        all->data = grown;
    }
    all->data[all->count++] = one;
    return true;
}

/* Collects the main lines of all games that begin at the initial position. */
static bool collect(FILE *file, plies *all)
{
    stamma_input input = {.context = file, .read = bench_read};
    stamma_pgn_reader *reader;
    stamma_pgn_event event = {0};
    stamma_position start = stamma_position_start();
    bool starts = false;
    if (stamma_pgn_reader_open(&input, NULL, &reader) != STAMMA_OK)
        return false;
    bool good = true;
    do {
        const stamma_position *position = stamma_pgn_reader_position(reader);
        bool from_start = position && stamma_position_equal(position, &start);
        good = stamma_pgn_reader_next(reader, &event) == STAMMA_OK;
        if (event.kind == STAMMA_PGN_GAME_BEGIN)
            starts = true;
        if (!good || event.kind != STAMMA_PGN_MOVE || event.depth != 0)
            continue;
        ply one = {"", (uint8_t)event.text.size, starts, event.move};
        if (event.error != STAMMA_OK || event.text.size > sizeof one.text || (starts && !from_start)) {
            good = stamma_pgn_reader_skip_game(reader) == STAMMA_OK;
            continue;
        }
        memcpy(one.text, event.text.data, one.size);
        good = add(all, one);
        starts = false;
    } while (good && event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
    return good;
}

typedef enum job { MAKE, READ, WRITE } job;

/* Replays all plies. The result keeps the compiler from removing the work. */
static uint64_t pass(const plies *all, job what)
{
    stamma_position start = stamma_position_start(), position = start;
    uint64_t sum = 0;
    for (size_t i = 0; i < all->count; i++) {
        const ply *one = &all->data[i];
        stamma_move move = one->move;
        if (one->starts_game)
            position = start;
        if (what == READ) {
            stamma_text text = {one->text, one->size};
            stamma_san_read(&position, text, &move);
        } else if (what == WRITE) {
            char text[STAMMA_SAN_SIZE];
            sum += stamma_san_write(&position, move, text, sizeof text) + (unsigned char)text[1];
        }
        stamma_position_make(&position, move, &position);
        sum += position.key;
    }
    return sum;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"make", "read SAN + make", "write SAN + make"};
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : bench_corpus("otb_dev");
    if (!file) {
        perror("san_bench");
        return 2;
    }
    plies all = {0};
    if (!collect(file, &all) || all.count == 0) {
        fprintf(stderr, "san_bench: no games\n");
        return 2;
    }
    double times[3][ROUNDS];
    uint64_t sum = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int what = MAKE; what <= WRITE; what++) {
            double start = bench_elapsed();
            sum += pass(&all, (job)what);
            times[what][round] = bench_elapsed() - start;
        }
    printf("%zu plies (check %llx)\n", all.count, (unsigned long long)sum);
    for (int what = MAKE; what <= WRITE; what++)
        printf("%-18s %6.1f million plies/s\n", names[what],
               (double)all.count / bench_median(times[what], ROUNDS) * 1e-6);
    free(all.data);
    return 0;
}
