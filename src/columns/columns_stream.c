/* SPDX-License-Identifier: MIT */
/* Streams of batches: assigns blocks to jobs, and returns their batches. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "columns/columns.h"

#include "search/block_search.h"

enum { ROWS_DEFAULT = 65536, ROWS_MAX = 1 << 20, SHUFFLE_MAX = 1 << 24, QUEUE_BYTES = 32 << 20 };

/* A job and the block that it reads. */
typedef struct stream_slot {
    columns_job job;
    bool used;         /* it has a block */
    bool started;      /* it was passed to the executor and not waited for */
    uint64_t sequence; /* of the block */
} stream_slot;

typedef struct columns_stream {
    stamma_allocator allocator;
    stamma_executor executor;
    columns_plan plan;
    stamma_archive *archive;
    const block_list *list;
    size_t next; /* next block to begin */
    size_t end;  /* block after the last to begin */
    uint64_t begun;
    search_limits limits;
    stamma_search *search; /* with a query */
    stamma_match match;    /* its next match */
    bool has_match;
    bool searched; /* there is no further match */
    stream_slot **slots;
    size_t slot_count;
    size_t under_way;
    bool alone;        /* a block that needs much memory is waiting or in progress */
    bool begun_all;    /* no block is left to begin */
    stamma_error last; /* reported after all blocks */
    uint64_t last_at;
    uint64_t last_game;
    stamma_error error; /* the error that ended the stream */
    stamma_place place;
    char id[17];
    char message[200];
} columns_stream;

/* ---- opening ---- */

static stamma_error read_options(const stamma_columns_options *given, stamma_columns_options *options)
{
    const stamma_allocator *none = NULL;
    stamma_error error = stamma_archive_options_read(given, options, sizeof *options, &none, &options->executor);
    if (error != STAMMA_OK)
        return error;
    if ((unsigned)options->table >= STAMMA_TABLES || options->batch_rows > ROWS_MAX || options->shuffle > SHUFFLE_MAX ||
        (options->column_count > 0 && !options->columns) || options->column_count > COLUMNS_MAX)
        return STAMMA_ERROR_BAD_ARGUMENT;
    for (size_t n = 0; n < options->column_count; n++)
        if (!text_is_given(options->columns[n]))
            return STAMMA_ERROR_BAD_ARGUMENT;
    if (options->batch_rows == 0)
        options->batch_rows = ROWS_DEFAULT;
    return STAMMA_OK;
}

static stamma_search_options search_options(const stamma_columns_options *o)
{
    return (stamma_search_options){.size = sizeof(stamma_search_options),
                                   .executor = o->executor,
                                   .memory = o->memory,
                                   .context = o->context,
                                   .stop = o->stop,
                                   .first_game = o->first_game,
                                   .last_game = o->last_game};
}

static void close_stream(columns_stream *s)
{
    const stamma_allocator allocator = s->allocator;
    atomic_store_explicit(&s->limits.ended, true, memory_order_relaxed);
    for (size_t n = 0; n < s->slot_count; n++) {
        stream_slot *slot = s->slots[n];
        if (slot->started)
            s->executor.wait(s->executor.context, &slot->job);
        stamma_columns_job_release(&slot->job);
        memory_release(&allocator, slot);
    }
    memory_release(&allocator, s->slots);
    stamma_search_close(s->search);
    stamma_columns_plan_release(&s->plan);
    memory_release(&allocator, s);
}

