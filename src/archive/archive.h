/* The archive room: games to columns and back. doc/format.md is the law; clause numbers in this room are its. Frames
 * and commits are the container's.
 *
 * One way:   bytes -> (the record room) records -> (block_writer.c, column.c) columns -> (block_check.c) read back,
 *                  compared -> (the container room) frames
 * And back:  frames -> (block_reader.c, record_reader.c) records -> (the record room) text -> (reader.c) the caller
 */
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

/* ---- limits of the format (clauses 3, 5.4); more stand in container.h and record.h ---- */

enum { GROUP_RECORDS = 64, COLUMN_SIZE_MAX = 1 << 28, ROSTERS_MAX = 65536 };
/* How large the columns of a block may be for its text and records (3.7). */
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
/* Levels are presets of codecs: 1 has codes with shared beginnings, 2 predicted moves, 3 the adaptive predictor's.
 * Those up to LEVEL_SEARCHED have search columns. */
enum { LEVEL_DEFAULT = 1, LEVEL_SEARCHED = 1, LEVEL_ADAPTIVE = 3, LEVEL_MAX = 3, LEVELS };

extern const char *const stamma_column_names[COLUMN_IDS];

/* Of those that are known, of class search. */
STAMMA_INLINE bool column_is_search(unsigned id)
{
    return id == COLUMN_SIGNATURES || id == COLUMN_FACTS;
}

/* How many texts of a column each game has: what codec 2 must know. */
typedef struct text_counts {
    const uint32_t *per_game;
    size_t games;
} text_counts;

/* Appends an entry, whose failures are the caller's to check. */
void stamma_column_write_entry(unsigned id, unsigned codec, stamma_text name, size_t plain_size, const uint8_t *stored,
                               size_t size, buffer *directory);
/* Appends a column to `body` and its entry to `directory`; `counts` is for columns that may be fields. NO_MEMORY. */
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
/* Whether a column's checksum is that of its stored bytes. */
STAMMA_INLINE bool column_is_whole(const column_entry *e, const uint8_t *stored)
{
    return XXH64(stored, (size_t)e->stored_size, 0) == e->check;
}
/* Whether it says that some game may not begin in the initial position. */
STAMMA_INLINE bool column_is_start(const column_entry *e)
{
    return e->id == COLUMN_TAG && e->name.size == 3 && memcmp(e->name.data, "FEN", 3) == 0;
}
/* What stamma_archive_column calls it. */
void stamma_column_name(const column_entry *e, char name[STAMMA_COLUMN_NAME_SIZE]);
/* Replaces `plain` by the column's bytes. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_column_read(byte_packer *coder, const column_entry *e, const uint8_t *stored, buffer *plain);
/* ---- records to columns (block_writer.c) ---- */

/* Fewer than the format allows (5.4): what is over is kept as tags outside the roster, at the same size. */
enum { WRITER_TAGS_MAX = 256, WRITER_ROSTERS_MAX = 1024 };

typedef struct block_writer {
    const stamma_allocator *allocator;
    style_search search;
    buffer columns[COLUMN_IDS];
    buffer tags[WRITER_TAGS_MAX]; /* the values of each tag column */
    size_t tag_count;
    text_table names;      /* of the tag columns, numbered from 1 */
    text_table rosters;    /* numbered from 1: numbers of tag columns, two bytes each; number 0 is the empty one */
    buffer roster;         /* the one that is looked for */
    buffer comment_counts; /* uint32_t for each record */
    buffer games;          /* game_facts for each record */
    buffer set_ups;        /* a byte for each record: whether it has a FEN tag */
    buffer entries;        /* search_entry for each record */
    bool no_search_columns;
    size_t exchanged[2]; /* tag columns that change places, so that FEN is one of the first TAG_CODED_MAX */
    size_t last_roster;
    uint64_t record_count;
    uint64_t next_reason;
    bool continues; /* the first record continues the game of the block before */
    stamma_archive_counts counts;
    XXH64_state_t hash;              /* of the text */
    XXH64_state_t group_hash;        /* of the text of the last group (3.6) */
    buffer ends;                     /* uint32_t for each record: where its text ends in that of the block */
    uint64_t steps;                  /* of the last block's table of values */
    int level;                       /* from 2 on moves are predicted, from 3 on adaptively */
    const stamma_executor *executor; /* NULL: all is done in this thread */
    predicted_writer predicted;
    comment_lines_writer lines;
    size_t first_post_game; /* tag column, in their order in the block */
} block_writer;

