/* Questions about games: queries, searches over archives, and index files.
 *
 *     stamma_query *query = NULL;
 *     stamma_search *search = NULL;
 *     const stamma_match *match = NULL;
 *     stamma_error error = stamma_query_parse(stamma_text_of("{\"player\":\"Tal\"}"), NULL, NULL, &query);
 *     if (error == STAMMA_OK && (error = stamma_search_open(bytes, size, query, NULL, &search)) == STAMMA_OK)
 *         while ((error = stamma_search_next(search, &match)) == STAMMA_OK && match)
 *             printf("game %llu\n", (unsigned long long)match->game);
 *
 * doc/search.md describes the language of queries, doc/index.md index files. */
#ifndef STAMMA_API_SEARCH_H
#define STAMMA_API_SEARCH_H

#include "stamma/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A condition that a game matches or not, written as JSON; doc/search.md describes the language. A query is immutable,
 * and several threads may use it at once. */
typedef struct stamma_query stamma_query;

/* An error in the text of a query. */
typedef struct stamma_query_fault {
    size_t offset; /* of the invalid part, in bytes from the start of the text */
    size_t size;   /* of the invalid part; 0 at the end of the text */
    char message[200]; /* English, NUL-terminated: `unknown rule "materal"; did you mean "material"?` */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_query_fault;

/* Parses a query. The text is not needed after the call. `allocator` (NULL: malloc and free) must live as long as the
 * query.
 * Errors: SYNTAX for a text that doc/search.md does not allow, with *fault, which may be NULL; NO_MEMORY. */
STAMMA_API stamma_error stamma_query_parse(stamma_text json, const stamma_allocator *allocator,
                                           stamma_query_fault *fault,
                                           stamma_query **query);
/* Closes a query, whose matchers must have been closed. Accepts NULL. */
STAMMA_API void stamma_query_close(stamma_query *query);

/* Returns the parts of a game that the query reads, a sum of STAMMA_GAME_... values; 0 if it reads none. */
STAMMA_API unsigned stamma_query_parts(const stamma_query *query);

/* Tests games. Its memory is reused for each game. Only one thread may use it at a time. */
typedef struct stamma_matcher stamma_matcher;

/* Opens a matcher for a query, which must live as long as the matcher. `allocator` as for stamma_query_parse. Errors:
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_open(const stamma_query *query, const stamma_allocator *allocator,
                                            stamma_matcher **matcher);

/* Tests whether a game matches. The parts stamma_query_parts of the game must have been read. A continuation never
 * matches.
 *
 * *plies and *count, which may be NULL, are the plies of the earliest match; ply 0 is the start of the game. There is
 * one ply, or one for each condition of a sequence or streak in the query itself. With "all-matches" in the query, they
 * are all plies at which it holds. A match in a variation is at the ply where the variation leaves the main line. The
 * plies are valid until the next call; *count is 0 if the game does not match.
 * Errors: BAD_ARGUMENT for a game without moves that are needed; NO_MEMORY. */
STAMMA_API stamma_error stamma_matcher_test(stamma_matcher *matcher, const stamma_archive_game *game, bool *found,
                                            const uint32_t **plies, size_t *count);
/* Closes a matcher. Accepts NULL. */
STAMMA_API void stamma_matcher_close(stamma_matcher *matcher);

/* ---- searches ---- */

typedef struct stamma_tree stamma_tree;

/* Options of a search. */
typedef struct stamma_search_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* threads that search blocks in parallel; NULL: the calling thread. Copied */
    /* memory limit in bytes; fewer blocks are searched in parallel to stay below it. One block needs up to 112 MiB. A
     * block that declares more than the limit ends the search with LIMIT. 0: no limit */
    uint64_t memory;
    void *context;      /* passed to the callbacks */
    /* Called after each block, when all its matches have been returned, with the number of bytes of the archive
     * processed so far and the total. Return false to stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* milliseconds from stamma_search_open after which the search ends with CANCELLED; 0: no limit */
    uint32_t time_limit_ms;
    /* test every game, without the search columns: slow, and with the same results, which is for tests */
    bool no_search_columns;
    /* index of the archive, which must live as long as the search; NULL: none. The results are the same */
    const struct stamma_search_index *index;
    /* Called some hundred times a second, also within blocks, by the executor's threads, several at once. Return true
     * to end the search on all threads: the function then returns CANCELLED. May be NULL. */
    bool (*stop)(void *context);
    /* Only for stamma_tree_add_archive: called after each block, before `progress`, with the tree of the games found
     * in the archive so far. The tree is valid during the call, in which it may be merged into another. May be NULL. */
    void (*so_far)(void *context, const stamma_tree *tree);
    /* true: damaged blocks are skipped, and the results are those of the sound blocks. false: a search ends with
     * CORRUPT at the first damaged block */
    bool sound_only;
    /* A seekable input from which the archive is read, if it is not in memory: the parameters `archive` and `size` are
     * then NULL and 0, `index` is NULL, and the total of `progress` is 0. Only the calling thread uses the input, which
     * must remain valid as long as the search. NULL: the archive is in memory */
    const stamma_input *input;
    /* Only games from first_game (0: the first of the archive) to last_game (0: the last of the archive) are searched,
     * and "skip" and "limit" only count these games. Trees, statistics and books need complete blocks: the range must
     * begin and end with a block of stamma_columns_blocks; otherwise the function returns BAD_ARGUMENT */
    uint64_t first_game;
    uint64_t last_game;
} stamma_search_options;

