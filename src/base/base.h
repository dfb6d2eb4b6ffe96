/* SPDX-License-Identifier: MIT */
/* The base room: used by all other rooms, and the only place where compiler extensions are allowed. */
#ifndef STAMMA_BASE_H
#define STAMMA_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "stamma.h"

/* The limit of memory that 0 selects in options, in bytes. */
#define MEMORY_DEFAULT ((uint64_t)512 << 20)

/* ---- compiler ---- */

#if defined(__GNUC__)
#define STAMMA_INLINE static inline __attribute__((always_inline))
#define STAMMA_NOINLINE __attribute__((noinline))
#define STAMMA_LIKELY(x) __builtin_expect(!!(x), 1)
#define STAMMA_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define STAMMA_PREFETCH(address) __builtin_prefetch(address) /* this memory will be read soon */
#else
#define STAMMA_INLINE static inline
#define STAMMA_NOINLINE
#define STAMMA_LIKELY(x) (x)
#define STAMMA_UNLIKELY(x) (x)
#define STAMMA_PREFETCH(address) ((void)(address))
#endif

/* Functions between STAMMA_TARGET_BMI2_BEGIN and _END are compiled for x86-64 with BMI1, BMI2, POPCNT and LZCNT.
 * Call them only if stamma_cpu_has_bmi2() returns true. For other targets STAMMA_HAVE_BMI2 is 0 and these functions
 * must not be compiled. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(STAMMA_PORTABLE)
#define STAMMA_HAVE_BMI2 1
#if defined(__clang__)
#define STAMMA_TARGET_BMI2_BEGIN \
    _Pragma("clang attribute push(__attribute__((target(\"bmi,bmi2,popcnt,lzcnt\"))), apply_to = function)")
#define STAMMA_TARGET_BMI2_END _Pragma("clang attribute pop")
#else
#define STAMMA_TARGET_BMI2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"bmi,bmi2,popcnt,lzcnt\")")
#define STAMMA_TARGET_BMI2_END _Pragma("GCC pop_options")
#endif
#else
#define STAMMA_HAVE_BMI2 0
#define STAMMA_TARGET_BMI2_BEGIN
#define STAMMA_TARGET_BMI2_END
#endif

/* Returns whether this processor executes BMI2's pext and pdep in hardware. Processors that run them in slow
 * microcode (AMD before Zen 3) count as not having BMI2. The processor is probed on the first call. The result is
 * cached in the library's only mutable variable, an atomic that is written once. */
bool stamma_cpu_has_bmi2(void);
/* Returns whether the processor has AVX2 (vector.h) in addition to BMI2. Never true without BMI2. */
bool stamma_cpu_has_avx2(void);

/* ---- bits of a 64-bit word ---- */

/* Returns the number of set bits. Compilers recognize the pattern and use the popcount instruction if the target has
 * it. The builtin would call a library function on targets without it. */
STAMMA_INLINE unsigned bits_count(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (unsigned)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}
#if defined(__GNUC__)
/* Returns the number of the lowest set bit. `x` must not be 0. */
STAMMA_INLINE unsigned bits_first(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}
/* Returns the number of the highest set bit. `x` must not be 0. */
STAMMA_INLINE unsigned bits_last(uint64_t x)
{
    return 63u ^ (unsigned)__builtin_clzll(x);
}
#else
STAMMA_INLINE unsigned bits_first(uint64_t x)
{
    return bits_count((x & (0 - x)) - 1);
}
STAMMA_INLINE unsigned bits_last(uint64_t x)
{
    unsigned n = 0;
    while (x >>= 1)
        n++;
    return n;
}
#endif
#if STAMMA_HAVE_BMI2
STAMMA_TARGET_BMI2_BEGIN
/* Packs the bits of `x` selected by `mask` together, starting at bit 0 (BMI2's pext). */
STAMMA_INLINE uint64_t bits_extract(uint64_t x, uint64_t mask)
{
    return __builtin_ia32_pext_di(x, mask);
}
/* Spreads the low bits of `x` over the bits that are set in `mask` (BMI2's pdep). */
STAMMA_INLINE uint64_t bits_deposit(uint64_t x, uint64_t mask)
{
    return __builtin_ia32_pdep_di(x, mask);
}
STAMMA_TARGET_BMI2_END
#endif
/* Returns `x` with only its lowest set bit; 0 for 0. */
STAMMA_INLINE uint64_t bits_lowest(uint64_t x)
{
    return x & (0 - x);
}
/* Returns `x` without its lowest set bit. */
STAMMA_INLINE uint64_t bits_rest(uint64_t x)
{
    return x & (x - 1);
}
/* Returns the number of bits needed for the values 0..count-1: ceil(log2 count); 0 for 0 and 1. */
STAMMA_INLINE unsigned bits_for(uint64_t count)
{
    return count < 2 ? 0 : bits_last(count - 1) + 1;
}

