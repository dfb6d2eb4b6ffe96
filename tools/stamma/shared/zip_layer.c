/* Zip files as input: the contents of all members whose names end in .pgn (APPNOTE.TXT of PKWARE, 4.3). The file is
 * read from its beginning, so it may come from a pipe. The central directory at its end is skipped. */
#include "shared/tool.h"

#include <strings.h>
#include <zlib.h>

enum {
    HEADER_SIZE = 30,
    NAME_SIZE = 512, /* longer names are read up to this size */
    SCRATCH_SIZE = 16384,
    STORED = 0,
    DEFLATED = 8,
    FLAG_ENCRYPTED = 1,
    FLAG_DESCRIPTOR = 8, /* sizes and checksum follow the data */
    ZIP64_FIELD = 1
};
#define SIGNATURE_HEADER 0x04034B50u
#define SIGNATURE_DESCRIPTOR 0x08074B50u
#define SIGNATURE_DIRECTORY 0x02014B50u
#define SIGNATURE_END 0x06054B50u

typedef enum zip_step { ZIP_HEADER, ZIP_NAME, ZIP_EXTRA, ZIP_DATA, ZIP_DESCRIPTOR, ZIP_END } zip_step;

typedef struct zip_reader {
    z_stream stream;
    zip_step step;
    uint8_t bytes[HEADER_SIZE]; /* of a header or a descriptor */
    uint8_t name[NAME_SIZE];
    size_t have; /* bytes of the step so far */
    unsigned method, flags, name_size, extra_size;
    uint32_t wanted_check, check;
    uint64_t left; /* bytes of a stored member */
    bool zip64;
    bool wanted;    /* the member is PGN */
    bool any;       /* a member was PGN */
    bool line_open; /* the last member that is PGN does not end its line */
    bool data_ended;
} zip_reader;

static uint32_t load(const uint8_t *at, unsigned size)
{
    uint32_t value = 0;
    for (unsigned n = size; n-- > 0;)
        value = value << 8 | at[n];
    return value;
}

/* ---- headers ---- */

/* Copies up to `size` bytes of the step. Returns whether all are there. */
static bool collect(zip_reader *z, tool_flow *flow, uint8_t *to, size_t room, size_t size)
{
    while (z->have < size && flow->in_size > 0) {
        if (z->have < room)
            to[z->have] = *flow->in;
        z->have++;
        flow->in++;
        flow->in_size--;
    }
    return z->have >= size;
}

static void begin(zip_reader *z, zip_step step)
{
    z->step = step;
    z->have = 0;
}

static const char *read_header(zip_reader *z, tool_flow *flow)
{
    if (!collect(z, flow, z->bytes, HEADER_SIZE, 4))
        return NULL;
    const uint32_t signature = load(z->bytes, 4);
    if (signature == SIGNATURE_DIRECTORY || signature == SIGNATURE_END) {
        begin(z, ZIP_END);
        return z->any ? NULL : "it contains no .pgn file";
    }
    if (signature != SIGNATURE_HEADER)
        return "damaged data";
    if (!collect(z, flow, z->bytes, HEADER_SIZE, HEADER_SIZE))
        return NULL;
    z->flags = load(z->bytes + 6, 2);
    z->method = load(z->bytes + 8, 2);
    z->wanted_check = load(z->bytes + 14, 4);
    z->left = load(z->bytes + 18, 4);
    z->name_size = load(z->bytes + 26, 2);
    z->extra_size = load(z->bytes + 28, 2);
    begin(z, ZIP_NAME);
    return NULL;
}

/* Files of macOS describe others. */
static bool is_pgn(const zip_reader *z)
{
    static const char ending[] = ".pgn", other[] = "__MACOSX/";
    const size_t size = z->name_size, length = sizeof ending - 1;
    return size > length && size <= NAME_SIZE &&
           strncasecmp((const char *)z->name + size - length, ending, length) == 0 &&
           !(size > sizeof other && memcmp(z->name, other, sizeof other - 1) == 0);
}

static const char *begin_data(zip_reader *z)
{
    if (z->flags & FLAG_ENCRYPTED)
        return "it is encrypted";
    if (z->method != DEFLATED && (z->method != STORED || z->flags & FLAG_DESCRIPTOR || z->left == UINT32_MAX))
        return "an unsupported compression method";
    z->wanted = is_pgn(z);
    z->any |= z->wanted;
    z->check = 0;
    z->data_ended = z->method == STORED && z->left == 0;
    begin(z, ZIP_DATA);
    return inflateReset(&z->stream) == Z_OK ? NULL : "out of memory";
}

/* The descriptor of a member whose first extra field is that of zip64 has sizes of 8 bytes. */
static const char *read_extra(zip_reader *z, tool_flow *flow)
{
    if (!collect(z, flow, z->bytes, HEADER_SIZE, z->extra_size))
        return NULL;
    z->zip64 = z->extra_size >= 2 && load(z->bytes, 2) == ZIP64_FIELD;
    return begin_data(z);
}

/* ---- data ---- */

