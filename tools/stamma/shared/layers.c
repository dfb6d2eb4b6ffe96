/* SPDX-License-Identifier: MIT */
/* Compression formats of input files: gzip (RFC 1952), bzip2, xz, Zstandard (RFC 8878). */
#include "shared/tool.h"

#include <bzlib.h>
#include <lzma.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

/* Returns whether `bytes` begin with `mark`. A shorter file matches with at least `least` bytes of the mark; its data
 * is then truncated. */
static bool begins(const uint8_t *bytes, size_t size, const char *mark, size_t length, size_t least)
{
    size_t shared = size < length ? size : length;
    return shared >= least && memcmp(bytes, mark, shared) == 0;
}

/* ---- gzip: members, one after another ---- */

static bool gzip_recognise(const uint8_t *bytes, size_t size)
{
    return begins(bytes, size, "\x1F\x8B\x08", 3, 2);
}

static void *gzip_open(void)
{
    z_stream *stream = calloc(1, sizeof *stream);
    /* 15: any window size; 16: a gzip header and trailer, both checked */
    if (stream && inflateInit2(stream, 15 + 16) == Z_OK)
        return stream;
    free(stream);
    return NULL;
}

static const char *gzip_decode(void *state, tool_flow *flow)
{
    z_stream *stream = state;
    /* zlib's pointer is not const, but zlib does not change the bytes */
    stream->next_in = (Bytef *)(uintptr_t)flow->in;
    stream->avail_in = (uInt)flow->in_size;
    stream->next_out = flow->out;
    stream->avail_out = (uInt)flow->out_size;
    int result = inflate(stream, Z_NO_FLUSH);
    flow->in = stream->next_in;
    flow->in_size = stream->avail_in;
    flow->out = stream->next_out;
    flow->out_size = stream->avail_out;
    flow->at_boundary = result == Z_STREAM_END;
    if (result == Z_STREAM_END)
        (void)inflateReset(stream);
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
        return NULL;
    return result == Z_MEM_ERROR ? "out of memory" : stream->msg ? stream->msg : "damaged data";
}

static void gzip_close(void *state)
{
    (void)inflateEnd(state);
    free(state);
}

/* ---- bzip2: streams, one after another ---- */

/* Returns whether bytes begin a bzip2 stream: "BZh" and a digit, followed by a block or the end of the stream: pi or
 * its square root, in BCD. */
static bool bzip2_recognise(const uint8_t *bytes, size_t size)
{
    if (size < 4 || memcmp(bytes, "BZh", 3) != 0 || bytes[3] < '1' || bytes[3] > '9')
        return false;
    return begins(bytes + 4, size - 4, "\x31\x41\x59\x26\x53\x59", 6, 0) ||
           begins(bytes + 4, size - 4, "\x17\x72\x45\x38\x50\x90", 6, 0);
}

static void *bzip2_open(void)
{
    bz_stream *stream = calloc(1, sizeof *stream);
    if (stream && BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK)
        return stream;
    free(stream);
    return NULL;
}

/* Prepares for the next stream. */
static const char *bzip2_reset(bz_stream *stream)
{
    (void)BZ2_bzDecompressEnd(stream);
    memset(stream, 0, sizeof *stream);
    return BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK ? NULL : "out of memory";
}

static const char *bzip2_decode(void *state, tool_flow *flow)
{
    bz_stream *stream = state;
    stream->next_in = (char *)(uintptr_t)flow->in;
    stream->avail_in = (unsigned)flow->in_size;
    stream->next_out = (char *)flow->out;
    stream->avail_out = (unsigned)flow->out_size;
    int result = BZ2_bzDecompress(stream);
    flow->in = (const uint8_t *)stream->next_in;
    flow->in_size = stream->avail_in;
    flow->out = (uint8_t *)stream->next_out;
    flow->out_size = stream->avail_out;
    flow->at_boundary = result == BZ_STREAM_END;
    switch (result) {
    case BZ_OK: return NULL;
    case BZ_STREAM_END: return bzip2_reset(stream);
    case BZ_MEM_ERROR: return "out of memory";
    case BZ_DATA_ERROR_MAGIC: return "not a bzip2 stream";
    default: return "damaged data";
    }
}

static void bzip2_close(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    free(state);
}

/* ---- Zstandard: frames, including skippable frames ---- */

static bool zstd_recognise(const uint8_t *bytes, size_t size)
{
    if (begins(bytes, size, "\x28\xB5\x2F\xFD", 4, 3))
        return true;
    return size >= 4 && bytes[0] >> 4 == 5 && memcmp(bytes + 1, "\x2A\x4D\x18", 3) == 0;
}

static void *zstd_open(void)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    /* Accept windows of 2 GiB, as `zstd --long=31` makes them; 1 GiB if pointers have 32 bits. */
    ZSTD_bounds window = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    if (context && !ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, window.upperBound)))
        return context;
    (void)ZSTD_freeDCtx(context);
    return NULL;
}

static const char *zstd_decode(void *state, tool_flow *flow)
{
    ZSTD_inBuffer in = {flow->in, flow->in_size, 0};
    ZSTD_outBuffer out = {flow->out, flow->out_size, 0};
    size_t left = ZSTD_decompressStream(state, &out, &in);
    if (ZSTD_isError(left))
        return ZSTD_getErrorName(left);
    flow->in += in.pos;
    flow->in_size -= in.pos;
    flow->out += out.pos;
    flow->out_size -= out.pos;
    flow->at_boundary = left == 0;
    return NULL;
}

