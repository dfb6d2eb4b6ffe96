/* SPDX-License-Identifier: MIT */
/* The endpoints, and functions that several endpoints use. */
#ifndef STAMMA_SERVE_ANSWERS_H
#define STAMMA_SERVE_ANSWERS_H

#include "answering/serve_exchange.h"

/* ---- endpoints: each sets its reply, or returns false with the exchange's error ---- */

bool serve_explorer(serve_exchange *x);  /* serve_explorer.c */
bool serve_find(serve_exchange *x);      /* serve_find.c */
bool serve_stream(serve_exchange *x);    /* serve_stream.c */
bool serve_names(serve_exchange *x);     /* serve_players.c */
bool serve_report(serve_exchange *x);    /* serve_report.c */
bool serve_novelty(serve_exchange *x);   /* serve_novelty.c */
bool serve_orders(serve_exchange *x);    /* serve_orders.c */
bool serve_questions(serve_exchange *x); /* serve_status.c */
bool serve_stats(serve_exchange *x);     /* serve_stats.c */
bool serve_line(serve_exchange *x);      /* serve_line.c */
bool serve_game(serve_exchange *x);      /* serve_game.c */
bool serve_pgn(serve_exchange *x);
bool serve_board(serve_exchange *x);     /* serve_board.c */
bool serve_encodings(serve_exchange *x); /* serve_encode.c */
bool serve_encode(serve_exchange *x);
bool serve_sizes(serve_exchange *x);
bool serve_decode(serve_exchange *x);
bool serve_list(serve_exchange *x); /* serve_status.c */
bool serve_health(serve_exchange *x);

/* ---- members of answers ---- */

/* Writes the FEN of a position (serve_game.c). */
void serve_put_fen(const char *key, const stamma_position *position);

/* Writes `openings`, the list of the positions of a line that have an opening's name (serve_line.c): ply, eco, name. */
void serve_put_openings(const stamma_position *start, const stamma_move *moves, size_t count);

/* Writes the members of a game for /find and similar endpoints (serve_game.c): id, players, result, date, event ...
 * The game must have TAGS and RESULT. With MOVES, a game without an Opening tag has the name of the opening that was
 * played. */
void serve_put_summary(const serve_archive *archive, const stamma_archive_game *game);

/* Returns the number with which the game's archive was added to the tree (serve_explorer.c). */
long serve_tree_archive(const stamma_tree_game *game);

typedef struct serve_likely {
    stamma_likely_move moves[STAMMA_MOVES_MAX];
    size_t count; /* 0: no weights, or no legal move */
} serve_likely;

/* Predicts the moves of a request's position (serve_likely.c) from the moves of the request before the position. If the
 * position was set up and these moves are too few for the predictor, uses the moves of a game in `tree`. */
void serve_predict(serve_exchange *x, const serve_archive_list *list, const serve_request *request,
                   const stamma_tree *tree, serve_likely *likely);

/* Writes a game of /find as an object (serve_find.c): its summary, and the plies of the match. The game must have the
 * parts that serve_row_parts returns. `key` is NULL in a list. */
void serve_put_row(const char *key, const serve_archive *archive, const stamma_archive_game *game,
                   const uint32_t *plies, size_t count);
unsigned serve_row_parts(const serve_archive *archive);
/* Writes the members with the numbers of games. */
void serve_put_results(const stamma_stats_results *sum);
/* Returns whether a game that cannot be read is skipped. If so, removes the error. A search that needs only the sound
 * columns of a damaged block may find games that cannot be read. */
bool serve_skip_damaged(serve_exchange *x, const serve_archive *archive);

/* ---- the first games in a sorted order (serve_sorted.c) ---- */

typedef struct serve_sorted serve_sorted;

/* A game in a sorted list. */
typedef struct serve_sorted_game {
    size_t archive; /* index in a list of archives */
    uint64_t number;
    uint32_t *plies; /* of the match */
    size_t ply_count;
} serve_sorted_game;

/* Opens a list that keeps the first `most` games in the order of a key of the request. Returns NULL if memory is
 * exhausted. */
serve_sorted *serve_sorted_open(const char *sort, size_t most);
void serve_sorted_close(serve_sorted *list);
/* Adds a game, which must have its tags. Games with equal keys keep the order in which they are added. Returns false if
 * memory is exhausted. */
bool serve_sorted_add(serve_sorted *list, size_t archive, const stamma_match *match, const stamma_archive_game *game);
/* Returns the number of games that are kept. */
size_t serve_sorted_count(serve_sorted *list);
/* Returns the games in order. They are valid until the next call with the list. */
const serve_sorted_game *serve_sorted_at(serve_sorted *list, size_t n);

/* ---- cached answers (serve_cache.c) ---- */

/* Opens a cache of at most `most` bytes. Returns NULL if memory is exhausted; nothing is then cached. */
serve_cache *serve_cache_open(size_t most);
void serve_cache_close(serve_cache *cache);
/* Writes the key of an answer: the request, and the state of the archives. Returns false if memory is exhausted. */
bool serve_cache_key(const serve_request *request, const serve_archive_list *archives, tool_buffer *key);
/* Appends the answer with that key to a buffer. Returns false if there is none. */
bool serve_cache_get(serve_cache *cache, const tool_buffer *key, tool_buffer *answer);
void serve_cache_put(serve_cache *cache, const tool_buffer *key, const tool_buffer *answer);

/* ---- names of players (serve_players.c) ---- */

/* Opens an empty list of names. Returns NULL if memory is exhausted. */
serve_players *serve_players_open(void);
void serve_players_close(serve_players *players);

/* ---- the state of the archives (serve_status.c) ---- */

typedef struct serve_sums {
    uint64_t archives, games, indexed, index_files;
} serve_sums;

/* Adds up the archives. Returns false with an error. */
bool serve_sum_archives(serve_exchange *x, serve_sums *sums);

#endif
