/* SPDX-License-Identifier: MIT */
/* Declarations for the files of `stamma find`. */
#ifndef STAMMA_FIND_H
#define STAMMA_FIND_H

#include "games/game_views.h"

/* A matching game. */
typedef struct found_game {
    size_t archive; /* index of the archive */
    uint64_t number;
    const uint32_t *plies;
    size_t ply_count;
} found_game;

/* ---- the archives (find_source.c) ---- */

/* An archive. It stays open while its games may be read. */
typedef struct find_source {
    tool_mapped file;
    tool_index_file index;
    stamma_archive *archive; /* NULL: it cannot be opened, because of `error`, which searches report */
    stamma_flags *flags;     /* NULL: they are not used */
    stamma_error error;
    stamma_archive_reader *reader; /* NULL until games are read */
    unsigned parts;                /* parts of the last game read */
    tool_walk walk;
} find_source;

/* The index file to use. */
typedef struct find_index {
    const char *path; /* NULL: the file next to the archive, if there is one */
    bool none;
} find_index;

/* Returns whether these options can be used together, with this number of archives. Prints a message if not. */
bool find_index_check(const find_index *index, size_t archives);
/* Opens an archive and its index file. Reports an index that cannot be used. Returns false, after a message, if the
 * archive, or the index file that was named, cannot be opened. */
bool find_source_open(const char *path, const find_index *index, find_source *source);
/* Reports that a search found the index damaged, which does not change its results. */
void find_source_check(const find_source *source);
void find_source_close(find_source *source);
/* Releases the memory for reading games until the next game is read. */
void find_source_rest(find_source *source);
/* Calls `visit` with `parts` of a game, and with each further piece of it. Returns false, after a message, if it
 * cannot be read, or if `visit` returns false. */
bool find_source_read(find_source *source, uint64_t number, unsigned parts,
                      bool (*visit)(void *context, const stamma_archive_game *game), void *context);
/* Reports why an archive could not be searched, and where. */
void find_source_fail(const find_source *source, stamma_error error, stamma_place place);

/* ---- games that occur several times (find_repeats.c) ---- */

/* The games of an archive that may be the same game as another. Initialise with zeros. */
typedef struct find_repeats {
    bool none;       /* they are not looked up: every game may occur several times */
    uint64_t passed; /* games that were asked for */
    stamma_game_lookup *lookup;
    const uint64_t *numbers;
    size_t count;
} find_repeats;

/* Returns whether a game may occur several times. When many games were asked for, looks up all of them in the index
 * file, if there is one that can be used. */
bool find_repeats_have(find_repeats *repeats, const find_source *source, uint64_t number);
void find_repeats_close(find_repeats *repeats);

/* ---- output of the games found (find_output.c) ---- */

typedef enum find_form {
    FIND_ROWS,
    FIND_COUNT,
    FIND_JSON,
    FIND_CSV,
    FIND_TSV,
    FIND_PGN,
    FIND_MATCHES,
    FIND_NUMBERS,
    FIND_WDL,
    FIND_ARCHIVE,
    FIND_NOTHING
} find_form;

typedef struct find_output {
    find_form form;
    bool json;                 /* WDL as an object */
    bool several;              /* several archives: print the name of each game's archive */
    const char *fields;        /* columns of JSON and tables; NULL: the default */
    char other_fields[1024];   /* the fields except match, match.fen and match.san */
    bool match_fen, match_san; /* fields of each ply of the match */
    bool mark;                 /* PGN: a comment at each ply of the match */
    bool board;                /* ROWS: a diagram of the first ply of the match */
    const tool_values *values; /* conditions of the search */
    const tool_value *player;  /* WDL: also count from the side of this player; NULL: none */
    stamma_query *white_query; /* whether the player has White */
    stamma_matcher *white_matcher;
    uint64_t of_player[4];  /* results for the player: unfinished, won, lost, drawn */
    unsigned parts;         /* parts to read of each game */
    uint64_t count;         /* games so far */
    uint64_t results[4];    /* unfinished, White's wins, Black's wins, draws */
    tool_text_end last_end; /* of the last game */
    bool failed;            /* a failure was reported */
    size_t fitted;          /* 1 + the archive that `rows` are fitted to */
    const found_game *now;  /* the game being printed */
    const char *archive;    /* the name of its archive */
    tool_rows rows;
    tool_table table;
    tool_variations variations;
    tool_output *output;           /* NULL: standard output */
    stamma_archive_writer *writer; /* if the form is ARCHIVE */
    stamma_archive_counts counts;  /* of the archive written */
} find_output;

/* Returns whether games must be read. If not, their numbers and plies are enough. */
bool find_output_reads(const find_output *o);
/* Sets `parts`. Returns false, after a message, if a field does not exist. */
bool find_output_choose(find_output *o);
/* Prints the output before the first game. */
bool find_output_begin(find_output *o, const stamma_archive_writer_options *writing);
/* Prints a game that need not be read. */
void find_output_number(find_output *o, const found_game *found, const char *archive);
/* Prints a game, or a further piece of it. Returns false if no more games can be printed. */
bool find_output_game(find_output *o, const found_game *found, const char *archive, const stamma_archive_game *game);
/* Prints the output after the last game. */
bool find_output_end(find_output *o);
void find_output_close(find_output *o);

