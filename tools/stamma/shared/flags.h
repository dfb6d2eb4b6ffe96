/* SPDX-License-Identifier: MIT */
/* The file of flags next to an archive (doc/reference/flags.md). */
#ifndef STAMMA_TOOL_FLAGS_H
#define STAMMA_TOOL_FLAGS_H

#include "shared/tool.h"

/* Returns the path of the file of flags of an archive, "games.stamma.flags", to be released with free(). Returns NULL,
 * after a message, if memory is exhausted. */
char *tool_flags_path(const char *archive);
/* Reads the file of flags of an archive; without a file, no game has flags. Returns false, after a message, if the file
 * cannot be read, or does not fit the archive. */
bool tool_flags_read(const char *path, stamma_archive *archive, bool *exists, stamma_flags **flags);
/* The same with the file next to the archive `name`, whose games then have the flags. Close the flags after the
 * archive. */
bool tool_flags_use(const char *name, stamma_archive *archive, stamma_flags **flags);
/* Writes flags as a part of a file that is open. */
bool tool_flags_put(const stamma_flags *flags, stamma_archive *archive, tool_output *output);
/* Replaces the file of flags atomically. */
bool tool_flags_write(const char *path, const stamma_flags *flags, stamma_archive *archive);

/* ---- flags of games that are written to another archive (carried_flags.c) ---- */

/* Flags that games have in the archive that is written, which may replace an archive. Initialise with zeros. */
typedef struct tool_carried {
    bool any; /* an input has a file of flags */
    struct tool_carried_game {
        uint64_t number;
        uint32_t flags;
    } * games; /* in any order; of a game that occurs several times, all flags */
    size_t count, room;
    /* private */
    char *path; /* of the file of flags that is written */
    bool replaces;
    stamma_flags *flags;
} tool_carried;

/* Notes an input: `any` is set if it has a file of flags; standard input has none. Returns false after a message. */
bool tool_carried_note(tool_carried *carried, const char *archive);
/* Adds the flags of all games of an archive, whose games follow `before` other games in the new archive. */
bool tool_carried_copy(tool_carried *carried, tool_archive *archive, uint64_t before);
/* Adds the flags of the game with a number in the new archive. */
bool tool_carried_add(tool_carried *carried, uint64_t number, uint32_t flags);
/* Writes the file of flags of the archive `out`, whose bytes are all written to the output, which is not finished. The
 * file fits both the new archive and the archive that it replaces. Does nothing unless `any` is set. Returns false
 * after a message, also if the archive does not have `games` games: the numbers would be wrong. */
bool tool_carried_write(tool_carried *carried, const char *out, tool_output *output, uint64_t games);
/* Call it after the output is finished, or has failed: the file then fits only the archive that exists. Releases
 * everything. */
void tool_carried_end(tool_carried *carried, bool finished);

#endif
