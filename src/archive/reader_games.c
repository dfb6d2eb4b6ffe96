/* SPDX-License-Identifier: MIT */
/* Reading games: group by group, and by number. */
#include "archive/handle.h"

/* ---- records ---- */

/* Leaves a block with an error: the next call continues after it. */
static stamma_error give_up_block(stamma_archive_reader *r, stamma_error error)
{
    r->games_here += r->games_here < r->block->head.counts.games;
    reader_fail(r, r->place.offset, error);
    stamma_error reported =
        stamma_reader_continues(r, error) ? stamma_reader_report_loaded(r, error, r->games_here) : STAMMA_OK;
    stamma_kept_groups_clear(r->groups); /* so that the block is not kept open */
    stamma_reader_leave_block(r);
    r->piece = PIECE_UNKNOWN;
    return reported == STAMMA_OK ? error : reported;
}

/* Called after the last record of a block. Returns whether all columns were read to their ends, the number of games is
 * right, and the checksum of the text is right. */
static bool is_block_right(stamma_archive_reader *r)
{
    const block_head *head = &r->block->head;
    bool fine = stamma_block_reader_is_done(r->block) && r->games_read == head->counts.games;
    return fine && (!r->whole || (r->hashed == head->text_size && XXH64_digest(&r->hash) == head->text_check));
}

static stamma_error check_block(stamma_archive_reader *r)
{
    if (r->block->state.next < r->block->head.records || is_block_right(r))
        return STAMMA_OK;
    stamma_error error = give_up_block(r, STAMMA_ERROR_CORRUPT);
    r->error_game = 0; /* the error may be in any game of the block */
    return error;
}

/* Returns the number of records of a group of the block. */
static uint64_t group_records(const stamma_archive_reader *r)
{
    return r->block->head.group;
}

/* Reads the group of records at which the block reader is. */
static stamma_error decode_group(stamma_archive_reader *r)
{
    game_batch *g = r->batch = &r->own_batch;
    const size_t group = (size_t)(r->block->state.next / group_records(r));
    bool decoded;
    stamma_error error = stamma_reader_or_cancelled(r, stamma_game_batch_read(g, r->block, &decoded));
    r->games_read += stamma_game_batch_games(g);
    if (error != STAMMA_OK) {
        r->games_here = r->games_read;
        error = give_up_block(r, error);
        r->error_game = decoded ? 0 : r->error_game;
        return error;
    }
    r->whole &= block_reads_text(r->block);
    if (r->whole)
        XXH64_update(&r->hash, g->text.data, g->text.size);
    r->hashed += g->text.size;
    r->next_record = r->block->state.next;
    if (r->groups->count > 0)
        r->batch = stamma_kept_groups_keep(r->groups, group, g, r->keep_limit);
    return check_block(r);
}

/* Skips the records of complete groups, column by column. */
static stamma_error pass_columns(stamma_archive_reader *r, uint64_t count)
{
    stamma_error error = STAMMA_OK;
    while (count > 0 && error == STAMMA_OK) {
        uint64_t games, some = stamma_bookmarks_distance(r->bookmarks, r->block);
        if (some == 0) {
            stamma_bookmarks_add(r->bookmarks, r->block, r->games_read);
            some = BOOKMARK_RECORDS;
        }
        some = some < count ? some : count;
        error = stamma_block_reader_pass(r->block, some, &games);
        r->games_here = r->games_read += games;
        count -= some;
    }
    return error;
}

/* Skips records one by one: moves in lanes are read. */
static stamma_error pass_records(stamma_archive_reader *r, uint64_t count)
{
    stamma_error error = STAMMA_OK;
    for (; count > 0 && error == STAMMA_OK; count--) {
        error = work_is_stopped(r->block->plan.stop) ? STAMMA_ERROR_CORRUPT : stamma_block_reader_next(r->block, true);
        r->games_here = r->games_read += error == STAMMA_OK && !r->block->state.record.continuation;
    }
    return error;
}

