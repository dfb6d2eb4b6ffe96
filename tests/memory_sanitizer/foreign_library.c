/* SPDX-License-Identifier: MIT */
/* For clang's memory sanitizer only. The compression libraries and xxHash are not instrumented, so the sanitizer does
 * not see their writes. The linker (--wrap) redirects the calls of each function below to the function with the prefix
 * __wrap_, which marks the result as initialised. */
#include <bzlib.h>
#include <sanitizer/msan_interface.h>
#include <xxhash.h>
#include <zstd.h>

size_t __real_ZSTD_compress2(ZSTD_CCtx *context, void *out, size_t room, const void *in, size_t size);
size_t __wrap_ZSTD_compress2(ZSTD_CCtx *context, void *out, size_t room, const void *in, size_t size);
size_t __real_ZSTD_decompressDCtx(ZSTD_DCtx *context, void *out, size_t room, const void *in, size_t size);
size_t __wrap_ZSTD_decompressDCtx(ZSTD_DCtx *context, void *out, size_t room, const void *in, size_t size);
size_t __real_ZSTD_decompress(void *out, size_t room, const void *in, size_t size);
size_t __wrap_ZSTD_decompress(void *out, size_t room, const void *in, size_t size);
size_t __real_ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in);
size_t __wrap_ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in);
int __real_BZ2_bzBuffToBuffCompress(char *out, unsigned *written, char *in, unsigned size, int block, int verbosity,
                                    int work);
int __wrap_BZ2_bzBuffToBuffCompress(char *out, unsigned *written, char *in, unsigned size, int block, int verbosity,
                                    int work);
int __real_BZ2_bzDecompressInit(bz_stream *stream, int verbosity, int small);
int __wrap_BZ2_bzDecompressInit(bz_stream *stream, int verbosity, int small);
int __real_BZ2_bzDecompress(bz_stream *stream);
int __wrap_BZ2_bzDecompress(bz_stream *stream);
void __real_XXH128_canonicalFromHash(XXH128_canonical_t *canonical, XXH128_hash_t hash);
void __wrap_XXH128_canonicalFromHash(XXH128_canonical_t *canonical, XXH128_hash_t hash);

size_t __wrap_ZSTD_compress2(ZSTD_CCtx *context, void *out, size_t room, const void *in, size_t size)
{
    __msan_check_mem_is_initialized(in, size);
    size_t written = __real_ZSTD_compress2(context, out, room, in, size);
    if (!ZSTD_isError(written))
        __msan_unpoison(out, written);
    return written;
}

size_t __wrap_ZSTD_decompressDCtx(ZSTD_DCtx *context, void *out, size_t room, const void *in, size_t size)
{
    __msan_check_mem_is_initialized(in, size);
    size_t written = __real_ZSTD_decompressDCtx(context, out, room, in, size);
    if (!ZSTD_isError(written))
        __msan_unpoison(out, written);
    return written;
}

size_t __wrap_ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
    const size_t begin = out->pos;
    size_t left = __real_ZSTD_decompressStream(context, out, in);
    __msan_unpoison(out, sizeof *out);
    __msan_unpoison(in, sizeof *in);
    __msan_unpoison((char *)out->dst + begin, out->pos - begin);
    return left;
}

/* Called by the mutator of fuzz targets. */
size_t __wrap_ZSTD_decompress(void *out, size_t room, const void *in, size_t size)
{
    const size_t written = __real_ZSTD_decompress(out, room, in, size);
    if (!ZSTD_isError(written))
        __msan_unpoison(out, written);
    return written;
}

int __wrap_BZ2_bzBuffToBuffCompress(char *out, unsigned *written, char *in, unsigned size, int block, int verbosity,
                                    int work)
{
    __msan_check_mem_is_initialized(in, size);
    int status = __real_BZ2_bzBuffToBuffCompress(out, written, in, size, block, verbosity, work);
    __msan_unpoison(written, sizeof *written);
    if (status == BZ_OK)
        __msan_unpoison(out, *written);
    return status;
}

int __wrap_BZ2_bzDecompressInit(bz_stream *stream, int verbosity, int small)
{
    int status = __real_BZ2_bzDecompressInit(stream, verbosity, small);
    __msan_unpoison(stream, sizeof *stream);
    return status;
}

int __wrap_BZ2_bzDecompress(bz_stream *stream)
{
    const char *out = stream->next_out;
    __msan_check_mem_is_initialized(stream->next_in, stream->avail_in);
    int status = __real_BZ2_bzDecompress(stream);
    __msan_unpoison(stream, sizeof *stream);
    __msan_unpoison(out, (size_t)(stream->next_out - out));
    return status;
}

void __wrap_XXH128_canonicalFromHash(XXH128_canonical_t *canonical, XXH128_hash_t hash)
{
    __real_XXH128_canonicalFromHash(canonical, hash);
    __msan_unpoison(canonical, sizeof *canonical);
}
