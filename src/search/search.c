/* SPDX-License-Identifier: MIT */
/* Searches an archive: assigns its blocks to jobs and returns their matches in the order of the games. */
#include "search/block_search.h"

struct stamma_search {
    stamma_allocator allocator;
    stamma_executor executor;
    stamma_search_options options;
    const stamma_query *query;
    const gathering *gathering;
    void *gathered; /* merged after each block if `so_far` or `skip_damage` is set; NULL: nothing yet */
    stamma_archive *archive;
    const stamma_search_index *index; /* NULL: none */
    const block_list *list;           /* of the index or of the archive */
    size_t next;                      /* next block to begin */
    size_t end;                       /* block after the last to begin */
    uint64_t first_game;              /* only matches from this game on ... */
    uint64_t last_game;               /* ... to this one are counted and returned */
    search_plan plan;
    size_t planned; /* games of the plan in blocks that were begun or skipped */
    /* a block that needs much memory is waiting or in progress, and must not run together with another block */
    bool alone;
    search_limits limits;
    job_ring ring;
    search_job *job; /* the job whose matches are being returned; NULL: none */
    size_t given;    /* number of its matches that were already returned */
    size_t plies_given;
    uint64_t skip; /* number of matches still to be skipped */
    uint64_t left; /* maximum number of matches still to be returned */
    bool begun_all;
    stamma_error last; /* error that ends the list of blocks, reported after all matches before it */
    uint64_t last_at;
    stamma_error error; /* set when the search has failed */
    stamma_place place;
    stamma_match match; /* the last match returned */
};

/* ---- the search ---- */

static bool is_restricted(const stamma_search_options *o)
{
    return o->first_game > 1 || o->last_game > 0;
}

static void init_search(stamma_search *s, stamma_archive *archive, const stamma_search_options *options,
                        const stamma_query *query, const gathering *gathering)
{
    memset(s, 0, sizeof *s);
    s->allocator = archive->allocator;
    s->archive = archive;
    s->index = handle_index(archive);
    s->options = *options;
    s->executor = *options->executor;
    s->query = query;
    s->gathering = gathering;
    stamma_search_plan_init(&s->plan, &s->allocator);
    s->skip = query && !gathering ? query->offset : 0;
    s->left = query && !gathering ? query->limit : UINT64_MAX;
    s->plan.any = options->any && !gathering && s->skip == 0;
    s->plan.first = options->first_game;
    s->plan.last = options->last_game > 0 ? options->last_game : UINT64_MAX;
    if (options->any && !gathering && s->left > 1)
        s->left = 1;
    stamma_search_limits_init(&s->limits, options);
}

const job_ring *stamma_search_ring(const stamma_search *s)
{
    return &s->ring;
}

void *stamma_search_gathered(const stamma_search *s)
{
    return s->gathered;
}

void stamma_search_close(stamma_search *s)
{
    if (!s)
        return;
    stamma_allocator allocator = s->allocator;
    atomic_store_explicit(&s->limits.ended, true, memory_order_relaxed);
    stamma_job_ring_close(&s->ring);
    if (s->gathered)
        s->gathering->close(s->gathered);
    stamma_search_plan_release(&s->plan);
    memory_release(&allocator, s);
}

stamma_place stamma_search_place(const stamma_search *s)
{
    return s->place;
}

/* ---- blocks ---- */

/* Passes the games of the plan in this block to the job. */
static void take_planned(stamma_search *s, const span *games, search_job *j)
{
    const planned_game *all = (const planned_game *)(const void *)s->plan.games.data;
    size_t count = s->plan.games.size / sizeof *all, end = s->planned;
    j->settled = !s->gathering;
    for (; end < count && planned_number(all[end]) <= games->end; end++)
        j->settled &= planned_verdict(all[end]) == VERDICT_YES;
    j->planned = all + s->planned;
    j->planned_count = end - s->planned;
    if (s->plan.tests && s->plan.tests->verifies) {
        j->tests = s->plan.tests;
        j->filter = stamma_plan_tests_filter(j->tests, s->next);
    }
}

/* Prepares a job for a block of the list. Returns CORRUPT if there is no valid block at its place. */
static stamma_error prepare_job(stamma_search *s, const placed_block *place, search_job *j)
{
    j->planned = NULL;
    j->planned_count = 0;
    j->tests = NULL;
    j->settled = false;
    if (s->plan.usable)
        take_planned(s, &place->spans[SPAN_GAMES], j);
    j->query = s->query;
    j->gathering = s->gathering;
    j->limits = &s->limits;
    j->reads_all = s->archive->no_search_columns;
    j->flags = s->archive->flags;
    j->kept = s->index ? s->index->blocks[s->next] : NULL;
    j->at = (found_block){.offset = place->offset, .first_game = place->spans[SPAN_GAMES].begin};
    if (j->settled)
        return STAMMA_OK;
    return stamma_block_find(place, &s->archive->bytes, &j->payload, &j->at);
}

