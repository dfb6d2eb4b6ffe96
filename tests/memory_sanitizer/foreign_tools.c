/* SPDX-License-Identifier: MIT */
/* Wrappers like those of foreign_library.c, for the libraries with which the command reads compressed files. */
#include <lzma.h>
#include <sanitizer/msan_interface.h>
#include <sys/types.h>

#include <sha256.h>
#include <zlib.h>

int __real_inflateInit2_(z_stream *stream, int bits, const char *version, int size);
int __wrap_inflateInit2_(z_stream *stream, int bits, const char *version, int size);
int __real_inflateReset(z_stream *stream);
int __wrap_inflateReset(z_stream *stream);
int __real_inflate(z_stream *stream, int flush);
int __wrap_inflate(z_stream *stream, int flush);
void __real_SHA256Init(SHA2_CTX *state);
void __wrap_SHA256Init(SHA2_CTX *state);
void __real_SHA256Final(uint8_t *hash, SHA2_CTX *state);
void __wrap_SHA256Final(uint8_t *hash, SHA2_CTX *state);
lzma_ret __real_lzma_stream_decoder(lzma_stream *stream, uint64_t memory, uint32_t flags);
lzma_ret __wrap_lzma_stream_decoder(lzma_stream *stream, uint64_t memory, uint32_t flags);
lzma_ret __real_lzma_code(lzma_stream *stream, lzma_action action);
lzma_ret __wrap_lzma_code(lzma_stream *stream, lzma_action action);

/* liblzma compares memory that it wrote itself. The tests of the library still check calls of memcmp. */
const char *__msan_default_options(void);
const char *__msan_default_options(void)
{
    return "intercept_memcmp=0";
}

int __wrap_inflateInit2_(z_stream *stream, int bits, const char *version, int size)
{
    int status = __real_inflateInit2_(stream, bits, version, size);
    __msan_unpoison(stream, sizeof *stream);
    return status;
}

int __wrap_inflateReset(z_stream *stream)
{
    int status = __real_inflateReset(stream);
    __msan_unpoison(stream, sizeof *stream);
    return status;
}

int __wrap_inflate(z_stream *stream, int flush)
{
    const unsigned char *out = stream->next_out;
    int status = __real_inflate(stream, flush);
    __msan_unpoison(stream, sizeof *stream);
    __msan_unpoison(out, (size_t)(stream->next_out - out));
    return status;
}

void __wrap_SHA256Init(SHA2_CTX *state)
{
    __real_SHA256Init(state);
    __msan_unpoison(state, sizeof *state);
}

void __wrap_SHA256Final(uint8_t *hash, SHA2_CTX *state)
{
    __real_SHA256Final(hash, state);
    __msan_unpoison(hash, SHA256_DIGEST_LENGTH);
}

lzma_ret __wrap_lzma_stream_decoder(lzma_stream *stream, uint64_t memory, uint32_t flags)
{
    lzma_ret status = __real_lzma_stream_decoder(stream, memory, flags);
    __msan_unpoison(stream, sizeof *stream);
    return status;
}

lzma_ret __wrap_lzma_code(lzma_stream *stream, lzma_action action)
{
    const unsigned char *out = stream->next_out;
    lzma_ret status = __real_lzma_code(stream, action);
    __msan_unpoison(stream, sizeof *stream);
    __msan_unpoison(out, (size_t)(stream->next_out - out));
    return status;
}
