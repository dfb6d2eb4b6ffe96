/* SPDX-License-Identifier: MIT */
/* Functions for benches: time and medians, random numbers, corpora, and files and archives in memory. */
#ifndef STAMMA_BENCH_H
#define STAMMA_BENCH_H

#if !defined(_XOPEN_SOURCE) && !defined(_GNU_SOURCE)
#define _XOPEN_SOURCE 700
#endif

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "stamma.h"

/* Ends the program if an error occurred. */
static inline void bench_check(const char *what, stamma_error error)
{
    if (error == STAMMA_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, stamma_error_text(error));
    exit(2);
}

/* ---- time ---- */

static inline double bench_clock(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Return seconds: elapsed time, and processor time of this process. */
static inline double bench_elapsed(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

static inline double bench_processor(void)
{
    return bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values, and returns their median. */
static inline double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, bench_compare);
    return values[count / 2];
}

/* ---- random numbers ---- */

/* Returns the next number of a sequence (SplitMix64; Steele, Lea, Flood 2014). */
static inline uint64_t bench_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- files ---- */

/* Reads a FILE, for stamma_input. */
static inline ptrdiff_t bench_read(void *file, void *bytes, size_t size)
{
    size_t got = fread(bytes, 1, size, file);
    return got == 0 && ferror((FILE *)file) ? -1 : (ptrdiff_t)got;
}

/* Opens a corpus of $SHARED, unpacked by the zstd program; close it with pclose. */
static inline FILE *bench_corpus(const char *name)
{
    const char *shared = getenv("SHARED");
    char command[600];
    snprintf(command, sizeof command, "zstd -dcq --long=27 '%.200s/corpora/%.100s.pgn.zst' 2>/dev/null",
             shared ? shared : "../shared", name);
    return popen(command, "r");
}

/* Calls `visit` for the main line of each game of a PGN file; NULL: of the corpus otb_dev. The line is played from the
 * initial position, ends before the first move that is not legal there, and has at most 1000 plies. `visit` returns
 * false to end the reading. Ends the program if the file cannot be read. */
static inline void bench_lines(const char *path, bool (*visit)(const stamma_move *moves, size_t plies))
{
    static stamma_move moves[1000];
    FILE *file = path ? fopen(path, "rb") : bench_corpus("otb_dev");
    const stamma_input input = {.context = file, .read = bench_read};
    stamma_pgn_reader *reader;
    stamma_pgn_event event = {0};
    stamma_position position = stamma_position_start();
    size_t plies = 0;
    bool legal = false, wanted = true;
    bench_check(path ? path : "otb_dev", file ? stamma_pgn_reader_open(&input, NULL, &reader) : STAMMA_ERROR_IO);
    while (wanted && stamma_pgn_reader_next(reader, &event) == STAMMA_OK && event.kind != STAMMA_PGN_END) {
        if (event.kind == STAMMA_PGN_GAME_BEGIN) {
            position = stamma_position_start();
            plies = 0;
            legal = true;
        }
        if (event.kind == STAMMA_PGN_GAME_END)
            wanted = visit(moves, plies);
        if (event.kind != STAMMA_PGN_MOVE || event.depth != 0)
            continue;
        legal = legal && event.error == STAMMA_OK && plies < sizeof moves / sizeof *moves &&
                stamma_move_is_legal(&position, event.move);
        if (!legal)
            continue;
        moves[plies++] = event.move;
        stamma_position_make(&position, event.move, &position);
    }
    stamma_pgn_reader_close(reader);
    (void)(path ? fclose(file) : pclose(file));
}

/* ---- bytes in memory ---- */

typedef struct memory {
    char *bytes;
    size_t size, capacity;
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

/* Returns all bytes of a file. */
static inline memory memory_of_file(FILE *file)
{
    char piece[1 << 16];
    memory m = {0};
    for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;)
        if (!memory_write(&m, piece, size))
            break;
    return m;
}

/* Returns all bytes of the file at a path; no bytes if the file is empty or cannot be read. */
static inline memory memory_load(const char *path)
{
    FILE *file = fopen(path, "rb");
    memory m = {0};
    if (!file)
        return m;
    m = memory_of_file(file);
    (void)fclose(file);
    return m;
}

/* Maps a file, or ends the program. */
static inline memory memory_map(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &status) != 0) {
        perror(path);
        exit(2);
    }
    memory m = {.bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0),
                .size = (size_t)status.st_size};
    close(fd);
    return m;
}

