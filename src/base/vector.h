/* SPDX-License-Identifier: MIT */
/* Vectors of integers: sixteen lanes of 16 bits or eight lanes of 32 bits, for code compiled for processors with
 * AVX2, and for WebAssembly with vectors (base/vector_simd128.h).
 *
 * Functions between STAMMA_TARGET_AVX2_BEGIN and _END are compiled for x86-64 with AVX2, BMI1, BMI2, POPCNT and
 * LZCNT. Call them only if stamma_cpu_has_avx2() returns true. For other targets STAMMA_HAVE_AVX2 is 0 and these
 * functions must not be compiled. No operation saturates; overflow wraps around. The caller must prove that nothing
 * overflows. */
#ifndef STAMMA_VECTOR_H
#define STAMMA_VECTOR_H

#include "base/base.h"

#define STAMMA_HAVE_AVX2 STAMMA_HAVE_BMI2

/* Whether all code of this target may use vectors. */
#if defined(__wasm_simd128__)
#define STAMMA_HAVE_VECTORS 1
#include "base/vector_simd128.h"
#else
#define STAMMA_HAVE_VECTORS 0
#endif

#if STAMMA_HAVE_AVX2
#include <immintrin.h>

#if defined(__clang__)
#define STAMMA_TARGET_AVX2_BEGIN \
    _Pragma("clang attribute push(__attribute__((target(\"avx2,bmi,bmi2,popcnt,lzcnt\"))), apply_to = function)")
#define STAMMA_TARGET_AVX2_END _Pragma("clang attribute pop")
#else
#define STAMMA_TARGET_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,bmi,bmi2,popcnt,lzcnt\")")
#define STAMMA_TARGET_AVX2_END _Pragma("GCC pop_options")
#endif

STAMMA_TARGET_AVX2_BEGIN

typedef __m256i lanes;

STAMMA_INLINE lanes lanes_load(const void *at) /* 32 bytes, at any address */
{
    return _mm256_loadu_si256((const __m256i *)at);
}
STAMMA_INLINE void lanes_store(void *at, lanes x)
{
    _mm256_storeu_si256((__m256i *)at, x);
}
/* Loads sixteen signed bytes as lanes of 16 bits. */
STAMMA_INLINE lanes lanes_load_bytes(const void *at)
{
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)at));
}
STAMMA_INLINE lanes lanes_all32(int32_t value)
{
    return _mm256_set1_epi32(value);
}
STAMMA_INLINE lanes lanes_add16(lanes a, lanes b)
{
    return _mm256_add_epi16(a, b);
}
STAMMA_INLINE lanes lanes_add32(lanes a, lanes b)
{
    return _mm256_add_epi32(a, b);
}
/* Returns the low half of each product. */
STAMMA_INLINE lanes lanes_multiply16(lanes a, lanes b)
{
    return _mm256_mullo_epi16(a, b);
}
STAMMA_INLINE lanes lanes_multiply32(lanes a, lanes b)
{
    return _mm256_mullo_epi32(a, b);
}
/* Multiplies lanes of 16 bits and adds adjacent products, as lanes of 32 bits. */
STAMMA_INLINE lanes lanes_multiply_pairs(lanes a, lanes b)
{
    return _mm256_madd_epi16(a, b);
}
/* Limits each lane to the range 0 to `top`. */
STAMMA_INLINE lanes lanes_clamp16(lanes x, int16_t top)
{
    return _mm256_min_epi16(_mm256_max_epi16(x, _mm256_setzero_si256()), _mm256_set1_epi16(top));
}
STAMMA_INLINE lanes lanes_clamp32(lanes x, int32_t top)
{
    return _mm256_min_epi32(_mm256_max_epi32(x, _mm256_setzero_si256()), _mm256_set1_epi32(top));
}
/* Divides each lane by 2 to the power of `bits`. Lanes must not be negative. */
STAMMA_INLINE lanes lanes_down32(lanes x, int bits)
{
    return _mm256_srli_epi32(x, bits);
}
/* Sets bit n if lane n, one of eight lanes of 32 bits, is not 0. */
STAMMA_INLINE unsigned lanes_not_zero32(lanes x)
{
    __m256i zero = _mm256_cmpeq_epi32(x, _mm256_setzero_si256());
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(zero)) ^ 255;
}
/* Stores eight lanes of 32 bits as eight of 16 bits. The values must fit in 16 bits. */
STAMMA_INLINE void lanes_store_low16(void *at, lanes x)
{
    const __m256i low =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1));
    _mm_storeu_si128((__m128i *)at,
                     _mm256_castsi256_si128(_mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, low), 0x08)));
}
/* Returns the sum of the lanes of 32 bits. */
STAMMA_INLINE int32_t lanes_sum32(lanes x)
{
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
    return _mm_cvtsi128_si32(sum);
}

STAMMA_TARGET_AVX2_END
#endif

#endif
