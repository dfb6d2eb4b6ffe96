/* Search columns (clause 19): of every record what a search must know to pass it over without decoding it, as arrays
 * for vector instructions. Nobody reads games by them: they repeat what the games say, and may be missing. */
#ifndef STAMMA_ARCHIVE_SEARCH_COLUMNS_H
#define STAMMA_ARCHIVE_SEARCH_COLUMNS_H

#include "entropy/entropy.h"
#include "record/record.h"

enum { CODEC_SEARCH = 7 };
enum {
    SEARCH_PROMOTED = 9, /* from here on counts of pawns are those of a side that promoted, less this (19.2) */
    SEARCH_OTHER_RESULT = 3,
    SEARCH_ODD_RATING = 4095, /* no number, or not below this: the tag tells */
    SEARCH_YEAR = 13,         /* so many months has a year, the unknown one among them, which is its first */
    SEARCH_ODD_MONTH = 65535, /* the tag tells */
    SEARCH_PADDING = 64       /* bytes that may be read behind an array */
};

/* What they say of one record (19.2, 19.4). */
typedef struct search_entry {
    uint16_t home_pawns; /* bit f: White's pawn on its home square on file f; bit 8 + f: Black's */
    uint8_t pawns;       /* low four bits White's; high four Black's */
    uint8_t pieces[2];   /* two bits each: knights, bishops, rooks, queens */
    uint8_t result;      /* 0 White won, 1 Black won, 2 drawn */
    uint16_t rating[2];  /* 0: none */
    uint16_t month;      /* SEARCH_YEAR times the year and the month, 0 where that is unknown; 0: the year is, too */
} search_entry;

/* Of a record whose main line ends in `end`, which is not looked at where there are no moves. */
search_entry stamma_search_entry(const record *r, const stamma_position *end);

/* Its month, of these values of Date and UTCDate. */
uint16_t stamma_search_month(stamma_text date, stamma_text utc_date);

/* ---- writing (search_columns.c) ---- */

/* Appends the plain bytes of the two columns for so many records. */
void stamma_search_signatures(const search_entry *entries, size_t count, buffer *plain);
void stamma_search_facts(const search_entry *entries, size_t count, buffer *plain);
/* Appends one of them as it is stored; *codec says how. NO_MEMORY. */
stamma_error stamma_search_pack(byte_packer *coder, unsigned id, const buffer *plain, buffer *body, uint8_t *codec);

/* ---- reading (search_reader.c) ---- */

typedef enum search_state {
    SEARCH_MISSING,
    SEARCH_UNKNOWN, /* of a later format */
    SEARCH_DAMAGED, /* its checksum differs, or it does not unpack */
    SEARCH_READ
} search_state;

enum { SEARCH_STREAMS = 8 };

/* The search columns of a block as arrays of one element a record, which have SEARCH_PADDING bytes behind them; those
 * of a column that is not SEARCH_READ are not to be looked at. */
typedef struct search_columns {
    bool without_facts; /* the caller's: they are not wanted, and stay SEARCH_MISSING */
    size_t records;
    search_state signatures;
    search_state facts;
    const uint16_t *home_pawns;
    const uint8_t *pawns;
    const uint8_t *pieces[2];
    const uint8_t *result;
    const uint16_t *rating[2];
    const uint16_t *month;
    /* private */
    byte_packer coder;
    buffer streams[SEARCH_STREAMS];
    buffer work;
    buffer arrays[2]; /* of either column */
} search_columns;

void stamma_search_columns_init(search_columns *s, const stamma_allocator *allocator);
void stamma_search_columns_release(search_columns *s);
/* Gives back what only opening needs. */
void stamma_search_columns_trim(search_columns *s);
/* Takes a block's head and its stored columns, of which nothing is kept. What is wrong with a search column is its
 * state; CORRUPT where the directory itself is, NO_MEMORY. */
stamma_error stamma_search_columns_open(search_columns *s, cursor head, cursor body);
/* Whether what was read, if it was, says of a record what its entry does. */
bool stamma_search_signature_is(const search_columns *s, size_t n, const search_entry *e);
bool stamma_search_facts_are(const search_columns *s, size_t n, const search_entry *e);

/* ---- what search_writer.c and search_reader.c share (clauses 19.3, 19.5) ---- */

/* Bytes a record of the plain columns. */
enum { SIGNATURE_BYTES = 5, FACTS_BYTES = 7 };
/* Streams of codec 7. */
enum { HOME_LEFT, HOME_RIGHT, HOME_SORTED, SIGNATURE_STREAMS = HOME_SORTED + 6 };
enum { FACT_RESULTS, FACT_CHANGES, FACT_RATINGS, FACT_RATING_RESTS, FACT_MONTHS, FACT_FAR_MONTHS, FACT_STREAMS };
enum {
    HOME_MANY = 3,       /* records with fewer home pawns stand before the others */
    RATING_DISTANCE = 4, /* that far back the same rating is looked for */
    RATING_STEP = 25,    /* what others are divided by */
    FAR_MONTH = 255      /* in place of a difference */
};

/* How many home pawns White has, in the low four bits, and Black, where `left` and `right` are the bytes of the streams
 * of home pawns. */
STAMMA_INLINE unsigned home_counts(unsigned left, unsigned right)
{
    left -= left >> 1 & 0x55;
    right -= right >> 1 & 0x55;
    return (left & 0x33) + (left >> 2 & 0x33) + (right & 0x33) + (right >> 2 & 0x33);
}
STAMMA_INLINE bool home_is_many(unsigned counts)
{
    return (counts & 15) + (counts >> 4) >= HOME_MANY;
}

#endif
