/* SPDX-License-Identifier: MIT */
/* Opens an index file. Its contents are checked page by page when they are first used. */
#include "index/index.h"

const char stamma_index_magic[8] = {'S', 'T', 'A', 'M', 'M', 'A', 'I', 'X'};

stamma_error stamma_index_damaged(index_file *x)
{
    atomic_store_explicit(&x->damaged, true, memory_order_relaxed);
    return STAMMA_ERROR_CORRUPT;
}

/* ---- chunks of a file that is not in memory ---- */

enum { CHUNK = 1 << 16, CHUNKS_READ_MAX = 16 }; /* bytes; chunks that one call reads at most */
enum { CHUNK_MISSING, CHUNK_FILLING, CHUNK_THERE };

static bool is_there(const index_file *x, uint64_t chunk)
{
    return atomic_load_explicit(&x->chunks[chunk], memory_order_acquire) == CHUNK_THERE;
}

/* Copies a chunk to its place. If another thread is copying this chunk, waits until it is copied. */
static void place_chunk(index_file *x, uint64_t chunk, const uint8_t *bytes, size_t size)
{
    unsigned char missing = CHUNK_MISSING;
    if (atomic_compare_exchange_strong(&x->chunks[chunk], &missing, CHUNK_FILLING)) {
        memcpy(x->room + chunk * CHUNK, bytes, size);
        atomic_store_explicit(&x->chunks[chunk], CHUNK_THERE, memory_order_release);
    }
    while (!is_there(x, chunk)) {
    }
}

/* Reads successive missing chunks, starting with the first, in one call, and stores their number. */
static stamma_error read_chunks(index_file *x, uint64_t first, uint64_t last, uint64_t *count)
{
    uint64_t end = first + 1;
    while (end <= last && end - first < CHUNKS_READ_MAX && !is_there(x, end))
        end++;
    const uint64_t at = first * CHUNK, size = (end * CHUNK < x->size ? end * CHUNK : x->size) - at;
    uint8_t *bytes = (uint8_t *)memory_allocate(&x->allocator, (size_t)size);
    if (!bytes)
        return STAMMA_ERROR_NO_MEMORY;
    const bool whole = bytes_copy(&x->source, at, bytes, (size_t)size);
    for (uint64_t n = first; n < end && whole; n++) {
        const uint64_t begin = (n - first) * CHUNK;
        place_chunk(x, n, bytes + begin, (size_t)(size - begin < CHUNK ? size - begin : CHUNK));
    }
    memory_release(&x->allocator, bytes);
    *count = end - first;
    return whole ? STAMMA_OK : STAMMA_ERROR_IO;
}

/* Makes x->bytes valid in a range of the file. Errors: IO, NO_MEMORY. */
static stamma_error fetch(index_file *x, uint64_t offset, uint64_t size)
{
    stamma_error error = STAMMA_OK;
    if (!x->room || size == 0)
        return STAMMA_OK;
    const uint64_t last = (offset + size - 1) / CHUNK;
    for (uint64_t chunk = offset / CHUNK, count = 1; chunk <= last && error == STAMMA_OK; chunk += count) {
        count = 1;
        if (!is_there(x, chunk))
            error = read_chunks(x, chunk, last, &count);
    }
    return error;
}

/* ---- pages ---- */

static bool is_checked(const index_file *x, uint64_t page)
{
    return atomic_load_explicit(&x->checked[page >> 3], memory_order_acquire) >> (page & 7) & 1;
}

static bool check_page(index_file *x, const index_segment *s, uint64_t page)
{
    const uint8_t *check = s->checks + 4 * (page - s->offset / INDEX_PAGE);
    if (stamma_check32(x->bytes + page * INDEX_PAGE, INDEX_PAGE) != load_u32(check))
        return false;
    atomic_fetch_or_explicit(&x->checked[page >> 3], (unsigned char)(1u << (page & 7)), memory_order_release);
    return true;
}

