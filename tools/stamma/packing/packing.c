/* SPDX-License-Identifier: MIT */
/* Packs files with an archive writer, for `pack` and `append`. Reports games that are kept as text while packing. */
#include <sha256.h>

#include "packing/packing.h"

#define CHUNK ((size_t)256 * 1024)

/* The place in the packed bytes where a file begins. */
struct tool_source {
    const char *name;
    uint64_t offset;
    uint64_t line; /* line ends before it */
};

/* ---- text that is not typed ---- */

static const struct tool_source *find_source(const tool_packing *p, uint64_t offset)
{
    size_t i = p->source_count;
    while (i > 1 && p->sources[i - 1].offset > offset)
        i--;
    return &p->sources[i > 0 ? i - 1 : 0];
}

static void take_notice(void *context, const stamma_archive_notice *notice)
{
    tool_packing *p = context;
    if (!tool_notices_take(&p->notices, notice, p->options->verbose) || p->options->quiet)
        return;
    const struct tool_source *from = find_source(p, notice->place.offset);
    stamma_archive_notice in_file = *notice;
    in_file.place.line -= from->line;
    tool_message_begin(from->name);
    tool_notice_print(stderr, &in_file, p->file_count > 1);
}

/* Counts a warning. While files are staged, each file has a separate writer. */
static void take_warning(void *context, const stamma_archive_warning *warning)
{
    tool_packing *p = context;
    const struct tool_source *from =
        p->staging ? &p->sources[p->source_count - 1] : find_source(p, warning->place.offset);
    tool_warnings_take(&p->warnings[warning->kind], from->name, warning->place.line - (p->staging ? 0 : from->line),
                       warning->place.game);
}

void tool_packing_reasons(const tool_packing *p, const stamma_archive_counts *counts)
{
    for (int kind = 1; kind < STAMMA_WARNING_COUNT; kind++)
        tool_warnings_say(&p->warnings[kind], (stamma_warning)kind, tool_output_name(p->output));
    bool listed = p->options->verbose || p->writing.notice != take_notice; /* -v would not list more */
    tool_notices_say(&p->notices, counts, tool_output_name(p->output), listed);
}

/* ---- packing ---- */

/* Counts line ends: LF, CR LF, or CR without LF. */
static void count_lines(tool_packing *p, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool feed = bytes[i] == '\n';
        bool carriage_return = bytes[i] == '\r';
        p->lines += carriage_return || (feed && !p->after_return);
        p->after_return = carriage_return;
    }
}

bool tool_packing_fail(const tool_packing *p, stamma_error error)
{
    tool_progress_clear();
    if (error == STAMMA_ERROR_MISMATCH)
        tool_say(tool_output_name(p->output), "the input starts like the last append, but continues differently; "
                                              "without --resume all of it is appended");
    else if (!tool_output_failed(p->output))
        tool_say(tool_output_name(p->output), "%s", stamma_error_text(error));
    return false;
}

