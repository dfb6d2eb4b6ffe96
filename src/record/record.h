/* SPDX-License-Identifier: MIT */
/* The record room: converts the text of a game, or of a piece of a game, to typed items and a style, and back. Comments
 * in this room cite the clauses of doc/format/archive.md.
 *
 *   writing:  text -> (parse.c) record -> (style_search.c) its style, and exceptions from the style
 *   reading:  record -> (render.c) text
 *
 * The block room stores records. */
#ifndef STAMMA_RECORD_H
#define STAMMA_RECORD_H

#include "base/base.h"
#include "board/board.h"
#include "codec/codec.h"
#include "notation/notation.h"

/* ---- limits of the format (clauses 4.6, 4.8) ---- */

enum {
    PIECE_TEXT_MAX = 1 << 22,
    PIECE_TOKENS_MAX = (1 << 18) - 1, /* each token becomes at most one item */
    PIECE_ITEMS_MAX = PIECE_TOKENS_MAX + 1,
    VARIATION_DEPTH_MAX = 255
};

enum { NOTICE_TEXT_MAX = 80 }; /* maximum size of a text in a notice, in bytes (stamma.h) */

/* ---- records: one game, or one piece of a game, in memory (clause 4) ---- */

/* Kinds of items. Up to ITEM_TAG, the numbers are also the numbers of events (4.4) and of classes in contexts (6.2). */
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
    ITEM_END_NO_GAME = 13, /* end of the input; the record is text after the last game */
    ITEM_MOVE = 14,
    ITEM_MOVE_BLACK = 15 /* only in contexts: a move of Black after a gap */
} item_kind;

typedef struct item {
    uint8_t kind;      /* item_kind */
    uint8_t number;    /* of a NAG; of a suffix, 1 to 6; of a result, 0 to 3; code of a move */
    uint8_t depth;     /* number of variations around it; 0: main line */
    uint8_t san_facts; /* ITEM_MOVE: SAN_FACT_ flags of its notation (board.h) */
    stamma_move move;  /* ITEM_MOVE */
    bool noncanonical; /* not spelt as in 4.3; for moves, set when the style is searched */
    uint8_t side;      /* stamma_color to move at the gap before this item */
    uint16_t fullmove; /* number of the next move at this gap */
    stamma_text text;  /* of a comment, tag value or text item, without delimiters; not owned */
    stamma_text name;  /* tag name */
} item;

/* Text that replaces a gap or a spelling (4.5). */
typedef struct exception {
    uint32_t slot;
    stamma_text text;
} exception;

typedef struct record {
    item *items;
    size_t item_count;
    size_t item_capacity;
    size_t roster_count; /* number of items at the start that are tags of the roster */
    exception *exceptions;
    size_t exception_count;
    size_t exception_capacity;
    uint32_t style;
    stamma_position start;
    bool no_start;  /* the FEN tag is not a position: `start` is the initial position, and a move would be corrupt
                     * (4.7) */
    uint32_t plies; /* typed moves of the main line */
    uint32_t variation_plies;
    uint32_t text_items;
    uint64_t text_bytes; /* bytes of text in text items */
    bool continuation;   /* a piece after the first, or text after the last game */
    stamma_archive_reason reason;
    uint32_t reason_offset;
    uint32_t second_event; /* offset of the second Event tag; 0: there is none */
} record;

/* The place of an item in the text that it was parsed from. */
typedef struct item_place {
    uint32_t begin; /* offsets in the record's text */
    uint32_t end;
    bool strict; /* ITEM_MOVE: known to be standard SAN */
} item_place;

/* A record that was parsed, with the text that rendering must reproduce. */
typedef struct parsed_record {
    record record;
    item_place *places; /* of its items */
    size_t place_capacity;
    stamma_text text;    /* as written */
    stamma_position end; /* after the main line */
} parsed_record;

/* Grows the array of items to have room for `items` more. */
bool stamma_record_grow(record *r, size_t items, const stamma_allocator *allocator);
/* Makes room for `items` more items. Returns false if memory is exhausted. */
STAMMA_INLINE bool record_reserve(record *r, size_t items, const stamma_allocator *allocator)
{
    return STAMMA_LIKELY(r->item_capacity - r->item_count >= items) || stamma_record_grow(r, items, allocator);
}
/* Adds a zeroed item. Returns NULL if memory is exhausted. */
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
/* Returns the value of the first tag with this name, or {NULL, 0}. */
stamma_text stamma_record_tag(const record *r, const char *name);
bool stamma_record_is_set_up(const record *r);
STAMMA_INLINE item_kind record_end(const record *r)
{
    return (item_kind)r->items[r->item_count - 1].kind;
}
/* Adds a complete record to the counts of a block's head, except the bytes of text (3.1, 8.1). */
void stamma_record_count(const record *r, stamma_archive_counts *counts);

