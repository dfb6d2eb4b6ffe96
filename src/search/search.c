/* Searching an archive: its blocks are found, given to jobs, and what these find is given in the order of the games. */
#include "search/block_search.h"

struct stamma_search {
    stamma_allocator allocator;
    stamma_executor executor;
    stamma_search_options options;
    const stamma_query *query;
    const gathering *gathering;
    memory_bytes archive;
    stamma_archive_reader *reader; /* whose list of blocks is gone through */
    search_limits limits;
    job_ring ring;
    search_job *job; /* whose matches are being given; NULL: none */
    size_t given;    /* of these */
    size_t plies_given;
    uint64_t skip; /* matches that are still to be passed over, */
    uint64_t left; /* and then to be given */
    bool begun_all;
    stamma_error last; /* what ends the archive for those who read on: what stands before it comes first */
    uint64_t last_at;
    stamma_error error; /* once it has failed */
    stamma_place place;
    stamma_match match; /* the last one given */
};

/* ---- the archive ---- */

static ptrdiff_t read_bytes(void *context, void *bytes, size_t size)
{
    memory_bytes *m = (memory_bytes *)context;
    size_t left = m->size - m->at;
    if (size > left)
        size = left;
    if (size > 0)
        memcpy(bytes, m->bytes + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static bool seek_bytes(void *context, uint64_t offset)
{
    memory_bytes *m = (memory_bytes *)context;
    m->at = offset < m->size ? (size_t)offset : m->size;
    return true;
}

stamma_input stamma_memory_input(memory_bytes *bytes)
{
    return (stamma_input){bytes, read_bytes, seek_bytes};
}

/* The reader notes the first of it itself. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

/* Lists the blocks. What stands before damage is searched, so that this is no reason yet to fail; then the reader is
 * one that ends there. */
static stamma_error list_blocks(stamma_search *s)
{
    const stamma_input input = stamma_memory_input(&s->archive);
    const stamma_archive_reader_options options = {
        .size = sizeof options, .allocator = &s->allocator, .damage = pass_damage};
    stamma_error error = stamma_archive_reader_open(&input, &options, &s->reader);
    if (error == STAMMA_OK)
        s->reader->damage = NULL;
    return error;
}

/* ---- opening and closing ---- */

static void init_search(stamma_search *s, const stamma_allocator *allocator, const stamma_search_options *options,
                        const stamma_query *query, const gathering *gathering)
{
    memset(s, 0, sizeof *s);
    s->allocator = *allocator;
    s->options = *options;
    if (options->executor)
        s->executor = *options->executor;
    s->query = query;
    s->gathering = gathering;
    s->skip = query && !gathering ? query->skip : 0;
    s->left = query && !gathering ? query->limit : UINT64_MAX;
    atomic_init(&s->limits.stop, false);
    if (options->time_limit_ms > 0)
        s->limits.deadline = stamma_clock_ms() + options->time_limit_ms;
}

stamma_error stamma_search_open_for(const void *archive, size_t size, const stamma_query *query,
                                    const stamma_search_options *given, const gathering *gathering,
                                    stamma_search **search)
{
    stamma_search_options options = {0};
    if (!search || (!archive && size > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error =
        stamma_archive_options_read(given, &options, sizeof options, &options.allocator, &options.executor);
    if (error != STAMMA_OK)
        return error;
    stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_search *s = (stamma_search *)memory_allocate(&allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    init_search(s, &allocator, &options, query, gathering);
    s->archive = (memory_bytes){(const uint8_t *)archive, size, 0};
    error = list_blocks(s);
    if (error == STAMMA_OK) {
        uint64_t memory = options.memory > 0 ? options.memory : UINT64_MAX;
        size_t jobs = stamma_job_count(&s->executor, memory, SEARCH_JOB_MEMORY);
        error = stamma_job_ring_open(&s->ring, &stamma_search_jobs, jobs, &s->allocator, &s->executor);
    }
    if (error != STAMMA_OK) {
        stamma_search_close(s);
        return error;
    }
    *search = s;
    return STAMMA_OK;
}

stamma_error stamma_search_open(const void *archive, size_t size, const stamma_query *query,
                                const stamma_search_options *options, stamma_search **search)
{
    return stamma_search_open_for(archive, size, query, options, NULL, search);
}

const job_ring *stamma_search_ring(const stamma_search *s)
{
    return &s->ring;
}

void stamma_search_close(stamma_search *s)
{
    if (!s)
        return;
    stamma_allocator allocator = s->allocator;
    atomic_store_explicit(&s->limits.stop, true, memory_order_relaxed);
    stamma_job_ring_close(&s->ring);
    stamma_archive_reader_close(s->reader);
    memory_release(&allocator, s);
}

stamma_place stamma_search_place(const stamma_search *s)
{
    return s->place;
}

/* ---- blocks ---- */

/* The job of a block of the list. CORRUPT where no block's frame stands there. */
static stamma_error prepare_job(stamma_search *s, const placed_block *place, search_job *j)
{
    frame f;
    const memory_bytes *m = &s->archive;
    if (place->offset > m->size || m->size - place->offset < FRAME_HEADER_SIZE)
        return STAMMA_ERROR_CORRUPT;
    const uint8_t *payload = m->bytes + place->offset + FRAME_HEADER_SIZE;
    size_t room = m->size - (size_t)place->offset - FRAME_HEADER_SIZE;
    stamma_error error = stamma_frame_read(payload - FRAME_HEADER_SIZE, &f);
    if (error != STAMMA_OK)
        return error;
    if (f.type != FRAME_BLOCK || f.size > room || f.head_size > f.size ||
        stamma_check32(payload, f.head_size) != f.head_check)
        return STAMMA_ERROR_CORRUPT;
    j->query = s->query;
    j->gathering = s->gathering;
    j->limits = &s->limits;
    j->reads_all = s->options.no_search_columns;
    j->payload = payload;
    j->size = (size_t)f.size;
    j->head_size = f.head_size;
    j->offset = place->offset;
    j->first_game = place->spans[SPAN_GAMES].begin;
    j->games = place->spans[SPAN_GAMES].size;
    j->text_size = place->spans[SPAN_BYTES].size;
    return STAMMA_OK;
}

/* Nothing more is begun. */
static void end_blocks(stamma_search *s, stamma_error error, uint64_t offset)
{
    s->begun_all = true;
    s->last = error;
    s->last_at = offset;
}

/* Begins the job of the next block, if there is one. */
static void begin_block(stamma_search *s)
{
    stamma_archive_reader *r = s->reader;
    if (r->next_place == r->place_count) {
        stamma_error error = stamma_reader_end(r);
        end_blocks(s, error, r->error_at);
        return;
    }
    const placed_block *place = &r->places[r->next_place];
    if (r->broken != STAMMA_OK && r->broken_at <= place->offset) {
        end_blocks(s, r->broken, r->broken_at);
        return;
    }
    stamma_error error = prepare_job(s, place, (search_job *)stamma_job_ring_next(&s->ring));
    if (error != STAMMA_OK) {
        end_blocks(s, error, place->offset);
        return;
    }
    r->next_place++;
    stamma_job_ring_begin(&s->ring);
}

static stamma_error fail(stamma_search *s, stamma_error error, uint64_t offset, uint64_t game)
{
    s->error = error;
    s->place = (stamma_place){.offset = offset, .game = game};
    atomic_store_explicit(&s->limits.stop, true, memory_order_relaxed);
    return error;
}

/* Takes the matches of the next block; none where all blocks are through. */
static stamma_error next_block(stamma_search *s)
{
    while (!s->begun_all && s->ring.under_way < s->ring.count)
        begin_block(s);
    s->given = s->plies_given = 0;
    if (s->ring.under_way > 0)
        s->job = (search_job *)stamma_job_ring_finish(&s->ring);
    else if (s->last != STAMMA_OK)
        return fail(s, s->last, s->last_at, 0);
    return STAMMA_OK;
}

/* All matches of the block were given. */
static stamma_error end_block(stamma_search *s)
{
    const search_job *j = s->job;
    s->job = NULL;
    if (j->error != STAMMA_OK)
        return fail(s, j->error, j->offset, j->error_game > 0 ? j->first_game + j->error_game : 0);
    uint64_t done = j->offset + FRAME_HEADER_SIZE + j->size;
    if (s->options.progress && !s->options.progress(s->options.context, done, s->archive.size))
        return fail(s, STAMMA_ERROR_CANCELLED, done, 0);
    return STAMMA_OK;
}

/* ---- matches ---- */

/* The next match of the block. */
static void take_match(stamma_search *s)
{
    const search_job *j = s->job;
    const block_match *m = (const block_match *)(const void *)j->matches.data + s->given++;
    const uint32_t *plies = (const uint32_t *)(const void *)j->plies.data;
    s->match = (stamma_match){j->first_game + m->game, m->ply_count, m->ply_count > 0 ? plies + s->plies_given : NULL};
    s->plies_given += m->ply_count;
}

/* Goes to a block that has a match left; there is no job behind the last one. */
static stamma_error reach_match(stamma_search *s)
{
    stamma_error error = STAMMA_OK;
    do {
        if (s->job && s->given < search_job_matches(s->job))
            return STAMMA_OK;
        if (s->job)
            error = end_block(s);
        if (error == STAMMA_OK)
            error = next_block(s);
    } while (error == STAMMA_OK && s->job);
    return error;
}

stamma_error stamma_search_next(stamma_search *s, const stamma_match **match)
{
    if (!s || !match)
        return STAMMA_ERROR_BAD_ARGUMENT;
    *match = NULL;
    for (; s->error == STAMMA_OK && s->left > 0; s->skip--) {
        stamma_error error = reach_match(s);
        if (error != STAMMA_OK || !s->job)
            return error;
        take_match(s);
        if (s->skip == 0) {
            s->left--;
            *match = &s->match;
            return STAMMA_OK;
        }
    }
    return s->error;
}
