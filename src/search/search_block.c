/* SPDX-License-Identifier: MIT */
/* Searches one block, from a frame's payload to the matches. Blocks share no state except limits and kept indexes. */
#include "search/block_search.h"

static void init_job(void *job, const stamma_allocator *allocator)
{
    search_job *j = (search_job *)job;
    memset(j, 0, sizeof *j);
    j->matches.allocator = j->plies.allocator = j->payload.allocator = allocator;
    j->known.allocator = j->left.allocator = allocator;
    stamma_plan_verifier_init(&j->verifier, allocator);
    stamma_block_index_init(&j->own, allocator);
    stamma_verdicts_init(&j->verdicts, allocator);
    stamma_block_reader_init(&j->block, allocator);
    stamma_game_batch_init(&j->batch, allocator);
}

static void release_job(void *job)
{
    search_job *j = (search_job *)job;
    stamma_matcher_close(j->matcher);
    if (j->part)
        j->gathering->close(j->part);
    stamma_buffer_release(&j->matches);
    stamma_buffer_release(&j->plies);
    stamma_buffer_release(&j->payload);
    stamma_buffer_release(&j->known);
    stamma_buffer_release(&j->left);
    stamma_plan_verifier_release(&j->verifier);
    stamma_block_index_release(&j->own);
    stamma_verdicts_release(&j->verdicts);
    stamma_block_reader_release(&j->block);
    stamma_game_batch_release(&j->batch);
}

/* ---- use of the index ---- */

/* Opens the block's index unless one is kept. */
static stamma_error open_index(search_job *j, bool adds)
{
    j->index = j->kept ? &j->kept->index : &j->own;
    if (j->kept)
        return STAMMA_OK;
    j->own.columns.without_facts = !adds && !stamma_query_asks_facts(j->query);
    return stamma_block_index_open(&j->own, &j->at);
}

/* Finds the verdicts. Errors in the index are ignored here, because reading the games reports them. */
static stamma_error judge(search_job *j)
{
    bool adds = j->gathering && j->gathering->add_index;
    j->judged = false;
    if ((!j->query && !adds) || j->reads_all)
        return STAMMA_OK;
    stamma_error error = open_index(j, adds);
    j->verdicts.limits = j->limits;
    const asked_block asked = {.index = j->index, .tags = j->kept ? &j->kept->tags : NULL, .at = j->at};
    if (error == STAMMA_OK)
        error = stamma_verdicts_find(&j->verdicts, &asked, j->query);
    j->judged = error == STAMMA_OK;
    return error == STAMMA_ERROR_NO_MEMORY || error == STAMMA_ERROR_CANCELLED ? error : STAMMA_OK;
}

/* If a block has fewer games to be read, reading them takes less time than opening the moves of the block. */
enum { READ_MOST = 64 };

/* Returns whether the moves and search columns of the block may decide games that an index file lists, or add them to
 * the result. Tags are enough to decide rules on facts and names. */
static bool needs_moves(const search_job *j, bool filters)
{
    size_t maybes = 0;
    for (size_t n = 0; n < j->planned_count; n++)
        maybes += planned_verdict(j->planned[n]) == VERDICT_MAYBE;
    if (j->reads_all)
        return false;
    return j->gathering ? j->planned_count > READ_MOST || (filters && maybes > 0) : !filters && maybes > READ_MOST;
}

/* Sets the verdicts of the games that an index file lists. Only verdicts MAYBE are replaced by those of the block's
 * index, if `judged` is set. */
static void set_planned(search_job *j, bool judged)
{
    uint64_t game = j->at.first_game;
    const planned_game *next = j->planned, *end = j->planned + j->planned_count;
    for (size_t n = 0; n < j->own.records; n++) {
        const bool begins = j->own.marks.data[n] & RECORD_IS_GAME;
        game += begins;
        if (!begins || next == end || planned_number(*next) != game)
            continue;
        if (!judged || planned_verdict(*next) == VERDICT_YES)
            stamma_verdicts_set(&j->verdicts, n, planned_verdict(*next), planned_detail(*next));
        next++;
    }
}

/* Replaces the verdicts MAYBE of planned games by verdicts of the block's index. Errors in the index are ignored here,
 * because reading the games reports them. */
static stamma_error judge_planned(search_job *j)
{
    const size_t records = j->own.records;
    uint8_t *known = (uint8_t *)buffer_array(&j->known, records, 1);
    if (!known)
        return STAMMA_ERROR_NO_MEMORY;
    memcpy(known, j->verdicts.verdicts.data, records);
    const asked_block asked = {.index = j->index, .at = j->at, .known = known};
    const stamma_error error = stamma_verdicts_find(&j->verdicts, &asked, j->query);
    if (error == STAMMA_ERROR_NO_MEMORY || error == STAMMA_ERROR_CANCELLED)
        return error;
    if (error != STAMMA_OK && !stamma_verdicts_begin(&j->verdicts, &j->own))
        return STAMMA_ERROR_NO_MEMORY;
    set_planned(j, error == STAMMA_OK);
    return STAMMA_OK;
}

