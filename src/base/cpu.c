/* What the processor can do: the library's one mutable word. */
#include <stdatomic.h>

#include "base/base.h"

#if STAMMA_HAVE_BMI2
#include <cpuid.h>

/* AMD before family 25 (Zen 3) runs pext and pdep in microcode, some hundred cycles each. */
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

static bool probe(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return false;
    bool bmi1 = b >> 3 & 1, bmi2 = b >> 8 & 1;
    if (!bmi1 || !bmi2 || !__get_cpuid(1, &a, &b, &c, &d) || !(c >> 23 & 1))
        return false;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c >> 5 & 1) && !pext_is_slow();
}

bool stamma_cpu_has_bmi2(void)
{
    static atomic_int known; /* 0 not probed yet, 1 no, 2 yes */
    int value = atomic_load_explicit(&known, memory_order_relaxed);
    if (STAMMA_UNLIKELY(value == 0)) {
        value = probe() ? 2 : 1;
        atomic_store_explicit(&known, value, memory_order_relaxed);
    }
    return value == 2;
}
#else
bool stamma_cpu_has_bmi2(void)
{
    return false;
}
#endif
