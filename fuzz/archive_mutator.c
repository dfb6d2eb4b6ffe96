/* SPDX-License-Identifier: MIT */
/* A mutator for archives. Splits an archive into frames and columns. Then changes a field, the stored or unpacked bytes
 * of a column, or the order of columns and blocks. Finally rebuilds the archive with valid sizes and checksums, so that
 * the fuzzer reaches the code after these checks. The archive has one commit, or several commits, tables of blocks and
 * sources, with some wrong numbers. Layout: doc/format/archive.md, clauses 1.2, 2.1, 3.1, 3.2, 7.1, 7.5 and 7.6. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "mutators.h"
#include "stamma.h"

enum { HEADER = 16, FRAME = 32, FIXED_HEAD = 16, BLOCK = 1, COMMIT = 2, TABLE = 3, SOURCE = 4 };
enum { COLUMNS_MAX = 320, BLOCKS_MAX = 64, HEAD_NUMBERS = 8, TEXT_MAX = 1 << 24 };
#define PLAIN_MAX ((size_t)1 << 20)

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

static void put_check32(uint8_t *at, const uint8_t *bytes, size_t size)
{
    put(at, XXH64(bytes, size, 0), 4);
}

/* ---- reading ---- */

typedef struct cursor {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
} cursor;

static uint64_t varint(cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 63 && c->at < c->end; shift += 7) {
        uint8_t byte = *c->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    c->failed = true;
    return 0;
}

static const uint8_t *take(cursor *c, uint64_t size)
{
    const uint8_t *taken = c->at;
    if (c->failed || size > (uint64_t)(c->end - c->at)) {
        c->failed = true;
        return taken;
    }
    c->at += size;
    return taken;
}

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

typedef struct column {
    uint8_t id, codec, flags;
    stamma_text name; /* points into the archive */
    uint64_t plain;
    bytes stored; /* a private copy */
} column;

typedef struct block {
    uint64_t text_size, text_check;
    uint64_t numbers[HEAD_NUMBERS]; /* the number of records, games, plies and so on */
    uint8_t continues;
    size_t count;
    column *columns;
} block;

typedef struct archive {
    uint64_t random;
    size_t count;
    block *blocks;
} archive;

static bytes copy_of(const uint8_t *data, size_t size)
{
    bytes b = {malloc(size ? size : 1), size};
    if (!b.data)
        abort();
    if (size > 0)
        memcpy(b.data, data, size);
    return b;
}

static void release(archive *a)
{
    for (size_t i = 0; i < a->count; i++) {
        for (size_t n = 0; n < a->blocks[i].count; n++)
            free(a->blocks[i].columns[n].stored.data);
        free(a->blocks[i].columns);
    }
    free(a->blocks);
}

static bool read_columns(cursor *head, cursor *body, uint64_t count, block *b)
{
    b->columns = calloc(COLUMNS_MAX + 2, sizeof *b->columns);
    if (!b->columns)
        abort();
    while (b->count < count && b->count < COLUMNS_MAX) {
        const uint8_t *fixed = take(head, 3);
        column c = {.plain = 0};
        c.name.size = (size_t)varint(head);
        c.name.data = (const char *)take(head, c.name.size);
        c.plain = varint(head);
        size_t size = (size_t)varint(head);
        (void)take(head, 8);
        const uint8_t *stored = take(body, size);
        if (head->failed || body->failed)
            return false;
        c.id = fixed[0];
        c.codec = fixed[1];
        c.flags = fixed[2];
        c.stored = copy_of(stored, size);
        b->columns[b->count++] = c;
    }
    return true;
}

static bool read_block(const uint8_t *payload, size_t head_size, size_t size, block *b)
{
    cursor head = {payload, payload + head_size, false}, body = {head.end, payload + size, false};
    const uint8_t *fixed = take(&head, FIXED_HEAD);
    *b = (block){.count = 0};
    if (head.failed)
        return false;
    b->text_size = get(fixed, 8);
    b->text_check = get(fixed + 8, 8);
    for (unsigned i = 0; i < HEAD_NUMBERS; i++)
        b->numbers[i] = varint(&head);
    b->continues = *take(&head, 1);
    uint64_t count = varint(&head);
    return !head.failed && read_columns(&head, &body, count, b);
}

