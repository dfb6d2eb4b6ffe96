/* How long games of an archive take as data, by what is asked for, beside unpacking it all to nowhere.
 *
 * usage: archive_parts_bench FILE...     archives, or PGN that is packed first; run by archive_parts_bench.sh
 *
 * Prints medians of five rounds of processor time on one core. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stamma.h"

enum { ROUNDS = 5 };

typedef struct memory {
    char *bytes;
    size_t size, capacity, at;
} memory;

static bool memory_write(void *context, const void *bytes, size_t size)
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

static ptrdiff_t memory_read(void *context, void *bytes, size_t size)
{
    memory *m = context;
    size_t left = m->size - m->at;
    size = size < left ? size : left;
    memcpy(bytes, m->bytes + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static bool memory_seek(void *context, uint64_t offset)
{
    memory *m = context;
    m->at = (size_t)offset;
    return offset <= m->size;
}

static bool nowhere(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)context += size;
    return true;
}

static memory read_all(FILE *file)
{
    char piece[1 << 16];
    memory m = {0};
    for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;)
        if (!memory_write(&m, piece, size))
            break;
    return m;
}

static memory pack(memory text)
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

/* What is done: with no name for parts, unpacking. */
static const struct {
    const char *name;
    unsigned parts;
} works[] = {{"unpack", 0},
             {"plies alone", 0},
             {"tags", STAMMA_GAME_TAGS},
             {"result", STAMMA_GAME_RESULT},
             {"moves", STAMMA_GAME_MOVES},
             {"tags and moves", STAMMA_GAME_TAGS | STAMMA_GAME_MOVES},
             {"clocks, evaluations", STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS},
             {"all but the text", STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT},
             {"all", STAMMA_GAME_ALL}};
enum { WORKS = sizeof works / sizeof *works };

static stamma_error iterate(stamma_archive_reader *reader, unsigned parts, uint64_t *games)
{
    const stamma_archive_game *game;
    stamma_error error = stamma_archive_reader_select(reader, parts);
    if (error != STAMMA_OK)
        return error;
    while ((error = stamma_archive_reader_next(reader, &game)) == STAMMA_OK && game)
        ++*games;
    return error;
}

/* The time of one round in seconds; below 0: it failed. */
static double time_of(memory *archive, size_t work)
{
    uint64_t count = 0;
    stamma_input input = {.context = archive, .read = memory_read, .seek = memory_seek};
    stamma_output output = {.context = &count, .write = nowhere};
    stamma_archive_reader *reader;
    clock_t begin = clock();
    archive->at = 0;
    stamma_error error = stamma_archive_reader_open(&input, NULL, &reader);
    if (error != STAMMA_OK)
        return -1;
    error = work == 0 ? stamma_archive_reader_unpack(reader, &output) : iterate(reader, works[work].parts, &count);
    stamma_archive_reader_close(reader);
    return error == STAMMA_OK ? (double)(clock() - begin) / CLOCKS_PER_SEC : -1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int measure(const char *name, memory *archive)
{
    double times[WORKS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (size_t work = 0; work < WORKS; work++)
            if ((times[work][round] = time_of(archive, work)) < 0) {
                printf("archive_parts: %s: %s fails\n", name, works[work].name);
                return 1;
            }
    for (size_t work = 0; work < WORKS; work++)
        qsort(times[work], ROUNDS, sizeof **times, compare);
    printf("%s, %zu bytes\n", name, archive->size);
    for (size_t work = 0; work < WORKS; work++)
        printf("  %-20s %7.3f s  %5.3f of unpacking\n", works[work].name, times[work][ROUNDS / 2],
               times[work][ROUNDS / 2] / times[0][ROUNDS / 2]);
    return 0;
}

static int measure_file(const char *name, FILE *file)
{
    memory archive = read_all(file);
    if (archive.size > 0 && (unsigned char)archive.bytes[0] != 0x8D) { /* the magic's first byte (format.md, 1) */
        memory text = archive;
        archive = pack(text);
        free(text.bytes);
    }
    int status = archive.size > 0 ? measure(name, &archive) : 1;
    free(archive.bytes);
    return status;
}

int main(int argc, char **argv)
{
    int status = 0;
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        status |= file ? measure_file(argv[i], file) : 1;
        if (file)
            (void)fclose(file);
    }
    if (argc == 1)
        puts("archive_parts: name archives, or PGN files");
    return status;
}
