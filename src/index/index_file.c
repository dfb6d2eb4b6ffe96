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

static bool check_page(index_file *x, uint64_t page)
{
    uint64_t at = page * INDEX_PAGE, size = x->pages_end - at < INDEX_PAGE ? x->pages_end - at : INDEX_PAGE;
    if (stamma_check32(x->bytes + at, (size_t)size) != load_u32(x->checks + 4 * page))
        return false;
    atomic_fetch_or_explicit(&x->checked[page >> 3], (unsigned char)(1u << (page & 7)), memory_order_release);
    return true;
}

stamma_error stamma_index_read_pages(index_file *x)
{
    return fetch(x, 0, x->pages_end);
}

bool stamma_index_check_pages(index_file *x, uint64_t offset, uint64_t size)
{
    const uint64_t first = offset / INDEX_PAGE, last = (offset + size - 1) / INDEX_PAGE;
    const uint64_t end = (last + 1) * INDEX_PAGE < x->pages_end ? (last + 1) * INDEX_PAGE : x->pages_end;
    bool valid = fetch(x, first * INDEX_PAGE, end - first * INDEX_PAGE) == STAMMA_OK;
    for (uint64_t page = first; page <= last && valid; page++) {
        bool checked = atomic_load_explicit(&x->checked[page >> 3], memory_order_acquire) >> (page & 7) & 1;
        valid = checked || check_page(x, page);
    }
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
    return x->archive_size == archive->size && stamma_index_archive_check(archive, &check) && x->archive_check == check;
}

/* ---- the directory ---- */

static void *make_array(const index_file *x, size_t count, size_t element)
{
    size_t size = size_multiply(count + 1, element);
    void *array = memory_allocate(&x->allocator, size);
    if (array)
        memset(array, 0, size);
    return array;
}

/* Reads a number of the entry of a block or segment. The size of the directory has been checked. */
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

static bool parts_are_valid(const index_segment *s)
{
    uint64_t end = 0;
    for (unsigned n = 0; n < INDEX_SECTIONS; n++) {
        const index_part *p = &s->parts[n];
        uint64_t size = size_of(s, (index_section)n);
        if (p->at < end || p->at > s->size || p->size > s->size - p->at || (size != UINT64_MAX && size != p->size))
            return false;
        end = p->at + p->size;
    }
    return true;
}

static bool read_segment(index_file *x, cursor *in, size_t number)
{
    index_segment *s = &x->segments[number];
    const index_segment *before = number > 0 ? s - 1 : NULL;
    s->offset = take_u64(in);
    s->size = take_u64(in);
    s->blocks = take_u32(in);
    for (unsigned n = 0; n < INDEX_COUNTS; n++)
        s->counts[n] = take_u32(in);
    s->widths = index_widths_of(s->counts);
    for (unsigned n = 0; n < INDEX_SECTIONS; n++) {
        s->parts[n].at = take_u64(in);
        s->parts[n].size = take_u64(in);
    }
    s->first_block = before ? before->first_block + before->blocks : 0;
    s->first_game = before ? before->first_game + before->counts[COUNT_GAMES] : 0;
    return s->blocks > 0 && s->blocks <= x->block_count - s->first_block &&
           s->first_game == x->blocks[s->first_block].place.spans[SPAN_GAMES].begin && s->offset % INDEX_PAGE == 0 &&
           s->size % INDEX_PAGE == 0 && s->offset <= x->pages_end && s->size <= x->pages_end - s->offset &&
           counts_are_valid(s) && parts_are_valid(s);
}

/* Returns whether the segments contain all blocks and games. */
static bool is_complete(const index_file *x)
{
    if (x->segment_count == 0)
        return x->block_count == 0;
    const index_segment *last = &x->segments[x->segment_count - 1];
    return last->first_block + last->blocks == x->block_count &&
           last->first_game + last->counts[COUNT_GAMES] == x->games;
}