/* Sets the verdicts of the games that an index file lists. */
static stamma_error take_plan(search_job *j)
{
    const bool adds = j->gathering && j->gathering->add_index;
    const bool filters = j->query && stamma_plan_filters_condition(&j->query->root);
    j->index = &j->own;
    j->own.without_moves = !needs_moves(j, filters);
    j->own.columns.without_facts = !adds && !(j->query && stamma_query_asks_facts(j->query));
    j->judged = false;
    j->verdicts.limits = j->limits;
    stamma_error error = stamma_block_index_open(&j->own, &j->at);
    if (error == STAMMA_OK && !stamma_verdicts_begin(&j->verdicts, &j->own))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        set_planned(j, false);
    if (error == STAMMA_OK && (filters || !j->own.without_moves) && !j->reads_all && j->verdicts.maybes > 0)
        error = judge_planned(j);
    j->own.without_moves = false;
    j->judged = error == STAMMA_OK;
    return error;
}

static verdict verdict_of(const search_job *j, uint64_t record)
{
    return j->judged ? (verdict)j->verdicts.verdicts.data[record] : VERDICT_MAYBE;
}

/* ---- records ---- */

/* Adds a match, or nothing if memory is exhausted. `game` is its number in the block. */
static stamma_error add_match(search_job *j, uint64_t game, const uint32_t *plies, size_t count)
{
    const block_match match = {(uint32_t)game, (uint32_t)count};
    if (!buffer_reserve(&j->matches, sizeof match) || !buffer_reserve(&j->plies, count * sizeof *plies))
        return STAMMA_ERROR_NO_MEMORY;
    buffer_add(&j->matches, &match, sizeof match);
    buffer_add(&j->plies, plies, count * sizeof *plies);
    return STAMMA_OK;
}

static stamma_error test_game(search_job *j, stamma_archive_game *game, bool found)
{
    const uint32_t *plies = NULL;
    size_t count = 0;
    game->number = j->at.first_game + j->games_read;
    game->flags = stamma_flags_of(j->flags, game->number);
    stamma_error error = found ? STAMMA_OK : stamma_matcher_test(j->matcher, game, &found, &plies, &count);
    if (error != STAMMA_OK || !found)
        return error;
    return j->gathering ? j->gathering->add_game(j->part, j->gathering->archive, game)
                        : add_match(j, j->games_read, plies, count);
}

/* Adds a game that is not decoded. */
static stamma_error add_judged(search_job *j, uint64_t record)
{
    j->games_read++;
    if (j->gathering)
        return STAMMA_OK;
    if (!j->query)
        return add_match(j, j->games_read, NULL, 0);
    return verdict_of(j, record) != VERDICT_YES
               ? STAMMA_OK
               : add_match(j, j->games_read, (const uint32_t *)(const void *)j->verdicts.plies.data + record, 1);
}

/* Returns whether the record need not be read. */
static bool is_passed(const search_job *j, verdict v)
{
    return j->gathering ? v == VERDICT_NO : !j->query || v != VERDICT_MAYBE;
}

/* Returns the number of the first record that must be read, from the next one on; the number of records if there is
 * none. */
static uint64_t next_wanted(const search_job *j)
{
    uint64_t record = j->block.state.next;
    while (record < j->block.head.records && is_passed(j, verdict_of(j, record)))
        record++;
    return record;
}

/* Adds skipped records, of which `games` begin a game. */
static stamma_error add_passed(search_job *j, uint64_t record, uint64_t end, uint64_t games)
{
    stamma_error error = STAMMA_OK;
    for (; !j->judged && games > 0 && error == STAMMA_OK; games--)
        error = add_judged(j, record);
    for (; j->judged && record < end && error == STAMMA_OK; record++) {
        if (!(j->index->marks.data[record] & RECORD_IS_GAME))
            continue;
        games--;
        error = add_judged(j, record);
    }
    return error == STAMMA_OK && games != 0 ? STAMMA_ERROR_CORRUPT : error;
}

