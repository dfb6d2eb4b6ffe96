/* SPDX-License-Identifier: MIT */
/* Reads the games of a block in groups of records. */
#ifndef STAMMA_GAME_BATCH_H
#define STAMMA_GAME_BATCH_H

#include "block/block.h"

/* The games of a group of records (game_batch.c). */
typedef struct game_batch {
    unsigned parts;  /* requested parts of games, STAMMA_GAME_... */
    buffer text;     /* of all games */
    buffer values;   /* of their tags */
    buffer comments; /* texts of comments */
    buffer tags;     /* stamma_tag */
    buffer moves;
    buffer items;       /* stamma_archive_item */
    buffer clocks;      /* int64_t for each ply */
    buffer times;       /* the same: times spent */
    buffer evaluations; /* stamma_evaluation, likewise */
    buffer flaws;       /* texts found and expected in games */
    buffer games;       /* stamma_archive_game, without pointers into the other members */
    size_t plies;       /* of all games */
    bool more;          /* a continuation follows the last game in the next record of the block, or in the next block */
    size_t given;       /* games returned so far. The next members are the ends of their data: */
    size_t text_at;
    size_t tags_at;
    size_t items_at;
    size_t plies_at;
    size_t flaws_at;
} game_batch;

void stamma_game_batch_init(game_batch *g, const stamma_allocator *allocator);
void stamma_game_batch_release(game_batch *g);
void stamma_game_batch_clear(game_batch *g);
/* Replaces the batch by the next group of a block, with the parts selected in the block. The block must have a next
 * group. Sets *decoded if all records were decoded. Returns CORRUPT if a record does not decode, or if the text is
 * selected and has a wrong checksum; NO_MEMORY. */
stamma_error stamma_game_batch_read(game_batch *g, block_reader *b, bool *decoded);
/* Replaces the batch by the next record of a block. Its text is not compared with a checksum. CORRUPT, NO_MEMORY. */
stamma_error stamma_game_batch_read_one(game_batch *g, block_reader *b);
/* Returns the games of the batch again, from the first. */
void stamma_game_batch_restart(game_batch *g);
/* Releases the unused memory of its buffers. */
void stamma_game_batch_trim(game_batch *g);
/* Returns the number of bytes of its buffers. */
uint64_t stamma_game_batch_memory(game_batch *g);
/* Returns the number of games that begin in the batch. */
uint64_t stamma_game_batch_games(const game_batch *g);
/* Returns the next game, without pointers; NULL if there is none. */
const stamma_archive_game *stamma_game_batch_next(const game_batch *g);
/* Returns the next game with pointers but without its number. Valid until the batch changes. */
stamma_archive_game stamma_game_batch_take(game_batch *g);
/* Skips the next game, which must exist. */
void stamma_game_batch_pass(game_batch *g);
/* Returns the number of groups that end before the group in which the remaining game `number`, counted from 1, begins.
 * If fewer games are left, returns the number of groups left, as far as their events are decoded. */
uint64_t stamma_groups_before(const block_reader *b, uint64_t number);

#endif