void stamma_block_writer_init(block_writer *w, const stamma_allocator *allocator);
void stamma_block_writer_clear(block_writer *w);
void stamma_block_writer_release(block_writer *w);
/* !*added: no style renders the record. NO_MEMORY. */
stamma_error stamma_block_writer_add(block_writer *w, parsed_record *parsed, bool *added);
/* Appends the head and the stored columns to the two buffers; adds the moves column's stored size to *moves_bytes. */
stamma_error stamma_block_writer_finish(block_writer *w, field_packer *packer, uint64_t *moves_bytes, buffer *head,
                                        buffer *body);

/* ---- the proof (block_check.c) ---- */

/* What a block was made from. */
typedef struct block_source {
    stamma_text text;
    const uint32_t *ends; /* of its records in the text */
    size_t records;
    bool begins_in_game;             /* the block before it ends within a game, */
    bool ends_in_game;               /* and so does this one (4.6) */
    const stamma_executor *executor; /* NULL: all is done in this thread */
} block_source;

/* Reads a block back from what is to be stored, as any reader does, and compares it with what it was made from. *same:
 * there is no difference. Else the bytes of *faulty, one for each record, are 1 where a record's text did not come;
 * none is where it is not known which. NO_MEMORY. */
stamma_error stamma_block_check(const block_source *source, const buffer *head, const buffer *body, buffer *faulty,
                                bool *same);

/* ---- a block at a time: what one thread does by itself (pack_job.c, unpack_job.c) ---- */

/* Enough of the input for any block and for seeing where it ends. */
enum { PACK_JOB_TEXT = BLOCK_TEXT_MAX + PARSER_NEEDS };
/* Memory that one job takes, in bytes: the most that was seen (tests/command_memory.sh, bench/archive_memory.sh), and a
 * little more. Worst are, for packing, comments of words and numbers alone, and for unpacking, whose texts wait for
 * those of other threads, games of many kinds one after another: buffers stay as large as they once were. */
#define PACK_JOB_MEMORY ((uint64_t)124 << 20)
/* What it takes more where both lanes of its moves are coded at once, and read back. */
#define PACK_LANES_MEMORY (((uint64_t)32 << 20) + 2 * sizeof(adaptive))
/* A reader does not know of what levels it will meet blocks. */
#define UNPACK_JOB_MEMORY (((uint64_t)112 << 20) + sizeof(adaptive))
#define ARCHIVE_MEMORY_DEFAULT ((uint64_t)512 << 20)

/* The limit of the memory of one block, for a caller's limit of all, 0 for the default. */
STAMMA_INLINE uint64_t block_memory_limit(uint64_t memory)
{
    memory = memory == 0 ? ARCHIVE_MEMORY_DEFAULT : memory;
    return memory < UNPACK_JOB_MEMORY ? UNPACK_JOB_MEMORY : memory;
}

/* Options as stamma_options_read gives them; BAD_ARGUMENT too where the allocator or the executor in them, which may be
 * NULL, cannot be used. */
stamma_error stamma_archive_options_read(const void *given, void *options, size_t size,
                                         const stamma_allocator *const *allocator,
                                         const stamma_executor *const *executor);
/* How many jobs may be under way at once, 1 for no executor: one more than its threads, as far as the memory goes. */
size_t stamma_job_count(const stamma_executor *executor, uint64_t memory, uint64_t job_memory);

/* From text to a block's frame. Where a block ends depends on the ends of records alone (3.4): they can be found ahead,
 * in a tenth of the time, so that many blocks can be packed at once. */
typedef struct job_notice {
    stamma_archive_notice notice; /* counted from the block's start; without its text */
    size_t size;
    size_t found_size; /* of its first bytes */
    size_t expected_size;
    char text[NOTICE_TEXT_MAX];
    char expected[STAMMA_SAN_SIZE + 2];
} job_notice;

/* Which records are kept as text, because a check showed that a reader would not get theirs. */
typedef enum pack_retry { RETRY_NONE, RETRY_MARKED, RETRY_ALL } pack_retry;

