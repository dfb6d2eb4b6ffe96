/* The tags room: columns of tag values. A value is derived from another column or from the game, named by its rank in a
 * dictionary of the block's texts, or a number less its prediction (doc/format.md, clause 11). */
#ifndef STAMMA_TAGS_H
#define STAMMA_TAGS_H

#include "base/tables.h"
#include "entropy/entropy.h"
#include "fields/fields.h"
#include "openings/openings.h"
#include "tags/mixed_texts.h"

enum { CODEC_FIELDS = 2, CODEC_TAGS = 3 };

enum {
    TAG_COLUMNS_MAX = 1024,
    TAG_CODED_MAX = 64, /* columns that may be in codec 3, or looked at by such */
    TAG_SOURCES_MAX = 4,
    TAG_NONE = 255 /* no column */
};

/* ---- what follows from a game (game_facts.c; clause 11.6) ---- */

typedef struct game_facts {
    unsigned opening;    /* its number, 0 for none */
    stamma_position end; /* of the main line */
    uint32_t plies;
} game_facts;

/* What a source names besides columns. */
enum {
    FACT_OPENING = TAG_CODED_MAX, /* as a key alone */
    FACT_CODE,
    FACT_NAME,
    FACT_MADE, /* from here on texts made anew for each game, which nothing is derived from */
    FACT_FEN = FACT_MADE,
    FACT_FEN_FIELDS,
    FACT_PLIES,
    FACT_PLIES_LESS,
    FACTS_END
};

/* The text of a fact, from FACT_CODE on: a constant, or written to `out`; {NULL, 0} for none. */
stamma_text stamma_game_text(const game_facts *game, unsigned fact, char out[STAMMA_FEN_SIZE]);

/* ---- how a column is coded (tag_plan.c; clause 11.3) ---- */

enum { SOURCE_EQUAL, SOURCE_RECALL, SOURCE_BEGIN }; /* what a source gives */

/* Where a text may come from, or how a number is predicted. */
typedef struct tag_source {
    uint8_t kind; /* of texts */
    uint8_t
        what; /* texts: a column or fact; numbers: the key, a column; TAG_CODED_MAX: one cell for all; or TAG_NONE */
    uint8_t base;     /* numbers: a column, or TAG_NONE */
    int8_t now, then; /* numbers: the base times this is added to what is predicted, and to what is remembered */
} tag_source;

typedef struct tag_plan {
    bool numbers;
    bool shared;  /* it goes on with the dictionary and the memories of the column before */
    bool indexed; /* texts: references are dictionary indices, not ranks */
    bool plus;    /* numbers: a plus sign stands before those that are not below 0 */
    bool fields;  /* literals are fields */
    uint8_t source_count;
    tag_source sources[TAG_SOURCES_MAX];
    uint8_t others[2]; /* columns that symbols' contexts are of, or TAG_NONE */
} tag_plan;

bool stamma_tag_plan_read(cursor *in, tag_plan *plan);
void stamma_tag_plan_write(const tag_plan *plan, buffer *out);
/* Whether some source is a fact: such columns are read behind the moves (11.5). */
bool stamma_tag_plan_is_post_game(const tag_plan *plan);

/* ---- the dictionary of a column (tag_dictionary.c; clause 11.4) ---- */

enum { RANKS_MAX = 13 };

typedef struct tag_dictionary {
    uint32_t ranks[RANKS_MAX]; /* indices of texts, the last used first */
    size_t rank_count;
    buffer older;   /* uint32_t: indices of texts that fell out of `ranks` */
    uint32_t count; /* of texts: indices go from 1 to here */
} tag_dictionary;

void stamma_tag_dictionary_clear(tag_dictionary *d);
/* The index of the text that a reference above 0 names, which is used then; 0 where there is none, or no memory
 * (d->older.failed). */
uint32_t stamma_tag_dictionary_find(tag_dictionary *d, bool indexed, uint32_t reference);
/* The index of a new text; 0 when there is no memory. */
uint32_t stamma_tag_dictionary_add(tag_dictionary *d, bool indexed);

