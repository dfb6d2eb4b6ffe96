/* Columns as they are stored: codecs, the directory, checksums (clauses 3.2 and 3.3). */
#include "archive/archive.h"

const char *const stamma_column_names[COLUMN_IDS] = {
    "",         "events",      "moves",  "variation-moves", "comments", "nags",        "results",
    "rosters",  "roster-list", "styles", "style-list",      "layout",   "layout-text", "verbatim-sizes",
    "verbatim", "odd-tags",    "reasons"};

void stamma_column_coder_release(column_coder *c)
{
    ZSTD_freeCCtx(c->compressor);
    ZSTD_freeDCtx(c->decompressor);
    c->compressor = NULL;
    c->decompressor = NULL;
}

/* How hard zstd tries: moves are nearly noise to it, and texts repay work. */
static int effort(unsigned id)
{
    return id == COLUMN_MOVES ? 3 : 9;
}

/* Appends `plain` as zstd packs it, or as it is where that is no longer; *codec says which. */
static stamma_error append_packed(column_coder *coder, int level, const buffer *plain, buffer *body, uint8_t *codec)
{
    if (!coder->compressor && !(coder->compressor = ZSTD_createCCtx()))
        return STAMMA_ERROR_NO_MEMORY;
    size_t bound = ZSTD_compressBound(plain->size);
    if (!buffer_reserve(body, bound))
        return STAMMA_ERROR_NO_MEMORY;
    uint8_t *out = body->data + body->size;
    size_t size = ZSTD_compressCCtx(coder->compressor, out, bound, plain->data, plain->size, level);
    if (ZSTD_isError(size))
        return STAMMA_ERROR_NO_MEMORY;
    *codec = size < plain->size ? CODEC_ZSTD : CODEC_STORED;
    if (*codec == CODEC_STORED && plain->size > 0)
        memcpy(out, plain->data, plain->size);
    body->size += *codec == CODEC_STORED ? plain->size : size;
    return STAMMA_OK;
}

/* ---- codec 2: texts as templates and fields (clause 10) ---- */

/* Checks that the streams give the column back: UNSUPPORTED where they do not. */
static stamma_error check_fields(const field_streams *streams, const buffer *plain, const text_counts *counts)
{
    buffer again = {.allocator = plain->allocator};
    stamma_error error =
        stamma_fields_decode(streams, counts->per_game, counts->games, plain->allocator, plain->size, &again);
    bool same = error == STAMMA_OK && again.size == plain->size && memcmp(again.data, plain->data, plain->size) == 0;
    stamma_buffer_release(&again);
    return error == STAMMA_ERROR_NO_MEMORY || same ? error : STAMMA_ERROR_UNSUPPORTED;
}

static stamma_error append_streams(column_coder *coder, const field_streams *streams, buffer *body)
{
    buffer head = {.allocator = body->allocator}, packed = {.allocator = body->allocator};
    stamma_error error = STAMMA_OK;
    stamma_buffer_add_varint(&head, streams->count);
    for (size_t i = 0; i < streams->count && error == STAMMA_OK; i++) {
        uint8_t codec;
        size_t begin = packed.size;
        stamma_buffer_add_varint(&head, streams->streams[i].size);
        error = append_packed(coder, streams->words[i] ? 19 : 6, &streams->streams[i], &packed, &codec);
        stamma_buffer_add_varint(&head, packed.size - begin);
    }
    buffer_add(body, head.data, head.size);
    buffer_add(body, packed.data, packed.size);
    if (head.failed || packed.failed || body->failed)
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&head);
    stamma_buffer_release(&packed);
    return error;
}

/* UNSUPPORTED where the column is no better for it. */
static stamma_error append_fields(column_coder *coder, const buffer *plain, const text_counts *counts, buffer *body)
{
    field_streams *streams = (field_streams *)memory_allocate(plain->allocator, sizeof *streams);
    if (!streams)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_field_streams_init(streams, plain->allocator);
    stamma_error error = stamma_fields_encode(plain, counts->per_game, counts->games, plain->allocator, streams);
    if (error == STAMMA_OK)
        error = check_fields(streams, plain, counts);
    if (error == STAMMA_OK)
        error = append_streams(coder, streams, body);
    stamma_field_streams_release(streams);
    memory_release(plain->allocator, streams);
    return error;
}

/* Replaces `plain` by what `stored` unpacks to: the bytes themselves, or exactly one zstd frame that says its size
 * (3.2). */
