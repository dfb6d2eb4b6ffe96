/* SPDX-License-Identifier: MIT */
/* Makes lists of ranks from postings, which are found for ranges of ranks, in parallel. The postings of a range are
 * kept as differences of their lists and ranks, in about three bytes; then the lists are made from the postings of all
 * ranges. */
#include "index/index_build.h"

void stamma_posting_lists_init(posting_lists *p, const index_build *b, uint32_t lists)
{
    memset(p, 0, sizeof *p);
    p->b = b;
    p->lists = lists;
    for (size_t n = 0; n < POSTING_RANGES; n++)
        p->of[n].found.allocator = p->of[n].packed.allocator = b->allocator;
    for (size_t n = 0; n < POSTING_PARTS; n++)
        p->bytes[n].allocator = p->sizes[n].allocator = b->allocator;
}

void stamma_posting_lists_release(posting_lists *p)
{
    for (size_t n = 0; n < POSTING_RANGES; n++) {
        stamma_buffer_release(&p->of[n].found);
        stamma_buffer_release(&p->of[n].packed);
    }
    for (size_t n = 0; n < POSTING_PARTS; n++) {
        stamma_buffer_release(&p->bytes[n]);
        stamma_buffer_release(&p->sizes[n]);
    }
}

/* ---- ranges ---- */

/* Packs postings that are sorted by list and rank, and marks where the lists of each part begin. */
static void pack_sorted(const posting_lists *p, range_postings *r, const uint64_t *postings, size_t count)
{
    uint64_t list = 0, rank = 0;
    size_t part = 0;
    for (size_t n = 0; n < count; n++) {
        const uint64_t own = postings[n] >> 32, next = (uint32_t)postings[n];
        if (n > 0 && postings[n] == postings[n - 1])
            continue;
        for (; part < POSTING_PARTS && own >= (uint64_t)p->lists * part / POSTING_PARTS; part++) {
            r->parts[part] = r->packed.size;
            list = (uint64_t)p->lists * part / POSTING_PARTS;
            rank = r->first;
        }
        rank = own == list ? rank : r->first;
        stamma_buffer_add_varint(&r->packed, own - list);
        stamma_buffer_add_varint(&r->packed, next - rank);
        list = own;
        rank = next;
    }
    for (; part <= POSTING_PARTS; part++)
        r->parts[part] = r->packed.size;
}

void stamma_posting_lists_pack(posting_lists *p, size_t range)
{
    range_postings *r = &p->of[range];
    buffer spare = {.allocator = p->b->allocator};
    const size_t count = r->found.failed ? 0 : r->found.size / sizeof(uint64_t);
    uint64_t *sorted = (uint64_t *)(void *)r->found.data,
             *other = (uint64_t *)buffer_array(&spare, count, sizeof *other);
    bool failed = r->found.failed || !other || !buffer_reserve(&r->packed, 4 * count + 1);
    if (!failed) {
        stamma_index_sort(sorted, other, count, 32, bits_for(p->lists));
        pack_sorted(p, r, sorted, count);
        failed = r->packed.failed || !build_trim(&r->packed);
    }
    stamma_buffer_release(&spare);
    stamma_buffer_release(&r->found);
    r->found.failed = failed;
}

/* ---- lists ---- */

/* Reads the postings of a range in the order of their lists. */
typedef struct posting_reader {
    cursor in;
    uint64_t list; /* of the next posting; UINT64_MAX: none */
    uint64_t rank;
    uint32_t first; /* rank of the range */
} posting_reader;

static void read_next(posting_reader *r)
{
    if (r->in.at == r->in.end) {
        r->list = UINT64_MAX;
        return;
    }
    const uint64_t lists = stamma_cursor_varint(&r->in), rank = stamma_cursor_varint(&r->in);
    r->list += lists;
    r->rank = rank + (lists > 0 ? r->first : r->rank);
}

static void begin_readers(const posting_lists *p, size_t part, posting_reader *readers)
{
    for (size_t n = 0; n < p->ranges; n++) {
        const range_postings *r = &p->of[n];
        const uint8_t *bytes = buffer_at(&r->packed, 0);
        readers[n] =
            (posting_reader){{bytes + r->parts[part], bytes + r->parts[part + 1], false}, 0, r->first, r->first};
        readers[n].list = (uint64_t)p->lists * part / POSTING_PARTS;
        read_next(&readers[n]);
    }
}

/* Makes the lists of a part. The ranks of a list ascend, because the ranges do. */
static void run_lists(void *context, size_t part)
{
    posting_lists *p = (posting_lists *)context;
    posting_reader readers[POSTING_RANGES];
    buffer ranks = {.allocator = p->b->allocator}, *bytes = &p->bytes[part];
    const uint64_t first = (uint64_t)p->lists * part / POSTING_PARTS,
                   end = (uint64_t)p->lists * (part + 1) / POSTING_PARTS;
    begin_readers(p, part, readers);
    for (uint64_t list = first; list < end; list++) {
        const size_t begin = bytes->size;
        ranks.size = 0;
        for (size_t n = 0; n < p->ranges; n++)
            for (; readers[n].list == list; read_next(&readers[n])) {
                const uint32_t rank = (uint32_t)readers[n].rank;
                buffer_add(&ranks, &rank, sizeof rank);
            }
        const size_t count = ranks.failed ? 0 : ranks.size / sizeof(uint32_t);
        if (count > 0)
            stamma_index_list_write(bytes, (const uint32_t *)(const void *)ranks.data, count, p->b->games);
        const uint32_t size = (uint32_t)(bytes->size - begin);
        buffer_add(&p->sizes[part], &size, sizeof size);
    }
    bytes->failed |= ranks.failed;
    stamma_buffer_release(&ranks);
}

stamma_error stamma_posting_lists_make(posting_lists *p, buffer *lists, buffer *sizes)
{
    stamma_error error = stamma_index_run_parts(p->b->allocator, p->b->executor, POSTING_PARTS, run_lists, p);
    for (size_t n = 0; n < p->ranges; n++)
        stamma_buffer_release(&p->of[n].packed);
    for (size_t n = 0; n < POSTING_PARTS; n++) {
        lists->failed |= p->bytes[n].failed;
        sizes->failed |= p->sizes[n].failed;
        buffer_add(lists, p->bytes[n].data, p->bytes[n].size);
        buffer_add(sizes, p->sizes[n].data, p->sizes[n].size);
        stamma_buffer_release(&p->bytes[n]);
        stamma_buffer_release(&p->sizes[n]);
    }
    return error == STAMMA_OK && (lists->failed || sizes->failed) ? STAMMA_ERROR_NO_MEMORY : error;
}
