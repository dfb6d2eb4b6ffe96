/* The page: files that are part of the program. No file of the machine is ever read. */
#include "serving/serve.h"

#include <civetweb.h>

/* The page only loads its own files; the board sets styles on its elements. */
#define POLICY                                                                                                      \
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; style-src-attr 'unsafe-inline'; object-src " \
    "'none'; "                                                                                                      \
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

static const serve_file *find_file(const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "/index.html" : path;
    for (const serve_file *f = serve_files; f->path; f++)
        if (strcmp(f->path, name) == 0)
            return f;
    return NULL;
}

bool serve_page(serve_exchange *x, const char *path)
{
    const serve_file *f = find_file(path);
    const char *known = mg_get_header(x->connection, "If-None-Match");
    if (!f)
        return serve_fail(&x->fault, 404, "there is nothing of this name");
    const serve_headers headers = {.type = f->type, .tag = f->tag, .policy = POLICY};
    serve_send(x, known && strstr(known, f->tag) ? 304 : 200, &headers, f->bytes, f->size);
    return true;
}
