/* SPDX-License-Identifier: MIT */
/* Writes the index file of an archive, or appends to an index file in place. Segments of earlier indexes are copied, or
 * kept in place, if their blocks are unchanged. */
#include "index/index_build.h"

/* ---- blocks ---- */

/* Successive blocks whose segment is kept or copied from an earlier index, or which are indexed again. */
typedef struct index_piece {
    size_t first;
    size_t blocks;
    uint64_t games;
    index_file *file;             /* NULL: the blocks are indexed again */
    const index_segment *segment; /* of the file */
    bool kept;                    /* in place */
} index_piece;

typedef struct index_writing {
    stamma_archive *archive;
    stamma_index_write_options options;
    stamma_allocator allocator;
    stamma_executor executor;
    const block_list *list;
    uint64_t *head_checks;
    index_file *before; /* earlier indexes */
    size_t before_count;
    buffer pieces;   /* index_piece */
    size_t finished; /* blocks of the segments that are written or kept */
    job_ring ring;
    index_build build;
    index_output out;
    enum { GAME_CLOSED, GAME_OPEN, GAME_UNKNOWN } game; /* whether the block before ends within a game */
    uint64_t done;
    stop_check stop;
    atomic_bool ended;
} index_writing;

static bool is_stopped(void *context)
{
    const index_writing *w = (const index_writing *)context;
    return atomic_load_explicit(&w->ended, memory_order_relaxed) ||
           (w->options.stop && w->options.stop(w->options.context));
}

static stamma_error report(index_writing *w)
{
    if (!w->options.progress || w->options.progress(w->options.context, w->done, w->archive->bytes.size))
        return STAMMA_OK;
    atomic_store_explicit(&w->ended, true, memory_order_relaxed);
    return STAMMA_ERROR_CANCELLED;
}

static stamma_error check_heads(index_writing *w)
{
    stamma_error error = STAMMA_OK;
    buffer head = {.allocator = &w->allocator};
    w->head_checks = (uint64_t *)memory_allocate(&w->allocator, (w->list->count + 1) * sizeof *w->head_checks);
    if (!w->head_checks)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < w->list->count && error == STAMMA_OK; n++) {
        found_block at;
        error = stamma_block_find_head(&w->list->places[n], &w->archive->bytes, &head, &at);
        if (error == STAMMA_OK)
            w->head_checks[n] = XXH64(at.payload, at.head_size, 0);
    }
    stamma_buffer_release(&head);
    return error;
}

/* ---- segments of earlier indexes ---- */

static bool has_blocks(const index_writing *w, const index_file *x, const index_segment *s, size_t first)
{
    if (s->blocks > w->list->count - first)
        return false;
    for (size_t n = 0; n < s->blocks; n++) {
        const index_block *b = &x->blocks[s->first_block + n];
        const span *spans = w->list->places[first + n].spans;
        if (b->head_check != w->head_checks[first + n] || b->place.spans[SPAN_GAMES].size != spans[SPAN_GAMES].size ||
            b->place.spans[SPAN_BYTES].size != spans[SPAN_BYTES].size)
            return false;
    }
    return true;
}

/* Returns a segment that indexes the blocks from `first` on; NULL: there is none. */
static const index_segment *find_segment(const index_writing *w, size_t first, index_file **file)
{
    for (size_t n = 0; n < w->before_count; n++)
        for (size_t k = 0; k < w->before[n].segment_count; k++)
            if (has_blocks(w, &w->before[n], &w->before[n].segments[k], first)) {
                *file = &w->before[n];
                return &w->before[n].segments[k];
            }
    return NULL;
}

/* Adds a piece for the blocks from `first` on: a segment, or a block without a segment. */
static void add_piece(index_writing *w, size_t first)
{
    index_piece piece = {.first = first, .blocks = 1, .games = w->list->places[first].spans[SPAN_GAMES].size};
    piece.segment = find_segment(w, first, &piece.file);
    if (piece.segment) {
        piece.blocks = piece.segment->blocks;
        piece.games = piece.segment->counts[COUNT_GAMES];
    }
    buffer_add(&w->pieces, &piece, sizeof piece);
}

