/* The archive room: games to columns and back. doc/format.md is the law; clause numbers in this room are its.
 *
 * One way:   bytes -> (parse.c) record -> (layout.c) style and exceptions -> (render.c) text, compared
 *                  -> (block_writer.c) columns -> (column.c, frame.c) frames -> (frame_writer.c) commits
 * And back:  frames -> (block_reader.c, record_reader.c) records -> (render.c) text -> (reader.c) the caller
 */
#ifndef STAMMA_ARCHIVE_H
#define STAMMA_ARCHIVE_H

#define XXH_STATIC_LINKING_ONLY /* for the states' sizes: they stand in our own structs */
#include <xxhash.h>

#include "archive/frames.h"
#include "base/base.h"
#include "board/board.h"
#include "codec/codec.h"
#include "fields/fields.h"
#include "notation/notation.h"
#include "tags/tags.h"

/* ---- limits of the format (clauses 3, 4.6, 4.7, 5.4); more stand in frames.h ---- */

enum {
    BLOCK_RECORDS_MAX = 65536,
    BLOCK_TEXT_MAX = 1 << 24,
    PIECE_TEXT_MAX = 1 << 22,
    PIECE_TOKENS_MAX = (1 << 18) - 1, /* each an item at most */
    PIECE_ITEMS_MAX = PIECE_TOKENS_MAX + 1,
    COLUMN_SIZE_MAX = 1 << 28,
    VARIATION_DEPTH_MAX = 255,
    ROSTERS_MAX = 65536
};

/* ---- records: one game, or one piece of it, in memory (clause 4) ---- */

/* Kinds of items. Up to ITEM_ODD_TAG the numbers are those of events in the file (4.4) and of contexts (6.2). */
typedef enum item_kind {
    ITEM_END_OF_INPUT = 0,
    ITEM_END = 1,
    ITEM_END_OF_PIECE = 2,
    ITEM_RESULT = 3,
    ITEM_COMMENT = 4,
    ITEM_LINE_COMMENT = 5,
    ITEM_ESCAPE = 6,
    ITEM_NAG = 7,
    ITEM_SUFFIX = 8,
    ITEM_VARIATION_BEGIN = 9,
    ITEM_VARIATION_END = 10,
    ITEM_TEXT = 11,
    ITEM_TAG = 12,
    ITEM_END_NO_GAME = 13, /* the input ends, and the record is text behind the last game */
    ITEM_MOVE = 14,
    ITEM_MOVE_BLACK = 15 /* only in contexts: a move of Black behind a gap */
} item_kind;

typedef struct item {
    uint8_t kind;      /* item_kind */
    uint8_t number;    /* NAG; suffix 1..6; result 0..3; the code of a move */
    uint8_t depth;     /* 0: main line */
    uint8_t signs;     /* ITEM_MOVE: what its notation says beyond its squares (board.h) */
    stamma_move move;  /* ITEM_MOVE */
    bool odd;          /* written in another spelling than the canonical one (4.3); moves: not known yet */
    bool strict;       /* ITEM_MOVE: known to be written as SAN is by the standard; the writer's side only */
    uint8_t side;      /* stamma_color to move behind the gap before this item */
    uint16_t fullmove; /* number of the move to be played next there */
    stamma_text text;  /* inner text: comment, tag value, text item; owned elsewhere */
    stamma_text name;  /* tag name */
    uint32_t begin;    /* offsets of the item as written; the writer's side only */
    uint32_t end;
} item;

/* What stands in place of a gap or a spelling (4.5). */
typedef struct exception {
    uint32_t slot;
    stamma_text text;
} exception;

typedef struct record {
    item *items;
    size_t item_count;
    size_t item_capacity;
    size_t roster_count; /* the first items are tags of the roster */
    exception *exceptions;
    size_t exception_count;
    size_t exception_capacity;
    uint32_t style;
    stamma_position start;
    stamma_position end; /* of the main line; the writer's side only */
    uint32_t plies;      /* typed moves of the main line */
    uint32_t variation_plies;
    uint32_t text_items;
    uint64_t text_bytes; /* in them */
    stamma_text text;    /* as written; the writer's side only */
    bool continuation;   /* a piece after the first */
    stamma_archive_reason reason;
    uint32_t reason_offset;
} record;

