/* SPDX-License-Identifier: MIT */
/* The container room: reads and writes an archive's header, frames and commits, and finds damage (clauses 1, 2, 7 and
 * 11 of doc/format/archive.md). It does not depend on the rules of chess, and reads only the counts in the heads of
 * blocks. */
#ifndef STAMMA_CONTAINER_H
#define STAMMA_CONTAINER_H

#define XXH_STATIC_LINKING_ONLY /* for the sizes of hash states, which are members of our structs */
#include <xxhash.h>

#include "base/base.h"

enum {
    /* The version of the format that is written. All versions of the same major version are read, and version 0, which
     * has the same structure. */
    FORMAT_MAJOR = 1,
    FORMAT_MINOR = 0,
    ARCHIVE_HEADER_SIZE = 16,
    FRAME_HEADER_SIZE = 32,
    BLOCK_RECORDS_MAX = 65536,
    BLOCK_TEXT_MAX = 1 << 24,
    COMMIT_INTERVAL = 8,      /* number of blocks after which this writer commits */
    COMMIT_TEXT = 1 << 23,    /* it also commits after this number of bytes of text */
    COMMIT_BLOCKS_MAX = 1024, /* maximum number of blocks between commits (clause 10) */
    SOURCE_NAME_MAX = 4096,
    /* Maximum sizes of payloads (clause 10): 2^29 bytes, less for some types. */
    FRAME_SIZE_MAX = 1 << 29,
    BLOCK_SIZE_MAX = 1 << 28,
    COMMIT_SIZE_MAX = 8 + 1 + 9 * 10 + 2 + COMMIT_BLOCKS_MAX * 3 * 10 + 16,
    SOURCE_SIZE_MAX = 10 + 10 + 32 + 10 + SOURCE_NAME_MAX + 1
};

/* ---- frames (frame.c; clauses 1.2 and 2) ---- */

enum { FRAME_BLOCK = 1, FRAME_COMMIT = 2, FRAME_TABLE = 3, FRAME_SOURCE = 4 };
enum { FRAME_MANDATORY = 1 };

typedef struct frame {
    uint8_t type;
    uint8_t flags;
    uint16_t id;   /* of the archive: low bits of its first block's head_check; 0 in frames before this block */
    uint64_t size; /* of the payload, in bytes */
    uint32_t head_size;
    uint32_t head_check;
    uint32_t number; /* number of blocks before this frame, modulo 2^32 */
} frame;

void stamma_archive_header_write(uint8_t out[ARCHIVE_HEADER_SIZE]);
/* Reads the header of a file. Errors: NO_ARCHIVE for a wrong magic, CORRUPT for a wrong checksum, UNSUPPORTED for a
 * later major version or unknown flags. */
stamma_error stamma_archive_header_read(const uint8_t in[ARCHIVE_HEADER_SIZE]);
void stamma_frame_write(const frame *f, uint8_t out[FRAME_HEADER_SIZE]);
stamma_error stamma_frame_read(const uint8_t in[FRAME_HEADER_SIZE], frame *f);
uint32_t stamma_check32(const void *bytes, size_t size);

/* ---- commits (commit.c; clause 7) ---- */

extern const uint8_t stamma_commit_magic[8];

/* Add, subtract and compare only the counts that commits contain. */
void stamma_counts_add(stamma_archive_counts *sum, const stamma_archive_counts *more);
void stamma_counts_subtract(stamma_archive_counts *sum, const stamma_archive_counts *less);
bool stamma_counts_equal(const stamma_archive_counts *a, const stamma_archive_counts *b);

typedef struct block_place {
    uint64_t offset; /* offset of the frame in the file */
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
    uint64_t previous; /* offset of the previous commit's frame, 0 for the first commit */
    bool finished;
    stamma_archive_counts totals; /* only the counts that commits contain */
    uint64_t blocks;
    uint64_t offset;     /* of this commit's frame */
    uint16_t id;         /* of the archive, from the frame's header */
    uint64_t start;      /* end of the previous commit, or of the header */
    block_places places; /* the blocks since the previous commit */
} commit;

/* Appends the payload of a commit to `out`. */
void stamma_commit_write(const commit *c, buffer *out);
/* Reads a payload. `start` and `id` must be set. Replaces the places. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_commit_read(const uint8_t *payload, size_t size, commit *c, const stamma_allocator *allocator);

/* ---- tables of blocks (table.c; clause 7.5) ---- */

enum {
    TABLE_BLOCKS = 8, /* number of blocks without a table after which this writer writes a table */
    TABLES_MAX = 64   /* maximum number of tables. This writer makes each table larger than the next */
};

