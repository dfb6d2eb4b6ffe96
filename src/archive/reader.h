/* SPDX-License-Identifier: MIT */
/* Reading archives: the reader, and the blocks that it keeps open. */
#ifndef STAMMA_ARCHIVE_READER_H
#define STAMMA_ARCHIVE_READER_H

#include "archive/archive.h"
#include "archive/game_batch.h"

/* ---- the reader (reader.c: opening, reading games; unpack.c: all text; info.c) ---- */

/* A commit without its places, and the number of blocks before it. */
typedef struct commit_mark {
    commit commit;
    size_t places;
    bool restored; /* its end was repaired (7.3) */
} commit_mark;

/* A block of an archive that can seek. */
typedef struct placed_block {
    uint64_t offset;
    uint64_t end;
    uint64_t frame; /* the numbers are the same as in a finding */
    uint64_t number;
    span spans[SPANS];
} placed_block;

/* Bookmarks: saved places in the open block, which are set on the way to a game. */
enum {
    BOOKMARKS_MAX = 16,
    BOOKMARK_RECORDS = 2048,    /* smallest number of records between two bookmarks */
    BOOKMARKS_MEMORY = 32 << 20 /* limit of their memory, because the state of tag columns can be large */
};

typedef struct bookmark {
    uint64_t record; /* number of the next record */
    uint64_t games;  /* games before it in the block */
    buffer state;
} bookmark;

typedef struct bookmarks {
    size_t count; /* in the order of their records */
    bookmark list[BOOKMARKS_MAX];
} bookmarks;

void stamma_bookmarks_init(bookmarks *m, const stamma_allocator *allocator);
void stamma_bookmarks_release(bookmarks *m);
/* Returns the number of records from the next record to the next place for a bookmark; 0 if the next record is
 * there. */
uint64_t stamma_bookmarks_distance(const bookmarks *m, const block_reader *b);
/* Saves the place of the block reader, with the number of games before it. Does nothing if memory is exhausted, if
 * bookmarks would need more than BOOKMARKS_MEMORY, or if the block's records cannot be skipped. */
void stamma_bookmarks_add(bookmarks *m, block_reader *b, uint64_t games);
/* Returns their memory in bytes. */
size_t stamma_bookmarks_memory(const bookmarks *m);
/* Returns the last bookmark at or before a record; NULL: none. */
bookmark *stamma_bookmarks_before(bookmarks *m, uint64_t record);
/* Moves the block reader to a bookmark. */
void stamma_bookmark_return(bookmark *m, block_reader *b);

/* ---- decoded groups of a block (kept_groups.c) ---- */

/* Groups of records of the open block that are kept after they were decoded, because the caller requested single
 * games. */
typedef struct kept_groups {
    const stamma_allocator *allocator;
    size_t count;         /* groups of the block; 0: none is kept yet */
    game_batch **batches; /* NULL: not kept */
    uint32_t *games;      /* number of games before each group, and before the end, as far as they are counted */
    size_t counted;       /* number of elements of `games` that are set */
    cursor events;        /* events of the groups that are not counted yet */
    bool piece;           /* the next record continues a game */
    uint64_t memory;      /* of the batches, in bytes */
    uint64_t passed;      /* records that were skipped on the way to groups */
} kept_groups;

void stamma_kept_groups_init(kept_groups *g, const stamma_allocator *allocator);
void stamma_kept_groups_clear(kept_groups *g);
/* Records the beginning of a block that was just opened. */
void stamma_kept_groups_begin(kept_groups *g, const block_reader *b);
/* Begins to keep groups. Returns false if memory is exhausted. */
bool stamma_kept_groups_start(kept_groups *g, const block_reader *b);
/* Returns the group with the game `number` of the block, counted from 1; g->count if the block has fewer games. */
size_t stamma_kept_groups_find(kept_groups *g, const block_reader *b, uint64_t number);
/* Releases the last groups until all but the first fit into `limit` bytes. */
void stamma_kept_groups_limit(kept_groups *g, uint64_t limit);
/* Moves the contents of a batch, which becomes empty, into the list, if they fit into `limit` bytes. Returns the kept
 * batch, or `batch`. */
