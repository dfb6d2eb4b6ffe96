/* SPDX-License-Identifier: MIT */
/* Files of pages: trees of moves that are read from few, small parts of a file, for example by HTTP ranges from a
 * static site (doc/format/pages.md).
 *
 *     stamma_pages *pages = NULL;
 *     stamma_tree *tree = NULL;
 *     bool found = false;
 *     stamma_error error = stamma_pages_open(&file, NULL, NULL, &pages);
 *     if (error == STAMMA_OK)
 *         error = stamma_tree_open(&position, NULL, &tree);
 *     if (error == STAMMA_OK)
 *         error = stamma_tree_add_pages(tree, stamma_text_of("games"), pages, before, count, &found);
 *     if (error != STAMMA_OK || !found)
 *         error = stamma_tree_add_archive(tree, stamma_text_of("games"), archive, NULL, NULL, NULL);
 *
 * Answers are those of the archive. A damaged file, or a file of another archive, is noticed and changes no answer. */
#ifndef STAMMA_API_PAGES_H
#define STAMMA_API_PAGES_H

#include "stamma/answers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading ---- */

/* An open file of pages. Several threads may use it at the same time. */
typedef struct stamma_pages stamma_pages;

/* Opens a file of pages. Reads its header and the sizes of its buckets: 4 KiB, and two bytes for each 3 KiB of
 * positions. The struct `file` is copied; the bytes that it refers to must not change while the file is open. If they
 * are read by `read_at`, several threads may call it at the same time, and at most 64 parts that were read are kept.
 *   archive    the archive of the pages, of which only the last 4 KiB are read; NULL: the archive is not compared
 *   allocator  NULL: malloc and free
 * Errors:
 *   NO_ARCHIVE   not a file of pages
 *   MISMATCH     the file is of another archive, or of this archive before it grew
 *   UNSUPPORTED  a later version
 *   CORRUPT      the header or the sizes are damaged, or the file is truncated
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_pages_open(const stamma_bytes *file, const stamma_bytes *archive,
                                          const stamma_allocator *allocator, stamma_pages **pages);
/* Closes a file of pages. Accepts NULL. */
STAMMA_API void stamma_pages_close(stamma_pages *pages);

/* Properties of an open file of pages. */
typedef struct stamma_pages_state {
    size_t size;        /* sizeof(stamma_pages_state), set by the caller */
    uint64_t games;     /* of the archive */
    uint64_t positions; /* that are stored */
    uint32_t min_games; /* options with which the file was written */
    uint32_t plies;
    bool damaged; /* a question found that the file is damaged */
} stamma_pages_state;

/* Stores the properties of a file. Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_pages_info(const stamma_pages *pages, stamma_pages_state *state);

/* Adds all games of an archive that reach the tree's position, like stamma_tree_add_archive without a query, if the
 * pages contain them. Otherwise the tree is unchanged, and *found is false: the caller asks the archive.
 *
 * Pages contain popular positions, and many of the others. Rare positions are found with the moves that lead to them:
 * `before` has the `count` positions before the tree's position, oldest first; NULL, with count 0, if they are unknown.
 *
 * Pages contain only a part of the examples. In the tree, the lists of top games and of recent games end after four
 * games. Moves that several games play have no example: `game` is 0 in their `top` and `recent`. A tree that counts
 * months is not found.
 *   name  name of the archive in the tree
 * Errors:
 *   CORRUPT  the file is damaged
 *   IO, NO_MEMORY; the tree is then unchanged, except after NO_MEMORY */
STAMMA_API stamma_error stamma_tree_add_pages(stamma_tree *tree, stamma_text name, stamma_pages *pages,
                                              const stamma_position *before, size_t count, bool *found);

/* ---- writing ---- */

typedef struct stamma_pages_write_options {
    size_t size;
    const stamma_executor *executor; /* for the index, if the archive has none; NULL: the archive's is used */
    /* limit of memory in bytes for the tables of positions; 0: 128 MiB. Files of equal contents result from any limit;
     * less memory needs more time. The parts of the file that are not written yet need about 50 bytes per game more */
    uint64_t memory;
    void *context; /* passed to the callback */
    /* Called some times a second with a measure of the work that is done, and of all work. Return false to stop: the
     * function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    uint32_t min_games; /* smallest number of games of a popular position, at least 2; 0: 20 */
    uint32_t plies;     /* number of plies in which it is reached, at most 62; 0: 40 */
} stamma_pages_write_options;

/* Writes the pages of an archive. Uses the index file of the archive; if the archive has none, makes an index in
 * memory, which decodes every block. The bytes depend only on the archive and the options `min_games` and `plies`.
 * Errors: BAD_ARGUMENT          invalid options CORRUPT, UNSUPPORTED  as stamma_index_write; or the index file is
 * damaged LIMIT                 too many positions have similar keys, or the archive has 2^32 games or more CANCELLED,
 * IO, NO_MEMORY; the output is then incomplete */
STAMMA_API stamma_error stamma_pages_write(stamma_archive *archive, const stamma_pages_write_options *options,
                                           const stamma_output *output);

#ifdef __cplusplus
}
#endif

#endif