extern const uint8_t stamma_table_magic[8];

typedef struct table_entry {
    uint64_t offset; /* of the block's frame */
    uint64_t size;   /* of its payload */
    uint64_t games;
    uint64_t text_size;
} table_entry;

/* A table that the file contains. */
typedef struct table_mark {
    uint64_t offset; /* of its frame */
    uint64_t first;  /* index of its first block */
    uint64_t end;    /* exclusive */
} table_mark;

/* The blocks of an archive, from the first on, and the tables that list them. Each table begins where the previous
 * table ends. */
typedef struct block_table {
    const stamma_allocator *allocator;
    table_entry *entries;
    size_t count;
    size_t capacity;
    table_mark tables[TABLES_MAX];
    size_t table_count;
} block_table;

/* A table as it is stored. It lists some blocks; previous tables list the blocks before them. */
typedef struct stored_table {
    uint64_t previous; /* offset of the frame of the table before this table; 0: this is the first table */
    uint64_t first;    /* number of blocks before the table's blocks */
    uint64_t offset;   /* of the frame of this table */
} stored_table;

bool stamma_table_add(block_table *t, table_entry entry);
/* Copies the first `blocks` blocks, and the tables that are before `end`, to an empty table. */
bool stamma_table_copy(block_table *to, const block_table *from, uint64_t blocks, uint64_t end);
void stamma_table_release(block_table *t);
/* Returns whether the next finished commit needs a table. */
bool stamma_table_is_due(const block_table *t);
/* Appends the payload of the table that is due, whose frame is at this offset. Replaces the tables that it includes. */
void stamma_table_write(block_table *t, uint64_t offset, buffer *out);
/* Reads a payload, and appends its blocks to `t`. CORRUPT, NO_MEMORY. */
stamma_error stamma_table_read(const uint8_t *payload, size_t size, stored_table *head, block_table *t);
/* Compares the payload of a table at this offset with the blocks so far. The table must list the last of these blocks.
 * A right table is added to the tables. CORRUPT, NO_MEMORY. */
stamma_error stamma_table_check(block_table *t, const uint8_t *payload, size_t size, uint64_t offset);

/* ---- sources (source.c; clause 7.6) ---- */

/* Returns whether the name can be stored. */
bool stamma_source_is_valid(const stamma_archive_source *source);
/* Appends the payload of a source to `out`. */
void stamma_source_write(const stamma_archive_source *source, buffer *out);
/* Reads a payload. The name is part of it. Returns false if the payload is invalid. */
bool stamma_source_read(const uint8_t *payload, size_t size, stamma_archive_source *source);

/* ---- the heads of blocks (block_counts.c; clause 3.1) ---- */

typedef struct block_counts {
    uint64_t text_check;
    uint64_t records;
    stamma_archive_counts counts; /* only the counts that heads contain */
    bool continues;
} block_counts;

/* Reads the part of a head before the number of columns. Error: CORRUPT. */
stamma_error stamma_block_counts_read(cursor *in, block_counts *head);

/* ---- writing frames and commits (frame_writer.c; clauses 2 and 7) ---- */

typedef struct frame_writer {
    const stamma_allocator *allocator;
    stamma_output output;
    stamma_error error; /* the first failure, IO or NO_MEMORY; nothing is written after it */
    uint64_t at;        /* offset in the file of the next byte */
    commit commit;      /* the next commit: its counts and blocks so far */
    block_table table;  /* all blocks so far */
    buffer payload;     /* of the commit, table or source that is written */
} frame_writer;

/* Writes the file's header. The allocator must stay valid until the release. If a writer may be released before it
 * begins, the caller must zero it first. */
void stamma_frame_writer_begin(frame_writer *w, const stamma_output *output, const stamma_allocator *allocator);
/* Continues after a commit. last->start must be the end of this commit, and the output must be positioned there.
 * `table` must contain the blocks before the commit, and may contain more. */
void stamma_frame_writer_follow(frame_writer *w, const commit *last, const block_table *table,
                                const stamma_output *output, const stamma_allocator *allocator);
void stamma_frame_writer_release(frame_writer *w);
/* Counts a block that the output already contains, and skips its frame. Writes a commit if one is due. */
void stamma_frame_writer_keep_block(frame_writer *w, const frame *kept, const stamma_archive_counts *counts);
/* Writes a block, and a commit if one is due. */
void stamma_frame_writer_add_block(frame_writer *w, stamma_text head, stamma_text body,
                                   const stamma_archive_counts *counts);
