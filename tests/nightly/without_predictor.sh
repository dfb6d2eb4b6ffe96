#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library without the predictor (STAMMA_NO_MODEL): it compiles without warnings and is small. What does not need the
# predictor works, and functions that need it return UNSUPPORTED.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "only the plain build is compiled"; exit 77; }
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES
build=${BUILD:-build}/without_predictor
mkdir -p "$build"
make -s -j "${JOBS:-2}" BUILD="$build" CFLAGS='-O1 -Werror' CPPFLAGS=-DSTAMMA_NO_MODEL "$build/libstamma.a"
cat >"$build/program.c" <<'PROGRAM'
#include "bench.h"

#define CHECK(law)                                                                                                     \
    if (!(law)) {                                                                                                      \
        printf("not true: %s\n", #law);                                                                                \
        return 1;                                                                                                      \
    }

static stamma_error writer_of(int level)
{
    memory archive = {0};
    const stamma_output output = {.context = &archive, .write = memory_write};
    const stamma_archive_writer_options options = {.size = sizeof options, .level = level};
    stamma_archive_writer *writer = NULL;
    stamma_error error = stamma_archive_writer_open(&output, &options, &writer);
    stamma_archive_writer_close(writer);
    free(archive.bytes);
    return error;
}

/* Reads the first game with its moves. */
static stamma_error read_game(const char *path)
{
    const memory file = memory_load(path);
    stamma_archive *archive = memory_open(&file, NULL);
    stamma_archive_reader *reader = bench_reader(archive, STAMMA_GAME_ALL);
    const stamma_archive_game *game;
    stamma_error error = stamma_archive_reader_next(reader, &game);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    free(file.bytes);
    return error;
}

int main(void)
{
    const stamma_position start = stamma_position_start();
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    size_t count = 0;
    CHECK(stamma_predictor_id() == 0);
    CHECK(stamma_predict(&start, NULL, 0, NULL, likely, &count) == STAMMA_ERROR_UNSUPPORTED);
    CHECK(stamma_predict_game(&start, NULL, 0, NULL, NULL) == STAMMA_ERROR_UNSUPPORTED);
    CHECK(!stamma_codec_find(stamma_text_of("ranked-tiers")) && !stamma_codec_find(stamma_text_of("ranked-huffman")));
    CHECK(!stamma_codec_find(stamma_text_of("arithmetic")));
    CHECK(stamma_codec_find(stamma_text_of("tarrasch")));
    for (count = 0; stamma_codec_at(count);)
        count++;
    CHECK(count > 20);
    CHECK(writer_of(1) == STAMMA_OK);
    CHECK(writer_of(2) == STAMMA_ERROR_UNSUPPORTED && writer_of(3) == STAMMA_ERROR_UNSUPPORTED);
    CHECK(read_game("tests/data/good-games.stamma") == STAMMA_OK);
    CHECK(read_game("tests/data/good-predicted.stamma") == STAMMA_ERROR_UNSUPPORTED);
    CHECK(read_game("tests/data/good-predicted-adaptive.stamma") == STAMMA_ERROR_UNSUPPORTED);
    return 0;
}
PROGRAM
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Iinclude -Ibench "$build/program.c" "$build/libstamma.a" -lzstd -lbz2 -lxxhash -lm -o "$build/program"
"$build/program"
strip "$build/program"
size=$(wc -c <"$build/program")
echo "$size bytes"
[ "$size" -lt 2000000 ]
