/* SPDX-License-Identifier: MIT */
/* Tables of blocks, which make it possible to open an archive without reading the headers of all frames (clause
 * 7.5). */
#include "container/container.h"

const uint8_t stamma_table_magic[8] = {'S', 't', 'E', 'n', 'd', 'T', 'b', 'l'};

bool stamma_table_add(block_table *t, table_entry entry)
{
    if (t->count == t->capacity) {
        size_t capacity = t->capacity < 16 ? 16 : t->capacity * 2;
        void *resized = memory_resize(t->allocator, t->entries, size_multiply(capacity, sizeof entry));
        if (!resized)
            return false;
        t->entries = (table_entry *)resized;
        t->capacity = capacity;
    }
    t->entries[t->count++] = entry;
    return true;
}

bool stamma_table_copy(block_table *to, const block_table *from, uint64_t blocks, uint64_t end)
{
    for (size_t i = 0; i < from->count && i < blocks; i++)
        if (!stamma_table_add(to, from->entries[i]))
            return false;
    for (size_t i = 0; i < from->table_count && from->tables[i].offset < end; i++)
        to->tables[to->table_count++] = from->tables[i];
    return true;
}

void stamma_table_release(block_table *t)
{
    memory_release(t->allocator, t->entries);
    t->entries = NULL;
    t->count = t->capacity = t->table_count = 0;
}

/* ---- writing ---- */

/* Returns the number of blocks that tables list. */
static uint64_t listed(const block_table *t)
{
    return t->table_count > 0 ? t->tables[t->table_count - 1].end : 0;
}

bool stamma_table_is_due(const block_table *t)
{
    return t->count - listed(t) >= TABLE_BLOCKS;
}

/* Removes the last tables that have no more blocks than are listed after them; the next table includes their blocks.
 * Each table therefore has more blocks than the next table, and each block is listed only a logarithmic number of
 * times. */
static void include_tables(block_table *t)
{
    while (t->table_count > 0) {
        const table_mark *last = &t->tables[t->table_count - 1];
        if (last->end - last->first > t->count - last->end)
            break;
        t->table_count--;
    }
}

static void add_u64(buffer *out, uint64_t value)
{
    uint8_t eight[8];
    store_u64(eight, value);
    buffer_add(out, eight, sizeof eight);
}

/* Appends the payload of a table at `offset` that follows the tables of `t` and lists all other blocks. */
static void write_rest(const block_table *t, uint64_t offset, buffer *out)
{
    const uint64_t first = listed(t);
    uint64_t end = 0;
    add_u64(out, t->table_count > 0 ? t->tables[t->table_count - 1].offset : 0);
    stamma_buffer_add_varint(out, first);
    stamma_buffer_add_varint(out, t->count - first);
    for (size_t i = (size_t)first; i < t->count; i++) {
        const table_entry *e = &t->entries[i];
        stamma_buffer_add_varint(out, e->offset - end);
        stamma_buffer_add_varint(out, e->size);
        stamma_buffer_add_varint(out, e->games);
        stamma_buffer_add_varint(out, e->text_size);
        end = e->offset + FRAME_HEADER_SIZE + e->size;
    }
    add_u64(out, offset);
    buffer_add(out, stamma_table_magic, sizeof stamma_table_magic);
}

static void add_mark(block_table *t, uint64_t offset)
{
    const uint64_t first = listed(t);
    if (t->table_count == TABLES_MAX)
        memmove(t->tables, t->tables + 1, --t->table_count * sizeof *t->tables);
    t->tables[t->table_count++] = (table_mark){offset, first, t->count};
}

void stamma_table_write(block_table *t, uint64_t offset, buffer *out)
{
    include_tables(t);
    write_rest(t, offset, out);
    add_mark(t, offset);
}

/* ---- reading ---- */

/* Reads an entry after the block that ends at `end`. Returns false if it is invalid. */
static bool read_entry(cursor *in, uint64_t end, table_entry *e)
{
    const uint64_t between = stamma_cursor_varint(in);
    e->size = stamma_cursor_varint(in);
    e->games = stamma_cursor_varint(in);
    e->text_size = stamma_cursor_varint(in);
    e->offset = end + between;
    return !in->failed && e->offset >= end && e->offset <= INT64_MAX && e->size <= BLOCK_SIZE_MAX &&
           e->games <= BLOCK_RECORDS_MAX && e->text_size <= BLOCK_TEXT_MAX;
}

stamma_error stamma_table_read(const uint8_t *payload, size_t size, stored_table *head, block_table *t)
{
    cursor in = {payload, payload + size, false};
    const uint8_t *previous = cursor_take(&in, 8);
    if (!previous)
        return STAMMA_ERROR_CORRUPT;
    head->previous = load_u64(previous);
    head->first = stamma_cursor_varint(&in);
    uint64_t end = 0;
    for (uint64_t left = stamma_cursor_varint(&in); left > 0; left--) {
        table_entry e;
        if (!read_entry(&in, end, &e))
            return STAMMA_ERROR_CORRUPT;
        end = e.offset + FRAME_HEADER_SIZE + e.size;
        if (!stamma_table_add(t, e))
            return STAMMA_ERROR_NO_MEMORY;
    }
    const uint8_t *last = cursor_take(&in, 16);
    if (!last || cursor_left(&in) != 0 || memcmp(last + 8, stamma_table_magic, sizeof stamma_table_magic) != 0)
        return STAMMA_ERROR_CORRUPT;
    head->offset = load_u64(last);
    return end <= head->offset ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

stamma_error stamma_table_check(block_table *t, const uint8_t *payload, size_t size, uint64_t offset)
{
    cursor in = {payload, payload + size, false};
    buffer right = {.allocator = t->allocator};
    const size_t tables = t->table_count;
    (void)cursor_take(&in, 8);
    const uint64_t first = stamma_cursor_varint(&in), count = stamma_cursor_varint(&in);
    while (t->table_count > 0 && t->tables[t->table_count - 1].first >= first)
        t->table_count--;
    const bool likely = !in.failed && first == listed(t) && count == t->count - first && count <= size / 4;
    if (likely) /* otherwise many wrong small tables could each cost the time of a large table */
        write_rest(t, offset, &right);
    const bool equal = likely && !right.failed && right.size == size && memcmp(right.data, payload, size) == 0;
    if (equal)
        add_mark(t, offset);
    else
        t->table_count = tables;
    const stamma_error error = right.failed ? STAMMA_ERROR_NO_MEMORY : equal ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    stamma_buffer_release(&right);
    return error;
}
