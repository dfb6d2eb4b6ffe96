/* SPDX-License-Identifier: MIT */
/* Measures the time of each encoding for single moves, and for moves in complete games.
 *
 * usage: codecs_bench [FILE.pgn]
 *
 * Without a file, uses the first games of $SHARED/corpora/otb_dev.pgn.zst, unpacked by the zstd program. Prints a line
 * for each encoding of moves, separated by tabs: its name, and four medians of seven rounds in nanoseconds of processor
 * time per move, on one core. The first two encode and decode single moves in positions that are far apart in memory
 * order; the last two encode and decode complete games, including the moves on a board. Then the smallest and the
 * largest number of bits of a single move. "-" if the encoding has no such code. Other lines are yardsticks: listing
 * and counting legal moves, testing a move, and set-ups of positions. */
#include "bench.h"

enum { ROUNDS = 7, SAMPLES = 20000, GAMES = 1500, PLIES = 200000, YARDSTICKS = 4, CODECS_MAX = 64 };

typedef struct sample {
    stamma_position position;
    stamma_move move;
} sample;

typedef struct game {
    size_t first, plies; /* in `moves` */
    size_t size;         /* bytes of its code in the current round */
    uint8_t *code;
} game;

static sample all[PLIES], samples[SAMPLES];
static stamma_move moves[PLIES], decoded[PLIES];
static game games[GAMES];
static size_t ply_count, game_count;
static volatile size_t sink; /* keeps the compiler from removing calls */

/* Keeps a game that begins at the initial position. Returns false when there are enough. */
static bool take_game(const stamma_move *line, size_t plies)
{
    stamma_position position = stamma_position_start();
    if (plies > PLIES - ply_count)
        return false;
    games[game_count] = (game){.first = ply_count, .plies = plies};
    game_count += plies > 0;
    for (size_t n = 0; n < plies; n++) {
        moves[ply_count] = line[n];
        all[ply_count++] = (sample){position, line[n]};
        stamma_position_make(&position, line[n], &position);
    }
    return game_count < GAMES;
}

/* Spreads the samples over all games in random order. */
static void draw_samples(void)
{
    uint64_t state = 1;
    for (size_t n = 0; n < SAMPLES; n++)
        samples[n] = all[bench_random(&state) % ply_count];
}

/* ---- single moves ---- */

static double ns_per(double begin, size_t count)
{
    return (bench_processor() - begin) * 1e9 / (double)count;
}

/* The numbers of bits of the codes of single moves. */
typedef struct lengths {
    unsigned least, most;
} lengths;

static void time_single(const stamma_codec *codec, double *encode, double *decode, lengths *bits)
{
    static stamma_code codes[SAMPLES];
    stamma_move move;
    double begin = bench_processor();
    for (size_t n = 0; n < SAMPLES; n++)
        if (stamma_codec_encode(codec, &samples[n].position, samples[n].move, &codes[n]) != STAMMA_OK)
            codes[n] = (stamma_code){0, 0};
    *encode = ns_per(begin, SAMPLES);
    *bits = (lengths){64, 0};
    for (size_t n = 0; n < SAMPLES; n++) {
        bits->least = codes[n].bits < bits->least ? codes[n].bits : bits->least;
        bits->most = codes[n].bits > bits->most ? codes[n].bits : bits->most;
    }
    begin = bench_processor();
    for (size_t n = 0; n < SAMPLES; n++)
        (void)stamma_codec_decode(codec, &samples[n].position, codes[n], &move);
    *decode = ns_per(begin, SAMPLES);
}

/* ---- games ---- */

