/* Answers that add up: what is known of games at a glance, trees and statistics of them, and their JSON. */
#ifndef STAMMA_EXPLORE_H
#define STAMMA_EXPLORE_H

#include "archive/archive.h"
#include "archive/search_columns.h"
#include "base/tables.h"
#include "notation/notation.h"
#include "openings/openings.h"
#include "search/search.h"

/* ---- game_summary.c: what a game's tags say, as numbers ---- */

typedef struct game_summary {
    uint16_t ratings[2]; /* [color], 1..9999; 0: not known */
    stamma_result result;
    uint32_t date; /* year * 10000 + month * 100 + day; what is not known is 0, and so is what stands behind it */
} game_summary;

/* TAGS and RESULT must have been read. */
game_summary stamma_game_summary_of(const stamma_archive_game *game);
/* How many plies were played when a game first has a position, which *p becomes; SIZE_MAX where it never has. MOVES
 * must have been read. */
size_t stamma_game_find_position(const stamma_archive_game *game, const stamma_position *wanted, stamma_position *p);
/* The date of a tag value as a number, year * 10000 + month * 100 + day; unknown parts are 0. */
uint32_t stamma_date_number(stamma_text value);
/* Replaces `utf8` by a tag's value without its escapes; bytes that are no UTF-8 are taken as Latin-1 (PGN
 * standard 4.1). False when there is no memory. */
bool stamma_tag_text(stamma_text value, buffer *utf8);

/* ---- json_writer.c: JSON (RFC 8259) into a caller's space, as text writers do ---- */

typedef struct json_writer {
    char *out;
    size_t size;
    size_t length; /* of all, whether it fits or not */
    bool comma;    /* a value stands before the next one */
} json_writer;

/* A key of NULL is for the members of a list. Texts must be UTF-8. */
void stamma_json_open(json_writer *w, const char *key, char bracket);
void stamma_json_close(json_writer *w, char bracket);
void stamma_json_text(json_writer *w, const char *key, stamma_text text); /* no data: null */
/* A text in pieces. */
void stamma_json_begin_text(json_writer *w, const char *key);
void stamma_json_add_text(json_writer *w, stamma_text piece);
void stamma_json_end_text(json_writer *w);
void stamma_json_string(json_writer *w, const char *key, const char *string);
void stamma_json_number(json_writer *w, const char *key, uint64_t number);
void stamma_json_integer(json_writer *w, const char *key, int64_t number);
/* A number that is a text already. */
void stamma_json_digits(json_writer *w, const char *key, stamma_text digits);
/* A number of hundredths, with two digits behind its point. */
void stamma_json_hundredths(json_writer *w, const char *key, uint64_t hundredths);
/* The length; what does not fit becomes an empty text. */
size_t stamma_json_end(json_writer *w);

/* ---- json_members.c: JSON that was written here read back ---- */

typedef struct value_reader {
    json_reader json;
    bool failed; /* json.fault says where, and what is wrong; what was given since means nothing */
    bool no_memory;
} value_reader;

/* Reads it and its member "kind", which must be this. To be closed in any case. SYNTAX, NO_MEMORY. */
stamma_error stamma_json_open_value(value_reader *r, stamma_text json, const stamma_allocator *allocator,
                                    const char *kind);
/* Gives the error, and with SYNTAX *fault, which may be NULL. */
stamma_error stamma_json_close_value(value_reader *r, stamma_error error, stamma_query_fault *fault);

/* NULL where there is none. */
const json_value *stamma_json_find(const value_reader *r, const json_value *object, const char *name);
/* NULL and a fault where there is none, or it is of another kind; and so on. */
const json_value *stamma_json_member(value_reader *r, const json_value *object, const char *name, json_kind kind);
uint64_t stamma_json_count(value_reader *r, const json_value *object, const char *name);
stamma_text stamma_json_word(value_reader *r, const json_value *object, const char *name);
stamma_text stamma_json_word_or_null(value_reader *r, const json_value *object, const char *name); /* {NULL, 0} */
/* A fault unless what was read of it can have been written. */
void stamma_json_expect(value_reader *r, bool right, const json_value *object, const char *name);

/* ---- tree.c ---- */

enum { TREE_GAMES = 15 };