game_batch *stamma_kept_groups_keep(kept_groups *g, size_t group, game_batch *batch, uint64_t limit);

/* ---- blocks kept open (block_slot.c) ---- */

/* The state of reading a block. */
typedef struct block_slot {
    block_reader *reader; /* NULL: unused */
    bookmarks *bookmarks;
    kept_groups *groups;
    buffer payload;
} block_slot;

typedef struct block_location {
    frame frame;
    block_frame place;
    block_head head;
} block_location;

/* Initialises a slot. Returns false if memory is exhausted. */
bool stamma_block_slot_new(block_slot *b, const stamma_allocator *allocator);
void stamma_block_slot_release(block_slot *b, const stamma_allocator *allocator);

/* Bytes of an archive, and the offset of the next byte to read (bytes_input.c). */
typedef struct bytes_input {
    stamma_bytes bytes;
    uint64_t at;
} bytes_input;

/* Returns an input that can seek, and that is valid as long as `bytes`. */
archive_input stamma_bytes_input(bytes_input *bytes);

struct stamma_archive_reader {
    stamma_allocator allocator;
    stamma_archive *archive;           /* NULL: a stream, or bytes without a cache */
    const stamma_allocator *of_blocks; /* for blocks and payloads: the archive's, because blocks outlive readers */
    archive_input input;
    bytes_input bytes; /* read by `input`, unless it is a stream */
    stamma_executor executor;
    uint64_t memory;
    void *context;
    void (*damage)(void *context, const stamma_archive_damage *damage); /* NULL: reading ends at the first damage */
    bool (*progress)(void *context, uint64_t done, uint64_t total);     /* NULL: not called */
    bool (*stop)(void *context);                                        /* NULL: not called */
    stop_check check;                                                   /* calls `stop`; for block readers */
    bool stoppable;                                                     /* `stop` may stop the present call */
    bool stopped;                                                       /* `stop` has stopped the call */
    void *source_context;
    void (*source)(void *context, const stamma_archive_source *source); /* if the input cannot seek. NULL: not called */
    bool seekable;
    bool by_table;       /* the list of blocks is from tables; their frames were not scanned */
    scan scan;           /* complete if the input can seek, and not by_table */
    bool no_memory;      /* memory was exhausted */
    bool ended;          /* the input cannot seek, and its end was reached */
    bool deferred;       /* damage to blocks is reported when they are unpacked */
    stamma_error flaw;   /* an error of the archive that does not mean that contents are missing */
    uint64_t flaw_at;    /* offset reported at the end */
    stamma_error broken; /* something is missing, or is of a later format */
    uint64_t broken_at;  /* its offset */
    uint64_t marks;      /* ends of commits that were repaired */
    uint64_t error_at;   /* offset of the last error */
    uint64_t error_game; /* its game; 0: none */
    /* games were read or requested, or blocks counted; an input that cannot seek can then not be unpacked */
    bool moved;
    placed_block *places; /* if the input can seek: all blocks in order */
    size_t place_count;
    size_t place_capacity;
    size_t next_place;
    size_t places_read;          /* if the input can seek: number of blocks read without gaps from the first */
    stamma_archive_counts found; /* sum of the heads of these blocks */
    commit last;                 /* if the input can seek: the last commit, without its places */
    commit_mark finished;        /* the last finished commit so far */
    commit_mark finished_before; /* the finished commit before that */
    commit_mark left;            /* the last commit, finished or not; data after r->last is unfinished */
    uint64_t games;              /* in blocks before the loaded block */
    bool numbered;               /* `games` is certain */
    uint64_t games_here;         /* in the loaded block up to the record last returned or skipped */
    uint64_t games_read;         /* in the loaded block, including those in the batch */
    bool loaded;
    uint64_t next_number; /* of the block after the last frame read */
    frame frame;          /* the last frame read */
    block_frame place;    /* its place */
    block_head head;      /* its head */
    bool head_damaged;
    unsigned parts; /* of games that the caller has selected; the block may be opened for more */
    block_reader *block;
    bookmarks *bookmarks; /* of the loaded block */
    kept_groups *groups;  /* of the loaded block */
    uint64_t opened;      /* memory of opening the loaded block, in bytes; 0: not estimated */
    uint64_t keep_limit;  /* of the memory of these groups, in bytes */
    uint64_t next_record; /* number of the block's record after the batch; the block reader may be elsewhere */
    buffer payload;
    game_batch *batch; /* games of a group: own_batch, or a kept group */
    game_batch own_batch;
    stamma_archive_game game; /* the game last returned */
    XXH64_state_t hash;       /* of the text of the block's records read so far, while `whole` is set */
    uint64_t hashed;          /* bytes of this text */
    bool whole;
    enum { PIECE_UNKNOWN, PIECE_CLOSED, PIECE_OPEN } piece; /* whether the previous block ended within a game */
};

