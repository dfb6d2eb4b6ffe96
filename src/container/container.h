/* The container room: an archive's header, frames and commits, written and read, and what may be wrong with them
 * (clauses 1, 2, 7 and 12 of doc/format.md). It knows no chess, and of blocks only what their heads count. */
#ifndef STAMMA_CONTAINER_H
#define STAMMA_CONTAINER_H

#define XXH_STATIC_LINKING_ONLY /* for the states' sizes: they stand in our own structs */
#include <xxhash.h>

#include "base/base.h"

enum {
    ARCHIVE_HEADER_SIZE = 16,
    FRAME_HEADER_SIZE = 32,
    FRAME_SIZE_MAX = 1 << 29,
    BLOCK_RECORDS_MAX = 65536,
    BLOCK_TEXT_MAX = 1 << 24,
    COMMIT_INTERVAL = 8,      /* this writer commits after so many blocks, */
    COMMIT_TEXT = 1 << 23,    /* or as soon as so many bytes of text are in blocks since the last commit */
    COMMIT_BLOCKS_MAX = 1024  /* the format's limit */
};

/* ---- frames (frame.c; clauses 1.2 and 2) ---- */

enum { FRAME_BLOCK = 1, FRAME_COMMIT = 2 };
enum { FRAME_MANDATORY = 1 };

typedef struct frame {
    uint8_t type;
    uint8_t flags;
    uint16_t id;   /* of the archive: the low bits of its first block's head_check, 0 before that */
    uint64_t size; /* of the payload */
    uint32_t head_size;
    uint32_t head_check;
    uint32_t number; /* of blocks before this frame, modulo 2^32 */
} frame;

void stamma_archive_header_write(uint8_t out[ARCHIVE_HEADER_SIZE]);
/* NO_ARCHIVE when it is none, CORRUPT, UNSUPPORTED. */
stamma_error stamma_archive_header_read(const uint8_t in[ARCHIVE_HEADER_SIZE]);
void stamma_frame_write(const frame *f, uint8_t out[FRAME_HEADER_SIZE]);
stamma_error stamma_frame_read(const uint8_t in[FRAME_HEADER_SIZE], frame *f);
uint32_t stamma_check32(const void *bytes, size_t size);

/* ---- commits (commit.c; clause 7) ---- */

extern const uint8_t stamma_commit_magic[8];

/* Add, subtract and compare all but bytes_out and moves_bytes. */
void stamma_counts_add(stamma_archive_counts *sum, const stamma_archive_counts *more);
void stamma_counts_subtract(stamma_archive_counts *sum, const stamma_archive_counts *less);
bool stamma_counts_equal(const stamma_archive_counts *a, const stamma_archive_counts *b);

typedef struct block_place {
    uint64_t offset; /* of the frame in the file */
    uint64_t games;
    uint64_t text_size;
} block_place;

typedef struct block_places {
    block_place *places;
    size_t count;
    size_t capacity;
} block_places;

bool stamma_places_add(block_places *list, block_place place, const stamma_allocator *allocator);

typedef struct commit {
    uint64_t previous; /* offset of the commit before, 0 for the first */
    bool finished;
    stamma_archive_counts totals; /* but bytes_out and moves_bytes */
    uint64_t blocks;
    uint64_t offset;     /* its own frame's */
    uint16_t id;         /* and the archive's, as that says */
    uint64_t start;      /* the end of the commit before, or of the header */
    block_places places; /* of the blocks since then */
} commit;

/* Appends the payload. */
void stamma_commit_write(const commit *c, buffer *out);
/* Reads a payload; `start` and `id` must be set. The places take the place of those before. CORRUPT, NO_MEMORY. */
stamma_error stamma_commit_read(const uint8_t *payload, size_t size, commit *c, const stamma_allocator *allocator);

/* ---- the heads of blocks (block_counts.c; clause 3.1) ---- */

