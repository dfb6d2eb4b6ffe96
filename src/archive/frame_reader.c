/* Frames in, front to back, without a seek: behind damage it goes on with the next frame that there is (clause 12.2).
 */
#include "archive/archive.h"

enum { WINDOW = 1 << 16 };

static const uint8_t magic_begin = 's'; /* of a frame's magic (2.1) */

stamma_error stamma_frame_reader_open(frame_reader *r, const stamma_input *input, const stamma_allocator *allocator)
{
    memset(r, 0, sizeof *r);
    r->allocator = allocator;
    r->input = *input;
    r->window = (uint8_t *)memory_allocate(allocator, WINDOW);
    return r->window ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

void stamma_frame_reader_release(frame_reader *r)
{
    memory_release(r->allocator, r->window);
    r->window = NULL;
}

/* Remembers how the input ends. */
static void note_end(frame_reader *r, const uint8_t *bytes, size_t size)
{
    size_t part = size < sizeof r->last ? size : sizeof r->last;
    memmove(r->last, r->last + part, sizeof r->last - part);
    memcpy(r->last + sizeof r->last - part, bytes + size - part, part);
}

/* Reads up to `size` bytes, at least one unless the input ends. */
static stamma_error read_some(frame_reader *r, uint8_t *bytes, size_t size, size_t *got)
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

stamma_error stamma_frame_reader_peek(frame_reader *r, size_t size, stamma_text *ahead)
{
    if (r->end - r->begin < size && r->begin > 0) {
        memmove(r->window, r->window + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    while (r->end - r->begin < size && !r->ended) {
        size_t got;
        stamma_error error = read_some(r, r->window + r->end, WINDOW - r->end, &got);
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

stamma_error stamma_frame_reader_next(frame_reader *r, frame *f, frame_state *state)
{
    stamma_text ahead;
    stamma_error error = stamma_frame_reader_peek(r, FRAME_HEADER_SIZE, &ahead);
    if (error != STAMMA_OK)
        return error;
    *state = ahead.size == 0 ? FRAME_NONE : FRAME_LOST;
    if (ahead.size < FRAME_HEADER_SIZE)
        return STAMMA_OK;
    stamma_error found = stamma_frame_read((const uint8_t *)ahead.data, f);
    if (found == STAMMA_ERROR_CORRUPT)
        return STAMMA_OK;
    *state = found == STAMMA_OK ? FRAME_GOOD : FRAME_UNSUPPORTED;
    stamma_frame_reader_pass(r, FRAME_HEADER_SIZE);
    return STAMMA_OK;
}

/* How many of these bytes hold no frame's header for sure. */
static size_t count_lost(stamma_text ahead)
{
    frame f;
    const uint8_t *begin = (const uint8_t *)ahead.data, *end = begin + ahead.size;
    for (const uint8_t *at = begin; end - at >= FRAME_HEADER_SIZE; at++) {
        at = (const uint8_t *)memchr(at, magic_begin, (size_t)(end - at));
        if (!at)
            return ahead.size;
        if (end - at < FRAME_HEADER_SIZE || stamma_frame_read(at, &f) != STAMMA_ERROR_CORRUPT)
            return (size_t)(at - begin);
    }
    return ahead.size - (FRAME_HEADER_SIZE - 1);
}

stamma_error stamma_frame_reader_find(frame_reader *r)
{
    stamma_frame_reader_pass(r, 1); /* no frame begins here, or we would not be looking for one */
    for (;;) {
        stamma_text ahead;
        stamma_error error = stamma_frame_reader_peek(r, WINDOW, &ahead);
        if (error != STAMMA_OK)
            return error;
        bool last = ahead.size < WINDOW;
        size_t lost = ahead.size < FRAME_HEADER_SIZE ? ahead.size : count_lost(ahead);
        stamma_frame_reader_pass(r, lost);
        if (lost == 0)
            return STAMMA_OK;
        if (last && r->end - r->begin < FRAME_HEADER_SIZE) {
            stamma_frame_reader_pass(r, r->end - r->begin);
            return STAMMA_OK;
        }
    }
}

stamma_error stamma_frame_reader_payload(frame_reader *r, uint64_t size, buffer *payload, bool *whole)
{
    enum { STEP = 1 << 20 };
    payload->size = 0;
    *whole = true;
    if (!buffer_reserve(payload, 1)) /* so that there is a place even where there is no byte */
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

stamma_error stamma_frame_reader_pass_payload(frame_reader *r, const frame *f, bool *whole)
{
    XXH64_state_t hash;
    uint64_t left = f->size, head = f->head_size;
    XXH64_reset(&hash, 0);
    while (left > 0) {
        stamma_text ahead;
        stamma_error error = stamma_frame_reader_peek(r, 1, &ahead);
        if (error != STAMMA_OK)
            return error;
        size_t part = left < ahead.size ? (size_t)left : ahead.size;
        if (part == 0)
            break;
        size_t covered = head < part ? (size_t)head : part;
        if (covered > 0)
            XXH64_update(&hash, ahead.data, covered);
        stamma_frame_reader_pass(r, part);
        head -= covered;
        left -= part;
    }
    *whole = left == 0 && (uint32_t)XXH64_digest(&hash) == f->head_check;
    return STAMMA_OK;
}
