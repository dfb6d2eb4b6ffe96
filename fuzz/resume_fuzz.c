/* SPDX-License-Identifier: MIT */
/* Fuzz target: continuing archives whose writer was interrupted, or that were damaged. The input is PGN. A resumed
 * writer must make the archive of an uninterrupted writer. A resumed append must leave the old archive unchanged. After
 * an interruption it must append the new text. After damage, it must append the new text or fail. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "large_blocks.h"
#include "memory_archive.h"

const work_limit fuzz_limit = {.fixed = 6000000, .per_byte = 500000};

typedef stamma_error writer_opener(stamma_archive_reader *reader, const stamma_output *output,
                                   bool (*cut)(void *context, uint64_t size),
                                   const stamma_archive_writer_options *options, stamma_archive_writer **writer);

static stamma_error write_text(stamma_archive_writer *writer, stamma_text text, uint64_t *random)
{
    stamma_error error = STAMMA_OK;
    for (size_t at = 0, part; at < text.size && !error; at += part) {
        part = 1 + draw_below(random, text.size - at);
        error = stamma_archive_writer_write(writer, text.data + at, part);
    }
    return error ? error : stamma_archive_writer_finish(writer, NULL);
}

/* Continues a file with a text. Returns NO_ARCHIVE if the file is not an archive. */
static stamma_error go_on(writer_opener *opener, memory_archive *file, stamma_text text, int level, uint64_t *random)
{
    const stamma_archive_writer_options options = {
        .size = sizeof options, .allocator = large_blocks_kept(), .level = level};
    const stamma_output output = memory_output(file);
    memory_archive before = memory_copy(file->data, file->size);
    stamma_archive *archive;
    stamma_archive_reader *reader = memory_reader(&before, &archive);
    stamma_archive_writer *writer = NULL;
    stamma_error error = reader ? opener(reader, &output, memory_cut, &options, &writer) : STAMMA_ERROR_NO_ARCHIVE;
    if (!error)
        error = write_text(writer, text, random);
    stamma_archive_writer_close(writer);
    memory_close(reader, archive);
    free(before.data);
    return error;
}

static void interrupt(memory_archive *file, size_t from, uint64_t *random)
{
    file->size = from + draw_below(random, file->size - from + 1);
}

static void test_resume(stamma_text text, int level, uint64_t *random)
{
    memory_archive whole = memory_pack(text, level), file = memory_copy(whole.data, whole.size);
    if (draw(random) & 1)
        interrupt(&file, 0, random);
    else
        memory_damage(&file, 0, random);
    stamma_error error = go_on(stamma_archive_writer_open_resume, &file, text, level, random);
    demand(error == STAMMA_OK || error == STAMMA_ERROR_NO_ARCHIVE);
    if (!error)
        demand(file.size == whole.size && memcmp(file.data, whole.data, whole.size) == 0);
    free(file.data);
    free(whole.data);
}

static bool ends_with(stamma_text text, stamma_text end)
{
    return text.size >= end.size && memcmp(text.data + text.size - end.size, end.data, end.size) == 0;
}

static void test_append(stamma_text text, int level, uint64_t *random)
{
    const size_t part = draw_below(random, text.size + 1);
    const stamma_text old_text = {text.data, part}, new_text = {text.data + part, text.size - part};
    const bool interrupted = draw(random) & 1;
    memory_archive file = memory_pack_parts(old_text, level, random), old = memory_copy(file.data, file.size);
    memory_append(&file, new_text, level);
    if (interrupted)
        interrupt(&file, old.size, random);
    else
        memory_damage(&file, old.size, random);
    stamma_error error = go_on(stamma_archive_writer_open_append_resume, &file, new_text, level, random);
    demand(!interrupted || !error);
    demand(file.size >= old.size && memcmp(file.data, old.data, old.size) == 0);
    if (!error && !(file.size == old.size && ends_with(old_text, new_text))) /* the last append had the same input */
        memory_demand_text(&file, old_text, new_text);
    free(file.data);
    free(old.data);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    uint64_t random = XXH64(data, size, 2) | 1;
    const stamma_text text = {size > 0 ? (const char *)data : "", size};
    const int level = memory_level(&random);
    test_resume(text, level, &random);
    test_append(text, level, &random);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_pgn(data, size, room, seed);
}
