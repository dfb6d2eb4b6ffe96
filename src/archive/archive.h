/* The archive room: converts games to columns and back. doc/format.md and doc/format_columns.md specify the format;
 * the comments of this room cite their clauses by number. Frames and commits are in the container room.
 *
 *   writing:  bytes -> (record room) records -> (block_writer.c, column.c) columns -> (block_check.c) decoded and
 *             compared -> (container room) frames
 *   reading:  frames -> (block_reader.c, record_reader.c) records -> (record room) text -> (reader.c) the caller */
#ifndef STAMMA_ARCHIVE_H
#define STAMMA_ARCHIVE_H

#include "archive/comment_lines.h"
#include "archive/predicted_moves.h"
#include "archive/search_columns.h"
#include "base/base.h"
#include "board/board.h"
#include "codec/codec.h"
#include "container/container.h"
#include "entropy/prefix_column.h"
#include "fields/fields.h"
#include "notation/notation.h"
#include "record/record.h"
#include "tags/tags.h"

/* ---- limits of the format (clauses 3, 5.4); others are in container.h and record.h ---- */

enum { GROUP_RECORDS = 64, COLUMN_SIZE_MAX = 1 << 28, ROSTERS_MAX = 65536 };
/* Limits of the plain sizes of a block's columns, by its text and records (3.7). */
enum { COLUMNS_PER_BYTE = 8, COLUMNS_PER_RECORD = 64, COLUMNS_MORE = 1 << 16 };

/* ---- columns (column.c; clauses 3.2, 3.3, 5) ---- */

enum {
    COLUMN_EVENTS = 1,
    COLUMN_MOVES,
    COLUMN_VARIATION_MOVES,
    COLUMN_COMMENTS,
    COLUMN_NAGS,
    COLUMN_RESULTS,
    COLUMN_ROSTERS,
    COLUMN_ROSTER_LIST,
    COLUMN_STYLES,
    COLUMN_STYLE_LIST,
    COLUMN_LAYOUT,
    COLUMN_LAYOUT_TEXT,
    COLUMN_VERBATIM_SIZES,
    COLUMN_VERBATIM,
    COLUMN_EXTRA_TAGS,
    COLUMN_REASONS,
    COLUMN_EVENT_COUNTS,
    COLUMN_CHECKS,
    COLUMN_LINES,
    COLUMN_LINE_SIZES,
    COLUMN_LINE_MOVES,
    COLUMN_SIGNATURES,
    COLUMN_FACTS,
    COLUMN_IDS,
    COLUMN_TAG = 64
};
enum { ENTRY_MANDATORY = 1, ENTRY_SEARCH = 2 };
/* Levels are presets of codecs. Level 1 has codes with shared beginnings, level 2 predicted moves, level 3 adaptively
 * predicted moves. Levels up to LEVEL_SEARCHED have search columns. */
enum { LEVEL_DEFAULT = 1, LEVEL_SEARCHED = 1, LEVEL_PREDICTED = 2, LEVEL_ADAPTIVE = 3, LEVEL_MAX = 3, LEVELS };

extern const char *const stamma_column_names[COLUMN_IDS];

/* Returns whether a known column is of class search. */
STAMMA_INLINE bool column_is_search(unsigned id)
{
    return id == COLUMN_SIGNATURES || id == COLUMN_FACTS;
}

/* Number of texts of each game in a column, which codec 2 needs. */
typedef struct text_counts {
    const uint32_t *per_game;
    size_t games;
} text_counts;

/* Appends an entry of the directory. The caller checks the buffer for failure. */
void stamma_column_write_entry(unsigned id, unsigned codec, stamma_text name, size_t plain_size, const uint8_t *stored,
                               size_t size, buffer *directory);
/* Appends a column to `body` and its entry to `directory`. `counts` is used for columns that may be coded as fields.
 * NO_MEMORY. */
stamma_error stamma_column_write(field_packer *packer, unsigned id, const buffer *plain, const text_counts *counts,
                                 buffer *directory, buffer *body);

typedef struct column_entry {
    uint8_t id;
    uint8_t codec;
    uint8_t flags;
    stamma_text name;
    uint64_t plain_size;
    uint64_t stored_size;
    uint64_t check;
} column_entry;

