/* SPDX-License-Identifier: MIT */
/* The members of a zip file, one after another (APPNOTE.TXT of PKWARE, 4.3). The file is read from its beginning, so it
 * may come from a pipe. Members that are compressed files or zip files are decoded too. */
#include "shared/layer_stream.h"

#include <zlib.h>

enum {
    HEADER_SIZE = 30,
    NAME_MAX_SIZE = 65535,
    BUFFER_SIZE = 16384,
    DEPTH_MAX = 4, /* of zip files inside zip files */
    STORED = 0,
    DEFLATED = 8,
    FLAG_ENCRYPTED = 1,
    FLAG_DESCRIPTOR = 8, /* sizes and checksum follow the data */
    ZIP64_FIELD = 1
};
#define SIGNATURE_HEADER 0x04034B50u
#define SIGNATURE_DESCRIPTOR 0x08074B50u
#define SIGNATURE_END 0x06054B50u

static const char early[] = "it ends too early", damaged[] = "damaged data";

struct zip_members {
    tool_stream *outer;
    stream_shared *shared;
    tool_stream *member; /* the open member, decoded; NULL: none */
    z_stream stream;
    const uint8_t *in;
    size_t in_size;
    unsigned method, flags;
    uint32_t wanted_check, check;
    uint64_t left;   /* bytes of a stored member */
    bool zip64;      /* the descriptor has sizes of 8 bytes */
    bool data_ended; /* of the member */
    bool ended;      /* the file */
    bool any;        /* a member contained games */
    bool line_open;  /* the bytes so far do not end with a line end */
    bool separate;   /* the open member begins with a line end */
    unsigned depth;  /* 1: the file; more: a zip file inside it */
    uint8_t bytes[BUFFER_SIZE];
    char name[NAME_MAX_SIZE + 1];
};

static uint32_t load(const uint8_t *at, unsigned size)
{
    uint32_t value = 0;
    for (unsigned n = size; n-- > 0;)
        value = value << 8 | at[n];
    return value;
}

/* ---- the bytes of the file ---- */

static bool fail(const zip_members *z, const char *what)
{
    (void)stream_fail(z->outer, "zip", what);
    return false;
}

/* Makes bytes available. Returns 1, 0 at the end of the file, or -1 after an error. */
static int fill(zip_members *z)
{
    if (z->in_size > 0)
        return 1;
    ptrdiff_t count = stream_read_source(z->outer, z->bytes, sizeof z->bytes);
    z->in = z->bytes;
    z->in_size = count > 0 ? (size_t)count : 0;
    return count > 0 ? 1 : (int)count;
}

/* Copies `size` bytes, or skips them if `to` is NULL. *got becomes the number of bytes, fewer at the end of the file.
 * */
static bool get_some(zip_members *z, void *to, uint64_t size, uint64_t *got)
{
    for (*got = 0; *got < size;) {
        const int filled = fill(z);
        if (filled <= 0)
            return filled == 0;
        const uint64_t wanted = size - *got;
        const size_t count = z->in_size < wanted ? z->in_size : (size_t)wanted;
        if (to)
            memcpy((uint8_t *)to + *got, z->in, count);
        z->in += count;
        z->in_size -= count;
        *got += count;
    }
    return true;
}

static bool get(zip_members *z, void *to, uint64_t size)
{
    uint64_t got;
    return get_some(z, to, size, &got) && (got == size || fail(z, early));
}

/* ---- the end of the file ---- */

static void skip_part(zip_members *z, const char *name)
{
    tool_skipped *skipped = &z->shared->skipped;
    if (skipped->count < TOOL_SKIPPED_SHOWN)
        skipped->names[skipped->count] = strdup(name);
    skipped->count++;
}

/* Reads the fixed part of a record of the central directory, after its signature. Returns the size of the rest, which
 * is the sum of the record's size fields. Sets *read to whether it is a record. */
