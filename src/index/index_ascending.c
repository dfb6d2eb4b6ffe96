/* SPDX-License-Identifier: MIT */
/* Ascending numbers with random access (P. Elias, "Efficient Storage and Retrieval by Content and Address of Static
 * Files", 1974): the low bits of each number, and its high bits in unary. Marks store the place of every 32nd
 * number. */
#include "index/index_build.h"

enum { MARK_SPAN = 32, SHIFT_MAX = 32 };

/* ---- writing ---- */

static uint8_t *extend(buffer *out, uint64_t size)
{
    const size_t at = out->size;
    if (size > SIZE_MAX || !buffer_reserve(out, (size_t)size))
        return NULL;
    memset(out->data + at, 0, (size_t)size);
    out->size = at + (size_t)size;
    return out->data + at;
}

void stamma_index_ascending_write(buffer *out, const uint8_t *numbers, size_t count)
{
    const uint32_t last = load_u32(numbers + 4 * (count - 1));
    const unsigned shift = index_rice_shift(count, last);
    index_add_u32(out, shift);
    for (size_t n = 0; n < count; n += MARK_SPAN)
        index_add_u32(out, (uint32_t)((load_u32(numbers + 4 * n) >> shift) + n));
    uint8_t *low = extend(out, index_bits_size(count, shift));
    for (size_t n = 0; n < count && low; n++)
        index_put_bits(low, n * shift, load_u32(numbers + 4 * n) & (uint32_t)((UINT64_C(1) << shift) - 1));
    uint8_t *high = extend(out, index_bits_size((last >> shift) + count, 1));
    for (size_t n = 0; n < count && high; n++) {
        const uint64_t bit = (load_u32(numbers + 4 * n) >> shift) + n;
        high[bit / 8] = (uint8_t)(high[bit / 8] | 1u << bit % 8);
    }
}

/* ---- reading ---- */

/* A place in a section of ascending numbers. */
typedef struct ascending {
    index_file *file;
    const index_segment *segment;
    index_section section;
    unsigned shift;
    uint64_t low, high; /* offsets in the section */
    uint64_t number;    /* index of the current number */
    uint64_t bit;       /* of its high bits */
} ascending;

static uint64_t count_of(const index_segment *s, index_section section)
{
    const uint32_t *counts = s->counts;
    switch (section) {
    case SECTION_NODE_FIRST: return (uint64_t)counts[COUNT_NODES] + 1;
    case SECTION_NODE_STARTS: return (uint64_t)counts[COUNT_NODE_LISTS] + 1;
    case SECTION_GROUP_STARTS: return (uint64_t)counts[COUNT_GROUPS] + 1;
    case SECTION_LIST_STARTS: return (uint64_t)counts[COUNT_LISTS] + 1;
    default: return (uint64_t)counts[COUNT_NAMES] + 2; /* starts of names and of their lists */
    }
}

static ascending open_section(index_file *x, const index_segment *s, index_section section)
{
    const uint64_t count = count_of(s, section), low = 4 + 4 * ((count + MARK_SPAN - 1) / MARK_SPAN);
    const uint32_t shift = index_u32(x, s, section, 0);
    if (shift > SHIFT_MAX)
        (void)stamma_index_damaged(x);
    const unsigned bits = shift > SHIFT_MAX ? 0 : shift;
    return (ascending){x, s, section, bits, low, low + index_bits_size(count, bits), 0, 0};
}

/* Moves to the number of a mark. */
static void go_to_mark(ascending *a, uint64_t mark)
{
    a->number = mark * MARK_SPAN;
    a->bit = index_u32(a->file, a->segment, a->section, 1 + mark);
}

/* Moves to the number that is `steps` later. Returns false if the index is damaged. */
static bool step(ascending *a, unsigned steps)
{
    a->number += steps;
    for (;;) {
        const uint8_t *at = index_bytes(a->file, a->segment, a->section, a->high + a->bit / 8, 8);
        if (!at)
            return false;
        uint64_t word = load_u64(at) >> a->bit % 8;
        const unsigned count = bits_count(word);
        if (count > steps) {
            for (; steps > 0; steps--)
                word &= word - 1;
            a->bit += bits_first(word);
            return true;
        }
        steps -= count;
        a->bit += 64 - a->bit % 8;
    }
}

static uint32_t value(ascending *a)
{
    const uint32_t low = index_bits(a->file, a->segment, a->section, 8 * a->low + a->number * a->shift, a->shift);
    const uint64_t value = (a->bit - a->number) << a->shift | low;
    if (STAMMA_LIKELY(a->bit >= a->number && value <= UINT32_MAX))
        return (uint32_t)value;
    (void)stamma_index_damaged(a->file);
    return 0;
}

bool stamma_index_ascending(index_file *x, const index_segment *s, index_section section, uint64_t n, uint32_t pair[2])
{
    ascending a = open_section(x, s, section);
    pair[0] = pair[1] = 0;
    go_to_mark(&a, n / MARK_SPAN);
    if (!step(&a, n % MARK_SPAN))
        return false;
    pair[0] = pair[1] = value(&a);
    if (n + 1 < count_of(s, section)) {
        a.bit++;
        a.number++;
        if (!step(&a, 0))
            return false;
        pair[1] = value(&a);
    }
    if (pair[0] <= pair[1])
        return true;
    (void)stamma_index_damaged(x);
    return false;
}

/* Returns whether the number at a set bit is at most `most`. */
static bool is_at_most(ascending *a, uint64_t bit, uint32_t most)
{
    const uint64_t high = bit - a->number, limit = most >> a->shift;
    a->bit = bit;
    return high < limit || (high == limit && (a->shift == 0 || value(a) <= most));
}

/* Advances while numbers are at most `most`, up to `end`. A hot loop. */
static void count_on(ascending *a, uint64_t end, uint32_t most)
{
    for (uint64_t bit = a->bit;; bit += 64 - bit % 8) {
        const uint8_t *at = index_bytes(a->file, a->segment, a->section, a->high + bit / 8, 8);
        for (uint64_t word = at ? load_u64(at) >> bit % 8 : 0; word; word &= word - 1) {
            if (!is_at_most(a, bit + bits_first(word), most) || ++a->number == end)
                return;
        }
        if (!at)
            return;
    }
}

uint64_t stamma_index_ascending_find(index_file *x, const index_segment *s, index_section section, uint32_t most)
{
    const uint64_t count = count_of(s, section);
    ascending a = open_section(x, s, section);
    uint64_t low = 0, high = (count - 1) / MARK_SPAN;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        go_to_mark(&a, middle);
        if (value(&a) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    go_to_mark(&a, low);
    count_on(&a, low * MARK_SPAN + MARK_SPAN < count ? low * MARK_SPAN + MARK_SPAN : count, most);
    return a.number > 0 ? a.number - 1 : 0;
}
