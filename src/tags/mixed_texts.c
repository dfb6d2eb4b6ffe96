/* SPDX-License-Identifier: MIT */
/* Tag values in the mixed coder (clause 21). Each value is coded as one of a few likely values, or it is spelt. */
#include "tags/mixed_texts.h"

enum { KIND_LIKELY, KIND_BYTE };
enum { LAST = MIXED_SOURCES, LAST_OF_OTHER };
enum { LIKELY_SETS = 128, SETS = LIKELY_SETS + 512 };

mixed_texts *stamma_mixed_texts_new(const stamma_allocator *allocator, unsigned slot_bits)
{
    mixed_texts *x = (mixed_texts *)memory_allocate(allocator, sizeof *x);
    if (!x)
        return NULL;
    memset(x, 0, sizeof *x);
    x->allocator = allocator;
    x->texts.allocator = allocator;
    x->texts.copies = true;
    x->spelt.allocator = allocator;
    x->model = stamma_mixed_new(allocator, slot_bits, SETS);
    if (x->model)
        return x;
    stamma_mixed_texts_delete(x);
    return NULL;
}

void stamma_mixed_texts_delete(mixed_texts *x)
{
    if (!x)
        return;
    stamma_mixed_delete(x->model);
    stamma_text_table_release(&x->texts);
    stamma_buffer_release(&x->spelt);
    memory_release(x->allocator, x);
}

static uint32_t hash_of(stamma_text text)
{
    uint32_t h = 0;
    for (size_t i = 0; i < text.size; i++)
        h = mixed_hash(h, (uint8_t)text.data[i] + 1u);
    return text.data ? h | 1 : 0;
}

/* ---- likely values ---- */

/* The data that is known about a value before it is coded. */
typedef struct known {
    uint32_t hashes[MIXED_SOURCES];    /* of the sources' values; 0 if there is none */
    uint32_t *memories[MIXED_SOURCES]; /* entries: number of the last text with this source's value */
    uint32_t likely[MIXED_LIKELY];     /* numbers of texts, 0 for none */
    stamma_text texts[MIXED_LIKELY];
} known;

static void find_likely(mixed_texts *x, unsigned side, const stamma_text sources[MIXED_SOURCES], known *k)
{
    memset(k, 0, sizeof *k);
    for (unsigned i = 0; i < MIXED_SOURCES; i++) {
        k->hashes[i] = hash_of(sources[i]);
        k->memories[i] = &x->memories[i][k->hashes[i] >> 16];
        k->likely[i] = k->hashes[i] == 0 ? 0 : *k->memories[i];
    }
    k->likely[LAST] = x->previous[side];
    k->likely[LAST_OF_OTHER] = x->previous[!side];
    for (unsigned i = 0; i < MIXED_LIKELY; i++)
        if (k->likely[i])
            k->texts[i] = text_table_at(&x->texts, k->likely[i]);
}

static bool came_before(const known *k, unsigned i)
{
    for (unsigned n = 0; n < i; n++)
        if (k->likely[n] == k->likely[i])
            return true;
    return k->likely[i] == 0;
}

/* Codes whether a value is the likely text i. Returns whether it is. */
static bool code_likely(mixed_texts *x, mixed_stream *s, unsigned side, const known *k, unsigned i, bool is_it)
{
    uint32_t agree = 0, text = hash_of(k->texts[i]), a = k->hashes[0], b = k->hashes[1];
    uint32_t *history = &x->histories[side];
    for (unsigned n = 0; n < MIXED_LIKELY; n++)
        agree |= (uint32_t)(k->likely[n] == k->likely[i]) << n;
    const uint32_t keys[] = {*history & 255,      agree << 4 | (*history & 15), text, mixed_hash(text, a), a, b,
                             mixed_hash(a, b + 1)};
    mixed_decision d = {
        .count = sizeof keys / sizeof *keys, .kind = KIND_LIKELY, .set = 64 * side + 8 * i + (*history & 7)};
    for (unsigned n = 0; n < d.count; n++)
        d.contexts[n] = mixed_hash(keys[n], 32 * (2 * i + side) + n + 1);
    bool bit = stamma_mixed_bit(x->model, s, &d, is_it);
    *history = *history << 1 | bit;
    return bit;
}

/* ---- spelling ---- */

enum { UNKNOWN, LIKE, BELOW, ABOVE };

/* Compares the spelt part of a value with a likely value. */
typedef struct likeness {
    const uint8_t *data;
    size_t size;
    unsigned state;
} likeness;

static unsigned byte_at(const likeness *l, size_t at)
{
    return at < l->size ? l->data[at] : 0;
}

typedef struct spelling {
    const known *k;
    likeness likely[MIXED_LIKELY];
    uint32_t prefix, word;
    uint64_t bytes; /* the last bytes, latest in the lowest byte */
    size_t at;
} spelling;

