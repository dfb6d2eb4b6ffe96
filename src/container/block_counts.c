/* SPDX-License-Identifier: MIT */
/* The counts in the head of a block (clause 3.1). The head continues with the directory of the columns. */
#include "container/container.h"

stamma_error stamma_block_counts_read(cursor *in, block_counts *head)
{
    const uint8_t *fixed = cursor_take(in, 16);
    if (!fixed)
        return STAMMA_ERROR_CORRUPT;
    stamma_archive_counts c = {.text_size = load_u64(fixed)};
    head->text_check = load_u64(fixed + 8);
    head->records = stamma_cursor_varint(in);
    c.games = stamma_cursor_varint(in);
    c.plies = stamma_cursor_varint(in);
    c.variation_plies = stamma_cursor_varint(in);
    c.games_verbatim = stamma_cursor_varint(in);
    c.games_partly_verbatim = stamma_cursor_varint(in);
    c.games_corrected = stamma_cursor_varint(in);
    c.verbatim_bytes = stamma_cursor_varint(in);
    uint8_t flags = cursor_byte(in);
    head->counts = c;
    head->continues = flags;
    bool fine = !in->failed && c.text_size <= BLOCK_TEXT_MAX && flags <= 1 && head->records > 0 &&
                head->records <= BLOCK_RECORDS_MAX && c.games <= head->records;
    return fine ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}
