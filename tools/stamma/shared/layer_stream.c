/* SPDX-License-Identifier: MIT */
/* One stream: its format is recognised from its first bytes, and its bytes are decoded. */
#include "shared/layer_stream.h"

#include <strings.h>

#define CHUNK ((size_t)256 * 1024)

static const char zip_name[] = "zip", *const zip_endings[] = {".zip", NULL};

struct tool_stream {
    stream_source source;
    stream_shared *shared;
    const char *member;
    const tool_layer *layer; /* NULL: not compressed, or a zip file */
    void *state;
    zip_members *zip;
    tool_flow flow; /* bytes read and not used yet */
    bool ended;
    bool padded; /* the compressed data has ended, and zeros follow */
    bool begun;  /* some decoded bytes were read */
    uint8_t bytes[CHUNK];
};

/* ---- messages ---- */

/* Begins a message about the stream. */
static void say_begin(const tool_stream *stream)
{
    tool_message_begin(stream->shared->file.name);
    if (stream->member)
        tool_message_print("%s: ", stream->member);
}

ptrdiff_t stream_fail(const tool_stream *stream, const char *format, const char *what)
{
    say_begin(stream);
    if (format && !stream->member)
        tool_message_print("%s data at byte %" PRIu64 ": ", format,
                           stream->shared->file.offset - stream_waiting(stream));
    else if (format)
        tool_message_print("%s data: ", format);
    tool_message_print("%s (--raw packs the file as is)\n", what);
    return -1;
}

/* Rejects bytes that cannot contain PGN; packing them is never intended. */
static bool is_foreign(const tool_stream *stream, const uint8_t *bytes, size_t size)
{
    const tool_foreign *foreign = tool_layer_foreign(bytes, size);
    const char *outer = stream_format(stream), *name = stream->shared->file.name;
    if (!foreign)
        return false;
    say_begin(stream);
    tool_message_print("is %s%s%s, not PGN", foreign->name, outer ? " inside " : "", outer ? outer : "");
    if (foreign->command && !stream->member)
        tool_message_print("; type: %s %s | stamma pack -o OUT -", foreign->command,
                           strcmp(name, "standard input") == 0 ? "FILE" : name);
    tool_message_print(" (--raw packs the file as is)\n");
    return true;
}

/* ---- opening ---- */

/* Reads until `bytes` holds `wanted` bytes or the source ends. */
static bool fill(tool_stream *stream, size_t wanted)
{
    size_t have = 0;
    while (have < wanted && !stream->ended) {
        ptrdiff_t count = stream->source.read(stream->source.context, stream->bytes + have, CHUNK - have);
        if (count < 0)
            return false;
        stream->ended = count == 0;
        have += (size_t)count;
    }
    stream->flow.in = stream->bytes;
    stream->flow.in_size = have;
    return true;
}

/* Fills the buffer first, because a pipe may deliver the first bytes one by one. */
static bool recognise(tool_stream *stream, bool raw)
{
    const tool_flow *flow = &stream->flow;
    if (!fill(stream, TOOL_LAYER_SHOWN))
        return false;
    if (raw)
        return true;
    if (is_foreign(stream, flow->in, flow->in_size))
        return false;
    const bool zip = tool_layer_is_zip(flow->in, flow->in_size);
    stream->layer = zip ? NULL : tool_layer_find(flow->in, flow->in_size);
    if (zip)
        stream->zip = zip_open(stream, stream->shared);
    else if (stream->layer)
        stream->state = stream->layer->open();
    else
        return true;
    if (!stream->zip && !stream->state)
        (void)tool_fail_memory(stream->shared->file.name);
    return stream->zip || stream->state;
}

tool_stream *stream_open(stream_source source, stream_shared *shared, const char *member, bool raw)
{
    tool_stream *stream = malloc(sizeof *stream);
    if (!stream) {
        (void)tool_fail_memory(shared->file.name);
        return NULL;
    }
    memset(stream, 0, offsetof(tool_stream, bytes));
    stream->source = source;
    stream->shared = shared;
    stream->member = member;
    if (recognise(stream, raw))
        return stream;
    stream_close(stream);
    return NULL;
}

/* ---- reading ---- */

ptrdiff_t stream_read_source(tool_stream *stream, void *bytes, size_t size)
{
    tool_flow *flow = &stream->flow;
    if (flow->in_size == 0)
        return stream->ended ? 0 : stream->source.read(stream->source.context, bytes, size);
    size_t count = size < flow->in_size ? size : flow->in_size;
    memcpy(bytes, flow->in, count);
    flow->in += count;
    flow->in_size -= count;
    return (ptrdiff_t)count;
}

/* Skips zeros up to the end of the source. Returns 0, or -1 if other bytes follow. */
static ptrdiff_t pass_zeros(tool_stream *stream)
{
    tool_flow *flow = &stream->flow;
    stream->padded = true;
    for (;;) {
        for (; flow->in_size > 0; flow->in++, flow->in_size--)
            if (*flow->in != 0)
                return stream_fail(stream, stream->layer->name, "other bytes follow its end");
        if (stream->ended)
            return 0;
        if (!fill(stream, 1))
            return -1;
    }
}

static ptrdiff_t read_layer(tool_stream *stream, void *bytes, size_t size)
{
    tool_flow *flow = &stream->flow;
    const tool_layer *layer = stream->layer;
    flow->out = bytes;
    flow->out_size = size;
    for (;;) {
        if (flow->in_size == 0 && !stream->ended && !fill(stream, 1))
            return -1;
        if (flow->in_size == 0 && flow->at_boundary)
            return 0;
        if (stream->padded || (flow->at_boundary && layer->zeros_follow && *flow->in == 0))
            return pass_zeros(stream);
        size_t before = flow->in_size;
        bool stray = flow->at_boundary && !layer->recognise(flow->in, before);
        const char *wrong = layer->decode(stream->state, flow);
        if (wrong)
            return stream_fail(stream, layer->name, stray ? "other bytes follow its end" : wrong);
        if (flow->out_size < size)
            return (ptrdiff_t)(size - flow->out_size);
        if (flow->in_size == before && !flow->at_boundary)
            return stream_fail(stream, layer->name, before ? "damaged data" : "it ends too early");
    }
}

ptrdiff_t stream_read(tool_stream *stream, void *bytes, size_t size)
{
    if (stream->zip)
        return zip_read(stream->zip, bytes, size);
    if (!stream->layer)
        return stream_read_source(stream, bytes, size);
    ptrdiff_t got = read_layer(stream, bytes, size);
    bool foreign = got > 0 && !stream->begun && is_foreign(stream, bytes, (size_t)got);
    stream->begun = true;
    return foreign ? -1 : got;
}

const char *stream_format(const tool_stream *stream)
{
    return stream->zip ? zip_name : stream->layer ? stream->layer->name : NULL;
}

bool stream_format_shown(const tool_stream *stream, const char *name)
{
    const char *const *endings = stream->zip ? zip_endings : stream->layer ? stream->layer->endings : NULL;
    for (const size_t length = strlen(name); endings && *endings; endings++) {
        const size_t size = strlen(*endings);
        if (length > size && strcasecmp(name + length - size, *endings) == 0)
            return true;
    }
    return false;
}

size_t stream_waiting(const tool_stream *stream)
{
    return stream->flow.in_size;
}

void stream_close(tool_stream *stream)
{
    if (!stream)
        return;
    zip_close(stream->zip);
    if (stream->state)
        stream->layer->close(stream->state);
    free(stream);
}
