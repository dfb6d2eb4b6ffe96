/* What the subcommands of `stamma` share: words and exit codes, options, files in and out, text, games by number.
 * Everything here tells the user itself when it fails, on stderr as "stamma: FILE: what is wrong". */
#ifndef STAMMA_TOOL_H
#define STAMMA_TOOL_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* POSIX.1-2008, and realpath */
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

/* Exit codes, as grep has them. */
enum {
    TOOL_DONE = 0,    /* done, or found */
    TOOL_NOTHING = 1, /* nothing found */
    TOOL_ERROR = 2,
    TOOL_STRICT = 3 /* --strict: done, but something was kept as text */
};

/* The subcommands. argv[0] is the subcommand's name; the result is the exit code. */
int tool_pack(int argc, char **argv);
int tool_append(int argc, char **argv);
int tool_unpack(int argc, char **argv);
int tool_cat(int argc, char **argv);
int tool_find(int argc, char **argv);
int tool_tree(int argc, char **argv);
int tool_stats(int argc, char **argv);
int tool_merge_stats(int argc, char **argv);
int tool_serve(int argc, char **argv);
int tool_ls(int argc, char **argv);
int tool_info(int argc, char **argv);
int tool_verify(int argc, char **argv);
int tool_repair(int argc, char **argv);
int tool_merge(int argc, char **argv);
int tool_recompress(int argc, char **argv);
int tool_encode(int argc, char **argv);
int tool_survey(int argc, char **argv);
int tool_perft(int argc, char **argv);
int tool_predict(int argc, char **argv);

/* ---- words (message.c) ---- */

/* Prints "stamma: SUBJECT: ...\n" on stderr; printf's format and values follow the subject. */
#define tool_say(subject, ...) \
    (tool_message_begin(subject), (void)fprintf(stderr, __VA_ARGS__), (void)fputc('\n', stderr))
void tool_message_begin(const char *subject);

/* Whether all that was printed on standard output so far could be written. */
bool tool_printed(void);
/* Writes what is left of it; a failure is told, once. */
bool tool_print_finish(void);
/* What standard output is called in messages. */
void tool_print_name(const char *name);

/* Room for any 64-bit number with separators, and for an amount of bytes with its unit. */
#define TOOL_NUMBER_SIZE 32
/* 1234567 as "1,234,567"; returns `out`. */
const char *tool_number(uint64_t value, char out[TOOL_NUMBER_SIZE]);
/* 1234567 as "1.23 MB"; returns `out`. */
const char *tool_bytes(double value, char out[TOOL_NUMBER_SIZE]);

/* ---- much of it in small pieces (print.c) ---- */

/* They wait until tool_put_flush, which tool_printed and the messages call; so do the ends of JSON lines and of rows.
 * What stdio prints comes behind only if nothing waits. */
typedef struct tool_waiting {
    size_t size;
    char bytes[1 << 15];
} tool_waiting;
extern _Thread_local tool_waiting tool_print_waiting;

/* What the thread puts from here on goes there, and no longer to standard output; NULL: to it again. What its `write`
 * returns is not looked at. */
void tool_put_to(const stamma_output *output);

void tool_put_flush(void);
void tool_put_large(const char *bytes, size_t size); /* at once */

static inline void tool_put(const char *bytes, size_t size)
{
    if (size > sizeof tool_print_waiting.bytes - tool_print_waiting.size) {
        tool_put_large(bytes, size);
        return;
    }
    if (size > 0)
        memcpy(tool_print_waiting.bytes + tool_print_waiting.size, bytes, size);
    tool_print_waiting.size += size;
}

static inline void tool_put_char(char byte)
{
    if (tool_print_waiting.size == sizeof tool_print_waiting.bytes)
        tool_put_flush();
    tool_print_waiting.bytes[tool_print_waiting.size++] = byte;
}

void tool_put_string(const char *string);
void tool_put_number(uint64_t number);
void tool_put_integer(int64_t number);

/* ---- the word that was probably meant (nearest.c) ---- */

/* Set word and length, try all words that there are, and read name: NULL where none is near. */
typedef struct tool_nearest {
    const char *word;
    size_t length;
    const char *name;
    unsigned distance;
} tool_nearest;

void tool_nearest_try(tool_nearest *nearest, const char *candidate);

/* ---- options (options.c) ---- */

/* Options that may come again, in the order in which they were given. */
typedef struct tool_value {
    const char *name; /* of the option */
    const char *text; /* its value; NULL for a flag */
} tool_value;
typedef struct tool_values {
    tool_value *list; /* to be freed */
    size_t count;
} tool_values;

