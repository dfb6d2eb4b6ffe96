/* SPDX-License-Identifier: MIT */
/* The file's header and the headers of frames (clauses 1.2 and 2.1). */
#include "container/container.h"

static const uint8_t header_magic[8] = {0x8D, 'S', 't', 'a', 'm', 'm', 'a', '\n'};
static const uint8_t frame_magic[4] = {'s', 'F', 'r', 'm'};

uint32_t stamma_check32(const void *bytes, size_t size)
{
    return (uint32_t)XXH64(bytes, size, 0);
}

void stamma_archive_header_write(uint8_t out[ARCHIVE_HEADER_SIZE])
{
    memset(out, 0, ARCHIVE_HEADER_SIZE);
    memcpy(out, header_magic, sizeof header_magic);
    out[8] = FORMAT_MINOR;
    out[9] = FORMAT_MAJOR;
    store_u32(out + 12, stamma_check32(out, 12));
}

stamma_error stamma_archive_header_read(const uint8_t in[ARCHIVE_HEADER_SIZE])
{
    if (memcmp(in, header_magic, sizeof header_magic) != 0)
        return STAMMA_ERROR_NO_ARCHIVE;
    if (load_u32(in + 12) != stamma_check32(in, 12))
        return STAMMA_ERROR_CORRUPT;
    bool known = in[9] == FORMAT_MAJOR || load_u16(in + 8) == 0;
    return known && load_u16(in + 10) == 0 ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
}

stamma_error stamma_archive_format(const void *bytes, size_t size, unsigned *major, unsigned *minor)
{
    const uint8_t *header = (const uint8_t *)bytes;
    if (!header || !major || !minor)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (size < ARCHIVE_HEADER_SIZE)
        return STAMMA_ERROR_NO_ARCHIVE;
    stamma_error error = stamma_archive_header_read(header);
    if (error == STAMMA_ERROR_NO_ARCHIVE || error == STAMMA_ERROR_CORRUPT)
        return error;
    *minor = header[8];
    *major = header[9];
    return error;
}

void stamma_frame_write(const frame *f, uint8_t out[FRAME_HEADER_SIZE])
{
    memset(out, 0, FRAME_HEADER_SIZE);
    memcpy(out, frame_magic, sizeof frame_magic);
    out[4] = f->type;
    out[5] = f->flags;
    store_u16(out + 6, f->id);
    store_u64(out + 8, f->size);
    store_u32(out + 16, f->head_size);
    store_u32(out + 20, f->head_check);
    store_u32(out + 24, f->number);
    store_u32(out + 28, stamma_check32(out, 28));
}

/* Returns the maximum size of the payload of a frame (clause 10). */
static uint64_t size_limit(uint8_t type)
{
    switch (type) {
    case FRAME_BLOCK: return BLOCK_SIZE_MAX;
    case FRAME_COMMIT: return COMMIT_SIZE_MAX;
    case FRAME_SOURCE: return SOURCE_SIZE_MAX;
    default: return FRAME_SIZE_MAX;
    }
}

stamma_error stamma_frame_read(const uint8_t in[FRAME_HEADER_SIZE], frame *f)
{
    if (memcmp(in, frame_magic, sizeof frame_magic) != 0 || load_u32(in + 28) != stamma_check32(in, 28))
        return STAMMA_ERROR_CORRUPT;
    *f = (frame){.type = in[4],
                 .flags = in[5],
                 .id = load_u16(in + 6),
                 .size = load_u64(in + 8),
                 .head_size = load_u32(in + 16),
                 .head_check = load_u32(in + 20),
                 .number = load_u32(in + 24)};
    bool known = f->type == FRAME_BLOCK || f->type == FRAME_COMMIT;
    bool mandatory = f->flags & FRAME_MANDATORY;
    if (f->size > size_limit(f->type) || f->head_size > f->size || (known && !mandatory) ||
        ((f->type == FRAME_TABLE || f->type == FRAME_SOURCE) && mandatory))
        return STAMMA_ERROR_CORRUPT;
    return f->flags <= FRAME_MANDATORY ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
}