typedef struct block_counts {
    uint64_t text_check;
    uint64_t records;
    stamma_archive_counts counts; /* but bytes_out and moves_bytes */
    bool continues;
} block_counts;

/* Reads a head up to the number of its columns. CORRUPT. */
stamma_error stamma_block_counts_read(cursor *in, block_counts *head);

/* ---- frames and commits out (frame_writer.c; clauses 2 and 7) ---- */

typedef struct frame_writer {
    const stamma_allocator *allocator;
    stamma_output output;
    stamma_error error; /* the first failure, IO or NO_MEMORY; nothing is written after it */
    uint64_t at;        /* offset in the file of the next byte */
    commit commit;      /* the one to come: what it counts and lists so far */
    buffer payload;     /* of commits */
} frame_writer;

/* Writes the file's header. The allocator must stay. Zero a writer that may be released before it begins. */
void stamma_frame_writer_begin(frame_writer *w, const stamma_output *output, const stamma_allocator *allocator);
/* Goes on behind a commit, whose `start` is where it ends: the output's next byte belongs there. */
void stamma_frame_writer_follow(frame_writer *w, const commit *last, const stamma_output *output,
                                const stamma_allocator *allocator);
void stamma_frame_writer_release(frame_writer *w);
/* Passes over a block's frame that the output holds already. */
void stamma_frame_writer_keep_block(frame_writer *w, const frame *kept, const stamma_archive_counts *counts);
/* Writes a block, and a commit where one is due. */
void stamma_frame_writer_add_block(frame_writer *w, stamma_text head, stamma_text body,
                                   const stamma_archive_counts *counts);
/* Commits what was written since the last commit, and syncs. */
void stamma_frame_writer_commit(frame_writer *w, bool finished);

/* ---- frames in, whatever they are like (frame_reader.c) ---- */

typedef struct frame_reader {
    const stamma_allocator *allocator;
    stamma_input input; /* without a seek it is read front to back */
    uint8_t *window;    /* bytes read ahead, from `begin` to `end` */
    size_t begin;
    size_t end;
    buffer again; /* bytes to be read once more behind those, from `again_at` on */
    size_t again_at;
    uint64_t at;     /* offset in the file of the next byte */
    uint8_t last[8]; /* of all bytes read since it last went elsewhere */
    bool ended;
    bool id_known; /* frames of other archives are none */
    uint16_t id;
} frame_reader;

typedef enum frame_state {
    FRAME_GOOD,        /* its header was read */
    FRAME_UNSUPPORTED, /* so it was, and has bits that this version does not know */
    FRAME_LOST,        /* no frame stands here; nothing was read */
    FRAME_NONE         /* the input ends here */
} frame_state;

/* NO_MEMORY. The allocator must stay. */
stamma_error stamma_frame_reader_open(frame_reader *r, const stamma_input *input, const stamma_allocator *allocator);
void stamma_frame_reader_release(frame_reader *r);
/* Shows at least `size` bytes, at most 65,536, or what is left of the input. IO. */
stamma_error stamma_frame_reader_peek(frame_reader *r, size_t size, stamma_text *ahead);
/* Passes bytes that were shown. */
void stamma_frame_reader_pass(frame_reader *r, size_t size);
/* Reads a frame's header. IO. */
stamma_error stamma_frame_reader_next(frame_reader *r, frame *f, frame_state *state);
/* Sees what stands here: FRAME_GOOD, FRAME_UNSUPPORTED, FRAME_LOST or FRAME_NONE. IO. */
stamma_error stamma_frame_reader_look(frame_reader *r, frame_state *state);
/* Goes on to the next frame's header, which may stand here, or to the end. IO. */
stamma_error stamma_frame_reader_find(frame_reader *r);
/* Reads a payload in steps, so that a size that lies costs no more memory than there are bytes; !*whole: the input ends
 * before its end. IO, NO_MEMORY. */
