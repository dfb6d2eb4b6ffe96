/* SPDX-License-Identifier: MIT */
/* Reading .stamma archives: games by number and in order, texts, tags, moves and comments.
 *
 *     stamma_archive *archive = NULL;
 *     stamma_archive_reader *reader = NULL;
 *     const stamma_archive_game *game = NULL;
 *     stamma_bytes bytes = stamma_bytes_of(memory, size);       // or a file: a size and read_at
 *     stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
 *     if (!error && !(error = stamma_archive_reader_open(archive, NULL, &reader)) &&
 *         !(error = stamma_archive_reader_seek(reader, 1000)))
 *         error = stamma_archive_reader_next(reader, &game);
 *
 * stamma/writer.h writes archives. stamma/search.h and stamma/answers.h search them, stamma/columns.h reads them as
 * tables, and stamma/repair.h verifies and repairs them. Source: doc/format/archive.md. */
#ifndef STAMMA_API_ARCHIVE_H
#define STAMMA_API_ARCHIVE_H

#include "stamma/pgn.h"
#include "stamma/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts of the games that a writer packed, or of the contents of an archive. */
typedef struct stamma_archive_counts {
    uint64_t games;
    uint64_t plies;                 /* typed moves of main lines */
    uint64_t variation_plies;       /* typed moves of variations */
    uint64_t text_size;             /* bytes of text */
    uint64_t archive_size;          /* bytes of archive, including frames */
    uint64_t moves_bytes;           /* bytes of the moves column as stored */
    uint64_t games_verbatim;        /* games with text but without any typed move */
    uint64_t games_partly_verbatim; /* games whose beginning is typed and whose rest is kept as text */
    uint64_t games_corrected;       /* typed games with stored differences from the rendered text */
    uint64_t verbatim_bytes;        /* bytes of text of these games that are stored as text */
    /* games kept as text because they failed the writer's round-trip check: an error of this library, which should be
     * reported. Only set by writers; 0 for archives */
    uint64_t games_inexact;
    /* blocks by level of their moves; [0] is 0. A block without moves is of level 1. Only set by
     * stamma_archive_reader_info */
    uint64_t level_blocks[4];
    uint64_t reserved[1];           /* 0; space for later versions, so that the struct never grows */
} stamma_archive_counts;

/* Why a game, or a part of it, is kept as text. Permanent values, which archives contain. */
typedef enum stamma_archive_reason {
    STAMMA_REASON_NONE = 0,
    STAMMA_REASON_BAD_FEN = 1,        /* the FEN tag is not a legal position */
    STAMMA_REASON_VARIANT = 2,        /* the Variant tag names a game other than chess and Chess960 */
    STAMMA_REASON_SYNTAX = 3,         /* bytes that are not a PGN token */
    STAMMA_REASON_ILLEGAL_MOVE = 4,   /* a move that is not legal */
    STAMMA_REASON_AMBIGUOUS_MOVE = 5, /* a move that matches several legal moves */
    STAMMA_REASON_DEPTH = 6,          /* variations nested deeper than the format allows */
    STAMMA_REASON_SIZE = 7,           /* a game larger than a block */
    STAMMA_REASON_LAYOUT = 8,         /* typed, but white space, move numbers or spelling differ from every style */
    STAMMA_REASON_UNSUPPORTED = 9,    /* a position with more legal moves than the move codes allow */
    /* failed the round-trip check: an error of this library, which should be reported */
    STAMMA_REASON_INEXACT = 10,
    STAMMA_REASON_COUNT = 11
} stamma_archive_reason;

/* Returns a short English text such as "illegal move". Never NULL. Static. */
STAMMA_API const char *stamma_archive_reason_text(stamma_archive_reason reason);

/* ---- games ---- */

/* Parts of a game, which can be combined. Parts that are not requested are not decoded, unless other parts need them.
 */
#define STAMMA_GAME_TAGS 1u
#define STAMMA_GAME_RESULT 2u
#define STAMMA_GAME_MOVES 4u
#define STAMMA_GAME_COMMENTS 8u
#define STAMMA_GAME_CLOCKS 16u
#define STAMMA_GAME_EVALUATIONS 32u
#define STAMMA_GAME_NAGS 64u
#define STAMMA_GAME_VARIATIONS 128u
#define STAMMA_GAME_TEXT 256u
#define STAMMA_GAME_ALL 511u

