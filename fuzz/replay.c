/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target on files. Provides `main` where no fuzzer is available, so that every machine can replay the
 * corpus.
 *
 * usage: TARGET_fuzz [--mutate N [--seed S]] FILE-OR-DIRECTORY...
 *
 * Runs the target on each file: unchanged, truncated at some places, with some altered bytes, and with the changes of
 * the target's mutator. The inputs are the same in each run. A path that does not exist is skipped. The empty input is
 * always tried.
 *
 * --mutate N  runs the target on N inputs that the mutator makes from the files instead (mutation_run.h). An input that
 *             fails is written to TARGET_fuzz.failed
 * --seed S    selects which inputs; default 0 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mutation_run.h"
#include "mutators.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MUTATED_COPIES = 40, MUTATIONS_MAX = 8, MUTATED_ROOM = 4096 };
enum { ALTERED_COPIES = 24, ALTERED_BYTES_MAX = 4, ALTERED_SIZE_MAX = 1 << 16 };

static uint64_t inputs;

void replay_feed(const uint8_t *data, size_t size)
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
        replay_feed(data, copy % 4 == 3 ? (size_t)(next_random(&random) % size) : size);
        for (unsigned i = count; i-- > 0;)
            data[place[i]] = was[i];
    }
}

/* The state of LLVMFuzzerMutate. It starts with a constant, so each run produces the same inputs from a corpus. */
static uint64_t random_state = 0x9E3779B97F4A7C15u;

void mutate_from(uint64_t seed)
{
    random_state = seed | 1;
}

/* A simple replacement for libFuzzer's function: changes, inserts, deletes or copies some bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
    if (size == 0 && room > 0)
        data[size++] = 0;
    size_t place = draw_below(&random_state, size), length = 1 + draw_below(&random_state, 8);
    length = length < size - place ? length : size - place;
    switch (draw_below(&random_state, 4)) {
    case 0: memmove(data + place, data + place + length, size - place - length); return size - length;
    case 1:
        if (length > room - size)
            return size;
        memmove(data + place + length, data + place, size - place);
        return size + length;
    case 2: memmove(data + draw_below(&random_state, size - length + 1), data + place, length); return size;
    default:
        for (size_t i = place; i < place + length; i++)
            data[i] = (uint8_t)(draw(&random_state) >> 24);
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
            replay_feed(mutated, now);
        }
    }
    free(mutated);
}

/* Runs the target on an input and on its copies. */
static void replay(uint8_t *data, size_t size)
{
    replay_feed(data, size);
    for (size_t part = 1; part < 8; part++)
        replay_feed(data, size * part / 8);
    if (size > 0 && size <= ALTERED_SIZE_MAX)
        feed_altered(data, size);
    if (size <= ALTERED_SIZE_MAX)
        feed_mutated(data, size);
}

static void read_file(const char *path, bool mutates)
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
    if (mutates)
        mutation_run_add(data, size);
    else
        replay(data, size);
    free(data);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void read_directory(const char *path, bool mutates)
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
        read_file(name, mutates);
        free(entries[i]);
    }
    free(entries);
}

static void read_path(const char *path, bool mutates)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return;
    if (S_ISDIR(status.st_mode))
        read_directory(path, mutates);
    else
        read_file(path, mutates);
}

/* Reads an option with a number. Returns false if the next argument is not this option. */
static bool read_option(char ***argument, const char *name, uint64_t *number)
{
    char **at = *argument, *end;
    if (!at[0] || strcmp(at[0], name) != 0)
        return false;
    *number = at[1] ? strtoull(at[1], &end, 10) : 0;
    if (!at[1] || end == at[1] || *end) {
        fprintf(stderr, "%s needs a number\n", name);
        exit(2);
    }
    *argument = at + 2;
    return true;
}

int main(int argc, char **argv)
{
    uint64_t count = 0, seed = 0;
    char failed[4096], **argument = argv + (argc > 0);
    const bool mutates = read_option(&argument, "--mutate", &count);
    (void)read_option(&argument, "--seed", &seed);
    snprintf(failed, sizeof failed, "%s.failed", argc > 0 ? argv[0] : "");
    replay_feed((const uint8_t *)"", 0);
    for (; *argument; argument++)
        read_path(*argument, mutates);
    if (mutates)
        mutation_run(count, seed, failed);
    printf("%" PRIu64 " inputs\n", inputs);
    return 0;
}
