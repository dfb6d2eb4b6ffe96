/* SPDX-License-Identifier: MIT */
/* Games written in another order. */
#ifndef STAMMA_EDIT_SORT_H
#define STAMMA_EDIT_SORT_H

#include "curating/curating.h"
#include "questions/find.h"

/* Keeps the texts of games in a temporary file, and their keys in memory. Initialise with zeros. */
typedef struct edit_sort {
    find_order orders[FIND_SORT_KEYS];
    size_t order_count;
    FILE *texts;
    uint64_t size; /* of the texts */
    struct edit_entry *entries;
    size_t count, room;
    stamma_tag *tags; /* of the game being read */
    size_t tag_room;
    char *text; /* of the game being written */
    size_t text_room;
} edit_sort;

/* Opens the file of texts. Returns false after a message. */
bool edit_sort_open(edit_sort *s, const char *keys);
/* Adds the text of a game, or of a continuation. If the text differs from the text in the archive, the tags are read
 * from it, and `plies` is its number of plies. */
bool edit_sort_add(edit_sort *s, const stamma_archive_game *game, stamma_text text, size_t plies);
/* Writes all games in order. */
bool edit_sort_write(edit_sort *s, tool_rewriting *r);
void edit_sort_close(edit_sort *s);

#endif
