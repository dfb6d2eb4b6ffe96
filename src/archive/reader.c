/* SPDX-License-Identifier: MIT */
/* Reads archives. If the input can seek, blocks are read from the list that a scan makes; otherwise, they are read as
 * the scan finds them. */
#include "archive/handle.h"

/* ---- errors ---- */

static bool is_damage(stamma_error error)
{
    return error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED;
}

bool stamma_reader_continues(const stamma_archive_reader *r, stamma_error error)
{
    return r->damage && is_damage(error);
}

/* Asks the caller whether to stop, until the answer is yes. */
static bool is_stopped(void *reader)
{
    stamma_archive_reader *r = (stamma_archive_reader *)reader;
    r->stopped = r->stopped || r->stop(r->context);
    return r->stopped;
}

/* Decoding reports a record as corrupt if the caller stopped it within the record. */
stamma_error stamma_reader_or_cancelled(const stamma_archive_reader *r, stamma_error error)
{
    return error == STAMMA_ERROR_CORRUPT && r->stopped ? STAMMA_ERROR_CANCELLED : error;
}

/* ---- opening and closing ---- */

/* Ignores a report of damage. */
static void skip_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

/* Initialises the reader, except its input. */
static bool init_reader(stamma_archive_reader *r, const stamma_archive_reader_options *options)
{
    block_slot open;
    if (!stamma_block_slot_new(&open, r->of_blocks))
        return false;
    r->block = open.reader;
    r->bookmarks = open.bookmarks;
    r->payload = open.payload;
    r->groups = open.groups;
    stamma_game_batch_init(&r->own_batch, r->of_blocks);
    r->batch = &r->own_batch;
    r->parts = r->block->plan.parts;
    r->keep_limit = r->archive ? r->archive->cache.limit : 0;
    if (options->executor)
        r->executor = *options->executor;
    r->memory = options->memory;
    r->context = options->context;
    r->damage = options->damage || !r->archive || !r->archive->skip_damage ? options->damage : skip_damage;
    r->progress = options->progress;
    r->stop = options->stop;
    r->check = (stop_check){is_stopped, r};
    r->piece = PIECE_CLOSED;
    stamma_reader_scan_init(r);
    return true;
}

/* Opens an archive from a stream, or, if that is NULL, from bytes. */
static stamma_error open_reader(const archive_input *stream, const stamma_bytes *bytes, stamma_archive *archive,
                                const stamma_archive_reader_options *given, stamma_archive_reader **reader)
{
    stamma_archive_reader_options options = {0};
    stamma_error error =
        stamma_archive_options_read(given, &options, sizeof options, &options.allocator, &options.executor);
    if (error != STAMMA_OK)
        return error;
    if (archive) {
        options.allocator = options.allocator ? options.allocator : &archive->allocator;
        handle_defaults(archive, &options.executor, &options.memory);
    }
    const stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_archive_reader *r = (stamma_archive_reader *)memory_allocate(&allocator, sizeof *r);
    if (!r)
        return STAMMA_ERROR_NO_MEMORY;
    *r = (stamma_archive_reader){.allocator = allocator, .archive = archive, .seekable = !stream};
    r->of_blocks = archive ? &archive->allocator : &r->allocator;
    if (bytes)
        r->bytes.bytes = *bytes;
    r->input = stream ? *stream : stamma_bytes_input(&r->bytes);
    if (!init_reader(r, &options)) {
        memory_release(&allocator, r);
        return STAMMA_ERROR_NO_MEMORY;
    }
    error = stamma_reader_begin_scan(r);
    if (error == STAMMA_OK && r->seekable)
        error = stamma_reader_open_tables(r);
    if (error == STAMMA_OK && r->seekable && !r->by_table)
        error = stamma_reader_list_blocks(r);
    if (error != STAMMA_OK) {
        stamma_archive_reader_close(r);
        return error;
    }
    *reader = r;
    return STAMMA_OK;
}

stamma_error stamma_archive_reader_open_stream(const stamma_input *input, const stamma_archive_reader_options *options,
                                               stamma_archive_reader **reader)
{
    if (!input_is_given(input) || !reader)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const archive_input stream = {.context = input->context, .read = input->read};
    return open_reader(&stream, NULL, NULL, options, reader);
}

stamma_error stamma_archive_reader_open(stamma_archive *archive, const stamma_archive_reader_options *options,
                                        stamma_archive_reader **reader)
{
    return archive ? stamma_reader_open_bytes(&archive->bytes, archive, options, reader) : STAMMA_ERROR_BAD_ARGUMENT;
}

