/* SPDX-License-Identifier: MIT */
/* Views of one game for people and programs: its variations, formats, fields and rows. */
#ifndef STAMMA_TOOL_GAMES_H
#define STAMMA_TOOL_GAMES_H

#include "shared/tool.h"

/* ---- stopping (game_variations.c, game_fields.c) ---- */

/* Decides whether work on a game must stop. After `is_stopped` has returned true, it must always return true. */
typedef struct tool_stop {
    bool (*is_stopped)(void *context);
    void *context;
} tool_stop;

enum { TOOL_STEPS_AT_ONCE = 1024 };

/* Returns whether work must stop, before the step with a number from 0. Calls `is_stopped` only before some steps.
 * `stop` may be NULL: work never stops. */
static inline bool tool_is_stopped(const tool_stop *stop, size_t step)
{
    return stop && step % TOOL_STEPS_AT_ONCE == 0 && stop->is_stopped(stop->context);
}

/* ---- variations of a game (game_variations.c) ---- */

typedef struct tool_variation {
    size_t within; /* the enclosing variation, from 0; SIZE_MAX: the main line */
    size_t ply;    /* ply of its first move */
    size_t first;  /* its first item that is not in a nested variation; SIZE_MAX: none */
} tool_variation;

/* Notes on an item in a variation. */
typedef struct tool_variation_note {
    size_t next;                                     /* next item of the same variation; SIZE_MAX: none */
    char san[STAMMA_SAN_SIZE], uci[STAMMA_UCI_SIZE]; /* a move as text */
} tool_variation_note;

typedef struct tool_variations {
    size_t count;
    tool_variation *list;       /* in the order in which they begin */
    tool_variation_note *notes; /* one for each item of the game */
    size_t list_room, note_room;
    struct tool_branch *branches; /* used while reading */
    const tool_stop *stop;        /* stops reading; NULL: never */
} tool_variations;

/* Reads the variations of a game into a struct that is zero or was used before. The game must have its moves and
 * variations. Returns false if it was stopped or, after a message, if memory is exhausted. */
bool tool_variations_read(tool_variations *variations, const stamma_archive_game *game, bool chess960);
void tool_variations_free(tool_variations *variations);

/* ---- one game on standard output (game_formats.c, game_fields.c, game_plies.c, table_cells.c) ---- */

typedef struct tool_view {
    bool legal_en_passant; /* en passant square only if a capture is legal */
    bool json;             /* print plies as objects */
    const stamma_archive_game *game;
    bool chess960;
    bool set_up; /* the game starts in `fen`, not in the initial position */
    char fen[STAMMA_FEN_SIZE];
    const tool_variations *variations; /* set if the format prints variations */
    uint32_t *frequencies;             /* of each move according to the predictor; NULL: not available */
    size_t frequencies_room;
    /* stops the predictor, and printing members of JSON, which are then incomplete; NULL: never */
    const tool_stop *stop;
} tool_view;

/* Runs the predictor on the moves of the game, with its ratings and time control. Returns false if it was stopped or
 * memory is exhausted. Without weights no frequencies are stored. */
bool tool_view_predict(tool_view *view);
/* Returns the information in bits of a move of this frequency (of STAMMA_PREDICT_TOTAL), or of a move of the game. */
double tool_bits_of(uint32_t frequency);
double tool_view_bits(const tool_view *view, size_t ply);

/* Sets all members except the first two, the variations, the frequencies and `stop`. */
void tool_view_game(tool_view *view, const stamma_archive_game *game);

void tool_game_pgn(const tool_view *view);
void tool_game_uci(const tool_view *view);
void tool_game_fen(const tool_view *view);
void tool_game_epd(const tool_view *view);
/* Writes the FEN of a position of the game. */
size_t tool_view_fen(const tool_view *view, const stamma_position *position, char fen[STAMMA_FEN_SIZE]);

/* Table cells separated by tabs, with tabs and line ends replaced by blanks; or separated by commas (RFC 4180), with
 * an apostrophe before text that a spreadsheet would read as a formula. */
typedef struct tool_table {
    bool tabs;
    bool raw;     /* no apostrophes */
    bool headed;  /* the names of the columns were written */
    size_t cells; /* number of cells in this row */
} tool_table;

