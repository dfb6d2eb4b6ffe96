/* SPDX-License-Identifier: MIT */
/* Reports differences between an index file and its archive. */
#include "index/index_verify.h"

void stamma_index_differ(index_verifying *v, const char *part, uint64_t number, uint64_t game)
{
    const stamma_index_difference d = {
        .part = part,
        .segment = v->segment ? (uint64_t)(v->segment - v->file.segments) + 1 : 0,
        .number = number,
        .game = game};
    v->differences++;
    if (v->options.difference)
        v->options.difference(v->options.context, &d);
}

bool stamma_index_was_valid(index_verifying *v, const char *part, uint64_t number, uint64_t game)
{
    const bool valid = !atomic_exchange_explicit(&v->file.damaged, false, memory_order_relaxed);
    if (!valid)
        stamma_index_differ(v, part, number, game);
    return valid;
}
