/* SPDX-License-Identifier: MIT */
/* Encodes a column of machine-written texts as templates and streams of fields. Each field is predicted from earlier
 * data (doc/format/block_columns.md, clause 14). */
#include "fields/fields.h"

enum {
    TEMPLATE_USES = 4,   /* minimum number of uses of a template */
    VALUES_MAX = 1 << 21 /* maximum number of fields in a column: 9 bytes of memory each */
};

typedef struct counted {
    uint32_t fields;
    uint32_t uses;
    uint32_t number; /* in the stored column, from 1; 0: unused */
    uint32_t next;   /* template of the text after the last text with this template */
    field_clock clock;
} counted;

struct field_encoder {
    const stamma_allocator *allocator;
    bool all_used;        /* each text has a template in use */
    text_table templates; /* all counted templates */
    buffer counted;       /* counted[], at most FIELD_TEMPLATES_MAX */
    size_t last;          /* index in `counted`: template of the last text */
    buffer chosen;        /* uint16_t for each text: 1 + index in `counted`, or 0 */
    buffer used;          /* field_template[] */
    buffer values;        /* int64_t[]: first all fields of texts with a counted template, later only numbers */
    buffer value_streams; /* uint8_t for each of these numbers */
    buffer per_game;      /* uint32_t for each game: count of these numbers */
    field_keys streams;
    bool plus_after[256];
    field_text parsed;
    number_sink sinks[FIELD_KEYS_MAX];
    field_streams out;
};

static counted *counted_at(const field_encoder *e, size_t n)
{
    return (counted *)(void *)e->counted.data + n;
}

static size_t counted_count(const field_encoder *e)
{
    return e->counted.size / sizeof(counted);
}

/* Returns the counted template with index n. */
static stamma_text template_at(const field_encoder *e, size_t n)
{
    return text_table_at(&e->templates, n + 1);
}

/* Returns the index of the parsed text's template in `counted`, which is added if new. FIELD_TEMPLATES_MAX: none. */
static size_t count_template(field_encoder *e)
{
    const field_text *t = &e->parsed;
    const stamma_text text = {(const char *)t->bytes, t->size};
    size_t count = counted_count(e);
    uint32_t number = count == FIELD_TEMPLATES_MAX ? stamma_text_table_find(&e->templates, text)
                                                   : stamma_text_table_add(&e->templates, text);
    if (number == 0 || number <= count)
        return number == 0 ? FIELD_TEMPLATES_MAX : (e->last = number - 1u);
    counted c = {(uint32_t)t->field_count, 0, 0, 0, {0}};
    stamma_field_clock_find(text, &c.clock);
    buffer_add(&e->counted, &c, sizeof c);
    return e->counted.failed ? FIELD_TEMPLATES_MAX : (e->last = count);
}

static stamma_text next_text(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *zero = (const uint8_t *)memchr(*at, 0, (size_t)(end - *at));
    stamma_text text = {(const char *)*at, (size_t)(zero - *at)};
    *at = zero + 1;
    return text;
}

static bool too_many(const field_encoder *e)
{
    return e->values.size > VALUES_MAX * sizeof(int64_t);
}

/* Finds the index of a text's template. First tries the template that followed the last template before. Returns
 * FIELD_TEMPLATES_MAX if there is none. */
static size_t find_template(field_encoder *e, stamma_text text)
{
    size_t last = e->last;
    if (STAMMA_LIKELY(e->counted.size > 0)) {
        e->last = counted_at(e, last)->next;
        if (STAMMA_LIKELY(stamma_field_match(text, template_at(e, e->last), e->plus_after, &e->parsed)))
            return e->last;
    }
    if (!stamma_field_parse(text, e->plus_after, &e->parsed))
        return FIELD_TEMPLATES_MAX;
    size_t n = count_template(e);
    if (n != FIELD_TEMPLATES_MAX)
        counted_at(e, last)->next = (uint32_t)n;
    return n;
}

/* The value of a word is its offset in the column and its size. */
static int64_t word_value(stamma_text word, const buffer *column)
{
    return (int64_t)((uint64_t)((const uint8_t *)word.data - column->data) << 32 | word.size);
}

/* Adds the fields of the parsed text, whose template is the counted template n. */
static void add_values(field_encoder *e, size_t n, const buffer *column)
{
    const field_text *t = &e->parsed;
    const char *bytes = template_at(e, n).data;
    if (!buffer_reserve(&e->values, t->field_count * sizeof(int64_t)))
        return;
    int64_t *out = (int64_t *)(void *)(e->values.data + e->values.size);
    for (size_t f = 0, i = 0; f < t->field_count; f++, i += 2) {
        while (bytes[i] != FIELD_MARK)
            i++;
        out[f] = bytes[i + 1] == FIELD_WORD ? word_value(t->texts[f], column) : t->values[f];
    }
    e->values.size += t->field_count * sizeof(int64_t);
}

/* Quick path: reads the next text if it has the template that followed the last template before, and this is a
 * field_clock. Otherwise returns FIELD_TEMPLATES_MAX and reads nothing. */
