/* Reading archives: with a seek through the commits, without one from front to back. */
#include "archive/archive.h"

struct stamma_archive_reader {
    stamma_allocator allocator;
    stamma_input input;
    bool seekable;
    uint64_t at;         /* offset of the next byte to read */
    uint64_t error_at;   /* where the last error was found */
    block_places places; /* with a seek: all blocks in order */
    size_t next_place;
    stamma_archive_counts totals; /* with a seek: of the last commit */
    bool finished;                /* the last commit met is the writer's last */
    uint64_t uncommitted;         /* without: blocks since the last commit */
    uint64_t games;               /* in blocks before the one that is loaded */
    uint64_t games_here;          /* in it, up to the record last read */
    bool loaded;
    uint64_t block_at; /* offset of its frame */
    size_t head_size;
    block_reader block;
    buffer payload;
    buffer text;
    XXH64_state_t hash; /* of the text of the records read in it, while `whole` */
    bool whole;
    buffer tags; /* slices for stamma_archive_game */
    buffer moves;
};

/* ---- bytes ---- */

static stamma_error fail(stamma_archive_reader *r, uint64_t offset, stamma_error error)
{
    r->error_at = offset;
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
            return fail(r, r->at, STAMMA_ERROR_IO);
        if (got == 0) {
            *ended = done == 0;
            return *ended ? STAMMA_OK : fail(r, r->at, STAMMA_ERROR_CORRUPT);
        }
        done += (size_t)got;
        r->at += (size_t)got;
    }
    return STAMMA_OK;
}

static stamma_error seek_to(stamma_archive_reader *r, uint64_t offset)
{
    if (!r->input.seek(r->input.context, offset))
        return fail(r, offset, STAMMA_ERROR_IO);
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
    return error == STAMMA_OK ? STAMMA_OK : fail(r, at, error);
}

/* Reads `size` bytes of a payload in steps, so that a size that lies costs no more memory than there are bytes. */
static stamma_error read_payload(stamma_archive_reader *r, size_t size)
{
    enum { STEP = 1 << 20 };
    r->payload.size = 0;
    while (r->payload.size < size) {
        size_t step = size - r->payload.size < STEP ? size - r->payload.size : STEP;
        bool ended;
        if (!buffer_reserve(&r->payload, step))
            return STAMMA_ERROR_NO_MEMORY;
        stamma_error error = read_exactly(r, r->payload.data + r->payload.size, step, &ended);
        if (error != STAMMA_OK || ended)
            return error != STAMMA_OK ? error : fail(r, r->at, STAMMA_ERROR_CORRUPT);
        r->payload.size += step;
    }
    return STAMMA_OK;
}

static stamma_error check_head(stamma_archive_reader *r, const frame *f, uint64_t at)
{
    bool fine = stamma_check32(r->payload.data, f->head_size) == f->head_check;
    return fine ? STAMMA_OK : fail(r, at, STAMMA_ERROR_CORRUPT);
}

/* ---- commits ---- */

/* Reads the commit frame that should stand at `offset`, which `c` gets without its places appended twice. */
static stamma_error read_commit_at(stamma_archive_reader *r, uint64_t offset, commit *c)
{
    frame f;
    bool ended;
    stamma_error error = seek_to(r, offset);
    if (error == STAMMA_OK)
        error = read_frame_header(r, &f, &ended);
    if (error != STAMMA_OK)
        return error;
    if (ended || f.type != FRAME_COMMIT || f.head_size != f.size)
        return fail(r, offset, STAMMA_ERROR_CORRUPT);
    error = read_payload(r, (size_t)f.size);
    if (error == STAMMA_OK)
        error = check_head(r, &f, offset);
    if (error == STAMMA_OK)
        error = stamma_commit_read(r->payload.data, r->payload.size, c, &r->allocator);
    if (error == STAMMA_ERROR_CORRUPT || (error == STAMMA_OK && c->offset != offset))
        return fail(r, offset, STAMMA_ERROR_CORRUPT);
    return error;
}

/* Whether the rest of the input ends as a commit ends: then something that was committed stands behind damage. */
static bool ends_in_commit(stamma_archive_reader *r)
{
    uint8_t end[4096] = {0};
    size_t kept = 0;
    for (;;) {
        ptrdiff_t got = r->input.read(r->input.context, end + kept, sizeof end - kept);
        if (got <= 0)
            return kept >= 8 && memcmp(end + kept - 8, "StEndCmt", 8) == 0;
        kept += (size_t)got;
        if (kept == sizeof end) {
            memmove(end, end + sizeof end - 16, 16);
            kept = 16;
        }
    }
}