stamma_error stamma_index_read_pages(index_file *x)
{
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < x->segment_count && error == STAMMA_OK; n++)
        error = fetch(x, x->segments[n].offset, x->segments[n].size);
    return error;
}

bool stamma_index_check_pages(index_file *x, const index_segment *s, uint64_t offset, uint64_t size)
{
    const uint64_t first = offset / INDEX_PAGE, last = (offset + size - 1) / INDEX_PAGE;
    bool valid = fetch(x, first * INDEX_PAGE, (last + 1 - first) * INDEX_PAGE) == STAMMA_OK;
    for (uint64_t page = first; page <= last && valid; page++)
        valid = is_checked(x, page) || check_page(x, s, page);
    if (!valid)
        (void)stamma_index_damaged(x);
    return valid;
}

/* ---- the archive ---- */

/* Number of bytes at the end of an archive that identify it: they contain the checksums and counts of a commit. */
enum { TAIL_BYTES = 4096 };

bool stamma_index_archive_check(const stamma_bytes *archive, uint64_t *check)
{
    uint8_t tail[TAIL_BYTES];
    const size_t size = archive->size < TAIL_BYTES ? (size_t)archive->size : TAIL_BYTES;
    *check = 0;
    if (size == 0)
        return true;
    if (!bytes_copy(archive, archive->size - size, tail, size))
        return false;
    *check = XXH64(tail, size, 0);
    return true;
}

bool stamma_index_file_is_of(const index_file *x, const stamma_bytes *archive)
{
    uint64_t check;
    return x->root.archive_size == archive->size && stamma_index_archive_check(archive, &check) &&
           x->root.archive_check == check;
}

/* ---- the tables of segments ---- */

static void *make_array(const index_file *x, size_t count, size_t element)
{
    size_t size = size_multiply(count + 1, element);
    void *array = memory_allocate(&x->allocator, size);
    if (array)
        memset(array, 0, size);
    return array;
}

/* Reads a number of a table. The size of the table has been checked. */
static uint64_t take_u64(cursor *in)
{
    return load_u64(cursor_take(in, 8));
}

static uint32_t take_u32(cursor *in)
{
    const uint8_t *at = cursor_take(in, 4);
    return at ? load_u32(at) : 0;
}

static void read_block(cursor *in, index_block *b, size_t number, const index_block *before)
{
    placed_block *p = &b->place;
    p->offset = take_u64(in);
    p->end = take_u64(in);
    p->frame = take_u64(in);
    p->number = number;
    b->head_check = take_u64(in);
    p->spans[SPAN_BLOCKS] = (span){1, true, number, number + 1};
    for (unsigned n = SPAN_GAMES; n <= SPAN_BYTES; n++) {
        uint64_t begin = before ? before->place.spans[n].end : 0, size = take_u64(in);
        p->spans[n] = (span){size, true, begin, begin + size};
    }
}

/* Returns the size of a section if the segment's counts determine it, otherwise UINT64_MAX. */
static uint64_t size_of(const index_segment *s, index_section section)
{
    const uint32_t *counts = s->counts;
    const uint64_t nodes = counts[COUNT_NODES], games = counts[COUNT_GAMES], records = counts[COUNT_RECORDS];
    const uint64_t spans = (nodes + INDEX_MIN_SPAN - 1) / INDEX_MIN_SPAN;
    switch (section) {
    case SECTION_NODE_DEPTHS:
    case SECTION_NODE_CODES:
    case SECTION_NODE_PRINTS: return nodes;
    case SECTION_NODE_LISTS: return index_bits_size(nodes, bits_for(nodes));
    case SECTION_DEPTH_MINIMA: return spans;
    case SECTION_DEPTH_MINIMA2: return (spans + INDEX_MIN_SPAN - 1) / INDEX_MIN_SPAN;
    case SECTION_GAMES: return index_bits_size(games, s->widths.sum);
    case SECTION_FACTS: return games * INDEX_FACTS_SIZE;
    case SECTION_DAYS: return index_bits_size(games, INDEX_DAY_BITS);
    case SECTION_RESULTS: return index_bits_size(games, INDEX_RESULT_BITS);
    case SECTION_NON_GAMES: return 4 * (records - games);
    case SECTION_BLOCKS: return (uint64_t)s->blocks * INDEX_BLOCK_SIZE;
    case SECTION_LENGTHS: return (uint64_t)s->blocks * INDEX_LENGTHS_SIZE;
    case SECTION_PLAYERS: return index_bits_size(2 * records, index_name_bits(s));
    default: return UINT64_MAX;
    }
}