static void read_archive(const uint8_t *data, size_t size, archive *a)
{
    a->blocks = calloc(BLOCKS_MAX + 1, sizeof *a->blocks);
    if (!a->blocks)
        abort();
    for (size_t at = HEADER; at < size && size - at >= FRAME && a->count < BLOCKS_MAX;) {
        const uint8_t *frame = data + at;
        uint64_t payload_size = get(frame + 8, 8), head_size = get(frame + 16, 4);
        if (payload_size > size - at - FRAME || head_size > payload_size)
            return;
        if (frame[4] == BLOCK) {
            block *b = &a->blocks[a->count++];
            if (!read_block(frame + FRAME, (size_t)head_size, (size_t)payload_size, b))
                return;
        }
        at += FRAME + (size_t)payload_size;
    }
}

/* ---- writing ---- */

typedef struct sink {
    uint8_t *data;
    size_t size;
    size_t room;
    bool full;
} sink;

static uint8_t *add(sink *s, const void *data, size_t size)
{
    uint8_t *at = s->data + s->size;
    if (s->full || size > s->room - s->size) {
        s->full = true;
        return NULL;
    }
    if (size > 0)
        memcpy(at, data, size);
    s->size += size;
    return at;
}

static void add_number(sink *s, uint64_t value, unsigned size)
{
    uint8_t eight[8];
    put(eight, value, size);
    (void)add(s, eight, size);
}

static void add_varint(sink *s, uint64_t value)
{
    for (; value > 127; value >>= 7)
        add_number(s, value | 128, 1);
    add_number(s, value, 1);
}

static const uint8_t no_frame[FRAME] = {0};

/* The fields of a frame's header that describe earlier frames (2.1). */
typedef struct order {
    uint64_t blocks;
    uint64_t id; /* the archive's ID */
} order;

/* Fills in the fields of a frame's header that depend on earlier frames, and its checksums. All other fields must be
 * set. */
static void number_frame(uint8_t *frame, size_t head_size, order *o)
{
    put_check32(frame + 20, frame + FRAME, head_size);
    if (frame[4] == BLOCK && o->blocks == 0)
        o->id = get(frame + 20, 2);
    put(frame + 6, o->id, 2);
    put(frame + 24, o->blocks, 4);
    o->blocks += frame[4] == BLOCK;
    put_check32(frame + 28, frame, 28);
}

/* Fills in a frame's header at `begin`, where the caller left room for it. The payload follows the header. */
static void end_frame(sink *s, size_t begin, uint8_t type, size_t head_size, order *o)
{
    uint8_t *frame = s->data + begin;
    if (s->full)
        return;
    memcpy(frame, "sFrm", 4);
    frame[4] = type;
    frame[5] = 1;
    put(frame + 8, s->size - begin - FRAME, 8);
    put(frame + 16, head_size, 4);
    number_frame(frame, head_size, o);
}

static void write_block(sink *s, const block *b, order *o)
{
    size_t begin = s->size;
    (void)add(s, no_frame, FRAME);
    add_number(s, b->text_size, 8);
    add_number(s, b->text_check, 8);
    for (unsigned i = 0; i < HEAD_NUMBERS; i++)
        add_varint(s, b->numbers[i]);
    add_number(s, b->continues, 1);
    add_varint(s, b->count);
    for (size_t n = 0; n < b->count; n++) {
        const column *c = &b->columns[n];
        const uint8_t fixed[3] = {c->id, c->codec, c->flags};
        (void)add(s, fixed, 3);
        add_varint(s, c->name.size);
        (void)add(s, c->name.data, c->name.size);
        add_varint(s, c->plain);
        add_varint(s, c->stored.size);
        add_number(s, XXH64(c->stored.data, c->stored.size, 0), 8);
    }
    size_t head_size = s->size - begin - FRAME;
    for (size_t n = 0; n < b->count; n++)
        (void)add(s, b->columns[n].stored.data, b->columns[n].stored.size);
    end_frame(s, begin, BLOCK, head_size, o);
}