/* ---- contexts of a column's symbols (clause 11.8) ---- */

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

/* ---- numbers (clause 11.7) ---- */

enum {
    FOLDED_MAX = 1 << 28,      /* a residual, folded */
    TAG_NUMBER_MAX = 1 << 24,  /* the largest magnitude */
    TAG_NUMBER_ZERO = 1 << 30, /* what 0 is remembered as: 0 in a memory is nothing */
    TAG_NUMBER_SIZE = 12       /* bytes of the longest one */
};

/* ---- reading (tag_reader.c) ---- */

/* A column in codec 8. */
typedef struct mixed_column {
    mixed_plan plan;
    mixed_texts *texts; /* which is the column's own where it does not share them */
    mixed_stream stream;
    uint64_t spelt_max; /* bytes that it may spell */
} mixed_column;

/* A value that was passed, which is remembered by the opening of its record's game. */
#define OPENING_NOT_FOUND UINT32_MAX
typedef struct tag_setter {
    uint64_t record;
    uint32_t index;
    uint32_t opening; /* or OPENING_NOT_FOUND yet */
} tag_setter;

typedef struct tag_column {
    buffer name;
    buffer literals;      /* plain */
    cursor at;            /* in them */
    field_column *fields; /* or they are made from fields, one after another */
    bool later;
    uint32_t taken; /* so many were */
    buffer literal; /* the one that is made */
    uint64_t left;  /* of the plain size */
    /* codec 3 */
    bool coded;
    bool post_game;
    tag_plan plan;
    uint8_t owner; /* the column whose dictionary and memories it has */
    buffer streams[4];
    buffer classes;
    number_source symbols;
    const uint8_t *levels[CONTEXTS_USED];
    uint8_t last, second, known;
    tag_dictionary dictionary;
    buffer texts;                     /* stamma_text: of the dictionary */
    buffer memories[TAG_SOURCES_MAX]; /* uint32_t by key, for sources that remember; 0: nothing */
    uint8_t used;                     /* level of the last symbol that was read with this dictionary */
    buffer joined;                    /* the record's value, where it begins with another */
    char number[TAG_NUMBER_SIZE];
    mixed_column *mixed; /* NULL: in another codec */
    buffer setters;      /* tag_setter: of all records that were passed; */
    buffer since;        /* uint32_t by opening: its memory knows of all records before this one */
} tag_column;

/* What is known of the record's values so far, by column. */
typedef struct tag_record {
    stamma_text texts[TAG_CODED_MAX]; /* {NULL, 0}: none */
    uint32_t indices[TAG_CODED_MAX];  /* in the dictionary; 0 where it has none */
    int32_t numbers[TAG_CODED_MAX];
    uint8_t levels[TAG_CODED_MAX + 1]; /* the last one is 0 */
    uint8_t game_level;
} tag_record;

/* Finds the opening of the game of a record that was passed. CORRUPT, NO_MEMORY. */
typedef struct tag_openings {
    void *context;
    stamma_error (*find)(void *context, uint64_t record, unsigned *opening); /* NULL: nobody can */
} tag_openings;

typedef struct tag_reader {
    const stamma_allocator *allocator;
    tag_column *columns; /* capacity of them are initialised */
    size_t count;
    size_t capacity;
    size_t post_game; /* the first column that is read behind the moves; else count */
    bool openings;    /* some source looks at the opening, */
    bool remembered;  /* some recalls what its column had with that, so that no record's may be passed over; */
    bool ends;        /* or at the position at the end */
    tag_record now;
    bool passed;     /* the record is, so that its end is not known */
    size_t models;   /* of codec 8, */
    size_t slots;    /* and those that they have together */
    size_t later;    /* columns whose texts are fields yet */
    uint64_t record; /* number of the next one */
    buffer rows;     /* of records that are passed */
    tag_openings opening_of;
    game_facts game;
    char made[FACTS_END - FACT_MADE][STAMMA_FEN_SIZE];
    uint64_t plain_left;    /* bytes that further columns may have; no limit when cleared */
    const stop_check *stop; /* the caller's: a value that is being read then fails; NULL: none */
    bool no_memory;
} tag_reader;