static stamma_error read_directory(index_file *x, cursor in)
{
    enum { BLOCK_SIZE = 48, SEGMENT_SIZE = 20 + 4 * INDEX_COUNTS + 16 * INDEX_SECTIONS };
    x->block_count = take_u32(&in);
    x->segment_count = take_u32(&in);
    uint64_t pages = (x->pages_end + INDEX_PAGE - 1) / INDEX_PAGE;
    if (in.failed || cursor_left(&in) < 4 * pages ||
        cursor_left(&in) - 4 * pages !=
            x->block_count * (uint64_t)BLOCK_SIZE + x->segment_count * (uint64_t)SEGMENT_SIZE)
        return STAMMA_ERROR_CORRUPT;
    x->blocks = (index_block *)make_array(x, x->block_count, sizeof *x->blocks);
    x->segments = (index_segment *)make_array(x, x->segment_count, sizeof *x->segments);
    x->checked = (atomic_uchar *)make_array(x, (size_t)(pages / 8 + 1), sizeof *x->checked);
    x->tables = (_Atomic(void *) *)make_array(x, x->block_count, sizeof *x->tables);
    if (!x->blocks || !x->segments || !x->checked || !x->tables)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < x->block_count; n++)
        read_block(&in, &x->blocks[n], n, n > 0 ? &x->blocks[n - 1] : NULL);
    x->games = x->block_count > 0 ? x->blocks[x->block_count - 1].place.spans[SPAN_GAMES].end : 0;
    for (size_t n = 0; n < x->segment_count; n++)
        if (!read_segment(x, &in, n))
            return STAMMA_ERROR_CORRUPT;
    x->checks = cursor_take(&in, 4 * pages);
    return is_complete(x) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* ---- opening ---- */

static stamma_error read_footer(index_file *x, cursor *directory)
{
    stamma_error error = fetch(x, 0, x->size < 12 ? x->size : 12);
    if (error != STAMMA_OK)
        return error;
    if (x->size < 12 || memcmp(x->bytes, stamma_index_magic, sizeof stamma_index_magic) != 0)
        return STAMMA_ERROR_NO_ARCHIVE;
    if (load_u32(x->bytes + 8) != INDEX_VERSION)
        return STAMMA_ERROR_UNSUPPORTED;
    if (x->size < INDEX_PAGE + INDEX_FOOTER_SIZE)
        return STAMMA_ERROR_CORRUPT;
    const uint8_t *footer = x->bytes + x->size - INDEX_FOOTER_SIZE;
    error = fetch(x, x->size - INDEX_FOOTER_SIZE, INDEX_FOOTER_SIZE);
    if (error != STAMMA_OK)
        return error;
    if (memcmp(footer, stamma_index_magic, sizeof stamma_index_magic) != 0 ||
        load_u32(footer + 60) != stamma_check32(footer, 60) || load_u64(footer + 24) != x->size)
        return STAMMA_ERROR_CORRUPT;
    x->archive_size = load_u64(footer + 8);
    x->archive_check = load_u64(footer + 16);
    x->pages_end = load_u64(footer + 32);
    uint64_t size = load_u64(footer + 40);
    if (x->pages_end > x->size - INDEX_FOOTER_SIZE || size != x->size - INDEX_FOOTER_SIZE - x->pages_end)
        return STAMMA_ERROR_CORRUPT;
    error = fetch(x, x->pages_end, size);
    if (error != STAMMA_OK)
        return error;
    if (load_u64(footer + 48) != XXH64(x->bytes + x->pages_end, (size_t)size, 0))
        return STAMMA_ERROR_CORRUPT;
    *directory = (cursor){x->bytes + x->pages_end, footer, false};
    return STAMMA_OK;
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
    cursor directory;
    memset(x, 0, sizeof *x);
    x->allocator = *allocator;
    x->source = *bytes;
    x->bytes = (const uint8_t *)bytes->memory;
    x->size = bytes->size;
    stamma_error error = make_room(x);
    if (error == STAMMA_OK)
        error = read_footer(x, &directory);
    if (error == STAMMA_OK)
        error = read_directory(x, directory);
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