/* Writes a source. */
void stamma_frame_writer_add_source(frame_writer *w, const stamma_archive_source *source);
/* Commits the blocks since the last commit, and syncs the output. A table that is due precedes a finished commit. */
void stamma_frame_writer_commit(frame_writer *w, bool finished);

/* ---- reading frames, damaged or not (frame_reader.c) ---- */

/* An input of frames.
 *   read  as in stamma_input
 *   seek  moves to an offset, or returns false; NULL: the input is read once, in order
 *   size  stores the number of bytes and returns true; NULL: unknown */
typedef struct archive_input {
    void *context;
    ptrdiff_t (*read)(void *context, void *bytes, size_t size);
    bool (*seek)(void *context, uint64_t offset);
    bool (*size)(void *context, uint64_t *size);
} archive_input;

typedef struct frame_reader {
    const stamma_allocator *allocator;
    archive_input input;
    uint8_t *window; /* bytes read ahead, from `begin` to `end` */
    size_t begin;
    size_t end;
    buffer ahead; /* more bytes read ahead, from `ahead_at` on, which follow the bytes of the window */
    size_t ahead_at;
    uint64_t at;     /* offset in the file of the next byte */
    uint8_t last[8]; /* the last bytes read since the last stamma_frame_reader_go */
    bool ended;
    bool id_known; /* `id` is set: frames with another id count as FRAME_LOST */
    uint16_t id;
} frame_reader;

typedef enum frame_state {
    FRAME_GOOD,        /* the header was read */
    FRAME_UNSUPPORTED, /* the header was read, and has flags unknown to this version */
    FRAME_LOST,        /* there is no frame here; nothing was read */
    FRAME_NONE         /* end of the input */
} frame_state;

/* Initialises a reader. The allocator must stay valid until the release. Error: NO_MEMORY. */
stamma_error stamma_frame_reader_open(frame_reader *r, const archive_input *input, const stamma_allocator *allocator);
void stamma_frame_reader_release(frame_reader *r);
/* Returns the next bytes in *ahead without consuming them: at least `size` bytes, or all that are left of the input.
 * `size` is at most 65,536. Error: IO. */
stamma_error stamma_frame_reader_peek(frame_reader *r, size_t size, stamma_text *ahead);
/* Consumes bytes returned by stamma_frame_reader_peek. */
void stamma_frame_reader_pass(frame_reader *r, size_t size);
/* Reads the next frame's header. *f is set if *state is FRAME_GOOD or FRAME_UNSUPPORTED. Error: IO. */
stamma_error stamma_frame_reader_next(frame_reader *r, frame *f, frame_state *state);
/* Sets *state for the next bytes, without consuming them. Error: IO. */
stamma_error stamma_frame_reader_look(frame_reader *r, frame_state *state);
/* Sets *whole to whether at least `size` bytes follow, and *well to whether a frame or the end of the input follows
 * these bytes. Consumes nothing. If the input cannot seek, memory use is limited by the bytes that the input contains.
 * Errors: IO, NO_MEMORY. */
stamma_error stamma_frame_reader_look_after(frame_reader *r, uint64_t size, bool *whole, bool *well);
/* Skips to the next frame's header, which may be at the current offset, or to the end. Replaces the contents of
 * `skipped` by the first `limit` skipped bytes; NULL: they are not kept. Errors: IO, NO_MEMORY. */
stamma_error stamma_frame_reader_find(frame_reader *r, buffer *skipped, uint64_t limit);
/* Reads a payload in steps, so that memory use is limited by the bytes that the input contains, even if `size` is
 * wrong. Sets *whole to false if the input ends before the end of the payload. Errors: IO, NO_MEMORY. */
stamma_error stamma_frame_reader_payload(frame_reader *r, uint64_t size, buffer *payload, bool *whole);
/* Moves to an offset of an input that can seek. Error: IO. */
stamma_error stamma_frame_reader_go(frame_reader *r, uint64_t offset);
/* Moves the input back to the reader's offset, after other code has moved it. Error: IO. */
stamma_error stamma_frame_reader_return(frame_reader *r);

/* ---- findings: the blocks and the damage of an archive (findings.c) ---- */

enum { SPAN_BLOCKS, SPAN_GAMES, SPAN_BYTES, SPANS }; /* SPAN_BYTES: bytes of text */

/* The number of blocks, games or bytes of text in a part of an archive, and their range. */
typedef struct span {
    uint64_t size;
    bool known;     /* `size` is known */
    uint64_t begin; /* set when located: number of the first, from 0 */
    uint64_t end;   /* exclusive; too large if sizes are unknown. UINT64_MAX: unknown */
} span;