/* Skips records column by column. */
static stamma_error pass_columns(search_job *j, uint64_t count)
{
    enum { PASSED_AT_ONCE = 4096 }; /* some milliseconds */
    stamma_error error = STAMMA_OK;
    while (count > 0 && error == STAMMA_OK) {
        const uint64_t record = j->block.state.next, some = count < PASSED_AT_ONCE ? count : PASSED_AT_ONCE;
        uint64_t games;
        if (stamma_search_is_stopped(j->limits))
            return STAMMA_ERROR_CANCELLED;
        error = stamma_block_reader_pass(&j->block, some, &games);
        if (error == STAMMA_OK)
            error = add_passed(j, record, record + some, games);
        count -= some;
    }
    return error;
}

/* Number of records between checks of the limits if a record is decoded in microseconds. The time for predicted moves
 * is milliseconds per record. */
enum { RECORDS_AT_ONCE = 64 };

static bool is_stopped(const search_job *j)
{
    const uint64_t step = j->block.columns.moves == MOVES_PREDICTED ? 1 : RECORDS_AT_ONCE;
    return j->block.state.next % step == 0 && stamma_search_is_stopped(j->limits);
}

/* Skips the records before `wanted`, or up to the end of the block. The records of its lane are read (17.2). */
static stamma_error pass_records(search_job *j, uint64_t wanted)
{
    block_reader *b = &j->block;
    const uint64_t next = b->state.next;
    uint64_t from, columns = 0;
    if (stamma_block_reader_can_pass(b))
        columns = wanted == b->head.records ? wanted - next : stamma_block_reader_passable(b, wanted, &from);
    stamma_error error = pass_columns(j, columns);
    while (b->state.next < wanted && error == STAMMA_OK) {
        const uint64_t record = b->state.next;
        if (is_stopped(j))
            return STAMMA_ERROR_CANCELLED;
        error = stamma_block_reader_next(b, true);
        if (error == STAMMA_OK)
            error = add_passed(j, record, record + 1, !b->state.record.continuation);
    }
    return error;
}

static stamma_error search_record(search_job *j)
{
    const verdict v = verdict_of(j, j->block.state.next);
    stamma_error error = stamma_game_batch_read_one(&j->batch, &j->block);
    if (error != STAMMA_OK)
        return error;
    stamma_archive_game game = stamma_game_batch_take(&j->batch);
    if (game.continuation)
        return STAMMA_OK;
    j->games_read++;
    return test_game(j, &game, !j->query || v == VERDICT_YES);
}

/* Reads and tests the records that may match. */
static stamma_error search_records(search_job *j)
{
    block_reader *b = &j->block;
    stamma_error error = STAMMA_OK;
    while (b->state.next < b->head.records && error == STAMMA_OK) {
        if (is_stopped(j))
            return STAMMA_ERROR_CANCELLED;
        const uint64_t wanted = next_wanted(j);
        error = wanted > b->state.next ? pass_records(j, wanted) : search_record(j);
    }
    if (error == STAMMA_ERROR_CORRUPT && stamma_search_is_stopped(j->limits))
        return STAMMA_ERROR_CANCELLED;
    if (error != STAMMA_OK) {
        j->error_game = j->games_read < j->at.games ? j->games_read + 1 : 0;
        return error;
    }
    return stamma_block_reader_is_done(b) && j->games_read == j->at.games ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* ---- the job ---- */

static stamma_error open_block(search_job *j)
{
    const block_head *head = &j->block.head;
    j->block.plan.stop = &j->limits->check;
    stamma_block_reader_select(&j->block, (j->query ? stamma_query_parts(j->query) : 0) |
                                              (j->gathering ? j->gathering->parts : 0));
    stamma_error error = stamma_block_reader_load(&j->block, j->at.payload, j->at.size, j->at.head_size);
    if (error == STAMMA_OK && (head->counts.games != j->at.games || head->text_size != j->at.text_size))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK && j->query && !j->matcher)
        error = stamma_matcher_open(j->query, j->block.allocator, &j->matcher);
    return error;
}

/* Adds the matches if no record has to be read. */
static stamma_error take_verdicts(search_job *j)
{
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < j->index->records && error == STAMMA_OK; n++)
        if (j->index->marks.data[n] & RECORD_IS_GAME)
            error = add_judged(j, n);
    return error;
}

/* Opens the job's partial result if necessary. */
static stamma_error open_part(search_job *j)
{
    return j->part ? STAMMA_OK : j->gathering->open(j->gathering->whole, j->block.allocator, &j->part);
}

/* Adds the games for which the block's index is enough. */
static stamma_error gather(search_job *j)
{
    const gathering *g = j->gathering;
    const stamma_error error = open_part(j);
    return error == STAMMA_OK && j->judged && g->add_index ? g->add_index(j->part, j) : error;
}

static bool must_read(const search_job *j)
{
    return !j->judged || j->verdicts.maybes > 0 || (j->gathering && j->verdicts.yeses > 0);
}

