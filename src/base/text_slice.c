/* SPDX-License-Identifier: MIT */
/* Converts strings to texts. */
#include "base/base.h"

stamma_bytes stamma_bytes_of(const void *memory, size_t size)
{
    return (stamma_bytes){.size = size, .memory = memory};
}

stamma_text stamma_text_of(const char *string)
{
    return (stamma_text){string, string ? strlen(string) : 0};
}