/* Begins a cell. The caller puts its text, which must not need quotes. */
void tool_cell_begin(tool_table *table);
void tool_cell_text(tool_table *table, stamma_text text);
void tool_cell_string(tool_table *table, const char *string);
void tool_cell_word(tool_table *table, stamma_text word); /* must not need quotes */
void tool_cell_number(tool_table *table, uint64_t number);
/* Writes numbers separated by blanks. */
void tool_cell_numbers(tool_table *table, const uint32_t *numbers, size_t count);
void tool_row_end(tool_table *table);
/* Writes a row of names. */
void tool_names_row(tool_table *table, const char *const *names, size_t count);
/* Write the value of a tag without escapes: as a member, which is null if the tag is missing, and as a cell. */
void tool_tag_member(const stamma_archive_game *game, stamma_text name);
void tool_tag_cell(const stamma_archive_game *game, stamma_text name, tool_table *table);

/* Returns all fields of JSON, separated by commas, with or without `bits`. */
const char *tool_fields_all(bool bits);
/* Returns the default fields of lists of games, as JSON and as tables. */
const char *tool_fields_listed(void);
/* Checks that all fields exist, and can be cells if `table` is set; prints a message if not. Stores the parts of a
 * game that they need, STAMMA_GAME_... values, in *parts. */
bool tool_fields_check(const char *list, bool table, unsigned *parts);
/* Reads the next name of a list. Returns false at its end. */
bool tool_fields_next(const char **list, stamma_text *name);
/* Returns whether a list contains a field. NULL: an empty list. */
bool tool_fields_has(const char *list, const char *name);
/* Returns whether a field is a tag, by its name. */
bool tool_fields_is_tag(stamma_text name);
void tool_fields_json(const char *list, const tool_view *view);
void tool_fields_members(const char *list, const tool_view *view); /* of an object that is open */
/* Begins the row of names before the first game, or at the end if there is none. Returns false if the names were
 * written before. The caller ends the row. */
bool tool_fields_head(tool_table *table, const char *list, bool archive);
/* Writes the cells of a game to the current row. */
void tool_fields_cells(const char *list, const tool_view *view, tool_table *table);

/* ---- a row for each ply (game_plies.c) ---- */

/* Returns the default fields, separated by commas. */
const char *tool_plies_all(bool bits);
/* Checks that all fields exist, and prints a message if not. Stores the parts of a game that they need in *parts. */
bool tool_plies_check(const char *list, unsigned *parts);
/* Prints the rows of a game: objects if view->json is set, otherwise rows of a table. */
void tool_plies_print(const char *list, const tool_view *view, tool_table *table);

/* ---- times and evaluations (game_fields.c) ---- */

/* Write milliseconds. Numbers below 0 become null and an empty text. */
void tool_json_time(const char *key, int64_t milliseconds);
void tool_time_text(int64_t milliseconds, char out[TOOL_NUMBER_SIZE]);
/* Write the number of an evaluation of this kind. Other evaluations become null and an empty text. */
void tool_json_evaluation(const char *key, stamma_evaluation evaluation, stamma_evaluation_kind kind);
void tool_evaluation_text(stamma_evaluation evaluation, stamma_evaluation_kind kind, char out[TOOL_NUMBER_SIZE]);

/* Returns whether castling in this position must be written as king takes rook. */
bool tool_is_chess960(const stamma_position *position);

/* ---- a game on one line for people (game_rows.c) ---- */

typedef struct tool_rows {
    const char *archive; /* printed before each number; NULL: not printed */
    size_t columns;      /* columns of the terminal; 0: no limit */
    size_t name;         /* columns of a player's name */
    size_t event;        /* columns of the event */
    bool narrow;         /* omit date, ECO code and plies */
} tool_rows;

/* Sets all members to fit the terminal. */
void tool_rows_fit(tool_rows *rows, const char *archive);
/* Prints a game, which must have its tags and result. */
void tool_row_print(const tool_rows *rows, const stamma_archive_game *game);
/* Returns the Date tag; if it is missing, the UTCDate tag. */
stamma_text tool_date(const stamma_archive_game *game);
enum { TOOL_DATE_SIZE = 16 };
/* Writes the known part of the date, such as "2010-05-31" or "2010-05": of the Date tag, or of the UTCDate tag if the
 * year of the Date tag is unknown. Returns NULL if the year is unknown. */
const char *tool_iso_date(const stamma_archive_game *game, char text[TOOL_DATE_SIZE]);

#endif