stamma_error stamma_frame_reader_payload(frame_reader *r, uint64_t size, buffer *payload, bool *whole);
/* Goes to an offset of an input that can seek. IO. */
stamma_error stamma_frame_reader_go(frame_reader *r, uint64_t offset);
/* The same, where somebody else moved the input: to where it was. */
stamma_error stamma_frame_reader_return(frame_reader *r);
/* Goes back to the begin of `bytes`, which were read last. IO, NO_MEMORY. */
stamma_error stamma_frame_reader_back(frame_reader *r, const buffer *bytes);

/* ---- what is found in an archive (findings.c) ---- */

enum { SPAN_BLOCKS, SPAN_GAMES, SPAN_BYTES, SPANS }; /* bytes of text */

/* Blocks, games or bytes that a part of an archive holds, and those before it. */
typedef struct span {
    uint64_t size;
    bool known;     /* the size */
    uint64_t begin; /* once located: from here ... */
    uint64_t end;   /* ... to here; where the size is not known, something in between. UINT64_MAX: not known */
} span;

/* A stored column whose checksum is wrong. */
typedef struct damaged_column {
    char name[STAMMA_COLUMN_NAME_SIZE];
    uint64_t offset; /* in the file */
    uint64_t size;
    unsigned id; /* that the archive room gives columns */
} damaged_column;

/* A block, or something that is wrong. */
typedef struct finding {
    stamma_damage_kind kind; /* STAMMA_DAMAGE_NONE: a block without fault, as far as it is known */
    stamma_error error;
    uint64_t offset; /* in the file */
    uint64_t end;
    uint64_t frame;    /* its number */
    bool block;        /* a block's frame */
    bool working;      /* it is being decoded */
    bool certain;      /* the commits behind it make it a part of the archive (1.3) */
    bool closes;       /* whether it ends with the end of a game, once it is decoded */
    bool in_game;      /* it does not decode in its game ... */
    uint64_t game;     /* ... of this number */
    uint64_t number;   /* of the block, or of the first of those that may have been lost here, from 0 */
    block_counts head; /* of a block */
    span spans[SPANS];
    buffer columns; /* damaged_column */
} finding;

/* Whether all games of a block are there, as far as it is known. */
STAMMA_INLINE bool finding_is_sound(const finding *f)
{
    return f->kind == STAMMA_DAMAGE_NONE || f->kind == STAMMA_DAMAGE_SEARCH;
}

/* In the order of the file. Those from `located` on wait for a commit to number them. */
typedef struct findings {
    const stamma_allocator *allocator;
    finding *list;
    size_t begin; /* the first that is not reported */
    size_t located;
    size_t end;
    size_t capacity;
    uint64_t before[SPANS]; /* list[located] */
    bool adrift[SPANS];     /* there are at least so many */
} findings;

/* Adds one of which nothing is known but that it holds no block, game or text. NULL when there is no memory. */
finding *stamma_findings_add(findings *all, uint64_t offset, uint64_t end);
/* Takes from a commit what those behind the commit before it hold, as far as its list tells; false: they hold others.
 */
bool stamma_findings_learn(findings *all, const commit *c);
/* Numbers all that wait. `after` counts what stands before the place reached; NULL: that is not known. */
void stamma_findings_locate(findings *all, const uint64_t after[SPANS]);
/* Takes off those at the front. */
void stamma_findings_drop(findings *all, size_t count);
void stamma_findings_release(findings *all);

/* ---- going from frame to frame (scan.c, scan_commits.c): the one way in which archives are read ----
 *
 * Everything that is read goes through a scan: what it finds is told in the order of the file, numbered by the commits.
 * Without a seek it reads the blocks' payloads on the way; with one it passes over them. */

typedef struct scan_block {
    frame header;
    uint64_t offset;
    uint64_t number;
    block_counts head; /* where its payload was read */
} scan_block;

