/* SPDX-License-Identifier: MIT */
/* Decodes templates and streams of fields to texts (doc/format/block_columns.md, clause 14). The input is not trusted.
 */
#include "fields/fields.h"

enum {
    FIELD_ROOM = 32 /* maximum size of a number as text */
};

static const int64_t value_limit = (int64_t)1 << 53;

/* Types of numbers that cannot be below 0 are lower-case letters. */
static bool is_natural(uint8_t type)
{
    return type >= 'a';
}

/* ---- opening ---- */

/* Copies the templates and appends bytes that copy_few may read. Returns false if memory is exhausted. */
static bool copy_templates(field_reader *r, const buffer *templates)
{
    static const uint8_t zeros[COPY_STEP] = {0};
    r->templates.size = 0;
    buffer_add(&r->templates, templates->data, templates->size);
    buffer_add(&r->templates, zeros, sizeof zeros);
    return !r->templates.failed;
}

static field_template *add_template(field_reader *r)
{
    if (r->used_count == r->used_capacity) {
        size_t capacity = r->used_capacity < 16 ? 16 : r->used_capacity * 2;
        void *resized = memory_resize(r->allocator, r->used, capacity * sizeof *r->used);
        if (!resized)
            return NULL;
        r->used = (field_template *)resized;
        r->used_capacity = capacity;
    }
    return &r->used[r->used_count++];
}

/* Returns the minimum size of a text. Numbers have at least one byte; words may be empty. */
static uint32_t least_of(const field_template *t)
{
    uint32_t least = 1u + t->literals[t->field_count];
    for (size_t f = 0; f < t->field_count; f++)
        least += t->types[f] == FIELD_WORD ? t->literals[f] : t->literals[f] + 1u;
    return least;
}

static stamma_error read_templates(field_reader *r, const buffer *templates)
{
    if (!copy_templates(r, templates))
        return STAMMA_ERROR_NO_MEMORY;
    cursor c = {r->templates.data, r->templates.data + templates->size, false};
    while (cursor_left(&c) > 0) {
        stamma_text text = cursor_text(&c);
        if (c.failed || text.size > FIELD_TEMPLATE_MAX || r->used_count == FIELD_TEMPLATES_MAX)
            return STAMMA_ERROR_CORRUPT;
        field_template *t = add_template(r);
        if (!t)
            return STAMMA_ERROR_NO_MEMORY;
        t->bytes = (const uint8_t *)text.data;
        t->size = text.size;
        if (!stamma_field_prepare(&r->streams, t))
            return STAMMA_ERROR_CORRUPT;
        t->least = least_of(t);
    }
    return STAMMA_OK;
}

static bool read_predictor(cursor *in, size_t streams, field_stream *x)
{
    x->predictor = cursor_byte(in);
    x->other = cursor_byte(in);
    x->another = cursor_byte(in);
    uint64_t divisor = stamma_cursor_varint(in);
    uint8_t coded = cursor_byte(in);
    if (in->failed || x->predictor >= PREDICTORS || x->other >= streams || x->another >= streams || divisor == 0 ||
        divisor > 1000000 || coded > SYMBOLS_MIXED)
        return false;
    x->divisor = (uint32_t)divisor;
    x->most = (uint64_t)(value_limit / (int64_t)divisor) * 2;
    x->coded = coded == SYMBOLS_CODED;
    x->map_bits = coded == SYMBOLS_MIXED ? cursor_byte(in) : 0;
    return coded != SYMBOLS_MIXED || (x->map_bits >= MIXED_MAP_BITS_MIN && x->map_bits <= MIXED_MAP_BITS_MAX);
}

