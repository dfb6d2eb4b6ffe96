/* SPDX-License-Identifier: MIT */
/* Opens an archive by its tables of blocks, without reading the headers of all frames (clause 7.5). Everything that the
 * tables say about a block is compared with the block when it is read. */
#include "archive/reader.h"

enum {
    TAIL_SIZE = 1 << 16, /* bytes at the end of the file that are read in one call */
    COMMIT_END = 16      /* an offset and a magic number, which end a commit or a table */
};

typedef struct file_end {
    stamma_archive_reader *r;
    uint64_t size;    /* of the file */
    uint64_t tail_at; /* offset of `tail` */
    buffer tail;
    buffer tables; /* payloads of the tables, the last first */
    size_t sizes[TABLES_MAX];
    uint64_t offsets[TABLES_MAX];
    size_t count;
} file_end;

/* ---- bytes ---- */

static stamma_error read_at(stamma_archive_reader *r, uint64_t offset, uint64_t size, bool *whole)
{
    return r->input.seek(r->input.context, offset) ? stamma_reader_read_bytes(r, size, whole) : STAMMA_ERROR_IO;
}

static stamma_error read_tail(file_end *e)
{
    bool whole;
    e->tail_at = e->size < TAIL_SIZE ? 0 : e->size - TAIL_SIZE;
    stamma_error error = read_at(e->r, e->tail_at, e->size - e->tail_at, &whole);
    buffer_add(&e->tail, e->r->payload.data, e->r->payload.size);
    if (error == STAMMA_OK && e->tail.failed)
        error = STAMMA_ERROR_NO_MEMORY;
    e->size = e->tail_at + e->tail.size; /* smaller if the size was wrong; then no commit ends there */
    return error;
}

/* Sets *bytes to bytes of the file, valid until the next call; NULL if the file ends before. IO, NO_MEMORY. */
static stamma_error get_bytes(file_end *e, uint64_t offset, uint64_t size, const uint8_t **bytes)
{
    bool whole;
    *bytes = NULL;
    if (offset > e->size || size > e->size - offset)
        return STAMMA_OK;
    if (offset >= e->tail_at) {
        *bytes = e->tail.data + (offset - e->tail_at);
        return STAMMA_OK;
    }
    stamma_error error = read_at(e->r, offset, size, &whole);
    if (error == STAMMA_OK && whole)
        *bytes = e->r->payload.data;
    return error;
}

/* Reads a frame of a type whose payload is a head only. *payload is NULL if there is no such frame. IO, NO_MEMORY. */
static stamma_error get_frame(file_end *e, uint64_t offset, unsigned type, frame *f, const uint8_t **payload)
{
    const uint8_t *header;
    *payload = NULL;
    stamma_error error = get_bytes(e, offset, FRAME_HEADER_SIZE, &header);
    if (error != STAMMA_OK || !header || stamma_frame_read(header, f) != STAMMA_OK || f->type != type ||
        f->head_size != f->size)
        return error;
    error = get_bytes(e, offset + FRAME_HEADER_SIZE, f->size, payload);
    if (*payload && stamma_check32(*payload, (size_t)f->size) != f->head_check)
        *payload = NULL;
    return error;
}

/* ---- commits ---- */

/* Reads the commit at an offset. *found is false if there is none. c->start receives its end. IO, NO_MEMORY. */
static stamma_error get_commit(file_end *e, uint64_t offset, commit *c, bool *found)
{
    frame f;
    const uint8_t *payload;
    *found = false;
    stamma_error error = get_frame(e, offset, FRAME_COMMIT, &f, &payload);
    if (error != STAMMA_OK || !payload)
        return error;
    *c = (commit){.id = f.id, .start = ARCHIVE_HEADER_SIZE};
    error = stamma_commit_read(payload, (size_t)f.size, c, &e->r->allocator);
    memory_release(&e->r->allocator, c->places.places);
    c->places = (block_places){NULL, 0, 0};
    c->start = offset + FRAME_HEADER_SIZE + f.size;
    *found = error == STAMMA_OK && c->offset == offset && c->previous < offset && f.number == (uint32_t)c->blocks;
    return error == STAMMA_ERROR_CORRUPT ? STAMMA_OK : error;
}

/* Returns in *offset the offset before a magic number that ends at `end`; 0 if there is none. IO, NO_MEMORY. */
static stamma_error get_link(file_end *e, uint64_t end, const uint8_t magic[8], uint64_t *offset)
{
    const uint8_t *bytes;
    *offset = 0;
    if (end < ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE + COMMIT_END)
        return STAMMA_OK;
    stamma_error error = get_bytes(e, end - COMMIT_END, COMMIT_END, &bytes);
    if (error == STAMMA_OK && bytes && memcmp(bytes + 8, magic, 8) == 0)
        *offset = load_u64(bytes);
    return error;
}

/* Finds the last finished commit after a table, going back from the last commit. Stops after TABLE_BLOCKS blocks,
 * because a writer writes a table for this number of blocks. *table is the offset of the table; 0: none. IO,
 * NO_MEMORY. */
static stamma_error find_table(file_end *e, commit *c, uint64_t *table)
{
    uint64_t offset, blocks = 0;
    bool found;
    stamma_error error = get_link(e, e->size, stamma_commit_magic, &offset);
    *table = 0;
    for (bool first = true; offset > 0; first = false) {
        error = get_commit(e, offset, c, &found);
        if (error != STAMMA_OK || !found || (first && (c->start != e->size || !c->finished)))
            return error;
        blocks = first ? c->blocks : blocks;
        if (c->blocks > blocks || blocks - c->blocks >= TABLE_BLOCKS)
            return STAMMA_OK;
        error = c->finished ? get_link(e, offset, stamma_table_magic, table) : STAMMA_OK;
        if (error != STAMMA_OK || *table > 0)
            return error;
        offset = c->previous;
    }
    return error;
}

