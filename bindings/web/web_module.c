/* SPDX-License-Identifier: MIT */
/* Memory, sources and sinks, and answers to requests. */
#include "web/web_module.h"

serve web_server;

/* ---- memory ---- */

/* Allocates memory for JavaScript, which calls web_release. Returns NULL if memory is exhausted. */
void *WEB_EXPORT(allocate)(size_t size)
{
    return malloc(size);
}

void WEB_EXPORT(release)(void *memory)
{
    free(memory);
}

/* ---- sources and sinks ---- */

static bool read_at(void *context, uint64_t offset, void *bytes, size_t size)
{
    const web_source *source = context;
    if (offset > source->bytes.size || size > source->bytes.size - offset)
        return false; /* damaged archives refer to bytes after their end */
    return web_read(source->number, (double)offset, bytes, size) != 0;
}

void web_source_open(web_source *source, int number, double size)
{
    *source = (web_source){number, {.size = (uint64_t)size, .context = source, .read_at = read_at}};
}

static bool write_sink(void *context, const void *bytes, size_t size)
{
    return web_write(*(const int *)context, bytes, size) != 0;
}

stamma_output web_output(int *sink)
{
    return (stamma_output){sink, write_sink, NULL};
}

bool web_continue(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    return web_progress((double)done, (double)total) != 0;
}

/* ---- requests ---- */

/* Prepares answers from archives. `memory` limits the memory of searches, in bytes. `upload` is the size of the largest
 * file that /health says can be opened; 0: none. Returns 0 if memory is exhausted. */
int WEB_EXPORT(open)(double memory, double upload)
{
    enum { ARCHIVES = 1024 };
    web_server = (serve){.memory = (uint64_t)memory, .uploads = {(uint64_t)upload, upload > 0 ? ARCHIVES : 0}};
    return tool_buffer_add(&web_server.questions, "[]", 2) && serve_open(&web_server, ARCHIVES);
}

static bool begin(void *context, const serve_reply *r)
{
    (void)context;
    web_begin(r->status, r->headers.type, r->headers.disposition);
    return true;
}

static bool piece(void *context, const void *bytes, size_t size)
{
    (void)context;
    return web_piece(bytes, size) != 0;
}

static bool is_gone(void *context)
{
    (void)context;
    return web_is_gone() != 0;
}

/* Sends the reply. Returns its status; 499: the answer is incomplete. */
static int send_reply(serve_exchange *x)
{
    const int status = x->reply.status;
    if (x->reply.produce && serve_produce(x))
        return status;
    if (x->reply.status == 499)
        return 499;
    (void)begin(NULL, &x->reply);
    (void)piece(NULL, x->reply.bytes, x->reply.size);
    return x->reply.status;
}

/* Answers a request as the server does (doc/reference/serve.md). `query` are the fields of the address, NUL-terminated.
 * Sends the answer through `begin` and `piece`. Returns the status of HTTP. */
int WEB_EXPORT(answer)(const char *path, const char *query)
{
    const serve_receiver receiver = {.begin = begin, .piece = piece, .is_gone = is_gone};
    const char *operand;
    serve_exchange x;
    serve_exchange_open(&x, &web_server, &receiver);
    const serve_endpoint endpoint = serve_route(path, &operand);
    if (serve_form_add(&x.form, query, strlen(query), &x.fault))
        serve_answer(&x, endpoint, operand);
    else
        serve_reply_fault(&x);
    const int status = send_reply(&x);
    serve_exchange_close(&x);
    return status;
}
