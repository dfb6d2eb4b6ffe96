/* SPDX-License-Identifier: MIT */
/* Writing .stamma archives: packing PGN, appending, resuming, copying and merging.
 *
 *     stamma_archive_writer *writer = NULL;
 *     stamma_error error = stamma_archive_writer_open(&output, NULL, &writer);
 *     if (error == STAMMA_OK && (error = stamma_archive_writer_write(writer, text, size)) == STAMMA_OK)
 *         error = stamma_archive_writer_finish(writer, NULL);
 *     stamma_archive_writer_close(writer);
 *
 * Any text can be packed, and unpacks byte for byte. Each block is decoded and compared before it is written. Source:
 * doc/format/archive.md. */
#ifndef STAMMA_API_WRITER_H
#define STAMMA_API_WRITER_H

#include "stamma/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reports a game that is verbatim, partly verbatim or corrected. Each such game is reported once, at its first such
 * byte. */
typedef struct stamma_archive_notice {
    uint64_t game;   /* number of the game in the archive, from 1 */
    stamma_archive_reason reason;
    stamma_place place; /* place in the text passed to the writer; its `game` is the same number */
    /* beginning of the text kept, or of the tag that is the reason (BAD_FEN, VARIANT); at most 80 bytes */
    stamma_text text;
    uint64_t kept;    /* bytes of the game that are kept as text or corrected */
    stamma_text found;    /* LAYOUT: the token, or the text between two tokens, that differs; at most 80 bytes */
    stamma_text expected; /* LAYOUT: the token in the style of the game; empty if it is not a move */
} stamma_archive_notice;

/* Possible errors in a game. All bytes of the game are stored in any case. */
typedef enum stamma_warning {
    STAMMA_WARNING_TWO_EVENTS = 1, /* a second Event tag: these may be two games, without an empty line between them */
    /* the main line ends at text that is not a legal move. The rest is kept as text, in which searches find no moves */
    STAMMA_WARNING_MOVES_END = 2,
    STAMMA_WARNING_COUNT = 3
} stamma_warning;

/* Reports a game that a user may want to correct. Each warning is reported once for a game. */
typedef struct stamma_archive_warning {
    stamma_warning kind;
    stamma_place place; /* of the tag or the text; as in a notice, its `game` is the number in the archive, from 1 */
} stamma_archive_warning;

typedef struct stamma_archive_writer_options {
    size_t size;
    const stamma_allocator *allocator;
    /* 0: the default, which is 1. Level 1 stores a move in at most one byte. Level 2 codes moves with a trained
     * predictor: moves need a third of the space and decode 10 to 20 times slower. Level 3 uses a predictor that adapts
     * to the games: moves need a tenth less space than at level 2 and decode six times slower, and a game is decoded
     * after up to 200 games before it. Levels 2 and 3 are UNSUPPORTED without the predictor's weights */
    int level;
    void *context;        /* passed to the callbacks */
    /* called in order, by the calling thread; NULL: not called */
    void (*notice)(void *context, const stamma_archive_notice *notice);
    const stamma_executor *executor;                                    /* NULL: no threads. Copied */
    /* memory limit in bytes; default 512 MiB. Fewer blocks are processed in parallel to stay below it; one block needs
     * 124 MiB, at level 3 27 MiB more */
    uint64_t memory;
    /* skip the round-trip check: blocks are not decoded and compared before they are written. With the check, a game
     * that would not be restored exactly is kept as text and counted in `games_inexact`, so nothing is lost; search
     * columns must agree with the decoded games. Even without the check, the writer verifies that all bytes are in
     * blocks, and that the predictor's weights have their checksums */
    bool no_check;
    /* Called after each block with the number of bytes of text in the blocks written so far. `total` is 0: unknown.
     * Return false to stop: the function then returns CANCELLED, as do all later calls, and the archive ends with its
     * last commit. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* omit the search columns, about 5 bytes per game. Searches work without these columns, but cannot skip games.
     * Levels 2 and 3 never have these columns */
    bool no_search_columns;
    /* called like `notice`, in the order of the games; NULL: not called */
    void (*warning)(void *context, const stamma_archive_warning *warning);
    /* Called before each game while a block is packed and checked, by the threads that pack blocks, also by several at
     * the same time. Return true to stop: the function then returns CANCELLED, as do all later calls, and the archive
     * ends with its last commit. The callback must return true from then on. May be NULL. */
    bool (*stop)(void *context);
} stamma_archive_writer_options;