bool stamma_column_read_entry(cursor *in, column_entry *e);
/* Returns whether a column has the checksum of its entry. */
STAMMA_INLINE bool column_is_whole(const column_entry *e, const uint8_t *stored)
{
    return XXH64(stored, (size_t)e->stored_size, 0) == e->check;
}
/* Returns whether the column shows that some game may not start in the initial position. */
STAMMA_INLINE bool column_is_start(const column_entry *e)
{
    return e->id == COLUMN_TAG && e->name.size == 3 && memcmp(e->name.data, "FEN", 3) == 0;
}
/* Writes the name of a column, as in stamma_archive_column. */
void stamma_column_name(const column_entry *e, char name[STAMMA_COLUMN_NAME_SIZE]);
/* Decodes a column into `plain`, replacing its contents. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_column_read(byte_packer *coder, const column_entry *e, const uint8_t *stored, buffer *plain);
/* ---- records to columns (block_writer.c) ---- */

/* Lower than the limits of the format (5.4). Further tags are stored outside the roster, in the same space. */
enum { WRITER_TAGS_MAX = 256, WRITER_ROSTERS_MAX = 1024 };

typedef struct block_writer {
    const stamma_allocator *allocator;
    style_search search;
    buffer columns[COLUMN_IDS];
    buffer tags[WRITER_TAGS_MAX]; /* values of each tag column */
    size_t tag_count;
    text_table names;      /* names of tag columns, numbered from 1 */
    text_table rosters;    /* numbered from 1: numbers of tag columns, two bytes each; roster 0 is empty */
    buffer roster;         /* the roster being looked up */
    buffer comment_counts; /* uint32_t for each record */
    buffer games;          /* game_facts for each record */
    buffer set_ups;        /* for each record a byte: whether it has a FEN tag */
    buffer entries;        /* search_entry for each record */
    bool no_search_columns;
    size_t exchanged[2]; /* tag columns that are exchanged to make FEN one of the first TAG_CODED_MAX */
    size_t last_roster;
    uint64_t record_count;
    uint64_t next_reason;
    bool continues; /* the first record continues the last game of the previous block */
    stamma_archive_counts counts;
    XXH64_state_t hash;              /* of the text */
    XXH64_state_t group_hash;        /* of the text of the last group (3.6) */
    buffer ends;                     /* uint32_t for each record: the end of its text in the text of the block */
    uint64_t steps;                  /* of the last block's table of values */
    int level;                       /* 2 and above: moves are predicted; 3: adaptively */
    const stamma_executor *executor; /* NULL: everything runs on this thread */
    predicted_writer predicted;
    comment_lines_writer lines;
    size_t first_post_game; /* tag column, in the order of the block */
} block_writer;

void stamma_block_writer_init(block_writer *w, const stamma_allocator *allocator);
void stamma_block_writer_clear(block_writer *w);
void stamma_block_writer_release(block_writer *w);
/* Adds a record. *added is false if no style renders it. NO_MEMORY. */
stamma_error stamma_block_writer_add(block_writer *w, parsed_record *parsed, bool *added);
/* Appends the head and the stored columns to the two buffers. Adds the stored size of the moves column to
 * *moves_bytes. */
stamma_error stamma_block_writer_finish(block_writer *w, field_packer *packer, uint64_t *moves_bytes, buffer *head,
                                        buffer *body);

/* ---- the round-trip check (block_check.c) ---- */

/* The text from which a block was made. */
typedef struct block_source {
    stamma_text text;
    const uint32_t *ends; /* ends of its records in the text */
    size_t records;
    bool searched;                   /* the block has search columns */
    bool begins_in_game;             /* the previous block ends within a game */
    bool ends_in_game;               /* this block ends within a game (4.6) */
    const stamma_executor *executor; /* NULL: everything runs on this thread */
} block_source;

/* Decodes a block from the bytes to be stored, like a reader, and compares it with its text. *same is true if they are
 * equal. Otherwise the bytes of *faulty, one for each record, are 1 for records whose text differs, and all 0 if it is
 * unknown which differ. Errors: NO_MEMORY; SELF_CHECK if the text is the same, but search columns contradict the games,
 * or are not those that the block must have. */
