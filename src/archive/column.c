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
    return id == COLUMN_MOVES ? 3 : 12;
}

static stamma_error compress(column_coder *coder, unsigned id, const buffer *plain, buffer *body, size_t *stored)
{
    if (!coder->compressor && !(coder->compressor = ZSTD_createCCtx()))
        return STAMMA_ERROR_NO_MEMORY;
    size_t bound = ZSTD_compressBound(plain->size);
    if (!buffer_reserve(body, bound))
        return STAMMA_ERROR_NO_MEMORY;
    size_t size =
        ZSTD_compressCCtx(coder->compressor, body->data + body->size, bound, plain->data, plain->size, effort(id));
    if (ZSTD_isError(size))
        return STAMMA_ERROR_NO_MEMORY;
    *stored = size;
    return STAMMA_OK;
}

stamma_error stamma_column_write(column_coder *coder, unsigned id, stamma_text name, const buffer *plain,
                                 buffer *directory, buffer *body)
{
    size_t stored;
    stamma_error error = compress(coder, id, plain, body, &stored);
    if (error != STAMMA_OK)
        return error;
    bool packed = stored < plain->size;
    if (!packed) {
        memcpy(body->data + body->size, plain->data, plain->size);
        stored = plain->size;
    }
    uint8_t entry[3] = {(uint8_t)id, packed ? CODEC_ZSTD : CODEC_STORED, id != COLUMN_REASONS};
    uint8_t check[8];
    store_u64(check, XXH64(body->data + body->size, stored, 0));
    body->size += stored;
    buffer_add(directory, entry, sizeof entry);
    stamma_buffer_add_varint(directory, name.size);
    buffer_add(directory, name.data, name.size);
    stamma_buffer_add_varint(directory, plain->size);
    stamma_buffer_add_varint(directory, stored);
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
        e->plain_size > COLUMN_SIZE_MAX || e->stored_size > FRAME_SIZE_MAX)
        return false;
    e->check = load_u64(check);
    return true;
}

stamma_error stamma_column_read(column_coder *coder, const column_entry *e, const uint8_t *stored, buffer *plain)
{
    plain->size = 0;
    if (XXH64(stored, (size_t)e->stored_size, 0) != e->check)
        return STAMMA_ERROR_CORRUPT;
    if (e->codec > CODEC_ZSTD)
        return STAMMA_ERROR_UNSUPPORTED;
    if (!buffer_reserve(plain, (size_t)e->plain_size))
        return STAMMA_ERROR_NO_MEMORY;
    plain->size = (size_t)e->plain_size;
    if (e->codec == CODEC_STORED) {
        if (e->plain_size != e->stored_size)
            return STAMMA_ERROR_CORRUPT;
        if (plain->size > 0)
            memcpy(plain->data, stored, plain->size);
        return STAMMA_OK;
    }
    if (!coder->decompressor && !(coder->decompressor = ZSTD_createDCtx()))
        return STAMMA_ERROR_NO_MEMORY;
    size_t size = ZSTD_decompressDCtx(coder->decompressor, plain->data, plain->size, stored, (size_t)e->stored_size);
    return size == plain->size ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}
