/* SPDX-License-Identifier: MIT */
/* The block room: the contents of one block, from columns to games and back. doc/format/archive.md and
 * doc/format/block_columns.md specify the format; the comments of this room cite their clauses by number.
 *
 *   writing:  records -> (block_writer.c, column.c) columns -> (block_check.c) decoded and compared -> head and body
 *   reading:  (block_head.c) head and directory -> (block_reader.c) columns -> (record_reader.c) records
 *
 * block_writer.h declares writing, and moves_ahead.h reading with two threads. */
#ifndef STAMMA_BLOCK_H
#define STAMMA_BLOCK_H

#include "base/base.h"
#include "block/comment_lines.h"
#include "block/predicted_moves.h"
#include "block/search_columns.h"
#include "board/board.h"
#include "codec/codec.h"
#include "container/container.h"
#include "entropy/prefix_column.h"
#include "fields/fields.h"
#include "notation/notation.h"
#include "record/record.h"
#include "tags/tags.h"

/* ---- limits of the format (clauses 3, 5.4); others are in container.h and record.h ---- */

enum { COLUMN_SIZE_MAX = 1 << 28, ROSTERS_MAX = 65536 };
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
/* Levels are presets of codecs. Moves are stored as codes with shared beginnings at level 1, predicted at level 2, and
 * predicted adaptively at level 3. Levels up to LEVEL_SEARCHED have search columns. */
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

/* ---- the head of a block (block_head.c; clause 3.1) ---- */

typedef struct block_head {
    uint64_t text_size;
    uint64_t text_check;
    uint64_t records;
    stamma_archive_counts counts; /* except archive_size and moves_bytes */
    bool continues;
    uint64_t columns;
    uint32_t group; /* records of a group */
} block_head;

/* Reads a head up to its directory, and finds the size of its groups in the directory. CORRUPT. */
stamma_error stamma_block_read_head(cursor *in, block_head *head);
/* Returns the limit of the sum of the plain sizes of a block's columns (3.7). */
STAMMA_INLINE uint64_t block_columns_max(const block_head *head)
{
    return head->text_size * COLUMNS_PER_BYTE + head->records * COLUMNS_PER_RECORD + COLUMNS_MORE;
}
/* Returns the plain size of the column of checks: each group has a check, unless there is only one group (3.6). */
STAMMA_INLINE uint64_t block_checks_size(const block_head *head)
{
    return head->records > head->group ? (head->records - 1) / head->group * 4 + 4 : 0;
}

/* Finds a column of a block whose head and sizes are valid. */
bool stamma_payload_find_column(const buffer *payload, size_t head_size, unsigned id, column_entry *entry,
                                const uint8_t **stored);
/* Returns the stored size of the moves of a block. */
uint64_t stamma_payload_moves_bytes(const buffer *payload, size_t head_size);
/* Returns the level of a block according to the codec of its moves: 2, 3, or otherwise 1; `other` if it has no
 * moves. */
int stamma_payload_level(const buffer *payload, size_t head_size, int other);

/* Estimates the memory in bytes for decoding a block (block_memory.c): its stored columns, their plain bytes, its text
 * and its models. The head need not be valid. */
uint64_t stamma_block_memory(cursor directory, cursor body);

/* ---- columns to records (block_reader.c opens blocks; record_reader.c reads records) ---- */

/* How a damaged block is read (salvage.c). */
typedef enum salvage_mode {
    SALVAGE_NONE, /* damaged columns are errors */
    SALVAGE_TRY,  /* damaged columns are read as far as possible. Only the checks of groups show which text is right */
    SALVAGE_SOUND /* damaged columns, and columns that depend on them, are lost; the other columns are right */
} salvage_mode;

/* The options of the caller for blocks, and values that opening a block derives from them. */
typedef struct block_plan {
    unsigned parts;         /* requested parts of games, STAMMA_GAME_... */
    uint64_t memory;        /* limit: a block that needs more is refused with LIMIT; 0: no limit */
    const stop_check *stop; /* stops the work: a record being read then fails with CORRUPT; NULL: never */
    bool openings;          /* the opening of each game is found, even if no tag depends on it */
    salvage_mode salvage;
    /* SALVAGE_SOUND: a bit for each lost column, except tags. The caller sets the bits of damaged columns */
    uint32_t lost;
    /* derived when a block is opened */
    uint32_t wanted;        /* a bit for each column that is read; the bit of COLUMN_ROSTERS includes tag columns */
    bool decodes_main_line; /* false: main lines are not read, or only used to find openings */
} block_plan;

/* How main lines are stored: as codes, as codes with shared beginnings (19), or predicted (16, 17). */
typedef enum moves_form { MOVES_AS_CODES, MOVES_PREFIXED, MOVES_PREDICTED } moves_form;

/* Which halves of the lanes of moves (17.2) are decoded: both; only the second, for another reader; or only the first,
 * because another reader has decoded the second (moves_ahead.c). */
typedef enum lane_choice { LANES_BOTH, LANES_SECOND, LANES_FIRST } lane_choice;

/* Main lines as codes with shared beginnings. */
typedef struct prefixed_moves {
    prefix_column column;
    prefix_reader strings;
} prefixed_moves;