stamma_error stamma_block_check(const block_source *source, const buffer *head, const buffer *body, buffer *faulty,
                                bool *same);

/* ---- one block: the work of one thread (pack_job.c, unpack_job.c) ---- */

/* Size of input that contains any block and determines its end. */
enum { PACK_JOB_TEXT = BLOCK_TEXT_MAX + PARSER_NEEDS };
/* Memory of one job in bytes: the maximum measured (tests/slow/command_memory.sh, bench/archive_memory.sh), rounded up.
 * The maximum for packing is text of words and numbers only. For unpacking, where texts wait for those of others, it is
 * games of many kinds one after another, because buffers keep their largest size. */
#define PACK_JOB_MEMORY ((uint64_t)124 << 20)
/* Additional memory if both halves of the lanes of moves are coded, and decoded, in parallel. */
#define PACK_LANES_MEMORY (((uint64_t)32 << 20) + 2 * sizeof(adaptive))
/* Includes the adaptive model, because a reader does not know the levels of later blocks. */
#define UNPACK_JOB_MEMORY (((uint64_t)112 << 20) + sizeof(adaptive))
#define ARCHIVE_MEMORY_DEFAULT ((uint64_t)512 << 20)

/* Returns the limit of the memory of one block for the caller's total limit; 0 for the default limit. */
STAMMA_INLINE uint64_t block_memory_limit(uint64_t memory)
{
    memory = memory == 0 ? ARCHIVE_MEMORY_DEFAULT : memory;
    return memory < UNPACK_JOB_MEMORY ? UNPACK_JOB_MEMORY : memory;
}

/* Reads options like stamma_options_read. Also returns BAD_ARGUMENT if the allocator or the executor in them is
 * invalid; both may be NULL. */
stamma_error stamma_archive_options_read(const void *given, void *options, size_t size,
                                         const stamma_allocator *const *allocator,
                                         const stamma_executor *const *executor);
/* Returns the number of jobs that may run at once: one more than the executor's threads, limited by memory; 1 without
 * an executor. */
size_t stamma_job_count(const stamma_executor *executor, uint64_t memory, uint64_t job_memory);

/* Packing one block. The end of a block depends only on the ends of its records (3.4). These can be found in advance
 * in a tenth of the time, so that several blocks can be packed in parallel. */
typedef struct job_notice {
    stamma_archive_notice notice; /* relative to the start of the block; without its text */
    stamma_warning warning;       /* 0; otherwise a warning, of which only the place is in `notice` */
    size_t size;
    size_t found_size; /* size of the text found, which is at the beginning of `text` */
    size_t expected_size;
    char text[NOTICE_TEXT_MAX];
    char expected[STAMMA_SAN_SIZE + 2];
} job_notice;

/* Records to keep as text because the round-trip check failed. */
typedef enum pack_retry { RETRY_NONE, RETRY_MARKED, RETRY_ALL } pack_retry;

typedef struct pack_job {
    buffer text; /* text of the block, followed by more text */
    bool final;  /* the input ends with this text */
    bool notices_wanted;
    bool no_check;   /* skip the round-trip check */
    bool started;    /* passed to the executor, and not waited for yet */
    pgn_lexer lexer; /* state before the block; after packing or splitting, state after the block */
    bool continuing;
    pgn_lexer lexer_before; /* state before the block */
    bool continuing_before;
    stamma_error error;
    bool begun;     /* a part of the block was read, and the block is not complete */
    size_t used;    /* bytes of text in the block so far */
    size_t found;   /* size of the block if it was split; otherwise 0 */
    uint64_t lines; /* line ends in the block, if notices are requested */
    size_t counted; /* end of the counted part of the text */
    pack_retry retry;
    buffer faulty;     /* for each record a byte: not 0 if the round-trip check failed */
    uint64_t faults;   /* games kept as text because of this */
    buffer notices;    /* job_notice */
    buffer head, body; /* of the frame */
    uint64_t moves_bytes;
    parser parser;
    block_writer block;
    field_packer packer;
} pack_job;

