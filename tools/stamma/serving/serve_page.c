/* SPDX-License-Identifier: MIT */
/* The page: files that are part of the program. No file of the machine is ever read. */
#include "serving/server.h"
#include "shared/web_files.h"

#include <civetweb.h>
#include <strings.h>

/* The page only loads its own files; the board sets styles on its elements. */
#define POLICY                                                                                                      \
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; style-src-attr 'unsafe-inline'; object-src " \
    "'none'; "                                                                                                      \
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

static const tool_web_file *find_file(const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "/index.html" : path;
    for (const tool_web_file *f = tool_web_files; f->path; f++)
        if (strcmp(f->path, name) == 0)
            return f;
    return NULL;
}

/* Returns whether an Accept-Encoding header has gzip, without the weight 0 (RFC 9110, 12.5.3). */
static bool accepts_gzip(const char *header)
{
    for (const char *item = header; item; item = strchr(item, ',')) {
        item += strspn(item, ", \t");
        if (strncasecmp(item, "gzip", 4) != 0 || !strchr(",; \t", item[4]))
            continue;
        const char *weight = item + 4 + strspn(item + 4, "; \t");
        return strncasecmp(weight, "q=0", 3) != 0 || weight[3 + strspn(weight + 3, ".0")] > '0';
    }
    return false;
}

bool serve_page(serve_exchange *x)
{
    const struct mg_connection *c = serve_http_of(x)->connection;
    const char *path = mg_get_request_info(c)->local_uri, *known = mg_get_header(c, "If-None-Match");
    const tool_web_file *f = find_file(path ? path : "/");
    if (!f)
        return serve_fail(&x->fault, 404, "there is nothing of this name");
    bool packed = accepts_gzip(mg_get_header(c, "Accept-Encoding"));
    (void)snprintf(x->header, sizeof x->header, "%.*s%s", (int)strlen(f->tag) - 1, f->tag, packed ? "-gzip\"" : "\"");
    const serve_headers headers = {.type = f->type,
                                   .tag = x->header,
                                   .policy = POLICY,
                                   .encoding = packed ? "gzip" : NULL,
                                   .vary = "Origin, Accept-Encoding"};
    return serve_reply_bytes(x, known && strstr(known, x->header) ? 304 : 200, &headers, packed ? f->packed : f->bytes,
                             packed ? f->packed_size : f->size);
}
