/* SPDX-License-Identifier: MIT */
/* An open file of pages: its header, the table of buckets, and parts that are read when they are needed. */
#include "pages/pages.h"

#include "stamma/pages.h"

const char stamma_pages_magic[8] = {'S', 'T', 'A', 'M', 'M', 'A', 'P', 'G'};

stamma_error stamma_pages_fail(stamma_pages *x)
{
    atomic_store_explicit(&x->damaged, true, memory_order_relaxed);
    return STAMMA_ERROR_CORRUPT;
}

/* ---- parts that are kept ---- */

/* Returns the kept part at an offset, or NULL. The lock must be held. */
static pages_kept *find_kept(stamma_pages *x, uint64_t offset, size_t size)
{
    for (size_t n = 0; n < PAGES_KEPT; n++)
        if (x->kept[n].size == size && x->kept[n].offset == offset)
            return &x->kept[n];
    return NULL;
}

bool stamma_pages_are_kept(stamma_pages *x, uint64_t offset, size_t size)
{
    if (x->source.memory)
        return true;
    stamma_short_lock(&x->lock);
    const bool kept = find_kept(x, offset, size) != NULL;
    stamma_short_unlock(&x->lock);
    return kept;
}

static bool copy_kept(stamma_pages *x, uint64_t offset, uint8_t *bytes, size_t size)
{
    stamma_short_lock(&x->lock);
    pages_kept *k = find_kept(x, offset, size);
    if (k) {
        k->used = ++x->clock;
        memcpy(bytes, k->bytes, size);
    }
    stamma_short_unlock(&x->lock);
    return k != NULL;
}

/* Keeps a copy of bytes instead of the part that was not used for longest. Without memory, nothing is kept. */
static void keep(stamma_pages *x, uint64_t offset, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)memory_allocate(&x->allocator, size);
    if (!copy)
        return;
    memcpy(copy, bytes, size);
    stamma_short_lock(&x->lock);
    pages_kept *oldest = &x->kept[0];
    for (size_t n = 1; n < PAGES_KEPT; n++)
        if (x->kept[n].used < oldest->used)
            oldest = &x->kept[n];
    uint8_t *dropped = oldest->bytes;
    *oldest = (pages_kept){offset, size, ++x->clock, copy};
    stamma_short_unlock(&x->lock);
    memory_release(&x->allocator, dropped);
}

static bool is_right(const uint8_t *bytes, size_t size)
{
    return load_u32(bytes + size - PAGES_CHECK) == stamma_check32(bytes, size - PAGES_CHECK);
}

stamma_error stamma_pages_bytes(stamma_pages *x, uint64_t offset, size_t size, buffer *room, const uint8_t **bytes)
{
    if (x->source.memory) {
        *bytes = (const uint8_t *)x->source.memory + offset;
        return is_right(*bytes, size) ? STAMMA_OK : stamma_pages_fail(x);
    }
    uint8_t *own = (uint8_t *)buffer_array(room, size, 1);
    if (!own)
        return STAMMA_ERROR_NO_MEMORY;
    *bytes = own;
    if (copy_kept(x, offset, own, size))
        return STAMMA_OK;
    if (!bytes_copy(&x->source, offset, own, size))
        return STAMMA_ERROR_IO;
    if (!is_right(own, size))
        return stamma_pages_fail(x);
    keep(x, offset, own, size);
    return STAMMA_OK;
}

/* ---- opening ---- */

static bool is_zero(const uint8_t *bytes, size_t from, size_t to)
{
    for (size_t n = from; n < to; n++)
        if (bytes[n] != 0)
            return false;
    return true;
}

