/* SPDX-License-Identifier: MIT */
/* Packs files of PGN, also compressed ones. */
#include "shared/layer_stream.h"
#include "web/web_module.h"

typedef struct packing {
    web_source source;
    uint64_t read; /* bytes of the source */
    bool failed;   /* JavaScript could not read, or ended the call */
    stream_shared shared;
    stamma_archive_writer *writer;
} packing;

/* Reads the source in order. The progress is that of the source, whose size is known. */
static ptrdiff_t read_source(void *context, void *bytes, size_t size)
{
    packing *p = context;
    const uint64_t rest = p->source.bytes.size - p->read;
    const size_t taken = rest < size ? (size_t)rest : size;
    p->failed = p->failed || (taken > 0 && !web_read(p->source.number, (double)p->read, bytes, taken)) ||
                !web_progress((double)p->read, (double)p->source.bytes.size);
    p->read += taken;
    return p->failed ? -1 : (ptrdiff_t)taken;
}

/* Passes the decompressed bytes to the writer. Returns CORRUPT if the compressed data is damaged, after a message. */
static stamma_error write_all(packing *p, tool_stream *stream)
{
    enum { PIECE = 1 << 18 };
    uint8_t *bytes = malloc(PIECE);
    stamma_error error = bytes ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    for (ptrdiff_t size = 1; size > 0 && !error;) {
        size = stream_read(stream, bytes, PIECE);
        if (size > 0)
            error = stamma_archive_writer_write(p->writer, bytes, (size_t)size);
        else if (size < 0)
            error = p->failed ? STAMMA_ERROR_IO : STAMMA_ERROR_CORRUPT;
    }
    free(bytes);
    return error ? error : stamma_archive_writer_finish(p->writer, NULL);
}

static stamma_error pack(packing *p)
{
    tool_stream *stream = stream_open((stream_source){p, read_source}, &p->shared, NULL, false);
    if (!stream)
        return p->failed ? STAMMA_ERROR_IO : STAMMA_ERROR_NO_MEMORY;
    const stamma_error error = write_all(p, stream);
    stream_close(stream);
    return error;
}

/* Packs a file of a source, and writes the archive to a sink. Compressed files (gzip, bzip2, xz, Zstandard, zip) are
 * decompressed. Returns 0, or an error; CORRUPT: the compressed data is damaged. */
int WEB_EXPORT(pack)(const char *name, int source, double size, int sink, int level)
{
    const stamma_archive_writer_options options = {.size = sizeof options, .level = level};
    const stamma_output output = web_output(&sink);
    packing p = {.shared = {.file = {.name = name, .fd = -1}}};
    web_source_open(&p.source, source, size);
    stamma_error error = stamma_archive_writer_open(&output, &options, &p.writer);
    if (!error)
        error = pack(&p);
    stamma_archive_writer_close(p.writer);
    for (size_t i = 0; i < TOOL_SKIPPED_SHOWN; i++)
        free(p.shared.skipped.names[i]);
    return -(int)error;
}