/* One option; exactly one of the five targets is set, and says what the option takes. */
typedef struct tool_option {
    char letter;       /* 0: none */
    const char *name;  /* after the two dashes */
    const char *value; /* what the value is called in the help; NULL for a flag */
    const char *help;
    bool *flag;
    const char **text;
    char *list;       /* the values of an option that may be repeated, separated by commas */
    size_t list_size; /* of that text, with its NUL */
    uint64_t *number; /* decimal */
    uint64_t *size;   /* bytes, with an optional K, M, G or T (of 1024) ... */
    uint64_t least;   /* ... and at least so many, a whole number of M */
    tool_values *values;
    const char *heading; /* a line of the help before this option; NULL: none */
} tool_option;

/* What --memory is when it is not given, and the least that it may be, in bytes. */
#define TOOL_MEMORY ((uint64_t)512 << 20)
#define TOOL_MEMORY_MIN ((uint64_t)128 << 20)

/* Options that several commands have and that mean the same in all; each still needs its target. */
#define TOOL_OPTION_THREADS                                                 \
    .letter = 'T', .name = "threads", .value = "N",                         \
    .help = "threads to use; 0, the default: as many as there are cores.\n" \
            "The result does not depend on it"
#define TOOL_OPTION_MEMORY                                                    \
    .name = "memory", .value = "SIZE", .least = TOOL_MEMORY_MIN,              \
    .help = "memory that may be used: 512M is the default, 128M the least.\n" \
            "The result does not depend on it"
#define TOOL_OPTION_FORCE .letter = 'f', .name = "force", .help = "overwrite OUT where it exists"
#define TOOL_OPTION_RAW .name = "raw", .help = "pack files as they lie, compressed or not"
#define TOOL_OPTION_NO_CHECK                                                               \
    .name = "no-check", .help = "do not read back what was packed before it is written:\n" \
                                "quicker, and nothing shows that it can be unpacked"
#define TOOL_OPTION_NO_SEARCH                                                                        \
    .name = "no-search-columns", .help = "leave out what lets a search pass over games: 5 bytes a\n" \
                                         "game less, and searches take longer"
#define TOOL_OPTION_LEVEL                                                                                            \
    .name = "level", .value = "N",                                                                                   \
    .help = "1, the default: one byte a move; 2: moves by a predictor, a third\nthe size, read ten to twenty times " \
            "more slowly; 3: by a predictor that learns as it\ngoes, the smallest, read a hundred times more "       \
            "slowly, and by way\nof all games before it in its block; also -1, -2 and -3"
#define TOOL_OPTION_RESUME .name = "resume", .help = "go on with a run that was interrupted"
#define TOOL_OPTION_STRICT .name = "strict", .help = "exit status 3 where anything had to be kept as text"
#define TOOL_OPTION_PACK_QUIET \
    .letter = 'q', .name = "quiet", .help = "no progress, no notices, no summary; errors only"
#define TOOL_OPTION_VERBOSE \
    .letter = 'v', .name = "verbose", .help = "name every game that was kept as text or corrected"

/* What a subcommand takes and how its help reads. */
typedef struct tool_usage {
    const char *command;
    const char *operands; /* "[FILE...]" */
    const char *text;     /* what it does, lines of at most 80 columns */
    const tool_option *options;
    size_t option_count;
    int operands_min;
    int operands_max; /* -1: any number */
} tool_usage;

/* Reads the options wherever they stand and moves the operands to argv[0] and on; "--" ends the options. False where
 * the subcommand is to end at once with *status: its help was asked for and printed, or it was called wrongly. */
bool tool_options_read(const tool_usage *usage, int argc, char **argv, int *operands, int *status);

/* ---- values of options (fen_option.c, level_option.c) ---- */

/* The position of a --fen option's value, the initial one for NULL. False where it is none, which has been told. */
bool tool_fen_read(const char *fen, stamma_position *position);
/* Whether a writer may be opened at the level that was asked for; else it is told. */
bool tool_level_fits(const char *command, uint64_t level);

/* ---- an open file to read (file.c) ---- */

typedef struct tool_file {
    const char *name; /* "standard input" for "-" */
    int fd;
    bool regular;    /* can seek, and `size` is known */
    bool failed;     /* a read has failed, and was reported */
    bool borrowed;   /* closing it leaves it open */
    uint64_t size;   /* bytes from where it stood when it was opened */
    uint64_t base;   /* where that was in the file */
    uint64_t offset; /* bytes read or passed since */
} tool_file;

