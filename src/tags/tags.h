/* SPDX-License-Identifier: MIT */
/* The tags room: columns of tag values. A value is derived from another column or from the game; or it is a reference
 * to a dictionary of the block's texts; or it is a number, stored as the difference from a prediction (clause 15). */
#ifndef STAMMA_TAGS_H
#define STAMMA_TAGS_H

#include "base/tables.h"
#include "entropy/entropy.h"
#include "fields/fields.h"
#include "openings/openings.h"
#include "tags/mixed_texts.h"
#include "tags/spelt_texts.h"

enum { CODEC_FIELDS = 2, CODEC_TAGS = 3, CODEC_MAPPED = 10 };

STAMMA_INLINE bool codec_is_tags(unsigned codec)
{
    return codec == CODEC_TAGS || codec == CODEC_MAPPED;
}

enum {
    TAG_COLUMNS_MAX = 1024,
    TAG_CODED_MAX = 64, /* only the columns before this index may use codec 3, or be used by columns in codec 3 */
    TAG_SOURCES_MAX = 4,
    TAG_NONE = 255 /* no column */
};

/* ---- facts of a game (game_facts.c; clause 15.6) ---- */

typedef struct game_facts {
    unsigned opening;    /* number of the opening, 0 for none */
    stamma_position end; /* end of the main line */
    uint32_t plies;
} game_facts;

/* Values of `what` in a source that are not columns. */
enum {
    FACT_OPENING = TAG_CODED_MAX, /* only as a key, and for maps */
    FACT_CODE,
    FACT_NAME,
    FACT_MADE, /* this and the following facts are texts computed for each game; no column is derived from them */
    FACT_FEN = FACT_MADE,
    FACT_FEN_FIELDS,
    FACT_PLIES,
    FACT_PLIES_LESS,
    FACTS_END
};

/* Returns the text of a fact from FACT_CODE on: a constant, or text written to `out`. {NULL, 0} if there is none. */
stamma_text stamma_game_text(const game_facts *game, unsigned fact, char out[STAMMA_FEN_SIZE]);

/* ---- how a column is coded (tag_plan.c; clause 15.3) ---- */

enum { SOURCE_EQUAL, SOURCE_RECALL, SOURCE_BEGIN, SOURCE_MAP }; /* kinds of sources of texts; maps: codec 10 */

/* A possible origin of a text, or one way to predict a number. */
typedef struct tag_source {
    uint8_t kind; /* only for texts */
    /* texts: a column or fact; numbers: the key, which is a column, TAG_CODED_MAX (one key for all) or TAG_NONE */
    uint8_t what;
    uint8_t base;     /* numbers: a column, or TAG_NONE */
    int8_t now, then; /* numbers: factors of the base, for the prediction and for the remembered value */
} tag_source;

typedef struct tag_plan {
    bool numbers;
    bool shared;  /* continues the dictionary and the memories of the previous column */
    bool indexed; /* texts: references are dictionary indices, not ranks */
    bool plus;    /* numbers: a plus sign precedes those not below 0 */
    bool dates;   /* codec 10, numbers: days, written as dates */
    bool fields;  /* literals are fields */
    bool spelt;   /* codec 10, texts: literals are spelt, all in the column that owns the dictionary */
    uint8_t source_count;
    tag_source sources[TAG_SOURCES_MAX];
    uint8_t others[2]; /* columns whose levels are contexts of the symbols, or TAG_NONE */
} tag_plan;

/* `codec`: 3 or 10. */
bool stamma_tag_plan_read(cursor *in, unsigned codec, tag_plan *plan);
void stamma_tag_plan_write(const tag_plan *plan, buffer *out);
/* Returns whether a source is a fact. A column with a plan like this is read after the moves (15.5). */
bool stamma_tag_plan_is_post_game(const tag_plan *plan);

STAMMA_INLINE bool tag_plan_has_map(const tag_plan *plan)
{
    bool has = false;
    for (size_t i = 0; i < plan->source_count && !plan->numbers; i++)
        has |= plan->sources[i].kind == SOURCE_MAP;
    return has;
}