static stamma_error unpack(column_coder *coder, unsigned codec, const uint8_t *stored, size_t stored_size, size_t size,
                           buffer *plain)
{
    if (!buffer_reserve(plain, size))
        return STAMMA_ERROR_NO_MEMORY;
    plain->size = size;
    if (codec == CODEC_STORED) {
        if (size != stored_size)
            return STAMMA_ERROR_CORRUPT;
        if (size > 0)
            memcpy(plain->data, stored, size);
        return STAMMA_OK;
    }
    if (ZSTD_getFrameContentSize(stored, stored_size) != size ||
        ZSTD_findFrameCompressedSize(stored, stored_size) != stored_size)
        return STAMMA_ERROR_CORRUPT;
    if (!coder->decompressor && !(coder->decompressor = ZSTD_createDCtx()))
        return STAMMA_ERROR_NO_MEMORY;
    size_t got = ZSTD_decompressDCtx(coder->decompressor, plain->data, size, stored, stored_size);
    return got == size ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

static stamma_error read_stream(column_coder *coder, cursor *head, cursor *body, size_t *room, buffer *out)
{
    uint64_t plain = stamma_cursor_varint(head), stored = stamma_cursor_varint(head);
    const uint8_t *bytes = cursor_take(body, stored);
    if (!bytes || head->failed || plain > *room || stored > plain)
        return STAMMA_ERROR_CORRUPT;
    *room -= (size_t)plain;
    return unpack(coder, plain == stored ? CODEC_STORED : CODEC_ZSTD, bytes, (size_t)stored, (size_t)plain, out);
}

static stamma_error read_streams(column_coder *coder, const column_entry *e, const uint8_t *stored,
                                 field_streams *streams)
{
    cursor head = {stored, stored + e->stored_size, false};
    uint64_t count = stamma_cursor_varint(&head);
    cursor body = head;
    size_t room = COLUMN_SIZE_MAX;
    for (uint64_t i = 0; i < 2 * count && !body.failed; i++)
        stamma_cursor_varint(&body);
    if (head.failed || body.failed || count > FIELD_STREAMS_MAX)
        return STAMMA_ERROR_CORRUPT;
    for (streams->count = 0; streams->count < count; streams->count++) {
        stamma_error error = read_stream(coder, &head, &body, &room, &streams->streams[streams->count]);
        if (error != STAMMA_OK)
            return error;
    }
    return cursor_left(&body) == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

static stamma_error read_fields(column_coder *coder, const column_entry *e, const uint8_t *stored,
                                const text_counts *counts, buffer *plain)
{
    field_streams *streams = (field_streams *)memory_allocate(plain->allocator, sizeof *streams);
    if (!streams)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_field_streams_init(streams, plain->allocator);
    stamma_error error = read_streams(coder, e, stored, streams);
    if (error == STAMMA_OK)
        error = stamma_fields_decode(streams, counts->per_game, counts->games, plain->allocator, (size_t)e->plain_size,
                                     plain);
    if (error == STAMMA_OK && plain->size != e->plain_size)
        error = STAMMA_ERROR_CORRUPT;
    stamma_field_streams_release(streams);
    memory_release(plain->allocator, streams);
    return error;
}

/* ---- columns ---- */

stamma_error stamma_column_write(column_coder *coder, unsigned id, stamma_text name, const buffer *plain,
                                 const text_counts *counts, buffer *directory, buffer *body)
{
    uint8_t codec = CODEC_FIELDS;
    size_t begin = body->size;
    stamma_error error = counts ? append_fields(coder, plain, counts, body) : STAMMA_ERROR_UNSUPPORTED;
    if (error == STAMMA_OK && body->size - begin > plain->size)
        error = STAMMA_ERROR_UNSUPPORTED;
    if (error == STAMMA_ERROR_UNSUPPORTED)
        body->size = begin;
    if (error == STAMMA_ERROR_UNSUPPORTED)
        error = append_packed(coder, effort(id), plain, body, &codec);
    if (error != STAMMA_OK)
        return error;
    uint8_t entry[3] = {(uint8_t)id, codec, id != COLUMN_REASONS};
    uint8_t check[8];
    store_u64(check, XXH64(body->data + begin, body->size - begin, 0));
    buffer_add(directory, entry, sizeof entry);
    stamma_buffer_add_varint(directory, name.size);
    buffer_add(directory, name.data, name.size);
    stamma_buffer_add_varint(directory, plain->size);
    stamma_buffer_add_varint(directory, body->size - begin);
    buffer_add(directory, check, sizeof check);
    return STAMMA_OK;
}

bool stamma_column_read_entry(cursor *in, column_entry *e)
{
    e->id = cursor_byte(in);
    e->codec = cursor_byte(in);
    e->flags = cursor_byte(in);
    uint64_t name_size = stamma_cursor_varint(in);
    const uint8_t *name = cursor_take(in, name_size);
    e->name = (stamma_text){(const char *)name, (size_t)name_size};
    e->plain_size = stamma_cursor_varint(in);
    e->stored_size = stamma_cursor_varint(in);
    const uint8_t *check = cursor_take(in, 8);
    if (in->failed || e->flags > 3 || name_size > UINT8_MAX || (e->id != COLUMN_TAG && name_size != 0) ||
        e->plain_size == 0 || e->plain_size > COLUMN_SIZE_MAX || e->stored_size > e->plain_size ||
        (name_size != 0 && memchr(name, 0, e->name.size)))
        return false;
    e->check = load_u64(check);
    return true;
}

stamma_error stamma_column_read(column_coder *coder, const column_entry *e, const uint8_t *stored,
                                const text_counts *counts, buffer *plain)
{
    plain->size = 0;
    if (XXH64(stored, (size_t)e->stored_size, 0) != e->check)
        return STAMMA_ERROR_CORRUPT;
    if (e->codec == CODEC_FIELDS && counts)
        return read_fields(coder, e, stored, counts, plain);
    if (e->codec > CODEC_ZSTD)
        return STAMMA_ERROR_UNSUPPORTED;
    return unpack(coder, e->codec, stored, (size_t)e->stored_size, (size_t)e->plain_size, plain);
}