void stamma_pack_job_init(pack_job *j, const stamma_allocator *allocator, bool notices_wanted);
void stamma_pack_job_release(pack_job *j);
/* Packs the first block of the text, which must have PACK_JOB_TEXT bytes or be final. `argument` is the job. */
void stamma_pack_job_run(void *argument);
/* Packs the next records of the block as far as the text contains them. The block is complete if `begun` is false
 * afterwards; the caller then removes its text. Returns the number of bytes used; 0 if no record is complete, which
 * cannot happen with PARSER_NEEDS bytes. */
size_t stamma_pack_job_take(pack_job *j);
/* Finds the end of the block without packing it; the job can then run. `finder` is a parser used only for this. */
stamma_error stamma_pack_job_split(pack_job *j, parser *finder, pgn_lexer *lexer, bool *continuing, size_t *used);
/* Returns the number of line ends in the text up to `end`. */
uint64_t stamma_pack_job_lines(const pack_job *j, size_t end);

/* ---- columns to records (block_reader.c opens blocks; record_reader.c reads records) ---- */

typedef struct block_head {
    uint64_t text_size;
    uint64_t text_check;
    uint64_t records;
    stamma_archive_counts counts; /* except bytes_out and moves_bytes */
    bool continues;
    uint64_t columns;
} block_head;

/* Reads a head up to its directory. CORRUPT. */
stamma_error stamma_block_read_head(cursor *in, block_head *head);
/* Returns the limit of the sum of the plain sizes of a block's columns (3.7). */
STAMMA_INLINE uint64_t block_columns_max(const block_head *head)
{
    return head->text_size * COLUMNS_PER_BYTE + head->records * COLUMNS_PER_RECORD + COLUMNS_MORE;
}
/* Returns the plain size of the column of checks: each group has a check, unless there is only one group (3.6). */
STAMMA_INLINE uint64_t block_checks_size(const block_head *head)
{
    return head->records > GROUP_RECORDS ? (head->records - 1) / GROUP_RECORDS * 4 + 4 : 0;
}

/* Estimates the memory in bytes for decoding a block (block_memory.c): its stored columns, their plain bytes, its text
 * and its models. The head need not be valid. */
uint64_t stamma_block_memory(cursor directory, cursor body);

/* How a damaged block is read (salvage.c). */
typedef enum salvage_mode {
    SALVAGE_NONE, /* damaged columns are errors */
    SALVAGE_TRY,  /* damaged columns are read as far as possible. Only the checks of groups show what is right */
    SALVAGE_SOUND /* columns that are damaged, or depend on damaged ones, are lost; what is read is right */
} salvage_mode;

/* What the caller wants of blocks, and what opening a block derives from that. */
typedef struct block_plan {
    unsigned parts;         /* requested parts of games, STAMMA_GAME_... */
    uint64_t memory;        /* limit: a block that needs more is refused with LIMIT; 0: no limit */
    const stop_check *stop; /* stops the work: a record being read then fails with CORRUPT; NULL: never */
    bool openings;          /* the opening of each game is found, even if no tag follows from it */
    salvage_mode salvage;
    uint32_t lost; /* SALVAGE_SOUND: a bit for each column that is lost, except tags. First those that are damaged */
    /* derived when a block is opened */
    uint32_t wanted;        /* a bit for each column that is read; that of COLUMN_ROSTERS includes tag columns */
    bool decodes_main_line; /* false: main lines are not read, or only used to find openings */
} block_plan;

/* How main lines are stored: as codes, as codes with shared beginnings (18), or predicted (15, 16). */
typedef enum moves_form { MOVES_AS_CODES, MOVES_PREFIXED, MOVES_PREDICTED } moves_form;

/* Which halves of the lanes of moves (16.2) are decoded: both; only the second, for another reader; or only the first,
 * because another reader has decoded the second (moves_ahead.c). */
typedef enum lane_choice { LANES_BOTH, LANES_SECOND, LANES_FIRST } lane_choice;

/* Main lines as codes with shared beginnings. */
typedef struct prefixed_moves {
    prefix_column column;
    prefix_reader strings; /* of records that are read */
    prefix_reader passed;  /* of records that were skipped */
} prefixed_moves;

