/* Reading archives: with a seek through the commits, without one from front to back. */
#include "archive/reader.h"

/* ---- bytes ---- */

stamma_error stamma_reader_fail(stamma_archive_reader *r, uint64_t offset, stamma_error error)
{
    r->error_at = offset;
    r->error_game = r->loaded ? r->games + r->games_here : 0;
    return error;
}

/* Reads exactly `size` bytes, or sets *ended when the input ends before the first. CORRUPT when it ends in between. */
static stamma_error read_exactly(stamma_archive_reader *r, void *bytes, size_t size, bool *ended)
{
    size_t done = 0;
    *ended = false;
    while (done < size) {
        ptrdiff_t got = r->input.read(r->input.context, (uint8_t *)bytes + done, size - done);
        if (got < 0 || (size_t)got > size - done)
            return stamma_reader_fail(r, r->at, STAMMA_ERROR_IO);
        if (got == 0) {
            *ended = done == 0;
            return *ended ? STAMMA_OK : stamma_reader_fail(r, r->at, STAMMA_ERROR_CORRUPT);
        }
        done += (size_t)got;
        r->at += (size_t)got;
    }
    return STAMMA_OK;
}

static stamma_error seek_to(stamma_archive_reader *r, uint64_t offset)
{
    if (!r->input.seek(r->input.context, offset))
        return stamma_reader_fail(r, offset, STAMMA_ERROR_IO);
    r->at = offset;
    return STAMMA_OK;
}

/* Reads a frame's header. *ended: there is none, the input ends. */
static stamma_error read_frame_header(stamma_archive_reader *r, frame *f, bool *ended)
{
    uint8_t header[FRAME_HEADER_SIZE];
    uint64_t at = r->at;
    stamma_error error = read_exactly(r, header, sizeof header, ended);
    if (error != STAMMA_OK || *ended)
        return error;
    error = stamma_frame_read(header, f);
    return error == STAMMA_OK ? STAMMA_OK : stamma_reader_fail(r, at, error);
}

/* Reads `size` bytes of a payload in steps, so that a size that lies costs no more memory than there are bytes. With
 * `keep` false the bytes are only passed over. */
static stamma_error read_payload(stamma_archive_reader *r, uint64_t size, bool keep)
{
    enum { STEP = 1 << 20 };
    r->payload.size = 0;
    if (!buffer_reserve(&r->payload, 1)) /* so that there is a place even where there is no byte */
        return STAMMA_ERROR_NO_MEMORY;
    for (uint64_t left = size; left > 0;) {
        size_t step = left < STEP ? (size_t)left : STEP;
        bool ended;
        if (!buffer_reserve(&r->payload, step))
            return STAMMA_ERROR_NO_MEMORY;
        stamma_error error = read_exactly(r, r->payload.data + r->payload.size, step, &ended);
        if (error != STAMMA_OK || ended)
            return error != STAMMA_OK ? error : stamma_reader_fail(r, r->at, STAMMA_ERROR_CORRUPT);
        r->payload.size += keep ? step : 0;
        left -= step;
    }
    return STAMMA_OK;
}

static stamma_error read_whole_frame(stamma_archive_reader *r, const frame *f, uint64_t at)
{
    stamma_error error = read_payload(r, f->size, true);
    if (error != STAMMA_OK)
        return error;
    bool fine = stamma_check32(r->payload.data, f->head_size) == f->head_check;
    return fine ? STAMMA_OK : stamma_reader_fail(r, at, STAMMA_ERROR_CORRUPT);
}

/* ---- commits (7) ---- */

static stamma_error keep_places(stamma_archive_reader *r, const block_places *more)
{
    for (size_t i = 0; i < more->count; i++)
        if (!stamma_places_add(&r->places, more->places[i], &r->allocator))
            return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

/* Takes the commit frame at `at`, whose header was just read: it must fit the last one and the blocks met since. */
static stamma_error take_commit(stamma_archive_reader *r, const frame *f, uint64_t at)
{
    commit c = {.start = r->last.start};
    stamma_error error =
        f->head_size == f->size ? read_whole_frame(r, f, at) : stamma_reader_fail(r, at, STAMMA_ERROR_CORRUPT);
    if (error == STAMMA_OK)
        error = stamma_commit_read(r->payload.data, r->payload.size, &c, &r->allocator);
    const stamma_archive_counts *found = r->seekable ? NULL : &r->found;
    if (error == STAMMA_OK && !stamma_commit_follows(&c, &r->last, at, &r->pending, found))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK && r->seekable)
        error = keep_places(r, &c.places);
    memory_release(&r->allocator, c.places.places);
    if (error != STAMMA_OK)
        return stamma_reader_fail(r, at, error);
    r->last = c;
    r->last.places = (block_places){NULL, 0, 0};
    r->last.start = r->at;
    r->pending.count = 0;
    r->left = (milestone){r->last, r->places.count};
    if (c.finished) {
        r->finished_before = r->finished;
        r->finished = r->left;
    }
    return STAMMA_OK;
}

