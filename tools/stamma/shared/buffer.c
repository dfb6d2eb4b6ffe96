/* SPDX-License-Identifier: MIT */
/* Bytes and lists that grow. */
#include "shared/tool.h"

bool tool_list_grow(void *list, size_t *room, size_t count, size_t more, size_t size)
{
    void *elements;
    size_t wanted = *room < 64 ? 64 : *room;
    while (wanted - count < more)
        wanted *= 2;
    if (wanted == *room)
        return true;
    memcpy(&elements, list, sizeof elements); /* a pointer of any type */
    elements = realloc(elements, wanted * size);
    if (!elements)
        return tool_fail_memory(NULL);
    memcpy(list, &elements, sizeof elements);
    *room = wanted;
    return true;
}

bool tool_buffer_add(tool_buffer *b, const void *bytes, size_t size)
{
    if (size > b->room - b->size) {
        size_t room = b->room + b->room / 2 + size + 1024;
        char *grown = b->failed ? NULL : realloc(b->bytes, room);
        b->failed = !grown;
        if (!grown)
            return false;
        b->bytes = grown;
        b->room = room;
    }
    if (size > 0)
        memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    return true;
}

void tool_buffer_free(tool_buffer *b)
{
    free(b->bytes);
    *b = (tool_buffer){NULL, 0, 0, false};
}

static bool add(void *context, const void *bytes, size_t size)
{
    return tool_buffer_add(context, bytes, size);
}

stamma_output tool_buffer_output(tool_buffer *b)
{
    return (stamma_output){b, add, NULL};
}