/* Decides which segments are made again together with the blocks after them: those with at most as many games as these
 * blocks. The segments that contain a game therefore at least double in size, so each game is indexed a logarithmic
 * number of times, and each segment has more games than all later segments together (the rule of a log-structured merge
 * tree). Full segments are never made again. */
static void merge_pieces(index_writing *w)
{
    index_piece *pieces = (index_piece *)(void *)w->pieces.data;
    uint64_t after = 0;
    for (size_t n = w->pieces.size / sizeof *pieces; n-- > 0;) {
        index_piece *p = &pieces[n];
        if (p->file && p->games <= after && p->games < w->options.segment_games)
            p->file = NULL;
        after = p->file ? 0 : after + p->games;
    }
}

static stamma_error plan_pieces(index_writing *w)
{
    for (size_t first = 0; first < w->list->count && !w->pieces.failed;) {
        add_piece(w, first);
        if (!w->pieces.failed)
            first += ((const index_piece *)(const void *)(w->pieces.data + w->pieces.size))[-1].blocks;
    }
    if (w->pieces.failed)
        return STAMMA_ERROR_NO_MEMORY;
    merge_pieces(w);
    return STAMMA_OK;
}

static void add_block(buffer *out, const placed_block *p, uint64_t head_check)
{
    index_add_u64(out, p->offset);
    index_add_u64(out, p->end);
    index_add_u64(out, p->frame);
    index_add_u64(out, head_check);
    index_add_u64(out, p->spans[SPAN_GAMES].size);
    index_add_u64(out, p->spans[SPAN_BYTES].size);
}

/* Writes the table of a segment whose first block is `first`. */
static void put_table(index_writing *w, const index_segment *s, const uint8_t *sections, size_t first)
{
    buffer blocks = {.allocator = &w->allocator};
    for (size_t n = first; n < first + s->blocks; n++)
        add_block(&blocks, &w->list->places[n], w->head_checks[n]);
    stamma_index_put_table(&w->out, s, sections, &blocks);
    stamma_buffer_release(&blocks);
}

/* Copies a segment. Returns false if it is damaged. */
static bool copy_segment(index_writing *w, const index_piece *p)
{
    const index_segment *s = p->segment;
    if (!stamma_index_check_pages(p->file, s, s->offset, s->size))
        return false;
    stamma_index_begin_segment(&w->out);
    stamma_index_put(&w->out, p->file->bytes + s->offset, (size_t)s->size);
    put_table(w, s, s->sections, p->first);
    return true;
}

/* ---- new segments ---- */

static void write_segment(index_writing *w)
{
    index_segment *s = &w->build.segment;
    uint8_t sections[16 * INDEX_SECTIONS];
    stamma_index_begin_segment(&w->out);
    for (size_t n = 0; n < INDEX_SECTIONS; n++) {
        const buffer *bytes = &w->build.sections[n];
        stamma_index_put_zeros(&w->out, s->parts[n].at);
        if (bytes->size > 0)
            stamma_index_put(&w->out, bytes->data, bytes->size);
        store_u64(sections + 16 * n, s->parts[n].at);
        store_u64(sections + 16 * n + 8, s->parts[n].size);
    }
    stamma_index_put_zeros(&w->out, s->size);
    s->section_count = INDEX_SECTIONS;
    put_table(w, s, sections, w->finished);
}

static stamma_error finish_segment(index_writing *w)
{
    if (w->build.block_count == 0)
        return STAMMA_OK;
    stamma_error error = stamma_index_build_finish(&w->build);
    if (error == STAMMA_OK)
        write_segment(w);
    w->finished += w->build.block_count;
    stamma_index_build_clear(&w->build);
    return error;
}

