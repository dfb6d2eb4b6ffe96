/* SPDX-License-Identifier: MIT */
/* Makes archives of blocks that a test changes. */
#include "archive_maker.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void begin_archive(maker *m)
{
    *m = (maker){.allocator = stamma_allocator_or_default(NULL)};
    m->output = archive_output(&m->sink);
    stamma_frame_writer_begin(&m->out, &m->output, &m->allocator);
}

size_t add_payload(maker *m, const char *payload, size_t head_size, size_t size)
{
    const size_t at = m->sink.bytes.size;
    cursor in = {(const uint8_t *)payload, (const uint8_t *)payload + head_size, false};
    block_counts counts;
    assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
    stamma_frame_writer_add_block(&m->out, (stamma_text){payload, head_size},
                                  (stamma_text){payload + head_size, size - head_size}, &counts.counts);
    return at;
}

listing end_archive(maker *m)
{
    stamma_frame_writer_commit(&m->out, true);
    assert_int_equal(m->out.error, STAMMA_OK);
    stamma_frame_writer_release(&m->out);
    return m->sink.bytes;
}