/* ---- the plies of a match (find_match.c) ---- */

/* Prints the positions (FEN), or the moves (SAN, null for ply 0), at the plies of a match as a member of an object that
 * is open. */
void find_match_members(const found_game *found, const stamma_archive_game *game, bool fen, bool san);
/* The same as cells of a table, in which `; ` separates the plies. */
void find_match_cells(const found_game *found, const stamma_archive_game *game, bool fen, bool san, tool_table *table);
/* Prints a diagram of the position at the first ply of a match. */
void find_match_board(const found_game *found, const stamma_archive_game *game);
/* Returns the text of a game with the comment {match} after the move of each ply of the match; at ply 0 before the
 * first move. The caller frees it with free(). Returns NULL if memory is exhausted. */
char *find_match_mark(const found_game *found, const stamma_archive_game *game, size_t *size);

/* ---- keys that games are sorted by (sort_keys.c) ---- */

enum { FIND_SORT_KEYS = 4 };

/* A key: "number", "plies", "date" (the tag Date if it is known, otherwise UTCDate), "rating" (the mean rating of both
 * players), or the name of a tag. */
typedef struct find_order {
    char tag[64];
    bool descending;
} find_order;

typedef enum find_key_kind { KEY_NUMBER, KEY_TEXT, KEY_MISSING } find_key_kind; /* in this order */

/* The value of a key in a game. */
typedef struct find_key {
    find_key_kind kind;
    double number;
    char *text;
} find_key;

/* Returns whether the sort keys are valid. Prints a message if not. */
bool find_sort_check(const char *sort);
/* Reads keys separated by commas, the most important first; a dash before a key sorts in descending order. Returns
 * false, without a message, if there are too many keys or a name is too long. */
bool find_orders_read(const char *sort, find_order orders[FIND_SORT_KEYS], size_t *count);
/* Sets the options of a search for the first games in an order; `most`: their number. A search with an index file then
 * omits other games if it can order games by the first key. */
void find_orders_limit(const find_order *orders, size_t count, uint64_t most, stamma_search_options *options);
/* Reads the value of a key other than "number", which is unchanged. The game must have its tags. */
void find_key_read(const char *tag, const stamma_archive_game *game, find_key *key);
/* Compares the keys of two games. Games without a value are last, in both directions. */
int find_keys_compare(const find_order *orders, size_t count, const find_key *a, const find_key *b);
void find_keys_free(find_key *keys, size_t count);

/* ---- games in another order (find_sort.c) ---- */

typedef struct find_list {
    struct find_entry *entries;
    size_t count, room;
    uint32_t *plies;
    size_t ply_count, ply_room;
    struct find_piece *pieces;
    size_t piece_count, piece_room;
    find_order keys[FIND_SORT_KEYS];
    size_t key_count;
    unsigned parts; /* parts that the output needs of each game; 0: none */
    bool keeps;     /* all games are in `pieces`, because there are few */
} find_list;

/* Opens a list. `sort` has been checked. `parts`: parts of games that the output needs; 0: none. */
void find_list_open(find_list *list, const char *sort, unsigned parts);
/* Adds a game. `game`: its tags; NULL: they are read. Returns false, after a message, on failure. */
bool find_list_add(find_list *list, const found_game *found, find_source *source, const stamma_archive_game *game);
void find_list_sort(find_list *list);
/* Prints at most `limit` games from index `offset`. */
bool find_list_put(find_list *list, uint64_t offset, uint64_t limit, find_source *sources, find_output *output);
void find_list_close(find_list *list);

/* ---- conditions of searches (conditions.c) ---- */

/* Like tool_options_read, with the options of the conditions after the options of `usage`, which has at most 32. Stores
 * the conditions in `values`. */
bool tool_conditions_read(const tool_usage *usage, tool_values *values, int argc, char **argv, int *operands,
                          int *status);
/* Parses the conditions into one query, to be closed by the caller; NULL if there are no conditions. Returns false,
 * after a message that shows the place, if they are invalid. */
bool tool_conditions_parse(const tool_values *values, stamma_query **query);
/* Saves sound conditions as a question of the first archive (games/saved_questions.h). Returns false after a message.
 */
bool tool_conditions_save(const tool_values *values, const char *name);
/* Returns the only --player or --person; NULL if there is none, or several. */
const tool_value *tool_conditions_player(const tool_values *values);
/* Parses the condition that a player has White, and if `all`, also all other conditions. `player`: --player or
 * --person. Returns false after a message. */
bool tool_conditions_white(const tool_values *values, const tool_value *player, bool all, stamma_query **query);
/* Returns the name of a player for people: without `=`, and of a person the first name. Release it with free(). Returns
 * NULL, after a message, on failure. */
char *tool_conditions_label(const tool_values *values, const tool_value *player);
/* Prints a notice for each pattern without wildcards. For searches without a result. */
void tool_conditions_hint(const tool_values *values);
/* Positions of a game, oldest first. Initialise with zeros; free `list` with free(). */
typedef struct tool_line {
    stamma_position *list;
    size_t count;
} tool_line;

/* Removes --fen and --moves from the conditions and returns their position; the default is the initial position.
 * `before` receives the positions before it. Returns false, after a message, if they are invalid. */
bool tool_conditions_position(tool_values *values, stamma_position *position, tool_line *before);

#endif