/* The frames that follow blocks. */
typedef struct layout {
    uint64_t random;
    bool is_varied;                                      /* several commits, tables and sources; otherwise one commit */
    size_t begins[BLOCKS_MAX + 1], ends[BLOCKS_MAX + 1]; /* of the frames of blocks */
    size_t committed, commit, commit_end;                /* blocks in commits; the last commit */
    size_t listed, table;                                /* blocks in tables; the last table */
    uint64_t named;                                      /* end of the text of the last source */
} layout;

/* Returns a number, which is rarely changed in a varied layout. */
static uint64_t near(layout *l, uint64_t value)
{
    static const uint64_t odd[] = {0, 1, 16, 127, 128, 1024, UINT32_MAX, UINT64_MAX / 4, UINT64_MAX};
    if (!l->is_varied || draw(&l->random) % 64 != 0)
        return value;
    return draw(&l->random) & 1 ? value + 1 : odd[draw_below(&l->random, sizeof odd / sizeof *odd)];
}

static uint64_t text_of(const archive *a, size_t blocks)
{
    uint64_t text = 0;
    for (size_t i = 0; i < blocks; i++)
        text += a->blocks[i].text_size;
    return text;
}

/* Writes the totals of blocks. The order differs from the order in block heads: games, plies, variation plies, bytes of
 * text, then verbatim, partly verbatim and corrected games, verbatim bytes, blocks. */
static void write_totals(sink *s, const archive *a, layout *l, size_t blocks)
{
    uint64_t sums[HEAD_NUMBERS] = {0};
    for (size_t i = 0; i < blocks; i++)
        for (unsigned n = 0; n < HEAD_NUMBERS; n++)
            sums[n] += a->blocks[i].numbers[n];
    for (unsigned n = 1; n < HEAD_NUMBERS; n++) {
        add_varint(s, near(l, sums[n]));
        if (n == 3)
            add_varint(s, near(l, text_of(a, blocks)));
    }
    add_varint(s, near(l, blocks));
}

/* Writes a commit for the first `blocks` blocks. */
static void write_commit(sink *s, const archive *a, layout *l, size_t blocks, bool finished, order *o)
{
    size_t begin = s->size, last = l->commit_end > 0 ? l->commit_end : HEADER;
    (void)add(s, no_frame, FRAME);
    add_number(s, near(l, l->commit), 8);
    add_number(s, finished, 1);
    write_totals(s, a, l, blocks);
    add_varint(s, near(l, blocks - l->committed));
    for (size_t i = l->committed; i < blocks; last = l->begins[i++]) {
        add_varint(s, near(l, l->begins[i] - last));
        add_varint(s, near(l, a->blocks[i].numbers[1]));
        add_varint(s, near(l, a->blocks[i].text_size));
    }
    add_number(s, near(l, begin), 8);
    (void)add(s, "StEndCmt", 8);
    end_frame(s, begin, COMMIT, s->full ? 0 : s->size - begin - FRAME, o);
    l->committed = blocks;
    l->commit = begin;
    l->commit_end = s->size;
}

/* Writes a table of the blocks that no table lists. */
static void write_table(sink *s, const archive *a, layout *l, size_t blocks, order *o)
{
    size_t begin = s->size, last = 0;
    (void)add(s, no_frame, FRAME);
    add_number(s, near(l, l->table), 8);
    add_varint(s, near(l, l->listed));
    add_varint(s, near(l, blocks - l->listed));
    for (size_t i = l->listed; i < blocks; last = l->ends[i++]) {
        add_varint(s, near(l, l->begins[i] - last));
        add_varint(s, near(l, l->ends[i] - l->begins[i] - FRAME));
        add_varint(s, near(l, a->blocks[i].numbers[1]));
        add_varint(s, near(l, a->blocks[i].text_size));
    }
    add_number(s, near(l, begin), 8);
    (void)add(s, "StEndTbl", 8);
    end_frame(s, begin, TABLE, s->full ? 0 : s->size - begin - FRAME, o);
    l->listed = blocks;
    l->table = begin;
}