static void find_contexts(const spelling *p, uint32_t contexts[MIXED_CONTEXTS])
{
    const known *k = p->k;
    const likeness *first = &p->likely[0], *last = &p->likely[LAST];
    uint32_t place = p->at < 255 ? (uint32_t)p->at : 255, bytes = (uint32_t)p->bytes;
    const uint32_t keys[MIXED_CONTEXTS] = {
        0,
        bytes & 0xFFFF,
        bytes & 0xFFFFFF,
        bytes,
        mixed_hash(bytes, (uint32_t)(p->bytes >> 32) & 0xFFFF),
        p->prefix,
        mixed_hash(p->prefix, k->hashes[0]),
        mixed_hash(p->prefix, k->hashes[1]),
        mixed_hash(p->prefix, k->hashes[2]),
        p->word,
        place << 16 | byte_at(last, p->at) << 8 | last->state,
        place << 24 | (bytes & 255) << 16 | byte_at(first, p->at) << 8 | first->state,
    };
    for (unsigned n = 0; n < MIXED_CONTEXTS; n++)
        contexts[n] = mixed_hash(keys[n], (n + 1) << 28 | (n + 1));
}

/* Returns the set of likely texts, among three, that match the value so far, including the known bits of this byte. */
static unsigned expected(const spelling *p, uint32_t node, unsigned bits_left)
{
    static const unsigned which[3] = {0, 1, LAST};
    unsigned found = 0;
    for (unsigned i = 0; i < 3; i++) {
        const likeness *l = &p->likely[which[i]];
        found |= (unsigned)(l->state == LIKE && (byte_at(l, p->at) | 256) >> bits_left == node) << i;
    }
    return found;
}

static unsigned code_byte(mixed_texts *x, mixed_stream *s, const spelling *p, unsigned byte)
{
    mixed_decision d = {.count = MIXED_CONTEXTS, .kind = KIND_BYTE, .node = 1};
    size_t place = p->at < 7 ? p->at : 7;
    find_contexts(p, d.contexts);
    for (unsigned left = 8; left-- > 0;) {
        d.set = LIKELY_SETS + 64 * expected(p, d.node, left + 1) + 8 * place + left;
        d.node = 2 * d.node + stamma_mixed_bit(x->model, s, &d, byte >> left & 1);
    }
    return d.node & 255;
}

static void pass(spelling *p, unsigned byte)
{
    for (unsigned i = 0; i < MIXED_LIKELY; i++) {
        likeness *l = &p->likely[i];
        unsigned other = byte_at(l, p->at);
        if (l->state == LIKE && other != byte)
            l->state = byte < other ? BELOW : ABOVE;
    }
    p->prefix = mixed_hash(p->prefix, byte + 1);
    p->word = mixed_is_word(byte) ? mixed_hash(p->word, byte + 1) : 0;
    p->bytes = p->bytes << 8 | byte;
    p->at++;
}

/* Number of bytes spelt between two checks of x->stop: about a millisecond. */
enum { SPELT_AT_ONCE = 512 };

/* Codes the bytes of a value and a zero byte, from *value or to x->spelt. Returns false if the value is too long or the
 * work is stopped. */
static bool spell(mixed_texts *x, mixed_stream *s, const known *k, unsigned side, size_t most, stamma_text *value)
{
    spelling p = {.k = k};
    bool writes = s->out.out != NULL;
    x->spelt.size = 0;
    for (unsigned i = 0; i < MIXED_LIKELY; i++)
        p.likely[i] = (likeness){(const uint8_t *)k->texts[i].data, k->texts[i].size, k->likely[i] != 0};
    for (unsigned byte = 1; byte != 0;) {
        if (p.at == most || (p.at % SPELT_AT_ONCE == SPELT_AT_ONCE - 1 && work_is_stopped(x->stop)))
            return false;
        byte = writes && p.at < value->size ? (uint8_t)value->data[p.at] : 0;
        byte = code_byte(x, s, &p, byte);
        pass(&p, byte);
        if (!writes)
            buffer_add_byte(&x->spelt, (uint8_t)byte);
    }
    x->spelt_bytes[side] += p.at;
    if (!writes && !x->spelt.failed)
        *value = (stamma_text){(const char *)x->spelt.data, p.at - 1};
    return true;
}

/* Codes which likely text the value is. Returns the text's number, or 0 if the value is not a likely text. `wanted`:
 * the text's number when writing. */
static uint32_t choose_likely(mixed_texts *x, mixed_stream *s, unsigned side, const known *k, uint32_t wanted)
{
    for (unsigned i = 0; i < MIXED_LIKELY; i++)
        if (!came_before(k, i) && code_likely(x, s, side, k, i, k->likely[i] == wanted))
            return k->likely[i];
    return 0;
}

uint32_t stamma_mixed_texts_code(mixed_texts *x, mixed_stream *s, unsigned side,
                                 const stamma_text sources[MIXED_SOURCES], size_t most, stamma_text *value,
                                 uint8_t *level)
{
    known k;
    size_t count = x->texts.count;
    find_likely(x, side, sources, &k);
    uint32_t number = choose_likely(x, s, side, &k, s->out.out ? stamma_text_table_find(&x->texts, *value) : 0);
    *level = LEVEL_LIKELY;
    if (number == 0) {
        if (!spell(x, s, &k, side, most, value))
            return 0;
        number = stamma_text_table_add(&x->texts, *value);
        *level = x->texts.count > count ? 0 : LEVEL_SPELT;
    }
    if (number == 0)
        return 0;
    *value = text_table_at(&x->texts, number);
    for (unsigned i = 0; i < MIXED_SOURCES; i++)
        if (k.hashes[i] != 0)
            *k.memories[i] = number;
    x->previous[side] = number;
    return number;
}
