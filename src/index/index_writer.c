/* SPDX-License-Identifier: MIT */
/* Writes the index file of an archive. Segments of earlier indexes are copied if their blocks are unchanged. */
#include "index/index.h"

/* ---- the file ---- */

typedef struct index_output {
    stamma_output output;
    uint64_t at;
    buffer checks;            /* uint32_t by page, little-endian */
    buffer segments;          /* index_segment */
    uint8_t page[INDEX_PAGE]; /* bytes of the current page, which are not written yet */
    size_t filled;
    stamma_error error;
} index_output;

static void flush_page(index_output *o)
{
    if (o->error == STAMMA_OK && !o->output.write(o->output.context, o->page, o->filled))
        o->error = STAMMA_ERROR_IO;
    index_add_u32(&o->checks, stamma_check32(o->page, o->filled));
    o->filled = 0;
}

static void put(index_output *o, const void *bytes, size_t size)
{
    const uint8_t *at = (const uint8_t *)bytes;
    o->at += size;
    while (size > 0) {
        size_t part = INDEX_PAGE - o->filled < size ? INDEX_PAGE - o->filled : size;
        memcpy(o->page + o->filled, at, part);
        o->filled += part;
        at += part;
        size -= part;
        if (o->filled == INDEX_PAGE)
            flush_page(o);
    }
}

static void put_zeros(index_output *o, uint64_t end)
{
    static const uint8_t zeros[INDEX_PAGE];
    while (o->at < end)
        put(o, zeros, end - o->at < INDEX_PAGE ? (size_t)(end - o->at) : INDEX_PAGE);
}

static void begin_file(index_output *o)
{
    uint8_t version[8] = {0};
    store_u32(version, INDEX_VERSION);
    put(o, stamma_index_magic, sizeof stamma_index_magic);
    put(o, version, sizeof version);
    put_zeros(o, INDEX_PAGE);
}

static void add_segment(index_output *o, const index_segment *segment)
{
    index_segment s = *segment;
    s.offset = o->at;
    buffer_add(&o->segments, &s, sizeof s);
}

static void write_segment(index_output *o, const index_build *b)
{
    add_segment(o, &b->segment);
    uint64_t begin = o->at;
    for (size_t n = 0; n < INDEX_SECTIONS; n++) {
        put_zeros(o, begin + b->segment.parts[n].at);
        if (b->sections[n].size > 0)
            put(o, b->sections[n].data, b->sections[n].size);
    }
    put_zeros(o, begin + b->segment.size);
}

/* ---- the directory ---- */

static void add_block(buffer *out, const placed_block *p, uint64_t head_check)
{
    index_add_u64(out, p->offset);
    index_add_u64(out, p->end);
    index_add_u64(out, p->frame);
    index_add_u64(out, head_check);
    index_add_u64(out, p->spans[SPAN_GAMES].size);
    index_add_u64(out, p->spans[SPAN_BYTES].size);
}

static void add_segment_entry(buffer *out, const index_segment *s)
{
    index_add_u64(out, s->offset);
    index_add_u64(out, s->size);
    index_add_u32(out, s->blocks);
    for (size_t n = 0; n < INDEX_COUNTS; n++)
        index_add_u32(out, s->counts[n]);
    for (size_t n = 0; n < INDEX_SECTIONS; n++) {
        index_add_u64(out, s->parts[n].at);
        index_add_u64(out, s->parts[n].size);
    }
}

/* Appends the directory and the footer to `out`. */
static void make_directory(const index_output *o, const block_list *list, const uint64_t *head_checks,
                           const stamma_bytes *archive, uint64_t check, buffer *out)
{
    const index_segment *segments = (const index_segment *)(const void *)o->segments.data;
    size_t count = o->segments.size / sizeof *segments;
    index_add_u32(out, (uint32_t)list->count);
    index_add_u32(out, (uint32_t)count);
    for (size_t n = 0; n < list->count; n++)
        add_block(out, &list->places[n], head_checks[n]);
    for (size_t n = 0; n < count; n++)
        add_segment_entry(out, &segments[n]);
    buffer_add(out, o->checks.data, o->checks.size);
    size_t size = out->size;
    buffer_add(out, stamma_index_magic, sizeof stamma_index_magic);
    index_add_u64(out, archive->size);
    index_add_u64(out, check);
    index_add_u64(out, o->at + size + INDEX_FOOTER_SIZE);
    index_add_u64(out, o->at);
    index_add_u64(out, size);
    index_add_u64(out, out->failed ? 0 : XXH64(out->data, size, 0));
    index_add_u32(out, 0);
    index_add_u32(out, out->failed ? 0 : stamma_check32(out->data + size, INDEX_FOOTER_SIZE - 4));
}

/* ---- blocks ---- */

typedef struct index_writing {
    stamma_archive *archive;
    stamma_index_write_options options;
    stamma_allocator allocator;
    stamma_executor executor;
    const block_list *list;
    uint64_t *head_checks;
    index_file *before; /* earlier indexes */
    size_t before_count;
    job_ring ring;
    index_build build;
    index_output out;
    size_t begun;                                       /* blocks whose jobs were begun or that were copied */
    enum { GAME_CLOSED, GAME_OPEN, GAME_UNKNOWN } game; /* whether the block before ends within a game */
    uint64_t done;
    stop_check stop;
    atomic_bool ended;
} index_writing;