/* ---- little-endian loads and stores at any alignment ---- */

STAMMA_INLINE uint16_t load_u16(const void *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return (uint16_t)(b[0] | b[1] << 8);
}
STAMMA_INLINE uint32_t load_u32(const void *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
STAMMA_INLINE uint64_t load_u64(const void *at)
{
    return (uint64_t)load_u32(at) | (uint64_t)load_u32((const uint8_t *)at + 4) << 32;
}
/* Loads a big-endian word. */
STAMMA_INLINE uint64_t load_u64_high_first(const uint8_t *b)
{
    uint64_t high = (uint64_t)b[0] << 24 | (uint64_t)b[1] << 16 | (uint64_t)b[2] << 8 | b[3];
    return high << 32 | (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 | b[7];
}
STAMMA_INLINE void store_u16(void *at, uint16_t value)
{
    uint8_t *b = (uint8_t *)at;
    b[0] = (uint8_t)value;
    b[1] = (uint8_t)(value >> 8);
}
STAMMA_INLINE void store_u32(void *at, uint32_t value)
{
    store_u16(at, (uint16_t)value);
    store_u16((uint8_t *)at + 2, (uint16_t)(value >> 16));
}
STAMMA_INLINE void store_u64(void *at, uint64_t value)
{
    store_u32(at, (uint32_t)value);
    store_u32((uint8_t *)at + 4, (uint32_t)(value >> 32));
}

/* ---- eight bytes at once ---- */

/* A word of eight equal bytes. */
#define EACH_BYTE(byte) (0x0101010101010101u * (uint64_t)(byte))

/* Sets the high bit of the lowest zero byte of `x`. High bits of nonzero bytes above this byte may be set too. */
STAMMA_INLINE uint64_t zero_bytes(uint64_t x)
{
    return (x - EACH_BYTE(1)) & ~x & EACH_BYTE(0x80);
}

/* ---- sixteen bytes at once: bit n of the result is about byte n ---- */

#if defined(__SSE2__) && !defined(STAMMA_PORTABLE)
STAMMA_INLINE unsigned bytes_equal(const uint8_t *bytes, uint8_t byte)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8((char)byte)));
}
/* `limit`: 1 to 128. */
STAMMA_INLINE unsigned bytes_below(const uint8_t *bytes, uint8_t limit)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8((char)(limit - 1))), x));
}
#else
/* Collects the high bits of eight bytes in one byte. The multiplication moves each to a separate bit of the top
 * byte. */
STAMMA_INLINE unsigned high_bits(uint64_t x)
{
    return (unsigned)((x >> 7 & EACH_BYTE(1)) * UINT64_C(0x0102040810204080) >> 56);
}
/* Returns which of eight bytes are below a limit of 1 to 128. The addition sets the high bit of bytes that reach the
 * limit. Bytes of 128 or more already have the high bit set. */
STAMMA_INLINE unsigned bytes_below8(uint64_t x, unsigned limit)
{
    return high_bits(~(((x & EACH_BYTE(0x7F)) + EACH_BYTE(0x80 - limit)) | x));
}
STAMMA_INLINE unsigned bytes_equal(const uint8_t *bytes, uint8_t byte)
{
    return bytes_below8(load_u64(bytes) ^ EACH_BYTE(byte), 1) | bytes_below8(load_u64(bytes + 8) ^ EACH_BYTE(byte), 1)
                                                                    << 8;
}
STAMMA_INLINE unsigned bytes_below(const uint8_t *bytes, uint8_t limit)
{
    return bytes_below8(load_u64(bytes), limit) | bytes_below8(load_u64(bytes + 8), limit) << 8;
}
#endif