typedef struct stamma_tag {
    stamma_text name;
    stamma_text value; /* as written, with its escapes */
} stamma_tag;

/* Kinds of items among the moves of a main line. Permanent values. */
typedef enum stamma_archive_item_kind {
    STAMMA_ITEM_COMMENT = 1,         /* with COMMENTS */
    STAMMA_ITEM_NAG = 2,             /* with NAGS */
    STAMMA_ITEM_VARIATION_BEGIN = 3, /* with VARIATIONS, like the next two */
    STAMMA_ITEM_VARIATION_END = 4,
    STAMMA_ITEM_MOVE = 5             /* a move in a variation */
} stamma_archive_item_kind;

typedef struct stamma_archive_item {
    stamma_archive_item_kind kind;
    /* 0: in the main line; 1: in a variation of the main line, including its begin and end; and so on */
    unsigned depth;
    /* number of moves from the start of the game to the item, including a move item itself. VARIATION_BEGIN: moves
     * before the move that the variation replaces */
    size_t ply;
    stamma_move move; /* of a move item */
    unsigned nag;     /* of a NAG: 0..255. The suffixes ! ? !! ?? !? ?! are 1 to 6 */
    /* of a comment: the text in the braces or after the semicolon, with its line ends. If the style of the game wraps
     * comments at a width, the line ends are part of the style, and the text contains blanks instead */
    stamma_text text;
} stamma_archive_item;

/* A packed game. The library allocates it; later versions may append members. It is valid until the next call on the
 * reader. Lists are NULL, and texts have size 0, if there is nothing or their part was not requested. */
typedef struct stamma_archive_game {
    uint64_t number;            /* number from 1; 0: unknown, because of damage in a stream */
    /* true: another piece of a game that is too large for one block, or text after the last game. Only `text` is set */
    bool continuation;
    /* true: a continuation may follow. false: none follows. If a later block is damaged, and for the last game of a
     * block of a stream, this can be true although none follows */
    bool more;
    stamma_text text;           /* with TEXT: the exact bytes */
    size_t tag_count;
    const stamma_tag *tags;     /* with TAGS */
    /* with RESULT: the result at the end of the movetext, "1-0", "0-1", "1/2-1/2" or "*"; empty if missing */
    stamma_text result;
    stamma_position start;      /* with MOVES, VARIATIONS or TEXT; otherwise it may be the initial position */
    size_t ply_count;           /* number of plies of the main line, for any parts */
    const stamma_move *moves;   /* with MOVES: the typed moves of the main line */
    stamma_archive_reason reason; /* not NONE: a part of the game is not typed and is only in the text */
    size_t reason_offset;       /* offset in the text of the first byte that is not typed */
    /* size of the moves in the moves column in bits; 0 if the moves are predicted and MOVES was not requested */
    size_t moves_bits;
    size_t item_count;
    /* with COMMENTS, NAGS, VARIATIONS: items in the order of the text; without VARIATIONS, only the items of the main
     * line */
    const stamma_archive_item *items;
    /* with CLOCKS: for each ply the time left in the first comment after it that states one (stamma_clock_read), in
     * milliseconds; -1: none */
    const int64_t *clocks_ms;
    /* with EVALUATIONS: for each ply the evaluation in the first comment after it that states one
     * (stamma_evaluation_read) */
    const stamma_evaluation *evaluations;
    /* with TEXT, if the reason is LAYOUT: the token, or the text between two tokens, at reason_offset that differs
     * from the style; at most 80 bytes */
    stamma_text found;
    /* with TEXT, if the reason is LAYOUT: the token in the style of the game; empty if it is not a move */
    stamma_text expected;
    /* with MOVES, VARIATIONS or TEXT: the FEN tag is not a legal position, so `start` is the initial position and no
     * move is typed */
    bool no_start;
    /* with CLOCKS: for each ply the time that it took in the first comment after it that states one
     * (stamma_time_spent_read), in milliseconds; -1: none */
    const int64_t *times_spent_ms;
    uint32_t flags; /* STAMMA_FLAG_...; 0 without stamma_archive_use_flags */
} stamma_archive_game;

