/* SPDX-License-Identifier: MIT */
/* Finds blocks whose frame headers are damaged. The head of a block determines the complete header, except its magic,
 * the archive's id and the number of blocks before it (2.1, 3.1, 3.2). */
#include "salvage/salvage.h"

enum {
    WINDOW = 1 << 16, /* maximum size of a head that is found */
    WORK = 16         /* maximum number of bytes read per byte searched: a limit for hostile input */
};

/* Reads a head and its directory at the start of `ahead`. Returns false if these bytes cannot be the head of a block.
 * The bytes before a head may look like a part of the head, but then the number of records and the column of checks
 * differ. */
static bool read_head(stamma_text ahead, frame *f, block_head *head)
{
    const uint8_t *begin = (const uint8_t *)ahead.data;
    cursor in = {begin, begin + ahead.size, false};
    if (ahead.size < 8 || load_u64(begin) > BLOCK_TEXT_MAX || stamma_block_read_head(&in, head) != STAMMA_OK)
        return false;
    uint64_t stored = 0, checks = 0;
    unsigned last = 0;
    for (uint64_t n = 0; n < head->columns; n++) {
        column_entry e;
        if (!stamma_column_read_entry(&in, &e) || e.id < last + (last != COLUMN_TAG))
            return false;
        last = e.id;
        stored += e.stored_size;
        checks += e.id == COLUMN_CHECKS ? e.plain_size : 0;
    }
    const size_t size = (size_t)(in.at - begin);
    *f = (frame){.type = FRAME_BLOCK,
                 .flags = FRAME_MANDATORY,
                 .size = size + stored,
                 .head_size = (uint32_t)size,
                 .head_check = stamma_check32(begin, size)};
    return head->columns > 0 && checks == block_checks_size(head) && f->size <= BLOCK_SIZE_MAX;
}

/* Returns whether at least one column has the checksum of its entry. */
static bool has_sound_column(const buffer *payload, const frame *f, const block_head *head)
{
    const uint8_t *begin = payload->data;
    block_head same;
    cursor in = {begin, begin + f->head_size, false}, body = {in.end, begin + payload->size, false};
    column_entry e;
    (void)stamma_block_read_head(&in, &same);
    for (uint64_t n = 0; n < head->columns && stamma_column_read_entry(&in, &e); n++) {
        const uint8_t *stored = cursor_take(&body, e.stored_size);
        if (stored && column_is_whole(&e, stored))
            return true;
    }
    return false;
}

/* Stores whether there is a valid frame header directly before the offset. Then the frame belongs to another archive,
 * whose bytes this archive contains. */
static stamma_error has_header(lost_search *s, uint64_t at, bool *has)
{
    stamma_text ahead;
    frame f;
    stamma_error error = stamma_frame_reader_go(s->in, at - FRAME_HEADER_SIZE);
    if (error == STAMMA_OK)
        error = stamma_frame_reader_peek(s->in, FRAME_HEADER_SIZE, &ahead);
    *has = error == STAMMA_OK && ahead.size >= FRAME_HEADER_SIZE &&
           stamma_frame_read((const uint8_t *)ahead.data, &f) != STAMMA_ERROR_CORRUPT;
    return error;
}

/* Subtracts `size` from the bytes that may still be read. Returns whether they may be read. */
static bool spend(lost_search *s, uint64_t size)
{
    const bool enough = size <= s->work;
    s->work -= enough ? size : s->work;
    return enough;
}

/* Examines bytes at an offset that look like a head. */
static stamma_error examine(lost_search *s, uint64_t at, frame *f, const block_head *head, bool *found)
{
    bool whole = true, other = false;
    *found = false;
    if (f->size > s->end - at || !spend(s, f->size))
        return STAMMA_OK;
    stamma_error error = has_header(s, at, &other);
    if (error != STAMMA_OK || other)
        return error;
    error = stamma_frame_reader_go(s->in, at);
    if (error == STAMMA_OK)
        error = stamma_frame_reader_payload(s->in, f->size, s->payload, &whole);
    *found = error == STAMMA_OK && whole && has_sound_column(s->payload, f, head);
    return error;
}

/* Returns the offset of the first bytes that look like a head. If there are none, returns the number of bytes at which
 * no head begins. */
static size_t count_before(stamma_text ahead, bool last, frame *f, block_head *head, bool *seen)
{
    /* A head that begins in the second half of the window may extend beyond it. */
    const size_t starts = last ? ahead.size : ahead.size / 2;
    size_t n = 0;
    *seen = false;
    while (n < starts && !(*seen = read_head((stamma_text){ahead.data + n, ahead.size - n}, f, head)))
        n++;
    return n;
}

void stamma_lost_begin(lost_search *s, frame_reader *in, uint64_t begin, uint64_t end, buffer *payload)
{
    const uint64_t size = end - begin;
    *s = (lost_search){in, begin, end, size > UINT64_MAX / WORK ? UINT64_MAX : WORK * size, payload};
}

stamma_error stamma_lost_next(lost_search *s, frame *f, block_head *head, bool *found)
{
    stamma_error error = STAMMA_OK;
    for (*found = false; error == STAMMA_OK && s->end - s->at > FRAME_HEADER_SIZE && !*found;) {
        const uint64_t base = s->at + FRAME_HEADER_SIZE, left = s->end - base;
        stamma_text ahead;
        bool seen;
        error = stamma_frame_reader_go(s->in, base);
        if (error == STAMMA_OK)
            error = stamma_frame_reader_peek(s->in, left < WINDOW ? (size_t)left : WINDOW, &ahead);
        if (error != STAMMA_OK || ahead.size == 0 || !spend(s, ahead.size))
            return error;
        ahead.size = ahead.size < left ? ahead.size : (size_t)left;
        const size_t before = count_before(ahead, ahead.size == left || ahead.size < WINDOW, f, head, &seen);
        if (seen)
            error = examine(s, base + before, f, head, found);
        s->at += before + (seen && !*found);
    }
    return error;
}