/* Whether there is such a file to read (or standard input, "-"), without opening it, and its size where it is regular.
 */
bool tool_file_measure(const char *path, uint64_t *size, bool *regular);
/* Opens a file, or standard input for "-". */
bool tool_file_open(const char *path, tool_file *file);
/* Opens a regular file for reading and writing, and keeps other writers off as long as it is open: nothing else may
 * open and close the file in this process meanwhile. */
bool tool_file_open_to_grow(const char *path, tool_file *file);
/* Keeps other writers off as long as the process has the file open. 1: done, or the file system cannot; 0: another
 * process has it; -1: `path` names another file by now. */
int tool_file_lock(const char *path, int fd);
/* A file that is open already, from its start; it stays the caller's. False where it is not regular. */
bool tool_file_borrow(int fd, const char *name, tool_file *file);
/* Up to `size` bytes; 0 at the end; -1 after a failure. */
ptrdiff_t tool_file_read(tool_file *file, void *bytes, size_t size);
/* All bytes that are left and a NUL, to be freed; NULL where that fails, which is told. */
char *tool_file_read_all(tool_file *file, size_t *size);
/* Goes to `offset` bytes behind where the file was opened; false where it cannot, which is not reported. */
bool tool_file_seek(tool_file *file, uint64_t offset);
void tool_file_close(tool_file *file);

/* ---- a file as a piece of memory (mapped_file.c) ---- */

typedef struct tool_mapped {
    const char *name; /* "standard input" for "-" */
    const uint8_t *bytes;
    size_t size;
    bool mapped;      /* otherwise the file was read */
    size_t forgotten; /* pages before this offset were given back */
    size_t at;        /* of an input over it */
} tool_mapped;

/* Maps a file, or reads what cannot be mapped: a pipe, standard input for "-". A file that another program cuts short
 * meanwhile ends this one. */
bool tool_mapped_open(const char *path, tool_mapped *file);
void tool_mapped_close(tool_mapped *file);
/* Gives pages before the offset `end` back to the system, so that the memory of a pass over a large file stays bounded.
 * They are read again if they are needed. */
void tool_mapped_forget(tool_mapped *file, uint64_t end);
/* An input over its bytes, which seeks; one at a time. */
stamma_input tool_mapped_input(tool_mapped *file);

/* ---- input below a layer of compression (input.c, layers.c) ---- */

typedef struct tool_flow {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
    bool at_boundary; /* between two members, where the input may end */
} tool_flow;

/* A form of compression: gzip, bzip2, xz, zstd. */
typedef struct tool_layer {
    const char *name;
    const char *endings[3]; /* of files' names that tell it */
    bool zeros_follow;      /* zero bytes up to the end of the file are no fault */
    /* Whether a file that begins so is of this form; `size` is below 16 only where the file is. */
    bool (*recognise)(const uint8_t *bytes, size_t size);
    void *(*open)(void);
    /* Takes from flow->in and puts to flow->out what it can. NULL, or what is wrong with the data. */
    const char *(*decode)(void *state, tool_flow *flow);
    void (*close)(void *state);
} tool_layer;

/* The form that a file beginning with these bytes has; NULL for none. */
const tool_layer *tool_layer_find(const uint8_t *bytes, size_t size);
/* What is certainly no PGN, and below no layer that can be taken off. */
typedef struct tool_foreign {
    const char *name;    /* "a zip archive" */
    const char *command; /* that prints what is in it, when the file's name follows; NULL for none */
} tool_foreign;

/* Bytes of a file that tell what it is. */
enum { TOOL_LAYER_SHOWN = 512 };
/* NULL where it may be PGN. */
const tool_foreign *tool_layer_foreign(const uint8_t *bytes, size_t size);

typedef struct tool_input tool_input;

/* Opens a file, or standard input for "-". Unless `raw`, a layer that its content shows is taken off while reading. */
tool_input *tool_input_open(const char *path, bool raw);
/* Up to `size` bytes; 0 at the end; -1 after a failure. */
ptrdiff_t tool_input_read(tool_input *input, void *bytes, size_t size);
/* The form of compression that is taken off: "gzip"; NULL for none. */
const char *tool_input_layer(const tool_input *input);
/* Whether the file's name tells that form, as games.pgn.gz does. */
bool tool_input_name_tells(const tool_input *input);
/* Bytes of the file itself read so far. */
uint64_t tool_input_offset(const tool_input *input);
void tool_input_close(tool_input *input);