static void time_games(const stamma_codec *codec, double *encode, double *decode)
{
    const stamma_position start = stamma_position_start();
    static uint8_t bytes[1 << 16];
    double spent = 0;
    for (size_t n = 0; n < game_count; n++) {
        const double begin = bench_processor();
        bench_check("codecs_bench", stamma_codec_encode_game(codec, &start, moves + games[n].first, games[n].plies,
                                                             bytes, sizeof bytes, &games[n].size, NULL));
        spent += bench_processor() - begin;
        games[n].code = realloc(games[n].code, games[n].size + 1);
        if (!games[n].code)
            exit(2);
        memcpy(games[n].code, bytes, games[n].size);
    }
    *encode = spent * 1e9 / (double)ply_count;
    const double begin = bench_processor();
    for (size_t n = 0; n < game_count; n++) {
        size_t plies;
        bench_check("codecs_bench",
                    stamma_codec_decode_game(codec, &start, games[n].code, games[n].size, decoded, PLIES, &plies));
        if (plies != games[n].plies || memcmp(decoded, moves + games[n].first, plies * sizeof *decoded) != 0)
            bench_check("codecs_bench", STAMMA_ERROR_CORRUPT);
    }
    *decode = ns_per(begin, ply_count);
}

/* ---- yardsticks ---- */

static double time_yardstick(size_t which)
{
    size_t sum = 0;
    stamma_move list[STAMMA_MOVES_MAX];
    const double begin = bench_processor();
    for (size_t n = 0; n < SAMPLES; n++) {
        const sample *s = &samples[n];
        switch (which) {
        case 0: sum += stamma_legal_moves(&s->position, list); break;
        case 1: sum += stamma_legal_moves_count(&s->position); break;
        case 2: sum += stamma_move_is_legal(&s->position, s->move); break;
        default: sum += stamma_position_setup(&s->position).board[n & 63];
        }
    }
    sink = sum;
    return ns_per(begin, SAMPLES);
}

/* ---- output ---- */

static void print_field(double *values, bool any)
{
    if (any)
        printf("\t%.0f", bench_median(values, ROUNDS));
    else
        printf("\t-");
}

int main(int argc, char **argv)
{
    static const char *const yardsticks[YARDSTICKS] = {"(list of legal moves)", "(number of legal moves)",
                                                       "(is a move legal)", "(set-up of a position)"};
    static lengths bits[CODECS_MAX];
    static double single[CODECS_MAX][2][ROUNDS], game_times[CODECS_MAX][2][ROUNDS], other[YARDSTICKS][ROUNDS];
    bench_lines(argc > 1 ? argv[1] : NULL, take_game);
    if (ply_count == 0) {
        printf("codecs_bench: no games: skipped\n");
        return 0;
    }
    draw_samples();
    for (int round = 0; round < ROUNDS; round++) {
        const stamma_codec *codec;
        for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL && n < CODECS_MAX; n++) {
            const stamma_codec_info info = stamma_codec_describe(codec);
            if (info.kind != STAMMA_CODEC_GAME)
                time_single(codec, &single[n][0][round], &single[n][1][round], &bits[n]);
            if (!info.is_partial)
                time_games(codec, &game_times[n][0][round], &game_times[n][1][round]);
        }
        for (size_t n = 0; n < YARDSTICKS; n++)
            other[n][round] = time_yardstick(n);
    }
    printf("encoding\tencode, ns\tdecode, ns\tencode in a game, ns\tdecode in a game, ns\tleast bits\tmost bits\n");
    const stamma_codec *codec;
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL && n < CODECS_MAX; n++) {
        const stamma_codec_info info = stamma_codec_describe(codec);
        printf("%s", info.name);
        print_field(single[n][0], info.kind != STAMMA_CODEC_GAME);
        print_field(single[n][1], info.kind != STAMMA_CODEC_GAME);
        print_field(game_times[n][0], !info.is_partial);
        print_field(game_times[n][1], !info.is_partial);
        if (info.kind != STAMMA_CODEC_GAME)
            printf("\t%u\t%u\n", bits[n].least, bits[n].most);
        else
            printf("\t-\t-\n");
    }
    for (size_t n = 0; n < YARDSTICKS; n++) {
        printf("%s", yardsticks[n]);
        print_field(other[n], true);
        printf("\t-\t-\t-\t-\t-\n");
    }
    for (size_t n = 0; n < game_count; n++)
        free(games[n].code);
    return 0;
}