typedef struct pack_job {
    buffer text; /* of the block, and more behind it */
    bool final;  /* the input ends with it */
    bool notices_wanted;
    bool no_check;   /* do not read the block back */
    bool started;    /* given to the executor, and not waited for */
    pgn_lexer lexer; /* before the block; once it is packed or split off, behind it */
    bool continuing;
    pgn_lexer lexer_before; /* the same, before the block */
    bool continuing_before;
    stamma_error error;
    bool begun;     /* some of the block was taken, and it is not done */
    size_t used;    /* bytes of text in the block, so far */
    uint64_t lines; /* line ends in it, where notices are wanted */
    size_t counted; /* where in the text they are counted to */
    pack_retry retry;
    buffer faulty;     /* a byte for each record: not 0 where a reader would not get its text */
    uint64_t faults;   /* games that were kept as text for that */
    buffer notices;    /* job_notice */
    buffer head, body; /* of the frame */
    uint64_t moves_bytes;
    parser parser;
    block_writer block;
    field_packer packer;
} pack_job;

void stamma_pack_job_init(pack_job *j, const stamma_allocator *allocator, bool notices_wanted);
void stamma_pack_job_release(pack_job *j);
/* Packs the first block of the text, which must be PACK_JOB_TEXT bytes or final. `argument` is the job. */
void stamma_pack_job_run(void *argument);
/* Packs those of the block's records that the text holds behind what was taken before, be it ever so short: the block
 * is done where the job is not `begun` then, and the caller removes its text. Gives the bytes taken; 0 where no record
 * is whole, which PARSER_NEEDS bytes always hold. */
size_t stamma_pack_job_take(pack_job *j);
/* Only finds where that block ends; the job can be run then. `finder` is a parser for this alone. */
stamma_error stamma_pack_job_split(pack_job *j, parser *finder, pgn_lexer *lexer, bool *continuing, size_t *used);
/* Line ends in the text up to `end`. */
uint64_t stamma_pack_job_lines(const pack_job *j, size_t end);

/* ---- columns to records (block_reader.c: opening them; record_reader.c: record by record) ---- */

typedef struct block_head {
    uint64_t text_size;
    uint64_t text_check;
    uint64_t records;
    stamma_archive_counts counts; /* but bytes_out and moves_bytes */
    bool continues;
    uint64_t columns;
} block_head;

/* Reads a head up to its directory. CORRUPT. */
stamma_error stamma_block_read_head(cursor *in, block_head *head);
/* The largest sum of the plain sizes of a block's columns (3.7). */
STAMMA_INLINE uint64_t block_columns_max(const block_head *head)
{
    return head->text_size * COLUMNS_PER_BYTE + head->records * COLUMNS_PER_RECORD + COLUMNS_MORE;
}

/* Estimates the memory that decoding a block needs, in bytes (block_memory.c): its stored columns, what they decode to,
 * its text and its models. The head need not be valid. */
uint64_t stamma_block_memory(cursor directory, cursor body);

typedef struct block_reader {
    const stamma_allocator *allocator;
    uint64_t memory; /* the caller's: a block that needs more is refused with LIMIT; 0: no limit */
    const stop_check *stop; /* the caller's: a record that is being read then fails as CORRUPT; NULL: none */
    byte_packer coder;
    unsigned parts;         /* of games that are wanted: STAMMA_GAME_... */
    bool full;              /* with their text: then records are whole, and their items all there are */
    bool values;            /* values of tag columns are read, */
    bool main_lines;        /* main lines decoded, */
    bool variations;        /* and variations, */
    bool variations_wanted; /* for themselves; */
    bool lines;             /* and lines in comments; */
    bool movetext;          /* moves stand among the items, for what is kept between them */
    uint32_t wanted;        /* a bit for each column that is read */
    block_head head;
    buffer columns[COLUMN_IDS];
    field_column *comments; /* where they are fields: read with each record */
    bool comments_are_fields;
    comment_lines_reader comment_lines;
    buffer events;        /* of the record being read: event each */
    buffer comment_sizes; /* of the record's then: uint32_t each, with the zero byte */
    buffer main_line; /* of the record being read: stamma_move for each ply, then the SAN facts of each in one byte */
    cursor at[COLUMN_IDS];
    predicted_column predicted[LINES]; /* where moves are predicted: others' codes stand in the columns */
    move_coder predictor;
    bool ahead_only; /* only main lines of the second lane are read (moves_ahead.c), */
    bool has_ahead;  /* or were, and stand here */
    cursor ahead;
    bool moves_predicted; /* those of main lines, whether they are read or not */
    size_t moves_bits;    /* what the last record's main line takes; 0 where that is not known */
    bool starts;          /* there is a column of FEN tags */
    bool moves_prefixed;  /* those of main lines are codes with shared beginnings (18): */
    prefix_column prefixes;
    prefix_reader strings;
    prefix_reader passed_strings; /* of records that were passed */
    stamma_position end;          /* of its main line, where that has moves and is decoded */
    buffer counts[LINES]; /* uint32_t for each record then: moves of its main line, in variations, in comments */
    tag_reader tags;
    opening_finder openings;
    cursor *rosters; /* where the tag numbers of each roster stand in the roster list */
    size_t roster_count;
    size_t roster_capacity;
    uint64_t roster; /* the one that these are of, or UINT64_MAX: its columns, ascending, and where each stands in it */
    size_t roster_size;
    uint16_t roster_columns[TAG_COLUMNS_MAX];
    uint16_t roster_places[TAG_COLUMNS_MAX];
    style_list styles;
    record record;     /* the last one read */
    uint8_t last_kind; /* of the item that ended it */
    uint64_t next;     /* number of the next record in the block */
    uint64_t next_reason;
    bool skipped; /* some of them were */
    stamma_archive_counts found;
} block_reader;

