/* SPDX-License-Identifier: MIT */
/* Reads frames from front to back. After damage, continues with the next valid frame (clause 11.2). Seeks if the input
 * can, but does not need to. */
#include "container/container.h"

enum { WINDOW = 1 << 16 };

static const uint8_t magic_begin = 's'; /* first byte of a frame's magic (2.1) */

stamma_error stamma_frame_reader_open(frame_reader *r, const archive_input *input, const stamma_allocator *allocator)
{
    memset(r, 0, sizeof *r);
    r->allocator = allocator;
    r->input = *input;
    r->ahead.allocator = allocator;
    r->window = (uint8_t *)memory_allocate(allocator, WINDOW);
    return r->window ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

void stamma_frame_reader_release(frame_reader *r)
{
    memory_release(r->allocator, r->window);
    stamma_buffer_release(&r->ahead);
    r->window = NULL;
}

/* Keeps the last bytes of the input. */
static void note_end(frame_reader *r, const uint8_t *bytes, size_t size)
{
    size_t part = size < sizeof r->last ? size : sizeof r->last;
    memmove(r->last, r->last + part, sizeof r->last - part);
    memcpy(r->last + sizeof r->last - part, bytes + size - part, part);
}

/* Reads up to `size` bytes of the input, at least one unless the input ends. */
static stamma_error read_input(frame_reader *r, uint8_t *bytes, size_t size, size_t *got)
{
    *got = 0;
    if (r->ended)
        return STAMMA_OK;
    ptrdiff_t count = r->input.read(r->input.context, bytes, size);
    if (count < 0 || (size_t)count > size)
        return STAMMA_ERROR_IO;
    r->ended = count == 0;
    if (count > 0)
        note_end(r, bytes, (size_t)count);
    *got = (size_t)count;
    return STAMMA_OK;
}

/* Reads up to `size` bytes after the window, at least one unless the input ends. */
static stamma_error read_some(frame_reader *r, uint8_t *bytes, size_t size, size_t *got)
{
    size_t waiting = r->ahead.size - r->ahead_at;
    *got = waiting < size ? waiting : size;
    if (*got == 0)
        return read_input(r, bytes, size, got);
    memcpy(bytes, r->ahead.data + r->ahead_at, *got);
    r->ahead_at += *got;
    return STAMMA_OK;
}

static bool is_through(const frame_reader *r)
{
    return r->ended && r->ahead.size == r->ahead_at;
}

stamma_error stamma_frame_reader_peek(frame_reader *r, size_t size, stamma_text *ahead)
{
    /* Bytes are moved only after at least the same number was consumed. */
    if (r->end - r->begin < size && (size > WINDOW - r->begin || r->end - r->begin < FRAME_HEADER_SIZE)) {
        memmove(r->window, r->window + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    while (r->end - r->begin < size && !is_through(r)) {
        /* If the input can seek, most payloads are skipped, and bytes read ahead would not be used. */
        size_t got, room = r->input.seek ? size - (r->end - r->begin) : WINDOW - r->end;
        stamma_error error = read_some(r, r->window + r->end, room, &got);
        if (error != STAMMA_OK)
            return error;
        r->end += got;
    }
    *ahead = (stamma_text){(const char *)r->window + r->begin, r->end - r->begin};
    return STAMMA_OK;
}

void stamma_frame_reader_pass(frame_reader *r, size_t size)
{
    r->begin += size;
    r->at += size;
}

/* Classifies the bytes of a header. Frames before the first block have no id yet (2.1). */
static frame_state judge(const frame_reader *r, const uint8_t *header, frame *f)
{
    stamma_error error = stamma_frame_read(header, f);
    if (error == STAMMA_ERROR_CORRUPT || (r->id_known && f->id != r->id && (f->number != 0 || f->id != 0)))
        return FRAME_LOST;
    return error == STAMMA_OK ? FRAME_GOOD : FRAME_UNSUPPORTED;
}

/* Classifies the next bytes: as many as a header has, or fewer at the end of the input. */
static frame_state judge_next(const frame_reader *r, const uint8_t *bytes, size_t size, frame *f)
{
    return size == 0 ? FRAME_NONE : size < FRAME_HEADER_SIZE ? FRAME_LOST : judge(r, bytes, f);
}

static stamma_error look(frame_reader *r, frame *f, frame_state *state)
{
    stamma_text ahead;
    stamma_error error = stamma_frame_reader_peek(r, FRAME_HEADER_SIZE, &ahead);
    if (error != STAMMA_OK)
        return error;
    *state = judge_next(r, (const uint8_t *)ahead.data, ahead.size, f);
    return STAMMA_OK;
}

stamma_error stamma_frame_reader_look(frame_reader *r, frame_state *state)
{
    frame f;
    return look(r, &f, state);
}

stamma_error stamma_frame_reader_next(frame_reader *r, frame *f, frame_state *state)
{
    stamma_error error = look(r, f, state);
    if (error != STAMMA_OK || *state == FRAME_NONE || *state == FRAME_LOST)
        return error;
    stamma_frame_reader_pass(r, FRAME_HEADER_SIZE);
    if (!r->id_known && (f->number > 0 || f->type == FRAME_BLOCK)) {
        r->id_known = true;
        r->id = f->id;
    }
    return STAMMA_OK;
}

/* Returns the number of leading bytes at which certainly no frame's header begins. */
static size_t count_lost(const frame_reader *r, stamma_text ahead)
{
    frame f;
    const uint8_t *begin = (const uint8_t *)ahead.data, *end = begin + ahead.size;
    for (const uint8_t *at = begin; end - at >= FRAME_HEADER_SIZE; at++) {
        at = (const uint8_t *)memchr(at, magic_begin, (size_t)(end - at));
        if (!at)
            return ahead.size;
        if (end - at < FRAME_HEADER_SIZE || judge(r, at, &f) != FRAME_LOST)
            return (size_t)(at - begin);
    }
    return ahead.size - (FRAME_HEADER_SIZE - 1);
}

/* Appends bytes until `skipped` contains `limit` bytes. */
static bool keep(buffer *skipped, stamma_text bytes, uint64_t limit)
{
    uint64_t room = limit - skipped->size;
    buffer_add(skipped, bytes.data, bytes.size < room ? bytes.size : (size_t)room);
    return !skipped->failed;
}

stamma_error stamma_frame_reader_find(frame_reader *r, buffer *skipped, uint64_t limit)
{
    if (skipped)
        skipped->size = 0;
    if (skipped && !buffer_reserve(skipped, 1)) /* its data must not be NULL, even if it is empty */
        return STAMMA_ERROR_NO_MEMORY;
    for (;;) {
        stamma_text ahead;
        size_t ready = r->end - r->begin;
        stamma_error error = stamma_frame_reader_peek(r, ready < FRAME_HEADER_SIZE ? WINDOW : ready, &ahead);
        if (error != STAMMA_OK)
            return error;
        bool last = ahead.size < FRAME_HEADER_SIZE;
        ahead.size = last ? ahead.size : count_lost(r, ahead);
        if (skipped && !keep(skipped, ahead, limit))
            return STAMMA_ERROR_NO_MEMORY;
        stamma_frame_reader_pass(r, ahead.size);
        if (last || ahead.size == 0)
            return STAMMA_OK;
    }
}

/* Reads bytes at an offset and returns the input to the end of the window, which stays valid. */
static stamma_error read_elsewhere(const frame_reader *r, uint64_t offset, uint8_t *bytes, size_t size, size_t *got)
{
    bool moved = r->input.seek(r->input.context, offset), failed = !moved;
    ptrdiff_t count = 1;
    for (*got = 0; !failed && *got < size && count > 0; *got += failed ? 0 : (size_t)count) {
        count = r->input.read(r->input.context, bytes + *got, size - *got);
        failed = count < 0 || (size_t)count > size - *got;
    }
    moved = moved && r->input.seek(r->input.context, r->at + (r->end - r->begin));
    return moved && !failed ? STAMMA_OK : STAMMA_ERROR_IO;
}

/* Reads at least `size` bytes ahead, or all remaining bytes of the input. */
static stamma_error read_ahead(frame_reader *r, uint64_t size)
{
    enum { STEP = 1 << 20 };
    buffer *ahead = &r->ahead;
    size_t got = 1;
    stamma_error error = STAMMA_OK;
    if (r->ahead_at >= ahead->size - r->ahead_at && r->ahead_at > 0) {
        memmove(ahead->data, ahead->data + r->ahead_at, ahead->size -= r->ahead_at);
        r->ahead_at = 0;
    }
    while (error == STAMMA_OK && got > 0 && size > r->end - r->begin + ahead->size - r->ahead_at) {
        if (!buffer_reserve(ahead, STEP))
            return STAMMA_ERROR_NO_MEMORY;
        error = read_input(r, ahead->data + ahead->size, STEP, &got);
        ahead->size += error == STAMMA_OK ? got : 0;
    }
    return error;
}

/* Copies bytes that were read ahead, without the first `skipped` bytes. Returns the number of bytes copied. */
static size_t copy_ahead(const frame_reader *r, uint64_t skipped, uint8_t *bytes, size_t size)
{
    const size_t window = r->end - r->begin, more = r->ahead.size - r->ahead_at;
    size_t got = 0;
    for (uint64_t n = skipped; got < size && n < window + more; n++)
        bytes[got++] = n < window ? r->window[r->begin + n] : r->ahead.data[r->ahead_at + (n - window)];
    return got;
}

stamma_error stamma_frame_reader_look_after(frame_reader *r, uint64_t size, bool *whole, bool *well)
{
    enum { SMALL = WINDOW / 2 - FRAME_HEADER_SIZE };
    uint8_t next[1 + FRAME_HEADER_SIZE];        /* the last of these bytes, which may be missing, and the next header */
    const size_t from = size > 0, all = from + FRAME_HEADER_SIZE;
    size_t got = 0;
    frame f;
    stamma_text ahead;
    stamma_error error;
    const bool elsewhere = r->input.seek && size + FRAME_HEADER_SIZE > r->end - r->begin;
    if (elsewhere)
        error = read_elsewhere(r, r->at + size - from, next, all, &got);
    else if (size > SMALL)
        error = read_ahead(r, size + FRAME_HEADER_SIZE);
    else
        error = stamma_frame_reader_peek(r, (size_t)size + FRAME_HEADER_SIZE, &ahead);
    if (error != STAMMA_OK)
        return error;
    if (!elsewhere)
        got = copy_ahead(r, size - from, next, all);
    *whole = got >= from;
    *well = *whole && judge_next(r, next + from, got - from, &f) != FRAME_LOST;
    return STAMMA_OK;
}

stamma_error stamma_frame_reader_payload(frame_reader *r, uint64_t size, buffer *payload, bool *whole)
{
    enum { STEP = 1 << 20 };
    payload->size = 0;
    *whole = true;
    if (!buffer_reserve(payload, 1)) /* payload->data must not be NULL, even if the payload is empty */
        return STAMMA_ERROR_NO_MEMORY;
    while (size > 0 && *whole) {
        size_t ready = r->end - r->begin, part = size < STEP ? (size_t)size : STEP, got = ready < part ? ready : part;
        if (!buffer_reserve(payload, part))
            return STAMMA_ERROR_NO_MEMORY;
        uint8_t *to = payload->data + payload->size;
        if (got > 0) {
            memcpy(to, r->window + r->begin, got);
            r->begin += got;
        } else {
            stamma_error error = read_some(r, to, part, &got);
            if (error != STAMMA_OK)
                return error;
        }
        r->at += got;
        payload->size += got;
        size -= got;
        *whole = got > 0;
    }
    return STAMMA_OK;
}

stamma_error stamma_frame_reader_return(frame_reader *r)
{
    if (!r->input.seek(r->input.context, r->at))
        return STAMMA_ERROR_IO;
    r->begin = r->end = 0;
    r->ended = false;
    return STAMMA_OK;
}

stamma_error stamma_frame_reader_go(frame_reader *r, uint64_t offset)
{
    if (offset == r->at)
        return STAMMA_OK;
    r->at = offset;
    memset(r->last, 0, sizeof r->last);
    return stamma_frame_reader_return(r);
}