/* A block begins within a game if the block before ends within it (format 4.6). */
static stamma_error join_block(index_writing *w, const index_block_job *j)
{
    const bool joins = w->game == GAME_UNKNOWN || j->continues == (w->game == GAME_OPEN);
    w->game = j->open ? GAME_OPEN : GAME_CLOSED;
    return joins ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

static stamma_error finish_job(index_writing *w)
{
    index_block_job *j = (index_block_job *)stamma_job_ring_finish(&w->ring);
    stamma_error error = j->error == STAMMA_OK ? join_block(w, j) : j->error;
    w->done = j->at.offset + FRAME_HEADER_SIZE + j->at.size;
    if (error == STAMMA_OK && index_job_bytes(j) > UINT32_MAX - w->build.group_bytes)
        error = finish_segment(w);
    if (error == STAMMA_OK)
        error = stamma_index_build_add(&w->build, j);
    if (error == STAMMA_OK)
        error = report(w);
    return error == STAMMA_OK && w->build.games >= w->options.segment_games ? finish_segment(w) : error;
}

static stamma_error begin_job(index_writing *w, size_t n)
{
    index_block_job *j = (index_block_job *)stamma_job_ring_next(&w->ring);
    j->stop = &w->stop;
    stamma_error error = stamma_block_find(&w->list->places[n], &w->archive->bytes, &j->payload, &j->at);
    if (error == STAMMA_OK)
        stamma_job_ring_begin(&w->ring);
    return error;
}

static stamma_error open_ring(index_writing *w)
{
    const size_t jobs = stamma_job_count(&w->executor, w->options.memory / 2, UNPACK_JOB_MEMORY);
    stamma_error error = stamma_job_ring_open(&w->ring, &stamma_index_jobs, jobs, &w->allocator, &w->executor);
    for (size_t n = 0; n < w->ring.count; n++)
        ((index_block_job *)w->ring.jobs[n])->memory = block_memory_limit(w->options.memory);
    return error;
}

/* Ends the jobs and the segment at the end, and before blocks that are copied. The jobs need no memory while the
 * segment is made. */
static stamma_error finish_jobs(index_writing *w)
{
    stamma_error error = STAMMA_OK;
    while (w->ring.under_way > 0 && error == STAMMA_OK)
        error = finish_job(w);
    if (error != STAMMA_OK)
        return error;
    stamma_job_ring_close(&w->ring);
    error = open_ring(w);
    return error == STAMMA_OK ? finish_segment(w) : error;
}

/* Indexes the blocks of a piece. */
static stamma_error index_blocks(index_writing *w, const index_piece *p)
{
    stamma_error error = STAMMA_OK;
    for (size_t n = p->first; n < p->first + p->blocks && error == STAMMA_OK; n++) {
        while (error == STAMMA_OK && w->ring.under_way == w->ring.count)
            error = finish_job(w);
        if (error == STAMMA_OK)
            error = begin_job(w, n);
    }
    return error;
}

/* Keeps or copies the segment of a piece, or indexes its blocks. */
static stamma_error write_piece(index_writing *w, const index_piece *p)
{
    stamma_error error = p->file ? finish_jobs(w) : STAMMA_OK;
    if (p->kept)
        stamma_index_keep_segment(&w->out, p->segment);
    if (error != STAMMA_OK || !p->file || (!p->kept && !copy_segment(w, p)))
        return error == STAMMA_OK ? index_blocks(w, p) : error;
    w->finished += p->blocks;
    w->game = GAME_UNKNOWN;
    return STAMMA_OK;
}

static stamma_error write_blocks(index_writing *w)
{
    const index_piece *pieces = (const index_piece *)(const void *)w->pieces.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < w->pieces.size / sizeof *pieces && error == STAMMA_OK; n++)
        error = write_piece(w, &pieces[n]);
    if (error == STAMMA_OK)
        error = finish_jobs(w);
    if (error == STAMMA_OK && w->game == GAME_OPEN)
        error = STAMMA_ERROR_CORRUPT;
    return error == STAMMA_OK ? w->out.error : error;
}

/* ---- the call ---- */

/* Returns the number of games at which a segment is finished. */
static uint32_t segment_games(const stamma_index_write_options *options)
{
    enum { GAME_MEMORY = 320, GAMES_MIN = 1024 }; /* bytes of memory for each game */
    uint64_t games = options->segment_games > 0 ? options->segment_games : INDEX_SEGMENT_GAMES;
    uint64_t most = options->memory / 2 / GAME_MEMORY;
    most = most > GAMES_MIN ? most : GAMES_MIN;
    return (uint32_t)(games < most ? games : most);
}