/* A stored column whose checksum is wrong. */
typedef struct damaged_column {
    char name[STAMMA_COLUMN_NAME_SIZE];
    uint64_t offset; /* in the file */
    uint64_t size;
    unsigned id; /* of the column: a constant of the block room */
} damaged_column;

/* A block, or damage. */
typedef struct finding {
    stamma_damage_kind kind; /* STAMMA_DAMAGE_NONE: a block without known damage */
    stamma_error error;
    uint64_t offset; /* in the file */
    uint64_t end;
    uint64_t frame;    /* number of the frame */
    bool block;        /* the frame is a block */
    bool working;      /* the block is being decoded */
    bool certain;      /* later commits make it part of the archive (1.3) */
    bool vouched;      /* `intact` is set */
    bool intact;       /* a skipped block is complete (scan.vouch) */
    bool closes;       /* set after decoding: the block ends with the end of a game */
    bool in_game;      /* decoding fails in a game ... */
    uint64_t game;     /* ... with this number in the block, from 1 */
    uint64_t number;   /* of the block, or of the first block that may be lost here; from 0 */
    block_counts head; /* of a block, as far as known */
    span spans[SPANS];
    buffer columns; /* array of damaged_column */
} finding;

/* Returns whether all games of a block are intact, as far as is known. */
STAMMA_INLINE bool finding_is_sound(const finding *f)
{
    return f->kind == STAMMA_DAMAGE_NONE || f->kind == STAMMA_DAMAGE_SEARCH;
}

/* Returns whether bytes of a frame are lost or wrong. */
STAMMA_INLINE bool finding_is_damaged_frame(const finding *f)
{
    return (f->kind == STAMMA_DAMAGE_FRAME || f->kind == STAMMA_DAMAGE_COMMIT) && f->error == STAMMA_ERROR_CORRUPT;
}

/* The findings that were not dropped, in the order of the file. Findings from `located` on are numbered when a commit
 * is read. */
typedef struct findings {
    const stamma_allocator *allocator;
    finding *list;
    size_t begin; /* index of the first finding that is not reported */
    size_t located;
    size_t end;
    size_t capacity;
    uint64_t before[SPANS]; /* numbers of blocks, games and bytes before list[located] */
    bool adrift[SPANS];     /* `before` is only a lower bound */
} findings;

/* Adds a finding without blocks, games and text. Returns NULL if memory is exhausted. */
finding *stamma_findings_add(findings *all, uint64_t offset, uint64_t end);
/* Sets the sizes of the findings that are not located, as far as the commit lists their blocks. Returns false and
 * changes nothing if the list contradicts sizes that are known. */
bool stamma_findings_learn(findings *all, const commit *c);
/* Locates all findings that are not located. `after` has the number of blocks, games and bytes before the current
 * offset. NULL: unknown. */
void stamma_findings_locate(findings *all, const uint64_t after[SPANS]);
/* Removes the first `count` findings. */
void stamma_findings_drop(findings *all, size_t count);
void stamma_findings_release(findings *all);

/* ---- scanning an archive frame by frame (scan.c, scan_commits.c) ----
 *
 * All functions that read archives use a scan. A scan reports findings in the order of the file, with numbers from the
 * commits. If the input can seek, the payloads of blocks are skipped; otherwise they are read. */

typedef struct scan_block {
    frame header;
    uint64_t offset;
    uint64_t number;
    block_counts head; /* set if the payload was read */
} scan_block;