/* ---- tables ---- */

/* Reads the tables from the last to the first. *found is false if a table is missing. IO, NO_MEMORY. */
static stamma_error get_tables(file_end *e, const commit *c, uint64_t offset, bool *found)
{
    uint64_t blocks = c->blocks, end = c->offset;
    *found = false;
    while (offset > 0) {
        frame f;
        const uint8_t *payload;
        stamma_error error = get_frame(e, offset, FRAME_TABLE, &f, &payload);
        if (error != STAMMA_OK)
            return error;
        if (!payload || f.size < 8 || f.id != c->id || f.number != (uint32_t)blocks || offset >= end ||
            f.size > end - offset || e->count == TABLES_MAX)
            return STAMMA_OK;
        cursor in = {payload, payload + f.size, false};
        e->sizes[e->count] = (size_t)f.size;
        e->offsets[e->count++] = end = offset;
        buffer_add(&e->tables, payload, (size_t)f.size);
        offset = load_u64(cursor_take(&in, 8));
        blocks = stamma_cursor_varint(&in);
        if ((offset == 0) != (blocks == 0))
            return STAMMA_OK;
    }
    *found = !e->tables.failed;
    return e->tables.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Lists the blocks of the tables. Returns CORRUPT if a table does not begin with the block after the previous table;
 * NO_MEMORY. */
static stamma_error list_tables(const file_end *e, block_table *t)
{
    stamma_error error = STAMMA_OK;
    size_t at = e->tables.size;
    for (size_t i = e->count; error == STAMMA_OK && i-- > 0;) {
        stored_table head;
        at -= e->sizes[i];
        error = stamma_table_read(e->tables.data + at, e->sizes[i], &head, t);
        if (error == STAMMA_OK)
            error = stamma_table_check(t, e->tables.data + at, e->sizes[i], e->offsets[i]);
    }
    return error;
}

/* Adds the blocks to the reader's list. CORRUPT if they contradict the commit, NO_MEMORY. */
static stamma_error add_places(stamma_archive_reader *r, const block_table *t, const commit *c)
{
    uint64_t games = 0, bytes = 0, end = ARCHIVE_HEADER_SIZE;
    for (size_t i = 0; i < t->count; i++) {
        const table_entry *b = &t->entries[i];
        placed_block place = {.offset = b->offset, .end = b->offset + FRAME_HEADER_SIZE + b->size, .number = i};
        place.spans[SPAN_BLOCKS] = (span){.size = 1, .known = true, .begin = i, .end = i + 1};
        place.spans[SPAN_GAMES] = (span){.size = b->games, .known = true, .begin = games, .end = games + b->games};
        place.spans[SPAN_BYTES] =
            (span){.size = b->text_size, .known = true, .begin = bytes, .end = bytes + b->text_size};
        if (b->offset < end)
            return STAMMA_ERROR_CORRUPT;
        if (!stamma_reader_add_place(r, place))
            return STAMMA_ERROR_NO_MEMORY;
        games += b->games;
        bytes += b->text_size;
        end = place.end;
    }
    bool right = t->count == c->blocks && games == c->totals.games && bytes == c->totals.text_size;
    return right ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* ---- opening ---- */

/* Scans the frames after the commit. Sets r->by_table if they are not damaged. */
static stamma_error scan_rest(stamma_archive_reader *r, const commit *c, const block_table *t, uint64_t size)
{
    void (*report)(void *, const stamma_archive_damage *) = r->scan.report;
    stamma_error error = stamma_scan_follow(&r->scan, c, t, size);
    if (error != STAMMA_OK)
        return error;
    stamma_reader_take_commit(r);
    r->scan.report = NULL; /* if there is damage, all frames are scanned later, which reports the damage */
    error = stamma_reader_list_blocks(r);
    r->scan.report = report;
    r->by_table = error == STAMMA_OK && r->scan.found_all.damages == 0;
    return error;
}

static stamma_error use_tables(file_end *e, block_table *t)
{
    commit c;
    uint64_t table;
    bool found;
    stamma_error error = read_tail(e);
    if (error == STAMMA_OK)
        error = find_table(e, &c, &table);
    if (error != STAMMA_OK || table == 0)
        return error;
    error = get_tables(e, &c, table, &found);
    if (error != STAMMA_OK || !found)
        return error;
    error = list_tables(e, t);
    if (error == STAMMA_OK)
        error = add_places(e->r, t, &c);
    if (error == STAMMA_OK)
        error = scan_rest(e->r, &c, t, e->size);
    return error == STAMMA_ERROR_CORRUPT ? STAMMA_OK : error;
}

stamma_error stamma_reader_open_tables(stamma_archive_reader *r)
{
    file_end e = {.r = r};
    block_table t = {.allocator = &r->allocator};
    if (r->broken != STAMMA_OK || !r->input.size || !r->input.size(r->input.context, &e.size))
        return STAMMA_OK;
    e.tail.allocator = e.tables.allocator = &r->allocator;
    stamma_error error = use_tables(&e, &t);
    stamma_buffer_release(&e.tail);
    stamma_buffer_release(&e.tables);
    stamma_table_release(&t);
    return error == STAMMA_OK && !r->by_table ? stamma_reader_restart_scan(r) : error;
}