/* The columns of the open block: bytes, positions and decoders. */
typedef struct block_columns {
    buffer plain[COLUMN_IDS];
    cursor at[COLUMN_IDS]; /* positions in these */
    byte_packer coder;
    buffer counts[LINES]; /* uint32_t for each record: moves of its main line, in variations, in comments */
    moves_form moves;     /* form of main lines, even if they are not read */
    lane_choice lanes;
    cursor ahead;                      /* with LANES_FIRST: the moves of the second half */
    predicted_column predicted[LINES]; /* predicted moves; other moves are in `plain` or `prefixed` */
    move_coder predictor;
    prefixed_moves prefixed;
    field_column *comments; /* comments that are fields, which are decoded with each record; NULL until it is used */
    bool comments_are_fields;
    comment_lines_reader lines;
    tag_reader tags;
    opening_finder openings;
    bool may_be_set_up; /* some game may not start in the initial position */
    buffer rosters;     /* cursor for each roster: the numbers of its tag columns */
    style_list styles;
} block_columns;

/* A roster whose tag columns are in ascending order. */
typedef struct sorted_roster {
    uint64_t number; /* UINT64_MAX: none */
    size_t size;
    uint16_t columns[TAG_COLUMNS_MAX];
    uint16_t places[TAG_COLUMNS_MAX]; /* position of each of these columns in the roster */
} sorted_roster;

/* The records read so far. */
typedef struct block_state {
    record record;        /* the last record */
    stamma_position end;  /* position after its main line, if that was decoded */
    size_t moves_bits;    /* size of its main line; 0 if unknown */
    unsigned opening;     /* number of its opening, if plan.openings is set; 0: none */
    uint8_t last_kind;    /* kind of the item that ended it */
    bool lost_moves;      /* SALVAGE_TRY: some of its moves do not decode */
    buffer events;        /* its events */
    buffer comment_sizes; /* uint32_t for each of its comments, if they are fields; includes the zero byte */
    buffer main_line;     /* its main line: a stamma_move for each ply, followed by a byte of SAN facts for each */
    sorted_roster roster;
    uint64_t next;        /* number of the next record in the block */
    uint64_t next_reason; /* number of the record after the last one with a stored reason */
    bool skipped;         /* some records were skipped */
    stamma_archive_counts found;
} block_state;

typedef struct block_reader {
    const stamma_allocator *allocator;
    block_plan plan;
    block_head head;
    block_columns columns;
    block_state state;
} block_reader;

void stamma_block_reader_init(block_reader *b, const stamma_allocator *allocator);
void stamma_block_reader_release(block_reader *b);
/* Selects the parts of games that are read from blocks opened later, STAMMA_GAME_...; the default is all. Columns
 * without these parts are neither checked nor decoded, and records have fewer items: without the text, those of tags
 * and of the requested parts, and moves of the main line if other items are among them. */
void stamma_block_reader_select(block_reader *b, unsigned parts);
/* Opens a block from its head and its stored columns, which must remain valid while records are read, because moves
 * are decoded from them directly. CORRUPT, UNSUPPORTED, NO_MEMORY, LIMIT. */
