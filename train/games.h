/* SPDX-License-Identifier: MIT */
/* The format of games for training, and functions that the training programs share. A game is a head and then its
 * moves, 16 bits each, in the byte order of the machine. All games begin in the initial position. */
#ifndef TRAIN_GAMES_H
#define TRAIN_GAMES_H

#include <stdio.h>
#include <stdlib.h>

#include "stamma.h"

typedef struct game_head {
    uint32_t players[2]; /* hash of White's and Black's name; 0: unknown */
    uint16_t ratings[2]; /* 0: unknown */
    uint8_t result;      /* stamma_result */
    uint8_t time;        /* predict_time */
    uint8_t source, none;
    uint16_t plies, clock;
} game_head;

static inline const stamma_move *moves_of(const game_head *head)
{
    return (const stamma_move *)(head + 1);
}

extern const char program[]; /* name of the program; each program defines it */

static inline _Noreturn void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", program, what);
    exit(1);
}

/* ---- random numbers ---- */

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
/* Returns a random number of at least 0 and less than 1. */
static inline float uniform(uint64_t *random)
{
    return (float)(next_random(random) >> 40) / 16777216.0f;
}

/* Fills weights with random numbers from -size to size. */
static inline void fill(float *weights, size_t count, float size, uint64_t *random)
{
    for (size_t n = 0; n < count; n++)
        weights[n] = (uniform(random) * 2 - 1) * size;
}

/* ---- lists of games ---- */

typedef struct game_list {
    const game_head **games;
    size_t count;
} game_list;

/* Adds the games of a file that have at least `plies_min` plies. */
static inline void read_games(game_list *list, const char *path, unsigned plies_min)
{
    enum { STEP = 65536 };
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fail("cannot open games");
    size_t size = (size_t)ftell(file);
    char *bytes = malloc(size + sizeof(game_head));
    rewind(file);
    if (!bytes || fread(bytes, 1, size, file) != size)
        fail("cannot read games");
    fclose(file);
    for (const char *at = bytes; at < bytes + size;) {
        const game_head *head = (const game_head *)(const void *)at;
        at += sizeof *head + 2 * (size_t)head->plies;
        if (head->plies < plies_min)
            continue;
        if (list->count % STEP == 0 &&
            !(list->games = realloc(list->games, (list->count + STEP) * sizeof(game_head *))))
            fail("no memory");
        list->games[list->count++] = head;
    }
}

/* Reads the files named by a command's arguments from index `first` on, and shuffles the games. */
static inline game_list list_games(int count, char **arguments, int first, unsigned plies_min, uint64_t *random)
{
    game_list list = {NULL, 0};
    for (int n = first; n < count; n++)
        read_games(&list, arguments[n], plies_min);
    if (list.count == 0)
        fail("there are no games");
    for (size_t n = list.count; n > 1; n--) {
        size_t other = (size_t)(next_random(random) % n);
        const game_head *head = list.games[n - 1];
        list.games[n - 1] = list.games[other];
        list.games[other] = head;
    }
    return list;
}

#endif
