/* SPDX-License-Identifier: MIT */
/* Packs the contents of an archive again at the level of a writer. The text of a block is decoded completely and
 * checked before it is packed. Inputs and blocks end at the same places as in the original (4.4). Therefore the result
 * does not depend on the level of the original. */
#include "archive/writer.h"

enum { PIECE = 1 << 20 };

/* The text of a block, and the offsets in it at which an input ends. */
typedef struct block_text {
    buffer text;
    buffer ends; /* uint64_t */
} block_text;

/* Renders all records of the loaded block, unless the writer is stopped. */
static stamma_error render_block(const stamma_archive_writer *w, const stamma_archive_reader *r, block_text *t)
{
    block_reader *b = r->block;
    t->text.size = t->ends.size = 0;
    while (b->state.next < b->head.records) {
        stamma_error error = stamma_writer_is_stopped(w) ? STAMMA_ERROR_CANCELLED : stamma_block_reader_next(b, false);
        if (error == STAMMA_OK)
            error = block_render(b, &t->text);
        if (error != STAMMA_OK)
            return error;
        uint64_t end = t->text.size;
        if (b->state.last_kind == ITEM_END_OF_INPUT || b->state.last_kind == ITEM_END_NO_GAME)
            buffer_add(&t->ends, &end, sizeof end);
        if (end > BLOCK_TEXT_MAX)
            return STAMMA_ERROR_CORRUPT;
    }
    bool right = stamma_block_reader_is_done(b) && t->text.size == b->head.text_size &&
                 XXH64(buffer_cursor(&t->text).at, t->text.size, 0) == b->head.text_check;
    return t->ends.failed ? STAMMA_ERROR_NO_MEMORY : right ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Packs a part of a block's text. */
static stamma_error pack(stamma_archive_writer *w, const uint8_t *text, size_t size)
{
    stamma_error error = STAMMA_OK;
    for (size_t at = 0; at < size && error == STAMMA_OK; at += PIECE)
        error = stamma_archive_writer_write(w, text + at, size - at < PIECE ? size - at : PIECE);
    return error;
}

static stamma_error pack_block(stamma_archive_writer *w, const block_text *t)
{
    const uint64_t *ends = (const uint64_t *)(const void *)t->ends.data;
    size_t at = 0;
    for (size_t n = 0; n < t->ends.size / sizeof *ends; n++) {
        stamma_error error = pack(w, t->text.data + at, (size_t)ends[n] - at);
        if (error == STAMMA_OK)
            error = stamma_writer_end_input(w);
        if (error != STAMMA_OK)
            return error;
        at = (size_t)ends[n];
    }
    return at < t->text.size ? pack(w, t->text.data + at, t->text.size - at) : STAMMA_OK;
}

/* Packs all blocks. Checks that the writer received all bytes of their text. */
static stamma_error recompress(stamma_archive_writer *w, stamma_archive_reader *r, block_text *t)
{
    stamma_error error = STAMMA_OK;
    uint64_t size = stamma_writer_given(w);
    for (bool found = true; error == STAMMA_OK;) {
        error = stamma_reader_next_block(r, &found);
        if (error != STAMMA_OK || !found)
            return error;
        error = render_block(w, r, t);
        if (error != STAMMA_OK)
            return reader_fail(r, r->place.offset, error);
        size += r->block->head.text_size;
        error = pack_block(w, t);
        if (error == STAMMA_OK && stamma_writer_given(w) != size)
            error = STAMMA_ERROR_SELF_CHECK;
        if (error == STAMMA_OK)
            error = stamma_reader_progress(r, block_frame_end(&r->place, &r->payload));
    }
    return error;
}

stamma_error stamma_archive_writer_recompress(stamma_archive_writer *w, stamma_archive_reader *r)
{
    if (!w || !r || r->damage || !block_reads_text(r->block))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_writer_end_input(w);
    if (error == STAMMA_OK)
        error = stamma_writer_copy_sources(w, r);
    if (error == STAMMA_OK)
        error = stamma_reader_rewind(r);
    block_text t = {{.allocator = &r->allocator}, {.allocator = &r->allocator}};
    if (error == STAMMA_OK)
        error = recompress(w, r, &t);
    if (error == STAMMA_OK)
        error = stamma_writer_end_input(w);
    stamma_buffer_release(&t.text);
    stamma_buffer_release(&t.ends);
    return error == STAMMA_OK ? STAMMA_OK : stamma_writer_fail(w, error);
}
