/* SPDX-License-Identifier: MIT */
/* Tests that scans do little work for each byte of an archive, whatever sizes the headers of its frames contain. Work
 * is counted in bytes read, and in blocks whose columns are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_archive.h"

/* ---- counting ---- */

typedef struct counting {
    archive_input input;
    uint64_t read;    /* bytes */
    uint64_t vouched; /* blocks */
} counting;

static ptrdiff_t count_read(void *context, void *bytes, size_t size)
{
    counting *c = context;
    ptrdiff_t got = c->input.read(c->input.context, bytes, size);
    c->read += got > 0 ? (uint64_t)got : 0;
    return got;
}

static bool pass_seek(void *context, uint64_t offset)
{
    const counting *c = context;
    return c->input.seek(c->input.context, offset);
}

/* The last block is incomplete. */
static stamma_error count_vouch(void *context, const finding *block, bool *whole)
{
    counting *c = context;
    c->vouched++;
    *whole = block->number < 99;
    return STAMMA_OK;
}

static counting scan_all(const listing *archive, bool seek)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    counting c = {.input = source_frames(&source, seek)};
    const archive_input input = {.context = &c, .read = count_read, .seek = seek ? pass_seek : NULL};
    scan s = {.allocator = &allocator, .context = &c, .vouch = seek ? count_vouch : NULL};
    scan_event event = SCAN_BLOCK;
    assert_int_equal(stamma_scan_open(&s, &input), STAMMA_OK);
    while (event != SCAN_END)
        assert_int_equal(stamma_scan_next(&s, NULL, &event), STAMMA_OK);
    assert_int_equal(stamma_scan_finish(&s), STAMMA_OK);
    assert_true(s.found_all.damages > 0);
    stamma_scan_release(&s);
    return c;
}

/* ---- the tests ---- */

/* The size of each frame includes bytes of other frames, or bytes after the end of the file. */
static void test_claims(void **state)
{
    (void)state;
    enum { FRAMES = 3000 };
    static const struct {
        unsigned type, flags;
    } kinds[] = {{FRAME_BLOCK, 1}, {FRAME_COMMIT, 1}, {FRAME_TABLE, 0}, {FRAME_SOURCE, 0}, {77, 0}, {77, 1}, {77, 2}};
    static const size_t claims[] = {FRAME_SIZE_MAX, BLOCK_SIZE_MAX, FRAMES * FRAME_HEADER_SIZE / 2 + 1,
                                    40001,          COMMIT_SIZE_MAX, SOURCE_SIZE_MAX,
                                    33};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t c = 0; c < sizeof claims / sizeof *claims; c++)
            for (int seek = 0; seek < 2; seek++) {
                made m = make_archive();
                make_block(&m);
                make_commit(&m, true);
                for (unsigned n = 0; n < FRAMES; n++)
                    make_frame(&m, kinds[k].type, kinds[k].flags, "", 0, claims[c]);
                assert_true(scan_all(&m.bytes, seek).read <= 4 * m.bytes.size + (1 << 17));
                free(m.bytes.text);
            }
}

/* Each of many commits whose end is damaged would be valid if the blocks before it were complete. */
static void test_commits_in_doubt(void **state)
{
    (void)state;
    enum { BLOCKS = 100, COMMITS = 50 };
    made m = make_archive();
    for (unsigned n = 0; n < BLOCKS; n++)
        make_block(&m);
    for (unsigned n = 0; n < COMMITS; n++) {
        make_commit(&m, false);
        spoil_payload(&m);
    }
    assert_int_equal(scan_all(&m.bytes, true).vouched, BLOCKS);
    free(m.bytes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims), cmocka_unit_test(test_commits_in_doubt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
