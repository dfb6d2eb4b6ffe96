/* SPDX-License-Identifier: MIT */
/* A mutator for index files that follow their archive in one input. Changes the contents of sections, the counts and
 * parts in the directory, or moves a section to a new page at the end of its segment, where it can grow. Then
 * recomputes all checksums, so that the fuzzer reaches the code after these checks. Layout: doc/format/index_files.md.
 */
#include <stdbool.h>
#include <string.h>
#include <xxhash.h>

#include "mutators.h"

enum {
    PAGE = 4096,
    ROOT = 64,
    SLOT = 512,
    COUNTS = 11,
    SECTIONS_LEAST = 28,
    SECTIONS_MAX = 64,
    BLOCK_ENTRY = 48,
    TAIL = 4096
};
enum { ENTRY = 32, ENTRY_SIZE = 8, ENTRY_TABLE_SIZE = 16, ENTRY_HASH = 24 }; /* of a segment in the directory */
enum { TABLE_SECTIONS = 4, TABLE_COUNTS = 8, TABLE_PARTS = TABLE_COUNTS + 4 * COUNTS }; /* the table of a segment */
enum { AT_NUMBER = 8, AT_ARCHIVE = 16, AT_DIRECTORY = 32, AT_DIRECTORY_SIZE = 40, AT_HASH = 48, AT_CHECK = 60 };
enum { ROOTS = 3, GROWN_MAX = 1 << 16 };
static const uint8_t begin[16] = {'S', 'T', 'A', 'M', 'M', 'A', 'I', 'X', 3};

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
    for (size_t at = 0; at + sizeof begin <= size; at++)
        if (memcmp(data + at, begin, sizeof begin) == 0)
            return at;
    if (size < ROOT) /* a new file ends with its root, even if its first bytes were changed */
        return 0;
    const uint8_t *root = data + size - ROOT;
    const uint64_t directory = get(root + AT_DIRECTORY, 8), rest = get(root + AT_DIRECTORY_SIZE, 8) + ROOT;
    return directory <= size && rest <= size - directory ? size - (size_t)(directory + rest) : 0;
}

/* Returns a root of an index: in a slot, or at the end. Returns NULL if there is none that may be valid. */
static uint8_t *root_at(uint8_t *index, size_t size, unsigned number)
{
    uint8_t *root = number < ROOTS - 1 ? index + (number + 1) * SLOT : index + size - ROOT;
    const uint64_t directory = get(root + AT_DIRECTORY, 8), of_directory = get(root + AT_DIRECTORY_SIZE, 8);
    const bool valid = memcmp(root, begin, 8) == 0 && directory >= PAGE && directory <= size &&
                       of_directory <= size - directory && of_directory % ENTRY == 0;
    return valid ? root : NULL;
}

/* ---- checksums ---- */

/* Recomputes the checksums of a segment, if it is before the directory. */
static void restore_segment(uint8_t *index, uint64_t directory, uint8_t *entry)
{
    const uint64_t at = get(entry, 8), size = get(entry + ENTRY_SIZE, 8), of_table = get(entry + ENTRY_TABLE_SIZE, 8);
    if (at > directory || size > directory - at || of_table > directory - at - size || size / PAGE > of_table / 4)
        return;
    uint8_t *table = index + at + size;
    for (uint64_t page = 0; page < size / PAGE; page++)
        put(table + of_table - 4 * (size / PAGE - page), XXH64(index + at + page * PAGE, PAGE, 0), 4);
    put(entry + ENTRY_HASH, XXH64(table, (size_t)of_table, 0), 8);
}

void restore_index(uint8_t *data, size_t size)
{
    const size_t offset = index_offset(data, size), tail = offset < TAIL ? offset : TAIL;
    uint8_t *index = data + offset;
    if (size - offset < PAGE + ROOT)
        return;
    size -= offset;
    memcpy(index, begin, sizeof begin);
    for (unsigned n = 0; n < ROOTS; n++) {
        uint8_t *root = root_at(index, size, n);
        if (!root)
            continue;
        const uint64_t at = get(root + AT_DIRECTORY, 8), of_directory = get(root + AT_DIRECTORY_SIZE, 8);
        for (uint64_t entry = at; entry < at + of_directory; entry += ENTRY)
            restore_segment(index, at, index + entry);
        put(root + AT_ARCHIVE, offset, 8);
        put(root + AT_ARCHIVE + 8, offset > 0 ? XXH64(index - tail, tail, 0) : 0, 8);
        put(root + AT_HASH, XXH64(index + at, (size_t)of_directory, 0), 8);
        put(root + AT_CHECK, XXH64(root, AT_CHECK, 0), 4);
    }
}

/* ---- mutations ---- */

