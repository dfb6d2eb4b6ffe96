/* SPDX-License-Identifier: MIT */
/* Makes archives frame by frame. */
#include "made_archive.h"

#include <stdlib.h>
#include <string.h>

static void put_u64(listing *to, uint64_t number)
{
    for (unsigned n = 0; n < 8; n++)
        list_bytes(to, &(uint8_t){(uint8_t)(number >> 8 * n)}, 1);
}

/* LEB128, as the format defines it. */
static void put_number(listing *to, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        list_bytes(to, &(uint8_t){(uint8_t)(number | 128)}, 1);
    list_bytes(to, &(uint8_t){(uint8_t)number}, 1);
}

made make_archive(void)
{
    uint8_t header[ARCHIVE_HEADER_SIZE];
    made m = {.start = ARCHIVE_HEADER_SIZE};
    stamma_archive_header_write(header);
    list_bytes(&m.bytes, header, sizeof header);
    return m;
}

static void put_frame(made *m, unsigned type, unsigned flags, const listing *payload, size_t head, size_t announced)
{
    uint8_t header[FRAME_HEADER_SIZE];
    const uint32_t check = stamma_check32(payload->text ? payload->text : "", head);
    if (type == FRAME_BLOCK && m->id == 0)
        m->id = (uint16_t)check;
    const frame f = {.type = (uint8_t)type,
                     .flags = (uint8_t)flags,
                     .id = m->id,
                     .size = announced,
                     .head_size = (uint32_t)head,
                     .head_check = check,
                     .number = m->blocks};
    stamma_frame_write(&f, header);
    m->at = m->bytes.size;
    list_bytes(&m->bytes, header, sizeof header);
    list_bytes(&m->bytes, payload->text, payload->size);
}

void make_frame(made *m, unsigned type, unsigned flags, const void *payload, size_t size, size_t announced)
{
    const listing bytes = {(char *)(uintptr_t)payload, size, 0};
    put_frame(m, type, flags, &bytes, size, announced);
}

static void count_block(made *m, uint64_t games, uint64_t text)
{
    m->places[m->place_count++] = (block_place){m->at, games, text};
    m->blocks++;
    m->games += games;
    m->text += text;
}

void make_block_of(made *m, const listing *payload, size_t head_size, uint64_t games, uint64_t text)
{
    put_frame(m, FRAME_BLOCK, FRAME_MANDATORY, payload, head_size, payload->size);
    count_block(m, games, text);
}

void make_block(made *m)
{
    listing payload = {0};
    put_u64(&payload, MADE_TEXT);
    put_u64(&payload, 7);
    put_number(&payload, MADE_GAMES); /* records */
    put_number(&payload, MADE_GAMES);
    list_bytes(&payload, "\0\0\0\0\0\0\0body.", 12); /* the other counts, flags and no columns */
    make_block_of(m, &payload, payload.size - 5, MADE_GAMES, MADE_TEXT);
    free(payload.text);
}

void make_empty_block(made *m)
{
    make_frame(m, FRAME_BLOCK, FRAME_MANDATORY, "", 0, 0);
    count_block(m, MADE_GAMES, MADE_TEXT);
}

void make_commit(made *m, bool finished)
{
    listing payload = {0};
    put_u64(&payload, m->previous);
    put_number(&payload, finished);
    put_number(&payload, m->games);
    put_number(&payload, 0);
    put_number(&payload, 0);
    put_number(&payload, m->text);
    list_bytes(&payload, "\0\0\0\0", 4); /* verbatim counts */
    put_number(&payload, m->blocks);
    put_number(&payload, m->place_count);
    uint64_t last = m->start;
    for (size_t i = 0; i < m->place_count; i++) {
        put_number(&payload, m->places[i].offset - last);
        put_number(&payload, m->places[i].games);
        put_number(&payload, m->places[i].text_size);
        last = m->places[i].offset;
    }
    put_u64(&payload, m->bytes.size);
    list_bytes(&payload, "StEndCmt", 8);
    put_frame(m, FRAME_COMMIT, FRAME_MANDATORY, &payload, payload.size, payload.size);
    free(payload.text);
    m->previous = m->at;
    m->start = m->bytes.size;
    m->place_count = 0;
}

void make_table(made *m)
{
    listing payload = {0};
    uint64_t end = 0;
    put_u64(&payload, 0);
    put_number(&payload, m->blocks - m->place_count);
    put_number(&payload, m->place_count);
    for (size_t i = 0; i < m->place_count; i++) {
        put_number(&payload, m->places[i].offset - end);
        put_number(&payload, MADE_BLOCK - FRAME_HEADER_SIZE);
        put_number(&payload, m->places[i].games);
        put_number(&payload, m->places[i].text_size);
        end = m->places[i].offset + MADE_BLOCK;
    }
    put_u64(&payload, m->bytes.size);
    list_bytes(&payload, "StEndTbl", 8);
    put_frame(m, FRAME_TABLE, 0, &payload, payload.size, payload.size);
    free(payload.text);
}

void make_source(made *m, uint64_t offset, uint64_t size, const char *name, size_t name_size)
{
    listing payload = {0};
    char hash[32] = {0};
    put_number(&payload, offset);
    put_number(&payload, size);
    list_bytes(&payload, hash, sizeof hash);
    put_number(&payload, 5);
    list_bytes(&payload, name, name_size);
    put_frame(m, FRAME_SOURCE, 0, &payload, payload.size, payload.size);
    free(payload.text);
}

void spoil_payload(made *m)
{
    m->bytes.text[m->bytes.size - 1] ^= 1;
}