/* Returns the value of the first tag with a name as written, or {NULL, 0}. Also returns {NULL, 0} if TAGS was not
 * requested. */
STAMMA_API stamma_text stamma_archive_game_tag(const stamma_archive_game *game, stamma_text name);

/* Returns the result of a game (stamma_result_of_game). Needs TAGS and RESULT. Returns UNKNOWN if `game` is NULL. */
STAMMA_API stamma_result stamma_archive_game_result(const stamma_archive_game *game);

/* Return the ECO code of a game, and the name of its opening: the value of the tag ECO or Opening as written. If the
 * game does not have the tag, or its value is "?", the functions derive the code or the name from the moves: they use
 * the last position that is in the table of openings (doc/format/archive.md, Annex B). Only games from the initial
 * position have a derived opening. STAMMA_GAME_TAGS and STAMMA_GAME_MOVES must have been read.
 *   derived  receives true if the text is derived from the moves; may be NULL
 * Return {NULL, 0} if there is neither a tag nor a derived opening, or if `game` is NULL. The text of a tag is valid as
 * long as the game; a derived text is static. */
STAMMA_API stamma_text stamma_archive_game_eco(const stamma_archive_game *game, bool *derived);
STAMMA_API stamma_text stamma_archive_game_opening(const stamma_archive_game *game, bool *derived);

/* Returns the metadata of a game as levels 2 and 3 pass it to the predictor. STAMMA_GAME_TAGS must have been read; the
 * context refers to the game's texts. A rating that is not one to four digits is unknown. Everything is unknown if
 * `game` is NULL. Source: doc/format/block_columns.md, 16.5. */
STAMMA_API stamma_game_context stamma_archive_game_context(const stamma_archive_game *game);

/* Replaces the contents of `tree` by a game: from its text if it has one, like stamma_game_read; otherwise from its
 * other parts, omitting parts that were not read. Without the text, line ends in comments may be blanks, as in items.
 *   allocator  used while the function runs; NULL: malloc and free
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation; or it has no text, and its moves were not read or `reason` is not NONE
 *   NO_MEMORY     the tree is then incomplete */
STAMMA_API stamma_error stamma_archive_game_read_tree(const stamma_archive_game *game,
                                                      const stamma_allocator *allocator,
                                                      stamma_game *tree);

/* ---- reading ---- */

/* An open archive: its bytes, its index and a cache of decoded blocks. Every function that reads archives accepts it.
 * Any number of threads may use it at the same time. Readers, searches and streams that were opened from it are used by
 * one thread at a time, and must be closed before it. */
typedef struct stamma_archive stamma_archive;

typedef struct stamma_archive_options {
    size_t size;
    const stamma_allocator *allocator; /* also used by readers, searches and streams of the archive */
    const stamma_executor *executor;   /* threads that read blocks in parallel; NULL: none. Copied */
    /* memory limit of each call in bytes; 0: 512 MiB. Fewer blocks are read in parallel to stay below it; one block
     * needs up to 112 MiB. A block that declares more ends the call with LIMIT */
    uint64_t memory;
    /* limit of the cache of decoded blocks in bytes; 0: 128 MiB. All readers and searches of the archive share the
     * cache */
    uint64_t cache;
    /* an index file of the archive (stamma/search.h), whose pages are read when they are needed; NULL: none. Copied */
    const stamma_bytes *index;
    /* true: damaged blocks are skipped, and results come from the sound blocks only. false: reading ends with CORRUPT
     * or UNSUPPORTED at the first damage */
    bool skip_damage;
    uint64_t reserved[2]; /* 0 */
} stamma_archive_options;

