/* SPDX-License-Identifier: MIT */
/* Lists of the names of players, for player_list.c and player_search.c. */
#ifndef STAMMA_PLAYER_LIST_H
#define STAMMA_PLAYER_LIST_H

#include "answers/answers.h"
#include "search/block_search.h"

/* The facts about a name. Rows are numbered like the folded names in their table, from 1. */
typedef struct player_row {
    uint32_t games[2]; /* by color */
    uint32_t spelling; /* number of the spelling that is shown */
    uint16_t rating_min;
    uint16_t rating_max; /* 0: unknown */
    uint64_t words;      /* offset of the name's words */
} player_row;

struct stamma_players {
    stamma_allocator allocator;
    text_table folded_names; /* names that differ only in case and accents are one */
    text_table spellings;    /* as in the tags, in UTF-8 */
    buffer rows;             /* player_row[] */
    /* The folded words of each name in Latin letters, and those of its key if the key differs. Each is followed by a
     * blank, and the last by a zero byte. Only the names of a complete list have words: see stamma_players_fold. */
    buffer words;
    size_t folded;     /* number of names that have words */
    buffer text, work; /* working buffers */
    buffer segment;    /* player_row[]: of the names of a segment of an index file */
};

/* Returns the name of a row, from 0. */
STAMMA_INLINE stamma_text player_name(const stamma_players *p, size_t row)
{
    return text_table_at(&p->spellings, ((const player_row *)(const void *)p->rows.data)[row].spelling);
}
/* Adds the words of all names that have no words. Returns false if memory is exhausted. */
bool stamma_players_fold(stamma_players *players);

#endif