/* ---- the dictionary of a column (tag_dictionary.c; clause 15.4) ---- */

enum { RANKS_MAX = 13 };

typedef struct tag_dictionary {
    uint32_t ranks[RANKS_MAX]; /* indices of texts, most recently used first */
    size_t rank_count;
    buffer older;   /* uint32_t: indices of texts dropped from `ranks` */
    uint32_t count; /* number of texts: indices are 1 to count */
} tag_dictionary;

void stamma_tag_dictionary_clear(tag_dictionary *d);
/* Returns the index of the text for a reference above 0, and marks the text as used. Returns 0 if there is no such
 * text, or no memory (d->older.failed). */
uint32_t stamma_tag_dictionary_find(tag_dictionary *d, bool indexed, uint32_t reference);
/* Adds a new text. Returns its index, or 0 if memory is exhausted. */
uint32_t stamma_tag_dictionary_add(tag_dictionary *d, bool indexed);

/* ---- contexts of a column's symbols (clause 15.8) ---- */

enum { TAG_LAST, TAG_SECOND, TAG_OTHER, TAG_ANOTHER, TAG_DICTIONARY, TAG_GAME, TAG_KNOWN };
enum { LEVEL_OLDER = 14, LEVEL_DERIVED = 15, LEVEL_LITERAL = 15 };
enum { TAG_CLASSES_MAX = 8 };

STAMMA_INLINE uint8_t reference_level(uint32_t reference)
{
    return (uint8_t)(reference <= RANKS_MAX ? reference : LEVEL_OLDER);
}
STAMMA_INLINE uint8_t residual_level(uint64_t folded)
{
    unsigned bits = context_bits(folded);
    return (uint8_t)(bits < LEVEL_LITERAL ? bits : LEVEL_LITERAL - 1);
}
STAMMA_INLINE uint8_t game_level(size_t plies)
{
    return (uint8_t)(8 * (plies & 1) + (plies < 8 * 32 ? plies / 32 : 7));
}

/* ---- numbers (clause 15.7) ---- */

enum {
    FOLDED_MAX = 1 << 28,      /* maximum of a folded residual */
    TAG_NUMBER_MAX = 1 << 24,  /* maximum magnitude */
    TAG_NUMBER_ZERO = 1 << 30, /* added to remembered numbers; an entry 0 in a memory means that there is none */
    TAG_NUMBER_SIZE = 12,      /* maximum number of bytes as text */
    TAG_NO_NUMBER = INT32_MIN
};
/* Returns the days from 1970.01.01 to a date, YYYY.MM.DD from year 1 on; TAG_NO_NUMBER for other text (tag_dates.c). */
int32_t stamma_tag_day(stamma_text text);
/* Returns whether a number of days can be written as a date. */
bool stamma_tag_is_day(int64_t day);
/* Writes the date of a number of days. */
stamma_text stamma_tag_date(int32_t day, char out[TAG_NUMBER_SIZE]);

enum { TAG_STREAMS_SPELT = 6 }; /* number of streams of a column in codec 10 whose texts are spelt */

/* ---- reading (tag_reader.c) ---- */

/* A column in codec 8. */
typedef struct mixed_column {
    mixed_plan plan;
    mixed_texts *texts; /* owned by this column unless it shares them */
    mixed_stream stream;
    uint64_t spelt_max; /* maximum number of bytes that may be spelt */
} mixed_column;