static stamma_error open_slots(columns_stream *s, size_t count)
{
    s->slots = (stream_slot **)memory_allocate(&s->allocator, size_multiply(count, sizeof *s->slots));
    for (; s->slots && s->slot_count < count; s->slot_count++) {
        stream_slot *slot = (stream_slot *)memory_allocate(&s->allocator, sizeof *slot);
        if (!slot)
            return STAMMA_ERROR_NO_MEMORY;
        slot->used = slot->started = false;
        if (!stamma_columns_job_init(&slot->job, &s->plan)) {
            stamma_columns_job_release(&slot->job);
            memory_release(&s->allocator, slot);
            return STAMMA_ERROR_NO_MEMORY;
        }
        slot->job.limits = &s->limits;
        slot->job.queue_max = count > 1 ? QUEUE_BYTES : 0;
        slot->job.block.plan.memory = block_memory_limit(s->plan.options.memory);
        s->slots[s->slot_count] = slot;
    }
    return s->slots ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Makes the identifier of the archive's contents: a hash of its number of games, of the size of its text, and of the
 * first and the last block, whose heads have checksums of their contents. */
static stamma_error identify(columns_stream *s)
{
    buffer bytes = {.allocator = &s->allocator}, head = {.allocator = &s->allocator};
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < 2 && s->list->count > 0; n++) {
        const placed_block *place = &s->list->places[n == 0 ? 0 : s->list->count - 1];
        found_block at;
        uint8_t numbers[16];
        store_u64(numbers, place->spans[SPAN_GAMES].end);
        store_u64(numbers + 8, place->spans[SPAN_BYTES].end);
        buffer_add(&bytes, numbers, sizeof numbers);
        error = stamma_block_find_head(place, &s->archive->bytes, &head, &at);
        if (error == STAMMA_OK)
            buffer_add(&bytes, at.payload, at.head_size);
        if (error == STAMMA_ERROR_IO || error == STAMMA_ERROR_NO_MEMORY)
            break;
        error = bytes.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
    }
    const uint64_t id = XXH64(bytes.size > 0 ? bytes.data : (const uint8_t *)"", bytes.size, 0);
    (void)snprintf(s->id, sizeof s->id, "%016" PRIx64, id);
    stamma_buffer_release(&bytes);
    stamma_buffer_release(&head);
    return error;
}

/* Finds the blocks that contain the games of the range. */
static void find_range(columns_stream *s)
{
    const stamma_columns_options *o = &s->plan.options;
    s->end = s->list->count;
    if (o->first_game > 1)
        s->next = stamma_block_list_find(s->list, o->first_game);
    if (o->last_game > 0 && stamma_block_list_find(s->list, o->last_game) < s->end)
        s->end = stamma_block_list_find(s->list, o->last_game) + 1;
    if (o->last_game > 0 && o->last_game < o->first_game)
        s->end = s->next;
}

static stamma_error open_parts(columns_stream *s, stamma_columns_problem *fault)
{
    const stamma_columns_options *o = &s->plan.options;
    /* A part of an archive does not need all frames. */
    const bool part = o->first_game > 1 || o->last_game > 0;
    stamma_error error = stamma_handle_list(s->archive, !part, &s->list);
    if (error == STAMMA_OK)
        error = identify(s);
    if (error == STAMMA_OK)
        error = stamma_columns_plan_make(&s->plan, s->list, &s->archive->bytes, fault);
    if (error != STAMMA_OK)
        return error;
    if (s->plan.predicts && stamma_predictor_id() == 0)
        return STAMMA_ERROR_UNSUPPORTED;
    find_range(s);
    if (o->query) {
        const stamma_search_options options = search_options(o);
        error = stamma_search_open(s->archive, o->query, &options, &s->search);
        if (error != STAMMA_OK)
            return error;
    }
    return open_slots(s, stamma_job_count(&s->executor, o->memory, SEARCH_JOB_MEMORY));
}

/* ---- blocks ---- */

/* Stops beginning blocks. The error is reported after the blocks that are in progress. */
static void end_blocks(columns_stream *s, stamma_error error, uint64_t offset)
{
    s->begun_all = true;
    s->last = error;
    s->last_at = offset;
}

/* Reads the next match into s->match. */
static stamma_error peek_match(columns_stream *s)
{
    const stamma_match *match = NULL;
    if (s->has_match || s->searched)
        return STAMMA_OK;
    stamma_error error = stamma_search_next(s->search, &match);
    s->has_match = match != NULL;
    s->searched = !match;
    if (match)
        s->match = *match;
    else if (error != STAMMA_OK) {
        const stamma_place place = stamma_search_place(s->search);
        s->last_game = place.game;
        end_blocks(s, error, place.offset);
    }
    return error;
}