/* ---- events (events.c; clause 4.4) ---- */

enum { EVENT_REPEAT = 14 }; /* only in files: repeats the previous event */

typedef struct event {
    uint32_t kind;  /* item_kind; ITEM_TAG before the first event */
    uint32_t moves; /* moves before it */
    uint32_t times; /* number of times in a row */
} event;

STAMMA_INLINE bool event_ends_record(unsigned kind)
{
    return kind <= ITEM_END_OF_PIECE || kind == ITEM_END_NO_GAME;
}
STAMMA_INLINE bool event_is_comment(unsigned kind)
{
    return kind - ITEM_COMMENT <= (unsigned)(ITEM_ESCAPE - ITEM_COMMENT);
}
/* Returns whether an event of this kind may be repeated. */
STAMMA_INLINE bool event_repeats(unsigned kind)
{
    return kind >= ITEM_COMMENT && kind <= ITEM_SUFFIX;
}

/* Reads the next event into *last. If it is a repeat, *last keeps its kind and moves, and `times` is the number of
 * repeats. Returns false if the event is corrupt. */
STAMMA_INLINE bool event_take(cursor *events, cursor *counts, event *last)
{
    uint8_t byte = cursor_byte(events);
    uint64_t count = byte >> 4;
    if (count == 15)
        count += cursor_varint(counts);
    if (events->failed || counts->failed || count > PIECE_ITEMS_MAX)
        return false;
    if (STAMMA_UNLIKELY((byte & 15) == EVENT_REPEAT)) {
        last->times = (uint32_t)count;
        return count > 0 && event_repeats(last->kind);
    }
    last->kind = byte & 15u;
    last->moves = (uint32_t)count;
    last->times = 1;
    return last->kind <= ITEM_END_NO_GAME;
}
/* Adds an event after *last, which is {ITEM_TAG, 0, 0} at first. The last event of a record must be an end event,
 * because repeats are only written before another event. */
void stamma_event_add(event *last, unsigned kind, uint32_t moves, buffer *events, buffer *counts);

typedef struct event_summary {
    uint64_t main_count;      /* moves of the main line */
    uint64_t variation_count; /* moves in variations */
    size_t comments;          /* comments of all kinds */
    bool branches;            /* there are variations */
    bool tags;                /* there are tags outside the roster */
    unsigned end;             /* the kind of the last event */
} event_summary;

/* Reads the events of a record. `list` becomes an array of `event` and may be NULL. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_events_read(cursor *events, cursor *counts, buffer *list, event_summary *summary);

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
    SPELL_RANK_WITH_FILE = 64,
    SPELL_KNOWN = 127
};
enum { TEMPLATE_NUMBER = 1, TEMPLATE_LINE_END = 2, TEMPLATE_SIZE_MAX = 30, STYLES_MAX = 4096, CONTEXTS = 256 };

typedef struct gap_template {
    bool set;
    uint8_t size;
    uint8_t plain_from; /* from this index on, all bytes are plain text, except for at most one number */
    uint8_t number_at;  /* index of this number, otherwise the size */
    uint32_t breaks;    /* bit n: byte n is a breakable blank (6.4) */
    uint8_t bytes[TEMPLATE_SIZE_MAX + COPY_STEP];
    bool fixed; /* its blanks are fixed (6.4) */
} gap_template;