/* Skips `columns` records column by column, and then `records` records one by one. */
static stamma_error pass(stamma_archive_reader *r, uint64_t columns, uint64_t records)
{
    r->whole = false;
    stamma_error error = pass_columns(r, columns);
    if (error == STAMMA_OK)
        error = pass_records(r, records);
    r->next_record = r->block->state.next;
    return error == STAMMA_OK ? check_block(r) : give_up_block(r, stamma_reader_or_cancelled(r, error));
}

/* Returns how many of the records before `record` may be skipped column by column. */
static uint64_t passable(const stamma_archive_reader *r, uint64_t record, uint64_t *from)
{
    *from = record;
    return stamma_block_reader_can_pass(r->block) ? stamma_block_reader_passable(r->block, record, from) : 0;
}

/* Skips the next groups of records. The last group may be smaller than the others. */
static stamma_error pass_groups(stamma_archive_reader *r, uint64_t groups)
{
    const uint64_t next = r->block->state.next, left = r->block->head.records - next;
    const uint64_t count = groups <= left / group_records(r) ? groups * group_records(r) : left;
    uint64_t from;
    const uint64_t columns = passable(r, next + count, &from);
    return columns > count ? pass(r, 0, count) : pass(r, columns, count - columns);
}

/* ---- groups of a block in any order ---- */

/* Cost of decoding a record, relative to the cost of skipping it. */
static uint64_t decode_cost(const block_reader *b)
{
    enum { CODES = 8, PREDICTED = 64, ADAPTIVE = 1024 };
    const predicted_column *moves = &b->columns.predicted[LINES_MAIN];
    return !moves->open ? CODES : moves->adaptive ? ADAPTIVE : PREDICTED;
}

/* Moves the block reader back to a bookmark at or before a record, or to the beginning of the block. */
static stamma_error go_back(stamma_archive_reader *r, uint64_t record)
{
    bookmark *m = stamma_bookmarks_before(r->bookmarks, record);
    if (m && (record < r->block->state.next || m->record > r->block->state.next)) {
        stamma_bookmark_return(m, r->block);
        r->games_read = m->games;
        r->whole = false;
        return STAMMA_OK;
    }
    if (record >= r->block->state.next)
        return STAMMA_OK;
    stamma_game_batch_clear(&r->own_batch); /* kept groups and bookmarks refer to columns that are decoded again */
    r->batch = &r->own_batch;
    r->bookmarks->count = 0;
    r->games_read = 0;
    stamma_error error = stamma_reader_load_block(r);
    if (error == STAMMA_OK && !stamma_kept_groups_start(r->groups, r->block))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error != STAMMA_OK)
        return give_up_block(r, error);
    stamma_bookmarks_add(r->bookmarks, r->block, 0);
    return STAMMA_OK;
}

/* Returns whether decoding all records of the block costs less than skipping records has cost so far, or records of the
 * block cannot be skipped. */
static bool is_worth_decoding(const stamma_archive_reader *r)
{
    return !stamma_block_reader_can_pass(r->block) ||
           r->groups->passed > r->block->head.records * decode_cost(r->block);
}

/* Moves the block reader before the records that are needed to read a record. */
static stamma_error go_before(stamma_archive_reader *r, uint64_t record)
{
    uint64_t from;
    stamma_error error = go_back(r, record);
    if (error == STAMMA_OK && passable(r, record, &from) == UINT64_MAX)
        error = go_back(r, from);
    return error;
}

/* Moves the block reader to a group. Groups on the way are skipped, or decoded and kept, as are those whose moves are
 * in the same lane. */
static stamma_error go_to_group(stamma_archive_reader *r, size_t group)
{
    const uint64_t record = group * group_records(r);
    stamma_error error = go_before(r, record);
    while (error == STAMMA_OK && r->block->state.next < record) {
        const uint64_t at = r->block->state.next, group_left = group_records(r) - at % group_records(r);
        const bool kept = r->groups->batches[at / group_records(r)] || group_left < group_records(r);
        uint64_t from, columns = passable(r, record, &from);
        if (!kept && (is_worth_decoding(r) || columns == 0)) {
            error = decode_group(r);
            continue;
        }
        if (kept && columns > group_left)
            columns = group_left;
        error = pass(r, columns, columns > 0 ? 0 : group_left);
        r->groups->passed += r->block->state.next - at;
    }
    return error;
}