/* Makes room for more items than there is room for. */
bool stamma_record_grow(record *r, size_t items, const stamma_allocator *allocator);
/* Makes room for so many more items. */
STAMMA_INLINE bool record_reserve(record *r, size_t items, const stamma_allocator *allocator)
{
    return STAMMA_LIKELY(r->item_capacity - r->item_count >= items) || stamma_record_grow(r, items, allocator);
}
/* Adds an item of zeros; NULL when there is no memory. */
STAMMA_INLINE item *record_add(record *r, const stamma_allocator *allocator)
{
    if (!record_reserve(r, 1, allocator))
        return NULL;
    item *added = &r->items[r->item_count++];
    *added = (item){0};
    return added;
}
bool stamma_record_except(record *r, uint32_t slot, stamma_text text, const stamma_allocator *allocator);
void stamma_record_clear(record *r);
void stamma_record_release(record *r, const stamma_allocator *allocator);
/* The value of the first tag of that name, or {NULL, 0}. */
stamma_text stamma_record_tag(const record *r, const char *name);
bool stamma_record_is_set_up(const record *r);
STAMMA_INLINE item_kind record_end(const record *r)
{
    return (item_kind)r->items[r->item_count - 1].kind;
}
/* Adds a whole record to all counts of a block's head but that of the bytes (3.1, 8.1). */
void stamma_record_count(const record *r, stamma_archive_counts *counts);

/* ---- events (events.c; clause 4.4) ---- */

enum { EVENT_REPEAT = 14 }; /* the event before, so many times again: in files alone */

typedef struct event {
    unsigned kind;  /* item_kind; ITEM_TAG where there is none yet */
    uint64_t moves; /* before it */
    uint64_t times; /* that it comes in a row */
} event;

STAMMA_INLINE bool event_ends_record(unsigned kind)
{
    return kind <= ITEM_END_OF_PIECE || kind == ITEM_END_NO_GAME;
}
STAMMA_INLINE bool event_is_comment(unsigned kind)
{
    return kind - ITEM_COMMENT <= (unsigned)(ITEM_ESCAPE - ITEM_COMMENT);
}
/* Whether an event may be repeated. */
STAMMA_INLINE bool event_repeats(unsigned kind)
{
    return kind >= ITEM_COMMENT && kind <= ITEM_SUFFIX;
}

/* Replaces the last event of a record by the next, or by itself so many times more. False where that is corrupt. */
bool stamma_event_take(cursor *events, cursor *counts, event *last);
/* Adds an event behind *last, which begins as {ITEM_TAG, 0, 0}; the last of a record must end it. */
void stamma_event_add(event *last, unsigned kind, uint64_t moves, buffer *events, buffer *counts);

typedef struct event_summary {
    uint64_t main_count; /* moves of the main line */
    size_t comments;     /* of all kinds */
    bool branches;       /* there are variations */
} event_summary;

/* What the events of a record say, up to where they are corrupt. */
event_summary stamma_events_look_ahead(cursor events, cursor counts);

/* ---- styles (clause 6) ---- */

enum { LINE_END_LF, LINE_END_CRLF, LINE_END_CR };
enum { WRAP_NONE, WRAP_FIT, WRAP_THRESHOLD };
enum { BREAK_NONE, BREAK_ALL, BREAK_FIRST, BREAK_WHITE, BREAK_NOT_RESULT, BREAK_MOVES };
enum {
    SPELL_NO_CHECK = 1,
    SPELL_NO_MATE = 2,
    SPELL_MATE_PLUS = 4,
    SPELL_MATE_PLUS_PLUS = 8,
    SPELL_CASTLE_ZERO = 16,
    SPELL_NO_EQUALS = 32,
    SPELL_KNOWN = 63
};
enum { TEMPLATE_NUMBER = 1, TEMPLATE_LINE_END = 2, TEMPLATE_SIZE_MAX = 30, STYLES_MAX = 4096, CONTEXTS = 256 };

