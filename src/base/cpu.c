/* SPDX-License-Identifier: MIT */
/* Detects processor features. Contains the library's only mutable variable. */
#include <stdatomic.h>

#include "base/base.h"

#if STAMMA_HAVE_BMI2
#include <cpuid.h>

/* AMD processors before family 25 (Zen 3) run pext and pdep in microcode, at a cost of hundreds of cycles. */
static bool pext_is_slow(void)
{
    unsigned a, vendor, c, d;
    if (!__get_cpuid(0, &a, &vendor, &c, &d))
        return true;
    bool amd = vendor == 0x68747541u || vendor == 0x6F677948u; /* "Auth", "Hygo" */
    unsigned signature, b;
    if (!__get_cpuid(1, &signature, &b, &c, &d))
        return true;
    unsigned family = (signature >> 8 & 15) + ((signature >> 8 & 15) == 15 ? signature >> 20 & 255 : 0);
    return amd && family < 25;
}

static bool probe_bmi2(unsigned leaf7)
{
    unsigned a, b, c, d;
    if (!(leaf7 >> 3 & 1) || !(leaf7 >> 8 & 1) || !__get_cpuid(1, &a, &b, &c, &d) || !(c >> 23 & 1))
        return false;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c >> 5 & 1) && !pext_is_slow();
}

/* Returns whether the operating system saves the upper halves of the vector registers at task switches (Intel,
 * volume 1, 14.7.1). */
static bool system_keeps_vectors(void)
{
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1))
        return false;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}

enum { KNOWN = 1, HAS_BMI2 = 2, HAS_AVX2 = 4 };

static int probe(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return KNOWN;
    bool bmi2 = probe_bmi2(b);
    return KNOWN | (bmi2 ? HAS_BMI2 : 0) | (bmi2 && (b >> 5 & 1) && system_keeps_vectors() ? HAS_AVX2 : 0);
}

static int capabilities(void)
{
    static atomic_int known; /* 0: not probed yet */
    int value = atomic_load_explicit(&known, memory_order_relaxed);
    if (STAMMA_UNLIKELY(value == 0)) {
        value = probe();
        atomic_store_explicit(&known, value, memory_order_relaxed);
    }
    return value;
}

bool stamma_cpu_has_bmi2(void)
{
    return capabilities() & HAS_BMI2;
}

bool stamma_cpu_has_avx2(void)
{
    return capabilities() & HAS_AVX2;
}
#else
bool stamma_cpu_has_bmi2(void)
{
    return false;
}

bool stamma_cpu_has_avx2(void)
{
    return false;
}
#endif