void stamma_block_reader_init(block_reader *b, const stamma_allocator *allocator);
void stamma_block_reader_release(block_reader *b);
/* What is wanted of the games of blocks that are opened from now on, STAMMA_GAME_...: all of it where this is not
 * called. Columns that hold nothing of it are neither checked nor unpacked, and records have fewer items: without the
 * text those of tags, and of what else is wanted; moves of the main line where anything is that stands among them. */
void stamma_block_reader_select(block_reader *b, unsigned parts);
/* Opens a block's head and its stored columns, which must stay while records are read: moves are read where they stand.
 * CORRUPT, UNSUPPORTED, NO_MEMORY, LIMIT. */
stamma_error stamma_block_reader_open(block_reader *b, cursor head, cursor body);
/* The same of a payload, which is both. */
stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size);
STAMMA_INLINE bool block_reads_column(const block_reader *b, unsigned id)
{
    return b->wanted >> id & 1;
}
/* The moves of the last record's main line, record.plies of them, where main lines are decoded. */
STAMMA_INLINE const stamma_move *block_main_line(const block_reader *b)
{
    return (const stamma_move *)(const void *)b->main_line.data;
}
/* Makes a roster that of b->roster_columns: a record's values are read in the order of the columns (11.1). */
void stamma_block_sort_roster(block_reader *b, uint64_t number);
/* The codes of the next record's main line, which has `count` moves; its tags before them are read. They stay until
 * those of another are asked for. CORRUPT, NO_MEMORY. */
stamma_error stamma_block_main_line_codes(block_reader *b, uint64_t count, const uint8_t **codes);
/* Reads the next record into b->record; b->next must be below b->head.records. With `skip` only the columns are passed:
 * moves are not decoded, and the record holds nothing but r->continuation. */
stamma_error stamma_block_reader_next(block_reader *b, bool skip);
/* Whether records of the block that is open can be passed column by column (record_pass.c), */
bool stamma_block_reader_can_pass(block_reader *b);
/* and passes so many of those that are left. Gives the games that begin in them; after an error, in those that were
 * passed before it. Another record can be read then as if all had been read with `skip`, but that less is found
 * corrupt. CORRUPT, NO_MEMORY. */
stamma_error stamma_block_reader_pass(block_reader *b, uint64_t count, uint64_t *games);
/* Keeps which record is the next one, and all that it depends on, or goes back to it; between records, while the block
 * is open, and where its records can be passed. */
void stamma_block_reader_keep(block_reader *b, kept_state *k);
/* Whether the next record continues the game of the last one. */
bool stamma_block_reader_continues(const block_reader *b);
/* Gives the record its reason, if the next one that is stored is its own (8.2). Of pieces after the first and of text
 * behind the last game none is: not to be called for these. */
void stamma_block_reader_take_reason(block_reader *b);
/* Whether all columns are used up after the last record (3.5), and the head counts what was read (3.1). */
bool stamma_block_reader_is_done(block_reader *b);
/* Whether the last record read ends a group (3.6), */
STAMMA_INLINE bool block_ends_group(const block_reader *b)
{
    return b->next % GROUP_RECORDS == 0 || b->next == b->head.records;
}
/* and whether the text of that group, which has this check64, is what was packed. */
bool stamma_block_reader_is_group(const block_reader *b, uint64_t check);

/* From a block's frame to its text. */
typedef struct block_frame {
    uint64_t offset; /* in the file */
    size_t head_size;
    uint64_t first_game; /* how many stand before it */
    size_t place;        /* in the reader's list, where there is one */
} block_frame;