/* Stops beginning blocks. The error is reported after the blocks that are in progress. */
static void end_blocks(stamma_search *s, stamma_error error, uint64_t offset)
{
    s->begun_all = true;
    s->last = error;
    s->last_at = offset;
}

/* Adds games from the index file to the result, if the gathering can. */
static stamma_error gather_file(stamma_search *s)
{
    const gathering *g = s->gathering;
    const file_search from = {s->index, &s->archive->bytes, g->archive, s->query, &s->limits, &s->executor};
    void *part = NULL;
    stamma_error error = g->open(g->whole, &s->allocator, &part);
    if (error == STAMMA_OK)
        error = g->add_file(part, &from, &s->plan);
    if (error == STAMMA_OK && s->plan.usable)
        s->gathered = part;
    else if (part)
        g->close(part);
    return error;
}

/* Lists the games with the index file. A damaged file is not used. A reached limit is reported when the first match is
 * requested. */
static stamma_error make_plan(stamma_search *s)
{
    stamma_error error = STAMMA_OK;
    if (s->index->file->games >> (64 - PLANNED_GAME_SHIFT) != 0)
        return STAMMA_OK;
    if (s->gathering && s->gathering->add_file && !is_restricted(&s->options))
        error = gather_file(s);
    const bool restricted = is_restricted(&s->options);
    const plan_purpose purpose = {.query = s->query,
                                  .limits = &s->limits,
                                  .executor = &s->executor,
                                  .memory = s->options.memory,
                                  .options = s->gathering || restricted ? NULL : &s->options,
                                  .restricted = restricted};
    s->plan.games.size = s->plan.usable ? s->plan.games.size : 0;
    if (error == STAMMA_OK && !s->plan.usable)
        error = stamma_search_plan_make(&s->plan, s->index, &s->archive->bytes, &purpose);
    if (error == STAMMA_ERROR_CANCELLED)
        end_blocks(s, error, 0);
    if (error != STAMMA_OK)
        s->plan.usable = false;
    return error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_CANCELLED ? STAMMA_OK : error;
}

static uint64_t memory_of(const found_block *at)
{
    const uint8_t *body = at->payload + at->head_size;
    return stamma_block_memory((cursor){at->payload, body, false}, (cursor){body, at->payload + at->size, false});
}

/* Skips blocks without games of the plan. */
static void skip_blocks(stamma_search *s)
{
    const planned_game *all = (const planned_game *)(const void *)s->plan.games.data;
    size_t count = s->plan.games.size / sizeof *all;
    if (!s->plan.usable)
        return;
    while (s->next < s->end &&
           (s->planned == count || planned_number(all[s->planned]) > s->list->places[s->next].spans[SPAN_GAMES].end))
        s->next++;
}

/* Begins the job of the next block if there is one and the memory limit allows it. */
static void begin_block(stamma_search *s)
{
    const block_list *list = s->list;
    skip_blocks(s);
    if (s->next >= s->end) {
        const bool all = s->end == list->count && !s->archive->skip_damage;
        end_blocks(s, all ? list->end : STAMMA_OK, list->end_at);
        return;
    }
    const placed_block *place = &list->places[s->next];
    if (!s->archive->skip_damage && list->broken != STAMMA_OK && list->broken_at <= place->offset) {
        end_blocks(s, list->broken, list->broken_at);
        return;
    }
    search_job *j = (search_job *)stamma_job_ring_next(&s->ring);
    stamma_error error = prepare_job(s, place, j);
    const uint64_t need = error == STAMMA_OK && !j->settled ? memory_of(&j->at) + j->payload.size : 0;
    if (need > j->block.plan.memory)
        error = STAMMA_ERROR_LIMIT;
    if (error == STAMMA_ERROR_CORRUPT && s->archive->skip_damage) {
        s->next++;
        return;
    }
    if (error != STAMMA_OK) {
        end_blocks(s, error, place->offset);
        return;
    }
    s->alone = need > SEARCH_JOB_MEMORY;
    if (s->alone && s->ring.under_way > 0)
        return;
    s->next++;
    s->planned += j->planned_count;
    stamma_job_ring_begin(&s->ring);
}

