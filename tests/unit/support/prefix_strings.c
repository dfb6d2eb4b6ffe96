/* SPDX-License-Identifier: MIT */
/* Makes strings of codes with shared beginnings. */
#include "prefix_strings.h"

#include <stdlib.h>

#include "sample_positions.h"

void sample_strings_init(sample_strings *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->allocator = stamma_allocator_or_default(NULL);
    s->codes.allocator = s->sizes.allocator = s->apart.allocator = &s->allocator;
    s->seed = seed;
}

void sample_strings_release(sample_strings *s)
{
    stamma_buffer_release(&s->codes);
    stamma_buffer_release(&s->sizes);
    stamma_buffer_release(&s->apart);
}

void sample_strings_add(sample_strings *s, const uint8_t *codes, size_t size, bool apart)
{
    uint32_t own = (uint32_t)size;
    buffer_add(&s->codes, codes, size);
    buffer_add(&s->sizes, &own, sizeof own);
    buffer_add_byte(&s->apart, apart);
    s->strings = (prefix_strings){s->codes.data, (const uint32_t *)(const void *)s->sizes.data, s->apart.data,
                                  s->strings.count + 1};
}

const uint8_t *sample_string(const sample_strings *s, size_t n)
{
    const uint8_t *at = s->strings.codes;
    for (size_t i = 0; i < n; i++)
        at += s->strings.sizes[i];
    return at;
}

void sample_strings_draw(sample_strings *s, size_t count, size_t longest)
{
    uint8_t codes[4096];
    for (size_t n = 0; n < count; n++) {
        size_t size = (size_t)(random_next(&s->seed) % (longest + 1)), like = (size_t)(random_next(&s->seed) % (n + 8));
        for (size_t i = 0; i < size; i++)
            codes[i] = (uint8_t)(random_next(&s->seed) % (i < 6 ? 2 : i < 12 ? 5 : 200));
        if (like < n) {
            size_t same = s->strings.sizes[like], copied = same < size || like % 2 ? same : size;
            if (copied > 0)
                memcpy(codes, sample_string(s, like), copied);
            size = like % 2 ? same : size;
        }
        sample_strings_add(s, codes, size, random_next(&s->seed) % 9 == 0);
    }
}
