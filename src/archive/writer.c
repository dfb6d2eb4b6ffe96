/* SPDX-License-Identifier: MIT */
/* Writes archives. Collects input until it contains a complete block. The executor packs this block; the remaining
 * bytes start the next block. If there is only one thread, it packs games as they arrive, in pieces that stay in its
 * cache. The calling thread writes the frames, in the order of the input. */
#include "archive/writer.h"
#include "archive/pack_job.h"

/* The size and the hash of a sequence of bytes. */
typedef struct text_sum {
    uint64_t size;
    XXH64_state_t hash;
} text_sum;

struct stamma_archive_writer {
    stamma_allocator allocator;
    stamma_executor executor;
    void *context;
    void (*notice)(void *context, const stamma_archive_notice *notice);
    void (*warning)(void *context, const stamma_archive_warning *warning);
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    stop_check check;
    const stop_check *stop; /* &check; NULL: none */
    stamma_error error;     /* the first failure, which every later call returns */
    pack_job **jobs;        /* a ring */
    size_t job_count;
    size_t oldest; /* index of the first job that is running or done */
    size_t under_way;
    size_t piece;  /* bytes that are packed at once if there is one job */
    parser finder; /* finds the ends of blocks, if several are packed at once */
    frame_writer frames;
    resumption kept;              /* where a resumed writer continues */
    const commit *followed;       /* the commit of the last append, if it was not interrupted; otherwise NULL */
    const block_table *listed;    /* blocks of the archive before this append */
    stamma_archive_counts before; /* contents of the archive before this append, and its size */
    uint64_t moves_bytes;
    uint64_t faults; /* games kept as text because decoding them did not reproduce the input */
    source_list sources;
    uint64_t position; /* place of the next byte of input in the archive's text */
    text_sum given;    /* the input */
    text_sum passed;   /* the text of written or kept blocks, as the jobs collected it */
    uint64_t copied;   /* bytes of text in blocks of other archives */
    uint64_t repeated; /* bytes of `passed` and `copied` that the archive already contained */
    uint64_t lines;    /* line ends in `passed` */
};

enum { PIECE_LEAST = 1 << 18 }; /* fits into the second-level cache of most processors */

/* ---- opening and closing ---- */

/* Returns the memory available for jobs. At level 3, the memory of the lanes is subtracted, because only one job uses
 * lanes. */
static uint64_t memory_of_jobs(const stamma_archive_writer_options *options)
{
    uint64_t memory = options->memory == 0 ? MEMORY_DEFAULT : options->memory;
    uint64_t more = options->level < LEVEL_ADAPTIVE ? 0 : PACK_LANES_MEMORY;
    return memory > more ? memory - more : 1;
}

static stamma_error make_jobs(stamma_archive_writer *w, const stamma_archive_writer_options *options)
{
    size_t adaptive_memory = options->level < LEVEL_ADAPTIVE ? 0
                             : options->no_check             ? sizeof(adaptive)
                                                             : 2 * sizeof(adaptive);
    size_t count = stamma_job_count(options->executor, memory_of_jobs(options), PACK_JOB_MEMORY + adaptive_memory);
    w->jobs = (pack_job **)memory_allocate(&w->allocator, size_multiply(count, sizeof *w->jobs));
    if (!w->jobs)
        return STAMMA_ERROR_NO_MEMORY;
    for (; w->job_count < count; w->job_count++) {
        pack_job *j = (pack_job *)memory_allocate(&w->allocator, sizeof *j);
        if (!j)
            return STAMMA_ERROR_NO_MEMORY;
        stamma_pack_job_init(j, &w->allocator, w->notice || w->warning);
        j->no_check = options->no_check;
        j->stop = j->block.predicted.stop = w->stop;
        j->block.level = options->level == 0 ? LEVEL_DEFAULT : options->level;
        j->block.no_search_columns = options->no_search_columns || j->block.level > LEVEL_SEARCHED;
        w->jobs[w->job_count] = j;
    }
    stamma_pgn_lexer_init(&w->jobs[0]->lexer, PARSER_TOKEN_MAX);
    return STAMMA_OK;
}

