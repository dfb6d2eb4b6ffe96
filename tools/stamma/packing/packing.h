/* SPDX-License-Identifier: MIT */
/* Functions for commands that write archives from files. */
#ifndef STAMMA_TOOL_PACKING_H
#define STAMMA_TOOL_PACKING_H

#include "shared/tool.h"
#include "threads/worker_threads.h"

/* ---- packing files with an archive writer (packing.c), for pack and append ---- */

/* Opens files that are not PGN, as PGN. */
typedef struct tool_packing_reader {
    void *context;
    /* Opens a file. Returns NULL after a message. */
    tool_input *(*open)(void *context, const char *path);
    /* Closes it. Stores the number of parts that were skipped. Returns false after a message, if it was not read. */
    bool (*close)(void *context, tool_input *input, uint64_t *skipped);
} tool_packing_reader;

typedef struct tool_packing_options {
    uint64_t level;
    uint64_t threads;
    uint64_t memory;
    bool raw, no_check, no_search_columns, strict, resume, quiet, verbose, record;
    bool force;                        /* delete the data of an interrupted run */
    const tool_packing_reader *reader; /* NULL: files are PGN, perhaps compressed */
} tool_packing_options;

/* Options of pack and append with a tool_packing_options; each command lists its other options first and last. */
#define TOOL_PACKING_OPTIONS(o)                                                                                 \
    {TOOL_OPTION_LEVEL, .number = &(o).level}, {TOOL_OPTION_THREADS, .number = &(o).threads},                   \
        {TOOL_OPTION_MEMORY, .size = &(o).memory}, {TOOL_OPTION_RAW, .flag = &(o).raw},                         \
        {TOOL_OPTION_NO_CHECK, .flag = &(o).no_check}, {TOOL_OPTION_NO_SEARCH, .flag = &(o).no_search_columns}, \
        {TOOL_OPTION_RECORD, .flag = &(o).record}, {TOOL_OPTION_RESUME, .flag = &(o).resume},                   \
    {                                                                                                           \
        TOOL_OPTION_STRICT, .flag = &(o).strict                                                                 \
    }

struct tool_staged;
struct tool_new_games;

typedef struct tool_packing {
    const tool_packing_options *options;
    char **files;
    size_t file_count;
    bool regular;   /* all files are regular */
    uint64_t total; /* their bytes; 0 if unknown */
    tool_output *output;
    stamma_archive_writer_options writing; /* options to open the writer with */
    stamma_archive_writer *writer;
    stamma_executor executor;
    worker_threads *threads;
    tool_progress progress;
    struct tool_source *sources;
    size_t source_count;
    uint64_t passed;  /* bytes of files (compressed or not) read completely */
    uint64_t bytes;   /* bytes of text packed */
    uint64_t skipped; /* parts of files that were not packed */
    uint64_t lines;   /* line ends in the text, counted if several files are packed */
    bool after_return;
    bool staging; /* the writer does not write the output: omit byte order marks, and do not report commits */
    tool_notices notices;
    tool_warnings warnings[STAMMA_WARNING_COUNT];
    bool dry;     /* new games are only counted: the archive is not changed */
    bool dedupes; /* games that are duplicates of others are skipped (tool_similar_games_find) */
    /* Changes new games before they are compared; NULL: nothing is changed (tool_new_games_append) */
    bool (*change)(void *context, struct tool_staged *staged, struct tool_new_games *known, bool *changed);
    void *context;
    bool record;              /* record the files in the archive */
    tool_recorded *contained; /* files that are not packed again; NULL: none */
} tool_packing;

/* Checks that all files can be read, before the output is opened, which must not be one of them. Call tool_packing_end
 * afterwards, also after a failure. */
bool tool_packing_begin(tool_packing *p, const tool_packing_options *options, char **files, size_t count);
/* Sets the output and starts the threads. */
void tool_packing_start(tool_packing *p, const char *verb, tool_output *output);
/* Opens p->writer to append to an archive, which the output grows; continues an interrupted run with --resume. Returns
 * false after a message. */
bool tool_packing_open_append(tool_packing *p, tool_archive *archive);
/* Reports that an interrupted run, such as "append", was continued after `kept` of the `left` bytes that it had
 * written. / */
