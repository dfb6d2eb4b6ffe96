/* SPDX-License-Identifier: MIT */
/* Estimates the memory for decoding a block from its head and its stored columns, without decoding them. */
#include "block/block.h"

enum { PER_RECORD = 64, PER_BLOCK = 4 << 20 }; /* bytes: counts and indices; buffers of constant size */

/* Returns the memory of the model of codec 8. The first stored byte is its number of slot bits. */
static uint64_t mixed_memory(const column_entry *e, const uint8_t *stored)
{
    unsigned bits = e->stored_size > 0 && stored ? stored[0] : 0;
    uint64_t slots = bits >= MIXED_SLOT_BITS_MIN && bits <= MIXED_SLOT_BITS_MAX ? UINT64_C(2) << bits : 0;
    return sizeof(mixed_texts) + slots;
}

/* Returns the memory of the model of spelt texts, which a column in codec 10 has if it has this number of streams. */
static uint64_t spelt_memory(const column_entry *e, const uint8_t *stored)
{
    const bool spelt = e->stored_size > 0 && stored && stored[0] == TAG_STREAMS_SPELT;
    return spelt ? sizeof(mixed_model) + 2 * stamma_spelt_slots((size_t)e->plain_size) : 0;
}

static uint64_t column_memory(const column_entry *e, const uint8_t *stored)
{
    if (e->codec == CODEC_FIELDS) /* for its streams and its texts */
        return 2 * e->plain_size;
    if (codec_is_adaptive(e->codec))
        return sizeof(adaptive) + e->plain_size;
    if (e->id == COLUMN_TAG && e->codec == CODEC_MIXED)
        return mixed_memory(e, stored) + e->plain_size;
    if (e->id == COLUMN_TAG && e->codec == CODEC_MAPPED)
        return spelt_memory(e, stored) + e->plain_size;
    return e->plain_size;
}

uint64_t stamma_block_memory(cursor directory, cursor body)
{
    block_head head;
    column_entry e;
    uint64_t need = PER_BLOCK + cursor_left(&directory) + cursor_left(&body), plain = 0;
    if (stamma_block_read_head(&directory, &head) != STAMMA_OK)
        return need;
    for (uint64_t n = 0; n < head.columns && stamma_column_read_entry(&directory, &e); n++) {
        plain += e.plain_size;
        if (plain > block_columns_max(&head)) /* the block is corrupt; this column is not decoded */
            break;
        need += column_memory(&e, cursor_take(&body, e.stored_size));
    }
    return need + head.text_size + head.records * PER_RECORD;
}