/* ---- output that appears whole or not at all (output.c, temporary.c) ---- */

typedef struct tool_output tool_output;

/* Opens a file to write, or standard output for "-". A regular file is written beside its place and moved there by
 * tool_output_finish; one that exists needs `force`. Devices and pipes are written directly. */
tool_output *tool_output_open(const char *path, bool force);
/* Grows the file that is open as `fd`, which stays the caller's, for reading and writing: its bytes follow what it
 * holds once tool_output_cut was called, and are cut off again unless it is finished. */
tool_output *tool_output_grow(int fd, const char *name);
/* Makes that file, or one that was left, end at `size` bytes, durably. `context` is the output. */
bool tool_output_cut(void *context, uint64_t size);
/* Where it was cut. */
uint64_t tool_output_kept(const tool_output *output);
/* Opens an archive to write that a later run may go on with: as tool_output_open, but the file beside its place is
 * called PATH.partial and no other process may write it. What an earlier run left in it stays until the file is cut. */
tool_output *tool_output_open_partial(const char *path, bool force);
/* Opens what an earlier run left for reading, as long as the output is open; false where that is nothing. */
bool tool_output_left(tool_output *output, tool_file *file);
/* It is to be gone on with: it stays where something goes wrong. Cutting it below `least` bytes fails, and tells that
 * the input is another. */
void tool_output_resume(tool_output *output, uint64_t least);
/* Something is committed: a signal that ends the program leaves the file, and tells how to go on. With `stays` the file
 * also stays where something else goes wrong. */
void tool_output_committed(tool_output *output, bool stays);
bool tool_output_write(tool_output *output, const void *bytes, size_t size);
/* From here on what is printed on standard output goes there. Nothing else may be written then. */
bool tool_output_take_printed(tool_output *output);
/* Writes what is left, makes it durable and puts the file in its place. */
bool tool_output_finish(tool_output *output);
/* Closes; what was not finished goes away. Accepts NULL. */
void tool_output_close(tool_output *output);
/* Whether `path` names the file that is written, or the one that it replaces; for "-", what standard input reads. */
bool tool_output_is(const tool_output *output, const char *path);
/* Whether a write failed; it has been reported. */
bool tool_output_failed(const tool_output *output);
const char *tool_output_name(const tool_output *output);
/* The same as the library's callbacks. */
stamma_output tool_output_callbacks(tool_output *output);

/* From here on a signal that ends the program takes away what is unfinished. */
void tool_temporary_watch(void);
/* Makes a file of a name of its own in `directory`, to be taken away unless it is kept; gives its descriptor, or -1. */
int tool_temporary_open(const char *directory);
/* The same for PATH.partial, which another process with the same aim must not have (EAGAIN). What an earlier run left
 * there is not to be taken away until it is ours. EEXIST where it is another kind of file. */
int tool_temporary_open_partial(const char *path);
const char *tool_temporary_path(void);
/* From here on the file is ours to take away, or is left by a signal, whose words then name the output and say how to
 * go on. */
void tool_temporary_take(void);
void tool_temporary_leave(const char *name);
/* Moves the file to `path`; where something stands there already, only with `replace` (else errno is EEXIST). *left: 0,
 * or why its old name stays there as well. */
bool tool_temporary_keep(const char *path, bool replace, int *left);
void tool_temporary_remove(void);
/* Such a signal cuts the file that is open as `fd` to `size` bytes. */
void tool_temporary_shrink_on_signal(int fd, uint64_t size);
/* Leaves all as it is, now and when a signal comes. */
void tool_temporary_forget(void);

/* ---- progress on a terminal (progress.c) ---- */

typedef struct tool_progress {
    bool on;
    const char *verb; /* "packing" */
    uint64_t total;   /* of what `done` counts; 0: unknown */
    double started;   /* seconds */
    double shown;
} tool_progress;

/* On when stderr is a terminal and not `quiet`. */
tool_progress tool_progress_start(const char *verb, uint64_t total, bool quiet);
/* `done` of the total is behind us, and `bytes` of text went through. */
void tool_progress_show(tool_progress *progress, uint64_t done, uint64_t bytes);
/* Takes the bar off the terminal, if there is one. */
void tool_progress_clear(void);
/* Seconds from some fixed moment. */
double tool_clock(void);

/* ---- memory (large_pages.c) ---- */