static uint64_t directory_record(zip_members *z, uint32_t signature, bool *read)
{
    static const struct record {
        uint32_t signature;
        unsigned fixed;
        struct {
            unsigned at, size;
        } sizes[3];
    } records[] = {
        {0x02014B50u, 42, {{24, 2}, {26, 2}, {28, 2}}}, /* a member */
        {0x05054B50u, 2, {{0, 2}}},                     /* a digital signature */
        {0x06064B50u, 8, {{0, 4}}},                     /* the end of zip64; larger sizes are not used */
        {0x07064B50u, 16, {{0, 0}}},                    /* the place of that end */
        {0x08064B50u, 4, {{0, 4}}},                     /* extra data */
        {SIGNATURE_END, 18, {{16, 2}}},
    };
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const struct record *r = &records[i];
        uint8_t bytes[64];
        if (r->signature != signature)
            continue;
        uint64_t size = 0;
        *read = get(z, bytes, r->fixed);
        for (size_t n = 0; n < 3 && *read; n++)
            size += load(bytes + r->sizes[n].at, r->sizes[n].size);
        return size;
    }
    *read = fail(z, damaged);
    return 0;
}

/* Skips the directory, which repeats the headers of the members, and all bytes after it, which are reported. */
static bool read_end(zip_members *z, uint32_t signature)
{
    uint8_t next[4];
    uint64_t rest;
    bool read;
    for (;;) {
        const uint64_t size = directory_record(z, signature, &read);
        if (!read || !get(z, NULL, size))
            return false;
        if (signature == SIGNATURE_END)
            break;
        if (!get(z, next, sizeof next))
            return false;
        signature = load(next, 4);
    }
    if (!get_some(z, NULL, UINT64_MAX, &rest))
        return false;
    if (rest > 0)
        skip_part(z, "bytes after its end");
    z->ended = true;
    return true;
}

/* ---- members ---- */

/* Returns whether the name shows that the member contains games. Files in __MACOSX only describe other files. */
static bool is_wanted(const char *name)
{
    size_t length = strlen(name);
    if (strncmp(name, "__MACOSX/", 9) == 0)
        return false;
    (void)tool_layer_cut_ending(name, &length);
    return tool_cut_ending(name, &length, ".pgn") || tool_cut_ending(name, &length, ".zip");
}

static bool is_folder(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && name[length - 1] == '/';
}

static ptrdiff_t inflate_some(zip_members *z, uint8_t *bytes, size_t size)
{
    /* zlib's pointer is not const, but zlib does not change the bytes */
    z->stream.next_in = (Bytef *)(uintptr_t)z->in;
    z->stream.avail_in = (uInt)z->in_size;
    z->stream.next_out = bytes;
    z->stream.avail_out = (uInt)size;
    const int result = inflate(&z->stream, Z_NO_FLUSH);
    z->in = z->stream.next_in;
    z->in_size = z->stream.avail_in;
    z->data_ended = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        fail(z, result == Z_MEM_ERROR ? "out of memory" : damaged);
        return -1;
    }
    return (ptrdiff_t)(size - z->stream.avail_out);
}

static ptrdiff_t copy_some(zip_members *z, uint8_t *bytes, size_t size)
{
    size_t count = z->in_size < size ? z->in_size : size;
    count = count < z->left ? count : (size_t)z->left;
    memcpy(bytes, z->in, count);
    z->in += count;
    z->in_size -= count;
    z->left -= count;
    z->data_ended = z->left == 0;
    return (ptrdiff_t)count;
}

/* Reads the descriptor, if there is one, and compares the checksum. The signature of a descriptor is optional. */
static bool end_data(zip_members *z)
{
    uint8_t bytes[4];
    if (z->flags & FLAG_DESCRIPTOR) {
        if (!get(z, bytes, 4) || (load(bytes, 4) == SIGNATURE_DESCRIPTOR && !get(z, bytes, 4)))
            return false;
        z->wanted_check = load(bytes, 4);
        if (!get(z, NULL, z->zip64 ? 16 : 8))
            return false;
    }
    return z->check == z->wanted_check || fail(z, damaged);
}

/* Reads the contents of the member. The source of its stream. */
static ptrdiff_t read_data(void *context, void *bytes, size_t size)
{
    zip_members *z = context;
    while (!z->data_ended) {
        const int filled = fill(z);
        if (filled == 0)
            (void)fail(z, early);
        if (filled <= 0)
            return -1;
        const size_t most = size < UINT32_MAX ? size : UINT32_MAX;
        const ptrdiff_t count = z->method == DEFLATED ? inflate_some(z, bytes, most) : copy_some(z, bytes, most);
        if (count < 0)
            return -1;
        z->check = (uint32_t)crc32(z->check, bytes, (uInt)count);
        if (z->data_ended && !end_data(z))
            return -1;
        if (count > 0)
            return count;
    }
    return 0;
}

