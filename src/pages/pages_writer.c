/* SPDX-License-Identifier: MIT */
/* Writes a file of pages. */
#include "pages/pages_build.h"
#include "search/search_index.h"

enum { PARTS_MEMORY = 128 << 20, USUAL_PLIES = 12 };

/* ---- the file ---- */

static void fill_header(const pages_build *b, uint64_t archive_check, uint64_t size, uint8_t header[PAGES_HEADER])
{
    memset(header, 0, PAGES_HEADER);
    memcpy(header, stamma_pages_magic, sizeof stamma_pages_magic);
    store_u32(header + PAGES_AT_VERSION, PAGES_VERSION);
    store_u32(header + PAGES_AT_MIN_GAMES, b->options.min_games);
    store_u64(header + PAGES_AT_SIZE, size);
    store_u64(header + PAGES_AT_ARCHIVE_SIZE, b->archive->bytes.size);
    store_u64(header + PAGES_AT_ARCHIVE_CHECK, archive_check);
    store_u64(header + PAGES_AT_GAMES, b->file->games);
    store_u32(header + PAGES_AT_PLIES, b->options.plies);
    store_u32(header + PAGES_AT_POSITIONS, b->positions);
    store_u32(header + PAGES_AT_BUCKETS, (uint32_t)(b->sizes.size / 2));
    store_u32(header + PAGES_AT_UNITS, (uint32_t)(b->units.size / PAGES_HEADER));
    header[PAGES_AT_WIDTHS] = b->widths.number;
    header[PAGES_AT_WIDTHS + 1] = b->widths.rating;
    header[PAGES_AT_WIDTHS + 2] = b->widths.month;
    header[PAGES_AT_WIDTHS + 3] = b->widths.kind;
    header[PAGES_AT_KIND] = b->widths.only_kind;
    header[PAGES_AT_USUAL] = (uint8_t)(b->lines > 0 ? b->departures / b->lines : USUAL_PLIES);
    header[PAGES_AT_INDEX_BITS] = b->widths.index;
    store_u16(header + PAGES_AT_FIRST_MONTH, b->widths.first_month);
    store_u16(header + PAGES_AT_LAST_MONTH, b->widths.last_month);
    store_u16(header + PAGES_AT_MEAN, b->widths.mean);
    store_u32(header + PAGES_AT_TABLE_CHECK, stamma_check32(b->sizes.data, b->sizes.size));
    for (size_t n = 0; n < PREFIX_SYMBOLS; n++)
        header[PAGES_AT_LENGTHS + n / 2] |= (uint8_t)(b->lengths[n] << 4 * (n & 1));
    memcpy(header + PAGES_AT_WEIGHTS, b->order.weights, PAGES_WEIGHTS);
    store_u32(header + PAGES_AT_CHECK, stamma_check32(header, PAGES_AT_CHECK));
}

static bool put(const stamma_output *output, const void *bytes, size_t size)
{
    return size == 0 || output->write(output->context, bytes, size);
}

static stamma_error write_file(const pages_build *b, const stamma_output *output)
{
    static const uint8_t zeros[PAGES_HEADER];
    uint8_t header[PAGES_HEADER];
    const size_t used = PAGES_HEADER + b->sizes.size + b->buckets.size;
    const size_t gap = (PAGES_HEADER - used % PAGES_HEADER) % PAGES_HEADER;
    uint64_t check;
    if (!stamma_index_archive_check(&b->archive->bytes, &check))
        return STAMMA_ERROR_IO;
    fill_header(b, check, used + gap + b->units.size, header);
    const bool written = put(output, header, sizeof header) && put(output, b->sizes.data, b->sizes.size) &&
                         put(output, b->buckets.data, b->buckets.size) && put(output, zeros, gap) &&
                         put(output, b->units.data, b->units.size) && (!output->sync || output->sync(output->context));
    return written ? STAMMA_OK : STAMMA_ERROR_IO;
}

/* ---- the work ---- */

