/* SPDX-License-Identifier: MIT */
/* A column's streams of fields, and the templates that refer to them (doc/format/block_columns.md, clauses 14.2
 * and 14.4). */
#include "fields/fields.h"

void stamma_field_reset(field_keys *s)
{
    for (size_t i = 0; i < s->count; i++) {
        field_stream *x = &s->list[i];
        x->game = x->seen = 0;
        x->bucket_end = 0;
        memset(x->levels, 0, sizeof x->levels);
        x->back[0] = x->back[1] = x->first[0] = x->first[1] = 0;
    }
}

/* ---- templates and their streams ---- */

static bool ends_key(uint8_t byte)
{
    return byte == ' ' || byte == ',' || byte == '{' || byte == '[' || byte == '(' || byte == ';';
}

/* Types that differ only in their sign share a stream. */
static uint8_t key_type(uint8_t type)
{
    return type >= FIELD_DECIMAL + 3 && type < FIELD_DECIMAL + 6 ? (uint8_t)(type - 3) : type;
}

/* Returns the stream of the field whose mark is at `at` in a template, which is added if new. Returns FIELD_KEYS_MAX if
 * there is no room. */
static size_t find_stream(field_keys *s, const uint8_t *bytes, size_t at)
{
    uint8_t key[FIELD_KEY_MAX + 1] = {key_type(bytes[at + 1])};
    size_t begin = at;
    while (begin > 0 && at - begin < FIELD_KEY_MAX && !ends_key(bytes[begin - 1]) &&
           !(begin > 1 && bytes[begin - 2] == FIELD_MARK))
        begin--;
    size_t size = 1 + at - begin;
    memcpy(key + 1, bytes + begin, size - 1);
    size_t i = 0;
    while (i < s->count && (s->list[i].key_size != size || memcmp(s->list[i].key, key, size) != 0))
        i++;
    if (i < s->count || i == FIELD_KEYS_MAX)
        return i;
    field_stream *x = &s->list[s->count++];
    memset(x, 0, sizeof *x);
    memcpy(x->key, key, size);
    x->key_size = (uint8_t)size;
    x->word = key[0] == FIELD_WORD;
    x->divisor = 1;
    return i;
}

static bool is_field_type(uint8_t type)
{
    return (type >= FIELD_DECIMAL && type < FIELD_DECIMAL + 6) || memchr("nptuw", type, 5);
}

bool stamma_field_prepare(field_keys *s, field_template *t)
{
    size_t begin = 0;
    t->field_count = 0;
    for (size_t i = 0; i < t->size; i++) {
        if (t->bytes[i] != FIELD_MARK)
            continue;
        if (i + 1 == t->size || !is_field_type(t->bytes[i + 1]) || t->field_count == FIELDS_MAX)
            return false;
        size_t stream = find_stream(s, t->bytes, i);
        if (stream == FIELD_KEYS_MAX)
            return false;
        t->streams[t->field_count] = (uint8_t)stream;
        t->types[t->field_count] = t->bytes[i + 1];
        t->literals[t->field_count++] = (uint8_t)(i - begin);
        begin = ++i + 1;
    }
    t->literals[t->field_count] = (uint8_t)(t->size - begin);
    return true;
}

/* ---- streams ---- */

void stamma_field_streams_init(field_streams *s, const stamma_allocator *allocator)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < FIELD_STREAMS_MAX; i++)
        s->streams[i].allocator = allocator;
}

void stamma_field_streams_release(field_streams *s)
{
    for (size_t i = 0; i < FIELD_STREAMS_MAX; i++)
        stamma_buffer_release(&s->streams[i]);
    s->count = 0;
}