typedef struct tag_column {
    buffer name;
    buffer literals;      /* unpacked */
    cursor at;            /* next literal in `literals` */
    field_column *fields; /* or the literals are made from fields, one at a time */
    bool later;
    bool lost;       /* damaged, or depends on lost data: the column has no values */
    uint8_t unknown; /* codec of a lost column that may have been shared with the column before; otherwise 0 */
    uint32_t taken;  /* number of literals made from fields so far */
    buffer literal;  /* the literal that is being made */
    uint64_t left;   /* rest of the plain size */
    /* only codecs 3 and 10: */
    bool coded;
    bool post_game;
    tag_plan plan;
    uint8_t owner; /* the column with the dictionary and memories that this column uses */
    buffer streams[6];
    buffer classes;
    number_source symbols;
    const uint8_t *levels[CONTEXTS_USED];
    uint8_t last, second, known;
    tag_dictionary dictionary;
    buffer texts;                     /* stamma_text[]: texts of the dictionary */
    buffer map;                       /* uint32_t by opening: index of a text, or 0; empty without a map */
    spelt_texts *spelt;               /* texts that are spelt when they are needed; NULL: none */
    buffer memories[TAG_SOURCES_MAX]; /* uint32_t by key, for sources that remember; 0: no value */
    uint8_t used;                     /* level of the last symbol read with this dictionary */
    buffer joined;                    /* the record's value, if it begins with another value */
    char number[TAG_NUMBER_SIZE];
    mixed_column *mixed; /* NULL: not in codec 8 */
} tag_column;

/* Known values of the current record, by column. */
typedef struct tag_record {
    stamma_text texts[TAG_CODED_MAX]; /* {NULL, 0}: none */
    uint32_t indices[TAG_CODED_MAX];  /* in the dictionary; 0 if not in it */
    int32_t numbers[TAG_CODED_MAX];
    uint8_t levels[TAG_CODED_MAX + 1]; /* the last one is 0 */
    uint8_t game_level;
} tag_record;

typedef struct tag_reader {
    const stamma_allocator *allocator;
    tag_column *columns; /* `capacity` initialized columns; `count` are in use */
    size_t count;
    size_t capacity;
    size_t post_game; /* first column that is read after the moves; `count` if none */
    bool openings;    /* some source uses the opening */
    bool remembered;  /* codecs 3 and 8: openings are needed even for records that are skipped */
    bool ends;        /* some source uses the final position */
    tag_record now;
    bool passed;   /* the record is passed, so `game.end` is not known */
    size_t models; /* number of codec 8 models */
    size_t slots;  /* total number of slots of these models, and of spelt texts */
    size_t later;  /* number of columns whose literals are made from fields one at a time */
    buffer rows;   /* rows of passed records */
    game_facts game;
    char made[FACTS_END - FACT_MADE][STAMMA_FEN_SIZE];
    uint64_t plain_left;    /* maximum plain size of further columns; unlimited after clearing */
    bool tolerant;          /* values that are corrupt are {NULL, 0} */
    const stop_check *stop; /* owned by the caller: makes the value that is being read fail; NULL: none */
    bool no_memory;
} tag_reader;

void stamma_tag_reader_init(tag_reader *r, const stamma_allocator *allocator);
void stamma_tag_reader_release(tag_reader *r);
void stamma_tag_reader_clear(tag_reader *r);
/* Adds a column. `stored` is not needed after the call. Errors: CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_tag_reader_add(tag_reader *r, byte_packer *coder, stamma_text name, unsigned codec, cursor stored,
                                   uint64_t plain_size);
/* Adds a damaged column, whose values are {NULL, 0}. A column in codec 3 may have been the first that is read after the
 * moves. A column in codec 3 or 8 may have been shared with the column before. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_tag_reader_add_lost(tag_reader *r, stamma_text name, unsigned codec);
/* Marks the columns as lost that cannot be read without lost columns. `facts`: also columns that cannot be read without
 * the games' moves. `plies`, which requires `facts`: also columns that cannot be read without the number of moves. */
void stamma_tag_reader_lose(tag_reader *r, bool facts, bool plies);
STAMMA_INLINE stamma_text tag_column_name(const tag_reader *r, size_t column)
{
    return (stamma_text){(const char *)r->columns[column].name.data, r->columns[column].name.size};
}
/* Returns the place of the levels of a column that is a context. TAG_CODED_MAX: the block does not have the column, and
 * the levels are 0. */
