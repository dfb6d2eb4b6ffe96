/* Writing archives: bytes in any pieces, blocks and commits out. */
#include "archive/archive.h"

/* Room for what the parser keeps back and as much again, so that each byte is looked at twice at most. */
enum { INPUT_SIZE = 2 * PARSER_NEEDS };

struct stamma_archive_writer {
    stamma_allocator allocator;
    stamma_output output;
    void *context;
    void (*notice)(void *context, const stamma_archive_notice *notice);
    stamma_error error; /* the first failure: every later call gives it */
    parser parser;
    block_writer block;
    column_coder coder;
    buffer head; /* of a frame */
    buffer body;
    commit commit;
    uint64_t moves_bytes;
    uint64_t written; /* bytes of archive */
    uint64_t passed;  /* bytes of input before the buffer */
    uint64_t line;    /* of the first byte that no line was counted for, from 1 */
    size_t line_at;   /* its place in the buffer */
    size_t input_size;
    uint8_t input[INPUT_SIZE];
};

static void write_out(stamma_archive_writer *w, const void *bytes, size_t size)
{
    if (w->error == STAMMA_OK && !w->output.write(w->output.context, bytes, size))
        w->error = STAMMA_ERROR_IO;
    w->written += size;
}

static void write_frame(stamma_archive_writer *w, unsigned type)
{
    uint8_t header[FRAME_HEADER_SIZE];
    frame f = {(uint8_t)type, FRAME_MANDATORY, (uint64_t)w->head.size + w->body.size, (uint32_t)w->head.size,
               stamma_check32(w->head.data, w->head.size)};
    stamma_frame_write(&f, header);
    write_out(w, header, sizeof header);
    write_out(w, w->head.data, w->head.size);
    if (w->body.size > 0)
        write_out(w, w->body.data, w->body.size);
}

stamma_error stamma_archive_writer_open(const stamma_output *output, const stamma_archive_writer_options *options,
                                        stamma_archive_writer **writer)
{
    if (!output || !writer || (options && options->size != sizeof *options))
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (options && options->level != 0 && options->level != 1)
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_allocator allocator = stamma_allocator_or_default(options ? options->allocator : NULL);
    stamma_archive_writer *w = (stamma_archive_writer *)memory_allocate(&allocator, sizeof *w);
    if (!w)
        return STAMMA_ERROR_NO_MEMORY;
    memset(w, 0, offsetof(stamma_archive_writer, input));
    w->allocator = allocator;
    w->output = *output;
    w->context = options ? options->context : NULL;
    w->notice = options ? options->notice : NULL;
    w->head.allocator = w->body.allocator = &w->allocator;
    w->line = 1;
    stamma_parser_init(&w->parser, &w->allocator);
    stamma_block_writer_init(&w->block, &w->allocator);
    uint8_t header[ARCHIVE_HEADER_SIZE];
    stamma_archive_header_write(header);
    write_out(w, header, sizeof header);
    w->commit.start = w->written;
    if (w->error != STAMMA_OK) {
        stamma_error error = w->error;
        stamma_archive_writer_close(w);
        return error;
    }
    *writer = w;
    return STAMMA_OK;
}

void stamma_archive_writer_close(stamma_archive_writer *w)
{
    if (!w)
        return;
    stamma_allocator allocator = w->allocator;
    stamma_parser_release(&w->parser);
    stamma_block_writer_release(&w->block);
    stamma_column_coder_release(&w->coder);
    stamma_buffer_release(&w->head);
    stamma_buffer_release(&w->body);
    memory_release(&allocator, w->commit.places.places);
    memory_release(&allocator, w);
}

/* ---- commits and blocks ---- */

static void write_commit(stamma_archive_writer *w, bool finished)
{
    w->commit.finished = finished;
    w->commit.offset = w->written;
    w->head.size = w->body.size = 0;
    stamma_commit_write(&w->commit, &w->head);
    if (w->head.failed)
        w->error = STAMMA_ERROR_NO_MEMORY;
    if (w->error != STAMMA_OK)
        return;
    write_frame(w, FRAME_COMMIT);
    if (w->error == STAMMA_OK && w->output.sync && !w->output.sync(w->output.context))
        w->error = STAMMA_ERROR_IO;
    w->commit.previous = w->commit.offset;
    w->commit.start = w->written;
    w->commit.places.count = 0;
}

static void close_block(stamma_archive_writer *w)
{
    if (w->block.record_count == 0 || w->error != STAMMA_OK)
        return;
    w->head.size = w->body.size = 0;
    w->error = stamma_block_writer_finish(&w->block, &w->coder, &w->moves_bytes, &w->head, &w->body);
    block_place place = {w->written, w->block.counts.games, w->block.counts.bytes_in};
    if (w->error == STAMMA_OK && !stamma_places_add(&w->commit.places, place, &w->allocator))
        w->error = STAMMA_ERROR_NO_MEMORY;
    if (w->error != STAMMA_OK)
        return;
    write_frame(w, FRAME_BLOCK);
    stamma_counts_add(&w->commit.totals, &w->block.counts);
    w->commit.blocks++;
    stamma_block_writer_clear(&w->block);
    if (w->commit.places.count == COMMIT_INTERVAL)
        write_commit(w, false);
}