/* Makes a group the next group, if groups of the block are kept. */
static stamma_error read_kept(stamma_archive_reader *r, size_t group)
{
    kept_groups *g = r->groups;
    const uint64_t end = (group + UINT64_C(1)) * group_records(r), records = r->block->head.records;
    stamma_error error = STAMMA_OK;
    if (!g->batches[group]) {
        const uint64_t here = r->games_here;
        error = go_to_group(r, group);
        r->games_here = error == STAMMA_OK ? here : r->games_here;
        return error == STAMMA_OK ? decode_group(r) : error;
    }
    r->batch = g->batches[group];
    stamma_game_batch_restart(r->batch);
    r->next_record = end < records ? end : records;
    return STAMMA_OK;
}

/* Reads the next group of records. */
static stamma_error read_group(stamma_archive_reader *r)
{
    if (r->groups->count == 0)
        return decode_group(r);
    return read_kept(r, (size_t)(r->next_record / group_records(r)));
}

/* Returns whether the next block may consist of text after the last game. */
static bool may_end_with_text(const stamma_archive_reader *r)
{
    return !r->seekable || (r->next_place < r->place_count && r->places[r->next_place].spans[SPAN_GAMES].size == 0);
}

/* Items are filtered when a block is read, so a block that was opened for more kinds of them cannot be used. */
enum { GAME_ITEMS = STAMMA_GAME_COMMENTS | STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS };

/* Removes the parts of the game that the caller did not select. */
static void remove_parts(stamma_archive_reader *r)
{
    const unsigned removed = r->block->plan.parts & ~r->parts;
    stamma_archive_game *game = &r->game;
    if (removed & STAMMA_GAME_TAGS)
        game->tags = NULL, game->tag_count = 0;
    if (removed & STAMMA_GAME_RESULT)
        game->result = (stamma_text){NULL, 0};
    if (removed & STAMMA_GAME_MOVES)
        game->moves = NULL;
    if (removed & GAME_ITEMS)
        game->items = NULL, game->item_count = 0;
    if (removed & STAMMA_GAME_CLOCKS)
        game->clocks_ms = game->times_spent_ms = NULL;
    if (removed & STAMMA_GAME_EVALUATIONS)
        game->evaluations = NULL;
    if (removed & STAMMA_GAME_TEXT)
        game->text = game->found = game->expected = (stamma_text){"", 0};
    if (!(r->parts & (STAMMA_GAME_MOVES | STAMMA_GAME_TEXT)))
        game->moves_bits = 0;
}

/* Returns the next game of the batch, which must not be empty. */
static const stamma_archive_game *take_game(stamma_archive_reader *r)
{
    r->game = stamma_game_batch_take(r->batch);
    if (!stamma_game_batch_next(r->batch) && r->next_record == r->block->head.records)
        r->game.more |= may_end_with_text(r);
    if (r->block->plan.parts != r->parts)
        remove_parts(r);
    r->games_here += !r->game.continuation;
    r->game.number = r->numbered ? r->games + r->games_here : 0;
    r->game.flags = r->archive && r->archive->flags ? stamma_flags_of(r->archive->flags, r->game.number) : 0;
    return &r->game;
}

stamma_error stamma_archive_reader_game_count(stamma_archive_reader *r, uint64_t *games)
{
    if (!r || !games)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (r->seekable) {
        *games = r->scan.found_all.all.games;
        return STAMMA_OK;
    }
    bool found = r->moved = true;
    while (found) {
        stamma_error error = stamma_reader_next_block(r, &found);
        if (error != STAMMA_OK)
            return error;
    }
    *games = r->games;
    return STAMMA_OK;
}