static bool counts_are_valid(const index_segment *s)
{
    const uint32_t *c = s->counts;
    return c[COUNT_TYPED] <= c[COUNT_GAMES] && c[COUNT_GAMES] <= c[COUNT_RECORDS] && c[COUNT_NODES] > 0 &&
           c[COUNT_RECORDS] < UINT32_C(1) << 28 && c[COUNT_NODES] < UINT32_C(1) << 28 &&
           c[COUNT_NAMES] < UINT32_C(1) << 30 && c[COUNT_LISTS] > 0 && c[COUNT_NODE_LISTS] > 0 &&
           c[COUNT_PLIES] <= UINT16_MAX + 1 && c[COUNT_DEPTHS] <= UINT8_MAX + 1 && c[COUNT_BITS] <= UINT16_MAX + 1;
}

/* Reads the places of the sections, which are in order. Sections without a name here are skipped. */
static bool read_parts(index_segment *s)
{
    uint64_t end = 0;
    for (uint32_t n = 0; n < s->section_count; n++) {
        const index_part p = {load_u64(s->sections + 16 * n), load_u64(s->sections + 16 * n + 8)};
        const uint64_t size = n < INDEX_SECTIONS ? size_of(s, (index_section)n) : UINT64_MAX;
        if (p.at < end || p.at > s->size || p.size > s->size - p.at || (size != UINT64_MAX && size != p.size))
            return false;
        if (n < INDEX_SECTIONS)
            s->parts[n] = p;
        end = p.at + p.size;
    }
    return true;
}

enum { ENTRY_SIZE = 32, BLOCK_SIZE = 48, TABLE_HEAD = 8 + 4 * INDEX_COUNTS };

/* Reads the entry of a segment in the directory, and the numbers at the beginning of its table. Segments are in order:
 * `*end` is the end of the table before. */