static void zstd_close(void *state)
{
    (void)ZSTD_freeDCtx(state);
}

/* ---- xz: streams, one after another, padded with groups of four zeros (the .xz file format, 2.2) ---- */

static bool xz_recognise(const uint8_t *bytes, size_t size)
{
    return begins(bytes, size, "\xFD\x37zXZ\0", 6, 3);
}

static void *xz_open(void)
{
    lzma_stream *stream = calloc(1, sizeof *stream);
    if (stream && lzma_stream_decoder(stream, UINT64_MAX, LZMA_CONCATENATED) == LZMA_OK)
        return stream;
    free(stream);
    return NULL;
}

/* Streams may be concatenated, so only the end of the file ends the data. The decoder is then called without input: the
 * file may not end inside a stream. */
static const char *xz_decode(void *state, tool_flow *flow)
{
    lzma_stream *stream = state;
    stream->next_in = flow->in;
    stream->avail_in = flow->in_size;
    stream->next_out = flow->out;
    stream->avail_out = flow->out_size;
    lzma_ret result = lzma_code(stream, flow->in_size > 0 ? LZMA_RUN : LZMA_FINISH);
    flow->in = stream->next_in;
    flow->in_size = stream->avail_in;
    flow->out = stream->next_out;
    flow->out_size = stream->avail_out;
    flow->at_boundary = result == LZMA_STREAM_END;
    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
    case LZMA_STREAM_END: return NULL;
    case LZMA_MEM_ERROR: return "out of memory";
    case LZMA_OPTIONS_ERROR: return "an unsupported filter";
    case LZMA_FORMAT_ERROR: return "not an xz stream";
    default: return "damaged data";
    }
}

static void xz_close(void *state)
{
    lzma_end(state);
    free(state);
}

static const tool_layer layers[] = {
    /* Tapes and some disks fill the last block of a file with zeros. The gzip program ignores them. */
    {"gzip", {".gz", ".tgz"}, true, gzip_recognise, gzip_open, gzip_decode, gzip_close},
    {"bzip2", {".bz2", ".bz"}, false, bzip2_recognise, bzip2_open, bzip2_decode, bzip2_close},
    {"xz", {".xz"}, false, xz_recognise, xz_open, xz_decode, xz_close},
    {"zstd", {".zst", ".zstd"}, false, zstd_recognise, zstd_open, zstd_decode, zstd_close},
};
enum { LAYERS = sizeof layers / sizeof *layers };

const tool_layer *tool_layer_find(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < LAYERS; i++)
        if (layers[i].recognise(bytes, size))
            return &layers[i];
    return NULL;
}

/* Returns whether bytes begin a zip file. A zip file without members begins with its end record. */
bool tool_layer_is_zip(const uint8_t *bytes, size_t size)
{
    return begins(bytes, size, "PK\3\4", 4, 4) || begins(bytes, size, "PK\5\6", 4, 4);
}

bool tool_cut_ending(const char *name, size_t *length, const char *ending)
{
    const size_t size = strlen(ending);
    if (*length <= size || strncasecmp(name + *length - size, ending, size) != 0)
        return false;
    *length -= size;
    return true;
}

bool tool_layer_cut_ending(const char *name, size_t *length)
{
    for (size_t i = 0; i < LAYERS; i++)
        for (const char *const *ending = layers[i].endings; *ending; ending++)
            if (tool_cut_ending(name, length, *ending))
                return true;
    return false;
}

/* Programs of Windows begin with two letters, but a header with zeros follows. */
static bool is_program(const uint8_t *bytes, size_t size)
{
    return begins(bytes, size, "MZ", 2, 2) && memchr(bytes, 0, size < 64 ? size : 64);
}

const tool_foreign *tool_layer_foreign(const uint8_t *bytes, size_t size)
{
    static const tool_foreign program = {"a program, perhaps a zip file that extracts itself", "unzip -p"};
    static const struct mark {
        tool_foreign foreign;
        const char *bytes;
        size_t size;
        size_t offset;
    } marks[] = {
        {{"a Stamma archive (merge joins archives)", NULL}, "\x8DStamma\n", 8, 0},
        {{"a Parquet file (stamma import --from lichess-parquet reads it)", NULL}, "PAR1", 4, 0},
        {{"a tar archive", "tar -xOf"}, "ustar", 5, 257},
        {{"a 7z archive", "7z x -so"}, "7z\xBC\xAF\x27\x1C", 6, 0},
        {{"a rar archive", "unrar p -inul"}, "Rar!\x1A\x07", 6, 0},
        {{"lz4 data", "lz4 -dc"}, "\x04\x22\x4D\x18", 4, 0},
        {{"compress data", "uncompress -c"}, "\x1F\x9D", 2, 0},
        {{"a program of Linux", NULL},
         "\x7F"
         "ELF",
         4,
         0},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const struct mark *m = &marks[i];
        if (size >= m->offset && begins(bytes + m->offset, size - m->offset, m->bytes, m->size, m->size))
            return &m->foreign;
    }
    return is_program(bytes, size) ? &program : NULL;
}