typedef struct gap_template {
    bool set;
    uint8_t size;
    uint8_t plain_from; /* from here on all bytes stand for themselves, but for one number */
    uint8_t number_at;  /* where that stands, else the size */
    uint32_t breaks;    /* bit n: byte n is a blank that may become a line end (6.4) */
    uint8_t bytes[TEMPLATE_SIZE_MAX + COPY_STEP];
} gap_template;

typedef struct style {
    uint8_t line_end;
    uint8_t wrap;
    uint8_t breakable;
    bool comment_words;
    uint8_t spelling;
    uint32_t limit_low;  /* T may be anything from here ... */
    uint32_t limit_high; /* ... to here; the file holds one number */
    gap_template templates[CONTEXTS];
} style;

typedef struct style_list {
    style *styles;
    size_t count;
    size_t capacity;
} style_list;

extern const stamma_text stamma_line_ends[3];

STAMMA_INLINE bool gap_in_movetext(unsigned before, unsigned after)
{
    return before != 0 && before != ITEM_TAG && after > ITEM_END && after != ITEM_TAG && after != ITEM_END_NO_GAME;
}
/* Whether the blank that is the `index`-th of its gap may become a line end (6.4). */
STAMMA_INLINE bool gap_blank_breaks(const style *s, unsigned before, unsigned after, unsigned index)
{
    if (s->wrap == WRAP_NONE || !gap_in_movetext(before, after))
        return false;
    switch (s->breakable) {
    case BREAK_ALL: return true;
    case BREAK_FIRST: return index == 0;
    case BREAK_WHITE: return index == 0 && after == ITEM_MOVE;
    case BREAK_NOT_RESULT: return index == 0 && after != ITEM_RESULT;
    case BREAK_MOVES: return index == 0 && (after >= ITEM_MOVE || after == ITEM_RESULT);
    default: return false;
    }
}
/* The class of an item before a gap, and after one (6.2). */
STAMMA_INLINE unsigned item_class_before(const record *r, size_t index)
{
    return index == 0 ? 0 : r->items[index - 1].kind;
}
STAMMA_INLINE unsigned item_class_after(const item *it)
{
    return it->kind + (unsigned)(it->kind == ITEM_MOVE && it->side == STAMMA_BLACK); /* ITEM_MOVE_BLACK */
}

/* Finds in a template whose bytes were set what is to be done with them; `context` is its place in s->templates. */
void stamma_style_prepare(style *s, unsigned context);
bool stamma_styles_add(style_list *list, const stamma_allocator *allocator, style **added);
void stamma_styles_release(style_list *list, const stamma_allocator *allocator);
void stamma_styles_write(const style_list *list, buffer *out);
/* CORRUPT or NO_MEMORY. */
stamma_error stamma_styles_read(cursor *in, style_list *list, const stamma_allocator *allocator);

/* ---- text to record (parse.c) ---- */

/* A token of more bytes cuts the game into pieces (4.6). */
enum { PARSER_TOKEN_MAX = 1 << 20 };

typedef struct parser {
    const stamma_allocator *allocator;
    pgn_lexer lexer;
    const uint8_t *data; /* what was fed */
    size_t size;
    size_t start; /* of the next record */
    size_t end;   /* of the record that was found */
    bool final;
    bool continuing; /* inside a game that was cut */
    bool only_ends;  /* find where records end, and nothing in them: they have the same ends */
    stamma_error error;
    record record;
    game_line first; /* as it stands before the first move of most games */
    game_line line;  /* that is being read */
    stamma_position stack[VARIATION_DEPTH_MAX]
                         [2]; /* of the lines around it: where they stand, and before their last move */
    unsigned depth;
    bool movetext;
    bool in_text;
    size_t text_begin;
    unsigned text_nesting; /* variations open since the text began */
    size_t last_end;       /* of the last token */
} parser;

