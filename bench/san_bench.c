/* How fast SAN is read and written, per ply with the move made on the board.
 *
 * usage: san_bench [FILE.pgn]
 *
 * Without a file it takes $SHARED/corpora/otb_dev.pgn.zst, unpacked by the zstd program; games with a FEN tag, comments
 * and variations are passed over. Prints the median of seven rounds in million plies a second, on one core. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stamma.h"

enum { ROUNDS = 7 };

typedef struct ply {
    const char *text;
    uint8_t size;
    bool starts_game;
    stamma_move move;
} ply;

typedef struct plies {
    ply *data;
    size_t count, capacity;
} plies;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static char *read_all(FILE *file, size_t *size)
{
    size_t capacity = 1 << 24;
    char *data = malloc(capacity);
    *size = 0;
    for (size_t got; data && (got = fread(data + *size, 1, capacity - *size, file)) > 0;) {
        *size += got;
        if (*size == capacity)
            data = realloc(data, capacity *= 2);
    }
    return data;
}

static FILE *open_games(int argc, char **argv)
{
    if (argc > 1)
        return fopen(argv[1], "rb");
    const char *shared = getenv("SHARED");
    char command[512];
    snprintf(command, sizeof command, "zstd -dcq --long=27 '%s/corpora/otb_dev.pgn.zst' 2>/dev/null",
             shared ? shared : "../shared");
    return popen(command, "r");
}

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

/* Collects the moves of plain games from the initial position; a game ends at the first token that is no move. */
static bool collect(const char *at, const char *end, plies *all)
{
    stamma_position position = stamma_position_start();
    bool starts = true, broken = false;
    while (at < end) {
        if (*at == '[') {
            position = stamma_position_start();
            starts = true;
            broken = false;
            while (at < end && *at != '\n')
                at++;
        }
        if (strchr(" \t\r\n.0123456789", *at)) {
            at++;
            continue;
        }
        const char *token = at;
        while (at < end && !strchr(" \t\r\n", *at))
            at++;
        stamma_text text = {token, (size_t)(at - token)};
        ply one = {token, (uint8_t)text.size, starts, 0};
        broken = broken || stamma_san_read(&position, text, &one.move) != STAMMA_OK;
        if (broken)
            continue;
        stamma_position_make(&position, one.move, &position);
        starts = false;
        if (!add(all, one))
            return false;
    }
    return true;
}

typedef enum job { MAKE, READ, WRITE } job;

/* One pass over all plies; the result keeps the work from being left out. */
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

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"make", "read SAN + make", "write SAN + make"};
    FILE *file = open_games(argc, argv);
    if (!file) {
        perror("san_bench");
        return 2;
    }
    size_t size;
    plies all = {0};
    char *data = read_all(file, &size);
    if (!data || !collect(data, data + size, &all) || all.count == 0) {
        fprintf(stderr, "san_bench: no games\n");
        return 2;
    }
    double times[3][ROUNDS];
    uint64_t sum = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int what = MAKE; what <= WRITE; what++) {
            double start = seconds();
            sum += pass(&all, (job)what);
            times[what][round] = seconds() - start;
        }
    printf("%zu plies (check %llx)\n", all.count, (unsigned long long)sum);
    for (int what = MAKE; what <= WRITE; what++) {
        qsort(times[what], ROUNDS, sizeof(double), ascending);
        printf("%-18s %6.1f million plies/s\n", names[what], (double)all.count / times[what][ROUNDS / 2] * 1e-6);
    }
    free(all.data);
    free(data);
    return 0;
}