void tool_packing_say_resumed(const tool_packing *p, const char *run, uint64_t kept, uint64_t left);
/* Packs the files with p->writer and finishes it. */
bool tool_packing_run(tool_packing *p, stamma_archive_counts *counts);
/* Packs one of the files with p->writer. */
bool tool_packing_file(tool_packing *p, size_t index);
/* Finishes p->writer. */
bool tool_packing_complete(tool_packing *p, stamma_archive_counts *counts);
/* Reports why the writer failed, unless the output has reported it. Returns false. */
bool tool_packing_fail(const tool_packing *p, stamma_error error);
/* Prints warnings, and a summary of the games that were kept as text or corrected, if there are any. */
void tool_packing_reasons(const tool_packing *p, const stamma_archive_counts *counts);
/* Returns TOOL_STRICT if --strict is set and games were kept as text, or parts of files were skipped. */
int tool_packing_status(const tool_packing *p, const stamma_archive_counts *counts);
void tool_packing_end(tool_packing *p);

/* ---- the encoding of a file (text_encoding.c) ---- */

/* Initialize with zeros. */
typedef struct tool_encoding {
    uint8_t head[4]; /* the first bytes of the file */
    size_t head_size;
    unsigned missing;  /* bytes that are missing from a sequence of UTF-8 */
    uint8_t low, high; /* range of the next of these bytes */
    bool not_utf8;     /* bytes that are not UTF-8 */
    bool not_windows;  /* bytes without a character in Windows-1252 */
    bool binary;       /* zero bytes */
} tool_encoding;

/* Examines the next bytes of a file. */
void tool_encoding_take(tool_encoding *e, const uint8_t *bytes, size_t size);
/* Reports an encoding other than UTF-8 of the bytes taken. */
void tool_encoding_say(const tool_encoding *e, const char *name);

/* ---- games that are new (new_games.c, indexed_games.c, similar_games.c, players.c, staged_files.c) ---- */

/* A part of an open file, which is read without changing the offset of the file. */
typedef struct tool_window {
    int fd;
    const char *name;
    uint64_t first, end;
} tool_window;

/* Returns the bytes of the part of the file. */
stamma_bytes tool_window_bytes(tool_window *window);

/* A growing list of numbers. Initialise with zeros; free `all` with free(). */
typedef struct tool_numbers {
    uint64_t *all;
    size_t count, room;
} tool_numbers;

/* Returns false after a message. */
bool tool_numbers_add(tool_numbers *list, uint64_t number);
/* Sorts the list. */
void tool_numbers_sort(tool_numbers *list);
/* Returns whether a sorted list has a number. */
bool tool_numbers_have(const tool_numbers *list, uint64_t number);

typedef struct tool_new_games {
    stamma_archive_writer *writer; /* set by the caller, like `output` */
    const tool_output *output;
    bool blocks; /* set by the caller: in the archives to copy, only the end of a block may separate two games */
    stamma_game_set *known;
    tool_text_end last_end; /* of the last game of the output */
    bool kept;              /* the game before was written */
    bool open_end;          /* text after the last game of the output may be read as a part of this game */
    bool apart;             /* a game after it was not written */
    uint64_t added, skipped;
    tool_numbers similar;      /* ascending indexes of games that are skipped as duplicates of others */
    size_t similar_at;         /* the next of them */
    uint64_t games, different; /* games read; skipped games that only `similar` skips */
    uint64_t read;             /* bytes of all games, new or not */
    uint64_t due;              /* bytes of new games, and of empty lines between them */
    uint64_t given;            /* bytes that the writer was given */
} tool_new_games;

/* Opens an empty set of known games, which needs at most `memory` bytes; 0: no limit. Close with
 * tool_new_games_close. */
bool tool_new_games_open(tool_new_games *n, uint64_t memory);
/* Adds games of an archive, whose numbers ascend, to the known games. The output is expected to continue the archive.
 */
bool tool_new_games_know(tool_new_games *n, tool_archive *archive, const uint64_t *numbers, size_t count);
/* Writes the games of an archive that are not known, byte for byte, and adds them to the known games. Returns false if
 * bytes are lost, after a message, like after any other error. */
bool tool_new_games_copy(tool_new_games *n, tool_archive *archive);
void tool_new_games_close(tool_new_games *n);

/* Adds a hash of the players of each game to the list. Uses the threads and the memory limit of `p`. */
bool tool_players_add(tool_numbers *players, tool_window *archive, const tool_packing *p);
/* Adds the number of each game of an archive whose players are in the sorted list. */
bool tool_players_find(const tool_numbers *players, tool_window *archive, const tool_packing *p, tool_numbers *games);

/* Files that were packed into temporary archives, one for each. */
typedef struct tool_staged {
    int fd; /* an unnamed file with all archives; -1: none */
    struct tool_staged_file {
        uint64_t end;  /* of the archive in that file */
        uint64_t text; /* bytes of text in the archive */
    } * files;
    size_t count;
} tool_staged;

