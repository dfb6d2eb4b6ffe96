/* Archives in memory, for benches of readers. */
#ifndef STAMMA_BENCH_ARCHIVE_MEMORY_H
#define STAMMA_BENCH_ARCHIVE_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

typedef struct memory {
    char *bytes;
    size_t size, capacity, at;
} memory;

static inline bool memory_write(void *context, const void *bytes, size_t size)
{
    memory *m = context;
    if (m->capacity - m->size < size) {
        m->capacity = 2 * (m->capacity + size);
        m->bytes = realloc(m->bytes, m->capacity);
        if (!m->bytes)
            return false;
    }
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
    return true;
}

static inline ptrdiff_t memory_read(void *context, void *bytes, size_t size)
{
    memory *m = context;
    size_t left = m->size - m->at;
    size = size < left ? size : left;
    memcpy(bytes, m->bytes + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static inline bool memory_seek(void *context, uint64_t offset)
{
    memory *m = context;
    m->at = (size_t)offset;
    return offset <= m->size;
}

/* All bytes of a file. */
static inline memory memory_of_file(FILE *file)
{
    char piece[1 << 16];
    memory m = {0};
    for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;)
        if (!memory_write(&m, piece, size))
            break;
    return m;
}

/* An archive of that PGN, of no bytes where it fails. */
static inline memory memory_packed(memory text)
{
    memory archive = {0};
    stamma_output output = {.context = &archive, .write = memory_write};
    stamma_archive_writer *writer = NULL;
    stamma_error error = stamma_archive_writer_open(&output, NULL, &writer);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_write(writer, text.bytes, text.size);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    archive.size = error == STAMMA_OK ? archive.size : 0;
    return archive;
}

/* An archive, or the archive of PGN; of no bytes where it fails. */
static inline memory memory_archive(FILE *file)
{
    memory archive = memory_of_file(file);
    if (archive.size > 0 && (unsigned char)archive.bytes[0] != 0x8D) { /* the magic's first byte (format.md, 1) */
        memory text = archive;
        archive = memory_packed(text);
        free(text.bytes);
    }
    return archive;
}

/* Measures each file that is named; how the process ends. */
static inline int measure_files(int argc, char **argv, const char *bench, int (*measure)(const char *, memory *))
{
    int status = 0;
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        memory archive = {0};
        if (file) {
            archive = memory_archive(file);
            (void)fclose(file);
        }
        status |= archive.size > 0 ? measure(argv[i], &archive) : 1;
        free(archive.bytes);
    }
    if (argc == 1)
        printf("%s: name archives, or PGN files\n", bench);
    return status;
}

/* NULL: it fails. */
static inline stamma_archive_reader *memory_reader(memory *archive)
{
    archive->at = 0;
    stamma_archive_reader *reader = NULL;
    const stamma_input input = {.context = archive, .read = memory_read, .seek = memory_seek};
    return stamma_archive_reader_open(&input, NULL, &reader) == STAMMA_OK ? reader : NULL;
}

#endif
