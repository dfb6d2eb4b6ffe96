/* The base room: what every other room stands on, and the only place where compiler extensions are allowed. */
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

/* ---- compiler ---- */

#if defined(__GNUC__)
#define STAMMA_INLINE static inline __attribute__((always_inline))
#define STAMMA_NOINLINE __attribute__((noinline))
#define STAMMA_LIKELY(x) __builtin_expect(!!(x), 1)
#define STAMMA_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define STAMMA_PREFETCH(address) __builtin_prefetch(address) /* the memory there will be read soon */
#else
#define STAMMA_INLINE static inline
#define STAMMA_NOINLINE
#define STAMMA_LIKELY(x) (x)
#define STAMMA_UNLIKELY(x) (x)
#define STAMMA_PREFETCH(address) ((void)(address))
#endif

/* Functions between STAMMA_TARGET_BMI2_BEGIN and _END are compiled for x86-64 with BMI1, BMI2, POPCNT and LZCNT; call
 * them only when stamma_cpu_has_bmi2(). Elsewhere STAMMA_HAVE_BMI2 is 0 and such code must not be compiled. */
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

/* Whether this processor runs BMI2's pext and pdep in hardware and fast (not in microcode, as AMD before Zen 3). Probed
 * once; the answer is kept in the library's only mutable word, write-once and atomic. */
bool stamma_cpu_has_bmi2(void);
/* Whether it has AVX2 as well (vector.h). Never without BMI2. */
bool stamma_cpu_has_avx2(void);

/* ---- bits of a 64-bit word ---- */

/* How many bits are set. Compilers know the pattern and use the instruction where the target has one; the builtin would
 * call a function where it has none. */
STAMMA_INLINE unsigned bits_count(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (unsigned)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}
#if defined(__GNUC__)
/* The lowest set bit's number. `x` must not be 0. */
STAMMA_INLINE unsigned bits_first(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}
/* The highest set bit's number. `x` must not be 0. */
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
/* The bits of `x` where `mask` has ones, packed together from bit 0 (BMI2's pext). */
STAMMA_INLINE uint64_t bits_extract(uint64_t x, uint64_t mask)
{
    return __builtin_ia32_pext_di(x, mask);
}
/* The low bits of `x`, spread over the places where `mask` has ones (BMI2's pdep). */
STAMMA_INLINE uint64_t bits_deposit(uint64_t x, uint64_t mask)
{
    return __builtin_ia32_pdep_di(x, mask);
}
STAMMA_TARGET_BMI2_END
#endif
/* The lowest set bit of `x` alone; 0 for 0. */
STAMMA_INLINE uint64_t bits_lowest(uint64_t x)
{
    return x & (0 - x);
}
/* `x` without its lowest set bit. */
STAMMA_INLINE uint64_t bits_rest(uint64_t x)
{
    return x & (x - 1);
}
/* How many bits hold the values 0..count-1: ceil(log2 count); 0 for 0 and 1. */
STAMMA_INLINE unsigned bits_for(uint64_t count)
{
    return count < 2 ? 0 : bits_last(count - 1) + 1;
}

/* ---- little-endian loads and stores, any alignment ---- */

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
/* The first byte is the highest. */
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

/* Eight bytes alike. */
#define EACH_BYTE(byte) (0x0101010101010101u * (uint64_t)(byte))

/* The high bit of the lowest zero byte of `x`, and perhaps of bytes above it that are no zeros. */
STAMMA_INLINE uint64_t zero_bytes(uint64_t x)
{
    return (x - EACH_BYTE(1)) & ~x & EACH_BYTE(0x80);
}

/* ---- sixteen bytes at once: bit n tells of byte n ---- */

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
/* The high bits of eight bytes as eight bits: a multiplication brings each to a place of its own in the top byte. */
STAMMA_INLINE unsigned high_bits(uint64_t x)
{
    return (unsigned)((x >> 7 & EACH_BYTE(1)) * UINT64_C(0x0102040810204080) >> 56);
}
/* Which of eight bytes are below a limit of 1 to 128: adding sets the high bit of those that reach it, and bytes from
 * 128 on have it. */
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

/* a + b or a * b, or SIZE_MAX where that does not fit (which no allocator grants). */
STAMMA_INLINE size_t size_add(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}
STAMMA_INLINE size_t size_multiply(size_t a, size_t b)
{
    return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* ---- short copies ---- */

/* Where there is room for so many bytes to read and to write, copying these is quicker than asking how many. */
enum { COPY_STEP = 16 };
/* Copies `size` bytes, mostly few; from both places a step may be taken. The place behind them. */
STAMMA_INLINE uint8_t *copy_few(uint8_t *to, const uint8_t *from, size_t size)
{
    memcpy(to, from, COPY_STEP);
    if (STAMMA_UNLIKELY(size > COPY_STEP))
        memcpy(to + COPY_STEP, from + COPY_STEP, size - COPY_STEP);
    return to + size;
}

/* Copies bytes, mostly one step to two: two copies that overlap are quicker than asking how many. */
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
    bool (*is_stopped)(void *context); /* as cheap as reading a clock */
    void *context;
} stop_check;

/* Whether work should stop; never if `check` is NULL. */
STAMMA_INLINE bool work_is_stopped(const stop_check *check)
{
    return check && check->is_stopped(check->context);
}

