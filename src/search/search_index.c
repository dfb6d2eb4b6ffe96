/* SPDX-License-Identifier: MIT */
/* An index of an archive for many searches: it keeps facts that each search would otherwise read from every block. An
 * open index does not change, and contains no pointers into the archive. */
#include "search/search_index.h"

/* ---- blocks, which several indexes may share ---- */

kept_block *stamma_kept_block_new(const stamma_allocator *allocator)
{
    kept_block *k = (kept_block *)memory_allocate(allocator, sizeof *k);
    if (!k)
        return NULL;
    memset(k, 0, sizeof *k);
    k->allocator = *allocator;
    atomic_init(&k->users, 1);
    stamma_block_index_init(&k->index, &k->allocator);
    stamma_block_tags_init(&k->tags, &k->allocator);
    return k;
}

void stamma_kept_block_release(kept_block *k)
{
    if (!k || atomic_fetch_sub_explicit(&k->users, 1, memory_order_acq_rel) > 1)
        return;
    stamma_allocator allocator = k->allocator;
    stamma_block_index_release(&k->index);
    stamma_block_tags_release(&k->tags);
    memory_release(&allocator, k);
}

/* ---- jobs: one block each ---- */

typedef struct index_job {
    size_t block;
    found_block at;
    buffer payload; /* the block's frame, if the archive is not in memory */
    uint64_t check;
    kept_block *kept; /* the result; NULL: the block cannot be indexed, and searches open it themselves */
    stamma_error error;
    const stamma_allocator *allocator;
} index_job;

static void init_job(void *job, const stamma_allocator *allocator)
{
    *(index_job *)job = (index_job){.allocator = allocator, .payload.allocator = allocator};
}

static void release_job(void *job)
{
    index_job *j = (index_job *)job;
    stamma_kept_block_release(j->kept);
    stamma_buffer_release(&j->payload);
}

/* Opens the tags. If the column of facts is missing, the tags with the same information are kept, too. */
static stamma_error open_tags(kept_block *k, const found_block *at)
{
    static const char *const tags[] = {"White", "Black",   "Event",  "TimeControl", "Termination", "ECO",
                                       "Date",  "UTCDate", "Result", "WhiteElo",    "BlackElo"};
    enum { FACTS = 3 };
    stamma_text names[sizeof tags / sizeof *tags];
    size_t count = sizeof tags / sizeof *tags - (k->index.columns.facts == SEARCH_READ ? FACTS : 0);
    for (size_t n = 0; n < count; n++)
        names[n] = (stamma_text){tags[n], strlen(tags[n])};
    k->tags.keeps_openings = true;
    stamma_error error = stamma_block_tags_open(&k->tags, &k->index, at, names, count);
    return error == STAMMA_OK ? stamma_block_tags_fold(&k->tags) : error;
}

static void run_job(void *job)
{
    index_job *j = (index_job *)job;
    const found_block *b = &j->at;
    j->kept = stamma_kept_block_new(j->allocator);
    j->error = STAMMA_ERROR_NO_MEMORY;
    if (!j->kept)
        return;
    block_index *x = &j->kept->index;
    j->error = stamma_block_index_open(x, b);
    if (j->error == STAMMA_OK && x->has_beginnings)
        j->error = stamma_prefix_column_find_starts(&x->beginnings, b->payload + x->moves_at);
    if (j->error == STAMMA_OK)
        j->error = stamma_block_index_make_keys(x, b);
    if (j->error == STAMMA_OK)
        j->error = open_tags(j->kept, b);
    stamma_block_index_trim(x);
    stamma_block_tags_trim(&j->kept->tags);
    j->kept->check = j->check;
    j->kept->memory = stamma_block_index_memory(x) + stamma_block_tags_memory(&j->kept->tags);
    if (j->error == STAMMA_OK)
        return;
    stamma_kept_block_release(j->kept);
    j->kept = NULL;
}

static const job_kind index_jobs = {sizeof(index_job), init_job, run_job, release_job};

/* ---- opening ---- */

typedef struct index_opening {
    stamma_search_index *index;
    stamma_archive *archive;
    stamma_index_keep_options options;
    job_ring ring;
    size_t next; /* next block to examine */
} index_opening;

static void add_block(index_opening *o, size_t n, kept_block *k)
{
    stamma_search_index *x = o->index;
    x->partial |= k && k->memory > o->options.memory - x->memory;
    if (!k || x->partial) {
        stamma_kept_block_release(k);
        return;
    }
    x->blocks[n] = k;
    x->memory += k->memory;
    x->kept++;
}

/* Returns the kept block of the earlier index (options->before) if its check is the same, otherwise NULL. */
static kept_block *share_block(const index_opening *o, size_t n, uint64_t check)
{
    const stamma_search_index *before = o->options.before ? handle_index(o->options.before) : NULL;
    if (!before || n >= before->list.count || !before->blocks[n] || before->blocks[n]->check != check)
        return NULL;
    atomic_fetch_add_explicit(&before->blocks[n]->users, 1, memory_order_relaxed);
    return before->blocks[n];
}

