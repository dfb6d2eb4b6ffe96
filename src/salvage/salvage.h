/* SPDX-License-Identifier: MIT */
/* The salvage room: finds the damage of an archive (verify.c), and writes a new archive with the sound data (repair.c).
 * From a damaged block, it reads everything that the damaged columns do not affect, and omits data that may be
 * wrong. */
#ifndef STAMMA_SALVAGE_H
#define STAMMA_SALVAGE_H

#include "archive/archive.h"

/* ---- blocks whose frame headers are damaged (lost_blocks.c) ---- */

typedef struct lost_search {
    frame_reader *in;
    uint64_t at; /* header of the block that was found last; otherwise the first offset at which a header may be */
    uint64_t end;
    uint64_t work;   /* bytes that may still be read */
    buffer *payload; /* for use during the search */
} lost_search;

/* Begins a search in bytes that contain no valid frame. A header may be at their first byte. */
void stamma_lost_begin(lost_search *s, frame_reader *in, uint64_t begin, uint64_t end, buffer *payload);
/* Finds the next block with at least one sound column. *f receives its header, which was at s->at, without the
 * archive's id and the number of blocks before it. To continue the search, set s->at to the end of the block. Errors:
 * IO, NO_MEMORY. */
stamma_error stamma_lost_next(lost_search *s, frame *f, block_head *head, bool *found);

/* ---- names of tags (salvage_names.c; 13.7) ---- */

/* Only the checksum of the head covers the names of tag columns. If this checksum is wrong, a name is certain if a
 * group with the right checksum or a neighbouring block contains it. */
typedef struct salvage_names {
    bool doubtful;              /* the checksum of the head is wrong, or unknown */
    text_table nearby;          /* names in neighbouring blocks */
    text_table confirmed;       /* names in the block that are certain */
    bool used[TAG_COLUMNS_MAX]; /* tag columns that occur in the group that is being read */
} salvage_names;

void stamma_salvage_names_init(salvage_names *names, const stamma_allocator *allocator);
void stamma_salvage_names_release(salvage_names *names);
/* Adds the names in the head of a neighbouring block; the head must have the right checksum. Errors: NO_MEMORY. */
stamma_error stamma_salvage_names_add(salvage_names *names, cursor head);
/* Confirms the names in the head of the block that neighbouring blocks contain. Errors: NO_MEMORY. */
stamma_error stamma_salvage_names_compare(salvage_names *names, cursor head);
/* Records that the group uses the tags of the last record. The caller clears names->used before each group. */
void stamma_salvage_names_use(salvage_names *names, const block_reader *b);
/* Confirms the names of the tags that the group uses. Errors: NO_MEMORY. */
stamma_error stamma_salvage_names_confirm(salvage_names *names, const block_reader *b);
/* Returns whether a name in the head of the block is certain. */
bool stamma_salvage_name_is_sure(const salvage_names *names, stamma_text name);

/* ---- the text of an incomplete record (salvage_text.c) ---- */

/* Appends the tag StammaRepair for the last record of `b`. Its value lists the missing parts, the names of lost tags,
 * and the names that are not certain. `missing`: the missing parts, a sum of STAMMA_GAME_... If `b` is NULL, the value
 * is "unconfirmed". The caller checks the buffer for failure. */
void stamma_salvage_mark(const block_reader *b, unsigned missing, const salvage_names *names, stamma_text line_end,
                         buffer *out);
/* Appends the tag StammaRepair and the remaining parts of the last record of `b`. Errors: NO_MEMORY, CORRUPT. */
stamma_error stamma_salvage_render(const block_reader *b, unsigned missing, const salvage_names *names,
                                   stamma_text line_end, buffer *out);

/* ---- a block (salvage.c) ---- */

typedef enum salvage_state {
    SALVAGE_EXACT,       /* its text is as packed */
    SALVAGE_UNCONFIRMED, /* complete, but not confirmed: its checksum also covers damaged data */
    SALVAGE_PARTIAL,
    SALVAGE_LOST
} salvage_state;

/* Games one after another with the same result. */
typedef struct salvage_run {
    salvage_state state;
    unsigned missing; /* SALVAGE_PARTIAL: the missing parts, a sum of STAMMA_GAME_... */
    uint64_t first;   /* numbers in the block, from 1; 0: the end of a game that begins in the previous block */
    uint64_t last;
    size_t text_end; /* end of their text in salvage.text */
} salvage_run;

typedef struct salvage {
    const stamma_allocator *allocator;
    uint64_t memory; /* limit, as in block_plan */
    bool exact_only; /* keep only games that are exact */
    salvage_names names;
    buffer text;        /* the result */
    buffer runs;        /* salvage_run */
    block_head head;    /* of the block */
    block_reader tried; /* SALVAGE_TRY */
    block_reader sound; /* SALVAGE_SOUND */
    bool open[2];       /* whether `tried` and `sound` can still be read */
    uint32_t damaged;   /* damaged columns, except tags: bits by id */
    bool damaged_tags;
    bool adaptive; /* moves are damaged, and are stored in lanes */
    bool learning; /* the damage is in tags of codec 8, and moves are stored in lanes: all data after the damage is
                    * wrong */
    /* if adaptive: for each lane, the end, as a number of records, of the last confirmed group with enough moves of the
     * lane. The moves of a lane depend on all earlier moves of the lane (17.2), so the earlier moves are also right */
    uint64_t confirmed[LANES_MAX];
    uint64_t games; /* number of games so far */
    buffer group;   /* text of the records of a group, from the reader `tried` */
    struct {
        size_t end;       /* end of its text in `group` */
        size_t pair;      /* number of the pair of strings (16.3) that contains its moves */
        size_t lane;      /* if adaptive: lane of its moves; SIZE_MAX: none */
        size_t bits;      /* approximate number of bits of its moves in the lane */
        bool fine;        /* the record was read */
        bool codes;       /* its moves are codes; no other moves depend on them */
        unsigned missing; /* missing in its text: STAMMA_GAME_TAGS, or 0 */
        bool continuation;
    } records[GROUP_MAX];
} salvage;

void stamma_salvage_init(salvage *s, const stamma_allocator *allocator);
void stamma_salvage_release(salvage *s);
/* Reads a block. Replaces s->text and s->runs. Returns CORRUPT if nothing can be read, UNSUPPORTED, LIMIT, NO_MEMORY.
 */
stamma_error stamma_salvage_block(salvage *s, const buffer *payload, size_t head_size);

#endif