/* For packing: in large pages where the system has them. */
extern const stamma_allocator tool_large_pages;

/* Makes malloc ask the system for each block of a megabyte and more, and give it back when it is released.
 * Left to itself it learns from such blocks to keep them, and threads that compress megabytes at a time take ever more,
 * past any --memory. */
void tool_memory_return(void);

/* ---- threads (threads.c) ---- */

typedef struct tool_threads tool_threads;

/* Starts `wanted` threads (0: as many as there are cores) and describes them for the library. NULL where one is enough
 * or no more can be had: the executor is then of no thread, which does as well. */
tool_threads *tool_threads_open(uint64_t wanted, stamma_executor *executor);
/* Ends the threads, when nothing is left that uses them. Accepts NULL. */
void tool_threads_close(tool_threads *threads);

/* ---- what was kept as text or corrected (notices.c) ---- */

typedef struct tool_notices {
    uint64_t kept; /* games that are not typed from some place on, and bytes of them */
    uint64_t kept_bytes;
    uint64_t corrected; /* games that are typed, and bytes of them that are written otherwise than their style says */
    uint64_t corrected_bytes;
    uint64_t reasons[STAMMA_REASON_COUNT];
} tool_notices;

/* Whether moves are missing from what is typed: white space and spelling alone are no loss. */
bool tool_notice_is_loss(stamma_archive_reason reason);
/* Counts a notice; whether it is to be told by itself. */
bool tool_notices_take(tool_notices *n, const stamma_archive_notice *notice, bool verbose);
/* A line that sums them up, if there were any. */
void tool_notices_say(const tool_notices *n, const stamma_archive_counts *counts, const char *name, bool verbose);
/* The place, the reason, what stands there and what was expected, with a line end. */
void tool_notice_print(FILE *out, const stamma_archive_notice *notice, bool several);

/* Where reading an archive game by game stands in its text; begins as zeros. */
typedef struct tool_notice_finder {
    uint64_t lines;
    bool after_return;
} tool_notice_finder;

/* Whether there is something to notice about the next game of the archive, as when it was packed: its text lives as
 * long as the game. What was expected is not known. */
bool tool_notice_find(tool_notice_finder *f, const stamma_archive_game *game, stamma_archive_notice *notice);

/* ---- archives (archive_file.c) ---- */

typedef struct tool_archive {
    tool_file file;
    stamma_archive_reader *reader;
    uint64_t damages;     /* damaged places that were told of */
    uint64_t lost;        /* of them, those where something is missing, or may be */
    bool silent;          /* nothing more is told */
    uint64_t tail_blocks; /* whole blocks behind its end */
    uint64_t tail_games;  /* and the games in them */
} tool_archive;

/* Opens an archive, or standard input for "-". Damage is told, and reading goes on behind it. */
bool tool_archive_open(const char *path, tool_archive *archive);
/* The same, but damage is an error. */
bool tool_archive_open_sound(const char *path, tool_archive *archive);
/* The same with options, which may be NULL; without `seeks` it is read from front to back. */
bool tool_archive_open_with(const char *path, const stamma_archive_reader_options *options, bool seeks,
                            tool_archive *archive);
/* The same for writing behind it, too, with no other writer (tool_file_open_to_grow). */
bool tool_archive_open_to_grow(const char *path, tool_archive *archive);
/* The last bytes of a commit: what an interrupted run left may lack them, and they are then written once more. */
enum { TOOL_COMMIT_END = 8 };

/* Opens the reader over archive->file; a failure is not told. */
stamma_error tool_archive_try(tool_archive *archive);
void tool_archive_close(tool_archive *archive);
/* Says why an archive could not be read, and where. */
void tool_archive_say(const char *name, stamma_error error, stamma_place place);
/* The same of its reader; returns TOOL_ERROR. */
int tool_archive_fail(tool_archive *archive, stamma_error error);
/* The exit status after reading: TOOL_ERROR where damage was told of, else `status`. */
int tool_archive_status(const tool_archive *archive, int status);

/* A line about a damaged place (damage.c). */
void tool_damage_say(const char *name, const stamma_archive_damage *damage);
/* A permanent word for its kind, as JSON has it: "column". */
const char *tool_damage_word(stamma_damage_kind kind);

/* The text of the result: that of the Result tag if it is a result, otherwise that at the end of the moves. */
stamma_text tool_result(const stamma_archive_game *game);

/* A permanent word for a reason, as JSON has it: "illegal_move"; NULL for none. */
const char *tool_reason_word(stamma_archive_reason reason);

