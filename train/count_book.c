/* SPDX-License-Identifier: MIT */
/* Counts the moves played in frequent positions of games for training, and writes them as the adaptive predictor's book
 * (src/model/opening_book.c).
 *
 * usage: count_book OUT LEAST GAMES...      LEAST: minimum number of occurrences of a position
 *
 * Moves that were played only once, or in fewer than 1 in 64 cases, are omitted. GAMES are written by prepare_games. */
#include "games.h"
#include "model/model.h"

enum { PLIES = 40, ABOUT_BITS = 27, PAIR_BITS = 23, INDEX = 4096, MOVES_MAX = 16, NUMBERS = 64 };

const char program[] = "count_book";

/* A move played in a position. */
typedef struct pair {
    uint64_t hash; /* of the position */
    uint32_t count;
    uint8_t number; /* rank of the move in the predictor's order */
} pair;

static uint16_t *about; /* number of occurrences of positions; positions with the same slot are counted together */
static pair *pairs;
static size_t pair_count;

static void note(uint64_t hash, unsigned number)
{
    uint64_t at = predict_mix(hash + number) >> (64 - PAIR_BITS), mask = (UINT64_C(1) << PAIR_BITS) - 1;
    while (pairs[at].count > 0 && (pairs[at].hash != hash || pairs[at].number != number))
        at = (at + 1) & mask;
    if (pairs[at].count == 0 && ++pair_count > mask / 4 * 3)
        fail("too many positions come that often");
    pairs[at].hash = hash;
    pairs[at].number = (uint8_t)number;
    pairs[at].count++;
}

/* Returns the rank of a move in the predictor's order, or NUMBERS if the rank is too high. */
static unsigned number_of(const stamma_position *position, stamma_move move)
{
    static predict_features features;
    static const predict_context unknown;
    predict_game game;
    unsigned number = 0;
    stamma_predict_begin(&game, &unknown, position);
    stamma_predict_features(&game, position, &features);
    while (number < NUMBERS && number < features.moves && features.move[number].move != move)
        number++;
    return number;
}

static void pass_game(const game_head *head, const stamma_move *moves, unsigned least)
{
    stamma_position position = stamma_position_start();
    for (unsigned n = 0; n < head->plies && n < PLIES; n++) {
        uint64_t hash = stamma_position_hash(&position);
        uint16_t *often = &about[hash >> (64 - ABOUT_BITS)];
        if (least == 0) {
            *often = (uint16_t)(*often + (*often < UINT16_MAX));
        } else {
            unsigned number = *often < least ? NUMBERS : number_of(&position, moves[n]);
            if (*often < least)
                return;
            if (number < NUMBERS)
                note(hash, number);
        }
        stamma_position_make(&position, moves[n], &position);
    }
}

/* Reads a file in the first pass (`least` 0) or in the second. */
static void pass_file(const char *path, unsigned least)
{
    static stamma_move moves[UINT16_MAX];
    FILE *file = fopen(path, "rb");
    game_head head;
    if (!file)
        fail("cannot open games");
    while (fread(&head, sizeof head, 1, file) == 1) {
        if (fread(moves, sizeof moves[0], head.plies, file) != head.plies)
            fail("games end too early");
        pass_game(&head, moves, least);
    }
    fclose(file);
}

static int by_position(const void *a, const void *b)
{
    const pair *x = (const pair *)a, *y = (const pair *)b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void sort_pairs(void)
{
    size_t kept = 0;
    for (size_t n = 0; n < (size_t)1 << PAIR_BITS; n++)
        if (pairs[n].count > 0)
            pairs[kept++] = pairs[n];
    pair_count = kept;
    qsort(pairs, pair_count, sizeof *pairs, by_position);
}

/* ---- writing ---- */

static uint8_t *book;
static size_t book_size = 4 * (INDEX + 1);

/* Returns the negative binary logarithm of a share, in half bits. */
static unsigned half_bits(uint64_t share, uint64_t all)
{
    unsigned n = 0;
    while (n < 16 && (share * 65536 * 6 << n / 2) < (uint64_t)stamma_predict_power[n % 2 * 128] * 5 * all)
        n++;
    return n;
}

static uint8_t fall(unsigned wanted, unsigned *fallen)
{
    unsigned by = wanted > *fallen ? wanted - *fallen : 0, code = by < 3 ? by : 3;
    *fallen += code == 3 ? (by >= 4 ? 4 : 2) : code;
    return (uint8_t)((by == 3 ? 2 : code) << 6);
}

static void put_position(const pair *first, size_t moves, uint64_t all)
{
    unsigned bucket = 0, fallen = 0;
    size_t kept = 0;
    while (kept < moves && kept < MOVES_MAX && first[kept].count > 1 && (uint64_t)first[kept].count * 64 >= all)
        kept++;
    while (bucket < 15 && all >> (bucket + 4) > 0)
        bucket++;
    if (kept == 0 || bucket == 0)
        return;
    store_u16(book + book_size, (uint16_t)(first->hash >> 36));
    book[book_size + 2] = (uint8_t)((kept - 1) << 4 | bucket);
    book_size += 3;
    for (size_t n = 0; n < kept; n++)
        book[book_size++] = (uint8_t)(first[n].number | fall(half_bits(first[n].count, all), &fallen));
}

static void put_positions(unsigned least)
{
    size_t next = 0;
    for (uint64_t slot = 0; slot < INDEX; slot++) {
        store_u32(book + 4 * slot, (uint32_t)book_size);
        while (next < pair_count && pairs[next].hash >> 52 == slot) {
            size_t begin = next;
            uint64_t all = 0;
            for (; next < pair_count && pairs[next].hash == pairs[begin].hash; next++)
                all += pairs[next].count;
            if (all >= least)
                put_position(&pairs[begin], next - begin, all);
        }
    }
    store_u32(book + 4 * INDEX, (uint32_t)book_size);
}

int main(int count, char **arguments)
{
    if (count < 4)
        fail("usage: count_book OUT LEAST GAMES...");
    unsigned least = (unsigned)strtoul(arguments[2], NULL, 10);
    about = calloc((size_t)1 << ABOUT_BITS, sizeof *about);
    pairs = calloc((size_t)1 << PAIR_BITS, sizeof *pairs);
    book = malloc(((size_t)1 << PAIR_BITS) * 4);
    if (!about || !pairs || !book || least < 1)
        fail(least < 1 ? "LEAST is at least 1" : "no memory");
    for (int n = 3; n < count; n++)
        pass_file(arguments[n], 0);
    for (int n = 3; n < count; n++)
        pass_file(arguments[n], least);
    sort_pairs();
    put_positions(least);
    FILE *out = fopen(arguments[1], "wb");
    if (!out || fwrite(book, 1, book_size, out) != book_size || fclose(out) != 0)
        fail("cannot write the book");
    fprintf(stderr, "%zu pairs, %zu bytes\n", pair_count, book_size);
    return 0;
}