void stamma_parser_init(parser *p, const stamma_allocator *allocator);
void stamma_parser_release(parser *p);
/* Gives bytes: what was not used up before, and more behind it. `final`: the input ends with them. Less than
 * PARSER_NEEDS bytes that are not final may give no record. */
enum { PARSER_NEEDS = PIECE_TEXT_MAX + PARSER_TOKEN_MAX + 64 };
void stamma_parser_feed(parser *p, const uint8_t *data, size_t size, bool final);
/* Finds the next record, which stays valid until the next call and ends at p->start; !*found: more bytes are needed,
 * from p->start on, or the input is used up. */
stamma_error stamma_parser_next(parser *p, bool *found);
/* Makes the record that was found one item of text. */
stamma_error stamma_parser_retype(parser *p, stamma_archive_reason reason);
/* The position that a record's moves begin from (4.7). SYNTAX or ILLEGAL where its FEN tag gives none. */
stamma_error stamma_record_start(const record *r, stamma_position *start);
/* Sets the side to move and the move number of all items, which stand before the first move, from r->start. */
void stamma_record_number_items(record *r);

/* ---- layout (layout.c): finds the style that renders a record as it is written ---- */

/* Styles of a block, and room to try them. A new block begins with none. */
enum { LAYOUT_STYLES = 256, LAYOUT_TRIES = 64 };

typedef struct layout {
    const stamma_allocator *allocator;
    style_list styles;
    uint32_t recent[LAYOUT_STYLES]; /* numbers of styles, the last used first */
    style made;
    buffer text;  /* the record as rendered */
    buffer words; /* comments with their line breaks undone */
    bool out_of_memory;
} layout;

void stamma_layout_init(layout *l, const stamma_allocator *allocator);
void stamma_layout_clear(layout *l);
void stamma_layout_release(layout *l);
/* Sets r->style and r->exceptions so that rendering gives r->text, which is checked by rendering; adds a style where
 * that is better than exceptions. Texts of comments may be set to l->words, until the next call. NO_MEMORY, or
 * UNSUPPORTED when the text must be kept as a whole. */
stamma_error stamma_layout_find(layout *l, record *r);

/* ---- record to text (render.c) ---- */

/* Limits of the wrap rule, T of 6.1, from `low` to `high`. */
typedef struct limit_range {
    size_t low;
    size_t high;
} limit_range;

/* How much more room than it needs rendering likes to have behind the text. */
enum { RENDER_SLACK = 1024 };

/* Appends the record's text to `out`. Every limit in *range, which may be NULL, gives the same text. NO_MEMORY, or
 * CORRUPT when a template is missing, an exception is for no slot, or the text gets too long (4.6). */
stamma_error stamma_render(const record *r, const style *s, buffer *out, limit_range *range);

/* Whether a record without exceptions stands in its text as `s`, which does not wrap, renders it: the same answer as
 * rendering and comparing gives, without a copy. */
bool stamma_stands_as_rendered(const record *r, const style *s);