/* Whether this names games by number, and not an archive. */
bool tool_games_named(const char *argument);
/* How many of the operands, of which the first is one, are archives: those behind are games by number. */
int tool_archives_count(char **operands, int count);
/* Visits each archive and returns the worst status: TOOL_ERROR, else TOOL_NOTHING, else TOOL_DONE. */
int tool_archives_each(char **paths, int count, int (*visit)(void *context, const char *path), void *context);
/* The words of a file, or of standard input for "-", that are parted by white space, behind `count` others. NULL where
 * it cannot be read, which is told; else to be freed by tool_words_free. */
typedef struct tool_words {
    char **word;
    int count;
    char *text;
} tool_words;
bool tool_words_read(const char *path, char **others, int count, tool_words *words);
void tool_words_free(tool_words *words);

/* Games by number, as the user names them: 17  100..200  5000..  ..10  last, also 100-200 and 1,3,5. Calls `visit` for
 * each that there is and for the further pieces of each, range after range (all games where `count` is 0), until it
 * returns false; they have the `parts` of a game, STAMMA_GAME_... . TOOL_NOTHING where there was none; a range that
 * begins behind the last game is an error. */
int tool_games_each(tool_archive *archive, char **ranges, int count, unsigned parts,
                    bool (*visit)(void *context, const stamma_archive_game *game), void *context);

/* A walk through an archive by the numbers of games; begins as {reader, visit, context, .next = 1}. What comes behind a
 * game is read to see where it ends, since a game may come in pieces; it waits in `game`. */
typedef struct tool_walk {
    stamma_archive_reader *reader;
    bool (*visit)(void *context, const stamma_archive_game *game);
    void *context;
    const stamma_archive_game *game;
    bool waiting;  /* `game` was read and not yet visited */
    bool stopped;  /* the visitor has had enough */
    uint64_t next; /* the number of the game that is read next */
} tool_walk;

/* Visits each game from `first` to `last` that there is, and the further pieces of each. The reader's errors. */
stamma_error tool_walk_visit(tool_walk *walk, uint64_t first, uint64_t last, bool *any);

/* ---- a game that outlives the reader's next call (game_copy.c) ---- */

/* *memory, to be freed, holds all that the copy points to. */
bool tool_game_copy(const stamma_archive_game *game, stamma_archive_game *copy, void **memory);

/* ---- text for people and for programs (text.c, json.c) ---- */

/* The bytes of a PGN file as UTF-8 on `out`: as they are where they are UTF-8, else as Latin-1, PGN's own character set
 * (PGN standard 4.1); control characters, which could drive a terminal, as '?'. Returns the number of characters. */
size_t tool_text_print(FILE *out, stamma_text text);
/* The same in at most so many columns of a terminal, cut with an ellipsis where it is longer; returns the columns. */
size_t tool_text_print_cut(FILE *out, stamma_text text, size_t columns);
/* Columns of the terminal that standard output is; 0 where it is none. */
size_t tool_terminal_columns(void);
bool tool_text_is_utf8(stamma_text text);
/* Behind a move number and its dots, "1." or "12..."; the word itself where it begins with none. */
const char *tool_skip_move_number(const char *word);
/* A tag's value without escapes, to be freed; {NULL, 0} for none. Ends the program when there is no memory. */
stamma_text tool_text_unescape(stamma_text value);

/* JSON on standard output, or where tool_put_to says, compact; commas come by themselves. A key of NULL is for the
 * members of a list. */
void tool_json_begin(void);                         /* needed only where something before was left unfinished */
void tool_json_open(const char *key, char bracket); /* '{' or '[' */
void tool_json_close(char bracket);                 /* '}' or ']' */
void tool_json_end(void);                           /* ends the line: one object, or one a line */
void tool_json_text(const char *key, stamma_text text);
void tool_json_named_text(stamma_text key, stamma_text text); /* for a key that comes from outside; no data: null */
void tool_json_string(const char *key, const char *string);   /* NULL: null */
void tool_json_word(const char *key, stamma_text word);       /* in which nothing must be escaped */
void tool_json_number(const char *key, uint64_t value);
void tool_json_integer(const char *key, int64_t value);
void tool_json_game_number(uint64_t number); /* 0, which is not known: null */
void tool_json_real(const char *key, double value, int digits);
void tool_json_bool(const char *key, bool value);
void tool_json_raw(const char *key, stamma_text json); /* a value that is JSON already */

#endif
