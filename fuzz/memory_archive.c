/* SPDX-License-Identifier: MIT */
/* Packs, appends, reads and damages archives in memory. */
#include "memory_archive.h"

#include <stdlib.h>
#include <string.h>

#include "large_blocks.h"

/* ---- files ---- */

static bool add(void *context, const void *bytes, size_t size)
{
    memory_archive *f = context;
    if (f->capacity - f->size < size) {
        f->capacity = 2 * (f->size + size);
        f->data = realloc(f->data, f->capacity);
        demand(f->data != NULL);
    }
    if (size > 0)
        memcpy(f->data + f->size, bytes, size);
    f->size += size;
    return true;
}

static ptrdiff_t take(void *context, void *to, size_t size)
{
    memory_archive *f = context;
    size_t part = f->size - f->at < size ? f->size - f->at : size;
    if (part > 0)
        memcpy(to, f->data + f->at, part);
    f->at += part;
    return (ptrdiff_t)part;
}

static bool read_at(void *context, uint64_t offset, void *to, size_t size)
{
    const memory_archive *f = context;
    demand(offset <= f->size && size <= f->size - offset);
    if (size > 0)
        memcpy(to, f->data + offset, size);
    return true;
}

stamma_output memory_output(memory_archive *file)
{
    return (stamma_output){file, add, NULL};
}

stamma_bytes memory_bytes(memory_archive *file, bool in_memory)
{
    return in_memory && file->data ? stamma_bytes_of(file->data, file->size)
                                   : (stamma_bytes){.size = file->size, .context = file, .read_at = read_at};
}

stamma_input memory_stream(memory_archive *file)
{
    file->at = 0;
    return (stamma_input){.context = file, .read = take};
}

bool memory_cut(void *file, uint64_t size)
{
    memory_archive *f = file;
    demand(size <= f->size);
    f->size = (size_t)size;
    return true;
}

memory_archive memory_copy(const uint8_t *data, size_t size)
{
    memory_archive copy = {0};
    (void)add(&copy, data, size);
    return copy;
}

/* ---- writing ---- */

static stamma_archive_writer_options options_of(int level)
{
    return (stamma_archive_writer_options){
        .size = sizeof(stamma_archive_writer_options), .allocator = large_blocks_kept(), .level = level};
}

static void write_all(stamma_archive_writer *writer, stamma_text text)
{
    if (text.size > 0)
        demand(stamma_archive_writer_write(writer, text.data, text.size) == STAMMA_OK);
    demand(stamma_archive_writer_finish(writer, NULL) == STAMMA_OK);
    stamma_archive_writer_close(writer);
}

memory_archive memory_pack(stamma_text text, int level)
{
    const stamma_archive_writer_options options = options_of(level);
    memory_archive file = {0};
    const stamma_output output = memory_output(&file);
    stamma_archive_writer *writer;
    demand(stamma_archive_writer_open(&output, &options, &writer) == STAMMA_OK);
    write_all(writer, text);
    return file;
}

void memory_append(memory_archive *file, stamma_text text, int level)
{
    const stamma_archive_writer_options options = options_of(level);
    const stamma_output output = memory_output(file);
    stamma_archive *archive;
    stamma_archive_reader *reader = memory_reader(file, &archive);
    stamma_archive_writer *writer;
    demand(reader != NULL);
    demand(stamma_archive_writer_open_append(reader, &output, memory_cut, &options, &writer) == STAMMA_OK);
    memory_close(reader, archive);
    write_all(writer, text);
}

memory_archive memory_pack_parts(stamma_text text, int level, uint64_t *random)
{
    size_t at = draw(random) & 1 ? text.size : draw_below(random, text.size + 1), part;
    memory_archive file = memory_pack((stamma_text){text.data, at}, level);
    for (unsigned n = 0; n < 2 && at < text.size; n++, at += part) {
        part = n == 1 ? text.size - at : draw_below(random, text.size - at + 1);
        memory_append(&file, (stamma_text){text.data + at, part}, level);
    }
    return file;
}

int memory_level(uint64_t *random)
{
    const size_t choice = draw_below(random, 32);
    return choice > 3 || stamma_predictor_id() == 0 ? 1 : choice == 0 ? 3 : 2;
}

/* ---- reading ---- */

stamma_archive *memory_open(memory_archive *file)
{
    const stamma_bytes bytes = memory_bytes(file, false);
    const stamma_archive_options options = {.size = sizeof options, .allocator = large_blocks_kept()};
    stamma_archive *archive;
    return stamma_archive_open(&bytes, &options, &archive) == STAMMA_OK ? archive : NULL;
}

stamma_archive_reader *memory_reader(memory_archive *file, stamma_archive **archive)
{
    stamma_archive_reader *reader = NULL;
    *archive = memory_open(file);
    if (*archive && stamma_archive_reader_open(*archive, NULL, &reader) != STAMMA_OK) {
        stamma_archive_close(*archive);
        *archive = NULL;
        return NULL;
    }
    return reader;
}

void memory_close(stamma_archive_reader *reader, stamma_archive *archive)
{
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
}

bool memory_is_sound(memory_archive *file)
{
    stamma_archive *archive = memory_open(file);
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    const bool read = archive && stamma_archive_verify(archive, NULL, &verdict) == STAMMA_OK;
    stamma_archive_close(archive);
    return read && verdict.damages == 0;
}

void memory_demand_text(memory_archive *file, stamma_text first, stamma_text second)
{
    memory_archive text = {0};
    const stamma_output output = memory_output(&text);
    demand(memory_is_sound(file));
    stamma_archive *archive;
    stamma_archive_reader *reader = memory_reader(file, &archive);
    demand(reader && stamma_archive_reader_unpack(reader, &output) == STAMMA_OK);
    memory_close(reader, archive);
    demand(text.size == first.size + second.size);
    demand(first.size == 0 || memcmp(text.data, first.data, first.size) == 0);
    demand(second.size == 0 || memcmp(text.data + first.size, second.data, second.size) == 0);
    free(text.data);
}

/* ---- damage ---- */

static void change_bytes(memory_archive *f, size_t at, size_t count, uint64_t *random)
{
    const bool zeros = draw(random) % 4 == 0;
    for (size_t n = 0; n < count; n++)
        f->data[at + n] = zeros ? 0 : (uint8_t)(draw(random) >> 32);
}

/* Inserts a copy of other bytes of the file, or repeats the bytes at this place. */
static void insert(memory_archive *f, size_t at, size_t count, uint64_t *random)
{
    memory_archive copy = memory_copy(f->data, f->size);
    const size_t from = draw(random) & 1 ? at : draw_below(random, copy.size - count + 1);
    f->size = at;
    (void)add(f, copy.data + from, count);
    (void)add(f, copy.data + at, copy.size - at);
    free(copy.data);
}

void memory_damage(memory_archive *f, size_t from, uint64_t *random)
{
    for (size_t changes = 1 + draw_below(random, 3); changes > 0 && from < f->size; changes--) {
        const size_t at = from + draw_below(random, f->size - from), left = f->size - at;
        const size_t most = draw(random) & 1 ? 4 : 600, count = 1 + draw_below(random, left < most ? left : most);
        switch (draw_below(random, 8)) {
        case 0: f->size = at; break;
        case 1:
            memmove(f->data + at, f->data + at + count, left - count);
            f->size -= count;
            break;
        case 2: insert(f, at, count, random); break;
        case 3: f->data[at] ^= (uint8_t)(1u << draw_below(random, 8)); break;
        default: change_bytes(f, at, count, random);
        }
    }
}