/* The allocator to use: `given`, or malloc and free where it is NULL. */
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

/* ---- what callers give: NULL where none may be is BAD_ARGUMENT ---- */

STAMMA_INLINE bool text_is_given(stamma_text text)
{
    return text.data || text.size == 0;
}
/* NULL stands for malloc and free. */
STAMMA_INLINE bool allocator_is_given(const stamma_allocator *allocator)
{
    return !allocator || (allocator->allocate && allocator->resize && allocator->release);
}
STAMMA_INLINE bool input_is_given(const stamma_input *input)
{
    return input && input->read;
}
STAMMA_INLINE bool output_is_given(const stamma_output *output)
{
    return output && output->write;
}

/* ---- a buffer of bytes that grows ---- */

/* Zero it and set `allocator`. After a failed growth the buffer keeps what it had and `failed` stays set, so that a run
 * of appends may be checked once at its end. */
typedef struct buffer {
    const stamma_allocator *allocator;
    uint8_t *data;
    size_t size;
    size_t capacity;
    bool failed;
} buffer;

/* Makes room for `more` bytes behind data + size. False, and `failed`, when there is no memory. */
bool stamma_buffer_grow(buffer *b, size_t more);
void stamma_buffer_release(buffer *b);
/* Empties it for other use. Room of more than a megabyte is given back where less than a quarter of it was filled. */
void stamma_buffer_empty(buffer *b);

STAMMA_INLINE bool buffer_reserve(buffer *b, size_t more)
{
    return STAMMA_LIKELY(b->capacity - b->size >= more) || stamma_buffer_grow(b, more);
}
/* Gives an array of so many elements, which are not set, in place of what the buffer had. NULL: no memory. */
STAMMA_INLINE void *buffer_array(buffer *b, size_t count, size_t element)
{
    size_t size = size_multiply(count, element);
    b->size = 0;
    if (!buffer_reserve(b, size_add(size, 1)))
        return NULL;
    b->size = size;
    return b->data;
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
/* Unsigned LEB128: seven bits a byte, low first, high bit set on all but the last; at most 10 bytes. */
void stamma_buffer_add_varint(buffer *b, uint64_t value);

/* ---- state that is kept, to go back to it ---- */

/* What has a state says of what it is made by one function, which keeps it, or brings it back. */
typedef struct kept_state {
    buffer *bytes;
    size_t at; /* restoring: in them */
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
/* Of a buffer that only grows, up to where it was. */
STAMMA_INLINE void state_keep_size(kept_state *k, buffer *b)
{
    state_keep(k, &b->size, sizeof b->size);
}
/* Of one that is written to: its bytes, for which there is room once they were there. */
STAMMA_INLINE void state_keep_bytes(kept_state *k, buffer *b)
{
    state_keep_size(k, b);
    if (b->size > 0)
        state_keep(k, b->data, b->size);
}

/* ---- reading bytes that may lie ---- */

/* A cursor over bytes from outside. Past the end it gives zeros and sets `failed`. */
typedef struct cursor {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
} cursor;

/* Over a buffer's bytes, of which there may be none. */
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
/* `size` bytes, or NULL and `failed`. */
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
/* A text that ends in a zero byte, without that; empty and `failed` where there is none. */
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
/* Rejects more than 10 bytes, values past 64 bits and padded forms: `failed`. */
uint64_t stamma_cursor_varint(cursor *c);
/* The same, quicker where one byte is likely. */
STAMMA_INLINE uint64_t cursor_varint(cursor *c)
{
    return STAMMA_LIKELY(c->at != c->end && *c->at < 128) ? *c->at++ : stamma_cursor_varint(c);
}

/* ---- bit strings: the first bit is the most significant of the first byte ---- */

typedef struct bit_writer {
    uint8_t *data;
    size_t capacity; /* bits */
    size_t size;     /* bits written */
    bool failed;     /* did not fit: nothing more is written */
} bit_writer;

/* Appends the low `count` bits of `value`, 0 <= count <= 64, most significant first. */
void stamma_bits_write(bit_writer *w, uint64_t value, unsigned count);

typedef struct bit_reader {
    const uint8_t *data;
    size_t size; /* bits */
    size_t at;   /* next bit */
    bool failed; /* read past the end: zeros came */
} bit_reader;

uint64_t stamma_bits_read(bit_reader *r, unsigned count);

/* ---- structs that begin with their own size (sized_structs.c) ---- */

/* Options that a caller compiled against any version gave, as this version knows them: what an older one has not is 0,
 * and so is everything where `given` is NULL. BAD_ARGUMENT for a size that cannot be; UNSUPPORTED where a newer caller
 * sets what this version does not know. */
stamma_error stamma_options_read(const void *given, void *options, size_t size);
/* Whether a struct to write a result to, which may be NULL, says a size that can be. */
bool stamma_result_has_size(const void *result);
/* Writes a result of this version's size to a caller's struct, which may be NULL, shorter or longer: never past its
 * end, and zeros to what this version does not know. Its size stays. */
void stamma_result_write(const void *known, size_t size, void *result);

/* ---- time (clock.c) ---- */

/* Milliseconds since some moment, by a clock that is never set where the system has one. */
uint64_t stamma_clock_ms(void);

#endif