/* Opens an archive. Only the header is read. The struct `bytes` is copied; the data that it refers to must not change
 * while the archive is open. The first function that needs the blocks reads the archive's tables of blocks, and the
 * headers of the frames that no table lists; this needs a bounded number of reads. Without tables, all frames' headers
 * are read.
 *
 * An index that cannot be used, for example because it is damaged or belongs to another archive, is ignored;
 * stamma_archive_index returns the reason. Damage of the archive is reported by the functions that read the games.
 * Errors:
 *   NO_ARCHIVE   the bytes are not a Stamma archive
 *   UNSUPPORTED  a later version of the format
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_open(const stamma_bytes *bytes, const stamma_archive_options *options,
                                            stamma_archive **archive);
/* Closes an archive. Accepts NULL. */
STAMMA_API void stamma_archive_close(stamma_archive *archive);

/* Stores the number of games that the archive's commits count. Errors: IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_games(stamma_archive *archive, uint64_t *games);

/* A block of an archive. */
typedef struct stamma_block {
    uint64_t first_game;  /* number of the first game that begins in the block, from 1 */
    uint64_t last_game;   /* first_game - 1: no game begins in the block */
    uint64_t size;        /* bytes of the block in the archive, with its frame header */
    uint64_t text_size;   /* bytes of its text */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_block;

/* Lists the blocks of an archive in their order. Callers can use the list to divide the archive: options first_game and
 * last_game of a search or of columns then select complete blocks. No block is read.
 *   blocks  receives at most `capacity` blocks; may be NULL if capacity is 0
 *   count   receives the number of blocks, which may exceed `capacity`
 * Errors: BAD_ARGUMENT, IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_blocks(stamma_archive *archive, stamma_block *blocks, size_t capacity,
                                              size_t *count);

/* A state of an archive: the archive up to the end of a finished commit, which is the end of a run that packed,
 * appended or merged. A file that ends after `end` bytes is the archive of this state. */
typedef struct stamma_archive_state {
    uint64_t end;         /* size of the archive in bytes; 0: there is no state */
    uint64_t check;       /* XXH64 of the 4,096 bytes, or fewer, that end 8 bytes before `end` */
    uint64_t commit;      /* offset of the commit */
    uint64_t previous;    /* offset of the commit before; 0: none */
    uint64_t games;
    uint64_t text_size;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_archive_state;

/* Stores the present state of an archive. Bytes after its end, which an interrupted writer left, are not part of it.
 * Errors: CORRUPT if the archive has no finished commit; UNSUPPORTED, BAD_ARGUMENT, IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_state_now(stamma_archive *archive, stamma_archive_state *state);

/* Stores the state before another state of the archive, or a state with the end 0 if there is none. The call reads only
 * the commits between the states. Truncate a file to before->end bytes to return to the state before.
 *   state  of this archive, from one of these functions
 * Errors: CORRUPT if a commit is damaged; BAD_ARGUMENT, IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_state_before(stamma_archive *archive, const stamma_archive_state *state,
                                                    stamma_archive_state *before);

/* ---- readers ---- */

struct stamma_archive_damage;
typedef struct stamma_archive_reader_options {
    size_t size;
    /* `allocator`, `executor` and `memory` replace the archive's; NULL and 0: the archive's are used. The defaults
     * without an archive: malloc and free, no threads, 512 MiB. */
    const stamma_allocator *allocator; /* not for blocks: the archive's cache keeps them, so they use the archive's
                                        * allocator */
    const stamma_executor *executor; /* threads for unpacking; copied */
    uint64_t memory;
    void *context; /* passed to the callbacks */
    /* Called once for each damaged place, by the calling thread; reading continues after the damage with everything
     * that is sound. With an archive, damaged frames and commits are reported when their headers are read, and a
     * damaged block when it is read. NULL: the archive's option `skip_damage` applies; without an archive, reading ends
     * at the first damage with CORRUPT or UNSUPPORTED. */
    void (*damage)(void *context, const struct stamma_archive_damage *damage);
    /* Called after each block that is unpacked, counted or copied with the number of bytes of the archive processed so
     * far and the total, which is 0 for a stream. Return false to stop: the function then returns CANCELLED, and its
     * output is complete up to that block. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* Called some hundred times a second, also within a game, while stamma_archive_reader_next, _seek or _select reads,
     * by the calling thread. Return true to end the call: it then returns CANCELLED, and damage is not reported.
     * stamma_archive_reader_seek may then move to any game; a reader of a stream can only be closed.
     * stamma_archive_reader_unpack calls it before each game, by the threads that unpack blocks, also by several at the
     * same time; the callback must return true from then on. Other functions do not call it. May be NULL. */
    bool (*stop)(void *context);
} stamma_archive_reader_options;

/* Reads games one after another, starting at any game. */
typedef struct stamma_archive_reader stamma_archive_reader;

/* Opens a reader at the first game of an archive.
 *
 * Bytes after the end, which an interrupted writer left, are not part of the archive. An archive is not sound if it has
 * these bytes, if it is truncated, or if its last bytes are damaged, even if no game is lost. All its games can still
 * be read; reading then ends with CORRUPT, unless damage is reported or skipped.
 *
 * Errors:
 *   CORRUPT, UNSUPPORTED  the archive is damaged or of a later format, unless damage is reported or skipped
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_reader_open(stamma_archive *archive,
                                                   const stamma_archive_reader_options *options,
                                                   stamma_archive_reader **reader);

/* Opens a reader of an archive that is read once, in order, such as a pipe. Functions that need to seek return
 * BAD_ARGUMENT.
 * Errors:
 *   NO_ARCHIVE            the input is not a Stamma archive
 *   CORRUPT, UNSUPPORTED  as for stamma_archive_reader_open
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_reader_open_stream(const stamma_input *input,
                                                          const stamma_archive_reader_options *options,
                                                          stamma_archive_reader **reader);

/* Reads the version of an archive's format from its first 16 bytes or more, for messages about archives that cannot be
 * opened. Versions N.0 and later of this library read format N. Source: doc/format/archive.md, 1.2.
 * Errors:
 *   UNSUPPORTED   this library cannot read the format; the version is stored
 *   NO_ARCHIVE    the bytes are not the start of a Stamma archive
 *   CORRUPT       the header is damaged
 *   BAD_ARGUMENT  a pointer is NULL */
STAMMA_API stamma_error stamma_archive_format(const void *bytes, size_t size, unsigned *major, unsigned *minor);

/* Closes a reader and releases the games that it returned. Accepts NULL. */
STAMMA_API void stamma_archive_reader_close(stamma_archive_reader *reader);

/* Returns the offset in the archive of the last error, and the number of the game that it concerns (0: none). */
STAMMA_API stamma_place stamma_archive_reader_place(const stamma_archive_reader *reader);

/* Stores the totals of an archive's last commit in *counts: games, plies, variation_plies, text_size, archive_size, and
 * the numbers of games and bytes kept as text. Other members are 0. No input is read.
 * Errors: BAD_ARGUMENT for a stream. */
STAMMA_API stamma_error stamma_archive_reader_totals(const stamma_archive_reader *reader,
                                                     stamma_archive_counts *counts);

/* A file that was packed into an archive. */
typedef struct stamma_archive_source {
    stamma_text name;     /* at most 4,096 bytes, without a zero byte */
    uint64_t time;        /* when it was packed, in seconds since 1970-01-01 UTC; 0: not recorded */
    uint64_t text_offset; /* of its first byte in the archive's text */
    uint64_t text_size;   /* its size in bytes */
    uint8_t sha256[32];   /* SHA-256 of these bytes, which the library does not compute */
} stamma_archive_source;

/* Calls `source` for each record of a file that was packed, in the order of the text. Names are valid until the
 * callback returns. Reads the headers of all frames. Damaged records are skipped, and so are records of text that the
 * archive does not contain. The next game of the reader stays the same.
 * Errors: BAD_ARGUMENT for a stream; IO, NO_MEMORY. */
STAMMA_API stamma_error stamma_archive_reader_sources(stamma_archive_reader *reader,
                                                      void (*source)(void *context,
                                                                     const stamma_archive_source *source),
                                                      void *context);

/* Returns the offset of the end of the archive: after its last valid commit, or after the header if there is no commit.
 * If the last bytes of that commit are missing, the end includes them. Returns 0 for a stream. */
STAMMA_API uint64_t stamma_archive_reader_end(const stamma_archive_reader *reader);

/* Writes exactly the bytes that were packed. Always starts at the first block: a reader of an archive is rewound. On an
 * error, everything before stamma_archive_reader_place has been written, including the games before the error in its
 * block, if its columns are complete. If damage is reported or skipped, the function returns OK.
 * Errors:
 *   BAD_ARGUMENT  blocks of a stream have already been read
 *   CANCELLED     the progress callback returned false
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_reader_unpack(stamma_archive_reader *reader, const stamma_output *output);

/* Selects the parts of games that stamma_archive_reader_next returns, a sum of STAMMA_GAME_... values; the default is
 * all. Parts may need others: MOVES needs the tags with the start position, and TAGS needs MOVES for tags that are
 * derived from them.
 *
 * With TEXT, each group of 16 to 64 games is compared with a checksum of its text before any is returned. Without
 * TEXT, only the checksums of the columns that are read are checked.
 *
 * The selection can change at any time, and the next game stays the same. For a stream, it can only change before the
 * first game is read.
 * Errors:
 *   BAD_ARGUMENT  unknown parts; or a game of a stream was already read
 *   others as stamma_archive_reader_seek */
STAMMA_API stamma_error stamma_archive_reader_select(stamma_archive_reader *reader, unsigned parts);

/* Stores the number of games in *games. For an archive, the commits contain this number, and the next game stays the
 * same. For a stream, the rest of the input is read to count its games, and stamma_archive_reader_next then returns no
 * more games.
 * Errors: CORRUPT, UNSUPPORTED, IO, NO_MEMORY, only for a stream. */
STAMMA_API stamma_error stamma_archive_reader_game_count(stamma_archive_reader *reader, uint64_t *games);

/* Moves to a game by its number, from 1: the next call of stamma_archive_reader_next returns it. A number after the
 * last game moves to the end. If damage is reported or skipped and the game is lost, moves to the first sound game
 * after it.
 *
 * The archive's cache keeps decoded blocks, so reading many games of a block decodes the block once.
 * Errors:
 *   BAD_ARGUMENT  the game is before the current place of a stream
 *   CANCELLED     options->stop returned true
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_reader_seek(stamma_archive_reader *reader, uint64_t number);

/* Returns the next game in *game, which the reader owns; NULL at the end and after an error.
 * Errors: CORRUPT, UNSUPPORTED (unless damage is reported or skipped), IO, NO_MEMORY, with stamma_archive_reader_place;
 * CANCELLED if options->stop returned true. */
STAMMA_API stamma_error stamma_archive_reader_next(stamma_archive_reader *reader, const stamma_archive_game **game);

/* ---- columns of an archive and their sizes ---- */

/* Size of a column's name; longer names are truncated. */
#define STAMMA_COLUMN_NAME_SIZE 64

/* A column of an archive and its size in all blocks; or a kind of field in the texts of a column (clause 14 of the
 * format: clocks, evaluations, depths ...), whose bytes are included in the bytes of the column. */
typedef struct stamma_archive_column {
    /* "moves", "tag:White", "comments", "layout", "verbatim", ... NUL-terminated. The name of a field is the column, a
     * colon, and the text before the field: "comments:[%clk" */
    char name[STAMMA_COLUMN_NAME_SIZE];
    uint64_t stored_bytes;
    uint64_t plain_bytes;   /* before compression; of a field, as symbols and bits */
    uint64_t values;        /* of a field: number of values; 0: a column */
} stamma_archive_column;

/* Describes the contents of an archive: counts, games by reason, and, through a callback, its columns and then its
 * fields, each in descending size. `counts`, `reasons` and `column` may be NULL. `reasons` has space for
 * `reason_count` numbers; numbers after the last reason are set to 0. Starts at the first block, like
 * stamma_archive_reader_unpack. Errors as stamma_archive_reader_unpack. */
STAMMA_API stamma_error stamma_archive_reader_info(stamma_archive_reader *reader, stamma_archive_counts *counts,
                                            uint64_t *reasons, size_t reason_count,
                                            void (*column)(void *context, const stamma_archive_column *column),
                                            void *context);

#ifdef __cplusplus
}
#endif

#endif