static bool before_is_given(const stamma_index_write_options *options)
{
    bool given = options->before || options->before_count == 0;
    for (size_t n = 0; n < options->before_count && given; n++)
        given = bytes_are_given(&options->before[n]);
    return given;
}

static stamma_error open_before(index_writing *w)
{
    size_t count = w->options.before_count;
    stamma_error error = STAMMA_OK;
    w->before = (index_file *)memory_allocate(&w->allocator, (count + 1) * sizeof *w->before);
    if (!w->before)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count && error != STAMMA_ERROR_NO_MEMORY; n++) {
        error = stamma_index_file_open(&w->before[w->before_count], &w->options.before[n], &w->allocator);
        w->before_count += error == STAMMA_OK;
    }
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

static stamma_error open_writing(index_writing *w)
{
    stamma_error error = stamma_handle_list(w->archive, true, &w->list);
    if (error == STAMMA_OK && w->list->broken != STAMMA_OK)
        error = w->list->broken;
    if (error == STAMMA_OK && w->list->end != STAMMA_OK)
        error = w->list->end;
    if (error == STAMMA_OK)
        error = check_heads(w);
    if (error == STAMMA_OK)
        error = open_before(w);
    if (error == STAMMA_OK)
        error = plan_pieces(w);
    if (error == STAMMA_OK)
        error = open_ring(w);
    return error;
}

/* Writes the segments and the directory, and makes their root. */
static stamma_error write_segments(index_writing *w, index_root *root)
{
    root->archive_size = w->archive->bytes.size;
    stamma_error error = write_blocks(w);
    if (error == STAMMA_OK && !stamma_index_archive_check(&w->archive->bytes, &root->archive_check))
        error = STAMMA_ERROR_IO;
    if (error == STAMMA_OK)
        stamma_index_put_directory(&w->out, root);
    return error == STAMMA_OK ? w->out.error : error;
}

/* A new file is written without seeking, so its root is at its end. */
static stamma_error write_file(index_writing *w)
{
    index_root root = {.number = 1};
    stamma_index_put_header(&w->out);
    const stamma_error error = write_segments(w, &root);
    if (error != STAMMA_OK)
        return error;
    stamma_index_put_root(&w->out, &root, w->out.at);
    stamma_index_output_sync(&w->out);
    return w->out.error;
}

/* ---- in place ---- */

/* Returns whether the blocks of a segment are at the same places in the archive. */
static bool has_places(const index_writing *w, const index_piece *p)
{
    for (size_t n = 0; n < p->blocks; n++) {
        const placed_block *old = &p->file->blocks[p->segment->first_block + n].place;
        const placed_block *now = &w->list->places[p->first + n];
        if (old->offset != now->offset || old->end != now->end || old->frame != now->frame)
            return false;
    }
    return true;
}

/* Keeps the segments at the beginning of the file that need no change. Returns the number of their bytes. */
static uint64_t keep_segments(index_writing *w)
{
    index_piece *pieces = (index_piece *)(void *)w->pieces.data;
    uint64_t kept = INDEX_PAGE;
    for (size_t n = 0; n < w->pieces.size / sizeof *pieces && pieces[n].file && has_places(w, &pieces[n]); n++) {
        pieces[n].kept = true;
        kept += pieces[n].segment->size + pieces[n].segment->table_size;
    }
    return kept;
}

/* Appends the missing segments and a directory. The root that is in the file reaches the same bytes as before, until a
 * slot has the new root. Each step is durable before the next. */
static stamma_error append_file(index_writing *w)
{
    const index_root *old = &w->before->root;
    index_root root = {.number = old->number + 1};
    if (w->before->size - keep_segments(w) > w->before->size / 2)
        return STAMMA_ERROR_MISMATCH;
    if (w->before->root_is_last) {
        stamma_index_put_root(&w->out, old, index_slot_offset(old->number));
        stamma_index_output_sync(&w->out);
    }
    w->out.at = index_root_end(old);
    const stamma_error error = write_segments(w, &root);
    if (error != STAMMA_OK)
        return error;
    stamma_index_output_sync(&w->out);
    stamma_index_put_root(&w->out, &root, index_slot_offset(root.number));
    stamma_index_output_sync(&w->out);
    return w->out.error;
}

