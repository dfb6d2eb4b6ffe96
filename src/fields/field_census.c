/* SPDX-License-Identifier: MIT */
/* Counts a column's fields of each key, and their sizes. */
#include "fields/fields.h"

static bool is_filler(uint8_t byte)
{
    return byte == ' ' || byte == ']' || byte == '}' || byte == ')';
}

static bool begins_item(uint8_t byte)
{
    return byte == ',' || byte == ';';
}

/* Returns the text before the field whose mark is at `at`, such as "[%clk" or "d=": back to a comma, a semicolon or the
 * previous field, without blanks and closing brackets. */
static stamma_text before_field(const uint8_t *bytes, size_t at)
{
    size_t begin = at, end = at;
    while (begin > 0 && !begins_item(bytes[begin - 1]) && !(begin > 1 && bytes[begin - 2] == FIELD_MARK))
        begin--;
    while (begin < end && is_filler(bytes[begin]))
        begin++;
    while (end > begin && bytes[end - 1] == ' ')
        end--;
    return (stamma_text){(const char *)bytes + begin, end - begin};
}

typedef struct census {
    field_keys keys;
    stamma_text before[FIELD_KEYS_MAX]; /* by key, from the first template with the key */
    size_t named;
    uint64_t uses[FIELD_TEMPLATES_MAX + 1]; /* by number of the template, from 1 */
    uint64_t values[FIELD_KEYS_MAX];
} census;

static bool count_uses(census *c, const buffer *numbers)
{
    cursor in = buffer_cursor(numbers);
    while (cursor_left(&in) > 0) {
        uint64_t number = stamma_cursor_varint(&in);
        if (in.failed || number > FIELD_TEMPLATES_MAX)
            return false;
        c->uses[number]++;
    }
    return true;
}

static void name_new_keys(census *c, const field_template *t)
{
    size_t field = 0;
    for (size_t i = 0; i < t->size; i++) {
        if (t->bytes[i] != FIELD_MARK)
            continue;
        if (t->streams[field++] == c->named)
            c->before[c->named++] = before_field(t->bytes, i);
        i++;
    }
}

static bool read_keys(census *c, const buffer *templates)
{
    cursor in = buffer_cursor(templates);
    for (size_t number = 1; cursor_left(&in) > 0; number++) {
        stamma_text text = cursor_text(&in);
        field_template t = {.bytes = (const uint8_t *)text.data, .size = text.size};
        if (in.failed || number > FIELD_TEMPLATES_MAX || t.size > FIELD_TEMPLATE_MAX ||
            !stamma_field_prepare(&c->keys, &t))
            return false;
        name_new_keys(c, &t);
        for (size_t f = 0; f < t.field_count; f++)
            c->values[t.streams[f]] += c->uses[number];
    }
    return true;
}

static bool report_all(const census *c, const field_streams *in, field_census *report, void *context)
{
    size_t at = 4;
    for (size_t n = 0; n < c->keys.count; n++) {
        bool word = c->keys.list[n].word;
        if (at + !word >= in->count)
            return false;
        uint64_t stored = in->stored[at], plain = word ? in->streams[at].size : c->values[n];
        at++;
        if (!word) {
            stored += in->stored[at];
            plain += in->streams[at++].size;
        }
        report(context, c->before[n], c->values[n], stored, plain);
    }
    return at == in->count;
}

stamma_error stamma_fields_count(const field_streams *in, const stamma_allocator *allocator, field_census *report,
                                 void *context)
{
    census *c = (census *)memory_allocate(allocator, sizeof *c);
    if (!c)
        return STAMMA_ERROR_NO_MEMORY;
    memset(c, 0, sizeof *c);
    bool fine = in->count >= 4 && count_uses(c, &in->streams[1]) && read_keys(c, &in->streams[0]) &&
                report_all(c, in, report, context);
    memory_release(allocator, c);
    return fine ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}
