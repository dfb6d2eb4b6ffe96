/* The outside of an archive: the file's header, frames and commits, written and read, and what may be wrong with them
 * (clauses 1, 2 and 7). What is inside blocks is in archive.h. */
#ifndef STAMMA_ARCHIVE_FRAMES_H
#define STAMMA_ARCHIVE_FRAMES_H

#include "base/base.h"

enum {
    ARCHIVE_HEADER_SIZE = 16,
    FRAME_HEADER_SIZE = 32,
    FRAME_SIZE_MAX = 1 << 29,
    COMMIT_INTERVAL = 8,     /* blocks, as this writer does it ... */
    COMMIT_BLOCKS_MAX = 1024 /* ... and at most */
};

/* ---- frames (frame.c; clauses 1.2 and 2) ---- */

enum { FRAME_BLOCK = 1, FRAME_COMMIT = 2 };
enum { FRAME_MANDATORY = 1 };

typedef struct frame {
    uint8_t type;
    uint8_t flags;
    uint64_t size; /* of the payload */
    uint32_t head_size;
    uint32_t head_check;
} frame;

void stamma_archive_header_write(uint8_t out[ARCHIVE_HEADER_SIZE]);
/* SYNTAX when it is no archive, CORRUPT, UNSUPPORTED. */
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
    uint64_t start;      /* the end of the commit before, or of the header */
    block_places places; /* of the blocks since then */
} commit;

/* Appends the payload. */
void stamma_commit_write(const commit *c, buffer *out);
/* Reads a payload; `start` must be set. The places take the place of those before. CORRUPT, NO_MEMORY. */
stamma_error stamma_commit_read(const uint8_t *payload, size_t size, commit *c, const stamma_allocator *allocator);
/* Whether `c`, which stands at `offset`, follows `last` (zero where it is the first) and lists the blocks `seen`
 * between them. Counts are compared too where `found`, the sum of all heads so far, is not NULL. */
bool stamma_commit_follows(const commit *c, const commit *last, uint64_t offset, const block_places *seen,
                           const stamma_archive_counts *found);

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
void stamma_frame_writer_keep_block(frame_writer *w, uint64_t frame_size, const stamma_archive_counts *counts);
/* Writes a block, and a commit where one is due. */
void stamma_frame_writer_add_block(frame_writer *w, stamma_text head, stamma_text body,
                                   const stamma_archive_counts *counts);
/* Commits what was written since the last commit, and syncs. */
void stamma_frame_writer_commit(frame_writer *w, bool finished);

/* ---- frames in, whatever they are like (frame_reader.c) ---- */

typedef struct frame_reader {
    const stamma_allocator *allocator;
    stamma_input input;
    uint8_t *window; /* bytes read ahead, from `begin` to `end` */
    size_t begin;
    size_t end;
    uint64_t at;     /* offset in the file of the next byte */
    uint8_t last[8]; /* of all bytes read */
    bool ended;
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
/* From FRAME_LOST on to the next frame's header, or to the end. IO. */
stamma_error stamma_frame_reader_find(frame_reader *r);
/* Reads a payload in steps, so that a size that lies costs no more memory than there are bytes; !*whole: the input ends
 * before its end. IO, NO_MEMORY. */
stamma_error stamma_frame_reader_payload(frame_reader *r, uint64_t size, buffer *payload, bool *whole);
/* Passes over a payload; !*whole: the input ends before its end, or the checksum of its head is wrong. IO. */
stamma_error stamma_frame_reader_pass_payload(frame_reader *r, const frame *f, bool *whole);

/* ---- what is wrong with an archive (damage.c, verify.c) ---- */

enum { SPAN_BLOCKS, SPAN_GAMES, SPAN_BYTES, SPANS }; /* bytes of text */

/* Blocks, games or bytes that a part of an archive holds, and those before it. */
typedef struct span {
    uint64_t size;
    bool known;     /* the size */
    uint64_t begin; /* once located: from here ... */
    uint64_t end;   /* ... to here; where the size is not known, something in between. UINT64_MAX: not known */
} span;

/* A block, or something that is wrong. */
typedef struct finding {
    stamma_damage_kind kind; /* STAMMA_DAMAGE_NONE: a block that is sound, as far as it is known */
    stamma_error error;
    uint64_t offset; /* in the file */
    uint64_t end;
    uint64_t frame; /* its number */
    bool block;     /* a block's frame */
    bool working;   /* its job is not done */
    bool certain;   /* the commits behind it make it a part of the archive (1.3) */
    bool continues; /* as the block's head says */
    bool closes;    /* whether it ends with the end of a game, once it is unpacked */
    bool in_game;   /* it does not decode in its game ... */
    uint64_t game;  /* ... of this number */
    span spans[SPANS];
    stamma_archive_counts counts; /* of the block's head */
    buffer columns;               /* damaged_column */
} finding;

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
/* Takes from a commit what the blocks and the lost bytes behind the commit before it hold, if its list fits them. */
void stamma_findings_learn(findings *all, const commit *c);
/* Numbers all that wait. `after` counts what stands before the place reached; NULL: that is not known. */
void stamma_findings_locate(findings *all, const uint64_t after[SPANS]);
/* Takes off those at the front. */
void stamma_findings_drop(findings *all, size_t count);
void stamma_findings_release(findings *all);

#endif
