/* The salvage room: what is wrong with an archive (verify.c), and a new archive of what is sound in it (repair.c). Of a
 * damaged block, everything that its damaged columns do not affect is read, and what cannot be right is left out. */
#ifndef STAMMA_SALVAGE_H
#define STAMMA_SALVAGE_H

#include "archive/archive.h"

/* ---- blocks whose frame headers are damaged (lost_blocks.c) ---- */

typedef struct lost_search {
    frame_reader *in;
    uint64_t at; /* the header of the block found last, or of the next one that there may be */
    uint64_t end;
    uint64_t work;   /* bytes that may still be read */
    buffer *payload; /* for use during the search */
} lost_search;

/* Begins a search of bytes in which no frame is, and which begin where a header may be. */
void stamma_lost_begin(lost_search *s, frame_reader *in, uint64_t begin, uint64_t end, buffer *payload);
/* Finds the next block, of which at least one column must be sound. Its header, at s->at, is *f as written, except the
 * archive's id and the number of blocks before. Continue after the block by moving s->at to its end. Errors: IO,
 * NO_MEMORY. */
stamma_error stamma_lost_next(lost_search *s, frame *f, block_head *head, bool *found);

/* ---- names of tags (salvage_names.c; 13.7) ---- */

/* Only the checksum of the head covers the names of tag columns. If it is wrong, a name is sure if a right group or a
 * neighbouring block has it. */
typedef struct salvage_names {
    bool doubtful;              /* the checksum of the head is wrong, or unknown */
    text_table nearby;          /* names in neighbouring blocks */
    text_table confirmed;       /* names in the block that are sure */
    bool used[TAG_COLUMNS_MAX]; /* columns of which the group that is being read has tags */
} salvage_names;

void stamma_salvage_names_init(salvage_names *names, const stamma_allocator *allocator);
void stamma_salvage_names_release(salvage_names *names);
/* Adds the names in the head of a neighbouring block, whose checksum is right. NO_MEMORY. */
stamma_error stamma_salvage_names_add(salvage_names *names, cursor head);
/* Confirms the names in the head of the block that neighbouring blocks have. NO_MEMORY. */
stamma_error stamma_salvage_names_compare(salvage_names *names, cursor head);
/* Notes the tags of the last record. A group begins with no tags. */
void stamma_salvage_names_use(salvage_names *names, const block_reader *b);
/* Confirms the names of the noted tags. NO_MEMORY. */
stamma_error stamma_salvage_names_confirm(salvage_names *names, const block_reader *b);
/* Returns whether a name in the head of the block is sure. */
bool stamma_salvage_name_is_sure(const salvage_names *names, stamma_text name);

/* ---- the text of an incomplete record (salvage_text.c) ---- */

/* Appends a tag that says what the last record of `b` lacks, with the names of tags that are lost, and which names of
 * its tags are not sure. `missing`: as above. Without `b`, the tag says that the record may be wrong. The caller checks
 * the buffer for failure. */
void stamma_salvage_mark(const block_reader *b, unsigned missing, const salvage_names *names, stamma_text line_end,
                         buffer *out);
/* Appends a record with SALVAGE_SOUND without what it lacks, after its mark. NO_MEMORY, CORRUPT. */
stamma_error stamma_salvage_render(const block_reader *b, unsigned missing, const salvage_names *names,
                                   stamma_text line_end, buffer *out);

/* ---- a block (salvage.c) ---- */

typedef enum salvage_state {
    SALVAGE_EXACT,       /* as packed */
    SALVAGE_UNCONFIRMED, /* whole, but a checksum that it shares with damaged data cannot confirm it */
    SALVAGE_PARTIAL,
    SALVAGE_LOST
} salvage_state;

/* Games one after another with the same result. */
typedef struct salvage_run {
    salvage_state state;
    unsigned missing; /* SALVAGE_PARTIAL: as above */
    uint64_t first;   /* numbers in the block, from 1; 0: the end of the game that the previous block begins */
    uint64_t last;
    size_t text_end; /* of their text */
} salvage_run;

typedef struct salvage {
    const stamma_allocator *allocator;
    uint64_t memory;    /* limit, as in block_plan */
    bool exact_only;    /* keep only games that are exact */
    salvage_names names;
    buffer text;        /* the result */
    buffer runs;        /* salvage_run */
    block_head head;    /* of the block */
    block_reader tried; /* SALVAGE_TRY */
    block_reader sound; /* SALVAGE_SOUND */
    bool open[2];       /* whether these can still be read */
    uint32_t damaged;   /* columns, except tags */
    bool damaged_tags;
    bool adaptive; /* moves are damaged, and in lanes */
    bool learning; /* the damage is in tags of codec 8, and moves are in lanes: nothing after the damage is right */
    /* if adaptive: the end of the last right group with enough moves of each lane, as a number of records. Moves of a
     * lane depend on all that are before them (17.2), so these are right, too */
    uint64_t confirmed[LANES_MAX];
    uint64_t games; /* so far */
    buffer group;   /* text of the records of a group, as tried */
    struct {
        size_t end;       /* of its text */
        size_t pair;      /* of strings (16.3), that its moves are in */
        size_t lane;      /* if adaptive; SIZE_MAX: none */
        size_t bits;      /* of the lane's string, about */
        bool fine;        /* it was read */
        bool codes;       /* its moves are codes, which no other moves depend on */
        unsigned missing; /* of its text: STAMMA_GAME_TAGS, or 0 */
        bool continuation;
    } records[GROUP_RECORDS];
} salvage;

void stamma_salvage_init(salvage *s, const stamma_allocator *allocator);
void stamma_salvage_release(salvage *s);
/* Reads a block. Replaces s->text and s->runs. Returns CORRUPT if nothing can be read, UNSUPPORTED, LIMIT, NO_MEMORY.
 */
stamma_error stamma_salvage_block(salvage *s, const buffer *payload, size_t head_size);

#endif