/* Packs all files of `p` into temporary archives in the folder of the file `path`. Prepares p->writing for the writer
 * of the output. Close with tool_staged_close, also after a failure. */
bool tool_staged_pack(tool_staged *s, tool_packing *p, const char *path);
/* Replaces the archives by archives with changed games. Calls `edit` for each game with its tags, result, moves and
 * text, which may replace the text; continuations are unchanged. Returns false after a message. */
bool tool_staged_change(tool_staged *s, tool_packing *p, const char *path,
                        bool (*edit)(void *context, const stamma_archive_game *game, stamma_text *text), void *context);
/* Returns the archive of a file. */
tool_window tool_staged_window(const tool_staged *s, size_t index);
/* The open archive of a file. */
typedef struct tool_staged_archive {
    tool_window window;
    tool_archive archive;
} tool_staged_archive;

/* Opens the archive of a file with a reader. Returns false after a message. Call tool_staged_shut in any case. */
bool tool_staged_open(const tool_staged *s, size_t index, tool_staged_archive *opened);
void tool_staged_shut(tool_staged_archive *opened);
/* Does the same as tool_new_games_copy with the archive of a file. */
bool tool_staged_copy(const tool_staged *s, size_t index, tool_new_games *n);
void tool_staged_close(tool_staged *s);

/* Looks up the games of an archive. Stores an error of the look-up in *error. Returns false after a message about the
 * archive. */
bool tool_look_up_games(tool_archive *archive, stamma_game_lookup *lookup, stamma_error *error);

/* Adds the number of each game of an archive that may be the same as a game of the files, or with `similar` a duplicate
 * of one, with the index file next to the archive. *found is false if there is no index file that can be used. Returns
 * false after a message about the files. */
bool tool_indexed_games_find(const tool_staged *staged, tool_archive *archive, bool similar, tool_numbers *games,
                             bool *found);

/* Adds the index of each game of the files, from 0 for the first game of the first file, that is a duplicate of a game
 * of the archive or of an earlier game of the files: of all kinds of stamma dedupe except probable ones. Uses at most
 * `memory` bytes for comparing. Returns false after a message. */
bool tool_similar_games_find(const tool_staged *staged, tool_archive *archive, uint64_t memory, tool_numbers *games);

/* Returns whether a game is one of the known games, in *known. */
bool tool_new_games_has(tool_new_games *n, const stamma_archive_game *game, bool *known);

/* Appends the games of the files that the archive does not contain, and finishes the writer. Calls `copied` after the
 * games of each file; NULL: nothing is called. The numbers of games are in *n.
 *
 * p->change is called when the archives of the files are packed, and the games of the archive that may be the same are
 * known. It may change the games of the files with tool_staged_change. The changed games are then compared. With
 * p->dry, the writer of the output is opened with p->output, which then is another file, and does not append. */
bool tool_new_games_append(tool_new_games *n, tool_packing *p, tool_archive *archive, stamma_archive_counts *counts,
                           void (*copied)(void *context, const tool_new_games *n, size_t file), void *context);

/* ---- index files (packing_index.c), for index, append and merge ---- */

typedef struct tool_indexing {
    const char *archive;
    const char *path; /* of the index file */
    const stamma_executor *executor;
    uint64_t memory;
    bool quiet;
    bool compact;        /* the index file is not changed in place, but replaced by a file without unused bytes */
    tool_mapped *before; /* earlier index files, whose contents are used if they still match the archive */
    size_t before_count;
    uint64_t games, bytes, archive_bytes; /* set by tool_indexing_run: games, size of the index, and of the archive */
} tool_indexing;

/* Adds an earlier index file to indexing->before, if there is one at this path. Release with tool_indexing_close. */
void tool_indexing_add(tool_indexing *indexing, const char *path);
/* Writes the index file of the archive. Returns false after a message. */
bool tool_indexing_run(tool_indexing *indexing, const tool_mapped *archive);
/* Prints a summary. */
void tool_indexing_say(const tool_indexing *indexing);
void tool_indexing_close(tool_indexing *indexing);

/* Brings the index file of an archive that was written or has grown up to date, if indexing->before has files. An index
 * that cannot be written is reported; the archive is complete without an index. */
void tool_indexing_update(tool_indexing *indexing, const char *archive);
/* Does the same with the index file next to the archive. Call it after the archive is closed, because mapping the
 * archive would release its lock. */
void tool_indexing_follow(const char *archive, const tool_packing_options *options);

#endif