/* Adds the games that an index file lists, without reading the block. A hot loop: memory is reserved before it. */
static stamma_error add_planned(search_job *j)
{
    block_match *matches = (block_match *)buffer_array(&j->matches, j->planned_count, sizeof *matches);
    uint32_t *plies = (uint32_t *)buffer_array(&j->plies, j->planned_count, sizeof *plies);
    if (!matches || !plies) {
        j->matches.size = j->plies.size = 0;
        return STAMMA_ERROR_NO_MEMORY;
    }
    for (size_t n = 0; n < j->planned_count; n++) {
        matches[n] = (block_match){(uint32_t)(planned_number(j->planned[n]) - j->at.first_game), j->query ? 1 : 0};
        plies[n] = planned_detail(j->planned[n]);
    }
    return STAMMA_OK;
}

/* Adds the game of a rank to the result by its facts. Returns false if the game must be read. */
static bool add_by_facts(search_job *j, uint32_t rank, stamma_error *error)
{
    index_facts facts;
    if (!j->gathering || !j->gathering->add_facts ||
        !stamma_index_facts(j->filter->file, j->filter->segment, rank, &facts, NULL))
        return false;
    *error = open_part(j);
    if (*error == STAMMA_OK)
        j->gathering->add_facts(j->part, &facts);
    return true;
}

/* Tests a game of the plan. If it may match, adds it to the games that are left; if it matches, also to the matches. */
static stamma_error test_planned(search_job *j, planned_game game)
{
    const uint64_t number = planned_number(game);
    const uint32_t detail = planned_detail(game), *plies = &detail;
    verdict v = planned_verdict(game);
    size_t count = 1;
    stamma_error error = STAMMA_OK;
    if (v == VERDICT_MAYBE)
        error = stamma_plan_verify(&j->verifier, detail, &v, &plies, &count);
    if (error != STAMMA_OK || v == VERDICT_NO)
        return error;
    if (v == VERDICT_YES && v != planned_verdict(game) && add_by_facts(j, detail, &error))
        return error;
    j->undecided += v == VERDICT_MAYBE;
    /* a game of the plan has one ply: if another game makes it necessary to read the block, this game is read, too */
    const bool decided = v == VERDICT_YES && (count == 1 || j->gathering);
    const planned_game left =
        planned_game_of(number, decided ? VERDICT_YES : VERDICT_MAYBE, decided ? plies[0] : detail);
    buffer_add(&j->left, &left, sizeof left);
    if (v == VERDICT_YES && !j->gathering)
        error = add_match(j, number - j->at.first_game, plies, count);
    return j->left.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Tests the games of the plan with the index file. Sets *done if no game has to be read. Otherwise, the plan is reduced
 * to the games that may match. */
static stamma_error verify_plan(search_job *j, bool *done)
{
    stamma_error error = STAMMA_OK;
    stamma_plan_verifier_begin(&j->verifier, j->tests, j->filter);
    j->left.size = j->undecided = 0;
    for (size_t n = 0; n < j->planned_count && error == STAMMA_OK; n++) {
        if (n % RECORDS_AT_ONCE == 0 && stamma_search_is_stopped(j->limits))
            return STAMMA_ERROR_CANCELLED;
        error = test_planned(j, j->planned[n]);
    }
    *done = error != STAMMA_OK || (j->gathering ? j->left.size == 0 : j->undecided == 0);
    if (*done)
        return error;
    j->matches.size = j->plies.size = 0;
    j->planned = (const planned_game *)(const void *)j->left.data;
    j->planned_count = j->left.size / sizeof *j->planned;
    return STAMMA_OK;
}

static stamma_error search_block(search_job *j)
{
    if (j->settled)
        return add_planned(j);
    stamma_error error = STAMMA_OK;
    bool done = false;
    if (j->tests)
        error = verify_plan(j, &done);
    if (error != STAMMA_OK || done)
        return error;
    error = j->planned ? take_plan(j) : judge(j);
    if (error == STAMMA_OK && j->gathering)
        error = gather(j);
    if (error == STAMMA_OK && !must_read(j))
        return take_verdicts(j);
    if (error == STAMMA_OK)
        error = open_block(j);
    return error == STAMMA_OK ? search_records(j) : error;
}

static void run_job(void *job)
{
    search_job *j = (search_job *)job;
    j->matches.size = j->plies.size = 0;
    j->games_read = j->error_game = 0;
    j->error = stamma_search_is_stopped(j->limits) ? STAMMA_ERROR_CANCELLED : search_block(j);
}

const job_kind stamma_search_jobs = {sizeof(search_job), init_job, run_job, release_job};
