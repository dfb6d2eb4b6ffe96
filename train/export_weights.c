/* SPDX-License-Identifier: MIT */
/* Converts the trainers' weights to the predictor's integers, and writes them as one part of the file of weights
 * (src/model/model.h). The other part of the file stays unchanged. Then writes the checksums of both parts as C.
 *
 * usage: export_weights WEIGHTS FOLDER
 *        export_weights SECOND_WEIGHTS BOOK FOLDER
 *
 * FOLDER is src/model: predict_weights.c.bin and weights_ids.h in it are written.
 *
 * Each weight is rounded to the nearest integer of its unit and cut to its limits (src/model/model.h), so that no sum
 * of the predictor overflows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "model/model.h"

enum { PART_MAX = 6 << 20, SECOND_MAX_SIZE = 8000000 - PREDICT_WEIGHTS };
#define BITS_OF_E 1.4426950408889634

static uint8_t weights[PART_MAX], others[PART_MAX]; /* the part that is written, the part that stays unchanged */
static size_t weights_size = PREDICT_WEIGHTS;
static unsigned long long cut;

static float take(FILE *in)
{
    float value;
    if (fread(&value, sizeof value, 1, in) != 1) {
        fprintf(stderr, "the weights end too early\n");
        exit(1);
    }
    return value;
}

