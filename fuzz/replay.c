/* Runs a fuzz target on files. Provides `main` where no fuzzer is available, so that every machine can replay the
 * corpus.
 *
 * usage: TARGET_fuzz FILE-OR-DIRECTORY...
 *
 * Runs the target on each file unchanged, then truncated at some places, with some bytes altered, and with the
 * changes of the target's mutator. The inputs are the same in each run. A path that does not exist is skipped. The
 * empty input is always tried. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mutators.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MUTATED_COPIES = 40, MUTATIONS_MAX = 8, MUTATED_ROOM = 4096 };
enum { ALTERED_COPIES = 24, ALTERED_BYTES_MAX = 4, ALTERED_SIZE_MAX = 1 << 16 };

static unsigned inputs;

/* Copies the input to a block of exactly `size` bytes, so that a sanitizer detects reads past its end. */
static void feed(const uint8_t *data, size_t size)
{
    uint8_t *exact = calloc(size ? size : 1, 1);
    if (!exact)
        exit(2);
    if (size)
        memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    inputs++;
}

/* xorshift64 (Marsaglia 2003). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void feed_altered(uint8_t *data, size_t size)
{
    uint64_t random = 0x9E3779B97F4A7C15u ^ size;
    for (unsigned copy = 0; copy < ALTERED_COPIES; copy++) {
        size_t place[ALTERED_BYTES_MAX];
        uint8_t was[ALTERED_BYTES_MAX];
        unsigned count = 1 + (unsigned)(next_random(&random) % ALTERED_BYTES_MAX);
        for (unsigned i = 0; i < count; i++) {
            place[i] = (size_t)(next_random(&random) % size);
            was[i] = data[place[i]];
            data[place[i]] = (uint8_t)next_random(&random);
        }
        feed(data, copy % 4 == 3 ? (size_t)(next_random(&random) % size) : size);
        for (unsigned i = count; i-- > 0;)
            data[place[i]] = was[i];
    }
}

/* A simple replacement for libFuzzer's function: changes, inserts, deletes or copies some bytes. The random state
 * starts with a constant, so each run produces the same inputs from a corpus. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
    static uint64_t random = 0x9E3779B97F4A7C15u;
    size_t place = draw_below(&random, size), length = 1 + draw_below(&random, 8);
    length = length < size - place ? length : size - place;
    switch (draw_below(&random, 4)) {
    case 0: memmove(data + place, data + place + length, size - place - length); return size - length;
    case 1:
        if (length > room - size)
            return size;
        memmove(data + place + length, data + place, size - place);
        return size + length;
    case 2: memmove(data + draw_below(&random, size - length + 1), data + place, length); return size;
    default:
        for (size_t i = place; i < place + length; i++)
            data[i] = (uint8_t)(draw(&random) >> 24);
        return size;
    }
}

/* Applies up to MUTATIONS_MAX mutations in sequence and runs the target after each. */
static void feed_mutated(const uint8_t *data, size_t size)
{
    size_t room = size + MUTATED_ROOM;
    uint8_t *mutated = malloc(room);
    if (!mutated)
        exit(2);
    for (unsigned copy = 0; copy < MUTATED_COPIES;) {
        size_t now = size;
        memcpy(mutated, data, size);
        for (unsigned i = 0; i < MUTATIONS_MAX && copy < MUTATED_COPIES; i++, copy++) {
            now = LLVMFuzzerCustomMutator(mutated, now, room, copy + 1000 * (unsigned)size);
            feed(mutated, now);
        }
    }
    free(mutated);
}

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (!file || fstat(fileno(file), &status) != 0) {
        perror(path);
        exit(2);
    }
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size + 1);
    if (!data || fread(data, 1, size, file) != size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    feed(data, size);
    for (size_t part = 1; part < 8; part++)
        feed(data, size * part / 8);
    if (size > 0 && size <= ALTERED_SIZE_MAX)
        feed_altered(data, size);
    if (size <= ALTERED_SIZE_MAX)
        feed_mutated(data, size);
    free(data);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay_directory(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0) {
        perror(path);
        exit(2);
    }
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        replay_file(name);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    feed((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        struct stat status;
        if (stat(argv[i], &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode))
            replay_directory(argv[i]);
        else
            replay_file(argv[i]);
    }
    printf("%u inputs\n", inputs);
    return 0;
}
