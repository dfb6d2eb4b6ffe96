/* SPDX-License-Identifier: MIT */
/* Sources: the files that were packed into an archive (clause 7.6). */
#include "archive/writer.h"

/* ---- reading ---- */

typedef struct passing {
    uint64_t text; /* bytes of the archive's text */
    void *context;
    void (*source)(void *context, const stamma_archive_source *source);
} passing;

static void pass(void *context, const stamma_archive_source *source, uint64_t offset)
{
    const passing *p = (const passing *)context;
    (void)offset;
    if (source->text_offset + source->text_size <= p->text)
        p->source(p->context, source);
}

stamma_error stamma_archive_reader_sources(stamma_archive_reader *r,
                                           void (*source)(void *context, const stamma_archive_source *source),
                                           void *context)
{
    if (!r || !source || !r->seekable)
        return STAMMA_ERROR_BAD_ARGUMENT;
    passing p = {r->last.totals.text_size, context, source};
    const uint64_t end = stamma_archive_reader_end(r); /* sources after it belong to an interrupted writer */
    scan s;
    scan_event event = SCAN_BLOCK;
    memset(&s, 0, sizeof s);
    s.allocator = &r->allocator;
    s.context = &p;
    s.source = pass;
    stamma_error error = r->input.seek(r->input.context, 0) ? stamma_scan_open(&s, &r->input) : STAMMA_ERROR_IO;
    while (error == STAMMA_OK && event != SCAN_END && s.frames.at < end)
        error = stamma_scan_next(&s, NULL, &event);
    stamma_scan_release(&s);
    return error;
}

stamma_error stamma_reader_pass_sources(stamma_archive_reader *r,
                                        void (*source)(void *context, const stamma_archive_source *source),
                                        void *context)
{
    if (r->seekable)
        return stamma_archive_reader_sources(r, source, context);
    r->source = source;
    r->source_context = context;
    return STAMMA_OK;
}

/* ---- writing ---- */

void stamma_source_list_init(source_list *list, const stamma_allocator *allocator)
{
    *list = (source_list){.sources.allocator = allocator, .names.allocator = allocator};
}

void stamma_source_list_release(source_list *list)
{
    stamma_buffer_release(&list->sources);
    stamma_buffer_release(&list->names);
}

void stamma_source_list_add(source_list *list, const stamma_archive_source *source)
{
    stamma_archive_source entry = *source;
    entry.name.data = NULL;
    buffer_add(&list->sources, &entry, sizeof entry);
    buffer_add(&list->names, source->name.data, source->name.size);
    list->end = source->text_offset + source->text_size;
}

void stamma_source_list_write(const source_list *list, uint64_t offset, frame_writer *out)
{
    const stamma_archive_source *entries = (const stamma_archive_source *)(const void *)list->sources.data;
    const char *name = (const char *)list->names.data;
    if (list->sources.failed || list->names.failed)
        out->error = STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < list->sources.size / sizeof *entries && out->error == STAMMA_OK; n++) {
        stamma_archive_source source = entries[n];
        source.name.data = name;
        source.text_offset += offset;
        stamma_frame_writer_add_source(out, &source);
        name += source.name.size;
    }
}

static void copy_source(void *context, const stamma_archive_source *source)
{
    source_list *list = (source_list *)context;
    stamma_archive_source moved = *source;
    moved.text_offset += list->copied;
    stamma_source_list_add(list, &moved);
}

stamma_error stamma_source_list_copy(source_list *list, stamma_archive_reader *r, uint64_t at)
{
    list->copied = at;
    return stamma_reader_pass_sources(r, copy_source, list);
}
