/* SPDX-License-Identifier: MIT */
/* Reads a column with a trie (clause 19). The input is not trusted. */
#include "entropy/prefix_column.h"

void stamma_prefix_column_init(prefix_column *c, const stamma_allocator *allocator)
{
    memset(c, 0, sizeof *c);
    c->nodes.allocator = c->records.allocator = c->ends.allocator = allocator;
    c->tables.allocator = c->starts.allocator = allocator;
    for (size_t n = 0; n < PREFIX_STREAMS; n++)
        c->streams[n].allocator = allocator;
}

void stamma_prefix_column_trim(prefix_column *c)
{
    for (size_t n = 0; n < PREFIX_STREAMS; n++)
        stamma_buffer_release(&c->streams[n]);
}

void stamma_prefix_column_release(prefix_column *c)
{
    buffer *const all[] = {&c->nodes, &c->records, &c->ends, &c->tables, &c->starts};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    stamma_prefix_column_trim(c);
}

/* ---- the trie ---- */

/* Returns the parent of the next node. A node is open while more of its children may follow; during this time, its
 * `end` is the number of these children. Closes nodes that have no children left. *last becomes the previous child, or
 * 0. Returns UINT32_MAX if all nodes are closed. */
static uint32_t find_parent(prefix_node *nodes, uint32_t open, uint32_t next, uint32_t *last)
{
    *last = 0;
    while (nodes[open].end == 0) {
        nodes[open].end = next;
        if (open == 0)
            return UINT32_MAX;
        *last = open;
        open = nodes[open].parent;
    }
    nodes[open].end--;
    return open;
}

/* Reads nodes in preorder, children in ascending order. */
static bool read_nodes(prefix_node *nodes, size_t count, cursor children, const uint8_t *codes)
{
    uint32_t last, open = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t own = cursor_varint(&children);
        if (n > 0) {
            open = find_parent(nodes, open, n, &last);
            if (open == UINT32_MAX || (last > 0 && nodes[last].code >= codes[n - 1]))
                return false;
        }
        if (own > 256)
            return false;
        nodes[n] = (prefix_node){.parent = open, .end = (uint32_t)own};
        if (n > 0) {
            nodes[n].depth = nodes[open].depth + 1;
            nodes[n].code = codes[n - 1];
        }
        open = n;
    }
    return !children.failed && cursor_left(&children) == 0 &&
           find_parent(nodes, open, (uint32_t)count, &last) == UINT32_MAX;
}

static stamma_error read_trie(prefix_column *c)
{
    const buffer *codes = &c->streams[PREFIX_CODES];
    size_t count = codes->size + 1;
    if (count > PREFIX_NODES_MAX)
        return STAMMA_ERROR_CORRUPT;
    prefix_node *nodes = (prefix_node *)buffer_array(&c->nodes, count, sizeof *nodes);
    if (!nodes)
        return STAMMA_ERROR_NO_MEMORY;
    return read_nodes(nodes, count, buffer_cursor(&c->streams[PREFIX_CHILDREN]), codes->data) ? STAMMA_OK
                                                                                              : STAMMA_ERROR_CORRUPT;
}

/* ---- records and groups ---- */

/* Returns whether each path through the trie ends with a record, that is, whether the trie has no unused nodes. */
static bool is_needed(const prefix_column *c)
{
    const prefix_node *nodes = prefix_nodes(c);
    for (uint32_t n = 1; n < prefix_node_count(c); n++)
        if (nodes[n].end == n + 1 && !nodes[n].reached)
            return false;
    return true;
}

/* Reads the node of each record and computes the position of its rest. `tolerant`: a node that cannot be right is
 * replaced by the root. */
static stamma_error read_records(prefix_column *c, uint64_t plain_size, const uint32_t *sizes, size_t count,
                                 bool tolerant)
{
    const uint8_t *low = c->streams[PREFIX_LOW].data, *middle = c->streams[PREFIX_MIDDLE].data,
                  *high = c->streams[PREFIX_HIGH].data;
    prefix_node *nodes = (prefix_node *)(void *)c->nodes.data;
    uint64_t sum = 0;
    uint32_t begin = 0;
    for (size_t n = PREFIX_LOW; n <= PREFIX_HIGH; n++)
        if (c->streams[n].size != count)
            return STAMMA_ERROR_CORRUPT;
    prefix_record *records = (prefix_record *)buffer_array(&c->records, count, sizeof *records);
    if (!records)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count; n++) {
        uint32_t node = low[n] | (uint32_t)middle[n] << 8 | (uint32_t)high[n] << 16;
        bool wrong = node >= prefix_node_count(c) || nodes[node].depth > sizes[n];
        if ((wrong && !tolerant) || (sum += sizes[n]) > plain_size)
            return STAMMA_ERROR_CORRUPT;
        node = wrong ? 0 : node;
        begin = (n % PREFIX_GROUP == 0 ? 0 : begin) + nodes[node].depth;
        records[n] = (prefix_record){node, begin, sizes[n] - nodes[node].depth};
        begin += records[n].size;
        nodes[node].reached = true;
    }
    return sum == plain_size && (tolerant || is_needed(c)) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