stamma_error stamma_reader_open_bytes(const stamma_bytes *bytes, stamma_archive *archive,
                                      const stamma_archive_reader_options *options, stamma_archive_reader **reader)
{
    if (!bytes_are_given(bytes) || !reader)
        return STAMMA_ERROR_BAD_ARGUMENT;
    return open_reader(NULL, bytes, archive, options, reader);
}

void stamma_archive_reader_close(stamma_archive_reader *r)
{
    if (!r)
        return;
    stamma_allocator allocator = r->allocator;
    stamma_scan_release(&r->scan);
    stamma_reader_park(r);
    stamma_block_slot_release(&(block_slot){r->block, r->bookmarks, r->groups, r->payload}, r->of_blocks);
    stamma_game_batch_release(&r->own_batch);
    memory_release(&allocator, r->places);
    memory_release(&allocator, r);
}

/* ---- frames ---- */

/* Reads the head of the block whose payload was read. */
static stamma_error read_head(stamma_archive_reader *r)
{
    cursor in = {r->payload.data, r->payload.data + r->frame.head_size, false};
    r->head_damaged = stamma_check32(r->payload.data, r->frame.head_size) != r->frame.head_check ||
                      stamma_block_read_head(&in, &r->head) != STAMMA_OK;
    return r->head_damaged ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

/* Reads the frame of the block at a place of the list. */
static stamma_error read_place(stamma_archive_reader *r, const placed_block *place)
{
    bool whole;
    if (!r->input.seek(r->input.context, place->offset))
        return STAMMA_ERROR_IO;
    stamma_error error = stamma_reader_read_bytes(r, FRAME_HEADER_SIZE, &whole);
    if (error == STAMMA_OK)
        error = whole ? stamma_frame_read(r->payload.data, &r->frame) : STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK && !stamma_reader_is_at(r, &r->frame, place))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = stamma_reader_read_bytes(r, r->frame.size, &whole);
    if (error == STAMMA_OK)
        error = whole ? read_head(r) : STAMMA_ERROR_CORRUPT;
    r->place = (block_frame){place->offset, r->frame.head_size, r->games, r->next_place - 1};
    if (error == STAMMA_OK && !stamma_reader_is_counted(&r->head, place))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK && r->next_place == r->places_read + 1) {
        stamma_counts_add(&r->found, &r->head.counts);
        r->places_read++;
    }
    return error;
}

static bool is_exact(const span *s)
{
    return s->end - s->begin == s->size;
}

void stamma_reader_meet_block(stamma_archive_reader *r, uint64_t number, uint64_t games, bool numbered)
{
    if (number != r->next_number)
        r->piece = PIECE_UNKNOWN;
    r->next_number = number + 1;
    r->games = games;
    r->numbered = numbered;
}

/* If the input can seek: reads the frame of the next block in the list. */
static stamma_error listed_block(stamma_archive_reader *r, bool *found)
{
    r->head_damaged = true; /* until it is read */
    if (r->next_place == r->place_count) {
        r->games = r->scan.found_all.all.games;
        return STAMMA_OK;
    }
    const placed_block *place = &r->places[r->next_place];
    if (stamma_reader_is_broken_at(r, place))
        return reader_fail(r, r->broken_at, r->broken);
    r->next_place++;
    const uint64_t number = place->number, offset = place->offset;
    stamma_reader_meet_block(r, number, place->spans[SPAN_GAMES].begin, is_exact(&place->spans[SPAN_GAMES]));
    stamma_error error = read_place(r, place);
    *found = error == STAMMA_OK;
    if (r->by_table && is_damage(error)) { /* the table may be wrong, or only the block is damaged */
        error = stamma_reader_scan_frames(r, number);
        r->next_number = number;
        return error == STAMMA_OK ? stamma_reader_next_frame(r, found) : error;
    }
    return *found ? STAMMA_OK : reader_fail(r, offset, error);
}