/* ---- scanning (reader_scan.c) and tables (reader_tables.c) ---- */

/* Reads `size` bytes of the input into r->payload in steps, so that an invalid size needs no more memory than the input
 * has bytes. *whole is false if the input has fewer bytes. IO, NO_MEMORY. */
stamma_error stamma_reader_read_bytes(stamma_archive_reader *r, uint64_t size, bool *whole);
void stamma_reader_scan_init(stamma_archive_reader *r);
/* Reads the header. Errors: as stamma_scan_open. */
stamma_error stamma_reader_begin_scan(stamma_archive_reader *r);
/* The same, from the start of an input that can seek. Also returns IO if the file was replaced by an archive of a later
 * version. */
stamma_error stamma_reader_restart_scan(stamma_archive_reader *r);
bool stamma_reader_add_place(stamma_archive_reader *r, placed_block place);
/* Records the commit that the scan returned. */
void stamma_reader_take_commit(stamma_archive_reader *r);
/* Called after the last event of a scan. */
stamma_error stamma_reader_end_scan(stamma_archive_reader *r);
/* If the input can seek: scans the remaining frames and lists their blocks. Also returns the error of the first damage,
 * unless damage is reported. */
stamma_error stamma_reader_list_blocks(stamma_archive_reader *r);
/* Lists the blocks before the last table's commit from tables, and scans the frames after it. Sets r->by_table unless
 * there are no tables that can be used, or these frames are damaged; the scan is then at its start. IO, NO_MEMORY. */
stamma_error stamma_reader_open_tables(stamma_archive_reader *r);
/* If the blocks are from tables: scans all frames, and lists the blocks again. The next block is the first whose number
 * is at least `next`. Errors: as stamma_reader_list_blocks; after errors other than CORRUPT, the reader is
 * unchanged. */
stamma_error stamma_reader_scan_frames(stamma_archive_reader *r, uint64_t next);
/* Returns the listed block at an offset; NULL if there is none. */
const placed_block *stamma_reader_find_place(const stamma_archive_reader *r, uint64_t offset);

/* Compares the checksums of the blocks of the last commit, and reports those that are damaged (append_check.c). The
 * input can seek. Errors: CORRUPT, IO, NO_MEMORY. */
stamma_error stamma_reader_check_last_blocks(const stamma_archive_reader *r);

/* Moves the loaded block to the archive's cache if a game of it may be requested again (parked_blocks.c). Another slot
 * is then used for reading. */
void stamma_reader_park(stamma_archive_reader *r);
/* Exchanges the loaded block for the block at a place of the list, if the cache contains this block, opened for these
 * parts as the reader would open it. Otherwise returns false. After the exchange, the batch is empty, and the next
 * record is the first. */
bool stamma_reader_unpark(stamma_archive_reader *r, size_t place, unsigned parts);
/* Return whether the header of a frame, and the head of its block, belong to the block that is listed at a place. A
 * table may be wrong: its offset may be the offset of another frame, or of bytes within a block that look like a
 * frame. */