/* ---- the calls ---- */

static void close_writing(index_writing *w)
{
    atomic_store_explicit(&w->ended, true, memory_order_relaxed);
    stamma_job_ring_close(&w->ring);
    for (size_t n = 0; n < w->before_count; n++)
        stamma_index_file_close(&w->before[n]);
    memory_release(&w->allocator, w->before);
    memory_release(&w->allocator, w->head_checks);
    stamma_index_build_release(&w->build);
    stamma_buffer_release(&w->pieces);
    stamma_index_output_release(&w->out);
}

static void init_writing(index_writing *w, stamma_archive *archive, const stamma_index_write_options *options)
{
    memset(w, 0, sizeof *w);
    atomic_init(&w->ended, false);
    w->archive = archive;
    w->options = *options;
    w->allocator = archive->allocator;
    w->executor = *options->executor;
    w->stop = (stop_check){is_stopped, w};
    w->pieces.allocator = &w->allocator;
    w->options.segment_games = segment_games(&w->options);
    stamma_index_output_init(&w->out, &w->allocator);
    stamma_index_build_init(&w->build, &w->allocator, &w->executor);
}

static stamma_error read_options(stamma_archive *archive, const stamma_index_write_options *given,
                                 stamma_index_write_options *options)
{
    const stamma_allocator *none = NULL;
    stamma_error error = stamma_archive_options_read(given, options, sizeof *options, &none, &options->executor);
    if (error == STAMMA_OK && !before_is_given(options))
        error = STAMMA_ERROR_BAD_ARGUMENT;
    if (error == STAMMA_OK)
        handle_defaults(archive, &options->executor, &options->memory);
    return error;
}

/* Opens what the writing needs, calls `write`, and closes everything. */
static stamma_error run_writing(stamma_archive *archive, const stamma_index_write_options *options,
                                const stamma_index_output *output, stamma_error (*write)(index_writing *w))
{
    index_writing *w = (index_writing *)memory_allocate(&archive->allocator, sizeof *w);
    if (!w)
        return STAMMA_ERROR_NO_MEMORY;
    init_writing(w, archive, options);
    w->out.context = output->context;
    w->out.write_at = output->write_at;
    w->out.sync = output->sync;
    stamma_error error = open_writing(w);
    if (error == STAMMA_OK)
        error = write(w);
    close_writing(w);
    memory_release(&archive->allocator, w);
    return error;
}

/* The bytes of a new file are written in order. */
static bool write_next(void *context, uint64_t offset, const void *bytes, size_t size)
{
    const stamma_output *output = (const stamma_output *)context;
    (void)offset;
    return output->write(output->context, bytes, size);
}

static bool sync_output(void *context)
{
    const stamma_output *output = (const stamma_output *)context;
    return !output->sync || output->sync(output->context);
}

stamma_error stamma_index_write(stamma_archive *archive, const stamma_index_write_options *given,
                                const stamma_output *output)
{
    stamma_index_write_options options = {0};
    if (!archive || !output_is_given(output))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_output copy = *output;
    const stamma_index_output all = {&copy, write_next, sync_output};
    const stamma_error error = read_options(archive, given, &options);
    return error == STAMMA_OK ? run_writing(archive, &options, &all, write_file) : error;
}

/* Returns MISMATCH if nothing of the file can be used. */
static stamma_error append_to_before(index_writing *w)
{
    if (w->before_count == 0)
        return STAMMA_ERROR_MISMATCH;
    return stamma_index_file_is_of(w->before, &w->archive->bytes) ? STAMMA_OK : append_file(w);
}

stamma_error stamma_index_append(stamma_archive *archive, const stamma_bytes *file,
                                 const stamma_index_write_options *given, const stamma_index_output *output)
{
    stamma_index_write_options options = {0};
    if (!archive || !bytes_are_given(file) || !output || !output->write_at || !output->sync)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_error error = read_options(archive, given, &options);
    if (error != STAMMA_OK || options.before_count > 0)
        return error != STAMMA_OK ? error : STAMMA_ERROR_BAD_ARGUMENT;
    options.before = file;
    options.before_count = 1;
    return run_writing(archive, &options, output, append_to_before);
}
