/* SPDX-License-Identifier: MIT */
/* Measures the size and speed of the position encodings on real games.
 *
 * usage: positions_bench [GAMES]
 *
 * Uses all positions of the first GAMES games (default 1500, 0: all) of $SHARED/corpora/otb_dev and lichess_dev,
 * unpacked by the zstd program. Sizes are in bits. Speeds are in million positions per second of processor time on one
 * core, medians of five rounds over the same 20,000 positions. For comparison, also prints the common sizes of 24 bytes
 * (occupied squares and a nibble per piece) and 32 bytes (a nibble per square), and the size of the FENs, one per line
 * in the order of the games, compressed by the xz program. */
#include "bench.h"

enum { ROUNDS = 5, TIMED = 20000, BITS_MAX = 8 * STAMMA_POSITION_CODE_SIZE, CLASSES = 81 };

typedef struct positions {
    stamma_position *data;
    size_t count, capacity;
} positions;

static void add(positions *all, const stamma_position *position)
{
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? all->capacity * 2 : 1 << 16;
        all->data = realloc(all->data, all->capacity * sizeof *all->data);
        if (!all->data)
            exit(2);
    }
    all->data[all->count++] = *position;
}

/* Collects the positions after each move of the main lines. */
static void collect(FILE *file, unsigned long games, positions *all)
{
    stamma_input input = {.context = file, .read = bench_read};
    stamma_pgn_reader *reader;
    stamma_pgn_event event = {0};
    unsigned long game = 0;
    if (stamma_pgn_reader_open(&input, NULL, &reader) != STAMMA_OK)
        exit(2);
    while (stamma_pgn_reader_next(reader, &event) == STAMMA_OK && event.kind != STAMMA_PGN_END) {
        if (event.kind == STAMMA_PGN_GAME_END && ++game == games)
            break;
        if (event.depth == 0 && event.kind == STAMMA_PGN_MOVE && stamma_pgn_reader_position(reader))
            add(all, stamma_pgn_reader_position(reader));
    }
    stamma_pgn_reader_close(reader);
}

/* Returns the positions for timing, spread evenly so that all phases of games are included. */
static const stamma_position *timed(const positions *all, size_t n)
{
    return &all->data[n * all->count / TIMED];
}

static void print_speed(const stamma_position_codec *codec, const positions *all)
{
    static stamma_position_code codes[TIMED];
    double encoded[ROUNDS], decoded[ROUNDS];
    stamma_position position;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = bench_processor();
        for (size_t n = 0; n < TIMED; n++)
            stamma_position_encode(codec, timed(all, n), &codes[n]);
        double middle = bench_processor();
        for (size_t n = 0; n < TIMED; n++)
            stamma_position_decode(codec, &codes[n], &position);
        encoded[round] = TIMED / (middle - start) * 1e-6;
        decoded[round] = TIMED / (bench_processor() - middle) * 1e-6;
    }
    printf(" %8.3f", bench_median(encoded, ROUNDS));
    if (stamma_position_codec_describe(codec).is_partial)
        printf("        -\n");
    else
        printf(" %8.3f\n", bench_median(decoded, ROUNDS));
}

static void print_codec(const stamma_position_codec *codec, const positions *all)
{
    size_t sizes[BITS_MAX + 1] = {0}, count = 0, seen = 0;
    uint64_t bits = 0;
    unsigned middle = 0, most = 0;
    for (size_t n = 0; n < all->count; n++) {
        stamma_position_code code;
        if (stamma_position_encode(codec, &all->data[n], &code) != STAMMA_OK)
            continue;
        sizes[code.bits]++;
        count++;
        bits += code.bits;
        most = code.bits > most ? code.bits : most;
    }
    for (; seen + sizes[middle] <= count / 2; middle++)
        seen += sizes[middle];
    printf("%-18s %8.1f %6u %6u", stamma_position_codec_describe(codec).name, (double)bits / (double)count, middle,
           most);
    print_speed(codec, all);
    if (count < all->count)
        printf("%-18s no code for %zu positions\n", "", all->count - count);
}

/* Prints the size of the FENs compressed by xz, in bits per position. */
static void print_xz(const positions *all)
{
    char name[] = "/tmp/positions_benchXXXXXX", command[128];
    int descriptor = mkstemp(name);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    unsigned long long size = 0;
    if (!file)
        exit(2);
    for (size_t n = 0; n < all->count; n++) {
        char fen[STAMMA_FEN_SIZE];
        stamma_fen_write(&all->data[n], STAMMA_FEN_STANDARD, fen, sizeof fen);
        fprintf(file, "%s\n", fen);
    }
    fclose(file);
    snprintf(command, sizeof command, "xz -6 -c %s | wc -c", name);
    FILE *xz = popen(command, "r");
    if (xz && fscanf(xz, "%llu", &size) == 1)
        printf("%-18s %8.1f\n", "(fen lines, xz -6)", 8.0 * (double)size / (double)all->count);
    if (xz)
        pclose(xz);
    unlink(name);
}

/* Prints the size of huffman-tables by class. A class is four digits for h1, a1, h8 and a8: 2 for a castling right, 1
 * for a rook at home, 0 otherwise. */
static void print_classes(const positions *all)
{
    const stamma_position_codec *codec = stamma_position_codec_find((stamma_text){"huffman-tables", 14});
    uint64_t bits[CLASSES] = {0}, counts[CLASSES] = {0}, total = 0;
    for (size_t n = 0; n < all->count; n++) {
        stamma_position_code code;
        if (stamma_position_encode(codec, &all->data[n], &code) != STAMMA_OK)
            continue;
        unsigned class = code.bytes[1] >> 1;
        counts[class]++;
        bits[class] += code.bits - 7;
        total += code.bits - 7;
    }
    printf("huffman-tables without the class: %.1f; by class, those of 2 %% or more:\n",
           (double)total / (double)all->count);
    for (unsigned class = 0; class < CLASSES; class ++)
        if (50 * counts[class] >= all->count)
            printf("  %u%u%u%u  %4.1f %%  %6.1f\n", class % 3, class / 3 % 3, class / 9 % 3, class / 27,
                   100.0 * (double)counts[class] / (double)all->count, (double)bits[class] / (double)counts[class]);
}

static void print_corpus(const char *name, unsigned long games)
{
    positions all = {NULL, 0, 0};
    FILE *file = bench_corpus(name);
    if (file)
        collect(file, games, &all);
    if (file)
        pclose(file);
    if (all.count == 0) {
        printf("%s is not there\n", name);
        return;
    }
    printf("%s: %zu positions\n%-18s %8s %6s %6s %8s %8s\n", name, all.count, "", "mean", "median", "most", "encode",
           "decode");
    for (size_t n = 0; stamma_position_codec_at(n); n++)
        print_codec(stamma_position_codec_at(n), &all);
    printf("%-18s %8.1f\n%-18s %8.1f\n", "(24 bytes)", 192.0, "(32 bytes)", 256.0);
    print_xz(&all);
    print_classes(&all);
    free(all.data);
}

int main(int argc, char **argv)
{
    unsigned long games = argc > 1 ? strtoul(argv[1], NULL, 10) : 1500;
    print_corpus("otb_dev", games);
    printf("\n");
    print_corpus("lichess_dev", games);
    return 0;
}
