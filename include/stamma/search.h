/* SPDX-License-Identifier: MIT */
/* Questions about games: queries, searches over archives, and index files.
 *
 *     stamma_query *query = NULL;
 *     stamma_search *search = NULL;
 *     const stamma_match *match = NULL;
 *     stamma_error error = stamma_query_parse(stamma_text_of("{\"player\":\"Tal\"}"), NULL, NULL, &query);
 *     if (error == STAMMA_OK && (error = stamma_search_open(archive, query, NULL, &search)) == STAMMA_OK)
 *         while ((error = stamma_search_next(search, &match)) == STAMMA_OK && match)
 *             printf("game %llu\n", (unsigned long long)match->game);
 *
 * doc/reference/search.md describes the language of queries; doc/format/index_files.md describes index files. */
#ifndef STAMMA_API_SEARCH_H
#define STAMMA_API_SEARCH_H

#include "stamma/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A condition that a game matches or not, written as JSON; doc/reference/search.md describes the language. A query is
 * immutable, and several threads may use it at the same time. */
typedef struct stamma_query stamma_query;

/* An error in the text of a query. */
typedef struct stamma_query_problem {
    size_t offset; /* of the invalid part, in bytes from the start of the text */
    size_t size;   /* of the invalid part; 0 at the end of the text */
    char message[200]; /* English, NUL-terminated: `unknown rule "materal"; did you mean "material"?` */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_query_problem;

/* Parses a query. The text is not needed after the call. `allocator` (NULL: malloc and free) must live as long as the
 * query.
 * Errors: SYNTAX for a text that doc/reference/search.md does not allow, with *problem, which may be NULL; NO_MEMORY.
 * */
STAMMA_API stamma_error stamma_query_parse(stamma_text json, const stamma_allocator *allocator,
                                           stamma_query_problem *problem,
                                           stamma_query **query);
/* Closes a query, whose matchers must have been closed. Accepts NULL. */
STAMMA_API void stamma_query_close(stamma_query *query);

/* Returns whether the query has the member "offset" or "limit", which searches apply, and which trees, statistics and
 * numbers of games ignore. NULL: returns false. */
STAMMA_API bool stamma_query_is_limited(const stamma_query *query);

/* Returns the parts of a game that the query reads, a sum of STAMMA_GAME_... values; 0 if it reads none. */
STAMMA_API unsigned stamma_query_parts(const stamma_query *query);
/* Returns whether a query has the rule "flag", whose answer depends on stamma_archive_use_flags. Returns false if
 * `query` is NULL. */
STAMMA_API bool stamma_query_uses_flags(const stamma_query *query);

/* Tests games. Its memory is reused for each game. Only one thread may use it at a time. */
typedef struct stamma_matcher stamma_matcher;

/* Opens a matcher for a query, which must live as long as the matcher. `allocator` as for stamma_query_parse. Errors:
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_open(const stamma_query *query, const stamma_allocator *allocator,
                                            stamma_matcher **matcher);

/* Tests whether a game matches. The parts of the game that stamma_query_parts returns must have been read. A
 * continuation never matches.
 *
 * Stores the plies of the earliest match in *plies and *count, which may be NULL; ply 0 is the start of the game. There
 * is one ply, or, for a sequence or streak at the top of the query or directly in its "all", one ply for each of its
 * conditions. With "all-matches" in the query, the plies are all plies at which the query holds. A match in a variation
 * is at the ply where the variation leaves the main line. The plies are valid until the next call; *count is 0 if the
 * game does not match.
 * Errors: BAD_ARGUMENT if the query needs moves and they were not read; NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_test(stamma_matcher *matcher, const stamma_archive_game *game, bool *found,
                                            const uint32_t **plies, size_t *count);
/* Closes a matcher. Accepts NULL. */
STAMMA_API void stamma_matcher_close(stamma_matcher *matcher);

/* ---- searches ---- */

/* Orders of games. Games without a value are last, also in descending order. Games with the same value are in the order
 * of the archive. */
typedef enum stamma_search_order {
    STAMMA_ORDER_NUMBER = 0, /* number in the archive */
    STAMMA_ORDER_RATING = 1, /* mean of both ratings, or the only rating that is known */
    STAMMA_ORDER_WHITE_RATING = 2,
    STAMMA_ORDER_BLACK_RATING = 3,
    /* bytes of the tag Date if it contains a digit, otherwise of UTCDate; unknown if neither contains one */
    STAMMA_ORDER_DATE = 4,
    STAMMA_ORDER_PLIES = 5 /* plies of the main line */
} stamma_search_order;

/* Options of a search, and of everything that is computed from all matching games (stamma/answers.h). */
typedef struct stamma_search_options {
    size_t size;
    const stamma_executor *executor; /* replaces the archive's; NULL: the archive's is used. Copied */
    uint64_t memory;                 /* replaces the archive's limit; 0: the archive's limit is used */
    void *context;                   /* passed to the callbacks */
    /* Called after each block, when all its matches have been returned, with the number of bytes of the archive
     * processed so far and the total. Return false to stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* Called some hundred times a second, also within blocks, by several of the executor's threads at the same time.
     * Return true to end the search on all threads: the function then returns CANCELLED. May be NULL. */
    bool (*stop)(void *context);
    /* Only games from first_game (0: the first of the archive) to last_game (0: the last of the archive) are searched,
     * and "offset" and "limit" only count these games. Trees, statistics and books need complete blocks: the range must
     * consist of complete blocks of stamma_archive_blocks; otherwise the function returns BAD_ARGUMENT */
    uint64_t first_game;
    uint64_t last_game;
    /* The search returns at most one match, of any game that matches. An index file then need not list all games.
     * Trees, statistics and books ignore this member */
    bool any;
    bool descending; /* the greatest value is first */
    bool ties;       /* games with the same value as the last of the first `most` games are wanted, too */
    stamma_search_order order;
    /* Number of games that are wanted; 0: all. A search that returns matches may omit games that are not among the
     * first `most` matches in the order. It still returns matches in the order of the archive, and may return more than
     * `most`. An index file contains the ratings, month and plies of games, so the search then examines few games. */
    uint64_t most;
} stamma_search_options;

/* A matching game. */
typedef struct stamma_match {
    uint64_t game;         /* number in the archive, from 1 */
    size_t ply_count;
    const uint32_t *plies; /* plies of the match, as stamma_matcher_test returns them; NULL: none */
} stamma_match;

typedef struct stamma_search stamma_search;

/* Opens a search of an archive of any level. The query must live as long as the search; NULL matches all games. Blocks
 * are searched in parallel; the results and their order do not depend on the number of threads or on an index of the
 * archive. The members "offset" and "limit" of the query are applied.
 * Errors: BAD_ARGUMENT for invalid options; UNSUPPORTED for options of a later version; IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_search_open(stamma_archive *archive, const stamma_query *query,
                                           const stamma_search_options *options, stamma_search **search);
/* Closes a search. Accepts NULL. */
STAMMA_API void stamma_search_close(stamma_search *search);

/* Returns the next matching game in *match, in the order of the archive; NULL at the end and after an error. The match
 * is valid until the next call.
 * Errors:
 *   CORRUPT, UNSUPPORTED  the archive is damaged, truncated or of a later format; all matches before that place have
 *                         been returned
 *   CANCELLED, NO_MEMORY
 * After an error, all later calls return the same error. */
STAMMA_API stamma_error stamma_search_next(stamma_search *search, const stamma_match **match);

/* Returns the place of the error of a search: the offset in the archive of the frame of the block, and the number of
 * the game that the error concerns (0: none). */
STAMMA_API stamma_place stamma_search_place(const stamma_search *search);

/* ---- indexes: faster answers, which are the same ---- */

typedef enum stamma_index_kind {
    STAMMA_INDEX_NONE = 0,
    STAMMA_INDEX_FILE = 1,  /* the index file that stamma_archive_open was passed (doc/format/index_files.md) */
    STAMMA_INDEX_MEMORY = 2 /* made by stamma_archive_keep_index */
} stamma_index_kind;

/* The index of an open archive. */
typedef struct stamma_index_state {
    size_t size; /* sizeof(stamma_index_state), set by the caller */
    stamma_index_kind kind;
    /* why the index file is not used: NO_ARCHIVE (not an index file), MISMATCH (it belongs to another archive, or to
     * this archive before it grew, or is of an earlier version), CORRUPT, UNSUPPORTED (a later version), IO; OK if the
     * index is used or if there is none */
    stamma_error error;
    bool damaged; /* a search found that the file is damaged; it did not use the index, and its results are right */
    bool partial; /* the memory limit was too small: some blocks are opened again by each search */
    uint64_t memory; /* bytes that the index uses, including blocks that are shared with another archive */
} stamma_index_state;

/* Stores the state of an archive's index. Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_archive_index(const stamma_archive *archive, stamma_index_state *state);

/* Makes an open archive use an index file. Has no effect if the archive has an index. Use this function instead of the
 * option `index` of stamma_archive_open if the file is found later. Other threads may use the archive during the call.
 * The struct `file` is copied. Errors: as in stamma_index_state, if the file cannot be used; NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_use_index(stamma_archive *archive, const stamma_bytes *file);

/* Checks again the bytes of an archive's index file that were used so far. Call it if another program may have changed
 * the open file; stamma_index_append does not change these bytes. Other threads may use the archive during the call.
 * Errors:
 *   BAD_ARGUMENT  the archive uses no index file
 *   CORRUPT       the bytes have changed. The index is not used any more; answers since the change may be wrong */
STAMMA_API stamma_error stamma_archive_check_index(const stamma_archive *archive);

typedef struct stamma_index_keep_options {
    size_t size;
    /* limit of the index in bytes; an index needs about 180 bytes per game. Blocks beyond the limit are not kept. 0:
     * the limit of the archive */
    uint64_t memory;
    void *context; /* passed to the callback */
    /* Called after each block with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* the same archive before it grew, opened with the same allocator: blocks of its index are shared, and only new
     * blocks are opened. It may be closed afterwards. NULL: none */
    const stamma_archive *before;
} stamma_index_keep_options;

/* Keeps the search columns of an archive in memory for many searches: places of blocks, shared beginnings of games,
 * pawn structures, and for each game the result, ratings, date, players, event, time control and ECO code. Blocks of
 * levels 2 and 3 have only the data from tags, so searches for positions are as slow as without an index. Damaged
 * blocks are omitted; searches report them. Other threads may use the archive during the call; searches that are opened
 * afterwards use the index. Has no effect if the archive has an index. Errors: CANCELLED, IO, NO_MEMORY; the archive
 * then has no index. */
STAMMA_API stamma_error stamma_archive_keep_index(stamma_archive *archive, const stamma_index_keep_options *options);

/* ---- index files, for archives of any size and level (doc/format/index_files.md) ---- */

typedef struct stamma_index_write_options {
    size_t size;
    const stamma_executor *executor; /* replaces the archive's; NULL: the archive's is used. Copied */
    /* memory limit in bytes; 0: the archive's limit. Below 700 MiB, segments have fewer games, and searches are
     * slower */
    uint64_t memory;
    void *context; /* passed to the callback */
    /* Called after each block with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* Earlier index files, of this archive before it grew or of archives that were merged into it. Segments whose
     * blocks are unchanged are copied. Files that are damaged or are not index files are ignored. */
    const stamma_bytes *before;
    size_t before_count;
    uint32_t segment_games; /* minimum number of games in each segment except the last; 0: 2^24, or fewer if `memory`
                             * requires it */
    /* Called several times a second by the threads that decode blocks, also by several at the same time. Return true to
     * stop: the function then returns CANCELLED. The callback must return true from then on. May be NULL. */
    bool (*stop)(void *context);
} stamma_index_write_options;

/* Writes an index file of an archive. The bytes depend only on the archive and the options, not on the number of
 * threads. Decodes every block whose segment is not copied from an earlier index file. Errors:
 *   CORRUPT, UNSUPPORTED  the archive cannot be indexed: it is damaged, truncated or of a later format, a block does
 *                not decode to its text, or search columns contradict the games
 *   LIMIT        a block needs more memory than the limit allows
 *   CANCELLED, IO, NO_MEMORY; the output is then incomplete */
STAMMA_API stamma_error stamma_index_write(stamma_archive *archive, const stamma_index_write_options *options,
                                           const stamma_output *output);

/* A file that is changed in place. `write_at` writes bytes at an offset, which may be after the end of the file. `sync`
 * makes all bytes durable. Both return false to report an error. */
typedef struct stamma_index_output {
    void *context;
    bool (*write_at)(void *context, uint64_t offset, const void *bytes, size_t size);
    bool (*sync)(void *context);
} stamma_index_output;

/* Brings the index file of an archive that has grown up to date, in place. Writes the index of the new blocks, and of
 * earlier segments that are merged with them, after the end of the earlier index, and then 64 bytes in the first page.
 * If the call fails or is interrupted at any time, the file is the earlier index or the new one. Readers may use the
 * earlier index during the call and later. Writes nothing if the index is of this state of the archive.
 * `file` contains the bytes of the file, and `output` writes to it. Only one call at a time may write to a file. The
 * options are those of stamma_index_write; `before` must be empty. If the last call of `write_at` had an offset of 4096
 * or more, the file may be truncated to its earlier size after an error.
 * Errors:
 *   MISMATCH  nothing was written; use stamma_index_write instead. The file is not an index, is damaged, of another
 *             version or of other blocks, or more than half of it would be unused
 *   others as stamma_index_write
 * Source: doc/format/index_files.md, 11.6. */
STAMMA_API stamma_error stamma_index_append(stamma_archive *archive, const stamma_bytes *file,
                                            const stamma_index_write_options *options,
                                            const stamma_index_output *output);

/* A difference between an index file and its archive. */
typedef struct stamma_index_difference {
    const char *part; /* "facts of a game": English text. Static */
    uint64_t segment; /* number of the part of the file (doc/format/index_files.md, 2), from 1; 0: none */
    uint64_t number;  /* of the rank, record, node, list, name, block or table, from 1; 0: none in particular */
    uint64_t game;    /* number of the game in the archive, from 1; 0: none in particular */
    uint64_t reserved[2]; /* 0 */
} stamma_index_difference;

typedef struct stamma_index_verify_options {
    size_t size;
    void *context; /* passed to the callbacks */
    /* Called for each difference. May be NULL. */
    void (*difference)(void *context, const stamma_index_difference *difference);
    /* Called after each segment with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
} stamma_index_verify_options;

/* Compares the index file of an archive with the archive. Checksums do not show that an index is right. This function
 * decodes all games, and compares the blocks, facts, names, moves, order of games, trie, lists, sums and statistics of
 * the index with the games. The archive itself must be sound (stamma_archive_verify). Bytes on which no answer depends
 * are not compared. If the trie of a segment differs, its lists are not compared.
 * *differences receives the number of differences. If it is 0, all answers from the index are equal to the answers from
 * the archive.
 * Errors:
 *   BAD_ARGUMENT  the archive was opened without an index file
 *   NO_ARCHIVE, MISMATCH, UNSUPPORTED  why the index cannot be used, as in stamma_index_state
 *   CORRUPT       a checksum of the index is wrong, or the archive is damaged
 *   CANCELLED, IO, NO_MEMORY
 * Source: doc/format/index_files.md. */
STAMMA_API stamma_error stamma_index_verify(stamma_archive *archive, const stamma_index_verify_options *options,
                                            uint64_t *differences);

#ifdef __cplusplus
}
#endif

#endif