/* How a style spells moves that give check, castle or promote; spell_move calls it for these. */
size_t stamma_spell_specially(stamma_move move, unsigned signs, unsigned spelling, char *out);
/* SAN as a style spells it (6.5); at most 8 bytes, not terminated. `out` must have room for STAMMA_SAN_SIZE + 2. */
STAMMA_INLINE size_t spell_move(stamma_move move, unsigned signs, unsigned spelling, char *out)
{
    if (STAMMA_LIKELY(spelling == 0))
        return stamma_san_spell(move, signs, out);
    bool special = stamma_move_is_castling(move) || stamma_move_is_promotion(move) || signs & SIGN_CHECK;
    if (!special)
        return stamma_san_spell(move, signs, out);
    return stamma_spell_specially(move, signs, spelling, out);
}
/* A number up to 65,535 in decimal; at most 5 bytes. */
size_t stamma_spell_number(unsigned number, char *out);
/* The same, quicker where it is small. */
STAMMA_INLINE size_t spell_number(unsigned number, char *out)
{
    if (STAMMA_UNLIKELY(number >= 100))
        return stamma_spell_number(number, out);
    unsigned tens = number * 205 >> 11; /* number / 10, up to 68 x 10 */
    out[0] = (char)('0' + tens);
    out[tens > 0] = (char)('0' + number - 10 * tens);
    return 1 + (tens > 0);
}

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
    COLUMN_ODD_TAGS,
    COLUMN_REASONS,
    COLUMN_EVENT_COUNTS,
    COLUMN_IDS,
    COLUMN_TAG = 64
};
enum { ENTRY_MANDATORY = 1 };

extern const char *const stamma_column_names[COLUMN_IDS];

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
/* What stamma_archive_column calls it. */
void stamma_column_name(const column_entry *e, char name[STAMMA_COLUMN_NAME_SIZE]);
/* Replaces `plain` by the column's bytes. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_column_read(byte_packer *coder, const column_entry *e, const uint8_t *stored, buffer *plain);
/* ---- records to columns (block_writer.c) ---- */

/* Fewer than the format allows (5.4): what is over is kept as tags outside the roster, at the same size. */
enum { WRITER_TAGS_MAX = 256, WRITER_ROSTERS_MAX = 1024 };

typedef struct tag_values {
    buffer values;
    size_t name_offset; /* in block_writer.names */
    size_t name_size;
} tag_values;

typedef struct roster {
    size_t offset; /* in block_writer.rosters: numbers of tag columns, two bytes each */
    size_t count;
} roster;

typedef struct block_writer {
    const stamma_allocator *allocator;
    layout layout;
    buffer columns[COLUMN_IDS];
    tag_values tags[WRITER_TAGS_MAX];
    size_t tag_count;
    buffer names;
    roster roster_list[WRITER_ROSTERS_MAX];
    size_t roster_count;
    buffer rosters;
    buffer comment_counts; /* uint32_t for each record */
    buffer games;          /* game_facts for each record */
    size_t last_roster;
    uint64_t record_count;
    uint64_t next_reason;
    bool continues; /* the first record continues the game of the block before */
    stamma_archive_counts counts;
    XXH64_state_t hash; /* of the text */
} block_writer;

void stamma_block_writer_init(block_writer *w, const stamma_allocator *allocator);
void stamma_block_writer_clear(block_writer *w);
void stamma_block_writer_release(block_writer *w);
/* NO_MEMORY; UNSUPPORTED, with nothing added, when no layout renders the record. */
stamma_error stamma_block_writer_add(block_writer *w, record *r);
/* Appends the head and the stored columns to the two buffers; adds the moves column's stored size to *moves_bytes. */
stamma_error stamma_block_writer_finish(block_writer *w, field_packer *packer, uint64_t *moves_bytes, buffer *head,
                                        buffer *body);

/* ---- a block at a time: what one thread does by itself (pack_job.c, unpack_job.c) ---- */

/* Enough of the input for any block and for seeing where it ends. */
enum { PACK_JOB_TEXT = BLOCK_TEXT_MAX + PARSER_NEEDS };
/* Memory that one job takes, in bytes: the most that was seen (tests/command_memory.sh, bench/archive_memory.sh), and a
 * little more. Worst are, for packing, comments of words and numbers alone, and for unpacking, whose texts wait for
 * those of other threads, games of many kinds one after another: buffers stay as large as they once were. */
#define PACK_JOB_MEMORY ((uint64_t)124 << 20)
#define UNPACK_JOB_MEMORY ((uint64_t)112 << 20)
#define ARCHIVE_MEMORY_DEFAULT ((uint64_t)512 << 20)