/* Lists the matches in a block, and skips to the block of the next match. Sets *place to this block, or to NULL after
 * the last match. */
static stamma_error list_matches(columns_stream *s, const placed_block **place, columns_job *j)
{
    stamma_error error = peek_match(s);
    *place = NULL;
    j->listed.size = 0;
    if (!s->has_match)
        return error;
    s->next = stamma_block_list_find(s->list, s->match.game);
    if (s->next == s->list->count)
        return STAMMA_ERROR_CORRUPT;
    *place = &s->list->places[s->next];
    const span *games = &(*place)->spans[SPAN_GAMES];
    while (s->has_match && s->match.game <= games->end) {
        const uint32_t game = (uint32_t)(s->match.game - games->begin);
        buffer_add(&j->listed, &game, sizeof game);
        s->has_match = false;
        (void)peek_match(s); /* its error is reported after this block */
    }
    return j->listed.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static void set_games(const columns_stream *s, const placed_block *place, columns_job *j)
{
    const stamma_columns_options *o = &s->plan.options;
    const uint64_t begin = place->spans[SPAN_GAMES].begin;
    j->is_listed = s->search != NULL;
    j->first = o->first_game > begin ? o->first_game - begin : 1;
    j->last = o->last_game == 0 ? UINT64_MAX : o->last_game > begin ? o->last_game - begin : 0;
    j->number = (uint64_t)(place - s->list->places);
}

static uint64_t memory_of(const found_block *at)
{
    const uint8_t *body = at->payload + at->head_size;
    return stamma_block_memory((cursor){at->payload, body, false}, (cursor){body, at->payload + at->size, false});
}

/* Starts a job, or runs it if there is only one. */
static void start(columns_stream *s, stream_slot *slot)
{
    atomic_store_explicit(&slot->job.idle, false, memory_order_relaxed);
    slot->started = s->slot_count > 1;
    if (slot->started)
        s->executor.start(s->executor.context, stamma_columns_job_run, &slot->job);
    else
        stamma_columns_job_run(&slot->job);
}

/* Finds the next block for a job. *place is NULL if there is none. */
static stamma_error find_next(columns_stream *s, columns_job *j, const placed_block **place)
{
    const block_list *list = s->list;
    *place = NULL;
    if (s->search && j->listed.size == 0)
        return list_matches(s, place, j);
    if (s->next < s->end)
        *place = &list->places[s->next];
    return STAMMA_OK;
}

/* Returns the error of the end of the archive, if its end was reached. */
static stamma_error end_error(const columns_stream *s)
{
    const bool all = !s->archive->skip_damage && !s->search && s->end == s->list->count;
    return all ? s->list->end : STAMMA_OK;
}

/* Returns whether the stream has one game. */
static bool is_look_up(const columns_stream *s)
{
    const stamma_columns_options *o = &s->plan.options;
    return o->first_game > 0 && o->first_game == o->last_game && !s->search && o->table == STAMMA_TABLE_GAMES &&
           !s->plan.predicts;
}

/* Starts the job of a slot with the next block. */
static void begin_job(columns_stream *s, stream_slot *slot)
{
    s->next++;
    slot->used = true;
    slot->sequence = s->begun++;
    s->under_way++;
    start(s, slot);
}

/* Begins the next block in an unused slot, if the memory limit allows it. */
static void begin_block(columns_stream *s, stream_slot *slot)
{
    columns_job *j = &slot->job;
    const bool sound_only = s->archive->skip_damage;
    const placed_block *place = NULL;
    stamma_error error = find_next(s, j, &place);
    if (!place) {
        if (!s->begun_all)
            end_blocks(s, error != STAMMA_OK ? error : end_error(s), s->list->end_at);
        return;
    }
    if (error == STAMMA_OK && !sound_only && s->list->broken != STAMMA_OK && s->list->broken_at <= place->offset) {
        end_blocks(s, s->list->broken, s->list->broken_at);
        return;
    }
    if (error == STAMMA_OK && is_look_up(s))
        error = stamma_columns_job_look_up(j, s->archive, s->plan.options.first_game);
    if (error == STAMMA_OK && j->reader) {
        begin_job(s, slot);
        return;
    }
    if (error == STAMMA_OK)
        error = stamma_block_find(place, &s->archive->bytes, &j->payload, &j->at);
    const uint64_t need = error == STAMMA_OK ? memory_of(&j->at) + j->payload.size : 0;
    if (need > j->block.plan.memory)
        error = STAMMA_ERROR_LIMIT;
    if (error != STAMMA_OK && !(error == STAMMA_ERROR_CORRUPT && sound_only)) {
        end_blocks(s, error, place->offset);
        return;
    }
    s->alone = need > SEARCH_JOB_MEMORY;
    if (s->alone && s->under_way > 0)
        return;
    if (error != STAMMA_OK) {
        s->next++;
        j->listed.size = 0;
        return;
    }
    set_games(s, place, j);
    stamma_columns_job_begin(j);
    begin_job(s, slot);
}

/* Returns an unused slot. A slot that waits with its matches is returned first. */
static stream_slot *unused_slot(columns_stream *s)
{
    stream_slot *found = NULL;
    for (size_t n = 0; n < s->slot_count; n++)
        if (!s->slots[n]->used && (!found || s->slots[n]->job.listed.size > 0))
            found = s->slots[n];
    return found;
}

static void begin_blocks(columns_stream *s)
{
    while (!s->begun_all && s->under_way < s->slot_count && !(s->alone && s->under_way > 0))
        begin_block(s, unused_slot(s));
}

/* Returns the slot of the next batch: the slot of the first block in progress, or, if the order does not matter, any
 * slot that is ready. */
static stream_slot *next_slot(const columns_stream *s)
{
    stream_slot *first = NULL;
    for (size_t n = 0; n < s->slot_count; n++) {
        stream_slot *slot = s->slots[n];
        if (!slot->used)
            continue;
        if (s->plan.options.unordered && atomic_load_explicit(&slot->job.idle, memory_order_acquire))
            return slot;
        if (!first || slot->sequence < first->sequence)
            first = slot;
    }
    return first;
}

/* ---- batches ---- */

static stamma_error fail(columns_stream *s, stamma_error error, uint64_t offset, uint64_t game)
{
    s->error = error;
    s->place = (stamma_place){.offset = offset, .game = game};
    atomic_store_explicit(&s->limits.ended, true, memory_order_relaxed);
    return error;
}

/* Finishes a block after all of its batches were returned. */
static stamma_error end_block(columns_stream *s, stream_slot *slot)
{
    const columns_job *j = &slot->job;
    const stamma_columns_options *o = &s->plan.options;
    const uint64_t done = j->at.offset + FRAME_HEADER_SIZE + j->at.size;
    stamma_error error = j->error == STAMMA_ERROR_CORRUPT && s->archive->skip_damage ? STAMMA_OK : j->error;
    slot->used = false;
    slot->job.listed.size = 0;
    s->under_way--;
    if (error != STAMMA_OK)
        return fail(s, error, j->at.offset, j->error_game > 0 ? j->at.first_game + j->error_game : 0);
    if (o->progress && !o->progress(o->context, done, s->archive->bytes.size))
        return fail(s, STAMMA_ERROR_CANCELLED, done, 0);
    return STAMMA_OK;
}

/* Waits for a job, and removes its next batch. Resumes the job if it has no other batch. */
static bool take_batch(columns_stream *s, stream_slot *slot, struct ArrowArray *out)
{
    columns_job *j = &slot->job;
    if (slot->started)
        s->executor.wait(s->executor.context, j);
    slot->started = false;
    if (job_batches(j) == 0)
        return false;
    *out = ((struct ArrowArray *)(void *)j->queue.data)[j->queue_at++];
    if (job_batches(j) > 0)
        return true;
    j->queue.size = j->queue_at = j->queued = 0;
    if (!j->ended && s->slot_count > 1)
        start(s, slot);
    return true;
}

/* Returns the next batch, or a released array at the end. */
static stamma_error next_batch(columns_stream *s, struct ArrowArray *out)
{
    out->release = NULL;
    while (s->error == STAMMA_OK) {
        begin_blocks(s);
        stream_slot *slot = next_slot(s);
        if (!slot)
            return s->last == STAMMA_OK ? STAMMA_OK : fail(s, s->last, s->last_at, s->last_game);
        if (take_batch(s, slot, out))
            return STAMMA_OK;
        if (slot->job.ended)
            (void)end_block(s, slot);
        else
            start(s, slot);
    }
    return s->error;
}

/* ---- the interface of streams ---- */

static int errno_of(stamma_error error)
{
    switch (error) {
    case STAMMA_OK: return 0;
    case STAMMA_ERROR_NO_MEMORY:
    case STAMMA_ERROR_LIMIT: return ENOMEM;
    case STAMMA_ERROR_CANCELLED: return ECANCELED;
    default: return EIO; /* IO, CORRUPT, UNSUPPORTED */
    }
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    return errno_of(next_batch((columns_stream *)stream->private_data, out));
}

/* Makes the schemas of the columns. On failure, no schema remains. */
static bool make_schemas(const columns_stream *s, struct ArrowSchema *schemas)
{
    const size_t count = plan_column_count(&s->plan);
    size_t made = 0;
    for (; made < count; made++) {
        const planned_column *c = &plan_columns(&s->plan)[made];
        if (!stamma_schema_of_column(c->known->type, plan_is_plain(&s->plan, c->known), buffer_text(&c->name),
                                     column_meaning(c), &s->allocator, &schemas[made]))
            break;
    }
    if (made == count)
        return true;
    while (made-- > 0)
        schemas[made].release(&schemas[made]);
    return false;
}

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    columns_stream *s = (columns_stream *)stream->private_data;
    const size_t count = plan_column_count(&s->plan);
    const schema_pair pairs[] = {{"stamma.archive", stamma_text_of(s->id)},
                                 {"stamma.table", stamma_text_of(stamma_known_tables[s->plan.options.table].name)},
                                 {"stamma.version", stamma_text_of(STAMMA_VERSION)}};
    struct ArrowSchema *schemas =
        (struct ArrowSchema *)memory_allocate(&s->allocator, size_multiply(count + 1, sizeof *schemas));
    out->release = NULL;
    bool fine = schemas && make_schemas(s, schemas) &&
                stamma_schema_of_columns(schemas, count, pairs, sizeof pairs / sizeof *pairs, &s->allocator, out);
    memory_release(&s->allocator, schemas);
    return fine ? 0 : errno_of(fail(s, STAMMA_ERROR_NO_MEMORY, 0, 0));
}

