/* SPDX-License-Identifier: MIT */
/* Answers that are computed from all matching games: trees of moves, statistics, players and opening books.
 *
 *     stamma_tree *tree = NULL;
 *     stamma_error error = stamma_tree_open(&position, NULL, &tree);
 *     if (error == STAMMA_OK)
 *         error = stamma_tree_add_archive(tree, stamma_text_of("games"), archive, query, NULL, NULL);
 *     for (size_t n = 0; error == STAMMA_OK && n < stamma_tree_move_count(tree); n++)
 *         printf("%llu\n", (unsigned long long)stamma_tree_move_at(tree, n)->counts.games);
 *
 * All answers can be merged: merging the answers for parts of the games, in any order, produces the answer for all
 * games. */
#ifndef STAMMA_API_ANSWERS_H
#define STAMMA_API_ANSWERS_H

#include "stamma/search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- trees: the moves played in a position ---- */

/* Counts of games. */
typedef struct stamma_tree_counts {
    uint64_t games;        /* all games */
    uint64_t white_wins;
    uint64_t draws;
    uint64_t black_wins;   /* the other games are unfinished */
    uint64_t rated;        /* games with both ratings */
    uint64_t rating_sum;   /* sum of both ratings of these games */
    uint64_t opponents;    /* finished games with a rating of the opponent of the side to move */
    uint64_t opponent_sum; /* sum of these ratings */
    uint64_t half_points;  /* points of the side to move in these games: 2 for a win, 1 for a draw */
    uint32_t last_date;    /* latest month: year * 10000 + month * 100; unknown parts are 0 */
    uint64_t opposed[2];   /* by color: finished games with a rating of that side's opponent */
    uint64_t opposed_sum[2];    /* by color: sum of these ratings */
    uint64_t opposed_points[2]; /* by color: points of that side in these games, as half_points */
    uint64_t reserved[3]; /* 0; space for later versions, so that the struct never grows */
} stamma_tree_counts;

/* Returns the mean of all ratings in games with both ratings, rounded; 0 if there are none. */
STAMMA_API unsigned stamma_tree_rating(const stamma_tree_counts *counts);
/* Stores the performance rating of the side to move: the mean rating of its opponents plus 400 * log10(p / (1 - p)),
 * where p is its share of the points; this difference is limited to -800 to 800. Returns false, and leaves
 * *performance unchanged, if no opponent's rating is known. Source: Elo, The Rating of Chessplayers, 1.5, logistic
 * form. */
STAMMA_API bool stamma_tree_performance(const stamma_tree_counts *counts, int32_t *performance);
/* Stores the performance rating of one side, for example of a player who had this colour in all games. Otherwise like
 * stamma_tree_performance. */
STAMMA_API bool stamma_tree_performance_of(const stamma_tree_counts *counts, stamma_color color, int32_t *performance);

/* The moves played in a position, with counts and examples of games. */
typedef struct stamma_tree stamma_tree;

/* A game that reaches the position. */
typedef struct stamma_tree_game {
    stamma_text archive; /* name of the archive, from the caller */
    uint64_t game;       /* number in the archive, from 1 */
    stamma_move move;    /* move played in the position */
    bool ended;          /* the game ends in the position; `move` is unused */
    uint16_t white_rating; /* 0: unknown */
    uint16_t black_rating;
    stamma_result result;
    uint32_t date;     /* as stamma_tree_counts.last_date */
    stamma_text white; /* names in UTF-8; {NULL, 0}: not read (stamma_tree_name_games) */
    stamma_text black;
    stamma_speed speed; /* NONE if the mode was not read */
    stamma_mode mode;   /* NOT_READ for games that were counted without their tags and without an index file */
} stamma_tree_game;

typedef struct stamma_tree_move {
    stamma_move move;
    stamma_tree_counts counts;
    /* the game of this move with the highest mean rating; if several have it, the latest, then the first by archive
     * name and number */
    stamma_tree_game top;
    stamma_tree_game recent; /* the game of this move with the latest date, then the highest number */
} stamma_tree_move;