/* ---- archives in memory ---- */

/* Returns an archive of PGN; no bytes if it fails. `counts` may be NULL. */
static inline memory memory_pack(const char *text, size_t size, const stamma_archive_writer_options *options,
                                 stamma_archive_counts *counts)
{
    memory archive = {0};
    stamma_output output = {.context = &archive, .write = memory_write};
    stamma_archive_writer *writer = NULL;
    stamma_error error = stamma_archive_writer_open(&output, options, &writer);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_write(writer, text, size);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, counts);
    stamma_archive_writer_close(writer);
    archive.size = error == STAMMA_OK ? archive.size : 0;
    return archive;
}

/* Returns the archive at a path, or an archive of the PGN at the path; no bytes if it fails. */
static inline memory memory_archive(const char *path)
{
    memory archive = memory_load(path);
    if (archive.size > 0 && (unsigned char)archive.bytes[0] != 0x8D) { /* the magic's first byte (archive.md, 1) */
        memory text = archive;
        archive = memory_pack(text.bytes, text.size, NULL, NULL);
        free(text.bytes);
    }
    return archive;
}

/* Measures each file that is named. Returns the exit status. */
static inline int measure_files(int argc, char **argv, const char *bench, void (*measure)(const char *, const memory *))
{
    int status = 0;
    for (int i = 1; i < argc; i++) {
        memory archive = memory_archive(argv[i]);
        if (archive.size > 0)
            measure(argv[i], &archive);
        else
            status = 1;
        free(archive.bytes);
    }
    if (argc == 1)
        printf("%s: name archives, or PGN files\n", bench);
    return status;
}

/* Opens an archive, whose cache is empty, with an index file unless `index` is NULL. Ends the program if it fails. */
static inline stamma_archive *memory_open(const memory *m, const memory *index)
{
    const stamma_bytes bytes = stamma_bytes_of(m->bytes, m->size);
    stamma_bytes file;
    stamma_archive_options options = {.size = sizeof options};
    stamma_index_state state = {.size = sizeof state};
    stamma_archive *archive = NULL;
    if (index) {
        file = stamma_bytes_of(index->bytes, index->size);
        options.index = &file;
    }
    bench_check("archive", stamma_archive_open(&bytes, &options, &archive));
    bench_check("index", stamma_archive_index(archive, &state));
    bench_check("index", state.error);
    return archive;
}

/* Opens a reader of parts of games, or ends the program. */
static inline stamma_archive_reader *bench_reader(stamma_archive *archive, unsigned parts)
{
    stamma_archive_reader *reader = NULL;
    bench_check("reader", stamma_archive_reader_open(archive, NULL, &reader));
    bench_check("reader", stamma_archive_reader_select(reader, parts));
    return reader;
}

/* Returns a game, or ends the program. */
static inline const stamma_archive_game *bench_game(stamma_archive_reader *reader, uint64_t number)
{
    const stamma_archive_game *game = NULL;
    bench_check("seek", stamma_archive_reader_seek(reader, number));
    bench_check("next", stamma_archive_reader_next(reader, &game));
    bench_check("game", game && game->number == number ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
    return game;
}

/* Returns the number of games of an archive, or ends the program if there are none. */
static inline uint64_t bench_games(stamma_archive *archive)
{
    uint64_t games = 0;
    bench_check("games", stamma_archive_games(archive, &games));
    bench_check("games", games > 0 ? STAMMA_OK : STAMMA_ERROR_NO_ARCHIVE);
    return games;
}

#endif
