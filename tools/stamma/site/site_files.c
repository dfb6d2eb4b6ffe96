/* SPDX-License-Identifier: MIT */
/* The list of the files of a site. */
#include "site/site.h"

#include <sha256.h>
#include <sys/types.h>

void site_hash(const void *bytes, size_t size, char hash[SITE_HASH_SIZE])
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    char text[TOOL_HASH_SIZE];
    SHA2_CTX state;
    SHA256Init(&state);
    SHA256Update(&state, bytes, size);
    SHA256Final(digest, &state);
    (void)snprintf(hash, SITE_HASH_SIZE, "%.16s", tool_hash_write(digest, text));
}

static void close_file(site_file *f)
{
    free(f->path);
    free(f->owned);
    if (f->mapped.bytes)
        tool_mapped_close(&f->mapped);
}

static int add(site *s, site_file *f)
{
    site_hash(f->bytes, f->size, f->hash);
    if (!f->path || !tool_list_grow(&s->files, &s->file_room, s->file_count, 1, sizeof *s->files)) {
        close_file(f);
        return -1;
    }
    s->files[s->file_count] = *f;
    return (int)s->file_count++;
}

int site_add(site *s, const char *path, site_kind kind, const void *bytes, size_t size, void *owned)
{
    site_file f = {.path = strdup(path), .kind = kind, .bytes = bytes, .size = size, .owned = owned};
    if (!f.path)
        (void)tool_fail_memory(path);
    return add(s, &f);
}

/* Names a file of data after its hash. */
static bool name_data(const site *s, site_file *f, const char *ending)
{
    const size_t size = strlen("data/") + SITE_HASH_SIZE + strlen(ending) + strlen(".pieces");
    site_hash(f->bytes, f->size, f->hash);
    f->in_pieces = s->in_pieces;
    f->path = malloc(size);
    if (!f->path)
        return tool_fail_memory(ending);
    (void)snprintf(f->path, size, "data/%s%s%s", f->hash, ending, s->in_pieces ? ".pieces" : "");
    return true;
}

int site_add_file(site *s, const char *path, site_kind kind, const char *from, const char *ending)
{
    site_file f = {.kind = kind};
    if (!tool_mapped_open(from, &f.mapped))
        return -1;
    f.bytes = f.mapped.bytes;
    f.size = f.mapped.size;
    if (path)
        f.path = strdup(path);
    else
        (void)name_data(s, &f, ending);
    return add(s, &f);
}

bool site_add_printed(site *s, const char *path, tool_buffer *buffer)
{
    tool_put_to(NULL);
    if (buffer->failed) {
        tool_buffer_free(buffer);
        return tool_fail_memory(path);
    }
    const bool right = site_add(s, path, SITE_ENTRY, buffer->bytes, buffer->size, buffer->bytes) >= 0;
    *buffer = (tool_buffer){.bytes = NULL};
    return right;
}

const site_file *site_find(const site *s, const char *path)
{
    for (size_t i = 0; i < s->file_count; i++)
        if (strcmp(s->files[i].path, path) == 0)
            return &s->files[i];
    return NULL;
}

void site_close_files(site *s)
{
    for (size_t i = 0; i < s->file_count; i++)
        close_file(&s->files[i]);
    free(s->files);
    s->files = NULL;
    s->file_count = 0;
}
