/* SPDX-License-Identifier: MIT */
/* Fuzz target: packing arbitrary bytes, at a level that depends on them. Unpacking must restore the bytes, from a
 * archive and from a pipe. Writing the input in pieces must produce the same archive. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "large_blocks.h"
#include "memory_archive.h"

static memory_archive pack(const uint8_t *data, size_t size, size_t piece, int level)
{
    memory_archive archive = {0};
    const stamma_output output = memory_output(&archive);
    stamma_archive_writer_options options = {.size = sizeof options, .allocator = large_blocks_kept(), .level = level};
    stamma_archive_counts counts;
    stamma_archive_writer *writer;
    demand(stamma_archive_writer_open(&output, &options, &writer) == STAMMA_OK);
    for (size_t at = 0; at < size; at += piece)
        demand(stamma_archive_writer_write(writer, data + at, size - at < piece ? size - at : piece) == STAMMA_OK);
    demand(stamma_archive_writer_finish(writer, &counts) == STAMMA_OK);
    demand(counts.text_size == size && counts.archive_size == archive.size);
    stamma_archive_writer_close(writer);
    return archive;
}

static stamma_archive_reader *open_stream(memory_archive *archive)
{
    const stamma_input input = memory_stream(archive);
    stamma_archive_reader_options options = {.size = sizeof options, .allocator = large_blocks_kept()};
    stamma_archive_reader *reader;
    demand(stamma_archive_reader_open_stream(&input, &options, &reader) == STAMMA_OK);
    return reader;
}

static void check(memory_archive *file, bool is_stream, const uint8_t *data, size_t size)
{
    memory_archive text = {0};
    const stamma_output output = memory_output(&text);
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = is_stream ? open_stream(file) : memory_reader(file, &archive);
    demand(reader && stamma_archive_reader_unpack(reader, &output) == STAMMA_OK);
    memory_close(reader, archive);
    demand(text.size == size && (size == 0 || memcmp(text.data, data, size) == 0));
    free(text.data);
}

/* Reads game by game, then seeks to the last games by their numbers. */
static void check_games(memory_archive *file, const uint8_t *data, size_t size)
{
    stamma_archive *archive;
    stamma_archive_reader *reader = memory_reader(file, &archive);
    const stamma_archive_game *game;
    size_t at = 0;
    uint64_t games = 0, count;
    demand(reader && stamma_archive_reader_game_count(reader, &count) == STAMMA_OK);
    for (bool found = true; found;) {
        demand(stamma_archive_reader_next(reader, &game) == STAMMA_OK);
        found = game != NULL;
        if (!found)
            break;
        games += !game->continuation;
        demand(game->number == games && size - at >= game->text.size);
        demand(memcmp(game->text.data, data + at, game->text.size) == 0);
        at += game->text.size;
    }
    demand(at == size && games == count);
    for (uint64_t number = games; number > 0 && number + 5 > games; number--) {
        demand(stamma_archive_reader_seek(reader, number) == STAMMA_OK);
        demand(stamma_archive_reader_next(reader, &game) == STAMMA_OK && game);
        demand(game->number == number && !game->continuation);
    }
    memory_close(reader, archive);
}

const work_limit fuzz_limit = {.fixed = 1000000, .per_byte = 150000};

void fuzz_input(const uint8_t *data, size_t size)
{
    uint64_t random = XXH64(data, size, 4) | 1;
    const int level = memory_level(&random);
    memory_archive archive = pack(data, size, SIZE_MAX / 2, level), again = pack(data, size, 1 + size % 97, level);
    demand(archive.size == again.size && memcmp(archive.data, again.data, archive.size) == 0);
    check(&archive, false, data, size);
    check(&archive, true, data, size);
    check_games(&archive, data, size);
    free(archive.data);
    free(again.data);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_pgn(data, size, room, seed);
}