static const char *inflate_member(zip_reader *z, tool_flow *flow, uint8_t *out, size_t room, size_t *made)
{
    /* zlib's pointer is not const, but zlib does not change the bytes */
    z->stream.next_in = (Bytef *)(uintptr_t)flow->in;
    z->stream.avail_in = (uInt)flow->in_size;
    z->stream.next_out = out;
    z->stream.avail_out = (uInt)room;
    const int result = inflate(&z->stream, Z_NO_FLUSH);
    flow->in = z->stream.next_in;
    flow->in_size = z->stream.avail_in;
    *made = room - z->stream.avail_out;
    z->data_ended = result == Z_STREAM_END;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
        return NULL;
    return result == Z_MEM_ERROR ? "out of memory" : "damaged data";
}

static void copy_member(zip_reader *z, tool_flow *flow, uint8_t *out, size_t room, size_t *made)
{
    size_t size = flow->in_size < room ? flow->in_size : room;
    size = size < z->left ? size : (size_t)z->left;
    memcpy(out, flow->in, size);
    flow->in += size;
    flow->in_size -= size;
    z->left -= size;
    z->data_ended = z->left == 0;
    *made = size;
}

static const char *check_member(zip_reader *z)
{
    if (z->check != z->wanted_check)
        return "damaged data";
    begin(z, ZIP_HEADER);
    return NULL;
}

/* Decodes a part of a member. A line end separates it from a member before that does not end its line. */
static const char *read_data(zip_reader *z, tool_flow *flow)
{
    uint8_t scratch[SCRATCH_SIZE];
    uint8_t *const out = z->wanted ? flow->out : scratch;
    const size_t room = z->wanted ? flow->out_size : sizeof scratch;
    size_t made = 0;
    const char *wrong = NULL;
    if (z->wanted && z->line_open && z->have == 0 && !z->data_ended) {
        *out = '\n';
        made = 1;
        z->line_open = false;
    } else if (!z->data_ended) {
        z->have = 1;
        if (z->method == DEFLATED)
            wrong = inflate_member(z, flow, out, room, &made);
        else
            copy_member(z, flow, out, room, &made);
        z->check = (uint32_t)crc32(z->check, out, (uInt)made);
    }
    if (z->wanted && made > 0)
        z->line_open = out[made - 1] != '\n' && out[made - 1] != '\r';
    flow->out += z->wanted ? made : 0;
    flow->out_size -= z->wanted ? made : 0;
    if (wrong || !z->data_ended)
        return wrong;
    if (!(z->flags & FLAG_DESCRIPTOR))
        return check_member(z);
    begin(z, ZIP_DESCRIPTOR);
    return NULL;
}

/* The signature of a descriptor is optional. */
static const char *read_descriptor(zip_reader *z, tool_flow *flow)
{
    const size_t sizes = z->zip64 ? 16 : 8;
    if (!collect(z, flow, z->bytes, HEADER_SIZE, 4))
        return NULL;
    const bool marked = load(z->bytes, 4) == SIGNATURE_DESCRIPTOR;
    if (!collect(z, flow, z->bytes, HEADER_SIZE, sizes + (marked ? 8 : 4)))
        return NULL;
    z->wanted_check = load(z->bytes + (marked ? 4 : 0), 4);
    return check_member(z);
}

/* ---- the layer ---- */

static bool zip_recognise(const uint8_t *bytes, size_t size)
{
    return size >= 4 && (load(bytes, 4) == SIGNATURE_HEADER || load(bytes, 4) == SIGNATURE_END);
}

static void *zip_open(void)
{
    zip_reader *z = calloc(1, sizeof *z);
    if (z && inflateInit2(&z->stream, -15) == Z_OK) /* deflated data without a header */
        return z;
    free(z);
    return NULL;
}

static const char *step(zip_reader *z, tool_flow *flow)
{
    switch (z->step) {
    case ZIP_HEADER: return read_header(z, flow);
    case ZIP_NAME:
        if (collect(z, flow, z->name, NAME_SIZE, z->name_size))
            begin(z, ZIP_EXTRA);
        return NULL;
    case ZIP_EXTRA: return read_extra(z, flow);
    case ZIP_DATA: return read_data(z, flow);
    case ZIP_DESCRIPTOR: return read_descriptor(z, flow);
    case ZIP_END: flow->in += flow->in_size; flow->in_size = 0;
    }
    return NULL;
}

/* Decodes until the input is used, the output is full, or nothing changes any more. */
static const char *zip_decode(void *state, tool_flow *flow)
{
    zip_reader *z = state;
    const char *wrong = NULL;
    for (bool changes = true; changes && !wrong && flow->out_size > 0;) {
        const size_t in = flow->in_size, out = flow->out_size;
        const zip_step before = z->step;
        wrong = step(z, flow);
        changes = flow->in_size != in || flow->out_size != out || z->step != before;
    }
    flow->at_boundary = z->step == ZIP_END && !wrong;
    return wrong;
}

static void zip_close(void *state)
{
    zip_reader *z = state;
    (void)inflateEnd(&z->stream);
    free(z);
}

const tool_layer tool_zip_layer = {"zip", {".zip"}, false, zip_recognise, zip_open, zip_decode, zip_close};
