/* SPDX-License-Identifier: MIT */
/* A mutator for index files that follow their archive in one input. Changes the contents of sections, the counts and
 * parts in the directory, or moves a section to a new page at the end of its segment, where it can grow. Then
 * recomputes all checksums, so that the fuzzer reaches the code after these checks. Layout: doc/index.md. */
#include <stdbool.h>
#include <string.h>
#include <xxhash.h>

#include "mutators.h"

enum { PAGE = 4096, FOOTER = 64, COUNTS = 11, SECTIONS = 27, BLOCK_ENTRY = 48, TAIL = 4096 };
enum {
    SEGMENT_COUNTS = 20,
    SEGMENT_PARTS = SEGMENT_COUNTS + 4 * COUNTS,
    SEGMENT_ENTRY = SEGMENT_PARTS + 16 * SECTIONS
};
enum { AT_ARCHIVE = 8, AT_SIZE = 24, AT_PAGES_END = 32, AT_DIRECTORY_SIZE = 40, AT_HASH = 48, AT_CHECK = 60 };
enum { GROWN_MAX = 1 << 16 };

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

size_t index_offset(const uint8_t *data, size_t size)
{
    uint64_t of_index = size < FOOTER ? size : get(data + size - FOOTER + AT_SIZE, 8);
    return of_index <= size ? size - (size_t)of_index : 0;
}

/* ---- checksums ---- */

void restore_index(uint8_t *data, size_t size)
{
    static const uint8_t begin[16] = {'S', 'T', 'A', 'M', 'M', 'A', 'I', 'X', 2};
    const size_t offset = index_offset(data, size), tail = offset < TAIL ? offset : TAIL;
    uint8_t *index = data + offset, *footer = data + size - FOOTER;
    if (size - offset < PAGE + FOOTER)
        return;
    size -= offset;
    memcpy(index, begin, sizeof begin);
    memcpy(footer, begin, 8);
    uint64_t end = get(footer + AT_PAGES_END, 8);
    if (end > size - FOOTER)
        end = PAGE;
    const uint64_t directory = size - FOOTER - end, pages = (end + PAGE - 1) / PAGE;
    for (uint64_t page = 0; page < pages && 4 * pages <= directory; page++) {
        size_t part = end - page * PAGE < PAGE ? (size_t)(end - page * PAGE) : PAGE;
        put(footer - 4 * (pages - page), XXH64(index + page * PAGE, part, 0), 4);
    }
    put(footer + AT_ARCHIVE, offset, 8);
    put(footer + AT_ARCHIVE + 8, offset > 0 ? XXH64(index - tail, tail, 0) : 0, 8);
    put(footer + AT_SIZE, size, 8);
    put(footer + AT_PAGES_END, end, 8);
    put(footer + AT_DIRECTORY_SIZE, directory, 8);
    put(footer + AT_HASH, XXH64(index + end, (size_t)directory, 0), 8);
    put(footer + AT_CHECK, XXH64(footer, AT_CHECK, 0), 4);
}

/* ---- mutations ---- */

/* An index file in a buffer, and one of its segments. */
typedef struct index_bytes {
    uint8_t *index;
    size_t size; /* of the index */
    size_t room;
    uint8_t *directory;
    uint64_t blocks, segments;
    uint8_t *entry; /* of the segment */
    uint64_t at;    /* offset of the segment */
    uint64_t end;
    uint64_t random;
} index_bytes;

/* Finds a random segment. Returns false if the directory is invalid. */
static bool find_segment(index_bytes *x)
{
    const uint8_t *footer = x->index + x->size - FOOTER;
    if (x->size < PAGE + FOOTER)
        return false;
    uint64_t pages_end = get(footer + AT_PAGES_END, 8);
    if (pages_end > x->size - FOOTER - 8)
        return false;
    x->directory = x->index + pages_end;
    x->blocks = get(x->directory, 4);
    x->segments = get(x->directory + 4, 4);
    if (x->segments == 0 || 8 + x->blocks * BLOCK_ENTRY + x->segments * SEGMENT_ENTRY > x->size - FOOTER - pages_end)
        return false;
    x->entry = x->directory + 8 + x->blocks * BLOCK_ENTRY + draw_below(&x->random, x->segments) * SEGMENT_ENTRY;
    x->at = get(x->entry, 8);
    x->end = x->at + get(x->entry + 8, 8);
    return x->at < x->end && x->end <= pages_end;
}

static uint64_t odd_number(index_bytes *x, uint64_t now)
{
    static const uint64_t odd[] = {0,    1,   2,     4,     127,     128,     255,        256,
                                   4095, 513, 65535, 65536, 1 << 24, 1 << 28, UINT32_MAX, UINT64_MAX / 4};
    switch (draw_below(&x->random, 4)) {
    case 0: return now + 1;
    case 1: return now - 1;
    case 2: return odd[draw_below(&x->random, sizeof odd / sizeof *odd)];
    default: return draw_below(&x->random, 2 * (size_t)(now & UINT32_MAX) + 2);
    }
}