static stamma_error read_entry(index_file *x, cursor *directory, index_segment *s, uint64_t *end)
{
    s->offset = take_u64(directory);
    s->size = take_u64(directory);
    s->table_size = take_u64(directory);
    s->table_check = take_u64(directory);
    const uint64_t limit = x->root.directory;
    if (s->offset % INDEX_PAGE != 0 || s->size % INDEX_PAGE != 0 || s->offset < *end || s->offset > limit ||
        s->size > limit - s->offset || s->table_size > limit - s->offset - s->size || s->table_size < TABLE_HEAD)
        return STAMMA_ERROR_CORRUPT;
    *end = s->offset + s->size + s->table_size;
    const stamma_error error = fetch(x, s->offset + s->size, s->table_size);
    if (error != STAMMA_OK)
        return error;
    const uint8_t *table = x->bytes + s->offset + s->size;
    if (XXH64(table, (size_t)s->table_size, 0) != s->table_check)
        return STAMMA_ERROR_CORRUPT;
    s->blocks = load_u32(table);
    s->section_count = load_u32(table + 4);
    s->sections = table + TABLE_HEAD;
    s->checks = table + s->table_size - s->size / INDEX_PAGE * 4;
    const uint64_t size = TABLE_HEAD + s->section_count * UINT64_C(16) + s->blocks * (uint64_t)BLOCK_SIZE;
    const bool valid = s->section_count >= INDEX_SECTIONS_LEAST && s->section_count <= INDEX_SECTIONS_MAX &&
                       s->blocks > 0 && s->table_size == size + s->size / INDEX_PAGE * 4;
    return valid ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Reads the table of a segment, whose size has been checked. Its blocks are appended to x->blocks. */
static bool read_table(index_file *x, index_segment *s)
{
    const uint8_t *table = x->bytes + s->offset + s->size;
    cursor counts = {table + 8, table + TABLE_HEAD, false};
    cursor blocks = {s->sections + 16 * s->section_count, s->checks, false};
    s->first_block = (uint32_t)x->block_count;
    s->first_game = x->games;
    for (unsigned n = 0; n < INDEX_COUNTS; n++)
        s->counts[n] = take_u32(&counts);
    s->widths = index_widths_of(s->counts);
    for (uint32_t n = 0; n < s->blocks; n++, x->block_count++)
        read_block(&blocks, &x->blocks[x->block_count], x->block_count,
                   x->block_count > 0 ? &x->blocks[x->block_count - 1] : NULL);
    x->games = x->blocks[x->block_count - 1].place.spans[SPAN_GAMES].end;
    return x->games - s->first_game == s->counts[COUNT_GAMES] && counts_are_valid(s) && read_parts(s);
}

static stamma_error read_directory(index_file *x)
{
    cursor in = {x->bytes + x->root.directory, x->bytes + x->root.directory + x->root.directory_size, false};
    uint64_t end = INDEX_PAGE, blocks = 0;
    stamma_error error = STAMMA_OK;
    x->segment_count = (size_t)(x->root.directory_size / ENTRY_SIZE);
    x->segments = (index_segment *)make_array(x, x->segment_count, sizeof *x->segments);
    if (!x->segments)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < x->segment_count && error == STAMMA_OK; n++) {
        error = read_entry(x, &in, &x->segments[n], &end);
        blocks += x->segments[n].blocks;
    }
    if (error != STAMMA_OK)
        return error;
    x->blocks = (index_block *)make_array(x, (size_t)blocks, sizeof *x->blocks);
    x->checked = (atomic_uchar *)make_array(x, (size_t)(end / INDEX_PAGE / 8 + 1), sizeof *x->checked);
    x->tables = (_Atomic(void *) *)make_array(x, (size_t)blocks, sizeof *x->tables);
    if (!x->blocks || !x->checked || !x->tables)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < x->segment_count; n++)
        if (!read_table(x, &x->segments[n]))
            return STAMMA_ERROR_CORRUPT;
    return STAMMA_OK;
}

/* ---- roots ---- */

/* Reads a root. Returns false if it is damaged, or if the file is too small for its directory. The bytes are copied
 * first, because another process may be writing them. */
static bool read_root(const index_file *x, const uint8_t *bytes, index_root *r)
{
    uint8_t at[INDEX_ROOT_SIZE];
    memcpy(at, bytes, sizeof at);
    if (memcmp(at, stamma_index_magic, sizeof stamma_index_magic) != 0 || load_u32(at + 60) != stamma_check32(at, 60))
        return false;
    *r = (index_root){load_u64(at + 8),  load_u64(at + 16), load_u64(at + 24),
                      load_u64(at + 32), load_u64(at + 40), load_u64(at + 48)};
    return r->number > 0 && r->directory >= INDEX_PAGE && r->directory <= x->size &&
           r->directory_size <= x->size - r->directory && r->directory_size % ENTRY_SIZE == 0;
}