/* If the input cannot seek: reads the frame of the next block that the scan finds. */
static stamma_error scanned_block(stamma_archive_reader *r, bool *found)
{
    scan *s = &r->scan;
    scan_event event = SCAN_COMMIT;
    stamma_error error = STAMMA_OK;
    if (!r->deferred)
        error = stamma_scan_settle(s, STAMMA_DAMAGE_NONE, STAMMA_OK, NULL, false, 0);
    while (error == STAMMA_OK && event == SCAN_COMMIT && !r->ended) {
        error = stamma_scan_next(s, &r->payload, &event);
        if (error == STAMMA_OK && event == SCAN_COMMIT)
            stamma_reader_take_commit(r);
    }
    if (error != STAMMA_OK)
        return reader_fail(r, s->frames.at, error);
    r->ended |= event == SCAN_END;
    uint64_t at = r->ended ? s->frames.at : s->block.offset;
    if (!r->damage && s->trouble != STAMMA_OK && s->trouble_at <= at)
        return reader_fail(r, s->trouble_at, s->trouble);
    if (r->ended) {
        r->games = s->found.games;
        return STAMMA_OK;
    }
    stamma_reader_meet_block(r, s->block.number, s->found.games - s->block.head.counts.games, s->found_known);
    r->frame = s->block.header;
    r->place = (block_frame){s->block.offset, r->frame.head_size, r->games, 0};
    *found = true;
    return read_head(r);
}

stamma_error stamma_reader_next_frame(stamma_archive_reader *r, bool *found)
{
    *found = false;
    return r->seekable ? listed_block(r, found) : scanned_block(r, found);
}

/* ---- blocks ---- */

stamma_error stamma_reader_report_block(stamma_archive_reader *r, const block_frame *place, stamma_damage_kind kind,
                                        stamma_error error, buffer *columns, uint64_t game)
{
    if (!r->seekable)
        return stamma_scan_settle(&r->scan, kind, error, columns, game > 0, game);
    if (r->by_table) { /* the number of the frame is not known */
        stamma_error scanned = stamma_reader_scan_frames(r, r->next_number);
        if (scanned != STAMMA_OK)
            return scanned;
    }
    const placed_block *listed = stamma_reader_find_place(r, place->offset);
    if (!listed) /* the scan reported it */
        return STAMMA_OK;
    finding f = {.kind = kind,
                 .error = error,
                 .offset = listed->offset,
                 .end = listed->end,
                 .frame = listed->frame,
                 .in_game = game > 0,
                 .game = game};
    memcpy(f.spans, listed->spans, sizeof f.spans);
    if (columns)
        f.columns = *columns;
    if (kind != STAMMA_DAMAGE_NONE)
        stamma_scan_report(&r->scan, &f);
    return STAMMA_OK;
}

/* Reports that the block last read does not decode. `game` is the game in the block, from 1; 0: unknown. */
stamma_error stamma_reader_report_loaded(stamma_archive_reader *r, stamma_error error, uint64_t game)
{
    buffer columns = {.allocator = &r->allocator}, search = columns;
    stamma_damage_kind kind = r->head_damaged ? STAMMA_DAMAGE_HEAD : STAMMA_DAMAGE_CONTENT;
    if (!r->head_damaged)
        (void)stamma_columns_check(&r->payload, &r->place, &columns, &search);
    if (columns.size > 0)
        kind = STAMMA_DAMAGE_COLUMN;
    error = stamma_reader_report_block(r, &r->place, kind, error, &columns, columns.size > 0 ? 0 : game);
    stamma_buffer_release(&columns);
    stamma_buffer_release(&search);
    return error;
}

stamma_error stamma_reader_rewind(stamma_archive_reader *r)
{
    if (r->moved && !r->seekable)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_reader_forget_block(r);
    r->moved = true;
    r->stoppable = r->stopped = false;
    r->next_place = r->places_read = 0;
    r->found = (stamma_archive_counts){0};
    r->piece = PIECE_CLOSED;
    r->next_number = r->games = 0;
    r->error_game = 0;
    return STAMMA_OK;
}

stamma_error stamma_reader_progress(stamma_archive_reader *r, uint64_t done)
{
    uint64_t total = r->seekable ? r->scan.found_all.input_size : 0;
    return !r->progress || r->progress(r->context, done, total) ? STAMMA_OK : STAMMA_ERROR_CANCELLED;
}

void stamma_reader_leave_block(stamma_archive_reader *r)
{
    if (r->loaded) {
        const block_reader *b = r->block;
        const bool all = r->next_record == b->head.records && b->state.next == b->head.records;
        r->games += b->head.counts.games;
        r->piece = !all ? PIECE_UNKNOWN : b->state.last_kind == ITEM_END_OF_PIECE ? PIECE_OPEN : PIECE_CLOSED;
    }
    if (r->groups->count > 0)
        stamma_reader_park(r);
    stamma_reader_forget_block(r);
}

/* Opens the block for the parts for which the last block was opened. Only the parts that the caller has selected are
 * used if the moves are not in lanes, or if columns of other parts are damaged. */