/* Loads blocks until the batch has a game, or the loaded block has a record that was not read. */
static stamma_error reach_group(stamma_archive_reader *r, bool *found)
{
    *found = true;
    while (!stamma_game_batch_next(r->batch) && (!r->loaded || r->next_record == r->block->head.records)) {
        stamma_error error = stamma_reader_next_block(r, found);
        if (error != STAMMA_OK || !*found)
            return error;
    }
    return STAMMA_OK;
}

/* Reads the next game. If damage is reported, this may fail; the next call then continues after the damage. */
static stamma_error try_next(stamma_archive_reader *r, const stamma_archive_game **game)
{
    bool any;
    stamma_error error = reach_group(r, &any);
    if (error == STAMMA_OK && any && !stamma_game_batch_next(r->batch))
        error = read_group(r);
    if (error != STAMMA_OK)
        return error;
    if (any)
        *game = take_game(r);
    return STAMMA_OK;
}

/* Begins a call that the caller can stop. */
static void begin_reading(stamma_archive_reader *r)
{
    r->moved = true;
    r->stoppable = r->stop != NULL;
    r->stopped = false;
}

stamma_error stamma_archive_reader_next(stamma_archive_reader *r, const stamma_archive_game **game)
{
    stamma_error error;
    if (!r || !game)
        return STAMMA_ERROR_BAD_ARGUMENT;
    *game = NULL;
    begin_reading(r);
    do
        error = try_next(r, game);
    while (stamma_reader_continues(r, error));
    return error;
}

/* Moves within the loaded block to the group with its game `number`, counted from 1, or to the end of the block. */
static void aim_at(stamma_archive_reader *r, uint64_t number)
{
    kept_groups *g = r->groups;
    size_t group = stamma_kept_groups_find(g, r->block, number);
    group -= group == g->count; /* if a game is not there, decoding the last group shows why */
    const uint64_t first = group * group_records(r), records = r->block->head.records;
    const bool here =
        stamma_game_batch_next(r->batch) && r->games_here < number && (r->next_record - 1) / group_records(r) == group;
    if (here)
        return;
    r->batch = &r->own_batch;
    stamma_game_batch_clear(r->batch);
    r->next_record = first < records ? first : records;
    r->games_here = g->games[group];
}

/* Returns the place in the list of the block with a game. If this block is lost, returns the place of the next
 * block. */