/* ---- opening ---- */

/* Returns the rule of the query that requires a flag; NULL: none. */
static const query_rule *flag_rule(const stamma_query *query)
{
    const query_rule *r = query ? query->root.rules : NULL;
    while (r && r->kind != QUERY_FLAG)
        r = r->next;
    return r;
}

/* Lists the games with a flag that the query requires: other games need not be read. */
static stamma_error plan_flags(stamma_search *s, const query_rule *rule)
{
    const stamma_flags *flags = s->archive->flags;
    const uint64_t games = s->list->games >> (64 - PLANNED_GAME_SHIFT) == 0 ? s->list->games : 0;
    uint32_t any = 0;
    for (size_t n = 0; n < rule->count; n++)
        any |= ((const query_word *)rule->values)[n];
    s->plan.usable = games > 0;
    for (uint64_t game = 1; game <= games && (game = stamma_flags_next(flags, game, any)) > 0; game++) {
        const planned_game planned = planned_game_of(game, VERDICT_MAYBE, 0);
        buffer_add(&s->plan.games, &planned, sizeof planned);
    }
    return s->plan.games.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Returns whether the range of games of the options begins and ends with a block. */
static bool has_complete_blocks(const stamma_search *s)
{
    const stamma_search_options *o = &s->options;
    const size_t first = stamma_block_list_find(s->list, o->first_game),
                 last = stamma_block_list_find(s->list, o->last_game);
    const placed_block *places = s->list->places;
    return (o->first_game <= 1 ||
            (first < s->list->count && places[first].spans[SPAN_GAMES].begin + 1 == o->first_game)) &&
           (o->last_game == 0 || (last < s->list->count && places[last].spans[SPAN_GAMES].end == o->last_game));
}

/* Limits the search to the range of games of the options: other blocks are not searched. */
static void restrict_games(stamma_search *s)
{
    const planned_game *all = (const planned_game *)(const void *)s->plan.games.data;
    const size_t count = s->plan.games.size / sizeof *all;
    const uint64_t first_game = s->options.first_game;
    const uint64_t last_game = s->options.last_game > 0 ? s->options.last_game : UINT64_MAX;
    s->first_game = first_game;
    s->last_game = last_game;
    if (first_game > 1)
        s->next = stamma_block_list_find(s->list, first_game);
    const size_t last = stamma_block_list_find(s->list, last_game);
    s->end = last_game < first_game ? s->next : last < s->list->count ? last + 1 : s->end;
    const uint64_t before = s->next < s->list->count ? s->list->places[s->next].spans[SPAN_GAMES].begin : UINT64_MAX;
    while (s->plan.usable && s->planned < count && planned_number(all[s->planned]) <= before)
        s->planned++;
}

/* Lists the blocks, and makes the plan and the jobs. */
static stamma_error prepare(stamma_search *s)
{
    const stamma_search_options *o = &s->options;
    stamma_error error = STAMMA_OK;
    if (s->index)
        s->list = &s->index->list;
    else
        error = stamma_handle_list(s->archive, !is_restricted(o), &s->list);
    if (error != STAMMA_OK)
        return error;
    s->end = s->list->count;
    s->last_game = UINT64_MAX;
    if (s->gathering && !has_complete_blocks(s))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const query_rule *flag = flag_rule(s->query);
    if (flag)
        error = plan_flags(s, flag);
    else if (s->index && s->index->file)
        error = make_plan(s);
    if (error != STAMMA_OK)
        return error;
    if (is_restricted(o))
        restrict_games(s);
    const size_t jobs = stamma_job_count(&s->executor, o->memory, SEARCH_JOB_MEMORY);
    error = stamma_job_ring_open(&s->ring, &stamma_search_jobs, jobs, &s->allocator, &s->executor);
    for (size_t n = 0; n < s->ring.count; n++)
        ((search_job *)s->ring.jobs[n])->block.plan.memory = block_memory_limit(o->memory);
    return error;
}

stamma_error stamma_search_open_for(stamma_archive *archive, const stamma_query *query,
                                    const stamma_search_options *given, const gathering *gathering,
                                    stamma_search **search)
{
    stamma_search_options options = {0};
    const stamma_allocator *none = NULL;
    if (!archive || !search)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_archive_options_read(given, &options, sizeof options, &none, &options.executor);
    if (error == STAMMA_OK && (unsigned)options.order > STAMMA_ORDER_PLIES)
        error = STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    handle_defaults(archive, &options.executor, &options.memory);
    stamma_search *s = (stamma_search *)memory_allocate(&archive->allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    init_search(s, archive, &options, query, gathering);
    error = prepare(s);
    if (error == STAMMA_OK)
        *search = s;
    else
        stamma_search_close(s);
    return error;
}

stamma_error stamma_search_open(stamma_archive *archive, const stamma_query *query,
                                const stamma_search_options *options, stamma_search **search)
{
    return stamma_search_open_for(archive, query, options, NULL, search);
}

/* ---- results of blocks ---- */

static stamma_error fail(stamma_search *s, stamma_error error, uint64_t offset, uint64_t game)
{
    s->error = error;
    s->place = (stamma_place){.offset = offset, .game = game};
    atomic_store_explicit(&s->limits.ended, true, memory_order_relaxed);
    return error;
}

/* Returns whether a block is damaged and is to be skipped. */
static bool is_skipped(const stamma_search *s, const search_job *j)
{
    return j->error == STAMMA_ERROR_CORRUPT && s->archive->skip_damage;
}

/* Removes the matches that were found before the damage of a block was noticed. */
static void skip_block(const stamma_search *s, search_job *j)
{
    j->matches.size = 0;
    if (j->part)
        s->gathering->close(j->part);
    j->part = NULL;
}

/* Waits for the next block and makes its matches current. `job` stays NULL after the last block. */
static stamma_error next_block(stamma_search *s)
{
    while (!s->begun_all && s->ring.under_way < s->ring.count && !(s->alone && s->ring.under_way > 0))
        begin_block(s);
    s->given = s->plies_given = 0;
    if (s->ring.under_way > 0)
        s->job = (search_job *)stamma_job_ring_finish(&s->ring);
    else if (s->last != STAMMA_OK)
        return fail(s, s->last, s->last_at, 0);
    if (s->job && is_skipped(s, s->job))
        skip_block(s, s->job);
    return STAMMA_OK;
}

/* Merges the partial result of a job, and passes the result so far to the caller's callback. */
static stamma_error report_so_far(stamma_search *s, search_job *j)
{
    const gathering *g = s->gathering;
    stamma_error error = STAMMA_OK;
    if (!s->gathered) {
        s->gathered = j->part;
    } else {
        error = g->merge(s->gathered, j->part);
        g->close(j->part);
    }
    j->part = NULL;
    if (error == STAMMA_OK && g->so_far)
        g->so_far(s->options.context, (const stamma_tree *)s->gathered);
    return error;
}

/* Finishes a block after all of its matches have been returned. The partial results of jobs are merged when all blocks
 * are finished. They are merged earlier if the result so far is needed, or if the result of a later block may have to
 * be removed. */
static stamma_error end_block(stamma_search *s)
{
    search_job *j = s->job;
    s->job = NULL;
    stamma_error error = is_skipped(s, j) ? STAMMA_OK : j->error;
    if (error == STAMMA_OK && j->part && (s->gathering->so_far || s->archive->skip_damage))
        error = report_so_far(s, j);
    if (error != STAMMA_OK)
        return fail(s, error, j->at.offset, j->error_game > 0 ? j->at.first_game + j->error_game : 0);
    uint64_t done = j->at.offset + FRAME_HEADER_SIZE + j->at.size;
    if (s->options.progress && !s->options.progress(s->options.context, done, s->archive->bytes.size))
        return fail(s, STAMMA_ERROR_CANCELLED, done, 0);
    return STAMMA_OK;
}

/* ---- matches ---- */

/* Makes the next match of the block current. */
static void take_match(stamma_search *s)
{
    const search_job *j = s->job;
    const block_match *m = (const block_match *)(const void *)j->matches.data + s->given++;
    const uint32_t *plies = (const uint32_t *)(const void *)j->plies.data;
    s->match =
        (stamma_match){j->at.first_game + m->game, m->ply_count, m->ply_count > 0 ? plies + s->plies_given : NULL};
    s->plies_given += m->ply_count;
}

/* Advances to a block that has a match left. `job` is NULL after the last block. */
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
    while (s->error == STAMMA_OK && s->left > 0) {
        stamma_error error = reach_match(s);
        if (error != STAMMA_OK || !s->job)
            return error;
        take_match(s);
        if (s->match.game < s->first_game || s->match.game > s->last_game)
            continue;
        if (s->skip == 0) {
            s->left--;
            *match = &s->match;
            return STAMMA_OK;
        }
        s->skip--;
    }
    return s->error;
}
