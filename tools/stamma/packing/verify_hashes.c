/* SPDX-License-Identifier: MIT */
/* SHA-256 of the text of an archive. */
#include <sha256.h>

#include "packing/verify_hashes.h"

typedef struct hashing {
    verify_hashes *hashes;
    SHA2_CTX text, one; /* of all text, and of the record `next` */
    size_t next;        /* first record whose text is not complete */
    uint64_t at;        /* offset in the text */
} hashing;

/* Compares the records whose text ends here, and begins the next one if its text begins here. */
static void settle(hashing *h)
{
    const tool_recorded *r = &h->hashes->recorded;
    for (; h->next < r->count; h->next++) {
        const stamma_archive_source *s = &r->list[h->next];
        uint8_t found[SHA256_DIGEST_LENGTH];
        if (h->at == s->text_offset)
            SHA256Init(&h->one);
        if (h->at < s->text_offset + s->text_size)
            return;
        SHA256Final(found, &h->one);
        h->hashes->equal[h->next] = memcmp(found, s->sha256, sizeof found) == 0;
    }
}

/* Adds text to the hashes. The texts of records ascend and do not overlap. */
static bool take(void *context, const void *bytes, size_t size)
{
    hashing *h = context;
    const tool_recorded *r = &h->hashes->recorded;
    const uint8_t *from = bytes;
    SHA256Update(&h->text, from, size);
    while (size > 0 && h->next < r->count) {
        const stamma_archive_source *s = &r->list[h->next];
        const bool within = h->at >= s->text_offset;
        const uint64_t left = (within ? s->text_offset + s->text_size : s->text_offset) - h->at;
        const size_t part = left < size ? (size_t)left : size;
        if (within)
            SHA256Update(&h->one, from, part);
        from += part;
        size -= part;
        h->at += part;
        settle(h);
    }
    return true;
}

static bool unpack(verify_hashes *hashes, tool_archive *archive)
{
    hashing h = {.hashes = hashes};
    const stamma_output output = {&h, take, NULL};
    hashes->equal = calloc(hashes->recorded.count + 1, sizeof *hashes->equal);
    SHA256Init(&h.text);
    settle(&h);
    stamma_error error =
        hashes->equal ? stamma_archive_reader_unpack(archive->reader, &output) : STAMMA_ERROR_NO_MEMORY;
    SHA256Final(hashes->text, &h.text);
    if (error)
        (void)tool_archive_fail(archive, error);
    return !error;
}

/* Rewinds the file first, because standard input is opened again at its present offset. */
bool verify_hashes_compute(verify_hashes *hashes, const char *path, tool_file *file, const stamma_executor *executor,
                           uint64_t memory)
{
    const stamma_archive_reader_options options = {.size = sizeof options, .executor = executor, .memory = memory};
    tool_archive archive = {.lost = 0};
    if (!tool_file_seek(file, 0) || !tool_archive_open_with(path, &options, true, &archive))
        return false;
    hashes->computed = tool_recorded_read(&archive, &hashes->recorded) && unpack(hashes, &archive);
    const bool sound = archive.damages == 0;
    tool_archive_close(&archive);
    return hashes->computed && sound;
}

bool verify_hashes_equal(const verify_hashes *hashes)
{
    for (size_t n = 0; hashes->computed && n < hashes->recorded.count; n++)
        if (!hashes->equal[n])
            return false;
    return true;
}

static void print_file(const char *name, const stamma_archive_source *s, bool equal)
{
    char hash[TOOL_HASH_SIZE];
    FILE *out = equal ? stdout : stderr;
    if (equal)
        (void)tool_text_print(out, stamma_text_of(name));
    else
        tool_message_begin(name);
    (void)fputs(equal ? ": " : "", out);
    (void)tool_text_print(out, s->name.size > 0 ? s->name : stamma_text_of("standard input"));
    (void)fprintf(out, equal ? ": SHA-256 as recorded, %s\n" : ": the text does not have the recorded SHA-256, %s\n",
                  tool_hash_write(s->sha256, hash));
}

void verify_hashes_print(const verify_hashes *hashes, const char *name, bool quiet)
{
    char hash[TOOL_HASH_SIZE];
    if (!hashes->computed)
        return;
    if (!quiet) {
        (void)tool_text_print(stdout, stamma_text_of(name));
        printf(": SHA-256 of the text: %s\n", tool_hash_write(hashes->text, hash));
    }
    for (size_t n = 0; n < hashes->recorded.count; n++)
        if (!quiet || !hashes->equal[n])
            print_file(name, &hashes->recorded.list[n], hashes->equal[n]);
}

void verify_hashes_print_json(const verify_hashes *hashes)
{
    char hash[TOOL_HASH_SIZE];
    tool_json_string("sha256", hashes->computed ? tool_hash_write(hashes->text, hash) : NULL);
    tool_json_open("inputs", '[');
    for (size_t n = 0; hashes->computed && n < hashes->recorded.count; n++) {
        tool_json_open(NULL, '{');
        tool_json_recorded(&hashes->recorded.list[n]);
        tool_json_bool("equal", hashes->equal[n]);
        tool_json_close('}');
    }
    tool_json_close(']');
}

void verify_hashes_free(verify_hashes *hashes)
{
    free(hashes->equal);
    tool_recorded_free(&hashes->recorded);
    *hashes = (verify_hashes){.computed = false};
}