typedef struct stamma_archive_writer stamma_archive_writer;

/* Opens a writer and writes the header. Memory does not depend on the size of the input.
 * Errors:
 *   UNSUPPORTED  this library cannot write the level
 *   SELF_CHECK   the predictor's weights in memory are wrong
 *   BAD_ARGUMENT, IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_writer_open(const stamma_output *output,
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Packs more bytes. The archive does not depend on the sizes of the pieces that are passed.
 * Errors:
 *   IO, NO_MEMORY
 *   CANCELLED   the progress callback returned false, or the stop callback returned true
 *   SELF_CHECK  a block failed the round-trip check even as text; its search columns contradict its games; the weights
 *               of the predictor are wrong; or bytes of the input are missing from the blocks, or changed. A finished
 *               commit never contains these errors
 * After an error, the writer can only be closed, and the archive ends with its last commit. */
STAMMA_API stamma_error stamma_archive_writer_write(stamma_archive_writer *writer, const void *bytes, size_t size);

/* Records that the last source->text_size bytes passed to the writer are a file; source->text_offset is ignored. The
 * record is written when the writer is finished, if anything was packed. stamma_archive_writer_copy and _recompress
 * copy the records of an archive.
 * Errors:
 *   BAD_ARGUMENT  the name is invalid; fewer bytes were passed to the writer; or these bytes belong to another record
 *   others as stamma_archive_writer_write
 * Source: doc/format/archive.md, 7.6. */
STAMMA_API stamma_error stamma_archive_writer_add_source(stamma_archive_writer *writer,
                                                         const stamma_archive_source *source);

/* Packs the remaining bytes, commits and syncs. Stores the counts of this writer in *counts, which may be NULL. Errors
 * as stamma_archive_writer_write. */
STAMMA_API stamma_error stamma_archive_writer_finish(stamma_archive_writer *writer, stamma_archive_counts *counts);

/* Closes a writer. Accepts NULL. Without stamma_archive_writer_finish, the archive ends with its last commit. */
STAMMA_API void stamma_archive_writer_close(stamma_archive_writer *writer);

/* ---- copies of archives ---- */

/* Copies all blocks of another archive, unchanged, to the end of this archive. The texts follow one another byte for
 * byte, and the number of games is the sum: the first game after the copied ones is a separate game, even if the text
 * before it does not end its last line. Data that is written afterwards begins like a new input.
 *
 * `reader` must have just been opened; its blocks may have any level. The function checks only the checksums, and
 * whether games continue correctly from block to block; stamma_archive_verify checks everything. Optional frames of
 * later versions are not copied.
 * Errors:
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY, with stamma_archive_reader_place
 *   BAD_ARGUMENT  games of the reader were already read
 *   SELF_CHECK    as stamma_archive_writer_write
 * After an error, the writer can only be closed. */
STAMMA_API stamma_error stamma_archive_writer_copy(stamma_archive_writer *writer, stamma_archive_reader *reader);

/* Packs the contents of another archive again, at the level of this writer, at the end of this archive. Each input that
 * was packed into the other archive begins a new block. The result is therefore the same as if its inputs were packed
 * one after another, and does not depend on the level of the other archive.
 *
 * `reader` must have just been opened without options->damage, and its archive without skip_damage.
 * Errors:
 *   CORRUPT, UNSUPPORTED, IO, NO_MEMORY, with stamma_archive_reader_place
 *   BAD_ARGUMENT  games of the reader were already read
 *   others as stamma_archive_writer_write
 * After an error, the writer can only be closed. */
STAMMA_API stamma_error stamma_archive_writer_recompress(stamma_archive_writer *writer, stamma_archive_reader *reader);

