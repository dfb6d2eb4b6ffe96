/* SPDX-License-Identifier: MIT */
/* Fuzz target: files of flags. The input is read for an archive of two states, first unchanged, and then after the
 * lines that name these states. Flags that are read are written and read again: they are the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_archive.h"

const work_limit fuzz_limit = {.fixed = 3000000, .per_byte = 5000};

enum { GAMES = 6, TEXT_MAX = 1 << 16 };

/* Reads a file. If it fits, checks that the flags are the same after they are written and read again. */
static void check(stamma_archive *archive, stamma_text text)
{
    stamma_flags *flags = NULL, *again = NULL;
    memory_archive written = {.data = NULL};
    const stamma_output output = memory_output(&written);
    const stamma_error error = stamma_flags_read(archive, text, &flags);
    demand(error == STAMMA_OK || error == STAMMA_ERROR_SYNTAX || error == STAMMA_ERROR_MISMATCH);
    if (error != STAMMA_OK)
        return;
    demand(stamma_flags_write(flags, archive, &output) == STAMMA_OK);
    demand(stamma_flags_read(archive, (stamma_text){(const char *)written.data, written.size}, &again) == STAMMA_OK);
    for (uint64_t n = 0; n <= GAMES + 1; n++) {
        const uint32_t value = stamma_flags_of(flags, n);
        demand(value == stamma_flags_of(again, n) && (value & ~STAMMA_FLAGS_ALL) == 0);
        demand(value == 0 || (n > 0 && n <= GAMES && stamma_flags_next(flags, n, value) == n));
    }
    stamma_flags_close(flags);
    stamma_flags_close(again);
    free(written.data);
}

/* Writes the lines of a file before its flags. */
static size_t write_head(stamma_archive *archive, char *out, size_t room)
{
    stamma_flags *none = NULL;
    memory_archive written = {.data = NULL};
    const stamma_output output = memory_output(&written);
    demand(stamma_flags_read(archive, (stamma_text){NULL, 0}, &none) == STAMMA_OK);
    demand(stamma_flags_write(none, archive, &output) == STAMMA_OK);
    const size_t size = written.size - strlen("end 0\n");
    demand(size < room);
    memcpy(out, written.data, size);
    stamma_flags_close(none);
    free(written.data);
    return size;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static char text[TEXT_MAX];
    const stamma_text games = stamma_text_of("1. e4 *\n\n1. d4 *\n\n1. c4 *\n");
    memory_archive file = memory_pack(games, 1);
    memory_append(&file, games, 1);
    stamma_archive *archive = memory_open(&file);
    demand(archive != NULL);
    check(archive, (stamma_text){(const char *)data, size});
    const size_t head = write_head(archive, text, sizeof text);
    if (size < sizeof text - head) {
        if (size > 0)
            memcpy(text + head, data, size);
        check(archive, (stamma_text){text, head + size});
    }
    stamma_archive_close(archive);
    free(file.data);
}