void stamma_tag_reader_init(tag_reader *r, const stamma_allocator *allocator);
void stamma_tag_reader_release(tag_reader *r);
void stamma_tag_reader_clear(tag_reader *r);
/* Adds a column, of which nothing is kept. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_tag_reader_add(tag_reader *r, byte_packer *coder, stamma_text name, unsigned codec, cursor stored,
                                   uint64_t plain_size);
STAMMA_INLINE stamma_text tag_column_name(const tag_reader *r, size_t column)
{
    return (stamma_text){(const char *)r->columns[column].name.data, r->columns[column].name.size};
}
/* What must be known of games to read columns. */
typedef enum tag_need { TAG_NEEDS_NOTHING, TAG_NEEDS_OPENING, TAG_NEEDS_END } tag_need;
/* Marks in `needed`, a byte for each column, what must be read with a column of every record that has it; and says what
 * these follow from. */
tag_need stamma_tag_reader_need(const tag_reader *r, size_t column, uint8_t needed[TAG_COLUMNS_MAX]);
/* Begins a record with a main line of so many moves. Its values are to be taken in the order of the columns. */
void stamma_tag_reader_begin(tag_reader *r, size_t plies);
/* Says what its game is, before the columns from r->post_game on: its opening, where r->openings, or 0; and `end`, the
 * position at its end, whose key is not asked for; NULL where the record is only passed, whose opening is asked for
 * where r->remembered alone. */
void stamma_tag_reader_play(tag_reader *r, unsigned opening, const stamma_position *end);
/* A column's next value, which stays until the next record. False where it is corrupt, or r->no_memory. */
bool stamma_tag_reader_take(tag_reader *r, size_t column, stamma_text *value);
/* The next text of a column that is written out; where there is none c->at.failed, or r->no_memory. */
stamma_text stamma_tag_literal(tag_reader *r, tag_column *c);
/* The place of a key in a memory, made where it is not yet; NULL, and r->no_memory, when there is no memory. */
uint32_t *stamma_tag_memory_grow(tag_reader *r, buffer *memory, uint32_t key);
STAMMA_INLINE uint32_t *tag_memory(tag_reader *r, buffer *memory, uint32_t key)
{
    return STAMMA_LIKELY(key < memory->size / sizeof(uint32_t)) ? (uint32_t *)(void *)memory->data + key
                                                                : stamma_tag_memory_grow(r, memory, key);
}
/* Whether all streams are used up; `passed`: some records were. */
bool stamma_tag_reader_is_done(tag_reader *r, bool passed);

/* ---- passing records (tag_pass.c) ---- */

enum { TAG_PASS_MAX = 256 /* at once */ };

/* What is to be known of them. */
typedef struct tag_pass {
    uint8_t opened[TAG_PASS_MAX]; /* of each: there are moves, from the initial position */
    uint8_t (*has)[TAG_PASS_MAX]; /* by column: whether it has such a tag; 0 at first */
} tag_pass;

/* Whether the columns allow it; r->opening_of is to be set. */
bool stamma_tag_reader_can_pass(const tag_reader *r);
/* Begins to pass records. NULL: no memory. */
tag_pass *stamma_tag_reader_begin_pass(tag_reader *r);
/* Passes so many; `plies`: how many moves the main line of each has. Whoever reads on finds all as if they had been
 * read. CORRUPT, NO_MEMORY. */
stamma_error stamma_tag_reader_pass(tag_reader *r, const uint32_t *plies, size_t count);
/* Keeps what was read up to here, or goes back to it, in columns that can be passed. */
void stamma_tag_reader_keep(tag_reader *r, kept_state *k);
/* Brings an opening's place in the memory of a column that recalls by openings to what it would be if all records had
 * been read. CORRUPT, NO_MEMORY. */