/* Opens a tree of a position, without games. `allocator` may be NULL: malloc and free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_open(const stamma_position *position, const stamma_allocator *allocator,
                                         stamma_tree **tree);
/* Closes a tree. Accepts NULL. */
STAMMA_API void stamma_tree_close(stamma_tree *tree);

/* Makes the tree also count games by month. Must be called before games are added. Errors: BAD_ARGUMENT for NULL and
 * for a tree with games. */
STAMMA_API stamma_error stamma_tree_keep_history(stamma_tree *tree);

/* Adds a game if its main line reaches the position, compared like stamma_position_equal. A game is counted once, with
 * the move played when it first reached the position. TAGS, RESULT and MOVES must have been read. `archive` is the
 * name of the game's archive. Names of players are not stored.
 * Errors: BAD_ARGUMENT; NO_MEMORY, the tree is then incomplete. */
STAMMA_API stamma_error stamma_tree_add(stamma_tree *tree, stamma_text archive, const stamma_archive_game *game);
/* Adds the games of an archive that match a query (NULL: all), with blocks in parallel. The members "offset" and
 * "limit" of the query are ignored. `name` is the name of the archive. `options` as for stamma_search_open.
 * Errors: as stamma_search_open and stamma_search_next, with *place, which may be NULL; the tree is then unchanged,
 * except after NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_add_archive(stamma_tree *tree, stamma_text name, stamma_archive *archive,
                                                const stamma_query *query, const stamma_search_options *options,
                                                stamma_place *place);
/* Adds games like stamma_tree_add_archive, and reports the tree while it grows. After each block, before
 * options->progress, calls `so_far` with options->context and the tree of the games found in the archive so far. This
 * tree is valid during the call of `so_far`, which may merge it into another tree. */
STAMMA_API stamma_error stamma_tree_add_archive_live(stamma_tree *tree, stamma_text name, stamma_archive *archive,
                                                     const stamma_query *query, const stamma_search_options *options,
                                                     void (*so_far)(void *context, const stamma_tree *tree),
                                                     stamma_place *place);
/* Reads the names of the players in the example games of the tree that are from one archive. If the archive has an
 * index, most names are read from the index, without reading games.
 *   name     the name with which the games of this archive were added; other games are skipped
 *   options  only the limits and callbacks are used; may be NULL
 * Errors: CANCELLED, CORRUPT, UNSUPPORTED, IO, NO_MEMORY; names already read are kept. */
STAMMA_API stamma_error stamma_tree_name_games(stamma_tree *tree, stamma_text name, stamma_archive *archive,
                                               const stamma_search_options *options);
/* Adds another tree of the same position.
 * Errors:
 *   BAD_ARGUMENT  the positions differ, or only one of the trees counts months
 *   NO_MEMORY     `into` is then incomplete */
STAMMA_API stamma_error stamma_tree_merge(stamma_tree *into, const stamma_tree *other);

/* Returns the position of the tree, which the tree owns. */
STAMMA_API const stamma_position *stamma_tree_position(const stamma_tree *tree);
/* Returns the counts of all games that reach the position, including those that end in it. */
STAMMA_API stamma_tree_counts stamma_tree_total(const stamma_tree *tree);
/* Returns the number of different moves played in the position. */
STAMMA_API size_t stamma_tree_move_count(const stamma_tree *tree);
/* Returns the move at an index from 0; NULL after the last. Moves with the most games are first; moves with the same
 * number of games are in the order of their UCI text. Valid until the tree changes. The library allocates it; later
 * versions may append members. */
STAMMA_API const stamma_tree_move *stamma_tree_move_at(const stamma_tree *tree, size_t n);
/* Returns the game at an index from 0 in the list of top games; NULL after the last. The list contains at most 15
 * games, those with the highest mean rating, highest first. Games of equal rating are in the order of date, latest
 * first, then of archive name and number. Valid until the tree changes; later versions may append members. */
