/* Input to pack: the bytes of a file, decompressed if necessary. */
#include "shared/tool.h"

#include <strings.h>

#define CHUNK ((size_t)256 * 1024)

struct tool_input {
    tool_file file;
    const tool_layer *layer; /* NULL: the bytes as they are */
    void *state;
    tool_flow flow; /* bytes read and not used yet */
    bool ended;
    bool padded; /* the compressed data has ended, and zeros follow */
    bool begun;  /* some decompressed bytes were read */
    uint8_t bytes[CHUNK];
};

/* Reads until `bytes` holds `wanted` bytes or the file ends. */
static bool fill(tool_input *input, size_t wanted)
{
    size_t have = 0;
    while (have < wanted && !input->ended) {
        ptrdiff_t count = tool_file_read(&input->file, input->bytes + have, CHUNK - have);
        if (count < 0)
            return false;
        input->ended = count == 0;
        have += (size_t)count;
    }
    input->flow.in = input->bytes;
    input->flow.in_size = have;
    return true;
}

/* Rejects files that cannot contain PGN; packing them is never intended. */
static bool is_foreign(const tool_input *input, const uint8_t *bytes, size_t size)
{
    const tool_foreign *foreign = tool_layer_foreign(bytes, size);
    if (!foreign)
        return false;
    tool_message_begin(input->file.name);
    (void)fprintf(stderr, "is %s%s%s, not PGN", foreign->name, input->layer ? " inside " : "",
                  input->layer ? input->layer->name : "");
    if (foreign->command)
        (void)fprintf(stderr, "; type: %s %s | stamma pack -o OUT -", foreign->command,
                      strcmp(input->file.name, "standard input") == 0 ? "FILE" : input->file.name);
    (void)fputs(" (--raw packs the file as is)\n", stderr);
    return true;
}

/* Fills the buffer first, because a pipe may deliver the first bytes one by one. */
static bool recognise(tool_input *input, bool raw)
{
    if (!fill(input, TOOL_LAYER_SHOWN))
        return false;
    if (raw)
        return true;
    if (is_foreign(input, input->flow.in, input->flow.in_size))
        return false;
    input->layer = tool_layer_find(input->flow.in, input->flow.in_size);
    if (!input->layer)
        return true;
    input->state = input->layer->open();
    if (!input->state)
        tool_say(input->file.name, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return input->state != NULL;
}

tool_input *tool_input_open(const char *path, bool raw)
{
    tool_input *input = malloc(sizeof *input);
    if (!input) {
        tool_say(path, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        return NULL;
    }
    memset(input, 0, offsetof(tool_input, bytes));
    if (tool_file_open(path, &input->file)) {
        if (recognise(input, raw))
            return input;
        tool_input_close(input);
        return NULL;
    }
    free(input);
    return NULL;
}

static ptrdiff_t read_plain(tool_input *input, void *bytes, size_t size)
{
    if (input->flow.in_size == 0)
        return input->ended ? 0 : tool_file_read(&input->file, bytes, size);
    size_t count = size < input->flow.in_size ? size : input->flow.in_size;
    memcpy(bytes, input->flow.in, count);
    input->flow.in += count;
    input->flow.in_size -= count;
    return (ptrdiff_t)count;
}

/* Reports invalid compressed data. The run fails; no archive of half the data is written. */
static ptrdiff_t fail_layer(const tool_input *input, const char *what)
{
    tool_say(input->file.name, "%s data at byte %" PRIu64 ": %s (--raw packs the file as is)", input->layer->name,
             tool_input_offset(input), what);
    return -1;
}

/* Skips zeros up to the end of the file. Returns 0, or -1 if other bytes follow. */
static ptrdiff_t pass_zeros(tool_input *input)
{
    tool_flow *flow = &input->flow;
    input->padded = true;
    for (;;) {
        for (; flow->in_size > 0; flow->in++, flow->in_size--)
            if (*flow->in != 0)
                return fail_layer(input, "other bytes follow its end");
        if (input->ended)
            return 0;
        if (!fill(input, 1))
            return -1;
    }
}

static ptrdiff_t read_layer(tool_input *input, void *bytes, size_t size)
{
    tool_flow *flow = &input->flow;
    flow->out = bytes;
    flow->out_size = size;
    for (;;) {
        if (flow->in_size == 0 && !input->ended && !fill(input, 1))
            return -1;
        if (flow->in_size == 0 && flow->at_boundary)
            return 0;
        if (input->padded || (flow->at_boundary && input->layer->zeros_follow && *flow->in == 0))
            return pass_zeros(input);
        size_t before = flow->in_size;
        bool stray = flow->at_boundary && !input->layer->recognise(flow->in, before);
        const char *wrong = input->layer->decode(input->state, flow);
        if (wrong)
            return fail_layer(input, stray ? "other bytes follow its end" : wrong);
        if (flow->out_size < size)
            return (ptrdiff_t)(size - flow->out_size);
        if (flow->in_size == before && !flow->at_boundary)
            return fail_layer(input, before ? "damaged data" : "it ends too early");
    }
}

ptrdiff_t tool_input_read(tool_input *input, void *bytes, size_t size)
{
    if (!input->layer)
        return read_plain(input, bytes, size);
    ptrdiff_t got = read_layer(input, bytes, size);
    bool foreign = got > 0 && !input->begun && is_foreign(input, bytes, (size_t)got);
    input->begun = true;
    return foreign ? -1 : got;
}

const char *tool_input_layer(const tool_input *input)
{
    return input->layer ? input->layer->name : NULL;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcasecmp(name + length - size, ending) == 0;
}

bool tool_input_name_shows_layer(const tool_input *input)
{
    for (size_t i = 0; input->layer && i < sizeof input->layer->endings / sizeof *input->layer->endings; i++)
        if (input->layer->endings[i] && ends_in(input->file.name, input->layer->endings[i]))
            return true;
    return false;
}

uint64_t tool_input_offset(const tool_input *input)
{
    return input->file.offset - input->flow.in_size;
}

void tool_input_close(tool_input *input)
{
    if (!input)
        return;
    if (input->state)
        input->layer->close(input->state);
    tool_file_close(&input->file);
    free(input);
}
