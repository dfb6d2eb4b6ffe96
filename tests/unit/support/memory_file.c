/* SPDX-License-Identifier: MIT */
/* A file in memory that is written at its end, or at an offset, and can be truncated. */
#include "memory_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the disk ---- */

typedef struct disk_write {
    size_t offset; /* in the file */
    size_t size;
    size_t bytes;  /* offset in the disk's `bytes` */
    size_t length; /* of the file before the write */
} disk_write;

disk disk_of(const memory_file *file, size_t sector)
{
    disk d = {.sector = sector};
    list_bytes(&d.stable, file->bytes.text, file->bytes.size);
    return d;
}

void disk_release(disk *d)
{
    free(d->stable.text);
    free(d->writes.text);
    free(d->bytes.text);
}

static void note_write(memory_file *file, size_t offset, const void *bytes, size_t size)
{
    disk_write w = {offset, size, file->disk->bytes.size, file->bytes.size};
    list_bytes(&file->disk->writes, &w, sizeof w);
    list_bytes(&file->disk->bytes, bytes, size);
}

static void note_sync(memory_file *file)
{
    disk *d = file->disk;
    d->stable.size = d->writes.size = d->bytes.size = 0;
    list_bytes(&d->stable, file->bytes.size > 0 ? file->bytes.text : "", file->bytes.size);
}

static void may_crash(memory_file *file)
{
    if (file->disk && file->disk->crash)
        file->disk->crash(file);
}

static disk_write write_at(const disk *d, size_t i)
{
    disk_write w;
    memcpy(&w, d->writes.text + i * sizeof w, sizeof w);
    return w;
}

static size_t write_count(const disk *d)
{
    return d->writes.size / sizeof(disk_write);
}

/* Copies the part of a write that is in a sector to `left`. Earlier writes have already been copied. */
static void put_write(const disk *d, const disk_write *w, size_t sector, listing *left)
{
    size_t begin = sector * d->sector, end = begin + d->sector;
    begin = begin > w->offset ? begin : w->offset;
    end = end < w->offset + w->size ? end : w->offset + w->size;
    if (begin < end)
        memcpy(left->text + begin, d->bytes.text + w->bytes + (begin - w->offset), end - begin);
}

/* Makes the choices for one possible state after a crash. `choose` returns a number below `count`. */
typedef struct chooser {
    uint64_t random;
    enum { CHOOSE_NONE, CHOOSE_ALL, CHOOSE_COUNTED, CHOOSE_RANDOM, CHOOSE_MOST, CHOOSE_FEW } how;
    uint64_t rest; /* counted: the number that encodes the remaining choices */
} chooser;

static size_t choose(chooser *c, size_t count)
{
    size_t chosen = 0;
    c->random = c->random * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    size_t drawn = (size_t)(c->random >> 33);
    switch (c->how) {
    case CHOOSE_NONE: break;
    case CHOOSE_ALL: chosen = count - 1; break;
    case CHOOSE_COUNTED:
        chosen = (size_t)(c->rest % count);
        c->rest /= count;
        break;
    case CHOOSE_RANDOM: chosen = drawn % count; break;
    case CHOOSE_MOST: chosen = drawn % 8 == 0 ? (drawn >> 3) % count : count - 1; break;
    case CHOOSE_FEW: chosen = drawn % 8 == 0 ? (drawn >> 3) % count : 0; break;
    }
    return chosen;
}

/* Returns the number of writes to a sector since the last sync. */
static size_t writes_of_sector(const disk *d, size_t sector)
{
    size_t count = 0, begin = sector * d->sector;
    for (size_t i = 0; i < write_count(d); i++) {
        disk_write w = write_at(d, i);
        count += w.offset < begin + d->sector && w.offset + w.size > begin;
    }
    return count;
}

