/* SPDX-License-Identifier: MIT */
/* Functions for all subcommands of `stamma`: messages and exit codes, options, input and output files, archives, text
 * and JSON.
 *
 * Unless a comment says otherwise, a function that fails has printed the error on stderr as "stamma: FILE: what is
 * wrong". */
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

#include "shared/commands.h"
#include "stamma.h"
#include "system/system.h"

/* Exit codes; the first three have the same meaning as grep's. */
enum {
    TOOL_DONE = 0,    /* success, or something was found */
    TOOL_NOTHING = 1, /* nothing found */
    TOOL_ERROR = 2,
    TOOL_STRICT = 3 /* with --strict: success, but something was kept as text or skipped */
};

/* Prints the conditions of searches, for stamma help conditions. */
void tool_conditions_help(void);

/* ---- messages (message.c) ---- */

/* Prints "stamma: SUBJECT: ...\n" on stderr. A printf format and its values follow the subject. The call of fprintf is
 * never executed: with it, the compiler checks the format. */
#define tool_say(subject, ...)                                                                                \
    (tool_message_begin(subject), (void)(0 && fprintf(stderr, __VA_ARGS__)), tool_message_print(__VA_ARGS__), \
     tool_message_end())
void tool_message_begin(const char *subject);
void tool_message_print(const char *format, ...); /* like printf; replaces control characters */
void tool_message_end(void);                      /* prints the line feed */