typedef struct style {
    uint8_t line_end;
    uint8_t wrap;
    uint8_t breakable;
    bool comment_words;
    uint8_t spelling;
    uint32_t limit_low;  /* the limit T (6.1) is at least this ... */
    uint32_t limit_high; /* ... and at most this; files contain limit_low */
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
/* Returns whether a blank of a gap is breakable (6.4). `index` counts the blanks of the gap, from 0. */
STAMMA_INLINE bool gap_blank_breaks(const style *s, unsigned before, unsigned after, unsigned index)
{
    if (s->wrap == WRAP_NONE || !gap_in_movetext(before, after))
        return false;
    switch (s->breakable) {
    case BREAK_ALL: return true;
    case BREAK_FIRST: return index == 0;
    case BREAK_WHITE: return index == 0 && after == ITEM_MOVE;
    case BREAK_NOT_RESULT: return after != ITEM_RESULT;
    case BREAK_MOVES: return index == 0 && (after >= ITEM_MOVE || after == ITEM_RESULT);
    default: return false;
    }
}
/* Returns whether the blanks of a gap are fixed (6.4): they end a unit and stay blanks, and earlier blanks of the line
 * do not break. */
STAMMA_INLINE bool gap_blanks_fixed(const style *s, unsigned before, unsigned after)
{
    return s->breakable == BREAK_NOT_RESULT && s->wrap != WRAP_NONE && after == ITEM_RESULT &&
           gap_in_movetext(before, after);
}
/* Return the class of the item before a gap, and of the item after it (6.2). */
STAMMA_INLINE unsigned item_class_before(const record *r, size_t index)
{
    return index == 0 ? 0 : r->items[index - 1].kind;
}
STAMMA_INLINE unsigned item_class_after(const item *it)
{
    return it->kind + (unsigned)(it->kind == ITEM_MOVE && it->side == STAMMA_BLACK); /* ITEM_MOVE_BLACK */
}

/* Sets the derived fields of a template whose bytes and size are set. `context` is its index in s->templates. */
void stamma_style_prepare(style *s, unsigned context);
bool stamma_styles_add(style_list *list, const stamma_allocator *allocator, style **added);
void stamma_styles_release(style_list *list, const stamma_allocator *allocator);
void stamma_styles_write(const style_list *list, buffer *out);
/* Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_styles_read(cursor *in, style_list *list, const stamma_allocator *allocator);

/* ---- parsing: text to record (parse.c) ---- */

/* Maximum size of a token in bytes. A game with a longer token is cut into pieces (4.6). */
enum { PARSER_TOKEN_MAX = 1 << 20 };

typedef struct parser {
    const stamma_allocator *allocator;
    pgn_lexer lexer;
    const uint8_t *data; /* the bytes passed to stamma_parser_feed */
    size_t size;
    size_t start; /* of the next record */
    size_t end;   /* of the record that was found */
    bool final;
    bool continuing; /* inside a game that was cut into pieces */
    bool only_ends;  /* find only the ends of records; the ends are the same as with complete parsing */
    stamma_error error;
    item spare; /* filled where there was no memory for an item */
    parsed_record parsed;
    game_line first;                               /* a line at the initial position */
    game_line line;                                /* the line that is being parsed */
    stamma_position stack[VARIATION_DEPTH_MAX][2]; /* for each line around the current line: its current position, and
                                                    * the position before its last move */
    unsigned depth;
    bool movetext;
    bool in_text;
    bool main_lost; /* a text item began outside variations */
    size_t text_begin;
    unsigned text_nesting; /* open variations that began in the text */
    bool has_event;        /* an Event tag */
    size_t last_end;       /* of the last token */
} parser;

void stamma_parser_init(parser *p, const stamma_allocator *allocator);
void stamma_parser_release(parser *p);
/* Sets the bytes to parse: the unused bytes of the previous call, followed by more. `final`: the input ends with these
 * bytes. Fewer than PARSER_NEEDS bytes may not contain a complete record, unless they are final. */
enum { PARSER_NEEDS = PIECE_TEXT_MAX + PARSER_TOKEN_MAX + 64 };
void stamma_parser_feed(parser *p, const uint8_t *data, size_t size, bool final);
/* Finds the next record. The record is valid until the next call, and ends at p->start. Sets *found to false if more
 * bytes from p->start on are needed, or if there are none left. Error: NO_MEMORY. */
stamma_error stamma_parser_next(parser *p, bool *found);
/* Replaces the items of the record that was found with one text item. */
stamma_error stamma_parser_retype(parser *p, stamma_archive_reason reason);
/* Returns in *start the position in which a record's moves begin (4.7). Errors: SYNTAX or ILLEGAL if its FEN tag is not
 * a position. */
stamma_error stamma_record_start(const record *r, stamma_position *start);
/* Sets the side to move and the move number of all items from r->start. The items must all precede the first move. */
void stamma_record_number_items(record *r);

/* ---- searching styles (style_search.c): finds the style that renders a record to its exact text ---- */

/* The maximum number of styles of a block, and of styles that are tried for a record. */
enum { SEARCH_STYLES = 256, SEARCH_TRIES = 64 };

typedef struct style_search {
    const stamma_allocator *allocator;
    style_list styles;
    uint32_t recent[SEARCH_STYLES]; /* indices of styles, most recently used first */
    style made;
    buffer text;  /* the rendered record */
    buffer words; /* comments with their wrapped line ends replaced by blanks */
    bool out_of_memory;
} style_search;

void stamma_style_search_init(style_search *l, const stamma_allocator *allocator);
void stamma_style_search_clear(style_search *l);
void stamma_style_search_release(style_search *l);
/* Sets the record's style and exceptions so that rendering produces its text. The check of the block verifies this.
 * Adds a style if a new style is better than exceptions. The texts of comments may point into l->words until the next
 * call. Sets *found to false if there is no such style; the record must then become one text item. Error: NO_MEMORY. */
stamma_error stamma_style_search_find(style_search *l, parsed_record *r, bool *found);

/* ---- rendering: record to text (render.c) ---- */

/* Bytes to reserve in addition to the text, because rendering reserves more than it writes. */
enum { RENDER_SLACK = 1024 };

/* Appends the record's text to `out`. *limit_high receives the largest limit T of the wrap rule (6.1) that produces the
 * same text as limit_low; it may be NULL.
 * Errors: NO_MEMORY; CORRUPT if a template is missing, the slot of an exception does not exist, or the text is too long
 * (4.6). */
stamma_error stamma_render(const record *r, const style *s, buffer *out, size_t *limit_high);

/* Returns whether rendering the record with `s`, without exceptions, produces exactly its text. `s` must not wrap. The
 * function compares in place, without a copy of the text. */
bool stamma_stands_as_rendered(const parsed_record *r, const style *s);
/* Like stamma_stands_as_rendered, for a style that wraps, but not in comments. *limit_high receives the largest limit
 * that produces the same text. */
bool stamma_fits_wrapped(const parsed_record *r, const style *s, size_t *limit_high);

/* Spells a move that gives check, castles, promotes, or has the rank of its origin written. Called by spell_move. */
size_t stamma_spell_specially(stamma_move move, unsigned san_facts, unsigned spelling, char *out);
/* Returns whether the spelling of a move depends on the style. */
STAMMA_INLINE bool is_spelt_specially(stamma_move move, unsigned san_facts)
{
    return stamma_move_is_castling(move) || stamma_move_is_promotion(move) ||
           san_facts & (SAN_FACT_CHECK | SAN_FACT_RANK);
}
/* Writes the SAN of a move as a style spells it (6.5). Returns its size, at most 9 bytes; it is not terminated. `out`
 * must have room for STAMMA_SAN_SIZE + 2 bytes. */
STAMMA_INLINE size_t spell_move(stamma_move move, unsigned san_facts, unsigned spelling, char *out)
{
    if (STAMMA_LIKELY(spelling == 0))
        return stamma_san_spell(move, san_facts, out);
    if (!is_spelt_specially(move, san_facts))
        return stamma_san_spell(move, san_facts, out);
    return stamma_spell_specially(move, san_facts, spelling, out);
}
/* The first part of a record whose text differs from the text that its style renders. */
typedef struct layout_flaw {
    stamma_text found; /* its first bytes, at most NOTICE_TEXT_MAX */
    size_t expected_size;
    char expected[STAMMA_SAN_SIZE + 2]; /* if the part is a move: the move as the style renders it */
} layout_flaw;
/* Returns the flaw of a record whose reason is LAYOUT. Both texts are empty if the record has no exceptions, or has
 * text items. */
layout_flaw stamma_record_layout_flaw(const record *r, unsigned spelling);
/* Writes a number up to 65,535 in decimal. Returns its size, at most 5 bytes. */
size_t stamma_spell_number(unsigned number, char *out);
/* Like stamma_spell_number, faster for small numbers. */
STAMMA_INLINE size_t spell_number(unsigned number, char *out)
{
    if (STAMMA_UNLIKELY(number >= 100))
        return stamma_spell_number(number, out);
    unsigned tens = number * 205 >> 11; /* number / 10, exact below 100 */
    out[0] = (char)('0' + tens);
    out[tens > 0] = (char)('0' + number - 10 * tens);
    return 1 + (tens > 0);
}

#endif
