/* SPDX-License-Identifier: MIT */
/* Tests the jobs that unpack blocks: the memory of a large block is released before its job is used again, and the job
 * then unpacks other blocks correctly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive/pack_job.h"
#include "archive/reader.h"
#include "game_texts.h"

/* Packs a text, which becomes one block. */
static void pack_block(pack_job *job, const listing *text, const stamma_allocator *allocator)
{
    stamma_pack_job_init(job, allocator, true);
    stamma_pgn_lexer_init(&job->lexer, PARSER_TOKEN_MAX);
    buffer_add(&job->text, text->text, text->size);
    job->final = true;
    assert_int_not_equal(stamma_pack_job_take(job), 0);
    assert_int_equal(job->error, STAMMA_OK);
}

static void large_jobs_are_emptied(void **state)
{
    enum { MEMORY = 200 << 20, BLOCKS = 12 };
    counted_memory memory = {0};
    const stamma_allocator allocator = counting_allocator(&memory);
    static pack_job jobs[2];
    listing texts[2] = {{0}, {0}};
    job_ring ring;
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        for (unsigned game = 0; game < 20 + 200 * n; game++)
            list_game(&texts[n], &text_styles[n]);
        pack_block(&jobs[n], &texts[n], &allocator);
    }
    const long before = memory.alive;
    assert_int_equal(stamma_unpack_ring_open(&ring, &allocator, &immediate_executor, MEMORY, NULL), STAMMA_OK);
    for (unsigned n = 0; n < BLOCKS * ring.count; n++) {
        const pack_job *packed = &jobs[n % 2];
        unpack_job *j = (unpack_job *)stamma_job_ring_next(&ring);
        const bool was_large = j->is_large;
        assert_ptr_equal(stamma_unpack_ring_next(&ring), j);
        assert_false(j->is_large);
        if (was_large)
            assert_int_equal(j->text.capacity + j->payload.capacity, 0);
        assert_int_equal(j->block.plan.memory, MEMORY);
        j->payload.size = 0;
        buffer_add(&j->payload, packed->head.data, packed->head.size);
        buffer_add(&j->payload, packed->body.data, packed->body.size);
        j->frame.head_size = (uint32_t)packed->head.size;
        assert_int_equal(stamma_unpack_ring_room(&ring), ring.count - 1); /* the blocks are small */
        j->is_large = n % 3 == 1;
        stamma_unpack_ring_begin(&ring, UNPACK_TEXT);
        assert_ptr_equal(stamma_unpack_ring_finish(&ring), j);
        assert_int_equal(j->error, STAMMA_OK);
        assert_int_equal(j->text.size, texts[n % 2].size);
        assert_memory_equal(j->text.data, texts[n % 2].text, j->text.size);
    }
    stamma_job_ring_close(&ring);
    assert_int_equal(memory.alive, before);
    for (unsigned n = 0; n < 2; n++) {
        stamma_pack_job_release(&jobs[n]);
        free(texts[n].text);
    }
    assert_int_equal(memory.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_jobs_are_emptied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