/* Writes a source whose text is after the text of the last source. */
static void write_source(sink *s, const archive *a, layout *l, size_t blocks, order *o)
{
    static const uint8_t name[] = "folder/games.pgn";
    const uint64_t left = text_of(a, blocks) - l->named, gap = draw_below(&l->random, (size_t)left + 1);
    const uint64_t size = draw_below(&l->random, (size_t)(left - gap) + 1);
    size_t begin = s->size;
    (void)add(s, no_frame, FRAME);
    add_varint(s, near(l, l->named + gap));
    add_varint(s, near(l, size));
    for (unsigned n = 0; n < 4; n++)
        add_number(s, draw(&l->random), 8);
    add_varint(s, near(l, 1700000000));
    const size_t name_size = draw_below(&l->random, sizeof name);
    add_varint(s, near(l, name_size));
    (void)add(s, name, name_size);
    end_frame(s, begin, SOURCE, s->full ? 0 : s->size - begin - FRAME, o);
    l->named += gap + size;
}

/* Writes the frames that follow a block. */
static void write_others(sink *s, const archive *a, layout *l, size_t blocks, order *o)
{
    const bool last = blocks == a->count;
    while (l->is_varied && draw(&l->random) % 4 == 0)
        write_source(s, a, l, blocks, o);
    if (l->is_varied && draw(&l->random) % 3 == 0)
        write_table(s, a, l, blocks, o);
    if (last || (l->is_varied && draw(&l->random) & 1))
        write_commit(s, a, l, blocks, last || draw(&l->random) % 4 != 0, o);
}

static void write_header(sink *s)
{
    uint8_t header[HEADER] = {0x8D, 'S', 't', 'a', 'm', 'm', 'a', '\n'};
    put_check32(header + 12, header, 12);
    (void)add(s, header, HEADER);
}

static void write_archive(sink *s, const archive *a, uint64_t random)
{
    layout l = {.random = random, .is_varied = random != 0};
    order o = {0, 0};
    write_header(s);
    for (size_t i = 0; i < a->count; i++) {
        l.begins[i] = s->size;
        write_block(s, &a->blocks[i], &o);
        l.ends[i] = s->size;
        write_others(s, a, &l, i + 1, &o);
    }
    if (a->count == 0)
        write_commit(s, a, &l, 0, true, &o);
}

/* ---- mutations ---- */

static block *any_block(archive *a)
{
    return &a->blocks[draw_below(&a->random, a->count)];
}

/* Returns a random column, or NULL if the block has none. */
static column *any_column(archive *a, block *b)
{
    return b->count > 0 ? &b->columns[draw_below(&a->random, b->count)] : NULL;
}

static void change(archive *a, uint64_t *value)
{
    static const uint64_t odd[] = {0,     1,     2,       127,     128,        255,           256,
                                   65535, 65536, 1 << 24, 1 << 28, UINT32_MAX, UINT64_MAX / 4};
    switch (draw_below(&a->random, 4)) {
    case 0: *value += 1; break;
    case 1: *value -= *value > 0; break;
    case 2: *value = odd[draw_below(&a->random, sizeof odd / sizeof *odd)]; break;
    default: *value = draw_below(&a->random, 2 * (size_t)(*value & UINT32_MAX) + 2);
    }
}

/* Replaces the stored bytes of a zstd column with the unpacked bytes. Other columns stay unchanged. */
static void store_plain(column *c)
{
    if (c->codec != 1 || c->plain == 0 || c->plain > PLAIN_MAX)
        return;
    bytes plain = {malloc((size_t)c->plain), 0};
    if (!plain.data)
        abort();
    plain.size = ZSTD_decompress(plain.data, (size_t)c->plain, c->stored.data, c->stored.size);
    if (ZSTD_isError(plain.size) || plain.size != c->plain) {
        free(plain.data);
        return;
    }
    free(c->stored.data);
    c->stored = plain;
    c->codec = 0;
}

static void change_bytes(archive *a, block *b)
{
    enum { MORE = 64 };
    column *c = any_column(a, b);
    if (!c)
        return;
    if (draw(&a->random) & 3)
        store_plain(c);
    uint8_t *larger = realloc(c->stored.data, c->stored.size + MORE);
    if (!larger)
        abort();
    c->stored.data = larger;
    size_t size = LLVMFuzzerMutate(larger, c->stored.size, c->stored.size + MORE);
    if (c->codec == 0)
        c->plain += size - c->stored.size;
    c->stored.size = size;
}