typedef struct scan {
    const stamma_allocator *allocator;
    void *context;
    /* Called for each finding in the order of the file, after it is numbered and decoded. May set its damage. May be
     * NULL. */
    void (*settle)(void *context, finding *f);
    void (*report)(void *context, const stamma_archive_damage *damage); /* called for certain damage. May be NULL */
    /* Called for each valid source, in the order of the file, with the offset of its frame. May be NULL. */
    void (*source)(void *context, const stamma_archive_source *source, uint64_t offset);
    /* Returns in *whole whether a skipped block is complete. Called before the end of a commit is repaired, because the
     * writer may have been interrupted before the blocks were durable. May move the input. May be NULL. Errors: IO,
     * NO_MEMORY. */
    stamma_error (*vouch)(void *context, const finding *block, bool *whole);
    bool decodes; /* each block that is returned is working until stamma_scan_settle */
    bool every;   /* blocks out of order are returned too, as damage; the header may be missing */
    frame_reader frames;
    uint64_t frame; /* number of the frame being read */
    buffer payload; /* of commits, and of other frames whose payload is not returned */
    /* The blocks so far, if none is missing, and the tables that list them. A table that was read waits for its commit.
     * `waiting` contains its frame and its payload. */
    block_table table;
    struct {
        bool any, fine; /* fine: its header and checksum are right */
        uint64_t frame; /* its number */
        uint64_t offset, end;
        buffer payload;
    } waiting;
    uint64_t sources_end; /* end of the text of the sources so far */
    findings findings;
    scan_block block; /* the block returned last */

    /* Damage and sound blocks after the last finished commit, if there is one. The next finished commit makes them
     * certain. */
    findings held;
    stamma_archive_counts held_sound;
    uint64_t held_blocks;
    bool held_damaged; /* a frame is damaged; the damage may have been reported already */

    /* The sum of all heads so far. found_known is false if some of these counts are unknown. `blocks` includes lost
     * blocks. */
    stamma_archive_counts found;
    bool found_known;
    uint64_t blocks;

    /* The group: the frames since the last commit, valid or not. */
    commit last;       /* offset and start; other members only if the last commit is valid; no places */
    bool restored;     /* the end of `last` was repaired (7.4) */
    uint64_t last_end; /* the end that `last` has if none of its bytes is missing */
    uint64_t shift;    /* offset of `last` less the offset that it contains */
    block_places seen; /* the blocks of the group, at most COMMIT_BLOCKS_MAX */
    uint64_t group_blocks;
    bool group_whole; /* nothing in the group is lost or damaged */

    /* The first damage, except damaged ends of commits. */
    stamma_error trouble;
    uint64_t trouble_at;

    /* The result. */
    bool committed_after;             /* there is damage, and the file ends with the end of a commit */
    bool finished;                    /* the last certain commit is finished */
    stamma_archive_verdict found_all; /* complete after stamma_scan_finish */
} scan;

typedef enum scan_event {
    SCAN_BLOCK,  /* s->block is set */
    SCAN_COMMIT, /* s->last is set; all findings before it are numbered */
    SCAN_END
} scan_event;

/* Reads the header. The caller must zero *s and then set `allocator`, `context`, the callbacks and the flags. The scan
 * must be released even after an error. Errors: NO_ARCHIVE, UNSUPPORTED, IO, NO_MEMORY. */
stamma_error stamma_scan_open(scan *s, const archive_input *input);
/* Begins after a finished commit that was read and is right, instead of at the start. `table` contains all blocks
 * before the commit; the scan does not return these blocks. `size` is the size of the input. Errors: IO, NO_MEMORY. */
stamma_error stamma_scan_follow(scan *s, const commit *last, const block_table *table, uint64_t size);
/* Continues to the next block or commit that can be read. If the input cannot seek, *payload receives the payload of a
 * block. `payload` may be NULL. Errors: IO, NO_MEMORY. */
stamma_error stamma_scan_next(scan *s, buffer *payload, scan_event *event);
/* Returns the oldest block that is working, or NULL. */
finding *stamma_scan_working(scan *s);
/* Ends the work on the oldest working block, and sets its damage. The contents of `columns`, which may be NULL, move to
 * the finding. Error: NO_MEMORY. */
stamma_error stamma_scan_settle(scan *s, stamma_damage_kind kind, stamma_error error, buffer *columns, bool in_game,
                                uint64_t game);
/* Reports that an archive is truncated. For callers that decoded the last game and found it incomplete. */
void stamma_scan_report_end(scan *s, uint64_t offset);
/* Reports damage at the archive's end. Call it after SCAN_END, when all blocks are settled. Errors: IO, NO_MEMORY. */
stamma_error stamma_scan_finish(scan *s);
void stamma_scan_release(scan *s);

/* Reports a located finding. Reports each damaged column separately. */
void stamma_scan_report(scan *s, const finding *f);
/* ---- scan_findings.c, for scan.c and scan_commits.c ---- */
finding *stamma_scan_add(scan *s, uint64_t offset, stamma_damage_kind kind, stamma_error error);
stamma_error stamma_scan_locate(scan *s, const uint64_t after[SPANS], bool certain);
/* Reports a table that waits although no commit follows it, or that is wrong. Error: NO_MEMORY. */
stamma_error stamma_scan_refuse_table(scan *s);
/* Processes a commit that ends at `end`. s->payload must contain its payload, or the bytes of it that the input
 * contains. */
stamma_error stamma_scan_commit(scan *s, const frame *header, uint64_t at, uint64_t end, bool whole, bool *accepted);

#endif