/* An index file in a buffer, and one of its segments. */
typedef struct index_bytes {
    uint8_t *index;
    size_t size; /* of the index */
    size_t room;
    uint8_t *root;  /* the one with the greatest number */
    uint8_t *entry; /* of the segment */
    uint8_t *table;
    uint64_t at; /* offset of the segment */
    uint64_t end;
    bool last; /* only the directory and the root of a new file follow */
    uint64_t random;
} index_bytes;

static void find_root(index_bytes *x)
{
    x->root = NULL;
    for (unsigned n = 0; n < ROOTS && x->size >= PAGE + ROOT; n++) {
        uint8_t *root = root_at(x->index, x->size, n);
        if (root && (!x->root || get(root + AT_NUMBER, 8) > get(x->root + AT_NUMBER, 8)))
            x->root = root;
    }
}

/* Finds a random segment. Returns false if the directory or the segment's table is invalid. */
static bool find_segment(index_bytes *x)
{
    find_root(x);
    const uint64_t directory = x->root ? get(x->root + AT_DIRECTORY, 8) : 0;
    const size_t count = x->root ? (size_t)get(x->root + AT_DIRECTORY_SIZE, 8) / ENTRY : 0;
    if (count == 0)
        return false;
    const size_t chosen = draw_below(&x->random, count);
    x->entry = x->index + directory + chosen * ENTRY;
    x->last = chosen == count - 1 && x->root == x->index + x->size - ROOT;
    x->at = get(x->entry, 8);
    const uint64_t size = get(x->entry + ENTRY_SIZE, 8), of_table = get(x->entry + ENTRY_TABLE_SIZE, 8);
    if (x->at > directory || size == 0 || size > directory - x->at || of_table > directory - x->at - size)
        return false;
    x->end = x->at + size;
    x->table = x->index + x->end;
    if (of_table < TABLE_PARTS)
        return false;
    const uint64_t blocks = get(x->table, 4), sections = get(x->table + TABLE_SECTIONS, 4);
    return sections >= SECTIONS_LEAST && sections <= SECTIONS_MAX &&
           of_table == TABLE_PARTS + 16 * sections + blocks * BLOCK_ENTRY + size / PAGE * 4;
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
    uint8_t *part = x->table + TABLE_PARTS + 16 * draw_below(&x->random, (size_t)get(x->table + TABLE_SECTIONS, 4));
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

/* Changes a number of the directory or of the table. */
static void change_entry(index_bytes *x)
{
    const size_t sections = (size_t)get(x->table + TABLE_SECTIONS, 4), blocks = (size_t)get(x->table, 4);
    uint8_t *at = x->table + TABLE_COUNTS + 4 * draw_below(&x->random, COUNTS);
    unsigned width = 4;
    switch (draw_below(&x->random, 5)) {
    case 0:
        at = x->table + TABLE_PARTS + 8 * draw_below(&x->random, 2 * sections);
        width = 8;
        break;
    case 1:
        at = x->table + TABLE_PARTS + 16 * sections + 8 * draw_below(&x->random, blocks * BLOCK_ENTRY / 8);
        width = 8;
        break;
    case 2:
        at = x->entry + 8 * draw_below(&x->random, ENTRY / 8);
        width = 8;
        break;
    default: break;
    }
    put(at, odd_number(x, get(at, width)), width);
}

/* Inserts a page at the end of the last segment of a new file, and its checksum at the end of the table. */
static bool insert_page(index_bytes *x)
{
    enum { MORE = PAGE + 4 };
    if (!x->last || x->size + MORE > GROWN_MAX || x->size + MORE > x->room)
        return false;
    uint8_t *end = x->table, *end_of_table = x->table + get(x->entry + ENTRY_TABLE_SIZE, 8);
    memmove(end_of_table + MORE, end_of_table, (size_t)(x->index + x->size - end_of_table));
    memmove(end + PAGE, end, (size_t)(end_of_table - end));
    memset(end, 0, PAGE);
    x->size += MORE;
    x->entry += MORE;
    x->root += MORE;
    x->table += PAGE;
    put(x->entry + ENTRY_SIZE, x->end + PAGE - x->at, 8);
    put(x->entry + ENTRY_TABLE_SIZE, get(x->entry + ENTRY_TABLE_SIZE, 8) + 4, 8);
    put(x->root + AT_DIRECTORY, get(x->root + AT_DIRECTORY, 8) + MORE, 8);
    return true;
}

/* Moves a section of variable size to a new page, and changes it there. */
static void move_section(index_bytes *x)
{
    static const uint8_t variable[] = {15, 16, 18, 20, 22, 24, 25, 26, 26, 26};
    uint8_t *part = x->table + TABLE_PARTS + 16 * variable[draw_below(&x->random, sizeof variable / sizeof *variable)];
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