STAMMA_INLINE size_t tag_level_place(const tag_reader *r, uint8_t column)
{
    return column < TAG_CODED_MAX && column < r->count ? column : TAG_CODED_MAX;
}
/* The facts of games that are needed to read columns. */
typedef enum tag_need { TAG_NEEDS_NOTHING, TAG_NEEDS_OPENING, TAG_NEEDS_END } tag_need;
/* Marks in `needed`, one byte for each column, the columns that must be read together with `column` in every record
 * that has them. Returns the facts of the games that are needed. */
tag_need stamma_tag_reader_need(const tag_reader *r, size_t column, uint8_t needed[TAG_COLUMNS_MAX]);
/* Begins a record whose main line has `plies` moves. Its values must be read in the order of columns. */
void stamma_tag_reader_begin(tag_reader *r, size_t plies);
/* Sets the game of the record. Call it before reading columns from r->post_game on. `opening`: needed if r->openings;
 * otherwise 0. `end`: the final position, whose key is not used; NULL if the record is only passed. The opening of a
 * passed record is needed only if r->remembered. */
void stamma_tag_reader_play(tag_reader *r, unsigned opening, const stamma_position *end);
/* Reads a column's next value, which is valid until the next record. Returns false if the value is corrupt, or if
 * r->no_memory. */
bool stamma_tag_reader_take(tag_reader *r, size_t column, stamma_text *value);
/* Returns the next literal of a column that is not spelt. If there is none, c->at.failed or r->no_memory is set. */
stamma_text stamma_tag_literal(tag_reader *r, tag_column *c);
/* Adds the next literal of a column to its dictionary. Returns its index; 0 if there is none, or r->no_memory. */
uint32_t stamma_tag_literal_add(tag_reader *r, tag_column *c);
/* Reads spelt texts of a dictionary up to an index. Returns false if the data is corrupt, reading was stopped, or
 * r->no_memory. */
bool stamma_tag_spell(tag_reader *r, tag_column *owner, uint32_t index);
/* Returns the text with an index, from 1 to the number of texts. {NULL, 0} if a spelt text cannot be read. */
STAMMA_INLINE stamma_text dictionary_text(tag_reader *r, tag_column *owner, uint32_t index)
{
    if (STAMMA_UNLIKELY(owner->spelt) && index > owner->texts.size / sizeof(stamma_text) &&
        !stamma_tag_spell(r, owner, index))
        return (stamma_text){NULL, 0};
    return ((const stamma_text *)(const void *)owner->texts.data)[index - 1];
}
/* Returns whether a decoded number may be in a column of numbers. */
STAMMA_INLINE bool is_number(const tag_plan *plan, int64_t number)
{
    return plan->dates ? stamma_tag_is_day(number) : number <= TAG_NUMBER_MAX && number >= -TAG_NUMBER_MAX;
}
/* Returns the entry of a key in a memory, and adds missing entries. Returns NULL and sets r->no_memory if there is no
 * memory. */
uint32_t *stamma_tag_memory_grow(tag_reader *r, buffer *memory, uint32_t key);
STAMMA_INLINE uint32_t *tag_memory(tag_reader *r, buffer *memory, uint32_t key)
{
    return STAMMA_LIKELY(key < memory->size / sizeof(uint32_t)) ? (uint32_t *)(void *)memory->data + key
                                                                : stamma_tag_memory_grow(r, memory, key);
}
/* Returns whether all streams are consumed. `passed`: whether some records were passed. */
bool stamma_tag_reader_is_done(tag_reader *r, bool passed);

/* ---- passing records (tag_pass.c) ---- */

enum { TAG_PASS_MAX = 256 /* records at once */ };

/* Facts of the passed records, set by the caller. */
typedef struct tag_pass {
    uint8_t (*has)[TAG_PASS_MAX]; /* by column: whether the record has this tag; initially 0 */
} tag_pass;