/* How many jobs may be under way at once, 1 for no executor: one more than its threads, as far as the memory goes. */
size_t stamma_job_count(const stamma_executor *executor, uint64_t memory, uint64_t job_memory);

/* From text to a block's frame. Where a block ends depends on the ends of records alone (3.4): they can be found ahead,
 * in a tenth of the time, so that many blocks can be packed at once. */
typedef struct job_notice {
    stamma_archive_notice notice; /* counted from the block's start; without its text */
    size_t size;
    char text[80];
} job_notice;

typedef struct pack_job {
    buffer text; /* of the block, and more behind it */
    bool final;  /* the input ends with it */
    bool notices_wanted;
    bool started;    /* given to the executor, and not waited for */
    pgn_lexer lexer; /* before the block; once it is packed or split off, behind it */
    bool continuing;
    stamma_error error;
    bool begun;        /* some of the block was taken, and it is not done */
    size_t used;       /* bytes of text in the block */
    uint64_t lines;    /* line ends in it, where notices are wanted */
    size_t counted;    /* where in the text they are counted to */
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
/* Packs those of the block's records that the text holds, be it ever so short: the block is done where the job is not
 * `begun` then. Gives the bytes taken, which the caller removes; 0 where no record is whole, which PARSER_NEEDS bytes
 * always hold. */
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

typedef struct block_reader {
    const stamma_allocator *allocator;
    byte_packer coder;
    block_head head;
    buffer columns[COLUMN_IDS];
    field_column *comments; /* where they are fields: read with each record */
    bool comments_are_fields;
    buffer comment_sizes; /* of the record's then: uint32_t each, with the zero byte */
    buffer main_line;     /* of the record being read: stamma_move for each ply, then the signs of each in one byte */
    cursor at[COLUMN_IDS];
    tag_reader tags;
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
/* Takes a block's payload, of which nothing is kept. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size);
/* Reads the next record into b->record; b->next must be below b->head.records. With `skip` only the columns are passed:
 * moves are not decoded, and the record holds nothing but r->continuation. */
stamma_error stamma_block_reader_next(block_reader *b, bool skip);
/* Whether the next record continues the game of the last one. */
bool stamma_block_reader_continues(const block_reader *b);
/* Whether all columns are used up after the last record (3.5), and the head counts what was read (3.1). */
bool stamma_block_reader_is_done(block_reader *b);

/* From a block's frame to its text. */
typedef struct block_frame {
    uint64_t offset; /* in the file */
    size_t head_size;
} block_frame;

typedef enum unpack_work {
    UNPACK_TEXT,   /* the text, checked against the head */
    UNPACK_CHECKS, /* only the columns' checksums */
    UNPACK_BOTH
} unpack_work;

/* A stored column whose checksum is wrong. */
typedef struct damaged_column {
    char name[STAMMA_COLUMN_NAME_SIZE];
    uint64_t offset; /* in the file */
    uint64_t size;
} damaged_column;

typedef struct unpack_job {
    block_frame frame;
    buffer payload;
    unpack_work work;
    bool started;                /* given to the executor, and not waited for */
    const stamma_output *output; /* UNPACK_TEXT: takes the text as it comes; NULL: it is kept */
    stamma_error error;
    buffer text;     /* of all records before an error, where it is kept; else what is not yet passed on */
    size_t hashed;   /* bytes of it */
    uint64_t passed; /* bytes of the block that were hashed */
    XXH64_state_t hash;
    uint64_t games; /* up to the end, or to where the error is */
    bool in_game;   /* the error is in the last of them: its record does not decode */
    buffer damaged; /* damaged_column, unless the work is UNPACK_TEXT */
    block_reader block;
} unpack_job;

void stamma_unpack_job_init(unpack_job *j, const stamma_allocator *allocator);
void stamma_unpack_job_release(unpack_job *j);
/* Does the work on the payload. `argument` is the job. */
void stamma_unpack_job_run(void *argument);

#endif