/* Makes the state that `c` chooses. Returns the number of possible states, UINT64_MAX if there are more. */
static uint64_t leave(const memory_file *file, chooser *c, listing *left)
{
    const disk *d = file->disk;
    uint64_t ways = write_count(d) + 1;
    left->size = 0;
    list_bytes(left, file->bytes.text, file->bytes.size);
    memcpy(left->text, d->stable.text, d->stable.size);
    memset(left->text + d->stable.size, 0, file->bytes.size - d->stable.size);
    for (size_t s = 0; s * d->sector < file->bytes.size && write_count(d) > 0; s++) {
        size_t versions = writes_of_sector(d, s), kept = versions > 0 ? choose(c, versions + 1) : 0;
        ways = ways > UINT64_MAX / (versions + 1) ? UINT64_MAX : ways * (versions + 1);
        for (size_t i = 0; i < write_count(d) && kept > 0; i++) {
            disk_write w = write_at(d, i);
            put_write(d, &w, s, left);
            kept -= w.offset < (s + 1) * d->sector && w.offset + w.size > s * d->sector;
        }
    }
    size_t length = choose(c, write_count(d) + 1);
    if (length < write_count(d))
        left->size = write_at(d, length).length;
    return ways;
}

void memory_file_crashes(const memory_file *file, size_t most, uint64_t seed,
                         void (*take)(void *context, const listing *left), void *context)
{
    listing left = {0};
    chooser c = {.how = CHOOSE_NONE};
    uint64_t ways = leave(file, &c, &left);
    take(context, &left);
    for (uint64_t i = 1; i < (ways <= most ? ways : most); i++) {
        c.how = ways <= most ? CHOOSE_COUNTED : i == 1 ? CHOOSE_ALL : CHOOSE_RANDOM + i % 3;
        c.rest = i;
        c.random = seed + i * 0x9E3779B97F4A7C15u;
        (void)leave(file, &c, &left);
        take(context, &left);
    }
    free(left.text);
}

/* ---- the file ---- */

bool memory_file_write_at(void *context, uint64_t offset, const void *bytes, size_t size)
{
    memory_file *file = context;
    if (++file->calls == file->fail_at)
        return false;
    if (file->disk)
        note_write(file, (size_t)offset, bytes, size);
    while (file->bytes.size < offset + size)
        list_bytes(&file->bytes, "", 1);
    memcpy(file->bytes.text + offset, bytes, size);
    file->written += size;
    if (file->check)
        file->check(file);
    may_crash(file);
    return true;
}

static bool file_write(void *context, const void *bytes, size_t size)
{
    const memory_file *file = context;
    return memory_file_write_at(context, file->bytes.size, bytes, size);
}

bool memory_file_sync(void *context)
{
    memory_file *file = context;
    if (++file->calls == file->fail_at)
        return false;
    file->durable = file->bytes.size;
    if (file->disk)
        note_sync(file);
    may_crash(file);
    return true;
}

stamma_output memory_file_output(memory_file *file)
{
    return (stamma_output){file, file_write, memory_file_sync};
}

bool memory_file_cut(void *context, uint64_t size)
{
    memory_file *file = context;
    file->cuts++;
    if (++file->calls == file->fail_at)
        return false;
    assert_true(size <= file->bytes.size);
    file->bytes.size = file->durable = (size_t)size;
    if (file->disk)
        note_sync(file);
    may_crash(file);
    return true;
}

memory_file memory_file_of(const void *bytes, size_t size)
{
    memory_file file = {.durable = size};
    list_bytes(&file.bytes, bytes, size);
    return file;
}

void memory_file_append(memory_file *file, const listing *text)
{
    archive_source source = {.bytes = file->bytes.text, .size = file->bytes.size, .piece_max = SIZE_MAX};
    stamma_output output = memory_file_output(file);
    stamma_archive_reader *reader;
    stamma_archive_writer *writer;
    assert_int_equal(open_source(&source, true, NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_open_append(reader, &output, memory_file_cut, NULL, &writer), STAMMA_OK);
    close_reader(reader);
    assert_int_equal(stamma_archive_writer_write(writer, text->text, text->size), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
}
