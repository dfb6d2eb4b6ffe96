/* SPDX-License-Identifier: MIT */
/* Builds an archive of small blocks with several appends. */
#include "appended_archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Adds a block of small_blocks to an archive. */
static void add_block(frame_writer *out, const listing *from, unsigned block)
{
    size_t at = offset_of_block(from, block);
    const char *payload = from->text + at + FRAME_HEADER_SIZE;
    frame f;
    block_counts head;
    assert_int_equal(stamma_frame_read((const uint8_t *)from->text + at, &f), STAMMA_OK);
    cursor in = {(const uint8_t *)payload, (const uint8_t *)payload + f.head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &head), STAMMA_OK);
    stamma_frame_writer_add_block(out, (stamma_text){payload, f.head_size},
                                  (stamma_text){payload + f.head_size, (size_t)f.size - f.head_size}, &head.counts);
}

appended make_appended(const unsigned *appends)
{
    listing from = small_blocks(), texts = {0};
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer out;
    appended a = {.blocks = 0};
    assert_int_equal(unpack(&from, true, NULL, &texts), STAMMA_OK);
    stamma_frame_writer_begin(&out, &output, &allocator);
    for (; *appends > 0; appends++) {
        for (unsigned i = 0; i < *appends; i++) {
            size_t first = games_before(a.blocks) * GAME_SIZE;
            a.texts[a.blocks] = a.text.size;
            list_bytes(&a.text, texts.text + first, games_of_block(a.blocks) * GAME_SIZE);
            add_block(&out, &from, a.blocks++);
        }
        stamma_frame_writer_commit(&out, true);
        a.ends[a.end_count] = sink.bytes.size;
        a.end_texts[a.end_count++] = a.text.size;
    }
    a.texts[a.blocks] = a.text.size;
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    a.archive = sink.bytes;
    for (size_t at = ARCHIVE_HEADER_SIZE; at < a.archive.size; at = next_frame(&a.archive, at))
        a.frames[a.frame_count++] = at;
    a.frames[a.frame_count] = a.archive.size;
    free(from.text);
    free(texts.text);
    return a;
}

void release_appended(appended *a)
{
    free(a->archive.text);
    free(a->text.text);
}

bool are_blocks(const appended *a, const listing *text)
{
    size_t at = 0;
    for (unsigned b = 0; b < a->blocks && at < text->size; b++) {
        size_t size = a->texts[b + 1] - a->texts[b];
        if (size <= text->size - at && memcmp(text->text + at, a->text.text + a->texts[b], size) == 0)
            at += size;
    }
    return at == text->size;
}

size_t full_size(const appended *a, size_t size)
{
    for (unsigned i = 0; i < a->end_count; i++)
        if (a->ends[i] >= size && a->ends[i] - 8 <= size)
            return a->end_texts[i];
    return a->text.size;
}

listing splice_archive(const appended *a, size_t at, size_t taken, const char *put, size_t size)
{
    listing spliced = {0};
    list_bytes(&spliced, a->archive.text, at);
    list_bytes(&spliced, put, size);
    list_bytes(&spliced, a->archive.text + at + taken, a->archive.size - at - taken);
    return spliced;
}

listing move_frame(const appended *a, unsigned which, unsigned before)
{
    listing moved = {0};
    size_t from = a->frames[which], size = a->frames[which + 1] - from, to = a->frames[before];
    const char *bytes = a->archive.text;
    list_bytes(&moved, bytes, from < to ? from : to);
    if (to <= from)
        list_bytes(&moved, bytes + from, size);
    list_bytes(&moved, bytes + (from < to ? from + size : to), from < to ? to - from - size : from - to);
    if (to > from)
        list_bytes(&moved, bytes + from, size);
    list_bytes(&moved, bytes + (from < to ? to : from + size), a->archive.size - (from < to ? to : from + size));
    assert_int_equal(moved.size, a->archive.size);
    return moved;
}