/* Takes the commit at `at`, whose frame was seen. */
static stamma_error take_commit(stamma_archive_reader *r, uint64_t at, commit *c)
{
    size_t known = c->places.count;
    stamma_error error = read_commit_at(r, at, c);
    if (error != STAMMA_OK) {
        c->places.count = known;
        return error;
    }
    c->start = r->at;
    r->totals = c->totals;
    r->totals.bytes_out = r->at;
    r->finished = c->finished;
    return STAMMA_OK;
}

/* Goes from frame to frame and takes every commit. What follows the last is ignored (1.3), unless it is damage with
 * more commits behind it. */
static stamma_error scan_commits(stamma_archive_reader *r)
{
    commit c = {.start = ARCHIVE_HEADER_SIZE};
    stamma_error error = STAMMA_OK;
    bool ended = false;
    uint64_t at = ARCHIVE_HEADER_SIZE;
    while (error == STAMMA_OK) {
        frame f;
        error = seek_to(r, at);
        if (error == STAMMA_OK)
            error = read_frame_header(r, &f, &ended);
        if (error != STAMMA_OK || ended)
            break;
        if (f.type == FRAME_COMMIT)
            error = take_commit(r, at, &c);
        else if (f.type != FRAME_BLOCK && f.flags & FRAME_MANDATORY)
            error = fail(r, at, STAMMA_ERROR_UNSUPPORTED);
        at += FRAME_HEADER_SIZE + f.size;
    }
    r->places = c.places;
    if (error != STAMMA_ERROR_CORRUPT)
        return error;
    uint64_t damaged = r->error_at;
    bool lost = ends_in_commit(r);
    return lost ? fail(r, damaged, STAMMA_ERROR_CORRUPT) : STAMMA_OK;
}

stamma_error stamma_archive_reader_open(const stamma_input *input, const stamma_archive_reader_options *options,
                                        stamma_archive_reader **reader)
{
    if (!input || !reader || (options && options->size != sizeof *options))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(options ? options->allocator : NULL);
    stamma_archive_reader *r = (stamma_archive_reader *)memory_allocate(&allocator, sizeof *r);
    if (!r)
        return STAMMA_ERROR_NO_MEMORY;
    memset(r, 0, sizeof *r);
    r->allocator = allocator;
    r->input = *input;
    r->payload.allocator = r->text.allocator = r->tags.allocator = r->moves.allocator = &r->allocator;
    stamma_block_reader_init(&r->block, &r->allocator);
    r->seekable = input->seek && input->seek(input->context, 0);
    uint8_t header[ARCHIVE_HEADER_SIZE];
    bool ended;
    stamma_error error = read_exactly(r, header, sizeof header, &ended);
    if (ended || error == STAMMA_ERROR_CORRUPT)
        error = STAMMA_ERROR_SYNTAX;
    if (error == STAMMA_OK)
        error = stamma_archive_header_read(header);
    if (error == STAMMA_OK && r->seekable)
        error = scan_commits(r);
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
    stamma_buffer_release(&r->text);
    stamma_buffer_release(&r->tags);
    stamma_buffer_release(&r->moves);
    memory_release(&allocator, r->places.places);
    memory_release(&allocator, r);
}

stamma_place stamma_archive_reader_place(const stamma_archive_reader *r)
{
    return (stamma_place){.offset = r->error_at, .game = r->loaded ? r->games + r->games_here : 0};
}

/* ---- blocks ---- */

/* Loads the block whose frame header was just read. */
static stamma_error load_block(stamma_archive_reader *r, const frame *f)
{
    uint64_t at = r->at - FRAME_HEADER_SIZE;
    if (r->loaded)
        r->games += r->block.head.counts.games;
    r->loaded = false;
    r->games_here = 0;
    stamma_error error = read_payload(r, (size_t)f->size);
    if (error == STAMMA_OK)
        error = check_head(r, f, at);
    if (error == STAMMA_OK)
        error = stamma_block_reader_load(&r->block, r->payload.data, r->payload.size, f->head_size);
    if (error != STAMMA_OK)
        return fail(r, at, error);
    r->loaded = true;
    r->block_at = at;
    r->head_size = f->head_size;
    r->whole = true;
    XXH64_reset(&r->hash, 0);
    return STAMMA_OK;
}

