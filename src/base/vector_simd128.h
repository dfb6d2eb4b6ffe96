/* SPDX-License-Identifier: MIT */
/* Vectors of integers for WebAssembly with 128-bit vectors: the operations of base/vector.h, on pairs of vectors. Only
 * base/vector.h includes this file. */
#ifndef STAMMA_VECTOR_SIMD128_H
#define STAMMA_VECTOR_SIMD128_H

#include "base/base.h"

#include <wasm_simd128.h>

typedef struct lanes {
    v128_t low, high;
} lanes;

STAMMA_INLINE lanes lanes_load(const void *at)
{
    return (lanes){wasm_v128_load(at), wasm_v128_load((const uint8_t *)at + 16)};
}
STAMMA_INLINE void lanes_store(void *at, lanes x)
{
    wasm_v128_store(at, x.low);
    wasm_v128_store((uint8_t *)at + 16, x.high);
}
STAMMA_INLINE lanes lanes_load_bytes(const void *at)
{
    return (lanes){wasm_i16x8_load8x8(at), wasm_i16x8_load8x8((const uint8_t *)at + 8)};
}
STAMMA_INLINE lanes lanes_all32(int32_t value)
{
    return (lanes){wasm_i32x4_splat(value), wasm_i32x4_splat(value)};
}
STAMMA_INLINE lanes lanes_add16(lanes a, lanes b)
{
    return (lanes){wasm_i16x8_add(a.low, b.low), wasm_i16x8_add(a.high, b.high)};
}
STAMMA_INLINE lanes lanes_add32(lanes a, lanes b)
{
    return (lanes){wasm_i32x4_add(a.low, b.low), wasm_i32x4_add(a.high, b.high)};
}
STAMMA_INLINE lanes lanes_multiply16(lanes a, lanes b)
{
    return (lanes){wasm_i16x8_mul(a.low, b.low), wasm_i16x8_mul(a.high, b.high)};
}
STAMMA_INLINE lanes lanes_multiply32(lanes a, lanes b)
{
    return (lanes){wasm_i32x4_mul(a.low, b.low), wasm_i32x4_mul(a.high, b.high)};
}
STAMMA_INLINE lanes lanes_multiply_pairs(lanes a, lanes b)
{
    return (lanes){wasm_i32x4_dot_i16x8(a.low, b.low), wasm_i32x4_dot_i16x8(a.high, b.high)};
}
STAMMA_INLINE v128_t clamp16(v128_t x, int16_t top)
{
    return wasm_i16x8_min(wasm_i16x8_max(x, wasm_i16x8_const_splat(0)), wasm_i16x8_splat(top));
}
STAMMA_INLINE lanes lanes_clamp16(lanes x, int16_t top)
{
    return (lanes){clamp16(x.low, top), clamp16(x.high, top)};
}
STAMMA_INLINE v128_t clamp32(v128_t x, int32_t top)
{
    return wasm_i32x4_min(wasm_i32x4_max(x, wasm_i32x4_const_splat(0)), wasm_i32x4_splat(top));
}
STAMMA_INLINE lanes lanes_clamp32(lanes x, int32_t top)
{
    return (lanes){clamp32(x.low, top), clamp32(x.high, top)};
}
STAMMA_INLINE lanes lanes_down32(lanes x, int bits)
{
    return (lanes){wasm_u32x4_shr(x.low, (uint32_t)bits), wasm_u32x4_shr(x.high, (uint32_t)bits)};
}
STAMMA_INLINE unsigned lanes_not_zero32(lanes x)
{
    const v128_t zero = wasm_i32x4_const_splat(0);
    return wasm_i32x4_bitmask(wasm_i32x4_ne(x.low, zero)) | wasm_i32x4_bitmask(wasm_i32x4_ne(x.high, zero)) << 4;
}
STAMMA_INLINE void lanes_store_low16(void *at, lanes x)
{
    wasm_v128_store(at, wasm_i16x8_shuffle(x.low, x.high, 0, 2, 4, 6, 8, 10, 12, 14));
}
STAMMA_INLINE int32_t lanes_sum32(lanes x)
{
    v128_t sum = wasm_i32x4_add(x.low, x.high);
    sum = wasm_i32x4_add(sum, wasm_i32x4_shuffle(sum, sum, 2, 3, 0, 1));
    sum = wasm_i32x4_add(sum, wasm_i32x4_shuffle(sum, sum, 1, 0, 3, 2));
    return wasm_i32x4_extract_lane(sum, 0);
}

#endif
