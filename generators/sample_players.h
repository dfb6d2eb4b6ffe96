/* SPDX-License-Identifier: MIT */
/* The invented players of sample_games: unique names, ratings, and how often each plays. */
#ifndef SAMPLE_PLAYERS_H
#define SAMPLE_PLAYERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample_random.h"

enum { PLAYERS_MAX = 1 << 22, NAME_SIZE = 64, LAST_NAMES = 32 * 6 * 24 * 6 * 20, ZIPF_SHIFT = 100 };

/* Players are numbered from the one with the most games. Player n plays in proportion to 1 / (n + ZIPF_SHIFT): the law
 * of Zipf with Mandelbrot's shift, which bounds the share of the first players. */
typedef struct pool {
    uint64_t seed;
    bool online;    /* user names instead of last and first names; other ratings */
    uint32_t count; /* number of players */
    uint64_t *sum;  /* sum[n]: the chances of players 0..n */
} pool;

static inline bool pool_open(pool *p, uint64_t seed, bool online, uint32_t count)
{
    uint64_t sum = 0;
    *p = (pool){.seed = seed, .online = online, .count = count, .sum = malloc(count * sizeof *p->sum)};
    for (uint32_t n = 0; p->sum && n < count; n++)
        p->sum[n] = sum += (UINT64_C(1) << 40) / (n + ZIPF_SHIFT);
    return p->sum != NULL;
}

static inline uint32_t pool_draw(const pool *p, random_state *r)
{
    uint64_t all = p->sum[p->count - 1], chance = (random_next(r) >> 1) % all;
    uint32_t low = 0, high = p->count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (p->sum[middle] > chance)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Returns the position of the highest bit of a number above 0, in units of 1/16, with linear interpolation. */
static inline int log2_sixteenths(uint32_t x)
{
    int high = 31;
    while (!(x >> high))
        high--;
    return high * 16 + (int)(((uint64_t)x << 4 >> high) - 16);
}

/* Returns the mean rating of a player. Over the board, players with more games are stronger. */
static inline int player_strength(const pool *p, uint32_t player)
{
    random_state r = random_begin(p->seed, RANDOM_PLAYER, player);
    int steps = log2_sixteenths((player + 128) / 16) - 48; /* 0 for the first players, then 16 for each doubling */
    return p->online ? 1620 + random_normal(&r, 280) - steps : 2640 - steps * 5 / 2 + random_normal(&r, 95);
}

/* Returns the rating of a player in a period. A player's ratings differ by a few points from period to period. */
static inline int player_rating(const pool *p, uint32_t player, uint32_t period)
{
    random_state r = random_begin(p->seed, RANDOM_FORM, (uint64_t)period << 32 | player);
    int rating = player_strength(p, player) + random_normal(&r, 12);
    int least = p->online ? 600 : 1000, most = p->online ? 3100 : 2870;
    return rating < least ? least : rating > most ? most : rating;
}

static const char *const name_begins[32] = {"B", "Br", "D", "Dr", "F",  "G",  "Gr", "H",  "J",  "K", "Kr",
                                            "L", "M",  "N", "P",  "Pr", "R",  "S",  "Sh", "Sl", "T", "Tr",
                                            "V", "W",  "Z", "Zh", "Ch", "St", "Sk", "Vl", "Y",  "C"};
static const char *const name_vowels[6] = {"a", "e", "i", "o", "u", "ia"};
static const char *const name_middles[24] = {"b",  "d",  "g", "k",  "l", "ll", "m", "n",  "nd", "p",  "r",  "rd",
                                             "rk", "rt", "s", "sk", "t", "v",  "z", "nt", "lt", "rs", "nk", "ch"};
static const char *const name_ends[20] = {"n",    "nov", "s",  "nko", "r",    "sen", "rov", "ski", "t",     "lin",
                                          "ndez", "l",   "ko", "vic", "mann", "yan", "shi", "dze", "rsson", "m"};
static const char *const first_names[64] = {
    "Anna",   "Boris",  "Carl",  "Dana",  "Erik",   "Filip",   "Gita",   "Hugo",    "Ivan",  "Jana",   "Karim",
    "Lena",   "Marek",  "Nadia", "Omar",  "Petra",  "Quentin", "Rosa",   "Stefan",  "Tara",  "Uma",    "Victor",
    "Wanda",  "Xenia",  "Yusuf", "Zoe",   "Alexei", "Bruno",   "Chiara", "David",   "Elena", "Farid",  "Georg",
    "Helga",  "Igor",   "Julia", "Kenji", "Luis",   "Maria",   "Nikola", "Olga",    "Pavel", "Rafael", "Sara",
    "Tomas",  "Ulrich", "Vera",  "Wei",   "Yan",    "Zoltan",  "Andrei", "Bela",    "Cesar", "Dmitri", "Emil",
    "Fatima", "Gustav", "Hans",  "Irina", "Jorge",  "Klaus",   "Lars",   "Mikhail", "Nina"};

/* Writes one of LAST_NAMES last names. Consonants and vowels alternate, so different numbers have different names. */
static inline void write_last_name(uint32_t number, char *out)
{
    (void)snprintf(out, NAME_SIZE / 2, "%s%s%s%s%s", name_begins[number % 32], name_vowels[number / 32 % 6],
                   name_middles[number / 192 % 24], name_vowels[number / 4608 % 6], name_ends[number / 27648 % 20]);
}

/* Writes the name of a player. Eight players have the same last name; their first names differ. */
static inline void write_name(const pool *p, uint32_t player, char *out)
{
    char last[NAME_SIZE / 2];
    uint32_t scrambled = (player * UINT32_C(2654435761) + (uint32_t)random_mix(p->seed)) % PLAYERS_MAX;
    const char *first = first_names[scrambled % 8 * 8 + (random_mix(scrambled / 8) & 7)];
    write_last_name(scrambled / 8, last);
    (void)snprintf(out, NAME_SIZE, p->online ? "%s%s" : "%s, %s", p->online ? first : last, p->online ? last : first);
}

#endif