/* ---- sizes that cannot overflow ---- */

/* Return a + b or a * b, or SIZE_MAX on overflow. No allocator can satisfy a request for SIZE_MAX bytes. */
STAMMA_INLINE size_t size_add(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}
STAMMA_INLINE size_t size_multiply(size_t a, size_t b)
{
    return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* ---- numbers as text ---- */

enum { NUMBER_DIGITS = 20 /* of a 64-bit number */ };

/* Writes a number with at least `least` digits, at most NUMBER_DIGITS. Returns the end. */
static inline char *digits_write(uint64_t number, unsigned least, char *out)
{
    char digits[NUMBER_DIGITS];
    unsigned size = 0;
    do
        digits[size++] = (char)('0' + number % 10);
    while ((number /= 10) != 0 || size < least);
    while (size > 0)
        *out++ = digits[--size];
    return out;
}

/* ---- short copies ---- */

/* Copying COPY_STEP bytes is faster than branching on the size, if there is room to read and write that number of
 * bytes. */
enum { COPY_STEP = 16 };
/* Copies `size` bytes, usually at most COPY_STEP. At least COPY_STEP bytes must be readable at `from` and writable
 * at `to`. Returns the address after the `size` bytes in `to`. */
STAMMA_INLINE uint8_t *copy_few(uint8_t *to, const uint8_t *from, size_t size)
{
    memcpy(to, from, COPY_STEP);
    if (STAMMA_UNLIKELY(size > COPY_STEP))
        memcpy(to + COPY_STEP, from + COPY_STEP, size - COPY_STEP);
    return to + size;
}

/* Copies `size` bytes, usually COPY_STEP to 2 * COPY_STEP. Two overlapping copies are faster than a loop or branches
 * on the size. */
STAMMA_INLINE void copy_some(void *to, const void *from, size_t size)
{
    if (STAMMA_LIKELY(size - COPY_STEP <= COPY_STEP)) {
        memcpy(to, from, COPY_STEP);
        memcpy((uint8_t *)to + size - COPY_STEP, (const uint8_t *)from + size - COPY_STEP, COPY_STEP);
    } else {
        memcpy(to, from, size);
    }
}

STAMMA_INLINE bool text_equal(stamma_text a, stamma_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* ---- memory ---- */

/* Decides whether long work should stop: a deadline has passed, or the caller asked to stop. */
typedef struct stop_check {
    bool (*is_stopped)(void *context); /* is called often, so it must be as fast as reading a clock */
    void *context;
} stop_check;

/* Returns whether work should stop. Always false if `check` is NULL. */
STAMMA_INLINE bool work_is_stopped(const stop_check *check)
{
    return check && check->is_stopped(check->context);
}

/* Returns the allocator to use: `given`, or malloc and free if `given` is NULL. */
stamma_allocator stamma_allocator_or_default(const stamma_allocator *given);

STAMMA_INLINE void *memory_allocate(const stamma_allocator *allocator, size_t size)
{
    return allocator->allocate(allocator->context, size);
}
STAMMA_INLINE void *memory_resize(const stamma_allocator *allocator, void *memory, size_t size)
{
    return allocator->resize(allocator->context, memory, size);
}
STAMMA_INLINE void memory_release(const stamma_allocator *allocator, void *memory)
{
    allocator->release(allocator->context, memory);
}

/* ---- checks of arguments: a NULL that is not allowed is a BAD_ARGUMENT ---- */

STAMMA_INLINE bool text_is_given(stamma_text text)
{
    return text.data || text.size == 0;
}
/* NULL means malloc and free. */
STAMMA_INLINE bool allocator_is_given(const stamma_allocator *allocator)
{
    return !allocator || (allocator->allocate && allocator->resize && allocator->release);
}
STAMMA_INLINE bool input_is_given(const stamma_input *input)
{
    return input && input->read;
}
/* Copies bytes, which must not be beyond the end. Returns false if they cannot be read. */
STAMMA_INLINE bool bytes_copy(const stamma_bytes *bytes, uint64_t offset, void *to, size_t size)
{
    if (!bytes->memory)
        return bytes->read_at(bytes->context, offset, to, size);
    memcpy(to, (const uint8_t *)bytes->memory + offset, size);
    return true;
}
STAMMA_INLINE bool bytes_are_given(const stamma_bytes *bytes)
{
    return bytes && (bytes->memory || bytes->read_at || bytes->size == 0);
}
STAMMA_INLINE bool output_is_given(const stamma_output *output)
{
    return output && output->write;
}

/* ---- growing buffer of bytes ---- */

/* Initialize with zeros and set `allocator`. When growing fails, the buffer keeps its contents and `failed` stays
 * set. A sequence of appends can therefore be checked once at its end. */
typedef struct buffer {
    const stamma_allocator *allocator;
    uint8_t *data;
    size_t size;
    size_t capacity;
    bool failed;
} buffer;

/* Makes room for `more` bytes after data + size. Returns false and sets `failed` if memory is exhausted. */
bool stamma_buffer_grow(buffer *b, size_t more);
void stamma_buffer_release(buffer *b);
/* Releases the unused memory of a buffer, if the allocator can. The data may move. */
void stamma_buffer_trim(buffer *b);
/* Empties the buffer for reuse. Frees its memory if the capacity is more than a megabyte and less than a quarter was
 * used. */
void stamma_buffer_empty(buffer *b);

STAMMA_INLINE bool buffer_reserve(buffer *b, size_t more)
{
    return STAMMA_LIKELY(b->capacity - b->size >= more) || stamma_buffer_grow(b, more);
}
/* Replaces the contents by an array of `count` elements of `element` bytes, which are not initialized. Returns the
 * array, which the buffer owns, or NULL if memory is exhausted. */
STAMMA_INLINE void *buffer_array(buffer *b, size_t count, size_t element)
{
    size_t size = size_multiply(count, element);
    b->size = 0;
    if (!buffer_reserve(b, size_add(size, 1)))
        return NULL;
    b->size = size;
    return b->data;
}
/* Returns the place of the byte `at`, which may be the size. A buffer without memory has only NULL: C11 does not define
 * NULL + 0. */
STAMMA_INLINE void *buffer_at(const buffer *b, size_t at)
{
    return b->data ? b->data + at : NULL;
}
STAMMA_INLINE void buffer_add(buffer *b, const void *bytes, size_t size)
{
    if (size != 0 && buffer_reserve(b, size)) {
        memcpy(b->data + b->size, bytes, size);
        b->size += size;
    }
}
STAMMA_INLINE void buffer_add_byte(buffer *b, uint8_t byte)
{
    if (buffer_reserve(b, 1))
        b->data[b->size++] = byte;
}
/* Appends an unsigned LEB128 number: seven bits per byte, lowest first, with the high bit set on all bytes except the
 * last. Needs at most 10 bytes. */
void stamma_buffer_add_varint(buffer *b, uint64_t value);

/* ---- saving and restoring of state ---- */

/* For each kind of state one function lists its members. The same function saves the state or restores it, depending
 * on `restores`. */
typedef struct kept_state {
    buffer *bytes;
    size_t at; /* when restoring: offset in `bytes` */
    bool restores;
} kept_state;

STAMMA_INLINE void state_keep(kept_state *k, void *state, size_t size)
{
    if (k->restores) {
        memcpy(state, k->bytes->data + k->at, size);
        k->at += size;
    } else {
        buffer_add(k->bytes, state, size);
    }
}
/* Saves or restores the size of a buffer that only grows. Restoring truncates the buffer to its saved size. */
STAMMA_INLINE void state_keep_size(kept_state *k, buffer *b)
{
    state_keep(k, &b->size, sizeof b->size);
}
/* Saves or restores the contents of a buffer that is also overwritten. When restoring, the capacity still suffices,
 * because it never shrinks after saving. */
STAMMA_INLINE void state_keep_bytes(kept_state *k, buffer *b)
{
    state_keep_size(k, b);
    if (b->size > 0)
        state_keep(k, b->data, b->size);
}

/* ---- reading untrusted bytes ---- */

/* Reads bytes from outside. Reading past the end returns zeros and sets `failed`. */
typedef struct cursor {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
} cursor;

/* Returns a cursor over the bytes of a buffer, which may be empty. */
STAMMA_INLINE cursor buffer_cursor(const buffer *b)
{
    static const uint8_t nothing = 0;
    const uint8_t *data = b->data ? b->data : &nothing;
    cursor c = {data, data + b->size, false};
    return c;
}
STAMMA_INLINE size_t cursor_left(const cursor *c)
{
    return (size_t)(c->end - c->at);
}
/* Returns a pointer to the next `size` bytes and skips them. Returns NULL and sets `failed` if fewer bytes remain. */
STAMMA_INLINE const uint8_t *cursor_take(cursor *c, uint64_t size)
{
    if (size > cursor_left(c)) {
        c->failed = true;
        c->at = c->end;
        return NULL;
    }
    c->at += (size_t)size;
    return c->at - (size_t)size;
}
STAMMA_INLINE uint8_t cursor_byte(cursor *c)
{
    const uint8_t *byte = cursor_take(c, 1);
    return byte ? *byte : 0;
}
/* Reads a text that ends in a zero byte; the result is without this byte. Returns an empty text and sets `failed` if
 * there is no zero byte. */
STAMMA_INLINE stamma_text cursor_text(cursor *c)
{
    const uint8_t *zero = c->at == c->end ? NULL : (const uint8_t *)memchr(c->at, 0, cursor_left(c));
    stamma_text text = {"", 0};
    if (zero) {
        text.data = (const char *)c->at;
        text.size = (size_t)(zero - c->at);
        c->at = zero + 1;
    } else {
        c->failed = true;
    }
    return text;
}
/* Reads an unsigned LEB128 number. Sets `failed` and returns 0 if the number has more than 10 bytes, exceeds 64
 * bits, or is not in its shortest form. */
uint64_t stamma_cursor_varint(cursor *c);
/* As stamma_cursor_varint, but faster if one-byte numbers are likely. */
STAMMA_INLINE uint64_t cursor_varint(cursor *c)
{
    return STAMMA_LIKELY(c->at != c->end && *c->at < 128) ? *c->at++ : stamma_cursor_varint(c);
}

/* ---- bit strings: the first bit is the most significant of the first byte ---- */

typedef struct bit_writer {
    uint8_t *data;
    size_t capacity; /* in bits */
    size_t size;     /* bits written */
    bool failed;     /* the bits did not fit; nothing more is written */
} bit_writer;

/* Appends the low `count` bits of `value`, most significant first. `count`: 0 to 64. */
void stamma_bits_write(bit_writer *w, uint64_t value, unsigned count);

typedef struct bit_reader {
    const uint8_t *data;
    size_t size; /* in bits */
    size_t at;   /* the next bit */
    bool failed; /* read past the end; zeros were returned */
} bit_reader;

uint64_t stamma_bits_read(bit_reader *r, unsigned count);

/* ---- structs that begin with their own size (sized_structs.c) ---- */

/* Copies options from a caller that was compiled against any version of the library to `options`, which has this
 * version's `size`. Members that the caller's version lacks are set to 0, and all members if `given` is NULL.
 * BAD_ARGUMENT: the caller's size is too small to include the size member. UNSUPPORTED: a newer caller set a member
 * that this version does not have. */
stamma_error stamma_options_read(const void *given, void *options, size_t size);
/* Returns whether a caller's struct for a result is NULL or states a possible size. */
bool stamma_result_has_size(const void *result);
/* Copies a result of this version's `size` to a caller's struct, which may be NULL, shorter or longer. Never writes
 * past the end of the caller's struct. Members that this version does not have are set to 0. The caller's size
 * member is unchanged. */
void stamma_result_write(const void *known, size_t size, void *result);

#endif