/* A block's frame was met at `place`. */
static stamma_error note_block(stamma_archive_reader *r, block_place place)
{
    if (r->pending.count == COMMIT_BLOCKS_MAX)
        return stamma_reader_fail(r, place.offset, STAMMA_ERROR_CORRUPT);
    return stamma_places_add(&r->pending, place, &r->allocator) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Whether the rest of the input ends as a commit ends: then something that was committed stands behind damage. */
static bool ends_in_commit(stamma_archive_reader *r)
{
    uint8_t end[4096] = {0};
    size_t kept = 0;
    for (;;) {
        ptrdiff_t got = r->input.read(r->input.context, end + kept, sizeof end - kept);
        if (got <= 0 || (size_t)got > sizeof end - kept)
            return kept >= 8 && memcmp(end + kept - 8, stamma_commit_magic, 8) == 0;
        kept += (size_t)got;
        if (kept == sizeof end) {
            memmove(end, end + sizeof end - 16, 16);
            kept = 16;
        }
    }
}

/* Goes from frame to frame, notes every block and takes every commit, until the input ends or something is wrong. */
static stamma_error scan_frames(stamma_archive_reader *r)
{
    uint64_t at = ARCHIVE_HEADER_SIZE;
    for (;;) {
        frame f;
        bool ended = false;
        stamma_error error = seek_to(r, at);
        if (error == STAMMA_OK)
            error = read_frame_header(r, &f, &ended);
        if (error != STAMMA_OK || ended)
            return error;
        if (f.type == FRAME_BLOCK)
            error = note_block(r, (block_place){at, 0, 0});
        else if (f.type == FRAME_COMMIT)
            error = take_commit(r, &f, at);
        else if (f.flags & FRAME_MANDATORY)
            error = stamma_reader_fail(r, at, STAMMA_ERROR_UNSUPPORTED);
        if (error != STAMMA_OK)
            return error;
        at += FRAME_HEADER_SIZE + f.size;
    }
}

/* Where something was appended and the writer did not finish, that is no part of the archive (1.3). */
static void ignore_unfinished(stamma_archive_reader *r)
{
    r->pending.count = 0;
    if (!r->finished.commit.finished)
        return;
    r->last = r->finished.commit;
    r->places.count = r->finished.places;
}

/* What follows the last commit is ignored (1.3), unless it is damage with more commits behind it. */
static stamma_error find_commits(stamma_archive_reader *r)
{
    stamma_error error = scan_frames(r);
    ignore_unfinished(r);
    if (error != STAMMA_ERROR_CORRUPT)
        return error;
    uint64_t damaged = r->error_at;
    error = seek_to(r, damaged);
    bool committed = error == STAMMA_OK && ends_in_commit(r);
    return committed ? stamma_reader_fail(r, damaged, STAMMA_ERROR_CORRUPT) : error;
}

stamma_error stamma_archive_reader_open(const stamma_input *input, const stamma_archive_reader_options *options,
                                        stamma_archive_reader **reader)
{
    if (!input_is_given(input) || !reader || (options && options->size != sizeof *options))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(options ? options->allocator : NULL);
    if (!allocator_is_given(&allocator) || (options && !stamma_executor_is_given(options->executor)))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_archive_reader *r = (stamma_archive_reader *)memory_allocate(&allocator, sizeof *r);
    if (!r)
        return STAMMA_ERROR_NO_MEMORY;
    memset(r, 0, sizeof *r);
    r->allocator = allocator;
    r->input = *input;
    r->payload.allocator = &r->allocator;
    stamma_game_batch_init(&r->batch, &r->allocator);
    stamma_block_reader_init(&r->block, &r->allocator);
    if (options && options->executor)
        r->executor = *options->executor;
    r->memory = options ? options->memory : 0;
    r->last.start = r->left.commit.start = ARCHIVE_HEADER_SIZE;
    r->piece = PIECE_CLOSED;
    r->seekable = input->seek && input->seek(input->context, 0);
    uint8_t header[ARCHIVE_HEADER_SIZE];
    bool ended;
    stamma_error error = read_exactly(r, header, sizeof header, &ended);
    if (ended || error == STAMMA_ERROR_CORRUPT)
        error = STAMMA_ERROR_SYNTAX;
    if (error == STAMMA_OK)
        error = stamma_archive_header_read(header);
    if (error == STAMMA_OK && r->seekable)
        error = find_commits(r);
    if (error != STAMMA_OK) {
        stamma_archive_reader_close(r);
        return error;
    }
    *reader = r;
    return STAMMA_OK;
}

void stamma_archive_reader_close(stamma_archive_reader *r)
{
    if (!r)
        return;
    stamma_allocator allocator = r->allocator;
    stamma_block_reader_release(&r->block);
    stamma_buffer_release(&r->payload);
    stamma_game_batch_release(&r->batch);
    memory_release(&allocator, r->places.places);
    memory_release(&allocator, r->pending.places);
    memory_release(&allocator, r);
}

uint64_t stamma_archive_end(const stamma_archive_reader *r)
{
    return r->seekable ? r->last.start : 0;
}

uint64_t stamma_archive_interrupted_end(const stamma_archive_reader *r)
{
    return r->seekable ? r->left.commit.start : 0;
}

stamma_place stamma_archive_reader_place(const stamma_archive_reader *r)
{
    return (stamma_place){.offset = r->error_at, .game = r->error_game};
}

/* ---- blocks ---- */

static void forget_block(stamma_archive_reader *r)
{
    stamma_game_batch_clear(&r->batch);
    r->loaded = false;
    r->games_here = r->games_read = 0;
}

/* Done with the block that is loaded; `piece` as it was left. */
static void leave_block(stamma_archive_reader *r)
{
    if (r->loaded) {
        bool all = r->block.next == r->block.head.records;
        r->games += r->block.head.counts.games;
        r->piece = !all ? PIECE_UNKNOWN : r->block.last_kind == ITEM_END_OF_PIECE ? PIECE_OPEN : PIECE_CLOSED;
    }
    forget_block(r);
}

/* Reads the block's frame whose header was just read, and its head. */
static stamma_error read_block(stamma_archive_reader *r, const frame *f)
{
    uint64_t at = r->at - FRAME_HEADER_SIZE;
    stamma_error error = read_whole_frame(r, f, at);
    if (error != STAMMA_OK)
        return error;
    cursor in = {r->payload.data, r->payload.data + f->head_size, false};
    r->place = (block_frame){at, f->head_size};
    error = stamma_block_read_head(&in, &r->head);
    return error == STAMMA_OK ? STAMMA_OK : stamma_reader_fail(r, at, error);
}

static stamma_error load_block(stamma_archive_reader *r)
{
    stamma_error error = stamma_block_reader_load(&r->block, r->payload.data, r->payload.size, r->place.head_size);
    bool fits = r->piece == PIECE_UNKNOWN || r->head.continues == (r->piece == PIECE_OPEN);
    if (error == STAMMA_OK && !fits)
        error = STAMMA_ERROR_CORRUPT;
    if (error != STAMMA_OK)
        return stamma_reader_fail(r, r->place.offset, error);
    r->loaded = true;
    r->whole = true;
    XXH64_reset(&r->hash, 0);
    r->hashed = 0;
    return STAMMA_OK;
}

/* With a seek: the last commit must have counted all blocks, which shows when all were read (7.2). */
static bool are_totals_right(const stamma_archive_reader *r)
{
    bool all = r->seekable && r->places_read == r->places.count;
    return !all || stamma_counts_equal(&r->found, &r->last.totals);
}

/* The archive's end: it must be finished. */
static stamma_error end_archive(stamma_archive_reader *r)
{
    bool fine = r->last.finished && r->pending.count == 0 && are_totals_right(r);
    return fine ? STAMMA_OK : stamma_reader_fail(r, r->at, STAMMA_ERROR_CORRUPT);
}

static stamma_error stream_frame(stamma_archive_reader *r, const frame *f, bool *found)
{
    uint64_t at = r->at - FRAME_HEADER_SIZE;
    if (f->type == FRAME_COMMIT)
        return take_commit(r, f, at);
    if (f->type != FRAME_BLOCK)
        return f->flags & FRAME_MANDATORY ? stamma_reader_fail(r, at, STAMMA_ERROR_UNSUPPORTED)
                                          : read_payload(r, f->size, false);
    stamma_error error = read_block(r, f);
    if (error != STAMMA_OK)
        return error;
    const stamma_archive_counts *counts = &r->head.counts;
    stamma_counts_add(&r->found, counts);
    *found = true;
    return note_block(r, (block_place){at, counts->games, counts->bytes_in});
}

/* Without a seek: the next block, passing over other frames. What follows a finished archive is ignored (1.3). */
static stamma_error stream_block(stamma_archive_reader *r, bool *found)
{
    while (!*found) {
        frame f;
        bool ended;
        stamma_error error = read_frame_header(r, &f, &ended);
        bool finished = r->last.finished && r->pending.count == 0;
        if (error == STAMMA_ERROR_CORRUPT && finished)
            ended = !ends_in_commit(r);
        if (ended)
            return end_archive(r);
        if (error == STAMMA_OK)
            error = stream_frame(r, &f, found);
        if (error != STAMMA_OK)
            return error;
    }
    return STAMMA_OK;
}

/* With a seek: the next block of those that the commits list. */
static stamma_error listed_block(stamma_archive_reader *r, bool *found)
{
    frame f;
    bool ended;
    if (r->next_place == r->places.count)
        return end_archive(r);
    const block_place *place = &r->places.places[r->next_place++];
    stamma_error error = seek_to(r, place->offset);
    if (error == STAMMA_OK)
        error = read_frame_header(r, &f, &ended);
    if (error == STAMMA_OK && (ended || f.type != FRAME_BLOCK))
        error = stamma_reader_fail(r, place->offset, STAMMA_ERROR_CORRUPT);
    if (error == STAMMA_OK)
        error = read_block(r, &f);
    const stamma_archive_counts *counts = &r->head.counts;
    if (error == STAMMA_OK && (counts->games != place->games || counts->bytes_in != place->text_size))
        error = stamma_reader_fail(r, place->offset, STAMMA_ERROR_CORRUPT);
    *found = error == STAMMA_OK;
    if (*found && r->next_place == r->places_read + 1) {
        stamma_counts_add(&r->found, counts);
        r->places_read++;
    }
    return error;
}

stamma_error stamma_reader_next_frame(stamma_archive_reader *r, bool *found)
{
    *found = false;
    if (r->seekable)
        return listed_block(r, found);
    if (r->broken == STAMMA_OK)
        r->broken = stream_block(r, found);
    return r->broken;
}

stamma_error stamma_reader_next_block(stamma_archive_reader *r, bool *found)
{
    leave_block(r);
    size_t number = r->next_place;
    stamma_error error = stamma_reader_next_frame(r, found);
    if (error == STAMMA_OK && *found)
        error = load_block(r);
    else if (error == STAMMA_OK && r->piece == PIECE_OPEN) /* nor may a game be open at the end */
        error = stamma_reader_fail(r, r->at, STAMMA_ERROR_CORRUPT);
    if (error == STAMMA_OK)
        return STAMMA_OK;
    *found = false;
    if (!r->seekable)
        return r->broken = error;
    if (number < r->places.count) { /* the next call goes on behind it */
        r->games += r->places.places[number].games;
        r->piece = PIECE_UNKNOWN;
    }
    return error;
}

/* ---- records ---- */

/* Something is wrong in the block: the next call goes on behind it. */
static stamma_error give_up_block(stamma_archive_reader *r, stamma_error error)
{
    r->games_here += r->games_here < r->block.head.counts.games;
    stamma_reader_fail(r, r->place.offset, error);
    leave_block(r);
    r->piece = PIECE_UNKNOWN;
    return error;
}

/* After the last record of a block: all of it must have been used, and its text be the text that was packed. */
static bool is_block_right(stamma_archive_reader *r)
{
    const block_head *head = &r->block.head;
    bool fine = stamma_block_reader_is_done(&r->block) && r->games_read == head->counts.games;
    return fine && (!r->whole || (r->hashed == head->text_size && XXH64_digest(&r->hash) == head->text_check));
}

static stamma_error check_block(stamma_archive_reader *r)
{
    if (r->block.next < r->block.head.records || is_block_right(r))
        return STAMMA_OK;
    (void)give_up_block(r, STAMMA_ERROR_CORRUPT);
    r->error_game = 0; /* it may be in any of them */
    return STAMMA_ERROR_CORRUPT;
}

/* Reads the next group of records. */
static stamma_error read_group(stamma_archive_reader *r)
{
    game_batch *g = &r->batch;
    bool decoded;
    stamma_error error = stamma_game_batch_read(g, &r->block, &decoded);
    r->games_read += stamma_game_batch_games(g);
    if (error != STAMMA_OK) {
        r->games_here = r->games_read;
        (void)give_up_block(r, error);
        r->error_game = decoded ? 0 : r->error_game;
        return error;
    }
    XXH64_update(&r->hash, g->text.data ? g->text.data : (const uint8_t *)"", g->text.size);
    r->hashed += g->text.size;
    return check_block(r);
}

/* Passes the next group of records. */
static stamma_error pass_group(stamma_archive_reader *r)
{
    r->whole = false;
    do {
        stamma_error error = stamma_block_reader_next(&r->block, true);
        if (error != STAMMA_OK)
            return give_up_block(r, error);
        r->games_here = r->games_read += !r->block.record.continuation;
    } while (!block_ends_group(&r->block));
    return check_block(r);
}

/* The next game of the batch, which must have one. */
static stamma_archive_game take_game(stamma_archive_reader *r)
{
    stamma_archive_game game = stamma_game_batch_take(&r->batch);
    r->games_here += !game.continuation;
    game.number = r->games + r->games_here;
    return game;
}

stamma_error stamma_archive_game_count(stamma_archive_reader *r, uint64_t *games)
{
    if (!r || !games)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (r->seekable) {
        *games = r->last.totals.games;
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

/* Loads blocks until one has a record left, or the batch has one. */
static stamma_error reach_group(stamma_archive_reader *r, bool *found)
{
    *found = true;
    while (!stamma_game_batch_next(&r->batch) && (!r->loaded || r->block.next == r->block.head.records)) {
        stamma_error error = stamma_reader_next_block(r, found);
        if (error != STAMMA_OK || !*found)
            return error;
    }
    return STAMMA_OK;
}

stamma_error stamma_archive_next(stamma_archive_reader *r, stamma_archive_game *game, bool *found)
{
    if (!r || !game || !found)
        return STAMMA_ERROR_BAD_ARGUMENT;
    bool any;
    r->moved = true;
    stamma_error error = reach_group(r, &any);
    if (error == STAMMA_OK && any && !stamma_game_batch_next(&r->batch))
        error = read_group(r);
    if (error != STAMMA_OK)
        return error;
    if (any)
        *game = take_game(r);
    *found = any;
    return STAMMA_OK;
}

/* With a seek: makes the block that holds a game the next one. */
static void find_block(stamma_archive_reader *r, uint64_t number)
{
    uint64_t games = 0;
    size_t i = 0;
    while (i < r->places.count && games + r->places.places[i].games < number)
        games += r->places.places[i++].games;
    bool here = r->loaded && i + 1 == r->next_place && games + r->games_here < number;
    if (here)
        return;
    forget_block(r);
    r->games = games;
    r->next_place = i;
    r->piece = PIECE_UNKNOWN;
}

/* Whether the next game of the batch is game `number`. */
static bool is_next(const stamma_archive_reader *r, uint64_t number)
{
    return !stamma_game_batch_next(&r->batch)->continuation && r->games + r->games_here + 1 == number;
}

/* Goes one step on towards game `number`; *there where it is the next. */
static stamma_error step_to(stamma_archive_reader *r, uint64_t number, bool *there)
{
    if (stamma_game_batch_next(&r->batch)) {
        *there = is_next(r, number);
        if (!*there)
            (void)take_game(r);
        return STAMMA_OK;
    }
    uint64_t games = stamma_group_games(&r->block);
    bool passes = games < number - r->games - r->games_here;
    return passes ? pass_group(r) : read_group(r);
}

stamma_error stamma_archive_seek(stamma_archive_reader *r, uint64_t number)
{
    if (!r || number == 0 || (!r->seekable && number <= r->games + r->games_here))
        return STAMMA_ERROR_BAD_ARGUMENT;
    r->moved = true;
    if (r->seekable)
        find_block(r, number);
    for (bool there = false; !there;) {
        bool found;
        stamma_error error = reach_group(r, &found);
        if (error == STAMMA_OK && found)
            error = step_to(r, number, &there);
        if (error != STAMMA_OK || !found)
            return error;
    }
    return STAMMA_OK;
}