/* Without a seek: the next block, passing over other frames. */
static stamma_error stream_block(stamma_archive_reader *r, bool *found)
{
    for (;;) {
        frame f;
        bool ended;
        uint64_t at = r->at;
        stamma_error error = read_frame_header(r, &f, &ended);
        if (error != STAMMA_OK)
            return error;
        if (ended)
            return r->finished && r->uncommitted == 0 ? STAMMA_OK : fail(r, at, STAMMA_ERROR_CORRUPT);
        if (f.type == FRAME_BLOCK) {
            r->uncommitted++;
            *found = true;
            return load_block(r, &f);
        }
        if (f.type != FRAME_COMMIT && f.flags & FRAME_MANDATORY)
            return fail(r, at, STAMMA_ERROR_UNSUPPORTED);
        error = read_payload(r, (size_t)f.size);
        if (error == STAMMA_OK && f.type == FRAME_COMMIT)
            error = check_head(r, &f, at);
        commit c = {0};
        if (error == STAMMA_OK && f.type == FRAME_COMMIT) {
            error = stamma_commit_read(r->payload.data, r->payload.size, &c, &r->allocator);
            memory_release(&r->allocator, c.places.places);
            r->finished = c.finished;
            r->uncommitted = 0;
        }
        if (error != STAMMA_OK)
            return fail(r, at, error);
    }
}

static stamma_error next_block(stamma_archive_reader *r, bool *found)
{
    *found = false;
    if (!r->seekable)
        return stream_block(r, found);
    if (r->next_place == r->places.count)
        return r->finished ? STAMMA_OK : fail(r, r->at, STAMMA_ERROR_CORRUPT);
    frame f;
    bool ended;
    uint64_t at = r->places.places[r->next_place].offset;
    stamma_error error = seek_to(r, at);
    if (error == STAMMA_OK)
        error = read_frame_header(r, &f, &ended);
    if (error != STAMMA_OK)
        return error;
    if (ended || f.type != FRAME_BLOCK)
        return fail(r, at, STAMMA_ERROR_CORRUPT);
    r->next_place++;
    *found = true;
    return load_block(r, &f);
}

/* ---- records ---- */

/* Reads the next record of the block and appends its text. */
static stamma_error read_record(stamma_archive_reader *r, buffer *text)
{
    block_reader *b = &r->block;
    stamma_error error = stamma_block_reader_next(b, false);
    if (error == STAMMA_OK)
        error = stamma_render(&b->record, &b->styles.styles[b->record.style], text);
    r->games_here += !b->record.continuation;
    return error == STAMMA_OK ? error : fail(r, r->block_at, error);
}

/* After the last record of a block: all of it must have been used, and its text be the text that was packed. */
static stamma_error check_block(stamma_archive_reader *r)
{
    bool fine = stamma_block_reader_is_done(&r->block) && r->games_here == r->block.head.counts.games;
    fine = fine && (!r->whole || XXH64_digest(&r->hash) == r->block.head.text_check);
    return fine ? STAMMA_OK : fail(r, r->block_at, STAMMA_ERROR_CORRUPT);
}

static stamma_error unpack_block(stamma_archive_reader *r, const stamma_output *output)
{
    r->text.size = 0;
    while (r->block.next < r->block.head.records) {
        stamma_error error = read_record(r, &r->text);
        if (error == STAMMA_OK && r->text.size > r->block.head.text_size)
            error = fail(r, r->block_at, STAMMA_ERROR_CORRUPT);
        if (error != STAMMA_OK)
            return error;
    }
    XXH64_update(&r->hash, r->text.data ? r->text.data : (const uint8_t *)"", r->text.size);
    stamma_error error = check_block(r);
    if (error != STAMMA_OK)
        return error;
    bool written = r->text.size == 0 || output->write(output->context, r->text.data, r->text.size);
    return written ? STAMMA_OK : fail(r, r->block_at, STAMMA_ERROR_IO);
}

stamma_error stamma_archive_unpack(stamma_archive_reader *r, const stamma_output *output)
{
    bool found = true;
    if (r->loaded)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (r->seekable && !r->finished)
        return fail(r, r->at, STAMMA_ERROR_CORRUPT);
    while (found) {
        stamma_error error = next_block(r, &found);
        if (error == STAMMA_OK && found)
            error = unpack_block(r, output);
        if (error != STAMMA_OK)
            return error;
    }
    return STAMMA_OK;
}

