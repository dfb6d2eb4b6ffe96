/* SPDX-License-Identifier: MIT */
/* The parts of files of pages that an answer may read, so that JavaScript can request them together. */
#include "pages/pages.h"
#include "web/web_module.h"

enum { POSITIONS = 13 }; /* before the position, from the last on */

typedef struct parts {
    long archive;
    const stamma_pages *pages;
} parts;

/* Sends a part as a line: the archive, the offset and the size. */
static void send_part(const parts *p, const stamma_position *position)
{
    const uint32_t bucket = pages_bucket_of(p->pages, stamma_position_key(position));
    const uint64_t *starts = p->pages->starts;
    char line[80];
    const int size = snprintf(line, sizeof line, "%ld %" PRIu64 " %" PRIu64 "\n", p->archive, starts[bucket],
                              starts[bucket + 1] - starts[bucket]);
    (void)web_piece(line, (size_t)size);
}

/* Sends the buckets of the last positions of a line. */
static void send_line(const parts *p, const serve_request *r)
{
    stamma_position position = r->start;
    for (size_t n = 0; n < r->plies; n++) {
        if (n + POSITIONS >= r->plies)
            send_part(p, &position);
        stamma_position_make(&position, r->played[n], &position);
    }
    send_part(p, &position);
}

static void send_archives(const serve_request *r)
{
    const size_t count = atomic_load(&web_server.archives.count);
    for (size_t n = 0; n < count; n++) {
        serve_archive *a = serve_archives_hold(&web_server.archives, n);
        if (a && a->pages && (r->archive < 0 || r->archive == a->number))
            send_line(&(parts){a->number, a->pages}, r);
        if (a)
            serve_archives_let_go(&web_server.archives, a);
    }
}

/* Sends the parts of files of pages that the answer to a request for a tree may read, as lines, from the fields of its
 * address. Nothing is read. An invalid request has no parts. */
void WEB_EXPORT(parts)(const char *query)
{
    const serve_receiver receiver = {.begin = NULL};
    serve_exchange x;
    serve_exchange_open(&x, &web_server, &receiver);
    if (serve_form_add(&x.form, query, strlen(query), &x.fault) &&
        serve_request_read(&x.request, SERVE_LICHESS, "", &x.form, &web_server.persons, &x.fault))
        send_archives(&x.request);
    serve_exchange_close(&x);
}
