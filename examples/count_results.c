/* SPDX-License-Identifier: MIT */
/* Reads columns of an archive as Arrow record batches, and prints the mean rating of White by result. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stamma.h"

/* ---- archives in memory ---- */

typedef struct bytes {
    char data[1 << 16];
    size_t size;
} bytes;

static bool add(void *context, const void *more, size_t size)
{
    bytes *b = context;
    if (size > sizeof b->data - b->size)
        return false;
    memcpy(b->data + b->size, more, size);
    b->size += size;
    return true;
}

static bool make_sample(bytes *archive)
{
    static const char pgn[] =
        "[White \"Alpha\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        "[White \"Beta\"]\n[WhiteElo \"2300\"]\n[BlackElo \"2500\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n\n"
        "[White \"Gamma\"]\n[WhiteElo \"2600\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n";
    const stamma_output output = {.context = archive, .write = add};
    stamma_archive_writer *writer = NULL;
    bool fine = stamma_archive_writer_open(&output, NULL, &writer) == STAMMA_OK &&
                stamma_archive_writer_write(writer, pgn, sizeof pgn - 1) == STAMMA_OK &&
                stamma_archive_writer_finish(writer, NULL) == STAMMA_OK;
    stamma_archive_writer_close(writer);
    return fine;
}

/* ---- columns ---- */

enum { RESULTS = 4 };
static const char *const results[RESULTS] = {"*", "1-0", "0-1", "1/2-1/2"};

/* Returns whether a row is not null. */
static bool is_valid(const struct ArrowArray *column, int64_t row)
{
    const uint8_t *validity = column->buffers[0];
    return !validity || (validity[row / 8] >> row % 8 & 1);
}

/* The dictionary of `result` contains all four results, in the order of stamma_result. */
static void add_batch(const struct ArrowArray *batch, uint64_t games[RESULTS], int64_t ratings[RESULTS])
{
    const int32_t *result = batch->children[0]->buffers[1];
    const int16_t *rating = batch->children[1]->buffers[1];
    for (int64_t row = 0; row < batch->length; row++)
        if (is_valid(batch->children[1], row)) {
            games[result[row]]++;
            ratings[result[row]] += rating[row];
        }
}

static stamma_error show(stamma_archive *archive)
{
    const stamma_text names[] = {stamma_text_of("result"), stamma_text_of("white_rating")};
    const stamma_columns_options options = {
        .size = sizeof options, .table = STAMMA_TABLE_GAMES, .columns = names, .column_count = 2};
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    uint64_t games[RESULTS] = {0};
    int64_t ratings[RESULTS] = {0};
    stamma_error error = stamma_columns_open(archive, &options, NULL, &stream);
    if (error != STAMMA_OK)
        return error;
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
        add_batch(&batch, games, ratings);
        batch.release(&batch);
    }
    error = stamma_columns_error(&stream, NULL);
    stream.release(&stream);
    for (int n = 0; n < RESULTS && error == STAMMA_OK; n++)
        if (games[n] > 0)
            printf("%s: %" PRIu64 " games, mean rating of White %" PRId64 "\n", results[n], games[n],
                   ratings[n] / (int64_t)games[n]);
    return error;
}

int main(void)
{
    static bytes sample;
    stamma_archive *archive = NULL;
    if (!make_sample(&sample))
        return 2;
    const stamma_bytes bytes = stamma_bytes_of(sample.data, sample.size);
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (error == STAMMA_OK)
        error = show(archive);
    stamma_archive_close(archive);
    if (error != STAMMA_OK)
        printf("%s\n", stamma_error_text(error));
    return error == STAMMA_OK ? 0 : 2;
}
