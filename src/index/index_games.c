/* SPDX-License-Identifier: MIT */
/* Reads the moves of single games: their beginnings from the trie, and the rest from the archive's column of moves
 * (codec 6) or from the index's copy. Only the group of the game is decoded. */
#include <limits.h>
#include "index/index.h"

void stamma_index_moves_init(index_moves *m, index_file *file, const stamma_bytes *archive,
                             const stamma_allocator *allocator)
{
    *m = (index_moves){
        .file = file, .archive = archive, .group.allocator = allocator, .rest.allocator = allocator};
}

void stamma_index_moves_release(index_moves *m)
{
    stamma_buffer_release(&m->group);
    stamma_buffer_release(&m->rest);
}

/* A block's entry in the segment: u32 first record, u32 first group, u64 offset of the groups after the frame's header
 * or in SECTION_OWN_MOVES, u64 their size, u32 1: in SECTION_OWN_MOVES, u32 start of the first group. */
typedef struct block_moves {
    uint32_t number; /* in the segment */
    uint32_t first_record;
    uint32_t first_group;
    uint64_t at;
    uint64_t size;
    bool owned;
    uint32_t first_byte;
} block_moves;

static bool read_block(index_file *x, const index_segment *s, uint32_t number, block_moves *b)
{
    const uint8_t *at = index_bytes(x, s, SECTION_BLOCKS, (uint64_t)number * INDEX_BLOCK_SIZE, INDEX_BLOCK_SIZE);
    if (!at)
        return false;
    *b = (block_moves){number,           load_u32(at),      load_u32(at + 4),
                       load_u64(at + 8), load_u64(at + 16), load_u32(at + 24) & 1,
                       load_u32(at + 28)};
    return true;
}

static bool find_block(index_file *x, const index_segment *s, uint32_t record, block_moves *b)
{
    uint32_t low = 0, high = s->blocks - 1;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (!read_block(x, s, middle, b))
            return false;
        if (b->first_record <= record)
            low = middle;
        else
            high = middle - 1;
    }
    return read_block(x, s, low, b) && b->first_record <= record;
}

/* ---- tables of Huffman codes ---- */