static stamma_error read_parameters(field_reader *r, const buffer *parameters)
{
    cursor c = buffer_cursor(parameters);
    unsigned left = COLUMN_CLASSES_MAX;
    r->classes.size = 0;
    for (size_t n = 0; n < r->streams.count; n++) {
        field_stream *x = &r->streams.list[n];
        if (x->word)
            continue;
        stamma_error error = read_predictor(&c, r->streams.count, x) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
        if (error == STAMMA_OK && x->coded)
            error = stamma_classes_read(&c, FIELD_CONTEXTS, &left, &r->classes);
        if (error != STAMMA_OK)
            return error;
    }
    return cursor_left(&c) == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Creates the mixers. Errors: CORRUPT, NO_MEMORY. */
static stamma_error make_mixers(field_reader *r)
{
    size_t count = 0;
    for (size_t n = 0; n < r->streams.count; n++) {
        field_stream *x = &r->streams.list[n];
        if (x->word || x->map_bits == 0)
            continue;
        if (++count > FIELD_MIXERS_MAX)
            return STAMMA_ERROR_CORRUPT;
        x->mixer = stamma_field_mixer_new(r->allocator, x->map_bits);
        if (!x->mixer)
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

/* Starts a mixer on its string, which is its stream's only data. */
static bool begin_mixer(field_mixer *m, number_source *source)
{
    m->left = field_mixed_max(cursor_left(&source->symbols));
    stamma_range_decode_begin(&m->stream.in, source->symbols.at, cursor_left(&source->symbols));
    source->symbols.at = source->symbols.end;
    return source->bits.size == 0;
}

/* Marks the streams that a stream uses for its predictions or contexts. */
static void mark_looked_at(field_reader *r, size_t n)
{
    const field_stream *x = &r->streams.list[n];
    const number_classes *classes = r->sources[n].classes;
    if (x->word)
        return;
    r->streams.list[n].looks =
        x->predictor >= PREDICT_SPENT || (classes && memchr(classes->map.contexts, CONTEXT_OTHER, CONTEXTS_USED));
    r->streams.list[x->other].looked_at |= x->looks;
    r->streams.list[x->another].looked_at |= x->predictor == PREDICT_PRODUCT;
}

/* Returns whether no stream of a template uses another stream or is used by another stream. */
static bool is_in_any_order(const field_keys *s, const field_template *t)
{
    for (size_t f = 0; f < t->field_count; f++) {
        const field_stream *x = &s->list[t->streams[f]];
        if (!x->word && (x->looks || x->looked_at))
            return false;
    }
    return true;
}

static bool take_streams(field_reader *r, const field_streams *in)
{
    size_t at = 4;
    const uint8_t *classes = r->classes.data;
    for (size_t n = 0; n < r->streams.count; n++) {
        field_stream *x = &r->streams.list[n];
        number_source *source = &r->sources[n];
        if (at + !x->word >= in->count)
            return false;
        *source = (number_source){.symbols = buffer_cursor(&in->streams[at++])};
        if (x->word)
            continue;
        const buffer *bits = &in->streams[at++];
        source->bits = (bit_reader){bits->data, bits->size * 8, 0, false};
        if (x->coded) {
            source->classes = (const number_classes *)(const void *)classes;
            classes += number_classes_size(source->classes->map.count);
            if (!stamma_number_begin(source))
                return false;
        }
        if (x->mixer && !begin_mixer(x->mixer, source))
            return false;
        x->looked_at = false;
        x->least = is_natural(x->key[0]) ? 0 : -value_limit;
        x->alone = (x->predictor == PREDICT_LAST || x->predictor == PREDICT_SECOND) &&
                   !(x->coded && memchr(source->classes->map.contexts, CONTEXT_OTHER, CONTEXTS_USED));
    }
    for (size_t n = 0; n < r->streams.count; n++)
        mark_looked_at(r, n);
    for (size_t i = 0; i < r->used_count; i++)
        r->used[i].in_any_order = is_in_any_order(&r->streams, &r->used[i]);
    r->numbers = buffer_cursor(&in->streams[1]);
    r->others = buffer_cursor(&in->streams[2]);
    return at == in->count;
}

stamma_error stamma_field_reader_open(field_reader *r, const field_streams *in, const stamma_allocator *allocator)
{
    stamma_field_delete_mixers(&r->streams, r->allocator);
    r->allocator = r->templates.allocator = r->classes.allocator = allocator;
    r->streams.count = r->used_count = 0;
    if (in->count < 4)
        return STAMMA_ERROR_CORRUPT;
    stamma_error error = read_templates(r, &in->streams[0]);
    if (error == STAMMA_OK)
        error = read_parameters(r, &in->streams[3]);
    if (error == STAMMA_OK)
        error = make_mixers(r);
    if (error == STAMMA_OK && !take_streams(r, in))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

void stamma_field_reader_close(field_reader *r)
{
    if (!r->allocator)
        return;
    stamma_field_delete_mixers(&r->streams, r->allocator);
    stamma_buffer_release(&r->templates);
    stamma_buffer_release(&r->classes);
    memory_release(r->allocator, r->used);
    *r = (field_reader){0};
}

/* ---- texts ---- */

/* Copies a text, with or without its zero byte. */
static bool copy_text(cursor *from, bool with_zero, buffer *out)
{
    stamma_text text = cursor_text(from);
    if (from->failed)
        return false;
    buffer_add(out, text.data, text.size + with_zero);
    return !out->failed;
}

/* Finds the class of a stream's next symbol early, because the tables of all classes exceed the nearest cache. */
STAMMA_INLINE void find_slots(field_stream *x, const number_source *source)
{
    const number_classes *c = source->classes;
    x->slots = &c->slots[c->map.of[context_cell(x->levels, c->map.contexts)]];
    STAMMA_PREFETCH(&x->slots->symbol[source->state % NUMBER_SLOTS]);
}

/* Prepares a value that begins a game or depends on other streams. */
static STAMMA_NOINLINE void predict_any(const field_reader *r, field_stream *x, const number_source *source,
                                        uint32_t game)
{
    field_enter_game(x, game);
    x->predicted = field_predict(&r->streams, x, x->predictor, x->other, x->another);
    if (source->classes) {
        x->levels[CONTEXT_OTHER] = context_value(r->streams.list[x->other].back[0]);
        find_slots(x, source);
    }
}

/* Returns the next residual, folded, or UINT64_MAX if there is none. */
STAMMA_INLINE uint64_t take_difference(field_stream *x, number_source *source)
{
    bool fine = true;
    if (STAMMA_UNLIKELY(x->mixer != NULL)) {
        int64_t residual = stamma_field_mix(x->mixer, x, 0);
        return residual == FIELD_NO_VALUE ? UINT64_MAX : number_fold(residual);
    }
    if (!source->classes)
        return number_take(source);
    unsigned symbol = number_decode(source, x->slots, &fine);
    return STAMMA_LIKELY(fine) ? number_value(source, symbol, RESIDUAL_DIRECT) : UINT64_MAX;
}

/* Reads a stream's next value, and prepares the value after it. Returns FIELD_NO_VALUE if the value is corrupt. */
static STAMMA_NOINLINE int64_t take_value(field_reader *r, field_stream *x, number_source *source, uint32_t game)
{
    if (STAMMA_UNLIKELY(x->game != game || !x->alone))
        predict_any(r, x, source, game);
    uint64_t folded = take_difference(x, source);
    if (STAMMA_UNLIKELY(folded > x->most))
        return FIELD_NO_VALUE;
    int64_t value = x->predicted + number_unfold(folded) * (int64_t)x->divisor;
    if (STAMMA_UNLIKELY(value < x->least || value > value_limit))
        return FIELD_NO_VALUE;
    if (source->classes)
        context_note(x, folded);
    field_push(x, value);
    x->predicted = x->back[x->predictor == PREDICT_SECOND];
    if (source->classes)
        find_slots(x, source);
    return value;
}

int64_t stamma_field_take_value(field_reader *r, size_t stream, uint32_t game)
{
    return take_value(r, &r->streams.list[stream], &r->sources[stream], game);
}

/* Hot path: reserves memory for all bytes and numbers of a template in one step, and again after each word. */
static bool fill_template(field_reader *r, const field_template *t, uint32_t game, buffer *out)
{
    size_t room = t->size + FIELD_ROOM * t->field_count + COPY_STEP + 1;
    const uint8_t *from = t->bytes;
    if (!buffer_reserve(out, room))
        return false;
    uint8_t *at = out->data + out->size;
    for (size_t f = 0; f < t->field_count; f++) {
        field_stream *x = &r->streams.list[t->streams[f]];
        number_source *source = &r->sources[t->streams[f]];
        at = copy_few(at, from, t->literals[f]);
        from += t->literals[f] + 2;
        if (x->word) {
            out->size = (size_t)(at - out->data);
            if (!copy_text(&source->symbols, false, out) || !buffer_reserve(out, room))
                return false;
            at = out->data + out->size;
        } else {
            int64_t value = take_value(r, x, source, game);
            if (STAMMA_UNLIKELY(value == FIELD_NO_VALUE))
                return false;
            at += stamma_field_write((char)t->types[f], value, (char *)at);
        }
    }
    at = copy_few(at, from, t->literals[t->field_count]);
    *at++ = 0;
    out->size = (size_t)(at - out->data);
    return true;
}

bool stamma_field_reader_next(field_reader *r, uint32_t game, buffer *out)
{
    uint64_t number = cursor_varint(&r->numbers);
    if (r->numbers.failed || number > r->used_count)
        return false;
    return number == 0 ? copy_text(&r->others, true, out) : fill_template(r, &r->used[number - 1], game, out);
}

bool stamma_field_reader_is_done(field_reader *r)
{
    for (size_t n = 0; n < r->streams.count; n++) {
        const field_mixer *m = r->streams.list[n].mixer;
        if (!stamma_number_is_done(&r->sources[n]) || (m && !stamma_range_decode_is_exact(&m->stream.in)))
            return false;
    }
    return cursor_left(&r->numbers) == 0 && cursor_left(&r->others) == 0;
}