static const char *stream_error(struct ArrowArrayStream *stream)
{
    columns_stream *s = (columns_stream *)stream->private_data;
    if (s->error == STAMMA_OK)
        return NULL;
    const char *text = stamma_error_text(s->error);
    if (s->place.game > 0)
        (void)snprintf(s->message, sizeof s->message, "%s: game %" PRIu64 ", block at byte %" PRIu64, text,
                       s->place.game, s->place.offset);
    else
        (void)snprintf(s->message, sizeof s->message, "%s: at byte %" PRIu64, text, s->place.offset);
    return s->message;
}

static void stream_release(struct ArrowArrayStream *stream)
{
    close_stream((columns_stream *)stream->private_data);
    stream->release = NULL;
}

stamma_error stamma_columns_error(const struct ArrowArrayStream *stream, stamma_place *place)
{
    if (!stream || stream->release != stream_release)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const columns_stream *s = (const columns_stream *)stream->private_data;
    if (place)
        *place = s->place;
    return s->error;
}

/* ---- public functions ---- */

stamma_error stamma_columns_open(stamma_archive *archive, const stamma_columns_options *given,
                                 stamma_columns_problem *fault, struct ArrowArrayStream *stream)
{
    stamma_columns_options options = {.size = 0};
    if (!archive || !stream)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = read_options(given, &options);
    if (error != STAMMA_OK)
        return error;
    handle_defaults(archive, &options.executor, &options.memory);
    columns_stream *s = (columns_stream *)memory_allocate(&archive->allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    memset(s, 0, sizeof *s);
    s->allocator = s->plan.allocator = archive->allocator;
    s->archive = archive;
    s->plan.options = options;
    s->executor = *options.executor;
    const stamma_search_options of_search = search_options(&options);
    stamma_search_limits_init(&s->limits, &of_search);
    error = open_parts(s, fault);
    if (error != STAMMA_OK) {
        close_stream(s);
        return error;
    }
    *stream = (struct ArrowArrayStream){.get_schema = stream_schema,
                                        .get_next = stream_next,
                                        .get_last_error = stream_error,
                                        .release = stream_release,
                                        .private_data = s};
    return STAMMA_OK;
}

/* Returns whether a plan without names has a column. */
static bool is_default(const columns_plan *plan, const known_column *known)
{
    for (size_t n = 0; n < plan_column_count(plan); n++)
        if (plan_columns(plan)[n].known == known)
            return true;
    return false;
}

static void report_columns(const columns_plan *plan, void (*take)(void *context, const stamma_column *column),
                           void *context)
{
    const known_table *t = &stamma_known_tables[plan->options.table];
    for (size_t n = 0; n < *t->count; n++) {
        const known_column *known = &t->columns[n];
        const stamma_column column = {.name = known->name,
                                      .type = plan_is_plain(plan, known) ? "utf8" : known->type->text,
                                      .meaning = known->meaning,
                                      .is_default = is_default(plan, known)};
        take(context, &column);
    }
    for (size_t n = 0; n < plan_column_count(plan); n++) {
        planned_column *c = &plan_columns(plan)[n];
        if (c->known != &stamma_tag_column)
            continue;
        const stamma_column column = {.name = (const char *)c->name.data,
                                      .type = plan_is_plain(plan, c->known) ? "utf8" : c->known->type->text,
                                      .meaning = (const char *)c->meaning.data,
                                      .is_default = true};
        take(context, &column);
    }
}

/* Ends the names and meanings of tags with zero bytes. */
static bool end_texts(const columns_plan *plan)
{
    bool fine = true;
    for (size_t n = 0; n < plan_column_count(plan); n++) {
        planned_column *c = &plan_columns(plan)[n];
        buffer_add_byte(&c->name, 0);
        buffer_add_byte(&c->meaning, 0);
        fine &= !c->name.failed && !c->meaning.failed;
    }
    return fine;
}

stamma_error stamma_columns_list(stamma_archive *archive, const stamma_columns_options *options,
                                 void (*take)(void *context, const stamma_column *column), void *context)
{
    columns_plan plan = {.options = {.size = 0}};
    const block_list *list = NULL;
    if (!take)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = read_options(options, &plan.options);
    if (error != STAMMA_OK)
        return error;
    plan.allocator = archive ? archive->allocator : stamma_allocator_or_default(NULL);
    plan.options.column_count = 0;
    if (archive)
        error = stamma_handle_list(archive, false, &list);
    if (error == STAMMA_OK)
        error = stamma_columns_plan_make(&plan, list, archive ? &archive->bytes : NULL, NULL);
    if (error == STAMMA_OK && !end_texts(&plan))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        report_columns(&plan, take, context);
    stamma_columns_plan_release(&plan);
    return error;
}
