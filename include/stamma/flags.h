/* SPDX-License-Identifier: MIT */
/* Flags of games: marks that a user sets, in a file next to the archive, which does not change.
 *
 *     stamma_flags *flags = NULL;
 *     stamma_error error = stamma_flags_read(archive, text, &flags);
 *     if (error == STAMMA_OK)
 *         error = stamma_archive_use_flags(archive, flags); // games and the rule "flag" of queries then have flags
 *
 * The file names the states of the archive for which it was written (stamma_archive_state). It stays right when games
 * are appended, and is refused if the archive was written again. Source: doc/reference/flags.md. */
#ifndef STAMMA_API_FLAGS_H
#define STAMMA_API_FLAGS_H

#include "stamma/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags, which can be combined. Permanent values. The user chooses the meanings of the letters a to z. */
#define STAMMA_FLAG_DELETED 1u
#define STAMMA_FLAG_FAVOURITE 2u
#define STAMMA_FLAG_LETTER(letter) (4u << ((letter) - 'a'))
#define STAMMA_FLAGS_ALL 0xFFFFFFFu

/* Stores the flag with a name: "deleted", "favourite" or a letter from a to z. "favorite" is accepted. Returns false if
 * there is no flag with this name. */
STAMMA_API bool stamma_flag_read(stamma_text name, uint32_t *flag);

/* Size of a text that stamma_flags_text writes, with the NUL. */
#define STAMMA_FLAGS_SIZE 72
/* Writes the names of flags, separated by commas, in the order of their values: "deleted,a". Other bits are ignored.
 * Returns the length (a text writer). */
STAMMA_API size_t stamma_flags_text(uint32_t flags, char *text, size_t size);

/* The flags of the games of an archive. */
typedef struct stamma_flags stamma_flags;

/* Reads a file of flags for an archive. Of several parts of the file, the first that is of the archive is used. If
 * games were removed from the archive by returning to an earlier state, their flags are omitted, and those of the other
 * games are right. file   the contents of the file; an empty text has no flags flags  receives the flags, to be closed
 * with stamma_flags_close Errors: SYNTAX    the text is not a file of flags, or is incomplete MISMATCH  the flags are
 * of another archive, or the archive was written again CORRUPT, UNSUPPORTED, IO  as stamma_archive_state_now
 *   BAD_ARGUMENT, NO_MEMORY */
STAMMA_API stamma_error stamma_flags_read(stamma_archive *archive, stamma_text file, stamma_flags **flags);
/* Closes flags. No archive may use them any more. Accepts NULL. */
STAMMA_API void stamma_flags_close(stamma_flags *flags);

/* Returns the flags of a game by its number, from 1; 0 if it has none, or if `flags` is NULL. */
STAMMA_API uint32_t stamma_flags_of(const stamma_flags *flags, uint64_t number);
/* Replaces the flags of a game. No other thread may use the flags, or an archive that uses them, meanwhile.
 * Errors: BAD_ARGUMENT if the archive has no game with this number, or if `value` has other bits; NO_MEMORY. */
STAMMA_API stamma_error stamma_flags_set(stamma_flags *flags, uint64_t number, uint32_t value);
/* Returns the number of the first game, from `number` on, that has one of the flags `any`; 0 if there is none, or if
 * `flags` is NULL. */
STAMMA_API uint64_t stamma_flags_next(const stamma_flags *flags, uint64_t number, uint32_t any);

/* Writes flags for the present state of an archive: a part of a file. The bytes depend only on the archive and the
 * flags. A file of several parts fits each of their archives: write it before a file is replaced by another archive,
 * and again with one part afterwards.
 *   archive  the archive for which the flags were read, or an archive with the same games at the same numbers
 * Errors: as stamma_archive_state_now; BAD_ARGUMENT if a game with flags is not in the archive; IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_flags_write(const stamma_flags *flags, stamma_archive *archive,
                                           const stamma_output *output);

/* Uses flags for the games of an archive: stamma_archive_game.flags, and the rule "flag" of queries. Replaces flags
 * that were used before. No other thread may use the archive meanwhile.
 *   flags  must exist until the archive is closed, or uses others; NULL: games have no flags
 * Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_archive_use_flags(stamma_archive *archive, const stamma_flags *flags);

#ifdef __cplusplus
}
#endif

#endif