/* A matching game. */
typedef struct stamma_match {
    uint64_t game;         /* number in the archive, from 1 */
    size_t ply_count;
    const uint32_t *plies; /* plies of the match, as stamma_matcher_test returns them; NULL: none */
} stamma_match;

typedef struct stamma_search stamma_search;

/* The search columns of an archive, kept open for many searches: places of blocks, shared beginnings of games, pawn
 * structures, results, and of each game the result, ratings, date, players, event, time control and ECO code. An index
 * is immutable, and any number of threads may search with it at once. For blocks of levels 2 and 3 it has tags only,
 * so that positions are searched as slowly as without an index. */
typedef struct stamma_search_index stamma_search_index;

typedef struct stamma_search_index_options {
    size_t size;
    const stamma_allocator *allocator; /* used by all threads that open and close indexes */
    const stamma_executor *executor;   /* threads that open blocks; NULL: the calling thread. Copied */
    /* memory limit of the index in bytes; an index needs about 180 bytes a game. Blocks beyond the limit are not kept;
     * each search opens them again. 0: no limit */
    uint64_t memory;
    void *context;   /* passed to the callback */
    /* Called after each block with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* an index of the same archive before it grew, with the same allocator: its blocks are shared, and only new blocks
     * are opened. It may be closed while searches use the new index; NULL: none */
    const stamma_search_index *before;
} stamma_search_index_options;

/* Opens an index of an archive in memory. The index does not refer to this memory: searches may use the archive at
 * another address. Damaged blocks are omitted; searches report them.
 * Errors:
 *   NO_ARCHIVE   the memory does not contain a Stamma archive
 *   UNSUPPORTED  a later version of the format
 *   CANCELLED, NO_MEMORY */
STAMMA_API stamma_error stamma_search_index_open(const void *archive, size_t size,
                                                 const stamma_search_index_options *options,
                                                 stamma_search_index **index);
/* ---- index files: an index that is kept on disk, for archives of any size and level (doc/index.md) ---- */

typedef struct stamma_index_write_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* threads that read blocks; NULL: the calling thread. Copied */
    /* memory limit in bytes; below 700 MiB, segments have fewer games, and searches take longer. 0: no limit */
    uint64_t memory;
    void *context; /* passed to the callback */
    /* Called after each block with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* Earlier index files, of this archive before it grew or of archives that were merged. Where their blocks are still
     * the same, they are copied. Files that are damaged or not index files are ignored. */
    const stamma_text *before;
    size_t before_count;
    uint32_t segment_games; /* minimum number of games in each segment but the last; 0: 2^24, or as `memory` allows */
} stamma_index_write_options;

/* Writes an index file of an archive in memory. The bytes depend only on the archive and the options, not on the
 * number of threads. Decodes every block whose segment is not copied from an earlier index file.
 * Errors:
 *   NO_ARCHIVE   the memory does not contain a Stamma archive
 *   CORRUPT, UNSUPPORTED  the archive is damaged, cut short or of a later format, a block does not decode to its text,
 *                or search columns contradict the games: the archive cannot be indexed
 *   LIMIT        a block needs more memory than the limit allows
 *   CANCELLED, IO, NO_MEMORY; the output is then incomplete */
STAMMA_API stamma_error stamma_index_write(const void *archive, size_t size, const stamma_index_write_options *options,
                                           const stamma_output *output);

