/* The record room: a game, or a piece of one, as typed items and a style, from its text and back. Clause numbers in
 * this room are those of doc/format.md.
 *
 * One way:   text -> (parse.c) record -> (style_search.c) its style, and exceptions for what no style says
 * And back:  record -> (render.c) text
 *
 * How records are stored is the archive room's.
 */
#ifndef STAMMA_RECORD_H
#define STAMMA_RECORD_H

#include "base/base.h"
#include "board/board.h"
#include "codec/codec.h"
#include "notation/notation.h"

/* ---- limits of the format (clauses 4.6, 4.8) ---- */

enum {
    PIECE_TEXT_MAX = 1 << 22,
    PIECE_TOKENS_MAX = (1 << 18) - 1, /* each an item at most */
    PIECE_ITEMS_MAX = PIECE_TOKENS_MAX + 1,
    VARIATION_DEPTH_MAX = 255
};

enum { NOTICE_TEXT_MAX = 80 }; /* bytes of a text that a notice has (stamma.h) */

/* ---- records: one game, or one piece of it, in memory (clause 4) ---- */

/* Kinds of items. Up to ITEM_TAG the numbers are those of events in the file (4.4) and of contexts (6.2). */
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
    uint8_t san_facts; /* ITEM_MOVE: what its notation says beyond its squares (board.h) */
    stamma_move move;  /* ITEM_MOVE */
    bool noncanonical; /* written in another spelling than the canonical one (4.3); moves: not known yet */
    uint8_t side;      /* stamma_color to move behind the gap before this item */
    uint16_t fullmove; /* number of the move to be played next there */
    stamma_text text;  /* inner text: comment, tag value, text item; owned elsewhere */
    stamma_text name;  /* tag name */
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
    bool no_start;  /* the FEN tag gives none: `start` is the initial one, and no move may follow */
    uint32_t plies; /* typed moves of the main line */
    uint32_t variation_plies;
    uint32_t text_items;
    uint64_t text_bytes; /* in them */
    bool continuation;   /* a piece after the first */
    stamma_archive_reason reason;
    uint32_t reason_offset;
} record;

/* Where an item stands in the text that it was read from. */
typedef struct item_place {
    uint32_t begin; /* offsets in the record's text */
    uint32_t end;
    bool strict; /* ITEM_MOVE: known to be written as SAN is by the standard */
} item_place;

/* A record as the parser finds it, with the text it is to become again. */
typedef struct parsed_record {
    record record;
    item_place *places; /* of its items */
    size_t place_capacity;
    stamma_text text;    /* as written */
    stamma_position end; /* of the main line */
} parsed_record;

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
    uint32_t kind;  /* item_kind; ITEM_TAG where there is none yet */
    uint32_t moves; /* before it */
    uint32_t times; /* that it comes in a row */
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
/* Adds an event behind *last, which begins as {ITEM_TAG, 0, 0}; the last of a record must end it. */
void stamma_event_add(event *last, unsigned kind, uint32_t moves, buffer *events, buffer *counts);

typedef struct event_summary {
    uint64_t main_count;      /* moves of the main line, */
    uint64_t variation_count; /* and in variations */
    size_t comments;          /* of all kinds */
    bool branches;            /* there are variations */
    bool tags;                /* tags stand among the events, outside the roster */
    unsigned end;             /* the kind of the last event */
} event_summary;

/* Takes the events of a record, which are an array of `event` in `list` then, if that is not NULL, and what they say.
 * CORRUPT, NO_MEMORY. */
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
    uint8_t plain_from; /* from here on all bytes stand for themselves, but for one number */
    uint8_t number_at;  /* where that stands, else the size */
    uint32_t breaks;    /* bit n: byte n is a blank that may become a line end (6.4) */
    uint8_t bytes[TEMPLATE_SIZE_MAX + COPY_STEP];
    bool fixed; /* its blanks never do, and end a unit */
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
    case BREAK_NOT_RESULT: return after != ITEM_RESULT;
    case BREAK_MOVES: return index == 0 && (after >= ITEM_MOVE || after == ITEM_RESULT);
    default: return false;
    }
}
/* Whether its blanks end a unit, stay blanks, and keep those before them on the line from breaking (6.4). */
STAMMA_INLINE bool gap_blanks_fixed(const style *s, unsigned before, unsigned after)
{
    return s->breakable == BREAK_NOT_RESULT && s->wrap != WRAP_NONE && after == ITEM_RESULT &&
           gap_in_movetext(before, after);
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
    parsed_record parsed;
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

/* ---- searching styles (style_search.c): finds the style that renders a record as it is written ---- */

/* Styles of a block, and room to try them. A new block begins with none. */
enum { SEARCH_STYLES = 256, SEARCH_TRIES = 64 };

typedef struct style_search {
    const stamma_allocator *allocator;
    style_list styles;
    uint32_t recent[SEARCH_STYLES]; /* numbers of styles, the last used first */
    style made;
    buffer text;  /* the record as rendered */
    buffer words; /* comments with their line breaks undone */
    bool out_of_memory;
} style_search;

void stamma_style_search_init(style_search *l, const stamma_allocator *allocator);
void stamma_style_search_clear(style_search *l);
void stamma_style_search_release(style_search *l);
/* Sets the record's style and exceptions so that rendering gives its text, as the block's check is going to prove; adds
 * a style where that is better than exceptions. Texts of comments may be set to l->words, until the next call. !*found:
 * there is no such style, and the text must be kept as a whole. NO_MEMORY. */
stamma_error stamma_style_search_find(style_search *l, parsed_record *r, bool *found);

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
bool stamma_stands_as_rendered(const parsed_record *r, const style *s);
/* The same of a style that wraps, but not in comments. Every limit in *range gives the same text. */
bool stamma_stands_wrapped(const parsed_record *r, const style *s, limit_range *range);

/* How a style spells moves that give check, castle, promote, or have their rank told; spell_move calls it for these. */
size_t stamma_spell_specially(stamma_move move, unsigned san_facts, unsigned spelling, char *out);
/* Whether styles differ in how they spell it. */
STAMMA_INLINE bool is_spelt_specially(stamma_move move, unsigned san_facts)
{
    return stamma_move_is_castling(move) || stamma_move_is_promotion(move) ||
           san_facts & (SAN_FACT_CHECK | SAN_FACT_RANK);
}
/* SAN as a style spells it (6.5); at most 9 bytes, not terminated. `out` must have room for STAMMA_SAN_SIZE + 2. */
STAMMA_INLINE size_t spell_move(stamma_move move, unsigned san_facts, unsigned spelling, char *out)
{
    if (STAMMA_LIKELY(spelling == 0))
        return stamma_san_spell(move, san_facts, out);
    if (!is_spelt_specially(move, san_facts))
        return stamma_san_spell(move, san_facts, out);
    return stamma_spell_specially(move, san_facts, spelling, out);
}
/* The first place of a record that is written otherwise than its style says. */
typedef struct layout_flaw {
    stamma_text found; /* its first bytes, as many as a notice may have */
    size_t expected_size;
    char expected[STAMMA_SAN_SIZE + 2]; /* what the style says of a move */
} layout_flaw;
/* Of a record whose reason is LAYOUT; where it has no exceptions, or text besides, nothing was found and is expected.
 */
layout_flaw stamma_record_layout_flaw(const record *r, unsigned spelling);
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

#endif
