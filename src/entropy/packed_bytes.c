/* SPDX-License-Identifier: MIT */
/* Compresses bytes with zstd, or with bzip2 if that is better (clause 3.2). */
#include "entropy/entropy.h"

#include <bzlib.h>

void stamma_byte_packer_release(byte_packer *c)
{
    ZSTD_freeCCtx(c->compressor);
    ZSTD_freeDCtx(c->decompressor);
    c->compressor = NULL;
    c->decompressor = NULL;
}

typedef struct setting {
    ZSTD_cParameter name;
    int value;
} setting;

/* Words benefit most from more effort. About level 18, with tables of a quarter of the size to limit the memory of a
 * block. */
static const setting words[] = {{ZSTD_c_windowLog, 22},         {ZSTD_c_chainLog, 21}, {ZSTD_c_hashLog, 20},
                                {ZSTD_c_searchLog, 5},          {ZSTD_c_minMatch, 4},  {ZSTD_c_targetLength, 64},
                                {ZSTD_c_strategy, ZSTD_btultra}};
/* Ten times faster than `words`, with almost the same result for words that programs repeat many times. */
static const setting repeated_words[] = {{ZSTD_c_windowLog, 22}, {ZSTD_c_chainLog, 17}, {ZSTD_c_hashLog, 17},
                                         {ZSTD_c_searchLog, 6},  {ZSTD_c_minMatch, 4},  {ZSTD_c_strategy, ZSTD_lazy2}};
/* The smallest tables and the longest steps, to search as little as possible. The last parameter is
 * ZSTD_c_literalCompressionMode: always. */
static const setting alone[] = {{ZSTD_c_hashLog, 6},
                                {ZSTD_c_minMatch, 7},
                                {ZSTD_c_targetLength, 1 << 17},
                                {ZSTD_c_strategy, ZSTD_fast},
                                {ZSTD_c_experimentalParam5, 1}};

/* Codes of moves repeat in short runs. Matches of four bytes make them 2 % smaller. */
static const setting codes[] = {{ZSTD_c_minMatch, 4}};

/* Tables of half a megabyte, a sixth of the default size of these levels. Larger tables make columns only 0.1 %
 * smaller, and clearing them takes longer than searching them. */
static const setting small_tables[] = {{ZSTD_c_hashLog, 16}, {ZSTD_c_chainLog, 16}};

static void set(ZSTD_CCtx *compressor, const setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)ZSTD_CCtx_setParameter(compressor, settings[i].name, settings[i].value);
}

/* Fixes the match finder of the greedy and lazy strategies. By default, zstd chooses the match finder by the size of
 * the window and by the processor's vector instructions, so the same bytes would be packed differently on different
 * machines. The limit is zstd's for processors that have such instructions. The parameter is
 * ZSTD_c_useRowMatchFinder; its values are ZSTD_ps_enable and ZSTD_ps_disable. zstd before 1.5.1 has other values or
 * no such match finder. */
static void fix_match_finder(ZSTD_CCtx *compressor, size_t size)
{
#if ZSTD_VERSION_NUMBER >= 10501
    enum { ENABLE = 1, DISABLE = 2, LARGEST_WITHOUT = 1 << 14 };
    (void)ZSTD_CCtx_setParameter(compressor, ZSTD_c_experimentalParam14, size > LARGEST_WITHOUT ? ENABLE : DISABLE);
#else
    (void)compressor;
    (void)size;
#endif
}

enum { REPEATED_WORDS = EFFORT_NONE - 1 }; /* an effort used only in this file */

/* Returns the size of the compressed bytes, or an error of zstd. */
static size_t compress(ZSTD_CCtx *compressor, int level, const uint8_t *plain, size_t size, uint8_t *out, size_t room)
{
    (void)ZSTD_CCtx_reset(compressor, ZSTD_reset_session_and_parameters);
    if (level == EFFORT_BYTES)
        set(compressor, alone, sizeof alone / sizeof *alone);
    else if (level == EFFORT_WORDS)
        set(compressor, words, sizeof words / sizeof *words);
    else if (level == REPEATED_WORDS)
        set(compressor, repeated_words, sizeof repeated_words / sizeof *repeated_words);
    else
        (void)ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, level);
    if (level == EFFORT_MOVES)
        set(compressor, codes, sizeof codes / sizeof *codes);
    if (level > EFFORT_MOVES)
        set(compressor, small_tables, sizeof small_tables / sizeof *small_tables);
    fix_match_finder(compressor, size);
    return ZSTD_compress2(compressor, out, room, plain, size);
}