static void change_entry(archive *a, block *b)
{
    column *c = any_column(a, b);
    switch (c ? draw_below(&a->random, 4) : 4) {
    case 0: c->id = (uint8_t)(draw(&a->random) % 4 ? draw_below(&a->random, 20) : 64); break;
    case 1: c->codec = (uint8_t)draw_below(&a->random, 7); break;
    case 2: c->flags = (uint8_t)draw_below(&a->random, 5); break;
    case 3: change(a, &c->plain); break;
    default: break;
    }
}

static void change_head(archive *a, block *b)
{
    switch (draw_below(&a->random, 4)) {
    case 0: change(a, &b->text_size); break;
    case 1: b->continues ^= 1; break;
    default: change(a, &b->numbers[draw_below(&a->random, HEAD_NUMBERS)]);
    }
}

static void drop_column(archive *a, block *b)
{
    column *c = any_column(a, b);
    if (!c)
        return;
    free(c->stored.data);
    size_t at = (size_t)(c - b->columns);
    memmove(c, c + 1, (b->count - at - 1) * sizeof *c);
    b->count--;
}

/* Copies a random column of any block: inserts the copy, or replaces another column with the copy. */
static void copy_column(archive *a, block *b)
{
    column *from = any_column(a, any_block(a)), *to = any_column(a, b);
    if (!from || !to)
        return;
    column copied = *from;
    copied.stored = copy_of(from->stored.data, from->stored.size);
    if (draw(&a->random) & 1) {
        if (draw(&a->random) & 1) {
            copied.id = to->id;
            copied.name = to->name;
        }
        free(to->stored.data);
        *to = copied;
    } else if (b->count < COLUMNS_MAX) {
        size_t at = (size_t)(to - b->columns);
        memmove(to + 1, to, (b->count - at) * sizeof *to);
        *to = copied;
        b->count++;
    } else {
        free(copied.stored.data);
    }
}

static void swap_columns(archive *a, block *b)
{
    column *one = any_column(a, b), *other = any_column(a, b);
    if (!one)
        return;
    column kept = *one;
    *one = *other;
    *other = kept;
}

static void mutate_blocks(archive *a)
{
    static void (*const ways[])(archive *, block *) = {change_bytes, change_bytes, change_bytes, change_bytes,
                                                       change_bytes, change_entry, change_head,  drop_column,
                                                       copy_column,  swap_columns};
    block *b = any_block(a);
    for (size_t changes = 1 + draw_below(&a->random, 3); changes > 0; changes--)
        ways[draw_below(&a->random, sizeof ways / sizeof *ways)](a, b);
    if (draw(&a->random) % 8 == 0 && a->count > 1) { /* swap two blocks */
        block *other = any_block(a), kept = *b;
        *b = *other;
        *other = kept;
    }
}

size_t mutate_archive(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    archive a = {.random = draw_from(seed)};
    if (draw(&a.random) % 8 == 0)
        return LLVMFuzzerMutate(data, size, room);
    read_archive(data, size, &a);
    if (a.count == 0) {
        release(&a);
        return LLVMFuzzerMutate(data, size, room);
    }
    mutate_blocks(&a);
    /* Written to a separate buffer, because the names of columns point into the data that is replaced. */
    sink s = {malloc(room), 0, room, false};
    if (!s.data)
        abort();
    write_archive(&s, &a, draw(&a.random) % 4 == 0 ? draw(&a.random) | 1 : 0);
    if (!s.full) {
        memcpy(data, s.data, s.size);
        size = s.size;
    }
    free(s.data);
    release(&a);
    return size;
}

/* ---- recomputing checksums in place ---- */

