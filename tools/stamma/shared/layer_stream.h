/* SPDX-License-Identifier: MIT */
/* Streams: the decoded bytes of a file, or of a member of a zip file, which may be inside another zip file. A stream
 * recognises the compression format of its source and decodes it. Only input.c, layer_stream.c and zip_members.c
 * include this header. */
#ifndef STAMMA_TOOL_STREAM_H
#define STAMMA_TOOL_STREAM_H

#include "shared/tool.h"

/* The source of the bytes of a stream. */
typedef struct stream_source {
    void *context;
    /* Reads up to `size` bytes. Returns their number, 0 at the end, or -1 after an error, which it has reported. */
    ptrdiff_t (*read)(void *context, void *bytes, size_t size);
} stream_source;

/* Data that all streams of a file share. */
typedef struct stream_shared {
    tool_file file;
    tool_skipped skipped;
    unsigned depth; /* zip files that are open, one inside the other */
} stream_shared;

typedef struct tool_stream tool_stream;
typedef struct zip_members zip_members;

/* Opens a stream. `member` is its name in a zip file, or NULL. With `raw`, the bytes are not decoded. Returns NULL
 * after an error, which has been reported. The source, `shared` and `member` must outlive the stream. */
tool_stream *stream_open(stream_source source, stream_shared *shared, const char *member, bool raw);
/* Reads up to `size` bytes. Returns their number, 0 at the end, or -1 after an error, which has been reported. */
ptrdiff_t stream_read(tool_stream *stream, void *bytes, size_t size);
/* Returns the name of the compression format, or NULL. */
const char *stream_format(const tool_stream *stream);
/* Returns whether a name has an extension of the stream's compression format. */
bool stream_format_shown(const tool_stream *stream, const char *name);
/* Returns the number of bytes that were read from the source and not used yet. */
size_t stream_waiting(const tool_stream *stream);
/* Reports invalid data. Returns -1. `format` may be NULL. */
ptrdiff_t stream_fail(const tool_stream *stream, const char *format, const char *what);
void stream_close(tool_stream *stream);

/* Reads up to `size` bytes of the stream's source, before decoding. */
ptrdiff_t stream_read_source(tool_stream *stream, void *bytes, size_t size);

/* Opens the members of the zip file that is the source of `stream`. Returns NULL if memory is exhausted. */
zip_members *zip_open(tool_stream *stream, stream_shared *shared);
/* Reads the decoded contents of the members that contain games, one after another. A line end separates members. Adds
 * the other members to the list of skipped ones. Returns the same values as stream_read. */
ptrdiff_t zip_read(zip_members *zip, void *bytes, size_t size);
void zip_close(zip_members *zip);

#endif