/* Returns whether records can be passed with these columns. */
bool stamma_tag_reader_can_pass(const tag_reader *r);
/* Begins to pass records. Returns NULL if memory is exhausted. */
tag_pass *stamma_tag_reader_begin_pass(tag_reader *r);
/* Passes `count` records. `plies`: number of moves in the main line of each. Later reads return the same values as if
 * the passed records had been read. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_tag_reader_pass(tag_reader *r, const uint32_t *plies, size_t count);
/* Saves or restores the position in the columns. Only for columns that can be passed. */
void stamma_tag_reader_keep(tag_reader *r, kept_state *k);

/* ---- writing: a block's tags (tag_table.c) ---- */

/* The tags of a block. */
typedef struct tag_table {
    const stamma_allocator *allocator;
    size_t columns; /* at most TAG_CODED_MAX */
    size_t records;
    const game_facts *games; /* of each record */
    stamma_text names[TAG_CODED_MAX];
    const buffer *values[TAG_CODED_MAX]; /* as in the column: a zero byte after each value */
    uint8_t counterparts[TAG_CODED_MAX]; /* the column with the same tag of the other player, or TAG_NONE */
    /* numbers of values: columns x records; 0 if the record does not have the tag */
    uint32_t *numbers;
    bool spells; /* texts may be spelt, which is smaller and slower */
    text_table texts;
    tag_plan plans[TAG_CODED_MAX];
    uint8_t order[TAG_CODED_MAX];  /* the order in which columns are read */
    uint8_t places[TAG_CODED_MAX]; /* index of each column in `order` */
} tag_table;

STAMMA_INLINE uint32_t tag_value(const tag_table *t, size_t column, size_t record)
{
    return t->numbers[column * t->records + record];
}
STAMMA_INLINE stamma_text tag_text(const tag_table *t, uint32_t number)
{
    return text_table_at(&t->texts, number);
}

/* Numbers the values of a table. Set names, values and texts.allocator before, and set numbers to 1 where a record has
 * the tag. Errors: NO_MEMORY. */
stamma_error stamma_tag_table_fill(tag_table *t);
void stamma_tag_table_release(tag_table *t);
/* Returns the column with this name, or TAG_NONE. */
uint8_t stamma_tag_column_named(const tag_table *t, const char *name);

/* Chooses the columns that are coded as numbers, and their predictions (number_plans.c). Errors: NO_MEMORY. */
stamma_error stamma_number_plans_choose(tag_table *t);
/* Returns the number whose text, written as in 15.7, is this text; TAG_NO_NUMBER if there is none. */
int32_t stamma_tag_number(stamma_text text, bool plus);
/* Chooses the sources of texts, and the order of the columns (derivations.c). Errors: NO_MEMORY. */
stamma_error stamma_derivations_choose(tag_table *t);
/* Returns whether a record's value begins with the record's value of another column. Stores the rest in *tail. */
bool stamma_begins_with(const tag_table *t, size_t column, size_t record, size_t other, stamma_text *tail);

/* Codes a table's columns (tag_writer.c). Calls `add` for each column in the order of t->order, with the codec and the
 * stored bytes. Errors: NO_MEMORY. */
typedef void tag_sink(void *context, size_t column, unsigned codec, const buffer *stored);
stamma_error stamma_tags_write(tag_table *t, field_packer *packer, tag_sink *add, void *context);
/* Chooses the map of a column (opening_map.c): sets map[opening] to the number of the text that most records with this
 * opening have, or to 0. Records whose value is a fact that is a source in `plan` do not count; `plan` may be NULL.
 * Returns the number of records, among those that count, that have the text of the map. Errors: NO_MEMORY. */
typedef uint32_t opening_map[OPENINGS + 1];
size_t stamma_opening_map_choose(const tag_table *t, size_t column, const tag_plan *plan, opening_map map);
/* Returns whether a fact of the game of a record is the record's value. */
bool stamma_tag_is_fact(const tag_table *t, size_t column, size_t record, unsigned fact);
/* Appends a column of texts, unchanged, packed or as fields, whichever is shortest. Errors: NO_MEMORY. */
stamma_error stamma_tag_pack_texts(field_packer *packer, const buffer *texts, buffer *body, unsigned *codec);

#endif
