/* Templates and streams of fields become a column of texts again (doc/format.md, clause 10). Nothing is trusted. */
#include "model/model.h"

static bool is_natural(char type)
{
    return type == FIELD_NUMBER || type == FIELD_PAIR || type == FIELD_TIME || type == FIELD_TIME_TWO;
}

typedef struct decoder {
    field_keys streams;
    field_template used[FIELD_TEMPLATES_MAX];
    size_t used_count;
    cursor numbers, others;
    number_source sources[FIELD_KEYS_MAX]; /* of words: symbols alone */
    buffer *out;
    size_t limit;
} decoder;

static bool read_templates(decoder *d, const buffer *templates)
{
    cursor c = buffer_cursor(templates);
    while (cursor_left(&c) > 0) {
        const uint8_t *zero = (const uint8_t *)memchr(c.at, 0, cursor_left(&c));
        if (!zero || d->used_count == FIELD_TEMPLATES_MAX)
            return false;
        field_template *t = &d->used[d->used_count++];
        t->bytes = c.at;
        t->size = (size_t)(zero - c.at);
        if (t->size > FIELD_TEMPLATE_MAX || !stamma_field_prepare(&d->streams, t))
            return false;
        c.at = zero + 1;
    }
    return true;
}

static bool read_parameters(decoder *d, const buffer *parameters)
{
    cursor c = buffer_cursor(parameters);
    for (size_t n = 0; n < d->streams.count; n++) {
        field_stream *x = &d->streams.list[n];
        if (x->word)
            continue;
        x->predictor = cursor_byte(&c);
        x->other = cursor_byte(&c);
        x->another = cursor_byte(&c);
        uint64_t divisor = stamma_cursor_varint(&c);
        if (c.failed || x->predictor >= PREDICTORS || x->other >= d->streams.count || x->another >= d->streams.count ||
            divisor == 0 || divisor > 1000000)
            return false;
        x->divisor = (uint32_t)divisor;
    }
    return cursor_left(&c) == 0;
}

static bool take_streams(decoder *d, const field_streams *in)
{
    size_t at = 4;
    for (size_t n = 0; n < d->streams.count; n++) {
        if (at + !d->streams.list[n].word >= in->count)
            return false;
        d->sources[n].symbols = buffer_cursor(&in->streams[at++]);
        if (!d->streams.list[n].word) {
            const buffer *bits = &in->streams[at++];
            d->sources[n].bits = (bit_reader){bits->data, bits->size * 8, 0, false};
        }
    }
    return at == in->count;
}

/* Copies a text with its zero byte, or without it. */
static bool copy_text(decoder *d, cursor *from, bool with_zero)
{
    const uint8_t *zero = cursor_left(from) == 0 ? NULL : (const uint8_t *)memchr(from->at, 0, cursor_left(from));
    if (!zero)
        return false;
    buffer_add(d->out, from->at, (size_t)(zero - from->at) + with_zero);
    from->at = zero + 1;
    return true;
}

static bool decode_field(decoder *d, unsigned n, char type, uint32_t game)
{
    field_stream *x = &d->streams.list[n];
    int64_t difference;
    if (x->word)
        return copy_text(d, &d->sources[n].symbols, false);
    if (!stamma_number_take(&d->sources[n], &difference))
        return false;
    field_enter_game(x, game);
    int64_t limit = (int64_t)1 << 53, divisor = x->divisor;
    if (difference > limit / divisor || difference < -limit / divisor)
        return false;
    int64_t value = field_predict(&d->streams, x, x->predictor, x->other, x->another) + difference * divisor;
    if (value > limit || value < -limit || (value < 0 && is_natural(type)))
        return false;
    field_push(&d->streams, x, value);
    char *out = (char *)d->out->data + d->out->size;
    d->out->size += stamma_field_write(type, value, out);
    return true;
}

/* Room for a whole template's bytes and numbers is made at once. */
static bool decode_text(decoder *d, const field_template *t, uint32_t game)
{
    size_t field = 0;
    if (!buffer_reserve(d->out, t->size + 32 * t->field_count + 1))
        return false;
    for (size_t i = 0; i < t->size; i++) {
        if (t->bytes[i] != FIELD_MARK) {
            d->out->data[d->out->size++] = t->bytes[i];
            continue;
        }
        char type = (char)t->bytes[++i];
        if (!decode_field(d, t->streams[field++], type, game) ||
            !buffer_reserve(d->out, t->size - i + 32 * (t->field_count - field) + 1))
            return false;
    }
    d->out->data[d->out->size++] = 0;
    return true;
}

/* Whether all streams are used up, but for zero bits in a last byte (10.6). */
static bool sources_are_done(decoder *d)
{
    for (size_t n = 0; n < d->streams.count; n++) {
        number_source *s = &d->sources[n];
        size_t bits = s->bits.size - s->bits.at;
        if (cursor_left(&s->symbols) != 0 || bits > 7 || stamma_bits_read(&s->bits, (unsigned)bits) != 0)
            return false;
    }
    return true;
}

static bool decode(decoder *d, const field_streams *in, const uint32_t *per_game, size_t games)
{
    if (in->count < 4 || !read_templates(d, &in->streams[0]) || !read_parameters(d, &in->streams[3]) ||
        !take_streams(d, in))
        return false;
    d->numbers = buffer_cursor(&in->streams[1]);
    d->others = buffer_cursor(&in->streams[2]);
    for (size_t game = 0; game < games; game++)
        for (uint32_t i = 0; i < per_game[game]; i++) {
            uint64_t number = stamma_cursor_varint(&d->numbers);
            if (d->numbers.failed || number > d->used_count || d->out->size > d->limit)
                return false;
            if (number == 0 ? !copy_text(d, &d->others, true)
                            : !decode_text(d, &d->used[number - 1], (uint32_t)game + 1))
                return false;
        }
    return cursor_left(&d->numbers) == 0 && cursor_left(&d->others) == 0 && sources_are_done(d);
}

stamma_error stamma_fields_decode(const field_streams *in, const uint32_t *per_game, size_t games,
                                  const stamma_allocator *allocator, size_t limit, buffer *column)
{
    decoder *d = (decoder *)memory_allocate(allocator, sizeof *d);
    if (!d)
        return STAMMA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof *d);
    d->out = column;
    d->limit = limit;
    bool fine = decode(d, in, per_game, games);
    memory_release(allocator, d);
    return column->failed ? STAMMA_ERROR_NO_MEMORY : fine ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}
