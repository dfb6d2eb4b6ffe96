/* Writing behind what an archive holds already. */
#include "archive/archive.h"

stamma_error stamma_archive_append_open(const stamma_archive_reader *reader, const stamma_output *output,
                                        bool (*cut)(void *context, uint64_t size),
                                        const stamma_archive_writer_options *options, stamma_archive_writer **writer)
{
    stamma_archive_writer *w;
    if (!reader || !reader->seekable || !output || !cut || !writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!reader->last.finished)
        return STAMMA_ERROR_CORRUPT;
    stamma_error error = stamma_writer_make(options, &w);
    if (error != STAMMA_OK)
        return error;
    stamma_frame_writer_follow(&w->frames, &reader->last, output, &w->allocator);
    w->before = reader->last.totals;
    w->before.bytes_out = w->frames.at;
    if (!cut(output->context, w->frames.at))
        w->frames.error = STAMMA_ERROR_IO;
    return stamma_writer_give(w, writer);
}