/* Where a block's frame ends. */
STAMMA_INLINE uint64_t block_frame_end(const block_frame *f, const buffer *payload)
{
    return f->offset + FRAME_HEADER_SIZE + payload->size;
}

/* ---- the second lane of moves, read while the first is (moves_ahead.c; clause 16.2) ---- */

/* Whether a block's moves stand in two lanes, which pay for a thread more. Its head need not be right. */
bool stamma_block_has_lanes(cursor head);

typedef struct ahead_job {
    block_reader *block; /* to read with: it is as it was at first then */
    cursor head, body;   /* as stamma_block_reader_open takes them */
    buffer moves;
    stamma_error error;
} ahead_job;

/* Reads the moves. `argument` is the job. */
void stamma_ahead_run(void *argument);
/* Whether the first lane is over, in the block that `b` reads. */
STAMMA_INLINE bool block_turns(const block_reader *b)
{
    return b->predicted[LINES_MAIN].adaptive && b->next == b->predicted[LINES_MAIN].second;
}
/* Gives the moves to `b` there, which keeps a cursor into them; if there was an error, it reads them itself. */
void stamma_ahead_give(const ahead_job *j, block_reader *b);
/* Begins the next record, which has `count` moves in its main line. */
void stamma_ahead_begin(block_reader *b, uint64_t count);
/* Takes its moves, their SAN facts and the position behind them; false where they are not there. */
bool stamma_ahead_take(block_reader *b, size_t count, stamma_move *moves, uint8_t *san_facts, stamma_position *end);

typedef enum unpack_work {
    UNPACK_TEXT,   /* the text, checked against the head */
    UNPACK_CHECKS, /* only the columns' checksums */
    UNPACK_BOTH,
    UNPACK_AHEAD /* the second lane, for the job before */
} unpack_work;

typedef struct unpack_job {
    block_frame frame;
    buffer payload;
    unpack_work work;
    bool after_loss;             /* the block before it is not to be had */
    bool is_large;               /* it needs more than UNPACK_JOB_MEMORY, and so runs by itself */
    bool halved;                 /* it stops behind the first lane; the job behind it reads the second one */
    ahead_job ahead;             /* UNPACK_AHEAD */
    const stamma_output *output; /* UNPACK_TEXT: takes the text as it comes; NULL: it is kept */
    stamma_error error;
    buffer text;     /* of all records before an error, where it is kept; else what is not yet passed on */
    size_t hashed;   /* bytes of it */
    uint64_t passed; /* bytes of the block that were hashed */
    XXH64_state_t hash;
    XXH64_state_t group_hash;
    uint64_t games; /* up to the end, or to where the error is */
    bool in_game;   /* the error is in the last of them: its record does not decode */
    buffer damaged; /* damaged_column, unless the work is UNPACK_TEXT */
    buffer search;  /* the same of search columns, without which the block is whole */
    block_reader block;
    search_columns columns; /* UNPACK_BOTH: what they say ... */
    bool differs[2];        /* ... and whether that is not what the games say: signatures, facts */
} unpack_job;

void stamma_unpack_job_init(unpack_job *j, const stamma_allocator *allocator);
void stamma_unpack_job_release(unpack_job *j);
/* Sees whether a block's head and its stored columns are whole, those too that this version does not know (3.2, 3.3),
 * and adds those that are not to `damaged`; those of class search to `search`, which are no error. CORRUPT, NO_MEMORY.
 */
stamma_error stamma_columns_check(const buffer *payload, const block_frame *place, buffer *damaged, buffer *search);
/* Does the work on the payload. `argument` is the job. */
void stamma_unpack_job_run(void *argument);
/* What was found wrong with the block. */
STAMMA_INLINE stamma_damage_kind unpack_job_damage(const unpack_job *j)
{
    if (j->error == STAMMA_OK)
        return j->search.size > 0 ? STAMMA_DAMAGE_SEARCH : STAMMA_DAMAGE_NONE;
    return j->damaged.size > 0 ? STAMMA_DAMAGE_COLUMN : STAMMA_DAMAGE_CONTENT;
}
/* Makes `ahead` the job that reads the second lane for `j`; both are to be run then. */
void stamma_unpack_job_halve(unpack_job *j, unpack_job *ahead);
/* Goes on with a halved job, when both were run. */
void stamma_unpack_job_join(unpack_job *j, const unpack_job *ahead);

#endif
