/* SPDX-License-Identifier: MIT */
/* The head of a block: its counts, and the columns that its directory lists (clauses 3.1 and 3.2). */
#include "block/block.h"

/* Finds the number of records of a group: that with which the column of checks has its size. It remains GROUP_MAX if
 * there is none. */
static void find_group(cursor directory, block_head *head)
{
    uint64_t checks = 0;
    column_entry e;
    for (uint64_t n = 0; n < head->columns && stamma_column_read_entry(&directory, &e); n++)
        checks = e.id == COLUMN_CHECKS ? e.plain_size : checks;
    for (head->group = GROUP_MIN; head->group < GROUP_MAX && block_checks_size(head) != checks;)
        head->group *= 2;
}

stamma_error stamma_block_read_head(cursor *in, block_head *head)
{
    block_counts counts;
    stamma_error error = stamma_block_counts_read(in, &counts);
    head->columns = stamma_cursor_varint(in);
    if (error != STAMMA_OK || in->failed)
        return STAMMA_ERROR_CORRUPT;
    head->text_size = counts.counts.text_size;
    head->text_check = counts.text_check;
    head->records = counts.records;
    head->counts = counts.counts;
    head->continues = counts.continues;
    find_group(*in, head);
    return STAMMA_OK;
}

bool stamma_payload_find_column(const buffer *payload, size_t head_size, unsigned id, column_entry *entry,
                                const uint8_t **stored)
{
    cursor in = {payload->data, payload->data + head_size, false},
           body = {in.end, payload->data + payload->size, false};
    block_head head;
    if (stamma_block_read_head(&in, &head) != STAMMA_OK)
        return false;
    for (uint64_t i = 0; i < head.columns && stamma_column_read_entry(&in, entry); i++) {
        *stored = cursor_take(&body, entry->stored_size);
        if (!*stored || entry->id == id)
            return *stored != NULL;
    }
    return false;
}

uint64_t stamma_payload_moves_bytes(const buffer *payload, size_t head_size)
{
    column_entry e;
    const uint8_t *stored;
    return stamma_payload_find_column(payload, head_size, COLUMN_MOVES, &e, &stored) ? e.stored_size : 0;
}

int stamma_payload_level(const buffer *payload, size_t head_size, int other)
{
    column_entry e;
    const uint8_t *stored;
    if (!stamma_payload_find_column(payload, head_size, COLUMN_MOVES, &e, &stored))
        return other;
    return codec_is_adaptive(e.codec) ? 3 : e.codec == CODEC_PREDICTED ? 2 : 1;
}