/* Opens an index file in memory, such as a mapped file, which must remain valid until the index is closed. Reads only
 * the directory of the file; searches check the pages that they read.
 * Errors:
 *   NO_ARCHIVE   not an index file
 *   MISMATCH     the index is of another archive, or of this archive before it grew
 *   CORRUPT      the index is damaged
 *   UNSUPPORTED  another version of the format
 *   NO_MEMORY */
STAMMA_API stamma_error stamma_search_index_open_file(const void *archive, size_t size, const void *file,
                                                      size_t file_size, const stamma_allocator *allocator,
                                                      stamma_search_index **index);
/* Returns whether a search found that the index file is damaged. That search did not use the index, and its results
 * are right. */
STAMMA_API bool stamma_search_index_is_damaged(const stamma_search_index *index);

/* A place where an index file says something else than its archive. */
typedef struct stamma_index_difference {
    const char *part; /* "facts of a game": English text. Static */
    uint64_t segment; /* number of the part of the file (doc/index.md, 2), from 1; 0: none */
    uint64_t number;  /* of the rank, record, node, list, name, block or table, from 1; 0: none in particular */
    uint64_t game;    /* number of the game in the archive, from 1; 0: none in particular */
    uint64_t reserved[2]; /* 0 */
} stamma_index_difference;

typedef struct stamma_index_verify_options {
    size_t size;
    const stamma_allocator *allocator;
    void *context; /* passed to the callbacks */
    /* Called for each difference. May be NULL. */
    void (*difference)(void *context, const stamma_index_difference *difference);
    /* Called after each segment with the number of bytes of the archive processed so far and the total. Return false to
     * stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
} stamma_index_verify_options;

/* Compares an index file in memory with its archive in memory. Checksums do not show that an index is right: this
 * function decodes all games, and compares the blocks, facts, names, moves, order of games, trie, lists, sums and
 * statistics of the index with them. The archive itself must be sound (stamma_archive_verify). Bytes on which no answer
 * depends are not compared. If the trie of a segment differs, its lists are not compared.
 * *differences receives the number of differences; 0: all answers from the index are those of the archive.
 * Errors:
 *   NO_ARCHIVE   not an index file, or not an archive
 *   MISMATCH     the index is of another archive, or of this archive before it grew
 *   CORRUPT      a checksum of the index is wrong, or the archive is damaged
 *   UNSUPPORTED  another version of a format
 *   CANCELLED, NO_MEMORY
 * Source: doc/index.md. */
STAMMA_API stamma_error stamma_index_verify(const void *archive, size_t size, const void *file, size_t file_size,
                                            const stamma_index_verify_options *options, uint64_t *differences);

/* Returns whether the memory limit of stamma_search_index_open was too small: of some blocks nothing is kept, and each
 * search opens these blocks again. False for index files and for NULL. */
STAMMA_API bool stamma_search_index_is_partial(const stamma_search_index *index);

/* Closes an index, which no search may be using. Accepts NULL. */
STAMMA_API void stamma_search_index_close(stamma_search_index *index);
/* Returns the number of bytes that the index uses, including shared blocks; 0 for NULL. */
STAMMA_API uint64_t stamma_search_index_memory(const stamma_search_index *index);

/* Opens a search of an archive of any level, in memory, such as a mapped file, or read from options->input. The archive
 * and the query must live as long as the search; NULL for the query matches all games. Blocks are searched in parallel;
 * the results and their order do not depend on this. The members "skip" and "limit" of the query are applied.
 * Errors:
 *   NO_ARCHIVE    the bytes are not a Stamma archive
 *   UNSUPPORTED   a later version of the format
 *   BAD_ARGUMENT  options->index is of another archive, or of this archive before it grew; options->input cannot seek
 *   NO_MEMORY */
STAMMA_API stamma_error stamma_search_open(const void *archive, size_t size, const stamma_query *query,
                                           const stamma_search_options *options, stamma_search **search);
/* Closes a search. Accepts NULL. */
STAMMA_API void stamma_search_close(stamma_search *search);

/* Returns the next matching game in *match, in the order of the archive; NULL at the end and after an error. The match
 * is valid until the next call.
 * Errors:
 *   CORRUPT, UNSUPPORTED  the archive is damaged, truncated or of a later format; all matches before that place have
 *                         been returned
 *   CANCELLED, NO_MEMORY
 * After an error, all further calls return the same error. */
STAMMA_API stamma_error stamma_search_next(stamma_search *search, const stamma_match **match);

/* Returns the offset in the archive of the block's frame in which the error was found, and the number of the game that
 * it concerns (0: none). */
STAMMA_API stamma_place stamma_search_place(const stamma_search *search);

#ifdef __cplusplus
}
#endif

#endif