/* ---- records ---- */

/* How many bytes of that value stand in a range. */
static uint64_t count_byte(const uint8_t *at, const uint8_t *end, uint8_t byte)
{
    uint64_t count = 0;
    while (at < end && (at = (const uint8_t *)memchr(at, byte, (size_t)(end - at))) != NULL) {
        count++;
        at++;
    }
    return count;
}

/* Carriage returns that end a line by themselves. */
static uint64_t count_lone_returns(const stamma_archive_writer *w, size_t begin, size_t end)
{
    uint64_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const uint8_t *cr = (const uint8_t *)memchr(w->input + i, '\r', end - i);
        if (!cr)
            break;
        i = (size_t)(cr - w->input);
        count += !(i + 1 < w->input_size && w->input[i + 1] == '\n');
    }
    return count;
}

/* Counts lines up to `end` in the buffer: LF, CR LF and a CR alone end lines. */
static uint64_t count_lines(stamma_archive_writer *w, size_t end)
{
    if (end > w->line_at) {
        w->line += count_byte(w->input + w->line_at, w->input + end, '\n') + count_lone_returns(w, w->line_at, end);
        w->line_at = end;
    }
    return w->line;
}

static uint32_t plies_before(const record *r, uint32_t offset)
{
    uint32_t plies = 0;
    for (size_t i = 0; i < r->item_count && r->items[i].begin < offset; i++)
        plies += r->items[i].kind == ITEM_MOVE && r->items[i].depth == 0;
    return plies;
}

static void give_notice(stamma_archive_writer *w, const record *r)
{
    if (!w->notice || r->reason == STAMMA_REASON_NONE || r->continuation)
        return;
    size_t at = (size_t)((const uint8_t *)r->text.data - w->input) + r->reason_offset;
    size_t left = r->text.size - r->reason_offset;
    stamma_archive_notice notice = {.game = w->commit.totals.games + w->block.counts.games,
                                    .reason = r->reason,
                                    .text = {r->text.data + r->reason_offset, left < 80 ? left : 80}};
    notice.place = (stamma_place){w->passed + at, count_lines(w, at), notice.game, plies_before(r, r->reason_offset)};
    w->notice(w->context, &notice);
}

static void add_record(stamma_archive_writer *w)
{
    record *r = &w->parser.record;
    if (stamma_block_writer_is_full(&w->block, r))
        close_block(w);
    if (w->error != STAMMA_OK)
        return;
    w->error = stamma_block_writer_add(&w->block, r);
    if (w->error == STAMMA_ERROR_UNSUPPORTED) {
        w->error = stamma_parser_retype(&w->parser, STAMMA_REASON_LAYOUT);
        if (w->error == STAMMA_OK)
            w->error = stamma_block_writer_add(&w->block, r);
    }
    if (w->error == STAMMA_OK)
        give_notice(w, r);
}

/* Packs what the buffer holds, and keeps what is no whole record yet. */
static void pack_buffer(stamma_archive_writer *w, bool final)
{
    bool found = true;
    stamma_parser_feed(&w->parser, w->input, w->input_size, final);
    while (found && w->error == STAMMA_OK) {
        w->error = stamma_parser_next(&w->parser, &found);
        if (found && w->error == STAMMA_OK)
            add_record(w);
    }
    size_t used = w->parser.start;
    count_lines(w, used);
    memmove(w->input, w->input + used, w->input_size - used);
    w->input_size -= used;
    w->line_at -= used;
    w->passed += used;
}

stamma_error stamma_archive_writer_write(stamma_archive_writer *w, const void *bytes, size_t size)
{
    const uint8_t *from = (const uint8_t *)bytes;
    while (size > 0 && w->error == STAMMA_OK) {
        size_t room = INPUT_SIZE - w->input_size;
        size_t part = size < room ? size : room;
        memcpy(w->input + w->input_size, from, part);
        w->input_size += part;
        from += part;
        size -= part;
        if (w->input_size == INPUT_SIZE)
            pack_buffer(w, false);
    }
    return w->error;
}

stamma_error stamma_archive_writer_finish(stamma_archive_writer *w, stamma_archive_counts *counts)
{
    if (w->error == STAMMA_OK)
        pack_buffer(w, true);
    close_block(w);
    if (w->error == STAMMA_OK)
        write_commit(w, true);
    if (w->error != STAMMA_OK)
        return w->error;
    if (counts) {
        *counts = w->commit.totals;
        counts->bytes_out = w->written;
        counts->moves_bytes = w->moves_bytes;
    }
    w->error = STAMMA_ERROR_BAD_ARGUMENT; /* a finished writer can only be closed */
    return STAMMA_OK;
}
