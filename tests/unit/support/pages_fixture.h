/* SPDX-License-Identifier: MIT */
/* Small archives with files of pages: games that transpose, repeat positions, end early, and begin in set-ups. */
#ifndef STAMMA_TESTS_PAGES_FIXTURE_H
#define STAMMA_TESTS_PAGES_FIXTURE_H

#include "archive_support.h"

/* Returns random games. Most moves are among the first of a position, so games share many positions. */
listing pages_text(unsigned games);

/* Appends the file of pages of an archive. `index` may be NULL. Returns the error of stamma_pages_write. */
stamma_error append_pages(const listing *archive, const listing *index, const stamma_pages_write_options *options,
                          listing *file);
/* Returns the file of pages with these options. */
listing pages_file_of(const listing *archive, uint32_t min_games, uint32_t plies);

/* A question: a position, and the positions before it. */
typedef struct pages_question {
    stamma_position position;
    const stamma_position *before;
    size_t count;
} pages_question;

/* Calls `ask` for questions about the positions of all games, and about positions after moves that nobody played, with
 * the moves to them and without. `ply` is the ply in a game from the
 * initial position; SIZE_MAX in other games, after other moves, and without the moves. */
void for_each_question(const listing *archive, void (*ask)(void *context, const pages_question *q, size_t ply),
                       void *context);

/* Asserts that the trees of a position from an archive and from pages are the same, as far as pages go. */
void assert_same_tree(const stamma_tree *wanted, const stamma_tree *found);
/* Asks the pages and, if they answer, the archive; asserts that the answers are the same. Returns whether the pages
 * answered. *error may become CORRUPT. */
bool pages_agree(stamma_archive *archive, stamma_pages *pages, const pages_question *q, stamma_error *error);

#endif
