/* SPDX-License-Identifier: MIT */
/* Input to pack: the bytes of a file, decompressed if necessary. */
#include "shared/layer_stream.h"

struct tool_input {
    stream_shared shared;
    tool_stream *stream;
};

static ptrdiff_t read_file(void *context, void *bytes, size_t size)
{
    stream_shared *shared = context;
    return tool_file_read(&shared->file, bytes, size);
}

/* Opens the input of an open file, which it owns. */
static tool_input *open_file(tool_file *file, bool raw)
{
    tool_input *input = calloc(1, sizeof *input);
    if (!input) {
        (void)tool_fail_memory(file->name);
        tool_file_close(file);
        return NULL;
    }
    input->shared.file = *file;
    input->stream = stream_open((stream_source){&input->shared, read_file}, &input->shared, NULL, raw);
    if (input->stream)
        return input;
    tool_input_close(input);
    return NULL;
}

tool_input *tool_input_open(const char *path, bool raw)
{
    tool_file file;
    return tool_file_open(path, &file) ? open_file(&file, raw) : NULL;
}

tool_input *tool_input_open_descriptor(int descriptor, const char *name, bool raw)
{
    tool_file file = {.name = name, .fd = descriptor};
    return open_file(&file, raw);
}

ptrdiff_t tool_input_read(tool_input *input, void *bytes, size_t size)
{
    return stream_read(input->stream, bytes, size);
}

const char *tool_input_layer(const tool_input *input)
{
    return stream_format(input->stream);
}

bool tool_input_name_shows_layer(const tool_input *input)
{
    return stream_format_shown(input->stream, input->shared.file.name);
}

uint64_t tool_input_offset(const tool_input *input)
{
    return input->shared.file.offset - stream_waiting(input->stream);
}

uint64_t tool_input_say_skipped(const tool_input *input)
{
    const tool_skipped *skipped = &input->shared.skipped;
    char number[TOOL_NUMBER_SIZE];
    if (skipped->count == 0)
        return 0;
    tool_message_begin(input->shared.file.name);
    tool_message_print(
        "%s part%s of it %s not packed, only members that end in .pgn: ", tool_number(skipped->count, number),
        skipped->count == 1 ? "" : "s", skipped->count == 1 ? "was" : "were");
    for (size_t i = 0; i < skipped->count && i < TOOL_SKIPPED_SHOWN; i++)
        tool_message_print("%s%s", i > 0 ? ", " : "", skipped->names[i] ? skipped->names[i] : "?");
    tool_message_print("%s\n", skipped->count > TOOL_SKIPPED_SHOWN ? " ..." : "");
    return skipped->count;
}

void tool_input_close(tool_input *input)
{
    if (!input)
        return;
    stream_close(input->stream);
    tool_file_close(&input->shared.file);
    for (size_t i = 0; i < TOOL_SKIPPED_SHOWN; i++)
        free(input->shared.skipped.names[i]);
    free(input);
}