static stamma_error make_pages(pages_build *b)
{
    stamma_error error = stamma_pages_find_popular(b);
    if (error == STAMMA_OK)
        error = stamma_pages_find_transposed(b);
    if (error == STAMMA_OK)
        error = stamma_pages_make_lines(b);
    return error == STAMMA_OK ? stamma_pages_make_buckets(b) : error;
}

static stamma_error build_pages(stamma_archive *archive, index_file *file, const stamma_pages_write_options *options,
                                const stamma_output *output)
{
    const stamma_allocator *allocator = &archive->allocator;
    pages_build *b = (pages_build *)memory_allocate(allocator, sizeof *b);
    if (!b)
        return STAMMA_ERROR_NO_MEMORY;
    memset(b, 0, sizeof *b);
    b->allocator = allocator;
    b->archive = archive;
    b->file = file;
    b->options = *options;
    b->total = 8 * file->games + 1;
    buffer *const buffers[] = {&b->stored, &b->popular, &b->paths, &b->units, &b->buckets, &b->sizes, &b->late};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++)
        buffers[n]->allocator = allocator;
    stamma_pages_map_init(&b->map, allocator);
    stamma_error error = file->games < UINT32_MAX ? make_pages(b) : STAMMA_ERROR_LIMIT;
    if (error == STAMMA_OK)
        error = write_file(b, output);
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++)
        stamma_buffer_release(buffers[n]);
    stamma_pages_map_release(&b->map);
    memory_release(allocator, b->filter.bits);
    memory_release(allocator, b);
    return error;
}

/* ---- an index in memory ---- */

static bool write_index(void *context, const void *bytes, size_t size)
{
    buffer *out = (buffer *)context;
    buffer_add(out, bytes, size);
    return !out->failed;
}

/* Makes an index of an archive that has none. */
static stamma_error build_with_index(stamma_archive *archive, const stamma_pages_write_options *options,
                                     const stamma_output *output)
{
    const stamma_index_write_options made = {
        .size = sizeof made, .executor = options->executor, .context = options->context, .progress = options->progress};
    buffer bytes = {.allocator = &archive->allocator};
    const stamma_output to = {&bytes, write_index, NULL};
    index_file file;
    stamma_error error = stamma_index_write(archive, &made, &to);
    if (bytes.failed)
        error = STAMMA_ERROR_NO_MEMORY;
    const stamma_bytes index = stamma_bytes_of(bytes.data, bytes.size);
    if (error == STAMMA_OK)
        error = stamma_index_file_open(&file, &index, &archive->allocator);
    if (error == STAMMA_OK) {
        error = build_pages(archive, &file, options, output);
        stamma_index_file_close(&file);
    }
    stamma_buffer_release(&bytes);
    return error;
}

static stamma_error read_options(const stamma_archive *archive, const stamma_pages_write_options *given,
                                 stamma_pages_write_options *options)
{
    const stamma_allocator *none = NULL;
    const stamma_error error = stamma_archive_options_read(given, options, sizeof *options, &none, &options->executor);
    if (error != STAMMA_OK)
        return error;
    options->executor = options->executor ? options->executor : &archive->executor;
    options->memory = options->memory > 0 ? options->memory : PARTS_MEMORY;
    options->min_games = options->min_games > 0 ? options->min_games : PAGES_GAMES_DEFAULT;
    options->plies = options->plies > 0 ? options->plies : PAGES_PLIES_DEFAULT;
    return options->min_games >= 2 && options->plies <= PAGES_PLIES_MAX ? STAMMA_OK : STAMMA_ERROR_BAD_ARGUMENT;
}

stamma_error stamma_pages_write(stamma_archive *archive, const stamma_pages_write_options *given,
                                const stamma_output *output)
{
    stamma_pages_write_options options = {0};
    if (!archive || !output_is_given(output))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_error error = read_options(archive, given, &options);
    if (error != STAMMA_OK)
        return error;
    const stamma_search_index *index = handle_index(archive);
    return index && index->file ? build_pages(archive, index->file, &options, output)
                                : build_with_index(archive, &options, output);
}