/* Returns the entry of a random part. Returns NULL if the part is empty or not within the segment. */
static uint8_t *find_part(index_bytes *x, uint8_t **bytes, uint64_t *size)
{
    uint8_t *part = x->entry + SEGMENT_PARTS + 16 * draw_below(&x->random, SECTIONS);
    uint64_t at = get(part, 8);
    *size = get(part + 8, 8);
    if (at > x->end - x->at || *size > x->end - x->at - at || *size == 0)
        return NULL;
    *bytes = x->index + x->at + at;
    return part;
}

static void change_bytes(index_bytes *x)
{
    uint8_t *bytes;
    uint64_t size;
    if (find_part(x, &bytes, &size))
        (void)LLVMFuzzerMutate(bytes, (size_t)size, (size_t)size);
}

static void change_number(index_bytes *x)
{
    static const unsigned widths[] = {1, 2, 4, 4, 8};
    uint8_t *bytes;
    uint64_t size;
    unsigned width = widths[draw_below(&x->random, sizeof widths / sizeof *widths)];
    if (!find_part(x, &bytes, &size) || size < width)
        return;
    uint8_t *at = bytes + draw_below(&x->random, (size_t)(size / width)) * width;
    put(at, odd_number(x, get(at, width)), width);
}

/* Changes a number of the directory. */
static void change_entry(index_bytes *x)
{
    uint8_t *at = x->entry + SEGMENT_COUNTS + 4 * draw_below(&x->random, COUNTS);
    unsigned width = 4;
    switch (draw_below(&x->random, 4)) {
    case 0:
        at = x->entry + SEGMENT_PARTS + 8 * draw_below(&x->random, 2 * SECTIONS);
        width = 8;
        break;
    case 1:
        at = x->directory + 8 + 8 * draw_below(&x->random, (size_t)x->blocks * BLOCK_ENTRY / 8);
        width = 8;
        break;
    default: break;
    }
    put(at, odd_number(x, get(at, width)), width);
}

/* Inserts a page at the end of the segment, and its checksum. */
static bool insert_page(index_bytes *x)
{
    enum { MORE = PAGE + 4 };
    if (x->size + MORE > GROWN_MAX || x->size + MORE > x->room)
        return false;
    uint8_t *end = x->index + x->end, *footer = x->index + x->size - FOOTER;
    memmove(footer + MORE, footer, FOOTER);
    memmove(end + PAGE, end, (size_t)(footer - end));
    memset(end, 0, PAGE);
    footer += MORE;
    put(footer + AT_SIZE, x->size + MORE, 8);
    put(footer + AT_PAGES_END, get(footer + AT_PAGES_END, 8) + PAGE, 8);
    uint8_t *first = x->directory + PAGE + 8 + x->blocks * BLOCK_ENTRY;
    for (uint64_t n = 0; n < x->segments; n++) {
        uint8_t *entry = first + n * SEGMENT_ENTRY;
        if (get(entry, 8) >= x->end)
            put(entry, get(entry, 8) + PAGE, 8);
    }
    x->size += MORE;
    x->entry += PAGE;
    x->directory += PAGE;
    put(x->entry + 8, x->end + PAGE - x->at, 8);
    return true;
}

/* Moves a section of variable size to a new page, and changes it there. */
static void move_section(index_bytes *x)
{
    static const uint8_t variable[] = {15, 16, 18, 20, 22, 24, 25, 26, 26, 26};
    uint8_t *part =
        x->entry + SEGMENT_PARTS + 16 * variable[draw_below(&x->random, sizeof variable / sizeof *variable)];
    uint64_t at = get(part, 8), size = get(part + 8, 8);
    if (at > x->end - x->at || size > x->end - x->at - at || size > PAGE || !insert_page(x))
        return;
    uint8_t *page = x->index + x->end;
    memcpy(page, x->index + x->at + at, (size_t)size);
    put(part + PAGE, x->end - x->at, 8);
    put(part + PAGE + 8, LLVMFuzzerMutate(page, (size_t)size, PAGE), 8);
}

size_t mutate_index(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static void (*const ways[])(index_bytes *) = {change_bytes, change_bytes,  change_number, change_number,
                                                  change_entry, change_number, move_section};
    const size_t offset = index_offset(data, size);
    index_bytes x = {.index = data + offset, .size = size - offset, .room = room - offset, .random = draw_from(seed)};
    if (draw(&x.random) % 16 == 0 || !find_segment(&x))
        return LLVMFuzzerMutate(data, size, room);
    for (size_t changes = 1 + draw_below(&x.random, 4); changes > 0 && find_segment(&x); changes--)
        ways[draw_below(&x.random, sizeof ways / sizeof *ways)](&x);
    restore_index(data, offset + x.size);
    return offset + x.size;
}