static int32_t quantise(double value, double unit, int32_t limit)
{
    double scaled = value * unit;
    cut += scaled > limit + 0.5 || scaled < -limit - 0.5;
    scaled = scaled > limit ? limit : scaled < -limit ? -limit : scaled;
    return (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

static void take_bytes(FILE *in, size_t at, size_t count, double unit)
{
    for (size_t n = 0; n < count; n++)
        weights[at + n] = (uint8_t)quantise(take(in), unit, 127);
}

static void take_shorts(FILE *in, size_t at, size_t count, double unit, int32_t limit)
{
    for (size_t n = 0; n < count; n++)
        store_u16(weights + at + 2 * n, (uint16_t)quantise(take(in), unit, limit));
}

/* Converts all weights in the order of the trainer's file. */
static void take_all(FILE *in)
{
    take_bytes(in, WEIGHT_FIRST, (size_t)PREDICT_INPUTS * PREDICT_UNITS, 128);
    take_shorts(in, WEIGHT_FIRST_BIAS, PREDICT_UNITS, 128, FIRST_BIAS_MAX);
    for (size_t j = 0; j < PREDICT_PAIRS; j++)
        for (size_t q = 0; q < PREDICT_OUTPUTS; q++)
            store_u16(weights + WEIGHT_SECOND + 2 * ((j / 2 * PREDICT_OUTPUTS + q) * 2 + j % 2),
                      (uint16_t)quantise(take(in), 64, SECOND_MAX));
    for (size_t q = 0; q < PREDICT_OUTPUTS; q++)
        store_u32(weights + WEIGHT_SECOND_BIAS + 4 * q, (uint32_t)quantise(take(in), 1 << 20, SECOND_BIAS_MAX));
    take_bytes(in, WEIGHT_VECTORS, (size_t)2 * PREDICT_VECTORS * PREDICT_OUTPUTS, BITS_OF_E * 32);
    take_shorts(in, WEIGHT_VECTOR_BIAS, (size_t)2 * PREDICT_VECTORS, BITS_OF_E * 256, TABLE_MAX);
    take_shorts(in, WEIGHT_EXCHANGES, PREDICT_EXCHANGES + PREDICT_RETURNS + PREDICT_DISTANCES, BITS_OF_E * 256,
                TABLE_MAX);
    take_bytes(in, WEIGHT_HASHED, PREDICT_WEIGHTS - WEIGHT_HASHED, BITS_OF_E * 16);
}

/* Converts the second stage's weights in the order of its trainer's file, and appends the book. */
static void take_second(FILE *in, FILE *book)
{
    take_shorts(in, SECOND_WEIGHTS, SECOND_OWN, BITS_OF_E * SECOND_LOGIT_ONE, INT16_MAX);
    take_bytes(in, SECOND_EMBEDDING, (size_t)SECOND_ALL * SECOND_UNITS, 64);
    take_shorts(in, SECOND_CONTEXT, (size_t)SECOND_UNITS * PREDICT_OUTPUTS, 4096, SECOND_CONTEXT_MAX);
    take_shorts(in, SECOND_OUTPUT, SECOND_UNITS, BITS_OF_E * SECOND_LOGIT_ONE, SECOND_OUTPUT_MAX);
    weights_size = SECOND_SIZE + fread(weights + SECOND_SIZE, 1, sizeof weights - SECOND_SIZE, book);
    if (weights_size > SECOND_MAX_SIZE) {
        fprintf(stderr, "the book is %zu bytes too large\n", weights_size - SECOND_MAX_SIZE);
        exit(1);
    }
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (!file) {
        fprintf(stderr, "cannot open %s\n", path);
        exit(1);
    }
    return file;
}

static void check_sizes(FILE *in)
{
    int32_t sizes[4];
    if (fread(sizes, sizeof sizes, 1, in) == 1 && sizes[0] == PREDICT_INPUTS && sizes[1] == PREDICT_UNITS &&
        sizes[2] == PREDICT_OUTPUTS && sizes[3] == PREDICT_VECTORS)
        return;
    fprintf(stderr, "these are not the weights of this predictor\n");
    exit(1);
}

/* Reads the part of the file that stays unchanged. Returns its size, or 0 if there is no file yet. */
static size_t read_other(const char *path, bool second)
{
    uint8_t head[WEIGHTS_FILE_PREDICT];
    FILE *in = fopen(path, "rb");
    if (!in)
        return 0;
    size_t size = 0;
    if (fread(head, sizeof head, 1, in) == 1 && memcmp(head, WEIGHTS_FILE_MAGIC, 8) == 0 &&
        load_u64(head + 8) == WEIGHTS_FILE_VERSION) {
        fseek(in, (long)load_u64(head + (second ? 32 : 16)), SEEK_SET);
        size = fread(others, 1, (size_t)load_u64(head + (second ? 40 : 24)), in);
    }
    fclose(in);
    return size;
}

static void put_file(FILE *out, const uint8_t *first, const uint8_t *second, size_t second_size)
{
    static const uint8_t zeros[64];
    uint8_t head[WEIGHTS_FILE_PREDICT] = WEIGHTS_FILE_MAGIC;
    const uint64_t numbers[] = {WEIGHTS_FILE_VERSION, WEIGHTS_FILE_PREDICT, PREDICT_WEIGHTS, WEIGHTS_FILE_SECOND,
                                second_size};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        store_u64(head + 8 + 8 * n, numbers[n]);
    fwrite(head, sizeof head, 1, out);
    fwrite(first, PREDICT_WEIGHTS, 1, out);
    fwrite(zeros, WEIGHTS_FILE_SECOND - WEIGHTS_FILE_PREDICT - PREDICT_WEIGHTS, 1, out);
    fwrite(second, second_size, 1, out);
}

static void put_ids(FILE *out, const uint8_t *first, const uint8_t *second, size_t second_size)
{
    fprintf(out,
            "/* Generated by train/export_weights.c: the checksum (XXH64) of each part of predict_weights.c.bin, its "
            "name in\n"
            " * archives, and the size of the second part in bytes. */\n"
            "#define PREDICT_WEIGHTS_ID UINT64_C(0x%016llx)\n#define SECOND_WEIGHTS_ID UINT64_C(0x%016llx)\n"
            "#define SECOND_WEIGHTS_SIZE %zu\n",
            (unsigned long long)XXH64(first, PREDICT_WEIGHTS, 0), (unsigned long long)XXH64(second, second_size, 0),
            second_size);
}

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return open_file(path, mode);
}

/* Writes both files. One part of the weights is new. */
static bool write_part(const char *folder, bool second)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/predict_weights.c.bin", folder);
    size_t other_size = read_other(path, !second), second_size = second ? weights_size : other_size;
    const uint8_t *first = second ? others : weights, *last = second ? weights : others;
    if (second && other_size != PREDICT_WEIGHTS) {
        fprintf(stderr, "%s: no weights of the first stage\n", path);
        return false;
    }
    FILE *out = open_file(path, "wb"), *ids = open_in(folder, "weights_ids.h", "wb");
    put_file(out, first, last, second_size);
    put_ids(ids, first, last, second_size);
    bool good = !ferror(out) && !ferror(ids);
    return (fclose(out) == 0) & (fclose(ids) == 0) && good;
}

int main(int count, char **arguments)
{
    if (count != 3 && count != 4) {
        fprintf(stderr, "usage: export_weights WEIGHTS FOLDER\n"
                        "       export_weights SECOND_WEIGHTS BOOK FOLDER\n");
        return 2;
    }
    FILE *in = open_file(arguments[1], "rb");
    if (count == 3) {
        check_sizes(in);
        take_all(in);
    } else {
        take_second(in, open_file(arguments[2], "rb"));
    }
    bool good = write_part(arguments[count - 1], count == 4);
    fprintf(stderr, "%zu bytes, %llu weights cut to their limits\n", weights_size, cut);
    return good ? 0 : 1;
}
