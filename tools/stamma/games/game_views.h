/* One game for people and for programs: its variations, formats, fields and rows. */
#ifndef STAMMA_TOOL_GAMES_H
#define STAMMA_TOOL_GAMES_H

#include "shared/tool.h"

/* ---- variations of a game (game_variations.c) ---- */

typedef struct tool_variation {
    size_t within; /* the variation around it, from 0; SIZE_MAX: the main line */
    size_t ply;    /* of its first move */
    size_t first;  /* of the items in it, not in one that it holds; SIZE_MAX: none */
} tool_variation;

/* Of an item in a variation. */
typedef struct tool_variation_note {
    size_t next;                                     /* item of the same variation; SIZE_MAX: none */
    char san[STAMMA_SAN_SIZE], uci[STAMMA_UCI_SIZE]; /* of a move */
} tool_variation_note;

typedef struct tool_variations {
    size_t count;
    tool_variation *list;       /* as they begin */
    tool_variation_note *notes; /* one an item of the game */
    size_t list_room, note_room;
    struct tool_branch *branches; /* while they are read */
} tool_variations;

/* Reads a game's, into what is all zeros or was used before; its moves and variations must have been asked for. False
 * where there is no memory, which is told. */
bool tool_variations_read(tool_variations *variations, const stamma_archive_game *game, bool chess960);
void tool_variations_free(tool_variations *variations);

/* ---- one game on standard output (game_formats.c, game_fields.c) ---- */

typedef struct tool_view {
    bool legal_en_passant; /* only en passant squares where a capture is legal */
    bool json;             /* plies as objects */
    const stamma_archive_game *game;
    bool chess960;
    bool set_up; /* it does not begin in the initial position, but in: */
    char fen[STAMMA_FEN_SIZE];
    const tool_variations *variations; /* where the format wants them */
    uint32_t *frequencies;             /* of each move as the predictor has it; NULL: not asked for, or not known */
    size_t frequencies_room;
} tool_view;

/* Asks the predictor for the game's moves, with what its tags say of it. False where there is no memory; without
 * weights nothing is known. */
bool tool_view_predict(tool_view *view);
/* The information of a move in bits: of one so frequent, in parts of STAMMA_PREDICT_TOTAL, and of a game's. */
double tool_bits_of(uint32_t frequency);
double tool_view_bits(const tool_view *view, size_t ply);

/* Sets all but the first two, the variations and the frequencies. */
void tool_view_game(tool_view *view, const stamma_archive_game *game);

void tool_game_pgn(const tool_view *view);
/* Whether its text, which may be empty, does not end its last line. */
bool tool_game_leaves_line_open(const stamma_archive_game *game);
void tool_game_uci(const tool_view *view);
void tool_game_fen(const tool_view *view);
void tool_game_epd(const tool_view *view);
void tool_game_plies(const tool_view *view);

/* Cells separated by tabs, with blanks in place of tabs and line ends in texts; or by commas (RFC 4180), with an
 * apostrophe before texts that a spreadsheet would read as a formula. */
typedef struct tool_table {
    bool tabs;
    bool raw;     /* no apostrophes */
    size_t cells; /* of the row so far */
} tool_table;

void tool_cell_string(tool_table *table, const char *string);
void tool_cell_word(tool_table *table, stamma_text word); /* in which nothing must be quoted */
void tool_cell_number(tool_table *table, uint64_t number);
void tool_row_end(tool_table *table);

/* Fields by their names, between commas: tags as they are called, and others. Those of JSON: */
const char *tool_fields_all(bool bits);
/* What `ls` and `cat` put into tables. */
#define TOOL_FIELDS_TABLE "number,Event,Site,Date,Round,White,Black,Result,WhiteElo,BlackElo,ECO,plies"
/* Whether all are known, and can be cells of a table; else it is told. `parts` becomes what they need of a game,
 * STAMMA_GAME_... */
bool tool_fields_check(const char *list, bool table, unsigned *parts);
void tool_fields_json(const char *list, const tool_view *view);
void tool_fields_members(const char *list, const tool_view *view); /* of an object that is open */
void tool_fields_head(const char *list, tool_table *table);
void tool_fields_row(const char *list, const tool_view *view, tool_table *table);
/* The same of a row that goes on. */
void tool_fields_cells_head(const char *list, tool_table *table);
void tool_fields_cells(const char *list, const tool_view *view, tool_table *table);

void tool_json_clock(const char *key, int64_t milliseconds);
void tool_json_evaluation(const char *key, stamma_evaluation evaluation);
void tool_clock_text(int64_t milliseconds, char out[TOOL_NUMBER_SIZE]);
void tool_evaluation_text(stamma_evaluation evaluation, char out[TOOL_NUMBER_SIZE]);

/* Whether castling in this position has to be written as king takes rook. */
bool tool_is_chess960(const stamma_position *position);

/* ---- a line a game for people (game_rows.c) ---- */

typedef struct tool_rows {
    const char *archive; /* before each number, where there are several; NULL */
    size_t columns;      /* of the terminal; 0: nothing is cut */
    size_t name;         /* columns of a player's name */
    size_t event;        /* and of the event */
    bool narrow;         /* date, ECO and plies have no room */
} tool_rows;

/* Sets all of it. */
void tool_rows_fit(tool_rows *rows, const char *archive);
/* A game of which tags and result were read. */
void tool_row_print(const tool_rows *rows, const stamma_archive_game *game);
/* The date as the Date tag gives it, else UTCDate. */
stamma_text tool_date(const stamma_archive_game *game);

#endif
