/* Elapsed time. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L /* for clock_gettime */
#endif
#include <time.h>

#include "base/base.h"

uint64_t stamma_clock_ms(void)
{
    struct timespec now = {0, 0};
#ifdef CLOCK_MONOTONIC
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
#else
    (void)timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
