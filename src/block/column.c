/* SPDX-License-Identifier: MIT */
/* The stored form of columns: codecs, the directory, checksums (clauses 3.2 and 3.3). */
#include "block/block.h"

const char *const stamma_column_names[COLUMN_IDS] = {
    "",           "events",      "moves",   "variation-moves", "comments", "nags",        "results",
    "rosters",    "roster-list", "styles",  "style-list",      "layout",   "layout-text", "verbatim-sizes",
    "verbatim",   "extra-tags",  "reasons", "event-counts",    "checks",   "lines",       "line-sizes",
    "line-moves", "signatures",  "facts"};

void stamma_column_name(const column_entry *e, char name[STAMMA_COLUMN_NAME_SIZE])
{
    const char *word = e->id == COLUMN_TAG ? "tag:" : e->id < COLUMN_IDS ? stamma_column_names[e->id] : "unknown";
    size_t size = strlen(word), more = STAMMA_COLUMN_NAME_SIZE - 1 - size;
    memset(name, 0, STAMMA_COLUMN_NAME_SIZE);
    memcpy(name, word, size);
    memcpy(name + size, e->name.data, e->name.size < more ? e->name.size : more);
}

/* Returns the effort of zstd for a column. A higher effort hardly helps for moves, which are nearly random, and for
 * events, which repeat. It helps little for the columns of lines in comments, and most for texts. */
static int effort(unsigned id)
{
    switch (id) {
    case COLUMN_MOVES:
    case COLUMN_LINE_MOVES: return EFFORT_MOVES;
    case COLUMN_EVENTS:
    case COLUMN_LINES:
    case COLUMN_LINE_SIZES: return EFFORT_REPEATS;
    case COLUMN_EVENT_COUNTS: return EFFORT_NUMBERS;
    case COLUMN_COMMENTS: return EFFORT_WORDS;
    default: return EFFORT_TEXT;
    }
}

void stamma_column_write_entry(unsigned id, unsigned codec, stamma_text name, size_t plain_size, const uint8_t *stored,
                               size_t size, buffer *directory)
{
    bool search = column_is_search(id);
    uint8_t entry[3] = {(uint8_t)id, (uint8_t)codec, search ? ENTRY_SEARCH : id != COLUMN_REASONS};
    uint8_t check[8];
    store_u64(check, XXH64(stored, size, 0));
    buffer_add(directory, entry, sizeof entry);
    stamma_buffer_add_varint(directory, name.size);
    buffer_add(directory, name.data, name.size);
    stamma_buffer_add_varint(directory, plain_size);
    stamma_buffer_add_varint(directory, size);
    buffer_add(directory, check, sizeof check);
}

stamma_error stamma_column_write(field_packer *packer, unsigned id, const buffer *plain, const text_counts *counts,
                                 buffer *directory, buffer *body)
{
    uint8_t codec = CODEC_FIELDS;
    size_t begin = body->size;
    bool fields = false;
    stamma_error error = STAMMA_OK;
    if (counts)
        error = stamma_field_column_write(packer, plain, counts->per_game, counts->games, EFFORT_WORDS, body, &fields);
    if (column_is_search(id))
        error = stamma_search_pack(&packer->bytes, id, plain, body, &codec);
    else if (error == STAMMA_OK && !fields)
        error = stamma_bytes_pack(&packer->bytes, effort(id), plain, body, &codec);
    if (error != STAMMA_OK)
        return error;
    stamma_column_write_entry(id, codec, (stamma_text){NULL, 0}, plain->size, body->data + begin, body->size - begin,
                              directory);
    return STAMMA_OK;
}

/* ---- the directory ---- */

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

stamma_error stamma_column_read(byte_packer *coder, const column_entry *e, const uint8_t *stored, buffer *plain)
{
    plain->size = 0;
    if (!coder->partial && !column_is_whole(e, stored))
        return STAMMA_ERROR_CORRUPT;
    if (e->codec > CODEC_PACKED)
        return STAMMA_ERROR_UNSUPPORTED;
    return stamma_bytes_unpack(coder, e->codec, stored, (size_t)e->stored_size, (size_t)e->plain_size, plain);
}