STAMMA_INLINE size_t take_clock(field_encoder *e, const uint8_t **at, const uint8_t *end)
{
    size_t n = counted_at(e, e->last)->next;
    int64_t value;
    size_t size = stamma_field_clock_match(&counted_at(e, n)->clock, *at, (size_t)(end - *at), &value);
    if (size == 0 || !buffer_reserve(&e->values, sizeof value))
        return FIELD_TEMPLATES_MAX;
    memcpy(e->values.data + e->values.size, &value, sizeof value);
    e->values.size += sizeof value;
    *at += size;
    return e->last = n;
}

static size_t take_text(field_encoder *e, const buffer *column, const uint8_t **at, const uint8_t *end)
{
    size_t n = find_template(e, next_text(at, end));
    if (n != FIELD_TEMPLATES_MAX)
        add_values(e, n, column);
    return n;
}

static bool count_templates(field_encoder *e, const buffer *column)
{
    const uint8_t *end = column->data + column->size;
    if (!buffer_reserve(&e->values, 1)) /* allocates even if there are no numbers */
        return false;
    for (const uint8_t *at = column->data; at < end && !too_many(e);) {
        size_t n = e->counted.size == 0 ? FIELD_TEMPLATES_MAX : take_clock(e, &at, end);
        if (n == FIELD_TEMPLATES_MAX)
            n = take_text(e, column, &at, end);
        uint8_t number[2];
        store_u16(number, (uint16_t)(n == FIELD_TEMPLATES_MAX ? 0 : n + 1));
        buffer_add(&e->chosen, number, 2);
        if (n == FIELD_TEMPLATES_MAX)
            e->all_used = false;
        else
            counted_at(e, n)->uses++;
    }
    return !e->templates.failed && !e->chosen.failed && !e->counted.failed && !e->values.failed;
}

/* Selects the templates that are used often enough, and writes them. */
static bool choose_templates(field_encoder *e)
{
    buffer *out = &e->out.streams[0];
    for (size_t n = 0; n < counted_count(e); n++) {
        counted *c = counted_at(e, n);
        stamma_text text = template_at(e, n);
        field_template t = {.bytes = (const uint8_t *)text.data, .size = text.size};
        size_t streams = e->streams.count;
        if (c->uses < TEMPLATE_USES || !stamma_field_prepare(&e->streams, &t)) {
            e->streams.count = streams;
            e->all_used = false;
            continue;
        }
        buffer_add(&e->used, &t, sizeof t);
        c->number = (uint32_t)(e->used.size / sizeof t);
        buffer_add(out, t.bytes, t.size);
        buffer_add_byte(out, 0);
    }
    return !e->used.failed;
}

/* Second pass over a text's fields: moves words to their streams, and keeps numbers. */
STAMMA_INLINE void sort_values(field_encoder *e, const buffer *column, const field_template *t, const int64_t **from,
                               int64_t **to, uint8_t **streams)
{
    for (size_t f = 0; f < t->field_count; f++) {
        int64_t value = *(*from)++;
        if (STAMMA_LIKELY(!e->streams.list[t->streams[f]].word)) {
            *(*to)++ = value;
            *(*streams)++ = t->streams[f];
            continue;
        }
        buffer *words = &e->sinks[t->streams[f]].symbols;
        buffer_add(words, column->data + (value >> 32), (size_t)(value & UINT32_MAX));
        buffer_add_byte(words, 0);
    }
}

/* Second pass: writes template numbers and other texts to their streams. */
static bool collect(field_encoder *e, const buffer *column, const uint32_t *per_game, size_t games)
{
    static const counted none = {.number = 0};
    field_streams *out = &e->out;
    const uint8_t *at = column->data, *end = column->data + column->size, *chosen = e->chosen.data;
    if (!buffer_reserve(&e->value_streams, e->values.size / sizeof(int64_t) + 1))
        return false;
    const field_template *used = (const field_template *)(const void *)e->used.data;
    const int64_t *from = (const int64_t *)(const void *)e->values.data;
    int64_t *to = (int64_t *)(void *)e->values.data;
    uint8_t *streams = e->value_streams.data;
    for (size_t game = 0; game < games; game++) {
        const int64_t *before = to;
        for (uint32_t i = 0; i < (per_game ? per_game[game] : 1); i++, chosen += 2) {
            unsigned n = load_u16(chosen);
            const counted *c = n == 0 ? &none : counted_at(e, n - 1u);
            uint32_t number = c->number;
            stamma_text text = e->all_used ? (stamma_text){NULL, 0} : next_text(&at, end);
            if (STAMMA_LIKELY(number < 128))
                buffer_add_byte(&out->streams[1], (uint8_t)number);
            else
                stamma_buffer_add_varint(&out->streams[1], number);
            if (number > 0) {
                sort_values(e, column, used + number - 1, &from, &to, &streams);
                continue;
            }
            buffer_add(&out->streams[2], text.data, text.size + 1);
            from += c->fields;
        }
        uint32_t numbers = (uint32_t)(to - before);
        buffer_add(&e->per_game, &numbers, sizeof numbers);
    }
    e->values.size = (size_t)((uint8_t *)to - e->values.data);
    return !e->per_game.failed;
}

