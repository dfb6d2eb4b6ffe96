/* SPDX-License-Identifier: MIT */
/* Columns of texts as stored in codec 2 (doc/format/block_columns.md, clause 14.1). */
#include "fields/fields.h"

/* Limit of the total size of a column's streams in bytes, relative to the size of its texts (14.1). */
enum { STREAMS_PER_BYTE = 2, STREAMS_MORE = 1 << 16 };

void stamma_field_packer_release(field_packer *p)
{
    stamma_byte_packer_release(&p->bytes);
    stamma_field_encoder_release(p->encoder);
    p->encoder = NULL;
}

stamma_error stamma_field_column_write(field_packer *p, const buffer *plain, const uint32_t *per_game, size_t games,
                                       int words, buffer *body, bool *pays)
{
    field_streams *streams;
    size_t begin = body->size;
    *pays = false;
    if (!p->encoder && !(p->encoder = stamma_field_encoder_new(plain->allocator)))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error =
        stamma_fields_encode(p->encoder, p->mixes && per_game, &p->bytes, plain, per_game, games, &streams);
    if (error != STAMMA_OK || !streams)
        return error;
    int efforts[FIELD_STREAMS_MAX]; /* a copy, because the encoder needs its efforts for the next column */
    for (size_t i = 0; i < streams->count; i++)
        efforts[i] = streams->efforts[i] == EFFORT_WORDS ? words : streams->efforts[i];
    error = stamma_streams_pack(&p->bytes, streams->streams, efforts, streams->count, body);
    *pays = error == STAMMA_OK && body->size - begin <= plain->size;
    if (!*pays)
        body->size = begin;
    return error;
}

field_column *stamma_field_column_new(const stamma_allocator *allocator)
{
    field_column *f = (field_column *)memory_allocate(allocator, sizeof *f);
    if (f) {
        memset(f, 0, sizeof *f);
        stamma_field_streams_init(&f->streams, allocator);
    }
    return f;
}

void stamma_field_column_release(field_column *f, const stamma_allocator *allocator)
{
    if (!f)
        return;
    stamma_field_streams_release(&f->streams);
    stamma_field_reader_close(&f->reader);
    memory_release(allocator, f);
}

static stamma_error unpack(byte_packer *coder, cursor stored, uint64_t plain_size, field_streams *s)
{
    s->count = FIELD_STREAMS_MAX;
    return stamma_streams_unpack(coder, stored, (size_t)plain_size * STREAMS_PER_BYTE + STREAMS_MORE, s->streams,
                                 s->stored, &s->count);
}

stamma_error stamma_field_column_open(byte_packer *coder, cursor stored, uint64_t plain_size,
                                      const stamma_allocator *allocator, field_column *f)
{
    f->left = plain_size;
    f->passed = false;
    stamma_error error = unpack(coder, stored, plain_size, &f->streams);
    return error == STAMMA_OK ? stamma_field_reader_open(&f->reader, &f->streams, allocator) : error;
}

stamma_error stamma_field_column_take(field_column *f, uint32_t game, buffer *out)
{
    size_t begin = out->size;
    if (!stamma_field_reader_next(&f->reader, game, out) || out->size - begin > f->left)
        return out->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
    f->left -= out->size - begin;
    return STAMMA_OK;
}

stamma_error stamma_field_column_pass(field_column *f, uint32_t game, size_t count)
{
    f->passed = true;
    return stamma_field_reader_pass(&f->reader, game, count, &f->left) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

bool stamma_field_column_is_mixed(const field_column *f)
{
    for (size_t n = 0; n < f->reader.streams.count; n++)
        if (f->reader.streams.list[n].mixer)
            return true;
    return false;
}

void stamma_field_column_keep(field_column *f, kept_state *k)
{
    field_reader *r = &f->reader;
    state_keep(k, &f->left, sizeof f->left);
    state_keep(k, &f->passed, sizeof f->passed);
    state_keep(k, &r->numbers, sizeof r->numbers);
    state_keep(k, &r->others, sizeof r->others);
    state_keep(k, r->streams.list, r->streams.count * sizeof *r->streams.list);
    state_keep(k, r->sources, r->streams.count * sizeof *r->sources);
}

bool stamma_field_column_is_done(field_column *f)
{
    return (f->left == 0 || f->passed) && stamma_field_reader_is_done(&f->reader);
}

stamma_error stamma_field_column_read(byte_packer *coder, cursor stored, size_t limit, buffer *plain)
{
    const stamma_allocator *allocator = plain->allocator;
    field_column *f = stamma_field_column_new(allocator);
    if (!f)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = stamma_field_column_open(coder, stored, limit, allocator, f);
    plain->size = 0;
    for (uint32_t game = 1; error == STAMMA_OK && cursor_left(&f->reader.numbers) > 0; game++)
        error = stamma_field_column_take(f, game, plain);
    if (error == STAMMA_OK && !stamma_field_reader_is_done(&f->reader))
        error = STAMMA_ERROR_CORRUPT;
    stamma_field_column_release(f, allocator);
    return error;
}

stamma_error stamma_field_column_count(byte_packer *coder, cursor stored, uint64_t plain_size,
                                       const stamma_allocator *allocator, field_census *report, void *context)
{
    field_column *f = stamma_field_column_new(allocator);
    if (!f)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = unpack(coder, stored, plain_size, &f->streams);
    if (error == STAMMA_OK)
        error = stamma_fields_count(&f->streams, allocator, report, context);
    stamma_field_column_release(f, allocator);
    return error;
}