/* Prints that memory is exhausted, after the subject unless it is NULL. Returns false. */
static inline bool tool_fail_memory(const char *subject)
{
    tool_say(subject, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return false;
}

/* Returns whether everything printed on standard output so far was written. */
bool tool_printed(void);
/* Flushes standard output. Reports a failure once. */
bool tool_print_finish(void);
/* Sets the name of standard output in messages. */
void tool_print_name(const char *name);

/* Size of a text that holds any 64-bit number with separators, or an amount of bytes with its unit. */
#define TOOL_NUMBER_SIZE 32
/* Writes a number with separators, such as "1,234,567". Returns `out`. */
const char *tool_number(uint64_t value, char out[TOOL_NUMBER_SIZE]);
/* Writes an amount of bytes with a unit, such as "1.23 MB". Returns `out`. */
const char *tool_bytes(double value, char out[TOOL_NUMBER_SIZE]);

/* ---- buffered printing in small pieces (print.c) ---- */

/* Bytes that were put and not printed yet. tool_put_flush prints them; tool_printed, tool_say, and the functions that
 * end a JSON line or a table row call tool_put_flush. Call it before printing with stdio. */
typedef struct tool_waiting {
    size_t size;
    char bytes[1 << 15];
} tool_waiting;
extern _Thread_local tool_waiting tool_print_waiting;

/* Sends everything that this thread puts from now on to `output`, or to standard output if `output` is NULL. The
 * result of output->write is ignored. */
void tool_put_to(const stamma_output *output);

/* Prints bytes unchanged on standard output, after the bytes that were put. On a terminal, control characters other
 * than line ends and tabs are replaced, because text from games could control the terminal. Bytes that are put are
 * printed in the same way. */
void tool_print_bytes(const char *bytes, size_t size);
/* Call it after standard output was redirected: whether it is a terminal is then determined again. */
void tool_print_redirected(void);

void tool_put_flush(void);
void tool_put_large(const char *bytes, size_t size); /* without buffering */

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

/* ---- bytes that grow (buffer.c) ---- */

/* Initialise with zeros. */
typedef struct tool_buffer {
    char *bytes;
    size_t size, room;
    bool failed; /* out of memory; the bytes are incomplete */
} tool_buffer;

/* Makes room for `more` elements of `size` bytes after the first `count` of a list. `list` is the address of the
 * pointer to its elements, which have been allocated for *room. Returns false, after a message, without memory. */
bool tool_list_grow(void *list, size_t *room, size_t count, size_t more, size_t size);
bool tool_buffer_add(tool_buffer *buffer, const void *bytes, size_t size);
void tool_buffer_free(tool_buffer *buffer);
/* Returns an output that appends to the buffer, also for tool_put_to. The buffer must not move meanwhile. */
stamma_output tool_buffer_output(tool_buffer *buffer);

/* ---- the nearest known word (nearest.c) ---- */

/* Finds the candidate that is most similar to a word. Set `word` and `length`, pass each candidate to
 * tool_nearest_try, and read `name`, which is NULL if no candidate is similar. */
typedef struct tool_nearest {
    const char *word;
    size_t length;
    const char *name;
    unsigned distance;
} tool_nearest;

void tool_nearest_try(tool_nearest *nearest, const char *candidate);

/* ---- options (options.c) ---- */

/* The values of options that may be repeated, in command-line order. */
typedef struct tool_value {
    const char *name; /* of the option */
    const char *text; /* its value; NULL for a flag */
} tool_value;
typedef struct tool_values {
    tool_value *list; /* free with free() */
    size_t count, archive_count;
    char **archives, *saved; /* operands, next to which may be files about them; texts of these files, to be freed */
} tool_values;

/* Adds a value. Returns false, after a message, if memory is exhausted. */
bool tool_values_add(tool_values *values, const char *name, const char *text);

/* One option. Exactly one of `flag`, `text`, `list`, `number`, `size` and `values` is set; it determines the kind of
 * value. */
typedef struct tool_option {
    char letter;       /* 0: none */
    const char *name;  /* after the two dashes */
    const char *value; /* name of the value in the help; NULL for a flag */
    const char *help;  /* NULL: an earlier option, which is accepted but not documented */
    bool *flag;
    const char **text;
    char *list;       /* values of a repeatable option, separated by commas */
    size_t list_size; /* of `list`, with the terminating NUL */
    uint64_t *number; /* decimal */
    uint64_t *size;   /* bytes, with an optional suffix K, M, G or T (powers of 1024) */
    uint64_t least;   /* minimum of `size`, a whole number of MiB */
    tool_values *values;
    bool is_condition;   /* the help does not list it: stamma help conditions does */
    const char *earlier; /* earlier name, which is accepted but not documented; NULL: none */
} tool_option;

/* Default and minimum of --memory, in bytes. */
#define TOOL_MEMORY ((uint64_t)512 << 20)
#define TOOL_MEMORY_MIN ((uint64_t)128 << 20)

/* Options with the same meaning in several commands. Each use adds the target. */
#define TOOL_OPTION_THREADS                                                      \
    .letter = 'T', .name = "threads", .value = "N",                              \
    .help = "number of threads; 0 (the default): one for each processor core.\n" \
            "The result does not depend on the number of threads"
#define TOOL_OPTION_MEMORY                                                    \
    .name = "memory", .value = "SIZE", .least = TOOL_MEMORY_MIN,              \
    .help = "memory limit; default 512M, minimum 128M. The result does not\n" \
            "depend on the limit"
#define TOOL_OPTION_FORCE .letter = 'f', .name = "force", .help = "overwrite OUT if it exists"
#define TOOL_OPTION_RAW .name = "raw", .help = "pack the bytes of each file as is, without decompressing it"
#define TOOL_OPTION_NO_CHECK                                                                    \
    .name = "no-check", .help = "skip the round-trip check of each block: faster, but errors\n" \
                                "in packing go unnoticed"
#define TOOL_OPTION_NO_SEARCH                                                                       \
    .name = "no-search-columns", .help = "omit the columns that let searches skip games: saves 5\n" \
                                         "bytes a game, but searches are slower"
#define TOOL_OPTION_INDEX \
    .name = "index", .value = "FILE", .help = "index file of the ARCHIVE, instead of ARCHIVE.index"
#define TOOL_OPTION_NO_INDEX .name = "no-index", .help = "do not use index files (see stamma index) and pages"
#define TOOL_OPTION_LEVEL                                                                                            \
    .name = "level", .value = "N",                                                                                   \
    .help = "1 (the default): one byte a move, the fastest; any game is read in 0.01 s.\n2: moves coded with a "     \
            "trained predictor; moves need a third of the\nspace and decode 10 to 20 times slower, any game in "     \
            "0.03 s. 3: the\npredictor also adapts to the games; the smallest, decodes 100 times\nslower, any game " \
            "in 0.1 to 0.6 s. Also -1, -2 and -3"
#define TOOL_OPTION_RECORD \
    .name = "record",      \
    .help = "record the name, time, size and SHA-256 of each FILE in the archive\n(stamma info --inputs)"
#define TOOL_OPTION_RESUME .name = "resume", .help = "continue an interrupted run"
#define TOOL_OPTION_STRICT .name = "strict", .help = "exit with status 3 if anything is kept as text or skipped"
#define TOOL_OPTION_PACK_QUIET \
    .letter = 'q', .name = "quiet", .help = "no progress, no notices, no summary; errors only"
#define TOOL_OPTION_VERBOSE \
    .letter = 'v', .name = "verbose", .help = "list every game that is kept as text or corrected"

/* The options and operands of a subcommand, and its help. */
typedef struct tool_usage {
    const char *command;
    const char *operands; /* "[FILE...]" */
    const char *text;     /* description of the subcommand, in lines of at most 98 columns */
    const tool_option *options;
    size_t option_count;
    int operands_min;
    int operands_max; /* -1: any number */
} tool_usage;

/* Prints an option as the help does. */
void tool_option_print(char letter, const char *name, const char *value, const char *help);

/* Reads all options, wherever they are among the arguments, and moves the operands to argv[0] and the following
 * elements. "--" ends the options. Returns false if the subcommand must end with *status at once: the help was
 * requested and printed, or the arguments are invalid. */
bool tool_options_read(const tool_usage *usage, int argc, char **argv, int *operands, int *status);

/* ---- values of options (fen_option.c, format_option.c, level_option.c) ---- */

/* The formats of `find`, `ls`, `tree`, `stats` and `sql`. PGN is only a format of `find`. */
typedef enum tool_form { TOOL_FORM_TABLE, TOOL_FORM_JSON, TOOL_FORM_CSV, TOOL_FORM_TSV, TOOL_FORM_PGN } tool_form;

#define TOOL_OPTION_FORMAT .name = "format", .value = "FORMAT", .help = "table (the default), json, csv or tsv"
#define TOOL_OPTION_CSV_RAW \
    .name = "csv-raw", .help = "with csv: no apostrophe before text that a spreadsheet would read as a formula"

/* Reads the value of --format; NULL: the option is not used. `json`: --json, which means the same as --format json, is
 * used. `last`: the last form that the command has. Returns false, after a message, if the command has no such form, or
 * if --json requests another one. */
bool tool_form_read(const char *command, const char *format, bool json, tool_form last, tool_form *form);

/* Reads the value of a --fen option. NULL is the initial position. Returns false, after a message, if the value is not
 * a position. */
bool tool_fen_read(const char *fen, stamma_position *position);
/* Returns whether this program can write archives of this level. Prints a message if not. */
bool tool_level_fits(const char *command, uint64_t level);

/* ---- files opened for reading (file.c) ---- */

enum { TOOL_HEAD_SIZE = 16 /* the header of an archive */ };

typedef struct tool_file {
    const char *name; /* "standard input" for "-" */
    int fd;
    bool regular;                 /* the file can seek, and `size` is known */
    bool failed;                  /* a read failed and was reported */
    bool borrowed;                /* the file stays open when the tool_file is closed */
    uint64_t size;                /* bytes from `base` to the end of the file */
    uint64_t base;                /* offset in the file when it was opened */
    uint64_t offset;              /* bytes read or skipped since */
    uint8_t head[TOOL_HEAD_SIZE]; /* the first bytes, if they were read at once */
} tool_file;

/* Checks that a file, or standard input for "-", can be read, without opening it. Stores its size if it is regular. */
bool tool_file_measure(const char *path, uint64_t *size, bool *regular);
/* Does the same for all files. Stores the sum of their sizes; 0 if a file is not regular. */
bool tool_files_measure(char **paths, size_t count, uint64_t *total, bool *regular);
/* Opens a file, or standard input for "-". */
bool tool_file_open(const char *path, tool_file *file);
/* Opens a regular file for reading and writing and excludes other writers until it is closed. The file must not be an
 * input of the command. */
bool tool_file_open_to_grow(const char *path, tool_file *file);
/* Uses a file that is already open, from its beginning. The caller keeps ownership of `fd`. Returns false if the file
 * is not regular. */
bool tool_file_borrow(int fd, const char *name, tool_file *file);
/* Reads up to `size` bytes. Returns the number of bytes, 0 at the end, or -1 after an error. */
ptrdiff_t tool_file_read(tool_file *file, void *bytes, size_t size);
/* Reads the rest of the file. Returns its bytes and a NUL, to be released with free(), or NULL after an error. */
char *tool_file_read_all(tool_file *file, size_t *size);
/* Reads the `size` bytes of a regular file from `offset` bytes after the place where the file was opened. Returns
 * false, after a message, if they cannot all be read. */
bool tool_file_read_at(tool_file *file, uint64_t offset, void *bytes, size_t size);
/* Returns the bytes of a regular file, which must remain open. */
stamma_bytes tool_file_bytes(tool_file *file);
/* Seeks to `offset` bytes after the place where the file was opened. Returns false, without a message, if that is
 * impossible. */
bool tool_file_seek(tool_file *file, uint64_t offset);
void tool_file_close(tool_file *file);

/* ---- files mapped into memory (mapped_file.c) ---- */

typedef struct tool_mapped {
    const char *name; /* "standard input" for "-" */
    const uint8_t *bytes;
    size_t size;
    bool mapped;      /* false: the file was read into memory */
    size_t forgotten; /* pages before this offset were returned to the system */
} tool_mapped;

/* Maps a file into memory. Reads a pipe, or standard input for "-", which cannot be mapped. If another program shortens
 * a mapped file, this process is killed. */
bool tool_mapped_open(const char *path, tool_mapped *file);
void tool_mapped_close(tool_mapped *file);
/* Returns the pages before the offset `end` to the system, which limits the memory that a pass over a large file
 * needs. The pages are read again if they are used again. */
void tool_mapped_forget(tool_mapped *file, uint64_t end);
/* Returns the bytes of the file. */
stamma_bytes tool_mapped_bytes(const tool_mapped *file);

/* ---- index files (archive_index.c) ---- */

/* The index file next to an archive. Initialise with zeros; tool_index_close may then be called at any time. */
typedef struct tool_index_file {
    char *path; /* ARCHIVE.index, or another place */
    char *archive;
    tool_mapped file; /* `bytes` is NULL if there is no index file */
} tool_index_file;

/* Returns the path of a file next to an archive, with an ending such as ".index", to be released with free(). Returns
 * NULL, after a message, if memory is exhausted. */
char *tool_path_beside(const char *archive, const char *ending);
char *tool_index_path(const char *archive);
/* Maps a file that may be an index. Returns whether it was mapped. Does not report a path without a regular file. */
bool tool_index_map(const char *path, tool_mapped *file);
/* Maps an index file of an archive, if there is one: `path`, or if `path` is NULL, the file next to the archive. */
void tool_index_open(const char *archive, const char *path, tool_index_file *x);
/* Opens an archive with this index file. Does not report errors. */
stamma_error tool_index_open_archive(const tool_index_file *x, const stamma_bytes *bytes,
                                     const stamma_archive_options *options, stamma_archive **archive);
/* Returns why the index of an archive is not used: an error of stamma_index_state, or CORRUPT if a search found it
 * damaged. */
stamma_error tool_index_error(const stamma_archive *archive);
/* Reports that there is an index that cannot be used, or that a search found it damaged. */
void tool_index_say(const tool_index_file *x, const stamma_archive *archive);
void tool_index_close(tool_index_file *x);
/* Returns why an index file cannot be used, such as "is damaged", or NULL if the file is not the cause of the error. */
const char *tool_index_problem(stamma_error error);
/* Reports why an index file is not used, and how to write another. */
void tool_index_say_problem(const char *path, const char *archive, stamma_error error);

/* Reports why an archive cannot be indexed. `head`: its first TOOL_HEAD_SIZE bytes; NULL: its format is supported. */
void tool_index_say_unwritten(const char *archive, const void *head, stamma_error error);
/* Writes an index file, which replaces an earlier one, or with `in_place` brings an earlier one up to date if possible.
 * Both are atomic. Stores the size of the file. Returns the error after reporting it. CANCELLED is not reported. */
stamma_error tool_index_write(const char *name, const char *path, stamma_archive *archive,
                              const stamma_index_write_options *options, bool in_place, uint64_t *size);

/* ---- compressed input (input.c, layer_stream.c, layers.c, zip_members.c) ---- */

typedef struct tool_flow {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
    bool at_boundary; /* between two members, where the input may end */
} tool_flow;

/* A compression format: gzip, bzip2, xz, zstd. */
typedef struct tool_layer {
    const char *name;
    const char *endings[3]; /* file name extensions of the format, and NULL */
    bool zeros_follow;      /* zero bytes at the end of the file are valid */
    /* Returns whether a file that begins with these bytes has this format. `size` is below 16 only if the file is
     * shorter. */
    bool (*recognise)(const uint8_t *bytes, size_t size);
    void *(*open)(void);
    /* Decodes as much as possible from flow->in to flow->out. Returns NULL, or a description of the invalid data. */
    const char *(*decode)(void *state, tool_flow *flow);
    void (*close)(void *state);
} tool_layer;

/* Returns the format of a file that begins with these bytes, or NULL. */
const tool_layer *tool_layer_find(const uint8_t *bytes, size_t size);
/* Returns whether a file that begins with these bytes is a zip file. */
bool tool_layer_is_zip(const uint8_t *bytes, size_t size);
/* If the first `*length` bytes of a name end with `ending`, in any case, and are longer, subtracts its size from the
 * length and returns true. */
bool tool_cut_ending(const char *name, size_t *length, const char *ending);
/* The same for the extensions of compression formats. */
bool tool_layer_cut_ending(const char *name, size_t *length);
/* A kind of file that cannot contain PGN in a form that can be read. */
typedef struct tool_foreign {
    const char *name;    /* "a tar archive" */
    const char *command; /* command that prints its contents when the file name is appended; NULL: none */
} tool_foreign;

/* Number of bytes at the beginning of a file that identify its kind. */
enum { TOOL_LAYER_SHOWN = 512 };
/* Returns NULL if a file that begins with these bytes may contain PGN. */
const tool_foreign *tool_layer_foreign(const uint8_t *bytes, size_t size);

enum { TOOL_SKIPPED_SHOWN = 3 };
/* Parts of a file that are not read: members of a zip file whose names do not show that they contain games, and bytes
 * after its end. */
typedef struct tool_skipped {
    uint64_t count;
    char *names[TOOL_SKIPPED_SHOWN]; /* of the first ones */
} tool_skipped;

typedef struct tool_input tool_input;

/* Opens a file, or standard input for "-". Unless `raw` is set, compressed input is recognised by its content and
 * decompressed. */
tool_input *tool_input_open(const char *path, bool raw);
/* The same for a pipe or file that is open. `name` is its name in messages. Closes `descriptor`, also after an error.
 */
tool_input *tool_input_open_descriptor(int descriptor, const char *name, bool raw);
/* Reads up to `size` bytes. Returns the number of bytes, 0 at the end, or -1 after an error. */
ptrdiff_t tool_input_read(tool_input *input, void *bytes, size_t size);
/* Returns the compression format of the input, such as "gzip", or NULL. */
const char *tool_input_layer(const tool_input *input);
/* Returns whether the file name shows the compression format, as games.pgn.gz does. */
bool tool_input_name_shows_layer(const tool_input *input);
/* Returns the number of bytes of the (compressed) file read so far. */
uint64_t tool_input_offset(const tool_input *input);
/* Reports the parts of the file that were skipped. Returns their number. */
uint64_t tool_input_say_skipped(const tool_input *input);
void tool_input_close(tool_input *input);

/* ---- files that the command reads (inputs.c) ---- */

/* The files that an output may replace although the command reads them. */
typedef enum tool_role {
    TOOL_INPUT,     /* nothing */
    TOOL_REWRITTEN, /* an archive that the command rewrites */
    TOOL_BESIDE     /* an index file, a manifest, or a file of persons or questions that is written again */
} tool_role;

/* Adds a file, or standard input for "-", to the files that the command reads. Call it before the output is opened, so
 * that the command is refused before it reads much. The first role of a file remains; files that are opened without
 * this call have the role TOOL_INPUT. Files that are not regular are ignored. Returns false, after a message, if memory
 * is exhausted. */
bool tool_inputs_note(const char *path, tool_role role);
bool tool_inputs_note_all(char **paths, size_t count, tool_role role);
/* Adds archives, and the index files and pages next to them (archive_index.c). */
bool tool_inputs_note_archives(char **paths, size_t count);
/* Returns false, after a message, if the command reads the file with another role, or with the role TOOL_INPUT. */
bool tool_inputs_check(const char *path, tool_role role);

/* ---- files that appear only when they are complete (output.c, pending.c) ---- */

typedef struct tool_output tool_output;

/* Returns whether a command may write `what`, such as "an archive", to a path: to a terminal only with `force`. Prints
 * a message if not. `out` may be NULL. */
bool tool_output_fits(const char *command, const char *what, const char *out, bool force);
/* Opens a file for writing, or standard output for "-". A regular file is written to a temporary file in the same
 * directory, which tool_output_finish renames. Replacing an existing file requires `force`. Devices and pipes are
 * written directly. An output that is an input of the command is refused. */
tool_output *tool_output_open(const char *path, bool force);
/* The same, except that the output may be an input with this role. */
tool_output *tool_output_rewrite(const char *path, bool force, tool_role role);
/* Prepares to append to a file that is open for reading and writing, and locked; the caller keeps ownership of `fd`.
 * Call tool_output_cut first. Unless the output is finished, the appended bytes are removed again. */
tool_output *tool_output_grow(int fd, const char *name);
/* Truncates the file durably to `size` bytes. `context` is the output. */
bool tool_output_cut(void *context, uint64_t size);
/* Returns the size passed to tool_output_cut. */
uint64_t tool_output_kept(const tool_output *output);
/* Opens an archive for writing that a later run can resume. Like tool_output_open, except that the temporary file is
 * PATH.partial, which is locked against other processes. Its contents from an earlier run are kept until the file is
 * truncated. */
tool_output *tool_output_open_partial(const char *path, bool force);
/* Opens the contents of an earlier run for reading; `file` is valid while the output is open. Returns false if there
 * are none. */
bool tool_output_left(tool_output *output, tool_file *file);
/* Resumes an earlier run: its contents are kept if this run fails. Truncating them below `least` bytes fails with a
 * message that the input differs. */
void tool_output_resume(tool_output *output, uint64_t least);
/* Reports that something was committed. A signal that ends the program then keeps the file and prints how to resume.
 * With `stays`, other failures keep the file too. */
void tool_output_committed(tool_output *output, bool stays);
bool tool_output_write(tool_output *output, const void *bytes, size_t size);
/* Redirects standard output to the output. Nothing else may be written to the output afterwards. */
bool tool_output_take_printed(tool_output *output);
/* Writes the remaining bytes, makes them durable, and renames the file to its final name, unless another process has
 * created or changed a file with this name meanwhile. */
bool tool_output_finish(tool_output *output);
/* Does the same with a new regular file, which stays open and locked, and is deleted again by tool_output_close unless
 * tool_output_settle is called. Opens it for reading as `file`, which is valid while the output is open. */
bool tool_output_place(tool_output *output, tool_file *file);
void tool_output_settle(tool_output *output);
/* Closes the output and deletes an unfinished file. Accepts NULL. */
void tool_output_close(tool_output *output);
/* Returns whether the output is a regular file, which appears only when it is finished. */
bool tool_output_is_file(const tool_output *output);
/* Returns whether a write failed. The failure has been reported. */
bool tool_output_failed(const tool_output *output);
const char *tool_output_name(const tool_output *output);
/* Opens the bytes of a regular file that were written so far for reading; `file` is valid while the output is open.
 * Bytes are then written after them. Returns false after a message. */
bool tool_output_written(tool_output *output, tool_file *file);
/* Returns the output as callbacks for the library. */
stamma_output tool_output_callbacks(tool_output *output);

/* Installs signal handlers that delete unfinished files when a signal ends the program. */
void tool_pending_watch(void);
/* Deletes or truncates all unfinished files, before the program ends. */
void tool_pending_undo_all(void);

/* ---- progress bar on a terminal (progress.c) ---- */

typedef struct tool_progress {
    bool on;
    const char *verb; /* "packing" */
    uint64_t total;   /* maximum of `done`; 0: unknown */
    double started;   /* seconds */
    double shown;
} tool_progress;

/* Starts a progress bar. It is shown only if stderr is a terminal and `quiet` is false. */
tool_progress tool_progress_start(const char *verb, uint64_t total, bool quiet);
/* Updates the bar: `done` of the total, and `bytes` of text processed. Draws at most ten times a second. */
void tool_progress_show(tool_progress *progress, uint64_t done, uint64_t bytes);
/* Removes the bar from the terminal. */
void tool_progress_clear(void);
/* Returns a monotonic time in seconds. */
double tool_clock(void);

/* ---- memory (large_pages.c) ---- */

/* Allocator for packing, which uses large pages if the system has them. */
extern const stamma_allocator tool_large_pages;

/* ---- games kept as text or corrected (notices.c) ---- */

typedef struct tool_notices {
    uint64_t kept; /* games that are partly or completely kept as text, and bytes of that text */
    uint64_t kept_bytes;
    uint64_t corrected; /* typed games with bytes that differ from their style, and the number of these bytes */
    uint64_t corrected_bytes;
    uint64_t reasons[STAMMA_REASON_COUNT];
} tool_notices;

/* Returns whether the reason means that moves are kept as text. Differences in white space and spelling do not. */
bool tool_notice_is_loss(stamma_archive_reason reason);
/* Counts a notice. Returns whether to print it. */
bool tool_notices_take(tool_notices *n, const stamma_archive_notice *notice, bool verbose);
/* Prints a summary of all notices, if there are any. */
void tool_notices_say(const tool_notices *n, const stamma_archive_counts *counts, const char *name, bool verbose);
/* Prints the place, the reason, the text found and the text expected, and a line end. */
void tool_notice_print(FILE *out, const stamma_archive_notice *notice, bool several);

enum { TOOL_WARNINGS_SHOWN = 3 };

/* Games that a user may want to correct: their number, and the places of the first. */
typedef struct tool_warnings {
    uint64_t count;
    struct {
        const char *file;
        uint64_t line, game;
    } places[TOOL_WARNINGS_SHOWN];
} tool_warnings;

/* Counts a warning. `line` is the line in the file. `file` must stay valid. */
void tool_warnings_take(tool_warnings *w, const char *file, uint64_t line, uint64_t game);
/* If there are warnings, prints the number of games, the first places, and advice. */
void tool_warnings_say(const tool_warnings *w, stamma_warning kind, const char *name);

/* Position in the text while an archive is read game by game. Initialise with zeros. */
typedef struct tool_notice_finder {
    uint64_t lines;
    bool after_return;
} tool_notice_finder;

/* Finds the notice of the next game of the archive, as it was reported when the game was packed, but without the
 * expected text. Returns false if there is none. The text in *notice is valid as long as the game. */
bool tool_notice_find(tool_notice_finder *f, const stamma_archive_game *game, stamma_archive_notice *notice);

/* ---- archives (archive_file.c) ---- */

typedef struct tool_archive {
    tool_file file;
    stamma_archive *handle; /* NULL: the archive is read once, in order */
    stamma_archive_reader *reader;
    stamma_flags *flags;  /* NULL: they are not used */
    uint64_t damages;     /* damaged places reported */
    uint64_t lost;        /* damaged places where data is missing or may be missing */
    bool silent;          /* report nothing more */
    uint64_t tail_blocks; /* complete blocks after the end of the archive */
    uint64_t tail_games;  /* games in these blocks */
} tool_archive;

/* Opens an archive, or standard input for "-". Damage is reported, and reading continues after it. */
bool tool_archive_open(const char *path, tool_archive *archive);
/* The same, except that damage is an error. */
bool tool_archive_open_sound(const char *path, tool_archive *archive);
/* The same with options, which may be NULL. Without `seeks`, the archive is read sequentially. */
bool tool_archive_open_with(const char *path, const stamma_archive_reader_options *options, bool seeks,
                            tool_archive *archive);
/* The same with archive->file, which is open. */
bool tool_archive_open_file(tool_archive *archive);
/* The same for appending; excludes other writers (tool_file_open_to_grow). */
bool tool_archive_open_to_grow(const char *path, tool_archive *archive);
/* Size of the last field of a commit. The data of an interrupted run may lack it; it is then written again. */
enum { TOOL_COMMIT_END = 8 };

/* Opens the reader of archive->file. Does not report an error. */
stamma_error tool_archive_try(tool_archive *archive);
void tool_archive_close(tool_archive *archive);
/* Uses the file of flags next to the archive (flags.h). Standard input has none. */
bool tool_archive_use_flags(tool_archive *archive);
/* Reports that a file is not an archive; a PGN file must be packed first. */
void tool_say_no_archive(const char *name);
/* Message for STAMMA_ERROR_LIMIT. */
#define TOOL_MEMORY_LIMIT "a block needs more memory than the limit (--memory; 512M unless set)"
/* Message for STAMMA_ERROR_LIMIT of stamma_game_set_add. */
#define TOOL_MEMORY_HASHES "the hashes of all games need more memory than the limit (--memory)"
/* Reports why and where an archive cannot be read. */
void tool_archive_say(const char *name, stamma_error error, stamma_place place);
/* Reports an error of the archive's reader. Returns TOOL_ERROR. */
int tool_archive_fail(tool_archive *archive, stamma_error error);
/* Prints the numbers of an archive that was written, with the number of its games. */
void tool_archive_say_counts(const char *name, uint64_t games, const stamma_archive_counts *counts);
/* Returns the exit status after reading: TOOL_ERROR if damage was reported, otherwise `status`. */
int tool_archive_status(const tool_archive *archive, int status);

/* Returns the message about an archive that is not supported, from its first TOOL_HEAD_SIZE bytes. */
enum { TOOL_UNSUPPORTED_SIZE = 160 };
const char *tool_unsupported(const void *head, char text[TOOL_UNSUPPORTED_SIZE]);

/* Prints a line about a damaged place (damage.c). */
void tool_damage_say(const char *name, const stamma_archive_damage *damage);
/* Puts a damaged place as a JSON object. */
void tool_damage_put(const stamma_archive_damage *damage);

/* ---- records of the files that were packed (recorded.c) ---- */

/* Initialise with zeros. Names end with NUL. */
typedef struct tool_recorded {
    stamma_archive_source *list;
    size_t count, room;
    bool failed; /* out of memory */
} tool_recorded;

/* Adds the records of an archive, which must be a regular file. Returns false after a message. */
bool tool_recorded_read(tool_archive *archive, tool_recorded *recorded);
void tool_recorded_free(tool_recorded *recorded);
/* Returns the name of a file in the record: the last part of its path; "" for standard input. */
const char *tool_recorded_name(const char *path);
/* Returns the time in the environment variable SOURCE_DATE_EPOCH, which makes archives reproducible, or otherwise the
 * present time. */
uint64_t tool_recorded_time(void);

enum { TOOL_HASH_SIZE = 65, TOOL_TIME_SIZE = 24 };
/* Writes a SHA-256 in hexadecimal digits. Returns `out`. */
const char *tool_hash_write(const uint8_t hash[32], char out[TOOL_HASH_SIZE]);
/* Writes a time such as 2026-01-31T12:00:00Z; "" if it is 0. Returns `out`. */
const char *tool_time_write(uint64_t time, char out[TOOL_TIME_SIZE]);
/* Writes the members "file", "size", "sha256" and "time" of a record. */
void tool_json_recorded(const stamma_archive_source *source);

/* Returns the result of a game: the Result tag if it is a valid result, otherwise the result after the moves. */
stamma_text tool_result(const stamma_archive_game *game);

/* Returns the permanent name of a reason, as in JSON: "illegal_move"; NULL for none. */
const char *tool_reason_word(stamma_archive_reason reason);

/* Returns whether an argument is a game number or range rather than the name of an archive. */
bool tool_games_named(const char *argument);
/* Returns the number of operands that are archives. The first operand is always an archive. The operands after the
 * archives are game numbers. */
int tool_archives_count(char **operands, int count);
/* Visits each archive. Returns the worst status: TOOL_ERROR, then TOOL_NOTHING, then TOOL_DONE. */
int tool_archives_each(char **paths, int count, int (*visit)(void *context, const char *path), void *context);
/* Arguments, followed by the words of a file, or of standard input for "-". White space separates the words.
 * tool_words_read returns false if the file cannot be read. Release with tool_words_free. */
typedef struct tool_words {
    char **word;
    int count;
    char *text;
} tool_words;
bool tool_words_read(const char *path, char **others, int count, tool_words *words);
void tool_words_free(tool_words *words);

/* Ranges of game numbers. */
typedef struct tool_range {
    uint64_t first, last;
} tool_range;
typedef struct tool_ranges {
    tool_range *ranges; /* release with free() */
    size_t count;
} tool_ranges;

/* Reads ranges as tool_games_each accepts them, of an archive with this number of games. No arguments: all games.
 * Returns false, after a message, if a range is invalid or begins after the last game. */
bool tool_ranges_read(char **arguments, int count, uint64_t games, tool_ranges *list);
bool tool_ranges_have(const tool_ranges *list, uint64_t number);

/* Visits games by number. `ranges` has the forms 17  100..200  5000..  ..10  last  100-200  1,3,5; all games are
 * visited if `count` is 0. Calls `visit` for each game and each further piece of it, range by range, until `visit`
 * returns false. The games have the parts `parts`, a set of STAMMA_GAME_... values. Returns TOOL_NOTHING if no game
 * was visited. A range that begins after the last game is an error. */
int tool_games_each(tool_archive *archive, char **ranges, int count, unsigned parts,
                    bool (*visit)(void *context, const stamma_archive_game *game), void *context);

/* A walk through the games of an archive by number. Initialise with {reader, visit, context, .next = 1}. If another
 * piece of a game may follow, the next item is read; it is kept in `game` if it is not a piece of this game. */
typedef struct tool_walk {
    stamma_archive_reader *reader;
    bool (*visit)(void *context, const stamma_archive_game *game);
    void *context;
    const stamma_archive_game *game;
    bool waiting;  /* `game` was read and is not visited yet */
    bool stopped;  /* `visit` returned false */
    uint64_t next; /* number of the next game to read */
} tool_walk;

/* Visits each existing game from `first` to `last` with all its pieces. Returns the errors of the reader. */
stamma_error tool_walk_visit(tool_walk *walk, uint64_t first, uint64_t last, bool *any);

/* ---- copies of games that outlive the reader's next call (game_copy.c) ---- */

/* Copies a game. *memory owns everything that the copy refers to; release it with free(). */
bool tool_game_copy(const stamma_archive_game *game, stamma_archive_game *copy, void **memory);

/* ---- text for people and for programs (text.c, json.c) ---- */

/* Prints bytes of a PGN file as UTF-8 on `out`: unchanged if they are UTF-8, otherwise converted from Windows-1252.
 * Replaces control characters, which could change the terminal, by '?'.
 * Returns the number of characters. */
size_t tool_text_print(FILE *out, stamma_text text);
/* Writes bytes to `out` with '?' instead of control characters other than line feeds and tabs. A carriage return
 * becomes a blank. `out` has space for `size` bytes. `state` is 0 at the start of a text, which may be passed in
 * pieces. */
void tool_text_mask(const char *bytes, size_t size, char *out, unsigned *state);
/* The same in at most `columns` columns of a terminal; longer text ends with an ellipsis. Returns the number of
 * columns. */
size_t tool_text_print_cut(FILE *out, stamma_text text, size_t columns);
/* Returns the number of columns of the terminal on standard output, or 0 if it is not a terminal. */
size_t tool_terminal_columns(void);
bool tool_text_is_utf8(stamma_text text);
/* Writes the character of a byte of a text that is not UTF-8, in UTF-8. Returns its size. */
enum { TOOL_CHARACTER_SIZE = 3 };
size_t tool_text_character(char byte, char out[TOOL_CHARACTER_SIZE]);
/* Returns whether a text is this word. */
bool tool_text_is(stamma_text text, const char *word);
bool tool_text_equal(stamma_text a, stamma_text b);
/* Compares texts by their bytes, for qsort and bsearch. */
int tool_text_compare(const void *a, const void *b);
/* How the text of a game ends: with an empty line, only with a line end, or otherwise. */
typedef enum tool_text_end { TOOL_EMPTY_LINE = 0, TOOL_LINE_END, TOOL_LINE_OPEN } tool_text_end;
/* Returns how a text ends. `before` is the end of the text before it. */
tool_text_end tool_text_ends(stamma_text text, tool_text_end before);
/* Returns whether an empty line must be written before a game. Without the line, a text that ends like `before` would
 * change how the game is read. */
bool tool_text_needs_gap(stamma_text game, tool_text_end before);
/* Returns the size in bytes of the character at the beginning of `text`, and stores its code point, if the character
 * changes the direction of text, such as U+202E; otherwise 0. */
size_t tool_text_direction(stamma_text text, unsigned *point);
/* Skips a move number and its dots, "1." or "12...". Returns `word` if it does not begin with a move number. */
const char *tool_skip_move_number(const char *word);
/* Returns a tag's value without escapes, to be released with free(), or {NULL, 0} if the tag is missing. Ends the
 * program if memory is exhausted. */
stamma_text tool_text_unescape(stamma_text value);

/* Compact JSON on standard output or on the output of tool_put_to. Commas are inserted automatically. `key` is NULL
 * for members of a list. */
void tool_json_begin(void);                         /* only needed after unfinished output */
void tool_json_open(const char *key, char bracket); /* '{' or '[' */
void tool_json_close(char bracket);                 /* '}' or ']' */
void tool_json_end(void);                           /* end of the line: one object per line */
void tool_json_text(const char *key, stamma_text text);
void tool_json_named_text(stamma_text key, stamma_text text); /* the key may need escapes; no data: null */
void tool_json_string(const char *key, const char *string);   /* NULL: null */
void tool_json_word(const char *key, stamma_text word);       /* must not need escapes */
void tool_json_number(const char *key, uint64_t value);
void tool_json_integer(const char *key, int64_t value);
void tool_json_known(const char *key, uint64_t value);    /* 0 (unknown): null */
void tool_json_value(const char *key, stamma_text value); /* of a tag, without escapes; missing: null */
void tool_json_real(const char *key, double value, int digits);
void tool_json_bool(const char *key, bool value);
void tool_json_raw(const char *key, stamma_text json); /* value that is already JSON */

#endif