/* Returns whether the weights that the writer's level uses are right. */
static bool has_right_weights(const stamma_archive_writer *w)
{
    const int level = w->jobs[0]->block.level;
    return level < LEVEL_PREDICTED || stamma_weights_are_right(level >= LEVEL_ADAPTIVE);
}

/* Makes a writer that has not written anything. */
static stamma_error make_writer(const stamma_archive_writer_options *given, stamma_archive_writer **writer)
{
    stamma_archive_writer_options options = {0};
    stamma_error error =
        stamma_archive_options_read(given, &options, sizeof options, &options.allocator, &options.executor);
    if (error != STAMMA_OK)
        return error;
    if (options.level < 0 || options.level > LEVEL_MAX || (options.level > 1 && !stamma_predict_weights()))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_archive_writer *w = (stamma_archive_writer *)memory_allocate(&allocator, sizeof *w);
    if (!w)
        return STAMMA_ERROR_NO_MEMORY;
    memset(w, 0, sizeof *w);
    w->piece = PIECE_LEAST;
    w->allocator = allocator;
    w->context = options.context;
    w->notice = options.notice;
    w->warning = options.warning;
    w->progress = options.progress;
    w->check = (stop_check){options.stop, options.context};
    w->stop = options.stop ? &w->check : NULL;
    XXH64_reset(&w->given.hash, 0);
    XXH64_reset(&w->passed.hash, 0);
    if (options.executor)
        w->executor = *options.executor;
    stamma_parser_init(&w->finder, &w->allocator);
    stamma_source_list_init(&w->sources, &w->allocator);
    error = make_jobs(w, &options);
    if (error == STAMMA_OK && !has_right_weights(w))
        error = STAMMA_ERROR_SELF_CHECK;
    if (error != STAMMA_OK)
        stamma_archive_writer_close(w);
    else
        *writer = w;
    return error;
}

/* Returns a started writer in *writer, or closes it if it has an error. */
static stamma_error give_writer(stamma_archive_writer *w, stamma_archive_writer **writer)
{
    stamma_error error = w->error = w->frames.error;
    if (error != STAMMA_OK)
        stamma_archive_writer_close(w);
    else
        *writer = w;
    return error;
}

