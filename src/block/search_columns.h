/* SPDX-License-Identifier: MIT */
/* Search columns (clause 20): arrays of facts about each record, for vector instructions. A search uses them to skip
 * records without decoding them. They only repeat facts of the games. Reading games does not need them, and a block may
 * lack them. */
#ifndef STAMMA_ARCHIVE_SEARCH_COLUMNS_H
#define STAMMA_ARCHIVE_SEARCH_COLUMNS_H

#include "entropy/entropy.h"
#include "record/record.h"

enum { CODEC_SEARCH = 7 };
enum {
    SEARCH_PROMOTED = 9, /* if a side promoted a pawn, its number of pawns is stored plus this value (20.2) */
    SEARCH_OTHER_RESULT = 3,
    SEARCH_ODD_RATING = 4095, /* the tag is not a number below this value; the tag must be read */
    SEARCH_YEAR = 13,         /* number of values for the month, including 0 for an unknown month */
    SEARCH_ODD_MONTH = 65535, /* the tag is not a valid date; the tag must be read */
    SEARCH_PADDING = 64       /* number of bytes after an array that may be read */
};

/* The facts of one record (20.2, 20.4). */
typedef struct search_entry {
    uint16_t home_pawns; /* bit f: White's pawn on its home square on file f; bit 8 + f: Black's */
    uint8_t pawns;       /* low four bits: White's; high four bits: Black's */
    uint8_t pieces[2];   /* two bits each: knights, bishops, rooks, queens */
    uint8_t result;      /* 0 White won, 1 Black won, 2 draw */
    uint16_t rating[2];  /* 0: none */
    uint16_t month;      /* SEARCH_YEAR times the year plus the month, which is 0 if unknown; 0: the year is unknown */
    bool other_draw;     /* only the tag has a result, a draw in other words; may be SEARCH_OTHER_RESULT (20.4) */
} search_entry;

/* Returns the entry of a record. `end` is the position after its main line; it is not used if there are no moves. */
search_entry stamma_search_entry(const record *r, const stamma_position *end);

/* Returns an entry with the facts (20.4) from the values of the tags WhiteElo and BlackElo, Date and UTCDate. */
search_entry stamma_search_facts_of(const stamma_text ratings[2], stamma_text date, stamma_text utc_date,
                                    uint8_t result);

/* Returns the month from the values of Date and UTCDate. */
uint16_t stamma_search_month(stamma_text date, stamma_text utc_date);
/* Returns the day of this month as it is written, 1 to 31; 0 if it is unknown or the month is SEARCH_ODD_MONTH. */
uint8_t stamma_search_day(stamma_text date, stamma_text utc_date);

/* ---- writing (search_columns.c) ---- */

/* Appends the plain bytes of the two columns for `count` records. */
void stamma_search_signatures(const search_entry *entries, size_t count, buffer *plain);
void stamma_search_facts(const search_entry *entries, size_t count, buffer *plain);
/* Appends a stored search column. *codec is its codec. NO_MEMORY. */
stamma_error stamma_search_pack(byte_packer *coder, unsigned id, const buffer *plain, buffer *body, uint8_t *codec);

/* ---- reading (search_reader.c) ---- */

typedef enum search_state {
    SEARCH_MISSING,
    SEARCH_UNKNOWN, /* of a later format */
    SEARCH_DAMAGED, /* its checksum is wrong, or it does not decode */
    SEARCH_READ
} search_state;

enum { SEARCH_STREAMS = 8 };

/* The search columns of a block as arrays with an element for each record, followed by SEARCH_PADDING bytes. Arrays of
 * a column that is not SEARCH_READ must not be used. */
typedef struct search_columns {
    bool without_facts; /* set by the caller: facts are not needed, and stay SEARCH_MISSING */
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
    buffer arrays[2]; /* of each column */
} search_columns;

void stamma_search_columns_init(search_columns *s, const stamma_allocator *allocator);
void stamma_search_columns_release(search_columns *s);
/* Releases the memory that is only needed for opening. */
void stamma_search_columns_trim(search_columns *s);
/* Opens the search columns of a block from its head and stored columns, which are not needed afterwards. Damage to a
 * column is reported as its state. Returns CORRUPT if the directory is invalid; NO_MEMORY. */
stamma_error stamma_search_columns_open(search_columns *s, cursor head, cursor body);
/* Return whether the signatures, or the facts, of record `n` are equal to an entry. */
bool stamma_search_signature_is(const search_columns *s, size_t n, const search_entry *e);
bool stamma_search_facts_are(const search_columns *s, size_t n, const search_entry *e);

/* ---- proving (search_proof.c) ---- */

/* Returns the entry of a decoded record, without code of stamma_search_entry. `end` has the same meaning as there. */
search_entry stamma_search_proof(const record *r, const stamma_position *end);
/* Compares the columns that were read with the decoded record `n`. Sets differs[0] if the signatures differ, and
 * differs[1] if the facts differ. */
void stamma_search_compare(const search_columns *s, size_t n, const record *r, const stamma_position *end,
                           bool differs[2]);

/* ---- shared by search_writer.c and search_reader.c (clauses 20.3, 20.5) ---- */

/* Bytes for each record in the plain columns. */
enum { SIGNATURE_BYTES = 5, FACTS_BYTES = 7 };
/* Streams of codec 7. */
enum { HOME_LEFT, HOME_RIGHT, HOME_SORTED, SIGNATURE_STREAMS = HOME_SORTED + 6 };
enum { FACT_RESULTS, FACT_CHANGES, FACT_RATINGS, FACT_RATING_RESTS, FACT_MONTHS, FACT_FAR_MONTHS, FACT_STREAMS };
enum {
    HOME_MANY = 3,       /* records with fewer home pawns come first */
    RATING_DISTANCE = 4, /* maximum distance to an equal rating */
    RATING_STEP = 25,    /* divisor of other ratings */
    FAR_MONTH = 255      /* stored in place of a difference */
};

/* Returns the number of White's home pawns in the low four bits, and the number of Black's in the high four bits.
 * `left` and `right` are the bytes of the streams of home pawns. */
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