static bool skip_data(zip_members *z)
{
    uint8_t bytes[BUFFER_SIZE];
    ptrdiff_t count;
    do
        count = read_data(z, bytes, sizeof bytes);
    while (count > 0);
    return count == 0;
}

/* Reads the header of a member, from the bytes after its signature to its data. */
static bool read_header(zip_members *z)
{
    uint8_t header[HEADER_SIZE - 4], extra[2] = {0, 0};
    if (!get(z, header, sizeof header))
        return false;
    z->flags = load(header + 2, 2);
    z->method = load(header + 4, 2);
    z->wanted_check = load(header + 10, 4);
    z->left = load(header + 14, 4);
    const uint32_t name_size = load(header + 22, 2), extra_size = load(header + 24, 2);
    const uint32_t looked_at = extra_size < 2 ? extra_size : 2;
    if (!get(z, z->name, name_size) || !get(z, extra, looked_at) || !get(z, NULL, extra_size - looked_at))
        return false;
    z->name[name_size] = 0;
    z->zip64 = load(extra, 2) == ZIP64_FIELD;
    if (z->flags & FLAG_ENCRYPTED)
        return fail(z, "it is encrypted");
    if (z->method != DEFLATED && (z->method != STORED || z->flags & FLAG_DESCRIPTOR || z->left == UINT32_MAX))
        return fail(z, "an unsupported compression method");
    z->check = 0;
    z->data_ended = z->method == STORED && z->left == 0;
    return inflateReset(&z->stream) == Z_OK || fail(z, "out of memory");
}

static bool open_member(zip_members *z)
{
    z->any = true;
    z->separate = z->line_open;
    z->member = stream_open((stream_source){z, read_data}, z->shared, z->name, false);
    return z->member != NULL;
}

/* Reads up to the data of the next member with games, or up to the end of the file. */
static bool next_member(zip_members *z)
{
    if (z->depth > DEPTH_MAX)
        return fail(z, "zip files are nested too deeply");
    while (!z->member && !z->ended) {
        uint8_t bytes[4];
        if (!get(z, bytes, sizeof bytes))
            return false;
        const uint32_t signature = load(bytes, 4);
        if (signature != SIGNATURE_HEADER) {
            if (!read_end(z, signature))
                return false;
            return z->any || z->depth > 1 || fail(z, "it contains no .pgn file");
        }
        if (!read_header(z))
            return false;
        const bool wanted = is_wanted(z->name);
        if (!wanted && !is_folder(z->name))
            skip_part(z, z->name);
        if (!(wanted ? open_member(z) : skip_data(z)))
            return false;
    }
    return true;
}

/* Reads from the open member. Inserts a line end if the member before it does not end with a line end. */
static ptrdiff_t read_member(zip_members *z, uint8_t *bytes, size_t size)
{
    const size_t before = z->separate && size > 1 ? 1 : 0;
    const ptrdiff_t count = stream_read(z->member, bytes + before, size - before);
    if (count <= 0)
        return count;
    if (before)
        bytes[0] = '\n';
    z->separate = false;
    z->line_open = bytes[before + (size_t)count - 1] != '\n' && bytes[before + (size_t)count - 1] != '\r';
    return (ptrdiff_t)before + count;
}

ptrdiff_t zip_read(zip_members *z, void *bytes, size_t size)
{
    while (next_member(z)) {
        const ptrdiff_t count = z->member ? read_member(z, bytes, size) : 0;
        if (count != 0 || !z->member)
            return count;
        stream_close(z->member);
        z->member = NULL;
    }
    return -1;
}

zip_members *zip_open(tool_stream *outer, stream_shared *shared)
{
    zip_members *z = calloc(1, sizeof *z);
    if (!z || inflateInit2(&z->stream, -15) != Z_OK) { /* deflated data without a header */
        free(z);
        return NULL;
    }
    z->outer = outer;
    z->shared = shared;
    z->depth = ++shared->depth;
    return z;
}

void zip_close(zip_members *z)
{
    if (!z)
        return;
    stream_close(z->member);
    z->shared->depth--;
    (void)inflateEnd(&z->stream);
    free(z);
}