static size_t group_count(const prefix_column *c)
{
    return (c->records.size / sizeof(prefix_record) + PREFIX_GROUP - 1) / PREFIX_GROUP;
}

/* Returns the number of codes in the strings of a group. */
static size_t group_size(const prefix_column *c, size_t group)
{
    size_t count = c->records.size / sizeof(prefix_record), end = (group + 1) * PREFIX_GROUP;
    const prefix_record *last = &prefix_records(c)[(end < count ? end : count) - 1];
    return (size_t)last->begin + last->size;
}

/* Reads the end of each stored group. The groups must fill the bytes after the header. */
static stamma_error read_groups(prefix_column *c, const cursor *stored)
{
    cursor sizes = buffer_cursor(&c->streams[PREFIX_SIZES]);
    size_t count = group_count(c), left = cursor_left(stored), end = 0;
    uint32_t *ends = (uint32_t *)buffer_array(&c->ends, count, sizeof *ends);
    if (!ends)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count; n++) {
        uint64_t size = cursor_varint(&sizes);
        if (size > left - end || size > (group_size(c, n) * PREFIX_BITS_MAX + 7) / 8)
            return STAMMA_ERROR_CORRUPT;
        ends[n] = (uint32_t)(end += (size_t)size);
    }
    return !sizes.failed && cursor_left(&sizes) == 0 && end == left ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Reads the lengths of Huffman codes: two in each byte of the stream, the first in the low bits. */
static stamma_error read_tables(prefix_column *c)
{
    const buffer *pairs = &c->streams[PREFIX_LENGTHS];
    uint8_t lengths[PREFIX_SYMBOLS];
    if (pairs->size != PREFIX_TABLES * PREFIX_SYMBOLS / 2)
        return STAMMA_ERROR_CORRUPT;
    prefix_table *tables = (prefix_table *)buffer_array(&c->tables, PREFIX_TABLES, sizeof *tables);
    if (!tables)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t k = 0; k < PREFIX_TABLES; k++) {
        for (size_t n = 0; n < PREFIX_SYMBOLS; n++)
            lengths[n] = pairs->data[(k * PREFIX_SYMBOLS + n) / 2] >> 4 * (n & 1) & 15;
        if (!stamma_prefix_table(lengths, tables[k]))
            return STAMMA_ERROR_CORRUPT;
    }
    return STAMMA_OK;
}

/* ---- opening ---- */

static stamma_error read_head(prefix_column *c, byte_packer *coder, cursor *stored, size_t room)
{
    size_t streams = PREFIX_STREAMS;
    uint64_t size = stamma_cursor_varint(stored);
    const uint8_t *head = cursor_take(stored, size);
    if (!head)
        return STAMMA_ERROR_CORRUPT;
    stamma_error error =
        stamma_streams_unpack(coder, (cursor){head, head + size, false}, room, c->streams, NULL, &streams);
    return error == STAMMA_OK && streams != PREFIX_STREAMS ? STAMMA_ERROR_CORRUPT : error;
}

stamma_error stamma_prefix_column_open(prefix_column *c, byte_packer *coder, cursor stored, uint64_t plain_size,
                                       const uint32_t *sizes, size_t count)
{
    if (plain_size > PREFIX_PLAIN_MAX)
        return STAMMA_ERROR_CORRUPT;
    size_t size = cursor_left(&stored);
    c->starts.size = 0;
    stamma_error error = read_head(c, coder, &stored, (size_t)plain_size + 4 * count + 4096);
    c->head = size - cursor_left(&stored);
    if (error == STAMMA_OK)
        error = read_trie(c);
    if (error == STAMMA_OK)
        error = read_records(c, plain_size, sizes, count, coder->partial);
    if (error == STAMMA_OK)
        error = read_tables(c);
    return error == STAMMA_OK ? read_groups(c, &stored) : error;
}

/* ---- codes ---- */

void stamma_prefix_reader_init(prefix_reader *r, const stamma_allocator *allocator)
{
    *r = (prefix_reader){.group = SIZE_MAX, .codes.allocator = allocator};
}

void stamma_prefix_reader_release(prefix_reader *r)
{
    stamma_buffer_release(&r->codes);
}

void stamma_prefix_reader_begin(prefix_reader *r, const prefix_column *column, const uint8_t *stored)
{
    r->column = column;
    r->groups = stored + column->head;
    r->group = SIZE_MAX;
}

static stamma_error begin_group(prefix_reader *r, size_t group)
{
    size_t size = group_size(r->column, group);
    r->group = SIZE_MAX;
    r->codes.size = 0;
    if (!buffer_reserve(&r->codes, size + 1)) /* so that `data` is not NULL if there are no codes */
        return STAMMA_ERROR_NO_MEMORY;
    r->codes.size = size;
    r->group = group;
    r->first = r->decoded = group * PREFIX_GROUP;
    r->bit = r->part = 0;
    return STAMMA_OK;
}