/* Compresses differences of numbers. If bytes repeat only by chance, matches cost more than Huffman codes of single
 * bytes. For columns of numbers with more repetition, matches are better. A sample decides; both are tried if the
 * sample is not conclusive. Huffman codes have at least one bit for each byte, so a sample close to this limit is
 * not conclusive. If the sample is all of the data, more effort makes it at most a seventh smaller. `out` has room
 * for 2 * `room` bytes. */
static size_t compress_numbers(ZSTD_CCtx *compressor, const uint8_t *plain, size_t size, uint8_t *out, size_t room)
{
    enum { SAMPLE = 16384 };
    size_t part = size < SAMPLE ? size : SAMPLE;
    uint8_t *other = out + room;
    size_t by_itself = compress(compressor, EFFORT_BYTES, plain, part, other, room);
    size_t repeating = ZSTD_isError(by_itself) ? by_itself : compress(compressor, EFFORT_FAST, plain, part, out, room);
    if (ZSTD_isError(repeating))
        return repeating;
    bool dense = by_itself > part / 4, repeats = repeating < by_itself - by_itself / 4;
    size_t gain = part == size ? (dense ? 0 : by_itself / 7) : by_itself / 16;
    bool alone = repeating >= by_itself + gain && (dense || part == size);
    if (!alone) {
        repeating = compress(compressor, EFFORT_REPEATS, plain, size, out, room);
        if (repeats || repeating < size / 8 || ZSTD_isError(repeating))
            return repeating;
    }
    if (part < size)
        by_itself = compress(compressor, EFFORT_BYTES, plain, size, other, room);
    if (ZSTD_isError(by_itself))
        return by_itself;
    if (!alone && repeating <= by_itself)
        return repeating;
    memcpy(out, other, by_itself);
    return by_itself;
}