static stamma_error make_tables(index_file *x, const index_segment *s, uint32_t block, prefix_table *tables)
{
    const uint8_t *pairs = index_bytes(x, s, SECTION_LENGTHS, (uint64_t)block * INDEX_LENGTHS_SIZE, INDEX_LENGTHS_SIZE);
    uint8_t lengths[PREFIX_SYMBOLS];
    for (size_t k = 0; k < PREFIX_TABLES && pairs; k++) {
        for (size_t n = 0; n < PREFIX_SYMBOLS; n++)
            lengths[n] = pairs[(k * PREFIX_SYMBOLS + n) / 2] >> 4 * (n & 1) & 15;
        if (!stamma_prefix_table(lengths, tables[k]))
            return stamma_index_damaged(x);
    }
    return pairs ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Returns the tables of a block in *tables. They are kept until the file is closed. */
static stamma_error find_tables(index_file *x, const index_segment *s, uint32_t block, const prefix_table **tables)
{
    _Atomic(void *) *place = &x->tables[s->first_block + block];
    void *known = atomic_load_explicit(place, memory_order_acquire), *none = NULL;
    *tables = (const prefix_table *)known;
    if (known)
        return STAMMA_OK;
    prefix_table *made = (prefix_table *)memory_allocate(&x->allocator, PREFIX_TABLES * sizeof *made);
    if (!made)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = make_tables(x, s, block, made);
    *tables = (const prefix_table *)made;
    if (error == STAMMA_OK && atomic_compare_exchange_strong(place, &none, (void *)made))
        return STAMMA_OK;
    memory_release(&x->allocator, made);
    *tables = (const prefix_table *)none; /* the tables that another thread made */
    return error;
}

/* ---- codes ---- */

/* Returns bytes of the archive, valid until the next call; NULL if they cannot be read. */
static const uint8_t *archive_bytes(index_moves *m, uint64_t offset, size_t size)
{
    if (m->archive->memory)
        return (const uint8_t *)m->archive->memory + offset;
    uint8_t *bytes = (uint8_t *)buffer_array(&m->group, size + 1, 1);
    return bytes && bytes_copy(m->archive, offset, bytes, size) ? bytes : NULL;
}

/* Returns the bytes of a group of a block; NULL if they cannot be read. */
static const uint8_t *group_bytes(index_moves *m, const index_segment *s, const block_moves *b,
                                  const uint32_t span[2])
{
    const uint32_t begin = span[0] - b->first_byte, end = span[1] - b->first_byte;
    if (span[0] < b->first_byte || end > b->size)
        return NULL;
    if (b->owned)
        return index_bytes(m->file, s, SECTION_OWN_MOVES, b->at + begin, end - begin);
    uint64_t offset = m->file->blocks[s->first_block + b->number].place.offset + FRAME_HEADER_SIZE;
    const uint64_t all = m->archive->size;
    if (offset > all || b->at > all - offset || b->size > all - offset - b->at)
        return NULL;
    return archive_bytes(m, offset + b->at + begin, end - begin);
}

/* Decodes the codes of a game after its depth in the block's trie, at most up to ply `last`. */
static stamma_error decode(index_moves *m, const index_segment *s, const block_moves *b, const index_game *g,
                           uint32_t last)
{
    index_file *x = m->file;
    const uint64_t group = (uint64_t)b->first_group + (g->record - b->first_record) / PREFIX_GROUP;
    uint32_t span[2], count = last < g->plies ? last : g->plies;
    if (group >= s->counts[COUNT_GROUPS] || !stamma_index_ascending(x, s, SECTION_GROUP_STARTS, group, span))
        return stamma_index_damaged(x);
    const uint8_t *bytes = group_bytes(m, s, b, span);
    const prefix_table *tables;
    size_t bit = g->bit, size = span[1] - span[0];
    if (!bytes || bit > 8 * (uint64_t)size)
        return stamma_index_damaged(x);
    count = count > g->depth ? count - g->depth : 0;
    uint8_t *codes = (uint8_t *)buffer_array(&m->rest, count, 1);
    if (!codes)
        return STAMMA_ERROR_NO_MEMORY;
    m->begin = g->depth;
    m->plies = g->plies;
    stamma_error error = find_tables(x, s, b->number, &tables);
    if (error == STAMMA_OK && !stamma_prefix_decode(tables, bytes, size, &bit, g->depth, codes, count))
        error = stamma_index_damaged(x);
    return error;
}

stamma_error stamma_index_moves_begin(index_moves *m, const index_segment *s, uint32_t rank)
{
    m->depth = stamma_index_node_path(m->file, s, stamma_index_node_of(m->file, s, rank), m->path);
    return m->depth == UINT_MAX ? stamma_index_damaged(m->file) : STAMMA_OK;
}

stamma_error stamma_index_moves_continue(index_moves *m, const index_segment *s, uint32_t rank, uint32_t count,
                                         const uint8_t **codes, uint32_t *available)
{
    index_file *x = m->file;
    const index_game g = stamma_index_game_at(x, s, rank);
    const uint32_t last = count < UINT32_MAX - m->depth ? m->depth + count : UINT32_MAX;
    block_moves b;
    if (!find_block(x, s, g.record, &b))
        return stamma_index_damaged(x);
    stamma_error error = decode(m, s, &b, &g, last);
    if (error != STAMMA_OK)
        return error;
    if (m->begin > m->depth || m->depth > m->plies)
        return stamma_index_damaged(x);
    *codes = (const uint8_t *)buffer_at(&m->rest, m->depth - m->begin);
    *available = (last < m->plies ? last : m->plies) - m->depth;
    return atomic_load_explicit(&x->damaged, memory_order_relaxed) ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

stamma_error stamma_index_moves_read(index_moves *m, const index_segment *s, uint32_t rank, uint32_t count,
                                     const uint8_t **codes, uint32_t *available)
{
    stamma_error error = stamma_index_moves_begin(m, s, rank);
    return error == STAMMA_OK ? stamma_index_moves_continue(m, s, rank, count, codes, available) : error;
}