STAMMA_API const stamma_tree_game *stamma_tree_top_game(const stamma_tree *tree, size_t n);
/* Returns the game at an index from 0 in the list of recent games; NULL after the last. The list contains the latest
 * games, at most 15, latest first. Games of the same date are in the order of number, highest first, then of archive
 * name. Valid until the tree changes; later versions may append members. */
STAMMA_API const stamma_tree_game *stamma_tree_recent_game(const stamma_tree *tree, size_t n);

/* Stores the ECO code and the name of the opening with this position. Ignores clocks, castling rights and en passant.
 * Returns false, and leaves *eco and *name unchanged, if no opening has this position. The texts are static. Source:
 * lichess-org/chess-openings. */
STAMMA_API bool stamma_position_opening(const stamma_position *position, stamma_text *eco, stamma_text *name);

/* Finished games of a month. */
typedef struct stamma_tree_month {
    uint32_t month; /* year * 100 + month */
    uint64_t white_wins;
    uint64_t draws;
    uint64_t black_wins;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_tree_month;

/* Replaces *month by the next month, after month->month, with finished games that reach the position. Start with
 * month->month = 0. Returns false if there is no later month, or if the tree does not count months. Games without a
 * known month are not counted. */
STAMMA_API bool stamma_tree_next_month(const stamma_tree *tree, stamma_tree_month *month);

/* Writes the tree as JSON, in the form of Lichess's opening explorer with additional members for stamma_tree_read_json
 * (doc/reference/search.md): at most `moves` moves, and at most `games` top games and `games` recent games; SIZE_MAX:
 * all. Text writer. */
STAMMA_API size_t stamma_tree_write_json(const stamma_tree *tree, size_t moves, size_t games, char *out, size_t size);
/* Reads the JSON of stamma_tree_write_json of any version. If the JSON contains all moves and games, the tree is equal
 * to the original.
 * Errors: SYNTAX for another text, with *problem, which may be NULL; NO_MEMORY. */
STAMMA_API stamma_error stamma_tree_read_json(stamma_text json, const stamma_allocator *allocator,
                                              stamma_query_problem *problem, stamma_tree **tree);

/* ---- statistics of games, which can be merged like trees ---- */

/* Numbers of games by result. */
typedef struct stamma_stats_results {
    uint64_t games; /* including unfinished games */
    uint64_t white_wins;
    uint64_t draws;
    uint64_t black_wins;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_stats_results;

typedef struct stamma_stats_total {
    stamma_stats_results results;
    uint64_t plies;   /* plies of all main lines */
    uint64_t longest; /* plies of the longest main line */
    uint64_t set_up;  /* games that do not start in the initial position */
    uint64_t rated;   /* games with both ratings */
    uint64_t reserved[3]; /* 0; space for later versions, so that the struct never grows */
} stamma_stats_total;

/* Tables of games by a property. Permanent values. */
typedef enum stamma_stats_table {
    STAMMA_STATS_LENGTHS = 0,       /* "40": main lines of 40 to 49 plies */
    STAMMA_STATS_YEARS = 1,         /* "2010": year of the date, if it is known */
    STAMMA_STATS_RATINGS = 2,       /* "2400": players rated 2400 to 2499; by side */
    STAMMA_STATS_PLAYERS = 3,       /* names as written; by side */
    STAMMA_STATS_FIRST_MOVES = 4,   /* "e4 c5": the first two plies of games from the initial position */
    /* "B90": the first three characters of the ECO tag, or the code of the opening played if the tag is missing */
    STAMMA_STATS_ECO = 5,
    STAMMA_STATS_OPENINGS = 6,      /* name of the opening played in games from the initial position */
    STAMMA_STATS_TIME_CONTROLS = 7, /* the TimeControl tag */
    STAMMA_STATS_TERMINATIONS = 8,  /* the Termination tag */
    STAMMA_STATS_TABLES = 9
} stamma_stats_table;

typedef struct stamma_stats_row {
    stamma_text name;                /* UTF-8 */
    stamma_stats_results results[2]; /* tables by side: as White, as Black; other tables: only the first */
    uint64_t plies;                  /* plies of these games */
} stamma_stats_row;

typedef struct stamma_stats stamma_stats;

/* Opens statistics without games. `allocator` may be NULL: malloc and free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_open(const stamma_allocator *allocator, stamma_stats **stats);
/* Closes statistics. Accepts NULL. */
STAMMA_API void stamma_stats_close(stamma_stats *stats);

/* Adds a game. TAGS, RESULT and MOVES must have been read. A continuation is ignored. Memory grows with the number of
 * different names.
 * Errors: BAD_ARGUMENT; NO_MEMORY, the statistics are then incomplete. */
STAMMA_API stamma_error stamma_stats_add(stamma_stats *stats, const stamma_archive_game *game);
/* Adds the games of an archive that match a query, like stamma_tree_add_archive, with the same errors. */
STAMMA_API stamma_error stamma_stats_add_archive(stamma_stats *stats, stamma_archive *archive,
                                                 const stamma_query *query, const stamma_search_options *options,
                                                 stamma_place *place);
/* Adds to *results the number of games of an archive that match a query, by result, like the totals after
 * stamma_stats_add_archive. Only results are read; with an index, this is about as fast as a search. Errors as
 * stamma_tree_add_archive; *results is then unchanged. */
STAMMA_API stamma_error stamma_stats_count_archive(stamma_stats_results *results, stamma_archive *archive,
                                                   const stamma_query *query, const stamma_search_options *options,
                                                   stamma_place *place);
/* Adds other statistics. Errors: NO_MEMORY, `into` is then incomplete. */
STAMMA_API stamma_error stamma_stats_merge(stamma_stats *into, const stamma_stats *other);

/* Returns the totals of all games. */
STAMMA_API stamma_stats_total stamma_stats_sum(const stamma_stats *stats);
/* Returns the number of rows of a table; 0 for an unknown table. */
STAMMA_API size_t stamma_stats_row_count(const stamma_stats *stats, stamma_stats_table table);
/* Stores the row of a table at an index from 0 in *row; NULL after the last. LENGTHS, YEARS and RATINGS are in numeric
 * order; other tables have the most games first, then the order of their bytes. A row is valid until the statistics
 * change; later versions may append members. Errors: BAD_ARGUMENT for an unknown table; NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_row_at(stamma_stats *stats, stamma_stats_table table, size_t n,
                                            const stamma_stats_row **row);

/* Writes the statistics as JSON (doc/reference/search.md), with at most `rows` rows of each table; SIZE_MAX: all, which
 * stamma_stats_read_json needs. *length is the length of the text; otherwise like text writers. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_stats_write_json(stamma_stats *stats, size_t rows, char *out, size_t size,
                                                size_t *length);
/* Reads the JSON of stamma_stats_write_json. Errors as stamma_tree_read_json. */
STAMMA_API stamma_error stamma_stats_read_json(stamma_text json, const stamma_allocator *allocator,
                                               stamma_query_problem *problem, stamma_stats **stats);

/* ---- names of players, for completing typed names ---- */

typedef struct stamma_player {
    stamma_text name;    /* as in the tags, in UTF-8. The rule {"player": "=NAME"} finds the games */
    uint64_t games[2];   /* by color */
    uint16_t rating_min; /* lowest and highest rating of the player in these games; 0: no rating is known */
    uint16_t rating_max;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_player;

/* A list of the names of all players of archives. */
typedef struct stamma_players stamma_players;

/* Opens an empty list. `allocator` may be NULL: malloc and free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_players_open(const stamma_allocator *allocator, stamma_players **players);
/* Closes a list. Accepts NULL. */
STAMMA_API void stamma_players_close(stamma_players *players);

/* Adds the players of all games of an archive. Names that differ only in case and accents are one player, with the
 * spelling whose bytes sort last; all others are different players. Missing names and the name `?` are omitted. A name
 * needs about 150 bytes. With an index file, no games are read. `options` and errors: as for stamma_stats_add_archive.
 */
STAMMA_API stamma_error stamma_players_add_archive(stamma_players *players, stamma_archive *archive,
                                                   const stamma_search_options *options, stamma_place *place);

/* Finds players by words of their names in any order, ignoring case, accents and apostrophes. Each word of `text` must
 * be the beginning of a word of the name, or begin with an initial of the name ("Vladimir Kramnik" matches
 * "Kramnik,V"); an initial matches only if the longest word of the name also matches. A text without words matches all
 * names.
 *
 * Stores the best matches in found[], at most `room`, and their number in *count. Names that contain all words of the
 * text completely or as initials are first; names with longer words follow. Within both groups, names with more games
 * are first. Names are valid until the list changes. Several threads may search a list at the same time. Errors:
 * BAD_ARGUMENT; NO_MEMORY. */
STAMMA_API stamma_error stamma_players_find(const stamma_players *players, stamma_text text, stamma_player *found,
                                            size_t room, size_t *count);

/* Finds players whose names may be other spellings of a name, for a name that no game has: other transliterations
 * ("Jussupow" and "Yusupov"), one wrong letter, other given names that fit ("Jussupow, Artur" and "Yusupov,A"). Stores
 * them in found[], at most `room`, and their number in *count: first those with the same words, then those with other
 * transliterations, then those with a wrong letter; within each, names with more games are first. Names are valid until
 * the list changes. Errors: BAD_ARGUMENT; NO_MEMORY. */
STAMMA_API stamma_error stamma_players_similar(const stamma_players *players, stamma_text text, stamma_player *found,
                                               size_t room, size_t *count);

/* ---- opening books in PolyGlot's format, which engines read; books can be merged like trees ---- */

typedef struct stamma_book stamma_book;

/* Opens a book of the moves played from a position, up to `plies` plies after it. `allocator` may be NULL: malloc and
 * free. Errors: NO_MEMORY. */
STAMMA_API stamma_error stamma_book_open(const stamma_position *position, unsigned plies,
                                         const stamma_allocator *allocator,
                                         stamma_book **book);
/* Closes a book. Accepts NULL. */
STAMMA_API void stamma_book_close(stamma_book *book);

/* Adds the moves of a game from the position, up to its first null move, if the game reaches the position. A move that
 * the game repeats in the same position is counted once. TAGS, RESULT and MOVES must have been read. Memory grows with
 * the number of different positions.
 * Errors: BAD_ARGUMENT; NO_MEMORY, the book is then incomplete. */
STAMMA_API stamma_error stamma_book_add(stamma_book *book, const stamma_archive_game *game);
/* Adds the games of an archive that match a query, like stamma_tree_add_archive, with the same errors. */
STAMMA_API stamma_error stamma_book_add_archive(stamma_book *book, stamma_archive *archive,
                                                const stamma_query *query, const stamma_search_options *options,
                                                stamma_place *place);
/* Adds another book of the same position and depth. Errors: BAD_ARGUMENT if these differ; NO_MEMORY, `into` is then
 * incomplete. */
STAMMA_API stamma_error stamma_book_merge(stamma_book *into, const stamma_book *other);

/* Writes the moves of all positions from which at least `min_games` games continue. An entry has 16 bytes, big-endian:
 * the PolyGlot key of the position, the move (castling as king takes rook), the weight, and four zeros. Entries are in
 * the order of keys, then of weights, largest first.
 *
 * The weight is the number of half points that the side to move scored with the move in finished games. If a weight of
 * a position exceeds 65535, all weights of the position are reduced in proportion; weights above 0 stay above 0.
 * *entries, which may be NULL, is the number of entries.
 * Errors: IO, NO_MEMORY. Source: PolyGlot's book format (Fabien Letouzey). */
STAMMA_API stamma_error stamma_book_write(const stamma_book *book, uint64_t min_games, const stamma_output *output,
                                          uint64_t *entries);

#ifdef __cplusplus
}
#endif

#endif