stamma_error stamma_block_reader_open(block_reader *b, cursor head, cursor body);
/* The same for a payload, which contains both. */
stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size);
STAMMA_INLINE bool block_reads_column(const block_reader *b, unsigned id)
{
    return b->plan.wanted >> id & 1;
}
/* Returns whether the values of tags are read. */
STAMMA_INLINE bool block_reads_tags(const block_reader *b)
{
    return block_reads_column(b, COLUMN_ROSTERS);
}
/* Returns whether the text is read: records are then complete and have all their items. */
STAMMA_INLINE bool block_reads_text(const block_reader *b)
{
    return b->plan.parts & STAMMA_GAME_TEXT;
}
/* Returns whether moves are among a record's items, because other requested items are between them. */
STAMMA_INLINE bool block_lists_moves(const block_reader *b)
{
    return b->plan.parts & (STAMMA_GAME_TEXT | STAMMA_GAME_COMMENTS | STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS |
                            STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS);
}
/* Appends the text of the last record; the text must be read. Errors: see stamma_render. */
STAMMA_INLINE stamma_error block_render(const block_reader *b, buffer *text)
{
    const record *r = &b->state.record;
    return stamma_render(r, &b->columns.styles.styles[r->style], text, NULL);
}
/* Returns the record.plies moves of the last record's main line, if main lines are decoded. */
STAMMA_INLINE const stamma_move *block_main_line(const block_reader *b)
{
    return (const stamma_move *)(const void *)b->state.main_line.data;
}
STAMMA_INLINE size_t block_roster_count(const block_reader *b)
{
    return b->columns.rosters.size / sizeof(cursor);
}
/* Returns the numbers of the tag columns of a roster. */
STAMMA_INLINE cursor block_roster(const block_reader *b, uint64_t number)
{
    return ((const cursor *)(const void *)b->columns.rosters.data)[number];
}
/* Sorts a roster into b->state.roster: the values of a record are read in the order of the columns (11.1). */
void stamma_block_sort_roster(block_reader *b, uint64_t number);
/* Returns the codes of the next record's main line, which has `count` moves; the tags before them must have been read.
 * The codes are valid until those of another record are requested. CORRUPT, NO_MEMORY. */
stamma_error stamma_block_main_line_codes(block_reader *b, uint64_t count, const uint8_t **codes);
/* Reads the next record into b->state.record; b->state.next must be below b->head.records. With `skip`, its columns are
 * skipped: moves are not decoded, and only r->continuation is set. */
stamma_error stamma_block_reader_next(block_reader *b, bool skip);
/* Returns whether records of the open block can be skipped column by column (record_pass.c). */
bool stamma_block_reader_can_pass(block_reader *b);
/* Skips `count` of the remaining records. Stores the number of games that begin in them, or, after an error, in those
 * before the error. Later records can be read as if these had been read with `skip`, except that fewer errors are
 * found. CORRUPT, NO_MEMORY. */
stamma_error stamma_block_reader_pass(block_reader *b, uint64_t count, uint64_t *games);
/* Saves or restores the position between two records of an open block whose records can be skipped, with everything
 * that the next record depends on. */
void stamma_block_reader_keep(block_reader *b, kept_state *k);
/* Returns whether the next record continues the game of the last record. */
bool stamma_block_reader_continues(const block_reader *b);
/* Sets the reason of the record, if the next stored reason belongs to it (8.2). Must not be called for further pieces
 * of a game, nor for text after the last game, which have none. */
void stamma_block_reader_take_reason(block_reader *b);
/* With SALVAGE_SOUND (salvage_plan.c): adds a tag column, which may be damaged. NO_MEMORY. */
stamma_error stamma_block_salvage_tag(block_reader *b, const column_entry *e, const uint8_t *stored);
/* Adds to b->plan.lost and to the tags that are lost what cannot be read without them. `codec`: of the main lines. */
void stamma_block_lose_dependents(block_reader *b, unsigned codec);
/* Returns whether all columns end after the last record (3.5) and the counts in the head are right (3.1). */
bool stamma_block_reader_is_done(block_reader *b);
/* Returns whether the last record ends a group (3.6). */
STAMMA_INLINE bool block_ends_group(const block_reader *b)
{
    return b->state.next % GROUP_RECORDS == 0 || b->state.next == b->head.records;
}
/* Returns whether check64 of the text of that group is right. */
bool stamma_block_reader_is_group(const block_reader *b, uint64_t check);

/* ---- from the frame of a block to its text ---- */
typedef struct block_frame {
    uint64_t offset; /* in the file */
    size_t head_size;
    uint64_t first_game; /* number of games before the block */
    size_t place;        /* in the reader's list, if there is one */
} block_frame;

/* Returns the end of a block's frame. */
STAMMA_INLINE uint64_t block_frame_end(const block_frame *f, const buffer *payload)
{
    return f->offset + FRAME_HEADER_SIZE + payload->size;
}

/* ---- the second half of the lanes of moves, read in parallel with the first (moves_ahead.c; clause 16.2) ---- */

