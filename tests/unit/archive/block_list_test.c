/* SPDX-License-Identifier: MIT */
/* Tests finding single blocks by their offsets, in memory and in a file. The offsets may be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/block_list.h"
#include "verify_support.h"

typedef struct fixture {
    stamma_allocator allocator;
    listing archive;
    buffer payload;
} fixture;

/* Finds the block at an offset, or only its head, in memory or in a file. */
static stamma_error find(fixture *f, uint64_t offset, bool only_head, bool from_file, found_block *found)
{
    archive_source source = {.bytes = f->archive.text, .size = f->archive.size};
    const stamma_bytes memory = stamma_bytes_of(f->archive.text, f->archive.size), file = source_bytes(&source);
    const placed_block place = {.offset = offset};
    return (only_head ? stamma_block_find_head : stamma_block_find)(&place, from_file ? &file : &memory, &f->payload,
                                                                    found);
}

/* Asserts, for each way to find a block, that it is found if `whole`, and its head if `has_head`. */
static void expect(fixture *f, uint64_t offset, bool whole, bool has_head)
{
    for (int way = 0; way < 4; way++) {
        const bool only_head = way & 1, right = only_head ? has_head : whole;
        found_block found = {.offset = 77};
        const stamma_error error = find(f, offset, only_head, way & 2, &found);
        assert_int_equal(error, right ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        assert_int_equal(found.offset, right ? offset : 77);
        if (right)
            assert_memory_equal(found.payload, f->archive.text + offset + FRAME_HEADER_SIZE,
                                only_head ? found.head_size : found.size);
    }
}

/* Writes the header at an offset again with other sizes. */
static void resize(fixture *f, size_t at, uint64_t size, uint32_t head_size, bool of_head)
{
    frame header;
    uint8_t *bytes = (uint8_t *)f->archive.text + at;
    assert_int_equal(stamma_frame_read(bytes, &header), STAMMA_OK);
    header.size = size;
    header.head_size = head_size;
    if (of_head)
        header.head_check = stamma_check32(bytes + FRAME_HEADER_SIZE, head_size);
    stamma_frame_write(&header, bytes);
}

static void places_where_no_block_is(void **state)
{
    (void)state;
    fixture f = {.allocator = stamma_allocator_or_default(NULL), .archive = small_blocks()};
    f.payload.allocator = &f.allocator;
    const size_t block = offset_of_block(&f.archive, 3);
    expect(&f, block, true, true);
    expect(&f, block + 1, false, false);
    expect(&f, 0, false, false);
    expect(&f, offset_of_commit(&f.archive, 0), false, false);
    expect(&f, f.archive.size - FRAME_HEADER_SIZE + 1, false, false);
    expect(&f, f.archive.size - FRAME_HEADER_SIZE, false, false);
    expect(&f, f.archive.size, false, false);
    expect(&f, f.archive.size + 1, false, false);
    expect(&f, UINT64_MAX, false, false);
    stamma_buffer_release(&f.payload);
    free(f.archive.text);
}

static void blocks_that_changed(void **state)
{
    (void)state;
    fixture f = {.allocator = stamma_allocator_or_default(NULL), .archive = small_blocks()};
    f.payload.allocator = &f.allocator;
    const size_t block = offset_of_block(&f.archive, 3);
    frame header;
    assert_int_equal(stamma_frame_read((const uint8_t *)f.archive.text + block, &header), STAMMA_OK);
    f.archive.text[block + FRAME_HEADER_SIZE] ^= 1; /* the head */
    expect(&f, block, false, false);
    f.archive.text[block + FRAME_HEADER_SIZE] ^= 1;
    f.archive.text[block + FRAME_HEADER_SIZE + header.head_size] ^= 1; /* a column, which is checked later */
    expect(&f, block, true, true);
    resize(&f, block, f.archive.size - block - FRAME_HEADER_SIZE + 1, header.head_size, true); /* one byte too long */
    expect(&f, block, false, true);
    resize(&f, block, header.size, header.head_size, true);
    f.archive.size = block + FRAME_HEADER_SIZE + header.head_size; /* the file ends after the head */
    expect(&f, block, false, true);
    f.archive.size--;
    expect(&f, block, false, false);
    stamma_buffer_release(&f.payload);
    free(f.archive.text);
}

static void memory_that_fails(void **state)
{
    (void)state;
    fixture f = {.archive = small_blocks()};
    const size_t block = offset_of_block(&f.archive, 3);
    bool done = false;
    for (unsigned fail_at = 1; !done; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        found_block found;
        f.allocator = failing_allocator(&memory);
        f.payload = (buffer){.allocator = &f.allocator};
        const stamma_error error = find(&f, block, false, true, &found);
        done = error == STAMMA_OK;
        assert_true(done || error == STAMMA_ERROR_NO_MEMORY);
        stamma_buffer_release(&f.payload);
        assert_int_equal(memory.alive, 0);
        assert_true(!done || fail_at > 2);
    }
    free(f.archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_where_no_block_is),
                                       cmocka_unit_test(blocks_that_changed), cmocka_unit_test(memory_that_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
