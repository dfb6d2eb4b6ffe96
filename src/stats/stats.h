/* SPDX-License-Identifier: MIT */
/* The stats room: statistics of games, which can be merged, and facts of games as numbers. */
#ifndef STAMMA_STATS_H
#define STAMMA_STATS_H

#include "base/tables.h"
#include "block/block.h"
#include "notation/notation.h"
#include "openings/openings.h"

/* ---- game_summary.c: facts from a game's tags, as numbers ---- */

typedef struct game_summary {
    uint16_t ratings[2]; /* [color], 1..9999; 0: unknown */
    stamma_result result;
    /* year * 10000 + month * 100 + day; an unknown part and all parts after it are 0 */
    uint32_t date;
} game_summary;

/* Returns the summary of a game. TAGS and RESULT must have been read. */
game_summary stamma_game_summary_of(const stamma_archive_game *game);
/* Returns the number of plies after which a game first reaches a position, or SIZE_MAX if it never does. *p is the
 * position that is reached. MOVES must have been read. */
size_t stamma_game_find_position(const stamma_archive_game *game, const stamma_position *wanted, stamma_position *p);
/* Returns the date in a tag value as a number, year * 10000 + month * 100 + day; unknown parts are 0. */
uint32_t stamma_date_number(stamma_text value);
/* Replaces `utf8` by a tag's value, unescaped. Values that are not valid UTF-8 are read as Windows-1252.
 * Returns false if memory is exhausted. */
bool stamma_tag_text(stamma_text value, buffer *utf8);

/* ---- stats.c ---- */

/* Rows by name, numbered in the order in which names are added. */
typedef struct stats_table {
    text_table names;
    buffer rows;   /* stamma_stats_row[] by number */
    buffer sorted; /* pointers to the rows in the order of the result; empty: not sorted yet */
} stats_table;

struct stamma_stats {
    stamma_allocator allocator;
    stamma_stats_total total;
    stats_table tables[STAMMA_STATS_TABLES];
    buffer text; /* working buffer for the text of a tag */
};

/* Prepare, empty and release statistics that the caller has allocated. */
void stamma_stats_init(stamma_stats *stats, const stamma_allocator *allocator);
void stamma_stats_clear(stamma_stats *stats);
void stamma_stats_release(stamma_stats *stats);
/* Merges statistics that are not used again. If `into` is empty, only exchanges both. Errors: NO_MEMORY. */
stamma_error stamma_stats_take(stamma_stats *into, stamma_stats *other);
/* Returns the rows of a table, by number from 0. */
STAMMA_INLINE const stamma_stats_row *stats_rows(const stats_table *t, size_t *count)
{
    *count = t->rows.size / sizeof(stamma_stats_row);
    return (const stamma_stats_row *)(const void *)t->rows.data;
}
/* Adds a row to the row with the same name, which must not be empty. Returns false if memory is exhausted. */
bool stamma_stats_add_row(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row);
/* Add a row to the row for a name, a number or a tag's value. An empty name or value is not counted. Return false if
 * memory is exhausted. */
bool stamma_stats_add_named(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row,
                            stamma_text name);
bool stamma_stats_add_number(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row,
                             uint64_t number);
bool stamma_stats_add_value(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row,
                            stamma_text value);
void stamma_stats_add_total(stamma_stats_total *sum, const stamma_stats_total *more);
void stamma_stats_add_results(stamma_stats_results *sum, const stamma_stats_results *more);
stamma_stats_results stamma_stats_results_of(stamma_result result);
/* Like stamma_stats_add. Also stores the number of the opening that was played; 0: none. */
stamma_error stamma_stats_add_game(stamma_stats *s, const stamma_archive_game *game, unsigned *opening);
/* Returns whether the first three characters of an ECO tag are a code. */
bool stamma_stats_is_eco(stamma_text value);
/* Writes at most two moves from a position as the name of a row of STAMMA_STATS_FIRST_MOVES, and returns the length. */
size_t stamma_stats_first_moves(const stamma_position *start, const stamma_move *moves, size_t count,
                                char text[2 * STAMMA_SAN_SIZE]);

#endif
