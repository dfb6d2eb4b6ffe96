/* Text that grows. */
#include "serving/serve.h"

bool serve_buffer_add(serve_buffer *b, const void *bytes, size_t size)
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

void serve_buffer_free(serve_buffer *b)
{
    free(b->bytes);
    *b = (serve_buffer){NULL, 0, 0, false};
}

static bool add(void *context, const void *bytes, size_t size)
{
    return serve_buffer_add(context, bytes, size);
}

stamma_output serve_buffer_output(serve_buffer *b)
{
    return (stamma_output){b, add, NULL};
}