/* Reads the header. Errors: NO_ARCHIVE, UNSUPPORTED, CORRUPT. */
static stamma_error read_header(stamma_pages *x, const uint8_t header[PAGES_HEADER], uint64_t size)
{
    uint8_t lengths[PREFIX_SYMBOLS];
    if (memcmp(header, stamma_pages_magic, sizeof stamma_pages_magic) != 0)
        return STAMMA_ERROR_NO_ARCHIVE;
    if (load_u32(header + PAGES_AT_VERSION) > PAGES_VERSION)
        return STAMMA_ERROR_UNSUPPORTED;
    x->min_games = load_u32(header + PAGES_AT_MIN_GAMES);
    x->games = load_u64(header + PAGES_AT_GAMES);
    x->plies = load_u32(header + PAGES_AT_PLIES);
    x->positions = load_u32(header + PAGES_AT_POSITIONS);
    x->buckets = load_u32(header + PAGES_AT_BUCKETS);
    x->units = load_u32(header + PAGES_AT_UNITS);
    x->usual = header[PAGES_AT_USUAL];
    x->widths = (pages_widths){.number = header[PAGES_AT_WIDTHS],
                               .rating = header[PAGES_AT_WIDTHS + 1],
                               .month = header[PAGES_AT_WIDTHS + 2],
                               .kind = header[PAGES_AT_WIDTHS + 3],
                               .only_kind = header[PAGES_AT_KIND],
                               .unit = (uint8_t)bits_for(x->units),
                               .index = header[PAGES_AT_INDEX_BITS],
                               .first_month = load_u16(header + PAGES_AT_FIRST_MONTH),
                               .last_month = load_u16(header + PAGES_AT_LAST_MONTH),
                               .mean = load_u16(header + PAGES_AT_MEAN)};
    memcpy(x->order.weights, header + PAGES_AT_WEIGHTS, sizeof x->order.weights);
    for (size_t n = 0; n < PREFIX_SYMBOLS; n++)
        lengths[n] = header[PAGES_AT_LENGTHS + n / 2] >> 4 * (n & 1) & 15;
    const bool right =
        is_right(header, PAGES_HEADER) && load_u32(header + PAGES_AT_VERSION) == PAGES_VERSION &&
        load_u64(header + PAGES_AT_SIZE) == size && x->plies >= 1 && x->plies <= PAGES_PLIES_MAX && x->min_games >= 2 &&
        x->buckets >= 1 && x->buckets <= PAGES_BUCKETS_MAX && pages_widths_are_valid(&x->widths) &&
        x->games < UINT32_MAX && is_zero(header, PAGES_AT_TABLE_CHECK + PAGES_CHECK, PAGES_AT_LENGTHS) &&
        is_zero(header, PAGES_AT_WEIGHTS + PAGES_WEIGHTS, PAGES_AT_CHECK) && stamma_prefix_table(lengths, x->table);
    return right ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Makes the offsets of the buckets from their sizes, and compares the sizes with the size of the file. */
static stamma_error read_starts(stamma_pages *x, const uint8_t *sizes, uint32_t check)
{
    uint64_t at = PAGES_HEADER + 2 * (uint64_t)x->buckets;
    bool right = stamma_check32(sizes, 2 * (size_t)x->buckets) == check;
    for (uint32_t n = 0; n < x->buckets; n++) {
        const unsigned size = load_u16(sizes + 2 * (size_t)n);
        right &= size >= 2 + PAGES_CHECK;
        x->starts[n] = at;
        at += size;
    }
    x->starts[x->buckets] = at;
    x->units_at = (at + PAGES_HEADER - 1) / PAGES_HEADER * PAGES_HEADER;
    right &= x->units_at + (uint64_t)x->units * PAGES_HEADER == x->source.size;
    return right ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

static stamma_error read_table(stamma_pages *x, uint32_t check)
{
    const size_t size = 2 * (size_t)x->buckets;
    if (size > x->source.size - PAGES_HEADER)
        return STAMMA_ERROR_CORRUPT;
    uint8_t *sizes = (uint8_t *)memory_allocate(&x->allocator, size);
    x->starts = (uint64_t *)memory_allocate(&x->allocator, ((size_t)x->buckets + 1) * sizeof *x->starts);
    stamma_error error = sizes && x->starts ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && !bytes_copy(&x->source, PAGES_HEADER, sizes, size))
        error = STAMMA_ERROR_IO;
    if (error == STAMMA_OK)
        error = read_starts(x, sizes, check);
    memory_release(&x->allocator, sizes);
    return error;
}

/* Compares the archive with the header. A later error of the file does not hide that it is of another archive. */
static stamma_error compare_archive(const uint8_t *header, const stamma_bytes *archive)
{
    uint64_t check;
    if (!archive)
        return STAMMA_OK;
    if (load_u64(header + PAGES_AT_ARCHIVE_SIZE) != archive->size)
        return STAMMA_ERROR_MISMATCH;
    if (!stamma_index_archive_check(archive, &check))
        return STAMMA_ERROR_IO;
    return load_u64(header + PAGES_AT_ARCHIVE_CHECK) == check ? STAMMA_OK : STAMMA_ERROR_MISMATCH;
}

static stamma_error read_file(stamma_pages *x, const stamma_bytes *archive)
{
    uint8_t header[PAGES_HEADER] = {0};
    const size_t size = x->source.size < PAGES_HEADER ? (size_t)x->source.size : PAGES_HEADER;
    if (size > 0 && !bytes_copy(&x->source, 0, header, size))
        return STAMMA_ERROR_IO;
    stamma_error error = read_header(x, header, x->source.size);
    if (error == STAMMA_OK)
        error = compare_archive(header, archive);
    return error == STAMMA_OK ? read_table(x, load_u32(header + PAGES_AT_TABLE_CHECK)) : error;
}

stamma_error stamma_pages_open(const stamma_bytes *file, const stamma_bytes *archive, const stamma_allocator *given,
                               stamma_pages **pages)
{
    if (!bytes_are_given(file) || (archive && !bytes_are_given(archive)) || !allocator_is_given(given) || !pages)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_pages *x = (stamma_pages *)memory_allocate(&allocator, sizeof *x);
    if (!x)
        return STAMMA_ERROR_NO_MEMORY;
    memset(x, 0, sizeof *x);
    x->allocator = allocator;
    x->source = *file;
    atomic_init(&x->damaged, false);
    atomic_flag_clear(&x->lock.taken);
    const stamma_error error = read_file(x, archive);
    if (error == STAMMA_OK)
        *pages = x;
    else
        stamma_pages_close(x);
    return error;
}

void stamma_pages_close(stamma_pages *x)
{
    if (!x)
        return;
    const stamma_allocator allocator = x->allocator;
    for (size_t n = 0; n < PAGES_KEPT; n++)
        memory_release(&allocator, x->kept[n].bytes);
    memory_release(&allocator, x->starts);
    memory_release(&allocator, x);
}

stamma_error stamma_pages_info(const stamma_pages *x, stamma_pages_state *state)
{
    if (!x || !state || !stamma_result_has_size(state))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_pages_state s = {.size = sizeof s,
                                  .games = x->games,
                                  .positions = x->positions,
                                  .min_games = x->min_games,
                                  .plies = x->plies,
                                  .damaged = atomic_load_explicit(&x->damaged, memory_order_relaxed)};
    stamma_result_write(&s, sizeof s, state);
    return STAMMA_OK;
}