static stamma_error open_parts(stamma_archive_reader *r)
{
    const size_t head_size = r->place.head_size;
    if (r->block->plan.parts != r->parts && stamma_payload_level(&r->payload, head_size, 0) != LEVEL_ADAPTIVE)
        stamma_block_reader_select(r->block, r->parts);
    stamma_error error = stamma_block_reader_load(r->block, r->payload.data, r->payload.size, head_size);
    if (error != STAMMA_ERROR_CORRUPT || r->block->plan.parts == r->parts)
        return error;
    stamma_block_reader_select(r->block, r->parts);
    return stamma_block_reader_load(r->block, r->payload.data, r->payload.size, head_size);
}

stamma_error stamma_reader_load_block(stamma_archive_reader *r)
{
    r->block->plan.memory = block_memory_limit(r->memory);
    r->block->plan.stop = r->stoppable ? &r->check : NULL;
    stamma_error error = stamma_reader_or_cancelled(r, open_parts(r));
    bool fits = r->piece == PIECE_UNKNOWN || r->head.continues == (r->piece == PIECE_OPEN);
    if (error == STAMMA_OK && !fits)
        error = STAMMA_ERROR_CORRUPT;
    if (error != STAMMA_OK)
        return reader_fail(r, r->place.offset, error);
    r->loaded = true;
    r->whole = true;
    r->next_record = r->opened = 0;
    stamma_kept_groups_begin(r->groups, r->block);
    XXH64_reset(&r->hash, 0);
    r->hashed = 0;
    return STAMMA_OK;
}

/* Returns false if the totals of the last commit differ from the sums of the blocks (7.2). They are only compared if
 * the input can seek and all blocks were read. */
static bool are_totals_right(const stamma_archive_reader *r)
{
    bool all = r->seekable && r->broken == STAMMA_OK && r->places_read == r->place_count;
    return !all || stamma_counts_equal(&r->found, &r->scan.found_all.all);
}

/* Reports wrong totals once. */
static void report_totals(stamma_archive_reader *r)
{
    finding f = {
        .kind = STAMMA_DAMAGE_COMMIT, .error = STAMMA_ERROR_CORRUPT, .offset = r->last.offset, .end = r->last.start};
    r->places_read = SIZE_MAX;
    stamma_scan_report(&r->scan, &f);
}

stamma_error stamma_reader_end(stamma_archive_reader *r)
{
    scan *s = &r->scan;
    stamma_error error = stamma_reader_scan_frames(r, UINT64_MAX);
    if (error != STAMMA_OK)
        return error;
    if (!r->seekable && s->found_all.input_size == 0)
        (void)stamma_reader_end_scan(r); /* which fails only if the input can seek */
    bool open = r->piece == PIECE_OPEN && r->next_number >= r->scan.found_all.all_blocks;
    if (r->damage && open) {
        r->piece = PIECE_CLOSED;
        stamma_scan_report_end(s, r->scan.found_all.input_size);
    }
    if (r->damage && !are_totals_right(r))
        report_totals(r);
    if (r->damage)
        return STAMMA_OK;
    if (r->broken != STAMMA_OK)
        return reader_fail(r, r->broken_at, r->broken);
    if (r->flaw != STAMMA_OK)
        return reader_fail(r, r->flaw_at, r->flaw);
    if (!are_totals_right(r))
        return reader_fail(r, r->last.offset, STAMMA_ERROR_CORRUPT);
    return open ? reader_fail(r, s->frames.at, STAMMA_ERROR_CORRUPT) : STAMMA_OK;
}

/* Opens the next block, if it can be read. */
static stamma_error try_block(stamma_archive_reader *r, bool *found)
{
    stamma_error error = stamma_reader_next_frame(r, found);
    if (error == STAMMA_OK && *found)
        return stamma_reader_load_block(r);
    return error == STAMMA_OK ? stamma_reader_end(r) : error;
}

stamma_error stamma_reader_next_block(stamma_archive_reader *r, bool *found)
{
    stamma_reader_leave_block(r);
    for (;;) {
        stamma_error error = try_block(r, found);
        if (error == STAMMA_OK)
            return STAMMA_OK;
        *found = false;
        r->piece = PIECE_UNKNOWN; /* the next call continues after this block */
        if (!stamma_reader_continues(r, error))
            return error;
        error = stamma_reader_report_loaded(r, error, 0);
        if (error != STAMMA_OK)
            return error;
    }
}