/* Recomputes the checksums of the stored columns. They are in the directory. */
static void restore_columns(uint8_t *payload, size_t head_size, size_t size)
{
    cursor head = {payload, payload + head_size, false}, body = {head.end, payload + size, false};
    (void)take(&head, FIXED_HEAD);
    for (unsigned i = 0; i < HEAD_NUMBERS; i++)
        (void)varint(&head);
    (void)take(&head, 1);
    for (uint64_t columns = varint(&head); columns > 0 && !head.failed; columns--) {
        (void)take(&head, 3);
        (void)take(&head, varint(&head));
        (void)varint(&head);
        uint64_t size_stored = varint(&head);
        const uint8_t *stored = take(&body, size_stored), *check = take(&head, 8);
        if (head.failed || body.failed)
            return;
        put(payload + (check - payload), XXH64(stored, (size_t)size_stored, 0), 8);
    }
}

void restore_archive(uint8_t *data, size_t size)
{
    if (size < HEADER)
        return;
    order o = {0, 0};
    put_check32(data + 12, data, 12);
    for (size_t at = HEADER; size - at >= FRAME;) {
        uint8_t *frame = data + at, *payload = frame + FRAME;
        uint64_t left = size - at - FRAME, payload_size = get(frame + 8, 8), head_size = get(frame + 16, 4);
        if (payload_size > left || head_size > payload_size)
            return;
        if (frame[4] == BLOCK)
            restore_columns(payload, (size_t)head_size, (size_t)payload_size);
        if (frame[4] == COMMIT && payload_size >= 16)
            put(payload + payload_size - 16, at, 8);
        number_frame(frame, (size_t)head_size, &o);
        at += FRAME + (size_t)payload_size;
    }
}

/* ---- the text's checksum ---- */

typedef struct source {
    const uint8_t *data;
    size_t size, at;
} source;

static ptrdiff_t read_source(void *context, void *to, size_t size)
{
    source *s = context;
    size_t part = s->size - s->at < size ? s->size - s->at : size;
    if (part > 0)
        memcpy(to, s->data + s->at, part);
    s->at += part;
    return (ptrdiff_t)part;
}

typedef struct text_sum {
    XXH64_state_t *hash;
    uint64_t size;
} text_sum;

static bool sum(void *context, const void *data, size_t size)
{
    text_sum *t = context;
    XXH64_update(t->hash, data, size);
    t->size += size;
    return true;
}

/* Sets the size and checksum of the text in a block's head to the values of the decoded text. If decoding fails, uses
 * the text up to the failure. */
static void restore_text(block *b, size_t room)
{
    sink s = {malloc(room), 0, room, false};
    text_sum t = {XXH64_createState(), 0};
    stamma_archive_reader *reader;
    if (!s.data || !t.hash)
        abort();
    XXH64_reset(t.hash, 0);
    b->text_size = TEXT_MAX;
    write_header(&s);
    write_block(&s, b, &(order){0, 0});
    source from = {s.data, s.full ? 0 : s.size, 0};
    stamma_input input = {.context = &from, .read = read_source};
    stamma_output output = {&t, sum, NULL};
    if (stamma_archive_reader_open_stream(&input, NULL, &reader) == STAMMA_OK) {
        (void)stamma_archive_reader_unpack(reader, &output);
        stamma_archive_reader_close(reader);
    }
    b->text_size = t.size;
    b->text_check = XXH64_digest(t.hash);
    XXH64_freeState(t.hash);
    free(s.data);
}

size_t rebuild_archive(const uint8_t *data, size_t size, uint8_t *out, size_t room)
{
    archive a = {.random = 1};
    sink s = {out, 0, room, false};
    read_archive(data, size, &a);
    for (size_t i = 0; i < a.count; i++)
        restore_text(&a.blocks[i], size + FRAME + HEADER);
    write_archive(&s, &a, 0);
    size_t built = a.count > 0 && !s.full ? s.size : 0;
    release(&a);
    return built;
}

uint64_t declared_text(const uint8_t *data, size_t size)
{
    uint64_t sum = 0;
    for (size_t at = 0; at + FRAME + 8 <= size; at++)
        if (memcmp(data + at, "sFrm", 4) == 0) {
            uint64_t text = get(data + at + FRAME, 8);
            sum += text < TEXT_MAX ? text : TEXT_MAX;
        }
    return sum;
}