/* ---- appending and resuming ---- */

/* Opens a writer that appends to the archive of `reader`, which is not a stream. The reader is only needed
 * during the call, and does not see the new games.
 *
 * `cut` is called once, during the call, with the context of the output. It must durably truncate the file to `size`
 * bytes; the writer then appends its output to the file. Until the writer is finished, readers see the old archive,
 * even if writing stops at any point. Afterwards the archive unpacks to its previous text followed by the new text.
 * Game numbers continue; notices contain places in the new text.
 *
 * If the last 8 bytes of the last commit are damaged or missing, they are restored: the file is cut before them, and
 * they are written and synced first. Data that an interrupted writer left after the end is cut off
 * (STAMMA_DAMAGE_TAIL).
 * Errors:
 *   BAD_ARGUMENT  the reader reads a stream
 *   CORRUPT       the archive is truncated or has other damage, or the checksum of a block of its last commit is wrong;
 *                 earlier blocks are not read. The damage callback of the reader is called, and no other callback
 *   UNSUPPORTED   this library cannot write the level
 *   SELF_CHECK    the predictor's weights in memory are wrong
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_writer_open_append(const stamma_archive_reader *reader,
                                                          const stamma_output *output,
                                                   bool (*cut)(void *context, uint64_t size),
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Opens a writer that resumes an archive whose writer was interrupted. `reader` is a reader of this archive, not of a
 * stream. It must exist until the writer is closed, and must not be used otherwise.
 *
 * Pass the same input from its start. Blocks that the file contains are not packed again, and no notices are reported
 * for their games. At the first difference, or at the end of the valid contents of the file, `cut` is called once, as
 * by stamma_archive_writer_open_append, and everything from there is written. The finished archive is equal to the
 * archive of an uninterrupted writer, whatever damage the file has.
 *
 * A block is kept if it has the checksums and sizes of the input's text, and its columns have their checksums. The
 * block is not decoded: a block that was forged to have the right checksums, but decodes to another text, is kept.
 * Therefore, only resume your own files, or verify the archive afterwards.
 * Errors:
 *   BAD_ARGUMENT  the reader reads a stream
 *   UNSUPPORTED   this library cannot write the level
 *   SELF_CHECK    the predictor's weights in memory are wrong
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_writer_open_resume(stamma_archive_reader *reader, const stamma_output *output,
                                                   bool (*cut)(void *context, uint64_t size),
                                                   const stamma_archive_writer_options *options,
                                                   stamma_archive_writer **writer);

/* Returns the offset of the end of the data that an interrupted append has committed after the archive.
 * stamma_archive_writer_open_append_resume continues after this data; stamma_archive_writer_open_append removes the
 * data. Without such data, returns stamma_archive_reader_end. */
STAMMA_API uint64_t stamma_archive_reader_interrupted_end(const stamma_archive_reader *reader);

/* Opens a writer that resumes an interrupted append, like stamma_archive_writer_open_resume, with two differences: the
 * input is the input of the append, and the old archive is never cut.
 *
 * If no append was interrupted, the input is compared with the input of the last append. If it is the same, nothing is
 * appended, and the counts of stamma_archive_writer_finish are 0. If its first block differs, the input is appended. If
 * only a later block differs, stamma_archive_writer_write, _copy or _finish returns MISMATCH, and the archive is
 * unchanged. If a block that is compared is damaged, they return CORRUPT, and the archive is unchanged. Copied blocks
 * are not compared: they are appended. Errors as stamma_archive_writer_open_append. */
STAMMA_API stamma_error stamma_archive_writer_open_append_resume(stamma_archive_reader *reader,
                                                                 const stamma_output *output,
                                                     bool (*cut)(void *context, uint64_t size),
                                                     const stamma_archive_writer_options *options,
                                                     stamma_archive_writer **writer);

/* Returns the number of bytes of the input that are committed. A resumed writer does not pack these bytes again. */
STAMMA_API uint64_t stamma_archive_writer_committed(const stamma_archive_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