/* Returns whether a block's moves are in lanes, for which another thread is worth its cost. The head need not be
 * valid. */
bool stamma_block_has_lanes(cursor head);

typedef struct ahead_job {
    block_reader *block; /* reader to use, in its initial state */
    cursor head, body;   /* as for stamma_block_reader_open, of a block with lanes */
    buffer moves;
    stamma_error error;
} ahead_job;

/* Reads the moves. `argument` is the job. */
void stamma_ahead_run(void *argument);
/* Returns whether the block reader has reached the second half of the lanes. The block must have lanes. */
STAMMA_INLINE bool block_turns(const block_reader *b)
{
    return b->state.next == b->columns.predicted[LINES_MAIN].second;
}
/* Passes the moves to `b`, which then has a cursor into them. After an error, `b` reads the moves itself. */
void stamma_ahead_give(const ahead_job *j, block_reader *b);
/* Begins the next record, which has `count` moves in its main line. */
void stamma_ahead_begin(block_reader *b, uint64_t count);
/* Returns the moves of that record, their SAN facts and the position after them. Returns false if they are not
 * available. */
bool stamma_ahead_take(block_reader *b, size_t count, stamma_move *moves, uint8_t *san_facts, stamma_position *end);

typedef enum unpack_work {
    UNPACK_TEXT,   /* the text, compared with the checksum of the head */
    UNPACK_CHECKS, /* only the checksums of the columns */
    UNPACK_BOTH,
    UNPACK_AHEAD /* the second half of the lanes, for the previous job */
} unpack_work;

typedef struct unpack_job {
    block_frame frame;
    buffer payload;
    unpack_work work;
    bool after_loss;             /* the previous block is lost */
    bool is_large;               /* needs more than UNPACK_JOB_MEMORY, and therefore runs by itself */
    bool halved;                 /* stops after the first half of the lanes; the next job reads the second */
    ahead_job ahead;             /* for UNPACK_AHEAD */
    const stamma_output *output; /* for UNPACK_TEXT: receives the text in pieces; NULL: the text is kept */
    stamma_error error;
    buffer text;     /* text of all records before an error, if it is kept; otherwise text not yet passed to `output` */
    size_t hashed;   /* bytes of `text` that were hashed */
    uint64_t passed; /* bytes of the block that were hashed */
    XXH64_state_t hash;
    XXH64_state_t group_hash;
    uint64_t games; /* games up to the end or the error */
    bool in_game;   /* the error is in the last of them: its record does not decode */
    buffer damaged; /* damaged_column, unless the work is UNPACK_TEXT */
    buffer search;  /* the same for search columns, which do not damage the games */
    block_reader block;
    search_columns columns; /* for UNPACK_BOTH: the search columns */
    bool differs[2];        /* whether the search columns contradict the games: signatures, facts */
} unpack_job;

void stamma_unpack_job_init(unpack_job *j, const stamma_allocator *allocator);
void stamma_unpack_job_release(unpack_job *j);
/* Checks a block's head and its stored columns, including unknown columns (3.2, 3.3). Adds damaged columns to
 * `damaged`, and damaged search columns, which are not an error, to `search`. CORRUPT, NO_MEMORY. */
stamma_error stamma_columns_check(const buffer *payload, const block_frame *place, buffer *damaged, buffer *search);
/* Runs the work on the payload. `argument` is the job. */
void stamma_unpack_job_run(void *argument);
/* Returns what is wrong with the block. */
STAMMA_INLINE stamma_damage_kind unpack_job_damage(const unpack_job *j)
{
    if (j->error == STAMMA_OK)
        return j->search.size > 0 ? STAMMA_DAMAGE_SEARCH : STAMMA_DAMAGE_NONE;
    return j->damaged.size > 0 ? STAMMA_DAMAGE_COLUMN : STAMMA_DAMAGE_CONTENT;
}
/* Splits a job: `ahead` reads the second half of the lanes for `j`. Both must then run. */
void stamma_unpack_job_halve(unpack_job *j, unpack_job *ahead);
/* Completes a split job after both have run. */
void stamma_unpack_job_join(unpack_job *j, const unpack_job *ahead);

#endif