static bool is_stopped(void *context)
{
    return atomic_load_explicit(&((index_writing *)context)->ended, memory_order_relaxed);
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

/* Returns whether a segment, which begins at block `first`, is built again together with the blocks after it. This
 * happens if the blocks after it have at least as many games as the segment. The segments that contain a game therefore
 * at least double in size, so each game is indexed a logarithmic number of times (the rule of a log-structured merge
 * tree). */
static bool is_outgrown(const index_writing *w, const index_segment *s, size_t first)
{
    size_t next = first + s->blocks;
    uint64_t after = 0;
    index_file *file;
    while (next < w->list->count && after < s->counts[COUNT_GAMES] && !find_segment(w, next, &file))
        after += w->list->places[next++].spans[SPAN_GAMES].size;
    return s->counts[COUNT_GAMES] < INDEX_SEGMENT_GAMES / 2 && after >= s->counts[COUNT_GAMES];
}

/* Copies a segment. Returns false if it is damaged. */
static bool copy_segment(index_writing *w, index_file *file, const index_segment *s)
{
    if (!stamma_index_check_pages(file, s->offset, s->size))
        return false;
    add_segment(&w->out, s);
    put(&w->out, file->bytes + s->offset, (size_t)s->size);
    return true;
}

/* ---- new segments ---- */

static stamma_error finish_segment(index_writing *w)
{
    if (w->build.block_count == 0)
        return STAMMA_OK;
    stamma_error error = stamma_index_build_finish(&w->build);
    if (error == STAMMA_OK)
        write_segment(&w->out, &w->build);
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

/* Ends the jobs and the segment before blocks that are copied. */
static stamma_error finish_jobs(index_writing *w)
{
    stamma_error error = STAMMA_OK;
    while (w->ring.under_way > 0 && error == STAMMA_OK)
        error = finish_job(w);
    return error == STAMMA_OK ? finish_segment(w) : error;
}

static stamma_error write_blocks(index_writing *w)
{
    stamma_error error = STAMMA_OK;
    while (error == STAMMA_OK && w->begun < w->list->count) {
        index_file *file = NULL;
        const index_segment *s = find_segment(w, w->begun, &file);
        if (s && !is_outgrown(w, s, w->begun)) {
            error = finish_jobs(w);
            if (error == STAMMA_OK && copy_segment(w, file, s)) {
                w->begun += s->blocks;
                w->game = GAME_UNKNOWN;
                continue;
            }
        }
        while (error == STAMMA_OK && w->ring.under_way == w->ring.count)
            error = finish_job(w);
        if (error == STAMMA_OK)
            error = begin_job(w, w->begun++);
    }
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
    const uint64_t memory = w->options.memory / 2;
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
        error = stamma_job_ring_open(&w->ring, &stamma_index_jobs,
                                     stamma_job_count(&w->executor, memory, UNPACK_JOB_MEMORY), &w->allocator,
                                     &w->executor);
    for (size_t n = 0; n < w->ring.count; n++)
        ((index_block_job *)w->ring.jobs[n])->memory = block_memory_limit(w->options.memory);
    return error;
}

/* Writes the directory after the last page. */
static stamma_error end_file(index_writing *w)
{
    buffer directory = {.allocator = &w->allocator};
    index_output *o = &w->out;
    uint64_t check = 0;
    const bool readable = stamma_index_archive_check(&w->archive->bytes, &check);
    make_directory(o, w->list, w->head_checks, &w->archive->bytes, check, &directory);
    if (!readable)
        o->error = STAMMA_ERROR_IO;
    if (o->checks.failed || o->segments.failed || directory.failed)
        o->error = STAMMA_ERROR_NO_MEMORY;
    if (o->error == STAMMA_OK && !o->output.write(o->output.context, directory.data, directory.size))
        o->error = STAMMA_ERROR_IO;
    if (o->error == STAMMA_OK && o->output.sync && !o->output.sync(o->output.context))
        o->error = STAMMA_ERROR_IO;
    stamma_buffer_release(&directory);
    return o->error;
}

static void close_writing(index_writing *w)
{
    atomic_store_explicit(&w->ended, true, memory_order_relaxed);
    stamma_job_ring_close(&w->ring);
    for (size_t n = 0; n < w->before_count; n++)
        stamma_index_file_close(&w->before[n]);
    memory_release(&w->allocator, w->before);
    memory_release(&w->allocator, w->head_checks);
    stamma_index_build_release(&w->build);
    stamma_buffer_release(&w->out.checks);
    stamma_buffer_release(&w->out.segments);
}

static void init_writing(index_writing *w, stamma_archive *archive, const stamma_index_write_options *options,
                         const stamma_output *output)
{
    memset(w, 0, sizeof *w);
    atomic_init(&w->ended, false);
    w->archive = archive;
    w->options = *options;
    w->allocator = archive->allocator;
    w->executor = *options->executor;
    w->stop = (stop_check){is_stopped, w};
    w->out.output = *output;
    w->out.checks.allocator = w->out.segments.allocator = &w->allocator;
    w->options.segment_games = segment_games(&w->options);
    stamma_index_build_init(&w->build, &w->allocator, &w->executor);
}

stamma_error stamma_index_write(stamma_archive *archive, const stamma_index_write_options *given,
                                const stamma_output *output)
{
    stamma_index_write_options options = {0};
    const stamma_allocator *none = NULL;
    if (!archive || !output_is_given(output))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_archive_options_read(given, &options, sizeof options, &none, &options.executor);
    if (error == STAMMA_OK && !before_is_given(&options))
        error = STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    handle_defaults(archive, &options.executor, &options.memory);
    index_writing *w = (index_writing *)memory_allocate(&archive->allocator, sizeof *w);
    if (!w)
        return STAMMA_ERROR_NO_MEMORY;
    init_writing(w, archive, &options, output);
    error = open_writing(w);
    if (error == STAMMA_OK) {
        begin_file(&w->out);
        error = write_blocks(w);
    }
    if (error == STAMMA_OK)
        error = end_file(w);
    close_writing(w);
    memory_release(&archive->allocator, w);
    return error;
}