/* Begins the job of a block unless its index is shared. Skips blocks that cannot be found; searches report them. */
static void begin_block(index_opening *o, size_t n)
{
    const block_list *list = &o->index->list;
    index_job *j = (index_job *)stamma_job_ring_next(&o->ring);
    bool broken = list->broken != STAMMA_OK && list->broken_at <= list->places[n].offset;
    if (broken || stamma_block_find(&list->places[n], &o->archive->bytes, &j->payload, &j->at) != STAMMA_OK)
        return;
    j->block = n;
    j->check = XXH64(j->at.payload, j->at.head_size, 0);
    kept_block *shared = share_block(o, n, j->check);
    if (shared)
        add_block(o, n, shared);
    else
        stamma_job_ring_begin(&o->ring);
}

/* Adds the result of the oldest job to the index. */
static stamma_error finish_block(index_opening *o)
{
    index_job *j = (index_job *)stamma_job_ring_finish(&o->ring);
    uint64_t done = j->at.offset + FRAME_HEADER_SIZE + j->at.size;
    if (j->error == STAMMA_ERROR_NO_MEMORY)
        return j->error;
    add_block(o, j->block, j->kept);
    j->kept = NULL;
    bool goes_on = !o->options.progress || o->options.progress(o->options.context, done, o->archive->bytes.size);
    return goes_on ? STAMMA_OK : STAMMA_ERROR_CANCELLED;
}

static stamma_error open_blocks(index_opening *o)
{
    stamma_search_index *x = o->index;
    size_t jobs = stamma_job_count(&o->archive->executor, UINT64_MAX, 1);
    stamma_error error = stamma_job_ring_open(&o->ring, &index_jobs, jobs, &x->allocator, &o->archive->executor);
    while (error == STAMMA_OK) {
        while (o->next < x->list.count && o->ring.under_way < o->ring.count && !x->partial)
            begin_block(o, o->next++);
        if (o->ring.under_way == 0)
            break;
        error = finish_block(o);
    }
    stamma_job_ring_close(&o->ring);
    return error;
}

static stamma_error open_index(index_opening *o)
{
    stamma_search_index *x = o->index;
    stamma_error error = stamma_block_list_read(&x->list, &o->archive->bytes, &x->allocator);
    if (error != STAMMA_OK)
        return error;
    size_t room = size_multiply(x->list.count + 1, sizeof *x->blocks);
    x->blocks = (kept_block **)memory_allocate(&x->allocator, room);
    if (!x->blocks)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < x->list.count; n++)
        x->blocks[n] = NULL;
    return open_blocks(o);
}

static stamma_search_index *new_index(const stamma_allocator *allocator)
{
    stamma_search_index *x = (stamma_search_index *)memory_allocate(allocator, sizeof *x);
    if (!x)
        return NULL;
    memset(x, 0, sizeof *x);
    x->allocator = *allocator;
    return x;
}

stamma_error stamma_search_index_make(stamma_archive *archive, const stamma_index_keep_options *options,
                                      stamma_search_index **index)
{
    index_opening o = {.archive = archive, .options = *options};
    o.index = new_index(&archive->allocator);
    stamma_error error = o.index ? open_index(&o) : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        *index = o.index;
    else
        stamma_search_index_close(o.index);
    return error;
}

void stamma_search_index_close(stamma_search_index *x)
{
    if (!x)
        return;
    stamma_allocator allocator = x->allocator;
    for (size_t n = 0; n < x->list.count && x->blocks; n++)
        stamma_kept_block_release(x->blocks[n]);
    memory_release(&allocator, x->blocks);
    stamma_block_list_release(&x->list, &allocator);
    if (x->file)
        stamma_index_file_close(x->file);
    memory_release(&allocator, x->file);
    memory_release(&allocator, x);
}

/* ---- index files ---- */

/* Lists the blocks of the index file. None of them is kept. */
static bool list_blocks(stamma_search_index *x)
{
    size_t count = x->file->block_count;
    x->list.places = (placed_block *)memory_allocate(&x->allocator, (count + 1) * sizeof *x->list.places);
    x->blocks = (kept_block **)memory_allocate(&x->allocator, (count + 1) * sizeof *x->blocks);
    for (size_t n = 0; n < count && x->list.places && x->blocks; n++) {
        x->list.places[n] = x->file->blocks[n].place;
        x->blocks[n] = NULL;
    }
    x->list.count = x->list.places && x->blocks ? count : 0;
    x->memory = sizeof *x + count * (sizeof *x->list.places + sizeof *x->blocks);
    return x->list.places && x->blocks;
}

static stamma_error open_file(stamma_search_index *x, const stamma_bytes *archive, const stamma_bytes *file)
{
    x->file = (index_file *)memory_allocate(&x->allocator, sizeof *x->file);
    if (!x->file)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = stamma_index_file_open(x->file, file, &x->allocator);
    if (error == STAMMA_OK && !stamma_index_file_is_of(x->file, archive))
        error = STAMMA_ERROR_MISMATCH;
    return error == STAMMA_OK && !list_blocks(x) ? STAMMA_ERROR_NO_MEMORY : error;
}

stamma_error stamma_search_index_open(const stamma_bytes *archive, const stamma_bytes *file,
                                      const stamma_allocator *allocator, stamma_search_index **index)
{
    stamma_search_index *x = new_index(allocator);
    stamma_error error = x ? open_file(x, archive, file) : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        *index = x;
    else
        stamma_search_index_close(x);
    return error;
}