/* Returns whether the codes of a group end in its last byte, and the remaining bits are zeros. */
static bool is_at_end(const uint8_t *bytes, size_t size, size_t bit)
{
    return (bit + 7) / 8 == size && (bit % 8 == 0 || bytes[size - 1] >> bit % 8 == 0);
}

/* Decodes at most `count` codes of the next record of the group. The end of the group is checked after the last
 * code, because records without codes may never be requested. */
static bool decode_part(prefix_reader *r, size_t count)
{
    const prefix_column *c = r->column;
    const uint32_t *ends = (const uint32_t *)(const void *)c->ends.data;
    const prefix_record *here = &prefix_records(c)[r->decoded];
    size_t begin = r->group > 0 ? ends[r->group - 1] : 0, size = ends[r->group] - begin;
    const uint8_t *bytes = r->groups + begin;
    count = count < here->size ? count : here->size;
    if (count > r->part) {
        if (!stamma_prefix_decode((const prefix_table *)(const void *)c->tables.data, bytes, size, &r->bit,
                                  prefix_nodes(c)[here->node].depth + r->part, r->codes.data + here->begin + r->part,
                                  count - r->part))
            return false;
        r->part = count;
    }
    if (r->part < here->size)
        return true;
    r->part = 0;
    r->decoded++;
    return here->begin + here->size < r->codes.size || is_at_end(bytes, size, r->bit);
}

/* Continues with a record without decoding the preceding records of the group. */
static void go_to(prefix_reader *r, size_t n)
{
    r->first = r->decoded = n;
    r->bit = ((const uint32_t *)(const void *)r->column->starts.data)[n];
    r->part = 0;
}

stamma_error stamma_prefix_reader_first(prefix_reader *r, size_t n, size_t count, const uint8_t **rest)
{
    stamma_error error = n / PREFIX_GROUP != r->group ? begin_group(r, n / PREFIX_GROUP) : STAMMA_OK;
    if (error == STAMMA_OK && r->column->starts.size > 0 && (n < r->first || n > r->decoded))
        go_to(r, n);
    while (error == STAMMA_OK && r->decoded < n)
        error = decode_part(r, SIZE_MAX) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK && r->decoded == n && !decode_part(r, count))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        *rest = r->codes.data + prefix_records(r->column)[n].begin;
    else
        r->group = SIZE_MAX;
    return error;
}

stamma_error stamma_prefix_column_find_starts(prefix_column *c, const uint8_t *stored)
{
    size_t count = c->records.size / sizeof(prefix_record);
    prefix_reader r;
    stamma_error error = STAMMA_OK;
    c->starts.size = 0;
    if (!buffer_reserve(&c->starts, count * sizeof(uint32_t)))
        return STAMMA_ERROR_NO_MEMORY;
    uint32_t *starts = (uint32_t *)(void *)c->starts.data;
    stamma_prefix_reader_init(&r, c->starts.allocator);
    stamma_prefix_reader_begin(&r, c, stored);
    for (size_t n = 0; n < count && error == STAMMA_OK; n++) {
        if (n % PREFIX_GROUP == 0)
            error = begin_group(&r, n / PREFIX_GROUP);
        starts[n] = (uint32_t)r.bit;
        if (error == STAMMA_OK && !decode_part(&r, SIZE_MAX))
            error = STAMMA_ERROR_CORRUPT;
    }
    stamma_prefix_reader_release(&r);
    c->starts.size = error == STAMMA_OK ? count * sizeof(uint32_t) : 0;
    return error;
}

/* Readers that request the first record of a group most likely continue. All records are then decoded while the
 * tables are in the cache. */
stamma_error stamma_prefix_reader_rest(prefix_reader *r, size_t n, const uint8_t **rest)
{
    size_t count = r->column->records.size / sizeof(prefix_record), last = n;
    if (n % PREFIX_GROUP == 0 && r->column->starts.size == 0)
        last = n + PREFIX_GROUP < count ? n + PREFIX_GROUP - 1 : count - 1;
    stamma_error error = stamma_prefix_reader_first(r, last, SIZE_MAX, rest);
    if (error == STAMMA_OK)
        *rest = r->codes.data + prefix_records(r->column)[n].begin;
    return error;
}

stamma_error stamma_prefix_reader_codes(prefix_reader *r, size_t n, const uint8_t **codes)
{
    const prefix_record *here = &prefix_records(r->column)[n];
    const prefix_node *nodes = prefix_nodes(r->column);
    stamma_error error = stamma_prefix_reader_rest(r, n, codes);
    if (error != STAMMA_OK)
        return error;
    uint8_t *end = r->codes.data + here->begin;
    for (uint32_t at = here->node; at != 0; at = nodes[at].parent)
        *--end = nodes[at].code;
    *codes = end;
    return STAMMA_OK;
}
