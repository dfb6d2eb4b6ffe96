/* Reading archives, and continuing archives: copies, and data that an interrupted writer left. */
#ifndef STAMMA_ARCHIVE_READER_H
#define STAMMA_ARCHIVE_READER_H

#include "archive/archive.h"

/* ---- the reader (reader.c: opening, reading games; unpack.c: all text; info.c) ---- */

/* A commit without its places, and the number of blocks before it. */
typedef struct commit_mark {
    commit commit;
    size_t places;
    bool restored; /* its end was repaired (7.3) */
} commit_mark;

/* The games of a group of records, which are read together (game_batch.c). */
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
    size_t given;       /* games returned so far, which have these numbers of the others: */
    size_t text_at;
    size_t tags_at;
    size_t items_at;
    size_t plies_at;
    size_t flaws_at;
} game_batch;

void stamma_game_batch_init(game_batch *g, const stamma_allocator *allocator);
void stamma_game_batch_release(game_batch *g);
void stamma_game_batch_clear(game_batch *g);
/* Replaces the batch by the next group of a block, which must have one, with the parts selected in the block. Returns
 * CORRUPT also if everything was *decoded, but the text, if it is selected, is not the text that was packed.
 * NO_MEMORY. */
stamma_error stamma_game_batch_read(game_batch *g, block_reader *b, bool *decoded);
/* Replaces the batch by the next record of a block. Its text is not compared with a checksum. CORRUPT, NO_MEMORY. */
stamma_error stamma_game_batch_read_one(game_batch *g, block_reader *b);
/* Returns the number of games that begin in the batch. */
uint64_t stamma_game_batch_games(const game_batch *g);
/* Returns the next game, without pointers; NULL if there is none. */
const stamma_archive_game *stamma_game_batch_next(const game_batch *g);
/* Returns the next game with pointers but without its number. Valid until the batch changes. */
stamma_archive_game stamma_game_batch_take(game_batch *g);
/* Returns the number of groups of a block that end before the game that follows the next `number` - 1 games begins; if
 * there is no such game, the number of groups left, as far as their events are decoded. */
uint64_t stamma_groups_before(const block_reader *b, uint64_t number);
/* A block of an archive that can seek. */
typedef struct placed_block {
    uint64_t offset;
    uint64_t end;
    uint64_t frame; /* numbers as in a finding */
    uint64_t number;
    span spans[SPANS];
} placed_block;

