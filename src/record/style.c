/* SPDX-License-Identifier: MIT */
/* Styles: the layout of text, which many records share (clause 6). */
#include "record/record.h"

const stamma_text stamma_line_ends[3] = {{"\n", 1}, {"\r\n", 2}, {"\r", 1}};

bool stamma_styles_add(style_list *list, const stamma_allocator *allocator, style **added)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity < 4 ? 4 : list->capacity * 2;
        void *resized = memory_resize(allocator, list->styles, size_multiply(capacity, sizeof(style)));
        if (!resized)
            return false;
        list->styles = (style *)resized;
        list->capacity = capacity;
    }
    *added = &list->styles[list->count++];
    memset(*added, 0, sizeof **added);
    return true;
}

void stamma_styles_release(style_list *list, const stamma_allocator *allocator)
{
    memory_release(allocator, list->styles);
    *list = (style_list){0};
}

void stamma_style_prepare(style *s, unsigned context)
{
    gap_template *t = &s->templates[context];
    unsigned blanks = 0;
    t->breaks = 0;
    t->fixed = gap_blanks_fixed(s, context >> 4, context & 15);
    t->plain_from = 0;
    t->number_at = t->size;
    for (unsigned i = 0; i < t->size; i++) {
        bool blank = t->bytes[i] == ' ';
        bool breaks = blank && gap_blank_breaks(s, context >> 4, context & 15, blanks++);
        t->breaks |= (uint32_t)breaks << i;
        if (t->bytes[i] == TEMPLATE_NUMBER && t->number_at == t->size)
            t->number_at = (uint8_t)i;
        else if (t->bytes[i] < ' ' || breaks || (blank && t->fixed))
            t->plain_from = (uint8_t)(i + 1);
        if (t->number_at < t->plain_from)
            t->number_at = t->size;
    }
}

static void write_style(const style *s, buffer *out)
{
    uint8_t head[5] = {s->line_end, s->wrap, s->breakable, s->comment_words, s->spelling};
    buffer_add(out, head, sizeof head);
    stamma_buffer_add_varint(out, s->limit_low);
    unsigned count = 0;
    for (unsigned c = 0; c < CONTEXTS; c++)
        count += s->templates[c].set;
    stamma_buffer_add_varint(out, count);
    for (unsigned c = 0; c < CONTEXTS; c++) {
        const gap_template *t = &s->templates[c];
        if (t->set) {
            buffer_add_byte(out, (uint8_t)c);
            buffer_add_byte(out, t->size);
            buffer_add(out, t->bytes, t->size);
        }
    }
}

void stamma_styles_write(const style_list *list, buffer *out)
{
    for (size_t i = 0; i < list->count; i++)
        write_style(&list->styles[i], out);
}

static bool read_template(cursor *in, style *s)
{
    uint8_t context = cursor_byte(in);
    gap_template *t = &s->templates[context];
    uint8_t size = cursor_byte(in);
    const uint8_t *bytes = cursor_take(in, size);
    if (!bytes || in->failed || size > TEMPLATE_SIZE_MAX || t->set)
        return false;
    t->set = true;
    t->size = size;
    memcpy(t->bytes, bytes, size);
    stamma_style_prepare(s, context);
    return true;
}

static bool spelling_valid(unsigned spelling)
{
    unsigned mate = spelling & (SPELL_NO_MATE | SPELL_MATE_PLUS | SPELL_MATE_PLUS_PLUS);
    return spelling <= SPELL_KNOWN && (mate & (mate - 1)) == 0;
}

static bool read_style(cursor *in, style *s)
{
    s->line_end = cursor_byte(in);
    s->wrap = cursor_byte(in);
    s->breakable = cursor_byte(in);
    uint8_t flags = cursor_byte(in);
    s->comment_words = flags & 1;
    s->spelling = cursor_byte(in);
    uint64_t limit = stamma_cursor_varint(in), count = stamma_cursor_varint(in);
    if (in->failed || s->line_end > LINE_END_CR || s->wrap > WRAP_THRESHOLD || s->breakable > BREAK_MOVES ||
        flags > 1 || !spelling_valid(s->spelling) || limit > UINT32_MAX || count > CONTEXTS)
        return false;
    s->limit_low = s->limit_high = (uint32_t)limit;
    while (count-- > 0)
        if (!read_template(in, s))
            return false;
    return true;
}

stamma_error stamma_styles_read(cursor *in, style_list *list, const stamma_allocator *allocator)
{
    while (cursor_left(in) > 0) {
        style *s;
        if (list->count == STYLES_MAX)
            return STAMMA_ERROR_CORRUPT;
        if (!stamma_styles_add(list, allocator, &s))
            return STAMMA_ERROR_NO_MEMORY;
        if (!read_style(in, s))
            return STAMMA_ERROR_CORRUPT;
    }
    return STAMMA_OK;
}
