/* SPDX-License-Identifier: MIT */
/* Spells the texts of a dictionary with the mixed coder (clause 22). Each byte of a text is eight decisions. */
#include "tags/spelt_texts.h"

enum { CONTEXTS = 8, SETS = 2 * 8 * 8 };

size_t stamma_spelt_slots(size_t size)
{
    unsigned bits = MIXED_SLOT_BITS_MIN;
    while (bits < MIXED_SLOT_BITS_MAX && 8 * size >> bits > 0)
        bits++;
    return (size_t)1 << bits;
}

static mixed_model *new_model(const stamma_allocator *allocator, size_t size)
{
    return stamma_mixed_new(allocator, bits_last(stamma_spelt_slots(size)), SETS);
}

/* ---- one text ---- */

enum { NO_LAST, LIKE, BELOW, ABOVE };

/* The part of a text that is known, compared with the last text. */
typedef struct spelling {
    const uint8_t *last;
    size_t last_size;
    unsigned state;
    uint32_t prefix, word, bytes; /* hashes of the text and of its last word; the last four bytes */
    size_t at;
} spelling;

static unsigned last_byte(const spelling *p)
{
    return p->at < p->last_size ? p->last[p->at] : 0;
}

static void find_contexts(const spelling *p, mixed_decision *d)
{
    const uint32_t place = p->at < 255 ? (uint32_t)p->at : 255;
    const uint32_t keys[CONTEXTS] = {
        0,
        p->bytes & 0xFFFF,
        p->bytes & 0xFFFFFF,
        p->bytes,
        p->prefix,
        p->word,
        place << 16 | last_byte(p) << 8 | p->state,
        place << 24 | (p->bytes & 255) << 16,
    };
    d->count = CONTEXTS;
    for (unsigned n = 0; n < CONTEXTS; n++)
        d->contexts[n] = mixed_hash(keys[n], (n + 1) << 28 | (n + 1));
}

static unsigned code_byte(mixed_model *m, mixed_stream *s, const spelling *p, unsigned byte)
{
    mixed_decision d = {.kind = 0, .node = 1};
    const size_t place = p->at < 7 ? p->at : 7;
    find_contexts(p, &d);
    for (unsigned left = 8; left-- > 0;) {
        const bool like = p->state == LIKE && (last_byte(p) | 256) >> (left + 1) == d.node;
        d.set = 64 * (size_t)like + 8 * place + left;
        d.node = 2 * d.node + stamma_mixed_bit(m, s, &d, byte >> left & 1);
    }
    return d.node & 255;
}

static void pass(spelling *p, unsigned byte)
{
    const unsigned other = last_byte(p);
    if (p->state == LIKE && other != byte)
        p->state = byte < other ? BELOW : ABOVE;
    p->prefix = mixed_hash(p->prefix, byte + 1);
    p->word = mixed_is_word(byte) ? mixed_hash(p->word, byte + 1) : 0;
    p->bytes = p->bytes << 8 | byte;
    p->at++;
}

static spelling begin(const uint8_t *last, size_t last_size)
{
    return (spelling){.last = last, .last_size = last_size, .state = last ? LIKE : NO_LAST};
}

/* ---- reading ---- */

spelt_texts *stamma_spelt_open(const stamma_allocator *allocator, cursor coded, stamma_error *error)
{
    const uint64_t size = stamma_cursor_varint(&coded);
    *error = STAMMA_ERROR_CORRUPT;
    if (coded.failed || size > (uint64_t)SPELT_RATIO_MAX * cursor_left(&coded) + SPELT_MORE)
        return NULL;
    *error = STAMMA_ERROR_NO_MEMORY;
    spelt_texts *s = (spelt_texts *)memory_allocate(allocator, sizeof *s);
    if (!s)
        return NULL;
    *s = (spelt_texts){.allocator = allocator,
                       .coded = coded.at,
                       .coded_size = cursor_left(&coded),
                       .bytes = {.allocator = allocator},
                       .size = (size_t)size};
    *error = STAMMA_OK;
    return s;
}

void stamma_spelt_close(spelt_texts *s)
{
    if (!s)
        return;
    stamma_mixed_delete(s->model);
    stamma_buffer_release(&s->bytes);
    memory_release(s->allocator, s);
}

/* Begins to read: most blocks are opened for other columns. */
static bool start(spelt_texts *s)
{
    if (s->model)
        return true;
    if (!buffer_reserve(&s->bytes, s->size) || !(s->model = new_model(s->allocator, s->size)))
        return false;
    stamma_range_decode_begin(&s->stream.in, s->coded, s->coded_size);
    s->stream.out.out = NULL;
    return true;
}

stamma_error stamma_spelt_take(spelt_texts *s, stamma_text *text)
{
    if (!start(s))
        return STAMMA_ERROR_NO_MEMORY;
    const size_t from = s->bytes.size;
    spelling p = begin(from > 0 ? s->bytes.data + s->last : NULL, from > 0 ? from - 1 - s->last : 0);
    if (work_is_stopped(s->stop))
        return STAMMA_ERROR_CORRUPT;
    for (unsigned byte = 1; byte != 0;) {
        if (p.at == SPELT_TEXT_MAX || s->bytes.size == s->size)
            return STAMMA_ERROR_CORRUPT;
        byte = code_byte(s->model, &s->stream, &p, 0);
        buffer_add_byte(&s->bytes, (uint8_t)byte);
        pass(&p, byte);
    }
    s->last = from;
    *text = (stamma_text){(const char *)s->bytes.data + from, p.at - 1};
    return STAMMA_OK;
}

bool stamma_spelt_is_done(const spelt_texts *s)
{
    return s->bytes.size == s->size && (s->model ? stamma_range_decode_is_exact(&s->stream.in) : s->coded_size == 0);
}

/* ---- writing ---- */

static bool are_short(const buffer *texts)
{
    const char *at = (const char *)texts->data, *end = at + texts->size;
    while (at < end) {
        const size_t size = strlen(at) + 1;
        if (size > SPELT_TEXT_MAX)
            return false;
        at += size;
    }
    return true;
}

static void write_texts(mixed_model *m, const buffer *texts, buffer *coded)
{
    mixed_stream s;
    spelling p = begin(NULL, 0);
    stamma_range_encode_begin(&s.out, coded);
    for (size_t i = 0, from = 0; i < texts->size; i++) {
        const uint8_t byte = texts->data[i];
        (void)code_byte(m, &s, &p, byte);
        pass(&p, byte);
        if (byte != 0)
            continue;
        p = begin(texts->data + from, i - from);
        from = i + 1;
    }
    stamma_range_encode_end(&s.out);
}

stamma_error stamma_spelt_write(const buffer *texts, buffer *coded)
{
    const size_t before = coded->size;
    if (!are_short(texts))
        return STAMMA_OK;
    mixed_model *m = new_model(coded->allocator, texts->size);
    if (!m)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_add_varint(coded, texts->size);
    const size_t head = coded->size;
    write_texts(m, texts, coded);
    stamma_mixed_delete(m);
    if (coded->failed)
        return STAMMA_ERROR_NO_MEMORY;
    if (texts->size > SPELT_RATIO_MAX * (coded->size - head) + SPELT_MORE)
        coded->size = before;
    return STAMMA_OK;
}
