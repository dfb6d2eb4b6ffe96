/* SPDX-License-Identifier: MIT */
/* The games, plies and positions of archives as Apache Arrow record batches.
 *
 *     struct ArrowArrayStream stream;
 *     const stamma_text names[] = {stamma_text_of("white"), stamma_text_of("result")};
 *     stamma_columns_options options = {.size = sizeof options, .columns = names, .column_count = 2};
 *     stamma_error error = stamma_columns_open(archive, &options, NULL, &stream);
 *
 * Other programs read the batches without conversion; doc/reference/columns.md describes all columns. The three
 * structs are the Arrow C data interface and the Arrow C stream interface
 * (https://arrow.apache.org/docs/format/CDataInterface.html), which define who releases each object. */
#ifndef STAMMA_API_COLUMNS_H
#define STAMMA_API_COLUMNS_H

#include "stamma/search.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *schema);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *array);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *stream);
    void (*release)(struct ArrowArrayStream *stream);
    void *private_data;
};
#endif

/* Tables of an archive. Permanent values. */
typedef enum stamma_table {
    STAMMA_TABLE_GAMES = 0,     /* a row for each game */
    STAMMA_TABLE_PLIES = 1,     /* a row for each ply of each main line */
    STAMMA_TABLE_POSITIONS = 2, /* a row for each ply, in a form for training models */
    STAMMA_TABLES = 3
} stamma_table;

typedef struct stamma_columns_options {
    size_t size;
    /* `executor` and `memory` replace the archive's; NULL and 0: the archive's are used. The batches and their order do
     * not depend on them. The archive's allocator is used until all batches are released, also by the threads that
     * release batches. */
    const stamma_executor *executor;
    uint64_t memory;
    void *context; /* passed to the callbacks */
    /* Called after each block, when its last batch is returned, with the number of bytes of the archive processed so
     * far and the total. Return false to stop with CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* As in stamma_search_options: called often, by several threads. Return true to stop with CANCELLED. May be NULL.
     */
    bool (*stop)(void *context);
    stamma_table table;
    /* names of the columns, in the order of the result; only used while the stream is opened. column_count 0: the
     * columns that stamma_columns_list reports with is_default */
    const stamma_text *columns;
    size_t column_count;
    /* only games that match this query, which must exist as long as the stream. "offset" and "limit" count games. NULL:
     * all games */
    const stamma_query *query;
    uint64_t first_game; /* number of the first game; 0: the first of the archive */
    uint64_t last_game;  /* number of the last game; 0: the last of the archive */
    uint32_t batch_rows; /* maximum number of rows of a batch, up to 1,048,576; 0: 65,536. Each block begins a batch */
    bool unordered;      /* batches are returned as soon as they are complete, in any order of blocks */
    bool plain_texts;    /* columns of type dictionary are plain texts instead */
    /* The following only apply to STAMMA_TABLE_POSITIONS. */
    uint32_t skip_plies; /* omits the first plies of each game */
    uint32_t sample;     /* keeps one position in `sample`, selected pseudo-randomly by `seed`; 0 and 1: all */
    /* Shuffles the rows of each block in a buffer of this number of rows, of 128 bytes each: a row is exchanged for a
     * pseudo-randomly selected row of the buffer. 0: in order. At most 16,777,216 */
    uint32_t shuffle;
    uint64_t seed; /* the same seed always produces the same rows in the same order, except with `unordered` */
} stamma_columns_options;

/* Why a stream cannot be opened. */
typedef struct stamma_columns_problem {
    size_t column;     /* index of the name in options->columns; SIZE_MAX: no particular column */
    char message[200]; /* English, NUL-terminated: `unknown column "whte"; did you mean "white"?` */
} stamma_columns_problem;

/* Opens a stream of record batches over an archive of any level. `options` may be NULL. The archive must exist as long
 * as the stream, but not as long as its batches. Damage may be found in the middle of a block: with the archive's
 * option skip_damage, the stream then contains only the first batches of the block.
 *
 * A column that the table does not have may be the name of a tag of the archive: in small letters with underscores
 * ("white_team" for WhiteTeam), or exactly, after "tag:" ("tag:WhiteTeam"), which is accepted even if no game has it.
 * Only the parts of games that the columns and the query need are decoded.
 *
 * The functions of the stream return 0 or an errno value: ENOMEM (also for a block that needs more memory than
 * the limit), EIO (also for a damaged archive), ECANCELED.
 * stamma_columns_error returns the exact error. All batches before a damaged block are returned before the error.
 * The stream may be used by one thread at a time, which may change. stream->release waits for running threads.
 * Errors:
 *   SYNTAX        an unknown column, or the same column twice; *problem, which may be NULL, describes it
 *   UNSUPPORTED   the column `bits`, if the library has no weights; options of a later version
 *   BAD_ARGUMENT  an option is out of range
 *   CORRUPT, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_columns_open(stamma_archive *archive, const stamma_columns_options *options,
                                            stamma_columns_problem *problem, struct ArrowArrayStream *stream);

/* Returns the error that ended a stream of stamma_columns_open; OK if none did. *place, which may be NULL, is the
 * offset in the archive of the block in which the error was found, and the number of the game (0: unknown). Returns
 * BAD_ARGUMENT for any other stream. */
STAMMA_API stamma_error stamma_columns_error(const struct ArrowArrayStream *stream, stamma_place *place);

/* A column of a table. */
typedef struct stamma_column {
    const char *name;    /* "white_rating" */
    const char *type;    /* "int16", "dictionary<int32, utf8>", "list<uint16>", "fixed_size_list<uint8>[64]" ... */
    const char *meaning; /* one line of English, without a full stop */
    bool is_default;     /* part of the result if no columns are named */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_column;

/* Calls `take` with `context` for each column of a table, in the order of doc/reference/columns.md; for the table of
 * games, then also for each other tag of the archive, in the order of first occurrence. The column is valid during
 * the call. Of the options, only `table` and `plain_texts` are used. If `archive` is NULL, only the columns that
 * every archive has are listed.
 * Errors: as stamma_columns_open, except SYNTAX. */
STAMMA_API stamma_error stamma_columns_list(stamma_archive *archive, const stamma_columns_options *options,
                                            void (*take)(void *context, const stamma_column *column), void *context);

/* ---- moves as numbers ---- */

/* Number of moves in the vocabulary of the column `move_index`. */
#define STAMMA_VOCABULARY_SIZE 1924

/* Stores the index of a legal move in the vocabulary (doc/reference/columns.md): 1,792 pairs of squares at the
 * distance of a queen's or a knight's move, in the order of origin and target, then 132 promotions to knight, bishop
 * and rook. A promotion to queen has the index of its squares. Castling is written as king takes rook.
 * Errors: UNSUPPORTED for the null move, and for 16 bits that are not a chess move. */
STAMMA_API stamma_error stamma_vocabulary_index(const stamma_position *position, stamma_move move, uint16_t *index);

/* Stores the legal move with an index. Errors: ILLEGAL if the position has no such move; BAD_ARGUMENT for
 * STAMMA_VOCABULARY_SIZE and above. */
STAMMA_API stamma_error stamma_vocabulary_move(const stamma_position *position, unsigned index, stamma_move *move);

#ifdef __cplusplus
}
#endif

#endif