stamma_error stamma_archive_game_count(stamma_archive_reader *r, uint64_t *games)
{
    if (r->seekable) {
        *games = r->totals.games;
        return STAMMA_OK;
    }
    bool found = true;
    while (found) {
        stamma_error error = next_block(r, &found);
        if (error != STAMMA_OK)
            return error;
    }
    *games = r->games;
    return STAMMA_OK;
}

/* Fills in the tags and moves of a game from its record. */
static stamma_error fill_game(stamma_archive_reader *r, stamma_archive_game *game)
{
    const record *rec = &r->block.record;
    r->tags.size = r->moves.size = 0;
    stamma_text result = {NULL, 0};
    static const char *const results[4] = {"*", "1-0", "0-1", "1/2-1/2"};
    for (size_t i = 0; i < rec->item_count; i++) {
        const item *it = &rec->items[i];
        if (it->kind == ITEM_TAG) {
            buffer_add(&r->tags, &it->name, sizeof it->name);
            buffer_add(&r->tags, &it->text, sizeof it->text);
        } else if (it->kind == ITEM_MOVE && it->depth == 0) {
            buffer_add(&r->moves, &it->move, sizeof it->move);
        } else if (it->kind == ITEM_RESULT && it->depth == 0) {
            result = (stamma_text){results[it->number], strlen(results[it->number])};
        }
    }
    if (r->tags.failed || r->moves.failed)
        return STAMMA_ERROR_NO_MEMORY;
    *game = (stamma_archive_game){.number = r->games + r->games_here,
                                  .continuation = rec->continuation,
                                  .text = {(const char *)r->text.data, r->text.size},
                                  .tag_count = r->tags.size / (2 * sizeof(stamma_text)),
                                  .tags = (const stamma_text *)(const void *)r->tags.data,
                                  .result = result,
                                  .start = rec->start,
                                  .ply_count = r->moves.size / sizeof(stamma_move),
                                  .moves = (const stamma_move *)(const void *)r->moves.data,
                                  .reason = rec->reason,
                                  .reason_offset = rec->reason_offset,
                                  .moves_bits = 8 * (r->moves.size / sizeof(stamma_move))};
    return STAMMA_OK;
}

/* Loads blocks until one has a record left. */
static stamma_error reach_record(stamma_archive_reader *r, bool *found)
{
    *found = true;
    while (!r->loaded || r->block.next == r->block.head.records) {
        stamma_error error = r->loaded ? check_block(r) : STAMMA_OK;
        if (error == STAMMA_OK)
            error = next_block(r, found);
        if (error != STAMMA_OK || !*found)
            return error;
    }
    return STAMMA_OK;
}

stamma_error stamma_archive_next(stamma_archive_reader *r, stamma_archive_game *game, bool *found)
{
    bool any;
    stamma_error error = reach_record(r, &any);
    if (error == STAMMA_OK && any) {
        r->text.size = 0;
        error = read_record(r, &r->text);
        if (error == STAMMA_OK)
            XXH64_update(&r->hash, r->text.data ? r->text.data : (const uint8_t *)"", r->text.size);
        if (error == STAMMA_OK)
            error = fill_game(r, game);
    }
    if (error == STAMMA_OK)
        *found = any;
    return error;
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
    r->loaded = false;
    r->games = games;
    r->games_here = 0;
    r->next_place = i;
}

stamma_error stamma_archive_seek(stamma_archive_reader *r, uint64_t number)
{
    if (number == 0 || (!r->seekable && number <= r->games + r->games_here))
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (r->seekable)
        find_block(r, number);
    for (;;) {
        bool found;
        stamma_error error = reach_record(r, &found);
        if (error != STAMMA_OK || !found)
            return error;
        if (r->games + r->games_here + 1 == number && !stamma_block_reader_continues(&r->block))
            return STAMMA_OK;
        error = stamma_block_reader_next(&r->block, true);
        if (error != STAMMA_OK)
            return fail(r, r->block_at, error);
        r->games_here += !r->block.record.continuation;
        r->whole = false;
    }
}

/* ---- info ---- */

typedef struct column_sums {
    stamma_archive_column *columns;
    size_t count;
    size_t capacity;
} column_sums;