/* Appends the bytes compressed with bzip2, if they have at most `limit` bytes. Returns OK or NO_MEMORY. */
static stamma_error compress_by_bzip2(const buffer *plain, size_t limit, buffer *out)
{
    enum { HUNDREDS_OF_THOUSANDS = 9 };
    unsigned size = (unsigned)limit;
    if (!buffer_reserve(out, limit))
        return STAMMA_ERROR_NO_MEMORY;
    /* The library's parameter is not const, but the bytes are only read. */
    char *source = (char *)(uintptr_t)plain->data;
    int status = BZ2_bzBuffToBuffCompress((char *)out->data + out->size, &size, source, (unsigned)plain->size,
                                          HUNDREDS_OF_THOUSANDS, 0, 0);
    if (status == BZ_OK)
        out->size += size;
    return status == BZ_MEM_ERROR ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Compresses text. Text written by people is a tenth smaller with bzip2, which decompresses slowly; bzip2 is therefore
 * used only if it is better by 1/32. A first attempt with little effort decides whether more effort is useful. More
 * effort is useless for words that repeat many times. It saves at most an eighth, and is therefore also useless if
 * bzip2 is better by more than this. `out` has room for the plain bytes. Returns OK or NO_MEMORY. */
static stamma_error compress_words(ZSTD_CCtx *compressor, const buffer *plain, uint8_t *out, size_t room, size_t *size)
{
    enum { BZIP2_LEAST = 4096 };
    buffer other = {.allocator = plain->allocator};
    stamma_error error = STAMMA_OK;
    size_t little = compress(compressor, REPEATED_WORDS, plain->data, plain->size, out, room);
    *size = little;
    if (ZSTD_isError(little) || little <= plain->size / 16)
        return STAMMA_OK;
    if (plain->size >= BZIP2_LEAST)
        error = compress_by_bzip2(plain, little - little / 32, &other);
    if (error == STAMMA_OK && (other.size == 0 || other.size > little - little / 7))
        *size = compress(compressor, EFFORT_WORDS, plain->data, plain->size, out, room);
    if (other.size > 0 && !ZSTD_isError(*size) && other.size <= *size - *size / 32) {
        memcpy(out, other.data, other.size);
        *size = other.size;
    }
    stamma_buffer_release(&other);
    return error;
}

stamma_error stamma_bytes_pack(byte_packer *coder, int level, const buffer *plain, buffer *body, uint8_t *codec)
{
    if (!coder->compressor && !(coder->compressor = ZSTD_createCCtx()))
        return STAMMA_ERROR_NO_MEMORY;
    size_t bound = ZSTD_compressBound(plain->size);
    if (!buffer_reserve(body, level == EFFORT_NUMBERS ? size_multiply(bound, 2) : bound))
        return STAMMA_ERROR_NO_MEMORY;
    uint8_t *out = body->data + body->size;
    stamma_error error = STAMMA_OK;
    size_t size;
    if (level == EFFORT_WORDS)
        error = compress_words(coder->compressor, plain, out, bound, &size);
    else if (level == EFFORT_NUMBERS)
        size = compress_numbers(coder->compressor, plain->data, plain->size, out, bound);
    else
        size = compress(coder->compressor, level, plain->data, plain->size, out, bound);
    if (error != STAMMA_OK || ZSTD_isError(size))
        return STAMMA_ERROR_NO_MEMORY;
    *codec = size < plain->size ? CODEC_PACKED : CODEC_STORED;
    if (*codec == CODEC_STORED && plain->size > 0)
        memcpy(out, plain->data, plain->size);
    body->size += *codec == CODEC_STORED ? plain->size : size;
    return STAMMA_OK;
}

/* Unpacks exactly one bzip2 stream of `size` bytes. *got is the number of bytes unpacked, also after an error. */
static stamma_error unpack_bzip2(const uint8_t *stored, size_t stored_size, uint8_t *plain, size_t size, size_t *got)
{
    bz_stream stream = {.next_in = (char *)(uintptr_t)stored,
                        .avail_in = (unsigned)stored_size,
                        .next_out = (char *)plain,
                        .avail_out = (unsigned)size};
    int status = BZ2_bzDecompressInit(&stream, 0, 0);
    if (status != BZ_OK)
        return STAMMA_ERROR_NO_MEMORY;
    status = BZ2_bzDecompress(&stream);
    bool whole = status == BZ_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
    *got = size - stream.avail_out;
    (void)BZ2_bzDecompressEnd(&stream);
    return whole ? STAMMA_OK : status == BZ_MEM_ERROR ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
}

/* Unpacks exactly one zstd frame that states its size. */
static stamma_error unpack_zstd(byte_packer *coder, const uint8_t *stored, size_t stored_size, uint8_t *plain,
                                size_t size)
{
    if (!coder->decompressor && !(coder->decompressor = ZSTD_createDCtx()))
        return STAMMA_ERROR_NO_MEMORY;
    if (ZSTD_getFrameContentSize(stored, stored_size) != size ||
        ZSTD_findFrameCompressedSize(stored, stored_size) != stored_size)
        return STAMMA_ERROR_CORRUPT;
    size_t got = ZSTD_decompressDCtx(coder->decompressor, plain, size, stored, stored_size);
    return got == size ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Unpacks the parts of a damaged frame before the damage, after unpack_zstd. */
static void unpack_begin(byte_packer *coder, const uint8_t *stored, size_t stored_size, uint8_t *plain, size_t size,
                         size_t *got)
{
    ZSTD_inBuffer in = {stored, stored_size, 0};
    ZSTD_outBuffer out = {plain, size, 0};
    size_t left = 1, before = 0;
    *got = 0;
    (void)ZSTD_DCtx_reset(coder->decompressor, ZSTD_reset_session_only);
    for (bool moves = true; left > 0 && !ZSTD_isError(left) && moves; before = in.pos + out.pos) {
        left = ZSTD_decompressStream(coder->decompressor, &out, &in);
        moves = in.pos + out.pos > before;
    }
    *got = out.pos;
}

static stamma_error unpack_packed(byte_packer *coder, const uint8_t *stored, size_t stored_size, size_t size,
                                  buffer *plain)
{
    bool bzip2 = stored_size >= 3 && memcmp(stored, "BZh", 3) == 0;
    size_t got = 0;
    stamma_error error = bzip2 ? unpack_bzip2(stored, stored_size, plain->data, size, &got)
                               : unpack_zstd(coder, stored, stored_size, plain->data, size);
    if (error != STAMMA_ERROR_CORRUPT || !coder->partial)
        return error;
    if (!bzip2)
        unpack_begin(coder, stored, stored_size, plain->data, size, &got);
    plain->size = got;
    return STAMMA_OK;
}

stamma_error stamma_bytes_unpack(byte_packer *coder, unsigned codec, const uint8_t *stored, size_t stored_size,
                                 size_t size, buffer *plain)
{
    if (!buffer_reserve(plain, size))
        return STAMMA_ERROR_NO_MEMORY;
    plain->size = size;
    if (codec == CODEC_PACKED)
        return unpack_packed(coder, stored, stored_size, size, plain);
    if (size != stored_size)
        return STAMMA_ERROR_CORRUPT;
    if (size > 0)
        memcpy(plain->data, stored, size);
    return STAMMA_OK;
}
