/* SPDX-License-Identifier: MIT */
/* The answers room: results of all matching games that can be merged (trees, statistics and books), and JSON. */
#ifndef STAMMA_ANSWERS_H
#define STAMMA_ANSWERS_H

#include "base/tables.h"
#include "block/search_columns.h"
#include "index/index.h"
#include "notation/notation.h"
#include "openings/openings.h"
#include "search/search.h"
#include "stats/stats.h"

/* ---- json_writer.c: writes JSON (RFC 8259) to a buffer of the caller ---- */

typedef struct json_writer {
    char *out;
    size_t size;
    size_t length; /* total length, even if the text does not fit */
    bool comma;    /* a comma is needed before the next value */
} json_writer;

/* Write parts of a JSON text. `key` is NULL for elements of a list. Texts must be UTF-8. */
void stamma_json_open(json_writer *w, const char *key, char bracket);
void stamma_json_close(json_writer *w, char bracket);
void stamma_json_text(json_writer *w, const char *key, stamma_text text); /* null if text.data is NULL */
/* Write one text in several pieces. */
void stamma_json_begin_text(json_writer *w, const char *key);
void stamma_json_add_text(json_writer *w, stamma_text piece);
void stamma_json_end_text(json_writer *w);
void stamma_json_string(json_writer *w, const char *key, const char *string);
void stamma_json_number(json_writer *w, const char *key, uint64_t number);
void stamma_json_integer(json_writer *w, const char *key, int64_t number);
/* Writes a number from its digits. */
void stamma_json_digits(json_writer *w, const char *key, stamma_text digits);
/* Writes a number given in hundredths, with two decimals. */
void stamma_json_hundredths(json_writer *w, const char *key, uint64_t hundredths);
/* Ends the text and returns its length. If it does not fit, the buffer contains an empty text. */
size_t stamma_json_end(json_writer *w);

/* ---- json_members.c: reads JSON that this room has written ---- */

typedef struct value_reader {
    json_reader json;
    bool failed; /* json.fault contains the error; values returned afterwards are meaningless */
    bool no_memory;
} value_reader;

/* Reads a JSON text whose member "kind" must have this value. The reader must be closed even after an error. Errors:
 * SYNTAX, NO_MEMORY. */
stamma_error stamma_json_open_value(value_reader *r, stamma_text json, const stamma_allocator *allocator,
                                    const char *kind);
/* Closes the reader and returns `error`. If it is SYNTAX, stores the details in *fault, which may be NULL. */
stamma_error stamma_json_close_value(value_reader *r, stamma_error error, stamma_query_problem *fault);

/* Returns a member, or NULL if there is none. */
const json_value *stamma_json_find(const value_reader *r, const json_value *object, const char *name);
/* Return a member or its value. If the member is missing or has another kind, the reader fails; the first function then
 * returns NULL, the others 0 or an empty text. */
const json_value *stamma_json_member(value_reader *r, const json_value *object, const char *name, json_kind kind);
uint64_t stamma_json_count(value_reader *r, const json_value *object, const char *name);
stamma_text stamma_json_word(value_reader *r, const json_value *object, const char *name);
stamma_text stamma_json_word_or_null(value_reader *r, const json_value *object, const char *name); /* null: {NULL, 0} */
/* Reports an error at a member if its value is not right. */
void stamma_json_expect(value_reader *r, bool right, const json_value *object, const char *name);

/* ---- tree.c ---- */

enum { TREE_GAMES = 15 };

/* The first games in some order, independent of the order in which games are added. */
typedef struct tree_games {
    size_t count;
    stamma_tree_game games[TREE_GAMES];
} tree_games;

struct stamma_tree {
    stamma_allocator allocator;
    stamma_position position;
    bool chess960; /* castling must be written as king takes rook */
    stamma_tree_counts counts;
    buffer moves;     /* stamma_tree_move[] */
    text_table texts; /* texts of the games that are kept */
    tree_games top, recent;
    bool history;       /* games are counted by month, in `months` */
    buffer months;      /* tree_results[], from first_month on */
    size_t first_month; /* 12 times the year, plus the month from 0 */
};

typedef struct tree_results {
    uint64_t white, draws, black;
} tree_results;

/* Returns the date of a month of the search columns (clause 20.4), or 0 if the month is odd. */
STAMMA_INLINE uint32_t tree_date_of_month(unsigned month)
{
    return month == SEARCH_ODD_MONTH ? 0 : month / SEARCH_YEAR * 10000u + month % SEARCH_YEAR * 100u;
}
/* Adds finished games to the month of a date. Does nothing if the month is unknown. Returns false if memory is
 * exhausted. */
bool stamma_tree_count_month(stamma_tree *tree, uint32_t date, const tree_results *more);
/* Adds counts of a move, and its examples, but does not change the tree's total. Returns NO_MEMORY on failure. */
stamma_error stamma_tree_count_move(stamma_tree *tree, const stamma_tree_move *move);
/* Keep a game in the list of top or recent games if it ranks high enough. Return false if memory is exhausted. */
bool stamma_tree_keep_top(stamma_tree *tree, const stamma_tree_game *game);
bool stamma_tree_keep_recent(stamma_tree *tree, const stamma_tree_game *game);
/* Counts a game, except for its date. `white` and `black` are ratings, 0: unknown; `mover` is the side to move. Sets
 * `opponents`, `opponent_sum` and `half_points` to the sums of `mover`. */
void stamma_tree_count(stamma_tree_counts *sum, unsigned white, unsigned black, stamma_result result, unsigned mover);
void stamma_tree_add_counts(stamma_tree_counts *sum, const stamma_tree_counts *more);

/* ---- tree_sums.c ---- */

/* Returns the result that a search column contains. */
stamma_result stamma_result_of_column(unsigned result);
/* Adds the sums of games that reach the tree's position. Errors: CORRUPT if a code has no move; NO_MEMORY. */
stamma_error stamma_tree_add_sums(stamma_tree *tree, stamma_text archive, const index_sums *sums);

/* ---- gather.c ---- */

struct gathering;
/* Adds the matches of a search to a result. If the search fails, the result is unchanged; if merging fails, the result
 * may be changed. *place, which may be NULL, is set as by stamma_search_place. Errors: as stamma_search_open and
 * stamma_search_next. */
stamma_error stamma_gather(stamma_archive *archive, const stamma_query *query,
                           const stamma_search_options *options, const struct gathering *g, stamma_place *place);

/* ---- book.c ---- */

/* Opens an empty book for the same position and number of plies. */
stamma_error stamma_book_open_like(const stamma_book *other, const stamma_allocator *allocator, stamma_book **book);

/* ---- stats_json.c ---- */

/* The form of a table in JSON. */
typedef struct stats_form {
    const char *key;
    const char *name; /* of the member with the row's name ... */
    bool number;      /* ... which is a number */
    bool sides;       /* rows have results by color */
} stats_form;
extern const stats_form stamma_stats_forms[STAMMA_STATS_TABLES];

/* Returns the number of the opening with this position, or 0. */
STAMMA_INLINE unsigned opening_of_position(const stamma_position *p)
{
    return stamma_opening_with(p->key ^ castling_key(p));
}

#endif