bool stamma_reader_is_at(const stamma_archive_reader *r, const frame *f, const placed_block *place);
bool stamma_reader_is_counted(const block_head *head, const placed_block *place);
/* Returns whether reading ends before a place, because damage is not skipped. */
bool stamma_reader_is_broken_at(const stamma_archive_reader *r, const placed_block *place);

/* Opens a reader of bytes that can be read at any offset; `archive`, whose cache it uses, may be NULL. Errors as
 * stamma_archive_reader_open, and NO_ARCHIVE. */
stamma_error stamma_reader_open_bytes(const stamma_bytes *bytes, stamma_archive *archive,
                                      const stamma_archive_reader_options *options, stamma_archive_reader **reader);

/* Records a block: its number, the games before it, and whether it follows the previous block. */
void stamma_reader_meet_block(stamma_archive_reader *r, uint64_t number, uint64_t games, bool numbered);
/* Opens the block whose frame was read. Errors: CORRUPT, UNSUPPORTED, LIMIT, CANCELLED, NO_MEMORY. */
stamma_error stamma_reader_load_block(stamma_archive_reader *r);
/* Ends reading the loaded block. The next block follows. */
void stamma_reader_leave_block(stamma_archive_reader *r);
void stamma_reader_forget_block(stamma_archive_reader *r);
/* Reports that the loaded block does not decode. `game`: as for stamma_reader_report_block. */
stamma_error stamma_reader_report_loaded(stamma_archive_reader *r, stamma_error error, uint64_t game);
/* Returns CANCELLED instead of the error of a record that was not read to its end because the caller stopped it. */
stamma_error stamma_reader_or_cancelled(const stamma_archive_reader *r, stamma_error error);

/* Reads the next block's frame into r->payload, r->frame, r->place and r->head. *found is false at the end of the
 * archive. */
stamma_error stamma_reader_next_frame(stamma_archive_reader *r, bool *found);
/* The same, and opens the block. If damage is reported, continues after it. CORRUPT, UNSUPPORTED, IO, NO_MEMORY. */
stamma_error stamma_reader_next_block(stamma_archive_reader *r, bool *found);
/* Moves before the first block. BAD_ARGUMENT if the input cannot seek and something was read. */
stamma_error stamma_reader_rewind(stamma_archive_reader *r);
/* Calls the progress callback at the end of a block. CANCELLED. */
stamma_error stamma_reader_progress(stamma_archive_reader *r, uint64_t done);
/* Records the place of an error, and returns the error. */
STAMMA_INLINE stamma_error reader_fail(stamma_archive_reader *r, uint64_t offset, stamma_error error)
{
    r->error_at = offset;
    r->error_game = r->loaded ? r->games + r->games_here : 0;
    return error;
}
/* Returns whether an error is damage that is reported and skipped. */
bool stamma_reader_continues(const stamma_archive_reader *r, stamma_error error);
/* Reports that the block `place` does not decode. */
stamma_error stamma_reader_report_block(stamma_archive_reader *r, const block_frame *place, stamma_damage_kind kind,
                                        stamma_error error, buffer *columns, uint64_t game);
/* Called after the last block: reports whether it is the end of the archive. */
stamma_error stamma_reader_end(stamma_archive_reader *r);

/* ---- unpacking with jobs (unpack.c) ---- */

/* Opens a ring with as many unpack jobs as the executor can use and `memory` allows (unpack.c). Otherwise like
 * stamma_job_ring_open. */
stamma_error stamma_unpack_ring_open(job_ring *ring, const stamma_allocator *allocator, const stamma_executor *executor,
                                     uint64_t memory, const stop_check *stop);
/* Returns the job to read the next block into. */
unpack_job *stamma_unpack_ring_next(const job_ring *ring);
/* Returns the number of jobs that may run when the job starts, and while it runs; 0 for a block that needs much
 * memory. Its payload and frame must be set. */
size_t stamma_unpack_ring_room(const job_ring *ring);
/* Starts this job. */
void stamma_unpack_ring_begin(job_ring *ring, unpack_work work);
/* Like stamma_job_ring_finish. */
unpack_job *stamma_unpack_ring_finish(job_ring *ring);

#endif