/* Returns the size of the byte order mark at the beginning of a file; 0: there is none. */
static size_t mark_size(const uint8_t *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Packs the bytes of a file. `hash` receives the SHA-256 if files are recorded. */
static bool pack_input(tool_packing *p, tool_input *input, bool counts_lines, tool_encoding *encoding,
                       uint8_t hash[SHA256_DIGEST_LENGTH])
{
    static uint8_t bytes[CHUNK];
    bool first = true;
    SHA2_CTX state;
    SHA256Init(&state);
    for (;;) {
        ptrdiff_t size = tool_input_read(input, bytes, sizeof bytes);
        if (size <= 0) {
            SHA256Final(hash, &state);
            return size == 0;
        }
        tool_encoding_take(encoding, bytes, (size_t)size);
        if (p->record)
            SHA256Update(&state, bytes, (size_t)size);
        if (counts_lines)
            count_lines(p, bytes, (size_t)size);
        size_t mark = p->staging && first ? mark_size(bytes, (size_t)size) : 0;
        first = false;
        stamma_error error = stamma_archive_writer_write(p->writer, bytes + mark, (size_t)size - mark);
        if (error)
            return tool_packing_fail(p, error);
        p->bytes += (uint64_t)size;
        if (!p->staging && stamma_archive_writer_committed(p->writer) > 0)
            tool_output_committed(p->output, p->options->resume);
        tool_progress_show(&p->progress, p->passed + tool_input_offset(input), p->bytes);
    }
}

static const char *name_of(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

/* Reports that the decompressed data is packed, and not the file, unless the file name shows it. */
static void print_layer(const tool_packing *p, const tool_input *input, const char *name)
{
    const char *layer = tool_input_layer(input);
    if (!layer || p->options->quiet || (tool_input_name_shows_layer(input) && !p->options->verbose))
        return;
    tool_say(name, "%s data; packed its contents (--raw packs the file as is)", layer);
}

/* ---- records ---- */

static bool has_hash(const stamma_archive_source *a, const stamma_archive_source *b)
{
    return memcmp(a->sha256, b->sha256, sizeof a->sha256) == 0;
}

/* Returns whether a file is in the archive, after a message. With --resume, the files of the last append may be
 * repeated: the library compares them. */
static bool is_contained(const tool_packing *p, size_t index, const stamma_archive_source *source)
{
    const tool_recorded *r = p->contained;
    const size_t last = r ? r->count + index - p->file_count : 0; /* the same file of the last append, if < r->count */
    if (p->options->resume && r && last < r->count && has_hash(&r->list[last], source))
        return false;
    for (size_t n = 0; r && n < r->count; n++) {
        const stamma_archive_source *other = &r->list[n];
        char when[TOOL_TIME_SIZE];
        if (!has_hash(other, source))
            continue;
        tool_progress_clear();
        tool_message_begin(name_of(p->files[index]));
        (void)fputs("is in the archive, recorded as ", stderr);
        (void)tool_text_print(stderr, other->name.size > 0 ? other->name : stamma_text_of("standard input"));
        (void)fprintf(stderr, "%s%s; -f appends it again\n", *tool_time_write(other->time, when) ? ", " : "", when);
        return true;
    }
    return false;
}

/* Records a file of `size` bytes. A file without text is not recorded. */
static bool record(tool_packing *p, size_t index, uint64_t size, const uint8_t hash[SHA256_DIGEST_LENGTH])
{
    stamma_archive_source source = {
        .name = stamma_text_of(tool_recorded_name(p->files[index])), .time = tool_recorded_time(), .text_size = size};
    memcpy(source.sha256, hash, sizeof source.sha256);
    if (size == 0)
        return true;
    if (is_contained(p, index, &source))
        return false;
    stamma_error error = stamma_archive_writer_add_source(p->writer, &source);
    return !error || tool_packing_fail(p, error);
}

static tool_input *open_input(const tool_packing *p, const char *file)
{
    const tool_packing_reader *reader = p->options->reader;
    return reader ? reader->open(reader->context, file) : tool_input_open(file, p->options->raw);
}

/* Closes an input, and counts the parts of it that were skipped. */
static bool close_input(tool_packing *p, tool_input *input)
{
    const tool_packing_reader *reader = p->options->reader;
    uint64_t skipped = 0;
    bool right = true;
    if (reader)
        right = reader->close(reader->context, input, &skipped);
    else
        tool_input_close(input);
    p->skipped += skipped;
    return right;
}

bool tool_packing_file(tool_packing *p, size_t index)
{
    uint8_t hash[SHA256_DIGEST_LENGTH];
    tool_encoding encoding = {.missing = 0};
    const uint64_t before = p->bytes;
    tool_input *input = open_input(p, p->files[index]);
    if (!input)
        return false;
    p->sources[p->source_count++] = (struct tool_source){name_of(p->files[index]), p->bytes, p->lines};
    bool done = pack_input(p, input, index + 1 < p->file_count, &encoding, hash) &&
                (!p->record || record(p, index, p->bytes - before, hash));
    p->passed += tool_input_offset(input);
    if (done) {
        print_layer(p, input, name_of(p->files[index]));
        p->skipped += tool_input_say_skipped(input);
        if (!p->options->quiet && !p->options->raw) {
            tool_progress_clear();
            tool_encoding_say(&encoding, name_of(p->files[index]));
        }
    }
    return close_input(p, input) && done;
}

static bool pack_files(tool_packing *p)
{
    bool done = true;
    for (size_t i = 0; i < p->file_count && done; i++)
        done = tool_packing_file(p, i);
    return done;
}

/* Reports an error of this program, even with --quiet. */
static void print_faults(const tool_packing *p, const stamma_archive_counts *counts)
{
    char number[TOOL_NUMBER_SIZE];
    if (counts->games_inexact > 0)
        tool_say(tool_output_name(p->output),
                 "%s game%s failed the round-trip check and %s kept as text: nothing is lost, but this is an error in "
                 "stamma or of this machine's memory. Please report it",
                 tool_number(counts->games_inexact, number), counts->games_inexact == 1 ? "" : "s",
                 counts->games_inexact == 1 ? "was" : "were");
}

/* ---- appending ---- */

/* Returns the number of bytes that an interrupted append left after the end of the archive. */
static uint64_t left_over(const tool_archive *archive)
{
    return stamma_archive_reader_interrupted_end(archive->reader) - stamma_archive_reader_end(archive->reader);
}

bool tool_packing_open_append(tool_packing *p, tool_archive *archive)
{
    const tool_packing_options *o = p->options;
    const stamma_output output = tool_output_callbacks(p->output);
    const char *name = tool_output_name(p->output);
    if (archive->tail_blocks > 0 && !o->resume && !o->force) {
        tool_say(name, "an append was interrupted: --resume continues it, -f starts again");
        return false;
    }
    if (left_over(archive) > 0 && o->resume)
        tool_output_resume(p->output, o->force ? 0 : stamma_archive_reader_end(archive->reader) + 1);
    stamma_error error = o->resume ? stamma_archive_writer_open_append_resume(archive->reader, &output, tool_output_cut,
                                                                              &p->writing, &p->writer)
                                   : stamma_archive_writer_open_append(archive->reader, &output, tool_output_cut,
                                                                       &p->writing, &p->writer);
    if (error == STAMMA_ERROR_CORRUPT)
        tool_say(name, "cannot be appended to; stamma repair writes its sound blocks to another archive");
    else if (error)
        (void)tool_packing_fail(p, error);
    return !error;
}

void tool_packing_say_resumed(const tool_packing *p, const char *run, uint64_t kept, uint64_t left)
{
    char number[TOOL_NUMBER_SIZE];
    tool_say(tool_output_name(p->output), "continued the interrupted %s after %s bytes%s", run,
             tool_number(kept, number), kept + TOOL_COMMIT_END < left ? "; from there on the input differs" : "");
}

/* ---- all files ---- */

bool tool_packing_run(tool_packing *p, stamma_archive_counts *counts)
{
    return pack_files(p) && tool_packing_complete(p, counts);
}

bool tool_packing_complete(tool_packing *p, stamma_archive_counts *counts)
{
    stamma_error error = stamma_archive_writer_finish(p->writer, counts);
    tool_progress_clear();
    if (error)
        return tool_packing_fail(p, error);
    print_faults(p, counts);
    return true;
}

int tool_packing_status(const tool_packing *p, const stamma_archive_counts *counts)
{
    /* Only `counts` includes the games that an earlier run committed. */
    bool kept = p->notices.kept + counts->games_verbatim + counts->games_partly_verbatim > 0;
    return p->options->strict && (kept || p->skipped > 0) ? TOOL_STRICT : TOOL_DONE;
}

/* ---- start and end ---- */

bool tool_packing_begin(tool_packing *p, const tool_packing_options *options, char **files, size_t count)
{
    *p = (tool_packing){.options = options, .files = files, .file_count = count, .record = options->record};
    p->writing = (stamma_archive_writer_options){.size = sizeof p->writing,
                                                 .allocator = &tool_large_pages,
                                                 .context = p,
                                                 .notice = take_notice,
                                                 .warning = take_warning,
                                                 .executor = &p->executor,
                                                 .level = (int)options->level,
                                                 .memory = options->memory,
                                                 .no_check = options->no_check,
                                                 .no_search_columns = options->no_search_columns};
    if (!tool_files_measure(files, count, &p->total, &p->regular) || !tool_inputs_note_all(files, count, TOOL_INPUT))
        return false;
    p->sources = malloc(count * sizeof *p->sources);
    return p->sources || tool_fail_memory(NULL);
}

void tool_packing_start(tool_packing *p, const char *verb, tool_output *output)
{
    p->output = output;
    /* The size of a file says nothing about the size of the PGN that a reader makes of it. */
    p->progress = tool_progress_start(verb, p->options->reader ? 0 : p->total, p->options->quiet);
    p->threads = worker_threads_open(p->options->threads, &p->executor);
}

void tool_packing_end(tool_packing *p)
{
    stamma_archive_writer_close(p->writer);
    worker_threads_close(p->threads);
    free(p->sources);
}