typedef struct scan {
    const stamma_allocator *allocator;
    void *context;
    /* A block or damage, numbered and decoded, in the order of the file; it may find fault with it. May be NULL. */
    void (*settle)(void *context, finding *f);
    void (*tell)(void *context, const stamma_archive_damage *damage); /* of what is certain */
    /* Whether a block that was passed over is whole: asked before a commit is put right, whose writer may have stopped
     * before the blocks were durable. It may move the input. May be NULL. IO, NO_MEMORY. */
    stamma_error (*vouch)(void *context, const finding *block, bool *whole);
    bool decodes; /* each block that is given is working until stamma_scan_settle */
    bool every;   /* blocks that stand out of their order are given too, as damage */
    frame_reader frames;
    uint64_t frame; /* number of the one being read */
    buffer payload; /* of a commit; of a block that is not given away */
    findings findings;
    scan_block block; /* that was given last */

    /* What was reported behind the last finished commit, if there was one: the next one makes it certain. */
    findings held;
    stamma_archive_counts held_sound;
    uint64_t held_blocks;

    /* The sum of all heads so far, of which some were lost where it is not known; lost blocks are counted. */
    stamma_archive_counts found;
    bool found_known;
    uint64_t blocks;

    /* The group: what was met since the last commit, right or not. */
    commit last;       /* of that its offset, start, and, if it was right, totals; without its places */
    bool mended;       /* its end had to be put right (7.3), ... */
    uint64_t last_end; /* ... and then this is where it would be */
    uint64_t shift;    /* how far frames stand behind where they were written, as it tells */
    block_places seen; /* as many as a commit may list */
    uint64_t group_blocks;
    bool group_whole; /* nothing was lost or is damaged */

    /* The first thing that was found wrong, but for ends of commits. */
    stamma_error trouble;
    uint64_t trouble_at;

    /* What the archive is. */
    bool committed_behind;            /* damage has a commit's end behind it, at the file's end */
    bool finished;                    /* its last certain commit is */
    stamma_archive_verdict found_all; /* but what of it is decoded */
} scan;

typedef enum scan_event {
    SCAN_BLOCK,  /* s->block */
    SCAN_COMMIT, /* s->last: all before it was numbered */
    SCAN_END
} scan_event;

/* Reads the header, too. Zero it and set `allocator`, callbacks and flags before. NO_ARCHIVE when it is none,
 * UNSUPPORTED, IO, NO_MEMORY; it is to be released all the same. */
stamma_error stamma_scan_open(scan *s, const stamma_input *input);
/* Goes on to the next block or commit that can be read. Without a seek *payload takes a block's payload. IO, NO_MEMORY.
 */
stamma_error stamma_scan_next(scan *s, buffer *payload, scan_event *event);
/* The oldest block that is working; NULL: none is. */
finding *stamma_scan_working(scan *s);
/* The oldest block that is working is done: takes what is wrong with it. NULL: nothing. */
stamma_error stamma_scan_settle(scan *s, stamma_damage_kind kind, stamma_error error, buffer *columns, bool in_game,
                                uint64_t game);
/* Tells that an archive is cut short, as its last game shows. */
void stamma_scan_tell_end(scan *s, uint64_t offset);
/* After SCAN_END, when all blocks are settled: tells of the end. IO, NO_MEMORY. */
stamma_error stamma_scan_finish(scan *s);
void stamma_scan_release(scan *s);

/* Tells of a finding that was numbered; of each column, where there are several. */
void stamma_scan_tell(scan *s, const finding *f);
/* What scan.c and scan_commits.c share. */
finding *stamma_scan_add(scan *s, uint64_t offset, stamma_damage_kind kind, stamma_error error);
stamma_error stamma_scan_locate(scan *s, const uint64_t after[SPANS], bool certain);
/* The commit whose payload, as much of it as there is, was read into s->payload; it ends at `end`. */
stamma_error stamma_scan_commit(scan *s, const frame *header, uint64_t at, uint64_t end, bool whole, bool *accepted);

#endif