static stamma_error sum_column(stamma_archive_reader *r, column_sums *sums, const column_entry *e)
{
    stamma_archive_column c = {{0}, e->stored_size, e->plain_size};
    bool tag = e->id == COLUMN_TAG;
    const char *name = tag ? "tag:" : e->id < COLUMN_IDS ? stamma_column_names[e->id] : "unknown";
    size_t size = strlen(name), more = sizeof c.name - 1 - size;
    memcpy(c.name, name, size);
    if (tag)
        memcpy(c.name + size, e->name.data, e->name.size < more ? e->name.size : more);
    for (size_t i = 0; i < sums->count; i++)
        if (strcmp(sums->columns[i].name, c.name) == 0) {
            sums->columns[i].stored_bytes += c.stored_bytes;
            sums->columns[i].plain_bytes += c.plain_bytes;
            return STAMMA_OK;
        }
    if (sums->count == sums->capacity) {
        size_t capacity = sums->capacity < 32 ? 32 : sums->capacity * 2;
        void *resized = memory_resize(&r->allocator, sums->columns, size_multiply(capacity, sizeof c));
        if (!resized)
            return STAMMA_ERROR_NO_MEMORY;
        sums->columns = (stamma_archive_column *)resized;
        sums->capacity = capacity;
    }
    sums->columns[sums->count++] = c;
    return STAMMA_OK;
}

static stamma_error sum_columns(stamma_archive_reader *r, const uint8_t *head, size_t size, column_sums *sums,
                                stamma_archive_counts *counts)
{
    cursor in = {head, head + size, false};
    block_head h;
    stamma_error error = stamma_block_read_head(&in, &h);
    if (error == STAMMA_OK) {
        stamma_counts_add(counts, &h.counts);
    }
    for (uint64_t i = 0; error == STAMMA_OK && i < h.columns; i++) {
        column_entry e;
        error = stamma_column_read_entry(&in, &e) ? sum_column(r, sums, &e) : STAMMA_ERROR_CORRUPT;
        if (error == STAMMA_OK && e.id == COLUMN_MOVES)
            counts->moves_bytes += e.stored_size;
    }
    return error == STAMMA_OK ? error : fail(r, r->block_at, error);
}

/* The reasons of the block that is loaded, each game counted once. */
static void sum_reasons(const block_reader *b, uint64_t reasons[STAMMA_REASON_COUNT])
{
    cursor in = b->at[COLUMN_REASONS];
    while (cursor_left(&in) > 0 && !in.failed) {
        stamma_cursor_varint(&in);
        uint8_t reason = cursor_byte(&in);
        stamma_cursor_varint(&in);
        if (!in.failed && reason < STAMMA_REASON_COUNT)
            reasons[reason]++;
    }
}

static void give_columns(column_sums *sums, void (*column)(void *, const stamma_archive_column *), void *context)
{
    for (size_t done = 0; done < sums->count; done++) {
        size_t best = done;
        for (size_t i = done + 1; i < sums->count; i++)
            if (sums->columns[i].stored_bytes > sums->columns[best].stored_bytes)
                best = i;
        stamma_archive_column largest = sums->columns[best];
        sums->columns[best] = sums->columns[done];
        sums->columns[done] = largest;
        column(context, &largest);
    }
}

stamma_error stamma_archive_info(stamma_archive_reader *r, stamma_archive_counts *counts,
                                 uint64_t reasons[STAMMA_REASON_COUNT],
                                 void (*column)(void *context, const stamma_archive_column *column), void *context)
{
    column_sums sums = {NULL, 0, 0};
    stamma_archive_counts total = {0};
    uint64_t by_reason[STAMMA_REASON_COUNT] = {0};
    bool found = true;
    stamma_error error = r->loaded ? STAMMA_ERROR_BAD_ARGUMENT : STAMMA_OK;
    while (error == STAMMA_OK && found) {
        error = next_block(r, &found);
        if (error != STAMMA_OK || !found)
            break;
        error = sum_columns(r, r->payload.data, r->head_size, &sums, &total);
        sum_reasons(&r->block, by_reason);
    }
    total.bytes_out = r->seekable ? r->totals.bytes_out : r->at;
    if (error == STAMMA_OK && counts)
        *counts = total;
    for (unsigned i = 0; error == STAMMA_OK && reasons && i < STAMMA_REASON_COUNT; i++)
        reasons[i] = by_reason[i];
    if (error == STAMMA_OK && column)
        give_columns(&sums, column, context);
    memory_release(&r->allocator, sums.columns);
    return error;
}