static size_t place_of(const stamma_archive_reader *r, uint64_t number)
{
    size_t low = 0, high = r->place_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const span *games = &r->places[middle].spans[SPAN_GAMES];
        if (games->begin + games->size < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Loads the block at a place, opened for some parts, from the cache. Returns false if the cache does not contain it. */
static bool load_parked(stamma_archive_reader *r, size_t at, unsigned parts)
{
    if (at == r->place_count || stamma_reader_is_broken_at(r, &r->places[at]) || !stamma_reader_unpark(r, at, parts))
        return false;
    const placed_block *place = &r->places[at];
    stamma_reader_meet_block(r, place->number, place->spans[SPAN_GAMES].begin, true);
    r->next_place = at + 1;
    r->head_damaged = false;
    r->loaded = true;
    r->piece = PIECE_UNKNOWN;
    return true;
}

/* If the input can seek: makes the block with a game the next block, unless it is loaded. */
static void find_block(stamma_archive_reader *r, uint64_t number)
{
    const size_t at = place_of(r, number);
    const bool loaded = r->loaded && at + 1 == r->next_place && r->numbered && number > r->games;
    if (loaded && stamma_kept_groups_start(r->groups, r->block)) {
        aim_at(r, number - r->games);
        return;
    }
    if (loaded && r->games + r->games_here < number)
        return;
    if (load_parked(r, at, r->block->plan.parts)) {
        if (number > r->games)
            aim_at(r, number - r->games);
        return;
    }
    stamma_reader_park(r);
    stamma_reader_forget_block(r);
    r->next_place = at;
    r->piece = PIECE_UNKNOWN;
    r->next_number = at < r->place_count ? r->places[at].number : r->scan.found_all.all_blocks;
}

/* Returns whether the next game of the batch has this number, or, if the game with this number is lost, a higher
 * number. */
static bool is_next(const stamma_archive_reader *r, uint64_t number)
{
    return r->numbered && r->games + r->games_here + 1 >= number && !stamma_game_batch_next(r->batch)->continuation;
}

/* Moves one step towards game `number`. Sets *there if this game is the next. */
static stamma_error step_to(stamma_archive_reader *r, uint64_t number, bool *there)
{
    if (stamma_game_batch_next(r->batch)) {
        while (stamma_game_batch_next(r->batch) && !(*there = is_next(r, number))) {
            r->games_here += !stamma_game_batch_next(r->batch)->continuation;
            stamma_game_batch_pass(r->batch);
        }
        return STAMMA_OK;
    }
    if (r->groups->count > 0)
        return read_group(r);
    uint64_t before = r->games + r->games_here, groups = 1;
    if (r->numbered)
        groups = before < number ? stamma_groups_before(r->block, number - before) : 0;
    return groups > 0 ? pass_groups(r, groups) : read_group(r);
}

/* Called before the first record of a block in which games are searched for. */
static void begin_seeking(stamma_archive_reader *r, uint64_t number)
{
    stamma_bookmarks_add(r->bookmarks, r->block, 0);
    if (r->numbered && number > r->games && stamma_kept_groups_start(r->groups, r->block))
        aim_at(r, number - r->games);
}

static stamma_error try_seek(stamma_archive_reader *r, uint64_t number)
{
    for (bool there = false; !there;) {
        bool found;
        stamma_error error = reach_group(r, &found);
        if (error == STAMMA_OK && found && r->seekable && r->block->state.next == 0 && r->bookmarks->count == 0)
            begin_seeking(r, number);
        if (error == STAMMA_OK && found &&
            (stamma_game_batch_next(r->batch) || r->next_record < r->block->head.records))
            error = step_to(r, number, &there);
        if (error != STAMMA_OK || !found)
            return error;
    }
    return STAMMA_OK;
}

stamma_error stamma_archive_reader_seek(stamma_archive_reader *r, uint64_t number)
{
    stamma_error error;
    if (!r || number == 0 || (!r->seekable && number <= r->games + r->games_here))
        return STAMMA_ERROR_BAD_ARGUMENT;
    begin_reading(r);
    if (r->seekable)
        find_block(r, number);
    do
        error = try_seek(r, number);
    while (stamma_reader_continues(r, error));
    return error;
}

/* Returns the parts for which the block is opened if the caller selects `parts`: also those for which the block is open
 * if both need the moves of lanes, which cost more than all other data. Callers that alternate between parts of games
 * then decode the lanes only once. */
static unsigned parts_to_open(const stamma_archive_reader *r, unsigned parts)
{
    const unsigned both = r->block->plan.parts | parts, items = parts & GAME_ITEMS;
    const bool fits = items == 0 || items == (both & GAME_ITEMS);
    return r->loaded && fits && stamma_block_reader_needs_lanes(r->block, parts) ? both : parts;
}

stamma_error stamma_archive_reader_select(stamma_archive_reader *r, unsigned parts)
{
    if (!r || parts & ~(unsigned)STAMMA_GAME_ALL || (r->loaded && !r->seekable))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const unsigned opened = parts_to_open(r, parts);
    r->parts = parts;
    if (opened == r->block->plan.parts)
        return STAMMA_OK;
    if (!r->loaded) {
        stamma_block_reader_select(r->block, opened);
        return STAMMA_OK;
    }
    const uint64_t next = r->games + r->games_here + 1; /* to be read from the same block, opened for the new parts */
    begin_reading(r);
    if (!load_parked(r, place_of(r, next), opened)) {
        stamma_reader_park(r);
        stamma_block_reader_select(r->block, opened);
        stamma_reader_forget_block(r);
    }
    return stamma_archive_reader_seek(r, next);
}