/* Finds the valid root with the greatest number: in the slots of the header page, or at the end of the file. */
static stamma_error find_root(index_file *x)
{
    stamma_error error = fetch(x, 0, INDEX_PAGE);
    if (error == STAMMA_OK)
        error = fetch(x, x->size - INDEX_ROOT_SIZE, INDEX_ROOT_SIZE);
    if (error != STAMMA_OK)
        return error;
    for (unsigned n = 0; n <= INDEX_SLOTS; n++) {
        index_root r;
        const uint64_t at = n < INDEX_SLOTS ? index_slot_offset(n) : x->size - INDEX_ROOT_SIZE;
        if (!read_root(x, x->bytes + at, &r) || r.number <= x->root.number)
            continue;
        x->root = r;
        x->root_is_last = n == INDEX_SLOTS;
    }
    return x->root.number > 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* ---- opening ---- */

static stamma_error read_header(index_file *x)
{
    const stamma_error error = fetch(x, 0, x->size < 12 ? x->size : 12);
    if (error != STAMMA_OK)
        return error;
    if (x->size < 12 || memcmp(x->bytes, stamma_index_magic, sizeof stamma_index_magic) != 0)
        return STAMMA_ERROR_NO_ARCHIVE;
    const uint32_t version = load_u32(x->bytes + 8);
    if (version != INDEX_VERSION)
        return version < INDEX_VERSION ? STAMMA_ERROR_MISMATCH : STAMMA_ERROR_UNSUPPORTED;
    return x->size < INDEX_PAGE + INDEX_ROOT_SIZE ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

static stamma_error read_file(index_file *x)
{
    stamma_error error = read_header(x);
    if (error == STAMMA_OK)
        error = find_root(x);
    if (error == STAMMA_OK)
        error = fetch(x, x->root.directory, x->root.directory_size);
    if (error != STAMMA_OK)
        return error;
    const uint8_t *directory = x->bytes + x->root.directory;
    if (XXH64(directory, (size_t)x->root.directory_size, 0) != x->root.directory_check)
        return STAMMA_ERROR_CORRUPT;
    return read_directory(x);
}

static bool segment_is_unchanged(index_file *x, const index_segment *s)
{
    const uint64_t first = s->offset / INDEX_PAGE, end = first + s->size / INDEX_PAGE;
    bool same = XXH64(x->bytes + s->offset + s->size, (size_t)s->table_size, 0) == s->table_check;
    for (uint64_t page = first; page < end && same; page++)
        same = !is_checked(x, page) || check_page(x, s, page);
    return same;
}

bool stamma_index_check_again(index_file *x)
{
    bool same = true;
    for (size_t n = 0; n < x->segment_count && same; n++)
        same = segment_is_unchanged(x, &x->segments[n]);
    if (!same)
        (void)stamma_index_damaged(x);
    return same;
}

/* Makes room for the bytes of a file that is not in memory. Untouched parts of a large allocation need no memory. */
static stamma_error make_room(index_file *x)
{
    if (x->source.memory || x->size == 0)
        return STAMMA_OK;
    if (x->size > SIZE_MAX)
        return STAMMA_ERROR_NO_MEMORY;
    x->room = (uint8_t *)memory_allocate(&x->allocator, (size_t)x->size);
    x->chunks = (atomic_uchar *)make_array(x, (size_t)(x->size / CHUNK + 1), sizeof *x->chunks);
    x->bytes = x->room;
    return x->room && x->chunks ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

stamma_error stamma_index_file_open(index_file *x, const stamma_bytes *bytes, const stamma_allocator *allocator)
{
    memset(x, 0, sizeof *x);
    x->allocator = *allocator;
    x->source = *bytes;
    x->bytes = (const uint8_t *)bytes->memory;
    x->size = bytes->size;
    stamma_error error = make_room(x);
    if (error == STAMMA_OK)
        error = read_file(x);
    if (error != STAMMA_OK)
        stamma_index_file_close(x);
    return error;
}

void stamma_index_file_close(index_file *x)
{
    for (size_t n = 0; x->tables && n < x->block_count; n++)
        memory_release(&x->allocator, atomic_load_explicit(&x->tables[n], memory_order_relaxed));
    memory_release(&x->allocator, (void *)x->tables);
    memory_release(&x->allocator, (void *)x->checked);
    memory_release(&x->allocator, x->segments);
    memory_release(&x->allocator, x->blocks);
    memory_release(&x->allocator, x->room);
    memory_release(&x->allocator, (void *)x->chunks);
    const stamma_allocator allocator = x->allocator;
    *x = (index_file){.allocator = allocator};
}