static void swap_buffers(buffer *a, buffer *b)
{
    buffer kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves the contents of the sinks to the output streams. */
static void give_streams(field_encoder *e)
{
    field_streams *out = &e->out;
    out->count = 4;
    for (size_t n = 0; n < e->streams.count; n++) {
        bool word = e->streams.list[n].word;
        out->efforts[out->count] = word ? EFFORT_WORDS : e->sinks[n].coded ? EFFORT_NONE : EFFORT_NUMBERS;
        swap_buffers(&out->streams[out->count++], &e->sinks[n].symbols);
        if (word)
            continue;
        out->efforts[out->count] = EFFORT_NUMBERS;
        swap_buffers(&out->streams[out->count++], &e->sinks[n].bits);
    }
}

static bool any_failure(const field_streams *streams)
{
    bool failed = false;
    for (size_t i = 0; i < streams->count; i++)
        failed |= streams->streams[i].failed;
    return failed;
}

/* Encodes a column. Sets *worth to whether any template is useful. */
static stamma_error encode(field_encoder *e, bool mixes, byte_packer *coder, const buffer *column,
                           const uint32_t *per_game, size_t games, bool *worth)
{
    stamma_field_find_signs(column->data, column->size, e->plus_after);
    if (!count_templates(e, column) || !choose_templates(e))
        return STAMMA_ERROR_NO_MEMORY;
    *worth = e->used.size > 0 && !too_many(e);
    if (!*worth)
        return STAMMA_OK;
    if (!collect(e, column, per_game, per_game ? games : e->chosen.size / 2))
        return STAMMA_ERROR_NO_MEMORY;
    field_numbers numbers = {(const int64_t *)(const void *)e->values.data, e->value_streams.data,
                             e->values.size / sizeof(int64_t), (const uint32_t *)(const void *)e->per_game.data,
                             e->per_game.size / sizeof(uint32_t)};
    stamma_error error =
        stamma_field_write_numbers(&e->streams, numbers, mixes, coder, e->allocator, e->sinks, &e->out.streams[3]);
    if (error != STAMMA_OK)
        return error;
    give_streams(e);
    return any_failure(&e->out) ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* ---- the encoder ---- */

field_encoder *stamma_field_encoder_new(const stamma_allocator *allocator)
{
    field_encoder *e = (field_encoder *)memory_allocate(allocator, sizeof *e);
    if (!e)
        return NULL;
    memset(e, 0, sizeof *e);
    e->allocator = e->templates.allocator = e->chosen.allocator = e->counted.allocator = e->used.allocator =
        e->values.allocator = e->value_streams.allocator = e->per_game.allocator = allocator;
    for (size_t n = 0; n < FIELD_KEYS_MAX; n++)
        e->sinks[n].symbols.allocator = e->sinks[n].bits.allocator = allocator;
    e->templates.copies = true;
    stamma_field_streams_init(&e->out, allocator);
    e->out.efforts[0] = e->out.efforts[1] = e->out.efforts[3] = EFFORT_NUMBERS;
    e->out.efforts[2] = EFFORT_WORDS;
    return e;
}

void stamma_field_encoder_release(field_encoder *e)
{
    if (!e)
        return;
    for (size_t n = 0; n < FIELD_KEYS_MAX; n++) {
        stamma_buffer_release(&e->sinks[n].symbols);
        stamma_buffer_release(&e->sinks[n].bits);
    }
    stamma_field_streams_release(&e->out);
    stamma_text_table_release(&e->templates);
    stamma_buffer_release(&e->chosen);
    stamma_buffer_release(&e->counted);
    stamma_buffer_release(&e->used);
    stamma_buffer_release(&e->values);
    stamma_buffer_release(&e->value_streams);
    stamma_buffer_release(&e->per_game);
    memory_release(e->allocator, e);
}

static void clear(field_encoder *e)
{
    buffer *const all[] = {&e->counted, &e->chosen, &e->used, &e->values, &e->value_streams, &e->per_game};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stamma_buffer_empty(all[i]);
    for (size_t n = 0; n < e->streams.count; n++) {
        stamma_buffer_empty(&e->sinks[n].symbols);
        stamma_buffer_empty(&e->sinks[n].bits);
        e->sinks[n].bit_count = 0;
        e->sinks[n].coded = false;
    }
    for (size_t i = 0; i < FIELD_STREAMS_MAX && (i < 4 || i < e->out.count); i++)
        stamma_buffer_empty(&e->out.streams[i]);
    stamma_text_table_clear(&e->templates);
    e->last = e->streams.count = e->out.count = 0;
    e->all_used = true;
}

stamma_error stamma_fields_encode(field_encoder *e, bool mixes, byte_packer *coder, const buffer *column,
                                  const uint32_t *per_game, size_t games, field_streams **out)
{
    bool worth = true;
    clear(e);
    stamma_error error = encode(e, mixes, coder, column, per_game, games, &worth);
    *out = worth ? &e->out : NULL;
    e->values.size = 0; /* frees the largest buffer before the streams are packed, which needs as much memory */
    stamma_buffer_empty(&e->values);
    return error;
}