/* The columns of the open block: bytes, positions and decoders. */
typedef struct block_columns {
    buffer plain[COLUMN_IDS];
    cursor at[COLUMN_IDS]; /* positions in `plain` */
    byte_packer coder;
    buffer counts[LINES]; /* uint32_t for each record: moves of its main line, in variations, in comments */
    moves_form moves;     /* form of main lines, even if they are not read */
    lane_choice lanes;
    cursor ahead;                      /* with LANES_FIRST: the moves of the second half */
    predicted_column predicted[LINES]; /* predicted moves; other moves are in `plain` or `prefixed` */
    move_coder predictor;
    prefixed_moves prefixed;
    field_column *comments; /* comments stored as fields, which are decoded with each record; NULL until first used */
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
    uint16_t places[TAG_COLUMNS_MAX]; /* position of each element of `columns` in the roster */
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
    buffer comment_sizes; /* uint32_t for each of its comments, including a zero byte, if they are stored as fields */
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
 * without these parts are neither checked nor decoded. If the text is not selected, records have only the items of tags
 * and of the requested parts, and moves of the main line if other items are between them. */
void stamma_block_reader_select(block_reader *b, unsigned parts);
/* Opens a block from its head and its stored columns, which must remain valid while records are read, because moves
 * are decoded from them directly. CORRUPT, UNSUPPORTED, NO_MEMORY, LIMIT. */
stamma_error stamma_block_reader_open(block_reader *b, cursor head, cursor body);
/* The same for a payload, which contains the head and the stored columns. */
stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size);
/* Replaces plan.stop of an open block. */
void stamma_block_reader_stop(block_reader *b, const stop_check *stop);
STAMMA_INLINE bool block_reads_column(const block_reader *b, unsigned id)
{
    return b->plan.wanted >> id & 1;
}
/* Returns whether the values of tags are read. */
STAMMA_INLINE bool block_reads_tags(const block_reader *b)
{
    return block_reads_column(b, COLUMN_ROSTERS);
}
/* Returns whether the text is read. If so, records have all their items. */
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
/* Sorts a roster into b->state.roster: the values of a record are read in the order of the columns (15.1). */
void stamma_block_sort_roster(block_reader *b, uint64_t number);
/* Returns the codes of the next record's main line, which has `count` moves. The tags before the moves must have been
 * read. The codes are valid until the codes of another record are requested. CORRUPT, NO_MEMORY. */
stamma_error stamma_block_main_line_codes(block_reader *b, uint64_t count, const uint8_t **codes);
/* Reads the next record into b->state.record; b->state.next must be below b->head.records. With `skip`, its columns are
 * skipped: moves are not decoded, and only r->continuation is set. */
stamma_error stamma_block_reader_next(block_reader *b, bool skip);
/* Returns whether the open block has main lines in lanes, and decodes them, and reading `parts` would decode them,
 * too. */
bool stamma_block_reader_needs_lanes(const block_reader *b, unsigned parts);
/* Returns whether records of the open block can be skipped column by column (record_pass.c). */
bool stamma_block_reader_can_pass(const block_reader *b);
/* Returns whether stamma_block_reader_keep can be used. If so, records can also be skipped. */
bool stamma_block_reader_can_keep(const block_reader *b);
/* Returns the number of records before `record`, from the next one on, that may be skipped if `record` is to be read;
 * the others must be read, because a lane of adaptive moves is read from its beginning. UINT64_MAX: the next record is
 * in this lane, whose beginning was skipped, so the block reader must go back to record *from or before. */
uint64_t stamma_block_reader_passable(const block_reader *b, uint64_t record, uint64_t *from);
/* Skips `count` of the remaining records. Stores the number of games that begin in them; after an error, in the records
 * before the error. Later records can be read as after stamma_block_reader_next with `skip`, but fewer errors are found
 * in the skipped records. CORRUPT, NO_MEMORY. */
stamma_error stamma_block_reader_pass(block_reader *b, uint64_t count, uint64_t *games);
/* Saves or restores the position between two records of an open block whose records can be skipped, with everything
 * that the next record depends on. */
void stamma_block_reader_keep(block_reader *b, kept_state *k);
/* Returns whether the next record continues the game of the last record. */
bool stamma_block_reader_continues(const block_reader *b);
/* Returns whether the next record is a continuation: another piece of the game, or text after the last game. If the
 * block has no next record: whether the next block begins with another piece. Uses only the events, which are one byte
 * each. */
bool stamma_block_reader_has_more(const block_reader *b);
/* Sets the reason of the record, if the next stored reason belongs to it (8.2). Must not be called for continuations of
 * a game or for text after the last game, which have no reason. */
void stamma_block_reader_take_reason(block_reader *b);
/* With SALVAGE_SOUND (lost_columns.c): adds a tag column, which may be damaged. NO_MEMORY. */
stamma_error stamma_block_salvage_tag(block_reader *b, const column_entry *e, const uint8_t *stored);
/* Adds to b->plan.lost, and to the lost tags, all columns that cannot be read without a lost column. `codec` is the
 * codec of the main lines. */
void stamma_block_lose_dependents(block_reader *b, unsigned codec);
/* Returns the columns `lost`, and all columns except tags that cannot be read without them. One bit for each id. */
uint32_t stamma_salvage_closure(uint32_t lost);
/* Returns the parts that are missing in a record with SALVAGE_SOUND: a sum of STAMMA_GAME_... values. STAMMA_GAME_TEXT
 * means that its layout is missing, or text that is not PGN. */
unsigned stamma_salvage_missing(const block_reader *b);
/* Returns whether all columns end after the last record (3.5) and the counts in the head are right (3.1). */
bool stamma_block_reader_is_done(block_reader *b);
/* Returns whether the last record ends a group (3.6). */
STAMMA_INLINE bool block_ends_group(const block_reader *b)
{
    return b->state.next % b->head.group == 0 || b->state.next == b->head.records;
}
/* Returns whether the group that the last record ends has the checksum `check`, the check64 of its text. */
bool stamma_block_reader_is_group(const block_reader *b, uint64_t check);

#endif
