/* Reads frames from front to back. After damage, continues with the next valid frame (clause 13.2). Seeks if the input
 * can, but does not need to. */
#include "container/container.h"

enum { WINDOW = 1 << 16 };

static const uint8_t magic_begin = 's'; /* first byte of a frame's magic (2.1) */

stamma_error stamma_frame_reader_open(frame_reader *r, const stamma_input *input, const stamma_allocator *allocator)
{
    memset(r, 0, sizeof *r);
    r->allocator = allocator;
    r->input = *input;
    r->again.allocator = allocator;
    r->window = (uint8_t *)memory_allocate(allocator, WINDOW);
    return r->window ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

void stamma_frame_reader_release(frame_reader *r)
{
    memory_release(r->allocator, r->window);
    stamma_buffer_release(&r->again);
    r->window = NULL;
}

/* Keeps the last bytes of the input. */
static void note_end(frame_reader *r, const uint8_t *bytes, size_t size)
{
    size_t part = size < sizeof r->last ? size : sizeof r->last;
    memmove(r->last, r->last + part, sizeof r->last - part);
    memcpy(r->last + sizeof r->last - part, bytes + size - part, part);
}

/* Reads up to `size` bytes, at least one unless the input ends. */
static stamma_error read_some(frame_reader *r, uint8_t *bytes, size_t size, size_t *got)
{
    size_t waiting = r->again.size - r->again_at;
    *got = waiting < size ? waiting : size;
    if (*got > 0)
        memcpy(bytes, r->again.data + r->again_at, *got);
    r->again_at += *got;
    if (*got > 0 || r->ended)
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

static bool is_through(const frame_reader *r)
{
    return r->ended && r->again.size == r->again_at;
}

stamma_error stamma_frame_reader_peek(frame_reader *r, size_t size, stamma_text *ahead)
{
    if (r->end - r->begin < size && r->begin > 0) {
        memmove(r->window, r->window + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    while (r->end - r->begin < size && !is_through(r)) {
        /* If the input can seek, most payloads are skipped: reading ahead would be wasted. */
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

static stamma_error look(frame_reader *r, frame *f, frame_state *state)
{
    stamma_text ahead;
    stamma_error error = stamma_frame_reader_peek(r, FRAME_HEADER_SIZE, &ahead);
    if (error != STAMMA_OK)
        return error;
    *state = ahead.size == 0                  ? FRAME_NONE
             : ahead.size < FRAME_HEADER_SIZE ? FRAME_LOST
                                              : judge(r, (const uint8_t *)ahead.data, f);
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

stamma_error stamma_frame_reader_find(frame_reader *r)
{
    for (;;) {
        stamma_text ahead;
        stamma_error error = stamma_frame_reader_peek(r, WINDOW, &ahead);
        if (error != STAMMA_OK)
            return error;
        bool last = ahead.size < WINDOW;
        size_t lost = ahead.size < FRAME_HEADER_SIZE ? ahead.size : count_lost(r, ahead);
        stamma_frame_reader_pass(r, lost);
        if (last && r->end - r->begin < FRAME_HEADER_SIZE) {
            stamma_frame_reader_pass(r, r->end - r->begin);
            return STAMMA_OK;
        }
        if (lost == 0)
            return STAMMA_OK;
    }
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

stamma_error stamma_frame_reader_back(frame_reader *r, const buffer *bytes)
{
    buffer again = {.allocator = r->allocator};
    buffer_add(&again, bytes->data, bytes->size);
    buffer_add(&again, r->window + r->begin, r->end - r->begin);
    if (r->again.size > r->again_at)
        buffer_add(&again, r->again.data + r->again_at, r->again.size - r->again_at);
    stamma_buffer_release(&r->again);
    r->again = again;
    r->again_at = r->begin = r->end = 0;
    r->at -= bytes->size;
    return again.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
