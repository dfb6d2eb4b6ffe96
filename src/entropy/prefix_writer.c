/* SPDX-License-Identifier: MIT */
/* Writes strings of codes as a column with a trie (clause 19). */
#include "entropy/prefix_column.h"

typedef struct column_output {
    byte_packer *coder;
    const prefix_strings *strings;
    prefix_trie trie;
    buffer streams[PREFIX_STREAMS];
    uint16_t codes[PREFIX_TABLES][PREFIX_SYMBOLS];
    uint8_t lengths[PREFIX_TABLES][PREFIX_SYMBOLS];
    buffer groups;
} column_output;

static void init(column_output *o, byte_packer *coder, const prefix_strings *strings, const stamma_allocator *allocator)
{
    memset(o, 0, sizeof *o);
    o->coder = coder;
    o->strings = strings;
    o->trie.children.allocator = o->trie.codes.allocator = allocator;
    o->trie.nodes.allocator = o->trie.depths.allocator = o->trie.order.allocator = allocator;
    for (size_t n = 0; n < PREFIX_STREAMS; n++)
        o->streams[n].allocator = allocator;
    o->groups.allocator = allocator;
}

static void release(column_output *o)
{
    stamma_prefix_trie_release(&o->trie);
    for (size_t n = 0; n < PREFIX_STREAMS; n++)
        stamma_buffer_release(&o->streams[n]);
    stamma_buffer_release(&o->groups);
}

static void add_trie(column_output *o)
{
    const prefix_trie *t = &o->trie;
    const uint32_t *children = (const uint32_t *)(const void *)t->children.data;
    const uint32_t *nodes = (const uint32_t *)(const void *)t->nodes.data;
    for (size_t n = 0; n < t->children.size / sizeof *children; n++)
        stamma_buffer_add_varint(&o->streams[PREFIX_CHILDREN], children[n]);
    buffer_add(&o->streams[PREFIX_CODES], t->codes.data, t->codes.size);
    for (size_t n = 0; n < o->strings->count; n++) {
        buffer_add_byte(&o->streams[PREFIX_LOW], (uint8_t)nodes[n]);
        buffer_add_byte(&o->streams[PREFIX_MIDDLE], (uint8_t)(nodes[n] >> 8));
        buffer_add_byte(&o->streams[PREFIX_HIGH], (uint8_t)(nodes[n] >> 16));
    }
}

/* Chooses the Huffman codes of each table by the counts of symbols in the rests. */
static void choose_codes(column_output *o)
{
    uint32_t counts[PREFIX_TABLES][PREFIX_SYMBOLS] = {{0}};
    const prefix_strings *s = o->strings;
    const uint32_t *depths = (const uint32_t *)(const void *)o->trie.depths.data;
    const uint8_t *at = s->codes;
    for (size_t n = 0; n < s->count; at += s->sizes[n++])
        for (size_t place = depths[n]; place < s->sizes[n]; place++)
            counts[prefix_table_of(place)][at[place]]++;
    for (size_t k = 0; k < PREFIX_TABLES; k++) {
        uint8_t *lengths = o->lengths[k];
        stamma_prefix_lengths(counts[k], lengths);
        (void)stamma_prefix_codes(lengths, o->codes[k]);
        for (size_t n = 0; n < PREFIX_SYMBOLS; n += 2)
            buffer_add_byte(&o->streams[PREFIX_LENGTHS], (uint8_t)(lengths[n] | lengths[n + 1] << 4));
    }
}

/* Bits that do not fill a byte yet. */
typedef struct bit_rest {
    uint64_t bits;
    unsigned count;
} bit_rest;

static void add_rest(column_output *o, const uint8_t *string, size_t begin, size_t end, bit_rest *b)
{
    for (size_t place = begin; place < end; place++) {
        size_t table = prefix_table_of(place);
        b->bits |= (uint64_t)o->codes[table][string[place]] << b->count;
        b->count += o->lengths[table][string[place]];
        for (; b->count >= 8; b->count -= 8, b->bits >>= 8)
            buffer_add_byte(&o->groups, (uint8_t)b->bits);
    }
}

static void add_rests(column_output *o)
{
    const prefix_strings *s = o->strings;
    const uint32_t *depths = (const uint32_t *)(const void *)o->trie.depths.data;
    const uint8_t *at = s->codes;
    bit_rest bits = {0, 0};
    size_t begin = 0;
    for (size_t n = 0; n < s->count; at += s->sizes[n++]) {
        add_rest(o, at, depths[n], s->sizes[n], &bits);
        if ((n + 1) % PREFIX_GROUP != 0 && n + 1 < s->count)
            continue;
        if (bits.count > 0)
            buffer_add_byte(&o->groups, (uint8_t)bits.bits);
        bits = (bit_rest){0, 0};
        stamma_buffer_add_varint(&o->streams[PREFIX_SIZES], o->groups.size - begin);
        begin = o->groups.size;
    }
}

/* Appends the header's size, the header, and the groups. */
static stamma_error put_together(column_output *o, buffer *body)
{
    static const int efforts[PREFIX_STREAMS] = {EFFORT_NUMBERS, EFFORT_NUMBERS, EFFORT_NUMBERS, EFFORT_NUMBERS,
                                                EFFORT_NUMBERS, EFFORT_NUMBERS, EFFORT_NUMBERS};
    buffer head = {.allocator = body->allocator};
    stamma_error error = stamma_streams_pack(o->coder, o->streams, efforts, PREFIX_STREAMS, &head);
    if (error == STAMMA_OK) {
        stamma_buffer_add_varint(body, head.size);
        buffer_add(body, head.data, head.size);
        buffer_add(body, o->groups.data, o->groups.size);
    }
    stamma_buffer_release(&head);
    return error == STAMMA_OK && body->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

static bool has_failed(const column_output *o)
{
    bool failed = o->groups.failed;
    for (size_t n = 0; n < PREFIX_STREAMS; n++)
        failed |= o->streams[n].failed;
    return failed;
}

stamma_error stamma_prefix_column_write(byte_packer *coder, const prefix_strings *strings, buffer *body)
{
    column_output o;
    init(&o, coder, strings, body->allocator);
    stamma_error error = stamma_prefix_trie_build(&o.trie, strings);
    bool fits = o.trie.codes.size < PREFIX_NODES_MAX;
    if (error == STAMMA_OK && fits) {
        add_trie(&o);
        choose_codes(&o);
        add_rests(&o);
    }
    if (error == STAMMA_OK && has_failed(&o))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && fits)
        error = put_together(&o, body);
    release(&o);
    return error;
}