/* Bookmarks: saved places in the open block, which are set on the way to a game. */
enum {
    BOOKMARKS_MAX = 16,
    BOOKMARK_RECORDS = 2048,    /* minimum of records between two bookmarks */
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
/* Returns the number of records from the next one to the next place for a bookmark; 0 if the place is here. */
uint64_t stamma_bookmarks_distance(const bookmarks *m, const block_reader *b);
/* Saves the place of the block reader, with the number of games before it. Does nothing if memory is exhausted, if
 * bookmarks would need more than BOOKMARKS_MEMORY, or if the block's records cannot be skipped. */
void stamma_bookmarks_add(bookmarks *m, block_reader *b, uint64_t games);
/* Returns the last bookmark with fewer than `number` games; NULL: none. */
bookmark *stamma_bookmarks_before(bookmarks *m, uint64_t number);
/* Moves the block reader to a bookmark. */
void stamma_bookmark_return(bookmark *m, block_reader *b);

/* ---- blocks kept open (parked_blocks.c) ---- */

enum { PARKED_MAX = 3 };

/* The state of reading a block. */
typedef struct block_slot {
    block_reader *reader; /* NULL: unused */
    bookmarks *bookmarks;
    buffer payload;
} block_slot;

typedef struct block_location {
    frame frame;
    block_frame place;
    block_head head;
} block_location;

typedef struct parked_block {
    block_slot slot;
    bool parked; /* parked: it waits to be used again */
    block_location location;
    uint64_t since; /* a number that increases with each parked block */
} parked_block;

/* Initialises a slot. Returns false if memory is exhausted. */
bool stamma_block_slot_new(block_slot *b, const stamma_allocator *allocator);
void stamma_block_slot_release(block_slot *b, const stamma_allocator *allocator);

/* An archive in memory as an input (memory_input.c). */
typedef struct memory_bytes {
    const uint8_t *bytes;
    size_t size;
    size_t at;
} memory_bytes;

stamma_input stamma_memory_input(memory_bytes *bytes);

struct stamma_archive_reader {
    stamma_allocator allocator;
    stamma_input input;
    memory_bytes memory_bytes; /* read by `input` if the archive is in memory */
    stamma_executor executor;
    uint64_t memory;
    void *context;
    void (*damage)(void *context, const stamma_archive_damage *damage); /* NULL: reading ends at the first damage */
    bool (*progress)(void *context, uint64_t done, uint64_t total);     /* NULL: not called */
    bool (*stop)(void *context);                                        /* NULL: not called */
    stop_check check;                                                   /* asks it, for block readers */
    bool stoppable;                                                     /* the call is one that it may stop */
    bool stopped;                                                       /* it has stopped the call */
    void *source_context;
    void (*source)(void *context, const stamma_archive_source *source); /* if the input cannot seek. NULL: not called */
    bool seekable;
    bool by_table;       /* the blocks are those that tables list: their frames were not scanned */
    scan scan;           /* complete if the input can seek, and not by_table */
    bool no_memory;      /* memory was exhausted */
    bool ended;          /* the input cannot seek, and its end was reached */
    bool deferred;       /* damage to blocks is reported when they are unpacked */
    stamma_error flaw;   /* the archive is not sound, although nothing may be missing */
    uint64_t flaw_at;    /* offset reported at the end */
    stamma_error broken; /* something is missing, or is of a later format */
    uint64_t broken_at;  /* its offset */
    uint64_t marks;      /* ends of commits that were repaired */
    uint64_t error_at;   /* offset of the last error */
    uint64_t error_game; /* its game; 0: none */
    /* games were read or sought, or blocks counted: an input that cannot seek can no longer be unpacked */
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
    commit_mark left;            /* the last commit of all; what follows r->last is unfinished */
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
    block_reader *block;
    bookmarks *bookmarks; /* of the loaded block */
    buffer payload;
    parked_block parked[PARKED_MAX];
    uint64_t parked_count; /* number of blocks parked so far */
    game_batch batch;
    stamma_archive_game game; /* the game last returned */
    XXH64_state_t hash;       /* of the text of the records read of the block, while `whole` is set */
    uint64_t hashed;          /* bytes of this text */
    bool whole;
    enum { PIECE_UNKNOWN, PIECE_CLOSED, PIECE_OPEN } piece; /* whether the previous block ended within a game */
};

/* ---- scanning (reader_scan.c) and tables (reader_tables.c) ---- */

/* Reads `size` bytes of the input into r->payload in steps, so that an invalid size needs no more memory than there are
 * bytes. *whole is false if the input ends before. IO, NO_MEMORY. */
stamma_error stamma_reader_read_bytes(stamma_archive_reader *r, uint64_t size, bool *whole);
void stamma_reader_scan_init(stamma_archive_reader *r);
/* Reads the header. As stamma_scan_open. */
stamma_error stamma_reader_begin_scan(stamma_archive_reader *r);
/* The same, from the start of an input that can seek. IO also if the file has become one of a later version. */
stamma_error stamma_reader_restart_scan(stamma_archive_reader *r);
bool stamma_reader_add_place(stamma_archive_reader *r, placed_block place);
/* Notes the commit that the scan returned. */
void stamma_reader_take_commit(stamma_archive_reader *r);
/* Called after the last event of a scan. */
stamma_error stamma_reader_end_scan(stamma_archive_reader *r);
/* If the input can seek: scans the remaining frames and lists their blocks. Error: also that of the first damage,
 * unless it is reported. */
stamma_error stamma_reader_list_blocks(stamma_archive_reader *r);
/* Lists the blocks before the last table's commit from tables, and scans the frames after it. Sets r->by_table unless
 * there are no tables that can be used, or these frames are damaged; the scan is then at its start. IO, NO_MEMORY. */
stamma_error stamma_reader_open_tables(stamma_archive_reader *r);
/* If the blocks are from tables: scans all frames, and lists the blocks again. The next block is the first with number
 * `next` or a higher one. As stamma_reader_list_blocks; after other errors than CORRUPT nothing has changed. */
stamma_error stamma_reader_scan_frames(stamma_archive_reader *r, uint64_t next);
/* Returns the listed block at an offset; NULL if there is none. */
const placed_block *stamma_reader_find_place(const stamma_archive_reader *r, uint64_t offset);

/* Compares the checksums of the blocks of the last commit, and reports those that are damaged (append_check.c). The
 * input can seek. Errors: CORRUPT, IO, NO_MEMORY. */
stamma_error stamma_reader_check_last_blocks(const stamma_archive_reader *r);

/* Parks the loaded block if a game of it may be requested again. Another slot is then used for reading. */
void stamma_reader_park(stamma_archive_reader *r);
/* Exchanges the loaded block for the parked block of a place, which the caller must return to a bookmark before its
 * game `number`. Returns false if it is not parked. */
bool stamma_reader_unpark(stamma_archive_reader *r, size_t place, uint64_t number);
void stamma_reader_release_parked(stamma_archive_reader *r);

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
stamma_error stamma_reader_fail(stamma_archive_reader *r, uint64_t offset, stamma_error error);
/* Returns whether an error is damage that is reported and skipped. */
bool stamma_reader_continues(const stamma_archive_reader *r, stamma_error error);
/* Reports that the block `place` does not decode. */
stamma_error stamma_reader_report_block(stamma_archive_reader *r, const block_frame *place, stamma_damage_kind kind,
                                        stamma_error error, buffer *columns, uint64_t game);
/* Called after the last block: reports whether it is the end of the archive. */
stamma_error stamma_reader_end(stamma_archive_reader *r);

/* ---- jobs in a ring, started and finished in the order of the blocks (job_ring.c) ---- */

/* The type of the jobs of a ring. */
typedef struct job_kind {
    size_t size;
    void (*init)(void *job, const stamma_allocator *allocator);
    void (*run)(void *job);
    void (*release)(void *job);
} job_kind;

typedef struct job_ring {
    const stamma_allocator *allocator; /* NULL: the ring is not open */
    const stamma_executor *executor;
    const job_kind *kind;
    void **jobs;
    bool *started; /* for each job: it was passed to the executor and not waited for */
    size_t count;
    size_t oldest;
    size_t under_way;
} job_ring;

/* Opens a ring of `count` jobs. A single job runs on the calling thread; otherwise the executor must live as long as
 * the ring. NO_MEMORY. The ring can be closed even after an error; closing waits for running jobs. */
stamma_error stamma_job_ring_open(job_ring *ring, const job_kind *kind, size_t count, const stamma_allocator *allocator,
                                  const stamma_executor *executor);
void stamma_job_ring_close(job_ring *ring);
/* Returns the job to start next, if not all are running. */
void *stamma_job_ring_next(const job_ring *ring);
void stamma_job_ring_begin(job_ring *ring);
/* Waits for the oldest job. The job is valid until the ring is used again. */
void *stamma_job_ring_finish(job_ring *ring);

/* Opens a ring of unpack jobs (unpack.c), as many as the executor can use and `memory` allows. As
 * stamma_job_ring_open. */
stamma_error stamma_unpack_ring_open(job_ring *ring, const stamma_allocator *allocator, const stamma_executor *executor,
                                     uint64_t memory);
/* Returns the job to read the next block into. */
unpack_job *stamma_unpack_ring_next(const job_ring *ring);
/* Returns the number of jobs that may run when the job starts, and while it runs; 0 for a block that needs much
 * memory. Its payload and frame must be set. */
size_t stamma_unpack_ring_room(const job_ring *ring);
/* Starts this job. */
void stamma_unpack_ring_begin(job_ring *ring, unpack_work work);
/* Like stamma_job_ring_finish. */
unpack_job *stamma_unpack_ring_finish(job_ring *ring);

/* ---- copying (merge.c) ---- */

/* Finds a column of a block whose head and sizes are valid. */
bool stamma_payload_find_column(const buffer *payload, size_t head_size, unsigned id, column_entry *entry,
                                const uint8_t **stored);
/* Returns the stored size of its moves. */
uint64_t stamma_payload_moves_bytes(const buffer *payload, size_t head_size);
/* Returns the level that the codec of its moves shows: 2, 3, or otherwise 1; `other` if it has no moves. */
int stamma_payload_level(const buffer *payload, size_t head_size, int other);

/* Sizes of blocks that were copied. */
typedef struct merged_bytes {
    uint64_t text;
    uint64_t moves; /* stored */
} merged_bytes;

/* Copies all blocks of an archive that was just opened (merge.c), and adds up their sizes. Returns CORRUPT,
 * UNSUPPORTED, IO or NO_MEMORY of the archive, with its place, or out->error. */
stamma_error stamma_merge_archive(stamma_archive_reader *r, frame_writer *out, merged_bytes *copied);

/* Calls `source` for each source of an archive that was just opened (sources.c): now, or, if the input cannot seek,
 * when the source is read. IO, NO_MEMORY. */
stamma_error stamma_reader_pass_sources(stamma_archive_reader *r,
                                        void (*source)(void *context, const stamma_archive_source *source),
                                        void *context);

/* The sources that a writer writes before its last commit. */
typedef struct source_list {
    buffer sources;  /* stamma_archive_source, without names */
    buffer names;    /* their names, one after another */
    uint64_t end;    /* end of the text of the last one, from the writer's first byte */
    uint64_t copied; /* where the text of the archive that is copied begins */
} source_list;

void stamma_source_list_init(source_list *list, const stamma_allocator *allocator);
void stamma_source_list_release(source_list *list);
/* Adds a source. Its offset is counted from the writer's first byte. */
void stamma_source_list_add(source_list *list, const stamma_archive_source *source);
/* Writes all sources. The writer's first byte has this offset in the archive's text. */
void stamma_source_list_write(const source_list *list, uint64_t offset, frame_writer *out);
/* Adds the sources of an archive whose text is copied from the offset `at` on (stamma_reader_pass_sources). */
stamma_error stamma_source_list_copy(source_list *list, stamma_archive_reader *r, uint64_t at);

/* Ends the input: what is written next begins like a new input (writer.c). Returns the writer's error. */
stamma_error stamma_writer_end_input(stamma_archive_writer *w);
/* Returns the number of bytes of input. */
uint64_t stamma_writer_given(const stamma_archive_writer *w);
/* Copies the sources of an archive whose text is written next. IO, NO_MEMORY. */
stamma_error stamma_writer_copy_sources(stamma_archive_writer *w, stamma_archive_reader *reader);
/* Records a failure, if there was none yet. Returns the writer's error. */
stamma_error stamma_writer_fail(stamma_archive_writer *w, stamma_error error);
/* Writes a stored block between inputs. Returns the writer's error. */
stamma_error stamma_writer_add_block(stamma_archive_writer *w, const buffer *payload, size_t head_size,
                                     const stamma_archive_counts *counts);

/* ---- data that an interrupted writer left (resume.c) ---- */

/* An output to a file that may already contain the bytes to be written. Must be zero if it may be closed without being
 * opened. */
typedef struct resumption {
    stamma_archive_reader *reader; /* reads the file; NULL after the first difference, and at the end of the file */
    stamma_output output;          /* receives the bytes after that */
    bool (*cut)(void *context, uint64_t size);
    uint64_t from;          /* offset of the first byte to be written */
    uint64_t at;            /* end of the bytes found equal */
    uint64_t end;           /* the file is never cut before this offset */
    int level;              /* level that blocks after `end` must have to be kept */
    bool no_search_columns; /* whether these must have no search columns */
    bool failed;            /* the file cannot be read */
    bool differs;           /* something before `end` differs, although the beginning is equal */
    unpack_job check;       /* checks the block that was read */
} resumption;

typedef struct resumed_block {
    stamma_archive_counts counts; /* except bytes_out */
    frame frame;
} resumed_block;

/* Opens a resumption after a commit, or at the start of the file if `from` is zero. The reader must be able to seek
 * and live as long as the resumption. */
void stamma_resumption_open(resumption *k, stamma_archive_reader *reader, const commit_mark *from,
                            const stamma_output *output, bool (*cut)(void *context, uint64_t size));
void stamma_resumption_close(resumption *k);
/* Returns an output. Bytes that the file already contains are kept; at the first difference the file is cut, and the
 * rest is passed to the resumption's output. */
stamma_output stamma_resumption_output(resumption *k);
/* Keeps the next block of the file if it has this text and its columns are sound; otherwise the file is cut there.
 * Must not be called if k->reader is NULL. IO, NO_MEMORY. */
stamma_error stamma_resumption_take(resumption *k, stamma_text text, bool continues, resumed_block *block, bool *taken);
/* Cuts the file after the kept bytes, unless it was cut already. Returns false if that is impossible or not allowed. */
bool stamma_resumption_end(resumption *k);

#endif