/* The first games of an order, of which each has one place, whichever way it comes. */
typedef struct tree_games {
    size_t count;
    stamma_tree_game games[TREE_GAMES];
} tree_games;

struct stamma_tree {
    stamma_allocator allocator;
    stamma_position position;
    bool chess960; /* castling is written as king takes rook */
    stamma_tree_counts counts;
    buffer moves; /* stamma_tree_move each */
    text_table texts; /* of the games that are kept */
    tree_games top, recent;
    bool history;       /* games are counted by month: */
    buffer months;      /* tree_results each, from .. */
    size_t first_month; /* .. this one on; 12 times the year and the month, from 0 */
};

typedef struct tree_results {
    uint64_t white, draws, black;
} tree_results;

/* The date of a month of the search columns (clause 19.4); one that is odd is not known. */
STAMMA_INLINE uint32_t tree_date_of_month(unsigned month)
{
    return month == SEARCH_ODD_MONTH ? 0 : month / SEARCH_YEAR * 10000u + month % SEARCH_YEAR * 100u;
}
/* Adds finished games of the month of a date, which is passed over where that is not known. False when there is no
 * memory. */
bool stamma_tree_count_month(stamma_tree *tree, uint32_t date, const tree_results *more);
/* Adds counts of a move, with its examples; those of the whole tree are another matter. NO_MEMORY. */
stamma_error stamma_tree_count_move(stamma_tree *tree, const stamma_tree_move *move);
/* Keeps a game among the top ones or the recent ones, if it belongs there. False when there is no memory. */
bool stamma_tree_keep_top(stamma_tree *tree, const stamma_tree_game *game);
bool stamma_tree_keep_recent(stamma_tree *tree, const stamma_tree_game *game);
/* Counts a game, but for its date, with the ratings of both, 0: not known, and who was to move. */
void stamma_tree_count(stamma_tree_counts *sum, unsigned white, unsigned black, stamma_result result, unsigned mover);
void stamma_tree_add_counts(stamma_tree_counts *sum, const stamma_tree_counts *more);

/* ---- book.c ---- */

/* Of the same position and as many plies. */
stamma_error stamma_book_open_like(const stamma_book *other, const stamma_allocator *allocator, stamma_book **book);

/* ---- stats.c ---- */

/* Rows by their names, numbered as they come. */
typedef struct stats_table {
    text_table names;
    buffer rows;   /* stamma_stats_row each, in the order of the names' numbers */
    buffer sorted; /* pointers to them as they are given; empty: not sorted yet */
} stats_table;

struct stamma_stats {
    stamma_allocator allocator;
    stamma_stats_total total;
    stats_table tables[STAMMA_STATS_TABLES];
    buffer text; /* of a tag, to be looked for */
};

/* Adds to the row of that name, which has a size. False when there is no memory. */
bool stamma_stats_add_row(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row);
/* The same of a row that is to have this name, a number, or a tag's value; an empty one has no row. */
bool stamma_stats_add_named(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row,
                            stamma_text name);
bool stamma_stats_add_number(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row,
                             uint64_t number);
bool stamma_stats_add_value(stamma_stats *stats, stamma_stats_table table, const stamma_stats_row *row,
                            stamma_text value);
void stamma_stats_add_total(stamma_stats_total *sum, const stamma_stats_total *more);
void stamma_stats_add_results(stamma_stats_results *sum, const stamma_stats_results *more);
stamma_stats_results stamma_stats_results_of(stamma_result result);
/* Whether the tag ECO says a code: its first three characters are one. */
bool stamma_stats_is_eco(stamma_text value);
/* Writes moves from a position on as names of rows have them, two at most; how long that is. */
size_t stamma_stats_first_moves(const stamma_position *start, const stamma_move *moves, size_t count,
                                char text[2 * STAMMA_SAN_SIZE]);

/* A table as JSON has it. */
typedef struct stats_form {
    const char *key;
    const char *name; /* of the member with the row's name ... */
    bool number;      /* ... which is a number */
    bool sides;       /* rows have results by side */
} stats_form;
extern const stats_form stamma_stats_forms[STAMMA_STATS_TABLES]; /* stats_json.c */

/* The number of the opening whose position this is; 0 for none. */
STAMMA_INLINE unsigned opening_of_position(const stamma_position *p)
{
    return stamma_opening_with(p->key ^ castling_key(p));
}

#endif