stamma_error stamma_archive_writer_open(const stamma_output *output, const stamma_archive_writer_options *options,
                                        stamma_archive_writer **writer)
{
    stamma_archive_writer *w;
    if (!output_is_given(output) || !writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = make_writer(options, &w);
    if (error != STAMMA_OK)
        return error;
    stamma_frame_writer_begin(&w->frames, output, &w->allocator);
    return give_writer(w, writer);
}

static bool can_follow(const stamma_archive_reader *reader, const stamma_output *output,
                       bool (*cut)(void *context, uint64_t size), stamma_archive_writer *const *writer)
{
    return reader && reader->seekable && output_is_given(output) && cut && writer;
}

/* Returns whether the archive is complete up to its last finished commit. A damaged end mark does not matter: it is
 * restored. */
static bool can_grow(const stamma_archive_reader *reader)
{
    return reader->last.finished && reader->broken == STAMMA_OK && reader->marks == reader->finished.restored;
}

/* Restores the archive's last bytes if they are damaged, because frames are only appended to a complete commit (7.3).
 */
static bool restore_end(const stamma_archive_reader *reader, const stamma_output *output,
                        bool (*cut)(void *context, uint64_t size))
{
    const size_t size = sizeof stamma_commit_magic;
    if (!reader->finished.restored)
        return true;
    return cut(output->context, reader->last.start - size) &&
           output->write(output->context, stamma_commit_magic, size) &&
           (!output->sync || output->sync(output->context));
}

/* Makes a writer that has not written anything and will append to a finished archive. */
static stamma_error make_appender(const stamma_archive_reader *reader, const stamma_output *output,
                                  bool (*cut)(void *context, uint64_t size),
                                  const stamma_archive_writer_options *options, stamma_archive_writer **writer,
                                  stamma_archive_writer **made)
{
    if (!can_follow(reader, output, cut, writer))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = can_grow(reader) ? stamma_reader_check_last_blocks(reader) : STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = make_writer(options, made);
    if (error == STAMMA_OK)
        (*made)->listed = &reader->scan.table;
    return error;
}

/* Makes the writer continue after a commit. */
static void follow(stamma_archive_writer *w, const commit *last, const stamma_output *output)
{
    stamma_frame_writer_follow(&w->frames, last, w->listed, output, &w->allocator);
    w->before = last->totals;
    w->before.archive_size = w->frames.at;
}

stamma_error stamma_archive_writer_open_append(const stamma_archive_reader *reader, const stamma_output *output,
                                               bool (*cut)(void *context, uint64_t size),
                                               const stamma_archive_writer_options *options,
                                               stamma_archive_writer **writer)
{
    stamma_archive_writer *w;
    stamma_error error = make_appender(reader, output, cut, options, writer, &w);
    if (error != STAMMA_OK)
        return error;
    follow(w, &reader->last, output);
    bool cut_off = reader->finished.restored ? restore_end(reader, output, cut) : cut(output->context, w->frames.at);
    if (!cut_off)
        w->frames.error = STAMMA_ERROR_IO;
    return give_writer(w, writer);
}

stamma_error stamma_archive_writer_open_resume(stamma_archive_reader *reader, const stamma_output *output,
                                               bool (*cut)(void *context, uint64_t size),
                                               const stamma_archive_writer_options *options,
                                               stamma_archive_writer **writer)
{
    stamma_archive_writer *w;
    const commit_mark start = {.places = 0};
    if (!can_follow(reader, output, cut, writer))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_reader_scan_frames(reader, 0);
    if (error == STAMMA_OK)
        error = make_writer(options, &w);
    if (error != STAMMA_OK)
        return error;
    stamma_resumption_open(&w->kept, reader, &start, output, cut);
    w->kept.level = w->jobs[0]->block.level;
    w->kept.no_search_columns = w->jobs[0]->block.no_search_columns;
    stamma_output kept = stamma_resumption_output(&w->kept);
    stamma_frame_writer_begin(&w->frames, &kept, &w->allocator);
    return give_writer(w, writer);
}

/* If no append was interrupted, the input is first compared with the input of the last append. */
stamma_error stamma_archive_writer_open_append_resume(stamma_archive_reader *reader, const stamma_output *output,
                                                      bool (*cut)(void *context, uint64_t size),
                                                      const stamma_archive_writer_options *options,
                                                      stamma_archive_writer **writer)
{
    stamma_archive_writer *w;
    if (!can_follow(reader, output, cut, writer))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_reader_scan_frames(reader, 0);
    if (error == STAMMA_OK)
        error = make_appender(reader, output, cut, options, writer, &w);
    if (error != STAMMA_OK)
        return error;
    if (!restore_end(reader, output, cut)) {
        stamma_archive_writer_close(w);
        return STAMMA_ERROR_IO;
    }
    bool again = reader->left.places == reader->finished.places && reader->finished_before.commit.finished;
    const commit_mark *from = again ? &reader->finished_before : &reader->finished;
    stamma_resumption_open(&w->kept, reader, from, output, cut);
    w->kept.level = w->jobs[0]->block.level;
    w->kept.no_search_columns = w->jobs[0]->block.no_search_columns;
    w->kept.end = reader->finished.commit.start;
    stamma_output kept = stamma_resumption_output(&w->kept);
    follow(w, &from->commit, &kept);
    w->followed = again ? &reader->last : NULL;
    return give_writer(w, writer);
}

static void wait_for(stamma_archive_writer *w, pack_job *j)
{
    if (j->started)
        w->executor.wait(w->executor.context, j);
    j->started = false;
}

void stamma_archive_writer_close(stamma_archive_writer *w)
{
    if (!w)
        return;
    stamma_allocator allocator = w->allocator;
    for (size_t i = 0; i < w->job_count; i++) {
        wait_for(w, w->jobs[i]);
        stamma_pack_job_release(w->jobs[i]);
        memory_release(&allocator, w->jobs[i]);
    }
    memory_release(&allocator, w->jobs);
    stamma_parser_release(&w->finder);
    stamma_source_list_release(&w->sources);
    stamma_frame_writer_release(&w->frames);
    stamma_resumption_close(&w->kept);
    memory_release(&allocator, w);
}

/* ---- writing blocks ---- */

static void give_notice(const stamma_archive_writer *w, const job_notice *of_job, stamma_place place)
{
    stamma_archive_notice n = of_job->notice;
    n.text = (stamma_text){of_job->text, of_job->size};
    n.found = (stamma_text){of_job->text, of_job->found_size};
    n.expected = (stamma_text){of_job->expected, of_job->expected_size};
    n.game = place.game;
    n.place = place;
    if (w->notice)
        w->notice(w->context, &n);
}

/* Reports the notices and warnings of a job, whose places are relative to the start of the block. */
static void give_notices(stamma_archive_writer *w, const pack_job *j)
{
    const job_notice *notices = (const job_notice *)(const void *)j->notices.data;
    for (size_t i = 0; i < j->notices.size / sizeof *notices; i++) {
        stamma_place place = notices[i].notice.place;
        place.game += w->frames.commit.totals.games;
        place.offset += w->passed.size;
        place.line += w->lines + 1;
        if (notices[i].warning == 0)
            give_notice(w, &notices[i], place);
        else if (w->warning)
            w->warning(w->context, &(stamma_archive_warning){notices[i].warning, place});
    }
    w->lines += j->lines;
}

static stamma_text slice(const buffer *b)
{
    return (stamma_text){(const char *)b->data, b->size};
}

static void add_to_sum(text_sum *sum, const void *bytes, size_t size)
{
    sum->size += size;
    XXH64_update(&sum->hash, bytes, size);
}

/* Records that the first `size` bytes of a job's text are in a written or kept block. */
static void pass_text(stamma_archive_writer *w, const pack_job *j, size_t size)
{
    add_to_sum(&w->passed, j->text.data, size);
    if (w->error == STAMMA_OK && w->progress && !w->progress(w->context, w->passed.size, 0))
        w->error = STAMMA_ERROR_CANCELLED;
}

/* Writes the block of a finished job, unless the weights are wrong: the job checked the block with the weights that it
 * used for packing, so this check does not find wrong weights. */
static void write_block(stamma_archive_writer *w, const pack_job *j)
{
    w->error = j->error != STAMMA_OK || has_right_weights(w) ? j->error : STAMMA_ERROR_SELF_CHECK;
    if (w->error != STAMMA_OK)
        return;
    give_notices(w, j);
    stamma_frame_writer_add_block(&w->frames, slice(&j->head), slice(&j->body), &j->block.counts);
    w->error = w->frames.error;
    w->moves_bytes += j->moves_bytes;
    w->faults += j->faults;
    pass_text(w, j, j->used);
}

static void finish_oldest(stamma_archive_writer *w)
{
    pack_job *j = w->jobs[w->oldest];
    wait_for(w, j);
    write_block(w, j);
    w->oldest = (w->oldest + 1) % w->job_count;
    w->under_way--;
}

bool stamma_writer_is_stopped(const stamma_archive_writer *w)
{
    return work_is_stopped(w->stop);
}

/* ---- accepting text ---- */

/* Returns the job that collects the input. */
static pack_job *gathering(const stamma_archive_writer *w)
{
    return w->jobs[(w->oldest + w->under_way) % w->job_count];
}

/* Packs the only block on this thread, while the executor codes half of its moves. */
static void pack_with_executor(stamma_archive_writer *w, pack_job *j)
{
    j->block.executor = &w->executor;
    stamma_pack_job_run(j);
    j->block.executor = NULL;
}

/* Packs a job's block on this thread, or finds its end and starts the executor. Sets *lexer and *continuing to the
 * state at the start of the next block, and *used to the size of the block's text. */
static void begin_job(stamma_archive_writer *w, pack_job *j, pgn_lexer *lexer, bool *continuing, size_t *used)
{
    if (w->job_count > 1) {
        w->error = stamma_pack_job_split(j, &w->finder, lexer, continuing, used);
        if (w->error != STAMMA_OK)
            return;
        w->under_way++;
        if (j->block.level >= LEVEL_ADAPTIVE && w->under_way == 1 && j->final && *used == j->text.size) {
            pack_with_executor(w, j);
            return;
        }
        j->started = true;
        w->executor.start(w->executor.context, stamma_pack_job_run, j);
        return;
    }
    w->under_way++;
    stamma_pack_job_run(j);
    *lexer = j->lexer;
    *continuing = j->continuing;
    *used = j->used;
}

/* Ends the comparison with the last append. Everything written from here on is appended after it. */
static void follow_last_append(stamma_archive_writer *w)
{
    stamma_frame_writer_release(&w->frames);
    follow(w, w->followed, &w->kept.output);
    w->followed = NULL;
    w->moves_bytes = 0;
    w->repeated = w->passed.size + w->copied;
}

/* Returns whether an interrupted writer has already written the first block of the collected input. The block is then
 * not packed again, and its notices are not repeated. */
static bool keep_block(stamma_archive_writer *w, pack_job *j, pgn_lexer *lexer, bool *continuing, size_t *used)
{
    resumed_block block;
    bool taken = false;
    if (!w->kept.reader)
        return false;
    w->error = stamma_pack_job_split(j, &w->finder, lexer, continuing, used);
    stamma_text text = {(const char *)j->text.data, *used};
    if (w->error == STAMMA_OK)
        w->error = stamma_resumption_take(&w->kept, text, j->continuing, &block, &taken);
    if (!taken && w->error == STAMMA_OK && w->followed)
        follow_last_append(w);
    if (!taken)
        return w->error != STAMMA_OK;
    stamma_frame_writer_keep_block(&w->frames, &block.frame, &block.counts);
    w->error = w->frames.error;
    w->moves_bytes += block.counts.moves_bytes;
    pass_text(w, j, *used);
    w->lines += j->notices_wanted ? stamma_pack_job_lines(j, *used) : 0;
    return true;
}

/* Packs the first block of the collected input, and moves the remaining bytes to the next job. */
static void pack_block(stamma_archive_writer *w, bool final)
{
    pack_job *j = gathering(w);
    pgn_lexer lexer;
    bool continuing;
    size_t used;
    j->final = final;
    if (!keep_block(w, j, &lexer, &continuing, &used))
        begin_job(w, j, &lexer, &continuing, &used);
    if (w->under_way == w->job_count)
        finish_oldest(w);
    pack_job *next = gathering(w);
    if (w->error != STAMMA_OK)
        return;
    next->lexer = lexer;
    next->continuing = continuing;
    size_t rest = j->text.size - used;
    if (next == j)
        memmove(j->text.data, j->text.data + used, rest);
    next->text.size = next == j ? rest : 0;
    if (next != j)
        buffer_add(&next->text, j->text.data + used, rest);
    if (next->text.failed)
        w->error = STAMMA_ERROR_NO_MEMORY;
}

/* Returns whether the complete text of a block is collected before packing: for the executor, or to compare it with a
 * kept block. */
static bool gathers_blocks(const stamma_archive_writer *w)
{
    return w->job_count > 1 || w->kept.reader;
}

/* Returns how much text is collected before it is processed. The text of a partly packed block stays, because it is
 * compared later. */
static size_t wanted(const stamma_archive_writer *w)
{
    const pack_job *j = gathering(w);
    return gathers_blocks(w) ? PACK_JOB_TEXT : w->piece + (j->begun ? j->used : 0);
}

/* Packs the complete games of the collected piece on this thread. */
static void pack_piece(stamma_archive_writer *w, bool final)
{
    pack_job *j = gathering(w);
    j->final = final;
    size_t taken = stamma_pack_job_take(j);
    if (!j->begun) {
        write_block(w, j);
        j->text.size -= j->used;
        memmove(j->text.data, j->text.data + j->used, j->text.size);
    } else if (j->text.capacity < BLOCK_TEXT_MAX &&
               !buffer_reserve(&j->text, BLOCK_TEXT_MAX)) { /* in one step, because the size is known */
        w->error = STAMMA_ERROR_NO_MEMORY;
    } else if (taken == 0) {
        w->piece = w->piece < PARSER_NEEDS / 2 ? 2 * w->piece : PARSER_NEEDS;
    }
}

static void pack_gathered(stamma_archive_writer *w, bool final)
{
    if (gathers_blocks(w))
        pack_block(w, final);
    else
        pack_piece(w, final);
}

/* Returns MISMATCH if the kept bytes end in data that must not be cut; otherwise the writer's error. */
static stamma_error settle_error(stamma_archive_writer *w)
{
    if (w->error == STAMMA_ERROR_IO && w->kept.differs)
        w->error = STAMMA_ERROR_MISMATCH;
    return w->error;
}

stamma_error stamma_archive_writer_write(stamma_archive_writer *w, const void *bytes, size_t size)
{
    if (!w || (!bytes && size > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const uint8_t *from = (const uint8_t *)bytes;
    w->position += size;
    add_to_sum(&w->given, bytes, size);
    while (size > 0 && w->error == STAMMA_OK) {
        buffer *text = &gathering(w)->text;
        size_t room = text->size < wanted(w) ? wanted(w) - text->size : 0;
        size_t part = size < room ? size : room;
        buffer_add(text, from, part);
        if (text->failed)
            w->error = STAMMA_ERROR_NO_MEMORY;
        from += part;
        size -= part;
        if (w->error == STAMMA_OK && text->size >= wanted(w))
            pack_gathered(w, false);
    }
    return settle_error(w);
}

/* Returns whether the blocks contain exactly the input. Call it after the last block was written. */
static bool has_all_bytes(const stamma_archive_writer *w)
{
    return w->given.size == w->passed.size && XXH64_digest(&w->given.hash) == XXH64_digest(&w->passed.hash);
}

/* Packs and writes all collected input. */
static void end_input(stamma_archive_writer *w)
{
    while (w->error == STAMMA_OK && gathering(w)->text.size > 0)
        pack_gathered(w, true);
    while (w->error == STAMMA_OK && w->under_way > 0)
        finish_oldest(w);
    if (w->error == STAMMA_OK && !has_all_bytes(w))
        w->error = STAMMA_ERROR_SELF_CHECK;
}

stamma_error stamma_writer_end_input(stamma_archive_writer *w)
{
    end_input(w);
    stamma_pgn_lexer_init(&gathering(w)->lexer, PARSER_TOKEN_MAX);
    gathering(w)->continuing = false;
    return w->error;
}

uint64_t stamma_writer_given(const stamma_archive_writer *w)
{
    return w->given.size;
}

stamma_error stamma_writer_fail(stamma_archive_writer *w, stamma_error error)
{
    if (w->error == STAMMA_OK)
        w->error = error;
    return w->error;
}

stamma_error stamma_writer_add_block(stamma_archive_writer *w, const buffer *payload, size_t head_size,
                                     const stamma_archive_counts *counts)
{
    const char *bytes = (const char *)payload->data;
    stamma_frame_writer_add_block(&w->frames, (stamma_text){bytes, head_size},
                                  (stamma_text){bytes + head_size, payload->size - head_size}, counts);
    w->moves_bytes += stamma_payload_moves_bytes(payload, head_size);
    w->copied += counts->text_size;
    return w->error = w->frames.error;
}

/* Ends the input before blocks are copied. Copied blocks are appended; they are not compared with the last append. */
static stamma_error begin_copy(stamma_archive_writer *w)
{
    if (stamma_writer_end_input(w) != STAMMA_OK || !w->followed)
        return w->error;
    if (stamma_resumption_end(&w->kept))
        follow_last_append(w);
    else
        w->error = STAMMA_ERROR_IO;
    return w->error;
}

stamma_error stamma_archive_writer_copy(stamma_archive_writer *w, stamma_archive_reader *reader)
{
    if (!w || !reader)
        return STAMMA_ERROR_BAD_ARGUMENT;
    merged_bytes copied = {0};
    if (begin_copy(w) == STAMMA_OK)
        w->error = stamma_writer_copy_sources(w, reader);
    if (w->error == STAMMA_OK)
        w->error = stamma_merge_archive(reader, &w->frames, &copied);
    w->copied += copied.text;
    w->moves_bytes += copied.moves;
    w->position = w->frames.commit.totals.text_size - w->before.text_size;
    return settle_error(w);
}

stamma_error stamma_archive_writer_add_source(stamma_archive_writer *w, const stamma_archive_source *source)
{
    if (!w || !source || !stamma_source_is_valid(source) || source->text_size > w->position ||
        w->position - source->text_size < w->sources.end)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_archive_source placed = *source;
    placed.text_offset = w->position - source->text_size;
    stamma_source_list_add(&w->sources, &placed);
    return w->error;
}

stamma_error stamma_writer_copy_sources(stamma_archive_writer *w, stamma_archive_reader *reader)
{
    return stamma_source_list_copy(&w->sources, reader, w->position);
}

/* Called if a block was kept. Returns whether the kept blocks are all blocks of the last append. If they are, the other
 * frames of the last append are kept, too, although the time in them may differ. */
static bool is_last_append(stamma_archive_writer *w)
{
    resumption *k = &w->kept;
    const bool same = w->followed && k->reader->next_place == k->reader->place_count;
    if (same)
        k->at = k->end;
    return same;
}

/* Returns whether the commit counts the bytes of all blocks. */
static bool are_totals_right(const stamma_archive_writer *w)
{
    return w->frames.commit.totals.text_size - w->before.text_size + w->repeated == w->passed.size + w->copied;
}

/* Writes the commit, unless nothing was appended. */
static void commit_all(stamma_archive_writer *w)
{
    if (w->error == STAMMA_OK && !are_totals_right(w))
        w->error = STAMMA_ERROR_SELF_CHECK;
    bool appended = w->frames.at > w->before.archive_size && !(w->error == STAMMA_OK && is_last_append(w));
    if (w->error == STAMMA_OK && appended)
        stamma_source_list_write(&w->sources, w->before.text_size, &w->frames);
    if (w->error == STAMMA_OK && appended)
        stamma_frame_writer_commit(&w->frames, true);
    if (w->error == STAMMA_OK)
        w->error = w->frames.error;
    if (w->error == STAMMA_OK && !stamma_resumption_end(&w->kept))
        w->error = STAMMA_ERROR_IO;
}

stamma_error stamma_archive_writer_finish(stamma_archive_writer *w, stamma_archive_counts *counts)
{
    if (!w)
        return STAMMA_ERROR_BAD_ARGUMENT;
    end_input(w);
    commit_all(w);
    if (settle_error(w) != STAMMA_OK)
        return w->error;
    if (w->followed) /* the input was empty, or the same as in the last append */
        follow_last_append(w);
    if (counts) {
        *counts = w->frames.commit.totals;
        stamma_counts_subtract(counts, &w->before);
        counts->archive_size = w->frames.at - w->before.archive_size;
        counts->moves_bytes = w->moves_bytes;
        counts->games_inexact = w->faults;
    }
    w->error = STAMMA_ERROR_BAD_ARGUMENT; /* a finished writer can only be closed */
    return STAMMA_OK;
}

uint64_t stamma_archive_writer_committed(const stamma_archive_writer *w)
{
    const commit *next = &w->frames.commit;
    uint64_t bytes = next->totals.text_size - w->before.text_size;
    for (size_t i = 0; i < next->places.count; i++)
        bytes -= next->places.places[i].text_size;
    return bytes;
}