stamma_error stamma_tag_column_recall(tag_reader *r, tag_column *c, uint32_t opening, uint32_t *memory);

/* ---- writing: a block's tags (tag_table.c) ---- */

/* The tags of a block. */
typedef struct tag_table {
    const stamma_allocator *allocator;
    size_t columns; /* at most TAG_CODED_MAX */
    size_t records;
    const game_facts *games; /* of each record */
    stamma_text names[TAG_CODED_MAX];
    const buffer *values[TAG_CODED_MAX]; /* as in the column: a zero byte behind each */
    uint8_t counterparts[TAG_CODED_MAX]; /* the column that says the same of the other colour, or TAG_NONE */
    uint32_t *numbers;                   /* of values: columns x records; 0 where a record has no such tag */
    bool mixed;                          /* columns may be in codec 8 */
    text_table texts;
    tag_plan plans[TAG_CODED_MAX];
    uint8_t order[TAG_CODED_MAX];  /* in which they are read */
    uint8_t places[TAG_CODED_MAX]; /* of each column in it */
} tag_table;

STAMMA_INLINE uint32_t tag_value(const tag_table *t, size_t column, size_t record)
{
    return t->numbers[column * t->records + record];
}
STAMMA_INLINE stamma_text tag_text(const tag_table *t, uint32_t number)
{
    return text_table_at(&t->texts, number);
}

/* Makes a table of columns whose names, values and texts.allocator are set; numbers are 1 where a record has the tag.
 * NO_MEMORY. */
stamma_error stamma_tag_table_fill(tag_table *t);
void stamma_tag_table_release(tag_table *t);
/* The column of that name; TAG_NONE where there is none. */
uint8_t stamma_tag_column_named(const tag_table *t, const char *name);

/* Decides which columns are numbers, and how they are predicted (number_plans.c). NO_MEMORY. */
stamma_error stamma_number_plans_choose(tag_table *t);
/* A number as 11.7 writes it; INT32_MIN for another text. */
int32_t stamma_tag_number(stamma_text text, bool plus);
/* Decides which sources texts have, and the order of the columns (derivations.c). NO_MEMORY. */
stamma_error stamma_derivations_choose(tag_table *t);
/* Whether a record's value begins with that of another column; behind it *tail. */
bool stamma_begins_with(const tag_table *t, size_t column, size_t record, size_t other, stamma_text *tail);

/* Codes a table's columns (tag_writer.c): t->order says which one is the next in the block, and `add` takes each, with
 * `codec` and `stored`. NO_MEMORY. */
typedef void tag_sink(void *context, size_t column, unsigned codec, const buffer *stored);
stamma_error stamma_tags_write(tag_table *t, field_packer *packer, tag_sink *add, void *context);
/* A column, or two counterparts, to be written in codec 8 (mixed_writer.c). */
typedef struct mixed_columns {
    const tag_table *t;
    size_t columns[2];
    unsigned count;
    size_t slots_left;
    size_t slots;      /* that were taken; 0: too few are left, and nothing is written */
    buffer stored[2];  /* empty before */
    uint64_t spelt[2]; /* bytes that were spelt, which a reader limits */
    uint32_t *numbers; /* by side and record: of the value among the texts; 0 before */
    uint8_t *levels;   /* likewise */
} mixed_columns;

/* NO_MEMORY. */
stamma_error stamma_mixed_columns_write(mixed_columns *m);
/* Chooses the sources of a column (mixed_sources.c). NO_MEMORY. */
stamma_error stamma_mixed_sources_choose(const tag_table *t, size_t column, mixed_plan *plan);
/* Appends a column of texts as they are, or as fields. NO_MEMORY. */
stamma_error stamma_tag_pack_texts(field_packer *packer, const buffer *texts, buffer *body, unsigned *codec);

#endif
